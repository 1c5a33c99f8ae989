"""The alignment with the least disorder of one continuum, and costs of custom dissimilarities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from unisono._core import align
from unisono.errors import DataError
from unisono.measures.data import of_data
from unisono.measures.gamma.dissimilarity import (
    CombinedDissimilarity,
    DissimilarityParameters,
    UnitColumns,
    check_dissimilarity,
    label_counts,
    pair_costs,
)
from unisono.model.continuum import Continuum
from unisono.registry import check_settings
from unisono.results.agreement import proof, signed
from unisono.results.data import OfData, with_data
from unisono.results.measure_rows import unused_facts
from unisono.results.record import Record, plain, plain_data, plain_label, record
from unisono.results.sheet import KINDS, Column, Fact, Sheet, Table, column, columns, figure
from unisono.results.values import Signature
from unisono.results.wording import WHO_COUNTS, count, decimals, printable
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt
    from numpy.typing import NDArray

    from unisono.measures.gamma.dissimilarity import Dissimilarity, Fitted
    from unisono.model.arrays import Booleans, Floats, Integers
    from unisono.model.continuum import Unit
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label

__all__ = [
    "EFFORT_DRAW",
    "EFFORT_OBSERVED",
    "MOST_ANNOTATORS",
    "USUAL_SEARCH",
    "Aligned",
    "Alignment",
    "AlignmentInShort",
    "Columns",
    "LabelSums",
    "Search",
    "aligned",
    "alignment_of",
    "best_alignment",
    "cheapest_pairs",
    "check_annotators",
    "columns_of",
    "custom_disorders",
    "custom_pairs",
    "describe_annotators",
    "successive",
]


class AlignmentInShort(NamedTuple):
    """A summary of an alignment, without its groups."""

    n_groups: int
    disorder: float
    lower_bound: float
    gap: float
    proven: bool


@record
class Alignment(OfData):
    """An alignment of annotations: each group has at most one unit per annotator.

    Parameters
    ----------
    continuum
        The annotated continuum.
    indices
        Rows of the continuum, groups × annotators; −1 stands for an empty unit.
    group_disorders
        The disorder of each group.
    disorder
        The disorder of the alignment: the sum over groups divided by the mean number of units.
    lower_bound
        A lower bound on the disorder of any alignment of these units.
    proven
        Whether this alignment is proven to have the least disorder.
    document
        The name of the document, if it belongs to a corpus.
    skipped
        The number of input rows that the reader skipped because they were invalid.
    dissimilarity
        The parameters of the dissimilarity of units.
    signature
        All settings that affect the alignment.

    Raises
    ------
    DataError
        If the arrays do not fit the continuum.

    Examples
    --------
    >>> import numpy as np
    >>> import unisono as un
    >>> from unisono.results import Alignment
    >>> from unisono.results import Signature
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 3, 4, "B")])
    >>> alignment = Alignment(
    ...     continuum=text,
    ...     indices=np.array([[0, 1], [-1, 2]]),
    ...     group_disorders=np.array([0.0, 1.0]),
    ...     disorder=1 / 1.5,
    ...     lower_bound=1 / 1.5,
    ...     proven=True,
    ...     signature=Signature("alignment"),
    ... )
    >>> alignment
    Alignment(2 groups, disorder 0.6667, proven)
    >>> alignment.groups[1]
    (None, Unit(annotator='bob', start=3.0, end=4.0, label='B'))
    """

    continuum: Continuum
    indices: Integers
    group_disorders: Floats
    disorder: float
    lower_bound: float
    proven: bool
    document: str | None = None
    skipped: int = 0
    dissimilarity: DissimilarityParameters = DissimilarityParameters()
    signature: Signature

    def __post_init__(self) -> None:
        Record.__post_init__(self)
        n_annotators, n_units = len(self.continuum.annotators), len(self.continuum)
        if self.indices.ndim != 2 or self.indices.shape[1] != n_annotators:
            msg = (
                f"indices must have one column per annotator, {n_annotators} in all; "
                f"got an array of shape {self.indices.shape}"
            )
            raise DataError(msg)
        if self.group_disorders.shape != self.indices.shape[:1]:
            msg = (
                f"group_disorders must have one entry per group, {len(self.indices)} in all; "
                f"got an array of shape {self.group_disorders.shape}"
            )
            raise DataError(msg)
        if self.indices.size and not -1 <= self.indices.min() <= self.indices.max() < n_units:
            msg = (
                f"indices must be between −1 and {n_units - 1}, the row of the last unit; "
                f"got {self.indices.min()} to {self.indices.max()}"
            )
            raise DataError(msg)

    @property
    def groups(self) -> Sequence[tuple[Unit | None, ...]]:
        """The groups: a unit or ``None`` for each annotator, in the annotators' order.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> [unit.annotator for unit in un.best_alignment(text).groups[0]]
        ['ann', 'bob']
        """
        return _Groups(self.continuum, self.indices)

    @property
    def gap(self) -> float:
        """The disorder minus its lower bound; 0 if the alignment is proven to be the best.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> un.best_alignment(text).gap
        0.0
        """
        return 0.0 if self.proven else max(0.0, self.disorder - self.lower_bound)

    def __len__(self) -> int:
        return len(self.indices)

    def __repr__(self) -> str:
        proof = "proven" if self.proven else f"not proven, gap {self.gap:.2g}"
        return (
            f"Alignment({count(len(self), 'group')}, disorder {decimals(self.disorder)}, {proof})"
        )

    def rows(self) -> Iterator[tuple[int, float, str, float, float, Label | None]]:
        """Yield one row per unit: group, disorder of the group, annotator, start, end, label.

        Groups are numbered from 1; empty units have no row.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> for row in un.best_alignment(text).rows():
        ...     print(row)
        (1, 0.0, 'ann', 0.0, 2.0, 'A')
        (1, 0.0, 'bob', 0.0, 2.0, 'A')
        """
        starts, ends, labels = self._unit_columns()
        disorders = self.group_disorders.tolist()
        for i, places in enumerate(self.indices.tolist()):
            for annotator, row in zip(self.continuum.annotators, places, strict=True):
                if row >= 0:
                    yield i + 1, disorders[i], annotator, starts[row], ends[row], labels[row]

    def to_dict(self) -> dict[str, Any]:
        """Return the alignment as plain data: each group with its units and its disorder.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A")], annotators=["ann", "bob"])
        >>> un.best_alignment(text).to_dict()["groups"][0]["units"]
        [{'annotator': 'ann', 'start': 0.0, 'end': 2.0, 'label': 'A'}, None]
        """
        starts, ends, labels = self._unit_columns()
        plain_labels = [plain_label(label) for label in labels]
        annotators = self.continuum.annotators
        groups = [
            {
                "disorder": disorder,
                "units": [
                    None
                    if row < 0
                    else {
                        "annotator": annotator,
                        "start": starts[row],
                        "end": ends[row],
                        "label": plain_labels[row],
                    }
                    for annotator, row in zip(annotators, places, strict=True)
                ],
            }
            for disorder, places in zip(
                self.group_disorders.tolist(), self.indices.tolist(), strict=True
            )
        ]
        continuum = self.continuum
        return {
            "document": self.document,
            **plain(self.in_short()),
            "groups": groups,
            "n_annotators": len(annotators),
            "n_units": len(continuum),
            "annotators_from": continuum.annotators_from,
            "skipped": self.skipped,
            "dissimilarity": plain(self.dissimilarity),
            **plain_data(self),
            "signature": str(self.signature),
        }

    def in_short(self) -> AlignmentInShort:
        """Return the number of groups, and the disorder with its lower bound.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A")], annotators=["ann", "bob"])
        >>> un.best_alignment(text).in_short()
        AlignmentInShort(n_groups=1, disorder=2.0, lower_bound=2.0, gap=0.0, proven=True)
        """
        return AlignmentInShort(len(self), self.disorder, self.lower_bound, self.gap, self.proven)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the view of the alignment from which all output formats are rendered.

        Tables for readers have one row per group and one column per annotator, or one row per unit
        if there are more than 4 annotators; CSV has one row per unit.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> print(un.best_alignment(text).sheet().tables[0].view().cells)
        [['1', '0.0000', '0–2 A', '0–2 A']]
        """
        continuum = self.continuum
        who = WHO_COUNTS.get(continuum.annotators_from, continuum.annotators_from)
        is_wide = len(continuum.annotators) <= _WIDE_TABLE_ANNOTATORS
        units = Table(
            name="unit",
            columns=columns("group disorder annotator start end label"),
            rows=list(self.rows()),
            limited=True,
            people=not is_wide,
        )
        return Sheet(
            name="alignment",
            title=title,
            figures=(figure("alignment", self),),
            tables=(self._group_table(), units) if is_wide else (units,),
            facts=(
                Fact(column("n_annotators"), len(continuum.annotators), f"counted: {who}"),
                Fact(column("n_units"), len(continuum)),
                Fact(column("n_groups"), len(self)),
                Fact(column("disorder"), self.disorder),
                Fact(column("alignment"), proof(proven=self.proven, gap=self.gap)),
                *unused_facts(skipped=self.skipped, left_out=()),
            ),
            signatures=(self.signature,),
        )

    def _group_table(self) -> Table:
        disorders = self.group_disorders.tolist()
        return Table(
            name="group",
            columns=(
                *columns("group disorder"),
                *(
                    Column(name=name, heading=printable(name), kind=KINDS["unit"])
                    for name in self.continuum.annotators
                ),
            ),
            rows=[(i + 1, disorders[i], *group) for i, group in enumerate(self.groups)],
            limited=True,
            programs=False,
        )

    # Indexing an array element by element is slow, so columns are converted to lists.
    def _unit_columns(self) -> tuple[list[float], list[float], list[Label | None]]:
        continuum = self.continuum
        labels = [continuum.labels[code] for code in continuum.label_codes.tolist()]
        return continuum.starts.tolist(), continuum.ends.tolist(), labels


