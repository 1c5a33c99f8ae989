"""Overview of data as read from files, before any coefficient is computed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from unisono.errors import SettingError, setting
from unisono.formats.frames import data_of_frame
from unisono.formats.registry import FORMATS
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, check_continuum_or_corpus, units_by_label
from unisono.model.interpretation import Interpretation
from unisono.model.ratings import Ratings
from unisono.registry import FAMILIES, MEASURES
from unisono.results.data import OfData, reading_tables, with_data
from unisono.results.record import label_keys, record
from unisono.results.sheet import KINDS, Column, Fact, Sheet, Table, column, columns
from unisono.results.wording import count, position, printable
from unisono.studies.measure_table import family_fits, properties_of
from unisono.studies.task_profile import answers_of, measure_fits, similar_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from narwhals.typing import IntoFrame

    from unisono.model.labels import Label
    from unisono.studies.measure_table import DataProperties, Fit
    from unisono.studies.task_profile import MeasureFit, TaskAnswer

__all__ = ["Description", "RatingsDescription", "describe"]


class AnnotatorCounts(NamedTuple):
    """The number of documents and units of an annotator."""

    n_documents: int
    n_units: int


@record
class Description(OfData):
    """Overview of a corpus: documents, annotators, layers, labels, and the measures that fit.

    Attributes
    ----------
    formats
        Number of files per format.
    corpus
        The data as read; all layers together if none was chosen.
    by_document
        Number of units per document.
    by_annotator
        Number of documents and units per annotator.
    by_layer
        Number of units per layer or tier; empty if the format has no layers.
    by_label
        Number of units per label.
    properties
        Counts of overlaps, nested units, gaps and other properties.
    families
        For each family of measures, whether it fits the data and why.
    task
        The properties of the task, from the data and from answers; open ones with a question.
    measure_fits
        For each measure, whether it fits the task and why.
    similar_tasks
        The tasks of Table 1 of Mathet et al. (2015) with the same properties.
    skipped_rows, odd_rows, left_out_contents
        Invalid rows that were skipped, warnings about rows that were kept, and contents that are
        not annotations; each line with a count and the first place.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.describe(un.read("examples/corpus"))
    >>> dict(found.formats), len(found.by_document), len(found.by_annotator)
    ({'csv': 4}, 4, 3)
    """

    formats: Mapping[str, int]
    corpus: Corpus
    by_document: Mapping[str, int]
    by_annotator: Mapping[str, AnnotatorCounts]
    by_layer: Mapping[str, int]
    by_label: Mapping[Label | None, int]
    properties: DataProperties
    families: tuple[Fit, ...]
    task: tuple[TaskAnswer, ...]
    measure_fits: tuple[MeasureFit, ...]
    similar_tasks: tuple[str, ...]
    skipped_rows: tuple[str, ...]
    odd_rows: tuple[str, ...]
    left_out_contents: tuple[str, ...]

    summary = ("n_documents", "n_annotators", "n_units", "n_labels")
    computed = ("n_units", "annotators_from")
    excluded = ("corpus",)

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.by_document)

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""
        return len(self.by_annotator)

    @property
    def n_labels(self) -> int:
        """Number of labels; units without a label count as one."""
        return len(self.by_label)

    @property
    def n_units(self) -> int:
        """Number of units.

        Examples
        --------
        >>> import unisono as un
        >>> un.describe(un.read("examples/corpus")).n_units
        60
        """
        return self.corpus.n_units

    @property
    def annotators_from(self) -> str:
        """How the annotators of each document were determined, as in a `GammaAgreement`.

        Examples
        --------
        >>> import unisono as un
        >>> un.describe(un.read("examples/corpus")).annotators_from
        'units'
        """
        return self.corpus.annotators_from

    def __hash__(self) -> int:
        return hash(self.corpus)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the overview, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> tables = un.describe(un.read("examples/corpus")).sheet().tables
        >>> [table.name for table in tables if table.people][-5:]
        ['label', 'family', 'task', 'fit', 'paper']
        """
        n_layers = len(self.by_layer)
        together = f"{n_layers} layers are counted together; select one with {setting('layer')}"
        return Sheet(
            name="description",
            title=title,
            tables=tuple(_tables(self)),
            facts=tuple(_facts(self)),
            notes=(together,) if n_layers > 1 else (),
        )


