"""The kernel's dice are those of numpy, and its shifts those that numpy makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono._core import roll_shifts
from unisono.measures.sampling import Dice, words_of

SEEDS = st.one_of(st.integers(0, 3), st.integers(2**32 - 2, 2**32 + 2), st.integers(0, 2**200))
WORDS = st.one_of(st.integers(0, 3), st.integers(0, 2**32 - 1))


def shifts_by_numpy(dice, counts, places, extent, spacing, whole):
    """One draw as the paper has it, in numpy: picks, shifts and how often it was rolled again."""
    again = -1
    picks = np.zeros(places, np.int32)
    while again < 0 or not counts[picks].any():
        rolled = dice.roll(3 * places + 1)
        picks = (rolled[:places] * len(counts)).astype(np.int32)
        again += 1
    freedom = extent - places * spacing
    apart = np.sort(rolled[places : 2 * places]) * freedom + np.arange(places) * spacing
    turned = apart + rolled[2 * places] * extent
    shifts = turned[np.argsort(rolled[2 * places + 1 :], kind="stable")]
    shifts = np.mod(shifts, extent) if extent > 0.0 else shifts
    return picks, np.floor(shifts) if whole else shifts, again


@given(
    SEEDS,
    st.lists(WORDS, max_size=4),
    st.integers(0, 2**31 - 6),
    st.integers(1, 5),
    st.lists(st.integers(0, 2), min_size=1, max_size=7).filter(any),
    st.integers(2, 30),
    st.sampled_from((0.0, 1e-3, 7.0, 123.456, 1e9)),
    st.floats(0.0, 0.999),
    st.booleans(),
)
def test_shifts_of_the_kernel_are_those_of_numpy(
    seed, stream, first, count, counts, places, extent, tightness, whole
):
    spacing = extent / places * tightness
    counts = np.array(counts)
    picks, shifts, redrawn = roll_shifts(
        words_of(seed),
        np.array(stream, np.uint32),
        counts,
        first=first,
        count=count,
        places=places,
        extent=extent,
        spacing=spacing,
        whole_shifts=whole,
    )
    again = 0
    for at in range(count):
        dice = Dice(seed, *stream, first + at)
        expected = shifts_by_numpy(dice, counts, places, extent, spacing, whole)
        np.testing.assert_array_equal(picks[at], expected[0])
        assert shifts[at].tobytes() == expected[1].tobytes()
        again += expected[2]
    assert redrawn == again


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"places": 1}, "a draw needs 2 to 150 annotators"),
        ({"extent": -1.0}, "extents must be within"),
        ({"extent": float("nan")}, "extents must be within"),
        ({"spacing": 5.1}, "no room for shifts that far apart"),
        ({"spacing": float("nan")}, "no room for shifts that far apart"),
        ({"first": -1}, "draws are numbered from 0"),
        ({"count": 2**31}, "draws are numbered from 0"),
    ],
)
def test_shifts_that_cannot_be_are_refused(changed, problem):
    settings = {"first": 0, "count": 2, "places": 2, "extent": 10.0, "spacing": 1.0}
    words = np.array([1], np.uint32)
    with pytest.raises(ValueError, match=problem):
        roll_shifts(words, words, np.array([1, 0]), **(settings | changed), whole_shifts=False)


@pytest.mark.parametrize(
    ("counts", "problem"), [([], "no voice"), ([0, 0], "no voice"), ([-1], "negative")]
)
def test_without_any_unit_nothing_is_rolled(counts, problem):
    words = np.array([1], np.uint32)
    settings: dict[str, Any] = {"first": 0, "count": 1, "places": 2, "extent": 9.0, "spacing": 1.0}
    with pytest.raises(ValueError, match=problem):
        roll_shifts(words, words, np.array(counts, np.int64), **settings, whole_shifts=False)
