"""Agreement curves over magnitudes."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import unisono as un
from unisono.simulation.error_curves import MEASURES

REFERENCE = un.generate_reference(12, labels="AB", rng=1)
COVERING = un.generate_reference(12, labels="A", gaps=(0, 0), rng=2)


@pytest.fixture(scope="module")
def labels_only():
    return un.scan(REFERENCE, errors="category", magnitudes=5, repeats=6, rng=1)


def test_all_measures_begin_at_one_and_fall(labels_only):
    segments = {"pk", "window_diff", "generalized_hamming"}
    assert set(labels_only.left_out) == segments
    named = {curve.measure.partition(":")[0] for curve in labels_only.curves}
    assert named == set(MEASURES) - segments
    for curve in labels_only.curves:
        assert curve.mean[0] == pytest.approx(1.0)
        assert curve.mean[-1] < 0.8


def test_the_values_are_those_of_the_measures_themselves():
    seen: list[un.Continuum] = []

    def noted(continuum):
        seen.append(continuum)
        return len(continuum)

    un.scan(
        REFERENCE,
        measures={"units": noted},
        errors="position",
        overlap=False,
        magnitudes=(0.3,),
        repeats=2,
        rng=1,
        workers=1,
    )
    found = un.scan(
        REFERENCE, errors="position", overlap=False, magnitudes=(0.3,), repeats=2, rng=1, atom=0.5
    )
    for at, continuum in enumerate(seen):
        alphas = un.unitizing_alpha(continuum)
        ratings = un.discretize(continuum, atom=0.5)
        wanted = {
            "u_alpha": alphas.u.value,
            "cu_alpha": alphas.coding.value,
            "u_alpha_2013": un.unitizing_alpha(continuum, generation="2013").u.value,
            "kappa_d": un.cohen_kappa(ratings).value,
            "alpha": un.krippendorff_alpha(ratings).value,
            "slot_error_rate": un.slot_error_agreement(continuum).value,
        }
        for name, value in wanted.items():
            assert found.curve(name).values[0, at] == value
        result = un.gamma(continuum, draws=30, rng=9)
        assert found.curve("gamma").values[0, at] == pytest.approx(result.value, abs=0.1)


def test_segments_have_their_own_measures():
    found = un.scan(
        COVERING, errors="position", overlap=False, magnitudes=(0, 0.5), repeats=3, rng=1
    )
    assert found.left_out == {}
    for name in ("pk", "window_diff", "generalized_hamming"):
        assert found.curve(name).mean[0] == 1.0
        assert 0.0 < found.curve(name).mean[1] < 1.0


def test_what_overlaps_is_left_to_the_measures_that_can():
    found = un.scan(REFERENCE, errors="position", magnitudes=(0, 1), repeats=3, rng=1)
    kept = {curve.measure.partition(":")[0] for curve in found.curves}
    assert kept == {"gamma", "gamma_cat", "gamma_k", "slot_error_rate"}
    assert found.left_out["kappa_d"].startswith("units of one annotator overlap; keep them apart")
    with pytest.raises(un.DataError, match="no curve of 'kappa_d': units of one annotator"):
        found.curve("kappa_d")


def test_neither_threads_nor_executors_nor_other_magnitudes_move_a_value(labels_only):
    same: dict[str, Any] = {"errors": "category", "repeats": 6, "rng": 1}
    alone = un.scan(REFERENCE, magnitudes=(0.5, 0.5), workers=1, **same)
    with ThreadPoolExecutor(3) as pool:
        elsewhere = un.scan(REFERENCE, magnitudes=5, executor=pool, **same)
    for curve in labels_only.curves:
        assert np.array_equal(elsewhere.curve(curve.measure).values, curve.values, equal_nan=True)
        here = alone.curve(curve.measure).values[0]
        assert np.array_equal(here, curve.values[2], equal_nan=True)


def test_progress_is_told(labels_only):
    told = []
    un.scan(
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
    found = un.scan(
        REFERENCE, measures="gamma", errors="false_negative", magnitudes=(0, 1), repeats=3, rng=1
    )
    curve = found.curve("gamma")
    assert curve.undefined.tolist() == [0, 3]
    assert np.isnan([curve.mean[1], curve.low[1], curve.high[1]]).all()
    assert found.to_dict()["curves"]["gamma"]["mean"] == [1.0, None]
    assert str(found).splitlines()[-1].split() == ["1.00", "–"]


def test_the_band_holds_the_sets(labels_only):
    curve = labels_only.curve("gamma")
    assert (curve.low <= curve.mean).all()
    assert (curve.high >= curve.mean).all()
    assert curve.low[2] >= curve.values[2].min()
    assert next(iter(labels_only.rows()))["magnitude"] == 0.0
    assert json.loads(labels_only.to_json())["repeats"] == 6
    assert labels_only._repr_markdown_().startswith("| magnitude | γ |")


def test_gamma_takes_a_dissimilarity_and_the_signature_tells_it():
    steep = un.scan(
        REFERENCE,
        measures="gamma",
        errors="category",
        magnitudes=(0.5,),
        repeats=2,
        rng=1,
        draws=7,
        dissimilarity=un.Combined(label=0),
    )
    assert steep.curve("gamma").mean[0] == 1.0
    told = str(steep.signature)
    assert "|dissim:combined[pos=1,label=0," in told
    assert "|draws:7|seed:1|" in told
    assert "atom" not in told


@pytest.mark.parametrize(
    ("settings", "kind", "said"),
    [
        ({"measures": "kapa"}, un.SettingError, "unknown measure 'kapa'; choose among gamma"),
        ({"measures": ()}, un.SettingError, "name one measure at least"),
        ({"measures": {"gamma": len}}, un.SettingError, "cannot be the name of a measure"),
        ({"measures": {"mine": 3}}, TypeError, "a name and a function"),
        ({"magnitudes": 1}, un.SettingError, "2 magnitudes or more"),
        ({"magnitudes": (0.5, 2)}, un.SettingError, "to 1, the most; got 2"),
        ({"magnitudes": ()}, un.SettingError, "name one magnitude at least"),
        ({"magnitudes": 0.5}, TypeError, "several numbers from 0 to 1, or how many"),
        ({"repeats": 0}, un.SettingError, "repeats must be 1 or more"),
        ({"repeats": 10**6}, un.SettingError, "annotation sets are too many"),
        ({"workers": 0}, un.SettingError, "workers must be 1 or more"),
        ({"level": 1}, un.SettingError, "level must lie between 0 and 1"),
        ({"atom": 0}, un.SettingError, "atom must be a finite number above 0"),
        ({"errors": "luck"}, un.SettingError, "unknown error type 'luck'"),
    ],
)
def test_what_cannot_be_scanned_is_a_sentence(settings, kind, said):
    with pytest.raises(kind) as caught:
        un.scan(REFERENCE, **{"rng": 1, "repeats": 1, **settings})
    assert said in str(caught.value)


def test_a_measure_of_ones_own_may_have_a_colon_in_its_name():
    def fails(continuum):
        msg = f"no value for {len(continuum)} units"
        raise un.DataError(msg)

    found = un.scan(REFERENCE, measures={"my:own": fails}, magnitudes=2, repeats=2, rng=1)
    assert found.curves == ()
    assert list(found.left_out) == ["my:own"]


def test_the_signature_tells_every_magnitude_that_is_not_evenly_spaced():
    def told(magnitudes):
        found = un.scan(REFERENCE, measures="gamma", magnitudes=magnitudes, repeats=1, rng=1)
        return found.signature["magnitude"]

    assert told(3) == told((0, 0.5, 1)) == "0..1[3]"
    assert told((0, 0.25, 1)) == "0,0.25,1"
