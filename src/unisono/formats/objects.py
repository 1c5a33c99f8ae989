"""Annotations in memory: spaCy documents and pyannote annotations, known by their shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from unisono.model.columns import UnitColumns, as_name, coded_names
from unisono.model.corpus import corpus_of

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus

__all__ = ["from_objects"]


def from_objects(
    annotations: object, *, annotator: Literal["key", "layer"] = "key", layer: str | None = None
) -> Corpus:
    """Make a corpus of annotations that other programs hold in memory.

    Parameters
    ----------
    annotations
        Annotator to what was annotated: one object, several, or document to object. An object
        is a ``Doc`` of spaCy or an ``Annotation`` of pyannote. With ``annotator="layer"`` only
        the objects, because each of their groups of spans is an annotator.
    annotator
        What names the annotator: the ``"key"`` of the mapping, or the ``"layer"``.
    layer
        The group of spans (``doc.spans[layer]``) to take of a ``Doc``; by default its entities.

    Returns
    -------
    Corpus
        Everyone saw the documents they have an object for.

    Raises
    ------
    TypeError
        An object is of no known kind.
    DataError
        A name is missing, or a unit has impossible bounds.

    Notes
    -----
    Positions in a ``Doc`` are characters. A ``DocBin`` is opened first, with the vocabulary it
    needs: ``list(doc_bin.get_docs(nlp.vocab))``. Dataframes go to `Corpus.from_frame`.

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
            "from_objects takes a mapping, annotator to what was annotated; "
            f"got {type(annotations).__name__}"
        )
        raise TypeError(msg)
    by_annotator: Mapping[Any, object] = {"": annotations} if by_layer else annotations  # type: ignore[assignment]
    for who, given in by_annotator.items():
        for name, thing in _named(given):
            text = getattr(thing, "text", None)
            if isinstance(text, str):
                texts[name] = text
            people = [as_name(who, "an annotator")] if not by_layer else _groups(thing)
            for person in people:
                seen.setdefault(name, set()).add(person)
                group = person if by_layer else layer
                rows += [(name, person, *unit) for unit in _units(thing, group)]
    columns: list[list[Any]] = [list(column) for column in zip(*rows, strict=True)] or [[]] * 5
    _, people_column, starts, ends, labels = columns
    units = UnitColumns.checked(people_column, starts, ends, labels)
    names, codes = coded_names(columns[0], "a document")
    extents = {name: (0.0, float(len(text))) for name, text in texts.items()}
    return corpus_of(names, codes, units, annotators=seen, extents=extents, texts=texts)


def _named(given: object) -> list[tuple[str, object]]:
    if isinstance(given, Mapping):
        return [(as_name(name, "a document"), thing) for name, thing in given.items()]
    if _is_known(given):
        return [(_name_of(given) or "document", given)]
    if hasattr(given, "get_docs"):
        msg = "a DocBin is opened with its vocabulary first: list(doc_bin.get_docs(nlp.vocab))"
        raise TypeError(msg)
    if isinstance(given, Iterable) and not isinstance(given, str | bytes):
        return [(_name_of(thing) or str(at), thing) for at, thing in enumerate(given, start=1)]
    return [("document", given)]


def _name_of(thing: object) -> str:
    uri = getattr(thing, "uri", None)
    data = getattr(thing, "user_data", None)
    if isinstance(data, Mapping) and isinstance(data.get("document"), str):
        return str(data["document"])
    return uri if isinstance(uri, str) else ""


def _is_known(thing: object) -> bool:
    return hasattr(thing, "itertracks") or (hasattr(thing, "ents") and hasattr(thing, "text"))


def _groups(thing: Any) -> list[str]:  # noqa: ANN401 (known by its shape)
    if not hasattr(thing, "spans"):
        raise _unknown(thing)
    return sorted(map(str, thing.spans))


def _units(thing: Any, group: str | None) -> list[tuple[float, float, Any]]:  # noqa: ANN401 (the same)
    if hasattr(thing, "itertracks"):
        tracks = thing.itertracks(yield_label=True)
        return [(part.start, part.end, label) for part, _, label in tracks]
    if not _is_known(thing):
        raise _unknown(thing)
    spans = thing.ents if group is None else thing.spans[group]
    return [(span.start_char, span.end_char, span.label_) for span in spans]


def _unknown(thing: object) -> TypeError:
    return TypeError(
        "from_objects knows a Doc of spaCy and an Annotation of pyannote; "
        f"got {type(thing).__name__}"
    )
