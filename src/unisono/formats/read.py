"""`read`: any number of files and folders to one corpus."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from unisono.errors import (
    AmbiguousInputError,
    ReadError,
    SettingError,
    did_you_mean,
    setting,
    shortened,
)
from unisono.formats.assigning import assigned
from unisono.formats.contents import Contents, ReadOptions
from unisono.formats.delimiting import check_delimiter
from unisono.formats.files import UNKNOWN, located
from unisono.formats.gathering import Gathered
from unisono.formats.headings import Asked
from unisono.formats.parquet import read_parquet
from unisono.formats.path_roles import is_about_paths
from unisono.formats.read_progress import tallied
from unisono.formats.registry import FORMATS
from unisono.formats.tables import read_csv, read_tsv
from unisono.model.corpus import read_from
from unisono.model.fragmenting import split_fragments
from unisono.model.naming import counted, listed

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from unisono.formats.sources import Source
    from unisono.model.corpus import Corpus, SeenBy

__all__ = ["FRAGMENTS", "check_choice", "check_extent", "gathered_from", "read", "read_paths"]

_TABLES = {"csv": read_csv, "tsv": read_tsv, "parquet": read_parquet}
_ON_ERROR = ("raise", "skip")
FRAGMENTS = ("whole", "split")
TAG_SCHEMES = ("auto", "iob1", "iob2", "iobes", "bilou")


def read(
    *paths: str | os.PathLike[str],
    format: str = "auto",  # noqa: A002 (the word users know)
    document: str | int | Literal[False] | None = None,
    annotator: str | int | None = None,
    start: str | int | None = None,
    end: str | int | None = None,
    label: str | int | Literal[False] | None = None,
    layer: str | Iterable[str] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    tags: Literal["auto", "iob1", "iob2", "iobes", "bilou"] = "auto",
    fragments: Literal["whole", "split"] = "whole",
    annotators: SeenBy | str | os.PathLike[str] = "auto",
    extent: tuple[float, float] | None = None,
    on_error: Literal["raise", "skip"] = "raise",
) -> Corpus:
    r"""Read annotated documents from files and folders.

    The format is told by the suffix and, where that leaves several, by the first bytes. A
    table has one row a unit. With a header, the columns are found by their usual names
    (annotator or coder; start or onset; end or stop; label or category; document or file;
    and more) or by the names given here. Without one, they are annotator, label, start, end.
    Each file is a document, named by the file without its suffix, unless documents are named
    inside.

    Parameters
    ----------
    *paths
        Files, and folders that are searched to the bottom for files of a known suffix; hidden
        ones are left alone.
    format
        ``"csv"``, ``"jsonl"``, ``"brat"`` and so on, or ``"auto"``.
    document, annotator, start, end, label
        Which column of a table plays this role: its name, or its number from 1.
        ``label=False`` when units have no labels, ``document=False`` when each file is a
        document. If nothing is said, a column with the name of the role itself wins over its
        other names, of which there must not be two. In other formats `document` and
        `annotator` are ``"file"``, ``"folder"``, a pattern of file names such as
        ``"{document}_{annotator}"``, or what the format calls by such a name; `label` is the
        name of an attribute to use in place of the usual label.
    layer
        The layer or tier to read, or several; needed where a file has more than one.
    header
        Whether the first row holds names; by default it does if no cell is a number.
    delimiter
        What separates columns; by default it is guessed, and a tab in TSV.
    tags
        How tags in columns of tokens mark units.
    fragments
        Units in several pieces are one unit (``"whole"``), or each piece is one
        (``"split"``), see `split_fragments`.
    annotators
        Who saw a document: those the format tells of by folders, tiers or tasks, and otherwise
        those with units (``"auto"``), those with units in it (``"units"``), everyone in the
        corpus (``"corpus"``), a table (document to annotators), or the path of a table with the
        columns document and annotator. A document in the table that has no units becomes
        a continuum without units.
    extent
        Where every document begins and ends; by default each goes as far as its text or
        recording where the format tells, otherwise from its first start to its last end.
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
    asked = {
        "document": document,
        "annotator": annotator,
        "start": start,
        "end": end,
        "label": label,
    }
    check_choice("fragments", fragments, FRAGMENTS)
    gathered = gathered_from(
        paths,
        asked,
        format_=format,
        layer=layer,
        header=header,
        delimiter=delimiter,
        tags=tags,
        on_error=on_error,
        one_layer=True,
    )
    check_extent(extent)
    corpus = gathered.corpus(assigned(annotators), extent)
    if fragments == "split":
        corpus = split_fragments(corpus)
    return read_from(corpus, read_paths(paths, annotators))


