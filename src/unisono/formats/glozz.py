"""Glozz annotation units: reader and writer."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import DataError
from unisono.formats.characters import character_offset, from_utf16
from unisono.formats.contents import Contents, check_roles
from unisono.formats.layers import check_text, check_used, layer_and_label, written_label
from unisono.formats.output import targets, warn_of_losses
from unisono.formats.safe_xml import escaped, xml_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.contents import ReadOptions
    from unisono.formats.safe_xml import Element
    from unisono.formats.source import Source
    from unisono.model.continuum import Continuum, Unit
    from unisono.model.corpus import Corpus


_WHOLE = re.compile(r"\s*[0-9]{1,15}\s*")
# Text importers write the layout as units: paragraphs, and in some imports titles.
_PARAGRAPH = "paragraph"
_IMPORTER = "_IMPORTER"


def read_glozz(source: Source, options: ReadOptions) -> Contents:
    """Read an .aa file: the author is the annotator, the type the label.

    With ``label=`` the value of a feature is the label, and the type the layer. Paragraphs and
    other units of text importers are left out, unless ``layer=`` names their type. The attributes
    of a unit are its features, and the relations and schemas that it is part of.
    """
    check_roles(options, annotator=None)
    tree = xml_of(source, "annotations")
    contents = Contents(source, options)
    text = source.companion(".ac")
    table = None
    if text is not None:
        contents.text(source.document, text)
        table = from_utf16(text)
    for each in tree.everything():
        inner = next(each.named("unit"), None)
        if each is not tree and inner is not None:
            problem = f"a <unit> must be a child of <annotations>, not of <{each.name[:40]}>"
            contents.object(problem, inner.line)
    parts = _parts(tree)
    contents.label_from("type", options)
    if source.annotator is None:
        contents.key_from("annotator", options.annotator, "author")
    used: defaultdict[str, set[str]] = defaultdict(set)
    for unit in tree.named("unit"):
        author = _author(unit, source, options)
        kind, features = _type_and_features(unit)
        is_selected = options.layer is not None and kind in options.layer
        if is_layout(author, kind) and not is_selected:
            contents.left_out(f"{kind or 'nameless'} units of the layout", unit.line)
            continue
        bounds = [_position(unit, which) for which in ("start", "end")]
        if min(bounds) < 0:
            problem = "a unit needs a start and an end, each a whole number of characters"
            contents.object(problem, unit.line)
            continue
        used[kind].update(features, {"type"})
        layer, label = layer_and_label(kind, features, options)
        attributes: dict[str, Any] = dict(features)
        if label != kind and not layer:
            attributes["type"] = kind
        if (own := unit.attributes.get("id", "")) in parts:
            attributes |= {"id": own, **parts[own]}
        contents.add(
            source.document,
            author,
            character_offset(bounds[0], table),
            character_offset(bounds[1], table),
            label,
            line=unit.line,
            layer=layer,
            attributes=attributes,
        )
    check_used(used, options, contents)
    if source.annotator is not None:
        contents.seen(source.document, source.annotator)
    elif all(is_layout(_author(unit, source, options), "") for unit in tree.named("unit")):
        contents.note("files without units of annotators, so their annotators are not known")
    return contents


def _author(unit: Element, source: Source, options: ReadOptions) -> str:
    if source.annotator is not None:
        return source.annotator
    field = options.annotator if isinstance(options.annotator, str) else "author"
    found = unit.first("metadata", field)
    return "" if found is None else found.text.strip()


def _type_and_features(element: Element) -> tuple[str, dict[str, str]]:
    """Return the type and the features of a unit, a relation or a schema."""
    kind = element.first("characterisation", "type")
    features = element.first("characterisation", "featureSet")
    return "" if kind is None else kind.text.strip(), {
        each.attributes.get("name", ""): each.text.strip()
        for each in ([] if features is None else features.named("feature"))
    }


def is_layout(author: str, kind: str) -> bool:
    """Return whether a unit is a paragraph, or was written by a text importer."""
    return kind.lower() == _PARAGRAPH or author.endswith(_IMPORTER)


def _position(unit: Element, which: str) -> int:
    """Return the start or the end of a unit; −1 if it is missing or invalid."""
    found = unit.first("positioning", which, "singlePosition")
    index = "" if found is None else found.attributes.get("index", "")
    return int(index) if _WHOLE.fullmatch(index) else -1


def _parts(tree: Element) -> Mapping[str, Mapping[str, list[dict[str, Any]]]]:
    """Return the relations and schemas of each unit by its id."""
    parts: defaultdict[str, defaultdict[str, list[dict[str, Any]]]]
    parts = defaultdict(lambda: defaultdict(list))
    for whole in tree.named("relation", "schema"):
        kind, features = _type_and_features(whole)
        positioning = whole.first("positioning")
        members = [
            member.attributes["id"]
            for member in ([] if positioning is None else positioning.children)
            if "id" in member.attributes
        ]
        author = whole.first("metadata", "author")
        record: dict[str, Any] = {"id": whole.attributes.get("id", ""), "type": kind, **features}
        if author is not None:
            record["author"] = author.text.strip()
        for member in dict.fromkeys(members):
            parts[member][f"{whole.name}s"].append(record | {"members": members})
    return parts


_FORMAT = "Glozz"
_KEEPS = frozenset({"units in pieces", "attributes", "layers", "labels that are numbers"})


def write_glozz(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return one .aa file per document: the annotator is the author, the label the type.

    Text attributes are written as features, relations and schemas as they were read. A warning
    reports annotators without units, which Glozz cannot store.
    """
    has_texts = all(continuum.text is not None for continuum in corpus.values())
    warn_of_losses(corpus, _FORMAT, _KEEPS.union({"extents of documents"} if has_texts else ()))
    texts = {name: "\n".join(_lines(name, continuum)) for name, continuum in corpus.items()}
    files = {}
    for name, file in targets(corpus, path, ".aa").items():
        files[file] = texts[name] + "\n"
        text = corpus[name].text
        if text is not None:
            files[file.with_suffix(".ac")] = text
    return files


