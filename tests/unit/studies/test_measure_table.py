"""All measures of units in one table."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
from typing import Any

import pytest

import unisono as un
from sample_results import gamma_result
from unisono.errors import DataError, SettingError
from unisono.registry import measures_taking
from unisono.results.render import latex
from unisono.results.values import Bounds

TEXT = un.Continuum.from_units(
    [
        *[("ann", 0, 20, "A"), ("ann", 30, 36, "B"), ("ann", 50, 70, "A")],
        *[("bob", 0, 20, "A"), ("bob", 31, 36, "B"), ("bob", 50, 60, "B"), ("bob", 60, 70, "A")],
    ],
    extent=(0, 80),
)
OVERLAPPING = un.Continuum.from_units(
    [
        *[("ann", 0, 9, "A"), ("ann", 3, 5, "B"), ("ann", 20, 29, "B")],
        *[("bob", 0, 9, "A"), ("bob", 3, 6, "B"), ("bob", 20, 29, "A")],
    ]
)
CUT = un.Continuum.from_units(
    [
        *[("ann", 0, 4, "A"), ("ann", 4, 9, "B"), ("ann", 9, 12, "A")],
        *[("bob", 0, 5, "A"), ("bob", 5, 12, "B")],
    ]
)
SETTINGS: dict[str, Any] = {"draws": 30, "rng": 1}
NAMES = {
    data: [one.name for one in measures_taking(data) if not one.by_label]
    for data in ("units", "segments")
}


def facts(table):
    sheet = table.sheet()
    named = [(fact.column.heading, fact.text) for fact in sheet.facts]
    return [*named, *(("note", note) for note in sheet.notes)]


@pytest.fixture(scope="module")
def table():
    return un.measure_units(TEXT, **SETTINGS)


def test_each_measure_is_what_its_own_function_gives(table):
    gamma, alphas = un.gamma(TEXT, **SETTINGS), un.unitizing_alpha(TEXT)
    atoms = un.cohen_kappa(un.Ratings.from_continuum(TEXT, blank="gap"))

    assert table["gamma"] == gamma
    assert table["gamma_cat"] == gamma.gamma_cat
    assert table["u_alpha"] == alphas.u_alpha
    assert table["u_alpha_binary"] == alphas.u_alpha_binary
    assert table["u_alpha_coding"] == alphas.u_alpha_coding
    assert (table["kappa_d"].value, table["kappa_d"].expected) == (atoms.value, atoms.expected)
    assert table["slot_error_agreement"] == un.slot_error_agreement(TEXT)
    assert table["pairwise_f1"] == un.pairwise_f1(TEXT)
    assert table.by_label["B"] == {
        "gamma_k": gamma.gamma_k["B"],
        "gamma_label": un.gamma_by_label(TEXT, draws=30, rng=1).by_label["B"],
        "u_alpha_k": alphas.u_alpha_k["B"],
        "pairwise_f1_label": un.pairwise_f1(TEXT).by_label["B"],
    }


def test_all_measures_are_there_whatever_the_data_are(table):
    for each in (
        table,
        un.measure_units(OVERLAPPING, **SETTINGS),
        un.measure_units(CUT, **SETTINGS),
    ):
        assert list(each.measures) == [*NAMES["units"], *NAMES["segments"]]


def test_units_that_cover_everything_are_measured_as_segmentations_too():
    table = un.measure_units(CUT, **SETTINGS)

    assert table["pk"] == un.pk(CUT)
    assert table["window_diff"] == un.window_diff(CUT)
    assert table["generalized_hamming"] == un.generalized_hamming(CUT)
    assert table["boundary_similarity"] == un.boundary_similarity(CUT)
    assert table["boundary_similarity_pi"] == un.boundary_similarity(CUT).pi
    assert table["segmentation_similarity"] == un.segmentation_similarity(CUT)
    assert ("errors", "Pk, WindowDiff and Hamming are errors: 0 is perfect agreement") in facts(
        table
    )
    assert "\nWindowDiff" in str(table)


def test_gaps_leave_segmentations_without_a_value_and_state_where(table):
    why = "segments must cover the whole document, from 0 to 80; 'ann' has a gap from 20 to 30"

    assert all(table[name].undefined == why for name in NAMES["segments"])
    assert ("segments", f"measures of segmentations are undefined: {why}") in facts(table)
    assert "Pk" not in str(table)


def test_overlap_is_a_reason_and_not_an_error():
    table = un.measure_units(OVERLAPPING, **SETTINGS)
    without = ["u_alpha", "u_alpha_binary", "u_alpha_coding", "kappa_d"]

    assert [name for name in NAMES["units"] if table[name].undefined] == without
    for name in without:
        why = table[name].undefined or ""
        assert math.isnan(table[name].value)
        assert "'ann' has units that overlap: [0, 9] 'A' and [3, 5] 'B'" in why
        assert "overlap='split'" in why
    assert list(table.by_label["A"]) == ["gamma_k", "gamma_label", "pairwise_f1_label"]


def test_overlap_may_be_split_for_the_measures_that_need_it():
    table = un.measure_units(OVERLAPPING, overlap="split", **SETTINGS)

    assert table["u_alpha"] == un.unitizing_alpha(OVERLAPPING, overlap="split").u_alpha
    assert table["gamma"] == un.gamma(OVERLAPPING, **SETTINGS)
    assert table["kappa_d"].signature["overlap"] == "split"
    assert list(table.by_label[frozenset("AB")]) == ["u_alpha_k"]


def test_atoms_tolerance_and_distance_reach_their_measures():
    numbers = un.Continuum.from_units(
        [("ann", 0.0, 2.5, 1), ("ann", 4.0, 6.0, 3), ("bob", 0.5, 2.5, 2), ("bob", 4.0, 6.0, 5)]
    )
    table = un.measure_units(numbers, atom=0.5, tolerance=0.5, distance="interval", **SETTINGS)
    near = un.CombinedDissimilarity(distance="interval")

    assert table["gamma"] == un.gamma(numbers, dissimilarity=near, **SETTINGS)
    assert (
        table["u_alpha_coding"] == un.unitizing_alpha(numbers, distance="interval").u_alpha_coding
    )
    assert table["slot_error_agreement"] == un.slot_error_agreement(numbers, tolerance=0.5)
    kappa = un.cohen_kappa(un.Ratings.from_continuum(numbers, atom=0.5))
    assert table["kappa_d"].value == kappa.value
    assert table["kappa_d"].signature["atom"] == "0.5"
    assert not any("atoms of length" in note for note in table.notes)


def test_positions_that_are_not_whole_numbers_are_noted():
    broken = un.Continuum.from_units([("ann", 0, 2.5, "A"), ("bob", 0, 2, "A")], extent=(0, 9))
    notes = un.measure_units(broken, **SETTINGS).notes

    why = "because positions are not whole numbers; atom=… sets another length"
    assert f"κ_d: atoms of length 0.1, {why}" in notes


def test_a_label_named_gap_is_not_a_gap():
    units = [(u.annotator, u.start, u.end, "gap" if u.label == "A" else u.label) for u in TEXT]
    renamed = un.Continuum.from_units(units, extent=(0, 80))
    kappa = un.measure_units(renamed, **SETTINGS)["kappa_d"]

    assert kappa.value == un.measure_units(TEXT, **SETTINGS)["kappa_d"].value


def test_documents_are_pooled_and_those_of_one_annotator_left_out():
    alone = un.Continuum.from_units([("ann", 0, 5, "A")])
    corpus = un.Corpus.from_continua({"one": TEXT, "two": TEXT, "alone": alone})
    table = un.measure_units(corpus, **SETTINGS)

    assert table["u_alpha"] == un.unitizing_alpha(corpus, by_document=False).u_alpha
    assert (table.n_documents, table.left_out_documents) == (2, ("alone",))
    assert any("left out" in fact for _, fact in facts(table))


def test_every_measure_gives_the_reason_if_there_are_no_data():
    empty = un.Continuum.from_units([], annotators=("ann", "bob"), extent=(0, 9))
    table = un.measure_units(empty, rng=1)

    assert all(of.undefined for of in (table[name] for name in NAMES["units"]))


def test_a_record_can_be_kept_and_read_again(table):
    record = json.loads(table.to_json())

    assert record.pop("schema") == 1
    assert record == table.to_dict()
    assert record["measures"]["gamma"]["value"] == table["gamma"].value
    assert record["measures"]["gamma"]["monte_carlo"]["confidence"] == 0.95
    assert record["measures"]["pk"]["value"] is None
    assert record["by_label"]["B"]["u_alpha_k"]["value"] == table.by_label["B"]["u_alpha_k"].value
    again = pickle.loads(pickle.dumps(table))  # noqa: S301 - our own
    assert (again.to_dict(), hash(again)) == (record, hash(table))
    assert repr(table).startswith(f"UnitsTable(γ {table['gamma'].value:.2f} ± 0.")
    assert table.to_markdown().count("`gamma|") == 1


def test_the_sheet_has_the_measures_for_people_and_all_of_them_for_programs(table):
    shown, whole = table.sheet(title="talk").tables
    view = shown.view(1)

    assert view.headings == ["measure", "value", "± draws", "observed", "expected", "units"]
    symbols = ["γ", "γcat", "uα", "|uα", "cuα", "κ_d", "1 − SER", "pairwise F1"]
    symbols += ["γk A", "γ A", "(k)uα A", "F1 A"]
    assert [cells[0] for cells in view.cells] == symbols
    assert (view.n_more, view.noun) == (1, "label")
    assert shown.view().cells[-1][0] == "F1 B"
    assert len(whole.rows) == len(table.measures) + 8
    assert "<h3>" not in table._repr_html_()
    assert "<td" in table._repr_html_()


def test_a_gamma_that_is_not_certain_has_a_sentence_in_place_of_a_value(table):
    wide = gamma_result(proven=False, certified=Bounds(0.4, 0.6))
    found = dataclasses.replace(table, measures={**table.measures, "gamma": wide})
    sheet = found.sheet()

    assert sheet.findings[0].startswith("γ is only known to be between 0.4000 and 0.6000: ")
    assert sheet.tables[0].view().cells[0][:2] == ["γ", "uncertain"]
    assert sheet.headline[0].measure == "gamma_cat"
    assert str(found).startswith("γ is only known to be between")
    assert found.to_markdown().startswith("γ is only known to be between")
    assert r"$\gamma$ is only known to be between" in latex(sheet)


def test_the_order_of_rows_does_not_matter(table):
    turned = un.Continuum.from_units(reversed(list(TEXT)), extent=(0, 80))

    assert un.measure_units(turned, **SETTINGS).to_dict() == table.to_dict()


@pytest.mark.parametrize(
    "wrong", [{"overlap": "cut"}, {"atom": 0.0}, {"tolerance": -1.0}, {"chance": "dice"}]
)
def test_a_setting_that_cannot_be_used_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingError):
        un.measure_units(TEXT, **wrong)


def test_a_distance_that_cannot_compare_the_labels_is_refused():
    with pytest.raises(DataError, match="interval"):
        un.measure_units(TEXT, distance="interval", **SETTINGS)


def test_only_units_are_measured():
    with pytest.raises(TypeError, match="a Continuum or a Corpus, got list"):
        un.measure_units([("ann", 0, 5, "A")])  # type: ignore[arg-type]
