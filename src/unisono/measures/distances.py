"""Distances between labels: how far apart two labels are, from 0 (the same) to 1.

All distances stand in one table of names, and each is scaled into [0, 1] once, over the labels
given, so that the same names serve every measure:

========  ============================================================================
nominal   0 for the same label, 1 for two different ones
ordinal   Krippendorff's: squared difference of the middle ranks of the two labels,
          ``(n_c + … + n_k − (n_c + n_k)/2)²`` with the counts n of the data, divided by
          its largest value [1]_
interval  ``(c − k)²``, divided by the square of the range of the labels [1]_
ratio     ``((c − k)/(c + k))²``, and 0 for 0 and 0; numbers of at least 0 [1]_
circular  ``sin²(π(c − k)/U)`` on a circle of circumference U, such as the hours of a day:
          ``"circular:24"``; for whole numbers U is by default max − min + 1 [1]_
bipolar   ``(c − k)²/((c + k − 2 min)(2 max − c − k))`` on a scale with two ends, such as
          ``"bipolar:1..7"``; by default the ends are those of the labels [1]_
edit      insertions, deletions and substitutions of characters [2]_, divided by the
          length of the longer text
jaccard   ``1 − |P∩Q|/|P∪Q|`` for sets
dice      ``1 − 2|P∩Q|/(|P|+|Q|)`` for sets
masi      ``1 − J·M`` with J the Jaccard overlap and M = 1 for equal sets, 2/3 if one
          contains the other, 1/3 if they overlap otherwise, 0 if they do not [3]_
========  ============================================================================

Ordinal to bipolar take numbers or texts that are numbers (``"3"``). For set distances a
plain label is the set of itself; two empty sets are equal. A label that is missing (None) is a
label of its own for nominal and an error for all others, unless no unit has a label at all: then
all are equal.

References
----------
.. [1] Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. Departmental papers
   (ASC), University of Pennsylvania, section "metric differences".
.. [2] Levenshtein, V. I. (1966). Binary codes capable of correcting deletions, insertions, and
   reversals. Soviet Physics Doklady 10(8), 707–710.
.. [3] Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and
   pragmatic annotation. LREC 2006.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.distance_matrix import DistanceMatrix, shown
from unisono.measures.named_distances import (
    NAMED_DISTANCES,
    Seen,
    all_labelled,
    angles_of,
    checked_counts,
    heights_of,
    numbers_of,
    parted,
)
from unisono.model.labels import Label, as_label, label_bytes, label_text

if TYPE_CHECKING:
    from unisono.model.arrays import Floats

__all__ = [
    "Distance",
    "DistanceName",
    "check_distance",
    "digest_of_values",
    "distance_matrix",
    "distance_signature",
    "distances_by_function",
    "name_of",
    "steep",
    "value_of_function",
]

DistanceName: TypeAlias = Literal[
    "nominal",
    "ordinal",
    "interval",
    "ratio",
    "circular",
    "bipolar",
    "edit",
    "jaccard",
    "dice",
    "masi",
]
_LONGEST_LIST_IN_A_SIGNATURE = 60
_LARGEST = 1e200  # distance: sums of many still are numbers
Distance: TypeAlias = DistanceName | DistanceMatrix | Callable[[Label, Label], float]


def check_distance(distance: object) -> None:
    """Refuse what can be no label distance, before any data are seen.

    Parameters
    ----------
    distance
        A name, a `DistanceMatrix`, or a function of two labels.

    Raises
    ------
    SettingError
        If it is a name that is not known.
    TypeError
        If it is none of the three.

    Examples
    --------
    >>> check_distance("masi")
    >>> check_distance("numerical")
    Traceback (most recent call last):
        ...
    unisono.errors.SettingError: unknown label distance 'numerical'; choose one of nominal,
        ordinal, interval, ratio, circular, bipolar, edit, jaccard, dice, masi, or give a
        DistanceMatrix or a function of two labels
    """
    if isinstance(distance, str):
        if parted(distance)[0] not in NAMED_DISTANCES:
            msg = (
                f"unknown label distance {distance!r}; choose one of {', '.join(NAMED_DISTANCES)}, "
                "or give a DistanceMatrix or a function of two labels"
            )
            raise SettingError(msg)
    elif not isinstance(distance, DistanceMatrix) and not callable(distance):
        msg = (
            "a label distance is a name, a DistanceMatrix or a function of two labels, "
            f"not {type(distance).__name__}"
        )
        raise TypeError(msg)


def distance_matrix(
    labels: Sequence[Label | None],
    distance: str | DistanceMatrix | Callable[[Label, Label], float],
    *,
    counts: Sequence[int] | None = None,
) -> Floats:
    """Tabulate the distances between all labels, scaled into [0, 1].

    Parameters
    ----------
    labels
        The labels of the data, all different.
    distance
        A name from the table at the head of this module, a `DistanceMatrix`, or a function of two
        labels. A function is called once for each unordered pair of different labels.
    counts
        How often each label occurs in the data; only ordinal needs it.

    Returns
    -------
    numpy.ndarray
        float64, read-only, a row and a column per label.

    Raises
    ------
    SettingError
        If the name is not known, or ordinal comes without counts.
    DataError
        If a label cannot be compared by this distance, is missing in the matrix, or the function
        gives a value outside [0, 1].

    Examples
    --------
    >>> distance_matrix([0, 1, 4], "interval")
    array([[0.    , 0.0625, 1.    ],
           [0.0625, 0.    , 0.5625],
           [1.    , 0.5625, 0.    ]])
    >>> distance_matrix([1, 2, 3], "ordinal", counts=[2, 4, 2])
    array([[0.  , 0.25, 1.  ],
           [0.25, 0.  , 0.25],
           [1.  , 0.25, 0.  ]])
    >>> distance_matrix(["a", frozenset("ab")], "masi").round(4)
    array([[0.    , 0.6667],
           [0.6667, 0.    ]])
    """
    check_distance(distance)
    values = _distances_of(labels, distance, counts)
    values.setflags(write=False)
    return values


def distance_signature(
    distance: str | DistanceMatrix | Callable[[Label, Label], float],
    labels: Sequence[Label | None],
    counts: Sequence[int] | None = None,
) -> str:
    """Write a distance down in a few characters, with everything that can move its values.

    Parameters
    ----------
    distance, labels, counts
        As for `distance_matrix`.

    Returns
    -------
    str
        The name; for interval and bipolar with the range, for circular with the circumference,
        for ordinal with its counts, and for a matrix or a function with a digest of its values
        on these labels.

    Examples
    --------
    >>> distance_signature("nominal", ["a", "b"])
    'nominal'
    >>> distance_signature("interval", [0, 6])
    'interval[0..6]'
    >>> distance_signature("circular", [0, 23])
    'circular[24]'
    >>> distance_signature("ordinal", ["1", "2"], [12, 30])
    'ordinal[1:12,2:30]'
    >>> distance_signature(DistanceMatrix(["a", "b"], [[0, 0.5], [0.5, 0]]), ["a", "b"])
    'matrix#82304fa6'
    """
    check_distance(distance)
    if isinstance(distance, DistanceMatrix):
        return f"matrix#{_digest_on(distance, labels)}"
    if not isinstance(distance, str):
        return f"callable:{name_of(distance)}#{_digest_on(distance, labels)}"
    if all(label is None for label in labels):
        return distance
    name, own = parted(distance)
    if name == "circular":
        return f"circular[{_number_text(angles_of(labels, own)[1])}]"
    if name == "bipolar":
        low, high = map(_number_text, heights_of(labels, own)[1:])
        return f"bipolar[{low}..{high}]"
    if distance == "interval":
        numbers = numbers_of(labels, distance)
        low, high = map(_number_text, (numbers.min(), numbers.max()))
        return f"interval[{low}..{high}]"
    if distance == "ordinal":
        seen = checked_counts(labels, counts)
        pairs = zip(numbers_of(labels, distance).tolist(), labels, seen.tolist(), strict=True)
        listed = ",".join(
            f"{label_text(label)}:{count}"
            for _, label, count in sorted(pairs, key=lambda pair: pair[0])
        )
        if len(listed) <= _LONGEST_LIST_IN_A_SIGNATURE:
            return f"ordinal[{listed}]"
        return f"ordinal#{_short_digest(listed.encode())}"
    return distance


def steep(distances: Floats) -> Floats:
    """Make distances steep, so that totally different labels are never aligned."""
    # f(x) = −ln(1 − x)·x³⁰ + x (2015, §4.3); infinite at 1.
    with np.errstate(divide="ignore"):
        return -np.log1p(-distances) * distances**30 + distances


def _distances_of(
    labels: Sequence[Label | None],
    distance: str | DistanceMatrix | Callable[[Label, Label], float],
    counts: Sequence[int] | None,
) -> Floats:
    if all(label is None for label in labels):
        return np.zeros((len(labels), len(labels)))
    if isinstance(distance, DistanceMatrix):
        rows = [distance.row(label) for label in all_labelled(labels, "matrix")]
        return distance.values[np.ix_(rows, rows)]
    if isinstance(distance, str):
        name, own = parted(distance)
        return NAMED_DISTANCES[name](Seen(labels, counts, own))
    return _distances_by_function(labels, distance)


def _distances_by_function(
    labels: Sequence[Label | None], function: Callable[[Label, Label], float]
) -> Floats:
    return distances_by_function(all_labelled(labels, name_of(function)), function, most=1.0)


def distances_by_function(
    labels: Sequence[Label], function: Callable[[Label, Label], float], *, most: float
) -> Floats:
    """Tabulate a user's function of two labels, asked once for each unordered pair."""
    values = np.zeros((len(labels), len(labels)))
    for (i, left), (j, right) in combinations(enumerate(labels), 2):
        values[i, j] = values[j, i] = value_of_function(function, left, right, most)
    return values


