"""Unitizing alphas and atoms against plain loops, and laws they keep."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import unisono as un
import unitizing_oracle as oracle

NUMBERS = (1, 2, 5)
gaps = st.sampled_from((0, 0, 0.25, 0.5, 1, 2))
lengths = st.sampled_from((0.25, 0.5, 1, 2, 3.5, 7))
steps = st.lists(st.tuples(gaps, lengths), max_size=6)
# Made once: making a strategy takes longer than drawing from it.
sampled = cache(st.sampled_from)


@st.composite
def lanes(draw, high, labels=NUMBERS):
    """Draw the units of one annotator, none of which overlap."""
    units, at = [], 0.0
    for gap, length in draw(steps):
        if at + gap + length <= high:
            units.append((at + gap, at + gap + length, draw(sampled(labels))))
            at += gap + length
    return units


@st.composite
def documents(draw, *, overlapping_labels=False):
    """Draw one to three documents of two to four annotators each."""
    drawn = []
    for _ in range(draw(st.integers(1, 3))):
        high = draw(st.sampled_from((8.0, 11.5, 20.0)))
        if overlapping_labels:
            both = st.tuples(lanes(high, ("a",)), lanes(high, ("b",)))
            one = both.map(lambda two: [*two[0], *two[1]])
        else:
            one = lanes(high)
        drawn.append((0.0, high, draw(st.lists(one, min_size=2, max_size=4))))
    return drawn


def data_of(drawn):
    continua = {
        str(number): un.Continuum.from_units(
            [(f"a{i}", *unit) for i, units in enumerate(everyone) for unit in units],
            annotators=[f"a{i}" for i in range(len(everyone))],
            extent=(low, high),
        )
        for number, (low, high, everyone) in enumerate(drawn)
    }
    return un.Corpus.from_continua(continua) if len(continua) > 1 else continua["0"]


def same(agreement, disagreements):
    """Whether a result has these parts; where chance has nothing to draw, it must say so."""
    observed, expected = disagreements
    if not expected > 1e-12:
        return agreement.undefined is not None
    parts = (agreement.observed, agreement.expected)
    return parts == pytest.approx((observed, expected), rel=1e-9, abs=1e-12)


@given(documents())
def test_the_family_of_2016_is_what_loops_over_sections_find(drawn):
    result = un.unitizing_alpha(data_of(drawn))
    assert same(result.u_alpha, oracle.u_2016(drawn))
    assert same(result.u_alpha_binary, oracle.binary_2016(drawn))
    assert same(result.u_alpha_coding, oracle.coding(drawn))
    for label, agreement in result.u_alpha_k.items():
        assert same(agreement, oracle.by_label(drawn, label))


@given(documents())
def test_coding_takes_any_distance(drawn):
    def far(left, right):
        return abs(left - right) / 4

    data = data_of(drawn)
    assert same(un.unitizing_alpha(data, distance=far).u_alpha_coding, oracle.coding(drawn, far))
    squares = un.unitizing_alpha(data, distance="interval").u_alpha_coding
    assert same(squares, oracle.coding(drawn, lambda left, right: (left - right) ** 2))


@given(documents())
def test_the_form_of_2013_is_what_loops_over_sections_find(drawn):
    assert same(un.unitizing_alpha(data_of(drawn), generation="2013").u_alpha, oracle.u_2013(drawn))


@given(documents(overlapping_labels=True))
def test_alpha_u_of_1995_is_what_loops_over_sections_find(drawn):
    result = un.unitizing_alpha(data_of(drawn), generation="1995")
    found = [oracle.alpha_1995(drawn, label) for label in result.u_alpha_k]
    for agreement, parts in zip(result.u_alpha_k.values(), found, strict=True):
        assert same(agreement, parts)
    if found and all(expected > 0 for _, expected in found):
        whole = [math.fsum(part) for part in zip(*found, strict=True)]
        assert same(result.u_alpha, whole)


@given(documents(), st.permutations(range(4)))
def test_the_names_and_the_order_of_annotators_move_not_even_the_last_digit(drawn, order):
    # Tenths, so that sums in another order would differ.
    tenths = [
        (low / 10, high / 10, [[(s / 10, e / 10, k) for s, e, k in lane] for lane in everyone])
        for low, high, everyone in drawn
    ]
    other = [
        (low, high, [everyone[i] for i in order if i < len(everyone)])
        for low, high, everyone in tenths
    ]
    for generation in ("2016", "2013", "1995"):
        one, two = (
            un.unitizing_alpha(data_of(each), generation=generation) for each in (tenths, other)
        )
        for name in ("u_alpha", "u_alpha_binary", "u_alpha_coding"):
            assert parts(getattr(one, name)) == parts(getattr(two, name))
        assert list(map(parts, one.u_alpha_k.values())) == list(map(parts, two.u_alpha_k.values()))
        assert one.label_lengths == two.label_lengths


def parts(agreement):
    return repr((agreement.value, agreement.observed, agreement.expected))


@given(documents(), st.sampled_from((0.25, 8.0)), st.sampled_from((-64.0, 1024.0)))
def test_coding_keeps_its_value_when_time_is_stretched_and_moved(drawn, stretch, shift):
    def moved(at):
        return at * stretch + shift

    other = [
        (moved(low), moved(high), [[(moved(s), moved(e), k) for s, e, k in lane] for lane in all_])
        for low, high, all_ in drawn
    ]
    one, two = un.unitizing_alpha(data_of(drawn)), un.unitizing_alpha(data_of(other))
    assert two.u_alpha_coding.value == pytest.approx(one.u_alpha_coding.value, nan_ok=True)


@given(documents(), st.integers(2, 4))
def test_annotators_with_equal_ratings_have_the_value_1(drawn, n):
    copies = [(low, high, everyone[:1] * n) for low, high, everyone in drawn]
    for generation in ("2016", "2013", "1995"):
        result = un.unitizing_alpha(data_of(copies), generation=generation)
        for agreement in (
            result.u_alpha,
            result.u_alpha_binary,
            result.u_alpha_coding,
            *result.u_alpha_k.values(),
        ):
            assert agreement.undefined or agreement.value == 1.0


@given(documents(), st.sampled_from((0.5, 0.75, 1.0, 3.0)))
def test_an_atom_has_the_label_that_covers_most_of_it(drawn, atom):
    low, high, everyone = drawn[0]
    ratings = un.Ratings.from_continuum(data_of(drawn[:1]), atom=atom)
    rows = np.repeat(ratings.matrix(), ratings.times, axis=0).T
    found = [[ratings.labels[code] for code in row] for row in rows]
    assert found == [oracle.majority(low, high, atom, units) for units in everyone]


@given(documents())
def test_with_atoms_as_small_as_all_steps_observed_alpha_of_atoms_is_that_of_u(drawn):
    result = un.unitizing_alpha(data_of(drawn)).u_alpha
    assume(len({len(everyone) for _, _, everyone in drawn}) == 1)
    atoms = un.krippendorff_alpha(un.Ratings.from_continuum(data_of(drawn), atom=0.25))
    assert atoms.observed == pytest.approx(result.observed)
