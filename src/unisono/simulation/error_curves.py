"""How measures fall as simulated annotators make more errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, did_you_mean, setting
from unisono.measures.gamma.dissimilarity import check_dissimilarity, label_counts
from unisono.measures.gamma.documents import Costs
from unisono.measures.gamma.gamma import gamma
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.kappas import cohen_kappa
from unisono.measures.reference.slot_errors import slot_error_agreement
from unisono.measures.sampling import Dice, seed_of
from unisono.measures.segmentation.hamming import generalized_hamming
from unisono.measures.segmentation.windows import pk, window_diff
from unisono.measures.settings import check_count, check_number, check_share
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.model.discretize import discretize
from unisono.model.labels import Label, label_text
from unisono.model.overlap import overlapping_units
from unisono.model.segmentation import segmentations
from unisono.parallel.dispatch import Report, called, check_executor, workers_of
from unisono.parallel.executors import available_cores
from unisono.results.agreement import Signature
from unisono.results.record import InJson, Pictured, plain_number
from unisono.results.wording import decimals
from unisono.simulation.shuffling.errors import ERRORS, check_magnitude
from unisono.simulation.shuffling.shuffle import Shuffler

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Continuum
    from unisono.model.ratings import Ratings
    from unisono.model.segmentation import Segmentation
    from unisono.results.agreement import Agreement
    from unisono.simulation.shuffling.errors import ErrorType

__all__ = ["Curve", "MeasureName", "Scan", "scan", "shown_name"]

MeasureName: TypeAlias = Literal[
    "gamma",
    "gamma_cat",
    "gamma_k",
    "alpha",
    "u_alpha",
    "u_alpha_2013",
    "cu_alpha",
    "kappa_d",
    "slot_error_rate",
    "pk",
    "window_diff",
    "generalized_hamming",
]
MEASURES: tuple[MeasureName, ...] = get_args(MeasureName)
GAMMA_K = "gamma_k:"
"""Before the label, in the name of the curve of one label."""
# What a worker reports; the words depend on the door the user came through.
OVERLAP, GAPS = "overlap", "gaps"
_SHOWN: dict[str, str] = {
    "gamma": "γ",
    "gamma_cat": "γcat",
    "gamma_k": "γk",
    "alpha": "α_d",
    "u_alpha": "uα",
    "u_alpha_2013": "uα 2013",
    "cu_alpha": "cuα",
    "kappa_d": "κ_d",
    "slot_error_rate": "1−SER",
    "pk": "1−Pk",
    "window_diff": "1−WindowDiff",
    "generalized_hamming": "1−GHD",
}
_FAMILIES: dict[str, tuple[MeasureName, ...]] = {
    "gamma": ("gamma", "gamma_cat", "gamma_k"),
    "unitizing": ("u_alpha", "cu_alpha"),
    "squares": ("u_alpha_2013",),
    "atoms": ("alpha", "kappa_d"),
    "slots": ("slot_error_rate",),
    "segments": ("pk", "window_diff", "generalized_hamming"),
}
Given: TypeAlias = "str | Iterable[str] | Mapping[str, Callable[[Continuum], Any]] | None"
"""Measures as a caller names them; functions of a continuum have names of the caller's."""


class Measuring(NamedTuple):
    """Which measures to compute, and how."""

    names: tuple[str, ...]
    own: Mapping[str, Callable[[Continuum], Any]]
    """A caller's own measures: functions of a continuum."""
    labels: tuple[Label | None, ...]
    """The labels for which γk is asked."""
    dissimilarity: Dissimilarity | None
    draws: int
    atom: float

    @property
    def curves(self) -> tuple[str, ...]:
        """The names of all numbers there are; γk has one for each label."""
        named: list[str] = []
        for name in self.names:
            if name == "gamma_k":
                named.extend(_of_label(label) for label in self.labels)
            else:
                named.append(name)
        return tuple(named)

    def values(self, continuum: Continuum, seed: int) -> tuple[list[float], dict[str, str]]:
        """Compute all, and say why some could not be."""
        found: dict[str, float] = {}
        reasons: dict[str, str] = {}
        for family, members in _FAMILIES.items():
            wanted = [name for name in members if name in self.names]
            if not wanted:
                continue
            try:
                found.update(_MEASURED[family](self, continuum, seed, wanted))
            except DataError as error:
                reason = _obstacle(family, continuum) or str(error)
                reasons.update(dict.fromkeys(wanted, reason))
        for name, function in self.own.items():
            try:
                found[name] = float(function(continuum))
            except DataError as error:
                reasons[name] = str(error)
        return [found.get(name, math.nan) for name in self.curves], reasons


