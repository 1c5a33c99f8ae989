"""Laws of γ, γcat and γk: what must not move them, what must, and what the draws are."""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import oracle
import unisono as un
from families import NAMES, deal, examples, family
from oracle import BruteForce, Rules
from unisono.measures.gamma.chance import ShiftChance, chance_rules

SEEDS = st.integers(0, 2**32 - 1)
# Data without ties: where two alignments are equally good, rounding may choose between them.
PLAIN = st.sampled_from(["spread", "overlapping", "jittered", "log-normal"])


def shift_recipe(continuum: un.Continuum, seed: int, first: int, count: int):
    fitted = un.CombinedDissimilarity().fitted(continuum.labels, [1] * len(continuum.labels))
    recipe = ShiftChance(continuum, fitted, chance_rules("shift"), seed).drawn(first, count)[1]
    return recipe.picks, recipe.shifts


def some_continuum(name: str, n: int, seed: int, each: int = 4) -> un.Continuum:
    return family(name, n, each, np.random.default_rng(seed))


def moved(continuum: un.Continuum, offset: float, scale: float) -> un.Continuum:
    low, high = continuum.extent
    return un.Continuum.from_units(
        [
            (u.annotator, scale * u.start + offset, scale * u.end + offset, u.label)
            for u in continuum
        ],
        annotators=continuum.annotators,
        extent=(scale * low + offset, scale * high + offset),
    )


def on_a_grid(continuum: un.Continuum) -> un.Continuum:
    """Coordinates with few bits, so that moving and doubling them is exact."""
    return un.Continuum.from_units(
        [(u.annotator, round(u.start * 8) / 8, round(u.end * 8) / 8, u.label) for u in continuum],
        annotators=continuum.annotators,
    )


@examples(0.3)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 5), seed=SEEDS, order=st.randoms())
def test_names_of_annotators_do_not_move_the_disorder(name, n, seed, order):
    continuum = some_continuum(name, n, seed)
    names = list(continuum.annotators)
    order.shuffle(names)
    other = continuum.rename(annotators=dict(zip(continuum.annotators, names, strict=True)))
    assert un.best_alignment(other).disorder == pytest.approx(
        un.best_alignment(continuum).disorder, rel=1e-12, abs=1e-15
    )


@examples(0.2)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 4), seed=SEEDS)
def test_names_that_keep_their_order_move_nothing(name, n, seed):
    continuum = some_continuum(name, n, seed)
    other = continuum.rename(annotators={old: f"annotator {old}" for old in continuum.annotators})
    assert_same(un.gamma(other, draws=10, rng=3), un.gamma(continuum, draws=10, rng=3))


def assert_same(left: un.results.GammaAgreement, right: un.results.GammaAgreement) -> None:
    """Equal to the last bit."""
    assert same(left.value, right.value)
    assert left.observed == right.observed
    assert np.array_equal(left.draw_disorders, right.draw_disorders)
    assert same(left.gamma_cat.value, right.gamma_cat.value)
    assert list(left.gamma_k) == list(right.gamma_k)
    for label, result in left.gamma_k.items():
        assert same(result.value, right.gamma_k[label].value)


def same(left: float, right: float) -> bool:
    return left == right or (math.isnan(left) and math.isnan(right))


@examples(0.2)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 4), seed=SEEDS, order=st.randoms())
def test_order_of_rows_moves_nothing(name, n, seed, order):
    continuum = some_continuum(name, n, seed)
    rows = list(continuum)
    order.shuffle(rows)
    other = un.Continuum.from_units(rows, annotators=continuum.annotators)
    assert other == continuum
    assert_same(un.gamma(other, draws=10, rng=3), un.gamma(continuum, draws=10, rng=3))
    here, there = un.best_alignment(continuum), un.best_alignment(other)
    assert np.array_equal(here.indices, there.indices)


@examples(0.2)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 4), seed=SEEDS)
def test_workers_move_nothing(name, n, seed):
    continuum = some_continuum(name, n, seed)
    one, two = (un.gamma(continuum, draws=23, rng=5, workers=workers) for workers in (1, 2))
    assert_same(one, two)
    assert one == two or str(one) == str(two)


@examples(0.2)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 4), seed=SEEDS, exponent=st.integers(-6, 10))
def test_doubling_the_axis_moves_nothing(name, n, seed, exponent):
    continuum = on_a_grid(some_continuum(name, n, seed))
    other = moved(continuum, 0.0, 2.0**exponent)
    assert_same(un.gamma(other, draws=10, rng=3), un.gamma(continuum, draws=10, rng=3))


@examples(0.3)
@given(
    name=PLAIN,
    n=st.integers(2, 4),
    seed=SEEDS,
    offset=st.floats(-1e3, 1e3),
    scale=st.floats(0.01, 100),
)
def test_moving_and_stretching_the_axis_does_not_move_gamma(name, n, seed, offset, scale):
    continuum = some_continuum(name, n, seed)
    here = un.gamma(continuum, draws=10, rng=3)
    there = un.gamma(moved(continuum, offset, scale), draws=10, rng=3)
    assert there.value == pytest.approx(here.value, abs=1e-6)
    assert list(there.draw_disorders) == pytest.approx(list(here.draw_disorders), rel=1e-6)