class _Groups(Sequence["tuple[Unit | None, ...]"]):
    """The groups of an alignment, created on access."""

    __slots__ = ("_continuum", "_indices")

    def __init__(self, continuum: Continuum, indices: npt.NDArray[np.int64]) -> None:
        self._continuum = continuum
        self._indices = indices

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> tuple[Unit | None, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Unit | None, ...]]: ...

    def __getitem__(
        self, index: int | slice
    ) -> tuple[Unit | None, ...] | Sequence[tuple[Unit | None, ...]]:
        if isinstance(index, slice):
            return _Groups(self._continuum, self._indices[index])
        places = self._indices[index].tolist()
        return tuple(None if row < 0 else self._continuum.unit(row) for row in places)

    def __repr__(self) -> str:
        return f"<{count(len(self), 'group')}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The settings of a search; see `best_alignment`."""

    soft: bool = False
    gap_tolerance: float = 0.0
    time_limit: float | None = None

    def __post_init__(self) -> None:
        given = {"soft": self.soft, "gap_tolerance": self.gap_tolerance}
        check_settings(given, {"time_limit": self.time_limit})

    @property
    def for_kernel(self) -> dict[str, Any]:
        """The settings as keyword arguments of the kernel."""
        return {
            "soft": self.soft,
            "gap_tolerance": float(self.gap_tolerance),
            "time_limit": math.inf if self.time_limit is None else float(self.time_limit),
        }

    @property
    def signature_items(self) -> tuple[tuple[str, str], ...]:
        """The settings that differ from their defaults, as items of a signature."""
        return (
            *((("soft", "yes"),) if self.soft else ()),
            *((("gap", f"{self.gap_tolerance:.12g}"),) if self.gap_tolerance else ()),
            *((("time", f"{self.time_limit:.12g}s"),) if self.time_limit is not None else ()),
        )


