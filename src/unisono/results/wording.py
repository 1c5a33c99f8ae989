"""Numbers and names as people read them."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence


_MISSING = "–"
_LARGE = 1e6
_JOINERS = frozenset("\u200c\u200d")


def decimals(value: float | None, places: int = 4) -> str:
    """Write a number with a fixed number of decimals, or if large as many digits; or a dash.

    Parameters
    ----------
    value
        A number, NaN or ``None``.
    places
        The number of decimals.

    Examples
    --------
    >>> from unisono.results.wording import decimals
    >>> decimals(0.72504), decimals(-0.00001), decimals(4594771464.561), decimals(None)
    ('0.7250', '0.0000', '4.595e+09', '–')
    """
    if value is None or math.isnan(value):
        return _MISSING
    if _LARGE <= abs(value) < math.inf:
        return f"{value:.{max(places, 1)}g}"
    # Adding zero turns −0.0 into 0.0.
    return f"{round(value, places) + 0.0:.{places}f}" if math.isfinite(value) else str(value)


def position(value: float) -> str:
    """Write a place on the continuum without needless decimals.

    Parameters
    ----------
    value
        A start or an end.

    Examples
    --------
    >>> from unisono.results.wording import position
    >>> position(612.4), position(9.0), position(0.00012)
    ('612.4', '9', '0.00012')
    """
    if value != 0.0 and not 1e-3 <= abs(value) < 1e15:
        return f"{value:.6g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def count(number: int, noun: str) -> str:
    """Write a number of things, the noun in the right form.

    Parameters
    ----------
    number
        How many.
    noun
        The singular of what.

    Examples
    --------
    >>> from unisono.results.wording import count
    >>> count(1, "unit"), count(41094, "unit")
    ('1 unit', '41,094 units')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def printable(text: str) -> str:
    r"""Write a text from a file so that it cannot disturb a terminal or a table.

    Parameters
    ----------
    text
        Any text; control characters and line breaks become escapes. Joiners stay, which emoji and
        some scripts need.

    Examples
    --------
    >>> from unisono.results.wording import printable
    >>> print(printable("two\nlines"))
    two\nlines
    """
    return _without(_unseen(text), text, lambda mark: mark.encode("unicode_escape").decode())


def printable_lines(text: str) -> str:
    r"""Write a text of several lines so that it cannot disturb a terminal.

    Parameters
    ----------
    text
        Any text; as in `printable`, but line breaks and tabs stay.

    Examples
    --------
    >>> from unisono.results.wording import printable_lines
    >>> printable_lines("one\ntwo\x1b[2J")
    'one\ntwo\\x1b[2J'
    """
    unseen = _unseen(text) - {"\n", "\t"}
    return _without(unseen, text, lambda mark: mark.encode("unicode_escape").decode())


def json_text(
    record: Mapping[str, Any], *, indent: int | None = None, ascii_only: bool = False
) -> str:
    r"""Write plain data as JSON that cannot disturb a terminal.

    Parameters
    ----------
    record
        Plain data.
    indent
        Spaces for each level; ``None`` puts all on one line.
    ascii_only
        Whether to escape everything that is not ASCII.

    Returns
    -------
    str
        The characters that `printable` escapes are escapes of JSON, so that they read back equal.

    Examples
    --------
    >>> import json
    >>> from unisono.results.wording import json_text
    >>> print(json_text({"label": "a\x9b\u202e"}))
    {"label": "a\u009b\u202e"}
    >>> json.loads(json_text({"label": "a\x9b\u202e"})) == {"label": "a\x9b\u202e"}
    True
    """
    text = json.dumps(record, indent=indent, ensure_ascii=ascii_only, allow_nan=False)
    # A line break can only be one of the indentation: in strings JSON escapes it.
    return _without(_unseen(text) - {"\n"}, text, lambda mark: json.dumps(mark)[1:-1])


def _unseen(text: str) -> set[str]:
    """Return the characters that are control characters or cannot be seen."""
    if text.isprintable():
        return set()
    return {mark for mark in set(text) if not (mark.isprintable() or mark in _JOINERS)}


def _without(marks: set[str], text: str, escape: Callable[[str], str]) -> str:
    return text.translate({ord(mark): escape(mark) for mark in marks}) if marks else text


def documents_told(names: Collection[str]) -> str:
    """Name the only document, or say how many there are.

    Examples
    --------
    >>> from unisono.results.wording import documents_told
    >>> documents_told(["interview"]), documents_told(["a", "b"])
    ('interview', '2 documents')
    """
    return next(iter(names)) if len(names) == 1 else count(len(names), "document")


def some(names: Sequence[str], shown: int = 5) -> str:
    """Write the first of some names, and how many there are beside them.

    Parameters
    ----------
    names
        At least one.
    shown
        How many to write out.

    Returns
    -------
    str
        The names, fit for a terminal.

    Examples
    --------
    >>> from unisono.results.wording import some
    >>> some(["ann", "bob", "cleo"], shown=2)
    'ann, bob and 1 more'
    """
    more = len(names) - shown
    listed = ", ".join(printable(name) for name in names[:shown])
    return f"{listed} and {more:,} more" if more > 0 else listed
