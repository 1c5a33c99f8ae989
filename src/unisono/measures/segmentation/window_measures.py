"""Pk and WindowDiff: how often a window that slides over the text sees two cuts differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unisono.measures.segmentation.comparison import Compared, measured
from unisono.measures.segmentation.texts import texts_of
from unisono.measures.segmentation.windows import (
    check_windows,
    differing_windows,
    n_windows,
    window_for,
)

if TYPE_CHECKING:
    from unisono.measures.segmentation.comparison import Settings
    from unisono.measures.segmentation.segmentation_result import Reading, SegmentationAgreement
    from unisono.measures.segmentation.texts import Cut
    from unisono.measures.segmentation.windows import Convention
    from unisono.model.segmentation import Segmentation

__all__ = ["pk", "window_diff"]


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
