"""Policies for missing values, compared with explicit deletions."""

import json
import math

import numpy as np
import pytest

import unisono as un
from unisono.measures.items.resampling import each_item
from unisono.measures.sampling import Dice


def observed_agreement(items, policy, n_annotators):
    """Return the observed agreement of a policy, by the weights of Mathet (2017), §3."""
    agreeing = total = 0.0
    for item in items:
        m = len(item)
        if m < 2 or (policy == "remove" and m < n_annotators):
            continue
        weight = {"values": 1 / (m - 1), "items": 2 / (m * (m - 1)), "pairs": 1, "remove": 1}[
            policy
        ]
        pairs = [(a, b) for i, a in enumerate(item) for b in item[i + 1 :]]
        agreeing += weight * sum(a == b for a, b in pairs)
        total += weight * len(pairs)
    return agreeing / total if total else math.nan


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, size=30)
    return np.where(rng.random((6, 30)) < 0.35, rng.integers(0, 4, size=(6, 30)), truth)


def test_means_and_deviations_are_those_of_deletions_written_out(table):
    ratings = un.Ratings.from_matrix(table)
    result = un.compare_policies(ratings, shares=0.3, repeats=40, rng=9)
    items = each_item(ratings)
    values: dict[str, list[float]] = {
        policy: [] for policy in ("values", "items", "pairs", "remove")
    }
    for i in range(40):
        left: list[list[int]] = [[] for _ in range(30)]
        order = np.argsort(Dice(9, 5, 0, i).roll(180), kind="stable")
        deleted = set(order[:54].tolist())
        for place, (row, label) in enumerate(
            zip(items.row_numbers.tolist(), items.label_codes.tolist(), strict=True)
        ):
            if place not in deleted:
                left[row].append(label)
        for policy, found in values.items():
            found.append(observed_agreement(left, policy, 6))
    for spread in result.spreads:
        defined = [value for value in values[spread.policy] if not math.isnan(value)]
        assert spread.n_undefined == 40 - len(defined)
        assert spread.mean == pytest.approx(np.mean(defined))
        assert spread.deviation == pytest.approx(np.std(defined, ddof=1))


def spreads_by_share(table):
    found: dict[float, list[float]] = {}
    for spread in un.compare_policies(un.Ratings.from_matrix(table), repeats=400, rng=1).spreads:
        found.setdefault(spread.share, []).append(spread.deviation)
    return found


def guessing(rng, n_items, chances):
    """Return ratings of six annotators who guess labels, more often for some items."""
    truth = rng.integers(0, 4, size=n_items)
    guessed = rng.random((6, n_items)) < chances
    return np.where(guessed, rng.integers(0, 4, size=(6, n_items)), truth)


def test_the_shape_of_the_papers_table_is_found_again():
    # Mathet (2017), Table 2, six annotators: values < items < pairs < remove at every share, and
    # more missing values mean more spread.
    found = spreads_by_share(guessing(np.random.default_rng(5), 12, 0.35))
    assert list(found) == [0.04, 0.125, 0.25]
    for deviations in found.values():
        assert deviations == sorted(deviations)
    few, some, many = (np.array(each) for each in found.values())
    assert (few < some).all()
    assert (some < many).all()


def test_the_more_items_differ_the_better_every_item_weighs_the_same():
    rng = np.random.default_rng(1)
    unequal = spreads_by_share(guessing(rng, 12, np.repeat([0.05, 0.8], 6)))
    equal = spreads_by_share(guessing(rng, 30, 0.35))
    for values, items, *_ in unequal.values():
        assert items < values
    for values, items, *_ in equal.values():
        assert items > values


def test_complete_values_are_those_before_deleting(table):
    ratings = un.Ratings.from_matrix(table)
    for spread in un.compare_policies(
        ratings, shares=0.1, repeats=2, rng=1, measure="alpha"
    ).spreads:
        assert spread.complete == pytest.approx(
            un.krippendorff_alpha(ratings, missing=spread.policy).value
        )


def test_the_seed_and_nothing_else_decides(table):
    first = un.compare_policies(un.Ratings.from_matrix(table), shares=0.1, repeats=20, rng=3)
    again = un.compare_policies(
        un.Ratings.from_matrix(table[:, ::-1]), shares=[0.1], repeats=20, rng=3
    )
    assert again == first
    assert first.signature["seed"] == "3"
    other = un.compare_policies(un.Ratings.from_matrix(table), shares=0.1, repeats=20, rng=4)
    assert other.spreads != first.spreads


