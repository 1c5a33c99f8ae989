"""Parquet files, opened with the first supported engine that is installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from unisono.errors import ReadError
from unisono.model.columns import listed

if TYPE_CHECKING:
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
