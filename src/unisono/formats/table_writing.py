"""Corpora as CSV and TSV: one row a unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.errors import DataError
from unisono.formats.delimiting import LONGEST_CELL, csv_text
from unisono.formats.losses import warn_of_losses
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from pathlib import Path

    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label


_HEADINGS = ("document", "annotator", "start", "end", "label")
_KEEPS = frozenset({"layers", "labels that are numbers"})


def write_csv(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return a table with one row a unit, separated by commas."""
    return _table(corpus, path, ",")


def write_tsv(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return a table with one row a unit, separated by tabs."""
    return _table(corpus, path, "\t")


def _table(corpus: Corpus, path: Path, delimiter: str) -> dict[Path, str]:
    warn_of_losses(corpus, "a table", _KEEPS)
    units = [(name, unit) for name, continuum in corpus.items() for unit in continuum]
    has_layers = any("layer" in unit.attributes for _, unit in units)
    rows: list[list[str]] = [[*_HEADINGS, "layer"] if has_layers else [*_HEADINGS]]
    for name, unit in units:
        row = [name, unit.annotator, number_text(unit.start), number_text(unit.end)]
        row.append(_label_cell(unit.label))
        if has_layers:
            row.append(str(unit.attributes.get("layer", "")))
        for cell in row:
            if cell != cell.strip() or "\0" in cell:
                msg = f"spaces around a cell of a table do not count; {cell!r} would be another"
                raise DataError(msg)
            if len(cell) > LONGEST_CELL:
                msg = (
                    f"a cell of a table has at most {LONGEST_CELL:,} characters; this one has "
                    f"{len(cell):,}: {cell[:20]!r}…; use .jsonl"
                )
                raise DataError(msg)
        rows.append(row)
    return {path: csv_text(rows, delimiter)}


def number_text(number: float) -> str:
    """Write a number in full, whole ones without a point."""
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def _label_cell(label: Label | None) -> str:
    if isinstance(label, frozenset):
        msg = f"a table cannot hold labels that are sets, such as {label_text(label)}; use .jsonl"
        raise DataError(msg)
    return label_text(label)
