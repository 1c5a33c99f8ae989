"""doccano and Prodigy: one text a line, with the spans that one annotator marked in it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from unisono.formats.brat import MISMATCH
from unisono.formats.contents import Contents
from unisono.formats.json_reading import (
    first_record,
    json_records,
    label_of,
    name_of,
    number_of,
    shown,
)

if TYPE_CHECKING:
    from unisono.formats.contents import ReadOptions
    from unisono.formats.json_reading import Record
    from unisono.formats.sources import Source


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
