"""Simulated annotators: every operator follows its law, and the record tells what was done."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest

import unisono as un
from unisono.measures.sampling import Dice
from unisono.model.overlap import overlapping_units
from unisono.simulation.shuffling.errors import (
    ERRORS,
    SimulatedUnits,
    closeness_rows,
    label_shares,
    move_boundaries,
    resolve_certain_labels,
    split_units,
)
from unisono.simulation.shuffling.shuffle import Shuffler

TEN = un.generate_reference(10, rng=1)
MANY = un.generate_reference(20_000, labels={"A": 2, "B": 1, "C": 1}, rng=5)
COVERING = un.generate_reference(20, labels="A", gaps=(0, 0), rng=2)


def marks_of(starts, ends, owner=None):
    count = len(starts)
    owner = np.zeros(count, np.int64) if owner is None else np.array(owner)
    no = np.zeros(count, dtype=bool)
    labels = np.zeros(count, np.int32)
    return SimulatedUnits(
        owner, np.array(starts, float), np.array(ends, float), labels, owner, no, no
    )


@pytest.mark.parametrize("overlap", [True, False])
def test_without_errors_everybody_has_the_reference(overlap):
    found = un.shuffle(TEN, magnitude=0, rng=1, overlap=overlap)
    for name in found.continuum.annotators:
        same = found.continuum.only(annotators=(name,)).rename(annotators={name: "reference"})
        assert same == TEN
    assert set(found.counts.values()) == {0}
    assert {unit.done for unit in found.units} == {"kept"}


def test_boundaries_move_as_if_drawn_again_until_they_neither_cross_nor_leave():
    low, high, start, end, reach = 0.0, 12.0, 4.0, 10.0, 1.5
    count = 200_000
    marks = marks_of(np.full(count, start), np.full(count, end))
    starts, ends = move_boundaries(marks, reach, (low, high), Dice(3))

    rng = np.random.default_rng(1)
    moves = rng.uniform(-reach * 6.0, reach * 6.0, size=(2, 3_000_000))
    tried_start, tried_end = start + moves[0], end + moves[1]
    good = (tried_start < tried_end) & (tried_start >= low) & (tried_end <= high)
    shares = np.linspace(0.05, 0.95, 19)
    for ours, tried in (
        (starts, tried_start),
        (ends, tried_end),
        (ends - starts, tried_end - tried_start),
    ):
        wanted = np.quantile(tried[good], shares)
        assert np.abs(np.quantile(ours, shares) - wanted).max() < 0.06
    assert ((starts < ends) & (starts >= low) & (ends <= high)).all()


def test_small_moves_are_uniform_within_their_reach():
    reach, length = 0.2, 10.0
    marks = marks_of(np.full(100_000, 50.0), np.full(100_000, 60.0))
    starts, ends = move_boundaries(marks, reach, (0.0, 100.0), Dice(3))
    for moved in (starts - 50.0, ends - 60.0):
        assert np.abs(moved).max() <= reach * length
        assert np.abs(np.quantile(moved, [0.25, 0.5, 0.75]) - [-1, 0, 1]).max() < 0.03
    assert abs(np.corrcoef(starts, ends)[0, 1]) < 0.02


@pytest.mark.parametrize("magnitude", [0.1, 0.5, 1.0])
def test_units_can_be_kept_apart_and_in_their_order(magnitude):
    for seed in range(20):
        found = un.shuffle(
            MANY_GAPS, magnitude=magnitude, errors="position", overlap=False, rng=seed
        )
        assert overlapping_units(found.continuum) is None
        for name in found.continuum.annotators:
            rows = found.continuum.only(annotators=(name,))
            assert rows.label_codes.tolist() == MANY_GAPS.label_codes.tolist()


MANY_GAPS = un.generate_reference(40, gaps=(0, 2), rng=3)


def test_a_covering_stays_a_covering():
    found = un.shuffle(COVERING, magnitude=0.8, errors="position", overlap=False, rng=1).continuum
    cut = un.segmentations(found, atom=0.01)
    assert all(len(segmentation.boundaries) == 19 for segmentation in cut.values())


def test_points_do_not_move():
    points = un.Continuum.from_units([("gold", 3, 3, "A"), ("gold", 5, 9, "A")], extent=(0, 20))
    found = un.shuffle(points, magnitude=1, errors="position", rng=1).continuum
    assert [unit.start for unit in found if unit.length == 0.0] == [3.0, 3.0, 3.0]


@pytest.mark.parametrize("prevalence", ["reference", "uniform", {"A": 1, "D": 3}])
def test_labels_change_with_the_probabilities_of_the_definition(prevalence):
    magnitude = 0.6
    found = un.shuffle(
        MANY, magnitude=magnitude, errors="category", prevalence=prevalence, rng=1, annotators=8
    )
    counts = np.bincount(MANY.label_codes) / len(MANY)
    labels = found.continuum.labels
    chosen: dict[str, dict[Any, float]] = {
        "reference": dict(zip(MANY.labels, counts, strict=True)),
        "uniform": dict.fromkeys(MANY.labels, 1 / 3),
    }
    shares: dict[Any, float] = (
        chosen[prevalence] if isinstance(prevalence, str) else {"A": 0.25, "D": 0.75}
    )
    was = MANY.label_codes[found.origins]
    for row, label in enumerate(MANY.labels):
        now = found.continuum.label_codes[was == row]
        for column, other in enumerate(labels):
            wanted = (1 - magnitude**2) * (label == other) + magnitude**2 * shares.get(other, 0.0)
            assert np.mean(now == column) == pytest.approx(wanted, abs=0.012)


def test_close_labels_are_mistaken_more_often():
    magnitude = 0.5
    closeness = [[9, 1, 0], [1, 9, 3], [0, 0, 9]]
    found = un.shuffle(
        MANY, magnitude=magnitude, errors="category", closeness=closeness, rng=1, annotators=8
    )
    near = np.array([[0, 1, 0], [0.25, 0, 0.75], [0, 0, 1]])
    prevalence = np.bincount(MANY.label_codes) / len(MANY)
    wanted = (
        (1 - magnitude) * np.eye(3) + magnitude**3 * prevalence + (magnitude - magnitude**3) * near
    )
    was = MANY.label_codes[found.origins]
    now = found.continuum.label_codes
    ours = np.array([[np.mean(now[was == i] == j) for j in range(3)] for i in range(3)])
    assert np.abs(ours - wanted).max() < 0.012


def test_closeness_may_be_a_label_distance():
    numbered = un.generate_reference(3000, labels=(1, 2, 3), rng=1)
    found = un.shuffle(numbered, magnitude=0.5, errors="category", closeness="interval", rng=1)
    matrix = un.DistanceMatrix((1, 2, 3), [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]])
    same = un.shuffle(numbered, magnitude=0.5, errors="category", closeness=matrix, rng=1)
    assert same.continuum == found.continuum
    was, now = numbered.label_codes[found.origins], found.continuum.label_codes
    assert np.mean(now[was == 0] == 1) > 3 * np.mean(now[was == 0] == 2)


def test_labels_of_which_annotators_are_certain_are_never_mistaken():
    for closeness in (None, [[0, 1, 1], [1, 0, 1], [1, 1, 0]]):
        found = un.shuffle(
            MANY, magnitude=1, errors="category", certain=("B",), closeness=closeness, rng=1
        )
        was, now = MANY.label_codes[found.origins], found.continuum.label_codes
        assert ((was == 1) == (now == 1)).all()
        assert (was != now).any()


def test_units_are_forgotten_with_the_probability_that_is_the_magnitude():
    found = un.shuffle(MANY, magnitude=0.3, errors="false_negative", rng=1)
    kept = found.continuum.counts / len(MANY)
    assert kept == pytest.approx(0.7, abs=0.015)
    assert len(found.forgotten) + len(found.continuum) == 3 * len(MANY)


def test_everything_can_be_forgotten_and_everybody_still_counts():
    found = un.shuffle(TEN, magnitude=1, errors="false_negative", rng=1)
    assert (len(found.continuum), len(found.continuum.annotators)) == (0, 3)
    assert found.continuum.extent == TEN.extent


@pytest.mark.parametrize("overlap", [True, False])
def test_the_magnitude_is_the_share_of_added_units(overlap):
    found = un.shuffle(TEN, magnitude=0.5, errors="false_positive", overlap=overlap, rng=1)
    assert found.continuum.counts.tolist() == [15, 15, 15]
    assert sorted(found.origins[found.origins < 0].tolist()) == list(range(-15, 0))
    assert (overlapping_units(found.continuum) is None) is not overlap


def test_a_part_of_a_unit_is_added_as_often_as_it_should_be():
    shuffler = Shuffler(TEN, errors="false_positive", annotators=1)
    added = [len(shuffler.continuum(0.25, 1, i)) - 10 for i in range(2000)]
    assert set(added) == {2, 3}
    assert np.mean(added) == pytest.approx(2.5, abs=0.05)


def test_added_units_look_like_those_of_the_reference():
    lengths = {"A": (1, 2), "B": (5, 6)}
    reference = un.generate_reference(2000, labels={"A": 3, "B": 1}, lengths=lengths, rng=1)
    found = un.shuffle(reference, magnitude=1, errors="false_positive", rng=1)
    added = found.origins < 0
    codes, sizes = found.continuum.label_codes, found.continuum.ends - found.continuum.starts
    assert np.mean(codes[added] == 0) == pytest.approx(0.75, abs=0.04)
    assert sizes[added & (codes == 0)].max() <= 2.0 + 1e-9
    assert sizes[added & (codes == 1)].min() >= 5.0 - 1e-9


def test_cuts_are_shared_out_as_if_made_one_after_another():
    # Two units and three cuts: all four ways to share them out are as likely.
    marks = marks_of([0, 10], [5, 15])
    first = []
    for i in range(4000):
        cut = split_units(marks, np.array([3.0]), Dice(1, i))
        first.append(int((cut.start < 5.0).sum()) - 1)
    shares = np.bincount(first, minlength=4) / len(first)
    assert shares == pytest.approx(np.full(4, 0.25), abs=0.03)


def test_pieces_are_as_long_as_if_cut_one_after_another():
    count, cuts = 20_000, 3
    marks = marks_of(np.zeros(count), np.ones(count), owner=np.arange(count))
    pieces = split_units(marks, np.full(count, float(cuts)), Dice(1))
    lengths = pieces.end - pieces.start
    ours = [np.mean(lengths**power) for power in (2, 3)]

    rng = np.random.default_rng(1)
    tried = []
    for _ in range(count):
        parts = [1.0]
        for _ in range(cuts):
            length = parts.pop(int(rng.integers(len(parts))))
            place = rng.uniform()
            parts += [place * length, (1 - place) * length]
        tried.append(parts)
    wanted = [np.mean(np.array(tried) ** power) for power in (2, 3)]
    assert ours == pytest.approx(wanted, rel=0.03)


def test_pieces_tile_what_was_split_and_keep_its_label():
    found = un.shuffle(TEN, magnitude=1, errors="split", rng=1)
    assert found.counts == {"split": 150}
    assert found.continuum.counts.tolist() == [60, 60, 60]
    total = (found.continuum.ends - found.continuum.starts).sum()
    assert total == pytest.approx(3 * (TEN.ends - TEN.starts).sum())
    assert not found.relabelled.any()


def test_errors_of_one_type_do_not_depend_on_the_others():
    alone = un.shuffle(TEN, magnitude=0.4, errors="position", rng=1)
    both = un.shuffle(TEN, magnitude=0.4, errors=("category", "position"), rng=1)
    assert alone.continuum.starts.tolist() == both.continuum.starts.tolist()
    assert both.errors == ("position", "category")


def test_the_seed_decides_and_stands_in_the_signature():
    first = un.shuffle(TEN, magnitude=0.4, rng=1)
    assert un.shuffle(TEN, magnitude=0.4, rng=1).continuum == first.continuum
    assert un.shuffle(TEN, magnitude=0.4, rng=2).continuum != first.continuum
    told = un.shuffle(TEN, magnitude=0.4).signature["seed"]
    again = un.shuffle(TEN, magnitude=0.4, rng=int(told))
    assert again.signature["seed"] == told
    assert str(first.signature).startswith("shuffle|errors:position,category,")


def test_settings_of_ones_own_stand_in_the_signature():
    def told(**settings):
        return str(un.shuffle(TEN, magnitude=0.4, errors="category", rng=1, **settings).signature)

    table, other = [[0, 1, 1], [1, 0, 1], [1, 1, 0]], [[0, 1, 2], [1, 0, 1], [1, 1, 0]]
    assert told(closeness=table) == told(closeness=(iter(row) for row in table))
    assert told(closeness=table) != told(closeness=other)
    assert told(prevalence={"A": 1, "C": 2}) == told(prevalence={"C": 4, "A": 2})
    assert told(prevalence={"A": 1, "C": 2}) != told(prevalence={"A": 1, "C": 3})
    close = un.shuffle(TEN, magnitude=0.123456789, errors="category", rng=1)
    assert close.signature["magnitude"] == "0.123456789"


def test_the_record_tells_what_was_done_to_each_unit():
    found = un.shuffle(TEN, magnitude=0.5, rng=3)
    counts = found.counts
    assert sum(unit.done == "forgotten" for unit in found.units) == counts["false_negative"]
    assert counts["false_positive"] == 15
    assert counts["split"] == 75
    for each in found.units:
        if each.origin is None:
            assert "added" in each.done
        elif each.done == "kept":
            unit = TEN.unit(each.origin)
            assert (each.start, each.end, each.label) == (unit.start, unit.end, unit.label)
    plain = json.loads(found.to_json())
    assert plain["counts"] == counts
    assert len(plain["units"]) == len(found.units)
    assert len(found.to_csv().splitlines()) == 1 + len(found.units)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own


def test_several_annotators_each_get_worse():
    text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 1, 5, "B"), ("bob", 7, 9, "A")])
    found = un.shuffle(text, magnitude=0, rng=1)
    assert found.continuum == text
    worse = un.shuffle(text, magnitude=0.5, errors="split", split_cap=2, rng=1)
    assert worse.continuum.counts.tolist() == [2, 4]


def test_names_of_annotators_can_be_given():
    found = un.shuffle(TEN, magnitude=0.1, annotators=("eve", "ann"), rng=1)
    assert found.continuum.annotators == ("ann", "eve")
    assert len(un.shuffle(TEN, magnitude=0, annotators=12, rng=1).continuum.annotators) == 12


@pytest.mark.parametrize(
    ("settings", "kind", "said"),
    [
        ({"magnitude": 1.5}, un.SettingError, "magnitude must be from 0 to 1, got 1.5"),
        ({"magnitude": float("nan")}, un.SettingError, "got nan"),
        ({"magnitude": "much"}, TypeError, "a number, got 'much'"),
        ({"errors": "shift"}, un.SettingError, "unknown errors='shift'; choose one of 'pos"),
        ({"errors": ()}, un.SettingError, "errors is empty"),
        ({"annotators": 0}, un.SettingError, "between 1 and 10,000, got 0"),
        ({"annotators": ()}, un.SettingError, "annotators is empty"),
        ({"annotators": 2.5}, TypeError, "a number of annotators or their names"),
        ({"prevalence": "even"}, un.SettingError, "unknown prevalence='even'; choose"),
        ({"prevalence": {"A": -1}}, un.SettingError, "at least 0, and one above 0"),
        ({"prevalence": {"A": "x"}}, TypeError, "must map labels to numbers"),
        ({"closeness": [[1, 0], [0, 1]]}, un.DataError, "each of the 3 labels 'A', 'C', 'D'"),
        ({"closeness": [1, 2]}, un.DataError, "got a table that is not square"),
        ({"closeness": -np.eye(3)}, un.DataError, "'A' to 'A' is -1"),
        ({"closeness": un.DistanceMatrix(("A", "B"), np.eye(2)[::-1])}, un.DataError, "'C'"),
        ({"certain": ("X",)}, un.DataError, "no label 'X'"),
        ({"certain": "A"}, TypeError, "a collection of labels"),
        ({"position_factor": -1}, un.SettingError, "position_factor must be a finite number"),
        ({"split_cap": float("inf")}, un.SettingError, "split_cap must be a finite number"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(settings, kind, said):
    with pytest.raises(kind) as caught:
        un.shuffle(TEN, **{"magnitude": 0.5, "rng": 1, **settings})
    assert said in str(caught.value)


def test_a_reference_must_be_one():
    with pytest.raises(un.DataError, match="the reference has no units"):
        un.shuffle(un.Continuum.from_units([], annotators=["gold"]), magnitude=0.1)
    with pytest.raises(TypeError, match="the reference must be a Continuum, got list"):
        un.shuffle([], magnitude=0.1)  # type: ignore[arg-type]
    text = un.Continuum.from_units([("ann", 0, 5), ("bob", 1, 5)])
    with pytest.raises(un.DataError, match="needs a single annotator, but this one has 2"):
        un.shuffle(text, magnitude=0.1, annotators=3)


def test_what_overlaps_cannot_be_kept_apart():
    text = un.Continuum.from_units([("gold", 0, 5), ("gold", 3, 8)])
    with pytest.raises(un.DataError, match=r"\[0, 5\] and \[3, 8\]; allow overlap with ov"):
        un.shuffle(text, magnitude=0.1, overlap=False)
    with pytest.raises(un.DataError, match="the units of one annotator leave none"):
        un.shuffle(COVERING, magnitude=0.5, errors="false_positive", overlap=False)


def test_every_error_is_vectorised_enough_for_a_large_reference():
    assert len(MANY) * 3 * 2 < len(un.shuffle(MANY, magnitude=0.5, rng=1).continuum)
    assert ERRORS[0] == "position"


def test_mistakes_of_a_label_are_shared_out_over_the_others_as_they_are_close():
    table = [[1, 1, 0], [1, 1, 3], [0, 0, 0]]
    rows = closeness_rows(table, ("A", "B", "C"))

    assert rows is not None
    # No label is its own mistake, but one that is close to no other.
    assert rows.tolist() == [[0, 1, 0], [0.25, 0, 0.75], [0, 0, 1]]
    assert closeness_rows(None, ("A", "B", "C")) is None


def test_no_label_is_replaced_by_a_certain_one():
    table = [[1, 1, 1], [1, 1, 3], [1, 1, 1]]
    rows = closeness_rows(table, ("A", "B", "C"), certain=np.array([False, False, True]))

    assert rows is not None
    assert rows.tolist() == [[0, 1, 0], [1, 0, 0], [0.5, 0.5, 0]]


def test_labels_have_the_shares_of_the_reference_or_those_that_are_given():
    codes, labels = np.array([0, 0, 0, 1]), ("A", "B")
    found = {
        "reference": label_shares("reference", labels, codes),
        "uniform": label_shares("uniform", labels, codes),
        "given": label_shares({"C": 3, "A": 1}, labels, codes),
    }

    assert {name: (known, shares.tolist()) for name, (known, shares) in found.items()} == {
        "reference": (("A", "B"), [0.75, 0.25]),
        "uniform": (("A", "B"), [0.5, 0.5]),
        "given": (("A", "B", "C"), [0.25, 0.0, 0.75]),
    }


def test_mistakes_are_spread_over_the_labels_that_are_not_certain():
    known, shares = resolve_certain_labels(("B",), ("A", "B", "C"), np.array([0.25, 0.5, 0.25]))

    assert known.tolist() == [False, True, False]
    assert shares.tolist() == [0.5, 0.0, 0.5]
