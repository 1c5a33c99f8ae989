"""What annotators said of predefined items: annotator × item → label, missing allowed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING

from unisono.model.choosing import chosen, renamed_ratings
from unisono.model.collating import from_rating_columns
from unisono.model.lazy_frames import from_rating_frame
from unisono.model.rated_rows import RatedRows, rows_of
from unisono.model.wide_tables import from_counts_table, from_wide

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    import numpy as np
    from narwhals.typing import IntoFrame
    from numpy.typing import ArrayLike, NDArray

    from unisono.model.collating import Duplicates
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Tabulated

__all__ = ["Ratings", "ratings_of"]


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
