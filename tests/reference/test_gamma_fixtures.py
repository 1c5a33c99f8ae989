"""Published values of the γ family: reproduced, or shown to be errata; see gamma_fixtures.json."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import oracle
import unisono as un

FIXTURES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("gamma_fixtures.json").read_text(encoding="utf-8")
)["fixtures"]
EXACT = 1e-12  # relative, between two independent computations of the same definition


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    chosen = [f for f in FIXTURES if f["kind"] in kinds]
    return pytest.mark.parametrize("fixture", chosen, ids=[f["id"] for f in chosen])


def continuum_of(fixture: dict[str, Any]) -> un.Continuum:
    annotators = fixture["data"]["annotators"]
    rows = [(name, *unit) for name, units in annotators.items() for unit in units]
    return un.Continuum.from_units(rows)


def sets_of(fixture: dict[str, Any]) -> oracle.Sets:
    # In the order of the names, as a Continuum has them.
    annotators = fixture["data"]["annotators"]
    return [
        sorted((s, e, label) for s, e, label in annotators[name]) for name in sorted(annotators)
    ]


def weights_of(data: dict[str, Any]) -> dict[str, Any]:
    return {key: float(data[key]) for key in ("position", "label", "empty") if key in data}


def check(value: float, fixture: dict[str, Any]) -> None:
    """What we get is what the definitions give, and the print agrees or is known not to."""
    assert value == pytest.approx(fixture["computed"], rel=EXACT, abs=EXACT)
    agrees = abs(value - fixture["published"]) <= fixture["tolerance"]
    assert agrees is (fixture["status"] == "verified")


@of_kind("d_pos")
def test_positional_dissimilarities(fixture):
    u, v = (un.Unit("ann", *fixture["data"][name]) for name in "uv")
    check(un.PositionalDissimilarity().of_units(u, v), fixture)
    check(un.CombinedDissimilarity(label=0).of_units(u, v), fixture)


@of_kind("d_pos")
def test_positional_dissimilarities_by_the_oracle(fixture):
    u, v = ((*fixture["data"][name], None) for name in "uv")
    check(oracle.d_pos(u, v, oracle.Rules()), fixture)


@of_kind("disorder")
def test_best_disorders(fixture):
    dissimilarity = un.CombinedDissimilarity(**weights_of(fixture["data"]))
    alignment = un.best_alignment(continuum_of(fixture), dissimilarity=dissimilarity)
    check(alignment.disorder, fixture)
    assert alignment.proven


@of_kind("disorder")
def test_best_disorders_by_the_oracle(fixture):
    sets, rules = sets_of(fixture), oracle.Rules(**weights_of(fixture["data"]))
    check(oracle.disorder(oracle.by_integer_program(sets, rules), sets, rules), fixture)
    if len(oracle.flat(sets)) <= 16:
        check(oracle.BruteForce(sets, rules).disorder, fixture)


@of_kind("sum_of_groups")
def test_sums_of_group_disorders(fixture):
    continuum = continuum_of(fixture)
    dissimilarity = un.CombinedDissimilarity(**weights_of(fixture["data"]))
    alignment = un.best_alignment(continuum, dissimilarity=dissimilarity)
    check(math.fsum(alignment.group_disorders), fixture)
    check(alignment.disorder * len(continuum) / len(continuum.annotators), fixture)


@of_kind("sum_of_groups")
def test_sums_of_group_disorders_by_the_oracle(fixture):
    rules = oracle.Rules(**weights_of(fixture["data"]))
    check(oracle.BruteForce(sets_of(fixture), rules).best_sum(), fixture)


@of_kind("cat_observed")
def test_observed_disorders_of_gamma_cat(fixture):
    dissimilarity = un.CombinedDissimilarity(**weights_of(fixture["data"]))
    result = un.gamma(continuum_of(fixture), dissimilarity=dissimilarity, draws=30, rng=1)
    assert result.proven
    assert result.gamma_cat.observed == pytest.approx(fixture["computed"]["disorder"], rel=EXACT)
    assert result.gamma_cat.weight == pytest.approx(fixture["computed"]["weight"], rel=EXACT)


# The weights next to the tie at 3 give the same two alignments, and take the oracle seconds each.
@pytest.mark.parametrize(
    "fixture",
    [f for f in FIXTURES if f["kind"] == "cat_observed" and f["data"]["position"] in {1, 4}],
    ids=lambda fixture: fixture["id"],
)
def test_observed_disorders_of_gamma_cat_by_the_oracle(fixture):
    sets, rules = sets_of(fixture), oracle.Rules(**weights_of(fixture["data"]))
    groups = oracle.by_integer_program(sets, rules)
    disorder, weight = oracle.categorical_sums(groups, sets, rules)
    assert disorder / weight == pytest.approx(fixture["computed"]["disorder"], rel=EXACT)
    assert weight == pytest.approx(fixture["computed"]["weight"], rel=EXACT)


def test_the_printed_gamma_cat_disorder_needs_a_position_weight_above_three():
    for fixture in (f for f in FIXTURES if f["id"].startswith("k2011_gammacat_observed")):
        printed = math.isclose(fixture["computed"]["disorder"], fixture["published"])
        assert printed is (fixture["data"]["position"] > 3)


@of_kind("alone")
def test_who_stands_alone(fixture):
    data = fixture["data"]
    for weights, published, computed in zip(
        data["weights"], fixture["published"], fixture["computed"], strict=True
    ):
        dissimilarity = un.CombinedDissimilarity(empty=data["empty"], **weights)
        alignment = un.best_alignment(continuum_of(fixture), dissimilarity=dissimilarity)
        unit = un.Unit(*data["unit"])
        (group,) = [group for group in alignment.groups if unit in group]
        assert (sum(member is not None for member in group) == 1) is computed
        # The printed alignment cannot be had with the weights 1 and 1.
        assert (published == computed) is (weights["position"] >= 3)


@of_kind("sample_size")
def test_sample_size_of_the_worked_example(fixture):
    data = fixture["data"]
    # Thirty draws with exactly this mean and this (biased) standard deviation.
    draws = [data["mean"] + sign * data["biased_sd"] for sign in (1, -1) for _ in range(15)]
    for precision, published, computed in zip(
        data["precision"], fixture["published"], fixture["computed"], strict=True
    ):
        n0 = oracle.sample_size(draws, precision, data["z"])
        assert n0 == pytest.approx(computed, rel=1e-9)
        assert n0 == pytest.approx(published, abs=fixture["tolerance"])


def test_every_fixture_has_a_source_and_a_status():
    for fixture in FIXTURES:
        assert fixture["source"]
        assert fixture["status"] in {"verified", "not_reproduced", "consistent_layout_found"}
    assert len({fixture["id"] for fixture in FIXTURES}) == len(FIXTURES)
