"""Discretisation of continua into atoms."""

from __future__ import annotations

import numpy as np
import pytest

import unisono as un
from unisono.errors import DataError, SettingError


def text(*annotators, extent=None):
    names = [f"a{i}" for i in range(len(annotators))]
    rows = [(name, *unit) for name, units in zip(names, annotators, strict=True) for unit in units]
    return un.Continuum.from_units(rows, annotators=names, extent=extent)


def atoms(ratings):
    """Return the labels of each annotator, one per atom."""
    every = np.repeat(ratings.matrix(), ratings.times, axis=0)
    return [[ratings.labels[code] for code in column] for column in every.T]


def test_every_place_has_a_label_of_every_annotator():
    ratings = un.Ratings.from_continuum(
        text([(1, 3, "x")], [(0, 2, "y"), (2, 3, "x")], extent=(0, 5))
    )
    assert atoms(ratings) == [["", "x", "x", "", ""], ["y", "y", "x", "", ""]]
    assert ratings.items is None


def test_an_atom_has_the_label_of_most_of_it():
    cut = text([(0, 1.4, "x"), (1.4, 2.6, "y"), (3.2, 3.6, "x"), (4.3, 5, "x")], extent=(0, 5))
    assert atoms(un.Ratings.from_continuum(cut)) == [["x", "y", "y", "", "x"]]


def test_parts_of_the_same_label_add_up():
    cut = text([(0, 0.3, "x"), (0.3, 0.7, "y"), (0.7, 1, "x")])
    assert atoms(un.Ratings.from_continuum(cut)) == [["x"]]


def test_of_equal_parts_the_first_unit_is_taken_and_a_unit_before_a_gap():
    assert atoms(un.Ratings.from_continuum(text([(0, 0.5, "y"), (0.5, 1, "x")]))) == [["y"]]
    assert atoms(un.Ratings.from_continuum(text([(0.5, 1, "x")], extent=(0, 1)))) == [["x"]]


def test_the_last_atom_may_be_shorter():
    cut = text([(2, 2.3, "x")], extent=(0, 2.4))
    assert atoms(un.Ratings.from_continuum(cut)) == [["", "", "x"]]
    assert atoms(un.Ratings.from_continuum(cut, atom=0.8)) == [["", "", ""]]


def test_atoms_begin_where_the_document_does():
    cut = text([(10.5, 12.5, "x")], extent=(10.5, 13.5))
    assert atoms(un.Ratings.from_continuum(cut)) == [["x", "x", ""]]


def test_fractions_of_a_computer_move_no_atom():
    # In floating point, 0.3 / 0.1 is 2.9999999999999996.
    ratings = un.Ratings.from_continuum(text([(0.3, 0.7, "x")], extent=(0, 1)), atom=0.1)
    assert atoms(ratings) == [[""] * 3 + ["x"] * 4 + [""] * 3]


def test_boundaries_of_words_are_atoms_of_their_own_length():
    words = [0, 4, 7, 15, 20]
    ratings = un.Ratings.from_continuum(text([(0, 6, "x"), (12, 20, "y")]), boundaries=words)
    assert atoms(ratings) == [["x", "x", "", "y"]]


def test_the_work_grows_with_units_not_with_atoms():
    hour = text([(1.0, 1800.5, "x")], [(0.5, 1900, "x")], extent=(0, 3600))
    ratings = un.Ratings.from_continuum(hour, atom=1e-6)
    assert ratings.n_items == 3_600_000_000
    assert len(ratings.times) == 5


def test_units_without_a_label_are_units():
    ratings = un.Ratings.from_continuum(text([(0, 2)], [(1, 3)]))
    assert atoms(ratings) == [["unit", "unit", ""], ["", "unit", "unit"]]


def test_gaps_may_have_a_label_of_your_choice():
    ratings = un.Ratings.from_continuum(text([(0, 2, 1)], [(1, 3, 2)]), blank=0)
    assert ratings.labels == (0, 1, 2)
    # Atoms (1, 0), (1, 2), (0, 2): observed 6/3, expected 48/30.
    assert un.krippendorff_alpha(ratings, distance="interval").value == pytest.approx(-0.25)


