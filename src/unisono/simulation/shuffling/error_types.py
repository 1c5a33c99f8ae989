"""Which errors simulated annotators make, and how many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from unisono.errors import SettingError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["DONE", "ERRORS", "ErrorType", "check_errors", "check_magnitude"]

ErrorType: TypeAlias = Literal["position", "category", "false_negative", "false_positive", "split"]
ERRORS: tuple[ErrorType, ...] = get_args(ErrorType)
"""In the order in which they are made."""
DONE: Mapping[ErrorType, str] = {
    "position": "moved",
    "category": "relabelled",
    "false_negative": "forgotten",
    "false_positive": "added",
    "split": "splits",
}
"""What units are then, or what was made."""


def check_magnitude(magnitude: float) -> None:
    """Refuse a magnitude that is no number from 0 to 1."""
    if isinstance(magnitude, bool) or not isinstance(
        magnitude, int | float | np.integer | np.floating
    ):
        msg = f"a magnitude is a number from 0 to 1, got {magnitude!r}"
        raise TypeError(msg)
    if not 0.0 <= magnitude <= 1.0:
        msg = f"a magnitude lies from 0, no errors, to 1, the most; got {magnitude}"
        raise SettingError(msg)


def check_errors(errors: ErrorType | Iterable[ErrorType]) -> tuple[ErrorType, ...]:
    """Give error types in the order in which they are made, each once."""
    wanted = {errors} if isinstance(errors, str) else set(errors)
    for error in sorted(wanted, key=str):
        if error not in ERRORS:
            meant = did_you_mean(str(error), ERRORS)
            msg = f"unknown error type {error!r}; choose one of {', '.join(ERRORS)}{meant}"
            raise SettingError(msg)
    if not wanted:
        msg = f"name the errors that annotators make, one or more of {', '.join(ERRORS)}"
        raise SettingError(msg)
    return tuple(error for error in ERRORS if error in wanted)
