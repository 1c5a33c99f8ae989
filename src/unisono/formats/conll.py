"""CoNLL columns: one token a line, tags in a column; positions are tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unisono.errors import ReadError, setting
from unisono.formats.contents import Contents
from unisono.formats.tagging import is_tag, parted, scheme_of, units_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.formats.contents import ReadOptions
    from unisono.formats.sources import Source


_NEW_DOCUMENT = "-DOCSTART-"


@dataclass(slots=True)
class _Document:
    sentences: list[list[list[str]]] = field(default_factory=lambda: [[]])
    lines: list[int] = field(default_factory=list)


def looks_like_conll(head: bytes) -> bool:
    """Tell columns of tokens by their last cell being a tag in every line, and some not O."""
    rows = [
        line.split()
        for line in head.decode("utf-8", "replace").splitlines()[:200]
        if line.strip() and not line.startswith("#")
    ]
    rows = rows[:-1] if len(rows) > 1 else rows
    tags = [row[-1] for row in rows if len(row) > 1]
    return len(tags) == len(rows) > 0 and all(map(is_tag, tags)) and any(t != "O" for t in tags)


def read_conll(source: Source, options: ReadOptions) -> Contents:
    """Read units from tags of tokens.

    The tags are in the last column, or in that of ``label=`` (from 1). With
    ``annotator="columns"`` every column that holds tags only is an annotator. Lines that begin
    with ``-DOCSTART-`` begin a document.
    """
    contents = Contents(source, options)
    documents = _documents(source, contents)
    # Of all documents: an annotator may have marked nothing in one of them.
    rows = [row for each in documents for sentence in each.sentences for row in sentence]
    columns = _columns(rows, source, options)
    contents.n_parts[source.document] = len(documents)
    for number, document in enumerate(documents, start=1):
        name = source.document if len(documents) == 1 else f"{source.document}-{number}"
        contents.extent(name, 0, len(document.lines))
        for column, annotator in columns:
            contents.seen(name, annotator)
            sentences = [[row[column] for row in each] for each in document.sentences if each]
            _add_units(contents, name, annotator, sentences, document.lines, options)
    return contents


def _documents(source: Source, contents: Contents) -> list[_Document]:
    documents = [_Document()]
    width = 0
    for number, line in source.lines():
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip():
            documents[-1].sentences.append([])
        elif cells[0].strip() == _NEW_DOCUMENT:
            if documents[-1].lines:
                documents.append(_Document())
        elif line.startswith("#") and len(cells) != width:
            continue  # a comment
        else:
            width = width or len(cells)
            if len(cells) != width or width < 2:
                expected = f"{width} columns as in the first line" if width > 1 else "two or more"
                contents.object(f"expected {expected}, got {len(cells)}", number)
                continue
            documents[-1].sentences[-1].append([cell.strip() for cell in cells])
            documents[-1].lines.append(number)
    if not any(document.lines for document in documents):
        problem = "no line with a token and a tag"
        raise ReadError(problem, path=source.path)
    return documents


def _columns(
    rows: Sequence[Sequence[str]], source: Source, options: ReadOptions
) -> list[tuple[int, str]]:
    width = len(rows[0]) if rows else 0
    if options.annotator == "columns":
        found = [
            column
            for column in range(1, width)
            if all(is_tag(row[column]) for row in rows)
            and any(parted(row[column])[0] != "O" for row in rows)
        ]
        if not found:
            problem = "no column holds tags only; say which one has them with " + setting("label")
            raise ReadError(problem, path=source.path)
        return [(column, f"column {column + 1}") for column in found]
    asked = options.label
    if isinstance(asked, str) and asked.isdecimal():
        asked = int(asked[:9])
    if asked is None or asked is False:
        # A tab at the end of lines makes a column without anything in it.
        filled = (column for column in range(width - 1, 0, -1) if any(row[column] for row in rows))
        return [(next(filled, width - 1), source.owner())]
    if not isinstance(asked, int) or not 1 <= asked <= width:
        problem = f"no column {asked!r} for {setting('label')}; columns have numbers, 1 to {width}"
        raise ReadError(problem, path=source.path)
    return [(asked - 1, source.owner())]


def _add_units(
    contents: Contents,
    document: str,
    annotator: str,
    sentences: Sequence[Sequence[str]],
    lines: Sequence[int],
    options: ReadOptions,
) -> None:
    scheme = scheme_of(sentences) if options.tags == "auto" else options.tags
    first = 0
    for tags in sentences:
        for place, tag in enumerate(tags, start=first):
            if not is_tag(tag):
                contents.object(f"{tag[:40]!r} is no tag such as B-PER or O", lines[place])
        for unit in units_of(tags, scheme):
            start, end = first + unit.start, first + unit.end
            for repair in unit.repairs:
                contents.note(repair, lines[start])
            label = None if options.label is False else unit.label
            contents.add(document, annotator, start, end, label, line=lines[start])
        first += len(tags)
