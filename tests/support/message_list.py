"""Every message of the program in one text: errors as tests provoke them, and all help texts.

``make messages`` runs the tests with `Recorder` and writes ``build/messages.txt``. It fails if an
error message is left that no test provokes.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono import errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType, TracebackType

SOURCES = Path(errors.__file__).resolve().parent
FOLDER = Path(__file__).resolve().parents[2] / "build" / "messages"
_RAISED = frozenset({"TypeError", "ValueError", "KeyError", "IndexError", *errors.__all__})
_EXAMPLES = 3  # messages shown for each place


class Place(NamedTuple):
    """Where an exception with a message is made."""

    file: str
    first: int
    last: int


def places() -> list[Place]:
    """Return all places in the sources where an exception with a message is made."""
    return sorted(each for path in SOURCES.rglob("*.py") for each in _places_in(path))


def _places_in(path: Path) -> Iterator[Place]:
    file = str(path.relative_to(SOURCES))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and _called(node) in _RAISED:
            yield Place(file, node.lineno, node.end_lineno or node.lineno)


def _called(node: ast.Call) -> str:
    name = node.func
    return name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")


class Recorder:
    """A plugin of pytest that notes which messages are made, and where."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: dict[str, dict[str, None]] = defaultdict(dict)

    def pytest_sessionstart(self) -> None:
        recorder, made = self, errors.UnisonoError.__init__

        def noted(error: errors.UnisonoError, *args: Any, **keywords: Any) -> None:
            made(error, *args, **keywords)
            recorder._note_frame(sys._getframe(1), str(error))

        errors.UnisonoError.__init__ = noted  # type: ignore[method-assign,assignment]
        from _pytest.raises import RaisesExc

        left = RaisesExc.__exit__

        def exited(
            context: RaisesExc[Any],
            kind: type[BaseException] | None,
            error: BaseException | None,
            trace: TracebackType | None,
        ) -> bool:
            if isinstance(error, TypeError | ValueError | LookupError):
                recorder._note_trace(trace, str(error))
            return left(context, kind, error, trace)

        RaisesExc.__exit__ = exited  # type: ignore[method-assign]

    def _note_frame(self, frame: FrameType | None, text: str) -> None:
        # The constructors of subclasses lie between.
        while frame is not None:
            path = frame.f_code.co_filename
            if path.startswith(str(SOURCES)) and not path.endswith("unisono/errors.py"):
                self._note(path, frame.f_lineno, text)
                return
            if frame.f_code.co_name == "__call__":
                return
            frame = frame.f_back

    def _note_trace(self, trace: TracebackType | None, text: str) -> None:
        last = None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename.startswith(str(SOURCES)):
                last = trace
            trace = trace.tb_next
        if last is not None:
            self._note(last.tb_frame.f_code.co_filename, last.tb_lineno, text)

    def _note(self, path: str, line: int, text: str) -> None:
        texts = self.found[f"{Path(path).relative_to(SOURCES)}:{line}"]
        if len(texts) < _EXAMPLES:
            texts[text] = None

    def pytest_sessionfinish(self) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        record = {place: [*texts] for place, texts in self.found.items()}
        FOLDER.joinpath(f"{self.name}.json").write_text(json.dumps(record), encoding="utf-8")


def collected() -> dict[Place, list[str]]:
    """Return the messages of all places that the last run of the tests made."""
    by_line: dict[tuple[str, int], dict[str, None]] = defaultdict(dict)
    for path in FOLDER.glob("*.json"):
        for place, texts in json.loads(path.read_text(encoding="utf-8")).items():
            file, _, line = place.rpartition(":")
            by_line[file, int(line)].update(dict.fromkeys(texts))
    found: dict[Place, list[str]] = {place: [] for place in places()}
    for (file, line), texts in by_line.items():
        for place, known in found.items():
            if place.file == file and place.first <= line <= place.last:
                known += [each for each in texts if each not in known]
    return found


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
        lines.append(f"{place.file}:{place.first}")
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
        sys.stderr.write(f"no test provokes the message at {place.file}:{place.first}\n")
    sys.stdout.write(f"{len(found) - len(missing)} of {len(found)} messages: {target}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