def _obstacle(family: str, continuum: Continuum) -> str | None:
    """Name what most measures stumble over; it is put into words where the user listens."""
    if family in ("unitizing", "squares", "atoms", "segments") and overlapping_units(continuum):
        return OVERLAP
    return GAPS if family == "segments" else None


def reason_told(reason: str) -> str:
    """Put into words why a measure is left out."""
    if reason == OVERLAP:
        return f"units of one annotator overlap; keep them apart with {setting('overlap', False)}"
    if reason == GAPS:
        return "units leave gaps, and it compares segments that cover the whole document"
    return reason


def shown_name(name: str) -> str:
    """Give the name of a measure as people write it."""
    if name.startswith(GAMMA_K):
        return f"γk({name.removeprefix(GAMMA_K)})"
    return _SHOWN.get(name, name)


def chosen_measures(given: Given) -> tuple[tuple[str, ...], dict[str, Callable[[Continuum], Any]]]:
    """Give names of measures in one order, and a caller's own functions by name."""
    if given is None:
        return MEASURES, {}
    if isinstance(given, Mapping):
        for name, function in given.items():
            if not callable(function) or not isinstance(name, str):
                msg = f"a measure of your own is a name and a function; got {name!r}: {function!r}"
                raise TypeError(msg)
            if name in MEASURES or not name:
                msg = f"{name!r} cannot be the name of a measure of your own; choose another"
                raise SettingError(msg)
        return tuple(given), dict(given)
    wanted = {given} if isinstance(given, str) else set(given)
    for name in sorted(wanted, key=str):
        if name not in MEASURES:
            meant = did_you_mean(str(name), MEASURES)
            msg = f"unknown measure {name!r}; choose among {', '.join(MEASURES)}{meant}"
            raise SettingError(msg)
    if not wanted:
        msg = f"name one measure at least, of {', '.join(MEASURES)}"
        raise SettingError(msg)
    return tuple(name for name in MEASURES if name in wanted), {}


def _of_label(label: Label | None) -> str:
    return GAMMA_K + label_text(label)


def _gammas(
    how: Measuring, continuum: Continuum, seed: int, wanted: list[MeasureName]
) -> dict[str, float]:
    result = gamma(continuum, dissimilarity=how.dissimilarity, draws=how.draws, rng=seed, workers=1)
    found = {"gamma": result.value, "gamma_cat": result.cat.value}
    if "gamma_k" in wanted:
        for label in how.labels:
            of_label = result.by_label.get(label)
            found[_of_label(label)] = math.nan if of_label is None else of_label.value
    return found


def _unitizing(
    how: Measuring, continuum: Continuum, seed: int, wanted: list[MeasureName]
) -> dict[str, float]:
    del how, seed, wanted
    result = unitizing_alpha(continuum, by_label=False)
    return {"u_alpha": result.u.value, "cu_alpha": result.coding.value}


def _squares(
    how: Measuring, continuum: Continuum, seed: int, wanted: list[MeasureName]
) -> dict[str, float]:
    del how, seed, wanted
    result = unitizing_alpha(continuum, generation="2013", by_label=False)
    return {"u_alpha_2013": result.u.value}


def _atoms(
    how: Measuring, continuum: Continuum, seed: int, wanted: list[MeasureName]
) -> dict[str, float]:
    del seed
    ratings = discretize(continuum, atom=how.atom)
    functions: dict[str, Callable[[Ratings], Agreement]] = {
        "alpha": krippendorff_alpha,
        "kappa_d": cohen_kappa,
    }
    return {name: functions[name](ratings).value for name in wanted}


