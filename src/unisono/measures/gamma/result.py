"""`GammaAgreement`, and its computation from totals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.measures.gamma.dissimilarity import DissimilarityParameters
from unisono.measures.intervals import Estimate, estimate, estimates, share_at_or_below
from unisono.model.labels import label_order, label_text
from unisono.results.agreement import (
    ChanceAgreement,
    approximate,
    certain_range,
    certain_value,
    expected_value,
    outcome,
    proof,
    uncertainty,
)
from unisono.results.data import OfData
from unisono.results.measure_rows import hidden_labels, measure_rows, unused_facts
from unisono.results.record import OnDemand, label_keys, part, record
from unisono.results.sheet import (
    KINDS,
    Column,
    Fact,
    Headline,
    Sheet,
    Table,
    column,
    columns,
    figure,
)
from unisono.results.values import Bounds, Signature
from unisono.results.wording import WHO_COUNTS, count, decimals, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Alignment, AlignmentInShort
    from unisono.measures.gamma.evidence import CorpusEvidence, Evidence, LabelRatios, Totals
    from unisono.measures.intervals import Estimates
    from unisono.model.arrays import Booleans, Floats
    from unisono.model.labels import Label
    from unisono.results.sheet import Figure

__all__ = [
    "DocumentColumns",
    "Facts",
    "FamilyValues",
    "GammaAgreement",
    "GammaByLabelTable",
    "chance_sentence",
    "family_result",
    "family_values",
    "gamma_symbol",
    "measured_columns",
    "precision_notes",
    "undefined_result",
]


def _facts(result: GammaAgreement) -> Iterator[Fact]:
    """Yield facts needed to interpret the values."""
    if len(result.documents) > 1:
        yield Fact(column("n_documents"), len(result.documents))
    who = WHO_COUNTS.get(result.annotators_from, result.annotators_from)
    yield Fact(column("n_annotators"), result.n_annotators, f"counted: {who}")
    yield Fact(column("n_units"), result.n_units)
    if result.draws:
        yield Fact(column("draws"), result.draws, "; ".join(_about_draws(result)))
        if (chance := chance_sentence(result)) is not None:
            yield Fact(column("chance"), chance)
        yield Fact(column("alignment"), proof(proven=result.proven, gap=result.gap))
    if result.certified and not result.proven:
        yield Fact(column("certified"), "; ".join(_certain(result, result.certified)))
    if result.spacing is not None:
        yield Fact(column("spacing"), result.spacing, "the least distance between two shifts")
    # Notes name the documents that are left out, with the reasons.
    yield from unused_facts(skipped=result.skipped, left_out=())


def _certain(result: GammaAgreement, certified: Bounds) -> Iterator[str]:
    """Yield what is certain; unproven draws and the number of draws are different errors."""
    yield f"γ is {certain_range(certified)}, for these draws"
    if result.gap != 0.0 or not math.isfinite(certified.high - certified.low):
        return
    half = (certified.high - certified.low) / 2.0
    yield f"the observed disorder is proven, and unproven draws leave γ within ± {half:.1g}"
    drawn = result.monte_carlo
    if drawn is not None:
        yield f"the number of draws, within ± {(drawn.high - drawn.low) / 2.0:.1g}"


def _about_draws(result: GammaAgreement) -> Iterator[str]:
    if result.redrawn:
        yield f"{result.redrawn:,} without units redrawn"
    if result.gamma_cat.n_left_out:
        yield f"{result.gamma_cat.n_left_out:,} without a pair to compare left out of γcat"
    halves = [half for _, _, half in _half_widths(result)]
    # Larger errors have a note.
    if _FEWER_DIGITS <= max(halves, default=0.0) < _UNCERTAIN:
        more = _more_draws(result.draws)
        smaller = " and ".join(f"± {half / math.sqrt(more / result.draws):.1g}" for half in halves)
        yield f"{more:,} would give about {smaller}"


def chance_sentence(result: GammaAgreement) -> str | None:
    """Return the values of γ that chance gives, in words; `None` if they are not known."""
    bounds = result.chance_bounds
    if bounds is None or uncertainty(result) is not None:
        return None
    these = "these documents" if len(result.documents) > 1 else "this document"
    low, high = (decimals(end, 2).replace("-", "−") for end in bounds)
    some = f"{result.n_as_orderly:,} of {result.draws:,}" if result.n_as_orderly else "none"
    return (
        f"random annotations of {these}: γ {low} to {high} (95 % of draws); {some} as orderly as "
        "the data"
    )


def precision_notes(result: GammaAgreement) -> list[str]:
    """Return sentences on values with a large Monte Carlo error, and on how to reduce it."""
    notes = []
    for symbol, of, half in _half_widths(result):
        if half < _UNCERTAIN:
            continue
        few = ""
        if of.n_left_out:
            compared = of.draws - of.n_left_out
            few = f" because only {compared:,} of {of.draws:,} draws could be compared"
        more = _more_draws(of.draws)
        notes.append(
            f"{symbol} is uncertain by ± {half:.2f}{few}; {more:,} draws would make it about "
            f"± {half / math.sqrt(more / of.draws):.1g}"
        )
    return notes


def _half_widths(result: GammaAgreement) -> Iterator[tuple[str, ChanceAgreement, float]]:
    """Yield γ and γcat, each with half the width of its Monte Carlo interval, if it has one."""
    for symbol, of in (("γ", result), ("γcat", result.gamma_cat)):
        found = approximate(of)
        if found is not None and found.half_width is not None:
            yield symbol, of, found.half_width


def _more_draws(draws: int) -> int:
    """Return about ten times as many draws, with one significant digit."""
    power = int(10 ** (len(str(draws)) - 1))
    return 10 * power * round(draws / power)


def _in_short(alignment: Alignment | None) -> AlignmentInShort | None:
    return None if alignment is None else alignment.in_short()


@record
class GammaAgreement(ChanceAgreement):
    """The chance-corrected agreement of annotators on the positions and labels of units.

    For a corpus the values are pooled over documents, and ``documents`` has the result of each.

    Parameters
    ----------
    p_value
        (1 + the number of draws with no more disorder than observed) / (1 + the number of draws);
        ``None`` if the conditions for a test are not met. The null hypothesis is that annotators
        place units independently and that no part of the document attracts units.
    p_value_note
        The reason why there is no p-value; ``None`` if there is one.
    gamma_cat
        γcat: agreement on labels only, over aligned units.
    gamma_k
        γk: γcat over the pairs with at least one unit of the label, by label; the key ``None`` is
        for units without a label.
    alignment
        The best alignment; ``None`` for a corpus.
    draw_disorders
        The disorder of each draw, a read-only array.
    proven
        Whether all alignments, of the data and of the draws, are proven to be the best.
    certified
        Bounds on the value of γ with optimal alignments, for the draws made; both are equal to the
        value if all alignments are proven to be the best. ``None`` if γ is undefined.
    redrawn
        The number of draws that were repeated because they had no units.
    spacing
        The least distance between two shifts, for chance models that shift.
    documents
        The result of each document of a corpus, by name, computed on access; empty for a single
        continuum.
    n_annotators
        The number of annotators.
    n_units
        The number of units.
    units_by_label
        The number of units of each label, of all documents; not in the JSON of single documents.
    annotators_from
        The source of the annotators of a document: those with units in it (``units``), all
        annotators of the corpus (``corpus``), or declared ones (``declared``).
    skipped
        The number of input rows that the reader skipped because they were invalid.
    left_out_documents
        Documents that do not contribute to the pooled value.
    failed_documents
        The reason why a document could not be measured, by name, with ``on_error="report"``.
    dissimilarity
        The parameters of the dissimilarity of units.
    notes
        Sentences needed to interpret the value.

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.results import ChanceAgreement
    >>> from unisono.results import GammaAgreement
    >>> from unisono.results import Signature
    >>> cat = ChanceAgreement(
    ...     value=0.8, observed=0.1, expected=0.5, draws=2, signature=Signature("gamma_cat")
    ... )
    >>> result = GammaAgreement(
    ...     value=0.5,
    ...     observed=1.0,
    ...     expected=2.0,
    ...     draws=2,
    ...     p_value=1 / 3,
    ...     gamma_cat=cat,
    ...     gamma_k={"NP": cat},
    ...     alignment=None,
    ...     draw_disorders=np.array([1.9, 2.1]),
    ...     proven=True,
    ...     n_annotators=2,
    ...     n_units=4,
    ...     annotators_from="units",
    ...     signature=Signature("gamma"),
    ... )
    >>> result
    GammaAgreement(0.5000, 2 annotators, 4 units, 2 draws)
    >>> result.gamma_cat.value, result.gamma_k["NP"].value
    (0.8, 0.8)
    """

    p_value: float | None
    p_value_note: str | None = None
    gamma_cat: ChanceAgreement
    gamma_k: Mapping[Label | None, ChanceAgreement]
    alignment: Alignment | None = field(metadata=part(json=_in_short))
    draw_disorders: Floats = field(metadata=part(in_documents=False))
    proven: bool
    certified: Bounds | None = None
    redrawn: int = 0
    spacing: float | None = None
    documents: Mapping[str, GammaAgreement] = field(default_factory=dict)
    n_annotators: int
    n_units: int
    units_by_label: Mapping[Label | None, int] = field(
        default_factory=dict, metadata=part(in_documents=False)
    )
    annotators_from: str
    skipped: int = 0
    left_out_documents: tuple[str, ...] = ()
    failed_documents: Mapping[str, str] = field(default_factory=dict)
    dissimilarity: DissimilarityParameters = field(
        default=DissimilarityParameters(), metadata=part(in_documents=False)
    )
    notes: tuple[str, ...] = ()

    computed = (*ChanceAgreement.computed, "gap", "chance_bounds", "n_as_orderly")

    @property
    def chance_bounds(self) -> Bounds | None:
        """The 2.5 % and 97.5 % quantiles of γ of the draws.

        ``None`` if γ is undefined, if there are fewer than 30 draws, and for a corpus whose
        documents share their draws (``chance="corpus"``), because these draws are not independent.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> low, high = un.gamma(text, draws=200).chance_bounds
        >>> f"{low:.1f} to {high:.1f}"
        '-0.2 to 0.2'
        """
        shares_draws = "chance" in self.signature and self.signature["chance"] == "corpus"
        if self.undefined or self.draws < _FEWEST_TO_BOUND or (shares_draws and self.documents):
            return None
        high, low = np.quantile(self.draw_disorders, _TAILS)
        return Bounds(1.0 - float(low) / self.expected, 1.0 - float(high) / self.expected)

    @property
    def n_as_orderly(self) -> int:
        """The number of draws with no more disorder than observed.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> un.gamma(text, draws=200).n_as_orderly
        0
        """
        return int((self.draw_disorders <= self.observed).sum())

    @property
    def gap(self) -> float:
        """The observed disorder minus its lower bound; 0 if proven to be least, NaN if unknown.

        For a corpus, the mean over documents, weighted by their mean number of units.

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
        sentence = uncertainty(self)
        if sentence is None:
            return ChanceAgreement.__str__(self)
        return f"{self.signature}: {sentence}"

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
        return f"GammaAgreement({', '.join(parts)})"

    def problems(self) -> list[str]:
        """Return problems that a script should handle: γ is undefined without any draw.

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

    def sheet(self, *, title: str = "", min_units: int = 1) -> Sheet:
        """Return the view of the result from which all output formats are rendered.

        Labels with fewer than `min_units` units are left out of the table for people.

        Examples
        --------
        >>> import unisono as un
        >>> result = un.gamma(un.read("examples/corpus"), draws=30, rng=1)
        >>> [table.name for table in result.sheet().tables if table.people]
        ['measure', 'document']
        """
        sentence = uncertainty(self)
        tables = [_measure_table(self, min_units)]
        if len(self.documents) > 1:
            tables.append(_document_table(self))
        return Sheet(
            name="gamma",
            title=title,
            headline=(
                Headline("gamma", certain_value(self), self.interval, _chance_source(self)),
                Headline("gamma_cat", certain_value(self.gamma_cat), self.gamma_cat.interval),
            ),
            findings=() if sentence is None else (sentence,),
            tables=(*tables, *_tables_for_programs(self)),
            facts=tuple(_facts(self)),
            notes=(*self.notes, *hidden_labels(self.units_by_label, min_units)),
            figures=tuple(_figures(self)),
            signatures=(self.signature,),
        )


@record
class GammaByLabelTable(OfData):
    """γ of the units of each label alone.

    Parameters
    ----------
    by_label
        The γ of the units with each label; ``None`` is for units without a label.
    n_annotators
        Number of annotators.
    n_units
        Number of units.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> print(un.gamma_by_label(text))
    measure     value  ± draws  observed  expected  units
    γ answer    0.588    0.003    0.1693     0.411     19
    γ question  0.818    0.002    0.4174     2.29      17
    γ aside     0.637    0.002    0.9386     2.58       8
    """

    by_label: Mapping[Label | None, GammaAgreement]
    n_annotators: int
    n_units: int

    summary = ("n_labels", "n_annotators", "n_units")

    @property
    def n_labels(self) -> int:
        """Number of labels.

        Examples
        --------
        >>> import unisono as un
        >>> un.gamma_by_label(un.read("examples/interview.csv")).n_labels
        3
        """
        return len(self.by_label)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the view of the result from which all output formats are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> table = un.gamma_by_label(un.read("examples/interview.csv"), draws=30).sheet().tables[0]
        >>> [row[0].text for row in table.rows]
        ['γ answer', 'γ question', 'γ aside']
        """
        keys = label_keys(self.by_label)
        shown = [("gamma_label", keys[label], of) for label, of in self.by_label.items()]
        units = {keys[label]: of.n_units for label, of in self.by_label.items()}
        return Sheet(
            name="gamma_label",
            title=title,
            tables=(
                measure_rows(shown, weights=units, units=units),
                Table(
                    name="label",
                    columns=columns(
                        "measure label value observed expected undefined n_annotators n_units "
                        "signature"
                    ),
                    rows=[
                        (
                            *(name, key, of.value, of.observed, of.expected, of.undefined),
                            *(of.n_annotators, of.n_units, of.signature),
                        )
                        for name, key, of in shown
                    ],
                    people=False,
                ),
            ),
            signatures=tuple(of.signature for of in self.by_label.values()),
        )


