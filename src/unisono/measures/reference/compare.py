"""A hypothesis against a reference: precision, recall and F1, slot errors and γ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import SettingError, setting
from unisono.measures.gamma.alignment import Columns, cheapest_pairs
from unisono.measures.gamma.gamma import gamma
from unisono.measures.reference.matching import (
    best_matching,
    candidate_pairs,
    documents_that_meet,
    refuse_nobody,
    sides_of,
)
from unisono.measures.reference.slot_errors import counted_slots, largest, slot_rate, slot_table
from unisono.measures.settings import check_number
from unisono.model.columns import known_labels
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import as_label, label_order, label_text
from unisono.results.agreement import Signature, outcome, uncertainty
from unisono.results.record import Record, label_keys, plain_label, plain_number
from unisono.results.render import Sheeted, markdown, text
from unisono.results.sheet import KINDS, Column, Fact, Headline, Sheet, Table, column
from unisono.results.wording import count, decimals, position, printable, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.result import GammaResult
    from unisono.measures.reference.matching import Candidates, Documents, Sides
    from unisono.measures.reference.slot_errors import SlotErrorRate
    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label
    from unisono.results.sheet import Row

    Pairs: TypeAlias = dict[Label | None, Label | None]

__all__ = [
    "Comparison",
    "MatchScores",
    "Score",
    "compare",
]

_MAPPINGS = ("mapping", "documents")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Sheeted, Record):
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
        lines = [text(Sheet(name="compare", tables=(_matching_table(self),)))]
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
        """Return the scores, the slot errors and γ as Markdown, with notes and signatures.

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
        return markdown(self.sheet())

    def problems(self) -> list[str]:
        """Return what a script must notice: that there was nothing to compare.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> un.compare(gold, gold, with_gamma=False).problems()
        []
        """
        has_units = any(self.exact.overall[1:])
        return [] if has_units else ["there is nothing to compare: neither side has units"]

    def sheet(
        self, *, title: str = "", level: Literal["exact", "tolerant", "overlap"] | None = None
    ) -> Sheet:
        """Return the one view of the comparison, which all renderings share.

        Labels and documents are shown under the rule ``level``; without it under the tolerance, if
        there is one.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
        >>> sheet = un.compare(gold, gold, with_gamma=False).sheet()
        >>> [table.name for table in sheet.tables if table.people]
        ['matching', 'label', 'slots']
        """
        rule = level or ("tolerant" if self.tolerance else "exact")
        tables = [_matching_table(self)]
        if len(self.exact.by_label) > 1:
            tables.append(_label_table(getattr(self, rule), f"label ({rule})"))
        tables.append(replace(slot_table(self.slots), reasons=()))
        family = None if self.gamma is None else self.gamma.sheet()
        if family is not None:
            tables += [one for one in family.tables if one.people and one.name == "measure"]
        if len(self.documents) > 1:
            tables.append(_document_table(self, rule))
        headline = [
            Headline("f1", self.exact.f1),
            Headline("slot_error_rate", self.slots.value),
            *(() if family is None else family.headline[:1]),
        ]
        return Sheet(
            name="compare",
            title=title,
            headline=tuple(headline),
            findings=() if family is None else family.findings,
            tables=(*tables, *_tables_for_programs(self)),
            facts=tuple(_facts(self, family)),
            notes=(*self.notes, *(() if family is None else family.notes)),
            signatures=(
                *(self.signature, self.slots.signature),
                *(() if family is None else family.signatures),
            ),
        )


