"""Coefficients on items against values that other programs state.

irrcac_fixtures.json: irrCAC for R and for Python, with standard errors and intervals.
icr_fixtures.json: Krippendorff (2018) and Freelon (2010) as the R package icr tests them.
dkpro_fixtures.json: what the tests of DKPro Statistics have beside published tables.
"""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gwet_weights
from printed_values import agrees
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.model.ratings import Ratings
from unisono.registry import MEASURES

HERE = Path(__file__).parent
FILES = {
    name: json.loads((HERE / f"{name}_fixtures.json").read_text(encoding="utf-8"))
    for name in ("irrcac", "icr", "dkpro")
}

# afergadis/irrCAC, test/unit/irrCAC/weights/test_weights.py:50-87: categories 1-2, 1-3 and 2-3.
PUBLISHED_WEIGHTS = {
    "bipolar": ("0.667", "0.000", "0.667"),
    "circular": ("0.000", "0.000", "0.000"),
    "linear": ("0.500", "0.000", "0.500"),
    "ordinal": ("0.667", "0.000", "0.667"),
    "quadratic": ("0.750", "0.000", "0.750"),
    "radical": ("0.293", "0.000", "0.293"),
    "ratio": ("0.556", "0.000", "0.840"),
}


def name_of(fixture: dict[str, Any], check: dict[str, Any]) -> str:
    what = (check.get(key) for key in ("measure", "label", "weights", "distance", "program"))
    return "-".join([fixture["id"], *(str(word) for word in what if word)])


def cases(file: str) -> pytest.MarkDecorator:
    found = [(fixture, check) for fixture in FILES[file]["fixtures"] for check in fixture["checks"]]
    return pytest.mark.parametrize(
        ("fixture", "check"), found, ids=[name_of(*each) for each in found]
    )


def ratings_of(data: dict[str, Any]) -> Ratings:
    if "counts" in data:
        return Ratings.from_counts(data["counts"])
    if "table" in data:
        table = data["table"]
        cells = [
            (i, j) for i, row in enumerate(table, 1) for j, n in enumerate(row, 1) for _ in [0] * n
        ]
        return Ratings.from_matrix([list(row) for row in zip(*cells, strict=True)])
    return Ratings.from_matrix(data["rows"])


def settings_of(check: dict[str, Any], ratings: Ratings) -> dict[str, Any]:
    """Name distances as they are here: an agreement weight w is the distance 1 − w."""
    if "distance" in check:
        return {"distance": check["distance"]}
    if "distances" in check:
        return {"distance": DistanceMatrix(check["labels"], check["distances"])}
    if check.get("weights", "none") == "none":
        return {}
    table = gwet_weights.distances(check["weights"], [float(str(c)) for c in ratings.labels])
    name = "distance" if check["measure"] == "krippendorff_alpha" else "weights"
    return {name: DistanceMatrix(ratings.labels, table)}


def check_value(value: float, field: str, check: dict[str, Any]) -> None:
    """A value is as printed, or else it is ours and the reason is written down."""
    printed, ours = check["printed"][field], check.get("ours", {})
    if field not in ours and printed is not None:
        assert agrees(value, printed, cut=check.get("cut", False))
        return
    assert printed is None or (not agrees(value, printed) and check["why"])
    if printed is None or ours[field] is None:
        assert math.isnan(value)
    else:
        assert value == pytest.approx(ours[field], rel=1e-9)


@cases("icr")
def test_values_of_recal_and_krippendorff_are_reproduced(fixture, check):
    ratings = ratings_of(fixture["data"])
    result: Any = MEASURES[check["measure"]].load()(ratings, **settings_of(check, ratings))

    check_value(result.value, "value", check)


@cases("dkpro")
def test_values_of_dkpro_are_reproduced(fixture, check):
    ratings = ratings_of(fixture["data"])
    result: Any = MEASURES[check["measure"]].load()(ratings, **settings_of(check, ratings))
    if "label" in check:
        result = result.by_label[check["label"]]

    for field in check["printed"]:
        check_value(getattr(result, field), field, check)


@cases("irrcac")
def test_values_and_errors_of_irrcac_are_reproduced(fixture, check):
    ratings = ratings_of(fixture["data"])
    settings = settings_of(check, ratings)
    if check["measure"] != "krippendorff_alpha":
        settings["missing"] = "items"
    result: Any = MEASURES[check["measure"]].load()(ratings, **settings)

    found = dict(irrcac_terms(fixture, check, ratings, result))
    assert set(check["printed"]) <= set(found)
    for field in check["printed"]:
        check_value(found[field], field, check)


