"""Distances between two sets: how much they share, from 0 (the same) to 1 (nothing)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.model.labels import as_label

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from unisono.model.arrays import Floats
    from unisono.model.labels import Label

__all__ = ["SETS", "as_set", "dice_distance", "jaccard_distance", "masi_distance"]


def jaccard_distance(left: Collection[object], right: Collection[object]) -> float:
    """Say what part of two sets taken together is not in both: 0 if they are equal.

    Parameters
    ----------
    left, right
        Sets or lists of labels. A plain label, texts included, is the set of itself.

    Returns
    -------
    float
        ``1 − |P∩Q|/|P∪Q|`` [1]_; 0 for two empty sets, 1 for an empty and another one.

    Raises
    ------
    DataError
        If a member is missing.
    TypeError
        If a member is neither text nor number.

    References
    ----------
    .. [1] Jaccard, P. (1912). The distribution of the flora in the alpine zone. New Phytologist
       11(2).

    Examples
    --------
    >>> import unisono as un
    >>> un.jaccard_distance({"joy", "pride"}, {"joy"})
    0.5
    >>> un.jaccard_distance({1, 2}, {2, 3})
    0.6666666666666666
    """
    return _distance(left, right, _jaccard)


def dice_distance(left: Collection[object], right: Collection[object]) -> float:
    """Say what part of the members of two sets is not shared: 0 if they are equal.

    Parameters
    ----------
    left, right
        Sets or lists of labels. A plain label, texts included, is the set of itself.

    Returns
    -------
    float
        ``1 − 2|P∩Q|/(|P|+|Q|)`` [1]_; 0 for two empty sets.

    Raises
    ------
    DataError
        If a member is missing.
    TypeError
        If a member is neither text nor number.

    References
    ----------
    .. [1] Dice, L. R. (1945). Measures of the amount of ecologic association between species.
       Ecology 26(3).

    Examples
    --------
    >>> import unisono as un
    >>> un.dice_distance({"joy", "pride"}, {"joy"})
    0.3333333333333333
    """
    return _distance(left, right, _dice)


def masi_distance(left: Collection[object], right: Collection[object]) -> float:
    """Say how far two sets are apart, sparing the one that is part of the other.

    Parameters
    ----------
    left, right
        Sets or lists of labels. A plain label, texts included, is the set of itself.

    Returns
    -------
    float
        ``1 − J·M`` [1]_: J is the Jaccard overlap ``|P∩Q|/|P∪Q|``; M is 1 for equal sets, 2/3 if
        one contains the other, 1/3 if they overlap otherwise, and 0 if they do not. The thirds
        are exact. 0 for two empty sets, 1 for an empty and another one.

    Raises
    ------
    DataError
        If a member is missing.
    TypeError
        If a member is neither text nor number.

    References
    ----------
    .. [1] Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and
       pragmatic annotation. LREC 2006.

    Examples
    --------
    >>> import unisono as un
    >>> un.masi_distance({"A"}, {"A", "B"})
    0.6666666666666666
    >>> un.masi_distance(["A", "B"], ["B", "C"])
    0.8888888888888888
    """
    return _distance(left, right, _masi)


def as_set(label: Label) -> frozenset[str | int | float]:
    """Take a plain label for the set of itself.

    Examples
    --------
    >>> as_set("NP")
    frozenset({'NP'})
    """
    return label if isinstance(label, frozenset) else frozenset([label])


def _jaccard(left: Floats, right: Floats, shared: Floats) -> Floats:
    union = left + right - shared
    return _over(union - shared, union)


def _dice(left: Floats, right: Floats, shared: Floats) -> Floats:
    both = left + right
    return _over(both - 2.0 * shared, both)


def _masi(left: Floats, right: Floats, shared: Floats) -> Floats:
    union = left + right - shared
    smaller = np.minimum(left, right)
    # Passonneau (2006): M = 1, 2/3, 1/3 or 0; in whole thirds, so that nothing is rounded twice.
    thirds = np.select([union == shared, smaller == shared, shared > 0.0], [3.0, 2.0, 1.0], 0.0)
    return _over(3.0 * union - shared * thirds, 3.0 * union)


def _over(part: Floats, whole: Floats) -> Floats:
    # Two empty sets are equal: 0 of 0 is 0.
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0.0)


SETS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "jaccard": _jaccard,
    "dice": _dice,
    "masi": _masi,
}
"""Set distances by name, from |P|, |Q| and |P∩Q|."""


def _distance(
    left: Collection[object],
    right: Collection[object],
    formula: Callable[[Floats, Floats, Floats], Floats],
) -> float:
    one, other = _as_given_set(left), _as_given_set(right)
    sizes = (np.array([float(size)]) for size in (len(one), len(other), len(one & other)))
    return float(formula(*sizes)[0])


def _as_given_set(given: Collection[object]) -> frozenset[str | int | float]:
    label = as_label(given)
    if label is None:
        msg = f"a set distance compares sets of labels; got {given!r}, which is no label"
        raise TypeError(msg)
    return as_set(label)
