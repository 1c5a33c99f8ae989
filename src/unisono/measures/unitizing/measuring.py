"""From laid-out units to a result: the alphas, their signatures, and why there may be none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.distance_matrix import shown
from unisono.measures.gamma.aligning import annotators_told
from unisono.measures.items.metrics import Nominal, Ranked
from unisono.measures.items.rows import weighted_counts
from unisono.measures.items.scales import distance_metric, scale_notes, scale_text
from unisono.measures.named_distances import all_labelled
from unisono.measures.unitizing.coincidences import Coincidences, Disagreement
from unisono.measures.unitizing.layout import Layout
from unisono.measures.unitizing.separate_labels import label_disagreements
from unisono.measures.unitizing.squared_sections import u_by_squares
from unisono.measures.unitizing.unitizing_result import UnitizingResult
from unisono.model.corpus import Corpus
from unisono.model.labels import label_text
from unisono.results.agreement import Agreement
from unisono.results.signature import Signature
from unisono.results.wording import count, position
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.metrics import Metric
    from unisono.measures.unitizing.unitizing_result import Generation
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap


_MOST_LABELS = 1000  # that get a value of their own without being asked for
_LONGEST = 1e75  # whose cube, times the number of units, is still a number
_MEASURES = {"u": "u-alpha", "binary": "u-alpha-binary", "coding": "u-alpha-coding"}
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

        return parts, self._of_labels("u-alpha-k", observed, expected, reason)

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

        return parts, self._of_labels("u-alpha-k", observed, expected, reason)

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
