"""How unlike two units are: the formulas, their weights, and settings that make no sense."""

from __future__ import annotations

import math
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import unisono as un
from unisono.measures.gamma.dissimilarity import positional

if TYPE_CHECKING:
    from unisono.model.labels import Label

WEIGHTS = st.floats(0.1, 5.0)
BOUNDS = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda b: (min(b), max(b)))


def unit(start: float, end: float, label: Label | None = None) -> un.Unit:
    return un.Unit("ann", start, end, label)


def no_cost(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
    return np.zeros(len(u.starts))


def combined_with(name: str, value: Any) -> un.CombinedDissimilarity:
    return un.CombinedDissimilarity(**{name: value})


# Position


def test_position_is_equation_3():
    # ((|0 − 2| + |10 − 16|) / (10 + 14))² = (8 / 24)²
    assert un.PositionalDissimilarity().of_units(unit(0, 10), unit(2, 16)) == pytest.approx(
        1 / 9, rel=1e-15
    )


@pytest.mark.parametrize(("power", "expected"), [(1, 1 / 3), (2, 1 / 9), (3, 1 / 27)])
def test_the_power_of_position_is_a_setting(power, expected):
    apart = un.PositionalDissimilarity(power=power).of_units(unit(0, 10), unit(2, 16))
    assert apart == pytest.approx(expected, rel=1e-15)


def test_two_points_are_alike_at_the_same_place_and_never_elsewhere():
    assert un.PositionalDissimilarity().of_units(unit(3, 3), unit(3, 3)) == 0.0
    assert un.PositionalDissimilarity().of_units(unit(3, 3), unit(4, 4)) == math.inf


def test_a_point_may_be_aligned_with_a_unit():
    # ((0 + 2) / 2)² = 1
    assert un.PositionalDissimilarity().of_units(unit(3, 3), unit(3, 5)) == 1.0


def test_position_is_computed_by_columns():
    starts, ends = np.array([0.0, 3.0, 3.0]), np.array([10.0, 3.0, 3.0])
    others = np.array([2.0, 3.0, 4.0]), np.array([16.0, 3.0, 4.0])
    assert positional(starts, ends, *others).tolist() == [(8 / 24) ** 2, 0.0, math.inf]


# Label


def test_label_is_the_distance_in_empty_costs():
    assert un.CategoricalDissimilarity(empty=2).of_units(unit(0, 1, "A"), unit(5, 6, "B")) == 2.0
    assert un.CategoricalDissimilarity(empty=2).of_units(unit(0, 1, "A"), unit(5, 6, "A")) == 0.0


@pytest.mark.parametrize(
    ("distance", "left", "right", "expected"),
    [
        ("edit", "Noun", "Nouns", 0.2),
        ("jaccard", {"a", "b"}, {"b", "c"}, 2 / 3),
        ("interval", 1, 3, 1.0),
        (un.DistanceMatrix(["A", "B"], [[0, 0.4], [0.4, 0]]), "A", "B", 0.4),
        (lambda left, right: abs(left - right) / 10, 2, 9, 0.7),
    ],
)
def test_labels_are_compared_by_any_distance(distance, left, right, expected):
    found = un.CategoricalDissimilarity(distance=distance).of_units(
        unit(0, 1, left), unit(0, 1, right)
    )
    assert found == pytest.approx(expected, rel=1e-15)


def test_a_scale_comes_from_the_data_that_the_units_belong_to():
    text = un.Continuum.from_units([("ann", 0, 1, 1), ("ann", 2, 3, 5), ("bob", 0, 1, 3)])
    interval = un.CombinedDissimilarity(distance="interval")
    assert interval.of_units(unit(0, 1, 1), unit(0, 1, 3)) == 1.0
    assert interval.of_units(unit(0, 1, 1), unit(0, 1, 3), within=text) == 0.25
    assert (
        un.CategoricalDissimilarity(distance="interval").of_units(
            unit(0, 1, 1), unit(7, 9, 3), within=text
        )
        == 0.25
    )


def test_a_scale_may_come_from_a_corpus():
    texts = {
        "one": un.Continuum.from_units([("ann", 0, 1, 1)]),
        "two": un.Continuum.from_units([("ann", 0, 1, 3), ("bob", 0, 1, 5)]),
    }
    corpus = un.Corpus.from_continua(texts)
    interval = un.CombinedDissimilarity(distance="interval")
    assert interval.of_units(unit(0, 1, 1), unit(0, 1, 3), within=corpus) == 0.25


@pytest.mark.parametrize("distance", [0.0, 0.25, 0.5, 0.9, 0.999])
def test_steep_follows_the_formula_of_the_paper(distance):
    between = un.DistanceMatrix(["A", "B"], [[0, distance], [distance, 0]])
    found = un.CategoricalDissimilarity(distance=between, steep=True).of_units(
        unit(0, 1, "A"), unit(0, 1, "B")
    )
    assert found == pytest.approx(oracle.steep(distance), rel=1e-14)


def test_steep_forbids_totally_different_labels():
    assert (
        un.CategoricalDissimilarity(steep=True).of_units(unit(0, 1, "A"), unit(0, 1, "B"))
        == math.inf
    )
    assert un.CategoricalDissimilarity(steep=True).of_units(unit(0, 1, "A"), unit(0, 1, "A")) == 0.0


def test_units_without_labels_are_alike():
    assert un.CombinedDissimilarity().of_units(unit(0, 4), unit(0, 4)) == 0.0
    assert un.CombinedDissimilarity().of_units(unit(0, 4), unit(0, 4, "A")) == 1.0


# Both


@given(BOUNDS, BOUNDS, st.sampled_from("AB"), st.sampled_from("AB"), WEIGHTS, WEIGHTS, WEIGHTS)
def test_combined_is_the_weighted_sum_of_the_definition(u, v, left, right, position, label, empty):
    rules = oracle.Rules(position=position, label=label, empty=empty)
    dissimilarity = un.CombinedDissimilarity(position=position, label=label, empty=empty)
    found = dissimilarity.of_units(unit(u[0], u[1], left), unit(v[0], v[1], right))
    assert found == pytest.approx(oracle.dissimilarity((*u, left), (*v, right), rules), rel=1e-12)
    assert found == dissimilarity.of_units(unit(v[0], v[1], right), unit(u[0], u[1], left))


def test_a_weight_of_0_switches_off_a_part_that_is_infinite():
    points = unit(3, 3, "A"), unit(4, 4, "B")
    assert un.CombinedDissimilarity(position=0).of_units(*points) == 1.0
    assert un.CombinedDissimilarity(position=0, label=1, steep=True).of_units(*points) == math.inf
    assert (
        un.CombinedDissimilarity(label=0, steep=True).of_units(unit(0, 2, "A"), unit(0, 2, "B"))
        == 0.0
    )


def test_positional_and_categorical_are_combined_with_a_weight_of_0():
    units = unit(0, 10, "A"), unit(2, 16, "B")
    position = un.CombinedDissimilarity(label=0, empty=2, power=3).of_units(*units)
    label = un.CombinedDissimilarity(position=0, empty=2).of_units(*units)
    assert un.PositionalDissimilarity(empty=2, power=3).of_units(*units) == position
    assert un.CategoricalDissimilarity(empty=2).of_units(*units) == label


# For the kernel and the signature


@pytest.mark.parametrize(
    ("dissimilarity", "text"),
    [
        (un.CombinedDissimilarity(), "combined[pos=1,label=1,empty=1,distance=nominal]"),
        (
            un.CombinedDissimilarity(position=3, label=0.5, empty=2.5, power=1, steep=True),
            "combined[pos=3,label=0.5,empty=2.5,distance=nominal,power=1,steep]",
        ),
        (un.PositionalDissimilarity(), "positional[empty=1,distance=nominal]"),
        (un.CategoricalDissimilarity(distance="edit"), "categorical[empty=1,distance=edit]"),
        (
            un.CustomDissimilarity(cost=no_cost, name="mine", empty=2),
            "custom:mine[empty=2,distance=nominal]",
        ),
    ],
)
def test_every_setting_stands_in_the_signature(dissimilarity, text):
    assert dissimilarity.fitted(["A", "B"], [1, 1]).text == text


@pytest.mark.parametrize(
    ("dissimilarity", "position", "label"),
    [
        (un.CombinedDissimilarity(position=3, label=2), 3.0, 2.0),
        (un.PositionalDissimilarity(), 1.0, 0.0),
        (un.CategoricalDissimilarity(), 0.0, 1.0),
        (un.CustomDissimilarity(cost=no_cost), 1.0, 1.0),
    ],
)
def test_weights_are_fitted_as_numbers(dissimilarity, position, label):
    fitted = dissimilarity.fitted(["A"], [1])
    assert (fitted.position, fitted.label) == (position, label)
    assert (fitted.cost is None) is not isinstance(dissimilarity, un.CustomDissimilarity)


def test_steep_is_applied_to_the_table():
    fitted = un.CombinedDissimilarity(steep=True).fitted(["A", "B"], [1, 1])
    assert fitted.table.tolist() == [[0.0, math.inf], [math.inf, 0.0]]


def test_a_label_without_a_distance_is_named():
    matrix = un.DistanceMatrix(["A", "B"], [[0, 1], [1, 0]])
    with pytest.raises(un.DataError, match="does not have the label 'C'"):
        un.CombinedDissimilarity(distance=matrix).fitted(["A", "C"], [1, 1])


def test_a_dissimilarity_is_a_value():
    first, second = un.CombinedDissimilarity(position=3), un.CombinedDissimilarity(position=3)
    assert first == second
    assert hash(first) == hash(second)
    assert pickle.loads(pickle.dumps(first)) == first  # noqa: S301  (our own bytes)
    assert first != un.CombinedDissimilarity()


# Settings that cannot be used


@pytest.mark.parametrize("name", ["position", "label"])
@pytest.mark.parametrize("value", [-1, -0.001, math.nan, math.inf])
def test_a_weight_is_0_or_more(name, value):
    with pytest.raises(un.SettingError, match=f"{name} must be a finite number of 0 or more, got"):
        combined_with(name, value)


@pytest.mark.parametrize("name", ["empty", "power"])
@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_the_empty_cost_and_the_power_are_above_0(name, value):
    with pytest.raises(un.SettingError, match=f"{name} must be a finite number above 0, got"):
        combined_with(name, value)


@pytest.mark.parametrize("name", ["position", "label", "empty", "power"])
@pytest.mark.parametrize("value", ["1", None, True, 1j])
def test_a_weight_is_a_number(name, value):
    with pytest.raises(TypeError, match=f"{name} must be a number, got {value!r}"):
        combined_with(name, value)


def test_position_and_label_cannot_both_be_switched_off():
    with pytest.raises(un.SettingError, match="position= and label= cannot both be 0, because"):
        un.CombinedDissimilarity(position=0, label=0)


def test_numbers_of_numpy_are_weights():
    weights: dict[str, Any] = {"position": np.float32(2), "label": np.int64(1)}
    assert un.CombinedDissimilarity(**weights).fitted(["A"], [1]).position == 2.0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: un.CombinedDissimilarity(distance="numerical"),  # type: ignore[arg-type]
        lambda: un.PositionalDissimilarity(distance="numerical"),  # type: ignore[arg-type]
        lambda: un.CategoricalDissimilarity(distance="numerical"),  # type: ignore[arg-type]
        lambda: un.CustomDissimilarity(cost=no_cost, distance="numerical"),  # type: ignore[arg-type]
    ],
)
def test_an_unknown_distance_is_refused_at_once(wrong):
    with pytest.raises(un.SettingError, match="unknown distance='numerical'"):
        wrong()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: un.PositionalDissimilarity(empty=0),
        lambda: un.CategoricalDissimilarity(empty=0),
        lambda: un.CustomDissimilarity(cost=no_cost, empty=0),
    ],
)
def test_the_empty_cost_is_checked_everywhere(wrong):
    with pytest.raises(un.SettingError, match="empty must be a finite number above 0"):
        wrong()


