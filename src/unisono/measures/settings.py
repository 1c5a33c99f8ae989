"""Checks of settings that no data can make right."""

from __future__ import annotations

import numpy as np

from unisono.errors import SettingError

__all__ = ["check_count", "check_share"]


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
    """Refuse what is no whole number of 1 or more."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        msg = f"{name} must be a whole number, got {value!r}"
        raise TypeError(msg)
    if value < 1:
        msg = f"{name} must be 1 or more, got {value}"
        raise SettingError(msg)
