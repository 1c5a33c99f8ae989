"""A part of a table of ratings, or the same under other names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import DataError
from unisono.model.codes import Coded, as_item, renumbered
from unisono.model.columns import is_several
from unisono.model.labels import as_label, label_order
from unisono.model.naming import check_renames, known_labels, known_names, listed, renamed_names
from unisono.model.rating_tables import Triples, seated, tabulated
from unisono.model.wide_tables import seats

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.model.labels import Label
    from unisono.model.rated_rows import RatedRows
    from unisono.model.rating_tables import Tabulated


def chosen(
    ratings: RatedRows,
    annotators: Iterable[str] | None,
    items: Iterable[Hashable] | None,
    labels: Iterable[Label] | None,
) -> Tabulated:
    """Keep some annotators, some items and some labels."""
    names = ratings.annotators
    rows, codes = ratings.row_numbers, ratings.annotator_codes.astype(np.int64)
    keep = np.ones(len(codes), dtype=bool)
    if annotators is not None:
        _refuse_seats(ratings)
        kept = known_names(annotators, names, "annotator")
        stays = np.array([name in kept for name in names], dtype=bool)
        keep &= stays[codes]
        codes = (np.cumsum(stays) - 1)[codes]
        names = tuple(name for name in names if name in kept)
    if items is not None:
        keep &= _rows_of(ratings, items)[rows]
    if labels is not None:
        wanted = known_labels(labels, ratings.labels)
        keep &= np.array([label in wanted for label in ratings.labels], dtype=bool)[
            ratings.label_codes
        ]
    triples = Triples(rows[keep], codes[keep], ratings.label_codes[keep].astype(np.int64))
    return _again(ratings, triples, names, ratings.labels)


def renamed_ratings(
    ratings: RatedRows, annotators: Mapping[str, str], labels: Mapping[Label, Label | None]
) -> Tabulated:
    """Call some annotators and some labels otherwise; `None` makes a label missing."""
    names: Sequence[str] = ratings.annotators
    codes = ratings.annotator_codes.astype(np.int64)
    check_renames(annotators, "annotator")
    if annotators:
        _refuse_seats(ratings)
        called = renamed_names(names, annotators, "annotator")
        names, codes = renumbered(codes, called, str)
    check_renames(labels, "label")
    known_labels(labels, ratings.labels)
    new_label = {as_label(old): as_label(new) for old, new in labels.items()}
    relabelled = [new_label.get(label, label) for label in ratings.labels]
    label_codes = ratings.label_codes.astype(np.int64)
    coded: Coded[Label] = renumbered(label_codes, relabelled, label_order)
    keep = coded.codes >= 0
    triples = Triples(ratings.row_numbers[keep], codes[keep], coded.codes[keep])
    return _again(ratings, triples, names, coded.values)


def _again(
    ratings: RatedRows, triples: Triples, names: Sequence[str], labels: Sequence[Label]
) -> Tabulated:
    if ratings.anonymous:
        triples = seated(triples.rows, triples.labels)
        names = seats(int(triples.annotators.max(initial=-1)) + 1)
    return tabulated(
        triples,
        annotators=names,
        labels=labels,
        items=ratings.items,
        times=ratings.times,
        anonymous=ratings.anonymous,
    )


def _rows_of(ratings: RatedRows, items: Iterable[Hashable]) -> NDArray[np.bool_]:
    if ratings.items is None:
        msg = (
            "these ratings are counts of equal items, without the names of items; "
            "choose items before they are counted"
        )
        raise DataError(msg)
    if isinstance(items, str) or not is_several(items):
        msg = f"items are given as several items, such as ({items!r},); got {items!r}"
        raise TypeError(msg)
    place = {item: row for row, item in enumerate(ratings.items)}
    rows = np.zeros(len(place), dtype=bool)
    for item in items:
        row = place.get(as_item(item))
        if row is None:
            msg = f"no item {item!r}; there are {listed(ratings.items)}"
            raise DataError(msg)
        rows[row] = True
    return rows


def _refuse_seats(ratings: RatedRows) -> None:
    if ratings.anonymous:
        msg = "a table of counts does not say who rated what, so it has no annotators to choose"
        raise DataError(msg)
