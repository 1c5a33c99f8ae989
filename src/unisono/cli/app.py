"""The program itself: its commands, and how errors become sentences and exit codes."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cyclopts import App, CycloptsError
from cyclopts.exceptions import MissingArgumentError, UnknownCommandError, UnknownOptionError

from unisono.cli import output
from unisono.cli.command_table import COMMANDS, PROGRAM
from unisono.cli.config import ProjectSettings, options_by_name
from unisono.cli.exit_codes import ExitCode
from unisono.cli.first_steps import FIRST_STEPS
from unisono.cli.general_options import after_the_command, with_general_options
from unisono.errors import AmbiguousInputError, SettingError, UnisonoError, did_you_mean, worded
from unisono.version import __version__

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
    """Run one command and give its exit code; never a traceback.

    Parameters
    ----------
    arguments
        What stands after the program's name.

    Returns
    -------
    int
        The exit code, as `unisono.cli.main.main` tells.

    Examples
    --------
    >>> from unisono.cli.app import run
    >>> run(["--version"])
    unisono ...
    0
    """
    for stream in (sys.stdout, sys.stderr):
        # A name the terminal cannot write must not stop the program.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    with output.whole_streams(), warnings.catch_warnings(), worded(_option_named):
        warnings.showwarning = _show_warning
        return int(_exit_code(arguments))  # a plain number, as the shell gets it


def program(*, only: str | None = None, config: ProjectSettings | None = None) -> App:
    """Give the program with all its commands.

    Parameters
    ----------
    only
        The one command to load; of the others only their names and summaries are known.
    config
        Where options that are not typed come from.

    Returns
    -------
    cyclopts.App
        To be called with a list of arguments.

    Examples
    --------
    >>> from unisono.cli.app import program
    >>> "gamma" in program(), "gama" in program()
    (True, False)
    """
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
