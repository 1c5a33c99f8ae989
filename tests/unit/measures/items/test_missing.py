"""Missing values: how much each pair of values weighs, and which values make up chance."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.measures.items.coefficients import (
    annotator_weights,
    pair_weights,
    pairable,
    value_weights,
)
from unisono.measures.items.kappas import conger_kappa, fleiss_kappa, percent_agreement
from unisono.measures.items.rows import (
    Rows,
    RowSums,
    counted,
    joined_features,
    numbered,
)
from unisono.model.ratings import Ratings

RATINGS = Ratings.from_matrix(
    {"a": [1, 1, 1], "b": [None, 2, 1], "c": [None, None, 2], "d": [None, None, 3]}
)
ROWS = Rows.of(RATINGS)


def of_sizes(numbers: np.ndarray) -> dict[int, float]:
    return dict(zip(ROWS.sizes.tolist(), numbers.tolist(), strict=True))


@pytest.mark.parametrize(
    ("policy", "weights"),
    [
        ("values", {1: 0, 2: 1, 4: 1 / 3}),
        ("items", {1: 0, 2: 1, 4: 1 / 6}),
        ("pairs", {1: 0, 2: 1, 4: 1}),
        ("remove", {1: 0, 2: 0, 4: 1}),
    ],
)
def test_the_weight_of_a_pair_follows_the_policy(policy, weights):
    assert of_sizes(pair_weights(ROWS, policy)) == pytest.approx(weights)
    assert of_sizes(pairable(ROWS, policy)) == {n: w > 0 for n, w in weights.items()}


def test_values_without_a_partner_count_by_chance_for_the_policy_items_only():
    assert of_sizes(value_weights(ROWS, "values")) == {1: 0, 2: 1, 4: 1}
    assert of_sizes(value_weights(ROWS, "remove")) == {1: 0, 2: 0, 4: 1}
    assert of_sizes(value_weights(ROWS, "items")) == {1: 1, 2: 0.5, 4: 0.25}
    assert of_sizes(annotator_weights(ROWS, "pairs")) == {1: 0, 2: 1, 4: 1}
    assert of_sizes(annotator_weights(ROWS, "items")) == {1: 1, 2: 1, 4: 1}


def test_all_policies_agree_where_nothing_is_missing():
    full = Ratings.from_matrix([[1, 2, 3, 1], [1, 2, 2, 1], [2, 2, 3, 1]])
    for measure in (percent_agreement, fleiss_kappa, conger_kappa):
        values = [
            measure(full, missing=policy).value for policy in ("values", "items", "pairs", "remove")
        ]
        assert values == pytest.approx([values[0]] * 4, rel=1e-12)


# Counting


def test_cells_count_the_labels_of_each_row():
    few, many = ROWS.cells, Rows.of(Ratings.from_matrix([[i, i] for i in range(40)])).cells
    assert few.counts.sum() == len(RATINGS.label_codes)
    assert many.counts.tolist() == [1] * 80
    keys = np.repeat(3 * np.arange(3), ROWS.sizes) + ROWS.label_codes
    found, counts = counted(keys, 9, largest_table=0)
    assert found.tolist() == (few.rows * 3 + few.labels).tolist()
    assert counts.tolist() == few.counts.tolist()


@pytest.mark.parametrize("count", [counted, numbered])
def test_keys_are_counted_the_same_by_table_and_by_sorting(count):
    # Up to 16 possible keys for each that is given are a table, if a table may be so large.
    keys = np.array([7, 3, 7, 60])
    by_table, *by_sorting = count(keys, 61), count(keys, 61, largest_table=0), count(keys, 10**9)
    for found in by_sorting:
        for one, other in zip(found, by_table, strict=True):
            assert one.tolist() == other.tolist()


def test_keys_that_occur_are_counted_and_numbered_in_their_order():
    keys = np.array([7, 3, 7, 60])
    by_table = numbered(keys, 61)
    assert counted(keys, 61)[1].tolist() == [1, 2, 1]
    assert by_table[0].tolist() == [3, 7, 60]
    assert by_table[1].tolist() == [1, 0, 1, 2]


def test_sums_without_columns_are_empty():
    nothing = RowSums(ROWS, ROWS.label_codes, 0, np.zeros(3))
    assert nothing.of(np.ones((2, 3))).shape == (2, 0)
    assert nothing.spread(np.zeros(0)).tolist() == [0, 0, 0]
    assert nothing.features is not None
    assert nothing.features.shape == (3, 0)


def test_features_that_are_missing_or_large_are_not_joined():
    column = np.ones((3, 2))
    assert joined_features(np.ones(3), None) is None
    joined = joined_features(np.ones(3), column)
    assert joined is not None
    assert joined.shape == (3, 3)
    assert joined_features(np.ones(3), column, widest=2) is None


def test_large_features_are_summed_one_weighting_at_a_time():
    times = np.arange(12.0).reshape(2, 2, 3)
    expected = RowSums(ROWS, ROWS.label_codes, 3, np.ones(3)).of(times)
    large = RowSums(ROWS, ROWS.label_codes, 3, np.ones(3), largest_features=0)
    assert large.features is None
    assert large.of(times).tolist() == expected.tolist()


def test_no_rows_sum_up_to_nothing():
    nothing = Rows.of(Ratings.from_matrix([[None], [None]]))
    assert nothing.within(np.zeros(0)).tolist() == []
