"""Many measures of the same units, to see where they differ."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, setting
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import Combined
from unisono.measures.gamma.gamma import gamma
from unisono.measures.items.kappas import cohen_kappa
from unisono.measures.reference.slots import slot_error_agreement
from unisono.measures.segmentation.boundary_edits import (
    boundary_similarity,
    segmentation_similarity,
)
from unisono.measures.segmentation.hamming import generalized_hamming
from unisono.measures.segmentation.window_measures import pk, window_diff
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.model.atoms import atom_length
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.discretize import discretize
from unisono.model.labels import label_order
from unisono.model.overlap import check_overlap
from unisono.model.segmentation import segmentations
from unisono.results.agreement import Agreement
from unisono.results.signature import Signature
from unisono.studies.measure_table import SEGMENT_MEASURES, UNIT_MEASURES, SideBySide
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor

    from unisono.measures.distances import Distance
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.measures.segmentation.segmentation_result import SegmentationAgreement
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap

__all__ = ["side_by_side"]

_ALPHAS = {
    "u_alpha": "u-alpha",
    "u_alpha_binary": "u-alpha-binary",
    "u_alpha_coding": "u-alpha-coding",
}
_SEGMENTING: dict[str, Callable[..., SegmentationAgreement]] = {
    "boundary_similarity": boundary_similarity,
    "segmentation_similarity": segmentation_similarity,
    "pk": pk,
    "window_diff": window_diff,
    "generalized_hamming": generalized_hamming,
}


def side_by_side(
    data: Continuum | Corpus,
    *,
    distance: Distance = "nominal",
    overlap: Overlap = "raise",
    atom: float | None = None,
    tolerance: float = 0.0,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float = 0.02,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SideBySide:
    """Say how much annotators agree by every measure of units, in one table.

    γ, γcat and γk, Krippendorff's alphas for unitizing, κ on atoms, the slot error rate, and where
    units cover everything the measures of segmentations. What cannot be measured on these data has
    the reason in place of the value.

    Parameters
    ----------
    data
        A document, or a corpus, whose documents are pooled.
    distance
        How far two labels are apart, for γ, γcat, γk and cuα; the others take labels for equal or
        not.
    overlap
        What the alphas and κ_d do with units of one annotator that overlap: ``"raise"`` gives them
        no value, ``"merge"`` and ``"split"`` are as in `unitizing_alpha`.
    atom
        How long an atom is, for κ_d and for segmentations, whose boundaries are then rounded to
        atoms; by default 1.
    tolerance
        By how much bounds may differ for the slot error rate.
    dissimilarity
        What it costs γ to align two units; by default `Combined` with this distance.
    chance, precision, draws, rng, workers, executor, progress
        As in `gamma`.

    Returns
    -------
    SideBySide
        `measures` and, for γk and (k)uα, `by_label`.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If γ cannot be measured with this distance or chance model.

    Notes
    -----
    Each measure is what its own function gives: `gamma`, `unitizing_alpha` (2016),
    `cohen_kappa` of `discretize`, `slot_error_agreement`, and `boundary_similarity` and its
    relatives of `segmentations`. It takes as long as all of them.

    They are no rivals for the highest value: they ask different questions, and differ where one of
    them does not see what another one counts.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         *[("ann", 0, 20, "A"), ("ann", 30, 36, "B"), ("ann", 50, 70, "A")],
    ...         *[("bob", 0, 20, "A"), ("bob", 31, 36, "B"), ("bob", 50, 60, "A")],
    ...         ("bob", 60, 70, "A"),
    ...     ]
    ... )
    >>> table = un.side_by_side(text, rng=1)
    >>> print(table)
    measure   value  observed  expected  Monte Carlo 95 %
    γ        0.6991    0.3198    1.0629  0.6969 to 0.7012
    γcat     1.0000    0.0000    0.5079  1.0000 to 1.0000
    uα       0.9758    0.0143    0.5903                 –
    |uα      0.9710    0.0143    0.4930                 –
    cuα      1.0000    0.0000    0.2406                 –
    κ_d      0.9738    0.0143    0.5449                 –
    1 − SER  0.4167    0.5833         –                 –
    γk A     1.0000    0.0000    0.5079  1.0000 to 1.0000
    (k)uα A  1.0000    0.0000    0.1379                 –
    γk B     1.0000    0.0000    1.0000  1.0000 to 1.0000
    (k)uα B  1.0000    0.0000    0.9412                 –
    >>> table["pk"].undefined
    "segments cover the whole document, here from 0 to 70; 'ann' has nothing from 20 to 30"
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"side_by_side takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    atom_length(atom)  # refused before the work is done
    check_overlap(overlap)
    if dissimilarity is None:
        dissimilarity = Combined(position=chance_rules(chance).position, distance=distance)
    table = _Table(data, overlap, atom)
    # The quick ones first: what is wrong with a setting is then told before the draws are made.
    table.slots(tolerance)
    table.kappa_d()
    alphas = table.alphas(distance)
    table.segments()
    found = gamma(
        data,
        dissimilarity=dissimilarity,
        chance=chance,
        precision=precision,
        draws=draws,
        rng=rng,
        workers=workers,
        executor=executor,
        progress=progress,
    )
    return table.result(found, alphas)


