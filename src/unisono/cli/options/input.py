"""Options for reading, which all commands on units share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.options.shared import READING, column_of, delimiter_of
from unisono.cli.output import Watch
from unisono.errors import SettingError
from unisono.formats.characters import reported
from unisono.formats.read import read, scan_corpus

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus, LazyCorpus
    from unisono.studies.description import Description


_C = TypeVar("_C", bound="Corpus")


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How files become documents.

    Parameters
    ----------
    annotators
        Who counts: those the files tell of, else those with units (auto); those with units,
        all of the corpus, or a table of document and annotator.
    on_error
        Stop at a row that cannot be read, or skip and count it.
    column_document
        Column with the document, or: file, folder, a pattern of paths such as
        "{document}_{annotator}", a field of the format. By default each file is a document.
    column_annotator
        Column with the annotator, or the same words; in files with tiers: layer.
    column_start
        Column with the start of the unit.
    column_end
        Column with the end of the unit.
    column_label
        Column or attribute with the label. Each column is a name, or a number from 1.
    no_labels
        Units have no labels, whatever other columns there are.
    layer
        Layer or tier to read; may be given several times.
    tags
        How tags of tokens mark units, such as B-PER; found out if not said.
    fragments
        Units in pieces: measure the whole, or split them into units.
    extent
        Where every document begins and ends; by default with its first and last unit.
    header
        Whether the first row names the columns; found out if not said.
    delimiter
        What separates cells, such as ; or tab; found out if not said.
    format
        What the files are: csv, tsv, jsonl, brat, conll, labelstudio, textgrid, eaf and so on;
        found out if not said.
    """

    annotators: Annotated[str, Parameter(metavar="auto|units|corpus|FILE")] = "auto"
    on_error: Literal["raise", "skip"] = "raise"
    column_document: Annotated[
        str | None, Parameter(name=("--column-document", "--document-from"), metavar="COLUMN")
    ] = None
    column_annotator: Annotated[
        str | None, Parameter(name=("--column-annotator", "--annotator-from"), metavar="COLUMN")
    ] = None
    column_start: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_end: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_label: Annotated[
        str | None, Parameter(name=("--column-label", "--label-from"), metavar="COLUMN")
    ] = None
    no_labels: Annotated[bool, Parameter(negative="", show_default=False)] = False
    layer: Annotated[tuple[str, ...] | None, Parameter(metavar="NAME", negative="")] = None
    tags: Literal["auto", "iob1", "iob2", "iobes", "bilou"] = "auto"
    fragments: Literal["whole", "split"] = "whole"
    extent: Annotated[tuple[float, float] | None, Parameter(metavar="LOW HIGH", negative="")] = None
    header: bool | None = None
    delimiter: Annotated[str | None, Parameter(metavar="CHARACTER")] = None
    format: Annotated[str, Parameter(metavar="NAME")] = "auto"

    def corpus(self, paths: Sequence[str], watch: Watch | None = None) -> Corpus:
        """Read the files.

        Parameters
        ----------
        paths
            Files and folders.
        watch
            Whom to tell how far it has come.

        Returns
        -------
        Corpus
            The documents.
        """
        return self._read_with(read, paths, watch)

    def lazy_corpus(self, paths: Sequence[str], watch: Watch | None = None) -> LazyCorpus:
        """Read the files, but make documents only when they are asked for.

        Parameters
        ----------
        paths
            Files and folders.
        watch
            Whom to tell how far it has come.

        Returns
        -------
        LazyCorpus
            The documents, without texts and attributes.
        """
        return self._read_with(scan_corpus, paths, watch)

    def description(self, paths: Sequence[str], watch: Watch | None = None) -> Description:
        """Read the files and say what was understood.

        Parameters
        ----------
        paths
            Files and folders.
        watch
            Whom to tell how far it has come.

        Returns
        -------
        Description
            With all layers, if none was chosen.
        """
        # What cannot be read is what one wants to be told of.
        settings = {**self._settings(paths), "on_error": "skip"}
        with reported(_telling(watch)):
            from unisono.studies.description import describe  # noqa: PLC0415 - for one command

            return describe(*paths, **settings)

    def _read_with(
        self, reader: Callable[..., _C], paths: Sequence[str], watch: Watch | None
    ) -> _C:
        settings = self._settings(paths)
        with reported(_telling(watch)):
            corpus = reader(*paths, **settings, fragments=self.fragments)
        for note in corpus.notes:
            output.print_note(f"odd, but kept: {note}")
        return corpus

    def _settings(self, paths: Sequence[str]) -> dict[str, Any]:
        if not paths:
            msg = "name at least one file or folder to read"
            raise SettingError(msg)
        if self.no_labels and self.column_label is not None:
            msg = "give --column-label or --no-labels, not both"
            raise SettingError(msg)
        output.reads(*paths, self.annotators)
        return {
            "format": self.format,
            "document": column_of(self.column_document),
            "annotator": column_of(self.column_annotator),
            "start": column_of(self.column_start),
            "end": column_of(self.column_end),
            "label": False if self.no_labels else column_of(self.column_label),
            "layer": self.layer or None,
            "header": self.header,
            "delimiter": delimiter_of(self.delimiter),
            "tags": self.tags,
            "annotators": self.annotators,
            "extent": self.extent,
            "on_error": self.on_error,
        }


def _telling(watch: Watch | None) -> Callable[[int, int], None] | None:
    if watch is None or (count := watch.counting("reading")) is None:
        return None

    def tell(done: int, total: int) -> None:
        count(done, total)
        if done >= total:
            # All is read, but units have still to be put in order.
            watch.phase("sorting")

    return tell
