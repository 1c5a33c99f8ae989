"""Label Studio: exports of tasks as JSON, whole or in the shorter form."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import ReadError
from unisono.formats.brat import MISMATCH
from unisono.formats.contents import Contents
from unisono.formats.json_reading import first_record, json_of, label_of, name_of, shown
from unisono.formats.label_studio_places import (
    BAD_PLACE,
    PLACES,
    are_near,
    bounds_of,
    dialogue_of,
    length_of,
    marks_of,
    text_key,
    text_of,
)
from unisono.formats.offsets import converted, told_by_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.contents import ReadOptions
    from unisono.formats.json_reading import Record
    from unisono.formats.label_studio_places import Dialogue
    from unisono.formats.sources import Source
    from unisono.model.arrays import Integers


_OF_REGIONS = frozenset({"completed_by", "from_name", "model_version", "was_cancelled"})
AGAIN = "tasks that an annotator did more than once, all of them taken together"


def looks_like_label_studio(head: bytes) -> bool:
    """Tell an export of tasks by its first one."""
    record = first_record(head)
    if record is None:
        return False
    if "annotation_id" in record:
        return True
    lists = record.keys() & {"annotations", "completions", "predictions"}
    if "data" in record and lists:
        return True
    # Of a long task only the beginning is known, be it its data or its annotations.
    is_cut_off = not any(each is not None for each in record.values())
    begins_with_data = re.search(rb'"data"\s*:\s*\{', head) is not None
    return is_cut_off and (begins_with_data or bool(lists and record.keys() & _OF_REGIONS))


def read_label_studio(source: Source, options: ReadOptions) -> Contents:
    """Read regions of texts and recordings; cancelled annotations are left out.

    The annotator is who completed the annotation (``annotator=`` may name another field of it),
    the document is the task (``document=`` may name a field of its data), the layer is the name
    of the control, and the label is the set of labels where a region has several. A file without
    any annotation is read for its predictions, by the version of the model.
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
    reader = _Tasks(contents, options, key, takes_predictions=not has_annotations)
    for number, task in enumerate(tasks, start=1):
        if not isinstance(task, dict):
            problem = f"task {number} is no JSON object; got {shown(task)}"
            raise ReadError(problem, path=source.path)
        reader.take(task, number)
    return contents


def annotations_of(task: Record) -> list[Any]:
    """Give the annotations of a task; none where it has another form."""
    annotations = task.get("annotations", task.get("completions"))
    return annotations if isinstance(annotations, list) else []


def ill_formed(task: Record) -> Iterator[str]:
    """Yield what is wrong with the annotations of a task, if they are no list."""
    for key in ("annotations", "completions"):
        if not isinstance(task.get(key) or [], list):
            yield f"{key} are a list; got {shown(task[key])}"


def ill_formed_results(annotation: Record) -> Iterator[str]:
    """Yield what is wrong with the results of an annotation, if they are no list of objects."""
    result = annotation.get("result") or []
    if not isinstance(result, list):
        yield f"the result of an annotation is a list; got {shown(result)}"
    else:
        bad = (each for each in result if not isinstance(each, dict))
        yield from (f"a result is an object; got {shown(each)}" for each in bad)


def answered_by(annotation: Record, key: str) -> str:
    """Give who made an annotation; empty when that is not said."""
    by = annotation.get(key)
    if isinstance(by, dict):
        by = by.get("email") or by.get("username") or by.get("id")
    return name_of(by)


