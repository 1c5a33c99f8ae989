"""Reading of files: `read` returns a corpus, `read_ratings` ratings."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
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
from unisono.formats.characters import track_bytes_read
from unisono.formats.contents import Contents, Gathered, ReadOptions, labels_from_text
from unisono.formats.files import UNKNOWN, find_sources
from unisono.formats.rating_exports import SUFFIXES as JSON_SUFFIXES
from unisono.formats.rating_exports import record_ratings
from unisono.formats.rating_tables import SUFFIXES, parquet_ratings, table_clusters, table_ratings
from unisono.formats.registry import FORMATS
from unisono.formats.roles import (
    RATINGS,
    SEEN_BY,
    UNITS,
    ColumnRoles,
    layout_of,
    refers_to_path,
)
from unisono.formats.settings import RATING_SETTINGS, READ_SETTINGS
from unisono.formats.tables import Table, check_delimiter
from unisono.formats.unit_tables import judge_tables, read_csv, read_parquet, read_tsv
from unisono.model.columns import counted
from unisono.model.corpus import annotators_who_saw
from unisono.model.overlap import split_fragments
from unisono.model.rating_tables import check_settings
from unisono.model.selection import NamePatterns, selected_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.model.corpus import Corpus, SeenBy
    from unisono.model.interpretation import Interpretation
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Duplicates
    from unisono.model.ratings import Ratings

__all__ = ["checked_seen_by", "read", "read_all_layers", "read_ratings"]


_ROLES = ("document", "annotator", "start", "end", "duration", "label")
_OPTIONS = {"format": "format_"}


def checked_seen_by(value: object) -> SeenBy | Literal["auto"]:
    """Check the value of seen_by=, and read the table if it is a path."""
    if value == "auto":
        return "auto"
    if isinstance(value, Mapping) or value in ("units", "corpus"):
        return annotators_who_saw(value)
    if not isinstance(value, str | os.PathLike):
        msg = (
            "seen_by= must be 'auto', 'units', 'corpus', a mapping from document to annotators, or "
            f"the path of a table; got {value!r}"
        )
        raise TypeError(msg)
    path = Path(value)
    if not path.exists():
        if isinstance(value, str) and not path.suffix:
            table = "pass the path of a table of documents and annotators, such as 'seen.csv'"
            check_choice("seen_by", value, ("auto", "units", "corpus"), table)
        name = setting("seen_by")
        problem = f"no such file; {name} takes the path of a table of documents and annotators"
        raise ReadError(problem, path=path)
    return _seen_by_table(path)


def _seen_by_table(path: Path) -> dict[str, tuple[str, ...]]:
    roles = ColumnRoles(SEEN_BY)
    table = Table(path, "a document and an annotator in each row", roles=roles)
    layout = layout_of(table.first, roles, path=path, line=table.line)
    books = {layout.places[role]: book for book, role in enumerate(SEEN_BY.required)}

    columns = table.columns(header=bool(layout.header), texts=books)
    documents, annotators = (columns.texts[place] for place in books)
    if not len(documents.codes):
        problem = "a header but no rows; expected a document and an annotator in each"
        raise ReadError(problem, path=path)
    for role, names in zip(SEEN_BY.required, (documents, annotators), strict=True):
        for row in np.flatnonzero(names.codes < 0).tolist():
            problem = f"the {role} is empty; every row needs a document and an annotator"
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
    duration: str | int | None = None,
    label: str | int | Literal[False] | None = None,
    layer: str | Iterable[str] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    tags: Literal["auto", "iob1", "iob2", "iobes", "bilou"] = "auto",
    fragments: Literal["whole", "split"] = "whole",
    ends: Literal["exclusive", "inclusive"] = "exclusive",
    seen_by: SeenBy | str | os.PathLike[str] = "auto",
    extent: tuple[float, float] | None = None,
    on_error: Literal["raise", "skip"] = "raise",
    questions: Literal["raise", "keep"] = "raise",
    accept: str | Iterable[str] = (),
    documents: str | Iterable[str] | None = None,
    annotators: str | Iterable[str] | None = None,
    labels: str | Iterable[str] | None = None,
) -> Corpus:
    r"""Read annotated documents from files and folders.

    The format is detected from the suffix and, if several formats use the suffix, from the first
    bytes. A table has one row per unit. If it has a header, columns are found by the names set
    here or by common names (annotator or coder; start or onset; end or stop; label or category;
    document or file; and others). Without a header, the columns are annotator, label, start and
    end. Each file is a document, named after the file without its suffix, unless the file names
    its documents.

    Parameters
    ----------
    *paths
        Files and folders. Folders are searched recursively for files with a known suffix; hidden
        files and folders are ignored.
    format
        ``"csv"``, ``"jsonl"``, ``"brat"`` and so on, or ``"auto"`` to detect it.
    document, annotator, start, end, duration, label
        The column of a table with this role: its name, or its number from 1. A duration takes the
        place of the end. ``label=False`` if units have no labels, ``document=False`` or
        ``document="file"`` if each file is a document. By default, the column with the name of
        the role is used, otherwise the only column with another common name. In other formats,
        `document` and `annotator` are ``"file"``, ``"folder"``, a pattern of file names such as
        ``"{document}_{annotator}"``, or the name of a field of the format; `label` is the name of
        an attribute that replaces the usual label.
    layer
        The layer or tier to read, or several; required if the files have more than one.
    header
        Whether the first row has column names; by default it does if no cell is a number.
    delimiter
        The separator of columns; by default it is detected, and a tab in TSV.
    tags
        The tagging scheme of columns of tokens.
    fragments
        Whether a discontinuous unit is one unit (``"whole"``), or each fragment is a unit
        (``"split"``); see `split_fragments`.
    ends
        Whether the end of a unit is the position after it (``"exclusive"``), or its last position
        (``"inclusive"``), as in numbers of tokens: then 1 is added to each end.
    seen_by
        The annotators of each document: those declared in the format by folders, tiers or tasks,
        or else those with units in it (``"auto"``); those with units in it (``"units"``); all
        annotators of the corpus (``"corpus"``); a mapping from document to annotators; or the
        path of a table with the columns document and annotator. A document that is only in the
        mapping or table becomes a continuum without units.
    extent
        The start and the end of every document; by default those of its text or recording if the
        format has them, otherwise the first start and the last end of its units.
    on_error
        ``"raise"``, or ``"skip"`` to skip invalid rows and count them in `Corpus.skipped`.
    questions
        If the data support two ways of reading the files: ``"raise"`` an error that shows both,
        or ``"keep"`` the first one, with the question in `Corpus.interpretation`.
    accept
        Codes of questions whose first reading is right, such as ``"file-per-coder"``.
    documents, annotators, labels
        Names to keep, as a list or separated by commas; ``*`` stands for any characters and ``?``
        for one. ``"all but A*"`` keeps the others.

    Returns
    -------
    Corpus
        The documents.

    Raises
    ------
    ReadError
        A file cannot be read; the message names the file, the line and the row.
    AmbiguousInputError
        The data support two ways of reading the files; the message shows the settings for each.
    DataError
        An annotator has units in a document but is not among its annotators in `seen_by`, or a
        unit lies outside the extent; the message names the document.
    SettingError
        The value of a setting is invalid.

    Notes
    -----
    Labels are numbers if all labels of the corpus are written as numbers, otherwise strings. A
    unit with an empty label cell has no label. White space around a cell is ignored.

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
            "duration": duration,
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
        ends=ends,
        on_error=on_error,
        questions=questions,
        accept=accept,
        chosen={"documents": documents, "annotators": annotators, "labels": labels},
        one_layer=True,
    )


