"""CoNLL columns: tags of chunks and entities, and coreference chains."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import ReadError, setting
from unisono.formats.contents import Contents
from unisono.formats.layers import chain_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unisono.formats.contents import ReadOptions, Source


_TAG = re.compile(r"([BILUESM])(?:[-_](.*))?", re.DOTALL)
_OUTSIDE = frozenset({"O", "", "_", "-"})
# What each scheme calls the first, an inner, the last and the only token of a unit.
_LETTERS = {
    "iob1": ("B", "I", "", ""),
    "iob2": ("B", "I", "", ""),
    "iobes": ("B", "IM", "E", "S"),
    "bilou": ("B", "I", "L", "U"),
}
REPAIRED = "a tag that continues no unit begins one"
UNCLOSED = "a unit that is not closed ends where the next tag does not continue it"


class Tagged(NamedTuple):
    """A unit that tags mark: tokens from start to before end."""

    start: int
    end: int
    label: str
    repairs: tuple[str, ...] = ()


def is_tag(text: str) -> bool:
    """Tell whether a cell can be a tag."""
    return text in _OUTSIDE or _TAG.fullmatch(text) is not None


def scheme_of(sentences: Iterable[Sequence[str]]) -> str:
    """Tell the scheme by the letters in use; IOB1 if no unit but one after its like has a B."""
    letters: set[str] = set()
    first_has_b = first_has_i = False
    for tags in sentences:
        before = ("O", "")
        for tag in tags:
            letter, label = parted(tag)
            letters.add(letter)
            if letter in "BI" and (before[0] == "O" or before[1] != label):
                first_has_b |= letter == "B"
                first_has_i |= letter == "I"
            before = (letter, label)
    if letters & set("LU"):
        return "bilou"
    if letters & set("ES"):
        return "iobes"
    return "iob1" if first_has_i and not first_has_b else "iob2"


def units_of(tags: Sequence[str], scheme: str) -> Iterator[Tagged]:
    """Give the units that the tags of one sentence mark.

    A unit goes on while tags continue it with the same label. A tag that would continue a unit
    but follows none begins one (in IOB1 that is the rule, elsewhere a repair); a unit that is
    never closed ends where it is not continued, at the latest with the sentence.
    """
    first, inner, last, only = _LETTERS[scheme]
    open_at, open_label = -1, ""
    repairs: tuple[str, ...] = ()
    closes = bool(last)

    def finished(end: int, *, closed: bool) -> Tagged:
        missing = (UNCLOSED,) if closes and not closed else ()
        return Tagged(open_at, end, open_label, repairs + missing)

    for at, tag in enumerate(tags):
        letter, label = parted(tag)
        continues = open_at >= 0 and letter in (inner + last) and label == open_label
        if open_at >= 0 and not continues:
            yield finished(at, closed=False)
            open_at = -1
        if letter == "O":
            continue
        if not continues:
            open_at, open_label = at, label
            legal = letter == first or (only and letter == only)
            repairs = () if legal or scheme == "iob1" else (REPAIRED,)
        if (last and letter == last) or (only and letter == only):
            yield finished(at + 1, closed=True)
            open_at = -1
    if open_at >= 0:
        yield finished(len(tags), closed=False)


def parted(tag: str) -> tuple[str, str]:
    """Part a tag in its letter and its label; what is no tag is outside."""
    if tag in _OUTSIDE:
        return "O", ""
    found = _TAG.fullmatch(tag)
    return (found[1], found[2] or "") if found else ("O", "")


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


_BEGIN = re.compile(
    r"#\s*begin document\s+\(?([^);]*)\)?\s*;?\s*(?:part\s+(\S+))?\s*", re.IGNORECASE
)
_BRACKETS = re.compile(r"(\()?([^()|]+)(\))?")
_ID = "id"


def looks_like_conll_coreference(head: bytes) -> bool:
    """Tell the format by its first line."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:15].lower() == b"#begin document"


def read_conll_coreference(source: Source, options: ReadOptions) -> Contents:
    """Read mentions as units; the label is the chain.

    A chain is named by its first mention, because the numbers of chains mean nothing to
    another annotator; ``label="id"`` keeps the numbers, ``label=False`` mentions only.
    """
    contents = Contents(source, options)
    document = _Mentions(contents, source.document)
    for number, line in source.lines():
        if line.startswith("#"):
            if found := _BEGIN.match(line):
                document.finish(options)
                part = found[2] if found[2] and found[2].strip("0") else None
                name = found[1].strip() or source.document
                document = _Mentions(contents, name if part is None else f"{name} part {part}")
        elif line.strip():
            document.token(line.split()[-1], number)
    document.finish(options)
    return contents


class _Mentions:
    """The mentions of one document, while its tokens are read."""

    def __init__(self, contents: Contents, name: str) -> None:
        self.contents = contents
        self.name = name
        self.n_tokens = 0
        self.open: dict[str, list[tuple[int, int]]] = {}
        self.found: list[tuple[int, int, str, int]] = []

    def token(self, cell: str, line: int) -> None:
        """Take the brackets of one token."""
        at, self.n_tokens = self.n_tokens, self.n_tokens + 1
        if cell in {"-", "_", "*"}:
            return
        for part in cell.split("|"):
            fitted = _BRACKETS.fullmatch(part)
            if fitted is None or not (fitted[1] or fitted[3]):
                problem = f"{cell[:40]!r} is no coreference cell such as (3, 3), (3) or -"
                self.contents.object(problem, line)
            elif fitted[1] and fitted[3]:
                self.found.append((at, at + 1, fitted[2], line))
            elif fitted[1]:
                self.open.setdefault(fitted[2], []).append((at, line))
            elif self.open.get(fitted[2]):
                # The last that was opened: brackets of one chain may nest.
                start, began = self.open[fitted[2]].pop()
                self.found.append((start, at + 1, fitted[2], began))
            else:
                self.contents.object(f"{part[:40]!r} closes a mention that was not opened", line)

    def finish(self, options: ReadOptions) -> None:
        """Give all mentions to the contents."""
        if not self.n_tokens:
            return
        annotator = self.contents.source.owner()
        for chain, places in self.open.items():
            for _, line in places:
                self.contents.object(f"a mention of {chain!r} is never closed", line)
        self.contents.seen(self.name, annotator)
        self.contents.extent(self.name, 0, self.n_tokens)
        members: dict[str, list[tuple[int, int]]] = {}
        for start, end, chain, _ in self.found:
            members.setdefault(chain, []).append((start, end))
        names = {chain: chain_name(places) for chain, places in members.items()}
        for start, end, chain, line in self.found:
            label = chain if options.label == _ID else names[chain]
            called = None if options.label is False else label
            self.contents.add(self.name, annotator, start, end, called, line=line)
