"""The plain data of a sheet for the web page: formatted texts with their values."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import unisono as un
from sample_results import corpus_result, gamma_result, undefined_gamma_result
from unisono.registry import MEASURES
from unisono.results.page import page
from unisono.results.sheet import KINDS, Headline, MeasureName, Sheet, Table, column, columns
from unisono.results.values import Interval, Uncertain

RATINGS = un.Ratings.from_matrix(
    {"ann": ["a", "b", "b", "a"], "bob": ["a", "b", "a", "a"], "cy": ["b", "b", "b", "a"]}
)
GOLD = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
SYSTEM = un.Continuum.from_units([("system", 0, 4, "A")])


def view_of(result: Any, **how: Any) -> dict[str, Any]:
    """Return the data of the page after conversion to JSON and back."""
    found: dict[str, Any] = json.loads(json.dumps(page(result.sheet(**how)), allow_nan=False))
    return found


def of_values(*rows: tuple[Any, ...], names: str = "document value interval", **how: Any) -> Table:
    return Table(name="document", columns=columns(names), rows=rows, **how)


def of_symbols(*names: MeasureName) -> Table:
    shape = (column("measure", kind=KINDS["symbol"]), column("value"))
    return Table(name="measure", columns=shape, rows=[(name, 0.5) for name in names])


def test_cells_have_texts_and_values():
    around = Interval(0.25, 0.75, confidence=0.95, method="percentile")
    (table,) = page(Sheet(name="x", tables=(of_values(("one", 0.123456, around)),)))["tables"]

    assert [(one["name"], one["kind"], one["align"]) for one in table["columns"]] == [
        ("document", "name", "left"),
        ("value", "coefficient", "right"),
        ("interval", "interval", "right"),
    ]
    assert table["columns"][2]["heading"] == "interval 95 %"
    assert table["cells"] == [["one", "0.1235", "0.2500 to 0.7500"]]
    assert table["values"] == [["one", 0.123456, {"low": 0.25, "high": 0.75, "confidence": 0.95}]]


@pytest.mark.parametrize(
    ("value", "text"),
    [(math.nan, "undefined"), (None, "–"), (Uncertain(0.5, "too wide"), "uncertain")],
)
def test_what_has_no_value_has_a_text_and_null(value, text):
    (table,) = page(Sheet(name="x", tables=(of_values(("one", value, None)),)))["tables"]

    assert (table["cells"][0][1], table["values"][0][1:]) == (text, [None, None])


def test_a_main_value_that_is_not_certain_is_a_word_without_a_value():
    sheet = Sheet(name="x", headline=(Headline("gamma", Uncertain(0.5, "too wide")),))
    (shown,) = page(sheet)["headline"]

    assert (shown["text"], shown["value"]) == ("uncertain", None)


def test_the_page_gets_some_of_many_rows_and_their_number():
    rows = [(f"d{i}", i / 1000, None) for i in range(500)]
    sheet = Sheet(name="x", tables=(of_values(*rows, limited=True, noun="document"),))
    (table,) = page(sheet)["tables"]

    assert (len(table["cells"]), table["n_more"]) == (200, 300)
    assert table["more"] == "and 300 more documents; the downloads contain all"
    assert page(sheet, limit=500)["tables"][0]["more"] == ""


def test_tables_for_programs_are_not_shown():
    sheet = Sheet(name="x", tables=(of_values(("one", 0.5, None), people=False),))

    assert page(sheet)["tables"] == []


def test_reasons_of_undefined_values_are_below_the_table():
    (table,) = view_of(undefined_gamma_result())["tables"]

    assert table["values"][0][1] is None
    assert table["reasons"][0].startswith("γ")
    assert "undefined" in table["reasons"][0]


def test_a_headline_has_what_the_registry_knows():
    first, _ = view_of(gamma_result())["headline"]
    gamma = MEASURES["gamma"]

    assert (first["name"], first["meaning"], first["low"]) == ("gamma", gamma.meaning, None)
    assert (first["value"], first["text"]) == (0.725, "0.7250")
    assert (first["perfect"], first["by_chance"]) == (1.0, 0.0)
    assert first["scale"] == "1 is perfect agreement, 0 is agreement by chance."


def test_a_headline_has_the_first_interval_beside_it():
    result = un.krippendorff_alpha(RATINGS)
    (bare,) = view_of(result)["headline"]
    (first,) = view_of(un.bootstrap(RATINGS, "krippendorff_alpha", resamples=50, rng=1))["headline"]
    gamma, _ = view_of(un.gamma(un.read("examples/interview.csv"), draws=30))["headline"]

    assert bare["interval"] is None
    assert first["interval"]["text"].startswith("interval 95 %: ")
    # The Monte Carlo error stands in the text of the value.
    assert gamma["interval"] is None
    assert gamma["text"] == "0.79"


def test_coefficients_that_represent_their_families_come_first():
    shown = [one["name"] for one in view_of(un.measure_items(RATINGS))["headline"]]
    alone = [one["name"] for one in view_of(un.fleiss_kappa(RATINGS))["headline"]]

    assert shown == ["krippendorff_alpha", "cohen_kappa", "gwet_ac"]
    assert alone == ["fleiss_kappa"]


def test_a_comparison_leads_with_the_scores_and_the_errors():
    view = view_of(un.compare(GOLD, SYSTEM, draws=30, rng=1))
    values = [
        (one["name"], one["text"], one["detail"].partition(":")[0]) for one in view["headline"]
    ]

    assert [name for name, _, _ in values] == ["f1", "f1", "slot_error_rate", "gamma"]
    assert [detail for _, _, detail in values] == ["exact", "overlap", "", "chance from gold"]
    assert values[2][1] == "0.7500"
    assert view["headline"][2]["scale"] == "0 is perfect agreement."


@pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda measure: measure.name)
def test_the_parts_of_a_symbol_are_its_letters(measure):
    sheet = Sheet(name="x", headline=(Headline(measure.name, 0.5),))
    (shown,) = page(sheet)["headline"]
    (of_table,) = page(Sheet(name="x", tables=(of_symbols(MeasureName(measure.name)),)))["tables"]

    assert "".join(text for text, _ in shown["parts"]) in (measure.title, measure.symbol)
    parts = "".join(text for text, _ in of_table["subjects"][0])
    assert parts in (measure.symbol, measure.symbol.replace("_", ""))


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        (MeasureName("gamma"), "γ", [["γ", ""]]),
        (MeasureName("gamma_cat"), "γcat", [["γ", ""], ["cat", "low"]]),
        (
            *(MeasureName("gamma_k", "NP 1"), "γk NP 1"),
            [["γ", ""], ["k", "low"], [" ", ""], ["NP 1", "name"]],
        ),
        (
            *(MeasureName("u_alpha_k", ""), "(k)uα (no label)"),
            [["(k)u", "low"], ["α", ""], [" ", ""], ["(no label)", "name"]],
        ),
        (MeasureName("kappa_d"), "κ_d", [["κ", ""], ["d", "low"]]),
        (MeasureName("u_alpha", symbol="αU"), "αU", [["αU", ""]]),
    ],
)
def test_names_of_measures_come_in_parts(name, text, parts):
    (shown,) = page(Sheet(name="x", tables=(of_symbols(name),)))["tables"]

    assert (shown["measures"], shown["cells"][0][0]) == ([name.measure], text)
    assert [[*part] for part in shown["subjects"][0]] == parts


def test_a_name_that_is_not_registered_is_shown_without_a_measure():
    (shown,) = page(Sheet(name="x", tables=(of_symbols(MeasureName("something")),)))["tables"]

    assert (shown["measures"], shown["cells"][0][0]) == ([""], "something")


def test_corrected_measures_are_found_by_their_own_names():
    names = ["pk", "boundary_similarity_pi", "boundary_similarity_kappa"]
    table = of_values(*((name, 0.5) for name in names), names="measure value")
    (shown,) = page(Sheet(name="x", tables=(table,)))["tables"]

    assert shown["measures"] == names
    assert shown["cells"][1][0] == "π of boundary similarity"


def test_labels_of_one_coefficient_are_drawn_as_it_is():
    view = view_of(un.krippendorff_alpha(RATINGS))
    tables = {table["name"]: table for table in view["tables"]}

    assert set(tables["label"]["measures"]) == {"krippendorff_alpha"}
    assert tables["label"]["subjects"][0] == [["a", "name"]]
    assert view["measures"]["krippendorff_alpha"]["perfect"] == 1.0


def test_a_number_and_its_text_are_two_labels():
    units = [("ann", 0, 2, 1), ("ann", 3, 4, "1"), ("bob", 0, 2, 1), ("bob", 3, 4, "1")]
    (table,) = view_of(un.gamma(un.Continuum.from_units(units), draws=30, rng=1))["tables"]
    names = [cells[0] for cells in table["cells"]]

    assert len(names) == len(set(names)) == 4


def test_annotators_in_pairs_are_a_matrix():
    pairs = view_of(un.measure_items(RATINGS))["pairs"]
    (alpha,) = (one for one in pairs if one["measure"] == "krippendorff_alpha")
    by_pair = un.krippendorff_alpha(RATINGS).by_pair

    assert alpha["annotators"] == ["ann", "bob", "cy"]
    assert [alpha["cells"][i][i] for i in range(3)] == [None] * 3
    assert alpha["cells"][0][1] == alpha["cells"][1][0]
    assert alpha["cells"][0][1]["value"] == by_pair["ann", "bob"].value
    assert alpha["title"] == "Krippendorff's α"


def test_of_many_annotators_the_matrix_has_some():
    ratings = un.Ratings.from_matrix({f"a{i}": ["a", "b", "a"] for i in range(26)})
    (one,) = view_of(un.percent_agreement(ratings))["pairs"]

    assert (len(one["cells"]), one["more"]) == (24, "and 2 more annotators")


def test_errors_and_pairs_in_either_order_have_no_matrix():
    view = view_of(un.measure_segments(un.read("examples/paragraphs.csv")))

    assert [one["measure"] for one in view["pairs"]] == [
        "boundary_similarity",
        "segmentation_similarity",
    ]


def test_control_characters_are_written_out():
    sheet = Sheet(name="x", title="a\x1bb", notes=("c\nd",), findings=("e\x00",))
    view = page(sheet)

    assert (view["title"], view["notes"], view["findings"]) == (r"a\x1bb", [r"c\nd"], [r"e\x00"])


def test_documents_are_known_by_their_own_names():
    tables = view_of(corpus_result())["tables"]
    documents = next(table for table in tables if table["name"] == "document")

    assert documents["columns"][0]["name"] == column("document").name
    assert [row[0] for row in documents["values"]] == [row[0] for row in documents["cells"]]
