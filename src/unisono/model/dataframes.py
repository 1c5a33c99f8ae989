"""Any dataframe that narwhals understands, as plain columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unisono.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import narwhals as nw
    from narwhals.typing import IntoFrame


@dataclass(frozen=True, slots=True)
class FrameWords:
    """How messages call what a row of a frame is, and where rows of tuples would go."""

    row: str
    door: str
    optional: tuple[str, ...] = ()


UNITS = FrameWords("unit", "Rows of tuples go to from_units", ("label",))


def frame_columns(
    frame: IntoFrame, columns: Mapping[str, str | None]
) -> dict[str, Iterable[object] | None]:
    """Take columns out of a frame, by the role each plays in a unit."""
    # Here, not above: narwhals takes longer to import than all the rest of the package.
    import narwhals as nw  # noqa: PLC0415

    chosen, wanted = opened(frame, columns, UNITS)
    collected = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    taken: dict[str, Iterable[object] | None] = dict.fromkeys(columns)
    for role, name in wanted.items():
        series = collected[name]
        taken[role] = _numbers(series, role) if role in {"start", "end"} else series.to_list()
    return taken


def opened(
    frame: IntoFrame, columns: Mapping[str, str | None], words: FrameWords
) -> tuple[nw.DataFrame[Any] | nw.LazyFrame[Any], dict[str, str]]:
    """Give the columns of a frame that are asked for, not yet collected, and which is which."""
    import narwhals as nw  # noqa: PLC0415

    wanted = _distinct(columns, words)
    try:
        table = nw.from_native(frame)
    except TypeError:
        msg = (
            "from_frame takes a dataframe (pandas, Polars, pyarrow and others); "
            f"got {type(frame).__name__}. {words.door}"
        )
        raise TypeError(msg) from None
    except nw.exceptions.DuplicateError as error:
        msg = f"the columns of a frame must differ in name; {' '.join(str(error).split())}"
        raise DataError(msg) from None
    _check_there(wanted, table.collect_schema().names(), words)
    return table.select(list(wanted.values())), wanted


def _distinct(columns: Mapping[str, str | None], words: FrameWords) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for role, name in columns.items():
        if name is None:
            if role not in words.optional:
                msg = f"every {words.row} has a {role}; {role}= names its column and is not None"
                raise TypeError(msg)
            continue
        twice = next((other for other, used in wanted.items() if used == name), None)
        if twice is not None:
            msg = f"{twice}= and {role}= both name the column {name!r}; each needs its own"
            raise DataError(msg)
        wanted[role] = name
    return wanted


def _check_there(wanted: Mapping[str, str], seen: Sequence[str], words: FrameWords) -> None:
    for role, name in wanted.items():
        if name not in seen:
            cure = f"name the right one with {role}=…"
            if role in words.optional:
                cure += f", or {role}=None when {words.row}s have no {role}s"
            msg = f"no column {name!r} in the frame; its columns are {_listed(seen)}: {cure}"
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
        f"{role} is a column of numbers; {series.name!r} holds {series.dtype}. "
        "Convert it first, times for example to seconds"
    )
    raise TypeError(msg)
