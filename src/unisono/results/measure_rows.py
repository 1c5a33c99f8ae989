"""A table of measures of the same units, with rows for single labels below the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unisono.results.agreement import approximate, certain_value, expected_value
from unisono.results.sheet import (
    KINDS,
    Fact,
    MeasureName,
    Table,
    View,
    column,
    columns,
    interval_text,
)
from unisono.results.wording import count, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unisono.model.labels import Label
    from unisono.results.agreement import Agreement

__all__ = ["hidden_labels", "measure_rows", "unused_facts"]

_ROUNDED = replace(KINDS["interval"], text=lambda interval: interval_text(interval, places=2))
_COLUMNS = (
    column("measure", kind=KINDS["symbol"]),
    column("value", kind=KINDS["drawn"]),
    column("undefined", show="never"),
    column("monte_carlo_se", usual=None),
    *columns("observed expected"),
    column("interval", kind=_ROUNDED, usual=None),
    column("n_units", usual=None, show="always"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measures(Table):
    """A table of measures; of many labels it shows those with the largest weights."""

    weights: Mapping[str, float]
    most: int | None
    """The maximum number of labels to show; by default the limit of the caller."""

    def view(self, limit: int | None = None) -> View:
        """Select the labels to show, and format the cells."""
        most = len(self.weights) if limit is None else limit if self.most is None else self.most
        heaviest = set(sorted(self.weights, key=lambda key: -self.weights[key])[:most])
        kept = [row for row in self.rows if row[0].label is None or row[0].label in heaviest]
        why = [(row[0].text, row[2]) for row in kept if row[2]]
        shown = Table.view(replace(self, rows=kept, reasons=why), None)
        return shown._replace(n_more=len(self.weights) - len(heaviest))


def measure_rows(
    results: Iterable[tuple[str, str | None, Agreement]],
    *,
    weights: Mapping[str, float],
    units: Mapping[str, int] = {},
    min_units: int = 1,
    most: int | None = None,
    symbols: Mapping[str, str] = {},
) -> Table:
    """Return a table of measures by name and label; labels with larger weights come first.

    `units` has the number of units of each label; labels with fewer than `min_units` are left out.
    `symbols` has the symbols that are not the registered ones.
    """
    weights = {key: each for key, each in weights.items() if units.get(key, min_units) >= min_units}
    rank = {key: -each for key, each in weights.items()}
    found = [each for each in results if each[1] is None or each[1] in weights]
    found.sort(key=lambda each: (each[1] is not None, rank.get(each[1] or "", 0.0)))
    rows = [
        (
            MeasureName(name, key, symbols.get(name, "")),
            *(certain_value(of), of.undefined, approximate(of)),
            *(of.observed, expected_value(of), of.interval),
            None if key is None else units.get(key),
        )
        for name, key, of in found
    ]
    return _Measures(
        name="measure",
        columns=_COLUMNS,
        rows=rows,
        noun="label",
        limited=True,
        programs=False,
        weights=weights,
        most=most,
    )


def hidden_labels(units: Mapping[Label | None, int], min_units: int) -> tuple[str, ...]:
    """Return a note on the labels with fewer units than a table shows; empty if there are none."""
    hidden = sum(number < min_units for number in units.values())
    if not hidden:
        return ()
    return (f"{count(hidden, 'label')} with fewer than {count(min_units, 'unit')} not shown",)


def unused_facts(*, skipped: int, left_out: Sequence[str]) -> list[Fact]:
    """Return facts on unused data: unreadable rows, documents with fewer than two annotators."""
    facts = []
    if skipped:
        facts.append(Fact(column("skipped"), f"{count(skipped, 'row')} that could not be read"))
    if left_out:
        reason = f"{count(len(left_out), 'document')} with fewer than two annotators"
        facts.append(Fact(column("left_out_documents"), f"{reason}: {some(left_out)}"))
    return facts
