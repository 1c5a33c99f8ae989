"""Input files: finding them in folders, detecting their format, and unpacking archives safely."""

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

from unisono.errors import ReadError, SettingError, check_choice, setting, shortened
from unisono.formats.characters import content_of
from unisono.formats.roles import refers_to_path, roles_of
from unisono.formats.source import Source
from unisono.model.columns import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from unisono.formats.contents import Format


_MOST_MEMBERS = 200_000
_MOST_BYTES = 2 * 2**30
_HIGHEST_RATIO = 200  # compressed texts and XML reach 10 to 50
_FREE_BYTES = 2**20  # below this size, the compression ratio is not checked
_CHUNK = 2**20
# With other methods, Python decompresses a whole block at once, however large it becomes.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def members(path: Path, content: bytes | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file in a zip archive, up to a total size limit."""
    try:
        with zipfile.ZipFile(path if content is None else io.BytesIO(content)) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > _MOST_MEMBERS:
                problem = (
                    f"the archive has {len(infos):,} files; at most {_MOST_MEMBERS:,} are supported"
                )
                raise ReadError(problem, path=path)
            left = _MOST_BYTES
            for info in infos:
                inner = path / info.filename
                _check_name(info, inner)
                if info.compress_type not in _METHODS:
                    problem = (
                        "unsupported compression method; compress it again with deflate, "
                        "the default of zip programs"
                    )
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
        problem = f"the archive is broken, encrypted or of an unsupported kind: {error}"
        raise ReadError(problem, path=path) from None


def _check_name(info: zipfile.ZipInfo, inner: Path) -> None:
    name = PurePosixPath(info.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or ":" in info.filename[:2]:
        problem = f"the file name points outside the archive: {shortened(repr(info.filename))}"
        raise ReadError(problem, path=inner)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, inner: Path, left: int) -> bytes:
    """Return the decompressed content of a member; its declared size is not trusted."""
    limit = min(left, max(info.compress_size * _HIGHEST_RATIO, _FREE_BYTES))
    pieces: list[bytes] = []
    size = 0
    with archive.open(info) as file:
        while piece := file.read(_CHUNK):
            size += len(piece)
            if size > limit:
                problem = (
                    f"larger than {limit / 2**20:,.0f} MiB when decompressed, far more than its "
                    "compressed size suggests; extract the archive yourself if you trust it"
                )
                raise ReadError(problem, path=inner)
            pieces.append(piece)
    return b"".join(pieces)


# Large enough for a long first record.
_HEAD = 1_048_576
_CHUNK_OF_HEAD = 8_192  # most files are small, and a large buffer takes time
UNKNOWN = "files in a folder that were not read, because their format was not recognised"
"""Description of the files that `find_sources` adds to `unknown`."""
TYPE_SYSTEM = "TypeSystem.xml"
"""Name of the file beside a UIMA CAS that declares its types."""


def find_sources(
    paths: Iterable[str | os.PathLike[str]],
    format_: str,
    formats: Mapping[str, Format],
    *,
    annotator: object = None,
    document: object = None,
    unknown: list[Path] | None = None,
) -> list[Source]:
    """Return the files at these paths, folders searched recursively, with their roles."""
    check_choice("format", format_, ("auto", *formats))
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
            # A pipe can be read only once.
            pipes[path] = content_of(path)
    _refuse_repeated([path for path, _ in files])
    found: dict[Path, Source] = {}
    for is_table in (True, False):
        group = [(path, name) for path, name in files if formats[name].is_table == is_table]
        sources_of = _table_sources if is_table else _other_sources
        for source in sources_of(group, formats, annotator, document):
            content = pipes.get(source.path)
            found[source.path] = source if content is None else replace(source, member=content)
    return [found[path] for path, _ in files]


def _refuse_repeated(paths: Sequence[Path]) -> None:
    """Raise if a file is listed twice, directly or through symbolic links."""
    folders: dict[str, str] = {}
    seen: set[str] = set()
    for path in paths:
        folder, name = os.path.split(path)
        if folder not in folders:
            folders[folder] = os.path.realpath(folder)
        place = os.path.join(folders[folder], name)  # noqa: PTH118 (faster than Path)
        if os.path.islink(place):  # noqa: PTH114
            place = os.path.realpath(place)
        if place in seen:
            problem = "the file is listed twice, so its units would be counted twice"
            raise ReadError(problem, path=path)
        seen.add(place)


