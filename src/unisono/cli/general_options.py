"""Options that every command has: how much it says, and which settings of the project it takes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.exit_codes import ExitCode

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

    Examples
    --------
    >>> from unisono.cli.general_options import General
    >>> General().quiet
    False
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
    """Give a command the options that every command has.

    Parameters
    ----------
    function
        The command.

    Returns
    -------
    Callable
        The same with one parameter more. Where a file is asked for, the shell completes files.

    Examples
    --------
    >>> import inspect
    >>> from unisono.cli.gamma_commands import align
    >>> from unisono.cli.general_options import with_general_options
    >>> list(inspect.signature(with_general_options(align)).parameters)[-1]
    'general'
    """
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
    """Move general options that stand before the command behind its name.

    Parameters
    ----------
    arguments
        What was typed.

    Examples
    --------
    >>> from unisono.cli.general_options import after_the_command
    >>> after_the_command(["-q", "--config", "my.toml", "gamma", "talk.csv"])
    ['gamma', '-q', '--config', 'my.toml', 'talk.csv']
    """
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
