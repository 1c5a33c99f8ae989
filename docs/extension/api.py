"""The pages of public names, their list, and references to them by their short names."""

from __future__ import annotations

import builtins
import inspect
import re
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.nodes import make_refnode

from unisono.public import PUBLIC, public_names
from unisono.registry import SETTINGS

if TYPE_CHECKING:
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

FOLDER = Path("generated") / "api"
# The headings of the list, with the modules that define the names below them; the longest prefix
# decides.
HEADINGS = {
    "Read and write": ("unisono.formats",),
    "Data": ("unisono.model",),
    "Agreement on items": ("unisono.measures.items",),
    "Agreement on units": (
        *("unisono.measures.gamma", "unisono.measures.unitizing"),
        "unisono.studies.measure_table",
    ),
    "Segmentations": ("unisono.measures.segmentation",),
    "Comparison with a reference": ("unisono.measures.reference",),
    "Chains and pyramids": ("unisono.measures.chains",),
    "Distances between labels": ("unisono.measures",),
    "Understand disagreement": ("unisono.studies", "unisono.reports"),
    "Simulated annotators and reproduction": ("unisono.simulation",),
    "Values and their parts": ("unisono.results",),
    "Charts": ("unisono.charts",),
    "Parallel computation": ("unisono.parallel",),
    "Exceptions": ("unisono.errors",),
}
INTRODUCTION = """\
# Python API

Data and functions are imported from `unisono`, usually as `import unisono as un`. The classes of
results are in `unisono.results`, charts in `unisono.charts`, and executors in `unisono.parallel`.
Everything else is internal and may change at any time. The examples are executed by the tests.

All results have the methods that [Results](../../results.md) describes: `to_dict`, `to_json`,
`to_frame`, `to_csv` and `to_markdown`.
"""
# Names without a docstring of their own.
ALIASES = {"unisono.charts.Chart": "A chart of Altair, of any of its classes, for annotations."}
# Names of Python, which have no page here.
FOREIGN = {*dir(builtins), "ProcessPoolExecutor"}
# What results provide for the program itself.
INTERNAL = {"computed", "excluded", "problems", "sheet", "summary"}


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before Sphinx looks for pages, and resolve short names."""
    app.connect("builder-inited", write_pages)
    app.connect("missing-reference", resolve)
    app.connect("autodoc-skip-member", skip)
    app.connect("autodoc-process-docstring", escape)
    return {"parallel_read_safe": True}


def write_pages(app: Sphinx) -> None:
    """Write a page for each public name, and the list of all."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    pages = {f"{full}.rst": page(full) for full in objects()} | {"index.md": overview()}
    for path in folder.iterdir():
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        # A page that did not change is not read again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


@cache
def objects() -> dict[str, object]:
    """Return the public classes and functions by their full names, in alphabetical order."""
    names = [(name, package) for package in PUBLIC for name in public_names(package)]
    return {
        f"{package}.{name}": getattr(import_module(package), name)
        for name, package in sorted(names, key=lambda each: each[0].lower())
        if not name.startswith("__")
    }


def page(full: str) -> str:
    """Return the page of a class or function."""
    if full in ALIASES:
        lines = [f".. py:data:: {full}", "", f"   {ALIASES[full]}"]
    elif inspect.isclass(objects()[full]):
        lines = [f".. autoclass:: {full}", "   :members:"]
    else:
        lines = [f".. autofunction:: {full}"]
    title = full.rpartition(".")[2]
    return "\n".join(
        [
            title,
            "=" * len(title),
            "",
            f".. currentmodule:: {full.rpartition('.')[0]}",
            "",
            *lines,
            "",
        ]
    )


def overview() -> str:
    """Return the list of all names by heading: functions first, then classes."""
    lines = [INTRODUCTION]
    for heading in HEADINGS:
        found = [full for full in objects() if heading_of(full) == heading]
        found.sort(key=lambda full: inspect.isclass(objects()[full]))
        lines += [f"## {heading}", "", "| name | content |", "| :--- | :--- |"]
        lines += [f"| [`{full}`]({full}.rst) | {summary(full)} |" for full in found]
        lines.append("")
    lines += ["```{toctree}", ":hidden:", "", *objects(), "```", ""]
    return "\n".join(lines)


def heading_of(full: str) -> str:
    """Return the heading of a name; all public modules have one."""
    package, _, name = full.rpartition(".")
    module = public_names(package)[name]
    fits = {
        prefix: heading
        for heading, prefixes in HEADINGS.items()
        for prefix in prefixes
        if f"{module}.".startswith(f"{prefix}.")
    }
    if not fits:
        msg = f"docs/extension/api.py has no heading for {module}, which defines {full}"
        raise LookupError(msg)
    return fits[max(fits, key=len)]


def summary(full: str) -> str:
    """Return the first sentence of a docstring; all public names have one."""
    text = ALIASES.get(full) or inspect.getdoc(objects()[full])
    if not text:
        msg = f"{full} is public and has no docstring"
        raise LookupError(msg)
    return " ".join(text.partition("\n\n")[0].split()).replace("|", r"\|")


@cache
def explained() -> frozenset[str]:
    """Return the names of settings, arguments and fields, which are explained where they occur."""
    found = set(SETTINGS)
    for thing in objects().values():
        names = [name for name in dir(thing) if not name.startswith("_")]
        members = [getattr(thing, name) for name in names] if inspect.isclass(thing) else []
        if inspect.isclass(thing):
            found.update(names)
        for each in filter(inspect.isroutine, (thing, *members)):
            with suppress(ValueError):  # methods of Python itself
                found.update(inspect.signature(each).parameters)
    return frozenset(found)


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element
) -> nodes.Element | None:
    """Return a link to a public name or member, or the name in code if it needs no link."""
    if node.get("refdomain") != "py":
        return None
    target = re.sub(r"^(un|unisono|unisono\.results)\.|\(\)$", "", node["reftarget"])
    known = env.domains.python_domain.objects
    for package in PUBLIC:
        for name in (f"{package}.{target}", f"{package}.{target.partition('.')[0]}"):
            if name in known:
                found = known[name]
                return make_refnode(app.builder, node["refdoc"], found.docname, found.node_id, text)
    if node["reftarget"] in PUBLIC or target.rpartition(".")[2] in explained() or target in FOREIGN:
        return nodes.literal("", "", *text.children)
    return None


def skip(
    _app: Sphinx, _kind: str, name: str, _thing: object, skipped: object, _options: object
) -> bool:
    """Return whether a member has no place in the reference."""
    return bool(skipped) or name in INTERNAL


def escape(
    _app: Sphinx, _kind: str, _name: str, _thing: object, _options: object, lines: list[str]
) -> None:
    """Escape bars, which are absolute values and the symbol |uα here, not substitutions."""
    for at, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            lines[at] = "``".join(
                part if place % 2 else part.replace("|", r"\|")
                for place, part in enumerate(line.split("``"))
            )
