"""JSON as it comes from files: whole, or one object a line; broken JSON refused with its line."""

from __future__ import annotations

import json
import math
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from unisono.errors import ReadError, shortened
from unisono.formats.characters import decoded

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from unisono.formats.contents import Contents
    from unisono.formats.sources import Source

    Record: TypeAlias = dict[str, Any]


_decode = json.JSONDecoder().decode
# What is read as a whole takes up to 25 times the memory of its file.
_LARGEST = 512 * 2**20
_INFINITE = (math.inf, -math.inf)
_BLOCK_LINES = 2_000


def json_of(source: Source) -> Any:  # noqa: ANN401 (JSON is anything)
    """Read a file that is one JSON value.

    Raises
    ------
    ReadError
        It is not.
    """
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
    """Read a file of JSON objects, one a line, or a JSON array of them.

    Raises
    ------
    ReadError
        A line is no object, and bad ones are not to be skipped.
    """
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
    """Give a JSON value as a label that can be looked up.

    Raises
    ------
    TypeError
        It is none.
    """
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
