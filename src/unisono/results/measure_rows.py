"""Measures of the same units as the rows of one table, those of each label below the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unisono.results.agreement import outcome
from unisono.results.record import plain_number
from unisono.results.sheet import KINDS, Column, Fact, Kind, Table, View, column, columns
from unisono.results.wording import count, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unisono.results.agreement import Agreement

__all__ = ["measure_rows", "unused_facts"]

# Its values are agreements, which know whether they are certain.
_OUTCOME = Kind(name="coefficient", text=outcome, plain=lambda of: plain_number(of.value))
_LEAD = (
    column("measure", kind=KINDS["text"]),
    column("label", kind=KINDS["text"], show="never"),
    column("value", kind=_OUTCOME),
    *columns("observed expected undefined", undefined="never"),
)
_INTERVALS = (
    column("interval"),
    Column(
        name="monte_carlo",
        heading="Monte Carlo",
        kind=replace(
            KINDS["interval"],
            parts=("monte_carlo_low", "monte_carlo_high", "monte_carlo_level"),
        ),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measures(Table):
    """Measures and, of too many labels, those that weigh most, in their own order."""

    weights: Mapping[str, float]
    most: int | None
    """How many labels people see at most; without it as many as they asked for."""

    def view(self, limit: int | None = None) -> View:
        """Choose the labels that people see, and word the cells."""
        most = len(self.weights) if limit is None else limit if self.most is None else self.most
        heaviest = set(sorted(self.weights, key=lambda key: -self.weights[key])[:most])
        kept = [row for row in self.rows if row[1] is None or row[1] in heaviest]
        why = [(row[0], row[5]) for row in kept if row[5]]
        shown = Table.view(replace(self, rows=kept, reasons=why), None)
        return shown._replace(n_more=len(self.weights) - len(heaviest))


def measure_rows(
    results: Iterable[tuple[str, str | None, Agreement]],
    *,
    weights: Mapping[str, float],
    most: int | None = None,
) -> Table:
    """Return a table for people of measures by symbol and label, with the weights of labels."""
    found = [
        (f"{symbol} {key or '(no label)'}" if key is not None else symbol, key, of)
        for symbol, key, of in results
    ]
    extra = [each for each in _INTERVALS if any(getattr(of, each.name, None) for *_, of in found)]
    rows = [
        (
            *(name, key, of, of.observed, of.expected, of.undefined),
            *(getattr(of, each.name, None) for each in extra),
        )
        for name, key, of in found
    ]
    return _Measures(
        name="measure",
        columns=(*_LEAD, *extra),
        rows=rows,
        noun="label",
        limited=True,
        programs=False,
        weights=weights,
        most=most,
    )


def unused_facts(*, skipped: int, left_out: Sequence[str]) -> list[Fact]:
    """Return what was read and not used: rows, and documents with fewer than two annotators."""
    facts = []
    if skipped:
        facts.append(Fact(column("skipped"), f"{count(skipped, 'row')} that could not be read"))
    if left_out:
        told = f"{count(len(left_out), 'document')} with fewer than two annotators"
        facts.append(Fact(column("left_out_documents"), f"{told}: {some(left_out)}"))
    return facts