def value_of_function(
    function: Callable[[Label, Label], float], left: Label, right: Label, most: float
) -> float:
    """Ask a user's function for a distance, which lies between 0 and `most` and is finite."""
    name = name_of(function)
    value = _as_number(function(left, right), name)
    if not 0.0 <= value <= min(most, _LARGEST):
        within = (
            "lie within [0, 1]"
            if most == 1.0
            else f"be a finite number of at least 0 and at most {_LARGEST:g}"
        )
        msg = (
            f"a distance must {within}, but the function {name!r} gives {value!r} "
            f"for {shown(left)} and {shown(right)}"
        )
        raise DataError(msg)
    return value


def _as_number(given: object, name: str) -> float:
    try:
        return float(given)  # type: ignore[arg-type]  # a user's function may give anything
    except (TypeError, ValueError, OverflowError):
        msg = f"a distance is a number, but the function {name!r} gives {given!r}"
        raise TypeError(msg) from None


def name_of(function: Callable[[Label, Label], float]) -> str:
    """Give the name a user's function has."""
    return str(getattr(function, "__name__", type(function).__name__))


def _number_text(number: float) -> str:
    return label_text(as_label(float(number)))


def _digest_on(
    distance: DistanceMatrix | Callable[[Label, Label], float], labels: Sequence[Label | None]
) -> str:
    return digest_of_values(labels, _distances_of(labels, distance, None))


def digest_of_values(labels: Sequence[Label | None], values: Floats) -> str:
    """Give a short digest of distances between labels."""
    names = b"".join(map(label_bytes, labels))
    return _short_digest(names + values.astype("<f8").tobytes())


def _short_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:8]
