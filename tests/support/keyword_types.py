"""The types of settings that functions pass on: ``python tests/support/keyword_types.py``.

A study that passes settings on to measures takes them as ``**settings: Unpack[…]``. The classes are
made from the registry, which says what is passed on, and from the signatures of the functions.
"""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

from unisono.registry import MEASURES, STUDIES

SOURCES = Path(__file__).resolve().parents[2] / "src"
_BUILTIN = frozenset(dir(__builtins__)) | {"None"}
# Resampling draws items one by one.
_NOT_PASSED = frozenset({"clusters"})


def keyword_modules() -> dict[str, str]:
    """Return the text of each module of keyword types, by its name."""
    found: dict[str, dict[str, list[Any]]] = {}
    for study in STUDIES.values():
        if study.keywords:
            module, _, name = study.keywords.partition(":")
            found.setdefault(module, {}).setdefault(name, []).append(study)
    return {
        module: _module([_class(name, *studies) for name, studies in classes.items()], module)
        for module, classes in found.items()
    }


_imports: dict[str, dict[str, set[str]]] = {}


def _class(name: str, study: Any, *others: Any) -> str:
    own = {each for one in (study, *others) for each in inspect.signature(one.load()).parameters}
    where = study.keywords.partition(":")[0]
    lines: dict[str, str] = {}
    for each in study.passes:
        function = inspect.unwrap((STUDIES.get(each) or MEASURES[each]).load())
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY and parameter.name not in own | _NOT_PASSED:
                lines.setdefault(parameter.name, str(parameter.annotation))
                _note_imports(where, str(parameter.annotation), function.__module__)
    users = ", ".join(f"`{one.name}`" for one in (study, *others))
    fields = "".join(f"    {key}: {annotation}\n" for key, annotation in sorted(lines.items()))
    return (
        f"class {name}(TypedDict, total=False):\n"
        f'    """Settings that are passed on to measures.\n\n    By {users}.\n    """\n\n{fields}'
    )


def _note_imports(where: str, annotation: str, module: str) -> None:
    names = {each.id for each in ast.walk(ast.parse(annotation)) if isinstance(each, ast.Name)}
    tree = ast.parse(Path(inspect.getfile(import_module(module))).read_text(encoding="utf-8"))
    here = _imports.setdefault(where, {})
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if alias.name in names:
                    here.setdefault(node.module, set()).add(alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if (alias.asname or alias.name) in names:
                    here.setdefault("", set()).add(
                        f"{alias.name} as {alias.asname}" if alias.asname else alias.name
                    )
    defined = {each.id for node in tree.body for each in _targets(node)} & names
    if defined:
        here.setdefault(module, set()).update(defined)


def _targets(node: ast.stmt) -> list[ast.Name]:
    nodes = node.body if isinstance(node, ast.If) else [node]
    targets = [getattr(each, "target", None) for each in nodes]
    targets += [one for each in nodes for one in getattr(each, "targets", [])]
    return [each for each in targets if isinstance(each, ast.Name)]


def _module(classes: list[str], module: str) -> str:
    imports = _imports[module]
    lines = [f"    import {name}" for name in sorted(imports.get("", ()))]
    for source in sorted(set(imports) - {""}):
        lines += [
            f"    from {source} import {', '.join(sorted(imports[source] - {'Literal', 'Any'}))}"
        ]
    lines = [line for line in lines if not line.endswith("import ")]
    typing = {"TYPE_CHECKING", "TypedDict"} | (imports.get("typing", set()) & {"Literal", "Any"})
    names = sorted(each.split("(")[0].removeprefix("class ") for each in classes)
    listed = ", ".join(f'"{name}"' for name in names)
    return (
        '"""Types of the settings that studies pass on; written by ``make tables``."""\n\n'
        "from __future__ import annotations\n\n"
        f"from typing import {', '.join(sorted(typing))}\n\n"
        "if TYPE_CHECKING:\n"
        + "\n".join(lines)
        + f"\n\n__all__ = [{listed}]\n\n\n"
        + "\n\n".join(classes)
    )


def file_of(module: str) -> Path:
    """Return the file of a module."""
    return SOURCES.joinpath(*module.split(".")).with_suffix(".py")


if __name__ == "__main__":
    for each, text in keyword_modules().items():
        file_of(each).write_text(text, encoding="utf-8")
