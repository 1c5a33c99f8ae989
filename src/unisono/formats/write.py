"""`write`: a corpus to files, all of them whole or none, and never over what was read."""

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
    """Write annotated documents in one of the formats that annotation tools read.

    Parameters
    ----------
    data
        A corpus; or a continuum, which is then the document named as the file.
    path
        A file whose suffix tells the format, or a folder for formats that have one file a
        document.
    format
        ``"csv"``, ``"jsonl"``, ``"brat"``, ``"labelstudio"``, ``"textgrid"``, ``"eaf"``,
        ``"glozz"``, or ``"auto"`` to tell it by the suffix.
    overwrite_input
        Whether files that the corpus was read from, its `Corpus.sources`, may be replaced.

    Raises
    ------
    SettingError
        The format is unknown, or cannot be written; or a file that the corpus was read from would
        be replaced.
    DataError
        The data cannot be said in this format.
    OSError
        A file cannot be written.

    Notes
    -----
    A file is replaced when it is there already, and it is never half written. A folder that is not
    there appears at once with all its files. In a folder that is there, files are replaced only
    after all of them are on the disk, and an error puts back what was there. A symbolic link stays
    one: the file it leads to is replaced.

    What a format cannot hold is said in a warning: documents in which someone marked nothing, in
    CSV.

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
    """Refuse to write over a file that is read."""
    there = {identity: path for path in targets if (identity := _identity(path))}
    if not there:
        return
    for file in _files_read(inputs):
        identity = _identity(file)
        if identity in there:
            target = f"{option} {there[identity]}".lstrip()
            msg = (
                f"{target} would overwrite the input {file}; choose another place, "
                f"or allow it with {setting('overwrite_input', True)}"
            )
            raise SettingError(msg)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a regular file from all others, however its path is written."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return None
    return (about.st_dev, about.st_ino) if stat.S_ISREG(about.st_mode) else None


def _files_read(inputs: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Give the files that are read, with those that are read beside them."""
    read = {each for kind in FORMATS.values() for each in (*kind.suffixes, *kind.companions)}
    for path in map(Path, inputs):
        if path.is_dir():
            for place, folders, names in os.walk(path):
                folders.sort()
                files = (Path(place, name) for name in sorted(names))
                yield from (
                    each
                    for each in files
                    if each.suffix.lower() in read or each.name == TYPE_SYSTEM
                )
        else:
            yield path
            for kind in FORMATS.values():
                if path.suffix.lower() in kind.suffixes:
                    yield from map(path.with_suffix, kind.companions)
            yield path.with_name(TYPE_SYSTEM)


def check_writable(path: str | os.PathLike[str], *, format: str = "auto") -> str:  # noqa: A002 (the word users know)
    """Give the format in which a file would be written."""
    target = Path(path)
    name = _named(target) if format == "auto" else format
    writers = [each for each, kind in FORMATS.items() if kind.writer is not None]
    if name not in writers:
        told = setting("format", name) if name else repr(target.name)
        # A folder has no suffix that could tell it.
        cure = "" if name or target.suffix else f" with {setting('format')}"
        msg = f"{told} cannot be written; choose one of {listed(writers)}{cure}"
        raise SettingError(msg + did_you_mean(name, writers))
    return name


def _named(target: Path) -> str:
    suffix = target.suffix.lower()
    for name, kind in FORMATS.items():
        if suffix in kind.suffixes and kind.writer is not None:
            return name
    return ""