def _figures(result: GammaAgreement) -> Iterator[Figure]:
    """Yield the figures of the alignment of a single document, of labels and of draws."""
    of_one = result
    if len(result.documents) == 1:
        (of_one,) = result.documents.values()
    if of_one.alignment is not None and len(of_one.alignment):
        yield figure("alignment", of_one)
    if result.gamma_k:
        has_intervals = any(each.interval for each in result.gamma_k.values())
        intervals = "intervals, over documents (thin) and Monte Carlo (thick)"
        yield figure(
            "labels",
            result,
            description=(
                f"γk with its {intervals if has_intervals else 'Monte Carlo interval'}: agreement "
                "on labels over the pairs with at least one unit of the label."
            ),
        )
    if not result.undefined:
        yield figure("draws", result)


_MOST_LABELS = 40
_FEWEST_TO_BOUND = 30
_UNCERTAIN, _FEWER_DIGITS = 0.05, 0.01  # half widths
_TAILS = (0.025, 0.975)
_ROWS_AT_ONCE = 4096


def _measure_table(result: GammaAgreement, min_units: int) -> Table:
    """Return the table of γ, γcat and γk; of many labels, those with the most units."""
    keys = label_keys(result.gamma_k)
    of_labels = {keys[label]: of for label, of in result.gamma_k.items()}
    known = result.units_by_label
    units = {keys[label]: known[label] for label in result.gamma_k if label in known}
    return measure_rows(
        [
            ("gamma", None, result),
            ("gamma_cat", None, result.gamma_cat),
            *(("gamma_k", key, of) for key, of in of_labels.items()),
        ],
        weights={key: units.get(key, 0) for key in of_labels},
        units=units,
        min_units=min_units,
        most=_MOST_LABELS,
        symbols={"gamma": gamma_symbol(result)},
    )


