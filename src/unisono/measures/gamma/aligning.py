"""The best alignment of everybody's units: the door to the kernel for one continuum."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono._core import align
from unisono.errors import DataError
from unisono.measures.gamma.alignment import Alignment
from unisono.measures.gamma.dissimilarity import Combined, check_dissimilarity
from unisono.measures.gamma.fitted import UnitColumns, label_counts, pair_costs
from unisono.measures.gamma.searching import USUAL_SEARCH, Search
from unisono.model.continuum import Continuum
from unisono.results.signature import Signature
from unisono.version import __version__

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.fitted import Fitted
    from unisono.model.arrays import Floats

__all__ = [
    "EFFORT_DRAW",
    "EFFORT_OBSERVED",
    "MOST_ANNOTATORS",
    "Aligned",
    "Columns",
    "LabelSums",
    "aligned",
    "alignment_of",
    "annotators_told",
    "best_alignment",
    "cheapest_pairs",
    "columns_of",
]

# The kernel's limits count work, not time. The observed continuum is solved once and every draw
# many times, so it may take ten times as much.
EFFORT_OBSERVED = 10.0
EFFORT_DRAW = 1.0
# A matching of two annotators has no bound to fall back on: it is finished, whatever it takes.
EFFORT_MATCHING = 1e6
# Beyond, sums of costs would leave the range of whole numbers.
MOST_ANNOTATORS = 150
_PAIRS_AT_ONCE = 1_000_000


class Columns(NamedTuple):
    """What the kernel takes of a continuum: rows by annotator, and where each annotator begins."""

    starts: Floats
    ends: Floats
    label_codes: NDArray[np.int32]
    offsets: NDArray[np.int64]


class LabelSums(NamedTuple):
    """Σ weight·d_cat and Σ weight of Mathet (2017), Algorithm 1: in all, and for each label."""

    disorder: float
    weight: float
    disorder_of: Floats
    weight_of: Floats


class Aligned(NamedTuple):
    """What the kernel found for one continuum, in units of the empty cost."""

    groups: NDArray[np.int64]
    disorders: Floats
    lower_bound: float
    proven: bool
    sums: LabelSums

    @property
    def disorder_sum(self) -> float:
        """The sum of the group disorders, before it is divided by the mean number of units."""
        return float(self.disorders.sum())

    def disorder(self, fitted: Fitted, mean_units: float) -> float:
        """Give the disorder of the alignment (2015, eq. 7) in the user's units."""
        return self.disorder_sum / mean_units * fitted.empty if len(self.disorders) else 0.0

    def disorder_bound(self, fitted: Fitted, mean_units: float) -> float:
        """Give what no alignment can be below; the disorder itself when that is proven."""
        return self.lower_bound / mean_units * fitted.empty if len(self.disorders) else 0.0


