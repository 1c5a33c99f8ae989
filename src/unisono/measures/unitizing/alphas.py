"""Krippendorff's alphas for unitizing: uα, |uα, cuα and (k)uα."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.data import of_units
from unisono.measures.distances import all_labelled, check_distance
from unisono.measures.gamma.alignment import describe_annotators
from unisono.measures.items.metrics import (
    Nominal,
    Ranked,
    checked_order,
    distance_metric,
    scale_notes,
    scale_text,
)
from unisono.measures.items.rows import weighted_counts
from unisono.measures.unitizing.coincidences import (
    Coincidences,
    Disagreement,
    Layout,
    OverlappingCoincidences,
    label_disagreements,
    u_by_squares,
)
from unisono.model.corpus import Corpus, check_continuum_or_corpus, documents_of
from unisono.model.labels import label_text, shown
from unisono.model.overlap import check_overlap, overlapping_units, without_overlap
from unisono.registry import MEASURES, check_setting
from unisono.results.agreement import Agreement, SeveralValues, outcome
from unisono.results.data import OfData
from unisono.results.measure_rows import measure_rows, unused_facts
from unisono.results.record import label_keys, record
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
from unisono.results.values import Signature
from unisono.results.wording import WHO_COUNTS, count, position
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.metrics import Metric
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap
    from unisono.results.sheet import Row

__all__ = ["UnitizingTable", "unitizing_alpha"]

Generation: TypeAlias = Literal["2016", "2013", "1995"]
"""The version of Krippendorff's alphas for unitizing, by year."""


@record
class UnitizingTable(OfData, SeveralValues[Agreement]):
    """Agreement on the positions and labels of units, by Krippendorff's alphas.

    ``observed`` and ``expected`` of each part are disagreements: its value is
    1 − observed / expected. For a corpus the values are pooled over its documents, and
    ``documents`` has the result of each.

    Parameters
    ----------
    u_alpha
        uα: positions and labels of units, with gaps as another value. For 1995, αU.
    u_alpha_binary
        |uα: positions of units, without labels.
    u_alpha_coding
        cuα: labels, where units of different annotators overlap.
    u_alpha_k
        (k)uα of each label against all others, where units overlap. For 1995, αU of the label
        alone. The keys are the labels, or ``None`` for units without a label.
    generation
        ``2016``, ``2013`` or ``1995``.
    documents
        The result of each document of a corpus, by name; empty for a single continuum, or if not
        requested.
    n_documents
        Number of documents that were measured.
    n_annotators
        Number of annotators.
    n_units
        Number of units, after overlapping units were merged or split.
    length
        Total length of the documents.
    label_lengths
        Total length of the units of each label, over all annotators.
    annotators_from
        How the annotators of each document were determined: those with units in the document
        (``units``), all annotators of the corpus (``corpus``), or as declared (``declared``).
    skipped
        Number of invalid rows that the reader skipped, as ``on_error="skip"`` requests.
    left_out_documents
        Documents with fewer than two annotators, which are not measured.
    notes
        Remarks on the reliability of the values.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 9, "NP"), ("ann", 12, 20, "VP"), ("bob", 0, 8, "NP"), ("bob", 12, 20, "NP")]
    ... )
    >>> result = un.unitizing_alpha(text)
    >>> result
    UnitizingTable(uα 0.3109, |uα 0.8571, cuα 0.0000, 2 annotators, 4 units)
    >>> print(result)
    measure    value  observed  expected
    uα        0.3109    0.4500    0.6530
    |uα       0.8571    0.0500    0.3500
    cuα       0.0000    0.5000    0.5000
    (k)uα NP  0.0000    0.3333    0.3333
    (k)uα VP  0.0000    1.0000    1.0000
    """

    u_alpha: Agreement
    u_alpha_binary: Agreement
    u_alpha_coding: Agreement
    u_alpha_k: Mapping[Label | None, Agreement]
    generation: Generation
    documents: Mapping[str, UnitizingTable] = field(default_factory=dict)
    n_documents: int = 1
    n_annotators: int
    n_units: int
    length: float
    label_lengths: Mapping[Label | None, float] = field(default_factory=dict)
    annotators_from: str
    skipped: int = 0
    left_out_documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    computed = ("signature",)

    @property
    def by_measure(self) -> Mapping[str, Agreement]:
        """The alphas of the generation, by name of the measure.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
        >>> list(un.unitizing_alpha(text, generation="2013"))
        ['u_alpha', 'u_alpha_coding']
        """
        return {name: getattr(self, name) for name in _SYMBOLS[self.generation]}

    @property
    def signature(self) -> Signature:
        """All settings that affect the values: the signature of `u_alpha`."""
        return self.u_alpha.signature

    def __repr__(self) -> str:
        symbols = _SYMBOLS[self.generation]
        texts = [f"{symbols[name]} {outcome(of)}" for name, of in self.items()]
        if self.documents:
            texts.append(count(len(self.documents), "document"))
        texts += [count(self.n_annotators, "annotator"), count(self.n_units, "unit")]
        return f"UnitizingTable({', '.join(texts)})"

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: no alpha has a value.

        Examples
        --------
        >>> import unisono as un
        >>> un.unitizing_alpha(un.Continuum.from_units([("ann", 0, 9, "NP")])).problems()[0][:50]
        'the alphas are undefined: agreement needs at least'
        """
        if not all(of.undefined for of in self.values()):
            return []
        return [f"the alphas are undefined: {self.u_alpha.undefined}"]

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the result, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
        >>> [fact.text for fact in un.unitizing_alpha(text).sheet().facts][2:]
        ['2', '9', '2016']
        """
        lengths = self.label_lengths
        keys = label_keys(self.u_alpha_k)
        tables = [
            measure_rows(
                _named(self),
                weights={key: lengths.get(label, 0.0) for label, key in keys.items()},
                most=_LABELS_SHOWN,
                symbols=_OWN_SYMBOLS.get(self.generation, {}),
            )
        ]
        if len(self.documents) > 1:
            tables.append(_documents_table(self))
        has_coding = self.generation != "1995"
        return Sheet(
            name="unitizing",
            title=title,
            headline=tuple(Headline(name, of.value) for name, of in self.items()),
            tables=(*tables, *_tables_for_programs(self)),
            facts=tuple(_facts(self)),
            notes=self.notes,
            figures=(figure("labels", self),) if self.u_alpha_k else (),
            # Only the signature of cuα has the distance of labels.
            signatures=(self.signature, *((self.u_alpha_coding.signature,) if has_coding else ())),
        )


