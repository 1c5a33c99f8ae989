"""Overlapping units of one annotator: detection, merging and splitting."""

from __future__ import annotations

import pytest

import unisono as un
from unisono.errors import DataError
from unisono.model.overlap import overlapping_units, without_overlap


def text(*units):
    return un.Continuum.from_units([("ann", *unit) for unit in units])


def spans(continuum):
    return [(unit.start, unit.end, unit.label) for unit in continuum]


def test_units_that_touch_do_not_overlap():
    touching = text((0, 3, "a"), (3, 5, "b"), (5, 9, "a"))
    assert overlapping_units(touching) is None
    assert without_overlap(touching) is touching


def test_a_unit_of_length_0_overlaps_nothing():
    assert overlapping_units(text((0, 9, "a"), (4, 4, "b"))) is None


def test_a_long_unit_is_found_to_overlap_one_that_is_not_its_neighbour():
    first, second = overlapping_units(text((0, 9, "a"), (4, 4, "p"), (5, 6, "b"))) or (None, None)
    assert (first, second) == (un.Unit("ann", 0, 9, "a"), un.Unit("ann", 5, 6, "b"))


def test_an_overlap_is_refused_with_both_units_and_the_cure():
    with pytest.raises(DataError) as caught:
        without_overlap(text((0, 5, "a"), (3, 9, None)))
    assert str(caught.value) == (
        "'ann' has units that overlap: [0, 5] 'a' and [3, 9]; this measure does not accept "
        "overlapping units of one annotator. overlap='split' cuts them into pieces, "
        "overlap='merge' merges those of the same label"
    )


def test_what_sums_of_floats_leave_is_not_an_overlap():
    start = 0.1 + 0.2  # 0.30000000000000004
    rounded = without_overlap(text((0.0, start, "a"), (0.3, 0.5, "b")))
    assert spans(rounded) == [(0.0, start, "a"), (start, 0.5, "b")]


def test_a_millisecond_is_not_a_rounding_however_far_from_zero():
    now = 1.7e12  # milliseconds since 1970
    with pytest.raises(DataError, match="overlap"):
        without_overlap(text((now, now + 5, "a"), (now + 4, now + 9, "b")))


def test_merging_joins_units_of_one_label_that_overlap_or_touch():
    merged = without_overlap(
        text((0, 9, "a"), (1, 2, "a"), (8, 12, "a"), (12, 13, "a"), (14, 15, "a")), "merge"
    )
    assert spans(merged) == [(0, 13, "a"), (14, 15, "a")]


def test_merging_keeps_annotators_and_extent():
    data = un.Continuum.from_units(
        [("ann", 0, 5, "a"), ("ann", 3, 6, "a"), ("bob", 5, 7, "a")],
        annotators=("ann", "bob", "eve"),
        extent=(0, 60),
    )
    merged = without_overlap(data, "merge")
    assert (merged.annotators, merged.extent) == (data.annotators, data.extent)
    assert merged.counts.tolist() == [1, 1, 0]


def test_merging_refuses_units_of_different_labels():
    with pytest.raises(DataError, match="merges units of the same label only, overlap='split'"):
        without_overlap(text((0, 5, "a"), (3, 9, "b")), "merge")


def test_splitting_gives_a_piece_all_of_its_labels():
    split = without_overlap(text((0, 10, "a"), (3, 5, "b"), (4, 7, "c"), (12, 14, "b")), "split")
    assert spans(split) == [
        (0, 3, "a"),
        (3, 4, frozenset("ab")),
        (4, 5, frozenset("abc")),
        (5, 7, frozenset("ac")),
        (7, 10, "a"),
        (12, 14, "b"),
    ]


def test_splitting_keeps_plain_labels_sets_and_units_without_label():
    split = without_overlap(
        text((0, 4, "a"), (2, 6, "a"), (5, 8, None), (7, 9, frozenset("xy")), (8, 9, "z"), (3, 3)),
        "split",
    )
    assert spans(split) == [
        (0, 2, "a"),
        (2, 4, "a"),
        (3, 3, None),
        (4, 5, "a"),
        (5, 6, "a"),
        (6, 7, None),
        (7, 8, frozenset("xy")),
        (8, 9, frozenset("xyz")),
    ]


def test_units_of_different_labels_may_overlap_where_labels_are_apart():
    crossing = text((0, 5, "a"), (3, 9, "b"))
    assert without_overlap(crossing, within_labels=True) is crossing
    same = text((0, 5, "a"), (3, 9, "a"), (4, 6, "b"))
    with pytest.raises(DataError, match=r"\[0, 5\] 'a' and \[3, 9\] 'a'"):
        without_overlap(same, within_labels=True)
    split = without_overlap(same, "split", within_labels=True)
    assert spans(split) == [(0, 3, "a"), (3, 5, "a"), (4, 6, "b"), (5, 9, "a")]


def test_an_empty_text_has_no_overlap():
    for overlap in ("raise", "merge", "split"):
        assert len(without_overlap(text(), overlap)) == 0
