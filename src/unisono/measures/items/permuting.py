"""Whether annotators agree at all: what shuffled labels would have given."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError
from unisono.measures.dice import Dice, seed_of
from unisono.measures.items.names import coefficient_of, function_of
from unisono.measures.items.relabelling import Relabelled
from unisono.measures.items.unmerging import each_item
from unisono.measures.settings import check_count
from unisono.model.ratings import Ratings
from unisono.results.signing import signed

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unisono.measures.items.items_result import ItemsAgreement

__all__ = ["permutation_test"]

_STREAM = 3
# Shuffling holds some 40 bytes for each rating.
_MOST_RATINGS = 50_000_000
_ROUNDING = 1e-12
# Random bits that hardly ever are the same for two of millions of ratings.
_FINE = 40


def permutation_test(
    measure: str | Callable[..., ItemsAgreement],
    ratings: Ratings,
    *,
    n: int = 1000,
    rng: int | np.random.Generator | None = 0,
    **settings: Any,  # noqa: ANN401 - the settings of any measure
) -> ItemsAgreement:
    """Say how often annotators who label at random would agree as much as these do.

    Parameters
    ----------
    measure
        One of the coefficients on items, or its name.
    ratings
        The ratings.
    n
        How many times to shuffle.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It is
        shown in the signature.
    **settings
        The settings of the measure.

    Returns
    -------
    ItemsAgreement
        What the measure gives, with its `p_value`: (1 + shuffles that agree as much or more) /
        (1 + shuffles). Shuffles without a value are left out and counted in `notes`.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If the measure cannot be used on these ratings, or they are too many to shuffle.

    Notes
    -----
    Each annotator keeps the items rated and the labels given, in random order: if annotators
    looked at nothing, every order would be as likely [1]_. Where it is not known who
    gave which label, all labels are shuffled together. A small p-value says that agreement is no
    accident, not that it is good: with many items, hardly any agreement is enough.

    References
    ----------
    .. [1] Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.

    Examples
    --------
    >>> import unisono as un
    >>> table = {"ann": "aabbcabcba", "bob": "aabbcabcbb", "eve": "abbbcabaca"}
    >>> ratings = un.Ratings.from_matrix({name: list(row) for name, row in table.items()})
    >>> un.permutation_test("fleiss_kappa", ratings, n=999, rng=1).p_value
    0.001
    """
    if not isinstance(ratings, Ratings):
        msg = f"permutation_test takes Ratings, got {type(ratings).__name__}"
        raise TypeError(msg)
    check_count("n", n)
    coefficient = coefficient_of(measure, settings)
    if ratings.n_ratings > _MOST_RATINGS:
        msg = (
            f"a permutation test shuffles every rating, and {ratings.n_ratings:,} are more than "
            f"{_MOST_RATINGS:,}; take a sample of the items"
        )
        raise DataError(msg)
    seed = seed_of(rng)
    result = function_of(measure)(ratings, **settings)
    told = signed(result, permutations=str(n), seed=str(seed))
    if result.undefined:
        return told
    items = each_item(ratings)
    shuffles, relabelled = _Shuffles(items), Relabelled(coefficient, items)
    values = np.array([relabelled.value(shuffles.labels(Dice(seed, _STREAM, i))) for i in range(n)])
    defined = values[~np.isnan(values)]
    # Equal values may differ in the last digit, because sums are added in another order.
    found = relabelled.value(items.label_codes)
    hits = np.count_nonzero(defined >= found - _ROUNDING)
    notes = result.notes
    if ratings.anonymous:
        notes += ("it is not known who gave which label, so all labels were shuffled together",)
    if len(defined) < n:
        notes += (f"{n - len(defined)} of {n} shuffles have no value and are left out",)
    return replace(told, p_value=(1 + int(hits)) / (1 + len(defined)), notes=notes)


class _Shuffles:
    """Labels of each annotator in random order, over the items they rated."""

    def __init__(self, items: Ratings) -> None:
        # Where it is not known who rated, all are one.
        self._codes = np.zeros_like(items.annotator_codes)
        if not items.anonymous:
            self._codes = items.annotator_codes
        self._labels = items.label_codes
        self._places = np.argsort(self._codes, kind="stable")
        label_bits = len(items.labels).bit_length()
        annotator_bits = items.n_annotators.bit_length()
        random_bits = 64 - label_bits - annotator_bits
        self._label = np.uint64((1 << label_bits) - 1)
        self._random = np.uint64(((1 << random_bits) - 1) << label_bits)
        # The annotator before, and the label behind, what will be random between.
        self._known = self._codes[self._places].astype(np.uint64)
        self._known <<= np.uint64(64 - annotator_bits)
        self._known |= self._labels[self._places].astype(np.uint64)
        self._is_fine = random_bits >= _FINE

    def labels(self, dice: Dice) -> NDArray[np.int32]:
        """Give each rating its new label."""
        shuffled = np.empty_like(self._labels)
        if self._is_fine:
            # Numbers are sorted several times as quickly as their places.
            keys = dice.bits(len(self._codes))
            keys &= self._random
            keys |= self._known
            keys.sort()
            keys &= self._label
            shuffled[self._places] = keys
            return shuffled
        # By annotator, and in random order within: the whole part of the key is the annotator.
        order = np.argsort(self._codes + dice.roll(len(self._codes)))
        shuffled[self._places] = self._labels[order]
        return shuffled
