"""Counts of the label pairs in aligned units or rated items, weighted as in γcat or α."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import DataError
from unisono.measures.data import of_data
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import positional
from unisono.measures.gamma.result import GammaAgreement
from unisono.measures.items.coefficients import pair_weights
from unisono.measures.items.disagreement import pairs_of_cells
from unisono.measures.items.rows import Rows, weighted_counts
from unisono.model.labels import label_order
from unisono.model.ratings import Ratings
from unisono.results.data import OfData
from unisono.results.record import label_keys, record
from unisono.results.sheet import Sheet, Table, columns, figure
from unisono.results.values import Signature
from unisono.results.wording import count
from unisono.version import __version__

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.items.coefficients import MissingPolicy
    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label

__all__ = ["ITEM_PAIRS", "LabelConfusions", "label_confusions", "rated_label_pairs"]

_ROUNDING = 1e-9


@record
class LabelConfusions(OfData):
    """How often two labels occur together in a group or an item, and their weight in γcat or α.

    Parameters
    ----------
    labels
        The labels, in order.
    weights
        Total weight of the pairs of units with these two labels, one row and one column per label;
        the matrix is symmetric, so a pair of different labels is in both halves.
    pairs
        Number of pairs of units, in the same layout.
    signature
        All settings that affect a number.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 9, "A"), ("ann", 20, 30, "B"), ("bob", 0, 9, "A"), ("bob", 20, 30, "A")]
    ... )
    >>> found = un.label_confusions(un.gamma(text, draws=30, rng=1))
    >>> found
    LabelConfusions(2 labels, 2 pairs)
    >>> found.shares.tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """

    labels: tuple[Label | None, ...]
    weights: Floats
    pairs: Integers
    signature: Signature

    @property
    def total(self) -> float:
        """The weight of all pairs, each counted once; for units it equals the weight of γcat.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> result = un.gamma(text, draws=30, rng=1)
        >>> abs(un.label_confusions(result).total - result.gamma_cat.weight) < 1e-9
        True
        """
        return float(np.triu(self.weights).sum())

    @property
    def shares(self) -> Floats:
        """The distribution of the column's labels among the pairs that contain the row's label.

        Each row sums to 1, or is NaN if no pair has the label. With nominal labels, 1 minus
        the diagonal is the disagreement that γk observes.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "A"), ("bob", 0, 9, "B")])
        >>> un.label_confusions(un.gamma(text, draws=30, rng=1)).shares.tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        sums = self.weights.sum(axis=1, keepdims=True)
        shares = np.full(self.weights.shape, np.nan)
        np.divide(self.weights, sums, out=shares, where=sums > 0.0)
        return shares

    def __repr__(self) -> str:
        n_pairs = int(np.triu(self.pairs).sum())
        return f"LabelConfusions({count(len(self.labels), 'label')}, {count(n_pairs, 'pair')})"

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the pairs, in descending order of weight.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "A"), ("bob", 0, 9, "B")])
        >>> print(un.label_confusions(un.gamma(text, draws=30, rng=1)))
        label  and label  pairs  weight    share
        A              B      1  1.0000  100.0 %
        """
        keys = list(label_keys(self.labels).values())
        total = self.total
        found = np.argwhere(np.triu(self.pairs) > 0).tolist()
        pairs = Table(
            name="label_pair",
            columns=columns("label_a label_b n_pairs weight share"),
            rows=[
                (
                    *(keys[a], keys[b], int(self.pairs[a, b]), float(self.weights[a, b])),
                    float(self.weights[a, b] / total) if total > 0.0 else math.nan,
                )
                for a, b in found
            ],
            noun="pair",
            limited=True,
            worst_first=lambda row: (-row[3], row[:2]),
        )
        return Sheet(
            name="label_pairs",
            title=title,
            tables=(pairs,),
            figures=(figure("confusion", self),),
            signatures=(self.signature,),
        )


ITEM_PAIRS = "item_label_pairs"
"""The name in the signature of pairs of labels of the same items."""


@of_data
def label_confusions(result: GammaAgreement | Ratings) -> LabelConfusions:
    """Count which labels occur together in the groups of the best alignment, or in items.

    Parameters
    ----------
    result
        The result of `gamma`; for a corpus, the counts of its documents are summed. Or ratings.

    Returns
    -------
    LabelConfusions
        The weights are those of γcat: a pair weighs less the less its positions agree, and the
        weight of a unit is divided among its partners in the group. For ratings they are those of
        α: a pair of an item with m ratings weighs 1 / (m − 1).

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
    >>> un.label_confusions(un.gamma(text, draws=30, rng=1)).labels
    ('answer', 'aside', 'question')
    """
    if isinstance(result, Ratings):
        return rated_label_pairs(result)
    if not isinstance(result, GammaAgreement):
        msg = f"label_confusions takes a GammaAgreement or Ratings, got {type(result).__name__}"
        raise TypeError(msg)
    each = result.documents or {"": result}
    alignments = [one.alignment for one in each.values() if one.alignment is not None]
    if not alignments:
        msg = f"the result has no alignment: {result.undefined or 'there are no units'}"
        raise DataError(msg)
    known = {label for alignment in alignments for label in alignment.continuum.labels}
    labels = tuple(sorted(known, key=label_order))
    place = {label: at for at, label in enumerate(labels)}
    weights = np.zeros((len(labels), len(labels)))
    pairs = np.zeros((len(labels), len(labels)), dtype=np.int64)
    power, factor = result.dissimilarity.exponent, 1.0
    if chance_rules(result.signature["chance"]).trusts_by_weighted_position:
        factor = result.dissimilarity.position
    for alignment in alignments:
        codes = np.array([place[label] for label in alignment.continuum.labels], dtype=np.int64)
        _add(alignment, codes, weights, pairs, power=power, factor=factor)
    counted = LabelConfusions(
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
        distances = positional(starts[u], ends[u], starts[v], ends[v], power)
        weight = np.maximum(0.0, 1.0 - factor * distances) / (real[group] - 1)
        low, high = np.minimum(of_unit[u], of_unit[v]), np.maximum(of_unit[u], of_unit[v])
        keys = low * n + high
        sums = np.bincount(keys, weight, minlength=n * n).reshape(n, n)
        counts = np.bincount(keys, minlength=n * n).reshape(n, n)
        # Pairs of one label count once, on the diagonal; all others in both halves.
        weights += sums + np.triu(sums, 1).T
        pairs += counts + np.triu(counts, 1).T


def _check(counted: LabelConfusions, result: GammaAgreement) -> None:
    """Raise `DataError` if the weights differ from γcat, as with a custom dissimilarity."""
    weight = result.gamma_cat.weight
    if weight is None or math.isclose(counted.total, weight, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
        return
    msg = (
        f"the label pairs have a total weight of {counted.total:.6g}, but γcat has {weight:.6g}; "
        "label pairs need a built-in dissimilarity"
    )
    raise DataError(msg)


def rated_label_pairs(ratings: Ratings, *, missing: MissingPolicy = "values") -> LabelConfusions:
    """Count which labels the same items have, with the weights of α."""
    rows, times = Rows.of(ratings), ratings.times.astype(np.float64)
    weights = pair_weights(rows, missing)
    cells, n = rows.cells, len(rows.labels)
    is_used = weights > 0.0
    pairs, weighted = np.zeros((n, n)), np.zeros((n, n))
    same = times[cells.rows] * is_used[cells.rows] * cells.counts * (cells.counts - 1) / 2.0
    np.fill_diagonal(pairs, weighted_counts(cells.labels, same, n))
    np.fill_diagonal(weighted, weighted_counts(cells.labels, same * weights[cells.rows], n))
    for of_rows, left, right in pairs_of_cells(rows, most_labels=None):
        both = times[of_rows] * is_used[of_rows] * cells.counts[left] * cells.counts[right]
        keys = cells.labels[left] * n + cells.labels[right]
        for table, numbers in ((pairs, both), (weighted, both * weights[of_rows])):
            sums = weighted_counts(keys, numbers, n * n).reshape(n, n)
            np.add(table, sums + sums.T, out=table)
    settings = (("missing", missing), ("data", ratings.digest[:8]), ("v", __version__))
    return LabelConfusions(
        labels=ratings.labels,
        weights=weighted,
        pairs=pairs.astype(np.int64),
        signature=Signature(ITEM_PAIRS, settings),
    )
