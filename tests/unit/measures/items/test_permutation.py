"""Permutation tests, against every order of the labels written out."""

import itertools
import math

import numpy as np
import pytest

import unisono as un
from rating_changes import with_label_codes
from unisono.measures.items.resampling import Relabelled, _Shuffles, each_item
from unisono.measures.items.table import coefficient_of, item_measure
from unisono.measures.sampling import Dice

ANN, BOB = list("aabbc"), list("aabcc")


def equal_share(left, right):
    return sum(a == b for a, b in zip(left, right, strict=True)) / len(left)


def test_the_p_value_is_the_share_of_all_orders_that_agree_as_much():
    found = equal_share(ANN, BOB)
    orders = [equal_share(ANN, order) >= found for order in itertools.permutations(BOB)]
    exact = sum(orders) / len(orders)
    ratings = un.Ratings.from_matrix([ANN, BOB])
    result = un.permutation_test(ratings, "percent_agreement", permutations=3000, rng=1)
    assert result.p_value == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 3000))


def test_the_p_value_counts_the_data_themselves():
    ratings = un.Ratings.from_matrix([list("abcdefgh")] * 3)
    assert un.permutation_test(ratings, "alpha", permutations=99, rng=1).p_value == 1 / 100


def test_shuffles_that_are_equal_to_the_data_up_to_rounding_count():
    # Every order of these labels gives the same value.
    ratings = un.Ratings.from_matrix([list("aaaa"), list("aabb"), list("aaaa")])
    assert un.permutation_test(ratings, "alpha", permutations=50, rng=1).p_value == 1.0


def test_each_annotator_keeps_items_and_labels():
    rng = np.random.default_rng(3)
    table = rng.integers(0, 4, size=(3, 40)).astype(float)
    table[rng.random(table.shape) < 0.3] = np.nan
    items = each_item(un.Ratings.from_matrix(table))
    shuffled = with_label_codes(items, _Shuffles(items).labels(Dice(1)))
    before, after = items.matrix(), shuffled.matrix()
    assert not np.array_equal(before, after)
    assert np.array_equal(before < 0, after < 0)
    assert np.array_equal(np.sort(before, axis=0), np.sort(after, axis=0))


def test_every_order_is_as_likely():
    items = each_item(un.Ratings.from_matrix([[1, 2, 3], [1, 1, 1]]))
    shuffles = _Shuffles(items)
    seen = [tuple(shuffles.labels(Dice(5, i)).tolist()) for i in range(1200)]
    counts = [seen.count(order) for order in set(seen)]
    assert len(counts) == 6
    assert sum((count - 200) ** 2 / 200 for count in counts) < 20.5  # χ² of 5, p = 0.001


def test_annotators_who_guess_have_every_p_value_as_often():
    rng = np.random.default_rng(4)
    p_values = [
        un.permutation_test(un.Ratings.from_matrix(table), "fleiss", permutations=39, rng=1).p_value
        for table in rng.integers(0, 3, size=(100, 3, 20))
    ]
    assert np.mean(np.array(p_values) <= 0.05) == pytest.approx(0.05, abs=0.07)
    assert np.mean(np.array(p_values) <= 0.5) == pytest.approx(0.5, abs=0.16)


def test_the_order_of_items_and_merging_move_nothing():
    rng = np.random.default_rng(5)
    table = rng.integers(0, 3, size=(3, 30))
    ratings = un.Ratings.from_matrix(table)
    first = un.permutation_test(ratings, "conger", permutations=60, rng=2)
    for other in (un.Ratings.from_matrix(table[:, ::-1]), ratings.merged()):
        assert un.permutation_test(other, "conger", permutations=60, rng=2) == first


def test_the_signature_tells_seed_and_number():
    ratings = un.Ratings.from_matrix([ANN, BOB])
    signature = un.permutation_test(ratings, "alpha", permutations=20, rng=8).signature
    assert (signature["permutations"], signature["seed"]) == ("20", "8")
    assert list(signature)[-2:] == ["data", "v"]


def test_labels_of_unknown_annotators_are_shuffled_together():
    ratings = un.Ratings.from_counts([[3, 0], [0, 3], [3, 0], [1, 2], [0, 3], [3, 0]])
    result = un.permutation_test(ratings, "fleiss", permutations=199, rng=1)
    assert result.p_value is not None
    assert result.p_value < 0.02
    assert "shuffled together" in result.notes[-1]


def test_shuffles_without_a_value_are_left_out_and_counted():
    # When ann's only b moves to an item that bob did not rate, all that can be compared is a.
    ratings = un.Ratings.from_matrix([["b", "a", "a", "a"], ["a", None, None, None]])
    result = un.permutation_test(ratings, "alpha", permutations=300, rng=1)
    left_out = int(result.notes[-1].split()[0])
    assert left_out / 300 == pytest.approx(3 / 4, abs=0.1)
    assert result.notes[-1] == f"{left_out} of 300 shuffles have no value and are left out"
    assert result.p_value == 1.0


