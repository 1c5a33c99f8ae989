"""Division of work into chunks by cost, independent of the executor."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import unisono as un
from unisono.measures.gamma.alignment import Search
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import label_counts
from unisono.measures.gamma.documents import Costs, DocumentsTask, Piece, Settings, pieces_of
from unisono.parallel.dispatch import chunk_seconds, chunks_by_cost
from work_samples import documents


def test_chunks_hold_everything_in_order():
    costs = [3, 1, 1, 7, 2, 2, 2]
    chunks = list(chunks_by_cost(costs, cost=float, most=5.0))

    assert [cost for chunk in chunks for cost in chunk] == costs
    assert all(sum(chunk) <= 5.0 or len(chunk) == 1 for chunk in chunks)


def test_chunks_are_taken_one_at_a_time():
    taken = []

    def items():
        for number in range(100):
            taken.append(number)
            yield number

    next(chunks_by_cost(items(), cost=lambda _: 1.0, most=10.0))
    assert len(taken) == 11


@pytest.mark.parametrize(("total", "seconds"), [(0.0, 0.02), (3.2, 0.1), (1e6, 0.5)])
def test_long_work_has_longer_chunks_up_to_half_a_second(total, seconds):
    assert chunk_seconds(total) == pytest.approx(seconds)
    for costly in ({"kept": True}, {"travels": True}):
        assert chunk_seconds(total, **costly) == pytest.approx(max(seconds, 0.3))


def test_a_large_document_is_cut_by_its_draws():
    text = documents(1)["text0000"]
    costs = Costs(is_custom=False)
    most = costs.seconds(len(text), 2, 10)
    pieces = list(pieces_of([("a", text)], aligns=True, first=5, draws=25, costs=costs, most=most))

    assert [(p.aligns, p.first, p.draws) for p in pieces] == [
        (True, 5, 0),
        (False, 5, 10),
        (False, 15, 10),
        (False, 25, 5),
    ]


def test_a_task_is_small_and_its_halves_come_to_the_same():
    corpus = documents(100)
    task = _task(corpus)
    units = corpus.n_units
    # Per unit two bounds, a label and little else: no objects, and each name once.
    assert len(pickle.dumps(task)) < 24 * units + 60 * len(corpus) + 2_000
    halves = task.split()
    assert halves is not None
    joined = task.merge(halves[0].run(), halves[1].run()).arrays()
    for name, column in task.run().arrays().items():
        assert joined[name].dtype == column.dtype
        np.testing.assert_array_equal(joined[name], column)


def _task(corpus: un.Corpus) -> DocumentsTask:
    fitted = un.CombinedDissimilarity().fitted(corpus.labels, label_counts(corpus))
    settings = Settings(fitted, chance_rules("shift"), 1, Search())
    place = {label: code for code, label in enumerate(corpus.labels)}
    pieces = [Piece(name, text, True, 0, 5, 0.0) for name, text in corpus.items()]
    return DocumentsTask.packed(settings, pieces, place)


def test_the_first_and_the_last_chunks_are_small():
    sizes = [len(chunk) for chunk in chunks_by_cost([1] * 600, float, most=40.0, total=600.0)]
    assert sum(sizes) == 600
    assert sizes[:4] == [10, 10, 20, 40]
    assert sizes[-2:] == [10, 9]
    assert max(sizes) == 40
