"""Settings that a project keeps in a file, ``unisono.toml``.

A file that is found in the working directory or above it may come from a stranger, such as with
downloaded data, so it may only say how to read and measure. What writes files, connects to other
machines, hides messages or opens a service is taken from the command line, or from a file that the
user names with ``--config``.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
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
# What a file that was found may say. An option that is not listed is refused there.
MEASURING_AND_READING = frozenset(
    (
        *("annotator-from", "annotators", "atom", "bootstrap", "categories", "certain", "chance"),
        *("chance-from", "closeness", "column-annotator", "column-document", "column-end"),
        *("column-item", "column-label", "column-start", "confidence", "convention", "deletion"),
        *("deletions", "delimiter", "distance", "document", "document-from", "draws"),
        *("duplicates", "empty", "errors", "extent", "format", "fragments", "gains"),
        *("gap-tolerance", "gaps", "generation", "header", "hypothesis", "insertion", "label"),
        *("label-from", "labels", "layer", "leave-out", "level", "magnitude", "magnitudes"),
        *("mapping", "measure", "measures", "merges", "method", "missing", "missing-text"),
        *("near", "no-gamma", "no-labels", "of", "on-error", "order", "overlap", "permutations"),
        *("position", "position-factor", "power", "precision", "prevalence", "reference"),
        *("repeats", "resamples", "seed", "separator", "shares", "shift", "simulate", "soft"),
        *("split-cap", "steep", "support", "tags", "time-limit", "tolerance", "units", "weights"),
        *("wide", "width", "window"),
    )
)
_MOST_BYTES = 2**20
_NOT_HERE = frozenset({"config", "no-config", "help", "version", "overwrite-input", "raw-csv"})
_HEADING = re.compile(r"\s*\[\s*[\"']?([\w-]+)[\"']?\s*\]")
_KEY = re.compile(r"\s*(?:[\"']?([\w-]+)[\"']?\s*\.\s*)?[\"']?([\w-]+)[\"']?\s*=")


@dataclass(frozen=True, slots=True)
class _File:
    """A settings file and what it holds."""

    path: Path
    is_found: bool
    """Whether it was found, not named by the user."""
    content: Mapping[str, Any]
    lines: Mapping[tuple[str, str], int]
    """Lines of the keys by table; a table itself is a key of the table without a name."""

    def place(self, table: str, key: str, value: object) -> _Place:
        line = self.lines.get((table, key)) or self.lines.get(("", table))
        return _Place(self, table, key, value, line)


@dataclass(frozen=True, slots=True)
class _Place:
    """A key of the file."""

    file: _File = field(repr=False)
    table: str
    key: str
    value: Any
    line: int | None

    def __str__(self) -> str:
        near = near_path(self.file.path)
        return near if self.line is None else f"{near}:{self.line}"

    def refused(self, problem: str) -> SettingError:
        return SettingError(f"{self}: {problem}")

    def check_trusted(self) -> None:
        """Refuse what a file that was found must not say."""
        if self.file.is_found and self.key not in MEASURING_AND_READING:
            msg = (
                f"{self.key} cannot be set here: a settings file that was found may only say how "
                f"to measure and read. {self._remedy}"
            )
            raise self.refused(msg)

    def check_inside(self, text: str) -> None:
        """Refuse a file to be read that lies outside the folder of a file that was found."""
        folder = self.file.path.parent.resolve()
        try:
            targets = [(base / text).resolve() for base in (folder, Path.cwd())]
        except (OSError, ValueError):
            targets = []
        if not (targets and all(target.is_relative_to(folder) for target in targets)):
            msg = (
                f"{self.key} names {text!r}, outside the folder of this settings file, which was "
                f"found and not named. {self._remedy}"
            )
            raise self.refused(msg)

    @property
    def _remedy(self) -> str:
        return (
            f"Type --{self.key}, or say --config {near_path(self.file.path)} if you trust the file"
        )


def settings_file(folder: Path) -> Path | None:
    r"""Find the settings of a project, in a folder or in one above it."""
    for parent in (folder, *folder.parents):
        # A folder above that may not be looked into has no settings for us.
        with suppress(OSError):
            if (parent / FILE_NAME).is_file():
                return parent / FILE_NAME
    return None


class ProjectSettings:
    """Fill options that were not typed with what the file of the project says."""

    def __init__(self, options_of: Callable[[str], set[str]], commands: list[str]) -> None:
        self._options_of = options_of
        self.commands = tuple(commands)
        self.note = ""
        """What the file gave to the command, when it did."""
        self.is_quiet = False
        """Whether the user typed ``--quiet``; a file cannot hide that it was used."""

    def __call__(
        self, _app: object, chain: tuple[str, ...], arguments: ArgumentCollection, /
    ) -> None:
        """Fill the options of the command that runs, and say which."""
        options = options_by_name(arguments)
        self.is_quiet = bool(options["quiet"].tokens)
        file = _chosen_file(options)
        if file is None or not chain:
            return
        self._check_tables(file)
        said = {name for name, argument in options.items() if argument.tokens}
        taken: dict[int, _Place] = {}
        # What is said for the command goes before what is said for all.
        for table in (chain[0], DEFAULT):
            for key, value in file.content.get(table, {}).items():
                place = file.place(table, key, value)
                argument = options.get(key)
                if argument is None or key in _NOT_HERE:
                    self._refuse_unknown(place, chain[0], options)
                place.check_trusted()
                if argument is not None and not _is_said(key, said, chain[0]):
                    _take(argument, place, taken)
            said |= {place.key for place in taken.values()}
        told = [f"--{each.key} {_shown(each.value)}" for each in taken.values() if each.value != []]
        if told:
            self.note = f"{near_path(file.path)} gives {', '.join(told)}"

    def _check_tables(self, file: _File) -> None:
        known = (DEFAULT, *self.commands)
        for name, value in file.content.items():
            place = file.place("", name, value)
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
    """Give the options of a command by the names that a settings file calls them."""
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
            if place.file.is_found and place.key in _FILES_TO_READ:
                place.check_inside(value)
            token = Token(keyword=f"--{place.key}", value=value, source=str(place), index=index)
            argument.append(token)
    else:
        del taken[id(argument)]


def _chosen_file(options: Mapping[str, Argument]) -> _File | None:
    asked, refused = options["config"].tokens, options["no-config"].tokens
    if asked and refused:
        msg = "give --config or --no-config, not both"
        raise SettingError(msg)
    if refused:
        return None
    if asked:
        return _read(Path(asked[-1].value), is_found=False)
    try:
        found = settings_file(Path.cwd())
    except FileNotFoundError:
        return None  # the folder we are in is gone
    return None if found is None else _read(found, is_found=True)


def _read(path: Path, *, is_found: bool) -> _File:
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    near = near_path(path)
    if len(content) > _MOST_BYTES:
        msg = f"{near}: a settings file has {_MOST_BYTES:,} bytes at most, and this one has more"
        raise SettingError(msg)
    try:
        text = content.decode("utf-8")
        return _File(path, is_found, tomllib.loads(text), _lines(text))
    except UnicodeDecodeError:
        msg = f"{near}: this is no text in UTF-8"
        raise SettingError(msg) from None
    except ValueError as error:
        msg = f"{near}: this is no TOML: {error}"
        raise SettingError(msg) from None
    except RecursionError:
        msg = f"{near}: this is no TOML: lists or tables are nested too deeply"
        raise SettingError(msg) from None


def _lines(text: str) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := _HEADING.match(line):
            table = heading[1]
            found.setdefault(("", table), number)
        elif key := _KEY.match(line):
            found.setdefault((table or key[1] or "", key[2]), number)
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
        beside = place.file.path.parent / str(value)
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
    """Write a path as seen from the working directory, where it lies in it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
