"""Curves of calibration: monotone fits, interpolation and crossings."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.simulation.calibration.curves import (
    FINE,
    closest_point,
    crossing,
    fit_nonincreasing,
    hotelling,
    interpolate_monotone,
)

values = st.lists(st.floats(-2, 2, width=32), min_size=1, max_size=7)


def closest_by_trying(given_values):
    """Every way to cut the values into blocks with a mean each; the best that never rises."""
    n = len(given_values)
    best: tuple[float, list[float]] = (math.inf, [])
    for cuts in itertools.product((False, True), repeat=n - 1):
        blocks, block = [], [given_values[0]]
        for value, cut in zip(given_values[1:], cuts, strict=True):
            if cut:
                blocks.append(block)
                block = []
            block.append(value)
        blocks.append(block)
        means = [np.mean(each) for each in blocks]
        if all(a >= b for a, b in itertools.pairwise(means)):
            fit = np.repeat(means, [len(each) for each in blocks])
            best = min(best, (float(((fit - given_values) ** 2).sum()), fit.tolist()))
    return best[1]


@given(values)
def test_the_falling_values_are_the_closest_of_all(given_values):
    found = fit_nonincreasing(np.array(given_values))

    assert found.tolist() == pytest.approx(closest_by_trying(given_values), abs=1e-9)


@given(st.lists(st.floats(0, 1, width=32), min_size=2, max_size=8))
def test_a_smooth_curve_goes_through_its_points_and_never_rises(given_values):
    known = np.sort(np.array(given_values))[::-1]
    at = np.linspace(0, 1, len(known))
    curve = interpolate_monotone(at, known, FINE)

    assert interpolate_monotone(at, known, at) == pytest.approx(known, abs=1e-9)
    assert (np.diff(curve) <= 1e-12).all()
    assert (known[-1] - 1e-12 <= curve).all()
    assert (curve <= known[0] + 1e-12).all()


def test_a_smooth_curve_is_closer_than_straight_lines():
    at = np.array([0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0])
    truth = 1.0 / (1.0 + 4.0 * FINE**2)
    off = np.abs(interpolate_monotone(at, 1.0 / (1.0 + 4.0 * at**2), FINE) - truth).max()
    straight = np.abs(np.interp(FINE, at, 1.0 / (1.0 + 4.0 * at**2)) - truth).max()

    assert off < straight / 2


def test_a_line_stays_a_line_and_ends_hold():
    at, known = np.array([0.0, 0.3, 1.0]), np.array([1.0, 0.7, 0.0])

    assert interpolate_monotone(at, known, np.array([0.1, 0.9])) == pytest.approx([0.9, 0.1])
    assert interpolate_monotone(at[:2], known[:2], np.array([-1.0, 0.15, 2.0])) == pytest.approx(
        [1, 0.85, 0.7]
    )


@pytest.mark.parametrize("value", [1.0, 0.95, 0.5004, 0.2, 0.0])
def test_a_crossing_inverts_the_curve(value):
    found = crossing((1.0 - FINE) ** 2, np.zeros(len(FINE)), value, 2.0)

    assert found is not None
    assert found.magnitude == pytest.approx(1 - math.sqrt(value), abs=1e-4)
    assert found.low <= found.magnitude <= found.high


def test_a_curve_that_never_comes_so_low_has_no_crossing():
    assert crossing(1.0 - 0.5 * FINE, np.zeros(len(FINE)), 0.4, 2.0) is None
    assert crossing(np.full(len(FINE), np.nan), FINE, 0.4, 2.0) is None


def test_a_curve_that_ends_near_the_value_may_have_it_there():
    spread = np.full(len(FINE), 0.05)
    found = crossing(1.0 - 0.5 * FINE, spread, 0.46, 2.0)

    assert found is not None
    assert (found.magnitude, found.high) == (1.0, 1.0)
    # Where the curve less twice its error is 0.46.
    assert found.low == pytest.approx(0.88, abs=1e-3)
    assert crossing(1.0 - 0.5 * FINE, spread, 0.44, 2.0) is None


def test_on_a_level_stretch_the_middle_is_taken():
    level = np.where(FINE < 0.2, 1.0, np.where(FINE <= 0.6, 0.5, 0.0))
    found = crossing(level, np.zeros(len(FINE)), 0.5, 2.0)

    assert found is not None
    assert found.magnitude == pytest.approx(0.4)
    assert (found.low, found.high) == pytest.approx((0.2, 0.6))


def test_an_error_of_the_curve_widens_the_interval_by_its_slope():
    found = crossing(1.0 - 0.5 * FINE, np.full(len(FINE), 0.02), 0.8, 2.0)

    assert found is not None
    assert (found.low, found.magnitude, found.high) == pytest.approx((0.32, 0.4, 0.48), abs=1e-3)


def test_what_lies_above_the_curve_is_not_an_error_at_all():
    found = crossing(0.9 - 0.5 * FINE, np.zeros(len(FINE)), 1.0, 2.0)

    assert found is not None
    assert found.magnitude == 0.0


def test_two_values_on_both_curves_are_explained():
    spread = (np.full(len(FINE), 1e-4), np.full(len(FINE), 1e-4), np.zeros(len(FINE)))
    found = closest_point((1 - FINE, 1 - 2 * FINE), spread, np.array([0.7, 0.4]), 6.0)

    assert found is not None
    assert FINE[found.place] == pytest.approx(0.3, abs=1e-3)
    assert found.explains
    assert found.apart == pytest.approx(0.0, abs=1e-9)


def test_two_values_far_from_the_curves_are_not_explained_and_the_closest_is_given():
    spread = (np.full(len(FINE), 1e-4), np.full(len(FINE), 1e-4), np.zeros(len(FINE)))
    found = closest_point((1 - FINE, np.ones(len(FINE))), spread, np.array([0.7, 0.4]), 6.0)

    assert found is not None
    assert FINE[found.place] == pytest.approx(0.3)
    assert not found.explains
    assert found.apart == pytest.approx(0.6)


def test_values_are_compared_along_the_correlation_of_both():
    wide = np.full(len(FINE), 0.01)
    point = np.array([0.6, 0.6])  # both too low by 0.1 at magnitude 0.3
    curves = (np.full(len(FINE), 0.7), np.full(len(FINE), 0.7))
    limit = 1.5
    together = closest_point(curves, (wide, wide, 0.9 * wide), point, limit)
    apart = closest_point(curves, (wide, wide, -0.9 * wide), point, limit)

    assert together is not None
    assert apart is not None
    assert together.explains
    assert not apart.explains


def test_a_value_that_is_too_far_alone_is_not_explained_by_going_with_the_other():
    wide = np.full(len(FINE), 0.01)
    curves = (np.full(len(FINE), 0.7), np.full(len(FINE), 0.7))
    settings = (curves, (wide, wide, 0.99 * wide), np.array([0.4, 0.4]), 20.0)
    anywhere, near = closest_point(*settings), closest_point(*settings, reach=2.0)

    assert anywhere is not None
    assert near is not None
    assert anywhere.explains
    assert not near.explains


def test_curves_that_are_nowhere_known_explain_nothing():
    nowhere = np.full(len(FINE), np.nan)

    assert closest_point((nowhere, nowhere), (FINE, FINE, FINE), np.array([1.0, 1.0]), 6.0) is None


@pytest.mark.parametrize(("count", "f"), [(6, 6.944), (12, 4.103), (22, 3.493)])
def test_the_quantiles_of_hotelling_are_those_of_f_in_the_tables(count, f):
    # T² is 2(n − 1)/(n − 2) times F with 2 and n − 2 degrees of freedom.
    assert hotelling(0.95, count) == pytest.approx(2 * (count - 1) / (count - 2) * f, rel=1e-3)
