"""The sections of a report: excerpts, shortened tables and figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

import unisono as un
from sample_texts import text
from unisono import charts
from unisono.errors import DataError, UnisonoError
from unisono.reports.findings import find
from unisono.reports.sections import (
    NO_CHARTS,
    action_section,
    cause_section,
    coefficient_section,
    compose,
    consensus_section,
    drawn_figures,
    excerpt,
    has_texts,
    place_of,
)
from unisono.results.blocks import Table

WORDS = "".join(f"{number:03} " for number in range(100))
"""400 characters; the word at 4 · n is n."""


@pytest.fixture(scope="module")
def interview():
    return find(un.read("examples/interview.csv"), draws=30, rng=1)


def titles(sections):
    return [section.title for section in sections]


def tables(section):
    return [block for block in section.blocks if isinstance(block, Table)]


def document(words):
    return un.Continuum.from_columns(["ann"], [0], [2], text=words)


def marked(start, end, words=WORDS):
    return excerpt(document(words), un.Unit("ann", start, end))


def test_an_excerpt_has_thirty_characters_on_both_sides():
    assert marked(200, 203) == (f"…{WORDS[170:200]}", "050", f"{WORDS[203:233]}…")


def test_an_excerpt_at_an_end_of_the_text_has_no_dots_there():
    assert marked(0, 3) == ("", "000", f"{WORDS[3:33]}…")
    assert marked(30, 33) == (WORDS[:30], WORDS[30:33], f"{WORDS[33:63]}…")
    assert marked(370, 400) == (f"…{WORDS[340:370]}", WORDS[370:], "")


def test_of_a_long_unit_the_middle_is_left_out():
    assert marked(0, 200)[1] == WORDS[:200]
    assert marked(0, 201)[1] == f"{WORDS[:100]} […] {WORDS[101:201]}"


def test_an_excerpt_is_one_line_without_control_characters():
    assert marked(4, 7, "one\ntwo\tsix\x1b[2J") == ("one ", "two", " six\\x1b[2J")


@pytest.mark.parametrize(("start", "end"), [(0.5, 3), (0, 2.5), (-1, 3), (399, 401), (500, 600)])
def test_a_unit_outside_the_text_has_no_excerpt(start, end):
    assert marked(start, end) is None


def test_without_a_text_there_is_no_excerpt():
    assert marked(0, 2, None) is None
    assert has_texts([document(None), document(WORDS)])
    assert not has_texts([document(None)])
    assert not has_texts([])


def test_a_place_names_its_document_only_where_there_are_several():
    (group,) = un.advise(text(("ann", 0, 2.5, "A"), ("bob", 0, 2, "B")), draws=30).adjudicate

    assert place_of(group, several=False) == "0–2.5"
    assert place_of(group._replace(document="talk\x1b"), several=True) == "talk\\x1b, 0–2.5"


def test_a_report_runs_from_what_was_found_to_how_to_read_it(interview):
    assert titles(compose(interview)) == [
        *("Summary", "What to do first", "Coefficients", "Sources of disagreement"),
        *("Consensus", "How the files were read", "Methods", "References"),
        "How to read this report",
    ]


def test_each_section_has_its_parts_in_order(interview):
    assert titles(action_section(interview).sections) == [
        *("Places to adjudicate first", "Labels to merge", "Annotators to review")
    ]
    assert titles(cause_section(interview, {}).sections) == ["By label", "By annotator"]
    assert titles(consensus_section(interview, {}).sections) == [
        *("Undecided groups", "Decided units, the least supported first")
    ]
    names = [row[0] for row in tables(coefficient_section(interview, {}))[0].rows][:2]
    assert [name.text for name in names] == ["γ", "γcat"]


def test_several_documents_have_a_part_of_their_own():
    found = find(un.read("examples/corpus"), draws=30, rng=1)

    assert "Documents to review" in titles(action_section(found).sections)


def test_what_does_not_fit_in_a_table_is_counted(interview):
    def overview(n_disagreeing):
        advice = replace(interview.advice, n_disagreeing=n_disagreeing)
        places, *_ = action_section(replace(interview, advice=advice)).sections
        return tables(places)[0]

    shown = len(interview.advice.adjudicate)

    assert len(overview(shown).rows) == shown
    assert overview(shown).rest == ""
    assert overview(shown + 1).rest == "1 more group not shown."
    assert overview(shown + 2000).rest == "2,000 more groups not shown."


def test_confused_labels_that_were_not_tried_are_counted_where_a_diagnosis_knows_them():
    rows = [
        (who, 10 * i, 10 * i + 5, labels[i])
        for who, labels in (("ann", "ABCA"), ("bob", "BCAA"))
        for i in range(4)
    ]
    all_tried = find(text(*rows), draws=30, rng=1)
    assert all_tried.advice is not None
    few = replace(all_tried.advice, merges=all_tried.advice.merges[:1])
    found = replace(all_tried, advice=few)

    def rest(found):
        (labels,) = (
            part for part in action_section(found).sections if part.title == "Labels to merge"
        )
        return tables(labels)[0].rest

    assert rest(all_tried) == ""
    assert rest(found) == "2 more pairs not tested because they are confused less often."
    assert rest(replace(found, diagnosis=None)) == ""


def test_where_gamma_is_undefined_there_is_nothing_to_draw():
    found = find(text(("ann", 0, 5, "A")), draws=30, rng=1)

    assert found.gamma.undefined
    assert drawn_figures(found) == ({}, "")


def test_without_plotting_libraries_there_is_a_reason_instead_of_charts(interview, monkeypatch):
    monkeypatch.setattr(charts, "can_draw", lambda: False)

    assert drawn_figures(interview) == ({}, NO_CHARTS)


def test_a_picture_that_does_not_fit_the_data_is_left_out_and_the_others_are_there(
    interview, monkeypatch
):
    drawn: list[object] = []

    def first_fails(chart):
        drawn.append(chart)
        if len(drawn) == 1:
            msg = "too many labels"
            raise DataError(msg)
        return "<svg/>"

    monkeypatch.setattr(charts, "chart_svg", first_fails)
    figures, why_none = drawn_figures(interview)

    assert list(figures) == [
        *("draws", "parts", "confusion", "annotators", "alignment", "consensus")
    ]
    assert len(drawn) == 7
    assert {figure.svg for figure in figures.values()} == {"<svg/>"}
    assert why_none == ""


def test_where_nothing_can_be_drawn_the_report_states_why(interview, monkeypatch):
    def broken(chart):
        msg = "the drawing library\x1b is broken"
        raise UnisonoError(msg)

    monkeypatch.setattr(charts, "chart_svg", broken)

    assert drawn_figures(interview) == (
        {},
        "The charts could not be drawn: the drawing library\\x1b is broken.",
    )
