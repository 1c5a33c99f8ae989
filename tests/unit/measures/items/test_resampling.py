"""The bootstrap over items, against resamples written out item by item, and Krippendorff's own."""

import math
from statistics import NormalDist
from typing import get_args

import numpy as np
import pytest

import unisono as un
from unisono.measures.items.coefficients import KrippendorffAlpha
from unisono.measures.items.resampling import (
    Method,
    krippendorff_resamples,
    observed_pairs,
    resampled_values,
)
from unisono.measures.sampling import ItemDraws

# Krippendorff (2011), section C: 4 observers, 12 units.
KRIPPENDORFF_C = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def alpha_item_by_item(items):
    """α with the nominal distance: coincidences of each item, one pair after the other."""
    coincidences: dict[tuple[int, int], float] = {}
    for item in items:
        for i, a in enumerate(item):
            for j, b in enumerate(item):
                if i != j:
                    coincidences[a, b] = coincidences.get((a, b), 0.0) + 1 / (len(item) - 1)
    totals: dict[int, float] = {}
    for (a, _), weight in coincidences.items():
        totals[a] = totals.get(a, 0.0) + weight
    n = sum(totals.values())
    observed = sum(weight for (a, b), weight in coincidences.items() if a != b) / n
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b) / (n * (n - 1))
    return 1 - observed / expected if expected else math.nan


def resampled_item_by_item(ratings, n, seed):
    """Draw the same resamples, and write every item down."""
    merged = ratings.merged()
    rows = [
        tuple(merged.label_codes[merged.offsets[r] : merged.offsets[r + 1]].tolist())
        for r in range(len(merged.times))
    ]
    drawn = ItemDraws(merged.times, seed, 1).counts(0, n).astype(int)
    return [
        alpha_item_by_item(
            [row for row, times in zip(rows, each, strict=True) for _ in range(times)]
        )
        for each in drawn
    ]


@pytest.fixture
def ratings():
    return un.Ratings.from_matrix(KRIPPENDORFF_C)


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, size=150)
    table = np.where(rng.random((3, 150)) < 0.3, rng.integers(0, 3, (3, 150)), truth).astype(float)
    table[rng.random(table.shape) < 0.1] = np.nan
    return table


def ends(result):
    assert result.interval is not None
    return result.interval.low, result.interval.high


def test_percentile_interval_is_that_of_items_written_out(ratings):
    result = un.bootstrap(ratings, un.krippendorff_alpha, resamples=200, rng=7, confidence=0.9)
    values = resampled_item_by_item(ratings, 200, 7)
    assert ends(result) == pytest.approx(np.quantile(values, [0.05, 0.95]), rel=1e-12)
    assert result.value == un.krippendorff_alpha(ratings).value


def test_bca_interval_is_that_of_items_written_out(ratings):
    result = un.bootstrap(
        ratings, un.krippendorff_alpha, resamples=400, rng=7, confidence=0.9, method="bca"
    )
    values = np.array(resampled_item_by_item(ratings, 400, 7))
    columns = [[v for v in item if v is not None] for item in zip(*KRIPPENDORFF_C, strict=True)]
    without = np.array(
        [alpha_item_by_item(columns[:i] + columns[i + 1 :]) for i in range(len(columns))]
    )
    moves = without.mean() - without
    skewness = (moves**3).sum() / (6 * (moves**2).sum() ** 1.5)
    normal = NormalDist()
    alike = np.isclose(values, result.value)
    bias = normal.inv_cdf(((values < result.value) & ~alike).mean() + alike.mean() / 2)
    shares = []
    for tail in (0.05, 0.95):
        shift = bias + normal.inv_cdf(tail)
        shares.append(normal.cdf(bias + shift / (1 - skewness * shift)))
    # The acceleration comes from derivatives, the jackknife's from whole items.
    assert ends(result) == pytest.approx(np.quantile(values, shares), abs=0.02)
    assert result.interval is not None
    assert result.interval.method == "bootstrap bca"


