"""UIMA CAS in XML, the exports of INCEpTION, and WebAnno TSV."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import ReadError
from unisono.formats.characters import character_offset, content_of, from_utf16, lines_of
from unisono.formats.contents import Contents, Source, check_words
from unisono.formats.files import members
from unisono.formats.jsonl import json_of, shown
from unisono.formats.layers import check_used, label_features, used_features
from unisono.formats.safe_xml import tree_of

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
    """Read a TypeSystem.xml: type, without its package, to features."""
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
    """Read the ``%TYPES`` of a CAS in JSON: type, without its package, to features."""
    found: dict[str, _Type] = {}
    for name, told in types.items() if isinstance(types, dict) else ():
        if isinstance(told, dict):
            own = [
                feature
                for feature, kind in told.items()
                if isinstance(kind, dict) and _is_value(_range(kind), found)
            ]
            found[name] = _Type(str(told.get("%SUPER_TYPE", "")), own)
    return _short(found)


def _range(kind: Mapping[str, Any]) -> str:
    return str(kind.get("%RANGE", "")).removesuffix("[]")


def _is_value(name: str, types: Mapping[str, _Type]) -> bool:
    """Tell whether a range is a text or number, or a type of texts that is made from them."""
    parent = types[name].parent if name in types else name
    return parent.rpartition(".")[2] in _VALUES and parent.startswith("uima.cas.")


def _child_text(element: Element, name: str) -> str:
    found = element.first(name)
    return "" if found is None else found.text.strip()


def _short(types: Mapping[str, _Type]) -> dict[str, list[str]]:
    return {
        name.rpartition(".")[2]: [
            feature for each in reversed(list(_line(name, types))) for feature in each.features
        ]
        for name in types
    }


def _line(name: str, types: Mapping[str, _Type]) -> Iterator[_Type]:
    """Give a type and those it inherits from, as far as they are described."""
    passed: set[str] = set()
    while name in types and name not in passed:
        passed.add(name)
        yield types[name]
        name = types[name].parent


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
            character_offset(unit.start, table),
            character_offset(unit.end, table),
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
    """Take the structures of a CAS in JSON apart."""
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
    """A layer: what it is (SP spans, CH chains, RL relations), its name and its columns."""

    kind: str
    name: str
    features: tuple[str, ...]
    column: int


@dataclass(slots=True)
class Span:
    """An annotation, over one or more lines."""

    layer: Layer
    start: int
    end: int
    line: int
    values: dict[str, str] = field(default_factory=dict)


class Token(NamedTuple):
    """A token or a part of one, and the cells of its line."""

    line: int
    start: int
    end: int
    text: str
    cells: Sequence[str]


@dataclass(slots=True)
class Tokens:
    """The lines of a file: its layers, its tokens, and its sentences with their first token."""

    layers: list[Layer] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    sentences: list[tuple[str, int]] = field(default_factory=list)


def read_webanno(source: Source, options: ReadOptions) -> Contents:
    """Read WebAnno TSV 3: a layer of spans or chains is a layer, one of its features the label."""
    check_words(options)
    contents = Contents(source, options)
    whose = source.owner()
    contents.seen(source.document, whose)
    tokens = tokens_of(source.text("WebAnno TSV"), contents)
    astral = astral_places(tokens.tokens, tokens.sentences)
    text = _text_of_tokens(tokens, astral)
    if text is None:
        contents.note("the sentences do not fit their offsets, so the text is not known")
    else:
        contents.text(source.document, text)
        for token in tokens.tokens:
            start, end = _point(token.start, astral), _point(token.end, astral)
            if text[start:end] != token.text:
                contents.note("the text differs from the offsets", token.line)
    layers = {
        layer.name: [each for each in layer.features if each and not each.endswith(_TARGETS)]
        for layer in tokens.layers
        if layer.kind != "RL"
    }
    labels = label_features(layers, options, source.path)
    for span in _spans(tokens, contents):
        label = labels[span.layer.name]
        contents.add(
            source.document,
            whose,
            _point(span.start, astral),
            _point(span.end, astral),
            "" if label is None else span.values.pop(label, ""),
            line=span.line,
            layer=span.layer.name,
            attributes=span.values,
        )
    return contents


def looks_like_webanno(head: bytes) -> bool:
    """Tell WebAnno TSV by its first line."""
    return head.removeprefix(b"\xef\xbb\xbf").startswith(b"#FORMAT=WebAnno")


def tokens_of(text: str, contents: Contents) -> Tokens:
    """Take the lines of a file apart."""
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
            contents.object(f"expected the line of a token, got {line[:60]!r}", number)
    return found


def astral_places(tokens: Sequence[Token], sentences: Sequence[tuple[str, int]] = ()) -> list[int]:
    """Give the offsets of the characters that count as two; none if they count as one."""
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
    # Not every character is in a token.
    for sentence, first in sentences:
        if not sentence.isascii() and max(sentence) > "\uffff":
            astral = [place for place, each in enumerate(sentence) if each > "\uffff"]
            ahead = max(sentence.find(tokens[first].text), 0)
            start = tokens[first].start - ahead - bisect_left(astral, ahead)
            places += [start + place + number for number, place in enumerate(astral)]
    return sorted(set(places))


def _point(offset: int, astral: Sequence[int]) -> int:
    """Turn an offset in UTF-16 into one in characters."""
    return offset - bisect_left(astral, offset)


def _text_of_tokens(found: Tokens, astral: Sequence[int]) -> str | None:
    """Put the sentences where their first tokens say; what lies between them is not known."""
    pieces: list[str] = []
    length = 0
    for sentence, first in found.sentences:
        token = found.tokens[first]
        start = _point(token.start, astral) - max(sentence.find(token.text), 0)
        # Paragraphs are apart by a few characters; more is a sign of other offsets.
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
    """Give the features of one annotation and what tells it from others, if it has that."""
    values: dict[str, str] = {}
    key = ""
    for feature, entry in zip(layer.features, entries, strict=True):
        value = entry
        # The numbers in a column of targets are those of the targets.
        if not feature.endswith(_TARGETS) and (numbered := _NUMBERED.fullmatch(value)):
            value, key = numbered["value"], numbered["number"]
        if layer.kind == "CH" and (link := _LINK.fullmatch(value)):
            value, key = link["value"], f"{link['chain']}-{link['link']}"
            values["chain"] = link["chain"]
        if value not in {"_", "*", ""}:
            values[feature] = _unescaped(value)
    return values, key


def _features(written: str) -> tuple[str, ...]:
    """Name the columns of a layer; a slot has one for its roles and one for its targets."""
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
# The text as it was before anybody worked on it, and what was made of all; no annotators.
_NOBODY = {"INITIAL_CAS": "texts without annotations", "CURATION_USER": "curated documents"}
# Of all inner archives together; each one has a limit of its own too.
_MOST_BYTES = 4 * 2**30
_UNTOUCHED = frozenset({"NEW", "IGNORE", "LOCKED"})


def read_inception(source: Source, options: ReadOptions) -> list[Contents]:
    """Read a project: each document with the annotations of each user.

    Users who opened a document and marked nothing are annotators of it; those who did not open
    it are not.
    """
    check_words(options)
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
            if user in _NOBODY:
                project.left_out(_NOBODY[user])
                continue
            held = _UserFile(source.path / name, content, left)
            left -= held.size
            read = held.read(document, options)
            if read is None:
                suffixes = ", ".join(_SUFFIXES)
                problem = f"{name!r} holds no annotations that can be read; expected {suffixes}"
                project.object(problem)
            elif (document, user) in found:
                project.object(f"{name!r} is a second file of this user and document")
            else:
                found[document, user] = read
        elif place.parts[0] == "curation" and len(place.parts) >= 3:
            project.left_out(_NOBODY["CURATION_USER"])
    if not found:
        problem = (
            "no annotations of users that can be read; export the project with the format "
            "UIMA CAS XMI, UIMA CAS JSON or WebAnno TSV v3"
        )
        raise ReadError(problem, path=source.path)
    _compare(project, states, found)
    return [project, *found.values()]


def _compare(
    project: Contents,
    states: dict[tuple[str, str], str],
    found: dict[tuple[str, str], Contents],
) -> None:
    """Compare the files with how far each user got."""
    for pair in found.keys() & states.keys():
        if states[pair] in _UNTOUCHED:
            project.left_out("documents a user did not open")
            del found[pair]
    for (document, user), state in states.items():
        if state not in _UNTOUCHED and user not in _NOBODY:
            project.seen(document, user)
            if (document, user) not in found:
                project.note("documents a user worked on that have no file here, taken for empty")


def looks_like_inception(head: bytes) -> bool:
    """Tell a project by the names of the first files in the archive."""
    return head.startswith(b"PK\x03\x04") and any(name in head for name in _NAMES)


class _UserFile:
    """What one user did in one document: a file, or an archive of it and its type system."""

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
                problem = f"the archives in it have more than {_MOST_BYTES:,} bytes when unpacked"
                raise ReadError(problem, path=archive)
            if PurePosixPath(name).name.lower() == "typesystem.xml":
                self.types = inner
            elif PurePosixPath(name).suffix.lower() in _SUFFIXES:
                if self.content is not None:
                    problem = "expected one file of annotations, got several"
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
    """Give how far each user got in each document, as the project notes it."""
    return {(document, user): state for document, user, state in _noted(json_of(source))}


def _noted(project: object) -> Iterator[tuple[str, str, str]]:
    noted = project.get("annotation_documents") if isinstance(project, dict) else None
    for each in noted if isinstance(noted, list) else ():
        if isinstance(each, dict):
            told = each.get("name"), each.get("user"), each.get("state")
            if all(isinstance(one, str) and one for one in told):
                yield str(told[0]), str(told[1]), str(told[2])
