"""Habits, missing boundaries and the number of added units of simulated annotators."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import unisono as un

REFERENCE = un.generate_reference(20, rng=1)
SEGMENTS = un.generate_reference(40, labels=("s",), gaps=(0, 0), rng=1)


def of(shuffled, name):
    return [unit for unit in shuffled.continuum if unit.annotator == name]


def test_habits_do_not_move_the_errors_of_others():
    settings = {"magnitude": 0.4, "rng": 3}
    plain = un.shuffle(REFERENCE, **settings)
    odd = un.shuffle(REFERENCE, **settings, habits={"sim2": {"late": 0.5, "split": 3}})
    for name in ("sim1", "sim3"):
        assert of(odd, name) == of(plain, name)
    assert "|habits:sim2:late=0.5,split=3|" in str(odd.signature)


@pytest.mark.parametrize("late", [0.5, -0.5])
def test_a_late_annotator_moves_all_units_by_the_same_distance(late):
    found = un.shuffle(REFERENCE, magnitude=0, habits={"sim1": {"late": late}})
    mean = float((REFERENCE.ends - REFERENCE.starts).mean())
    low, high = REFERENCE.extent
    for unit, right in zip(of(found, "sim1"), REFERENCE, strict=True):
        assert unit.start == pytest.approx(np.clip(right.start + late * mean, low, high))
        assert unit.end == pytest.approx(np.clip(right.end + late * mean, low, high))
    assert found.counts["position"] == len(REFERENCE)


def test_a_unit_that_leaves_the_document_is_forgotten():
    found = un.shuffle(REFERENCE, magnitude=0, habits={"sim1": {"late": 1000}})
    assert of(found, "sim1") == []
    assert found.forgotten.tolist() == [[0, row] for row in range(len(REFERENCE))]


def test_a_splitting_annotator_cuts_into_equal_pieces():
    found = un.shuffle(REFERENCE, magnitude=0, habits={"sim2": {"split": 3}})
    pieces = of(found, "sim2")
    assert len(pieces) == 3 * len(REFERENCE)
    for at, right in enumerate(REFERENCE):
        three = pieces[3 * at : 3 * at + 3]
        assert (three[0].start, three[2].end) == (right.start, right.end)
        lengths = [piece.end - piece.start for piece in three]
        assert lengths == pytest.approx([(right.end - right.start) / 3] * 3)
        assert three[0].end == three[1].start
    assert found.counts["split"] == 2 * len(REFERENCE)


def test_confused_labels_are_always_confused():
    found = un.shuffle(REFERENCE, magnitude=0, habits={"sim3": {"labels": {"A": "B", "B": "A"}}})
    swap = {"A": "B", "B": "A"}
    told = [unit.label for unit in of(found, "sim3")]
    assert told == [swap.get(unit.label, unit.label) for unit in REFERENCE]


def test_systematic_disagreement_can_be_below_chance():
    """Negative values need a part of systematic disagreement (2015, §6.3)."""
    pair = un.generate_reference(40, labels="AB", lengths=(10, 10), gaps=(5, 5), rng=1)
    swapped = {"sim1": {"labels": {"A": "B", "B": "A"}}}
    odd = un.shuffle(pair, magnitude=0, annotators=2, habits=swapped)
    assert un.unitizing_alpha(odd.continuum).u_alpha_coding.value < -0.5


@pytest.mark.parametrize(
    ("habits", "said"),
    [
        ({"sim9": {"late": 1}}, "habits name the annotator 'sim9'"),
        ({"sim1": {"lazy": 1}}, "'lazy' is not a habit of 'sim1'"),
        ({"sim1": {"split": 0}}, "split must be 1 or more"),
        ({"sim1": {"late": float("nan")}}, "late must"),
        ({"sim1": {"labels": {"A": "Z"}}}, "Z"),
    ],
)
def test_a_habit_that_cannot_be_is_a_sentence(habits, said):
    with pytest.raises((un.SettingError, un.DataError), match=said):
        un.shuffle(REFERENCE, magnitude=0, habits=habits)


def test_missed_boundaries_join_segments_without_gaps():
    found = un.shuffle(SEGMENTS, magnitude=0.3, errors="missing_boundary", rng=2)
    for number, name in enumerate(found.continuum.annotators):
        units = of(found, name)
        assert (units[0].start, units[-1].end) == SEGMENTS.extent
        assert all(a.end == b.start for a, b in pairwise(units))
        joined = int((found.joined[:, 0] == number).sum())
        assert len(units) == len(SEGMENTS) - joined
    share = found.counts["missing_boundary"] / (3 * (len(SEGMENTS) - 1))
    assert 0.2 < share < 0.4
    assert {unit.done for unit in found.units} >= {"kept", "joined"}


def test_all_boundaries_are_missed_at_magnitude_1():
    found = un.shuffle(SEGMENTS, magnitude=1, errors="missing_boundary")
    assert [(u.start, u.end) for u in found.continuum] == [SEGMENTS.extent] * 3


def test_boundaries_between_gaps_are_not_missed():
    with pytest.raises(un.DataError, match="missing boundaries need units that adjoin"):
        un.shuffle(REFERENCE, magnitude=0.5, errors="missing_boundary")


@pytest.mark.parametrize("factor", [0.5, 1.0, 3.0])
def test_the_number_of_added_units_is_a_setting(factor):
    found = un.shuffle(
        REFERENCE, magnitude=0.5, errors="false_positive", false_positive_factor=factor
    )
    assert found.counts["false_positive"] == 3 * 20 * 0.5 * factor


def test_the_number_of_added_units_is_in_the_signature_unless_it_is_the_default():
    settings = {"magnitude": 0.5, "errors": "false_positive"}
    assert "added" not in str(un.shuffle(REFERENCE, **settings).signature)
    more = un.shuffle(REFERENCE, **settings, false_positive_factor=3)
    assert "|added:3|" in str(more.signature)


CORPUS = un.Corpus.from_continua(
    {f"d{at}": un.generate_reference(10, lengths=(10, 10), gaps=(5, 5), rng=at) for at in range(4)}
)


def test_curves_of_a_corpus_are_pooled_values():
    found = un.scan(
        CORPUS,
        measures=("gamma", "u_alpha_coding", "krippendorff_alpha"),
        errors="category",
        magnitudes=(0, 0.6),
        repeats=3,
        overlap=False,
        chance="corpus",
        rng=1,
    )
    assert all(curve.mean[0] == 1.0 for curve in found.curves.values())
    assert "|chance:corpus|" in str(found.signature)
    # Units at fixed places: γ with chance from the corpus behaves as cuα does (2015, §6.3.3).
    assert found.curve("gamma").mean[1] == pytest.approx(found.curve(CODING).mean[1], abs=0.15)


CODING = "u_alpha_coding"


def test_documents_of_equal_shape_do_not_share_their_errors():
    same = un.generate_reference(10, rng=1)
    twice = un.Corpus.from_continua({"a": same, "b": same})
    seen = []

    def measure(data):
        seen.append([[(u.start, u.end) for u in each] for each in data.values()])
        return 1.0

    un.scan(twice, measures={"m": measure}, magnitudes=(0.5,), repeats=1, workers=1)
    assert seen[0][0] != seen[0][1]


def test_corpus_chance_needs_a_corpus():
    with pytest.raises(un.SettingError, match="mixes documents, but the reference is a single one"):
        un.scan(REFERENCE, chance="corpus")


def test_intersections_give_the_coding_alpha_of_overlap():
    settings = {"measures": CODING, "errors": ("position", "false_positive"), "repeats": 3}
    settings |= {"magnitudes": (0, 0.5)}
    assert CODING in un.scan(REFERENCE, **settings).left_out_measures
    found = un.scan(REFERENCE, **settings, intersections=True)
    assert 0.0 < found.curve(CODING).mean[1] < 1.0
    assert "|intersections:yes|" in str(found.signature)


def test_calibration_takes_chance_from_the_corpus():
    careless = un.Corpus.from_continua(
        {
            name: un.shuffle(each, magnitude=0.5, errors="category", rng=at).continuum
            for at, (name, each) in enumerate(CORPUS.items())
        }
    )
    settings = {"errors": "category", "magnitudes": (0.2, 0.4, 0.6, 0.8, 1), "repeats": 5, "rng": 1}
    found = un.calibrate(careless, **settings, chance="corpus")
    assert found.gamma.signature["chance"] == "corpus"
    assert found.gamma_equivalents["category"].undefined is None
