"""brat standoff annotation: reader and writer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from unisono.errors import DataError
from unisono.formats.characters import MISMATCH, decoded
from unisono.formats.contents import Contents
from unisono.formats.layers import joined, named_chains
from unisono.formats.output import file_name, warn_of_losses
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from pathlib import Path

    from unisono.formats.contents import ReadOptions, Source
    from unisono.model.columns import Fragments
    from unisono.model.continuum import Unit
    from unisono.model.corpus import Corpus


COREFERENCE = "coreference"
"""The word for `label` that makes the chain of coreference the label."""
# What relations and equivalences say of what they join.
_OF_RELATIONS = frozenset({"id", "relations", "equivalents"})
_WHOLE = re.compile(r"[-+]?[0-9]{1,300}")


def read_brat(source: Source, options: ReadOptions) -> Contents:
    """Read text-bound annotations (T), with attributes (A, M), equivalences (*) and relations (R).

    The folder is the annotator and the file the document, unless the caller says otherwise.
    ``label=`` may name an attribute, or be ``"coreference"``: then the label is the chain, named
    by its first mention, made by ``*`` and by relations whose type has "coref" in its name.
    """
    contents = Contents(source, options)
    annotator = source.owner()
    contents.seen(source.document, annotator)
    text = source.companion(".txt")
    if text is not None:
        contents.text(source.document, text)
    standoff = _Standoff(contents, text)
    content = source.content()
    if content.strip():
        written = decoded(content, source.path)
        # A text may have a carriage return in it; alone, it ends lines where nothing else does.
        end = "\n" if "\n" in written else "\r"
        lines = written.replace("\r\n", "\n").split(end)
        for number, line in enumerate(lines, start=1):
            standoff.take(line, number)
    standoff.add_units(annotator, options.label)
    return contents


class _Standoff:
    """The lines of a file, sorted by what they say; attributes may come before their units."""

    def __init__(self, contents: Contents, text: str | None) -> None:
        self.contents = contents
        self.text = text
        self.units: dict[str, tuple[str, float, float, Fragments, int]] = {}
        self.attributes: dict[str, dict[str, Any]] = {}
        self.links: list[list[Hashable]] = []

    def take(self, line: str, number: int) -> None:
        """Take one line."""
        kind = line[:1]
        if kind == "T":
            self._take_unit(line, number)
        elif kind in "AM" and kind:
            self._take_attribute(line, number)
        elif kind == "*":
            self.links.append(list(line.split()[2:]))
        elif kind == "R":
            self._take_relation(line, number)
        elif kind == "E":
            self.contents.left_out("events (their triggers are kept)", number)
        elif kind in "#N" and kind:
            self._take_note(line, number)
        elif line.strip():
            self.contents.object(f"no line of brat standoff begins like {line[:40]!r}", number)

    def add_units(self, annotator: str, label: object) -> None:
        """Give all units to the contents, labelled by type, attribute or chain."""
        chains: dict[Hashable, str] = {}
        if label == COREFERENCE:
            places = {name: (unit[1], unit[2]) for name, unit in self.units.items()}
            chains = named_chains(joined(self.units, self.links), places)  # type: ignore[arg-type]
        else:
            for link in self.links:
                for member in link:
                    # One list for all: a chain may be long.
                    self._attributes(str(member))["equivalents"] = link
        for name in self.attributes.keys() - self.units.keys():
            number = len(self.attributes[name].keys() - _OF_RELATIONS)
            if number:
                phrase = "attributes and notes of events and relations"
                self.contents.left_out(phrase, number=number)
        add, document = self.contents.add, self.contents.source.document
        for name, (type_, start, end, fragments, line) in self.units.items():
            attributes = self.attributes.get(name)
            called: Hashable = type_
            if label == COREFERENCE:
                called = chains[name]
            elif label is False:
                called = None
            elif label is not None:
                called = (attributes or {}).get(str(label))
                called = "true" if called is True else called
            if attributes or (label is not None and label is not False):
                attributes = {**(attributes or {}), "type": type_} if label else attributes
            add(
                document,
                annotator,
                start,
                end,
                called,
                line=line,
                fragments=fragments,
                attributes=attributes,
            )

    def _take_unit(self, line: str, number: int) -> None:
        parts = line.split("\t", 2)
        try:
            name, middle = parts[0], parts[1]
            type_, _, spans = middle.partition(" ")
            if ";" in spans:
                pieces = [tuple(map(_place, piece.split())) for piece in spans.split(";")]
                given: Any = tuple(sorted((low, high) for low, high in pieces))
                start, end = given[0][0], max(high for _, high in given)
                fragments: Any = _checked(given)
                if not fragments:
                    self.contents.note("pieces that overlap, taken as one", number)
            else:
                low, high = spans.split(" ")
                start, end, fragments = _place(low), _place(high), ()
        except (ValueError, IndexError):
            self._refuse(line, number)
            return
        if name in self.units:
            self.contents.object(f"{name} is there twice; each unit has its own number", number)
            return
        if self.text is not None and len(parts) > 2:
            whole = fragments or ((start, end),)
            marked = " ".join([self.text[low:high] for low, high in whole])
            if marked != parts[2] and on_one_line(marked) != on_one_line(parts[2]):
                self.contents.note(MISMATCH, number)
        self.units[name] = (type_, start, end, fragments, number)

    def _take_attribute(self, line: str, number: int) -> None:
        words = line.split("\t", 1)[-1].split(" ")
        if len(words) < 2 or not words[0]:
            self._refuse(line, number, "an attribute is 'A1<tab>Name T1 value'")
            return
        value = " ".join(words[2:]).strip()
        self._attributes(words[1])[words[0]] = value or True

    def _take_relation(self, line: str, number: int) -> None:
        words = line.split("\t", 1)[-1].split()
        ends = [word.partition(":")[2] for word in words[1:] if ":" in word]
        if len(ends) != 2:
            self._refuse(line, number, "a relation is 'R1<tab>Type Arg1:T1 Arg2:T2'")
            return
        if "coref" in words[0].casefold():
            self.links.append([*ends])
        related = self._attributes(ends[0])
        related["id"] = ends[0]
        related.setdefault("relations", []).append([words[0], ends[1]])
        self._attributes(ends[1])["id"] = ends[1]

    def _take_note(self, line: str, number: int) -> None:
        parts = line.split("\t")
        target = parts[1].split() if len(parts) > 1 else []
        if line.startswith("#") and len(target) == 2 and len(parts) > 2:
            self._attributes(target[1])["note"] = parts[2]
        else:
            self.contents.left_out("notes and normalizations", number)

    def _attributes(self, name: str) -> dict[str, Any]:
        return self.attributes.setdefault(name, {})

    def _refuse(
        self, line: str, number: int, expected: str = "a unit is 'T1<tab>Type 0 5<tab>text'"
    ) -> None:
        self.contents.object(f"{expected}; the line is {line[:120]!r}", number)


def _place(written: str) -> int:
    """Return the number of a character; Python would read ``1_0`` and other digits, too."""
    if not _WHOLE.fullmatch(written):
        msg = f"no whole number: {written[:40]!r}"
        raise ValueError(msg)
    return int(written)


def _checked(fragments: Fragments) -> Fragments:
    """Give pieces only where there are several that stand apart."""
    flat = [bound for piece in fragments for bound in piece]
    return fragments if len(fragments) > 1 and flat == sorted(flat) else ()


def on_one_line(text: str) -> str:
    """Write a text as brat does, line ends and the like as spaces."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


