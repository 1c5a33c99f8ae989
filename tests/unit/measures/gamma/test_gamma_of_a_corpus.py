"""γ, γcat and γk of a corpus: pooled over its documents, and each document on its own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import oracle
import unisono as un
from draw_source import corpus_source
from sample_texts import CORPUS, DRAWS, MEASURED, TEXT, reason_of, scores_of, text
from unisono.measures.gamma.gamma import gamma_values
from unisono.model.interpretation import Interpretation, Remark

if TYPE_CHECKING:
    from unisono.measures.gamma.chance import DrawScores


def column(scores: DrawScores, continuum: un.Continuum, label: Any) -> tuple[np.ndarray, ...]:
    """The sums of draws over the pairs of a label (`...`: over all), 0 where it is unknown."""
    if label is ...:
        return scores.label_disorder, scores.label_weight
    if label not in continuum.labels:
        return np.zeros(DRAWS), np.zeros(DRAWS)
    at = continuum.labels.index(label)
    return scores.label_disorder_of[:, at], scores.label_weight_of[:, at]


# Pooling


def test_gamma_of_a_corpus_is_pooled_over_its_documents():
    result = un.gamma(CORPUS, draws=DRAWS, rng=7)
    observed, draws = 0.0, np.zeros(DRAWS)
    for name in MEASURED:
        document = CORPUS[name]
        mean_units = len(document) / len(document.annotators)
        observed += mean_units * un.best_alignment(document).disorder
        draws += mean_units * scores_of(document, 7, name=name).disorders
    assert result.value == pytest.approx(1 - observed / draws.mean(), rel=1e-12)
    assert result.draw_disorders / draws == pytest.approx(result.observed / observed, rel=1e-12)


@pytest.mark.parametrize("label", [..., "A", "B", "C", "D"])
def test_gamma_cat_and_gamma_k_of_a_corpus_are_ratios_of_sums(label):
    result = un.gamma(CORPUS, draws=DRAWS, rng=7)
    found = result.gamma_cat if label is ... else result.gamma_k[label]
    disorder = weight = 0.0
    draws = np.zeros((2, DRAWS))
    for name in MEASURED:
        document, sets = CORPUS[name], oracle.sets_of(CORPUS[name])
        groups = [tuple(map(int, group)) for group in un.best_alignment(document).indices]
        more, heavier = oracle.categorical_sums(groups, sets, oracle.Rules(), label)
        disorder, weight = disorder + more, weight + heavier
        draws += column(scores_of(document, 7, name=name), document, label)
    assert found.weight == pytest.approx(weight, rel=1e-12)
    assert found.observed == pytest.approx(disorder / weight, rel=1e-12)
    comparable = draws[1] > 0.0
    expected = (draws[0][comparable] / draws[1][comparable]).mean()
    assert found.expected == pytest.approx(expected, rel=1e-12)
    assert found.n_left_out == int((~comparable).sum())


@pytest.mark.parametrize("name", list(CORPUS))
def test_a_document_is_measured_as_it_would_be_without_the_others(name):
    whole = un.gamma(CORPUS, draws=DRAWS, rng=7)
    alone = un.gamma(CORPUS.only(documents=[name]), draws=DRAWS, rng=7)
    assert whole.documents[name] == alone.documents[name]


def test_a_corpus_has_the_documents_and_no_alignment_of_its_own():
    result = un.gamma(CORPUS, draws=DRAWS, rng=7)
    assert list(result.documents) == list(CORPUS)
    assert result.alignment is None
    assert (result.n_annotators, result.n_units) == (3, CORPUS.n_units)
    assert result.signature["data"] == CORPUS.digest[:8]


def test_documents_without_units_add_nothing():
    kept = CORPUS.only(documents=MEASURED)
    here, there = (un.gamma(data, draws=DRAWS, rng=7) for data in (CORPUS, kept))
    assert here.value == there.value
    assert here.gamma_cat.value == there.gamma_cat.value
    assert here.documents["none"].undefined == "there are no units"
    assert "none" not in here.left_out_documents


def test_documents_of_one_annotator_are_left_out_and_named():
    result = un.gamma(CORPUS, draws=DRAWS, rng=7)
    assert result.left_out_documents == ("alone",)
    assert any("1 of 5 documents left out" in n and "alone" in n for n in result.notes)
    assert "only 'a'" in reason_of(result.documents["alone"])
    assert "no two aligned units" in reason_of(result.gamma_k["Z"])


def test_of_many_documents_left_out_some_are_named():
    lone = {f"lone {i}": text(("a", 0, 1, "A")) for i in range(5)}
    result = un.gamma(un.Corpus.from_continua({**lone, "one": CORPUS["one"]}), draws=5, rng=1)
    (note,) = [note for note in result.notes if "left out" in note]
    assert "5 of 6 documents" in note
    assert note.endswith("lone 0, lone 1, lone 2, …")


def test_a_corpus_of_one_document_is_worth_what_the_document_is():
    one = un.Corpus.from_continua({"one": CORPUS["one"]})
    whole = un.gamma(one, draws=DRAWS, rng=7)
    alone = whole.documents["one"]
    assert whole.value == alone.value
    assert whole.gamma_cat.value == alone.gamma_cat.value
    assert whole.monte_carlo == alone.monte_carlo
    assert whole.draw_disorders.tolist() == alone.draw_disorders.tolist()


def test_skipped_rows_are_reported():
    skipped = (Remark("the start is empty", 2, "a.csv:3"), Remark("no number", 1, "a.csv:9"))
    read = Interpretation(skipped=skipped)
    corpus = un.Corpus.from_continua({"one": CORPUS["one"]}, interpretation=read)
    assert un.gamma(corpus, draws=5, rng=1).skipped == 3


def test_scales_of_labels_are_those_of_the_corpus():
    low = text(("ann", 0, 5, 1), ("bob", 0, 5, 2))
    high = text(("ann", 0, 5, 1), ("bob", 0, 5, 5))
    interval = un.CombinedDissimilarity(distance="interval")
    result = un.gamma(
        un.Corpus.from_continua({"low": low, "high": high}),
        dissimilarity=interval, draws=5, rng=1,
    )  # fmt: skip
    assert result.documents["low"].observed == pytest.approx(1 / 16)
    assert result.documents["high"].observed == 1.0
    assert "interval[1..5]" in result.documents["low"].signature["dissim"]


def test_a_custom_dissimilarity_receives_the_labels_of_all_documents():
    def by_name(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
        def names(units: un.UnitColumns) -> np.ndarray:
            return np.array([str(units.labels[code]) for code in units.label_codes])

        apart = np.abs(u.starts - v.starts) + np.abs(u.ends - v.ends)
        lengths = u.ends - u.starts + v.ends - v.starts
        return (apart / lengths) ** 2 + (names(u) != names(v))

    own = un.CustomDissimilarity(cost=by_name)
    for model in ("shift", "corpus"):
        here, there = (
            un.gamma(CORPUS, dissimilarity=each, chance=model, draws=4, rng=7)
            for each in (own, un.CombinedDissimilarity())
        )
        assert here.value == pytest.approx(there.value, rel=1e-12)
        assert here.gamma_cat.value == pytest.approx(there.gamma_cat.value, rel=1e-12)
        assert here.gamma_k["B"].value == pytest.approx(there.gamma_k["B"].value, rel=1e-12)


# Corpus chance


def test_documents_of_as_many_annotators_share_their_expectation():
    result = un.gamma(CORPUS, chance="corpus", draws=DRAWS, rng=7)
    one, two, many = (result.documents[name] for name in ("one", "two", "many"))
    assert one.expected == two.expected != many.expected
    assert one.draw_disorders.tolist() == two.draw_disorders.tolist()
    assert one.spacing is None
    assert one.signature["chance"] == "corpus"


@pytest.mark.parametrize("label", ["A", "B", "D"])
def test_corpus_chance_is_pooled_by_the_labels_of_the_documents(label):
    at = CORPUS.labels.index(label)
    draws = np.zeros((2, DRAWS))
    for name in MEASURED:
        if label in CORPUS[name].labels:
            n = len(CORPUS[name].annotators)
            source = corpus_source(CORPUS, n, seed=7)
            scores = source.score(0, DRAWS)
            draws += scores.label_disorder_of[:, at], scores.label_weight_of[:, at]
    result = un.gamma(CORPUS, chance="corpus", draws=DRAWS, rng=7)
    comparable = draws[1] > 0.0
    expected = (draws[0][comparable] / draws[1][comparable]).mean()
    assert result.gamma_k[label].expected == pytest.approx(expected, rel=1e-12)


def test_corpus_chance_needs_as_many_documents_as_annotators():
    with pytest.raises(un.DataError, match=r"needs 3 documents .* only 2"):
        un.gamma(CORPUS.only(documents=["many", "one"]), chance="corpus", draws=5, rng=1)
    with pytest.raises(un.DataError, match=r"only 1"):
        un.gamma(TEXT, chance="corpus", draws=5, rng=1)


# Undefined


@pytest.mark.parametrize(
    ("documents", "reason"),
    [
        ({}, "no document has units and was seen by two annotators or more"),
        ({"one": text(("ann", 0, 5, "A"))}, "here there is only 'ann'"),
        (
            {"one": text(("ann", 0, 5, "A")), "two": text(annotators=["ann", "bob"])},
            "no document has units and was seen by two annotators or more",
        ),
    ],
)
def test_a_corpus_with_nothing_to_measure_is_undefined(documents, reason):
    result = un.gamma(un.Corpus.from_continua(documents), rng=1)
    assert reason in reason_of(result)
    assert list(result.documents) == list(documents)
    assert result.draws == 0


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical", "gamma-software"])
@pytest.mark.parametrize("soft", [False, True])
def test_values_alone_are_those_of_the_result(chance, soft):
    reference = un.generate_reference(8, rng=1)
    continua = {
        f"talk{seed}": un.shuffle(reference, magnitude=0.3, annotators=2, rng=seed).continuum
        for seed in range(3)
    }
    continua["empty"] = un.Continuum.from_units([], annotators=["a", "b"], extent=(0, 9))
    corpus = un.Corpus.from_continua(continua)
    result = un.gamma(corpus, chance=chance, draws=6, soft=soft, rng=5)
    values = gamma_values(corpus, chance=chance, draws=6, soft=soft, rng=5)

    assert values == (result.value, result.gamma_cat.value, result.proven)


def test_values_alone_of_nothing_are_undefined():
    empty = un.Continuum.from_units([], annotators=["a", "b"], extent=(0, 9))
    assert math.isnan(gamma_values(empty, draws=5, rng=1).gamma)
