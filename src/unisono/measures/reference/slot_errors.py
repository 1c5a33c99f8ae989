"""The slot error rate, and the agreement of annotators based on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from unisono.errors import DataError
from unisono.measures.data import of_data, of_units
from unisono.measures.reference.matching import (
    DocumentPair,
    Documents,
    best_matching,
    candidate_pairs,
    common_documents,
    no_pair_reason,
    pair_documents,
    pair_units,
    pair_units_of,
    require_single_reference,
    single_annotators,
)
from unisono.model.corpus import Corpus, check_continuum_or_corpus, documents_of
from unisono.registry import check_setting
from unisono.results.agreement import Agreement, OneValue
from unisono.results.data import OfData
from unisono.results.record import Record, label_keys, part, plain_label, record
from unisono.results.sheet import KINDS as CELLS
from unisono.results.sheet import Column, Headline, Sheet, Table, column
from unisono.results.values import Signature
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unisono.measures.reference.matching import Candidates, PairedUnits
    from unisono.model.arrays import Integers
    from unisono.model.continuum import Continuum, Unit
    from unisono.model.labels import Label

__all__ = [
    "Slot",
    "SlotCounts",
    "SlotErrorAgreement",
    "SlotErrorRate",
    "SlotMatching",
    "counted_slots",
    "slot_error_agreement",
    "slot_error_rate",
    "slot_rate",
    "slot_table",
]


class SlotCounts(NamedTuple):
    """Counts of correct slots and of slot errors by kind.

    `type` is a wrong label with correct bounds, `boundary` are wrong bounds with the correct label,
    and `both` is a wrong label with wrong bounds.

    Examples
    --------
    >>> import unisono as un
    >>> counts = un.results.SlotCounts(
    ...     correct=6, type=1, boundary=2, both=0, insertion=1, deletion=1
    ... )
    >>> counts.n_reference, counts.n_hypothesis, counts.cost
    (10, 10, 3.5)
    """

    correct: int = 0
    type: int = 0
    boundary: int = 0
    both: int = 0
    insertion: int = 0
    deletion: int = 0

    @property
    def n_matched(self) -> int:
        """Number of matched pairs of units, correct or not."""
        return self.correct + self.type + self.boundary + self.both

    @property
    def n_reference(self) -> int:
        """Number of units in the reference."""
        return self.n_matched + self.deletion

    @property
    def n_hypothesis(self) -> int:
        """Number of units in the hypothesis."""
        return self.n_matched + self.insertion

    @property
    def cost(self) -> float:
        """Total cost of all errors: 0.5 for type or boundary, 1 for all others."""
        return 0.5 * (self.type + self.boundary) + self.both + self.insertion + self.deletion

    def to_dict(self) -> dict[str, int]:
        """Return the counts, and the numbers of units of both sides, as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> un.results.SlotCounts(correct=6, insertion=2).to_dict()["n_hypothesis"]
        8
        """
        units = {"n_reference": self.n_reference, "n_hypothesis": self.n_hypothesis}
        return self._asdict() | units

    def as_text(self) -> str:
        """Return the counts as text, without errors that do not occur.

        Examples
        --------
        >>> import unisono as un
        >>> un.results.SlotCounts(correct=6, type=1, insertion=2).as_text()
        '6 correct, 1 type, 2 inserted'
        """
        words = ("correct", "type", "boundary", "both", "inserted", "deleted")
        return ", ".join(
            f"{number:,} {word}"
            for number, word in zip(self, words, strict=True)
            if number or word == "correct"
        )


class MatchingSummary(NamedTuple):
    """The part of a matching that the JSON of a rate contains."""

    n_lines: int


def _matching_summary(matching: SlotMatching | None) -> MatchingSummary | None:
    return None if matching is None else MatchingSummary(len(matching))


@record
class SlotErrorRate(OneValue, OfData):
    """Total cost of slot errors per slot of the reference: 0 is perfect, and there is no maximum.

    Parameters
    ----------
    value
        The total cost of all errors, divided by the number of slots of the reference; NaN if
        undefined.
    undefined
        The reason why the value is undefined.
    counts
        The number of errors of each kind.
    by_label
        The counts by label: of the reference, or, for insertions, of the hypothesis.
    confusions
        The number of matched units with different labels, by label of the reference and label of
        the hypothesis.
    matching
        The matched units; ``None`` for a corpus, see `documents`.
    documents
        The result of each document of a corpus.
    notes
        Remarks on the reliability of the value.
    signature
        All settings that affect the value.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
    >>> system = un.Continuum.from_units([("system", 0, 4, "A"), ("system", 7, 9, "B")])
    >>> result = un.slot_error_rate(gold, system)
    >>> result
    SlotErrorRate(0.2500, 2 slots)
    >>> result.counts.boundary, result.by_label["A"].boundary, result.agreement
    (1, 1, 0.75)
    """

    value: float
    undefined: str | None = None
    counts: SlotCounts
    by_label: Mapping[Label | None, SlotCounts] = field(default_factory=dict)
    confusions: Mapping[tuple[Label | None, Label | None], int] = field(
        default_factory=dict, metadata=part(keys=("reference_label", "hypothesis_label"))
    )
    matching: SlotMatching | None = field(default=None, metadata=part(json=_matching_summary))
    documents: Mapping[str, SlotErrorRate] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    signature: Signature

    summary = ("value", "n_slots")
    computed = ("agreement",)

    def __post_init__(self) -> None:
        Record.__post_init__(self)
        if math.isnan(self.value) != bool(self.undefined):
            msg = f"a slot error rate needs either a value or a reason, got {self.value}"
            raise DataError(msg)

    @property
    def agreement(self) -> float:
        """1 − the rate; negative if the cost of errors exceeds the number of slots.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> un.slot_error_rate(gold, gold).agreement
        1.0
        """
        return 1.0 - self.value

    @property
    def n_slots(self) -> int:
        """Number of slots: the units of the reference.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> un.slot_error_rate(gold, gold).n_slots
        1
        """
        return self.counts.n_reference

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the rate, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
        >>> [row[0] for row in un.slot_error_rate(gold, gold).sheet().tables[0].rows]
        ['all', 'A', 'B']
        """
        return Sheet(
            name="slot_error_rate",
            title=title,
            headline=(Headline("slot_error_rate", self.value),),
            tables=(slot_table(self), *_tables_for_programs(self)),
            notes=self.notes,
            signatures=(self.signature,),
        )


