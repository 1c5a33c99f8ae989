"""Which files are meant, in which format each is, and which document it would be."""

from __future__ import annotations

import os
import stat
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from unisono.errors import ReadError, SettingError, setting
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read."""

    path: Path
    format: str
    document: str  # its name as a document, unless it has a column of documents


def located(
    paths: Iterable[str | os.PathLike[str]], format_: str, suffixes: Mapping[str, str]
) -> list[Source]:
    """Find the files that paths mean, folders searched to the bottom.

    Parameters
    ----------
    paths
        Files and folders.
    format_
        A format, or ``"auto"`` to tell it by the suffix.
    suffixes
        Suffix to format.
    """
    files: list[tuple[Path, str]] = []
    for path in map(_as_path, paths):
        if _is_folder(path):
            files += _files_below(path, format_, suffixes)
        else:
            files.append((path, _format_of(path, format_, suffixes)))
    seen: set[Path] = set()
    for path, _ in files:
        if path.resolve() in seen:
            problem = "given twice; its units would count twice"
            raise ReadError(problem, path=path)
        seen.add(path.resolve())
    names = _names([path for path, _ in files])
    return [Source(path, format_, name) for (path, format_), name in zip(files, names, strict=True)]


def _as_path(path: object) -> Path:
    if path == "":
        msg = "a path is empty; for the folder you are in, say '.'"
        raise SettingError(msg)
    if isinstance(path, str | os.PathLike):
        return Path(path)
    msg = f"read takes paths one by one, as in read('a.csv', 'b.csv'); got {path!r}"
    raise TypeError(msg)


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except FileNotFoundError:
        problem = "no such file or folder"
    except (OSError, ValueError) as error:
        problem = f"it cannot be opened: {getattr(error, 'strerror', None) or error}"
    raise ReadError(problem, path=path)


def _format_of(path: Path, format_: str, suffixes: Mapping[str, str]) -> str:
    if format_ != "auto":
        return format_
    try:
        return suffixes[path.suffix.lower()]
    except KeyError:
        formats = listed(sorted(set(suffixes.values())))
        problem = (
            f"the suffix {path.suffix!r} does not tell the format; known are {listed(suffixes)}. "
            f"Say it with {setting('format')}, one of {formats}"
        )
        raise ReadError(problem, path=path) from None


def _files_below(folder: Path, format_: str, suffixes: Mapping[str, str]) -> list[tuple[Path, str]]:
    wanted = {suffix: name for suffix, name in suffixes.items() if format_ in ("auto", name)}
    found: list[tuple[Path, str]] = []
    others: Counter[str] = Counter()

    def refuse(error: OSError) -> None:
        problem = f"the folder cannot be opened: {error.strerror}"
        raise ReadError(problem, path=error.filename or folder) from None

    for place, folders, names in os.walk(folder, onerror=refuse):
        # Hidden ones are backups, locks and checkpoints of other programs.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            if not name.startswith(".") and path.suffix.lower() in wanted:
                found.append((path, wanted[path.suffix.lower()]))
            else:
                others[path.suffix or name] += 1
    if not found:
        there = ", ".join(f"{number} × {suffix}" for suffix, number in others.most_common(5))
        problem = (
            f"no file to read in this folder; looked for {listed(wanted)}, "
            f"found {there or 'nothing'}"
        )
        raise ReadError(problem, path=folder)
    return found


def _names(paths: Sequence[Path]) -> list[str]:
    """Name files by stem; where stems collide by path, and with suffix where these collide."""
    absolute = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100 (keeps links)
    base = Path(os.path.commonpath([path.parent for path in absolute]))
    names = [path.stem for path in absolute]
    for longer in (
        [path.relative_to(base).with_suffix("").as_posix() for path in absolute],
        [path.relative_to(base).as_posix() for path in absolute],
    ):
        count = Counter(names)
        names = [
            long if count[name] > 1 else name for name, long in zip(names, longer, strict=True)
        ]
    return names
