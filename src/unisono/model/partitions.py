"""Coreference chains and other partitions of items, as ratings whose labels are sets."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np

from unisono.errors import DataError, check_choice
from unisono.model.codes import (
    Coded,
    as_name,
    renumbered,
)
from unisono.model.columns import listed
from unisono.model.labels import as_label, label_order
from unisono.model.rating_tables import Tabulated, Triples, tabulated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unisono.model.labels import Label

    Item = str | int | float

    Class = frozenset[Item]

__all__ = ["partition_rows"]

_ALONE = ("missing", "singleton")


def partition_rows(
    partitions: Mapping[str, Iterable[Iterable[object]]],
    *,
    drop_self: bool,
    alone: Literal["missing", "singleton"],
    items: Iterable[object] | None,
) -> Tabulated:
    """Return the rows of `Ratings.from_partitions`."""
    check_choice("alone", alone, _ALONE)
    if not isinstance(partitions, Mapping):
        msg = f"partitions must be {{annotator: [set, …]}}; got {type(partitions).__name__}"
        raise TypeError(msg)
    classes: dict[str, list[Class]] = {}
    for annotator, partition in partitions.items():
        name = as_name(annotator, "an annotator")
        if name in classes:
            msg = f"annotators must have different names; {name!r} is repeated"
            raise DataError(msg)
        classes[name] = _classes(partition, name)
    all_items = _all_items(classes, items)
    sets: dict[Label, int] = {}
    codes = [
        _codes(of_annotator, all_items, sets, drop_self=drop_self, singleton=alone == "singleton")
        for of_annotator in classes.values()
    ]
    return _rows(list(classes), list(all_items), list(sets), codes)


def _classes(partition: Iterable[Iterable[object]], name: object) -> list[Class]:
    if isinstance(partition, str | Mapping) or not hasattr(partition, "__iter__"):
        msg = f"the classes of {name!r} must be a list of sets; got {partition!r}"
        raise TypeError(msg)
    classes = []
    for members in partition:
        if not isinstance(members, AbstractSet | list | tuple | np.ndarray):
            msg = f"a class must be a set or a list of items; {name!r} has {members!r}"
            raise TypeError(msg)
        if not len(members):
            msg = f"a class must contain at least one item; {name!r} has an empty one"
            raise DataError(msg)
        classes.append(frozenset(_item(member) for member in members))
    return classes


def _item(value: object) -> Item:
    item = as_label(value)
    if item is None or isinstance(item, frozenset):
        msg = f"an item of a class must be text or a number; got {value!r}"
        raise DataError(msg)
    return item


def _all_items(
    classes: Mapping[str, Sequence[Class]], items: Iterable[object] | None
) -> dict[Item, int]:
    """Return all items, sorted, with their indices; raise if a class contains other items."""
    seen = {item for each in classes.values() for members in each for item in members}
    if items is None:
        return {item: place for place, item in enumerate(sorted(seen, key=label_order))}
    if isinstance(items, str) or not hasattr(items, "__iter__"):
        msg = f"items must be a sequence, such as a list; got {items!r}"
        raise TypeError(msg)
    known = sorted({_item(item) for item in items}, key=label_order)
    places = {item: place for place, item in enumerate(known)}
    for name, each in classes.items():
        for members in each:
            if unknown := sorted(members - places.keys(), key=label_order):
                msg = (
                    f"{name!r} has {unknown[0]!r} in a class, which is not among the items "
                    f"{listed(known)}"
                )
                raise DataError(msg)
    return places


def _codes(
    classes: Sequence[Class],
    all_items: Mapping[Item, int],
    sets: dict[Label, int],
    *,
    drop_self: bool,
    singleton: bool,
) -> list[int]:
    """Return the code in `sets` of each item's set, −1 for none; new sets are added to `sets`."""
    classes_of: dict[Item, list[int]] = {}
    for number, members in enumerate(classes):
        for item in members:
            classes_of.setdefault(item, []).append(number)
    # Hashing a set takes time proportional to its size: do it once per class, not per item.
    known: dict[tuple[int, ...], int] = {}

    codes = []
    for item in all_items:
        numbers = tuple(classes_of.get(item, ()))
        if numbers and not drop_self:
            if numbers not in known:
                known[numbers] = sets.setdefault(_union(classes, numbers), len(sets))
            codes.append(known[numbers])
        elif numbers or singleton:
            together = _union(classes, numbers) | {item}
            label = together - {item} if drop_self else together
            codes.append(sets.setdefault(label, len(sets)))
        else:
            codes.append(-1)
    return codes


def _union(classes: Sequence[Class], numbers: Sequence[int]) -> Class:
    return frozenset(chain.from_iterable(classes[number] for number in numbers))


def _rows(
    names: Sequence[str],
    all_items: Sequence[Item],
    sets: Sequence[Label],
    codes: Sequence[Sequence[int]],
) -> Tabulated:
    cells = np.array(codes, dtype=np.int64).reshape(len(names), len(all_items))
    labels: Coded[Label] = renumbered(cells.ravel(), sets, label_order)
    annotators: Coded[str] = renumbered(np.arange(len(names)), names, str)
    owners, rows = np.nonzero(cells >= 0)
    triples = Triples(rows, annotators.codes[owners], labels.codes[labels.codes >= 0])
    return tabulated(triples, annotators=annotators.values, labels=labels.values, items=all_items)
