"""Alphas for unitizing, pooled over documents."""

from __future__ import annotations

import pytest

import unisono as un
from unisono.errors import DataError

FIRST = un.Continuum.from_units(
    [("ann", 0, 5, "a"), ("ann", 7, 9, "b"), ("bob", 0, 4, "a"), ("bob", 7, 9, "a")],
    extent=(0, 12),
)
SECOND = un.Continuum.from_units(
    [("ann", 1, 3, "b"), ("bob", 2, 6, "b"), ("eve", 2, 5, "a")], extent=(0, 8)
)
LONE = un.Continuum.from_units([("ann", 0, 5, "a")], extent=(0, 50))


def shifted(continuum, by):
    return [(u.annotator, u.start + by, u.end + by, u.label) for u in continuum]


@pytest.mark.parametrize("generation", ["2016", "1995"])
def test_documents_pool_like_one_long_text(generation):
    """For 2016 and 1995 it is irrelevant that the cut also splits an adjacent gap."""
    corpus = un.Corpus.from_continua({"1": FIRST, "2": FIRST})
    long = un.Continuum.from_units([*FIRST, *shifted(FIRST, 12)], extent=(0, 24))
    pooled = un.unitizing_alpha(corpus, generation=generation)
    alone = un.unitizing_alpha(long, generation=generation)
    if generation == "2016":
        assert pooled.u_alpha.value == pytest.approx(alone.u_alpha.value)
        assert pooled.u_alpha_coding.value == pytest.approx(alone.u_alpha_coding.value)
    assert pooled.u_alpha.observed == pytest.approx(alone.u_alpha.observed)


def test_a_document_with_one_annotator_is_left_out_and_named():
    corpus = un.Corpus.from_continua({"both": FIRST, "lone": LONE})
    result = un.unitizing_alpha(corpus)
    assert result.u_alpha.value == un.unitizing_alpha(FIRST).u_alpha.value
    assert result.left_out_documents == ("lone",)
    assert (result.n_documents, result.length) == (1, 12.0)
    assert "two annotators" in str(result.documents["lone"].u_alpha.undefined)


def test_documents_without_units_agree_on_their_gaps():
    empty = un.Continuum.from_units([], annotators=("ann", "bob"), extent=(0, 100))
    more = un.unitizing_alpha(un.Corpus.from_continua({"1": FIRST, "2": empty}))
    assert more.u_alpha.observed < un.unitizing_alpha(FIRST).u_alpha.observed
    assert more.u_alpha_coding.value == un.unitizing_alpha(FIRST).u_alpha_coding.value


def test_a_document_alone_is_what_it_is_in_a_corpus():
    corpus = un.Corpus.from_continua({"1": FIRST, "2": SECOND})
    documents = un.unitizing_alpha(corpus).documents
    alone = un.unitizing_alpha(SECOND)
    assert documents["2"] == alone
    assert list(documents["2"].u_alpha_k) == ["a", "b"]


def test_an_overlap_names_its_document_and_how_many_more_have_one():
    bad = un.Continuum.from_units([("ann", 0, 5, "a"), ("ann", 3, 9, "b"), ("bob", 0, 1, "a")])
    corpus = un.Corpus.from_continua({"1": FIRST, "2": bad, "3": bad})
    with pytest.raises(DataError) as caught:
        un.unitizing_alpha(corpus)
    assert str(caught.value).startswith(
        "document '2': 'ann' has units that overlap: [0, 5] 'a' and [3, 9] 'b'; "
    )
    assert str(caught.value).endswith("(and 1 more document with overlap)")


def test_ordinal_ranks_are_those_of_the_whole_corpus():
    corpus = un.Corpus.from_continua({"1": FIRST, "2": SECOND}).rename(labels={"a": 1, "b": 5})
    nominal = un.unitizing_alpha(corpus).documents
    ordinal = un.unitizing_alpha(corpus, distance="ordinal").documents
    # With two labels every distance is proportional to the nominal one, equally in all documents.
    sizes = {
        name: ordinal[name].u_alpha_coding.observed / nominal[name].u_alpha_coding.observed
        for name in corpus
    }
    assert sizes["1"] == pytest.approx(sizes["2"])


def test_the_signature_of_a_document_tells_that_ranks_are_those_of_the_corpus():
    corpus = un.Corpus.from_continua({"1": FIRST, "2": SECOND}).rename(labels={"a": 1, "b": 5})
    inside = un.unitizing_alpha(corpus, distance="ordinal").documents["1"].u_alpha_coding
    alone = un.unitizing_alpha(corpus["1"], distance="ordinal").u_alpha_coding
    assert inside.expected != alone.expected
    assert inside.signature["ranks"] == corpus.digest[:8]
    assert "ranks" not in str(alone.signature)
