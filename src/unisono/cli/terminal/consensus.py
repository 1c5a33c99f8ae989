"""A consensus as text: the units, what is undecided, and the documents of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import grid, numbers, sentence, signature_line
from unisono.model.labels import label_text
from unisono.results.wording import count, decimals, position, printable, some

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.model.continuum import Unit
    from unisono.studies.consensus import Consensus, ConsensusUnit, UndecidedGroup


def consensus_table(
    found: Consensus,
    *,
    title: str | None = None,
    limit: int = 40,
    rest: str = "units has all",
    by_document: bool = True,
) -> Group:
    """Show the units of a consensus and how well each is supported.

    The spread is how far the first and the last start lie apart, and the same of the ends.
    """
    several = bool(found.documents) and by_document
    headings = ["label", "start", "end", "marked by", "same label", "spread"]
    if several:
        headings.insert(0, "document")
    cells = [_cells(unit, several=several) for unit in found.units[:limit]]
    parts: list[RenderableType] = [] if title is None else [Text(printable(title), style="bold")]
    parts.append(numbers(headings, cells, names=2 if several else 1))
    more = len(found.units) - limit
    if more > 0:
        parts.append(Text(f"and {count(more, 'unit')} more; {rest}", style="dim"))
    return Group(*parts, Text(), grid(_facts(found)), Text(), signature_line(found.signature))


def undecided_table(
    found: Consensus,
    *,
    limit: int = 20,
    rest: str = "undecided has all",
    by_document: bool = True,
) -> Group:
    """Show the groups that a person has to decide, along the documents."""
    several = bool(found.documents) and by_document
    headings = ["to decide", "why", "units"]
    if several:
        headings.insert(0, "document")
    cells = [_undecided(group, several=several) for group in found.undecided[:limit]]
    parts: list[RenderableType] = [numbers(headings, cells, names=len(headings))]
    more = len(found.undecided) - limit
    if more > 0:
        parts.append(Text(f"and {count(more, 'group')} more; {rest}", style="dim"))
    return Group(*parts)


def _cells(unit: ConsensusUnit, *, several: bool) -> list[str]:
    seen = round(unit.annotators / unit.support) if unit.support else unit.annotators
    return [
        *([printable(unit.document)] if several else []),
        printable(label_text(unit.label)),
        position(unit.start),
        position(unit.end),
        f"{unit.annotators} of {seen}",
        f"{round(unit.label_support * unit.annotators)} of {unit.annotators}",
        f"{position(unit.start_spread)} / {position(unit.end_spread)}",
    ]


def _undecided(group: UndecidedGroup, *, several: bool) -> list[str]:
    return [
        *([printable(group.document)] if several else []),
        f"{position(group.start)}–{position(group.end)}",
        group.reason,
        "; ".join(_told(unit) for unit in group.units),
    ]


def _told(unit: Unit) -> str:
    place = f"{position(unit.start)}–{position(unit.end)}"
    return f"{printable(unit.annotator)}: {place} {printable(label_text(unit.label))}".rstrip()


def _facts(found: Consensus) -> list[tuple[str, str]]:
    ties = sum(group.why == "labels" for group in found.undecided)
    weak = len(found.undecided) - ties
    undecided = f"{weak:,} for too little support, {ties:,} for a tie of labels"
    facts = [
        ("annotators", f"{found.n_annotators:,}"),
        ("units", f"{len(found):,} from {count(found.n_groups, 'group')}"),
        ("undecided", undecided if found.undecided else "none"),
        ("support", f"{decimals(100.0 * found.support, 0)} % of the annotators, two at least"),
    ]
    if len(found.documents) > 1:
        facts.insert(0, ("documents", f"{len(found.documents):,}"))
    if found.left_out_documents:
        names = some(found.left_out_documents, 3)
        told = count(len(found.left_out_documents), "document")
        facts.append(("left out", f"{told} with fewer than two annotators: {names}"))
    if found.skipped:
        facts.append(("skipped", f"{count(found.skipped, 'row')} that could not be read"))
    facts.extend(("note", printable(note)) for note in found.notes)
    return facts


def nothing_decided() -> RenderableType:
    """Say that there is no unit of a consensus at all."""
    return sentence("no unit has enough support; all groups are left to decide")
