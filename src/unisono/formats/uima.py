"""UIMA CAS as XMI or JSON, with the layers of INCEpTION and WebAnno in mind.

Annotations have a type, which is the layer, and features, of which one is the label. The type
system is not needed: what has a begin and an end in a text is a unit. Offsets count UTF-16 code
units.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import ReadError
from unisono.formats.characters import content_of
from unisono.formats.contents import Contents
from unisono.formats.features import check_used, label_features, used_features
from unisono.formats.json_reading import json_of, shown
from unisono.formats.offsets import converted, from_utf16
from unisono.formats.own_words import check_words
from unisono.formats.safe_xml import tree_of
from unisono.formats.uima_types import json_features, xml_features

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unisono.formats.contents import ReadOptions
    from unisono.formats.safe_xml import Element
    from unisono.formats.sources import Source


# What tools write about the text itself; read only if layer= names it.
_LAYOUT = frozenset(
    {
        *("DocumentAnnotation", "DocumentMetaData", "Token", "Sentence", "Paragraph", "Heading"),
        *(
            "Div",
            "Lemma",
            "Stem",
            "TagsetDescription",
            "TagDescription",
            "LayerFlags",
            "CASMetadata",
        ),
    }
)
_VIEW = "_InitialView"
# A relation says where it comes from and where it goes to.
_RELATION = frozenset({"Governor", "Dependent"})
# What links of a chain say of one another; no label.
_POINTERS = frozenset({"next", "first"})
_PLACE = re.compile(r"[0-9]{1,15}")
_BAD_PLACE = "the begin and the end of an annotation are whole numbers of characters, from 0"
_OWN = frozenset({"begin", "end", "sofa"})


class Annotation(NamedTuple):
    """What stands in a text: its layer, place and features; `line` only where there are lines."""

    layer: str
    start: int
    end: int
    features: dict[str, Any]
    line: int | None
    text: str  # the number of the text it is in
    number: str  # its own


@dataclass(slots=True)
class Cas:
    """The texts of a file by number, their names, and the annotations in them."""

    texts: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    annotations: list[Annotation] = field(default_factory=list)
    declared: dict[str, list[str]] = field(default_factory=dict)  # the features of types
    indexed: set[str] = field(default_factory=set)  # numbers of what views have; empty: not told
    problems: list[tuple[str, int | None]] = field(default_factory=list)  # what is no annotation
    nowhere: list[tuple[str, int | None]] = field(default_factory=list)  # layers without a place


def read_uima(source: Source, options: ReadOptions) -> Contents:
    """Read a CAS: a type is a layer, one of its features the label.

    Which features there are is known from ``TypeSystem.xml`` beside an XMI file, and from the
    types in a JSON file.
    """
    beside = source.path.with_name("TypeSystem.xml")
    types = content_of(beside) if source.member is None and beside.is_file() else None
    return read_cas(source, options, types)


def read_cas(source: Source, options: ReadOptions, types: bytes | None) -> Contents:
    """Read a CAS whose type system, if it is XMI, is known or is not."""
    check_words(options)
    contents = Contents(source, options)
    whose = source.owner()
    contents.seen(source.document, whose)
    content = source.content()
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        cas = json_cas(source)
    else:
        cas = xmi_cas(tree_of(content, source.path, "xmi:XMI", "XMI"))
        if types is not None:
            cas.declared = xml_features(types, source.path.with_name("TypeSystem.xml"))
    main = _main_text(cas)
    if main is None:
        problem = "no text in it: there is no Sofa with a sofaString"
        raise ReadError(problem, path=source.path)
    contents.text(source.document, cas.texts[main])
    table = from_utf16(cas.texts[main])
    units = list(_units(cas, main, options, contents))
    labels = _labels(cas, units, options, contents)
    for unit in units:
        feature = labels[unit.layer]
        label = "" if feature is None else unit.features.pop(feature, "")
        contents.add(
            source.document,
            whose,
            converted(unit.start, table),
            converted(unit.end, table),
            frozenset(label) if isinstance(label, list) else label,
            line=unit.line,
            layer=unit.layer,
            attributes=unit.features,
        )
    return contents


def _labels(
    cas: Cas, units: Sequence[Annotation], options: ReadOptions, contents: Contents
) -> dict[str, str | None]:
    used: dict[str, dict[str, None]] = {}
    for unit in units:
        names = (name for name in unit.features if name not in _POINTERS)
        used.setdefault(unit.layer, {}).update(dict.fromkeys(names))
    if used.keys() <= cas.declared.keys():
        declared = {layer: cas.declared[layer] for layer in used}
        return label_features(declared, options, contents.source.path)
    check_used(used, options, contents)
    listed_features = {layer: list(names) for layer, names in used.items()}
    return used_features(listed_features, options, contents.source.path)


def _main_text(cas: Cas) -> str | None:
    """Choose the text of the usual view, or the first one."""
    usual = [number for number, name in cas.names.items() if name == _VIEW and number in cas.texts]
    return next(iter([*usual, *cas.texts]), None)


def _units(cas: Cas, main: str, options: ReadOptions, contents: Contents) -> Iterator[Annotation]:
    for problem, line in cas.problems:
        contents.object(problem, line)
    for layer, line in cas.nowhere:
        contents.left_out(f"{layer} annotations without a place in the text", line)
    for each in cas.annotations:
        if each.layer in _LAYOUT and (options.layer is None or each.layer not in options.layer):
            contents.left_out(f"{each.layer} annotations", each.line)
        elif each.features.keys() >= _RELATION:
            contents.left_out(f"{each.layer} relations", each.line)
        elif each.text and each.text not in cas.names:
            text = each.text[:40]
            problem = f"a {each.layer} annotation is in the text {text!r}, which is not there"
            contents.object(problem, each.line)
        elif each.text not in {main, ""}:
            contents.left_out("annotations of another view", each.line)
        elif cas.indexed and each.number and each.number not in cas.indexed:
            # Something refers to it still, so it was written; tools do not show it.
            contents.left_out("annotations that were deleted, being in no view", each.line)
        else:
            yield each


def xmi_cas(tree: Element) -> Cas:
    """Take the tree of an XMI file apart."""
    cas = Cas()
    arrays: dict[str, list[str]] = {}
    for element in tree.children:
        layer = element.name.rpartition(":")[2]
        told = element.attributes
        if layer == "Sofa":
            number = told.get("xmi:id", "")
            cas.names[number] = told.get("sofaID", "")
            if "sofaString" in told:
                cas.texts[number] = told["sofaString"]
        elif layer == "View":
            cas.indexed.update(told.get("members", "").split())
        elif layer == "StringArray" and told.get("xmi:id"):
            arrays[told["xmi:id"]] = [each.text for each in element.children if each.text]
        elif _is_annotation(told, "sofa"):
            places = told.get("begin", ""), told.get("end", "")
            if not all(map(_PLACE.fullmatch, places)):
                cas.problems.append((_bad_place(layer, told), element.line))
                continue
            features: dict[str, Any] = {
                name: value
                for name, value in told.items()
                if name not in _OWN and not name.startswith("xmi:")
            }
            # A feature with several values is written as children.
            for child in element.children:
                features.setdefault(child.name, [])
                if isinstance(features[child.name], list):
                    features[child.name].append(child.text)
            start, end = map(int, places)
            numbers = told.get("sofa", ""), told.get("xmi:id", "")
            cas.annotations.append(Annotation(layer, start, end, features, element.line, *numbers))
        elif "sofa" in told:
            cas.nowhere.append((layer, element.line))
    _put_arrays_in(cas.annotations, arrays)
    return cas


def _is_annotation(told: Mapping[str, Any], text: str) -> bool:
    """Tell an annotation, good or bad, by what it says of its place and of its text."""
    places = {"begin", "end"} & told.keys()
    return len(places) == 2 or (bool(places) and text in told)


def _bad_place(layer: str, told: Mapping[str, Any]) -> str:
    got = ", ".join(f"{name}={shown(told.get(name))}" for name in ("begin", "end"))
    return f"{_BAD_PLACE}; {layer[:40]} has {got}"


def _put_arrays_in(annotations: Sequence[Annotation], arrays: Mapping[str, list[str]]) -> None:
    """Put texts where a feature has the number of an array that others may refer to as well.

    A text may look like such a number, and types need not be there to tell; so a feature of a type
    refers to arrays if everything it has is the number of one.
    """
    is_number: dict[tuple[str, str], bool] = {}
    for each in annotations if arrays else ():
        for name, value in each.features.items():
            found = isinstance(value, str) and value in arrays
            is_number[each.layer, name] = found and is_number.get((each.layer, name), True)
    for each in annotations if arrays else ():
        for name, value in each.features.items():
            if is_number[each.layer, name]:
                each.features[name] = arrays[value]


def json_cas(source: Source) -> Cas:
    """Take the structures of a CAS in JSON apart.

    Raises
    ------
    ReadError
        It is no JSON, or no CAS.
    """
    whole = json_of(source)
    held = whole.get("%FEATURE_STRUCTURES") if isinstance(whole, dict) else None
    structures = list(held.values()) if isinstance(held, dict) else held
    if not isinstance(structures, list):
        problem = "no CAS in JSON: expected an object with %FEATURE_STRUCTURES"
        raise ReadError(problem, path=source.path)
    cas = Cas(declared=json_features(whole.get("%TYPES")))
    told = [each for each in structures if isinstance(each, dict)]
    for each in structures:
        if not isinstance(each, dict):
            cas.problems.append((f"a feature structure is an object; got {shown(each)}", None))
    # Arrays stand apart from the annotations whose features they are.
    arrays = {
        each["%ID"]: each["%ELEMENTS"]
        for each in told
        if type(each.get("%ID")) is int and isinstance(each.get("%ELEMENTS"), list)
    }
    for each in told:
        _add_structure(cas, each, arrays)
    views = whole.get("%VIEWS")
    for view in views.values() if isinstance(views, dict) else ():
        members = view.get("%MEMBERS") if isinstance(view, dict) else None
        cas.indexed.update(map(str, members if isinstance(members, list) else ()))
    return cas


def _add_structure(cas: Cas, told: dict[str, Any], arrays: Mapping[int, list[Any]]) -> None:
    layer = str(told.get("%TYPE", "")).rpartition(".")[2]
    start, end = told.get("begin"), told.get("end")
    if layer == "Sofa":
        number = str(told.get("%ID", ""))
        cas.names[number] = str(told.get("sofaID", ""))
        if isinstance(told.get("sofaString"), str):
            cas.texts[number] = told["sofaString"]
    elif not _is_annotation(told, "@sofa"):
        if "@sofa" in told:
            cas.nowhere.append((layer, None))
    elif type(start) is not int or type(end) is not int:
        cas.problems.append((_bad_place(layer, told), None))
    else:
        features = {
            name.lstrip("@#^"): _referred(value, arrays) if name.startswith("@") else value
            for name, value in told.items()
            if not name.startswith("%") and name.lstrip("@#^") not in _OWN and value is not None
        }
        features = {name: _plain(value) for name, value in features.items()}
        numbers = str(told.get("@sofa", "")), str(told.get("%ID", ""))
        cas.annotations.append(Annotation(layer, start, end, features, None, *numbers))


def _referred(value: Any, arrays: Mapping[int, list[Any]]) -> Any:  # noqa: ANN401 (JSON)
    return arrays.get(value, value) if type(value) is int else value


def _plain(value: Any) -> Any:  # noqa: ANN401 (JSON)
    """Give a value a label can be: a text, a number, or a list of texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return value
    if isinstance(value, list):
        return [str(each) for each in value if each != ""]
    return str(value)


def looks_like_xmi(head: bytes) -> bool:
    """Tell XMI by its outermost element."""
    return re.search(rb"<(\w+:)?XMI[\s>]", head) is not None


def looks_like_cas_json(head: bytes) -> bool:
    """Tell a CAS in JSON by its keys."""
    return b'"%TYPES"' in head or b'"%FEATURE_STRUCTURES"' in head or b'"%VIEWS"' in head
