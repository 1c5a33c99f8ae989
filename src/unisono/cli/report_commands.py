"""The command that writes everything down on one page: ``unisono report``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal, TypeAlias, get_args

from cyclopts import Group, Parameter
from rich.text import Text

from unisono.cli import output
from unisono.cli.all_commands import all_option_named
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import OUTPUT, ChanceModel, Paths, Weights, distance_of
from unisono.cli.options.work import Sending, code_for
from unisono.cli.progress import Watch
from unisono.errors import DataError, SettingError, worded
from unisono.reports.making import report as write_report
from unisono.reports.report import ReportFormat, format_of
from unisono.results.wording import count

REPORT_EXAMPLES = """\
Examples:

  unisono report turns.csv -o report.html
  unisono report interviews/ --title "Interviews, round 2" -o report.html
  unisono report turns.csv --seed 42 -o report.tex
  unisono report turns.csv --to md"""
_CONTENT = Group("Content", sort_key=5)
_FORMATS = get_args(ReportFormat)
Written: TypeAlias = Annotated[
    str | None, Parameter(name=("--output", "-o"), metavar="FILE", group=OUTPUT)
]


def report(
    *paths: Paths,
    title: Annotated[str | None, Parameter(metavar="TEXT", group=_CONTENT)] = None,
    charts: Annotated[bool, Parameter(group=_CONTENT)] = True,
    gains: Annotated[bool, Parameter(group=_CONTENT)] = True,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    overlap: Annotated[Literal["raise", "merge", "split"], Parameter(group=_CONTENT)] = "raise",
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=_CONTENT)] = None,
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    work: Sending = Sending(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    written: Written = None,
    to: Annotated[ReportFormat | None, Parameter(group=OUTPUT)] = None,
) -> ExitCode | None:
    """Write one page on agreement: words, numbers, charts, what to do.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    title
        The heading of the page.
    charts
        Draw charts in HTML; they need unisono[plot].
    gains
        Compute what merging labels and leaving out annotators would gain, which takes longest.
    overlap
        Where one annotator's units overlap, alphas and κ_d have no value, or merge or split them.
    atom
        How long an atom is, for κ_d and for boundaries of segments (1).
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.
    written
        Where to write; - is stdout.
    to
        html, md, json or tex; told by the suffix of the file if not said.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["report", "talk.csv"])
    2
    """
    # --format says what is read, but no file is read as html, md, json or tex.
    if to is None and reading.format in _FORMATS:
        to = next(each for each in _FORMATS if each == reading.format)
        reading = replace(reading, format="auto")
    target = output.STDOUT if written is None else written
    if written is None and to is None:
        msg = "say where to write the report, as in -o report.html; or --to md prints it"
        raise SettingError(msg)
    if target != output.STDOUT:
        output.check_target(target, inputs=paths, as_json=False, option="--output")
    format_: ReportFormat = (to or "html") if target == output.STDOUT else (to or _told_by(target))
    settings = drawing.given()
    if weights.distance is not None:
        settings["distance"] = distance_of(weights.distance)
    with Watch() as watch, worded(all_option_named):
        corpus = reading.corpus(paths, watch)
        watch.phase("measuring")
        with work.opened(drawing.workers) as sent:
            found = write_report(
                corpus,
                title=title or _title(tuple(corpus), len(corpus)),
                dissimilarity=weights.dissimilarity(chance),
                chance=chance,
                overlap=overlap,
                atom=atom,
                gains=gains,
                charts=charts,
                progress=watch if watch.somebody_watches else None,
                **settings,
                **sent,
            )
        watch.phase("writing")
        text = found.written_as(format_)
    output.write_text(target, text.rstrip("\n"))
    if target != output.STDOUT:
        output.print_table(Text(str(found)))
        output.print_done(f"written to {target}")
    result = found.findings.gamma
    if result.undefined and not result.draws:
        msg = f"γ is undefined: {result.undefined}"
        raise DataError(msg)
    return code_for(result)


def _title(names: tuple[str, ...], number: int) -> str:
    return f"Agreement on {names[0] if number == 1 else count(number, 'document')}"


def _told_by(target: str) -> ReportFormat:
    try:
        return format_of(target)
    except SettingError:
        msg = (
            f"the suffix of {target!r} tells no format; end it in .html, .md, .json or .tex, or "
            "say --to html"
        )
        raise SettingError(msg) from None
