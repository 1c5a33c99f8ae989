"""Annotations that quote the text they mark, and segeval's JSON."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import ReadError
from unisono.formats.characters import MISMATCH
from unisono.formats.contents import Contents
from unisono.formats.jsonl import (
    first_record,
    json_of,
    json_records,
    label_of,
    name_of,
    number_of,
    shown,
)

if TYPE_CHECKING:
    from unisono.formats.contents import ReadOptions, Source
    from unisono.formats.jsonl import Record


_EXPECTED = "document to coder to a list of segment lengths"
_LONGEST = 2**53


def looks_like_segeval(head: bytes) -> bool:
    """Tell segeval by its items, or by lists of lengths."""
    record = first_record(head)
    if record is None:
        return False
    return "segmentation_type" in record or "items" in record or _is_masses(record)


def read_segeval(source: Source, options: ReadOptions) -> Contents:
    """Read segments as units without labels, one after the other from 0."""
    contents = Contents(source, options)
    whole = json_of(source)
    items = whole.get("items", whole) if isinstance(whole, dict) else None
    if not isinstance(items, dict) or not items:
        problem = f"expected {_EXPECTED}; got {shown(whole)}"
        raise ReadError(problem, path=source.path)
    written = whole.get("boundary_format", "mass") if items is not whole else "mass"
    if written != "mass":
        problem = f"segments are told by their lengths, as masses; these are {shown(written)}"
        raise ReadError(problem, path=source.path)
    if _is_masses(items):
        items = {source.document: items}
    for document, coders in items.items():
        if not document.strip() or not isinstance(coders, dict) or not _is_masses(coders):
            problem = f"{document!r}: expected {_EXPECTED}; got {shown(coders)}"
            contents.object(problem)
            continue
        if len({sum(masses) for masses in coders.values()}) > 1:
            contents.note("documents whose coders do not have segments of the same length in all")
        for coder, masses in coders.items():
            contents.seen(document, coder) if coder.strip() else contents.object(
                "a coder has no name"
            )
            bounds = [0, *np.cumsum(np.array(masses, dtype=object)).tolist()]
            for start, end in pairwise(bounds):
                contents.add(document, coder, start, end)
    return contents


def _is_masses(coders: object) -> bool:
    return isinstance(coders, dict) and all(
        isinstance(masses, list)
        and all(type(mass) is int and 0 < mass < _LONGEST for mass in masses)
        for masses in coders.values() or [None]
    )


_DOCCANO_SPANS = ("label", "labels", "entities", "annotations")
_USER = "user"
_FARTHEST = 2**53
AGAIN = "texts that an annotator did more than once, all of them taken together"
_PRODIGY_MARKS = frozenset({"_input_hash", "_task_hash", "_session_id", "_annotator_id", "answer"})


def looks_like_doccano(head: bytes) -> bool:
    """Tell doccano by its text with a list of spans."""
    record = first_record(head)
    if record is None or not record.keys() & {"text", "data"}:
        return False
    return bool(record.keys() & set(_DOCCANO_SPANS)) and not record.keys() & _PRODIGY_MARKS


def looks_like_prodigy(head: bytes) -> bool:
    """Tell Prodigy by its hashes, sessions or answers."""
    record = first_record(head)
    return record is not None and bool(record.keys() & _PRODIGY_MARKS or "spans" in record)


def read_doccano(source: Source, options: ReadOptions) -> Contents:
    """Read sequence labelling of doccano; the file is the annotator, the id the document.

    In files of older versions the annotator is the ``user`` of a span.
    """
    contents = Contents(source, options, typed=True)
    annotator = source.owner()
    for line, record in json_records(source, contents):
        text = record.get("text", record.get("data"))
        # Where texts have labels of their own beside spans, one of the lists is empty.
        spans: Any = next((record[key] for key in _DOCCANO_SPANS if record.get(key)), [])
        document = record_name(record, text, options.document, ("id",))
        if not document or not isinstance(spans, list):
            _refuse(contents, record, line, "a text, and a list of spans as label or entities")
            continue
        # Older versions wrote who marked a span, but not who marked none.
        users = [name_of(each.get(_USER)) if isinstance(each, dict) else "" for each in spans]
        if not spans and record.get("annotations") is not None:
            contents.note("texts without spans, of which it is not told who saw them", line)
        elif not any(users):
            contents.seen(document, annotator)
        _about(contents, record, document, text, line)
        for span, user in zip(spans, users, strict=True):
            _add(contents, _doccano_span(span), span, document, user or annotator, options, line)
    return contents


def read_prodigy(source: Source, options: ReadOptions) -> Contents:
    """Read spans of Prodigy that were accepted; rejected and ignored tasks are left out.

    The annotator is ``_annotator_id``, else ``_session_id``, else the file; the document is
    ``_input_hash``, the same for everyone who saw the text.
    """
    contents = Contents(source, options, typed=True)
    for line, record in json_records(source, contents):
        answer = record.get("answer", "accept")
        if answer != "accept":
            contents.left_out(f"tasks that were not accepted ({name_of(answer)[:20]})", line)
            continue
        keys = (options.annotator,) if options.annotator else ("_annotator_id", "_session_id")
        annotator = next(filter(None, (name_of(record.get(str(key))) for key in keys)), None)
        annotator = annotator or source.owner()
        text, spans = record.get("text"), record.get("spans") or record.get("audio_spans")
        document = record_name(record, text, options.document, ("_input_hash",))
        spans = [] if spans is None else spans
        if not document or not isinstance(spans, list):
            _refuse(contents, record, line, "a text and a list of spans")
            continue
        if (document, annotator) in contents.seen_pairs:
            contents.note(AGAIN, line)
        contents.seen(document, annotator)
        _about(contents, record, document, text, line)
        for span in spans:
            _add(contents, _prodigy_span(span), span, document, annotator, options, line)
    return contents


def _about(contents: Contents, record: Record, document: str, text: object, line: int) -> None:
    """Take the text of a document, and count what is no unit."""
    if isinstance(text, str):
        contents.text(document, text)
    relations = record.get("relations")
    if isinstance(relations, list) and relations:
        contents.left_out("relations", line, number=len(relations))


def record_name(record: Record, text: object, asked: object, keys: tuple[str, ...]) -> str:
    """Name a text: by the field asked for, by one of some keys, or by what it says."""
    if asked:
        meta = record.get("meta")
        inner = meta.get(str(asked)) if isinstance(meta, dict) else None
        return name_of(record.get(str(asked), inner))
    for key in keys:
        if name := name_of(record.get(key)):
            return name
    if not isinstance(text, str):
        return ""
    # The same text has the same name in the file of every annotator.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _doccano_span(span: object) -> tuple[Any, Any, Any] | None:
    if isinstance(span, list) and len(span) == 3:
        return span[0], span[1], span[2]
    if isinstance(span, dict):
        start = span.get("start_offset", span.get("start"))
        return start, span.get("end_offset", span.get("end")), span.get("label")
    return None


def _prodigy_span(span: object) -> tuple[Any, Any, Any] | None:
    if not isinstance(span, dict):
        return None
    return span.get("start"), span.get("end"), span.get("label")


def _add(
    contents: Contents,
    found: tuple[Any, Any, Any] | None,
    span: object,
    document: str,
    annotator: str,
    options: ReadOptions,
    line: int,
) -> None:
    expected = "a span has start, end and label"
    if found is None or number_of(found[0]) is None or number_of(found[1]) is None:
        contents.object(f"{expected}; got {shown(span)}", line)
        return
    start, end, label = found
    text = contents.texts.get(document)
    if isinstance(span, dict):
        said = span.get("text") if abs(start) + abs(end) < _FARTHEST else None
        if text is not None and isinstance(said, str) and text[int(start) : int(end)] != said:
            contents.note(MISMATCH, line)
        if isinstance(options.label, str):
            label = span.get(options.label)
    try:
        called = None if options.label is False else label_of(label)
    except TypeError as error:
        contents.object(str(error), line)
        return
    contents.add(document, annotator, start, end, called, line=line)


def _refuse(contents: Contents, record: Record, line: int, expected: str) -> None:
    contents.object(f"a line has {expected}; got {shown(record)}", line)
