"""Which metric a setting means: distances for α as published, weights for κ between 0 and 1."""

from __future__ import annotations

import math
from itertools import islice
from operator import lt
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.distance_matrix import DistanceMatrix, shown
from unisono.measures.distances import (
    DistanceName,
    check_distance,
    digest_of_values,
    distance_matrix,
    distance_signature,
    distances_by_function,
    name_of,
)
from unisono.measures.items.log_scales import Bipolar, Ratio
from unisono.measures.items.many_labels import ManyByFunction, ManySets
from unisono.measures.items.metrics import ByBlocks, Circle, Nominal, Ranked, Squares, Steps, Table
from unisono.measures.named_distances import (
    NAMED_DISTANCES,
    Texts,
    angles_of,
    heights_of,
    near_zero,
    numbers_of,
    parted,
    positive_numbers,
)
from unisono.measures.set_distances import SETS
from unisono.model.labels import as_label, label_text
from unisono.model.number_arrays import Numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unisono.measures.items.metrics import Metric
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label

    AnyDistance: TypeAlias = str | DistanceMatrix | Callable[[Label, Label], float]

    """A name, perhaps with more behind a colon; a matrix; or a function of two labels."""


WeightName: TypeAlias = Literal["linear", "quadratic"] | DistanceName
RANK_WEIGHTS = ("linear", "quadratic")
_WITH_OWN = {"circular": "circular:24", "bipolar": "bipolar:1..7"}
_LARGEST_TABLE = 2048
_SMALLEST, _LARGEST = 1e-100, 1e100


def check_weights(weights: object) -> None:
    """Refuse what can be no weights of κ, before any data are seen.

    Examples
    --------
    >>> check_weights("quadratic")
    >>> check_weights("cubic")
    Traceback (most recent call last):
        ...
    unisono.errors.SettingError: unknown weights 'cubic'; choose one of linear, quadratic, nominal,
        ordinal, interval, ratio, circular, bipolar, edit, jaccard, dice, masi, or give a
        DistanceMatrix or a function of two labels
    """
    if weights is None or (isinstance(weights, str) and weights in RANK_WEIGHTS):
        return
    if isinstance(weights, str) and parted(weights)[0] not in NAMED_DISTANCES:
        choices = ", ".join((*RANK_WEIGHTS, *NAMED_DISTANCES))
        msg = (
            f"unknown weights {weights!r}; choose one of {choices}, "
            "or give a DistanceMatrix or a function of two labels"
        )
        raise SettingError(msg)
    check_distance(weights)


def checked_order(order: Sequence[Label] | None) -> tuple[Label, ...] | None:
    """Refuse an order that is none: a label that is missing or stands there twice."""
    if order is None:
        return None
    if isinstance(order, str):
        msg = f"{setting('order')} is a list of labels, from low to high; got the text {order!r}"
        raise TypeError(msg)
    labels = []
    for given in order:
        label = as_label(given)
        if label is None or label in labels:
            problem = "a missing label" if label is None else f"{shown(label)} twice"
            msg = f"{setting('order')} lists every label once, from low to high; it has {problem}"
            raise SettingError(msg)
        labels.append(label)
    return tuple(labels)


def distance_metric(
    labels: Sequence[Label], distance: AnyDistance, order: tuple[Label, ...] | None
) -> Metric | Ranked:
    """Give the metric of α: the distances as Krippendorff publishes them, not scaled."""
    if isinstance(distance, str):
        if distance == "ordinal":
            return Ranked(places_of(labels, "ordinal", order))
        if distance == "interval":
            return Squares(_points(labels))
        return _named_metric(labels, distance)
    if isinstance(distance, DistanceMatrix):
        return Table(distance_matrix(labels, distance))
    return _function_metric(labels, distance, math.inf)


def weight_metric(
    labels: Sequence[Label],
    weights: AnyDistance | None,
    order: tuple[Label, ...] | None,
    counts: Floats,
) -> Metric:
    """Give the metric of a weighted κ: what disagreement costs, from 0 to 1.

    Labels may be more than those seen: all of the scale.
    """
    if weights is None:
        return Nominal()
    if isinstance(weights, str):
        if weights in RANK_WEIGHTS:
            places = places_of(labels, weights, order)
            parts = places / max(1, int(places.max(initial=0)))
            return Steps(parts) if weights == "linear" else Squares(parts)
        if weights == "ordinal":
            ranks = Ranked(places_of(labels, weights, order)).middle_ranks(counts)
            return Squares(_within_one(ranks))
        if weights == "interval":
            return Squares(_within_one(_points(labels)))
        return _named_metric(labels, weights)
    if isinstance(weights, DistanceMatrix):
        return Table(distance_matrix(labels, weights))
    return _function_metric(labels, weights, 1.0)


