"""Soft alignments are the best covers there are, and softness never costs anything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import unisono as un
from families import NAMES, combined, deal, examples, family, ordinary_rules, random_rules
from oracle import Rules
from strategies import continua

SEEDS = st.integers(0, 2**32 - 1)
# How far the value may be from the optimum: costs are quantised to 2⁻⁴⁰ of the empty weight.
CLOSE = 1e-9


def check_cover(best: float, alignment: un.results.Alignment, rules: Rules) -> None:
    """A cover that is worth what it says, and no worse than the best."""
    sets = oracle.sets_of(alignment.continuum)
    groups = [tuple(int(row) for row in group) for group in alignment.indices]
    assert oracle.is_cover(groups, sets)
    assert alignment.proven
    assert alignment.disorder == pytest.approx(oracle.disorder(groups, sets, rules), rel=1e-12)
    assert alignment.disorder == pytest.approx(best, rel=CLOSE, abs=CLOSE)


@pytest.mark.parametrize("name", NAMES)
@examples(1.0)
@given(n=st.integers(2, 5), total=st.integers(1, 8), seed=SEEDS)
def test_a_soft_alignment_is_as_good_as_the_best_of_all_covers(name, n, total, seed):
    rng = np.random.default_rng(seed)
    continuum = family(name, n, deal(total, n, rng), rng)
    rules = random_rules(rng)
    alignment = un.best_alignment(continuum, dissimilarity=combined(rules), soft=True)
    check_cover(oracle.best_cover(oracle.sets_of(continuum), rules), alignment, rules)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n", "each"), [(2, 25), (3, 9), (4, 5), (6, 3)])
@examples(0.01)
@given(seed=SEEDS)
def test_a_soft_alignment_is_as_good_as_an_integer_program(n, each, name, seed):
    rng = np.random.default_rng(seed)
    continuum, rules = family(name, n, each, rng), ordinary_rules(rng)
    alignment = un.best_alignment(continuum, dissimilarity=combined(rules), soft=True)
    sets = oracle.sets_of(continuum)
    best = oracle.disorder(oracle.by_integer_program(sets, rules, soft=True), sets, rules)
    check_cover(best, alignment, rules)


@examples(1.0)
@given(continuum=continua(max_annotators=5, max_units_total=12))
def test_softness_never_makes_an_alignment_dearer(continuum):
    soft = un.best_alignment(continuum, soft=True)
    hard = un.best_alignment(continuum)
    assert soft.disorder <= hard.disorder * (1 + CLOSE)
    assert len(soft) <= len(continuum)


def test_a_unit_that_another_annotator_split_is_used_twice():
    whole, first, second = ("ann", 0, 20, "A"), ("bob", 0, 10, "A"), ("bob", 10, 20, "A")
    text = un.Continuum.from_units([whole, first, second])
    soft = un.best_alignment(text, soft=True)
    assert [[int(row) for row in group] for group in soft.indices] == [[0, 1], [0, 2]]
    # Eq. 3: (10 / 30)² for each half; eq. 7 divides by the mean of 1.5 units.
    assert soft.disorder == pytest.approx(2 * (10 / 30) ** 2 / 1.5)
    assert un.best_alignment(text).disorder == pytest.approx(((10 / 30) ** 2 + 1) / 1.5)


def test_soft_gamma_softens_the_draws_too_and_states_it():
    text = un.Continuum.from_units(
        [
            ("ann", 0, 20, "A"), ("ann", 30, 50, "B"), ("ann", 60, 64, "A"),
            ("bob", 0, 9, "A"), ("bob", 11, 20, "A"), ("bob", 30, 50, "B"), ("bob", 61, 64, "B"),
        ]
    )  # fmt: skip
    hard, soft = (un.gamma(text, draws=60, rng=5, soft=soft) for soft in (False, True))
    assert soft.observed < hard.observed
    assert soft.expected < hard.expected
    assert np.all(soft.draw_disorders <= hard.draw_disorders * (1 + CLOSE))
    assert soft.signature["soft"] == "yes"
    assert "soft" not in dict(hard.signature.settings)
    again = un.gamma(text, draws=60, rng=5, soft=True, workers=1)
    assert again.value == soft.value