def test_settings_are_given_by_name():
    with pytest.raises(TypeError, match="positional"):
        un.CombinedDissimilarity(3, 1)  # type: ignore[call-arg]


def test_an_own_dissimilarity_is_a_function():
    with pytest.raises(TypeError, match="cost must be a function of two UnitColumns, got float"):
        un.CustomDissimilarity(cost=1.0)  # type: ignore[arg-type]


def test_a_label_that_is_not_within_the_data_is_named():
    text = un.Continuum.from_units([("a", 0, 1, "A"), ("b", 0, 1, "B")])
    with pytest.raises(
        un.DataError, match="the data given as within= have no unit with the label 'Z'"
    ):
        un.CombinedDissimilarity().of_units(
            un.Unit("a", 0, 1, "Z"), un.Unit("b", 0, 1, "A"), within=text
        )


def test_steep_is_a_truth_value():
    with pytest.raises(TypeError, match="steep must be True or False, got 'no'"):
        un.CombinedDissimilarity(steep="no")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("u", "v", "wanted"),
    [
        ((0, 20), (0, 20), 0.0),
        ((0, 20), (0, 10), 0.5),
        ((0, 20), (5, 10), 0.75),
        ((0, 10), (5, 15), 1 - 5 / 15),
        ((0, 10), (10, 20), 1.0),
        ((0, 10), (90, 100), 1.0),
    ],
)
def test_the_shape_intersection_is_1_minus_intersection_over_union(u, v, wanted):
    for cost in (
        un.PositionalDissimilarity(shape="intersection"),
        un.CombinedDissimilarity(shape="intersection"),
    ):
        assert cost.of_units(un.Unit("a", *u), un.Unit("b", *v)) == pytest.approx(wanted)


def test_the_kernel_knows_the_shape_intersection():
    """The printed sums of Figure 19 (2015); γcat trusts pairs by the same number."""
    whole = ("a", 0, 20, "A")
    for pieces, wanted in ((1, 0.0), (2, 1.5), (4, 3.75)):
        size = 20 / pieces
        parts = [("b", at * size, (at + 1) * size, "A") for at in range(pieces)]
        text = un.Continuum.from_units([whole, *parts])
        alignment = un.best_alignment(
            text, dissimilarity=un.CombinedDissimilarity(shape="intersection")
        )
        assert sum(alignment.group_disorders) == pytest.approx(wanted)
    half = un.Continuum.from_units([("a", 0, 20, "A"), ("b", 0, 10, "B")], extent=(0, 60))
    found = un.gamma(
        half, dissimilarity=un.CombinedDissimilarity(shape="intersection"), draws=5, rng=1
    )
    assert found.gamma_cat.weight == pytest.approx(0.5)
    assert "shape=intersection" in str(found.signature)


def test_a_power_belongs_to_bounds():
    with pytest.raises(un.SettingError, match="power= applies to shape='bounds' only"):
        un.CombinedDissimilarity(shape="intersection", power=1)