def test_documents_of_a_corpus_keep_to_their_own_annotators():
    corpus = un.Corpus.from_continua(
        {
            "1": un.Continuum.from_units([("ann", 0, 2, "x"), ("bob", 0, 1, "x")]),
            "2": un.Continuum.from_units([("bob", 0, 1, "y"), ("eve", 0, 1, "x")]),
        }
    )
    ratings = un.Ratings.from_continuum(corpus)
    assert ratings.annotators == ("ann", "bob", "eve")
    assert ratings.matrix().tolist() == [[1, 1, -1], [1, 0, -1], [-1, 2, 1]]
    cut = un.Ratings.from_continuum(corpus, boundaries={"1": [0, 2], "2": [0, 0.5, 1]})
    assert (cut.n_items, cut.times.tolist()) == (3, [1, 2])


def test_units_that_overlap_are_refused_or_split():
    crossing = text([(0, 3, "x"), (2, 5, "y")])
    with pytest.raises(DataError, match=r"overlap: \[0, 3\] 'x' and \[2, 5\] 'y'"):
        un.Ratings.from_continuum(crossing)
    assert atoms(un.Ratings.from_continuum(crossing, overlap="split")) == [
        ["x", "x", frozenset("xy"), "y", "y"]
    ]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"atom": 0}, "atom must be a finite number above 0, got 0"),
        ({"atom": float("nan")}, "atom must be a finite number above 0"),
        ({"atom": 1, "boundaries": [0, 9]}, "atom= and boundaries= cannot be combined"),
        ({"boundaries": [0]}, "boundaries must be two or more finite positions"),
        ({"boundaries": [0, 5, 3, 9]}, "boundaries must increase; 3 comes after 5"),
        ({"overlap": "cut"}, "unknown overlap='cut'"),
    ],
)
def test_settings_that_no_data_can_make_right_are_refused(settings, problem):
    with pytest.raises(SettingError) as caught:
        un.Ratings.from_continuum(text([(0, 9, "x")]), **settings)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"atom": "1"}, "of type str"),
        ({"boundaries": "abc"}, "boundaries must be a list of positions"),
        ({"boundaries": {"1": [0, 9]}}, "boundaries of one document must be a list of positions"),
    ],
)
def test_settings_of_the_wrong_type_are_refused(settings, problem):
    with pytest.raises(TypeError, match=problem):
        un.Ratings.from_continuum(text([(0, 9, "x")]), **settings)
    with pytest.raises(TypeError, match="a Continuum or a Corpus, got list"):
        un.Ratings.from_continuum([])  # type: ignore[arg-type]


def test_data_that_do_not_fit_are_refused():
    data = text([(0, 9, "x"), (9, 10, None)])
    with pytest.raises(DataError, match=r"from 2 to 10; 'a0' has \[0, 9\]"):
        un.Ratings.from_continuum(data, boundaries=[2, 10])
    with pytest.raises(DataError, match="'x' is the label of units; choose another one for blank="):
        un.Ratings.from_continuum(data, blank="x")
    with pytest.raises(DataError, match="'unit' is the label of units"):
        un.Ratings.from_continuum(data, blank="unit")
    with pytest.raises(DataError, match="rename that label first"):
        un.Ratings.from_continuum(data.rename(labels={"x": "unit"}))
    with pytest.raises(DataError, match="atoms of length 1e-18 are too many"):
        un.Ratings.from_continuum(data, atom=1e-18)


def test_boundaries_of_a_corpus_are_those_of_every_document():
    corpus = un.Corpus.from_continua({"1": text([(0, 2, "x")]), "2": text([(0, 2, "x")])})
    with pytest.raises(DataError, match="they are missing for '2'"):
        un.Ratings.from_continuum(corpus, boundaries={"1": [0, 2]})
    with pytest.raises(DataError, match=r"^document '2': all units must lie within the boundaries"):
        un.Ratings.from_continuum(corpus, boundaries={"1": [0, 2], "2": [0, 1]})
    with pytest.raises(TypeError, match="a mapping from document to positions"):
        un.Ratings.from_continuum(corpus, boundaries=[0, 2])


def test_a_text_of_no_length_has_no_atoms():
    assert un.Ratings.from_continuum(text([], [])).n_items == 0
    assert un.Ratings.from_continuum(un.Corpus.from_continua({})).n_items == 0