def best_alignment(
    continuum: Continuum,
    *,
    dissimilarity: Dissimilarity | None = None,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
) -> Alignment:
    """Find which units the annotators share: the alignment of all units with the least disorder.

    Parameters
    ----------
    continuum
        What was annotated, by at least two annotators.
    dissimilarity
        What it costs to align two units; `Combined()` by default.
    soft
        Whether a unit may be in more than one group, so that one unit of an annotator can answer
        to two shorter ones of another.
    gap_tolerance
        Stop once the disorder is certainly within this part of the best, such as 0.001; 0 looks
        for the best itself.
    time_limit
        Seconds after which the best found so far is given, with its gap. What is found then
        depends on the machine, so the signature tells the limit; without one only work is limited,
        and the same data always give the same alignment.

    Returns
    -------
    Alignment
        The groups with their disorders; `proven` says that no alignment has less disorder. Of
        several best ones always the same: the finest, then the first in a fixed order of units.

    Raises
    ------
    DataError
        If there are fewer than two annotators, or a label has no distance.
    SettingError
        If a setting cannot be used.

    Notes
    -----
    The disorder of a group is the mean dissimilarity over its n(n−1)/2 pairs of annotators, an
    empty place costing `empty`; the disorder of an alignment is the sum over its groups divided by
    the mean number of units of an annotator [1]_ (eq. 6 and 7). The search is exact; where its
    limits of work are reached, `proven` is false and `lower_bound` says how far it may be off.

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

    Ann saw one unit where Bob saw two: a soft alignment may use it twice.

    >>> split = un.Continuum.from_units([("ann", 0, 20), ("bob", 0, 9), ("bob", 11, 20)])
    >>> [len(un.best_alignment(split, soft=soft)) for soft in (False, True)]
    [2, 2]
    >>> [round(un.best_alignment(split, soft=soft).disorder, 3) for soft in (False, True)]
    [0.763, 0.192]
    """
    if not isinstance(continuum, Continuum):
        msg = (
            f"best_alignment takes one Continuum, got {type(continuum).__name__}; "
            "of a Corpus choose a document: corpus[name]"
        )
        raise TypeError(msg)
    if len(continuum.annotators) < 2:
        msg = f"an alignment needs two annotators or more; here {annotators_told(continuum)}"
        raise DataError(msg)
    search = Search(soft=soft, gap_tolerance=gap_tolerance, time_limit=time_limit)
    chosen = Combined() if dissimilarity is None else dissimilarity
    check_dissimilarity(chosen)
    fitted = chosen.fitted(continuum.labels, label_counts(continuum))
    found = aligned(columns_of(continuum), fitted, search=search)
    mean_units = len(continuum) / len(continuum.annotators)
    return alignment_of(continuum, found, fitted, mean_units, search)


def annotators_told(continuum: Continuum) -> str:
    """Say who the annotators are where they are too few."""
    if not continuum.annotators:
        return "there is none"
    return f"there is only {continuum.annotators[0]!r}"


def check_annotators(continuum: Continuum, document: str = "") -> None:
    """Refuse a document with more annotators than can be aligned."""
    n = len(continuum.annotators)
    if n > MOST_ANNOTATORS:
        where = f"document {document!r}: " if document else ""
        msg = (
            f"{where}one document can be aligned for up to {MOST_ANNOTATORS} annotators; "
            f"here are {n}: keep some of them, or leave the document out"
        )
        raise DataError(msg)


def columns_of(continuum: Continuum) -> Columns:
    """Take the kernel's columns of a continuum."""
    check_annotators(continuum)
    return Columns(continuum.starts, continuum.ends, continuum.label_codes, continuum.offsets)


def aligned(
    columns: Columns,
    fitted: Fitted,
    *,
    search: Search = USUAL_SEARCH,
    confidence_factor: float = 1.0,
    effort: float = EFFORT_OBSERVED,
) -> Aligned:
    """Align units of two annotators or more; codes are those of the fitted labels."""
    pairs = None if fitted.cost is None else _own_pairs(columns, fitted)
    found = align(
        *columns,
        fitted.distances,
        **fitted.weights,
        confidence_factor=confidence_factor,
        effort=effort,
        **search.for_kernel,
        pairs=pairs,
    )
    disorders = found["disorders"]
    if fitted.cost is not None:
        disorders = _own_disorders(columns, fitted, found["groups"])
    total = float(disorders.sum())
    return Aligned(
        groups=found["groups"],
        disorders=disorders,
        lower_bound=total if found["proven"] else min(total, found["lower_bound"]),
        proven=found["proven"],
        sums=LabelSums(
            found["label_disorder"],
            found["label_weight"],
            found["label_disorder_of"],
            found["label_weight_of"],
        ),
    )