def test_deletions_that_leave_nothing_to_compare_are_counted():
    ratings = un.Ratings.from_matrix([["a", "b"], ["a", "b"]])
    rows = un.compare_policies(ratings, shares=0.75, repeats=30, rng=1).spreads
    assert [spread.n_undefined for spread in rows] == [30] * 4
    assert all(math.isnan(spread.mean) and math.isnan(spread.deviation) for spread in rows)


def test_at_least_one_value_is_left():
    ratings = un.Ratings.from_matrix([["a", "b"], ["a", "b"]])
    rows = un.compare_policies(ratings, shares=0.99, repeats=3, rng=1).spreads
    assert [spread.n_undefined for spread in rows] == [3] * 4


def test_a_single_defined_deletion_has_a_mean_but_no_deviation():
    ratings = un.Ratings.from_matrix([["a", "b"], ["a", "b"]])
    rows = un.compare_policies(ratings, shares=0.25, repeats=1, rng=1).spreads
    assert rows[0].mean == 1.0
    assert math.isnan(rows[0].deviation)


def test_a_policy_without_a_value_from_the_start_has_none_later():
    ratings = un.Ratings.from_matrix([["a", "b", "a", None], ["a", "b", None, "b"], [None, *"bab"]])
    incomplete = ratings.only(items=(1, 3, 4))
    rows = {each.policy: each for each in un.compare_policies(incomplete, repeats=9, rng=1).spreads}
    assert math.isnan(rows["remove"].complete)
    assert rows["remove"].n_undefined == 9
    assert rows["values"].complete == un.percent_agreement(incomplete).value


def test_the_table_reads_well_and_goes_through_json(table):
    result = un.compare_policies(
        un.Ratings.from_matrix(table), shares=(0.05, 0.5), repeats=5, rng=1
    )
    lines = str(result).splitlines()
    assert lines[0].split()[:5] == ["missing", "policy", "complete", "mean", "deviation"]
    assert lines[1].split()[:3] == ["5.0", "%", "values"]
    assert result.to_csv().startswith("share,policy,complete,mean,deviation,n_undefined\n0.05,")
    record = json.loads(result.to_json())
    assert record["measure"] == "percent_agreement"
    assert len(record["spreads"]) == 8
    assert record["signature"].startswith("missing-values|measure:percent_agreement")


def test_numbers_that_do_not_exist_are_dashes_in_text_and_none_in_json():
    ratings = un.Ratings.from_matrix([["a", "b"], ["a", "b"]])
    result = un.compare_policies(ratings, shares=0.75, repeats=3, rng=1)
    assert str(result).splitlines()[1].split()[-3:] == ["–", "–", "3"]
    assert result.problems()[0].startswith("percent_agreement is undefined on these data under")
    assert result.to_dict()["spreads"][0]["mean"] is None


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"shares": 1.5}, un.SettingError, "shares must lie between 0 and 1"),
        ({"shares": "many"}, TypeError, "shares must be a number"),
        ({"repeats": 0}, un.SettingError, "repeats must be 1 or more"),
        ({"missing": "pairs"}, un.SettingError, "applies every policy for missing values"),
        ({"measure": "alfa"}, un.SettingError, "unknown measure 'alfa'"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(table, settings, error, message):
    with pytest.raises(error, match=message):
        un.compare_policies(un.Ratings.from_matrix(table), **settings)


def test_data_that_cannot_be_used_are_refused(table, monkeypatch):
    with pytest.raises(TypeError, match="compare_policies takes Ratings, got list"):
        un.compare_policies([[1, 2], [1, 2]])  # type: ignore[arg-type]
    with pytest.raises(un.DataError, match="compare_policies needs 1 to"):
        un.compare_policies(un.Ratings.from_matrix([[None], [None]]))
    monkeypatch.setattr("unisono.studies.missing_values._MOST_RATINGS", 100)
    with pytest.raises(un.DataError, match="compare_policies needs 1 to 100 ratings"):
        un.compare_policies(un.Ratings.from_matrix(table))
