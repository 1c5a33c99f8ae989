"""References out of nothing."""

from __future__ import annotations

import numpy as np
import pytest

import unisono as un
from unisono.model.overlap import overlapping_units


def test_labels_lengths_and_gaps_are_as_requested():
    lengths = {"A": (1, 2), "B": (5, 5)}
    found = un.generate_reference(
        4000, labels={"A": 3, "B": 1}, lengths=lengths, gaps=(0.5, 1), rng=1
    )
    sizes = found.ends - found.starts
    codes = found.label_codes
    assert np.mean(codes == 0) == pytest.approx(0.75, abs=0.03)
    assert (sizes[codes == 0].min() >= 1 - 1e-9, sizes[codes == 0].max() <= 2 + 1e-9) == (
        True,
        True,
    )
    assert sizes[codes == 1] == pytest.approx(5.0)
    gaps = found.starts[1:] - found.ends[:-1]
    assert gaps.min() >= 0.5 - 1e-6
    assert gaps.max() <= 1.0 + 1e-6
    assert overlapping_units(found) is None
    assert found.extent[0] == 0.0
    assert 0.5 <= found.extent[1] - found.ends[-1] <= 1.0 + 1e-6


def test_a_given_extent_is_filled_by_stretching_gaps():
    found = un.generate_reference(10, lengths=(5, 5), extent=(100, 400), rng=1)
    assert found.extent == (100.0, 400.0)
    free = un.generate_reference(10, lengths=(5, 5), rng=1)
    ours, others = (
        np.append(text.starts[1:], text.extent[1]) - text.ends for text in (found, free)
    )
    assert ours / ours.sum() == pytest.approx(others / others.sum())


def test_units_without_gaps_cover_everything():
    found = un.generate_reference(25, gaps=(0, 0), labels="A", rng=1)
    assert len(un.segmentations(found, atom=0.001)["reference"].boundaries) == 24
    late = un.generate_reference(2, lengths=(5, 5), gaps=(0, 0), extent=30, rng=1)
    assert late.ends.tolist() == [5.0, 10.0]


def test_units_may_lie_over_each_other():
    found = un.generate_reference(50, overlap=True, extent=60, rng=1)
    assert overlapping_units(found) is not None
    assert (found.starts.min() >= 0, found.ends.max() <= 60) == (True, True)


def test_the_seed_and_a_name_are_kept():
    first = un.generate_reference(5, rng=1, annotator="gold")
    assert un.generate_reference(5, rng=1, annotator="gold") == first
    assert un.generate_reference(5, rng=2, annotator="gold") != first
    assert first.annotators == ("gold",)


@pytest.mark.parametrize(
    ("settings", "kind", "said"),
    [
        ({"units": 0}, un.SettingError, "units must be 1 or more, got 0"),
        ({"units": 10**9}, un.SettingError, "20,000,000 at most, got 1,000,000,000"),
        ({"labels": ()}, un.SettingError, "needs at least one label"),
        ({"labels": {"A": 0}}, un.SettingError, "and one above 0"),
        ({"lengths": (5, 1)}, un.SettingError, "lengths must be finite, with 0 <= minimum"),
        ({"lengths": 5}, TypeError, "lengths must be two numbers"),
        ({"lengths": {"A": (1, 2)}}, un.SettingError, "no range for the label 'B'"),
        ({"gaps": (-1, 1)}, un.SettingError, "gaps must be finite, with 0 <= minimum"),
        ({"extent": 10}, un.SettingError, "do not fit an extent of 10 without overlap"),
        ({"extent": (5, 5)}, un.SettingError, "extent must be a length above 0"),
        ({"extent": 2, "overlap": True}, un.SettingError, "does not fit the extent 0–2"),
    ],
)
def test_what_cannot_be_made_is_a_sentence(settings, kind, said):
    with pytest.raises(kind) as caught:
        un.generate_reference(**{"units": 10, "rng": 1, **settings})
    assert said in str(caught.value)
