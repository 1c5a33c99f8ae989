"""Ratings in a Parquet file, counted by whichever engine is installed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unisono.errors import SettingError, setting
from unisono.formats.parquet_opening import check_mark, parquet_table
from unisono.formats.roles import named_places
from unisono.model.lazy_frames import from_rating_frame
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from unisono.formats.roles import RatingsAsked
    from unisono.model.collating import Duplicates
    from unisono.model.ratings import Ratings


SUFFIXES = (".parquet", ".pq")


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
