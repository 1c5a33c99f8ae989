"""The papers computed again: the verdicts are known, and each is asserted."""

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
from unisono.simulation.reproduction.claims import number

# Everything else is reproduced.
DIFFERS = {
    "2015": {
        ("Figure 10", "d_pos(A1, B2) = 3.22"),
        ("Figure 14", "cuDe = 3.145"),
        ("Figure 19b", "sum of disorders = 1.5"),
        ("Figure 19c", "sum of disorders = 3.75"),
        ("Figure 25", "γ is about cuα"),
        ("Figure 25", "uα is below 0 from 0.5"),
        ("Figure 26a", "γ is 0.1 at magnitude 1"),
        ("Figure 26a", "uα is below 0 from 0.6 to 0.9"),
        ("Figure 26b", "uα is below 0 from 0.6"),
        ("Figure 28", "uα is at or below 0 from 0.3"),
    },
    "2017": {
        ("§5.1", "observed disorder of γcat (position 1) = 0.2"),
        ("§5.2", "(k)uα of B = -0.149"),
        ("Figure 4", "the unit C stands alone (weights 1 and 1)"),
        ("Figure 11", "γ falls from 1 to 0"),
        ("Figure 11", "cuα is 0.5 at 0.8"),
        ("Table 2", "σ: IL < PL"),
    },
    "Komen 2009": set(),
    "Passonneau 2006": {("Figure 3", "mean MASI = 6/27")},
}
NOT_REPRODUCIBLE = {
    "2015": {"Figure 15", "Figure 16", "Figures 17, 18", "Figure 20", "Figure 21b", "Figure 22"}
    | {"Figure 29"},
    "2017": {"Table 1", "Table 2", "Table 3", "§5.2, Figure 16"},
    "Komen 2009": set(),
    "Passonneau 2006": {"Table 1"},
}


@pytest.fixture(scope="module")
def found():
    return un.reproduce(quick=True)


def test_every_verdict_is_the_known_one(found):
    seen: dict[str, set[tuple[str, str]]] = {paper: set() for paper in DIFFERS}
    unknown: dict[str, set[str]] = {paper: set() for paper in NOT_REPRODUCIBLE}
    for claim in found.claims:
        where = (claim.place, claim.claim)
        if claim.verdict == "differs":
            seen[claim.paper].add(where)
        elif claim.verdict == "not reproducible":
            unknown[claim.paper].add(claim.place)
    assert seen == DIFFERS
    assert unknown == NOT_REPRODUCIBLE
    assert found.counts["reproduced"] >= 55


def test_every_claim_that_is_not_reproduced_says_why_or_what_is_ours(found):
    for claim in found.claims:
        if claim.verdict == "not reproducible":
            assert claim.why
        else:
            assert claim.ours not in ("", "–", "nan")


def test_every_figure_and_table_that_was_promised_is_there(found):
    places = " ".join(claim.place for claim in found.claims if claim.paper == "2015")
    for figure in (10, *range(14, 17), 19, 20, 21, 22, *range(24, 31)):
        assert re.search(rf"Figure {figure}\D|Figure {figure}$", places + " "), figure
    assert "Figures 17, 18" in places
    assert "§5.3" in places
    places = " ".join(claim.place for claim in found.claims if claim.paper == "2017")
    for wanted in (
        "Table 1",
        "Table 2",
        "Table 3",
        "§5.1",
        "§5.2",
        *map("Figure {}".format, range(11, 16)),
    ):
        assert wanted in places
    assert {claim.paper for claim in found.claims} == set(DIFFERS)


def test_every_curve_begins_at_full_agreement(found):
    assert len(found.scans) == 16
    for scan in found.scans.values():
        assert not scan.left_out_measures
        for curve in scan.curves.values():
            assert curve.mean[0] == pytest.approx(1.0)


def test_the_page_needs_nothing_from_elsewhere(found):
    text = page(found)
    assert text.count("<svg") == len(found.scans)
    # What a picture cuts off is named by a place in the page itself.
    loaded = re.findall(
        r"(?:(?:src|href)=\"(?!#)|url\((?!#)|@import|<script|<link)[^>]{0,40}", text
    )
    assert loaded == []
    addresses = set(re.findall(r"https?://[^\"'\s<]+", text))
    assert addresses == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ET.fromstring(picture)  # noqa: S314 - our own
    for claim in found.claims[:5]:
        assert claim.verdict in text


def test_without_drawing_libraries_the_page_has_the_numbers_and_says_so(found, monkeypatch):
    monkeypatch.setattr(charts, "can_draw", lambda: False)
    text = page(found)

    assert "<svg" not in text
    assert "pip install &#x27;unisono[plot]&#x27;" in text
    assert text.count("<summary>numbers</summary>") == len(found.scans)
    for name in found.scans:
        assert f"{name}: {found.experiments[name].title}" in unescape(text)


def test_it_is_plain_data_too(found):
    plain = json.loads(found.to_json())
    assert Counter(claim["verdict"] for claim in plain["claims"]) == Counter(found.counts)
    assert "|magnitudes:12|repeats:12|seed:0|" in plain["signature"]
    assert len(found.to_csv().splitlines()) == 1 + len(found.claims)
    tables = [table for table in found.sheet().tables if table.people]
    assert [table.title for table in tables] == ["2015", "2017", "Komen 2009", "Passonneau 2006"]


def test_progress_counts_all_experiments_of_a_paper():
    told: list[tuple[int, int]] = []
    un.reproduce("komen", progress=lambda done, total: told.append((done, total)))
    assert told == []


def test_an_unknown_paper_is_a_sentence():
    with pytest.raises(un.SettingError, match="unknown paper='2016'; choose one of '2015', '2017'"):
        un.reproduce("2016")  # type: ignore[arg-type]


def test_a_number_is_compared_within_its_rounding():
    assert number("p", "f", "x", 0.25, 0.2549, tolerance=0.005).verdict == "reproduced"
    assert number("p", "f", "x", 0.25, 0.2551, tolerance=0.005).verdict == "differs"
    assert number("p", "f", "x", 0.25, float("nan"), tolerance=0.005).verdict == "differs"