_LABELS_SHOWN = 40
_ALPHAS = ("u_alpha", "u_alpha_binary", "u_alpha_coding")
_OWN_SYMBOLS: Mapping[Generation, Mapping[str, str]] = {
    "1995": {"u_alpha": "αU", "u_alpha_k": "αU"},
}
"""The symbols that a generation has instead of those of the registry."""
_SYMBOLS: Mapping[Generation, Mapping[str, str]] = {
    "2016": {name: MEASURES[name].symbol for name in _ALPHAS},
    "2013": {name: MEASURES[name].symbol for name in ("u_alpha", "u_alpha_coding")},
    "1995": {"u_alpha": "αU"},
}
"""The alphas of each generation, with their symbols."""


def _named(result: UnitizingTable) -> Iterator[tuple[str, str | None, Agreement]]:
    """Yield name, label and value of the alphas of the generation."""
    for name, of in result.items():
        yield name, None, of
    keys = label_keys(result.u_alpha_k)
    for label, of in result.u_alpha_k.items():
        yield "u_alpha_k", keys[label], of


def _documents_table(result: UnitizingTable) -> Table:
    """Return the table of documents for people, in ascending order of agreement."""
    symbols = _SYMBOLS[result.generation]
    return Table(
        name="document",
        columns=(
            column("document"),
            *(
                Column(name=measure, heading=symbol, kind=KINDS["coefficient"])
                for measure, symbol in symbols.items()
            ),
            *columns("n_annotators n_units length"),
        ),
        rows=[
            (
                name,
                *(each.value for each in of.values()),
                *(of.n_annotators, of.n_units, of.length),
            )
            for name, of in result.documents.items()
        ],
        worst_first=lambda row: (math.inf if math.isnan(row[1]) else row[1], row[0]),
        reasons=[
            (f"{symbols['u_alpha']} of {name}", of.u_alpha.undefined)
            for name, of in result.documents.items()
            if of.u_alpha.undefined
        ],
        limited=True,
        programs=False,
    )


