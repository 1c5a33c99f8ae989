"""Pk and WindowDiff, by a sliding window."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

import numpy as np

from unisono.errors import DataError, setting
from unisono.measures.data import of_data
from unisono.measures.segmentation.comparison import PairComparison, as_texts, compute_measure
from unisono.registry import check_setting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.segmentation.comparison import Cut, SegmentationAgreement, Settings
    from unisono.model.arrays import Integers
    from unisono.model.segmentation import Segmentation

__all__ = ["pk", "window_diff"]

Convention: TypeAlias = Literal["papers", "nltk"]
"""The convention for the number of windows and their default length."""


def check_windows(window: int | None, convention: Convention) -> None:
    """Raise an error for an invalid window or convention."""
    if window is not None:
        check_setting("window", window)
    check_setting("convention", convention)


def window_for(reference: Segmentation, window: int | None, convention: Convention) -> int:
    """Return the length of a window, by default half the mean segment length of the reference.

    The default is rounded half to even. It is at least 2, as in the program of the authors of B,
    but shorter than the text.
    """
    length = reference.length
    longest = length if convention == "nltk" else length - 1
    if window is not None:
        if window > longest:
            msg = (
                f"{setting('window', window)} is too long for a text of {length:,} atoms; "
                f"use at most {longest:,}"
            )
            raise DataError(msg)
        return window
    if convention == "nltk":
        # NLTK divides by the number of boundaries, not of segments.
        return round(Fraction(length, 2 * max(len(reference.boundaries), 1)))
    half = round(Fraction(length, 2 * reference.n_segments))
    return min(max(half, 2), longest)


def n_windows(length: int, window: int, convention: Convention) -> int:
    """Return the number of positions of a window in a text."""
    return length - window + (convention == "nltk")


def differing_windows(
    one: Segmentation, other: Segmentation, *, window: int, windows: int, counted: bool
) -> int:
    """Count the windows in which two segmentations differ.

    The content of a window changes only if a boundary enters or leaves it, so the run time is that
    of sorting the boundaries, independent of the number of atoms.
    """
    places, inside_one, inside_other = _boundary_counts((one.boundaries, other.boundaries), window)
    differ = inside_one != inside_other if counted else (inside_one > 0) != (inside_other > 0)
    bounds = np.clip(np.append(places, windows), 0, windows)
    return int(np.diff(bounds) @ differ)


def _boundary_counts(
    boundaries: tuple[Integers, Integers], window: int
) -> tuple[Integers, NDArray[np.int64], NDArray[np.int64]]:
    """Return the windows at which the content changes, and the boundaries inside from there."""
    entering = [places - window for places in boundaries]
    events = np.concatenate((*entering, *boundaries))
    order = np.argsort(events, kind="stable")
    n_one, n_other = map(len, boundaries)
    steps = np.repeat([1, 0, -1, 0], [n_one, n_other, n_one, n_other])[order]
    other_steps = np.repeat([0, 1, 0, -1], [n_one, n_other, n_one, n_other])[order]
    return events[order], np.cumsum(steps), np.cumsum(other_steps)


@of_data
def pk(
    reference: Cut,
    hypothesis: Segmentation | None = None,
    *,
    window: int | None = None,
    convention: Convention = "papers",
) -> SegmentationAgreement:
    """Compute Pk: how often two atoms at the distance of a window are wrongly joined or separated.

    A distance: 0 is perfect.

    Parameters
    ----------
    reference
        A segmentation; or, instead of two segmentations, a mapping of annotators to segmentations,
        or of documents to such mappings; or a continuum or a corpus whose units cover the texts.
    hypothesis
        Another segmentation of the same text.
    window
        Length of the window in atoms (k in the papers); by default half the mean segment length of
        the reference, rounded half to even, and at least 2.
    convention
        ``"papers"`` uses all N − k windows that fit into N atoms. ``"nltk"`` uses N − k + 1
        windows, the last of which exceeds the text, as in NLTK with one mark per atom; its default
        k is half of N / boundaries.

    Returns
    -------
    SegmentationAgreement
        For several annotators the mean over ordered pairs, each annotator in turn being the
        reference; for several documents the windows of each pair are pooled.

    Raises
    ------
    DataError
        If the segmentations differ in length, the window is longer than a text, or units are not a
        segmentation.
    SettingError
        If the window is less than 1, or the convention is unknown.

    Notes
    -----
    The share of windows whose two ends are in the same segment in one segmentation and in different
    segments in the other [1]_. It tolerates small shifts of boundaries, is insensitive to short
    segments, and penalizes misses more than false alarms; WindowDiff and `boundary_similarity` were
    designed to solve these problems. The run time is that of sorting the boundaries, independent of
    the number of atoms.

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
    measure = WindowMeasure("pk", counted=False, window=window, convention=convention)
    return compute_measure(measure, as_texts(reference, hypothesis))


@of_data
def window_diff(
    reference: Cut,
    hypothesis: Segmentation | None = None,
    *,
    window: int | None = None,
    convention: Convention = "papers",
) -> SegmentationAgreement:
    """Compute WindowDiff: how often the number of boundaries in a window differs.

    A distance: 0 is perfect.

    Parameters
    ----------
    reference, hypothesis, window, convention
        As in `pk`.

    Returns
    -------
    SegmentationAgreement
        For several annotators and documents as in `pk`.

    Raises
    ------
    DataError
        If the segmentations differ in length, the window is longer than a text, or units are not a
        segmentation.
    SettingError
        If the window is less than 1, or the convention is unknown.

    Notes
    -----
    The share of windows in which the numbers of boundaries differ [1]_: false alarms and misses
    have the same weight, and short segments are detected. A boundary near an end of the text is in
    fewer windows, so errors there weigh less. The run time is as for `pk`.

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
    measure = WindowMeasure("window_diff", counted=True, window=window, convention=convention)
    return compute_measure(measure, as_texts(reference, hypothesis))


@dataclass(frozen=True, slots=True)
class WindowMeasure:
    """A measure by sliding windows, with its settings."""

    name: str
    counted: bool
    window: int | None
    convention: Convention

    symmetric: ClassVar[bool] = False
    undefined_reason: ClassVar[str] = "a text of one atom has no position for a boundary"

    def __post_init__(self) -> None:
        check_windows(self.window, self.convention)

    @property
    def settings(self) -> Settings:
        """The settings for the signature."""
        window = "half-mean" if self.window is None else str(self.window)
        return (("window", window), ("convention", self.convention))

    def compare(self, reference: Segmentation, hypothesis: Segmentation) -> PairComparison:
        """Count the windows in which two segmentations differ."""
        if reference.length == 1:
            return PairComparison(0, 0)
        window = window_for(reference, self.window, self.convention)
        windows = n_windows(reference.length, window, self.convention)
        wrong = differing_windows(
            reference, hypothesis, window=window, windows=windows, counted=self.counted
        )
        return PairComparison(wrong, windows)
