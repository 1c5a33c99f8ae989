"""Measures of segmentations against the values that segeval tests; see segeval_fixtures.json."""

from __future__ import annotations

import json
import statistics
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import segmentation_oracle as oracle
import unisono as un
from printed_values import agrees

HERE = Path(__file__).parent
FILE: dict[str, Any] = json.loads((HERE / "segeval_fixtures.json").read_text(encoding="utf-8"))
KNOWN = {
    fixture["id"]: fixture["data"]
    for fixture in json.loads((HERE / "segmentation_fixtures.json").read_text(encoding="utf-8"))[
        "fixtures"
    ]
}


def data_of(fixture: dict[str, Any]) -> dict[str, dict[str, list[int]]]:
    data: Any = fixture["data"]
    return KNOWN[fixture["id"]] if isinstance(data, str) else data


def texts_of(fixture: dict[str, Any]) -> dict[str, dict[str, un.Segmentation]]:
    return {
        text: {who: un.Segmentation.from_masses(masses) for who, masses in cuts.items()}
        for text, cuts in data_of(fixture).items()
    }


def parts_of(part: str) -> pytest.MarkDecorator:
    found = [(each, check) for each in FILE["sets"] for check in each.get(part, [])]
    names = [f"{each['id']}-{check.get('measure') or check['chance']}" for each, check in found]
    return pytest.mark.parametrize(("fixture", "check"), found, ids=names)


@pytest.mark.parametrize("pair", FILE["pairs"], ids=lambda pair: pair["measure"])
def test_pairs_of_segmentations_are_as_far_apart_as_stated(pair):
    reference, hypothesis = (
        un.Segmentation.from_masses(pair[side]) for side in ("reference", "hypothesis")
    )
    settings = {"window": pair["window"]} if "window" in pair else {}
    value = getattr(un, pair["measure"])(reference, hypothesis, **settings).value

    found = 1.0 - value if pair.get("one_minus") else value
    assert agrees(found, pair["printed"], cut=pair.get("cut", False))


@parts_of("pairwise")
def test_means_over_pairs_of_annotators_are_as_stated(fixture, check):
    values = [
        getattr(un, check["measure"])(cuts[one], cuts[other]).value
        for cuts in texts_of(fixture).values()
        for one, other in permutations(cuts, 2)
    ]

    assert len(values) == check["printed"]["n"]
    assert agrees(statistics.fmean(values), check["printed"]["mean"])
    assert agrees(statistics.pstdev(values), check["printed"]["sd"])


@parts_of("chance")
def test_agreement_beyond_chance_is_as_stated(fixture, check):
    result = un.boundary_similarity(texts_of(fixture))

    assert agrees(getattr(result, check["chance"]).value, check["printed"])


@pytest.mark.parametrize(
    "fixture", [each for each in FILE["sets"] if "bias" in each], ids=lambda each: each["id"]
)
def test_what_chance_differs_by_is_as_stated(fixture):
    result: Any = un.boundary_similarity(texts_of(fixture))

    # These are disagreements expected: the signs are turned.
    assert agrees(result.kappa.expected - result.pi.expected, fixture["bias"]["printed"])


@parts_of("chance")
def test_agreement_beyond_chance_by_the_oracle(fixture, check):
    texts = [
        {who: oracle.marks_of(masses) for who, masses in cuts.items()}
        for cuts in data_of(fixture).values()
    ]

    assert agrees(oracle.corrected(texts, 2, of_places=False)[check["chance"]], check["printed"])


def test_every_value_has_its_source_file_lines_and_licence():
    assert {"repository", "commit", "licence"} <= set(FILE["source"])
    checks = [check for each in FILE["sets"] for check in each.get("pairwise", [])]
    checks += [check for each in FILE["sets"] for check in each.get("chance", [])]
    assert all(":" in each["where"] for each in [*FILE["pairs"], *FILE["sets"], *checks])