_WIDE_TABLE_ANNOTATORS = 4
USUAL_SEARCH = Search()
# Multiples of the default limits of the kernel, which count work, not time. The data are aligned
# only once, so that their limit may be ten times the limit of a draw. Of draws that are not proven
# with a tenth of their limit, those are aligned again that matter (`Run.evidence`).
EFFORT_OBSERVED = 10.0
EFFORT_DRAW = 1.0
EFFORT_FIRST_DRAW = 0.1
# A matching of two annotators must be optimal, so that its limit is practically infinite.
EFFORT_MATCHING = 1e6
# With more annotators, sums of costs could overflow the integers of the kernel.
MOST_ANNOTATORS = 150
_PAIRS_AT_ONCE = 1_000_000
_PAIRS_TESTED = 1_000  # of each document, for symmetry
# The work of evaluating a custom dissimilarity in Python, in the unit of the work of the kernel.
_WORK_OF_CALL, _WORK_OF_PAIR = 40_000, 8


class Columns(NamedTuple):
    """The columns of a continuum for the kernel; rows of annotator i begin at offsets[i]."""

    starts: Floats
    ends: Floats
    label_codes: NDArray[np.int32]
    offsets: NDArray[np.int64]


class LabelSums(NamedTuple):
    """Σ weight·d_cat and Σ weight of Mathet (2017), Algorithm 1: of all pairs, and per label."""

    disorder: float
    weight: float
    disorder_of: Floats
    weight_of: Floats


