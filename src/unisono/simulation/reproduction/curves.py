"""The figures of the papers with curves: our values by place and claim."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.gamma.gamma import gamma
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.kappas import cohen_kappa
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.model.corpus import Corpus
from unisono.model.ratings import Ratings
from unisono.simulation.reproduction.claims import desiderata_of
from unisono.simulation.reproduction.experiments import EXPERIMENTS
from unisono.simulation.shuffling.shuffle import shuffle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unisono.model.arrays import Floats
    from unisono.simulation.error_curves import Scan
    from unisono.simulation.reproduction.claims import Value

    Scans = Mapping[str, Scan]
    Values = Mapping[str, Value]

__all__ = ["FIGURES", "values_of_figure"]

_CODING, _SER = "u_alpha_coding", "slot_error_agreement"


def _at(scan: Scan, measure: str, magnitude: float) -> float:
    """Return the mean at a magnitude, by linear interpolation."""
    curve = scan.curve(measure)
    known = ~np.isnan(curve.mean)
    return float(np.interp(magnitude, curve.magnitudes[known], curve.mean[known]))


def _last(scan: Scan, measure: str) -> float:
    """Return the mean at the last magnitude at which there is one."""
    return desiderata_of(scan.curve(measure)).last


def _lowest(scan: Scan, measure: str) -> float:
    return desiderata_of(scan.curve(measure)).lowest


def _lowest_value(scan: Scan, measure: str) -> float:
    return float(np.nanmin(scan.curve(measure).values))


def _between(scan: Scan, measure: str, low: float, high: float) -> Floats:
    """Return the means from one magnitude to another."""
    curve = scan.curve(measure)
    inside = (curve.magnitudes >= low - 1e-9) & (curve.magnitudes <= high + 1e-9)
    return curve.mean[inside]


def _falls(scan: Scan, measure: str) -> bool:
    """Return whether the mean is strictly decreasing."""
    return desiderata_of(scan.curve(measure)).largest_rise < 0.0


def _first(scan: Scan, measure: str, bound: float = 0.0) -> float:
    """Return the first magnitude with a mean below a bound; infinite if there is none."""
    curve = scan.curve(measure)
    below = np.flatnonzero(curve.mean < bound)
    return float(curve.magnitudes[below[0]]) if len(below) else np.inf


def _apart(one: Floats, other: Floats) -> float:
    return float(np.nanmax(np.abs(one - other)))


def _from_line(scan: Scan, measure: str, end: float) -> float:
    """Return the largest distance from the line between the means at 0 and at a magnitude."""
    means = _between(scan, measure, 0.0, end)
    return _apart(means, np.linspace(means[0], means[-1], len(means)))


def _missed_boundaries(scans: Scans) -> Values:
    scan = scans["Figure 24a"]
    both = ("window_diff", "generalized_hamming")
    one, other = (_between(scan, name, 0.0, 0.95) for name in both)
    return {
        "close": _apart(one, other),
        "linear": max(_from_line(scan, name, 0.6) for name in both),
        "bounded": [float(one[-1]), float(other[-1])],
        "gamma": _at(scan, "gamma", 0.95),
    }


def _moved_boundaries(scans: Scans) -> Values:
    scan = scans["Figure 24b"]
    both = ("window_diff", "generalized_hamming")
    return {
        "level": [_at(scan, name, 0.6) - _at(scan, name, 1.0) for name in both],
        "height": [_at(scan, name, 1.0) for name in both],
        "gamma": _last(scan, "gamma"),
    }


def _pure_categorization(seed: int) -> Iterator[tuple[float, float, float, float, float]]:
    """Yield observed γ and cuα, then cuα, α and κ, of a corpus at some magnitudes."""
    experiment = EXPERIMENTS["Figure 25"]
    data = experiment.data(seed)
    documents = data if isinstance(data, Corpus) else {"": data}
    for magnitude in (0.25, 0.5, 0.75, 1.0):
        continua = {
            name: shuffle(each, magnitude=magnitude, errors="category", rng=seed + at).continuum
            for at, (name, each) in enumerate(documents.items())
        }
        corpus = Corpus.from_continua(continua)
        found = gamma(corpus, draws=30, resamples=0, rng=seed)
        coding = unitizing_alpha(corpus).u_alpha_coding
        rows = {
            name: [
                unit.label for each in continua.values() for unit in each if unit.annotator == name
            ]
            for name in corpus.annotators
        }
        ratings = Ratings.from_matrix(rows)
        yield (
            found.observed,
            coding.observed,
            coding.value,
            krippendorff_alpha(ratings).value,
            cohen_kappa(ratings).value,
        )


def _categories(scans: Scans) -> Values:
    scan = scans["Figure 25"]
    parts = np.array([*_pure_categorization(0)])
    return {
        "gamma": _apart(scan.curve("gamma").mean, scan.curve(_CODING).mean),
        "observed": _apart(parts[:, 0], parts[:, 1]),
        "alpha": _apart(parts[:, 3], parts[:, 2]),
        "kappa": _apart(parts[:, 4], parts[:, 2]),
        "u_zero": _first(scan, "u_alpha"),
        "u_gaps": _last(scans["Figure 25, gaps of 20"], "u_alpha"),
        "kappa_d": _last(scan, "kappa_d"),
        "no_gaps": _last(scans["Figure 25, no gaps"], "kappa_d"),
        "ser": _last(scan, _SER),
    }


def _positions(scans: Scans) -> Values:
    scan = scans["Figure 26a"]
    others = ("u_alpha", _CODING, "kappa_d", _SER)
    return {
        "cu": _at(scan, _CODING, 0.1),
        "gamma_end": _last(scan, "gamma"),
        "gamma_falls": _falls(scan, "gamma"),
        "only": not any(_falls(scan, name) for name in others),
        "ser_drop": _at(scan, _SER, 0.05),
        "ser_below": _lowest(scan, _SER),
        "u_negative": float(_between(scan, "u_alpha", 0.6, 0.9).max()),
        "kappa_d": not _falls(scan, "kappa_d"),
    }


def _positions_and_categories(scans: Scans) -> Values:
    scan = scans["Figure 26b"]
    return {
        "gamma_falls": _falls(scan, "gamma"),
        "gamma_end": _last(scan, "gamma"),
        "alphas": not _falls(scan, "u_alpha") and not _falls(scan, _CODING),
        "u_zero": _first(scan, "u_alpha"),
        "u_stays": float(_between(scan, "u_alpha", 0.6, 1.0).max()),
        "kappa_d": not _falls(scan, "kappa_d"),
    }


def _splits(scans: Scans) -> Values:
    scan = scans["Figure 27"]
    return {
        "gamma_end": _last(scan, "gamma"),
        "gamma_linear": _from_line(scan, "gamma", 1.0),
        "ser_linear": _from_line(scan, _SER, 1.0),
        "ser_zero": _first(scan, _SER),
        "blocked": [_lowest(scan, name) for name in ("u_alpha", _CODING, "kappa_d")],
    }


def _false_positives(scans: Scans) -> Values:
    scan = scans["Figure 28a"]
    ser = scan.curve(_SER).mean
    return {
        "respond": [1.0 - _last(scan, name) for name in ("gamma", _CODING, _SER)],
        "delayed": all(_at(scan, _CODING, m) > _at(scan, "gamma", m) for m in (0.25, 0.5)),
        "ser_below": _last(scan, _SER),
        "ser_rises": bool(ser[-1] > ser[-2]),
    }


def _false_negatives(scans: Scans) -> Values:
    scan = scans["Figure 28b"]
    coding = scan.curve(_CODING)
    undefined = coding.magnitudes[coding.n_undefined > 0]
    return {
        "gamma_falls": _falls(scan, "gamma"),
        "gamma_end": _last(scan, "gamma"),
        "u_zero": _first(scan, "u_alpha", 1e-12),
        "u_falls": not _falls(scan, "u_alpha"),
        "ser_zero": _first(scan, _SER),
        "kappa_d": not _falls(scan, "kappa_d"),
        "cu": _lowest_value(scan, _CODING),
        "cu_missing": float(undefined[0]) if len(undefined) else np.inf,
    }


_OVERVIEW = ("Figure 26a", "Figure 26b", "Figure 27", "Figure 28a", "Figure 28b")


def _overview(scans: Scans) -> Values:
    by_measure = {
        name: [scans[f] for f in _OVERVIEW if name in scans[f].curves]
        for name in EXPERIMENTS["Figure 26a"].measures
    }
    found = {
        name: [desiderata_of(scan.curve(name)) for scan in curves]
        for name, curves in by_measure.items()
    }

    def is_blocked(name: str) -> bool:
        return any(each.lowest > 1.0 - 1e-9 for each in found[name])

    def rising(name: str) -> int:
        return sum(each.largest_rise >= 0.0 for each in found[name])

    def negative(name: str) -> bool:
        return any(each.lowest < 0.0 for each in found[name])

    return {
        "gamma": max(0.0, *(each.largest_rise for each in found["gamma"])),
        "gamma_low": min(each.lowest for each in found["gamma"]),
        "u": rising("u_alpha") > 0 and negative("u_alpha") and is_blocked("u_alpha"),
        "cu": is_blocked(_CODING) and any(each.last < 0.5 for each in found[_CODING]),
        "ser": negative(_SER),
        "kappa_d": is_blocked("kappa_d") and 2 * rising("kappa_d") > len(found["kappa_d"]),
    }


def _overlap(scans: Scans) -> Values:
    both = scans["Figure 30"], scans["Figure 30, without overlap"]
    return {
        key: _apart(*(scan.curve(name).mean for scan in both))
        for key, name in (("gamma", "gamma"), ("cu", _CODING))
    }


def _positions_2017(scans: Scans) -> Values:
    scan = scans["Figure 11"]
    return {
        "gamma_cat_one": float(_between(scan, "gamma_cat", 0.0, 0.55).min()),
        "gamma_cat_high": _at(scan, "gamma_cat", 0.8),
        "cu": _at(scan, _CODING, 0.8),
        "cu_linear": _from_line(scan, _CODING, 0.8),
        "gamma": _last(scan, "gamma"),
    }


def _missed_units(scans: Scans) -> Values:
    scan = scans["§5.4"]
    return {
        "one": [_lowest_value(scan, name) for name in ("gamma_cat", _CODING)],
        "gamma": _apart(scan.curve("gamma").mean, scans["Figure 11"].curve("gamma").mean),
    }


def _categories_2017(scans: Scans) -> Values:
    scan = scans["Figure 12"]
    return {
        "close": _apart(scan.curve("gamma_cat").mean, scan.curve(_CODING).mean),
        "gamma_cat": _last(scan, "gamma_cat"),
        "gamma": _last(scan, "gamma"),
    }


def _categories_and_positions(scans: Scans) -> Values:
    scan = scans["Figure 13"]
    cat, coding, whole = (
        _between(scan, name, 0.1, 0.6) for name in ("gamma_cat", _CODING, "gamma")
    )
    only_categories = scans["Figure 12"].curve("gamma_cat").mean
    return {
        "gamma_cat": _apart(scan.curve("gamma_cat").mean, only_categories),
        "lower": float((cat - coding).max()),
        "gamma": float((cat - whole).min()),
    }


def _lengths(scans: Scans) -> Values:
    short, long = scans["Figure 14, all units short"], scans["Figure 14, D long"]
    cats = [scan.curve("gamma_cat").mean for scan in (short, long)]
    return {
        "superimpose": _apart(*cats),
        "short": _apart(cats[0], short.curve(_CODING).mean),
        "cu_short": _last(short, _CODING),
        "cu_long": _last(long, _CODING),
        "gamma_cat": [float(mean[-1]) for mean in cats],
    }


def _each_category(scans: Scans) -> Values:
    scan = scans["Figure 14, all units short"]
    others = starmap(_last, ((scan, f"gamma_k:{label}") for label in "ABC"))
    return {
        "d": _lowest(scan, "gamma_k:D"),
        "others": sum(others) / 3.0,
        "gamma_cat": _last(scan, "gamma_cat"),
    }


FIGURES: Mapping[tuple[str, str], tuple[tuple[str, ...], Callable[[Scans], Values]]] = {
    ("2015", "Figure 24a"): (("Figure 24a",), _missed_boundaries),
    ("2015", "Figure 24b"): (("Figure 24b",), _moved_boundaries),
    ("2015", "Figure 25"): (
        ("Figure 25", "Figure 25, gaps of 20", "Figure 25, no gaps"),
        _categories,
    ),
    ("2015", "Figure 26a"): (("Figure 26a",), _positions),
    ("2015", "Figure 26b"): (("Figure 26b",), _positions_and_categories),
    ("2015", "Figure 27"): (("Figure 27",), _splits),
    ("2015", "Figure 28a"): (("Figure 28a", "Figure 28a, five times as many"), _false_positives),
    ("2015", "Figure 28b"): (("Figure 28b",), _false_negatives),
    ("2015", "Figure 29"): (_OVERVIEW, _overview),
    ("2015", "Figure 30"): (("Figure 30", "Figure 30, without overlap"), _overlap),
    ("2017", "Figure 11"): (("Figure 11",), _positions_2017),
    ("2017", "§5.4"): (("§5.4", "Figure 11"), _missed_units),
    ("2017", "Figure 12"): (("Figure 12",), _categories_2017),
    ("2017", "Figure 13"): (("Figure 13", "Figure 12"), _categories_and_positions),
    ("2017", "Figure 14"): (("Figure 14, all units short", "Figure 14, D long"), _lengths),
    ("2017", "Figure 15"): (("Figure 14, all units short",), _each_category),
}
"""The experiments that a figure needs, and the function that computes our values."""


def values_of_figure(paper: str, place: str, scans: Scans) -> Values:
    """Return our values of a figure with curves; none for other places."""
    if (paper, place) not in FIGURES:
        return {}
    return FIGURES[paper, place][1](scans)
