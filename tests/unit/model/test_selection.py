"""Selections by names and patterns."""

from __future__ import annotations

import pickle

import pytest

import unisono as un
from unisono.model.selection import NamePatterns
from unisono.results import Interpretation, Question, Reading

NAMES = ("A1", "A2", "B1", "class", "a*c", "x,y")


def _chosen(value: object) -> list[str]:
    patterns = NamePatterns.parsed(value, "annotators")
    return [name for name in NAMES if name in patterns]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("A1", ["A1"]),
        ("A*", ["A1", "A2"]),
        ("?1", ["A1", "B1"]),
        ("A1, B1", ["A1", "B1"]),
        ("all but class", ["A1", "A2", "B1", "a*c", "x,y"]),
        ("all but A*, class", ["B1", "a*c", "x,y"]),
        ('"x,y"', ["x,y"]),
        (["x,y"], ["x,y"]),
        (["a*c"], ["a*c"]),
        (["all but A*"], ["B1", "class", "a*c", "x,y"]),
        (["all but A*", "class"], ["B1", "a*c", "x,y"]),
    ],
)
def test_names_patterns_and_all_but(value, expected):
    assert _chosen(value) == expected


def test_patterns_keep_their_meaning_when_pickled_and_written_again():
    patterns = NamePatterns.parsed("all but A*,class", "annotators")

    assert patterns.texts == ("all but A*", "class")
    copied = pickle.loads(pickle.dumps(patterns))  # noqa: S301
    assert [name in copied for name in NAMES] == [name in patterns for name in NAMES]


@pytest.mark.parametrize("value", ["", "A,,B", []])
def test_an_empty_selection_is_refused(value):
    with pytest.raises(un.SettingError, match="at least one name or pattern"):
        NamePatterns.parsed(value, "annotators")


def test_a_value_of_another_type_is_refused():
    with pytest.raises(TypeError, match="names or patterns"):
        NamePatterns.parsed(3, "annotators")


def test_reading_selects_like_only():
    whole = un.read("examples/corpus")

    read = un.read("examples/corpus", documents="m*", annotators="all but mika", labels=["person"])

    assert read == whole.only(documents=["market"], annotators=["ines", "jonas"], labels=["person"])
    assert read.interpretation is not None
    assert read.interpretation.selected == {
        "documents": ("m*",),
        "annotators": ("all but mika",),
        "labels": ("person",),
    }


def test_reading_ratings_selects_like_only():
    whole = un.read_ratings("examples/politeness.csv")

    read = un.read_ratings("examples/politeness.csv", annotators="a*,ben", labels="1,2")

    assert read == whole.only(annotators=["ada", "ben"], labels=[1, 2])


@pytest.mark.parametrize(
    ("keyword", "value", "message"),
    [
        ("annotators", "Ines", r"no annotator 'Ines' .* Did you mean 'ines'\?"),
        ("documents", "market1", r"no document 'market1' .* Did you mean 'market'\?"),
        ("labels", "Person", r"no label 'Person' .* Did you mean 'person'\?"),
        ("annotators", "z*", "no annotator 'z\\*'"),
        ("annotators", "all but *", "selects no annotator"),
    ],
)
def test_unknown_names_are_refused_with_a_suggestion(keyword, value, message):
    with pytest.raises(un.SettingError, match=message):
        un.read("examples/corpus", **{keyword: value})


def test_a_choice_of_annotators_answers_the_question_about_them():
    from unisono.model.selection import selected_part

    question = Question(
        "not-an-annotator",
        "class does not look like an annotator.",
        (Reading("keep it"), Reading("leave it out", {}, {"annotators": "all but class"})),
    )
    other = Question("rounds", "Two folders.", (Reading("they count together"),))
    corpus = un.read("examples/corpus").with_interpretation(
        Interpretation(questions=(question, other))
    )

    read = selected_part(corpus, {"annotators": "i*,j*", "documents": None})

    assert read.interpretation is not None
    assert [each.code for each in read.interpretation.open_questions] == ["rounds"]


def test_a_choice_of_annotators_answers_the_question_about_a_column_of_a_wide_table(tmp_path):
    scores = ["1,2,2", "3,3,3", "5,4,5", "2,2,1", "4,4,4", "1,1,2", "3,2,3", "5,5,4"] * 3
    rows = [f"{number},{'XYZ'[number % 3]},{score}" for number, score in enumerate(scores)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(["item,class,r1,r2,r3", *rows]))
    with pytest.raises(un.errors.AmbiguousInputError, match="class does not look like"):
        un.read_ratings(path, wide=True)

    ratings = un.read_ratings(path, wide=True, annotators="all but class")

    assert ratings.annotators == ("r1", "r2", "r3")
    assert ratings == un.read_ratings(path, wide=True, annotator_columns=("r1", "r2", "r3"))


def test_slices_and_lists_select_documents():
    corpus = un.read("examples/corpus")

    assert list(corpus[:2]) == list(corpus)[:2]
    assert list(corpus[-1:]) == list(corpus)[-1:]
    assert corpus[["market"]] == corpus.only(documents=["market"])
    assert corpus[:].interpretation == corpus.interpretation
    with pytest.raises(TypeError, match="sliced by position"):
        corpus["a":"m"]
