"""Krippendorff's alphas for unitizing: uα, |uα, cuα and (k)uα."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.distances import all_labelled, check_distance
from unisono.measures.gamma.alignment import annotators_told
from unisono.measures.gamma.result import WHO_COUNTS
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
    label_disagreements,
    u_by_squares,
)
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_text, shown
from unisono.model.overlap import check_overlap, without_overlap
from unisono.registry import MEASURES
from unisono.results.agreement import Agreement, Signature, outcome
from unisono.results.measure_rows import measure_rows, unused_facts
from unisono.results.record import Record, label_keys, plain_number
from unisono.results.render import Sheeted, text
from unisono.results.sheet import KINDS, Column, Fact, Headline, Sheet, Table, column, columns
from unisono.results.wording import count, position
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.metrics import Metric
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap
    from unisono.results.sheet import Row

__all__ = ["UnitizingResult", "unitizing_alpha"]

Generation: TypeAlias = Literal["2016", "2013", "1995"]
"""Which of Krippendorff's alphas for unitizing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class UnitizingResult(Record, Sheeted):
    """How much annotators agree on where units are and what they are called, by α.

    ``observed`` and ``expected`` of each part are disagreements: its value is
    1 − observed / expected. Of a corpus the same fields are pooled over its documents, and
    ``documents`` has a result each.

    Parameters
    ----------
    u
        uα: where units are and what they are called, gaps being one more value. Of 1995, αU.
    binary
        |uα: where units are, whatever they are called.
    coding
        cuα: what units are called, where units of different annotators meet.
    by_label
        (k)uα of each label: units of the label against all others, where units meet. Of 1995,
        αU of the label alone. The keys are the labels themselves, ``None`` for units without one.
    generation
        ``2016``, ``2013`` or ``1995``.
    documents
        A result for each document of a corpus, by name; empty for one continuum, and where it was
        not asked for.
    n_documents
        How many documents the values rest on.
    n_annotators
        How many annotators there are.
    n_units
        How many units were measured, after units that overlap were merged or split.
    length
        How long the documents are together.
    label_lengths
        How long the units of each label are together, those of all annotators added up.
    annotators_from
        How the annotators were known: those with units in the document (``units``), everyone in
        the corpus (``corpus``), or as declared (``declared``).
    skipped
        Rows the reader could not use and was told to skip.
    left_out_documents
        Documents with fewer than two annotators, which add nothing.
    notes
        Sentences a reader of the values should know.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 9, "NP"), ("ann", 12, 20, "VP"), ("bob", 0, 8, "NP"), ("bob", 12, 20, "NP")]
    ... )
    >>> result = un.unitizing_alpha(text)
    >>> result
    UnitizingResult(uα 0.3109, |uα 0.8571, cuα 0.0000, 2 annotators, 4 units)
    >>> print(result)
    measure    value  observed  expected
    uα        0.3109    0.4500    0.6530
    |uα       0.8571    0.0500    0.3500
    cuα       0.0000    0.5000    0.5000
    (k)uα NP  0.0000    0.3333    0.3333
    (k)uα VP  0.0000    1.0000    1.0000
    """

    u: Agreement
    binary: Agreement
    coding: Agreement
    by_label: Mapping[Label | None, Agreement]
    generation: Generation
    documents: Mapping[str, UnitizingResult] = field(default_factory=dict)
    n_documents: int = 1
    n_annotators: int
    n_units: int
    length: float
    label_lengths: Mapping[Label | None, float] = field(default_factory=dict)
    annotators_from: str
    skipped: int = 0
    left_out_documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("by_label", "label_lengths", "documents"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for name in ("left_out_documents", "notes"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "length", float(self.length))

    @property
    def signature(self) -> Signature:
        """Every setting that can move the values: the signature of `u`."""
        return self.u.signature

    def __repr__(self) -> str:
        symbols = _SYMBOLS[self.generation].items()
        told = [f"{symbol} {outcome(getattr(self, part))}" for part, symbol in symbols]
        if self.documents:
            told.append(count(len(self.documents), "document"))
        told += [count(self.n_annotators, "annotator"), count(self.n_units, "unit")]
        return f"UnitizingResult({', '.join(told)})"

    def __str__(self) -> str:
        return text(self.sheet())

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
        >>> record = un.unitizing_alpha(text).to_dict()
        >>> record["generation"], record["n_units"], record["coding"]["undefined"]
        ('2016', 2, "all units that meet have the label 'NP': chance never disagrees")
        """
        keys = label_keys(self.label_lengths)
        return {
            "u": self.u.to_dict(),
            "binary": self.binary.to_dict(),
            "coding": self.coding.to_dict(),
            "by_label": {keys[label]: of.to_dict() for label, of in self.by_label.items()},
            "generation": self.generation,
            "n_documents": self.n_documents,
            "n_annotators": self.n_annotators,
            "n_units": self.n_units,
            "length": plain_number(self.length),
            "label_lengths": {keys[label]: of for label, of in self.label_lengths.items()},
            "annotators_from": self.annotators_from,
            "skipped": self.skipped,
            "left_out_documents": list(self.left_out_documents),
            "notes": list(self.notes),
            "signature": str(self.signature),
            "documents": {name: each.to_dict() for name, each in self.documents.items()},
        }

    def problems(self) -> list[str]:
        """Return what a script must notice: that no alpha has a value.

        Examples
        --------
        >>> import unisono as un
        >>> un.unitizing_alpha(un.Continuum.from_units([("ann", 0, 9, "NP")])).problems()[0][:50]
        'the alphas are undefined: agreement needs two anno'
        """
        if not all(part.undefined for part in (self.u, self.binary, self.coding)):
            return []
        return [f"the alphas are undefined: {self.u.undefined}"]

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of the result, which all renderings share.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
        >>> [fact.text for fact in un.unitizing_alpha(text).sheet().facts][1:]
        ['2', '9', '2016']
        """
        lengths = self.label_lengths
        keys = label_keys(self.by_label)
        tables = [
            measure_rows(
                _named(self),
                weights={key: lengths.get(label, 0.0) for label, key in keys.items()},
                most=_LABELS_SHOWN,
            )
        ]
        if len(self.documents) > 1:
            tables.append(_documents_table(self))
        has_coding = self.generation != "1995"
        return Sheet(
            name="unitizing",
            title=title,
            headline=tuple(
                Headline(_MEASURES[part], getattr(self, part).value)
                for part in _SYMBOLS[self.generation]
            ),
            tables=(*tables, *_tables_for_programs(self)),
            facts=tuple(_facts(self)),
            notes=self.notes,
            # The distance between labels stands in that of cuα only.
            signatures=(self.signature, *((self.coding.signature,) if has_coding else ())),
        )


_LABELS_SHOWN = 40
_MEASURES = {"u": "u_alpha", "binary": "u_alpha_binary", "coding": "u_alpha_coding"}
_SYMBOLS: Mapping[Generation, Mapping[str, str]] = {
    "2016": {part: MEASURES[name].symbol for part, name in _MEASURES.items()},
    "2013": {part: MEASURES[_MEASURES[part]].symbol for part in ("u", "coding")},
    "1995": {"u": "αU"},
}
"""The alphas that a generation has, and how people write them."""


def _named(result: UnitizingResult) -> Iterator[tuple[str, str | None, Agreement]]:
    """Yield the alphas that the generation has, with symbol and label."""
    symbols = _SYMBOLS[result.generation]
    for part, symbol in symbols.items():
        yield symbol, None, getattr(result, part)
    of_label = symbols["u"] if result.generation == "1995" else MEASURES["u_alpha_k"].symbol
    keys = label_keys(result.by_label)
    for label, of in result.by_label.items():
        yield of_label, keys[label], of


def _documents_table(result: UnitizingResult) -> Table:
    """Return a table for people with a row for each document, the least agreement first."""
    symbols = _SYMBOLS[result.generation]
    return Table(
        name="document",
        columns=(
            column("document"),
            *(
                Column(name=part, heading=symbol, kind=KINDS["coefficient"])
                for part, symbol in symbols.items()
            ),
            *columns("n_annotators n_units length"),
        ),
        rows=[
            (
                name,
                *(getattr(of, part).value for part in symbols),
                *(of.n_annotators, of.n_units, of.length),
            )
            for name, of in result.documents.items()
        ],
        worst_first=lambda row: (math.inf if math.isnan(row[1]) else row[1], row[0]),
        reasons=[
            (f"{symbols['u']} of {name}", of.u.undefined)
            for name, of in result.documents.items()
            if of.u.undefined
        ],
        limited=True,
        programs=False,
    )


def _tables_for_programs(result: UnitizingResult) -> Iterator[Table]:
    shape = columns(
        "document measure label value observed expected undefined n_annotators n_units length "
        "signature"
    )

    def rows(name: str | None, of: UnitizingResult) -> Iterator[Row]:
        keys = label_keys(of.by_label)
        found: list[tuple[str, str | None, Agreement]]
        found = [(part, None, getattr(of, part)) for part in _MEASURES]
        found += [("by_label", keys[label], each) for label, each in of.by_label.items()]
        for measure, label, each in found:
            numbers = (each.value, each.observed, each.expected, each.undefined)
            about = (of.n_annotators, of.n_units, of.length)
            yield (name, measure, label, *numbers, *about, each.signature)

    pooled = list(rows(None, result))
    single = [row for name, of in result.documents.items() for row in rows(name, of)]
    for scope, found in (("all", pooled), ("document", single)):
        yield Table(name=scope, columns=shape, rows=found, people=False)


def _facts(result: UnitizingResult) -> Iterator[Fact]:
    """Yield what a reader must know beside the numbers."""
    if result.n_documents > 1:
        yield Fact(column("n_documents"), result.n_documents)
    who = WHO_COUNTS.get(result.annotators_from, result.annotators_from)
    yield Fact(column("n_annotators"), result.n_annotators, f"counted: {who}")
    yield Fact(column("n_units"), result.n_units)
    yield Fact(column("length"), result.length)
    yield Fact(column("generation"), result.generation)
    yield from unused_facts(skipped=result.skipped, left_out=result.left_out_documents)


_MOST_LABELS = 1000  # that get a value of their own without being asked for
_LONGEST = 1e75  # whose cube, times the number of units, is still a number
_NO_LABEL = "no unit has a label"
# Gaps count in pieces of length 1; below this part of all pairs that cannot be seen in the value.
_VISIBLE = 1e-3


@dataclass(frozen=True, kw_only=True)
class Alphas:
    """One call of `unitizing_alpha`: the data, and the settings as they are used."""

    data: Continuum | Corpus
    settled: Mapping[str, Continuum]
    """The documents without overlap."""
    distance: str | DistanceMatrix | Callable[[Label, Label], float]
    generation: Generation
    overlap: Overlap
    order: tuple[Label, ...] | None
    with_labels: bool | None

    def result(self, *, each_document: bool) -> UnitizingResult:
        """Measure all documents together and, if asked for, each of them."""
        documents = {}
        if each_document and isinstance(self.data, Corpus):
            documents = {
                name: self._measured({name: continuum}, self.data[name])
                for name, continuum in self.settled.items()
            }
        return self._measured(self.settled, self.data, documents)

    @cached_property
    def layout(self) -> Layout:
        """All documents."""
        return Layout.of([each for each in self.settled.values() if len(each.annotators) > 1])

    @cached_property
    def has_labels(self) -> bool:
        """Whether any unit has a label."""
        return any(label is not None for label in self.layout.labels)

    @cached_property
    def metric(self) -> Metric | Ranked:
        """The distance on the labels of all documents; of ranks before lengths are known."""
        labels = self.layout.labels
        if self.distance == "nominal" or not self.has_labels:
            return Nominal()
        name = self.distance if isinstance(self.distance, str) else "of your own"
        return distance_metric(all_labelled(labels, name), self.distance, self.order)

    @cached_property
    def fitted(self) -> Metric:
        """The same, ranks by the lengths that meet in all documents."""
        if isinstance(self.metric, Ranked):
            return self.metric.fitted(Coincidences(self.layout).label_lengths)
        return self.metric

    def _measured(
        self,
        settled: Mapping[str, Continuum],
        data: Continuum | Corpus,
        documents: Mapping[str, UnitizingResult] | None = None,
    ) -> UnitizingResult:
        chosen = [each for each in settled.values() if len(each.annotators) > 1]
        whole = settled is self.settled
        layout = self.layout if whole else Layout.of(chosen, self.layout.labels)
        left_out = tuple(name for name, each in settled.items() if len(each.annotators) < 2)
        n_units = sum(map(len, settled.values()))
        one = _One(self, layout, data)
        parts, by_label = one.nothing(_why_nothing(layout, data)), {}
        if not parts:
            parts, by_label = getattr(one, f"in_{self.generation}")()
        return UnitizingResult(
            **parts,
            by_label=by_label,
            generation=self.generation,
            documents=documents or {},
            n_documents=len(settled) - len(left_out),
            n_annotators=len(data.annotators),
            n_units=n_units,
            length=layout.length,
            annotators_from=data.annotators_from,
            skipped=data.skipped if isinstance(data, Corpus) else 0,
            left_out_documents=left_out if isinstance(data, Corpus) else (),
            label_lengths=one.label_lengths(),
            notes=one.notes(settled, parts),
        )


class _One:
    """The alphas of some documents."""

    def __init__(self, alphas: Alphas, layout: Layout, data: Continuum | Corpus) -> None:
        self.alphas = alphas
        self.layout = layout
        self.data = data

    def nothing(self, reason: str | None) -> dict[str, Agreement]:
        """Give alphas without a value, if there is a reason."""
        if reason is None:
            return {}
        return {name: self._agreement(name, _NOWHERE, reason) for name in _MEASURES}

    def in_2016(self) -> tuple[dict[str, Agreement], dict[Label | None, Agreement]]:
        """Give uα, |uα, cuα and (k)uα."""
        sums = Coincidences(self.layout)
        parts = {
            "u": self._by_places("u", sums.u()),
            "binary": self._by_places("binary", sums.binary()),
            "coding": self._coding(sums),
        }
        if not self._wants_labels():
            return parts, {}
        observed, expected = sums.by_label()
        lengths = sums.label_lengths

        def reason(code: int) -> str:
            if lengths[code] == 0.0:
                return "no unit of this label meets a unit of another annotator"
            if expected[code] == 0.0:
                return "all units that meet have this label: chance never disagrees"
            return _TOO_FEW

        return parts, self._of_labels("u_alpha_k", observed, expected, reason)

    def in_2013(self) -> tuple[dict[str, Agreement], dict[Label | None, Agreement]]:
        """Give uα and cuα."""
        return {
            "u": self._by_places("u", u_by_squares(self.layout)),
            "binary": self._agreement("binary", _NOWHERE, "|uα came with the family of 2016"),
            "coding": self._coding(Coincidences(self.layout)),
        }, {}

    def in_1995(self) -> tuple[dict[str, Agreement], dict[Label | None, Agreement]]:
        """Give αU of all labels, and of each."""
        observed, expected = label_disagreements(self.layout)
        whole = Disagreement(math.fsum(observed.tolist()), math.fsum(expected.tolist()))
        if not self.layout.codes.size:
            whole = Disagreement(0.0, 0.0)
        apart = "αU of 1995 has no such part"
        parts = {
            "u": self._by_places("u", whole),
            "binary": self._agreement("binary", _NOWHERE, apart),
            "coding": self._agreement("coding", _NOWHERE, apart),
        }
        if not self._wants_labels():
            return parts, {}

        def reason(code: int) -> str:
            if expected[code] != 0.0:
                return _TOO_SHORT
            return "all annotators marked everything with this label: chance never disagrees"

        return parts, self._of_labels("u_alpha_k", observed, expected, reason)

    def label_lengths(self) -> dict[Label | None, float]:
        """Give how long the units of each label are together."""
        codes, labels = self.layout.codes, self.layout.labels
        lengths = weighted_counts(codes, self.layout.lengths, len(labels))
        return {labels[code]: float(lengths[code]) for code in np.unique(codes).tolist()}

    def notes(
        self, settled: Mapping[str, Continuum], parts: Mapping[str, Agreement]
    ) -> tuple[str, ...]:
        """Tell what a reader must know."""
        alphas, layout = self.alphas, self.layout
        labels = [label for label in alphas.layout.labels if label is not None]
        found = list(scale_notes(alphas.distance, labels))
        before = self.data.n_units if isinstance(self.data, Corpus) else len(self.data)
        after = sum(map(len, settled.values()))
        if before != after:
            done = {"merge": "merged", "split": "split"}[alphas.overlap]
            found.append(
                f"units of one annotator that overlap were {done}: {count(before, 'unit')} "
                f"became {after:,}"
            )
        points = sum(int(np.count_nonzero(each.ends == each.starts)) for each in settled.values())
        if points:
            found.append(f"{count(points, 'unit')} of length 0 left no trace")
        if not parts["u"].undefined and self._depends_on_unit_of_length():
            found.append(
                "positions are no whole numbers, and this alpha counts places of length 1: in "
                f"another unit of length it has another value; all is {position(layout.length)} "
                "long here"
            )
        return tuple(found)

    def _depends_on_unit_of_length(self) -> bool:
        if self.layout.is_whole:
            return False
        if self.alphas.generation != "2016":
            return True
        return Coincidences(self.layout).gaps > _VISIBLE * self.layout.annotated_length**2

    def _wants_labels(self) -> bool:
        wanted = self.alphas.with_labels
        few = len(self.layout.labels) <= _MOST_LABELS
        return self.alphas.has_labels and (few if wanted is None else wanted)

    def _coding(self, sums: Coincidences) -> Agreement:
        if not self.alphas.has_labels:
            return self._agreement("coding", _NOWHERE, _NO_LABEL)
        found = sums.coding(self.alphas.fitted)

        def reason() -> str:
            met = np.flatnonzero(sums.label_lengths)
            if not len(met):
                return "no unit of one annotator meets a unit of another"
            if len(met) == 1:
                label = shown(self.layout.labels[int(met[0])])
                return f"all units that meet have the label {label}: chance never disagrees"
            if found.expected == 0.0:
                return "all labels that meet are at distance 0: chance never disagrees"
            return _TOO_FEW

        return self._agreement("coding", found, reason)

    def _by_places(self, name: str, found: Disagreement) -> Agreement:
        """Give an alpha that counts places of length 1, with the reason where it has no value."""

        def reason() -> str:
            codes = self.layout.codes
            if not codes.size:
                return "nobody marked a unit: chance never disagrees"
            if found.expected != 0.0:
                return _TOO_SHORT
            label = self.layout.labels[int(codes[0])]
            as_what = "" if label is None or (codes != codes[0]).any() else f" as {shown(label)}"
            return f"all annotators marked everything{as_what}: chance never disagrees"

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
        own = self._distance_told() if name == "coding" else ()
        return _agreement(found, reason, self._signature(_MEASURES[name], *own))

    def _distance_told(self) -> tuple[tuple[str, str], ...]:
        alphas = self.alphas
        if isinstance(alphas.metric, Nominal) and isinstance(alphas.distance, str):
            return (("distance", alphas.distance),)
        labels = [label for label in alphas.layout.labels if label is not None]
        text = scale_text(alphas.distance, labels, alphas.order, alphas.metric)
        # A document has the ranks of its corpus, which its own data do not tell.
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


_NOWHERE = Disagreement(math.nan, math.nan)
_TOO_FEW = "too few units of different annotators meet for chance to draw two of them"
_TOO_SHORT = (
    "the text is too short for an alpha that counts places of length 1; give positions in a "
    "smaller unit, such as milliseconds"
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


def _why_nothing(layout: Layout, data: Continuum | Corpus) -> str | None:
    if isinstance(data, Corpus):
        if not len(data):
            return "there are no documents"
        if not len(layout.annotators):
            return "no document has two annotators or more"
    elif not len(layout.annotators):
        return f"agreement needs two annotators or more; {annotators_told(data)}"
    if layout.length == 0.0:
        return "there is no length to agree on: no unit has one, and no extent was given"
    if layout.length < 1.0 / _LONGEST:
        return _TOO_SHORT
    if layout.length > _LONGEST:
        return (
            f"a text {layout.length:.3g} long is too long to square; give positions in another unit"
        )
    return None


_MOST_DOCUMENTS = 1000  # that get a result of their own without being asked for


def unitizing_alpha(
    data: Continuum | Corpus,
    *,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    generation: Generation = "2016",
    overlap: Overlap = "raise",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_document: bool | None = None,
) -> UnitizingResult:
    """Say how much annotators agree on units and their labels, by Krippendorff's alphas.

    What counts is length: how much of the continuum annotators treat alike. uα takes the gaps
    between units for one more label, |uα asks only whether there is a unit, cuα compares labels
    where units of different annotators meet, and (k)uα does so for each label.

    Parameters
    ----------
    data
        A document, or a corpus, whose documents are pooled.
    distance
        How far two labels are apart, for cuα, as in `krippendorff_alpha`: ``"nominal"``,
        ``"ordinal"`` (ranks by length), ``"interval"``, …, a `DistanceMatrix`, or a function. The
        other alphas take labels for equal or not.
    generation
        ``"2016"``: uα, |uα, cuα and (k)uα [1]_. ``"2013"``: the uα that γ was compared with [2]_,
        and cuα. ``"1995"``: αU, over all labels and of each label alone [3]_ [4]_.
    overlap
        What to do with units of one annotator that overlap: ``"raise"`` refuses them, ``"merge"``
        makes one unit of those of the same label that overlap or touch, ``"split"`` cuts them where
        one of them begins or ends, and a piece of several units has the set of their labels. For
        1995 only units of the same label must not overlap.
    order
        All labels from low to high, for ``"ordinal"`` on labels that are no numbers.
    by_label
        Whether to give a value for each label; by default up to 1,000 labels.
    by_document
        Whether to give a result for each document of a corpus; by default up to 1,000 documents.

    Returns
    -------
    UnitizingResult
        `u`, `binary`, `coding` and `by_label`, each with the disagreements observed and expected;
        NaN with a reason where one is undefined, also where a generation does not have it.

    Raises
    ------
    DataError
        If units of one annotator overlap, or the distance cannot compare a label.
    SettingError
        If there is no such generation, distance or treatment of overlap.

    Notes
    -----
    2016: values c and k, labels or gap, coincide on l_ck = Σ_{i≠j} |g∩h|/(m − 1) over the sections
    g of annotator i with value c and h of annotator j with value k; l_c = Σ_k l_ck, and l is the
    sum of all, m times the length. uα = 1 − Σ_{c≠k} l_ck / Σ_{c≠k} e_ck with
    e_ck = l·(l_c·l_k − [c=k]·Q_c)/(l² − ΣQ), Q being Σ length² of units and the length of gaps.
    |uα is the same with all labels taken for one. cuα = 1 − Σ l_ck·δ_ck / Σ e_ck·δ_ck over labels
    alone, with l_c and l summed over labels alone, and
    e_ck = (l_c·l_k − [c=k]·R_c/(m − 1)) / (l − ΣR/(l(m − 1))); R_c is the sum over the units of c,
    and over the other annotators, of the squared length that the annotator's units cover.
    (k)uα = 1 − [(l_k − l_kk)/l_k] / [(e_k − e_kk)/e_k].

    cuα is confirmed by published values: 0.7152 on the table of four annotators and twelve items
    in [5]_, where another reading of R gives 0.7160, and 0.744 with the interval distance on
    Figure 14 of [2]_. uα, |uα and (k)uα follow the formulas of [1]_; no published value was
    at hand, and they were only computed a second time by other code of our own.

    2013: D_o = Σ_{i≠j} Σ [c≠k]·|g∩h|² / (L·m(m − 1)) and D_e = Σ over ordered pairs of sections
    with c ≠ k of S2(a, b)/((mL)² − Σ length²), S2 = a(a − 1)(2a − 1)/3 + (b − a + 1)a² for lengths
    a ≤ b. Reconstructed from Figure 14 of [2]_ (3.145, 5.286 and 0.405); a layout that fits its
    Figure 21a has 0.107, as printed.

    1995: each label is a continuum of its own, all else being gaps. Two units that meet differ by
    (difference of starts)² + (difference of ends)², a unit in a gap by its length squared. The
    expected disagreement is that of [4]_, confirmed by the values of its page 254.

    2013 and 1995 count whole places, such as characters. So does 2016 for gaps: in another unit of
    length its uα and |uα are others, by less the longer the text is; cuα and (k)uα are not.

    A corpus is measured as one long continuum in which nothing meets across documents: lengths,
    coincidences and squares are added up before the ratios are taken, each document with its own m.

    Units of length 0 leave no trace. One sort of all units and a few sweeps; R, 2013 and 1995 take
    one sweep for each annotator, a distance other than nominal the labels at each place.

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
    >>> f"{alphas.u:.3f} {alphas.binary:.3f} {alphas.coding:.3f}"
    '0.382 0.418 0.744'
    >>> old = un.unitizing_alpha(text, generation="2013")
    >>> f"{old.u:.3f}", f"{old.u.observed:.3f}", f"{old.u.expected:.3f}"
    ('0.405', '3.145', '5.286')
    """
    _check(distance, generation, overlap, order)
    if not isinstance(data, Continuum | Corpus):
        msg = f"unitizing is measured on a Continuum or a Corpus, not {type(data).__name__}"
        raise TypeError(msg)
    alphas = Alphas(
        data=data,
        settled=_settled(data, generation, overlap),
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
    if generation not in get_args(Generation):
        choices = ", ".join(map(repr, get_args(Generation)))
        msg = f"unknown {setting('generation', generation)}; choose one of {choices}"
        raise SettingError(msg)
    if generation == "1995" and distance != "nominal":
        msg = (
            f"{setting('distance')} is for cuα, which {setting('generation', '1995')} does not have"
        )
        raise SettingError(msg)
    if order is not None and distance != "ordinal":
        msg = f"{setting('order')} is for {setting('distance', 'ordinal')} only"
        raise SettingError(msg)


def _settled(
    data: Continuum | Corpus, generation: Generation, overlap: Overlap
) -> dict[str, Continuum]:
    """Give the documents without overlap."""
    named = dict(data) if isinstance(data, Corpus) else {"": data}
    within = generation == "1995"
    found = {}
    for name, continuum in named.items():
        try:
            found[name] = without_overlap(continuum, overlap, within_labels=within)
        except DataError as error:
            if not isinstance(data, Corpus) or len(data) == 1:
                raise
            also = sum(_overlaps(each, overlap, within=within) for each in named.values()) - 1
            more = f" (and so do {count(also, 'more document')})" if also else ""
            msg = f"document {name!r}: {error}{more}"
            raise DataError(msg) from None
    return found


def _overlaps(continuum: Continuum, overlap: Overlap, *, within: bool) -> bool:
    try:
        without_overlap(continuum, overlap, within_labels=within)
    except DataError:
        return True
    return False
