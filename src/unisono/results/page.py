"""A sheet as plain data for the web page: formatted texts with their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unisono.registry import FAMILIES, MEASURES
from unisono.results.sheet import (
    KINDS,
    MeasureName,
    NamePart,
    interval_text,
    measure_title,
    title_parts,
)
from unisono.results.values import Approximate
from unisono.results.wording import count, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unisono.registry import Measure
    from unisono.results.sheet import Headline, Kind, Sheet, Table
    from unisono.results.values import Interval

__all__ = ["page"]

_ROWS = 200
_REST = "the downloads contain all"
_LARGE_VALUES = 4
_MATRIX_SIDE = 24


def page(
    sheet: Sheet, *, limit: int = _ROWS, rest: str = _REST, reading: Sequence[Table] = ()
) -> dict[str, Any]:
    """Return a sheet as plain data for the web page: formatted texts with their values.

    ``reading`` has the tables on how the files were read.

    Names of measures are lists of parts, each a text and its style: ``"low"`` for a subscript,
    ``"name"`` for a label, whose writing direction may differ.
    """
    tables = [_table(table, sheet, limit, rest) for table in sheet.tables if table.people]
    pairs = _pairs(sheet)
    named = {one.measure for one in sheet.headline}
    named.update(name for table in tables for name in table["measures"])
    named.update(each["measure"] for each in pairs)
    return {
        "name": sheet.name,
        "title": printable(sheet.title),
        "headline": [_headline(one, tables) for one in _leading(sheet.headline)],
        "findings": [printable(finding) for finding in sheet.findings],
        "tables": tables,
        "pairs": pairs,
        "facts": [
            {"name": fact.column.name, "heading": fact.column.heading, "text": fact.text}
            for fact in sheet.facts
        ],
        "notes": [printable(note) for note in sheet.notes],
        "reading": [_table(table, sheet, limit, rest) for table in reading],
        "signatures": [printable(str(signature)) for signature in sheet.signatures],
        "measures": {name: _measure(MEASURES[name]) for name in MEASURES if name in named},
    }


def _measure(measure: Measure) -> dict[str, Any]:
    facts = ("name", "symbol", "title", "meaning", "perfect", "by_chance", "low")
    return {name: getattr(measure, name) for name in facts}


def _leading(headline: tuple[Headline, ...]) -> list[Headline]:
    """Return the main values: those that represent their families, or the first values."""
    representative = {name for family in FAMILIES.values() for name in family.shown}
    return ([one for one in headline if one.measure in representative] or [*headline])[
        :_LARGE_VALUES
    ]


def _headline(one: Headline, tables: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a main value, with the name that it has in the table."""
    measure, coefficient = MEASURES[one.measure], KINDS["coefficient"]
    table, at = next(
        (
            (table, table["measures"].index(one.measure))
            for table in tables
            if one.measure in table["measures"]
        ),
        (None, 0),
    )
    text = coefficient.text(one.value)
    scale = f"{measure.perfect:g} is perfect agreement"
    if measure.by_chance is not None:
        scale += f", {measure.by_chance:g} is agreement by chance"
    return {
        **_measure(measure),
        "parts": table["subjects"][at] if table else title_parts(measure.name),
        "detail": one.detail,
        "value": coefficient.plain(one.value),
        "text": text,
        "interval": _around(one, table, at),
        "scale": f"{scale}.",
    }


def _around(one: Headline, table: dict[str, Any] | None, at: int) -> dict[str, Any] | None:
    """Return an interval, by default the first one in the row of the table, with its text."""
    interval = one.interval
    if interval is not None:
        places = 2 if isinstance(one.value, Approximate) else 4
        text = (
            f"interval {100.0 * interval.confidence:g} %: {interval_text(interval, places=places)}"
        )
        return {**_interval(interval), "text": text}
    if table is None:
        return None
    for place, column in enumerate(table["columns"]):
        if column["kind"] == "interval" and table["values"][at][place]:
            text = f"{column['heading']}: {table['cells'][at][place]}"
            return {**table["values"][at][place], "text": text}
    return None