class _Table:
    """The measures of some data as they are found."""

    def __init__(self, data: Continuum | Corpus, overlap: Overlap, atom: float | None) -> None:
        self.data = data
        self.overlap = overlap
        self.atom = atom
        self.measures: dict[str, Agreement] = {}
        self.notes: list[str] = []

    @property
    def continua(self) -> list[Continuum]:
        """The documents."""
        return [self.data] if isinstance(self.data, Continuum) else list(self.data.values())

    def slots(self, tolerance: float) -> None:
        """Add 1 − the slot error rate."""
        name = "slot_error_agreement"
        try:
            found = slot_error_agreement(self.data, tolerance=tolerance)
        except DataError as error:
            own = (("tolerance", f"{tolerance:.12g}"),)
            self.measures[name] = self._nothing(name, str(error), own)
            return
        self.measures[name] = found
        self._note("1 − SER", found.notes)

    def kappa_d(self) -> None:
        """Add κ on atoms; not its standard error, because atoms are no sample."""
        own = (("atom", f"{self.atom or 1.0:.12g}"), *self._overlap_setting())
        labels = {label for continuum in self.continua for label in continuum.labels}
        blank = "gap"
        while blank in labels:
            blank += "'"
        try:
            atoms = discretize(self.data, atom=self.atom, blank=blank, overlap=self.overlap)
            found = cohen_kappa(atoms, by_label=False, by_pair=False)
        except DataError as error:
            self.measures["kappa_d"] = self._nothing("kappa-d", str(error), own)
            return
        self.measures["kappa_d"] = Agreement(
            value=found.value,
            observed=found.observed,
            expected=found.expected,
            undefined=found.undefined,
            signature=self._signature("kappa-d", own),
        )
        if not found.undefined:
            self._note("κ_d", found.notes)
            if self.atom is None and not all(map(_is_whole, self.continua)):
                cure = f"{setting('atom', ...)} makes atoms of another length than 1"
                self._note("κ_d", (f"positions are no whole numbers; {cure}",))

    def alphas(self, distance: Distance) -> Mapping[Label | None, Agreement]:
        """Add uα, |uα and cuα, and give (k)uα."""
        try:
            found = unitizing_alpha(
                self.data, distance=distance, overlap=self.overlap, by_document=False
            )
        except DataError as error:
            own = (("generation", "2016"), *self._overlap_setting())
            for name, measure in _ALPHAS.items():
                self.measures[name] = self._nothing(measure, str(error), own)
            return {}
        self.measures |= dict(zip(_ALPHAS, (found.u, found.binary, found.coding), strict=True))
        self._note("alphas", found.notes)
        return found.by_label

    def segments(self) -> None:
        """Add measures of segmentations."""
        # Of one document no name of it is told, as where it is measured alone.
        single = len(self.continua) == 1
        try:
            texts: Any = segmentations(self.continua[0] if single else self.data, atom=self.atom)
        except DataError as error:
            # Only what is wrong: the advice that follows is for another function.
            why = str(error).partition(". ")[0]
            self.measures |= {name: self._nothing(name, why) for name in SEGMENT_MEASURES}
            return
        for name, measure in _SEGMENTING.items():
            found = measure(texts)
            self.measures[name] = found
            if found.pi is not None and name == "boundary_similarity":
                self.measures["boundary_similarity_pi"] = found.pi
                self._note("B", found.notes)

    def result(self, found: GammaResult, alphas: Mapping[Label | None, Agreement]) -> SideBySide:
        """Put γ first, and both measures of each label together."""
        data = self.data
        measures = {"gamma": found, "gamma_cat": found.cat, **self.measures}
        by_label = {
            label: {
                name: of[label]
                for name, of in (("gamma_k", found.by_label), ("u_alpha_k", alphas))
                if label in of
            }
            for label in sorted({*found.by_label, *alphas}, key=label_order)
        }
        return SideBySide(
            measures={name: measures[name] for name in (*UNIT_MEASURES, *SEGMENT_MEASURES)},
            by_label=by_label,
            atom=self.atom or 1.0,
            n_documents=len(self.continua) - len(found.left_out_documents),
            n_annotators=len(data.annotators),
            n_units=sum(map(len, self.continua)),
            annotators_from=data.annotators_from,
            skipped=data.skipped if isinstance(data, Corpus) else 0,
            left_out_documents=found.left_out_documents,
            notes=tuple(dict.fromkeys((*found.notes, *self.notes))),
        )

    def _nothing(self, measure: str, why: str, own: tuple[tuple[str, str], ...] = ()) -> Agreement:
        return Agreement(
            value=math.nan,
            observed=math.nan,
            expected=math.nan,
            undefined=why,
            signature=self._signature(measure, own),
        )

    def _signature(self, measure: str, own: tuple[tuple[str, str], ...]) -> Signature:
        data = self.data
        about = (
            ("annotators", data.annotators_from),
            ("data", data.digest[:8]),
            ("v", __version__),
        )
        return Signature(measure, (*own, *about))

    def _overlap_setting(self) -> tuple[tuple[str, str], ...]:
        return () if self.overlap == "raise" else (("overlap", self.overlap),)

    def _note(self, name: str, notes: tuple[str, ...]) -> None:
        self.notes += (f"{name}: {note}" for note in notes)


def _is_whole(continuum: Continuum) -> bool:
    positions = np.concatenate((continuum.starts, continuum.ends, continuum.extent))
    return bool(np.all(positions == np.rint(positions)))
