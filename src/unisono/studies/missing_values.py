"""What missing values do to a coefficient: delete values at random, and see how it moves."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.items.resampling import each_item, thinned
from unisono.measures.items.rows import MISSING_POLICIES
from unisono.measures.items.table import coefficient_of, item_measure
from unisono.measures.sampling import Dice, seed_of
from unisono.measures.settings import check_count, check_share
from unisono.model.ratings import Ratings
from unisono.parallel.dispatch import Report
from unisono.results.agreement import Signature
from unisono.results.record import InJson, plain_number
from unisono.results.wording import decimals

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unisono.measures.items.result import ItemsAgreement
    from unisono.measures.items.rows import Coefficient, MissingPolicy

__all__ = ["PolicyComparison", "Spread", "compare_policies"]

_STREAM = 5
# Every trial copies the ratings.
_MOST_RATINGS = 10_000_000


class Spread(NamedTuple):
    """How far one policy lets a coefficient stray when a share of the values is missing.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([list("abab"), list("abaa")])
    >>> spread = un.compare_policies(ratings, shares=0.25, n=20, rng=1).spreads[0]
    >>> spread.policy, spread.complete
    ('values', 0.75)
    """

    share: float
    """Which part of the values was deleted."""
    policy: MissingPolicy
    complete: float
    """The coefficient before anything was deleted, under the same policy."""
    mean: float
    """Its mean after deletions; NaN where it was never defined."""
    deviation: float
    """Its standard deviation over deletions, which the paper calls σ."""
    undefined: int
    """How many deletions left it without a value; the mean leaves these out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyComparison(InJson):
    """How the four policies for missing values fare on the same deletions.

    Parameters
    ----------
    spreads
        A row for each share and policy.
    measure
        The coefficient.
    n
        How many times values were deleted.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> rows = ["aabbcabcba", "aabbcabcbb", "abbbcabaca"]
    >>> ratings = un.Ratings.from_matrix([list(row) for row in rows])
    >>> print(un.compare_policies(ratings, shares=0.1, n=200, rng=1))
    missing  policy  complete   mean  deviation  undefined
       10 %  values     0.733  0.735      0.043          0
       10 %  items      0.733  0.735      0.048          0
       10 %  pairs      0.733  0.736      0.051          0
       10 %  remove     0.733  0.737      0.073          0
    """

    spreads: tuple[Spread, ...]
    measure: str
    n: int
    signature: Signature

    def __str__(self) -> str:
        head = ("missing", "policy", "complete", "mean", "deviation", "undefined")
        cells = [head, *(_cells(spread) for spread in self.spreads)]
        widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if at == 1 else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in cells
        )

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([list("abab"), list("abaa")])
        >>> un.compare_policies(ratings, shares=0.25, n=20, rng=1).to_dict()["n"]
        20
        """
        return {
            "measure": self.measure,
            "n": self.n,
            "spreads": [
                {
                    "share": spread.share,
                    "policy": spread.policy,
                    "complete": plain_number(spread.complete),
                    "mean": plain_number(spread.mean),
                    "deviation": plain_number(spread.deviation),
                    "undefined": spread.undefined,
                }
                for spread in self.spreads
            ],
            "signature": str(self.signature),
        }


def compare_policies(
    ratings: Ratings,
    *,
    shares: float | Iterable[float] = (0.04, 0.125, 0.25),
    measure: str | Callable[..., ItemsAgreement] = "percent_agreement",
    n: int = 1000,
    rng: int | np.random.Generator | None = 0,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,  # noqa: ANN401 - the settings of any measure
) -> PolicyComparison:
    """Say how far a coefficient strays under each policy when values go missing by accident.

    Parameters
    ----------
    ratings
        Ratings, best without missing values.
    shares
        Which part of the values to delete; several make several experiments.
    measure
        A coefficient on items that has the policies, or its name.
    n
        How many times to delete values.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It is
        shown in the signature.
    progress
        Told after each deletion how many are done, of how many.
    **settings
        Other settings of the measure.

    Returns
    -------
    PolicyComparison
        The mean and the standard deviation of the coefficient for each share and policy.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If there are no ratings or too many, or the measure cannot be used on them.

    Notes
    -----
    The experiment of [1]_ (§3, Table 2): a policy is good when what is left says the same as what
    was complete. All policies see the same deletions, each of exactly that share of the values. In
    the paper ``values`` strays least, then ``items``, then ``pairs``, and ``remove`` by far the
    most. The first two can change places: the more items differ in how hard they are, the better
    it is that each item weighs the same.

    References
    ----------
    .. [1] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3).

    Examples
    --------
    >>> import unisono as un
    >>> rows = ["aabbcabcba", "aabbcabcbb", "abbbcabaca"]
    >>> ratings = un.Ratings.from_matrix([list(row) for row in rows])
    >>> spreads = un.compare_policies(ratings, shares=0.2, n=200, rng=1).spreads
    >>> min(spreads, key=lambda spread: spread.deviation).policy
    'values'
    """
    if not isinstance(ratings, Ratings):
        msg = f"compare_policies takes Ratings, got {type(ratings).__name__}"
        raise TypeError(msg)
    check_count("n", n)
    wanted = tuple(shares) if isinstance(shares, Iterable) else (shares,)
    for share in wanted:
        check_share("a share of missing values", share, "0.1 for 10 %")
    if "missing" in settings:
        msg = "compare_policies tries every policy for missing values; leave missing out"
        raise SettingError(msg)
    coefficients = {
        policy: coefficient_of(measure, {**settings, "missing": policy})
        for policy in MISSING_POLICIES
    }
    if not 0 < ratings.n_ratings <= _MOST_RATINGS:
        msg = f"values can be deleted from 1 to {_MOST_RATINGS:,} ratings; here are {ratings!r}"
        raise DataError(msg)
    seed = seed_of(rng)
    items = each_item(ratings)
    complete = {
        policy: item_measure(measure).load()(ratings, **settings, missing=policy)
        for policy in coefficients
    }
    spreads: list[Spread] = []
    report = Report(progress, len(wanted) * n)
    for number, share in enumerate(wanted):
        values = {policy: np.full(n, np.nan) for policy in coefficients}
        for i in range(n):
            dice = Dice(seed, _STREAM, number, i)
            left = thinned(items, _kept(len(items.label_codes), share, dice))
            for policy, coefficient in coefficients.items():
                # What has no value when complete has none with less.
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
        n=n,
        signature=_signature(signature, wanted, n, seed),
    )


def _value(coefficient: Coefficient, ratings: Ratings) -> float:
    return float(coefficient.prepare(ratings).parts(ratings.times.astype(np.float64)).value)


def _kept(n_ratings: int, share: float, dice: Dice) -> NDArray[np.bool_]:
    """Delete exactly so many values, every choice of them as likely; one is always left."""
    deleted = min(round(share * n_ratings), n_ratings - 1)
    kept = np.ones(n_ratings, dtype=bool)
    kept[np.argsort(dice.roll(n_ratings), kind="stable")[:deleted]] = False
    return kept


def _spread(
    share: float, policy: MissingPolicy, complete: float, values: NDArray[np.float64]
) -> Spread:
    defined = values[~np.isnan(values)]
    return Spread(
        share=float(share),
        policy=policy,
        complete=complete,
        mean=float(defined.mean()) if len(defined) else math.nan,
        deviation=float(defined.std(ddof=1)) if len(defined) > 1 else math.nan,
        undefined=len(values) - len(defined),
    )


def _cells(spread: Spread) -> tuple[str, ...]:
    numbers = (spread.complete, spread.mean, spread.deviation)
    return (
        f"{spread.share * 100:g} %",
        spread.policy,
        *("–" if math.isnan(number) else decimals(number, 3) for number in numbers),
        str(spread.undefined),
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
            ("deletions", str(n)),
            ("seed", str(seed)),
            *last,
        ),
    )
