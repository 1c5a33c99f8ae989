"""Published values of coefficients on items, and known errata; see items_fixtures.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import items_oracle as oracle
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import masi_distance
from unisono.model.ratings import Ratings
from unisono.registry import MEASURES

FILE: dict[str, Any] = json.loads(
    Path(__file__).with_name("items_fixtures.json").read_text(encoding="utf-8")
)
CHECKS = [(fixture, check) for fixture in FILE["fixtures"] for check in fixture["checks"]]
EXACT = 1e-11  # computed values are written with twelve digits


def name_of(fixture: dict[str, Any], check: dict[str, Any]) -> str:
    what = [fixture["id"], check["measure"], *map(str, check.get("settings", {}).values())]
    what += [str(check[key]) for key in ("label", "pair") if key in check]
    return "-".join([*what, check["field"]])


def rows_of(data: dict[str, Any]) -> list[list[Any]]:
    """One row an annotator."""
    if "table" in data:
        cells = [
            (i, j)
            for i, row in enumerate(data["table"], start=1)
            for j, n in enumerate(row, start=1)
            for _ in range(n)
        ]
        return [list(row) for row in zip(*cells, strict=True)]
    if "sets" in data:
        return [[frozenset(members) for members in row] for row in data["sets"]]
    return data["rows"]


def ratings_of(data: dict[str, Any]) -> Ratings:
    if "counts" in data:
        return Ratings.from_counts(data["counts"])
    return Ratings.from_matrix(rows_of(data))


def settings_of(check: dict[str, Any], ratings: Ratings) -> dict[str, Any]:
    settings = dict(check.get("settings", {}))
    for name, value in settings.items():
        if isinstance(value, dict):
            settings[name] = DistanceMatrix(ratings.labels, value["matrix"])
    return settings


@pytest.mark.parametrize(("fixture", "check"), CHECKS, ids=[name_of(*each) for each in CHECKS])
def test_published_values_are_reproduced(fixture, check):
    ratings = ratings_of(fixture["data"])
    result: Any = MEASURES[check["measure"]].load()(ratings, **settings_of(check, ratings))
    if "label" in check:
        result = result.by_label[check["label"]]
    if "pair" in check:
        result = result.by_pair[tuple(check["pair"])]
    value = getattr(result, check["field"])
    if check["computed"] is not None:
        assert value == pytest.approx(check["computed"], rel=EXACT, abs=EXACT)
    if check["published"] is not None:
        assert abs(value - check["published"]) <= check["tolerance"]
    assert check["computed"] is not None or check["published"] is not None


def items_of(fixture: dict[str, Any]) -> list[oracle.Item]:
    rows = rows_of(fixture["data"])
    return [
        {str(who): label for who, label in enumerate(column) if label is not None}
        for column in zip(*rows, strict=True)
    ]


DISTANCES = {
    "nominal": oracle.nominal,
    "interval": oracle.interval,
    "ratio": oracle.ratio,
    "ordinal": None,
    "masi": oracle.masi,
    "jaccard": oracle.jaccard,
    "dice": oracle.dice,
}
PLAIN = [
    each
    for each in CHECKS
    if "counts" not in each[0]["data"]
    and not {"label", "pair"} & set(each[1])
    and each[1]["field"] != "standard_error"
    and not any(isinstance(value, dict) for value in each[1].get("settings", {}).values())
]


@pytest.mark.parametrize(("fixture", "check"), PLAIN, ids=[name_of(*each) for each in PLAIN])
def test_published_values_by_the_oracle(fixture, check):
    items, settings = items_of(fixture), check.get("settings", {})
    n, policy = len(oracle.annotators_of(items)), settings.get("missing", "values")
    labels = sorted({label for item in items for label in item.values()}, key=str)
    squares = oracle.by_rank(labels, 2) if "weights" in settings else oracle.nominal
    outcome: Any = {
        "percent_agreement": lambda: oracle.percent(items, policy, n),
        "krippendorff_alpha": lambda: oracle.alpha(
            items, policy, n, DISTANCES[settings.get("distance", "nominal")]
        ),
        "cohen_kappa": lambda: oracle.light(items, policy, n),
        "scott_pi": lambda: oracle.fleiss(items, policy, n),
        "fleiss_kappa": lambda: oracle.fleiss(items, policy, n),
        "conger_kappa": lambda: oracle.conger(items, policy, n),
        "bennett_s": lambda: oracle.bennett(items, policy, n, labels),
        "gwet_ac": lambda: oracle.gwet(items, policy, n, labels, squares),
    }[check["measure"]]()
    found, chance, value = outcome
    got = {"value": value, "observed": found, "expected": chance}.get(check["field"])
    if check["field"] == "observed_agreement":
        got = 1 - found
    if check["field"] == "expected_agreement":
        got = 1 - chance
    if check["computed"] is not None:
        assert got == pytest.approx(check["computed"], rel=EXACT, abs=EXACT)
    if check["published"] is not None:
        assert abs(got - check["published"]) <= check["tolerance"]


@pytest.mark.parametrize("case", FILE["set_distances"], ids=lambda case: case["id"])
def test_masi_of_published_pairs(case):
    assert masi_distance(case["left"], case["right"]) == pytest.approx(case["masi"], abs=1e-15)


@pytest.mark.parametrize("case", FILE["mean_masi"], ids=lambda case: case["id"])
def test_mean_masi_of_passonneaus_figures(case):
    cells = list(zip(*case["rows"], strict=True))
    mean = sum(1 - masi_distance(set(left), set(right)) for left, right in cells) / len(cells)
    assert mean == pytest.approx(case["computed"], abs=1e-12)
    assert (abs(mean - case["published"]) < 1e-9) is (case["status"] == "verified")


def test_every_fixture_has_a_source_and_a_name_of_its_own():
    assert all(fixture["source"] and fixture["checks"] for fixture in FILE["fixtures"])
    assert len({fixture["id"] for fixture in FILE["fixtures"]}) == len(FILE["fixtures"])
