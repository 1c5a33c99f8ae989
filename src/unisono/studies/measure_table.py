"""All measures of units side by side, and which of them fit the data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.errors import DataError, setting
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import Combined
from unisono.measures.gamma.gamma import gamma
from unisono.measures.gamma.result import WHO_COUNTS, GammaResult
from unisono.measures.items.kappas import cohen_kappa
from unisono.measures.reference.slot_errors import slot_error_agreement
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.discretize import discretize
from unisono.model.labels import label_order
from unisono.model.overlap import check_overlap
from unisono.model.segmentation import atom_length, segmentations
from unisono.registry import FAMILIES, MEASURES, Family, measures_of
from unisono.results.agreement import (
    Agreement,
    Signature,
    certain_range,
    outcome,
    proof,
    uncertainty,
)
from unisono.results.measure_rows import measure_rows, unused_facts
from unisono.results.record import Record, label_keys, plain_number
from unisono.results.render import Sheeted, text
from unisono.results.sheet import Fact, Headline, Sheet, Table, column, columns
from unisono.results.wording import count, position
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Executor

    from unisono.measures.distances import Distance
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap

__all__ = [
    "DataProperties",
    "Fit",
    "SideBySide",
    "fitting",
    "properties_of",
    "side_by_side",
]

_ROUNDING = 1e-9


class DataProperties(NamedTuple):
    """What the units of a corpus are like; numbers of units unless said otherwise."""

    overlapping: int  # that overlap another one of the same annotator
    nested: int  # that lie within another one of the same annotator
    points: int
    in_pieces: int
    several_labels: int  # whose label is a set
    without_label: int
    n_labels: int
    leaves_gaps: int  # pairs of document and annotator in which not all is covered
    same_places: bool  # everyone who saw a document marked the same places in it
    shared: int  # documents that two or more saw


class Fit(NamedTuple):
    """Whether a family of measures fits some data, and why."""

    family: Family
    fits: bool
    why: str


def properties_of(corpus: Corpus) -> DataProperties:
    """Look at what units are like."""
    totals = np.zeros(7, dtype=np.int64)
    same = bool(len(corpus))
    for continuum in corpus.values():
        totals += _counts(continuum)
        same &= _same_places(continuum)
    overlapping, nested, points, in_pieces, several, without, gaps = totals.tolist()
    return DataProperties(
        overlapping=overlapping,
        nested=nested,
        points=points,
        in_pieces=in_pieces,
        several_labels=several,
        without_label=without,
        n_labels=sum(label is not None for label in corpus.labels),
        leaves_gaps=gaps,
        same_places=same,
        shared=sum(len(continuum.annotators) > 1 for continuum in corpus.values()),
    )


def fitting(data: DataProperties) -> list[Fit]:
    """Return of each family whether it fits, and why."""
    return [_fit(family, data) for family in FAMILIES.values()]


def _fit(family: Family, data: DataProperties) -> Fit:
    if not data.shared:
        return Fit(family, fits=False, why="no document has two annotators")
    lacks = []
    if "places" not in family.takes and not data.same_places:
        lacks.append("annotators did not mark the same places, so there are no given items")
    if "overlap" not in family.takes and data.overlapping:
        lacks.append(f"{count(data.overlapping, 'unit')} overlap, which it does not know")
    if "gaps" not in family.takes and data.leaves_gaps:
        lacks.append("units do not cover the whole text, and gaps would be segments")
    if lacks:
        return Fit(family, fits=False, why="; ".join(lacks))
    takes = []
    if "places" in family.takes:
        takes.append("compares places")
    if "labels" in family.takes and data.n_labels > 1:
        takes.append("and labels" if takes else "compares labels")
    if data.overlapping:
        takes.append("takes overlap" + (" and nesting" if data.nested else ""))
    why = ", ".join(takes).replace(", and", " and")
    if "labels" not in family.takes and data.n_labels > 1:
        why += "; labels do not count"
    if "chance" not in family.takes:
        why += "; not corrected for chance, and one side is taken for right"
    if family.remark:
        why += f"; {family.remark}"
    return Fit(family, fits=True, why=why)


def _counts(continuum: Continuum) -> np.ndarray:
    low, high = continuum.extent
    overlapping = nested = gaps = 0
    for number in range(len(continuum.annotators)):
        rows = slice(*continuum.offsets[number : number + 2].tolist())
        starts, ends = continuum.starts[rows], continuum.ends[rows]
        if not len(starts):
            continue
        before = np.concatenate([[-np.inf], np.maximum.accumulate(ends)[:-1]])
        overlaps = starts < before
        overlapping += int(overlaps.sum())
        nested += int((overlaps & (ends <= before)).sum())
        covered = float(np.maximum(ends - np.maximum(starts, before), 0.0).sum())
        gaps += covered < (high - low) * (1 - _ROUNDING)
    kinds = np.array([isinstance(label, frozenset) for label in continuum.labels], dtype=bool)
    none = np.array([label is None for label in continuum.labels], dtype=bool)
    details = continuum.details
    in_pieces = 0 if details is None else sum(bool(each.fragments) for each in details.values)
    codes = continuum.label_codes
    points = int((continuum.starts == continuum.ends).sum())
    several = int(kinds[codes].sum()) if len(codes) else 0
    without = int(none[codes].sum()) if len(codes) else 0
    return np.array([overlapping, nested, points, in_pieces, several, without, gaps])


def _same_places(continuum: Continuum) -> bool:
    if len(set(continuum.counts.tolist())) > 1 or not len(continuum):
        return False
    shape = (len(continuum.annotators), -1)
    starts, ends = continuum.starts.reshape(shape), continuum.ends.reshape(shape)
    return bool((starts == starts[0]).all() and (ends == ends[0]).all())


UNIT_MEASURES = (
    *("gamma", "gamma_cat", "u_alpha", "u_alpha_binary", "u_alpha_coding"),
    *("kappa_d", "slot_error_agreement"),
)
"""Measures of units, in the order of the table."""
SEGMENT_MEASURES = (
    *("boundary_similarity", "boundary_similarity_pi", "segmentation_similarity"),
    *("pk", "window_diff", "generalized_hamming"),
)
"""Measures of segmentations, in the order of the table."""
# Their settings stand in the signatures of γ, uα and B.
_SIGNED_BY_OTHERS = ("gamma_cat", "u_alpha_binary", "boundary_similarity_pi")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SideBySide(Record, Sheeted):
    """Many measures of the same units, each with its value or with the reason why it has none.

    Parameters
    ----------
    measures
        ``gamma`` (γ, with all that `un.gamma` returns), ``gamma_cat``, ``u_alpha``,
        ``u_alpha_binary``, ``u_alpha_coding``, ``kappa_d``, ``slot_error_agreement``, and the
        measures of segmentations: ``boundary_similarity``, ``boundary_similarity_pi``,
        ``segmentation_similarity``, ``pk``, ``window_diff``, ``generalized_hamming``. The last
        three are errors, where 0 is perfect.
    by_label
        ``gamma_k`` and ``u_alpha_k`` of each label, where there are any.
    atom
        How long an atom of κ_d is.
    n_documents, n_annotators, n_units
        How many there are.
    annotators_from
        How the annotators were known, as in a `GammaResult`.
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
    >>> table = un.side_by_side(text, rng=1)
    >>> table["kappa_d"].value == table.measures["kappa_d"].value
    True
    >>> table.by_label["VP"]["u_alpha_k"].value
    0.0
    """

    measures: Mapping[str, Agreement]
    by_label: Mapping[Label | None, Mapping[str, Agreement]]
    atom: float
    n_documents: int
    n_annotators: int
    n_units: int
    annotators_from: str
    skipped: int = 0
    left_out_documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        by_label = {label: MappingProxyType(dict(of)) for label, of in self.by_label.items()}
        object.__setattr__(self, "measures", MappingProxyType(dict(self.measures)))
        object.__setattr__(self, "by_label", MappingProxyType(by_label))
        object.__setattr__(self, "left_out_documents", tuple(self.left_out_documents))
        object.__setattr__(self, "notes", tuple(self.notes))

    def __getitem__(self, name: str) -> Agreement:
        return self.measures[name]

    def __repr__(self) -> str:
        told = [f"{MEASURES[name].symbol} {outcome(self.measures[name])}" for name in UNIT_MEASURES]
        told += [count(self.n_annotators, "annotator"), count(self.n_units, "unit")]
        return f"SideBySide({', '.join(told)})"

    def __str__(self) -> str:
        return text(self.sheet())

    def __hash__(self) -> int:
        return hash((type(self), self.measures["gamma"].signature))

    def to_dict(self) -> dict[str, Any]:
        """Give the values with their observed and expected disagreements as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 0, 9, "NP")])
        >>> record = un.side_by_side(text, rng=1).to_dict()
        >>> record["measures"]["slot_error_agreement"]["value"], record["n_units"]
        (1.0, 2)
        """
        keys = label_keys(self.by_label)
        return {
            "measures": {name: _record(of) for name, of in self.measures.items()},
            "by_label": {
                keys[label]: {name: _record(of) for name, of in measures.items()}
                for label, measures in self.by_label.items()
            },
            "atom": plain_number(self.atom),
            "n_documents": self.n_documents,
            "n_annotators": self.n_annotators,
            "n_units": self.n_units,
            "annotators_from": self.annotators_from,
            "skipped": self.skipped,
            "left_out_documents": list(self.left_out_documents),
            "notes": list(self.notes),
        }

    def problems(self) -> list[str]:
        """Return what a script must notice: that no measure has a value.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP")])
        >>> un.side_by_side(text, rng=1).problems()[0][:50]
        'all measures are undefined; of γ: agreement needs '
        """
        if not all(of.undefined for of in self.measures.values()):
            return []
        return [f"all measures are undefined; of γ: {self.measures['gamma'].undefined}"]

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of the result, which all renderings share.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
        >>> sheet = un.side_by_side(text, rng=1).sheet()
        >>> [row[0] for row in sheet.tables[0].rows][:6]
        ['γ', 'γcat', 'uα', '|uα', 'cuα', 'κ_d']
        """
        lead = uncertainty(self.measures["gamma"])
        keys = label_keys(self.by_label)
        weights = {keys[label]: _weight(of) for label, of in self.by_label.items()}
        named = [(MEASURES[name].symbol, key, of) for name, key, of in _rows(self, shown=True)]
        about = (self.n_documents, self.n_annotators, self.n_units)
        for_programs = Table(
            name="all",
            columns=columns(
                "measure label value observed expected undefined n_documents n_annotators n_units "
                "signature"
            ),
            rows=[
                (name, key, of.value, of.observed, of.expected, of.undefined, *about, of.signature)
                for name, key, of in _rows(self, shown=False)
            ],
            people=False,
        )
        return Sheet(
            name="all",
            title=title,
            headline=tuple(
                Headline(name, self.measures[name].value, self.measures[name].interval)
                for name in UNIT_MEASURES
                if lead is None or name != "gamma"
            ),
            findings=() if lead is None else (lead,),
            tables=(measure_rows(named, weights=weights), for_programs),
            facts=tuple(_facts(self)),
            notes=self.notes,
            signatures=_signatures(self),
        )