def read_all_layers(*paths: str | os.PathLike[str], **settings: Any) -> Corpus:  # noqa: ANN401 - those of read
    """Read files as `read` does, with several layers and open questions; for an overview."""
    roles = {name: settings.pop(name, None) for name in _ROLES}
    options = {_OPTIONS.get(name, name): value for name, value in settings.items()}
    seen_by = options.pop("seen_by", "auto")
    options["chosen"] = {name: options.pop(name, None) for name in _CHOSEN}
    options.setdefault("questions", "keep")
    return _read(paths, roles, seen_by, options.pop("extent", None), **options)


def _read(
    paths: Sequence[str | os.PathLike[str]],
    roles: Mapping[str, str | int | Literal[False] | None],
    seen_by: SeenBy | str | os.PathLike[str],
    extent: tuple[float, float] | None,
    *,
    ends: str = "exclusive",
    questions: str = "raise",
    accept: str | Iterable[str] = (),
    chosen: Mapping[str, str | Iterable[str] | None],
    **options: Any,  # noqa: ANN401 - those of _gather
) -> Corpus:
    check_extent(extent)
    check_choice("questions", questions, _QUESTIONS)
    READ_SETTINGS["ends"].check(ends)
    gathered = _gather(paths, roles, **options)
    gathered.accepted = accepted_codes(accept)
    gathered.has_inclusive_ends = ends == "inclusive"
    settings = {**roles, **chosen}
    gathered.asked = frozenset(name for name, value in settings.items() if value is not None)
    corpus = gathered.corpus(checked_seen_by(seen_by), extent, _input_paths(paths, seen_by))
    corpus = selected_part(corpus, chosen)
    check_answered(corpus.interpretation, questions, paths[0])
    return split_fragments(corpus) if options.get("fragments") == "split" else corpus


