"""Comparison of a hypothesis with a reference: precision, recall, F1, slot errors and γ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import check_choice, setting
from unisono.measures.data import of_data
from unisono.measures.gamma.alignment import Columns, cheapest_pairs
from unisono.measures.gamma.gamma import gamma
from unisono.measures.gamma.result import gamma_symbol
from unisono.measures.reference.matching import (
    best_matching,
    candidate_pairs,
    pair_documents,
    pair_units,
    require_annotator,
)
from unisono.measures.reference.slot_errors import counted_slots, largest, slot_rate, slot_table
from unisono.model.columns import known_labels
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import as_label, label_order, label_text
from unisono.registry import check_settings
from unisono.results.agreement import OneValue, SeveralValues, certain_value
from unisono.results.data import OfData
from unisono.results.record import (
    label_keys,
    part,
    plain_label,
    plain_number,
    record,
    without_documents,
)
from unisono.results.render import text
from unisono.results.sheet import KINDS, Column, Fact, Headline, Sheet, Table, column
from unisono.results.values import Signature
from unisono.results.wording import count, decimals, position, printable, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.measures.reference.matching import Candidates, Documents, PairedUnits
    from unisono.measures.reference.slot_errors import SlotErrorRate
    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label
    from unisono.results.record import PlainLabel
    from unisono.results.sheet import Row
    from unisono.results.values import Approximate, Uncertain

    Pairs: TypeAlias = dict[Label | None, Label | None]

__all__ = [
    "Comparison",
    "MatchScore",
    "MatchScores",
    "compare",
]


class MappedLabel(NamedTuple):
    """A label of the hypothesis, and the label of the reference it is mapped to."""

    hypothesis_label: PlainLabel
    reference_label: PlainLabel


def _mapped(mapping: Mapping[Label | None, Label | None]) -> list[MappedLabel]:
    return [MappedLabel(plain_label(old), plain_label(new)) for old, new in mapping.items()]


@record
class Comparison(OfData, SeveralValues["MatchScores | SlotErrorRate | GammaAgreement"]):
    """Scores of a hypothesis against a reference.

    A mapping of the names of measures to their results: ``f1`` (`exact`), ``slot_error_rate``
    (`slots`) and, if requested, ``gamma``.

    Parameters
    ----------
    exact
        Scores if matched units need equal bounds and labels.
    tolerant
        Scores if bounds may differ by the tolerance; equal to `exact` for a tolerance of 0.
    overlap
        Scores if matched units need equal labels and an intersection.
    slots
        The slot error rate, with the errors by kind and the matching.
    gamma
        γ of both sides, with chance from the reference alone; ``None`` if not requested.
    tolerance
        The maximum difference of bounds, for `tolerant` and `slots`.
    mapping
        The mapping of labels of the hypothesis to labels of the reference. Empty for a corpus if
        documents have different mappings.
    reference, hypothesis
        The annotators of the reference, and the annotator of the hypothesis.
    documents
        The comparison of each document of a corpus.
    notes
        Remarks on the reliability of the values.
    signature
        All settings that affect the scores; γ and the slot error rate have their own signatures.

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
    >>> {name: float(of) for name, of in result.items()}
    {'f1': 0.5, 'slot_error_rate': 0.25}
    """

    exact: MatchScores
    tolerant: MatchScores
    overlap: MatchScores
    slots: SlotErrorRate = field(metadata=part(json=without_documents))
    gamma: GammaAgreement | None = field(default=None, metadata=part(json=without_documents))
    tolerance: float = 0.0
    mapping: Mapping[Label | None, Label | None] = field(
        default_factory=dict, metadata=part(json=_mapped)
    )
    reference: tuple[str, ...]
    hypothesis: str
    documents: Mapping[str, Comparison] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    signature: Signature

    @property
    def by_measure(self) -> Mapping[str, MatchScores | SlotErrorRate | GammaAgreement]:
        """The results by name of the measure.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> un.compare(gold, gold, with_gamma=False)["f1"].value
        1.0
        """
        found: dict[str, MatchScores | SlotErrorRate | GammaAgreement]
        found = {"f1": self.exact, "slot_error_rate": self.slots}
        return found if self.gamma is None else {**found, "gamma": self.gamma}

    @property
    def levels(self) -> dict[str, MatchScores]:
        """The scores by matching level; without `tolerant` if the tolerance is 0.

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
            else f"slot error rate {decimals(self.slots.value)}: {self.slots.counts.as_text()}"
        )
        lines.append(slots)
        if self.gamma is not None:
            lines.append(str(self.gamma))
        return "\n".join([*lines, *map(printable, self.notes), str(self.signature)])

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: there are no units.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> un.compare(gold, gold, with_gamma=False).problems()
        []
        """
        has_units = any(self.exact.overall[1:])
        return [] if has_units else ["no comparison: neither side has units"]

    def sheet(
        self, *, title: str = "", level: Literal["exact", "tolerant", "overlap"] | None = None
    ) -> Sheet:
        """Return the `Sheet` of the comparison, from which all outputs are rendered.

        The tables of labels and documents show the scores of ``level``, by default ``"tolerant"``
        if there is a tolerance, and ``"exact"`` otherwise.

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
            Headline("f1", self.exact.f1, detail="exact: the same bounds and label"),
            Headline(
                "f1", self.overlap.f1, detail="overlap: the same label and overlapping bounds"
            ),
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
_COUNTED = tuple(
    Column(name=name, heading=heading, kind=KINDS["count"])
    for name, heading in (
        *(("matched", "found"), ("n_reference", "reference"), ("n_hypothesis", "hypothesis")),
    )
)
_CONFUSIONS_SHOWN = 3


