"""Many documents in one call of the kernel, which then works without Python.

Here is what the kernel leaves to numpy, so that every number is made in one way whoever asks for
it: sums of columns, the spacing of shifts, and the word that names the dice of a document.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono._core import measure_documents
from unisono.measures.dice import name_bytes, words_of
from unisono.measures.gamma.aligning import EFFORT_DRAW, EFFORT_OBSERVED, MOST_ANNOTATORS
from unisono.measures.gamma.chance import SHIFT_STREAM, has_no_room, shift_spacing
from unisono.measures.gamma.evidence import ChunkFindings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.gamma_packing import PackedDocuments, Scoring
    from unisono.model.arrays import Booleans, Floats, Integers

__all__ = ["can_be_at_once", "measured_at_once"]


def can_be_at_once(scoring: Scoring, documents: PackedDocuments) -> Booleans:
    """Say which documents the kernel measures without asking, and without objecting."""
    places = documents.annotators_of
    if scoring.fitted.cost is not None or not scoring.rules.by_shifting:
        return np.zeros(len(places), np.bool_)
    extents = documents.extents[:, 1] - documents.extents[:, 0]
    return (places <= MOST_ANNOTATORS) & ~has_no_room(extents, places, scoring.rules)


def measured_at_once(
    scoring: Scoring,
    documents: PackedDocuments,
    names: Sequence[str],
    aligns: Booleans,
    first: Integers,
    draws: Integers,
) -> ChunkFindings:
    """Align documents and make draws of them.

    Parameters
    ----------
    scoring
        How.
    documents
        Each one such that `can_be_at_once`.
    names
        Of the documents; they take part in the dice.
    aligns
        Which of them to align as they were annotated.
    first, draws
        Which draws to make of each.

    Raises
    ------
    ValueError
        If the kernel refuses a document.
    """
    fitted, rules, seed, search, _ = scoring
    units_of = documents.units_of
    labels = _labels_of(documents.label_codes, units_of, len(fitted.labels))
    drawn = _drawn_from(documents, names, units_of, labels)
    low, high = np.ascontiguousarray(documents.extents.T)
    places = documents.annotators_of
    mean_lengths = drawn.lengths / drawn.units_of
    spacing, was_lowered = shift_spacing(high - low, places, mean_lengths, rules)
    found = measure_documents(
        documents.starts,
        documents.ends,
        labels.own,
        documents.counts,
        documents.is_drawn_from,
        places,
        labels.labels_of,
        labels.codes,
        low,
        high,
        spacing,
        drawn.streams,
        aligns,
        first,
        draws,
        words_of(seed),
        fitted.distances,
        **fitted.weights,
        confidence_factor=rules.confidence_factor(fitted),
        effort=EFFORT_OBSERVED,
        effort_of_draws=EFFORT_DRAW,
        **search.for_kernel,
        stream_of_shifts=SHIFT_STREAM,
        whole_shifts=rules.whole_shifts,
    )
    sums = _sums(found["disorders"], np.maximum(found["groups_of"], 0))
    proven = found["proven"].astype(np.bool_)
    scores = found["draws"]
    mean_units = rules.mean_units_of(scores["unit_count"], np.repeat(places, draws))
    return ChunkFindings(
        groups_of=found["groups_of"],
        units_of=units_of,
        annotators_of=places,
        labels_of=labels.labels_of,
        draws_of=draws,
        lower_bound=np.where(proven | ~(found["lower_bound"] < sums), sums, found["lower_bound"]),
        proven=proven,
        label_disorder=found["label_disorder"],
        label_weight=found["label_weight"],
        redrawn=found["redrawn"],
        spacing=spacing,
        spacing_was_lowered=was_lowered,
        groups=found["groups"],
        disorders=found["disorders"],
        label_codes=labels.codes,
        label_disorder_of=found["label_disorder_of"],
        label_weight_of=found["label_weight_of"],
        draw_disorders=scores["disorder_sum"] / mean_units * fitted.empty,
        draw_bounds=scores["lower_bound"] / mean_units * fitted.empty,
        draw_proven=scores["proven"].astype(np.bool_),
        draw_label_disorder=scores["label_disorder"] * fitted.empty,
        draw_label_weight=scores["label_weight"],
        draw_label_disorder_of=scores["label_disorder_of"] * fitted.empty,
        draw_label_weight_of=scores["label_weight_of"],
        failures=ChunkFindings.no_failures(len(places)),
    )


class _Labels(NamedTuple):
    """The labels of documents."""

    own: NDArray[np.int32]
    """For each unit, the code of its label among those of its document."""
    labels_of: Integers
    codes: NDArray[np.int32]
    """Of the labels of each document among all, ascending."""


class _Drawn(NamedTuple):
    """What chance draws from, for each document."""

    units_of: Integers
    lengths: Floats
    """The sum over the units."""
    streams: NDArray[np.uint32]
    """The word that names the dice."""


def _labels_of(codes: NDArray[np.int32], units_of: Integers, n_labels: int) -> _Labels:
    document = np.repeat(np.arange(len(units_of)), units_of)
    # One whole number for the document and the label, so that one sorting serves all documents.
    used, own = np.unique(document * n_labels + codes, return_inverse=True)
    owner, label_codes = np.divmod(used, n_labels)
    labels_of = np.bincount(owner, minlength=len(units_of))
    first = np.cumsum(labels_of) - labels_of
    return _Labels(
        (own - first[document]).astype(np.int32), labels_of, label_codes.astype(np.int32)
    )


def _drawn_from(
    documents: PackedDocuments, names: Sequence[str], units_of: Integers, labels: _Labels
) -> _Drawn:
    lengths = documents.ends - documents.starts
    counts, annotators_of, codes = documents.counts, documents.annotators_of, labels.own
    drawn = documents.is_drawn_from
    if not drawn.all():
        of_units = np.repeat(drawn, counts)
        lengths = lengths[of_units]
        annotators_of = _counted(drawn, annotators_of)
        units_of = _counted(of_units, units_of)
        counts = counts[drawn]
        n_labels = int(codes.max(initial=0)) + 1
        codes = _labels_of(codes[of_units], units_of, n_labels).own
    streams = _streams(counts, annotators_of, codes, units_of, names)
    return _Drawn(units_of, _sums(lengths, units_of), streams)


def _counted(chosen: Booleans, sizes: Integers) -> Integers:
    """Count what is chosen of each document."""
    ends = np.cumsum(sizes)
    so_far = np.concatenate(([0], np.cumsum(chosen)))
    return np.asarray(so_far[ends] - so_far[ends - sizes], np.int64)


def _sums(column: Floats, sizes: Integers) -> Floats:
    """Sum a column document by document, to the last bit as numpy sums one document."""
    ends = np.cumsum(sizes)
    # No loop of numpy's own over parts of a column adds up in the same order.
    bounds = zip((ends - sizes).tolist(), ends.tolist(), strict=True)
    return np.array([np.add.reduce(column[low:high]) for low, high in bounds], np.float64)


def _streams(
    counts: Integers,
    annotators_of: Integers,
    codes: NDArray[np.int32],
    units_of: Integers,
    names: Sequence[str],
) -> NDArray[np.uint32]:
    """Return the `fingerprint` of each document: its numbers of units, label codes and name."""
    told = [_as_bytes(counts), _as_bytes(codes)]
    ends = [(8 * np.cumsum(sizes)).tolist() for sizes in (annotators_of, units_of)]
    streams = bytearray()
    of_counts = of_codes = 0
    for name, end_of_counts, end_of_codes in zip(names, *ends, strict=True):
        digest = hashlib.sha256(told[0][of_counts:end_of_counts])
        digest.update(told[1][of_codes:end_of_codes])
        digest.update(name_bytes(name))
        streams += digest.digest()[:4]
        of_counts, of_codes = end_of_counts, end_of_codes
    return np.frombuffer(streams, "<u4").astype(np.uint32)


def _as_bytes(numbers: NDArray[np.integer[Any]]) -> memoryview:
    return memoryview(numbers.astype("<i8").tobytes())
