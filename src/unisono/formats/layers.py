"""What tiers can hold: one text a unit, and no two units at once; so units are put in lanes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import DataError
from unisono.formats.tier_roles import continued
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.model.unit import Unit


# What XML 1.0 cannot say at all, and TextGrid only in ways that nobody reads.
_UNSAYABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
KEPT_IN_TIERS = frozenset(
    {
        *("annotators without units", "units in pieces", "extents of documents"),
        "labels that are numbers",
    }
)
"""What tiers can hold; units in pieces are refused."""


class Lane(NamedTuple):
    """Units of one annotator that do not overlap, in their order; all points or none."""

    name: str
    annotator: str
    of_points: bool
    units: Sequence[Unit]


def lanes(continuum: Continuum, document: str, format_: str) -> Iterator[Lane]:
    """Put the units of each annotator in as few lanes as will do, one or more.

    The first is called as the annotator, others ``ann [2]``, ``ann [3]`` and so on.

    Raises
    ------
    DataError
        A name, a label or a position cannot be said in such a format.
    """
    for annotator in continuum.annotators:
        checked_text(annotator, "the annotator", document, format_)
        if (whole := continued(annotator)) in continuum.annotators:
            msg = f"{document}: {annotator!r} would be read as a part of {whole!r}; rename it first"
            raise DataError(msg)
    for annotator, units in _by_annotator(continuum):
        kept = [each for each in (False, True) if any(_is_point(u) is each for u in units)]
        split = [
            (of_points, lane)
            for of_points in kept
            for lane in _apart([u for u in units if _is_point(u) is of_points])
        ]
        for number, (of_points, lane) in enumerate(split or [(False, [])], start=1):
            name = annotator if number == 1 else f"{annotator} [{number}]"
            yield Lane(name, annotator, of_points, lane)


def layers_of(corpus: Corpus) -> list[str]:
    """Give the layers that units are of, as their attributes tell."""
    told = {
        detail.attributes.get("layer")
        for continuum in corpus.values()
        for detail in ([] if continuum.details is None else continuum.details.values)
    }
    return sorted(str(layer) for layer in told - {None})


def written_label(unit: Unit, document: str, format_: str) -> str:
    """Give the text of a unit's label, empty if it has none.

    Raises
    ------
    DataError
        It is a set, or has characters that cannot be written, or the unit has fragments.
    """
    where = f"{document}: {unit.annotator!r} at [{unit.start:g}, {unit.end:g}]"
    if unit.fragments:
        msg = f"{where} is in pieces, which {format_} cannot hold; use split_fragments first"
        raise DataError(msg)
    if isinstance(unit.label, frozenset):
        msg = (
            f"{where} has the set {label_text(unit.label)}, and {format_} holds one text a unit; "
            "rename the label first"
        )
        raise DataError(msg)
    if unit.start < 0:
        msg = f"{where} begins below 0, which {format_} cannot say"
        raise DataError(msg)
    return checked_text(label_text(unit.label), "a label", document, format_)


def checked_text(text: str, what: str, document: str, format_: str) -> str:
    """Give a text that can be written.

    Raises
    ------
    DataError
        It has characters that no such file can have.
    """
    if found := _UNSAYABLE.search(text):
        msg = f"{document}: {what} {text!r} has {found[0]!r}, which {format_} cannot say"
        raise DataError(msg)
    return text


def _by_annotator(continuum: Continuum) -> Iterator[tuple[str, Sequence[Unit]]]:
    for number, annotator in enumerate(continuum.annotators):
        first, last = continuum.offsets[number : number + 2]
        yield annotator, continuum.units[int(first) : int(last)]


def _is_point(unit: Unit) -> bool:
    return unit.start == unit.end


def _apart(units: Sequence[Unit]) -> list[list[Unit]]:
    """Give each unit to the first lane that is free; equal points are never in one lane."""
    found: list[list[Unit]] = []
    for unit in units:
        for lane in found:
            last = lane[-1]
            if last.end <= unit.start and not (_is_point(unit) and last.end == unit.start):
                lane.append(unit)
                break
        else:
            found.append([unit])
    return found
