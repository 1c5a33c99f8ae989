"""How the best alignment is looked for: what counts as one, and when to stop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from unisono.errors import SettingError
from unisono.measures.settings import check_number

__all__ = ["USUAL_SEARCH", "Search"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The settings of a search, as `best_alignment` and `gamma` document them.

    Parameters
    ----------
    soft
        Whether a unit may be in more than one group.
    gap_tolerance
        A gap between an alignment and the best there can be that is good enough.
    time_limit
        Seconds for one alignment; `None` for no limit but work.

    Raises
    ------
    SettingError
        If a number lies outside what makes sense.
    TypeError
        If a setting is of the wrong kind.
    """

    soft: bool = False
    gap_tolerance: float = 0.0
    time_limit: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.soft, bool):
            msg = f"soft must be True or False, got {self.soft!r}"
            raise TypeError(msg)
        check_number("gap_tolerance", self.gap_tolerance, may_be_zero=True)
        if self.gap_tolerance >= 1.0:
            msg = (
                "gap_tolerance is a part of the disorder, such as 0.001; "
                f"it must lie below 1, got {self.gap_tolerance}"
            )
            raise SettingError(msg)
        if self.time_limit is not None:
            check_number("time_limit", self.time_limit, may_be_zero=False)

    @property
    def for_kernel(self) -> dict[str, Any]:
        """The settings as the kernel takes them."""
        return {
            "soft": self.soft,
            "gap_tolerance": float(self.gap_tolerance),
            "time_limit": math.inf if self.time_limit is None else float(self.time_limit),
        }

    @property
    def told(self) -> tuple[tuple[str, str], ...]:
        """What of it stands in a signature: all that is not as usual."""
        return (
            *((("soft", "yes"),) if self.soft else ()),
            *((("gap", f"{self.gap_tolerance:.12g}"),) if self.gap_tolerance else ()),
            *((("time", f"{self.time_limit:.12g}s"),) if self.time_limit is not None else ()),
        )


USUAL_SEARCH = Search()
