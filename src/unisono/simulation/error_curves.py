"""Curves of measures by magnitude of the errors of simulated annotators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import permutations, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.data import of_units
from unisono.measures.distances import distance_signature
from unisono.measures.gamma.dissimilarity import check_dissimilarity, label_counts
from unisono.measures.gamma.documents import Costs
from unisono.measures.sampling import Dice, fingerprint, seed_of
from unisono.measures.segmentation.hamming import generalized_hamming
from unisono.model.corpus import Corpus, documents_of
from unisono.model.labels import Label, label_text
from unisono.model.overlap import overlapping_units
from unisono.model.ratings import Ratings
from unisono.model.segmentation import segmentations
from unisono.parallel.dispatch import Report, check_executor, map_items, workers_of
from unisono.parallel.executors import available_cores
from unisono.registry import (
    FAMILIES,
    MEASURES,
    SETTINGS,
    check_setting,
    check_settings,
    measure_named,
    measures_taking,
    settings_by_measure,
)
from unisono.results.data import OfData
from unisono.results.record import Record, record
from unisono.results.sheet import KINDS, Column, Fact, Row, Sheet, Table, column, columns, figure
from unisono.results.values import Signature
from unisono.simulation.shuffling.errors import DEFAULT_ERRORS
from unisono.simulation.shuffling.shuffle import Shuffler

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Unpack

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.arrays import Floats, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.segmentation import Segmentation
    from unisono.registry import Measure
    from unisono.simulation.keywords import CurveSettings
    from unisono.simulation.shuffling.errors import ErrorType

__all__ = ["ErrorCurve", "ErrorCurves", "error_curves", "shown_name"]

# Codes that a worker returns; the message depends on the interface of the user.
OVERLAP, GAPS = "overlap", "gaps"
MeasuresArgument: TypeAlias = "str | Iterable[str] | Mapping[str, Callable[[Any], Any]] | None"
"""Names of measures, or custom measures: functions of a continuum by name."""


def curve_measures() -> list[Measure]:
    """Return the measures that can be computed on simulated annotators."""
    return measures_taking("units", "segments", "items")


class MeasureSettings(NamedTuple):
    """The measures to compute, and their settings."""

    names: tuple[str, ...]
    own: Mapping[str, Callable[[Any], Any]]
    """Custom measures: functions of a continuum, or of a corpus if there are several documents."""
    labels: tuple[Label | None, ...]
    """The labels for which measures by label are computed."""
    keywords: Mapping[str, Any]
    """The settings of all measures."""

    @property
    def measures(self) -> list[Measure]:
        """The measures that are not custom."""
        return [MEASURES[name] for name in self.names if name not in self.own]

    @property
    def curves(self) -> tuple[str, ...]:
        """The names of all curves; a measure by label has one per label."""
        return tuple(curve for name in self.names for curve in self.curves_of(name))

    def curves_of(self, name: str) -> list[str]:
        """Return the names of the curves of a measure."""
        if name not in self.own and MEASURES[name].by_label:
            return [_of_label(name, label) for label in self.labels]
        return [name]

    @property
    def has_draws(self) -> bool:
        """Whether a measure draws random annotations, which takes most of the time."""
        return any(measure.stochastic for measure in self.measures)

    @property
    def has_atoms(self) -> bool:
        """Whether a measure depends on the length of an atom."""
        return any(
            measure.data in ("items", "segments") or "atom" in measure.settings
            for measure in self.measures
        )

    def values(self, data: Continuum | Corpus, seed: int) -> tuple[list[float], dict[str, str]]:
        """Compute all measures as agreement; return the values, and reasons for missing ones."""
        found: dict[str, float] = {}
        reasons: dict[str, str] = {}
        measured = _AnnotationSet(self, data, seed)
        for name in self.names:
            try:
                if name in self.own:
                    found[name] = float(self.own[name](data))
                else:
                    found |= measured.values(MEASURES[name])
            except DataError as error:
                obstacle = None if name in self.own else _obstacle(MEASURES[name], data)
                reasons[name] = obstacle or str(error)
        return [found.get(name, math.nan) for name in self.curves], reasons


class _AnnotationSet:
    """Computes the measures of one annotation set; each function is called once."""

    def __init__(self, settings: MeasureSettings, data: Continuum | Corpus, seed: int) -> None:
        self._settings, self._data = settings, data
        self._keywords = {**settings.keywords, "rng": seed, "workers": 1, "by_pair": False}
        self._with_labels = {each.function for each in settings.measures if each.by_label}
        self._results: dict[str, Any] = {}

    def values(self, measure: Measure) -> dict[str, float]:
        """Return the value of a measure as agreement, or one for each label, by name of curve."""
        if measure.data == "segments":
            values = [self._of_segments(measure, each) for each in self._segments]
            return {measure.name: float(np.mean(values))}
        if measure.function not in self._results:
            by_label = measure.function in self._with_labels
            data = {"units": "_data", "items": "_atoms"}
            self._results[measure.function] = measure.compute(
                getattr(self, data[measure.data]), {**self._keywords, "by_label": by_label}
            )
        found = measure.value(self._results[measure.function])
        if not measure.by_label:
            return {measure.name: measure.agreement(found.value)}
        return {
            _of_label(measure.name, label): measure.agreement(found[label].value)
            for label in self._settings.labels
            if label in found
        }

    def _of_segments(self, measure: Measure, segments: dict[str, Segmentation]) -> float:
        """Return the agreement of the segmentations of one document."""
        if measure.name == "generalized_hamming":
            return measure.agreement(self._relative_hamming(segments))
        return measure.agreement(measure.value(measure.compute(segments, self._keywords)).value)

    def _relative_hamming(self, segments: dict[str, Segmentation]) -> float:
        """Return the mean cost of all pairs, relative to deleting and inserting all boundaries."""
        costs = {"insertion": 2.0, "deletion": 2.0, "shift": 1.0}
        costs |= {name: self._keywords[name] for name in costs if name in self._keywords}
        shares = []
        for one, other in permutations(segments.values(), 2):
            most = costs["insertion"] * len(one.boundaries)
            most += costs["deletion"] * len(other.boundaries)
            shares.append(generalized_hamming(one, other, **costs).value / most if most else 0.0)
        return float(np.mean(shares)) if shares else math.nan

    @cached_property
    def _atoms(self) -> Ratings:
        return Ratings.from_continuum(self._data, atom=self._keywords["atom"])

    @cached_property
    def _segments(self) -> list[dict[str, Segmentation]]:
        atom = self._keywords["atom"]
        return [segmentations(each, atom=atom) for each in documents_of(self._data).values()]


def _obstacle(measure: Measure, data: Continuum | Corpus) -> str | None:
    """Return the code of the property of the data that the measure does not support, if any."""
    if "overlap" not in FAMILIES[measure.family].takes and any(
        map(overlapping_units, documents_of(data).values())
    ):
        return OVERLAP
    return GAPS if measure.data == "segments" else None


def reason_text(reason: str) -> str:
    """Return the reason why a measure is left out as a message."""
    if reason == OVERLAP:
        return f"units of one annotator overlap; prevent this with {setting('overlap', False)}"
    if reason == GAPS:
        return "units leave gaps, but the measure needs segments that cover the whole document"
    return reason


def shown_name(name: str) -> str:
    """Return the display name of a curve; a distance is shown as agreement."""
    base, _, label = name.partition(":")
    if base not in MEASURES:
        return name
    measure = MEASURES[base]
    symbol = measure.symbol if measure.perfect else f"1 − {measure.symbol}"
    return f"{symbol} {label or '(no label)'}" if measure.by_label else symbol


def chosen_measures(
    measures: MeasuresArgument,
) -> tuple[tuple[str, ...], dict[str, Callable[[Any], Any]]]:
    """Return the names of measures in a fixed order, and the custom measures by name."""
    if measures is None:
        # γ of every label at every point is requested by name: it takes as long as all the others.
        usual = [each.name for each in measures_taking("units", "segments")]
        return tuple(name for name in usual if name != "gamma_label"), {}
    if isinstance(measures, Mapping):
        for name, function in measures.items():
            if not callable(function) or not isinstance(name, str):
                msg = f"a custom measure must be a name and a function, got {name!r}: {function!r}"
                raise TypeError(msg)
            if name.partition(":")[0] in MEASURES or not name:
                msg = f"{name!r} cannot be the name of a custom measure; choose another name"
                raise SettingError(msg)
        return tuple(measures), dict(measures)
    names = [measures] if isinstance(measures, str) else measures
    known = curve_measures()
    chosen = {measure_named(str(name), known).name for name in names}
    if not chosen:
        listed = ", ".join(each.name for each in known)
        msg = f"measures is empty; choose at least one of {listed}"
        raise SettingError(msg)
    return tuple(each.name for each in known if each.name in chosen), {}


def _of_label(measure: str, label: Label | None) -> str:
    return f"{measure}:{label_text(label)}"


@record
class ErrorCurve(Record):
    """The values of one measure by magnitude of errors.

    Attributes
    ----------
    measure
        The name of the measure.
    magnitudes
        The magnitudes at which it was computed.
    values
        Magnitudes × annotation sets; NaN where it is undefined.
    confidence
        The share of annotation sets between `low` and `high`.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(10, rng=1)
    >>> found = un.error_curves(reference, measures="gamma", magnitudes=(0, 0.5), repeats=5, rng=1)
    >>> curve = found.curve("gamma")
    >>> float(curve.mean[0]), bool(curve.low[1] < curve.mean[1] < curve.high[1])
    (1.0, True)
    """

    measure: str
    magnitudes: Floats
    values: Floats
    confidence: float = 0.95

    summary = ("magnitudes",)
    computed = ("mean", "low", "high", "n_undefined")
    excluded = ("magnitudes", "values")

    @property
    def mean(self) -> Floats:
        """The mean over annotation sets; NaN if it is undefined for all of them."""
        defined = ~np.isnan(self.values)
        counts = defined.sum(axis=1)
        sums = np.where(defined, self.values, 0.0).sum(axis=1)
        mean = np.full(len(counts), np.nan)
        np.divide(sums, counts, out=mean, where=counts > 0)
        return mean

    @property
    def low(self) -> Floats:
        """The lower end of the interval with the share `confidence` of the annotation sets."""
        return self._quantile((1.0 - self.confidence) / 2.0)

    @property
    def high(self) -> Floats:
        """The upper end of this interval."""
        return self._quantile((1.0 + self.confidence) / 2.0)

    @property
    def n_undefined(self) -> Integers:
        """The number of annotation sets for which it is undefined."""
        return np.asarray(np.isnan(self.values).sum(axis=1), dtype=np.int64)

    def _quantile(self, share: float) -> Floats:
        found = np.full(len(self.values), np.nan)
        for at, row in enumerate(self.values):
            defined = row[~np.isnan(row)]
            if len(defined):
                found[at] = np.quantile(defined, share)
        return found


@record
class ErrorCurves(OfData):
    """Curves of several measures on the same simulated annotators.

    Attributes
    ----------
    curves
        The curves of all measures that could be computed, by name.
    left_out_measures
        The reasons why the other measures could not be computed.
    errors, magnitudes, repeats
        The types of errors, their magnitudes, and the number of annotation sets per magnitude.
    signature
        All settings that affect a number.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(10, rng=1)
    >>> found = un.error_curves(
    ...     reference, measures=("gamma", "u_alpha_coding"), errors=("position", "category"),
    ...     magnitudes=(0, 0.5, 1), repeats=5, overlap=False, rng=1,
    ... )  # fmt: skip
    >>> print(found)
    magnitude       γ      cuα
    0          1.0000   1.0000
    0.5        0.2659   0.3937
    1          0.0456  -0.0481
    """

    curves: Mapping[str, ErrorCurve]
    left_out_measures: Mapping[str, str]
    errors: tuple[ErrorType, ...]
    magnitudes: Floats
    repeats: int
    signature: Signature

    summary = ("curves", "magnitudes", "repeats")

    def curve(self, measure: str) -> ErrorCurve:
        """Return the curve of one measure.

        Parameters
        ----------
        measure
            The name of the measure, such as ``"gamma"``, or ``"gamma_k:NP"`` for one label.

        Raises
        ------
        DataError
            If it was not computed.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.error_curves(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> found.curve("kappa_d")
        Traceback (most recent call last):
        unisono.errors.DataError: no curve of 'kappa_d'; available: gamma
        """
        names = [measure, *(each.name for each in curve_measures() if measure in each.aliases)]
        for name in names:
            if name in self.curves:
                return self.curves[name]
            if name in self.left_out_measures:
                msg = f"no curve of {measure!r}: {self.left_out_measures[name]}"
                raise DataError(msg)
        available = ", ".join(self.curves) or "none"
        msg = f"no curve of {measure!r}; available: {available}"
        raise DataError(msg)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the curves, from which all outputs are rendered.

        People see the means with one column per measure; programs get one row per measure and
        magnitude.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.error_curves(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> print(found.to_csv())
        measure,magnitude,mean,low,high,n_undefined
        gamma,0.0,1.0,1.0,1.0,0
        <BLANKLINE>
        """
        means = [curve.mean.tolist() for curve in self.curves.values()]
        by_reason: dict[str, list[str]] = {}
        for name, reason in self.left_out_measures.items():
            by_reason.setdefault(reason, []).append(shown_name(name))
        is_partial = any(curve.n_undefined.any() for curve in self.curves.values())
        return Sheet(
            name="error_curves",
            title=title,
            figures=(figure("curves", self),),
            tables=(
                Table(
                    name="mean",
                    columns=(
                        column("magnitude", kind=KINDS["position"]),
                        *(
                            Column(name=name, heading=shown_name(name), kind=KINDS["value"])
                            for name in self.curves
                        ),
                    ),
                    rows=list(zip(self.magnitudes.tolist(), *means, strict=True)),
                    programs=False,
                ),
                self._curve_table(),
            ),
            facts=(
                Fact(column("errors"), ", ".join(self.errors)),
                Fact(column("repeats"), f"{self.repeats:,} per magnitude; the table has means"),
                *(
                    Fact(column("left_out_measures"), f"{', '.join(names)}: {reason}")
                    for reason, names in by_reason.items()
                ),
            ),
            notes=("means exclude annotation sets without a value; n_undefined counts them",)
            if is_partial
            else (),
            signatures=(self.signature,),
        )

    def _curve_table(self) -> Table:
        rows: list[Row] = []
        for curve in self.curves.values():
            numbers = (curve.magnitudes, curve.mean, curve.low, curve.high, curve.n_undefined)
            rows += zip(repeat(curve.measure), *(each.tolist() for each in numbers), strict=False)
        return Table(
            name="curve",
            columns=columns("measure magnitude mean low high n_undefined"),
            rows=rows,
            people=False,
        )


_STREAM = 12
_STEPS = 21
_MOST_SETS = 1_000_000
# Enough, because the error from the draws averages out over the annotation sets.
_DRAWS = 30
# Measured seconds to simulate an annotation set and to compute the quick measures.
_SECONDS_PER_SET = 5e-3


class _SharedSettings(NamedTuple):
    """What all annotation sets share; pickled for remote workers."""

    shufflers: dict[str, Shuffler]
    """One per document of a corpus; one without a name for a continuum."""
    measuring: MeasureSettings
    seed: int


def _measure_set(
    sets: _SharedSettings, task: tuple[float, int]
) -> tuple[list[float], dict[str, str]]:
    """Simulate one annotation set, and compute its measures."""
    magnitude, repeat = task
    # The stream contains the magnitude, so a set does not depend on the other magnitudes.
    stream = (_STREAM, round(magnitude * 2**40), repeat)
    data: Continuum | Corpus
    if "" in sets.shufflers:
        data = sets.shufflers[""].continuum(magnitude, sets.seed, *stream)
    else:
        # The stream contains the name, so that equal documents have different errors.
        data = Corpus.from_continua(
            {
                name: each.continuum(magnitude, sets.seed, *stream, fingerprint(name=name))
                for name, each in sets.shufflers.items()
            }
        )
    own_seed = int(Dice(sets.seed, *stream).bits(1)[0] >> np.uint64(32))
    return sets.measuring.values(data, own_seed)


def default_atom(reference: Continuum | Corpus) -> float:
    """Return the default atom: 1 if all positions are whole numbers, else a tenth of a unit."""
    documents = documents_of(reference).values()
    nothing = np.empty(0)
    places = np.concatenate(
        [nothing, *((*each.starts, *each.ends, *each.extent) for each in documents)]
    )
    lengths = np.concatenate([nothing, *(each.ends - each.starts for each in documents)])
    mean = float(lengths.mean()) if len(lengths) else 0.0
    if (places == np.rint(places)).all() or mean <= 0.0:
        return 1.0
    return mean / 10.0


@of_units
def error_curves(
    reference: Continuum | Corpus,
    *,
    measures: MeasuresArgument = None,
    errors: ErrorType | Iterable[ErrorType] = DEFAULT_ERRORS,
    magnitudes: Iterable[float] | int = _STEPS,
    repeats: int = 40,
    annotators: int = 3,
    rng: int | np.random.Generator | None = 0,
    dissimilarity: Dissimilarity | None = None,
    draws: int = _DRAWS,
    atom: float | None = None,
    intersections: bool = False,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Unpack[CurveSettings],
) -> ErrorCurves:
    """Compute measures of agreement for simulated annotators at increasing magnitudes of errors.

    Parameters
    ----------
    reference
        The correct annotation: the units of one annotator. If it is a `Corpus`, each annotation set
        contains all its documents, and measures are pooled over them; measures of segmentations are
        means over documents. ``chance="corpus"``, which the γ paper recommends, needs a corpus.
    measures
        Names of measures of units, of segmentations, or of items, which are computed on atoms, such
        as ``"gamma"``, ``"pk"`` or ``"krippendorff_alpha"``; by default all of units and
        segmentations. Distances are computed as agreement, 1 minus the distance; measures by label
        have one curve per label. Or custom measures: a mapping of names to functions of a
        continuum.
    errors
        The types of errors, as in `shuffle`.
    magnitudes
        The magnitudes from 0 to 1, or their number, evenly spaced; by default 0, 0.05, …, 1.
    repeats
        Number of annotation sets per magnitude.
    annotators
        Number of annotators per annotation set.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one.
    dissimilarity
        The dissimilarity of units for γ; `CombinedDissimilarity()` by default.
    draws
        Number of draws for each γ.
    atom
        The length of an atom, for measures on atoms and segments; by default 1 if all positions of
        the reference are whole numbers, and a tenth of the mean unit otherwise.
    intersections
        Whether to compute cuα of overlapping units from all their intersections, as
        `unitizing_alpha` does with ``overlap="keep"``; uα is then undefined.
    confidence
        The share of annotation sets that the interval around a curve contains.
    workers
        Number of threads, by default one per core. It does not affect any value.
    executor
        An executor that runs the work instead, as in `gamma`. It does not affect any value.
    progress
        Called with the number of finished annotation sets and their total number.
    **settings
        Other settings of `shuffle`: ``overlap``, ``position_factor``, ``false_positive_factor``,
        ``split_cap``, ``prevalence``, ``closeness``, ``certain``, ``habits``. And settings of the
        measures, such as ``chance="corpus"``, ``generation="2013"`` for the uα that γ was compared
        with, or ``near=3``.

    Returns
    -------
    ErrorCurves
        One curve per measure, with its mean and an interval. Measures that do not apply to such
        annotations are left out, with the reason.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If the reference is empty, or does not fit the settings.

    Notes
    -----
    The experiments of [1]_ (§6.3) use 40 annotation sets at each of 21 magnitudes.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(10, labels="AB", rng=1)
    >>> found = un.error_curves(reference, errors="position", magnitudes=3, repeats=4, rng=1)
    >>> sorted(found.left_out_measures)
    ['boundary_similarity', 'boundary_similarity_kappa', ..., 'u_alpha_k', 'window_diff']
    >>> print(found.left_out_measures["u_alpha_coding"])
    units of one annotator overlap; prevent this with overlap=False
    """
    names, own = chosen_measures(measures)
    known = {name for measure in curve_measures() for name in measure.settings} - {"overlap"}
    passed: dict[str, Any] = {**settings}
    of_measures = {name: passed.pop(name) for name in [*passed] if name in known}
    grid = _magnitudes(magnitudes)
    given: dict[str, Any] = {"repeats": repeats, "annotators": annotators, "draws": draws}
    given["intersections"] = intersections
    optional = {"workers": workers, "atom": atom, **of_measures}
    check_settings({**given, "confidence": confidence}, optional, of="error_curves")
    if dissimilarity is not None:
        check_dissimilarity(dissimilarity)
    if executor is not None:
        check_executor(executor)
    if of_measures.get("chance") == "corpus" and not isinstance(reference, Corpus):
        msg = (
            f"{setting('chance', 'corpus')} mixes documents, but the reference is a single one; "
            "use a Corpus of references, or choose another chance model"
        )
        raise SettingError(msg)
    shufflers = {
        name: Shuffler(each, errors=errors, annotators=annotators, **passed)
        for name, each in (
            reference.items() if isinstance(reference, Corpus) else (("", reference),)
        )
    }
    if not shufflers:
        msg = "the corpus of references has no documents; pass at least one"
        raise DataError(msg)
    size = default_atom(reference) if atom is None else float(atom)
    keywords = {"dissimilarity": dissimilarity, "draws": draws, "atom": size, **of_measures}
    if intersections:
        keywords["overlap"] = "keep"
    measuring = MeasureSettings(names, own, reference.labels, keywords)
    if own and of_measures:
        msg = f"{setting(min(of_measures))} does not apply to custom measures; omit it"
        raise SettingError(msg)
    settings_by_measure(measuring.measures, of_measures)  # raises unless each is of a measure
    if len(grid) * repeats > _MOST_SETS:
        msg = (
            f"{len(grid) * repeats:,} annotation sets are too many, the limit is {_MOST_SETS:,}; "
            "reduce repeats or magnitudes"
        )
        raise SettingError(msg)
    seed = seed_of(rng)
    tasks = [(magnitude, repeat) for magnitude in grid.tolist() for repeat in range(repeats)]
    found = map_items(
        _measure_set,
        _SharedSettings(shufflers, measuring, seed),
        tasks,
        seconds=sum(
            _seconds(measuring, len(each.reference), annotators) for each in shufflers.values()
        ),
        executor=executor,
        workers=workers or (available_cores() if executor is None else workers_of(executor)),
        report=Report(progress, len(tasks)),
    )
    values = np.empty((len(tasks), len(measuring.curves)))
    left_out: dict[str, str] = {}
    for at, (row, reasons) in enumerate(found):
        values[at] = row
        for name, reason in reasons.items():
            left_out.setdefault(name, reason_text(reason))
    without = {curve for name in left_out for curve in measuring.curves_of(name)}
    curves = {
        name: ErrorCurve(
            measure=name,
            magnitudes=grid,
            values=values[:, at].reshape(len(grid), repeats),
            confidence=float(confidence),
        )
        for at, name in enumerate(measuring.curves)
        if name not in without
    }
    return ErrorCurves(
        curves=curves,
        left_out_measures=left_out,
        errors=next(iter(shufflers.values())).errors,
        magnitudes=grid,
        repeats=int(repeats),
        signature=_signature(reference, shufflers, measuring, grid, int(repeats), seed),
    )


def _seconds(measuring: MeasureSettings, units: int, annotators: int) -> float:
    """Estimate the run time of one annotation set."""
    alignments = 1 + int(measuring.keywords["draws"]) if measuring.has_draws else 0
    return _SECONDS_PER_SET + Costs(is_custom=False).seconds(
        units * annotators, annotators, alignments
    )


def _magnitudes(magnitudes: Iterable[float] | int) -> np.ndarray[Any, np.dtype[np.float64]]:
    if isinstance(magnitudes, int | np.integer) and not isinstance(magnitudes, bool):
        if magnitudes < 2:
            msg = f"the number of magnitudes must be at least 2, got {magnitudes}"
            raise SettingError(msg)
        return np.asarray(np.round(np.linspace(0.0, 1.0, int(magnitudes)), 12))
    if not isinstance(magnitudes, Iterable):
        msg = f"magnitudes must be several numbers from 0 to 1, or their number; got {magnitudes!r}"
        raise TypeError(msg)
    values = list(magnitudes)
    for magnitude in values:
        check_setting("magnitudes", magnitude)
    if not values:
        msg = "magnitudes is empty; it needs at least one number from 0 to 1"
        raise SettingError(msg)
    return np.unique(np.array(values, dtype=np.float64))


def _signature(
    reference: Continuum | Corpus,
    shufflers: dict[str, Shuffler],
    measuring: MeasureSettings,
    magnitudes: np.ndarray[Any, np.dtype[np.float64]],
    repeats: int,
    seed: int,
) -> Signature:
    text = f"{magnitudes[0]:.12g}..{magnitudes[-1]:.12g}[{len(magnitudes)}]"
    if len(magnitudes) > 2 and np.ptp(np.diff(magnitudes)) > 1e-9:
        text = ",".join(f"{magnitude:.12g}" for magnitude in magnitudes.tolist())
    named = dict(next(iter(shufflers.values())).settings(text, seed))
    named["data"] = reference.digest[:8]
    last = {name: named.pop(name) for name in ("seed", "data", "v")}
    keywords = measuring.keywords
    measured = {"measures": ",".join(measuring.names), "repeats": str(repeats)}
    if measuring.has_draws:
        if keywords["dissimilarity"] is not None:
            measured["dissim"] = _dissimilarity_text(reference, keywords["dissimilarity"])
        measured["draws"] = str(keywords["draws"])
    if measuring.has_atoms:
        measured["atom"] = f"{keywords['atom']:.10g}"
    if "overlap" in keywords:
        measured["intersections"] = "yes"
    for name in sorted(keywords.keys() - {"dissimilarity", "draws", "atom", "overlap"}):
        measured[name] = _setting_text(name, keywords[name], measuring.labels)
    return Signature("error_curves", tuple({**named, **measured, **last}.items()))


def _dissimilarity_text(reference: Continuum | Corpus, dissimilarity: Dissimilarity) -> str:
    return dissimilarity.fitted(reference.labels, label_counts(reference)).text


def _setting_text(name: str, value: Any, labels: Sequence[Label | None]) -> str:  # noqa: ANN401
    """Return the value of a setting of a measure for the signature."""
    if SETTINGS[name].kind == "distance":
        return distance_signature(value, labels)
    if isinstance(value, list | tuple):
        return ",".join(str(each) for each in value)
    return f"{value:.12g}" if isinstance(value, float) else str(value)
