"""Colours of labels are consistent and distinguishable."""

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


def test_first_eight_colours_are_those_of_okabe_and_ito():
    found = set(palette("abcdefgh").colours.values())
    known = {"#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"}

    assert found == known | {"#6b6b6b"}


def test_first_24_colours_are_distinct():
    assert len(set(palette(range(24)).colours.values())) == 24


def test_colours_do_not_depend_on_the_order_of_labels():
    first, second = palette(["b", 2, None, "a"]), palette(["a", "b", None, 2])

    assert first == second
    assert list(first.names) == [None, 2, "a", "b"]


def test_labels_with_equal_text_have_distinct_names():
    names = palette([1, "1", None, "(no label)", "a\n", "a\\n"]).names

    assert len(set(names.values())) == 6
    assert names[None] == "(no label)"


@pytest.mark.parametrize("label", HOSTILE)
def test_printable_labels_are_not_escaped(label):
    assert palette([label]).names[label] == label


@given(st.text())
def test_control_characters_are_escaped(text):
    written = escape_controls(text)

    assert not any(ord(mark) < 0x20 or 0xD7FF < ord(mark) < 0xE000 for mark in written)


def test_text_contrast_on_all_colours():
    for colour in palette(range(24)).colours.values():
        # The minimum contrast of small text in WCAG 2.
        assert contrast(colour, ink_on(colour)) >= 4.5


def test_luminance_gives_the_contrast_of_wcag():
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)


def test_colours_differ_for_colour_blind_readers():
    # Red and green are merged for them, so lightness or blue must differ noticeably.
    seen = [
        (luminance(colour), int(colour[5:], 16) / 255)
        for colour in palette("abcdefgh").colours.values()
    ]
    for (light, blue), (other_light, other_blue) in combinations(seen, 2):
        assert abs(light - other_light) > 0.02 or abs(blue - other_blue) > 0.2


def test_mixture_interpolates_between_two_colours():
    assert mix_colours("#102030", "#405060", 0.0) == "#102030"
    assert mix_colours("#102030", "#405060", 1.0) == "#405060"


@pytest.mark.parametrize("mark", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_bidirectional_controls_are_escaped(mark):
    assert escape_controls(f"{mark}evil") == f"\\u{ord(mark):x}evil"


def test_colours_of_a_corpus_need_distinct_colours():
    assert same_colours(range(24)) == range(24)
    assert same_colours(range(25)) is None
