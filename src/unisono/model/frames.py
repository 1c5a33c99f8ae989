"""Any dataframe that narwhals understands, as plain columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unisono.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import narwhals as nw
    from narwhals.typing import IntoFrame


def frame_columns(
    frame: IntoFrame, columns: Mapping[str, str | None]
) -> dict[str, Iterable[object] | None]:
    """Take columns out of a frame, by the role each plays in a unit.

    Parameters
    ----------
    frame
        A pandas, Polars, pyarrow … frame; a lazy one is collected, these columns only.
    columns
        Role to name of the column; `None` where there is no such column.

    Raises
    ------
    TypeError
        This is no dataframe, or a column cannot hold what its role needs.
    DataError
        A column is missing, or is asked for twice.
    """
    # Here, not above: narwhals takes longer to import than all the rest of the package.
    import narwhals as nw  # noqa: PLC0415

    wanted = _distinct(columns)
    try:
        table = nw.from_native(frame)
    except TypeError:
        msg = (
            "from_frame takes a dataframe (pandas, Polars, pyarrow and others); "
            f"got {type(frame).__name__}. Rows of tuples go to from_units"
        )
        raise TypeError(msg) from None
    except nw.exceptions.DuplicateError as error:
        msg = f"the columns of a frame must differ in name; {' '.join(str(error).split())}"
        raise DataError(msg) from None
    _check_there(wanted, table.collect_schema().names())
    chosen = table.select(list(wanted.values()))
    collected = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    taken: dict[str, Iterable[object] | None] = dict.fromkeys(columns)
    for role, name in wanted.items():
        series = collected[name]
        taken[role] = _numbers(series, role) if role in {"start", "end"} else series.to_list()
    return taken


def _distinct(columns: Mapping[str, str | None]) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for role, name in columns.items():
        if name is None:
            if role != "label":
                msg = f"every unit has a {role}; {role}= is the name of its column, not None"
                raise TypeError(msg)
            continue
        twice = next((other for other, used in wanted.items() if used == name), None)
        if twice is not None:
            msg = f"{twice}= and {role}= both name the column {name!r}; each needs its own"
            raise DataError(msg)
        wanted[role] = name
    return wanted


def _check_there(wanted: Mapping[str, str], seen: Sequence[str]) -> None:
    for role, name in wanted.items():
        if name not in seen:
            cure = f"name the right one with {role}=…"
            if role == "label":
                cure += ", or label=None when units have no labels"
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
