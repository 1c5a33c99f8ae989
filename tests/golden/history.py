"""The record in git: what was committed, and rewriting it only where the changelog says why.

A number may move when the changelog has a new line under a heading *Numbers*: a line that the
working copy has in one of these sections and the commit to compare with (``HEAD``) has in none.
The record of that commit is what numbers are compared with, so that writing twice hides nothing.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from golden.record import load, moved, recorded_anew, save

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from golden.cases import Case
    from golden.record import Answer, Moved

NUMBERS = "tests/golden/numbers.json"
NAMES = "tests/golden/names.json"
CHANGELOG = "CHANGELOG.md"


class NotCommittedError(Exception):
    """There is no such commit to compare with."""


def kept(root: Path) -> dict[str, Answer]:
    """Return the record of the working copy."""
    numbers, names = (root / each for each in (NUMBERS, NAMES))
    if not numbers.exists() or not names.exists():
        return {}
    return load(numbers.read_text(encoding="utf-8"), names.read_text(encoding="utf-8"))


def committed(root: Path, base: str) -> dict[str, Answer]:
    """Return the record of a commit."""
    numbers, names = (_content(root, base, each) for each in (NUMBERS, NAMES))
    return load(numbers, names) if numbers and names else {}


def reasons(root: Path, base: str) -> list[str]:
    """Return the lines under *Numbers* that the changelog has and that of a commit has not."""
    before = set(_under_numbers(_content(root, base, CHANGELOG)))
    path = root / CHANGELOG
    now = _under_numbers(path.read_text(encoding="utf-8") if path.exists() else "")
    return [line for line in now if line not in before]


def rewrite(root: Path, cases: Mapping[str, Case], *, base: str = "HEAD") -> tuple[int, str]:
    """Write the record anew, or refuse; return the exit code and what to print."""
    try:
        record = committed(root, base)
        why = reasons(root, base)
    except NotCommittedError as error:
        return 1, str(error)
    answers = {name: case.answer() for name, case in cases.items()}
    lines = [
        str(each)
        for name, case in cases.items()
        for each in moved(name, record.get(name), answers[name], tolerance=case.tolerance)
    ]
    lines += [f"{name}  the case is gone" for name in record if name not in cases]
    if lines and not why:
        refusal = (
            f"{len(lines)} numbers moved since {base}, and {CHANGELOG} has no new line under "
            "Numbers that says why: nothing is written."
        )
        return 1, "\n".join([*lines, refusal])
    new = {
        name: recorded_anew(record.get(name), answers[name], tolerance=case.tolerance)
        for name, case in cases.items()
    }
    save(new, root / NUMBERS, root / NAMES)
    count = sum(each is not None for answer in new.values() for each in answer.numbers)
    return 0, "\n".join([*lines, f"{len(new)} cases, {count} numbers; {len(lines)} moved."])


def compared(
    root: Path, cases: Mapping[str, Case]
) -> tuple[list[Moved], dict[str, tuple[Answer | None, Answer]]]:
    """Return the numbers that differ from the working copy's record, and the names that do."""
    record = kept(root)
    numbers: list[Moved] = []
    names: dict[str, tuple[Answer | None, Answer]] = {}
    for name, case in cases.items():
        old, answer = record.get(name), case.answer()
        numbers += moved(name, old, answer, tolerance=case.tolerance)
        new = recorded_anew(old, answer, tolerance=case.tolerance)
        if old is None or old.names != new.names:
            names[name] = old, new
    return numbers, names


def _content(root: Path, base: str, path: str) -> str:
    """Return a file as it is in a commit; empty if the commit has none."""
    if _git(root, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}") is None:
        msg = f"git knows no commit {base!r} in {root}: the record is compared with one"
        raise NotCommittedError(msg)
    # From the root of the repository or of its part that this is.
    return _git(root, "show", f"{base}:./{path}") or ""


def _git(root: Path, *arguments: str) -> str | None:
    done = subprocess.run(
        ["git", *arguments],  # noqa: S607 - the git of the machine
        cwd=root,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    return done.stdout if done.returncode == 0 else None


def _under_numbers(changelog: str) -> list[str]:
    lines: list[str] = []
    inside = False
    for line in changelog.splitlines():
        if line.startswith("#"):
            inside = line.lstrip("#").strip() == "Numbers"
        elif inside and line.strip():
            lines.append(line.strip())
    return lines
