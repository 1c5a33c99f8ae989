"""The commands on units beside γ: `all`, `unitizing` and `segments`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.compare import COMPARE_OPTIONS
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.items import MEASURE_OPTIONS, Comparing, several
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
from unisono.cli.output import Watch
from unisono.cli.terminal import measure_table as side_by_side_text
from unisono.cli.terminal import unitizing as unitizing_text
from unisono.errors import DataError, worded
from unisono.measures.segmentation.table import SegmentationTable, chosen_measures, measure_segments
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.registry import settings_by_measure
from unisono.results.record import label_keys, plain_number
from unisono.results.wording import count
from unisono.studies.measure_table import side_by_side

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.measures.unitizing.alphas import UnitizingResult
    from unisono.model.corpus import Corpus
    from unisono.results.agreement import Agreement
    from unisono.studies.measure_table import SideBySide


SEGMENTS_EXAMPLES = """\
Examples:

  unisono segments chapters.csv
  unisono segments songs/ --atom 0.5 --gaps segments
  unisono segments chapters.csv --measure b --near 3
  unisono segments chapters.csv --json | jq .boundary_similarity.pi.value"""
SEGMENT_OPTIONS: Mapping[str, str] = {
    "atom": "--atom",
    "gaps": "--gaps",
    "window": "--window",
    "convention": "--convention",
}
"""What measures of segmentations call a setting that a message may name, and the option for it."""
_SEGMENTS = Group("Segments", sort_key=10)
_MEASURING = Group("Measures", sort_key=20)
_FOUND_IN = "--csv or --json has all"


def segment_option_named(name: str, /, *value: object) -> str:
    """Name a setting of a measure of segmentations as the command line calls it."""
    if name == "atom" and ... in value:
        return "--atom LENGTH"
    return named_option({**OPTIONS, **SEGMENT_OPTIONS}, SWITCHED_OFF, name, *value)


@Parameter(name="*", group=_MEASURING)
@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """Settings of the measures; what is not given is as the measure has it.

    Parameters
    ----------
    window
        Window of Pk and WindowDiff, in atoms (half the mean segment of the reference).
    convention
        Windows within the text, or one more as NLTK has (papers).
    near
        Places that a near miss of B and S may span; 2 is one place off (2).
    insertion
        Hamming cost of a boundary that is lacking (2).
    deletion
        Hamming cost of a boundary too much (2).
    shift
        Hamming cost of moving a boundary by one place (1).
    """

    window: Annotated[int | None, Parameter(metavar="ATOMS")] = None
    convention: Literal["papers", "nltk"] | None = None
    near: Annotated[int | None, Parameter(metavar="PLACES")] = None
    insertion: Annotated[float | None, Parameter(metavar="COST")] = None
    deletion: Annotated[float | None, Parameter(metavar="COST")] = None
    shift: Annotated[float | None, Parameter(metavar="COST")] = None

    def given(self) -> dict[str, Any]:
        """Give the settings that were asked for."""
        names = ("window", "convention", "near", "insertion", "deletion", "shift")
        asked = {name: getattr(self, name) for name in names}
        return {name: value for name, value in asked.items() if value is not None}


@command(segment_option_named)
def segments(
    run: Run,
    *paths: Paths,
    measure: Annotated[
        str | None, Parameter(name=["--measure", "--measures"], metavar="NAMES", group=_MEASURING)
    ] = None,
    measuring: Measuring = Measuring(),
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=_SEGMENTS)] = None,
    gaps: Annotated[Literal["raise", "segments"], Parameter(group=_SEGMENTS)] = "raise",
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> SegmentationTable:
    """Measure agreement on where texts are cut: Pk, WindowDiff, B, S.

    Parameters
    ----------
    paths
        Files or folders of tables whose units cover the whole texts: annotator, start, end.
    measure
        Measures, parted by commas: pk, window_diff (wd), generalized_hamming (ghd),
        boundary_similarity (b), segmentation_similarity (s); without it all.
    atom
        How long an atom is, such as 0.5 seconds; boundaries are rounded to atoms. Without it
        boundaries are whole numbers.
    gaps
        Refuse stretches that no unit covers, or take them for segments.
    """
    asked = None if measure is None else several("--measure", measure)
    given = measuring.given()
    settings_by_measure(chosen_measures(asked), given)  # before files are read
    corpus = reading.corpus(paths, run.watch)
    run.title = _title(corpus)
    run.watch.phase("measuring")
    return measure_segments(corpus, measures=asked, atom=atom, gaps=gaps, **given)


def _title(corpus: Corpus) -> str:
    if len(corpus) == 1:
        return next(iter(corpus))
    return f"{count(len(corpus), 'document')}, pooled"


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
_UNITIZING_HEADINGS = (
    *("scope", "document", "measure", "label", "value", "observed", "expected", "undefined"),
    *("n_annotators", "n_units", "length", "signature"),
)


def unitizing_option_named(name: str, /, *value: object) -> str:
    """Name a setting of `unitizing_alpha` as the command line calls it."""
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
        output.write_csv(as_csv, _UNITIZING_HEADINGS, alpha_rows(result))
    if as_json:
        output.print_json(result.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(*_unitizing_tables(result, rows=rows))
    if all(part.undefined for part in (result.u, result.binary, result.coding)):
        # The data have nothing to measure, which a script must notice.
        msg = f"the alphas are undefined: {result.u.undefined}"
        raise DataError(msg)


def alpha_rows(result: UnitizingResult) -> Iterator[list[Any]]:
    """Give a row for each alpha: of all documents first, then of each."""
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


def _unitizing_tables(result: UnitizingResult, *, rows: int) -> list[RenderableType]:
    if result.n_documents + len(result.left_out_documents) == 1:
        name = next(iter(result.documents), None)
        return [unitizing_text.summary(result, title=name, rest=_FOUND_IN)]
    title = f"{count(result.n_documents, 'document')}, pooled"
    shown: list[RenderableType] = [unitizing_text.summary(result, title=title, rest=_FOUND_IN)]
    if result.documents:
        shown.append(unitizing_text.documents(result, limit=rows, rest=_FOUND_IN))
    return shown


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
_MEASURE_HEADINGS = (
    *("measure", "label", "value", "observed", "expected", "undefined"),
    *("n_documents", "n_annotators", "n_units", "signature"),
)


def all_option_named(name: str, /, *value: object) -> str:
    """Name a setting of any measure of units as the command line calls it."""
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
        output.write_csv(as_csv, _MEASURE_HEADINGS, measure_rows(result))
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
    """Give a row for each measure, then those of each label."""
    about = [result.n_documents, result.n_annotators, result.n_units]
    for name, of in result.measures.items():
        yield _measure_row(name, None, of, about)
    keys = label_keys(result.by_label)
    for label, measures in result.by_label.items():
        for name, of in measures.items():
            yield _measure_row(name, keys[label], of, about)


def _measure_row(name: str, label: str | None, of: Agreement, about: list[int]) -> list[Any]:
    numbers = map(plain_number, (of.value, of.observed, of.expected))
    return [name, label, *numbers, of.undefined, *about, str(of.signature)]
