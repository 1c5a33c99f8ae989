"""Distances between labels: named distances, matrices and functions."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError, check_choice
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.model.codes import Numbers
from unisono.model.labels import Label, as_label, label_bytes, label_text, shown

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from unisono.model.arrays import Floats

__all__ = [
    "NAMED_DISTANCES",
    "SETS",
    "Distance",
    "DistanceName",
    "Texts",
    "all_labelled",
    "angles_of",
    "as_set",
    "bipolar_squares",
    "check_distance",
    "dice_distance",
    "digest_of_values",
    "distance_matrix",
    "distance_signature",
    "distances_by_function",
    "heights_of",
    "jaccard_distance",
    "masi_distance",
    "name_of",
    "near_zero",
    "numbers_of",
    "positive_numbers",
    "ratio_squares",
    "split_parameter",
    "steep",
    "value_of_function",
]


def jaccard_distance(left: Collection[object], right: Collection[object]) -> float:
    """Return the Jaccard distance of two sets of labels: 0 if equal, 1 if disjoint.

    Parameters
    ----------
    left, right
        Sets or lists of labels. A single label, such as a string, is a set of one label.

    Returns
    -------
    float
        ``1 − |P∩Q|/|P∪Q|`` [1]_; 0 for two empty sets, 1 if only one is empty.

    Raises
    ------
    DataError
        If a label is missing.
    TypeError
        If a label is neither a string nor a number.

    References
    ----------
    .. [1] Jaccard, P. (1912). The distribution of the flora in the alpine zone. New Phytologist
       11(2).

    Examples
    --------
    >>> import unisono as un
    >>> un.jaccard_distance({"joy", "pride"}, {"joy"})
    0.5
    >>> un.jaccard_distance({1, 2}, {2, 3})
    0.6666666666666666
    """
    return _distance(left, right, _jaccard)


def dice_distance(left: Collection[object], right: Collection[object]) -> float:
    """Return the Dice distance of two sets of labels: 0 if equal, 1 if disjoint.

    Parameters
    ----------
    left, right
        Sets or lists of labels. A single label, such as a string, is a set of one label.

    Returns
    -------
    float
        ``1 − 2|P∩Q|/(|P|+|Q|)`` [1]_; 0 for two empty sets.

    Raises
    ------
    DataError
        If a label is missing.
    TypeError
        If a label is neither a string nor a number.

    References
    ----------
    .. [1] Dice, L. R. (1945). Measures of the amount of ecologic association between species.
       Ecology 26(3).

    Examples
    --------
    >>> import unisono as un
    >>> un.dice_distance({"joy", "pride"}, {"joy"})
    0.3333333333333333
    """
    return _distance(left, right, _dice)


def masi_distance(left: Collection[object], right: Collection[object]) -> float:
    """Return the MASI distance of two sets of labels, which is lower if one contains the other.

    Parameters
    ----------
    left, right
        Sets or lists of labels. A single label, such as a string, is a set of one label.

    Returns
    -------
    float
        ``1 − J·M`` [1]_: J is the Jaccard index ``|P∩Q|/|P∪Q|``; M is 1 for equal sets, 2/3 if one
        contains the other, 1/3 if they overlap otherwise, and 0 if they are disjoint. 0 for two
        empty sets, 1 if only one is empty.

    Raises
    ------
    DataError
        If a label is missing.
    TypeError
        If a label is neither a string nor a number.

    References
    ----------
    .. [1] Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and
       pragmatic annotation. LREC 2006.

    Examples
    --------
    >>> import unisono as un
    >>> un.masi_distance({"A"}, {"A", "B"})
    0.6666666666666666
    >>> un.masi_distance(["A", "B"], ["B", "C"])
    0.8888888888888888
    """
    return _distance(left, right, _masi)


def as_set(label: Label) -> frozenset[str | int | float]:
    """Return a label as a set; a single label becomes a set of one label."""
    return label if isinstance(label, frozenset) else frozenset([label])


def _jaccard(left: Floats, right: Floats, shared: Floats) -> Floats:
    union = left + right - shared
    return _over(union - shared, union)


def _dice(left: Floats, right: Floats, shared: Floats) -> Floats:
    both = left + right
    return _over(both - 2.0 * shared, both)


def _masi(left: Floats, right: Floats, shared: Floats) -> Floats:
    union = left + right - shared
    smaller = np.minimum(left, right)
    # Passonneau (2006): M = 1, 2/3, 1/3 or 0; in integer thirds, to round only once.
    thirds = np.select([union == shared, smaller == shared, shared > 0.0], [3.0, 2.0, 1.0], 0.0)
    return _over(3.0 * union - shared * thirds, 3.0 * union)


def _masi_product(left: Floats, right: Floats, shared: Floats) -> Floats:
    union = left + right - shared
    smaller = np.minimum(left, right)
    # (1 − J)(1 − M) with M as in Passonneau (2006), §3.3, in whole thirds.
    thirds = np.select([union == shared, shared == 0.0, smaller == shared], [0.0, 3.0, 1.0], 2.0)
    return _over((union - shared) * thirds, 3.0 * union)


def _over(part: Floats, whole: Floats) -> Floats:
    # Two empty sets are equal: 0/0 counts as 0.
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0.0)


SETS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "jaccard": _jaccard,
    "dice": _dice,
    "masi": _masi,
    "masi-product": _masi_product,
}
"""Set distances by name, as functions of |P|, |Q| and |P∩Q|."""


def _distance(
    left: Collection[object],
    right: Collection[object],
    formula: Callable[[Floats, Floats, Floats], Floats],
) -> float:
    one, other = _label_set(left), _label_set(right)
    sizes = (np.array([float(size)]) for size in (len(one), len(other), len(one & other)))
    return float(formula(*sizes)[0])


def _label_set(value: Collection[object]) -> frozenset[str | int | float]:
    label = as_label(value)
    if label is None:
        msg = f"a set distance compares sets of labels; {value!r} is not a label"
        raise TypeError(msg)
    return as_set(label)


# Larger integers are not always exact as floats.
_EXACT = 2**53
_LARGE = 2.0**1000
_SMALLEST_SQUARE = 1e-290
_MOST_STEPS = 2e11  # steps of the kernel for edit distances: about 15 minutes


class LabelData(NamedTuple):
    """The labels of the data, their frequencies, and the parameter of the distance."""

    labels: Sequence[Label | None]
    counts: Sequence[int] | None
    parameter: str = ""


def split_parameter(name: str) -> tuple[str, str]:
    """Split the name of a distance at the colon before its parameter, and validate that."""
    head, colon, parameter = name.partition(":")
    if colon and head in _PARAMETERS:
        _PARAMETERS[head](parameter)
        return head, parameter
    return name, ""


def all_labelled(labels: Sequence[Label | None], name: str) -> list[Label]:
    """Return the labels; raise an error if one is missing, which the distance cannot compare."""
    labelled = [label for label in labels if label is not None]
    if len(labelled) < len(labels):
        msg = (
            f"some units have no label, and the distance {name!r} cannot compare these; use "
            "'nominal', or label all units"
        )
        raise DataError(msg)
    return labelled


def numbers_of(labels: Sequence[Label | None], name: str) -> Floats:
    """Return the labels as numbers; raise an error if one is not a number."""
    if isinstance(labels, Numbers):
        return labels.floats
    # Measurements may have millions of distinct numbers, so they are converted together.
    try:
        return np.frombuffer(array("d", labels), dtype=np.float64)  # type: ignore[type-var]
    except (OverflowError, TypeError):
        pass  # a string, or an integer beyond the range of floats; the loop below finds it
    numbers = []
    for label in all_labelled(labels, name):
        number = _number(label)
        if not math.isfinite(number):
            problem = "is too large" if isinstance(label, int) else "is not a number"
            msg = f"the distance {name!r} needs numeric labels; {shown(label)} {problem}"
            raise DataError(msg)
        numbers.append(number)
    return np.array(numbers)


def _number(label: Label) -> float:
    # float() accepts underscores: "1_2" would be 12.
    if isinstance(label, frozenset) or (isinstance(label, str) and "_" in label):
        return math.nan
    try:
        return float(label)
    except (ValueError, OverflowError):
        return math.nan


def checked_counts(
    labels: Sequence[Label | None], counts: Sequence[int] | None
) -> NDArray[np.int64]:
    """Return the frequencies of the labels as an array; raise an error if they are invalid."""
    if counts is None:
        msg = "the distance 'ordinal' depends on the frequencies of the labels; pass counts="
        raise SettingError(msg)
    if len(counts) != len(labels) or min(counts) < 0:
        msg = (
            f"counts must contain one integer >= 0 for each of the {len(labels)} labels; "
            f"got {list(counts)}"
        )
        raise SettingError(msg)
    return np.array(counts, dtype=np.int64)


def _scaled_squares(points: Floats) -> Floats:
    # The range of finite numbers can overflow, and quotients can underflow; scaling by a power of
    # two is exact.
    scaled = np.ldexp(points, -int(np.frexp(np.abs(points).max())[1]))
    spread = scaled.max() - scaled.min()
    if spread == 0.0:
        return np.zeros((len(points), len(points)))
    squares: Floats = ((scaled[:, None] - scaled[None, :]) / spread) ** 2
    return squares


def _nominal(data: LabelData) -> Floats:
    return 1.0 - np.eye(len(data.labels))


def _ordinal(data: LabelData) -> Floats:
    values, places = np.unique(numbers_of(data.labels, "ordinal"), return_inverse=True)
    counts = np.zeros(len(values), dtype=np.int64)
    np.add.at(counts, places, checked_counts(data.labels, data.counts))
    # Σ_{g=c..k} n_g − (n_c+n_k)/2 is the difference of the mid-ranks of c and k.
    twice_mid_ranks = 2 * np.cumsum(counts) - counts
    return _scaled_squares(twice_mid_ranks[places].astype(np.float64))


def _interval(data: LabelData) -> Floats:
    return _scaled_squares(numbers_of(near_zero(data.labels), "interval"))


def near_zero(labels: Sequence[Label | None]) -> Sequence[Label | None]:
    """Subtract the minimum from large integers, which would not be exact as floats."""
    if isinstance(labels, Numbers) or set(map(type, labels)) != {int}:
        return labels
    low, high = min(labels), max(labels)  # type: ignore[type-var]
    if max(abs(low), abs(high)) <= _EXACT or high - low > _LARGE:  # type: ignore[arg-type,operator]
        return labels
    return [label - low for label in labels]  # type: ignore[operator]


def _exact_numbers_of(labels: Sequence[Label | None], name: str) -> Floats:
    """Return the labels as numbers; raise an error for integers that are not exact as floats."""
    numbers = numbers_of(labels, name)
    if not isinstance(labels, Numbers) and np.abs(numbers).max(initial=0.0) > _EXACT:
        for label, number in zip(labels, numbers.tolist(), strict=True):
            if isinstance(label, int) and label != number:
                msg = (
                    f"the label {shown(label)} is too large for the distance {name!r}: floats "
                    "represent integers exactly only up to 2**53; subtract the same number from "
                    "all labels"
                )
                raise DataError(msg)
    return numbers


def positive_numbers(labels: Sequence[Label | None]) -> Floats:
    """Return the labels as numbers; raise an error if one is negative, for the ratio distance."""
    numbers = numbers_of(labels, "ratio")
    if numbers.size and numbers.min() < 0.0:
        label = labels[int(numbers.argmin())]
        msg = f"the distance 'ratio' needs labels of at least 0, got {shown(label)}"
        raise DataError(msg)
    return numbers


def ratio_squares(left: Floats, right: Floats) -> Floats:
    """Return ((c − k)/(c + k))², and 0 if both are 0."""
    # The sum of large numbers can overflow; halving the smallest ones would give 0.
    parts = np.where(np.maximum(left, right) > _LARGE, 0.5, 1.0)
    left, right = left * parts, right * parts
    sums = left + right
    return np.divide(left - right, sums, out=np.zeros_like(sums), where=sums > 0.0) ** 2


def _ratio(data: LabelData) -> Floats:
    numbers = positive_numbers(data.labels)
    return ratio_squares(numbers[:, None], numbers[None, :])


def circumference(parameter: str) -> float:
    """Return the circumference in ``circular:…``; raise an error if it is invalid."""
    try:
        value = float(parameter)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value > 0.0):
        msg = (
            f"the circumference of the distance 'circular' must be a number above 0, as in "
            f"'circular:24'; got {parameter!r}"
        )
        raise SettingError(msg)
    return value


def angles_of(labels: Sequence[Label | None], parameter: str = "") -> tuple[Floats, float]:
    """Return the labels as angles, and the circumference, by default max − min + 1."""
    numbers = _exact_numbers_of(labels, "circular")
    if parameter:
        around = circumference(parameter)
    elif (numbers == np.floor(numbers)).all():
        around = _reach(numbers, "circular") + 1.0
    else:
        msg = (
            "the distance 'circular' needs a circumference, because the labels are not whole "
            "numbers; add it to the name, as in 'circular:24'"
        )
        raise DataError(msg)
    # The remainder is exact, so labels that differ by a full turn have distance 0.
    remainders = np.mod(numbers, around)
    if (numbers < 0.0).any() and (numbers != np.floor(numbers)).any():
        # np.mod rounds for negative fractions; np.fmod and the nearest turn are exact.
        remainders = np.fmod(numbers, around)
        turns = np.where(np.abs(remainders) > around / 2.0, np.copysign(around, remainders), 0.0)
        remainders -= turns
        remainders[remainders == -around / 2.0] = around / 2.0
    return 2.0 * np.pi * (remainders / around), around


def _reach(numbers: Floats, name: str) -> float:
    if not numbers.size:
        return 0.0
    half = float(numbers.max() / 2.0 - numbers.min() / 2.0)
    if not math.isfinite(2.0 * half):
        msg = f"the range of the labels is too large for the distance {name!r}; rescale them"
        raise DataError(msg)
    return 2.0 * half


def _circular(data: LabelData) -> Floats:
    angles, _ = angles_of(data.labels, data.parameter)
    squares: Floats = np.sin((angles[:, None] - angles[None, :]) / 2.0) ** 2
    return squares


def scale_ends(parameter: str) -> tuple[float, float]:
    """Return the two ends of the scale in ``bipolar:…``; raise an error if they are invalid."""
    try:
        low, high = map(float, parameter.split(".."))
    except ValueError:
        low = high = math.nan
    if not (math.isfinite(high - low) and low < high):
        msg = (
            f"the scale of the distance 'bipolar' must be a lower and a higher number, as in "
            f"'bipolar:1..7'; got {parameter!r}"
        )
        raise SettingError(msg)
    return low, high


def heights_of(labels: Sequence[Label | None], parameter: str = "") -> tuple[Floats, float, float]:
    """Return the labels minus the lower end of the scale, and both ends, by default min and max."""
    numbers = _exact_numbers_of(labels, "bipolar")
    _reach(numbers, "bipolar")
    low, high = (numbers.min(), numbers.max()) if numbers.size else (0.0, 0.0)
    if parameter:
        ends = scale_ends(parameter)
        for end, allowed in ((low, low >= ends[0]), (high, high <= ends[1])):
            if not allowed:
                label = labels[int(np.flatnonzero(numbers == end)[0])]
                msg = f"the label {shown(label)} is outside the scale of 'bipolar:{parameter}'"
                raise DataError(msg)
        low, high = ends
    return numbers - low, float(low), float(high)


def bipolar_squares(left: Floats, right: Floats, reach: float) -> Floats:
    """Return (c − k)² / ((c + k − 2 min)(2 max − c − k)) for labels minus min; 0 if equal."""
    sums = left + right
    wholes = sums * (2.0 * reach - sums)
    differences = left - right
    squares = differences**2
    quotients = np.divide(squares, wholes, out=np.zeros_like(wholes), where=wholes > 0.0)
    tiny = (squares < _SMALLEST_SQUARE) & (wholes > 0.0)
    if tiny.any():
        # The square would underflow.
        quotients[tiny] = differences[tiny] / wholes[tiny] * differences[tiny]
    return quotients


def _bipolar(data: LabelData) -> Floats:
    heights, low, high = heights_of(data.labels, data.parameter)
    reach = high - low or 1.0
    parts = heights / reach  # within [0, 1], to avoid overflow
    return bipolar_squares(parts[:, None], parts[None, :], 1.0)


class Texts:
    """Labels as strings, and their edit distances."""

    def __init__(self, labels: Sequence[Label]) -> None:
        for label in labels:
            if isinstance(label, frozenset):
                msg = (
                    f"the distance 'edit' compares strings, but the label {shown(label)} is a set; "
                    "use 'jaccard', 'dice' or 'masi'"
                )
                raise DataError(msg)
        texts = list(map(label_text, labels))
        self._lengths = np.array(list(map(len, texts)), dtype=np.int64)
        self._offsets = np.concatenate(([0], np.cumsum(self._lengths)))
        self._check_effort()
        written = "".join(texts).encode("utf-32-le", "surrogatepass")
        alphabet, characters = np.unique(np.frombuffer(written, "<u4"), return_inverse=True)
        self._alphabet = len(alphabet)
        self._characters = characters.astype(np.int32)

    def __len__(self) -> int:
        return len(self._lengths)

    def between(self, left: NDArray[np.integer], right: NDArray[np.integer]) -> Floats:
        """Return the distances of pairs of texts, by their indices."""
        from unisono._core import edit_distances  # noqa: PLC0415 - only for this distance

        return edit_distances(
            self._characters,
            self._offsets,
            left.astype(np.int64),
            right.astype(np.int64),
            alphabet=self._alphabet,
        )

    def rows(self, first: int, last: int) -> Floats:
        """Return the distances of the texts `first` to `last` − 1 to all texts from `first` on."""
        from unisono._core import edit_rows  # noqa: PLC0415 - only for this distance

        return edit_rows(
            self._characters, self._offsets, alphabet=self._alphabet, first=first, last=last
        )

    def _check_effort(self) -> None:
        """Raise an error if comparing all pairs of texts would take hours."""
        # In a step, the kernel compares up to 64 characters of one text with one of the other.
        words = float(np.ceil(self._lengths / 64).sum())
        if words * float(self._lengths.sum()) > _MOST_STEPS:
            msg = (
                f"the distance 'edit' would take hours for the {len(self):,} different labels, "
                f"which have {int(self._lengths.sum()):,} characters in total; use shorter or "
                "fewer labels, or the distance 'nominal'"
            )
            raise DataError(msg)


def _edit(data: LabelData) -> Floats:
    texts = Texts(all_labelled(data.labels, "edit"))
    return texts.rows(0, len(texts))


def _of_sets(name: str) -> Callable[[LabelData], Floats]:
    formula = SETS[name]

    def distances(data: LabelData) -> Floats:
        sets = list(map(as_set, all_labelled(data.labels, name)))
        column_of = {member: column for column, member in enumerate(frozenset().union(*sets))}
        indicators = np.zeros((len(sets), len(column_of)))
        for row, members in zip(indicators, sets, strict=True):
            row[[column_of[member] for member in members]] = 1.0
        sizes = indicators.sum(axis=1)
        return formula(sizes[:, None], sizes[None, :], indicators @ indicators.T)

    return distances


_PARAMETERS: dict[str, Callable[[str], object]] = {
    "circular": circumference,
    "bipolar": scale_ends,
}
"""The distances that accept a parameter after a colon, with the function that reads it."""
NAMED_DISTANCES: dict[str, Callable[[LabelData], Floats]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
    "edit": _edit,
    "jaccard": _of_sets("jaccard"),
    "dice": _of_sets("dice"),
    "masi": _of_sets("masi"),
    "masi-product": _of_sets("masi-product"),
}
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
    "masi-product",
]
_LONGEST_LIST_IN_A_SIGNATURE = 60
_LARGEST = 1e200  # sums of many such distances are still finite
Distance: TypeAlias = DistanceName | DistanceMatrix | Callable[[Label, Label], float]


def check_distance(
    distance: object, name: str = "distance", choices: Iterable[str] = NAMED_DISTANCES
) -> None:
    """Raise an error unless a value can be a label distance."""
    if isinstance(distance, str):
        if split_parameter(distance)[0] not in NAMED_DISTANCES:
            other = "pass a DistanceMatrix or a function of two labels"
            check_choice(name, distance, choices, other)
    elif not isinstance(distance, DistanceMatrix) and not callable(distance):
        msg = (
            "a label distance must be a name, a DistanceMatrix or a function of two labels, "
            f"not {type(distance).__name__}"
        )
        raise TypeError(msg)


def distance_matrix(
    labels: Sequence[Label | None],
    distance: str | DistanceMatrix | Callable[[Label, Label], float],
    *,
    counts: Sequence[int] | None = None,
) -> Floats:
    """Return the matrix of distances between labels, scaled to [0, 1].

    Parameters
    ----------
    labels
        The labels of the data, without duplicates.
    distance
        A name, such as ``"nominal"``, ``"ordinal"``, ``"interval"`` or ``"masi"``, a
        `DistanceMatrix`, or a function of two labels. A function is called once for each unordered
        pair of different labels.
    counts
        The frequency of each label in the data; required for ``"ordinal"`` only.

    Returns
    -------
    numpy.ndarray
        A read-only float64 array with one row and one column per label.

    Raises
    ------
    SettingError
        If the name is unknown, or ``counts`` is missing for ``"ordinal"``.
    DataError
        If the distance cannot compare a label, the matrix does not have it, or the function returns
        a value outside [0, 1].

    Examples
    --------
    >>> import unisono as un
    >>> un.distance_matrix([0, 1, 4], "interval")
    array([[0.    , 0.0625, 1.    ],
           [0.0625, 0.    , 0.5625],
           [1.    , 0.5625, 0.    ]])
    >>> un.distance_matrix([1, 2, 3], "ordinal", counts=[2, 4, 2])
    array([[0.  , 0.25, 1.  ],
           [0.25, 0.  , 0.25],
           [1.  , 0.25, 0.  ]])
    >>> un.distance_matrix(["a", frozenset("ab")], "masi").round(4)
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
    """Return a distance as text for a signature, with everything that can change its values.

    Parameters
    ----------
    distance, labels, counts
        As for `distance_matrix`.

    Returns
    -------
    str
        The name; for interval and bipolar with the range, for circular with the circumference, for
        ordinal with the frequencies, for a matrix or a function with a digest of its values for
        these labels.

    Examples
    --------
    >>> import unisono as un
    >>> un.distance_signature("nominal", ["a", "b"])
    'nominal'
    >>> un.distance_signature("interval", [0, 6])
    'interval[0..6]'
    >>> un.distance_signature("circular", [0, 23])
    'circular[24]'
    >>> un.distance_signature("ordinal", ["1", "2"], [12, 30])
    'ordinal[1:12,2:30]'
    >>> un.distance_signature(un.DistanceMatrix(["a", "b"], [[0, 0.5], [0.5, 0]]), ["a", "b"])
    'matrix#82304fa6'
    """
    check_distance(distance)
    if isinstance(distance, DistanceMatrix):
        return f"matrix#{_digest_on(distance, labels)}"
    if not isinstance(distance, str):
        return f"callable:{name_of(distance)}#{_digest_on(distance, labels)}"
    if all(label is None for label in labels):
        return distance
    name, parameter = split_parameter(distance)
    if name == "circular":
        return f"circular[{_number_text(angles_of(labels, parameter)[1])}]"
    if name == "bipolar":
        low, high = map(_number_text, heights_of(labels, parameter)[1:])
        return f"bipolar[{low}..{high}]"
    if distance == "interval":
        numbers = numbers_of(labels, distance)
        low, high = map(_number_text, (numbers.min(), numbers.max()))
        return f"interval[{low}..{high}]"
    if distance == "ordinal":
        times = checked_counts(labels, counts).tolist()
        rows = zip(numbers_of(labels, distance).tolist(), labels, times, strict=True)
        pairs = ",".join(
            f"{label_text(label)}:{count}"
            for _, label, count in sorted(rows, key=lambda row: row[0])
        )
        if len(pairs) <= _LONGEST_LIST_IN_A_SIGNATURE:
            return f"ordinal[{pairs}]"
        return f"ordinal#{_short_digest(pairs.encode())}"
    return distance


