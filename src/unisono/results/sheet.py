"""The one view of a result: typed tables, facts, notes and signatures, without a format.

A result gives a `Sheet`; renderers for the terminal, Markdown, HTML, LaTeX, CSV and the page lay it
out. Cells hold values; `Table.view` alone chooses rows and columns for people and words the cells.
Headings and kinds of columns stand in one vocabulary, by the name of the attribute.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from unisono.model.labels import label_text
from unisono.registry import MEASURES
from unisono.results.record import plain_label, plain_number
from unisono.results.wording import count, decimals, position, printable, some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from unisono.results.agreement import Interval, Signature

__all__ = [
    "KINDS",
    "VOCABULARY",
    "Column",
    "Fact",
    "Headline",
    "Kind",
    "Row",
    "Sheet",
    "Table",
    "View",
    "as_it_is",
    "column",
    "columns",
    "measure_symbol",
    "measure_title",
    "shared_notes",
    "without_value",
]

Row: TypeAlias = "tuple[Any, ...]"
"""The values of a row, one for each column of its table."""


def as_it_is(value: Any) -> Any:  # noqa: ANN401 - any value
    """Return a value that needs no other form."""
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """How values of a column are written: for people as text, for programs as plain values."""

    name: str
    text: Callable[[Any], str]
    plain: Callable[[Any], Any] = as_it_is
    align: Literal["left", "right"] = "right"
    parts: tuple[str, ...] = ()
    """The columns that programs get instead of one, for values of several numbers."""


def _outcome(value: float | str | None) -> str:
    if isinstance(value, str):
        return value  # such as “uncertain”
    return "undefined" if value is not None and math.isnan(value) else decimals(value)


def _interval_text(interval: Interval | None) -> str:
    return "–" if interval is None else f"{decimals(interval.low)} to {decimals(interval.high)}"


def _interval_parts(interval: Interval | None) -> tuple[float | None, ...]:
    if interval is None:
        return None, None, None
    return plain_number(interval.low), plain_number(interval.high), interval.level


def _probability(value: float | None) -> str:
    return "< 0.0001" if value is not None and 0.0 <= value < 0.0001 else decimals(value)


def _share(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "–"
    return "< 0.1 %" if 0.0 < value < 0.001 else f"{100.0 * value:.1f} %"


def _text(value: object) -> str:
    return "" if value is None else printable(str(value))


def measure_symbol(name: str) -> str:
    """Return how people write a measure, also with what was corrected, such as ``pk.kappa``."""
    base, _, corrected = name.partition(".")
    symbol = MEASURES[base].symbol if base in MEASURES else base
    letter = {"pi": "π", "kappa": "κ"}.get(corrected, corrected)
    return f"{letter} of {symbol}" if corrected else symbol


def measure_title(name: str) -> str:
    """Return the title of a measure for a table, also with what was corrected."""
    return measure_symbol(name) if "." in name or name not in MEASURES else MEASURES[name].title


def _position(value: float | None) -> str:
    return "–" if value is None else position(value)


def _flag(value: bool | None) -> str:  # noqa: FBT001 - the value of a cell
    return "–" if value is None else "yes" if value else "no"


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(name="coefficient", text=_outcome, plain=plain_number),
        Kind(name="value", text=decimals, plain=plain_number),
        Kind(name="probability", text=_probability, plain=plain_number),
        Kind(name="share", text=_share, plain=plain_number),
        Kind(name="count", text=lambda value: "–" if value is None else f"{value:,}"),
        Kind(name="position", text=_position, plain=plain_number),
        Kind(
            name="interval",
            text=_interval_text,
            plain=_interval_parts,
            parts=("interval_low", "interval_high", "level"),
        ),
        Kind(
            name="label",
            text=lambda label: printable(label_text(label)) or "(no label)",
            plain=plain_label,
            align="left",
        ),
        Kind(name="measure", text=measure_title, align="left"),
        Kind(name="name", text=_text, align="left"),
        Kind(name="text", text=_text, align="left"),
        Kind(name="signature", text=_text, plain=str, align="left"),
        Kind(name="flag", text=_flag, plain=lambda value: "true" if value else "false"),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table, or the name of a fact."""

    name: str
    """The name of the attribute: the JSON key and the column of CSV."""
    heading: str
    """For people; no program reads it."""
    kind: Kind
    show: Literal["always", "room", "never"] = "always"
    """``"room"`` is the first to go where a table is too wide, ``"never"`` is for programs."""
    usual: object = None
    """People do not see the column where every row that they see has this value."""


