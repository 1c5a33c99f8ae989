"""One annotation of what most annotators share, from the alignment of each document."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.gamma.alignment import (
    USUAL_SEARCH,
    Alignment,
    Search,
    aligned,
    alignment_of,
    annotators_told,
    columns_of,
)
from unisono.measures.gamma.dissimilarity import Combined, check_dissimilarity, label_counts
from unisono.measures.gamma.result import GammaResult
from unisono.measures.settings import check_number
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_order, label_text
from unisono.parallel.dispatch import Report
from unisono.results.agreement import Signature
from unisono.results.blocks import markdown_code, markdown_table
from unisono.results.record import InMarkdown, Pictured, Record, plain_label
from unisono.results.wording import count, decimals, position, printable, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Unit
    from unisono.model.labels import Label

__all__ = [
    "CONSENSUS",
    "Consensus",
    "ConsensusUnit",
    "UndecidedGroup",
    "consensus",
    "document_alignments",
    "documents_of",
]

_LEAST_ANNOTATORS = 2


class Decisions(NamedTuple):
    """One entry a group of an alignment."""

    annotators: NDArray[np.int64]
    """How many annotators have a unit in the group."""
    is_supported: NDArray[np.bool_]
    starts: Floats
    ends: Floats
    start_spreads: Floats
    end_spreads: Floats
    label_codes: NDArray[np.int64]
    """The label that most of them chose; of equals the first."""
    votes: NDArray[np.int64]
    """How many chose it."""
    is_tied: NDArray[np.bool_]
    """Whether as many chose another."""

    @property
    def is_decided(self) -> NDArray[np.bool_]:
        """Whether the group has enough support and one label."""
        return self.is_supported & ~self.is_tied


def decide(alignment: Alignment, *, support: float, atom: float | None) -> Decisions:
    """Find the middle and the majority of every group."""
    continuum, indices = alignment.continuum, alignment.indices
    there = indices >= 0
    annotators = there.sum(axis=1)
    # 0.6 of 5 annotators is 3, however floats multiply.
    needed = max(_LEAST_ANNOTATORS, math.ceil(support * len(continuum.annotators) - 1e-9))
    starts, start_spreads = _middles(continuum.starts, indices, there)
    ends, end_spreads = _middles(continuum.ends, indices, there)
    if atom is not None:
        # Halves go outwards, so that nothing that half of them marked is lost.
        starts, ends = _rounded(starts, atom), -_rounded(-ends, atom)
    codes, votes, tied = _majorities(alignment, there)
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


def _middles(
    bounds: Floats, indices: NDArray[np.int64], there: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Give the median of the bounds of each group, and how far apart the outermost lie."""
    if not len(indices):
        return np.empty(0), np.empty(0)
    # Empty places go to the end of the sorted line.
    sorted_bounds = np.sort(np.where(there, bounds[indices], np.inf), axis=1)
    count = there.sum(axis=1)
    line = np.arange(len(indices))
    low, high = sorted_bounds[line, (count - 1) // 2], sorted_bounds[line, count // 2]
    spreads = sorted_bounds[line, count - 1] - sorted_bounds[line, 0]
    # Not their sum halved, which could be too large for a float.
    return low + (high - low) / 2.0, spreads


def _rounded(places: Floats, atom: float) -> Floats:
    """Round to whole atoms, halves down."""
    return np.ceil(places / atom - 0.5) * atom + 0.0


def _majorities(
    alignment: Alignment, there: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Give each group's most frequent label, its number, and whether another has as many."""
    n_groups, n_labels = len(alignment), max(1, len(alignment.continuum.labels))
    if not n_groups:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool)
    group = np.nonzero(there)[0]
    code = alignment.continuum.label_codes[alignment.indices[there]].astype(np.int64)
    pairs, votes = np.unique(group * n_labels + code, return_counts=True)
    group, code = np.divmod(pairs, n_labels)
    # The most votes first, then the first label; the first line of each group is its winner.
    order = np.lexsort((code, -votes, group))
    group, code, votes = group[order], code[order], votes[order]
    first = np.flatnonzero(np.diff(group, prepend=-1))
    following = np.minimum(first + 1, len(group) - 1)
    is_tied = (following > first) & (group[following] == group[first])
    is_tied &= votes[following] == votes[first]
    return code[first], votes[first], is_tied


CONSENSUS = "consensus"
"""The annotator of the units of a consensus."""


class ConsensusUnit(NamedTuple):
    """One unit that enough annotators share.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 1, 2, "A"), ("cy", 1, 3, "B")])
    >>> unit = un.consensus(text).units[0]
    >>> unit.start, unit.end, unit.label, unit.annotators
    (1.0, 2.0, 'A', 3)
    """

    document: str
    """The name of the document; empty for one continuum."""
    group: int
    """Which group of the alignment it comes from, counted from 1."""
    start: float
    """The median of the starts."""
    end: float
    """The median of the ends."""
    label: Label | None
    """The label that most of its annotators chose."""
    annotators: int
    """How many annotators have a unit in the group."""
    support: float
    """The same as a share of those who saw the document."""
    label_support: float
    """The share of the units of the group that have the label."""
    start_spread: float
    """How far the first and the last of the starts lie apart."""
    end_spread: float
    """How far the first and the last of the ends lie apart."""


class UndecidedGroup(NamedTuple):
    """Units that belong together but make no unit of the consensus, for a person to decide.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> group = un.consensus(text).undecided[0]
    >>> group.why, group.reason
    ('labels', 'the labels A, B have 1 vote each')
    """

    document: str
    """The name of the document; empty for one continuum."""
    group: int
    """Which group of the alignment it is, counted from 1."""
    start: float
    """The median of the starts."""
    end: float
    """The median of the ends."""
    why: Literal["support", "labels"]
    """Too little support, or no label with more votes than all others."""
    reason: str
    """The same as a phrase."""
    annotators: int
    """How many annotators have a unit in the group."""
    units: tuple[Unit, ...]
    """Their units."""

    @property
    def tied(self) -> tuple[Label | None, ...]:
        """The labels with the most votes, of which there may be one only.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> un.consensus(text).undecided[0].tied
        ('A', 'B')
        """
        return most_voted(self.units)


def most_voted(units: Iterable[Unit]) -> tuple[Label | None, ...]:
    """Give the labels that most units have, in order; one at least if there is a unit."""
    votes = Counter(unit.label for unit in units)
    most = max(votes.values(), default=0)
    return tuple(sorted((each for each in votes if votes[each] == most), key=label_order))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Consensus(Record, InMarkdown, Pictured):
    """The units that enough annotators share, and what is left to decide.

    Parameters
    ----------
    continuum
        The consensus as the units of one annotator called ``consensus``, on the extent of the
        document; `None` for a corpus, whose documents have their own.
    units
        The same with how well each is supported; of a corpus those of all documents.
    undecided
        Groups with too little support or with a tie of labels, along the document.
    n_groups
        How many groups there are, decided or not.
    n_annotators
        How many annotators count.
    support
        The share of annotators that was asked for.
    alignment
        The groups it was decided on; `None` for a corpus, whose documents have their own.
    documents
        A consensus for each document of a corpus, by name; empty for one continuum.
    left_out_documents
        Documents that fewer than two annotators saw.
    skipped
        Rows the reader could not use and was told to skip.
    notes
        Sentences a reader should know.
    signature
        Every setting that can move the consensus.

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
    units: tuple[ConsensusUnit, ...]
    undecided: tuple[UndecidedGroup, ...]
    n_groups: int
    n_annotators: int
    support: float
    alignment: Alignment | None = None
    documents: Mapping[str, Consensus] = field(default_factory=dict)
    left_out_documents: tuple[str, ...] = ()
    skipped: int = 0
    notes: tuple[str, ...] = ()
    signature: Signature

    def __post_init__(self) -> None:
        object.__setattr__(self, "documents", MappingProxyType(dict(self.documents)))

    @property
    def corpus(self) -> Corpus:
        """The consensus as a corpus, one document for each that was annotated.

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
        """Give one flat row a unit, with the columns of `ConsensusUnit` after the annotator.

        Document, annotator (always ``consensus``), start, end, label, and how well it is
        supported: a table that `read` takes back.

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

    def __str__(self) -> str:
        lines = [
            f"{position(unit.start)}–{position(unit.end)} {printable(label_text(unit.label))}"
            f" ({unit.annotators})"
            for unit in self.units
        ]
        return "\n".join([*lines, str(self.signature)])

    def __repr__(self) -> str:
        undecided = f"{count(len(self.undecided), 'group')} undecided"
        return f"Consensus({count(len(self.units), 'unit')}, {undecided})"

    def to_dict(self) -> dict[str, Any]:
        """Give all as plain data: units with their support, undecided groups with their units.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> un.consensus(text).to_dict()["units"][0]["label"]
        'A'
        """
        return {
            "units": [unit._asdict() | {"label": plain_label(unit.label)} for unit in self.units],
            "undecided": [
                group._asdict() | {"units": [_plain_unit(unit) for unit in group.units]}
                for group in self.undecided
            ],
            "n_groups": self.n_groups,
            "n_annotators": self.n_annotators,
            "support": self.support,
            "left_out_documents": list(self.left_out_documents),
            "skipped": self.skipped,
            "notes": list(self.notes),
            "signature": str(self.signature),
        }

    def to_markdown(self) -> str:
        """Give the units as a Markdown table with the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> print(un.consensus(text).to_markdown().splitlines()[2])
        | A     |     0 |   2 |          2 |       0 |    1.0000 |
        """
        headings = ["label", "start", "end", "annotators", "spread", "same label"]
        table = markdown_table(headings, [_cells(unit) for unit in self.units])
        left = f"{count(len(self.undecided), 'group')} undecided"
        return "\n\n".join([table, left, markdown_code(str(self.signature))])


def _plain_unit(unit: Unit) -> dict[str, Any]:
    return {
        "annotator": unit.annotator,
        "start": unit.start,
        "end": unit.end,
        "label": plain_label(unit.label),
    }


def _cells(unit: ConsensusUnit) -> list[str]:
    return [
        printable(label_text(unit.label)),
        position(unit.start),
        position(unit.end),
        str(unit.annotators),
        position(max(unit.start_spread, unit.end_spread)),
        decimals(unit.label_support),
    ]


_ONLY = "continuum"


def documents_of(data: Continuum | Corpus) -> Mapping[str, Continuum]:
    """Give the documents by name; one continuum is a document without a name of its own."""
    return data if isinstance(data, Corpus) else {_ONLY: data}


def document_alignments(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    search: Search = USUAL_SEARCH,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Alignment]:
    """Align every document that two annotators or more saw, as `gamma` does."""
    chosen = Combined() if dissimilarity is None else dissimilarity
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


Alignable: TypeAlias = Continuum | Corpus | Alignment | GammaResult
_OF_ALIGNMENTS = ("dissim", "soft", "gap", "time")


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
) -> Consensus:
    """Make one annotation of what enough annotators share, and list what is left to decide.

    From each group of the best alignment with enough support comes one unit: its bounds are the
    medians of the group's bounds, its label is the one with the most votes. Groups with too little
    support, or with a tie of labels, stay undecided.

    Parameters
    ----------
    data
        A `Continuum` or a `Corpus`, which is aligned first; or an `Alignment`, or what `gamma`
        gave, whose alignments are used.
    support
        The share of the annotators who saw the document that must have a unit in the group: half
        of them by default. Two are needed at least, whatever the share.
    atom
        What places are whole numbers of, such as 1 for characters: medians are then rounded, halves
        outwards. By default they stay as they are, and may lie between two characters.
    dissimilarity, soft, gap_tolerance, time_limit
        How to align, as in `best_alignment`; not for what is aligned already.
    progress
        Told after each document that is aligned how many units are done, of how many.

    Returns
    -------
    Consensus
        The units with their support and spread, the undecided groups, and a continuum.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If fewer than two annotators saw the document, or each of the documents.

    Notes
    -----
    Mathet, Widlöcher & Métivier [1]_ name the gold standard as a use of the alignment; what it is
    made of is our choice. The median of starts is never after the median of ends. Of an even number
    of bounds it is the middle of the two in the middle. All units of a group count for its bounds,
    also those with another label.

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
    """
    _check(support, atom)
    settings: dict[str, Any] = {"soft": soft, "gap_tolerance": gap_tolerance}
    settings["time_limit"] = time_limit
    if isinstance(data, Alignment | GammaResult):
        _refuse_settings(dissimilarity, settings)
    if isinstance(data, Alignment):
        return _of_one(data, "", support, atom)
    if isinstance(data, GammaResult):
        if data.documents or data.alignment is None:
            found = {name: each.alignment for name, each in data.documents.items()}
            known = {name: each for name, each in found.items() if each is not None}
            # Seen by two or more, but without units: nothing to decide, and nothing left out.
            return _of_documents(known, tuple(data.left_out_documents), data, support, atom)
        return _of_one(data.alignment, "", support, atom)
    if not isinstance(data, Continuum | Corpus):
        msg = (
            "consensus takes a Continuum, a Corpus, an Alignment or a GammaResult, "
            f"got {type(data).__name__}"
        )
        raise TypeError(msg)
    alignments = document_alignments(
        data, dissimilarity=dissimilarity, search=Search(**settings), progress=progress
    )
    if isinstance(data, Continuum):
        if not alignments:
            msg = f"a consensus needs two annotators or more; here {annotators_told(data)}"
            raise DataError(msg)
        return _of_one(next(iter(alignments.values())), "", support, atom)
    left_out = tuple(name for name in data if name not in alignments)
    return _of_documents(alignments, left_out, data, support, atom)


def _check(support: float, atom: float | None) -> None:
    if isinstance(support, bool) or not isinstance(support, int | float | np.number):
        msg = f"support must be a number, got {support!r} of type {type(support).__name__}"
        raise TypeError(msg)
    if not 0.0 <= support <= 1.0:
        msg = (
            "support is a share of the annotators from 0 to 1, such as 0.5 for half of them; "
            f"got {support}"
        )
        raise SettingError(msg)
    if atom is not None:
        check_number("atom", atom, may_be_zero=False)


def _refuse_settings(dissimilarity: Dissimilarity | None, settings: Mapping[str, Any]) -> None:
    given = [name for name, value in settings.items() if value]
    given += ["dissimilarity"] if dissimilarity is not None else []
    if given:
        msg = (
            f"{', '.join(given)} would be too late: the units are aligned already; "
            "give the continuum or the corpus instead"
        )
        raise SettingError(msg)


def _of_one(alignment: Alignment, name: str, support: float, atom: float | None) -> Consensus:
    found = decide(alignment, support=support, atom=atom)
    continuum = alignment.continuum
    notes = []
    if not alignment.proven:
        notes.append("the alignment is not proven to be the best")
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
    data: Corpus | GammaResult,
    support: float,
    atom: float | None,
) -> Consensus:
    if not alignments:
        msg = "a consensus needs documents with units that two annotators or more saw; here is none"
        raise DataError(msg)
    found = {name: _of_one(each, name, support, atom) for name, each in alignments.items()}
    notes: list[str] = []
    unproven = [name for name, each in alignments.items() if not each.proven]
    if unproven:
        told = some(unproven, 3)
        notes.append(f"{count(len(unproven), 'alignment')} not proven to be the best: {told}")
    known: str = data.annotators_from
    if isinstance(data, Corpus):
        digest, annotators = data.digest, len(data.annotators)
    else:
        digest, annotators = data.signature["data"], data.n_annotators
    # Settings of the alignment are the same for all; those of the data are the corpus's own.
    of_alignment = next(iter(alignments.values())).signature
    last = (("annotators", known), ("data", digest[:8]), ("v", __version__))
    settings = tuple(pair for pair in of_alignment.settings if pair[0] in _OF_ALIGNMENTS)
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
    # Rounding may lead out of the document by less than an atom.
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
    listed = []
    for place in np.flatnonzero(~found.is_decided).tolist():
        units = tuple(unit for unit in alignment.groups[place] if unit is not None)
        supported = bool(found.is_supported[place])
        if supported:
            tied = (printable(label_text(label)) or "(no label)" for label in most_voted(units))
            votes = count(int(found.votes[place]), "vote")
            reason = f"the labels {', '.join(tied)} have {votes} each"
        else:
            reason = f"{len(units)} of {count(n, 'annotator')}"
        listed.append(
            UndecidedGroup(
                document=name,
                group=place + 1,
                start=float(found.starts[place]),
                end=float(found.ends[place]),
                why="labels" if supported else "support",
                reason=reason,
                annotators=len(units),
                units=units,
            )
        )
    return tuple(listed)
