"""The format-independent view of a result: typed tables, facts, notes and signatures.

The method ``sheet()`` of a result returns a `Sheet`, which is rendered as text, Markdown, HTML,
LaTeX, CSV or on the web page. Cells contain values; `Table.view` selects the rows and columns to
show and formats the cells. `VOCABULARY` defines the headings and kinds of columns by their names.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from unisono.model.labels import label_text
from unisono.registry import MEASURES
from unisono.results.record import plain_number
from unisono.results.tex import tex_text
from unisono.results.values import Approximate, Uncertain
from unisono.results.wording import count, decimals, position, printable, some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from unisono.model.continuum import Unit
    from unisono.model.labels import Label
    from unisono.registry import Measure
    from unisono.results.values import Interval, Signature

__all__ = [
    "KINDS",
    "VOCABULARY",
    "Amount",
    "Column",
    "Fact",
    "Figure",
    "Headline",
    "Kind",
    "MeasureName",
    "NamePart",
    "Row",
    "Sheet",
    "Table",
    "View",
    "as_it_is",
    "change_text",
    "column",
    "columns",
    "figure",
    "interval_text",
    "measure_symbol",
    "measure_title",
    "shared_notes",
    "without_value",
]

Row: TypeAlias = "tuple[Any, ...]"
"""The values of a row, one per column of its table."""


def as_it_is(value: Any) -> Any:  # noqa: ANN401 - any value
    """Return the value unchanged."""
    return value


class NamePart(NamedTuple):
    """A part of the name of a measure: plain text, a subscript, or a label."""

    text: str
    style: Literal["", "low", "name"] = ""


class MeasureName(NamedTuple):
    """A measure in a table that shows symbols, with the label of values by label."""

    measure: str
    label: str | None = None
    symbol: str = ""
    """The symbol, if it is not the registered one."""

    @property
    def label_text(self) -> str:
        """The label for readers; empty if there is none."""
        return "" if self.label is None else printable(self.label) or "(no label)"

    @property
    def text(self) -> str:
        """The symbol and the label."""
        symbol = self.symbol or measure_symbol(self.measure)
        return " ".join(filter(None, (symbol, self.label_text)))

    @property
    def parts(self) -> list[NamePart]:
        """The text in parts."""
        parts = [NamePart(self.symbol)] if self.symbol else symbol_parts(self.measure)
        label = self.label_text
        return [*parts, NamePart(" "), NamePart(label, "name")] if label else parts

    @property
    def latex(self) -> str:
        """The text as LaTeX."""
        symbol = tex_text(self.symbol) if self.symbol else measure_latex(self.measure)
        return " ".join(filter(None, (symbol, tex_text(self.label_text))))


class Amount(NamedTuple):
    """An amount per 100 of something: in percent, or in another unit such as “cuts”."""

    share: float
    unit: str = "%"

    @property
    def number(self) -> str:
        """The amount as text without its unit."""
        percent = 100.0 * self.share
        return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}"

    @property
    def text(self) -> str:
        """The amount as text."""
        return f"{self.number} {self.unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """The formatting of the values of a column: as text for readers, as plain data for programs."""

    name: str
    text: Callable[[Any], str]
    plain: Callable[[Any], Any] = as_it_is
    align: Literal["left", "right"] = "right"
    parts: tuple[str, ...] = ()
    """The columns of plain data, for values that consist of several."""
    is_interval: bool = False
    by_point: bool = False
    """Whether texts are padded with spaces so that their decimal points are aligned."""
    name_parts: Callable[[Any], list[NamePart]] | None = None
    """The parts of the text, for names of measures."""
    latex: Callable[[Any], str] | None = None
    """The text as LaTeX, where it is more than the text with its characters escaped."""

    @property
    def dtype(self) -> Literal["number", "count", "flag", "text"]:
        """The type of the values in a data frame."""
        if self.align == "left":
            return "text"
        return {"count": "count", "flag": "flag"}.get(self.name, "number")  # type: ignore[return-value]


def _outcome(value: float | Approximate | Uncertain | None) -> str:
    if isinstance(value, Uncertain):
        return "uncertain"
    if isinstance(value, Approximate):
        return value.in_cell
    return "undefined" if value is not None and math.isnan(value) else decimals(value)


def _outcome_beside_error(value: float | Approximate | Uncertain | None) -> str:
    return value.text if isinstance(value, Approximate) else _outcome(value)


def _certain_number(value: float | Approximate | Uncertain | None) -> float | None:
    return None if isinstance(value, Uncertain) else _number(value)


def _number(value: float | Approximate | None) -> float | None:
    return plain_number(value.value if isinstance(value, Approximate) else value)


def _value_text(value: float | Approximate | None) -> str:
    return value.text if isinstance(value, Approximate) else decimals(value)


def interval_text(interval: Interval | None, *, places: int = 4) -> str:
    """Return an interval as text; a dash if there is none."""
    if interval is None:
        return "–"
    return f"{decimals(interval.low, places)} to {decimals(interval.high, places)}"


def _interval_parts(interval: Interval | None) -> tuple[float | None, ...]:
    if interval is None:
        return None, None, None
    return plain_number(interval.low), plain_number(interval.high), interval.confidence


def _probability(value: float | None) -> str:
    return "< 0.0001" if value is not None and 0.0 <= value < 0.0001 else decimals(value)


def _share(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "–"
    return "< 0.1 %" if 0.0 < value < 0.001 else f"{100.0 * value:.1f} %"


def _text(value: object) -> str:
    return "" if value is None else printable(str(value))


def measure_symbol(name: str) -> str:
    """Return the symbol of a measure; the name itself if it is not registered."""
    return MEASURES[name].symbol if name in MEASURES else name


def measure_title(name: str) -> str:
    """Return the title of a measure; the name itself if it is not registered."""
    return MEASURES[name].title if name in MEASURES else name


def measure_latex(name: str) -> str:
    """Return the symbol of a measure as LaTeX."""
    return MEASURES[name].latex if name in MEASURES else tex_text(measure_symbol(name))


def symbol_parts(name: str) -> list[NamePart]:
    """Return the symbol of a measure in parts."""
    if name not in MEASURES:
        return [NamePart(measure_symbol(name))]
    return [NamePart(text, "low" if low else "") for text, low in MEASURES[name].symbol_parts]


def title_parts(name: str) -> list[NamePart]:
    """Return the title of a measure in parts."""
    title = measure_title(name)
    return symbol_parts(name) if title == measure_symbol(name) else [NamePart(title)]


def _title_latex(name: str) -> str:
    title = measure_title(name)
    return measure_latex(name) if title == measure_symbol(name) else tex_text(title)


def _position(value: float | None) -> str:
    return "–" if value is None else position(value)


def _label(label: Label | None) -> str | float | None:
    if isinstance(label, frozenset) or (isinstance(label, float) and label.is_integer()):
        return label_text(label)  # in the form that the readers of files accept
    return label


def _unit(unit: Unit | None) -> str:
    if unit is None:
        return "·"
    return (
        f"{position(unit.start)}–{position(unit.end)} {printable(label_text(unit.label))}".rstrip()
    )


def change_text(value: float | None, places: int = 4) -> str:
    """Return a difference with its sign."""
    if value is None or math.isnan(value):
        return _outcome(value)
    size = decimals(abs(value), places)
    return f"{'−' if value < 0.0 and float(size) else '+'}{size}"


def _flag(value: bool | None) -> str:  # noqa: FBT001 - the value of a cell
    return "–" if value is None else "yes" if value else "no"


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(name="coefficient", text=_outcome, plain=_certain_number),
        Kind(name="drawn", text=_outcome_beside_error, plain=_certain_number, by_point=True),
        Kind(
            name="plus_minus",
            text=lambda value: "–" if value is None else value.plus_minus,
            plain=lambda value: plain_number(value.error),
            by_point=True,
        ),
        Kind(name="value", text=_value_text, plain=_number, by_point=True),
        Kind(name="change", text=change_text, plain=plain_number),
        Kind(name="probability", text=_probability, plain=plain_number),
        Kind(name="share", text=_share, plain=plain_number),
        Kind(name="count", text=lambda value: "–" if value is None else f"{value:,}"),
        Kind(name="position", text=_position, plain=plain_number),
        Kind(
            name="interval",
            text=interval_text,
            plain=_interval_parts,
            parts=("interval_low", "interval_high", "confidence"),
            is_interval=True,
        ),
        Kind(
            name="monte_carlo",
            text=interval_text,
            plain=_interval_parts,
            parts=("monte_carlo_low", "monte_carlo_high", "monte_carlo_level"),
            is_interval=True,
        ),
        Kind(
            name="label",
            text=lambda label: printable(label_text(label)) or "(no label)",
            plain=_label,
            align="left",
        ),
        Kind(
            name="measure",
            text=measure_title,
            align="left",
            name_parts=title_parts,
            latex=_title_latex,
        ),
        Kind(
            name="symbol",
            text=lambda name: name.text,
            plain=lambda name: (name.measure, name.label),
            align="left",
            parts=("measure", "label"),
            name_parts=lambda name: name.parts,
            latex=lambda name: name.latex,
        ),
        Kind(name="unit", text=_unit, plain=_unit, align="left"),
        Kind(
            name="amount",
            text=lambda amount: "–" if amount is None else amount.text,
            plain=lambda amount: plain_number(amount.share),
        ),
        Kind(
            name="amounts",
            text=lambda ends: "–" if ends is None else f"{ends[0].number}–{ends[1].number}",
            plain=lambda ends: plain_number(ends[0].share),
        ),
        Kind(name="name", text=_text, align="left"),
        Kind(name="text", text=_text, align="left"),
        Kind(name="signature", text=_text, plain=str, align="left"),
        Kind(name="flag", text=_flag, plain=lambda value: "true" if value else "false"),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table, or the kind of a fact."""

    name: str
    """The name of the attribute, the JSON key and the CSV column."""
    heading: str
    """The heading for readers."""
    kind: Kind
    show: Literal["always", "room", "never"] = "always"
    """``"room"``: hidden first if a table is too wide; ``"never"``: only for programs."""
    usual: object = ...
    """The column is hidden if every shown row has this value."""

    @property
    def measure(self) -> Measure | None:
        """The measure whose symbol is the heading, if the column has its values."""
        found = MEASURES.get(self.name)
        return found if found is not None and found.symbol == self.heading else None


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
    **_words("count", n_boundaries="boundaries", n_left_out="left out"),
    **_words("interval", interval="interval"),
    **_words("monte_carlo", monte_carlo="Monte Carlo"),
    **_words("plus_minus", monte_carlo_se="± draws"),
    **_words("probability", p_value="p-value"),
    **_words("text", undefined="undefined", edits="edits"),
    **_words("position", length="length", spacing="spacing"),
    **_words("count", draws="draws"),
    **_words("text", generation="generation", alignment="alignment", certified="certified"),
    **_words("text", chance="chance"),
    **_words("text", atom="atoms", skipped="skipped", left_out_documents="left out"),
    **_words("text", errors="errors", segments="segments"),
    **_words("name", annotator="annotator"),
    **_words("count", group="group", n_groups="groups"),
    **_words("value", disorder="disorder"),
    **_words("position", start="start", end="end"),
    **_words("name", error="errors"),
    **_words("value", magnitude="magnitude", effect="effect", covariance="covariance"),
    **_words("value", gamma="γ", gamma_mean="γ", gamma_deviation="deviation of γ"),
    **_words("value", gamma_cat="γcat", gamma_cat_mean="γcat"),
    **_words("value", gamma_cat_deviation="deviation of γcat"),
    **_words("count", n_defined="defined"),
    **_words("amounts", gamma_interval="interval", gamma_cat_interval="interval"),
    **_words("amount", together="both"),
    **_words("flag", explains="explains"),
    **_words("text", consensus="consensus", simulated="simulated", intervals="intervals"),
    **_words("text", left_out_errors="left out", left_out_measures="left out"),
    **_words("value", mean="mean", low="low", high="high"),
    **_words("count", n_undefined="undefined"),
    **_words("text", repeats="annotation sets", pilot="pilot"),
    **_words("text", paper="paper", place="place", claim="claim", ours="ours", verdict="verdict"),
    **_words("text", why="why", setup="set-up", margin="tolerance", command="command"),
    **_words("name", figure="figure"),
    **_words("value", first="first", last="last", lowest="lowest", largest_rise="largest rise"),
    **_words("name", policy="policy", done="done"),
    **_words("value", complete="complete", deviation="deviation", width="width"),
    **_words("count", size="size", origin="origin", n_units_now="now"),
    **_words("share", support="support", label_support="same label"),
    **_words("position", start_spread="spread of starts", end_spread="spread of ends"),
    **_words("count", n_undecided="undecided", n_pairs="pairs", missed="missed", alone="alone"),
    **_words("value", parts_position="position", parts_label="labels", parts_missing="missing"),
    **_words("value", parts_total="disorder", loss="of 1 − γ"),
    **_words("share", share="share"),
    **_words("value", weight="weight"),
    **_words("change", gain="gain"),
    **_words("flag", certain="certain"),
    **_words("text", part="part", mostly="mostly"),
    **_words("label", label_a="label", label_b="and label"),
    **_words("text", reason="why", units="units"),
    **_words("text", data="compared"),
    **_words("signature", signature="signature"),
}
"""All columns, by name."""


