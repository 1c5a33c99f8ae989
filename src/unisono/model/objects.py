"""Annotations in memory: spaCy documents and pyannote annotations, recognised by duck typing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from unisono.model.codes import (
    as_name,
    coded_names,
)
from unisono.model.columns import UnitColumns

if TYPE_CHECKING:
    from unisono.model.arrays import Integers

__all__ = ["ObjectUnits", "object_units"]


class ObjectUnits(NamedTuple):
    """Units of annotation objects: the arguments of `corpus_of`."""

    documents: tuple[str, ...]
    document_codes: Integers
    units: UnitColumns
    annotators: dict[str, set[str]]
    extents: dict[str, tuple[float, float]]
    texts: dict[str, str]


def object_units(
    annotations: object, *, annotator: Literal["key", "layer"], layer: str | None
) -> ObjectUnits:
    """Return the units of annotation objects; `Corpus.from_objects` describes them."""
    rows: list[tuple[str, str, float, float, Any]] = []
    seen: dict[str, set[str]] = {}
    texts: dict[str, str] = {}
    by_layer = annotator == "layer"
    if not by_layer and not isinstance(annotations, Mapping):
        msg = (
            "Corpus.from_objects takes a mapping from annotator to annotations; "
            f"got {type(annotations).__name__}"
        )
        raise TypeError(msg)
    by_annotator: Mapping[Any, object] = {"": annotations} if by_layer else annotations  # type: ignore[assignment]
    for key, objects in by_annotator.items():
        for name, item in _named_objects(objects):
            text = getattr(item, "text", None)
            if isinstance(text, str):
                texts[name] = text
            annotators = [as_name(key, "an annotator")] if not by_layer else _groups(item)
            for each in annotators:
                seen.setdefault(name, set()).add(each)
                group = each if by_layer else layer
                rows += [(name, each, *unit) for unit in _units(item, group)]
    columns: list[list[Any]] = [list(column) for column in zip(*rows, strict=True)] or [[]] * 5
    _, annotator_column, starts, ends, labels = columns
    units = UnitColumns.checked(annotator_column, starts, ends, labels)
    names, codes = coded_names(columns[0], "document")
    extents = {name: (0.0, float(len(text))) for name, text in texts.items()}
    return ObjectUnits(tuple(names), codes, units, seen, extents, texts)


def _named_objects(objects: object) -> list[tuple[str, object]]:
    if isinstance(objects, Mapping):
        return [(as_name(name, "a document"), item) for name, item in objects.items()]
    if _is_known(objects):
        return [(_name_of(objects) or "document", objects)]
    if hasattr(objects, "get_docs"):
        msg = (
            "Corpus.from_objects does not take a DocBin; "
            "convert it with its vocabulary: list(doc_bin.get_docs(nlp.vocab))"
        )
        raise TypeError(msg)
    if isinstance(objects, Iterable) and not isinstance(objects, str | bytes):
        return [(_name_of(item) or str(at), item) for at, item in enumerate(objects, start=1)]
    return [("document", objects)]


def _name_of(item: object) -> str:
    uri = getattr(item, "uri", None)
    data = getattr(item, "user_data", None)
    if isinstance(data, Mapping) and isinstance(data.get("document"), str):
        return str(data["document"])
    return uri if isinstance(uri, str) else ""


def _is_known(item: object) -> bool:
    return hasattr(item, "itertracks") or (hasattr(item, "ents") and hasattr(item, "text"))


def _groups(item: Any) -> list[str]:  # noqa: ANN401 (duck typing)
    if not hasattr(item, "spans"):
        raise _unknown(item)
    return sorted(map(str, item.spans))


def _units(item: Any, group: str | None) -> list[tuple[float, float, Any]]:  # noqa: ANN401 (the same)
    if hasattr(item, "itertracks"):
        tracks = item.itertracks(yield_label=True)
        return [(part.start, part.end, label) for part, _, label in tracks]
    if not _is_known(item):
        raise _unknown(item)
    spans = item.ents if group is None else item.spans[group]
    return [(span.start_char, span.end_char, span.label_) for span in spans]


def _unknown(item: object) -> TypeError:
    return TypeError(
        "Corpus.from_objects takes spaCy Doc and pyannote Annotation objects; "
        f"got {type(item).__name__}"
    )
