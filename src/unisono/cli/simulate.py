"""The commands `plan`, `shuffle`, `scan` and `reproduce`."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono import charts
from unisono.cli import output
from unisono.cli.items import Confidence, Policy, Seed
from unisono.cli.options.input import Reading
from unisono.cli.options.items import (
    COEFFICIENTS,
    UNCERTAINTY,
    Comparing,
    RatingReading,
    measure_option_named,
    several,
)
from unisono.cli.options.shared import (
    CHANCE,
    OUTPUT,
    READING,
    SEED,
    Csv,
    Json,
    Paths,
    SeedNumber,
    Weights,
    rng_of,
)
from unisono.cli.options.shuffle import (
    ERROR_GROUP,
    Chosen,
    Making,
    errors_named,
    magnitudes_named,
    shuffle_option_named,
)
from unisono.cli.options.work import Sending
from unisono.cli.output import Watch
from unisono.cli.terminal import items
from unisono.cli.terminal import reproduction as reproduction_text
from unisono.cli.terminal import shuffle as shuffling_text
from unisono.errors import DataError, SettingError, worded
from unisono.formats.roles import ALIASES, bare
from unisono.measures.gamma.chance import Chance
from unisono.measures.items.table import item_measure, settings_by_measure
from unisono.measures.sampling import seed_of
from unisono.measures.settings import check_count, check_number, check_share
from unisono.parallel.dispatch import Report
from unisono.reports import reproduction
from unisono.results.wording import some
from unisono.simulation.error_curves import scan as error_curves
from unisono.simulation.reproduction.reproduce import reproduce as reproduce_papers
from unisono.simulation.shuffling.errors import check_magnitude
from unisono.simulation.shuffling.shuffle import Shuffler
from unisono.studies.planning import Trial, plan_documents, plan_items

if TYPE_CHECKING:
    from unisono.model.continuum import Continuum
    from unisono.studies.planning import Plan


REPRODUCE_EXAMPLES = """\
Examples:

  unisono reproduce -o papers
  unisono reproduce 2017 -o papers --quick
  unisono reproduce komen --json"""
_PAGE = "index.html"


def reproduce(
    paper: Annotated[
        Literal["2015", "2017", "komen", "passonneau", "all"],
        Parameter(name="PAPER", show_default=False),
    ] = "all",
    /,
    *,
    folder: Annotated[
        str | None, Parameter(name=["--output", "-o"], metavar="DIR", group=OUTPUT)
    ] = None,
    quick: Annotated[bool, Parameter(negative="", show_default=False, group=CHANCE)] = False,
    seed: Annotated[SeedNumber, SEED, Parameter(group=CHANCE)] = 0,
    workers: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    as_json: Json = False,
) -> None:
    """Compute again what the papers print and draw.

    Parameters
    ----------
    paper
        2015 (γ), 2017 (γcat and γk), komen (κ), passonneau (MASI), or all of them.
    folder
        Folder for one HTML page with all claims, verdicts and pictures; made if it is not there.
    quick
        Few annotation sets, in under a minute.
    seed
        A seed; the same one gives the same curves, random draws a new one.
    workers
        Threads; never moves a value.
    as_json
        JSON on stdout, with everything.
    """
    target = None if folder is None else _target(folder)
    with Watch() as watch:
        report = watch.counting("simulating")
        found = reproduce_papers(
            paper, quick=quick, rng=rng_of(seed), workers=workers, progress=report
        )
    if target is not None:
        output.write_text(str(target), reproduction.page(found))
    if as_json:
        output.print_json(found.to_dict())
        return
    parts = [reproduction_text.summary(found)]
    if target is not None:
        output.print_table(*parts)
        output.print_done(f"written to {target}")
        return
    output.print_table(*parts)


def _target(folder: str) -> Path:
    """Make the folder before anything is computed."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(None, "this is a file; --output needs a folder", folder)
    path.mkdir(parents=True, exist_ok=True)
    return path / _PAGE