def _rows(result: SideBySide, *, shown: bool) -> Iterator[tuple[str, str | None, Agreement]]:
    """Yield measures and then those of each label, with name and label.

    People are not shown measures of segmentations where none of them has a value.
    """
    without = SEGMENT_MEASURES if shown and why_no_segments(result) is not None else ()
    for name, of in result.measures.items():
        if name not in without:
            yield name, None, of
    keys = label_keys(result.by_label)
    for label, measures in result.by_label.items():
        for name, of in measures.items():
            yield name, keys[label], of


def _facts(result: SideBySide) -> Iterator[Fact]:
    """Yield what a reader must know beside the numbers."""
    if result.n_documents > 1:
        yield Fact(column("n_documents"), result.n_documents)
    who = WHO_COUNTS.get(result.annotators_from, result.annotators_from)
    yield Fact(column("n_annotators"), result.n_annotators, f"counted: {who}")
    yield Fact(column("n_units"), result.n_units)
    gamma = result.measures["gamma"]
    if isinstance(gamma, GammaResult) and gamma.draws:
        yield Fact(column("draws"), gamma.draws)
        yield Fact(column("alignment"), proof(proven=gamma.proven, gap=gamma.gap))
        if gamma.certified and not gamma.proven:
            told = f"γ is {certain_range(gamma.certified)}, for these draws"
            yield Fact(column("certified"), told)
    if not result.measures["kappa_d"].undefined:
        yield Fact(column("atom"), f"of length {position(result.atom)}, for κ_d")
    is_told = any("left out" in note for note in result.notes)
    left_out = () if is_told else result.left_out_documents
    yield from unused_facts(skipped=result.skipped, left_out=left_out)
    why = why_no_segments(result)
    if why is None:
        yield Fact(column("errors"), "of Pk, WindowDiff and Hamming 0 is perfect")
    else:
        yield Fact(column("segments"), f"no measures of segmentations: {why}")


