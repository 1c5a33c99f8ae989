"""Checks of settings that no data can make right."""

from __future__ import annotations

import math

import numpy as np

from unisono.errors import SettingError

__all__ = ["check_count", "check_number", "check_resamples", "check_share"]

# As many draws as a wish for precision may need.
_MOST = 10_000_000
# They may be any number, because they take no more time.
_NO_WORK = frozenset({"workers", "near", "window", "categories", "units"})


def check_share(name: str, value: float, example: str) -> None:
    """Refuse what does not lie between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        msg = f"{name} must be a number, got {value!r} of type {type(value).__name__}"
        raise TypeError(msg)
    # The quantile of a confidence next to 1 is infinite.
    if not 0.0 < value < 1.0 or 0.5 + value / 2.0 == 1.0:
        msg = f"{name} must lie between 0 and 1, such as {example}; got {value}"
        raise SettingError(msg)


def check_count(name: str, value: int) -> None:
    """Refuse what is no whole number of 1 or more, or more than any computer could do."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        msg = f"{name} must be a whole number, got {value!r}"
        raise TypeError(msg)
    if value < 1:
        msg = f"{name} must be 1 or more, got {value}"
        raise SettingError(msg)
    if value > _MOST and name not in _NO_WORK:
        msg = f"{name} must be {_MOST:,} at most, got {value:,}"
        raise SettingError(msg)


def check_resamples(value: int) -> None:
    """Refuse what is no whole number of 0 or more."""
    if value != 0 or isinstance(value, bool):
        check_count("resamples", value)


def check_number(name: str, value: float, *, may_be_zero: bool) -> None:
    """Refuse what is no finite number of 0 or more, or above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        msg = f"{name} must be a number, got {value!r} of type {type(value).__name__}"
        raise TypeError(msg)
    allowed = value >= 0 if may_be_zero else value > 0
    if not (math.isfinite(value) and allowed):
        rule = "of 0 or more" if may_be_zero else "above 0"
        msg = f"{name} must be a finite number {rule}, got {value}"
        raise SettingError(msg)
