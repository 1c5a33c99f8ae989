"""`read_pyramids`: content units of summaries, from tables and from DUC pyramid files."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import ReadError
from unisono.formats.contents import Format
from unisono.formats.files import find_sources
from unisono.formats.registry import FORMATS
from unisono.formats.roles import normalize_name
from unisono.formats.safe_xml import xml_of
from unisono.formats.tables import Table
from unisono.model.chains import Chains
from unisono.model.columns import counted, listed

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.safe_xml import Element
    from unisono.formats.source import Source

__all__ = ["read_pyramids"]

_FORMATS: Mapping[str, Format] = {
    "csv": FORMATS["csv"],
    "tsv": FORMATS["tsv"],
    "pyramid": Format("pyramid", "DUC pyramid XML", (".pyr", ".pan", ".xml"), by_path="folder"),
}
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "annotator": ("annotator", "coder", "author"),
    "scu": ("scu", "scuid", "contentunit", "unit"),
    "words": ("words", "word"),
    "document": ("document", "docset", "pyramid", "doc"),
    "summary": ("summary", "model", "text"),
}
_NEEDED = ("annotator", "scu", "words")
_WORDS = re.compile(r"(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?")
_MOST_WORDS = 1_000_000
_RULE = re.compile(r"\s*-{3,}\s*")

Groups = dict[str, dict[str, list[list[str | int]]]]


def read_pyramids(
    *paths: str | os.PathLike[str],
    format: str = "auto",  # noqa: A002 (the word users know)
    document: str | None = None,
    annotator: str | None = None,
) -> Chains:
    r"""Read pyramids: which words of summaries annotators put into one content unit.

    A table has the columns annotator, scu and words, and may have document (the set of summaries)
    and summary. A row is a contributor: the numbers of its words in the summary, such as
    ``12-15 18``. Rows without SCU have the words that the annotator put into none. A DUC pyramid
    file (``.pyr``, ``.pan``, ``.xml``) has one pyramid of one annotator; by default the folder is
    the annotator and the file the document.

    Parameters
    ----------
    *paths
        Files, and folders that are searched for them.
    format
        ``"csv"``, ``"tsv"``, ``"pyramid"`` or ``"auto"``.
    document, annotator
        For DUC pyramid files ``"file"``, ``"folder"`` or a pattern of file names such as
        ``"{document}_{annotator}"``.

    Returns
    -------
    Chains
        The words as mentions and the content units as chains. A word in several units is kept in
        all of them, as annotators were allowed to from DUC 2005 on; a word in none is a chain of
        its own.

    Raises
    ------
    ReadError
        A file cannot be read, or two annotators of a document have different texts.

    Notes
    -----
    The elements of pyramid files are ``pyramid`` (in ``peerAnnotation`` or alone) with ``text`` of
    lines and ``scu`` of contributors, whose parts have a start and an end: characters in the lines,
    joined by line feeds. Words are separated by white space. The three lines above a summary
    (dashes, its name, dashes), and what stands before the first of them, have no words.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import unisono as un
    >>> rows = [
    ...     "annotator,summary,scu,words",
    ...     "A1,s1,1,1-3",
    ...     "A1,s2,1,2",
    ...     "A2,s1,7,1 2",
    ...     "A2,s1,,3",
    ... ]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "pyramid.csv")
    ...     _ = path.write_text("\n".join(rows))
    ...     chains = un.read_pyramids(path)
    >>> chains["pyramid"]["A1"]
    (('s1:1', 's1:2', 's1:3', 's2:2'),)
    """
    sources = find_sources(paths, format, _FORMATS, annotator=annotator, document=document)
    if not sources:
        problem = "read_pyramids needs at least one path, of a file or a folder"
        raise ReadError(problem, path=".")
    groups: Groups = {}
    texts: dict[str, tuple[Path, list[str]]] = {}
    notes: list[str] = []
    for source in sources:
        if source.format == "pyramid":
            _read_xml(source, groups, texts, notes)
        else:
            _read_table(source.path, source.document, groups)
    chains = Chains.from_groups(groups, repeated="union")
    if not chains.n_mentions:
        problem = "no words in these files; expected content units of words"
        raise ReadError(problem, path=sources[0].path)
    return Chains(chains.documents, None, tuple(notes))


def _read_table(path: Path, document: str, groups: Groups) -> None:
    table = Table(path, "a contributor in each row, with its SCU and words")
    places = _places(table, path)
    books = {place: book for book, place in enumerate(places.values())}
    columns = table.columns(header=True, texts=books)
    values = {
        role: [
            "" if code < 0 else str(columns.texts[place].values[code]).strip()
            for code in columns.texts[place].codes.tolist()
        ]
        for role, place in places.items()
    }
    n_rows = len(values["words"])
    units: dict[tuple[str, str, str], list[str | int]] = {}
    alone: dict[tuple[str, str], list[str | int]] = {}
    for row in range(n_rows):
        cells = {role: column[row] for role, column in values.items()}
        line = table.line_of(row)
        if not cells["annotator"]:
            problem = "the annotator is empty; every row has an annotator and words"
            raise ReadError(problem, path=path, line=line)
        where = cells.get("document") or document
        prefix = f"{cells['summary']}:" if cells.get("summary") else ""
        words: list[str | int] = [
            f"{prefix}{number}" if prefix else number
            for number in _numbers(cells["words"], path, line)
        ]
        key = where, cells["annotator"]
        if cells["scu"]:
            units.setdefault((*key, cells["scu"]), []).extend(words)
        else:
            alone.setdefault(key, []).extend(words)
    if not n_rows:
        problem = "a header but no rows; expected a contributor in each row"
        raise ReadError(problem, path=path)
    for (where, name, _), members in units.items():
        groups.setdefault(name, {}).setdefault(where, []).append(members)
    for (where, name), members in alone.items():
        own = groups.setdefault(name, {}).setdefault(where, [])
        inside = {word for group in own for word in group}
        own += [[word] for word in dict.fromkeys(members) if word not in inside]


def _places(table: Table, path: Path) -> dict[str, int]:
    names = [normalize_name(cell) for cell in table.first]
    places: dict[str, int] = {}
    for role, aliases in _COLUMNS.items():
        found = [place for place, name in enumerate(names) if name in aliases]
        exact = [place for place in found if names[place] == role]
        if len(found) > 1 and len(exact) != 1:
            columns = listed(table.first[place] for place in found)
            problem = f"the {role} can be any of the columns {columns}; rename all but one"
            raise ReadError(problem, path=path, line=1)
        if found:
            places[role] = (exact or found)[0]
    if missing := [role for role in _NEEDED if role not in places]:
        problem = (
            f"no column {' and '.join(missing)}; the columns are {listed(table.first)}: a pyramid "
            "needs annotator, scu and words, and may have document and summary"
        )
        raise ReadError(problem, path=path, line=1)
    return places


def _numbers(text: str, path: Path, line: int | None) -> list[int]:
    numbers: list[int] = []
    rest = _WORDS.sub("", text)
    found = _WORDS.findall(text)
    if rest.strip(" ,;") or not found:
        problem = f"words must be numbers such as 12-15 18; got {text[:60]!r}"
        raise ReadError(problem, path=path, line=line)
    for first, last in found:
        low, high = int(first), int(last or first)
        problem = ""
        if not low:
            problem = "words are counted from 1; got word 0"
        elif high < low:
            problem = f"a range of words is from a lower to a higher number; got {first}-{last}"
        elif high > _MOST_WORDS:
            problem = f"a summary has at most {_MOST_WORDS:,} words; got {first}-{last}"
        if problem:
            raise ReadError(problem, path=path, line=line)
        numbers += range(low, high + 1)
    return numbers


class _Word(NamedTuple):
    start: int
    end: int
    text: str


def _read_xml(
    source: Source, groups: Groups, texts: dict[str, tuple[Path, list[str]]], notes: list[str]
) -> None:
    root = xml_of(source, "peerAnnotation", "pyramid")
    pyramid = root if root.name == "pyramid" else root.first("pyramid")
    lines = None if pyramid is None else pyramid.first("text")
    if pyramid is None or lines is None:
        problem = "no <pyramid> with a <text>; expected a pyramid as DUC has them"
        raise ReadError(problem, path=source.path, line=root.line)
    text = "\n".join(line.text for line in lines.named("line"))
    words = list(_words(text))
    known = [word.text for word in words]
    first = texts.setdefault(source.document, (source.path, known))
    if first[1] != known:
        problem = (
            f"its summaries differ from those of {first[0]}, so words cannot be compared; pyramids "
            "of one document need the same text"
        )
        raise ReadError(problem, path=source.path)
    grouped: list[list[str | int]] = []
    n_moved = 0
    for unit in pyramid.named("scu"):
        members: list[str | int] = []
        for part in (each for one in unit.named("contributor") for each in one.named("part")):
            start, end = _offsets(part, len(text), source.path)
            n_moved += _bare(text[start:end]) != _bare(part.attributes.get("label", ""))
            # Words of which a part has at least a character.
            low = bisect_right([word.end for word in words], start)
            high = bisect_left([word.start for word in words], end)
            members += range(low + 1, high + 1)
        if members:
            grouped.append(list(dict.fromkeys(members)))
    if n_moved:
        parts = counted(n_moved, "part")
        notes.append(f"{source.path}: {parts} whose label is not the text at its offsets")
    inside = {word for group in grouped for word in group}
    alone: list[list[str | int]] = [
        [number] for number in range(1, len(words) + 1) if number not in inside
    ]
    own = groups.setdefault(source.owner(), {})
    if source.document in own:
        problem = f"{source.owner()!r} has two pyramids of {source.document!r}; keep one of them"
        raise ReadError(problem, path=source.path)
    own[source.document] = [*grouped, *alone]


def _offsets(part: Element, length: int, path: Path) -> tuple[int, int]:
    values = [part.attributes.get(name, "") for name in ("start", "end")]
    if not all(value.isdecimal() and len(value) < 10 for value in values):
        problem = f"the start and the end of a part are numbers of characters; got {listed(values)}"
        raise ReadError(problem, path=path, line=part.line)
    start, end = map(int, values)
    if not start < end <= length:
        problem = f"the part from {start} to {end} is outside the text of {length} characters"
        raise ReadError(problem, path=path, line=part.line)
    return start, end


def _bare(text: str) -> str:
    return "".join(text.split())


def _words(text: str) -> Iterator[_Word]:
    """Yield the words of the summaries, without the lines that name them."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    names = _heading_lines(lines)
    for number, line in enumerate(lines):
        if number in names:
            continue
        for found in re.finditer(r"\S+", line):
            yield _Word(starts[number] + found.start(), starts[number] + found.end(), found[0])


def _heading_lines(lines: Sequence[str]) -> set[int]:
    """Return the numbers of lines of dashes with a name between them, and of those before."""
    found = [
        number
        for number in range(len(lines) - 2)
        if _RULE.fullmatch(lines[number]) and _RULE.fullmatch(lines[number + 2])
    ]
    headings = {number + k for number in found for k in range(3)}
    return headings | set(range(found[0])) if found else set()
