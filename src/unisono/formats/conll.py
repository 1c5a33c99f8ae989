"""CoNLL columns: readers of IOB-style tags and of coreference chains."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import ReadError, setting
from unisono.formats.contents import Contents
from unisono.formats.layers import chain_name
from unisono.model.columns import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unisono.formats.contents import ReadOptions
    from unisono.formats.source import Source
    from unisono.model.interpretation import Reason


_TAG = re.compile(r"([BILUESM])(?:[-_](.*))?", re.DOTALL)
_OUTSIDE = frozenset({"O", "", "_", "-"})
# Letters of each scheme for the first, an inner, the last and the only token of a unit.
_LETTERS = {
    "iob1": ("B", "I", "", ""),
    "iob2": ("B", "I", "", ""),
    "iobes": ("B", "IM", "E", "S"),
    "bilou": ("B", "I", "L", "U"),
}
REPAIRED = "inside tags without a preceding unit, read as the start of a unit"
UNCLOSED = "units without an end tag, read as ending where the next tag does not continue them"


class Tagged(NamedTuple):
    """A unit found in the tags: the tokens from `start` to before `end`."""

    start: int
    end: int
    label: str
    repairs: tuple[str, ...] = ()


def is_tag(text: str) -> bool:
    """Return whether a cell can be a tag."""
    return text in _OUTSIDE or _TAG.fullmatch(text) is not None


def scheme_of(sentences: Iterable[Sequence[str]]) -> str:
    """Return the tagging scheme inferred from the letters in use.

    It is IOB1 if B occurs only after a unit with the same label.
    """
    letters: set[str] = set()
    first_has_b = first_has_i = False
    for tags in sentences:
        before = ("O", "")
        for tag in tags:
            letter, label = split_tag(tag)
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
    """Yield the units that the tags of one sentence mark.

    A unit continues while tags continue it with the same label. An inside tag without a preceding
    unit starts one (the rule in IOB1, a repair in other schemes); a unit without an end tag ends
    where it is not continued, at the latest with the sentence.
    """
    first, inner, last, only = _LETTERS[scheme]
    open_at, open_label = -1, ""
    repairs: tuple[str, ...] = ()
    closes = bool(last)

    def finished(end: int, *, closed: bool) -> Tagged:
        missing = (UNCLOSED,) if closes and not closed else ()
        return Tagged(open_at, end, open_label, repairs + missing)

    for at, tag in enumerate(tags):
        letter, label = split_tag(tag)
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


def split_tag(tag: str) -> tuple[str, str]:
    """Return the letter and the label of a tag; an invalid tag counts as outside."""
    if tag in _OUTSIDE:
        return "O", ""
    found = _TAG.fullmatch(tag)
    return (found[1], found[2] or "") if found else ("O", "")


_NEW_DOCUMENT = "-DOCSTART-"


@dataclass(slots=True)
class _Document:
    sentences: list[list[list[str]]] = field(default_factory=lambda: [[]])
    lines: list[int] = field(default_factory=list)


def read_conll(source: Source, options: ReadOptions) -> Contents:
    """Read units from tags of tokens.

    The tags are in the last column, or in the column with the number ``label=`` (from 1). With
    ``annotator="columns"`` every column that holds only tags is an annotator. A line that begins
    with ``-DOCSTART-`` starts a new document.
    """
    contents = Contents(source, options)
    documents = _documents(source, contents)
    # Rows of all documents: an annotator may have marked nothing in one of them.
    rows = [row for each in documents for sentence in each.sentences for row in sentence]
    columns = _columns(rows, source, options)
    contents.n_parts[source.document] = len(documents)
    if options.annotator == "columns":
        contents.from_place("annotator", "column", "", "asked")
    if options.label is False:
        contents.label_from("", options)
    else:
        reason: Reason = "format" if options.label is None else "asked"
        names = listed(column + 1 for column, _ in columns)
        contents.from_place("label", "column", names, reason)
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
                expected = (
                    f"{width} columns as in the first line" if width > 1 else "two columns or more"
                )
                contents.object(f"expected {expected}, got {len(cells)}", number)
                continue
            documents[-1].sentences[-1].append([cell.strip() for cell in cells])
            documents[-1].lines.append(number)
    if not any(document.lines for document in documents):
        problem = "no line has a token and a tag, separated by a tab or spaces"
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
            and any(split_tag(row[column])[0] != "O" for row in rows)
        ]
        if not found:
            problem = "no column holds only tags; set the column of tags with " + setting("label")
            raise ReadError(problem, path=source.path)
        return [(column, f"column {column + 1}") for column in found]
    label = options.label
    if isinstance(label, str) and label.isdecimal():
        label = int(label[:9])
    if label is None or label is False:
        # A tab at the end of all lines makes an empty last column.
        filled = (column for column in range(width - 1, 0, -1) if any(row[column] for row in rows))
        return [(next(filled, width - 1), source.owner())]
    if not isinstance(label, int) or not 1 <= label <= width:
        problem = (
            f"no column {label!r} for {setting('label')}; use a column number from 1 to {width}"
        )
        raise ReadError(problem, path=source.path)
    return [(label - 1, source.owner())]


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
                contents.object(
                    f"{tag[:40]!r} is not a tag; expected a tag such as B-PER or O", lines[place]
                )
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
_IDS = ("id", "coreference")


def looks_like_conll_coreference(head: bytes) -> bool:
    """Return whether the first line is that of a CoNLL-2012 file."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:15].lower() == b"#begin document"


