"""What missing values do to pairs: how much each pair of values in an item weighs.

Mathet (2017), §3, compares four ways for an item with n values:

======  =====================  ==========================================================
values  1/(n − 1) a pair       every value weighs the same; Krippendorff's own, and the default
items   1/(n(n − 1)/2) a pair  every item weighs the same; Gwet's own
pairs   1 a pair               every pair weighs the same
remove  1 a pair               only items with a value of every annotator are kept
======  =====================  ==========================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from unisono.errors import SettingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.items.rows import Rows
    from unisono.model.arrays import Floats


MissingPolicy: TypeAlias = Literal["values", "items", "pairs", "remove"]
MISSING_POLICIES: tuple[MissingPolicy, ...] = get_args(MissingPolicy)


def check_missing(missing: str) -> None:
    """Refuse a policy that does not exist.

    Examples
    --------
    >>> check_missing("values")
    >>> check_missing("drop")
    Traceback (most recent call last):
        ...
    unisono.errors.SettingError: unknown missing 'drop'; choose one of values, items, pairs, remove
    """
    if missing not in MISSING_POLICIES:
        msg = f"unknown missing {missing!r}; choose one of {', '.join(MISSING_POLICIES)}"
        raise SettingError(msg)


def pairable(rows: Rows, missing: MissingPolicy) -> NDArray[np.bool_]:
    """Say which rows have pairs that count."""
    several: NDArray[np.bool_] = rows.sizes >= 2
    if missing == "remove":
        several &= rows.sizes == rows.n_annotators
    return several


def pair_weights(rows: Rows, missing: MissingPolicy) -> Floats:
    """Give the weight of each pair of values of each row; 0 where no pair counts."""
    counts = pairable(rows, missing)
    sizes = rows.sizes.astype(np.float64)
    others = np.maximum(sizes - 1.0, 1.0)
    # Mathet (2017), §3: VL, IL, and PL and RM.
    if missing == "values":
        weights = 1.0 / others
    elif missing == "items":
        weights = 2.0 / (sizes * others)
    else:
        weights = np.ones(len(sizes))
    return np.where(counts, weights, 0.0)


def value_weights(rows: Rows, missing: MissingPolicy) -> Floats:
    """Give the weight of each value of each row among the values that make up chance.

    Values without a partner tell nothing and are left out, but for the policy ``items``: Gwet
    (2014) takes the mean over all items of the shares that labels have in them.
    """
    if missing == "items":
        return 1.0 / rows.sizes
    return pairable(rows, missing).astype(np.float64)


def annotator_weights(rows: Rows, missing: MissingPolicy) -> Floats:
    """Give the weight of each value of each row among the values of its annotator.

    As `value_weights`; with the policy ``items`` all values of an annotator count, alike.
    """
    if missing == "items":
        return np.ones(rows.n_rows)
    return pairable(rows, missing).astype(np.float64)
