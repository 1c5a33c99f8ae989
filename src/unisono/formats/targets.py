"""Where files go: which file a document becomes, and files written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from typing import TYPE_CHECKING

from unisono.errors import DataError
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_RESERVED = frozenset('/\\\0:*?"<>|')
_LONGEST_NAME = 200


def targets(documents: Iterable[str], path: Path, suffix: str) -> dict[str, Path]:
    """Give the file of each document, for formats that have one file a document.

    Parameters
    ----------
    documents
        Their names.
    path
        A file with the suffix of the format when there is one document; otherwise a folder.
    suffix
        The suffix of the format.

    Raises
    ------
    DataError
        A document has a name that no file can have.
    """
    names = list(documents)
    if len(names) == 1 and path.suffix.lower() == suffix.lower():
        return {names[0]: path}
    return {name: path / f"{file_name(name)}{suffix}" for name in names}


def file_name(name: str) -> str:
    """Check that a document or an annotator can be the name of a file.

    Raises
    ------
    DataError
        It cannot.
    """
    bad = _RESERVED.intersection(name) or {each for each in name if not each.isprintable()}
    if bad or name.startswith(".") or name.endswith((".", " ")) or len(name) > _LONGEST_NAME:
        why = f"has {listed(sorted(bad))}" if bad else "begins or ends like no file, or is too long"
        msg = f"{name!r} would be the name of a file, but it {why}; rename it first"
        raise DataError(msg)
    return name


def checked_parent(path: Path) -> None:
    """Refuse a path in a folder that does not exist, before anything is written.

    Raises
    ------
    FileNotFoundError
        There is no such folder.
    """
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(None, "there is no such folder to write to", str(path.parent))


def replaced(path: Path, text: str) -> None:
    """Write a text to a file in UTF-8, which is there whole or not at all; folders are made.

    Raises
    ------
    OSError
        It cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    content = text.encode("utf-8", "surrogatepass")
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a pipe or a device
        return
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask()
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".unisono-", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(name, mode)  # noqa: PTH101 (a name, no path)
        os.replace(name, path)  # noqa: PTH105 (the same)
    except BaseException:
        os.unlink(name)  # noqa: PTH108 (the same)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
