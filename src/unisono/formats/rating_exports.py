"""Ratings in JSON and in exports of annotation tools."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from unisono.errors import AmbiguousInputError, DataError, ReadError, SettingError, setting
from unisono.formats.contents import Contents, Format, ReadOptions
from unisono.formats.files import UNKNOWN, located
from unisono.formats.jsonl import first_record, json_of, json_records, label_of, name_of, shown
from unisono.formats.label_studio import (
    annotations_of,
    answered_by,
    ill_formed,
    ill_formed_results,
    looks_like_label_studio,
    task_name,
)
from unisono.formats.roles import RATING_ROLES, RATINGS, UNITS, is_about_paths, layout_of
from unisono.formats.roles import Asked as AskedColumns
from unisono.formats.text_spans import looks_like_doccano, looks_like_prodigy, record_name
from unisono.model.codes import coded_items, coded_labels, coded_names
from unisono.model.columns import counted, listed
from unisono.model.interpretation import Interpretation, Remarks, absolute_paths
from unisono.model.rating_tables import collated, repeat_problem
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.contents import Source
    from unisono.formats.jsonl import Record
    from unisono.model.rating_tables import Duplicates
    from unisono.model.ratings import Ratings

    Reader: TypeAlias = "Callable[[Source, Asked, Contents], Iterator[Rating]]"


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
    """Return an answer as a label or a list of labels; a branch of a taxonomy is its path."""
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
    """Return the labels of ratings, `None` where nothing was chosen.

    A list of one is that label, unless somebody chose several: then all are sets, and who chose
    none of the options said so.
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


SUFFIXES = (".jsonl", ".ndjson", ".json")


def record_ratings(
    path: Path,
    asked: AskedColumns,
    *,
    format_: str,
    layer: str | None,
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    separator: str | None,
    missing: frozenset[str],
) -> Ratings:
    """Read ratings from a file of JSON, or from a folder with one for each annotator."""
    ratings: list[Rating] = []
    remarks = Remarks()
    fields = _fields(asked)
    unknown: list[Path] = []
    owner = asked.columns.get("annotator")
    sources = located([path], format_, RATING_FORMATS, annotator=owner, unknown=unknown)
    for each in unknown:
        remarks.add(UNKNOWN, str(each))
    for source in sources:
        contents = Contents(source, ReadOptions(AskedColumns(RATINGS)))
        ratings += _READERS[source.format](source, fields, contents)
        remarks.update(contents.others)
    layers = Counter(each.layer for each in ratings)
    ratings = _of_layer(ratings, layers, layer, path)
    for remark in remarks.listed():
        warnings.warn(f"left out: {remark}", stacklevel=3)
    labels = [
        None if isinstance(label, str) and label.strip() in missing else label
        for label in as_labels(ratings, path)
    ]
    people = coded_names([each.annotator for each in ratings])
    things = coded_items([each.item for each in ratings])
    coded = coded_labels(labels, separator)

    def repeated(first: int, second: int) -> DataError:
        lines = ratings[first].line, ratings[second].line
        if lines[0] is None or lines[1] is None:
            called, numbers = "rating", (first + 1, second + 1)
        else:
            called, numbers = "line", (lines[0], lines[1])
        problem = repeat_problem(people, things, coded, (first, second), called, numbers)
        return ReadError(problem, path=path, line=lines[1])

    table = collated(people, things, coded, annotators, duplicates, repeated)
    if not len(table.times):
        problem = "no ratings here; expected one a line, or choices in the export of a tool"
        raise ReadError(problem, path=path)
    interpretation = Interpretation(
        absolute_paths([path]),
        Counter(source.format for source in sources),
        {name: number for name, number in sorted(layers.items()) if name},
        left_out=remarks.listed(),
    )
    return ratings_of(table, interpretation)


