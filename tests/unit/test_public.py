"""Public names: stubs, docstrings, and the cost of importing them."""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import unisono as un
from public_stubs import stub, stub_of
from unisono.public import PUBLIC, public_names

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAVY = {"pandas", "scipy", "altair", "fastapi", "cyclopts", "rich", "polars", "pyarrow"}


def documented() -> Iterator[tuple[str, object]]:
    """Yield all public classes and functions, with the public methods of the classes."""
    things = {name: getattr(home, name) for home in (un, un.results) for name in home.__all__}
    for name, thing in things.items():
        if name == "__version__":
            continue
        yield name, thing
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            is_method = inspect.isfunction(value) or isinstance(
                value, classmethod | staticmethod | property
            )
            if is_method and not member.startswith("_"):
                yield f"{name}.{member}", value


DOCUMENTED = dict(documented())


def test_the_names_are_sorted_and_stand_there_once():
    assert un.__all__ == sorted(set(un.__all__))


def test_every_name_is_there():
    assert [name for name in un.__all__ if not hasattr(un, name)] == []


@pytest.mark.parametrize("home", PUBLIC)
def test_the_stub_lists_what_is_public(home):
    """``make tables`` writes the stub."""
    assert stub_of(home).read_text(encoding="utf-8") == stub(home)
    assert importlib.import_module(home).__all__ == list(public_names(home))


@pytest.mark.parametrize("home", PUBLIC)
def test_public_names_are_defined_where_they_are_listed(home):
    for name, module in public_names(home).items():
        value = getattr(importlib.import_module(home), name)
        if inspect.isfunction(value) or (inspect.isclass(value) and name != "Chart"):
            assert value.__module__ == module, name


def test_a_star_imports_what_is_public():
    code = "from unisono import *; print(gamma.__name__, 'PUBLIC' in globals())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "gamma False\n"


def test_homes_are_attributes_of_the_package():
    code = "import unisono as un; print(un.charts.can_draw.__name__, un.results.Interval.__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "can_draw Interval\n"


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'gama'"):
        _ = un.gama  # type: ignore[attr-defined]
    assert not hasattr(un, "__nothing__")


def test_methods_are_among_what_must_be_documented():
    assert {"Continuum.from_units", "Corpus.from_frame", "Alignment.gap"} <= set(DOCUMENTED)


def test_every_public_name_has_a_docstring():
    assert [name for name, thing in DOCUMENTED.items() if not inspect.getdoc(thing)] == []


@pytest.mark.parametrize(
    "name", [name for name, thing in DOCUMENTED.items() if not isinstance(thing, property)]
)
def test_every_class_function_and_method_has_an_example(name):
    text = inspect.getdoc(DOCUMENTED[name]) or ""
    assert ">>> " in text.partition("\nExamples\n--------\n")[2]


def test_the_version_is_the_installed_one():
    assert un.__version__ == importlib.metadata.version("unisono")


def test_importing_loads_nothing_heavy():
    code = "import sys, unisono; print(*sys.modules); unisono.gamma; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = (set(line.split()) for line in run.stdout.splitlines())
    assert not {"numpy", "unisono.errors", "unisono.registry"} & before
    assert "unisono.measures.gamma.gamma" in after
    assert after & HEAVY == set()