def irrcac_terms(fixture, check, ratings, result):
    """Give our result in the terms of that program."""
    n_items, sizes = float(ratings.times.sum()), np.diff(ratings.offsets)
    compared = float(ratings.times[sizes >= 2].sum())
    observed, expected = result.observed, result.expected
    is_alpha = check["measure"] == "krippendorff_alpha"
    if is_alpha:
        # It has the correction for small samples in the agreement observed, we in that expected.
        n_values = float((ratings.times * sizes)[sizes >= 2].sum())
        observed, expected = (part * (1.0 - 1.0 / n_values) for part in (observed, expected))
    error = result.standard_error
    if fixture.get("variance") == "n":
        error *= math.sqrt(1.0 - 1.0 / n_items)
    # The port counts those items that have a pair, for α alone.
    freedom = round(compared if is_alpha and fixture["source"] == "python" else n_items) - 1
    yield "value", result.value
    yield "observed_agreement", 1.0 - observed
    if expected is not None:
        yield "expected_agreement", 1.0 - expected
    yield "standard_error", error
    if freedom in T_975:
        yield "lower", result.value - T_975[freedom] * error
        yield "upper", result.value + T_975[freedom] * error


# Student's t for the degrees of freedom of these data, integrated numerically.
T_975 = {
    10: 2.2281388520,
    11: 2.2009851601,
    12: 2.1788128297,
    13: 2.1603686565,
    14: 2.1447866879,
    99: 1.9842169516,
    222: 1.9707073953,
}


@pytest.mark.parametrize(("name", "upper"), PUBLISHED_WEIGHTS.items())
def test_weights_of_three_categories_are_as_published(name, upper):
    table = gwet_weights.distances(name, [1, 2, 3])
    found = [1.0 - table[i][j] for i, j in ((0, 1), (0, 2), (1, 2))]

    assert all(agrees(*each) for each in zip(found, upper, strict=True))


@pytest.mark.parametrize(
    ("fixture_id", "is_printed"),
    [("R_raw_4raters", True), ("raw_4raters", False), ("R_distrib_6raters", False)],
)
def test_the_error_of_alpha_is_its_infinitesimal_jackknife(fixture_id, is_printed):
    """irrCAC 1.4 for R has it for raw data, but not its Python port, nor for distributions."""
    (fixture,) = (f for f in FILES["irrcac"]["fixtures"] if f["id"] == fixture_id)
    checks = (c for c in fixture["checks"] if c["measure"] == "krippendorff_alpha")
    check = next(c for c in checks if c["weights"] == "none")
    error = error_by_differences(items_of(fixture["data"]))
    found: Any = MEASURES["krippendorff_alpha"].load()(ratings_of(fixture["data"]))

    assert found.standard_error == pytest.approx(error, rel=1e-5)
    assert agrees(error, check["printed"]["standard_error"]) is is_printed


def items_of(data: dict[str, Any]) -> list[list[Any]]:
    if "counts" in data:
        return [[k for k, n in enumerate(row) for _ in range(n)] for row in data["counts"]]
    items = [[v for v in column if v is not None] for column in zip(*data["rows"], strict=True)]
    return [item for item in items if len(item) > 1]


def error_by_differences(items: list[list[Any]]) -> float:
    """Infinitesimal jackknife of α without n/(n − 1): each item a little more, a little less."""
    step, n = 1e-5, len(items)
    moves = []
    for k in range(n):
        more, less = ([1.0] * n for _ in range(2))
        more[k], less[k] = 1.0 + step, 1.0 - step
        moves.append((plain_alpha(items, more) - plain_alpha(items, less)) / (2 * step))
    return math.sqrt(n / (n - 1) * math.fsum(move**2 for move in moves))


def plain_alpha(items: list[list[Any]], weights: list[float]) -> float:
    whole = math.fsum(w * len(item) for w, item in zip(weights, items, strict=True))
    differing, of = 0.0, dict.fromkeys(itertools.chain(*items), 0.0)
    for w, item in zip(weights, items, strict=True):
        pairs = sum(a != b for a, b in itertools.permutations(item, 2))
        differing += w * pairs / (len(item) - 1)
        for value in item:
            of[value] += w
    chance = 1.0 - math.fsum((share / whole) ** 2 for share in of.values())
    return 1.0 - differing / whole / chance


def test_every_value_has_its_source_file_lines_and_licence():
    for file in FILES.values():
        for source in file["sources"].values():
            assert {"repository", "commit", "licence"} <= set(source)
        for fixture in file["fixtures"]:
            assert fixture["source"] in file["sources"]
            assert ":" in fixture["where"]
            assert all(":" in check["where"] for check in fixture["checks"])
