"""Continua of several documents, by name: `Corpus`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, overload

import numpy as np

from unisono.errors import DataError, check_choice
from unisono.model.codes import (
    as_name,
    as_names,
    coded_names,
    renumbered,
)
from unisono.model.columns import (
    UnitColumns,
    check_renames,
    counted,
    declared_annotators,
    known_labels,
    known_names,
    listed,
    renamed_names,
)
from unisono.model.continuum import Continuum, assembled, continuum_of, unit_order
from unisono.model.dataframes import frame_columns
from unisono.model.interpretation import Interpretation, absolute_paths
from unisono.model.labels import as_label, label_bytes, label_order
from unisono.model.objects import object_units

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from narwhals.typing import IntoFrame

    from unisono.model.arrays import Integers
    from unisono.model.continuum import AnnotatorsFrom
    from unisono.model.labels import Label

__all__ = [
    "Corpus",
    "SeenBy",
    "annotators_who_saw",
    "check_continuum_or_corpus",
    "corpus_of",
    "documents_of",
    "read_from",
    "units_by_label",
]


def split(
    documents: tuple[str, ...],
    document_codes: Integers,
    units: UnitColumns,
    *,
    seen: Literal["units", "corpus"] | Mapping[str, tuple[str, ...]],
    extents: Mapping[str, tuple[float, float]],
    texts: Mapping[str, str] | None = None,
) -> dict[str, Continuum]:
    """Build the continuum of each document, with one sort of all units."""
    n_annotators = max(len(units.annotators), 1)
    owners = document_codes * n_annotators + units.annotator_codes
    order = unit_order(units, owners)
    details = None if units.details is None else units.details.select(order, len(order))
    starts, ends, codes = units.starts[order], units.ends[order], units.label_codes[order]
    # A run is the units of one annotator in one document.
    owners = owners[order]
    firsts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1])[: len(owners)])
    runs, bounds = owners[firsts], np.append(firsts, len(order))
    cuts = np.searchsorted(runs // n_annotators, np.arange(len(documents) + 1))
    continua = {}
    for number, document in enumerate(documents):
        low, high = int(cuts[number]), int(cuts[number + 1])
        rows = slice(int(bounds[low]), int(bounds[high]))
        with_units = [units.annotators[run % n_annotators] for run in runs[low:high].tolist()]
        try:
            annotators, source = annotators_of(document, with_units, units.annotators, seen)
            counts = dict(zip(with_units, np.diff(bounds[low : high + 1]).tolist(), strict=True))
            finished = assembled(
                annotators=annotators,
                counts=np.array([counts.get(name, 0) for name in annotators], dtype=np.int64),
                starts=starts[rows],
                ends=ends[rows],
                label_codes=codes[rows],
                labels=units.labels,
                extent=extents.get(document),
                annotators_from=source,
                details=None if details is None else details.between(rows.start, rows.stop),
                text=(texts or {}).get(document),
            )
        except DataError as error:
            msg = f"document {document!r}: {error}"
            raise DataError(msg) from None
        continua[document] = continuum_of(finished)
    return continua


def annotators_of(
    document: str,
    with_units: Sequence[str],
    all_annotators: tuple[str, ...],
    seen: Literal["units", "corpus"] | Mapping[str, tuple[str, ...]],
) -> tuple[tuple[str, ...], AnnotatorsFrom]:
    """Return the annotators who saw a document, and the source of this information."""
    if seen == "units":
        return tuple(with_units), "units"
    if seen == "corpus":
        return all_annotators, "corpus"
    if document not in seen:
        msg = (
            "it has units but no declared annotators; "
            f"add it to the documents with declared annotators, {listed(seen)}"
        )
        raise DataError(msg)
    return declared_annotators(seen[document], with_units), "declared"


class Summary(NamedTuple):
    """Fields of a corpus that are computed from its continua."""

    annotators: tuple[str, ...]
    labels: tuple[Label | None, ...]
    n_units: int
    annotators_from: AnnotatorsFrom | Literal["mixed"]
    digest: str


def summary_of(continua: Mapping[str, Continuum]) -> Summary:
    """Compute the fields of a corpus from its continua, sorted by name."""
    sources: set[AnnotatorsFrom] = set()
    annotators: set[str] = set()
    labels: set[Label | None] = set()
    content = hashlib.sha256(b"unisono corpus 1\n")
    for name, continuum in continua.items():
        sources.add(continuum.annotators_from)
        annotators.update(continuum.annotators)
        labels.update(continuum.labels)
        content.update(label_bytes(name) + continuum.digest.encode())
    sources = sources or {"units"}
    return Summary(
        tuple(sorted(annotators)),
        tuple(sorted(labels, key=label_order)),
        sum(len(continuum.starts) for continuum in continua.values()),
        sources.pop() if len(sources) == 1 else "mixed",
        content.hexdigest(),
    )


SeenBy: TypeAlias = "Literal['units', 'corpus'] | Mapping[str, Iterable[str]]"
"""Annotators of a document: those with units in it, all of the corpus, or by document."""


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Corpus(Mapping[str, Continuum]):
    """Annotated documents by name, sorted; an immutable mapping.

    Build it with `unisono.read`, `from_frame` or `from_continua`. ``corpus["talk"]`` is a
    `Continuum`; ``corpus[:5]`` and ``corpus[["talk", "song"]]`` are corpora of some documents, by
    position and by name. `only` also selects annotators and labels.

    Attributes
    ----------
    annotators
        All annotators who saw at least one document, sorted by name.
    labels
        All labels in use, sorted: no label (`None`), numbers, strings, sets.
    n_units
        The number of units in all documents.
    annotators_from
        The source of the annotators of a document: the ``"units"``, the whole ``"corpus"``,
        ``"declared"`` by the caller, or ``"mixed"`` if documents differ in it.
    digest
        SHA-256 of the content, in hexadecimal.
    interpretation
        How the files were read: formats, layers, skipped rows, warnings and omitted contents;
        `None` if the corpus was not read from files. Not part of the content, so not in the
        digest.

    Examples
    --------
    >>> import unisono as un
    >>> talk = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 1, 5, "NP")])
    >>> corpus = un.Corpus.from_continua({"talk": talk})
    >>> corpus
    Corpus(1 document, 2 annotators, 2 units, 1 label)
    >>> corpus["talk"] == talk
    True
    >>> corpus[:1] == corpus[["talk"]] == corpus
    True
    """

    _continua: Mapping[str, Continuum]
    annotators: tuple[str, ...]
    labels: tuple[Label | None, ...]
    n_units: int
    annotators_from: AnnotatorsFrom | Literal["mixed"]
    digest: str
    interpretation: Interpretation | None

    def __init__(self) -> None:
        msg = "build a Corpus with unisono.read, Corpus.from_frame or Corpus.from_continua"
        raise TypeError(msg)

    @classmethod
    def from_continua(
        cls, continua: Mapping[str, Continuum], *, interpretation: Interpretation | None = None
    ) -> Corpus:
        """Build a corpus from continua by name.

        Parameters
        ----------
        continua
            Document name to continuum.
        interpretation
            How the files of the continua were read.

        Returns
        -------
        Corpus
            The continua, sorted by name.

        Examples
        --------
        >>> import unisono as un
        >>> talk = un.Continuum.from_units([("ann", 0, 5, "NP")])
        >>> list(un.Corpus.from_continua({"second": talk, "first": talk}))
        ['first', 'second']
        """
        return _corpus(_named(continua), interpretation)

    @property
    def skipped(self) -> int:
        """The number of invalid rows that a reader skipped.

        Examples
        --------
        >>> import unisono as un
        >>> un.read("examples/interview.csv").skipped
        0
        """
        known = self.interpretation
        return 0 if known is None else sum(remark.count for remark in known.skipped)

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings of the reader about data that it kept, with counts.

        Examples
        --------
        >>> import unisono as un
        >>> un.read("examples/interview.csv").notes
        ()
        """
        known = self.interpretation
        return () if known is None else tuple(map(str, known.warnings))

    @property
    def sources(self) -> tuple[str, ...]:
        """The files and folders that were read; `unisono.write` does not overwrite them.

        Examples
        --------
        >>> import unisono as un
        >>> from pathlib import Path
        >>> [Path(path).name for path in un.read("examples/interview.csv").sources]
        ['interview.csv']
        """
        return () if self.interpretation is None else self.interpretation.sources

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame,
        *,
        document: str = "document",
        annotator: str = "annotator",
        start: str = "start",
        end: str = "end",
        label: str | None = "label",
        seen_by: SeenBy = "units",
        extents: Mapping[str, tuple[float, float]] | None = None,
    ) -> Corpus:
        """Build a corpus from a dataframe with one row per unit.

        Parameters
        ----------
        frame
            A dataframe of pandas, Polars, pyarrow or any other library that narwhals supports.
        document, annotator, start, end, label
            Names of the columns; ``label=None`` if units have no labels.
        seen_by
            Who saw a document: the annotators with units in it (``"units"``), all annotators of
            the corpus (``"corpus"``), or a mapping from document to annotators. A document in
            the mapping that has no units becomes a continuum without units.
        extents
            Mapping from document to its start and end; by default from its first start to its
            last end.

        Returns
        -------
        Corpus
            Independent of the order of the rows.

        Raises
        ------
        DataError
            A column is missing or contains invalid values, or a document or an annotator with
            units is not in the mapping.
        TypeError
            `frame` is not a dataframe, or a bound is not a number.

        Examples
        --------
        >>> import polars as pl
        >>> import unisono as un
        >>> frame = pl.DataFrame(
        ...     {
        ...         "document": ["a", "a", "b"],
        ...         "annotator": ["ann", "bob", "ann"],
        ...         "start": [0, 1, 0],
        ...         "end": [5, 5, 3],
        ...         "label": ["NP", "NP", "VP"],
        ...     }
        ... )
        >>> un.Corpus.from_frame(frame)["b"]
        Continuum(1 annotator, 1 unit, 1 label, 0–3)
        >>> un.Corpus.from_frame(frame, seen_by="corpus")["b"]
        Continuum(2 annotators, 1 unit, 1 label, 0–3)
        """
        roles = {"document": document, "annotator": annotator, "start": start, "end": end}
        columns = frame_columns(frame, {**roles, "label": label})
        document_column = columns.pop("document") or ()
        units = UnitColumns.checked(**columns)  # type: ignore[arg-type]
        coded = coded_names(document_column, "document")
        return corpus_of(coded.values, coded.codes, units, annotators=seen_by, extents=extents)

    @classmethod
    def from_objects(
        cls,
        annotations: object,
        *,
        annotator: Literal["key", "layer"] = "key",
        layer: str | None = None,
    ) -> Corpus:
        """Return a corpus of annotation objects of other libraries.

        Parameters
        ----------
        annotations
            Mapping from annotator to one object, an iterable of objects, or a mapping from document
            to object. An object is a spaCy ``Doc`` or a pyannote ``Annotation``. With
            ``annotator="layer"`` the objects only, because each of their span groups is an
            annotator.
        annotator
            Where the name of the annotator comes from: the ``"key"`` of the mapping, or the
            ``"layer"``.
        layer
            Span group (``doc.spans[layer]``) to read from a ``Doc``; by default its entities.

        Returns
        -------
        Corpus
            Each annotator saw the documents for which they have an object.

        Raises
        ------
        TypeError
            An object is neither a ``Doc`` nor an ``Annotation``.
        DataError
            A name is missing, or a unit has invalid bounds.

        Notes
        -----
        Positions in a ``Doc`` are character offsets. Convert a ``DocBin`` first, with its
        vocabulary: ``list(doc_bin.get_docs(nlp.vocab))``. For data frames, use `Corpus.from_frame`.

        Examples
        --------
        >>> import unisono as un
        >>> class Segment:
        ...     def __init__(self, start, end):
        ...         self.start, self.end = start, end
        >>> class Annotation:
        ...     uri = "talk"
        ...
        ...     def itertracks(self, yield_label):
        ...         yield Segment(0, 5), "A", "speech"
        >>> un.Corpus.from_objects({"ann": Annotation(), "bob": Annotation()})["talk"]
        Continuum(2 annotators, 2 units, 1 label, 0–5)
        """
        return corpus_of(**object_units(annotations, annotator=annotator, layer=layer)._asdict())

    def only(
        self,
        *,
        documents: Iterable[str] | None = None,
        annotators: Iterable[str] | None = None,
        labels: Iterable[Label | None] | None = None,
    ) -> Corpus:
        """Select documents, annotators or labels.

        Parameters
        ----------
        documents
            Documents to keep.
        annotators
            Annotators to keep. A document that none of them saw is kept, without annotators.
        labels
            Labels to keep; include `None` to keep units without a label.

        Returns
        -------
        Corpus
            The selected part.

        Raises
        ------
        DataError
            A document, an annotator or a label does not exist.

        Examples
        --------
        >>> import unisono as un
        >>> talk = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 1, 5, "VP")])
        >>> corpus = un.Corpus.from_continua({"first": talk, "second": talk})
        >>> corpus.only(documents=("first",), labels=("VP",))
        Corpus(1 document, 2 annotators, 1 unit, 1 label)
        """
        kept = set(self if documents is None else known_names(documents, self, "document"))
        names = (
            None if annotators is None else known_names(annotators, self.annotators, "annotator")
        )
        kept_labels = None if labels is None else known_labels(labels, self.labels)
        continua = {
            name: continuum.only(
                annotators=None if names is None else names.intersection(continuum.annotators),
                labels=None if kept_labels is None else kept_labels.intersection(continuum.labels),
            )
            for name, continuum in self.items()
            if name in kept
        }
        return _corpus(continua, self.interpretation)

    def rename(
        self,
        *,
        documents: Mapping[str, str] | None = None,
        annotators: Mapping[str, str] | None = None,
        labels: Mapping[Label | None, Label | None] | None = None,
    ) -> Corpus:
        """Rename documents, annotators or labels; names not mentioned are kept.

        Parameters
        ----------
        documents, annotators
            Old name to new name; documents and annotators cannot be merged.
        labels
            Old label to new label; labels can be merged, and `None` removes a label.

        Returns
        -------
        Corpus
            The renamed corpus.

        Raises
        ------
        DataError
            A name or a label does not exist, or two documents or annotators would share a name.

        Examples
        --------
        >>> import unisono as un
        >>> talk = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 1, 5, "VP")])
        >>> corpus = un.Corpus.from_continua({"first": talk})
        >>> corpus.rename(documents={"first": "talk"}, annotators={"ann": "eve"})["talk"].annotators
        ('bob', 'eve')
        """
        documents = {} if documents is None else documents
        annotators = {} if annotators is None else annotators
        labels = {} if labels is None else labels
        titles = renamed_names(tuple(self), documents, "document")
        renamed_names(self.annotators, annotators, "annotator")
        check_renames(labels, "label")
        known_labels(labels, self.labels)
        new_name = {as_name(old, "annotator"): new for old, new in annotators.items()}
        new_label = {as_label(old): new for old, new in labels.items()}
        continua = {
            title: continuum.rename(
                annotators={old: new_name[old] for old in new_name.keys() & continuum.annotators},
                labels={old: new_label[old] for old in new_label.keys() & continuum.labels},
            )
            for title, continuum in zip(titles, self.values(), strict=True)
        }
        return _corpus(continua, self.interpretation)

    def with_interpretation(self, interpretation: Interpretation | None) -> Corpus:
        """Return this corpus with another record of how it was read.

        Parameters
        ----------
        interpretation
            The record.

        Returns
        -------
        Corpus
            The same documents.

        Examples
        --------
        >>> import unisono as un
        >>> corpus = un.read("examples/interview.csv")
        >>> corpus.with_interpretation(None) == corpus
        True
        """
        return _corpus(self._continua, interpretation)

    def with_continua(self, continua: Mapping[str, Continuum]) -> Corpus:
        """Return a corpus of other continua with the interpretation of this one.

        Parameters
        ----------
        continua
            Document name to continuum.

        Returns
        -------
        Corpus
            The continua, with the `interpretation` of this corpus.

        Examples
        --------
        >>> import unisono as un
        >>> corpus = un.read("examples/interview.csv")
        >>> first = {"first": corpus["interview"].only(annotators=["ines"])}
        >>> dict(corpus.with_continua(first).interpretation.formats)
        {'csv': 1}
        """
        return _corpus(_named(continua), self.interpretation)

    @overload
    def __getitem__(self, document: str) -> Continuum: ...
    @overload
    def __getitem__(self, document: slice | list[str]) -> Corpus: ...
    def __getitem__(self, document: str | slice | list[str]) -> Continuum | Corpus:
        if isinstance(document, slice):
            bounds = (document.start, document.stop)
            if any(isinstance(bound, str) for bound in bounds):
                msg = (
                    "documents are sliced by position, such as corpus[:5]; choose them by name "
                    "with corpus[['a', 'b']] or only(documents=…)"
                )
                raise TypeError(msg)
            return self.only(documents=list(self)[document])
        if isinstance(document, list):
            return self.only(documents=document)
        return self._continua[document]

    def __iter__(self) -> Iterator[str]:
        return iter(self._continua)

    def __len__(self) -> int:
        return len(self._continua)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        parts = (
            counted(len(self), "document"),
            counted(len(self.annotators), "annotator"),
            counted(self.n_units, "unit"),
            counted(sum(label is not None for label in self.labels), "label"),
        )
        return f"Corpus({', '.join(parts)})"

    def __reduce__(self) -> tuple[Callable[..., Corpus], tuple[object, ...]]:
        return _corpus, (dict(self), self.interpretation)


