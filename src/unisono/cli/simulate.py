"""The commands `plan`, `shuffle`, `curves` and `reproduce`."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from unisono import charts
from unisono.cli import output
from unisono.cli.command import FORMS, Run, chart_target, command
from unisono.cli.items import Confidence, Policy, Seed
from unisono.cli.options.input import FileOptions, ReadingOptions
from unisono.cli.options.items import (
    COEFFICIENTS,
    UNCERTAINTY,
    LabelOptions,
    RatingReadingOptions,
    measure_option_text,
)
from unisono.cli.options.settings import option
from unisono.cli.options.shared import (
    CHANCE,
    MEASURING,
    OUTPUT,
    READING,
    SEED,
    Paths,
    SeedNumber,
    SegmentOptions,
    Weights,
    parse_seed,
    split_list,
)
from unisono.cli.options.shuffle import (
    ERROR_GROUP,
    ErrorOptions,
    ReferenceOptions,
    parse_errors,
    parse_magnitudes,
    shuffle_option_text,
)
from unisono.cli.options.work import ExecutorOptions
from unisono.errors import DataError, SettingError, worded
from unisono.formats.roles import ALIASES, normalize_name
from unisono.measures.gamma.chance import Chance
from unisono.measures.items.table import item_measure, settings_by_measure
from unisono.measures.sampling import seed_of
from unisono.measures.unitizing.alphas import Generation
from unisono.model.corpus import Corpus
from unisono.parallel.dispatch import Report
from unisono.reports import reproduction
from unisono.results.wording import count
from unisono.simulation.error_curves import error_curves
from unisono.simulation.reproduction.reproduce import reproduce as reproduce_papers
from unisono.simulation.shuffling.shuffle import ShuffledCorpus, ShuffledUnit, Shuffler
from unisono.studies.planning import plan_documents, plan_items

if TYPE_CHECKING:
    from unisono.cli.output import ProgressDisplay
    from unisono.model.continuum import Continuum
    from unisono.simulation.error_curves import ErrorCurves
    from unisono.simulation.reproduction.claims import Reproduction
    from unisono.studies.planning import Plan


REPRODUCE_EXAMPLES = """\
Examples:

  unisono reproduce -o papers
  unisono reproduce 2017 -o papers --quick
  unisono reproduce 2015 --place "Figure 14"
  unisono reproduce passonneau -o claims.csv
  unisono reproduce komen --json"""
_PAGE = "index.html"


def _is_folder(target: str) -> bool:
    """Return whether ``-o`` names a folder: it has no suffix of a result."""
    return Path(target).suffix not in FORMS


@command(is_other_target=_is_folder)
def reproduce(
    run: Run,
    paper: Annotated[
        Literal["2015", "2017", "komen", "passonneau", "all"],
        Parameter(name="PAPER", show_default=False),
    ] = "all",
    /,
    *,
    place: Annotated[str | None, Parameter(metavar="NAME", group=READING)] = None,
    quick: Annotated[bool, Parameter(negative="", show_default=False, group=CHANCE)] = False,
    seed: Annotated[SeedNumber, SEED, Parameter(group=CHANCE)] = 0,
    workers: Annotated[int | None, option("workers", group=CHANCE)] = None,
) -> Reproduction:
    """Reproduce published numbers and figures.

    -o FOLDER writes a page with all claims and charts, -o claims.csv the claims.

    Parameters
    ----------
    paper
        2015 (γ), 2017 (γcat and γk), komen (κ), passonneau (MASI), or all of them.
    place
        A single table, figure or section, such as "Figure 10".
    quick
        Simulate few annotation sets, in under a minute.
    """
    page = None if run.target is None else _page_in(run.target)
    report = run.display.start_count("simulating")
    found = reproduce_papers(
        paper, place=place, quick=quick, rng=parse_seed(seed), workers=workers, progress=report
    )
    run.title = reproduction.TITLE
    if page is not None:
        output.write_text(str(page), reproduction.page(found))
        run.message = f"written to {page}"
    return found


def _page_in(folder: str) -> Path:
    """Create the folder before the computation, and return the path of the page."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(None, "is a file, but --output needs a folder", folder)
    path.mkdir(parents=True, exist_ok=True)
    return path / _PAGE