def test_an_undefined_coefficient_has_no_p_value():
    result = un.permutation_test(
        un.Ratings.from_matrix([["a", "a"], ["a", "a"]]), "alpha", permutations=5
    )
    assert result.undefined
    assert result.p_value is None


def test_too_many_ratings_to_shuffle_are_refused(monkeypatch):
    monkeypatch.setattr("unisono.measures.items.resampling._MOST_RATINGS", 9)
    with pytest.raises(un.DataError, match="10 are more than 9; use a sample of the items"):
        un.permutation_test(un.Ratings.from_matrix([ANN, BOB]), "alpha")


def test_settings_that_cannot_be_used_are_refused():
    ratings = un.Ratings.from_matrix([ANN, BOB])
    with pytest.raises(un.SettingError, match="permutations must be 1 or more"):
        un.permutation_test(ratings, "alpha", permutations=0)
    with pytest.raises(TypeError, match="permutation_test takes Ratings, got list"):
        un.permutation_test([ANN, BOB], "alpha")  # type: ignore[arg-type]
    with pytest.raises(un.SettingError, match="unknown measure"):
        un.permutation_test(ratings, "alfa")


# The quick ways of counting, against the coefficient itself

MEASURES = [
    ("percent", {}, "num"),
    ("alpha", {}, "num"),
    ("alpha", {"distance": "ordinal"}, "num"),
    ("alpha", {"distance": "interval"}, "num"),
    ("alpha", {"distance": "circular:7"}, "num"),
    ("alpha", {"distance": "ratio"}, "num"),
    ("alpha", {"distance": "masi"}, "set"),
    ("cohen", {}, "num"),
    ("cohen", {"weights": "linear"}, "num"),
    ("conger", {}, "num"),
    ("conger", {"weights": "masi"}, "set"),
    ("fleiss", {}, "num"),
    ("bennett", {"weights": "quadratic"}, "num"),
    ("gwet", {"weights": "linear", "order": (0, 1, 2, 3, 4)}, "num"),
]
SETS = [frozenset(), frozenset("a"), frozenset("ab"), frozenset("bc")]


@pytest.mark.parametrize("missing", ["values", "items", "pairs", "remove"])
@pytest.mark.parametrize("n_annotators", [2, 5, 18])
@pytest.mark.parametrize(("measure", "settings", "kind"), MEASURES)
def test_shuffled_labels_are_measured_as_any_others(measure, settings, kind, n_annotators, missing):
    rng = np.random.default_rng(n_annotators)
    table = rng.integers(0, 4, size=(n_annotators, 12)).tolist()
    given = [
        [None if rng.random() < 0.05 else SETS[cell] if kind == "set" else cell for cell in row]
        for row in table
    ]
    items = each_item(un.Ratings.from_matrix(given))
    relabelled = Relabelled(coefficient_of(measure, {**settings, "missing": missing}), items)
    shuffles = _Shuffles(items)
    for i in range(3):
        codes = shuffles.labels(Dice(i))
        expected = item_measure(measure).load()(
            with_label_codes(items, codes), **settings, missing=missing, by_pair=False
        )
        assert relabelled.value(codes) == pytest.approx(expected.value, abs=1e-12, nan_ok=True)


def test_nothing_is_prepared_anew_for_each_shuffle(monkeypatch):
    monkeypatch.setattr(Relabelled, "_anew", None)
    items = each_item(un.Ratings.from_matrix([list("aabbc"), list("aabcc"), list("abbcc")]))
    for measure in ("percent", "alpha", "cohen", "conger", "fleiss", "bennett", "gwet"):
        relabelled = Relabelled(coefficient_of(measure, {}), items)
        assert not math.isnan(relabelled.value(items.label_codes))


def test_too_many_meetings_are_counted_anew():
    items = each_item(un.Ratings.from_matrix([ANN, BOB, BOB[::-1]]))
    cohen = coefficient_of("cohen", {})
    kept = Relabelled(cohen, items).value(items.label_codes)
    anew = Relabelled(cohen, items, most_meetings=0).value(items.label_codes)
    assert anew == pytest.approx(kept) == un.cohen_kappa(items).value


def test_very_many_labels_are_shuffled_too():
    items = each_item(un.Ratings.from_matrix([list("abcdef"), list("aabbcc")]))
    shuffled = with_label_codes(items, _Shuffles(items, fine=64).labels(Dice(2)))
    assert np.array_equal(np.sort(items.matrix(), axis=0), np.sort(shuffled.matrix(), axis=0))
