"""Laws of all registered measures, on small data of their kind."""

from __future__ import annotations

import csv
import inspect
import io
import math
from collections.abc import Mapping
from typing import Any, get_args

import pytest

import unisono as un
from measure_page import PAGE, page
from unisono.measures.distances import NAMED_DISTANCES
from unisono.measures.gamma.chance import Chance
from unisono.measures.items.coefficients import MissingPolicy
from unisono.measures.items.metrics import RANK_WEIGHTS
from unisono.measures.items.resampling import Method
from unisono.measures.segmentation.windows import Convention
from unisono.measures.unitizing.alphas import Generation
from unisono.model.overlap import Overlap
from unisono.model.segmentation import Gaps
from unisono.registry import (
    FAMILIES,
    MEASURES,
    SETTINGS,
    STUDIES,
    Measure,
    Setting,
    measure_named,
    measures_of,
)
from unisono.reports.methods import PAPERS
from unisono.results.render import csv_text
from unisono.simulation.shuffling.errors import ErrorType

UNITS = [
    *[("ann", 0, 10, "A"), ("ann", 12, 20, "B"), ("ann", 25, 30, "A")],
    *[("bob", 0, 11, "A"), ("bob", 12, 19, "A"), ("bob", 24, 30, "B")],
    *[("cat", 1, 10, "A"), ("cat", 13, 20, "B")],
]
ROWS = [list("aabbcabc"), list("aabbcabb"), list("abbbcabc")]
GROUPS = {"ann": ["abc", "de", "fgh"], "bob": ["ab", "cde", "fg", "h"], "cat": ["abc", "dei", "f"]}
CUTS = {"ann": [2, 3, 6], "bob": [5, 6], "cat": [2, 4, 5]}
# Arguments that are not settings: data, details of the result, and execution.
BESIDE = {
    *("clusters", "within", "by_label", "by_pair", "by_document"),
    *("workers", "executor", "on_error", "checkpoint", "progress", "diagnosis", "result"),
}
RUN: dict[str, dict[str, Any]] = {"gamma": {"draws": 30, "rng": 1}}


def data_of(measure: Measure, change: str = "") -> tuple[Any, ...]:
    """Return data for a measure, optionally with a change to which it may be invariant."""
    if change == "degenerate":
        return degenerate(measure)
    if measure.data == "items":
        rows = [list(ROWS[0]) for _ in ROWS] if change == "identical" else ROWS
        rows = rows[:2] if measure.for_more else rows
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
    if measure.data == "chains":
        return (chains_of(change),)
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


def chains_of(change: str) -> un.Chains:
    """Make chains; their names are the labels, and rows are the order of chains."""
    groups = dict.fromkeys(GROUPS, GROUPS["ann"]) if change == "identical" else GROUPS
    order = sorted(groups, reverse=change == "annotators")
    renamed = dict(zip(groups, order, strict=True)) if change == "annotators" else {}
    units = [
        (renamed.get(name, name), ord(each), ord(each) + 1, f"{change}{number}")
        for name, chains in groups.items()
        for number, chain in enumerate(chains)
        for each in chain
    ]
    return un.Chains.from_corpus(
        un.Continuum.from_units(units[::-1] if change == "rows" else units)
    )


def degenerate(measure: Measure) -> tuple[Any, ...]:
    """Return data without pairs of values, positions for boundaries, or units."""
    if measure.data == "items":
        return (un.Ratings.from_matrix([["a", None], [None, "a"]]),)
    if measure.data == "segments":
        return (dict.fromkeys(("ann", "bob"), un.Segmentation.from_masses([1])),)
    if measure.data == "chains":
        return (un.Chains.from_groups({"ann": [], "bob": []}),)
    text = un.Continuum.from_units(UNITS).only(labels=[])
    if measure.data == "units":
        return (text,)
    return text.only(annotators=["ann"]), text.only(annotators=["bob"])


def parts_of(measure: Measure, change: str = "") -> dict[object, Any]:
    """Compute a measure, and return its own value, or the values by label."""
    result = measure.load()(*data_of(measure, change), **RUN.get(measure.family, {}))
    found = measure.value(result)
    return dict(found) if isinstance(found, Mapping) else {"": found}


