"""Options of commands on items, for reading ratings and comparing labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.options.settings import option
from unisono.cli.options.shared import (
    READING,
    option_text,
    parse_column,
    parse_delimiter,
    parse_distance,
    split_list,
)
from unisono.errors import SettingError, worded
from unisono.formats.contents import labels_from_text
from unisono.formats.read import read_clusters, read_ratings
from unisono.formats.settings import RATING_SETTINGS
from unisono.measures.items.metrics import RANK_WEIGHTS
from unisono.registry import SETTINGS

if TYPE_CHECKING:
    from unisono.cli.output import ProgressDisplay
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings


COEFFICIENTS = Group("Coefficients", sort_key=10)
UNCERTAINTY = Group("Uncertainty", sort_key=20)
RATING_OPTIONS: Mapping[str, str] = {name: one.option for name, one in RATING_SETTINGS.items()}
"""The option for each setting of `read_ratings`."""
RATING_SWITCHED_OFF: Mapping[str, str] = {"header": "--no-header", "wide": "--long"}
"""The option that sets a setting to ``False``."""


def rating_option_text(name: str, /, *value: object) -> str:
    """Return a setting of `read_ratings` as typed on the command line."""
    return option_text(RATING_OPTIONS, RATING_SWITCHED_OFF, name, *value)


def measure_option_text(name: str, /, *value: object) -> str:
    """Return a setting of a coefficient as typed on the command line."""
    options = {**RATING_OPTIONS, "missing": SETTINGS["missing"].option}
    return option_text(options, RATING_SWITCHED_OFF, name, *value)


_option = partial(option, table=RATING_SETTINGS)


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class RatingTableOptions:
    """Options for reading ratings that do not apply to units."""

    annotator_columns: Annotated[str | None, _option("annotator_columns")] = None
    wide: Annotated[bool | None, _option("wide", negative=RATING_SWITCHED_OFF["wide"])] = None
    column_item: Annotated[str | None, _option("item")] = None
    separator: Annotated[str | None, _option("separator")] = None
    na_values: Annotated[str | None, _option("na_values")] = None
    duplicates: Annotated[Literal["raise", "first"], _option("duplicates")] = "raise"
    items: Annotated[str | None, _option("items")] = None


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class RatingReadingOptions(RatingTableOptions):
    """Options for reading ratings from a file or a folder."""

    format: Annotated[
        Literal["auto", "table", "labelstudio", "prodigy", "jsonl", "doccano"], _option("format")
    ] = "auto"
    layer: Annotated[str | None, _option("layer")] = None
    column_annotator: Annotated[str | None, _option("annotator")] = None
    column_label: Annotated[str | None, _option("label")] = None
    header: Annotated[bool | None, _option("header", negative=RATING_SWITCHED_OFF["header"])] = None
    delimiter: Annotated[str | None, _option("delimiter")] = None
    accept: Annotated[str | None, _option("accept")] = None
    annotators: Annotated[str | None, _option("annotators")] = None
    labels: Annotated[str | None, _option("labels")] = None

    def ratings(
        self,
        path: str,
        display: ProgressDisplay | None = None,
        *,
        questions: Literal["raise", "keep"] = "raise",
        distance: str | None = None,
    ) -> Ratings:
        """Read the file, and print warnings.

        Parameters
        ----------
        path
            The file.
        display
            The progress display.
        questions
            What to do with open questions, as in `read_ratings`.
        distance
            The chosen distance or order of labels, which answers the warning about ordered labels.

        Returns
        -------
        Ratings
            The ratings.
        """
        if not path:
            msg = "no input; name a file to read"
            raise SettingError(msg)
        if display is not None:
            display.phase("reading")
        with worded(rating_option_text):
            ratings = read_ratings(path, **self.keywords(), questions=questions)
        record = ratings.interpretation
        for remark in () if record is None else record.warnings:
            if remark.code == "ordered-labels" and distance is not None:
                continue
            if remark.code:  # the others were issued as warnings of Python
                output.print_note(str(remark))
        return ratings

    def clusters(self, path: str, column: str) -> dict[str | int, str]:
        """Read the cluster of each item.

        Parameters
        ----------
        path
            The file.
        column
            The column of clusters, by name or number.

        Returns
        -------
        dict
            The cluster of each item.
        """
        with worded(rating_option_text):
            chosen = parse_column(column)
            return {} if chosen is None else read_clusters(path, chosen, **self.keywords())

    def keywords(self) -> dict[str, Any]:
        """Return the settings of `read_ratings`."""
        names = self.annotator_columns
        columns = None if names is None else split_list("--annotator-columns", names)
        missing = () if self.na_values is None else split_list("--na-values", self.na_values)
        return {
            "format": self.format,
            "layer": self.layer,
            "annotator": parse_column(self.column_annotator),
            "item": parse_column(self.column_item),
            "label": parse_column(self.column_label),
            "annotator_columns": None if columns is None else _columns(columns),
            "wide": self.wide,
            "header": self.header,
            "delimiter": parse_delimiter(self.delimiter),
            "separator": parse_delimiter(self.separator),
            "na_values": missing,
            "duplicates": self.duplicates,
            "accept": () if self.accept is None else split_list("--accept", self.accept),
            "annotators": self.annotators,
            "items": self.items,
            "labels": self.labels,
        }


@Parameter(name="*", group=COEFFICIENTS)
@dataclass(frozen=True, slots=True, kw_only=True)
class LabelOptions:
    """Options for the comparison of labels; the defaults are those of the coefficient."""

    weights: Annotated[str | None, option("weights")] = None
    order: Annotated[str | None, option("order")] = None
    categories: Annotated[int | None, option("categories")] = None

    def keywords(self, labels: Sequence[Label], distance: str | None) -> dict[str, Any]:
        """Return the settings that were typed; the order is converted to labels of the data."""
        found: dict[str, Any] = {}
        if distance is not None:
            found["distance"] = parse_distance(distance)
        if self.weights is not None:
            found["weights"] = parse_distance(self.weights, also=RANK_WEIGHTS, noun="weights")
        if self.categories is not None:
            found["categories"] = self.categories
        if self.order is not None:
            found["order"] = tuple(
                _data_label(labels, text) for text in split_list("--order", self.order)
            )
        return found


def _columns(names: Sequence[str]) -> list[str | int]:
    return [int(name) if name.isdecimal() else name for name in names]


def _data_label(labels: Sequence[Label], text: str) -> Label:
    """Convert a label to a number if all labels of the data are numbers."""
    if any(isinstance(label, str) for label in labels):
        return text
    (number,) = labels_from_text([text])
    return text if number is None else number
