"""Measures of a continuum by name, those that share their work computed together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import permutations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, did_you_mean, setting
from unisono.measures.gamma.gamma import gamma
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.kappas import cohen_kappa
from unisono.measures.reference.slots import slot_error_agreement
from unisono.measures.segmentation.hamming import generalized_hamming
from unisono.measures.segmentation.window_measures import pk, window_diff
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.model.discretize import discretize
from unisono.model.labels import Label, label_text
from unisono.model.overlap import overlapping_units
from unisono.model.segmentation import segmentations

if TYPE_CHECKING:
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.continuum import Continuum
    from unisono.model.ratings import Ratings
    from unisono.model.segmentation import Segmentation
    from unisono.results.agreement import Agreement

__all__ = [
    "GAMMA_K",
    "Given",
    "MeasureName",
    "Measuring",
    "chosen_measures",
    "reason_told",
    "shown_name",
]

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
    """Put into words why a measure is left out.

    Examples
    --------
    >>> reason_told("overlap")
    'units of one annotator overlap; keep them apart with overlap=False'
    """
    if reason == OVERLAP:
        return f"units of one annotator overlap; keep them apart with {setting('overlap', False)}"
    if reason == GAPS:
        return "units leave gaps, and it compares segments that cover the whole document"
    return reason


def shown_name(name: str) -> str:
    """Give the name of a measure as people write it.

    Examples
    --------
    >>> shown_name("gamma_cat"), shown_name("gamma_k:NP"), shown_name("pk"), shown_name("mine")
    ('γcat', 'γk(NP)', '1−Pk', 'mine')
    """
    if name.startswith(GAMMA_K):
        return f"γk({name.removeprefix(GAMMA_K)})"
    return _SHOWN.get(name, name)


def chosen_measures(given: Given) -> tuple[tuple[str, ...], dict[str, Callable[[Continuum], Any]]]:
    """Give names of measures in one order, and a caller's own functions by name.

    Examples
    --------
    >>> chosen_measures(["kappa_d", "gamma"])
    (('gamma', 'kappa_d'), {})
    """
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