def column(name: str, **changes: Any) -> Column:  # noqa: ANN401 - fields of a column
    """Return a column of the vocabulary, with changes."""
    return replace(VOCABULARY[name], **changes) if changes else VOCABULARY[name]


def columns(names: str, **show: Literal["always", "room", "never"]) -> tuple[Column, ...]:
    """Return columns of the vocabulary by their names, separated by spaces."""
    return tuple(
        column(name, show=show[name]) if name in show else VOCABULARY[name]
        for name in names.split()
    )


class View(NamedTuple):
    """The part of a table that is shown, with formatted cells."""

    columns: tuple[Column, ...]
    headings: list[str]
    rows: list[Row]
    """The rows of the table that are shown, with the values of all its columns."""
    values: list[Row]
    """The values of the shown columns."""
    cells: list[list[str]]
    n_more: int
    """The number of rows that are not shown."""
    noun: str
    sentences: list[str]
    """Sentences on why values are undefined, for all rows, and notes."""

    def more(self, rest: str) -> str:
        """Return a sentence on the rows that are not shown, or ``""`` if all are shown."""
        return f"and {count(self.n_more, f'more {self.noun}')}; {rest}" if self.n_more else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of values with typed columns."""

    name: str
    """The name for programs: the scope in CSV and the key on the page."""
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    title: str = ""
    noun: str = ""
    """The noun for a row, as in “and 4 more documents”; by default the name of the table."""
    limited: bool = False
    """Whether the limit of a view applies to this table."""
    worst_first: Callable[[Row], Any] | None = None
    """The sort key of the shown rows; by default they keep their order."""
    own_order: bool = False
    """Whether `worst_first` only selects the rows, which then keep their order."""
    rank: Callable[[], Iterable[tuple[Any, str, str | None]]] | None = None
    """A function for tables whose rows are costly to compute; replaces the two fields
    `worst_first` and `reasons`. It returns for each row its sort key, its name and, if it is
    undefined, the reason.
    """
    more: int = 0
    """The number of rows that the table does not contain."""
    reasons: Sequence[tuple[str, str]] = ()
    """The names of undefined values, each with the reason."""
    people: bool = True
    programs: bool = True

    def view(self, limit: int | None = None) -> View:
        """Select the rows and columns to show, and format the cells."""
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
            if one.show != "never" and not (kept and all(row[at] == one.usual for row in kept))
        ]
        shown = tuple(self.columns[at] for at in places)
        values = [tuple(row[at] for at in places) for row in kept]
        cells = [
            [one.kind.text(value) for one, value in zip(shown, row, strict=True)] for row in values
        ]
        headings = [one.heading for one in shown]
        for place, one in enumerate(shown):
            if one.kind.is_interval:
                intervals = [row[place] for row in values]
                levels = {each.confidence for each in intervals if each is not None}
                if len(levels) == 1:
                    headings[place] = f"{one.heading} {100.0 * levels.pop():g} %"
                    continue
                for line, each in zip(cells, intervals, strict=True):
                    line[place] += f" ({100.0 * each.confidence:g} %)" if each else ""
            elif one.kind.by_point:
                _align_points(cells, place)
        return View(
            columns=shown,
            headings=headings,
            rows=kept,
            values=values,
            cells=cells,
            n_more=len(self.rows) - len(kept) + self.more,
            noun=self.noun or self.name,
            sentences=[
                *_sentences(self.reasons, most),
                *_sentences_of_many([rank[1:] for rank in ranks], self.noun or self.name),
            ],
        )


def _align_points(cells: list[list[str]], place: int) -> None:
    """Pad numbers of a column with spaces so that their decimal points are aligned."""
    ends = [len(line[place].partition(".")[2]) for line in cells]
    for line, end in zip(cells, ends, strict=True):
        if end:
            line[place] += " " * (max(ends) - end)


def _sentences(reasons: Iterable[tuple[str, str]], most: int | None) -> Iterator[str]:
    """Yield one sentence per reason; at most `most` sentences with at most `most` names each."""
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in reasons:
        names_by_reason.setdefault(reason, []).append(name)
    for reason, names in list(names_by_reason.items())[:most]:
        verb = "is" if len(names) == 1 else "are"
        yield f"{some(names, most or len(names))} {verb} undefined: {printable(reason)}"
    if most is not None and len(names_by_reason) > most:
        yield f"and {count(len(names_by_reason) - most, 'more reason')}"


def _sentences_of_many(reasons: Iterable[tuple[str, str | None]], noun: str) -> Iterator[str]:
    """Yield one sentence per reason, with the number of rows and the first names."""
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in reasons:
        if reason is not None:
            names_by_reason.setdefault(printable(reason), []).append(name)
    for reason, names in names_by_reason.items():
        yield f"{count(len(names), noun)} undefined: {reason} ({some(names, 3)})"


class Fact(NamedTuple):
    """A value that applies to the whole result."""

    column: Column
    value: Any
    detail: str = ""
    """An explanation, shown in parentheses."""

    @property
    def text(self) -> str:
        """The value as text, with its explanation."""
        formatted = self.column.kind.text(self.value)
        return f"{formatted} ({printable(self.detail)})" if self.detail else formatted


class Figure(NamedTuple):
    """A reference to a chart of the result, by a name that `unisono.charts` resolves."""

    chart: str
    title: str
    description: str
    subject: Any
    """The data to draw."""


_FIGURES = {
    "alignment": (
        "The best alignment.",
        "One lane per annotator; lines connect the units of a group, rings mark missing units.",
    ),
    "annotators": (
        "Pairwise agreement of annotators.",
        "The agreement of each pair of annotators.",
    ),
    "calibration": (
        "Agreement against the magnitude of errors.",
        "Values of simulated annotators at increasing magnitudes of each type of error.",
    ),
    "confusion": (
        "Confusion of labels.",
        "Pairs of aligned units, weighted as in γcat.",
    ),
    "consensus": (
        "The consensus and the units of the annotators.",
        "Pale units have little support; whiskers show the spread of their bounds.",
    ),
    "curves": (
        "Agreement against the magnitude of errors.",
        "The mean of each measure over simulated annotation sets, with its spread.",
    ),
    "draws": (
        "Observed and expected disorder.",
        "The disorder of each random continuum; γ compares their mean with the observed disorder.",
    ),
    "labels": (
        "Agreement by label.",
        "The value of each label with its intervals.",
    ),
    "reliability": (
        "Agreement and outcome.",
        "A point per case, or per cluster, with the line of least squares.",
    ),
    "parts": (
        "The parts of the disorder.",
        "Disorder due to position, labels and missing units, in total and by label.",
    ),
}


def figure(chart: str, subject: object, *, description: str = "") -> Figure:
    """Return a figure by the name of its chart."""
    title, usual = _FIGURES[chart]
    return Figure(chart, title, description or usual, subject)


class Headline(NamedTuple):
    """A main value of the result, shown first on the page and in summaries."""

    measure: str
    value: float | Approximate | Uncertain
    interval: Interval | None = None
    detail: str = ""
    """The rule that was applied, if the name of the measure is not enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The content of a result for readers, and its tables for programs."""

    name: str
    title: str = ""
    headline: tuple[Headline, ...] = ()
    findings: tuple[str, ...] = ()
    """Sentences that state the result."""
    tables: tuple[Table, ...] = ()
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    """Charts of the result, the most useful first."""
    signatures: tuple[Signature, ...] = ()


def shared_notes(results: Mapping[str, Any]) -> tuple[str, ...]:
    """Return each note once, with the measures that it concerns unless it concerns all."""
    about: dict[str, list[str]] = {}
    for name, result in results.items():
        for note in result.notes:
            about.setdefault(note, []).append(measure_title(name))
    return tuple(
        note if len(names) == len(results) else f"{', '.join(names)}: {note}"
        for note, names in about.items()
    )


def without_value(results: Mapping[str, Any]) -> list[str]:
    """Return one sentence with the reasons if no measure has a value, else an empty list."""
    if not results or not all(result.undefined for result in results.values()):
        return []
    why = dict.fromkeys(str(result.undefined) for result in results.values())
    verb = "is" if len(results) == 1 else "are"
    return [f"{', '.join(results)} {verb} undefined: {'; '.join(why)}"]
