"""Colours are the same for a label everywhere, and can be told apart."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report_samples import HOSTILE
from unisono.charts.style import (
    escape_controls,
    ink_on,
    luminance,
    mix_colours,
    palette,
    same_colours,
)


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_first_eight_are_those_of_okabe_and_ito_with_grey_for_black():
    found = set(palette("abcdefgh").colours.values())
    known = {"#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"}

    assert found == known | {"#6b6b6b"}


def test_twenty_four_labels_have_colours_of_their_own():
    assert len(set(palette(range(24)).colours.values())) == 24


def test_a_colour_depends_on_the_place_among_sorted_labels_only():
    first, second = palette(["b", 2, None, "a"]), palette(["a", "b", None, 2])

    assert first == second
    assert list(first.names) == [None, 2, "a", "b"]


def test_labels_that_read_alike_have_names_of_their_own():
    names = palette([1, "1", None, "(no label)", "a\n", "a\\n"]).names

    assert len(set(names.values())) == 6
    assert names[None] == "(no label)"


@pytest.mark.parametrize("label", HOSTILE)
def test_a_label_is_shown_as_it_is(label):
    assert palette([label]).names[label] == label


@given(st.text())
def test_what_is_shown_has_no_character_that_xml_forbids(text):
    written = escape_controls(text)

    assert not any(ord(mark) < 0x20 or 0xD7FF < ord(mark) < 0xE000 for mark in written)


def test_text_on_every_colour_of_the_palette_can_be_read():
    for colour in palette(range(24)).colours.values():
        # 4.5 is what WCAG 2 asks of small text.
        assert contrast(colour, ink_on(colour)) >= 4.5


def test_white_on_black_has_the_contrast_of_the_standard():
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)


def test_colours_for_people_who_see_red_and_green_alike_differ_in_lightness_or_blue():
    # Red and green of a colour weigh as one for them: what is left must differ by a step.
    seen = [
        (luminance(colour), int(colour[5:], 16) / 255)
        for colour in palette("abcdefgh").colours.values()
    ]
    for (light, blue), (other_light, other_blue) in combinations(seen, 2):
        assert abs(light - other_light) > 0.02 or abs(blue - other_blue) > 0.2


def test_mixing_ends_at_the_two_colours():
    assert mix_colours("#102030", "#405060", 0.0) == "#102030"
    assert mix_colours("#102030", "#405060", 1.0) == "#405060"


@pytest.mark.parametrize("mark", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_no_label_turns_the_text_after_it_round(mark):
    assert escape_controls(f"{mark}evil") == f"\\u{ord(mark):x}evil"


def test_colours_are_shared_by_documents_as_long_as_all_labels_have_their_own():
    assert same_colours(range(24)) == range(24)
    assert same_colours(range(25)) is None
