"""Praat TextGrids: reader and writer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from unisono.errors import ReadError
from unisono.formats.contents import Contents, check_roles
from unisono.formats.layers import KEPT_IN_TIERS, TierRoles, lanes, layers_of, written_label
from unisono.formats.output import targets, warn_of_losses
from unisono.model.columns import FARTHEST

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from unisono.formats.contents import ReadOptions
    from unisono.formats.layers import Lane
    from unisono.formats.source import Source
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus


_TOKEN = re.compile(
    r'"(?P<text>(?:[^"]++|"")*+)"'
    r"|(?<!\S)(?P<number>[-+]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?)(?!\S)"
    r"|(?<!\S)<(?P<flag>exists|absent)>(?!\S)"
    r"|(?<!\S)!(?P<comment>[^\r\n]*)"
)
_LONGEST_NUMBER = 1000
_CHRONOLOGICAL = "Praat chronological TextGrid text file"
_INTERVALS, _POINTS = "IntervalTier", "TextTier"


class Interval(NamedTuple):
    """An interval, or a point, whose start and end are equal."""

    start: float
    end: float
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class GridTier:
    """A tier of intervals or of points."""

    name: str
    of_points: bool
    intervals: list[Interval] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Grid:
    """A TextGrid: its start, its end and its tiers."""

    start: float
    end: float
    tiers: list[GridTier]


def read_textgrid(source: Source, options: ReadOptions) -> Contents:
    """Read a TextGrid; an interval without text is a gap, a point without text is a unit."""
    check_roles(options, annotator=("layer",), label=("text",), pattern="{layer}")
    grid = grid_of(source.text("a TextGrid"), source.path)
    contents = Contents(source, options)
    roles = TierRoles(source, options, [tier.name for tier in grid.tiers])
    contents.extent(source.document, *_extent(grid))
    contents.label_from("text", options)
    sizes = [len(tier.intervals) for tier in grid.tiers]
    for tier, role in zip(grid.tiers, roles.assign(contents, sizes), strict=True):
        if role is None:
            continue
        if options.wants_layer(role.layer):
            contents.seen(source.document, role.annotator)
        for start, end, text, line in tier.intervals:
            # `write` stores a no-break space as the text of a unit without a label.
            if text.strip(" \t\r\n") or tier.of_points:
                label = "" if options.label is False else text
                contents.add(
                    source.document, role.annotator, start, end, label, line=line, layer=role.layer
                )
    return contents


def _extent(grid: Grid) -> tuple[float, float]:
    """Return the extent of a grid, widened to its tiers, which may exceed it in Praat."""
    bounds = [bound for tier in grid.tiers for each in tier.intervals for bound in each[:2]]
    return min([grid.start, *bounds]), max([grid.end, *bounds])


def grid_of(text: str, path: Path) -> Grid:
    """Parse the text of a TextGrid."""
    tokens = _Tokens(text, path)
    kind = tokens.text("the file type")
    if kind == _CHRONOLOGICAL:
        return _chronological(tokens)
    content = tokens.text("the object class") if kind == "ooTextFile" else kind
    if kind != "ooTextFile" or not content.startswith("TextGrid"):
        tokens.refuse(
            f"expected a TextGrid, got {content[:40]!r}; save it in Praat as a TextGrid text file"
        )
    start, end = _bounds(tokens)
    is_empty = tokens.flag() == "absent"
    number = 0 if is_empty else tokens.count("the number of tiers")
    tiers = [_tier(tokens) for _ in range(number)]
    tokens.finish()
    return Grid(start, end, tiers)


def _bounds(tokens: _Tokens) -> tuple[float, float]:
    start, end = tokens.number("the start"), tokens.number("the end")
    if start > end:
        tokens.refuse(f"a TextGrid cannot end before it starts; got [{start}, {end}]")
    return start, end


def _tier(tokens: _Tokens) -> GridTier:
    tier = _opened_tier(tokens)
    held = "points" if tier.of_points else "intervals"
    for _ in range(tokens.count(f"the number of {held}")):
        tier.intervals.append(_interval(tokens, of_points=tier.of_points))
    return tier


def _opened_tier(tokens: _Tokens) -> GridTier:
    kind = tokens.text("the class of the tier")
    if kind not in (_INTERVALS, _POINTS):
        tokens.refuse(f"a tier must be an {_INTERVALS} or a {_POINTS}; got {kind[:40]!r}")
    tier = GridTier(tokens.text("the name of the tier"), kind == _POINTS)
    tokens.number("the start of the tier")
    tokens.number("the end of the tier")
    return tier


def _interval(tokens: _Tokens, *, of_points: bool) -> Interval:
    start = tokens.number("the start")
    line = tokens.line
    end = start if of_points else tokens.number("the end")
    return Interval(start, end, tokens.text("the text"), line)


def _chronological(tokens: _Tokens) -> Grid:
    start, end = _bounds(tokens)
    tiers = [_opened_tier(tokens) for _ in range(tokens.count("the number of tiers"))]
    while tokens.more():
        number = tokens.count("the number of a tier")
        if not 1 <= number <= len(tiers):
            tokens.refuse(f"no tier {number}; expected a number from 1 to {len(tiers)}")
        tier = tiers[number - 1]
        tier.intervals.append(_interval(tokens, of_points=tier.of_points))
    return Grid(start, end, tiers)


class _Tokens:
    """Parser of the values of a file, in file order."""

    def __init__(self, text: str, path: Path) -> None:
        self.line = 1
        self._text = text
        self._path = path
        self._at = 0
        self._line_end = "\n" if "\n" in text else "\r"
        self._matches = (found for found in _TOKEN.finditer(text) if found["comment"] is None)
        self._next = next(self._matches, None)

    def more(self) -> bool:
        """Return whether another value follows."""
        return self._next is not None

    def text(self, meaning: str) -> str:
        """Return the next value, a text, without its quotation marks."""
        return self._value("text", meaning).replace('""', '"')

    def number(self, meaning: str) -> float:
        """Return the next value, a number."""
        written = self._value("number", meaning)
        if len(written) > _LONGEST_NUMBER:
            self.refuse(f"expected {meaning}, a number; got {len(written):,} digits")
        if abs(float(written)) > FARTHEST:
            self.refuse(f"expected {meaning}, a number of seconds; got {written[:40]}")
        return float(written)

    def flag(self) -> str:
        """Return the next value, a flag in angle brackets, without the brackets."""
        return self._value("flag", "whether there are tiers")

    def count(self, meaning: str) -> int:
        """Return the next value, a whole number."""
        written = self._value("number", meaning)
        if not written.isdecimal() or len(written) > 9:
            self.refuse(f"expected {meaning}, a whole number; got {written[:40]}")
        return int(written)

    def finish(self) -> None:
        """Raise if a value follows the last tier."""
        if self._next is not None:
            self._move(self._next.start())
            self.refuse(
                f"unexpected {self._next[0][:40]} after the last tier; check the numbers of tiers, "
                "intervals and points before it"
            )

    def refuse(self, problem: str) -> NoReturn:
        """Raise an error at the line of the last value."""
        raise ReadError(problem, path=self._path, line=self.line)

    def _move(self, at: int) -> None:
        self.line += self._text.count(self._line_end, self._at, at)
        self._at = at

    def _value(self, kind: str, meaning: str) -> str:
        found = self._next
        self._move(len(self._text) if found is None else found.start())
        if found is None:
            self.refuse(f"the file ends before {meaning}; it is incomplete")
        value = found[kind]
        if value is None:
            self.refuse(f"expected {meaning}, a {kind}; got {found[0][:40]}")
        self._next = next(self._matches, None)
        return str(value)


_FORMAT = "TextGrid"
# Text of a unit without a label; an interval without text would be read as a gap.
_NO_LABEL = "\u00a0"


def write_textgrid(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return one TextGrid per document, with a tier for each annotator.

    Points are written to a tier of points, and units that overlap others of the same annotator to
    a further tier, ``ann [2]``.
    """
    one_layer = {"layers"} if len(layers_of(corpus)) < 2 else ()
    warn_of_losses(corpus, _FORMAT, KEPT_IN_TIERS.union(one_layer))
    texts = {name: _text(name, continuum) for name, continuum in corpus.items()}
    return {file: texts[name] for name, file in targets(corpus, path, ".TextGrid").items()}


