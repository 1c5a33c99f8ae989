"""Markdown, HTML and tables escape the special characters of labels and names."""

from __future__ import annotations

import re

import pytest

from unisono.results.blocks import (
    FIRST,
    LAST,
    Bullets,
    Code,
    Excerpt,
    Facts,
    Figure,
    Paragraph,
    Section,
    Table,
    join_words,
    label_cell,
    markdown_code,
    markdown_table,
    markdown_text,
    one_line,
    pad_table,
    quote_name,
    without_isolates,
)
from unisono.results.html import html_page, inline


def test_a_padded_table_has_names_to_the_left_and_numbers_to_the_right():
    assert pad_table(["measure", "value"], [["alpha", "-0.5000"], ["κ", "1"]]) == [
        ["measure", "  value"],
        ["alpha  ", "-0.5000"],
        ["κ      ", "      1"],
    ]


def test_wide_letters_take_two_places_and_marks_above_letters_none():
    (_, wide, marked) = pad_table(["label"], [["名詞"], ["e\u0301a"]])

    assert wide == ["名詞 "]
    assert marked == ["e\u0301a   "]


def test_a_cell_of_a_markdown_table_is_one_cell_whatever_it_holds():
    assert markdown_table(["measure", "value"], [["a|b", "0.5000"]]).splitlines() == [
        "| measure |  value |",
        "| :------ | -----: |",
        "| a\\|b    | 0.5000 |",
    ]


def test_no_mark_of_a_text_is_one_of_markdown():
    assert markdown_text("B_PER *x* [1] <b> `y` \\") == r"B\_PER \*x\* \[1] \<b> \`y\` \\"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("gamma|n:112", "`gamma|n:112`"),
        ("a`b", "`` a`b ``"),
        ("a``b`", "``` a``b` ```"),
    ],
)
def test_code_is_fenced_by_more_backticks_than_it_contains(text, code):
    assert markdown_code(text) == code


def test_names_are_one_line_in_a_cell_and_no_label_has_a_name():
    assert one_line("two\nlines\x1b") == r"two\nlines\x1b"
    assert one_line("👩\u200d🔬") == "👩\u200d🔬"
    assert (label_cell("N\tP"), label_cell(2), label_cell(None)) == (r"N\tP", "2", "(no label)")
    assert label_cell(frozenset("ba")) == "{a, b}"


def test_a_name_in_a_sentence_has_a_direction_of_its_own():
    assert quote_name("NP") == f"“{FIRST}NP{LAST}”"
    assert without_isolates(f"label {quote_name('NP')}") == "label “NP”"
    assert without_isolates(quote_name("x" * 60)) == f"“{'x' * 60}”"
    assert without_isolates(quote_name("x" * 61)) == f"“{'x' * 59}…”"
    assert without_isolates(quote_name("x" * 61, whole=True)) == f"“{'x' * 61}”"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_words_are_joined_as_in_a_sentence(words, sentence):
    assert join_words(words) == sentence


def test_a_sentence_on_a_page_keeps_names_apart_and_numbers_beside_their_signs():
    assert inline(quote_name("<b>")) == "“<bdi>&lt;b&gt;</bdi>”"
    assert inline("γ = 0.5, 95 % of 3 units") == "γ&nbsp;=&nbsp;0.5, 95&nbsp;% of 3 units"


HOSTILE = "<script>alert('x')</script>"


def test_a_page_has_its_sections_and_nothing_that_a_text_could_start():
    blocks = (
        Paragraph(HOSTILE),
        Bullets((HOSTILE,)),
        Facts(((HOSTILE, HOSTILE),)),
        Table(HOSTILE, (HOSTILE, "text"), ((HOSTILE, Excerpt(HOSTILE, HOSTILE, HOSTILE)),)),
        Code(HOSTILE, HOSTILE),
        Figure("Draws", HOSTILE, "<svg/>"),
    )
    sections = [Section("Summary", "summary", blocks), Section("Last", "last", (Code("x", "y"),))]
    page = html_page(HOSTILE, HOSTILE, sections, description=HOSTILE, footer=HOSTILE)

    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 14
    assert re.findall(r'href="#(\w+)"', page) == ["content", "summary", "last"]
    assert re.findall(r"<h2>(\w+)</h2>", page) == ["Summary", "Last"]
    assert '<div class="plate"><svg/></div>' in page
