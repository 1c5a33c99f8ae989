"""The program: its commands, general options, and how errors become messages and exit codes."""

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
from cyclopts.exceptions import MissingArgumentError, UnknownCommandError, UnknownOptionError

from unisono.cli import output
from unisono.cli.config import ProjectSettings, options_by_name
from unisono.cli.exit_codes import ExitCode
from unisono.errors import AmbiguousInputError, SettingError, UnisonoError, did_you_mean, worded
from unisono.version import __version__

DATA = Group("Look at data", sort_key=0)
MEASURE = Group("Measure agreement", sort_key=1)
UNDERSTAND = Group("See, understand and decide", sort_key=2)
SIMULATE = Group("Plan and simulate", sort_key=3)
PROGRAM = Group("This program", sort_key=4)


class Entry(NamedTuple):
    """Where a command is, and how help shows it."""

    module: str
    """The file in this room; it has the examples of ``--help`` as ``<NAME>_EXAMPLES``."""
    function: str
    """The function of the command."""
    summary: str
    """The first line of its docstring, for the list of commands."""
    group: Group
    """Among which commands it is listed."""
    arguments: str = "PATH..."
    """What follows the options."""

    def loaded(self) -> Callable[..., ExitCode | None]:
        """Import the function of the command."""
        command: Callable[..., ExitCode | None] = getattr(self._room(), self.function)
        return command

    def examples(self, name: str) -> str:
        """Give the examples of its help."""
        return str(getattr(self._room(), f"{name.upper()}_EXAMPLES"))

    def _room(self) -> object:
        return import_module(f"unisono.cli.{self.module}")


COMMANDS: Mapping[str, Entry] = {
    "describe": Entry(
        *("data", "describe"),
        "Say what files hold and which measures fit, before any number.",
        DATA,
    ),
    "convert": Entry(
        *("data", "convert"),
        "Write what files hold in another format.",
        DATA,
        "PATH... TARGET",
    ),
    "gamma": Entry(
        *("gamma", "gamma"),
        "Measure agreement on units and their labels: γ, γcat and γk.",
        MEASURE,
    ),
    "unitizing": Entry(
        *("units", "unitizing"),
        "Measure agreement on units by length: uα, |uα, cuα and (k)uα.",
        MEASURE,
    ),
    "segments": Entry(
        *("units", "segments"),
        "Measure agreement on where texts are cut: Pk, WindowDiff, B, S.",
        MEASURE,
    ),
    "all": Entry(
        *("units", "all_measures"),
        "Put γ, the alphas, κ_d, slot errors and others side by side.",
        MEASURE,
    ),
    "compare": Entry(
        *("compare", "compare"),
        "Score a hypothesis against a reference: F1, slot errors and γ.",
        MEASURE,
        "REFERENCE HYPOTHESIS",
    ),
    "items": Entry(
        *("items", "items"),
        "Measure agreement on given items: α, κ and their relatives.",
        MEASURE,
        "FILE",
    ),
    "report": Entry(
        *("understand", "report"),
        "Write one page on agreement: words, numbers, charts, what to do.",
        UNDERSTAND,
    ),
    "chart": Entry(
        *("understand", "chart"),
        "Draw units, alignments, consensus or results as a picture.",
        UNDERSTAND,
        "KIND PATH...",
    ),
    "align": Entry(
        *("gamma", "align"),
        "Show which units belong together: the best alignment.",
        UNDERSTAND,
    ),
    "diagnose": Entry(
        *("understand", "diagnose"),
        "Split disagreement into position, labels and missing units.",
        UNDERSTAND,
    ),
    "advise": Entry(
        *("understand", "advise"),
        "Say what to decide first, and what changes would gain.",
        UNDERSTAND,
    ),
    "consensus": Entry(
        *("understand", "consensus"),
        "Make one annotation of what most annotators share.",
        UNDERSTAND,
    ),
    "calibrate": Entry(
        *("understand", "calibrate"),
        "Say which errors, and how many, would give the same γ.",
        UNDERSTAND,
    ),
    "missing": Entry(
        *("items", "missing"),
        "Delete values at random to compare policies for missing values.",
        SIMULATE,
        "FILE",
    ),
    "plan": Entry(
        *("simulate", "plan"),
        "Say how many items or documents a wished interval takes.",
        SIMULATE,
    ),
    "shuffle": Entry(
        *("simulate", "shuffle"),
        "Simulate annotators who know the right answer and make errors.",
        SIMULATE,
        "[PATH...]",
    ),
    "scan": Entry(
        *("simulate", "scan"),
        "Show how measures fall while simulated errors grow.",
        SIMULATE,
        "[PATH...]",
    ),
    "reproduce": Entry(
        *("simulate", "reproduce"),
        "Compute again what the papers print and draw.",
        SIMULATE,
        "[PAPER]",
    ),
    "serve": Entry(
        *("program", "serve"),
        "Open the web page and the HTTP interface, on this machine only.",
        PROGRAM,
        "",
    ),
    "completion": Entry(
        *("program", "completion"),
        "Let a shell complete commands, options and choices.",
        PROGRAM,
        "[SHELL]",
    ),
}
"""All commands by the names that are typed."""
FIRST_STEPS = f"""\
unisono {__version__}: how much do annotators agree?

First let it say what your files hold and which measures fit:
  unisono describe FILE-OR-FOLDER

Then, where annotators marked units in texts or recordings:
  unisono gamma PATH        γ, γcat and γk, corrected for chance
  unisono all PATH          every measure of units side by side
  unisono diagnose PATH     why they disagree: places, labels, what was missed
  unisono consensus PATH    one annotation of what most of them share
  unisono report PATH -o report.html    all of it on one page, with charts

Where they labelled given items:
  unisono items TABLE       α, κ and their relatives

No data at hand? Make some up:
  unisono shuffle --units 30 --magnitude 0.3 --csv demo.csv
  unisono gamma demo.csv

unisono --help lists all commands, unisono gamma --help all options of one."""
"""The page, for a terminal of any kind."""
GENERAL = Group("General", sort_key=90)
_ALONE = ("--quiet", "-q", "--no-config", "--overwrite-input", "--raw-csv")
_WITH_VALUE = "--config"
_FILES = ("FILE", "PATH", "DIR", "TARGET")


