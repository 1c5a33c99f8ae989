"""Parquet files, opened with the first supported engine that is installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unisono.errors import ReadError
from unisono.formats.tables import FEWEST_VALUES, MOST_VALUES, Texts
from unisono.model.codes import MISSING, Codebook
from unisono.model.columns import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    import narwhals as nw


# In order of preference: DuckDB respects a memory limit.
_ENGINES: tuple[Literal["duckdb", "polars", "pyarrow"], ...] = ("duckdb", "polars", "pyarrow")
_MARK = b"PAR1"


def parquet_table(path: Path) -> nw.LazyFrame[Any]:
    """Open a Parquet file with the first engine that is installed."""
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    engine = next((engine for engine in _ENGINES if find_spec(engine)), None)
    if engine is None:
        problem = f"reading Parquet requires one of {listed(_ENGINES)}; install one"
        raise ReadError(problem, path=path)
    try:
        return nw.scan_parquet(str(path), backend=engine)
    except Exception as error:  # noqa: BLE001 (each engine raises errors of its own)
        problem = f"the Parquet file cannot be read: {' '.join(str(error).split())[:200]}"
        raise ReadError(problem, path=path) from None


def unused_texts(
    table: nw.LazyFrame[Any], names: Sequence[str], used: Collection[int]
) -> dict[int, Texts | None]:
    """Return the texts of the columns without a role; `None` for one with too many values."""
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    places = [place for place in range(len(names)) if place not in used]
    found: dict[int, Texts | None] = dict.fromkeys(places)
    for place in places:
        try:
            column = table.select(nw.col(names[place]).cast(nw.String)).collect()[names[place]]
            n_values = column.n_unique()
        except Exception:  # noqa: BLE001, S112 (lists and structures are no texts; see above)
            continue
        if n_values > min(max(len(column) // 2 + 1, FEWEST_VALUES), MOST_VALUES):
            continue
        book = Codebook()
        codes = book.codes(["" if each is None else each.strip() for each in column.to_list()])
        values = [str(value) for value in book.values]
        order = sorted(range(len(values)), key=values.__getitem__)
        order = [at for at in order if values[at]]
        ranks = np.full(len(values), MISSING, dtype=np.int32)
        ranks[order] = np.arange(len(order))
        found[place] = Texts([values[at] for at in order], ranks[codes])
    return found


def check_mark(path: Path) -> None:
    """Raise unless a file begins and ends with the Parquet magic bytes."""
    try:
        with path.open("rb") as file:
            marks = {file.read(len(_MARK))}
            file.seek(-min(len(_MARK), path.stat().st_size), 2)
            marks.add(file.read())
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    if marks != {_MARK}:
        problem = "not a Parquet file, or truncated: the magic bytes PAR1 are missing"
        raise ReadError(problem, path=path)
