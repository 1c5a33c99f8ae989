"""Ratings in JSON and in exports of annotation tools."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from unisono.errors import AmbiguousInputError, DataError, ReadError, SettingError, setting
from unisono.formats.contents import Contents, Format, ReadOptions
from unisono.formats.files import UNKNOWN, find_sources
from unisono.formats.jsonl import first_record, json_of, json_records, label_of, name_of, shown
from unisono.formats.label_studio import (
    annotations_of,
    annotator_of,
    looks_like_label_studio,
    result_problems,
    task_name,
    task_problems,
)
from unisono.formats.rating_signals import RatedCells, warnings_of
from unisono.formats.roles import (
    RATING_ROLES,
    RATINGS,
    UNITS,
    ColumnRoles,
    layout_of,
    refers_to_path,
)
from unisono.formats.text_spans import looks_like_doccano, looks_like_prodigy, record_name
from unisono.model.codes import coded_items, coded_labels, coded_names
from unisono.model.columns import counted, listed
from unisono.model.interpretation import Interpretation, Origin, Remarks, absolute_paths
from unisono.model.labels import label_text
from unisono.model.rating_tables import collated, repeat_problem
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.jsonl import Record
    from unisono.formats.source import Source
    from unisono.model.codes import Coded
    from unisono.model.interpretation import Role
    from unisono.model.rating_tables import Duplicates
    from unisono.model.ratings import Ratings

    Reader: TypeAlias = "Callable[[Source, RatingRoles, Contents], Iterator[Rating]]"


# Keys of answers about a whole task.
_ANSWERS = ("choices", "rating", "number", "taxonomy", "selected", "datetime")


class Rating(NamedTuple):
    """The answer of an annotator about an item."""

    annotator: str
    item: Hashable
    answer: Any  # a JSON value; a list if several options can be chosen
    layer: str = ""  # the question, if there are several
    line: int | None = None


class RatingRoles(NamedTuple):
    """Names of the fields with annotator, item and label; empty if not set."""

    annotator: str = ""
    item: str = ""
    label: str = ""


def label_studio_ratings(
    source: Source, roles: RatingRoles, contents: Contents
) -> Iterator[Rating]:
    """Read answers about whole tasks, such as choices and numbers; regions are left out."""
    whole = json_of(source)
    tasks = whole if isinstance(whole, list) else [whole]
    _check_json_min(tasks, roles, source)
    for number, task in enumerate(tasks, start=1):
        if not isinstance(task, dict):
            problem = f"task {number} is not a JSON object; got {shown(task)}"
            raise ReadError(problem, path=source.path)
        item = task_name(task, roles.item, number, source.path, "item")
        if _is_json_min(task):
            yield _json_min_answer(task, item, roles, source)
            continue
        for problem in task_problems(task):
            contents.object(f"task {number}: {problem}")
        if task.get("predictions"):
            contents.left_out("predictions of models")
        for annotation in annotations_of(task):
            if not isinstance(annotation, dict):
                contents.object(f"task {number}: an annotation must be a JSON object")
            elif annotation.get("was_cancelled"):
                contents.left_out("cancelled annotations")
            else:
                for problem in result_problems(annotation):
                    contents.object(f"task {number}: {problem}")
                annotator = annotator_of(annotation, roles.annotator or "completed_by")
                yield from _task_answers(annotation, annotator or source.owner(), item, contents)


def _task_answers(
    annotation: Record, annotator: str, item: str, contents: Contents
) -> Iterator[Rating]:
    result = annotation.get("result")
    parts = [each for each in result if isinstance(each, dict)] if isinstance(result, list) else []
    for part in parts:
        value = part.get("value")
        if not isinstance(value, dict):
            contents.left_out("relations and other results without a value")
            continue
        if any(key in value for key in ("start", "startOffset", "x", "points", "ranges")):
            contents.left_out("regions, and answers about them")
            continue
        kind = name_of(part.get("type"))
        key = kind if kind in value else next((each for each in _ANSWERS if each in value), "")
        if key not in _ANSWERS:
            contents.left_out(f"answers of type {kind[:40]!r}")
            continue
        yield Rating(annotator, item, _plain(value[key]), name_of(part.get("from_name")))


def _check_json_min(tasks: Sequence[Any], roles: RatingRoles, source: Source) -> None:
    """Raise if the key of the answers in JSON-MIN is unknown; unanswered tasks lack it."""
    records = [each for each in tasks if isinstance(each, dict) and _is_json_min(each)]
    if records and not any(roles.label and roles.label in each for each in records):
        problem = (
            "the JSON-MIN export does not distinguish answers from data; "
            f"choose the label with {setting('label', ...)}; the keys are {listed(records[0])}"
        )
        raise AmbiguousInputError(problem, path=source.path)


def _is_json_min(task: Record) -> bool:
    return "annotation_id" in task and "annotations" not in task


def _json_min_answer(task: Record, item: str, roles: RatingRoles, source: Source) -> Rating:
    """Read a task in JSON-MIN, which does not distinguish answers from data."""
    value = task.get(roles.label)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        value = value[0]
    if isinstance(value, dict):
        value = next((value[key] for key in _ANSWERS if key in value), value)
    annotator = name_of(task.get(roles.annotator or "annotator")) or source.owner()
    return Rating(annotator, item, _plain(value))


def _plain(value: object) -> object:
    """Return an answer as a label or a list of labels; a taxonomy node is a path with slashes."""
    if isinstance(value, list) and any(isinstance(each, list) for each in value):
        nodes = (each if isinstance(each, list) else [each] for each in value)
        return ["/".join(map(str, node)) for node in nodes]
    return value


def prodigy_ratings(source: Source, roles: RatingRoles, contents: Contents) -> Iterator[Rating]:
    """Read chosen options, or whether a suggested label was accepted; ignored tasks are missing."""
    for line, record in json_records(source, contents):
        answer = record.get("answer", "accept")
        keys = [roles.annotator] if roles.annotator else ["_annotator_id", "_session_id"]
        annotator = next(filter(None, (name_of(record.get(key)) for key in keys)), None)
        annotator = annotator or source.owner()
        item = record_name(record, record.get("text"), roles.item, ("_input_hash",))
        if not item:
            problem = f"expected a record with a text or an _input_hash; got {shown(record)}"
            contents.object(problem, line)
        elif answer == "ignore":
            yield Rating(annotator, item, None, line=line)
        elif roles.label:
            yield Rating(annotator, item, record.get(roles.label), line=line)
        elif "accept" in record or "options" in record:
            if answer == "accept":
                yield Rating(annotator, item, record.get("accept"), line=line)
            else:
                contents.left_out("choices that were rejected as a whole", line)
        elif "label" in record and "spans" not in record:
            # Each suggested label is a question of its own: whether it is correct.
            yield Rating(annotator, item, answer, name_of(record["label"]), line)
        else:
            contents.left_out("tasks without options or a label", line)


def doccano_ratings(source: Source, roles: RatingRoles, contents: Contents) -> Iterator[Rating]:
    """Read labels of whole texts; the file is the annotator, the id the item."""
    for line, record in json_records(source, contents):
        text = record.get("text", record.get("data"))
        item = record_name(record, text, roles.item, ("id",))
        label = record.get(roles.label or "label", record.get("labels"))
        old = record.get("annotations")
        if not item:
            problem = f"expected a record with an id or a text; got {shown(record)}"
            contents.object(problem, line)
        elif isinstance(label, list) and any(isinstance(each, list | dict) for each in label):
            contents.left_out("texts with spans instead of a label", line)
        elif label is None and isinstance(old, list):
            yield from _old_doccano(old, item, source, contents, line)
        else:
            annotator = name_of(record.get(roles.annotator)) if roles.annotator else ""
            # The file does not distinguish a text without labels from one not yet annotated.
            yield Rating(annotator or source.owner(), item, label or None, line=line)


def _old_doccano(
    annotations: Sequence[Any], item: str, source: Source, contents: Contents, line: int
) -> Iterator[Rating]:
    """Read the labels of a text with their annotators, as exported by older versions."""
    chosen: dict[str, list[Any]] = {}
    for each in annotations:
        if not isinstance(each, dict) or "label" not in each or "start_offset" in each:
            contents.left_out("spans and other annotations that are not labels of a text", line)
            continue
        chosen.setdefault(name_of(each.get("user")) or source.owner(), []).append(each["label"])
    for user, labels in chosen.items():
        yield Rating(user, item, labels, line=line)


def as_labels(ratings: Sequence[Rating], path: Path) -> list[Hashable]:
    """Return the labels of ratings, `None` if missing.

    If a list in any rating has several options, all labels are sets, and an empty list is the
    empty set. Otherwise a list with one option is a single label, and an empty list is missing.
    """
    chosen = [each.answer for each in ratings if isinstance(each.answer, list)]
    are_sets = any(len(answer) > 1 for answer in chosen)
    labels: list[Hashable] = []
    for each in ratings:
        answer = each.answer
        if isinstance(answer, list) and not are_sets:
            answer = answer[0] if answer else None
        elif are_sets and not isinstance(answer, list) and answer is not None:
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
    roles: ColumnRoles,
    *,
    format_: str,
    layer: str | None,
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    separator: str | None,
    missing: frozenset[str],
) -> Ratings:
    """Read ratings from a JSON file, or from a folder with one file per annotator."""
    ratings: list[Rating] = []
    remarks = Remarks()
    fields = _fields(roles)
    unknown: list[Path] = []
    owner = roles.columns.get("annotator")
    sources = find_sources([path], format_, RATING_FORMATS, annotator=owner, unknown=unknown)
    for each in unknown:
        remarks.add(UNKNOWN, str(each))
    for source in sources:
        contents = Contents(source, ReadOptions(ColumnRoles(RATINGS)))
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
    annotator_codes = coded_names([each.annotator for each in ratings])
    item_codes = coded_items([each.item for each in ratings])
    coded = coded_labels(labels, separator)

    def repeated(first: int, second: int) -> DataError:
        lines = ratings[first].line, ratings[second].line
        if lines[0] is None or lines[1] is None:
            unit, numbers = "rating", (first + 1, second + 1)
        else:
            unit, numbers = "line", (lines[0], lines[1])
        problem = repeat_problem(annotator_codes, item_codes, coded, (first, second), unit, numbers)
        return ReadError(problem, path=path, line=lines[1])

    table = collated(annotator_codes, item_codes, coded, annotators, duplicates, repeated)
    if not len(table.times):
        problem = "no ratings found; expected one rating per line, or choices in a tool's export"
        raise ReadError(problem, path=path)
    interpretation = Interpretation(
        absolute_paths([path]),
        Counter(source.format for source in sources),
        {name: number for name, number in sorted(layers.items()) if name},
        left_out=remarks.listed(),
        warnings=tuple(warnings_of(_cells(annotator_codes, item_codes, coded))),
        origins=_origins(fields, (annotator_codes, item_codes, coded)),
    )
    return ratings_of(table, interpretation)


_MOST_EXAMPLES = 5


def _origins(fields: RatingRoles, coded: Sequence[Coded[Any]]) -> tuple[Origin, ...]:
    """Return where annotators, items and labels came from: keys of the caller, or usual ones."""
    roles: tuple[Role, ...] = ("annotator", "item", "label")
    found = []
    for role, name, (values, _) in zip(roles, fields, coded, strict=True):
        shown = [each for each in values if each is not None]
        examples = tuple(label_text(each) for each in shown[:_MOST_EXAMPLES])
        reason: Literal["asked", "format"] = "asked" if name else "format"
        found.append(Origin(role, "attribute", name, reason, len(shown), examples))
    return tuple(found)


def _cells(annotators: Coded[Any], items: Coded[Any], labels: Coded[Any]) -> RatedCells:
    names = [str(name) for name in annotators.values]
    return RatedCells(names, annotators.codes, *items, *labels)


def _fields(roles: ColumnRoles) -> RatingRoles:
    named: dict[str, str] = {}
    for role, column in roles.columns.items():
        if isinstance(column, int):
            msg = f"a key of a JSON object must be a name; got {setting(role, column)}"
            raise SettingError(msg)
        if not (role == "annotator" and refers_to_path(column)):
            named[role] = column
    if roles.wide or roles.header is not None:
        name = setting("wide", True) if roles.wide else setting("header")
        msg = f"{name} applies to tables, not to JSON; remove it"
        raise SettingError(msg)
    return RatingRoles(**named)


def _of_layer(
    ratings: Sequence[Rating], layers: Mapping[str, int], layer: str | None, path: Path
) -> list[Rating]:
    names = ", ".join(f"{name!r} ({counted(n, 'rating')})" for name, n in sorted(layers.items()))
    if layer is not None:
        if layer not in layers:
            problem = f"no ratings for {setting('layer', layer)}; the layers are {names or 'none'}"
            raise ReadError(problem, path=path)
        return [each for each in ratings if each.layer == layer]
    if len(layers) > 1:
        problem = f"answers to {len(layers)} questions: {names}. Choose one with {setting('layer')}"
        raise AmbiguousInputError(problem, path=path)
    return list(ratings)


def json_lines_ratings(source: Source, roles: RatingRoles, contents: Contents) -> Iterator[Rating]:
    """Read objects with keys for annotator, item and label: those set, or common names."""
    known: dict[tuple[str, ...], RatingRoles] = {}
    for line, record in json_records(source, contents):
        names = tuple(record)
        if names not in known:
            known[names] = _keys(record, roles, source)
        keys = known[names]
        annotator = name_of(record[keys.annotator]) if keys.annotator else source.owner()
        item = name_of(record[keys.item])
        for role, name in (("annotator", annotator), ("item", item)):
            if not name.strip():
                contents.object(
                    f"the {role} must be a text or a whole number; got {shown(record)}", line
                )
        yield Rating(annotator, item, record[keys.label], line=line)


def _keys(record: Record, roles: RatingRoles, source: Source) -> RatingRoles:
    names = list(record)
    is_named = roles.annotator or RATINGS.matches("annotator", names)
    by_path = source.annotator is not None and not is_named
    if by_path:
        # The annotator follows from the path: only item and label have keys.
        names.append("annotator")
    columns = {role: getattr(roles, role) for role in RATING_ROLES if getattr(roles, role)}
    named = ColumnRoles(RATINGS, columns, header=True, wide=False)
    places = layout_of(names, named, path=source.path, line=None).places
    keys = RatingRoles(*(names[places[role]] for role in RATING_ROLES))
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
            "JSON Lines, one rating per line",
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
"""Formats of ratings in JSON by name; `FORMATS` are those of units."""
_READERS: Mapping[str, Reader] = {
    "labelstudio": label_studio_ratings,
    "prodigy": prodigy_ratings,
    "jsonl": json_lines_ratings,
    "doccano": doccano_ratings,
}