SHUFFLE_EXAMPLES = """\
Examples:

  unisono shuffle gold.csv --magnitude 0.3 --csv worse.csv
  unisono shuffle talk.csv --reference ann --magnitude 0.5 --errors split
  unisono shuffle --units 30 --magnitude 0.2 --seed 1"""
CURVES_EXAMPLES = """\
Examples:

  unisono curves gold.csv --errors position --no-overlap --chart curves.svg
  unisono curves --units 30 --errors category --measure gamma,u_alpha_coding
  unisono curves gold.csv --errors split --csv curves.csv --seed 1
  unisono curves --units 30 --documents 24 --errors category --chance corpus"""
_Seed = Annotated[SeedNumber, SEED, Parameter(group=ERROR_GROUP)]
_Simulate = Annotated[int, option("annotators", group=ERROR_GROUP)]
_Errors = Annotated[str | None, option("errors", group=ERROR_GROUP)]


@command(shuffle_option_text)
def shuffle(
    run: Run,
    *paths: Paths,
    magnitude: Annotated[float, option("magnitude", group=ERROR_GROUP)],
    errors: _Errors = None,
    simulate: _Simulate = 3,
    seed: _Seed = 0,
    error_options: ErrorOptions = ErrorOptions(),  # noqa: B008 - frozen
    reference_options: ReferenceOptions = ReferenceOptions(),  # noqa: B008 - frozen
    reading: FileOptions = FileOptions(),  # noqa: B008 - frozen
    record: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
) -> ShuffledCorpus:
    """Simulate annotators who make errors in a reference.

    --csv writes their annotations, one row per unit, in a format that can be read again.

    Parameters
    ----------
    paths
        Files or folders with the reference: annotator, start, end, label.
    record
        CSV file for the errors made in each unit, including missed units.
    """
    output.check_target(record, inputs=paths, as_json=False, option="--record")
    output.check_apart(record, run.targets[0], options="--record and --csv")
    output.check_apart(record, run.targets[1], options="--record and --output")
    error_types = parse_errors(errors)
    seed_number = seed_of(parse_seed(seed))
    documents = reference_options.of_files(paths, reading, seed_number, display=run.display)
    report = Report(run.display.start_count("shuffling"), len(documents))
    shuffled = {}
    for at, (name, reference) in enumerate(documents.items()):
        # Each document has its own seed, with which `unisono.shuffle` reproduces its errors.
        shuffler = _shuffler(name, reference, error_types, simulate, error_options)
        shuffled[name] = shuffler.shuffle(magnitude, seed_number + at)
        report.add(1)
    found = ShuffledCorpus(documents=shuffled)
    if record is not None:
        output.write_units(record, ("document", *ShuffledUnit._fields), found.rows())
    run.units = (
        ("document", "annotator", "start", "end", "label"),
        [
            (name, unit.annotator, unit.start, unit.end, unit.label)
            for name, each in shuffled.items()
            for unit in each.continuum
        ],
    )
    run.title = f"{count(simulate, 'simulated annotator')} at magnitude {magnitude:g}"
    return found


