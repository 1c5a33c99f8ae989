"""`read` and `read_ratings`: from files to a corpus or to ratings."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unisono.errors import (
    AmbiguousInputError,
    ReadError,
    SettingError,
    check_choice,
    did_you_mean,
    setting,
    shortened,
)
from unisono.formats.characters import tallied
from unisono.formats.contents import Contents, Gathered, ReadOptions
from unisono.formats.files import UNKNOWN, located
from unisono.formats.rating_exports import SUFFIXES as JSON_SUFFIXES
from unisono.formats.rating_exports import record_ratings
from unisono.formats.rating_tables import SUFFIXES, parquet_ratings, table_ratings
from unisono.formats.registry import FORMATS
from unisono.formats.roles import (
    RATINGS,
    UNITS,
    WHO_SAW_WHAT,
    Asked,
    is_about_paths,
    layout_of,
)
from unisono.formats.settings import RATING_SETTINGS, READ_SETTINGS
from unisono.formats.tables import Table, check_delimiter
from unisono.formats.unit_tables import read_csv, read_parquet, read_tsv
from unisono.model.columns import counted
from unisono.model.corpus import annotators_who_saw
from unisono.model.overlap import split_fragments
from unisono.model.rating_tables import check_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.formats.contents import Source
    from unisono.model.corpus import Corpus, SeenBy
    from unisono.model.rating_tables import Duplicates
    from unisono.model.ratings import Ratings

__all__ = ["checked_seen_by", "read", "read_all_layers", "read_ratings"]


_ROLES = ("document", "annotator", "start", "end", "label")
_OPTIONS = {"format": "format_"}


def checked_seen_by(who: object) -> SeenBy | Literal["auto"]:
    """Read the table of who saw what, if a path is given; check everything else."""
    if who == "auto":
        return "auto"
    if isinstance(who, Mapping) or who in ("units", "corpus"):
        return annotators_who_saw(who)
    if not isinstance(who, str | os.PathLike):
        msg = (
            "seen_by= must be 'auto', 'units', 'corpus', a mapping from document to annotators, or "
            f"the path of a table; got {who!r}"
        )
        raise TypeError(msg)
    path = Path(who)
    if not path.exists():
        if isinstance(who, str) and not path.suffix:
            table = "pass a table of documents and annotators, such as 'seen.csv'"
            check_choice("seen_by", who, ("units", "corpus"), table)
        name = setting("seen_by")
        problem = f"no such file; {name} takes the path of a table of documents and annotators"
        raise ReadError(problem, path=path)
    return _who_saw_what(path)


def _who_saw_what(path: Path) -> dict[str, tuple[str, ...]]:
    asked = Asked(WHO_SAW_WHAT)
    table = Table(path, "a document and an annotator in each row", asked=asked)
    layout = layout_of(table.first, asked, path=path, line=table.line)
    books = {layout.places[role]: book for book, role in enumerate(WHO_SAW_WHAT.needed)}

    columns = table.columns(header=bool(layout.header), texts=books)
    documents, annotators = (columns.texts[place] for place in books)
    if not len(documents.codes):
        problem = "a header but no rows; expected a document and an annotator in each"
        raise ReadError(problem, path=path)
    for role, names in zip(WHO_SAW_WHAT.needed, (documents, annotators), strict=True):
        for row in np.flatnonzero(names.codes < 0).tolist():
            problem = f"the {role} is empty; every row has a document and an annotator"
            raise ReadError(problem, path=path, line=table.line_of(row))
    seen: dict[str, list[str]] = {}
    pairs = zip(documents.codes.tolist(), annotators.codes.tolist(), strict=True)
    for document, annotator in pairs:
        seen.setdefault(documents.values[document], []).append(annotators.values[annotator])
    return {document: tuple(names) for document, names in seen.items()}


_TABLES = {"csv": read_csv, "tsv": read_tsv, "parquet": read_parquet}


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
    seen_by: SeenBy | str | os.PathLike[str] = "auto",
    extent: tuple[float, float] | None = None,
    on_error: Literal["raise", "skip"] = "raise",
) -> Corpus:
    r"""Read annotated documents from files and folders.

    The format is told by the suffix and, where that leaves several, by the first bytes. A
    table has one row per unit. With a header, the columns are found by their usual names
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
    seen_by
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
    return _read(
        paths,
        {
            "document": document,
            "annotator": annotator,
            "start": start,
            "end": end,
            "label": label,
        },
        seen_by,
        extent,
        format_=format,
        layer=layer,
        header=header,
        delimiter=delimiter,
        tags=tags,
        fragments=fragments,
        on_error=on_error,
        one_layer=True,
    )


