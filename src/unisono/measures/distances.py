"""Distances between labels: the named ones, those between sets, tables and functions."""

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
    "parted",
    "positive_numbers",
    "ratio_squares",
    "steep",
    "value_of_function",
]


def jaccard_distance(left: Collection[object], right: Collection[object]) -> float:
    """Say what part of two sets taken together is not in both: 0 if they are equal.

    Parameters
    ----------
    left, right
        Sets or lists of labels. A plain label, texts included, is the set of itself.

    Returns
    -------
    float
        ``1 − |P∩Q|/|P∪Q|`` [1]_; 0 for two empty sets, 1 for an empty and another one.

    Raises
    ------
    DataError
        If a member is missing.
    TypeError
        If a member is neither text nor number.

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
    """Say what part of the members of two sets is not shared: 0 if they are equal.

    Parameters
    ----------
    left, right
        Sets or lists of labels. A plain label, texts included, is the set of itself.

    Returns
    -------
    float
        ``1 − 2|P∩Q|/(|P|+|Q|)`` [1]_; 0 for two empty sets.

    Raises
    ------
    DataError
        If a member is missing.
    TypeError
        If a member is neither text nor number.

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
    """Say how far two sets are apart, sparing the one that is part of the other.

    Parameters
    ----------
    left, right
        Sets or lists of labels. A plain label, texts included, is the set of itself.

    Returns
    -------
    float
        ``1 − J·M`` [1]_: J is the Jaccard overlap ``|P∩Q|/|P∪Q|``; M is 1 for equal sets, 2/3 if
        one contains the other, 1/3 if they overlap otherwise, and 0 if they do not. The thirds
        are exact. 0 for two empty sets, 1 for an empty and another one.

    Raises
    ------
    DataError
        If a member is missing.
    TypeError
        If a member is neither text nor number.

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
    """Take a plain label for the set of itself."""
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
    # Passonneau (2006): M = 1, 2/3, 1/3 or 0; in whole thirds, so that nothing is rounded twice.
    thirds = np.select([union == shared, smaller == shared, shared > 0.0], [3.0, 2.0, 1.0], 0.0)
    return _over(3.0 * union - shared * thirds, 3.0 * union)


def _masi_product(left: Floats, right: Floats, shared: Floats) -> Floats:
    union = left + right - shared
    smaller = np.minimum(left, right)
    # (1 − J)(1 − M) with M as in Passonneau (2006), §3.3, in whole thirds.
    thirds = np.select([union == shared, shared == 0.0, smaller == shared], [0.0, 3.0, 1.0], 2.0)
    return _over((union - shared) * thirds, 3.0 * union)


def _over(part: Floats, whole: Floats) -> Floats:
    # Two empty sets are equal: 0 of 0 is 0.
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0.0)


SETS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "jaccard": _jaccard,
    "dice": _dice,
    "masi": _masi,
    "masi-product": _masi_product,
}
"""Set distances by name, from |P|, |Q| and |P∩Q|."""


def _distance(
    left: Collection[object],
    right: Collection[object],
    formula: Callable[[Floats, Floats, Floats], Floats],
) -> float:
    one, other = _as_given_set(left), _as_given_set(right)
    sizes = (np.array([float(size)]) for size in (len(one), len(other), len(one & other)))
    return float(formula(*sizes)[0])


def _as_given_set(given: Collection[object]) -> frozenset[str | int | float]:
    label = as_label(given)
    if label is None:
        msg = f"a set distance compares sets of labels; got {given!r}, which is no label"
        raise TypeError(msg)
    return as_set(label)


# Beyond, two whole numbers may be the same float.
_EXACT = 2**53
_LARGE = 2.0**1000
_SMALLEST_SQUARE = 1e-290
_MOST_STEPS = 2e11  # of the kernel, when it compares texts: about a quarter of an hour


class Seen(NamedTuple):
    """The labels of the data, how often each occurs, and what stands behind the name's colon."""

    labels: Sequence[Label | None]
    counts: Sequence[int] | None
    own: str = ""


