"""Draws of items: exact numbers of successes, and resamples that nothing but the seed decides."""

import math

import numpy as np
import pytest

from unisono.measures.sampling import Dice, ItemDraws, binomials, blocks


def binomial_probabilities(n, p):
    return np.array([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])


def chi_square(counts, expected):
    # Cells with few expected draws are put together, as the test asks.
    enough = expected >= 10
    counts = np.append(counts[enough], counts[~enough].sum())
    expected = np.append(expected[enough], expected[~enough].sum() + 1e-9)
    freedom = len(expected) - 1
    statistic = ((counts - expected) ** 2 / expected)[expected > 1].sum()
    return (statistic - freedom) / math.sqrt(2 * freedom)


@pytest.mark.parametrize(
    ("n", "p"),
    [(7, 0.5), (40, 0.1), (1000, 0.005), (25, 0.5), (60, 0.3), (200, 0.95), (400, 0.5)],
)
def test_numbers_of_successes_have_the_binomial_distribution(n, p):
    drawn = binomials(np.full((40, 500), n), np.full(500, p), [Dice(11, i) for i in range(40)])
    expected = binomial_probabilities(n, p) * drawn.size
    assert abs(chi_square(np.bincount(drawn.ravel(), minlength=n + 1), expected)) < 4


def test_impossible_and_certain_successes_need_no_dice():
    drawn = binomials(np.array([[9, 0, 12, 50]]), np.array([0.0, 0.4, 1.0, 1.0]), [Dice(1)])
    assert drawn.tolist() == [[0, 0, 12, 50]]


def test_many_trials_keep_mean_and_variance():
    n, p = 10**9, 0.3
    drawn = binomials(np.full((100, 200), n), np.full(200, p), [Dice(3, i) for i in range(100)])
    mean_error = (drawn.mean() - n * p) / math.sqrt(n * p * (1 - p) / drawn.size)
    assert abs(mean_error) < 4
    assert drawn.var() == pytest.approx(n * p * (1 - p), rel=0.05)


TABLES = {
    "all different": np.ones(60, dtype=np.int64),
    "some often": np.array([500, 1, 0, 300, 2, 40, 900]),
    "all often": np.array([4000, 5000, 1000]),
    "one row": np.array([12]),
}


@pytest.mark.parametrize("times", TABLES.values(), ids=TABLES)
def test_every_resample_has_as_many_items_as_there_are(times):
    assert ItemDraws(times, 5).counts(0, 20).sum(axis=1).tolist() == [times.sum()] * 20


@pytest.mark.parametrize("times", TABLES.values(), ids=TABLES)
def test_rows_are_drawn_in_proportion_to_their_items(times):
    size = 900
    draws = ItemDraws(times, 5, size=size)
    drawn = draws.counts(0, 2000)
    share = times / times.sum()
    error = np.sqrt(size * share * (1 - share) / 2000)
    assert (np.abs(drawn.mean(axis=0) - size * share) <= 4.5 * error + 1e-9).all()
    spread = size * share * (1 - share)
    assert drawn.var(axis=0) == pytest.approx(spread, rel=0.25, abs=1e-9)
    assert (drawn[:, times == 0] == 0).all()


def test_counts_of_two_rows_vary_against_each_other():
    times = np.array([400, 600, 20])
    drawn = ItemDraws(times, 5).counts(0, 4000)
    share = times / times.sum()
    expected = -times.sum() * share[0] * share[1]
    assert np.cov(drawn[:, 0], drawn[:, 1])[0, 1] == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("times", TABLES.values(), ids=TABLES)
def test_a_resample_does_not_depend_on_those_made_with_it(times):
    draws = ItemDraws(times, 5, 1)
    together = draws.counts(0, 9)
    apart = [draws.counts(first, count) for first, count in ((0, 2), (2, 1), (3, 6))]
    assert np.array_equal(together, np.concatenate(apart))


def test_other_seeds_and_other_uses_give_other_resamples():
    times = np.ones(50, dtype=np.int64)
    drawn = [
        ItemDraws(times, seed, *stream).counts(0, 1).tolist()
        for seed, stream in ((5, (1,)), (6, (1,)), (5, (2,)))
    ]
    assert drawn[0] != drawn[1]
    assert drawn[0] != drawn[2]


def test_rows_of_too_many_items_to_list_are_found_all_the_same():
    times = np.array([3, 0, 7, 1, 9])
    listed = ItemDraws(times, 5).counts(0, 50)
    assert np.array_equal(ItemDraws(times, 5, most_listed=4).counts(0, 50), listed)


def test_numbers_of_a_seed_stay_what_they_were_published_with():
    drawn = ItemDraws(np.array([1, 2, 3, 100, 2000]), 42, 1).counts(0, 3)
    assert drawn.tolist() == [[2, 0, 2, 90, 2012], [2, 3, 2, 107, 1992], [0, 2, 1, 109, 1994]]


def test_blocks_are_small_and_cover_all():
    cut = list(blocks(1000, 100_000))
    assert sum(count for _, count in cut) == 1000
    assert max(count for _, count in cut) * 100_000 <= 2**21
    assert list(blocks(3, 10**9)) == [(0, 1), (1, 1), (2, 1)]
    assert list(blocks(3, 0)) == [(0, 3)]
    assert list(blocks(5, 10, at_once=20)) == [(0, 2), (2, 2), (4, 1)]
