"""Several annotated documents, by name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from unisono.errors import SettingError
from unisono.model.columns import UnitColumns, as_list, as_name, as_names, coded_names, merged
from unisono.model.continuum import Continuum
from unisono.model.dataframes import frame_columns
from unisono.model.labels import as_label
from unisono.model.naming import check_renames, counted, known_labels, known_names, renamed_names
from unisono.model.splitting import split
from unisono.model.summarizing import summary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from narwhals.typing import IntoFrame

    from unisono.model.arrays import Integers
    from unisono.model.assembling import AnnotatorsFrom
    from unisono.model.labels import Label

__all__ = ["Corpus", "SeenBy", "corpus_of", "read_from", "seen_by"]

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