class Aligned(NamedTuple):
    """The alignment of one continuum by the kernel, in units of the cost of an empty unit."""

    groups: NDArray[np.int64]
    disorders: Floats
    lower_bound: float
    proven: bool
    sums: LabelSums
    work: int = 0
    """The work of the search; it does not depend on the machine."""

    @property
    def disorder_sum(self) -> float:
        """The sum of the group disorders, before it is divided by the mean number of units."""
        return float(self.disorders.sum())

    def disorder(self, fitted: Fitted, mean_units: float) -> float:
        """Return the disorder (2015, eq. 7), scaled by the cost of an empty unit."""
        return self.disorder_sum / mean_units * fitted.empty if len(self.disorders) else 0.0

    def disorder_bound(self, fitted: Fitted, mean_units: float) -> float:
        """Return a lower bound on the disorder; the disorder itself if proven to be least."""
        return self.lower_bound / mean_units * fitted.empty if len(self.disorders) else 0.0


def document_alignment(corpus: Corpus, document: str, **settings: Any) -> Alignment:  # noqa: ANN401 - those of best_alignment
    """Return the best alignment of a document of a corpus, signed with the digest of both."""
    found: Alignment = best_alignment(corpus[document], **settings)
    selected = corpus[[document]]
    result: Alignment = with_data(
        replace(signed(found, data=selected.digest[:8]), document=document, skipped=corpus.skipped),
        selected,
    )
    return result


