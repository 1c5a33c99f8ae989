"""Writing of a corpus: `write`, and checks that inputs are not overwritten."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from unisono.errors import SettingError, did_you_mean, setting
from unisono.formats.files import TYPE_SYSTEM
from unisono.formats.output import checked_parent, write_files
from unisono.formats.registry import FORMATS
from unisono.model.columns import listed
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, check_continuum_or_corpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["check_inputs", "check_writable", "write"]


def write(
    data: Corpus | Continuum,
    path: str | os.PathLike[str],
    *,
    format: str = "auto",  # noqa: A002 (the word users know)
    overwrite_input: bool = False,
) -> None:
    """Write annotated documents in a format that annotation tools can read.

    Parameters
    ----------
    data
        A corpus; or a continuum, which is written as one document, named after the file.
    path
        A file, or a folder for formats with one file per document.
    format
        ``"csv"``, ``"jsonl"``, ``"brat"``, ``"labelstudio"``, ``"textgrid"``, ``"eaf"``,
        ``"glozz"``, or ``"auto"`` to detect it from the suffix.
    overwrite_input
        Whether files that the corpus was read from, its `Corpus.sources`, can be replaced.

    Raises
    ------
    SettingError
        The format is unknown or cannot be written, or a file that the corpus was read from would
        be replaced.
    DataError
        The data cannot be represented in this format.
    OSError
        A file cannot be written.

    Notes
    -----
    An existing file is replaced atomically. A new folder is created with all its files at once. In
    an existing folder, files are replaced only after all of them have been written to the disk,
    and the previous files are restored after an error. If the path is a symbolic link, its target
    is replaced.

    A warning lists data that the format cannot hold, such as annotators without units in CSV.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import unisono as un
    >>> talk = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    >>> corpus = un.Corpus.from_continua({"talk": talk})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "units.jsonl")
    ...     un.write(corpus, file)
    ...     print(file.read_text().splitlines()[1])
    ...     un.read(file) == corpus
    {"document": "talk", "annotator": "ann", "start": 0, "end": 5, "label": "NP"}
    True
    """
    target = Path(path)
    check_continuum_or_corpus("write", data)
    if isinstance(data, Continuum):
        data = Corpus.from_continua({target.stem or "document": data})
    writer = FORMATS[check_writable(target, format=format)].writer
    checked_parent(target)
    texts = {} if writer is None else writer(data, target)
    if not texts:
        return
    if not overwrite_input:
        check_inputs(texts, data.sources)
    files = {file: text.encode("utf-8", "surrogatepass") for file, text in texts.items()}
    write_files(files, folder=None if target in texts else target)


def check_inputs(
    targets: Iterable[Path], inputs: Iterable[str | os.PathLike[str]], *, option: str = ""
) -> None:
    """Raise if a target is one of the input files."""
    existing = {identity: path for path in targets if (identity := _identity(path))}
    if not existing:
        return
    for file in _input_files(inputs):
        identity = _identity(file)
        if identity in existing:
            target = f"{option} {existing[identity]}".lstrip()
            msg = (
                f"{target} would overwrite the input {file}; choose another path, "
                f"or allow it with {setting('overwrite_input', True)}"
            )
            raise SettingError(msg)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and the inode of a regular file, `None` for any other path."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _input_files(inputs: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Yield the files that are read from these paths, including companions such as texts."""
    suffixes = {each for kind in FORMATS.values() for each in (*kind.suffixes, *kind.companions)}
    for path in map(Path, inputs):
        if path.is_dir():
            for place, folders, names in os.walk(path):
                folders.sort()
                files = (Path(place, name) for name in sorted(names))
                yield from (
                    each
                    for each in files
                    if each.suffix.lower() in suffixes or each.name == TYPE_SYSTEM
                )
        else:
            yield path
            for kind in FORMATS.values():
                if path.suffix.lower() in kind.suffixes:
                    yield from map(path.with_suffix, kind.companions)
            yield path.with_name(TYPE_SYSTEM)


def check_writable(path: str | os.PathLike[str], *, format: str = "auto") -> str:  # noqa: A002 (the word users know)
    """Return the format in which a file would be written; raise if it cannot be written."""
    target = Path(path)
    name = _format_of(target) if format == "auto" else format
    writers = [each for each, kind in FORMATS.items() if kind.writer is not None]
    if name not in writers:
        if name:
            msg = f"{setting('format', name)} cannot be written; choose one of {listed(writers)}"
        else:
            msg = (
                f"the format of {target.name!r} cannot be detected; "
                f"choose one of {listed(writers)} with {setting('format')}"
            )
        raise SettingError(msg + did_you_mean(name, writers))
    return name


def _format_of(target: Path) -> str:
    suffix = target.suffix.lower()
    for name, kind in FORMATS.items():
        if suffix in kind.suffixes and kind.writer is not None:
            return name
    return ""
