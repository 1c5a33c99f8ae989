"""Options of the commands on items: how to read ratings, and how labels are compared."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli.options.shared import READING, column_of, delimiter_of, distance_of, named_option
from unisono.errors import SettingError, worded
from unisono.formats.contents import labels_from_text
from unisono.formats.read import read_ratings
from unisono.measures.items.metrics import RANK_WEIGHTS

if TYPE_CHECKING:
    from unisono.cli.output import Watch
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings


COEFFICIENTS = Group("Coefficients", sort_key=10)
UNCERTAINTY = Group("Uncertainty", sort_key=20)
RATING_OPTIONS: Mapping[str, str] = {
    "annotator": "--column-annotator",
    "item": "--column-item",
    "label": "--column-label",
    "annotators": "--annotators",
    "format": "--format",
    "layer": "--layer",
    "wide": "--wide",
    "header": "--header",
    "delimiter": "--delimiter",
    "separator": "--separator",
    "missing": "--missing-text",
    "duplicates": "--duplicates",
}
"""What `read_ratings` calls a setting, and the option for it."""
RATING_SWITCHED_OFF: Mapping[str, str] = {"header": "--no-header", "wide": "--long"}
"""The option that says ``False``."""
MEASURE_OPTIONS: Mapping[str, str] = {
    "measures": "--measure",
    "distance": "--distance",
    "weights": "--weights",
    "categories": "--categories",
    "missing": "--missing",
    "order": "--order",
}
"""What `items` calls a setting, and the option for it."""


def rating_option_named(name: str, /, *value: object) -> str:
    """Name a setting of `read_ratings` as the command line calls it."""
    return named_option(RATING_OPTIONS, RATING_SWITCHED_OFF, name, *value)


def measure_option_named(name: str, /, *value: object) -> str:
    """Name a setting of a coefficient as the command line calls it."""
    return named_option({**RATING_OPTIONS, **MEASURE_OPTIONS}, RATING_SWITCHED_OFF, name, *value)


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class RatingReading:
    """How a file, or a folder of them, becomes ratings.

    Parameters
    ----------
    annotators
        Columns that are annotators, when a row is an item; names or numbers, such as 2,3.
    format
        What the file is, where that is not found out.
    layer
        Which question was answered, where the export of a tool has several.
    wide
        Whether a row is an item with a column for each annotator, or else a single rating.
    column_annotator
        Column with the annotator.
    column_item
        Column with the item.
    column_label
        Column with the label. Each column is a name, or a number from 1.
    header
        Whether the first row names the columns; found out if not said.
    delimiter
        What separates cells, such as ; or tab; found out if not said.
    separator
        What separates the members of a label that is a set.
    missing_text
        Texts that mean that a label is missing, such as NA,?; an empty cell always does.
    duplicates
        Stop when an annotator rated an item twice, or keep the first.
    """

    annotators: Annotated[str | None, Parameter(metavar="COLUMNS")] = None
    format: Annotated[
        Literal["auto", "table", "labelstudio", "prodigy", "jsonl", "doccano"],
        Parameter(metavar="NAME"),
    ] = "auto"
    layer: Annotated[str | None, Parameter(metavar="NAME")] = None
    wide: Annotated[bool | None, Parameter(negative="--long")] = None
    column_annotator: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_item: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_label: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    header: bool | None = None
    delimiter: Annotated[str | None, Parameter(metavar="CHARACTER")] = None
    separator: Annotated[str | None, Parameter(metavar="CHARACTER")] = None
    missing_text: Annotated[str | None, Parameter(metavar="TEXTS")] = None
    duplicates: Literal["raise", "first"] = "raise"

    def ratings(self, path: str, watch: Watch | None = None) -> Ratings:
        """Read the file.

        Parameters
        ----------
        path
            The file.
        watch
            Whom to tell what is done.

        Returns
        -------
        Ratings
            What it holds.
        """
        if not path:
            msg = "name a file to read"
            raise SettingError(msg)
        columns = None if self.annotators is None else several("--annotators", self.annotators)
        missing = () if self.missing_text is None else several("--missing-text", self.missing_text)
        if watch is not None:
            watch.phase("reading")
        with worded(rating_option_named):
            return read_ratings(
                path,
                format=self.format,
                layer=self.layer,
                annotator=column_of(self.column_annotator),
                item=column_of(self.column_item),
                label=column_of(self.column_label),
                annotators=None if columns is None else _columns(columns),
                wide=self.wide,
                header=self.header,
                delimiter=delimiter_of(self.delimiter),
                separator=delimiter_of(self.separator),
                missing=missing,
                duplicates=self.duplicates,
            )


@Parameter(name="*", group=COEFFICIENTS)
@dataclass(frozen=True, slots=True, kw_only=True)
class Comparing:
    """How labels are compared; what is not given is as the coefficient has it.

    Parameters
    ----------
    weights
        What disagreements cost in κ, S and AC: linear, quadratic, a distance, or a matrix.
    order
        All labels from low to high, such as low,mid,high; numbers need none.
    categories
        How many categories there were to choose from, for S and AC (those in use).
    """

    weights: Annotated[str | None, Parameter(metavar="NAME|FILE.csv")] = None
    order: Annotated[str | None, Parameter(metavar="LABELS")] = None
    categories: Annotated[int | None, Parameter(metavar="N")] = None

    def given(self, labels: Sequence[Label], distance: str | None) -> dict[str, Any]:
        """Give the settings that were asked for.

        Parameters
        ----------
        labels
            The labels of the data: those of the order are written as texts.
        distance
            The label distance that was asked for.
        """
        found: dict[str, Any] = {}
        if distance is not None:
            found["distance"] = distance_of(distance)
        if self.weights is not None:
            found["weights"] = distance_of(self.weights, also=RANK_WEIGHTS, what="weights")
        if self.categories is not None:
            found["categories"] = self.categories
        if self.order is not None:
            found["order"] = tuple(_as_in(labels, text) for text in several("--order", self.order))
        return found


def several(option: str, text: str) -> list[str]:
    """Part what commas part; a text with a comma in it stands in double quotes."""
    (parts,) = csv.reader([text.replace("\n", " ")], skipinitialspace=True) if text else ([],)
    found = [part.strip() for part in parts]
    if not all(found) or not found:
        msg = f"{option} is one text or several, parted by commas; got {text!r}"
        raise SettingError(msg)
    return found


def _columns(names: Sequence[str]) -> list[str | int]:
    return [int(name) if name.isdecimal() else name for name in names]


def _as_in(labels: Sequence[Label], text: str) -> Label:
    """Read a label as the file was read, where labels are numbers if each of them is one."""
    if any(isinstance(label, str) for label in labels):
        return text
    (number,) = labels_from_text([text])
    return text if number is None else number
