"""How many errors a γ is worth: known errors are found again, and what cannot be said is said."""

import json
import math
import pickle
from typing import Any

import pytest

import unisono as un
from sample_texts import text
from unisono.errors import DataError, SettingError
from unisono.measures.gamma.gamma import gamma_values
from unisono.simulation.calibration import curves

REFERENCE = un.generate_reference(units=40, rng=1)
FEW: dict[str, Any] = {"magnitudes": (0.1, 0.2, 0.3, 0.5), "repeats": 6, "draws": 8}


def careless(error, magnitude, **settings):
    return un.shuffle(REFERENCE, magnitude=magnitude, errors=error, rng=7, **settings).continuum


@pytest.fixture(scope="module")
def found():
    """Annotators who confuse labels, calibrated by three types of errors."""
    errors: Any = ("position", "category", "false_negative")
    return un.calibrate(careless("category", 0.4), errors=errors, rng=3, **FEW)


@pytest.mark.parametrize(
    ("error", "magnitude", "effect"),
    [
        ("position", 0.25, 0.25),
        # m² of the labels are drawn anew, of four alike one in four hits the old one.
        ("category", 0.4, 0.16 * 0.75),
        ("false_negative", 0.2, 0.2),
        ("false_positive", 0.25, 0.25),
    ],
)
def test_errors_that_were_made_are_found_again(error, magnitude, effect):
    calibration = un.calibrate(careless(error, magnitude), errors=error, rng=3, **FEW)
    equivalent = calibration.gamma_equivalents[error]

    assert equivalent.undefined is None
    assert equivalent.interval is not None
    assert equivalent.interval.low <= magnitude <= equivalent.interval.high
    assert equivalent.effect_low <= effect <= equivalent.effect_high
    assert calibration.together[error].explains


def test_the_type_of_error_that_was_made_explains_both_best(found):
    assert found.best == "category"
    assert found.together["category"].explains
    assert not found.together["position"].explains
    assert not found.together["false_negative"].explains
    assert (
        found.gamma_cat_equivalents["position"].undefined
        == "its minimum with errors of this type is 0.99"
    )
    assert math.isnan(found.gamma_cat_equivalents["position"].magnitude)


def test_curves_begin_without_errors_and_fall(found):
    for points in found.curves.values():
        assert points[0] == un.results.CurvePoint(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1)
        assert [point.magnitude for point in points] == [0.0, 0.1, 0.2, 0.3, 0.5]
        gammas = [point.gamma_mean for point in points]
        assert gammas == sorted(gammas, reverse=True)
        assert all(point.n_defined == 6 for point in points[1:])


def test_effects_are_stated_as_shares(found):
    effects = {error: points[-1].effect for error, points in found.curves.items()}

    assert effects["false_negative"] == pytest.approx(0.5, abs=0.05)
    # Moves are uniform up to twice half a length: half a length in the mean, less what crosses.
    assert effects["position"] == pytest.approx(0.5, abs=0.05)
    assert effects["category"] == pytest.approx(0.25 * 0.75, abs=0.05)


def test_monte_carlo_is_within_the_interval(found):
    for equivalents in (found.gamma_equivalents, found.gamma_cat_equivalents):
        for each in equivalents.values():
            if each.undefined is None:
                assert each.interval.low <= each.monte_carlo.low <= each.magnitude
                assert each.magnitude <= each.monte_carlo.high <= each.interval.high
                assert each.interval.confidence == 0.95


def test_the_sentences_are_plain_english(found):
    first, second, third = found.sentences

    assert first.startswith("γ = 0.")
    assert "corresponds to annotators who move boundaries by" in first
    assert "of a unit's length, or confuse " in first
    assert "of labels, or miss " in first
    assert second.startswith("γcat = 0.")
    assert "Moved boundaries or missed units alone cannot lower γcat so low." in second
    assert third.startswith(
        "One single type of error explains γ and γcat together, confused labels"
    )
    assert str(found).startswith(f"{first}\n{second}\n{third}\n")


