"""Options for reading files, shared by all commands on units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.options.settings import option
from unisono.cli.options.shared import (
    READING,
    SWITCHED_OFF,
    parse_column,
    parse_delimiter,
    split_list,
)
from unisono.cli.output import ProgressDisplay
from unisono.errors import SettingError
from unisono.formats.characters import reported
from unisono.formats.read import read, read_all_layers
from unisono.formats.settings import READ_SETTINGS

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus
    from unisono.studies.description import Description


_option = partial(option, table=READ_SETTINGS)


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions:
    """Options for reading documents from files, without a choice of documents and labels."""

    seen_by: Annotated[str, _option("seen_by")] = "auto"
    on_error: Annotated[Literal["raise", "skip"], _option("on_error")] = "raise"
    column_document: Annotated[
        str | None, _option("document", name=("--column-document", "--document-from"))
    ] = None
    column_annotator: Annotated[
        str | None, _option("annotator", name=("--column-annotator", "--annotator-from"))
    ] = None
    column_start: Annotated[str | None, _option("start")] = None
    column_end: Annotated[str | None, _option("end")] = None
    column_duration: Annotated[str | None, _option("duration")] = None
    column_label: Annotated[
        str | None, _option("label", name=("--column-label", "--label-from"))
    ] = None
    no_labels: Annotated[
        bool,
        Parameter(
            help="Read units without labels, even if there is a column of labels.",
            negative="",
            show_default=False,
        ),
    ] = False
    layer: Annotated[
        tuple[str, ...] | None,
        _option(
            "layer",
            name=("--layer", "--layers", "--tiers"),
            help="Layer or tier to read, or a pattern such as A*; may be repeated.",
            negative="",
        ),
    ] = None
    tags: Annotated[Literal["auto", "iob1", "iob2", "iobes", "bilou"], _option("tags")] = "auto"
    fragments: Annotated[Literal["whole", "split"], _option("fragments")] = "whole"
    ends: Annotated[Literal["exclusive", "inclusive"], _option("ends")] = "exclusive"
    extent: Annotated[tuple[float, float] | None, _option("extent", negative="")] = None
    header: Annotated[bool | None, _option("header", negative=SWITCHED_OFF["header"])] = None
    delimiter: Annotated[str | None, _option("delimiter")] = None
    format: Annotated[str, _option("format")] = "auto"
    accept: Annotated[str | None, _option("accept")] = None
    annotators: Annotated[str | None, _option("annotators")] = None

    def corpus(
        self,
        paths: Sequence[str],
        display: ProgressDisplay | None = None,
        **chosen: str | None,
    ) -> Corpus:
        """Read the files.

        Parameters
        ----------
        paths
            Files and folders.
        display
            The progress display.
        chosen
            The documents and labels to keep, if these are no options.

        Returns
        -------
        Corpus
            The documents.
        """
        settings = self.settings(paths) | chosen
        with reported(_reading_progress(display)):
            corpus = read(*paths, **settings, fragments=self.fragments)
        for note in corpus.notes:
            output.print_note(note)
        return corpus

    def description(
        self,
        paths: Sequence[str],
        display: ProgressDisplay | None = None,
        *,
        task: Mapping[str, bool] | None = None,
    ) -> Description:
        """Read the files and return an overview.

        Parameters
        ----------
        paths
            Files and folders.
        display
            The progress display.
        task
            Properties of the task that data cannot show.

        Returns
        -------
        Description
            The overview, of all layers if none was chosen.
        """
        # Invalid rows are part of the overview.
        settings = {**self.settings(paths), "on_error": "skip"}
        with reported(_reading_progress(display)):
            from unisono.studies.description import describe  # noqa: PLC0415 - for one command

            return describe(read_all_layers(*paths, **settings), task=task)

    def settings(self, paths: Sequence[str]) -> dict[str, Any]:
        """Return the settings of `read`, after checking the options."""
        if not paths:
            msg = "no input; name at least one file or folder to read"
            raise SettingError(msg)
        if self.no_labels and self.column_label is not None:
            msg = "--column-label and --no-labels exclude each other; use one of them"
            raise SettingError(msg)
        output.register_inputs(*paths, self.seen_by)
        return {
            "format": self.format,
            "document": parse_column(self.column_document),
            "annotator": parse_column(self.column_annotator),
            "start": parse_column(self.column_start),
            "end": parse_column(self.column_end),
            "duration": parse_column(self.column_duration),
            "label": False if self.no_labels else parse_column(self.column_label),
            "layer": self.layer or None,
            "header": self.header,
            "delimiter": parse_delimiter(self.delimiter),
            "tags": self.tags,
            "seen_by": self.seen_by,
            "ends": self.ends,
            "extent": self.extent,
            "on_error": self.on_error,
            "accept": () if self.accept is None else split_list("--accept", self.accept),
            "annotators": self.annotators,
        }


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions(FileOptions):
    """Options for reading documents from files."""

    documents: Annotated[str | None, _option("documents")] = None
    labels: Annotated[str | None, _option("labels")] = None

    def settings(self, paths: Sequence[str]) -> dict[str, Any]:
        """Return the settings of `read`, after checking the options."""
        chosen = {"documents": self.documents, "labels": self.labels}
        return FileOptions.settings(self, paths) | chosen


def _reading_progress(display: ProgressDisplay | None) -> Callable[[int, int], None] | None:
    if display is None or (count := display.start_count("reading")) is None:
        return None

    def report(done: int, total: int) -> None:
        count(done, total)
        if done >= total:
            # After reading, units are sorted.
            display.phase("sorting")

    return report
