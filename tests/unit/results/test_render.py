"""Names of measures and uncertain values in each form of a sheet."""

from __future__ import annotations

from unisono.results.render import csv_text, frame, html, markdown, text
from unisono.results.sheet import KINDS, Amount, MeasureName, Sheet, Table, column
from unisono.results.values import Uncertain

SHAPE = (column("measure", kind=KINDS["symbol"]), column("value"))
ROWS = [
    (MeasureName("gamma"), Uncertain(0.5, "γ is only known to be between 0.2 and 0.8")),
    (MeasureName("gamma_k", "<NP>"), 0.25),
    (MeasureName("gamma_k", ""), 0.125),
    (MeasureName("kappa_d"), 0.0625),
]
SHEET = Sheet(name="x", tables=(Table(name="measure", columns=SHAPE, rows=ROWS),))


def test_people_read_symbols_and_labels():
    lines = [line.split("  ")[0] for line in text(SHEET).splitlines()]

    assert lines == ["measure", "γ", "γk <NP>", "γk (no label)", "κ_d"]
    assert "| γk \\<NP>      |    0.2500 |" in markdown(SHEET)


def test_pages_have_subscripts_and_labels_apart():
    page = html(SHEET)

    assert "γ<sub>k</sub> <bdi>&lt;NP&gt;</bdi>" in page
    assert "κ<sub>d</sub>" in page
    assert "<NP>" not in page


def test_headings_that_are_symbols_have_subscripts():
    shape = (column("document"), column("gamma_cat"), column("gamma_cat", heading="γcat of all"))
    page = html(Sheet(name="x", tables=(Table(name="x", columns=shape, rows=[("a", 1.0, 1.0)]),)))

    assert 'right">γ<sub>cat</sub></th>' in page
    assert 'right">γcat of all</th>' in page


def test_programs_get_the_registered_name_and_the_label_in_columns_of_their_own():
    assert csv_text(SHEET).splitlines() == [
        "measure,label,value",
        "gamma,,",
        "gamma_k,<NP>,0.25",
        "gamma_k,,0.125",
        "kappa_d,,0.0625",
    ]
    made = frame(SHEET, library="polars")
    assert made.columns == ["measure", "label", "value"]
    assert made["value"].to_list() == [None, 0.25, 0.125, 0.0625]


def test_amounts_have_a_unit_for_people_and_are_shares_for_programs():
    kind = KINDS["amount"]

    assert [kind.text(each) for each in (Amount(0.123), Amount(0.031, "cuts"), None)] == [
        "12 %",
        "3.1 cuts",
        "–",
    ]
    assert kind.plain(Amount(0.123)) == 0.123
    assert KINDS["amounts"].text((Amount(0.08), Amount(0.2))) == "8.0–20"
