"""The decorator of all commands: output of the result, progress and exit code."""

from __future__ import annotations

import functools
import inspect
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, make_dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, cast

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.shared import OUTPUT, check_rows
from unisono.errors import DataError, SettingError, worded

if TYPE_CHECKING:
    from unisono.results.sheet import Figure, Sheet

__all__ = ["FORMS", "Output", "Run", "chart_target", "command"]

_LEAST_WIDTH = 50


class Result(Protocol):
    """The interface of results of commands."""

    @property
    def sheet(self) -> Callable[..., Any]: ...
    def to_dict(self) -> Mapping[str, Any]: ...
    def problems(self) -> list[str]: ...


@dataclass(slots=True)
class Run:
    """The state of a running command: progress, title and targets of its result."""

    display: output.ProgressDisplay
    title: str = ""
    sheet_options: dict[str, Any] = field(default_factory=dict)
    """Keyword arguments for the sheet of the result, in addition to its title."""
    needs_all_parts: bool = False
    """Whether the result is written to a file or as JSON, with all its parts."""
    targets: tuple[str | None, ...] = ()
    """The files of the result."""
    target: str | None = None
    """The file of ``-o`` if the command writes something else than the result there."""
    message: str = ""
    """A message about additional files, to print after the result."""
    units: tuple[Sequence[str], Iterable[Sequence[object]]] | None = None
    """Headings and rows of units, which ``--csv`` writes in a format that can be read again."""
    code: ExitCode | None = None
    """The exit code if the result has no problem."""

    @property
    def progress(self) -> output.ProgressDisplay | None:
        """The progress display, or `None` if it is not visible."""
        return self.display if self.display.is_visible else None


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Options for the output of the result.

    Parameters
    ----------
    as_json
        Print the complete result as JSON.
    csv_file
        Write all tables with full precision as CSV to a file, or to stdout.
    rows
        Maximum number of rows to show per table.
    output_file
        Write the result to a file: .md, .html, .tex, .csv or .json.
    """

    as_json: Annotated[bool, Parameter(name="--json", negative="", show_default=False)] = False
    # The type includes Path, so that shells complete file names; the value is a string.
    csv_file: Annotated[str | Path | None, Parameter(name="--csv", metavar="[FILE]")] = None
    rows: Annotated[int, Parameter(metavar="N")] = 10
    output_file: Annotated[
        str | Path | None,
        Parameter(name=["--output", "-o"], metavar="FILE.{md,html,tex,csv,json}"),
    ] = None

    @property
    def as_csv(self) -> str | None:
        """The file for tables as CSV."""
        return None if self.csv_file is None else str(self.csv_file)

    @property
    def output(self) -> str | None:
        """The file for the result, instead of stdout."""
        return None if self.output_file is None else str(self.output_file)

    @property
    def writes_all_parts(self) -> bool:
        """Whether the result is written with all its parts."""
        return self.as_json or self.as_csv is not None or self.output is not None

    def check(self, inputs: tuple[str, ...]) -> None:
        """Raise an error for targets that cannot be written, before the computation."""
        output.check_target(self.as_csv, inputs=inputs, as_json=self.as_json)
        check_rows(self.rows)
        if self.output is not None:
            if Path(self.output).suffix not in FORMS:
                msg = (
                    f"--output needs a file name that ends in one of {', '.join(FORMS)}; "
                    f"got {self.output!r}"
                )
                raise SettingError(msg)
            output.check_target(self.output, inputs=inputs, as_json=False, option="--output")
            output.check_apart(self.as_csv, self.output, options="--csv and --output")

    def emit(self, result: Result, run: Run) -> None:
        """Show or write the result."""
        title = run.title
        # Imported here, because `unisono.results` imports numpy, which help does not need.
        from unisono.results.render import csv_records  # noqa: PLC0415

        if self.as_csv is not None and run.units is not None:
            output.write_units(self.as_csv, *run.units)
        elif self.as_csv is not None:
            output.write_csv(
                self.as_csv, *csv_records(result.sheet(title=title, **run.sheet_options))
            )
        if self.output is not None:
            self._write(self.output, result, run)
            output.print_message(f"written to {self.output}")
        if self.as_json:
            output.print_json(result)
        elif self.as_csv != output.STDOUT and self.output is None:
            from unisono.cli.terminal.sheet import sheet_parts  # noqa: PLC0415

            width = max(shutil.get_terminal_size().columns, _LEAST_WIDTH)
            sheet = result.sheet(title=title, **run.sheet_options)
            output.print_parts(sheet_parts(sheet, width=width, limit=self.rows, rest=_REST))

    def _write(self, target: str, result: Result, run: Run) -> None:
        """Write the result in the format of the file suffix."""
        from unisono.results import render  # noqa: PLC0415 - as above
        from unisono.results.record import json_pieces  # noqa: PLC0415 - as above

        form = Path(target).suffix
        if form == ".json":
            pieces = chain(json_pieces(result, indent=2), ["\n"])
            output.write_bytes(target, (each.encode(errors="backslashreplace") for each in pieces))
            return
        if form == ".csv" and run.units is not None:
            output.write_units(target, *run.units)
            return
        sheet = result.sheet(title=run.title, **run.sheet_options)
        if form == ".csv":
            output.write_csv(target, *render.csv_records(sheet))
            return
        if form == ".html":
            output.write_text(target, _page(sheet, self.rows))
            return
        render_text = {".md": render.markdown, ".tex": render.latex}[form]
        output.write_text(target, render_text(sheet, limit=self.rows, rest=_REST))


def command(
    wording: Callable[..., str] | None = None,
    *,
    rows: int = 10,
    is_other_target: Callable[[str], bool] | None = None,
    format_option: str = "",
) -> Callable[[Callable[..., Result]], Callable[..., ExitCode | None]]:
    """Return a decorator that turns a function of a `Run` and paths into a command.

    The command has the options of `Output`; ``wording`` returns the names of settings for messages;
    ``rows`` is the default of ``--rows``. If ``is_other_target`` is true for the value of ``-o``,
    such as for a chart or a folder, or if the option named ``format_option`` is not ``"auto"``, the
    function writes it itself, as `Run.target`.
    """
    outputs = Output if rows == Output().rows else _output_options(rows)

    def decorate(function: Callable[..., Result]) -> Callable[..., ExitCode | None]:
        # Help must not import the class of the result.
        function.__annotations__.pop("return", None)
        own = inspect.signature(function, eval_str=True)
        out_option = inspect.Parameter(
            "out", inspect.Parameter.KEYWORD_ONLY, default=outputs(), annotation=outputs
        )
        parameters = [*list(own.parameters.values())[1:], out_option]

        @functools.wraps(function)
        def wrapper(
            *paths: str,
            out: Output = out_option.default,
            **options: Any,  # noqa: ANN401 - passed on
        ) -> ExitCode | None:
            target = None
            has_format = options.get(format_option, "auto") != "auto"
            if out.output is not None and (
                has_format or (is_other_target is not None and is_other_target(out.output))
            ):
                target, out = out.output, replace(out, output_file=None)
            out.check(paths)
            names = nullcontext() if wording is None else worded(wording)
            with output.ProgressDisplay() as display, names:
                run = Run(
                    display,
                    needs_all_parts=out.writes_all_parts,
                    targets=(out.as_csv, out.output),
                    target=target,
                )
                result = function(run, *paths, **options)
            out.emit(result, run)
            if run.message and not out.as_json and out.as_csv != output.STDOUT:
                output.print_message(run.message)
            for problem in result.problems():
                raise DataError(problem)
            return run.code

        wrapper.__signature__ = own.replace(parameters=parameters, return_annotation=None)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {each.name: each.annotation for each in parameters}
        return wrapper

    return decorate


def _output_options(rows: int) -> type[Output]:
    """Return the output options with another default of ``--rows``."""
    own = ("rows", Annotated[int, Parameter(metavar="N")], rows)
    inner = {"__doc__": Output.__doc__, "__module__": __name__}
    made = make_dataclass(
        "Output", [own], bases=(Output,), namespace=inner, frozen=True, kw_only=True
    )
    return cast("type[Output]", Parameter(name="*", group=OUTPUT)(made))


def chart_target(run: Run, chart: str | None, inputs: tuple[str, ...]) -> str | None:
    """Return the file for the chart of ``--chart`` or ``-o``; raise an error if it is invalid."""
    if chart is not None and run.target is not None:
        msg = "--chart and --output both name a chart file; use one of them"
        raise SettingError(msg)
    target = chart if run.target is None else run.target
    option = "--chart" if run.target is None else "--output"
    output.check_chart(target, run.targets[0], inputs=inputs, option=option)
    if target is not None and target in run.targets:
        msg = f"--chart and --output cannot both write {target}"
        raise SettingError(msg)
    return target


def _page(sheet: Sheet, rows: int) -> str:
    """Return a sheet as a page, with its figures if the plotting library is installed."""
    # Imported here, because most commands write no page.
    from unisono.results.html import html_frame  # noqa: PLC0415
    from unisono.results.render import html  # noqa: PLC0415

    title = sheet.title or f"unisono: {sheet.name}"
    body = html(replace(sheet, title=""), limit=rows, rest=_REST)
    return html_frame(title, "\n".join([body, *_html_figures(sheet.figures)]))


def _html_figures(figures: Iterable[Figure]) -> Iterator[str]:
    # Imported here, because most commands draw no charts.
    from unisono.charts.chart import CHARTS  # noqa: PLC0415
    from unisono.charts.save import chart_svg  # noqa: PLC0415
    from unisono.charts.style import can_draw  # noqa: PLC0415
    from unisono.results.blocks import Figure as HtmlFigure  # noqa: PLC0415
    from unisono.results.html import html_figure  # noqa: PLC0415

    for each in figures if can_draw() else ():
        with suppress(DataError):  # no data for the chart
            drawn = chart_svg(CHARTS[each.chart](each.subject))
            about = f"{each.title} {each.description}"
            yield html_figure(HtmlFigure(each.title, about, drawn))


FORMS = (".md", ".html", ".tex", ".csv", ".json")
"""The suffixes of files for results."""
_REST = "use --csv or --json for all"