_QUESTIONS = ("raise", "keep")
_CHOSEN = ("documents", "annotators", "labels")


def accepted_codes(accept: object) -> tuple[str, ...]:
    """Return the codes of accept= as a tuple; raise for values that are not texts."""
    codes = (accept,) if isinstance(accept, str) else accept
    if not isinstance(codes, Iterable) or not all(isinstance(code, str) for code in codes):
        msg = f"accept= must be codes of questions, such as 'file-per-coder'; got {accept!r}"
        raise TypeError(msg)
    return tuple(codes)


def check_answered(
    interpretation: Interpretation | None, questions: str, path: str | os.PathLike[str]
) -> None:
    """Raise for the first open question, unless open questions are kept in the record."""
    if interpretation is None or questions == "keep":
        return
    for question in interpretation.open_questions:
        raise AmbiguousInputError(str(question), path=path, interpretation=interpretation)


def _input_paths(
    paths: Iterable[str | os.PathLike[str]], seen_by: SeenBy | str | os.PathLike[str]
) -> list[str | os.PathLike[str]]:
    """Return all paths that are read: the data and, if there is one, the table of seen_by=."""
    if isinstance(seen_by, Mapping) or seen_by in ("auto", "units", "corpus"):
        return [*paths]
    return [*paths, seen_by]


