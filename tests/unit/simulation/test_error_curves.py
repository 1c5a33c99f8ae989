"""Agreement curves over magnitudes."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import unisono as un
from unisono.registry import measures_taking

REFERENCE = un.generate_reference(12, labels="AB", rng=1)
COVERING = un.generate_reference(12, labels="A", gaps=(0, 0), rng=2)


@pytest.fixture(scope="module")
def labels_only():
    return un.error_curves(REFERENCE, errors="category", magnitudes=5, repeats=6, rng=1)


def test_all_measures_begin_at_one_and_fall(labels_only):
    segments = {measure.name for measure in measures_taking("segments")}
    assert set(labels_only.left_out_measures) == segments
    named = {curve.measure.partition(":")[0] for curve in labels_only.curves.values()}
    usual = {measure.name for measure in measures_taking("units")} - {"gamma_label"}
    assert named == usual
    for curve in labels_only.curves.values():
        assert curve.mean[0] == pytest.approx(1.0)
        assert curve.measure == "u_alpha_binary" or curve.mean[-1] < 0.8  # sees no labels


def test_the_values_are_those_of_the_measures_themselves():
    seen: list[un.Continuum] = []

    def noted(continuum):
        seen.append(continuum)
        return len(continuum)

    un.error_curves(
        REFERENCE,
        measures={"units": noted},
        errors="position",
        overlap=False,
        magnitudes=(0.3,),
        repeats=2,
        rng=1,
        workers=1,
    )
    how: dict[str, Any] = {"errors": "position", "overlap": False, "magnitudes": (0.3,)}
    how |= {"repeats": 2, "rng": 1, "atom": 0.5}
    found = un.error_curves(REFERENCE, **how)
    names = ("alpha", "u_alpha", "u_alpha_coding")
    old = un.error_curves(REFERENCE, measures=names, generation="2013", distance="nominal", **how)
    for at, continuum in enumerate(seen):
        alphas = un.unitizing_alpha(continuum)
        ratings = un.Ratings.from_continuum(continuum, atom=0.5)
        wanted = {
            "u_alpha": alphas.u_alpha.value,
            "u_alpha_coding": alphas.u_alpha_coding.value,
            "u_alpha_k:A": alphas.u_alpha_k["A"].value,
            "kappa_d": un.cohen_kappa(ratings).value,
            "slot_error_agreement": un.slot_error_agreement(continuum).value,
        }
        for name, value in wanted.items():
            assert found.curve(name).values[0, at] == value
        of_2013 = un.unitizing_alpha(continuum, generation="2013").u_alpha.value
        assert old.curve("u_alpha").values[0, at] == of_2013
        atoms = un.krippendorff_alpha(ratings).value
        assert old.curve("krippendorff_alpha").values[0, at] == atoms
        result = un.gamma(continuum, draws=30, rng=9)
        assert found.curve("gamma").values[0, at] == pytest.approx(result.value, abs=0.1)


def test_segments_have_their_own_measures():
    found = un.error_curves(
        COVERING, errors="position", overlap=False, magnitudes=(0, 0.5), repeats=3, rng=1
    )
    assert found.left_out_measures == {}
    for name in (measure.name for measure in measures_taking("segments")):
        assert found.curve(name).mean[0] == 1.0
        assert 0.0 < found.curve(name).mean[1] < 1.0


def test_settings_reach_their_measures():
    how: dict[str, Any] = {"errors": "position", "overlap": False, "magnitudes": (0.5,)}
    how |= {"repeats": 1, "rng": 1, "measures": ("b", "ghd")}
    wide = un.error_curves(COVERING, near=5, insertion=1.0, deletion=1.0, **how)
    narrow = un.error_curves(COVERING, **how)

    assert wide.curve("b").mean[0] > narrow.curve("b").mean[0]
    assert wide.curve("ghd").mean[0] < narrow.curve("ghd").mean[0]
    assert wide.signature["near"] == "5"
    assert "near" not in narrow.signature


def test_what_overlaps_is_left_to_the_measures_that_can():
    found = un.error_curves(REFERENCE, errors="position", magnitudes=(0, 1), repeats=3, rng=1)
    kept = {curve.measure.partition(":")[0] for curve in found.curves.values()}
    assert kept == {
        *("gamma", "gamma_cat", "gamma_k", "slot_error_agreement"),
        *("pairwise_f1", "pairwise_f1_label"),
    }
    assert found.left_out_measures["kappa_d"].startswith(
        "units of one annotator overlap; prevent this"
    )
    with pytest.raises(un.DataError, match="no curve of 'kappa_d': units of one annotator"):
        found.curve("kappa_d")


def test_neither_threads_nor_executors_nor_other_magnitudes_move_a_value(labels_only):
    same: dict[str, Any] = {"errors": "category", "repeats": 6, "rng": 1}
    alone = un.error_curves(REFERENCE, magnitudes=(0.5, 0.5), workers=1, **same)
    with ThreadPoolExecutor(3) as pool:
        elsewhere = un.error_curves(REFERENCE, magnitudes=5, executor=pool, **same)
    for curve in labels_only.curves.values():
        assert np.array_equal(elsewhere.curve(curve.measure).values, curve.values, equal_nan=True)
        here = alone.curve(curve.measure).values[0]
        assert np.array_equal(here, curve.values[2], equal_nan=True)


def test_progress_is_reported(labels_only):
    told = []
    un.error_curves(
        REFERENCE,
        measures="u_alpha",
        errors="category",
        magnitudes=3,
        repeats=2,
        rng=1,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told[-1] == (6, 6)
    assert told == sorted(set(told))


def test_undefined_values_are_counted_and_leave_holes():
    found = un.error_curves(
        REFERENCE, measures="gamma", errors="false_negative", magnitudes=(0, 1), repeats=3, rng=1
    )
    curve = found.curve("gamma")
    assert curve.n_undefined.tolist() == [0, 3]
    assert np.isnan([curve.mean[1], curve.low[1], curve.high[1]]).all()
    assert found.to_dict()["curves"]["gamma"]["mean"] == [1.0, None]
    assert str(found).splitlines()[-1].split() == ["1", "–"]


def test_the_band_holds_the_sets(labels_only):
    curve = labels_only.curve("gamma")
    assert (curve.low <= curve.mean).all()
    assert (curve.high >= curve.mean).all()
    assert curve.low[2] >= curve.values[2].min()
    assert json.loads(labels_only.to_json())["repeats"] == 6


def test_gamma_takes_a_dissimilarity_and_the_signature_tells_it():
    steep = un.error_curves(
        REFERENCE,
        measures="gamma",
        errors="category",
        magnitudes=(0.5,),
        repeats=2,
        rng=1,
        draws=7,
        dissimilarity=un.CombinedDissimilarity(label=0),
    )
    assert steep.curve("gamma").mean[0] == 1.0
    told = str(steep.signature)
    assert "|dissim:combined[pos=1,label=0," in told
    assert "|draws:7|seed:1|" in told
    assert "atom" not in told


@pytest.mark.parametrize(
    ("settings", "kind", "said"),
    [
        ({"measures": "kapa"}, un.SettingError, "unknown measure 'kapa'; choose one of gamma"),
        ({"measures": ()}, un.SettingError, "measures is empty"),
        ({"measures": {"gamma": len}}, un.SettingError, "cannot be the name of a custom measure"),
        ({"measures": {"mine": 3}}, TypeError, "a name and a function"),
        ({"measures": {"gamma_k:A": len}}, un.SettingError, "cannot be the name of a custom"),
        ({"measures": {"mine": len}, "near": 3}, un.SettingError, "near= does not apply to"),
        ({"measures": "f1"}, un.SettingError, "unknown measure 'f1'"),
        ({"measures": "s"}, un.SettingError, "is an alias of several measures; choose one of segm"),
        ({"measures": "pk", "near": 3}, un.SettingError, "near= is not for pk; it is for bound"),
        ({"measures": "gamma", "near": 3}, un.SettingError, "not for gamma; it is for boundary"),
        ({"generation": "2020"}, un.SettingError, "unknown generation='2020'"),
        ({"closenes": "ordinal"}, TypeError, "closenes"),
        ({"magnitudes": 1}, un.SettingError, "must be at least 2"),
        ({"magnitudes": (0.5, 2)}, un.SettingError, "magnitudes must be from 0 to 1, got 2"),
        ({"magnitudes": ()}, un.SettingError, "magnitudes is empty"),
        ({"magnitudes": 0.5}, TypeError, "several numbers from 0 to 1, or their number"),
        ({"repeats": 0}, un.SettingError, "repeats must be 1 or more"),
        ({"repeats": 10**6}, un.SettingError, "annotation sets are too many"),
        ({"workers": 0}, un.SettingError, "workers must be 1 or more"),
        ({"confidence": 1}, un.SettingError, "confidence must lie between 0 and 1"),
        ({"atom": 0}, un.SettingError, "atom must be a finite number above 0"),
        ({"errors": "luck"}, un.SettingError, "unknown errors='luck'"),
    ],
)
def test_what_cannot_be_scanned_is_a_sentence(settings, kind, said):
    with pytest.raises(kind) as caught:
        un.error_curves(REFERENCE, **{"rng": 1, "repeats": 1, **settings})
    assert said in str(caught.value)


def test_a_measure_of_ones_own_may_have_a_colon_in_its_name():
    def fails(continuum):
        msg = f"no value for {len(continuum)} units"
        raise un.DataError(msg)

    found = un.error_curves(REFERENCE, measures={"my:own": fails}, magnitudes=2, repeats=2, rng=1)
    assert found.curves == {}
    assert list(found.left_out_measures) == ["my:own"]


def test_the_signature_tells_every_magnitude_that_is_not_evenly_spaced():
    def told(magnitudes):
        found = un.error_curves(
            REFERENCE, measures="gamma", magnitudes=magnitudes, repeats=1, rng=1
        )
        return found.signature["magnitude"]

    assert told(3) == told((0, 0.5, 1)) == "0..1[3]"
    assert told((0, 0.25, 1)) == "0,0.25,1"


def test_the_sheet_has_a_column_for_each_measure_and_a_row_of_csv_for_each_point(labels_only):
    means, curves = labels_only.sheet().tables
    headings = means.view().headings

    assert headings[:6] == ["magnitude", "γ", "γcat", "γk A", "γk B", "uα"]
    assert headings[-4:] == ["1 − SER", "pairwise F1", "F1 A", "F1 B"]
    assert [row[0] for row in means.rows] == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert len(curves.rows) == 5 * len(labels_only.curves)
    assert labels_only.to_csv().startswith(
        "measure,magnitude,mean,low,high,n_undefined\ngamma,0.0,"
    )
    (left_out,) = (fact for fact in labels_only.sheet().facts if "left_out" in fact.column.name)
    symbols = "B, π of B, κ of B, S, π of S, κ of S, 1 − Pk, 1 − WindowDiff, 1 − Hamming"
    assert left_out.text.startswith(f"{symbols}: units leave gaps")


def test_other_names_are_aliases():
    names = ("cu_alpha", "alpha", "wd")
    found = un.error_curves(
        COVERING, measures=names, errors="category", overlap=False, magnitudes=2, repeats=1, rng=1
    )

    assert [curve.measure for curve in found.curves.values()] == [
        *("u_alpha_coding", "window_diff", "krippendorff_alpha"),
    ]
    assert all(
        found.curve(name) == found.curve(curve.measure)
        for name, curve in zip(("cu_alpha", "wd", "alpha"), found.curves.values(), strict=True)
    )


def test_scans_compare_and_curves_are_read_only(labels_only):
    again = pickle.loads(pickle.dumps(labels_only))  # noqa: S301 - our own

    assert again == labels_only
    with pytest.raises(ValueError, match="read-only"):
        again.curve("gamma").values[0] = 1
