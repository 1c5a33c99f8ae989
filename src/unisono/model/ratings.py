"""Labels that annotators gave to items: `Ratings`, its constructors and selections."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from unisono.errors import DataError
from unisono.model.codes import Coded, as_item, renumbered
from unisono.model.columns import (
    check_renames,
    counted,
    is_several,
    known_labels,
    known_names,
    listed,
    renamed_names,
)
from unisono.model.labels import as_label, label_order
from unisono.model.lazy_frames import from_rating_frame
from unisono.model.rating_tables import (
    Tabulated,
    Triples,
    digest_of,
    from_counts_table,
    from_rating_columns,
    from_wide,
    merged_rows,
    seated,
    seats,
    tabulated,
    whole_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Self

    from narwhals.typing import IntoFrame
    from numpy.typing import ArrayLike, NDArray

    from unisono.model.arrays import Codes, Integers
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Duplicates

__all__ = ["Ratings", "labels_of", "ratings_of"]


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


_Rows = TypeVar("_Rows", bound="RatedRows")
# Columns of a table that are kept under another name.
_SLOTS = {"labels": "_labels", "items": "_items"}


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class RatedRows:
    """The columns of `Ratings`; see there."""

    annotators: tuple[str, ...]
    _labels: Sequence[Label]
    _items: tuple[Hashable, ...] | range | Integers | None
    offsets: Integers
    annotator_codes: Codes
    label_codes: Codes
    times: Integers
    anonymous: bool
    _is_merged: bool
    # Worked out when first asked for, because both cost a sort of all rows.
    _merged: Self | None
    _digest: str | None

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels in use, in their order: numbers, strings, sets."""
        labels = self._labels
        if isinstance(labels, tuple):
            return labels
        given = tuple(labels)
        object.__setattr__(self, "_labels", given)
        return given

    @property
    def items(self) -> tuple[Hashable, ...] | None:
        """The names of the rows; `None` when only counts of equal items are known."""
        items = self._items
        if items is None or isinstance(items, tuple):
            return items
        # A million numbers as a tuple take time and room that few ask for.
        names = tuple(items if isinstance(items, range) else items.tolist())
        object.__setattr__(self, "_items", names)
        return names

    @property
    def n_items(self) -> int:
        """How many items have at least one rating."""
        return int(self.times.sum())

    @property
    def n_annotators(self) -> int:
        """How many annotators there are, also those who rated nothing."""
        return len(self.annotators)

    @property
    def n_ratings(self) -> int:
        """How many ratings there are."""
        return int(self.times @ np.diff(self.offsets))

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal, the same for every order of rows."""
        digest = self._digest
        if digest is None:
            digest = digest_of(self.merged()._table())  # noqa: SLF001 (one of our own)
            object.__setattr__(self, "_digest", digest)
        return digest

    @property
    def row_numbers(self) -> Integers:
        """The row of each rating."""
        return np.repeat(np.arange(len(self.times)), np.diff(self.offsets))

    def merged(self) -> Self:
        """Make rows that are equal one row, whose `times` counts them all."""
        if self._is_merged:
            return self
        merged = self._merged
        if merged is None:
            merged = rows_of(type(self), merged_rows(self._table()), merged=True)
            object.__setattr__(self, "_merged", merged)
        return merged

    def with_times(self, times: ArrayLike) -> Self:
        """Let rows stand for other numbers of items."""
        numbers = whole_numbers(times, "times", len(self.times))
        triples = Triples(
            self.row_numbers,
            self.annotator_codes.astype(np.int64),
            self.label_codes.astype(np.int64),
        )
        return rows_of(
            type(self),
            tabulated(
                triples,
                annotators=self.annotators,
                labels=self.labels,
                items=None,
                times=numbers,
                anonymous=self.anonymous,
            ),
        )

    def with_label_codes(self, codes: ArrayLike) -> Self:
        """Put other labels in the same places, such as the same ones shuffled."""
        given = whole_numbers(codes, "label codes", len(self.label_codes))
        if len(given) and int(given.max()) >= len(self.labels):
            msg = f"label codes are positions in {len(self.labels)} labels; got {given.max()}"
            raise DataError(msg)
        table = self._table()._replace(label_codes=given.astype(np.int32))
        return rows_of(type(self), table)

    def matrix(self) -> Codes:
        """Give the whole table, one row a row and one column an annotator."""
        cells = np.full((len(self.times), self.n_annotators), -1, dtype=np.int32)
        cells[self.row_numbers, self.annotator_codes] = self.label_codes
        return cells

    def __len__(self) -> int:
        return self.n_items

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RatedRows):
            return NotImplemented
        return self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        told = (
            counted(self.n_annotators, "annotator"),
            counted(self.n_items, "item"),
            counted(self.n_ratings, "rating"),
            counted(len(self._labels), "label"),
        )
        return f"Ratings({', '.join(told)})"

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[type[Self], Tabulated, bool]]:
        # By way of rows_of, because arrays come out of a pickle writeable.
        return rows_of, (type(self), self._table(), self._is_merged)

    def _table(self) -> Tabulated:
        return Tabulated(*(getattr(self, _SLOTS.get(name, name)) for name in Tabulated._fields))


def labels_of(ratings: RatedRows) -> Sequence[Label]:
    """Give the labels without making objects of millions of numbers."""
    return ratings._labels  # noqa: SLF001 (one of our own)


def rows_of(kind: type[_Rows], table: Tabulated, merged: bool = False) -> _Rows:  # noqa: FBT001, FBT002 (as pickle calls it)
    """Make the value of a finished table, whose columns become read-only."""
    ratings = object.__new__(kind)
    for name, value in zip(Tabulated._fields, table, strict=True):
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        object.__setattr__(ratings, _SLOTS.get(name, name), value)
    for name, known in (("_is_merged", merged), ("_merged", None), ("_digest", None)):
        object.__setattr__(ratings, name, known)
    return ratings


class Ratings(RatedRows):
    """Which label each annotator gave each item; a value that never changes.

    Build it with `from_frame` (one row a rating), `from_matrix` (one row an annotator),
    `from_counts` (how many gave which label), `from_columns` or `unisono.read_ratings`. What is
    missing (`None`, NaN, an empty text) is no rating and no label. An item that nobody rated is
    no item. Two tables are equal when the same annotators rated equally many items alike; the
    order of rows and the names of items do not matter.

    Attributes
    ----------
    annotators
        Who rated, sorted by name; also those who were named and rated nothing.
    labels
        The labels in use, in their order: numbers, strings, sets.
    items
        The names of the rows; `None` when only counts of equal items are known.
    offsets
        The ratings of row ``r`` are ``offsets[r]`` to ``offsets[r + 1]``; read-only int64.
    annotator_codes, label_codes
        Position of each rating's annotator and label in `annotators` and `labels`, in each row
        by annotator; read-only int32.
    times
        How many items look like each row; read-only int64.
    anonymous
        Whether it is unknown who gave which label, as in a table of counts; annotators are
        then seats only.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b", None], "bob": ["a", "a", "b"]})
    >>> ratings
    Ratings(2 annotators, 3 items, 5 ratings, 2 labels)
    >>> ratings.matrix()
    array([[ 0,  0],
           [ 1,  0],
           [-1,  1]], dtype=int32)
    """

    __slots__ = ()

    def __init__(self) -> None:
        msg = "build Ratings with Ratings.from_frame, from_matrix, from_counts or from_columns"
        raise TypeError(msg)

    def __setattr__(self, name: str, value: object) -> None:
        msg = f"ratings do not change; build others instead of setting {name}"
        raise FrozenInstanceError(msg)

    def __delattr__(self, name: str) -> None:
        msg = f"ratings do not change; {name} stays"
        raise FrozenInstanceError(msg)

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame,
        *,
        annotator: str = "annotator",
        item: str = "item",
        label: str = "label",
        annotators: Iterable[str] | None = None,
        duplicates: Duplicates = "raise",
        separator: str | None = None,
    ) -> Ratings:
        """Build ratings from a dataframe with one row a rating.

        Parameters
        ----------
        frame
            A frame of pandas, Polars, pyarrow or any other library that narwhals knows. One that
            is not in memory (Polars lazy, DuckDB, Dask, PySpark) is counted by its own engine:
            only the distinct rows come back, without the names of items.
        annotator, item, label
            Names of the columns. A column of lists makes labels that are sets.
        annotators
            Everyone who was to rate; by default those in the column.
        duplicates
            What to do when an annotator rated an item twice: ``"raise"``, or keep the
            ``"first"``.
        separator
            What splits a text into the members of a set, such as ``"|"``; by default a text is
            a label itself.

        Returns
        -------
        Ratings
            The same for every order of the rows.

        Raises
        ------
        DataError
            A column is missing, an annotator rated an item twice, or a name is missing.
        TypeError
            This is no dataframe, or a label is neither text, number nor set.

        Examples
        --------
        >>> import pandas as pd
        >>> import unisono as un
        >>> frame = pd.DataFrame(
        ...     {"who": ["ann", "bob", "ann"], "item": [1, 1, 2], "label": ["a|b", "b|a", "c"]}
        ... )
        >>> un.Ratings.from_frame(frame, annotator="who", separator="|")
        Ratings(2 annotators, 2 items, 3 ratings, 2 labels)
        """
        names = {"annotator": annotator, "item": item, "label": label}
        return ratings_of(
            from_rating_frame(
                frame, names, annotators=annotators, duplicates=duplicates, separator=separator
            )
        )

    @classmethod
    def from_columns(
        cls,
        annotator: Iterable[object],
        item: Iterable[object],
        label: Iterable[object],
        *,
        annotators: Iterable[str] | None = None,
        duplicates: Duplicates = "raise",
        separator: str | None = None,
    ) -> Ratings:
        """Build ratings from columns, one value a rating.

        Parameters
        ----------
        annotator, item, label
            Equally long lists or arrays.
        annotators, duplicates, separator
            As in `from_frame`.

        Returns
        -------
        Ratings
            The same for every order of the rows.

        Raises
        ------
        DataError
            The columns differ in length, or as in `from_frame`.

        Examples
        --------
        >>> import unisono as un
        >>> un.Ratings.from_columns(["ann", "bob"], ["s1", "s1"], [3, 4])
        Ratings(2 annotators, 1 item, 2 ratings, 2 labels)
        """
        return ratings_of(
            from_rating_columns(
                annotator,
                item,
                label,
                annotators=annotators,
                duplicates=duplicates,
                separator=separator,
            )
        )

    @classmethod
    def from_matrix(
        cls,
        rows: Mapping[str, Sequence[object]] | Sequence[Sequence[object]] | NDArray[np.generic],
        *,
        annotators: Iterable[str] | None = None,
        items: Iterable[Hashable] | None = None,
    ) -> Ratings:
        """Build ratings from one row an annotator and one column an item.

        Parameters
        ----------
        rows
            A row of labels for each annotator, `None` or NaN where one is missing: lists, a
            numpy array, or a mapping from annotator to row.
        annotators, items
            Names of the rows and of the columns; by default they are numbered from 1.

        Returns
        -------
        Ratings
            The ratings.

        Raises
        ------
        DataError
            Rows are not equally long, or there are not as many names as rows or columns.

        Examples
        --------
        >>> import numpy as np
        >>> import unisono as un
        >>> un.Ratings.from_matrix(np.array([[1, 2, np.nan], [1, 3, 3]]))
        Ratings(2 annotators, 3 items, 5 ratings, 3 labels)
        """
        return ratings_of(from_wide(rows, annotators, items))

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike,
        *,
        labels: Iterable[Label] | None = None,
        times: ArrayLike | None = None,
    ) -> Ratings:
        """Build ratings from how many annotators gave each item each label.

        Who they were is not known: coefficients that need to know (Cohen's κ, say) are undefined
        on such ratings.

        Parameters
        ----------
        counts
            One row an item, one column a label: whole numbers, as Fleiss (1971) prints them.
        labels
            What the columns mean; by default 1, 2, …
        times
            How many items look like each row; by default one.

        Returns
        -------
        Ratings
            The ratings, anonymous.

        Raises
        ------
        DataError
            A count is negative or no whole number, or there is not one label a column.

        Examples
        --------
        >>> import unisono as un
        >>> un.Ratings.from_counts([[3, 0], [1, 2]], labels=("yes", "no"))
        Ratings(3 annotators, 2 items, 6 ratings, 2 labels)
        """
        return ratings_of(from_counts_table(counts, labels, times))

    def only(
        self,
        *,
        annotators: Iterable[str] | None = None,
        items: Iterable[Hashable] | None = None,
        labels: Iterable[Label] | None = None,
    ) -> Ratings:
        """Keep some annotators, items or labels.

        Parameters
        ----------
        annotators
            Whom to keep.
        items
            Which items to keep.
        labels
            Which labels to keep; ratings with another one become missing. Annotators whose
            ratings all go stay as annotators without ratings.

        Returns
        -------
        Ratings
            The smaller table.

        Raises
        ------
        DataError
            There is no such annotator, item or label, or it is not known who rated.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "a"], "eve": [1, 2]})
        >>> ratings.only(annotators=("ann", "bob"), items=(1,))
        Ratings(2 annotators, 1 item, 2 ratings, 1 label)
        """
        return ratings_of(chosen(self, annotators, items, labels))

    def rename(
        self,
        *,
        annotators: Mapping[str, str] | None = None,
        labels: Mapping[Label, Label | None] | None = None,
    ) -> Ratings:
        """Call annotators or labels otherwise; whoever is not named keeps the name.

        Parameters
        ----------
        annotators
            Old name to new name; two annotators cannot become one.
        labels
            Old label to new label; several may become one, and `None` makes a label missing.

        Returns
        -------
        Ratings
            The renamed table.

        Raises
        ------
        DataError
            There is no such annotator or label, or two annotators would share a name.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "?"]})
        >>> ratings.rename(labels={"?": None}).labels
        ('a', 'b')
        """
        return ratings_of(
            renamed_ratings(
                self,
                {} if annotators is None else annotators,
                {} if labels is None else labels,
            )
        )


def ratings_of(table: Tabulated) -> Ratings:
    """Make the ratings of a finished table."""
    return rows_of(Ratings, table)
