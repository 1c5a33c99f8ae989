import io
import re

import numpy as np
import pytest
from rich.console import Console, Group

from sample_results import (
    alignment,
    chance_agreement,
    corpus_result,
    gamma_result,
    undefined_gamma_result,
)
from unisono.cli.terminal.sheet import lines_of_table, sheet_parts
from unisono.model.continuum import Continuum
from unisono.results.wording import decimals, position, printable


def shown(renderable, width=80):
    page = io.StringIO()
    Console(file=page, width=width).print(renderable, crop=False)
    return page.getvalue()


def sheet_of(result, *, title="", limit=10, width=80, rest="result.gamma_k has all"):
    """Render a result as on the command line."""
    return Group(*sheet_parts(result.sheet(title=title), width=width, limit=limit, rest=rest))


def documents_of(result, *, limit=10, width=80, rest="result.documents has all"):
    """Render only the table of documents."""
    (_, table) = (table for table in result.sheet().tables if table.people)
    return Group(*lines_of_table(table, width=width, limit=limit, rest=rest))


def test_summary_has_family_and_annotators():
    page = shown(sheet_of(gamma_result(), title="talk"))

    assert page.startswith("talk\n")
    assert "γ            0.7250" in page
    assert "γk B      undefined" in page
    assert "γk B is undefined: no pair of units to compare" in page
    assert "2 (counted: those with units in the document)" in page
    assert "proven optimal" in page


@pytest.mark.parametrize(
    ("renderable", "signature"),
    [
        (sheet_of(gamma_result(), width=40), gamma_result().signature),
        (sheet_of(alignment()), alignment().signature),
    ],
)
def test_signature_is_never_truncated(renderable, signature):
    page = io.StringIO()
    Console(file=page, width=40).print(renderable)

    assert str(signature) in page.getvalue().replace("\n", "")
    assert max(map(len, page.getvalue().splitlines())) <= 40


def test_signature_is_one_line_with_soft_wrap():
    page = io.StringIO()
    Console(file=page, width=40).print(sheet_of(gamma_result()), soft_wrap=True)

    assert str(gamma_result().signature) in page.getvalue().splitlines()


def test_no_line_ends_with_spaces():
    for width, on_terminal in ((40, False), (80, True), (120, False)):
        parts = (
            sheet_of(gamma_result(notes=("mind the gap",)), title="talk", width=width),
            documents_of(corpus_result(), width=width),
            sheet_of(alignment(), title="talk"),
        )
        page = io.StringIO()
        console = Console(
            file=page, width=width, force_terminal=on_terminal, color_system="standard"
        )
        console.print(*parts, sep="\n")
        lines = page.getvalue().splitlines()
        assert not [line for line in lines if re.search(r" (\x1b\[[0-9;]*m)*$", line)]


def test_a_summary_fits_eighty_columns():
    result = gamma_result(gamma_k={"label " * 20: chance_agreement(expected_se=0.01)})
    page = shown(sheet_of(result))
    lines = [line for line in page.splitlines() if "|" not in line]

    assert max(map(len, lines)) <= 80
    assert "± draws" in page


def test_labels_are_not_parsed_as_markup():
    labels = {"[red]x[/red]": chance_agreement(), "a\x1b[2Jb": chance_agreement()}
    page = shown(sheet_of(gamma_result(gamma_k=labels)))

    assert "γk [red]x[/red]" in page
    assert "a\\x1b[2Jb" in page
    assert "\x1b" not in page