@Parameter(name="*", group=GENERAL)
@dataclass(frozen=True, slots=True, kw_only=True)
class General:
    """What holds for every command.

    Parameters
    ----------
    quiet
        Only results and errors: no progress, no notes, no "written to".
    config
        Settings that you trust; otherwise unisono.toml here or above, to measure and read only.
    no_config
        Take no settings from a file.
    overwrite_input
        Allow a file that is read to be written over.
    raw_csv
        Leave cells of result tables as they are, also those that begin as a formula does.
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
    """Give a command the options that every command has."""
    own = inspect.signature(function, eval_str=True)
    parameters = [
        each.replace(annotation=_completed(each.annotation)) for each in own.parameters.values()
    ]
    general = inspect.Parameter(
        "general", inspect.Parameter.KEYWORD_ONLY, default=General(), annotation=General
    )

    @functools.wraps(function)
    def command(
        *arguments: Any,  # noqa: ANN401 - handed on
        general: General = general.default,
        **options: Any,  # noqa: ANN401 - handed on
    ) -> ExitCode | None:
        about = {"overwrite_input": general.overwrite_input, "raw_csv": general.raw_csv}
        with output.quietly(general.quiet), output.writing(**about):
            if general.config is not None:
                output.reads(str(general.config))
            return function(*arguments, **options)

    command.__signature__ = own.replace(parameters=[*parameters, general])  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in (*parameters, general)}
    return command


def after_the_command(arguments: Sequence[str]) -> list[str]:
    """Move general options that stand before the command behind its name."""
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


def _completed(annotation: Any) -> Any:  # noqa: ANN401 - any type there is
    """Let a text that names a file be completed as one; it stays a text."""
    if get_origin(annotation) is not Annotated:
        return annotation
    kind, *about = get_args(annotation)
    told = " ".join(f"{each.metavar} {each.name}" for each in about if isinstance(each, Parameter))
    if (kind is str or str in get_args(kind)) and any(word in told for word in _FILES):
        return Annotated[(kind | Path, *about)]
    return annotation


_HELP = "How much do annotators agree, on what they marked or on how they label items?"
_EXAMPLES = """\
Examples:

  unisono                      what to do first
  unisono describe export/     what the files hold, and which measures fit
  unisono gamma turns.csv      γ, γcat and γk of one document
  unisono all interviews/      every measure of a folder, pooled
  unisono items ratings.csv    α, κ and their relatives on given items
  unisono gamma --help         all options"""
_EXIT_CODES = "Exit: " + ", ".join(
    f"{code.value} {code.name.lower().replace('_', ' ')}" for code in ExitCode
)


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code; never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # A name the terminal cannot write must not stop the program.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    with output.whole_streams(), warnings.catch_warnings(), worded(_option_named):
        warnings.showwarning = _show_warning
        return int(_exit_code(arguments))  # a plain number, as the shell gets it


def program(*, only: str | None = None, config: ProjectSettings | None = None) -> App:
    """Give the program with all its commands."""
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
        about: dict[str, Any] = {
            "name": name,
            "usage": f"Usage: unisono {name} [OPTIONS] {entry.arguments}".rstrip(),
            "sort_key": place,
            "group": entry.group,
        }
        if only is None or name == only:
            command = with_general_options(entry.loaded())
            app.command(command, help_epilogue=entry.examples(name), **about)
        else:
            where = f"unisono.cli.{entry.module}:{entry.function}"
            app.command(where, help=entry.summary, **about)
    return app


# Loaded when a message asks for it: help and completion do without.
def _option_named(name: str, /, *value: object) -> str:
    from unisono.cli.options.shared import option_named  # noqa: PLC0415

    return option_named(name, *value)


def _options_of(command: str) -> set[str]:
    return set(options_by_name(program(only=command)[command].assemble_argument_collection()))


def _exit_code(arguments: Sequence[str]) -> int:
    given = after_the_command(_with_csv_value(arguments))
    try:
        return _run_command(given)
    except CycloptsError as error:
        return _complain(_misunderstood(error, given), ExitCode.USAGE)
    except (SettingError, AmbiguousInputError) as error:
        return _complain(str(error), ExitCode.USAGE)
    except BrokenPipeError:
        _settle_stdout()
        return ExitCode.BROKEN_PIPE
    except OSError as error:
        _settle_stdout()
        return _complain(_about_system(error), ExitCode.ERROR)
    except UnisonoError as error:
        return _complain(str(error), ExitCode.ERROR)
    except MemoryError:
        return _complain("there is not enough memory for these data", ExitCode.ERROR)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 0
    except Exception as error:
        if os.environ.get("UNISONO_TRACEBACK"):
            raise
        return _complain(
            f"this should not have happened, please report it: {type(error).__name__}: {error} "
            "(UNISONO_TRACEBACK=1 shows where)",
            ExitCode.ERROR,
        )


def _run_command(given: Sequence[str]) -> ExitCode:
    """Run the command and return what it returned as its exit code; no value means good."""
    code: ExitCode | None = None
    if given:
        # Others are not loaded: a typo, help and the version need none.
        settings = ProjectSettings(_options_of, list(COMMANDS))
        app = program(only=given[0], config=settings)
        command, bound, _ = app.parse_args(given, exit_on_error=False, print_error=False)
        if settings.note:
            output.print_note(settings.note, quiet=settings.is_quiet)
        code = command(*bound.args, **bound.kwargs)
    else:
        output.write_text(output.STDOUT, FIRST_STEPS)
    if sys.stdout is not None:
        sys.stdout.flush()
    return ExitCode.GOOD if code is None else code


def _misunderstood(error: CycloptsError, given: Sequence[str]) -> str:
    """Say what could not be understood, and what may be meant."""
    if isinstance(error, UnknownCommandError):
        typed = given[0]
        if Path(typed).exists():
            return f"say first what to do with {typed}, such as: unisono describe {typed}"
        kind = "option" if typed.startswith("-") else "command"
        known = ("--help", "--version") if kind == "option" else COMMANDS
        meant = did_you_mean(typed, known) or "."
        return f"unknown {kind} {typed!r}{meant} unisono --help lists all"
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        missing = error.argument
        if not (error.keyword or missing.tokens or _any_option(error.unused_tokens)):
            return f"unisono {given[0]} needs {missing.name}; unisono {given[0]} --help tells more"
    message = str(error)
    if isinstance(error, UnknownOptionError):
        option = error.token.keyword or error.token.value
        others = [each for each in COMMANDS if option.removeprefix("--") in _options_of(each)]
        if others:
            return f"unisono {given[0]} has no option {option}; it is one of {', '.join(others)}"
    return message[:1].lower() + message[1:]


def _any_option(tokens: Sequence[str] | None) -> bool:
    return any(token.startswith("-") for token in tokens or ())


def _with_csv_value(arguments: Sequence[str]) -> list[str]:
    # `--csv` alone writes to stdout; the parser knows no option with a value that may be missing.
    given = list(arguments)
    options = given[: given.index("--")] if "--" in given else given
    found: list[str] = []
    for i, argument in enumerate(options):
        following = options[i + 1] if i + 1 < len(options) else "--"
        if argument == "-" and found[-1:] == ["--csv=-"]:
            continue
        bare = argument == "--csv" and following.startswith("-")
        found.append("--csv=-" if bare else argument)
    return found + given[len(options) :]


def _complain(message: str, code: int) -> int:
    output.print_problem(message)
    return code


def _about_system(error: OSError) -> str:
    problem = error.strerror or str(error)
    return problem if error.filename is None else f"{os.fsdecode(error.filename)}: {problem}"


# Python flushes stdout once more when it ends, and would complain then.
def _settle_stdout() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    output.print_note(str(message))