@record
class RatingsDescription(OfData):
    """Overview of ratings: annotators, labels, missing ratings, and the measures that fit.

    Attributes
    ----------
    by_annotator
        Number of ratings per annotator; empty if the annotators are unknown.
    by_label
        Number of ratings per label.
    n_items
        Number of items with ratings.
    n_compared
        Number of items that at least two annotators rated.
    n_missing
        Number of missing ratings: items times annotators, minus ratings.
    label_kind
        ``"numbers"``, ``"names"``, ``"sets"`` or ``"mixed"``.
    fits
        Whether agreement can be measured: an item must have two ratings.
    skipped_rows
        Invalid rows that were skipped, with a count and the first place.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.describe(un.read_ratings("examples/politeness.csv"))
    >>> dict(found.by_annotator)
    {'ada': 24, 'ben': 23, 'cleo': 21, 'dora': 18}
    """

    by_annotator: Mapping[str, int]
    by_label: Mapping[Label, int]
    n_items: int
    n_compared: int
    n_missing: int
    label_kind: str
    fits: bool
    skipped_rows: tuple[str, ...]

    summary = ("n_annotators", "n_items", "n_ratings")

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""
        return 0 if self.data is None else self.data.n_annotators

    @property
    def n_ratings(self) -> int:
        """Number of ratings."""
        return sum(self.by_label.values())

    def __hash__(self) -> int:
        return hash((self.n_items, self.n_ratings))

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the overview, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.describe(un.read_ratings("examples/politeness.csv"))
        >>> [table.name for table in found.sheet().tables if table.people][-3:]
        ['annotator', 'label', 'family']
        """
        keys = label_keys(self.by_label)
        few = "no item has two ratings"
        tables = (
            *reading_tables(self.interpretation),
            Table(
                name="annotator",
                columns=(
                    Column(name="annotator", heading="annotator", kind=_NAME),
                    column("n_ratings"),
                ),
                rows=list(self.by_annotator.items()),
                limited=True,
            ),
            Table(
                name="label",
                columns=(column("label", kind=_LABEL), column("n_ratings")),
                rows=[(keys[label], number) for label, number in self.by_label.items()],
                limited=True,
            ),
            _families_table(
                [(FAMILIES["items"].title, self.fits, "" if self.fits else few, "unisono items")]
            ),
        )
        compared = f"{self.n_compared:,} with at least two ratings"
        return Sheet(
            name="ratings",
            title=title,
            tables=tuple(table for table in tables if table.rows),
            facts=(
                Fact(column("n_items"), self.n_items, compared),
                Fact(column("n_ratings"), self.n_ratings, f"{self.n_missing:,} missing"),
                _text_fact("labels", f"{len(self.by_label):,} {self.label_kind}"),
            ),
        )


_LONGEST_NAME = 60
_LONGEST_REMARK = 400
_ANNOTATORS_FROM = {
    "units": "those with units; declare the annotators of each document if others took part",
    "corpus": "all annotators of the corpus",
    "declared": "declared in the files or in a table, including annotators without units",
    "mixed": "differs between documents",
}


def _shortened(name: str) -> str:
    # Some tools store a whole transcription as the label.
    return printable(name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…")


_NAME = replace(KINDS["name"], text=_shortened)
_LABEL = replace(KINDS["label"], text=lambda key: _shortened(key) or "(no label)")
_REMARK = replace(KINDS["text"], text=lambda line: printable(line[:_LONGEST_REMARK]))
_REMARKS = {
    "skipped_rows": "could not be read",
    "odd_rows": "warnings",
    "left_out_contents": "left out",
}


def _tables(found: Description) -> Iterator[Table]:
    yield from reading_tables(found.interpretation)
    yield Table(
        name="annotator",
        columns=(
            Column(name="annotator", heading="annotator", kind=_NAME),
            *columns("n_documents n_units"),
        ),
        rows=[(name, *numbers) for name, numbers in found.by_annotator.items()],
        limited=True,
    )
    if found.by_layer:
        yield Table(
            name="layer",
            columns=(Column(name="layer", heading="layer", kind=_NAME), column("n_units")),
            rows=list(found.by_layer.items()),
            limited=True,
        )
    if found.by_label:
        keys = label_keys(found.by_label)
        yield Table(
            name="label",
            columns=(column("label", kind=_LABEL), column("n_units")),
            rows=[(keys[label], number) for label, number in found.by_label.items()],
            limited=True,
        )
    for name, heading in _REMARKS.items():
        # Warnings are part of the record of how files were read.
        if name != "odd_rows" and (lines := getattr(found, name)):
            yield Table(
                name=name,
                columns=(Column(name="remark", heading=heading, kind=_REMARK),),
                rows=[(line,) for line in lines],
                noun="remark",
                limited=True,
            )
    yield _families_table(
        [
            (fit.family.title, fit.fits, fit.why, f"unisono {fit.family.command}")
            for fit in found.families
        ]
    )
    yield Table(
        name="task",
        title="The task",
        columns=(
            Column(name="property", heading="property", kind=KINDS["text"]),
            Column(name="holds", heading="holds", kind=replace(KINDS["flag"], align="left")),
            Column(name="source", heading="from", kind=KINDS["text"]),
            Column(name="question", heading="question", kind=KINDS["text"]),
        ),
        rows=[(each.title, each.holds, each.source, each.question) for each in found.task],
        programs=False,
    )
    yield Table(
        name="fit",
        title="Measures for this task",
        columns=(
            Column(name="symbol", heading="measure", kind=KINDS["text"]),
            Column(name="fits", heading="fit", kind=replace(KINDS["flag"], align="left")),
            Column(name="why", heading="why", kind=KINDS["text"]),
        ),
        rows=[(MEASURES[fit.measure].title, fit.fits, fit.why) for fit in _best(found)],
        programs=False,
    )
    papers = [(MEASURES[fit.measure].title, fit.paper) for fit in _best(found) if fit.paper]
    if papers:
        yield Table(
            name="paper",
            title="What Mathet et al. (2015) say of them",
            columns=(
                Column(name="symbol", heading="measure", kind=KINDS["text"]),
                Column(name="paper", heading="row of Table 2, in words", kind=KINDS["text"]),
            ),
            rows=papers,
            programs=False,
        )
    yield Table(
        name="document",
        columns=columns("document n_units"),
        rows=list(found.by_document.items()),
        people=False,
    )


def _families_table(rows: list[tuple[str, bool, str, str]]) -> Table:
    return Table(
        name="family",
        title="Which measures fit",
        columns=(
            Column(name="family", heading="measures", kind=KINDS["text"]),
            Column(name="fits", heading="fit", kind=replace(KINDS["flag"], align="left")),
            Column(name="why", heading="why", kind=KINDS["text"]),
            Column(name="command", heading="command", kind=KINDS["text"]),
        ),
        rows=rows,
    )


def _best(found: Description) -> list[MeasureFit]:
    """Return the measures that fit; if there are none, those that lack least."""
    fitting = [fit for fit in found.measure_fits if fit.fits]
    least = min((fit.why.count(";") for fit in found.measure_fits), default=0)
    return fitting or [fit for fit in found.measure_fits if fit.why.count(";") == least]


def _facts(found: Description) -> Iterator[Fact]:
    data, corpus = found.properties, found.corpus
    formats = (
        f"{name}: {FORMATS[name].title} ({count(number, 'file')})"
        for name, number in found.formats.items()
    )
    yield _text_fact("formats", ", ".join(formats) or "none: created in Python")
    shared = "" if len(corpus) == data.shared else f"{data.shared:,} with at least two annotators"
    yield Fact(column("n_documents"), len(corpus), shared)
    yield Fact(
        column("n_annotators"), len(corpus.annotators), _ANNOTATORS_FROM[corpus.annotators_from]
    )
    yield Fact(column("n_units"), corpus.n_units)
    yield _text_fact("labels", f"{data.n_labels:,}" if data.n_labels else "none")
    if corpus.n_units:
        lows, highs = zip(*(each.extent for each in corpus.values()), strict=True)
        yield _text_fact("positions", f"{position(min(lows))} to {position(max(highs))}")
    unusual = [
        (data.overlapping, "overlap another of the same annotator"),
        (data.nested, "lie within another"),
        (data.points, "are points"),
        (data.in_pieces, "are discontinuous (measured from first start to last end)"),
        (data.several_labels, "have a set of labels"),
        (data.without_label, "have no label"),
    ]
    several = "; ".join(f"{number:,} {what}" for number, what in unusual if number)
    yield _text_fact("of the units", several or "none overlap")
    if found.similar_tasks:
        like = ", ".join(found.similar_tasks)
        yield _text_fact("task", f"like {like} (Mathet et al. 2015, Table 1)")
    full = "units cover the documents without gaps"
    yield _text_fact("gaps", "units leave gaps" if data.leaves_gaps else full)


def _text_fact(heading: str, text: str) -> Fact:
    return Fact(Column(name=heading, heading=heading, kind=KINDS["text"]), text)


@overload
def describe(
    data: Continuum | Corpus, *, task: Mapping[str, bool] | None = None
) -> Description: ...
@overload
def describe(data: Ratings, *, task: None = None) -> RatingsDescription: ...
@overload
def describe(
    data: IntoFrame, *, task: Mapping[str, bool] | None = None
) -> Description | RatingsDescription: ...
def describe(
    data: Continuum | Corpus | Ratings | IntoFrame, *, task: Mapping[str, bool] | None = None
) -> Description | RatingsDescription:
    """Summarize the data: how they were read, units or ratings, and which measures fit.

    Parameters
    ----------
    data
        One `Continuum`, a `Corpus`, whose overview includes the rows that `read` skipped, its
        warnings, and contents that were left out, or `Ratings`; or a dataframe of units or ratings.
    task
        Properties of the task that data cannot show, such as ``{"ordered": True}``; see
        `Description.task` for the names and the questions.

    Returns
    -------
    Description
        The overview; a `RatingsDescription` for ratings.

    Raises
    ------
    TypeError
        If `data` are neither units nor ratings.
    SettingError
        If a property of the task is unknown, or set for ratings.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.describe(un.read("examples/corpus"))
    >>> [fit.family.title for fit in found.families if fit.fits][0]
    'γ, γcat, γk'
    """
    if not isinstance(data, Continuum | Corpus | Ratings):
        data = data_of_frame(data, "describe")  # type: ignore[assignment]
    if isinstance(data, Ratings):
        return _ratings_description(data, task)
    check_continuum_or_corpus("describe", data)
    found: Description = with_data(_units_description(data, task or {}), data)  # type: ignore[arg-type]
    return found


def _units_description(data: Continuum | Corpus, task: Mapping[str, bool]) -> Description:
    corpus = data if isinstance(data, Corpus) else Corpus.from_continua({"document": data})
    known = corpus.interpretation or Interpretation()
    properties = properties_of(corpus)
    most = max((len(each.annotators) for each in corpus.values()), default=0)
    answers = answers_of(properties, most, len(corpus), task)
    return Description(
        formats=known.formats,
        corpus=corpus,
        by_document={name: len(continuum) for name, continuum in corpus.items()},
        by_annotator=_annotators(corpus),
        by_layer=known.layers_read,
        by_label=dict(sorted(units_by_label(corpus).items(), key=lambda each: -each[1])),
        properties=properties,
        families=tuple(family_fits(properties)),
        task=answers,
        measure_fits=measure_fits(answers),
        similar_tasks=similar_tasks(answers),
        skipped_rows=tuple(map(str, known.skipped)),
        odd_rows=corpus.notes,
        left_out_contents=tuple(map(str, known.left_out)),
    )


def _ratings_description(ratings: Ratings, task: Mapping[str, bool] | None) -> RatingsDescription:
    if task:
        msg = "task= is for units; ratings have one task, to label items: omit it"
        raise SettingError(msg)
    sizes = np.diff(ratings.offsets)
    weights = ratings.times[ratings.row_numbers]
    of_annotators = np.bincount(
        ratings.annotator_codes, weights=weights, minlength=ratings.n_annotators
    )
    of_labels = np.bincount(ratings.label_codes, weights=weights, minlength=len(ratings.labels))
    by_label = dict(zip(ratings.labels, map(int, of_labels), strict=True))
    names = () if ratings.anonymous else ratings.annotators
    known = ratings.interpretation or Interpretation()
    found: RatingsDescription = with_data(
        RatingsDescription(
            by_annotator=dict(zip(names, map(int, of_annotators), strict=False)),
            by_label=dict(sorted(by_label.items(), key=lambda each: -each[1])),
            n_items=ratings.n_items,
            n_compared=int(ratings.times[sizes > 1].sum()),
            n_missing=ratings.n_items * ratings.n_annotators - ratings.n_ratings,
            label_kind=_label_kind(ratings.labels),
            fits=bool((sizes > 1).any()),
            skipped_rows=tuple(map(str, known.skipped)),
        ),
        ratings,
    )
    return found


def _label_kind(labels: Sequence[Label]) -> str:
    kinds = {
        "sets" if isinstance(label, frozenset) else "names" if isinstance(label, str) else "numbers"
        for label in labels
    }
    return kinds.pop() if len(kinds) == 1 else "mixed" if kinds else "none"


def _annotators(corpus: Corpus) -> dict[str, AnnotatorCounts]:
    n_documents = dict.fromkeys(corpus.annotators, 0)
    n_units = dict.fromkeys(corpus.annotators, 0)
    for continuum in corpus.values():
        for name, number in zip(continuum.annotators, continuum.counts.tolist(), strict=True):
            n_documents[name] += 1
            n_units[name] += number
    return {name: AnnotatorCounts(n_documents[name], n_units[name]) for name in corpus.annotators}