def parted(name: str) -> tuple[str, str]:
    """Part a name from what stands behind its colon: only two distances have something there."""
    head, colon, own = name.partition(":")
    if colon and head in _WITH_OWN:
        _WITH_OWN[head](own)
        return head, own
    return name, ""


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


def numbers_of(labels: Sequence[Label | None], name: str) -> Floats:
    """Read the labels as numbers, or name the one that is none."""
    if isinstance(labels, Numbers):
        return labels.floats
    # Millions of distinct numbers are common among measurements: not one by one.
    try:
        return np.frombuffer(array("d", labels), dtype=np.float64)  # type: ignore[type-var]
    except (OverflowError, TypeError):
        pass  # a text, or a whole number beyond all floats; what is no number is named below
    numbers = []
    for label in all_labelled(labels, name):
        number = _number(label)
        if not math.isfinite(number):
            problem = "is too large" if isinstance(label, int) else "is none"
            msg = f"the distance {name!r} compares numbers, and the label {shown(label)} {problem}"
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


def _scaled_squares(points: Floats) -> Floats:
    # The range of finite numbers can overflow, and a part of the smallest is nothing; to scale by
    # a power of two is exact.
    scaled = np.ldexp(points, -int(np.frexp(np.abs(points).max())[1]))
    spread = scaled.max() - scaled.min()
    if spread == 0.0:
        return np.zeros((len(points), len(points)))
    squares: Floats = ((scaled[:, None] - scaled[None, :]) / spread) ** 2
    return squares


def _nominal(seen: Seen) -> Floats:
    return 1.0 - np.eye(len(seen.labels))


def _ordinal(seen: Seen) -> Floats:
    values, places = np.unique(numbers_of(seen.labels, "ordinal"), return_inverse=True)
    counts = np.zeros(len(values), dtype=np.int64)
    np.add.at(counts, places, checked_counts(seen.labels, seen.counts))
    # Σ_{g=c..k} n_g − (n_c+n_k)/2 is the difference of the middle ranks of c and k.
    twice_the_middle_ranks = 2 * np.cumsum(counts) - counts
    return _scaled_squares(twice_the_middle_ranks[places].astype(np.float64))


def _interval(seen: Seen) -> Floats:
    return _scaled_squares(numbers_of(near_zero(seen.labels), "interval"))


def near_zero(labels: Sequence[Label | None]) -> Sequence[Label | None]:
    """Let large whole numbers begin at 0, because as floats neighbours would be the same."""
    if isinstance(labels, Numbers) or set(map(type, labels)) != {int}:
        return labels
    low, high = min(labels), max(labels)  # type: ignore[type-var]
    if max(abs(low), abs(high)) <= _EXACT or high - low > _LARGE:  # type: ignore[arg-type,operator]
        return labels
    return [label - low for label in labels]  # type: ignore[operator]


def _exact_numbers_of(labels: Sequence[Label | None], name: str) -> Floats:
    """Read the labels as numbers, and refuse whole numbers that no float holds exactly."""
    numbers = numbers_of(labels, name)
    if not isinstance(labels, Numbers) and np.abs(numbers).max(initial=0.0) > _EXACT:
        for label, number in zip(labels, numbers.tolist(), strict=True):
            if isinstance(label, int) and label != number:
                msg = (
                    f"the distance {name!r} computes with floats, which hold whole numbers up to "
                    f"2**53 exactly, and the label {shown(label)} is too large; subtract the same "
                    "number from all labels"
                )
                raise DataError(msg)
    return numbers


def positive_numbers(labels: Sequence[Label | None]) -> Floats:
    """Read the labels as numbers of at least 0, as the ratio distance needs them."""
    numbers = numbers_of(labels, "ratio")
    if numbers.size and numbers.min() < 0.0:
        label = labels[int(numbers.argmin())]
        msg = f"the distance 'ratio' needs numbers of at least 0, and a label is {shown(label)}"
        raise DataError(msg)
    return numbers


