"""Ratings in a Parquet file, counted by whichever engine is installed."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from unisono.errors import ReadError, SettingError, setting
from unisono.formats.rating_headings import named_places
from unisono.model.naming import listed
from unisono.model.pushing import from_rating_frame
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import narwhals as nw

    from unisono.formats.rating_headings import RatingsAsked
    from unisono.model.collating import Duplicates
    from unisono.model.ratings import Ratings

SUFFIXES = (".parquet", ".pq")
# The first that is there: it needs no more memory than it is given.
_ENGINES: tuple[Literal["duckdb", "polars", "pyarrow"], ...] = ("duckdb", "polars", "pyarrow")
_MARK = b"PAR1"


def parquet_ratings(
    path: Path,
    asked: RatingsAsked,
    *,
    annotators: Sequence[str] | None,
    duplicates: Duplicates,
    separator: str | None,
) -> Ratings:
    """Read a long table of ratings from a Parquet file.

    Parameters
    ----------
    path
        The file.
    asked
        What the caller says of the columns.
    annotators
        Everyone who was to rate.
    duplicates, separator
        As in `Ratings.from_frame`.

    Raises
    ------
    ReadError
        This is no Parquet file, nothing can read it, or a column cannot be found.
    SettingError
        The caller says what a Parquet file cannot have.
    """
    if asked.is_wide or asked.header is not None:
        given = setting("header") if asked.header is not None else setting("wide", True)
        msg = f"a Parquet file is a long table whose columns have names; leave {given} out"
        raise SettingError(msg)
    check_mark(path)
    table = parquet_table(path)
    columns = table.collect_schema().names()
    places = named_places(columns, replace(asked, header=True, wide=False), path=path)
    names = {role: columns[place] for role, place in places.items()}
    found = from_rating_frame(
        table,  # type: ignore[arg-type]
        names,
        annotators=annotators,
        duplicates=duplicates,
        separator=separator,
    )
    return ratings_of(found)


def parquet_table(path: Path) -> nw.LazyFrame[Any]:
    """Open a Parquet file with the first engine that is there.

    Raises
    ------
    ReadError
        None is, or it cannot open the file.
    """
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    engine = next((engine for engine in _ENGINES if find_spec(engine)), None)
    if engine is None:
        problem = f"to read Parquet one of {listed(_ENGINES)} must be installed"
        raise ReadError(problem, path=path)
    try:
        return nw.scan_parquet(str(path), backend=engine)
    except Exception as error:  # noqa: BLE001 (every engine has errors of its own)
        problem = f"this Parquet file cannot be read: {' '.join(str(error).split())[:200]}"
        raise ReadError(problem, path=path) from None


def check_mark(path: Path) -> None:
    """Refuse a file that does not begin and end as Parquet does.

    Raises
    ------
    ReadError
        It does not.
    """
    try:
        with path.open("rb") as file:
            marks = {file.read(len(_MARK))}
            file.seek(-min(len(_MARK), path.stat().st_size), 2)
            marks.add(file.read())
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    if marks != {_MARK}:
        problem = "this is no Parquet file, or only a part of one"
        raise ReadError(problem, path=path)
