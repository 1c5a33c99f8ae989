"""Metrics give the same distances whether labels are few or many, one weighting or more."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import items_oracle as oracle
from unisono.errors import DataError, SettingError
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import Texts, distance_matrix
from unisono.measures.items.metrics import (
    Bipolar,
    ByBlocks,
    Circle,
    ManyByFunction,
    ManySets,
    Nominal,
    Ranked,
    Ratio,
    Squares,
    Steps,
    Table,
    check_weights,
    checked_order,
    distance_metric,
    has_gaps,
    places_of,
    scale_notes,
    scale_text,
    weight_metric,
)

NUMBERS = (0.0, 0.5, 1.0, 2.0, 3.5, 8.0)
SETS = tuple(frozenset(members) for n in range(4) for members in itertools.combinations("abcd", n))
TEXTS = ("", "a", "ab", "ba", "abcd", "bcd")
COUNTS = np.array([3.0, 1.0, 0.0, 2.0, 5.0, 1.0])


def table_of(distance: Any, labels: Any) -> Any:
    return np.array([[distance(c, k) for k in labels] for c in labels], dtype=float)


CASES: dict[str, tuple[Any, Any]] = {
    "nominal": (Nominal(), table_of(oracle.nominal, NUMBERS)),
    "interval": (Squares(np.array(NUMBERS)), table_of(oracle.interval, NUMBERS)),
    "linear": (Steps(np.array(NUMBERS)), table_of(lambda c, k: abs(c - k), NUMBERS)),
    "circular": (
        Circle(2 * np.pi * np.array(NUMBERS) / 9),
        table_of(oracle.circular(9), NUMBERS),
    ),
    "ratio": (Ratio(np.array(NUMBERS)), table_of(oracle.ratio, NUMBERS)),
    "bipolar": (Bipolar(np.array(NUMBERS) / 8), table_of(oracle.bipolar(0, 8), NUMBERS)),
    "table": (
        Table(table_of(oracle.interval, NUMBERS)),
        table_of(oracle.interval, NUMBERS),
    ),
    **{
        name: (ByBlocks(ManySets(SETS, name), len(SETS)), table_of(getattr(oracle, name), SETS))
        for name in ("jaccard", "dice", "masi")
    },
    "edit": (ByBlocks(Texts(TEXTS), len(TEXTS)), table_of(oracle.edit, TEXTS)),
    "function": (
        ByBlocks(ManyByFunction(NUMBERS, oracle.interval, np.inf), len(NUMBERS)),
        table_of(oracle.interval, NUMBERS),
    ),
    "ordinal": (
        Ranked(np.arange(6)).fitted(COUNTS),
        table_of(oracle.ordinal(dict(enumerate(COUNTS))), range(6)),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_distances_of_pairs(name):
    metric, table = CASES[name]
    left, right = (each.ravel() for each in np.indices(table.shape))
    assert metric.between(left, right) == pytest.approx(table.ravel(), abs=1e-12)


@pytest.mark.parametrize("name", CASES)
@given(seed=st.integers(0, 10**6))
def test_weighted_sums_of_distances(name, seed):
    metric, table = CASES[name]
    weights = np.random.default_rng(seed).integers(0, 4, (2, 3, len(table))).astype(float)
    assert metric.against(weights) == pytest.approx(weights @ table, rel=1e-9, abs=1e-9)
    alone = metric.against(weights[1, 2])
    assert alone == pytest.approx(table @ weights[1, 2], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", ["jaccard", "masi", "edit", "function"])
@pytest.mark.parametrize("rows_at_a_time", [1, 2, 5])
def test_distances_made_some_rows_at_a_time_give_the_same_sums(name, rows_at_a_time):
    metric, table = CASES[name]
    some = ByBlocks(metric.blocks, len(table), at_a_time=rows_at_a_time * len(table))
    weights = np.random.default_rng(rows_at_a_time).random((2, len(table)))
    assert some.against(weights) == pytest.approx(weights @ table, rel=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_all_weight_on_one_label_is_exactly_no_distance(name):
    metric, table = CASES[name]
    for label in range(len(table)):
        weights = np.zeros(len(table))
        weights[label] = 1 / 3
        assert weights @ metric.against(weights) == 0.0


def test_metrics_without_any_weight_are_0():
    for metric, table in CASES.values():
        assert (metric.against(np.zeros(len(table))) == 0.0).all()


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e9, 1e300])
def test_a_thousand_ratios_are_as_exact_as_one_by_one(scale):
    drawn = np.random.default_rng(1).lognormal(0, 2, 998)
    numbers: Any = scale * np.concatenate(([0.0, 0.0], drawn))
    weights = np.random.default_rng(2).random(1000)
    sums = [float(w) for w in _ratios(numbers) @ weights]
    assert Ratio(numbers).against(weights) == pytest.approx(sums, rel=1e-12)


def test_ratios_of_nearly_equal_numbers_keep_their_digits():
    numbers: Any = 100.0 + 1e-7 * np.arange(500)
    sums = _ratios(numbers) @ np.ones(500)
    assert Ratio(numbers).against(np.ones(500)) == pytest.approx(sums, rel=1e-7)


def test_ratios_over_all_magnitudes_of_floats():
    numbers = np.array([10.0**power for power in np.linspace(-307, 307, 700)])
    sums = _ratios(numbers) @ np.ones(700)
    assert Ratio(numbers).against(np.ones(700)) == pytest.approx(sums, rel=1e-12)


def test_nothing_but_zeros_have_no_ratio():
    assert Ratio(np.zeros(3)).against(np.ones(3)).tolist() == [0.0, 0.0, 0.0]


def _ratios(numbers: Any) -> Any:
    wide = numbers.astype(np.longdouble)
    with np.errstate(invalid="ignore"):
        ratios = ((wide[:, None] - wide) / (wide[:, None] + wide)) ** 2
    return np.nan_to_num(ratios).astype(float)


def test_a_thousand_heights_are_as_exact_as_one_by_one():
    heights = np.concatenate(([0.0, 1.0], np.random.default_rng(1).random(998)))
    table = table_of(oracle.bipolar(0, 1), heights.tolist())
    weights = np.random.default_rng(2).random(1000)
    assert Bipolar(heights).against(weights) == pytest.approx(table @ weights, rel=1e-11)


@pytest.mark.parametrize("few_members", [0, 1024])
@pytest.mark.parametrize("largest_look_up", [0, 1 << 20])
def test_sets_of_many_and_of_few_members_alike(few_members, largest_look_up):
    sets = ManySets(SETS, "masi", few_members=few_members, largest_look_up=largest_look_up)
    assert sets.rows(3, 9) == pytest.approx(table_of(oracle.masi, SETS)[3:9, 3:], abs=1e-15)


@pytest.mark.parametrize("name", ["jaccard", "dice", "masi"])
@pytest.mark.parametrize("cells", [1, 1 << 15])
def test_all_sets_at_once_are_exactly_what_the_formula_gives(name, cells):
    whole = ManySets(SETS, name).whole(cells_at_a_time=cells)
    assert np.array_equal(whole, distance_matrix(SETS, name))


def test_nothing_but_empty_sets():
    empty = ManySets([frozenset()], "masi")
    assert empty.rows(0, 1).tolist() == [[0.0]]
    assert empty.between(np.array([0]), np.array([0])).tolist() == [0.0]


def test_labels_of_the_same_place_are_equal():
    scale = Ranked(np.array([0, 2, 0]))
    assert scale.on_places(np.array([1.0, 2.0, 3.0])).tolist() == [4.0, 0.0, 2.0]
    assert scale.middle_ranks(np.array([1.0, 2.0, 3.0])).tolist() == [2.0, 5.0, 2.0]
    assert Ranked(np.zeros(0, dtype=np.int64)).on_places(np.zeros(0)).tolist() == []


# Which metric a setting means


@pytest.mark.parametrize(
    ("distance", "kind"),
    [
        ("nominal", Nominal),
        ("ordinal", Ranked),
        ("interval", Squares),
        ("ratio", Ratio),
        ("circular", Circle),
        ("bipolar", Bipolar),
        ("edit", ByBlocks),
        ("masi", ByBlocks),
        (DistanceMatrix(range(9), np.ones((9, 9)) - np.eye(9)), Table),
        (oracle.nominal, ByBlocks),
    ],
)
def test_many_labels_are_never_compared_all_with_all_at_once(distance, kind):
    metric = distance_metric(tuple(range(9)), distance, None, largest_table=8)
    assert isinstance(metric, kind)


@pytest.mark.parametrize("distance", ["ratio", "bipolar", "edit", "masi", oracle.nominal])
def test_few_labels_are_compared_in_a_table(distance):
    assert isinstance(distance_metric((1, 2, 4), distance, None), Table)


@pytest.mark.parametrize(
    ("weights", "costs"),
    [
        (None, [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
        ("linear", [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]),
        ("quadratic", [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]]),
        ("interval", [[0, 1 / 9, 1], [1 / 9, 0, 4 / 9], [1, 4 / 9, 0]]),
        ("ordinal", [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]]),
        ("ratio", [[0, 1 / 9, 0.36], [1 / 9, 0, 1 / 9], [0.36, 1 / 9, 0]]),
        (oracle.nominal, [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
    ],
)
def test_weights_cost_between_0_and_1(weights, costs):
    metric = weight_metric((1, 2, 4), weights, None, np.array([1.0, 1.0, 1.0]))
    left, right = (each.ravel() for each in np.indices((3, 3)))
    assert metric.between(left, right) == pytest.approx(np.ravel(costs))


def test_weights_of_a_matrix():
    matrix = DistanceMatrix(["a", "b"], [[0, 0.3], [0.3, 0]])
    metric = weight_metric(("b", "a"), matrix, None, np.ones(2))
    assert metric.between(np.array([0]), np.array([1])).tolist() == [0.3]


@pytest.mark.parametrize("weights", ["linear", "quadratic", "interval", "ordinal"])
def test_one_label_costs_nothing(weights):
    metric = weight_metric((5,), weights, None, np.ones(1))
    assert metric.against(np.ones(1)).tolist() == [0.0]
    assert weight_metric((), weights, None, np.ones(0)) is not None


def test_weights_that_are_none():
    check_weights(None)
    with pytest.raises(SettingError, match="unknown weights='cubic'; choose one of 'linear'"):
        check_weights("cubic")
    with pytest.raises(TypeError, match="not list"):
        check_weights([[0, 1], [1, 0]])


def test_an_order_lists_every_label_once():
    assert checked_order(None) is None
    assert checked_order([1.0, "b", frozenset("c")]) == (1, "b", frozenset("c"))
    with pytest.raises(SettingError, match="it has 'b' twice"):
        checked_order(["b", "b"])
    with pytest.raises(SettingError, match="it has a missing label"):
        checked_order(["b", None])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="got the text 'low'"):
        checked_order("low")


def test_places_follow_the_order_or_the_numbers():
    assert places_of(("10", "9"), "ordinal", None).tolist() == [1, 0]
    assert places_of(("hi", "lo"), "ordinal", ("lo", "mid", "hi")).tolist() == [2, 0]
    with pytest.raises(DataError, match="'ordinal' needs labels in an order, and the label 'hi'"):
        places_of((1, "hi"), "ordinal", None)
    with pytest.raises(DataError, match=r"order= does not have the label 'hi'; it has 'lo'"):
        places_of(("hi",), "linear", ("lo",))


@pytest.mark.parametrize(("labels", "size"), [((0, 1e200), "large"), ((0, 1e-200), "small")])
def test_numbers_whose_squares_do_not_fit_are_refused(labels, size):
    with pytest.raises(DataError, match=f"too {size} for that; give the labels in another unit"):
        distance_metric(labels, "interval", None)


def test_whole_numbers_with_gaps():
    assert has_gaps((1, 2, 4))
    assert not any(map(has_gaps, [(), (1, 2), (1, 2.5), ("a",)]))


def test_settings_derived_from_the_labels_are_stated():
    (told,) = scale_notes("circular", (0, 11))
    assert told.startswith("the circumference 12 was inferred from the labels; to override,")
    assert "the ends 1 and 7 of the scale were inferred" in scale_notes("bipolar", (1, 7))[0]
    assert scale_notes("circular:12", (0, 11)) == scale_notes("circular", ()) == ()
    assert scale_notes(None, (0, 11)) == scale_notes(oracle.nominal, (0, 11)) == ()


def test_a_scale_is_written_down_with_all_that_the_data_do_not_tell():
    labels, metric = (1, 2), Nominal()
    assert scale_text("interval", labels, None, metric) == "interval"
    assert scale_text("ordinal", labels, (2, 1), metric) == "ordinal[2<1]"
    assert scale_text("circular", labels, None, metric) == "circular[2]"
    assert scale_text("circular", (), None, metric) == "circular"
    table = Table(np.zeros((2, 2)))
    matrix = DistanceMatrix(labels, [[0, 0], [0, 0]])
    assert scale_text(matrix, labels, None, table).startswith("matrix#")
    assert scale_text(oracle.nominal, labels, None, table).startswith("callable:nominal#")
    assert scale_text(oracle.nominal, labels, None, metric) == "callable:nominal"


def test_a_function_is_called_once_per_pair():
    asked: list[tuple[Any, Any]] = []

    def distance(left: Any, right: Any) -> float:
        asked.append((left, right))
        return 1.0

    many = ManyByFunction((1, 2, 3), distance, 1.0)
    assert many.between(np.array([0, 1, 2, 2]), np.array([1, 0, 0, 2])).tolist() == [1, 1, 1, 0]
    assert asked == [(1, 2), (1, 3)]
    asked.clear()
    assert many.rows(0, 2).tolist() == [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]]
    assert asked == [(1, 2), (1, 3), (2, 3)]
    assert many.rows(1, 2).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("value", [-0.5, float("nan"), float("inf")])
def test_a_function_gives_a_finite_number_of_at_least_0(value):
    with pytest.raises(DataError, match=f"finite number of at least 0.*returned {value}"):
        distance_metric((1, 2), lambda *_: value, None)


def test_a_weight_lies_between_0_and_1():
    with pytest.raises(DataError, match=r"within \[0, 1\].*returned 7.0 for 1 and 2"):
        weight_metric((1, 2), lambda *_: 7, None, np.ones(2))
