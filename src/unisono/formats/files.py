"""Files to read: where they are, what archives hold, and what may be opened."""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from collections import Counter
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from unisono.errors import ReadError, SettingError, setting, shortened
from unisono.formats.characters import content_of
from unisono.formats.contents import Source
from unisono.formats.roles import is_about_paths, roles_of
from unisono.model.columns import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from unisono.formats.contents import Format


_MOST_MEMBERS = 200_000
_MOST_BYTES = 2 * 2**30
_HIGHEST_RATIO = 200  # texts and XML reach 10 to 50
_FREE_BYTES = 2**20  # so small that no ratio matters
_CHUNK = 2**20
# Of other methods Python unpacks a whole piece at once, however large it becomes.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def members(path: Path, content: bytes | None = None) -> Iterator[tuple[str, bytes]]:
    """Give name and bytes of each file in a zip archive, never more than a limit in all."""
    try:
        with zipfile.ZipFile(path if content is None else io.BytesIO(content)) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > _MOST_MEMBERS:
                problem = f"{len(infos):,} files in one archive; at most {_MOST_MEMBERS:,} are read"
                raise ReadError(problem, path=path)
            left = _MOST_BYTES
            for info in infos:
                inner = path / info.filename
                _check_name(info, inner)
                if info.compress_type not in _METHODS:
                    problem = "packed in a way that is not read; pack it again with plain zip"
                    raise ReadError(problem, path=inner)
                unpacked = _unpacked(archive, info, inner, left)
                left -= len(unpacked)
                yield info.filename, unpacked
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    except (
        *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError),
        *(RuntimeError, NotImplementedError, ValueError, KeyError, UnicodeDecodeError),
    ) as error:
        if isinstance(error, ReadError):
            raise
        problem = f"a broken, encrypted or unknown kind of archive: {error}"
        raise ReadError(problem, path=path) from None


def _check_name(info: zipfile.ZipInfo, inner: Path) -> None:
    name = PurePosixPath(info.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or ":" in info.filename[:2]:
        problem = f"a name that leads out of the archive: {shortened(repr(info.filename))}"
        raise ReadError(problem, path=inner)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, inner: Path, left: int) -> bytes:
    """Unpack a member in pieces: what its header says of its size need not be true."""
    limit = min(left, max(info.compress_size * _HIGHEST_RATIO, _FREE_BYTES))
    pieces: list[bytes] = []
    size = 0
    with archive.open(info) as file:
        while piece := file.read(_CHUNK):
            size += len(piece)
            if size > limit:
                problem = (
                    f"unpacked it is more than {limit / 2**20:,.0f} MiB, far more than packed; "
                    "unpack it yourself if you trust it"
                )
                raise ReadError(problem, path=inner)
            pieces.append(piece)
    return b"".join(pieces)


# As much as a long first record needs.
_HEAD = 1_048_576
UNKNOWN = "files in a folder that were not read, because they look like no known format"
"""What to say of files that `located` calls unknown."""
TYPE_SYSTEM = "TypeSystem.xml"
"""The file beside a UIMA CAS that tells its types."""


def located(
    paths: Iterable[str | os.PathLike[str]],
    format_: str,
    formats: Mapping[str, Format],
    *,
    annotator: object = None,
    document: object = None,
    unknown: list[Path] | None = None,
) -> list[Source]:
    """Find the files that paths mean, folders searched to the bottom."""
    by_suffix = _by_suffix(formats)
    files: list[tuple[Path, str]] = []
    pipes: dict[Path, bytes] = {}
    for path in map(_as_path, paths):
        mode = _mode(path)
        if stat.S_ISDIR(mode):
            files += _files_below(path, format_, formats, by_suffix, unknown)
            continue
        files.append((path, _format_of(path, format_, by_suffix, is_file=stat.S_ISREG(mode))))
        if not stat.S_ISREG(mode):
            # It can be read once only.
            pipes[path] = content_of(path)
    seen: set[Path] = set()
    for path, _ in files:
        if path.resolve() in seen:
            problem = "given twice; its units would count twice"
            raise ReadError(problem, path=path)
        seen.add(path.resolve())
    found: dict[Path, Source] = {}
    for is_table in (True, False):
        group = [(path, name) for path, name in files if formats[name].is_table == is_table]
        told = _tables if is_table else _others
        for source in told(group, formats, annotator, document):
            found[source.path] = replace(source, member=pipes.get(source.path))
    return [found[path] for path, _ in files]


