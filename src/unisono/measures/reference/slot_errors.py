"""Slot error rate and its agreement: counts, matching, rates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from unisono.errors import DataError
from unisono.measures.gamma.alignment import read_only
from unisono.measures.reference.matching import (
    Documents,
    Meeting,
    best_matching,
    candidate_pairs,
    documents_that_meet,
    one_reference,
    sides_of,
    sides_of_meetings,
)
from unisono.measures.settings import check_number
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.results.agreement import Agreement, Signature
from unisono.results.record import Record, label_keys, plain_label, plain_number
from unisono.results.render import Sheeted, markdown
from unisono.results.sheet import KINDS as CELLS
from unisono.results.sheet import Column, Headline, Sheet, Table, column
from unisono.results.wording import count, decimals, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from unisono.measures.reference.matching import Candidates, Sides
    from unisono.model.arrays import Integers
    from unisono.model.continuum import Unit
    from unisono.model.labels import Label

__all__ = [
    "Slot",
    "SlotAgreement",
    "SlotCounts",
    "SlotErrorRate",
    "SlotMatching",
    "counted_slots",
    "slot_error_agreement",
    "slot_error_rate",
    "slot_rate",
    "slot_table",
]


class SlotCounts(NamedTuple):
    """How many slots are right, and how many are wrong in which way.

    `type` is a wrong label at the right place, `boundary` a wrong place with the right label, and
    `both` a wrong label at a wrong place.

    Examples
    --------
    >>> import unisono as un
    >>> counts = un.SlotCounts(correct=6, type=1, boundary=2, both=0, insertion=1, deletion=1)
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
        """The pairs of units, right or wrong."""
        return self.correct + self.type + self.boundary + self.both

    @property
    def n_reference(self) -> int:
        """The units of the reference: the slots there are to find."""
        return self.n_matched + self.deletion

    @property
    def n_hypothesis(self) -> int:
        """The units of the hypothesis."""
        return self.n_matched + self.insertion

    @property
    def cost(self) -> float:
        """The sum of the costs of all errors: a half for type or boundary, 1 for all others."""
        return 0.5 * (self.type + self.boundary) + self.both + self.insertion + self.deletion

    def told(self) -> str:
        """Say in one line how many are correct, and which errors there are.

        Examples
        --------
        >>> import unisono as un
        >>> un.SlotCounts(correct=6, type=1, insertion=2).told()
        '6 correct, 1 type, 2 inserted'
        """
        words = ("correct", "type", "boundary", "both", "inserted", "deleted")
        return ", ".join(
            f"{number:,} {word}"
            for number, word in zip(self, words, strict=True)
            if number or word == "correct"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SlotErrorRate(Sheeted, Record):
    """How wrong a hypothesis is for each slot of the reference: 0 is perfect, and 1 no limit.

    Parameters
    ----------
    value
        The costs of all errors, divided by the slots of the reference; NaN when it is undefined.
    undefined
        Why there is no value.
    counts
        The errors of each kind.
    by_label
        The same for each label: errors count with the label of the reference, insertions with
        their own.
    confusions
        How often a label of the reference was matched with another label: pairs of the label of the
        reference and that of the hypothesis.
    matching
        What was matched with what; ``None`` for a corpus, whose documents have their own.
    documents
        The same for each document of a corpus.
    notes
        Sentences a reader of the value should know.
    signature
        Every setting that can move the value.

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
    confusions: Mapping[tuple[Label | None, Label | None], int] = field(default_factory=dict)
    matching: SlotMatching | None = None
    documents: Mapping[str, SlotErrorRate] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    signature: Signature

    def __post_init__(self) -> None:
        if math.isnan(self.value) != bool(self.undefined):
            msg = f"a slot error rate has a value or a reason, got {self.value}"
            raise DataError(msg)
        for name in ("by_label", "confusions", "documents"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        object.__setattr__(self, "notes", tuple(self.notes))

    @property
    def agreement(self) -> float:
        """1 − the rate, which falls below 0 when there are more errors than slots.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> un.slot_error_rate(gold, gold).agreement
        1.0
        """
        return 1.0 - self.value

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        outcome = f"undefined ({self.undefined})" if self.undefined else decimals(self.value, 3)
        return f"{self.signature} = {outcome}"

    def __repr__(self) -> str:
        outcome = f"undefined: {self.undefined}" if self.undefined else decimals(self.value)
        return f"SlotErrorRate({outcome}, {count(self.counts.n_reference, 'slot')})"

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data; of the matching only its number of slots.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> record = un.slot_error_rate(gold, gold).to_dict()
        >>> record["value"], record["counts"]["correct"], record["matching"]
        (0.0, 1, 1)
        """
        keys = label_keys(self.by_label)
        return {
            "value": plain_number(self.value),
            "undefined": self.undefined,
            "agreement": plain_number(self.agreement),
            "counts": _plain_counts(self.counts),
            "by_label": {keys[label]: _plain_counts(of) for label, of in self.by_label.items()},
            "confusions": [
                {
                    "reference": plain_label(first),
                    "hypothesis": plain_label(second),
                    "count": number,
                }
                for (first, second), number in self.confusions.items()
            ],
            "matching": None if self.matching is None else len(self.matching),
            "notes": list(self.notes),
            "signature": str(self.signature),
            "documents": {name: of.to_dict() for name, of in self.documents.items()},
        }

    def to_markdown(self) -> str:
        """Return the counts as a Markdown table, with notes and the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> print(un.slot_error_rate(gold, gold).to_markdown())
        **Slot errors**
        <BLANKLINE>
        | label |   rate | slots | correct | type | boundary | both | inserted | deleted |
        ...
        """
        return markdown(self.sheet())

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of the rate, which all renderings share.

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SlotAgreement(Agreement):
    """Agreement of annotators by slot errors: 1 − the mean slot error rate of ordered pairs.

    It is not corrected for chance: ``expected`` is NaN and the value 1 − observed.

    Parameters
    ----------
    by_pair
        The slot error rate of every ordered pair: the annotator taken for the reference, and the
        other one.
    n_annotators
        How many annotators there are.
    n_units
        How many units there are.
    notes
        Sentences a reader of the value should know.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 4, "A"), ("bob", 7, 9, "A")])
    >>> agreement = un.slot_error_agreement(text)
    >>> agreement
    SlotAgreement(-0.1250, 2 annotators, 3 units)
    >>> agreement.by_pair["ann", "bob"].value, agreement.by_pair["bob", "ann"].value
    (1.5, 0.75)
    """

    by_pair: Mapping[tuple[str, str], SlotErrorRate] = field(default_factory=dict)
    n_annotators: int
    n_units: int
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Agreement.__post_init__(self)
        object.__setattr__(self, "by_pair", MappingProxyType(dict(self.by_pair)))
        object.__setattr__(self, "notes", tuple(self.notes))

    def __repr__(self) -> str:
        outcome = f"undefined: {self.undefined}" if self.undefined else decimals(self.value)
        told = (count(self.n_annotators, "annotator"), count(self.n_units, "unit"))
        return f"SlotAgreement({', '.join((outcome, *told))})"

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 5, "A")])
        >>> record = un.slot_error_agreement(text).to_dict()
        >>> record["value"], record["by_pair"][0]["annotators"]
        (1.0, ['ann', 'bob'])
        """
        record = Agreement.to_dict(self)
        signature = record.pop("signature")
        return record | {
            "n_annotators": self.n_annotators,
            "n_units": self.n_units,
            "notes": list(self.notes),
            "by_pair": [
                {"annotators": list(pair), **of.to_dict()} for pair, of in self.by_pair.items()
            ],
            "signature": signature,
        }


MOST_LABELS = 40
"""How many labels people see of a table: those with the most units."""
_COUNTS = tuple(
    Column(name=name, heading=heading, kind=CELLS["count"])
    for name, heading in (
        *(("slots", "slots"), ("correct", "correct"), ("type", "type"), ("boundary", "boundary")),
        *(("both", "both"), ("insertion", "inserted"), ("deletion", "deleted")),
    )
)
_RATE = Column(name="slot_error_rate", heading="rate", kind=CELLS["value"])


def slot_table(result: SlotErrorRate) -> Table:
    """Return the table of slot errors for people: all first, then by label."""
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
    """Return the labels with the most units in their own order, no more than people see."""
    chosen = set(sorted(sizes, key=lambda label: -sizes[label])[:MOST_LABELS])
    return [label for label in sizes if label in chosen]


def _rate_and_counts(of: SlotCounts) -> tuple[Any, ...]:
    return of.cost / of.n_reference if of.n_reference else math.nan, of.n_reference, *of


def _tables_for_programs(result: SlotErrorRate) -> Iterator[Table]:
    """Yield tables with the same columns: all, each label, and the same of each document."""
    shape = (column("document"), column("label"), _RATE, *_COUNTS, column("signature"))
    wholes: list[tuple[str | None, SlotErrorRate]] = [(None, result)]
    for scope, those in (("all", wholes), ("document", list(result.documents.items()))):
        yield Table(
            name=scope,
            columns=shape,
            rows=[(name, None, *_rate_and_counts(of.counts), of.signature) for name, of in those],
            people=False,
        )
        rows = []
        for name, of in those:
            keys = label_keys(of.by_label)
            rows += [
                (name, keys[label], *_rate_and_counts(counts), of.signature)
                for label, counts in of.by_label.items()
            ]
        label = "label" if scope == "all" else "document label"
        yield Table(name=label, columns=shape, rows=rows, people=False)


def _plain_counts(counts: SlotCounts) -> dict[str, int]:
    return counts._asdict() | {
        "n_reference": counts.n_reference,
        "n_hypothesis": counts.n_hypothesis,
    }


KINDS = ("correct", "type", "boundary", "both", "insertion", "deletion")
"""What can become of a slot."""


class Slot(NamedTuple):
    """One line of a matching: what became of a unit, and the units themselves.

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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SlotMatching(Record):
    """Every unit of both sides once, in pairs or alone, along the document.

    Parameters
    ----------
    reference, hypothesis
        The same document as either side has it, one annotator each.
    indices
        Rows of the reference and of the hypothesis, one line a slot; −1 where there is none.
    kinds
        What became of each slot, as a place in `KINDS`.

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
    indices: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        indices = read_only(self.indices, np.int64)
        kinds = read_only(self.kinds, np.int64)
        if indices.shape != (len(kinds), 2):
            msg = f"{len(kinds)} slots have as many lines of two indices, got {indices.shape}"
            raise DataError(msg)
        for place, side in enumerate((self.reference, self.hypothesis)):
            there = np.sort(indices[:, place][indices[:, place] >= 0])
            if not np.array_equal(there, np.arange(len(side))):
                msg = f"a matching has every unit of both sides once; of {side!r} it does not"
                raise DataError(msg)
        object.__setattr__(self, "indices", indices)
        object.__setattr__(self, "kinds", kinds)

    @property
    def slots(self) -> Sequence[Slot]:
        """The lines, each made when it is asked for.

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

    def __repr__(self) -> str:
        return f"SlotMatching({count(len(self), 'slot')})"

    def __hash__(self) -> int:
        return hash((self.reference, self.hypothesis))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Give one flat row a slot: kind, then start, end and label on either side.

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
        """Give all slots as plain data.

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
    """The slots of a matching, made when they are looked at."""

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


# The last entry stands for no unit: −1 finds it.
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


def slot_error_rate(
    reference: Continuum | Corpus | str,
    hypothesis: Continuum | Corpus | str,
    *,
    within: Continuum | Corpus | None = None,
    tolerance: float = 0.0,
) -> SlotErrorRate:
    """Say how many errors a hypothesis makes for each unit of the reference.

    0 is perfect. It has no upper limit: a hypothesis that invents units can have more errors than
    there are slots to fill.

    Parameters
    ----------
    reference, hypothesis
        The same document with one annotator each; two corpora, whose documents are paired by name
        and pooled; or with `within`, the names of two annotators.
    within
        The data where these annotators are.
    tolerance
        Bounds that differ by no more than this count as the same, and always those that differ by
        rounding only.

    Returns
    -------
    SlotErrorRate
        The rate, the errors of each kind, by label too, and the matching behind them. With a
        reference that has no units it is undefined.

    Raises
    ------
    DataError
        A side has several annotators, or the corpora have no document in common.
    SettingError
        The tolerance is negative, or both names are the same.

    Notes
    -----
    Units are matched one to one at the least cost in all: a half for a wrong label (`type`) or a
    wrong boundary, 1 for both, 1 for a unit of the hypothesis left alone (`insertion`) and 1 for
    one of the reference (`deletion`). The sum is divided by the units of the reference. The measure
    is that of Makhoul et al. [1]_; the halves follow its use in [2]_ (§6). That only units that
    intersect are matched is reconstructed: only then can agreement fall below 0, as the figures of
    [2]_ show. With a tolerance, units whose bounds agree within it may be matched even where they
    share nothing, as two points do.

    The matching is exact, not greedy. Of several with the least cost it is the one with the most
    correct pairs, then the one whose pairs are most alike in sum, by label and by the share of
    their common stretch. For a corpus, errors and units are summed over documents first.

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
    check_number("tolerance", tolerance, may_be_zero=True)
    return _rate_of(one_reference(documents_that_meet(reference, hypothesis, within)), tolerance)


