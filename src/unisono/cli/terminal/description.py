"""What was understood of files, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import grid, numbers, sentence
from unisono.errors import setting
from unisono.formats.registry import FORMATS
from unisono.model.labels import label_text
from unisono.results.wording import count, position, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from unisono.studies.description import Description


_LONGEST = 60
_WHO = {
    "units": "those with units (say who saw what if others did too)",
    "corpus": "everyone in the corpus",
    "declared": "told by the files or by a table, also those who marked nothing",
    "mixed": "differs between documents",
}


def description(found: Description, *, title: str | None = None, limit: int = 10) -> Group:
    """Show what was understood of files, and which measures fit."""
    parts: list[RenderableType] = [] if title is None else [Text(title, style="bold")]
    parts += [
        grid(_facts(found, limit)),
        Text(""),
        numbers(
            ["annotator", "documents", "units"],
            _some(
                [
                    [_shortened(name), f"{seen:,}", f"{units:,}"]
                    for name, (seen, units) in found.annotators.items()
                ],
                limit,
            ),
        ),
    ]
    for name, lines in (
        ("could not be read", found.skipped),
        ("odd, but kept", found.odd),
        ("left out", found.left_out),
    ):
        if lines:
            parts += [Text(""), Text(name, style="bold")]
            parts += [sentence(f"  {printable(line[:400])}") for line in lines[:limit]]
    parts += [Text(""), _measures(found)]
    return Group(*parts)


def _facts(found: Description, limit: int) -> list[tuple[str, str]]:
    data, corpus = found.properties, found.corpus
    formats = ", ".join(
        f"{name}: {FORMATS[name].title} ({count(number, 'file')})"
        for name, number in found.formats.items()
    )
    facts = [("formats", formats), ("documents", f"{len(corpus):,}")]
    if len(corpus) != data.shared:
        facts[-1] = ("documents", f"{len(corpus):,}, of which {data.shared:,} have two annotators")
    facts += [
        ("annotators", f"{len(corpus.annotators):,}, {_WHO[corpus.annotators_from]}"),
        ("units", f"{corpus.n_units:,}"),
    ]
    if found.layers:
        facts.append(("layers", _counted(found.layers, limit)))
    labels = {
        label_text(label): number for label, number in found.labels.items() if label is not None
    }
    facts.append(("labels", f"{data.n_labels:,}: {_counted(labels, limit)}" if labels else "none"))
    if corpus.n_units:
        lows, highs = zip(*(each.extent for each in corpus.values()), strict=True)
        facts.append(("positions", f"{position(min(lows))} to {position(max(highs))}"))
    told = [
        (data.overlapping, "overlap another of the same annotator"),
        (data.nested, "lie within another"),
        (data.points, "are points"),
        (data.in_pieces, "are in pieces (their whole is measured)"),
        (data.several_labels, "have a set of labels"),
        (data.without_label, "have no label"),
    ]
    peculiar = "; ".join(f"{number:,} {what}" for number, what in told if number)
    facts.append(("of the units", peculiar or "none overlap"))
    full = "they cover documents from end to end"
    facts.append(("gaps", "units leave gaps" if data.leaves_gaps else full))
    return facts


def _measures(found: Description) -> RenderableType:
    rows = [
        (fit.family.title, f"{'yes' if fit.fits else 'no'}: {fit.why}", fit.family.command)
        for fit in found.measures
    ]
    lines = [(name, f"{why} (unisono {command})") for name, why, command in rows]
    heading: list[RenderableType] = [Text("Which measures fit", style="bold")]
    if len(found.layers) > 1:
        told = f"{len(found.layers)} layers are counted together here; choose with"
        heading.append(sentence(f"{told} {setting('layer')}"))
    return Group(*heading, grid(lines))


def _counted(counts: Mapping[str, int], limit: int) -> str:
    items = list(counts.items())
    told = [f"{_shortened(name)} ({number:,})" for name, number in items[:limit]]
    if len(items) > limit:
        told.append(f"and {len(items) - limit:,} more")
    return ", ".join(told)


def _shortened(name: str) -> str:
    # Some tools have a whole transcription in the place of a label.
    return printable(name if len(name) <= _LONGEST else name[:_LONGEST] + "…")


def _some(rows: Sequence[Sequence[str]], limit: int) -> Sequence[Sequence[str]]:
    if len(rows) <= limit:
        return rows
    return [*rows[:limit], [f"… and {len(rows) - limit:,} more", "", ""]]
