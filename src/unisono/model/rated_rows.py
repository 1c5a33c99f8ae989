"""The columns of a table of ratings, and what can be read off them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from unisono.errors import DataError
from unisono.model.naming import counted
from unisono.model.patterns import digest_of, merged_rows
from unisono.model.rating_tables import Tabulated, Triples, tabulated
from unisono.model.wide_tables import whole_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import Self

    from numpy.typing import ArrayLike

    from unisono.model.arrays import Codes, Integers
    from unisono.model.labels import Label


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
        """Make rows that are equal one row, whose `times` counts them all.

        Returns
        -------
        Ratings
            An equal table without names of items, with its rows in an order that does not
            depend on the order in which ratings came.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b", "a"], "bob": ["a", "b", "a"]})
        >>> ratings.merged().times
        array([2, 1])
        """
        if self._is_merged:
            return self
        merged = self._merged
        if merged is None:
            merged = rows_of(type(self), merged_rows(self._table()), merged=True)
            object.__setattr__(self, "_merged", merged)
        return merged

    def with_times(self, times: ArrayLike) -> Self:
        """Let rows stand for other numbers of items.

        Parameters
        ----------
        times
            One whole number a row; a row that stands for no item goes.

        Returns
        -------
        Ratings
            The table, without names of items.

        Raises
        ------
        DataError
            A number is negative or not whole, or there is not one a row.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "a"]})
        >>> ratings.with_times([30, 10])
        Ratings(2 annotators, 40 items, 80 ratings, 2 labels)
        """
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
        """Put other labels in the same places, such as the same ones shuffled.

        Parameters
        ----------
        codes
            One position in `labels` a rating.

        Returns
        -------
        Ratings
            The table with the same rows, annotators and `labels`, in use or not.

        Raises
        ------
        DataError
            There is not one position a rating, or one that is no position in `labels`.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "a"]})
        >>> ratings.with_label_codes([0, 1, 1, 0]).matrix()
        array([[0, 1],
               [1, 0]], dtype=int32)
        """
        given = whole_numbers(codes, "label codes", len(self.label_codes))
        if len(given) and int(given.max()) >= len(self.labels):
            msg = f"label codes are positions in {len(self.labels)} labels; got {given.max()}"
            raise DataError(msg)
        table = self._table()._replace(label_codes=given.astype(np.int32))
        return rows_of(type(self), table)

    def matrix(self) -> Codes:
        """Give the whole table, one row a row and one column an annotator.

        Returns
        -------
        NDArray
            Positions in `labels` as int32, −1 where a rating is missing. It needs room for
            every cell: with very many annotators use the columns instead.

        Examples
        --------
        >>> import unisono as un
        >>> un.Ratings.from_matrix({"ann": [5, 7], "bob": [7, None]}).matrix()
        array([[ 0,  1],
               [ 1, -1]], dtype=int32)
        """
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
