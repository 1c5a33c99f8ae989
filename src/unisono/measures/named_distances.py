"""The formulas of the label distances that have a name; `distances` documents them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unisono.errors import DataError, SettingError
from unisono.measures.matrices import shown
from unisono.model.labels import Label, label_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_Floats: TypeAlias = NDArray[np.float64]


class Seen(NamedTuple):
    """The labels of the data and how often each occurs."""

    labels: Sequence[Label | None]
    counts: Sequence[int] | None


def all_labelled(labels: Sequence[Label | None], name: str) -> list[Label]:
    """Refuse a missing label, which the distance of this name cannot compare."""
    labelled = [label for label in labels if label is not None]
    if len(labelled) < len(labels):
        msg = (
            f"some units have no label, and the distance {name!r} cannot compare a label "
            "with none; use 'nominal', or label all units"
        )
        raise DataError(msg)
    return labelled


def numbers_of(labels: Sequence[Label | None], name: str) -> _Floats:
    """Read the labels as numbers, or name the one that is none."""
    numbers = []
    for label in all_labelled(labels, name):
        number = _number(label)
        if not math.isfinite(number):
            msg = f"the distance {name!r} compares numbers, and the label {shown(label)} is none"
            raise DataError(msg)
        numbers.append(number)
    return np.array(numbers)


def _number(label: Label) -> float:
    # float() reads "1_2" as 12, which no annotator means.
    if isinstance(label, frozenset) or (isinstance(label, str) and "_" in label):
        return math.nan
    try:
        return float(label)
    except (ValueError, OverflowError):
        return math.nan


def checked_counts(
    labels: Sequence[Label | None], counts: Sequence[int] | None
) -> NDArray[np.int64]:
    """Refuse counts that do not fit the labels."""
    if counts is None:
        msg = "the ordinal distance is made from the counts of the labels; give counts="
        raise SettingError(msg)
    if len(counts) != len(labels) or min(counts) < 0:
        msg = (
            f"counts must hold one number of at least 0 for each of the {len(labels)} labels; "
            f"got {list(counts)}"
        )
        raise SettingError(msg)
    return np.array(counts, dtype=np.int64)


def _scaled_squares(points: _Floats) -> _Floats:
    # Halves, because the range of finite numbers can overflow; halving is exact.
    halves = points / 2.0
    spread = halves.max() - halves.min()
    if spread == 0.0:
        return np.zeros((len(points), len(points)))
    squares: _Floats = ((halves[:, None] - halves[None, :]) / spread) ** 2
    return squares


def _nominal(seen: Seen) -> _Floats:
    return 1.0 - np.eye(len(seen.labels))


def _ordinal(seen: Seen) -> _Floats:
    values, places = np.unique(numbers_of(seen.labels, "ordinal"), return_inverse=True)
    counts = np.zeros(len(values), dtype=np.int64)
    np.add.at(counts, places, checked_counts(seen.labels, seen.counts))
    # Σ_{g=c..k} n_g − (n_c+n_k)/2 is the difference of the middle ranks of c and k.
    twice_the_middle_ranks = 2 * np.cumsum(counts) - counts
    return _scaled_squares(twice_the_middle_ranks[places].astype(np.float64))


def _interval(seen: Seen) -> _Floats:
    return _scaled_squares(numbers_of(seen.labels, "interval"))


def _ratio(seen: Seen) -> _Floats:
    numbers = numbers_of(seen.labels, "ratio")
    if numbers.min() < 0.0:
        label = seen.labels[int(numbers.argmin())]
        msg = f"the distance 'ratio' needs numbers of at least 0, and a label is {shown(label)}"
        raise DataError(msg)
    halves = numbers / 2.0
    sums = halves[:, None] + halves[None, :]
    differences = halves[:, None] - halves[None, :]
    return np.divide(differences, sums, out=np.zeros_like(sums), where=sums > 0.0) ** 2


def _edit(seen: Seen) -> _Floats:
    labels = all_labelled(seen.labels, "edit")
    for label in labels:
        if isinstance(label, frozenset):
            msg = (
                f"the distance 'edit' compares texts, and the label {shown(label)} is a set; "
                "use 'jaccard', 'dice' or 'masi'"
            )
            raise DataError(msg)
    texts = [[ord(character) for character in label_text(label)] for label in labels]
    lengths = np.array([len(text) for text in texts])
    # One row a text, padded with what is no character: all texts are compared at once.
    characters = np.full((len(texts), int(lengths.max())), -1)
    for row, text in zip(characters, texts, strict=True):
        row[: len(text)] = text
    edits = np.array([_edits_to_all(text, characters, lengths) for text in texts])
    longer = np.maximum(np.maximum(lengths[:, None], lengths[None, :]), 1)
    distances: _Floats = edits / longer
    return distances


def _edits_to_all(
    text: list[int], characters: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.int64]:
    columns = np.arange(characters.shape[1] + 1)
    edits = np.tile(columns, (len(characters), 1))
    for character in text:
        substituted = edits[:, :-1] + (characters != character)
        deleted = edits + 1
        deleted[:, 1:] = np.minimum(deleted[:, 1:], substituted)
        # Insertions run along the row: the best start before each column plus the way from there.
        edits = np.minimum.accumulate(deleted - columns, axis=1) + columns
    return edits[np.arange(len(characters)), lengths]


def _sizes_of_sets(seen: Seen, name: str) -> tuple[_Floats, _Floats]:
    """Give |P|+|Q| and |P∩Q| of all pairs."""
    sets = [
        label if isinstance(label, frozenset) else frozenset([label])
        for label in all_labelled(seen.labels, name)
    ]
    column_of = {member: column for column, member in enumerate(frozenset().union(*sets))}
    holds = np.zeros((len(sets), len(column_of)))
    for row, members in zip(holds, sets, strict=True):
        row[[column_of[member] for member in members]] = 1.0
    sizes = holds.sum(axis=1)
    return sizes[:, None] + sizes[None, :], holds @ holds.T


def _over(part: _Floats, whole: _Floats) -> _Floats:
    # Two empty sets are equal: 0 of 0 is 0.
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0.0)


def _jaccard(seen: Seen) -> _Floats:
    both_sizes, shared = _sizes_of_sets(seen, "jaccard")
    union = both_sizes - shared
    return _over(union - shared, union)


def _dice(seen: Seen) -> _Floats:
    both_sizes, shared = _sizes_of_sets(seen, "dice")
    return _over(both_sizes - 2.0 * shared, both_sizes)


def _masi(seen: Seen) -> _Floats:
    both_sizes, shared = _sizes_of_sets(seen, "masi")
    union = both_sizes - shared
    sizes = np.diag(both_sizes) / 2.0
    smaller = np.minimum(sizes[:, None], sizes[None, :])
    # Passonneau (2006): M = 1, 2/3, 1/3 or 0; in whole thirds, so that nothing is rounded twice.
    thirds = np.select([union == shared, smaller == shared, shared > 0.0], [3.0, 2.0, 1.0], 0.0)
    return _over(3.0 * union - shared * thirds, 3.0 * union)


NAMED_DISTANCES: dict[str, Callable[[Seen], _Floats]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
    "edit": _edit,
    "jaccard": _jaccard,
    "dice": _dice,
    "masi": _masi,
}
