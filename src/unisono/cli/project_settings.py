"""Settings that a project keeps in a file, ``unisono.toml``, so that nobody has to type them."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any, get_args

from cyclopts import Token
from cyclopts.argument import Argument, ArgumentCollection

from unisono.cli import output
from unisono.errors import SettingError, did_you_mean

FILE_NAME = "unisono.toml"
DEFAULT = "default"
"""The table for all commands."""

# Of these one is enough: what is typed leaves the others of the file out.
_RIVALS = (
    frozenset({"draws", "precision"}),
    frozenset({"no-labels", "column-label"}),
    frozenset({"json", "csv"}),
    frozenset({"units", "reference"}),
)
# Its draws and its precision are of different γs.
_WITHOUT_RIVALS = frozenset({"calibrate"})
# What names a file in the settings lies beside them.
_FILES_TO_READ = frozenset({"annotators", "distance", "weights", "closeness"})
_NOT_HERE = frozenset({"config", "no-config", "help", "version", "overwrite-input", "raw-csv"})
_HEADING = re.compile(r"\s*\[\s*([\w-]+)\s*\]")
_KEY = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")


@dataclass(frozen=True, slots=True)
class _Place:
    """A key of the file."""

    path: Path
    table: str
    key: str
    value: Any
    line: int | None

    def __str__(self) -> str:
        near = near_path(self.path)
        return near if self.line is None else f"{near}:{self.line}"

    def refused(self, problem: str) -> SettingError:
        return SettingError(f"{self}: {problem}")


def settings_file(folder: Path) -> Path | None:
    r"""Find the settings of a project, in a folder or in one above it.

    Parameters
    ----------
    folder
        Where to begin.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from unisono.cli.project_settings import settings_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "unisono.toml").write_text("[default]\\nseed = 1\\n")
    ...     Path(folder, "day1").mkdir()
    ...     settings_file(Path(folder, "day1")).name
    'unisono.toml'
    """
    for parent in (folder, *folder.parents):
        # A folder above that may not be looked into has no settings for us.
        with suppress(OSError):
            if (parent / FILE_NAME).is_file():
                return parent / FILE_NAME
    return None


class ProjectSettings:
    """Fill options that were not typed with what the file of the project says.

    Parameters
    ----------
    options_of
        Gives the options of a command by its name.
    commands
        The names of all commands.

    Examples
    --------
    >>> from unisono.cli.project_settings import ProjectSettings
    >>> ProjectSettings(lambda name: {"seed"}, ["gamma"]).commands
    ('gamma',)
    """

    def __init__(self, options_of: Callable[[str], set[str]], commands: list[str]) -> None:
        self._options_of = options_of
        self.commands = tuple(commands)
        self.note = ""
        """What the file gave to the command, when it did."""

    def __call__(
        self, _app: object, chain: tuple[str, ...], arguments: ArgumentCollection, /
    ) -> None:
        """Fill the options of the command that runs, and say which."""
        options = options_by_name(arguments)
        path = _chosen_file(options)
        if path is None or not chain:
            return
        said = {name for name, argument in options.items() if argument.tokens}
        taken: dict[int, _Place] = {}
        # What is said for the command goes before what is said for all.
        for table in (chain[0], DEFAULT):
            for place in self._of(path, table):
                argument = options.get(place.key)
                if argument is None or place.key in _NOT_HERE:
                    self._refuse_unknown(place, chain[0], options)
                elif not _is_said(place.key, said, chain[0]):
                    _take(argument, place, taken)
            said |= {place.key for place in taken.values()}
        told = [f"--{each.key} {_shown(each.value)}" for each in taken.values() if each.value != []]
        if told:
            self.note = f"{near_path(path)} gives {', '.join(told)}"

    def _of(self, path: Path, table: str) -> Iterator[_Place]:
        content = self._checked(path)
        lines = _lines(path)
        for key, value in content.get(table, {}).items():
            yield _Place(path, table, key, value, lines.get((table, key)))

    def _checked(self, path: Path) -> Mapping[str, dict[str, Any]]:
        content = _content(path)
        known = (DEFAULT, *self.commands)
        for name, value in content.items():
            line = _lines(path).get(("", name))
            place = _Place(path, "", name, value, line)
            if not isinstance(value, dict):
                problem = (
                    f"{name} stands in no table; put it below [{DEFAULT}], or below the name of a "
                    "command such as [gamma]"
                )
                raise place.refused(problem)
            if name not in known:
                problem = f"there is no command {name!r}{did_you_mean(name, known) or '.'}"
                msg = f"{problem} Tables are [{DEFAULT}] and the names of commands"
                raise place.refused(msg)
        return content

    def _refuse_unknown(self, place: _Place, command: str, options: Mapping[str, Argument]) -> None:
        known = set(options)
        if place.table == DEFAULT and place.key not in _NOT_HERE:
            # Other commands may have it.
            for name in self.commands:
                others = self._options_of(name)
                if place.key in others:
                    return
                known |= others
        whose = "no command has an" if place.table == DEFAULT else f"unisono {command} has no"
        suggestion = did_you_mean(place.key.replace("_", "-"), known - _NOT_HERE)
        problem = f"{whose} option {place.key!r} to be kept in a file{suggestion or '.'}"
        msg = f"{problem} Names are as they are typed, without --"
        raise place.refused(msg)


def options_by_name(arguments: ArgumentCollection) -> dict[str, Argument]:
    """Give the options of a command by the names that a settings file calls them.

    Parameters
    ----------
    arguments
        What the command takes.

    Examples
    --------
    >>> from unisono.cli.app import program
    >>> from unisono.cli.project_settings import options_by_name
    >>> "column-start" in options_by_name(program()["gamma"].assemble_argument_collection())
    True
    """
    return {
        name.removeprefix("--"): argument
        for argument in arguments
        if argument.parse
        for name in argument.names
        if name.startswith("--") and name not in argument.negatives
    }


def _is_said(key: str, said: set[str], command: str) -> bool:
    """Whether an option, or one instead of it, has a value from a better place."""
    rivals = set().union(*(some for some in _RIVALS if key in some))
    return key in said or (command not in _WITHOUT_RIVALS and bool(rivals & said))


def _take(argument: Argument, place: _Place, taken: dict[int, _Place]) -> None:
    earlier = taken.setdefault(id(argument), place)
    if earlier is not place:
        if earlier.table == place.table:
            msg = f"{place.key} and {earlier.key} are the same option; keep one"
            raise place.refused(msg)
    elif not argument.tokens:  # as another name of the option may have been typed
        for index, value in enumerate(_texts(argument, place)):
            token = Token(keyword=f"--{place.key}", value=value, source=str(place), index=index)
            argument.append(token)
    else:
        del taken[id(argument)]


def _chosen_file(options: Mapping[str, Argument]) -> Path | None:
    asked, refused = options["config"].tokens, options["no-config"].tokens
    if asked and refused:
        msg = "give --config or --no-config, not both"
        raise SettingError(msg)
    if refused:
        return None
    if asked:
        return Path(asked[-1].value)
    try:
        return settings_file(Path.cwd())
    except FileNotFoundError:
        return None  # the folder we are in is gone


def _content(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        msg = f"{near_path(path)}: this is no TOML: {error}"
        raise SettingError(msg) from None
    except UnicodeDecodeError:
        msg = f"{near_path(path)}: this is no text in UTF-8"
        raise SettingError(msg) from None


def _lines(path: Path) -> dict[tuple[str, str], int]:
    """Find the lines of the keys, by table; a table itself is a key of the table without name."""
    found: dict[tuple[str, str], int] = {}
    table = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if heading := _HEADING.match(line):
            table = heading[1]
            found.setdefault(("", table), number)
        elif key := _KEY.match(line):
            found.setdefault((table, key[1]), number)
    return found


def _texts(argument: Argument, place: _Place) -> Iterator[str]:
    """Write a value as it would be typed."""
    value = place.value
    kinds = set(get_args(argument.hint)) - {NoneType} or {argument.hint}
    if isinstance(value, bool):
        if kinds == {bool}:
            yield str(value).lower()
        elif place.key == "csv" and value:
            yield output.STDOUT
        else:
            msg = f"{place.key} is a value, not true or false"
            raise place.refused(msg)
    elif kinds == {bool}:
        msg = f"{place.key} is true or false; got {value!r}"
        raise place.refused(msg)
    elif isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
        if argument.token_count()[0] > 1 or argument.token_count()[1]:
            yield from map(str, value)
        else:
            yield _with_commas(value)
    elif isinstance(value, str | int | float):
        beside = place.path.parent / str(value)
        is_file = place.key in _FILES_TO_READ and beside.is_file()
        yield str(beside if is_file else value)
    else:
        msg = f"{place.key} is a text, a number or a list of them; got {value!r}"
        raise place.refused(msg)


def _with_commas(values: list[Any]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(values)
    return buffer.getvalue()


def _shown(value: object) -> str:
    if isinstance(value, list):
        return _with_commas(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def near_path(path: Path) -> str:
    """Write a path as seen from the working directory, where it lies in it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from unisono.cli.project_settings import near_path
    >>> near_path(Path.cwd() / "unisono.toml")
    'unisono.toml'
    """
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
