"""Tags of tokens (IOB1, IOB2, IOBES, BILOU) to units, with one rule of repair."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


_TAG = re.compile(r"([BILUESM])(?:[-_](.*))?", re.DOTALL)
_OUTSIDE = frozenset({"O", "", "_", "-"})
# What each scheme calls the first, an inner, the last and the only token of a unit.
_LETTERS = {
    "iob1": ("B", "I", "", ""),
    "iob2": ("B", "I", "", ""),
    "iobes": ("B", "IM", "E", "S"),
    "bilou": ("B", "I", "L", "U"),
}
REPAIRED = "a tag that continues no unit begins one"
UNCLOSED = "a unit that is not closed ends where the next tag does not continue it"


class Tagged(NamedTuple):
    """A unit that tags mark: tokens from start to before end."""

    start: int
    end: int
    label: str
    repairs: tuple[str, ...] = ()


def is_tag(text: str) -> bool:
    """Tell whether a cell can be a tag."""
    return text in _OUTSIDE or _TAG.fullmatch(text) is not None


def scheme_of(sentences: Iterable[Sequence[str]]) -> str:
    """Tell the scheme by the letters in use; IOB1 if no unit but one after its like has a B.

    Parameters
    ----------
    sentences
        The tags of each sentence.

    Returns
    -------
    str
        ``"iob1"``, ``"iob2"``, ``"iobes"`` or ``"bilou"``.
    """
    letters: set[str] = set()
    first_has_b = first_has_i = False
    for tags in sentences:
        before = ("O", "")
        for tag in tags:
            letter, label = parted(tag)
            letters.add(letter)
            if letter in "BI" and (before[0] == "O" or before[1] != label):
                first_has_b |= letter == "B"
                first_has_i |= letter == "I"
            before = (letter, label)
    if letters & set("LU"):
        return "bilou"
    if letters & set("ES"):
        return "iobes"
    return "iob1" if first_has_i and not first_has_b else "iob2"


def units_of(tags: Sequence[str], scheme: str) -> Iterator[Tagged]:
    """Give the units that the tags of one sentence mark.

    A unit goes on while tags continue it with the same label. A tag that would continue a unit
    but follows none begins one (in IOB1 that is the rule, elsewhere a repair); a unit that is
    never closed ends where it is not continued, at the latest with the sentence.

    Parameters
    ----------
    tags
        Such as ``B-PER``, ``I-PER``, ``O``.
    scheme
        As `scheme_of` gives it.

    Examples
    --------
    >>> from unisono.formats.tagging import units_of
    >>> for unit in units_of(["I-PER", "I-PER", "O", "B-LOC", "B-LOC"], "iob2"):
    ...     print(unit.start, unit.end, unit.label, len(unit.repairs))
    0 2 PER 1
    3 4 LOC 0
    4 5 LOC 0
    """
    first, inner, last, only = _LETTERS[scheme]
    open_at, open_label = -1, ""
    repairs: tuple[str, ...] = ()
    closes = bool(last)

    def finished(end: int, *, closed: bool) -> Tagged:
        missing = (UNCLOSED,) if closes and not closed else ()
        return Tagged(open_at, end, open_label, repairs + missing)

    for at, tag in enumerate(tags):
        letter, label = parted(tag)
        continues = open_at >= 0 and letter in (inner + last) and label == open_label
        if open_at >= 0 and not continues:
            yield finished(at, closed=False)
            open_at = -1
        if letter == "O":
            continue
        if not continues:
            open_at, open_label = at, label
            legal = letter == first or (only and letter == only)
            repairs = () if legal or scheme == "iob1" else (REPAIRED,)
        if (last and letter == last) or (only and letter == only):
            yield finished(at + 1, closed=True)
            open_at = -1
    if open_at >= 0:
        yield finished(len(tags), closed=False)


def parted(tag: str) -> tuple[str, str]:
    """Part a tag in its letter and its label; what is no tag is outside."""
    if tag in _OUTSIDE:
        return "O", ""
    found = _TAG.fullmatch(tag)
    return (found[1], found[2] or "") if found else ("O", "")