_SCORES = tuple(
    Column(name=name, heading=heading, kind=KINDS["value"])
    for name, heading in (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
)
_FOUND, _REFERENCE, _HYPOTHESIS = (
    Column(name=name, heading=name, kind=KINDS["count"])
    for name in ("found", "reference", "hypothesis")
)
_CONFUSIONS_SHOWN = 3


def _scores(score: Score) -> Row:
    return score.precision, score.recall, score.f1


def _matching_table(result: Comparison) -> Table:
    """Return the table of rules for people, with labels and without."""
    names = {"tolerant": f"tolerant ±{position(result.tolerance)}"}
    named = [(names.get(level, level), of) for level, of in result.levels.items()]
    scored = [(name, of.overall) for name, of in named]
    # Without labels, or with one, the rows would be the same twice.
    if len(result.exact.by_label) > 1:
        scored += [(f"{name}, any label", of.any_label) for name, of in named]
    words = {"f1": "F1"}
    undefined = result.exact.overall.undefined
    return Table(
        name="matching",
        columns=(_text_column("matching"), *_SCORES, _FOUND),
        rows=[(name, *_scores(score), score.matched) for name, score in scored],
        reasons=[(words.get(name, name), reason) for name, reason in undefined.items()],
        programs=False,
    )


def _text_column(name: str) -> Column:
    return Column(name=name, heading=name, kind=KINDS["text"])


def _label_table(scores: MatchScores, heading: str) -> Table:
    """Return the table of labels for people: those with the most units, in their own order."""
    keys = label_keys(scores.by_label)
    shown = largest({label: max(score[1:]) for label, score in scores.by_label.items()})
    return Table(
        name="label",
        columns=(column("label", heading=heading), *_SCORES, _FOUND, _REFERENCE, _HYPOTHESIS),
        rows=[
            (keys[label], *_scores(scores.by_label[label]), *scores.by_label[label])
            for label in shown
        ],
        more=len(scores.by_label) - len(shown),
        programs=False,
    )


def _document_table(result: Comparison, rule: str) -> Table:
    """Return the table of documents for people, those with the lowest F1 first."""
    rows: list[Row] = []
    for name, of in result.documents.items():
        score: Score = getattr(of, rule).overall
        rows.append((name, *_scores(score), of.slots.value, _gamma_value(of), _units(score)))

    def worst_first(row: Row) -> tuple[float, str]:
        return math.inf if math.isnan(row[3]) else row[3], row[0]

    return Table(
        name="document",
        columns=(
            *(column("document"), *_SCORES),
            Column(name="slot_error_rate", heading="slot errors", kind=KINDS["value"]),
            Column(
                name="gamma",
                heading="γ",
                kind=KINDS["coefficient"],
                show="never" if result.gamma is None else "always",
            ),
            column("n_units", kind=replace(KINDS["text"], align="right")),
        ),
        rows=rows,
        limited=True,
        worst_first=worst_first,
        programs=False,
    )


def _gamma_value(result: Comparison) -> float | str | None:
    if result.gamma is None:
        return None
    return result.gamma.value if uncertainty(result.gamma) is None else outcome(result.gamma)


def _units(score: Score) -> str:
    return f"{score.n_reference:,}/{score.n_hypothesis:,}"


def _tables_for_programs(result: Comparison) -> Iterator[Table]:
    """Yield the whole, then the documents, with the same columns; by rule and label."""
    columns = (
        column("document"),
        *map(_text_column, ("matching", "labels")),
        *(column("label"), *_SCORES, _FOUND, _REFERENCE, _HYPOTHESIS),
        *(Column(name=n, heading=n, kind=KINDS["value"]) for n in ("slot_error_rate", "gamma")),
        column("signature"),
    )
    wholes = _rows_for_programs(None, result)
    documents = [
        row for name, of in result.documents.items() for row in _rows_for_programs(name, of)
    ]
    for scope, rows in (("all", list(wholes)), ("document", documents)):
        yield Table(name=scope, columns=columns, rows=rows, people=False)


def _rows_for_programs(name: str | None, one: Comparison) -> Iterator[Row]:
    whole = one.slots.value, None if one.gamma is None else one.gamma.value
    for rule, of in one.levels.items():
        keys = label_keys(of.by_label)
        yield name, rule, "all", None, *_scores(of.overall), *of.overall, *whole, one.signature
        others: list[tuple[str, str | None, Score]] = [("any", None, of.any_label)]
        others += [("label", keys[label], score) for label, score in of.by_label.items()]
        for kind, label, score in others:
            yield name, rule, kind, label, *_scores(score), *score, None, None, one.signature


def _facts(result: Comparison, family: Sheet | None) -> Iterator[Fact]:
    """Yield who is compared, the errors, what was taken for what, and how γ was computed."""
    if len(result.documents) > 1:
        yield Fact(column("n_documents"), len(result.documents))
    overall, slots = result.exact.overall, result.slots
    times = f" against each of {len(result.reference)}" if len(result.reference) > 1 else ""
    reference = f"{some(result.reference)}, {count(overall.n_reference, 'unit')}"
    hypothesis = f"{result.hypothesis}, {count(overall.n_hypothesis, 'unit')}{times}"
    yield Fact(_text_column("reference"), reference)
    yield Fact(_text_column("hypothesis"), hypothesis)
    rate = Column(name="slot_error_rate", heading="slot error rate", kind=KINDS["coefficient"])
    yield Fact(rate, slots.value, slots.undefined or "")
    yield Fact(_text_column("slots"), slots.counts.told())
    if slots.confusions:
        most = list(slots.confusions.items())
        told = "; ".join(
            f"{_label(first)} → {_label(second)} {number:,}"
            for (first, second), number in most[:_CONFUSIONS_SHOWN]
        )
        more = len(most) - _CONFUSIONS_SHOWN
        yield Fact(_text_column("confusions"), f"{told} and {more:,} more" if more > 0 else told)
    if result.mapping:
        pairs = "; ".join(f"{_label(old)} → {_label(new)}" for old, new in result.mapping.items())
        yield Fact(_text_column("mapping"), pairs)
    for fact in () if family is None else family.facts:
        heading = fact.column.heading
        if heading == "draws":
            drawn = f"{fact.text}, from the units of the reference alone"
            yield Fact(_text_column("draws"), drawn)
        elif heading not in ("documents", "units"):
            yield fact


def _label(label: Label | None) -> str:
    return label_text(label) or "(no label)"


class Joined(NamedTuple):
    """Both sides together, and who of the annotators are the reference."""

    data: Continuum | Corpus
    reference: tuple[str, ...]


def joined(documents: Documents) -> Joined:
    """Put both sides of every document into one continuum."""
    people = {name for side in documents.references.values() for name in side.annotators}
    together = {
        document: _together(reference, documents.hypotheses[document], people)
        for document, reference in documents.references.items()
    }
    reference = tuple(sorted(people))
    if documents.one_continuum:
        return Joined(next(iter(together.values())), reference)
    return Joined(Corpus.from_continua(together, skipped=documents.skipped), reference)


def _together(reference: Continuum, hypothesis: Continuum, people: set[str]) -> Continuum:
    (system,) = hypothesis.annotators
    while system in people:
        system += " (hypothesis)"
    names = np.repeat(np.array(reference.annotators, dtype=object), reference.counts).tolist()
    # A side that marked nothing need not know where the document is.
    extents = [side.extent for side in (reference, hypothesis) if len(side) or side.extent[1]]
    return Continuum.from_columns(
        [*names, *[system] * len(hypothesis)],
        np.concatenate((reference.starts, hypothesis.starts)),
        np.concatenate((reference.ends, hypothesis.ends)),
        [*_labels_of_units(reference), *_labels_of_units(hypothesis)],
        annotators=(*reference.annotators, system),
        extent=(min(low for low, _ in extents), max(high for _, high in extents))
        if extents
        else None,
    )


def _labels_of_units(continuum: Continuum) -> list[Label | None]:
    return [continuum.labels[code] for code in continuum.label_codes.tolist()]


LabelMapping: TypeAlias = (
    "Literal['best', 'by-document'] | Mapping[Label | None, Label | None] | None"
)
"""How labels of the hypothesis are taken for labels of the reference."""
# A pair may save the cost of two units alone, 2, counted in 2⁻⁴⁰; the last bit is for the name.
_STEPS = 2.0**39


class MappedDocuments(NamedTuple):
    """Documents whose hypothesis speaks the reference's language."""

    documents: Documents
    used: dict[str, Pairs]
    """For each document the labels that were taken for others."""
    unmapped: tuple[Label | None, ...] = ()
    """Labels of the hypothesis that stand for none."""


def check_mapping(mapping: object) -> None:
    """Refuse what is no mapping of labels."""
    if mapping is None or isinstance(mapping, Mapping):
        return
    if not isinstance(mapping, str):
        msg = f"mapping is 'best', 'by-document', a table of labels or None, got {mapping!r}"
        raise TypeError(msg)
    if mapping not in ("best", "by-document"):
        msg = (
            f"unknown mapping {mapping!r}; choose 'best', 'by-document', or give a table: label of "
            "the hypothesis to label of the reference"
        )
        raise SettingError(msg)


def mapping_told(mapping: LabelMapping) -> str:
    """Write a mapping for a signature."""
    if mapping is None or isinstance(mapping, str):
        return mapping or "none"
    pairs = sorted(
        ((as_label(old), as_label(new)) for old, new in mapping.items()),
        key=lambda pair: label_order(pair[0]),
    )
    return ",".join(f"{label_text(old)}>{label_text(new)}" for old, new in pairs)


def mapped(documents: Documents, mapping: LabelMapping) -> MappedDocuments:
    """Rename the labels of the hypothesis."""
    names = list(documents.references)
    if mapping is None:
        return MappedDocuments(documents, {name: {} for name in names})
    if isinstance(mapping, Mapping):
        known_labels(mapping, _labels_of_all(documents.hypotheses.values()))
        table = {as_label(old): as_label(new) for old, new in mapping.items()}
        tables = dict.fromkeys(names, table)
        return MappedDocuments(_renamed(documents, tables), tables)
    sides = sides_of(documents)
    scopes = [[name] for name in names] if mapping == "by-document" else [names]
    used: dict[str, Pairs] = {}
    renames: dict[str, Pairs] = {}
    unmapped: set[Label | None] = set()
    for scope, weights in zip(scopes, _overlap(sides, scopes), strict=True):
        table = _best_pairs(weights, sides.labels)
        reference = _labels_of_all(documents.references[name] for name in scope)
        hypothesis = _labels_of_all(documents.hypotheses[name] for name in scope)
        alone = hypothesis.difference(table)
        new_names = table | _freed(alone & reference, reference | hypothesis)
        unmapped |= alone
        used |= dict.fromkeys(scope, table)
        renames |= dict.fromkeys(scope, new_names)
    in_order = tuple(sorted(unmapped, key=label_order))
    return MappedDocuments(_renamed(documents, renames), used, in_order)


def _labels_of_all(continua: Iterable[Continuum]) -> set[Label | None]:
    return {label for continuum in continua for label in continuum.labels}


def _renamed(documents: Documents, tables: Mapping[str, Pairs]) -> Documents:
    return documents._replace(
        hypotheses={
            name: continuum.rename(
                labels={old: tables[name][old] for old in continuum.labels if old in tables[name]}
            )
            for name, continuum in documents.hypotheses.items()
        }
    )


def _overlap(sides: Sides, scopes: Sequence[Sequence[str]]) -> Floats:
    """Sum for each scope how long units of a label overlap units of another label."""
    pairs = candidate_pairs(sides.reference, sides.hypothesis)
    scope_of = {name: number for number, scope in enumerate(scopes) for name in scope}
    in_scope = np.array([scope_of[meeting.document] for meeting in sides.meetings], np.int64)
    size = len(sides.labels)
    codes = sides.reference.labels[pairs.left] * size + sides.hypothesis.labels[pairs.right]
    # Points overlap for no time at all: what has points only is counted.
    weights = pairs.common if pairs.common.any() else np.ones(len(codes))
    keys = in_scope[sides.reference.meetings[pairs.left]] * size**2 + codes
    summed = np.bincount(keys, weights, minlength=len(scopes) * size**2).astype(np.float64)
    return summed.reshape(len(scopes), size, size)


def _best_pairs(weights: Floats, labels: Sequence[Label | None]) -> Pairs:
    """Pair labels one to one so that the weights of the pairs sum to the most."""
    left, right = map(np.ascontiguousarray, np.nonzero(weights))
    if not len(left):
        return {}
    size = len(labels)
    at = np.tile(np.arange(size, dtype=np.float64), 2)
    columns = Columns(at, at, np.zeros(2 * size, np.int32), np.array([0, size, 2 * size]))
    shares = np.rint(weights[left, right] / weights.max() * (_STEPS - 1.0))
    # Of two equally good partners the one of the same name.
    worth = 2.0 * shares + (left == right)
    chosen = cheapest_pairs(columns, (left, right + size, 2.0 - worth / _STEPS))
    return {labels[new - size]: labels[old] for old, new in chosen.tolist()}


def _freed(
    colliding: Iterable[Label | None], taken: Iterable[Label | None]
) -> dict[Label | None, Label | None]:
    """Give other names to labels that are called like one they do not mean."""
    names = set(taken)
    freed: Pairs = {}
    for label in sorted(colliding, key=label_order):
        name = f"{label_text(label)} (unmatched)"
        while name in names:
            name += "'"
        names.add(name)
        freed[label] = name
    return freed


NO_HYPOTHESIS = "the hypothesis has no units"
NO_REFERENCE = "the reference has no units"
NO_UNITS = "neither side has units"


class Score(NamedTuple):
    """How many units were found, of how many there are and of how many were said to be there.

    Examples
    --------
    >>> import unisono as un
    >>> score = un.Score(matched=3, n_reference=4, n_hypothesis=6)
    >>> score.precision, score.recall, score.f1
    (0.5, 0.75, 0.6)
    >>> un.Score(matched=0, n_reference=4, n_hypothesis=0).undefined
    {'precision': 'the hypothesis has no units'}
    """

    matched: int
    n_reference: int
    n_hypothesis: int

    @property
    def precision(self) -> float:
        """Of the units of the hypothesis, the part that is right; NaN if there are none."""
        return self.matched / self.n_hypothesis if self.n_hypothesis else math.nan

    @property
    def recall(self) -> float:
        """Of the units of the reference, the part that was found; NaN if there are none."""
        return self.matched / self.n_reference if self.n_reference else math.nan

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall: 2·matched / all units; NaN without units."""
        units = self.n_reference + self.n_hypothesis
        return 2 * self.matched / units if units else math.nan

    @property
    def undefined(self) -> dict[str, str]:
        """Which of the three have no value, and why."""
        reasons = {}
        if not self.n_hypothesis:
            reasons["precision"] = NO_HYPOTHESIS
        if not self.n_reference:
            reasons["recall"] = NO_REFERENCE
        if not self.n_reference + self.n_hypothesis:
            reasons["f1"] = NO_UNITS
        return reasons

    def to_dict(self) -> dict[str, Any]:
        """Give the counts and the scores as plain data; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> un.Score(matched=1, n_reference=1, n_hypothesis=2).to_dict()["precision"]
        0.5
        """
        return {
            **self._asdict(),
            "precision": plain_number(self.precision),
            "recall": plain_number(self.recall),
            "f1": plain_number(self.f1),
            "undefined": self.undefined,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatchScores(Sheeted, Record):
    """Scores under one rule of what counts as found, in all and by label.

    Parameters
    ----------
    overall
        Over all units; labels must be the same.
    by_label
        For the units of each label.
    any_label
        Over all units, whatever their labels.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
    >>> system = un.Continuum.from_units([("system", 0, 5, "A"), ("system", 7, 9, "A")])
    >>> exact = un.compare(gold, system, with_gamma=False).exact
    >>> exact.f1, exact.any_label.f1, exact.by_label["A"].precision
    (0.5, 1.0, 0.5)
    """

    overall: Score
    by_label: Mapping[Label | None, Score]
    any_label: Score

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_label", MappingProxyType(dict(self.by_label)))

    @property
    def precision(self) -> float:
        """The precision over all units."""
        return self.overall.precision

    @property
    def recall(self) -> float:
        """The recall over all units."""
        return self.overall.recall

    @property
    def f1(self) -> float:
        """F1 over all units, often called micro F1."""
        return self.overall.f1

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the labels, each counting as much as any other; NaN without labels."""
        each = [score.f1 for score in self.by_label.values()]
        return math.fsum(each) / len(each) if each else math.nan

    def __hash__(self) -> int:
        return hash((self.overall, self.any_label))

    def to_dict(self) -> dict[str, Any]:
        """Give all scores as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> record = un.compare(gold, gold, with_gamma=False).exact.to_dict()
        >>> record["overall"]["f1"], record["by_label"]["A"]["matched"], record["macro_f1"]
        (1.0, 1, 1.0)
        """
        keys = label_keys(self.by_label)
        return {
            "overall": self.overall.to_dict(),
            "macro_f1": plain_number(self.macro_f1),
            "any_label": self.any_label.to_dict(),
            "by_label": {keys[label]: score.to_dict() for label, score in self.by_label.items()},
        }

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of the scores, which all renderings share.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> print(un.compare(gold, gold, with_gamma=False).exact.to_csv())
        scope,label,precision,recall,f1,found,reference,hypothesis
        all,,1.0,1.0,1.0,1,1,1
        any,,1.0,1.0,1.0,1,1,1
        label,A,1.0,1.0,1.0,1,1,1
        <BLANKLINE>
        """
        overall = {"all": self.overall, "any label": self.any_label}
        of_labels = _label_table(self, "label")
        whole = replace(
            of_labels,
            name="labels",
            columns=(_text_column("labels"), *of_labels.columns[1:]),
            rows=[(name, *_scores(score), *score) for name, score in overall.items()],
            more=0,
        )
        keys = label_keys(self.by_label)
        scopes: dict[str, list[tuple[str | None, Score]]] = {
            "all": [(None, self.overall)],
            "any": [(None, self.any_label)],
            "label": [(keys[label], score) for label, score in self.by_label.items()],
        }
        return Sheet(
            name="scores",
            title=title,
            headline=(Headline("f1", self.f1),),
            tables=(
                *(whole, of_labels),
                *(
                    Table(
                        name=scope,
                        columns=(column("label"), *of_labels.columns[1:]),
                        rows=[(key, *_scores(score), *score) for key, score in scored],
                        people=False,
                    )
                    for scope, scored in scopes.items()
                ),
            ),
        )


class Tallies(NamedTuple):
    """Units by document and label: those of either side, and those that were found."""

    labels: tuple[Label | None, ...]
    reference: Integers
    hypothesis: Integers
    found: dict[str, Integers]
    """For each rule."""
    found_anyhow: dict[str, Integers]
    """For each rule by document alone, labels aside."""


def tallies_of(
    sides: Sides, candidates: Candidates, documents: Sequence[str], tolerance: float
) -> Tallies:
    """Count what was found under each rule."""
    place = {name: number for number, name in enumerate(documents)}
    of_meeting = np.array([place[meeting.document] for meeting in sides.meetings], np.int64)
    size = len(sides.labels)

    def by_label(meetings: Integers, labels: Integers) -> Integers:
        keys = of_meeting[meetings] * size + labels
        counts = np.bincount(keys, minlength=len(documents) * size)
        return counts.reshape(len(documents), size)

    def matched(chosen: NDArray[np.bool_]) -> Integers:
        pairs = candidates.only(chosen)
        ones = np.ones(len(pairs.left), np.int64)
        return pairs.left[best_matching(sides.reference, sides.hypothesis, pairs, ones)]

    rules = {"exact": candidates.same_place, "tolerant": candidates.near}
    rules["overlap"] = candidates.intersect
    found: dict[str, Integers] = {}
    found_anyhow: dict[str, Integers] = {}
    for rule, holds in rules.items():
        if rule == "tolerant" and not tolerance:
            found[rule], found_anyhow[rule] = found["exact"], found_anyhow["exact"]
            continue
        rows = matched(holds & candidates.same_label)
        found[rule] = by_label(sides.reference.meetings[rows], sides.reference.labels[rows])
        in_documents = of_meeting[sides.reference.meetings[matched(holds)]]
        found_anyhow[rule] = np.bincount(in_documents, minlength=len(documents))
    return Tallies(
        sides.labels,
        by_label(sides.reference.meetings, sides.reference.labels),
        by_label(sides.hypothesis.meetings, sides.hypothesis.labels),
        found,
        found_anyhow,
    )


def scores_of(tallies: Tallies, rule: str, document: int | slice = slice(None)) -> MatchScores:
    """Make the scores of one document, or of all, under a rule."""
    matched, reference, hypothesis = (
        np.atleast_2d(table[document]).sum(axis=0)
        for table in (tallies.found[rule], tallies.reference, tallies.hypothesis)
    )
    columns = (matched.tolist(), reference.tolist(), hypothesis.tolist())
    totals = [sum(column) for column in columns]
    by_label = {
        label: Score(*line)
        for label, line in zip(tallies.labels, zip(*columns, strict=True), strict=True)
        if any(line)
    }
    anyhow = int(np.sum(tallies.found_anyhow[rule][document]))
    return MatchScores(
        overall=Score(*totals),
        by_label=by_label,
        any_label=Score(anyhow, totals[1], totals[2]),
    )


def compare(
    reference: Continuum | Corpus | str | Iterable[str],
    hypothesis: Continuum | Corpus | str,
    *,
    within: Continuum | Corpus | None = None,
    tolerance: float = 0.0,
    mapping: LabelMapping = None,
    with_gamma: bool = True,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    chance_precision: float = 0.02,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Say how well a hypothesis, such as the output of a system, finds what the reference has.

    Precision, recall and F1 under three rules of what counts as found, the slot error rate, and γ
    with chance from the reference alone.

    Parameters
    ----------
    reference
        A continuum or a corpus of one or more annotators, or with `within` their names. With
        several, the hypothesis is scored against each of them and the counts are summed.
    hypothesis
        The same kind of data, of one annotator. Documents of corpora are paired by name; a document
        that only the reference has counts as one where the hypothesis marked nothing, and one that
        only the hypothesis has is left out.
    within
        The data where these annotators are.
    tolerance
        A collar: by how much either bound may differ for a unit to be `tolerant`-ly found, and for
        its boundary to be no slot error.
    mapping
        For labels that are only names, such as those of speakers: ``"best"`` takes labels of the
        hypothesis for labels of the reference, one to one, so that units of paired labels overlap
        the longest; ``"by-document"`` does so in each document anew; a table says it, label of the
        hypothesis to label of the reference. Without it, labels mean the same on both sides.
    with_gamma
        Whether to compute γ, which takes the longest.
    dissimilarity, chance, draws, rng, workers, executor, progress
        Settings of γ, as in `gamma`.
    chance_precision
        The wished relative error of the expected disorder of γ: what `gamma` calls precision.

    Returns
    -------
    Comparison
        All scores with their counts, overall, by label and by document. What has no value is NaN,
        and says why.

    Raises
    ------
    DataError
        The hypothesis has several annotators, the sides have no document in common, or a table of
        labels names one that is not there.
    SettingError
        A setting cannot be used.

    Notes
    -----
    Under each rule units are paired one to one so that as many as possible are found; the pairing
    is exact, so it cannot depend on an order. Precision is found / units of the hypothesis, recall
    found / units of the reference, F1 = 2·found / all units [1]_.

    γ takes the annotators of the reference and the hypothesis together, with random continua made
    of the units of the reference only: a hypothesis that marks everywhere, or in a strange way,
    does not change what it is measured against.

    References
    ----------
    .. [1] van Rijsbergen, C. J. (1979). Information Retrieval (2nd ed.). Butterworths, chapter 7.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units(
    ...     [("gold", 0, 5, "ann"), ("gold", 5, 9, "bob"), ("gold", 9, 12, "ann")]
    ... )
    >>> system = un.Continuum.from_units(
    ...     [("system", 0, 5.1, "s1"), ("system", 5.1, 9, "s2"), ("system", 9, 14, "s1")]
    ... )
    >>> result = un.compare(gold, system, tolerance=0.2, mapping="best", rng=42)
    >>> dict(result.mapping)
    {'s1': 'ann', 's2': 'bob'}
    >>> for level, scores in result.levels.items():
    ...     print(f"{level:8} {scores.precision:.2f} {scores.recall:.2f} {scores.f1:.2f}")
    exact    0.00 0.00 0.00
    tolerant 0.67 0.67 0.67
    overlap  1.00 1.00 1.00
    >>> result.slots.value
    0.16666666666666666
    >>> result.gamma.signature["from"]
    'gold'
    """
    check_number("tolerance", tolerance, may_be_zero=True)
    check_mapping(mapping)
    met = refuse_nobody(documents_that_meet(reference, hypothesis, within))
    understood = mapped(met, mapping)
    documents = understood.documents
    sides = sides_of(documents)
    candidates = candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    family = None
    if with_gamma:
        together = joined(documents)
        family = gamma(
            together.data,
            dissimilarity=dissimilarity,
            chance=chance,
            chance_from=together.reference,
            precision=chance_precision,
            draws=draws,
            rng=rng,
            workers=workers,
            executor=executor,
            progress=progress,
        )
    parts = _Parts(
        documents,
        understood.used,
        tallies_of(sides, candidates, tuple(documents.references), tolerance),
        slot_rate(documents, sides, counted_slots(sides, candidates), tolerance),
        family,
        float(tolerance),
        (("tolerance", f"{tolerance:.12g}"), ("mapping", mapping_told(mapping))),
    )
    return parts.whole(met.digests, _notes(met, understood, mapping))


class _Parts(NamedTuple):
    """All that was measured, to be put together for the whole and for each document."""

    documents: Documents
    used: dict[str, Pairs]
    tallies: Tallies
    slots: SlotErrorRate
    family: GammaResult | None
    tolerance: float
    settings: tuple[tuple[str, str], ...]

    def whole(self, digests: tuple[str, str], notes: tuple[str, ...]) -> Comparison:
        """Put everything together."""
        one_continuum = self.documents.one_continuum
        of_documents = {
            name: self._comparison(
                number,
                self.slots if one_continuum else self.slots.documents[name],
                self.family if one_continuum or not self.family else self.family.documents[name],
                self.used[name],
                [name],
            )
            for number, name in enumerate(self.documents.references)
        }
        if one_continuum:
            (whole,) = of_documents.values()
        else:
            whole = self._comparison(
                slice(None), self.slots, self.family, self._shared(), list(of_documents)
            )
            whole = replace(whole, documents=of_documents)
        return replace(whole, notes=notes, signature=self._signature(digests))

    def _comparison(
        self,
        document: int | slice,
        slots: SlotErrorRate,
        family: GammaResult | None,
        mapping: Pairs,
        names: list[str],
    ) -> Comparison:
        references = [self.documents.references[name] for name in names]
        hypotheses = [self.documents.hypotheses[name] for name in names]
        return Comparison(
            exact=scores_of(self.tallies, "exact", document),
            tolerant=scores_of(self.tallies, "tolerant", document),
            overlap=scores_of(self.tallies, "overlap", document),
            slots=slots,
            gamma=family,
            tolerance=self.tolerance,
            mapping=mapping,
            reference=tuple(sorted({who for side in references for who in side.annotators})),
            hypothesis=hypotheses[0].annotators[0],
            signature=self._signature((references[0].digest[:8], hypotheses[0].digest[:8])),
        )

    def _shared(self) -> Pairs:
        """Give the labels that all documents map alike; nothing where each has its own."""
        tables = list(self.used.values())
        return tables[0] if all(table == tables[0] for table in tables) else {}

    def _signature(self, digests: tuple[str, str]) -> Signature:
        reference, hypothesis = digests
        data = (("reference", reference), ("hypothesis", hypothesis), ("v", __version__))
        return Signature("compare", (*self.settings, *data))


def _notes(
    documents: Documents, understood: MappedDocuments, mapping: LabelMapping
) -> tuple[str, ...]:
    notes = list(documents.notes)
    if understood.unmapped:
        names = [label_text(label) or "(no label)" for label in understood.unmapped]
        where = " in some documents" if mapping == "by-document" else ""
        notes.append(
            f"{count(len(names), 'label')} of the hypothesis without a counterpart{where}: "
            f"{some(names)}"
        )
    sides = (documents.references.values(), documents.hypotheses.values())
    reference, hypothesis = (
        {label for continuum in side for label in continuum.labels} for side in sides
    )
    if mapping is None and reference and hypothesis and not reference & hypothesis:
        cure = setting("mapping", "best")
        notes.append(
            "no label of the hypothesis is one of the reference; if they are mere names, such as "
            f"those of speakers, say {cure}"
        )
    return tuple(notes)