def read_all_layers(*paths: str | os.PathLike[str], **settings: Any) -> Corpus:  # noqa: ANN401 - those of read
    """Read files as `read` does, but accept several layers; for an overview of the files."""
    roles = {name: settings.pop(name, None) for name in _ROLES}
    options = {_OPTIONS.get(name, name): value for name, value in settings.items()}
    who = options.pop("seen_by", "auto")
    return _read(paths, roles, who, options.pop("extent", None), **options)


def _read(
    paths: Sequence[str | os.PathLike[str]],
    roles: Mapping[str, str | int | Literal[False] | None],
    who: SeenBy | str | os.PathLike[str],
    extent: tuple[float, float] | None,
    *,
    fragments: str = "whole",
    **options: Any,  # noqa: ANN401 - those of _gathered
) -> Corpus:
    check_extent(extent)
    check_choice("fragments", fragments, READ_SETTINGS["fragments"].choices)
    gathered = _gathered(paths, roles, **options)
    corpus = gathered.corpus(checked_seen_by(who), extent, _input_paths(paths, who))
    return split_fragments(corpus) if fragments == "split" else corpus


def _input_paths(
    paths: Iterable[str | os.PathLike[str]], who: SeenBy | str | os.PathLike[str]
) -> list[str | os.PathLike[str]]:
    """Return all paths that are read: the data, and the table of who saw what if there is one."""
    if isinstance(who, Mapping) or who in ("auto", "units", "corpus"):
        return [*paths]
    return [*paths, who]


def _gathered(
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
) -> Gathered:
    """Read the contents of files, before they become a corpus."""
    for name, value in {"format": format_, "on_error": on_error, "tags": tags}.items():
        check_choice(name, value, READ_SETTINGS[name].choices)
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
    inside = {role: word for role, word in given.items() if not is_about_paths(word)}
    in_table = ReadOptions(Asked(UNITS, given, header), delimiter, on_error, layer=layers)
    options = ReadOptions(
        Asked(UNITS, inside),
        on_error=on_error,
        annotator=inside.get("annotator"),
        document=inside.get("document"),
        layer=layers,
        label=inside.get("label"),
        tags=tags,
    )
    gathered = Gathered(chosen_layers=tuple(sorted(layers or ())))
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
        there = f"there are {_layers_of(gathered)}{meant}"
        problem = f"no layer {layer!r} for {setting('layer')}; {there}"
        raise ReadError(problem, path=paths[0])


def _refuse_mixed_layers(gathered: Gathered, paths: Sequence[str | os.PathLike[str]]) -> None:
    if len(gathered.layers) > 1:
        problem = (
            f"units of {len(gathered.layers)} layers would be measured as one: "
            f"{_layers_of(gathered)}. Say which with {setting('layer')}"
        )
        raise AmbiguousInputError(problem, path=paths[0])


def _layers_of(gathered: Gathered) -> str:
    layers = sorted(gathered.layers.items())
    texts = [f"{name!r} ({counted(number, 'unit')})" for name, number in layers]
    return ", ".join(texts[:20] + ["…"] * (len(texts) > 20)) or "none"


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