@of_data
def best_alignment(
    continuum: Continuum,
    *,
    dissimilarity: Dissimilarity | None = None,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
) -> Alignment:
    """Find the alignment of the units of all annotators that has the least disorder.

    Parameters
    ----------
    continuum
        The continuum to align; it needs at least two annotators.
    dissimilarity
        The dissimilarity of two units; `CombinedDissimilarity()` by default.
    soft
        Whether a unit may belong to more than one group, so that one unit of an annotator can be
        aligned with two shorter units of another annotator.
    gap_tolerance
        The relative optimality gap at which the search may stop, such as 0.001; 0 searches until
        the alignment is proven to be the best.
    time_limit
        The time limit in seconds, after which the best alignment found so far is returned with its
        gap. The result may then depend on the machine, so the limit is part of the signature. By
        default only the work is limited, and the same data always yield the same alignment.

    Returns
    -------
    Alignment
        The groups with their disorders; `proven` is true if no alignment has less disorder. Ties
        are broken in favor of more groups, then by a fixed order of units.

    Raises
    ------
    DataError
        If there are fewer than two annotators, or a label has no distance.
    SettingError
        If a setting is invalid.

    Notes
    -----
    The disorder of a group is the mean dissimilarity over its n(n−1)/2 pairs of annotators, an
    empty unit costing `empty`; the disorder of an alignment is the sum over its groups divided by
    the mean number of units per annotator [1]_ (eq. 6 and 7). The search is exact; if it reaches
    its limit of work, `proven` is false and `lower_bound` bounds the least disorder from below.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 10, "A"), ("bob", 0, 10, "B"), ("bob", 20, 30, "A")]
    ... )
    >>> best = un.best_alignment(text)
    >>> best
    Alignment(2 groups, disorder 1.3333, proven)
    >>> best.groups[1]
    (None, Unit(annotator='bob', start=20.0, end=30.0, label='A'))

    Ann annotated one unit where Bob annotated two; a soft alignment may use it twice.

    >>> split = un.Continuum.from_units([("ann", 0, 20), ("bob", 0, 9), ("bob", 11, 20)])
    >>> [len(un.best_alignment(split, soft=soft)) for soft in (False, True)]
    [2, 2]
    >>> [round(un.best_alignment(split, soft=soft).disorder, 3) for soft in (False, True)]
    [0.763, 0.192]
    """
    if not isinstance(continuum, Continuum):
        msg = (
            f"best_alignment expects a Continuum, got {type(continuum).__name__}; "
            "select a document of a Corpus with corpus[name]"
        )
        raise TypeError(msg)
    if len(continuum.annotators) < 2:
        msg = f"an alignment needs at least two annotators; {describe_annotators(continuum)}"
        raise DataError(msg)
    search = Search(soft=soft, gap_tolerance=gap_tolerance, time_limit=time_limit)
    chosen = CombinedDissimilarity() if dissimilarity is None else dissimilarity
    check_dissimilarity(chosen)
    fitted = chosen.fitted(continuum.labels, label_counts(continuum))
    found = aligned(columns_of(continuum), fitted, search=search)
    mean_units = len(continuum) / len(continuum.annotators)
    return alignment_of(continuum, found, fitted, mean_units, search)


def describe_annotators(continuum: Continuum) -> str:
    """Return a clause that names the annotators of a continuum with fewer than two."""
    if not continuum.annotators:
        return "there is none"
    return f"there is only {continuum.annotators[0]!r}"


def check_annotators(number: int) -> None:
    """Raise an error if a document has more annotators than the kernel can align."""
    if number > MOST_ANNOTATORS:
        msg = (
            f"a document can have up to {MOST_ANNOTATORS} annotators, got {number}; "
            "keep some of them with only(annotators=...), or leave out the document"
        )
        raise DataError(msg)


def columns_of(continuum: Continuum) -> Columns:
    """Return the columns of a continuum for the kernel."""
    check_annotators(len(continuum.annotators))
    return Columns(continuum.starts, continuum.ends, continuum.label_codes, continuum.offsets)


def aligned(
    columns: Columns,
    fitted: Fitted,
    *,
    search: Search = USUAL_SEARCH,
    confidence_factor: float = 1.0,
    effort: float = EFFORT_OBSERVED,
) -> Aligned:
    """Align the units of two or more annotators; label codes refer to the fitted labels."""
    pairs = None
    if fitted.cost is not None:
        # A batch of one document.
        n_annotators, n_units = np.array([len(columns.offsets) - 1]), np.array([len(columns[0])])
        units = UnitColumns(*columns[:3], fitted.labels)
        pairs = custom_pairs(units, np.diff(columns.offsets), n_annotators, fitted)
    found = align(
        *columns,
        fitted.distances,
        **fitted.weights,
        confidence_factor=confidence_factor,
        effort=effort,
        **search.for_kernel,
        pairs=None if pairs is None else pairs[1:],
    )
    groups, disorders, work = found["groups"], found["disorders"], found["work"]
    if pairs is not None:
        n_groups = np.array([len(groups)])
        disorders = custom_disorders(groups.ravel(), n_groups, n_annotators, n_units, pairs)
        work += int(pairs.work[0])
    total = float(disorders.sum())
    return Aligned(
        groups=groups,
        disorders=disorders,
        lower_bound=total if found["proven"] else min(total, found["lower_bound"]),
        proven=found["proven"],
        sums=LabelSums(
            found["label_disorder"],
            found["label_weight"],
            found["label_disorder_of"],
            found["label_weight_of"],
        ),
        work=work,
    )


