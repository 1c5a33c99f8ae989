"""Corpora as JSON Lines, which hold everything a corpus has."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from unisono.errors import DataError
from unisono.model.labels import label_order

if TYPE_CHECKING:
    from pathlib import Path

    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label
    from unisono.model.unit import Unit


def write_jsonl(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return a file with a line for each document, then one for each unit."""
    lines = []
    for name in (*corpus, *corpus.annotators):
        if name != name.strip():
            msg = f"spaces around a name are not read back; {name!r} would be another"
            raise DataError(msg)
    for name, continuum in corpus.items():
        about: dict[str, Any] = {
            "document": name,
            "annotators": list(continuum.annotators),
            "extent": [plain(bound) for bound in continuum.extent],
        }
        if continuum.text is not None:
            about["text"] = continuum.text
        lines.append(about)
    lines += [_record(name, unit) for name, continuum in corpus.items() for unit in continuum]
    return {path: "".join(f"{_dumped(line)}\n" for line in lines)}


def plain(number: float) -> float | int:
    """Give a number as JSON writes it best: whole ones as such."""
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def plain_label(label: Label | None) -> object:
    """Give a label as JSON can say it: a set is a list."""
    return sorted(label, key=label_order) if isinstance(label, frozenset) else label


def _record(document: str, unit: Unit) -> dict[str, Any]:
    record: dict[str, Any] = {
        "document": document,
        "annotator": unit.annotator,
        "start": plain(unit.start),
        "end": plain(unit.end),
        "label": plain_label(unit.label),
    }
    attributes = dict(unit.attributes)
    if "layer" in attributes:
        record["layer"] = attributes.pop("layer")
    if unit.fragments:
        record["fragments"] = [[plain(low), plain(high)] for low, high in unit.fragments]
    if attributes:
        record["attributes"] = attributes
    return record


def _dumped(record: dict[str, Any]) -> str:
    # What no UTF-8 can say, half of a character, is escaped.
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, default=str)
    return text if text.isascii() or _is_text(text) else json.dumps(record, default=str)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
