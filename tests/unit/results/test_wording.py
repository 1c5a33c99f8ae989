"""Numbers, names and JSON as text."""

from __future__ import annotations

import json
import math

import pytest

from unisono.results.wording import (
    count,
    decimals,
    describe_documents,
    json_text,
    position,
    printable,
    printable_lines,
    some,
)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.72504, "0.7250"),
        (-0.5, "-0.5000"),
        (1.0, "1.0000"),
        (-0.0, "0.0000"),
        (-0.00001, "0.0000"),
        (-0.00006, "-0.0001"),
        (999_999.99994, "999999.9999"),
        (1e6, "1e+06"),
        (4594771464.561, "4.595e+09"),
        (-4594771464.561, "-4.595e+09"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_a_number_has_four_decimals_or_four_digits_where_it_is_large(value, written):
    assert decimals(value) == written


@pytest.mark.parametrize(
    ("value", "places", "written"),
    [(0.9996, 3, "1.000"), (0.12, 1, "0.1"), (2.4, 0, "2"), (12345678.0, 2, "1.2e+07")],
)
def test_numbers_have_the_requested_decimals(value, places, written):
    assert decimals(value, places) == written


def test_a_large_number_has_a_digit_even_without_decimals():
    assert decimals(3e7, 0) == "3e+07"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (9.0, "9"),
        (612.4, "612.4"),
        (100.0, "100"),
        (0.12346, "0.1235"),
        (-2.5, "-2.5"),
        (0.0, "0"),
        (1e-3, "0.001"),
        (0.00012, "0.00012"),
        (-0.00012, "-0.00012"),
        (1e14, "100000000000000"),
        (1e15, "1e+15"),
        (1.23456789e15, "1.23457e+15"),
    ],
)
def test_a_place_has_no_needless_decimals(value, written):
    assert position(value) == written


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0, "0 units"), (1, "1 unit"), (2, "2 units"), (41094, "41,094 units")],
)
def test_the_noun_of_one_is_singular(number, expected):
    assert count(number, "unit") == expected


def test_nothing_that_cannot_be_seen_reaches_a_terminal_or_a_table():
    assert printable("γ café") == "γ café"
    assert printable("two\nlines\ta\x1b[2J\u202eb\u200b") == r"two\nlines\ta\x1b[2J\u202eb\u200b"
    # Joiners, which some scripts and emoji need, are not control characters.
    assert printable("👩\u200d🔬 می\u200cخواهم") == "👩\u200d🔬 می\u200cخواهم"


def test_a_text_of_several_lines_keeps_its_lines_and_columns():
    assert printable_lines("one\n\ttwo\x1b[2J\r") == "one\n\ttwo\\x1b[2J\\r"


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_json_reads_back_equal_and_cannot_disturb_a_terminal(indent, ascii_only):
    record = {"label": "γ\n\x1b\x7f\x9b\u202e\ud800\U000e0001", "values": [1.5, None]}
    text = json_text(record, indent=indent, ascii_only=ascii_only)

    assert json.loads(text) == record
    assert all(line.isprintable() for line in text.splitlines())
    assert text.isascii() == ascii_only
    assert ("\n" in text) == (indent is not None)


def test_json_of_a_harmless_record_is_what_python_writes():
    assert json_text({"label": "γ"}) == '{"label": "γ"}'


def test_json_does_not_contain_nan():
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"value": math.nan})


def test_the_only_document_is_named_and_several_are_counted():
    assert describe_documents(["interview"]) == "interview"
    assert describe_documents({"a": 1, "b": 2}) == "2 documents"
    assert describe_documents([]) == "0 documents"


def test_long_lists_have_the_first_names_and_the_number_of_others():
    assert some(["ann", "bob"], shown=2) == "ann, bob"
    assert some(["ann", "bob", "cleo"], shown=2) == "ann, bob and 1 more"
    assert some([f"a{number}" for number in range(2005)]) == "a0, a1, a2, a3, a4 and 2,000 more"
    assert some(["an\nn"]) == r"an\nn"
