"""Parquet: a table of units read by whichever engine is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, ReadError
from unisono.formats.gathering import Block
from unisono.formats.headings import layout_of
from unisono.formats.parquet_opening import check_mark, parquet_table
from unisono.formats.tables import asked_in, document_of
from unisono.model.columns import UnitColumns, as_name
from unisono.model.dataframes import frame_columns

if TYPE_CHECKING:
    from pathlib import Path

    import narwhals as nw

    from unisono.formats.contents import ReadOptions
    from unisono.formats.gathering import Gathered
    from unisono.formats.sources import Source


# A row that says anything takes a byte or so; far more rows than that are there to fill memory.
_FREE_ROWS, _ROWS_A_BYTE = 1_000_000, 100


def read_parquet(source: Source, options: ReadOptions, gathered: Gathered) -> None:
    """Read a table of units; columns are found as those of text tables are."""
    path = source.path
    if source.member is not None:
        problem = "Parquet is not read from a pipe; save it to a file first"
        raise ReadError(problem, path=path)
    check_mark(path)
    table = parquet_table(path)
    try:
        _check_rows(table, path)
        names = table.collect_schema().names()
        layout = layout_of(names, asked_in(names, source, options), path=path, line=1)
        wanted: dict[str, str | None] = {"label": None}
        wanted.update({role: names[place] for role, place in layout.places.items()})
        columns = frame_columns(table.to_native(), wanted)
    except ReadError:
        raise
    except (DataError, TypeError) as error:
        raise ReadError(str(error), path=path) from None
    except Exception as error:  # noqa: BLE001 (every engine has errors of its own)
        problem = f"this Parquet file cannot be read: {' '.join(str(error).split())[:200]}"
        raise ReadError(problem, path=path) from None
    in_documents, layers = columns.pop("document", None), columns.pop("layer", None)
    try:
        if "annotator" not in columns:
            columns["annotator"] = [source.owner()] * len(list(columns["start"]))  # type: ignore[arg-type]
        units = UnitColumns.checked(**columns)  # type: ignore[arg-type]
        documents = None
        if in_documents is not None:
            documents = [as_name(value, "a document") for value in in_documents]
    except (DataError, TypeError) as error:
        raise ReadError(str(error), path=path) from None
    if documents is None:
        code = gathered.code_of_file(document_of(source, layout), path)
        document_codes = np.full(len(units.starts), code, dtype=np.int64)
    else:
        document_codes = gathered.documents.codes(documents)
    people = gathered.annotators.codes(units.annotators)
    labels = gathered.labels.codes([(label,) for label in units.labels])
    block = Block(
        document_codes,
        people[units.annotator_codes],
        units.starts,
        units.ends,
        labels[units.label_codes],
        None if layers is None else ["" if each is None else str(each) for each in layers],
    )
    gathered.add_block(block, options.layer)


def _check_rows(table: nw.LazyFrame[Any], path: Path) -> None:
    """Refuse a file whose rows would be far larger in memory than they are packed."""
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    rows = int(table.select(nw.len()).collect().item())
    most = _FREE_ROWS + _ROWS_A_BYTE * path.stat().st_size
    if rows > most:
        problem = f"{rows:,} rows in so small a file; at most {most:,} are read of one of its size"
        raise ReadError(problem, path=path)
