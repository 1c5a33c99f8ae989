"""The layout of units: rows without overlap, and bins."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono as un
from unisono.charts.lanes import Lanes, bin_coverage, bin_units, check_window, part_text, stack_rows
from unisono.errors import SettingError

spans = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 9)).map(lambda p: (p[0] / 2, (p[0] + p[1]) / 2)),
    max_size=25,
).map(sorted)


def columns(units):
    table = np.array(units, dtype=float).reshape(-1, 2)
    return table[:, 0], table[:, 1]


@given(spans)
def test_units_in_a_row_do_not_overlap(units):
    levels = stack_rows(*columns(units)).tolist()

    for (u, row), (v, other) in combinations(zip(units, levels, strict=True), 2):
        if row == other:
            assert u[1] <= v[0] or v[1] <= u[0]
            # Two points at the same position would hide each other.
            assert not (u == v and u[0] == u[1])


@given(spans.filter(bool).map(lambda units: [u for u in units if u[1] > u[0]]))
def test_number_of_rows_is_minimal(units):
    levels = stack_rows(*columns(units))
    most = max((sum(s <= place < e for s, e in units) for place, _ in units), default=1)

    assert levels.max(initial=0) + 1 == max(1, most)


def test_adjacent_units_share_a_row():
    assert stack_rows(np.array([0.0, 2.0, 5.0]), np.array([2.0, 5.0, 9.0])).tolist() == [0, 0, 0]


@given(spans)
def test_bins_have_the_covered_length(units):
    starts, ends = columns(units)
    edges = np.linspace(-1.0, 25.0, 14)
    slow = [
        sum(max(0.0, min(e, high) - max(s, low)) for s, e in units) for low, high in pairwise(edges)
    ]

    assert bin_coverage(starts, ends, edges) == pytest.approx(np.array(slow), abs=1e-9)


def test_bins_have_the_dominant_label():
    text = un.Continuum.from_units(
        [("ann", 0, 3, "A"), ("ann", 3, 10, "B"), ("ann", 10, 11, "A"), ("bob", 15, 15, "C")]
    )
    found = bin_units(text, (0.0, 20.0), bins=2)

    assert [text.labels[code] for code in found.codes[0]] == ["B", "A"]
    assert found.shares[0] == pytest.approx([1.0, 0.1])
    # A point has no length, but is drawn.
    assert found.shares[1, 0] == 0.0
    assert found.shares[1, 1] > 0.0


def test_lanes_are_stacked():
    lanes = Lanes.of(["ann", "bob"], [1, 3], (0.0, 10.0))
    first, second = lanes.lanes

    assert first.top + first.rows < second.top
    assert second.top + second.rows < lanes.bottom
    assert lanes.low < 0.0
    assert lanes.high > 10.0


@pytest.mark.parametrize(
    ("window", "message"),
    [((5, 5), "a window needs start < end"), ((90, 99), "outside the document")],
)
def test_windows_outside_the_document_are_rejected(window, message):
    text = un.Continuum.from_units([("ann", 0, 5), ("bob", 1, 9)])

    with pytest.raises(SettingError, match=message):
        check_window(window, text)


def test_precision_of_window_bounds_depends_on_their_distance():
    text = un.Continuum.from_units([("ann", 0.0, 99987.41)])

    assert part_text((10103.5041, 10766.1696), text) == "10,104–10,766 of 0–99,987"
    assert part_text((0.25, 0.75), text) == "0.25–0.75 of 0–99,987.41"
