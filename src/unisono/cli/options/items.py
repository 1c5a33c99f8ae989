"""Options for reading ratings, or units or ratings, and for comparing labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.options.settings import option
from unisono.cli.options.shared import (
    OPTIONS,
    READING,
    option_text,
    parse_column,
    parse_delimiter,
    parse_distance,
    split_list,
)
from unisono.errors import AmbiguousInputError, ReadError, SettingError, UnisonoError, worded
from unisono.formats.contents import labels_from_text
from unisono.formats.read import read_clusters, read_ratings
from unisono.formats.roles import RATINGS
from unisono.formats.settings import RATING_SETTINGS
from unisono.measures.items.coefficients import MissingPolicy
from unisono.measures.items.metrics import RANK_WEIGHTS
from unisono.model.ratings import Ratings
from unisono.registry import SETTINGS
from unisono.results.wording import some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.cli.options.input import ReadingOptions
    from unisono.cli.output import ProgressDisplay
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label


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


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class DataOptions(RatingTableOptions):
    """Options for reading units or ratings, and for comparing the labels of ratings."""

    of: Annotated[
        Literal["units", "ratings"] | None,
        Parameter(help="What the files contain; by default detected."),
    ] = None
    order: Annotated[str | None, option("order", group=COEFFICIENTS)] = None

    def read(
        self,
        paths: tuple[str, ...],
        reading: ReadingOptions,
        display: ProgressDisplay,
        *unit_options: object,
        distance: str | None = None,
        **others: object,
    ) -> Corpus | Ratings:
        """Read units or, if the only file has none, ratings.

        Parameters
        ----------
        paths
            Files and folders.
        reading
            The options for reading.
        display
            The progress display.
        unit_options
            Groups of options that only apply to units.
        distance
            The distance of labels that was typed.
        others
            Single options that only apply to units, by name; None or False if not typed.

        Returns
        -------
        Corpus or Ratings
            The data.
        """
        found = self._read(paths, reading, display, distance or self.order)
        typed = {name for group in unit_options for name in _typed(group)}
        typed |= {
            _option_name(name) for name, value in others.items() if value not in (None, False)
        }
        if isinstance(found, Ratings):
            shared = {field.name for field in fields(RatingReadingOptions)}
            typed |= {_option_name(name) for name in _typed_fields(reading) if name not in shared}
            if typed:
                msg = f"{_listed(typed)} for units, and {paths[0]} has ratings; omit {_them(typed)}"
                raise SettingError(msg)
        else:
            wrong = {
                _option_name(name) for name in _OF_RATINGS if getattr(self, name, None) is not None
            }
            if wrong:
                msg = f"{_listed(wrong)} for ratings, and the data are units; omit {_them(wrong)}"
                raise SettingError(msg)
        return found

    def keywords(self, ratings: Ratings, distance: str | None) -> dict[str, Any]:
        """Return the settings of the comparison of labels that were typed.

        Parameters
        ----------
        ratings
            The ratings.
        distance
            The distance that was typed.

        Returns
        -------
        dict
            The settings, for functions of ratings.
        """
        return LabelOptions(order=self.order).keywords(ratings.labels, distance)

    def _read(
        self,
        paths: tuple[str, ...],
        reading: ReadingOptions,
        display: ProgressDisplay,
        distance: str | None,
    ) -> Corpus | Ratings:
        table = self.rating_reading(reading)
        if self.of == "ratings" or (self.of is None and self._has_table_options()):
            require_single_file(paths)
            return table.ratings(paths[0], display, distance=distance)
        try:
            corpus = reading.corpus(paths, display)
        except AmbiguousInputError:
            raise
        except ReadError as error:
            if self.of == "units" or len(paths) != 1:
                raise
            try:
                return table.ratings(paths[0], display, distance=distance)
            except AmbiguousInputError:
                raise
            except UnisonoError as other:
                # A table without starts and ends is one of ratings.
                raise (other if lacks_bounds(error) else error) from None
        if self.of is None and len(paths) == 1:
            self._check_no_items(corpus, paths[0], table)
        return corpus

    def rating_reading(self, reading: ReadingOptions) -> RatingReadingOptions:
        """Return the options for reading ratings.

        Parameters
        ----------
        reading
            The options for reading units, some of which apply to ratings.

        Returns
        -------
        RatingReadingOptions
            The options.
        """
        own = {field.name: getattr(self, field.name) for field in fields(RatingTableOptions)}
        return RatingReadingOptions(**shared_options(reading), **own)

    def _has_table_options(self) -> bool:
        usual = RatingTableOptions()
        return any(
            getattr(self, field.name) != getattr(usual, field.name)
            for field in fields(RatingTableOptions)
        )

    def _check_no_items(self, corpus: Corpus, path: str, table: RatingReadingOptions) -> None:
        """Raise an error for a table of units whose rows are ratings of items as well."""
        record = corpus.interpretation
        names = [each.name for each in record.ignored if each.kind == "column"] if record else []
        items = [name for name in names if RATINGS.matches("item", [name])]
        if len(items) != 1:
            return
        try:
            ratings = read_ratings(path, **table.keywords(), questions="keep")
        except UnisonoError:
            return
        sizes = ratings.offsets[1:] - ratings.offsets[:-1]
        if 2 * int((sizes > 1).sum()) > len(sizes):
            msg = (
                f"{path} has starts and ends of units, and a column of items, {items[0]!r}, that "
                "several annotators rated; choose --of units or --of ratings"
            )
            raise SettingError(msg)


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class RatingStudyOptions(DataOptions):
    """Options for reading units or ratings, for labels, missing values and clusters of ratings."""

    missing: Annotated[MissingPolicy | None, option("missing", group=COEFFICIENTS)] = None
    clusters: Annotated[str | None, option("clusters", group=UNCERTAINTY)] = None

    def study_keywords(
        self, path: str, ratings: Ratings, distance: str | None, reading: ReadingOptions
    ) -> dict[str, Any]:
        """Return the settings of functions of ratings that were typed.

        Parameters
        ----------
        path
            The file.
        ratings
            The ratings.
        distance
            The distance that was typed.
        reading
            The options for reading.

        Returns
        -------
        dict
            The settings, with the clusters of the items.
        """
        found = self.keywords(ratings, distance)
        if self.missing is not None:
            found["missing"] = self.missing
        if self.clusters is not None:
            found["clusters"] = self.rating_reading(reading).clusters(path, self.clusters)
        return found


_OF_RATINGS = ("order", "missing", "clusters")


def require_single_file(paths: tuple[str, ...]) -> None:
    """Raise an error unless there is exactly one path, as for ratings."""
    if len(paths) != 1:
        msg = f"ratings must be in a single file; got {len(paths)} paths"
        raise SettingError(msg)


def lacks_bounds(error: ReadError) -> bool:
    """Return whether a table could not be read because it has no starts and ends."""
    return "no column for" in str(error) and "start, end" in str(error)


def shared_options(reading: ReadingOptions) -> dict[str, Any]:
    """Return the options that reading units and reading ratings share."""
    own = {field.name for field in fields(RatingTableOptions)}
    names = {field.name for field in fields(RatingReadingOptions)} - own
    found = {name: getattr(reading, name) for name in names}
    found["layer"] = reading.layer[0] if reading.layer else None
    found["format"] = (
        reading.format if reading.format in RATING_SETTINGS["format"].choices else "auto"
    )
    return found


def _typed_fields(options: Any) -> Iterator[str]:  # noqa: ANN401 - any group of options
    usual = type(options)()
    for field in fields(options):
        if getattr(options, field.name) != getattr(usual, field.name):
            yield field.name


def _typed(options: object) -> Iterator[str]:
    # The distance of labels applies to ratings as well.
    return (_option_name(name) for name in _typed_fields(options) if name != "distance")


def _option_name(name: str) -> str:
    if name in OPTIONS:
        return OPTIONS[name]
    known = SETTINGS.get({"seed": "rng"}.get(name, name))
    return f"--{name.replace('_', '-')}" if known is None else known.option


def _listed(names: set[str]) -> str:
    return f"{some(sorted(names))} {'is' if len(names) == 1 else 'are'}"


def _them(names: set[str]) -> str:
    return "it" if len(names) == 1 else "them"
