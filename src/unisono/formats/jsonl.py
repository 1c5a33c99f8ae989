"""JSON Lines of units: reader and writer, and conversion of JSON values."""

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
from unisono.formats.roles import UNITS, normalize_name
from unisono.model.columns import FARTHEST, as_fragments, listed
from unisono.model.labels import label_order

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from pathlib import Path

    from unisono.formats.contents import ReadOptions
    from unisono.formats.source import Source
    from unisono.model.columns import Fragments
    from unisono.model.continuum import Unit
    from unisono.model.corpus import Corpus
    from unisono.model.interpretation import Reason, Role
    from unisono.model.labels import Label

    Record: TypeAlias = dict[str, Any]


_decode = json.JSONDecoder().decode
# A file read as a whole takes up to 25 times its size in memory.
_LARGEST = 512 * 2**20
_INFINITE = (math.inf, -math.inf)
_BLOCK_LINES = 2_000


def json_of(source: Source) -> Any:  # noqa: ANN401 (JSON is anything)
    """Return the value of a JSON file."""
    content = source.content()
    if len(content) > _LARGEST:
        problem = f"the file is larger than {_LARGEST // 2**20} MiB; split it, or save it as JSONL"
        raise ReadError(problem, path=source.path)
    text = decoded(content, source.path, "JSON")
    try:
        return _decode(text)
    except json.JSONDecodeError as error:
        problem = f"not valid JSON: {error.msg}"
        raise ReadError(problem, path=source.path, line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise ReadError(_json_problem(error), path=source.path) from None


def json_records(source: Source, contents: Contents) -> Iterator[tuple[int, Record]]:
    """Yield the line and the object of a file with one JSON object per line, or an array."""
    for lines, records in json_blocks(source, contents):
        yield from zip(lines, records, strict=True)


def json_blocks(source: Source, contents: Contents) -> Iterator[tuple[list[int], list[Record]]]:
    """Yield blocks of line numbers and objects; parsing many lines at once is faster."""
    numbered = source.lines()
    while chunk := list(islice(numbered, _BLOCK_LINES)):
        block = [(at, line) for at, line in chunk if line and not line.isspace()]
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
    """Parse many lines with one call; return `None` unless each line is an object."""
    # The check rejects objects that span several lines.
    if not all(line[0] == "{" and line[-1] == "}" for line in lines):
        return None
    try:
        records = _decode(f"[{','.join(lines)}]")
    except (ValueError, RecursionError):
        return None
    is_valid = len(records) == len(lines) and set(map(type, records)) == {dict}
    return records if is_valid else None


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
            contents.object(f"expected one JSON object per line; got {shown(record)}", number)
    return numbers, records


def label_of(value: object) -> Hashable:
    """Return a JSON value as a label: text, number, `None` or a set of texts and numbers."""
    if type(value) is str or value is None:
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    # NaN alone is treated as a missing label elsewhere, but it is invalid in a set.
    if isinstance(value, int | float) and value not in _INFINITE:
        return value
    if isinstance(value, list) and all(
        isinstance(each, str | int | float) and each == each  # noqa: PLR0124 (NaN is not)
        for each in value
    ):
        return frozenset(label_of(each) for each in value if each != "")
    msg = f"a label must be a text, a finite number or a list of them; got {shown(value)}"
    raise TypeError(msg)


def number_of(value: object) -> float | None:
    """Return a JSON value if it is a number, else `None`."""
    return value if type(value) is int or type(value) is float else None


def name_of(value: object) -> str:
    """Return a text or a whole number as a name; empty for blank texts and other values."""
    if isinstance(value, str):
        return value if value.strip() else ""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def shown(value: object) -> str:
    """Return a JSON value as text for a message, shortened."""
    try:
        return shortened(json.dumps(value, ensure_ascii=False, default=repr))
    except RecursionError:
        return "a value nested too deeply to show"


def first_record(head: bytes) -> Record | None:
    """Return the first object of a file from its first bytes.

    If these end within the object, the values of its keys are `None`.
    """
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n[")
    try:
        record, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        # The object is incomplete: use the keys found so far.
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
            contents.object(f"element {number} is not a JSON object; got {shown(record)}")
    return numbers, records


def _json_problem(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "not valid JSON: nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} (column {error.colno})"
    return "not valid JSON: a number has too many digits"


_ROLES = ("document", "annotator", "start", "end", "label", "layer")
_NAMED_ROLES: tuple[Role, ...] = ("document", "annotator", "label", "layer")
_ABOUT_DOCUMENTS = frozenset({"annotators", "text", "extent"})
_ABOUT_UNITS = frozenset({"annotator", "label"})
_EXPECTED = "expected one unit per line: an object with annotator, start, end and label"


class _Keys(NamedTuple):
    """The key of an object for each role; empty if there is none."""

    document: str
    annotator: str
    start: str
    end: str
    label: str
    layer: str
    others: bool


def looks_like_jsonl(head: bytes) -> bool:
    """Return whether the first record is a unit or describes a document."""
    record = first_record(head)
    if record is None:
        return False
    keys = {normalize_name(key) for key in record}
    found = all(UNITS.only_match(role, list(record)) is not None for role in ("start", "end"))
    return found or ("document" in keys and bool(keys & _ABOUT_DOCUMENTS))


def read_jsonl(source: Source, options: ReadOptions) -> Contents:
    """Read units, one JSON object per line.

    Keys have the same names as columns of tables. ``fragments`` is a list of pairs,
    ``attributes`` an object, ``layer`` a text. An object with a document but without start and
    end describes the document: the ``annotators`` who saw it, its ``text``, its ``extent``.
    """
    contents = Contents(source, options, typed=True, nonnegative=False)
    reader = _Reader(source, options, contents)
    for lines, records in json_blocks(source, contents):
        if not reader.add_all(records, lines):
            for line, record in zip(lines, records, strict=True):
                reader.add(record, line)
    return contents


class _Reader:
    def __init__(self, source: Source, options: ReadOptions, contents: Contents) -> None:
        self.source = source
        self.roles = options.column_roles.columns
        self.contents = contents
        self._known: dict[tuple[str, ...], _Keys | None] = {}
        for role, key in self.roles.items():
            if isinstance(key, int) and not isinstance(key, bool):
                msg = f"a key of a JSON object must be a name; got {setting(role, key)}"
                raise SettingError(msg)

    def add_all(self, records: Sequence[Record], lines: Sequence[int]) -> bool:
        """Add the units of many objects at once if all have the same keys and simple values."""
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

    def add(self, record: Record, line: int) -> None:
        """Add the unit or the document that an object describes."""
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
            self.contents.object(f"{which} must be a number; got {shown(value)}", line)
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
            self.contents.object(f"attributes must be an object; got {shown(attributes)}", line)
            return
        layer = name_of(record[keys.layer]) if keys.layer else ""
        if not layer and keys.layer and record[keys.layer] not in (None, ""):
            self.contents.object(f"a layer must be a name; got {shown(record[keys.layer])}", line)
            return
        self.contents.add(*unit, line=line, layer=layer, fragments=fragments, attributes=attributes)

    def _keys(self, record: Record, line: int) -> _Keys | None:
        names = list(record)
        found = {}
        for role in _ROLES:
            key = self.roles.get(role)
            if key is False:
                continue
            if key is not None:
                if key not in record:
                    if role in ("start", "end"):
                        break
                    problem = (
                        f"unknown key {key!r} for {setting(role)}; the keys are {listed(names)}"
                    )
                    raise ReadError(problem, path=self.source.path, line=line)
                found[role] = str(key)
            elif (place := UNITS.only_match(role, names)) is not None:
                found[role] = names[place]
        if "start" not in found or "end" not in found:
            return None
        others = "fragments" in record or "attributes" in record
        for role in _NAMED_ROLES:
            if role in found:
                reason: Reason = "asked" if role in self.roles else "name"
                self.contents.from_place(role, "attribute", found[role], reason)
        return _Keys(**{role: found.get(role, "") for role in _ROLES}, others=others)

    def _about_document(self, record: Record, line: int) -> None:
        key = self.roles.get("document") or "document"
        document = name_of(record.get(str(key)))
        is_unit = bool(_ABOUT_UNITS & record.keys()) or any(
            UNITS.only_match(role, list(record)) is not None for role in ("start", "end")
        )
        if not document or is_unit or not _ABOUT_DOCUMENTS & record.keys():
            self.contents.object(f"{_EXPECTED}; got {shown(record)}", line)
            return
        annotators, text, extent = (record.get(key) for key in ("annotators", "text", "extent"))
        if annotators is not None and not isinstance(annotators, list):
            self.contents.object(
                f"annotators must be a list of names; got {shown(annotators)}", line
            )
        for annotator in annotators if isinstance(annotators, list) else ():
            if not name_of(annotator).strip():
                self.contents.object(f"an annotator must be a name; got {shown(annotator)}", line)
            else:
                self.contents.seen(document, name_of(annotator))
        if isinstance(text, str):
            self.contents.text(document, text)
        elif text is not None:
            self.contents.object(f"text must be a string; got {shown(text)}", line)
        if isinstance(extent, list) and len(extent) == 2 and None not in map(number_of, extent):
            self.contents.extent(document, extent[0], extent[1], line)
        elif extent is not None:
            self.contents.object(f"an extent must be two numbers; got {shown(extent)}", line)


def _fragments(value: object, start: float, end: float) -> Fragments:
    if value is None or value == []:
        return ()
    if not isinstance(value, list):
        msg = f"fragments must be a list of pairs; got {shown(value)}"
        raise TypeError(msg)
    try:
        return as_fragments(value, float(start), float(end))
    except OverflowError:
        msg = f"positions must lie within ±{FARTHEST:,}; got {shown([start, end])}"
        raise ValueError(msg) from None


def write_jsonl(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return a file with a line for each document, then one for each unit."""
    lines = []
    for name in (*corpus, *corpus.annotators):
        if name != name.strip():
            msg = f"{name!r} has spaces around it, which are lost when read back; rename it first"
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
    """Return a number as an integer if it is whole."""
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def plain_label(label: Label | None) -> object:
    """Return a label as a JSON value; a set becomes a sorted list."""
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
    # A lone surrogate cannot be encoded in UTF-8, so the record is written in ASCII with escapes.
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, default=str)
    return text if text.isascii() or _is_text(text) else json.dumps(record, default=str)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
