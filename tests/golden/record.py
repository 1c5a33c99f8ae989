"""The golden record: what the library answers on fixed data, numbers and names in separate files.

A case (`cases.py`, `commands.py`) has an identifier of its own and returns an answer: nested
mappings and lists of numbers and texts, with the library's own keys. The record keeps

- in ``numbers.json`` for each case a list of its distinct numbers, as hexadecimal floats;
- in ``names.json`` for each case the same answer with every number replaced by its place in that
  list (``@3``): keys, headings and texts, in the order in which the library returns them.

The two files together are the whole answer, but only ``numbers.json`` has the numbers, and it knows
no key, order or type name. A number keeps its place whatever happens to its key:

- A key that is renamed, moved or dropped while another keeps its value, and a field that is new,
  changes ``names.json``; what was in ``numbers.json`` stays as it is, byte for byte. The difference
  of ``names.json`` shows for each key which number it has, so an exchange of two numbers shows too.
- A number that moves changes ``numbers.json``.

While the numbers stand under the same keys, each is compared with its own predecessor. When keys
changed, each recorded number must still be in the answer, wherever it stands. That rule is weaker
for numbers that occur twice; it is why keys and numbers should not change in one commit.

Versions and digests are replaced by ``*``. Text that people read (terminal, Markdown) is a name,
with the rounded numbers in it.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

import unisono as un

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

Number: TypeAlias = int | float
Keys: TypeAlias = tuple[str, ...]

_CHANGING = (
    (re.compile(r"\b(data:)[0-9a-f]{8,}"), r"\1*"),
    (re.compile(r"\b(v:)\d+\.\d+[.\w+]*"), r"\1*"),
    (re.compile(r"(#)[0-9a-f]{8}\b"), r"\1*"),
    (re.compile(rf"(?<![\w.]){re.escape(un.__version__)}(?![\w]|\.\d)"), "*"),
)
_WIDTH = 140
_SIGNATURE = re.compile(r"([\w-]+\|).*\|data:\*\|v:\*")
_PLACE = re.compile(r"@\d+(?:-\d+)?(?: @\d+(?:-\d+)?)*")


@dataclass(frozen=True)
class Answer:
    """The recorded answer of a case: its numbers, and its names with the places of the numbers."""

    numbers: list[Number | None]
    names: Any


class Moved(NamedTuple):
    """A number of a case that is not what it was."""

    case: str
    path: str
    old: Number | None
    new: Number | None

    def __str__(self) -> str:
        change = ""
        if self.old is not None and self.new is not None:
            change = f"  ({self.new - self.old:+.3g})"
        return f"{self.case}  {self.path}  {_shown(self.old)} -> {_shown(self.new)}{change}"


def plain(value: object) -> Any:
    """Return an answer as mappings with text keys, lists, numbers and texts.

    The first signature is kept, without version and digest; of others, which repeat its settings
    for a label or a document, only the name.
    """
    return _short(_plain(value), set())


def lasting(text: str) -> str:
    """Replace versions and digests in a text."""
    for pattern, replacement in _CHANGING:
        text = pattern.sub(replacement, text)
    return text


def numbers_in(answer: object) -> list[tuple[Keys, Number]]:
    """Return the numbers of a plain answer with the keys that lead to them, in its order."""
    return list(_numbers(answer, ()))


def moved(
    case: str, recorded: Answer | None, answer: object, *, tolerance: float = 0.0
) -> list[Moved]:
    """List the numbers of a recorded answer that the new answer no longer has."""
    if recorded is None:
        return []
    before = list(_places(recorded.names, ()))
    now = numbers_in(answer)
    if [path for path, _ in before] == [path for path, _ in now]:
        return [
            Moved(case, _written(path), recorded.numbers[place], new)
            for (path, place), (_, new) in zip(before, now, strict=True)
            if not _same(recorded.numbers[place], new, tolerance)
        ]
    first: dict[int, Keys] = {}
    for path, place in before:
        first.setdefault(place, path)
    values = [new for _, new in now]
    return [
        Moved(case, _written(path), recorded.numbers[place], _nearest(recorded, place, values))
        for place, path in first.items()
        if not any(_same(recorded.numbers[place], new, tolerance) for new in values)
    ]


def recorded_anew(recorded: Answer | None, answer: object, *, tolerance: float = 0.0) -> Answer:
    """Return the answer to record, in which each number that did not move keeps its place."""
    old = [] if recorded is None else recorded.numbers
    before = [] if recorded is None else list(_places(recorded.names, ()))
    now = numbers_in(answer)
    same_keys = [path for path, _ in before] == [path for path, _ in now]
    own = [place for _, place in before] if same_keys else [None] * len(now)
    kept = [_kept(old, place, new, tolerance) for place, (_, new) in zip(own, now, strict=True)]
    # The recorded bits stay where a number is within the tolerance.
    numbers = [each if place in set(kept) else None for place, each in enumerate(old)]
    places: list[int] = []
    for unmoved, former, (_, new) in zip(kept, own, now, strict=True):
        place = unmoved
        if place is None and former is not None and numbers[former] is None:
            place = former
        if place is None:
            place = _found(numbers, new, 0.0)
        if place is None:
            place = len(numbers)
        if place not in kept:
            numbers[place : place + 1] = [new]
        places.append(place)
    while numbers and numbers[-1] is None:
        numbers.pop()
    return Answer(numbers, _named(answer, iter(places)))


def names_changed(case: str, recorded: Answer, answer: Answer) -> str:
    """Return a readable difference of the names of a case; empty if they are the same."""
    old, new = (_pretty(each.names).splitlines() for each in (recorded, answer))
    return "\n".join(
        difflib.unified_diff(old, new, f"{case} recorded", f"{case} now", lineterm="", n=2)
    )


def load(numbers: str, names: str) -> dict[str, Answer]:
    """Return the record from the contents of its two files."""
    texts = json.loads(names)
    return {
        case: Answer([None if each is None else _read(each) for each in values], texts[case])
        for case, values in json.loads(numbers).items()
    }


def save(record: Mapping[str, Answer], numbers: Path, names: Path) -> None:
    """Write the record to its two files, cases in alphabetical order."""
    cases = sorted(record)
    values = {case: [_stored(each) for each in record[case].numbers] for case in cases}
    numbers.write_text(_numbers_file(values), encoding="utf-8")
    names.write_text(_pretty({case: record[case].names for case in cases}) + "\n", encoding="utf-8")


def _short(answer: Any, seen: set[str]) -> Any:
    if isinstance(answer, dict):
        return {key: _short(each, seen) for key, each in answer.items()}
    if isinstance(answer, list):
        return [_short(each, seen) for each in answer]
    signature = _SIGNATURE.fullmatch(answer) if isinstance(answer, str) else None
    if signature is None:
        return answer
    text = signature[0] if not seen else f"{signature[1]}*"
    seen.add(text)
    return text


def _plain(value: object) -> Any:
    if hasattr(value, "to_dict"):
        return _plain(value.to_dict())
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, Mapping):
        return {_key(key): _plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, frozenset | set):
        return sorted(_plain(each) for each in value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return lasting(str(value))


def _key(key: object) -> str:
    if isinstance(key, tuple):
        return " – ".join(map(_key, key))
    if isinstance(key, frozenset):
        return "{" + ", ".join(sorted(map(str, key))) + "}"
    return str(key)


def _numbers(answer: object, path: Keys) -> Iterator[tuple[Keys, Number]]:
    if isinstance(answer, dict):
        for key, each in answer.items():
            yield from _numbers(each, (*path, key))
    elif isinstance(answer, list):
        for i, each in enumerate(answer):
            yield from _numbers(each, (*path, str(i)))
    elif isinstance(answer, int | float) and not isinstance(answer, bool):
        yield path, answer


def _named(answer: object, places: Iterator[int]) -> Any:
    """Return the answer with the next of the places for each number."""
    if isinstance(answer, dict):
        return {key: _named(each, places) for key, each in answer.items()}
    if isinstance(answer, list):
        if answer and all(_is_number(each) for each in answer):
            return [_runs([next(places) for _ in answer])]
        return [_named(each, places) for each in answer]
    if _is_number(answer):
        return f"@{next(places)}"
    if isinstance(answer, str):
        lines = answer.split("\n")
        if any(_PLACE.fullmatch(line) for line in lines):
            msg = f"the text {answer!r} would be read as the place of a number"
            raise ValueError(msg)
        return lines if len(lines) > 1 else answer
    return answer


def _places(names: object, path: Keys) -> Iterator[tuple[Keys, int]]:
    """Give the places of numbers in names with the keys that lead to them."""
    if isinstance(names, dict):
        for key, each in names.items():
            yield from _places(each, (*path, key))
    elif isinstance(names, list):
        if len(names) == 1 and isinstance(names[0], str) and _PLACE.fullmatch(names[0]):
            for i, place in enumerate(_expanded(names[0])):
                yield (*path, str(i)), place
            return
        for i, each in enumerate(names):
            yield from _places(each, (*path, str(i)))
    elif isinstance(names, str) and _PLACE.fullmatch(names):
        yield path, int(names[1:])


def _runs(places: Sequence[int]) -> str:
    """Write places as ``@3 @7-9``."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return " ".join(f"@{low}" if low == high else f"@{low}-{high}" for low, high in runs)


