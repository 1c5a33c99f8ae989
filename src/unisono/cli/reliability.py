"""The command `reliability`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.options.settings import option
from unisono.cli.options.shared import READING, SEED, SeedNumber, parse_delimiter, parse_seed
from unisono.errors import ReadError
from unisono.formats.settings import READ_SETTINGS
from unisono.formats.tables import Table
from unisono.model.columns import listed, written_number
from unisono.studies.reliability import Relation, Scope, reliability_study

if TYPE_CHECKING:
    from unisono.studies.reliability import ReliabilityStudy

RELIABILITY_EXAMPLES = """\
Examples:

  unisono reliability examples/reliability.csv --agreement gamma --outcome f1
  unisono reliability items.csv --agreement alpha --outcome f1 --clusters text
  unisono reliability pairs.csv --agreement kappa --outcome f1 --json"""
_TEST = Group("Test", sort_key=1)
_COLUMNS = Group("Columns", sort_key=0)
FilePath = Annotated[str, Parameter(name="FILE", show_default=False)]


@command()
def reliability(
    run: Run,
    path: FilePath,
    /,
    *,
    agreement: Annotated[
        str, Parameter(help="Column with the agreement.", metavar="COLUMN", group=_COLUMNS)
    ],
    outcome: Annotated[
        str,
        Parameter(
            help="Column with the outcome: numbers, or one of two labels.",
            metavar="COLUMN",
            group=_COLUMNS,
        ),
    ],
    clusters: Annotated[
        str | None,
        Parameter(help="Column with the document of each case.", metavar="COLUMN", group=_COLUMNS),
    ] = None,
    relation: Annotated[Relation, option("relation", group=_TEST)] = "rank",
    scope: Annotated[Scope, option("scope", group=_TEST)] = "between",
    permutations: Annotated[
        int, option("permutations", of="reliability_study", group=_TEST)
    ] = 9999,
    resamples: Annotated[int, option("resamples", of="reliability_study", group=_TEST)] = 2000,
    confidence: Annotated[float, option("confidence", group=_TEST)] = 0.95,
    seed: Annotated[SeedNumber, SEED, Parameter(group=_TEST)] = 0,
    delimiter: Annotated[
        str | None, option("delimiter", table=READ_SETTINGS, group=READING)
    ] = None,
) -> ReliabilityStudy:
    """Relate agreement to an outcome, for a test of its use.

    Parameters
    ----------
    path
        A table with a header and one row per case: item, document or annotator.
    """
    output.register_inputs(path)
    run.title = Path(path).name
    columns = _columns(Path(path), [agreement, outcome, clusters], parse_delimiter(delimiter))
    numbers = _numbers(columns[outcome], Path(path), outcome, may_be_labels=True)
    return reliability_study(
        _numbers(columns[agreement], Path(path), agreement),
        numbers,
        clusters=None if clusters is None else [each or None for each, _ in columns[clusters]],
        relation=relation,
        scope=scope,
        permutations=permutations,
        resamples=resamples,
        confidence=confidence,
        rng=parse_seed(seed),
    )


def _columns(
    path: Path, names: list[str | None], delimiter: str | None
) -> dict[str, list[tuple[str, int | None]]]:
    """Return the cells of columns with their lines."""
    table = Table(path, "a case in each row", delimiter=delimiter)
    header = [cell.strip() for cell in table.first]
    places = {}
    for name in dict.fromkeys(name for name in names if name is not None):
        if header.count(name) != 1:
            what = "no column" if name not in header else f"{header.count(name)} columns"
            problem = f"{what} {name!r}; the columns are {listed(header)}"
            raise ReadError(problem, path=path, line=1)
        places[name] = header.index(name)
    books = {place: book for book, place in enumerate(dict.fromkeys(places.values()))}
    read = table.columns(header=True, texts=books)
    return {
        name: [
            ("" if code < 0 else str(read.texts[place].values[code]).strip(), table.line_of(row))
            for row, code in enumerate(read.texts[place].codes.tolist())
        ]
        for name, place in places.items()
    }


def _numbers(
    cells: list[tuple[str, int | None]], path: Path, name: str, *, may_be_labels: bool = False
) -> list[float | str | None]:
    found: list[float | str | None] = []
    labels = {cell for cell, _ in cells if cell}
    for cell, line in cells:
        try:
            found.append(written_number(cell) if cell else None)
        except ValueError:
            if may_be_labels and len(labels) == 2:
                return [text or None for text, _ in cells]
            labelled = ", or the column must have two labels" if may_be_labels else ""
            problem = f"{name} {cell[:40]!r} is not a number{labelled}; an empty cell is left out"
            raise ReadError(problem, path=path, line=line) from None
    return found
