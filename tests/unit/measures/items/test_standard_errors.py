"""Standard errors: the published ones, Gwet's formulas in plain loops, and what resamples show."""

import math

import numpy as np
import pytest

import unisono as un

# The R package irrCAC prints these in its README (kgwet/irrCAC, version 1.0); Gwet's data.
RAW4RATERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, None],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
DISTRIB_6RATERS = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0],
    [2, 0, 4, 0, 0], [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0], [1, 1, 0, 4, 0], [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1],
]  # fmt: skip
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


@pytest.mark.parametrize(
    ("measure", "value", "error"),
    [
        (un.percent_agreement, 0.81818, 0.12561),
        (un.gwet_ac, 0.77544, 0.14295),
        (un.fleiss_kappa, 0.76117, 0.15302),
        (un.conger_kappa, 0.76282, 0.14917),
        (un.bennett_s, 0.77273, 0.14472),
    ],
)
def test_errors_with_missing_values_are_those_of_irrcac(measure, value, error):
    result = measure(un.Ratings.from_matrix(RAW4RATERS), missing="items")
    assert result.value == pytest.approx(value, abs=6e-6)
    assert result.standard_error == pytest.approx(error, abs=6e-6)


def test_the_error_of_alpha_with_missing_values_is_that_of_irrcac_1_4():
    # R's irrCAC 1.4 prints .14548 (README.md:252-255); irrCAC 1.0 and irrCAC 0.4.4 for Python have
    # .14557. tests/reference/test_items_of_peers.py derives which one is right.
    result = un.krippendorff_alpha(un.Ratings.from_matrix(RAW4RATERS))
    assert result.value == pytest.approx(0.74342, abs=6e-6)
    assert result.standard_error == pytest.approx(0.14548, abs=6e-6)


@pytest.mark.parametrize("missing", ["values", "items", "pairs", "remove"])
@pytest.mark.parametrize(
    ("measure", "error"),
    [
        (un.gwet_ac, 0.08418757),
        (un.fleiss_kappa, 0.08119291),
        (un.bennett_s, 0.08312142),
    ],
)
def test_errors_without_missing_values_are_those_of_irrcac_under_every_policy(
    measure, error, missing
):
    result = measure(un.Ratings.from_counts(DISTRIB_6RATERS), missing=missing)
    assert result.standard_error == pytest.approx(error, abs=6e-9)


@pytest.mark.parametrize(
    ("measure", "error"),
    [
        (un.cohen_kappa, 0.05891072),
        (un.scott_pi, 0.05905473),
        (un.gwet_ac, 0.04321747),
        (un.bennett_s, 0.04693346),
        (un.krippendorff_alpha, 0.05905473),
        (un.percent_agreement, 0.03128898),
    ],
)
def test_errors_of_two_annotators_are_those_of_the_contingency_table(measure, error):
    # For tables irrCAC divides by n where it divides by n − 1 for raw ratings.
    pairs = [
        (i, j)
        for i, row in enumerate(ABSTRACTORS)
        for j, times in enumerate(row)
        for _ in range(times)
    ]
    result = measure(un.Ratings.from_matrix(np.array(pairs).T))
    assert result.standard_error * math.sqrt(99 / 100) == pytest.approx(error, abs=6e-9)


def weighted_kappa_by_gwet(matrix, n_labels, weights, chance):
    """Gwet (2014), chapter 5: the variance of a weighted coefficient, item by item, no misses."""
    n = len(matrix)
    agreement = []
    for row in matrix:
        m = len(row)
        pairs = [weights[a][b] for i, a in enumerate(row) for j, b in enumerate(row) if i != j]
        agreement.append(sum(pairs) / (m * (m - 1)))
    pa = sum(agreement) / n
    share = [sum(list(row).count(k) / len(row) for row in matrix) / n for k in range(n_labels)]
    if chance == "gwet":
        scale = sum(map(sum, weights)) / (n_labels * (n_labels - 1))
        pe = scale * sum(p * (1 - p) for p in share)
        by_item = [scale * sum(1 - share[k] for k in row) / len(row) for row in matrix]
    else:
        pe = sum(
            weights[k][l] * share[k] * share[l] for k in range(n_labels) for l in range(n_labels)
        )
        by_item = [
            sum(sum(weights[k][l] * share[l] for l in range(n_labels)) for k in row) / len(row)
            for row in matrix
        ]
    kappa = (pa - pe) / (1 - pe)
    linear = [
        (a - pe) / (1 - pe) - 2 * (1 - kappa) * (e - pe) / (1 - pe)
        for a, e in zip(agreement, by_item, strict=True)
    ]
    return math.sqrt(sum((each - kappa) ** 2 for each in linear) / (n * (n - 1)))


