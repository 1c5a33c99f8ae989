"""From disorders to a coefficient: the formula, its interval, how many draws, the p-value."""

from __future__ import annotations

import math

import numpy as np
import pytest

from unisono.measures.intervals import estimate, needed_draws, share_at_or_below
from unisono.results.values import Interval

Z_95, Z_99 = 1.959963984540054, 2.5758293035489


def thirty_draws(mean: float, biased_sd: float) -> np.ndarray:
    return np.array([mean - biased_sd, mean + biased_sd] * 15)


# How many draws


@pytest.mark.parametrize(("precision", "needed"), [(0.02, 16), (0.01, 63)])
def test_the_worked_example_of_the_paper(precision, needed):
    # 2015, §5.3: mean 3.49 and sd' 0.1379 give n0 = 15.5 at 2 % and 62 at 1 %.
    draws = thirty_draws(3.49, 0.1379)
    assert needed_draws(draws, precision=precision, confidence=0.95) == needed


def test_more_confidence_needs_more_draws():
    draws = thirty_draws(3.49, 0.1379)
    expected = math.ceil((0.1379 * math.sqrt(30 / 29) / 3.49 * Z_99 / 0.02) ** 2)
    assert needed_draws(draws, precision=0.02, confidence=0.99) == expected == 27


@pytest.mark.parametrize("draws", [[2.0, 2.0], [0.0, 0.0], [1.0, math.inf], [math.inf, math.inf]])
def test_draws_that_more_draws_cannot_sharpen_need_no_more(draws):
    assert needed_draws(np.array(draws), precision=0.02, confidence=0.95) == 0


# The value and its interval


def test_the_value_is_1_minus_observed_by_the_mean_of_the_draws():
    found = estimate(0.3, np.array([1.0, 2.0, 3.0]), confidence=0.95)
    assert found.value == 0.85
    assert found.expected == 2.0
    assert found.undefined is None


@pytest.mark.parametrize(("confidence", "z"), [(0.95, Z_95), (0.99, Z_99)])
def test_the_interval_comes_from_the_achieved_error_of_the_mean(confidence, z):
    found = estimate(0.3, np.array([1.0, 2.0, 3.0]), confidence=confidence)
    error = z * 1.0 / math.sqrt(3)  # the unbiased sd of 1, 2, 3 is 1
    assert found.monte_carlo is not None
    assert found.monte_carlo.low == pytest.approx(1 - 0.3 / (2 - error), rel=1e-12)
    assert found.monte_carlo.high == pytest.approx(1 - 0.3 / (2 + error), rel=1e-12)
    assert found.monte_carlo.confidence == confidence
    assert found.monte_carlo.method == "monte carlo"


def test_draws_without_a_bound_leave_the_low_end_open():
    found = estimate(0.3, np.array([0.0, 0.0, 0.0, 4.0]), confidence=0.95)
    assert found.value == 0.7
    assert found.monte_carlo is not None
    assert found.monte_carlo.low == -math.inf
    assert 0.7 < found.monte_carlo.high < 1.0


@pytest.mark.parametrize("draws", [[1.0, 2.0], [0.0, 0.0, 0.0, 4.0]])
def test_perfect_agreement_is_certain(draws):
    found = estimate(0.0, np.array(draws), confidence=0.95)
    assert found.value == 1.0
    assert found.monte_carlo == Interval(1.0, 1.0, 0.95, "monte carlo")


def test_equal_draws_leave_no_uncertainty():
    found = estimate(0.5, np.full(30, 2.0), confidence=0.95)
    assert found.monte_carlo == Interval(0.75, 0.75, 0.95, "monte carlo")


def test_one_draw_gives_a_value_without_an_interval():
    found = estimate(0.5, np.array([2.0]), confidence=0.95)
    assert found.value == 0.75
    assert found.monte_carlo is None


def test_worse_than_chance_is_below_0():
    assert estimate(3.0, np.array([1.0, 2.0]), confidence=0.95).value == -1.0


# Undefined


@pytest.mark.parametrize("observed", [0.0, 0.5])
def test_chance_that_never_disagrees_leaves_no_value(observed):
    found = estimate(observed, np.zeros(30), confidence=0.95)
    assert math.isnan(found.value)
    assert found.expected == 0.0
    assert found.monte_carlo is None
    assert (found.undefined or "").startswith("chance never disagrees on these data")


@pytest.mark.parametrize(
    ("observed", "draws"), [(math.inf, [1.0, 2.0]), (0.5, [1.0, math.inf]), (math.inf, [math.inf])]
)
def test_an_infinite_disorder_leaves_no_value(observed, draws):
    found = estimate(observed, np.array(draws), confidence=0.95)
    assert math.isnan(found.value)
    assert found.monte_carlo is None
    assert "their disorder is infinite" in (found.undefined or "")


# p-value


@pytest.mark.parametrize(
    ("observed", "share"), [(0.5, 1 / 5), (1.0, 2 / 5), (2.5, 4 / 5), (9.0, 1.0)]
)
def test_the_p_value_counts_draws_at_or_below_and_one_more(observed, share):
    assert share_at_or_below(observed, np.array([1.0, 2.0, 2.0, 3.0])) == share
