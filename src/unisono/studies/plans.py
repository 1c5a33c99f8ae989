"""What planning gives: a number of items or documents, and how sure it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from unisono.results.record import plain_number
from unisono.results.wording import decimals
from unisono.results.written import InJson

if TYPE_CHECKING:
    from unisono.results.agreement import Agreement, Interval
    from unisono.results.signature import Signature

__all__ = ["Plan", "Trial"]


class Trial(NamedTuple):
    """How wide the interval is with so many items, by resampling the pilot.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([list("ababbaab"), list("abaabaab")])
    >>> un.plan_items(ratings, width=0.5, rng=1).trials[0].size
    8
    """

    size: int
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(InJson):
    """How many items or documents make an interval as narrow as wished.

    Parameters
    ----------
    of
        What is counted: items or documents.
    needed
        How many are needed; `None` when the pilot cannot say.
    interval
        Between which numbers that lies, because the pilot is a sample itself.
    width
        The wished distance between the ends of the interval of the coefficient.
    level
        The confidence of both intervals.
    pilot
        What the measure gives on the pilot, with the interval it has there.
    n_pilot
        How many items or documents the pilot has.
    trials
        The sizes that were tried on the way, with their widths.
    undefined
        Why there is no number; `None` when there is one.
    notes
        What to think of when reading it.
    signature
        Every setting that can move the number.

    Examples
    --------
    >>> import unisono as un
    >>> rows = ["aabbcabcbaabcbbaccab", "aabbcabcbbabcbbacbab"]
    >>> plan = un.plan_items(un.Ratings.from_matrix([list(row) for row in rows]), width=0.1, rng=1)
    >>> print(plan)
    about 334 items (104 to 1,070) make the 95 % interval 0.1 wide; the pilot of 20 has 0.400
    """

    of: Literal["items", "documents"]
    needed: int | None
    interval: Interval | None
    width: float
    level: float
    pilot: Agreement
    n_pilot: int
    trials: tuple[Trial, ...] = ()
    undefined: str | None = None
    notes: tuple[str, ...] = ()
    signature: Signature

    def __str__(self) -> str:
        if self.needed is None or self.interval is None:
            return f"no plan ({self.undefined})"
        spread = f"{math.floor(self.interval.low):,} to {math.ceil(self.interval.high):,}"
        return (
            f"about {self.needed:,} {self.of} ({spread}) make the {self.level * 100:g} % interval "
            f"{self.width:g} wide; the pilot of {self.n_pilot:,} has "
            f"{decimals(self.trials[0].width, 3)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([list("abab"), list("abab")])
        >>> un.plan_items(ratings, width=0.1, rng=1).to_dict()["undefined"]
        'every resample of the pilot gives the same value'
        """
        return {
            "of": self.of,
            "needed": self.needed,
            "interval": self.interval.to_dict() if self.interval else None,
            "width": self.width,
            "level": self.level,
            "pilot": self.pilot.to_dict(),
            "n_pilot": self.n_pilot,
            "trials": [
                {"size": trial.size, "width": plain_number(trial.width)} for trial in self.trials
            ],
            "undefined": self.undefined,
            "notes": list(self.notes),
            "signature": str(self.signature),
        }
