"""κ, π, S and AC: how they are called, what they refuse, and what they do with many labels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import items_oracle as oracle
from unisono.errors import DataError, SettingError
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.items import annotator_pairs
from unisono.measures.items.annotator_pairs import Met
from unisono.measures.items.coefficients import (
    CohenKappa,
    CongerKappa,
    Corrected,
    MeanOfPairs,
    OfEachAnnotator,
    Pairwise,
    pairable,
)
from unisono.measures.items.engine import Work, measured
from unisono.measures.items.kappas import (
    bennett_s,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    percent_agreement,
    scott_pi,
)
from unisono.measures.items.metrics import Ranked
from unisono.measures.items.rows import RowSums
from unisono.measures.items.table import coefficient_of
from unisono.model.ratings import Ratings

ABC = Ratings.from_matrix(
    {"ann": list("aabbcc"), "bob": list("aabbca"), "cem": ["a", "b", "b", "b", "c", None]}
)
SCORES = Ratings.from_matrix([[1, 2, 3, 3, 1, 2], [1, 3, 3, 2, 1, 2], [2, 2, 3, 3, None, 1]])
COUNTS = Ratings.from_counts([[3, 0], [1, 2], [0, 3]], labels=("yes", "no"))


def test_kappa_of_three_annotators_is_the_mean_over_pairs():
    kappa = cohen_kappa(ABC)
    pairs = kappa.by_pair.values()
    assert list(kappa.by_pair) == [("ann", "bob"), ("ann", "cem"), ("bob", "cem")]
    assert kappa.value == pytest.approx(sum(pair.value for pair in pairs) / 3)
    assert kappa.observed == pytest.approx(sum(pair.observed for pair in pairs) / 3)
    assert kappa.expected == pytest.approx(sum(pair.expected for pair in pairs) / 3)
    assert "the mean over 3 pairs of annotators (Light's κ)" in kappa.notes
    assert kappa.standard_error is None


def test_kappa_of_two_annotators_has_a_standard_error_and_no_note():
    kappa = cohen_kappa(ABC.only(annotators=("ann", "bob")))
    assert not any("pairs of annotators" in note for note in kappa.notes)
    assert kappa.standard_error is not None


def test_pairs_without_a_common_item_are_left_out_and_noted():
    apart = Ratings.from_matrix(
        [["a", "b", "b", None, None], ["a", "b", "a", "a", "b"], [None, None, None, "a", "a"]]
    )
    kappa = cohen_kappa(apart)
    assert list(kappa.by_pair) == [("1", "2"), ("2", "3")]
    assert "1 pair of annotators without a common item left out" in kappa.notes


def test_a_pair_without_a_value_leaves_the_mean_without_one():
    kappa = cohen_kappa(Ratings.from_matrix([list("aab"), list("aaa"), list("aaa")]))
    assert math.isnan(kappa.value)
    assert "the values of '2' and '3'" in str(kappa.undefined)
    assert kappa.by_pair["2", "3"].undefined == "chance never disagrees on the values of the two"
    assert kappa.by_pair["1", "2"].value == 0.0


def test_two_annotators_without_observed_or_expected_agreement_have_0():
    assert cohen_kappa(Ratings.from_matrix([["a", "a"], ["b", "b"]])).value == 0.0


def test_a_label_has_the_mean_over_the_pairs_that_use_it():
    kappa = cohen_kappa(ABC)
    found = [
        oracle.cohen(
            [
                {who: "c" if label == "c" else "other" for who, label in item.items()}
                for item in (
                    {"x": x, "y": y}
                    for x, y in zip(ABC.matrix()[:, i], ABC.matrix()[:, j], strict=True)
                    if x >= 0 and y >= 0
                )
                for item in [{w: "abc"[v] for w, v in item.items()}]
            ],
            "x",
            "y",
        )[2]
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    assert kappa.by_label["c"].value == pytest.approx(np.mean([f for f in found if f is not None]))


def test_open_sets_of_labels_are_counted_without_a_table():
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 40_000, (2, 50_000))
    labels[1] = np.where(rng.random(50_000) < 0.5, labels[0], labels[1])
    one, other = (np.bincount(row, minlength=40_000) / 50_000 for row in labels)
    agreed, chance = (labels[0] == labels[1]).mean(), one @ other
    kappa = cohen_kappa(Ratings.from_matrix(labels))
    assert kappa.value == pytest.approx((agreed - chance) / (1 - chance), rel=1e-12)
    assert kappa.by_label == {}


def test_labels_beyond_a_thousand_are_given_when_requested():
    numbers = [list(range(1001)), [*range(1000), 0]]
    assert len(cohen_kappa(Ratings.from_matrix(numbers), by_label=True).by_label) == 1001
    assert fleiss_kappa(Ratings.from_matrix(numbers)).by_label == {}


def test_pairs_of_more_than_thirty_annotators_are_given_when_requested():
    many = Ratings.from_matrix([[1, 2]] * 31)
    assert fleiss_kappa(many).by_pair == {}
    assert len(fleiss_kappa(many, by_pair=True).by_pair) == 31 * 30 // 2


class SomeAtATime(Pairwise):
    """Keeps nothing that can be found again, and counts one cell or label at a time."""

    def on(self, rows, metric):
        usual = super().on(rows, metric)
        if isinstance(usual, MeanOfPairs):
            chosen = pairable(rows, self.missing)
            met = Met(rows, chosen, cells_at_a_time=1, largest_look_up=0, most_kept=0)
            return replace(usual, met=met, cells_at_a_time=1, widest_features=0)
        assert isinstance(usual, Corrected)
        assert isinstance(usual.chance, OfEachAnnotator)
        sums, chance = usual.sums, replace(usual.chance, cells_at_a_time=1)
        few = RowSums(rows, sums._columns, sums.n_columns, sums.weights, largest_features=0)
        return replace(usual, sums=few, chance=chance)


@pytest.mark.parametrize("weights", [None, "quadratic", "ratio"])
@pytest.mark.parametrize(
    ("measure", "formula"), [(cohen_kappa, CohenKappa), (conger_kappa, CongerKappa)]
)
def test_large_data_are_counted_some_at_a_time(measure, formula, weights):
    expected = measure(SCORES, weights=weights)
    influence = coefficient_of(measure, {"weights": weights}).prepare(SCORES)
    moves = influence.influence(SCORES.times.astype(float))
    kappa = type("Sparing", (SomeAtATime, formula), {})(weights=weights)
    found = measured(kappa, Work(SCORES, cells_at_a_time=1))
    assert found.value == pytest.approx(expected.value)
    assert {pair: each.value for pair, each in found.by_pair.items()} == pytest.approx(
        {pair: each.value for pair, each in expected.by_pair.items()}
    )
    again = kappa.prepare(SCORES)
    assert again.features is None
    assert again.influence(SCORES.times.astype(float)).value == pytest.approx(moves.value)
    many = again.parts(np.tile(SCORES.times.astype(float), (2, 2, 1)))
    assert many.value == pytest.approx(expected.value * np.ones((2, 2)))


def test_few_meetings_among_many_labels_are_counted_by_those_that_occur():
    rng = np.random.default_rng(2)
    table = np.where(rng.random((60, 50)) < 0.1, rng.integers(0, 2000, (60, 50)), -1)
    who, item = np.nonzero(table >= 0)
    sparse = Ratings.from_columns(who.astype(str), item, table[who, item] % 7 + 1000 * (item % 2))
    labels = [
        {str(w): int(table[w, i] % 7 + 1000 * (i % 2)) for w in range(60) if table[w, i] >= 0}
        for i in range(50)
    ]
    expected = oracle.light([each for each in labels if each], "values", 60)
    usual = coefficient_of(cohen_kappa, {}).prepare(sparse)
    assert isinstance(usual, MeanOfPairs)
    by_those = replace(usual, few_margins=0)
    assert usual.is_dense
    assert not by_those.is_dense
    for prepared in (usual, by_those):
        found = prepared.parts(sparse.times.astype(float))
        assert found.observed == pytest.approx(expected[0])
        assert found.expected == pytest.approx(expected[1])


def test_more_margins_than_fit_are_refused(monkeypatch):
    monkeypatch.setattr(annotator_pairs, "_MOST_MARGINS", 2)
    with pytest.raises(DataError, match="κ of 3 pairs of annotators over 3 labels does not fit"):
        cohen_kappa(ABC)


# Weights


def test_quadratic_weights_go_by_rank_and_interval_by_number():
    gaps = SCORES.rename(labels={3: 9})
    for measure in (cohen_kappa, conger_kappa, bennett_s, gwet_ac):
        by_rank = measure(gaps, weights="quadratic")
        assert by_rank.value == measure(SCORES, weights="quadratic").value
        assert by_rank.value != measure(gaps, weights="interval").value
        assert by_rank.notes[0] == (
            "ranks are those of the labels in use, which have gaps; see order=…"
        )
    assert cohen_kappa(gaps, weights="quadratic", order=range(1, 10)).value == pytest.approx(
        cohen_kappa(gaps, weights="interval").value
    )


def test_an_order_counts_unused_categories():
    assert bennett_s(ABC, order=["a", "b", "c", "d", "e"]).signature["categories"] == "5"
    used = gwet_ac(SCORES, weights="linear")
    whole = gwet_ac(SCORES, weights="linear", order=[0, 1, 2, 3, 4])
    assert used.value != whole.value
    assert whole.signature["weights"] == "linear[0<1<2<3<4]"


def test_an_order_that_nothing_follows_is_refused():
    with pytest.raises(SettingError, match="order= applies to weights by rank"):
        cohen_kappa(SCORES, order=[1, 2, 3])
    with pytest.raises(SettingError, match="order= applies to weights by rank"):
        conger_kappa(SCORES, weights="interval", order=[1, 2, 3])


def test_weights_that_do_not_cover_a_label_are_refused():
    near = DistanceMatrix(["a", "b"], [[0, 0.5], [0.5, 0]])
    with pytest.raises(DataError, match="the distance matrix does not have the label 'c'"):
        cohen_kappa(ABC, weights=near)


def test_weighted_coefficients_have_no_values_of_labels():
    assert conger_kappa(SCORES, weights="linear").by_label == {}
    assert list(conger_kappa(SCORES).by_label) == [1, 2, 3]


def test_ranks_must_be_fitted_before_they_weigh():
    coefficient = coefficient_of("gwet_ac", {})
    with pytest.raises(TypeError, match="must be converted"):
        coefficient.on(None, Ranked(np.arange(2)))  # type: ignore[arg-type]


# Categories


def test_more_categories_raise_s():
    assert bennett_s(ABC, categories=6).value > bennett_s(ABC).value
    assert bennett_s(ABC, categories=3).value == bennett_s(ABC).value


def test_fewer_categories_than_labels_are_refused():
    with pytest.raises(DataError, match="categories=2 is fewer than the 3 labels"):
        gwet_ac(ABC, categories=2)


@pytest.mark.parametrize("categories", [2.0, True])
def test_categories_are_a_whole_number(categories):
    with pytest.raises(TypeError, match="categories must be a whole number"):
        bennett_s(ABC, categories=categories)


def test_weights_need_categories_by_name():
    with pytest.raises(SettingError, match=r"list them with order=… instead of categories=5"):
        bennett_s(SCORES, weights="linear", categories=5)


def test_one_category_is_undefined_until_the_others_are_given():
    one = Ratings.from_matrix([["a", "a"], ["a", "a"]])
    for measure in (bennett_s, gwet_ac):
        assert "only one category" in str(measure(one).undefined)
        assert measure(one, categories=2).value == 1.0


def test_a_label_alone_makes_two_categories_of_s():
    of_label = bennett_s(ABC).by_label["a"]
    assert of_label.expected == 0.5
    renamed = ABC.rename(labels={"b": "other", "c": "other"})
    assert of_label.value == pytest.approx(bennett_s(renamed).value)


# Who is counted


def test_counts_do_not_distinguish_annotators():
    for measure in (cohen_kappa, conger_kappa):
        assert "without the annotator of each label" in str(measure(COUNTS).undefined)
    assert fleiss_kappa(COUNTS).value == pytest.approx(0.55)
    assert fleiss_kappa(COUNTS).by_pair == {}


def test_counts_of_one_value_each_have_no_pair():
    assert fleiss_kappa(Ratings.from_counts([[1, 0], [0, 1]])).undefined == (
        "no item has two values or more"
    )


def test_scotts_pi_is_for_two_annotators():
    assert "Fleiss' κ is for more" in str(scott_pi(ABC).undefined)
    two = ABC.only(annotators=("ann", "bob"))
    assert scott_pi(two).value == fleiss_kappa(two).value


def test_annotators_who_rated_nothing_do_not_count_by_chance_but_are_noted():
    two = {"ann": list("aab"), "bob": list("abb")}
    with_eve = Ratings.from_matrix({**two, "eve": [None] * 3})
    for measure in (conger_kappa, cohen_kappa, scott_pi, percent_agreement):
        assert measure(with_eve).value == measure(Ratings.from_matrix(two)).value
        assert "eve rated nothing" in measure(with_eve).notes
    assert measure(with_eve, missing="remove").undefined == (
        "no item has a value of each of the 3 annotators"
    )


def test_gwets_own_policy_is_noted_where_it_matters():
    assert "Gwet's own AC takes missing='items'" in gwet_ac(ABC).notes[0]
    for other in (gwet_ac(ABC, missing="items"), gwet_ac(ABC.only(annotators=("ann", "bob")))):
        assert not any("own AC" in note for note in other.notes)