SHUFFLE_EXAMPLES = """\
Examples:

  unisono shuffle gold.csv --magnitude 0.3 --csv worse.csv
  unisono shuffle talk.csv --reference ann --magnitude 0.5 --errors split
  unisono shuffle --units 30 --magnitude 0.2 --seed 1"""
SCAN_EXAMPLES = """\
Examples:

  unisono scan gold.csv --errors position --no-overlap --chart curves.svg
  unisono scan --units 30 --errors category --measure gamma,gamma_cat,cu_alpha
  unisono scan gold.csv --errors split --csv curves.csv --seed 1"""
_MEASURES = Group("Measures", sort_key=15)
_Seed = Annotated[SeedNumber, SEED, Parameter(group=ERROR_GROUP)]
_Simulate = Annotated[int, Parameter(metavar="N", group=ERROR_GROUP)]
_Errors = Annotated[str | None, Parameter(metavar="LIST", group=ERROR_GROUP)]


def shuffle(
    *paths: Paths,
    magnitude: Annotated[float, Parameter(metavar="SHARE", group=ERROR_GROUP)],
    errors: _Errors = None,
    simulate: _Simulate = 3,
    seed: _Seed = 0,
    making: Making = Making(),  # noqa: B008 - frozen
    chosen: Chosen = Chosen(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    record: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
) -> None:
    """Simulate annotators who know the right answer and make errors.

    Parameters
    ----------
    paths
        Files or folders with the right answer: annotator, start, end, label.
    magnitude
        How many errors, from 0 to 1.
    errors
        Which: position, category, false_negative, false_positive, split (all).
    simulate
        Annotators to simulate.
    seed
        A seed; the same one gives the same errors, random draws a new one.
    as_json
        JSON on stdout, with everything.
    as_csv
        What the annotators marked, one row a unit, to a file or else to stdout.
    record
        CSV file of what was done to each unit, forgotten ones included.
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    output.check_target(record, inputs=paths, as_json=False, option="--record")
    output.check_apart(record, as_csv, options="--record and --csv")
    with worded(shuffle_option_named), Watch() as watch:
        check_magnitude(magnitude)
        known = errors_named(errors)
        number = seed_of(rng_of(seed))
        documents = chosen.documents(paths, reading, number, watch=watch)
        report = Report(watch.counting("shuffling"), len(documents))
        shuffled = {}
        for at, (name, reference) in enumerate(documents.items()):
            # Each document has a seed of its own, with which the library makes the same errors.
            shuffler = _shuffler(name, reference, known, simulate, making)
            shuffled[name] = shuffler.shuffled(magnitude, number + at)
            report.add(1)
    if as_csv is not None:
        output.write_units(
            as_csv,
            ("document", "annotator", "start", "end", "label"),
            (
                (name, unit.annotator, unit.start, unit.end, unit.label)
                for name, each in shuffled.items()
                for unit in each.continuum
            ),
        )
    if record is not None:
        output.write_units(
            record,
            ("document", "annotator", "start", "end", "label", "done", "origin"),
            ((name, *row.values()) for name, each in shuffled.items() for row in each.rows()),
        )
    if as_json:
        output.print_json({"documents": {name: each.to_dict() for name, each in shuffled.items()}})
    elif as_csv != output.STDOUT:
        output.print_table(shuffling_text.errors_made(shuffled))


def scan(
    *paths: Paths,
    errors: _Errors = None,
    measure: Annotated[
        str | None, Parameter(name=["--measure", "--measures"], metavar="NAMES", group=_MEASURES)
    ] = None,
    magnitudes: Annotated[str, Parameter(metavar="N|LIST", group=ERROR_GROUP)] = "21",
    repeats: Annotated[int, Parameter(metavar="N", group=ERROR_GROUP)] = 40,
    simulate: _Simulate = 3,
    seed: _Seed = 0,
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=_MEASURES)] = None,
    draws: Annotated[int, Parameter(metavar="N", group=CHANCE)] = 30,
    workers: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    work: Sending = Sending(),  # noqa: B008 - frozen
    weights: Weights = Weights(),  # noqa: B008 - frozen
    making: Making = Making(),  # noqa: B008 - frozen
    chosen: Chosen = Chosen(),  # noqa: B008 - frozen
    document: Annotated[str | None, Parameter(metavar="NAME", group=READING)] = None,
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    chart: Annotated[
        str | None, Parameter(name=["--chart", "-o"], metavar="FILE", group=OUTPUT)
    ] = None,
) -> None:
    """Show how measures fall while simulated errors grow.

    Parameters
    ----------
    paths
        A file with the right answer: annotator, start, end, label.
    errors
        Which: position, category, false_negative, false_positive, split (all).
    measure
        Which, such as gamma,cu_alpha,kappa_d; by default all that can be used.
    magnitudes
        How many magnitudes from 0 to 1, evenly spaced; or which, such as 0,0.2,0.5.
    repeats
        Annotation sets at each magnitude.
    simulate
        Annotators in each annotation set.
    seed
        A seed; the same one gives the same curves, random draws a new one.
    atom
        Length of an atom, for κ and α on atoms and for segments.
    draws
        Random continua for each γ.
    workers
        Threads; never moves a value.
    document
        The document to take, when there are several.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a measure and magnitude, to a file or else to stdout.
    chart
        A picture of the curves: .png, .svg, .pdf, .html or .json; needs unisono[plot].
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    output.check_chart(chart, as_csv, inputs=paths)
    with worded(shuffle_option_named), Watch() as watch:
        names = None if measure is None else several("--measure", measure)
        known = errors_named(errors)
        number = seed_of(rng_of(seed))
        documents = chosen.documents(paths, reading, number, only=document, watch=watch)
        name, reference = _one(documents)
        with work.opened(workers) as sent:
            found = error_curves(
                reference,
                measures=names,
                errors=known,
                magnitudes=_how_many_or_which(magnitudes),
                repeats=repeats,
                annotators=simulate,
                rng=number,
                dissimilarity=weights.dissimilarity(),
                draws=draws,
                atom=atom,
                workers=workers,
                progress=watch.counting("simulating"),
                **making.given(),
                **sent,
            )
    if as_csv is not None:
        headings = ("measure", "magnitude", "mean", "low", "high", "undefined")
        output.write_csv(as_csv, headings, (tuple(row.values()) for row in found.rows()))
    if chart is not None:
        title = f"{Path(name).name}: agreement as errors grow"
        output.write_chart(chart, charts.shuffling_chart(found, title=title))
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(shuffling_text.curves(found, title=name))


def _how_many_or_which(text: str) -> int | list[float]:
    return int(text) if text.isdecimal() else magnitudes_named(text)


def _shuffler(
    name: str, reference: Continuum, errors: tuple[Any, ...], simulate: int, making: Making
) -> Shuffler:
    try:
        return Shuffler(reference, errors=errors, annotators=simulate, **making.given())
    except DataError as error:
        msg = f"document {name!r}: {error}"
        raise DataError(msg) from None


def _one(documents: dict[str, Continuum]) -> tuple[str, Continuum]:
    if len(documents) == 1:
        return next(iter(documents.items()))
    msg = (
        f"a scan takes one document, and there are {len(documents)}; "
        f"choose one with --document: {some(list(documents))}"
    )
    raise SettingError(msg)


PLAN_EXAMPLES = """\
Examples:

  unisono plan pilot.csv --width 0.1 --seed 1
  unisono plan pilot.csv --width 0.1 --measure kappa --weights quadratic
  unisono plan interviews/ --width 0.1 --annotators corpus"""
Kind = Literal["items", "documents"]
_PEEKED = 65_536  # bytes of a file that show its first row
_BETWEEN_CELLS = re.compile(r"[,;\t|]")
# For one kind of pilot only.
_OF_DOCUMENTS = ("column_document", "column_start", "column_end", "no_labels", "extent", "on_error")
_OF_ITEMS = ("wide", "column_item", "separator", "missing_text", "duplicates")


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class PilotReading:
    """How the pilot is read: a table of ratings, or tables of units.

    Parameters
    ----------
    annotators
        Columns that are annotators, of a table with a row an item; of units who counts: units,
        corpus, or a table of document and annotator.
    column_annotator
        Column with the annotator.
    column_label
        Column with the label. Each column is a name, or a number from 1.
    column_item
        Column with the item.
    wide
        Whether a row is an item with a column for each annotator, or else a single rating.
    separator
        What separates the members of a label that is a set.
    missing_text
        Texts that mean that a label is missing, such as NA,?; an empty cell always does.
    duplicates
        Stop when an annotator rated an item twice, or keep the first.
    column_document
        Column with the document; without one each file is a document.
    column_start
        Column with the start of the unit.
    column_end
        Column with the end of the unit.
    no_labels
        Units have no labels, whatever other columns there are.
    extent
        Where every document begins and ends; by default with its first and last unit.
    on_error
        Stop at a row with a unit that cannot be read, or skip and count it.
    header
        Whether the first row names the columns; found out if not said.
    delimiter
        What separates cells, such as ; or tab; found out if not said.
    """

    annotators: Annotated[str | None, Parameter(metavar="COLUMNS|units|corpus|FILE")] = None
    column_annotator: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_label: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_item: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    wide: Annotated[bool | None, Parameter(negative="--long")] = None
    separator: Annotated[str | None, Parameter(metavar="CHARACTER")] = None
    missing_text: Annotated[str | None, Parameter(metavar="TEXTS")] = None
    duplicates: Literal["raise", "first"] | None = None
    column_document: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_start: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_end: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    no_labels: Annotated[bool | None, Parameter(negative="", show_default=False)] = None
    extent: Annotated[tuple[float, float] | None, Parameter(metavar="LOW HIGH", negative="")] = None
    on_error: Literal["raise", "skip"] | None = None
    header: bool | None = None
    delimiter: Annotated[str | None, Parameter(metavar="CHARACTER")] = None

    def kind(self, paths: list[str]) -> Kind:
        """Find out what the pilot is: options tell it, folders, or the columns of the file."""
        if any(getattr(self, name) is not None for name in _OF_ITEMS):
            return "items"
        several = len(paths) != 1 or Path(paths[0]).is_dir()
        if several or any(getattr(self, name) is not None for name in _OF_DOCUMENTS):
            return "documents"
        return "documents" if _has_units(Path(paths[0])) else "items"

    def given(self, names: tuple[str, ...] | None = None) -> dict[str, Any]:
        """Give the options that were said, of these names or of all."""
        chosen = names or tuple(field.name for field in fields(self))
        said = {name: getattr(self, name) for name in chosen}
        return {name: value for name, value in said.items() if value is not None}


def plan(
    *paths: Paths,
    width: Annotated[float, Parameter(metavar="NUMBER", group=UNCERTAINTY)],
    of: Annotated[Kind | None, Parameter(group=READING)] = None,
    measure: Annotated[str | None, Parameter(metavar="NAME", group=COEFFICIENTS)] = None,
    comparing: Comparing = Comparing(),  # noqa: B008 - frozen
    missing: Policy = None,
    weighting: Weights = Weights(),  # noqa: B008 - frozen
    chance: Annotated[Chance | None, Parameter(metavar="MODEL", group=CHANCE)] = None,
    draws: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    confidence: Confidence = 0.95,
    resamples: Annotated[int, Parameter(metavar="N", group=UNCERTAINTY)] = 1000,
    seed: Seed = 0,
    reading: PilotReading = PilotReading(),
    as_json: Json = False,
    as_csv: Csv = None,
) -> None:
    """Say how many items or documents a wished interval takes.

    Parameters
    ----------
    paths
        The pilot: a table of ratings, or tables of units (annotator, start, end, label).
    width
        Wished distance between the ends of the interval, such as 0.1.
    of
        What to count, where the columns do not tell.
    measure
        For items, the coefficient, by any of its names (krippendorff_alpha).
    missing
        For items, what weighs the same where values are missing (values).
    chance
        For documents, the chance model of γ (shift).
    draws
        For documents, a fixed number of draws.
    confidence
        Confidence of the interval.
    resamples
        Resamples at each size.
    seed
        A seed; the same one gives the same number, random draws a new one.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a size that was tried, to a file or else to stdout.
    """
    if not paths:
        msg = "name at least one file or folder to read"
        raise SettingError(msg)
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_number("--width", width, may_be_zero=False)
    check_share("--confidence", confidence, "0.95 for 95 %")
    check_count("--resamples", resamples)
    settings: dict[str, Any] = {"width": width, "level": confidence, "n": resamples}
    settings["rng"] = rng_of(seed)
    kind = of or reading.kind(list(paths))
    said: dict[str, object] = {"measure": measure, "missing": missing, **_said(comparing)}
    own = {"chance": chance, "draws": draws, **_said(weighting)}
    with Watch() as watch:
        if kind == "items":
            # Both kinds of labels have distances.
            distance = own.pop("distance", None)
            _refuse_others(kind, own | reading.given(_OF_DOCUMENTS))
            planned = _planned_items(watch, paths, reading, settings, distance, said, comparing)
        else:
            _refuse_others(kind, said | reading.given(_OF_ITEMS))
            planned = _planned_documents(watch, paths, reading, settings, own, weighting)
    if as_csv is not None:
        output.write_csv(as_csv, Trial._fields, planned.trials)
    if as_json:
        output.print_json(planned.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(items.plan(planned, title=_pilot_title(paths)))
    if planned.needed is None:
        msg = f"there is no number of {planned.of}: {planned.undefined}"
        raise DataError(msg)


def _planned_items(
    watch: Watch,
    paths: tuple[str, ...],
    reading: PilotReading,
    settings: dict[str, Any],
    distance: Any,  # noqa: ANN401 - as typed
    said: dict[str, Any],
    comparing: Comparing,
) -> Plan:
    if len(paths) > 1:
        msg = f"ratings of items come from one file; got {len(paths)}"
        raise SettingError(msg)
    ratings = RatingReading(**reading.given()).ratings(paths[0], watch)
    watch.phase("resampling")
    with worded(measure_option_named):
        name = item_measure(said["measure"] or "krippendorff_alpha").name
        given = comparing.given(ratings.labels, distance)
        if said["missing"] is not None:
            given["missing"] = said["missing"]
        own = settings_by_measure([name], given)[name]
        return plan_items(ratings, measure=name, **settings, **own)


def _planned_documents(
    watch: Watch,
    paths: tuple[str, ...],
    reading: PilotReading,
    settings: dict[str, Any],
    own: dict[str, Any],
    weighting: Weights,
) -> Plan:
    chance = own["chance"] or "shift"
    dissimilarity = weighting.dissimilarity(chance)
    corpus = Reading(**reading.given()).corpus(paths, watch)
    watch.phase("aligning")
    if own["draws"] is not None:
        settings["draws"] = own["draws"]
    if watch.somebody_watches:
        settings["progress"] = watch
    return plan_documents(corpus, dissimilarity=dissimilarity, chance=chance, **settings)


def _said(options: Comparing | Weights) -> dict[str, object]:
    return {field.name: getattr(options, field.name) for field in fields(options)}


def _refuse_others(kind: Kind, given: dict[str, Any]) -> None:
    unsaid = (None, False)
    said = [name.replace("_", "-") for name, value in given.items() if value not in unsaid]
    if said:
        other = "documents" if kind == "items" else "items"
        options = ", ".join(f"--{name}" for name in said)
        msg = f"{options} cannot be used when planning {kind}; leave it out, or say --of {other}"
        raise SettingError(msg)


def _has_units(path: Path) -> bool:
    """Look whether the first row has a column of starts and one of ends."""
    if not path.is_file():
        return False  # what is read of a pipe is gone
    try:
        with path.open("rb") as file:
            first = file.read(_PEEKED).decode("utf-8", errors="replace").partition("\n")[0]
    except OSError:
        return False  # the reader says what is wrong
    cells = {bare(cell.strip(' "')) for cell in _BETWEEN_CELLS.split(first)}
    return all(not cells.isdisjoint(ALIASES[role]) for role in ("start", "end"))


def _pilot_title(paths: tuple[str, ...]) -> str:
    return Path(paths[0]).name or paths[0] if len(paths) == 1 else f"{len(paths)} paths"