@pytest.mark.parametrize("method", ["percentile", "bca", "krippendorff"])
def test_the_order_of_items_and_annotators_and_merging_move_nothing(many, method):
    rng = np.random.default_rng(9)
    shuffled = many[:, rng.permutation(150)]
    first = un.bootstrap(un.Ratings.from_matrix(many), "alpha", resamples=300, rng=5, method=method)
    for table in (shuffled, shuffled[:, ::-1]):
        ratings = un.Ratings.from_matrix(table)
        for variant in (ratings, ratings.merged()):
            again = un.bootstrap(variant, "alpha", resamples=300, rng=5, method=method)
            assert again == first


def test_how_many_resamples_stand_in_memory_moves_nothing(many):
    ratings = un.Ratings.from_matrix(many).merged()
    prepared, draws = KrippendorffAlpha().prepare(ratings), ItemDraws(ratings.times, 5)
    usual, few = (resampled_values(prepared, draws, 100, at_once=size) for size in (None, 300))
    # Up to rounding: sums of other shapes are added in another order.
    assert few == pytest.approx(usual, rel=1e-13)


def test_how_many_draws_of_pairs_stand_in_memory_moves_nothing(many):
    ratings = un.Ratings.from_matrix(many).merged()
    pairs = observed_pairs(ratings, KrippendorffAlpha())
    usual, few = (
        krippendorff_resamples(pairs, ratings, 0.6, n=100, seed=5, stream=2, at_once=size)
        for size in (None, 20)
    )
    assert few == pytest.approx(usual, rel=1e-13)


def test_the_seed_decides_and_is_written_down(ratings):
    first = un.bootstrap(ratings, "alpha", resamples=50, rng=5)
    assert un.bootstrap(ratings, "alpha", resamples=50, rng=5) == first
    assert ends(un.bootstrap(ratings, "alpha", resamples=50, rng=6)) != ends(first)
    assert first.signature["seed"] == "5"
    unseeded = un.bootstrap(ratings, "alpha", resamples=50)
    again = un.bootstrap(ratings, "alpha", resamples=50, rng=int(unseeded.signature["seed"]))
    assert again == unseeded


def test_one_seed_is_drawn_from_a_generator(ratings):
    rng = np.random.default_rng(3)
    first, second = (un.bootstrap(ratings, "alpha", resamples=50, rng=rng) for _ in range(2))
    assert first.signature["seed"] != second.signature["seed"]


def test_the_signature_tells_all_that_moves_the_interval(ratings):
    result = un.bootstrap(
        ratings, "alpha", resamples=50, rng=5, confidence=0.9, method="bca", distance="ordinal"
    )
    signature = result.signature
    texts = [
        signature[name] for name in ("distance", "bootstrap", "confidence", "resamples", "seed")
    ]
    assert texts == ["ordinal", "bca", "0.9", "50", "5"]
    assert list(signature)[-2:] == ["data", "v"]
    assert un.results.Signature.parse(str(signature)) == signature


def test_names_and_functions_mean_the_same_measure(ratings):
    by_name = un.bootstrap(ratings, "Siegel-Castellan", resamples=50, rng=5, missing="items")
    assert by_name == un.bootstrap(ratings, un.fleiss_kappa, resamples=50, rng=5, missing="items")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("percent_agreement", {}),
        ("krippendorff_alpha", {"distance": "interval"}),
        ("cohen_kappa", {}),
        ("fleiss_kappa", {"missing": "pairs"}),
        ("conger_kappa", {"weights": "linear"}),
        ("bennett_s", {}),
        ("gwet_ac", {"weights": "quadratic"}),
    ],
)
def test_intervals_hold_their_value_and_narrow_with_the_root_of_the_number_of_items(
    many, name, settings
):
    ratings = un.Ratings.from_matrix(many)
    tenfold = un.Ratings.from_matrix(np.tile(many, 10))
    small = un.bootstrap(ratings, name, resamples=800, rng=5, **settings)
    large = un.bootstrap(tenfold, name, resamples=800, rng=5, **settings)
    low, high = ends(small)
    assert low < small.value < high
    narrower = (high - low) / (ends(large)[1] - ends(large)[0])
    assert narrower == pytest.approx(math.sqrt(10), rel=0.15)


