"""Values that other programs state for their measures; see segmentation_fixtures.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import unisono as un

FILE: dict[str, Any] = json.loads(
    Path(__file__).with_name("segmentation_fixtures.json").read_text(encoding="utf-8")
)
AGAINST = [(fixture, check) for fixture in FILE["fixtures"] for check in fixture["against"]]
CHANCE = [(fixture, check) for fixture in FILE["fixtures"] for check in fixture["chance"]]


@pytest.mark.parametrize(("fixture", "check"), AGAINST)
def test_a_hypothesis_is_as_far_from_an_annotator_as_published(fixture, check):
    (document,) = fixture["data"].values()
    annotator = un.Segmentation.from_masses(document[check["annotator"]])
    hypothesis = un.Segmentation.from_masses(fixture["hypotheses"][check["hypothesis"]])
    result = getattr(un, check["measure"])(annotator, hypothesis)

    assert result.value == pytest.approx(check["published"], abs=1e-8)


@pytest.mark.parametrize(("fixture", "check"), CHANCE)
def test_agreement_beyond_chance_is_as_published(fixture, check):
    texts = {
        document: {who: un.Segmentation.from_masses(masses) for who, masses in cuts.items()}
        for document, cuts in fixture["data"].items()
        if check.get("document", document) == document
    }
    result = getattr(un, check["measure"])(texts)

    assert getattr(result, check["chance"]).value == pytest.approx(check["published"], rel=1e-12)


@pytest.mark.parametrize("check", FILE["marks"])
def test_strings_of_marks_have_the_published_values(check):
    # A mark stands for each place between two atoms: there is one atom more.
    texts = [
        un.Segmentation.from_positions(
            [place for place, mark in enumerate(marks, start=1) if mark == "1"],
            length=len(marks) + 1,
        )
        for marks in (check["reference"], check["hypothesis"])
    ]
    result = getattr(un, check["measure"])(*texts, **check["settings"])

    assert result.value == pytest.approx(check["published"], rel=1e-12)
