"""Glozz: units, relations and schemas in an .aa file, the text beside it in an .ac file."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from unisono.formats.contents import Contents
from unisono.formats.features import check_used
from unisono.formats.offsets import converted, from_utf16
from unisono.formats.own_words import check_words
from unisono.formats.safe_xml import parsed
from unisono.formats.typed_spans import named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.formats.contents import ReadOptions
    from unisono.formats.safe_xml import Element
    from unisono.formats.sources import Source


_WHOLE = re.compile(r"\s*[0-9]{1,15}\s*")
# The importer of texts writes its layout as units: paragraphs, and with other imports titles.
_PARAGRAPH = "paragraph"
_IMPORTER = "_IMPORTER"


def read_glozz(source: Source, options: ReadOptions) -> Contents:
    """Read an .aa file: the author is the annotator, the type the label.

    With ``label=`` the value of a feature is the label, and the type the layer. Paragraphs and
    what the importer wrote are left out, unless ``layer=`` names their type. Relations and
    schemas a unit is part of are in its attributes, beside its features.
    """
    check_words(options, annotator=None)
    tree = parsed(source, "annotations")
    contents = Contents(source, options)
    text = source.companion(".ac")
    table = None
    if text is not None:
        contents.text(source.document, text)
        table = from_utf16(text)
    for each in tree.everything():
        inner = next(each.named("unit"), None)
        if each is not tree and inner is not None:
            problem = f"a unit stands in <annotations>, not in <{each.name[:40]}>"
            contents.object(problem, inner.line)
    parts = _parts(tree)
    used: defaultdict[str, set[str]] = defaultdict(set)
    for unit in tree.named("unit"):
        author = _author(unit, source, options)
        kind, features = _character(unit)
        is_asked = options.layer is not None and kind in options.layer
        if is_layout(author, kind) and not is_asked:
            contents.left_out(f"{kind or 'nameless'} units of the layout", unit.line)
            continue
        bounds = [_position(unit, which) for which in ("start", "end")]
        if min(bounds) < 0:
            problem = "a unit has a start and an end, each a whole number of characters"
            contents.object(problem, unit.line)
            continue
        used[kind].update(features, {"type"})
        layer, label = named(kind, features, options)
        attributes: dict[str, Any] = dict(features)
        if label != kind and not layer:
            attributes["type"] = kind
        if (own := unit.attributes.get("id", "")) in parts:
            attributes |= {"id": own, **parts[own]}
        contents.add(
            source.document,
            author,
            converted(bounds[0], table),
            converted(bounds[1], table),
            label,
            line=unit.line,
            layer=layer,
            attributes=attributes,
        )
    check_used(used, options, contents)
    if source.annotator is not None:
        contents.seen(source.document, source.annotator)
    elif all(is_layout(_author(unit, source, options), "") for unit in tree.named("unit")):
        contents.note("a file without a unit of an annotator, so nobody is known to have seen it")
    return contents


def _author(unit: Element, source: Source, options: ReadOptions) -> str:
    if source.annotator is not None:
        return source.annotator
    asked = options.annotator if isinstance(options.annotator, str) else "author"
    found = unit.first("metadata", asked)
    return "" if found is None else found.text.strip()


def _character(element: Element) -> tuple[str, dict[str, str]]:
    """Give the type and the features of a unit, a relation or a schema."""
    kind = element.first("characterisation", "type")
    features = element.first("characterisation", "featureSet")
    return "" if kind is None else kind.text.strip(), {
        each.attributes.get("name", ""): each.text.strip()
        for each in ([] if features is None else features.named("feature"))
    }


def is_layout(author: str, kind: str) -> bool:
    """Tell whether a unit is a paragraph, or was written by an importer of texts."""
    return kind.lower() == _PARAGRAPH or author.endswith(_IMPORTER)


def _position(unit: Element, which: str) -> int:
    """Give a bound of a unit; −1 if it has none."""
    found = unit.first("positioning", which, "singlePosition")
    written = "" if found is None else found.attributes.get("index", "")
    return int(written) if _WHOLE.fullmatch(written) else -1


def _parts(tree: Element) -> Mapping[str, Mapping[str, list[dict[str, Any]]]]:
    """Tell of each unit which relations and schemas it is in."""
    parts: defaultdict[str, defaultdict[str, list[dict[str, Any]]]]
    parts = defaultdict(lambda: defaultdict(list))
    for whole in tree.named("relation", "schema"):
        kind, features = _character(whole)
        positioning = whole.first("positioning")
        members = [
            member.attributes["id"]
            for member in ([] if positioning is None else positioning.children)
            if "id" in member.attributes
        ]
        author = whole.first("metadata", "author")
        told: dict[str, Any] = {"id": whole.attributes.get("id", ""), "type": kind, **features}
        if author is not None:
            told["author"] = author.text.strip()
        for member in dict.fromkeys(members):
            parts[member][f"{whole.name}s"].append(told | {"members": members})
    return parts
