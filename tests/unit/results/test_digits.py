"""Values are shown with the decimals that their Monte Carlo error allows."""

from __future__ import annotations

import math

import pytest

import unisono as un
from unisono.results.render import latex
from unisono.results.sheet import KINDS
from unisono.results.values import Approximate

Z = 1.959963984540054


@pytest.mark.parametrize(
    ("value", "half", "text", "plus_minus"),
    [
        (0.7932, 0.0012, "0.793", "0.002"),
        (0.6330, 0.0099, "0.633", "0.010"),
        (0.4766, 0.0102, "0.48", "0.02"),
        (0.6450, 0.0087, "0.645", "0.009"),
        (1.0, 0.0, "1.000", "exact"),
        (0.7976, 0.007, "0.798", "0.007"),
        (0.6794, 0.0333, "0.68", "0.04"),
        (0.2, 0.31, "0.2", "0.4"),
        (-0.0001, 0.002, "0.000", "0.002"),
    ],
)
def test_a_table_has_as_many_decimals_as_the_error_allows(value, half, text, plus_minus):
    found = Approximate(value, half / Z)

    assert (found.text, found.plus_minus) == (text, plus_minus)
    assert KINDS["drawn"].plain(found) == value
    assert KINDS["plus_minus"].plain(found) == half / Z


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.7932, 0.0005, "0.793"),
        (0.7932, 0.0006, "0.79"),
        (0.6330, 0.00505, "about 0.63 ± 0.01"),
        (0.4766, 0.0052, "about 0.48 ± 0.02"),
        (0.172, 0.0102, "about 0.17 ± 0.02"),
        (0.6450, 0.0044, "0.65"),
    ],
)
def test_a_sentence_has_only_stable_decimals(value, error, text):
    found = Approximate(value, error)

    assert found.in_words == text
    assert found.in_cell == text.removeprefix("about ")


def test_the_ends_of_the_rounded_range_hold_the_error():
    for exponent in range(1, 400):
        half = 0.0001 * 1.02**exponent
        found = Approximate(0.5, half / Z)
        if half < 1:
            assert float(found.plus_minus) >= half * (1 - 1e-9)
            assert len(found.plus_minus) == len(found.text)


def test_too_few_comparable_draws_have_no_error_to_show():
    assert Approximate(0.5, 0.001, is_compared=False).plus_minus == "–"
    assert Approximate(0.5, None).plus_minus == "–"


def test_a_result_has_the_same_digits_in_all_forms():
    found = un.gamma(un.read("examples/interview.csv"))
    text, html, tex = found.to_markdown(), found._repr_html_(), latex(found.sheet())
    place = 3
    for each in (found, found.gamma_cat):
        written = f"{each.value:.{place}f}"
        assert f" {written} |" in text
        assert f">{written}</td>" in html
        assert f"& {written} &" in tex
        for shown in (text, html, tex):
            assert f"{each.value:.4f}" not in shown
    assert found.to_dict()["value"] == found.value
    assert found.to_dict()["monte_carlo_se"] == found.monte_carlo_se
    assert str(found.value) in found.to_csv()
    assert str(found.monte_carlo_se) in found.to_csv()


def test_points_are_aligned():
    found = un.gamma(un.read("examples/interview.csv"), draws=60)
    lines = found.to_markdown().splitlines()[2:7]
    places = {line.split("|")[2].find(".") for line in lines}

    assert len({len(line) for line in lines}) == 1
    assert len(places) == 1


def test_a_large_error_has_a_note_with_its_remedy():
    found = un.gamma(un.read("examples/interview.csv"), draws=5)

    assert any(
        note.startswith("γcat is uncertain by ± 0.") and "50 draws would make it about" in note
        for note in found.notes
    )
    assert not math.isnan(found.value)
