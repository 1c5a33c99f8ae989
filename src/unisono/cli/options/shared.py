"""Options that several commands share, and the names of options in messages."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from cyclopts import Group, Parameter, Token

from unisono.cli import output
from unisono.cli.options.settings import Settings, option
from unisono.errors import SettingError, did_you_mean
from unisono.formats.settings import READ_SETTINGS
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import NAMED_DISTANCES, split_parameter
from unisono.measures.gamma.chance import Chance, chance_rules
from unisono.measures.gamma.dissimilarity import CombinedDissimilarity, Shape
from unisono.measures.segmentation.windows import Convention
from unisono.registry import SETTINGS


def _convert_seed(_: object, tokens: Sequence[Token]) -> int | Literal["random"]:
    value = tokens[0].value
    if value == "random":
        return "random"
    if not (value.isascii() and value.isdecimal()):
        where = "" if tokens[0].source == "cli" else f" in {tokens[0].source}"
        msg = f"must be a whole number of at least 0, or random; got {value!r}{where}"
        raise ValueError(msg)
    return int(value)


def _at_least_one(_: object, value: int) -> None:
    if value < 1:
        msg = f"must be 1 or more; got {value}"
        raise ValueError(msg)


READING = Group("Reading", sort_key=30)
WEIGHTS = Group("Dissimilarity of units", sort_key=10)
SEARCH = Group("Alignment", sort_key=15)
CHANCE = Group("Chance", sort_key=20)
MEASURING = Group("Measures", sort_key=20)
OUTPUT = Group("Output", sort_key=40)
Paths: TypeAlias = Annotated[str, Parameter(name="PATH", show_default=False)]
"""Files and folders to read."""
SeedNumber: TypeAlias = int | Literal["random"]
"""The values of the option ``--seed``; see `parse_seed`."""
SEED = option("rng", show_choices=False, converter=_convert_seed)
"""The option ``--seed`` of all commands, without a group."""
MinUnits: TypeAlias = Annotated[
    int,
    Parameter(
        metavar="N",
        group=OUTPUT,
        help="Hide labels with fewer units in the table.",
        validator=_at_least_one,
    ),
]
"""The option ``--min-units`` of commands with a row for each label."""
ChanceModel: TypeAlias = Annotated[Chance, option("chance", group=CHANCE)]
"""The option ``--chance`` of all commands that compute γ."""
OPTIONS: Mapping[str, str] = {name: one.option for name, one in READ_SETTINGS.items()}
"""The option for each setting of `read`."""
SWITCHED_OFF: Mapping[str, str] = {"header": "--no-header", "label": "--no-labels"}
"""The option that sets a setting to ``False``."""
WrittenFormat = Literal[
    "auto", "csv", "tsv", "jsonl", "brat", "labelstudio", "textgrid", "eaf", "glozz"
]
"""The formats that `unisono convert` and `unisono consensus` write."""
_METAVARS = {"annotator_columns": "COLUMNS", "layer": "NAME"}
_TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".txt"})
_DELIMITERS = {name: one for one, name in READ_SETTINGS["delimiter"].meanings.items()} | {
    "\\t": "\t"
}


def read_option_text(name: str, /, *value: object) -> str:
    """Return a setting of `read` as typed on the command line."""
    return option_text(OPTIONS, SWITCHED_OFF, name, *value)


def written_format_text(name: str, /, *value: object) -> str:
    """Return a setting of `write` as typed on the command line."""
    return option_text({**OPTIONS, "format": "--to"}, SWITCHED_OFF, name, *value)


def parse_seed(seed: SeedNumber) -> int | None:
    """Return the keyword `rng` for a value of ``--seed``."""
    return None if seed == "random" else seed


def option_text(
    options: Mapping[str, str], switched_off: Mapping[str, str], name: str, /, *value: object
) -> str:
    """Return a setting as typed on the command line, by a table of options or the registry.

    The second table has the options that set a setting to ``False``.
    """
    if name in switched_off and any(each is False for each in value):
        return switched_off[name]
    of_measure = None if name in options else SETTINGS.get(name)
    # Options that are in no table have the name of the setting.
    same_name = f"--{name.replace('_', '-')}"
    typed = options.get(name, same_name) if of_measure is None else of_measure.option
    metavar = _METAVARS.get(name, "COLUMN") if of_measure is None else of_measure.metavar
    values = (metavar if each is ... else _typed(name, each) for each in value if each is not True)
    return " ".join([typed, *values])


def _typed(name: str, value: object) -> str:
    if name == "delimiter":
        value = {"\t": "tab", " ": "space"}.get(str(value), value)
    if isinstance(value, tuple) and any(isinstance(each, str) for each in value):
        return shlex.quote(",".join(map(str, value)))
    if isinstance(value, tuple):
        return " ".join(f"{number:.10g}" for number in value)
    return shlex.quote(str(value))


@Parameter(name="*", group=WEIGHTS)
@dataclass(frozen=True, slots=True, kw_only=True)
class Weights(Settings):
    """Options for the dissimilarity of units."""

    position: Annotated[float | None, option("position")] = None
    label: Annotated[float | None, option("label")] = None
    empty: Annotated[float | None, option("empty")] = None
    distance: Annotated[str | None, option("distance")] = None
    power: Annotated[float | None, option("power")] = None
    shape: Annotated[Shape | None, option("shape")] = None
    steep: Annotated[bool, option("steep")] = False

    def dissimilarity(self, chance: str = "shift") -> CombinedDissimilarity | None:
        """Return the dissimilarity, or ``None`` if no option was typed.

        The default weight of positions depends on the chance model.
        """
        keywords = self.keywords()
        if not keywords:
            return None
        if self.distance is not None:
            keywords["distance"] = parse_distance(self.distance)
        return CombinedDissimilarity(**chance_rules(chance).weights | keywords)


@Parameter(name="*", group=SEARCH)
@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions(Settings):
    """Options for the search for the best alignment."""

    soft: Annotated[bool, option("soft")] = False
    gap_tolerance: Annotated[float | None, option("gap_tolerance")] = None
    time_limit: Annotated[float | None, option("time_limit")] = None


@Parameter(name="*", group=MEASURING)
@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOptions(Settings):
    """Settings of the measures; the defaults are those of each measure."""

    window: Annotated[int | None, option("window")] = None
    convention: Annotated[Convention | None, option("convention")] = None
    near: Annotated[int | None, option("near")] = None
    insertion: Annotated[float | None, option("insertion")] = None
    deletion: Annotated[float | None, option("deletion")] = None
    shift: Annotated[float | None, option("shift")] = None


def check_rows(rows: int) -> None:
    """Raise an error unless the number of rows is positive."""
    if rows < 1:
        msg = f"--rows must be a whole number of at least 1, got {rows}"
        raise SettingError(msg)


def parse_column(name: str | None) -> str | int | None:
    """Return a column as its position if it is a number, otherwise as its name."""
    return int(name) if name is not None and name.isdecimal() else name


def parse_delimiter(text: str | None) -> str | None:
    """Return a delimiter, also by its name, because some characters are hard to type in a shell."""
    return _DELIMITERS.get(text or "", text)


def split_list(option: str, text: str) -> list[str]:
    """Split a comma-separated list; values with a comma are enclosed in double quotes."""
    (parts,) = csv.reader([text.replace("\n", " ")], skipinitialspace=True) if text else ([],)
    values = [part.strip() for part in parts]
    if not all(values) or not values:
        msg = f"{option} must be a comma-separated list, got {text!r}"
        raise SettingError(msg)
    return values


def parse_distance(
    name: str, *, also: Sequence[str] = (), noun: str = "label distance"
) -> str | DistanceMatrix:
    """Return the distance for its name, or read it from a file with a matrix."""
    path = Path(name)
    if path.suffix.lower() in _TABLE_SUFFIXES or path.is_file():
        output.register_inputs(name)
        return DistanceMatrix.from_file(path)
    if name not in also and split_parameter(name)[0] not in NAMED_DISTANCES:
        choices = (*also, *NAMED_DISTANCES)
        hint = did_you_mean(name, choices)
        msg = (
            f"unknown {noun} {name!r}; choose one of {', '.join(choices)}, "
            f"or name a FILE.csv with a matrix{hint}"
        )
        raise SettingError(msg)
    return name