def read_paths(
    paths: Iterable[str | os.PathLike[str]], annotators: SeenBy | str | os.PathLike[str]
) -> list[str | os.PathLike[str]]:
    """Return everything that is read: the data, and the table of annotators if that is a file."""
    if isinstance(annotators, Mapping) or annotators in ("auto", "units", "corpus"):
        return [*paths]
    return [*paths, annotators]


def gathered_from(
    paths: Sequence[str | os.PathLike[str]],
    asked: Mapping[str, str | int | Literal[False] | None],
    *,
    format_: str = "auto",
    layer: str | Iterable[str] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    tags: str = "auto",
    on_error: Literal["raise", "skip"] = "raise",
    one_layer: bool = False,
    lean: bool = False,
) -> Gathered:
    """Read files, without making a corpus of them yet; the settings are those of `read`."""
    check_choice("format", format_, ("auto", *FORMATS))
    check_choice("on_error", on_error, _ON_ERROR)
    check_choice("tags", tags, TAG_SCHEMES)
    check_delimiter(delimiter)
    if not paths:
        msg = "read needs at least one path, of a file or a folder"
        raise SettingError(msg)
    given = {role: column for role, column in asked.items() if column is not None}
    layers = None if layer is None else frozenset([layer] if isinstance(layer, str) else layer)
    unknown: list[Path] = []
    sources = located(
        paths,
        format_,
        FORMATS,
        annotator=given.get("annotator"),
        document=given.get("document"),
        unknown=unknown,
    )
    in_table = ReadOptions(Asked(given, header), delimiter, on_error, layer=layers)
    inside = {role: word for role, word in given.items() if not is_about_paths(word)}
    options = ReadOptions(
        Asked(inside, None),
        on_error=on_error,
        annotator=inside.get("annotator"),
        document=inside.get("document"),
        layer=layers,
        label=inside.get("label"),
        tags=tags,
    )
    gathered = Gathered(is_lean=lean)
    for path in unknown:
        gathered.others.add(UNKNOWN, str(path))
    with tallied(source.path for source in sources) as done_with:
        for source in sources:
            gathered.formats[source.format] += 1
            if FORMATS[source.format].is_table:
                _TABLES[source.format](source, in_table, gathered)
            else:
                for contents in _contents(source, options):
                    gathered.take(contents, layers)
            done_with(source.path)
    if layers is not None:
        _check_layers(layers, gathered, paths)
    elif one_layer:
        _refuse_mixed_layers(gathered, paths)
    return gathered


def _contents(source: Source, options: ReadOptions) -> Iterable[Contents]:
    reader = FORMATS[source.format].reader
    if reader is None:
        problem = f"{source.format} can be written, but not read"
        raise ReadError(problem, path=source.path)
    found = reader(source, options)
    return [found] if isinstance(found, Contents) else found


def _check_layers(
    layers: frozenset[str], gathered: Gathered, paths: Sequence[str | os.PathLike[str]]
) -> None:
    for layer in sorted(layers - gathered.layers.keys()):
        meant = did_you_mean(layer, gathered.layers)
        there = f"there are {_told(gathered)}{meant}"
        problem = f"no layer {layer!r} for {setting('layer')}; {there}"
        raise ReadError(problem, path=paths[0])


def _refuse_mixed_layers(gathered: Gathered, paths: Sequence[str | os.PathLike[str]]) -> None:
    if len(gathered.layers) > 1:
        problem = (
            f"units of {len(gathered.layers)} layers would be measured as one: {_told(gathered)}. "
            f"Say which with {setting('layer')}"
        )
        raise AmbiguousInputError(problem, path=paths[0])


def _told(gathered: Gathered) -> str:
    layers = sorted(gathered.layers.items())
    told = [f"{name!r} ({counted(number, 'unit')})" for name, number in layers]
    return ", ".join(told[:20] + ["…"] * (len(told) > 20)) or "none"


def check_choice(name: str, choice: str, choices: Iterable[str]) -> None:
    """Refuse a word that is no choice for a setting.

    Raises
    ------
    SettingError
        It is none.
    """
    if choice not in choices:
        meant = did_you_mean(choice, choices)
        msg = f"unknown {name} {choice!r}; choose one of {listed(choices)}{meant}"
        raise SettingError(msg)


def check_extent(extent: object) -> None:
    """Refuse what is no extent of a document."""
    if extent is None:
        return
    try:
        low, high = map(float, extent)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        got = shortened(repr(extent))
        msg = f"an extent is two numbers, where a document begins and ends; got {got}"
        raise TypeError(msg) from None
    except OverflowError:
        low = high = math.inf
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        got = setting("extent", extent)
        msg = f"an extent is two finite numbers, the first not above the second; got {got}"
        raise SettingError(msg)
