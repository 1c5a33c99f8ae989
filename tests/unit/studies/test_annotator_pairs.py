"""Pairwise agreement: γ of two annotators is that of `gamma` on their data alone."""

import json
import math
import pickle

import pytest

import unisono as un
from unisono.errors import DataError


def test_a_pair_has_the_gamma_of_the_two_alone():
    corpus = un.read("examples/corpus")
    found = un.pairwise_agreement(corpus, draws=10, rng=3)

    for pair, each in found.by_pair.items():
        seen = [name for name, text in corpus.items() if {*pair} <= {*text.annotators}]
        alone = corpus.only(documents=seen, annotators=pair)
        assert each == un.gamma(alone, draws=10, rng=3)
        # Documents with only one of them have no effect.
        assert each.value == un.gamma(corpus.only(annotators=pair), draws=10, rng=3).value
    assert list(found.by_pair) == [("ines", "jonas"), ("ines", "mika"), ("jonas", "mika")]


def test_the_mean_is_over_the_others():
    found = un.pairwise_agreement(un.read("examples/corpus"), draws=10, rng=3)
    values = [each.value for pair, each in found.by_pair.items() if "mika" in pair]

    assert found.means["mika"] == pytest.approx(sum(values) / 2)


def test_a_pair_counts_on_the_documents_that_both_saw_only():
    one = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 5, "A")])
    other = un.Continuum.from_units([("bob", 0, 5, "A"), ("cy", 0, 4, "A")])
    found = un.pairwise_agreement(
        un.Corpus.from_continua({"one": one, "other": other}), draws=5, rng=1
    )

    assert found.left_out_pairs == (("ann", "cy"),)
    assert found.by_pair["ann", "bob"].n_units == 2
    assert math.isnan(
        un.pairwise_agreement(
            un.Continuum.from_units([], annotators=["ann", "bob"]), draws=5, rng=1
        ).means["ann"]
    )


def test_progress_counts_pairs():
    calls = []
    un.pairwise_agreement(
        un.read("examples/corpus"), draws=5, rng=1, progress=lambda *at: calls.append(at)
    )

    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_one_annotator_makes_no_pair():
    with pytest.raises(DataError, match="at least two annotators; the data have 1 annotator"):
        un.pairwise_agreement(un.Continuum.from_units([("ann", 0, 5)]))
    with pytest.raises(TypeError, match="takes a Continuum or a Corpus, got str"):
        un.pairwise_agreement("corpus")  # type: ignore[arg-type]


def test_pairs_are_values_that_can_be_written():
    found = un.pairwise_agreement(un.read("examples/corpus"), draws=10, rng=3)
    record = json.loads(found.to_json())

    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own
    assert record["by_pair"][0]["annotators"] == ["ines", "jonas"]
    assert record["by_pair"][0]["value"] == found.by_pair["ines", "jonas"].value
    assert not {"documents", "draw_disorders"} & set(record["by_pair"][0])
    assert record["means"] == found.means
    assert str(found.signature).startswith("gamma_of_pairs|dissim:")
    assert "|seed:3|" in str(found.signature)
    assert f"|data:{un.read('examples/corpus').digest[:8]}|" in str(found.signature)
    assert found != 1
    assert hash(found)


def test_the_sheet_has_the_least_agreement_first():
    found = un.pairwise_agreement(un.read("examples/corpus"), draws=10, rng=3)
    pairs, means = found.sheet().tables

    values = [row[3].value for row in pairs.view().rows]
    assert values == sorted(each.value for each in found.by_pair.values())
    assert [row[0] for row in means.view().rows] == sorted(found.means, key=found.means.__getitem__)
    assert len(un.pairwise_agreement(two(), draws=5, rng=1).sheet().tables) == 1


def test_pairs_without_a_value_or_a_document_are_named():
    other = un.Continuum.from_units([("bob", 0, 5, "A"), ("cy", 0, 4, "A")])
    corpus = un.Corpus.from_continua({"one": two(), "other": other})
    found = un.pairwise_agreement(corpus, draws=5, rng=1)
    nothing = un.pairwise_agreement(
        un.Continuum.from_units([], annotators=["ann", "bob"]), draws=5, rng=1
    )

    assert found.sheet().notes == ("pairs without a document in common: ann – cy",)
    (sentence,) = nothing.sheet().tables[0].view().sentences
    assert sentence.startswith("ann – bob is undefined: ")


def two():
    return un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 5, "A")])
