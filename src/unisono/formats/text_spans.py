"""Readers of doccano, Prodigy and segeval exports."""

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
    from unisono.formats.contents import ReadOptions
    from unisono.formats.jsonl import Record
    from unisono.formats.source import Source


_EXPECTED = "an object that maps documents to coders to lists of segment lengths"
_LONGEST = 2**53


def looks_like_segeval(head: bytes) -> bool:
    """Return whether a file has the keys of segeval, or lists of segment lengths."""
    record = first_record(head)
    if record is None:
        return False
    return "segmentation_type" in record or "items" in record or _is_masses(record)


def read_segeval(source: Source, options: ReadOptions) -> Contents:
    """Read segments as adjacent units without labels, the first starting at 0."""
    contents = Contents(source, options)
    whole = json_of(source)
    contents.from_place("document", "attribute", "document")
    contents.from_place("annotator", "attribute", "coder")
    items = whole.get("items", whole) if isinstance(whole, dict) else None
    if not isinstance(items, dict) or not items:
        problem = f"expected {_EXPECTED}; got {shown(whole)}"
        raise ReadError(problem, path=source.path)
    boundary_format = whole.get("boundary_format", "mass") if items is not whole else "mass"
    if boundary_format != "mass":
        problem = (
            f"unsupported boundary_format {shown(boundary_format)}; "
            "expected 'mass', the lengths of segments"
        )
        raise ReadError(problem, path=source.path)
    if _is_masses(items):
        items = {source.document: items}
    for document, coders in items.items():
        if not document.strip() or not isinstance(coders, dict) or not _is_masses(coders):
            problem = f"{document!r}: expected {_EXPECTED}; got {shown(coders)}"
            contents.object(problem)
            continue
        if len({sum(masses) for masses in coders.values()}) > 1:
            contents.note("documents whose coders have segments of different total length")
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
AGAIN = "texts annotated more than once by the same annotator, merged"
_PRODIGY_MARKS = frozenset({"_input_hash", "_task_hash", "_session_id", "_annotator_id", "answer"})


def looks_like_doccano(head: bytes) -> bool:
    """Return whether the first record has a text with a list of spans, as in doccano."""
    record = first_record(head)
    if record is None or not record.keys() & {"text", "data"}:
        return False
    return bool(record.keys() & set(_DOCCANO_SPANS)) and not record.keys() & _PRODIGY_MARKS


def looks_like_prodigy(head: bytes) -> bool:
    """Return whether the first record has a hash, a session, an answer or spans, as in Prodigy."""
    record = first_record(head)
    return record is not None and bool(record.keys() & _PRODIGY_MARKS or "spans" in record)


def read_doccano(source: Source, options: ReadOptions) -> Contents:
    """Read a doccano sequence labelling export; the file is the annotator, the id the document.

    In exports of older versions, the annotator is the ``user`` of a span.
    """
    contents = Contents(source, options, typed=True)
    annotator = source.owner()
    contents.key_from("document", options.document, "id")
    contents.label_from("label", options)
    for line, record in json_records(source, contents):
        text = record.get("text", record.get("data"))
        # If texts have labels besides spans, one of the lists is empty.
        spans: Any = next((record[key] for key in _DOCCANO_SPANS if record.get(key)), [])
        document = record_name(record, text, options.document, ("id",))
        if not document or not isinstance(spans, list):
            _report(contents, record, line, "a text, and a list of spans as label or entities")
            continue
        # Older versions name the annotator of each span, but not annotators without spans.
        users = [name_of(each.get(_USER)) if isinstance(each, dict) else "" for each in spans]
        if not spans and record.get("annotations") is not None:
            contents.note("texts without spans whose annotators are not recorded", line)
        elif not any(users):
            contents.seen(document, annotator)
        _add_text(contents, record, document, text, line)
        for span, user in zip(spans, users, strict=True):
            _add(contents, _doccano_span(span), span, document, user or annotator, options, line)
    return contents


def read_prodigy(source: Source, options: ReadOptions) -> Contents:
    """Read spans of accepted Prodigy tasks; rejected and ignored tasks are left out.

    The annotator is ``_annotator_id``, else ``_session_id``, else the file; the document is
    ``_input_hash``, which is the same for all annotators of a text.
    """
    contents = Contents(source, options, typed=True)
    contents.key_from("document", options.document, "_input_hash")
    contents.label_from("label", options)
    for line, record in json_records(source, contents):
        answer = record.get("answer", "accept")
        if answer != "accept":
            contents.left_out(f"tasks that were not accepted ({name_of(answer)[:20]})", line)
            continue
        keys = (options.annotator,) if options.annotator else ("_annotator_id", "_session_id")
        named = [(str(key), name_of(record.get(str(key)))) for key in keys]
        key, annotator = next((each for each in named if each[1]), ("", ""))
        if annotator:
            contents.key_from("annotator", options.annotator, key)
        annotator = annotator or source.owner()
        text, spans = record.get("text"), record.get("spans") or record.get("audio_spans")
        document = record_name(record, text, options.document, ("_input_hash",))
        spans = [] if spans is None else spans
        if not document or not isinstance(spans, list):
            _report(contents, record, line, "a text and a list of spans")
            continue
        if (document, annotator) in contents.seen_pairs:
            contents.note(AGAIN, line)
        contents.seen(document, annotator)
        _add_text(contents, record, document, text, line)
        for span in spans:
            _add(contents, _prodigy_span(span), span, document, annotator, options, line)
    return contents


def _add_text(contents: Contents, record: Record, document: str, text: object, line: int) -> None:
    """Add the text of a document, and count the relations that are left out."""
    if isinstance(text, str):
        contents.text(document, text)
    relations = record.get("relations")
    if isinstance(relations, list) and relations:
        contents.left_out("relations", line, number=len(relations))


def record_name(record: Record, text: object, field: object, keys: tuple[str, ...]) -> str:
    """Return the name of a text: a given field, the first of some keys, or a hash of the text."""
    if field:
        meta = record.get("meta")
        inner = meta.get(str(field)) if isinstance(meta, dict) else None
        return name_of(record.get(str(field), inner))
    for key in keys:
        if name := name_of(record.get(key)):
            return name
    if not isinstance(text, str):
        return ""
    # A hash, so that a text has the same name in the files of all annotators.
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
    expected = "expected a span with start, end and label"
    if found is None or number_of(found[0]) is None or number_of(found[1]) is None:
        contents.object(f"{expected}; got {shown(span)}", line)
        return
    start, end, label = found
    text = contents.texts.get(document)
    if isinstance(span, dict):
        quote = span.get("text") if abs(start) + abs(end) < _FARTHEST else None
        if text is not None and isinstance(quote, str) and text[int(start) : int(end)] != quote:
            contents.note(MISMATCH, line)
        if isinstance(options.label, str):
            label = span.get(options.label)
    try:
        label = None if options.label is False else label_of(label)
    except TypeError as error:
        contents.object(str(error), line)
        return
    contents.add(document, annotator, start, end, label, line=line)


def _report(contents: Contents, record: Record, line: int, expected: str) -> None:
    contents.object(f"expected a record with {expected}; got {shown(record)}", line)
