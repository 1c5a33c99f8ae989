"""What annotators marked, as text: the words of a unit and those around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.results.sheet import Excerpt, shown

if TYPE_CHECKING:
    from unisono.model.continuum import Continuum
    from unisono.model.unit import Unit


_AROUND = 30
_LONGEST = 200


def excerpt(continuum: Continuum, unit: Unit) -> Excerpt | None:
    """Give the text of a unit with some of what stands around it.

    Parameters
    ----------
    continuum
        A document; only one whose file tells its text has any.
    unit
        A unit of it. Its bounds are places between characters.

    Returns
    -------
    Excerpt | None
        Nothing where there is no text, or the bounds are not places in it.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.excerpts import excerpt
    >>> excerpt(un.Continuum.from_units([("ann", 0, 2)]), un.Unit("ann", 0, 2)) is None
    True
    """
    text = continuum.text
    if text is None:
        return None
    start, end = int(unit.start), int(unit.end)
    if (start, end) != (unit.start, unit.end) or not 0 <= start <= end <= len(text):
        return None
    before = text[max(0, start - _AROUND) : start]
    after = text[end : end + _AROUND]
    marked = text[start:end]
    if len(marked) > _LONGEST:
        half = _LONGEST // 2
        marked = f"{marked[:half]} […] {marked[-half:]}"
    return Excerpt(
        f"{'…' if start > _AROUND else ''}{_on_one_line(before)}",
        _on_one_line(marked),
        f"{_on_one_line(after)}{'…' if end + _AROUND < len(text) else ''}",
    )


def has_texts(continua: list[Continuum]) -> bool:
    """Say whether any document has its text.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.excerpts import has_texts
    >>> has_texts([un.Continuum.from_units([("ann", 0, 2)])])
    False
    """
    return any(continuum.text is not None for continuum in continua)


def _on_one_line(text: str) -> str:
    # Line breaks are layout here; spaces at the ends part the words from the marked ones.
    lines = "".join(" " if mark in "\n\r\t\v\f\u2028\u2029" else mark for mark in text)
    return shown(lines)
