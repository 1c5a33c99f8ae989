"""All measures of segmentations in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from unisono.measures.segmentation.comparison import sheet_of
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.segmentation import segmentations
from unisono.registry import measure_named, measures_of, settings_by_measure
from unisono.results.render import Sheeted, text
from unisono.results.sheet import without_value
from unisono.results.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unisono.measures.segmentation.comparison import Cut, SegmentationAgreement
    from unisono.model.segmentation import Gaps
    from unisono.registry import Measure
    from unisono.results.sheet import Sheet

__all__ = ["SegmentationTable", "chosen_measures", "measure_segments"]


class SegmentationTable(Sheeted, Mapping[str, "SegmentationAgreement"]):
    """Results of several measures on the same segmentations, by the name of the measure.

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

    def __init__(self, results: Mapping[str, SegmentationAgreement]) -> None:
        self._results = MappingProxyType(dict(results))

    def __getitem__(self, name: str) -> SegmentationAgreement:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return f"SegmentationTable({', '.join(self._results)})"

    def __str__(self) -> str:
        return text(self.sheet())

    def __reduce__(self) -> tuple[type[SegmentationTable], tuple[dict[str, Any]]]:
        return type(self), (dict(self._results),)

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain data, by measure.

        Examples
        --------
        >>> import unisono as un
        >>> one, other = map(un.Segmentation.from_masses, ([2, 3, 6], [5, 6]))
        >>> un.measure_segments({"ann": one, "bob": other}).to_dict()["pk"]["observed"]
        0.2361111111111111
        """
        return {name: result.to_dict() for name, result in self.items()}

    def problems(self) -> list[str]:
        """Return what a script must notice: that no measure has a value.

        Examples
        --------
        >>> import unisono as un
        >>> un.measure_segments({"ann": un.Segmentation.from_masses([2, 3])}).problems()[0][:40]
        'pk, window_diff, generalized_hamming, bo'
        """
        return without_value(self)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of the results, which all renderings share.

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
        return sheet_of(self._results, title=title)


def chosen_measures(measures: Iterable[str] | None) -> tuple[Measure, ...]:
    """Return the measures that are asked for by any of their names, each once; or all."""
    known = measures_of("segmentation")
    if measures is None:
        return known
    found = [measure_named(name, known) for name in measures]
    return tuple({measure.name: measure for measure in found}.values())


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
    """Measure agreement on where texts are cut, by several measures.

    Parameters
    ----------
    data
        Segmentations by annotator, or by document and annotator; or a `Continuum` or a `Corpus`
        whose units cover the whole texts.
    measures
        Names of measures; all by default: `pk`, `window_diff`, `generalized_hamming`,
        `boundary_similarity` and `segmentation_similarity`.
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
        If a measure does not exist, or no measure has a setting that was given.
    DataError
        If units overlap or leave gaps.

    Examples
    --------
    >>> import unisono as un
    >>> cuts = {"ann": [2, 3, 6], "bob": [5, 6], "eve": [2, 4, 5]}
    >>> texts = {name: un.Segmentation.from_masses(masses) for name, masses in cuts.items()}
    >>> print(un.measure_segments(texts, measures=["pk", "boundary_similarity"]))
    measure               value  observed  expected  perfect
    Pk                   0.3102    0.3102         –        0
    boundary similarity  0.5000    0.5000         –        1
    π of B               0.4857    0.5000    0.9722        1
    κ of B               0.4863    0.5000    0.9733        1
    """
    chosen = chosen_measures(measures)
    asked = {
        "window": window,
        "convention": convention,
        "near": near,
        "insertion": insertion,
        "deletion": deletion,
        "shift": shift,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    settings = settings_by_measure(chosen, given)
    texts: Any = data
    if isinstance(data, Continuum | Corpus):
        texts = segmentations(data, atom=atom, gaps=gaps)
        if isinstance(data, Corpus) and len(texts) == 1:
            (texts,) = texts.values()
    found: dict[str, SegmentationAgreement] = {
        measure.name: measure.load()(texts, **settings[measure.name]) for measure in chosen
    }
    if isinstance(data, Corpus) and data.skipped:
        note = f"skipped {count(data.skipped, 'row')} that could not be read"
        found = {name: replace(one, notes=(*one.notes, note)) for name, one in found.items()}
    return SegmentationTable(found)
