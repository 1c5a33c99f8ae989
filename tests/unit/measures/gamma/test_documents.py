"""Documents in one call of the kernel: invalid columns, and documents that cannot be measured."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import unisono as un
from unisono._core import measure_documents
from unisono.measures.gamma import documents
from work_samples import document

# Too short for whole-number shifts of two annotators.
SHORT = un.Continuum.from_units([("ann", 0.0, 1.0, "A"), ("bob", 0.5, 1.5, "B")])
MIXED = un.Corpus.from_continua(
    {"a": document(1), "b": SHORT, "c": document(2), "d": document(3), "e": SHORT}
)
# Two documents of two annotators.
DOCUMENTS: dict[str, Any] = {
    "starts": np.array([0.0, 8.0, 1.0, 7.0, 20.0]),
    "ends": np.array([5.0, 9.0, 5.0, 9.0, 22.0]),
    "labels": np.array([0, 1, 0, 0, 0], np.int32),
    "counts": np.array([2, 1, 1, 1]),
    "is_drawn_from": np.array([True, True, True, True]),
    "annotators_of": np.array([2, 2]),
    "labels_of": np.array([2, 1]),
    "codes": np.array([0, 1, 1], np.int32),
    "low": np.zeros(2),
    "high": np.array([9.0, 22.0]),
    "spacing": np.array([1.0, 2.0]),
    "stream": np.array([5, 6], np.uint32),
    "aligns": np.array([True, False]),
    "first": np.array([0, 4]),
    "draws": np.array([3, 2]),
    "seed": np.array([1], np.uint32),
    "distances": np.empty((0, 0)),
    "label_count": 2,
    "position": 1.0,
    "label": 1.0,
    "power": 2.0,
    "confidence_factor": 1.0,
    "effort": 1.0,
    "effort_of_draws": 1.0,
    "soft": False,
    "gap_tolerance": 0.0,
    "time_limit": math.inf,
    "stream_of_shifts": 1,
    "whole_shifts": False,
}


def measured(**changed: object) -> Any:
    return measure_documents(**(DOCUMENTS | changed))


def test_results_are_in_the_order_of_documents():
    found = measured()
    assert found["groups_of"].tolist() == [2, -1]
    assert found["groups"].tolist() == [0, 2, 1, -1]
    assert len(found["disorders"]) == 2
    assert found["label_weight_of"].shape == (2,)
    assert found["draws"]["disorder_sum"].shape == (5,)
    assert found["draws"]["label_weight_of"].shape == (3 * 2 + 2 * 1,)
    assert found["redrawn"].tolist() == [0, 0]


def test_no_documents_are_no_evidence():
    nothing = {
        name: column[:0]
        for name, column in DOCUMENTS.items()
        if isinstance(column, np.ndarray) and name not in {"seed", "distances"}
    }
    assert not measured(**nothing)["groups_of"].size


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"counts": np.array([2, 1, 1, 2])}, "counts must add up"),
        ({"counts": np.array([3, 1, 2, -1])}, "a count is negative"),
        ({"counts": np.array([2, 1, 2])}, "needs a count"),
        ({"is_drawn_from": np.array([True])}, "needs a count"),
        ({"annotators_of": np.array([1, 3])}, "2 to 150 annotators"),
        ({"labels_of": np.array([2, 2])}, "needs a code"),
        ({"codes": np.array([0, 1, 2], np.int32)}, "outside the labels"),
        ({"labels": np.array([0, 1, 0, 0, 1], np.int32)}, "outside the labels"),
        ({"high": np.array([9.0, math.nan])}, "extents must be within"),
        ({"low": np.array([-math.inf, 0.0])}, "extents must be within"),
        ({"spacing": np.array([5.0, 2.0])}, "no room for shifts"),
        ({"is_drawn_from": np.array([True, True, False, False])}, "no voice has units"),
        ({"first": np.array([-1, 0])}, "draws are numbered"),
        ({"draws": np.array([3, -1])}, "draws are numbered"),
        ({"draws": np.array([3])}, "an entry in each column"),
        ({"starts": np.array([6.0, 8.0, 1.0, 7.0, 20.0])}, "in order"),
        ({"distances": np.array([[0.0, 1.0], [0.5, 0.0]])}, "symmetric"),
        ({"effort_of_draws": 0.0}, "effort must be finite"),
    ],
)
def test_columns_that_do_not_hold_together_are_refused(changed, problem):
    with pytest.raises(ValueError, match=problem):
        measured(**changed)


@pytest.mark.parametrize("name", ["starts", "counts", "stream", "aligns", "seed", "codes"])
def test_columns_have_one_form_only(name):
    with pytest.raises(TypeError):
        measured(**{name: DOCUMENTS[name].astype(np.float32)})


def test_a_document_in_the_middle_that_cannot_be_measured_is_named():
    with pytest.raises(un.DataError, match="document 'b': this chance model shifts by whole"):
        un.gamma(MIXED, chance="gamma-software", draws=5, rng=1)


def test_documents_around_a_bad_one_are_measured():
    found = un.gamma(MIXED, chance="gamma-software", draws=5, rng=1, on_error="report")
    good = un.Corpus.from_continua({name: MIXED[name] for name in "acd"})
    alone = un.gamma(good, chance="gamma-software", draws=5, rng=1)

    assert list(found.failed_documents) == ["b", "e"]
    assert (found.value, found.gamma_cat.value) == (alone.value, alone.gamma_cat.value)
    assert (found.draw_disorders == alone.draw_disorders).all()
    assert found.documents["c"].to_dict() == alone.documents["c"].to_dict()


def test_a_batch_that_fails_is_measured_in_parts(monkeypatch):
    expected = un.gamma(MIXED, draws=5, rng=1)
    measure = documents.measure

    def of_one_document(settings: Any, packed: Any, names: Any, *work: Any) -> Any:
        if len(names) > 1:
            msg = "no"
            raise ValueError(msg)
        return measure(settings, packed, names, *work)

    monkeypatch.setattr(documents, "measure", of_one_document)
    assert un.gamma(MIXED, draws=5, rng=1).to_json() == expected.to_json()