def test_perfect_agreement_has_an_interval_of_no_width():
    ratings = un.Ratings.from_matrix([list("aabbcc"), list("aabbcc")])
    for method in ("percentile", "bca", "krippendorff"):
        result = un.bootstrap(ratings, "alpha", resamples=200, rng=5, method=method)
        assert ends(result) == (1.0, 1.0)


def test_resamples_without_a_value_are_counted():
    ratings = un.Ratings.from_matrix([list("aaaab"), list("aaaab")])
    result = un.bootstrap(ratings, "alpha", resamples=500, rng=5)
    # (4/5)⁵ of resamples hold no b.
    left_out = int(result.notes[-1].split()[0])
    assert left_out / 500 == pytest.approx(0.8**5, abs=0.08)
    assert result.notes[-1] == f"{left_out} of 500 resamples have no value and are left out"


def test_too_few_defined_resamples_give_no_interval():
    ratings = un.Ratings.from_matrix([["a"] * 60 + ["b"], ["a"] * 60 + ["b"]])
    seed = next(
        seed
        for seed in range(100)
        if (ItemDraws(ratings.merged().times, seed, 1).counts(0, 1) == 0).any()
    )
    result = un.bootstrap(ratings, "alpha", resamples=1, rng=seed)
    assert result.interval is None
    assert result.notes[-1] == "no interval: too few resamples have a value"
    assert result.value == 1.0


def test_an_undefined_coefficient_keeps_its_reason():
    ratings = un.Ratings.from_matrix([list("aaaa"), list("aaaa")])
    result = un.bootstrap(ratings, "alpha", resamples=20, rng=5)
    assert math.isnan(result.value)
    assert result.undefined == un.krippendorff_alpha(ratings).undefined
    assert result.interval is None
    assert result.signature["resamples"] == "20"


def test_bca_states_when_it_cannot_correct():
    # With two resamples it happens often that both lie on one side of the value.
    ratings = un.Ratings.from_matrix(KRIPPENDORFF_C)
    results = [un.bootstrap(ratings, "alpha", resamples=2, rng=i, method="bca") for i in range(20)]
    told = [result.notes[-1] for result in results if result.interval is None]
    assert told
    assert all("choose the method percentile" in note for note in told)


def test_krippendorffs_bootstrap_is_that_of_the_package_icr(ratings):
    # The README of the R package icr prints for these data, 20,000 resamples: mean .721, standard
    # error .074, 2.5 % quantile .572, and how often α lies above .9, .8, .7, .67, .6 and .5.
    merged = ratings.merged()
    values = krippendorff_resamples(
        observed_pairs(merged, KrippendorffAlpha()),
        merged,
        un.krippendorff_alpha(ratings).expected,
        n=8000,
        seed=1,
        stream=2,
    )
    assert values.mean() == pytest.approx(0.721, abs=0.0025)
    assert values.std() == pytest.approx(0.074, abs=0.0015)
    # A quarter of a per cent of the resamples decides which of two steps the 2.5 % quantile is.
    low, high = np.quantile(values, [0.02, 0.03])
    assert low < 0.5724 + 1e-4
    assert high == pytest.approx(0.572, abs=0.001)
    shares = [(values > least).mean() for least in (0.9, 0.8, 0.7, 0.67, 0.6, 0.5)]
    assert shares == pytest.approx([0.003, 0.135, 0.644, 0.740, 0.942, 0.997], abs=0.016)


