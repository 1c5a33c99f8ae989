"""All measures of units in one table, and which of them fit the data."""

from __future__ import annotations

import math
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.errors import DataError
from unisono.measures.data import of_units
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import CombinedDissimilarity
from unisono.measures.gamma.result import GammaAgreement
from unisono.measures.sampling import seed_of
from unisono.measures.segmentation.comparison import signed_for_units
from unisono.model.corpus import Corpus, check_continuum_or_corpus, documents_of
from unisono.model.labels import label_order
from unisono.model.overlap import check_overlap
from unisono.model.segmentation import atom_length, segmentations
from unisono.registry import FAMILIES, MEASURES, Family, measures_taking
from unisono.results.agreement import (
    Agreement,
    SeveralValues,
    certain_range,
    certain_value,
    outcome,
    proof,
    uncertainty,
)
from unisono.results.data import OfData
from unisono.results.measure_rows import hidden_labels, measure_rows, unused_facts
from unisono.results.record import label_keys, part, record
from unisono.results.sheet import Fact, Headline, Sheet, Table, column, columns
from unisono.results.values import Signature
from unisono.results.wording import WHO_COUNTS, count, position
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor

    from unisono.measures.distances import Distance
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap
    from unisono.registry import Measure
    from unisono.results.values import Bounds, Interval

__all__ = [
    "DataProperties",
    "Fit",
    "UnitsTable",
    "family_fits",
    "measure_units",
    "properties_of",
]

_ROUNDING = 1e-9


class DataProperties(NamedTuple):
    """Properties of the units of a corpus: numbers of units unless stated otherwise."""

    overlapping: int  # units that overlap another unit of the same annotator
    nested: int  # units within another unit of the same annotator
    points: int
    in_pieces: int
    several_labels: int  # units whose label is a set
    without_label: int
    n_labels: int
    leaves_gaps: int  # pairs of document and annotator whose units do not cover the document
    same_places: bool  # all annotators of each document marked the same spans
    shared: int  # documents with at least two annotators


class Fit(NamedTuple):
    """Whether a family of measures fits some data, and why."""

    family: Family
    fits: bool
    why: str

    def to_dict(self) -> dict[str, Any]:
        """Return title, command, measures and capabilities of the family, and whether it fits."""
        family = self.family
        return {
            "name": family.title,
            "command": family.command,
            "measure_names": list(family.measures),
            "takes": sorted(family.takes),
            "fits": self.fits,
            "why": self.why,
        }


def properties_of(corpus: Corpus) -> DataProperties:
    """Compute the properties of the units of a corpus."""
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


def family_fits(data: DataProperties) -> list[Fit]:
    """Return for each family of measures whether it fits the data, and why."""
    # Chains need to be read as such: labels alone do not say whether they name chains.
    return [_fit(family, data) for family in FAMILIES.values() if "chains" not in family.takes]


def _fit(family: Family, data: DataProperties) -> Fit:
    if not data.shared:
        return Fit(family, fits=False, why="no document has at least two annotators")
    lacks = []
    if "places" not in family.takes and not data.same_places:
        lacks.append("annotators did not mark the same spans, so there are no common items")
    if "overlap" not in family.takes and data.overlapping:
        lacks.append(f"{count(data.overlapping, 'unit')} overlap, which it does not support")
    if "gaps" not in family.takes and data.leaves_gaps:
        lacks.append("units do not cover the whole text, and gaps would count as segments")
    if lacks:
        return Fit(family, fits=False, why="; ".join(lacks))
    takes = []
    if "places" in family.takes:
        takes.append("compares positions")
    if "labels" in family.takes and data.n_labels > 1:
        takes.append("and labels" if takes else "compares labels")
    if data.overlapping:
        takes.append("supports overlap" + (" and nesting" if data.nested else ""))
    why = ", ".join(takes).replace(", and", " and")
    if "labels" not in family.takes and data.n_labels > 1:
        why += "; ignores labels"
    if "chance" not in family.takes:
        why += "; not corrected for chance, and one annotator is the reference"
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