def _words(kind: str, **headings: str) -> dict[str, Column]:
    return {
        name: Column(name=name, heading=heading, kind=KINDS[kind])
        for name, heading in headings.items()
    }


VOCABULARY: Mapping[str, Column] = {
    **_words("name", document="document", annotator_a="annotator", annotator_b="annotator"),
    **_words("name", annotators="annotators"),
    **_words("measure", measure="measure"),
    **_words("label", label="label"),
    **_words("coefficient", value="value"),
    **_words("value", observed="observed", expected="expected"),
    **_words("value", standard_error="standard error"),
    **_words("count", perfect="perfect", n_documents="documents", n_annotators="annotators"),
    **_words("count", n_units="units", n_items="items", n_ratings="values", n_atoms="atoms"),
    **_words("count", n_boundaries="boundaries", left_out="left out"),
    **_words("interval", interval="interval"),
    **_words("probability", p_value="p-value"),
    **_words("text", undefined="undefined", edits="of pairs"),
    **_words("position", length="length"),
    **_words("count", draws="draws"),
    **_words("text", generation="generation", alignment="alignment", certified="certified"),
    **_words("text", atom="atoms", skipped="skipped", left_out_documents="left out"),
    **_words("text", errors="errors", segments="segments"),
    **_words("signature", signature="signature"),
}
"""Every column by its name: one word, one heading, one kind."""


def column(name: str, **changes: Any) -> Column:  # noqa: ANN401 - fields of a column
    """Return a column of the vocabulary, with changes."""
    return replace(VOCABULARY[name], **changes) if changes else VOCABULARY[name]


def columns(names: str, **show: Literal["always", "room", "never"]) -> tuple[Column, ...]:
    """Return columns of the vocabulary by their names, separated by blanks."""
    return tuple(
        column(name, show=show[name]) if name in show else VOCABULARY[name]
        for name in names.split()
    )


