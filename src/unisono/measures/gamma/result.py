"""`GammaResult`, and how it is made from evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.measures.gamma.alignment import read_only
from unisono.measures.intervals import Estimate, estimate, share_at_or_below
from unisono.model.labels import label_order, label_text
from unisono.results.agreement import (
    Agreement,
    Bounds,
    ChanceAgreement,
    Row,
    Signature,
    certain_range,
    outcome,
    proof,
    uncertainty,
)
from unisono.results.record import Glance, OnDemand, label_keys, plain_number
from unisono.results.render import markdown
from unisono.results.sheet import KINDS, Column, Fact, Headline, Sheet, Table, column, columns
from unisono.results.wording import count, decimals, position, printable, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy.typing as npt
    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.evidence import Evidence, LabelEvidence
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label

__all__ = [
    "WHO_COUNTS",
    "Facts",
    "FamilyValues",
    "GammaResult",
    "facts",
    "family",
    "family_result",
    "family_values",
    "glances",
    "undefined_result",
]


def label_draws(evidence: LabelEvidence, column: int = 0) -> tuple[Floats, NDArray[np.bool_]]:
    """Give the label disorder of the draws that have something to compare, and which these are."""
    weight = evidence.draws_weight[:, column]
    comparable = weight > 0.0
    return evidence.draws_disorder[comparable, column] / weight[comparable], comparable


def glances(results: Mapping[str, GammaResult]) -> Iterator[tuple[str, Glance]]:
    """Give the name and the least of each result."""
    if isinstance(results, OnDemand) and results.glance is not None:
        for name in results:
            yield name, results.glance(name)
        return
    for name, result in results.items():
        yield name, Glance(result.value, result.undefined, result.proven)


WHO_COUNTS = {
    "units": "those with units in the document",
    "corpus": "everyone in the corpus",
    "declared": "as declared",
}
"""How the number of annotators was known, in words."""


def _draws(result: GammaResult) -> str:
    extra = []
    if result.redrawn:
        extra.append(f"{result.redrawn:,} drawn again for want of units")
    if result.cat.left_out:
        extra.append(f"{result.cat.left_out:,} without a pair to compare left out of γcat")
    return f"{result.draws:,} ({'; '.join(extra)})" if extra else f"{result.draws:,}"


def _p_value(result: GammaResult) -> str:
    value = "< 0.0001" if result.p_value < 0.00005 else decimals(result.p_value)
    return value if uncertainty(result) is None else f"{value} (uncertain, as γ is)"


def facts(result: GammaResult) -> list[tuple[str, str]]:
    """Give what a reader must know beside the numbers, as names and sentences."""
    who = WHO_COUNTS.get(result.annotators_from, result.annotators_from)
    found = [
        ("annotators", f"{result.n_annotators:,} (counted: {who})"),
        ("units", f"{result.n_units:,}"),
    ]
    if len(result.documents) > 1:
        found.insert(0, ("documents", f"{len(result.documents):,}"))
    if result.draws:
        found += [
            ("draws", _draws(result)),
            ("p-value", _p_value(result)),
            ("alignment", proof(proven=result.proven, gap=result.gap)),
        ]
    if result.certified and not result.proven:
        found.append(("certified", f"γ is {certain_range(result.certified)}, for these draws"))
    if result.spacing is not None:
        found.append(("spacing", f"shifts at least {position(result.spacing)} apart"))
    if result.skipped:
        found.append(("skipped", f"{count(result.skipped, 'row')} that could not be read"))
    left_out = result.left_out_documents
    if left_out and not any("left out" in note for note in result.notes):
        found.append(("left out", f"{count(len(left_out), 'document')}: {some(left_out)}"))
    found.extend(("note", printable(note)) for note in result.notes)
    return found


def family(result: GammaResult) -> list[Row]:
    """Give γ, γcat and the γk of each label, with their names."""
    keys = label_keys(result.by_label)
    return [
        ("γ", result),
        ("γcat", result.cat),
        *((f"γk {keys[label] or '(no label)'}", of) for label, of in result.by_label.items()),
    ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class GammaResult(ChanceAgreement):
    """How much annotators agree on where units are and what they are called, beyond chance.

    Of a corpus the same fields are pooled over its documents, and ``documents`` has a result each.

    Parameters
    ----------
    p_value
        The share of draws, one more on each side of the fraction, with no more disorder than
        was observed; NaN when γ is undefined.
    cat
        γcat: agreement on labels alone, over the units that are aligned.
    by_label
        γk: the same for pairs with at least one unit of the label. The keys are the labels
        themselves, ``None`` for units without one.
    alignment
        The best alignment; ``None`` for a corpus, whose documents have their own.
    draw_disorders
        The disorder of each draw, read-only.
    proven
        Whether every alignment behind the value, observed and drawn, is proven to be the best.
    certified
        Between which values γ lies whatever better alignments there may be, for the draws made:
        both are the value when all is proven; ``None`` when γ is undefined.
    redrawn
        Draws without units, which were drawn again.
    spacing
        The least distance between two shifts, for chance models that shift.
    documents
        A result for each document of a corpus, by name, made when it is asked for; empty for one
        continuum.
    n_annotators
        How many annotators count.
    n_units
        How many units there are.
    annotators_from
        How the annotators were known: those with units in the document (``units``), everyone in
        the corpus (``corpus``), or as declared (``declared``).
    skipped
        Rows the reader could not use and was told to skip.
    left_out_documents
        Documents that add nothing to the pooled value.
    failed_documents
        Documents that could not be measured, by name, each with a sentence that says why; only
        where that is reported and not raised.
    notes
        Sentences a reader of the value should know.

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.results import ChanceAgreement
    >>> from unisono.results import GammaResult
    >>> from unisono.results import Signature
    >>> cat = ChanceAgreement(
    ...     value=0.8, observed=0.1, expected=0.5, draws=2, signature=Signature("gamma_cat")
    ... )
    >>> result = GammaResult(
    ...     value=0.5,
    ...     observed=1.0,
    ...     expected=2.0,
    ...     draws=2,
    ...     p_value=1 / 3,
    ...     cat=cat,
    ...     by_label={"NP": cat},
    ...     alignment=None,
    ...     draw_disorders=np.array([1.9, 2.1]),
    ...     proven=True,
    ...     n_annotators=2,
    ...     n_units=4,
    ...     annotators_from="units",
    ...     signature=Signature("gamma"),
    ... )
    >>> result
    GammaResult(0.5000, 2 annotators, 4 units, 2 draws)
    >>> result.cat.value, result.by_label["NP"].value
    (0.8, 0.8)
    """

    p_value: float
    cat: ChanceAgreement
    by_label: Mapping[Label | None, ChanceAgreement]
    alignment: Alignment | None
    draw_disorders: npt.NDArray[np.float64]
    proven: bool
    certified: Bounds | None = None
    redrawn: int = 0
    spacing: float | None = None
    documents: Mapping[str, GammaResult] = field(default_factory=dict)
    n_annotators: int
    n_units: int
    annotators_from: str
    skipped: int = 0
    left_out_documents: tuple[str, ...] = ()
    failed_documents: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Agreement.__post_init__(self)
        for name in ("by_label", "documents", "failed_documents"):
            given = getattr(self, name)
            if not isinstance(given, OnDemand):
                object.__setattr__(self, name, MappingProxyType(dict(given)))
        for name in ("left_out_documents", "notes"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "draw_disorders", read_only(self.draw_disorders, np.float64))
        object.__setattr__(self, "p_value", float(self.p_value))
        object.__setattr__(self, "proven", bool(self.proven))

    @property
    def gap(self) -> float:
        """How far the observed disorder may be above the best; 0 when proven, NaN if unknown.

        Of a corpus, the mean over documents weighted by their mean number of units, as the
        pooled disorder is.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 1, 3, "A")])
        >>> un.gamma(text, draws=30, rng=42).gap
        0.0
        """
        if self.alignment is not None:
            return self.alignment.gap
        if self.proven:
            return 0.0
        weights = [d.n_units / max(1, d.n_annotators) for d in self.documents.values()]
        gaps = [d.gap if d.n_units else 0.0 for d in self.documents.values()]
        total = sum(weights)
        weighted = sum(weight * gap for weight, gap in zip(weights, gaps, strict=True))
        return weighted / total if total else math.nan

    def __str__(self) -> str:
        told = uncertainty(self)
        return ChanceAgreement.__str__(self) if told is None else f"{self.signature}: {told}"

    def __repr__(self) -> str:
        parts = [f"undefined: {self.undefined}" if self.undefined else outcome(self)]
        if self.certified and uncertainty(self) is not None:
            parts[0] += f": {certain_range(self.certified)}"
        if self.documents:
            parts.append(count(len(self.documents), "document"))
        parts += [
            count(self.n_annotators, "annotator"),
            count(self.n_units, "unit"),
            count(self.draws, "draw"),
        ]
        return f"GammaResult({', '.join(parts)})"

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        The disorders of the draws stand in the whole result only, not in its documents, and of an
        alignment only how many groups it has and its proof: ``result.alignment.to_dict()`` has all.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> record = un.gamma(text, draws=30, rng=42).to_dict()
        >>> record["observed"], record["n_units"], len(record["draw_disorders"])
        (0.0, 2, 30)
        """
        return self._record(with_draws=True)

    def _record(self, *, with_draws: bool) -> dict[str, Any]:
        keys = label_keys(self.by_label)
        record: dict[str, Any] = {
            "value": plain_number(self.value),
            "observed": plain_number(self.observed),
            "expected": plain_number(self.expected),
            "undefined": self.undefined,
            "interval": self.interval.to_dict() if self.interval else None,
            "monte_carlo": self.monte_carlo.to_dict() if self.monte_carlo else None,
            "p_value": plain_number(self.p_value),
            "cat": self.cat.to_dict(),
            "by_label": {keys[label]: of.to_dict() for label, of in self.by_label.items()},
            "draws": self.draws,
            "redrawn": self.redrawn,
            "spacing": plain_number(self.spacing),
            "proven": self.proven,
            "certified": self.certified.to_dict() if self.certified else None,
            "gap": plain_number(self.gap),
            "n_annotators": self.n_annotators,
            "n_units": self.n_units,
            "annotators_from": self.annotators_from,
            "skipped": self.skipped,
            "left_out_documents": list(self.left_out_documents),
            "failed_documents": dict(self.failed_documents),
            "notes": list(self.notes),
            "alignment": None if self.alignment is None else self.alignment.in_short(),
        }
        if with_draws:
            record["draw_disorders"] = [plain_number(x) for x in self.draw_disorders.tolist()]
        return record | {
            "signature": str(self.signature),
            "documents": {
                name: document._record(with_draws=False)  # noqa: SLF001 - of its own kind
                for name, document in self.documents.items()
            },
        }

    def to_markdown(self) -> str:
        """Return γ, γcat and γk as a Markdown table, then documents, facts and the signature.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> print(un.gamma(text, draws=30, rng=42).to_markdown())
        | measure | value | ...
        """
        return markdown(self.sheet())

    def problems(self) -> list[str]:
        """Return what a script must notice: that there was nothing to measure.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> un.gamma(text, draws=30, rng=42).problems()
        []
        """
        if not self.undefined or self.draws:
            return []
        return [f"γ is undefined: {self.undefined}"]

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of the result, which all renderings share.

        Examples
        --------
        >>> import unisono as un
        >>> result = un.gamma(un.read("examples/corpus"), draws=30, rng=1)
        >>> [table.name for table in result.sheet().tables if table.people]
        ['measure', 'document']
        """
        told = uncertainty(self)
        tables = [_measure_table(self)]
        if len(self.documents) > 1:
            tables.append(_document_table(self))
        return Sheet(
            name="gamma",
            title=title,
            headline=(Headline("gamma", self.value), Headline("gamma_cat", self.cat.value)),
            findings=() if told is None else (told,),
            tables=(*tables, *_tables_for_programs(self)),
            facts=tuple(
                Fact(Column(name=name, heading=name, kind=KINDS["text"]), fact)
                for name, fact in facts(self)
            ),
            signatures=(self.signature,),
        )


_MOST_LABELS = 40


def _measure_table(result: GammaResult) -> Table:
    """Return the table of γ, γcat and γk; of many labels those with the most weight."""
    rows = family(result)
    of_labels = range(2, len(rows))
    by_weight = sorted(of_labels, key=lambda at: -(getattr(rows[at][1], "weight", None) or 0.0))
    rows = [rows[at] for at in (0, 1, *sorted(by_weight[:_MOST_LABELS]))]
    parts = ["interval", "monte_carlo"]
    shown = [name for name in parts if any(getattr(of, name, None) for _, of in rows)]
    headings = {"interval": "interval", "monte_carlo": "Monte Carlo"}
    return Table(
        name="measure",
        columns=(
            Column(name="measure", heading="measure", kind=KINDS["name"]),
            *columns("value observed expected"),
            *(Column(name=n, heading=headings[n], kind=KINDS["interval"]) for n in shown),
        ),
        rows=[
            (name, _value(of), of.observed, of.expected, *(getattr(of, n, None) for n in shown))
            for name, of in rows
        ],
        reasons=[(str(name), of.undefined) for name, of in rows if of.undefined],
        noun="label",
        more=max(0, len(of_labels) - _MOST_LABELS),
        programs=False,
    )


def _value(result: Agreement) -> float | str:
    return result.value if uncertainty(result) is None else outcome(result)


class _DocumentRows(Sequence["tuple[Any, ...]"]):
    """The rows of documents, each made when it is looked at."""

    def __init__(
        self,
        documents: Mapping[str, GammaResult],
        row: Callable[[str, GammaResult], tuple[Any, ...]],
    ) -> None:
        self._documents = documents
        self._names = list(documents)
        self._row = row

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - a number or a slice
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        return self._row(self._names[at], self._documents[self._names[at]])


def _document_table(result: GammaResult) -> Table:
    """Return the table of documents for people, those with the least agreement first."""

    def row(name: str, one: GammaResult) -> tuple[Any, ...]:
        numbers = (_value(one), one.observed, one.expected, _value(one.cat))
        return (name, *numbers, one.n_annotators, one.n_units, one.proven)

    def rank() -> Iterator[tuple[Any, str, str | None]]:
        for name, glance in glances(result.documents):
            key = math.inf if glance.undefined else glance.value
            yield (key, name), name, glance.undefined

    return Table(
        name="document",
        columns=(
            *columns("document value observed expected"),
            Column(name="cat", heading="γcat", kind=KINDS["coefficient"]),
            *columns("n_annotators n_units"),
            Column(name="proven", heading="proven", kind=KINDS["flag"], usual=True),
        ),
        rows=_DocumentRows(result.documents, row),
        rank=rank,
        limited=True,
        programs=False,
    )


def _tables_for_programs(result: GammaResult) -> Iterator[Table]:
    """Yield the pooled row, then a row for each document, with the same columns."""
    labels = sorted(result.by_label, key=label_order)
    keys = label_keys(labels)
    ends = ("interval_low", "interval_high", "monte_carlo_low", "monte_carlo_high")
    names = {
        **dict.fromkeys(("value", "observed", "expected", "cat", *ends, "p_value"), "value"),
        "undefined": "text",
        **dict.fromkeys(("n_annotators", "n_units", "draws"), "count"),
        "proven": "flag",
        **{f"k:{keys[label]}": "value" for label in labels},
        "signature": "signature",
    }
    shape = (
        column("document"),
        *(Column(name=name, heading=name, kind=KINDS[kind]) for name, kind in names.items()),
    )

    def row(name: str, one: GammaResult) -> tuple[Any, ...]:
        intervals = (
            end
            for interval in (one.interval, one.monte_carlo)
            for end in ((interval.low, interval.high) if interval else (None, None))
        )
        return (
            *(name, one.value, one.observed, one.expected, one.cat.value, *intervals),
            *(one.p_value, one.undefined, one.n_annotators, one.n_units, one.draws, one.proven),
            *(one.by_label[label].value if label in one.by_label else None for label in labels),
            one.signature,
        )

    yield Table(name="all", columns=shape, rows=[row("", result)], people=False)
    yield Table(
        name="document", columns=shape, rows=_DocumentRows(result.documents, row), people=False
    )


class FamilyValues(NamedTuple):
    """The two numbers of a result, without all that stands beside them."""

    gamma: float
    """NaN where it is undefined."""
    cat: float
    proven: bool
    """Whether all alignments are, those of draws as well."""


class Facts(NamedTuple):
    """What stands beside the numbers of a result."""

    settings: tuple[tuple[str, str], ...]
    """Of the signature, without seed, data and version."""
    seed: int
    digest: str
    n_annotators: int
    n_units: int
    annotators_from: str
    skipped: int = 0
    spacing: float | None = None
    alignment: Alignment | None = None
    notes: tuple[str, ...] = ()
    failed_documents: Mapping[str, str] = MappingProxyType({})

    def signature(self, measure: str, draws: int, *own: tuple[str, str]) -> Signature:
        """Write down all that can move a value."""
        return Signature(
            measure,
            (
                *own,
                *self.settings,
                ("draws", str(draws)),
                ("seed", str(self.seed)),
                ("annotators", self.annotators_from),
                ("data", self.digest[:8]),
                ("v", __version__),
            ),
        )


def family_result(
    evidence: Evidence,
    facts: Facts,
    *,
    confidence: float,
    documents: Mapping[str, GammaResult] | None = None,
    left_out_documents: Iterable[str] = (),
) -> GammaResult:
    """Compute γ, γcat and γk from the evidence."""
    whole = estimate(evidence.observed, evidence.draws, confidence=confidence)
    p_value = math.nan if whole.undefined else share_at_or_below(evidence.observed, evidence.draws)
    notes = facts.notes
    if evidence.unproven_draws:
        notes += (
            (
                f"{evidence.unproven_draws} alignments of draws reached a limit and are "
                "not proven to be the best"
            ),
        )
    labelled = [label for label in evidence.labels if label is not None]
    by_label = {
        label: _label_agreement(
            evidence, 1 + at, facts, confidence, "gamma_k", ("label", label_text(label))
        )
        for at, label in enumerate(evidence.labels)
        if labelled
    }
    return GammaResult(
        value=whole.value,
        observed=evidence.observed,
        expected=whole.expected,
        undefined=whole.undefined,
        monte_carlo=whole.monte_carlo,
        draws=len(evidence.draws),
        p_value=p_value,
        cat=_label_agreement(evidence, 0, facts, confidence, "gamma_cat"),
        by_label=by_label,
        alignment=facts.alignment,
        draw_disorders=evidence.draws,
        proven=evidence.proven and not evidence.unproven_draws,
        certified=None if whole.undefined else _certified(evidence, whole),
        redrawn=evidence.redrawn,
        spacing=facts.spacing,
        documents=documents or {},
        n_annotators=facts.n_annotators,
        n_units=facts.n_units,
        annotators_from=facts.annotators_from,
        skipped=facts.skipped,
        left_out_documents=tuple(left_out_documents),
        failed_documents=facts.failed_documents,
        notes=notes,
        signature=facts.signature("gamma", len(evidence.draws)),
    )


def family_values(evidence: Evidence, *, confidence: float) -> FamilyValues:
    """Compute γ and γcat from the evidence, and nothing else."""
    whole = estimate(evidence.observed, evidence.draws, confidence=confidence)
    draws, _ = label_draws(evidence.by_label)
    cat = _label_estimate(evidence, _observed_label(evidence, 0), draws, confidence)
    return FamilyValues(whole.value, cat.value, evidence.proven and not evidence.unproven_draws)


def undefined_result(
    reason: str,
    facts: Facts,
    *,
    documents: Mapping[str, GammaResult] | None = None,
    left_out_documents: Iterable[str] = (),
) -> GammaResult:
    """Give the result of data that have no γ at all: nothing was drawn."""
    nothing = ChanceAgreement(
        value=math.nan,
        observed=math.nan,
        expected=math.nan,
        undefined=reason,
        draws=0,
        signature=facts.signature("gamma_cat", 0),
    )
    return GammaResult(
        value=math.nan,
        observed=math.nan,
        expected=math.nan,
        undefined=reason,
        draws=0,
        p_value=math.nan,
        cat=nothing,
        by_label={},
        alignment=facts.alignment,
        draw_disorders=np.empty(0),
        proven=True,
        documents=documents or {},
        n_annotators=facts.n_annotators,
        n_units=facts.n_units,
        annotators_from=facts.annotators_from,
        skipped=facts.skipped,
        left_out_documents=tuple(left_out_documents),
        failed_documents=facts.failed_documents,
        notes=facts.notes,
        signature=facts.signature("gamma", 0),
    )


def _certified(evidence: Evidence, whole: Estimate) -> Bounds:
    # The observed disorder may be smaller, which raises γ; those of draws too, which lowers it.
    if evidence.proven and not evidence.unproven_draws:
        return Bounds(whole.value, whole.value)
    least_expected = float(evidence.draw_bounds.mean())
    low = 1.0 - evidence.observed / least_expected if least_expected > 0.0 else -math.inf
    return Bounds(low, 1.0 - evidence.observed_bound / whole.expected)


def _label_agreement(
    evidence: Evidence,
    column: int,
    facts: Facts,
    confidence: float,
    measure: str,
    *own: tuple[str, str],
) -> ChanceAgreement:
    observed = _observed_label(evidence, column)
    draws, comparable = label_draws(evidence.by_label, column)
    corrected = _label_estimate(evidence, observed, draws, confidence)
    return ChanceAgreement(
        value=corrected.value,
        observed=observed,
        expected=corrected.expected,
        undefined=corrected.undefined,
        monte_carlo=corrected.monte_carlo,
        draws=len(evidence.draws),
        left_out=int((~comparable).sum()),
        weight=float(evidence.by_label.weight[column]),
        signature=facts.signature(measure, len(evidence.draws), *own),
    )


def _observed_label(evidence: Evidence, column: int) -> float:
    disorder, weight = (float(sums[column]) for sums in evidence.by_label[:2])
    return disorder / weight if weight > 0.0 else math.nan


def _label_estimate(
    evidence: Evidence, observed: float, draws: Floats, confidence: float
) -> Estimate:
    expected = float(draws.mean()) if len(draws) else math.nan
    if all(label is None for label in evidence.labels):
        return Estimate(math.nan, expected, None, "no unit has a label")
    if math.isnan(observed):
        reason = "no two aligned units lie close enough to compare their labels"
        return Estimate(math.nan, expected, None, reason)
    if not len(draws):
        reason = "no draw has two aligned units close enough to compare their labels"
        return Estimate(math.nan, expected, None, reason)
    return estimate(observed, draws, confidence=confidence)
