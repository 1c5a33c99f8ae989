"""`reliability_study`: known values, laws, clusters, and what is refused."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import unisono as un
from unisono.charts import can_draw, reliability_chart

X = [0.2, 0.4, 0.5, 0.7, 0.8, 0.9, 0.1]
Y = [1.0, 3.0, 2.0, 4.0, 6.0, 5.0, 2.5]


def test_the_rank_correlation_is_that_of_the_textbook():
    """Without ties ρ = 1 − 6 Σd² / (n³ − n)."""
    ranks_x, ranks_y = (np.argsort(np.argsort(each)) for each in (X, Y))
    by_hand = 1 - 6 * float(((ranks_x - ranks_y) ** 2).sum()) / (7**3 - 7)

    assert un.reliability_study(X, Y, rng=1).effect == pytest.approx(by_hand)


def test_the_p_value_is_that_of_all_permutations():
    """n = 5 and ρ = .9: 10 of 120 orders are as far from 0, p = .083 (tables of Spearman's ρ)."""
    study = un.reliability_study([1, 2, 3, 4, 5], [1, 3, 2, 4, 5], permutations=20_000, rng=1)
    all_orders = [
        abs(np.corrcoef(range(5), order)[0, 1]) >= 0.9 - 1e-9 for order in permutations(range(5))
    ]

    assert sum(all_orders) == 10
    assert study.p_value == pytest.approx(10 / 120, abs=0.01)


def test_the_slope_is_that_of_least_squares():
    study = un.reliability_study(X, Y, relation="linear", rng=1)

    assert study.effect == pytest.approx(np.polyfit(X, Y, 1)[0])


@pytest.mark.parametrize("relation", ["rank", "linear"])
def test_order_of_cases_does_not_matter(relation):
    one = un.reliability_study(X, Y, relation=relation, resamples=50, rng=1)
    other = un.reliability_study(X[::-1], Y[::-1], relation=relation, resamples=50, rng=1)

    assert one == other


@pytest.mark.parametrize("scope", ["between", "within"])
def test_order_of_cases_in_clusters_does_not_matter(scope):
    rng = np.random.default_rng(2)
    cases = list(zip(rng.normal(size=24), rng.normal(size=24), "abcdefgh" * 3, strict=True))
    studies = []
    for order in (range(24), rng.permutation(24)):
        agreement, outcome, clusters = zip(*(cases[at] for at in order), strict=True)
        settings: dict[str, Any] = {"scope": scope, "permutations": 99, "resamples": 50}
        studies.append(
            un.reliability_study(agreement, outcome, clusters=clusters, rng=1, **settings)
        )

    assert studies[0] == studies[1]


def test_between_relates_means_and_within_deviations():
    """Documents go up together; within each the relation is reversed."""
    clusters = [name for name in "abcdef" for _ in range(3)]
    agreement = [10 * k + j for k in range(6) for j in range(3)]
    outcome = [10 * k - j for k in range(6) for j in range(3)]
    between = un.reliability_study(agreement, outcome, clusters=clusters, rng=1)
    within = un.reliability_study(agreement, outcome, clusters=clusters, scope="within", rng=1)

    assert between.effect == pytest.approx(1.0)
    assert (between.n_cases, between.n_clusters, len(between.agreement_values)) == (18, 6, 6)
    assert within.effect == pytest.approx(-1.0)
    assert within.agreement_values.sum() == pytest.approx(0.0)
    assert un.reliability_study(agreement, outcome, rng=1).effect > 0.9


def test_two_labels_are_an_outcome():
    study = un.reliability_study(X, ["no", "no", "no", "yes", "yes", "yes", None], rng=1)

    assert study.effect > 0
    assert (study.n_cases, study.n_left_out) == (6, 1)
    assert study.notes[0] == "outcome: yes is 1, no is 0"


def test_a_seed_gives_the_same_values():
    one, other = (un.reliability_study(X, Y, rng=7) for _ in range(2))

    assert one == other
    assert one.signature["seed"] == "7"


@pytest.mark.parametrize(
    ("agreement", "outcome", "more", "why"),
    [
        ([1, 1, 1, 1, 1], [1, 2, 3, 4, 5], {}, "all values of agreement are the same"),
        ([1, 2, 3, 4, 5], [2, 2, 2, 2, 2], {}, "all values of outcome are the same"),
        ([1, 2], [1, 2], {}, "fewer than 5 cases (2 cases)"),
        (X, Y, {"clusters": "aabbccc"}, "fewer than 5 clusters (3 clusters)"),
        (X, Y, {"clusters": "aaaaaaa", "scope": "within"}, "a single cluster"),
        (
            [1, 1, 2, 2, 3, 3],
            [1, 2, 3, 4, 5, 6],
            {"clusters": "aabbcc", "scope": "within"},
            "all values of agreement of each cluster are the same",
        ),
    ],
)
def test_what_cannot_be_related_is_undefined_with_a_reason(agreement, outcome, more, why):
    study = un.reliability_study(agreement, outcome, **more)

    assert math.isnan(study.effect)
    assert math.isnan(study.p_value)
    assert str(study.undefined).startswith(why)


@pytest.mark.parametrize(
    ("agreement", "outcome", "more", "message"),
    [
        ([1, 2], [1], {}, "outcome must have a value for each of the 2 cases; got 1"),
        ([1, 2], [1, 2], {"clusters": "a"}, "clusters must have a value for each of the 2 cases"),
        (["x", 2], [1, 2], {}, "agreement must be finite numbers, or NaN if missing; case 1"),
        ([1, math.inf], [1, 2], {}, "agreement must be finite numbers, or NaN if missing; case 2"),
        (X, Y, {"scope": "within"}, "scope='within' relates cases within clusters; set clusters=…"),
        ([1, 2, 3], ["a", "b", "c"], {}, "outcome must be numbers or two labels; got 3 labels"),
        ([1, 2], [1, 2], {"relation": "curve"}, "unknown relation='curve'; choose one of"),
    ],
)
def test_bad_arguments_are_refused(agreement, outcome, more, message):
    with pytest.raises(un.UnisonoError) as raised:
        un.reliability_study(agreement, outcome, **more)
    assert str(raised.value).startswith(message)


def test_the_test_keeps_its_level_where_clusters_repeat():
    """No relation, strong clusters: about 5 % of tests reject by cluster, far more without."""
    rng = np.random.default_rng(3)
    rejected = np.zeros(2)
    for seed in range(200):
        groups = np.repeat(np.arange(10), 5)
        x, y = (rng.standard_normal(10)[groups] + 0.5 * rng.standard_normal(50) for _ in range(2))
        how: dict[str, Any] = {"permutations": 99, "resamples": 0, "rng": seed}
        studies = (un.reliability_study(x, y, **how, clusters=each) for each in (groups, None))
        rejected += [each.p_value <= 0.05 for each in studies]

    # 200 tests at 5 %: more than 21 rejections have a probability below 0.1 %.
    assert rejected[0] <= 21
    assert rejected[1] > 2 * 21


@pytest.mark.skipif(not can_draw(), reason="needs unisono[plot]")
def test_the_chart_has_a_point_per_case_and_a_line():
    data = reliability_chart(un.reliability_study(X, Y, rng=1)).to_dict()["datasets"]

    assert (len(data["points"]), len(data["line"])) == (7, 2)
    with pytest.raises(un.DataError, match="there is nothing to draw: all values of agreement"):
        reliability_chart(un.reliability_study([1] * 5, [1, 2, 3, 4, 5]))