class View(NamedTuple):
    """What people see of a table."""

    columns: tuple[Column, ...]
    headings: list[str]
    rows: list[Row]
    cells: list[list[str]]
    n_more: int
    """How many rows are not shown."""
    noun: str
    sentences: list[str]
    """Why values are undefined, of all rows, and notes."""

    def more(self, rest: str) -> str:
        """Say how many rows are not shown, and where they are; nothing where all are shown."""
        return f"and {count(self.n_more, self.noun)} more; {rest}" if self.n_more else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of values under typed columns."""

    name: str
    """Its name for programs: the scope in CSV and the key on the page."""
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    title: str = ""
    noun: str = ""
    """What a row is, for “and 4 documents more”; without it the name."""
    limited: bool = False
    """Whether people see no more rows than they asked for."""
    worst_first: Callable[[Row], Any] | None = None
    """The key by which rows come for people; without it their own order stays."""
    own_order: bool = False
    """Whether `worst_first` only chooses the rows, which then stay in their own order."""
    rank: Callable[[], Iterable[tuple[Any, str, str | None]]] | None = None
    """The keys of all rows with their names and why they are undefined, where rows are costly.

    It takes the place of `worst_first` and `reasons`.
    """
    more: int = 0
    """How many rows are left out of the table itself."""
    reasons: Sequence[tuple[str, str]] = ()
    """Names of what is undefined, and why."""
    people: bool = True
    programs: bool = True

    def view(self, limit: int | None = None) -> View:
        """Choose the rows and columns that people see, and word the cells."""
        ranks = [] if self.rank is None else list(self.rank())
        keys = [rank[0] for rank in ranks]
        if self.worst_first is not None:
            keys = [self.worst_first(row) for row in self.rows]
        most = limit if self.limited else None
        order: Sequence[int] = range(len(self.rows))
        if keys and most is not None:
            order = heapq.nsmallest(most, order, key=keys.__getitem__)
        elif keys:
            order = sorted(order, key=keys.__getitem__)
        chosen = order[:most]
        kept = [self.rows[at] for at in (sorted(chosen) if self.own_order else chosen)]
        places = [
            at
            for at, one in enumerate(self.columns)
            if one.show != "never"
            and not (one.usual is not None and all(row[at] == one.usual for row in kept))
        ]
        shown = tuple(self.columns[at] for at in places)
        cells = [
            [one.kind.text(row[at]) for one, at in zip(shown, places, strict=True)] for row in kept
        ]
        headings = [one.heading for one in shown]
        for place, one in enumerate(shown):
            if one.kind.name == "interval":
                intervals = [row[places[place]] for row in kept]
                levels = {each.level for each in intervals if each is not None}
                if len(levels) == 1:
                    headings[place] = f"{one.heading} {100.0 * levels.pop():g} %"
                    continue
                for line, each in zip(cells, intervals, strict=True):
                    line[place] += f" ({100.0 * each.level:g} %)" if each else ""
        return View(
            columns=shown,
            headings=headings,
            rows=kept,
            cells=cells,
            n_more=len(self.rows) - len(kept) + self.more,
            noun=self.noun or self.name,
            sentences=[
                *_sentences(self.reasons, most),
                *_sentences_of_many([rank[1:] for rank in ranks], self.noun or self.name),
            ],
        )


def _sentences(reasons: Iterable[tuple[str, str]], most: int | None) -> Iterator[str]:
    """Yield a sentence for each reason, and no more of them and of their names than `most`."""
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in reasons:
        names_by_reason.setdefault(reason, []).append(name)
    for reason, names in list(names_by_reason.items())[:most]:
        verb = "is" if len(names) == 1 else "are"
        yield f"{some(names, most or len(names))} {verb} undefined: {printable(reason)}"
    if most is not None and len(names_by_reason) > most:
        yield f"and {count(len(names_by_reason) - most, 'more reason')}"


def _sentences_of_many(reasons: Iterable[tuple[str, str | None]], noun: str) -> Iterator[str]:
    """Yield a sentence for each reason, with the number of rows and the first names."""
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in reasons:
        if reason is not None:
            names_by_reason.setdefault(printable(reason), []).append(name)
    for reason, names in names_by_reason.items():
        yield f"{count(len(names), noun)} undefined: {reason} ({some(names, 3)})"


class Fact(NamedTuple):
    """Something that holds for the whole result."""

    column: Column
    value: Any
    detail: str = ""
    """What explains it, in parentheses."""

    @property
    def text(self) -> str:
        """The value for people."""
        worded = self.column.kind.text(self.value)
        return f"{worded} ({printable(self.detail)})" if self.detail else worded


class Headline(NamedTuple):
    """A value to be read first: by people on the page, in summaries and by screen readers."""

    measure: str
    value: float
    interval: Interval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """All that people read of a result, and the tables that programs read."""

    name: str
    title: str = ""
    headline: tuple[Headline, ...] = ()
    findings: tuple[str, ...] = ()
    """Sentences that are the result."""
    tables: tuple[Table, ...] = ()
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    signatures: tuple[Signature, ...] = ()


def shared_notes(results: Mapping[str, Any]) -> tuple[str, ...]:
    """Return each note once, with the measures that it is about unless it is all."""
    about: dict[str, list[str]] = {}
    for name, result in results.items():
        for note in result.notes:
            about.setdefault(note, []).append(measure_title(name))
    return tuple(
        note if len(names) == len(results) else f"{', '.join(names)}: {note}"
        for note, names in about.items()
    )


def without_value(results: Mapping[str, Any]) -> list[str]:
    """Return a sentence with the reasons if no measure has a value, else nothing."""
    if not results or not all(result.undefined for result in results.values()):
        return []
    why = dict.fromkeys(str(result.undefined) for result in results.values())
    verb = "is" if len(results) == 1 else "are"
    return [f"{', '.join(results)} {verb} undefined: {'; '.join(why)}"]
