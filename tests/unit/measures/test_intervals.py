"""Intervals from the values of resamples, compared with the formulas written out."""

from statistics import NormalDist

import numpy as np
import pytest

from unisono.measures.intervals import (
    acceleration,
    bca_interval,
    percentile_interval,
    student,
)

NORMAL = NormalDist()


def bca_by_the_book(values, estimate, skewness, level):
    """Efron & Tibshirani (1993), (14.9) to (14.14), in plain steps."""
    below = sum(value < estimate for value in values) / len(values)
    z0 = NORMAL.inv_cdf(below)
    ends = []
    for share in ((1 - level) / 2, (1 + level) / 2):
        z = NORMAL.inv_cdf(share)
        ends.append(NORMAL.cdf(z0 + (z0 + z) / (1 - skewness * (z0 + z))))
    return np.quantile(values, ends)


@pytest.fixture
def skewed():
    return np.random.default_rng(3).gamma(2.0, size=999)


def test_percentile_interval_leaves_the_same_share_at_both_ends(skewed):
    interval = percentile_interval(skewed, 0.8, "here")
    assert np.mean(skewed < interval.low) == pytest.approx(0.1, abs=0.002)
    assert np.mean(skewed > interval.high) == pytest.approx(0.1, abs=0.002)
    assert interval.confidence == 0.8
    assert interval.method == "here"


@pytest.mark.parametrize("skewness", [-0.1, 0.0, 0.07])
def test_bca_is_the_formula_of_the_book(skewed, skewness):
    interval = bca_interval(skewed, 1.7001, skewness, 0.9)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(
        bca_by_the_book(skewed, 1.7001, skewness, 0.9), rel=1e-12
    )


def test_bca_without_bias_and_skewness_is_the_percentile_interval():
    values = np.arange(1.0, 1000.0)
    bca = bca_interval(values, 500.0, 0.0, 0.95)
    assert bca is not None
    percentile = percentile_interval(values, 0.95, "")
    assert (bca.low, bca.high) == pytest.approx((percentile.low, percentile.high))


def test_resamples_equal_to_the_value_count_half_on_each_side():
    values = np.array([0.5] * 40 + [0.5 + 1e-15] * 40 + [0.2] * 10 + [0.9] * 10)
    bca = bca_interval(values, 0.5, 0.0, 0.9)
    assert bca is not None
    assert (bca.low, bca.high) == pytest.approx((0.2, 0.9))


def test_there_is_no_bca_interval_when_all_resamples_lie_on_one_side():
    assert bca_interval(np.array([0.1, 0.2, 0.3]), 0.5, 0.0, 0.95) is None
    assert bca_interval(np.array([0.1, 0.2, 0.3]), 0.05, 0.0, 0.95) is None


def test_there_is_no_bca_interval_beyond_the_pole_of_the_acceleration():
    values = np.arange(100.0)
    assert bca_interval(values, 50.0, 0.9, 0.95) is None
    assert bca_interval(values, 50.0, -0.9, 0.95) is None


def test_resamples_that_are_all_alike_have_an_interval_of_no_width():
    bca = bca_interval(np.ones(50), 1.0, 0.0, 0.95)
    assert bca is not None
    assert (bca.low, bca.high) == (1.0, 1.0)


def test_acceleration_is_that_of_items_written_out():
    influence, times = np.array([-0.3, 0.1, 0.8]), np.array([4, 7, 1])
    each = np.repeat(influence, times)
    by_the_book = (each**3).sum() / (6 * (each**2).sum() ** 1.5)
    assert acceleration(influence, times) == pytest.approx(by_the_book)
    assert acceleration(influence * 1e-9, times) == pytest.approx(by_the_book)


def test_items_that_move_nothing_do_not_accelerate():
    assert acceleration(np.zeros(3), np.array([1, 2, 3])) == 0.0
    assert acceleration(np.array([1e-17, -1e-17]), np.array([1, 2])) == 0.0


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.3027), (5, 2.5706), (10, 2.2281), (30, 2.0423)]
)
def test_the_quantiles_of_student_are_those_of_the_tables(degrees, quantile):
    assert student(0.95, degrees) == pytest.approx(quantile, rel=1e-4)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_the_quantiles_of_student_do_not_jump_where_the_formula_changes(level):
    steps = np.diff([student(level, degrees) for degrees in range(995, 1008)])
    assert np.all(steps < 0.0)
    assert np.diff(steps) == pytest.approx(np.diff(steps).mean(), abs=2e-8)
