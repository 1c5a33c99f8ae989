"""Annotations in memory: spaCy documents and pyannote annotations, recognised by duck typing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from unisono.model.codes import (
    as_name,
    coded_names,
)
from unisono.model.columns import UnitColumns
from unisono.model.corpus import corpus_of

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus

__all__ = ["from_objects"]


def from_objects(
    annotations: object, *, annotator: Literal["key", "layer"] = "key", layer: str | None = None
) -> Corpus:
    """Return a corpus of annotation objects of other libraries.

    Parameters
    ----------
    annotations
        Mapping from annotator to one object, an iterable of objects, or a mapping from document
        to object. An object is a spaCy ``Doc`` or a pyannote ``Annotation``. With
        ``annotator="layer"`` the objects only, because each of their span groups is an annotator.
    annotator
        Where the name of the annotator comes from: the ``"key"`` of the mapping, or the
        ``"layer"``.
    layer
        Span group (``doc.spans[layer]``) to read from a ``Doc``; by default its entities.

    Returns
    -------
    Corpus
        Each annotator saw the documents for which they have an object.

    Raises
    ------
    TypeError
        An object is neither a ``Doc`` nor an ``Annotation``.
    DataError
        A name is missing, or a unit has invalid bounds.

    Notes
    -----
    Positions in a ``Doc`` are character offsets. Convert a ``DocBin`` first, with its vocabulary:
    ``list(doc_bin.get_docs(nlp.vocab))``. For data frames, use `Corpus.from_frame`.

    Examples
    --------
    >>> import unisono as un
    >>> class Segment:
    ...     def __init__(self, start, end):
    ...         self.start, self.end = start, end
    >>> class Annotation:
    ...     uri = "talk"
    ...
    ...     def itertracks(self, yield_label):
    ...         yield Segment(0, 5), "A", "speech"
    >>> un.from_objects({"ann": Annotation(), "bob": Annotation()})["talk"]
    Continuum(2 annotators, 2 units, 1 label, 0–5)
    """
    rows: list[tuple[str, str, float, float, Any]] = []
    seen: dict[str, set[str]] = {}
    texts: dict[str, str] = {}
    by_layer = annotator == "layer"
    if not by_layer and not isinstance(annotations, Mapping):
        msg = (
            "from_objects takes a mapping from annotator to annotations; "
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
    return corpus_of(names, codes, units, annotators=seen, extents=extents, texts=texts)


def _named_objects(objects: object) -> list[tuple[str, object]]:
    if isinstance(objects, Mapping):
        return [(as_name(name, "a document"), item) for name, item in objects.items()]
    if _is_known(objects):
        return [(_name_of(objects) or "document", objects)]
    if hasattr(objects, "get_docs"):
        msg = (
            "from_objects does not take a DocBin; "
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
        f"from_objects takes spaCy Doc and pyannote Annotation objects; got {type(item).__name__}"
    )
