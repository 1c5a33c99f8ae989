"""Readers of UIMA CAS (XMI and JSON), WebAnno TSV 3 and INCEpTION projects."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import ReadError
from unisono.formats.characters import character_offset, content_of, from_utf16, lines_of
from unisono.formats.contents import Contents, check_roles
from unisono.formats.files import members
from unisono.formats.jsonl import json_of, shown
from unisono.formats.layers import (
    COREFERENCE,
    check_used,
    label_features,
    representatives,
    used_features,
)
from unisono.formats.safe_xml import tree_of
from unisono.formats.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unisono.formats.contents import ReadOptions
    from unisono.formats.safe_xml import Element


_VALUES = frozenset(
    {
        *("String", "StringArray", "StringList", "Boolean", "Byte", "Short", "Integer", "Long"),
        *("Float", "Double"),
    }
)


class _Type(NamedTuple):
    parent: str
    features: list[str]


def xml_features(content: bytes, path: Path) -> dict[str, list[str]]:
    """Return the features of each type of a TypeSystem.xml, by type name without its package."""
    tree = tree_of(content, path, "typeSystemDescription")
    types: dict[str, _Type] = {}
    for each in tree.everything():
        if each.name == "typeDescription":
            features = each.first("features")
            own = [] if features is None else features.named("featureDescription")
            types[_child_text(each, "name")] = _Type(
                _child_text(each, "supertypeName"),
                [
                    _child_text(one, "name")
                    for one in own
                    if _is_value(_child_text(one, "rangeTypeName"), types)
                ],
            )
    return _short(types)


def json_features(types: object) -> dict[str, list[str]]:
    """Return the features of each type in ``%TYPES``, by type name without its package."""
    found: dict[str, _Type] = {}
    for name, declaration in types.items() if isinstance(types, dict) else ():
        if isinstance(declaration, dict):
            own = [
                feature
                for feature, kind in declaration.items()
                if isinstance(kind, dict) and _is_value(_range(kind), found)
            ]
            found[name] = _Type(str(declaration.get("%SUPER_TYPE", "")), own)
    return _short(found)


def _range(kind: Mapping[str, Any]) -> str:
    return str(kind.get("%RANGE", "")).removesuffix("[]")


def _is_value(name: str, types: Mapping[str, _Type]) -> bool:
    """Return whether a range is a text, a number, an array of texts, or a subtype of these."""
    parent = types[name].parent if name in types else name
    return parent.rpartition(".")[2] in _VALUES and parent.startswith("uima.cas.")


def _child_text(element: Element, name: str) -> str:
    found = element.first(name)
    return "" if found is None else found.text.strip()


def _short(types: Mapping[str, _Type]) -> dict[str, list[str]]:
    return {
        name.rpartition(".")[2]: [
            feature for each in reversed(list(_lineage(name, types))) for feature in each.features
        ]
        for name in types
    }


def _lineage(name: str, types: Mapping[str, _Type]) -> Iterator[_Type]:
    """Yield a type and its ancestors, as far as they are declared."""
    visited: set[str] = set()
    while name in types and name not in visited:
        visited.add(name)
        yield types[name]
        name = types[name].parent


# Types that tools add to describe the text itself; read only if layer= names them.
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
# A type with these features is a relation.
_RELATION = frozenset({"Governor", "Dependent"})
# Features that link the members of a chain; they cannot be labels.
_POINTERS = frozenset({"next", "first"})
_OFFSET = re.compile(r"[0-9]{1,15}")
_INVALID_OFFSETS = "begin and end of an annotation must be whole numbers of characters, from 0"
_OWN = frozenset({"begin", "end", "sofa"})


class Annotation(NamedTuple):
    """An annotation of a text; `line` is known in XML only."""

    layer: str
    start: int
    end: int
    features: dict[str, Any]
    line: int | None
    text: str  # id of its text
    number: str  # its own id


@dataclass(slots=True)
class Cas:
    """Contents of a CAS; texts and their names by id."""

    texts: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    annotations: list[Annotation] = field(default_factory=list)
    declared: dict[str, list[str]] = field(default_factory=dict)  # features by type
    indexed: set[str] = field(default_factory=set)  # ids of members of views; empty: unknown
    problems: list[tuple[str, int | None]] = field(default_factory=list)  # invalid annotations
    without_offsets: list[tuple[str, int | None]] = field(default_factory=list)  # their layers
    layout: dict[str, tuple[int, int]] = field(default_factory=dict)  # number and first line


def read_uima(source: Source, options: ReadOptions) -> Contents:
    """Read a CAS: a type is a layer, one of its features the label.

    The features are declared in ``TypeSystem.xml`` in the folder of an XMI file, and in the
    ``%TYPES`` of a JSON file. With ``label="coreference"`` only links of chains are read, and the
    label is the chain.
    """
    beside = source.path.with_name("TypeSystem.xml")
    types = content_of(beside) if source.member is None and beside.is_file() else None
    return read_cas(source, options, types)


def read_cas(source: Source, options: ReadOptions, types: bytes | None) -> Contents:
    """Read a CAS; `types` is the type system of an XMI file, `None` if unknown."""
    check_roles(options)
    contents = Contents(source, options)
    annotator = source.owner()
    contents.seen(source.document, annotator)
    content = source.content()
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        cas = json_cas(source)
    else:
        cas = xmi_cas(tree_of(content, source.path, "xmi:XMI", "XMI"), _unused_layout(options))
        if types is not None:
            cas.declared = xml_features(types, source.path.with_name("TypeSystem.xml"))
    main = _main_text(cas)
    if main is None:
        problem = "the CAS has no text; expected a Sofa with a sofaString"
        raise ReadError(problem, path=source.path)
    contents.text(source.document, cas.texts[main])
    table = from_utf16(cas.texts[main])
    units = list(_units(cas, main, options, contents))
    if options.label == COREFERENCE:
        units = chain_links(units, contents)
        labels: dict[str, str | None] = dict.fromkeys((unit.layer for unit in units), COREFERENCE)
    else:
        labels = _labels(cas, units, options, contents)
    _record_labels(contents, labels, options)
    for unit in units:
        feature = labels[unit.layer]
        label = "" if feature is None else unit.features.pop(feature, "")
        contents.add(
            source.document,
            annotator,
            character_offset(unit.start, table),
            character_offset(unit.end, table),
            frozenset(label) if isinstance(label, list) else label,
            line=unit.line,
            layer=unit.layer,
            attributes=unit.features,
        )
    return contents


def chain_links(units: Sequence[Annotation], contents: Contents) -> list[Annotation]:
    """Return the links of chains, with the number of the first link of their chain as a feature.

    A link names the next one of its chain in ``next``. A layer whose annotations never do so is
    not one of chains, and a link that neither has a next one nor is the next of another is a chain
    of its own.
    """
    by_number = {unit.number: unit for unit in units if unit.number}
    linked = {unit.layer for unit in units if "next" in unit.features}
    linked |= {unit.layer for unit in units if unit.layer.endswith("Link")}
    links = [unit for unit in units if unit.layer in linked]
    following = [
        (unit.number, str(unit.features["next"])) for unit in links if "next" in unit.features
    ]
    for unit in links:
        after = unit.features.get("next")
        if after is not None and str(after) not in by_number:
            problem = f"the next link of a chain is {str(after)[:40]!r}, which is not in the file"
            contents.object(problem, unit.line)
    chain_of = representatives(by_number, following)
    for unit in units:
        if unit.layer not in linked:
            contents.left_out(f"{unit.layer} annotations, which are not links of chains", unit.line)
    # An annotation without a number cannot be linked.
    return [
        unit._replace(features={COREFERENCE: str(chain_of.get(unit.number, f"link {place}"))})
        for place, unit in enumerate(links)
    ]


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
    by_layer = {layer: list(names) for layer, names in used.items()}
    return used_features(by_layer, options, contents.source.path)


def _record_labels(
    contents: Contents, labels: Mapping[str, str | None], options: ReadOptions
) -> None:
    """Record the features that are the labels of the layers that are read."""
    contents.from_place("layer", "attribute", "type")
    names = {each for layer, each in labels.items() if each and options.wants_layer(layer)}
    contents.label_from(", ".join(sorted(names)), options)


def _main_text(cas: Cas) -> str | None:
    """Return the id of the text of the initial view, or else of the first text."""
    usual = [number for number, name in cas.names.items() if name == _VIEW and number in cas.texts]
    return next(iter([*usual, *cas.texts]), None)


def _units(cas: Cas, main: str, options: ReadOptions, contents: Contents) -> Iterator[Annotation]:
    for problem, line in cas.problems:
        contents.object(problem, line)
    for layer, line in cas.without_offsets:
        contents.left_out(f"{layer} annotations without offsets in the text", line)
    for layer, (number, line) in cas.layout.items():
        contents.left_out(f"{layer} annotations", line, number=number)
    unused = _unused_layout(options)
    for each in cas.annotations:
        if each.layer in unused:
            contents.left_out(f"{each.layer} annotations", each.line)
        elif each.features.keys() >= _RELATION:
            contents.left_out(f"{each.layer} relations", each.line)
        elif each.text and each.text not in cas.names:
            text = each.text[:40]
            problem = f"a {each.layer} annotation refers to the text {text!r}, which does not exist"
            contents.object(problem, each.line)
        elif each.text not in {main, ""}:
            contents.left_out("annotations of another view", each.line)
        elif cas.indexed and each.number and each.number not in cas.indexed:
            # It was exported because something still refers to it; tools do not show it.
            contents.left_out("deleted annotations, which are not in any view", each.line)
        else:
            yield each


def _unused_layout(options: ReadOptions) -> frozenset[str]:
    """Return the types that describe the text itself, without those that the caller selected."""
    chosen = options.layer
    return frozenset(name for name in _LAYOUT if chosen is None or name not in chosen)


def xmi_cas(tree: Element, unused: frozenset[str] = frozenset()) -> Cas:
    """Return the contents of an XMI file; annotations of the unused types are only counted."""
    cas = Cas()
    arrays: dict[str, list[str]] = {}
    for element in tree.children:
        layer = element.name.rpartition(":")[2]
        own = element.attributes
        if layer == "Sofa":
            number = own.get("xmi:id", "")
            cas.names[number] = own.get("sofaID", "")
            if "sofaString" in own:
                cas.texts[number] = own["sofaString"]
        elif layer == "View":
            cas.indexed.update(own.get("members", "").split())
        elif layer == "StringArray" and own.get("xmi:id"):
            arrays[own["xmi:id"]] = [each.text for each in element.children if each.text]
        elif _is_annotation(own, "sofa"):
            offsets = own.get("begin", ""), own.get("end", "")
            if not all(map(_OFFSET.fullmatch, offsets)):
                cas.problems.append((_offset_problem(layer, own), element.line))
                continue
            if layer in unused:
                count, line = cas.layout.get(layer, (0, element.line))
                cas.layout[layer] = count + 1, line
                continue
            features: dict[str, Any] = {
                name: value
                for name, value in own.items()
                if name not in _OWN and not name.startswith("xmi:")
            }
            # A feature with several values is written as children.
            for child in element.children:
                features.setdefault(child.name, [])
                if isinstance(features[child.name], list):
                    features[child.name].append(child.text)
            start, end = map(int, offsets)
            numbers = own.get("sofa", ""), own.get("xmi:id", "")
            cas.annotations.append(Annotation(layer, start, end, features, element.line, *numbers))
        elif "sofa" in own:
            cas.without_offsets.append((layer, element.line))
    _resolve_arrays(cas.annotations, arrays)
    return cas


def _is_annotation(structure: Mapping[str, Any], text: str) -> bool:
    """Return whether a structure is an annotation, valid or not; `text` is the key of its text."""
    bounds = {"begin", "end"} & structure.keys()
    return len(bounds) == 2 or (bool(bounds) and text in structure)


def _offset_problem(layer: str, structure: Mapping[str, Any]) -> str:
    got = ", ".join(f"{name}={shown(structure.get(name))}" for name in ("begin", "end"))
    return f"{_INVALID_OFFSETS}; {layer[:40]} has {got}"


def _resolve_arrays(annotations: Sequence[Annotation], arrays: Mapping[str, list[str]]) -> None:
    """Replace ids of arrays in features by the texts of the arrays.

    A text may look like an id, and the type system may be unknown; so a feature of a type is taken
    for a reference only if each of its values is the id of an array.
    """
    is_reference: dict[tuple[str, str], bool] = {}
    for each in annotations if arrays else ():
        for name, value in each.features.items():
            found = isinstance(value, str) and value in arrays
            is_reference[each.layer, name] = found and is_reference.get((each.layer, name), True)
    for each in annotations if arrays else ():
        for name, value in each.features.items():
            if is_reference[each.layer, name]:
                each.features[name] = arrays[value]


def json_cas(source: Source) -> Cas:
    """Return the contents of a CAS in JSON."""
    whole = json_of(source)
    found = whole.get("%FEATURE_STRUCTURES") if isinstance(whole, dict) else None
    structures = list(found.values()) if isinstance(found, dict) else found
    if not isinstance(structures, list):
        problem = "not a CAS in JSON: expected an object with %FEATURE_STRUCTURES"
        raise ReadError(problem, path=source.path)
    cas = Cas(declared=json_features(whole.get("%TYPES")))
    valid = [each for each in structures if isinstance(each, dict)]
    for each in structures:
        if not isinstance(each, dict):
            problem = f"a feature structure must be a JSON object; got {shown(each)}"
            cas.problems.append((problem, None))
    # Features refer to arrays, which are structures of their own.
    arrays = {
        each["%ID"]: each["%ELEMENTS"]
        for each in valid
        if type(each.get("%ID")) is int and isinstance(each.get("%ELEMENTS"), list)
    }
    for each in valid:
        _add_structure(cas, each, arrays)
    views = whole.get("%VIEWS")
    for view in views.values() if isinstance(views, dict) else ():
        members = view.get("%MEMBERS") if isinstance(view, dict) else None
        cas.indexed.update(map(str, members if isinstance(members, list) else ()))
    return cas


def _add_structure(cas: Cas, structure: dict[str, Any], arrays: Mapping[int, list[Any]]) -> None:
    layer = str(structure.get("%TYPE", "")).rpartition(".")[2]
    start, end = structure.get("begin"), structure.get("end")
    if layer == "Sofa":
        number = str(structure.get("%ID", ""))
        cas.names[number] = str(structure.get("sofaID", ""))
        if isinstance(structure.get("sofaString"), str):
            cas.texts[number] = structure["sofaString"]
    elif not _is_annotation(structure, "@sofa"):
        if "@sofa" in structure:
            cas.without_offsets.append((layer, None))
    elif type(start) is not int or type(end) is not int:
        cas.problems.append((_offset_problem(layer, structure), None))
    else:
        features = {
            name.lstrip("@#^"): _dereferenced(value, arrays) if name.startswith("@") else value
            for name, value in structure.items()
            if not name.startswith("%") and name.lstrip("@#^") not in _OWN and value is not None
        }
        features = {name: _label_value(value) for name, value in features.items()}
        numbers = str(structure.get("@sofa", "")), str(structure.get("%ID", ""))
        cas.annotations.append(Annotation(layer, start, end, features, None, *numbers))


def _dereferenced(value: Any, arrays: Mapping[int, list[Any]]) -> Any:  # noqa: ANN401 (JSON)
    return arrays.get(value, value) if type(value) is int else value


def _label_value(value: Any) -> Any:  # noqa: ANN401 (JSON)
    """Return a value that can be a label: a text, a number or a list of texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return value
    if isinstance(value, list):
        return [str(each) for each in value if each != ""]
    return str(value)


