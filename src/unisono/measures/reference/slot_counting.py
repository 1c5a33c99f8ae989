"""Counting slot errors: the best matching of two sides, and what is wrong with each unit of it.

The costs are those of Mathet, Widlöcher & Métivier (2015) for the slot error rate: a half for a
wrong label or a wrong boundary, 1 for both, for an insertion and for a deletion.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.reference.one_to_one import best_matching
from unisono.measures.reference.slot_errors import SlotCounts, SlotErrorRate
from unisono.measures.reference.slot_matching import KINDS, SlotMatching
from unisono.results.signature import Signature
from unisono.version import __version__

if TYPE_CHECKING:
    from unisono.measures.reference.candidates import Candidates
    from unisono.measures.reference.matching import Documents, Sides
    from unisono.model.arrays import Integers
    from unisono.model.labels import Label

__all__ = ["CountedSlots", "counted_slots", "pair_rates", "slot_rate"]

_CORRECT, _TYPE, _BOUNDARY, _BOTH, _INSERTION, _DELETION = range(len(KINDS))
# What a pair spares: two units alone cost 2, or four halves.
_GAINS = np.array([4, 3, 3, 2])
NO_SLOTS = "the reference has no units, so there is nothing to divide by"


class CountedSlots(NamedTuple):
    """All slots of all meetings: pairs first, then units alone."""

    left: Integers
    """Rows of the reference side, −1 for an insertion."""
    right: Integers
    """Rows of the hypothesis side, −1 for a deletion."""
    kinds: Integers
    meetings: Integers
    labels: Integers
    """The label a slot counts with: that of the reference, or of an insertion its own."""
    other_labels: Integers
    """That of the hypothesis, where there is one; otherwise −1."""

    def by_meeting(self) -> CountedSlots:
        """Give the same slots, meeting after meeting."""
        order = np.argsort(self.meetings, kind="stable")
        return CountedSlots._make(column[order] for column in self)

    def turned(self) -> CountedSlots:
        """Give the same slots with the hypothesis as the reference."""
        kinds = self.kinds.copy()
        kinds[self.left < 0], kinds[self.right < 0] = _DELETION, _INSERTION
        paired = (self.left >= 0) & (self.right >= 0)
        return CountedSlots(
            self.right,
            self.left,
            kinds,
            self.meetings,
            np.where(paired, self.other_labels, self.labels),
            np.where(self.left < 0, -1, self.labels),
        )


def counted_slots(sides: Sides, candidates: Candidates) -> CountedSlots:
    """Match the units of both sides at the least cost, and say what is wrong with each slot."""
    reference, hypothesis = sides.reference, sides.hypothesis
    kinds = _TYPE * ~candidates.same_label + _BOUNDARY * ~candidates.near
    chosen = best_matching(reference, hypothesis, candidates, _GAINS[kinds])
    left, right = candidates.left[chosen], candidates.right[chosen]
    deleted = np.setdiff1d(np.arange(len(reference.starts)), left)
    inserted = np.setdiff1d(np.arange(len(hypothesis.starts)), right)
    return CountedSlots(
        np.concatenate((left, deleted, np.full(len(inserted), -1))),
        np.concatenate((right, np.full(len(deleted), -1), inserted)),
        np.concatenate(
            (
                kinds[chosen],
                np.full(len(deleted), _DELETION),
                np.full(len(inserted), _INSERTION),
            )
        ),
        np.concatenate(
            (reference.meetings[left], reference.meetings[deleted], hypothesis.meetings[inserted])
        ),
        np.concatenate(
            (reference.labels[left], reference.labels[deleted], hypothesis.labels[inserted])
        ),
        np.concatenate(
            (hypothesis.labels[right], np.full(len(deleted), -1), hypothesis.labels[inserted])
        ),
    )


def slot_rate(
    documents: Documents, sides: Sides, slots: CountedSlots, tolerance: float
) -> SlotErrorRate:
    """Make the result of counted slots: for one continuum, or pooled over documents."""
    order = np.argsort(slots.meetings, kind="stable")
    bounds = np.searchsorted(slots.meetings[order], np.arange(len(sides.meetings) + 1))
    rows_of: dict[str, list[Integers]] = {name: [] for name in documents.references}
    numbers_of: dict[str, list[int]] = {name: [] for name in documents.references}
    for number, meeting in enumerate(sides.meetings):
        rows_of[meeting.document].append(order[bounds[number] : bounds[number + 1]])
        numbers_of[meeting.document].append(number)
    settings = (("tolerance", f"{tolerance:.12g}"),)
    of_documents = {}
    for name, rows in rows_of.items():
        numbers = numbers_of[name]
        matching = _matching(sides, slots, numbers[0], rows[0]) if len(numbers) == 1 else None
        meeting = sides.meetings[numbers[0]]
        digests = documents.references[name].digest[:8], meeting.hypothesis.digest[:8]
        of_documents[name] = _rate(
            sides.labels,
            slots,
            np.concatenate(rows),
            matching=matching,
            signature=_signature(settings, digests),
        )
    if documents.one_continuum:
        return next(iter(of_documents.values()))
    return _rate(
        sides.labels,
        slots,
        np.arange(len(slots.kinds)),
        documents=of_documents,
        notes=documents.notes,
        signature=_signature(settings, documents.digests),
    )


def pair_rates(
    documents: Documents, labels: tuple[Label | None, ...], slots: CountedSlots, tolerance: float
) -> tuple[SlotErrorRate, SlotErrorRate]:
    """Make the results of two annotators, either of them being the reference once.

    With fifty annotators there are 2,450 of them: they have no matchings and no documents.
    """
    settings = (("tolerance", f"{tolerance:.12g}"),)
    rows = np.arange(len(slots.kinds))
    first, second = documents.digests
    return (
        _rate(labels, slots, rows, signature=_signature(settings, (first, second))),
        _rate(labels, slots.turned(), rows, signature=_signature(settings, (second, first))),
    )


def _signature(settings: tuple[tuple[str, str], ...], digests: tuple[str, str]) -> Signature:
    reference, hypothesis = digests
    data = (("reference", reference), ("hypothesis", hypothesis), ("v", __version__))
    return Signature("slot_error_rate", (*settings, *data))


def _rate(
    labels: tuple[Label | None, ...],
    slots: CountedSlots,
    rows: Integers,
    *,
    signature: Signature,
    matching: SlotMatching | None = None,
    documents: dict[str, SlotErrorRate] | None = None,
    notes: tuple[str, ...] = (),
) -> SlotErrorRate:
    kinds, codes = slots.kinds[rows], slots.labels[rows]
    table = np.bincount(codes * len(KINDS) + kinds, minlength=len(labels) * len(KINDS))
    by_code = [SlotCounts(*line) for line in table.reshape(-1, len(KINDS)).tolist()]
    counts = SlotCounts(*np.bincount(kinds, minlength=len(KINDS)).tolist())
    rate = counts.cost / counts.n_reference if counts.n_reference else math.nan
    return SlotErrorRate(
        value=rate,
        undefined=None if counts.n_reference else NO_SLOTS,
        counts=counts,
        by_label={label: of for label, of in zip(labels, by_code, strict=True) if any(of)},
        confusions=_confusions(labels, slots, rows),
        matching=matching,
        documents=documents or {},
        notes=notes,
        signature=signature,
    )


def _confusions(
    labels: tuple[Label | None, ...], slots: CountedSlots, rows: Integers
) -> dict[tuple[Label | None, Label | None], int]:
    confused = rows[np.isin(slots.kinds[rows], (_TYPE, _BOTH))]
    pairs, numbers = np.unique(
        slots.labels[confused] * len(labels) + slots.other_labels[confused], return_counts=True
    )
    most_first = np.argsort(-numbers, kind="stable")
    return {
        (labels[pair // len(labels)], labels[pair % len(labels)]): number
        for pair, number in zip(
            pairs[most_first].tolist(), numbers[most_first].tolist(), strict=True
        )
    }


def _matching(sides: Sides, slots: CountedSlots, number: int, rows: Integers) -> SlotMatching:
    meeting = sides.meetings[number]
    columns, starts, ends = [], [], []
    for side, of_slots in ((sides.reference, slots.left), (sides.hypothesis, slots.right)):
        there = of_slots[rows]
        columns.append(np.where(there < 0, -1, there - side.offsets[number]))
        starts.append(np.where(there < 0, np.inf, side.starts[there] if len(side.starts) else 0.0))
        ends.append(np.where(there < 0, np.inf, side.ends[there] if len(side.ends) else 0.0))
    indices = np.column_stack(columns)
    # Along the document; the rows decide where two slots begin and end together.
    order = np.lexsort((indices[:, 1], indices[:, 0], np.minimum(*ends), np.minimum(*starts)))
    return SlotMatching(
        meeting.reference, meeting.hypothesis, indices[order], slots.kinds[rows][order]
    )