def numbers(measure: Measure, change: str = "") -> list[float]:
    """Return the numbers that must not change: values, or observed disorders with random draws."""
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


@pytest.mark.parametrize("name", MEASURES)
def test_the_signature_names_the_measure(name):
    for part in parts_of(MEASURES[name]).values():
        assert part.signature.measure == name


@pytest.mark.parametrize("measure", MEASURES.values(), ids=list(MEASURES))
def test_degenerate_data_give_no_value_and_a_reason(measure):
    for part in parts_of(measure, "degenerate").values():
        # The edit distance of a text without positions for boundaries is defined.
        assert math.isnan(part) or measure.name == "generalized_hamming"
        assert bool(part.undefined) == math.isnan(part)


@pytest.mark.parametrize("measure", MEASURES.values(), ids=list(MEASURES))
def test_the_csv_of_its_result_has_its_values(measure):
    result = measure.load()(*data_of(measure), **RUN.get(measure.family, {}))
    if not hasattr(result, "sheet"):
        assert measure.name == "slot_error_agreement"
        return
    head, *rows = csv.reader(io.StringIO(csv_text(result.sheet())))
    cells = {cell for row in rows for cell in row}

    assert len(head) == len(set(head))
    assert {len(row) for row in rows} == {len(head)}
    for part in parts_of(measure).values():
        assert math.isnan(part) or repr(float(part)) in cells


@pytest.mark.parametrize("measure", MEASURES.values(), ids=list(MEASURES))
def test_perfect_agreement_is_one(measure):
    assert measure.agreement(measure.perfect) == 1.0
    assert measure.agreement(0.25) == (0.25 if measure.perfect else 0.75)


@pytest.mark.parametrize("entry", [*MEASURES.values(), *STUDIES.values()], ids=lambda one: one.name)
def test_its_function_is_public_and_has_its_settings(entry):
    function = entry.load()
    parameters = inspect.signature(function).parameters.values()
    # A measure is an optional positional argument of studies.
    settings = {
        one.name
        for one in parameters
        if one.kind is one.KEYWORD_ONLY or (one.name == "measure" and one.default is not one.empty)
    } - BESIDE
    if getattr(entry, "data", "") == "items":
        settings -= {"clusters", "confidence"}  # of the interval: settings of the family

    homes = (un, un.charts)
    assert any(getattr(home, function.__name__, None) is function for home in homes)
    assert sorted(entry.settings) == sorted(settings)


@pytest.mark.parametrize("measure", measures_of("items"), ids=lambda one: one.name)
def test_its_formula_makes_a_coefficient_of_its_settings(measure):
    assert measure.load_formula()().name == measure.name
    assert set(measure.settings) <= set(inspect.signature(measure.load_formula()).parameters)


def beyond(setting: Setting) -> list[float]:
    """Return values just beyond the limits of a setting."""
    if setting.kind not in ("count", "cost", "share", "shares"):
        return []
    above = setting.above if setting.least is None else setting.least - 1
    below = setting.below if setting.most is None else setting.most + 1
    return [each for each in (above, below) if each is not None]


@pytest.mark.parametrize(
    ("measure", "setting"),
    [
        (one, SETTINGS[name])
        for one in MEASURES.values()
        for name in one.settings
        if not one.part and beyond(SETTINGS[name])
    ],
    ids=lambda value: value.name,
)
def test_values_beyond_the_limits_of_a_setting_are_refused(measure, setting):
    for value in beyond(setting):
        given = {**RUN.get(measure.family, {}), setting.name: value}
        with pytest.raises(un.SettingError, match=f"^{setting.name} must "):
            measure.load()(*data_of(measure), **given)