def _expanded(runs: str) -> list[int]:
    places: list[int] = []
    for run in runs.split():
        low, _, high = run[1:].partition("-")
        places += range(int(low), int(high or low) + 1)
    return places


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(old: Number | None, new: Number, tolerance: float) -> bool:
    if old is None:
        return False
    if old == new or (math.isnan(old) and math.isnan(new)):
        return True
    return tolerance > 0 and abs(old - new) <= tolerance * max(1.0, abs(old))


def _kept(
    old: Sequence[Number | None], own: int | None, new: Number, tolerance: float
) -> int | None:
    """Return the place of a number that did not move: its own, or that of an equal one."""
    if own is not None:
        return own if _same(old[own], new, tolerance) else None
    exact = _found(old, new, 0.0)
    return _found(old, new, tolerance) if exact is None else exact


def _found(numbers: Sequence[Number | None], value: Number, tolerance: float) -> int | None:
    return next((i for i, each in enumerate(numbers) if _same(each, value, tolerance)), None)


def _nearest(recorded: Answer, place: int, values: Iterable[Number]) -> Number | None:
    old = recorded.numbers[place]
    finite = [new for new in values if math.isfinite(new)]
    if old is None or not math.isfinite(old) or not finite:
        return None
    return min(finite, key=lambda new: abs(new - old))


