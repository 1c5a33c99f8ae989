"""``python -m golden write|diff|processors``, with ``tests`` on the path.

``write`` writes the record anew, or refuses (`history.py`). ``diff`` shows which numbers and names
differ from the record. ``processors`` measures how far numbers depend on the processor
(`processors.py`).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from golden.cases import HERE, library_cases
from golden.commands import command_cases
from golden.history import compared, rewrite
from golden.processors import measure
from golden.record import names_changed

ROOT = HERE.parents[1]


def main() -> int:
    """Do what the command line asks for and return the exit code."""
    parser = argparse.ArgumentParser(prog="golden")
    parser.add_argument("what", choices=("write", "diff", "processors", "answers"))
    parser.add_argument("cases", nargs="*", help="beginnings of identifiers; by default all")
    parser.add_argument("--base", default="HEAD", help="the commit to compare with (HEAD)")
    parser.add_argument("--output", type=Path, help="a file for the answers")
    options = parser.parse_args()
    cases = library_cases() | command_cases()
    if options.what == "write":
        code, text = rewrite(ROOT, cases, base=options.base)
        print(text)
        return code
    if options.cases:
        cases = {n: c for n, c in cases.items() if n.startswith(tuple(options.cases))}
    if options.what == "answers":
        answers = {name: case.answer() for name, case in cases.items()}
        options.output.write_text(json.dumps(answers), encoding="utf-8")
        return 0
    if options.what == "processors":
        measure(options.cases)
        return 0
    numbers, names = compared(ROOT, cases)
    for each in numbers:
        print(each)
    for name, (old, new) in names.items():
        print(f"{name}  is not recorded" if old is None else names_changed(name, old, new))
    print(f"{len(numbers)} numbers moved; names differ in {len(names)} cases.")
    return 1 if numbers or names else 0


if __name__ == "__main__":
    sys.exit(main())