def gamma_symbol(result: GammaAgreement) -> str:
    """Return the symbol of γ, which names the annotators of ``chance_from=`` if there are any.

    γ of the same two annotators differs if only one of them defines chance.
    """
    source = _chance_source(result)
    return f"γ ({source})" if source else "γ"


def _chance_source(result: GammaAgreement) -> str:
    if "from" not in result.signature:
        return ""
    return f"chance from {some(result.signature['from'].split(','), 2)}"


@dataclass(frozen=True, eq=False, kw_only=True)
class DocumentColumns:
    """The values of the results of documents, as columns."""

    value: Floats
    observed: Floats
    expected: Floats
    gamma_cat: Floats
    monte_carlo_low: Floats
    monte_carlo_high: Floats
    monte_carlo_se: Floats
    p_value: Floats
    undefined: Sequence[str | None]
    n_annotators: Sequence[int]
    n_units: Sequence[int]
    draws: Sequence[int]
    proven: Booleans
    gamma_k: Mapping[Label | None, Floats]
    signature: Sequence[str]


class _Rows(Sequence["tuple[Any, ...]"]):
    """A sequence of rows of columns, created on access."""

    def __init__(self, *columns: Sequence[Any] | NDArray[Any]) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns[0])

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - a number or a slice
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        (row,) = zip(
            *(_values_at(column, slice(at, at + 1)) for column in self._columns), strict=True
        )
        return row

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for first in range(0, len(self), _ROWS_AT_ONCE):
            some = slice(first, first + _ROWS_AT_ONCE)
            yield from zip(*(_values_at(column, some) for column in self._columns), strict=True)