TEXT = un.Continuum.from_units(UNITS)
RATINGS = un.Ratings.from_matrix(ROWS)
REFERENCE = TEXT.only(annotators=["ann"])
# Data and required settings of each study.
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    **dict.fromkeys(("measure_units", "consensus", "advise", "calibrate", "report"), ((TEXT,), {})),
    **dict.fromkeys(("measure_items", "compare_policies"), ((RATINGS,), {})),
    **dict.fromkeys(
        ("bootstrap", "bootstrap_values", "permutation_test"), ((RATINGS, "alpha"), {})
    ),
    "diagnose": ((RATINGS,), {}),
    "shuffle": ((REFERENCE,), {"magnitude": 0.5}),
    "error_curves": ((REFERENCE,), {"repeats": 1}),
    "compare": ((REFERENCE, TEXT.only(annotators=["bob"])), {}),
    "measure_segments": ((TEXT,), {"gaps": "segments"}),
    **dict.fromkeys(("measure_chains", "measure_pyramids"), ((chains_of(""),), {})),
    "reliability_study": (([0.2, 0.4, 0.5, 0.7, 0.8], [1, 3, 2, 4, 6]), {}),
    "plan_items": ((RATINGS,), {"width": 0.1}),
    "plan_documents": ((un.Corpus.from_continua({"a": TEXT, "b": TEXT}),), {"width": 0.1}),
    "CombinedDissimilarity": ((), {}),
}


@pytest.mark.parametrize(
    ("study", "setting"),
    [
        (study, study.setting(name))
        for study in STUDIES.values()
        for name in study.settings
        if beyond(study.setting(name))
    ],
    ids=lambda value: value.name,
)
def test_studies_refuse_values_beyond_the_limits_too(study, setting):
    data, needed = CALLS[study.name]
    for value in beyond(setting):
        given = [value] if setting.kind == "shares" else value
        with pytest.raises(un.SettingError, match=f"^{setting.name} must "):
            study.load()(*data, **{**needed, setting.name: given})


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
        assert set(family.shown) <= set(family.measures)
        assert family.title


def test_references_are_in_the_bibliography_of_reports():
    assert {key for one in MEASURES.values() for key in one.references} <= set(PAPERS)


def test_every_setting_is_used_and_has_help():
    tables = (MEASURES, STUDIES, FAMILIES)
    used = {name for table in tables for one in table.values() for name in one.settings}

    assert used | {"workers"} == set(SETTINGS)
    for setting in SETTINGS.values():
        assert setting.help.endswith(".")
        assert setting.kind.startswith("choice") == bool(setting.choices)


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("chance", Chance),
        ("convention", Convention),
        ("errors", ErrorType),
        ("gaps", Gaps),
        ("generation", Generation),
        ("method", Method),
        ("missing", MissingPolicy),
        ("overlap", Overlap),
    ],
)
def test_choices_of_a_setting_are_those_of_the_functions(name, choices):
    assert SETTINGS[name].choices == get_args(choices)


@pytest.mark.parametrize(
    ("name", "values"),
    [("distance", NAMED_DISTANCES), ("weights", (*RANK_WEIGHTS, *NAMED_DISTANCES))],
)
def test_named_values_of_a_setting_are_those_of_the_functions(name, values):
    setting = SETTINGS[name]

    assert tuple(setting.meanings) == tuple(values)
    assert set(setting.arguments) <= set(values)
    for value, argument in setting.arguments.items():
        example = argument.rpartition(" ")[2]
        with pytest.raises(un.SettingError):
            un.krippendorff_alpha(data_of(MEASURES["cohen_kappa"])[0], distance=f"{value}:x")
        checked = un.Ratings.from_matrix([[1, 2, 3], [1, 2, 2]])
        un.krippendorff_alpha(checked, distance=f"{value}:{example}")


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=lambda one: one.name)
def test_a_setting_has_what_a_form_needs(setting):
    named = setting.meanings or setting.choices

    assert setting.title[0].isupper() or not setting.title[0].isascii()
    assert set(setting.meanings) <= set(named)
    assert setting.default in named if named and isinstance(setting.default, str) else True
    assert not setting.replaced_by or SETTINGS[setting.replaced_by].default is None
    for other, accepted in setting.needs.items():
        assert set(accepted) <= set(SETTINGS[other].meanings)


def test_the_page_of_all_measures_is_up_to_date():
    """``make tables`` writes it."""
    assert PAGE.read_text(encoding="utf-8") == page()
