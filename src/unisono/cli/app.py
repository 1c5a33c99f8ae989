"""The program: commands, general options, and the messages and exit codes of errors."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from cyclopts import App, CycloptsError, Group, Parameter
from cyclopts.exceptions import (
    MissingArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    ValidationError,
)

from unisono.cli import output
from unisono.cli.config import ProjectSettings, options_by_name
from unisono.cli.exit_codes import ExitCode
from unisono.errors import AmbiguousInputError, SettingError, UnisonoError, did_you_mean, worded
from unisono.version import __version__

DATA = Group("Look at data", sort_key=0)
MEASURE = Group("Measure agreement", sort_key=1)
UNDERSTAND = Group("Understand disagreement", sort_key=2)
SIMULATE = Group("Plan and simulate", sort_key=3)
PROGRAM = Group("Program", sort_key=4)


class Entry(NamedTuple):
    """The location of a command, and its entry in the help."""

    module: str
    """The module in `unisono.cli`, with the examples of ``--help`` as ``<NAME>_EXAMPLES``."""
    function: str
    """The function of the command."""
    summary: str
    """The first line of its docstring, for the list of commands."""
    group: Group
    """The group of commands in the list."""
    arguments: str = "PATH..."
    """The arguments after the options, for the usage line."""

    def load(self) -> Callable[..., ExitCode | None]:
        """Import the function of the command."""
        command: Callable[..., ExitCode | None] = getattr(self._load_module(), self.function)
        return command

    def examples(self, name: str) -> str:
        """Return the examples for its help."""
        return str(getattr(self._load_module(), f"{name.upper().replace('-', '_')}_EXAMPLES"))

    def _load_module(self) -> object:
        return import_module(f"unisono.cli.{self.module}")


COMMANDS: Mapping[str, Entry] = {
    "describe": Entry(
        *("data", "describe"),
        "Show the contents of files and the measures that fit them.",
        DATA,
    ),
    "convert": Entry(
        *("data", "convert"),
        "Convert files to another format.",
        DATA,
        "PATH... TARGET",
    ),
    "gamma": Entry(
        *("gamma", "gamma"),
        "Measure agreement on units and their labels: γ, γcat and γk.",
        MEASURE,
    ),
    "items": Entry(
        *("items", "items"),
        "Measure agreement on labelled items: α, κ and related measures.",
        MEASURE,
        "FILE",
    ),
    "units": Entry(
        *("units", "units"),
        "Compute all measures of units: γ, the alphas, κ_d and others.",
        MEASURE,
    ),
    "unitizing": Entry(
        *("units", "unitizing"),
        "Measure agreement on units by length: uα, |uα, cuα and (k)uα.",
        MEASURE,
    ),
    "segments": Entry(
        *("units", "segments"),
        "Measure agreement on segment boundaries: Pk, WindowDiff, B, S.",
        MEASURE,
    ),
    "compare": Entry(
        *("compare", "compare"),
        "Score a hypothesis against a reference: F1, slot errors and γ.",
        MEASURE,
        "REFERENCE HYPOTHESIS",
    ),
    "chains": Entry(
        *("chains", "chains"),
        "Measure agreement on chains such as coreference: κ, α, MUC, B³.",
        MEASURE,
    ),
    "pyramids": Entry(
        *("chains", "pyramids"),
        "Measure agreement on pyramids of summaries: α of words.",
        MEASURE,
    ),
    "align": Entry(
        *("gamma", "align"),
        "Show the best alignment: which units correspond.",
        UNDERSTAND,
    ),
    "diagnose": Entry(
        *("understand", "diagnose"),
        "Divide disagreement by its sources: labels, positions, raters.",
        UNDERSTAND,
    ),
    "advise": Entry(
        *("understand", "advise"),
        "Rank disagreements, and estimate the gain from changes.",
        UNDERSTAND,
    ),
    "consensus": Entry(
        *("understand", "consensus"),
        "Merge the annotations of several annotators into one.",
        UNDERSTAND,
    ),
    "calibrate": Entry(
        *("understand", "calibrate"),
        "Estimate the amount of errors that gives the same γ.",
        UNDERSTAND,
    ),
    "reliability": Entry(
        *("reliability", "reliability"),
        "Relate agreement to an outcome, for a test of its use.",
        UNDERSTAND,
        "FILE",
    ),
    "report": Entry(
        *("understand", "report"),
        "Write a report: summary, numbers, charts and recommendations.",
        UNDERSTAND,
    ),
    "chart": Entry(
        *("understand", "chart"),
        "Draw a chart of units, an alignment, a consensus or a result.",
        UNDERSTAND,
        "KIND PATH...",
    ),
    "plan": Entry(
        *("simulate", "plan"),
        "Estimate the sample size for a target interval width.",
        SIMULATE,
    ),
    "shuffle": Entry(
        *("simulate", "shuffle"),
        "Simulate annotators who make errors in a reference.",
        SIMULATE,
        "[PATH...]",
    ),
    "curves": Entry(
        *("simulate", "curves"),
        "Show how measures decrease with the amount of errors.",
        SIMULATE,
        "[PATH...]",
    ),
    "missing-policies": Entry(
        *("items", "missing_policies"),
        "Compare policies for missing values by deleting values.",
        SIMULATE,
        "FILE",
    ),
    "reproduce": Entry(
        *("simulate", "reproduce"),
        "Reproduce published numbers and figures.",
        SIMULATE,
        "[PAPER]",
    ),
    "serve": Entry(
        *("program", "serve"),
        "Start the web interface and the HTTP API on this machine.",
        PROGRAM,
        "",
    ),
    "doctor": Entry(
        *("doctor", "doctor"),
        "Show versions, and check that the installation works.",
        PROGRAM,
        "",
    ),
    "completion": Entry(
        *("program", "completion"),
        "Set up completion of commands and options in a shell.",
        PROGRAM,
        "[SHELL]",
    ),
}
"""All commands by name."""
FIRST_STEPS = f"""\
unisono {__version__}: how much do annotators agree?