def cheapest_pairs(
    columns: Columns, pairs: tuple[NDArray[np.int64], NDArray[np.int64], Floats]
) -> NDArray[np.int64]:
    """Return a one-to-one matching of the units of two annotators with the least total cost."""
    found = align(
        *columns,
        np.empty((0, 0)),
        label_count=int(columns.label_codes.max(initial=0)) + 1,
        position=1.0,
        label=0.0,
        power=2.0,
        confidence_factor=1.0,
        effort=EFFORT_MATCHING,
        **USUAL_SEARCH.for_kernel,
        pairs=pairs,
    )
    if not found["proven"]:
        msg = (
            "the best matching could not be proven, because too many units overlap; "
            "split the document into shorter parts"
        )
        raise DataError(msg)
    groups = found["groups"]
    return groups[(groups >= 0).all(axis=1)]


def alignment_of(
    continuum: Continuum,
    found: Aligned,
    fitted: Fitted,
    mean_units: float,
    search: Search = USUAL_SEARCH,
) -> Alignment:
    """Return the result of an alignment by the kernel, scaled by the cost of an empty unit."""
    settings = (
        ("dissim", fitted.text),
        *search.signature_items,
        ("annotators", continuum.annotators_from),
        ("data", continuum.digest[:8]),
        ("v", __version__),
    )
    return Alignment(
        continuum=continuum,
        indices=found.groups,
        group_disorders=found.disorders * fitted.empty,
        disorder=found.disorder(fitted, mean_units),
        lower_bound=found.disorder_bound(fitted, mean_units),
        proven=found.proven,
        dissimilarity=fitted.parameters,
        signature=Signature("alignment", settings),
    )


def successive(first: Integers, counts: Integers) -> Integers:
    """Return the concatenated ranges that begin at `first` and have `counts` numbers each."""
    begin = np.cumsum(counts) - counts
    return np.asarray(np.arange(int(counts.sum())) + np.repeat(first - begin, counts), np.int64)


class CustomPairs(NamedTuple):
    """Pairs of units of documents, in ascending order, with their custom costs."""

    counts: Integers
    """The number of pairs of each document."""
    first: Integers
    """Rows in the units of all documents."""
    second: Integers
    costs: Floats
    """In units of the cost of an empty unit."""

    def for_kernel(self, units_of: Integers) -> tuple[Integers, Integers, Integers, Floats]:
        """Return the columns of the pairs, with rows counted within each document."""
        begin = np.repeat(np.cumsum(units_of) - units_of, self.counts)
        return self.counts, self.first - begin, self.second - begin, self.costs

    @property
    def work(self) -> Integers:
        """The work of computing the costs of each document, in the unit of the kernel."""
        return _WORK_OF_CALL + _WORK_OF_PAIR * self.counts


