"""What the slot error rate returns: the rate, the errors of each kind, and the matching."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import DataError
from unisono.results.agreement import Agreement
from unisono.results.markdown import markdown_code, markdown_table, markdown_text
from unisono.results.record import label_keys, plain_label, plain_number
from unisono.results.records import Record
from unisono.results.wording import count, decimals, printable
from unisono.results.written import InMarkdown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.measures.reference.slot_matching import SlotMatching
    from unisono.model.labels import Label
    from unisono.results.signature import Signature


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
class SlotErrorRate(Record, InMarkdown):
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
        """Give the counts as a Markdown table, with notes and the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> print(un.slot_error_rate(gold, gold).to_markdown())
        | label      | slot error rate | slots | correct | type | boundary | both | ...
        """
        parts = [markdown_table(*slot_columns(self))]
        reason = [f"the slot error rate is undefined: {self.undefined}"] if self.undefined else []
        if told := [*reason, *map(printable, self.notes)]:
            parts.append("\n".join(f"- {markdown_text(line)}" for line in told))
        parts.append(markdown_code(str(self.signature)))
        return "\n\n".join(parts)


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


def slot_columns(result: SlotErrorRate) -> tuple[list[str], list[list[str]]]:
    """Give the headings and the cells of a table of slot errors: all first, then by label.

    Parameters
    ----------
    result
        What ``slot_error_rate`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.reference.slot_errors import slot_columns
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
    >>> slot_columns(un.slot_error_rate(gold, gold))[1][0][:4]
    ['all', '0.0000', '1', '1']
    """
    headings = ["label", "slot error rate", "slots", "correct", "type", "boundary", "both"]
    headings += ["inserted", "deleted"]
    keys = label_keys(result.by_label)
    rows = [("all", result.counts)]
    rows += [(keys[label] or "(no label)", of) for label, of in result.by_label.items()]
    return headings, [
        [
            printable(name),
            decimals(of.cost / of.n_reference if of.n_reference else math.nan),
            *(f"{number:,}" for number in (of.n_reference, *of)),
        ]
        for name, of in rows
    ]


def _plain_counts(counts: SlotCounts) -> dict[str, int]:
    return counts._asdict() | {
        "n_reference": counts.n_reference,
        "n_hypothesis": counts.n_hypothesis,
    }
