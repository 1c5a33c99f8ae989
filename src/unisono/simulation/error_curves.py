"""Many annotation sets at rising magnitudes, each measured by every measure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.errors import SettingError
from unisono.measures.dice import Dice, seed_of
from unisono.measures.gamma.dissimilarity import check_dissimilarity
from unisono.measures.gamma.fitted import label_counts
from unisono.measures.gamma.gamma_planning import Costs
from unisono.measures.settings import check_count, check_number, check_share
from unisono.parallel.calls import called
from unisono.parallel.cores import available_cores
from unisono.parallel.dispatch import check_executor, workers_of
from unisono.parallel.progress import Report
from unisono.results.signature import Signature
from unisono.simulation.curves import Curve, Scan
from unisono.simulation.named_measures import GAMMA_K, Measuring, chosen_measures, reason_told
from unisono.simulation.shuffling.error_types import ERRORS, check_magnitude
from unisono.simulation.shuffling.shuffle import Shuffler

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.continuum import Continuum
    from unisono.simulation.named_measures import Given
    from unisono.simulation.shuffling.error_types import ErrorType

__all__ = ["scan"]

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
    """Choose how long an atom is: 1 where all places are whole numbers, else a tenth of a unit.

    Examples
    --------
    >>> import unisono as un
    >>> usual_atom(un.Continuum.from_units([("ann", 0, 5), ("ann", 7, 9)]))
    1.0
    >>> usual_atom(un.Continuum.from_units([("ann", 0, 0.25), ("ann", 0.5, 1.25)]))
    0.05
    """
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
