"""The alignment is the best there is: held against brute force and against HiGHS."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import unisono as un
from families import NAMES, combined, deal, examples, family, ordinary_rules, random_rules
from oracle import BruteForce, Rules
from strategies import continua
from unisono.measures.gamma.alignment import aligned, columns_of

SEEDS = st.integers(0, 2**32 - 1)
# How far the value may be from the optimum: costs are quantised to 2⁻⁴⁰ of the empty weight.
CLOSE = 1e-9
# Families in which few units of one annotator stand on top of each other.


def groups_of(alignment: un.results.Alignment) -> list[oracle.Group]:
    return [tuple(int(row) for row in group) for group in alignment.indices]


def check_against(best: float, alignment: un.results.Alignment, rules: Rules) -> None:
    """A partition that is worth what it says, group by group, and no worse than the best."""
    sets, groups = oracle.sets_of(alignment.continuum), groups_of(alignment)
    assert oracle.is_partition(groups, sets)
    assert alignment.disorder == pytest.approx(oracle.disorder(groups, sets, rules), rel=1e-12)
    costs = oracle.pair_costs(sets, rules)
    expected = [oracle.group_disorder(group, costs) for group in groups]
    assert list(alignment.group_disorders) == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert alignment.proven
    assert alignment.gap == 0.0
    assert alignment.lower_bound == alignment.disorder
    assert alignment.disorder == pytest.approx(best, rel=CLOSE, abs=CLOSE)


@pytest.mark.parametrize("name", NAMES)
@examples(3.0)
@given(n=st.integers(2, 6), total=st.integers(1, 9), seed=SEEDS)
def test_the_kernel_is_as_good_as_brute_force(name, n, total, seed):
    rng = np.random.default_rng(seed)
    continuum = family(name, n, deal(total, n, rng), rng)
    rules = random_rules(rng)
    alignment = un.best_alignment(continuum, dissimilarity=combined(rules))
    check_against(BruteForce(oracle.sets_of(continuum), rules).disorder, alignment, rules)


@pytest.mark.parametrize(("n", "each"), [(2, 6), (3, 4), (4, 3), (6, 2)])
@examples(0.3)
@given(name=st.sampled_from(NAMES), seed=SEEDS)
def test_the_kernel_is_as_good_as_brute_force_on_twelve_units(n, each, name, seed):
    rng = np.random.default_rng(seed)
    continuum, rules = family(name, n, each, rng), random_rules(rng)
    alignment = un.best_alignment(continuum, dissimilarity=combined(rules))
    check_against(BruteForce(oracle.sets_of(continuum), rules).disorder, alignment, rules)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n", "each"), [(2, 40), (3, 12), (4, 6), (5, 4), (6, 3)])
@examples(0.01)
@given(seed=SEEDS)
def test_the_kernel_is_as_good_as_an_integer_program(n, each, name, seed):
    rng = np.random.default_rng(seed)
    continuum, rules = family(name, n, each, rng), ordinary_rules(rng)
    alignment = un.best_alignment(continuum, dissimilarity=combined(rules))
    sets = oracle.sets_of(continuum)
    best = oracle.disorder(oracle.by_integer_program(sets, rules), sets, rules)
    check_against(best, alignment, rules)


@examples(2.0)
@given(n=st.integers(2, 5), total=st.integers(2, 8), seed=SEEDS, steep=st.booleans())
def test_any_matrix_of_label_distances_and_the_steep_function_are_exact(n, total, seed, steep):
    rng = np.random.default_rng(seed)
    continuum = family("overlapping", n, deal(total, n, rng), rng)
    labels, values = random_matrix(continuum, rng)
    table = dict(zip(itertools.product(labels, labels), values.ravel().tolist(), strict=True))
    rules = Rules(steep=steep, distance=lambda left, right: table[left, right])
    dissimilarity = un.CombinedDissimilarity(
        steep=steep, distance=un.DistanceMatrix(labels, values)
    )
    alignment = un.best_alignment(continuum, dissimilarity=dissimilarity)
    check_against(BruteForce(oracle.sets_of(continuum), rules).disorder, alignment, rules)


def random_matrix(
    continuum: un.Continuum, rng: np.random.Generator
) -> tuple[list[Any], np.ndarray]:
    """Distances in [0, 1], some of them exactly 1, which the steep function forbids."""
    k = len(continuum.labels)
    upper = np.triu(np.minimum(rng.uniform(0.0, 1.3, (k, k)), 1.0), 1)
    return list(continuum.labels), upper + upper.T


@examples(3.0)
@given(continuum=continua(max_annotators=5, max_units_total=9))
def test_awkward_continua_are_exact(continuum):
    alignment = un.best_alignment(continuum)
    if len(continuum) == 0:
        assert len(alignment) == 0
        return
    best = BruteForce(oracle.sets_of(continuum), Rules()).disorder
    check_against(best, alignment, Rules())


@examples(2.0)
@given(name=st.sampled_from(NAMES), n=st.integers(2, 5), seed=SEEDS, effort=st.floats(1e-9, 1e-5))
def test_a_limit_that_is_reached_is_reported_with_a_valid_bound(name, n, seed, effort):
    rng = np.random.default_rng(seed)
    continuum = family(name, n, deal(9, n, rng), rng)
    fitted = un.CombinedDissimilarity().fitted(continuum.labels, [1] * len(continuum.labels))
    found = aligned(columns_of(continuum), fitted, effort=effort)
    sets = oracle.sets_of(continuum)
    groups = [tuple(int(row) for row in group) for group in found.groups]
    assert oracle.is_partition(groups, sets)
    best = BruteForce(sets, Rules()).best_sum()
    assert found.lower_bound <= best + CLOSE
    assert found.disorder_sum >= best - CLOSE
    if found.proven:
        assert found.disorder_sum == pytest.approx(best, abs=CLOSE)


@pytest.mark.parametrize("name", NAMES)
@examples(1.0)
@given(n=st.integers(2, 5), total=st.integers(2, 8), seed=SEEDS)
def test_the_alignment_is_one_of_the_optima(name, n, total, seed):
    rng = np.random.default_rng(seed)
    continuum = family(name, n, deal(total, n, rng), rng)
    groups = groups_of(un.best_alignment(continuum))
    every = BruteForce(oracle.sets_of(continuum), Rules()).optima()
    assert sorted(groups) in (sorted(optimum) for optimum in every)


@pytest.mark.parametrize("name", ["ties", "duplicates"])
@examples(2.0)
@given(n=st.sampled_from([2, 3, 4]), total=st.integers(2, 9), seed=SEEDS)
def test_no_group_could_be_cut_in_two_for_nothing(name, n, total, seed):
    rng = np.random.default_rng(seed)
    continuum = family(name, n, deal(total, n, rng), rng)
    groups = groups_of(un.best_alignment(continuum))
    assert oracle.free_splits(groups, oracle.sets_of(continuum), Rules(), 1e-11) == []


@pytest.mark.parametrize("name", ["ties", "duplicates", "spread"])
@examples(2.0)
@given(n=st.integers(2, 5), total=st.integers(2, 9), seed=SEEDS)
def test_the_alignment_is_the_canonical_one(name, n, total, seed):
    rng = np.random.default_rng(seed)
    continuum = family(name, n, deal(total, n, rng), rng)
    sets, groups = oracle.sets_of(continuum), groups_of(un.best_alignment(continuum))
    chosen = BruteForce(sets, Rules()).canonical()
    assert oracle.in_words(groups, sets) == oracle.in_words(chosen, sets)