def _values_at(column: Sequence[Any] | NDArray[Any], some: slice) -> Sequence[Any]:
    """Return a slice of a column as Python objects."""
    values: Sequence[Any] = (
        column[some].tolist() if isinstance(column, np.ndarray) else column[some]
    )
    return values


class _PeopleRows(Sequence["tuple[Any, ...]"]):
    """A sequence of the rows of documents for readers, created on access."""

    def __init__(self, documents: Mapping[str, GammaAgreement]) -> None:
        self._documents = documents
        self._names = list(documents)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - a number or a slice
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        name = self._names[at]
        one = self._documents[name]
        numbers = (certain_value(one), approximate(one), one.observed, expected_value(one))
        counts = (one.n_annotators, one.n_units, one.proven)
        return (name, *numbers, certain_value(one.gamma_cat), *counts)


def _document_table(result: GammaAgreement) -> Table:
    """Return the table of documents for readers, sorted by increasing agreement."""

    def rank() -> Iterator[tuple[Any, str, str | None]]:
        for name, value, undefined in _values_of(result.documents):
            yield (math.inf if undefined else value, name), name, undefined

    return Table(
        name="document",
        columns=(
            column("document"),
            column("value", kind=KINDS["drawn"]),
            column("monte_carlo_se", usual=None),
            *columns("observed expected"),
            Column(name="gamma_cat", heading="γcat", kind=KINDS["coefficient"]),
            *columns("n_annotators n_units"),
            Column(name="proven", heading="proven", kind=KINDS["flag"], usual=True),
        ),
        rows=_PeopleRows(result.documents),
        rank=rank,
        limited=True,
        programs=False,
    )


