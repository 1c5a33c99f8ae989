"""The JSON of all commands fits the shipped schema, and pages are complete."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest

from unisono.cli.app import COMMANDS, program
from unisono.results import json_schema
from unisono.results.html import STYLE

FEW = ("--draws", 12, "--seed", 1)
INTERVIEW = "examples/interview.csv"
RATINGS = "examples/politeness.csv"
# The arguments of each command, and the class of its result.
WRITTEN: dict[str, list[tuple[tuple[object, ...], str]]] = {
    "describe": [(("examples/corpus",), "Description")],
    "gamma": [(("{talk}", *FEW), "GammaAgreement"), (("{talks}", *FEW), "GammaAgreement")],
    "unitizing": [(("{talk}", "--overlap", "merge"), "UnitizingTable")],
    "segments": [(("examples/paragraphs.csv",), "MeasureTable")],
    "units": [(("{talk}", *FEW), "UnitsTable")],
    "compare": [
        (("{talk}", "--reference", "Alex", "--hypothesis", "Paul", *FEW), "Comparison"),
        (("{talk}", "--reference", "Alex", "--hypothesis", "Paul", "--no-gamma"), "Comparison"),
        (("{talks}/alike.csv", "{talks}/unlike.csv", "--hypothesis", "Paul", *FEW), "Comparison"),
    ],
    "items": [((RATINGS,), "MeasureTable"), ((RATINGS, "--measure", "alpha"), "MeasureTable")],
    "chains": [(("examples/coreference",), "MeasureTable")],
    "pyramids": [(("examples/pyramids.csv",), "PyramidAgreement")],
    "align": [(("{talk}",), "Alignment")],
    "diagnose": [(("{talk}", *FEW), "Diagnosis"), (("{talks}", *FEW), "Diagnosis")],
    "advise": [(("{talk}", "--merges", 1, *FEW), "Advice")],
    "consensus": [(("{talks}",), "Consensus")],
    "calibrate": [
        (
            (INTERVIEW, "--errors", "category", "--magnitudes", "0,0.5,1", "--repeats", 5),
            "Calibration",
        )
    ],
    "reliability": [
        (
            ("examples/reliability.csv", "--agreement", "gamma", "--outcome", "f1"),
            "ReliabilityStudy",
        )
    ],
    "missing-policies": [((RATINGS, "--repeats", 20, "--seed", 1), "PolicyComparison")],
    "plan": [((RATINGS, "--width", 0.2, "--resamples", 100, "--seed", 1), "Plan")],
    "shuffle": [
        (
            ("{talk}", "--reference", "Alex", "--magnitude", 0.5, "--simulate", 2, "--seed", 1),
            "ShuffledCorpus",
        )
    ],
    "curves": [
        (
            ("--units", 8, "--magnitudes", 2, "--repeats", 2, "--draws", 5, "--seed", 1),
            "ErrorCurves",
        )
    ],
    "reproduce": [(("komen", "--quick"), "Reproduction")],
}
CASES = [(command, *case) for command, cases in WRITTEN.items() for case in cases]


@pytest.fixture(scope="module")
def schema():
    return json_schema()


def validator_of(schema, name):
    (one,) = (each for each in schema["anyOf"] if each["$ref"] == f"#/$defs/{name}")
    return jsonschema.Draft202012Validator({**schema, "anyOf": [one]})


def test_all_commands_with_json_are_tested():
    with_json = {
        command
        for command in COMMANDS
        for argument in program(only=command)[command].assemble_argument_collection()
        if "--json" in (argument.names or ())
    }

    assert set(WRITTEN) == with_json


@pytest.mark.parametrize(("command", "arguments", "name"), CASES)
def test_json_of_a_command_fits_the_schema(
    run, schema, talk, talks, tmp_path, command, arguments, name
):
    typed = [str(each).format(talk=talk, talks=talks) for each in arguments]
    outcome = run(command, *typed, "--json")
    written = run(command, *typed, "-o", tmp_path / "written.json")
    record = json.loads(outcome.out)

    assert (outcome.code, written.code) == (0, 0), outcome.err + written.err
    validator_of(schema, name).validate(record)
    assert json.loads((tmp_path / "written.json").read_text(encoding="utf-8")) == record


@pytest.mark.parametrize("command", WRITTEN)
def test_a_page_has_a_title_and_loads_nothing(run, talk, talks, tmp_path, command):
    arguments, _ = WRITTEN[command][0]
    typed = [str(each).format(talk=talk, talks=talks) for each in arguments]
    target = tmp_path / "written.html"
    code = run(command, *typed, "-o", target).code
    page = target.read_text(encoding="utf-8")
    (title,) = re.findall("<title>(.+)</title>", page)

    assert code == 0
    assert page.startswith("<!DOCTYPE html>")
    assert f"<h1><bdi>{title}</bdi></h1>" in page
    assert STYLE in page
    assert not re.findall(r"<script|<link|@import|(?:src|href)=\"(?!#)", page)


def test_json_of_a_report_fits_the_schema(run, schema, talk, tmp_path):
    target = tmp_path / "report.json"
    printed = run("report", talk, "--to", "json", *FEW)

    assert run("report", talk, "-o", target, *FEW).code == printed.code == 0
    validator_of(schema, "AgreementReport").validate(json.loads(printed.out))
    validator_of(schema, "AgreementReport").validate(json.loads(target.read_text(encoding="utf-8")))
