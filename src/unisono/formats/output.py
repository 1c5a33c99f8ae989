"""Atomic writing of files, and warnings about data that a format cannot hold."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from unisono.errors import DataError
from unisono.formats.contents import labels_from_text
from unisono.model.columns import listed
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from unisono.model.corpus import Corpus


_FROM_THE_READER = frozenset({"layer", "type", "id"})


def warn_of_losses(corpus: Corpus, title: str, keeps: Container[str]) -> None:
    """Warn about data that the format cannot hold."""
    lost = []
    for kind, number in _counts(corpus).items():
        if number and kind not in keeps:
            lost.append(f"{kind} ({number:,})")
    if lost:
        msg = f"{title} cannot hold {', '.join(lost)}; JSON Lines (.jsonl) can"
        warnings.warn(msg, stacklevel=4)


def _counts(corpus: Corpus) -> dict[str, int]:
    counts = dict.fromkeys(
        (
            "annotators without units",
            "units in pieces",
            "attributes",
            "layers",
            "extents of documents",
            "labels that are numbers",
            "labels that look like numbers",
        ),
        0,
    )
    layers = set()
    for continuum in corpus.values():
        counts["annotators without units"] += int((continuum.counts == 0).sum())
        if len(continuum) == 0 or continuum.extent != (
            float(continuum.starts.min()),
            float(continuum.ends.max()),
        ):
            counts["extents of documents"] += 1
        for detail in continuum.details.values if continuum.details is not None else ():
            counts["units in pieces"] += bool(detail.fragments)
            counts["attributes"] += bool(detail.attributes.keys() - _FROM_THE_READER)
            layers.add(detail.attributes.get("layer"))
    counts["layers"] = len(layers - {None})
    texts = [label for label in corpus.labels if isinstance(label, str)]
    numbers = [label for label in corpus.labels if isinstance(label, int | float)]
    counts["labels that are numbers"] = len(numbers)
    together = labels_from_text([label_text(label) for label in (*texts, *numbers)])
    if texts and any(not isinstance(label, str) for label in together):
        counts["labels that look like numbers"] = len(texts)
    return counts


_RESERVED = frozenset('/\\\0:*?"<>|')
_LONGEST_NAME = 200
# Errors of file systems that do not support fsync of a folder, or do not permit opening one.
_NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES})


def targets(documents: Iterable[str], path: Path, suffix: str) -> dict[str, Path]:
    """Return the file of each document, for formats with one file per document."""
    names = list(documents)
    if len(names) == 1 and path.suffix.lower() == suffix.lower():
        return {names[0]: path}
    return {name: path / f"{file_name(name)}{suffix}" for name in names}


def file_name(name: str) -> str:
    """Return the name of a document or an annotator; raise if it cannot be a file name."""
    bad = _RESERVED.intersection(name) or {each for each in name if not each.isprintable()}
    if bad or name.startswith(".") or name.endswith((".", " ")) or len(name) > _LONGEST_NAME:
        if bad:
            reason = f"it contains {listed(sorted(bad))}"
        elif len(name) > _LONGEST_NAME:
            reason = f"it has more than {_LONGEST_NAME} characters"
        else:
            reason = "it begins with a point, or ends with a point or a space"
        msg = f"{name!r} cannot be a file name: {reason}; rename it first"
        raise DataError(msg)
    return name


def checked_parent(path: Path) -> None:
    """Raise if the parent folder of a path does not exist."""
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(None, "no such folder", str(path.parent))


Content: TypeAlias = "bytes | Iterable[bytes]"
"""Content of a file: bytes, or an iterable of pieces that is consumed while writing."""


def write_file(path: Path, content: Content) -> None:
    """Write a file atomically; if the path is a symbolic link, replace its target."""
    write_files({path: content})


def write_files(files: Mapping[Path, Content], *, folder: Path | None = None) -> None:
    """Write all files or none, and flush them to the disk.

    A new folder is created under a temporary name and renamed when it is complete. In an existing
    folder, files are written under temporary names and then renamed one by one; if that fails,
    the previous files are restored.
    """
    if folder is not None and not _resolved(folder).exists():
        _make_folder(folder, files)
        return
    streams = {}
    staged: list[_Staged] = []
    made: list[Path] = []
    try:
        for path, content in files.items():
            with _errors_name(path):
                place = _target(path)
                if place.exists() and not place.is_file():
                    streams[place] = content  # a pipe or a device
                    continue
                if folder is not None:
                    made += _made_folders(place.parent)
                staged.append(_Staged(path, place, content))
        _put_into_place(staged)
    except BaseException:
        for each in staged:
            each.temporary.unlink(missing_ok=True)
        for parent in reversed(made):
            with suppress(OSError):
                parent.rmdir()
        raise
    for parent in dict.fromkeys(parent for new in made for parent in (new, new.parent)):
        _sync_folder(parent)
    for place, content in streams.items():
        with _errors_name(place), place.open("wb") as file:
            file.writelines(_pieces(content))


class _Staged:
    """A file written under a temporary name in the folder of its target."""

    def __init__(self, path: Path, place: Path, content: Content) -> None:
        self.path = path
        self.place = place
        self.temporary = place.with_name(_hidden_name())
        self.backup: Path | None = None
        mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else None
        try:
            _write_new(self.temporary, content, mode)
        except BaseException:
            self.temporary.unlink(missing_ok=True)
            raise


def _put_into_place(staged: list[_Staged]) -> None:
    """Rename all files to their targets; restore the previous files if that fails."""
    done: list[_Staged] = []
    try:
        for each in staged:
            with _errors_name(each.path):
                # A single file needs no backup: renaming is atomic.
                if len(staged) > 1 and each.place.exists():
                    each.backup = each.place.with_name(_hidden_name())
                    _copy(each.place, each.backup)
                done.append(each)
                each.temporary.replace(each.place)
        for folder in dict.fromkeys(each.place.parent for each in staged):
            _sync_folder(folder)
    except BaseException:
        for each in reversed(done):
            if each.backup is not None:
                each.backup.replace(each.place)
            elif not each.temporary.exists() and len(staged) > 1:
                each.place.unlink(missing_ok=True)
        raise
    finally:
        for each in staged:
            if each.backup is not None:
                each.backup.unlink(missing_ok=True)


def _make_folder(folder: Path, files: Mapping[Path, Content]) -> None:
    """Create a folder under a temporary name, and rename it when it is complete."""
    temporary = folder.with_name(_hidden_name())
    try:
        with _errors_name(folder):
            temporary.mkdir()
        made = [temporary]
        for path, content in files.items():
            with _errors_name(path):
                place = temporary / path.relative_to(folder)
                made += _made_folders(place.parent)
                _write_new(place, content)
        for parent in made:
            _sync_folder(parent)
        with _errors_name(folder):
            temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    _sync_folder(folder.absolute().parent)


def _resolved(path: Path) -> Path:
    """Return the target of a symbolic link, or the path itself if it is not a link."""
    if path.is_symlink():
        try:
            return Path(os.path.realpath(path, strict=True))
        except FileNotFoundError:
            problem = "a broken symbolic link; create its target, or remove the link"
            raise FileNotFoundError(None, problem, str(path)) from None
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            problem = "a symbolic link that refers to itself; remove it"
            raise OSError(None, problem, str(path)) from None
    return path


def _target(path: Path) -> Path:
    """Return the resolved path of a file to write; raise if it is a folder."""
    place = _resolved(path)
    if place.is_dir():
        raise IsADirectoryError(
            None, "the path is a folder; expected the path of a file", str(path)
        )
    return place


def _pieces(content: Content) -> Iterable[bytes]:
    return (content,) if isinstance(content, bytes) else content


def _write_new(path: Path, content: Content, mode: int | None = None) -> None:
    """Write a new file and flush it to the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666 if mode is None else mode)
    with open(descriptor, "wb") as file:  # noqa: PTH123 (a descriptor, not a path)
        file.writelines(_pieces(content))
        file.flush()
        os.fsync(descriptor)
    if mode is not None:
        path.chmod(mode)


def _copy(path: Path, copy: Path) -> None:
    try:
        os.link(path, copy)
    except OSError:
        shutil.copy2(path, copy)  # a file system without hard links


def _made_folders(folder: Path) -> list[Path]:
    """Create a folder and its parents, and return those that did not exist."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir()
    return missing[::-1]


def _sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, if the system supports it."""
    if os.name == "nt":
        return  # Windows cannot open a folder
    with _errors_name(folder):
        try:
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            if error.errno not in _NO_FOLDER_SYNC:
                raise


def _hidden_name() -> str:
    # Readers ignore hidden files, in case a killed process leaves one behind.
    return f".unisono-{secrets.token_hex(8)}.tmp"


@contextmanager
def _errors_name(path: Path) -> Iterator[None]:
    """Replace the path in operating system errors by the path of the file to write."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename == str(path):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
