"""GATE XML documents: a text with nodes, and sets of annotations between the nodes."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from unisono.formats.contents import Contents, check_roles
from unisono.formats.layers import check_used, layer_and_label
from unisono.formats.safe_xml import xml_of

if TYPE_CHECKING:
    from unisono.formats.contents import ReadOptions
    from unisono.formats.safe_xml import Element
    from unisono.formats.source import Source


# Name of the annotation set with the markup of an imported web page.
_IMPORTED = "Original markups"


def read_gate(source: Source, options: ReadOptions) -> Contents:
    """Read a GATE document: a set of annotations is an annotator, the type the label.

    With ``label=`` the value of a feature is the label, and the type the layer. The markup of an
    imported page is left out. The set without a name belongs to the annotator derived from the
    path; without one, it is left out if there are other sets.
    """
    check_roles(options)
    tree = xml_of(source, "GateDocument")
    contents = Contents(source, options)
    text, places = _text(tree, contents)
    contents.text(source.document, text)
    contents.label_from("type", options)
    if source.annotator is None:
        contents.from_place("annotator", "attribute", "annotation set")
    sets = [each for each in tree.named("AnnotationSet") if _name(each) != _IMPORTED]
    for imported in tree.named("AnnotationSet"):
        if _name(imported) == _IMPORTED:
            number = len(imported.children)
            contents.left_out("annotations of the imported markup", imported.line, number=number)
    used: defaultdict[str, set[str]] = defaultdict(set)
    for each in sets:
        annotator = _name(each) if source.annotator is None else source.annotator
        if not annotator:
            if len(sets) > 1:
                number = len(each.children)
                if number:
                    phrase = "annotations of the set without a name"
                    contents.left_out(phrase, each.line, number=number)
                continue
            annotator = source.owner()
        contents.seen(source.document, annotator)
        for annotation in each.children:
            if annotation.name == "Annotation":
                _add(annotation, annotator, places, contents, options, used)
            else:
                problem = f"expected <Annotation> in a set; got <{annotation.name[:40]}>"
                contents.object(problem, annotation.line)
    check_used(used, options, contents)
    return contents


def looks_like_gate(head: bytes) -> bool:
    """Return whether a file has the root element of GATE XML."""
    return re.search(rb"<GateDocument[\s>]", head) is not None


def _name(annotations: Element) -> str:
    return annotations.attributes.get("Name", "").strip()


def _text(tree: Element, contents: Contents) -> tuple[str, dict[str, int]]:
    """Return the text, and the character offset of each node."""
    whole = tree.first("TextWithNodes")
    if whole is None:
        return "", {}
    pieces = [whole.text]
    length = len(whole.text)
    places: dict[str, int] = {}
    for node in whole.named("Node"):
        name = node.attributes.get("id", "")
        if not name or name in places:
            contents.object(
                f"the id of a node must be unique and not empty; got {name[:40]!r}", node.line
            )
        places.setdefault(name, length)
        pieces.append(node.tail)
        length += len(node.tail)
    return "".join(pieces), places


def _add(
    annotation: Element,
    annotator: str,
    places: dict[str, int],
    contents: Contents,
    options: ReadOptions,
    used: defaultdict[str, set[str]],
) -> None:
    nodes = [annotation.attributes.get(each, "") for each in ("StartNode", "EndNode")]
    missing = [node for node in nodes if node not in places]
    if missing:
        contents.object(f"the text has no node {missing[0][:40]!r}", annotation.line)
        return
    kind = annotation.attributes.get("Type", "")
    features = {}
    for feature in annotation.named("Feature"):
        name, value = feature.first("Name"), feature.first("Value")
        if name is not None and value is not None:
            features[name.text.strip()] = value.text.strip()
    used[kind].update(features, {"type"})
    layer, label = layer_and_label(kind, features, options)
    attributes = features if layer or label == kind else features | {"type": kind}
    contents.add(
        contents.source.document,
        annotator,
        places[nodes[0]],
        places[nodes[1]],
        label,
        line=annotation.line,
        layer=layer,
        attributes=attributes,
    )