def _fields(asked: AskedColumns) -> Asked:
    named: dict[str, str] = {}
    for role, column in asked.columns.items():
        if isinstance(column, int):
            msg = f"objects of JSON have names, no numbers; got {setting(role, column)}"
            raise SettingError(msg)
        if not (role == "annotator" and is_about_paths(column)):
            named[role] = column
    if asked.wide or asked.header is not None:
        given = setting("wide", True) if asked.wide else setting("header")
        msg = f"JSON has one rating an object and no header; leave {given} out"
        raise SettingError(msg)
    return Asked(**named)


def _of_layer(
    ratings: Sequence[Rating], layers: Mapping[str, int], layer: str | None, path: Path
) -> list[Rating]:
    there = ", ".join(f"{name!r} ({counted(n, 'rating')})" for name, n in sorted(layers.items()))
    if layer is not None:
        if layer not in layers:
            problem = f"nobody answered {setting('layer', layer)}; there are {there or 'none'}"
            raise ReadError(problem, path=path)
        return [each for each in ratings if each.layer == layer]
    if len(layers) > 1:
        problem = f"answers to {len(layers)} questions: {there}. Say which with {setting('layer')}"
        raise AmbiguousInputError(problem, path=path)
    return list(ratings)


def _one_a_line(source: Source, asked: Asked, contents: Contents) -> Iterator[Rating]:
    """Read objects with the keys annotator, item and label, by their usual names or as asked."""
    known: dict[tuple[str, ...], Asked] = {}
    for line, record in json_records(source, contents):
        names = tuple(record)
        if names not in known:
            known[names] = _keys(record, asked, source)
        keys = known[names]
        annotator = name_of(record[keys.annotator]) if keys.annotator else source.owner()
        item = name_of(record[keys.item])
        for role, name in (("annotator", annotator), ("item", item)):
            if not name.strip():
                contents.object(f"the {role} is a text or a whole number: {shown(record)}", line)
        yield Rating(annotator, item, record[keys.label], line=line)


def _keys(record: Record, asked: Asked, source: Source) -> Asked:
    names = list(record)
    is_named = asked.annotator or RATINGS.matches("annotator", names)
    by_path = source.annotator is not None and not is_named
    if by_path:
        # The file is the annotator: only the other two have keys.
        names.append("annotator")
    columns = {role: getattr(asked, role) for role in RATING_ROLES if getattr(asked, role)}
    named = AskedColumns(RATINGS, columns, header=True, wide=False)
    places = layout_of(names, named, path=source.path, line=None).places
    keys = Asked(*(names[places[role]] for role in RATING_ROLES))
    return keys._replace(annotator="") if by_path else keys


def _looks_like_ratings(head: bytes) -> bool:
    record = first_record(head)
    if record is None:
        return False
    names = list(record)
    are_rated = all(RATINGS.matches(role, names) for role in ("item", "label"))
    return are_rated and not UNITS.matches("start", names)


RATING_FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        Format(
            "labelstudio",
            "Label Studio JSON",
            (".json",),
            looks_like=looks_like_label_studio,
            inside=("annotator", "document"),
        ),
        Format(
            "prodigy",
            "Prodigy JSON Lines",
            (".jsonl",),
            looks_like=looks_like_prodigy,
            inside=("document",),
            by_path="file",
        ),
        Format(
            "jsonl",
            "JSON Lines, one rating a line",
            (".jsonl", ".ndjson", ".json"),
            looks_like=_looks_like_ratings,
            inside=("document",),
            by_path="file",
        ),
        Format(
            "doccano",
            "doccano JSON Lines",
            (".jsonl", ".json"),
            looks_like=looks_like_doccano,
            inside=("document",),
            by_path="file",
        ),
    )
}
"""Formats of ratings in JSON, as `known_formats` has those of units."""
_READERS: Mapping[str, Reader] = {
    "labelstudio": label_studio_ratings,
    "prodigy": prodigy_ratings,
    "jsonl": _one_a_line,
    "doccano": doccano_ratings,
}
