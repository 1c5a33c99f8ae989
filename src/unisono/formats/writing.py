"""`write`: a corpus to files, each there whole or not at all."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from unisono.errors import SettingError, did_you_mean, setting
from unisono.formats.known_formats import FORMATS
from unisono.formats.targets import checked_parent
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.lazy_corpus import LazyCorpus
from unisono.model.naming import listed

if TYPE_CHECKING:
    import os

__all__ = ["write"]


def write(
    data: Corpus | Continuum,
    path: str | os.PathLike[str],
    *,
    format: str = "auto",  # noqa: A002 (the word users know)
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

    Raises
    ------
    SettingError
        The format is unknown, or cannot be written.
    DataError
        The data cannot be said in this format.
    OSError
        A file cannot be written.

    Notes
    -----
    A file is replaced when it is there already, and it is never half written. What a format
    cannot hold is said in a warning: documents in which someone marked nothing, in CSV. A corpus of
    `scan_corpus` has no texts to write, and a warning says that too.

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
    if isinstance(data, Continuum):
        data = Corpus.from_continua({target.stem or "document": data})
    elif not isinstance(data, Corpus):
        msg = f"write takes a Corpus or a Continuum; got {type(data).__name__}"
        raise TypeError(msg)
    writer = FORMATS[check_writable(target, format=format)].writer
    checked_parent(target)
    if isinstance(data, LazyCorpus):
        msg = "scan_corpus keeps no texts and attributes: what there is of them is not written"
        warnings.warn(f"{msg}; read keeps them", stacklevel=2)
    if writer is not None:
        writer(data, target)


def check_writable(path: str | os.PathLike[str], *, format: str = "auto") -> str:  # noqa: A002 (the word users know)
    """Give the format in which a file would be written.

    Parameters
    ----------
    path
        A file or a folder.
    format
        As `write` takes it.

    Raises
    ------
    SettingError
        The format is unknown, or cannot be written.

    Examples
    --------
    >>> from unisono.formats.writing import check_writable
    >>> check_writable("talk.TextGrid")
    'textgrid'
    """
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
