"""Columns of the dataframes that narwhals supports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    import narwhals as nw
    from narwhals.typing import IntoFrame


@dataclass(frozen=True, slots=True)
class FrameKind:
    """Kind of dataframe: noun for a row, alternative to from_frame, and optional columns."""

    row: str
    alternative: str
    optional: tuple[str, ...] = ()


_LONG = {"annotator", "item", "label"}
UNITS = FrameKind("unit", "For tuples use from_units", ("label",))


def frame_columns(
    frame: IntoFrame, columns: Mapping[str, str | None]
) -> dict[str, Iterable[object] | None]:
    """Return columns of a dataframe by their role in a unit."""
    # narwhals takes longer to import than the rest of the package.
    import narwhals as nw  # noqa: PLC0415

    selected, names = select_columns(frame, columns, UNITS)
    collected = selected.collect() if isinstance(selected, nw.LazyFrame) else selected
    by_role: dict[str, Iterable[object] | None] = dict.fromkeys(columns)
    for role, name in names.items():
        series = collected[name]
        is_number = role in {"start", "end", "duration"}
        by_role[role] = _numbers(series, role) if is_number else series.to_list()
    return by_role


def column_names(data: object) -> list[str] | None:
    """Return the names of the columns of a dataframe; `None` for anything else."""
    is_own = type(data).__module__.partition(".")[0] == "unisono"
    others = (str, bytes, Mapping, tuple, list, np.ndarray)
    if data is None or is_own or isinstance(data, others):
        return None
    import narwhals as nw  # noqa: PLC0415

    frame: Any = nw.from_native(data, pass_through=True)
    if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
        return None
    return [str(name) for name in frame.collect_schema().names()]


def matrix_columns(
    frame: object, annotators: Iterable[str] | None, items: object
) -> tuple[dict[str, list[object]], Iterable[Hashable] | None]:
    """Return the labels by annotator and the items of a dataframe with one row per item."""
    import narwhals as nw  # noqa: PLC0415

    table: Any = nw.from_native(frame)
    table = table.collect() if isinstance(table, nw.LazyFrame) else table
    columns = {str(name): table[name].to_list() for name in table.columns}
    if columns.keys() >= _LONG:
        msg = (
            "from_matrix takes a dataframe with one column per annotator; this one has the columns "
            "annotator, item and label. For a long table use from_frame"
        )
        raise TypeError(msg)
    names: Any = items
    if isinstance(items, str):
        names = _column(columns, items, "items")
        del columns[items]
    if annotators is not None:
        columns = {name: _column(columns, name, "annotators") for name in annotators}
    return columns, names


def _column(columns: Mapping[str, list[object]], name: str, setting: str) -> list[object]:
    if name not in columns:
        known = list(columns)
        msg = f"no column {name!r} for {setting}=; the columns are {_listed(known)}"
        raise DataError(msg + did_you_mean(name, known))
    return columns[name]


def select_columns(
    frame: IntoFrame, columns: Mapping[str, str | None], kind: FrameKind
) -> tuple[nw.DataFrame[Any] | nw.LazyFrame[Any], dict[str, str]]:
    """Select columns of a dataframe without collecting it; return it with the names by role."""
    import narwhals as nw  # noqa: PLC0415

    names = _distinct(columns, kind)
    try:
        table = nw.from_native(frame)
    except TypeError:
        msg = (
            "from_frame takes a dataframe (pandas, Polars, pyarrow and others); "
            f"got {type(frame).__name__}. {kind.alternative}"
        )
        raise TypeError(msg) from None
    except nw.exceptions.DuplicateError as error:
        msg = f"the column names of a dataframe must be unique; {' '.join(str(error).split())}"
        raise DataError(msg) from None
    _check_exist(names, table.collect_schema().names(), kind)
    return table.select(list(names.values())), names


def _distinct(columns: Mapping[str, str | None], kind: FrameKind) -> dict[str, str]:
    names: dict[str, str] = {}
    for role, name in columns.items():
        if name is None:
            if role not in kind.optional:
                msg = f"every {kind.row} needs a {role}; {role}= must name a column, not be None"
                raise TypeError(msg)
            continue
        same = next((other for other, used in names.items() if used == name), None)
        if same is not None:
            msg = f"{same}= and {role}= both name the column {name!r}; they must differ"
            raise DataError(msg)
        names[role] = name
    return names


def _check_exist(names: Mapping[str, str], available: Sequence[str], kind: FrameKind) -> None:
    for role, name in names.items():
        if name not in available:
            remedy = f"set {role}=…"
            if role in kind.optional:
                remedy += f", or {role}=None if {kind.row}s have no {role}s"
            msg = (
                f"no column {name!r} in the dataframe; the columns are {_listed(available)}; "
                f"{remedy}"
            )
            raise DataError(msg)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names)) if names else "none"


def _numbers(series: nw.Series[Any], role: str) -> Iterable[object]:
    import narwhals as nw  # noqa: PLC0415

    if series.dtype.is_decimal():
        return series.cast(nw.Float64()).to_numpy()
    if series.dtype.is_numeric():
        return series.to_numpy()
    if series.dtype == nw.Object() or len(series) == 0 or series.is_null().all():
        return series.to_list()
    msg = (
        f"{role} must be a column of numbers; {series.name!r} contains {series.dtype}. "
        "Convert it first, for example times to seconds"
    )
    raise TypeError(msg)
