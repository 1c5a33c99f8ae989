"""brat standoff annotation: reader and writer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from unisono.errors import DataError
from unisono.formats.characters import MISMATCH, decoded
from unisono.formats.contents import Contents
from unisono.formats.layers import COREFERENCE, named_chains, representatives
from unisono.formats.output import file_name, warn_of_losses
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from pathlib import Path

    from unisono.formats.contents import ReadOptions
    from unisono.formats.source import Source
    from unisono.model.columns import Fragments
    from unisono.model.continuum import Unit
    from unisono.model.corpus import Corpus


# Attributes that relations and equivalences add to the units they link.
_RELATION_ATTRIBUTES = frozenset({"id", "relations", "equivalents"})
_WHOLE = re.compile(r"[-+]?[0-9]{1,300}")


def read_brat(source: Source, options: ReadOptions) -> Contents:
    """Read text-bound annotations (T), with attributes (A, M), equivalences (*) and relations (R).

    By default the folder is the annotator and the file the document. ``label=`` may name an
    attribute, or be ``"coreference"``: then the label is the chain, named by its first mention.
    Chains are built from ``*`` lines and from relations whose type has "coref" in its name.
    """
    contents = Contents(source, options)
    annotator = source.owner()
    contents.seen(source.document, annotator)
    contents.label_from("type", options)
    text = source.companion(".txt")
    if text is not None:
        contents.text(source.document, text)
    standoff = _Standoff(contents, text)
    content = source.content()
    if content.strip():
        written = decoded(content, source.path)
        # Carriage returns end lines only in files without line feeds; others belong to a text.
        end = "\n" if "\n" in written else "\r"
        lines = written.replace("\r\n", "\n").split(end)
        for number, line in enumerate(lines, start=1):
            standoff.add_line(line, number)
    standoff.add_units(annotator, options.label)
    return contents


class _Standoff:
    """Parsed lines of a file by kind; attributes may come before their units."""

    def __init__(self, contents: Contents, text: str | None) -> None:
        self.contents = contents
        self.text = text
        self.units: dict[str, tuple[str, float, float, Fragments, int]] = {}
        self.attributes: dict[str, dict[str, Any]] = {}
        self.links: list[list[Hashable]] = []

    def add_line(self, line: str, number: int) -> None:
        """Parse one line."""
        kind = line[:1]
        if kind == "T":
            self._add_unit(line, number)
        elif kind in "AM" and kind:
            self._add_attribute(line, number)
        elif kind == "*":
            self.links.append(list(line.split()[2:]))
        elif kind == "R":
            self._add_relation(line, number)
        elif kind == "E":
            self.contents.left_out("events (their triggers are kept)", number)
        elif kind in "#N" and kind:
            self._add_note(line, number)
        elif line.strip():
            self.contents.object(
                f"expected a line that begins with T, A, M, R, E, N, * or #; got {line[:40]!r}",
                number,
            )

    def add_units(self, annotator: str, label: object) -> None:
        """Add all units to the contents, labelled by type, attribute or chain."""
        chains: dict[Hashable, str] = {}
        if label == COREFERENCE:
            places = {name: (unit[1], unit[2]) for name, unit in self.units.items()}
            chains = named_chains(representatives(self.units, self.links), places)  # type: ignore[arg-type]
        else:
            for link in self.links:
                for member in link:
                    # The members share one list, because a chain may be long.
                    self._attributes(str(member))["equivalents"] = link
        for name in self.attributes.keys() - self.units.keys():
            number = len(self.attributes[name].keys() - _RELATION_ATTRIBUTES)
            if number:
                phrase = "attributes and notes of events and relations"
                self.contents.left_out(phrase, number=number)
        add, document = self.contents.add, self.contents.source.document
        for name, (type_, start, end, fragments, line) in self.units.items():
            attributes = self.attributes.get(name)
            unit_label: Hashable = type_
            if label == COREFERENCE:
                unit_label = chains[name]
            elif label is False:
                unit_label = None
            elif label is not None:
                unit_label = (attributes or {}).get(str(label))
                unit_label = "true" if unit_label is True else unit_label
            if attributes or (label is not None and label is not False):
                attributes = {**(attributes or {}), "type": type_} if label else attributes
            add(
                document,
                annotator,
                start,
                end,
                unit_label,
                line=line,
                fragments=fragments,
                attributes=attributes,
            )

    def _add_unit(self, line: str, number: int) -> None:
        parts = line.split("\t", 2)
        try:
            name, middle = parts[0], parts[1]
            type_, _, spans = middle.partition(" ")
            if ";" in spans:
                pieces = [tuple(map(_offset, piece.split())) for piece in spans.split(";")]
                ordered: Any = tuple(sorted((low, high) for low, high in pieces))
                start, end = ordered[0][0], max(high for _, high in ordered)
                fragments: Any = _separate(ordered)
                if not fragments:
                    self.contents.note("units with overlapping pieces, read as one piece", number)
            else:
                low, high = spans.split(" ")
                start, end, fragments = _offset(low), _offset(high), ()
        except (ValueError, IndexError):
            self._report(line, number)
            return
        if name in self.units:
            self.contents.object(f"duplicate id {name!r}; each unit needs its own id", number)
            return
        if self.text is not None and len(parts) > 2:
            whole = fragments or ((start, end),)
            marked = " ".join([self.text[low:high] for low, high in whole])
            if marked != parts[2] and on_one_line(marked) != on_one_line(parts[2]):
                self.contents.note(MISMATCH, number)
        self.units[name] = (type_, start, end, fragments, number)

    def _add_attribute(self, line: str, number: int) -> None:
        words = line.split("\t", 1)[-1].split(" ")
        if len(words) < 2 or not words[0]:
            self._report(line, number, "expected an attribute such as 'A1<tab>Name T1 value'")
            return
        value = " ".join(words[2:]).strip()
        self._attributes(words[1])[words[0]] = value or True

    def _add_relation(self, line: str, number: int) -> None:
        words = line.split("\t", 1)[-1].split()
        ends = [word.partition(":")[2] for word in words[1:] if ":" in word]
        if len(ends) != 2:
            self._report(line, number, "expected a relation such as 'R1<tab>Type Arg1:T1 Arg2:T2'")
            return
        if "coref" in words[0].casefold():
            self.links.append([*ends])
        related = self._attributes(ends[0])
        related["id"] = ends[0]
        related.setdefault("relations", []).append([words[0], ends[1]])
        self._attributes(ends[1])["id"] = ends[1]

    def _add_note(self, line: str, number: int) -> None:
        parts = line.split("\t")
        target = parts[1].split() if len(parts) > 1 else []
        if line.startswith("#") and len(target) == 2 and len(parts) > 2:
            self._attributes(target[1])["note"] = parts[2]
        else:
            self.contents.left_out("notes and normalizations", number)

    def _attributes(self, name: str) -> dict[str, Any]:
        return self.attributes.setdefault(name, {})

    def _report(
        self,
        line: str,
        number: int,
        expected: str = "expected a unit such as 'T1<tab>Type 0 5<tab>text'",
    ) -> None:
        self.contents.object(f"{expected}; got {line[:120]!r}", number)


def _offset(text: str) -> int:
    """Parse a character offset; `int` alone would also accept ``1_0`` and non-ASCII digits."""
    if not _WHOLE.fullmatch(text):
        msg = f"not a whole number: {text[:40]!r}"
        raise ValueError(msg)
    return int(text)


def _separate(fragments: Fragments) -> Fragments:
    """Return the pieces if there are several without overlap, else none."""
    flat = [bound for piece in fragments for bound in piece]
    return fragments if len(fragments) > 1 and flat == sorted(flat) else ()


def on_one_line(text: str) -> str:
    """Return a text as brat writes it, with line ends and other control characters as spaces."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


