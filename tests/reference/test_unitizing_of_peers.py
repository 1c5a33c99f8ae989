"""Unitizing alphas against values that other programs state, and against counting every place.

See unitizing_fixtures.json, and unitizing_atoms for the counting.
"""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

import unisono as un
import unitizing_atoms as atoms
import unitizing_oracle as oracle
from printed_values import agrees

FILE: dict[str, Any] = json.loads(
    Path(__file__).with_name("unitizing_fixtures.json").read_text(encoding="utf-8")
)
FIXTURES = FILE["fixtures"]


def named(fixtures: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("fixture", fixtures, ids=[each["id"] for each in fixtures])


def document_of(fixture: dict[str, Any]) -> tuple[int, int, list[list[tuple[int, int, Any]]]]:
    low, high = fixture["extent"]
    return low, high, [[(s, e, label) for s, e, label in units] for units in fixture["units"]]


def continuum_of(document: tuple[int, int, list[list[tuple[int, int, Any]]]]) -> un.Continuum:
    low, high, everyone = document
    names = [f"a{i}" for i in range(len(everyone))]
    rows = [(name, *unit) for name, units in zip(names, everyone, strict=True) for unit in units]
    return un.Continuum.from_units(rows, annotators=names, extent=(low, high))


@named(FIXTURES)
def test_values_that_others_state_are_reproduced_or_known_to_differ(fixture):
    result = un.unitizing_alpha(
        continuum_of(document_of(fixture)), generation=fixture["generation"]
    )
    part = fixture.get("part") or ("u_alpha_k" if "label" in fixture else "u_alpha")
    found: Any = getattr(result, part)
    agreement = found[fixture["label"]] if "label" in fixture else found

    for field, printed in fixture["printed"].items():
        value, ours = getattr(agreement, field), fixture.get("ours", {})
        if field in ours or printed is None:
            expected = ours.get(field)
            assert printed is None or (fixture["why"] and not agrees(value, printed))
            assert math.isnan(value) if expected is None else value == pytest.approx(expected)
        else:
            assert agrees(value, printed, cut=field in fixture.get("cut", ()))


# Sliding takes as many steps as the square of the number of units times their length.
SLID = [
    fixture
    for fixture in FIXTURES
    if "expected" in fixture["printed"] and fixture["extent"][1] <= 1200
]


@named(SLID)
def test_the_expectation_of_1995_is_that_of_sliding_units_along(fixture):
    document = document_of(fixture)
    result = un.unitizing_alpha(continuum_of(document), generation="1995")
    slid = atoms.expected_2004([document], fixture["label"])

    assert result.u_alpha_k[fixture["label"]].expected == pytest.approx(float(slid), rel=1e-12)


def test_the_value_printed_for_key_phrases_is_that_of_shorter_segments():
    (fixture,) = (each for each in FIXTURES if each["id"] == "keyphrases")
    low, high, everyone = document_of(fixture)
    shorter = [
        [(s, e - 1, label) for s, e, label in oracle.sections(low, high, units)]
        for units in everyone
    ]
    # The places between segments are in nobody's section.
    together: dict[Any, float] = {}
    lone: dict[Any, float] = {}
    for mine, others in oracle.ordered_pairs(shorter):
        for g in mine:
            for h in others:
                key = (g[2], h[2])
                together[key] = together.get(key, 0.0) + oracle.shared(g, h) / 2
    for g in (g for mine in shorter for g in mine):
        length = oracle.length(g)
        lone[g[2]] = lone.get(g[2], 0.0) + (length if g[2] == oracle.GAP else length**2)
    observed, expected = oracle.from_coincidences(together, lone)

    assert agrees(1 - observed / expected, fixture["printed"]["value"])


def random_documents(seed: int) -> list[tuple[int, int, list[list[tuple[int, int, Any]]]]]:
    """One or two short texts, two to four annotators, units of three labels."""
    draw, documents = random.Random(seed), []
    for _ in range(1 + seed % 2):
        everyone = []
        for _ in range(2 + seed % 3):
            at, units = draw.randint(0, 3), []
            while at < 14:
                end = min(at + draw.randint(1, 5), 16)
                units.append((at, end, draw.choice("abc")))
                at = end + draw.choice((0, 0, 1, 3))
            everyone.append(units)
        documents.append((0, 16, everyone))
    return documents


COUNTED = [
    [document_of(fixture)]
    for fixture in FIXTURES
    if fixture["generation"] == "2016" and fixture.get("part") == "u_alpha"
]


@pytest.mark.parametrize("documents", [*COUNTED, *map(random_documents, range(12))])
def test_the_family_of_2016_is_what_counting_places_finds(documents):
    corpus = un.Corpus.from_continua(
        {str(number): continuum_of(document) for number, document in enumerate(documents)}
    )
    result = un.unitizing_alpha(corpus)
    counted = [
        (result.u_alpha, atoms.u_2016(documents)),
        (result.u_alpha_binary, atoms.binary_2016(documents)),
    ]
    if result.u_alpha_k:
        counted.append((result.u_alpha_coding, atoms.coding_2016(documents)))
    counted += [
        (agreement, atoms.by_label_2016(documents, label))
        for label, agreement in result.u_alpha_k.items()
        if agreement.undefined is None
    ]
    for agreement, parts in counted:
        found = (agreement.observed, agreement.expected)
        assert found == pytest.approx(tuple(map(float, parts)), rel=1e-11, abs=1e-13)


def test_every_value_has_its_source_file_lines_and_licence():
    for source in FILE["sources"].values():
        assert {"repository", "commit", "licence"} <= set(source)
    for fixture in FIXTURES:
        assert fixture["source"] in FILE["sources"]
        assert ":" in fixture["where"]