def corpus_of(
    documents: Sequence[str],
    document_codes: Integers,
    units: UnitColumns,
    *,
    annotators: SeenBy = "units",
    extents: Mapping[str, tuple[float, float]] | None = None,
    texts: Mapping[str, str] | None = None,
    interpretation: Interpretation | None = None,
) -> Corpus:
    """Build a corpus from validated columns; `documents` may include some without units."""
    seen = annotators_who_saw(annotators)
    listed_documents = seen if isinstance(seen, dict) else ()
    coded = renumbered(document_codes, [*documents, *listed_documents], str)
    names = tuple(coded.values)
    by_name = {as_name(name, "a document"): extent for name, extent in (extents or {}).items()}
    if by_name:
        known_names(by_name, names, "document")
    continua = split(names, coded.codes, units, seen=seen, extents=by_name, texts=texts)
    return _corpus(continua, interpretation)


def annotators_who_saw(
    annotators: object,
) -> Literal["units", "corpus"] | dict[str, tuple[str, ...]]:
    """Return the validated value of `seen_by=`."""
    if isinstance(annotators, Mapping):
        return {
            as_name(name, "a document"): as_names(names, "annotator")
            for name, names in annotators.items()
        }
    alternative = "pass a mapping from document to annotators"
    check_choice("seen_by", annotators, ("units", "corpus"), alternative)
    return "units" if annotators == "units" else "corpus"


