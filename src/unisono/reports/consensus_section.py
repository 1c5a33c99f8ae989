"""The section of a report on the consensus: what is left to decide first, then what is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.reports.excerpts import excerpt, has_texts
from unisono.results.sheet import Paragraph, Section, Table, named, shown
from unisono.results.wording import count, position
from unisono.studies.diagnosis_result import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.reports.findings import Findings
    from unisono.results.sheet import Block, Cell, Figure
    from unisono.studies.consensus_result import UndecidedGroup


_UNDECIDED = 30
_DECIDED = 20
_SAID = 8


def consensus_section(found: Findings, pictures: Mapping[str, Figure]) -> Section:
    """Show what most annotators share: undecided groups first, then the least supported units.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.consensus_section import consensus_section
    >>> from unisono.reports.findings import find
    >>> found = find(un.read("examples/interview.csv"), draws=30, rng=1)
    >>> [part.title for part in consensus_section(found, {}).sections]
    ['Left to decide', 'Decided, the least supported first']
    """
    title, key = "Consensus", "consensus"
    consensus = found.consensus
    if consensus is None:
        why = shown(found.missing.get("consensus", "nothing is aligned"))
        return Section(title, key, (Paragraph(f"There is none: {why}."),))
    share = percent(consensus.support, 1.0).replace(".0 %", " %")
    told = Paragraph(
        f"{count(consensus.n_groups, 'group')} of units: {count(len(consensus.units), 'unit')} "
        f"decided, {count(len(consensus.undecided), 'group')} left. A group becomes a unit when at "
        f"least {share} of the annotators, and two of them, have a unit in it, and one label has "
        "more votes than any other. Its bounds are medians."
    )
    blocks: list[Block] = [told]
    if "consensus" in pictures:
        blocks.append(pictures["consensus"])
    return Section(title, key, tuple(blocks), (_undecided(found), _decided(found)))


def _undecided(found: Findings) -> Section:
    groups = found.consensus.undecided if found.consensus else ()
    title, key = "Left to decide", "undecided"
    if not groups:
        return Section(title, key, (Paragraph("Nothing: a majority decides every group."),))
    several = found.several
    texts = has_texts(list(found.documents.values()))
    rows = [
        _undecided_row(found, group, several=several, texts=texts) for group in groups[:_UNDECIDED]
    ]
    headings = (
        *(("document",) if several else ()),
        *("place", "why", "who said what"),
        *(("text",) if texts else ()),
    )
    table = Table(
        "Groups that no majority decides, along the documents",
        headings,
        tuple(rows),
        frozenset(range(len(headings))) - {headings.index("place")},
        _rest(len(groups) - len(rows), "group"),
    )
    return Section(title, key, (table,))


def _undecided_row(
    found: Findings, group: UndecidedGroup, *, several: bool, texts: bool
) -> tuple[Cell, ...]:
    said = [f"{shown(unit.annotator)}: {named(unit.label)}" for unit in group.units[:_SAID]]
    more = len(group.units) - len(said)
    words = "; ".join(said) + (f"; and {more} more" if more > 0 else "")
    row: list[Cell] = [shown(group.document)] if several else []
    row += [f"{position(group.start)}–{position(group.end)}", shown(group.reason), words]
    if texts:
        continuum = found.continuum(group.document)
        row.append((excerpt(continuum, group.units[0]) if group.units else None) or "–")
    return tuple(row)


def _decided(found: Findings) -> Section:
    units = found.consensus.units if found.consensus else ()
    title, key = "Decided, the least supported first", "decided"
    if not units:
        return Section(title, key, (Paragraph("No group has enough support."),))
    several = found.several
    weakest = sorted(units, key=lambda unit: (unit.support, unit.label_support))[:_DECIDED]
    rows = [
        (
            named(unit.label),
            *((shown(unit.document),) if several else ()),
            f"{position(unit.start)}–{position(unit.end)}",
            f"{unit.annotators} ({percent(unit.support, 1.0)})",
            percent(unit.label_support, 1.0),
            position(unit.start_spread),
            position(unit.end_spread),
        )
        for unit in weakest
    ]
    headings = (
        "label",
        *(("document",) if several else ()),
        *("place", "marked by", "same label", "spread of starts", "spread of ends"),
    )
    table = Table(
        "Units of the consensus with the least support",
        headings,
        tuple(rows),
        frozenset({0, 1} if several else {0}),
        _rest(len(units) - len(rows), "unit"),
    )
    return Section(title, key, (table,))


def _rest(more: int, noun: str) -> str:
    return f"{count(more, noun)} more not shown; unisono consensus has all." if more > 0 else ""