def _tables_for_programs(result: UnitizingTable) -> Iterator[Table]:
    shape = columns(
        "document measure label value observed expected undefined n_annotators n_units length "
        "signature"
    )

    def rows(name: str | None, of: UnitizingTable) -> Iterator[Row]:
        keys = label_keys(of.u_alpha_k)
        found: list[tuple[str, str | None, Agreement]]
        found = [(measure, None, getattr(of, measure)) for measure in _ALPHAS]
        found += [("u_alpha_k", keys[label], each) for label, each in of.u_alpha_k.items()]
        for measure, label, each in found:
            numbers = (each.value, each.observed, each.expected, each.undefined)
            about = (of.n_annotators, of.n_units, of.length)
            yield (name, measure, label, *numbers, *about, each.signature)

    pooled = list(rows(None, result))
    single = [row for name, of in result.documents.items() for row in rows(name, of)]
    for scope, found in (("all", pooled), ("document", single)):
        yield Table(name=scope, columns=shape, rows=found, people=False)


def _facts(result: UnitizingTable) -> Iterator[Fact]:
    """Yield the facts shown below the tables."""
    if result.n_documents > 1:
        yield Fact(column("n_documents"), result.n_documents)
    who = WHO_COUNTS.get(result.annotators_from, result.annotators_from)
    yield Fact(column("n_annotators"), result.n_annotators, f"counted: {who}")
    yield Fact(column("n_units"), result.n_units)
    yield Fact(column("length"), result.length)
    yield Fact(column("generation"), result.generation)
    yield from unused_facts(skipped=result.skipped, left_out=result.left_out_documents)


_MOST_LABELS = 1000  # by default there are no values by label beyond this number of labels
_LONGEST = 1e75  # the cube of a length, times the number of units, must not overflow
_NO_LABEL = "no unit has a label"
# Gaps count in pieces of length 1; below this share of all pairs the effect is negligible.
_NEGLIGIBLE = 1e-3


@dataclass(frozen=True, kw_only=True)
class Alphas:
    """The validated data and settings of one call of `unitizing_alpha`."""

    data: Continuum | Corpus
    resolved: Mapping[str, Continuum]
    """The documents with overlap resolved."""
    distance: str | DistanceMatrix | Callable[[Label, Label], float]
    generation: Generation
    overlap: Overlap
    order: tuple[Label, ...] | None
    with_labels: bool | None

    def result(self, *, each_document: bool) -> UnitizingTable:
        """Measure all documents together and, optionally, each of them."""
        documents = {}
        if each_document and isinstance(self.data, Corpus):
            documents = {
                name: self._measured({name: continuum}, self.data[name])
                for name, continuum in self.resolved.items()
            }
        return self._measured(self.resolved, self.data, documents)

    @cached_property
    def layout(self) -> Layout:
        """The layout of all documents."""
        return Layout.of([each for each in self.resolved.values() if len(each.annotators) > 1])

    @cached_property
    def has_labels(self) -> bool:
        """Whether any unit has a label."""
        return any(label is not None for label in self.layout.labels)

    @cached_property
    def metric(self) -> Metric | Ranked:
        """The metric on the labels of all documents; ranks are not yet weighted by length."""
        labels = self.layout.labels
        if self.distance == "nominal" or not self.has_labels:
            return Nominal()
        name = self.distance if isinstance(self.distance, str) else "custom"
        return distance_metric(all_labelled(labels, name), self.distance, self.order)

    @cached_property
    def weighted_metric(self) -> Metric:
        """The metric, with ranks weighted by the lengths of overlapping units in all documents."""
        if isinstance(self.metric, Ranked):
            return self.metric.fitted(Coincidences(self.layout).label_lengths)
        return self.metric

    def _measured(
        self,
        resolved: Mapping[str, Continuum],
        data: Continuum | Corpus,
        documents: Mapping[str, UnitizingTable] | None = None,
    ) -> UnitizingTable:
        chosen = [each for each in resolved.values() if len(each.annotators) > 1]
        whole = resolved is self.resolved
        layout = self.layout if whole else Layout.of(chosen, self.layout.labels)
        left_out = tuple(name for name, each in resolved.items() if len(each.annotators) < 2)
        n_units = sum(map(len, resolved.values()))
        one = _DocumentAlphas(self, layout, data)
        parts, of_labels = one.undefined_parts(_undefined_reason(layout, data)), {}
        if not parts:
            overlapping = self.overlap == "keep" and any(map(overlapping_units, chosen))
            parts, of_labels = (
                one.of_intersections() if overlapping else getattr(one, f"in_{self.generation}")()
            )
        agreements: dict[str, Any] = dict(parts)
        return UnitizingTable(
            **agreements,
            u_alpha_k=of_labels,
            generation=self.generation,
            documents=documents or {},
            n_documents=len(resolved) - len(left_out),
            n_annotators=len(data.annotators),
            n_units=n_units,
            length=layout.length,
            annotators_from=data.annotators_from,
            skipped=data.skipped if isinstance(data, Corpus) else 0,
            left_out_documents=left_out if isinstance(data, Corpus) else (),
            label_lengths=one.label_lengths(),
            notes=one.notes(resolved, parts),
        )