def read_ratings(
    path: str | os.PathLike[str],
    *,
    format: Literal["auto", "table", "labelstudio", "prodigy", "jsonl", "doccano"] = "auto",  # noqa: A002 (the word users know)
    annotator: str | int | None = None,
    item: str | int | None = None,
    label: str | int | None = None,
    layer: str | None = None,
    annotator_columns: Iterable[str | int] | None = None,
    wide: bool | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    separator: str | None = None,
    na_values: str | Iterable[str] = (),
    duplicates: Duplicates = "raise",
) -> Ratings:
    r"""Read ratings from a table (CSV, Parquet), from JSON Lines, or from a tool's export.

    A long table has one row per rating, with the columns annotator, item and label, which are
    found by their usual names (coder, rater; subject, question; category, score; and more) or
    by the names given here. A wide one has one row per item and one column per annotator.

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
    annotator_columns
        Of a wide table, the columns that are annotators, by name or by number from 1. With
        ``wide=False`` everyone who was to rate.
    wide
        Whether the table is wide. By default it is if `annotator_columns` are given. ``True``
        without them: every column is an annotator, but that of the items.
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
    na_values
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
    with a warning, unless it is among those given as `na_values`.

    Examples
    --------
    A table as Komen (2009) has it, the annotators in the columns 2 and 3:

    >>> import tempfile
    >>> from pathlib import Path
    >>> import unisono as un
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "antecedents.txt")
    ...     _ = path.write_text("np1;0;0\nnp2;13;13\nnp3;23;0\n")
    ...     ratings = un.read_ratings(path, annotator_columns=(2, 3), item=1)
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
    chosen = None if annotator_columns is None else _several("annotator_columns", annotator_columns)
    declared = None if chosen is None else [str(name) for name in chosen]
    columns = {"annotator": annotator, "item": item, "label": label}
    given = {role: column for role, column in columns.items() if column is not None}
    if _is_json(file, format):
        if delimiter is not None:
            msg = f"JSON has no columns to separate; leave {setting('delimiter')} out"
            raise SettingError(msg)
        return record_ratings(
            file,
            Asked(RATINGS, given, header, wide=wide),
            format_=format,
            layer=layer,
            annotators=declared,
            duplicates=duplicates,
            separator=separator,
            missing=_missing(na_values),
        )
    if layer is not None:
        msg = f"a table of ratings has one label a rating; leave {setting('layer', layer)} out"
        raise SettingError(msg)
    asked = Asked(RATINGS, given, header, wide=wide, annotators=chosen)
    if file.suffix.lower() in SUFFIXES:
        _refuse_text_settings(delimiter, na_values)
        return parquet_ratings(
            file, asked, annotators=declared, duplicates=duplicates, separator=separator
        )
    return table_ratings(
        file,
        asked,
        delimiter=delimiter,
        separator=separator,
        missing=_missing(na_values),
        duplicates=duplicates,
    )


def _is_json(path: Path, format_: str) -> bool:
    check_choice("format", format_, RATING_SETTINGS["format"].choices)
    if format_ == "auto":
        return path.suffix.lower() in JSON_SUFFIXES or path.is_dir()
    return format_ != "table"


def _refuse_text_settings(delimiter: object, na_values: object) -> None:
    for name, value in (("delimiter", delimiter), ("na_values", na_values)):
        if value:
            msg = f"a Parquet file knows its columns and what is missing; leave {setting(name)} out"
            raise SettingError(msg)


def _several(what: str, values: object) -> tuple[str | int, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        msg = f"{what}= is several columns, such as (2, 3) or ('ann', 'bob'); got {values!r}"
        raise TypeError(msg)
    return tuple(values)


def _missing(na_values: object) -> frozenset[str]:
    texts = [na_values] if isinstance(na_values, str) else na_values
    if not isinstance(texts, Iterable) or not all(isinstance(text, str) for text in texts):
        msg = (
            f"na_values must be texts that mean a missing label, such as ('NA', '?'); got {texts!r}"
        )
        raise TypeError(msg)
    return frozenset(text.strip() for text in texts) | {""}