def test_labels_with_the_most_units_are_shown():
    labels = {f"label{i}": chance_agreement(weight=float(i)) for i in range(100)}
    units = {f"label{i}": i + 1 for i in range(100)}
    page = shown(sheet_of(gamma_result(gamma_k=labels, units_by_label=units)))

    assert "and 60 more labels; result.gamma_k has all" in page
    assert "label99" in page
    assert "label59" not in page


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"skipped": 1}, "1 row that could not be read"),
        ({"notes": ("mind the gap",)}, "mind the gap"),
        ({"annotators_from": "corpus"}, "all annotators of the corpus"),
        ({"annotators_from": "declared"}, "as declared"),
        (
            {"gamma_cat": chance_agreement(n_left_out=2)},
            "2 without a pair to compare left out of γcat",
        ),
        ({"proven": False}, "proven optimal; those of some draws are not"),
        (
            {"proven": False, "alignment": alignment(proven=False, lower_bound=0.5)},
            "not proven; its disorder is at most 0.17 above the best",
        ),
        ({"proven": False, "alignment": None}, "not proven"),
    ],
)
def test_summary_has_all_columns(changes, message):
    assert message in shown(sheet_of(gamma_result(**changes)))


def test_left_out_documents_have_a_reason(run, talks):
    shown = " ".join(run("gamma", talks, "--draws", 30).out.split())
    alone = " ".join(run("gamma", talks / "lone.csv", "--draws", 30).out.split())

    assert "1 of 3 documents left out, because fewer than two annotators saw them: lone" in shown
    assert "are undefined: agreement needs two annotators or more" in alone


def test_documents_are_sorted_and_truncated():
    page = shown(documents_of(corpus_result(12), limit=2, rest="use --csv or --json for all"))
    first, second = page.splitlines()[2:4]

    assert first.startswith("talk11 ")
    assert second.startswith("talk10 ")
    assert "and 10 more documents; use --csv or --json for all" in page


def test_undefined_documents_have_a_reason():
    documents = {"a": gamma_result(), "b": undefined_gamma_result(), "c": undefined_gamma_result()}
    page = shown(documents_of(corpus_result(documents=documents)))

    assert "2 documents undefined: there are fewer than 2 annotators (b, c)" in page
    assert page.splitlines()[2].startswith("a ")


def test_unproven_documents_are_reported():
    documents = {"a": gamma_result(), "b": gamma_result(proven=False)}

    assert "proven" not in shown(documents_of(corpus_result()))
    assert "proven" in shown(documents_of(corpus_result(documents=documents)))


def test_documents_fit_eighty_columns():
    long = gamma_result(n_units=123456, proven=False)
    documents = {"a long name " * 9: long, "b": gamma_result()}
    page = shown(documents_of(corpus_result(documents=documents)))

    assert max(map(len, page.splitlines())) <= 80
    assert "123,456" in page


def test_groups_of_few_annotators_are_single_lines():
    page = shown(sheet_of(alignment(), title="talk"))

    assert page.startswith("talk\n")
    assert "    1     0.0000   0–2 A   0–2 A" in page
    assert "    2     1.0000   ·       3–4.5 B" in page
    assert "2 (counted: those with units in the document)" in page


def test_groups_of_many_annotators_have_one_line_per_unit():
    units = [(name, 0, 1, "A") for name in "abcde"]
    six = Continuum.from_units(units, annotators=list("abcdef"))
    groups = alignment(continuum=six, indices=[[0, 1, 2, 3, 4, -1]], group_disorders=[0.0])
    page = shown(sheet_of(groups))
    body = page.splitlines()[2:7]

    assert [line.split() for line in body] == [
        ["1", "0.0000", name, "0", "1", "A"] for name in "abcde"
    ]


def test_hidden_groups_are_counted():
    page = shown(sheet_of(alignment(), limit=1, rest="--csv has all"))

    assert "and 1 more group; --csv has all" in page
    assert "3–4.5" not in page


def test_unproven_alignment_is_reported():
    page = shown(sheet_of(alignment(proven=False, lower_bound=0.5)))

    assert "not proven; its disorder is at most 0.17 above the best" in page


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0.0, "0"),
        (-2.5, "-2.5"),
        (1234567.8912, "1234567.8912"),
        (100.0, "100"),
        (1e-7, "1e-07"),
        (3e17, "3e+17"),
    ],
)
def test_positions_have_no_trailing_zeros(number, written):
    assert position(number) == written


def test_infinite_numbers_are_shown():
    assert decimals(np.inf) == "inf"


def test_lone_surrogates_can_be_printed():
    assert printable("a\udc80").encode() == b"a\\udc80"
