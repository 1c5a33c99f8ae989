"""A part of a continuum, or the same under other names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.model.assembling import Finished, assembled, ordered
from unisono.model.columns import UnitColumns, merged
from unisono.model.labels import as_label, label_order
from unisono.model.naming import check_renames, known_labels, known_names, renamed_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label


def selected(
    continuum: Continuum,
    annotators: Iterable[str] | None,
    labels: Iterable[Label | None] | None,
) -> Finished:
    """Keep some annotators and some labels."""
    names, all_labels = continuum.annotators, continuum.labels
    kept = set(names) if annotators is None else known_names(annotators, names, "annotator")
    wanted = set(all_labels) if labels is None else known_labels(labels, all_labels)
    keeps_annotator = np.array([name in kept for name in names], dtype=bool)
    keeps_label = np.array([label in wanted for label in all_labels], dtype=bool)
    owners = np.repeat(np.arange(len(names)), continuum.counts)
    rows = keeps_annotator[owners] & keeps_label[continuum.label_codes]
    details = continuum.details
    if details is not None:
        details = details.taken(np.flatnonzero(rows), len(rows))
    return assembled(
        annotators=tuple(name for name in names if name in kept),
        counts=np.bincount(owners[rows], minlength=len(names))[keeps_annotator],
        starts=continuum.starts[rows],
        ends=continuum.ends[rows],
        label_codes=continuum.label_codes[rows],
        labels=all_labels,
        extent=continuum.extent,
        annotators_from=continuum.annotators_from,
        details=details,
        text=continuum.text,
    )


def renamed(
    continuum: Continuum,
    annotators: Mapping[str, str],
    labels: Mapping[Label | None, Label | None],
) -> Finished:
    """Call some annotators and some labels otherwise."""
    called = renamed_names(continuum.annotators, annotators, "annotator")
    check_renames(labels, "label")
    known_labels(labels, continuum.labels)
    new_label = {as_label(old): as_label(new) for old, new in labels.items()}
    owners = np.repeat(np.arange(len(called)), continuum.counts)
    names, owners = merged(owners, called, str)
    relabelled = [new_label.get(label, label) for label in continuum.labels]
    codes = continuum.label_codes.astype(np.int64)
    all_labels, codes = merged(codes, relabelled, label_order)
    starts, ends = continuum.starts, continuum.ends
    label_codes, details = codes.astype(np.int32), continuum.details
    columns = UnitColumns(names, owners, starts, ends, all_labels, label_codes, details)
    return ordered(columns, names, continuum.extent, continuum.annotators_from, continuum.text)