def _tables_for_programs(result: GammaAgreement) -> Iterator[Table]:
    """Yield a table with the pooled values, and one with a row per document."""
    labels = sorted(result.gamma_k, key=label_order)
    keys = label_keys(labels)
    ends = ("interval_low", "interval_high", "monte_carlo_low", "monte_carlo_high")
    errors = ("monte_carlo_se", "p_value")
    names = {
        **dict.fromkeys(("value", "observed", "expected", "gamma_cat", *ends, *errors), "value"),
        "undefined": "text",
        **dict.fromkeys(("n_annotators", "n_units", "draws"), "count"),
        "proven": "flag",
        **{f"gamma_k:{keys[label]}": "value" for label in labels},
        "signature": "signature",
    }
    shape = (
        column("document"),
        *(Column(name=name, heading=name, kind=KINDS[kind]) for name, kind in names.items()),
    )

    def row(name: str, one: GammaAgreement) -> tuple[Any, ...]:
        intervals = (
            end
            for interval in (one.interval, one.monte_carlo)
            for end in ((interval.low, interval.high) if interval else (None, None))
        )
        return (
            *(name, one.value, one.observed, one.expected, one.gamma_cat.value, *intervals),
            *(
                one.monte_carlo_se,
                one.p_value,
                one.undefined,
                one.n_annotators,
                one.n_units,
                one.draws,
                one.proven,
            ),
            *(one.gamma_k[label].value if label in one.gamma_k else None for label in labels),
            one.signature,
        )

    yield Table(name="all", columns=shape, rows=[row("", result)], people=False)
    rows: Sequence[tuple[Any, ...]] = [row(name, one) for name, one in _plain(result.documents)]
    found = _columns_of(result.documents)
    if found is not None:
        nothing = [None] * len(found.value)
        values = (found.value, found.observed, found.expected, found.gamma_cat, nothing, nothing)
        drawn = (found.monte_carlo_low, found.monte_carlo_high, found.monte_carlo_se)
        rest = (*drawn, found.p_value, found.undefined)
        counts = (found.n_annotators, found.n_units, found.draws, found.proven)
        of_labels = (found.gamma_k.get(label, nothing) for label in labels)
        names_of = list(result.documents)
        rows = _Rows(names_of, *values, *rest, *counts, *of_labels, found.signature)
    yield Table(name="document", columns=shape, rows=rows, people=False)