def _slots(
    how: Measuring, continuum: Continuum, seed: int, wanted: list[MeasureName]
) -> dict[str, float]:
    del how, seed, wanted
    return {"slot_error_rate": slot_error_agreement(continuum).value}


def _segments(
    how: Measuring, continuum: Continuum, seed: int, wanted: list[MeasureName]
) -> dict[str, float]:
    del seed
    cut = segmentations(continuum, atom=how.atom)
    functions: dict[str, Callable[[dict[str, Segmentation]], float]] = {
        "pk": lambda cut: 1.0 - pk(cut).value,
        "window_diff": lambda cut: 1.0 - window_diff(cut).value,
        "generalized_hamming": _hamming,
    }
    return {name: functions[name](cut) for name in wanted}


def _hamming(cut: dict[str, Segmentation]) -> float:
    """Divide each cost by that of deleting all boundaries and inserting the other's."""
    shares = []
    for one, other in permutations(cut.values(), 2):
        most = 2.0 * (len(one.boundaries) + len(other.boundaries))
        shares.append(generalized_hamming(one, other).value / most if most else 0.0)
    return 1.0 - float(np.mean(shares)) if shares else math.nan


_MEASURED: dict[str, Callable[[Measuring, Continuum, int, list[MeasureName]], dict[str, float]]] = {
    "gamma": _gammas,
    "unitizing": _unitizing,
    "squares": _squares,
    "atoms": _atoms,
    "slots": _slots,
    "segments": _segments,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """How one measure falls while errors grow.

    Attributes
    ----------
    measure
        Its name.
    magnitudes
        Where it was computed.
    values
        Magnitudes × annotation sets; NaN where it is undefined.
    level
        The share of annotation sets that lie between `low` and `high`.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(10, rng=1)
    >>> found = un.scan(reference, measures="gamma", magnitudes=(0, 0.5), repeats=5, rng=1)
    >>> curve = found.curve("gamma")
    >>> float(curve.mean[0]), bool(curve.low[1] < curve.mean[1] < curve.high[1])
    (1.0, True)
    """

    measure: str
    magnitudes: Floats
    values: Floats
    level: float = 0.95

    @property
    def mean(self) -> Floats:
        """The mean over annotation sets, where it is defined for one at least."""
        defined = ~np.isnan(self.values)
        counts = defined.sum(axis=1)
        sums = np.where(defined, self.values, 0.0).sum(axis=1)
        mean = np.full(len(counts), np.nan)
        np.divide(sums, counts, out=mean, where=counts > 0)
        return mean

    @property
    def low(self) -> Floats:
        """The lower end of the band in which annotation sets lie."""
        return self._quantile((1.0 - self.level) / 2.0)

    @property
    def high(self) -> Floats:
        """The upper end of the band."""
        return self._quantile((1.0 + self.level) / 2.0)

    @property
    def undefined(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """For how many annotation sets it has no value."""
        return np.asarray(np.isnan(self.values).sum(axis=1), dtype=np.int64)

    def _quantile(self, share: float) -> Floats:
        found = np.full(len(self.values), np.nan)
        for at, row in enumerate(self.values):
            defined = row[~np.isnan(row)]
            if len(defined):
                found[at] = np.quantile(defined, share)
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scan(InJson, Pictured):
    """Curves of several measures on the same simulated annotators.

    Attributes
    ----------
    curves
        One for each measure that could be computed.
    left_out
        Why the others could not.
    errors, magnitudes, repeats
        What annotators did, how much of it, and how many annotation sets there are at each
        magnitude.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(10, rng=1)
    >>> found = un.scan(
    ...     reference, measures=("gamma", "cu_alpha"), errors=("position", "category"),
    ...     magnitudes=(0, 0.5, 1), repeats=5, overlap=False, rng=1,
    ... )  # fmt: skip
    >>> print(found)
    magnitude      γ     cuα
         0.00  1.000   1.000
         0.50  0.266   0.394
         1.00  0.046  -0.048
    """

    curves: tuple[Curve, ...]
    left_out: Mapping[str, str]
    errors: tuple[ErrorType, ...]
    magnitudes: Floats
    repeats: int
    signature: Signature

    def curve(self, measure: str) -> Curve:
        """Give the curve of one measure.

        Parameters
        ----------
        measure
            Its name, such as ``"gamma"``, or ``"gamma_k:NP"`` for one label.

        Raises
        ------
        DataError
            If it was not computed.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.scan(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> found.curve("kappa_d")
        Traceback (most recent call last):
        unisono.errors.DataError: there is no curve of 'kappa_d'; there are gamma
        """
        for curve in self.curves:
            if curve.measure == measure:
                return curve
        if measure in self.left_out:
            msg = f"there is no curve of {measure!r}: {self.left_out[measure]}"
            raise DataError(msg)
        there = ", ".join(curve.measure for curve in self.curves) or "none"
        msg = f"there is no curve of {measure!r}; there are {there}"
        raise DataError(msg)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give the curves as rows, one for each measure and magnitude.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.scan(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> next(found.rows())["mean"]
        1.0
        """
        for curve in self.curves:
            columns = (curve.magnitudes, curve.mean, curve.low, curve.high, curve.undefined)
            for magnitude, mean, low, high, undefined in zip(*columns, strict=True):
                yield {
                    "measure": curve.measure,
                    "magnitude": float(magnitude),
                    "mean": plain_number(float(mean)),
                    "low": plain_number(float(low)),
                    "high": plain_number(float(high)),
                    "undefined": int(undefined),
                }

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.scan(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> found.to_dict()["curves"]["gamma"]["mean"]
        [1.0]
        """
        return {
            "errors": list(self.errors),
            "magnitudes": self.magnitudes.tolist(),
            "repeats": self.repeats,
            "curves": {
                curve.measure: {
                    "mean": [plain_number(number) for number in curve.mean.tolist()],
                    "low": [plain_number(number) for number in curve.low.tolist()],
                    "high": [plain_number(number) for number in curve.high.tolist()],
                    "undefined": curve.undefined.tolist(),
                }
                for curve in self.curves
            },
            "left_out": dict(self.left_out),
            "signature": str(self.signature),
        }

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Give headings and cells: magnitudes down, means of the measures across.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.scan(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> found.table()
        (['magnitude', 'γ'], [['0.00', '1.000']])
        """
        headings = ["magnitude", *(shown_name(curve.measure) for curve in self.curves)]
        means = [curve.mean for curve in self.curves]
        cells = [
            [f"{magnitude:.2f}", *(_cell(float(mean[at])) for mean in means)]
            for at, magnitude in enumerate(self.magnitudes.tolist())
        ]
        return headings, cells

    def __str__(self) -> str:
        headings, cells = self.table()
        lines = [headings, *cells]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in lines
        )

    def _repr_markdown_(self) -> str:
        headings, cells = self.table()
        lines = [headings, ["---:"] * len(headings), *cells]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: float) -> str:
    return "–" if math.isnan(value) else decimals(value, 3)


_STREAM = 12
_STEPS = 21
_MOST_SETS = 1_000_000
# Enough for a share of an annotation set's own spread; the mean over sets is far more precise.
_DRAWS = 30
# Seconds to make a set and to measure it by the quick measures, measured.
_A_SET = 5e-3


class _Sets(NamedTuple):
    """What all annotation sets share: all that a worker needs, so that it can be far away."""

    shuffler: Shuffler
    measuring: Measuring
    seed: int


def _measured_set(sets: _Sets, which: tuple[float, int]) -> tuple[list[float], dict[str, str]]:
    """Make one annotation set and measure it."""
    magnitude, repeat = which
    # The stream names the magnitude itself, so a set does not depend on the others scanned.
    stream = (_STREAM, round(magnitude * 2**40), repeat)
    continuum = sets.shuffler.continuum(magnitude, sets.seed, *stream)
    own_seed = int(Dice(sets.seed, *stream).bits(1)[0] >> np.uint64(32))
    return sets.measuring.values(continuum, own_seed)


def usual_atom(reference: Continuum) -> float:
    """Choose how long an atom is: 1 where all places are whole numbers, else a tenth of a unit."""
    places = np.concatenate((reference.starts, reference.ends, reference.extent))
    mean = float((reference.ends - reference.starts).mean())
    if (places == np.rint(places)).all() or mean <= 0.0:
        return 1.0
    return mean / 10.0


def scan(
    reference: Continuum,
    *,
    measures: Given = None,
    errors: ErrorType | Iterable[ErrorType] = ERRORS,
    magnitudes: Iterable[float] | int = _STEPS,
    repeats: int = 40,
    annotators: int = 3,
    rng: int | np.random.Generator | None = 0,
    dissimilarity: Dissimilarity | None = None,
    draws: int = _DRAWS,
    atom: float | None = None,
    level: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    **shuffling: Any,  # noqa: ANN401 - the settings of shuffle
) -> Scan:
    """Say how measures of agreement fall while simulated annotators make more and more errors.

    Parameters
    ----------
    reference
        What is right, the units of one annotator.
    measures
        Names, by default all: ``"gamma"``, ``"gamma_cat"``, ``"gamma_k"`` (a curve for each label),
        ``"alpha"`` and ``"kappa_d"`` (on atoms), ``"u_alpha"``, ``"u_alpha_2013"``, ``"cu_alpha"``,
        ``"slot_error_rate"``, ``"pk"``, ``"window_diff"``, ``"generalized_hamming"`` (the last
        four as agreement, 1 minus the error). Or functions of a continuum by names of your own.
    errors
        Which errors, as in `shuffle`.
    magnitudes
        Which magnitudes from 0 to 1, or how many, evenly spaced; by default 0, 0.05, …, 1.
    repeats
        How many annotation sets at each magnitude.
    annotators
        How many annotators in each.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system.
    dissimilarity
        What γ aligns by; `Combined()` by default.
    draws
        How many random continua each γ has.
    atom
        How long an atom is, for measures on atoms and segments; by default 1 where all places of
        the reference are whole numbers, and a tenth of the mean unit otherwise.
    level
        The share of annotation sets that the band around a curve holds.
    workers
        Threads to use, all cores by default. They never move a value.
    executor
        Where to send the work instead, as in `gamma`. It never moves a value.
    progress
        Called with the annotation sets done and how many there are.
    **shuffling
        Other settings of `shuffle`: ``overlap``, ``position_factor``, ``split_cap``,
        ``prevalence``, ``closeness``, ``certain``.

    Returns
    -------
    Scan
        A curve for each measure, its mean and a band; measures that cannot be used on such
        annotations are left out, and the reason is given.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If the reference is empty, or does not fit the settings.

    Notes
    -----
    The experiments of [1]_ (§6.2) have 40 annotation sets at each of 21 magnitudes.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(10, labels="AB", rng=1)
    >>> found = un.scan(reference, errors="position", magnitudes=3, repeats=4, rng=1)
    >>> sorted(found.left_out)
    ['alpha', 'cu_alpha', 'generalized_hamming', 'kappa_d', 'pk', 'u_alpha', ...]
    >>> print(found.left_out["cu_alpha"])
    units of one annotator overlap; keep them apart with overlap=False
    """
    names, own = chosen_measures(measures)
    wanted = _magnitudes(magnitudes)
    for name, value in (("repeats", repeats), ("annotators", annotators), ("draws", draws)):
        check_count(name, value)
    if workers is not None:
        check_count("workers", workers)
    check_share("level", level, "0.95 for 95 %")
    if atom is not None:
        check_number("atom", atom, may_be_zero=False)
    if dissimilarity is not None:
        check_dissimilarity(dissimilarity)
    if executor is not None:
        check_executor(executor)
    shuffler = Shuffler(reference, errors=errors, annotators=annotators, **shuffling)
    size = usual_atom(reference) if atom is None else float(atom)
    measuring = Measuring(names, own, reference.labels, dissimilarity, draws, size)
    if len(wanted) * repeats > _MOST_SETS:
        msg = f"{len(wanted) * repeats:,} annotation sets are too many; up to {_MOST_SETS:,}"
        raise SettingError(msg)
    seed = seed_of(rng)
    which = [(magnitude, repeat) for magnitude in wanted.tolist() for repeat in range(repeats)]
    found = called(
        _measured_set,
        _Sets(shuffler, measuring, seed),
        which,
        seconds=_seconds(measuring, len(reference), annotators),
        executor=executor,
        workers=workers or (available_cores() if executor is None else workers_of(executor)),
        report=Report(progress, len(which)),
    )
    values = np.empty((len(which), len(measuring.curves)))
    left_out: dict[str, str] = {}
    for at, (row, reasons) in enumerate(found):
        values[at] = row
        for name, reason in reasons.items():
            left_out.setdefault(name, reason_told(reason))
    curves = tuple(
        Curve(
            measure=name,
            magnitudes=wanted,
            values=values[:, at].reshape(len(wanted), repeats),
            level=float(level),
        )
        for at, name in enumerate(measuring.curves)
        if name not in left_out and not (name.startswith(GAMMA_K) and "gamma_k" in left_out)
    )
    return Scan(
        curves=curves,
        left_out=left_out,
        errors=shuffler.errors,
        magnitudes=wanted,
        repeats=int(repeats),
        signature=_signature(shuffler, measuring, wanted, int(repeats), seed),
    )


def _seconds(measuring: Measuring, units: int, annotators: int) -> float:
    """Estimate how long one annotation set takes."""
    alignments = (
        1 + measuring.draws if {"gamma", "gamma_cat", "gamma_k"} & {*measuring.names} else 0
    )
    return _A_SET + Costs(own=False).seconds(units * annotators, annotators, alignments)


def _magnitudes(magnitudes: Iterable[float] | int) -> np.ndarray[Any, np.dtype[np.float64]]:
    if isinstance(magnitudes, int | np.integer) and not isinstance(magnitudes, bool):
        if magnitudes < 2:
            msg = f"a scan takes 2 magnitudes or more, 0 and 1 among them; got {magnitudes}"
            raise SettingError(msg)
        return np.asarray(np.round(np.linspace(0.0, 1.0, int(magnitudes)), 12))
    if not isinstance(magnitudes, Iterable):
        msg = f"magnitudes are several numbers from 0 to 1, or how many; got {magnitudes!r}"
        raise TypeError(msg)
    wanted = list(magnitudes)
    for magnitude in wanted:
        check_magnitude(magnitude)
    if not wanted:
        msg = "name one magnitude at least, from 0 to 1"
        raise SettingError(msg)
    return np.unique(np.array(wanted, dtype=np.float64))


def _signature(
    shuffler: Shuffler,
    measuring: Measuring,
    magnitudes: np.ndarray[Any, np.dtype[np.float64]],
    repeats: int,
    seed: int,
) -> Signature:
    told = f"{magnitudes[0]:.12g}..{magnitudes[-1]:.12g}[{len(magnitudes)}]"
    if len(magnitudes) > 2 and np.ptp(np.diff(magnitudes)) > 1e-9:
        told = ",".join(f"{magnitude:.12g}" for magnitude in magnitudes.tolist())
    named = dict(shuffler.settings(told, seed))
    last = {name: named.pop(name) for name in ("seed", "data", "v")}
    measured = {"measures": ",".join(measuring.names), "repeats": str(repeats)}
    if {"gamma", "gamma_cat", "gamma_k"}.intersection(measuring.names):
        if measuring.dissimilarity is not None:
            measured["dissim"] = _dissimilarity_told(shuffler, measuring.dissimilarity)
        measured["draws"] = str(measuring.draws)
    if {"alpha", "kappa_d", "pk", "window_diff", "generalized_hamming"}.intersection(
        measuring.names
    ):
        measured["atom"] = f"{measuring.atom:.10g}"
    return Signature("scan", tuple({**named, **measured, **last}.items()))


def _dissimilarity_told(shuffler: Shuffler, dissimilarity: Dissimilarity) -> str:
    reference = shuffler.reference
    return dissimilarity.fitted(reference.labels, label_counts(reference)).text