First look at the contents of your files and the measures that fit them:
  unisono describe FILE-OR-FOLDER

Then, where annotators marked units in texts or recordings:
  unisono gamma PATH        γ, γcat and γk, corrected for chance
  unisono units PATH        every measure of units in one table
  unisono diagnose PATH     why they disagree: positions, labels, missing units
  unisono consensus PATH    one annotation merged from all of them
  unisono report PATH -o report.html    all results on one page, with charts

Where annotators labelled the same items:
  unisono items TABLE       α, κ and related measures

No data at hand? Simulate some:
  unisono shuffle --units 30 --magnitude 0.3 --csv demo.csv
  unisono gamma demo.csv

unisono --help lists all commands, unisono gamma --help the options of one."""
"""The text that the program prints without arguments."""
GENERAL = Group("General", sort_key=90)
_ALONE = ("--quiet", "-q", "--no-config", "--overwrite-input", "--raw-csv")
_WITH_VALUE = "--config"
_FILES = ("FILE", "PATH", "DIR", "TARGET")


@Parameter(name="*", group=GENERAL)
@dataclass(frozen=True, slots=True, kw_only=True)
class General:
    """General options of every command.

    Parameters
    ----------
    quiet
        Print only results and errors: no progress, notes or "written to".
    config
        Settings file that you trust; by default the nearest unisono.toml, for safe settings only.
    no_config
        Ignore settings files.
    overwrite_input
        Allow an output file to replace an input file.
    raw_csv
        Do not escape CSV cells that a spreadsheet would run as formulas.
    """

    quiet: Annotated[bool, Parameter(name=["--quiet", "-q"], negative="", show_default=False)] = (
        False
    )
    config: Annotated[str | Path | None, Parameter(metavar="FILE.toml")] = None
    no_config: Annotated[bool, Parameter(negative="", show_default=False)] = False
    overwrite_input: Annotated[bool, Parameter(negative="", show_default=False)] = False
    raw_csv: Annotated[bool, Parameter(negative="", show_default=False)] = False


def with_general_options(
    function: Callable[..., ExitCode | None],
) -> Callable[..., ExitCode | None]:
    """Return a command extended by the general options."""
    own = inspect.signature(function, eval_str=True)
    parameters = [
        each.replace(annotation=_with_file_completion(each.annotation))
        for each in own.parameters.values()
    ]
    general = inspect.Parameter(
        "general", inspect.Parameter.KEYWORD_ONLY, default=General(), annotation=General
    )

    @functools.wraps(function)
    def command(
        *arguments: Any,  # noqa: ANN401 - passed on
        general: General = general.default,
        **options: Any,  # noqa: ANN401 - passed on
    ) -> ExitCode | None:
        permissions = {"overwrite_input": general.overwrite_input, "raw_csv": general.raw_csv}
        with output.quiet_output(general.quiet), output.write_permissions(**permissions):
            if general.config is not None:
                output.register_inputs(str(general.config))
            return function(*arguments, **options)

    command.__signature__ = own.replace(parameters=[*parameters, general])  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in (*parameters, general)}
    return command


def move_general_options(arguments: Sequence[str]) -> list[str]:
    """Move general options from before the command to after it."""
    at = 0
    while at < len(arguments):
        if arguments[at] in _ALONE or arguments[at].startswith(f"{_WITH_VALUE}="):
            at += 1
        elif arguments[at] == _WITH_VALUE:
            at += 2
        else:
            break
    if at >= len(arguments):
        return []  # no command at all
    return [arguments[at], *arguments[:at], *arguments[at + 1 :]]


def _with_file_completion(annotation: Any) -> Any:  # noqa: ANN401 - any type
    """Return an annotation with which shells complete file names; the value remains a string."""
    if get_origin(annotation) is not Annotated:
        return annotation
    kind, *metadata = get_args(annotation)
    names = " ".join(
        f"{each.metavar} {each.name}" for each in metadata if isinstance(each, Parameter)
    )
    if (kind is str or str in get_args(kind)) and any(word in names for word in _FILES):
        return Annotated[(kind | Path, *metadata)]
    return annotation


_HELP = "Measure the agreement of annotators on units, segments or labelled items."
_EXAMPLES = """\
Examples:

  unisono                      first steps
  unisono describe export/     contents of files, and the measures that fit
  unisono gamma turns.csv      γ, γcat and γk of one document
  unisono units interviews/    every measure of a folder, pooled
  unisono items ratings.csv    α, κ and related measures of labelled items
  unisono gamma --help         all options"""
_EXIT_CODES = "Exit: " + ", ".join(
    f"{code.value} {code.name.lower().replace('_', ' ')}" for code in ExitCode
)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors become messages, not tracebacks."""
    for stream in (sys.stdout, sys.stderr):
        # Characters that the terminal cannot encode must not stop the program.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    with output.complete_streams(), warnings.catch_warnings(), worded(_option_text):
        warnings.showwarning = _show_warning
        return int(_exit_code(arguments))  # a plain int for the shell