def _named(continua: Mapping[str, Continuum]) -> dict[str, Continuum]:
    if not isinstance(continua, Mapping):
        msg = f"a corpus needs a mapping from name to continuum; got {type(continua).__name__}"
        raise TypeError(msg)
    for name, value in continua.items():
        if not isinstance(value, Continuum):
            msg = f"a corpus must contain continua; {name!r} is of type {type(value).__name__}"
            raise TypeError(msg)
    return {as_name(name, "a document"): continuum for name, continuum in continua.items()}


def check_continuum_or_corpus(caller: str, data: object, hint: str = "") -> None:
    """Raise a TypeError if data are neither a continuum nor a corpus."""
    if not isinstance(data, Continuum | Corpus):
        msg = f"{caller} takes a Continuum or a Corpus, got {type(data).__name__}{hint}"
        raise TypeError(msg)


def documents_of(data: Continuum | Corpus) -> Mapping[str, Continuum]:
    """Return the documents by name; a single continuum has the empty name."""
    return {"": data} if isinstance(data, Continuum) else data


def units_by_label(data: Continuum | Corpus) -> dict[Label | None, int]:
    """Return the number of units of each label, in the order of labels."""
    numbers = dict.fromkeys(data.labels, 0)
    for continuum in documents_of(data).values():
        counts = np.bincount(continuum.label_codes, minlength=len(continuum.labels)).tolist()
        for label, number in zip(continuum.labels, counts, strict=True):
            numbers[label] += number
    return numbers


def read_from(corpus: Corpus, paths: Iterable[str | os.PathLike[str]]) -> Corpus:
    """Set the sources of a newly built corpus: the files and folders it was read from."""
    known = corpus.interpretation or Interpretation()
    object.__setattr__(corpus, "interpretation", replace(known, sources=absolute_paths(paths)))
    return corpus


def _corpus(continua: Mapping[str, Continuum], interpretation: Interpretation | None) -> Corpus:
    corpus = object.__new__(Corpus)
    sorted_continua = {name: continua[name] for name in sorted(continua)}
    fields = {"_continua": sorted_continua, "interpretation": interpretation}
    for name, value in (fields | summary_of(sorted_continua)._asdict()).items():
        object.__setattr__(corpus, name, value)
    return corpus
