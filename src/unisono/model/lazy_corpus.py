"""A corpus whose documents are made when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unisono.errors import DataError
from unisono.model.assembling import ordered
from unisono.model.columns import UnitColumns
from unisono.model.continuum import Continuum, continuum_of
from unisono.model.corpus import Corpus
from unisono.model.splitting import annotators_of
from unisono.model.summarizing import summary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.details import Details
    from unisono.model.labels import Label

__all__ = ["LazyCorpus", "RawColumns", "lazy_corpus"]


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
    """Make a corpus of columns without making its documents.

    Parameters
    ----------
    columns
        The units of all documents.
    seen
        Who saw which document.
    extents
        Extents of some documents.
    skipped, notes
        What a reader tells.
    changed
        What becomes of a document before anybody sees it.

    Raises
    ------
    DataError
        A document cannot be made: its name and the reason.
    """
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
