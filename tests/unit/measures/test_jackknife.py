"""Intervals by the jackknife: by hand, their minimum and its sentences, and how often they hold."""

import itertools
import math

import numpy as np
import pytest

from document_populations import population_sums
from unisono.measures.intervals import student
from unisono.measures.jackknife import CLUSTERS, DOCUMENTS, ITEMS, Jackknife, ratio_jackknife
from unisono.measures.sampling import Dice


def sample(without, *, disagreement=0.5, times=None, sizes=None, chance=100.0):
    without = np.array(without, dtype=float)
    times = np.ones(len(without)) if times is None else np.array(times, dtype=float)
    sizes = np.ones(len(without)) if sizes is None else np.array(sizes, dtype=float)
    return Jackknife(disagreement, without, times, sizes, chance, chance)


EIGHT = [0.48, 0.52, 0.49, 0.51, 0.5, 0.5, 0.47, 0.53]


def test_the_ends_of_eight_documents_are_those_computed_by_hand():
    found = sample(EIGHT)
    interval, why = found.interval(0.95, DOCUMENTS)
    # Σ (R₋ᵢ − 0.5)² = 2·(0.02² + 0.01² + 0 + 0.03²) = 0.0028; t with 7 degrees is 2.364624…
    se = math.sqrt(7 / 8 * 0.0028)
    half = student(0.95, 7) * se / 0.5

    assert why is None
    assert found.effective == 8.0
    assert found.error == pytest.approx(se, abs=1e-15)
    assert student(0.95, 7) == pytest.approx(2.36462425, abs=1e-8)
    assert interval.low == pytest.approx(1 - 0.5 * math.exp(half), abs=1e-12)
    assert interval.high == pytest.approx(1 - 0.5 * (1 - half / 3) ** 3, abs=1e-12)
    assert interval.method == "jackknife over documents"


@pytest.mark.parametrize(("degrees", "quantile"), [(4.5, 2.6585), (7.2, 2.3511), (30.5, 2.0409)])
def test_the_quantile_between_whole_degrees_is_that_of_the_t_distribution(degrees, quantile):
    # R 4: qt(0.975, df).
    assert student(0.95, degrees) == pytest.approx(quantile, rel=4e-3)


def test_kinds_that_stand_for_several_members_count_as_often():
    one = sample([*EIGHT, *EIGHT], sizes=[*range(1, 9), *range(1, 9)])
    two = sample(EIGHT, times=[2] * 8, sizes=range(1, 9))

    assert (one.n, one.effective, one.error) == pytest.approx((two.n, two.effective, two.error))


def test_the_order_of_documents_moves_nothing():
    turned = sample(EIGHT[::-1], sizes=range(8, 0, -1))

    assert turned.interval(0.95, DOCUMENTS) == sample(EIGHT, sizes=range(1, 9)).interval(
        0.95, DOCUMENTS
    )


def test_levels_nest_and_the_value_lies_inside():
    ends = []
    for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
        interval, _ = sample(EIGHT).interval(level, DOCUMENTS)
        assert interval.low < 0.5 < interval.high < 1.0
        ends.append(interval)
    for narrow, wide in itertools.pairwise(ends):
        assert wide.low < narrow.low
        assert narrow.high < wide.high


LONG = [30.0, *[1.0] * 8]


@pytest.mark.parametrize(
    ("found", "minimum", "sentence"),
    [
        (
            sample(EIGHT[:4]),
            DOCUMENTS,
            "no interval: 4 documents have something to compare, and 8 are needed",
        ),
        (
            sample(EIGHT[:1]),
            DOCUMENTS,
            "no interval: 1 document has something to compare, and 8 are needed",
        ),
        (
            sample([0.5] * 9, sizes=LONG),
            DOCUMENTS,
            (
                "no interval: few long documents decide; the 9 documents count as 1.5, and 5 are "
                "needed"
            ),
        ),
        (
            sample([0.5] * 9, sizes=LONG),
            CLUSTERS,
            "no interval: few large clusters decide; the 9 clusters count as 1.5, and 5 are needed",
        ),
        (
            sample([0.0] * 12, disagreement=0.0, chance=10.35),
            DOCUMENTS,
            "no disagreement in 12 documents: at least 0.71 with 95 % confidence, one-sided",
        ),
        (
            sample([0.0] * 12, disagreement=0.0, chance=4.9),
            DOCUMENTS,
            "no disagreement, but too little to compare for a bound",
        ),
        (
            sample(EIGHT, chance=9.99),
            DOCUMENTS,
            "no interval: chance would have made only 9.9 disagreements here, and 10 are needed",
        ),
        (
            sample([*EIGHT, math.nan]),
            DOCUMENTS,
            "no interval: without one of the documents there is no value",
        ),
        (
            sample([0.5] * 8),
            DOCUMENTS,
            "no interval: the value is the same without any one of the documents",
        ),
        (
            sample(EIGHT[:4]),
            ITEMS,
            "no interval: 4 items have something to compare, and 5 are needed",
        ),
    ],
)
def test_what_is_missing_is_said(found, minimum, sentence):
    interval, why = found.interval(0.95, minimum)

    assert why is not None
    assert why.text == sentence
    assert (interval is None) == ("at least" not in sentence)