def _table_sources(
    files: Sequence[tuple[Path, str]],
    _formats: Mapping[str, Format],
    annotator: object,
    document: object,
) -> list[Source]:
    paths = [path for path, _ in files]
    annotators: Sequence[str | None] = [None] * len(files)
    documents: Sequence[str | None] = annotators
    if files and (refers_to_path(annotator) or refers_to_path(document)):
        absolute = [_absolute(path) for path in paths]
        base = Path(os.path.commonpath([path.parent for path in absolute]))
        roles = roles_of(absolute, base, "inside", annotator=annotator, document=document)
        documents = [role.document for role in roles]
        annotators = [role.annotator for role in roles]
    return [
        Source(path, format_, name, annotator_, path_document=document_)
        for (path, format_), name, annotator_, document_ in zip(
            files, _names(paths), annotators, documents, strict=True
        )
    ]


def _other_sources(
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
            Source(
                path,
                name,
                role.document,
                role.annotator,
                document_place=role.document_place,
                annotator_place=role.annotator_place,
            )
            for path, role in zip(own, roles, strict=True)
        ]
    return sources


def _as_path(path: object) -> Path:
    if path == "":
        msg = "a path is empty; use '.' for the current folder"
        raise SettingError(msg)
    if isinstance(path, str | os.PathLike):
        return Path(path)
    msg = f"read takes paths as separate arguments, such as read('a.csv', 'b.csv'); got {path!r}"
    raise TypeError(msg)


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        problem = "no such file or folder"
    except (OSError, ValueError) as error:
        problem = f"the path cannot be opened: {getattr(error, 'strerror', None) or error}"
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
        possible = listed(each.name for each in candidates)
        problem = (
            f"the content matches none of the formats with the suffix {path.suffix} ({possible})"
        )
    elif not is_file:
        problem = "the format of a pipe or a device cannot be detected"
    else:
        problem = (
            f"no format is known for the suffix {path.suffix!r}; "
            f"known suffixes are {listed(by_suffix)}"
        )
    names = dict.fromkeys(each.name for kinds in by_suffix.values() for each in kinds)
    problem += f". Set {setting('format')} to one of {', '.join(map(repr, names))}"
    raise ReadError(problem, path=path)


def _recognised(path: Path, candidates: Sequence[Format]) -> str | None:
    """Return the format of a file, detected from its first bytes if its suffix is ambiguous."""
    if not candidates:
        return None
    if all(each.looks_like is None for each in candidates):
        return candidates[0].name
    try:
        with path.open("rb") as file:
            head = file.read(_CHUNK_OF_HEAD)
            if len(head) == _CHUNK_OF_HEAD:
                head += file.read(_HEAD - _CHUNK_OF_HEAD)
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
    suffixes = set(by_suffix if format_ == "auto" else formats[format_].suffixes)
    found: list[tuple[Path, str]] = []
    others: Counter[str] = Counter()
    unrecognised: list[Path] = []

    def fail(error: OSError) -> None:
        problem = f"the folder cannot be opened: {error.strerror}"
        raise ReadError(problem, path=error.filename or folder) from None

    for place, folders, names in os.walk(folder, onerror=fail):
        # Hidden files and folders are backups, locks and checkpoints of other programs.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            suffix = path.suffix.lower()
            kind = None
            if not name.startswith(".") and suffix in suffixes:
                _require_regular(path)
                kind = _recognised(path, by_suffix[suffix]) if format_ == "auto" else format_
                unrecognised += [] if kind else [path]
            if kind is None:
                others[path.suffix or name] += 1
            else:
                found.append((path, kind))
    empty = _empty_files(unrecognised, found, formats)
    found = _without_companions([*found, *empty], formats)
    if unknown is not None:
        known = {path for path, _ in [*found, *empty]} | _companions(found, formats)
        unknown += [each for each in unrecognised if each not in known]
    if not found:
        there = ", ".join(f"{number} × {suffix}" for suffix, number in others.most_common(5))
        problem = (
            f"no readable file in this folder; looked for {listed(sorted(suffixes))}, "
            f"found {there or 'nothing'}"
        )
        raise ReadError(problem, path=folder)
    return found


def _require_regular(path: Path) -> None:
    """Raise if a path in a folder is a pipe, a device or a socket: reading it may never end."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # reading the file reports the error
    if not stat.S_ISREG(mode):
        problem = "a pipe, a device or a socket, not a regular file; remove it from the folder"
        raise ReadError(problem, path=path)


def _without_companions(
    found: Sequence[tuple[Path, str]], formats: Mapping[str, Format]
) -> list[tuple[Path, str]]:
    """Return the files without companions of annotations, such as their texts."""
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
    """Return empty files, which are documents without units, with the format of their suffix."""
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
    """Return document names: stems; paths where stems collide; with suffix if those collide too."""
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
    return Path(os.path.abspath(path))  # noqa: PTH100 (keeps symbolic links)
