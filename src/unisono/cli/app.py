"""The program itself: its commands, and how errors become sentences and exit codes."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence

from cyclopts import App, CycloptsError

from unisono.cli import (
    all_commands,
    calibrate_commands,
    compare_commands,
    consensus_commands,
    data_commands,
    diagnose_commands,
    gamma_commands,
    items_commands,
    plan_commands,
    reproduce_commands,
    segments_commands,
    serve_commands,
    shuffle_commands,
    unitizing_commands,
)
from unisono.cli.options import option_named
from unisono.errors import SettingError, UnisonoError, worded
from unisono.result.words import printable
from unisono.version import __version__

_DATA = 1
_USAGE = 2
_BROKEN_PIPE = 141  # 128 + SIGPIPE, as shells count

_HELP = "How much do annotators agree, on what they marked or on how they label items?"

_EXAMPLES = """\
Examples:

  unisono describe export/     what the files hold, and which measures fit
  unisono gamma turns.csv      γ, γcat and γk of one document
  unisono all interviews/      every measure of a folder, pooled
  unisono items ratings.csv    α, κ and their relatives on given items
  unisono gamma --help         all options"""


_ARGUMENTS = {
    "compare": "REFERENCE HYPOTHESIS",
    "convert": "PATH... TARGET",
    "items": "FILE",
    "missing": "FILE",
    "shuffle": "[PATH...]",
    "scan": "[PATH...]",
    "reproduce": "[PAPER]",
    "serve": "",
}


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code; never a traceback.

    Parameters
    ----------
    arguments
        What stands after the program's name.

    Returns
    -------
    int
        The exit code, as `unisono.cli.main` tells.

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
    with warnings.catch_warnings(), worded(option_named):
        warnings.showwarning = _show_warning
        return _exit_code(arguments)


def program() -> App:
    """Give the program with all its commands.

    Returns
    -------
    cyclopts.App
        To be called with a list of arguments.

    Examples
    --------
    >>> from unisono.cli.app import program
    >>> print(*sorted(name for name in program() if not name.startswith("-")))
    align all calibrate compare consensus convert describe diagnose gamma items
    missing plan reproduce scan segments serve shuffle unitizing
    """
    app = App(
        name="unisono",
        help=_HELP,
        help_epilogue=_EXAMPLES,
        help_flags=["-h", "--help"],
        help_format="plaintext",
        version=f"unisono {__version__}",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    commands: dict[str, tuple[Callable[..., None], str]] = {
        "describe": (data_commands.describe, data_commands.DESCRIBE_EXAMPLES),
        "gamma": (gamma_commands.gamma, gamma_commands.GAMMA_EXAMPLES),
        "align": (gamma_commands.align, gamma_commands.ALIGN_EXAMPLES),
        "unitizing": (unitizing_commands.unitizing, unitizing_commands.UNITIZING_EXAMPLES),
        "compare": (compare_commands.compare, compare_commands.COMPARE_EXAMPLES),
        "segments": (segments_commands.segments, segments_commands.SEGMENTS_EXAMPLES),
        "all": (all_commands.all_measures, all_commands.ALL_EXAMPLES),
        "consensus": (consensus_commands.consensus, consensus_commands.CONSENSUS_EXAMPLES),
        "diagnose": (diagnose_commands.diagnose, diagnose_commands.DIAGNOSE_EXAMPLES),
        "calibrate": (calibrate_commands.calibrate, calibrate_commands.CALIBRATE_EXAMPLES),
        "items": (items_commands.items, items_commands.ITEMS_EXAMPLES),
        "missing": (items_commands.missing, items_commands.MISSING_EXAMPLES),
        "plan": (plan_commands.plan, plan_commands.PLAN_EXAMPLES),
        "convert": (data_commands.convert, data_commands.CONVERT_EXAMPLES),
        "shuffle": (shuffle_commands.shuffle, shuffle_commands.SHUFFLE_EXAMPLES),
        "scan": (shuffle_commands.scan, shuffle_commands.SCAN_EXAMPLES),
        "reproduce": (reproduce_commands.reproduce, reproduce_commands.REPRODUCE_EXAMPLES),
        "serve": (serve_commands.serve, serve_commands.SERVE_EXAMPLES),
    }
    for place, (name, (command, examples)) in enumerate(commands.items()):
        usage = f"Usage: unisono {name} [OPTIONS] {_ARGUMENTS.get(name, 'PATH...')}".rstrip()
        app.command(command, name=name, usage=usage, help_epilogue=examples, sort_key=place)
    return app


def _exit_code(arguments: Sequence[str]) -> int:
    try:
        program()(_with_csv_value(arguments), exit_on_error=False, print_error=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except CycloptsError as error:
        message = str(error)
        return _complain(message[:1].lower() + message[1:], _USAGE)
    except SettingError as error:
        return _complain(str(error), _USAGE)
    except BrokenPipeError:
        _settle_stdout()
        return _BROKEN_PIPE
    except OSError as error:
        _settle_stdout()
        return _complain(_about_system(error), _DATA)
    except UnisonoError as error:
        return _complain(str(error), _DATA)
    except MemoryError:
        return _complain("there is not enough memory for these data", _DATA)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 0
    except Exception as error:
        if os.environ.get("UNISONO_TRACEBACK"):
            raise
        return _complain(
            f"this should not have happened, please report it: {type(error).__name__}: {error} "
            "(UNISONO_TRACEBACK=1 shows where)",
            _DATA,
        )
    return 0


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
    print(f"unisono: {printable(' '.join(message.split()))}", file=sys.stderr)
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
    _complain(f"note: {message}", 0)
