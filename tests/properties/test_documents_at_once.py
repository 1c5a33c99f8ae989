"""Documents that the kernel measures in one call come to what each comes to by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import unisono as un
from families import NAMES, deal, examples, family
from unisono.measures.gamma.alignment import Search
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import label_counts
from unisono.measures.gamma.documents import DocumentsTask, Piece, Scoring, can_be_at_once
from unisono.measures.gamma.evidence import pooled
from unisono.measures.gamma.gamma import GammaRun

if TYPE_CHECKING:
    from unisono.measures.gamma.dissimilarity import Fitted

RANDOM = st.integers(0, 2**32).map(np.random.default_rng)
MATRIX = un.DistanceMatrix(["A", "B", "C"], [[0, 1, 0.3], [1, 0, 0.8], [0.3, 0.8, 0]])
DISSIMILARITIES = (
    un.Combined(),
    un.Combined(position=3.0, label=0.5, empty=2.0),
    un.Combined(distance=MATRIX),
    un.Combined(position=0.0),
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
    rules = chance_rules(str(rng.choice(["shift", "gamma-software"])))
    seed, search = int(rng.integers(2**40)), SEARCHES[int(rng.integers(len(SEARCHES)))]
    scoring = Scoring(random_fitted(corpus, rng), rules, seed, search, "report")
    source = str(rng.choice(["everyone", "some"]))
    first, draws = (rng.integers(0, 9, len(corpus)).tolist() for _ in range(2))
    pieces = [
        Piece(name, text, bool(rng.integers(2)), *which)
        for (name, text), *which in zip(corpus.items(), first, draws, strict=True)
    ]
    chance_from = None
    if source == "some":
        chance_from = ("a",)
        pieces = [piece for piece in pieces if piece.continuum.counts[0]] or pieces[:0]
    place = {label: code for code, label in enumerate(corpus.labels)}
    if not pieces:
        name, text = next(iter(corpus.items()))
        pieces, chance_from = [Piece(name, text, True, 0, 3)], None
    return DocumentsTask.packed(scoring, pieces, place, chance_from)


@given(RANDOM)
def test_at_once_is_one_by_one_to_the_last_bit(rng):
    task = random_task(rng)
    together = task.done().arrays()
    alone = task._done_one_by_one(0, len(task.names)).arrays()

    for name, column in alone.items():
        assert together[name].dtype == column.dtype, name
        assert together[name].tobytes() == column.tobytes(), name


@given(RANDOM)
def test_columns_pool_as_documents_do(rng):
    corpus = random_corpus(rng)
    run = GammaRun(
        data=corpus,
        fitted=random_fitted(corpus, rng),
        rules=chance_rules(str(rng.choice(["shift", "gamma-software", "statistical"]))),
        seed=int(rng.integers(100)),
        confidence=0.95,
        search=Search(),
        workers=1,
        on_error="report",
    )
    findings = run.findings(None, 0.3, None)
    if not findings.measured:
        return
    whole = findings.whole()
    expected = pooled(list(findings.each()), corpus.labels)

    for name in ("labels", "mean_units", "observed", "observed_bound", "proven", "redrawn"):
        assert getattr(whole, name) == getattr(expected, name), name
    assert whole.unproven_draws == expected.unproven_draws
    columns = (whole.draws, whole.draw_bounds, *whole.by_label)
    others = (expected.draws, expected.draw_bounds, *expected.by_label)
    for column, other in zip(columns, others, strict=True):
        assert column.tobytes() == other.tobytes()


@examples(0.3)
@given(RANDOM, st.lists(st.booleans(), min_size=6, max_size=6))
def test_findings_of_some_documents_are_those_of_a_smaller_task(rng, chosen):
    task = random_task(rng)
    whole = task.done()
    kept = np.array(chosen[: len(task.names)])
    if not kept.any():
        return
    alone = [task._part(at, at + 1).done() for at in np.flatnonzero(kept).tolist()]

    for name, column in whole.joined(alone).arrays().items():
        assert whole.only(kept).arrays()[name].tobytes() == column.tobytes(), name


@examples(0.1)
@given(RANDOM)
def test_ordinary_documents_are_measured_at_once(rng):
    corpus = random_corpus(rng)
    place = {label: code for code, label in enumerate(corpus.labels)}
    pieces = [Piece(name, text, True, 0, 3) for name, text in corpus.items()]
    fitted = random_fitted(corpus, rng)
    scoring = Scoring(fitted, chance_rules("shift"), 1, Search(), "raise")
    task = DocumentsTask.packed(scoring, pieces, place, None)

    assert can_be_at_once(scoring, task.documents).all()
    asked = scoring._replace(fitted=fitted._replace(cost=lambda u, _: np.ones(len(u.starts))))
    assert not can_be_at_once(asked, task.documents).any()
    fitting = scoring._replace(rules=chance_rules("statistical"))
    assert not can_be_at_once(fitting, task.documents).any()
