"""F1 between annotators of entities, as another program published it for the same files."""

from __future__ import annotations

import json
import statistics
from itertools import combinations
from pathlib import Path

import pytest

import unisono as un

FIXTURE = json.loads(Path(__file__).with_name("entity_fixtures.json").read_text(encoding="utf-8"))
PUBLISHED = FIXTURE["published"]
ROUNDED = 0.0005  # the report has three decimals


@pytest.fixture(scope="module")
def pairs():
    corpus = un.Corpus.from_continua(
        {
            name: un.Continuum.from_units(
                [(who, *unit) for who, units in document.items() for unit in units]
            )
            for name, document in FIXTURE["documents"].items()
        }
    )
    return [
        un.compare(*pair, within=corpus, with_gamma=False)
        for pair in combinations(corpus.annotators, 2)
    ]


def mean(values):
    return pytest.approx(statistics.mean(values), abs=ROUNDED)


def test_f1_over_all_is_as_published(pairs):
    overall = [pair.exact.f1 for pair in pairs]

    assert PUBLISHED["overall"]["mean"] == mean(overall)
    assert PUBLISHED["overall"]["sd"] == pytest.approx(statistics.pstdev(overall), abs=ROUNDED)


@pytest.mark.parametrize("document", PUBLISHED["documents"])
def test_f1_of_each_document_is_as_published(pairs, document):
    each = [pair.documents[document].exact.f1 for pair in pairs]

    assert PUBLISHED["documents"][document] == mean(each)


@pytest.mark.parametrize("label", PUBLISHED["labels"])
def test_f1_of_each_label_is_as_published(pairs, label):
    assert PUBLISHED["labels"][label] == mean([pair.exact.by_label[label].f1 for pair in pairs])