def ratio_squares(left: Floats, right: Floats) -> Floats:
    """Give ((c − k)/(c + k))², and 0 for 0 and 0."""
    # The sum of two finite numbers can overflow; half of the smallest is 0.
    parts = np.where(np.maximum(left, right) > _LARGE, 0.5, 1.0)
    left, right = left * parts, right * parts
    sums = left + right
    return np.divide(left - right, sums, out=np.zeros_like(sums), where=sums > 0.0) ** 2


def _ratio(seen: Seen) -> Floats:
    numbers = positive_numbers(seen.labels)
    return ratio_squares(numbers[:, None], numbers[None, :])


def circumference(own: str) -> float:
    """Read the circumference behind ``circular:``, or say what should stand there."""
    try:
        value = float(own)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value > 0.0):
        msg = (
            f"the circumference of the distance 'circular' is a number above 0, as in "
            f"'circular:24'; got {own!r}"
        )
        raise SettingError(msg)
    return value


def angles_of(labels: Sequence[Label | None], own: str = "") -> tuple[Floats, float]:
    """Give the labels as angles, and the circumference: the given one, or max − min + 1."""
    numbers = _exact_numbers_of(labels, "circular")
    if own:
        around = circumference(own)
    elif (numbers == np.floor(numbers)).all():
        around = _reach(numbers, "circular") + 1.0
    else:
        msg = (
            "labels that are no whole numbers do not tell the circumference of their circle; "
            "give it with the distance, as in 'circular:24'"
        )
        raise DataError(msg)
    # The remainder is exact, so that a whole turn is no distance at all.
    rests = np.mod(numbers, around)
    if (numbers < 0.0).any() and (numbers != np.floor(numbers)).any():
        # That of a negative number has been rounded, unless it is taken from the nearest turn.
        rests = np.fmod(numbers, around)
        rests -= np.where(np.abs(rests) > around / 2.0, np.copysign(around, rests), 0.0)
        rests[rests == -around / 2.0] = around / 2.0
    return 2.0 * np.pi * (rests / around), around


def _reach(numbers: Floats, name: str) -> float:
    if not numbers.size:
        return 0.0
    half = float(numbers.max() / 2.0 - numbers.min() / 2.0)
    if not math.isfinite(2.0 * half):
        msg = f"the labels lie too far apart for the distance {name!r}; give smaller numbers"
        raise DataError(msg)
    return 2.0 * half


def _circular(seen: Seen) -> Floats:
    angles, _ = angles_of(seen.labels, seen.own)
    squares: Floats = np.sin((angles[:, None] - angles[None, :]) / 2.0) ** 2
    return squares


def scale_ends(own: str) -> tuple[float, float]:
    """Read the two ends behind ``bipolar:``, or say what should stand there."""
    try:
        low, high = map(float, own.split(".."))
    except ValueError:
        low = high = math.nan
    if not (math.isfinite(high - low) and low < high):
        msg = (
            f"the scale of the distance 'bipolar' runs from a lower to a higher number, as in "
            f"'bipolar:1..7'; got {own!r}"
        )
        raise SettingError(msg)
    return low, high


def heights_of(labels: Sequence[Label | None], own: str = "") -> tuple[Floats, float, float]:
    """Give how high above the lower end each label is, and the two ends: given, or as seen."""
    numbers = _exact_numbers_of(labels, "bipolar")
    _reach(numbers, "bipolar")
    low, high = (numbers.min(), numbers.max()) if numbers.size else (0.0, 0.0)
    if own:
        ends = scale_ends(own)
        for end, allowed in ((low, low >= ends[0]), (high, high <= ends[1])):
            if not allowed:
                label = labels[int(np.flatnonzero(numbers == end)[0])]
                msg = f"the label {shown(label)} lies outside the scale of 'bipolar:{own}'"
                raise DataError(msg)
        low, high = ends
    return numbers - low, float(low), float(high)


