"""F1 between annotators of entities against the values that bratiaa tests, for units and tokens."""

from __future__ import annotations

import json
import statistics
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import unisono as un
from printed_values import agrees

HERE = Path(__file__).parent
FILE: dict[str, Any] = json.loads((HERE / "bratiaa_fixtures.json").read_text(encoding="utf-8"))
DOCUMENTS: dict[str, dict[str, list[list[Any]]]] = json.loads(
    (HERE / "entity_fixtures.json").read_text(encoding="utf-8")
)["documents"]
KINDS = ("instance", "token")


def in_tokens(units: list[list[Any]], tokens: list[list[int]]) -> list[tuple[int, int, Any]]:
    """Give each token that a unit meets the unit's label."""
    return [
        (start, end, label)
        for low, high, label in units
        for start, end in tokens
        if low < end and start < high
    ]


def corpus_of(documents: dict[str, dict[str, Any]]) -> un.Corpus:
    return un.Corpus.from_continua(
        {
            name: un.Continuum.from_units(
                [(who, *unit) for who, units in document.items() for unit in units]
            )
            for name, document in documents.items()
        }
    )


def pairs_of(documents: dict[str, dict[str, Any]]) -> list[un.results.Comparison]:
    corpus = corpus_of(documents)
    return [
        un.compare(*pair, within=corpus, with_gamma=False)
        for pair in combinations(corpus.annotators, 2)
    ]


@pytest.fixture(scope="module")
def pairs():
    tokens = {
        name: {who: in_tokens(units, FILE["tokens"][name]) for who, units in document.items()}
        for name, document in DOCUMENTS.items()
    }
    return {"instance": pairs_of(DOCUMENTS), "token": pairs_of(tokens)}


def check(values: list[float], printed: list[str], *, cut: bool = False) -> None:
    assert agrees(statistics.fmean(values), printed[0], cut=cut)
    assert agrees(statistics.pstdev(values), printed[1], cut=cut)


@pytest.mark.parametrize("kind", KINDS)
def test_f1_over_all_is_as_stated(pairs, kind):
    overall = FILE[kind]["overall"]

    check(
        [pair.exact.f1 for pair in pairs[kind]], overall["printed"], cut=overall.get("cut", False)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_f1_of_each_label_is_as_stated(pairs, kind):
    for label, printed in FILE[kind]["labels"]["printed"].items():
        check([pair.exact.by_label[label].f1 for pair in pairs[kind]], printed)


def test_the_means_of_pairwise_f1_are_as_stated():
    found = un.pairwise_f1(corpus_of(DOCUMENTS))

    stated = FILE["instance"]
    overall = stated["overall"]
    assert agrees(found.value, overall["printed"][0], cut=overall.get("cut", False))
    for label, printed in stated["labels"]["printed"].items():
        assert agrees(found.by_label[label].value, printed[0], cut=False)


@pytest.mark.parametrize("kind", KINDS)
def test_f1_of_each_document_is_as_stated(pairs, kind):
    for document, printed in FILE[kind]["documents"]["printed"].items():
        check([pair.documents[document].exact.f1 for pair in pairs[kind]], printed)


def test_f1_of_two_annotators_is_as_stated():
    small = FILE["two_annotators"]
    (pair,) = pairs_of(small["documents"])

    assert agrees(pair.exact.f1, small["printed"], cut=True)


def test_every_value_has_its_source_file_lines_and_licence():
    assert {"repository", "commit", "licence"} <= set(FILE["source"])
    assert all(":" in part["where"] for kind in KINDS for part in FILE[kind].values())
    assert ":" in FILE["two_annotators"]["where"]
