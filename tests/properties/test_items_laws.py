"""Laws of coefficients on items: they are what the formulas say, and nothing else moves them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import items_oracle as oracle
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.kappas import (
    bennett_s,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    percent_agreement,
    scott_pi,
)
from unisono.measures.items.table import coefficient_of, measure_items
from unisono.model.ratings import Ratings
from unisono.registry import MEASURES, measures_of

POLICIES = ("values", "items", "pairs", "remove")
NAMES = ("Ann", "Bob", "Čeněk", "eve")
CLOSE: dict[str, Any] = {"rel": 1e-9, "abs": 1e-12}
# Each is run for many settings; together they see thousands of tables.
SOME = settings(max_examples=25)
FEW = settings(max_examples=10)


@st.composite
def tables(draw: st.DrawFn, labels: Any = None, max_items: int = 7) -> list[oracle.Item]:
    """Items with up to four values, some with one."""
    label = labels if labels is not None else st.integers(1, 4)
    n = draw(st.integers(2, 4))
    values = st.dictionaries(st.sampled_from(NAMES[:n]), label, min_size=1, max_size=n)
    made = draw(st.lists(values, min_size=1, max_size=max_items))
    return [dict(sorted(item.items())) for item in made]


def ratings_of(table: list[oracle.Item]) -> Ratings:
    triples = [(who, i, label) for i, item in enumerate(table) for who, label in item.items()]
    return Ratings.from_columns(*zip(*triples, strict=True))


def same(result: Any, expected: oracle.Outcome) -> None:
    found, chance, value = expected
    assert (result.undefined is None) is (value is not None)
    if value is None:
        assert math.isnan(result.value)
        return
    assert result.value == pytest.approx(value, **CLOSE)
    assert result.observed == pytest.approx(found, **CLOSE)
    if chance is not None:
        assert result.expected == pytest.approx(chance, **CLOSE)


def labels_of(table: list[oracle.Item]) -> list[Any]:
    return sorted({label for item in table for label in item.values()})


# What the formulas say


@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(table=tables())
def test_every_coefficient_is_its_formula(policy, table):
    ratings, n = ratings_of(table), len(oracle.annotators_of(table))
    same(percent_agreement(ratings, missing=policy), oracle.percent(table, policy, n))
    same(krippendorff_alpha(ratings, missing=policy), oracle.alpha(table, policy, n))
    same(cohen_kappa(ratings, missing=policy), oracle.light(table, policy, n))
    same(conger_kappa(ratings, missing=policy), oracle.conger(table, policy, n))
    same(fleiss_kappa(ratings, missing=policy), oracle.fleiss(table, policy, n))
    labels = labels_of(table)
    same(bennett_s(ratings, missing=policy), oracle.bennett(table, policy, n, labels))
    same(gwet_ac(ratings, missing=policy), oracle.gwet(table, policy, n, labels))
    if n == 2:
        same(scott_pi(ratings, missing=policy), oracle.fleiss(table, policy, n))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ["ordinal", "interval", "ratio", "circular:7", "bipolar:0..6"])
@SOME
@given(table=tables(st.sampled_from((0, 1, 2.5, 4, 6))))
def test_alpha_of_numbers_is_its_formula(policy, name, table):
    distance = {
        "ordinal": None,
        "interval": oracle.interval,
        "ratio": oracle.ratio,
        "circular:7": oracle.circular(7),
        "bipolar:0..6": oracle.bipolar(0, 6),
    }[name]
    result = krippendorff_alpha(ratings_of(table), distance=name, missing=policy)
    same(result, oracle.alpha(table, policy, len(oracle.annotators_of(table)), distance))


@pytest.mark.parametrize("name", ["jaccard", "dice", "masi"])
@SOME
@given(table=tables(st.frozensets(st.sampled_from("abcd"))))
def test_alpha_of_sets_is_its_formula(name, table):
    result = krippendorff_alpha(ratings_of(table), distance=name)
    n = len(oracle.annotators_of(table))
    same(result, oracle.alpha(table, "values", n, getattr(oracle, name)))


@SOME
@given(table=tables(st.text("ab", min_size=1, max_size=3)))
def test_alpha_of_texts_is_its_formula(table):
    result = krippendorff_alpha(ratings_of(table), distance="edit")
    same(result, oracle.alpha(table, "values", len(oracle.annotators_of(table)), oracle.edit))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("weights", "power"), [("linear", 1), ("quadratic", 2)])
@SOME
@given(table=tables())
def test_weighted_coefficients_are_their_formulas(policy, weights, power, table):
    ratings, n, scale = ratings_of(table), len(oracle.annotators_of(table)), [1, 2, 3, 4, 5]
    distance = oracle.by_rank(scale, power)
    given_weights: dict[str, Any] = {"weights": weights, "order": scale, "missing": policy}
    same(cohen_kappa(ratings, **given_weights), oracle.light(table, policy, n, distance))
    same(conger_kappa(ratings, **given_weights), oracle.conger(table, policy, n, distance))
    same(bennett_s(ratings, **given_weights), oracle.bennett(table, policy, n, scale, distance))
    same(gwet_ac(ratings, **given_weights), oracle.gwet(table, policy, n, scale, distance))


# What must not move them


@SOME
@given(table=tables(), data=st.data())
def test_the_order_of_items_and_the_names_of_annotators_do_not_matter(table, data):
    shuffled = data.draw(st.permutations(table))
    names = dict(zip(NAMES, data.draw(st.permutations(NAMES)), strict=True))
    renamed = [{names[who]: label for who, label in item.items()} for item in shuffled]
    one, other = measure_items(ratings_of(table)), measure_items(ratings_of(renamed))
    for name, result in one.items():
        assert other[name].value == pytest.approx(result.value, nan_ok=True, **CLOSE)
        assert other[name].undefined is None or result.undefined is not None


@SOME
@given(table=tables())
def test_annotators_with_equal_labels_agree_perfectly(table):
    alike = [dict.fromkeys(NAMES[:3], next(iter(item.values()))) for item in table]
    assume(len(labels_of(alike)) > 1)
    results = measure_items(ratings_of(alike))
    values = {name: result.value for name, result in results.items() if not MEASURES[name].for_more}
    assert values == dict.fromkeys(values, 1.0)


@SOME
@given(table=tables(), times=st.integers(2, 5))
def test_repeating_all_items_moves_only_the_expectation_of_alpha(table, times):
    once, often = measure_items(ratings_of(table)), measure_items(ratings_of(table * times))
    for name, result in once.items():
        assert often[name].observed == pytest.approx(result.observed, nan_ok=True, **CLOSE)
        if name != "krippendorff_alpha":
            assert often[name].value == pytest.approx(result.value, nan_ok=True, **CLOSE)


@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(table=tables())
def test_a_label_alone_is_the_coefficient_with_all_other_labels_made_one(policy, table):
    ratings = ratings_of(table)
    assume(len(ratings.labels) > 1)
    for measure in (percent_agreement, krippendorff_alpha, fleiss_kappa, conger_kappa, gwet_ac):
        result = measure(ratings, missing=policy)
        for label, of_label in result.by_label.items():
            others = {other: "other" for other in ratings.labels if other != label}
            alone = measure(ratings.rename(labels=others), missing=policy)
            assert of_label.value == pytest.approx(alone.value, nan_ok=True, **CLOSE)
            assert of_label.observed == pytest.approx(alone.observed, nan_ok=True, **CLOSE)


@pytest.mark.parametrize("policy", ["values", "items", "pairs"])
@SOME
@given(table=tables(st.integers(1, 3)))
def test_a_pair_alone_is_the_coefficient_of_two_annotators(policy, table):
    ratings = ratings_of(table)
    for measure in (percent_agreement, krippendorff_alpha, fleiss_kappa, conger_kappa, cohen_kappa):
        result = measure(ratings, missing=policy)
        for pair, of_pair in result.by_pair.items():
            alone = measure(ratings.only(annotators=pair), missing=policy)
            assert of_pair.value == pytest.approx(alone.value, nan_ok=True, **CLOSE)


@SOME
@given(table=tables(), shift=st.integers(-5, 5), factor=st.sampled_from((0.5, 2, 10)))
def test_interval_alpha_knows_no_unit_and_no_zero(table, shift, factor):
    moved = [{who: label * factor + shift for who, label in item.items()} for item in table]
    one = krippendorff_alpha(ratings_of(table), distance="interval")
    other = krippendorff_alpha(ratings_of(moved), distance="interval")
    assert other.value == pytest.approx(one.value, nan_ok=True, **CLOSE)


@SOME
@given(table=tables())
def test_ordinal_alpha_knows_only_the_order(table):
    raised = [{who: label**3 for who, label in item.items()} for item in table]
    one = krippendorff_alpha(ratings_of(table), distance="ordinal")
    other = krippendorff_alpha(ratings_of(raised), distance="ordinal")
    assert other.value == pytest.approx(one.value, nan_ok=True, **CLOSE)


# What resampling and standard errors rest on

COEFFICIENTS = [measure.name for measure in measures_of("items")]
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((name, {"missing": policy}) for name in COEFFICIENTS for policy in POLICIES),
    *(
        ("krippendorff_alpha", {"distance": name})
        for name in ("ordinal", "interval", "ratio", "circular:9", "bipolar:0..5")
    ),
    *(
        (name, {"weights": weights})
        for name in ("cohen_kappa", "conger_kappa", "bennett_s", "gwet_ac")
        for weights in ("linear", "quadratic", "ratio", "ordinal")
    ),
]


@pytest.mark.parametrize(("name", "given_settings"), SETTINGS)
@FEW
@given(table=tables(), seed=st.integers(0, 10**6))
def test_one_weighting_many_weightings_and_features_agree(name, given_settings, table, seed):
    ratings = ratings_of(table).merged()
    prepared = coefficient_of(name, given_settings).prepare(ratings)
    times = np.random.default_rng(seed).integers(0, 4, (2, 3, prepared.rows)).astype(float)
    together = prepared.parts(times)
    for place in np.ndindex(2, 3):
        alone = prepared.parts(times[place])
        for one, all_ in zip(alone, together, strict=True):
            assert float(one) == pytest.approx(float(all_[place]), nan_ok=True, **CLOSE)
    if prepared.features is not None:
        by_features = prepared.finish(times @ prepared.features)
        for one, other in zip(together, by_features, strict=True):
            assert one == pytest.approx(other, nan_ok=True, **CLOSE)


@pytest.mark.parametrize(("name", "given_settings"), SETTINGS)
def test_weights_that_are_changed_in_place_are_seen(name, given_settings):
    ratings = Ratings.from_matrix([[1, 2, 3, 1], [1, 3, 3, 2], [2, 2, 3, 1]])
    times = np.array([1.0, 2.0, 1.0, 1.0])
    prepared = coefficient_of(name, given_settings).prepare(ratings)
    prepared.parts(times)
    times[0] = 5.0
    fresh = coefficient_of(name, given_settings).prepare(ratings).parts(times.copy())
    for changed, expected in zip(prepared.parts(times), fresh, strict=True):
        assert float(changed) == pytest.approx(float(expected), nan_ok=True, **CLOSE)


@pytest.mark.parametrize(("name", "given_settings"), SETTINGS)
@FEW
@given(table=tables(), seed=st.integers(0, 10**6))
def test_influence_is_the_derivative_of_the_parts(name, given_settings, table, seed):
    ratings = ratings_of(table).merged()
    prepared = coefficient_of(name, given_settings).prepare(ratings)
    times = np.random.default_rng(seed).uniform(1.0, 3.0, prepared.rows)
    parts = prepared.parts(times)
    # Next to where it is undefined a difference is no derivative.
    assume(math.isfinite(parts.value) and not parts.expected < 1e-3)
    influence = prepared.influence(times)
    step = 1e-6
    n = times.sum()
    for row in range(prepared.rows):
        toward = n * (np.arange(prepared.rows) == row)
        after, before = (prepared.parts((1 - t) * times + t * toward) for t in (step, -step))
        for at_row, high, low in zip(influence, after, before, strict=True):
            slope = (high - low) / (2 * step)
            assert at_row[row] == pytest.approx(slope, nan_ok=True, rel=1e-4, abs=1e-5)
