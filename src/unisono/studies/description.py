"""What a reader understood of files, before any number is computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unisono.errors import setting
from unisono.formats.contents import remark_lines
from unisono.formats.read import assigned, gathered_from
from unisono.formats.registry import FORMATS
from unisono.model.labels import label_text
from unisono.results.record import label_keys
from unisono.results.render import Sheeted
from unisono.results.sheet import KINDS, Column, Fact, Sheet, Table, column, columns
from unisono.results.wording import count, position, printable
from unisono.studies.measure_table import fitting, properties_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from unisono.model.corpus import Corpus, SeenBy
    from unisono.model.labels import Label
    from unisono.studies.measure_table import DataProperties, Fit

__all__ = ["Description", "describe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Description(Sheeted):
    """What was understood of files: who annotated what, in which layers, with which labels.

    Attributes
    ----------
    formats
        Name of a format to the number of files read in it.
    corpus
        All that was read, of all layers together where none was chosen.
    documents
        Document to the number of its units.
    annotators
        Annotator to how many documents were seen and how many units marked.
    layers
        Layer or tier to the number of its units; nothing where the format has none.
    labels
        Label to the number of units that have it.
    properties
        Overlap, nesting, gaps and so on, as counts.
    measures
        Whether each family of measures fits, and why.
    skipped, odd, left_out
        What could not be read, what was read but is odd, and what is no annotation; each line
        with a count and the first place.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.describe("examples/corpus")
    >>> found.formats, len(found.documents), len(found.annotators)
    ({'csv': 4}, 4, 3)
    """

    formats: Mapping[str, int]
    corpus: Corpus
    documents: Mapping[str, int]
    annotators: Mapping[str, tuple[int, int]]
    layers: Mapping[str, int]
    labels: Mapping[Label | None, int]
    properties: DataProperties
    measures: tuple[Fit, ...]
    skipped: tuple[str, ...]
    odd: tuple[str, ...]
    left_out: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data.

        Returns
        -------
        dict
            For JSON.

        Examples
        --------
        >>> import unisono as un
        >>> un.describe("examples/corpus").to_dict()["properties"]["overlapping"]
        0
        """
        return {
            "formats": dict(self.formats),
            "n_units": self.corpus.n_units,
            "documents": dict(self.documents),
            "annotators": {
                name: {"documents": seen, "units": units}
                for name, (seen, units) in self.annotators.items()
            },
            "annotators_from": self.corpus.annotators_from,
            "layers": dict(self.layers),
            "labels": {label_text(label): number for label, number in self.labels.items()},
            "properties": self.properties._asdict(),
            "measures": [
                {
                    "name": fit.family.title,
                    "command": fit.family.command,
                    "takes": sorted(fit.family.takes),
                    "fits": fit.fits,
                    "why": fit.why,
                }
                for fit in self.measures
            ],
            "skipped": list(self.skipped),
            "odd": list(self.odd),
            "left_out": list(self.left_out),
        }

    def problems(self) -> list[str]:
        """Return what a script must notice: nothing, as what cannot be read is only counted.

        Examples
        --------
        >>> import unisono as un
        >>> un.describe("examples/corpus").problems()
        []
        """
        return []

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of what was understood, which all renderings share.

        Examples
        --------
        >>> import unisono as un
        >>> [table.name for table in un.describe("examples/corpus").sheet().tables if table.people]
        ['annotator', 'label', 'measures']
        """
        n_layers = len(self.layers)
        together = f"{n_layers} layers are counted together here; choose with {setting('layer')}"
        return Sheet(
            name="description",
            title=title,
            tables=tuple(_tables(self)),
            facts=tuple(_facts(self)),
            notes=(together,) if n_layers > 1 else (),
        )


_LONGEST_NAME = 60
_LONGEST_REMARK = 400
_WHO = {
    "units": "those with units; say who saw what if others did too",
    "corpus": "everyone in the corpus",
    "declared": "told by the files or by a table, also those who marked nothing",
    "mixed": "differs between documents",
}


def _shortened(name: str) -> str:
    # Some tools have a whole transcription in the place of a label.
    return printable(name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…")


_NAME = replace(KINDS["name"], text=_shortened)
_LABEL = replace(KINDS["label"], text=lambda key: _shortened(key) or "(no label)")
_REMARK = replace(KINDS["text"], text=lambda line: printable(line[:_LONGEST_REMARK]))
_REMARKS = {"skipped": "could not be read", "odd": "odd, but kept", "left_out": "left out"}


def _tables(found: Description) -> Iterator[Table]:
    yield Table(
        name="annotator",
        columns=(
            Column(name="annotator", heading="annotator", kind=_NAME),
            *columns("n_documents n_units"),
        ),
        rows=[(name, *numbers) for name, numbers in found.annotators.items()],
        limited=True,
    )
    if found.layers:
        yield Table(
            name="layer",
            columns=(Column(name="layer", heading="layer", kind=_NAME), column("n_units")),
            rows=list(found.layers.items()),
            limited=True,
        )
    if found.labels:
        keys = label_keys(found.labels)
        yield Table(
            name="label",
            columns=(column("label", kind=_LABEL), column("n_units")),
            rows=[(keys[label], number) for label, number in found.labels.items()],
            limited=True,
        )
    for name, heading in _REMARKS.items():
        if lines := getattr(found, name):
            yield Table(
                name=name,
                columns=(Column(name="remark", heading=heading, kind=_REMARK),),
                rows=[(line,) for line in lines],
                noun="remark",
                limited=True,
            )
    yield Table(
        name="measures",
        title="Which measures fit",
        columns=(
            Column(name="measures", heading="measures", kind=KINDS["text"]),
            Column(name="fits", heading="fit", kind=replace(KINDS["flag"], align="left")),
            Column(name="why", heading="why", kind=KINDS["text"]),
            Column(name="command", heading="command", kind=KINDS["text"]),
        ),
        rows=[
            (fit.family.title, fit.fits, fit.why, f"unisono {fit.family.command}")
            for fit in found.measures
        ],
    )
    yield Table(
        name="document",
        columns=columns("document n_units"),
        rows=list(found.documents.items()),
        people=False,
    )


def _facts(found: Description) -> Iterator[Fact]:
    data, corpus = found.properties, found.corpus
    formats = (
        f"{name}: {FORMATS[name].title} ({count(number, 'file')})"
        for name, number in found.formats.items()
    )
    yield _told("formats", ", ".join(formats))
    shared = "" if len(corpus) == data.shared else f"{data.shared:,} with two annotators"
    yield Fact(column("n_documents"), len(corpus), shared)
    yield Fact(column("n_annotators"), len(corpus.annotators), _WHO[corpus.annotators_from])
    yield Fact(column("n_units"), corpus.n_units)
    yield _told("labels", f"{data.n_labels:,}" if data.n_labels else "none")
    if corpus.n_units:
        lows, highs = zip(*(each.extent for each in corpus.values()), strict=True)
        yield _told("positions", f"{position(min(lows))} to {position(max(highs))}")
    peculiar = [
        (data.overlapping, "overlap another of the same annotator"),
        (data.nested, "lie within another"),
        (data.points, "are points"),
        (data.in_pieces, "are in pieces (their whole is measured)"),
        (data.several_labels, "have a set of labels"),
        (data.without_label, "have no label"),
    ]
    several = "; ".join(f"{number:,} {what}" for number, what in peculiar if number)
    yield _told("of the units", several or "none overlap")
    full = "they cover documents from end to end"
    yield _told("gaps", "units leave gaps" if data.leaves_gaps else full)


def _told(heading: str, told: str) -> Fact:
    return Fact(Column(name=heading, heading=heading, kind=KINDS["text"]), told)


def describe(
    *paths: str | os.PathLike[str],
    format: str = "auto",  # noqa: A002 (the word users know)
    document: str | int | Literal[False] | None = None,
    annotator: str | int | None = None,
    start: str | int | None = None,
    end: str | int | None = None,
    label: str | int | Literal[False] | None = None,
    layer: str | Sequence[str] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    tags: Literal["auto", "iob1", "iob2", "iobes", "bilou"] = "auto",
    annotators: SeenBy | str | os.PathLike[str] = "auto",
    extent: tuple[float, float] | None = None,
    on_error: Literal["raise", "skip"] = "skip",
) -> Description:
    """Say what `read` would understand of files, and which measures fit.

    Parameters
    ----------
    *paths
        Files and folders.
    format, document, annotator, start, end, label, layer, header, delimiter, tags
        As in `read`; but several layers are not refused, and counted.
    annotators, extent
        As in `read`.
    on_error
        As in `read`; but bad rows are skipped and counted unless told otherwise.

    Returns
    -------
    Description
        What was understood.

    Raises
    ------
    ReadError
        A file cannot be read at all.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.describe("examples/corpus")
    >>> [fit.family.title for fit in found.measures if fit.fits][0]
    'γ, γcat, γk'
    """
    roles = {
        "document": document,
        "annotator": annotator,
        "start": start,
        "end": end,
        "label": label,
    }
    gathered = gathered_from(
        paths,
        roles,
        format_=format,
        layer=layer,
        header=header,
        delimiter=delimiter,
        tags=tags,
        on_error=on_error,
    )
    layers = dict(sorted(gathered.layers.items()))
    if layer is not None:
        chosen = {layer} if isinstance(layer, str) else set(layer)
        layers = {name: number for name, number in layers.items() if name in chosen}
    corpus = gathered.corpus(assigned(annotators), extent)
    data = properties_of(corpus)
    return Description(
        formats={FORMATS[name].name: number for name, number in gathered.formats.items()},
        corpus=corpus,
        documents={name: len(continuum) for name, continuum in corpus.items()},
        annotators=_annotators(corpus),
        layers={name: number for name, number in layers.items() if name},
        labels=_labels(corpus),
        properties=data,
        measures=tuple(fitting(data)),
        skipped=tuple(remark_lines(gathered.skips)),
        odd=corpus.notes,
        left_out=tuple(remark_lines(gathered.others)),
    )


def _annotators(corpus: Corpus) -> dict[str, tuple[int, int]]:
    seen = dict.fromkeys(corpus.annotators, 0)
    units = dict.fromkeys(corpus.annotators, 0)
    for continuum in corpus.values():
        for name, number in zip(continuum.annotators, continuum.counts.tolist(), strict=True):
            seen[name] += 1
            units[name] += number
    return {name: (seen[name], units[name]) for name in corpus.annotators}


def _labels(corpus: Corpus) -> dict[Label | None, int]:
    counts: dict[Label | None, int] = dict.fromkeys(corpus.labels, 0)
    for continuum in corpus.values():
        numbers = np.bincount(continuum.label_codes, minlength=len(continuum.labels)).tolist()
        for label, number in zip(continuum.labels, numbers, strict=True):
            counts[label] += number
    return dict(sorted(counts.items(), key=lambda each: -each[1]))
