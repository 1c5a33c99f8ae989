"""Draws of items: resamples that nothing but the seed decides."""

import numpy as np
import pytest

from unisono.measures.sampling import ItemDraws, blocks

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


def test_numbers_of_a_seed_stay_what_they_were_published_with():
    drawn = ItemDraws(np.array([1, 2, 3, 100, 2000]), 42, 1).counts(0, 3)
    assert drawn.tolist() == [[0, 3, 0, 107, 1996], [0, 0, 2, 106, 1998], [1, 2, 5, 96, 2002]]
    one_by_one = ItemDraws(np.array([1, 2, 3, 0, 4]), 42, 1).counts(0, 3)
    assert one_by_one.tolist() == [[1, 3, 3, 0, 3], [1, 1, 2, 0, 6], [0, 4, 2, 0, 4]]


def test_blocks_are_small_and_cover_all():
    cut = list(blocks(1000, 100_000))
    assert sum(count for _, count in cut) == 1000
    assert max(count for _, count in cut) * 100_000 <= 2**21
    assert list(blocks(3, 10**9)) == [(0, 1), (1, 1), (2, 1)]
    assert list(blocks(3, 0)) == [(0, 3)]
    assert list(blocks(5, 10, at_once=20)) == [(0, 2), (2, 2), (4, 1)]
