"""Ratings in JSON: one rating a line, or what an annotation tool exports."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from unisono.errors import AmbiguousInputError, DataError, ReadError, SettingError, setting
from unisono.formats.contents import Contents, ReadOptions, Remarks
from unisono.formats.files import UNKNOWN, located
from unisono.formats.gathering import remark_lines
from unisono.formats.headings import Asked as AskedColumns
from unisono.formats.json_reading import first_record, json_records, name_of, shown
from unisono.formats.kinds import Format
from unisono.formats.label_studio import looks_like_label_studio
from unisono.formats.path_roles import is_about_paths
from unisono.formats.rating_exports import (
    Asked,
    Rating,
    as_labels,
    doccano_ratings,
    label_studio_ratings,
    prodigy_ratings,
)
from unisono.formats.roles import ROLES, RatingsAsked, alike, named_places
from unisono.formats.text_spans import looks_like_doccano, looks_like_prodigy
from unisono.model.codes import coded_annotators, coded_items, coded_labels
from unisono.model.collating import collated, repeat_problem
from unisono.model.naming import counted
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.json_reading import Record
    from unisono.formats.sources import Source
    from unisono.model.collating import Duplicates
    from unisono.model.ratings import Ratings

    Reader: TypeAlias = Callable[[Source, Asked, Contents], Iterator[Rating]]


SUFFIXES = (".jsonl", ".ndjson", ".json")


def record_ratings(
    path: Path,
    asked: RatingsAsked,
    *,
    format_: str,
    layer: str | None,
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    separator: str | None,
    missing: frozenset[str],
) -> Ratings:
    """Read ratings from a file of JSON, or from a folder with one for each annotator.

    Raises
    ------
    ReadError
        There is no rating, or answers to several questions and no `layer` that chooses.
    """
    ratings: list[Rating] = []
    remarks = Remarks()
    fields = _fields(asked)
    unknown: list[Path] = []
    sources = located([path], format_, FORMATS, annotator=asked.annotator, unknown=unknown)
    for each in unknown:
        remarks.add(UNKNOWN, str(each))
    for source in sources:
        contents = Contents(source, ReadOptions(AskedColumns({})))
        ratings += _READERS[source.format](source, fields, contents)
        remarks.update(contents.others)
    ratings = _of_layer(ratings, layer, path)
    for line in remark_lines(remarks):
        warnings.warn(f"left out: {line}", stacklevel=3)
    labels = [
        None if isinstance(label, str) and label.strip() in missing else label
        for label in as_labels(ratings, path)
    ]
    people = coded_annotators([each.annotator for each in ratings])
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
    return ratings_of(table)


def _fields(asked: RatingsAsked) -> Asked:
    named: dict[str, str] = {}
    for role in ROLES:
        column = getattr(asked, role)
        if isinstance(column, int):
            msg = f"objects of JSON have names, no numbers; got {setting(role, column)}"
            raise SettingError(msg)
        if column is not None and not (role == "annotator" and is_about_paths(column)):
            named[role] = column
    if asked.wide or asked.header is not None:
        given = setting("wide", True) if asked.wide else setting("header")
        msg = f"JSON has one rating an object and no header; leave {given} out"
        raise SettingError(msg)
    return Asked(**named)


def _of_layer(ratings: Sequence[Rating], layer: str | None, path: Path) -> list[Rating]:
    layers = Counter(each.layer for each in ratings)
    told = ", ".join(f"{name!r} ({counted(n, 'rating')})" for name, n in sorted(layers.items()))
    if layer is not None:
        if layer not in layers:
            problem = f"nobody answered {setting('layer', layer)}; there are {told or 'none'}"
            raise ReadError(problem, path=path)
        return [each for each in ratings if each.layer == layer]
    if len(layers) > 1:
        problem = f"answers to {len(layers)} questions: {told}. Say which with {setting('layer')}"
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
    by_path = source.annotator is not None and not (asked.annotator or alike("annotator", names))
    if by_path:
        # The file is the annotator: only the other two have keys.
        names.append("annotator")
    columns = {role: getattr(asked, role) or None for role in ROLES}
    places = named_places(names, RatingsAsked(**columns, wide=False, header=True), path=source.path)
    keys = Asked(*(names[places[role]] for role in ROLES))
    return keys._replace(annotator="") if by_path else keys


def _looks_like_ratings(head: bytes) -> bool:
    record = first_record(head)
    if record is None:
        return False
    names = list(record)
    return all(alike(role, names) for role in ("item", "label")) and not alike("start", names)


FORMATS: Mapping[str, Format] = {
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