class _DocumentAlphas:
    """Computes the alphas of one or more documents."""

    def __init__(self, alphas: Alphas, layout: Layout, data: Continuum | Corpus) -> None:
        self.alphas = alphas
        self.layout = layout
        self.data = data

    def undefined_parts(self, reason: str | None) -> dict[str, Agreement]:
        """Return undefined alphas if there is a reason."""
        if reason is None:
            return {}
        return {name: self._agreement(name, _UNDEFINED, reason) for name in _ALPHAS}

    def of_intersections(self) -> tuple[dict[str, Agreement], dict[Label | None, Agreement]]:
        """Return cuα of all intersections of units of different annotators."""
        coding = self._coding(OverlappingCoincidences(self.layout))
        parts = self.undefined_parts(_KEPT)
        return {**parts, "u_alpha_coding": coding}, {}

    def in_2016(self) -> tuple[dict[str, Agreement], dict[Label | None, Agreement]]:
        """Return uα, |uα, cuα and (k)uα."""
        sums = Coincidences(self.layout)
        parts = {
            "u_alpha": self._length_alpha("u_alpha", sums.u()),
            "u_alpha_binary": self._length_alpha("u_alpha_binary", sums.binary()),
            "u_alpha_coding": self._coding(sums),
        }
        if not self._has_label_values():
            return parts, {}
        observed, expected = sums.by_label()
        lengths = sums.label_lengths

        def reason(code: int) -> str:
            if lengths[code] == 0.0:
                return "no unit with this label overlaps a unit of another annotator"
            if expected[code] == 0.0:
                return "all overlapping units have this label, " + _NO_EXPECTED
            return _TOO_FEW

        return parts, self._of_labels("u_alpha_k", observed, expected, reason)

    def in_2013(self) -> tuple[dict[str, Agreement], dict[Label | None, Agreement]]:
        """Return uα and cuα."""
        return {
            "u_alpha": self._length_alpha("u_alpha", u_by_squares(self.layout)),
            "u_alpha_binary": self._agreement(
                "u_alpha_binary", _UNDEFINED, "|uα is defined for the generation 2016 only"
            ),
            "u_alpha_coding": self._coding(Coincidences(self.layout)),
        }, {}

    def in_1995(self) -> tuple[dict[str, Agreement], dict[Label | None, Agreement]]:
        """Return αU of all labels together and of each label."""
        observed, expected = label_disagreements(self.layout)
        whole = Disagreement(math.fsum(observed.tolist()), math.fsum(expected.tolist()))
        if not self.layout.codes.size:
            whole = Disagreement(0.0, 0.0)
        reason_1995 = "the generation 1995 defines αU only"
        parts = {
            "u_alpha": self._length_alpha("u_alpha", whole),
            "u_alpha_binary": self._agreement("u_alpha_binary", _UNDEFINED, reason_1995),
            "u_alpha_coding": self._agreement("u_alpha_coding", _UNDEFINED, reason_1995),
        }
        if not self._has_label_values():
            return parts, {}

        def reason(code: int) -> str:
            if expected[code] != 0.0:
                return _TOO_SHORT
            return "all annotators marked everything with this label, " + _NO_EXPECTED

        return parts, self._of_labels("u_alpha_k", observed, expected, reason)

    def label_lengths(self) -> dict[Label | None, float]:
        """Return the total length of the units of each label."""
        codes, labels = self.layout.codes, self.layout.labels
        lengths = weighted_counts(codes, self.layout.lengths, len(labels))
        return {labels[code]: float(lengths[code]) for code in np.unique(codes).tolist()}

    def notes(
        self, resolved: Mapping[str, Continuum], parts: Mapping[str, Agreement]
    ) -> tuple[str, ...]:
        """Return remarks on the reliability of the values."""
        alphas, layout = self.alphas, self.layout
        labels = [label for label in alphas.layout.labels if label is not None]
        found = list(scale_notes(alphas.distance, labels))
        before = self.data.n_units if isinstance(self.data, Corpus) else len(self.data)
        after = sum(map(len, resolved.values()))
        if before != after:
            done = {"merge": "merged", "split": "split"}[alphas.overlap]
            found.append(
                f"overlapping units of one annotator were {done}: {count(before, 'unit')} "
                f"became {after:,}"
            )
        points = sum(int(np.count_nonzero(each.ends == each.starts)) for each in resolved.values())
        if points:
            found.append(f"{count(points, 'unit')} of length 0 ignored")
        if alphas.generation == "2013" and layout.annotators.max(initial=0) > 2:
            found.append(_SEVERAL_2013)
        if not parts["u_alpha"].undefined and self._depends_on_unit_of_length():
            found.append(
                "positions are not whole numbers, but this alpha counts positions of length 1: "
                "its value depends on the unit of length; the total length is "
                f"{position(layout.length)}"
            )
        return tuple(found)

    def _depends_on_unit_of_length(self) -> bool:
        if self.layout.is_whole:
            return False
        if self.alphas.generation != "2016":
            return True
        return Coincidences(self.layout).gaps > _NEGLIGIBLE * self.layout.annotated_length**2

    def _has_label_values(self) -> bool:
        with_labels = self.alphas.with_labels
        if with_labels is None:
            with_labels = len(self.layout.labels) <= _MOST_LABELS
        return self.alphas.has_labels and with_labels

    def _coding(self, sums: Coincidences) -> Agreement:
        if not self.alphas.has_labels:
            return self._agreement("u_alpha_coding", _UNDEFINED, _NO_LABEL)
        found = sums.coding(self.alphas.weighted_metric)

        def reason() -> str:
            overlapping = np.flatnonzero(sums.label_lengths)
            if not len(overlapping):
                return "no units of different annotators overlap"
            if len(overlapping) == 1:
                label = shown(self.layout.labels[int(overlapping[0])])
                return f"all overlapping units have the label {label}, {_NO_EXPECTED}"
            if found.expected == 0.0:
                return f"all labels of overlapping units have distance 0, {_NO_EXPECTED}"
            return _TOO_FEW

        return self._agreement("u_alpha_coding", found, reason)

    def _length_alpha(self, name: str, found: Disagreement) -> Agreement:
        """Return an alpha that counts positions of length 1, with a reason if it is undefined."""

        def reason() -> str:
            codes = self.layout.codes
            if not codes.size:
                return f"there are no units, {_NO_EXPECTED}"
            if found.expected != 0.0:
                return _TOO_SHORT
            label = self.layout.labels[int(codes[0])]
            suffix = "" if label is None or (codes != codes[0]).any() else f" as {shown(label)}"
            return f"all annotators marked everything{suffix}, {_NO_EXPECTED}"

        return self._agreement(name, found, reason)

    def _of_labels(
        self, measure: str, observed: Floats, expected: Floats, reason: Callable[[int], str]
    ) -> dict[Label | None, Agreement]:
        found: dict[Label | None, Agreement] = {}
        for code in np.unique(self.layout.codes).tolist():
            label = self.layout.labels[code]
            parts = Disagreement(float(observed[code]), float(expected[code]))
            why = reason(code)
            signature = self._signature(measure, ("label", label_text(label)))
            found[label] = _agreement(parts, why, signature)
        return found

    def _agreement(
        self, name: str, found: Disagreement, reason: str | Callable[[], str]
    ) -> Agreement:
        own = self._distance_items() if name == "u_alpha_coding" else ()
        return _agreement(found, reason, self._signature(name, *own))

    def _distance_items(self) -> tuple[tuple[str, str], ...]:
        alphas = self.alphas
        if isinstance(alphas.metric, Nominal) and isinstance(alphas.distance, str):
            return (("distance", alphas.distance),)
        labels = [label for label in alphas.layout.labels if label is not None]
        text = scale_text(alphas.distance, labels, alphas.order, alphas.metric)
        # A document has the ranks of its corpus, which do not follow from its own data.
        of_corpus = isinstance(alphas.metric, Ranked) and self.data is not alphas.data
        ranks = (("ranks", alphas.data.digest[:8]),) if of_corpus else ()
        return ("distance", text), *ranks

    def _signature(self, measure: str, *own: tuple[str, str]) -> Signature:
        alphas = self.alphas
        overlap = () if alphas.overlap == "raise" else (("overlap", alphas.overlap),)
        return Signature(
            measure,
            (
                *own,
                ("generation", alphas.generation),
                *overlap,
                ("annotators", self.data.annotators_from),
                ("data", self.data.digest[:8]),
                ("v", __version__),
            ),
        )


