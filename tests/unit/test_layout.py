"""The layout holds: imports go one way, and no kernel file is left out of build, lint or tests."""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "unisono"
HOMES = {"", "results", "charts", "parallel"}


def contracts(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the import contracts of a copy of the package."""
    lint = "import importlinter.cli; importlinter.cli.lint_imports_command()"
    # -S: an editable installation would be found before the copy.
    command = [
        sys.executable,
        "-S",
        "-c",
        lint,
        "--no-cache",
        "--config",
        str(ROOT / "pyproject.toml"),
    ]
    paths = os.pathsep.join([str(folder), *site.getsitepackages()])
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )


@pytest.fixture
def package(tmp_path: Path) -> Path:
    pytest.importorskip("importlinter", reason="make test-lowest installs no import-linter")
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(SOURCES, tmp_path / "unisono", ignore=ignored)
    return tmp_path


def test_the_package_keeps_its_contracts(package):
    assert contracts(package).returncode == 0


@pytest.mark.parametrize(
    ("module", "wrong"),
    [
        ("model/labels.py", "from unisono.measures.distances import DistanceName"),
        ("results/record.py", "from unisono.formats.read import read"),
        ("measures/items/alpha.py", "from unisono.measures.gamma.gamma import gamma"),
        ("reports/report.py", "from unisono.web.task import Task"),
    ],
)
@pytest.mark.parametrize("way", ["at the top", "for type checking", "in a function"])
def test_a_wrong_import_breaks_a_contract(package, module, wrong, way):
    planted = {
        "at the top": wrong,
        "for type checking": f"if TYPE_CHECKING:\n    {wrong}",
        "in a function": f"def planted():\n    {wrong}",
    }[way]
    path = package / "unisono" / module
    path.write_text(f"{path.read_text(encoding='utf-8')}\n\n{planted}\n", encoding="utf-8")

    checked = contracts(package)
    assert checked.returncode == 1
    assert "is not allowed to import" in checked.stdout


def test_packages_but_the_public_homes_have_empty_init_files():
    full = [
        path.parent.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("__init__.py")
        if path.read_text(encoding="utf-8").strip()
    ]
    assert {"" if name == "." else name for name in full} == HOMES


def kernel_files(*suffixes: str) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "kernel").rglob("*")
        if path.suffix in suffixes
    }


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make_sees_every_file_of_the_kernel():
    make = shutil.which("make") or ""
    command = [make, "--no-print-directory", "kernel-files"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(shown.stdout.split()) == kernel_files(".cpp", ".hpp")


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no CMake")
def test_cmake_compiles_every_file_of_the_kernel(tmp_path):
    """The module in the package build, all others in both builds, the tests in the self-tests."""
    cmake = shutil.which("cmake") or ""
    command = [cmake, "-S", ROOT, "-B", tmp_path, "-DUNISONO_SELF_TESTS=ON"]
    subprocess.run(command, capture_output=True, check=True)
    commands = (tmp_path / "compile_commands.json").read_text(encoding="utf-8")
    compiled = set(re.findall(r'"file": ".*/(kernel/[\w/]+\.cpp)"', commands))
    assert compiled == kernel_files(".cpp") - {"kernel/python/module.cpp"}
