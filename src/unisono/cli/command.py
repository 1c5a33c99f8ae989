"""What all commands share: where the result goes, progress, and the exit code."""

from __future__ import annotations

import functools
import inspect
import shutil
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Annotated, Any, Protocol

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.shared import OUTPUT, check_rows
from unisono.errors import DataError, SettingError, worded

__all__ = ["Output", "Run", "command"]

_LEAST_WIDTH = 50
_STYLE = (
    ":root { color-scheme: light dark } body { font: 16px/1.5 system-ui, sans-serif; "
    "margin: 2rem } "
    "table { border-collapse: collapse; margin: 1rem 0 } th, td { padding: .2rem .8rem; "
    "font-variant-numeric: tabular-nums } th { text-align: left } "
    "dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem } "
    "dt { font-weight: 600 } dd { margin: 0 } code { overflow-wrap: anywhere }"
)


class Result(Protocol):
    """What a command returns."""

    def sheet(self, *, title: str = "") -> Any: ...  # noqa: ANN401
    def to_dict(self) -> Mapping[str, Any]: ...
    def problems(self) -> list[str]: ...


@dataclass(slots=True)
class Run:
    """A command that runs: its progress, and the title of its result."""

    watch: output.Watch
    title: str = ""
    whole: bool = False
    """Whether the result is written, so that all its parts are wanted."""
    targets: tuple[str | None, ...] = ()
    """Where the result is written."""
    code: ExitCode | None = None
    """What the exit code is if the result has no problem."""

    @property
    def progress(self) -> output.Watch | None:
        """What shows progress, where somebody can see it."""
        return self.watch if self.watch.somebody_watches else None


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Where the result goes.

    Parameters
    ----------
    as_json
        JSON on stdout, with everything.
    csv_file
        All tables with full precision, to a file or else to stdout.
    rows
        Rows to show of tables of labels, pairs and documents.
    output_file
        Write the result to a file instead: .md, .html, .tex, .csv or .json.
    """

    as_json: Annotated[bool, Parameter(name="--json", negative="", show_default=False)] = False
    # A path too, so that shells complete the names of files; the value is a text.
    csv_file: Annotated[str | Path | None, Parameter(name="--csv", metavar="[FILE]")] = None
    rows: Annotated[int, Parameter(metavar="N")] = 10
    output_file: Annotated[
        str | Path | None,
        Parameter(name=["--output", "-o"], metavar="FILE.{md,html,tex,csv,json}"),
    ] = None

    @property
    def as_csv(self) -> str | None:
        """Where tables go as CSV."""
        return None if self.csv_file is None else str(self.csv_file)

    @property
    def output(self) -> str | None:
        """Where the result goes instead of stdout."""
        return None if self.output_file is None else str(self.output_file)

    @property
    def is_whole(self) -> bool:
        """Whether the result is written, with all its parts."""
        return self.as_json or self.as_csv is not None or self.output is not None

    def check(self, inputs: tuple[str, ...]) -> None:
        """Refuse targets that cannot be written, before anything is computed."""
        output.check_target(self.as_csv, inputs=inputs, as_json=self.as_json)
        check_rows(self.rows)
        if self.output is not None:
            if Path(self.output).suffix not in _FORMS:
                msg = (
                    f"--output writes {', '.join(_FORMS)}; the name {self.output!r} ends in none "
                    "of them"
                )
                raise SettingError(msg)
            output.check_target(self.output, inputs=inputs, as_json=False, option="--output")
            output.check_apart(self.as_csv, self.output, options="--csv and --output")

    def emit(self, result: Result, title: str) -> None:
        """Show or write the result."""
        # Here, because the room of results loads numpy, which help does without.
        from unisono.results.render import csv_records  # noqa: PLC0415

        if self.as_csv is not None:
            output.write_csv(self.as_csv, *csv_records(result.sheet(title=title)))
        if self.output is not None:
            self._write(self.output, result, title)
            output.print_done(f"written to {self.output}")
        if self.as_json:
            output.print_json(result.to_dict())
        elif self.as_csv != output.STDOUT and self.output is None:
            from unisono.cli.terminal.sheet import sheet_parts  # noqa: PLC0415

            width = max(shutil.get_terminal_size().columns, _LEAST_WIDTH)
            sheet = result.sheet(title=title)
            output.print_parts(sheet_parts(sheet, width=width, limit=self.rows, rest=_REST))

    def _write(self, target: str, result: Result, title: str) -> None:
        """Write the result in the form that the name of the file says."""
        from unisono.results import render  # noqa: PLC0415 - as above
        from unisono.results.wording import json_text  # noqa: PLC0415 - as above

        form = Path(target).suffix
        if form == ".json":
            output.write_text(target, json_text(result.to_dict(), indent=2))
            return
        sheet = result.sheet(title=title)
        if form == ".csv":
            output.write_csv(target, *render.csv_records(sheet))
            return
        written = {".md": render.markdown, ".html": render.html, ".tex": render.latex}[form]
        body = written(sheet, limit=self.rows, rest=_REST)
        output.write_text(target, _html(body, title) if form == ".html" else body)


def command(
    wording: Callable[..., str] | None = None,
) -> Callable[[Callable[..., Result]], Callable[..., ExitCode | None]]:
    """Make a command of a function that takes a `Run` and paths and returns a result.

    The command has the options of `Output`; messages name settings by ``wording``, if it is given.
    """

    def decorate(function: Callable[..., Result]) -> Callable[..., ExitCode | None]:
        # The class of the result need not be loaded for help.
        function.__annotations__.pop("return", None)
        own = inspect.signature(function, eval_str=True)
        out_option = inspect.Parameter(
            "out", inspect.Parameter.KEYWORD_ONLY, default=Output(), annotation=Output
        )
        parameters = [*list(own.parameters.values())[1:], out_option]

        @functools.wraps(function)
        def called(
            *paths: str,
            out: Output = out_option.default,
            **options: Any,  # noqa: ANN401 - handed on
        ) -> ExitCode | None:
            out.check(paths)
            own_words = nullcontext() if wording is None else worded(wording)
            with output.Watch() as watch, own_words:
                run = Run(watch, whole=out.is_whole, targets=(out.as_csv, out.output))
                result = function(run, *paths, **options)
            out.emit(result, run.title)
            for problem in result.problems():
                raise DataError(problem)
            return run.code

        called.__signature__ = own.replace(parameters=parameters, return_annotation=None)  # type: ignore[attr-defined]
        called.__annotations__ = {each.name: each.annotation for each in parameters}
        return called

    return decorate


def _html(body: str, title: str) -> str:
    """Return a whole page."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f"</title><style>{_STYLE}</style></head><body>\n{body}\n</body></html>"
    )


_FORMS = (".md", ".html", ".tex", ".csv", ".json")
_REST = "--csv or --json has all"
