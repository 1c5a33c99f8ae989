"""Results made by hand, for tests that show, store or compare them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from unisono.measures.gamma.alignment import Alignment
from unisono.measures.gamma.result import GammaAgreement
from unisono.model.continuum import Continuum
from unisono.results.agreement import ChanceAgreement
from unisono.results.values import Interval, Signature

SETTINGS = (
    ("dissim", "combined[pos=1,label=1,empty=1]"),
    ("chance", "shift"),
    ("n", "4"),
    ("seed", "42"),
    ("data", "9f1c2ab0"),
    ("v", "0.1.0"),
)


def monte_carlo(value: float) -> Interval:
    return Interval(value - 0.01, value + 0.01, confidence=0.95, method="monte carlo")


def chance_agreement(**changes: Any) -> ChanceAgreement:
    fields: dict[str, Any] = {
        "value": 0.8,
        "observed": 0.1,
        "expected": 0.5,
        "monte_carlo": monte_carlo(0.8),
        "draws": 4,
        "weight": 2.5,
        "signature": Signature("gamma_cat", SETTINGS),
    }
    return ChanceAgreement(**fields | changes)


def undefined_chance_agreement(**changes: Any) -> ChanceAgreement:
    nothing: dict[str, Any] = {
        "value": math.nan,
        "observed": math.nan,
        "expected": math.nan,
        "undefined": "no pair of units to compare",
        "monte_carlo": None,
        "weight": 0.0,
    }
    return chance_agreement(**nothing | changes)


def continuum() -> Continuum:
    return Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 3, 4.5, "B")])


def alignment(**changes: Any) -> Alignment:
    fields: dict[str, Any] = {
        "continuum": continuum(),
        "indices": np.array([[0, 1], [-1, 2]]),
        "group_disorders": np.array([0.0, 1.0]),
        "disorder": 2 / 3,
        "lower_bound": 2 / 3,
        "proven": True,
        "signature": Signature("alignment", SETTINGS),
    }
    return Alignment(**fields | changes)


def gamma_result(**changes: Any) -> GammaAgreement:
    fields: dict[str, Any] = {
        "value": 0.725,
        "observed": 0.55,
        "expected": 2.0,
        "monte_carlo": monte_carlo(0.725),
        "draws": 4,
        "p_value": 0.2,
        "gamma_cat": chance_agreement(),
        "gamma_k": {"A": chance_agreement(), "B": undefined_chance_agreement()},
        "alignment": alignment(),
        "draw_disorders": np.array([1.9, 2.1, 1.8, 2.2]),
        "proven": True,
        "n_annotators": 2,
        "n_units": 3,
        "annotators_from": "units",
        "signature": Signature("gamma", SETTINGS),
    }
    return GammaAgreement(**fields | changes)


def undefined_gamma_result(**changes: Any) -> GammaAgreement:
    nothing: dict[str, Any] = {
        "value": math.nan,
        "observed": math.nan,
        "expected": math.nan,
        "undefined": "there are fewer than 2 annotators",
        "monte_carlo": None,
        "p_value": None,
        "gamma_cat": undefined_chance_agreement(),
        "gamma_k": {},
        "alignment": None,
        "n_annotators": 1,
    }
    return gamma_result(**nothing | changes)


def corpus_result(n: int = 3, **changes: Any) -> GammaAgreement:
    documents = {f"talk{i}": gamma_result(value=0.9 - 0.1 * i, monte_carlo=None) for i in range(n)}
    return gamma_result(**{"alignment": None, "documents": documents, "n_units": 3 * n} | changes)