@record
class SlotErrorAgreement(Agreement):
    """Agreement of annotators by slot errors: 1 − the mean slot error rate of ordered pairs.

    It is not corrected for chance: ``expected`` is NaN and the value is 1 − observed.

    Parameters
    ----------
    by_pair
        The slot error rate of every ordered pair: the annotator used as reference, and the other
        one.
    n_annotators
        Number of annotators.
    n_units
        Number of units.
    notes
        Remarks on the reliability of the value.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 4, "A"), ("bob", 7, 9, "A")])
    >>> agreement = un.slot_error_agreement(text)
    >>> agreement
    SlotErrorAgreement(-0.1250, 2 annotators, 3 units)
    >>> agreement.by_pair["ann", "bob"].value, agreement.by_pair["bob", "ann"].value
    (1.5, 0.75)
    """

    by_pair: Mapping[tuple[str, str], SlotErrorRate] = field(default_factory=dict)
    n_annotators: int
    n_units: int
    notes: tuple[str, ...] = ()

    summary = ("value", "n_annotators", "n_units")


MOST_LABELS = 40
"""Maximum number of labels shown to people in a table: those with the most units."""
_COUNTS = tuple(
    Column(name=name, heading=heading, kind=CELLS["count"])
    for name, heading in (
        *(
            ("n_reference", "slots"),
            ("correct", "correct"),
            ("type", "type"),
            ("boundary", "boundary"),
        ),
        *(("both", "both"), ("insertion", "inserted"), ("deletion", "deleted")),
    )
)
_RATE = Column(name="slot_error_rate", heading="rate", kind=CELLS["value"])


def slot_table(result: SlotErrorRate) -> Table:
    """Return the table of slot errors for people: in total, then by label."""
    keys = label_keys(result.by_label)
    shown = largest(
        {label: max(of.n_reference, of.n_hypothesis) for label, of in result.by_label.items()}
    )
    return Table(
        name="slots",
        title="Slot errors",
        columns=(column("label"), _RATE, *_COUNTS),
        rows=[
            ("all", *_rate_and_counts(result.counts)),
            *((keys[label], *_rate_and_counts(result.by_label[label])) for label in shown),
        ],
        noun="label",
        more=len(result.by_label) - len(shown),
        reasons=[("the slot error rate", result.undefined)] if result.undefined else [],
        programs=False,
    )


def largest(sizes: Mapping[Label | None, int]) -> list[Label | None]:
    """Return the labels with the most units, up to the maximum for people, in their order."""
    chosen = set(sorted(sizes, key=lambda label: -sizes[label])[:MOST_LABELS])
    return [label for label in sizes if label in chosen]


