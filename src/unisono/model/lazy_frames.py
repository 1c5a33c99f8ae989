"""Frames as ratings; a table that is not in memory is counted by its own engine.

Such a table may hold more ratings than memory does. Its engine makes one row of each item, with
a column for each annotator, and then one row of all items that look alike, with their number:
only these come back.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unisono.errors import DataError, setting
from unisono.model.codes import Coded, coded_annotators, coded_labels, renumbered, without_decimals
from unisono.model.columns import counted, listed
from unisono.model.dataframes import FrameWords, opened
from unisono.model.labels import as_label, label_order
from unisono.model.rating_tables import (
    Triples,
    check_settings,
    declared,
    from_rating_columns,
    tabulated,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import narwhals as nw
    from narwhals.typing import IntoFrame
    from numpy.typing import NDArray

    from unisono.model.arrays import Integers
    from unisono.model.codes import Column
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Duplicates, Tabulated


_RATINGS = FrameWords("rating", "Columns of values go to from_columns, rows to from_matrix")
_ROLES = ("annotator", "item", "label")
# One column each: engines do not like hundreds.
_MOST_ANNOTATORS = 64
_BACKENDS: tuple[Literal["pyarrow", "polars", "pandas"], ...] = ("pyarrow", "polars", "pandas")


class _Wishes(NamedTuple):
    """What the caller of `from_frame` wishes."""

    annotators: Iterable[str] | None
    duplicates: Duplicates
    separator: str | None


def from_rating_frame(
    frame: IntoFrame,
    names: dict[str, str],
    *,
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    separator: str | None,
) -> Tabulated:
    """Tabulate a frame with one row a rating."""
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    check_settings(duplicates, separator)
    wishes = _Wishes(annotators, duplicates, separator)
    table, wanted = opened(frame, names, _RATINGS)
    if not isinstance(table, nw.LazyFrame):
        return _in_memory(table, wanted, wishes)
    return _Pushed(table, wanted, wishes).tabulated()


def _in_memory(table: nw.DataFrame[Any], wanted: dict[str, str], wishes: _Wishes) -> Tabulated:
    columns = [table[wanted[role]] for role in _ROLES]
    return from_rating_columns(*columns, **wishes._asdict())


class _Pushed:
    """A table that is not in memory, being counted by its engine."""

    def __init__(self, table: nw.LazyFrame[Any], wanted: dict[str, str], wishes: _Wishes) -> None:
        self.original = table
        self.wanted = wanted
        self.wishes = wishes
        schema = table.collect_schema()
        self.kinds = {role: schema[name] for role, name in wanted.items()}
        # Where a label is missing, Dask makes floats of integers, and large ones would change.
        self.spelt = self.kinds["label"].is_integer() and table.implementation.is_dask()

    def tabulated(self) -> Tabulated:
        """Count the table, or take it into memory where counting would not do."""
        if not self._can_compare():
            return self._collected()
        self.ratings = self._prepared()
        keys, people = self._people()
        if len(keys) > _MOST_ANNOTATORS:
            return self._collected()
        alike = collected(self._alike(keys))
        columns = [alike[_column(number)] for number in range(len(keys))]
        times = _integers(alike["times"])
        filled = sum((~_is_null(column) for column in columns), np.zeros(len(times), np.int64))
        # An item has more ratings than annotators only if one of them rated it twice.
        if not np.array_equal(_integers(alike["ratings"]), times * filled):
            return self._repeated()
        labels = [self._labels(column) for column in columns]
        return _joined(people, labels, times, self.wishes.annotators)

    def _can_compare(self) -> bool:
        """Say whether any engine can compare and sort what the columns hold."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        simple: tuple[type[nw.dtypes.DType], ...] = (nw.String, nw.Categorical, nw.Enum)
        if not self.original.implementation.is_dask():
            # Dask cannot make numbers of truth values of which some are missing.
            simple = (*simple, nw.Boolean)
        return all(kind.is_numeric() or isinstance(kind, simple) for kind in self.kinds.values())

    def _collected(self) -> Tabulated:
        return _in_memory(collected(self.original), self.wanted, self.wishes)

    def _prepared(self) -> nw.LazyFrame[Any]:
        """Call the columns by their roles, and make null all that means missing."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        columns = []
        for role in _ROLES:
            column, kind = nw.col(self.wanted[role]), self.kinds[role]
            if kind.is_float():
                column = nw.when(~column.is_nan()).then(column)
            elif isinstance(kind, nw.Boolean):
                column = column.cast(nw.Int8())
            elif not kind.is_numeric():
                column = column.cast(nw.String())
                column = nw.when(column.str.len_chars() > 0).then(column)
            elif role == "label" and self.spelt:
                column = column.cast(nw.String())
            columns.append(column.alias(role))
        return self.original.select(*columns)

    def _people(self) -> tuple[list[object], Coded[str]]:
        """Ask who rated; refuse ratings without annotator or item."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        people = collected(
            self.ratings.with_columns(nw.col("item").is_null().cast(nw.Int64()).alias("item"))
            .group_by("annotator")
            .agg(nw.len().alias("rows"), nw.col("item").sum().alias("nameless"))
        )
        unsigned = int(_integers(people["rows"])[_is_null(people["annotator"])].sum())
        nameless = int(_integers(people["nameless"]).sum())
        for what, number in (("annotator", unsigned), ("item", nameless)):
            if number:
                msg = f"every rating has an {what}; {counted(number, 'row')} without one"
                raise DataError(msg)
        keys = people["annotator"].to_list()
        return keys, coded_annotators([self._value(key, "annotator") for key in keys])

    def _alike(self, keys: Sequence[object]) -> nw.LazyFrame[Any]:
        """Make one row of each item, then one of all that look alike."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        names = [_column(number) for number in range(len(keys))]
        label, annotator = nw.col("label"), nw.col("annotator")
        of_each = [
            nw.when(annotator == key).then(label).alias(name)
            for name, key in zip(names, keys, strict=True)
        ]
        items = (
            self.ratings.filter(~label.is_null())
            .select("item", *of_each)
            .group_by("item")
            .agg(*(nw.col(name).max() for name in names), nw.len().alias("ratings"))
        )
        ratings = nw.col("ratings").cast(nw.Int64())
        if not names:
            return items.select(ratings, ratings.alias("times"))
        return (
            items.with_columns(ratings)
            .group_by(*names)
            .agg(nw.len().alias("times"), nw.col("ratings").sum())
        )

    def _labels(self, column: nw.Series[Any]) -> Coded[Label]:
        values: Column = column
        if self.spelt:
            values = [None if missing else int(text) for text, missing in _with_null(column)]
        elif self._is_truth("label"):
            values = [None if missing else bool(value) for value, missing in _with_null(column)]
        try:
            return coded_labels(values, self.wishes.separator)
        except (DataError, TypeError) as error:
            # The rows are not those of the caller's table.
            raise type(error)(str(error).partition(": ")[2]) from None

    def _repeated(self) -> Tabulated:
        """Keep the first where rows have an order, otherwise say who rated an item twice."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        keep_first = self.wishes.duplicates == "first"
        has_order = self.original.implementation.is_polars()
        if keep_first and has_order:
            return self._collected()
        label = nw.col("label")
        again = collected(
            self.ratings.filter(~label.is_null())
            .with_columns(label.alias("least"), label.alias("most"))
            .group_by("item", "annotator")
            .agg(nw.len().alias("n"), nw.col("least").min(), nw.col("most").max())
            .filter(nw.col("n") > 1)
            .sort("item", "annotator")
            .head(1)
        )
        told = {name: again[name].to_list()[0] for name in ("annotator", "item", "least", "most")}
        item, name = self._value(told["item"], "item"), self._value(told["annotator"], "annotator")
        said = {repr(self._value(told[place], "label")): None for place in ("least", "most")}
        msg = f"{str(name)!r} rated the item {item!r} twice, as {' and as '.join(said)}"
        if keep_first:
            msg += "; a table that is not in memory has no first row: take it into memory first"
        else:
            msg += (
                f"; keep one, or say {setting('duplicates', 'first')}"
                if has_order
                else "; keep one"
            )
        raise DataError(msg)

    def _value(self, raw: object, role: str) -> object:
        """Give a value as it stood in the table before it was prepared."""
        if self._is_truth(role):
            raw = bool(raw)
        elif role == "label" and self.spelt:
            raw = int(str(raw))
        return as_label(without_decimals(raw))

    def _is_truth(self, role: str) -> bool:
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        return isinstance(self.kinds[role], nw.Boolean)


