"""JSON Lines: one unit a line, or one document with who saw it, its text and its extent."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import ReadError, SettingError, setting
from unisono.formats.contents import Contents
from unisono.formats.headings import bare, place_of
from unisono.formats.json_reading import (
    first_record,
    json_blocks,
    label_of,
    name_of,
    number_of,
    shown,
)
from unisono.model.columns import FARTHEST
from unisono.model.details import as_fragments
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.formats.contents import ReadOptions
    from unisono.formats.json_reading import Record
    from unisono.formats.sources import Source
    from unisono.model.details import Fragments


_ROLES = ("document", "annotator", "start", "end", "label", "layer")
_ABOUT_DOCUMENTS = frozenset({"annotators", "text", "extent"})
_ABOUT_UNITS = frozenset({"annotator", "label"})
_EXPECTED = "a line is one unit: an object with annotator, start, end and label"


class _Keys(NamedTuple):
    """Which key of an object plays which role; empty where none does."""

    document: str
    annotator: str
    start: str
    end: str
    label: str
    layer: str
    others: bool


def looks_like_jsonl(head: bytes) -> bool:
    """Tell JSON Lines with one unit a line by the first of them."""
    record = first_record(head)
    if record is None:
        return False
    keys = {bare(key) for key in record}
    found = all(place_of(role, list(record)) is not None for role in ("start", "end"))
    return found or ("document" in keys and bool(keys & _ABOUT_DOCUMENTS))


def read_jsonl(source: Source, options: ReadOptions) -> Contents:
    """Read units, one JSON object a line.

    Keys have the names that columns of tables have. ``fragments`` is a list of pairs,
    ``attributes`` an object, ``layer`` a text. An object with a document but without start
    and end tells of the document: ``annotators`` who saw it, its ``text``, its ``extent``.
    """
    contents = Contents(source, options, typed=True, nonnegative=False)
    reader = _Reader(source, options, contents)
    for lines, records in json_blocks(source, contents):
        if not reader.take_all(records, lines):
            for line, record in zip(lines, records, strict=True):
                reader.take(record, line)
    return contents


class _Reader:
    def __init__(self, source: Source, options: ReadOptions, contents: Contents) -> None:
        self.source = source
        self.asked = options.asked.columns
        self.contents = contents
        self._known: dict[tuple[str, ...], _Keys | None] = {}
        for role, key in self.asked.items():
            if isinstance(key, int) and not isinstance(key, bool):
                msg = f"objects of JSON Lines have names, no numbers; got {setting(role, key)}"
                raise SettingError(msg)

    def take_all(self, records: Sequence[Record], lines: Sequence[int]) -> bool:
        """Add the units of many objects at once, if they are all alike and plain."""
        shapes = set(map(tuple, records))
        if len(shapes) != 1:
            return False
        names = shapes.pop()
        if names not in self._known:
            self._known[names] = self._keys(records[0], lines[0])
        keys = self._known[names]
        if keys is None or keys.layer or keys.others or not keys.label:
            return False
        columns = {name: list(map(itemgetter(name), records)) for name in {*keys[:5]} - {""}}
        size = len(records)
        documents = columns.get(keys.document) or [self.source.document] * size
        annotators = columns.get(keys.annotator) or [self.source.owner()] * size
        starts, ends, labels = (columns[key] for key in (keys.start, keys.end, keys.label))
        numbers = set(map(type, starts)) | set(map(type, ends))
        texts = set(map(type, documents)) | set(map(type, annotators)) | set(map(type, labels))
        if not numbers <= {int, float} or texts != {str}:
            return False
        self.contents.add_columns(documents, annotators, starts, ends, labels, lines)
        return True

    def take(self, record: Record, line: int) -> None:
        """Add the unit that one object is."""
        names = tuple(record)
        try:
            keys = self._known[names]
        except KeyError:
            keys = self._known[names] = self._keys(record, line)
        if keys is None:
            self._about_document(record, line)
            return
        start, end = record[keys.start], record[keys.end]
        if type(start) not in (int, float) or type(end) not in (int, float):
            which, value = (keys.start, start) if number_of(start) is None else (keys.end, end)
            self.contents.object(f"{which} is a number; got {shown(value)}", line)
            return
        label = record[keys.label] if keys.label else None
        if type(label) is not str:
            try:
                label = label_of(label)
            except TypeError as error:
                self.contents.object(str(error), line)
                return
        document = record[keys.document] if keys.document else self.source.document
        annotator = record[keys.annotator] if keys.annotator else self.source.owner()
        if type(document) is not str:
            document = name_of(document)
        if type(annotator) is not str:
            annotator = name_of(annotator)
        if keys.layer or keys.others:
            self._add_more(record, keys, line, (document, annotator, start, end, label))
        else:
            self.contents.add(document, annotator, start, end, label, line=line)

    def _add_more(
        self, record: Record, keys: _Keys, line: int, unit: tuple[Any, Any, float, float, Any]
    ) -> None:
        try:
            fragments = _fragments(record.get("fragments"), unit[2], unit[3])
        except (TypeError, ValueError) as error:
            self.contents.object(str(error), line)
            return
        attributes = record.get("attributes")
        if attributes is not None and not isinstance(attributes, dict):
            self.contents.object(f"attributes are an object; got {shown(attributes)}", line)
            return
        layer = name_of(record[keys.layer]) if keys.layer else ""
        if not layer and keys.layer and record[keys.layer] not in (None, ""):
            self.contents.object(f"a layer has a name; got {shown(record[keys.layer])}", line)
            return
        self.contents.add(*unit, line=line, layer=layer, fragments=fragments, attributes=attributes)

    def _keys(self, record: Record, line: int) -> _Keys | None:
        names = list(record)
        found = {}
        for role in _ROLES:
            asked = self.asked.get(role)
            if asked is False:
                continue
            if asked is not None:
                if asked not in record:
                    if role in ("start", "end"):
                        break
                    problem = f"no key {asked!r} for {setting(role)}; the keys are {listed(names)}"
                    raise ReadError(problem, path=self.source.path, line=line)
                found[role] = str(asked)
            elif (place := place_of(role, names)) is not None:
                found[role] = names[place]
        if "start" not in found or "end" not in found:
            return None
        others = "fragments" in record or "attributes" in record
        return _Keys(**{role: found.get(role, "") for role in _ROLES}, others=others)

    def _about_document(self, record: Record, line: int) -> None:
        asked = self.asked.get("document") or "document"
        document = name_of(record.get(str(asked)))
        is_unit = bool(_ABOUT_UNITS & record.keys()) or any(
            place_of(role, list(record)) is not None for role in ("start", "end")
        )
        if not document or is_unit or not _ABOUT_DOCUMENTS & record.keys():
            self.contents.object(f"{_EXPECTED}; got {shown(record)}", line)
            return
        annotators, text, extent = (record.get(key) for key in ("annotators", "text", "extent"))
        if annotators is not None and not isinstance(annotators, list):
            self.contents.object(f"annotators are a list of names; got {shown(annotators)}", line)
        for annotator in annotators if isinstance(annotators, list) else ():
            if not name_of(annotator).strip():
                self.contents.object(f"an annotator has a name; got {shown(annotator)}", line)
            else:
                self.contents.seen(document, name_of(annotator))
        if isinstance(text, str):
            self.contents.text(document, text)
        elif text is not None:
            self.contents.object(f"the text of a document is a text; got {shown(text)}", line)
        if isinstance(extent, list) and len(extent) == 2 and None not in map(number_of, extent):
            self.contents.extent(document, extent[0], extent[1], line)
        elif extent is not None:
            self.contents.object(f"an extent is two numbers; got {shown(extent)}", line)


def _fragments(given: object, start: float, end: float) -> Fragments:
    if given is None or given == []:
        return ()
    if not isinstance(given, list):
        msg = f"fragments are a list of pairs; got {shown(given)}"
        raise TypeError(msg)
    try:
        return as_fragments(given, float(start), float(end))
    except OverflowError:
        msg = f"positions lie within ±{FARTHEST:,}; got {shown([start, end])}"
        raise ValueError(msg) from None
