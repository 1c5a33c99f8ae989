"""Options that several commands share: how to read, and how units are compared."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from cyclopts import Group, Parameter, Token

from unisono.cli import output
from unisono.errors import SettingError, did_you_mean
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import NAMED_DISTANCES, parted
from unisono.measures.gamma.chance import Chance, chance_rules
from unisono.measures.gamma.dissimilarity import Combined


def _seed_typed(_: object, tokens: Sequence[Token]) -> int | Literal["random"]:
    value = tokens[0].value
    if value == "random":
        return "random"
    if not (value.isascii() and value.isdecimal()):
        where = "" if tokens[0].source == "cli" else f" in {tokens[0].source}"
        msg = f"it is a whole number of 0 or more, or random; got {value!r}{where}"
        raise ValueError(msg)
    return int(value)


READING = Group("Reading", sort_key=30)
WEIGHTS = Group("Comparing units", sort_key=10)
SEARCH = Group("Alignment", sort_key=15)
CHANCE = Group("Chance", sort_key=20)
OUTPUT = Group("Output", sort_key=40)
Paths: TypeAlias = Annotated[str, Parameter(name="PATH", show_default=False)]
"""Files and folders to read."""
Json: TypeAlias = Annotated[
    bool, Parameter(name="--json", negative="", show_default=False, group=OUTPUT)
]
"""The option ``--json``."""
Csv: TypeAlias = Annotated[str | None, Parameter(name="--csv", metavar="[FILE]", group=OUTPUT)]
"""The option ``--csv``, with a file or without."""
Rows: TypeAlias = Annotated[int, Parameter(metavar="N", group=OUTPUT)]
"""The option ``--rows``; see `check_rows`."""
SeedNumber: TypeAlias = int | Literal["random"]
"""What the option ``--seed`` takes; see `rng_of`."""
SEED = Parameter(metavar="N|random", show_choices=False, converter=_seed_typed)
"""The option ``--seed``, the same for all commands; groups are added to it."""
ChanceModel: TypeAlias = Annotated[Chance, Parameter(metavar="MODEL", group=CHANCE)]
"""The option ``--chance``, the same for all commands that compute γ."""
OPTIONS: Mapping[str, str] = {
    "format": "--format",
    "document": "--column-document",
    "annotator": "--column-annotator",
    "start": "--column-start",
    "end": "--column-end",
    "label": "--column-label",
    "layer": "--layer",
    "header": "--header",
    "delimiter": "--delimiter",
    "tags": "--tags",
    "fragments": "--fragments",
    "annotators": "--annotators",
    "extent": "--extent",
    "on_error": "--on-error",
}
"""What `read` calls a setting, and the option for it."""
SWITCHED_OFF: Mapping[str, str] = {"header": "--no-header", "label": "--no-labels"}
"""The option that says ``False``."""
WrittenFormat = Literal[
    "auto", "csv", "tsv", "jsonl", "brat", "labelstudio", "textgrid", "eaf", "glozz"
]
"""What `unisono convert` and `unisono consensus` write."""
_TO_CHOOSE = {"annotators": "COLUMNS", "order": "LABELS", "categories": "N", "layer": "NAME"}
_TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".txt"})
_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " "}


def option_named(name: str, /, *value: object) -> str:
    """Name a setting of `read` as the command line calls it."""
    return named_option(OPTIONS, SWITCHED_OFF, name, *value)


def written_format_named(name: str, /, *value: object) -> str:
    """Name a setting of `write` as the command line calls it."""
    return named_option({**OPTIONS, "format": "--to"}, SWITCHED_OFF, name, *value)


def rng_of(seed: SeedNumber) -> int | None:
    """Return what the keyword `rng` is for a value of ``--seed``."""
    return None if seed == "random" else seed


def named_option(
    options: Mapping[str, str], switched_off: Mapping[str, str], name: str, /, *value: object
) -> str:
    """Name a setting by a table of options, and one of options that say ``False``."""
    if name in switched_off and any(each is False for each in value):
        return switched_off[name]
    # What is in no table is called alike on both sides.
    option = options.get(name, f"--{name.replace('_', '-')}")
    return " ".join([option, *(_typed(name, each) for each in value if each is not True)])


def _typed(name: str, value: object) -> str:
    if value is ...:
        return _TO_CHOOSE.get(name, "COLUMN")
    if name == "delimiter":
        value = {"\t": "tab", " ": "space"}.get(str(value), value)
    if isinstance(value, tuple):
        return " ".join(f"{number:.10g}" for number in value)
    return shlex.quote(str(value))


@Parameter(name="*", group=WEIGHTS)
@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How two units are compared; what is not given is as the measure has it.

    Parameters
    ----------
    position
        Weight of where units are (1).
    label
        Weight of what they are called (1).
    empty
        Cost of a place without a unit (1).
    distance
        nominal (1 or 0), ordinal, interval, ratio, circular, bipolar, edit, jaccard, dice, masi,
        or a matrix.
    power
        Power of the distance between positions (2).
    steep
        Forbid pairs of totally different labels.
    """

    position: Annotated[float | None, Parameter(metavar="WEIGHT")] = None
    label: Annotated[float | None, Parameter(metavar="WEIGHT")] = None
    empty: Annotated[float | None, Parameter(metavar="COST")] = None
    distance: Annotated[str | None, Parameter(metavar="NAME|FILE.csv")] = None
    power: Annotated[float | None, Parameter(metavar="NUMBER")] = None
    steep: Annotated[bool, Parameter(negative="", show_default=False)] = False

    def dissimilarity(self, chance: str = "shift") -> Combined | None:
        """Give the dissimilarity that was asked for, or ``None`` when nothing was.

        Parameters
        ----------
        chance
            The chance model; the preset ``gamma-software`` has a position weight of its own.

        Returns
        -------
        Combined | None
            For ``gamma`` and ``best_alignment``, whose defaults ``None`` stands for.
        """
        given: dict[str, Any] = {
            name: value
            for name in ("position", "label", "empty", "distance", "power")
            if (value := getattr(self, name)) is not None
        }
        if self.steep:
            given["steep"] = True
        if not given:
            return None
        if self.distance is not None:
            given["distance"] = distance_of(self.distance)
        given.setdefault("position", chance_rules(chance).position)
        return Combined(**given)


