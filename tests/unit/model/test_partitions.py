"""Ratings from partitions, with the examples of Passonneau (2006)."""

from fractions import Fraction

import numpy as np
import pytest

from unisono.errors import DataError, SettingError
from unisono.model.ratings import Ratings


def sets_of(ratings, annotator):
    """Return the set of each item, in item order."""
    column = ratings.matrix()[:, ratings.annotators.index(annotator)].tolist()
    said = {
        item: None if code < 0 else set(ratings.labels[code])
        for item, code in zip(ratings.items, column, strict=True)
    }
    return [said[item] for item in sorted(said)]


def masi(one, other):
    """Return the MASI similarity: the Jaccard similarity times 1, 2/3, 1/3 or 0."""
    if one == other:
        return Fraction(1)
    common = Fraction(len(one & other), len(one | other))
    alike = Fraction(2, 3) if one <= other or other <= one else Fraction(1, 3)
    return common * alike


def mean_masi(ratings):
    pairs = list(zip(*(sets_of(ratings, name) for name in ratings.annotators), strict=True))
    return sum(masi(one, other) for one, other in pairs) / len(pairs)


FIGURE_3 = {"A3": [{"x", "y"}, {"z"}], "A4": [{"x"}, {"y", "z"}]}


def test_the_label_of_an_item_is_its_class():
    ratings = Ratings.from_partitions(FIGURE_3)
    assert ratings.items == ("x", "y", "z")
    assert sets_of(ratings, "A3") == [{"x", "y"}, {"x", "y"}, {"z"}]
    assert sets_of(ratings, "A4") == [{"x"}, {"y", "z"}, {"y", "z"}]
    assert repr(ratings) == "Ratings(2 annotators, 3 items, 6 ratings, 4 labels)"


def test_figure_2_keeps_the_item_in_its_set():
    # The set {x} of z does not follow from a partition, so the table is given directly.
    kept = Ratings.from_matrix(
        {"A3": [{"x", "y"}, {"x", "y"}, {"x"}], "A4": [{"x", "y", "z"}] * 3}, items=["x", "y", "z"]
    )
    assert mean_masi(kept) == Fraction(10, 27)  # as printed
    removed = Ratings.from_matrix(
        {"A3": [{"y"}, {"x"}, {"x"}], "A4": [{"y", "z"}, {"x", "z"}, {"x", "y"}]},
        items=["x", "y", "z"],
    )
    assert mean_masi(removed) == Fraction(1, 3)


def test_figure_3_is_seven_and_not_six_parts_of_27():
    assert mean_masi(Ratings.from_partitions(FIGURE_3)) == Fraction(7, 27)  # printed: 6/27
    dropped = Ratings.from_partitions(FIGURE_3, drop_self=True)
    assert sets_of(dropped, "A3") == [{"y"}, {"x"}, set()]
    assert sets_of(dropped, "A4") == [set(), {"z"}, {"y"}]
    assert mean_masi(dropped) == 0


def test_an_item_in_several_classes_gets_their_union():
    ratings = Ratings.from_partitions({"a": [{1, 2}, {2, 3}], "b": [{1, 2, 3}]})
    assert sets_of(ratings, "a") == [{1, 2}, {1, 2, 3}, {2, 3}]
    assert sets_of(ratings, "b") == [{1, 2, 3}] * 3
    assert sets_of(Ratings.from_partitions({"a": [{1, 2}, {2, 3}]}, drop_self=True), "a") == [
        {2},
        {1, 3},
        {2},
    ]


def test_an_item_in_no_class_is_missing_or_alone():
    partitions = {"a": [{1, 2}], "b": [{1, 2, 3}]}
    assert sets_of(Ratings.from_partitions(partitions), "a") == [{1, 2}, {1, 2}, None]
    alone = Ratings.from_partitions(partitions, alone="singleton")
    assert sets_of(alone, "a") == [{1, 2}, {1, 2}, {3}]
    empty = Ratings.from_partitions(partitions, alone="singleton", drop_self=True)
    assert sets_of(empty, "a") == [{2}, {1}, set()]


def test_items_in_no_class_at_all_can_be_named():
    assert Ratings.from_partitions({"a": [{1}]}, items=(1, 2)).items == (1,)
    alone = Ratings.from_partitions({"a": [{1}], "b": []}, items=(2, 1.0), alone="singleton")
    assert sets_of(alone, "a") == sets_of(alone, "b") == [{1}, {2}]
    with pytest.raises(DataError, match=r"'a' has 3 in a class, which is not among the items 1, 2"):
        Ratings.from_partitions({"a": [{3, 4, 1}]}, items=(1, 2))
    with pytest.raises(TypeError, match=r"items must be a sequence, such as a list; got 'x'"):
        Ratings.from_partitions({"a": [{"x"}]}, items="x")


def test_classes_may_be_lists_arrays_and_sets_in_any_order():
    ratings = Ratings.from_partitions({"b": [["x", "y", "x"], ("z",)], "a": [{"y", "x"}, {"z"}]})
    arrays = Ratings.from_partitions(
        {"b": [np.array(["z"]), np.array(["y", "x"])], "a": [["x", "y"], ["z"]]}
    )
    assert ratings == arrays
    assert ratings.annotators == ("a", "b")
    assert len(ratings.labels) == 2


def test_annotators_may_find_no_class():
    ratings = Ratings.from_partitions({"a": [{1}], "b": []})
    assert (ratings.annotators, ratings.n_ratings) == (("a", "b"), 1)
    assert Ratings.from_partitions({}).n_annotators == 0
    assert Ratings.from_partitions({"a": []}).n_items == 0


@pytest.mark.parametrize(
    ("partitions", "error", "message"),
    [
        ({"a": [set()]}, DataError, "a class must contain at least one item; 'a' has an empty one"),
        ({"a": ["xy"]}, TypeError, "a class must be a set or a list of items; 'a' has 'xy'"),
        ({"a": "xy"}, TypeError, "the classes of 'a' must be a list of sets; got 'xy'"),
        ({"a": {1: {2}}}, TypeError, "the classes of 'a' must be a list of sets; got"),
        ({"a": [{1}], 1: [{1}], "1": [{1}]}, DataError, "'1' is repeated"),
        ({" ": [{1}]}, DataError, "an annotator needs a name"),
        ({"a": [[None]]}, DataError, "an item of a class must be text or a number; got None"),
        (
            {"a": [[("x", 1)]]},
            DataError,
            r"an item of a class must be text or a number; got \('x', 1\)",
        ),
        ([[{1}]], TypeError, r"partitions must be \{annotator: \[set, …\]\}; got list"),
    ],
)
def test_bad_partitions_are_refused(partitions, error, message):
    with pytest.raises(error, match=message):
        Ratings.from_partitions(partitions)


def test_an_unknown_choice_for_lone_items_is_refused():
    with pytest.raises(SettingError, match=r"unknown alone='empty'; .* 'missing', 'singleton'"):
        Ratings.from_partitions({"a": [{1}]}, alone="empty")  # type: ignore[arg-type]


def test_a_large_class_is_one_set_for_all_its_items():
    # A separate set per item would need 10,000 million members.
    n = 100_000
    ratings = Ratings.from_partitions({"a": [list(range(n))], "b": [list(range(n))]})
    assert (ratings.n_items, len(ratings.labels)) == (n, 1)
