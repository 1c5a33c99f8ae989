"""WebAnno TSV 3, also written by INCEpTION: one token a line, one column a feature.

Offsets count UTF-16 code units, as Java does. Files by other programs may count characters;
tokens with astral characters tell which.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import ReadError
from unisono.formats.characters import lines_of
from unisono.formats.contents import Contents
from unisono.formats.features import label_features
from unisono.formats.own_words import check_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unisono.formats.contents import ReadOptions
    from unisono.formats.sources import Source


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
    text = _text(tokens, astral)
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
    """Take the lines of a file apart.

    Raises
    ------
    ReadError
        It is no WebAnno TSV 3.
    """
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


def _text(found: Tokens, astral: Sequence[int]) -> str | None:
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