def steep(distances: Floats) -> Floats:
    """Transform distances such that units with labels at distance 1 are never aligned."""
    # f(x) = −ln(1 − x)·x³⁰ + x (Mathet et al. 2015, §4.3); infinite at 1.
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
        name, parameter = split_parameter(distance)
        return NAMED_DISTANCES[name](LabelData(labels, counts, parameter))
    return _distances_by_function(labels, distance)


def _distances_by_function(
    labels: Sequence[Label | None], function: Callable[[Label, Label], float]
) -> Floats:
    return distances_by_function(all_labelled(labels, name_of(function)), function, most=1.0)


def distances_by_function(
    labels: Sequence[Label], function: Callable[[Label, Label], float], *, most: float
) -> Floats:
    """Return the matrix of a custom distance, called once for each unordered pair of labels."""
    values = np.zeros((len(labels), len(labels)))
    for (i, left), (j, right) in combinations(enumerate(labels), 2):
        values[i, j] = values[j, i] = value_of_function(function, left, right, most)
    return values


def value_of_function(
    function: Callable[[Label, Label], float], left: Label, right: Label, most: float
) -> float:
    """Call a custom distance; raise an error unless it returns a finite number from 0 to `most`."""
    name = name_of(function)
    value = _as_number(function(left, right), name)
    if not 0.0 <= value <= min(most, _LARGEST):
        within = (
            "be within [0, 1]"
            if most == 1.0
            else f"be a finite number of at least 0 and at most {_LARGEST:g}"
        )
        msg = (
            f"a distance must {within}, but the function {name!r} returned {value!r} "
            f"for {shown(left)} and {shown(right)}"
        )
        raise DataError(msg)
    return value


def _as_number(value: object, name: str) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # a custom function may return anything
    except (TypeError, ValueError, OverflowError):
        msg = f"a distance must be a number, but the function {name!r} returned {value!r}"
        raise TypeError(msg) from None


def name_of(function: Callable[[Label, Label], float]) -> str:
    """Return the name of a function, or of its class if it has none."""
    return str(getattr(function, "__name__", type(function).__name__))


def _number_text(number: float) -> str:
    return label_text(as_label(float(number)))


def _digest_on(
    distance: DistanceMatrix | Callable[[Label, Label], float], labels: Sequence[Label | None]
) -> str:
    return digest_of_values(labels, _distances_of(labels, distance, None))


def digest_of_values(labels: Sequence[Label | None], values: Floats) -> str:
    """Return a short digest of labels and their distances."""
    names = b"".join(map(label_bytes, labels))
    return _short_digest(names + values.astype("<f8").tobytes())


def _short_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:8]