def _rate_and_counts(of: SlotCounts) -> tuple[Any, ...]:
    return of.cost / of.n_reference if of.n_reference else math.nan, of.n_reference, *of


def _tables_for_programs(result: SlotErrorRate) -> Iterator[Table]:
    """Yield the tables of totals and labels, for all documents and by document."""
    shape = (column("document"), column("label"), _RATE, *_COUNTS, column("signature"))
    wholes: list[tuple[str | None, SlotErrorRate]] = [(None, result)]
    for scope, results in (("all", wholes), ("document", list(result.documents.items()))):
        yield Table(
            name=scope,
            columns=shape,
            rows=[(name, None, *_rate_and_counts(of.counts), of.signature) for name, of in results],
            people=False,
        )
        rows = []
        for name, of in results:
            keys = label_keys(of.by_label)
            rows += [
                (name, keys[label], *_rate_and_counts(counts), of.signature)
                for label, counts in of.by_label.items()
            ]
        label = "label" if scope == "all" else "document label"
        yield Table(name=label, columns=shape, rows=rows, people=False)


KINDS = ("correct", "type", "boundary", "both", "insertion", "deletion")
"""The kinds of slots: correct, or the kind of error."""


class Slot(NamedTuple):
    """One slot of a matching: its kind, and its units.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
    >>> system = un.Continuum.from_units([("system", 0, 5, "B")])
    >>> slot = un.slot_error_rate(gold, system).matching.slots[0]
    >>> slot.kind, slot.reference.label, slot.hypothesis.label
    ('type', 'A', 'B')
    """

    kind: str
    reference: Unit | None
    hypothesis: Unit | None