class MeasureValue(NamedTuple):
    """The main numbers of a measure; the command of the measure shows all of them."""

    value: float
    observed: float
    expected: float
    undefined: str | None
    interval: Interval | None
    monte_carlo: Interval | None
    monte_carlo_se: float | None
    certified: Bounds | None
    signature: Signature


def _values(measures: Mapping[str, Agreement]) -> dict[str, MeasureValue]:
    found = {}
    for name, of in measures.items():
        proven = getattr(of, "proven", True)
        found[name] = MeasureValue(
            value=of.value,
            observed=of.observed,
            expected=of.expected,
            undefined=of.undefined,
            interval=of.interval,
            monte_carlo=getattr(of, "monte_carlo", None),
            monte_carlo_se=getattr(of, "monte_carlo_se", None),
            certified=None if proven else getattr(of, "certified", None),
            signature=of.signature,
        )
    return found


def _values_by_label(
    by_label: Mapping[Label | None, Mapping[str, Agreement]],
) -> dict[Label | None, dict[str, MeasureValue]]:
    return {label: _values(measures) for label, measures in by_label.items()}


@record
class UnitsTable(OfData, SeveralValues[Agreement]):
    """Several measures of the same units, each with its value or the reason why it is undefined.

    Parameters
    ----------
    measures
        The results by name of the measure: ``gamma`` (the complete result of `un.gamma`),
        ``gamma_cat``, ``u_alpha``, ``u_alpha_binary``, ``u_alpha_coding``, ``kappa_d``,
        ``slot_error_agreement``, and the measures of segmentations, such as
        ``boundary_similarity`` and ``pk``.
    by_label
        ``gamma_k``, ``gamma_label``, ``u_alpha_k`` and ``pairwise_f1_label`` of each label, if
        defined.
    atom
        The length of an atom of κ_d.
    n_documents, n_annotators, n_units
        Number of documents, annotators and units.
    units_by_label
        Number of units of each label.
    annotators_from
        How the annotators of each document were determined, as in a `GammaAgreement`.
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
    >>> table = un.measure_units(text, rng=1)
    >>> table["kappa_d"].value == table.measures["kappa_d"].value
    True
    >>> table.by_label["VP"]["u_alpha_k"].value
    0.0
    """

    measures: Mapping[str, Agreement] = field(metadata=part(json=_values))
    by_label: Mapping[Label | None, Mapping[str, Agreement]] = field(
        metadata=part(json=_values_by_label)
    )
    atom: float
    n_documents: int
    n_annotators: int
    n_units: int
    units_by_label: Mapping[Label | None, int] = field(default_factory=dict)
    annotators_from: str
    skipped: int = 0
    left_out_documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def by_measure(self) -> Mapping[str, Agreement]:
        """The results by name of the measure, as `measures`."""
        return self.measures

    def __repr__(self) -> str:
        texts = [
            f"{MEASURES[name].symbol} {outcome(of)}" for name, of in _of("units", self).items()
        ]
        texts += [count(self.n_annotators, "annotator"), count(self.n_units, "unit")]
        return f"UnitsTable({', '.join(texts)})"

    def __hash__(self) -> int:
        return hash((type(self), self.measures["gamma"].signature))

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: no measure has a value.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP")])
        >>> un.measure_units(text, rng=1).problems()[0][:50]
        'all measures are undefined; of γ: agreement needs '
        """
        if not all(of.undefined for of in self.measures.values()):
            return []
        return [f"all measures are undefined; of γ: {self.measures['gamma'].undefined}"]

    def sheet(self, *, title: str = "", min_units: int = 1) -> Sheet:
        """Return the `Sheet` of the table, from which all outputs are rendered.

        Labels with fewer than `min_units` units are left out of the table for people.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
        >>> sheet = un.measure_units(text, rng=1).sheet()
        >>> [row[0].text for row in sheet.tables[0].rows][:6]
        ['γ', 'γcat', 'uα', '|uα', 'cuα', 'κ_d']
        """
        lead = uncertainty(self.measures["gamma"])
        keys = label_keys(self.by_label)
        known = self.units_by_label
        units = {keys[label]: known[label] for label in self.by_label if label in known}
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
                Headline(name, certain_value(of), of.interval)
                for name, of in _of("units", self).items()
                if lead is None or name != "gamma"
            ),
            findings=() if lead is None else (lead,),
            tables=(
                measure_rows(
                    _rows(self, shown=True),
                    weights={key: units.get(key, 0) for key in keys.values()},
                    units=units,
                    min_units=min_units,
                ),
                for_programs,
            ),
            facts=tuple(_facts(self)),
            notes=(*self.notes, *hidden_labels(self.units_by_label, min_units)),
            signatures=_signatures(self),
        )


def _of(data: str, result: UnitsTable) -> dict[str, Agreement]:
    """Return the results of the measures of one kind of data."""
    return {name: of for name, of in result.measures.items() if MEASURES[name].data == data}


def _rows(result: UnitsTable, *, shown: bool) -> Iterator[tuple[str, str | None, Agreement]]:
    """Yield the name, label and result of each measure, and then of each measure by label.

    Measures of segmentations are hidden from people if none of them has a value.
    """
    without = _of("segments", result) if shown and why_no_segments(result) is not None else {}
    for name, of in result.measures.items():
        if name not in without:
            yield name, None, of
    keys = label_keys(result.by_label)
    for label, measures in result.by_label.items():
        for name, of in measures.items():
            yield name, keys[label], of


def _facts(result: UnitsTable) -> Iterator[Fact]:
    """Yield the facts shown below the table."""
    if result.n_documents > 1:
        yield Fact(column("n_documents"), result.n_documents)
    who = WHO_COUNTS.get(result.annotators_from, result.annotators_from)
    yield Fact(column("n_annotators"), result.n_annotators, f"counted: {who}")
    yield Fact(column("n_units"), result.n_units)
    gamma = result.measures["gamma"]
    if isinstance(gamma, GammaAgreement) and gamma.draws:
        yield Fact(column("draws"), gamma.draws)
        yield Fact(column("alignment"), proof(proven=gamma.proven, gap=gamma.gap))
        if gamma.certified and not gamma.proven:
            text = f"γ is {certain_range(gamma.certified)}, for these draws"
            yield Fact(column("certified"), text)
    of_atoms = [name for name in _valued(result) if "atom" in MEASURES[name].settings]
    if of_atoms:
        yield Fact(column("atom"), f"of length {position(result.atom)}, for {_symbols(of_atoms)}")
    # A note of γ names the documents that were left out.
    yield from unused_facts(skipped=result.skipped, left_out=())
    errors = [name for name in _valued(result) if not MEASURES[name].perfect]
    if errors:
        are = "is an error" if len(errors) == 1 else "are errors"
        yield Fact(column("errors"), f"{_symbols(errors)} {are}: 0 is perfect agreement")
    why = why_no_segments(result)
    if why is not None:
        yield Fact(column("segments"), f"measures of segmentations are undefined: {why}")


def _valued(result: UnitsTable) -> list[str]:
    """Return the names of the measures that have a value."""
    return [name for name, of in result.measures.items() if not of.undefined]


def _symbols(names: Sequence[str]) -> str:
    *first, last = (MEASURES[name].symbol for name in names)
    return f"{', '.join(first)} and {last}" if first else last


def why_no_segments(result: UnitsTable) -> str | None:
    """Return why no measure of segmentations has a value, or ``None`` if one has."""
    found = [of.undefined for of in _of("segments", result).values()]
    return found[0] if all(found) else None


def _signatures(result: UnitsTable) -> tuple[Signature, ...]:
    """Return the signatures of γ and of all measures with a value; of equal settings only one."""
    found: dict[tuple[object, ...], Signature] = {}
    for name, of in result.measures.items():
        if name == "gamma" or not of.undefined:
            signature = of.signature
            found.setdefault((MEASURES[name].function, signature.settings), signature)
    return tuple(found.values())


@of_units
def measure_units(
    data: Continuum | Corpus,
    *,
    distance: Distance = "nominal",
    overlap: Overlap = "raise",
    atom: float | None = None,
    tolerance: float = 0.0,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float | None = None,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> UnitsTable:
    """Compute all measures of units on the same data.

    These are γ, γcat and γk, Krippendorff's alphas for unitizing, κ on atoms, the slot error rate,
    and the measures of segmentations, which need units that cover the whole document. A measure
    that is undefined on these data has a reason instead of a value.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus`, whose documents are pooled.
    distance
        The distance of two labels, for γ, γcat, γk and cuα; the other measures only distinguish
        equal and different labels.
    overlap
        How the alphas and κ_d treat overlapping units of one annotator: with ``"raise"`` they are
        undefined, ``"merge"`` and ``"split"`` are as in `unitizing_alpha`.
    atom
        The length of an atom, for κ_d, by default as in `kappa_d`, and for segmentations, by
        default 1, whose boundaries are then rounded to atoms.
    tolerance
        The maximum difference of bounds that the slot error rate accepts as equal.
    dissimilarity
        The dissimilarity of two units for γ; by default `CombinedDissimilarity` with this distance.
    chance, precision, draws, rng, workers, executor, progress
        As in `gamma`.

    Returns
    -------
    UnitsTable
        The results in `measures` and, for γk and (k)uα, in `by_label`.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If γ cannot be computed with this distance or chance model.

    Notes
    -----
    Each value is that of the respective function: `gamma`, `unitizing_alpha` (2016), `kappa_d`,
    `slot_error_agreement`, and `boundary_similarity` and the other measures of segmentations on the
    result of `segmentations`. The run time is the sum of theirs.

    The measures answer different questions: do not choose the one with the highest value. Their
    values differ if one measure ignores what another one counts.

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
    >>> table = un.measure_units(text, rng=1)
    >>> print(table)
    measure       value  ± draws  observed  expected  units
    γ            0.699     0.002    0.3198    1.062       –
    γcat         1.000     exact    0.0000    0.509       –
    uα           0.9758        –    0.0143    0.5903      –
    |uα          0.9710        –    0.0143    0.4930      –
    cuα          1.0000        –    0.0000    0.2406      –
    κ_d          0.9738        –    0.0143    0.5449      –
    1 − SER      0.4167        –    0.5833         –      –
    pairwise F1  0.2857        –    0.7143         –      –
    γk A         1.000     exact    0.0000    0.509       5
    γ A          0.592     0.002    0.4444    1.088       5
    (k)uα A      1.0000        –    0.0000    0.1379      5
    F1 A         0.4000        –    0.6000         –      5
    γk B         1.000     exact    0.0000    1.000       2
    γ B          0.996     0.001    0.0083    1.95        2
    (k)uα B      1.0000        –    0.0000    0.9412      2
    F1 B         0.0000        –    1.0000         –      2
    >>> table["pk"].undefined
    "segments must cover the whole document, from 0 to 70; 'ann' has a gap from 20 to 30"
    """
    check_continuum_or_corpus("measure_units", data)
    atom_length(atom)  # raises early if the atom is invalid
    check_overlap(overlap)
    if dissimilarity is None:
        dissimilarity = CombinedDissimilarity(**chance_rules(chance).weights, distance=distance)
    table = _Table(
        data,
        {
            "distance": distance,
            "overlap": overlap,
            "atom": atom,
            "tolerance": tolerance,
            "dissimilarity": dissimilarity,
            "chance": chance,
            "precision": precision,
            "draws": draws,
            # The measures with draws have the same seed, also if the system provides it.
            "rng": seed_of(rng),
        },
        {"workers": workers, "executor": executor, "progress": progress, "by_document": False},
    )
    by_function: dict[str, list[Measure]] = {}
    for measure in table.measures:
        by_function.setdefault(measure.function, []).append(measure)
    # The fast measures come first, so that invalid settings are reported before the draws.
    for together in sorted(by_function.values(), key=lambda each: each[0].stochastic):
        table.add(together)
    return table.result()


class _Table:
    """Collects the measures of one data set."""

    def __init__(
        self, data: Continuum | Corpus, settings: dict[str, Any], work: dict[str, Any]
    ) -> None:
        self.data = data
        self.settings = settings
        self.work = work
        self.measures = measures_taking("units", "segments")
        self.found: dict[str, Any] = {}
        self.notes: dict[str, list[str]] = {}

    def add(self, measures: Sequence[Measure]) -> None:
        """Call the function that the measures have in common."""
        first = measures[0]
        try:
            data = self.data if first.data == "units" else self._segments
            result = first.compute(data, self.settings | self.work)
            if first.data == "segments":
                result = signed_for_units(result, self.data, atom=self.settings["atom"])
        except DataError as error:
            if first.stochastic:
                raise  # without γ there is no table
            self.found |= {
                each.name: self._undefined(each, error) for each in measures if not each.by_label
            }
            return
        self.found |= {each.name: each.value(result) for each in measures}
        if first.name != "gamma" and any(
            not self.found[each.name].undefined for each in measures if not each.by_label
        ):
            for note in getattr(result, "notes", ()):
                self.notes.setdefault(note, []).append(first.symbol)

    @cached_property
    def _segments(self) -> Any:  # noqa: ANN401 - as segmentations returns
        # A single document is passed alone, so that messages do not name it.
        documents = list(documents_of(self.data).values())
        data = documents[0] if len(documents) == 1 else self.data
        return segmentations(data, atom=self.settings["atom"])

    def result(self) -> UnitsTable:
        """Return the table in the order of the registry, with the measures grouped by label."""
        data, gamma = self.data, self.found["gamma"]
        measures = [each for each in self.measures if each.name in self.found]
        of_labels = {each.name: self.found[each.name] for each in measures if each.by_label}
        labels = {label for found in of_labels.values() for label in found}
        documents = documents_of(data).values()
        whole = {each.name: self.found[each.name] for each in measures if not each.by_label}
        atoms = whole["kappa_d"].signature
        notes = (f"{', '.join(symbols)}: {note}" for note, symbols in self.notes.items())
        return UnitsTable(
            measures=whole,
            by_label={
                label: {name: found[label] for name, found in of_labels.items() if label in found}
                for label in sorted(labels, key=label_order)
            },
            atom=float(atoms["atom"]) if "atom" in atoms else self.settings["atom"] or 1.0,
            n_documents=len(documents) - len(gamma.left_out_documents),
            n_annotators=len(data.annotators),
            n_units=sum(map(len, documents)),
            units_by_label=gamma.units_by_label,
            annotators_from=data.annotators_from,
            skipped=data.skipped if isinstance(data, Corpus) else 0,
            left_out_documents=gamma.left_out_documents,
            notes=tuple(dict.fromkeys((*gamma.notes, *notes))),
        )

    def _undefined(self, measure: Measure, error: DataError) -> Agreement:
        data = self.data
        own = [
            (name, f"{value:.12g}" if isinstance(value, float) else str(value))
            for name, value in self.settings.items()
            if name in measure.settings and isinstance(value, str | float | int)
        ]
        about = (
            ("annotators", data.annotators_from),
            ("data", data.digest[:8]),
            ("v", __version__),
        )
        return Agreement(
            value=math.nan,
            observed=math.nan,
            expected=math.nan,
            undefined=error.problem,
            signature=Signature(measure.name, (*own, *about)),
        )