_KEEPS = frozenset(
    {"annotators without units", "units in pieces", "attributes", "labels that are numbers"}
)
_WORD = re.compile(r"[^\s;]+")


def write_brat(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return the content of ``annotator/document.ann`` and of ``document.txt`` if it has a text."""
    kept = (
        {"extents of documents"} if all(each.text is not None for each in corpus.values()) else ()
    )
    warn_of_losses(corpus, "brat standoff", _KEEPS.union(kept))
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
            _whole_offsets(piece, document) for piece in unit.fragments or ((unit.start, unit.end),)
        ]
        spans = ";".join(f"{low} {high}" for low, high in pieces)
        marked = "" if text is None else " ".join(text[low:high] for low, high in pieces)
        yield f"T{number}\t{_type(unit, document)} {spans}\t{on_one_line(marked)}\n"
        for name, value in unit.attributes.items():
            if name == "note":
                attributes += 1
                yield f"#{attributes}\tAnnotatorNotes T{number}\t{on_one_line(str(value))}\n"
            elif value is True or (isinstance(value, str) and name not in {"id", "type", "layer"}):
                if not _WORD.fullmatch(name):
                    continue
                attributes += 1
                suffix = "" if value is True else f" {on_one_line(str(value))}"
                yield f"A{attributes}\t{name} T{number}{suffix}\n"


def _whole_offsets(piece: tuple[float, float], document: str) -> tuple[int, int]:
    low, high = piece
    if not (low.is_integer() and high.is_integer()) or low < 0:
        msg = (
            "brat stores offsets of characters, whole numbers from 0; "
            f"{document!r} has a unit at [{low}, {high}]"
        )
        raise DataError(msg)
    return int(low), int(high)


def _type(unit: Unit, document: str) -> str:
    text = label_text(unit.label)
    if isinstance(unit.label, frozenset) or not _WORD.fullmatch(text):
        msg = (
            f"a label must be a single word in brat; {document!r} has {text!r}. "
            "Rename it first with Corpus.rename"
        )
        raise DataError(msg)
    return text