def _gather(
    paths: Sequence[str | os.PathLike[str]],
    roles: Mapping[str, str | int | Literal[False] | None],
    *,
    format_: str = "auto",
    layer: str | Iterable[str] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    tags: str = "auto",
    fragments: str = "whole",
    on_error: Literal["raise", "skip"] = "raise",
    one_layer: bool = False,
) -> Gathered:
    """Read the contents of all files."""
    choices = {"on_error": on_error, "tags": tags, "fragments": fragments}
    for name, value in choices.items():
        READ_SETTINGS[name].check(value)
    check_delimiter(delimiter)
    if not paths:
        msg = "read requires at least one path of a file or a folder"
        raise SettingError(msg)
    columns = {role: column for role, column in roles.items() if column is not None}
    layers = None if layer is None else NamePatterns.parsed(layer, "layer", may_list=False)
    unknown: list[Path] = []
    sources = find_sources(
        paths,
        format_,
        FORMATS,
        annotator=columns.get("annotator"),
        document=columns.get("document"),
        unknown=unknown,
    )
    inside = {role: value for role, value in columns.items() if not refers_to_path(value)}
    in_table = ReadOptions(ColumnRoles(UNITS, columns, header), delimiter, on_error, layer=layers)
    options = ReadOptions(
        ColumnRoles(UNITS, inside),
        on_error=on_error,
        annotator=inside.get("annotator"),
        document=inside.get("document"),
        layer=layers,
        label=inside.get("label"),
        tags=tags,
    )
    gathered = Gathered()
    for path in unknown:
        gathered.others.add(UNKNOWN, str(path))
    size = 0
    with track_bytes_read(source.path for source in sources) as mark_done:
        for source in sources:
            gathered.formats[source.format] += 1
            gathered.paths.append(source.path)
            reader = FORMATS[source.format].reader
            if reader is None:
                _TABLES[source.format](source, in_table, gathered)
            else:
                found = reader(source, options)
                for contents in [found] if isinstance(found, Contents) else found:
                    gathered.take(contents, layers)
            mark_done(source.path)
            if one_layer and layers is None and len(gathered.layers) > 1:
                # The caller has to choose a layer, so the rest need not be read before.
                size += source.path.stat().st_size
                if size > _ENOUGH_BYTES:
                    break
    judge_tables(gathered, asked=frozenset(columns))
    if layers is not None:
        _check_layers(layers, gathered, paths)
        gathered.chosen_layers = tuple(sorted(name for name in gathered.layers if name in layers))
    elif one_layer:
        _refuse_mixed_layers(gathered, paths, len(sources))
    return gathered


def _check_layers(
    layers: NamePatterns, gathered: Gathered, paths: Sequence[str | os.PathLike[str]]
) -> None:
    for layer in layers.unmatched(gathered.layers):
        suggestion = did_you_mean(layer, gathered.layers)
        known = "these files have no layers"
        if any(gathered.layers):
            known = f"the layers are {_layers_of(gathered)}"
        problem = f"unknown layer {layer!r} for {setting('layer')}; {known}{suggestion}"
        raise ReadError(problem, path=paths[0])


_ENOUGH_BYTES = 50 * 2**20


def _refuse_mixed_layers(
    gathered: Gathered, paths: Sequence[str | os.PathLike[str]], n_files: int
) -> None:
    if len(gathered.layers) > 1:
        n_read = len(gathered.paths)
        where = (
            "the files have"
            if n_read == n_files
            else f"in the first {n_read:,} of {n_files:,} files there are"
        )
        problem = (
            f"{where} {len(gathered.layers)} layers: {_layers_of(gathered)}. "
            f"Choose one, or several to measure together, with {setting('layer')}"
        )
        raise AmbiguousInputError(problem, path=paths[0])


def _layers_of(gathered: Gathered) -> str:
    layers = sorted(gathered.layers.items())
    texts = [f"{name!r} ({counted(number, 'unit')})" for name, number in layers]
    return ", ".join(texts[:20] + ["…"] * (len(texts) > 20)) or "none"


def check_extent(extent: object) -> None:
    """Raise unless an extent is None or two finite numbers in ascending order."""
    if extent is None:
        return
    try:
        low, high = map(float, extent)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        got = shortened(repr(extent))
        msg = f"an extent must be two numbers, the start and the end of a document; got {got}"
        raise TypeError(msg) from None
    except OverflowError:
        low = high = math.inf
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        got = setting("extent", extent)
        msg = f"an extent must be two finite numbers, the first not above the second; got {got}"
        raise SettingError(msg)