@command(shuffle_option_text, is_other_target=output.is_chart_file)
def curves(
    run: Run,
    *paths: Paths,
    errors: _Errors = None,
    measure: Annotated[
        str | None,
        option("measures", of="error_curves", name=["--measure", "--measures"], group=MEASURING),
    ] = None,
    magnitudes: Annotated[str, option("magnitudes", of="error_curves", group=ERROR_GROUP)] = "21",
    repeats: Annotated[int, option("repeats", group=ERROR_GROUP)] = 40,
    simulate: _Simulate = 3,
    seed: _Seed = 0,
    atom: Annotated[float | None, option("atom", of="error_curves", group=MEASURING)] = None,
    generation: Annotated[Generation | None, option("generation", group=MEASURING)] = None,
    intersections: Annotated[bool, option("intersections", group=MEASURING)] = False,
    measuring: SegmentOptions = SegmentOptions(),  # noqa: B008 - frozen
    chance: Annotated[Chance | None, option("chance", group=CHANCE)] = None,
    draws: Annotated[int, option("draws", of="error_curves", group=CHANCE)] = 30,
    workers: Annotated[int | None, option("workers", group=CHANCE)] = None,
    work: ExecutorOptions = ExecutorOptions(),  # noqa: B008 - frozen
    weights: Weights = Weights(),  # noqa: B008 - frozen
    error_options: ErrorOptions = ErrorOptions(),  # noqa: B008 - frozen
    reference_options: ReferenceOptions = ReferenceOptions(),  # noqa: B008 - frozen
    document: Annotated[str | None, Parameter(metavar="NAME", group=READING)] = None,
    reading: FileOptions = FileOptions(),  # noqa: B008 - frozen
    chart: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
) -> ErrorCurves:
    """Show how measures decrease with the amount of errors.

    --csv writes one row per measure and magnitude.

    Parameters
    ----------
    paths
        A file with the reference: annotator, start, end, label.
    document
        The document to use; by default several are measured together.
    chart
        File for a chart of the curves: .png, .svg, .pdf, .html or .json; needs unisono[plot]. For
        .png, .svg and .pdf -o works as well.
    """
    target = chart_target(run, chart, paths)
    names = None if measure is None else split_list("--measure", measure)
    measure_settings = measuring.keywords()
    if generation is not None:
        measure_settings["generation"] = generation
    error_types = parse_errors(errors)
    seed_number = seed_of(parse_seed(seed))
    documents = reference_options.of_files(
        paths, reading, seed_number, only=document, display=run.display
    )
    run.title, reference = _reference(documents)
    if chance is not None:
        measure_settings["chance"] = chance
    with work.opened(workers) as work_settings:
        found = error_curves(
            reference,
            measures=names,
            errors=error_types,
            magnitudes=_parse_magnitude_grid(magnitudes),
            repeats=repeats,
            annotators=simulate,
            rng=seed_number,
            dissimilarity=weights.dissimilarity(chance or "shift"),
            draws=draws,
            atom=atom,
            intersections=intersections,
            workers=workers,
            progress=run.display.start_count("simulating"),
            **measure_settings,
            **error_options.keywords(),
            **work_settings,
        )
    if target is not None:
        title = f"{Path(run.title).name}: agreement by magnitude of errors"
        output.write_chart(target, charts.shuffling_chart(found, title=title))
    return found


def _parse_magnitude_grid(text: str) -> int | list[float]:
    return int(text) if text.isdecimal() else parse_magnitudes(text)


def _shuffler(
    name: str,
    reference: Continuum,
    errors: tuple[Any, ...],
    simulate: int,
    error_options: ErrorOptions,
) -> Shuffler:
    try:
        return Shuffler(reference, errors=errors, annotators=simulate, **error_options.keywords())
    except DataError as error:
        msg = f"document {name!r}: {error}"
        raise DataError(msg) from None


def _reference(documents: dict[str, Continuum]) -> tuple[str, Continuum | Corpus]:
    if len(documents) == 1:
        return next(iter(documents.items()))
    return count(len(documents), "document"), Corpus.from_continua(documents)


PLAN_EXAMPLES = """\
Examples:

  unisono plan pilot.csv --width 0.1 --seed 1
  unisono plan pilot.csv --width 0.1 --measure kappa --weights quadratic
  unisono plan interviews/ --width 0.1 --seen-by corpus"""
