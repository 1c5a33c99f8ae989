"""The pages of commands, written from the help that the program prints."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from unisono.cli.app import COMMANDS, program

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = Path("generated") / "commands"
INTRODUCTION = """\
The help of each command, as `unisono COMMAND --help` prints it.
[Command line](../../command-line.md) explains what commands have in common, and what they print.
"""


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before Sphinx looks for pages."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}


def write_pages(app: Sphinx) -> None:
    """Write a page for each command, and the list of all."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    pages = {name: page(name) for name in COMMANDS} | {"index": overview()}
    for name, text in pages.items():
        path = folder / f"{name}.md"
        # A page that did not change is not read again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def overview() -> str:
    """Return the page that lists all commands by group."""
    lines = ["# Commands and options", "", INTRODUCTION]
    for group, members in groupby(COMMANDS.items(), key=lambda each: each[1].group.name):
        lines += [f"## {group}", "", "| command | content |", "| :--- | :--- |"]
        lines += [f"| [`unisono {name}`]({name}.md) | {entry.summary} |" for name, entry in members]
        lines.append("")
    lines += ["```{toctree}", ":hidden:", "", *COMMANDS, "```", ""]
    return "\n".join(lines)


def page(name: str) -> str:
    """Return the page of a command: usage, options by group, examples."""
    help_text = program(only=name)[name].generate_docs(heading_level=1, usage_name="unisono")
    body = re.sub(r"\A# .*\n", f"# unisono {name}\n", help_text)
    body = re.sub(r"^\*\*(.+)\*\*:$", r"## \1", body, flags=re.MULTILINE)
    # The texts of options are plain text, not Markdown.
    body = re.sub(r"(?<=`: )(.+)$", lambda found: escaped(found[1]), body, flags=re.MULTILINE)
    examples = COMMANDS[name].examples(name).partition("\n")[2]
    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    shown = "\n".join(["## Examples", "", "```shell", *lines, "```", ""])
    return f"{body.partition('Examples:')[0].rstrip()}\n\n{shown}"


def escaped(text: str) -> str:
    """Return plain text with the special characters of Markdown escaped."""
    return re.sub(r"([<>|{}$\\])", r"\\\1", text)