def test_krippendorffs_bootstrap_draws_one_deviation_for_each_pair():
    # Written out: pairs of items of 2 and of 3 values, drawn from all pairs, 1/(m − 1) each.
    table: list[list[int | None]] = [
        [1, 2, 3, 3, None],
        [1, 4, 3, 2, 2],
        [None, None, 3, 3, 1],
    ]
    ratings = un.Ratings.from_matrix(table)
    expected = un.krippendorff_alpha(ratings, distance="interval").expected
    items = [[v for v in item if v is not None] for item in zip(*table, strict=True)]
    pairs = [(a - b) ** 2 for item in items for i, a in enumerate(item) for b in item[i + 1 :]]
    sizes = [(len(item), len(item) * (len(item) - 1) // 2) for item in items]
    n = sum(len(item) for item in items)
    rng = np.random.default_rng(4)
    plain = [
        1
        - sum(2 * rng.choice(pairs) / (m - 1) for m, count in sizes for _ in range(count))
        / (n * expected)
        for _ in range(4000)
    ]
    merged = ratings.merged()
    coefficient = KrippendorffAlpha(distance="interval")
    values = krippendorff_resamples(
        observed_pairs(merged, coefficient), merged, expected, n=4000, seed=1, stream=2
    )
    clipped = np.maximum(plain, -1)
    assert values.mean() == pytest.approx(clipped.mean(), abs=0.03)
    assert values.std() == pytest.approx(clipped.std(), rel=0.06)
    assert values.min() >= -1.0


def simulated(rng, n_items):
    """Three annotators who are right with probability 0.8 and guess otherwise."""
    truth = rng.choice(3, size=n_items, p=[0.5, 0.3, 0.2])
    guesses = rng.choice(3, size=(3, n_items), p=[0.5, 0.3, 0.2])
    return np.where(rng.random((3, n_items)) < 0.8, truth, guesses)


def test_intervals_hold_the_true_value_about_as_often_as_they_state():
    # Labels of a guess are those of the truth, so α of infinitely many items is 0.8².
    rng = np.random.default_rng(6)
    held = dict.fromkeys(get_args(Method), 0)
    for _ in range(100):
        ratings = un.Ratings.from_matrix(simulated(rng, 60))
        for method in held:
            result = un.bootstrap(
                ratings,
                "alpha",
                resamples=200,
                rng=1,
                confidence=0.9,
                method=method,
                by_label=False,
            )
            low, high = ends(result)
            held[method] += low <= 0.64 <= high
    # 100 intervals of 90 %: the standard error of the share is 3 %.
    assert held["percentile"] / 100 == pytest.approx(0.89, abs=0.08)
    assert held["bca"] / 100 == pytest.approx(0.89, abs=0.08)
    # It takes pairs of an item for independent, as its docstring warns.
    assert held["krippendorff"] < held["percentile"]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"resamples": 0}, un.SettingError, "resamples must be 1 or more, got 0"),
        ({"resamples": 2.5}, TypeError, "resamples must be a whole number, got 2.5"),
        ({"confidence": 95}, un.SettingError, "confidence must lie between 0 and 1"),
        ({"method": "bayes"}, un.SettingError, "unknown method='bayes'; choose one of"),
        ({"rng": -1}, un.SettingError, "a seed must be an integer of 0 or more"),
        ({"weights": "linear"}, TypeError, "krippendorff_alpha has no setting 'weights'"),
        ({"distance": "far"}, un.SettingError, "far"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(ratings, settings, error, message):
    with pytest.raises(error, match=message):
        un.bootstrap(ratings, "alpha", **settings)


def test_invalid_ratings_and_measures_are_refused(ratings):
    with pytest.raises(TypeError, match="bootstrap takes Ratings, got list"):
        un.bootstrap(KRIPPENDORFF_C, "alpha")  # type: ignore[arg-type]
    with pytest.raises(un.SettingError, match="unknown measure 'alfa'; choose one of"):
        un.bootstrap(ratings, "alfa")
    with pytest.raises(un.SettingError, match="is a bootstrap of krippendorff_alpha, not of"):
        un.bootstrap(ratings, "fleiss", method="krippendorff")
