"""Coreference chains and other partitions of items, as ratings whose labels are sets."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import TYPE_CHECKING, Literal, NoReturn

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.model.codes import Coded, renumbered
from unisono.model.columns import as_name, listed
from unisono.model.labels import as_label, label_order
from unisono.model.rating_tables import Triples, tabulated
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

    Item = str | int | float

    Class = frozenset[Item]

__all__ = ["ratings_from_partitions"]

_ALONE = ("missing", "singleton")


def ratings_from_partitions(
    partitions: Mapping[str, Iterable[Iterable[object]]],
    *,
    drop_self: bool = False,
    alone: Literal["missing", "singleton"] = "missing",
    items: Iterable[object] | None = None,
) -> Ratings:
    """Build ratings from how each annotator groups the items, as in coreference or pyramids.

    The label of an item is the set of all items that the annotator put together with it; a
    distance of sets (MASI, Jaccard) then tells how much two annotators differ on it.

    Parameters
    ----------
    partitions
        For each annotator the classes: sets of items, which are texts or numbers. An item
        that is in several classes, as in pyramids, gets their union.
    drop_self
        Whether to take the item itself out of its set.
    alone
        What an item has that the annotator put in no class: nothing (``"missing"``), or a
        class of its own (``"singleton"``).
    items
        All items there were; by default those that somebody put in a class.

    Returns
    -------
    Ratings
        One row an item; labels are frozensets.

    Raises
    ------
    DataError
        A class is empty, or holds an item that is not among `items`.
    SettingError
        `alone` is unknown.
    TypeError
        A class is no set, or an item neither text nor number.

    Notes
    -----
    Passonneau (2006) says in her text that the item is removed from both sets before they are
    compared, but her figures do not remove it: the mean MASI of her Figure 2 is 10/27 with the
    item kept (as printed) and 1/3 with the item removed. So `drop_self` is off by default. Two
    more things in that paper cannot be repeated: the set {x} of z in Figure 2 comes from no
    partition, and the sets of Figure 3 give 7/27 where 6/27 is printed.

    With `drop_self` every item has a set of its own, so a class of m items takes room for m²
    members; without it they share one.

    References
    ----------
    Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and
    pragmatic annotation. LREC 2006.

    Examples
    --------
    The two annotators of Figure 3:

    >>> import unisono as un
    >>> ratings = un.ratings_from_partitions({"A3": [{"x", "y"}, {"z"}], "A4": [{"x"}, {"y", "z"}]})
    >>> ratings
    Ratings(2 annotators, 3 items, 6 ratings, 4 labels)
    >>> sorted(ratings.labels[ratings.matrix()[0, 0]])
    ['x', 'y']
    """
    if alone not in _ALONE:
        msg = f"unknown alone {alone!r}; choose one of {listed(_ALONE)}"
        raise SettingError(msg)
    if not isinstance(partitions, Mapping):
        msg = f"partitions are given as {{annotator: [set, …]}}; got {type(partitions).__name__}"
        raise TypeError(msg)
    classes: dict[str, list[Class]] = {}
    for given, partition in partitions.items():
        name = as_name(given, "an annotator")
        if name in classes:
            msg = f"every annotator has a name of their own; {name!r} is there twice"
            raise DataError(msg)
        classes[name] = _classes(partition, name)
    everything = _all_items(classes, items)
    sets: dict[Label, int] = {}
    codes = [
        _codes(mine, everything, sets, drop_self=drop_self, singleton=alone == "singleton")
        for mine in classes.values()
    ]
    return _ratings(list(classes), list(everything), list(sets), codes)


def _classes(partition: Iterable[Iterable[object]], name: object) -> list[Class]:
    if isinstance(partition, str | Mapping) or not hasattr(partition, "__iter__"):
        msg = f"the classes of {name!r} are a list of sets; got {partition!r}"
        raise TypeError(msg)
    classes = []
    for members in partition:
        if not isinstance(members, AbstractSet | list | tuple | np.ndarray):
            msg = f"a class is a set or a list of items; {name!r} has {members!r}"
            raise TypeError(msg)
        if not len(members):
            msg = f"a class holds at least one item; {name!r} has an empty one"
            raise DataError(msg)
        classes.append(frozenset(_item(member) for member in members))
    return classes


def _item(value: object) -> Item:
    item = as_label(value)
    if item is None or isinstance(item, frozenset):
        msg = f"an item of a class is a text or a number; got {value!r}"
        raise DataError(msg)
    return item


def _all_items(
    classes: Mapping[str, Sequence[Class]], items: Iterable[object] | None
) -> dict[Item, int]:
    """Give all items their numbers, in order."""
    seen = {item for mine in classes.values() for members in mine for item in members}
    if items is None:
        return {item: place for place, item in enumerate(sorted(seen, key=label_order))}
    if isinstance(items, str) or not hasattr(items, "__iter__"):
        msg = f"items are given as several items, such as a list; got {items!r}"
        raise TypeError(msg)
    known = sorted({_item(item) for item in items}, key=label_order)
    places = {item: place for place, item in enumerate(known)}
    for name, mine in classes.items():
        for members in mine:
            if strangers := sorted(members - places.keys(), key=label_order):
                _refuse_stranger(name, strangers[0], known)
    return places


def _refuse_stranger(name: str, item: Item, known: Sequence[Item]) -> NoReturn:
    msg = f"{name!r} has {item!r} in a class, which is not among the items {listed(known)}"
    raise DataError(msg)


def _codes(
    classes: Sequence[Class],
    everything: Mapping[Item, int],
    sets: dict[Label, int],
    *,
    drop_self: bool,
    singleton: bool,
) -> list[int]:
    """Give the set of each item as its number in `sets`, which grows; −1 for none."""
    own: dict[Item, list[int]] = {}
    for number, members in enumerate(classes):
        for item in members:
            own.setdefault(item, []).append(number)
    # Hashing and comparing a set costs its size: once a class, not once an item.
    known: dict[tuple[int, ...], int] = {}

    codes = []
    for item in everything:
        numbers = tuple(own.get(item, ()))
        if numbers and not drop_self:
            if numbers not in known:
                known[numbers] = sets.setdefault(_union(classes, numbers), len(sets))
            codes.append(known[numbers])
        elif numbers or singleton:
            together = _union(classes, numbers) | {item}
            mine = together - {item} if drop_self else together
            codes.append(sets.setdefault(mine, len(sets)))
        else:
            codes.append(-1)
    return codes


def _union(classes: Sequence[Class], numbers: Sequence[int]) -> Class:
    return frozenset(chain.from_iterable(classes[number] for number in numbers))


def _ratings(
    names: Sequence[str],
    everything: Sequence[Item],
    sets: Sequence[Label],
    codes: Sequence[Sequence[int]],
) -> Ratings:
    given = np.array(codes, dtype=np.int64).reshape(len(names), len(everything))
    labels: Coded[Label] = renumbered(given.ravel(), sets, label_order)
    people: Coded[str] = renumbered(np.arange(len(names)), names, str)
    owners, rows = np.nonzero(given >= 0)
    triples = Triples(rows, people.codes[owners], labels.codes[labels.codes >= 0])
    table = tabulated(triples, annotators=people.values, labels=labels.values, items=everything)
    return ratings_of(table)
