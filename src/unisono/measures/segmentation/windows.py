"""Pk and WindowDiff, from a window that slides over the text."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.segmentation.comparison import Compared, measured, texts_of
from unisono.measures.settings import check_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.segmentation.comparison import (
        Cut,
        Reading,
        SegmentationAgreement,
        Settings,
    )
    from unisono.model.arrays import Integers
    from unisono.model.segmentation import Segmentation

__all__ = ["pk", "window_diff"]

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


def pk(
    reference: Cut,
    hypothesis: Segmentation | None = None,
    *,
    window: int | None = None,
    convention: Convention = "papers",
) -> SegmentationAgreement:
    """Say how often two atoms a window apart are wrongly said to be in one segment, or in two.

    A distance: 0 is perfect.

    Parameters
    ----------
    reference
        A segmentation; or instead of two of them a table of several, annotator to segmentation or
        document to such a table; or a continuum or a corpus whose units cover the whole texts.
    hypothesis
        Another segmentation of the same text.
    window
        How many atoms the ends of the window are apart (k in the papers); by default half the
        mean segment of the reference, rounded, halves to even, and at least 2.
    convention
        ``"papers"`` has as many windows as fit, N − k of N atoms. ``"nltk"`` has N − k + 1, the
        last of which reaches beyond the text, as NLTK has when a mark is written for each atom;
        its own k is half of N / boundaries.

    Returns
    -------
    SegmentationAgreement
        Of several annotators the mean over ordered pairs, each in turn the reference; the windows
        of several documents are put together for each pair.

    Raises
    ------
    DataError
        The segmentations differ in length, the window is longer than a text, or units are no
        segmentation.
    SettingError
        The window is not 1 or more, or there is no such convention.

    Notes
    -----
    The share of windows whose two ends are in one segment by one segmentation and in two by the
    other [1]_. It forgives a boundary that is a little off, hardly sees short segments, and
    punishes misses more than false alarms; WindowDiff and `boundary_similarity` were made to mend
    this. Cost: that of sorting the boundaries, however many atoms there are.

    References
    ----------
    .. [1] Beeferman, D., Berger, A. & Lafferty, J. (1999). Statistical models for text
       segmentation. Machine Learning 34, 177–210.

    Examples
    --------
    The text of Hearst (1997), an annotator and a hypothesis, confirmed by segeval's 0.26315789:

    >>> import unisono as un
    >>> annotator = un.Segmentation.from_masses([2, 3, 3, 1, 3, 6, 3])
    >>> hypothesis = un.Segmentation.from_masses([2, 6, 4, 2, 4, 3])
    >>> un.pk(annotator, hypothesis).value
    0.2631578947368421
    """
    measure = Windowed("pk", counted=False, window=window, convention=convention)
    return measured(measure, texts_of(reference, hypothesis))


def window_diff(
    reference: Cut,
    hypothesis: Segmentation | None = None,
    *,
    window: int | None = None,
    convention: Convention = "papers",
) -> SegmentationAgreement:
    """Say how often a window holds more boundaries of one segmentation than of the other.

    A distance: 0 is perfect.

    Parameters
    ----------
    reference, hypothesis, window, convention
        As in `pk`.

    Returns
    -------
    SegmentationAgreement
        Of several annotators and documents as in `pk`.

    Raises
    ------
    DataError
        The segmentations differ in length, the window is longer than a text, or units are no
        segmentation.
    SettingError
        The window is not 1 or more, or there is no such convention.

    Notes
    -----
    The share of windows in which the numbers of boundaries differ [1]_: false alarms and misses
    weigh the same, and short segments are seen. A boundary near an end of the text is in fewer
    windows than others, so errors there weigh less. Cost as for `pk`.

    References
    ----------
    .. [1] Pevzner, L. & Hearst, M. (2002). A critique and improvement of an evaluation metric for
       text segmentation. Computational Linguistics 28(1), 19–36.

    Examples
    --------
    Confirmed by segeval's 0.31578947:

    >>> import unisono as un
    >>> annotator = un.Segmentation.from_masses([2, 3, 3, 1, 3, 6, 3])
    >>> hypothesis = un.Segmentation.from_masses([2, 6, 4, 2, 4, 3])
    >>> un.window_diff(annotator, hypothesis).value
    0.3157894736842105
    """
    measure = Windowed("window_diff", counted=True, window=window, convention=convention)
    return measured(measure, texts_of(reference, hypothesis))


@dataclass(frozen=True, slots=True)
class Windowed:
    """A measure by windows, with its settings."""

    name: str
    counted: bool
    window: int | None
    convention: Convention

    reading: ClassVar[Reading] = "distance"
    symmetric: ClassVar[bool] = False
    corrected: ClassVar[bool] = False
    nothing: ClassVar[str] = "a text of one atom has no place for a boundary"

    def __post_init__(self) -> None:
        check_windows(self.window, self.convention)

    @property
    def settings(self) -> Settings:
        """Its settings, for the signature."""
        window = "half-mean" if self.window is None else str(self.window)
        return (("window", window), ("convention", self.convention))

    def compare(self, reference: Segmentation, hypothesis: Segmentation) -> Compared:
        """Count the windows in which they differ."""
        if reference.length == 1:
            return Compared(0, 0)
        window = window_for(reference, self.window, self.convention)
        windows = n_windows(reference.length, window, self.convention)
        wrong = differing_windows(
            reference, hypothesis, window=window, windows=windows, counted=self.counted
        )
        return Compared(wrong, windows)
