"""The command `doctor`: the state of the installation, and a self-check on published examples.

The library is imported inside the checks, so that a broken installation is reported instead of
ending the program.
"""

from __future__ import annotations

import importlib.util
import math
import os
import platform
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from unisono.cli.config import FILE_NAME, settings_file
from unisono.cli.exit_codes import ExitCode
from unisono.version import __version__

if TYPE_CHECKING:
    from unisono.model.continuum import Continuum

_Units: TypeAlias = "tuple[tuple[float, float, str], ...]"
DOCTOR_EXAMPLES = """\
Examples:

  unisono doctor
  unisono doctor > doctor.txt"""
_REINSTALL = "install unisono again: pip install --force-reinstall unisono"
# A line of the metadata, such as: vl-convert-python<2,>=1.6; extra == "plot"
_REQUIREMENT = re.compile(
    r"""(?P<name>[\w.-]+)(\[[^]]*\])?(?P<bounds>[^;]*)(;\s*extra\s*==\s*["'](?P<extra>\w+)["'])?"""
)
_BOUND = re.compile(r"(>=|<)\s*([\d.]+)")
_REQUIRED = "required"


class _Package(NamedTuple):
    """A package that unisono uses."""

    name: str
    bounds: str
    """The bounds of its version, such as ``>=1.26``."""
    installed: str | None

    @property
    def fits(self) -> bool:
        """Whether the installed version is within the bounds."""
        here = _numbers(self.installed or "")
        bounds = _BOUND.findall(self.bounds)
        return all((here >= _numbers(text)) is (sign == ">=") for sign, text in bounds)


class _Group(NamedTuple):
    """The required packages, or those of an extra."""

    name: str
    packages: tuple[_Package, ...]

    @property
    def missing(self) -> list[str]:
        """The names of packages that are not installed."""
        return [each.name for each in self.packages if each.installed is None]

    @property
    def text(self) -> str:
        """The installed versions, and how to install what is missing."""
        texts = [f"{each.name} {each.installed}" for each in self.packages if each.installed]
        if self.missing:
            remedy = "" if self.name == _REQUIRED else f" (pip install 'unisono[{self.name}]')"
            texts.append(f"not installed: {', '.join(self.missing)}{remedy}")
        return ", ".join(texts)

    @property
    def problems(self) -> list[str]:
        """What prevents unisono from working."""
        problems = [
            f"{each.name} {each.installed} is installed, but unisono needs {each.bounds}: "
            f"pip install '{each.name}{each.bounds}'"
            for each in self.packages
            if each.installed is not None and not each.fits
        ]
        if self.name == _REQUIRED and self.missing:
            problems.append(f"required, but not installed: {', '.join(self.missing)}; {_REINSTALL}")
        return problems


def doctor() -> ExitCode:
    """Show versions, and check that the installation works."""
    groups, problems = _packages()
    problems += [problem for each in groups for problem in each.problems]
    complete = {each.name for each in groups if not each.missing}
    checks = dict(_CHECKS)
    checks |= {what: check for name, what, check in _EXTRA_CHECKS if name in complete}
    failures = {what: _failure(check) for what, check in checks.items()}
    problems += [f"{what}: {failure}" for what, failure in failures.items() if failure]
    count = {0: "no problems", 1: "1 problem"}.get(len(problems), f"{len(problems)} problems")
    lines = [
        ("unisono", f"{__version__}, {count} found"),
        *_environment().items(),
        *((each.name, each.text) for each in groups),
        *(("ok", what) for what, failure in failures.items() if failure is None),
        *(("problem", " ".join(each.split())) for each in problems),
    ]
    # Not by the functions of `output`, which import the library.
    print("".join(f"{name:<10}{value}\n" for name, value in lines), end="")
    return ExitCode.ERROR if problems else ExitCode.GOOD


def _environment() -> dict[str, str]:
    """Return what affects a run, without names of users or folders."""
    kind = ", in a virtual environment" if sys.prefix != sys.base_prefix else ""
    kernel = importlib.util.find_spec("unisono._core")
    found = settings_file(Path.cwd())
    return {
        "Python": f"{platform.python_version()} ({platform.python_implementation()}){kind}",
        "platform": f"{platform.platform()}, {os.cpu_count()} processors",
        "kernel": "missing" if kernel is None else Path(kernel.origin or "").name,
        "output": getattr(sys.stdout, "encoding", None) or "unknown encoding",
        "settings": f"{'a' if found else 'no'} {FILE_NAME} in this folder or above",
    }