def read_clusters(
    path: str | os.PathLike[str],
    column: str | int,
    *,
    annotator: str | int | None = None,
    item: str | int | None = None,
    label: str | int | None = None,
    annotator_columns: Iterable[str | int] | None = None,
    wide: bool | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    **others: object,
) -> dict[str | int, str]:
    """Return the cluster of each item of a text table, with the settings of `read_ratings`."""
    file = Path(path)
    if _is_json(file, str(others.get("format", "auto"))) or file.suffix.lower() in SUFFIXES:
        name = setting("clusters", column)
        msg = f"{name} must be a column of a text table; {file} is not a text table"
        raise SettingError(msg)
    by_role = {"annotator": annotator, "item": item, "label": label}
    columns = {role: place for role, place in by_role.items() if place is not None}
    chosen = None if annotator_columns is None else _checked_columns(annotator_columns)
    roles = ColumnRoles(RATINGS, columns, header, wide=wide, annotators=chosen)
    return table_clusters(file, column, roles, delimiter=delimiter)


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
    questions: Literal["raise", "keep"] = "raise",
    accept: str | Iterable[str] = (),
    annotators: str | Iterable[str] | None = None,
    items: str | Iterable[str] | None = None,
    labels: str | Iterable[str] | None = None,
) -> Ratings:
    r"""Read ratings from a table (CSV, Parquet), from JSON Lines, or from a tool's export.

    A long table has one row per rating and the columns annotator, item and label, which are found
    by the names set here or by common names (coder, rater; subject, question; category, score;
    and others). A wide table has one row per item and one column per annotator.

    Parameters
    ----------
    path
        A table with columns separated by commas, semicolons, tabs or bars; a long table in
        Parquet (``.parquet``), which DuckDB, Polars or pyarrow aggregates without loading it
        into memory as a whole; JSON Lines with one rating per object; or an export of Label
        Studio, Prodigy or doccano, from which the answers about whole texts are read. JSON can
        also be a folder with one file per annotator.
    format
        The file format; detected by default from the suffix and the first bytes.
    annotator, item, label
        The column of a long table with this role: its name, or its number from 1; in JSON, the
        name of a key. A wide table may have a column of items; otherwise items are numbered
        from 1. Several columns together can name an item: ``item="text,sentence"``.
        ``annotator="file"`` if each file of a folder belongs to one annotator.
    layer
        The question or task to read if the export of a tool has several.
    annotator_columns
        The columns of annotators in a wide table, by name or by number from 1. With
        ``wide=False``, the names of all annotators, including those without ratings.
    wide
        Whether the table is wide; by default it is if `annotator_columns` are set. If ``True``
        without `annotator_columns`, every column except the one of the items is an annotator.
    header
        Whether the first row has column names. By default it does if a column is set by name or
        has a common name, or if the cells of the first row of a wide table do not occur among
        labels that are often repeated; it does not if a cell is a number. If neither can be
        decided, an error asks for this setting.
    delimiter
        The separator of columns; by default it is detected, and a tab in TSV.
    separator
        The separator of the members of a label that is a set, such as ``"|"``; a cell with only
        the separator is the empty set. By default a cell is one label.
    na_values
        Texts that mean a missing label, such as ``"NA"``, in addition to empty cells.
    duplicates
        If an annotator rated an item twice: ``"raise"``, or keep the ``"first"`` rating.
    questions
        If the data support two ways of reading the file: ``"raise"`` an error that shows both,
        or ``"keep"`` the first one, with the question in `Ratings.interpretation`.
    accept
        Codes of questions whose first reading is right, such as ``"not-an-annotator"``.
    annotators, items, labels
        Names to keep, as a list or separated by commas; ``*`` stands for any characters and ``?``
        for one. ``"all but A*"`` keeps the others. Ratings with other labels become missing.

    Returns
    -------
    Ratings
        The ratings.

    Raises
    ------
    ReadError
        The file cannot be read with these settings; the message names the file and the line.
    AmbiguousInputError
        The data support two ways of reading the file; the message shows the settings for each.
    SettingError
        The value of a setting is invalid.

    Notes
    -----
    Labels are numbers if all of them are written as numbers, otherwise strings. White space
    around a cell is ignored. A text such as ``NA`` is read as a label, with a warning, unless it
    is among the `na_values`.

    Examples
    --------
    A table as in Komen (2009), with annotators in columns 2 and 3:

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
    codes = accepted_codes(accept)
    check_choice("questions", questions, _QUESTIONS)
    check_settings(duplicates, separator)
    check_delimiter(delimiter)
    kept = {"annotators": annotators, "items": items, "labels": labels}

    def answered(ratings: Ratings) -> Ratings:
        found = selected_part(ratings, kept)
        # Labels of typed formats stay as they are.
        if found is not ratings and not (is_json or file.suffix.lower() in SUFFIXES):
            found = _with_numbers(found)
        return _answered_ratings(found, questions, codes, file)

    if not isinstance(path, str | os.PathLike):
        msg = f"read_ratings requires the path of one file; got {path!r}"
        raise TypeError(msg)
    file = Path(path)
    chosen = None if annotator_columns is None else _checked_columns(annotator_columns)
    declared = None if chosen is None else [str(name) for name in chosen]
    by_role = {"annotator": annotator, "item": item, "label": label}
    columns = {role: column for role, column in by_role.items() if column is not None}
    is_json = _is_json(file, format)
    if is_json:
        if delimiter is not None:
            msg = f"{setting('delimiter')} applies to tables, not to JSON; remove it"
            raise SettingError(msg)
        ratings = record_ratings(
            file,
            ColumnRoles(RATINGS, columns, header, wide=wide),
            format_=format,
            layer=layer,
            annotators=declared,
            duplicates=duplicates,
            separator=separator,
            missing=_missing(na_values),
        )
        return answered(ratings)
    if layer is not None:
        msg = f"a table of ratings has no layers; remove {setting('layer', layer)}"
        raise SettingError(msg)
    roles = ColumnRoles(RATINGS, columns, header, wide=wide, annotators=chosen)
    if file.suffix.lower() in SUFFIXES:
        _refuse_text_settings(delimiter, na_values)
        ratings = parquet_ratings(
            file, roles, annotators=declared, duplicates=duplicates, separator=separator
        )
        return answered(ratings)
    ratings = table_ratings(
        file,
        roles,
        delimiter=delimiter,
        separator=separator,
        missing=_missing(na_values),
        duplicates=duplicates,
    )
    return answered(ratings)


def _with_numbers(ratings: Ratings) -> Ratings:
    """Return ratings whose labels are numbers if all of them are written as numbers.

    Ratings that were left out may be the reason why the others were read as texts.
    """
    texts = [label for label in ratings.labels if isinstance(label, str)]
    if len(texts) < len(ratings.labels):
        return ratings
    numbers: dict[Label, Label | None] = dict(zip(texts, labels_from_text(texts), strict=True))
    if not texts or any(isinstance(number, str) for number in numbers.values()):
        return ratings
    return ratings.rename(labels=numbers)


def _answered_ratings(
    ratings: Ratings, questions: str, accepted: tuple[str, ...], path: Path
) -> Ratings:
    """Return the ratings with the accepted codes in their record; raise for open questions."""
    record = ratings.interpretation
    if record is not None and accepted:
        known = tuple(dict.fromkeys((*record.accepted, *accepted)))
        ratings = ratings.with_interpretation(replace(record, accepted=known))
    check_answered(ratings.interpretation, questions, path)
    return ratings


def _is_json(path: Path, format_: str) -> bool:
    check_choice("format", format_, RATING_SETTINGS["format"].choices)
    if format_ == "auto":
        return path.suffix.lower() in JSON_SUFFIXES or path.is_dir()
    return format_ != "table"


def _refuse_text_settings(delimiter: object, na_values: object) -> None:
    for name, value in (("delimiter", delimiter), ("na_values", na_values)):
        if value:
            msg = f"{setting(name)} applies to text tables, not to Parquet; remove it"
            raise SettingError(msg)


def _checked_columns(values: object) -> tuple[str | int, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        msg = (
            "annotator_columns= must be a list of columns, such as (2, 3) or ('ann', 'bob'); "
            f"got {values!r}"
        )
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
