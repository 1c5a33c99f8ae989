"""By how much two positions may differ and still be the same one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from unisono.model.arrays import Floats


# Sums of a start and a duration are off by three units of the last place at most.
_ROUNDING = 4.0 * np.finfo(np.float64).eps


def slack_of(first: Floats, second: Floats | float = 0.0) -> Floats:
    """Give how far positions can be apart by rounding alone.

    Parameters
    ----------
    first, second
        Positions.

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.model.rounding import slack_of
    >>> sums, ends = np.array([0.1 + 0.2]), np.array([0.3])
    >>> sums > ends, sums > ends + slack_of(sums, ends)
    (array([ True]), array([False]))
    """
    slack: Floats = _ROUNDING * np.maximum(np.abs(first), np.abs(second))
    return slack
