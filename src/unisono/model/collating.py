"""Columns of ratings to a finished table: the edge where ratings are validated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.model.codes import Coded, coded_annotators, coded_items, coded_labels
from unisono.model.columns import as_names
from unisono.model.naming import listed
from unisono.model.rating_tables import tabulated, without_repeats

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from unisono.model.codes import Column
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Tabulated


Duplicates: TypeAlias = Literal["raise", "first"]
_DUPLICATES = ("raise", "first")


def from_rating_columns(
    annotator: Column,
    item: Column,
    label: Column,
    *,
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    separator: str | None,
) -> Tabulated:
    """Tabulate columns as they come from lists, arrays or frames."""
    check_settings(duplicates, separator)
    people = coded_annotators(annotator)
    things = coded_items(item)
    labels = coded_labels(label, separator)
    sizes = {
        "annotator": len(people.codes),
        "item": len(things.codes),
        "label": len(labels.codes),
    }
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} {size}" for name, size in sizes.items())
        msg = f"columns must be equally long; got {told}"
        raise DataError(msg)

    def repeated(first: int, second: int) -> DataError:
        problem = repeat_problem(people, things, labels, (first, second), "row")
        return DataError(f"row {second}: {problem}")

    return collated(people, things, labels, annotators, duplicates, repeated)


def collated(
    people: Coded[str],
    things: Coded[Hashable],
    labels: Coded[Label],
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    repeated: Callable[[int, int], DataError],
) -> Tabulated:
    """Tabulate numbered columns.

    Parameters
    ----------
    people, things, labels
        Columns of equal length.
    annotators
        Everyone who was to rate; `None` for those in the column.
    duplicates
        What to do with an annotator who rated an item twice.
    repeated
        What to raise for the places of two such ratings.
    """
    if annotators is not None:
        people = declared(people, annotators)
    triples = without_repeats(people, things, labels, duplicates, repeated)
    return tabulated(triples, annotators=people.values, labels=labels.values, items=things.values)


def check_settings(duplicates: object, separator: object) -> None:
    """Refuse settings that no ratings could be read with."""
    if duplicates not in _DUPLICATES:
        msg = f"unknown duplicates {duplicates!r}; choose one of {listed(_DUPLICATES)}"
        raise SettingError(msg)
    if separator is not None and not isinstance(separator, str):
        msg = f"a separator is the text between the members of a set; got {separator!r}"
        raise TypeError(msg)
    if separator is not None and not separator:
        msg = "a separator is the text between the members of a set; got an empty one"
        raise SettingError(msg)


def repeat_problem(
    people: Coded[str],
    things: Coded[Hashable],
    labels: Coded[Label],
    places: tuple[int, int],
    called: str,
    numbers: tuple[int, int] | None = None,
) -> str:
    """Say who rated which item twice, where and how.

    Parameters
    ----------
    people, things, labels
        The columns.
    places
        Where in them the two ratings are.
    called, numbers
        What a place is to the reader, such as a line, and the numbers of the two there.
    """
    name = people.values[people.codes[places[0]]]
    item = things.values[things.codes[places[0]]]
    said = " and ".join(
        f"{labels.values[labels.codes[place]]!r} in {called} {number}"
        for place, number in zip(places, numbers or places, strict=True)
    )
    cure = setting("duplicates", "first")
    return f"{name!r} rated the item {item!r} twice, {said}; keep one, or say {cure}"


def declared(people: Coded[str], annotators: Iterable[str]) -> Coded[str]:
    """Renumber annotators among those declared, of whom everyone with ratings is one."""
    names = as_names(annotators, "annotator")
    place = {name: number for number, name in enumerate(names)}
    for name in people.values:
        if name not in place:
            msg = (
                f"{name!r} has ratings but is not among the declared annotators "
                f"{listed(names)}; add the name"
            )
            raise DataError(msg)
    places = np.array([place[name] for name in people.values], dtype=np.int64)
    return Coded(names, places[people.codes])
