"""Whose file it is and of which document, told by folders and file names."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import ReadError, SettingError, setting
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


ByPath = str
"""How a format has its annotators in paths.

``"folder"``
    The folder is the annotator.
``"file"``
    The file is the annotator, because documents are named inside.
``"either"``
    The folder, where file names are the same in several folders; otherwise not known.
``"tiers"``
    The same; otherwise the tiers in the file are annotators.
``"inside"``
    The file itself tells.
"""
WORDS = frozenset({"folder", "file"})


class Roles(NamedTuple):
    """What the path of a file tells."""

    document: str
    annotator: str | None


def is_about_paths(asked: object) -> bool:
    """Tell whether a caller's word for annotator or document speaks of folders and files."""
    return isinstance(asked, str) and (asked in WORDS or _has_field(asked))


def roles_of(
    paths: Sequence[Path],
    base: Path,
    by_path: ByPath,
    *,
    annotator: object = None,
    document: object = None,
    document_inside: bool = False,
) -> list[Roles]:
    """Tell annotator and document of files of one format.

    Parameters
    ----------
    paths
        The files, absolute.
    base
        The deepest folder that holds them all.
    by_path
        How the format has its annotators.
    annotator, document
        What the caller says; only words about paths count here.
    document_inside
        Whether the files name their documents themselves.

    Raises
    ------
    ReadError
        A file does not fit the pattern the caller gave.
    """
    relative = [path.relative_to(base).with_suffix("") for path in paths]
    patterns = [each for each in (annotator, document) if _has_field(each)]
    if patterns:
        return [
            _matched(path, rest, str(patterns[0]))
            for path, rest in zip(paths, relative, strict=True)
        ]
    level = _annotator_level(relative)
    repeats = level is not None
    if annotator == "folder" or (annotator not in WORDS and by_path == "folder"):
        whose, rests = _by_folder(relative, base, level or 0)
    elif annotator == "file" or (by_path == "file" and not repeats):
        whose = [rest.name for rest in relative]
        rests = relative if document_inside or document == "file" else [r.parent for r in relative]
    elif by_path in ("either", "tiers", "file") and repeats:
        whose, rests = _by_folder(relative, base, level or 0)
    else:
        alone = len(paths) == 1 and by_path == "either"
        whose = [rest.name if alone else None for rest in relative]
        rests = relative
    if document == "folder":
        rests = [rest.parent for rest in relative]
    names = _short_names(rests, base)
    return [Roles(name, who) for name, who in zip(names, whose, strict=True)]


def _has_field(asked: object) -> bool:
    # With {layer} it is a pattern of the names of tiers, which the readers of tiers compare.
    is_pattern = isinstance(asked, str) and "{layer}" not in asked
    return is_pattern and ("{annotator}" in str(asked) or "{document}" in str(asked))


def _matched(path: Path, relative: Path, pattern: str) -> Roles:
    parts = re.split(r"(\{annotator\}|\{document\}|\*)", pattern)
    if any(parts.count(name) > 1 for name in ("{annotator}", "{document}")):
        msg = f"a pattern has {{annotator}} and {{document}} once each; got {pattern!r}"
        raise SettingError(msg)
    fields = {
        "{annotator}": "(?P<annotator>[^/]+)",
        "{document}": "(?P<document>[^/]+)",
        "*": "[^/]*",
    }
    regex = "".join(fields.get(part, re.escape(part)) for part in parts)
    found = re.search(f"(?:^|/){regex}$", relative.as_posix())
    if found is None:
        problem = (
            f"the name {relative.as_posix()!r} does not fit {setting('annotator', pattern)}; "
            "a pattern is compared with the end of the path, without the suffix"
        )
        raise ReadError(problem, path=path)
    fitted = found.groupdict()
    return Roles(fitted.get("document") or relative.name, fitted.get("annotator"))


def _annotator_level(relative: Sequence[Path]) -> int | None:
    """Find the folders that can be taken out of the paths so that most files coincide."""
    depth = max((len(path.parts) - 1 for path in relative), default=0)
    best, merged = None, 0
    for level in range(depth):
        rests = Counter(_without(path, level) for path in relative)
        number = len(relative) - len(rests)
        if number and number >= merged:
            best, merged = level, number
    return best


def _without(path: Path, level: int) -> tuple[str, ...]:
    inner = min(level, len(path.parts) - 1)
    if inner == len(path.parts) - 1:
        return path.parts
    return path.parts[:inner] + path.parts[inner + 1 :]


def _by_folder(
    relative: Sequence[Path], base: Path, level: int
) -> tuple[list[str | None], list[Path]]:
    whose: list[str | None] = []
    rests: list[Path] = []
    for path in relative:
        folders = path.parts[:-1]
        whose.append(folders[min(level, len(folders) - 1)] if folders else base.name or None)
        rests.append(type(path)(*_without(path, level)))
    return whose, rests


def _short_names(rests: Sequence[Path], base: Path) -> list[str]:
    """Name documents by their last part, or by more where that is not enough."""
    shown = {rest: rest.name for rest in rests}
    count = Counter(shown.values())
    return [
        (shown[rest] if count[shown[rest]] == 1 else rest.as_posix()) or base.name or "document"
        for rest in rests
    ]


def owner_problem(path: Path) -> ReadError:
    """Say how to tell whose file it is."""
    ways = listed(("folder", "file", "{document}_{annotator}"))
    problem = (
        "it is not known who annotated this file; put the files of each annotator in a folder "
        f"of that name, or say {setting('annotator')} with one of {ways}"
    )
    return ReadError(problem, path=path)
