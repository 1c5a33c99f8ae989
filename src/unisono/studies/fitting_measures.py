"""Which measures fit which data: the properties by which Mathet et al. (2015) compare measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.results.wording import count

if TYPE_CHECKING:
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus


_ROUNDING = 1e-9


class DataProperties(NamedTuple):
    """What the units of a corpus are like; numbers of units unless said otherwise."""

    overlapping: int  # that overlap another one of the same annotator
    nested: int  # that lie within another one of the same annotator
    points: int
    in_pieces: int
    several_labels: int  # whose label is a set
    without_label: int
    n_labels: int
    leaves_gaps: int  # pairs of document and annotator in which not all is covered
    same_places: bool  # everyone who saw a document marked the same places in it
    shared: int  # documents that two or more saw


class Measure(NamedTuple):
    """What a measure can take."""

    name: str
    command: str
    takes: frozenset[str]
    remark: str = ""


_ALL = frozenset({"unitizing", "categorization", "overlap", "nesting", "gaps", "chance"})
_NO_OVERLAP = _ALL - {"overlap", "nesting"}
MEASURES = (
    Measure("γ, γcat, γk", "gamma", _ALL),
    Measure("uα, cuα, (k)uα", "unitizing", _NO_OVERLAP),
    Measure("κ_d", "unitizing", _NO_OVERLAP, "depends on the atom"),
    Measure("Pk, WindowDiff, B, S", "segments", _NO_OVERLAP - {"categorization", "gaps"}),
    Measure("α, κ, AC1", "items", _NO_OVERLAP - {"unitizing"}),
    Measure("F1, slot error rate", "compare", _ALL - {"chance"}),
)
"""What each family of measures can take, best first where several can."""


class Fit(NamedTuple):
    """Whether a measure fits some data, and why."""

    measure: Measure
    fits: bool
    why: str


def properties_of(corpus: Corpus) -> DataProperties:
    """Look at what units are like."""
    totals = np.zeros(7, dtype=np.int64)
    same = bool(len(corpus))
    for continuum in corpus.values():
        totals += _counts(continuum)
        same &= _same_places(continuum)
    overlapping, nested, points, in_pieces, several, without, gaps = totals.tolist()
    return DataProperties(
        overlapping=overlapping,
        nested=nested,
        points=points,
        in_pieces=in_pieces,
        several_labels=several,
        without_label=without,
        n_labels=sum(label is not None for label in corpus.labels),
        leaves_gaps=gaps,
        same_places=same,
        shared=sum(len(continuum.annotators) > 1 for continuum in corpus.values()),
    )


def fitting(data: DataProperties) -> list[Fit]:
    """Say of each measure whether it fits, and why."""
    return [_fit(measure, data) for measure in MEASURES]


def _fit(measure: Measure, data: DataProperties) -> Fit:
    if not data.shared:
        return Fit(measure, fits=False, why="no document has two annotators")
    lacks = []
    if "unitizing" not in measure.takes and not data.same_places:
        lacks.append("annotators did not mark the same places, so there are no given items")
    if "overlap" not in measure.takes and data.overlapping:
        lacks.append(f"{count(data.overlapping, 'unit')} overlap, which it does not know")
    if "gaps" not in measure.takes and data.leaves_gaps:
        lacks.append("units do not cover the whole text, and gaps would be segments")
    if lacks:
        return Fit(measure, fits=False, why="; ".join(lacks))
    takes = []
    if "unitizing" in measure.takes:
        takes.append("compares places")
    if "categorization" in measure.takes and data.n_labels > 1:
        takes.append("and labels" if takes else "compares labels")
    if data.overlapping:
        takes.append("takes overlap" + (" and nesting" if data.nested else ""))
    why = ", ".join(takes).replace(", and", " and")
    if "categorization" not in measure.takes and data.n_labels > 1:
        why += "; labels do not count"
    if "chance" not in measure.takes:
        why += "; not corrected for chance, and one side is taken for right"
    if measure.remark:
        why += f"; {measure.remark}"
    return Fit(measure, fits=True, why=why)


def _counts(continuum: Continuum) -> np.ndarray:
    low, high = continuum.extent
    overlapping = nested = gaps = 0
    for number in range(len(continuum.annotators)):
        rows = slice(*continuum.offsets[number : number + 2].tolist())
        starts, ends = continuum.starts[rows], continuum.ends[rows]
        if not len(starts):
            continue
        before = np.concatenate([[-np.inf], np.maximum.accumulate(ends)[:-1]])
        overlaps = starts < before
        overlapping += int(overlaps.sum())
        nested += int((overlaps & (ends <= before)).sum())
        covered = float(np.maximum(ends - np.maximum(starts, before), 0.0).sum())
        gaps += covered < (high - low) * (1 - _ROUNDING)
    kinds = np.array([isinstance(label, frozenset) for label in continuum.labels], dtype=bool)
    none = np.array([label is None for label in continuum.labels], dtype=bool)
    details = continuum.details
    in_pieces = 0 if details is None else sum(bool(each.fragments) for each in details.values)
    codes = continuum.label_codes
    points = int((continuum.starts == continuum.ends).sum())
    several = int(kinds[codes].sum()) if len(codes) else 0
    without = int(none[codes].sum()) if len(codes) else 0
    return np.array([overlapping, nested, points, in_pieces, several, without, gaps])


def _same_places(continuum: Continuum) -> bool:
    if len(set(continuum.counts.tolist())) > 1 or not len(continuum):
        return False
    shape = (len(continuum.annotators), -1)
    starts, ends = continuum.starts.reshape(shape), continuum.ends.reshape(shape)
    return bool((starts == starts[0]).all() and (ends == ends[0]).all())
