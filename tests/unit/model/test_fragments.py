"""Fragments and attributes of units."""

import pickle

import pytest

import unisono as un
from unisono.errors import DataError
from unisono.model.interpretation import Interpretation

PIECES = ((0, 2), (4, 9))
VERB = un.Unit("ann", 0, 9, "verb", fragments=PIECES, attributes={"sure": True})
WHOLE = un.Unit("ann", 0, 9, "verb")


def test_a_unit_in_pieces_goes_from_the_first_start_to_the_last_end():
    assert (VERB.start, VERB.end, VERB.length, VERB.fragments) == (0, 9, 9, PIECES)
    assert VERB != WHOLE


@pytest.mark.parametrize(
    "pieces", [((0, 9),), ((0, 2), (4, 8)), ((4, 9), (0, 2)), ((0, 5), (4, 9)), ((1, 2), (4, 9))]
)
def test_pieces_that_do_not_fit_are_refused(pieces):
    with pytest.raises(
        DataError, match=r"a discontinuous unit must have two or more fragments, in"
    ):
        un.Unit("ann", 0, 9, fragments=pieces)
    with pytest.raises(TypeError, match=r"fragments must be pairs"):
        un.Unit("ann", 0, 9, fragments=(1, 2))  # type: ignore[arg-type]


def test_units_that_differ_in_attributes_only_are_equal():
    assert un.Unit("ann", 0, 9, attributes={"a": 1}) == un.Unit("ann", 0, 9)


def test_a_continuum_keeps_pieces_and_attributes_through_everything():
    text = un.Continuum.from_units([VERB, ("bob", 0, 9, "verb"), ("ann", 0, 3, "x")])
    same = [
        text,
        pickle.loads(pickle.dumps(text)),  # noqa: S301 (pickled by this test)
        text.only(labels=("verb",)),
        text.rename(labels={"x": "y"}),
        text.only(annotators=("ann",)),
    ]
    for each in same:
        found = next(unit for unit in each if unit.label == "verb")
        assert (found.fragments, dict(found.attributes)) == (PIECES, {"sure": True})
        assert each.unit(list(each).index(found)).fragments == PIECES


def test_pieces_are_in_the_digest_and_attributes_are_not():
    with_pieces = un.Continuum.from_units([un.Unit("ann", 0, 9, fragments=PIECES)])
    plain = un.Continuum.from_units([("ann", 0, 9)])
    described = un.Continuum.from_units([un.Unit("ann", 0, 9, attributes={"a": "b"})])
    assert with_pieces != plain
    assert described == plain


def test_the_digest_of_units_in_one_piece_is_as_it_was_before_there_were_pieces():
    text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("ann", 7, 9, "VP"), ("bob", 0, 4, "NP")])
    assert text.digest == ("e6aa40b86b567c11952d9ad5d357cdb8dd424d0937ac5413baec4bf06f64005c")


def test_the_order_of_rows_does_not_matter_for_units_that_differ_in_pieces():
    other = un.Unit("ann", 0, 9, "verb", fragments=((0, 3), (4, 9)))
    rows = [VERB, other, WHOLE]
    one, two = un.Continuum.from_units(rows), un.Continuum.from_units(rows[::-1])
    assert one == two
    assert [unit.fragments for unit in one] == [unit.fragments for unit in two]


def test_split_pieces_are_units_of_their_own():
    text = un.Continuum.from_units([VERB, ("bob", 0, 9, "verb")], extent=(0, 20))
    split = un.split_fragments(text)
    assert [(unit.annotator, unit.start, unit.end) for unit in split] == [
        ("ann", 0, 2),
        ("ann", 4, 9),
        ("bob", 0, 9),
    ]
    assert [unit.attributes.get("fragment") for unit in split] == [1, 2, None]
    assert split.extent == (0, 20)
    assert un.split_fragments(un.Corpus.from_continua({"talk": text}))["talk"] == split
    assert un.split_fragments(split) is split
    with pytest.raises(TypeError, match=r"takes a Continuum or a Corpus"):
        un.split_fragments([])  # type: ignore[call-overload]


def test_gamma_measures_the_whole_unless_pieces_are_split():
    text = un.Continuum.from_units([VERB, ("bob", 0, 9, "verb"), ("bob", 12, 14, "verb")])
    assert un.best_alignment(text).disorder < un.best_alignment(un.split_fragments(text)).disorder


def test_a_corpus_keeps_its_sources():
    text = un.Continuum.from_units([VERB])
    corpus = un.Corpus.from_continua({"talk": text}, interpretation=Interpretation(("/data",)))
    assert un.split_fragments(corpus).sources == ("/data",)
    assert pickle.loads(pickle.dumps(corpus)) == corpus  # noqa: S301 (pickled by this test)