def _packages() -> tuple[list[_Group], list[str]]:
    """Return the packages that unisono uses, by extra, and problems with its metadata."""
    try:
        stated, requirements = version("unisono"), requires("unisono") or []
    except PackageNotFoundError:
        return [], [f"the metadata of unisono are missing; {_REINSTALL}"]
    groups: dict[str, list[_Package]] = {}
    for each in requirements:
        match = _REQUIREMENT.fullmatch(each.strip())
        if match is not None and match["name"] != "unisono":  # an extra made of others
            name, bounds = match["name"], match["bounds"].strip()
            groups.setdefault(match["extra"] or _REQUIRED, []).append(
                _Package(name, bounds, _installed(name))
            )
    problems = []
    if stated != __version__:
        problems.append(
            f"the metadata are those of version {stated}, the code is {__version__}; {_REINSTALL}"
        )
    return [_Group(name, tuple(packages)) for name, packages in groups.items()], problems


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _numbers(text: str) -> tuple[int, ...]:
    """Return a version for comparison: its numbers, without zeros at the end and suffixes."""
    match = re.match(r"[\d.]*\d", text)
    numbers = [int(each) for each in match[0].split(".") if each] if match else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def _failure(check: Callable[[], str | None]) -> str | None:
    """Return why a check fails, or `None`."""
    try:
        return check()
    except ImportError as error:
        return f"{error}; {_REINSTALL}"
    except Exception as error:  # noqa: BLE001 - reported with all others
        return f"{type(error).__name__}: {error}"


def _difference(value: float, expected: float) -> str | None:
    if math.isclose(value, expected, rel_tol=1e-12):
        return None
    return f"the value is {expected:.16g}, but {value:.16g} was computed; please report it"


# Imported inside the checks, as the docstring of the module says.
def _check_alpha() -> str | None:
    from unisono.measures.items.alpha import krippendorff_alpha  # noqa: PLC0415
    from unisono.model.ratings import Ratings  # noqa: PLC0415

    return _difference(float(krippendorff_alpha(Ratings.from_matrix(_RATINGS))), _ALPHA)


def _check_alignment() -> str | None:
    from unisono.measures.gamma.alignment import best_alignment  # noqa: PLC0415

    found = best_alignment(_continuum(_UNITS))
    if not found.proven:
        return "the alignment is not proven; please report it"
    return _difference(found.disorder, _DISORDER)


def _check_gamma() -> str | None:
    from unisono.measures.gamma.gamma import gamma  # noqa: PLC0415

    # If all annotators agree, γ is 1 whatever the draws are.
    agreed = _continuum(dict.fromkeys(_UNITS, _UNITS["Alex"]))
    return _difference(float(gamma(agreed, draws=30, rng=1, workers=2)), 1.0)


def _check_chart() -> str | None:
    from unisono.charts.alignment import continuum_chart  # noqa: PLC0415
    from unisono.charts.save import chart_svg  # noqa: PLC0415

    return None if "<svg" in chart_svg(continuum_chart(_continuum(_UNITS))) else "no SVG was drawn"


def _check_web() -> None:
    import_module("unisono.web.app")


def _continuum(units: Mapping[str, _Units]) -> Continuum:
    from unisono.model.continuum import Continuum  # noqa: PLC0415

    return Continuum.from_units([(name, *unit) for name, own in units.items() for unit in own])


# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: α = 0.743.
_RATINGS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
_ALPHA = 1 - (1 / 5) / (152 / 195)
# The example of pygamma-agreement, which prints 0.6535417.
_UNITS: Mapping[str, _Units] = {
    "Alex": (
        *((2, 9, "1"), (11, 17, "2"), (24, 30, "5")),
        *((32, 36, "6"), (36, 44, "6"), (44, 60, "7")),
    ),
    "Paul": ((2, 9, "1"), (11, 17, "3"), (19, 25, "5"), (32, 44, "6")),
    "Suzan": (
        *((2, 9, "1"), (11, 17, "4"), (21, 27, "5")),
        *((32, 36, "6"), (36, 40, "6"), (40, 44, "6")),
    ),
}
_DISORDER = 3137 / 4800
_CHECKS: Mapping[str, Callable[[], str | None]] = {
    "α of the example of Krippendorff (2011)": _check_alpha,
    "the proven alignment of an example of three annotators": _check_alignment,
    "γ of annotators who agree, with threads": _check_gamma,
}
_EXTRA_CHECKS: Sequence[tuple[str, str, Callable[[], str | None]]] = (
    ("plot", "a chart drawn as SVG", _check_chart),
    ("web", "the web interface, loaded but not started", _check_web),
)
