"""Write what the commands on the pages print: ``python tests/support/page_outputs.py [PAGE…]``.

The console blocks of README.md and of docs/ show commands with their output, which
tests/cli/test_documented_output.py compares. This script replaces outputs that have changed.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (unisono .+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def output_of(command: str) -> str:
    """Return what a command of unisono prints on 80 columns."""
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    words = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=environment)  # noqa: PLW1510
    if done.returncode or done.stderr:
        sys.stderr.write(f"$ {command}\n{done.stderr}exit code {done.returncode}\n")
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()) + "\n"


def refreshed(text: str) -> str:
    """Return a page with the present outputs; commands shown without output stay so."""

    def command(found: re.Match[str]) -> str:
        if not found[2]:
            return found[0]
        return f"$ {found[1]}\n{output_of(found[1])}"

    return _BLOCK.sub(lambda block: _COMMAND.sub(command, block[0]), text)


def main(names: list[str]) -> None:
    """Rewrite the pages named, or all."""
    for page in [Path(name).resolve() for name in names] or PAGES:
        before = page.read_text(encoding="utf-8")
        after = refreshed(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            sys.stdout.write(f"{page.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