@Parameter(name="*", group=SEARCH)
@dataclass(frozen=True, slots=True, kw_only=True)
class Searching:
    """What counts as an alignment, and when to stop looking for a better one.

    Parameters
    ----------
    soft
        A unit may be in more than one group.
    gap_tolerance
        A part of the disorder, such as 0.001, that need not be looked for (0).
    time_limit
        Seconds for one alignment; values then depend on the machine.
    """

    soft: Annotated[bool, Parameter(negative="", show_default=False)] = False
    gap_tolerance: Annotated[float | None, Parameter(metavar="PART")] = None
    time_limit: Annotated[float | None, Parameter(metavar="SECONDS")] = None

    def given(self) -> dict[str, Any]:
        """Give the settings that were asked for, as `gamma` and `best_alignment` take them.

        Returns
        -------
        dict
            Keyword arguments; empty when nothing was asked for.
        """
        asked = {
            "soft": self.soft or None,
            "gap_tolerance": self.gap_tolerance,
            "time_limit": self.time_limit,
        }
        return {name: value for name, value in asked.items() if value is not None}


def check_rows(rows: int) -> None:
    """Refuse a table without rows."""
    if rows < 1:
        msg = f"--rows is a whole number from 1, got {rows}"
        raise SettingError(msg)


def column_of(name: str | None) -> str | int | None:
    """Take a column that is written as a number for its place."""
    return int(name) if name is not None and name.isdecimal() else name


def delimiter_of(text: str | None) -> str | None:
    """Take the names of characters that a shell makes hard to type."""
    return _DELIMITERS.get(text or "", text)


def distance_of(
    name: str, *, also: Sequence[str] = (), what: str = "label distance"
) -> str | DistanceMatrix:
    """Find the distance that a name or a file with a matrix means."""
    path = Path(name)
    if path.suffix.lower() in _TABLE_SUFFIXES or path.is_file():
        output.reads(name)
        return DistanceMatrix.from_file(path)
    if name not in also and parted(name)[0] not in NAMED_DISTANCES:
        choices = (*also, *NAMED_DISTANCES)
        meant = did_you_mean(name, choices)
        msg = (
            f"unknown {what} {name!r}; choose one of {', '.join(choices)}, "
            f"or name a FILE.csv with a matrix{meant}"
        )
        raise SettingError(msg)
    return name