Kind = Literal["items", "documents"]
_FIRST_BYTES = 65_536  # enough for the first row of a file
_DELIMITERS = re.compile(r"[,;\t|]")
# Options that apply to one kind of pilot only.
_OF_DOCUMENTS = (
    "seen_by",
    "column_document",
    "column_start",
    "column_end",
    "no_labels",
    "extent",
    "on_error",
    "documents",
)
_OF_ITEMS = (
    "items",
    "wide",
    "column_item",
    "separator",
    "annotator_columns",
    "na_values",
    "duplicates",
)


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class PilotReadingOptions:
    """Options for reading the pilot: a table of ratings, or files with units.

    Parameters
    ----------
    annotator_columns
        Columns of annotators in a wide table; names or numbers, such as 2,3.
    seen_by
        Annotators of each document: units, corpus, or a table of document and annotator.
    column_annotator
        Column with the annotator.
    column_label
        Column with the label. Columns are names, or numbers from 1.
    column_item
        Column with the item.
    wide
        Whether the table has one row per item and one column per annotator, or one row per rating.
    separator
        Text between the members of a label that is a set, such as |.
    na_values
        Values that mean a missing label, such as NA,?; in addition to empty cells.
    duplicates
        If an annotator rated an item twice, stop or keep the first rating.
    column_document
        Column with the document; by default each file is a document.
    column_start
        Column with the start of the unit.
    column_end
        Column with the end of the unit.
    no_labels
        Read units without labels, even if there is a column of labels.
    extent
        Start and end of every document; by default those of its first and last unit.
    on_error
        At an invalid row, stop, or skip and count it.
    accept
        Codes of questions about the files whose first reading is right.
    annotators
        Annotators to keep: names or patterns such as A*; all but NAMES keeps the others.
    documents
        Documents to keep, likewise.
    items
        Items to keep, likewise.
    labels
        Labels to keep, likewise.
    header
        Whether the first row has column names; detected by default.
    delimiter
        Separator of cells, such as ; or tab; detected by default.
    """

    annotator_columns: Annotated[str | None, Parameter(metavar="COLUMNS")] = None
    seen_by: Annotated[str | None, Parameter(metavar="auto|units|corpus|FILE")] = None
    column_annotator: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_label: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_item: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    wide: Annotated[bool | None, Parameter(negative="--long")] = None
    separator: Annotated[str | None, Parameter(metavar="CHARACTER")] = None
    na_values: Annotated[str | None, Parameter(metavar="TEXTS")] = None
    duplicates: Literal["raise", "first"] | None = None
    column_document: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_start: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_end: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    no_labels: Annotated[bool | None, Parameter(negative="", show_default=False)] = None
    extent: Annotated[tuple[float, float] | None, Parameter(metavar="LOW HIGH", negative="")] = None
    on_error: Literal["raise", "skip"] | None = None
    header: bool | None = None
    delimiter: Annotated[str | None, Parameter(metavar="CHARACTER")] = None
    accept: Annotated[str | None, Parameter(metavar="CODES")] = None
    annotators: Annotated[str | None, Parameter(metavar="NAMES")] = None
    documents: Annotated[str | None, Parameter(metavar="NAMES")] = None
    items: Annotated[str | None, Parameter(metavar="NAMES")] = None
    labels: Annotated[str | None, Parameter(metavar="NAMES")] = None

    def kind(self, paths: list[str]) -> Kind:
        """Return the kind of the pilot, from the options, the paths or the columns of the file."""
        if any(getattr(self, name) is not None for name in _OF_ITEMS):
            return "items"
        has_several_files = len(paths) != 1 or Path(paths[0]).is_dir()
        if has_several_files or any(getattr(self, name) is not None for name in _OF_DOCUMENTS):
            return "documents"
        return "documents" if _has_units(Path(paths[0])) else "items"

    def keywords(self, names: tuple[str, ...] | None = None) -> dict[str, Any]:
        """Return the options that were typed, of these names or of all."""
        selected = names or tuple(field.name for field in fields(self))
        values = {name: getattr(self, name) for name in selected}
        return {name: value for name, value in values.items() if value is not None}


@command()
def plan(
    run: Run,
    *paths: Paths,
    width: Annotated[float, option("width", group=UNCERTAINTY)],
    of: Annotated[Kind | None, Parameter(group=READING)] = None,
    measure: Annotated[str | None, option("measure", of="plan_items", group=COEFFICIENTS)] = None,
    comparing: LabelOptions = LabelOptions(),  # noqa: B008 - frozen
    missing: Policy = None,
    weighting: Weights = Weights(),  # noqa: B008 - frozen
    chance: Annotated[Chance | None, option("chance", group=CHANCE)] = None,
    draws: Annotated[int | None, option("draws", group=CHANCE)] = None,
    confidence: Confidence = 0.95,
    resamples: Annotated[
        int | None, option("resamples", of="plan_items", group=UNCERTAINTY)
    ] = None,
    seed: Seed = 0,
    reading: PilotReadingOptions = PilotReadingOptions(),
) -> Plan:
    """Estimate the sample size for a target interval width.

    --csv writes one row per sample size that was tried.

    Parameters
    ----------
    paths
        The pilot: a table of ratings, or files with units (annotator, start, end, label).
    of
        The sampling unit; by default detected from the columns.
    """
    if not paths:
        msg = "no input; name at least one file or folder to read"
        raise SettingError(msg)
    settings: dict[str, Any] = {"width": width, "confidence": confidence}
    settings["rng"] = parse_seed(seed)
    kind = of or reading.kind(list(paths))
    item_settings: dict[str, object] = {
        "measure": measure,
        "missing": missing,
        "resamples": resamples,
        **_field_values(comparing),
    }
    document_settings = {"chance": chance, "draws": draws, **_field_values(weighting)}
    run.title = _pilot_title(paths)
    if kind == "items":
        # The option --distance applies to both kinds.
        distance = document_settings.pop("distance", None)
        _reject_other_kind(kind, document_settings | reading.keywords(_OF_DOCUMENTS))
        return _plan_items(
            run.display, paths, reading, settings, distance, item_settings, comparing
        )
    _reject_other_kind(kind, item_settings | reading.keywords(_OF_ITEMS))
    return _plan_documents(run.display, paths, reading, settings, document_settings, weighting)


