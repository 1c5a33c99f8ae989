"""Rows for every item: the same ratings, only longer."""

import numpy as np

import unisono as un
from unisono.measures.items.resampling import each_item, thinned


def test_every_item_gets_a_row_and_nothing_else_changes():
    ratings = un.Ratings.from_matrix([list("abab"), ["a", None, "a", "b"]])
    items = each_item(ratings.merged())
    assert items == ratings
    assert items.times.tolist() == [1, 1, 1, 1]
    assert items.annotators == ratings.annotators


def test_rows_come_in_the_same_order_however_the_items_came():
    table = np.random.default_rng(1).integers(0, 3, size=(3, 50))
    first = each_item(un.Ratings.from_matrix(table)).matrix()
    assert np.array_equal(first, each_item(un.Ratings.from_matrix(table[:, ::-1])).matrix())


def test_there_may_be_no_items_at_all():
    assert len(each_item(un.Ratings.from_matrix([[None], [None]]))) == 0


def test_thinned_ratings_lose_values_and_empty_items_but_no_annotator_and_no_label():
    items = un.Ratings.from_matrix([["a", "b", "c"], ["a", "b", None]])
    kept = np.array([True, True, False, True, False])
    left = thinned(items, kept)
    assert left.matrix().tolist() == [[0, 0], [-1, 1]]
    assert left.annotators == items.annotators
    assert left.labels == items.labels


def test_unknown_annotators_stay_unknown():
    items = each_item(un.Ratings.from_counts([[2, 1], [0, 3]], times=[2, 1]))
    assert items.anonymous
    assert len(items) == 3
