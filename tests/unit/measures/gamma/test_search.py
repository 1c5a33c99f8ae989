"""When the search for the best alignment may stop, and how that is told."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import unisono as un
from families import family
from unisono.measures.gamma.alignment import Search

CROWD = family("overlapping", 6, 12, np.random.default_rng(3))


@pytest.mark.parametrize("door", [un.best_alignment, un.gamma])
@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"gap_tolerance": -0.1}, "gap_tolerance must be from 0 to below 1, such as 0.001; got"),
        ({"gap_tolerance": math.nan}, "gap_tolerance must be from 0 to below 1"),
        ({"gap_tolerance": 1.0}, "gap_tolerance must be from 0 to below 1"),
        ({"time_limit": 0}, "time_limit must be a finite number above 0"),
        ({"time_limit": math.inf}, "time_limit must be a finite number above 0"),
    ],
)
def test_settings_that_no_data_can_be_measured_with_are_refused(door, settings, sentence):
    with pytest.raises(un.SettingError, match=sentence):
        door(CROWD, **settings)


@pytest.mark.parametrize("settings", [{"soft": 1}, {"gap_tolerance": "0.1"}, {"time_limit": True}])
def test_settings_of_the_wrong_kind_are_refused(settings):
    with pytest.raises(TypeError, match=next(iter(settings))):
        un.best_alignment(CROWD, **settings)


def test_only_settings_that_differ_from_defaults_are_in_the_signature():
    assert Search().signature_items == ()
    items = Search(soft=True, gap_tolerance=0.001, time_limit=2).signature_items
    assert items == (("soft", "yes"), ("gap", "0.001"), ("time", "2s"))
    alignment = un.best_alignment(CROWD, gap_tolerance=0.001, time_limit=60)
    assert alignment.signature["gap"] == "0.001"
    assert alignment.signature["time"] == "60s"


def test_a_tolerance_leaves_at_most_that_gap():
    best = un.best_alignment(CROWD)
    assert best.proven
    for tolerance in (0.001, 0.02, 0.3):
        rough = un.best_alignment(CROWD, gap_tolerance=tolerance)
        assert rough.lower_bound <= best.disorder * (1 + 1e-9)
        assert best.disorder <= rough.disorder * (1 + 1e-9)
        assert rough.gap <= tolerance * rough.disorder * (1 + 1e-9)
        assert rough.signature == un.best_alignment(CROWD, gap_tolerance=tolerance).signature


@pytest.mark.parametrize("soft", [False, True])
def test_when_time_is_over_there_is_an_alignment_with_its_gap(soft):
    best = un.best_alignment(CROWD, soft=soft)
    hurried = un.best_alignment(CROWD, soft=soft, time_limit=1e-9)
    assert not hurried.proven
    assert hurried.gap > 0.0
    assert hurried.lower_bound <= best.disorder <= hurried.disorder
    covered = hurried.indices[hurried.indices >= 0]
    assert set(covered.tolist()) == set(range(len(CROWD)))


def test_a_time_limit_that_is_not_reached_moves_no_value():
    assert np.array_equal(
        un.best_alignment(CROWD, time_limit=3600).indices, un.best_alignment(CROWD).indices
    )


def test_gamma_carries_the_gaps_of_hurried_alignments():
    with pytest.warns(UserWarning, match="γ is only known to be between"):
        hurried = un.gamma(CROWD, draws=5, rng=1, time_limit=1e-9)
    exact = un.gamma(CROWD, draws=5, rng=1)
    assert hurried.certified is not None
    assert hurried.certified.low <= exact.value <= hurried.certified.high
    assert hurried.signature["time"] == "1e-09s"


def at_one_place(n, each):
    """Return units of which each could be aligned with every other."""
    rng = np.random.default_rng(1)
    starts = rng.uniform(0, 50, n * each)
    names = np.repeat(list("abcdefgh")[:n], each)
    lengths = rng.uniform(50, 150, n * each)
    return un.Continuum.from_columns(names, starts, starts + lengths, ["x"] * (n * each))


@pytest.mark.parametrize("soft", [False, True])
def test_a_time_limit_holds_at_one_place(soft):
    began = time.perf_counter()
    alignment = un.best_alignment(at_one_place(6, 60), soft=soft, time_limit=0.5)
    assert time.perf_counter() - began < 15.0  # minutes without a limit
    assert alignment.lower_bound <= alignment.disorder


def test_a_time_limit_holds_for_each_draw():
    began = time.perf_counter()
    # How wide the interval becomes within the limit depends on the machine.
    with pytest.warns(UserWarning, match="γ is (only known to be|certain only) between"):
        un.gamma(at_one_place(6, 60), draws=3, rng=1, time_limit=0.5, workers=1)
    assert time.perf_counter() - began < 40.0