def cheapest_pairs(
    columns: Columns, pairs: tuple[NDArray[np.int64], NDArray[np.int64], Floats]
) -> NDArray[np.int64]:
    """Match units of two annotators one to one, at the least cost in all.

    Parameters
    ----------
    columns
        The units of both; positions only decide which of several best matchings is given.
    pairs
        Rows of the first annotator, rows of the second and what each such pair costs; other pairs
        cannot be matched. A unit left alone costs 1. Costs are rounded to 2⁻⁴⁰.

    Returns
    -------
    ndarray
        A line a matched pair: the row of the first annotator and that of the second.

    Raises
    ------
    DataError
        If the matching could not be proven to be the best.

    Examples
    --------
    >>> import numpy as np
    >>> at = np.arange(4.0)
    >>> columns = Columns(at, at + 1, np.zeros(4, np.int32), np.array([0, 2, 4]))
    >>> first, second, cost = np.array([0, 0, 1]), np.array([2, 3, 2]), np.array([0.0, 0.5, 0.5])
    >>> cheapest_pairs(columns, (first, second, cost)).tolist()
    [[0, 3], [1, 2]]
    """
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
            "the units overlap so much that no best matching of them could be proven; "
            "measure a part of the document"
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
    """Make the result of what the kernel found, in the user's units."""
    settings = (
        ("dissim", fitted.text),
        *search.told,
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
        signature=Signature("alignment", settings),
    )


def _own_pairs(
    columns: Columns, fitted: Fitted
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Ask a user's own dissimilarity about every pair of units of two annotators, in blocks."""
    rows_u: list[NDArray[np.int64]] = []
    rows_v: list[NDArray[np.int64]] = []
    costs: list[Floats] = []
    n = len(columns.offsets) - 1
    # Above this a pair is in no optimal group (see pair_bound in the kernel): not kept.
    bound = n - 1 + n * (n - 1) / 2
    for annotator in range(n - 1):
        later = np.arange(columns.offsets[annotator + 1], columns.offsets[n])
        mine = np.arange(columns.offsets[annotator], columns.offsets[annotator + 1])
        at_once = max(1, _PAIRS_AT_ONCE // max(1, len(later)))
        for first in range(0, len(mine), at_once):
            some = mine[first : first + at_once]
            u, v = np.repeat(some, len(later)), np.tile(later, len(some))
            if not u.size:
                continue
            block = _own_costs(columns, fitted, u, v)
            if not rows_u:
                _check_symmetry(columns, fitted, u[:1000], v[:1000], block[:1000])
            kept = block < bound
            rows_u.append(u[kept])
            rows_v.append(v[kept])
            costs.append(block[kept])
    if not rows_u:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    return np.concatenate(rows_u), np.concatenate(rows_v), np.concatenate(costs)


def _own_costs(
    columns: Columns, fitted: Fitted, u: NDArray[np.int64], v: NDArray[np.int64]
) -> Floats:
    def taken(rows: NDArray[np.int64]) -> UnitColumns:
        return UnitColumns(
            columns.starts[rows], columns.ends[rows], columns.label_codes[rows], fitted.labels
        )

    return pair_costs(fitted, taken(u), taken(v))


def _check_symmetry(
    columns: Columns,
    fitted: Fitted,
    u: NDArray[np.int64],
    v: NDArray[np.int64],
    costs: Floats,
) -> None:
    back = _own_costs(columns, fitted, v, u)
    unlike = np.flatnonzero(~np.isclose(costs, back, rtol=1e-9, atol=1e-12))
    if unlike.size:
        at = unlike[0]
        msg = (
            "a dissimilarity must be symmetric, but the own one gives "
            f"{costs[at] * fitted.empty} one way and {back[at] * fitted.empty} the other for the "
            f"units at {columns.starts[u[at]]} and {columns.starts[v[at]]}"
        )
        raise DataError(msg)


def _own_disorders(columns: Columns, fitted: Fitted, groups: NDArray[np.int64]) -> Floats:
    # Eq. 6 with the user's own costs, exact rather than as quantised for the search.
    n = groups.shape[1]
    sums = np.zeros(len(groups))
    for a in range(n - 1):
        for b in range(a + 1, n):
            both = np.flatnonzero((groups[:, a] >= 0) & (groups[:, b] >= 0))
            costs = np.ones(len(groups))
            if both.size:
                costs[both] = _own_costs(columns, fitted, groups[both, a], groups[both, b])
            sums += costs
    disorders: Floats = sums / (n * (n - 1) / 2)
    return disorders
