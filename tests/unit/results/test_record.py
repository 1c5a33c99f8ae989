"""Results are records: they compare by their fields, and survive pickling and JSON."""

from __future__ import annotations

import io
import json
import pickle
from dataclasses import dataclass, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import unisono as un
from sample_results import corpus_result, gamma_result, undefined_gamma_result
from unisono.results.record import OnDemand, Record
from unisono.results.render import Sheeted

FEW: dict[str, Any] = {"draws": 12, "rng": 1}


@cache
def results() -> tuple[Any, ...]:
    """Return one result per class; some undefined, some with values by label and document."""
    rows = [("ann", 0, 5, "A"), ("ann", 8, 9, "B"), ("bob", 0, 4, "A"), ("bob", 8, 9, "A")]
    text = un.Continuum.from_units(rows)
    corpus = un.Corpus.from_continua({"one": text, "two": text.rename(labels={"B": "C"})})
    alone = un.Continuum.from_units([("ann", 0, 5, "A")])
    gold, system = (text.only(annotators=(name,)) for name in ("ann", "bob"))
    gamma = un.gamma(text, **FEW)
    compared = un.compare(gold, system, tolerance=1, **FEW)
    return (
        gamma,
        un.gamma(corpus, **FEW),
        un.gamma(alone, **FEW),
        undefined_gamma_result(),
        corpus_result(),
        gamma.alignment,
        compared,
        compared.exact,
        compared.slots,
        compared.slots.matching,
        un.slot_error_rate(un.Continuum.from_units([], annotators=["gold"]), system),
        un.measure_units(corpus, **FEW),
        un.unitizing_alpha(alone),
        un.unitizing_alpha(corpus, by_document=True),
        un.calibrate(text, errors="category", repeats=5, **FEW),
        un.consensus(corpus),
        un.diagnose(corpus, **FEW),
        un.label_confusions(gamma),
        un.pairwise_agreement(text, **FEW),
        un.advise(corpus, **FEW),
    )


NUMBERS = range(20)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_result_is_restored_from_its_pickle_as_it_was(number):
    result = results()[number]
    again = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own bytes

    assert issubclass(type(result), Record)
    assert again is not result
    assert again == result
    assert hash(again) == hash(result)
    assert type(again) is type(result)
    assert again.to_dict() == result.to_dict()
    for each in fields(result):
        was, is_now = getattr(result, each.name), getattr(again, each.name)
        if isinstance(was, MappingProxyType):
            assert type(is_now) is MappingProxyType
            assert list(is_now) == list(was)
        if isinstance(was, np.ndarray):
            assert not is_now.flags.writeable


@pytest.mark.parametrize("number", NUMBERS)
def test_a_result_differs_from_all_others(number):
    result = results()[number]

    assert [result == other for other in results()].count(True) == 1
    assert result != result.to_dict()


def test_json_is_the_plain_data_and_knows_no_nan():
    written: list[Any] = [result for result in results() if isinstance(result, Sheeted)]

    # The other is a part of a result.
    assert len(written) == len(results()) - 1
    for result in written:
        plain = {"schema": 1} | result.to_dict()
        assert result.to_json() == json.dumps(plain, ensure_ascii=False, allow_nan=False)
        assert result.to_json(indent=1) == json.dumps(plain, ensure_ascii=False, indent=1)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_written_document_by_document_is_the_same(number, indent):
    result = results()[number]
    if not isinstance(result, Sheeted):
        return
    file = io.StringIO()
    result.write_json(file, indent=indent)

    assert file.getvalue() == result.to_json(indent=indent)
    assert json.loads(file.getvalue()) == {"schema": 1} | result.to_dict()


def test_there_is_one_of_each_class():
    assert len(results()) == len(NUMBERS)
    assert len({type(result) for result in results()}) == 14


def test_one_field_is_enough_to_differ():
    result = gamma_result()

    assert replace(result, n_units=4) != result
    assert replace(result, draw_disorders=np.array([1.9, 2.1, 1.8, 2.3])) != result
    assert replace(result, draw_disorders=np.array([1.9, 2.1, 1.8])) != result
    assert replace(result, gamma_k={"A": result.gamma_cat}) != result
    assert replace(result, notes=("x",)) != replace(result, notes=("x", "x"))


def test_nan_is_equal_to_nan_in_all_fields():
    missing = [
        gamma_result(p_value=float("nan"), draw_disorders=np.array([1.0, np.nan])) for _ in range(2)
    ]

    assert missing[0] == missing[1]
    assert missing[0] != gamma_result(draw_disorders=np.array([1.0, np.nan]))


def test_what_is_made_on_demand_is_made_for_a_pickle():
    lazy = corpus_result(documents=OnDemand(["a", "b"], lambda name: gamma_result(notes=(name,))))
    again = pickle.loads(pickle.dumps(lazy))  # noqa: S301 - our own bytes

    assert list(again.documents) == ["a", "b"]
    assert again == lazy


def test_a_corpus_in_a_result_stays_a_corpus():
    @dataclass(frozen=True, slots=True, eq=False)
    class Held(Record):
        corpus: un.Corpus

    corpus = un.read("examples/corpus", seen_by="corpus")
    made, (kind, values) = Held(corpus).__reduce__()

    assert made(kind, values).corpus is corpus
    assert made(kind, values) == Held(un.read("examples/corpus", seen_by="corpus"))
    assert Held(corpus) != Held(un.read("examples/corpus"))
