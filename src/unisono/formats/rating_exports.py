"""Ratings in the exports of annotation tools: Label Studio, Prodigy, doccano."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import AmbiguousInputError, ReadError, setting
from unisono.formats.json_reading import json_of, json_records, label_of, name_of, shown
from unisono.formats.label_studio import (
    annotations_of,
    answered_by,
    ill_formed,
    ill_formed_results,
    task_name,
)
from unisono.formats.text_spans import record_name
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from pathlib import Path

    from unisono.formats.contents import Contents
    from unisono.formats.json_reading import Record
    from unisono.formats.sources import Source


# What a control that asks of the whole task answers, and under which key.
_ANSWERS = ("choices", "rating", "number", "taxonomy", "selected", "datetime")


class Rating(NamedTuple):
    """What one annotator said of one item."""

    annotator: str
    item: Hashable
    answer: Any  # a JSON value; a list where several can be chosen
    layer: str = ""  # which of several questions was answered
    line: int | None = None


class Asked(NamedTuple):
    """What the caller calls annotator, item and label in such files; empty where nothing is."""

    annotator: str = ""
    item: str = ""
    label: str = ""


def label_studio_ratings(source: Source, asked: Asked, contents: Contents) -> Iterator[Rating]:
    """Read what was answered of whole tasks: choices, stars, numbers; regions are left out."""
    whole = json_of(source)
    tasks = whole if isinstance(whole, list) else [whole]
    _check_short_form(tasks, asked, source)
    for number, task in enumerate(tasks, start=1):
        if not isinstance(task, dict):
            problem = f"task {number} is no JSON object; got {shown(task)}"
            raise ReadError(problem, path=source.path)
        item = task_name(task, asked.item, number, source.path, "item")
        if _is_short(task):
            yield _short_answer(task, item, asked, source)
            continue
        for wrong in ill_formed(task):
            contents.object(f"task {number}: {wrong}")
        if task.get("predictions"):
            contents.left_out("predictions of models")
        for annotation in annotations_of(task):
            if not isinstance(annotation, dict):
                contents.object(f"task {number}: an annotation is an object")
            elif annotation.get("was_cancelled"):
                contents.left_out("cancelled annotations")
            else:
                for wrong in ill_formed_results(annotation):
                    contents.object(f"task {number}: {wrong}")
                who = answered_by(annotation, asked.annotator or "completed_by")
                yield from _task_answers(annotation, who or source.owner(), item, contents)


def _task_answers(
    annotation: Record, annotator: str, item: str, contents: Contents
) -> Iterator[Rating]:
    result = annotation.get("result")
    parts = [each for each in result if isinstance(each, dict)] if isinstance(result, list) else []
    for part in parts:
        value = part.get("value")
        if not isinstance(value, dict):
            contents.left_out("relations and other results without value")
            continue
        if any(key in value for key in ("start", "startOffset", "x", "points", "ranges")):
            contents.left_out("marked regions, and what is said of them")
            continue
        kind = name_of(part.get("type"))
        key = kind if kind in value else next((each for each in _ANSWERS if each in value), "")
        if key not in _ANSWERS:
            contents.left_out(f"answers of kind {kind[:40]!r}")
            continue
        yield Rating(annotator, item, _plain(value[key]), name_of(part.get("from_name")))


def _check_short_form(tasks: Sequence[Any], asked: Asked, source: Source) -> None:
    """Ask for the key of the answers; a task that was not answered does not have it."""
    short = [each for each in tasks if isinstance(each, dict) and _is_short(each)]
    if short and not any(asked.label and asked.label in each for each in short):
        problem = (
            "this is the shorter form of an export, where answers and data stand side by side; "
            f"say which is the label with {setting('label', ...)}: {listed(short[0])}"
        )
        raise AmbiguousInputError(problem, path=source.path)


def _is_short(task: Record) -> bool:
    return "annotation_id" in task and "annotations" not in task


def _short_answer(task: Record, item: str, asked: Asked, source: Source) -> Rating:
    """Read a task of the shorter form ("JSON-MIN"), which does not tell answers from data."""
    value = task.get(asked.label)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        value = value[0]
    if isinstance(value, dict):
        value = next((value[key] for key in _ANSWERS if key in value), value)
    who = name_of(task.get(asked.annotator or "annotator")) or source.owner()
    return Rating(who, item, _plain(value))


def _plain(value: object) -> object:
    """Give an answer as a label or a list of labels; a branch of a taxonomy is its path."""
    if isinstance(value, list) and any(isinstance(each, list) for each in value):
        branches = (each if isinstance(each, list) else [each] for each in value)
        return ["/".join(map(str, branch)) for branch in branches]
    return value


def prodigy_ratings(source: Source, asked: Asked, contents: Contents) -> Iterator[Rating]:
    """Read chosen options, or whether a suggested label was accepted; ignored is not rated."""
    for line, record in json_records(source, contents):
        answer = record.get("answer", "accept")
        keys = [asked.annotator] if asked.annotator else ["_annotator_id", "_session_id"]
        annotator = next(filter(None, (name_of(record.get(key)) for key in keys)), None)
        annotator = annotator or source.owner()
        item = record_name(record, record.get("text"), asked.item, ("_input_hash",))
        if not item:
            contents.object(f"a line has a text or an _input_hash; got {shown(record)}", line)
        elif answer == "ignore":
            yield Rating(annotator, item, None, line=line)
        elif asked.label:
            yield Rating(annotator, item, record.get(asked.label), line=line)
        elif "accept" in record or "options" in record:
            if answer == "accept":
                yield Rating(annotator, item, record.get("accept"), line=line)
            else:
                contents.left_out("choices that were rejected as a whole", line)
        elif "label" in record and "spans" not in record:
            # Was this label right? Each label that is suggested is a question of its own.
            yield Rating(annotator, item, answer, name_of(record["label"]), line)
        else:
            contents.left_out("tasks without options or a label", line)


def doccano_ratings(source: Source, asked: Asked, contents: Contents) -> Iterator[Rating]:
    """Read the labels of whole texts; the file is the annotator, the id the item."""
    for line, record in json_records(source, contents):
        text = record.get("text", record.get("data"))
        item = record_name(record, text, asked.item, ("id",))
        label = record.get(asked.label or "label", record.get("labels"))
        old = record.get("annotations")
        if not item:
            contents.object(f"a line has an id or a text; got {shown(record)}", line)
        elif isinstance(label, list) and any(isinstance(each, list | dict) for each in label):
            contents.left_out("texts with spans, which have no label as a whole", line)
        elif label is None and isinstance(old, list):
            yield from _old_doccano(old, item, source, contents, line)
        else:
            who = name_of(record.get(asked.annotator)) if asked.annotator else ""
            # A text without labels has not been looked at yet, as far as the file tells.
            yield Rating(who or source.owner(), item, label or None, line=line)


def _old_doccano(
    annotations: Sequence[Any], item: str, source: Source, contents: Contents, line: int
) -> Iterator[Rating]:
    """Read the labels of a text with who gave them, as older versions wrote them."""
    chosen: dict[str, list[Any]] = {}
    for each in annotations:
        if not isinstance(each, dict) or "label" not in each or "start_offset" in each:
            contents.left_out("spans and other answers than labels of a text", line)
            continue
        chosen.setdefault(name_of(each.get("user")) or source.owner(), []).append(each["label"])
    for user, labels in chosen.items():
        yield Rating(user, item, labels, line=line)


def as_labels(ratings: Sequence[Rating], path: Path) -> list[Hashable]:
    """Give the labels of ratings, `None` where nothing was chosen.

    A list of one is that label, unless somebody chose several: then all are sets, and who chose
    none of the options said so.

    Raises
    ------
    ReadError
        An answer is neither text nor number nor a list of such.
    """
    chosen = [each.answer for each in ratings if isinstance(each.answer, list)]
    several = any(len(answer) > 1 for answer in chosen)
    labels: list[Hashable] = []
    for each in ratings:
        answer = each.answer
        if isinstance(answer, list) and not several:
            answer = answer[0] if answer else None
        elif several and not isinstance(answer, list) and answer is not None:
            answer = [answer]
        try:
            label = label_of(answer)
        except TypeError as error:
            raise ReadError(str(error), path=path, line=each.line) from None
        labels.append(None if label == "" else label)
    return labels
