"""All coefficients in one table, and all the names they go by."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.errors import DataError, SettingError
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.coefficients import MISSING_POLICIES
from unisono.measures.items.kappas import cohen_kappa, gwet_ac
from unisono.measures.items.table import coefficient_of, item_measure, measure_items
from unisono.model.ratings import Ratings
from unisono.registry import MEASURES, measures_of

NAMES = [measure.name for measure in measures_of("items")]
ALIASES = {alias: measure.name for measure in measures_of("items") for alias in measure.aliases}
RATINGS = Ratings.from_matrix([[1, 2, 3, 3, 1, 2], [1, 3, 3, 2, 1, 2], [2, 2, 3, 3, None, 1]])
WORDS = RATINGS.rename(labels={1: "low", 2: "mid", 3: "high"})


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_a_table_has_what_the_functions_give(missing):
    table = measure_items(RATINGS, missing=missing)
    assert list(table) == NAMES
    for name, result in table.items():
        assert result == MEASURES[name].load()(RATINGS, missing=missing)


def test_settings_reach_those_that_have_them():
    table = measure_items(RATINGS, distance="interval", weights="linear")
    assert table["krippendorff_alpha"] == krippendorff_alpha(RATINGS, distance="interval")
    assert table["cohen_kappa"] == cohen_kappa(RATINGS, weights="linear")
    assert table["gwet_ac"] == gwet_ac(RATINGS, weights="linear")
    assert measure_items(RATINGS, categories=5)["gwet_ac"] == gwet_ac(RATINGS, categories=5)


def test_an_order_reaches_those_that_follow_it():
    order = ["low", "mid", "high", "top"]
    table = measure_items(WORDS, distance="ordinal", order=order)
    assert table["krippendorff_alpha"].undefined is None
    assert table["bennett_s"].signature["categories"] == "4"
    assert table["cohen_kappa"] == cohen_kappa(WORDS)
    table = measure_items(WORDS, weights="linear", order=order)
    assert table["cohen_kappa"] == cohen_kappa(WORDS, weights="linear", order=order)
    assert table["krippendorff_alpha"] == krippendorff_alpha(WORDS)


def test_what_labels_do_not_allow_is_undefined_with_the_reason():
    table = measure_items(WORDS, distance="interval", weights="quadratic")
    assert "needs numeric labels; 'high' is not a number" in str(
        table["krippendorff_alpha"].undefined
    )
    assert "needs labels in an order" in str(table["cohen_kappa"].undefined)
    counts = [(of.n_items, of.n_ratings, of.n_left_out) for of in table.values()]
    assert counts[1:3] == [counts[0]] * 2
    assert table["fleiss_kappa"].undefined is None
    with pytest.raises(DataError, match="needs labels in an order"):
        cohen_kappa(WORDS, weights="quadratic")


def test_a_setting_that_no_data_could_have_is_refused_before_anything_is_computed():
    with pytest.raises(SettingError, match="unknown distance='far'"):
        measure_items(RATINGS, distance="far")
    with pytest.raises(SettingError, match="unknown missing='drop'; choose one of 'values'"):
        measure_items(RATINGS, missing="drop")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[None, None], [None, None]], "there are no ratings"),
        ([["a", "b"]], "agreement needs two annotators or more; here only '1' rated"),
        ([["a", None], [None, "b"]], "no item has two values or more"),
    ],
)
def test_nothing_to_compare_leaves_everything_undefined(table, reason):
    for result in measure_items(Ratings.from_matrix(table)).values():
        assert result.undefined == reason
        assert np.isnan([result.value, result.observed, result.expected]).all()
        assert not result.by_label
        assert not result.by_pair


def test_values_that_are_not_ratings_are_refused():
    with pytest.raises(TypeError, match="takes Ratings, got list"):
        measure_items([[1, 2], [1, 2]])  # type: ignore[arg-type]


# Names


@pytest.mark.parametrize("name", [*NAMES, *ALIASES])
def test_every_name_finds_its_coefficient(name):
    (found,) = measure_items(RATINGS, measures=[name.upper().replace("_", "-")])
    assert found == ALIASES.get(name, name)
    assert item_measure(name).load().__name__ == found == coefficient_of(name, {}).name


def test_a_measure_requested_twice_is_listed_once():
    assert list(measure_items(RATINGS, measures=["light", cohen_kappa, "kappa"])) == ["cohen_kappa"]
    assert list(measure_items(RATINGS, measures="alpha")) == ["krippendorff_alpha"]


def test_an_unknown_measure_lists_the_choices():
    with pytest.raises(SettingError, match=r"unknown measure 'krip'; .*gwet_ac.*randolph"):
        measure_items(RATINGS, measures=["krip"])
    with pytest.raises(SettingError, match="unknown measure 'measure_items'"):
        item_measure(measure_items)  # type: ignore[arg-type]


def test_every_coefficient_has_a_formula():
    assert [measure.name for measure in measures_of("items")] == NAMES
    assert [coefficient_of(name, {}).name for name in NAMES] == NAMES


def test_a_setting_a_coefficient_does_not_have_is_named():
    with pytest.raises(TypeError, match="scott_pi has no setting 'weights'; it has missing"):
        coefficient_of("scott_pi", {"weights": "linear"})
    assert coefficient_of(gwet_ac, {"weights": "linear", "by_pair": False}).name == "gwet_ac"
