"""A diagnosis as text: the parts of the disorder, and who and what they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import grid, numbers, sentence, signature_line
from unisono.measures.gamma.result import facts
from unisono.model.labels import label_text
from unisono.results.wording import count, decimals, printable
from unisono.studies.diagnosis import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from unisono.studies.diagnosis import Diagnosis, Parts


_PARTS = ("position", "labels", "missing", "share")


def diagnosis_tables(
    found: Diagnosis, *, title: str | None = None, limit: int = 10, rest: str = "--json has all"
) -> list[RenderableType]:
    """Show where disorder comes from: in all, by label, annotator, confusion and document."""
    return [
        _summary(found, title),
        *_views(found, limit, rest),
        *_confusions(found, limit, rest),
        *_documents(found, limit, rest),
    ]


def _summary(found: Diagnosis, title: str | None) -> Group:
    parts: list[RenderableType] = [] if title is None else [Text(printable(title), style="bold")]
    parts.append(numbers(["part", "disorder", "share", "of 1 − γ"], found.part_cells()))
    result = found.gamma
    if result.undefined:
        parts.append(sentence(f"γ is undefined: {printable(result.undefined)}"))
    told = [("γ", "undefined" if result.undefined else decimals(result.value)), *facts(result)]
    return Group(*parts, Text(), grid(told), Text(), signature_line(found.signature))


def _views(found: Diagnosis, limit: int, rest: str) -> list[RenderableType]:
    total = found.parts.total
    labels = [
        (printable(label_text(label)) or "(no label)", each.parts, [f"{each.n_units:,}"])
        for label, each in found.by_label.items()
    ]
    people = [
        (
            printable(name),
            each.parts,
            [f"{each.n_units:,}", f"{each.missed:,}", f"{each.alone:,}"],
        )
        for name, each in found.by_annotator.items()
    ]
    return [
        _table(["label", *_PARTS, "units"], labels, total, limit, rest),
        _table(["annotator", *_PARTS, "units", "missed", "alone"], people, total, limit, rest),
    ]


def _confusions(found: Diagnosis, limit: int, rest: str) -> list[RenderableType]:
    if not found.confusions:
        return []
    cells = [
        [
            " – ".join(printable(label_text(label)) or "(no label)" for label in each.labels),
            f"{each.pairs:,}",
            decimals(each.disorder),
            percent(each.disorder, found.parts.total),
        ]
        for each in found.confusions[:limit]
    ]
    headings = ["labels of one unit", "pairs", "disorder", "share"]
    return [_with_rest(headings, cells, len(found.confusions) - limit, "pair", rest)]


def _documents(found: Diagnosis, limit: int, rest: str) -> list[RenderableType]:
    if len(found.documents) < 2:
        return []
    worst = sorted(
        found.documents.items(), key=lambda pair: (-pair[1].weight * pair[1].parts.total, pair[0])
    )
    cells = [
        [
            printable(name),
            *(decimals(each.weight * part) for part in each.parts),
            percent(each.weight * each.parts.total, found.parts.total),
            "undefined" if each.gamma.undefined else decimals(each.gamma.value),
            f"{each.gamma.n_units:,}",
        ]
        for name, each in worst[:limit]
    ]
    headings = ["document", *_PARTS, "γ", "units"]
    return [_with_rest(headings, cells, len(worst) - limit, "document", rest)]


def _table(
    headings: Sequence[str],
    lines: Sequence[tuple[str, Parts, list[str]]],
    total: float,
    limit: int,
    rest: str,
) -> RenderableType:
    worst = sorted(lines, key=lambda line: (-line[1].total, line[0]))
    cells = [
        [name, *map(decimals, parts), percent(parts.total, total), *more]
        for name, parts, more in worst[:limit]
    ]
    return _with_rest(headings, cells, len(worst) - limit, headings[0], rest)


def _with_rest(
    headings: Sequence[str], cells: Sequence[Sequence[str]], more: int, what: str, rest: str
) -> RenderableType:
    shown = numbers(headings, cells)
    if more <= 0:
        return shown
    return Group(shown, Text(f"and {count(more, what)} more; {rest}", style="dim"))