def _tables(
    files: Sequence[tuple[Path, str]],
    _formats: Mapping[str, Format],
    annotator: object,
    document: object,
) -> list[Source]:
    paths = [path for path, _ in files]
    whose: Sequence[str | None] = [None] * len(files)
    told: Sequence[str | None] = whose
    if files and (is_about_paths(annotator) or is_about_paths(document)):
        absolute = [_absolute(path) for path in paths]
        base = Path(os.path.commonpath([path.parent for path in absolute]))
        roles = roles_of(absolute, base, "inside", annotator=annotator, document=document)
        told = [role.document for role in roles]
        whose = [role.annotator for role in roles]
    return [
        Source(path, format_, name, annotator_, told_document=document_)
        for (path, format_), name, annotator_, document_ in zip(
            files, _names(paths), whose, told, strict=True
        )
    ]


def _others(
    files: Sequence[tuple[Path, str]],
    formats: Mapping[str, Format],
    annotator: object,
    document: object,
) -> list[Source]:
    absolute = {path: _absolute(path) for path, _ in files}
    if not absolute:
        return []
    base = Path(os.path.commonpath([path.parent for path in absolute.values()]))
    sources = []
    for name in dict.fromkeys(name for _, name in files):
        own = [path for path, each in files if each == name]
        kind = formats[name]
        roles = roles_of(
            [absolute[path] for path in own],
            base,
            kind.by_path,
            annotator=annotator,
            document=document,
            document_inside="document" in kind.inside,
        )
        sources += [
            Source(path, name, role.document, role.annotator)
            for path, role in zip(own, roles, strict=True)
        ]
    return sources


def _as_path(path: object) -> Path:
    if path == "":
        msg = "a path is empty; for the folder you are in, say '.'"
        raise SettingError(msg)
    if isinstance(path, str | os.PathLike):
        return Path(path)
    msg = f"read takes paths one by one, as in read('a.csv', 'b.csv'); got {path!r}"
    raise TypeError(msg)


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        problem = "no such file or folder"
    except (OSError, ValueError) as error:
        problem = f"it cannot be opened: {getattr(error, 'strerror', None) or error}"
    raise ReadError(problem, path=path)


def _by_suffix(formats: Mapping[str, Format]) -> dict[str, list[Format]]:
    by_suffix: dict[str, list[Format]] = {}
    for format_ in formats.values():
        for suffix in format_.suffixes:
            by_suffix.setdefault(suffix, []).append(format_)
    return by_suffix


def _format_of(
    path: Path, format_: str, by_suffix: Mapping[str, Sequence[Format]], *, is_file: bool
) -> str:
    if format_ != "auto":
        return format_
    candidates = by_suffix.get(path.suffix.lower(), ()) if is_file else ()
    if found := _recognised(path, candidates):
        return found
    if candidates:
        alike = listed(each.name for each in candidates)
        problem = f"a {path.suffix} file can be {alike}, and this one looks like none of them"
    elif not is_file:
        problem = "a pipe or a device does not tell its format"
    else:
        problem = (
            f"the suffix {path.suffix!r} does not tell the format; known are {listed(by_suffix)}"
        )
    names = dict.fromkeys(each.name for kinds in by_suffix.values() for each in kinds)
    problem += f". Say it with {setting('format')}, one of {', '.join(map(repr, names))}"
    raise ReadError(problem, path=path)


