"""What every registered measure obeys, on small data of its kind."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from typing import Any, get_args

import pytest

import unisono as un
from measure_page import PAGE, page
from unisono.measures.gamma.chance import Chance
from unisono.measures.items.rows import MissingPolicy
from unisono.measures.segmentation.windows import Convention
from unisono.measures.unitizing.alphas import Generation
from unisono.model.overlap import Overlap
from unisono.registry import FAMILIES, MEASURES, SETTINGS, Measure, measure_named
from unisono.reports.methods import PAPERS

UNITS = [
    *[("ann", 0, 10, "A"), ("ann", 12, 20, "B"), ("ann", 25, 30, "A")],
    *[("bob", 0, 11, "A"), ("bob", 12, 19, "A"), ("bob", 24, 30, "B")],
    *[("cat", 1, 10, "A"), ("cat", 13, 20, "B")],
]
ROWS = [list("aabbcabc"), list("aabbcabb"), list("abbbcabc")]
CUTS = {"ann": [2, 3, 6], "bob": [5, 6], "cat": [2, 4, 5]}
# Coefficients of two annotators, not of more.
OF_TWO = {"scott_pi"}
RUN: dict[str, dict[str, Any]] = {"gamma": {"draws": 30, "rng": 1}, "atoms": {"draws": 30}}


def data_of(measure: Measure, change: str = "") -> tuple[Any, ...]:
    """Make data for a measure, changed in a way that may or may not matter."""
    if measure.data == "items":
        rows = [list(ROWS[0]) for _ in ROWS] if change == "identical" else ROWS
        rows = rows[:2] if measure.name in OF_TWO else rows
        rows = rows[::-1] if change == "annotators" else rows
        columns = list(zip(*rows, strict=True))
        rows = [list(row) for row in zip(*columns[::-1], strict=True)] if change == "rows" else rows
        ratings = un.Ratings.from_matrix([list(row) for row in rows])
        return (ratings.rename(labels={"a": "z", "b": "y"}) if change == "labels" else ratings,)
    if measure.data == "segments":
        masses = dict.fromkeys(CUTS, CUTS["ann"]) if change == "identical" else CUTS
        order = sorted(masses, reverse=change == "rows")
        renamed = dict(zip(masses, reversed(list(masses)), strict=True))
        return (
            {
                (renamed[name] if change == "annotators" else name): un.Segmentation.from_masses(
                    masses[name]
                )
                for name in order
            },
        )
    units: list[tuple[Any, ...]] = list(UNITS)
    if change == "identical":
        units = [
            (name, *unit[1:])
            for name in ("ann", "bob", "cat")
            for unit in UNITS
            if unit[0] == "ann"
        ]
    if change == "rows":
        units = units[::-1]
    if change == "annotators":
        renamed = {"ann": "cat", "bob": "bob", "cat": "ann"}
        units = [(renamed[name], *rest) for name, *rest in units]
    if change == "labels":
        units = [(*rest, {"A": "Z", "B": "Y"}[label]) for *rest, label in units]
    text = un.Continuum.from_units(units)
    if measure.data == "units":
        return (text,)
    return text.only(annotators=["ann"]), text.only(annotators=["bob"])


def parts_of(measure: Measure, change: str = "") -> dict[object, Any]:
    """Compute a measure and return its own part, or the parts of each label."""
    result = measure.load()(*data_of(measure, change), **RUN.get(measure.family, {}))
    if measure.name == "kappa_d":
        return {"": result.measures["kappa_d"]}
    found = measure.value(result)
    return dict(found) if isinstance(found, Mapping) else {"": found}


def numbers(measure: Measure, change: str = "") -> list[float]:
    """Return what must stay: values, and of measures with random draws what was observed."""
    parts = parts_of(measure, change).values()
    return sorted(float(part.observed if measure.stochastic else part) for part in parts)


@pytest.mark.parametrize("measure", MEASURES.values(), ids=list(MEASURES))
def test_identical_annotators_agree_perfectly(measure):
    values = [float(part) for part in parts_of(measure, "identical").values()]

    assert values
    assert values == pytest.approx([measure.perfect] * len(values))


@pytest.mark.parametrize(
    ("measure", "change"),
    [(one, change) for one in MEASURES.values() for change in sorted(one.invariant)],
    ids=lambda value: value.name if isinstance(value, Measure) else value,
)
def test_what_does_not_matter_moves_nothing(measure, change):
    before = numbers(measure)

    assert not any(map(math.isnan, before))
    assert numbers(measure, change) == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("name", [name for name in MEASURES if name != "f1"])
def test_the_signature_names_the_measure(name):
    measure = MEASURES[name]
    corrected = measure.part == "pi"

    for part in parts_of(measure).values():
        assert part.signature.measure == ("boundary_similarity" if corrected else name)


@pytest.mark.parametrize("name", [name for name in MEASURES if name != "f1"])
def test_a_value_that_chance_leaves_undefined_has_a_reason(name):
    measure = MEASURES[name]
    if measure.data == "items":
        ratings = un.Ratings.from_matrix([["a", "a"], ["a", "a"]])
        result = measure.load()(ratings)
    elif measure.data == "segments":
        cut = un.Segmentation.from_masses([1])
        result = measure.value(measure.load()({"ann": cut, "bob": cut}))
    else:
        return
    assert (result.undefined is None) != math.isnan(result.value)


@pytest.mark.parametrize("measure", MEASURES.values(), ids=list(MEASURES))
def test_its_function_is_public_and_has_its_settings(measure):
    function = measure.load()
    keywords = inspect.signature(function).parameters

    assert getattr(un, function.__name__) is function
    assert set(measure.settings) <= set(keywords)
    assert set(measure.settings) <= set(SETTINGS)
    if measure.family in ("items", "segmentation") or measure.name.startswith("u_alpha"):
        beside = {"by_label", "by_pair", "by_document"}
        data = {name for name, one in keywords.items() if one.kind is not one.KEYWORD_ONLY}
        assert set(keywords) - beside - data == set(measure.settings)


def test_names_and_aliases_lead_to_one_measure_of_a_family():
    for family in FAMILIES:
        members = [one for one in MEASURES.values() if one.family == family]
        names = [name for one in members for name in (one.name, *one.aliases)]
        assert len(names) == len(set(names))
        for one in members:
            for name in (one.name, *one.aliases):
                assert measure_named(name.upper().replace("_", "-"), members) is one


def test_families_are_shown_by_their_own_measures():
    for family in FAMILIES.values():
        assert all(name in MEASURES for name in family.shown)
        assert family.title


def test_references_are_in_the_bibliography_of_reports():
    assert {key for one in MEASURES.values() for key in one.references} <= set(PAPERS)


def test_every_setting_is_used_and_says_what_it_is():
    used = {name for one in MEASURES.values() for name in one.settings}
    assert used == set(SETTINGS)
    for setting in SETTINGS.values():
        assert setting.help.endswith(".")
        assert (setting.kind == "choice") == bool(setting.choices)


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("chance", Chance),
        ("convention", Convention),
        ("generation", Generation),
        ("missing", MissingPolicy),
        ("overlap", Overlap),
    ],
)
def test_choices_of_a_setting_are_those_of_the_functions(name, choices):
    assert SETTINGS[name].choices == get_args(choices)


def test_the_page_of_all_measures_is_up_to_date():
    """``python tests/support/measure_page.py`` writes it."""
    assert PAGE.read_text(encoding="utf-8") == page()