def _columns_of(documents: Mapping[str, GammaAgreement]) -> DocumentColumns | None:
    found: DocumentColumns | None = getattr(documents, "columns", None)
    return found


def _plain(documents: Mapping[str, GammaAgreement]) -> Iterable[tuple[str, GammaAgreement]]:
    """Return the documents that have results but no columns."""
    return () if _columns_of(documents) is not None else documents.items()


def _values_of(
    documents: Mapping[str, GammaAgreement],
) -> Iterator[tuple[str, float, str | None]]:
    """Yield the name of each document, γ, and the reason if it is undefined."""
    found = _columns_of(documents)
    if found is not None:
        yield from zip(documents, found.value.tolist(), found.undefined, strict=True)
    for name, one in _plain(documents):
        yield name, one.value, one.undefined


class FamilyValues(NamedTuple):
    """The values of γ and γcat only."""

    gamma: float
    """NaN if undefined."""
    gamma_cat: float
    proven: bool
    """Whether all alignments, of the data and of the draws, are proven to be the best."""


class Facts(NamedTuple):
    """The fields of a result other than values."""

    settings: tuple[tuple[str, str], ...]
    """The items of the signature, without seed, data and version."""
    dissimilarity: DissimilarityParameters
    seed: int
    digest: str
    n_annotators: int
    n_units: int
    annotators_from: str
    units_by_label: Mapping[Label | None, int] = MappingProxyType({})
    skipped: int = 0
    spacing: float | None = None
    alignment: Alignment | None = None
    p_value_note: str | None = None
    """The reason why there is no p-value."""
    notes: tuple[str, ...] = ()
    failed_documents: Mapping[str, str] = MappingProxyType({})

    def signature(self, measure: str, draws: int, *own: tuple[str, str]) -> Signature:
        """Return the signature, with all settings that affect a value."""
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
    totals: Totals,
    facts: Facts,
    *,
    confidence: float,
    documents: Mapping[str, GammaAgreement] | None = None,
    left_out_documents: Iterable[str] = (),
) -> GammaAgreement:
    """Compute γ, γcat and γk from the totals."""
    whole = estimate(totals.observed, totals.draws, confidence=confidence)
    p_value_note = whole.undefined or facts.p_value_note
    p_value = None if p_value_note else share_at_or_below(totals.observed, totals.draws)
    notes = facts.notes
    if totals.unproven_draws:
        notes += (
            (
                f"{totals.unproven_draws} alignments of draws reached a limit and are "
                "not proven to be the best"
            ),
        )
    gamma_k: Mapping[Label | None, ChanceAgreement] = {}
    if any(label is not None for label in totals.labels):
        gamma_k = OnDemand(
            totals.labels,
            partial(_agreement_on, totals=totals, facts=facts, confidence=confidence),
        )
    return GammaAgreement(
        value=whole.value,
        observed=totals.observed,
        expected=whole.expected,
        undefined=whole.undefined,
        monte_carlo=whole.monte_carlo,
        draws=len(totals.draws),
        expected_se=whole.expected_se,
        p_value=p_value,
        p_value_note=p_value_note,
        gamma_cat=_label_agreement(totals, 0, facts, confidence, "gamma_cat"),
        gamma_k=gamma_k,
        alignment=facts.alignment,
        draw_disorders=totals.draws,
        proven=totals.proven and not totals.unproven_draws,
        certified=None if whole.undefined else _certified(totals, whole),
        redrawn=totals.redrawn,
        spacing=facts.spacing,
        documents=documents or {},
        n_annotators=facts.n_annotators,
        n_units=facts.n_units,
        units_by_label=facts.units_by_label,
        annotators_from=facts.annotators_from,
        skipped=facts.skipped,
        left_out_documents=tuple(left_out_documents),
        failed_documents=facts.failed_documents,
        dissimilarity=facts.dissimilarity,
        notes=notes,
        signature=facts.signature("gamma", len(totals.draws)),
    )