def read_conll_coreference(source: Source, options: ReadOptions) -> Contents:
    """Read mentions as units; the label is the chain.

    A chain is named by its first mention, because chain numbers are not comparable between
    annotators. With ``label="id"`` or ``label="coreference"`` the label is the chain number; with
    ``label=False`` units have no labels.
    """
    contents = Contents(source, options)
    contents.label_from("chain", options)
    contents.from_place("document", "attribute", "begin document")
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
    """Mentions of one document, collected token by token."""

    def __init__(self, contents: Contents, name: str) -> None:
        self.contents = contents
        self.name = name
        self.n_tokens = 0
        self.open: dict[str, list[tuple[int, int]]] = {}
        self.found: list[tuple[int, int, str, int]] = []

    def token(self, cell: str, line: int) -> None:
        """Parse the brackets of one token."""
        at, self.n_tokens = self.n_tokens, self.n_tokens + 1
        if cell in {"-", "_", "*"}:
            return
        for part in cell.split("|"):
            brackets = _BRACKETS.fullmatch(part)
            if brackets is None or not (brackets[1] or brackets[3]):
                problem = f"{cell[:40]!r} is not a coreference cell; expected (3, 3), (3) or -"
                self.contents.object(problem, line)
            elif brackets[1] and brackets[3]:
                self.found.append((at, at + 1, brackets[2], line))
            elif brackets[1]:
                self.open.setdefault(brackets[2], []).append((at, line))
            elif self.open.get(brackets[2]):
                # Close the mention opened last: brackets of one chain may be nested.
                start, first_line = self.open[brackets[2]].pop()
                self.found.append((start, at + 1, brackets[2], first_line))
            else:
                self.contents.object(f"{part[:40]!r} closes a mention that was not opened", line)

    def finish(self, options: ReadOptions) -> None:
        """Add all mentions to the contents."""
        if not self.n_tokens:
            return
        annotator = self.contents.source.owner()
        for chain, places in self.open.items():
            for _, line in places:
                self.contents.object(f"a mention of the chain {chain!r} is never closed", line)
        self.contents.seen(self.name, annotator)
        self.contents.extent(self.name, 0, self.n_tokens)
        members: dict[str, list[tuple[int, int]]] = {}
        for start, end, chain, _ in self.found:
            members.setdefault(chain, []).append((start, end))
        names = {chain: chain_name(places) for chain, places in members.items()}
        for start, end, chain, line in self.found:
            label: str | None = chain if options.label in _IDS else names[chain]
            if options.label is False:
                label = None
            self.contents.add(self.name, annotator, start, end, label, line=line)