def _written(path: Keys) -> str:
    return "/".join(path)


def _shown(value: Number | None) -> str:
    return "nothing" if value is None else repr(value)


def _stored(value: Number | None) -> str | None:
    if value is None:
        return None
    return value.hex() if isinstance(value, float) else str(value)


def _read(text: str) -> Number:
    return int(text) if text.lstrip("-").isdigit() else float.fromhex(text)


def _pretty(names: object, indent: str = "") -> str:
    """Write names as JSON, what fits into a line in one line."""
    line = json.dumps(names, ensure_ascii=False)
    if len(indent) + len(line) <= _WIDTH or not names or not isinstance(names, dict | list):
        return line
    deeper = indent + " "
    if isinstance(names, dict):
        rows = [
            f"{json.dumps(key, ensure_ascii=False)}: {_pretty(each, deeper)}"
            for key, each in names.items()
        ]
    else:
        rows = [_pretty(each, deeper) for each in names]
    left, right = "{}" if isinstance(names, dict) else "[]"
    between = f",\n{deeper}"
    return f"{left}\n{deeper}{between.join(rows)}\n{indent}{right}"


def _numbers_file(values: Mapping[str, list[str | None]]) -> str:
    """Write one line for each number, so that a difference shows each that moved."""
    return json.dumps(values, indent=0, ensure_ascii=False) + "\n"
