"""The papers computed again: claims are data, no cell is empty, and verdicts follow from values."""

from __future__ import annotations

import json
import re
from collections import Counter
from html import unescape
from xml.etree import ElementTree as ET

import pytest

import unisono as un
from unisono import charts
from unisono.reports.reproduction import page
from unisono.simulation.reproduction.claims import (
    PAPERS,
    Statement,
    desiderata_of,
    judged,
    statements,
)
from unisono.simulation.reproduction.curves import FIGURES
from unisono.simulation.reproduction.examples import EXAMPLES
from unisono.simulation.reproduction.experiments import EXPERIMENTS, Size

# Everything that needs no simulated annotators and is not reproduced.
DIFFERS = {
    "2015": {
        ("Figure 10", "A1, B2"),
        ("§5.3", "sixty-two"),
        ("Figure 14", "cuDe"),
        ("Figure 19", "gamma"),
        ("Figure 20", "value"),
    },
    "2017": {
        ("Table 2", "row 2"),
        ("Figure 4", "plain"),
        ("Figure 7", "gamma_cat"),
        ("§5.1, Figure 9", "plain_observed"),
        ("Table 3", "gamma_cat"),
        ("§5.2", "cu_b"),
        ("§5.2", "gamma_b"),
        ("Figure 16", "a"),
        ("Figure 16", "b"),
    },
    "komen": {("table (5)", "cells"), ("table (5)", "margins")},
    "passonneau": {
        ("Figure 3", "jaccard"),
        ("Figure 3", "masi"),
        *(("Table 1", f"spans {how}") for how in ("kept", "removed", "product")),
        *(("Table 1", f"words {how}") for how in ("kept", "removed")),
        ("Table 2", "product"),
    },
}
# Claims on curves that hold for any constants of the authors' tool.
CERTAIN = {
    ("Figure 25", "gamma"),
    ("Figure 25", "observed"),
    ("Figure 25", "alpha"),
    ("Figure 25", "kappa"),
    ("Figure 25", "u_gaps"),
    ("Figure 25", "kappa_d"),
    ("Figure 26a", "ser_drop"),
    ("Figure 27", "blocked"),
    ("Figure 28b", "cu"),
    ("§5.4", "one"),
    ("Figure 12", "close"),
    ("Figure 14", "cu_long"),
    ("Figure 15", "d"),
}


@pytest.fixture(scope="module")
def found():
    return un.reproduce(quick=True)


def _verdicts(found):
    return list(zip(statements(), (claim.verdict for claim in found.claims), strict=True))


def test_no_cell_is_empty(found):
    assert len(found.claims) == len(statements())
    for claim in found.claims:
        for name, cell in claim._asdict().items():
            assert cell, (claim.place, claim.claim, name)
            assert cell != "nan", (claim.place, claim.claim, name)
        if claim.verdict != "not reproducible":
            assert claim.ours != "–", (claim.place, claim.claim)


def test_every_worked_example_has_the_known_verdict(found):
    seen: dict[str, set[tuple[str, str]]] = {paper: set() for paper in PAPERS}
    for each, verdict in _verdicts(found):
        if verdict == "differs" and (each.paper, each.place) in EXAMPLES:
            seen[each.paper].add((each.place, each.key))
    assert seen == DIFFERS


def test_what_any_shuffling_must_show_is_reproduced(found):
    verdicts = {(each.place, each.key): verdict for each, verdict in _verdicts(found)}
    assert {where for where in CERTAIN if verdicts[where] != "reproduced"} == set()


def test_what_is_not_reproducible_states_what_is_missing():
    for each in statements():
        if each.relation == "missing":
            assert judged(each, None).why.startswith("missing: ")


def test_every_numbered_table_and_figure_is_there():
    places = {
        paper: " ".join(each.place for each in statements() if each.paper == paper) + " "
        for paper in PAPERS
    }
    figures = [number for number in range(1, 31) if number not in (8, 21, 24, 26, 28)]
    for figure in (*figures, "21", "24a", "24b", "26a", "26b", "28a", "28b"):
        assert re.search(rf"(Figure|Figures) {figure}\b|, {figure}\b", places["2015"]), figure
    for table in (1, 2, 3):
        assert f"Table {table} " in places["2015"]
        assert f"Table {table} " in places["2017"]
    for figure in range(1, 17):
        assert re.search(rf"Figure {figure}\b", places["2017"]), figure
    for table in (2, 3, 5, 6, 7, 8, 9):
        assert f"table ({table}) " in places["komen"]
    for place in (*(f"Figure {figure} " for figure in range(1, 7)), "Table 1 ", "Table 2 "):
        assert place in places["passonneau"]


def test_claims_have_a_reason_for_their_tolerance():
    for each in statements():
        if each.relation == "printed":
            assert each.because, (each.place, each.key)
        assert each.setup
        assert each.paper in PAPERS