def program(*, only: str | None = None, config: ProjectSettings | None = None) -> App:
    """Return the program with all its commands."""
    app = App(
        name="unisono",
        help=_HELP,
        help_epilogue=f"{_EXAMPLES}\n\n{_EXIT_CODES}",
        help_flags=["-h", "--help"],
        help_format="plaintext",
        version=f"unisono {__version__}",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        config=config,
    )
    for flag in (*app.help_flags, *app.version_flags):
        app[flag].group = PROGRAM
    for place, (name, entry) in enumerate(COMMANDS.items()):
        parameters: dict[str, Any] = {
            "name": name,
            "usage": f"Usage: unisono {name} [OPTIONS] {entry.arguments}".rstrip(),
            "sort_key": place,
            "group": entry.group,
        }
        if only is None or name == only:
            command = with_general_options(entry.load())
            app.command(command, help_epilogue=entry.examples(name), **parameters)
        else:
            where = f"unisono.cli.{entry.module}:{entry.function}"
            app.command(where, help=entry.summary, **parameters)
    return app


# Imported on demand: help and completion do not need it.
def _option_text(name: str, /, *value: object) -> str:
    from unisono.cli.options.shared import read_option_text  # noqa: PLC0415

    return read_option_text(name, *value)


def _options_of(command: str) -> set[str]:
    return set(options_by_name(program(only=command)[command].assemble_argument_collection()))


