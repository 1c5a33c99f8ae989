"""Claims about curves: where they begin and end, in which order they lie, where they cross 0.

The constants of the authors' tool are not public, so nothing is fitted to a figure. A height is
called reproduced within 0.1, a place on the axis of magnitudes within 0.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from unisono.simulation.reproduction.claims import Claim, unknown

if TYPE_CHECKING:
    from unisono.simulation.curves import Scan
    from unisono.simulation.reproduction.claims import Verdict

__all__ = ["shapes_of_2015", "shapes_of_2017"]

_HEIGHT = 0.1
_PLACE = 0.2
# What the mean of few annotation sets may rise by chance.
_NOISE = 0.06
Scans = Mapping[str, "Scan"]


def _at(scan: Scan, measure: str, magnitude: float) -> float:
    """Give the mean at a magnitude, in between where it was not computed."""
    curve = scan.curve(measure)
    known = ~np.isnan(curve.mean)
    return float(np.interp(magnitude, curve.magnitudes[known], curve.mean[known]))


def _end(scan: Scan, measure: str) -> float:
    return _at(scan, measure, 1.0)


def _below_zero_from(scan: Scan, measure: str) -> float | None:
    """Give the magnitude at which the mean first falls below 0."""
    curve = scan.curve(measure)
    below = np.flatnonzero(curve.mean < 0.0)
    return float(curve.magnitudes[below[0]]) if len(below) else None


def _verdict(holds: bool) -> Verdict:  # noqa: FBT001 - what is judged
    return "reproduced" if holds else "differs"


def _height(
    paper: str, place: str, claim: str, ours: float, claimed: float, why: str = ""
) -> Claim:
    verdict = _verdict(abs(ours - claimed) <= _HEIGHT)
    return Claim(paper, place, claim, f"{ours:.2f}", verdict, why)


def _crossing(
    paper: str, place: str, claim: str, scan: Scan, measure: str, claimed: float
) -> Claim:
    found = _below_zero_from(scan, measure)
    ours = "never below 0" if found is None else f"below 0 from {found:.2f}"
    near = found is not None and abs(found - claimed) <= _PLACE + 1e-9
    return Claim(paper, place, claim, ours, _verdict(near), "" if near else _CONSTANTS)


_CONSTANTS = "the constants of the authors' tool and their corpora are not public"


def shapes_of_2015(scans: Scans) -> list[Claim]:
    """Give what the pictures of the paper on γ show."""
    paper = "2015"
    claims = [*_segmentation(scans["Figure 24"]), *_labels_only(scans["Figure 25"])]
    positions, both = scans["Figure 26a"], scans["Figure 26b"]
    falls = np.diff(positions.curve("gamma").mean)
    u_between = [_at(positions, "u_alpha_2013", place) for place in (0.6, 0.7, 0.8, 0.9)]
    claims += [
        Claim(
            paper,
            "Figure 26a",
            "γ falls steadily",
            f"largest rise {max(float(falls.max()), 0.0):.2f}",
            _verdict(bool((falls < _NOISE).all())),
        ),
        _height(
            paper,
            "Figure 26a",
            "γ is 0.1 at magnitude 1",
            _end(positions, "gamma"),
            0.1,
            _CONSTANTS,
        ),
        _height(
            paper,
            "Figure 26a",
            "1 − SER is 0.5 at magnitude 0.05",
            _at(positions, "slot_error_rate", 0.05),
            0.5,
        ),
        Claim(
            paper,
            "Figure 26a",
            "uα is below 0 from 0.6 to 0.9",
            f"{min(u_between):.2f} to {max(u_between):.2f}",
            _verdict(max(u_between) < 0.0),
            _CONSTANTS,
        ),
        _height(paper, "Figure 26b", "γ reaches 0", _end(both, "gamma"), 0.0),
        _crossing(paper, "Figure 26b", "uα is below 0 from 0.6", both, "u_alpha_2013", 0.6),
    ]
    claims += [*_splits(scans["Figure 27"]), *_forgotten(scans["Figure 28"])]
    claims.append(
        unknown(
            paper,
            "Figure 29",
            "no number",
            "we have no printed number of it; the curves of false positives are shown",
        )
    )
    with_overlap = scans["Figure 30"].curve("gamma").mean
    without = scans["Figure 30, without overlap"].curve("gamma").mean
    apart = float(np.abs(with_overlap - without).max())
    claims.append(
        Claim(
            paper,
            "Figure 30",
            "γ with overlap is as without",
            f"at most {apart:.2f} apart",
            _verdict(apart <= _HEIGHT),
        )
    )
    return claims


def _segmentation(scan: Scan) -> list[Claim]:
    paper, place = "2015", "Figure 24"
    claims = [_height(paper, place, "γ falls from 1 to 0", _end(scan, "gamma"), 0.0)]
    for measure, name in (("window_diff", "WindowDiff"), ("generalized_hamming", "GHD")):
        late = [_at(scan, measure, magnitude) for magnitude in (0.5, 0.75, 1.0)]
        level = max(late) - min(late) <= _HEIGHT and min(late) > _HEIGHT
        claims.append(
            Claim(
                paper,
                place,
                f"1 − {name} levels off well above 0",
                f"{late[0]:.2f} at 0.5, {late[2]:.2f} at 1",
                _verdict(level),
            )
        )
    return claims


def _labels_only(scan: Scan) -> list[Claim]:
    paper, place = "2015", "Figure 25"
    apart = float(np.abs(scan.curve("gamma").mean - scan.curve("cu_alpha").mean).max())
    kappa = _end(scan, "kappa_d")
    return [
        Claim(
            paper,
            place,
            "γ is about cuα",
            f"up to {apart:.2f} apart",
            _verdict(apart <= _HEIGHT),
            "where positions agree γ cannot fall to 0; Figure 12 of 2017 has it end at 0.35",
        ),
        _crossing(paper, place, "uα is below 0 from 0.5", scan, "u_alpha_2013", 0.5),
        Claim(
            paper,
            place,
            "κ_d stays above 0",
            f"{kappa:.2f} at 1",
            _verdict(kappa > 0.0),
        ),
        _height(paper, place, "1 − SER ends at 0.6", _end(scan, "slot_error_rate"), 0.6),
    ]


def _splits(scan: Scan) -> list[Claim]:
    paper, place = "2015", "Figure 27"
    late = scan.magnitudes > 0.6
    rates = scan.curve("slot_error_rate").mean[late]
    others = [
        float(scan.curve(name).mean.min()) for name in ("u_alpha_2013", "cu_alpha", "kappa_d")
    ]
    first = _below_zero_from(scan, "slot_error_rate")
    return [
        _height(paper, place, "γ falls from 1 to 0.2", _end(scan, "gamma"), 0.2),
        Claim(
            paper,
            place,
            "1 − SER is below 0 above 0.6",
            "never below 0" if first is None else f"below 0 from {first:.2f}",
            _verdict(bool((rates < 0.0).all())),
        ),
        Claim(
            paper,
            place,
            "uα, cuα and κ_d stay 1",
            f"{min(others):.3f} at least",
            _verdict(min(others) > 1.0 - 1e-6),
        ),
    ]


def _forgotten(scan: Scan) -> list[Claim]:
    paper, place = "2015", "Figure 28"
    coding = scan.curve("cu_alpha")
    defined = coding.values[~np.isnan(coding.values)]
    missing = int(coding.undefined[coding.magnitudes > 0.7].sum())
    whole = bool((np.abs(defined - 1.0) < 1e-9).all())
    return [
        _height(paper, place, "γ falls to 0.025", _at(scan, "gamma", 0.95), 0.025),
        _crossing(paper, place, "uα is at or below 0 from 0.3", scan, "u_alpha_2013", 0.3),
        _crossing(paper, place, "1 − SER is below 0 from 0.4", scan, "slot_error_rate", 0.4),
        Claim(
            paper,
            place,
            "cuα is 1, and missing above 0.7",
            f"{'always 1' if whole else 'not always 1'}, undefined for {missing} sets above 0.7",
            _verdict(whole and missing > 0),
        ),
    ]


def shapes_of_2017(scans: Scans) -> list[Claim]:
    """Give what the pictures of the paper on γcat show."""
    paper = "2017"
    positions, labels, both = scans["Figure 11"], scans["Figure 12"], scans["Figure 13"]
    early = positions.curve("gamma_cat").mean[positions.magnitudes <= 0.55]
    forgotten = scans["§5.4"]
    lost = [forgotten.curve(name).values for name in ("gamma_cat", "cu_alpha")]
    always = all(bool((np.abs(each[~np.isnan(each)] - 1.0) < 1e-9).all()) for each in lost)
    close = float(np.abs(labels.curve("gamma_cat").mean - labels.curve("cu_alpha").mean).max())
    claims = [
        _height(paper, "Figure 11", "γcat is 1 up to 0.55", float(early.min()), 1.0),
        _height(
            paper, "Figure 11", "γcat is above 0.9 at 0.8", _at(positions, "gamma_cat", 0.8), 0.9
        ),
        _height(
            paper,
            "Figure 11",
            "cuα is 0.5 at 0.8",
            _at(positions, "cu_alpha", 0.8),
            0.5,
            _CONSTANTS,
        ),
        _height(
            paper, "Figure 11", "γ falls from 1 to 0", _end(positions, "gamma"), 0.0, _CONSTANTS
        ),
        Claim(
            paper,
            "§5.4",
            "γcat and cuα stay 1 when units are forgotten",
            "always 1" if always else "not always 1",
            _verdict(always),
        ),
        Claim(
            paper,
            "Figure 12",
            "γcat is about cuα",
            f"at most {close:.2f} apart",
            _verdict(close <= _HEIGHT),
        ),
        _height(paper, "Figure 12", "γcat falls from 1 to 0", _end(labels, "gamma_cat"), 0.0),
        _height(paper, "Figure 12", "γ ends at 0.35", _end(labels, "gamma"), 0.35),
    ]
    return claims + _labels_and_positions(labels, both) + _certain(scans)


def _labels_and_positions(labels: Scan, both: Scan) -> list[Claim]:
    paper, place = "2017", "Figure 13"
    chosen = (both.magnitudes >= 0.1 - 1e-9) & (both.magnitudes <= 0.6 + 1e-9)
    cat, coding = both.curve("gamma_cat").mean[chosen], both.curve("cu_alpha").mean[chosen]
    moved = float(np.abs(cat - labels.curve("gamma_cat").mean[chosen]).max())
    lower = float((cat - coding).max())
    return [
        Claim(
            paper,
            place,
            "γcat is as in Figure 12",
            f"at most {moved:.2f} apart up to 0.6",
            _verdict(moved <= _HEIGHT),
        ),
        Claim(
            paper,
            place,
            "cuα is lower than γcat, by up to 0.06 from 0.1 to 0.6",
            f"lower by up to {lower:.2f}",
            _verdict(lower > 0.0 and abs(lower - 0.06) <= _HEIGHT),
        ),
    ]


def _certain(scans: Scans) -> list[Claim]:
    paper = "2017"
    short, long = (
        scans["Figure 14, D as long as others"],
        scans["Figure 14, D four times as long"],
    )
    kinds = scans["Figure 15"]
    others = float(np.mean([_end(kinds, f"gamma_k:{label}") for label in "ABC"]))
    return [
        _height(
            paper, "Figure 14", "γcat ends at 0.27 with D short", _end(short, "gamma_cat"), 0.27
        ),
        _height(paper, "Figure 14", "γcat ends at 0.27, D long", _end(long, "gamma_cat"), 0.27),
        _height(paper, "Figure 14", "cuα ends at 0.54, D long", _end(long, "cu_alpha"), 0.54),
        _height(paper, "Figure 15", "γk(D) stays 1", _end(kinds, "gamma_k:D"), 1.0),
        _height(paper, "Figure 15", "γk of A, B, C end at about 0.1", others, 0.1),
        _height(paper, "Figure 15", "γcat ends at about 0.33", _end(kinds, "gamma_cat"), 0.33),
    ]
