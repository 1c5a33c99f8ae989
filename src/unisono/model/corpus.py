"""Several documents: their continua by name, in memory or read again each time they are needed."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.model.columns import (
    UnitColumns,
    as_list,
    as_name,
    as_names,
    check_renames,
    coded_names,
    counted,
    declared_annotators,
    known_labels,
    known_names,
    listed,
    merged,
    renamed_names,
)
from unisono.model.continuum import Continuum, assembled, continuum_of, ordered, unit_order
from unisono.model.dataframes import frame_columns
from unisono.model.labels import as_label, label_bytes, label_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from narwhals.typing import IntoFrame
    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.columns import Details
    from unisono.model.continuum import AnnotatorsFrom
    from unisono.model.labels import Label

__all__ = [
    "Corpus",
    "LazyCorpus",
    "RawColumns",
    "SeenBy",
    "corpus_of",
    "lazy_corpus",
    "read_from",
    "seen_by",
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
    """Sort all units once, then cut where a document ends."""
    n_annotators = max(len(units.annotators), 1)
    owners = document_codes * n_annotators + units.annotator_codes
    order = unit_order(units, owners)
    details = None if units.details is None else units.details.taken(order, len(order))
    starts, ends, codes = units.starts[order], units.ends[order], units.label_codes[order]
    # A run is what one annotator has in one document.
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
            annotators, known_from = annotators_of(document, with_units, units.annotators, seen)
            counts = dict(zip(with_units, np.diff(bounds[low : high + 1]).tolist(), strict=True))
            finished = assembled(
                annotators=annotators,
                counts=np.array([counts.get(name, 0) for name in annotators], dtype=np.int64),
                starts=starts[rows],
                ends=ends[rows],
                label_codes=codes[rows],
                labels=units.labels,
                extent=extents.get(document),
                annotators_from=known_from,
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
    everyone: tuple[str, ...],
    seen: Literal["units", "corpus"] | Mapping[str, tuple[str, ...]],
) -> tuple[tuple[str, ...], AnnotatorsFrom]:
    """Say who saw a document, and how that is known."""
    if seen == "units":
        return tuple(with_units), "units"
    if seen == "corpus":
        return everyone, "corpus"
    if document not in seen:
        msg = (
            "it has units, but the table of who saw what does not have it; "
            f"the table has {listed(seen)}"
        )
        raise DataError(msg)
    return declared_annotators(seen[document], with_units), "declared"


class Summary(NamedTuple):
    """Fields of a corpus."""

    annotators: tuple[str, ...]
    labels: tuple[Label | None, ...]
    n_units: int
    annotators_from: AnnotatorsFrom | Literal["mixed"]
    digest: str
    label_counts: tuple[int, ...]
    """How many units have each of the labels."""


def summary_of(continua: Mapping[str, Continuum]) -> Summary:
    """Look at continua, which stand in the order of their names, one after the other."""
    known_from: set[AnnotatorsFrom] = set()
    annotators: set[str] = set()
    counts: Counter[Label | None] = Counter()
    content = hashlib.sha256(b"unisono corpus 1\n")
    for name, continuum in continua.items():
        known_from.add(continuum.annotators_from)
        annotators.update(continuum.annotators)
        units = np.bincount(continuum.label_codes, minlength=len(continuum.labels)).tolist()
        counts.update(dict(zip(continuum.labels, units, strict=True)))
        content.update(label_bytes(name) + continuum.digest.encode())
    known_from = known_from or {"units"}
    labels = tuple(sorted(counts, key=label_order))
    return Summary(
        tuple(sorted(annotators)),
        labels,
        counts.total(),
        known_from.pop() if len(known_from) == 1 else "mixed",
        content.hexdigest(),
        tuple(counts[label] for label in labels),
    )


SeenBy: TypeAlias = "Literal['units', 'corpus'] | Mapping[str, Iterable[str]]"
"""Who saw a document: who has units in it, everyone in the corpus, or a table."""
_C = TypeVar("_C", bound="Corpus")


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Corpus(Mapping[str, Continuum]):
    """Annotated documents by name, sorted; a mapping that never changes.

    Build it with `unisono.read`, `from_frame` or `from_continua`.

    Attributes
    ----------
    annotators
        Everyone who saw any of the documents, sorted by name.
    labels
        All labels in use: no label (`None`), numbers, strings, sets.
    n_units
        The number of units in all documents.
    annotators_from
        How it was known who saw a document: from the ``"units"``, from the whole
        ``"corpus"``, ``"declared"``, or ``"mixed"`` when documents differ in this.
    skipped
        Rows a reader was told to skip because they made no sense.
    digest
        SHA-256 of the content, in hexadecimal.
    notes
        What a reader found odd but kept, with counts.
    sources
        The files and folders it was read from, which `unisono.write` does not write over.

    Examples
    --------
    >>> import unisono as un
    >>> talk = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 1, 5, "NP")])
    >>> corpus = un.Corpus.from_continua({"talk": talk})
    >>> corpus
    Corpus(1 document, 2 annotators, 2 units, 1 label)
    >>> corpus["talk"] == talk
    True
    """

    _continua: Mapping[str, Continuum]
    annotators: tuple[str, ...]
    labels: tuple[Label | None, ...]
    n_units: int
    annotators_from: AnnotatorsFrom | Literal["mixed"]
    skipped: int
    digest: str
    notes: tuple[str, ...]
    sources: tuple[str, ...]

    def __init__(self) -> None:
        msg = "build a Corpus with unisono.read, Corpus.from_frame or Corpus.from_continua"
        raise TypeError(msg)

    @classmethod
    def from_continua(cls, continua: Mapping[str, Continuum], *, skipped: int = 0) -> Corpus:
        """Put continua together under their names.

        Parameters
        ----------
        continua
            Name to continuum.
        skipped
            How many rows a reader skipped on the way here.

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
        return _corpus(_named(continua), skipped)

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
        annotators: SeenBy = "units",
        extents: Mapping[str, tuple[float, float]] | None = None,
    ) -> Corpus:
        """Build a corpus from a dataframe with one row a unit.

        Parameters
        ----------
        frame
            A frame of pandas, Polars, pyarrow or any other library that narwhals knows.
        document, annotator, start, end, label
            Names of the columns; ``label=None`` when units have no labels.
        annotators
            Who saw a document: those with units in it (``"units"``), everyone in the corpus
            (``"corpus"``), or a table, document to annotators. A document in the table
            that has no units becomes a continuum without units.
        extents
            Document to where it begins and ends; by default from its first start to its
            last end.

        Returns
        -------
        Corpus
            The same for every order of the rows.

        Raises
        ------
        DataError
            A column is missing or holds what no unit can have; a document or an annotator
            with units is not in the table.
        TypeError
            This is no dataframe, or a bound is no number.

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
        >>> un.Corpus.from_frame(frame, annotators="corpus")["b"]
        Continuum(2 annotators, 1 unit, 1 label, 0–3)
        """
        roles = {"document": document, "annotator": annotator, "start": start, "end": end}
        columns = frame_columns(frame, {**roles, "label": label})
        in_documents = columns.pop("document") or ()
        units = UnitColumns.checked(**columns)  # type: ignore[arg-type]
        names, codes = coded_names(as_list(in_documents, "document"), "a document")
        return corpus_of(names, codes, units, annotators=annotators, extents=extents)

    def only(
        self,
        *,
        documents: Iterable[str] | None = None,
        annotators: Iterable[str] | None = None,
        labels: Iterable[Label | None] | None = None,
    ) -> Corpus:
        """Keep some documents, annotators or labels.

        Parameters
        ----------
        documents
            Documents to keep.
        annotators
            Whom to keep. A document that none of them saw stays, without annotators.
        labels
            Labels to keep; `None` among them keeps units without label.

        Returns
        -------
        Corpus
            The smaller corpus.

        Raises
        ------
        DataError
            There is no such document, annotator or label.

        Examples
        --------
        >>> import unisono as un
        >>> talk = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 1, 5, "VP")])
        >>> corpus = un.Corpus.from_continua({"first": talk, "second": talk})
        >>> corpus.only(documents=("first",), labels=("VP",))
        Corpus(1 document, 2 annotators, 1 unit, 1 label)
        """
        kept = set(self if documents is None else known_names(documents, self, "document"))
        everyone = self.annotators
        people = None if annotators is None else known_names(annotators, everyone, "annotator")
        wanted = None if labels is None else known_labels(labels, self.labels)
        continua = {
            name: continuum.only(
                annotators=None if people is None else people.intersection(continuum.annotators),
                labels=None if wanted is None else wanted.intersection(continuum.labels),
            )
            for name, continuum in self.items()
            if name in kept
        }
        return _corpus(continua, self.skipped, self.notes, self.sources)

    def rename(
        self,
        *,
        documents: Mapping[str, str] | None = None,
        annotators: Mapping[str, str] | None = None,
        labels: Mapping[Label | None, Label | None] | None = None,
    ) -> Corpus:
        """Call documents, annotators or labels otherwise; others keep their names.

        Parameters
        ----------
        documents, annotators
            Old name to new name; no two can become one.
        labels
            Old label to new label; several may become one, and `None` takes a label away.

        Returns
        -------
        Corpus
            The renamed corpus.

        Raises
        ------
        DataError
            There is no such name or label, or two would share a name.

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
        return _corpus(continua, self.skipped, self.notes, self.sources)

    def with_continua(self, continua: Mapping[str, Continuum]) -> Corpus:
        """Give a corpus of other continua that was read as this one was.

        Parameters
        ----------
        continua
            Name to continuum.

        Returns
        -------
        Corpus
            With the `skipped`, `notes` and `sources` of this one.

        Examples
        --------
        >>> import unisono as un
        >>> talk = un.Continuum.from_units([("ann", 0, 5, "NP")])
        >>> un.Corpus.from_continua({"talk": talk}, skipped=2).with_continua({}).skipped
        2
        """
        return _corpus(_named(continua), self.skipped, self.notes, self.sources)

    def __getitem__(self, document: str) -> Continuum:
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
        told = (
            counted(len(self), "document"),
            counted(len(self.annotators), "annotator"),
            counted(self.n_units, "unit"),
            counted(sum(label is not None for label in self.labels), "label"),
        )
        return f"Corpus({', '.join(told)})"

    def __reduce__(self) -> tuple[Callable[..., Corpus], tuple[object, ...]]:
        return _corpus, (dict(self), self.skipped, self.notes, self.sources)


def corpus_of(
    documents: Sequence[str],
    document_codes: Integers,
    units: UnitColumns,
    *,
    annotators: SeenBy = "units",
    extents: Mapping[str, tuple[float, float]] | None = None,
    skipped: int = 0,
    notes: tuple[str, ...] = (),
    texts: Mapping[str, str] | None = None,
) -> Corpus:
    """Make the corpus of checked columns; `documents` may hold some that have no units."""
    seen = seen_by(annotators)
    listed_documents = seen if isinstance(seen, dict) else ()
    names, codes = merged(document_codes, [*documents, *listed_documents], str)
    whole = {as_name(name, "a document"): extent for name, extent in (extents or {}).items()}
    known_names(whole, names, "document")
    continua = split(names, codes, units, seen=seen, extents=whole, texts=texts)
    return _corpus(continua, skipped, notes)


def seen_by(annotators: object) -> Literal["units", "corpus"] | dict[str, tuple[str, ...]]:
    """Check who is said to have seen which document."""
    if isinstance(annotators, Mapping):
        return {
            as_name(name, "a document"): as_names(names, "annotator")
            for name, names in annotators.items()
        }
    if annotators == "units":
        return "units"
    if annotators == "corpus":
        return "corpus"
    msg = (
        f"unknown annotators={annotators!r}; choose 'units', 'corpus', "
        "or give a table, document to annotators"
    )
    raise SettingError(msg)


def _named(continua: Mapping[str, Continuum]) -> dict[str, Continuum]:
    if not isinstance(continua, Mapping):
        msg = f"a corpus is made of a mapping, name to continuum; got {type(continua).__name__}"
        raise TypeError(msg)
    for name, value in continua.items():
        if not isinstance(value, Continuum):
            msg = f"a corpus holds continua; {name!r} is of type {type(value).__name__}"
            raise TypeError(msg)
    return {as_name(name, "a document"): continuum for name, continuum in continua.items()}


def read_from(corpus: _C, paths: Iterable[str | os.PathLike[str]]) -> _C:
    """Let a corpus that was just made know the files and folders it was read from."""
    sources = tuple(os.path.abspath(path) for path in paths)  # noqa: PTH100 (keeps links)
    object.__setattr__(corpus, "sources", sources)
    return corpus


def _corpus(
    continua: Mapping[str, Continuum],
    skipped: int,
    notes: tuple[str, ...] = (),
    sources: tuple[str, ...] = (),
) -> Corpus:
    corpus = object.__new__(Corpus)
    sorted_continua = {name: continua[name] for name in sorted(continua)}
    fields = {
        "_continua": sorted_continua,
        "skipped": skipped,
        "notes": notes,
        "sources": sources,
    }
    for name, value in (fields | summary_of(sorted_continua)._asdict()).items():
        if name != "label_counts":
            object.__setattr__(corpus, name, value)
    return corpus


class RawColumns(NamedTuple):
    """The units of all documents as they were read, in memory or in files.

    What is text is numbered by first appearance; numbers are looked up in `names`, `people` and
    `labels`, which stand in order.
    """

    documents: Codes
    annotators: Codes
    starts: Floats
    ends: Floats
    label_codes: Codes
    names: tuple[str, ...]
    number_of_document: Integers
    people: tuple[str, ...]
    number_of_annotator: Integers
    labels: tuple[Label | None, ...]
    number_of_label: Integers
    details: Details | None = None


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class LazyCorpus(Corpus):
    """Annotated documents by name, each made when it is asked for, and then let go.

    Get it from `unisono.scan_corpus`. It is a `Corpus` in every respect and equal to the one that
    `unisono.read` gives of the same files, but a corpus of many documents takes a tenth of the
    memory. Its documents have no texts and, where no unit is in pieces, no attributes; no measure
    looks at them.

    Attributes
    ----------
    label_counts
        How many units have each of the `labels`.

    Examples
    --------
    >>> import unisono as un
    >>> corpus = un.scan_corpus("examples/corpus")
    >>> corpus
    LazyCorpus(4 documents, 3 annotators, 60 units, 3 labels)
    >>> corpus == un.read("examples/corpus")
    True
    """

    label_counts: tuple[int, ...]

    def __contains__(self, document: object) -> bool:
        # Without making it.
        return document in self._continua

    def __repr__(self) -> str:
        return f"Lazy{Corpus.__repr__(self)}"


def lazy_corpus(
    columns: RawColumns,
    *,
    seen: Literal["units", "corpus"] | Mapping[str, tuple[str, ...]],
    extents: Mapping[str, tuple[float, float]],
    skipped: int = 0,
    notes: tuple[str, ...] = (),
    changed: Callable[[Continuum], Continuum] | None = None,
) -> LazyCorpus:
    """Make a corpus of columns without making its documents."""
    corpus = object.__new__(LazyCorpus)
    continua = _DocumentsOnDemand(columns, seen, extents, changed)
    fields = {"_continua": continua, "skipped": skipped, "notes": notes, "sources": ()}
    for name, value in (fields | summary_of(continua)._asdict()).items():
        object.__setattr__(corpus, name, value)
    return corpus


class _DocumentsOnDemand(Mapping[str, Continuum]):
    """Documents by name, in order; each is made of its rows whenever it is asked for."""

    def __init__(
        self,
        columns: RawColumns,
        seen: Literal["units", "corpus"] | Mapping[str, tuple[str, ...]],
        extents: Mapping[str, tuple[float, float]],
        changed: Callable[[Continuum], Continuum] | None,
    ) -> None:
        self._columns, self._seen, self._extents = columns, seen, extents
        self._changed = changed
        self._number = {name: number for number, name in enumerate(columns.names)}
        numbers = columns.number_of_document.astype(np.int32)[columns.documents]
        counts = np.bincount(numbers, minlength=len(columns.names))
        # Files mostly have one document after the other: then rows need no list of their own.
        steps = np.flatnonzero(numbers[1:] != numbers[:-1]) + 1
        self._order: Integers | None = None
        if len(steps) < max(int(np.count_nonzero(counts)), 1):
            firsts = np.zeros(len(counts), dtype=np.int64)
            if len(numbers):
                begins = np.concatenate((np.zeros(1, dtype=np.int64), steps))
                firsts[numbers[begins]] = begins
            self._firsts = firsts
        else:
            self._order = np.argsort(numbers, kind="stable")
            self._firsts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts)[:-1]))
        self._counts = counts

    def __getitem__(self, document: str) -> Continuum:
        number = self._number[document]
        first = int(self._firsts[number])
        last = first + int(self._counts[number])
        rows = slice(first, last) if self._order is None else self._order[first:last]
        try:
            continuum = self._continuum(document, rows)
        except DataError as error:
            msg = f"document {document!r}: {error}"
            raise DataError(msg) from None
        return continuum if self._changed is None else self._changed(continuum)

    def _continuum(self, document: str, rows: slice | NDArray[Any]) -> Continuum:
        own = self._columns
        people = own.number_of_annotator[own.annotators[rows]]
        used, owners = np.unique(people, return_inverse=True)
        with_units = tuple(own.people[person] for person in used.tolist())
        annotators, known_from = annotators_of(document, with_units, own.people, self._seen)
        columns = UnitColumns(
            with_units,
            owners,
            np.array(own.starts[rows]),
            np.array(own.ends[rows]),
            own.labels,
            own.number_of_label[own.label_codes[rows]].astype(np.int32),
            self._details(rows),
        )
        extent = self._extents.get(document)
        return continuum_of(ordered(columns, annotators, extent, known_from))

    def _details(self, rows: slice | NDArray[Any]) -> Details | None:
        details = self._columns.details
        if details is None:
            return None
        if isinstance(rows, slice):
            return details.between(rows.start, rows.stop)
        return details.taken(rows, len(self._columns.starts))

    def __iter__(self) -> Iterator[str]:
        return iter(self._number)

    def __len__(self) -> int:
        return len(self._number)

    def __contains__(self, document: object) -> bool:
        return document in self._number