class MeasuredColumns(NamedTuple):
    """γ, γcat and γk of the measured documents, as columns."""

    observed: Floats
    values: Floats
    expected: Floats
    low: Floats
    high: Floats
    errors: Floats
    p_values: Floats
    """Also of documents that do not meet the conditions for a test."""
    gamma_cat: Floats
    proven: Booleans
    gamma_k: Floats
    """Labels × documents; NaN if undefined."""


def measured_columns(found: CorpusEvidence, *, confidence: float) -> MeasuredColumns:
    """Return the values of `family_result` of all documents, equal to the last bit."""
    parts = [_of_block(block, found, confidence) for block in found.blocks()]
    if not parts:
        nothing = np.empty(0)
        gamma_k = np.empty((len(found.fitted.labels), 0))
        none = dict.fromkeys(MeasuredColumns._fields[:8], nothing)
        return MeasuredColumns(**none, proven=np.empty(0, np.bool_), gamma_k=gamma_k)
    return MeasuredColumns(
        *(np.concatenate(column, axis=-1) for column in zip(*parts, strict=True))
    )


def _of_block(block: Evidence, found: CorpusEvidence, confidence: float) -> MeasuredColumns:
    fitted, n = found.fitted, len(block.draws_of)
    mean_units = found.rules.mean_units_of(block.units_of, block.annotators_of)
    observed = block.disorder_sums / mean_units * fitted.empty
    # All documents of a run have as many draws.
    draws = block.draw_disorders.reshape(n, -1)
    whole = estimates(observed, draws, confidence=confidence)
    p_values = (1 + (draws <= observed[:, None]).sum(axis=1)) / (1 + draws.shape[1])
    has_label = np.array([label is not None for label in fitted.labels], np.bool_)
    cat = _label_values(
        _ratio(block.label_disorder * fitted.empty, block.label_weight),
        block.draw_label_disorder.reshape(n, -1),
        block.draw_label_weight.reshape(n, -1),
        confidence,
    )
    gamma_k = np.full((len(fitted.labels), n), math.nan)
    for labels in np.unique(block.labels_of).tolist():
        rows, disorder, weight = block.label_draws(labels)
        codes = block.of_labels(block.label_codes, rows, labels)
        of_label = block.of_labels(block.label_disorder_of, rows, labels) * fitted.empty
        observed_of = _ratio(of_label, block.of_labels(block.label_weight_of, rows, labels))
        values = _label_values(
            observed_of.ravel(),
            disorder.reshape(len(rows) * labels, -1),
            weight.reshape(len(rows) * labels, -1),
            confidence,
        ).reshape(-1, labels)
        # γcat is undefined for documents whose units have no labels.
        unlabeled = ~has_label[codes].any(axis=1)
        values[unlabeled] = math.nan
        cat[rows[unlabeled]] = math.nan
        gamma_k[codes, rows[:, None]] = values
    return MeasuredColumns(
        observed=observed,
        values=whole.values,
        expected=whole.expected,
        low=whole.low,
        high=whole.high,
        errors=_value_errors(observed, whole),
        p_values=np.where(np.isnan(whole.values), math.nan, p_values),
        gamma_cat=cat,
        proven=block.proven & block.draw_proven.reshape(n, -1).all(axis=1),
        gamma_k=gamma_k,
    )


