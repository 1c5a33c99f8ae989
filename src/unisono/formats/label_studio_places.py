"""Where the regions of Label Studio lie: in a text, a page, a recording or a dialogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from unisono.formats.json_reading import number_of
from unisono.formats.offsets import converted, from_utf16

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unisono.formats.json_reading import Record
    from unisono.model.arrays import Integers


_OFFSETS = ("startOffset", "endOffset")
_FARTHEST = 2**53
PLACES = ("start", "end", *_OFFSETS, "globalOffsets", "ranges")
"""The keys by which a region says where it is."""
BAD_PLACE = "the start and the end of a region are numbers, and it has one range at most"
"""What to say of a region whose place cannot be read."""


def text_key(tasks: Iterable[tuple[object, Sequence[Record]]]) -> str:
    """Tell which field of the data is the text, by what regions say that stands there.

    Parameters
    ----------
    tasks
        The data of each task, and its regions.

    Returns
    -------
    str
        The field that fits most often; ``"text"`` where no region says anything.
    """
    fitting: Counter[str] = Counter()
    for data, regions in tasks:
        marks = list(marks_of(regions))
        for key, text in data.items() if marks and isinstance(data, dict) else ():
            if isinstance(text, str):
                table = from_utf16(text)
                fitting[key] += any(
                    text[int(converted(low, each)) : int(converted(high, each))] == said
                    for low, high, said in marks
                    for each in (None, table)
                )
    best = max(fitting.values(), default=0)
    return "text" if fitting["text"] == best else min(k for k in fitting if fitting[k] == best)


def text_of(data: object, key: str, regions: Sequence[Record]) -> str | None:
    """Give the text of a task; none if it is a recording, whatever is written about it."""
    if isinstance(data, str):
        return data
    if any(length_of(each) is not None or _has_channel(each) for each in regions):
        return None
    text = data.get(key) if isinstance(data, dict) else None
    return text if isinstance(text, str) else None


def marks_of(regions: Iterable[Record]) -> Iterator[tuple[float, float, str]]:
    """Give where regions are, and what they say that stands there."""
    for region in regions:
        value = region.get("value")
        if isinstance(value, dict) and isinstance(value.get("text"), str) and value["text"]:
            with suppress(ValueError):
                bounds = bounds_of(value, None)
                if bounds is not None and are_near(bounds):
                    yield *bounds, value["text"]


def _has_channel(region: Record) -> bool:
    value = region.get("value")
    return isinstance(value, dict) and "channel" in value


class Dialogue:
    """The paragraphs of a dialogue, as one text with a line each.

    Parameters
    ----------
    paragraphs
        What was said, one after the other.
    """

    def __init__(self, paragraphs: list[str]) -> None:
        self.paragraphs = paragraphs
        self.text = "\n".join(paragraphs)
        self._starts = [0, *accumulate(len(each) + 1 for each in paragraphs)]
        self._tables: list[Integers | None] | None = None

    def count_by(self, values: Iterable[Record]) -> None:
        """Find out whether offsets are UTF-16 units, by what is said to stand there."""
        said = [value for value in values if isinstance(value.get("text"), str) and value["text"]]
        tables = [from_utf16(each) for each in self.paragraphs]
        fitting = []
        for self._tables in (None, tables):
            places = [(self.bounds(value), value["text"]) for value in said if _is_inside(value)]
            fitting.append(
                sum(
                    place is not None and self.text[int(place[0]) : int(place[1])] == text
                    for place, text in places
                )
            )
        self._tables = tables if fitting[1] > fitting[0] else None

    def bounds(self, value: Record) -> tuple[float, float] | None:
        """Give the place of a region in the whole; nothing if it is in none of the paragraphs."""
        found = []
        for which, offset in zip(("start", "end"), _OFFSETS, strict=True):
            number, place = _index(value.get(which)), number_of(value.get(offset))
            if number is None or place is None or not 0 <= number < len(self.paragraphs):
                return None
            if not 0 <= place < _FARTHEST:
                return None
            table = None if self._tables is None else self._tables[number]
            inside = converted(place, table)
            if not 0 <= inside <= len(self.paragraphs[number]):
                return None
            found.append(self._starts[number] + inside)
        return found[0], found[1]


def dialogue_of(data: object) -> Dialogue | None:
    """Give the dialogue of a task, if its data have one: a list of objects with a text each."""
    lists = [
        paragraphs
        for each in (data.values() if isinstance(data, dict) else ())
        if (paragraphs := _paragraphs(each)) is not None
    ]
    return Dialogue(lists[0]) if len(lists) == 1 else None


def bounds_of(value: Record, dialogue: Dialogue | None) -> tuple[float, float] | None:
    """Give where a region begins and ends; nothing where it has no place.

    Parameters
    ----------
    value
        What is told of the region.
    dialogue
        What it is in, if it is a dialogue.

    Raises
    ------
    ValueError
        Its offsets count from a paragraph or an element, and it is not known where that is.
    """
    if dialogue is not None and _is_inside(value):
        bounds = dialogue.bounds(value)
        if bounds is None:
            shown = [value.get(key) for key in ("start", "end", *_OFFSETS)]
            msg = f"a region outside the paragraphs of its dialogue: {shown}"
            raise ValueError(msg)
        return bounds
    if (place := _pair(value.get("globalOffsets"), ("start", "end"))) is not None:
        return place
    if _pair(value, _OFFSETS) is not None and value.get("start") is not None:
        what = "paragraph" if _is_inside(value) else "element"
        msg = (
            f"the offsets of a region count from its {what}, and where that is, is not known; "
            "export with globalOffsets, as newer versions of Label Studio do"
        )
        raise ValueError(msg)
    for keys in (("start", "end"), _OFFSETS):
        if (place := _pair(value, keys)) is not None:
            return place
    ranges = value.get("ranges")
    if isinstance(ranges, list) and len(ranges) == 1 and isinstance(ranges[0], dict):
        return bounds_of(ranges[0], None)
    return None


def are_near(bounds: tuple[float, float]) -> bool:
    """Tell whether positions are numbers that a text or a recording can have."""
    return all(abs(bound) < _FARTHEST for bound in bounds)


def length_of(region: Record) -> float | None:
    """Give the length of the recording a region is in, if it is told."""
    length = number_of(region.get("original_length"))
    return length if length is not None and 0 < length < _FARTHEST else None


def _pair(given: object, keys: tuple[str, str]) -> tuple[float, float] | None:
    if not isinstance(given, Mapping):
        return None
    start, end = (number_of(given.get(key)) for key in keys)
    return None if start is None or end is None else (start, end)


def _is_inside(value: Record) -> bool:
    """Tell whether a place is a paragraph, by its number, and an offset in it."""
    numbers = _index(value.get("start")), _index(value.get("end"))
    return None not in numbers and _pair(value, _OFFSETS) is not None


def _index(value: object) -> int | None:
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else None
    return value if type(value) is int else None


def _paragraphs(given: object) -> list[str] | None:
    if not isinstance(given, list) or not given:
        return None
    parts: list[dict[str, Any]] = [each for each in given if isinstance(each, dict)]
    # In the shorter form of an export, regions stand beside the data.
    if len(parts) < len(given) or any(_OFFSETS[0] in each for each in parts):
        return None
    keys = [key for key in parts[0] if all(isinstance(each.get(key), str) for each in parts)]
    told = [key for key in keys if key not in ("author", "name", "speaker")]
    key = "text" if "text" in keys else told[0] if len(told) == 1 else ""
    return [each[key] for each in parts] if key else None