def custom_pairs(
    units: UnitColumns,
    counts: Integers,
    annotators_of: Integers,
    fitted: Fitted,
    aligns: Booleans | None = None,
    *,
    pairs_at_once: int = _PAIRS_AT_ONCE,
) -> CustomPairs:
    """Compute the costs of all pairs of units of two annotators of each document, in blocks.

    Pairs that cannot belong to an optimal group are left out.
    """
    units = _with_own_labels(units)
    last = np.cumsum(annotators_of) - 1
    ends_of_annotators = np.cumsum(counts)
    units_of = np.diff(ends_of_annotators[last], prepend=0)
    document = np.repeat(np.arange(len(annotators_of)), units_of)
    # A unit is paired with the units of later annotators, which follow those of its own.
    begin = np.repeat(ends_of_annotators, counts)
    n_pairs = ends_of_annotators[last][document] - begin
    if aligns is not None:
        n_pairs *= aligns[document]
    before = np.cumsum(n_pairs) - n_pairs
    first_pair = np.concatenate((before, [0]))[np.cumsum(units_of) - units_of]
    # See pair_bound in the kernel.
    bounds = annotators_of - 1 + annotators_of * (annotators_of - 1) / 2
    blocks = before // pairs_at_once
    found = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    for block in np.unique(blocks[n_pairs > 0]).tolist():
        rows = np.flatnonzero(blocks == block)
        u = np.repeat(rows, n_pairs[rows])
        v = successive(begin[rows], n_pairs[rows])
        costs = _costs_of_rows(fitted, units, u, v)
        nth = before[rows[0]] + np.arange(len(u)) - first_pair[document[u]]
        tested = np.flatnonzero(nth < _PAIRS_TESTED)
        _check_symmetry(fitted, units, u[tested], v[tested], costs[tested])
        kept = costs < bounds[document[u]]
        found.append((u[kept], v[kept], costs[kept]))
    first, second, costs = (np.concatenate(column) for column in zip(*found, strict=True))
    return CustomPairs(
        np.bincount(document[first], minlength=len(annotators_of)), first, second, costs
    )


def custom_disorders(
    groups: NDArray[np.integer[Any]],
    groups_of: Integers,
    annotators_of: Integers,
    units_of: Integers,
    pairs: CustomPairs,
) -> Floats:
    """Return the disorder of each group (2015, eq. 6) from costs that are not quantized."""
    n_units = int(units_of.sum())
    places = pairs.first * n_units + pairs.second
    n_annotators = np.repeat(annotators_of, groups_of)
    first_unit = np.repeat(np.cumsum(units_of) - units_of, groups_of)
    first_member = np.cumsum(n_annotators) - n_annotators
    disorders = np.empty(len(n_annotators))
    for n in np.unique(n_annotators).tolist():
        chosen = np.flatnonzero(n_annotators == n)
        members = groups[first_member[chosen][:, None] + np.arange(n)].astype(np.int64)
        rows = np.where(members < 0, -1, members + first_unit[chosen][:, None])
        sums = np.zeros(len(chosen))
        for a in range(n - 1):
            for b in range(a + 1, n):
                both = np.flatnonzero((rows[:, a] >= 0) & (rows[:, b] >= 0))
                costs = np.ones(len(chosen))
                place = rows[both, a] * n_units + rows[both, b]
                costs[both] = pairs.costs[np.searchsorted(places, place)]
                sums += costs
        disorders[chosen] = sums / (n * (n - 1) / 2)
    return disorders


def _with_own_labels(units: UnitColumns) -> UnitColumns:
    """Return units without the labels that none of them has.

    A custom dissimilarity may fail because of a label; documents without it must not be affected.
    """
    used = np.flatnonzero(np.bincount(units.label_codes, minlength=len(units.labels)))
    codes = np.searchsorted(used, units.label_codes).astype(np.int32)
    labels = tuple(units.labels[code] for code in used.tolist())
    return units._replace(label_codes=codes, labels=labels)


def _costs_of_rows(fitted: Fitted, units: UnitColumns, u: Integers, v: Integers) -> Floats:
    one, other = (
        UnitColumns(units.starts[rows], units.ends[rows], units.label_codes[rows], units.labels)
        for rows in (u, v)
    )
    return pair_costs(fitted, one, other)


def _check_symmetry(
    fitted: Fitted, units: UnitColumns, u: Integers, v: Integers, costs: Floats
) -> None:
    if not u.size:
        return
    back = _costs_of_rows(fitted, units, v, u)
    unlike = np.flatnonzero(~np.isclose(costs, back, rtol=1e-9, atol=1e-12))
    if unlike.size:
        at = unlike[0]
        msg = (
            "a custom dissimilarity must be symmetric; for the units that start at "
            f"{units.starts[u[at]]} and {units.starts[v[at]]} it returned "
            f"{costs[at] * fitted.empty} in one order and {back[at] * fitted.empty} in the other"
        )
        raise DataError(msg)