def why_no_segments(result: SideBySide) -> str | None:
    """Say why no measure of segmentations has a value; ``None`` where one has."""
    found = [result.measures[name].undefined for name in SEGMENT_MEASURES]
    return found[0] if all(found) else None


def _signatures(result: SideBySide) -> tuple[Signature, ...]:
    """Return the signatures of γ and of what has a value, those that say the same once."""
    return tuple(
        of.signature
        for name, of in result.measures.items()
        if name not in _SIGNED_BY_OTHERS and (name == "gamma" or not of.undefined)
    )


def _record(result: Agreement) -> dict[str, Any]:
    # Not all that a measure returns, such as each draw of γ: its own command has that.
    record = Agreement.to_dict(result)
    if isinstance(result, GammaResult) and result.certified and not result.proven:
        record["certified"] = result.certified.to_dict()
    interval = getattr(result, "monte_carlo", None)
    return record if interval is None else record | {"monte_carlo": interval.to_dict()}


def _weight(measures: Mapping[str, Agreement]) -> float:
    # A piece that units were split into has no γk.
    weight = getattr(measures.get("gamma_k"), "weight", None)
    return -1.0 if weight is None else float(weight)


_ALPHAS = ("u_alpha", "u_alpha_binary", "u_alpha_coding")


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
            self.measures["kappa_d"] = self._nothing("kappa_d", str(error), own)
            return
        self.measures["kappa_d"] = Agreement(
            value=found.value,
            observed=found.observed,
            expected=found.expected,
            undefined=found.undefined,
            signature=self._signature("kappa_d", own),
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
            self.measures |= {name: self._nothing(name, str(error), own) for name in _ALPHAS}
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
        for measure in measures_of("segmentation"):
            name = measure.name
            found = measure.load()(texts)
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
