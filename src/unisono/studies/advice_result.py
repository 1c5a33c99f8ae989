"""What an advice is: what to decide first, which labels to merge, whose work to look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.model.labels import label_text
from unisono.results.markdown import markdown_code, markdown_table
from unisono.results.record import plain_label, plain_number
from unisono.results.records import Record
from unisono.results.wording import decimals, position, printable
from unisono.results.written import InMarkdown
from unisono.studies.diagnosis_result import percent

if TYPE_CHECKING:
    from unisono.model.labels import Label
    from unisono.model.unit import Unit
    from unisono.results.agreement import Interval
    from unisono.results.signature import Signature
    from unisono.studies.diagnosis_result import Parts

__all__ = [
    "NOT_CERTAIN",
    "Advice",
    "DocumentShare",
    "Gain",
    "GroupShare",
    "LeftOut",
    "Merge",
    "gain_words",
]

NOT_CERTAIN = "not more than Monte Carlo error"


class Gain(NamedTuple):
    """What γ would become if something were otherwise.

    Examples
    --------
    >>> from unisono.results.agreement import Interval
    >>> import unisono as un
    >>> gain = un.Gain(0.75, 0.05, Interval(0.03, 0.07, 0.95, "monte carlo"), None)
    >>> gain.certain, gain.told
    (True, '+0.0500')
    """

    value: float
    """γ then; NaN where it is undefined."""
    gain: float
    """By how much that is more than γ now; less than 0 where it is less."""
    interval: Interval | None
    """Uncertainty of the gain that comes from the finite number of draws, which both share."""
    undefined: str | None
    """Why there is no value."""

    @property
    def certain(self) -> bool:
        """Whether the gain or loss is more than Monte Carlo error: its interval leaves out 0.

        Examples
        --------
        >>> import unisono as un
        >>> un.Gain(0.75, 0.05, None, None).certain
        False
        """
        return self.interval is not None and not self.interval.low <= 0.0 <= self.interval.high

    @property
    def told(self) -> str:
        """The gain with its sign, for a table.

        Examples
        --------
        >>> import unisono as un
        >>> un.Gain(0.65, -0.05, None, None).told
        '−0.0500'
        """
        if self.undefined:
            return "undefined"
        size = decimals(abs(self.gain))
        return f"{'−' if self.gain < 0.0 and float(size) else '+'}{size}"


class Merge(NamedTuple):
    """Two labels that could become one.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 2, "A"), ("ann", 4, 6, "C"), ("bob", 0, 2, "B"), ("bob", 4, 6, "C")]
    ... )
    >>> merge = un.advise(text, draws=30, rng=1).merges[0]
    >>> merge.labels, merge.gain.value
    (('A', 'B'), 1.0)
    """

    labels: tuple[Label | None, Label | None]
    pairs: int
    """In how many pairs of aligned units they meet."""
    gain: Gain


class LeftOut(NamedTuple):
    """An annotator without whom γ would be another.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 9, "A"), ("bob", 0, 9, "A"), ("cy", 3, 5, "B"), ("cy", 7, 9, "B")]
    ... )
    >>> found = un.advise(text, draws=30, rng=1).annotators[0]
    >>> found.annotator, found.gain.value
    ('cy', 1.0)
    """

    annotator: str
    documents: int
    """How many documents can be measured without this annotator."""
    gain: Gain


class GroupShare(NamedTuple):
    """One group of units and how much of all disorder is its own.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 5, 7, "B")])
    >>> worst = un.advise(text, draws=30, rng=1).adjudicate[0]
    >>> worst.start, worst.end, worst.share
    (5.0, 7.0, 1.0)
    """

    document: str
    """The name of the document; empty for one continuum."""
    group: int
    """Which group of the document's alignment, counted from 1."""
    start: float
    """Where its first unit begins."""
    end: float
    """Where its last unit ends."""
    parts: Parts
    """What it adds to the observed disorder of all."""
    share: float
    """The same as a share of it."""
    loss: float
    """The same as a part of 1 − γ: what γ would gain if all agreed here and chance stayed."""
    units: tuple[Unit | None, ...]
    """A unit or ``None`` for each annotator who saw the document."""
    annotators: tuple[str, ...]
    """Who saw the document, in the order of `units`."""


