"""Ratings from dataframes; a lazy table is aggregated by its own engine.

A lazy table may hold more ratings than fit in memory. Its engine pivots it to one row per item and
one column per annotator, then counts the distinct rows: only these counts are collected.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unisono.errors import DataError, setting
from unisono.model.codes import Coded, coded_labels, coded_names, renumbered, without_decimals
from unisono.model.columns import listed
from unisono.model.dataframes import FrameKind, select_columns
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


_RATINGS = FrameKind("rating", "For columns use from_columns, for rows from_matrix")
_ROLES = ("annotator", "item", "label")
# Each annotator becomes a column, and engines are slow with hundreds of them.
_MOST_ANNOTATORS = 64
_BACKENDS: tuple[Literal["pyarrow", "polars", "pandas"], ...] = ("pyarrow", "polars", "pandas")


class _FrameOptions(NamedTuple):
    """Options of `Ratings.from_frame`."""

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
    """Tabulate a dataframe with one row per rating."""
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    check_settings(duplicates, separator)
    options = _FrameOptions(annotators, duplicates, separator)
    table, columns = select_columns(frame, names, _RATINGS)
    if not isinstance(table, nw.LazyFrame):
        return _in_memory(table, columns, options)
    return _LazyCounter(table, columns, options).tabulated()


def _in_memory(
    table: nw.DataFrame[Any], names: dict[str, str], options: _FrameOptions
) -> Tabulated:
    columns = [table[names[role]] for role in _ROLES]
    return from_rating_columns(*columns, **options._asdict())


class _LazyCounter:
    """Counts of the distinct rows of a lazy table, computed by its engine."""

    def __init__(
        self, table: nw.LazyFrame[Any], names: dict[str, str], options: _FrameOptions
    ) -> None:
        self.original = table
        self.names = names
        self.options = options
        schema = table.collect_schema()
        self.kinds = {role: schema[name] for role, name in names.items()}
        # With missing labels, Dask converts integers to floats, which changes large ones.
        self.labels_as_text = self.kinds["label"].is_integer() and table.implementation.is_dask()

    def tabulated(self) -> Tabulated:
        """Count the distinct rows, or collect the table if its engine cannot count them."""
        if not self._can_compare():
            return self._collected()
        self.ratings = self._prepared()
        keys, annotators = self._annotators()
        if len(keys) > _MOST_ANNOTATORS:
            return self._collected()
        distinct = collect(self._distinct_rows(keys))
        columns = [distinct[_column(number)] for number in range(len(keys))]
        times = _integers(distinct["times"])
        filled = sum((~_is_null(column) for column in columns), np.zeros(len(times), np.int64))
        # An item has more ratings than annotators only if an annotator rated it twice.
        if not np.array_equal(_integers(distinct["ratings"]), times * filled):
            return self._with_repeats()
        labels = [self._labels(column) for column in columns]
        return _joined(annotators, labels, times, self.options.annotators)

    def _can_compare(self) -> bool:
        """Return whether every engine can compare and sort the values of the columns."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        simple: tuple[type[nw.dtypes.DType], ...] = (nw.String, nw.Categorical, nw.Enum)
        if not self.original.implementation.is_dask():
            # Dask cannot convert Booleans to numbers if some are missing.
            simple = (*simple, nw.Boolean)
        return all(kind.is_numeric() or isinstance(kind, simple) for kind in self.kinds.values())

    def _collected(self) -> Tabulated:
        return _in_memory(collect(self.original), self.names, self.options)

    def _prepared(self) -> nw.LazyFrame[Any]:
        """Return the table with columns named by role and all missing values as null."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        columns = []
        for role in _ROLES:
            column, kind = nw.col(self.names[role]), self.kinds[role]
            if kind.is_float():
                column = nw.when(~column.is_nan()).then(column)
            elif isinstance(kind, nw.Boolean):
                column = column.cast(nw.Int8())
            elif not kind.is_numeric():
                column = column.cast(nw.String())
                column = nw.when(column.str.len_chars() > 0).then(column)
            elif role == "label" and self.labels_as_text:
                column = column.cast(nw.String())
            columns.append(column.alias(role))
        return self.original.select(*columns)

    def _annotators(self) -> tuple[list[object], Coded[str]]:
        """Return the annotators; raise if a rating has no annotator or no item."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        rows = collect(
            self.ratings.with_columns(nw.col("item").is_null().cast(nw.Int64()).alias("item"))
            .group_by("annotator")
            .agg(nw.len().alias("rows"), nw.col("item").sum().alias("without_item"))
        )
        without_annotator = int(_integers(rows["rows"])[_is_null(rows["annotator"])].sum())
        without_item = int(_integers(rows["without_item"]).sum())
        for what, number in (("annotator", without_annotator), ("item", without_item)):
            if number:
                have = "row has" if number == 1 else "rows have"
                msg = f"every rating needs an {what}; {number:,} {have} none"
                raise DataError(msg)
        keys = rows["annotator"].to_list()
        return keys, coded_names([self._value(key, "annotator") for key in keys])

    def _distinct_rows(self, keys: Sequence[object]) -> nw.LazyFrame[Any]:
        """Pivot to one row per item, then group equal rows and count them."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        names = [_column(number) for number in range(len(keys))]
        label, annotator = nw.col("label"), nw.col("annotator")
        label_columns = [
            nw.when(annotator == key).then(label).alias(name)
            for name, key in zip(names, keys, strict=True)
        ]
        items = (
            self.ratings.filter(~label.is_null())
            .select("item", *label_columns)
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
        if self.labels_as_text:
            values = [None if missing else int(text) for text, missing in _with_null(column)]
        elif self._is_boolean("label"):
            values = [None if missing else bool(value) for value, missing in _with_null(column)]
        try:
            return coded_labels(values, self.options.separator)
        except (DataError, TypeError) as error:
            # Drop the row number, which is not a row of the caller's table.
            raise type(error)(str(error).partition(": ")[2]) from None

    def _with_repeats(self) -> Tabulated:
        """Keep the first of repeated ratings if that is possible and requested; otherwise raise."""
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        keep_first = self.options.duplicates == "first"
        has_order = self.original.implementation.is_polars()
        if keep_first and has_order:
            return self._collected()
        label = nw.col("label")
        repeats = collect(
            self.ratings.filter(~label.is_null())
            .with_columns(label.alias("least"), label.alias("most"))
            .group_by("item", "annotator")
            .agg(nw.len().alias("n"), nw.col("least").min(), nw.col("most").max())
            .filter(nw.col("n") > 1)
            .sort("item", "annotator")
            .head(1)
        )
        names = ("annotator", "item", "least", "most")
        first = {name: repeats[name].to_list()[0] for name in names}
        item = self._value(first["item"], "item")
        name = self._value(first["annotator"], "annotator")
        labels = {repr(self._value(first[column], "label")): None for column in ("least", "most")}
        msg = f"{str(name)!r} rated the item {item!r} twice, as {' and as '.join(labels)}"
        if keep_first:
            msg += "; the rows of a lazy table have no order: collect it first"
        else:
            msg += (
                f"; keep one, or use {setting('duplicates', 'first')}"
                if has_order
                else "; keep one"
            )
        raise DataError(msg)

    def _value(self, raw: object, role: str) -> object:
        """Return a value as it was in the original table."""
        if self._is_boolean(role):
            raw = bool(raw)
        elif role == "label" and self.labels_as_text:
            raw = int(str(raw))
        return as_label(without_decimals(raw))

    def _is_boolean(self, role: str) -> bool:
        import narwhals as nw  # noqa: PLC0415 (slow to import)

        return isinstance(self.kinds[role], nw.Boolean)


def collect(table: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """Collect a lazy table with an installed dataframe library."""
    engine = table.implementation
    if engine.is_polars() or engine.is_dask() or engine.is_pyarrow() or engine.is_pandas_like():
        return table.collect()
    for backend in _BACKENDS:
        if find_spec(backend):
            return table.collect(backend=backend)
    msg = f"collecting this table requires one of {listed(_BACKENDS)}; install one"
    raise DataError(msg)


def _joined(
    annotators: Coded[str],
    columns: Sequence[Coded[Label]],
    times: Integers,
    declared_names: Iterable[str] | None,
) -> Tabulated:
    """Tabulate the columns of all annotators."""
    values = dict.fromkeys(chain.from_iterable(column.values for column in columns))
    codes = np.arange(len(values), dtype=np.int64)
    labels: Coded[Label] = renumbered(codes, list(values), label_order)
    place = dict(zip(values, labels.codes.tolist(), strict=True))
    if declared_names is not None:
        annotators = declared(annotators, declared_names)
    rows, owners, label_codes = [codes[:0]], [codes[:0]], [codes[:0]]
    for owner, column in zip(annotators.codes.tolist(), columns, strict=True):
        filled = np.flatnonzero(column.codes >= 0)
        places = np.array([place[value] for value in column.values], dtype=np.int64)
        rows.append(filled)
        owners.append(np.full(len(filled), owner, dtype=np.int64))
        label_codes.append(places[column.codes[filled]])
    triples = Triples(*map(np.concatenate, (rows, owners, label_codes)))
    return tabulated(
        triples, annotators=annotators.values, labels=labels.values, items=None, times=times
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
