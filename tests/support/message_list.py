"""Every message of the program in one text: errors as tests provoke them, and all help texts.

``make messages`` runs the tests with `message_recorder` and writes ``build/messages.txt``. It fails
if an error message is left that no test provokes.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from message_recorder.sitecustomize import is_place
from unisono import errors

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(errors.__file__).resolve().parent
FOLDER = Path(__file__).resolve().parents[2] / "build" / "messages"
_EXAMPLES = 3  # messages shown for each place


class Place(NamedTuple):
    """Where an exception with a message is made."""

    file: str
    line: int
    column: int


def places() -> list[Place]:
    """Return all places in the sources where an exception with a message is made."""
    return sorted(each for path in SOURCES.rglob("*.py") for each in _places_in(path))


def _places_in(path: Path) -> Iterator[Place]:
    file = str(path.relative_to(SOURCES))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and is_place(node):
            yield Place(file, node.lineno, node.col_offset)


def collected() -> dict[Place, list[str]]:
    """Return the messages of all places that the last run of the tests made."""
    found: dict[Place, set[str]] = {place: set() for place in places()}
    for path in FOLDER.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            where, message = json.loads(line)
            file, row, column = where.rsplit(":", 2)
            # A test that changes a copy of the sources makes other places.
            if Path(file).is_relative_to(SOURCES):
                place = Place(str(Path(file).relative_to(SOURCES)), int(row), int(column))
                found[place].add(message)
    return {
        place: sorted(texts, key=lambda each: (len(each), each)) for place, texts in found.items()
    }


def help_texts() -> dict[str, str]:
    """Return the help of the program and of every command."""
    from unisono.cli.app import COMMANDS

    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    found = {}
    for words in ([], *([name] for name in COMMANDS)):
        command = [sys.executable, "-m", "unisono", *words, "--help"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        found[" ".join(["unisono", *words, "--help"])] = done.stdout
    return found


def text(found: dict[Place, list[str]]) -> str:
    """Return all messages and help texts, to be read from top to bottom."""
    lines = [f"{len(found)} places make an error message\n"]
    for place, texts in found.items():
        lines.append(f"{place.file}:{place.line}")
        lines += [f"    {each}" for each in texts[:_EXAMPLES] or ["(no test provokes it)"]]
    for command, shown in help_texts().items():
        lines += ["", f"$ {command}", shown]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the text; return 1 if a message is left that no test provokes."""
    found = collected()
    target = FOLDER.with_suffix(".txt")
    target.write_text(text(found), encoding="utf-8")
    missing = [place for place, texts in found.items() if not texts]
    for place in missing:
        sys.stderr.write(f"no test provokes the message at {place.file}:{place.line}\n")
    sys.stdout.write(f"{len(found) - len(missing)} of {len(found)} messages: {target}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