def _table(table: Table, sheet: Sheet, limit: int, rest: str) -> dict[str, Any]:
    view = table.view(limit)
    subjects = []
    if view.columns and (parts := view.columns[0].kind.name_parts) is not None:
        subjects = [(_subject(row[0]), parts(row[0])) for row in view.values]
    elif len(sheet.headline) == 1 and "value" in (column.name for column in view.columns):
        # The rows are parts of the only value: labels, or pairs of annotators.
        named = [[NamePart(cells[0], "name")] for cells in view.cells]
        subjects = [(sheet.headline[0].measure, each) for each in named]
    return {
        "name": table.name,
        "title": printable(table.title),
        "columns": [
            {
                "name": one.name,
                "heading": heading,
                "kind": "interval" if one.kind.is_interval else one.kind.name,
                "align": one.kind.align,
            }
            for one, heading in zip(view.columns, view.headings, strict=True)
        ],
        "cells": view.cells,
        "values": [
            [_value(column.kind, value) for column, value in zip(view.columns, row, strict=True)]
            for row in view.values
        ],
        "measures": [name for name, _ in subjects],
        "subjects": [parts for _, parts in subjects],
        "n_more": view.n_more,
        "more": view.more(rest),
        "reasons": view.sentences,
    }


def _interval(interval: Interval) -> dict[str, float | None]:
    low, high, confidence = KINDS["interval"].plain(interval)
    return {"low": low, "high": high, "confidence": confidence}


def _value(kind: Kind, value: Any) -> Any:  # noqa: ANN401 - any value of a cell
    """Return the value of a cell for sorting and drawing, or ``None`` if it has none."""
    if value is None or isinstance(value, bool):
        return value
    return _interval(value) if kind.is_interval else kind.plain(value)


def _subject(value: str | MeasureName) -> str:
    """Return the registered measure of a row; empty if there is none."""
    name = value.measure if isinstance(value, MeasureName) else value
    return name if name in MEASURES else ""


def _pairs(sheet: Sheet) -> list[dict[str, Any]]:
    """Return one matrix of annotators per measure that has values for pairs of annotators."""
    found: dict[str, dict[tuple[str, str], Mapping[str, Any]]] = {}
    for table in sheet.tables:
        names = [column.name for column in table.columns]
        if table.name != "pair" or not {"measure", "annotator_a", "annotator_b"} <= set(names):
            continue
        for row in table.rows:
            of = dict(zip(names, row, strict=True))
            found.setdefault(of["measure"], {})[of["annotator_a"], of["annotator_b"]] = of
    # A matrix cannot show errors, which have no upper bound, or values that depend on the order
    # of a pair.
    return [
        _matrix(name, pairs)
        for name, pairs in found.items()
        if len(pairs) > 1
        and MEASURES[name].perfect > 0
        and not any((other, one) in pairs for one, other in pairs)
    ]


def _matrix(name: str, pairs: Mapping[tuple[str, str], Mapping[str, Any]]) -> dict[str, Any]:
    all_annotators = list(dict.fromkeys(annotator for pair in pairs for annotator in pair))
    annotators = all_annotators[:_MATRIX_SIDE]
    kind = KINDS["coefficient"]

    def cell(one: str, other: str) -> dict[str, Any] | None:
        of = pairs.get((one, other)) or pairs.get((other, one))
        if of is None:
            return None
        text, why = kind.text(of["value"]), of["undefined"]
        return {
            "value": kind.plain(of["value"]),
            "text": text,
            "why": why and printable(why),
        }

    return {
        "measure": name,
        "title": measure_title(name),
        "annotators": [printable(annotator) for annotator in annotators],
        "cells": [[cell(one, other) for other in annotators] for one in annotators],
        "more": f"and {count(len(all_annotators) - len(annotators), 'more annotator')}"
        if len(all_annotators) > len(annotators)
        else "",
    }