def test_workers_never_move_a_value(found):
    again = un.calibrate(careless("category", 0.4), errors="category", rng=3, workers=1, **FEW)
    more = un.calibrate(careless("category", 0.4), errors="category", rng=3, workers=3, **FEW)

    assert again == more
    assert again.curves["category"] == found.curves["category"]
    assert again.signature["seed"] == "3"


def test_a_corpus_is_calibrated_as_a_whole():
    corpus = un.Corpus.from_continua(
        {
            "first": careless("false_negative", 0.2),
            "second": careless("false_negative", 0.2, annotators=2),
            "apart": text(("a", 0, 5, "A"), ("b", 90, 95, "B"), extent=(0, 99)),
            "alone": text(("a", 0, 5, "A")),
        }
    )
    calibration = un.calibrate(corpus, errors="false_negative", rng=3, **FEW)
    equivalent = calibration.gamma_equivalents["false_negative"]

    assert equivalent.interval is not None
    assert equivalent.interval.low <= 0.2 <= equivalent.interval.high
    assert calibration.notes == ("documents without a consensus, not simulated: apart",)
    assert calibration.consensus.left_out_documents == ("alone",)


def test_units_with_a_tie_of_labels_are_simulated_too():
    # Two annotators who confuse labels so often that half of the units have a tie.
    data = careless("category", 0.7, annotators=2)
    calibration = un.calibrate(
        data, errors="category", rng=3, **FEW | {"magnitudes": (0.4, 0.7, 1)}
    )
    tied = len(calibration.consensus.undecided)
    equivalent = calibration.gamma_equivalents["category"]

    assert len(calibration.consensus) + tied == 40
    told = f"{tied} more units with a tie of labels, chosen at random"
    assert calibration.notes == (told,)
    assert equivalent.interval is not None
    assert equivalent.interval.low <= 0.7 <= equivalent.interval.high


def test_cuts_are_said_to_be_overestimated():
    calibration = un.calibrate(careless("split", 0.05), errors="split", rng=3, **FEW)

    assert any(note.startswith("the number of cuts is overestimated") for note in calibration.notes)


def test_units_with_one_label_cannot_have_it_confused():
    same = careless("position", 0.2).rename(labels=dict.fromkeys("ABCD", "X"))
    calibration = un.calibrate(same, errors=("position", "category"), rng=3, **FEW)

    assert calibration.left_out_errors == {
        "category": "all units of the consensus have the same label"
    }
    assert list(calibration.curves) == ["position"]
    assert calibration.together == {}
    assert calibration.best is None
    assert calibration.sentences[1].startswith("γcat is undefined: ")
    with pytest.raises(DataError, match="category errors need several labels"):
        un.calibrate(same, errors="category", rng=3, **FEW)


def test_annotators_who_all_agree_make_no_errors():
    same = un.shuffle(REFERENCE, magnitude=0, rng=1).continuum
    calibration = un.calibrate(same, errors="position", rng=3, **FEW)

    assert calibration.gamma_equivalents["position"].magnitude == 0.0
    assert (
        calibration.sentences[0]
        == "γ = 1: the annotators agree perfectly, so there are no errors to estimate."
    )


def test_what_no_error_of_a_type_can_give_is_said():
    calibration = un.calibrate(
        careless("false_negative", 0.6), errors="category", rng=3, magnitudes=(0.5, 1), repeats=5
    )

    assert "its minimum with errors of this type is" in str(
        calibration.gamma_equivalents["category"].undefined
    )
    assert "Confused labels alone cannot lower γ to 0." in str(calibration)


def test_magnitudes_without_units_are_left_out_of_the_curve():
    calibration = un.calibrate(
        careless("false_negative", 0.2),
        errors="false_negative",
        rng=3,
        magnitudes=(0.2, 0.5, 1),
        repeats=5,
    )

    last = calibration.curves["false_negative"][-1]
    assert (last.n_defined, math.isnan(last.gamma_mean)) == (0, True)
    assert calibration.gamma_equivalents["false_negative"].undefined is None


