"""Sensitivity of a coefficient to missing values, by deleting values at random."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.data import of_ratings
from unisono.measures.items.coefficients import MISSING_POLICIES
from unisono.measures.items.resampling import each_item, thinned
from unisono.measures.items.table import coefficient_of, item_measure
from unisono.measures.sampling import Dice, seed_of
from unisono.model.ratings import Ratings
from unisono.parallel.dispatch import Report
from unisono.registry import check_setting
from unisono.results.data import OfData
from unisono.results.record import record
from unisono.results.sheet import Fact, Sheet, Table, column, columns
from unisono.results.values import Signature

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from numpy.typing import NDArray

    from unisono.measures.items.coefficients import Formula, MissingPolicy
    from unisono.measures.items.keywords import ItemSettings
    from unisono.measures.items.result import ItemsAgreement

__all__ = ["PolicyComparison", "PolicySpread", "compare_policies"]

_STREAM = 5
# Every trial copies the ratings.
_MOST_RATINGS = 10_000_000


class PolicySpread(NamedTuple):
    """The mean and standard deviation of a coefficient under one policy for missing values.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([list("abab"), list("abaa")])
    >>> spread = un.compare_policies(ratings, shares=0.25, repeats=20, rng=1).spreads[0]
    >>> spread.policy, spread.complete
    ('values', 0.75)
    """

    share: float
    """The share of the values that was deleted."""
    policy: MissingPolicy
    complete: float
    """The coefficient on the complete data, under the same policy."""
    mean: float
    """Its mean over all deletions; NaN if it was always undefined."""
    deviation: float
    """Its standard deviation over all deletions, σ in the paper."""
    n_undefined: int
    """Number of deletions after which it was undefined; the mean excludes these."""


@record
class PolicyComparison(OfData):
    """The four policies for missing values, compared on the same deletions.

    Parameters
    ----------
    spreads
        One entry per share and policy.
    measure
        The coefficient.
    repeats
        Number of random deletions per share.
    signature
        All settings that affect a number.

    Examples
    --------
    >>> import unisono as un
    >>> rows = ["aabbcabcba", "aabbcabcbb", "abbbcabaca"]
    >>> ratings = un.Ratings.from_matrix([list(row) for row in rows])
    >>> print(un.compare_policies(ratings, shares=0.1, repeats=200, rng=1))
    missing  policy  complete    mean  deviation
    10.0 %   values    0.7333  0.7352     0.0435
    10.0 %    items    0.7333  0.7345     0.0481
    10.0 %    pairs    0.7333  0.7360     0.0509
    10.0 %   remove    0.7333  0.7371     0.0734
    """

    spreads: tuple[PolicySpread, ...]
    measure: str
    repeats: int
    signature: Signature

    summary = ("spreads",)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the comparison, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([list("abab"), list("abaa")])
        >>> found = un.compare_policies(ratings, shares=0.25, repeats=20, rng=1)
        >>> print(found.to_csv().splitlines()[0])
        share,policy,complete,mean,deviation,n_undefined
        """
        return Sheet(
            name="missing_values",
            title=title,
            tables=(
                Table(
                    name="spread",
                    columns=(
                        column("share", heading="missing"),
                        *columns("policy complete mean deviation"),
                        column("n_undefined", usual=0),
                    ),
                    rows=self.spreads,
                ),
            ),
            facts=(
                Fact(column("measure"), self.measure),
                Fact(column("repeats", heading="deletions"), f"{self.repeats:,} for each share"),
            ),
            signatures=(self.signature,),
        )

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: no policy has a value.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([list("abab"), list("abaa")])
        >>> un.compare_policies(ratings, shares=0.25, repeats=20, rng=1).problems()
        []
        """
        if any(spread.n_undefined < self.repeats for spread in self.spreads):
            return []
        remedy = "run `unisono items` for the reason"
        return [f"{self.measure} is undefined on these data under every policy; {remedy}"]


@of_ratings
def compare_policies(
    ratings: Ratings,
    measure: str | Callable[..., ItemsAgreement] = "percent_agreement",
    *,
    shares: float | Iterable[float] = (0.04, 0.125, 0.25),
    repeats: int = 1000,
    rng: int | np.random.Generator | None = 0,
    progress: Callable[[int, int], None] | None = None,
    **settings: Unpack[ItemSettings],
) -> PolicyComparison:
    """Compare the policies for missing values by deleting values completely at random.

    Parameters
    ----------
    ratings
        Ratings, preferably without missing values.
    measure
        An item coefficient that accepts ``missing``, or its name.
    shares
        The share of the values to delete; several shares are separate experiments.
    repeats
        Number of random deletions per share.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one.
        The signature contains it.
    progress
        Called after each deletion with the number of finished deletions and their total number.
    **settings
        Other settings of the measure.

    Returns
    -------
    PolicyComparison
        The mean and the standard deviation of the coefficient for each share and policy.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If there are no ratings or too many, or the measure does not apply to them.

    Notes
    -----
    The experiment of [1]_ (§3, Table 2): a policy is good if incomplete data give the same value as
    complete data. All policies are applied to the same deletions, each of exactly the given
    share of the values. In the paper, which deletes with replacement, ``values`` always has the
    smallest deviation and ``remove`` the largest; ``items`` and ``pairs`` rank differently,
    depending on the number of annotators and the agreement.

    References
    ----------
    .. [1] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3).

    Examples
    --------
    >>> import unisono as un
    >>> rows = ["aabbcabcba", "aabbcabcbb", "abbbcabaca"]
    >>> ratings = un.Ratings.from_matrix([list(row) for row in rows])
    >>> spreads = un.compare_policies(ratings, shares=0.2, repeats=200, rng=1).spreads
    >>> min(spreads, key=lambda spread: spread.deviation).policy
    'values'
    """
    if not isinstance(ratings, Ratings):
        msg = f"compare_policies takes Ratings, got {type(ratings).__name__}"
        raise TypeError(msg)
    check_setting("repeats", repeats, of="compare_policies")
    all_shares = tuple(shares) if isinstance(shares, Iterable) else (shares,)
    for share in all_shares:
        check_setting("shares", share)
    if "missing" in settings:
        msg = "compare_policies applies every policy for missing values; omit missing="
        raise SettingError(msg)
    coefficients = {
        policy: coefficient_of(measure, {**settings, "missing": policy})
        for policy in MISSING_POLICIES
    }
    if not 0 < ratings.n_ratings <= _MOST_RATINGS:
        msg = f"compare_policies needs 1 to {_MOST_RATINGS:,} ratings, got {ratings!r}"
        raise DataError(msg)
    seed = seed_of(rng)
    items = each_item(ratings)
    complete = {
        policy: item_measure(measure).load()(ratings, **settings, missing=policy)
        for policy in coefficients
    }
    spreads: list[PolicySpread] = []
    report = Report(progress, len(all_shares) * repeats)
    for number, share in enumerate(all_shares):
        values = {policy: np.full(repeats, np.nan) for policy in coefficients}
        for i in range(repeats):
            dice = Dice(seed, _STREAM, number, i)
            left = thinned(items, _kept(len(items.label_codes), share, dice))
            for policy, coefficient in coefficients.items():
                # A coefficient that is undefined on the complete data stays undefined.
                if not complete[policy].undefined:
                    values[policy][i] = _value(coefficient, left)
            report.add(1)
        spreads += (
            _spread(share, policy, complete[policy].value, values[policy]) for policy in values
        )
    signature = complete["values"].signature
    return PolicyComparison(
        spreads=tuple(spreads),
        measure=signature.measure,
        repeats=repeats,
        signature=_signature(signature, all_shares, repeats, seed),
    )


def _value(coefficient: Formula, ratings: Ratings) -> float:
    return float(coefficient.prepare(ratings).parts(ratings.times.astype(np.float64)).value)


def _kept(n_ratings: int, share: float, dice: Dice) -> NDArray[np.bool_]:
    """Return a mask of the values to keep: a uniform random subset with at least one value."""
    deleted = min(round(share * n_ratings), n_ratings - 1)
    kept = np.ones(n_ratings, dtype=bool)
    kept[np.argsort(dice.roll(n_ratings), kind="stable")[:deleted]] = False
    return kept


def _spread(
    share: float, policy: MissingPolicy, complete: float, values: NDArray[np.float64]
) -> PolicySpread:
    defined = values[~np.isnan(values)]
    return PolicySpread(
        share=float(share),
        policy=policy,
        complete=complete,
        mean=float(defined.mean()) if len(defined) else math.nan,
        deviation=float(defined.std(ddof=1)) if len(defined) > 1 else math.nan,
        n_undefined=len(values) - len(defined),
    )


def _signature(of: Signature, shares: Iterable[float], n: int, seed: int) -> Signature:
    last = tuple(pair for pair in of.settings if pair[0] in ("data", "v"))
    first = (pair for pair in of.settings if pair not in last and pair[0] != "missing")
    return Signature(
        "missing-values",
        (
            ("measure", of.measure),
            *first,
            ("shares", ",".join(f"{share:g}" for share in shares)),
            ("repeats", str(n)),
            ("seed", str(seed)),
            *last,
        ),
    )