@pytest.mark.parametrize(
    ("below", "at"),
    [
        (sample(EIGHT[:7]), sample(EIGHT)),
        (sample(EIGHT, sizes=[4.32, *[1] * 7]), sample(EIGHT, sizes=[4.31, *[1] * 7])),
        (sample(EIGHT, chance=math.nextafter(10, 0)), sample(EIGHT, chance=10.0)),
    ],
)
def test_each_limit_is_where_it_is(below, at):
    assert below.interval(0.95, DOCUMENTS)[0] is None
    assert at.interval(0.95, DOCUMENTS)[1] is None


@pytest.mark.parametrize("n", [8, 20, 300])
def test_no_disagreement_never_gives_equal_ends(n):
    interval, why = sample([0.0] * n, disagreement=1e-17, chance=1e9).interval(0.95, DOCUMENTS)

    assert (interval.low, interval.high) == (pytest.approx(1 + math.log(0.05) / n), 1.0)
    assert interval.method == why.text.split(", ")[-1].join(["rule of three, ", ""])


def test_a_sum_that_only_rounding_leaves_counts_as_nothing():
    found = ratio_jackknife(np.array([0.1, 0.2, 0.0]), np.array([0.3, 0.1, 1e-17]), np.ones(3))

    assert found.without[:2] == pytest.approx([0.2 / 0.1, 0.1 / 0.3])
    everything = ratio_jackknife(np.array([0.1, 0.0]), np.array([0.3, 0.0]), np.ones(2))
    assert math.isnan(everything.without[0])


# The number of corpora of 2000 whose interval holds the value of the population: nothing here is
# random, and ends differ between processors in the last digits only.
HELD = {
    ("rare", "γ"): (1928, 1922, 1915),
    ("rare", "γcat"): (1942, 1961, 1937),
    ("lumpy", "γ"): (1869, 1878, 1897),
    ("lumpy", "γcat"): (1970, 1884, 1914),
    ("heavy", "γ"): (1134, 1896, 1894),
    ("heavy", "γcat"): (1132, 1913, 1894),
}
SIZES = (8, 20, 50)


def held(sums, size, trials=2000):
    """Return how many intervals hold the value of all documents, and how many there are."""
    true, inside, given = sums.value(), 0, 0
    for trial in range(trials):
        rows = Dice(7, size, trial).below(len(sums.sizes), size)
        interval, _ = sums.taken(rows).jackknife().interval(0.95, DOCUMENTS)
        if interval is not None:
            given += 1
            inside += interval.low <= true <= interval.high
    return inside, given


@pytest.mark.parametrize("kind", ["rare", "lumpy", "heavy"])
def test_intervals_hold_the_value_of_the_population_as_often_as_recorded(kind):
    sums = population_sums(kind, 500, 10)
    for name in ("γ", "γcat"):
        for size, recorded in zip(SIZES, HELD[kind, name], strict=True):
            inside, given = held(sums[name], size)
            assert abs(inside - recorded) <= 3, (name, size, inside)
            assert 0.925 <= inside / given <= 0.995, (name, size, inside, given)


def test_the_known_failure_is_still_one():
    # Few long documents that are harder: docs/uncertainty.md says so. If this fails, change it.
    inside, given = held(population_sums("skewed", 500, 10)["γ"], 20)

    assert inside / given < 0.92