def places_of(
    labels: Sequence[Label], name: str, order: tuple[Label, ...] | None
) -> NDArray[np.int64]:
    """Give the place of each label on its scale: in the order given, or that of numbers."""
    if order is not None:
        place = {label: at for at, label in enumerate(order)}
        return np.array([_found(place, label) for label in labels], dtype=np.int64)
    if _are_in_order(labels):
        return np.arange(len(labels))
    try:
        numbers = numbers_of(labels, name)
    except DataError:
        label = next(label for label in labels if not _is_number(label))
        msg = (
            f"{name!r} needs labels in an order, and the label {shown(label)} is no number; "
            f"list all labels from low to high with {setting('order', ...)}"
        )
        raise DataError(msg) from None
    places: NDArray[np.int64] = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return places


def follows_order(given: AnyDistance | None) -> bool:
    """Say whether a distance or weights go by the order of the labels."""
    return isinstance(given, str) and given in {"ordinal", *RANK_WEIGHTS}


def has_gaps(labels: Sequence[Label]) -> bool:
    """Say whether the labels are whole numbers, and some between them are not in use."""
    numbers = [label for label in labels if isinstance(label, int)]
    return len(numbers) == len(labels) > 0 and max(numbers) - min(numbers) + 1 > len(numbers)


def scale_text(
    given: AnyDistance,
    labels: Sequence[Label],
    order: tuple[Label, ...] | None,
    metric: Metric | Ranked,
) -> str:
    """Write a distance or weights down for a signature, with all that the data do not tell."""
    if not isinstance(given, str):
        values = metric.values if isinstance(metric, Table) else np.zeros(0)
        digest = f"#{digest_of_values(labels, values)}" if values.size else ""
        return (
            f"matrix{digest}"
            if isinstance(given, DistanceMatrix)
            else (f"callable:{name_of(given)}{digest}")
        )
    if order is not None and follows_order(given):
        return f"{given}[{'<'.join(map(label_text, order))}]"
    return distance_signature(given, labels) if parted(given)[0] in _WITH_OWN and labels else given


def scale_notes(given: AnyDistance | None, labels: Sequence[Label]) -> tuple[str, ...]:
    """Tell what was taken from the labels because it was not given."""
    if not labels or not isinstance(given, str) or given not in _WITH_OWN:
        return ()
    if given == "circular":
        _, around = angles_of(labels)
        told = f"the circumference {around:g} was"
    else:
        _, low, high = heights_of(labels)
        told = f"the ends {low:g} and {high:g} of the scale were"
    return (f"{told} taken from the labels; to give your own, write {_WITH_OWN[given]!r}, say",)


def _found(place: dict[Label, int], label: Label) -> int:
    if label not in place:
        listed = ", ".join(map(shown, place))
        msg = f"{setting('order')} does not have the label {shown(label)}; it has {listed}"
        raise DataError(msg)
    return place[label]


def _are_in_order(labels: Sequence[Label]) -> bool:
    """Say whether labels are different numbers from low to high, as those of ratings are."""
    if isinstance(labels, Numbers):
        return True
    # As Python compares them: large whole numbers may be the same float.
    return {int, float}.issuperset(map(type, labels)) and all(
        map(lt, labels, islice(labels, 1, None))
    )


def _is_number(label: Label) -> bool:
    try:
        numbers_of([label], "ordinal")
    except DataError:
        return False
    return True


def _points(labels: Sequence[Label]) -> Floats:
    points = numbers_of(near_zero(labels), "interval")
    reach = float(points.max() / 2.0 - points.min() / 2.0) if points.size else 0.0
    if reach and not _SMALLEST < reach < _LARGEST:
        msg = (
            "the distance 'interval' squares differences, and those of the labels are too "
            f"{'large' if reach > 1.0 else 'small'} for that; give the labels in another unit"
        )
        raise DataError(msg)
    return points


def _within_one(points: Floats) -> Floats:
    if not points.size:
        return points
    reach = points.max() - points.min()
    parts: Floats = (points - points.min()) / (reach or 1.0)
    return parts


def _named_metric(labels: Sequence[Label], distance: str) -> Metric:
    name, own = parted(distance)
    if name == "nominal":
        return Nominal()
    if name == "circular":
        return Circle(angles_of(labels, own)[0])
    if len(labels) <= _LARGEST_TABLE:
        if name in SETS:
            return Table(ManySets(labels, name).whole())
        return Table(distance_matrix(labels, distance))
    if name == "ratio":
        return Ratio(positive_numbers(labels))
    if name == "bipolar":
        heights, low, high = heights_of(labels, own)
        return Bipolar(heights / (high - low or 1.0))
    blocks = ManySets(labels, name) if name in SETS else Texts(labels)
    return ByBlocks(blocks, len(labels))


def _function_metric(
    labels: Sequence[Label], function: Callable[[Label, Label], float], most: float
) -> Metric:
    if len(labels) <= _LARGEST_TABLE:
        return Table(distances_by_function(labels, function, most=most))
    return ByBlocks(ManyByFunction(labels, function, most), len(labels))
