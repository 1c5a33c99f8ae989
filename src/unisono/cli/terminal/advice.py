"""An advice as text: what to decide first, and what changes would gain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import and_more, numbers, sentence, signature_line
from unisono.model.labels import label_text
from unisono.results.wording import decimals, position, printable
from unisono.studies.advice import NOT_CERTAIN, gain_words
from unisono.studies.diagnosis import percent

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.studies.advice import Advice, Gain, GroupShare


_SAID = 6


def advice_tables(
    found: Advice, *, title: str | None = None, limit: int = 10, rest: str = "--json has all"
) -> list[RenderableType]:
    """Show what to decide first, and what merging labels and leaving out annotators would gain."""
    return [
        _places(found, title, limit, rest),
        *_documents(found, limit, rest),
        *_merges(found),
        *_people(found, limit, rest),
    ]


def _places(found: Advice, title: str | None, limit: int, rest: str) -> Group:
    several = bool(found.documents)
    parts: list[RenderableType] = [] if title is None else [Text(printable(title), style="bold")]
    if found.adjudicate:
        cells = [_place(group, several=several) for group in found.adjudicate[:limit]]
        headings = ["decide first", "units", "of all disorder", "γ gained"]
        parts.append(numbers(headings, cells, names=2))
        parts += and_more(found.n_disagreeing - len(cells), rest, "group")
    else:
        parts.append(sentence("there is no disorder, so there is nothing to decide"))
    parts.extend(sentence(printable(note)) for note in found.notes)
    return Group(*parts, Text(), signature_line(found.signature))


def _place(group: GroupShare, *, several: bool) -> list[str]:
    said = [
        f"{unit.annotator}: {label_text(unit.label) or '(no label)'}"
        for unit in group.units
        if unit is not None
    ]
    more = f"; and {len(said) - _SAID} more" if len(said) > _SAID else ""
    where = f"{group.document} " if several else ""
    return [
        printable(f"{where}{position(group.start)}–{position(group.end)}"),
        printable("; ".join(said[:_SAID]) + more),
        percent(group.share, 1.0),
        decimals(group.loss),
    ]


def _documents(found: Advice, limit: int, rest: str) -> list[RenderableType]:
    if len(found.documents) < 2:
        return []
    cells = [
        [
            printable(each.document),
            percent(each.share, 1.0),
            decimals(each.loss),
            decimals(each.value),
            f"{each.n_units:,}",
        ]
        for each in found.documents[:limit]
    ]
    headings = ["document", "of all disorder", "γ gained", "γ", "units"]
    more = and_more(len(found.documents) - limit, rest, "document")
    return [Group(numbers(headings, cells), *more)]


def _merges(found: Advice) -> list[RenderableType]:
    if not found.merges:
        return []
    cells = [
        [
            " – ".join(printable(label_text(label)) or "(no label)" for label in merge.labels),
            f"{merge.pairs:,}",
            *gain_words(merge.gain),
        ]
        for merge in found.merges
    ]
    headings = ["labels merged", "pairs", "γ then", "gain", "Monte Carlo"]
    return [Group(numbers(headings, cells), *_remarks([each.gain for each in found.merges]))]


def _people(found: Advice, limit: int, rest: str) -> list[RenderableType]:
    if not found.annotators:
        return []
    people = found.annotators[:limit]
    cells = [[printable(each.annotator), *gain_words(each.gain)] for each in people]
    more = and_more(len(found.annotators) - limit, rest, "annotator")
    table = numbers(["without", "γ then", "gain", "Monte Carlo"], cells)
    return [Group(table, *more, *_remarks([each.gain for each in people]))]


def _remarks(gains: list[Gain]) -> list[RenderableType]:
    unsure = sum(not gain.certain and not gain.undefined for gain in gains)
    told: list[RenderableType] = []
    if unsure:
        told.append(sentence(f"an interval that holds 0: the gain is {NOT_CERTAIN}"))
    reasons = dict.fromkeys(gain.undefined for gain in gains if gain.undefined)
    told.extend(sentence(f"undefined: {printable(reason)}") for reason in reasons)
    return told