def task_name(task: Record, asked: object, number: int, path: Path, role: str) -> str:
    """Give the name of a task: the field asked for, its document, its id, or its number.

    Raises
    ------
    ReadError
        The field asked for is not there.
    """
    data = task.get("data", task)
    if asked:
        value = data.get(str(asked), task.get(str(asked))) if isinstance(data, dict) else None
        if name := name_of(value):
            return name
        problem = f"task {number} has no {asked!r} in its data to name the {role}"
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

    def take(self, task: Record, number: int) -> None:
        """Take one task with all its annotations."""
        annotations: Any = annotations_of(task)
        for problem in ill_formed(task):
            self.contents.object(f"task {number}: {problem}")
        if not annotations and "annotation_id" in task:
            annotations = [_from_short_form(task)]
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
                    f"task {number}: predictions are a list; got {shown(annotations)}"
                )
        elif task.get("predictions"):
            self.contents.left_out("predictions of models")
        for annotation in annotations if isinstance(annotations, list) else []:
            if isinstance(annotation, dict):
                self._annotation(annotation, _Task(document, text, dialogue, number))
            else:
                self.contents.object(f"task {number}: an annotation is an object")

    def _annotation(self, annotation: Record, task: _Task) -> None:
        contents = self.contents
        if annotation.get("was_cancelled"):
            contents.left_out("cancelled annotations")
            return
        usual = "model_version" if self.takes_predictions else "completed_by"
        annotator = answered_by(annotation, str(self.options.annotator or usual))
        if not annotator:
            annotator = contents.source.annotator or "unknown"
            contents.note("annotations that do not say who made them")
        if (task.document, annotator) in contents.seen_pairs:
            contents.note(AGAIN)
        contents.seen(task.document, annotator)
        for problem in ill_formed_results(annotation):
            contents.object(f"task {task.number}: {problem}")
        regions = _results(annotation)
        about = _by_region(regions)
        table = _counting(regions, task.text, task.dialogue)
        if task.text is None:
            self._length(regions, task.document)
        # Answers with the name of a marked region are about it.
        marked = {name_of(each.get("id")) for each in regions if _labels_of(each) is not None}
        for region in regions:
            if region.get("type") == "relation":
                contents.left_out("relations")
            elif wrong := _region_problem(region):
                contents.object(f"task {task.number}: {wrong}")
            elif not isinstance(region.get("value"), dict):
                contents.left_out("results without value")
            elif (labels := _labels_of(region)) is not None:
                others = about.get(name_of(region.get("id")), {})
                self._region(region, labels, others, annotator, task, table)
            elif name_of(region.get("id")) not in marked - {""}:
                self._no_region(region.get("type"))

    def _length(self, regions: Sequence[Record], document: str) -> None:
        """Take the length of a recording for its extent; regions may end beyond it by a bit."""
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
            if told := {key: value[key] for key in PLACES if key in value}:
                self.contents.object(f"task {task.number}: {BAD_PLACE}; got {shown(told)}")
            else:
                self._no_region(region.get("type"))
            return
        if not are_near(bounds):
            self.contents.object(f"task {task.number}: positions are finite; got {[*bounds]}")
            return
        start, end = (converted(bound, table) for bound in bounds)
        said, text = value.get("text"), task.text
        if text is not None and isinstance(said, str) and text[int(start) : int(end)] != said:
            self.contents.note(MISMATCH)
        layer = name_of(region.get("from_name"))
        others = {key: each for key, each in about.items() if key != layer}
        label = self._label(labels, others)
        if label is _BAD:
            self.contents.object(f"task {task.number}: a label is a text; got {shown(labels)}")
            return
        self.contents.add(
            task.document, annotator, start, end, label, layer=layer, attributes=others or None
        )

    def _no_region(self, kind: object) -> None:
        what = f"answers of kind {kind!r}" if isinstance(kind, str) else "other answers"
        self.contents.left_out(f"{what[:60]} without a place in the text")

    def _label(self, labels: Sequence[object], attributes: Mapping[str, Any]) -> Hashable:
        asked = self.options.label
        if asked is False:
            return None
        found: Any = attributes.get(str(asked), []) if asked is not None else labels
        found = found if isinstance(found, list) else [found]
        try:
            return label_of(found) if len(found) > 1 else label_of(found[0] if found else None)
        except TypeError:
            return _BAD


_BAD = object()


def _from_short_form(task: Record) -> Record:
    """Give a task of the shorter form ("JSON-MIN") its annotation as the longer has it."""
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
    """Give what everybody marked in a task, and models if they did."""
    predictions = task.get("predictions")
    short = [_from_short_form(task)] if "annotation_id" in task else []
    everything = [*annotations, *short, *(predictions if isinstance(predictions, list) else ())]
    return [region for each in everything for region in _results(each)]


def _by_region(regions: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """Gather what further controls say of the same region."""
    found: dict[str, dict[str, Any]] = {}
    for region in regions:
        name, value = name_of(region.get("id")), region.get("value")
        control, kind = name_of(region.get("from_name")), name_of(region.get("type"))
        # What was written about a region stands under another name than its kind.
        key = "text" if kind == "textarea" else kind
        if name and control and isinstance(value, dict) and key in value:
            found.setdefault(name, {})[control] = value[key]
    return found


def _labels_of(region: Record) -> list[object] | None:
    """Give the labels of a region: a list, empty for a region without; nothing for answers."""
    value, kind = region.get("value"), region.get("type")
    if not isinstance(value, dict):
        return None
    for key in (kind if isinstance(kind, str) else "labels", "labels"):
        if key.endswith("labels") and isinstance(value.get(key), list):
            return list(value[key])
    is_region = isinstance(kind, str) and kind in {"text", "hypertext", "audio", "labels"}
    return [] if is_region else None


def _region_problem(region: Record) -> str | None:
    """Return what is wrong with a region whose labels cannot be read, or `None`."""
    value, kind = region.get("value"), region.get("type")
    if not isinstance(kind, str) or not kind.endswith("labels"):
        return None
    if not isinstance(value, dict):
        return f"the value of a region is an object; got {shown(value)}"
    given = value.get(kind, value.get("labels"))
    if given is not None and not isinstance(given, list):
        return f"the labels of a region are a list; got {shown(given)}"
    return None


def _counting(
    regions: Sequence[Record], text: str | None, dialogue: Dialogue | None
) -> Integers | None:
    if dialogue is not None:
        values = (each["value"] for each in regions if isinstance(each.get("value"), dict))
        dialogue.count_by(values)
        return None
    return None if text is None else told_by_text(text, marks_of(regions))
