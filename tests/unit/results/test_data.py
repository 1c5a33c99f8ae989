"""Results state who was compared; data frames are accepted; values compare like numbers."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import every_result
import json_schema
import unisono as un
from unisono.results import Interpretation, Question, Reading
from unisono.results.data import OfData
from unisono.results.record import Record
from unisono.results.render import Sheeted

TEXT = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 4, "A"), ("bob", 6, 9, "B")])
FEW: dict[str, Any] = {"draws": 12, "rng": 1}
_SIMULATED = {"ReliabilityStudy", "ShuffledContinuum", "ShuffledCorpus", "Reproduction"}
QUESTION = Question("rounds", "Two folders.", (Reading("they count together"), Reading("no")))


@pytest.mark.parametrize("kind", sorted(every_result.RESULTS.keys() - _SIMULATED))
def test_the_sheet_of_every_result_says_who_was_compared(kind):
    for result in every_result.RESULTS[kind](every_result.PLAIN):
        if getattr(result, "data", None) is None:  # made without data, for tests of outputs
            continue
        first = result.sheet().facts[0]
        assert (first.column.name, first.value) == ("data", str(result.data))
        assert f"compared: {result.data}" in result.to_markdown()
        assert result.to_dict()["data"]["text"] == str(result.data)
        assert "interpretation" in result.to_dict()
        assert pickle.loads(pickle.dumps(result)).data == result.data  # noqa: S301


def test_most_results_have_data():
    kinds = every_result.RESULTS.keys() - _SIMULATED
    assert {
        kind
        for kind in kinds
        if all(
            getattr(each, "data", None) is None
            for each in every_result.RESULTS[kind](every_result.PLAIN)
        )
    } <= {"MatchScores"}


def test_parts_of_a_result_do_not_repeat_the_data():
    table = un.measure_items(un.Ratings.from_matrix({"ann": list("aab"), "bob": list("abb")}))

    found = table.to_dict()

    assert found["data"]["annotators"] == ["ann", "bob"]
    assert not any("data" in each for each in found["measures"].values())
    assert table["cohen_kappa"].data == table.data


def test_documents_do_not_repeat_the_data():
    corpus = un.Corpus.from_continua({"one": TEXT, "two": TEXT})
    found = json.loads(un.gamma(corpus, **FEW).to_json())

    assert found["data"]["n_documents"] == 2
    assert "data" not in found["documents"]["one"]


def test_the_label_source_is_that_of_the_record():
    result = un.gamma(pd.DataFrame(_rows(), columns=["coder", "from", "to", "type"]), **FEW)

    assert str(result.data) == '2 annotators (ann, bob), 1 document, label from column "type"'


def test_a_question_that_was_kept_is_a_note():
    corpus = un.Corpus.from_continua(
        {"one": TEXT}, interpretation=Interpretation(questions=(QUESTION,))
    )

    notes = un.gamma(corpus, **FEW).sheet().notes
    answered = corpus.with_interpretation(
        Interpretation(questions=(QUESTION,), accepted=("rounds",))
    )

    assert any("question rounds" in note and "they count together" in note for note in notes)
    assert not any("rounds" in note for note in un.gamma(answered, **FEW).sheet().notes)


def test_the_record_is_not_part_of_equality():
    corpus = un.Corpus.from_continua({"one": TEXT}, interpretation=Interpretation())

    assert un.gamma(corpus, **FEW) == un.gamma(corpus.with_interpretation(None), **FEW)


def test_names_in_one_corpus_are_those_compared():
    corpus = un.Corpus.from_continua({"one": TEXT})
    result = un.compare("ann", "bob", within=corpus, with_gamma=False)

    assert result.data is not None
    assert result.data.annotators == ("ann", "bob")


def _rows():
    return [(unit.annotator, unit.start, unit.end, unit.label) for unit in TEXT]


@pytest.mark.parametrize("library", [pd, pl])
def test_dataframes_of_units_are_read_like_files(library):
    columns = dict(
        zip(
            ("coder", "begin", "end", "category"),
            map(list, zip(*_rows(), strict=True)),
            strict=True,
        )
    )
    frame = library.DataFrame(
        {"clip": ["one"] * len(TEXT), **columns, "comment": "x"}
        if library is pd
        else {"clip": ["one"] * len(TEXT), **columns}
    )
    corpus = un.Corpus.from_continua({"one": TEXT})

    assert un.gamma(frame, **FEW) == un.gamma(corpus, **FEW)
    assert un.measure_units(frame, **FEW)["gamma"].value == un.gamma(corpus, **FEW).value
    assert un.describe(frame).n_units == 3


def test_columns_without_a_role_are_listed():
    frame = pd.DataFrame(_rows(), columns=["annotator", "start", "end", "label"])
    frame["comment"] = "x"

    record = un.describe(frame).interpretation

    assert [each.name for each in record.ignored] == ["comment"]


@pytest.mark.parametrize("library", [pd, pl])
def test_dataframes_of_ratings_are_read_like_files(library):
    ratings = un.Ratings.from_columns(list("aabb"), [1, 2, 1, 2], [1, 2, 1, 1])
    frame = library.DataFrame({"rater": list("aabb"), "item": [1, 2, 1, 2], "score": [1, 2, 1, 1]})

    for function in (un.krippendorff_alpha, un.cohen_kappa, un.measure_items):
        assert str(function(frame)) == str(function(ratings))
    assert (
        un.bootstrap(frame, "alpha", resamples=10, rng=1).value
        == un.krippendorff_alpha(ratings).value
    )


@pytest.mark.parametrize(
    ("function", "constructor"),
    [
        (un.gamma, "Corpus.from_frame"),
        (un.measure_units, "Corpus.from_frame"),
        (un.krippendorff_alpha, "Ratings.from_matrix"),
        (un.measure_items, "Ratings.from_frame"),
    ],
)
def test_other_dataframes_are_refused_with_the_constructor(function, constructor):
    frame = pd.DataFrame({"who": ["ann"], "what": ["x"]})

    with pytest.raises(un.DataError, match=constructor) as caught:
        function(frame)

    assert "'who', 'what'" in str(caught.value)


@pytest.mark.parametrize("library", [pd, pl])
def test_wide_dataframes_have_a_constructor(library):
    frame = library.DataFrame({"item": ["s1", "s2"], "ann": ["a", "b"], "bob": ["a", None]})
    expected = un.Ratings.from_columns(["ann", "ann", "bob"], ["s1", "s2", "s1"], ["a", "b", "a"])

    assert un.Ratings.from_matrix(frame, items="item") == expected
    assert un.Ratings.from_matrix(frame, items="item", annotators=["ann"]) == expected.only(
        annotators=["ann"]
    )
    with pytest.raises(un.DataError, match="no column 'id' for items="):
        un.Ratings.from_matrix(frame, items="id")


def test_results_compare_round_and_subtract_like_numbers():
    one = un.gamma(TEXT, **FEW)
    other = un.gamma(TEXT.only(labels=["A"]), **FEW)

    assert (one < other) == (one.value < other.value)
    assert (one >= 0.3) == (one.value >= 0.3)
    assert round(one, 2) == round(one.value, 2)
    assert one - other == one.value - other.value
    assert 1 - one == 1 - one.value
    assert np.float64(1) - one == 1 - one.value
    assert max([one, other], key=float) is max(one, other)
    with pytest.raises(TypeError, match="not supported"):
        _ = one < "high"


def test_every_class_of_results_has_data_unless_it_has_none():
    def below(kind):
        return {kind, *(each for one in kind.__subclasses__() for each in below(one))}

    json_schema.loaded()
    others = {each.__name__ for each in below(Record) if issubclass(each, Sheeted)} - {
        each.__name__ for each in below(OfData)
    }
    assert others == _SIMULATED


def test_every_class_of_results_of_data_describes_its_sheet():
    def below(kind):
        return [kind, *(each for one in kind.__subclasses__() for each in below(one))]

    for kind in below(OfData):
        if "sheet" in vars(kind):
            assert hasattr(vars(kind)["sheet"], "__wrapped__"), kind


def test_dataframes_can_be_compared_with_a_reference():
    names = ["document", "annotator", "start", "end", "label"]
    rows = [("one", *row) for row in _rows()]
    gold = pd.DataFrame([row for row in rows if row[1] == "ann"], columns=names)
    system = pd.DataFrame([row for row in rows if row[1] == "bob"], columns=names)
    corpus = un.Corpus.from_continua({"one": TEXT})

    found = un.compare(gold, system, with_gamma=False)
    expected = un.compare("ann", "bob", within=corpus, with_gamma=False)

    assert found.exact.value == expected.exact.value
    assert str(found.data) == '2 annotators (ann, bob), 1 document, label from column "label"'
