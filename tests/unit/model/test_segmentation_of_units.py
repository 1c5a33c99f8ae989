import pytest

from unisono.errors import DataError, SettingError
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.segmentation import Segmentation, segmentations


def units(*spans, annotator="ann", extent=None):
    rows = [(annotator, *span) for span in spans]
    return Continuum.from_units(rows, annotators=(annotator,), extent=extent)


def masses(continuum, **settings):
    return Segmentation.from_continuum(continuum, **settings).masses.tolist()


def test_units_that_follow_one_another_are_segments():
    assert masses(units((0, 2, "a"), (2, 5, "a"), (5, 11, "b"))) == [2, 3, 6]


def test_atoms_are_counted_from_the_start_of_the_extent():
    assert masses(units((100, 102), (102, 105))) == [2, 3]


def test_a_unit_without_length_is_not_a_segment():
    assert masses(units((0, 0), (0, 2), (2, 2), (2, 5), (5, 5))) == [2, 3]
    assert masses(units((0, 2), (2, 5), (4, 4))) == [2, 3]


def test_fractions_of_a_computer_are_no_gap():
    assert masses(units((0, 3 * 0.1 * 10), (3, 5))) == [3, 2]


@pytest.mark.parametrize(("atom", "expected"), [(0.5, [5, 13]), (1, [2, 7]), (2.0, [1, 4])])
def test_boundaries_are_rounded_to_atoms(atom, expected):
    assert masses(units((0, 2.4), (2.4, 9)), atom=atom) == expected


def test_halves_are_rounded_up():
    assert masses(units((0, 2.5), (2.5, 9)), atom=1) == [3, 6]


def test_boundaries_that_meet_are_counted():
    cut = Segmentation.from_continuum(
        units((0, 0.2), (0.2, 2.9), (2.9, 3.1), (3.1, 8.9), (8.9, 9)), atom=1
    )

    assert cut.masses.tolist() == [3, 6]
    assert cut.merged == 3
    assert cut == Segmentation.from_masses([3, 6])


def test_with_an_atom_gaps_and_overlaps_of_half_of_it_are_none():
    assert masses(units((0.1, 2.1), (2.3, 5), (4.8, 8.6), extent=(0, 9)), atom=1) == [2, 3, 4]


def test_gaps_can_be_segments():
    gappy = units((1, 3), (5, 8), extent=(0, 10))

    assert masses(gappy, gaps="segments") == [1, 2, 2, 3, 2]


def test_who_marked_nothing_left_one_gap():
    assert masses(units(extent=(0, 10)), gaps="segments") == [10]


@pytest.mark.parametrize(
    ("continuum", "said"),
    [
        (units((0, 3), (5, 8)), "'ann' has a gap from 3 to 5.*gaps='segments'.*gamma"),
        (units((1, 8), extent=(0, 8)), "a gap from 0 to 1"),
        (units((0, 7), extent=(0, 8)), "from 0 to 8; 'ann' has a gap from 7 to 8"),
        (units(extent=(0, 8)), "a gap from 0 to 8"),
        (units((0, 3), (2, 8)), "the units 0–3 and 2–8 of 'ann' do"),
        (units((0, 8), (1, 2), (3, 4)), "0–8 and 1–2 of 'ann' do"),
        (units((0, 2.5), (2.5, 8)), "one at 2.5, inside an atom.*atom=…"),
        (units((0, 2), (2, 7.5)), "from 0 to 7.5 is not a whole number of atoms.*atom=…"),
        (units((3, 3)), "a document of length 0 cannot be segmented"),
    ],
)
def test_what_is_not_a_segmentation_is_refused_with_its_place(continuum, said):
    with pytest.raises(DataError, match=said):
        Segmentation.from_continuum(continuum)


def test_more_atoms_than_can_be_counted_are_refused():
    with pytest.raises(DataError, match="atoms are too many; increase their length"):
        Segmentation.from_continuum(units((0, 9e15)), atom=1e-3)


def test_an_atom_longer_than_the_text_is_refused():
    with pytest.raises(DataError, match="shorter than half an atom of length 30"):
        Segmentation.from_continuum(units((0, 8)), atom=30)


def test_one_of_several_annotators_must_be_named():
    talk = Continuum.from_units([("ann", 0, 4), ("bob", 0, 4)])

    with pytest.raises(DataError, match=r"choose one of 'ann', 'bob'.*segmentations\(\)"):
        Segmentation.from_continuum(talk)
    with pytest.raises(DataError, match="no annotator 'eve'; the annotators are 'ann', 'bob'"):
        Segmentation.from_continuum(talk, "eve")
    assert Segmentation.from_continuum(talk, "bob").length == 4


@pytest.mark.parametrize("atom", [0, -1, float("nan"), float("inf")])
def test_an_atom_has_a_length(atom):
    with pytest.raises(SettingError, match="above 0"):
        Segmentation.from_continuum(units((0, 4)), atom=atom)


@pytest.mark.parametrize("atom", ["1", True])
def test_the_length_of_an_atom_is_a_number(atom):
    with pytest.raises(TypeError, match="atom must be a number"):
        Segmentation.from_continuum(units((0, 4)), atom=atom)


def test_an_unknown_way_with_gaps_is_refused():
    with pytest.raises(SettingError, match="gaps='drop'; choose one of 'raise', 'segments'"):
        Segmentation.from_continuum(units((0, 4)), gaps="drop")  # type: ignore[arg-type]


def test_segmentations_are_those_of_all_annotators():
    talk = Continuum.from_units([("bob", 0, 4), ("bob", 4, 9), ("ann", 0, 9)])
    corpus = Corpus.from_continua({"talk": talk})

    assert list(segmentations(talk)) == ["ann", "bob"]
    assert segmentations(corpus) == {"talk": segmentations(talk)}


def test_the_document_that_is_not_a_segmentation_is_named():
    corpus = Corpus.from_continua({"fine": units((0, 4)), "torn": units((0, 4), (6, 9))})

    with pytest.raises(DataError, match="document 'torn': segments must cover the whole document"):
        segmentations(corpus)


def test_segmentations_are_made_of_annotations_only():
    with pytest.raises(TypeError, match="a Continuum or a Corpus, got list"):
        segmentations([2, 3])  # type: ignore[call-overload]