def bipolar_squares(left: Floats, right: Floats, reach: float) -> Floats:
    """Give (c − k)² / ((c + k − 2 min)(2 max − c − k)) of heights above min; 0 at one end."""
    sums = left + right
    wholes = sums * (2.0 * reach - sums)
    differences = left - right
    squares = differences**2
    quotients = np.divide(squares, wholes, out=np.zeros_like(wholes), where=wholes > 0.0)
    tiny = (squares < _SMALLEST_SQUARE) & (wholes > 0.0)
    if tiny.any():
        # The square would lose digits, or be 0.
        quotients[tiny] = differences[tiny] / wholes[tiny] * differences[tiny]
    return quotients


def _bipolar(seen: Seen) -> Floats:
    heights, low, high = heights_of(seen.labels, seen.own)
    reach = high - low or 1.0
    parts = heights / reach  # within [0, 1]: nothing overflows
    return bipolar_squares(parts[:, None], parts[None, :], 1.0)


class Texts:
    """Labels as texts, and the edit distances between them."""

    def __init__(self, labels: Sequence[Label]) -> None:
        for label in labels:
            if isinstance(label, frozenset):
                msg = (
                    f"the distance 'edit' compares texts, and the label {shown(label)} is a set; "
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
        """Return the distances of two columns of texts."""
        from unisono._core import edit_distances  # noqa: PLC0415 - for this distance alone

        return edit_distances(
            self._characters,
            self._offsets,
            left.astype(np.int64),
            right.astype(np.int64),
            alphabet=self._alphabet,
        )

    def rows(self, first: int, last: int) -> Floats:
        """Return the distances of texts first to last − 1 to all texts from first on."""
        from unisono._core import edit_rows  # noqa: PLC0415 - for this distance alone

        return edit_rows(
            self._characters, self._offsets, alphabet=self._alphabet, first=first, last=last
        )

    def _check_effort(self) -> None:
        """Refuse texts so many or so long that comparing all with all would take hours."""
        # The kernel compares up to 64 characters of one text with one of the other in a step.
        words = float(np.ceil(self._lengths / 64).sum())
        if words * float(self._lengths.sum()) > _MOST_STEPS:
            msg = (
                f"the distance 'edit' compares every two of the {len(self):,} different labels, "
                f"which have {int(self._lengths.sum()):,} characters together; that would take "
                "hours. Shorten the labels, use fewer, or choose 'nominal'"
            )
            raise DataError(msg)


def _edit(seen: Seen) -> Floats:
    texts = Texts(all_labelled(seen.labels, "edit"))
    return texts.rows(0, len(texts))


def _of_sets(name: str) -> Callable[[Seen], Floats]:
    formula = SETS[name]

    def distances(seen: Seen) -> Floats:
        sets = list(map(as_set, all_labelled(seen.labels, name)))
        column_of = {member: column for column, member in enumerate(frozenset().union(*sets))}
        holds = np.zeros((len(sets), len(column_of)))
        for row, members in zip(holds, sets, strict=True):
            row[[column_of[member] for member in members]] = 1.0
        sizes = holds.sum(axis=1)
        return formula(sizes[:, None], sizes[None, :], holds @ holds.T)

    return distances


_WITH_OWN: dict[str, Callable[[str], object]] = {
    "circular": circumference,
    "bipolar": scale_ends,
}
"""Names that may be followed by a colon and more, and what reads it."""
NAMED_DISTANCES: dict[str, Callable[[Seen], Floats]] = {
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
_LARGEST = 1e200  # distance: sums of many still are numbers
Distance: TypeAlias = DistanceName | DistanceMatrix | Callable[[Label, Label], float]


def check_distance(
    distance: object, name: str = "distance", choices: Iterable[str] = NAMED_DISTANCES
) -> None:
    """Raise an error unless a value can be a label distance, before any data are seen."""
    if isinstance(distance, str):
        if parted(distance)[0] not in NAMED_DISTANCES:
            other = "give a DistanceMatrix or a function of two labels"
            check_choice(name, distance, choices, other)
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