def _scores(score: MatchScore) -> Row:
    return score.precision, score.recall, score.f1


def _matching_table(result: Comparison) -> Table:
    """Return the table of matching levels for people, with and without labels."""
    names = {"tolerant": f"tolerant ±{position(result.tolerance)}"}
    named = [(names.get(level, level), of) for level, of in result.levels.items()]
    scored = [(name, of.overall) for name, of in named]
    # With fewer than two labels the rows would be identical.
    if len(result.exact.by_label) > 1:
        scored += [(f"{name}, any label", of.any_label) for name, of in named]
    words = {"f1": "F1"}
    undefined = result.exact.overall.reasons
    return Table(
        name="matching",
        columns=(_text_column("matching"), *_SCORES, _COUNTED[0]),
        rows=[(name, *_scores(score), score.matched) for name, score in scored],
        reasons=[(words.get(name, name), reason) for name, reason in undefined.items()],
        programs=False,
    )


def _text_column(name: str) -> Column:
    return Column(name=name, heading=name, kind=KINDS["text"])


def _label_table(scores: MatchScores, heading: str) -> Table:
    """Return the table of labels for people: those with the most units, in their order."""
    keys = label_keys(scores.by_label)
    shown = largest({label: max(score[1:]) for label, score in scores.by_label.items()})
    return Table(
        name="label",
        columns=(column("label", heading=heading), *_SCORES, *_COUNTED),
        rows=[
            (keys[label], *_scores(scores.by_label[label]), *scores.by_label[label])
            for label in shown
        ],
        more=len(scores.by_label) - len(shown),
        programs=False,
    )


def _document_table(result: Comparison, rule: str) -> Table:
    """Return the table of documents for people, in ascending order of F1."""
    rows: list[Row] = []
    for name, of in result.documents.items():
        score: MatchScore = getattr(of, rule).overall
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
                heading="γ" if result.gamma is None else gamma_symbol(result.gamma),
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


def _gamma_value(result: Comparison) -> float | Approximate | Uncertain | None:
    return None if result.gamma is None else certain_value(result.gamma)


def _units(score: MatchScore) -> str:
    return f"{score.n_reference:,}/{score.n_hypothesis:,}"