def _exit_code(arguments: Sequence[str]) -> int:
    moved = move_general_options(_with_csv_value(arguments))
    try:
        return _run_command(moved)
    except CycloptsError as error:
        return _report_error(_usage_message(error, moved), ExitCode.USAGE)
    except AmbiguousInputError as error:
        # A question has a line for each reading.
        output.print_lines(str(error).splitlines())
        return ExitCode.USAGE
    except SettingError as error:
        return _report_error(str(error), ExitCode.USAGE)
    except BrokenPipeError:
        _flush_stdout()
        return ExitCode.BROKEN_PIPE
    except OSError as error:
        _flush_stdout()
        return _report_error(_system_error_text(error), ExitCode.ERROR)
    except UnisonoError as error:
        return _report_error(str(error), ExitCode.ERROR)
    except MemoryError:
        return _report_error("not enough memory for these data", ExitCode.ERROR)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 0
    except Exception as error:
        if os.environ.get("UNISONO_TRACEBACK"):
            raise
        return _report_error(
            f"internal error, please report it: {type(error).__name__}: {error} "
            "(set UNISONO_TRACEBACK=1 for the traceback)",
            ExitCode.ERROR,
        )


def _run_command(arguments: Sequence[str]) -> ExitCode:
    """Run the command and return its exit code; `None` means `ExitCode.GOOD`."""
    code: ExitCode | None = None
    if arguments:
        # Only this command is imported, which keeps help and error messages fast.
        settings = ProjectSettings(_options_of, list(COMMANDS))
        app = program(only=arguments[0], config=settings)
        command, bound, _ = app.parse_args(arguments, exit_on_error=False, print_error=False)
        if settings.note:
            output.print_note(settings.note, quiet=settings.is_quiet)
        code = command(*bound.args, **bound.kwargs)
    else:
        output.write_text(output.STDOUT, FIRST_STEPS)
    if sys.stdout is not None:
        sys.stdout.flush()
    return ExitCode.GOOD if code is None else code


def _usage_message(error: CycloptsError, arguments: Sequence[str]) -> str:
    """Return what is wrong with the command line, and the likely correction."""
    if isinstance(error, UnknownCommandError):
        typed = arguments[0]
        if Path(typed).exists():
            return f"{typed} needs a command before it, such as: unisono describe {typed}"
        kind = "option" if typed.startswith("-") else "command"
        known = ("--help", "--version") if kind == "option" else COMMANDS
        meant = did_you_mean(typed, known) or "."
        return f"unknown {kind} {typed!r}{meant} unisono --help lists all"
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        missing = error.argument
        if not (error.keyword or missing.tokens or _any_option(error.unused_tokens)):
            return f"unisono {arguments[0]} needs {missing.name}; see unisono {arguments[0]} --help"
    if isinstance(error, ValidationError) and error.argument is not None:
        (token,) = error.argument.tokens[:1]
        return error.exception_message + ("" if token.source == "cli" else f", in {token.source}")
    message = str(error)
    if isinstance(error, UnknownOptionError):
        option = error.token.keyword or error.token.value
        others = [each for each in COMMANDS if option.removeprefix("--") in _options_of(each)]
        if others:
            return (
                f"unisono {arguments[0]} has no option {option}; commands with it: "
                f"{', '.join(others)}"
            )
    return message[:1].lower() + message[1:]


def _any_option(tokens: Sequence[str] | None) -> bool:
    return any(token.startswith("-") for token in tokens or ())


def _with_csv_value(arguments: Sequence[str]) -> list[str]:
    # `--csv` without a value writes to stdout; the parser does not support optional values.
    all_arguments = list(arguments)
    end = all_arguments.index("--") if "--" in all_arguments else len(all_arguments)
    options = all_arguments[:end]
    found: list[str] = []
    for i, argument in enumerate(options):
        following = options[i + 1] if i + 1 < len(options) else "--"
        if argument == "-" and found[-1:] == ["--csv=-"]:
            continue
        has_no_value = argument == "--csv" and following.startswith("-")
        found.append("--csv=-" if has_no_value else argument)
    return found + all_arguments[end:]


def _report_error(message: str, code: int) -> int:
    output.print_problem(message)
    return code


def _system_error_text(error: OSError) -> str:
    problem = error.strerror or str(error)
    return problem if error.filename is None else f"{os.fsdecode(error.filename)}: {problem}"


# Python flushes stdout again at exit, and would print another error then.
def _flush_stdout() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    output.print_note(str(message))
