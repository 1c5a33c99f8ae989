"""What a corpus knows of all its documents, found by looking at each of them once."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from unisono.model.labels import label_bytes, label_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.model.assembling import AnnotatorsFrom
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label

__all__ = ["summary_of"]


class Summary(NamedTuple):
    """Fields of a corpus."""

    annotators: tuple[str, ...]
    labels: tuple[Label | None, ...]
    n_units: int
    annotators_from: AnnotatorsFrom | Literal["mixed"]
    digest: str
    label_counts: tuple[int, ...]
    """How many units have each of the labels."""


def summary_of(continua: Mapping[str, Continuum]) -> Summary:
    """Look at continua, which stand in the order of their names, one after the other."""
    known_from: set[AnnotatorsFrom] = set()
    annotators: set[str] = set()
    counts: Counter[Label | None] = Counter()
    content = hashlib.sha256(b"unisono corpus 1\n")
    for name, continuum in continua.items():
        known_from.add(continuum.annotators_from)
        annotators.update(continuum.annotators)
        units = np.bincount(continuum.label_codes, minlength=len(continuum.labels)).tolist()
        counts.update(dict(zip(continuum.labels, units, strict=True)))
        content.update(label_bytes(name) + continuum.digest.encode())
    known_from = known_from or {"units"}
    labels = tuple(sorted(counts, key=label_order))
    return Summary(
        tuple(sorted(annotators)),
        labels,
        counts.total(),
        known_from.pop() if len(known_from) == 1 else "mixed",
        content.hexdigest(),
        tuple(counts[label] for label in labels),
    )
