"""`read_cases`: a table with the agreement and the outcome of each case."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import ReadError, setting, shortened
from unisono.formats.tables import Table
from unisono.model.columns import counted, listed, written_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Cases", "read_cases"]

_EXPECTED = "a case in each row"


class Cases(NamedTuple):
    """The columns of a table of cases; ``None`` where a cell is empty."""

    agreement: list[float | None]
    outcome: list[float | None] | list[str | None]
    clusters: list[str | None] | None


def read_cases(
    path: Path,
    *,
    agreement: str | int | None = None,
    outcome: str | int | None = None,
    clusters: str | int | None = None,
    delimiter: str | None = None,
) -> Cases:
    """Read the agreement and the outcome of cases, and their clusters, from a table with a header.

    Columns are names, or numbers from 1; by default those called agreement and outcome.
    """
    table = Table(path, _EXPECTED, delimiter=delimiter)
    places = {
        "agreement": _place(table, "agreement", agreement),
        "outcome": _place(table, "outcome", outcome),
    }
    if clusters is not None:
        places["clusters"] = _place(table, "clusters", clusters)
    if len(set(places.values())) < len(places):
        problem = f"{listed(places)} must be different columns; the columns are "
        raise ReadError(problem + listed(table.first), path=path, line=table.line)
    books = {place: book for book, place in enumerate(places.values())}
    read = table.columns(header=True, texts=books)
    cells = {
        role: [
            "" if code < 0 else str(read.texts[place].values[code]).strip()
            for code in read.texts[place].codes.tolist()
        ]
        for role, place in places.items()
    }
    if not cells["agreement"]:
        problem = f"a header but no rows; expected {_EXPECTED}"
        raise ReadError(problem, path=path)
    columns = _Columns(table, {role: table.first[place].strip() for role, place in places.items()})
    return Cases(
        columns.numbers("agreement", cells["agreement"]),
        columns.labels_or_numbers("outcome", cells["outcome"]),
        [cell or None for cell in cells["clusters"]] if clusters is not None else None,
    )


def _place(table: Table, role: str, column: str | int | None) -> int:
    names = [cell.strip() for cell in table.first]
    if isinstance(column, int) and 0 < column <= len(names):
        return column - 1
    name = role if column is None else column
    if names.count(str(name)) == 1 and not isinstance(name, int):
        return names.index(str(name))
    if column is None and role not in names:
        problem = f"no column is called {role!r}; set {setting(role, ...)}"
    elif name in names:
        problem = f"{names.count(str(name))} columns are called {name!r}; set {setting(role, ...)}"
    else:
        problem = f"no column {name!r}"
    problem += f"; the columns are {listed(names)}"
    raise ReadError(problem, path=table.path, line=table.line)


class _Columns:
    """Cells as numbers, with the place of those that are not."""

    def __init__(self, table: Table, names: dict[str, str]) -> None:
        self.table = table
        self.names = names

    def labels_or_numbers(
        self, role: str, cells: Sequence[str]
    ) -> list[float | None] | list[str | None]:
        """Return two labels as they are, and anything else as numbers."""
        labels = {cell for cell in cells if cell}
        is_number = [_number(cell, self._has_comma(cells)) is not None for cell in labels]
        if all(is_number):
            return self.numbers(role, cells)
        if len(labels) == 2:
            return [cell or None for cell in cells]
        if any(is_number):
            return self.numbers(
                role, cells, f", or the column must have two labels, not {len(labels)}"
            )
        problem = (
            f"the {role} must be numbers or one of two labels; column {self.names[role]!r} has "
            f"{counted(len(labels), 'label')}: {listed(sorted(labels))}"
        )
        raise ReadError(problem, path=self.table.path)

    def numbers(self, role: str, cells: Sequence[str], otherwise: str = "") -> list[float | None]:
        """Return numbers; an empty cell and nan are missing."""
        has_comma = self._has_comma(cells)
        found: list[float | None] = []
        for row, cell in enumerate(cells):
            value = _number(cell, has_comma) if cell else math.nan
            if value is None or math.isinf(value):
                kind = "a number" if value is None else "finite"
                text = shortened(repr(cell))
                problem = (
                    f"column {self.names[role]!r} has {text}, which is not {kind}{otherwise}; "
                    "leave the cell empty if the value is missing"
                )
                raise ReadError(problem, path=self.table.path, line=self.table.line_of(row))
            found.append(None if math.isnan(value) else value)
        return found

    def _has_comma(self, cells: Sequence[str]) -> bool:
        """Return whether the decimal mark is a comma, as no cell has a point."""
        if self.table.delimiter == "," or any("." in cell for cell in cells):
            return False
        return any("," in cell for cell in cells)


def _number(cell: str, has_comma: bool) -> float | None:  # noqa: FBT001 - internal
    try:
        return written_number(cell.replace(",", ".") if has_comma else cell)
    except ValueError:
        return None
