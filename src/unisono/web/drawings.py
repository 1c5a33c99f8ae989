"""Drawings: documents as columns of numbers, compact enough for thousands of units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.model.labels import label_text
from unisono.results.record import plain_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.reference.slot_errors import SlotMatching
    from unisono.model.continuum import Continuum
    from unisono.web.task import Task

__all__ = ["alignment_drawing", "continuum_drawing", "matching_drawing", "write_drawings"]

_LONGEST_TEXT = 300


def continuum_drawing(name: str, continuum: Continuum) -> dict[str, Any]:
    """Return the units of a document as columns."""
    counts = np.diff(continuum.offsets)
    return {
        "name": name,
        "annotators": list(continuum.annotators),
        "extent": [float(bound) for bound in continuum.extent],
        "labels": [None if label is None else label_text(label) for label in continuum.labels],
        "units": {
            "annotator": np.repeat(np.arange(len(counts)), counts).tolist(),
            "start": continuum.starts.tolist(),
            "end": continuum.ends.tolist(),
            "label": continuum.label_codes.tolist(),
        },
        "texts": _texts(continuum),
        "groups": None,
        "worst": None,
        "disorder": None,
        "lower_bound": None,
        "gap": None,
        "proven": None,
        "slots": None,
        "consensus": None,
        "undecided": None,
    }


def alignment_drawing(name: str, alignment: Alignment) -> dict[str, Any]:
    """Return the units of a document and the groups of its alignment."""
    places = [[None if row < 0 else row for row in group] for group in alignment.indices.tolist()]
    disorders = [plain_number(value) for value in alignment.group_disorders.tolist()]
    groups = [
        {"disorder": disorder, "units": units}
        for disorder, units in zip(disorders, places, strict=True)
    ]
    return continuum_drawing(name, alignment.continuum) | {
        "groups": groups,
        "worst": np.argsort(-alignment.group_disorders, kind="stable").tolist(),
        "disorder": plain_number(alignment.disorder),
        "lower_bound": plain_number(alignment.lower_bound),
        "gap": plain_number(alignment.gap),
        "proven": alignment.proven,
    }


def matching_drawing(name: str, matching: SlotMatching) -> dict[str, Any]:
    """Return the units of a reference and of a hypothesis, and how they are matched."""
    left, right = (
        continuum_drawing(name, side) for side in (matching.reference, matching.hypothesis)
    )
    n_left = len(matching.reference)
    labels = list(dict.fromkeys([*left["labels"], *right["labels"]]))
    place = {label: code for code, label in enumerate(labels)}
    codes = [
        place[side["labels"][code]] for side in (left, right) for code in side["units"]["label"]
    ]
    units = {part: left["units"][part] + right["units"][part] for part in ("start", "end")}
    slots = [
        {
            "kind": row[0],
            "reference": None if i < 0 else i,
            "hypothesis": None if j < 0 else n_left + j,
        }
        for row, (i, j) in zip(matching.rows(), matching.indices.tolist(), strict=True)
    ]
    return left | {
        "annotators": ["reference", "hypothesis"]
        if left["annotators"] == right["annotators"]
        else left["annotators"] + right["annotators"],
        "extent": [
            min(left["extent"][0], right["extent"][0]),
            max(left["extent"][1], right["extent"][1]),
        ],
        "labels": labels,
        "units": {
            "annotator": [0] * n_left + [1] * len(matching.hypothesis),
            **units,
            "label": codes,
        },
        "texts": None
        if left["texts"] is None and right["texts"] is None
        else (left["texts"] or [None] * n_left)
        + (right["texts"] or [None] * len(matching.hypothesis)),
        "slots": slots,
    }


def write_drawings(task: Task, drawings: Mapping[str, Mapping[str, Any]]) -> None:
    """Write one drawing per document, and a list of the documents."""
    listed = []
    for number, (name, drawing) in enumerate(drawings.items()):
        task.write_part(f"documents/{number}.json", {"number": number, **drawing})
        listed.append(
            {
                "number": number,
                "name": name,
                "n_units": len(drawing["units"]["start"]),
                "n_annotators": len(drawing["annotators"]),
                "n_groups": None if drawing["groups"] is None else len(drawing["groups"]),
            }
        )
    task.write_part("documents/list.json", {"documents": listed})


def _texts(continuum: Continuum) -> list[str | None] | None:
    text = continuum.text
    if text is None:
        return None
    found: list[str | None] = []
    for start, end in zip(continuum.starts.tolist(), continuum.ends.tolist(), strict=True):
        within = 0 <= start <= end <= len(text) and start.is_integer() and end.is_integer()
        part = text[int(start) : int(end)] if within else None
        long = part is not None and len(part) > _LONGEST_TEXT
        found.append(part[: _LONGEST_TEXT - 1] + "…" if long and part is not None else part)
    return found