@record
class SlotMatching(Record):
    """All units of both sides, matched or alone, in document order.

    Parameters
    ----------
    reference, hypothesis
        The document of each side, with one annotator each.
    indices
        Rows of the reference and of the hypothesis, one row per slot; −1 for no unit.
    kinds
        The kind of each slot: 0 correct, 1 type, 2 boundary, 3 both, 4 insertion, 5 deletion.

    Raises
    ------
    DataError
        If the arrays do not fit each other or the data.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
    >>> system = un.Continuum.from_units([("system", 0, 4, "A")])
    >>> matching = un.slot_error_rate(gold, system).matching
    >>> matching
    SlotMatching(2 slots)
    >>> [slot.kind for slot in matching.slots]
    ['boundary', 'deletion']
    """

    reference: Continuum
    hypothesis: Continuum
    indices: Integers
    kinds: Integers

    summary = ("slots",)

    def __post_init__(self) -> None:
        Record.__post_init__(self)
        indices, n_slots = self.indices, len(self.kinds)
        if indices.shape != (n_slots, 2):
            msg = f"indices of {n_slots} slots need the shape ({n_slots}, 2), got {indices.shape}"
            raise DataError(msg)
        for place, side in enumerate((self.reference, self.hypothesis)):
            present = np.sort(indices[:, place][indices[:, place] >= 0])
            if not np.array_equal(present, np.arange(len(side))):
                msg = f"a matching must contain every unit exactly once; this fails for {side!r}"
                raise DataError(msg)

    @property
    def slots(self) -> Sequence[Slot]:
        """The slots, created on access.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> un.slot_error_rate(gold, gold).matching.slots[0].kind
        'correct'
        """
        return _Slots(self)

    def __len__(self) -> int:
        return len(self.kinds)

    def __hash__(self) -> int:
        return hash((self.reference, self.hypothesis))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield one row per slot: kind, then start, end and label of both sides.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
        >>> system = un.Continuum.from_units([("system", 0, 4, "A")])
        >>> for row in un.slot_error_rate(gold, system).matching.rows():
        ...     print(row)
        ('boundary', 0.0, 5.0, 'A', 0.0, 4.0, 'A')
        ('deletion', 7.0, 9.0, 'B', None, None, None)
        """
        left, right = (_unit_columns(side) for side in (self.reference, self.hypothesis))
        for kind, (i, j) in zip(self.kinds.tolist(), self.indices.tolist(), strict=True):
            yield (KINDS[kind], *left[i], *right[j])

    def to_dict(self) -> dict[str, Any]:
        """Return all slots as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> nothing = un.Continuum.from_units([], annotators=["system"])
        >>> un.slot_error_rate(gold, nothing).matching.to_dict()["slots"]
        [{'kind': 'deletion', 'reference': {'start': 0.0, ...}, 'hypothesis': None}]
        """
        return {
            "slots": [
                {
                    "kind": kind,
                    "reference": _plain_unit(*values[:3]),
                    "hypothesis": _plain_unit(*values[3:]),
                }
                for kind, *values in self.rows()
            ]
        }


class _Slots(Sequence[Slot]):
    """The slots of a matching, created on access."""

    __slots__ = ("_matching",)

    def __init__(self, matching: SlotMatching) -> None:
        self._matching = matching

    def __len__(self) -> int:
        return len(self._matching)

    @overload
    def __getitem__(self, index: int) -> Slot: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Slot]: ...

    def __getitem__(self, index: int | slice) -> Slot | Sequence[Slot]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        matching = self._matching
        i, j = matching.indices[index].tolist()
        return Slot(
            KINDS[int(matching.kinds[index])],
            None if i < 0 else matching.reference.unit(i),
            None if j < 0 else matching.hypothesis.unit(j),
        )

    def __repr__(self) -> str:
        return f"<{count(len(self), 'slot')}>"


# The last entry represents a missing unit, so that the index −1 selects it.
def _unit_columns(side: Continuum) -> list[tuple[float | Label | None, ...]]:
    labels = [side.labels[code] for code in side.label_codes.tolist()]
    found: list[tuple[float | Label | None, ...]] = list(
        zip(side.starts.tolist(), side.ends.tolist(), labels, strict=True)
    )
    found.append((None, None, None))
    return found


def _plain_unit(start: Any, end: Any, label: Any) -> dict[str, Any] | None:  # noqa: ANN401
    if start is None:
        return None
    return {"start": start, "end": end, "label": plain_label(label)}


_CORRECT, _TYPE, _BOUNDARY, _BOTH, _INSERTION, _DELETION = range(len(KINDS))
# The cost saved by a pair in units of 0.5: two unmatched units cost 2.
_GAINS = np.array([4, 3, 3, 2])
NO_SLOTS = "the reference has no units to divide by"


class CountedSlots(NamedTuple):
    """The slots of all document pairs: matched units first, then unmatched units."""

    left: Integers
    """Rows of the reference side, −1 for an insertion."""
    right: Integers
    """Rows of the hypothesis side, −1 for a deletion."""
    kinds: Integers
    document_pairs: Integers
    labels: Integers
    """The label of each slot: of the reference, or, for insertions, of the hypothesis."""
    other_labels: Integers
    """The label of the hypothesis; −1 if there is none."""

    def by_document_pair(self) -> CountedSlots:
        """Return the slots sorted by document pair."""
        order = np.argsort(self.document_pairs, kind="stable")
        return CountedSlots._make(column[order] for column in self)

    def swapped(self) -> CountedSlots:
        """Return the slots with reference and hypothesis exchanged."""
        kinds = self.kinds.copy()
        kinds[self.left < 0], kinds[self.right < 0] = _DELETION, _INSERTION
        paired = (self.left >= 0) & (self.right >= 0)
        return CountedSlots(
            self.right,
            self.left,
            kinds,
            self.document_pairs,
            np.where(paired, self.other_labels, self.labels),
            np.where(self.left < 0, -1, self.labels),
        )


def counted_slots(sides: PairedUnits, candidates: Candidates) -> CountedSlots:
    """Match the units of both sides at minimum cost, and return the kind of each slot."""
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
            (
                reference.document_pairs[left],
                reference.document_pairs[deleted],
                hypothesis.document_pairs[inserted],
            )
        ),
        np.concatenate(
            (reference.labels[left], reference.labels[deleted], hypothesis.labels[inserted])
        ),
        np.concatenate(
            (hypothesis.labels[right], np.full(len(deleted), -1), hypothesis.labels[inserted])
        ),
    )


def slot_rate(
    documents: Documents, sides: PairedUnits, slots: CountedSlots, tolerance: float
) -> SlotErrorRate:
    """Compute the slot error rate from counted slots, pooled over documents."""
    order = np.argsort(slots.document_pairs, kind="stable")
    bounds = np.searchsorted(slots.document_pairs[order], np.arange(len(sides.document_pairs) + 1))
    rows_of: dict[str, list[Integers]] = {name: [] for name in documents.references}
    numbers_of: dict[str, list[int]] = {name: [] for name in documents.references}
    for number, pair in enumerate(sides.document_pairs):
        rows_of[pair.document].append(order[bounds[number] : bounds[number + 1]])
        numbers_of[pair.document].append(number)
    settings = (("tolerance", f"{tolerance:.12g}"),)
    of_documents = {}
    for name, rows in rows_of.items():
        numbers = numbers_of[name]
        matching = _matching(sides, slots, numbers[0], rows[0]) if len(numbers) == 1 else None
        pair = sides.document_pairs[numbers[0]]
        digests = documents.references[name].digest[:8], pair.hypothesis.digest[:8]
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
    """Compute the slot error rates of two annotators, each being the reference once.

    With fifty annotators there are 2,450 rates, so they have no matchings and no documents.
    """
    settings = (("tolerance", f"{tolerance:.12g}"),)
    rows = np.arange(len(slots.kinds))
    first, second = documents.digests
    return (
        _rate(labels, slots, rows, signature=_signature(settings, (first, second))),
        _rate(labels, slots.swapped(), rows, signature=_signature(settings, (second, first))),
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
    by_code = [SlotCounts(*row) for row in table.reshape(-1, len(KINDS)).tolist()]
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


def _matching(sides: PairedUnits, slots: CountedSlots, number: int, rows: Integers) -> SlotMatching:
    pair = sides.document_pairs[number]
    columns, starts, ends = [], [], []
    for side, of_slots in ((sides.reference, slots.left), (sides.hypothesis, slots.right)):
        units = of_slots[rows]
        columns.append(np.where(units < 0, -1, units - side.offsets[number]))
        starts.append(np.where(units < 0, np.inf, side.starts[units] if len(side.starts) else 0.0))
        ends.append(np.where(units < 0, np.inf, side.ends[units] if len(side.ends) else 0.0))
    indices = np.column_stack(columns)
    # In document order; ties are resolved by row.
    order = np.lexsort((indices[:, 1], indices[:, 0], np.minimum(*ends), np.minimum(*starts)))
    return SlotMatching(
        reference=pair.reference,
        hypothesis=pair.hypothesis,
        indices=indices[order],
        kinds=slots.kinds[rows][order],
    )


@of_data
def slot_error_rate(
    reference: Continuum | Corpus | str,
    hypothesis: Continuum | Corpus | str,
    *,
    within: Continuum | Corpus | None = None,
    tolerance: float = 0.0,
) -> SlotErrorRate:
    """Compute the slot error rate: the total cost of errors per unit of the reference.

    0 is perfect. There is no upper limit: a hypothesis with many additional units can have more
    errors than the reference has units.

    Parameters
    ----------
    reference, hypothesis
        The same document with one annotator each; two corpora, whose documents are paired by name
        and pooled; or, with `within`, the names of two annotators.
    within
        The data with these annotators.
    tolerance
        The maximum difference of equal bounds; rounding errors are always tolerated.

    Returns
    -------
    SlotErrorRate
        The rate, the errors by kind and label, and the matching. It is undefined if the reference
        has no units.

    Raises
    ------
    DataError
        If a side has several annotators, or the corpora have no document in common.
    SettingError
        If the tolerance is negative, or both names are equal.

    Notes
    -----
    Units are matched one to one at minimum total cost: 0.5 for a wrong label (`type`) or wrong
    bounds (`boundary`), 1 for both, 1 for an unmatched unit of the hypothesis (`insertion`) and 1
    for one of the reference (`deletion`). The total is divided by the number of units of the
    reference. The measure is that of Makhoul et al. [1]_; the costs of 0.5 follow its use in [2]_
    (§6). That only intersecting units are matched is inferred: only then can agreement fall below
    0, as in the figures of [2]_. With a tolerance, units with equal bounds may be matched even if
    they do not intersect, for example two points.

    The matching is exact, not greedy. Among matchings of minimum cost, the one with the most
    correct pairs is chosen, then the one with the largest total similarity of pairs, by label and
    by the share of their intersection. For a corpus, errors and units are summed over documents
    first.

    References
    ----------
    .. [1] Makhoul, J., Kubala, F., Schwartz, R., & Weischedel, R. (1999). Performance measures for
       information extraction. Proceedings of the DARPA Broadcast News Workshop, 249–252.
    .. [2] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units(
    ...     [("gold", 0, 5, "person"), ("gold", 8, 12, "place"), ("gold", 20, 24, "person")]
    ... )
    >>> system = un.Continuum.from_units(
    ...     [("system", 0, 5, "place"), ("system", 9, 12, "place"), ("system", 30, 33, "person")]
    ... )
    >>> result = un.slot_error_rate(gold, system)
    >>> result.value
    1.0
    >>> result.counts
    SlotCounts(correct=0, type=1, boundary=1, both=0, insertion=1, deletion=1)

    Two annotators of one document:

    >>> text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 4.9, "A")])
    >>> un.slot_error_rate("ann", "bob", within=text, tolerance=0.2).value
    0.0
    """
    check_setting("tolerance", tolerance)
    return _rate_of(
        require_single_reference(pair_documents(reference, hypothesis, within)), tolerance
    )


@of_units
def slot_error_agreement(data: Continuum | Corpus, *, tolerance: float = 0.0) -> SlotErrorAgreement:
    """Compute the agreement of annotators by slot errors: 1 − the mean slot error rate of pairs.

    1 is perfect agreement; a negative value means that there are more errors than slots. It is not
    corrected for chance.

    Parameters
    ----------
    data
        A continuum, or a corpus; each pair of annotators is pooled over the documents that both
        annotated.
    tolerance
        As in `slot_error_rate`.

    Returns
    -------
    SlotErrorAgreement
        1 − the mean slot error rate over all ordered pairs of annotators. Pairs whose reference has
        no units are left out, with a note.

    Raises
    ------
    SettingError
        If the tolerance is negative.

    Notes
    -----
    Each annotator of a pair is the reference once: the errors are the same, but divided by
    different numbers of units. This is how [1]_ (§6) applies the slot error rate to annotators.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 5, "A"), ("ann", 7, 9, "B"), ("bob", 0, 5, "A"), ("bob", 7, 9, "C")]
    ... )
    >>> un.slot_error_agreement(text).value
    0.75
    """
    check_continuum_or_corpus("slot_error_agreement", data)
    check_setting("tolerance", tolerance)
    found: dict[tuple[str, str], SlotErrorRate] = {}
    single = single_annotators(data)
    for number, first in enumerate(data.annotators):
        others = data.annotators[number + 1 :]
        pairs = {
            (first, second): common_documents(single[first], single[second], data)
            for second in others
        }
        found |= _rates({pair: of for pair, of in pairs.items() if of.references}, tolerance)
    by_pair = {pair: found[pair] for pair in sorted(found)}
    rates = [of.value for of in by_pair.values() if not of.undefined]
    mean = math.fsum(rates) / len(rates) if rates else math.nan
    return SlotErrorAgreement(
        value=1.0 - mean,
        observed=mean,
        expected=math.nan,
        undefined=None if rates else no_pair_reason(data, by_pair),
        by_pair=by_pair,
        n_annotators=len(data.annotators),
        n_units=sum(map(len, documents_of(data).values())),
        notes=_notes(by_pair) if rates else (),
        signature=Signature(
            "slot_error_agreement",
            (
                ("tolerance", f"{tolerance:.12g}"),
                ("annotators", data.annotators_from),
                ("data", data.digest[:8]),
                ("v", __version__),
            ),
        ),
    )


def _rate_of(documents: Documents, tolerance: float) -> SlotErrorRate:
    sides = pair_units(documents)
    candidates = candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    return slot_rate(documents, sides, counted_slots(sides, candidates), tolerance)


def _rates(
    pairs: dict[tuple[str, str], Documents], tolerance: float
) -> dict[tuple[str, str], SlotErrorRate]:
    """Compute the rates of pairs of annotators in both orders, with a single matching."""
    sides = pair_units_of(
        DocumentPair(document, reference, of.hypotheses[document])
        for of in pairs.values()
        for document, reference in of.references.items()
    )
    slots = counted_slots(
        sides, candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    ).by_document_pair()
    ends = np.cumsum([0, *(len(of.references) for of in pairs.values())])
    bounds = np.searchsorted(slots.document_pairs, ends)
    found: dict[tuple[str, str], SlotErrorRate] = {}
    for (pair, of), rows in zip(pairs.items(), pairwise(bounds.tolist()), strict=True):
        own = CountedSlots._make(column[slice(*rows)] for column in slots)
        found[pair], found[pair[::-1]] = pair_rates(of, sides.labels, own, tolerance)
    return found


def _notes(by_pair: dict[tuple[str, str], SlotErrorRate]) -> tuple[str, ...]:
    names = list(dict.fromkeys(first for (first, _), of in by_pair.items() if of.undefined))
    left_out = sum(bool(of.undefined) for of in by_pair.values())
    if not left_out:
        return ()
    pairs = count(left_out, "ordered pair")
    return (f"{pairs} left out, because the reference has no units: {some(names, 3)}",)