def _plan_items(
    display: ProgressDisplay,
    paths: tuple[str, ...],
    reading: PilotReadingOptions,
    settings: dict[str, Any],
    distance: Any,  # noqa: ANN401 - as typed
    item_settings: dict[str, Any],
    comparing: LabelOptions,
) -> Plan:
    if len(paths) > 1:
        msg = f"planning of items needs a single file of ratings, got {len(paths)}"
        raise SettingError(msg)
    options = RatingReadingOptions(**reading.keywords())
    order = distance or comparing.weights or comparing.order
    ratings = options.ratings(paths[0], display, distance=order)
    display.phase("resampling")
    with worded(measure_option_text):
        name = item_measure(item_settings["measure"] or "krippendorff_alpha").name
        keywords = comparing.keywords(ratings.labels, distance)
        if item_settings["missing"] is not None:
            keywords["missing"] = item_settings["missing"]
        measure_settings = settings_by_measure([name], keywords)[name]
        if item_settings["resamples"] is not None:
            settings["resamples"] = item_settings["resamples"]
        return plan_items(ratings, measure=name, **settings, **measure_settings)


def _plan_documents(
    display: ProgressDisplay,
    paths: tuple[str, ...],
    reading: PilotReadingOptions,
    settings: dict[str, Any],
    document_settings: dict[str, Any],
    weighting: Weights,
) -> Plan:
    chance: Chance = document_settings["chance"] or "shift"
    dissimilarity = weighting.dissimilarity(chance)
    corpus = ReadingOptions(**reading.keywords()).corpus(paths, display)
    display.phase("aligning")
    if document_settings["draws"] is not None:
        settings["draws"] = document_settings["draws"]
    if display.is_visible:
        settings["progress"] = display
    return plan_documents(corpus, dissimilarity=dissimilarity, chance=chance, **settings)


def _field_values(options: LabelOptions | Weights) -> dict[str, object]:
    return {field.name: getattr(options, field.name) for field in fields(options)}


def _reject_other_kind(kind: Kind, values: dict[str, Any]) -> None:
    unset = (None, False)
    names = [name.replace("_", "-") for name, value in values.items() if value not in unset]
    if names:
        other = "documents" if kind == "items" else "items"
        options = ", ".join(f"--{name}" for name in names)
        msg = f"{options} cannot be used to plan {kind}; omit it, or use --of {other}"
        raise SettingError(msg)


def _has_units(path: Path) -> bool:
    """Return whether the first row has a column of starts and a column of ends."""
    if not path.is_file():
        return False  # a pipe can be read only once
    try:
        with path.open("rb") as file:
            first = file.read(_FIRST_BYTES).decode("utf-8", errors="replace").partition("\n")[0]
    except OSError:
        return False  # the reader raises the error
    cells = {normalize_name(cell.strip(' "')) for cell in _DELIMITERS.split(first)}
    return all(not cells.isdisjoint(ALIASES[role]) for role in ("start", "end"))


def _pilot_title(paths: tuple[str, ...]) -> str:
    return Path(paths[0]).name or paths[0] if len(paths) == 1 else f"{len(paths)} paths"
