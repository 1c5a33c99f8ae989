"""Laws of simulated annotators."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono as un
from unisono.model.overlap import overlapping_units
from unisono.simulation.shuffling.errors import DEFAULT_ERRORS
from unisono.simulation.shuffling.shuffle import Shuffler

magnitudes = st.floats(0.0, 1.0)
seeds = st.integers(0, 2**32 - 1)
errors = st.lists(st.sampled_from(DEFAULT_ERRORS), min_size=1, unique=True)


@st.composite
def references(draw):
    """Units of one annotator, apart or not, with a wide range of lengths."""
    return un.generate_reference(
        draw(st.integers(1, 15)),
        labels=draw(st.sampled_from(["A", "AB", "ABCD"])),
        lengths=draw(st.sampled_from([(1, 1), (0, 5), (1e-3, 1e3)])),
        gaps=draw(st.sampled_from([(0, 0), (0, 10), (5, 5)])),
        overlap=draw(st.booleans()),
        rng=draw(seeds),
    )


@given(references(), magnitudes, errors, seeds)
@settings(deadline=None)
def test_units_stay_units_within_the_document(reference, magnitude, chosen, seed):
    found = un.shuffle(reference, magnitude=magnitude, errors=chosen, rng=seed)
    low, high = reference.extent
    text = found.continuum
    assert ((text.starts >= low) & (text.ends <= high) & (text.starts <= text.ends)).all()
    assert set(text.labels) <= set(reference.labels)
    assert text.annotators == ("sim1", "sim2", "sim3")


@given(references(), magnitudes, errors, seeds)
@settings(deadline=None)
def test_no_unit_of_the_reference_is_lost_unseen(reference, magnitude, chosen, seed):
    found = un.shuffle(reference, magnitude=magnitude, errors=chosen, rng=seed)
    owner = np.repeat(np.arange(3), found.continuum.counts)
    rows = set(zip(owner.tolist(), found.origins.tolist(), strict=True))
    kept = {(who, row) for who, row in rows if row >= 0}
    forgotten = {(who, row) for who, row in found.forgotten.tolist()}
    assert kept.isdisjoint(forgotten)
    assert kept | forgotten == {(who, row) for who in range(3) for row in range(len(reference))}


@given(st.integers(1, 20), magnitudes, seeds)
@settings(deadline=None)
def test_units_that_are_kept_apart_never_overlap(units, magnitude, seed):
    reference = un.generate_reference(units, gaps=(0.1, 5), rng=seed)
    found = un.shuffle(reference, magnitude=magnitude, overlap=False, rng=seed)
    assert overlapping_units(found.continuum) is None


@given(references(), magnitudes, seeds)
@settings(deadline=None)
def test_moving_and_stretching_the_axis_moves_and_stretches_the_errors(reference, magnitude, seed):
    rows = [(u.annotator, 4 * u.start + 64, 4 * u.end + 64, u.label) for u in reference]
    low, high = reference.extent
    moved = un.Continuum.from_units(rows, extent=(4 * low + 64, 4 * high + 64))
    first = un.shuffle(reference, magnitude=magnitude, rng=seed).continuum
    second = un.shuffle(moved, magnitude=magnitude, rng=seed).continuum
    assert len(first) == len(second)
    assert np.sort(second.starts) == pytest.approx(np.sort(4 * first.starts + 64), abs=1e-6 * high)


@pytest.mark.parametrize("error", DEFAULT_ERRORS)
def test_agreement_declines_as_errors_grow(error):
    shuffler = Shuffler(un.generate_reference(30, rng=4), errors=error)
    means = [
        np.mean([un.gamma(shuffler.continuum(m, 1, i), draws=30, rng=i).value for i in range(6)])
        for m in (0.0, 0.2, 0.5, 0.9)
    ]
    assert means[0] == 1.0
    assert (np.diff(means) < 0.0).all()
