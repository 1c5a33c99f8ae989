"""Results in the words of the command line, as plain data: the page rounds nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rich.console import Group
from rich.table import Table
from rich.text import Text

from unisono.cli.terminal import calibration as calibration_text
from unisono.cli.terminal import comparison as comparison_text
from unisono.cli.terminal import consensus as consensus_text
from unisono.cli.terminal import description as description_text
from unisono.cli.terminal import gamma as text
from unisono.cli.terminal import items as items_text
from unisono.cli.terminal import measure_table as side_by_side_text
from unisono.cli.terminal import segments as segments_text
from unisono.cli.terminal import unitizing as unitizing_text
from unisono.cli.terminal.blocks import Trimmed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


_REST = "the files to download have all"
_ROWS_SHOWN = 200


def shown(measure: str, result: object, *, title: str | None = None) -> dict[str, Any]:
    """Give a result as the blocks that the command line prints, without the printing.

    Parameters
    ----------
    measure
        The name of the measure in the interface, such as ``gamma``.
    result
        What the library returned: of ``segments`` a mapping from names of measures.
    title
        What was measured, for the line above.

    Returns
    -------
    dict
        ``blocks``, each with a ``kind``: ``heading``, ``table`` (headings, rows, and how each
        column is aligned), ``facts`` (pairs), ``sentence``, ``more`` or ``signature``. It is empty
        for a measure that the command line does not print.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.web.wording import shown
    >>> talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
    >>> blocks = shown("gamma", un.gamma(talk, draws=30, rng=42))["blocks"]
    >>> blocks[0]["rows"][0][:3]
    ['γ', '1.0000', '0.0000']
    >>> [block["kind"] for block in blocks]
    ['table', 'sentence', 'facts', 'signature']
    """
    say = _WORDS.get(measure)
    groups = [] if say is None else say(cast("Any", result), title)
    return {"blocks": [block for group in groups for block in _blocks(group)]}


def _gamma(result: Any, title: str | None) -> list[Group]:  # noqa: ANN401 - see _WORDS
    parts = [text.summary(result, title=title, rest=_REST)]
    if len(result.documents) > 1:
        parts.append(text.documents(result, limit=_ROWS_SHOWN, rest=_REST))
    return parts


def _unitizing(result: Any, title: str | None) -> list[Group]:  # noqa: ANN401
    parts = [unitizing_text.summary(result, title=title, rest=_REST)]
    if len(result.documents) > 1:
        parts.append(unitizing_text.documents(result, limit=_ROWS_SHOWN, rest=_REST))
    return parts


def _items(table: Any, title: str | None) -> list[Group]:  # noqa: ANN401
    if len(table) == 1:
        (one,) = table.values()
        return [items_text.coefficient(one, title=title, limit=_ROWS_SHOWN, rest=_REST)]
    return [items_text.coefficients(table, title=title)]


def _compare(result: Any, title: str | None) -> list[Group]:  # noqa: ANN401
    parts = [comparison_text.comparison(result, title=title, rest=_REST)]
    if len(result.documents) > 1:
        parts.append(comparison_text.documents(result, limit=_ROWS_SHOWN, rest=_REST))
    return parts


def _consensus(found: Any, title: str | None) -> list[Group]:  # noqa: ANN401
    several = len(found.documents) > 1
    how: dict[str, Any] = {"limit": _ROWS_SHOWN, "rest": _REST, "by_document": several}
    parts = [
        consensus_text.consensus_table(found, title=title, **how)
        if len(found)
        else Group(consensus_text.nothing_decided())
    ]
    if found.undecided:
        parts.append(consensus_text.undecided_table(found, **how))
    return parts


# One kind of result for each measure, which their functions check no further.
_WORDS: Mapping[str, Callable[[Any, str | None], list[Group]]] = {
    "gamma": _gamma,
    "unitizing": _unitizing,
    "segments": lambda results, title: [
        segments_text.measures(results, title=title, limit=_ROWS_SHOWN, rest=_REST)
    ],
    "items": _items,
    "compare": _compare,
    "consensus": _consensus,
    "calibrate": lambda found, title: [calibration_text.calibration_table(found, title=title)],
    "all": lambda result, title: [
        side_by_side_text.measures(result, title=title, limit=_ROWS_SHOWN, rest=_REST)
    ],
    "describe": lambda found, title: [
        description_text.description(found, title=title, limit=_ROWS_SHOWN)
    ],
}


def _blocks(part: object) -> Iterator[dict[str, Any]]:
    if isinstance(part, Group):
        for each in part.renderables:
            yield from _blocks(each)
    elif isinstance(part, Trimmed):
        yield from _blocks(part.padded)
    elif isinstance(part, Table):
        yield _facts(part) if not part.show_header else _table(part)
    elif isinstance(part, str) or (isinstance(part, Text) and part.plain):
        yield _line(part if isinstance(part, Text) else Text(part))


def _table(table: Table) -> dict[str, Any]:
    columns = [[_plain(cell) for cell in column.cells] for column in table.columns]
    return {
        "kind": "table",
        "headings": [_plain(column.header) for column in table.columns],
        "aligned": [column.justify for column in table.columns],
        "rows": [list(row) for row in zip(*columns, strict=True)],
    }


def _facts(grid: Table) -> dict[str, Any]:
    names, facts = ([_plain(cell) for cell in column.cells] for column in grid.columns)
    return {"kind": "facts", "pairs": [list(pair) for pair in zip(names, facts, strict=True)]}


def _line(line: Text) -> dict[str, Any]:
    if line.style == "bold":
        return {"kind": "heading", "text": line.plain}
    if line.style == "dim":
        # Of the dim lines one kind tells how much is left out, the other ends in a version.
        return {"kind": "signature" if "|v:" in line.plain else "more", "text": line.plain}
    return {"kind": "sentence", "text": line.plain}


def _plain(cell: object) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)
