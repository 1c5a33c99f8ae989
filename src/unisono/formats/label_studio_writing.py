"""Corpora as tasks of Label Studio with pre-annotations, one prediction for each annotator."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from unisono.formats.jsonl_writing import plain
from unisono.formats.losses import warn_of_losses
from unisono.model.labels import label_order, label_text

if TYPE_CHECKING:
    from pathlib import Path

    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label
    from unisono.model.unit import Unit


_KEEPS = frozenset({"annotators without units", "labels that look like numbers", "layers"})


def write_label_studio(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return one task a document; who annotated stands in the place of the model's version."""
    has_texts = all(each.text is not None for each in corpus.values())
    lost = {"extents of documents"} if has_texts else set()
    warn_of_losses(corpus, "Label Studio", _KEEPS.union(lost))
    tasks = [
        _task(name, continuum, number)
        for number, (name, continuum) in enumerate(corpus.items(), start=1)
    ]
    return {path: json.dumps(tasks, indent=1) + "\n"}


def _task(name: str, continuum: Continuum, number: int) -> dict[str, Any]:
    data = {"document": name}
    if continuum.text is not None:
        data["text"] = continuum.text
    predictions = []
    for place, annotator in enumerate(continuum.annotators):
        low, high = continuum.offsets[place : place + 2].tolist()
        result = [
            _region(unit, f"u{row}", continuum.text)
            for row, unit in enumerate(continuum.units[low:high], start=low)
        ]
        predictions.append({"model_version": annotator, "result": result})
    return {"id": number, "data": data, "predictions": predictions}


def _region(unit: Unit, name: str, text: str | None) -> dict[str, Any]:
    value: dict[str, Any] = {"start": plain(unit.start), "end": plain(unit.end)}
    if text is not None:
        value["text"] = text[int(unit.start) : int(unit.end)]
    value["labels"] = _texts(unit.label)
    return {
        "id": name,
        "from_name": str(unit.attributes.get("layer", "label")),
        "to_name": "text",
        "type": "labels",
        "value": value,
    }


def _texts(label: Label | None) -> list[str]:
    if isinstance(label, frozenset):
        return [label_text(each) for each in sorted(label, key=label_order)]
    return [] if label is None else [label_text(label)]
