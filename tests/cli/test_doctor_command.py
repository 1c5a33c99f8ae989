"""`unisono doctor` reports the installation and finds what is wrong with it."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import unisono as un

# Runs the command in a process in which modules cannot be imported.
WITHOUT = "import sys; sys.modules.update(dict.fromkeys({}))\nfrom unisono.cli.main import main\n"


def lines_of(outcome):
    return [tuple(line.split(maxsplit=1)) for line in outcome.out.splitlines()]


def test_an_installation_that_works_has_no_problems(run):
    outcome = run("doctor")
    facts = dict(lines_of(outcome))

    assert (outcome.code, outcome.err) == (0, "")
    assert facts["unisono"] == f"{un.__version__}, no problems found"
    assert platform.python_version() in facts["Python"]
    assert f"numpy {np.__version__}" in facts["required"]
    assert facts["kernel"].startswith("_core.")
    assert {"plot", "web", "cluster"} <= set(facts)
    assert outcome.out.count("\nok ") == 5


def test_no_folder_or_name_of_a_user_is_shown(run, tmp_path, monkeypatch):
    (tmp_path / "unisono.toml").write_text("[gamma]\nseed = 1\n")
    monkeypatch.chdir(tmp_path)
    outcome = run("doctor")

    assert dict(lines_of(outcome))["settings"] == "a unisono.toml in this folder or above"
    for private in (tmp_path, Path.home(), sys.prefix, Path(un.__file__).parent):
        assert f"{private}{os.sep}" not in outcome.out


@pytest.mark.parametrize(
    ("module", "problem"),
    [
        ("unisono._core", "the proven alignment of an example of three annotators: import of"),
        ("numpy", "α of the example of Krippendorff (2011): import of numpy halted"),
        ("fastapi", "the web interface, loaded but not started: import of fastapi halted"),
    ],
)
def test_a_module_that_cannot_be_imported_is_reported(module, problem):
    code = f"{WITHOUT.format([module])}sys.exit(main(['doctor']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, encoding="utf-8"
    )

    assert (done.returncode, done.stderr) == (1, "")
    assert f"\nproblem   {problem}" in done.stdout
    assert "; install unisono again: pip install --force-reinstall unisono" in done.stdout


def test_a_wrong_value_is_reported(run, monkeypatch):
    monkeypatch.setattr("unisono.cli.doctor._DISORDER", 0.65)
    outcome = run("doctor")

    assert outcome.code == 1
    assert f"unisono   {un.__version__}, 1 problem found\n" in outcome.out
    assert "the value is 0.65, but 0.6535416666666" in outcome.out


def test_packages_of_other_versions_are_reported(run, monkeypatch):
    here = metadata.version
    other = {"rich": "13.9.3", "vl-convert-python": "2.0", "uvicorn": "1.0rc1"}
    monkeypatch.setattr("unisono.cli.doctor.version", lambda name: other.get(name) or here(name))
    outcome = run("doctor")

    assert outcome.code == 1
    assert f"unisono   {un.__version__}, 2 problems found\n" in outcome.out
    assert "rich 13.9.3 is installed, but unisono needs >=13.9.4: pip install" in outcome.out
    assert "vl-convert-python 2.0 is installed, but unisono needs" in outcome.out


def test_missing_extras_are_shown_and_no_problem(run, monkeypatch):
    here = metadata.version

    def version(name):
        if name in {"altair", "distributed"}:
            raise metadata.PackageNotFoundError(name)
        return here(name)

    monkeypatch.setattr("unisono.cli.doctor.version", version)
    outcome = run("doctor")
    facts = dict(lines_of(outcome))

    assert outcome.code == 0
    assert facts["plot"].endswith("not installed: altair (pip install 'unisono[plot]')")
    assert facts["cluster"] == "not installed: distributed (pip install 'unisono[cluster]')"
    assert "a chart drawn as SVG" not in outcome.out


def test_missing_and_old_metadata_are_reported(run, monkeypatch):
    monkeypatch.setattr("unisono.cli.doctor.version", lambda _name: "0.0.1")
    assert "the metadata are those of version 0.0.1, the code is" in run("doctor").out

    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("unisono.cli.doctor.version", missing)
    outcome = run("doctor")
    assert outcome.code == 1
    assert "the metadata of unisono are missing" in outcome.out
