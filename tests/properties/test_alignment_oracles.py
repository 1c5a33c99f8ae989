"""Alignments against Hungarian matching and integer programs, also of copies of one unit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import unisono as un
from families import NAMES, combined, examples, family, ordinary_rules, random_rules
from matching_oracle import least_edge_cover, least_matching
from oracle import Rules
from unisono.measures.gamma.alignment import Search, aligned, columns_of

SEEDS = st.integers(0, 2**32 - 1)
# How far the value may be from the optimum: costs are quantised to 2⁻⁴⁰ of the empty weight.
CLOSE = 1e-9


def copies(*counts: int, kinds: int = 1) -> un.Continuum:
    """Return annotators with so many units each, all alike or of a few kinds."""
    names = "abcdefgh"
    return un.Continuum.from_units(
        [
            (names[place], 2.0 * (at % kinds), 4.0 + 2.0 * (at % kinds), "x")
            for place, count in enumerate(counts)
            for at in range(count)
        ]
    )


def by_hungarian(continuum: un.Continuum, rules: Rules, *, soft: bool) -> float:
    sets = oracle.sets_of(continuum)
    pairs = [[oracle.dissimilarity(u, v, rules) for v in sets[1]] for u in sets[0]]
    finite = [[min(cost, 1e6) for cost in line] for line in pairs]
    best = least_edge_cover if soft else least_matching
    return best(finite, rules.empty) / oracle.mean_units(sets)


def check(
    continuum: un.Continuum, alignment: un.results.Alignment, best: float, *, soft: bool
) -> None:
    groups = [tuple(int(row) for row in group) for group in alignment.indices]
    sets = oracle.sets_of(continuum)
    assert oracle.is_cover(groups, sets) if soft else oracle.is_partition(groups, sets)
    assert alignment.proven
    assert alignment.disorder == pytest.approx(best, rel=CLOSE, abs=CLOSE)


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("name", NAMES)
@examples(0.3)
@given(each=st.integers(1, 14), seed=SEEDS)
def test_two_annotators_are_matched_as_well_as_by_hungarian_matching(soft, name, each, seed):
    rng = np.random.default_rng(seed)
    continuum, rules = family(name, 2, each, rng), random_rules(rng)
    alignment = un.best_alignment(continuum, dissimilarity=combined(rules), soft=soft)
    check(continuum, alignment, by_hungarian(continuum, rules, soft=soft), soft=soft)


@pytest.mark.parametrize("soft", [False, True])
@examples(0.5)
@given(counts=st.tuples(st.integers(1, 14), st.integers(1, 14)), kinds=st.integers(1, 3))
def test_copies_of_two_annotators_are_matched_as_well(soft, counts, kinds):
    continuum = copies(*counts, kinds=kinds)
    alignment = un.best_alignment(continuum, soft=soft)
    check(continuum, alignment, by_hungarian(continuum, Rules(), soft=soft), soft=soft)


@pytest.mark.parametrize("soft", [False, True])
@examples(0.2)
@given(counts=st.lists(st.integers(1, 4), min_size=3, max_size=4), kinds=st.integers(1, 2))
def test_copies_are_aligned_as_well_as_by_an_integer_program(soft, counts, kinds):
    continuum = copies(*counts, kinds=kinds)
    sets = oracle.sets_of(continuum)
    best = oracle.by_integer_program(sets, Rules(), soft=soft)
    alignment = un.best_alignment(continuum, soft=soft)
    check(continuum, alignment, oracle.disorder(best, sets, Rules()), soft=soft)


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize(("n", "each"), [(3, 7), (4, 5), (5, 4)])
@examples(0.05)
@given(name=st.sampled_from(NAMES), seed=SEEDS)
def test_three_to_five_annotators_are_aligned_as_by_an_integer_program(soft, n, each, name, seed):
    rng = np.random.default_rng(seed)
    continuum, rules = family(name, n, each, rng), ordinary_rules(rng)
    sets = oracle.sets_of(continuum)
    best = oracle.disorder(oracle.by_integer_program(sets, rules, soft=soft), sets, rules)
    alignment = un.best_alignment(continuum, dissimilarity=combined(rules), soft=soft)
    check(continuum, alignment, best, soft=soft)


@pytest.mark.parametrize("counts", [(20, 18), (20, 18, 19), (10, 9, 12, 8)])
def test_many_copies_of_one_unit_are_covered_for_nothing(counts):
    alignment = un.best_alignment(copies(*counts), soft=True)
    assert alignment.proven
    assert alignment.disorder == 0.0


@pytest.mark.parametrize("n", [5, 8, 40])
@examples(0.1)
@given(each=st.integers(1, 6), seed=SEEDS)
def test_a_crowd_that_agrees_is_one_group_a_place(n, each, seed):
    continuum = agreeing_crowd(n, each, seed)
    alignment = un.best_alignment(continuum)
    assert alignment.proven
    starts = continuum.starts[alignment.indices]
    assert alignment.indices.min() >= 0
    assert np.ptp(starts, axis=1).max() < 1.0


@examples(0.1)
@given(each=st.integers(1, 4), seed=SEEDS)
def test_a_crowd_that_agrees_is_aligned_as_by_an_integer_program(each, seed):
    continuum = agreeing_crowd(5, each, seed)
    sets = oracle.sets_of(continuum)
    best = oracle.disorder(oracle.by_integer_program(sets, Rules()), sets, Rules())
    check(continuum, un.best_alignment(continuum), best, soft=False)


def agreeing_crowd(n: int, each: int, seed: int) -> un.Continuum:
    rng = np.random.default_rng(seed)
    starts = 10.0 * np.tile(np.arange(each), n) + rng.uniform(-0.3, 0.3, n * each)
    ends = starts + 8.0 + rng.uniform(-0.3, 0.3, n * each)
    names = np.repeat([f"a{place:03}" for place in range(n)], each)
    return un.Continuum.from_columns(names, starts, ends, ["x"] * (n * each))


def fallback(continuum: un.Continuum, *, soft: bool = False) -> tuple[float, float]:
    """Align with next to no work allowed, and return the disorder sum and its lower bound."""
    fitted = un.CombinedDissimilarity().fitted(continuum.labels, [1] * len(continuum.labels))
    search = Search(soft=soft, time_limit=1e-9)
    found = aligned(columns_of(continuum), fitted, search=search, effort=1e-9)
    groups = [tuple(int(row) for row in group) for group in found.groups]
    sets = oracle.sets_of(continuum)
    assert oracle.is_cover(groups, sets) if soft else oracle.is_partition(groups, sets)
    return found.disorder_sum, found.lower_bound


@pytest.mark.parametrize("name", NAMES)
@examples(0.2)
@given(each=st.integers(1, 12), seed=SEEDS)
def test_without_time_two_annotators_are_still_matched_at_the_least_cost(name, each, seed):
    continuum = family(name, 2, each, np.random.default_rng(seed))
    best = un.best_alignment(continuum)
    value, bound = fallback(continuum)
    assert bound <= best.group_disorders.sum() + CLOSE
    assert value == pytest.approx(best.group_disorders.sum(), abs=CLOSE)


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("name", NAMES)
@examples(0.1)
@given(n=st.integers(3, 5), each=st.integers(1, 4), seed=SEEDS)
def test_without_time_bounds_hold(soft, name, n, each, seed):
    continuum = family(name, n, each, np.random.default_rng(seed))
    best = un.best_alignment(continuum, soft=soft).group_disorders.sum()
    value, bound = fallback(continuum, soft=soft)
    assert bound <= best + CLOSE
    assert best <= value + CLOSE
    assert value <= len(continuum)  # all units alone


def test_without_time_a_crowd_is_aligned_nearly_as_well_as_can_be():
    rng = np.random.default_rng(4)
    whole = agreeing_crowd(12, 8, 4)
    seen = rng.random(len(whole)) >= 0.05
    names = np.repeat(whole.annotators, np.diff(whole.offsets))[seen]
    crowd = un.Continuum.from_columns(
        names, whole.starts[seen], whole.ends[seen], ["x"] * seen.sum()
    )
    best = un.best_alignment(crowd)
    assert best.proven
    assert fallback(crowd)[0] <= 1.01 * best.group_disorders.sum()
