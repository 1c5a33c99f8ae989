"""Who saw which document, when a table of its own says so."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from unisono.errors import ReadError, SettingError, setting
from unisono.formats.characters import text_of
from unisono.formats.delimiting import csv_reader, guessed_delimiter, quote_problem, row_text
from unisono.formats.headings import Asked, place_of
from unisono.model.corpus import seen_by
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.model.corpus import SeenBy


def assigned(annotators: object) -> SeenBy | Literal["auto"]:
    """Read the table of who saw what, if a path is given; check everything else."""
    if annotators == "auto":
        return "auto"
    if isinstance(annotators, Mapping) or annotators in ("units", "corpus"):
        return seen_by(annotators)
    if not isinstance(annotators, str | os.PathLike):
        msg = (
            "annotators= is 'units', 'corpus', a table (document to annotators) "
            f"or the path of one; got {annotators!r}"
        )
        raise TypeError(msg)
    path = Path(annotators)
    if not path.exists():
        if isinstance(annotators, str) and not path.suffix:
            msg = (
                f"unknown {setting('annotators', annotators)}; choose 'units', 'corpus', "
                "or give a table of who saw what, such as 'who.csv'"
            )
            raise SettingError(msg)
        problem = f"no such file; {setting('annotators')} is the path of a table of who saw what"
        raise ReadError(problem, path=path)
    return _table(path)


def _table(path: Path) -> dict[str, tuple[str, ...]]:
    text = text_of(path)
    delimiter = guessed_delimiter(text, ",;\t|", Asked({}))
    reader = csv_reader(text, delimiter)
    table: dict[str, tuple[str, ...]] = {}
    places: tuple[int, int] | None = None
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if places is None:
                places, is_header = _places(cells, path, reader.line_num)
                width = len(cells)
                if is_header:
                    continue
            if len(cells) != width or not all(cells[place] for place in places):
                shown = row_text(row, delimiter)
                problem = f"expected a document and an annotator; the row is {shown!r}"
                raise ReadError(problem, path=path, line=reader.line_num)
            document, annotator = (cells[place] for place in places)
            table[document] = (*table.get(document, ()), annotator)
    except csv.Error as error:
        raise ReadError(quote_problem(error), path=path, line=reader.line_num) from None
    if not table:
        problem = "a header but no rows; expected a document and an annotator in each"
        raise ReadError(problem, path=path)
    return table


def _places(cells: Sequence[str], path: Path, line: int) -> tuple[tuple[int, int], bool]:
    document, annotator = place_of("document", cells), place_of("annotator", cells)
    if document is not None and annotator is not None:
        return (document, annotator), True
    if len(cells) == 2 and document is None and annotator is None:
        return (0, 1), False
    problem = f"expected the columns document and annotator; got {listed(cells)}"
    raise ReadError(problem, path=path, line=line)
