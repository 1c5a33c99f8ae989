"""How good a value is, in words: a convention, written down with its source and its limits."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from unisono.results.wording import decimals

if TYPE_CHECKING:
    from unisono.results.agreement import ChanceAgreement


SCALE: tuple[tuple[float, str], ...] = (
    (0.0, "poor"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)
"""Words of Landis & Koch (1977, p. 165), each with the largest value it is said of."""
SCALE_SOURCE = "landis1977measurement"
MOSTLY, ALSO = 0.5, 0.25
"""From which share of the disorder a part is said to be most of it, or to count as well."""
CONFUSED = 0.05
"""From which share of the disorder two confused labels are named in the summary."""
FEW_UNITS = 50
"""With fewer units than this a report warns of it."""
UNLIKELY = 0.05
"""The p-value from which a report says that chance would do as well."""


class Verdict(NamedTuple):
    """A word for a value, and for the ends of its interval where they have another."""

    word: str
    others: tuple[str, ...]
    judged_by: str = "Monte Carlo interval"
    """Which interval that is."""

    @property
    def told(self) -> str:
        """The word, or the words that the interval reaches over.

        Examples
        --------
        >>> from unisono.reports.verdict import Verdict
        >>> Verdict("moderate", ("substantial",)).told
        'moderate to substantial'
        """
        if not self.others:
            return self.word
        order = [word for _, word in SCALE]
        both = sorted({self.word, *self.others}, key=order.index)
        return f"{both[0]} to {both[-1]}"


def word_for(value: float) -> str:
    """Find the word of the scale.

    Values are rounded to two decimals first, as the scale is written: 0.604 is moderate.

    Examples
    --------
    >>> from unisono.reports.verdict import word_for
    >>> word_for(-0.1), word_for(0.0), word_for(0.2), word_for(0.21), word_for(0.6), word_for(1.0)
    ('poor', 'slight', 'slight', 'fair', 'moderate', 'almost perfect')
    """
    rounded = round(value, 2)
    if rounded < 0.0:
        return SCALE[0][1]
    return next(word for most, word in SCALE[1:] if rounded <= most)


def verdict(result: ChanceAgreement) -> Verdict | None:
    """Say how good a value is, and how good it may be within its interval.

    That is the interval over documents where there is one: it is what a reader asks for, who means
    to annotate more of them. The Monte Carlo interval stands in for it where there is none.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.verdict import verdict
    >>> verdict(un.gamma(un.read("examples/interview.csv"), rng=1)).told
    'substantial'
    >>> verdict(un.gamma(un.read("examples/corpus"), rng=1)).judged_by
    'interval over documents'
    """
    if result.undefined:
        return None
    word = word_for(result.value)
    interval = result.interval or result.monte_carlo
    ends = [] if interval is None else [word_for(interval.low), word_for(min(1.0, interval.high))]
    judged_by = "interval over documents" if result.interval else "Monte Carlo interval"
    return Verdict(word, tuple(dict.fromkeys(each for each in ends if each != word)), judged_by)


def intervals_told(result: ChanceAgreement) -> list[str]:
    """Write the intervals of a value, each with its kind: the one over documents first.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.verdict import intervals_told
    >>> intervals_told(un.gamma(un.read("examples/interview.csv"), rng=1))
    ['Monte Carlo 95 %: 0.792 to 0.793']
    """
    kinds = (("over documents", result.interval), ("Monte Carlo", result.monte_carlo))
    return [
        f"{kind} {100 * interval.level:g} %: "
        f"{decimals(interval.low, 3)} to {decimals(interval.high, 3)}"
        for kind, interval in kinds
        if interval is not None
    ]


def scale_rows() -> tuple[tuple[str, str], ...]:
    """Give the scale as rows: from which value to which, and the word.

    Examples
    --------
    >>> from unisono.reports.verdict import scale_rows
    >>> scale_rows()[0], scale_rows()[3]
    (('below 0', 'poor'), ('0.41 to 0.60', 'moderate'))
    """
    rows = [("below 0", SCALE[0][1])]
    for (below, _), (most, word) in itertools.pairwise(SCALE):
        least = 0.0 if below == 0.0 else below + 0.01
        rows.append((f"{decimals(least, 2)} to {decimals(most, 2)}", word))
    return tuple(rows)
