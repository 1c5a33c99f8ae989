"""A measure that is registered appears in all readers of the registry, without another change."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUPPORT = ROOT / "tests" / "support"
# Before any reader is imported, as if the registry had the entries.
REGISTERED = """
import contextlib, io, json, sys
sys.path.insert(0, {support!r})
import made_up_measure
made_up_measure.register()
import unisono as un
text = un.read("examples/interview.csv")
def printed(*arguments):
    from unisono.cli.app import run
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out):
        assert run(arguments) == 0
    return out.buffer.getvalue().decode()
print(json.dumps({asked}))
"""


def answer(asked):
    """Return what an expression gives where the two measures are registered."""
    code = REGISTERED.format(support=str(SUPPORT), asked=asked)
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def table():
    return answer(
        "dict(json=(found := un.measure_units(text, draws=10, rng=1, tolerance=0.25)).to_dict(), "
        "csv=found.to_csv(), shown=str(found), markdown=found.to_markdown(), repr=repr(found))"
    )


def test_it_is_a_public_name():
    assert answer('["made_up" in un.__all__, un.made_up(text).whole.value]') == [True, 1.0]


def test_it_stands_in_the_table_of_units(table):
    assert table["json"]["measures"]["made_up"]["value"] == 0.75
    assert {of["made_up_k"]["value"] for of in table["json"]["by_label"].values()} == {1.0}
    assert "M: made up" in table["json"]["notes"]
    lines = [line.split() for line in table["shown"].splitlines()]
    assert ["M", "0.7500", "–", "0.2500", "1.0000", "–"] in lines
    assert ["Mk", "aside", "1.0000", "–", "0.0000", "1.0000", "8"] in lines
    assert ", M 0.7500, " in table["repr"]
    assert "\nmade_up,,0.75," in table["csv"].replace("all,", "")
    assert "`made_up|tolerance:0.25`" in table["markdown"]


def test_its_json_fits_the_schema(table):
    jsonschema = pytest.importorskip("jsonschema")
    schema = answer("__import__('unisono.results.record', fromlist=['x']).json_schema()")

    jsonschema.Draft202012Validator(schema).validate({"schema": 1} | table["json"])


def test_it_has_curves():
    found = answer(
        'dict(curves=list((scan := un.error_curves(un.generate_reference(8, labels="AB", rng=1), '
        "magnitudes=(0, 1), repeats=1, rng=1, draws=5, tolerance=0.5)).curves), "
        'value=float(scan.curve("made_up").mean[0]), shown=str(scan))'
    )

    assert {"made_up", "made_up_k:A", "made_up_k:B"} <= set(found["curves"])
    assert found["value"] == 0.5
    assert " Mk A" in found["shown"]


def test_a_description_names_it():
    families = answer('un.describe(un.read("examples/interview.csv")).to_dict()["families"]')

    assert any("made_up" in family["measure_names"] for family in families)


def test_commands_take_it():
    both = answer(
        '[json.loads(printed("units", "examples/interview.csv", "--draws", "10", "--json")), '
        'json.loads(printed("curves", "--units", "8", "--measure", "made-up", "--magnitudes", "2", '
        '"--repeats", "1", "--json"))]'
    )

    assert both[0]["measures"]["made_up"]["value"] == 1.0
    assert list(both[1]["curves"]) == ["made_up"]


def test_the_service_and_the_pages_name_it():
    found = answer(
        "dict(served=(requests := __import__('unisono.web.requests', fromlist=['x']))"
        ".registry_record(), "
        "requests=[one.name for one in requests.REQUESTS['units'].measures], "
        "page=__import__('measure_page').page(), report=un.report(text, draws=10, rng=1, "
        "charts=False, gains=False).to_markdown())"
    )

    assert "made_up" in [one["name"] for one in found["served"]["measures"]]
    assert "made_up" in found["requests"]
    assert "| `made_up` | M | nothing at all |" in found["page"]
    assert "M = 1.000" in found["report"]
