"""Results of documents that are computed on access."""

import pickle
from dataclasses import replace

import pytest

import unisono as un
from unisono.results import record
from unisono.results.record import OnDemand
from unisono.results.render import csv_text
from unisono.results.sheet import Sheet


class Squares:
    """Return a mapping of squares, and a list of the computed ones."""

    def __init__(self):
        self.made: list[str] = []
        self.all = OnDemand(map(str, range(9)), self.square)

    def square(self, name: str) -> int:
        self.made.append(name)
        return int(name) ** 2


@pytest.fixture
def corpus():
    return un.read("examples/corpus", seen_by="corpus")


def test_a_result_is_made_once_and_kept_while_there_are_few():
    squares = Squares()

    assert [squares.all["3"], squares.all["3"], squares.all["5"]] == [9, 9, 25]
    assert squares.made == ["3", "5"]


def test_of_many_results_none_is_kept(monkeypatch):
    monkeypatch.setattr(record, "_MAX_CACHED", 8)
    squares = Squares()

    assert [squares.all["3"], squares.all["3"]] == [9, 9]
    assert squares.made == ["3", "3"]


def test_names_are_known_without_computing_results():
    squares = Squares()

    assert (len(squares.all), "3" in squares.all, "x" in squares.all) == (9, True, False)
    assert repr(squares.all) == "OnDemand(9 results)"
    with pytest.raises(KeyError, match="x"):
        squares.all["x"]
    assert squares.made == []


def test_documents_of_a_corpus_are_the_results_of_the_documents_without_the_others(corpus):
    result = un.gamma(corpus, draws=30, rng=1)

    for name, document in result.documents.items():
        alone = un.gamma(corpus.only(documents=[name]), draws=30, rng=1)
        assert document.to_dict() == alone.documents[name].to_dict()
        assert document.alignment is not None


def test_columns_are_the_numbers_of_the_results(corpus):
    empty = un.Continuum.from_units([], annotators=("ann", "bob"))
    alone = un.Continuum.from_units([("ann", 0, 3, "A")])
    bare = un.Continuum.from_units([("ann", 0, 3), ("bob", 1, 3)])
    more = {**corpus, "empty": empty, "alone": alone, "bare": bare}
    result = un.gamma(corpus.with_continua(more), draws=30, rng=1)

    for lazy, plain in zip(
        result.sheet().tables,
        replace(result, documents=dict(result.documents)).sheet().tables,
        strict=True,
    ):
        one, other = (csv_text(Sheet(name="x", tables=(table,))) for table in (lazy, plain))
        assert one == other
        assert lazy.view(3).cells == plain.view(3).cells
        assert lazy.view(3).sentences == plain.view(3).sentences


def test_a_pickle_holds_the_results_themselves(corpus):
    result = un.gamma(corpus, draws=30, rng=1)
    again = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own

    assert again == result
    assert not isinstance(again.documents, OnDemand)