class DocumentShare(NamedTuple):
    """One document and how much of all disorder is its own.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.advise(un.read("examples/corpus", annotators="corpus"), draws=30, rng=1)
    >>> found.documents[0].document, f"{found.documents[0].share:.3f}"
    ('library', '0.327')
    """

    document: str
    share: float
    loss: float
    """What γ would gain if all agreed on the document and chance stayed."""
    value: float
    """γ of the document alone; NaN where it is undefined."""
    n_units: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Advice(Record, InMarkdown):
    """What to do about disagreement, with the numbers.

    Parameters
    ----------
    adjudicate
        Groups of units with the largest shares of the disorder, the largest first.
    n_groups
        How many groups there are, with or without disorder.
    n_disagreeing
        How many of them have any disorder.
    documents
        All documents of a corpus, the largest share of the disorder first; empty for one
        continuum.
    merges
        Pairs of labels that are confused, with what γ would gain if they were one, the largest
        gain first.
    annotators
        Annotators with what γ would gain without them, the largest gain first; empty for two.
    notes
        Sentences a reader should know.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         ("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"),
    ...         ("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"),
    ...     ]
    ... )  # fmt: skip
    >>> found = un.advise(text, rng=42)
    >>> found
    Advice(2 of 3 groups disagree, 1 merge, 0 annotators)
    >>> found.merges[0].gain.told
    '+0.3329'
    """

    adjudicate: tuple[GroupShare, ...]
    n_groups: int
    n_disagreeing: int
    documents: tuple[DocumentShare, ...]
    merges: tuple[Merge, ...]
    annotators: tuple[LeftOut, ...]
    notes: tuple[str, ...] = ()
    signature: Signature

    def __repr__(self) -> str:
        told = (
            f"{self.n_disagreeing:,} of {self.n_groups:,} groups disagree, "
            f"{len(self.merges)} merge{'s' * (len(self.merges) != 1)}, "
            f"{len(self.annotators)} annotator{'s' * (len(self.annotators) != 1)}"
        )
        return f"Advice({told})"

    def __str__(self) -> str:
        lines = ["  ".join(line) for line in gain_cells(self)]
        return "\n".join([*lines, str(self.signature)])

    def to_dict(self) -> dict[str, Any]:
        """Give all as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> un.advise(text, draws=30, rng=1).to_dict()["adjudicate"][0]["share"]
        1.0
        """
        return {
            "adjudicate": [_plain_group(group) for group in self.adjudicate],
            "n_groups": self.n_groups,
            "n_disagreeing": self.n_disagreeing,
            "documents": [
                {name: _plain(value) for name, value in each._asdict().items()}
                for each in self.documents
            ],
            "merges": [
                {
                    "labels": [plain_label(label) for label in merge.labels],
                    "pairs": merge.pairs,
                    **_plain_gain(merge.gain),
                }
                for merge in self.merges
            ],
            "annotators": [
                {
                    "annotator": each.annotator,
                    "documents": each.documents,
                    **_plain_gain(each.gain),
                }
                for each in self.annotators
            ],
            "notes": list(self.notes),
            "signature": str(self.signature),
        }

    def to_markdown(self) -> str:
        """Give what to decide first and all gains as Markdown tables, with the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> print(un.advise(text, draws=30, rng=1).to_markdown().splitlines()[2])
        | 0–2   |       1 | 100.0 % |
        """
        places = [
            [
                printable(
                    f"{group.document} {position(group.start)}–{position(group.end)}"
                ).strip(),
                f"{group.group:,}",
                percent(group.share, 1.0),
            ]
            for group in self.adjudicate
        ]
        parts = [markdown_table(["place", "group", "of all disorder"], places)] if places else []
        gains = gain_cells(self)
        if gains:
            parts.append(markdown_table(["change", "γ then", "gain", "Monte Carlo"], gains))
        return "\n\n".join([*parts, markdown_code(str(self.signature))])


def gain_cells(advice: Advice) -> list[list[str]]:
    """Give a line for each change that was tried: what, γ then, the gain, its interval.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.studies.advice_result import gain_cells
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> gain_cells(un.advise(text, draws=30, rng=1))[0][0]
    'merge A and B'
    """
    changes = [
        (f"merge {' and '.join(_named(label) for label in merge.labels)}", merge.gain)
        for merge in advice.merges
    ]
    changes += [(f"without {printable(each.annotator)}", each.gain) for each in advice.annotators]
    return [[what, *gain_words(gain)] for what, gain in changes]


def gain_words(gain: Gain) -> list[str]:
    """Give γ then, the gain and its interval in words.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.studies.advice_result import gain_words
    >>> gain_words(un.Gain(0.75, 0.05, None, None))
    ['0.7500', '+0.0500', '–']
    """
    if gain.undefined or gain.interval is None:
        return ["undefined" if gain.undefined else decimals(gain.value), gain.told, "–"]
    low, high = decimals(gain.interval.low), decimals(gain.interval.high)
    return [decimals(gain.value), gain.told, f"{low} to {high}".replace("-", "−")]


def _named(label: Label | None) -> str:
    return printable(label_text(label)) or "(no label)"


def _plain(value: object) -> object:
    return plain_number(value) if isinstance(value, float) else value


def _plain_gain(gain: Gain) -> dict[str, Any]:
    return {
        "value": plain_number(gain.value),
        "gain": plain_number(gain.gain),
        "interval": gain.interval.to_dict() if gain.interval else None,
        "certain": gain.certain,
        "undefined": gain.undefined,
    }


def _plain_group(group: GroupShare) -> dict[str, Any]:
    return {
        "document": group.document,
        "group": group.group,
        "start": group.start,
        "end": group.end,
        "parts": {name: plain_number(part) for name, part in group.parts._asdict().items()},
        "share": plain_number(group.share),
        "loss": plain_number(group.loss),
        "units": [
            None
            if unit is None
            else {
                "annotator": unit.annotator,
                "start": unit.start,
                "end": unit.end,
                "label": plain_label(unit.label),
            }
            for unit in group.units
        ],
    }
