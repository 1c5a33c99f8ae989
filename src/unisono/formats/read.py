"""`read`, `scan_corpus` and `read_ratings`: from files to a corpus or to ratings."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from unisono.errors import (
    AmbiguousInputError,
    ReadError,
    SettingError,
    did_you_mean,
    setting,
    shortened,
)
from unisono.formats.characters import tallied, text_of
from unisono.formats.contents import Contents, Gathered, ReadOptions
from unisono.formats.files import UNKNOWN, located
from unisono.formats.rating_exports import RATING_FORMATS, record_ratings
from unisono.formats.rating_exports import SUFFIXES as JSON_SUFFIXES
from unisono.formats.rating_tables import SUFFIXES, parquet_ratings, table_ratings
from unisono.formats.registry import FORMATS
from unisono.formats.roles import Asked, RatingsAsked, is_about_paths, place_of
from unisono.formats.tables import (
    check_delimiter,
    csv_reader,
    guessed_delimiter,
    quote_problem,
    read_csv,
    read_parquet,
    read_tsv,
    row_text,
)
from unisono.model.columns import counted, listed
from unisono.model.corpus import read_from, seen_by
from unisono.model.overlap import split_fragments
from unisono.model.rating_tables import check_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.formats.contents import Source
    from unisono.model.corpus import Corpus, LazyCorpus, SeenBy
    from unisono.model.rating_tables import Duplicates
    from unisono.model.ratings import Ratings

__all__ = ["assigned", "gathered_from", "read", "read_ratings", "scan_corpus"]


def assigned(annotators: object) -> SeenBy | Literal["auto"]:
    """Read the table of who saw what, if a path is given; check everything else."""
    if annotators == "auto":
        return "auto"
    if isinstance(annotators, Mapping) or annotators in ("units", "corpus"):
        return seen_by(annotators)
    if not isinstance(annotators, str | os.PathLike):
        msg = (
            "annotators= is 'units', 'corpus', a table (document to annotators) "
            f"or the path of one; got {annotators!r}"
        )
        raise TypeError(msg)
    path = Path(annotators)
    if not path.exists():
        if isinstance(annotators, str) and not path.suffix:
            msg = (
                f"unknown {setting('annotators', annotators)}; choose 'units', 'corpus', "
                "or give a table of who saw what, such as 'who.csv'"
            )
            raise SettingError(msg)
        problem = f"no such file; {setting('annotators')} is the path of a table of who saw what"
        raise ReadError(problem, path=path)
    return _table(path)


def _table(path: Path) -> dict[str, tuple[str, ...]]:
    text = text_of(path)
    delimiter = guessed_delimiter(text, ",;\t|", Asked({}))
    reader = csv_reader(text, delimiter)
    table: dict[str, tuple[str, ...]] = {}
    places: tuple[int, int] | None = None
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if places is None:
                places, is_header = _places(cells, path, reader.line_num)
                width = len(cells)
                if is_header:
                    continue
            if len(cells) != width or not all(cells[place] for place in places):
                shown = row_text(row, delimiter)
                problem = f"expected a document and an annotator; the row is {shown!r}"
                raise ReadError(problem, path=path, line=reader.line_num)
            document, annotator = (cells[place] for place in places)
            table[document] = (*table.get(document, ()), annotator)
    except csv.Error as error:
        raise ReadError(quote_problem(error), path=path, line=reader.line_num) from None
    if not table:
        problem = "a header but no rows; expected a document and an annotator in each"
        raise ReadError(problem, path=path)
    return table


def _places(cells: Sequence[str], path: Path, line: int) -> tuple[tuple[int, int], bool]:
    document, annotator = place_of("document", cells), place_of("annotator", cells)
    if document is not None and annotator is not None:
        return (document, annotator), True
    if len(cells) == 2 and document is None and annotator is None:
        return (0, 1), False
    problem = f"expected the columns document and annotator; got {listed(cells)}"
    raise ReadError(problem, path=path, line=line)


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
    """Refuse a word that is no choice for a setting."""
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


def scan_corpus(
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
) -> LazyCorpus:
    """Read many documents, more than memory can hold, as `read` does.

    Every file is read once, and what cannot be read is told at once. Units beyond the first
    million wait in files; a document is made of them when it is asked for. What `gamma` gives is
    the same, to the last digit.

    Parameters
    ----------
    *paths
        Files and folders.
    format, document, annotator, start, end, label, layer, header, delimiter, tags, fragments, \
    annotators, extent, on_error
        As in `read`.

    Returns
    -------
    LazyCorpus
        The documents, equal to what `read` gives.

    Raises
    ------
    ReadError
        A file cannot be read, or there is no room for the units.
    DataError
        As in `read`.
    SettingError
        A setting is unknown or makes no sense.

    Notes
    -----
    Memory is needed for the names of documents, for who saw what where files tell it, for 12 bytes
    a unit where the rows of documents are mixed, and for the document at hand. The files take 28
    bytes a unit in the folder for temporary files; nobody sees them, and they go with the corpus.

    Examples
    --------
    >>> import unisono as un
    >>> corpus = un.scan_corpus("examples/corpus", annotators="corpus")
    >>> corpus["weather"]
    Continuum(3 annotators, 5 units, 2 labels, 21–141)
    >>> un.gamma(corpus, draws=30, rng=1).value == un.gamma(
    ...     un.read("examples/corpus", annotators="corpus"), draws=30, rng=1
    ... ).value
    True
    """
    check_choice("fragments", fragments, FRAGMENTS)
    check_extent(extent)
    seen = assigned(annotators)
    gathered = gathered_from(
        paths,
        {"document": document, "annotator": annotator, "start": start, "end": end, "label": label},
        format_=format,
        layer=layer,
        header=header,
        delimiter=delimiter,
        tags=tags,
        on_error=on_error,
        one_layer=True,
        lean=True,
    )
    corpus = gathered.lazy_corpus(seen, extent, split_fragments if fragments == "split" else None)
    return read_from(corpus, read_paths(paths, annotators))


def read_ratings(
    path: str | os.PathLike[str],
    *,
    format: Literal["auto", "table", "labelstudio", "prodigy", "jsonl", "doccano"] = "auto",  # noqa: A002 (the word users know)
    annotator: str | int | None = None,
    item: str | int | None = None,
    label: str | int | None = None,
    layer: str | None = None,
    annotators: Iterable[str | int] | None = None,
    wide: bool | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    separator: str | None = None,
    missing: str | Iterable[str] = (),
    duplicates: Duplicates = "raise",
) -> Ratings:
    r"""Read ratings from a table (CSV, Parquet), from JSON Lines, or from a tool's export.

    A long table has one row a rating, with the columns annotator, item and label, which are
    found by their usual names (coder, rater; subject, question; category, score; and more) or
    by the names given here. A wide one has one row an item and a column for each annotator.

    Parameters
    ----------
    path
        The file: columns separated by commas, semicolons, tabs or bars; or a long table as
        Parquet (``.parquet``), which DuckDB, Polars or pyarrow then counts without taking it
        all into memory; or JSON Lines with one rating an object; or what was answered of whole
        texts in an export of Label Studio, Prodigy or doccano. Of JSON it may be a folder too,
        with a file for each annotator.
    format
        What the file is, where its suffix and first bytes do not tell.
    annotator, item, label
        Which column of a long table plays this role: its name, or its number from 1; in JSON the
        name of a key. A wide table may have a column of items; otherwise items are numbered
        from 1. ``annotator="file"`` when each file of a folder is an annotator's.
    layer
        Which question was answered, where the export of a tool has several.
    annotators
        Of a wide table, the columns that are annotators, by name or by number from 1. With
        ``wide=False`` everyone who was to rate.
    wide
        Whether the table is wide. By default it is if `annotators` are given. ``True`` without
        them: every column is an annotator, but that of the items.
    header
        Whether the first row holds names. By default it does if a column is chosen by name or
        bears a usual name, or of a wide table if its cells are never labels while labels come
        again and again; it does not if a cell is a number. Where that does not tell, you are
        asked.
    delimiter
        What separates columns; by default it is guessed, and a tab in TSV.
    separator
        What splits a cell into the members of a set, such as ``"|"``; a cell with nothing but the
        separator is the empty set. By default a cell is one label.
    missing
        Texts that mean that a label is missing, such as ``"NA"``; an empty cell always does.
    duplicates
        What to do when an annotator rated an item twice: ``"raise"``, or keep the ``"first"``.

    Returns
    -------
    Ratings
        The ratings.

    Raises
    ------
    ReadError
        The file cannot be read as told; the message has file and line.
    SettingError
        A setting is unknown or makes no sense.

    Notes
    -----
    Labels are numbers if every one of them is written as a number, otherwise strings. Spaces
    around a cell do not count. A label that looks as if it meant none, such as ``NA``, is a label
    with a warning, unless it is among those given as `missing`.

    Examples
    --------
    A table as Komen (2009) has it, the annotators in the columns 2 and 3:

    >>> import tempfile
    >>> from pathlib import Path
    >>> import unisono as un
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "antecedents.txt")
    ...     _ = path.write_text("np1;0;0\nnp2;13;13\nnp3;23;0\n")
    ...     ratings = un.read_ratings(path, annotators=(2, 3), item=1)
    >>> ratings
    Ratings(2 annotators, 3 items, 6 ratings, 3 labels)
    >>> ratings.labels
    (0, 13, 23)
    """
    check_settings(duplicates, separator)
    check_delimiter(delimiter)
    if not isinstance(path, str | os.PathLike):
        msg = f"read_ratings takes the path of one file; got {path!r}"
        raise TypeError(msg)
    file = Path(path)
    chosen = None if annotators is None else _several("annotators", annotators)
    if _is_json(file, format):
        declared = None if chosen is None else [str(name) for name in chosen]
        if delimiter is not None:
            msg = f"JSON has no columns to separate; leave {setting('delimiter')} out"
            raise SettingError(msg)
        return record_ratings(
            file,
            RatingsAsked(annotator, item, label, None, wide, header),
            format_=format,
            layer=layer,
            annotators=declared,
            duplicates=duplicates,
            separator=separator,
            missing=_missing(missing),
        )
    if layer is not None:
        msg = f"a table of ratings has one label a rating; leave {setting('layer', layer)} out"
        raise SettingError(msg)
    asked = RatingsAsked(annotator, item, label, chosen, wide, header)
    if file.suffix.lower() in SUFFIXES:
        _refuse_text_settings(delimiter, missing)
        declared = None if chosen is None else [str(name) for name in chosen]
        return parquet_ratings(
            file, asked, annotators=declared, duplicates=duplicates, separator=separator
        )
    return table_ratings(
        file,
        asked,
        delimiter=delimiter,
        separator=separator,
        missing=_missing(missing),
        duplicates=duplicates,
    )


def _is_json(path: Path, format_: str) -> bool:
    if format_ not in ("auto", "table", *RATING_FORMATS):
        known = listed(("auto", "table", *RATING_FORMATS))
        msg = f"unknown format {format_!r}; choose one of {known}"
        raise SettingError(msg)
    if format_ == "auto":
        return path.suffix.lower() in JSON_SUFFIXES or path.is_dir()
    return format_ != "table"


def _refuse_text_settings(delimiter: object, missing: object) -> None:
    for name, value in (("delimiter", delimiter), ("missing", missing)):
        if value:
            msg = f"a Parquet file knows its columns and what is missing; leave {setting(name)} out"
            raise SettingError(msg)


def _several(what: str, values: object) -> tuple[str | int, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        msg = f"{what}= is several columns, such as (2, 3) or ('ann', 'bob'); got {values!r}"
        raise TypeError(msg)
    return tuple(values)


def _missing(missing: object) -> frozenset[str]:
    texts = [missing] if isinstance(missing, str) else missing
    if not isinstance(texts, Iterable) or not all(isinstance(text, str) for text in texts):
        msg = f"missing= is the texts that mean a missing label, such as ('NA', '?'); got {texts!r}"
        raise TypeError(msg)
    return frozenset(text.strip() for text in texts) | {""}