def looks_like_xmi(head: bytes) -> bool:
    """Return whether a file has the root element of XMI."""
    return re.search(rb"<(\w+:)?XMI[\s>]", head) is not None


def looks_like_cas_json(head: bytes) -> bool:
    """Return whether a file has the keys of a CAS in JSON."""
    return b'"%TYPES"' in head or b'"%FEATURE_STRUCTURES"' in head or b'"%VIEWS"' in head


_SIGN = "#FORMAT=WebAnno TSV 3"
_TOKEN = re.compile(
    r"[0-9]+-[0-9]+(?:\.[0-9]+)?\t(?P<start>[0-9]{1,15})-(?P<end>[0-9]{1,15})\t(?P<text>[^\t]*)"
)
_LAYER = re.compile(r"#T_(?P<kind>SP|CH|RL)=(?P<name>[^|]*)(?P<features>.*)")
_ENTRY = re.compile(r"(?:[^|\\]|\\.?)+", re.DOTALL)
_NUMBERED = re.compile(r"(?P<value>.*)(?<!\\)\[(?P<number>[0-9]{1,15})\]", re.DOTALL)
_LINK = re.compile(r"(?P<value>.*)->(?P<chain>[0-9]{1,15})-(?P<link>[0-9]{1,15})", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SLOT = re.compile(r"ROLE_[^:]*:.*_.*")
_TARGETS = " targets"
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b"}


class Layer(NamedTuple):
    """A layer: its kind (SP spans, CH chains, RL relations), its name and its columns."""

    kind: str
    name: str
    features: tuple[str, ...]
    column: int


@dataclass(slots=True)
class Span:
    """An annotation of one or more lines."""

    layer: Layer
    start: int
    end: int
    line: int
    values: dict[str, str] = field(default_factory=dict)


class Token(NamedTuple):
    """A token or a part of one, with the cells of its line."""

    line: int
    start: int
    end: int
    text: str
    cells: Sequence[str]


@dataclass(slots=True)
class Tokens:
    """Parsed lines of a file; sentences are stored with the index of their first token."""

    layers: list[Layer] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    sentences: list[tuple[str, int]] = field(default_factory=list)


def read_webanno(source: Source, options: ReadOptions) -> Contents:
    """Read WebAnno TSV 3: a layer of spans or chains is a layer, one of its features the label.

    With ``label="coreference"`` only links of chains are read, and the label is the chain.
    """
    check_roles(options)
    contents = Contents(source, options)
    annotator = source.owner()
    contents.seen(source.document, annotator)
    tokens = tokens_of(source.text("WebAnno TSV"), contents)
    astral = astral_places(tokens.tokens, tokens.sentences)
    text = _text_of_tokens(tokens, astral)
    if text is None:
        contents.note("sentences that do not match the offsets, so the text is unknown")
    else:
        contents.text(source.document, text)
        for token in tokens.tokens:
            start, end = _point(token.start, astral), _point(token.end, astral)
            if text[start:end] != token.text:
                contents.note("tokens that differ from the text at their offsets", token.line)
    layers = {
        layer.name: [each for each in layer.features if each and not each.endswith(_TARGETS)]
        for layer in tokens.layers
        if layer.kind != "RL"
    }
    of_chains = options.label == COREFERENCE
    labels = (
        {layer.name: "chain" if layer.kind == "CH" else None for layer in tokens.layers}
        if of_chains
        else label_features(layers, options, source.path)
    )
    _record_labels(contents, labels, options)
    for span in _spans(tokens, contents):
        label = labels[span.layer.name]
        if of_chains and span.layer.kind != "CH":
            contents.left_out(f"{span.layer.name} annotations, which are not links of chains")
            continue
        contents.add(
            source.document,
            annotator,
            _point(span.start, astral),
            _point(span.end, astral),
            "" if label is None else span.values.pop(label, ""),
            line=span.line,
            layer=span.layer.name,
            attributes=span.values,
        )
    return contents


def looks_like_webanno(head: bytes) -> bool:
    """Return whether a file has the first line of WebAnno TSV."""
    return head.removeprefix(b"\xef\xbb\xbf").startswith(b"#FORMAT=WebAnno")


def tokens_of(text: str, contents: Contents) -> Tokens:
    """Parse the lines of a file."""
    lines = lines_of(text)
    if not lines[0].startswith(_SIGN):
        problem = f"expected {_SIGN} in the first line, got {lines[0][:40]!r}"
        raise ReadError(problem, path=contents.source.path, line=1)
    found = Tokens()
    column = 3
    sentence: list[str] = []
    for number, line in enumerate(lines, start=1):
        if token := _TOKEN.match(line):
            bounds = int(token["start"]), int(token["end"])
            cells = line.removesuffix("\t").split("\t")
            if len(cells) != column:
                contents.object(f"expected {column} columns, got {len(cells)}", number)
                continue
            if sentence:
                found.sentences.append(("\n".join(sentence), len(found.tokens)))
                sentence = []
            found.tokens.append(Token(number, *bounds, _unescaped(token["text"]), cells))
        elif line.startswith("#Text="):
            sentence.append(_unescaped(line.removeprefix("#Text=")))
        elif layer := _LAYER.fullmatch(line):
            features = _features(layer["features"])
            name = layer["name"].rpartition(".")[2]
            found.layers.append(Layer(layer["kind"], name, features, column))
            column += len(features)
        elif line.strip() and not line.startswith("#"):
            contents.object(f"expected a line with a token, got {line[:60]!r}", number)
    return found


def astral_places(tokens: Sequence[Token], sentences: Sequence[tuple[str, int]] = ()) -> list[int]:
    """Return the offsets of characters that count as two, empty if offsets are characters."""
    places: list[int] = []
    as_two = as_one = 0
    for token in tokens:
        if not token.text.isascii() and max(token.text) > "\uffff":
            length = len(token.text)
            astral = [place for place, each in enumerate(token.text) if each > "\uffff"]
            as_one += token.end - token.start == length
            as_two += token.end - token.start == length + len(astral)
            places += [token.start + place + number for number, place in enumerate(astral)]
    if as_two < as_one:
        return []
    # Some characters are not part of a token.
    for sentence, first in sentences:
        if not sentence.isascii() and max(sentence) > "\uffff":
            astral = [place for place, each in enumerate(sentence) if each > "\uffff"]
            ahead = max(sentence.find(tokens[first].text), 0)
            start = tokens[first].start - ahead - bisect_left(astral, ahead)
            places += [start + place + number for number, place in enumerate(astral)]
    return sorted(set(places))


def _point(offset: int, astral: Sequence[int]) -> int:
    """Convert an offset in UTF-16 code units to one in characters."""
    return offset - bisect_left(astral, offset)


def _text_of_tokens(found: Tokens, astral: Sequence[int]) -> str | None:
    """Return the text, with line feeds between sentences; `None` if offsets are inconsistent."""
    pieces: list[str] = []
    length = 0
    for sentence, first in found.sentences:
        token = found.tokens[first]
        start = _point(token.start, astral) - max(sentence.find(token.text), 0)
        # A larger gap between sentences than a few characters indicates other offsets.
        if not 0 <= start - length <= 10_000:
            return None
        pieces += ["\n" * (start - length), sentence]
        length = start + len(sentence)
    return "".join(pieces)


def _spans(found: Tokens, contents: Contents) -> Iterator[Span]:
    spans: dict[tuple[int, str], Span] = {}
    for token in found.tokens:
        for layer in found.layers:
            cells = token.cells[layer.column : layer.column + len(layer.features)]
            if all(cell in {"_", ""} for cell in cells):
                continue
            if layer.kind == "RL":
                contents.left_out("relations", token.line)
                continue
            for place, entries in enumerate(
                zip_longest(*map(_ENTRY.findall, cells), fillvalue="_")
            ):
                values, own = _entry(layer, entries)
                key = (layer.column, own or f"{token.line}/{place}")
                if key in spans:
                    span = spans[key]
                    span.start, span.end = min(span.start, token.start), max(span.end, token.end)
                else:
                    spans[key] = Span(layer, token.start, token.end, token.line, values)
    return iter(spans.values())


def _entry(layer: Layer, entries: Sequence[str]) -> tuple[dict[str, str], str]:
    """Return the features of an annotation and its id, empty if it has none."""
    values: dict[str, str] = {}
    key = ""
    for feature, entry in zip(layer.features, entries, strict=True):
        value = entry
        # Ids in a column of targets belong to the targets.
        if not feature.endswith(_TARGETS) and (numbered := _NUMBERED.fullmatch(value)):
            value, key = numbered["value"], numbered["number"]
        if layer.kind == "CH" and (link := _LINK.fullmatch(value)):
            value, key = link["value"], f"{link['chain']}-{link['link']}"
            values["chain"] = link["chain"]
        if value not in {"_", "*", ""}:
            values[feature] = _unescaped(value)
    return values, key


def _features(written: str) -> tuple[str, ...]:
    """Return the names of the columns of a layer; a slot has columns of roles and of targets."""
    names: list[str] = []
    for feature in written.removeprefix("|").split("|"):
        if names and _SLOT.fullmatch(names[-1]):
            names[-1] = names[-1].partition(":")[2].partition("_")[0]
            names.append(names[-1] + _TARGETS)
        else:
            names.append(feature)
    return tuple(names)


def _unescaped(text: str) -> str:
    return (
        _ESCAPED.sub(lambda found: _LETTERS.get(found[1], found[1]), text) if "\\" in text else text
    )


_PROJECT = "exportedproject.json"
_FOLDER = "annotation"
_NAMES = (b"exportedproject", b"annotation/", b"annotation_ser/", b"curation/", b"source/")
_SUFFIXES = (".xmi", ".json", ".tsv")
# Users of INCEpTION that are not annotators.
_NOT_ANNOTATORS = {"INITIAL_CAS": "texts without annotations", "CURATION_USER": "curated documents"}
# Limit for all inner archives together; each archive also has its own limit.
_MOST_BYTES = 4 * 2**30
_UNTOUCHED = frozenset({"NEW", "IGNORE", "LOCKED"})


def read_inception(source: Source, options: ReadOptions) -> list[Contents]:
    """Read the annotations of each user in each document of a project.

    A user who opened a document is one of its annotators, with or without units.
    """
    check_roles(options)
    project = Contents(source, options)
    states: dict[tuple[str, str], str] = {}
    found: dict[tuple[str, str], Contents] = {}
    left = _MOST_BYTES
    for name, content in members(source.path, source.content()):
        place = PurePosixPath(name)
        if name == _PROJECT:
            states = _states(Source(source.path / name, "json", "", None, content))
        elif len(place.parts) >= 3 and place.parts[0] == _FOLDER:
            user, document = place.stem, place.parts[1]
            if user in _NOT_ANNOTATORS:
                project.left_out(_NOT_ANNOTATORS[user])
                continue
            file = _UserFile(source.path / name, content, left)
            left -= file.size
            read = file.read(document, options)
            if read is None:
                suffixes = ", ".join(_SUFFIXES)
                problem = f"{name!r} has no readable annotations; expected a file of {suffixes}"
                project.object(problem)
            elif (document, user) in found:
                project.object(f"{name!r} is a second file of the same user and document")
            else:
                found[document, user] = read
        elif place.parts[0] == "curation" and len(place.parts) >= 3:
            project.left_out(_NOT_ANNOTATORS["CURATION_USER"])
    if not found:
        problem = (
            "the project has no readable annotations of users; export it in the format "
            "UIMA CAS XMI, UIMA CAS JSON or WebAnno TSV v3"
        )
        raise ReadError(problem, path=source.path)
    _apply_states(project, states, found)
    return [project, *found.values()]


def _apply_states(
    project: Contents,
    states: dict[tuple[str, str], str],
    found: dict[tuple[str, str], Contents],
) -> None:
    """Remove documents that a user did not open, and add those without a file."""
    for pair in found.keys() & states.keys():
        if states[pair] in _UNTOUCHED:
            project.left_out("documents that a user did not open")
            del found[pair]
    for (document, user), state in states.items():
        if state not in _UNTOUCHED and user not in _NOT_ANNOTATORS:
            project.seen(document, user)
            if (document, user) not in found:
                project.note("documents that a user worked on without a file, read as empty")


def looks_like_inception(head: bytes) -> bool:
    """Return whether a file is a zip archive with the file names of a project."""
    return head.startswith(b"PK\x03\x04") and any(name in head for name in _NAMES)


class _UserFile:
    """The file of a user in a document, or an archive of the file and its type system."""

    def __init__(self, path: Path, content: bytes, left: int) -> None:
        self.path, self.user = path, path.stem
        self.content: bytes | None = content
        self.types: bytes | None = None
        self.size = 0
        if path.suffix.lower() == ".zip":
            self._unpack(content, left)

    def _unpack(self, content: bytes, left: int) -> None:
        archive = self.path
        self.content = None
        for name, inner in members(archive, content):
            self.size += len(inner)
            if self.size > left:
                problem = (
                    f"inner archives are larger than {_MOST_BYTES:,} bytes in total when "
                    "decompressed, which is not supported; export fewer documents at a time"
                )
                raise ReadError(problem, path=archive)
            if PurePosixPath(name).name.lower() == "typesystem.xml":
                self.types = inner
            elif PurePosixPath(name).suffix.lower() in _SUFFIXES:
                if self.content is not None:
                    problem = "expected one file of annotations in the archive, got several"
                    raise ReadError(problem, path=archive)
                self.content, self.path = inner, archive / name

    def read(self, document: str, options: ReadOptions) -> Contents | None:
        suffix = self.path.suffix.lower()
        if self.content is None or suffix not in _SUFFIXES:
            return None
        source = Source(self.path, "uima", document, self.user, self.content)
        if suffix == ".tsv":
            return read_webanno(source, options)
        return read_cas(source, options, self.types)


def _states(source: Source) -> dict[tuple[str, str], str]:
    """Return the annotation state of each document and user, as recorded in the project."""
    project = json_of(source)
    records = project.get("annotation_documents") if isinstance(project, dict) else None
    states: dict[tuple[str, str], str] = {}
    for each in records if isinstance(records, list) else ():
        if isinstance(each, dict):
            values = each.get("name"), each.get("user"), each.get("state")
            if all(isinstance(value, str) and value for value in values):
                document, user, state = map(str, values)
                states[document, user] = state
    return states
