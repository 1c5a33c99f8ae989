import pickle

import numpy as np
import pytest

from unisono.errors import DataError
from unisono.model.segmentation import Segmentation


def test_masses_and_positions_give_the_same():
    by_mass = Segmentation.from_masses([2, 3, 6])
    by_place = Segmentation.from_positions([5, 2], length=11)

    assert by_mass == by_place
    assert hash(by_mass) == hash(by_place)
    assert by_mass.boundaries.tolist() == [2, 5]
    assert by_mass.masses.tolist() == [2, 3, 6]
    assert (by_mass.length, by_mass.n_segments, by_mass.merged) == (11, 3, 0)


def test_a_text_in_one_piece_has_no_boundary():
    whole = Segmentation.from_masses([11])

    assert whole == Segmentation.from_positions([], length=11)
    assert whole.masses.tolist() == [11]
    assert repr(whole) == "Segmentation(1 segment, 11 atoms)"


@pytest.mark.parametrize("other", [[3, 2, 6], [2, 3, 5], [5, 6]])
def test_other_masses_are_another_segmentation(other):
    assert Segmentation.from_masses([2, 3, 6]) != Segmentation.from_masses(other)


def test_a_segmentation_equals_nothing_else():
    assert Segmentation.from_masses([2, 3]) != [2, 3]


def test_arrays_of_any_whole_type_are_taken():
    for kind in (np.int8, np.uint16, np.uint64):
        masses = np.array([2, 3, 6], dtype=kind)
        assert Segmentation.from_masses(masses) == Segmentation.from_masses([2, 3, 6])


def test_boundaries_cannot_be_changed():
    segments = Segmentation.from_masses([2, 3, 6])

    with pytest.raises(ValueError, match="read-only"):
        segments.boundaries[0] = 1
    with pytest.raises(AttributeError):
        segments.length = 12  # type: ignore[misc]


def test_a_change_of_the_given_array_changes_nothing():
    places = np.array([2, 5])
    segments = Segmentation.from_positions(places, length=11)
    places[0] = 1

    assert segments.boundaries.tolist() == [2, 5]


def test_a_pickle_is_the_same_and_stays_read_only():
    segments = Segmentation.from_masses([2, 3, 6])
    again = pickle.loads(pickle.dumps(segments))  # noqa: S301 - pickled by this test

    assert again == segments
    assert not again.boundaries.flags.writeable


def test_the_constructor_names_those_that_build():
    with pytest.raises(TypeError, match="from_masses, from_positions or from_continuum"):
        Segmentation()


@pytest.mark.parametrize(
    ("masses", "said"),
    [
        ([], "a text needs at least one segment"),
        ([2, 0, 3], "a segment needs at least 1 atom; segment 2 has 0"),
        ([2, -3], "segment 2 has -3"),
        ([2**60, 2**60], "a text has at most"),
    ],
)
def test_masses_that_no_text_has_are_refused(masses, said):
    with pytest.raises(DataError, match=said):
        Segmentation.from_masses(masses)


@pytest.mark.parametrize(
    "masses", ["236", 7, [2.5, 3], ["a"], [True, 2.0], [[2, 3], [4, 5]], [[2], 3]]
)
def test_masses_that_are_no_whole_numbers_are_of_the_wrong_type(masses):
    with pytest.raises(TypeError, match="whole number"):
        Segmentation.from_masses(masses)


@pytest.mark.parametrize(
    ("positions", "length", "said"),
    [
        ([0], 11, "in a text of 11 atoms must be from 1 to 10; got 0"),
        ([3, 11], 11, "from 1 to 10; got 11"),
        ([-4], 11, "got -4"),
        ([2**63], 11, "must be from 1 to 10"),
        ([1], 1, "a text of 1 atom cannot have a boundary"),
        ([2, 5, 2], 11, "boundaries must be distinct; 2 is repeated"),
        ([], 0, "the length of a text must be from 1 to .* atoms; got 0"),
    ],
)
def test_boundaries_outside_the_text_are_refused(positions, length, said):
    with pytest.raises(DataError, match=said):
        Segmentation.from_positions(positions, length=length)


@pytest.mark.parametrize("length", [11.0, "11", True, None])
def test_a_length_is_a_whole_number(length):
    with pytest.raises(TypeError, match="a whole number of atoms"):
        Segmentation.from_positions([2], length=length)
