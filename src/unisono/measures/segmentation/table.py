"""All measures of segmentations in one table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from unisono.measures.data import of_data
from unisono.measures.segmentation.comparison import sheet_of, signed_for_units
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.segmentation import segmentations
from unisono.registry import (
    FAMILIES,
    MEASURES,
    measure_named,
    measures_of,
    settings_by_measure,
)
from unisono.results.agreement import MeasureTable
from unisono.results.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unisono.measures.segmentation.comparison import Cut, SegmentationAgreement
    from unisono.model.segmentation import Gaps
    from unisono.registry import Measure
    from unisono.results.sheet import Sheet

__all__ = ["SegmentationTable", "chosen_measures", "measure_segments"]


class SegmentationTable(MeasureTable["SegmentationAgreement"]):
    """Results of several measures on the same segmentations, by name of the measure.

    Parameters
    ----------
    results
        The results by measure.

    Examples
    --------
    >>> import unisono as un
    >>> one, other = map(un.Segmentation.from_masses, ([2, 3, 6], [5, 6]))
    >>> table = un.measure_segments({"ann": one, "bob": other}, measures=["pk", "b"])
    >>> list(table), float(table["pk"])
    (['pk', 'boundary_similarity'], 0.2361111111111111)
    """

    __slots__ = ()

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the results, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> cuts = {
        ...     "ann": un.Segmentation.from_masses([2, 3]),
        ...     "bob": un.Segmentation.from_masses([5]),
        ... }
        >>> [table.name for table in un.measure_segments(cuts).sheet().tables if table.people]
        ['measure']
        """
        return sheet_of(self, title=title)


def chosen_measures(measures: Iterable[str] | None) -> tuple[Measure, ...]:
    """Return the measures with these names or aliases, without duplicates; all by default.

    A measure that is part of the result of another one, such as π of B, is replaced by the latter.
    """
    known = measures_of("segmentation")
    if measures is None:
        return known
    by_function = {measure.function: measure for measure in known}
    family = [MEASURES[name] for name in FAMILIES["segmentation"].measures]
    found = [by_function[measure_named(name, family).function] for name in measures]
    return tuple(dict.fromkeys(found))


@of_data
def measure_segments(
    data: Cut,
    *,
    measures: Iterable[str] | None = None,
    atom: float | None = None,
    gaps: Gaps = "raise",
    window: int | None = None,
    convention: Literal["papers", "nltk"] | None = None,
    near: int | None = None,
    insertion: float | None = None,
    deletion: float | None = None,
    shift: float | None = None,
) -> SegmentationTable:
    """Compute several measures of agreement on segment boundaries.

    Parameters
    ----------
    data
        Segmentations by annotator, or by document and annotator; or a `Continuum` or a `Corpus`
        whose units cover the whole texts.
    measures
        Names of measures, such as `pk` or `boundary_similarity`; all by default.
    atom, gaps
        As in `segmentations`, for a `Continuum` or a `Corpus`.
    window, convention
        Settings of `pk` and `window_diff`.
    near
        Setting of `boundary_similarity` and `segmentation_similarity`.
    insertion, deletion, shift
        Settings of `generalized_hamming`.

    Returns
    -------
    SegmentationTable
        The results by measure.

    Raises
    ------
    SettingError
        If a measure is unknown, or a setting applies to none of the measures.
    DataError
        If units overlap or leave gaps.

    Examples
    --------
    >>> import unisono as un
    >>> cuts = {"ann": [2, 3, 6], "bob": [5, 6], "eve": [2, 4, 5]}
    >>> texts = {name: un.Segmentation.from_masses(masses) for name, masses in cuts.items()}
    >>> print(un.measure_segments(texts, measures=["pk", "boundary_similarity"]))
    measure                    value  observed  expected  perfect
    Pk                        0.3102    0.3102         –        0
    boundary similarity       0.5000    0.5000         –        1
    π of boundary similarity  0.4857    0.5000    0.9722        1
    κ of boundary similarity  0.4863    0.5000    0.9733        1
    """
    chosen = chosen_measures(measures)
    all_settings = {
        "window": window,
        "convention": convention,
        "near": near,
        "insertion": insertion,
        "deletion": deletion,
        "shift": shift,
    }
    keywords = {name: value for name, value in all_settings.items() if value is not None}
    settings = settings_by_measure(chosen, keywords)
    texts: Any = data
    if isinstance(data, Continuum | Corpus):
        texts = segmentations(data, atom=atom, gaps=gaps)
        if isinstance(data, Corpus) and len(texts) == 1:
            (texts,) = texts.values()
    found: dict[str, SegmentationAgreement] = {
        measure.name: measure.load()(texts, **settings[measure.name]) for measure in chosen
    }
    if isinstance(data, Continuum | Corpus):
        found = {
            name: signed_for_units(one, data, atom=atom, gaps=gaps) for name, one in found.items()
        }
    if isinstance(data, Corpus) and data.skipped:
        note = f"skipped {count(data.skipped, 'invalid row')}"
        found = {name: replace(one, notes=(*one.notes, note)) for name, one in found.items()}
    return SegmentationTable(found)
