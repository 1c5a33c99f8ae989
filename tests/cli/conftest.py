"""Run the program in the test process, on small data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from unisono.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ALEX = (("1", 2, 9), ("2", 11, 17), ("5", 24, 30), ("6", 32, 36), ("6", 36, 44), ("7", 44, 60))
PAUL = (("1", 2, 9), ("3", 11, 17), ("5", 19, 25), ("6", 32, 44))
SUZAN = (("1", 2, 9), ("4", 11, 17), ("5", 21, 27), ("6", 32, 36), ("6", 36, 40), ("6", 40, 44))
ROWS = [
    (annotator, *unit)
    for annotator, units in (("Alex", ALEX), ("Paul", PAUL), ("Suzan", SUZAN))
    for unit in units
]


class Outcome(NamedTuple):
    """The outcome of a run of the program."""

    code: int
    out: str
    err: str

    @property
    def record(self) -> dict[str, Any]:
        """The printed JSON without its version; fails if anything else was printed."""
        printed = dict(json.loads(self.out))
        assert printed.pop("schema") == 1
        return printed


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run the program with these arguments."""

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """Sixteen units of three annotators; their best alignment has disorder 0.6535417."""
    return write(tmp_path / "talk.csv", ROWS)


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """Three documents: with perfect agreement, with little agreement, and with one annotator."""
    folder = tmp_path / "talks"
    folder.mkdir()
    alex = [("Alex", *unit) for unit in ALEX]
    write(folder / "alike.csv", [*alex, *(("Paul", *unit) for unit in ALEX)])
    late = [("Paul", label, start + 5, end + 5) for label, start, end in ALEX]
    write(folder / "unlike.csv", [*alex, *late])
    write(folder / "lone.csv", alex)
    return folder


def write(path: Path, rows: list[tuple[str, str, int, int]]) -> Path:
    lines = ["annotator,label,start,end", *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
