"""What ``compare`` returns: scores under three rules, slot errors, and γ."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from unisono.results.markdown import markdown_code, markdown_table, markdown_text
from unisono.results.record import plain_label
from unisono.results.records import Record
from unisono.results.rows import padded
from unisono.results.wording import count, decimals, position, printable, some
from unisono.results.written import InMarkdown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.measures.reference.scores import MatchScores, Score
    from unisono.measures.reference.slot_errors import SlotErrorRate
    from unisono.model.labels import Label
    from unisono.results.signature import Signature


_MAPPINGS = ("mapping", "documents")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Record, InMarkdown):
    """How well a hypothesis finds what the reference has.

    Parameters
    ----------
    exact
        Scores where bounds and labels must be the same.
    tolerant
        Scores where bounds may differ by the tolerance; with a tolerance of 0 the same as `exact`.
    overlap
        Scores where units of the same label need only intersect.
    slots
        The slot error rate, with the errors of each kind and the matching.
    gamma
        γ of both sides, with chance from the reference alone; ``None`` if it was not asked for.
    tolerance
        By how much bounds may differ, in `tolerant` and in `slots`.
    mapping
        The labels of the hypothesis that were taken for labels of the reference. Empty for a corpus
        where each document has its own.
    reference, hypothesis
        Who is compared: the annotators of the reference, and the one of the hypothesis.
    documents
        The same for each document of a corpus.
    notes
        Sentences a reader of the values should know.
    signature
        Every setting that can move the scores; γ and the slot error rate have their own.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
    >>> system = un.Continuum.from_units([("system", 0, 4, "A"), ("system", 7, 9, "B")])
    >>> result = un.compare(gold, system, with_gamma=False)
    >>> result
    Comparison(F1 0.5000 exact, 1.0000 overlap; 2 units of the reference, 2 of the hypothesis)
    >>> result.exact.precision, result.overlap.recall, result.slots.value
    (0.5, 1.0, 0.25)
    """

    exact: MatchScores
    tolerant: MatchScores
    overlap: MatchScores
    slots: SlotErrorRate
    gamma: GammaResult | None = None
    tolerance: float = 0.0
    mapping: Mapping[Label | None, Label | None] = field(default_factory=dict)
    reference: tuple[str, ...]
    hypothesis: str
    documents: Mapping[str, Comparison] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    signature: Signature

    def __post_init__(self) -> None:
        for name in _MAPPINGS:
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for name in ("reference", "notes"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    @property
    def levels(self) -> dict[str, MatchScores]:
        """The scores by the name of their rule; without `tolerant` where the tolerance is 0.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> list(un.compare(gold, gold, tolerance=0.5, with_gamma=False).levels)
        ['exact', 'tolerant', 'overlap']
        """
        found = {"exact": self.exact, "tolerant": self.tolerant, "overlap": self.overlap}
        if not self.tolerance:
            del found["tolerant"]
        return found

    def __repr__(self) -> str:
        scores = ", ".join(f"{decimals(of.f1)} {level}" for level, of in self.levels.items())
        overall = self.exact.overall
        units = f"{count(overall.n_reference, 'unit')} of the reference"
        return f"Comparison(F1 {scores}; {units}, {overall.n_hypothesis:,} of the hypothesis)"

    def __str__(self) -> str:
        lines = ["  ".join(line).rstrip() for line in padded(*level_columns(self))]
        slots = (
            f"slot error rate undefined: {self.slots.undefined}"
            if self.slots.undefined
            else f"slot error rate {decimals(self.slots.value)}: {self.slots.counts.told()}"
        )
        lines.append(slots)
        if self.gamma is not None:
            lines.append(str(self.gamma))
        return "\n".join([*lines, *map(printable, self.notes), str(self.signature)])

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data; NaN becomes ``None``.

        Slot errors and γ of the documents stand in ``documents``, not in ``slots`` and ``gamma``.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> record = un.compare(gold, gold, with_gamma=False).to_dict()
        >>> record["exact"]["overall"]["f1"], record["slots"]["value"], record["gamma"]
        (1.0, 0.0, None)
        """
        gamma = None if self.gamma is None else self.gamma.to_dict()
        slots = self.slots.to_dict()
        if gamma is not None:
            del gamma["documents"]
        del slots["documents"]
        return {
            "exact": self.exact.to_dict(),
            "tolerant": self.tolerant.to_dict(),
            "overlap": self.overlap.to_dict(),
            "slots": slots,
            "gamma": gamma,
            "tolerance": self.tolerance,
            "mapping": [
                {"hypothesis": plain_label(old), "reference": plain_label(new)}
                for old, new in self.mapping.items()
            ],
            "reference": list(self.reference),
            "hypothesis": self.hypothesis,
            "notes": list(self.notes),
            "signature": str(self.signature),
            "documents": {name: of.to_dict() for name, of in self.documents.items()},
        }

    def to_markdown(self) -> str:
        """Give the scores, the slot errors and γ as Markdown, with notes and signatures.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> print(un.compare(gold, gold, with_gamma=False).to_markdown())
        | matching | precision | recall |     F1 | found |
        | :------- | --------: | -----: | -----: | ----: |
        | exact    |    1.0000 | 1.0000 | 1.0000 |     1 |
        ...
        """
        parts = [markdown_table(*level_columns(self))]
        facts = [f"{name}: {fact}" for name, fact in who_is_compared(self)]
        told = [*facts, *undefined_scores(self), *map(printable, self.notes)]
        parts.append("\n".join(f"- {markdown_text(line)}" for line in told))
        parts.append(markdown_code(str(self.signature)))
        parts.append(self.slots.to_markdown())
        if self.gamma is not None:
            parts.append(self.gamma.to_markdown())
        return "\n\n".join(parts)