@examples(0.3)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 4), each=st.integers(1, 4), seed=SEEDS)
def test_identical_annotators_agree_exactly(name, n, each, seed):
    one = family(name, 1, each, np.random.default_rng(seed))
    names = [f"annotator {i}" for i in range(n)]
    rows = [(name, unit.start, unit.end, unit.label) for name in names for unit in one]
    result = un.gamma(un.Continuum.from_units(rows), draws=10, rng=1)
    assert result.observed == 0.0
    if result.undefined is None:
        assert result.value == 1.0
        assert result.gamma_cat.value == 1.0 or result.gamma_cat.undefined is not None
    else:  # chance never disagrees
        assert result.expected == 0.0


@examples(0.2)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 4), seed=SEEDS, empty=st.floats(0.01, 50))
def test_the_empty_weight_scales_disorders_and_nothing_else(name, n, seed, empty):
    continuum = some_continuum(name, n, seed)
    one = un.gamma(continuum, draws=10, rng=3)
    other = un.gamma(
        continuum, dissimilarity=un.CombinedDissimilarity(empty=empty), draws=10, rng=3
    )
    assert other.observed == pytest.approx(empty * one.observed, rel=1e-12)
    expected = [empty * disorder for disorder in one.draw_disorders]
    assert list(other.draw_disorders) == pytest.approx(expected, rel=1e-12)
    assert other.value == pytest.approx(one.value, rel=1e-12, abs=1e-12, nan_ok=True)
    assert other.gamma_cat.value == pytest.approx(
        one.gamma_cat.value, rel=1e-12, abs=1e-12, nan_ok=True
    )


def remade_draws(continuum: un.Continuum, seed: int, count: int) -> list[oracle.Sets]:
    picks, shifts = shift_recipe(continuum, seed, 0, count)
    sets = oracle.sets_of(continuum)
    assert picks.shape == shifts.shape == (count, len(sets))
    return [
        oracle.shifted(sets, continuum.extent, p, s)
        for p, s in zip(picks.tolist(), shifts.tolist(), strict=True)
    ]


@pytest.mark.parametrize("name", NAMES)
@examples(0.06)
@given(n=st.integers(2, 4), total=st.integers(3, 8), seed=st.integers(0, 10**6))
def test_draws_of_the_kernel_are_draws_of_the_definition(name, n, total, seed):
    rng = np.random.default_rng(seed)
    counts = deal(total, n, rng)
    assume(min(counts) > 0 and max(counts) * n <= 12)
    continuum = family(name, n, counts, rng)
    result = un.gamma(continuum, draws=8, rng=seed)
    expected = [BruteForce(sets, Rules()).disorder for sets in remade_draws(continuum, seed, 8)]
    assert list(result.draw_disorders) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert result.expected == pytest.approx(statistics.fmean(expected), rel=1e-9, abs=1e-9)


@examples(0.2)
@given(name=PLAIN, n=st.integers(2, 3), seed=st.integers(0, 10**6))
def test_expected_gamma_cat_and_gamma_k_are_those_of_the_draws(name, n, seed):
    continuum = some_continuum(name, n, seed, each=3)
    draws = remade_draws(continuum, seed, 6)
    alignments = []
    for sets in draws:
        optima = list(itertools.islice(BruteForce(sets, Rules()).optima(), 2))
        assume(len(optima) == 1)
        alignments.append(optima[0])
    result = un.gamma(continuum, draws=6, rng=seed)
    for label, agreement in [(..., result.gamma_cat), *result.gamma_k.items()]:
        sums = [
            oracle.categorical_sums(groups, sets, Rules(), label)
            for groups, sets in zip(alignments, draws, strict=True)
        ]
        ratios = [disorder / weight for disorder, weight in sums if weight > 0.0]
        assert agreement.n_left_out == len(draws) - len(ratios)
        if ratios and agreement.undefined is None:
            assert agreement.expected == pytest.approx(statistics.fmean(ratios), rel=1e-9)


@examples(0.3)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 4), seed=SEEDS)
def test_observed_gamma_cat_and_gamma_k_are_those_of_the_alignment(name, n, seed):
    continuum = some_continuum(name, n, seed)
    sets = oracle.sets_of(continuum)
    result = un.gamma(continuum, draws=3, rng=1)
    assert result.alignment is not None
    groups = [tuple(map(int, group)) for group in result.alignment.indices]
    for label, agreement in [(..., result.gamma_cat), *result.gamma_k.items()]:
        disorder, weight = oracle.categorical_sums(groups, sets, Rules(), label)
        assert agreement.weight == pytest.approx(weight, rel=1e-12, abs=1e-12)
        if weight > 0.0:
            assert agreement.observed == pytest.approx(disorder / weight, rel=1e-12, abs=1e-12)
        else:
            assert agreement.undefined is not None
            assert math.isnan(agreement.value)


