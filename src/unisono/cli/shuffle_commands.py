"""The commands of simulated annotators: ``unisono shuffle`` and ``unisono scan``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from unisono.charts.svg import lines as line_charts
from unisono.cli import chart_files, output
from unisono.cli.options.input import Reading
from unisono.cli.options.items import several
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
from unisono.cli.progress import Watch
from unisono.cli.terminal import shuffle as shuffling_text
from unisono.errors import DataError, SettingError, worded
from unisono.measures.dice import seed_of
from unisono.parallel.progress import Report
from unisono.results.wording import some
from unisono.simulation.curves import Scan
from unisono.simulation.error_curves import scan as error_curves
from unisono.simulation.shuffling.error_types import check_magnitude
from unisono.simulation.shuffling.shuffle import Shuffler

if TYPE_CHECKING:
    from unisono.model.continuum import Continuum


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

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["shuffle", "--units", "30", "--magnitude", "2"])
    2
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
        A picture of the curves: .svg, or .png, .pdf, .html, .json with unisono[plot].

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["scan", "--units", "30", "--measure", "kapa"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    chart_files.check_chart(chart, as_csv, inputs=paths)
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
        title = _title(name, found)
        chart_files.write_chart(
            chart, found, plain=lambda: line_charts.scan_chart(found, title=title)
        )
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


def _title(name: str, found: Scan) -> str:
    return f"{Path(name).name}: {', '.join(found.errors)}"