_UNDEFINED = Disagreement(math.nan, math.nan)
_KEPT = "units of one annotator overlap and are kept; only cuα is defined for them"
_SEVERAL_2013 = (
    "the expected disagreement of 2013 is derived from an example with two annotators; for more "
    "annotators its divisor is not published, and uα is uncertain"
)
_NO_EXPECTED = "so the expected disagreement is 0"
_TOO_FEW = "too few units of different annotators overlap to compute the expected disagreement"
_TOO_SHORT = (
    "the text is too short for an alpha that counts positions of length 1; use a smaller unit of "
    "length, such as milliseconds"
)


def _agreement(
    found: Disagreement, reason: str | Callable[[], str], signature: Signature
) -> Agreement:
    undefined = not found.expected > 0.0 or math.isnan(found.observed)
    why = (reason if isinstance(reason, str) else reason()) if undefined else None
    return Agreement(
        value=math.nan if undefined else 1.0 - found.observed / found.expected,
        observed=found.observed,
        expected=found.expected,
        undefined=why,
        signature=signature,
    )


def _undefined_reason(layout: Layout, data: Continuum | Corpus) -> str | None:
    if isinstance(data, Corpus):
        if not len(data):
            return "there are no documents"
        if not len(layout.annotators):
            return "no document has at least two annotators"
    elif not len(layout.annotators):
        return f"agreement needs at least two annotators; {describe_annotators(data)}"
    if layout.length == 0.0:
        return "the total length is 0: no unit has a length, and there is no extent"
    if layout.length < 1.0 / _LONGEST:
        return _TOO_SHORT
    if layout.length > _LONGEST:
        return (
            f"the length {layout.length:.3g} is too large to compute; use a larger unit of length"
        )
    return None