def collected(table: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """Take a table into memory, by whichever library is there."""
    engine = table.implementation
    if engine.is_polars() or engine.is_dask() or engine.is_pyarrow() or engine.is_pandas_like():
        return table.collect()
    for backend in _BACKENDS:
        if find_spec(backend):
            return table.collect(backend=backend)
    msg = f"to take counts out of this table one of {listed(_BACKENDS)} must be installed"
    raise DataError(msg)


def _joined(
    people: Coded[str],
    columns: Sequence[Coded[Label]],
    times: Integers,
    annotators: Iterable[str] | None,
) -> Tabulated:
    """Tabulate the columns of all annotators."""
    values = dict.fromkeys(chain.from_iterable(column.values for column in columns))
    codes = np.arange(len(values), dtype=np.int64)
    labels: Coded[Label] = renumbered(codes, list(values), label_order)
    place = dict(zip(values, labels.codes.tolist(), strict=True))
    people = people if annotators is None else declared(people, annotators)
    rows, owners, given = [codes[:0]], [codes[:0]], [codes[:0]]
    for owner, column in zip(people.codes.tolist(), columns, strict=True):
        filled = np.flatnonzero(column.codes >= 0)
        places = np.array([place[value] for value in column.values], dtype=np.int64)
        rows.append(filled)
        owners.append(np.full(len(filled), owner, dtype=np.int64))
        given.append(places[column.codes[filled]])
    triples = Triples(*map(np.concatenate, (rows, owners, given)))
    return tabulated(
        triples, annotators=people.values, labels=labels.values, items=None, times=times
    )


def _column(number: int) -> str:
    return f"annotator {number}"


def _is_null(series: nw.Series[Any]) -> NDArray[np.bool_]:
    return np.asarray(series.is_null().to_numpy(), dtype=bool)


def _with_null(series: nw.Series[Any]) -> Iterator[tuple[Any, bool]]:
    return zip(series.to_list(), _is_null(series).tolist(), strict=True)


def _integers(series: nw.Series[Any]) -> Integers:
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    return np.asarray(series.cast(nw.Int64()).to_numpy(), dtype=np.int64)
