"""Files to write: whole or not at all, never over an input, and what a format cannot hold."""

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
    """Warn of what a file will not hold."""
    lost = []
    for thing, number in _counts(corpus).items():
        if number and thing not in keeps:
            lost.append(f"{thing} ({number:,})")
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
# Answers of file systems that cannot settle a folder on the disk, or may not open it.
_NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES})


def targets(documents: Iterable[str], path: Path, suffix: str) -> dict[str, Path]:
    """Give the file of each document, for formats that have one file a document."""
    names = list(documents)
    if len(names) == 1 and path.suffix.lower() == suffix.lower():
        return {names[0]: path}
    return {name: path / f"{file_name(name)}{suffix}" for name in names}


def file_name(name: str) -> str:
    """Check that a document or an annotator can be the name of a file."""
    bad = _RESERVED.intersection(name) or {each for each in name if not each.isprintable()}
    if bad or name.startswith(".") or name.endswith((".", " ")) or len(name) > _LONGEST_NAME:
        why = f"has {listed(sorted(bad))}" if bad else "begins or ends like no file, or is too long"
        msg = f"{name!r} would be the name of a file, but it {why}; rename it first"
        raise DataError(msg)
    return name


def checked_parent(path: Path) -> None:
    """Refuse a path in a folder that does not exist, before anything is written."""
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(None, "there is no such folder to write to", str(path.parent))


Content: TypeAlias = "bytes | Iterable[bytes]"
"""What a file gets: all at once, or in pieces that are made while it is written."""


def write_file(path: Path, content: Content) -> None:
    """Write a file, whole or not at all, through a symbolic link to what it leads to."""
    write_files({path: content})


def write_files(files: Mapping[Path, Content], *, folder: Path | None = None) -> None:
    """Write files, all of them or none, and settle them on the disk.

    A folder that is not there yet appears at once with everything in it. Where there is one, all
    files are written beside their places first and then put into place one after the other; an
    error on the way puts back what was there.
    """
    if folder is not None and not _followed(folder).exists():
        _make_folder(folder, files)
        return
    streams = {}
    staged: list[_Staged] = []
    made: list[Path] = []
    try:
        for path, content in files.items():
            with _naming(path):
                place = _place(path)
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
        _settle_folder(parent)
    for place, content in streams.items():
        with _naming(place), place.open("wb") as file:
            file.writelines(_pieces(content))


class _Staged:
    """A file that is written under another name in its folder, to be put into place."""

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
    """Give all files their names; an error in the middle gives the old ones back."""
    done: list[_Staged] = []
    try:
        for each in staged:
            with _naming(each.path):
                # One file needs no way back: it is replaced in one step.
                if len(staged) > 1 and each.place.exists():
                    each.backup = each.place.with_name(_hidden_name())
                    _copy(each.place, each.backup)
                done.append(each)
                each.temporary.replace(each.place)
        for folder in dict.fromkeys(each.place.parent for each in staged):
            _settle_folder(folder)
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
    """Make a folder under another name, and name it once everything is in it."""
    temporary = folder.with_name(_hidden_name())
    try:
        with _naming(folder):
            temporary.mkdir()
        made = [temporary]
        for path, content in files.items():
            with _naming(path):
                place = temporary / path.relative_to(folder)
                made += _made_folders(place.parent)
                _write_new(place, content)
        for parent in made:
            _settle_folder(parent)
        with _naming(folder):
            temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    _settle_folder(folder.absolute().parent)


def _followed(path: Path) -> Path:
    """Return where a path is written: what a symbolic link leads to, never the link itself."""
    if path.is_symlink():
        try:
            return Path(os.path.realpath(path, strict=True))
        except FileNotFoundError:
            problem = "a symbolic link that leads nowhere; make what it leads to, or remove it"
            raise FileNotFoundError(None, problem, str(path)) from None
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            problem = "a symbolic link that leads back to itself; remove it"
            raise OSError(None, problem, str(path)) from None
    return path


def _place(path: Path) -> Path:
    """Return where a file is written, which must not be a folder."""
    place = _followed(path)
    if place.is_dir():
        raise IsADirectoryError(None, "this is a folder, and a file is to be written", str(path))
    return place


def _pieces(content: Content) -> Iterable[bytes]:
    return (content,) if isinstance(content, bytes) else content


def _write_new(path: Path, content: Content, mode: int | None = None) -> None:
    """Write a file that is not there yet, down to the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666 if mode is None else mode)
    with open(descriptor, "wb") as file:  # noqa: PTH123 (a descriptor, no path)
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
    """Make a folder and those above it, and return the ones that were not there."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir()
    return missing[::-1]


def _settle_folder(folder: Path) -> None:
    """Settle the names in a folder on the disk, where the system can do that."""
    if os.name == "nt":
        return  # a folder cannot be opened there
    with _naming(folder):
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
    # Readers leave hidden files alone, should a killed run leave one behind.
    return f".unisono-{secrets.token_hex(8)}.tmp"


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let errors of the system name the file that was to be written."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename == str(path):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
