"""The command that says how good a γ is: ``unisono calibrate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from unisono.charts.svg import calibration as calibration_picture
from unisono.cli import chart_files, output
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import (
    CHANCE,
    OUTPUT,
    SEARCH,
    SEED,
    ChanceModel,
    Csv,
    Json,
    Paths,
    SeedNumber,
    Weights,
    rng_of,
)
from unisono.cli.options.shuffle import errors_named, magnitudes_named
from unisono.cli.options.work import Keeping
from unisono.cli.progress import Watch
from unisono.cli.terminal import calibration as calibration_text
from unisono.results.record import plain_number
from unisono.results.wording import documents_told
from unisono.simulation.calibration import calibrate as calibration
from unisono.simulation.calibration.calibration_values import CurvePoint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.simulation.calibration.calibration_result import Calibration


CALIBRATE_EXAMPLES = """\
Examples:

  unisono calibrate turns.csv -o chart.svg
  unisono calibrate interviews/ --errors position,false_negative --seed 1
  unisono calibrate turns.csv --json | jq .sentences"""
SIMULATION = Group("Simulated annotators", sort_key=5)


def calibrate(
    *paths: Paths,
    errors: Annotated[str | None, Parameter(metavar="LIST", group=SIMULATION)] = None,
    magnitudes: Annotated[str | None, Parameter(metavar="LIST", group=SIMULATION)] = None,
    repeats: Annotated[int | None, Parameter(metavar="N", group=SIMULATION)] = None,
    support: Annotated[float, Parameter(metavar="SHARE", group=SIMULATION)] = 0.5,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    precision: Annotated[float, Parameter(metavar="SHARE", group=CHANCE)] = 0.02,
    confidence: Annotated[float, Parameter(metavar="SHARE", group=CHANCE)] = 0.95,
    draws: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    seed: Annotated[SeedNumber, SEED, Parameter(group=CHANCE)] = 0,
    workers: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    work: Keeping = Keeping(),  # noqa: B008 - frozen
    soft: Annotated[bool, Parameter(negative="", show_default=False, group=SEARCH)] = False,
    gap_tolerance: Annotated[float, Parameter(metavar="PART", group=SEARCH)] = 0.0,
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    chart: Annotated[
        str | None, Parameter(name=["--chart", "-o"], metavar="FILE", group=OUTPUT)
    ] = None,
) -> None:
    """Say which errors, and how many, would give the same γ.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    errors
        Some of position, category, false_negative, false_positive, split; all by default.
    magnitudes
        At which to simulate, such as 0.1,0.2,0.5,1.
    repeats
        Annotation sets at each magnitude (12, for long documents down to 6).
    support
        Share of the annotators that makes the consensus they start from.
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.
    precision
        Wished relative error of the expected disorder of the data.
    confidence
        Confidence of the intervals.
    draws
        Draws for each simulated γ (5 to 20).
    seed
        A seed; the same one gives the same values, random draws a new one.
    workers
        Threads; never moves a value.
    soft
        A unit may be in more than one group.
    gap_tolerance
        A part of the disorder, such as 0.001, that need not be looked for.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a magnitude of an error, to a file or else to stdout.
    chart
        A picture of the curves with the observed values: .svg, or .png, .pdf, .html, .json with
        unisono[plot].

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["calibrate", "talk.csv", "--errors", "laziness"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    chart_files.check_chart(chart, as_csv, inputs=paths)
    wanted = errors_named(errors)
    settings: dict[str, Any] = {}
    if magnitudes is not None:
        settings["magnitudes"] = magnitudes_named(magnitudes)
    dissimilarity = weights.dissimilarity(chance)
    with Watch() as watch:
        corpus = reading.corpus(paths, watch)
        with work.opened(workers) as sent:
            found = calibration.calibrate(
                corpus,
                errors=wanted,
                repeats=repeats,
                support=support,
                dissimilarity=dissimilarity,
                chance=chance,
                precision=precision,
                confidence=confidence,
                draws=draws,
                soft=soft,
                gap_tolerance=gap_tolerance,
                rng=rng_of(seed),
                workers=workers,
                progress=watch.counting("simulating"),
                **settings,
                **sent,
            )
    only = documents_told(corpus)
    if chart is not None:
        chart_files.write_chart(
            chart, found, plain=lambda: calibration_picture.calibration_svg(found, title=only)
        )
    if as_csv is not None:
        output.write_csv(as_csv, ("error", *CurvePoint._fields), curve_rows(found))
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(calibration_text.calibration_table(found, title=only))


def curve_rows(found: Calibration) -> Iterator[list[object]]:
    """Give a row for each magnitude of each type of error.

    Parameters
    ----------
    found
        What ``calibrate`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.cli.calibrate_commands import curve_rows
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> next(curve_rows(found))[:4]
    ['false_negative', 0.0, 0.0, 1.0]
    """
    for error, points in found.curves.items():
        for point in points:
            yield [error, *map(plain_number, point)]