def _tables_for_programs(result: Comparison) -> Iterator[Table]:
    """Yield the tables of totals and of documents, by matching level and label."""
    columns = (
        column("document"),
        *map(_text_column, ("match", "scores")),
        *(column("label"), *_SCORES, *_COUNTED),
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
        others: list[tuple[str, str | None, MatchScore]] = [("any", None, of.any_label)]
        others += [("label", keys[label], score) for label, score in of.by_label.items()]
        for kind, label, score in others:
            yield name, rule, kind, label, *_scores(score), *score, None, None, one.signature


_SLOT_COLUMNS = (
    *("document", "kind", "reference_start", "reference_end", "reference_label"),
    *("hypothesis_start", "hypothesis_end", "hypothesis_label"),
)


def matched_slots(result: Comparison) -> tuple[tuple[str, ...], Iterator[Row]] | None:
    """Return headings and one row per slot; `None` if the reference has several annotators."""
    matchings = {
        name: one.slots.matching for name, one in (result.documents or {"": result}).items()
    }
    known = {name: each for name, each in matchings.items() if each is not None}
    if len(known) < len(matchings):
        return None
    rows = ((name, *row) for name, each in known.items() for row in each.rows())
    return _SLOT_COLUMNS, ((*r[:4], label_text(r[4]), *r[5:7], label_text(r[7])) for r in rows)


def _facts(result: Comparison, family: Sheet | None) -> Iterator[Fact]:
    """Yield the facts on both sides, slot errors, mapped labels and γ."""
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
    yield Fact(_text_column("slots"), slots.counts.as_text())
    if slots.confusions:
        most = list(slots.confusions.items())
        pairs = "; ".join(
            f"{_label(first)} → {_label(second)} {number:,}"
            for (first, second), number in most[:_CONFUSIONS_SHOWN]
        )
        more = len(most) - _CONFUSIONS_SHOWN
        yield Fact(_text_column("confusions"), f"{pairs} and {more:,} more" if more > 0 else pairs)
    if result.mapping:
        pairs = "; ".join(f"{_label(old)} → {_label(new)}" for old, new in result.mapping.items())
        yield Fact(_text_column("mapping"), pairs)
    for fact in () if family is None else family.facts:
        if fact.column.name == "draws":
            about = ("from the units of the reference only", fact.detail)
            yield fact._replace(detail="; ".join(filter(None, about)))
        elif fact.column.name not in ("n_documents", "n_units"):
            yield fact


def _label(label: Label | None) -> str:
    return label_text(label) or "(no label)"


class MergedData(NamedTuple):
    """Both sides in one data set, and the annotators of the reference."""

    data: Continuum | Corpus
    reference: tuple[str, ...]


def merge_sides(documents: Documents) -> MergedData:
    """Merge both sides of every document into one continuum."""
    names = {name for side in documents.references.values() for name in side.annotators}
    merged = {
        document: _merge_continua(reference, documents.hypotheses[document], names)
        for document, reference in documents.references.items()
    }
    reference = tuple(sorted(names))
    if documents.one_continuum:
        return MergedData(next(iter(merged.values())), reference)
    corpus = Corpus.from_continua(merged, interpretation=documents.interpretation)
    return MergedData(corpus, reference)


def _merge_continua(reference: Continuum, hypothesis: Continuum, taken: set[str]) -> Continuum:
    (system,) = hypothesis.annotators
    while system in taken:
        system += " (hypothesis)"
    names = np.repeat(np.array(reference.annotators, dtype=object), reference.counts).tolist()
    # A side without units may have the default extent, which is ignored.
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
"""The mapping of labels of the hypothesis to labels of the reference."""
# The kernel counts costs in units of 2⁻⁴⁰, and a pair can save 2; the last bit is for equal names.
_STEPS = 2.0**39


class MappedDocuments(NamedTuple):
    """Documents with the labels of the hypothesis mapped to those of the reference."""

    documents: Documents
    used: dict[str, Pairs]
    """The mapping of labels by document."""
    unmapped: tuple[Label | None, ...] = ()
    """Labels of the hypothesis without a counterpart."""


def check_mapping(mapping: object) -> None:
    """Raise an error unless the value is a valid mapping of labels."""
    if mapping is None or isinstance(mapping, Mapping):
        return
    if not isinstance(mapping, str):
        msg = f"mapping must be 'best', 'by-document', a mapping or None, got {mapping!r}"
        raise TypeError(msg)
    table = "pass a mapping of labels of the hypothesis to labels of the reference"
    check_choice("mapping", mapping, ("best", "by-document"), table)


def mapping_text(mapping: LabelMapping) -> str:
    """Return a mapping as text for a signature."""
    if mapping is None or isinstance(mapping, str):
        return mapping or "none"
    pairs = sorted(
        ((as_label(old), as_label(new)) for old, new in mapping.items()),
        key=lambda pair: label_order(pair[0]),
    )
    return ",".join(f"{label_text(old)}>{label_text(new)}" for old, new in pairs)


def map_labels(documents: Documents, mapping: LabelMapping) -> MappedDocuments:
    """Map the labels of the hypothesis to labels of the reference."""
    names = list(documents.references)
    if mapping is None:
        return MappedDocuments(documents, {name: {} for name in names})
    if isinstance(mapping, Mapping):
        known_labels(mapping, _labels_of_all(documents.hypotheses.values()))
        table = {as_label(old): as_label(new) for old, new in mapping.items()}
        tables = dict.fromkeys(names, table)
        return MappedDocuments(_renamed(documents, tables), tables)
    sides = pair_units(documents)
    scopes = [[name] for name in names] if mapping == "by-document" else [names]
    used: dict[str, Pairs] = {}
    renames: dict[str, Pairs] = {}
    unmapped: set[Label | None] = set()
    for scope, weights in zip(scopes, _overlap(sides, scopes), strict=True):
        table = _best_pairs(weights, sides.labels)
        reference = _labels_of_all(documents.references[name] for name in scope)
        hypothesis = _labels_of_all(documents.hypotheses[name] for name in scope)
        without_partner = hypothesis.difference(table)
        new_names = table | _unique_names(without_partner & reference, reference | hypothesis)
        unmapped |= without_partner
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


def _overlap(sides: PairedUnits, scopes: Sequence[Sequence[str]]) -> Floats:
    """Return the total length of overlap of each pair of labels, for each scope."""
    pairs = candidate_pairs(sides.reference, sides.hypothesis)
    scope_of = {name: number for number, scope in enumerate(scopes) for name in scope}
    in_scope = np.array([scope_of[pair.document] for pair in sides.document_pairs], np.int64)
    size = len(sides.labels)
    codes = sides.reference.labels[pairs.left] * size + sides.hypothesis.labels[pairs.right]
    # Points have no length of overlap: if there are only points, pairs are counted.
    weights = pairs.common if pairs.common.any() else np.ones(len(codes))
    keys = in_scope[sides.reference.document_pairs[pairs.left]] * size**2 + codes
    summed = np.bincount(keys, weights, minlength=len(scopes) * size**2).astype(np.float64)
    return summed.reshape(len(scopes), size, size)


def _best_pairs(weights: Floats, labels: Sequence[Label | None]) -> Pairs:
    """Return the one-to-one mapping of labels with the maximum total weight."""
    left, right = map(np.ascontiguousarray, np.nonzero(weights))
    if not len(left):
        return {}
    size = len(labels)
    at = np.tile(np.arange(size, dtype=np.float64), 2)
    columns = Columns(at, at, np.zeros(2 * size, np.int32), np.array([0, size, 2 * size]))
    shares = np.rint(weights[left, right] / weights.max() * (_STEPS - 1.0))
    # Ties are resolved in favour of equal names.
    gains = 2.0 * shares + (left == right)
    chosen = cheapest_pairs(columns, (left, right + size, 2.0 - gains / _STEPS))
    return {labels[new - size]: labels[old] for old, new in chosen.tolist()}


def _unique_names(
    colliding: Iterable[Label | None], taken: Iterable[Label | None]
) -> dict[Label | None, Label | None]:
    """Return new names for labels with the name of a label they are not mapped to."""
    names = set(taken)
    new_names: Pairs = {}
    for label in sorted(colliding, key=label_order):
        name = f"{label_text(label)} (unmatched)"
        while name in names:
            name += "'"
        names.add(name)
        new_names[label] = name
    return new_names


NO_HYPOTHESIS = "the hypothesis has no units"
NO_REFERENCE = "the reference has no units"
NO_UNITS = "neither side has units"


class MatchScore(NamedTuple):
    """Precision, recall and F1 with the numbers of matched units and of units of both sides.

    Examples
    --------
    >>> import unisono as un
    >>> score = un.results.MatchScore(matched=3, n_reference=4, n_hypothesis=6)
    >>> score.precision, score.recall, score.f1
    (0.5, 0.75, 0.6)
    >>> un.results.MatchScore(matched=0, n_reference=4, n_hypothesis=0).reasons
    {'precision': 'the hypothesis has no units'}
    """

    matched: int
    n_reference: int
    n_hypothesis: int

    @property
    def precision(self) -> float:
        """The share of the units of the hypothesis that are matched; NaN if there are none."""
        return self.matched / self.n_hypothesis if self.n_hypothesis else math.nan

    @property
    def recall(self) -> float:
        """The share of the units of the reference that are matched; NaN if there are none."""
        return self.matched / self.n_reference if self.n_reference else math.nan

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall: 2·matched / all units; NaN without units."""
        units = self.n_reference + self.n_hypothesis
        return 2 * self.matched / units if units else math.nan

    @property
    def reasons(self) -> dict[str, str]:
        """The reasons why precision, recall or F1 are undefined, by name."""
        reasons = {}
        if not self.n_hypothesis:
            reasons["precision"] = NO_HYPOTHESIS
        if not self.n_reference:
            reasons["recall"] = NO_REFERENCE
        if not self.n_reference + self.n_hypothesis:
            reasons["f1"] = NO_UNITS
        return reasons

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and the scores as plain data; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> un.results.MatchScore(matched=1, n_reference=1, n_hypothesis=2).to_dict()["precision"]
        0.5
        """
        return {
            **self._asdict(),
            "precision": plain_number(self.precision),
            "recall": plain_number(self.recall),
            "f1": plain_number(self.f1),
            "reasons": self.reasons,
        }


@record
class MatchScores(OneValue, OfData):
    """Scores at one matching level, overall and by label.

    Parameters
    ----------
    value
        F1 of all units.
    undefined
        The reason why F1 is undefined; ``None`` if it is defined.
    overall
        Scores of all units; matched units need equal labels.
    by_label
        Scores of the units of each label.
    any_label
        Scores of all units, without regard to labels.
    signature
        All settings that affect the scores.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
    >>> system = un.Continuum.from_units([("system", 0, 5, "A"), ("system", 7, 9, "A")])
    >>> exact = un.compare(gold, system, with_gamma=False).exact
    >>> exact
    MatchScores(0.5000, precision=0.5000, recall=0.5000)
    >>> exact.f1, exact.any_label.f1, exact.by_label["A"].precision
    (0.5, 1.0, 0.5)
    """

    value: float
    undefined: str | None = None
    overall: MatchScore
    by_label: Mapping[Label | None, MatchScore]
    any_label: MatchScore
    signature: Signature

    summary = ("value", "precision", "recall")
    computed = ("macro_f1",)

    @property
    def precision(self) -> float:
        """The precision of all units."""
        return self.overall.precision

    @property
    def recall(self) -> float:
        """The recall of all units."""
        return self.overall.recall

    @property
    def f1(self) -> float:
        """F1 of all units (micro F1), as `value`."""
        return self.value

    @property
    def macro_f1(self) -> float:
        """The unweighted mean F1 of the labels (macro F1); NaN without labels."""
        each = [score.f1 for score in self.by_label.values()]
        return math.fsum(each) / len(each) if each else math.nan

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the scores, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> print(un.compare(gold, gold, with_gamma=False).exact.to_csv())
        scope,label,precision,recall,f1,matched,n_reference,n_hypothesis
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
        scopes: dict[str, list[tuple[str | None, MatchScore]]] = {
            "all": [(None, self.overall)],
            "any": [(None, self.any_label)],
            "label": [(keys[label], score) for label, score in self.by_label.items()],
        }
        return Sheet(
            name="scores",
            title=title,
            headline=(Headline("f1", self.f1),),
            signatures=(self.signature,),
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
    """Numbers of units by document and label: of both sides, and matched ones."""

    labels: tuple[Label | None, ...]
    reference: Integers
    hypothesis: Integers
    found: dict[str, Integers]
    """By matching level."""
    found_any_label: dict[str, Integers]
    """By matching level and document, without regard to labels."""


def tallies_of(
    sides: PairedUnits, candidates: Candidates, documents: Sequence[str], tolerance: float
) -> Tallies:
    """Count the matched units at each matching level."""
    place = {name: number for number, name in enumerate(documents)}
    document_of_pair = np.array([place[pair.document] for pair in sides.document_pairs], np.int64)
    size = len(sides.labels)

    def by_label(document_pairs: Integers, labels: Integers) -> Integers:
        keys = document_of_pair[document_pairs] * size + labels
        counts = np.bincount(keys, minlength=len(documents) * size)
        return counts.reshape(len(documents), size)

    def matched(chosen: NDArray[np.bool_]) -> Integers:
        pairs = candidates.only(chosen)
        ones = np.ones(len(pairs.left), np.int64)
        return pairs.left[best_matching(sides.reference, sides.hypothesis, pairs, ones)]

    rules = {"exact": candidates.same_place, "tolerant": candidates.near}
    rules["overlap"] = candidates.intersect
    found: dict[str, Integers] = {}
    found_any_label: dict[str, Integers] = {}
    for rule, fulfilled in rules.items():
        if rule == "tolerant" and not tolerance:
            found[rule], found_any_label[rule] = found["exact"], found_any_label["exact"]
            continue
        rows = matched(fulfilled & candidates.same_label)
        found[rule] = by_label(sides.reference.document_pairs[rows], sides.reference.labels[rows])
        in_documents = document_of_pair[sides.reference.document_pairs[matched(fulfilled)]]
        found_any_label[rule] = np.bincount(in_documents, minlength=len(documents))
    return Tallies(
        sides.labels,
        by_label(sides.reference.document_pairs, sides.reference.labels),
        by_label(sides.hypothesis.document_pairs, sides.hypothesis.labels),
        found,
        found_any_label,
    )


def scores_of(
    tallies: Tallies, rule: str, document: int | slice, signature: Signature
) -> MatchScores:
    """Compute the scores of one document, or of all, at a matching level."""
    matched, reference, hypothesis = (
        np.atleast_2d(table[document]).sum(axis=0)
        for table in (tallies.found[rule], tallies.reference, tallies.hypothesis)
    )
    columns = (matched.tolist(), reference.tolist(), hypothesis.tolist())
    totals = [sum(column) for column in columns]
    by_label = {
        label: MatchScore(*row)
        for label, row in zip(tallies.labels, zip(*columns, strict=True), strict=True)
        if any(row)
    }
    any_label = int(np.sum(tallies.found_any_label[rule][document]))
    overall = MatchScore(*totals)
    return MatchScores(
        value=overall.f1,
        undefined=overall.reasons.get("f1"),
        overall=overall,
        by_label=by_label,
        any_label=MatchScore(any_label, totals[1], totals[2]),
        signature=signature,
    )


@of_data
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
    chance_precision: float | None = None,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Score a hypothesis, such as the output of a system, against a reference.

    The scores are precision, recall and F1 at three matching levels, the slot error rate, and γ
    with chance from the reference alone.

    Parameters
    ----------
    reference
        A continuum or a corpus with one or more annotators, or, with `within`, their names. With
        several annotators, the hypothesis is scored against each of them and counts are summed.
    hypothesis
        The same kind of data, with one annotator. Documents of corpora are paired by name; the
        hypothesis has no units in documents that it lacks, and documents that the reference lacks
        are left out.
    within
        The data with these annotators.
    tolerance
        The maximum difference of bounds (collar) for a match at the level `tolerant`, and for
        correct bounds of a slot.
    mapping
        For labels that are arbitrary names, such as of speakers: ``"best"`` maps labels of the
        hypothesis to labels of the reference, one to one, with the maximum total overlap;
        ``"by-document"`` does so for each document; a dictionary maps labels of the hypothesis to
        labels of the reference. By default labels have the same meaning on both sides.
    with_gamma
        Whether to compute γ, which takes most of the time.
    dissimilarity, chance, draws, rng, workers, executor, progress
        Settings of γ, as in `gamma`.
    chance_precision
        The relative error of the expected disorder of γ: ``precision`` of `gamma`.

    Returns
    -------
    Comparison
        All scores with their counts, overall, by label and by document. Undefined scores are NaN,
        with a reason.

    Raises
    ------
    DataError
        If the hypothesis has several annotators, the sides have no document in common, or a mapping
        contains an unknown label.
    SettingError
        If a setting is invalid.

    Notes
    -----
    At each level units are matched one to one with the maximum number of pairs; the matching is
    exact, so it does not depend on the order of units. Precision is matched / units of the
    hypothesis, recall is matched / units of the reference, F1 = 2·matched / all units [1]_.

    γ is computed for the annotators of the reference and the hypothesis together, with draws from
    the units of the reference only: an unusual hypothesis does not change the expected disorder.

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
    given = {"tolerance": tolerance, "with_gamma": with_gamma}
    check_settings(given, {"chance_precision": chance_precision})
    check_mapping(mapping)
    paired = require_annotator(pair_documents(reference, hypothesis, within))
    mapped = map_labels(paired, mapping)
    documents = mapped.documents
    sides = pair_units(documents)
    candidates = candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    family = None
    if with_gamma:
        merged = merge_sides(documents)
        family = gamma(
            merged.data,
            dissimilarity=dissimilarity,
            chance=chance,
            chance_from=merged.reference,
            precision=chance_precision,
            draws=draws,
            rng=rng,
            workers=workers,
            executor=executor,
            progress=progress,
        )
    parts = _Parts(
        documents,
        mapped.used,
        tallies_of(sides, candidates, tuple(documents.references), tolerance),
        slot_rate(documents, sides, counted_slots(sides, candidates), tolerance),
        family,
        float(tolerance),
        (("tolerance", f"{tolerance:.12g}"), ("mapping", mapping_text(mapping))),
    )
    return parts.whole(paired.digests, _notes(paired, mapped, mapping))


class _Parts(NamedTuple):
    """All intermediate results, from which the comparisons are built."""

    documents: Documents
    used: dict[str, Pairs]
    tallies: Tallies
    slots: SlotErrorRate
    family: GammaAgreement | None
    tolerance: float
    settings: tuple[tuple[str, str], ...]

    def whole(self, digests: tuple[str, str], notes: tuple[str, ...]) -> Comparison:
        """Return the comparison of all documents."""
        names = list(self.documents.references)
        if self.documents.one_continuum:
            used = self.used[names[0]]
            whole = self._comparison(0, self.slots, self.family, used, names, digests)
            return replace(whole, notes=notes)
        of_documents = {
            name: self._comparison(
                number,
                self.slots.documents[name],
                self.family and self.family.documents[name],
                self.used[name],
                [name],
            )
            for number, name in enumerate(names)
        }
        whole = self._comparison(
            slice(None), self.slots, self.family, self._shared(), names, digests
        )
        return replace(whole, documents=of_documents, notes=notes)

    def _comparison(
        self,
        document: int | slice,
        slots: SlotErrorRate,
        family: GammaAgreement | None,
        mapping: Pairs,
        names: list[str],
        digests: tuple[str, str] | None = None,
    ) -> Comparison:
        references = [self.documents.references[name] for name in names]
        hypotheses = [self.documents.hypotheses[name] for name in names]
        data = digests or (references[0].digest[:8], hypotheses[0].digest[:8])

        def scores(rule: str) -> MatchScores:
            signature = self._signature("f1", data, ("match", rule))
            return scores_of(self.tallies, rule, document, signature)

        exact = scores("exact")
        return Comparison(
            exact=exact,
            tolerant=scores("tolerant") if self.tolerance else exact,
            overlap=scores("overlap"),
            slots=slots,
            gamma=family,
            tolerance=self.tolerance,
            mapping=mapping,
            reference=tuple(sorted({name for side in references for name in side.annotators})),
            hypothesis=hypotheses[0].annotators[0],
            signature=self._signature("compare", data),
        )

    def _shared(self) -> Pairs:
        """Return the mapping if it is the same for all documents, otherwise an empty one."""
        tables = list(self.used.values())
        return tables[0] if all(table == tables[0] for table in tables) else {}

    def _signature(
        self, measure: str, digests: tuple[str, str], *own: tuple[str, str]
    ) -> Signature:
        reference, hypothesis = digests
        data = (("reference", reference), ("hypothesis", hypothesis), ("v", __version__))
        return Signature(measure, (*own, *self.settings, *data))


def _notes(documents: Documents, mapped: MappedDocuments, mapping: LabelMapping) -> tuple[str, ...]:
    notes = list(documents.notes)
    if mapped.unmapped:
        names = [label_text(label) or "(no label)" for label in mapped.unmapped]
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
        remedy = setting("mapping", "best")
        notes.append(
            "the hypothesis and the reference have no label in common; if labels are arbitrary "
            f"names, such as of speakers, use {remedy}"
        )
    return tuple(notes)