def level_columns(result: Comparison) -> tuple[list[str], list[list[str]]]:
    """Give the headings and the cells of a table with one rule a line, with labels and without.

    Parameters
    ----------
    result
        What ``compare`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.reference.comparison_result import level_columns
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
    >>> level_columns(un.compare(gold, gold, with_gamma=False))[1][1]
    ['overlap', '1.0000', '1.0000', '1.0000', '1']
    """
    names = {"tolerant": f"tolerant ±{position(result.tolerance)}"}
    cells = [
        score_cells(names.get(level, level), of.overall)[:-2] for level, of in result.levels.items()
    ]
    # Without labels, or with one, the rows would be the same twice.
    if len(result.exact.by_label) > 1:
        cells += [
            score_cells(f"{names.get(level, level)}, any label", of.any_label)[:-2]
            for level, of in result.levels.items()
        ]
    return ["matching", "precision", "recall", "F1", "found"], cells


def who_is_compared(result: Comparison) -> list[tuple[str, str]]:
    """Say who the two sides are, and how many units each has.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.reference.comparison_result import who_is_compared
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
    >>> who_is_compared(un.compare(gold, gold, with_gamma=False))
    [('reference', 'gold, 1 unit'), ('hypothesis', 'gold, 1 unit')]
    """
    overall = result.exact.overall
    times = f" against each of {len(result.reference)}" if len(result.reference) > 1 else ""
    units = overall.n_hypothesis
    return [
        ("reference", f"{some(result.reference)}, {count(overall.n_reference, 'unit')}"),
        ("hypothesis", f"{printable(result.hypothesis)}, {count(units, 'unit')}{times}"),
    ]


def score_cells(name: str, score: Score) -> list[str]:
    """Give the cells of one line of scores.

    Examples
    --------
    >>> from unisono.measures.reference.comparison_result import score_cells
    >>> from unisono.measures.reference.scores import Score
    >>> score_cells("PER", Score(matched=1, n_reference=2, n_hypothesis=0))
    ['PER', '–', '0.5000', '1.0000', '1', '2', '0']
    """
    values = (score.precision, score.recall, score.f1)
    return [printable(name), *map(decimals, values), *(f"{number:,}" for number in score)]


def undefined_scores(result: Comparison) -> list[str]:
    """Say which scores have no value, and why.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.reference.comparison_result import undefined_scores
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
    >>> nothing = un.Continuum.from_units([], annotators=["system"])
    >>> undefined_scores(un.compare(gold, nothing, with_gamma=False))
    ['precision is undefined: the hypothesis has no units']
    """
    words = {"f1": "F1"}
    return [
        f"{words.get(name, name)} is undefined: {reason}"
        for name, reason in result.exact.overall.undefined.items()
    ]
