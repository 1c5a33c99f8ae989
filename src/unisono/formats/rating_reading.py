"""`read_ratings`: ratings from a table, from JSON, or from the export of a tool."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from unisono.errors import SettingError, setting
from unisono.formats.delimiting import check_delimiter
from unisono.formats.rating_parquet import SUFFIXES, parquet_ratings
from unisono.formats.rating_records import FORMATS, record_ratings
from unisono.formats.rating_records import SUFFIXES as JSON_SUFFIXES
from unisono.formats.rating_tables import table_ratings
from unisono.formats.roles import RatingsAsked
from unisono.model.collating import check_settings
from unisono.model.naming import listed

if TYPE_CHECKING:
    from unisono.model.collating import Duplicates
    from unisono.model.ratings import Ratings

__all__ = ["read_ratings"]


def read_ratings(
    path: str | os.PathLike[str],
    *,
    format: Literal["auto", "table", "labelstudio", "prodigy", "jsonl", "doccano"] = "auto",  # noqa: A002 (the word users know)
    annotator: str | int | None = None,
    item: str | int | None = None,
    label: str | int | None = None,
    layer: str | None = None,
    annotators: Iterable[str | int] | None = None,
    wide: bool | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    separator: str | None = None,
    missing: str | Iterable[str] = (),
    duplicates: Duplicates = "raise",
) -> Ratings:
    r"""Read ratings from a table (CSV, Parquet), from JSON Lines, or from a tool's export.

    A long table has one row a rating, with the columns annotator, item and label, which are
    found by their usual names (coder, rater; subject, question; category, score; and more) or
    by the names given here. A wide one has one row an item and a column for each annotator.

    Parameters
    ----------
    path
        The file: columns separated by commas, semicolons, tabs or bars; or a long table as
        Parquet (``.parquet``), which DuckDB, Polars or pyarrow then counts without taking it
        all into memory; or JSON Lines with one rating an object; or what was answered of whole
        texts in an export of Label Studio, Prodigy or doccano. Of JSON it may be a folder too,
        with a file for each annotator.
    format
        What the file is, where its suffix and first bytes do not tell.
    annotator, item, label
        Which column of a long table plays this role: its name, or its number from 1; in JSON the
        name of a key. A wide table may have a column of items; otherwise items are numbered
        from 1. ``annotator="file"`` when each file of a folder is an annotator's.
    layer
        Which question was answered, where the export of a tool has several.
    annotators
        Of a wide table, the columns that are annotators, by name or by number from 1. With
        ``wide=False`` everyone who was to rate.
    wide
        Whether the table is wide. By default it is if `annotators` are given. ``True`` without
        them: every column is an annotator, but that of the items.
    header
        Whether the first row holds names. By default it does if a column is chosen by name or
        bears a usual name, or of a wide table if its cells are never labels while labels come
        again and again; it does not if a cell is a number. Where that does not tell, you are
        asked.
    delimiter
        What separates columns; by default it is guessed, and a tab in TSV.
    separator
        What splits a cell into the members of a set, such as ``"|"``; a cell with nothing but the
        separator is the empty set. By default a cell is one label.
    missing
        Texts that mean that a label is missing, such as ``"NA"``; an empty cell always does.
    duplicates
        What to do when an annotator rated an item twice: ``"raise"``, or keep the ``"first"``.

    Returns
    -------
    Ratings
        The ratings.

    Raises
    ------
    ReadError
        The file cannot be read as told; the message has file and line.
    SettingError
        A setting is unknown or makes no sense.

    Notes
    -----
    Labels are numbers if every one of them is written as a number, otherwise strings. Spaces
    around a cell do not count. A label that looks as if it meant none, such as ``NA``, is a label
    with a warning, unless it is among those given as `missing`.

    Examples
    --------
    A table as Komen (2009) has it, the annotators in the columns 2 and 3:

    >>> import tempfile
    >>> from pathlib import Path
    >>> import unisono as un
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "antecedents.txt")
    ...     _ = path.write_text("np1;0;0\nnp2;13;13\nnp3;23;0\n")
    ...     ratings = un.read_ratings(path, annotators=(2, 3), item=1)
    >>> ratings
    Ratings(2 annotators, 3 items, 6 ratings, 3 labels)
    >>> ratings.labels
    (0, 13, 23)
    """
    check_settings(duplicates, separator)
    check_delimiter(delimiter)
    if not isinstance(path, str | os.PathLike):
        msg = f"read_ratings takes the path of one file; got {path!r}"
        raise TypeError(msg)
    file = Path(path)
    chosen = None if annotators is None else _several("annotators", annotators)
    if _is_json(file, format):
        declared = None if chosen is None else [str(name) for name in chosen]
        if delimiter is not None:
            msg = f"JSON has no columns to separate; leave {setting('delimiter')} out"
            raise SettingError(msg)
        return record_ratings(
            file,
            RatingsAsked(annotator, item, label, None, wide, header),
            format_=format,
            layer=layer,
            annotators=declared,
            duplicates=duplicates,
            separator=separator,
            missing=_missing(missing),
        )
    if layer is not None:
        msg = f"a table of ratings has one label a rating; leave {setting('layer', layer)} out"
        raise SettingError(msg)
    asked = RatingsAsked(annotator, item, label, chosen, wide, header)
    if file.suffix.lower() in SUFFIXES:
        _refuse_text_settings(delimiter, missing)
        declared = None if chosen is None else [str(name) for name in chosen]
        return parquet_ratings(
            file, asked, annotators=declared, duplicates=duplicates, separator=separator
        )
    return table_ratings(
        file,
        asked,
        delimiter=delimiter,
        separator=separator,
        missing=_missing(missing),
        duplicates=duplicates,
    )


def _is_json(path: Path, format_: str) -> bool:
    if format_ not in ("auto", "table", *FORMATS):
        msg = f"unknown format {format_!r}; choose one of {listed(('auto', 'table', *FORMATS))}"
        raise SettingError(msg)
    if format_ == "auto":
        return path.suffix.lower() in JSON_SUFFIXES or path.is_dir()
    return format_ != "table"


def _refuse_text_settings(delimiter: object, missing: object) -> None:
    for name, value in (("delimiter", delimiter), ("missing", missing)):
        if value:
            msg = f"a Parquet file knows its columns and what is missing; leave {setting(name)} out"
            raise SettingError(msg)


def _several(what: str, values: object) -> tuple[str | int, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        msg = f"{what}= is several columns, such as (2, 3) or ('ann', 'bob'); got {values!r}"
        raise TypeError(msg)
    return tuple(values)


def _missing(missing: object) -> frozenset[str]:
    texts = [missing] if isinstance(missing, str) else missing
    if not isinstance(texts, Iterable) or not all(isinstance(text, str) for text in texts):
        msg = f"missing= is the texts that mean a missing label, such as ('NA', '?'); got {texts!r}"
        raise TypeError(msg)
    return frozenset(text.strip() for text in texts) | {""}
