"""The number of draws for a required precision."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unisono.measures.intervals import FIRST_DRAWS, needed_draws

if TYPE_CHECKING:
    from unisono.measures.gamma.evidence import Totals
    from unisono.model.arrays import Floats

__all__ = ["BUDGET", "wanted_draws"]

BUDGET = 16_000_000
"""The largest work of the draws of a call: about 0.2 seconds on a core of the reference machine."""
_LEAST_PRECISION = 0.02  # of the rule of the paper, to which the budget does not apply
_FEWEST_DRAWS = 200
_GROWTH = 8
_LEAST_GROWTH = 1.1
_ERROR_OF_GAMMA, _ERROR_OF_GAMMA_CAT = 0.001, 0.0025


def wanted_draws(totals: Totals, work: int, *, precision: float | None, confidence: float) -> int:
    """Return the total number of draws for the next step; the present number if it is sufficient.

    If a precision is given, the rule of the paper for γ is applied to the first 30 draws (2015,
    §5.3). Otherwise, the number yields a standard error of 0.001 for γ and of 0.0025 for γcat,
    within a budget of work, which does not limit the draws that the rule of the paper requires.
    """
    done = len(totals.draws)
    least = needed_draws(
        totals.draws, precision=precision or _LEAST_PRECISION, confidence=confidence
    )
    if precision is not None:
        return max(least, done) if done == FIRST_DRAWS else done
    observed, labels, _ = totals.by_label.ratios()
    for_labels = _draws_for(observed, labels, _ERROR_OF_GAMMA_CAT)
    wanted = max(
        least,
        _FEWEST_DRAWS,
        _draws_for(totals.observed, totals.draws, _ERROR_OF_GAMMA),
        math.ceil(for_labels * done / max(1, len(labels))),
    )
    affordable = max(least, BUDGET * done // max(1, work))
    # The estimated variation improves with each step, and small steps would only cost time.
    step = min(max(wanted, math.ceil(_LEAST_GROWTH * done)), _GROWTH * done)
    return done if wanted <= done else max(done, min(step, affordable))


def _draws_for(observed: float, draws: Floats, error: float) -> int:
    """Return the number of draws for which 1 − observed / mean(draws) has a standard error."""
    if len(draws) < 2:
        return 0
    mean = float(draws.mean())
    if mean == 0.0 or not math.isfinite(mean) or not math.isfinite(observed):
        return 0
    deviation = float(draws.std(ddof=1))
    return math.ceil((observed / mean * deviation / mean / error) ** 2)
