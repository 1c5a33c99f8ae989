"""Positions counted otherwise than in characters, turned into characters (code points)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unisono.model.arrays import Integers


_ASTRAL = 0x10000


def from_utf16(text: str) -> Integers | None:
    """Give the character at each UTF-16 unit of a text, and its end; `None` if they are the same.

    Java and JavaScript count such units: a character beyond the Basic Multilingual Plane, such
    as most emoji, counts two. A position in the middle of one is that of the character.
    """
    if text.isascii() or max(text) < chr(_ASTRAL):
        return None
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return _repeated(1 + (points >= _ASTRAL))


def from_utf8(text: str) -> Integers | None:
    """Give the character at each byte of a text in UTF-8, and its end; `None` if it is ASCII."""
    if text.isascii():
        return None
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return _repeated(1 + (points >= 0x80) + (points >= 0x800) + (points >= _ASTRAL))


def _repeated(sizes: Integers | np.ndarray) -> Integers:
    return np.append(np.repeat(np.arange(len(sizes)), sizes), len(sizes)).astype(np.int64)


def converted(position: float, table: Integers | None) -> float:
    """Give the character of a position; one outside of the text stays outside."""
    if table is None:
        return position
    whole = int(position)
    if 0 <= whole < len(table):
        return int(table[whole])
    return position if whole < 0 else int(table[-1]) + whole - len(table) + 1


def told_by_text(text: str, marks: Iterable[tuple[float, float, str]]) -> Integers | None:
    """Find out how positions are counted, by what is said to stand there.

    Parameters
    ----------
    text
        The document.
    marks
        Start, end and what stands between them according to the file.

    Returns
    -------
    array or None
        As `from_utf16` gives it if more marks fit so than as characters, otherwise `None`.
    """
    table = from_utf16(text)
    if table is None:
        return None

    def fits(change: Callable[[float], float]) -> int:
        return sum(text[int(change(a)) : int(change(b))] == said for a, b, said in known)

    known = [mark for mark in marks if mark[2]]
    as_units = fits(lambda position: converted(position, table))
    return table if as_units > fits(lambda position: position) else None
