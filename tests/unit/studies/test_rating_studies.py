"""The diagnosis and the consensus of ratings: sourced values, dataframes, limits."""

import math

import numpy as np
import pandas as pd
import pytest

import unisono as un
from unisono.errors import DataError, SettingError
from unisono.measures.products import parts_of_sum

# Krippendorff (2011), section C: 12 units, 4 observers.
KRIPPENDORFF = un.Ratings.from_matrix(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
)


def test_the_coincidences_are_those_that_krippendorff_prints():
    pairs = un.label_confusions(KRIPPENDORFF)
    # His table has o_11 = 7, o_22 = 10, o_33 = 8, o_12 = 4/3, o_24 = o_34 = 1/3; both orders.
    expected = np.diag([7.0, 10.0, 8.0, 4.0, 3.0])
    for (one, other), number in {
        (0, 1): 4 / 3,
        (0, 2): 1 / 3,
        (0, 3): 1 / 3,
        (1, 2): 4 / 3,
        (1, 3): 1 / 3,
        (2, 3): 1 / 3,
    }.items():
        expected[one, other] = expected[other, one] = number
    found = pairs.weights.copy()
    np.fill_diagonal(found, 2 * np.diag(found))

    assert found == pytest.approx(expected)
    assert found.sum() == pytest.approx(40)


def test_the_items_of_krippendorffs_example_in_order():
    found = un.diagnose(KRIPPENDORFF)

    assert found.observed == pytest.approx(0.2)
    assert [each.item for each in found.items] == [6, 2, 8]
    assert found.items[0].label_counts == {1: 1, 2: 1, 3: 1, 4: 1}
    assert found.items[0].share == pytest.approx(0.5)


def test_a_dataframe_of_ratings_is_read():
    frame = pd.DataFrame(
        {"annotator": list("abab"), "item": [1, 1, 2, 2], "label": ["x", "y", "x", "x"]}
    )
    assert un.diagnose(frame).observed == 0.5
    assert [each.label for each in un.consensus(frame).items] == ["x"]
    assert un.report(frame, charts=False).alpha.n_items == 2


def test_what_cannot_be_diagnosed_is_refused():
    with pytest.raises(DataError, match="no disagreement to diagnose: agreement needs two"):
        un.diagnose(un.Ratings.from_matrix({"ann": ["a"]}))
    with pytest.raises(DataError, match="only the counts of equal items"):
        un.consensus(KRIPPENDORFF.merged())
    with pytest.raises(SettingError, match="there is no rule for another distance"):
        un.consensus(KRIPPENDORFF, distance="ratio")
    with pytest.raises(SettingError, match="order= is for distance='ordinal' only"):
        un.consensus(KRIPPENDORFF, order=[1, 2, 3, 4, 5])
    with pytest.raises(SettingError, match="draws= is for units"):
        un.diagnose(KRIPPENDORFF, draws=5)  # type: ignore[call-overload]


def test_notes_state_what_was_not_computed():
    merged = un.diagnose(KRIPPENDORFF.merged())
    assert merged.items == ()
    assert "names of the items are unknown" in merged.notes[0]
    many = un.Ratings.from_matrix([list(range(1001)), list(range(1, 1002))])
    found = un.diagnose(many, distance="interval")
    assert found.confusions == ()
    assert found.label_pairs is None
    assert any("up to 1,000 labels" in note for note in found.notes)


def test_many_equal_parts_sum_to_the_total():
    parts = np.full(100_000, 0.1) / 100_000
    found = parts_of_sum(parts, 0.1)

    assert math.fsum(found) == 0.1


@pytest.mark.parametrize("name", ["annotator_chart", "confusion_chart", "label_chart"])
def test_charts_of_ratings(name):
    pytest.importorskip("altair")
    from unisono import charts

    found = un.diagnose(KRIPPENDORFF)
    subject = found if name == "confusion_chart" else found.alpha

    assert "γ" not in str(getattr(charts, name)(subject).to_dict())