_MOST_DOCUMENTS = 1000  # by default there are no results by document beyond this number


@of_units
def unitizing_alpha(
    data: Continuum | Corpus,
    *,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    generation: Generation = "2016",
    overlap: Overlap = "raise",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_document: bool | None = None,
) -> UnitizingTable:
    """Compute Krippendorff's alphas for the agreement on units and their labels.

    The alphas compare annotators by length, along the continuum. uα treats gaps between units as
    another label, |uα distinguishes only units and gaps, cuα compares labels where units of
    different annotators overlap, and (k)uα does so for each label.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus`, whose documents are pooled.
    distance
        The distance of two labels, for cuα, as in `krippendorff_alpha`: ``"nominal"``,
        ``"ordinal"`` (ranks by length), ``"interval"``, …, a `DistanceMatrix`, or a function. The
        other alphas only distinguish equal and different labels.
    generation
        ``"2016"``: uα, |uα, cuα and (k)uα [1]_. ``"2013"``: the uα that γ was compared with [2]_,
        and cuα. ``"1995"``: αU, over all labels and of each label alone [3]_ [4]_.
    overlap
        How to treat overlapping units of one annotator: ``"raise"`` raises an error, ``"merge"``
        joins units with the same label that overlap or touch, ``"split"`` cuts units at all starts
        and ends, and a piece of several units gets the set of their labels. ``"keep"`` does not
        change them: cuα then counts all intersections of units of different annotators, as in §6.2
        of [2]_, and the other alphas are undefined. For 1995 only units with the same label
        must not overlap.
    order
        All labels from low to high, for ``"ordinal"`` with labels that are not numbers.
    by_label
        Whether to compute a value for each label; by default for up to 1,000 labels.
    by_document
        Whether to compute the result of each document; by default for up to 1,000 documents.

    Returns
    -------
    UnitizingTable
        `u_alpha`, `u_alpha_binary`, `u_alpha_coding` and `u_alpha_k`, each with observed and
        expected disagreement; NaN with a reason if undefined, for example if the generation does
        not define it.

    Raises
    ------
    DataError
        If units of one annotator overlap, or the distance cannot compare a label.
    SettingError
        If the generation, the distance or the treatment of overlap is unknown.

    Notes
    -----
    2016: values c and k, labels or gap, coincide on l_ck = Σ_{i≠j} |g∩h|/(m − 1) over the sections
    g of annotator i with value c and h of annotator j with value k; l_c = Σ_k l_ck, and l is the
    total sum, m times the length. uα = 1 − Σ_{c≠k} l_ck / Σ_{c≠k} e_ck with
    e_ck = l·(l_c·l_k − [c=k]·Q_c)/(l² − ΣQ), where Q is Σ length² of units plus the length of gaps.
    |uα is the same with a single label. cuα = 1 − Σ l_ck·δ_ck / Σ e_ck·δ_ck over labels
    alone, with l_c and l summed over labels alone, and
    e_ck = (l_c·l_k − [c=k]·R_c/(m − 1)) / (l − ΣR/(l(m − 1))); R_c is the sum over the units of c,
    and over the other annotators, of the squared length that the annotator's units cover.
    (k)uα = 1 − [(l_k − l_kk)/l_k] / [(e_k − e_kk)/e_k].

    cuα is confirmed by published values: 0.7152 on the table of four annotators and twelve items
    in [5]_, where another reading of R gives 0.7160, and 0.744 with the interval distance on
    Figure 14 of [2]_. uα, |uα and (k)uα follow the formulas of [1]_; they were compared with a
    second implementation, but not with published values.

    2013: D_o = Σ_{i≠j} Σ [c≠k]·|g∩h|² / (L·m(m − 1)) and D_e = Σ over ordered pairs of sections
    with c ≠ k of S2(a, b)/((mL)² − Σ length²), S2 = a(a − 1)(2a − 1)/3 + (b − a + 1)a² for lengths
    a ≤ b. D_o is given in [2]_, §6.1.1. For D_e, [2]_ describes how sections are moved, but not the
    divisor, which is reconstructed from Figure 14 (3.145, 5.286 and 0.405). A layout that fits
    Figure 21 gives 0.107 and −0.287, as printed. All of these have two annotators. For m > 2 the
    divisor is undetermined: (mL)² and 2m(m − 1)L² are equal for two annotators only.

    1995: each label is a continuum of its own, all else being gaps. Two overlapping units differ by
    (difference of starts)² + (difference of ends)², a unit in a gap by its squared length. The
    expected disagreement is that of [4]_, confirmed by the values of its page 254.

    2013 and 1995 count integer positions, such as characters, and so does 2016 for gaps: its uα and
    |uα depend on the unit of length, the less the longer the text is; cuα and (k)uα do not.

    A corpus is measured as one long continuum without overlaps between documents: lengths,
    coincidences and squares are summed before the ratios are computed, each document with its own
    m.

    Units of length 0 are ignored. The run time is dominated by sorting the units. R, 2013 and 1995
    take one sweep over all units per annotator; distances other than nominal compare the labels at
    each position.

    References
    ----------
    .. [1] Krippendorff, K., Mathet, Y., Bouvry, S., & Widlöcher, A. (2016). On the reliability of
       unitizing textual continua: further developments. Quality & Quantity 50(6), 2347–2364.
    .. [2] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479, section 6.1.
    .. [3] Krippendorff, K. (1995). On the reliability of unitizing continuous data. Sociological
       Methodology 25, 47–76.
    .. [4] Krippendorff, K. (2004). Content analysis: an introduction to its methodology, 2nd ed.
       Sage, chapter 11.
    .. [5] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), 661–681, section 5.1.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         *[("ann", 2, 17, 1), ("ann", 22, 37, 1), ("ann", 58, 68, 2), ("ann", 70, 75, 4)],
    ...         *[("bob", 2, 17, 1), ("bob", 32, 45, 3), ("bob", 58, 63, 1), ("bob", 70, 75, 4)],
    ...     ],
    ...     extent=(0, 76),
    ... )
    >>> alphas = un.unitizing_alpha(text, distance="interval")
    >>> f"{alphas.u_alpha:.3f} {alphas.u_alpha_binary:.3f} {alphas.u_alpha_coding:.3f}"
    '0.382 0.418 0.744'
    >>> old = un.unitizing_alpha(text, generation="2013")
    >>> f"{old.u_alpha:.3f}", f"{old.u_alpha.observed:.3f}", f"{old.u_alpha.expected:.3f}"
    ('0.405', '3.145', '5.286')
    """
    _check(distance, generation, overlap, order)
    check_continuum_or_corpus("unitizing_alpha", data)
    alphas = Alphas(
        data=data,
        resolved=_resolve_overlaps(data, generation, overlap),
        distance=distance,
        generation=generation,
        overlap=overlap,
        order=checked_order(order),
        with_labels=by_label,
    )
    each = isinstance(data, Corpus) and (
        len(data) <= _MOST_DOCUMENTS if by_document is None else by_document
    )
    return alphas.result(each_document=each)