def _text(document: str, continuum: Continuum) -> str:
    low, high = continuum.extent
    tiers = list(lanes(continuum, document, _FORMAT))
    lines = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        f"xmin = {_number(low)}",
        f"xmax = {_number(high)}",
        "tiers? <exists>",
        f"size = {len(tiers)}",
        "item []:",
    ]
    for number, lane in enumerate(tiers, start=1):
        kind = "TextTier" if lane.of_points else "IntervalTier"
        lines += [
            f"    item [{number}]:",
            f'        class = "{kind}"',
            f"        name = {_quoted(lane.name)}",
            f"        xmin = {_number(low)}",
            f"        xmax = {_number(high)}",
        ]
        lines += (
            _points(lane, document) if lane.of_points else _intervals(lane, document, low, high)
        )
    return "\n".join(lines) + "\n"


def _points(lane: Lane, document: str) -> Iterator[str]:
    yield f"        points: size = {len(lane.units)}"
    for number, unit in enumerate(lane.units, start=1):
        yield f"        points [{number}]:"
        yield f"            number = {_number(unit.start)}"
        yield f"            mark = {_quoted(written_label(unit, document, _FORMAT))}"


def _intervals(lane: Lane, document: str, low: float, high: float) -> Iterator[str]:
    rows = list(_filled(lane, document, low, high))
    yield f"        intervals: size = {len(rows)}"
    for number, (start, end, text) in enumerate(rows, start=1):
        yield f"        intervals [{number}]:"
        yield f"            xmin = {_number(start)}"
        yield f"            xmax = {_number(end)}"
        yield f"            text = {_quoted(text)}"


def _filled(
    lane: Lane, document: str, low: float, high: float
) -> Iterator[tuple[float, float, str]]:
    """Yield the start, end and text of each unit and of the gaps between units."""
    at = low
    for unit in lane.units:
        if at < unit.start:
            yield at, unit.start, ""
        yield unit.start, unit.end, written_label(unit, document, _FORMAT) or _NO_LABEL
        at = unit.end
    if at < high or not lane.units:
        yield at, high, ""


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
