"""Record each error message that a process makes, with the place that makes it.

Python imports this module when it starts if this folder is in ``PYTHONPATH``, so that the processes
which a test starts are recorded, too. The modules of unisono are compiled with a call around each
place of `message_list.places`, which appends the message to a file of the process in the folder
``UNISONO_MESSAGES``.
"""

from __future__ import annotations

import builtins
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_EXCEPTIONS = frozenset(
    (
        *("TypeError", "ValueError", "KeyError", "IndexError", "RuntimeError", "OSError"),
        *("UnisonoError", "DataError", "ReadError", "AmbiguousInputError", "SettingError"),
        *("WorkError", "ProblemError"),
    )
)
_EXAMPLES = 20  # messages that a process records for a place


def is_place(node: ast.AST) -> bool:
    """Whether the node of a syntax tree makes an exception with a message."""
    if type(node).__name__ != "Call" or not node.args:  # type: ignore[attr-defined]
        return False
    name = node.func  # type: ignore[attr-defined]
    return getattr(name, "id", getattr(name, "attr", "")) in _EXCEPTIONS


class _Record:
    """Appends messages to a file of the process."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known: set[tuple[str, str]] = set()
        self._counts: Counter[str] = Counter()

    def __call__(self, error: BaseException, place: str) -> BaseException:
        text = str(error)
        if (place, text) not in self._known and self._counts[place] < _EXAMPLES:
            self._known.add((place, text))
            self._counts[place] += 1
            os.makedirs(self._folder, exist_ok=True)  # noqa: PTH103 - tests replace methods of Path
            name = os.path.join(self._folder, f"{os.getpid()}.jsonl")  # noqa: PTH118
            with open(name, "ab") as file:  # noqa: PTH123
                file.write(json.dumps([place, text]).encode() + b"\n")
        return error


class _Loader:
    """Executes a module with calls of the record; otherwise the loader that it wraps."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave the creation of the module to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Compile the module with calls of the record, and execute it."""
        import ast

        class Recorded(ast.NodeTransformer):
            def visit_Call(self, node: ast.Call) -> ast.AST:
                self.generic_visit(node)
                if not is_place(node):
                    return node
                place = ast.Constant(f"{module.__file__}:{node.lineno}:{node.col_offset}")
                name = ast.Name("__unisono_record__", ast.Load())
                return ast.copy_location(ast.Call(name, [node, place], []), node)

        file = str(module.__file__)
        tree = Recorded().visit(ast.parse(Path(file).read_text(encoding="utf-8")))
        code = compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102 - what any loader does


class _Finder:
    """Finds the modules of unisono by the other finders, and replaces their loaders."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a module of unisono that is written in Python."""
        if name.partition(".")[0] != "unisono":
            return None
        for finder in sys.meta_path:
            if finder is not self and (spec := finder.find_spec(name, path, target)):
                if spec.origin and spec.origin.endswith(".py"):
                    spec.loader = _Loader(spec.loader)  # type: ignore[assignment]
                return spec
        return None


# A test run may import this module a second time, under another name.
if __name__ == "sitecustomize" and (folder := os.environ.get("UNISONO_MESSAGES")):
    builtins.__unisono_record__ = _Record(folder)  # type: ignore[attr-defined]
    sys.meta_path.insert(0, _Finder())