@examples(0.3)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 6), each=st.integers(1, 9), seed=SEEDS)
def test_shifts_keep_their_distance_around_the_circle(name, n, each, seed):
    continuum = some_continuum(name, n, seed, each)
    low, high = continuum.extent
    circle, mean_length = high - low, float(np.mean(continuum.ends - continuum.starts))
    assume(circle > 0.0)
    assume(not math.isclose(n * mean_length, circle))
    spacing = un.gamma(continuum, draws=2, rng=seed).spacing
    assert spacing is not None
    assert spacing == pytest.approx(
        mean_length if n * mean_length < circle else circle / (2 * n), rel=1e-12
    )
    picks, shifts = shift_recipe(continuum, seed, 0, 20)
    assert picks.min() >= 0
    assert picks.max() < n
    for draw in shifts.tolist():
        assert min(oracle.circular_gaps(draw, circle)) >= spacing - 1e-9 * circle


def test_a_draw_does_not_depend_on_how_many_are_made():
    continuum = some_continuum("spread", 3, 1)
    picks, shifts = shift_recipe(continuum, 9, 0, 40)
    later_picks, later_shifts = shift_recipe(continuum, 9, 30, 10)
    assert np.array_equal(picks[30:], later_picks)
    assert np.array_equal(shifts[30:], later_shifts)
    few, many = (un.gamma(continuum, draws=draws, rng=9) for draws in (10, 40))
    assert np.array_equal(few.draw_disorders, many.draw_disorders[:10])


def test_all_annotators_and_all_shifts_are_equally_likely():
    continuum = some_continuum("spread", 3, 1)
    circle = continuum.extent[1] - continuum.extent[0]
    picks, shifts = shift_recipe(continuum, 11, 0, 4000)
    for place in range(3):
        counts = np.bincount(picks[:, place], minlength=3)
        assert np.all(np.abs(counts - 4000 / 3) < 5 * math.sqrt(4000 * 2 / 9))
        quarters = np.bincount((shifts[:, place] % circle / circle * 4).astype(int), minlength=4)
        assert np.all(np.abs(quarters - 1000) < 5 * math.sqrt(4000 * 3 / 16))


@examples(0.3)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 4), seed=SEEDS)
def test_the_value_follows_from_observed_and_draws(name, n, seed):
    result = un.gamma(some_continuum(name, n, seed), draws=12, rng=2)
    assert result.alignment is not None
    assert result.observed == result.alignment.disorder
    draws = result.draw_disorders.tolist()
    assume(result.undefined is None)
    assert result.draws == len(draws) == 12
    assert result.expected == pytest.approx(statistics.fmean(draws), rel=1e-12)
    assert result.value == pytest.approx(
        1 - result.observed / result.expected, rel=1e-12, abs=1e-12
    )
    at_or_below = sum(disorder <= result.observed for disorder in draws)
    assert (result.n_as_orderly, result.p_value) == (at_or_below, None)
    error = 1.96 * statistics.stdev(draws) / math.sqrt(12)
    se = result.observed / result.expected**2 * error / 1.96
    assert result.monte_carlo_se == pytest.approx(se, rel=1e-9, abs=1e-12)
    if result.monte_carlo is not None and error < result.expected:
        low, high = (1 - result.observed / (result.expected + s * error) for s in (-1, 1))
        assert result.monte_carlo.low == pytest.approx(low, abs=1e-4)
        assert result.monte_carlo.high == pytest.approx(high, abs=1e-4)


@examples(0.1)
@given(name=PLAIN, n=st.integers(2, 3), seed=SEEDS, precision=st.sampled_from([0.05, 0.1]))
def test_enough_draws_are_made_for_the_precision(name, n, seed, precision):
    result = un.gamma(some_continuum(name, n, seed), precision=precision, rng=4)
    first = result.draw_disorders[:30].tolist()
    assert result.draws == len(result.draw_disorders)
    assert result.draws >= max(30, oracle.sample_size(first, precision, 1.959))


@examples(0.1)
@given(n=st.integers(2, 3), seed=SEEDS, documents=st.integers(1, 4))
def test_a_corpus_pools_the_disorders_of_its_documents(n, seed, documents):
    rng = np.random.default_rng(seed)
    corpus = un.Corpus.from_continua(
        {f"text {i}": family("spread", n, int(rng.integers(1, 7)), rng) for i in range(documents)}
    )
    result = un.gamma(corpus, draws=10, rng=6)
    assert list(result.documents) == list(corpus)
    parts = [(r.n_units / r.n_annotators, r) for r in result.documents.values()]
    observed = math.fsum(mean_units * r.observed for mean_units, r in parts)
    expected = math.fsum(mean_units * r.expected for mean_units, r in parts)
    assert result.value == pytest.approx(1 - observed / expected, rel=1e-9, abs=1e-9)
    for name, one in result.documents.items():
        best = un.best_alignment(corpus[name]).disorder
        assert one.observed == pytest.approx(best, rel=1e-12)
