"""`read`: any number of files and folders to one corpus."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias

from unisono.errors import SettingError, setting
from unisono.formats.assigning import assigned
from unisono.formats.delimiting import check_delimiter
from unisono.formats.gathering import Gathered
from unisono.formats.headings import Asked
from unisono.formats.locating import located
from unisono.formats.tables import TableOptions, read_csv, read_tsv
from unisono.model.naming import listed

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from unisono.formats.locating import Source
    from unisono.model.corpus import Corpus, SeenBy

    Reader: TypeAlias = Callable[[Source, TableOptions, Gathered], int]

__all__ = ["read"]

_READERS: Mapping[str, Reader] = {
    "csv": read_csv,
    "tsv": read_tsv,
}
_SUFFIXES: Mapping[str, str] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
}
_ON_ERROR = ("raise", "skip")


def read(
    *paths: str | os.PathLike[str],
    format: Literal["auto", "csv", "tsv"] = "auto",  # noqa: A002 (the word users know)
    document: str | int | Literal[False] | None = None,
    annotator: str | int | None = None,
    start: str | int | None = None,
    end: str | int | None = None,
    label: str | int | Literal[False] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    annotators: SeenBy | str | os.PathLike[str] = "units",
    extent: tuple[float, float] | None = None,
    on_error: Literal["raise", "skip"] = "raise",
) -> Corpus:
    r"""Read annotated documents from files and folders.

    A table has one row a unit. With a header, the columns are found by their usual names
    (annotator or coder; start or onset; end or stop; label or category; document or file;
    and more) or by the names given here. Without one, they are annotator, label, start, end.
    Each file is a document, named by the file without its suffix, unless it has a column
    of documents.

    Parameters
    ----------
    *paths
        Files, and folders that are searched to the bottom for files of a known suffix
        (``.csv``, ``.tsv``, ``.tab``); hidden ones are left alone.
    format
        ``"csv"``, ``"tsv"``, or ``"auto"`` to tell it by the suffix.
    document, annotator, start, end, label
        Which column plays this role: its name, or its number from 1. ``label=False`` when
        units have no labels, ``document=False`` when each file is a document. If nothing is
        said, a column with the name of the role itself wins over its other names, of which
        there must not be two.
    header
        Whether the first row holds names; by default it does if no cell is a number.
    delimiter
        What separates columns; by default it is guessed, and a tab in TSV.
    annotators
        Who saw a document: those with units in it (``"units"``), everyone in the corpus
        (``"corpus"``), a table (document to annotators), or the path of a table with the
        columns document and annotator. A document in the table that has no units becomes
        a continuum without units.
    extent
        Where every document begins and ends; by default each goes from its first start to
        its last end.
    on_error
        ``"raise"``, or ``"skip"`` to leave bad rows out and count them in
        `Corpus.skipped`.

    Returns
    -------
    Corpus
        The documents.

    Raises
    ------
    ReadError
        A file cannot be read; the message has file, line and row.
    DataError
        An annotator with units is not in the table of who saw what, or a unit lies outside
        the extent; the message has the document.
    SettingError
        A setting is unknown or makes no sense.

    Notes
    -----
    Labels are numbers if every label of the corpus is written as a number, otherwise
    strings; an empty cell is a unit without label. Spaces around a cell do not count.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import unisono as un
    >>> table = "annotator,start,end,label\nann,0,5,NP\nbob,0,4,NP\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "talk.csv").write_text(table)
    ...     corpus = un.read(folder)
    >>> corpus
    Corpus(1 document, 2 annotators, 2 units, 1 label)
    >>> corpus["talk"].units[0]
    Unit(annotator='ann', start=0.0, end=5.0, label='NP')
    """
    _check_choice("format", format, ("auto", *_READERS))
    _check_choice("on_error", on_error, _ON_ERROR)
    check_delimiter(delimiter)
    _check_extent(extent)
    if not paths:
        msg = "read needs at least one path, of a file or a folder"
        raise SettingError(msg)
    roles = {
        "document": document,
        "annotator": annotator,
        "start": start,
        "end": end,
        "label": label,
    }
    asked = Asked({role: column for role, column in roles.items() if column is not None}, header)
    options = TableOptions(asked, delimiter, on_error)
    seen = assigned(annotators)
    gathered = Gathered()
    skipped = sum(
        _READERS[source.format](source, options, gathered)
        for source in located(paths, format, _SUFFIXES)
    )
    return gathered.corpus(seen, skipped, extent)


def _check_choice(name: str, choice: str, choices: tuple[str, ...]) -> None:
    if choice not in choices:
        msg = f"unknown {name} {choice!r}; choose one of {listed(choices)}"
        raise SettingError(msg)


def _check_extent(extent: object) -> None:
    if extent is None:
        return
    try:
        low, high = map(float, extent)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        msg = f"an extent is two numbers, where a document begins and ends; got {extent!r}"
        raise TypeError(msg) from None
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        got = setting("extent", extent)
        msg = f"an extent is two finite numbers, the first not above the second; got {got}"
        raise SettingError(msg)
