"""Documents that the kernel measures in one call come to what each comes to by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import unisono as un
from families import NAMES, deal, examples, family
from pooling_oracle import pooled
from unisono.measures.gamma import evidence
from unisono.measures.gamma.alignment import Search
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import label_counts
from unisono.measures.gamma.documents import DocumentsTask, Piece, Settings
from unisono.measures.gamma.evidence import Evidence
from unisono.measures.gamma.gamma import Run
from unisono.results.render import csv_text

if TYPE_CHECKING:
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Fitted

RANDOM = st.integers(0, 2**32).map(np.random.default_rng)
MATRIX = un.DistanceMatrix(["A", "B", "C"], [[0, 1, 0.3], [1, 0, 0.8], [0.3, 0.8, 0]])
DISSIMILARITIES = (
    un.CombinedDissimilarity(),
    un.CombinedDissimilarity(position=3.0, label=0.5, empty=2.0),
    un.CombinedDissimilarity(distance=MATRIX),
    un.CombinedDissimilarity(position=0.0),
)
SEARCHES = (Search(), Search(soft=True), Search(gap_tolerance=0.01))


def random_corpus(rng: np.random.Generator) -> un.Corpus:
    """A few short documents of every family, where some annotators mark nothing."""
    made = {}
    for number in range(int(rng.integers(1, 7))):
        n = int(rng.integers(2, 5))
        counts = deal(int(rng.integers(1, 10)), n, rng)
        made[f"text {number}"] = family(str(rng.choice(NAMES)), n, counts, rng)
    return un.Corpus.from_continua(made)


def random_fitted(corpus: un.Corpus, rng: np.random.Generator) -> Fitted:
    chosen = DISSIMILARITIES[int(rng.integers(len(DISSIMILARITIES)))]
    return chosen.fitted(corpus.labels, label_counts(corpus))


def random_task(rng: np.random.Generator) -> DocumentsTask:
    """Pieces of documents, of which some are refused by the chance model with whole shifts."""
    corpus = random_corpus(rng)
    rules = chance_rules(str(rng.choice(["shift", "gamma-software", "statistical"])))
    seed, search = int(rng.integers(2**40)), SEARCHES[int(rng.integers(len(SEARCHES)))]
    source = str(rng.choice(["everyone", "some"]))
    first, draws = (rng.integers(0, 9, len(corpus)).tolist() for _ in range(2))
    pieces = [
        Piece(name, text, bool(rng.integers(2)), begin, number, 0.0)
        for (name, text), begin, number in zip(corpus.items(), first, draws, strict=True)
    ]
    chance_from = None
    if source == "some":
        chance_from = ("a",)
        pieces = [piece for piece in pieces if piece.continuum.counts[0]] or pieces[:0]
    place = {label: code for code, label in enumerate(corpus.labels)}
    if not pieces:
        name, text = next(iter(corpus.items()))
        pieces, chance_from = [Piece(name, text, True, 0, 3, 0.0)], None
    fitted = random_fitted(corpus, rng)
    settings = Settings(fitted, rules, seed, search, chance_from=chance_from, on_error="report")
    return DocumentsTask.packed(settings, pieces, place)


@given(RANDOM)
def test_together_is_one_by_one_to_the_last_bit(rng):
    task = random_task(rng)
    together = task.run().arrays()
    each = [task._part(at, at + 1).run() for at in range(len(task.names))]
    alone = Evidence.joined(each).arrays()

    for name, column in alone.items():
        assert together[name].dtype == column.dtype, name
        assert together[name].tobytes() == column.tobytes(), name


@given(RANDOM)
def test_columns_pool_as_documents_do(rng):
    corpus = random_corpus(rng)
    settings = Settings(
        fitted=random_fitted(corpus, rng),
        rules=chance_rules(str(rng.choice(["shift", "corpus", "gamma-software", "statistical"]))),
        seed=int(rng.integers(100)),
        search=Search(),
        on_error="report",
    )
    run = Run(data=corpus, settings=settings, workers=1)
    try:
        findings = run.evidence(None, 0.3, None)
    except un.DataError:
        return  # chance of the corpus needs as many documents as annotators
    if not findings.measured:
        return
    with patch.object(evidence, "_MOST_NUMBERS", 100):
        whole = findings.pooled()
    expected = pooled(list(findings.each()), corpus.labels)

    for name in ("labels", "mean_units", "observed", "observed_bound", "proven", "redrawn"):
        assert getattr(whole, name) == getattr(expected, name), name
    assert whole.unproven_draws == expected.unproven_draws
    columns = (whole.draws, whole.draw_bounds, *whole.by_label)
    others = (expected.draws, expected.draw_bounds, *expected.by_label)
    for column, other in zip(columns, others, strict=True):
        assert column.tobytes() == other.tobytes()


@given(RANDOM)
def test_columns_are_the_numbers_of_the_results(rng):
    corpus = random_corpus(rng)
    chances: list[Chance] = ["shift", "corpus", "gamma-software", "statistical"]
    chance = chances[int(rng.integers(4))]
    try:
        with patch.object(evidence, "_MOST_NUMBERS", int(rng.choice([100, 10_000]))):
            result = un.gamma(
                corpus, chance=chance, draws=int(rng.integers(1, 12)), rng=1, on_error="report"
            )
            lazy = csv_text(result.sheet())
    except un.DataError:
        return
    plain = replace(result, documents=dict(result.documents))

    assert lazy == csv_text(plain.sheet())


@examples(0.3)
@given(RANDOM, st.lists(st.booleans(), min_size=6, max_size=6))
def test_evidence_of_some_documents_are_those_of_a_smaller_task(rng, chosen):
    task = random_task(rng)
    whole = task.run()
    kept = np.array(chosen[: len(task.names)])
    if not kept.any():
        return
    alone = [task._part(at, at + 1).run() for at in np.flatnonzero(kept).tolist()]

    for name, column in whole.joined(alone).arrays().items():
        assert whole.taken(np.flatnonzero(kept)).arrays()[name].tobytes() == column.tobytes(), name


@examples(0.1)
@given(RANDOM, st.sampled_from(["shift", "gamma-software"]))
def test_shifts_of_the_kernel_are_those_of_the_chance_model(rng, chance):
    """A custom dissimilarity makes its draws in Python, from the same numbers."""
    text = family("spread", 3, 4, rng)
    fitted = un.CombinedDissimilarity().fitted(text.labels, label_counts(text))
    place = {label: code for code, label in enumerate(text.labels)}
    pieces = [Piece("text", text, True, 2, 5, 0.0)]
    settings = Settings(fitted, chance_rules(chance), 1, Search())
    built_in = DocumentsTask.packed(settings, pieces, place).run()
    custom = settings._replace(fitted=fitted._replace(cost=by_hand))
    in_python = DocumentsTask.packed(custom, pieces, place).run()

    for name, column in built_in.arrays().items():
        other = in_python.arrays()[name]
        assert other.dtype == column.dtype, name
        # A function in Python is more work.
        if name not in ("failures", "work"):
            np.testing.assert_allclose(other, column, rtol=1e-9, atol=1e-12, err_msg=name)


def by_hand(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
    """The combined dissimilarity of the paper, eq. 3 to 5."""
    apart = np.abs(u.starts - v.starts) + np.abs(u.ends - v.ends)
    lengths = u.ends - u.starts + v.ends - v.starts
    return (apart / lengths) ** 2 + (u.label_codes != v.label_codes)
