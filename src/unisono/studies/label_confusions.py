"""Which labels annotators give to the same unit, weighed as γcat weighs them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError
from unisono.measures.gamma.alignment import read_only
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import positional
from unisono.measures.gamma.result import GammaResult
from unisono.model.labels import label_order
from unisono.results.agreement import Signature
from unisono.results.record import Pictured, Record, plain_label
from unisono.results.wording import count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Alignment
    from unisono.model.labels import Label

__all__ = ["LabelPairs", "label_pairs_of"]

_POWER = re.compile(r"power=([^,\]]+)")
_POSITION = re.compile(r"\bpos=([^,\]]+)")
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LabelPairs(Record, Pictured):
    """How often two labels stand side by side in a group, and how much that weighs in γcat.

    Parameters
    ----------
    labels
        The labels, in order.
    weights
        Σ weight of the pairs of units with these two labels, a row and a column a label; the
        table is symmetric, a pair of unlike labels stands in both halves.
    pairs
        How many pairs there are, in the same way.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 9, "A"), ("ann", 20, 30, "B"), ("bob", 0, 9, "A"), ("bob", 20, 30, "A")]
    ... )
    >>> found = un.label_pairs_of(un.gamma(text, draws=30, rng=1))
    >>> found
    LabelPairs(2 labels, 2 pairs)
    >>> found.shares.tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """

    labels: tuple[Label | None, ...]
    weights: NDArray[np.float64]
    pairs: NDArray[np.int64]
    signature: Signature

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", read_only(self.weights, np.float64))
        object.__setattr__(self, "pairs", read_only(self.pairs, np.int64))

    @property
    def total(self) -> float:
        """The weight of all pairs, each counted once: that of γcat.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> result = un.gamma(text, draws=30, rng=1)
        >>> abs(un.label_pairs_of(result).total - result.cat.weight) < 1e-9
        True
        """
        return float(np.triu(self.weights).sum())

    @property
    def shares(self) -> NDArray[np.float64]:
        """Of the weight of pairs with a unit of the row's label, how much has the column's label.

        Rows add up to 1; they are NaN where no pair has the label. With nominal labels, 1 minus
        the diagonal is the disagreement that γk observes.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "A"), ("bob", 0, 9, "B")])
        >>> un.label_pairs_of(un.gamma(text, draws=30, rng=1)).shares.tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        sums = self.weights.sum(axis=1, keepdims=True)
        shares = np.full(self.weights.shape, np.nan)
        np.divide(self.weights, sums, out=shares, where=sums > 0.0)
        return shares

    def __repr__(self) -> str:
        n_pairs = int(np.triu(self.pairs).sum())
        return f"LabelPairs({count(len(self.labels), 'label')}, {count(n_pairs, 'pair')})"

    def to_dict(self) -> dict[str, Any]:
        """Give all as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "A"), ("bob", 0, 9, "B")])
        >>> un.label_pairs_of(un.gamma(text, draws=30, rng=1)).to_dict()["pairs"]
        [[0, 1], [1, 0]]
        """
        return {
            "labels": [plain_label(label) for label in self.labels],
            "weights": self.weights.tolist(),
            "pairs": self.pairs.tolist(),
            "signature": str(self.signature),
        }


def label_pairs_of(result: GammaResult) -> LabelPairs:
    """Count which labels stand side by side in the groups of the best alignment.

    Parameters
    ----------
    result
        What `gamma` gave; of a corpus the documents are added up.

    Returns
    -------
    LabelPairs
        The weights are those of γcat: a pair counts for less the less its positions agree, and
        units of a large group share theirs.

    Raises
    ------
    DataError
        If there is no alignment.

    Notes
    -----
    A pair weighs max(0, 1 − d_pos) / (n_v − 1), n_v the number of units of its group [1]_
    (Algorithm 1).

    References
    ----------
    .. [1] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), 661–681.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> un.label_pairs_of(un.gamma(text, draws=30, rng=1)).labels
    ('answer', 'aside', 'question')
    """
    if not isinstance(result, GammaResult):
        msg = f"label_pairs_of takes a GammaResult, got {type(result).__name__}"
        raise TypeError(msg)
    each = result.documents or {"": result}
    alignments = [one.alignment for one in each.values() if one.alignment is not None]
    if not alignments:
        msg = f"there is no alignment with pairs: {result.undefined or 'there are no units'}"
        raise DataError(msg)
    known = {label for alignment in alignments for label in alignment.continuum.labels}
    labels = tuple(sorted(known, key=label_order))
    place = {label: at for at, label in enumerate(labels)}
    weights = np.zeros((len(labels), len(labels)))
    pairs = np.zeros((len(labels), len(labels)), dtype=np.int64)
    told = str(result.signature)
    power = float(found[1]) if (found := _POWER.search(told)) else 2.0
    weighed = chance_rules(result.signature["chance"]).trusts_by_weighted_position
    factor = float(found[1]) if weighed and (found := _POSITION.search(told)) else 1.0
    for alignment in alignments:
        codes = np.array([place[label] for label in alignment.continuum.labels], dtype=np.int64)
        _add(alignment, codes, weights, pairs, power=power, factor=factor)
    counted = LabelPairs(
        labels=labels,
        weights=weights,
        pairs=pairs,
        signature=Signature("label_pairs", result.signature.settings),
    )
    _check(counted, result)
    return counted


def _add(
    alignment: Alignment,
    codes: NDArray[np.int64],
    weights: NDArray[np.float64],
    pairs: NDArray[np.int64],
    *,
    power: float,
    factor: float,
) -> None:
    continuum, indices = alignment.continuum, alignment.indices
    of_unit = codes[continuum.label_codes] if len(continuum) else np.empty(0, np.int64)
    real = (indices >= 0).sum(axis=1)
    n = len(weights)
    for a, b in combinations(range(indices.shape[1]), 2):
        group = np.flatnonzero((indices[:, a] >= 0) & (indices[:, b] >= 0))
        u, v = indices[group, a], indices[group, b]
        starts, ends = continuum.starts, continuum.ends
        apart = positional(starts[u], ends[u], starts[v], ends[v], power)
        weight = np.maximum(0.0, 1.0 - factor * apart) / (real[group] - 1)
        low, high = np.minimum(of_unit[u], of_unit[v]), np.maximum(of_unit[u], of_unit[v])
        keys = low * n + high
        sums = np.bincount(keys, weight, minlength=n * n).reshape(n, n)
        counts = np.bincount(keys, minlength=n * n).reshape(n, n)
        # Once on the diagonal, and in both halves beside it.
        weights += sums + np.triu(sums, 1).T
        pairs += counts + np.triu(counts, 1).T


def _check(counted: LabelPairs, result: GammaResult) -> None:
    """Refuse to show other weights than those of γcat, as an own dissimilarity might have them."""
    weight = result.cat.weight
    if weight is None or math.isclose(counted.total, weight, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
        return
    msg = (
        f"the pairs of labels weigh {counted.total:.6g}, but {weight:.6g} in γcat: "
        "they cannot be told from this result"
    )
    raise DataError(msg)