def _value_errors(observed: Floats, whole: Estimates) -> Floats:
    """Return `ChanceAgreement.monte_carlo_se` of each document."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = observed / whole.expected * (whole.expected_errors / whole.expected)
    return np.where(np.isfinite(found), found, math.nan)


def _ratio(disorder: Floats, weight: Floats) -> Floats:
    ratio = np.full(disorder.shape, math.nan)
    np.divide(disorder, weight, out=ratio, where=weight > 0.0)
    return ratio


def _label_values(observed: Floats, disorder: Floats, weight: Floats, confidence: float) -> Floats:
    """Return agreement on labels, from the sums of comparable draws."""
    values = np.full(len(observed), math.nan)
    comparable = weight > 0.0
    counts = np.where(np.isnan(observed), 0, comparable.sum(axis=1))
    # Rows with the same number of comparable draws are computed together.
    for number in np.unique(counts[counts > 0]).tolist():
        rows = np.flatnonzero(counts == number)
        kept = comparable[rows]
        ratios = (disorder[rows][kept] / weight[rows][kept]).reshape(-1, number)
        values[rows] = estimates(observed[rows], ratios, confidence=confidence).values
    return values


def family_values(totals: Totals, *, confidence: float) -> FamilyValues:
    """Compute the values of γ and γcat only."""
    whole = estimate(totals.observed, totals.draws, confidence=confidence)
    cat = _label_estimate(totals, totals.by_label.ratios(), confidence)
    return FamilyValues(whole.value, cat.value, totals.proven and not totals.unproven_draws)


def undefined_result(
    reason: str,
    facts: Facts,
    *,
    documents: Mapping[str, GammaAgreement] | None = None,
    left_out_documents: Iterable[str] = (),
) -> GammaAgreement:
    """Return the result of data for which γ is undefined and nothing was drawn."""
    nothing = ChanceAgreement(
        value=math.nan,
        observed=math.nan,
        expected=math.nan,
        undefined=reason,
        draws=0,
        signature=facts.signature("gamma_cat", 0),
    )
    return GammaAgreement(
        value=math.nan,
        observed=math.nan,
        expected=math.nan,
        undefined=reason,
        draws=0,
        p_value=None,
        p_value_note=reason,
        gamma_cat=nothing,
        gamma_k={},
        alignment=facts.alignment,
        draw_disorders=np.empty(0),
        proven=True,
        documents=documents or {},
        n_annotators=facts.n_annotators,
        n_units=facts.n_units,
        units_by_label=facts.units_by_label,
        annotators_from=facts.annotators_from,
        skipped=facts.skipped,
        left_out_documents=tuple(left_out_documents),
        failed_documents=facts.failed_documents,
        dissimilarity=facts.dissimilarity,
        notes=facts.notes,
        signature=facts.signature("gamma", 0),
    )


def _certified(totals: Totals, whole: Estimate) -> Bounds:
    # A smaller observed disorder would increase γ, smaller disorders of draws would decrease it.
    if totals.proven and not totals.unproven_draws:
        return Bounds(whole.value, whole.value)
    least_expected = float(totals.draw_bounds.mean())
    low = 1.0 - totals.observed / least_expected if least_expected > 0.0 else -math.inf
    return Bounds(low, 1.0 - totals.observed_bound / whole.expected)


def _label_agreement(
    totals: Totals,
    column: int,
    facts: Facts,
    confidence: float,
    measure: str,
    *own: tuple[str, str],
) -> ChanceAgreement:
    ratios = totals.by_label.ratios(column)
    corrected = _label_estimate(totals, ratios, confidence)
    return ChanceAgreement(
        value=corrected.value,
        observed=ratios.observed,
        expected=corrected.expected,
        undefined=corrected.undefined,
        monte_carlo=corrected.monte_carlo,
        draws=len(totals.draws),
        expected_se=corrected.expected_se,
        n_left_out=ratios.n_left_out,
        weight=float(totals.by_label.weight[column]),
        signature=facts.signature(measure, len(totals.draws), *own),
    )


def _agreement_on(
    label: Label | None, *, totals: Totals, facts: Facts, confidence: float
) -> ChanceAgreement:
    """Return γk of a label."""
    own = ("label", label_text(label))
    column = 1 + totals.labels.index(label)
    return _label_agreement(totals, column, facts, confidence, "gamma_k", own)


def _label_estimate(totals: Totals, ratios: LabelRatios, confidence: float) -> Estimate:
    reason = None
    if all(label is None for label in totals.labels):
        reason = "no unit has a label"
    elif math.isnan(ratios.observed):
        reason = "no two aligned units lie close enough to compare their labels"
    elif not len(ratios.draws):
        reason = "no draw has two aligned units close enough to compare their labels"
    if not len(ratios.draws):
        return Estimate(math.nan, math.nan, None, None, reason)
    found = estimate(ratios.observed, ratios.draws, confidence=confidence)
    if reason is None:
        return found
    return found._replace(value=math.nan, monte_carlo=None, undefined=reason)