def _check(distance: object, generation: object, overlap: object, order: object) -> None:
    check_distance(distance)
    check_overlap(overlap)
    check_setting("generation", generation)
    if generation == "1995" and distance != "nominal":
        msg = (
            f"{setting('distance')} applies to cuα, which {setting('generation', '1995')} does not "
            "have; omit one of them"
        )
        raise SettingError(msg)
    if order is not None and distance != "ordinal":
        msg = f"{setting('order')} applies to {setting('distance', 'ordinal')} only"
        raise SettingError(msg)


def _resolve_overlaps(
    data: Continuum | Corpus, generation: Generation, overlap: Overlap
) -> dict[str, Continuum]:
    """Return the documents with overlap resolved."""
    documents = documents_of(data)
    within = generation == "1995"
    found = {}
    for name, continuum in documents.items():
        if overlap == "keep" and not within and overlapping_units(continuum):
            found[name] = continuum
            continue
        try:
            found[name] = without_overlap(continuum, overlap, within_labels=within)
        except DataError as error:
            if not isinstance(data, Corpus) or len(data) == 1:
                raise
            others = sum(_overlaps(each, overlap, within=within) for each in documents.values()) - 1
            more = f" (and {count(others, 'more document')} with overlap)" if others else ""
            msg = f"document {name!r}: {error}{more}"
            raise DataError(msg) from None
    return found


def _overlaps(continuum: Continuum, overlap: Overlap, *, within: bool) -> bool:
    try:
        without_overlap(continuum, overlap, within_labels=within)
    except DataError:
        return True
    return False