def slot_error_agreement(data: Continuum | Corpus, *, tolerance: float = 0.0) -> SlotAgreement:
    """Say how much annotators agree, by the slot errors of each measured against each other.

    1 is perfect agreement; below 0 there are more errors than slots. It is not corrected for
    chance.

    Parameters
    ----------
    data
        A continuum, or a corpus, in which each pair of annotators is pooled over the documents that
        both saw.
    tolerance
        As in `slot_error_rate`.

    Returns
    -------
    SlotAgreement
        1 − the mean slot error rate over all ordered pairs of annotators. Pairs whose reference has
        no units are left out, and told in the notes.

    Raises
    ------
    SettingError
        The tolerance is negative.

    Notes
    -----
    Either annotator of a pair is the reference once: the errors are the same, but not what they are
    divided by. This is how [1]_ (§6) uses the slot error rate between annotators.

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
    if not isinstance(data, Continuum | Corpus):
        msg = f"slot_error_agreement takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    check_number("tolerance", tolerance, may_be_zero=True)
    continua = [data] if isinstance(data, Continuum) else list(data.values())
    found: dict[tuple[str, str], SlotErrorRate] = {}
    alone = _each_alone(data)
    for number, first in enumerate(data.annotators):
        others = data.annotators[number + 1 :]
        met = {(first, second): _both(alone[first], alone[second], data) for second in others}
        found |= _rates({pair: of for pair, of in met.items() if of.references}, tolerance)
    by_pair = {pair: found[pair] for pair in sorted(found)}
    rates = [of.value for of in by_pair.values() if not of.undefined]
    mean = math.fsum(rates) / len(rates) if rates else math.nan
    return SlotAgreement(
        value=1.0 - mean,
        observed=mean,
        expected=math.nan,
        undefined=None if rates else _why_not(data, by_pair),
        by_pair=by_pair,
        n_annotators=len(data.annotators),
        n_units=sum(map(len, continua)),
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
    sides = sides_of(documents)
    candidates = candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    return slot_rate(documents, sides, counted_slots(sides, candidates), tolerance)


def _each_alone(data: Continuum | Corpus) -> dict[str, dict[str, Continuum]]:
    """Give for each annotator the documents with the own units only."""
    documents = {"": data} if isinstance(data, Continuum) else data
    alone: dict[str, dict[str, Continuum]] = {name: {} for name in data.annotators}
    for document, continuum in documents.items():
        for name in continuum.annotators:
            alone[name][document] = continuum.only(annotators=(name,))
    return alone


def _both(
    first: dict[str, Continuum], second: dict[str, Continuum], data: Continuum | Corpus
) -> Documents:
    """Give the documents that two annotators saw."""
    shared = [document for document in first if document in second]
    return Documents(
        {document: first[document] for document in shared},
        {document: second[document] for document in shared},
        one_continuum=isinstance(data, Continuum),
    )


def _rates(
    pairs: dict[tuple[str, str], Documents], tolerance: float
) -> dict[tuple[str, str], SlotErrorRate]:
    """Measure pairs of annotators in both orders, by one matching of them all."""
    sides = sides_of_meetings(
        Meeting(document, reference, of.hypotheses[document])
        for of in pairs.values()
        for document, reference in of.references.items()
    )
    slots = counted_slots(
        sides, candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    ).by_meeting()
    ends = np.cumsum([0, *(len(of.references) for of in pairs.values())])
    bounds = np.searchsorted(slots.meetings, ends)
    found: dict[tuple[str, str], SlotErrorRate] = {}
    for (pair, of), part in zip(pairs.items(), pairwise(bounds.tolist()), strict=True):
        own = CountedSlots._make(column[slice(*part)] for column in slots)
        found[pair], found[pair[::-1]] = pair_rates(of, sides.labels, own, tolerance)
    return found


def _why_not(data: Continuum | Corpus, by_pair: dict[tuple[str, str], SlotErrorRate]) -> str:
    if len(data.annotators) < 2:
        who = f"only {data.annotators[0]!r}" if data.annotators else "none"
        return f"agreement needs two annotators or more; there is {who}"
    return "there are no units" if by_pair else "no document was seen by two annotators"


def _notes(by_pair: dict[tuple[str, str], SlotErrorRate]) -> tuple[str, ...]:
    names = list(dict.fromkeys(first for (first, _), of in by_pair.items() if of.undefined))
    left_out = sum(bool(of.undefined) for of in by_pair.values())
    if not left_out:
        return ()
    pairs = count(left_out, "ordered pair")
    return (f"{pairs} left out, whose reference has no units: {some(names, 3)}",)
