"""Windows that slide over two segmentations: in how many of them the two differ."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.settings import check_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.arrays import Integers
    from unisono.model.segmentation import Segmentation

__all__ = ["Convention", "check_windows", "differing_windows", "n_windows", "window_for"]

Convention: TypeAlias = Literal["papers", "nltk"]
"""How many windows there are, and how long one is if that is not said."""


def check_windows(window: int | None, convention: Convention) -> None:
    """Refuse what cannot be a window of any text."""
    if window is not None:
        check_count("window", window)
    if convention not in get_args(Convention):
        choices = ", ".join(map(repr, get_args(Convention)))
        msg = f"unknown {setting('convention', convention)}; choose one of {choices}"
        raise SettingError(msg)


def window_for(reference: Segmentation, window: int | None, convention: Convention) -> int:
    """Give the length of a window: as said, or half the mean segment of the reference.

    Half the mean is rounded, halves to the even number. It is at least 2, as in the program of
    the authors of B, but never as long as the text.
    """
    length = reference.length
    longest = length if convention == "nltk" else length - 1
    if window is not None:
        if window > longest:
            msg = (
                f"{setting('window', window)} is too long for a text of {length:,} atoms; "
                f"take {longest:,} or less"
            )
            raise DataError(msg)
        return window
    if convention == "nltk":
        # One mark an atom and none at the end: NLTK counts marks, not segments.
        return round(Fraction(length, 2 * max(len(reference.boundaries), 1)))
    half = round(Fraction(length, 2 * reference.n_segments))
    return min(max(half, 2), longest)


def n_windows(length: int, window: int, convention: Convention) -> int:
    """Give how many places a window has in a text."""
    return length - window + (convention == "nltk")


def differing_windows(
    one: Segmentation, other: Segmentation, *, window: int, windows: int, counted: bool
) -> int:
    """Count the windows in which two segmentations differ.

    Parameters
    ----------
    one, other
        Equally long.
    window
        How many places for a boundary a window holds: window ``i`` those after ``i + 1`` to
        ``i + window`` atoms.
    windows
        How many windows there are; the first begins before the first atom.
    counted
        Whether the numbers of boundaries must be the same (WindowDiff) or only whether there is
        one (Pk).

    Notes
    -----
    What a window holds changes only where a boundary enters or leaves it, so the cost is that of
    sorting boundaries, however many atoms there are.
    """
    places, inside_one, inside_other = _held((one.boundaries, other.boundaries), window)
    differ = inside_one != inside_other if counted else (inside_one > 0) != (inside_other > 0)
    bounds = np.clip(np.append(places, windows), 0, windows)
    return int(np.diff(bounds) @ differ)


def _held(
    boundaries: tuple[Integers, Integers], window: int
) -> tuple[Integers, NDArray[np.int64], NDArray[np.int64]]:
    """Give from which window on how many boundaries of each side are inside."""
    entering = [places - window for places in boundaries]
    events = np.concatenate((*entering, *boundaries))
    order = np.argsort(events, kind="stable")
    n_one, n_other = map(len, boundaries)
    steps = np.repeat([1, 0, -1, 0], [n_one, n_other, n_one, n_other])[order]
    other_steps = np.repeat([0, 1, 0, -1], [n_one, n_other, n_one, n_other])[order]
    return events[order], np.cumsum(steps), np.cumsum(other_steps)