def _lines(document: str, continuum: Continuum) -> Iterator[str]:
    places = _utf16_places(continuum.text)
    wholes: dict[str, _Whole] = {}

    def xml_text(text: str) -> str:
        return escaped(check_text(text, "an attribute or a name", document, _FORMAT))

    yield '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
    yield "<annotations>"
    for number, unit in enumerate(continuum, start=1):
        label = written_label(unit, document, _FORMAT)
        start, end = _whole_numbers(unit, document)
        if is_layout(unit.annotator, label):
            msg = (
                f"{document}: the unit {label!r} of {unit.annotator!r} would be read as layout of "
                "the text in Glozz; rename the label or the annotator first"
            )
            raise DataError(msg)
        own = str(unit.attributes.get("id", f"{unit.annotator}_{number}"))
        yield f'<unit id="{xml_text(own)}">'
        features = {
            name: value
            for name, value in unit.attributes.items()
            if isinstance(value, str) and name not in {"layer", "id"}
        }
        yield from _head(xml_text, unit.annotator, number, label, features)
        yield f'<positioning><start><singlePosition index="{places[start] if places else start}"/>'
        yield f'</start><end><singlePosition index="{places[end] if places else end}"/></end>'
        yield "</positioning>"
        yield "</unit>"
        wholes |= {whole.name: whole for whole in _wholes(unit)}
    for number, whole in enumerate(wholes.values(), start=1):
        yield f'<{whole.kind} id="{xml_text(whole.name)}">'
        yield from _head(xml_text, whole.author, number, whole.type, whole.features)
        members = [
            (wholes[name].kind if name in wholes else "unit", name) for name in whole.members
        ]
        yield "<positioning>"
        for kind, name in members:
            tag = "term" if whole.kind == "relation" else f"embedded-{kind}"
            yield f'<{tag} id="{xml_text(name)}"/>'
        yield "</positioning>"
        yield f"</{whole.kind}>"
    yield "</annotations>"


def _head(
    xml_text: Callable[[str], str], author: str, number: int, kind: str, features: Mapping[str, str]
) -> Iterator[str]:
    """Yield the metadata, the type and the features of a unit, a relation or a schema."""
    yield f"<metadata><author>{xml_text(author)}</author><creation-date>{number}</creation-date>"
    yield "<lastModifier>n/a</lastModifier><lastModificationDate>0</lastModificationDate>"
    yield "</metadata>"
    yield f"<characterisation><type>{xml_text(kind)}</type>"
    yield "<featureSet>"
    for name, value in features.items():
        yield f'<feature name="{xml_text(name)}">{xml_text(value)}</feature>'
    yield "</featureSet>"
    yield "</characterisation>"


class _Whole(NamedTuple):
    """A relation or a schema, as stored in the attributes of units by the reader."""

    kind: str
    name: str
    type: str
    author: str
    features: Mapping[str, str]
    members: Sequence[str]


def _wholes(unit: Unit) -> Iterator[_Whole]:
    for kind in ("relation", "schema"):
        records = unit.attributes.get(f"{kind}s")
        for each in records if isinstance(records, list | tuple) else ():
            if isinstance(each, dict) and {"id", "type", "members"} <= each.keys():
                features = {
                    name: str(value)
                    for name, value in each.items()
                    if name not in {"id", "type", "author", "members"}
                }
                yield _Whole(
                    kind,
                    str(each["id"]),
                    str(each["type"]),
                    str(each.get("author", "")),
                    features,
                    [str(member) for member in each["members"]],
                )


def _whole_numbers(unit: Unit, document: str) -> tuple[int, int]:
    if not (unit.start.is_integer() and unit.end.is_integer()):
        msg = (
            f"{document}: Glozz stores offsets of characters, whole numbers; {unit.annotator!r} "
            f"has a unit at [{unit.start}, {unit.end}]"
        )
        raise DataError(msg)
    return int(unit.start), int(unit.end)


def _utf16_places(text: str | None) -> Sequence[int] | None:
    """Return the UTF-16 offset of each character, as Java counts; `None` if they are identical."""
    if text is None or text.isascii() or max(text) <= "\uffff":
        return None
    return [0, *accumulate(2 if character > "\uffff" else 1 for character in text)]
