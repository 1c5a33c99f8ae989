"""The command of all measures of units: ``unisono all``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.items import MEASURE_OPTIONS
from unisono.cli.options.shared import (
    OPTIONS,
    SWITCHED_OFF,
    ChanceModel,
    Csv,
    Json,
    Paths,
    Rows,
    Weights,
    check_rows,
    distance_of,
    named_option,
)
from unisono.cli.options.work import Sending, code_for
from unisono.cli.progress import Watch
from unisono.cli.segments_commands import SEGMENT_OPTIONS
from unisono.cli.terminal import measure_table as side_by_side_text
from unisono.cli.unitizing_commands import UNITIZING_OPTIONS
from unisono.cli.units import COMPARE_OPTIONS
from unisono.errors import DataError, worded
from unisono.results.record import label_keys, plain_number
from unisono.results.wording import count
from unisono.studies.many_measures import side_by_side

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus
    from unisono.results.agreement import Agreement
    from unisono.studies.measure_table import SideBySide


ALL_EXAMPLES = """\
Examples:

  unisono all turns.csv --seed 42
  unisono all interviews/ --annotators corpus --overlap split
  unisono all turns.csv --atom 0.1 --tolerance 0.5 --csv measures.csv
  unisono all turns.csv --json | jq .measures.u_alpha_coding.value"""
_OPTIONS: Mapping[str, str] = {
    **MEASURE_OPTIONS,
    **OPTIONS,
    **UNITIZING_OPTIONS,
    **SEGMENT_OPTIONS,
    **COMPARE_OPTIONS,
}
_OTHERS = Group("Other measures", sort_key=25)
_FOUND_IN = "--csv or --json has all"
_HEADINGS = (
    *("measure", "label", "value", "observed", "expected", "undefined"),
    *("n_documents", "n_annotators", "n_units", "signature"),
)


def all_option_named(name: str, /, *value: object) -> str:
    """Name a setting of any measure of units as the command line calls it.

    Examples
    --------
    >>> from unisono.cli.all_commands import all_option_named
    >>> all_option_named("overlap", "split"), all_option_named("atom", ...)
    ('--overlap split', '--atom LENGTH')
    """
    if name == "atom" and ... in value:
        return "--atom LENGTH"
    return named_option(_OPTIONS, SWITCHED_OFF, name, *value)


def all_measures(
    *paths: Paths,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    overlap: Annotated[Literal["raise", "merge", "split"], Parameter(group=_OTHERS)] = "raise",
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=_OTHERS)] = None,
    tolerance: Annotated[float, Parameter(metavar="COLLAR", group=_OTHERS)] = 0.0,
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    work: Sending = Sending(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    rows: Rows = 10,
) -> ExitCode | None:
    """Put γ, the alphas, κ_d, slot errors and others side by side.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    overlap
        Where one annotator's units overlap, alphas and κ_d have no value, or merge or split them.
    atom
        How long an atom is, for κ_d and for boundaries of segments (1).
    tolerance
        A collar: by how much bounds may differ for the slot error rate.
    chance
        For γ: shift units, mix documents, draw from a fitted model, or as the authors' program.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a measure and label, to a file or else to stdout.
    rows
        Labels to show in the table.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["all", "--overlap", "ignore", "talk.csv"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_rows(rows)
    settings = drawing.given()
    if weights.distance is not None:
        settings["distance"] = distance_of(weights.distance)
    with Watch() as watch, worded(all_option_named):
        corpus = reading.corpus(paths, watch)
        watch.phase("measuring")
        with work.opened(drawing.workers) as sent:
            result = side_by_side(
                corpus,
                overlap=overlap,
                atom=atom,
                tolerance=tolerance,
                dissimilarity=weights.dissimilarity(chance),
                chance=chance,
                progress=watch if watch.somebody_watches else None,
                **settings,
                **sent,
            )
    if as_csv is not None:
        output.write_csv(as_csv, _HEADINGS, measure_rows(result))
    if as_json:
        output.print_json(result.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(
            side_by_side_text.measures(result, title=_title(corpus), limit=rows, rest=_FOUND_IN)
        )
    if all(of.undefined for of in result.measures.values()):
        # The data have nothing to measure, which a script must notice.
        msg = f"all measures are undefined; of γ: {result['gamma'].undefined}"
        raise DataError(msg)
    return code_for(result["gamma"])


def measure_rows(result: SideBySide) -> Iterator[list[Any]]:
    """Give a row for each measure, then those of each label.

    Parameters
    ----------
    result
        What ``side_by_side`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.cli.all_commands import measure_rows
    >>> talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
    >>> [row[:2] for row in measure_rows(un.side_by_side(talk, rng=1))][-2:]
    [['gamma_k', 'A'], ['u_alpha_k', 'A']]
    """
    about = [result.n_documents, result.n_annotators, result.n_units]
    for name, of in result.measures.items():
        yield _row(name, None, of, about)
    keys = label_keys(result.by_label)
    for label, measures in result.by_label.items():
        for name, of in measures.items():
            yield _row(name, keys[label], of, about)


def _row(name: str, label: str | None, of: Agreement, about: list[int]) -> list[Any]:
    numbers = map(plain_number, (of.value, of.observed, of.expected))
    return [name, label, *numbers, of.undefined, *about, str(of.signature)]


def _title(corpus: Corpus) -> str:
    if len(corpus) == 1:
        return next(iter(corpus))
    return f"{count(len(corpus), 'document')}, pooled"