STATEMENT = Statement("2015", "p", "k", "x = 0.25", "–", "printed", 0.25, 0.005, "why", "reason")


def test_a_number_is_compared_within_its_tolerance():
    assert judged(STATEMENT, 0.255).verdict == "reproduced"
    assert judged(STATEMENT, 0.2551).verdict == "differs"
    assert judged(STATEMENT, float("nan")).verdict == "differs"
    assert judged(STATEMENT, [0.25, 0.26]).verdict == "differs"


@pytest.mark.parametrize(
    ("relation", "bound", "met", "missed"),
    [("above", 0.9, 0.901, 0.9), ("below", 0.0, -0.001, 0.0), ("least", 0.5, 0.5, 0.499)],
)
def test_an_inequality_that_is_not_met_is_not_reproduced(relation, bound, met, missed):
    of = STATEMENT._replace(relation=relation, bound=bound, tolerance=0.1)
    assert judged(of, met).verdict == "reproduced"
    assert judged(of, missed).verdict == "differs"
    assert judged(of, [met, missed]).verdict == "differs"


def test_a_claim_without_a_value_is_an_error():
    with pytest.raises(ValueError, match="no value was computed for 'k' of 2015, p"):
        judged(STATEMENT, None)


def test_a_single_place_has_the_same_verdicts(found):
    alone = un.reproduce("2015", place="Figure 14")
    assert alone.claims == tuple(each for each in found.claims if each.place == "Figure 14")[:6]
    assert alone.curves == {}


def test_an_unknown_place_is_a_sentence():
    with pytest.raises(un.SettingError, match=r"unknown place 'Figure 99' of 'komen'; choose"):
        un.reproduce("komen", place="Figure 99")


def test_curves_begin_at_full_agreement(found):
    assert {name for names, _ in FIGURES.values() for name in names} == set(EXPERIMENTS)
    assert set(found.curves) == set(EXPERIMENTS)
    for curves in found.curves.values():
        assert not curves.left_out_measures
        for curve in curves.curves.values():
            assert curve.mean[0] == pytest.approx(1.0)


def test_desiderata_are_those_of_the_mean(found):
    curve = found.curves["Figure 26a"].curve("gamma")
    wanted = desiderata_of(curve)
    assert (wanted.first, wanted.last) == (1.0, curve.mean[-1])
    assert wanted.lowest == curve.mean.min()
    rows = next(table for table in found.sheet().tables if table.name == "curve").rows
    assert len(rows) == sum(len(curves.curves) for curves in found.curves.values())


def test_the_page_needs_nothing_from_elsewhere(found):
    text = page(found)
    assert text.count("<svg") == len(found.curves)
    # What a picture cuts off is named by a place in the page itself.
    loaded = re.findall(
        r"(?:(?:src|href)=\"(?!#)|url\((?!#)|@import|<script|<link)[^>]{0,40}", text
    )
    assert loaded == []
    addresses = set(re.findall(r"https?://[^\"'\s<]+", text))
    assert addresses == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ET.fromstring(picture)  # noqa: S314 - our own


def test_the_page_has_claim_number_picture_and_command(found):
    text = unescape(re.sub(r"<br>", ", ", page(found)))
    for claim in found.claims:
        assert claim.claim in text
        assert claim.ours in text
        assert claim.command in text
    for name, experiment in EXPERIMENTS.items():
        assert f"{name}: {experiment.title}"[:30] in text
        assert experiment.command(Size.of(quick=True), 0) in text


def test_without_drawing_libraries_the_page_has_the_numbers_and_states_it(found, monkeypatch):
    monkeypatch.setattr(charts, "can_draw", lambda: False)
    text = page(found)

    assert "<svg" not in text
    assert "pip install &#x27;unisono[plot]&#x27;" in text
    assert text.count("<summary>numbers</summary>") == len(found.curves)
    for name in found.curves:
        assert f"{name}: {found.experiments[name].title}" in unescape(text)


def test_it_is_plain_data_too(found):
    plain = json.loads(found.to_json())
    assert Counter(claim["verdict"] for claim in plain["claims"]) == Counter(found.counts)
    assert "|magnitudes:21|repeats:6|seed:0|" in plain["signature"]
    assert len(found.to_csv().splitlines()) >= 1 + len(found.claims)
    tables = [table for table in found.sheet().tables if table.people and table.name == "paper"]
    assert [table.title for table in tables] == list(PAPERS.values())


def test_progress_counts_all_experiments_of_a_paper():
    told: list[tuple[int, int]] = []
    un.reproduce("komen", progress=lambda done, total: told.append((done, total)))
    assert told == []


def test_an_unknown_paper_is_a_sentence():
    with pytest.raises(un.SettingError, match="unknown paper='2016'; choose one of '2015', '2017'"):
        un.reproduce("2016")  # type: ignore[arg-type]
