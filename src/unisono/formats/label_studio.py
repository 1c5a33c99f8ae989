"""Label Studio: exports of tasks as JSON, whole or in the shorter form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unisono.errors import ReadError
from unisono.formats.brat import MISMATCH
from unisono.formats.contents import Contents
from unisono.formats.json_reading import first_record, json_of, label_of, name_of, number_of, shown
from unisono.formats.offsets import converted, told_by_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.contents import ReadOptions
    from unisono.formats.json_reading import Record
    from unisono.formats.sources import Source
    from unisono.model.columns import Integers

_PLACES = (("start", "end"), ("startOffset", "endOffset"))


def looks_like_label_studio(head: bytes) -> bool:
    """Tell an export of tasks by its first one."""
    record = first_record(head)
    if record is None:
        return False
    whole = "annotations" in record or "completions" in record or "predictions" in record
    return ("data" in record and whole) or "annotation_id" in record


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
    reader = _Tasks(contents, options, takes_predictions=not has_annotations)
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


class _Tasks:
    def __init__(
        self, contents: Contents, options: ReadOptions, *, takes_predictions: bool
    ) -> None:
        self.contents = contents
        self.options = options
        self.takes_predictions = takes_predictions

    def take(self, task: Record, number: int) -> None:
        """Take one task with all its annotations."""
        annotations: Any = annotations_of(task)
        if not annotations and "annotation_id" in task:
            annotations = [_from_short_form(task)]
        path = self.contents.source.path
        document = task_name(task, self.options.document, number, path, "document")
        text = _text_of(task.get("data", task))
        if text is not None:
            self.contents.text(document, text)
        if self.takes_predictions:
            annotations = task.get("predictions")
        elif task.get("predictions"):
            self.contents.left_out("predictions of models")
        for annotation in annotations if isinstance(annotations, list) else []:
            if isinstance(annotation, dict):
                self._annotation(annotation, document, text, number)
            else:
                self.contents.object(f"task {number}: an annotation is an object")

    def _annotation(self, annotation: Record, document: str, text: str | None, number: int) -> None:
        if annotation.get("was_cancelled"):
            self.contents.left_out("cancelled annotations")
            return
        usual = "model_version" if self.takes_predictions else "completed_by"
        annotator = answered_by(annotation, str(self.options.annotator or usual))
        if not annotator:
            annotator = self.contents.source.annotator or "unknown"
            self.contents.note("annotations that do not say who made them")
        self.contents.seen(document, annotator)
        result = annotation.get("result")
        regions = [each for each in result or () if isinstance(each, dict)] if result else []
        about = _by_region(regions)
        table = _counting(regions, text)
        for region in regions:
            self._region(region, about, document, annotator, text, table, number)

    def _region(
        self,
        region: Record,
        about: Mapping[str, dict[str, Any]],
        document: str,
        annotator: str,
        text: str | None,
        table: Integers | None,
        number: int,
    ) -> None:
        value = region.get("value")
        kind = region.get("type")
        if not isinstance(value, dict) or kind == "relation":
            self.contents.left_out("relations" if kind == "relation" else "results without value")
            return
        labels = _labels_of(value, kind)
        bounds = _bounds(value)
        if bounds is None or labels is None:
            what = f"answers of kind {kind!r}" if isinstance(kind, str) else "other answers"
            self.contents.left_out(f"{what[:60]} without a place in the text")
            return
        start, end = (converted(bound, table) for bound in bounds)
        said = value.get("text")
        if text is not None and isinstance(said, str) and text[int(start) : int(end)] != said:
            self.contents.note(MISMATCH)
        attributes = about.get(name_of(region.get("id")), {})
        layer = name_of(region.get("from_name"))
        others = {key: each for key, each in attributes.items() if key != layer}
        label = self._label(labels, others)
        if label is _BAD:
            self.contents.object(f"task {number}: a label is a text; got {shown(labels)}")
            return
        self.contents.add(
            document, annotator, start, end, label, layer=layer, attributes=others or None
        )

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


def _text_of(data: object) -> str | None:
    if isinstance(data, str):
        return data
    if not isinstance(data, dict):
        return None
    text = data.get("text")
    if isinstance(text, str):
        return text
    texts = [each for each in data.values() if isinstance(each, str) and " " in each.strip()]
    return texts[0] if len(texts) == 1 and "://" not in texts[0] else None


def _by_region(regions: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """Gather what further controls say of the same region."""
    found: dict[str, dict[str, Any]] = {}
    for region in regions:
        name, value = name_of(region.get("id")), region.get("value")
        control, kind = name_of(region.get("from_name")), name_of(region.get("type"))
        if name and control and isinstance(value, dict) and kind in value:
            found.setdefault(name, {})[control] = value[kind]
    return found


def _labels_of(value: Record, kind: object) -> list[object] | None:
    """Give the labels of a region: a list, empty for a region without; nothing for answers."""
    for key in (kind if isinstance(kind, str) else "labels", "labels"):
        if key.endswith("labels") and isinstance(value.get(key), list):
            return list(value[key])
    is_region = isinstance(kind, str) and kind in {"text", "hypertext", "audio", "labels"}
    return [] if is_region else None


def _bounds(value: Record) -> tuple[float, float] | None:
    places = value.get("globalOffsets")
    for given in (places, value):
        if not isinstance(given, dict):
            continue
        for first, last in _PLACES:
            start, end = number_of(given.get(first)), number_of(given.get(last))
            if start is not None and end is not None:
                return start, end
    ranges = value.get("ranges")
    if isinstance(ranges, list) and len(ranges) == 1 and isinstance(ranges[0], dict):
        return _bounds(ranges[0])
    return None


def _counting(regions: Sequence[Record], text: str | None) -> Integers | None:
    if text is None:
        return None
    marks = []
    for region in regions:
        value = region.get("value")
        if isinstance(value, dict) and isinstance(value.get("text"), str):
            bounds = _bounds(value)
            if bounds is not None and max(map(abs, bounds)) < 2**53:
                marks.append((*bounds, value["text"]))
    return told_by_text(text, marks)