_KEEPS = frozenset(
    {"annotators without units", "units in pieces", "attributes", "labels that are numbers"}
)
_WORD = re.compile(r"[^\s;]+")


def write_brat(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return ``annotator/document.ann``, and the text beside it where it is known."""
    lost = (
        {"extents of documents"} if all(each.text is not None for each in corpus.values()) else ()
    )
    warn_of_losses(corpus, "brat standoff", _KEEPS.union(lost))
    files = {}
    for name, continuum in corpus.items():
        for number, annotator in enumerate(continuum.annotators):
            target = path / file_name(annotator) / f"{file_name(name)}.ann"
            low, high = continuum.offsets[number : number + 2].tolist()
            units = continuum.units[low:high]
            files[target] = "".join(_lines(units, continuum.text, name))
            if continuum.text is not None:
                files[target.with_name(f"{name}.txt")] = continuum.text
    return files


def _lines(units: object, text: str | None, document: str) -> Iterator[str]:
    attributes = 0
    for number, unit in enumerate(units, start=1):  # type: ignore[var-annotated,arg-type]
        pieces = [
            _offsets(piece, document) for piece in unit.fragments or ((unit.start, unit.end),)
        ]
        places = ";".join(f"{low} {high}" for low, high in pieces)
        marked = "" if text is None else " ".join(text[low:high] for low, high in pieces)
        yield f"T{number}\t{_type(unit, document)} {places}\t{on_one_line(marked)}\n"
        for name, value in unit.attributes.items():
            if name == "note":
                attributes += 1
                yield f"#{attributes}\tAnnotatorNotes T{number}\t{on_one_line(str(value))}\n"
            elif value is True or (isinstance(value, str) and name not in {"id", "type", "layer"}):
                if not _WORD.fullmatch(name):
                    continue
                attributes += 1
                said = "" if value is True else f" {on_one_line(str(value))}"
                yield f"A{attributes}\t{name} T{number}{said}\n"


def _offsets(piece: tuple[float, float], document: str) -> tuple[int, int]:
    low, high = piece
    if not (low.is_integer() and high.is_integer()) or low < 0:
        msg = f"brat counts whole characters; {document!r} has a unit at [{low}, {high}]"
        raise DataError(msg)
    return int(low), int(high)


def _type(unit: Unit, document: str) -> str:
    text = label_text(unit.label)
    if isinstance(unit.label, frozenset) or not _WORD.fullmatch(text):
        msg = (
            f"a label is one word in brat; {document!r} has {text!r}. Rename it first, "
            "with Corpus.rename"
        )
        raise DataError(msg)
    return text
