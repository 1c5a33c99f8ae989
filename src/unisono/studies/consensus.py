"""Consensus annotation of several annotators, from the alignment of each document."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, overload

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.data import check_kind_of_data, of_units_or_ratings
from unisono.measures.gamma.alignment import (
    USUAL_SEARCH,
    Alignment,
    Search,
    aligned,
    alignment_of,
    columns_of,
    describe_annotators,
)
from unisono.measures.gamma.dissimilarity import (
    CombinedDissimilarity,
    check_dissimilarity,
    label_counts,
)
from unisono.measures.gamma.result import GammaAgreement
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, documents_of
from unisono.model.labels import label_order, label_text
from unisono.model.ratings import Ratings
from unisono.parallel.dispatch import Report
from unisono.registry import check_settings
from unisono.results.data import OfData
from unisono.results.measure_rows import unused_facts
from unisono.results.record import part, plain_label, record
from unisono.results.sheet import KINDS, Fact, Kind, Sheet, Table, column, columns, figure
from unisono.results.values import Signature
from unisono.results.wording import count, position, printable, some
from unisono.studies.rating_consensus import rating_consensus
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from narwhals.typing import IntoFrame
    from numpy.typing import NDArray

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Unit
    from unisono.model.labels import Label
    from unisono.results.sheet import Column
    from unisono.studies.rating_consensus import RatingConsensus

__all__ = [
    "CONSENSUS",
    "UNDECIDED_COLUMNS",
    "UNIT_COLUMNS",
    "Consensus",
    "ConsensusUnit",
    "UndecidedGroup",
    "consensus",
    "document_alignments",
    "plain_unit",
]

UNIT_COLUMNS = (
    *("document", "annotator", "start", "end", "label", "group", "n_annotators"),
    *("support", "label_support", "start_spread", "end_spread"),
)
"""Column names of `Consensus.rows`."""
UNDECIDED_COLUMNS = (*UNIT_COLUMNS[:6], "why", "reason")
"""Column names of `Consensus.undecided_rows`."""
_LEAST_ANNOTATORS = 2


class Decisions(NamedTuple):
    """Arrays with one entry per group of an alignment."""

    annotators: NDArray[np.int64]
    """Number of annotators with a unit in the group."""
    is_supported: NDArray[np.bool_]
    starts: Floats
    ends: Floats
    start_spreads: Floats
    end_spreads: Floats
    label_codes: NDArray[np.int64]
    """The most frequent label; the first one in case of a tie."""
    votes: NDArray[np.int64]
    """Number of units with this label."""
    is_tied: NDArray[np.bool_]
    """Whether another label is equally frequent."""

    @property
    def is_decided(self) -> NDArray[np.bool_]:
        """Whether the group has enough support and a single most frequent label."""
        return self.is_supported & ~self.is_tied


def decide(alignment: Alignment, *, support: float, atom: float | None) -> Decisions:
    """Compute the median bounds and the majority label of every group."""
    continuum, indices = alignment.continuum, alignment.indices
    present = indices >= 0
    annotators = present.sum(axis=1)
    # 0.6 of 5 annotators is 3, despite rounding errors.
    needed = max(_LEAST_ANNOTATORS, math.ceil(support * len(continuum.annotators) - 1e-9))
    starts, start_spreads = _medians(continuum.starts, indices, present)
    ends, end_spreads = _medians(continuum.ends, indices, present)
    if atom is not None:
        # Ties are rounded outwards, so that nothing is lost that half of the annotators marked.
        starts, ends = _rounded(starts, atom), -_rounded(-ends, atom)
    codes, votes, tied = _majorities(alignment, present)
    return Decisions(
        annotators=annotators,
        is_supported=annotators >= needed,
        starts=starts,
        ends=np.maximum(starts, ends),
        start_spreads=start_spreads,
        end_spreads=end_spreads,
        label_codes=codes,
        votes=votes,
        is_tied=tied,
    )


def _medians(
    bounds: Floats, indices: NDArray[np.int64], present: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Return the median and the range of the bounds of each group."""
    if not len(indices):
        return np.empty(0), np.empty(0)
    # Missing units sort to the end of each row.
    sorted_bounds = np.sort(np.where(present, bounds[indices], np.inf), axis=1)
    count = present.sum(axis=1)
    line = np.arange(len(indices))
    low, high = sorted_bounds[line, (count - 1) // 2], sorted_bounds[line, count // 2]
    spreads = sorted_bounds[line, count - 1] - sorted_bounds[line, 0]
    # (low + high) / 2 could overflow.
    return low + (high - low) / 2.0, spreads


def _rounded(places: Floats, atom: float) -> Floats:
    """Round to whole atoms, with ties rounded down."""
    return np.ceil(places / atom - 0.5) * atom + 0.0


def _majorities(
    alignment: Alignment, present: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return each group's most frequent label, its frequency, and whether there is a tie."""
    n_groups, n_labels = len(alignment), max(1, len(alignment.continuum.labels))
    if not n_groups:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool)
    group = np.nonzero(present)[0]
    code = alignment.continuum.label_codes[alignment.indices[present]].astype(np.int64)
    pairs, votes = np.unique(group * n_labels + code, return_counts=True)
    group, code = np.divmod(pairs, n_labels)
    # Sorted by votes, then by label: the first row of each group has its most frequent label.
    order = np.lexsort((code, -votes, group))
    group, code, votes = group[order], code[order], votes[order]
    first = np.flatnonzero(np.diff(group, prepend=-1))
    following = np.minimum(first + 1, len(group) - 1)
    is_tied = (following > first) & (group[following] == group[first])
    is_tied &= votes[following] == votes[first]
    return code[first], votes[first], is_tied


CONSENSUS = "consensus"
"""The name of the annotator of consensus units."""


class ConsensusUnit(NamedTuple):
    """One unit with enough support among the annotators.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 1, 2, "A"), ("cy", 1, 3, "B")])
    >>> unit = un.consensus(text).units[0]
    >>> unit.start, unit.end, unit.label, unit.n_annotators
    (1.0, 2.0, 'A', 3)
    """

    document: str
    """The name of the document; empty for a single continuum."""
    group: int
    """The number of its group in the alignment, counted from 1."""
    start: float
    """The median of the starts."""
    end: float
    """The median of the ends."""
    label: Label | None
    """The most frequent label in the group."""
    n_annotators: int
    """Number of annotators with a unit in the group."""
    support: float
    """The same as a share of the annotators of the document."""
    label_support: float
    """The share of the units of the group that have the label."""
    start_spread: float
    """The distance between the first and the last start."""
    end_spread: float
    """The distance between the first and the last end."""


class UndecidedGroup(NamedTuple):
    """A group of aligned units without a consensus, left for adjudication.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> group = un.consensus(text).undecided[0]
    >>> group.why, group.reason
    ('labels', 'the labels A, B have 1 vote each')
    """

    document: str
    """The name of the document; empty for a single continuum."""
    group: int
    """The number of the group in the alignment, counted from 1."""
    start: float
    """The median of the starts."""
    end: float
    """The median of the ends."""
    why: Literal["support", "labels"]
    """Too little support, or a tie of labels."""
    reason: str
    """A description of why the group is undecided."""
    n_annotators: int
    """Number of annotators with a unit in the group."""
    units: tuple[Unit, ...]
    """The units of these annotators."""

    @property
    def tied(self) -> tuple[Label | None, ...]:
        """The labels with the most votes; more than one in case of a tie.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> un.consensus(text).undecided[0].tied
        ('A', 'B')
        """
        return most_voted(self.units)


def most_voted(units: Iterable[Unit]) -> tuple[Label | None, ...]:
    """Return the most frequent labels, in order; more than one in case of a tie."""
    votes = Counter(unit.label for unit in units)
    most = max(votes.values(), default=0)
    return tuple(sorted((each for each in votes if votes[each] == most), key=label_order))


def plain_unit(unit: Unit | None) -> dict[str, Any] | None:
    """Return a unit as plain data, and a missing unit as ``None``."""
    if unit is None:
        return None
    label = plain_label(unit.label)
    return {"annotator": unit.annotator, "start": unit.start, "end": unit.end, "label": label}


def _plain_groups(groups: Iterable[UndecidedGroup]) -> list[dict[str, Any]]:
    return [each._asdict() | {"units": list(map(plain_unit, each.units))} for each in groups]


@record
class Consensus(OfData):
    """The units with enough support among the annotators, and the undecided groups.

    Parameters
    ----------
    continuum
        The consensus as the units of one annotator named ``consensus``, with the extent of the
        document; `None` for a corpus, see `documents`.
    units
        The units of the consensus with their support, for a corpus those of all documents.
    undecided
        Groups with too little support or with a tie of labels, in document order.
    n_groups
        Number of groups, decided or not.
    n_annotators
        Number of annotators.
    support
        The required share of the annotators.
    alignment
        The alignment that the groups come from; `None` for a corpus, see `documents`.
    documents
        The consensus of each document of a corpus, by name; empty for a single continuum.
    left_out_documents
        Documents with fewer than two annotators.
    skipped
        Number of invalid rows that the reader skipped, as ``on_error="skip"`` requests.
    notes
        Remarks on the reliability of the consensus.
    signature
        All settings that affect the consensus.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 2, "A"), ("bob", 1, 2, "A"), ("cy", 1, 3, "B"), ("cy", 7, 9, "B")]
    ... )
    >>> found = un.consensus(text)
    >>> found
    Consensus(1 unit, 1 group undecided)
    >>> found.continuum.units[0]
    Unit(annotator='consensus', start=1.0, end=2.0, label='A')
    >>> found.undecided[0].reason
    '1 of 3 annotators'
    """

    continuum: Continuum | None
    units: tuple[ConsensusUnit, ...] = field(metadata=part(in_documents=False))
    undecided: tuple[UndecidedGroup, ...] = field(
        metadata=part(json=_plain_groups, in_documents=False)
    )
    n_groups: int
    n_annotators: int
    support: float
    alignment: Alignment | None = None
    documents: Mapping[str, Consensus] = field(default_factory=dict)
    left_out_documents: tuple[str, ...] = ()
    skipped: int = 0
    notes: tuple[str, ...] = ()
    signature: Signature

    excluded = ("continuum", "alignment")

    @property
    def corpus(self) -> Corpus:
        """The consensus as a corpus, with one document per annotated document.

        Examples
        --------
        >>> import unisono as un
        >>> talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> un.consensus(un.Corpus.from_continua({"talk": talk})).corpus
        Corpus(1 document, 1 annotator, 1 unit, 1 label)
        """
        continua = {
            name: each.continuum
            for name, each in self.documents.items()
            if each.continuum is not None
        }
        if self.continuum is not None:
            continua = {"continuum": self.continuum}
        return Corpus.from_continua(continua)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield one row per unit of the consensus: a table that `read` accepts.

        Its columns are document, annotator (always ``consensus``), start, end, label, group,
        number of annotators, support, support of the label, and spread of the starts and ends.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> next(un.consensus(text).rows())
        ('', 'consensus', 0.0, 2.0, 'A', 1, 2, 1.0, 1.0, 0.0, 0.0)
        """
        for unit in self.units:
            document, group, start, end, label, *rest = unit
            yield document, CONSENSUS, start, end, label, group, *rest

    def __len__(self) -> int:
        return len(self.units)

    def __repr__(self) -> str:
        undecided = f"{count(len(self.undecided), 'group')} undecided"
        return f"Consensus({count(len(self.units), 'unit')}, {undecided})"

    def undecided_rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield one row per unit of an undecided group, with the group and the reason.

        Document, annotator, start, end, label, group, why, reason: a table that `read` accepts.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> next(un.consensus(text).undecided_rows())
        ('', 'ann', 0.0, 2.0, 'A', 1, 'labels', 'the labels A, B have 1 vote each')
        """
        for group in self.undecided:
            for unit in group.units:
                place = (group.document, unit.annotator, unit.start, unit.end, unit.label)
                yield *place, group.group, group.why, group.reason

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: there are no units.

        Examples
        --------
        >>> import unisono as un
        >>> un.consensus(un.Continuum.from_units([], annotators=["ann", "bob"])).problems()
        ['no consensus: there are no units']
        """
        return [] if self.n_groups else ["no consensus: there are no units"]

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the consensus, from which all outputs are rendered.

        Output for programs contains only the units, as in `rows`.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units(
        ...     [("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 5, 7, "A")]
        ... )
        >>> [table.name for table in un.consensus(text).sheet().tables if table.people]
        ['unit', 'undecided']
        """
        no_units = "no unit has enough support; all groups are undecided"
        shown = [table for table in (_unit_table(self), _undecided_table(self)) if table.rows]
        flat = Table(
            name="unit",
            columns=columns(" ".join(UNIT_COLUMNS)),
            rows=[(*row[:4], label_text(row[4]), *row[5:]) for row in self.rows()],
            people=False,
        )
        return Sheet(
            name="consensus",
            title=title,
            findings=(no_units,) if self.n_groups and not self.units else (),
            tables=(*(shown or [_unit_table(self)]), flat),
            facts=tuple(_facts(self)),
            notes=self.notes,
            figures=(figure("consensus", self),),
            signatures=(self.signature,),
        )


# A count out of a total, such as “2 of 3”.
_RATIO = Kind(name="ratio", text=lambda pair: f"{pair[0]:,} of {pair[1]:,}", plain=list)
_SPREADS = Kind(name="spreads", text=lambda pair: " / ".join(map(position, pair)), plain=list)


def _document_column(found: Consensus) -> Column:
    """Return the column of documents, hidden from people if there is only one."""
    several = len(found.documents) > 1 or found.left_out_documents
    return column("document", show="always" if several else "never")


def _unit_table(found: Consensus) -> Table:
    """Return the table of units for people, in document order."""
    rows = []
    for unit in found.units:
        n = unit.n_annotators
        votes = round(unit.label_support * n)
        rows.append(
            (
                *(unit.document, label_text(unit.label), unit.start, unit.end),
                *((n, round(n / unit.support)), (votes, n), (unit.start_spread, unit.end_spread)),
            )
        )
    return Table(
        name="unit",
        columns=(
            *(_document_column(found), *columns("label start end")),
            column("n_annotators", heading="marked by", kind=_RATIO),
            column("label_support", kind=_RATIO),
            column("start_spread", heading="spread", kind=_SPREADS),
        ),
        rows=rows,
        limited=True,
        programs=False,
    )


def _undecided_table(found: Consensus) -> Table:
    """Return the table of undecided groups for people, in document order."""
    text = KINDS["unit"].text
    return Table(
        name="undecided",
        title="Undecided groups",
        columns=(_document_column(found), *columns("start end reason units")),
        rows=[
            (
                *(group.document, group.start, group.end, group.reason),
                "; ".join(f"{unit.annotator}: {text(unit)}" for unit in group.units),
            )
            for group in found.undecided
        ],
        noun="group",
        limited=True,
        programs=False,
    )


def _facts(found: Consensus) -> Iterator[Fact]:
    if len(found.documents) > 1:
        yield Fact(column("n_documents"), len(found.documents))
    yield Fact(column("n_annotators"), found.n_annotators)
    yield Fact(column("n_units"), len(found), f"from {count(found.n_groups, 'group')}")
    ties = sum(group.why == "labels" for group in found.undecided)
    weak = len(found.undecided) - ties
    why = f"{weak:,} for too little support, {ties:,} for a tie of labels"
    yield Fact(column("n_undecided"), len(found.undecided), why if found.undecided else "")
    yield Fact(column("support"), found.support, "of the annotators, at least two")
    yield from unused_facts(skipped=found.skipped, left_out=found.left_out_documents)


def document_alignments(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    search: Search = USUAL_SEARCH,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Alignment]:
    """Align every document that has at least two annotators, as `gamma` does."""
    chosen = CombinedDissimilarity() if dissimilarity is None else dissimilarity
    check_dissimilarity(chosen)
    fitted = chosen.fitted(data.labels, label_counts(data))
    found: dict[str, Alignment] = {}
    documents = documents_of(data)
    report = Report(progress, sum(map(len, documents.values())))
    for name, continuum in documents.items():
        n = len(continuum.annotators)
        if n >= 2:
            own = fitted.for_labels(continuum.labels)
            groups = aligned(columns_of(continuum), own, search=search)
            found[name] = alignment_of(continuum, groups, own, len(continuum) / n, search)
        report.add(len(continuum))
    return found


Alignable: TypeAlias = Continuum | Corpus | Alignment | GammaAgreement
_ALIGNMENT_SETTINGS = ("dissim", "soft", "gap", "time")


@overload
def consensus(
    data: Alignable,
    *,
    support: float = 0.5,
    atom: float | None = None,
    dissimilarity: Dissimilarity | None = None,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Consensus: ...
@overload
def consensus(
    data: Ratings,
    *,
    support: float = 0.5,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    order: Sequence[Label] | None = None,
) -> RatingConsensus: ...
@overload
def consensus(data: IntoFrame, **settings: Any) -> Consensus | RatingConsensus: ...  # noqa: ANN401 - by the kind of data
@of_units_or_ratings  # type: ignore[misc]
def consensus(
    data: Alignable | Ratings | IntoFrame,
    *,
    support: float = 0.5,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    order: Sequence[Label] | None = None,
    atom: float | None = None,
    dissimilarity: Dissimilarity | None = None,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Consensus | RatingConsensus:
    """Merge the annotations of several annotators into one, and list what is undecided.

    Ratings: the consensus of an item is its most frequent label, or the median of its ratings.
    Items with fewer than two ratings, a tie or too little support are undecided.

    Units: each group of the best alignment that has enough support becomes one unit: its bounds
    are the medians of the group's bounds, its label is the most frequent one. Groups with too
    little support or with a tie of labels are undecided.

    Parameters
    ----------
    data
        A `Continuum` or a `Corpus`, which is aligned first; or an `Alignment` or a
        `GammaAgreement`, whose alignments are used; or `Ratings`.
    support
        The share of the annotators of the document that must have a unit in the group, by default
        half of them. At least two annotators are always required. For ratings, the share of the
        votes of the item that its most frequent label must have; not for medians.
    distance
        For ratings, the rule: with ``"nominal"`` the most frequent label; with ``"ordinal"`` the
        median rating, undecided if the two middle ratings differ; with ``"interval"`` the median,
        which is the mean of the two middle ratings.
    order
        For ratings, all labels from low to high, for ``"ordinal"`` on labels that are not numbers.
    atom
        The unit of length of which all positions are multiples, such as 1 for characters: medians
        are then rounded to it, ties outwards. By default medians are not rounded, and may lie
        between two characters.
    dissimilarity, soft, gap_tolerance, time_limit
        How to align, as in `best_alignment`; only if `data` is a `Continuum` or a `Corpus`.
    progress
        Called after each aligned document with the number of processed units and their total
        number.

    Returns
    -------
    Consensus
        The units with their support and spread, the undecided groups, and a continuum; for ratings
        a `RatingConsensus` with the label and votes of each item, and the undecided items.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If no document has at least two annotators.

    Notes
    -----
    Mathet, Widlöcher & Métivier [1]_ name the gold standard as a use of the alignment; the rules of
    this function are a convention of unisono. The median of the starts is never after the median of
    the ends. With an even number of bounds, the median is the mean of the two middle ones. The
    bounds of all units of a group count, including units with another label.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         ("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"),
    ...         ("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"),
    ...         ("cy", 1, 11, "A"), ("cy", 31, 45, "A"),
    ...     ]
    ... )  # fmt: skip
    >>> for unit in un.consensus(text).continuum:
    ...     print(unit.start, unit.end, unit.label)
    0.0 11.0 A
    15.0 20.0 B
    31.0 45.0 A
    >>> un.consensus(text, support=1).undecided[0].reason
    '2 of 3 annotators'
    >>> un.consensus(un.read_ratings("examples/politeness.csv"), distance="ordinal")
    RatingConsensus(20 items, 4 items undecided)
    """
    of_units: dict[str, Any] = {"atom": atom, "dissimilarity": dissimilarity, "soft": soft or None}
    of_units |= {"gap_tolerance": gap_tolerance or None, "time_limit": time_limit}
    if isinstance(data, Ratings):
        check_kind_of_data("consensus", "ratings", of_units, {})
        return rating_consensus(data, support=support, distance=distance, order=order)
    of_ratings = {"distance": distance, "order": order}
    check_kind_of_data("consensus", "units", of_ratings, {"distance": "nominal"})
    check_settings({"support": support}, {"atom": atom}, of="consensus")
    settings: dict[str, Any] = {"soft": soft, "gap_tolerance": gap_tolerance}
    settings["time_limit"] = time_limit
    if isinstance(data, Alignment | GammaAgreement):
        _reject_alignment_settings(dissimilarity, settings)
    if isinstance(data, Alignment):
        return _of_one(data, "", support, atom)
    if isinstance(data, GammaAgreement):
        if data.documents or data.alignment is None:
            found = {name: each.alignment for name, each in data.documents.items()}
            known = {name: each for name, each in found.items() if each is not None}
            # Documents without units have no alignment, but are not left out either.
            return _of_documents(known, tuple(data.left_out_documents), data, support, atom)
        return _of_one(data.alignment, "", support, atom)
    if not isinstance(data, Continuum | Corpus):
        msg = (
            "consensus takes a Continuum, a Corpus, Ratings, an Alignment or a GammaAgreement, "
            f"got {type(data).__name__}"
        )
        raise TypeError(msg)
    alignments = document_alignments(
        data, dissimilarity=dissimilarity, search=Search(**settings), progress=progress
    )
    if isinstance(data, Continuum):
        if not alignments:
            msg = f"a consensus needs at least two annotators; {describe_annotators(data)}"
            raise DataError(msg)
        return _of_one(next(iter(alignments.values())), "", support, atom)
    left_out = tuple(name for name in data if name not in alignments)
    return _of_documents(alignments, left_out, data, support, atom)


def _reject_alignment_settings(
    dissimilarity: Dissimilarity | None, settings: Mapping[str, Any]
) -> None:
    names = [name for name, value in settings.items() if value]
    names += ["dissimilarity"] if dissimilarity is not None else []
    if names:
        msg = (
            f"{', '.join(names)} cannot be combined with data that are aligned already; "
            "pass the continuum or the corpus instead"
        )
        raise SettingError(msg)


def _of_one(alignment: Alignment, name: str, support: float, atom: float | None) -> Consensus:
    found = decide(alignment, support=support, atom=atom)
    continuum = alignment.continuum
    notes = []
    if not alignment.proven:
        notes.append("the alignment is not proven optimal")
    return Consensus(
        continuum=_continuum(alignment, found),
        units=_units(alignment, found, name),
        undecided=_undecided(alignment, found, name),
        n_groups=len(alignment),
        n_annotators=len(continuum.annotators),
        support=float(support),
        alignment=alignment,
        notes=tuple(notes),
        signature=_signature(alignment.signature, support, atom),
    )


def _of_documents(
    alignments: Mapping[str, Alignment],
    left_out: tuple[str, ...],
    data: Corpus | GammaAgreement,
    support: float,
    atom: float | None,
) -> Consensus:
    if not alignments:
        msg = "a consensus needs at least one document with units and at least two annotators"
        raise DataError(msg)
    found = {name: _of_one(each, name, support, atom) for name, each in alignments.items()}
    notes: list[str] = []
    unproven = [name for name, each in alignments.items() if not each.proven]
    if unproven:
        names = some(unproven, 3)
        notes.append(f"{count(len(unproven), 'alignment')} not proven optimal: {names}")
    known: str = data.annotators_from
    if isinstance(data, Corpus):
        digest, annotators = data.digest, len(data.annotators)
    else:
        digest, annotators = data.signature["data"], data.n_annotators
    # The alignment settings are the same for all documents; the digest is that of the corpus.
    shared = next(iter(alignments.values())).signature
    last = (("annotators", known), ("data", digest[:8]), ("v", __version__))
    settings = tuple(pair for pair in shared.settings if pair[0] in _ALIGNMENT_SETTINGS)
    return Consensus(
        continuum=None,
        units=tuple(unit for each in found.values() for unit in each.units),
        undecided=tuple(group for each in found.values() for group in each.undecided),
        n_groups=sum(each.n_groups for each in found.values()),
        n_annotators=annotators,
        support=float(support),
        documents=found,
        left_out_documents=left_out,
        skipped=data.skipped,
        notes=tuple(notes),
        signature=_signature(Signature("alignment", settings + last), support, atom),
    )


def _signature(of: Signature, support: float, atom: float | None) -> Signature:
    rounding = () if atom is None else (("atom", f"{atom:.12g}"),)
    return Signature(CONSENSUS, (("support", f"{support:.12g}"), *rounding, *of.settings))


def _continuum(alignment: Alignment, found: Decisions) -> Continuum:
    original = alignment.continuum
    kept = found.is_decided
    starts, ends = found.starts[kept], found.ends[kept]
    # Rounding may exceed the extent of the document by less than an atom.
    low = min(original.extent[0], starts.min(initial=original.extent[0]))
    high = max(original.extent[1], ends.max(initial=original.extent[1]))
    return Continuum.from_columns(
        [CONSENSUS] * int(kept.sum()),
        starts,
        ends,
        [original.labels[code] for code in found.label_codes[kept].tolist()],
        annotators=(CONSENSUS,),
        extent=(float(low), float(high)),
        text=original.text,
    )


def _units(alignment: Alignment, found: Decisions, name: str) -> tuple[ConsensusUnit, ...]:
    kept = np.flatnonzero(found.is_decided)
    labels = [alignment.continuum.labels[code] for code in found.label_codes[kept].tolist()]
    annotators = found.annotators[kept]
    columns = (
        (kept + 1).tolist(),
        found.starts[kept].tolist(),
        found.ends[kept].tolist(),
        labels,
        annotators.tolist(),
        (annotators / max(1, len(alignment.continuum.annotators))).tolist(),
        (found.votes[kept] / annotators).tolist(),
        found.start_spreads[kept].tolist(),
        found.end_spreads[kept].tolist(),
    )
    return tuple(ConsensusUnit(name, *row) for row in zip(*columns, strict=True))


def _undecided(alignment: Alignment, found: Decisions, name: str) -> tuple[UndecidedGroup, ...]:
    n = len(alignment.continuum.annotators)
    groups = []
    for place in np.flatnonzero(~found.is_decided).tolist():
        units = tuple(unit for unit in alignment.groups[place] if unit is not None)
        supported = bool(found.is_supported[place])
        if supported:
            tied = (printable(label_text(label)) or "(no label)" for label in most_voted(units))
            votes = count(int(found.votes[place]), "vote")
            reason = f"the labels {', '.join(tied)} have {votes} each"
        else:
            reason = f"{len(units)} of {count(n, 'annotator')}"
        groups.append(
            UndecidedGroup(
                document=name,
                group=place + 1,
                start=float(found.starts[place]),
                end=float(found.ends[place]),
                why="labels" if supported else "support",
                reason=reason,
                n_annotators=len(units),
                units=units,
            )
        )
    return tuple(groups)
