"""The labels of items by annotator: `Ratings`, its constructors and selections."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from unisono.errors import DataError
from unisono.model.codes import (
    Coded,
    as_item,
    is_several,
    renumbered,
)
from unisono.model.columns import (
    check_renames,
    counted,
    known_labels,
    known_names,
    listed,
    renamed_names,
)
from unisono.model.dataframes import column_names, matrix_columns
from unisono.model.discretize import discretized
from unisono.model.labels import as_label, label_order
from unisono.model.lazy_frames import from_rating_frame
from unisono.model.partitions import partition_rows
from unisono.model.rating_tables import (
    Tabulated,
    Triples,
    digest_of,
    from_counts_table,
    from_rating_columns,
    from_wide,
    merged_rows,
    numbered_names,
    tabulated,
    with_anonymous_annotators,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Literal, Self

    from narwhals.typing import IntoFrame
    from numpy.typing import ArrayLike, NDArray

    from unisono.model.arrays import Codes, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.model.interpretation import Interpretation
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap
    from unisono.model.rating_tables import Duplicates

__all__ = ["Ratings", "labels_of", "ratings_of"]


def selected_ratings(
    ratings: RatedRows,
    annotators: Iterable[str] | None,
    items: Iterable[Hashable] | None,
    labels: Iterable[Label] | None,
) -> Tabulated:
    """Select annotators, items and labels."""
    names = ratings.annotators
    rows, codes = ratings.row_numbers, ratings.annotator_codes.astype(np.int64)
    keep = np.ones(len(codes), dtype=bool)
    if annotators is not None:
        _require_annotators(ratings)
        kept = known_names(annotators, names, "annotator")
        is_kept = np.array([name in kept for name in names], dtype=bool)
        keep &= is_kept[codes]
        codes = (np.cumsum(is_kept) - 1)[codes]
        names = tuple(name for name in names if name in kept)
    if items is not None:
        keep &= _rows_of(ratings, items)[rows]
    if labels is not None:
        kept_labels = known_labels(labels, ratings.labels)
        keep &= np.array([label in kept_labels for label in ratings.labels], dtype=bool)[
            ratings.label_codes
        ]
    triples = Triples(rows[keep], codes[keep], ratings.label_codes[keep].astype(np.int64))
    return _tabulated_like(ratings, triples, names, ratings.labels)


def renamed_ratings(
    ratings: RatedRows, annotators: Mapping[str, str], labels: Mapping[Label, Label | None]
) -> Tabulated:
    """Rename annotators and labels; `None` makes a label missing."""
    names: Sequence[str] = ratings.annotators
    codes = ratings.annotator_codes.astype(np.int64)
    check_renames(annotators, "annotator")
    if annotators:
        _require_annotators(ratings)
        new_names = renamed_names(names, annotators, "annotator")
        names, codes = renumbered(codes, new_names, str)
    check_renames(labels, "label")
    known_labels(labels, ratings.labels)
    new_label = {as_label(old): as_label(new) for old, new in labels.items()}
    relabelled = [new_label.get(label, label) for label in ratings.labels]
    label_codes = ratings.label_codes.astype(np.int64)
    coded: Coded[Label] = renumbered(label_codes, relabelled, label_order)
    keep = coded.codes >= 0
    triples = Triples(ratings.row_numbers[keep], codes[keep], coded.codes[keep])
    return _tabulated_like(ratings, triples, names, coded.values)


def _tabulated_like(
    ratings: RatedRows, triples: Triples, names: Sequence[str], labels: Sequence[Label]
) -> Tabulated:
    if ratings.anonymous:
        triples = with_anonymous_annotators(triples.rows, triples.labels)
        names = numbered_names(int(triples.annotators.max(initial=-1)) + 1)
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
            "these ratings contain only the counts of equal items, not their names; "
            "select items before they are counted"
        )
        raise DataError(msg)
    if isinstance(items, str) or not is_several(items):
        msg = f"items must be a sequence of items, such as ({items!r},); got {items!r}"
        raise TypeError(msg)
    place = {item: row for row, item in enumerate(ratings.items)}
    rows = np.zeros(len(place), dtype=bool)
    for item in items:
        row = place.get(as_item(item))
        if row is None:
            msg = f"no item {item!r}; the items are {listed(ratings.items)}"
            raise DataError(msg)
        rows[row] = True
    return rows


def _require_annotators(ratings: RatedRows) -> None:
    if ratings.anonymous:
        msg = "ratings from a table of counts are anonymous and have no annotators to select"
        raise DataError(msg)


_Rows = TypeVar("_Rows", bound="RatedRows")
# Columns of a table that are stored under another name.
_SLOTS = {"labels": "_labels", "items": "_items"}


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class RatedRows:
    """The columns of `Ratings`."""

    annotators: tuple[str, ...]
    _labels: Sequence[Label]
    _items: tuple[Hashable, ...] | range | Integers | None
    offsets: Integers
    annotator_codes: Codes
    label_codes: Codes
    times: Integers
    anonymous: bool
    interpretation: Interpretation | None
    _is_merged: bool
    # Computed on first access, because each needs a sort of all rows.
    _merged: Self | None
    _digest: str | None

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels in use, sorted: numbers, strings, sets."""
        labels = self._labels
        if isinstance(labels, tuple):
            return labels
        as_tuple = tuple(labels)
        object.__setattr__(self, "_labels", as_tuple)
        return as_tuple

    @property
    def items(self) -> tuple[Hashable, ...] | None:
        """The names of the rows; `None` if only counts of equal items are known."""
        items = self._items
        if items is None or isinstance(items, tuple):
            return items
        # Built on access, because a tuple of a million numbers takes time and memory.
        names = tuple(items if isinstance(items, range) else items.tolist())
        object.__setattr__(self, "_items", names)
        return names

    @property
    def n_items(self) -> int:
        """The number of items with at least one rating."""
        return int(self.times.sum())

    @property
    def n_annotators(self) -> int:
        """The number of annotators, including those without ratings."""
        return len(self.annotators)

    @property
    def n_ratings(self) -> int:
        """The number of ratings."""
        return int(self.times @ np.diff(self.offsets))

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal, independent of the order of rows."""
        digest = self._digest
        if digest is None:
            digest = digest_of(self.merged()._table())  # noqa: SLF001 (an instance of this class)
            object.__setattr__(self, "_digest", digest)
        return digest

    @property
    def row_numbers(self) -> Integers:
        """The row of each rating."""
        return np.repeat(np.arange(len(self.times)), np.diff(self.offsets))

    def merged(self) -> Self:
        """Merge equal rows into one, whose `times` is the number of items."""
        if self._is_merged:
            return self
        merged = self._merged
        if merged is None:
            rows = merged_rows(self._table())
            merged = rows_of(type(self), rows, self.interpretation, merged=True)
            object.__setattr__(self, "_merged", merged)
        return merged

    def matrix(self) -> Codes:
        """Return the label codes as a matrix, one column per annotator; −1 is missing."""
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
        parts = (
            counted(self.n_annotators, "annotator"),
            counted(self.n_items, "item"),
            counted(self.n_ratings, "rating"),
            counted(len(self._labels), "label"),
        )
        return f"Ratings({', '.join(parts)})"

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[object, ...]]:
        # Through rows_of, because unpickled arrays are writeable.
        return rows_of, (type(self), self._table(), self.interpretation, self._is_merged)

    def _table(self) -> Tabulated:
        return Tabulated(*(getattr(self, _SLOTS.get(name, name)) for name in Tabulated._fields))


def labels_of(ratings: RatedRows) -> Sequence[Label]:
    """Return the labels without creating a Python object per number."""
    return ratings._labels  # noqa: SLF001 (defined in this module)


def rows_of(
    kind: type[_Rows],
    table: Tabulated,
    interpretation: Interpretation | None = None,
    merged: bool = False,  # noqa: FBT001, FBT002 (as pickle calls it)
) -> _Rows:
    """Build ratings from a finished table, whose columns become read-only."""
    ratings = object.__new__(kind)
    for name, value in zip(Tabulated._fields, table, strict=True):
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        object.__setattr__(ratings, _SLOTS.get(name, name), value)
    object.__setattr__(ratings, "interpretation", interpretation)
    for name, known in (("_is_merged", merged), ("_merged", None), ("_digest", None)):
        object.__setattr__(ratings, name, known)
    return ratings


class Ratings(RatedRows):
    """The label of each item by each annotator; immutable.

    Build it with `from_frame` (one row per rating), `from_matrix` (one row per annotator),
    `from_counts` (number of ratings per label), `from_columns` or `unisono.read_ratings`. Missing
    values (`None`, NaN, the empty string) are not ratings, and items without ratings are dropped.
    Two tables are equal if the same annotators gave the same ratings to equally many items; the
    order of rows and the names of items do not matter.

    Attributes
    ----------
    annotators
        The annotators, sorted by name, including declared ones without ratings.
    labels
        The labels in use, sorted: numbers, strings, sets.
    items
        The names of the rows; `None` if only counts of equal items are known.
    offsets
        The ratings of row ``r`` are ``offsets[r]`` to ``offsets[r + 1]``; read-only int64.
    annotator_codes, label_codes
        Index of each rating's annotator and label in `annotators` and `labels`, sorted by
        annotator within a row; read-only int32.
    times
        The number of items that each row stands for; read-only int64.
    anonymous
        Whether the annotator of each rating is unknown, as in a table of counts; annotators are
        then numbered within each row.
    interpretation
        How the file was read, as for a `Corpus`; `None` if the ratings were not read from a file.

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
        msg = f"cannot set {name}: Ratings are immutable; build new ones"
        raise FrozenInstanceError(msg)

    def __delattr__(self, name: str) -> None:
        msg = f"cannot delete {name}: Ratings are immutable"
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
        """Build ratings from a dataframe with one row per rating.

        Parameters
        ----------
        frame
            A dataframe of pandas, Polars, pyarrow or any other library that narwhals supports. A
            lazy one (Polars, DuckDB, Dask, PySpark) is aggregated by its own engine: only the
            distinct rows are collected, without the names of items.
        annotator, item, label
            Names of the columns. Lists in the label column become labels that are sets.
        annotators
            All annotators, including those without ratings; by default those in the column.
        duplicates
            What to do if an annotator rated an item more than once: ``"raise"``, or keep the
            ``"first"``.
        separator
            The text between members of a set, such as ``"|"``; by default a string is one label.

        Returns
        -------
        Ratings
            Independent of the order of the rows.

        Raises
        ------
        DataError
            A column or a name is missing, or an annotator rated an item more than once.
        TypeError
            `frame` is not a dataframe, or a label is not a string, a number or a set.

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
        """Build ratings from columns, one value per rating.

        Parameters
        ----------
        annotator, item, label
            Equally long lists or arrays.
        annotators, duplicates, separator
            As in `from_frame`.

        Returns
        -------
        Ratings
            Independent of the order of the rows.

        Raises
        ------
        DataError
            The columns differ in length, a name is missing, or an annotator rated an item more
            than once.

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
        rows: Mapping[str, Sequence[object]]
        | Sequence[Sequence[object]]
        | NDArray[np.generic]
        | IntoFrame,
        *,
        annotators: Iterable[str] | None = None,
        items: Iterable[Hashable] | str | None = None,
    ) -> Ratings:
        """Build ratings from a matrix with one row per annotator and one column per item.

        Parameters
        ----------
        rows
            A row of labels for each annotator: lists, a NumPy array, or a mapping from annotator to
            row. `None`, NaN and the empty string are missing labels. Or a wide dataframe, which has
            one column per annotator and one row per item.
        annotators
            Names of the rows, or the columns of a dataframe to use; by default all, numbered from 1
            if they have no names.
        items
            Names of the columns, by default numbered from 1; for a dataframe also the name of the
            column with the items.

        Returns
        -------
        Ratings
            The ratings.

        Raises
        ------
        DataError
            Rows differ in length, or the number of names differs from that of rows or columns.

        Examples
        --------
        >>> import numpy as np
        >>> import unisono as un
        >>> un.Ratings.from_matrix(np.array([[1, 2, np.nan], [1, 3, 3]]))
        Ratings(2 annotators, 3 items, 5 ratings, 3 labels)

        A dataframe with one column per annotator:

        >>> import pandas as pd
        >>> frame = pd.DataFrame({"sentence": ["s1", "s2"], "ann": ["a", "b"], "bob": ["a", ""]})
        >>> un.Ratings.from_matrix(frame, items="sentence")
        Ratings(2 annotators, 2 items, 3 ratings, 2 labels)
        """
        if column_names(rows) is not None:
            rows, items = matrix_columns(rows, annotators, items)
            annotators = None
        return ratings_of(from_wide(rows, annotators, items))

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike,
        *,
        labels: Iterable[Label] | None = None,
        times: ArrayLike | None = None,
    ) -> Ratings:
        """Build ratings from the number of annotators per item and label.

        The annotators are unknown, so coefficients that need them, such as Cohen's κ, are undefined
        on such ratings.

        Parameters
        ----------
        counts
            One row per item, one column per label: whole numbers, as in Fleiss (1971).
        labels
            The labels of the columns; by default 1, 2, …
        times
            The number of items that each row stands for; by default one.

        Returns
        -------
        Ratings
            The ratings, anonymous.

        Raises
        ------
        DataError
            A count is negative or not whole, or there is not one label per column.

        Examples
        --------
        >>> import unisono as un
        >>> un.Ratings.from_counts([[3, 0], [1, 2]], labels=("yes", "no"))
        Ratings(3 annotators, 2 items, 6 ratings, 2 labels)
        """
        return ratings_of(from_counts_table(counts, labels, times))

    @classmethod
    def from_continuum(
        cls,
        data: Continuum | Corpus,
        *,
        atom: float | None = None,
        boundaries: ArrayLike | Mapping[str, ArrayLike] | None = None,
        blank: Label = "",
        overlap: Overlap = "raise",
    ) -> Ratings:
        """Discretise a continuum into atoms, for any coefficient on items, such as κ_d.

        An atom is an item. Its rating by an annotator is the label that covers most of it, or
        `blank` if most of it is a gap.

        Parameters
        ----------
        data
            A document or a corpus; the items are the atoms of all documents.
        atom
            The length of an atom, such as 1 for a character or a second; by default 1. The first
            atom starts at the start of the extent; the last may be shorter.
        boundaries
            The boundaries between atoms instead, such as the starts of words, with the start of the
            first atom and the end of the last; for a corpus a mapping from document to boundaries.
        blank
            The label of gaps; by default the empty string. Units without a label get the label
            "unit".
        overlap
            The treatment of overlapping units of one annotator: ``"raise"``, ``"merge"`` or
            ``"split"``, as in `unitizing_alpha`.

        Returns
        -------
        Ratings
            One row per run of atoms with equal ratings, with their number in `times`; items have no
            names.

        Raises
        ------
        DataError
            If units of one annotator overlap, a unit lies outside the boundaries, or `blank` is the
            label of a unit.
        SettingError
            If the length of an atom is not positive, or boundaries are not increasing.

        Notes
        -----
        If labels cover equal parts of an atom, the one whose unit starts first is taken, and a unit
        before a gap. The time grows with the number of units, not of atoms.

        References
        ----------
        .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
           gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
           41(3), 437–479; κ_d is the discretised κ of section 6.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units(
        ...     [
        ...         ("ann", 0, 40, "NP"),
        ...         ("ann", 60, 90, "VP"),
        ...         ("bob", 0, 30, "NP"),
        ...         ("bob", 60, 90, "VP"),
        ...     ]
        ... )
        >>> atoms = un.Ratings.from_continuum(text)
        >>> atoms
        Ratings(2 annotators, 90 items, 180 ratings, 3 labels)
        >>> atoms.times
        array([30, 10, 20, 30])
        >>> f"{un.cohen_kappa(atoms):.3f}"
        '0.833'
        >>> un.Ratings.from_continuum(text, boundaries=[0, 25, 45, 60, 90]).matrix()
        array([[1, 1],
               [1, 0],
               [0, 0],
               [2, 2]], dtype=int32)
        """
        return ratings_of(
            discretized(data, atom=atom, boundaries=boundaries, blank=blank, overlap=overlap)
        )

    @classmethod
    def from_partitions(
        cls,
        partitions: Mapping[str, Iterable[Iterable[object]]],
        *,
        drop_self: bool = False,
        alone: Literal["missing", "singleton"] = "missing",
        items: Iterable[object] | None = None,
    ) -> Ratings:
        """Build ratings from partitions of the items by annotator, as in coreference or pyramids.

        The label of an item is the set of all items in its class; a distance of sets (MASI,
        Jaccard) then measures the disagreement of two annotators on the item.

        Parameters
        ----------
        partitions
            For each annotator the classes: sets of items, which are strings or numbers. An item in
            several classes, as in pyramids, gets their union.
        drop_self
            Whether to remove the item itself from its set.
        alone
            The label of an item in no class: none (``"missing"``), or a class that contains only
            this item (``"singleton"``).
        items
            All items; by default those in at least one class.

        Returns
        -------
        Ratings
            One row per item; labels are frozensets.

        Raises
        ------
        DataError
            A class is empty, or contains an item that is not among `items`.
        SettingError
            `alone` is unknown.
        TypeError
            A class is not a set, or an item is neither a string nor a number.

        Notes
        -----
        According to the text of Passonneau (2006) [1]_, the item is removed from both sets before
        they are compared. Her figures do not follow this: the mean MASI of Figure 2 is 10/27 with
        the item kept (as printed) and 1/3 with the item removed. Therefore `drop_self` is False by
        default. Two other results of that paper cannot be reproduced: the set {x} of z in Figure 2
        does not follow from a partition, and the sets of Figure 3 give 7/27, where 6/27 is printed.

        With `drop_self` every item has a different set, so a class of m items needs memory for m²
        members; without it the items share one set.

        References
        ----------
        .. [1] Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic
           and pragmatic annotation. LREC 2006.

        Examples
        --------
        The two annotators of Figure 3:

        >>> import unisono as un
        >>> ratings = un.Ratings.from_partitions(
        ...     {"A3": [{"x", "y"}, {"z"}], "A4": [{"x"}, {"y", "z"}]}
        ... )
        >>> ratings
        Ratings(2 annotators, 3 items, 6 ratings, 4 labels)
        >>> sorted(ratings.labels[ratings.matrix()[0, 0]])
        ['x', 'y']
        """
        return ratings_of(partition_rows(partitions, drop_self=drop_self, alone=alone, items=items))

    def only(
        self,
        *,
        annotators: Iterable[str] | None = None,
        items: Iterable[Hashable] | None = None,
        labels: Iterable[Label] | None = None,
    ) -> Ratings:
        """Select annotators, items or labels.

        Parameters
        ----------
        annotators
            Annotators to keep.
        items
            Items to keep.
        labels
            Labels to keep; ratings with other labels become missing. Annotators who lose all
            their ratings are kept as annotators without ratings.

        Returns
        -------
        Ratings
            The selected part.

        Raises
        ------
        DataError
            An annotator, an item or a label does not exist, or the ratings are anonymous and
            annotators are selected.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "a"], "eve": [1, 2]})
        >>> ratings.only(annotators=("ann", "bob"), items=(1,))
        Ratings(2 annotators, 1 item, 2 ratings, 1 label)
        """
        return ratings_of(selected_ratings(self, annotators, items, labels), self.interpretation)

    def rename(
        self,
        *,
        annotators: Mapping[str, str] | None = None,
        labels: Mapping[Label, Label | None] | None = None,
    ) -> Ratings:
        """Rename annotators or labels; names not mentioned are kept.

        Parameters
        ----------
        annotators
            Old name to new name; annotators cannot be merged.
        labels
            Old label to new label; labels can be merged, and `None` makes a label missing.

        Returns
        -------
        Ratings
            The renamed table.

        Raises
        ------
        DataError
            An annotator or a label does not exist, or two annotators would share a name.

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
            ),
            self.interpretation,
        )

    def with_interpretation(self, interpretation: Interpretation | None) -> Ratings:
        """Return these ratings with another record of how they were read.

        Parameters
        ----------
        interpretation
            The record.

        Returns
        -------
        Ratings
            The same ratings.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.read_ratings("examples/politeness.csv")
        >>> ratings.with_interpretation(None) == ratings
        True
        """
        return ratings_of(self._table(), interpretation)


def ratings_of(table: Tabulated, interpretation: Interpretation | None = None) -> Ratings:
    """Build ratings from a finished table."""
    return rows_of(Ratings, table, interpretation)
