"""JSON Lines of units: reader and writer, and JSON values with their place."""

from __future__ import annotations

import json
import math
import re
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from unisono.errors import DataError, ReadError, SettingError, setting, shortened
from unisono.formats.characters import decoded
from unisono.formats.contents import Contents
from unisono.formats.roles import bare, place_of
from unisono.model.columns import FARTHEST, as_fragments, listed
from unisono.model.labels import label_order

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from pathlib import Path

    from unisono.formats.contents import ReadOptions, Source
    from unisono.model.columns import Fragments
    from unisono.model.continuum import Unit
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label

    Record: TypeAlias = dict[str, Any]


_decode = json.JSONDecoder().decode
# What is read as a whole takes up to 25 times the memory of its file.
_LARGEST = 512 * 2**20
_INFINITE = (math.inf, -math.inf)
_BLOCK_LINES = 2_000


def json_of(source: Source) -> Any:  # noqa: ANN401 (JSON is anything)
    """Read a file that is one JSON value."""
    content = source.content()
    if len(content) > _LARGEST:
        problem = f"the file is bigger than {_LARGEST // 2**20} MiB; split it, or save it as JSONL"
        raise ReadError(problem, path=source.path)
    text = decoded(content, source.path, "JSON")
    try:
        return _decode(text)
    except json.JSONDecodeError as error:
        problem = f"broken JSON: {error.msg}"
        raise ReadError(problem, path=source.path, line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise ReadError(_json_problem(error), path=source.path) from None


def json_records(source: Source, contents: Contents) -> Iterator[tuple[int, Record]]:
    """Read a file of JSON objects, one a line, or a JSON array of them."""
    for lines, records in json_blocks(source, contents):
        yield from zip(lines, records, strict=True)


def json_blocks(source: Source, contents: Contents) -> Iterator[tuple[list[int], list[Record]]]:
    """Read the same, many objects at a time."""
    numbered = source.lines()
    while waiting := list(islice(numbered, _BLOCK_LINES)):
        block = [(at, line) for at, line in waiting if line and not line.isspace()]
        if not block:
            continue
        if block[0][0] == 1 and block[0][1].lstrip("\ufeff \t")[:1] == "[":
            yield _array(source, contents)
            return
        numbers, lines = zip(*block, strict=True)
        records = _together(lines)
        if records is None:
            yield _one_by_one(block, contents)
        else:
            yield list(numbers), records


def _together(lines: Sequence[str]) -> list[Record] | None:
    """Read many lines with one call; nothing when they are not an object each."""
    # An object that goes on over several lines does not begin and end so.
    if not all(line[0] == "{" and line[-1] == "}" for line in lines):
        return None
    try:
        records = _decode(f"[{','.join(lines)}]")
    except (ValueError, RecursionError):
        return None
    good = len(records) == len(lines) and set(map(type, records)) == {dict}
    return records if good else None


def _one_by_one(
    block: Sequence[tuple[int, str]], contents: Contents
) -> tuple[list[int], list[Record]]:
    numbers: list[int] = []
    records: list[Record] = []
    for number, line in block:
        try:
            record = _decode(line)
        except (ValueError, RecursionError) as error:
            contents.object(_json_problem(error), number)
            continue
        if type(record) is dict:
            numbers.append(number)
            records.append(record)
        else:
            contents.object(f"a line is one JSON object; got {shown(record)}", number)
    return numbers, records


def label_of(value: object) -> Hashable:
    """Give a JSON value as a label that can be looked up."""
    if type(value) is str or value is None:
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    # NaN is no label, as everywhere; but a set cannot hold it.
    if isinstance(value, int | float) and value not in _INFINITE:
        return value
    if isinstance(value, list) and all(
        isinstance(each, str | int | float) and each == each  # noqa: PLR0124 (NaN is not)
        for each in value
    ):
        return frozenset(label_of(each) for each in value if each != "")
    msg = f"a label is a text, a finite number or a list of them; got {shown(value)}"
    raise TypeError(msg)


def number_of(value: object) -> float | None:
    """Give a JSON value as a number, if it is one."""
    return value if type(value) is int or type(value) is float else None


def name_of(value: object) -> str:
    """Return a JSON value as a name: text or a whole number; empty when it is none or blank."""
    if isinstance(value, str):
        return value if value.strip() else ""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def shown(value: object) -> str:
    """Write a JSON value for a message, not too long."""
    try:
        return shortened(json.dumps(value, ensure_ascii=False, default=repr))
    except RecursionError:
        return "a value that is nested too deeply to show"


def first_record(head: bytes) -> Record | None:
    """Give the first object of a file from its first bytes, as far as it is there."""
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n[")
    try:
        record, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        # Cut off in the middle: the names met so far will do.
        return dict.fromkeys(re.findall(r'"(\w+)"\s*:', text)) or None
    return record if isinstance(record, dict) else None


def _array(source: Source, contents: Contents) -> tuple[list[int], list[Record]]:
    whole = json_of(source)
    numbers: list[int] = []
    records: list[Record] = []
    for number, record in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        if isinstance(record, dict):
            numbers.append(number)
            records.append(record)
        else:
            contents.object(f"element {number} is no JSON object; got {shown(record)}")
    return numbers, records


def _json_problem(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "broken JSON: nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"broken JSON: {error.msg} (column {error.colno})"
    return "broken JSON: a number has too many digits"


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


def write_jsonl(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return a file with a line for each document, then one for each unit."""
    lines = []
    for name in (*corpus, *corpus.annotators):
        if name != name.strip():
            msg = f"spaces around a name are not read back; {name!r} would be another"
            raise DataError(msg)
    for name, continuum in corpus.items():
        about: dict[str, Any] = {
            "document": name,
            "annotators": list(continuum.annotators),
            "extent": [plain(bound) for bound in continuum.extent],
        }
        if continuum.text is not None:
            about["text"] = continuum.text
        lines.append(about)
    lines += [_record(name, unit) for name, continuum in corpus.items() for unit in continuum]
    return {path: "".join(f"{_dumped(line)}\n" for line in lines)}


def plain(number: float) -> float | int:
    """Give a number as JSON writes it best: whole ones as such."""
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def plain_label(label: Label | None) -> object:
    """Give a label as JSON can say it: a set is a list."""
    return sorted(label, key=label_order) if isinstance(label, frozenset) else label


def _record(document: str, unit: Unit) -> dict[str, Any]:
    record: dict[str, Any] = {
        "document": document,
        "annotator": unit.annotator,
        "start": plain(unit.start),
        "end": plain(unit.end),
        "label": plain_label(unit.label),
    }
    attributes = dict(unit.attributes)
    if "layer" in attributes:
        record["layer"] = attributes.pop("layer")
    if unit.fragments:
        record["fragments"] = [[plain(low), plain(high)] for low, high in unit.fragments]
    if attributes:
        record["attributes"] = attributes
    return record


def _dumped(record: dict[str, Any]) -> str:
    # What no UTF-8 can say, half of a character, is escaped.
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, default=str)
    return text if text.isascii() or _is_text(text) else json.dumps(record, default=str)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
