"""The command of the unitizing alphas: ``unisono unitizing``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.options.input import Reading
from unisono.cli.options.items import Comparing
from unisono.cli.options.shared import (
    OPTIONS,
    SWITCHED_OFF,
    Csv,
    Json,
    Paths,
    Rows,
    check_rows,
    named_option,
)
from unisono.cli.progress import Watch
from unisono.cli.terminal import unitizing as unitizing_text
from unisono.errors import DataError, worded
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.results.record import label_keys, plain_number
from unisono.results.wording import count

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.measures.unitizing.unitizing_result import UnitizingResult
    from unisono.results.agreement import Agreement


UNITIZING_EXAMPLES = """\
Examples:

  unisono unitizing turns.csv
  unisono unitizing interviews/ --annotators corpus --csv documents.csv
  unisono unitizing entities.csv --overlap split --distance masi
  unisono unitizing turns.csv --generation 2013
  unisono unitizing turns.csv --json | jq .coding.value"""
UNITIZING_OPTIONS: Mapping[str, str] = {
    "distance": "--distance",
    "generation": "--generation",
    "order": "--order",
    "overlap": "--overlap",
}
"""What `unitizing_alpha` calls a setting, and the option for it."""
ALPHAS = Group("Alphas", sort_key=10)
_FOUND_IN = "--csv or --json has all"
_HEADINGS = (
    *("scope", "document", "measure", "label", "value", "observed", "expected", "undefined"),
    *("n_annotators", "n_units", "length", "signature"),
)


def unitizing_option_named(name: str, /, *value: object) -> str:
    """Name a setting of `unitizing_alpha` as the command line calls it.

    Examples
    --------
    >>> from unisono.cli.unitizing_commands import unitizing_option_named
    >>> unitizing_option_named("overlap", "split"), unitizing_option_named("order", ...)
    ('--overlap split', '--order LABELS')
    """
    return named_option({**OPTIONS, **UNITIZING_OPTIONS}, SWITCHED_OFF, name, *value)


def unitizing(
    *paths: Paths,
    generation: Annotated[Literal["2016", "2013", "1995"], Parameter(group=ALPHAS)] = "2016",
    distance: Annotated[str | None, Parameter(metavar="NAME|FILE.csv", group=ALPHAS)] = None,
    order: Annotated[str | None, Parameter(metavar="LABELS", group=ALPHAS)] = None,
    overlap: Annotated[Literal["raise", "merge", "split"], Parameter(group=ALPHAS)] = "raise",
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    rows: Rows = 10,
) -> None:
    """Measure agreement on units by length: uα, |uα, cuα and (k)uα.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    generation
        uα, |uα, cuα and (k)uα of 2016; the uα that γ was compared with; or αU.
    distance
        Distance of cuα: nominal (1 or 0), ordinal, interval, ratio, circular, bipolar, edit,
        jaccard, dice, masi, or a matrix.
    order
        All labels from low to high, such as low,mid,high; numbers need none.
    overlap
        What to do with units of one annotator that overlap: stop, merge those of the same label,
        or split them into pieces with sets of labels.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row an alpha, for all documents and for each, to a file or else to stdout.
    rows
        Documents to show in the table.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["unitizing", "--overlap", "ignore", "talk.csv"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_rows(rows)
    with Watch() as watch:
        corpus = reading.corpus(paths, watch)
        watch.phase("measuring")
        with worded(unitizing_option_named):
            labels = [label for label in corpus.labels if label is not None]
            given: dict[str, Any] = Comparing(order=order).given(labels, distance)
            wanted = True if as_json or as_csv is not None else None
            result = unitizing_alpha(
                corpus,
                generation=generation,
                overlap=overlap,
                by_label=wanted,
                by_document=wanted,
                **given,
            )
    if as_csv is not None:
        output.write_csv(as_csv, _HEADINGS, alpha_rows(result))
    if as_json:
        output.print_json(result.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(*_tables(result, rows=rows))
    if all(part.undefined for part in (result.u, result.binary, result.coding)):
        # The data have nothing to measure, which a script must notice.
        msg = f"the alphas are undefined: {result.u.undefined}"
        raise DataError(msg)


def alpha_rows(result: UnitizingResult) -> Iterator[list[Any]]:
    """Give a row for each alpha: of all documents first, then of each.

    Parameters
    ----------
    result
        What ``unitizing_alpha`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.cli.unitizing_commands import alpha_rows
    >>> talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
    >>> [row[:4] for row in alpha_rows(un.unitizing_alpha(talk))][2:]
    [['all', None, 'coding', None], ['all', None, 'by_label', 'A']]
    """
    yield from _rows("all", None, result)
    for name, document in result.documents.items():
        yield from _rows("document", name, document)


def _rows(scope: str, name: str | None, result: UnitizingResult) -> Iterator[list[Any]]:
    about = (result.n_annotators, result.n_units, plain_number(result.length))
    for measure in ("u", "binary", "coding"):
        yield [scope, name, measure, None, *_cells(getattr(result, measure), about)]
    keys = label_keys(result.by_label)
    for label, of in result.by_label.items():
        yield [scope, name, "by_label", keys[label], *_cells(of, about)]


def _cells(result: Agreement, about: tuple[Any, ...]) -> list[Any]:
    numbers = map(plain_number, (result.value, result.observed, result.expected))
    return [*numbers, result.undefined, *about, str(result.signature)]


def _tables(result: UnitizingResult, *, rows: int) -> list[RenderableType]:
    if result.n_documents + len(result.left_out_documents) == 1:
        name = next(iter(result.documents), None)
        return [unitizing_text.summary(result, title=name, rest=_FOUND_IN)]
    title = f"{count(result.n_documents, 'document')}, pooled"
    shown: list[RenderableType] = [unitizing_text.summary(result, title=title, rest=_FOUND_IN)]
    if result.documents:
        shown.append(unitizing_text.documents(result, limit=rows, rest=_FOUND_IN))
    return shown
