"""Label Studio exports: reader and writer."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import ReadError
from unisono.formats.characters import MISMATCH, character_offset, from_utf16, matching_offsets
from unisono.formats.contents import Contents
from unisono.formats.jsonl import first_record, json_of, label_of, name_of, number_of, plain, shown
from unisono.formats.output import warn_of_losses
from unisono.model.labels import label_order, label_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence
    from pathlib import Path

    from unisono.formats.contents import ReadOptions
    from unisono.formats.jsonl import Record
    from unisono.formats.source import Source
    from unisono.model.arrays import Integers
    from unisono.model.continuum import Continuum, Unit
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label


_OFFSETS = ("startOffset", "endOffset")
_FARTHEST = 2**53
OFFSET_KEYS = ("start", "end", *_OFFSETS, "globalOffsets", "ranges")
"""Keys of the position of a region."""
INVALID_OFFSETS = "a region must have numbers as start and end, or a single range"
"""Error message for a region whose position cannot be read."""


def text_key(tasks: Iterable[tuple[object, Sequence[Record]]]) -> str:
    """Return the key of the text in the data: the one that best matches the quoted texts."""
    matches: Counter[str] = Counter()
    for data, regions in tasks:
        quotes = list(quotes_of(regions))
        for key, text in data.items() if quotes and isinstance(data, dict) else ():
            if isinstance(text, str):
                table = from_utf16(text)
                matches[key] += any(
                    text[int(character_offset(low, each)) : int(character_offset(high, each))]
                    == quote
                    for low, high, quote in quotes
                    for each in (None, table)
                )
    best = max(matches.values(), default=0)
    return "text" if matches["text"] == best else min(k for k in matches if matches[k] == best)


def text_of(data: object, key: str, regions: Sequence[Record]) -> str | None:
    """Return the text of a task, `None` for a recording."""
    if isinstance(data, str):
        return data
    if any(length_of(each) is not None or _has_channel(each) for each in regions):
        return None
    text = data.get(key) if isinstance(data, dict) else None
    return text if isinstance(text, str) else None


def quotes_of(regions: Iterable[Record]) -> Iterator[tuple[float, float, str]]:
    """Yield the start, the end and the quoted text of regions."""
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
    """A dialogue as one text with a line per paragraph."""

    def __init__(self, paragraphs: list[str]) -> None:
        self.paragraphs = paragraphs
        self.text = "\n".join(paragraphs)
        self._starts = [0, *accumulate(len(each) + 1 for each in paragraphs)]
        self._tables: list[Integers | None] | None = None

    def detect_offsets(self, values: Iterable[Record]) -> None:
        """Detect from quoted texts whether offsets are UTF-16 code units or characters."""
        quoted = [value for value in values if isinstance(value.get("text"), str) and value["text"]]
        tables = [from_utf16(each) for each in self.paragraphs]
        n_matches = []
        for self._tables in (None, tables):
            places = [(self.bounds(value), value["text"]) for value in quoted if _is_inside(value)]
            n_matches.append(
                sum(
                    place is not None and self.text[int(place[0]) : int(place[1])] == text
                    for place, text in places
                )
            )
        self._tables = tables if n_matches[1] > n_matches[0] else None

    def bounds(self, value: Record) -> tuple[float, float] | None:
        """Return the position of a region in the text, `None` if outside the paragraphs."""
        found = []
        for which, offset in zip(("start", "end"), _OFFSETS, strict=True):
            number, place = _index(value.get(which)), number_of(value.get(offset))
            if number is None or place is None or not 0 <= number < len(self.paragraphs):
                return None
            if not 0 <= place < _FARTHEST:
                return None
            table = None if self._tables is None else self._tables[number]
            inside = character_offset(place, table)
            if not 0 <= inside <= len(self.paragraphs[number]):
                return None
            found.append(self._starts[number] + inside)
        return found[0], found[1]


def dialogue_of(data: object) -> Dialogue | None:
    """Return the dialogue of a task, a list of objects with a text each; `None` if none."""
    lists = [
        paragraphs
        for each in (data.values() if isinstance(data, dict) else ())
        if (paragraphs := _paragraphs(each)) is not None
    ]
    return Dialogue(lists[0]) if len(lists) == 1 else None


def bounds_of(value: Record, dialogue: Dialogue | None) -> tuple[float, float] | None:
    """Return the start and the end of a region, `None` if it has no position."""
    if dialogue is not None and _is_inside(value):
        bounds = dialogue.bounds(value)
        if bounds is None:
            position = [value.get(key) for key in ("start", "end", *_OFFSETS)]
            msg = f"a region lies outside the paragraphs of its dialogue; got {position}"
            raise ValueError(msg)
        return bounds
    if (place := _pair(value.get("globalOffsets"), ("start", "end"))) is not None:
        return place
    if _pair(value, _OFFSETS) is not None and value.get("start") is not None:
        what = "paragraph" if _is_inside(value) else "element"
        msg = (
            f"the offsets of a region are relative to its {what}, whose position is unknown; "
            "export with globalOffsets from a newer version of Label Studio"
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
    """Return whether positions are in the range supported for texts and recordings."""
    return all(abs(bound) < _FARTHEST for bound in bounds)


def length_of(region: Record) -> float | None:
    """Return the length of the recording of a region, `None` if unknown."""
    length = number_of(region.get("original_length"))
    return length if length is not None and 0 < length < _FARTHEST else None


def _pair(value: object, keys: tuple[str, str]) -> tuple[float, float] | None:
    if not isinstance(value, Mapping):
        return None
    start, end = (number_of(value.get(key)) for key in keys)
    return None if start is None or end is None else (start, end)


def _is_inside(value: Record) -> bool:
    """Return whether a position is the number of a paragraph and an offset in it."""
    numbers = _index(value.get("start")), _index(value.get("end"))
    return None not in numbers and _pair(value, _OFFSETS) is not None


def _index(value: object) -> int | None:
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else None
    return value if type(value) is int else None


def _paragraphs(value: object) -> list[str] | None:
    if not isinstance(value, list) or not value:
        return None
    parts: list[dict[str, Any]] = [each for each in value if isinstance(each, dict)]
    # In JSON-MIN, lists of regions are among the data.
    if len(parts) < len(value) or any(_OFFSETS[0] in each for each in parts):
        return None
    keys = [key for key in parts[0] if all(isinstance(each.get(key), str) for each in parts)]
    others = [key for key in keys if key not in ("author", "name", "speaker")]
    key = "text" if "text" in keys else others[0] if len(others) == 1 else ""
    return [each[key] for each in parts] if key else None


_OF_REGIONS = frozenset({"completed_by", "from_name", "model_version", "was_cancelled"})
AGAIN = "tasks annotated more than once by the same annotator, merged"


def looks_like_label_studio(head: bytes) -> bool:
    """Return whether the first record is a task of Label Studio."""
    record = first_record(head)
    if record is None:
        return False
    if "annotation_id" in record:
        return True
    lists = record.keys() & {"annotations", "completions", "predictions"}
    if "data" in record and lists:
        return True
    # Only the beginning of a long task is known, which may be its data or its annotations.
    is_cut_off = not any(each is not None for each in record.values())
    begins_with_data = re.search(rb'"data"\s*:\s*\{', head) is not None
    return is_cut_off and (begins_with_data or bool(lists and record.keys() & _OF_REGIONS))


def read_label_studio(source: Source, options: ReadOptions) -> Contents:
    """Read regions of texts and recordings; cancelled annotations are left out.

    The annotator is ``completed_by`` of the annotation, or another field named by ``annotator=``;
    the document is the task, or a field of its data named by ``document=``; the layer is the name
    of the control. A region with several labels has the set of them as its label. If a file has
    predictions only, these are read, with the version of the model as the annotator.
    """
    contents = Contents(source, options, typed=True)
    whole = json_of(source)
    tasks = whole if isinstance(whole, list) else [whole]
    has_annotations = any(
        isinstance(task, dict)
        and (task.get("annotations") or task.get("completions") or "annotation_id" in task)
        for task in tasks
    )
    key = text_key(
        (task.get("data", task), _regions_of(task, annotations_of(task)))
        for task in tasks
        if isinstance(task, dict)
    )
    usual = "completed_by" if has_annotations else "model_version"
    contents.key_from("annotator", options.annotator, usual)
    contents.key_from("document", options.document, "id")
    contents.label_from("labels", options)
    contents.from_place("layer", "attribute", "from_name")
    reader = _Tasks(contents, options, key, takes_predictions=not has_annotations)
    for number, task in enumerate(tasks, start=1):
        if not isinstance(task, dict):
            problem = f"task {number} is not a JSON object; got {shown(task)}"
            raise ReadError(problem, path=source.path)
        reader.add(task, number)
    return contents


def annotations_of(task: Record) -> list[Any]:
    """Return the annotations of a task, empty if they are not a list."""
    annotations = task.get("annotations", task.get("completions"))
    return annotations if isinstance(annotations, list) else []


def task_problems(task: Record) -> Iterator[str]:
    """Yield an error message for annotations of a task that are not a list."""
    for key in ("annotations", "completions"):
        if not isinstance(task.get(key) or [], list):
            yield f"{key} must be a list; got {shown(task[key])}"


def result_problems(annotation: Record) -> Iterator[str]:
    """Yield error messages for results of an annotation that are not a list of objects."""
    result = annotation.get("result") or []
    if not isinstance(result, list):
        yield f"the result of an annotation must be a list; got {shown(result)}"
    else:
        bad = (each for each in result if not isinstance(each, dict))
        yield from (f"a result must be a JSON object; got {shown(each)}" for each in bad)


def annotator_of(annotation: Record, key: str) -> str:
    """Return the annotator of an annotation, empty if unknown."""
    annotator = annotation.get(key)
    if isinstance(annotator, dict):
        annotator = annotator.get("email") or annotator.get("username") or annotator.get("id")
    return name_of(annotator)


def task_name(task: Record, field: object, number: int, path: Path, role: str) -> str:
    """Return the name of a task: the given field, its document, its id, or its number."""
    data = task.get("data", task)
    if field:
        value = data.get(str(field), task.get(str(field))) if isinstance(data, dict) else None
        if name := name_of(value):
            return name
        problem = f"task {number} has no field {field!r} in its data for the name of the {role}"
        raise ReadError(problem, path=path)
    named = data.get("document") if isinstance(data, dict) else None
    return name_of(named) or name_of(task.get("id", task.get("inner_id"))) or str(number)


class _Task(NamedTuple):
    document: str
    text: str | None
    dialogue: Dialogue | None
    number: int


class _Tasks:
    def __init__(
        self, contents: Contents, options: ReadOptions, key: str, *, takes_predictions: bool
    ) -> None:
        self.key = key
        self.contents = contents
        self.options = options
        self.takes_predictions = takes_predictions

    def add(self, task: Record, number: int) -> None:
        """Add a task with all its annotations."""
        annotations: Any = annotations_of(task)
        for problem in task_problems(task):
            self.contents.object(f"task {number}: {problem}")
        if not annotations and "annotation_id" in task:
            annotations = [_from_json_min(task)]
        path = self.contents.source.path
        document = task_name(task, self.options.document, number, path, "document")
        data = task.get("data", task)
        dialogue = dialogue_of(data)
        regions = _regions_of(task, annotations)
        text = text_of(data, self.key, regions) if dialogue is None else dialogue.text
        if text is not None:
            self.contents.text(document, text)
        if self.takes_predictions:
            annotations = task.get("predictions") or []
            if not isinstance(annotations, list):
                self.contents.object(
                    f"task {number}: predictions must be a list; got {shown(annotations)}"
                )
        elif task.get("predictions"):
            self.contents.left_out("predictions of models")
        for annotation in annotations if isinstance(annotations, list) else []:
            if isinstance(annotation, dict):
                self._annotation(annotation, _Task(document, text, dialogue, number))
            else:
                self.contents.object(f"task {number}: an annotation must be a JSON object")

    def _annotation(self, annotation: Record, task: _Task) -> None:
        contents = self.contents
        if annotation.get("was_cancelled"):
            contents.left_out("cancelled annotations")
            return
        usual = "model_version" if self.takes_predictions else "completed_by"
        annotator = annotator_of(annotation, str(self.options.annotator or usual))
        if not annotator:
            annotator = contents.source.annotator or "unknown"
            contents.note("annotations without an annotator")
        if (task.document, annotator) in contents.seen_pairs:
            contents.note(AGAIN)
        contents.seen(task.document, annotator)
        for problem in result_problems(annotation):
            contents.object(f"task {task.number}: {problem}")
        regions = _results(annotation)
        about = _by_region(regions)
        table = _offset_table(regions, task.text, task.dialogue)
        if task.text is None:
            self._length(regions, task.document)
        # An answer with the id of a region is about that region.
        marked = {name_of(each.get("id")) for each in regions if _labels_of(each) is not None}
        for region in regions:
            if region.get("type") == "relation":
                contents.left_out("relations")
            elif message := _region_problem(region):
                contents.object(f"task {task.number}: {message}")
            elif not isinstance(region.get("value"), dict):
                contents.left_out("results without a value")
            elif (labels := _labels_of(region)) is not None:
                others = about.get(name_of(region.get("id")), {})
                self._region(region, labels, others, annotator, task, table)
            elif name_of(region.get("id")) not in marked - {""}:
                self._leave_out(region.get("type"))

    def _length(self, regions: Sequence[Record], document: str) -> None:
        """Set the extent to the length of the recording, which regions may slightly exceed."""
        lengths = [length for each in regions if (length := length_of(each)) is not None]
        if not lengths:
            return
        for region in regions:
            value = region.get("value")
            with suppress(ValueError):
                bounds = bounds_of(value, None) if isinstance(value, dict) else None
                lengths += [] if bounds is None else bounds
        _, known = self.contents.extents.get(document, (0.0, 0.0))
        self.contents.extent(document, 0.0, float(max([known, *lengths])))

    def _region(
        self,
        region: Record,
        labels: Sequence[object],
        about: Mapping[str, Any],
        annotator: str,
        task: _Task,
        table: Integers | None,
    ) -> None:
        value = region["value"]
        try:
            bounds = bounds_of(value, task.dialogue)
        except ValueError as error:
            self.contents.object(f"task {task.number}: {error}")
            return
        if bounds is None:
            if position := {key: value[key] for key in OFFSET_KEYS if key in value}:
                self.contents.object(
                    f"task {task.number}: {INVALID_OFFSETS}; got {shown(position)}"
                )
            else:
                self._leave_out(region.get("type"))
            return
        if not are_near(bounds):
            self.contents.object(
                f"task {task.number}: positions must lie within ±{_FARTHEST:,}; got {[*bounds]}"
            )
            return
        start, end = (character_offset(bound, table) for bound in bounds)
        quote, text = value.get("text"), task.text
        if text is not None and isinstance(quote, str) and text[int(start) : int(end)] != quote:
            self.contents.note(MISMATCH)
        layer = name_of(region.get("from_name"))
        others = {key: each for key, each in about.items() if key != layer}
        label = self._label(labels, others)
        if label is _INVALID:
            self.contents.object(f"task {task.number}: a label must be a text; got {shown(labels)}")
            return
        self.contents.add(
            task.document, annotator, start, end, label, layer=layer, attributes=others or None
        )

    def _leave_out(self, kind: object) -> None:
        what = f"answers of type {kind!r}" if isinstance(kind, str) else "other answers"
        self.contents.left_out(f"{what[:60]} without a position in the text")

    def _label(self, labels: Sequence[object], attributes: Mapping[str, Any]) -> Hashable:
        name = self.options.label
        if name is False:
            return None
        found: Any = attributes.get(str(name), []) if name is not None else labels
        found = found if isinstance(found, list) else [found]
        try:
            return label_of(found) if len(found) > 1 else label_of(found[0] if found else None)
        except TypeError:
            return _INVALID


_INVALID = object()


def _from_json_min(task: Record) -> Record:
    """Return the annotation of a task in JSON-MIN in the form of the full export."""
    result = [
        {"from_name": key, "type": "labels", "value": region}
        for key, regions in task.items()
        if isinstance(regions, list)
        for region in regions
        if isinstance(region, dict) and ("start" in region or "startOffset" in region)
    ]
    return {"completed_by": task.get("annotator"), "result": result}


def _results(annotation: object) -> list[Record]:
    result = annotation.get("result") if isinstance(annotation, dict) else None
    return [each for each in result if isinstance(each, dict)] if isinstance(result, list) else []


def _regions_of(task: Record, annotations: Sequence[object]) -> list[Record]:
    """Return the regions of all annotations and predictions of a task."""
    predictions = task.get("predictions")
    short = [_from_json_min(task)] if "annotation_id" in task else []
    everything = [*annotations, *short, *(predictions if isinstance(predictions, list) else ())]
    return [region for each in everything for region in _results(each)]


def _by_region(regions: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """Return the answers of other controls about each region, by its id."""
    found: dict[str, dict[str, Any]] = {}
    for region in regions:
        name, value = name_of(region.get("id")), region.get("value")
        control, kind = name_of(region.get("from_name")), name_of(region.get("type"))
        # The value of a text area has the key "text".
        key = "text" if kind == "textarea" else kind
        if name and control and isinstance(value, dict) and key in value:
            found.setdefault(name, {})[control] = value[key]
    return found


def _labels_of(region: Record) -> list[object] | None:
    """Return the labels of a region, which may be empty; `None` for an answer."""
    value, kind = region.get("value"), region.get("type")
    if not isinstance(value, dict):
        return None
    for key in (kind if isinstance(kind, str) else "labels", "labels"):
        if key.endswith("labels") and isinstance(value.get(key), list):
            return list(value[key])
    is_region = isinstance(kind, str) and kind in {"text", "hypertext", "audio", "labels"}
    return [] if is_region else None


def _region_problem(region: Record) -> str | None:
    """Return an error message for a region whose labels cannot be read, or `None`."""
    value, kind = region.get("value"), region.get("type")
    if not isinstance(kind, str) or not kind.endswith("labels"):
        return None
    if not isinstance(value, dict):
        return f"the value of a region must be a JSON object; got {shown(value)}"
    labels = value.get(kind, value.get("labels"))
    if labels is not None and not isinstance(labels, list):
        return f"the labels of a region must be a list; got {shown(labels)}"
    return None


def _offset_table(
    regions: Sequence[Record], text: str | None, dialogue: Dialogue | None
) -> Integers | None:
    if dialogue is not None:
        values = (each["value"] for each in regions if isinstance(each.get("value"), dict))
        dialogue.detect_offsets(values)
        return None
    return None if text is None else matching_offsets(text, quotes_of(regions))


_KEEPS = frozenset({"annotators without units", "labels that look like numbers", "layers"})


def write_label_studio(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return one task per document, with each annotator as the model version of a prediction."""
    has_texts = all(each.text is not None for each in corpus.values())
    lost = {"extents of documents"} if has_texts else set()
    warn_of_losses(corpus, "Label Studio", _KEEPS.union(lost))
    tasks = [
        _task(name, continuum, number)
        for number, (name, continuum) in enumerate(corpus.items(), start=1)
    ]
    return {path: json.dumps(tasks, indent=1) + "\n"}


def _task(name: str, continuum: Continuum, number: int) -> dict[str, Any]:
    data = {"document": name}
    if continuum.text is not None:
        data["text"] = continuum.text
    predictions = []
    for place, annotator in enumerate(continuum.annotators):
        low, high = continuum.offsets[place : place + 2].tolist()
        result = [
            _region(unit, f"u{row}", continuum.text)
            for row, unit in enumerate(continuum.units[low:high], start=low)
        ]
        predictions.append({"model_version": annotator, "result": result})
    return {"id": number, "data": data, "predictions": predictions}


def _region(unit: Unit, name: str, text: str | None) -> dict[str, Any]:
    value: dict[str, Any] = {"start": plain(unit.start), "end": plain(unit.end)}
    if text is not None:
        value["text"] = text[int(unit.start) : int(unit.end)]
    value["labels"] = _texts(unit.label)
    return {
        "id": name,
        "from_name": str(unit.attributes.get("layer", "label")),
        "to_name": "text",
        "type": "labels",
        "value": value,
    }


def _texts(label: Label | None) -> list[str]:
    if isinstance(label, frozenset):
        return [label_text(each) for each in sorted(label, key=label_order)]
    return [] if label is None else [label_text(label)]
