import pytest
from hypothesis import given
from hypothesis import strategies as st

import segmentation_oracle as oracle
import unisono as un

COSTS = st.tuples(*[st.sampled_from((0.0, 0.25, 0.5, 1.0, 2.0, 3.5))] * 3)


@st.composite
def texts(draw, *, n=2, longest=24, shortest=2):
    """Draw marks of some annotators for the places of one text."""
    places = draw(st.integers(shortest - 1, longest - 1))
    rate = draw(st.sampled_from((1, 3, 7)))
    mark = st.integers(0, rate).map(lambda number: int(number == 0))
    return [draw(st.lists(mark, min_size=places, max_size=places)) for _ in range(n)]


def cut(marks):
    return un.Segmentation.from_masses(oracle.masses_of(marks))


@given(texts())
def test_windows_are_counted_as_by_a_loop_over_atoms(marks):
    one, other = map(cut, marks)
    k = oracle.default_window(marks[0])

    assert un.pk(one, other).value == float(oracle.pk(marks, k))
    assert un.window_diff(one, other).value == float(oracle.window_diff(marks, k))


@given(texts(), st.integers(1, 24))
def test_windows_of_every_length_are_counted_as_by_a_loop(marks, window):
    one, other = map(cut, marks)
    k = min(window, one.length - 1)

    assert un.pk(one, other, window=k).value == float(oracle.pk(marks, k))
    assert un.window_diff(one, other, window=k).value == float(oracle.window_diff(marks, k))


@given(texts(), st.integers(1, 26))
def test_edits_are_found_as_by_a_scan_of_places(marks, near):
    one, other = map(cut, marks)
    matches, moves, misses, _ = oracle.edits(marks, near)
    edited, boundaries, places = oracle.edit_shares(marks, near)
    result = un.boundary_similarity(one, other, near=near)

    assert result.edits == (matches, moves, misses)
    if boundaries:
        assert result.observed == float(edited / boundaries)
    else:
        assert result.undefined
    ours = un.segmentation_similarity(one, other, near=near)
    assert ours.observed == float(edited / places)


@given(texts(), COSTS)
def test_the_cheapest_shifts_are_as_cheap_as_trying_all(marks, costs):
    one, other = map(cut, marks)
    insertion, deletion, shift = costs
    ours = un.generalized_hamming(one, other, insertion=insertion, deletion=deletion, shift=shift)

    assert ours.value == oracle.cheapest(marks, *costs)


@given(texts(), COSTS)
def test_the_way_back_costs_the_same_with_costs_exchanged(marks, costs):
    one, other = map(cut, marks)
    insertion, deletion, shift = costs
    there = un.generalized_hamming(one, other, insertion=insertion, deletion=deletion, shift=shift)
    back = un.generalized_hamming(other, one, insertion=deletion, deletion=insertion, shift=shift)

    assert there.value == back.value


@given(texts(n=3))
def test_generalized_hamming_is_a_distance(marks):
    one, two, three = map(cut, marks)
    ways = [(one, two), (two, three), (one, three)]
    first, second, direct = (un.generalized_hamming(*way).value for way in ways)

    assert direct <= first + second
    assert (first == 0.0) == (one == two)


@given(texts(), st.integers(1, 5))
def test_similarities_are_the_same_in_both_directions(marks, near):
    one, other = map(cut, marks)
    for measure in (un.boundary_similarity, un.segmentation_similarity):
        there, back = measure(one, other, near=near), measure(other, one, near=near)
        assert there.edits == back.edits
        assert there.value == back.value or there.undefined == back.undefined


@given(texts(), st.integers(1, 5))
def test_all_but_the_cost_lie_between_zero_and_one(marks, near):
    one, other = map(cut, marks)
    similar = un.boundary_similarity(one, other, near=near)
    for result in (un.pk(one, other), un.window_diff(one, other)):
        assert 0.0 <= result.value <= 1.0
    assert 0.0 <= un.segmentation_similarity(one, other, near=near).value <= 1.0
    assert similar.undefined or 0.0 <= similar.value <= 1.0
    assert un.pk(one, other).value <= un.window_diff(one, other).value


@given(texts())
def test_a_text_read_backwards_is_as_far_apart(marks):
    forwards, backwards = (list(map(cut, both)) for both in (marks, [m[::-1] for m in marks]))
    for measure in (un.pk, un.window_diff, un.generalized_hamming):
        assert measure(*forwards).value == measure(*backwards).value


@given(texts(n=4), st.permutations(["ann", "bob", "eve", "zoe"]))
def test_names_and_their_order_move_no_value(marks, names):
    plain = {str(i): cut(one) for i, one in enumerate(marks)}
    named = {name: cut(one) for name, one in zip(names, marks, strict=True)}
    for measure in (un.pk, un.window_diff, un.generalized_hamming, un.boundary_similarity):
        one, other = measure(plain), measure(named)
        assert one.value == other.value or one.undefined == other.undefined
        if one.kappa is not None and other.kappa is not None and not one.kappa.undefined:
            assert one.kappa.value == other.kappa.value


@given(st.lists(texts(n=3), min_size=1, max_size=3))
def test_chance_is_that_of_the_formula(documents):
    named = [dict(zip(("ann", "bob", "eve"), marks, strict=True)) for marks in documents]
    given_texts = {
        str(i): {name: cut(marks) for name, marks in text.items()} for i, text in enumerate(named)
    }
    measures = ((un.boundary_similarity, False), (un.segmentation_similarity, True))
    for measure, of_places in measures:
        result = measure(given_texts)
        for name in ("pi", "kappa"):
            ours = getattr(result, name)
            if not ours.undefined:
                expected = oracle.corrected(named, 2, of_places=of_places)[name]
                assert ours.value == pytest.approx(expected, rel=1e-10, abs=1e-12)
                assert ours.value == 1.0 - ours.observed / ours.expected


@given(texts(n=1))
def test_masses_positions_and_units_build_the_same(marks):
    masses = oracle.masses_of(marks[0])
    ends = [sum(masses[: i + 1]) for i in range(len(masses))]
    by_mass = un.Segmentation.from_masses(masses)
    spans = zip([0, *ends], ends, strict=False)
    units = un.Continuum.from_units([("ann", start + 7, end + 7) for start, end in spans])

    assert by_mass.masses.tolist() == masses
    assert un.Segmentation.from_positions(ends[:-1], length=ends[-1]) == by_mass
    assert un.Segmentation.from_continuum(units) == by_mass
    assert un.Segmentation.from_continuum(units, atom=1) == by_mass