def test_defaults_grow_with_small_data_and_shrink_with_large_ones():
    small = un.calibrate(
        un.read("examples/interview.csv"), errors="false_negative", magnitudes=(0.2, 0.4), rng=1
    )

    assert (small.repeats, small.draws) == (12, 20)
    assert small.signature["magnitudes"] == "0,0.2,0.4"
    assert small.signature["repeats"] == "12"
    assert small.signature["drawseach"] == "20"


def test_a_calibration_can_be_stored_and_sent(found):
    record = json.loads(found.to_json())

    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own
    assert record["best"] == "category"
    assert record["gamma_equivalents"]["category"]["interval"]["method"] == "simulation"
    assert record["gamma_cat_equivalents"]["position"]["magnitude"] is None
    assert tuple(record["sentences"]) == found.sentences
    assert record["signature"].startswith("calibration|errors:position,category,false_negative|")
    assert hash(found) == hash(found.signature)
    assert (found == 1) is False
    assert record["value"] == record["gamma"]["value"] == found.gamma.value
    assert (record["n_consensus_units"], "consensus" in record) == (len(found.consensus), False)
    assert repr(found).startswith("Calibration(0.")


def test_the_sheet_tells_people_of_errors_and_gives_programs_the_curves(found):
    people, programs = found.sheet().tables
    lines = people.view().cells

    assert [line[0] for line in lines] == ["moved boundaries", "confused labels", "missed units"]
    assert lines[0][3:5] == ["–", "–"]
    assert lines[1][-1] == "yes"
    assert found.to_csv().splitlines()[0] == ",".join(("error", *un.results.CurvePoint._fields))
    assert len(programs.rows) == 15
    assert found.sheet().findings == found.sentences


def test_progress_counts_simulations():
    told = []
    un.calibrate(
        careless("category", 0.4),
        errors="category",
        rng=3,
        progress=lambda done, total: told.append((done, total)),
        **FEW,
    )

    assert told[-1] == (25, 25)
    assert told == sorted(set(told))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"magnitudes": (0.1, 1.5)}, "magnitudes must be from 0 to 1, got 1.5"),
        ({"magnitudes": (0.5,)}, "at least two values above 0"),
        ({"errors": "laziness"}, "unknown errors='laziness'; choose one of 'position',"),
        ({"errors": ()}, "errors is empty"),
        ({"repeats": 4}, "repeats must be 5 or more"),
        ({"draws": 0}, "draws must be 1 or more"),
        ({"support": 2}, "support must be from 0 to 1"),
        ({"confidence": 1}, "confidence must lie between 0 and 1"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(settings, said):
    with pytest.raises(SettingError, match=said):
        un.calibrate(careless("category", 0.4), rng=1, **settings)


def test_data_that_cannot_be_calibrated_are_refused():
    with pytest.raises(DataError, match="which is undefined: there are no units"):
        un.calibrate(text(annotators=["a", "b"], extent=(0.0, 9.0)))
    with pytest.raises(DataError, match=r"needs a consensus, but .* undecided: 2 groups"):
        un.calibrate(text(("a", 0, 5, "A"), ("b", 90, 95, "B"), extent=(0, 99)), rng=1)
    with pytest.raises(TypeError, match="a Continuum or a Corpus, got str"):
        un.calibrate("talk.csv")  # type: ignore[arg-type]


def test_unproven_alignments_are_counted(monkeypatch):
    def unproven(*data, **settings):
        return gamma_values(*data, **settings)._replace(proven=False)

    monkeypatch.setattr(curves, "gamma_values", unproven)
    calibration = un.calibrate(careless("category", 0.4), errors="category", rng=3, **FEW)

    assert calibration.notes == (
        "25 simulated γ computed from alignments that are not proven optimal",
    )