@pytest.fixture(scope="module")
def stars():
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 4, size=(60, 1))
    return np.clip(truth + rng.integers(-1, 2, size=(60, 3)), 0, 3)


def test_the_error_of_ac2_is_gwets_formula_in_plain_loops(stars):
    weights = [[1 - (a - b) ** 2 / 9 for b in range(4)] for a in range(4)]
    expected = weighted_kappa_by_gwet(stars, 4, weights, "gwet")
    result = un.gwet_ac(un.Ratings.from_matrix(stars.T), weights="quadratic")
    assert result.standard_error == pytest.approx(expected, rel=1e-9)


def test_the_error_of_interval_alpha_is_that_of_weighted_pi_in_plain_loops(stars):
    weights = [[1 - (a - b) ** 2 / 9 for b in range(4)] for a in range(4)]
    expected = weighted_kappa_by_gwet(stars, 4, weights, "pi")
    result = un.krippendorff_alpha(un.Ratings.from_matrix(stars.T), distance="interval")
    assert result.standard_error == pytest.approx(expected, rel=1e-9)


MEASURES = {
    "percent_agreement": {},
    "krippendorff_alpha": {"distance": "ordinal"},
    "cohen_kappa": {},
    "scott_pi": {},
    "fleiss_kappa": {},
    "conger_kappa": {"weights": "linear"},
    "bennett_s": {},
    "gwet_ac": {},
}


@pytest.mark.parametrize("missing", ["values", "items", "pairs", "remove"])
@pytest.mark.parametrize("name", MEASURES)
def test_errors_are_what_resamples_of_many_items_show(name, missing):
    rng = np.random.default_rng(5)
    n_annotators = 2 if name in ("cohen_kappa", "scott_pi") else 3
    truth = rng.integers(1, 5, size=600)
    noise = rng.integers(-1, 2, size=(n_annotators, 600))
    table = np.clip(truth + noise * (rng.random((n_annotators, 600)) < 0.4), 1, 4).astype(float)
    table[rng.random(table.shape) < 0.15] = np.nan
    ratings = un.Ratings.from_matrix(table)
    settings = {**MEASURES[name], "missing": missing}
    result = un.bootstrap(ratings, name, resamples=1500, rng=1, confidence=0.6827, **settings)
    assert result.interval is not None
    assert result.standard_error is not None
    shown = (result.interval.high - result.interval.low) / 2
    if missing == "items" and name != "krippendorff_alpha":
        # Gwet takes the number of items with a pair as fixed and errs on the safe side.
        assert 0.98 * shown < result.standard_error < 1.17 * shown
    else:
        assert result.standard_error == pytest.approx(shown, rel=0.06)


def test_equal_items_count_as_often_as_they_occur():
    rows = [list("aabbab"), list("abbbaa")]
    once = un.fleiss_kappa(un.Ratings.from_matrix(rows))
    merged = un.fleiss_kappa(un.Ratings.from_matrix(rows).merged())
    assert merged.standard_error == once.standard_error


def test_one_item_and_undefined_values_have_no_error():
    assert un.bennett_s(un.Ratings.from_matrix([["a"], ["b"]])).standard_error is None
    alike = un.Ratings.from_matrix([["a", "a"], ["a", "a"]])
    assert un.krippendorff_alpha(alike).standard_error is None
    one_pair = un.Ratings.from_matrix([["a", "b", "a"], ["b", None, None]])
    assert un.krippendorff_alpha(one_pair).standard_error is None


def test_perfect_agreement_has_no_error():
    result = un.krippendorff_alpha(un.Ratings.from_matrix([list("abcab"), list("abcab")]))
    assert result.standard_error == pytest.approx(0.0, abs=1e-12)