def _recognised(path: Path, candidates: Sequence[Format]) -> str | None:
    """Tell the format of a file by its first bytes, where its suffix leaves several."""
    if not candidates:
        return None
    if all(each.looks_like is None for each in candidates):
        return candidates[0].name
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    for each in candidates:
        if each.looks_like is not None and each.looks_like(head):
            return each.name
    return next((each.name for each in candidates if each.looks_like is None), None)


def _files_below(
    folder: Path,
    format_: str,
    formats: Mapping[str, Format],
    by_suffix: Mapping[str, Sequence[Format]],
    unknown: list[Path] | None,
) -> list[tuple[Path, str]]:
    wanted = set(by_suffix if format_ == "auto" else formats[format_].suffixes)
    found: list[tuple[Path, str]] = []
    others: Counter[str] = Counter()
    unrecognised: list[Path] = []

    def refuse(error: OSError) -> None:
        problem = f"the folder cannot be opened: {error.strerror}"
        raise ReadError(problem, path=error.filename or folder) from None

    for place, folders, names in os.walk(folder, onerror=refuse):
        # Hidden ones are backups, locks and checkpoints of other programs.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            suffix = path.suffix.lower()
            kind = None
            if not name.startswith(".") and suffix in wanted:
                _refuse_special(path)
                kind = _recognised(path, by_suffix[suffix]) if format_ == "auto" else format_
                unrecognised += [] if kind else [path]
            if kind is None:
                others[path.suffix or name] += 1
            else:
                found.append((path, kind))
    empty = _empty_files(unrecognised, found, formats)
    found = _without_companions([*found, *empty], formats)
    if unknown is not None:
        taken = {path for path, _ in [*found, *empty]}
        beside = _companions(found, formats)
        unknown += [each for each in unrecognised if each not in taken | beside]
    if not found:
        there = ", ".join(f"{number} × {suffix}" for suffix, number in others.most_common(5))
        problem = (
            f"no file to read in this folder; looked for {listed(sorted(wanted))}, "
            f"found {there or 'nothing'}"
        )
        raise ReadError(problem, path=folder)
    return found


def _refuse_special(path: Path) -> None:
    """Refuse a pipe, a device or a socket in a folder: reading it may never end."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # the reader says what is wrong
    if not stat.S_ISREG(mode):
        problem = "no file but a pipe, a device or a socket; take it out of the folder"
        raise ReadError(problem, path=path)


def _without_companions(
    found: Sequence[tuple[Path, str]], formats: Mapping[str, Format]
) -> list[tuple[Path, str]]:
    """Leave out the texts that stand beside annotations."""
    beside = _companions(found, formats)
    return [(path, name) for path, name in found if path not in beside]


def _companions(found: Sequence[tuple[Path, str]], formats: Mapping[str, Format]) -> set[Path]:
    beside = {
        path.with_suffix(suffix) for path, name in found for suffix in formats[name].companions
    }
    return beside | {path.with_name(TYPE_SYSTEM) for path, _ in found}


def _empty_files(
    unrecognised: Sequence[Path], found: Sequence[tuple[Path, str]], formats: Mapping[str, Format]
) -> list[tuple[Path, str]]:
    """Take empty files for what the others of their suffix are: somebody marked nothing."""
    by_suffix: dict[str, set[str]] = {}
    for path, name in found:
        by_suffix.setdefault(path.suffix.lower(), set()).add(name)
    empty = []
    for path in unrecognised:
        kinds = by_suffix.get(path.suffix.lower(), set())
        if len(kinds) == 1 and formats[kind := next(iter(kinds))].may_be_empty:
            empty += [(path, kind)] if path.stat().st_size == 0 else []
    return empty


def _names(paths: Sequence[Path]) -> list[str]:
    """Name files by stem; where stems collide by path, and with suffix where these collide."""
    if not paths:
        return []
    absolute = [_absolute(path) for path in paths]
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


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 (keeps links)
