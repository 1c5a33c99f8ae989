"""Options of settings agree with the table of settings."""

import inspect
import re

import pytest

from unisono.cli.app import COMMANDS, program
from unisono.cli.config import options_by_name
from unisono.registry import FAMILIES, MEASURES, SETTINGS, STUDIES


def of_family(name):
    measures = [measure for measure in MEASURES.values() if measure.family == name]
    return {one for measure in measures for one in measure.settings} | {*FAMILIES[name].settings}


def of_study(*names):
    return [STUDIES[name].setting(each) for name in names for each in STUDIES[name].settings]


UNITS = of_study("CombinedDissimilarity")
SETTINGS_OF = {
    "gamma": [*map(SETTINGS.get, of_family("gamma")), *UNITS],
    "unitizing": [*map(SETTINGS.get, of_family("unitizing"))],
    "segments": [*map(SETTINGS.get, of_family("segmentation"))],
    "items": [
        STUDIES["bootstrap"].setting(each) if each == "resamples" else SETTINGS[each]
        for each in of_family("items")
    ],
    "units": of_study("measure_units", "CombinedDissimilarity"),
    "compare": of_study("compare", "CombinedDissimilarity"),
    "consensus": of_study("consensus", "CombinedDissimilarity"),
    "calibrate": of_study("calibrate", "CombinedDissimilarity"),
    "report": of_study("report", "CombinedDissimilarity"),
    "advise": of_study("advise", "CombinedDissimilarity"),
    "missing-policies": of_study("compare_policies"),
    "plan": of_study("plan_items"),
    "shuffle": of_study("shuffle"),
    "curves": [
        each
        for each in of_study("error_curves", "CombinedDissimilarity")
        if each.name != "confidence"
    ],
    "chart": [
        *of_study("chart_spec", "CombinedDissimilarity"),
        SETTINGS["support"],
        SETTINGS["title"],
    ],
}


@pytest.mark.parametrize("command", SETTINGS_OF)
def test_options_have_help_and_choices_of_settings(command):
    options = options_by_name(program(only=command)[command].assemble_argument_collection())

    for setting in SETTINGS_OF[command]:
        if setting.option.startswith("--"):
            shown = options[setting.option.removeprefix("--").removeprefix("no-")]
            assert shown.get_choices() in (None, setting.choices), setting.name
            assert shown.parameter.help == setting.help, setting.name
            assert shown.parameter.metavar == (setting.metavar or None), setting.name


# Required options, in addition to a file.
NEEDED: dict[str, dict[str, tuple[object, ...]]] = {
    "chart": {"continuum": (), "-o": ("chart.json",)},
    "plan": {"--width": (0.1,)},
    "shuffle": {"--magnitude": (0.1,)},
}


@pytest.mark.parametrize("command", SETTINGS_OF)
def test_numbers_outside_limits_are_rejected_before_reading(run, command):
    for setting in SETTINGS_OF[command]:
        if setting.kind in ("count", "cost", "share") and setting.option.startswith("--"):
            value = setting.above if setting.least is None else setting.least - 1
            options = {**NEEDED.get(command, {}), "nowhere.csv": (), setting.option: (value,)}
            outcome = run(command, *(part for name, of in options.items() for part in (name, *of)))

            assert outcome.code == 2
            assert f"unisono: {setting.option} must " in outcome.err


@pytest.mark.parametrize("command", COMMANDS)
def test_docstrings_do_not_repeat_help_of_settings(command):
    text = inspect.getdoc(COMMANDS[command].load()) or ""
    described = set(re.findall(r"^\w+$", text, re.MULTILINE))
    arguments = program(only=command)[command].assemble_argument_collection()

    has_sentence = {one.field_info.name for one in arguments if one.parameter.help}
    assert described & has_sentence == set()


@pytest.mark.parametrize("command", ["items", "segments"])
def test_option_for_measures_lists_them(command):
    options = options_by_name(program(only=command)[command].assemble_argument_collection())
    family = {"items": "items", "segments": "segmentation"}[command]
    words = str(options["measure"].parameter.help).replace(",", " ").split()

    for measure in MEASURES.values():
        shown = measure.name in words
        assert shown == (measure.family == family and not measure.part), measure.name
