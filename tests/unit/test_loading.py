"""What a call loads: only what it needs, seen in ``sys.modules`` of a fresh process."""

from __future__ import annotations

import subprocess
import sys

import pytest

ALPHA = "un.krippendorff_alpha(un.Ratings.from_matrix([[1, 2, 1, 3], [1, 2, 2, 3]]))"
GAMMA = "main(['gamma', 'examples/interview.csv', '--draws', '30', '--json'])"
COMMAND_IMPORT = "from unisono.cli.main import main"
LATER_ROOMS = ("charts", "reports", "web", "studies", "simulation")


def loaded_by(call: str, imports: str = "import unisono as un") -> set[str]:
    code = f"import sys\n{imports}\n{call}\nprint()\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def rooms_of(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("unisono.")}


@pytest.mark.parametrize("call", ["un.krippendorff_alpha", ALPHA])
def test_alpha_loads_no_kernel_no_files_and_nothing_that_shows(call):
    loaded = loaded_by(call)

    assert "unisono.measures.items.alpha" in loaded
    assert not rooms_of(loaded) & {"_core", "formats", "parallel", "cli", *LATER_ROOMS}
    assert not loaded & {"rich", "cyclopts", "altair"}


def test_gamma_on_the_command_line_loads_none_of_the_rooms_above_measures():
    loaded = loaded_by(GAMMA, imports=COMMAND_IMPORT)

    assert "unisono.measures.gamma.gamma" in loaded
    assert not rooms_of(loaded) & set(LATER_ROOMS)
    assert not loaded & {"multiprocessing", "asyncio", "narwhals", "altair"}


@pytest.mark.parametrize(
    "home", ["unisono", "unisono.results", "unisono.charts", "unisono.parallel"]
)
def test_a_public_home_loads_no_numpy(home):
    assert "numpy" not in loaded_by("", imports=f"import {home}")
