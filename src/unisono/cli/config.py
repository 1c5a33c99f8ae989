"""Project settings in a file, ``unisono.toml``.

A file that is found in the working directory or above it may be untrusted, for example part of
downloaded data, so it may only set how to read and measure. Options that write files, connect to
other machines, hide messages or start a service must be typed, or be in a file that the user names
with ``--config``.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args

from cyclopts import Token
from cyclopts.argument import Argument, ArgumentCollection

from unisono.cli import output
from unisono.errors import SettingError, did_you_mean

if TYPE_CHECKING:
    from unisono.model.interpretation import Interpretation

FILE_NAME = "unisono.toml"
DEFAULT = "default"
"""The table with settings for all commands."""
READING_ROLES = ("document", "annotator", "item", "start", "end", "label")
READING = "reading"
"""The table with the settings of reading, named as in Python, for all commands."""
# Alternatives: if one is typed, the others are not taken from the file.
_ALTERNATIVES = (
    frozenset({"draws", "precision"}),
    frozenset({"no-labels", "column-label"}),
    frozenset({"json", "csv"}),
    frozenset({"units", "reference"}),
)
# Here --draws and --precision apply to different values of γ, so both may be set.
_WITHOUT_ALTERNATIVES = frozenset({"calibrate"})
# Their file names are relative to the folder of the settings file.
_FILES_TO_READ = frozenset({"seen-by", "distance", "weights", "closeness"})
# The options that a file that was found may set; it is an allow list. Not in it is `clusters`: it
# names a column of one table, with a meaning that depends on the command, and excludes --resamples.
MEASURING_AND_READING = frozenset(
    (
        *("accept", "annotator-from", "annotator-columns", "annotators", "atom", "categories"),
        *("certain", "chance", "items", "layers", "tiers"),
        *("chance-from", "closeness", "column-annotator", "column-document", "column-end"),
        *("column-duration",),
        *("column-item", "column-label", "column-start", "confidence", "convention", "deletion"),
        *("delimiter", "distance", "document", "document-from", "draws"),
        *("duplicates", "empty", "ends", "errors", "extent", "format", "fragments", "gains"),
        *("gap-tolerance", "gaps", "generation", "header", "hypothesis", "insertion", "label"),
        *("label-from", "labels", "layer", "leave-out", "level", "magnitude", "magnitudes"),
        *("mapping", "measure", "measures", "merges", "method", "missing", "na-values"),
        *("near", "gamma", "no-labels", "of", "on-error", "order", "overlap", "permutations"),
        *("position", "position-factor", "power", "precision", "prevalence", "reference"),
        *("repeats", "resamples", "seed", "seen-by", "separator", "shares", "shift", "simulate"),
        *("soft",),
        *("split-cap", "steep", "support", "tags", "time-limit", "tolerance", "units", "weights"),
        *(
            "documents",
            "false-positive-factor",
            "gap-lengths",
            "habits",
            "intersections",
            "lengths",
        ),
        *("nested", "shape", "text-length", "wide", "width", "window"),
    )
)
_MOST_BYTES = 2**20
_NOT_IN_FILE = frozenset({"config", "no-config", "help", "version", "overwrite-input", "raw-csv"})
_HEADING = re.compile(r"\s*\[\s*[\"']?([\w-]+)[\"']?\s*\]")
_KEY = re.compile(r"\s*(?:[\"']?([\w-]+)[\"']?\s*\.\s*)?[\"']?([\w-]+)[\"']?\s*=")


@dataclass(frozen=True, slots=True)
class _File:
    """A settings file and its content."""

    path: Path
    is_found: bool
    """Whether it was found, rather than named by the user."""
    content: Mapping[str, Any]
    lines: Mapping[tuple[str, str], int]
    """Line numbers by table and key; the tables themselves have the table name ``""``."""

    def place(self, table: str, key: str, value: object) -> _Place:
        line = self.lines.get((table, key)) or self.lines.get(("", table))
        return _Place(self, table, key, value, line)


@dataclass(frozen=True, slots=True)
class _Place:
    """A key of a settings file, with its value and line."""

    file: _File = field(repr=False)
    table: str
    key: str
    value: Any
    line: int | None

    def __str__(self) -> str:
        path = relative_path(self.file.path)
        return path if self.line is None else f"{path}:{self.line}"

    def error(self, problem: str) -> SettingError:
        """Return an error that names the file and the line."""
        return SettingError(f"{self}: {problem}")

    def check_trusted(self) -> None:
        """Raise an error for an option that a file that was found must not set."""
        if self.file.is_found and self.key not in MEASURING_AND_READING:
            msg = (
                f"{self.key} cannot be set here: a settings file that was found may only set how "
                f"to measure and read. {self._remedy}"
            )
            raise self.error(msg)

    def check_inside(self, text: str) -> None:
        """Raise an error for an input file outside the folder of a file that was found."""
        folder = self.file.path.parent.resolve()
        try:
            targets = [(base / text).resolve() for base in (folder, Path.cwd())]
        except (OSError, ValueError):
            targets = []
        if not (targets and all(target.is_relative_to(folder) for target in targets)):
            msg = (
                f"{self.key} names {text!r}, outside the folder of this settings file, which was "
                f"found, not named with --config. {self._remedy}"
            )
            raise self.error(msg)

    @property
    def _remedy(self) -> str:
        config = f"--config {relative_path(self.file.path)}"
        return f"Type --{self.key}, or use {config} if you trust the file"


def settings_file(folder: Path) -> Path | None:
    """Return the settings file of a project in a folder or its nearest parent, if there is one."""
    for parent in (folder, *folder.parents):
        # Parent folders without read permission are skipped.
        with suppress(OSError):
            if (parent / FILE_NAME).is_file():
                return parent / FILE_NAME
    return None


class ProjectSettings:
    """Sets options that were not typed to the values of the settings file."""

    def __init__(self, options_of: Callable[[str], set[str]], commands: list[str]) -> None:
        self._options_of = options_of
        self.commands = tuple(commands)
        self.note = ""
        """A note on the options that were taken from the file."""
        self.is_quiet = False
        """Whether the user typed ``--quiet``; a file cannot hide that it was used."""

    def __call__(
        self, _app: object, chain: tuple[str, ...], arguments: ArgumentCollection, /
    ) -> None:
        """Set the options of the command, and record which."""
        options = options_by_name(arguments)
        self.is_quiet = bool(options["quiet"].tokens)
        file = _chosen_file(options)
        if file is None or not chain:
            return
        self._check_tables(file)
        has_value = {name for name, argument in options.items() if argument.tokens}
        taken: dict[int, _Place] = {}
        # The table of the command has precedence over the default table.
        for table in (chain[0], READING, DEFAULT):
            for name, value in file.content.get(table, {}).items():
                place = file.place(table, name, value)
                if table == READING:
                    place = _reading_place(place)
                key = place.key
                argument = options.get(key)
                if argument is None or key in _NOT_IN_FILE:
                    self._reject_unknown(place, chain[0], options)
                place.check_trusted()
                if argument is not None and not _has_value(key, has_value, chain[0]):
                    _set_option(argument, place, taken)
            has_value |= {place.key for place in taken.values()}
        texts = [
            f"--{each.key} {_value_text(each.value)}" for each in taken.values() if each.value != []
        ]
        if texts:
            self.note = f"{relative_path(file.path)} sets {', '.join(texts)}"

    def _check_tables(self, file: _File) -> None:
        known = (DEFAULT, READING, *self.commands)
        for name, value in file.content.items():
            place = file.place("", name, value)
            if not isinstance(value, dict):
                problem = (
                    f"{name} is not in a table; move it below [{DEFAULT}], or below the name of a "
                    "command such as [gamma]"
                )
                raise place.error(problem)
            if name not in known:
                problem = f"unknown table {name!r}{did_you_mean(name, known) or '.'}"
                msg = f"{problem} A table must be [{DEFAULT}], [{READING}] or the name of a command"
                raise place.error(msg)

    def _reject_unknown(self, place: _Place, command: str, options: Mapping[str, Argument]) -> None:
        known = set(options)
        if place.table in (DEFAULT, READING) and place.key not in _NOT_IN_FILE:
            # Other commands may have it.
            for name in self.commands:
                others = self._options_of(name)
                if place.key in others:
                    return
                known |= others
        is_shared = place.table in (DEFAULT, READING)
        subject = "no command has an" if is_shared else f"unisono {command} has no"
        suggestion = did_you_mean(place.key.replace("_", "-"), known - _NOT_IN_FILE)
        problem = f"{subject} option {place.key!r} for settings files{suggestion or '.'}"
        msg = f"{problem} Keys are names of options without --"
        raise place.error(msg)


def options_by_name(arguments: ArgumentCollection) -> dict[str, Argument]:
    """Return the options of a command by their names in a settings file."""
    return {
        name.removeprefix("--"): argument
        for argument in arguments
        if argument.parse
        for name in argument.names
        if name.startswith("--") and name not in argument.negatives
    }


def _reading_place(place: _Place) -> _Place:
    """Return a setting of `read` or `read_ratings` as the option that sets it."""
    # Imported here, because most projects have no settings file.
    from unisono.formats.settings import RATING_SETTINGS, READ_SETTINGS  # noqa: PLC0415

    if place.value is False and place.key == "label":
        return replace(place, key="no-labels", value=True)
    setting = READ_SETTINGS.get(place.key) or RATING_SETTINGS.get(place.key)
    return place if setting is None else replace(place, key=setting.option.removeprefix("--"))


def _has_value(key: str, names: set[str], command: str) -> bool:
    """Whether an option, or an alternative to it, has a value of higher precedence."""
    alternatives = set().union(*(group for group in _ALTERNATIVES if key in group))
    return key in names or (command not in _WITHOUT_ALTERNATIVES and bool(alternatives & names))


def _set_option(argument: Argument, place: _Place, taken: dict[int, _Place]) -> None:
    earlier = taken.setdefault(id(argument), place)
    if earlier is not place:
        if earlier.table == place.table:
            msg = f"{place.key} and {earlier.key} are the same option; remove one of them"
            raise place.error(msg)
    elif not argument.tokens:  # the option may have been typed by another name
        for index, value in enumerate(_value_texts(argument, place)):
            if place.file.is_found and place.key in _FILES_TO_READ:
                place.check_inside(value)
            token = Token(keyword=f"--{place.key}", value=value, source=str(place), index=index)
            argument.append(token)
    else:
        del taken[id(argument)]


def _chosen_file(options: Mapping[str, Argument]) -> _File | None:
    config, no_config = options["config"].tokens, options["no-config"].tokens
    if config and no_config:
        msg = "--config and --no-config exclude each other; use one of them"
        raise SettingError(msg)
    if no_config:
        return None
    if config:
        return _read(Path(config[-1].value), is_found=False)
    try:
        found = settings_file(Path.cwd())
    except FileNotFoundError:
        return None  # the working directory was deleted
    return None if found is None else _read(found, is_found=True)


def _read(path: Path, *, is_found: bool) -> _File:
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    name = relative_path(path)
    if len(content) > _MOST_BYTES:
        msg = f"{name}: the file is too large; a settings file may have up to {_MOST_BYTES:,} bytes"
        raise SettingError(msg)
    try:
        text = content.decode("utf-8")
        return _File(path, is_found, tomllib.loads(text), _lines(text))
    except UnicodeDecodeError:
        msg = f"{name}: not encoded in UTF-8"
        raise SettingError(msg) from None
    except ValueError as error:
        msg = f"{name}: not valid TOML: {error}"
        raise SettingError(msg) from None
    except RecursionError:
        msg = f"{name}: not valid TOML: lists or tables are nested too deeply"
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


def _value_texts(argument: Argument, place: _Place) -> Iterator[str]:
    """Yield a value as it would be typed on the command line."""
    value = place.value
    kinds = set(get_args(argument.hint)) - {NoneType} or {argument.hint}
    if isinstance(value, bool):
        if kinds == {bool}:
            yield str(value).lower()
        elif place.key == "csv" and value:
            yield output.STDOUT
        else:
            msg = f"{place.key} needs a value other than true or false; got {str(value).lower()}"
            raise place.error(msg)
    elif kinds == {bool}:
        msg = f"{place.key} must be true or false, got {value!r}"
        raise place.error(msg)
    elif isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
        if argument.token_count()[0] > 1 or argument.token_count()[1]:
            yield from map(str, value)
        else:
            yield _with_commas(value)
    elif isinstance(value, str | int | float):
        relative = place.file.path.parent / str(value)
        is_file = place.key in _FILES_TO_READ and relative.is_file()
        yield str(relative if is_file else value)
    else:
        msg = f"{place.key} must be a string, a number or a list of them, got {value!r}"
        raise place.error(msg)


def _with_commas(values: list[Any]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(values)
    return buffer.getvalue()


def _value_text(value: object) -> str:
    if isinstance(value, list):
        return _with_commas(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def saved_reading(record: Interpretation | None) -> dict[str, Any]:
    """Return the settings that read files again as in a record."""
    if record is None:
        return {}
    found: dict[str, Any] = {}
    for origin in record.origins:
        if origin.source == "column" and origin.role in READING_ROLES:
            found[origin.role] = origin.name
        elif origin.source in ("folder", "file name") and origin.role in ("document", "annotator"):
            pattern = origin.name if "{" in origin.name else ""
            found[origin.role] = pattern or ("folder" if origin.source == "folder" else "file")
        elif origin.source == "none" and origin.role == "label":
            found["label"] = False
    patterns = {name for name, value in found.items() if "{" in str(value)}
    if len(patterns) == 2:  # a pattern names both
        del found["document"]
    if record.chosen_layers:
        found["layer"] = list(record.chosen_layers)
    found |= {name: list(texts) for name, texts in record.selected.items()}
    if record.accepted:
        found["accept"] = list(record.accepted)
    return found


def with_reading(path: Path, settings: Mapping[str, Any]) -> str:
    """Return the content of a settings file with another table of reading."""
    lines: list[str] = []
    table = ""
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        if heading := _HEADING.match(line):
            table = heading[1]
        if table != READING:
            lines.append(line)
    # JSON strings, lists and truth values are valid TOML.
    values = [
        f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in settings.items()
    ]
    return "\n".join([*lines, *([""] if lines and lines[-1] else []), f"[{READING}]", *values, ""])


def relative_path(path: Path) -> str:
    """Return a path relative to the working directory if it is inside."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
