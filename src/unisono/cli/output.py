"""Where results go: stdout as a table, JSON or CSV, and files written whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from unisono.errors import SettingError

if TYPE_CHECKING:
    from rich.console import RenderableType

STDOUT = "-"
_LEAST_WIDTH = 80


def check_target(
    target: str | None, *, inputs: Sequence[str], as_json: bool, option: str = "--csv"
) -> None:
    """Refuse a place for CSV that cannot be written, before anything is computed.

    Parameters
    ----------
    target
        A file, ``-`` for stdout, or ``None``.
    inputs
        The files that are read, which must not be overwritten.
    as_json
        Whether JSON goes to stdout.
    option
        The option that names the target.

    Raises
    ------
    SettingError
        Two things would go to stdout, or a file that is read would be overwritten.
    OSError
        The folder does not exist or the target is one.

    Examples
    --------
    >>> from unisono.cli.output import check_target
    >>> check_target("turns.csv", inputs=["turns.csv"], as_json=False)
    Traceback (most recent call last):
    unisono.errors.SettingError: --csv turns.csv would overwrite a file that is read
    """
    if target is None:
        return
    if target == STDOUT:
        if as_json:
            msg = "stdout can hold CSV or JSON, not both; give --csv a file"
            raise SettingError(msg)
        return
    path = Path(target)
    if any(_is_same(path, Path(given)) for given in inputs):
        msg = f"{option} {target} would overwrite a file that is read"
        raise SettingError(msg)
    if path.is_dir():
        problem = f"this is a folder; {option} needs the name of a file"
        raise IsADirectoryError(None, problem, target)
    if not path.parent.is_dir():
        raise FileNotFoundError(None, "there is no such folder to write to", str(path.parent))


def check_chart(chart: str | None, as_csv: str | None, *, inputs: Sequence[str]) -> None:
    """Refuse a place for a picture that is no SVG file of its own, before anything is computed.

    Parameters
    ----------
    chart
        A file, or ``None``.
    as_csv
        Where CSV goes.
    inputs
        The files that are read, which must not be overwritten.

    Examples
    --------
    >>> from unisono.cli.output import check_chart
    >>> check_chart("curves.png", None, inputs=["turns.csv"])
    Traceback (most recent call last):
    unisono.errors.SettingError: --chart writes SVG; give a name that ends in .svg, not 'curves.png'
    """
    if chart is None:
        return
    if Path(chart).suffix.lower() != ".svg":
        msg = f"--chart writes SVG; give a name that ends in .svg, not {chart!r}"
        raise SettingError(msg)
    check_apart(chart, as_csv, options="--chart and --csv")
    check_target(chart, inputs=inputs, as_json=False, option="--chart")


def check_apart(first: str | None, second: str | None, *, options: str) -> None:
    """Refuse one place for two things.

    Parameters
    ----------
    first, second
        Files, ``-`` for stdout, or ``None``.
    options
        The options that name them.

    Examples
    --------
    >>> from unisono.cli.output import check_apart
    >>> check_apart("a.csv", "a.csv", options="--record and --csv")
    Traceback (most recent call last):
    unisono.errors.SettingError: --record and --csv cannot both write a.csv
    """
    if first is not None and first == second:
        msg = f"{options} cannot both write {first}"
        raise SettingError(msg)


def print_table(*parts: RenderableType) -> None:
    """Print tables for people: in colour on a terminal that has it, plain everywhere else.

    Parameters
    ----------
    parts
        What to print, with an empty line between two of them.

    Examples
    --------
    >>> from unisono.cli.output import print_table
    >>> print_table("γ = 0.725")
    γ = 0.725
    """
    if sys.stdout is None:
        return
    console = Console(file=sys.stdout, highlight=False)
    console.width = max(console.width, _LEAST_WIDTH)
    # Through one write of our own: rich ends the program when a pipe breaks.
    with console.capture() as capture:
        for i, part in enumerate(parts):
            if i:
                console.print()
            # Softly: a signature stays on its line, to be copied, however narrow the terminal.
            console.print(part, soft_wrap=True)
    sys.stdout.write(capture.get())


def print_json(record: Mapping[str, Any]) -> None:
    """Print JSON and nothing else: indented on a terminal, on one line everywhere else.

    Parameters
    ----------
    record
        Plain data.

    Examples
    --------
    >>> from unisono.cli.output import print_json
    >>> print_json({"value": 0.725})
    {"value": 0.725}
    """
    if sys.stdout is None:
        return
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")
    indent = 2 if sys.stdout.isatty() else None
    sys.stdout.write(
        json.dumps(record, indent=indent, ensure_ascii=not is_utf8, allow_nan=False) + "\n"
    )


def write_csv(target: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV table to stdout or to a file, which is there whole or not at all.

    Parameters
    ----------
    target
        A file, or ``-`` for stdout.
    headings
        The first row.
    rows
        All others; ``None`` is an empty cell.

    Examples
    --------
    >>> from unisono.cli.output import write_csv
    >>> write_csv("-", ["document", "value"], [["talk", 0.725], ["walk", None]])
    document,value
    talk,0.725
    walk,
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    if target != STDOUT:
        _replace(Path(target), buffer.getvalue())
    elif sys.stdout is not None:
        sys.stdout.write(buffer.getvalue())


def write_text(target: str, text: str) -> None:
    """Write a text to a file, which is there whole or not at all; or to stdout.

    Parameters
    ----------
    target
        A file, or ``-`` for stdout.
    text
        What to write; a line break is added at the end.

    Examples
    --------
    >>> from unisono.cli.output import write_text
    >>> write_text("-", "<svg/>")
    <svg/>
    """
    if target != STDOUT:
        _replace(Path(target), text + "\n")
    elif sys.stdout is not None:
        sys.stdout.write(text + "\n")


def _replace(path: Path, text: str) -> None:
    path = Path(os.path.realpath(path))
    content = text.encode("utf-8", errors="backslashreplace")
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a pipe or a device
        return
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask()
    descriptor, name = tempfile.mkstemp(
        dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".tmp"
    )
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _is_same(path: Path, other: Path) -> bool:
    if path.exists() and other.exists():
        return path.samefile(other)
    return path.absolute() == other.absolute()
