"""From checked columns to the finished columns of a continuum: order, extent, digest."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError, shortened
from unisono.model.columns import FARTHEST, too_far
from unisono.model.labels import label_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.columns import UnitColumns
    from unisono.model.details import Details
    from unisono.model.labels import Label


# Runs that are shorter than this on average are quicker sorted all at once than one by one.
_SHORT_RUN = 64
AnnotatorsFrom: TypeAlias = Literal["units", "corpus", "declared"]
"""How it is known who saw a document: who has units in it, everyone, or a list."""


class Finished(NamedTuple):
    """The columns of a continuum, in the order of its fields."""

    annotators: tuple[str, ...]
    starts: Floats
    ends: Floats
    label_codes: Codes
    offsets: Integers
    labels: tuple[Label | None, ...]
    extent: tuple[float, float]
    annotators_from: AnnotatorsFrom
    digest: str
    details: Details | None = None
    text: str | None = None


def ordered(
    columns: UnitColumns,
    annotators: tuple[str, ...],
    extent: tuple[float, float] | None,
    annotators_from: AnnotatorsFrom,
    text: str | None = None,
) -> Finished:
    """Put the units of one document in order; `annotators` holds all who have units."""
    order = unit_order(columns, columns.annotator_codes)
    details = columns.details
    counts = np.zeros(len(annotators), dtype=np.int64)
    place = {name: number for number, name in enumerate(annotators)}
    with_units = np.array([place[name] for name in columns.annotators], dtype=np.int64)
    counts[with_units] = np.bincount(columns.annotator_codes, minlength=len(with_units))
    return assembled(
        annotators=annotators,
        counts=counts,
        starts=columns.starts[order],
        ends=columns.ends[order],
        label_codes=columns.label_codes[order],
        labels=columns.labels,
        extent=extent,
        annotators_from=annotators_from,
        details=None if details is None else details.taken(order, len(order)),
        text=text,
    )


def unit_order(columns: UnitColumns, owners: Integers) -> Integers:
    """Give the one order of units: owner, start, end, label, and whatever else tells them apart."""
    order = _order_without_details(columns, owners)
    if columns.details is None:
        return order
    # Details are long, so only those of units are compared that are alike otherwise.
    alike = np.ones(max(len(order) - 1, 0), dtype=bool)
    for column in (owners, columns.starts, columns.ends, columns.label_codes):
        alike &= column[order[1:]] == column[order[:-1]]
    if alike.any():
        tied, run = _tied(alike)
        rows = order[tied]
        order[tied] = rows[np.lexsort((columns.details.ranks(rows), run))]
    return order


def _order_without_details(columns: UnitColumns, owners: Integers) -> Integers:
    labels, ends, starts = columns.label_codes, columns.ends, columns.starts
    # Thrice as quick as sorting by all four: ends and labels matter only where starts are equal,
    # and what one owner has is little, if it is not in order already.
    few = owners.max(initial=0) <= np.iinfo(np.uint16).max
    small = owners.astype(np.uint16) if few else owners
    order = np.argsort(small, kind="stable")
    same_owner = small[order[1:]] == small[order[:-1]]
    ordered_starts = starts[order]
    falls = same_owner & (ordered_starts[1:] < ordered_starts[:-1])
    if falls.any():
        order = _with_sorted_starts(order, starts, small, same_owner, falls)
        ordered_starts = starts[order]
    alike = same_owner & (ordered_starts[1:] == ordered_starts[:-1])
    if alike.any():
        tied, run = _tied(alike)
        rows = order[tied]
        order[tied] = rows[np.lexsort((labels[rows], ends[rows], run))]
    return order


def _tied(alike: NDArray[np.bool_]) -> tuple[Integers, Integers]:
    """Find the places that are alike their neighbours, and number their runs."""
    tied = np.flatnonzero(np.append(alike, False) | np.append(False, alike))
    return tied, np.cumsum(~np.append(False, alike))[tied]


def _with_sorted_starts(
    order: Integers,
    starts: Floats,
    owners: NDArray[Any],
    same_owner: NDArray[np.bool_],
    falls: NDArray[np.bool_],
) -> Integers:
    """Sort by start what each owner has; `order` has one owner after the other."""
    firsts = np.flatnonzero(np.append(True, ~same_owner))
    unsorted = np.flatnonzero(np.logical_or.reduceat(np.append(falls, False), firsts))
    if len(unsorted) * _SHORT_RUN > len(order):
        order = np.argsort(starts)
        return order[np.argsort(owners[order], kind="stable")]
    bounds = np.append(firsts, len(order))
    for low, high in zip(bounds[unsorted].tolist(), bounds[unsorted + 1].tolist(), strict=True):
        run = order[low:high]
        order[low:high] = run[np.argsort(starts[run])]
    return order


def assembled(
    *,
    annotators: tuple[str, ...],
    counts: Integers,
    starts: Floats,
    ends: Floats,
    label_codes: Codes,
    labels: tuple[Label | None, ...],
    extent: tuple[float, float] | None,
    annotators_from: AnnotatorsFrom,
    details: Details | None = None,
    text: str | None = None,
) -> Finished:
    """Finish columns that stand in order; `labels` may hold more than the units use."""
    offsets = np.zeros(len(annotators) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    # Counting takes as long as there are labels, in all documents together.
    is_long = len(label_codes) >= len(labels)
    used = np.flatnonzero(np.bincount(label_codes)) if is_long else np.unique(label_codes)
    if len(used) < len(labels):
        label_codes = np.searchsorted(used, label_codes).astype(np.int32)
        labels = tuple(labels[code] for code in used)
    # Adding zero makes −0.0 and 0.0 the same start.
    starts, ends = starts + 0.0, ends + 0.0
    whole = _extent(extent, annotators, offsets, starts, ends)
    pieces = b"" if details is None else details.fragment_bytes()
    digest = _digest(annotators, offsets, starts, ends, label_codes, labels, whole, pieces)
    columns = (annotators, starts, ends, label_codes, offsets, labels, whole)
    return Finished(*columns, annotators_from, digest, details, text)


def _extent(
    extent: tuple[float, float] | None,
    annotators: tuple[str, ...],
    offsets: Integers,
    starts: Floats,
    ends: Floats,
) -> tuple[float, float]:
    if extent is None:
        whole = (float(starts.min()), float(ends.max())) if len(starts) else (0.0, 0.0)
        return _measurable(*whole)
    low, high = _measurable(*_pair(extent))
    inside = (starts >= low) & (ends <= high)
    if not inside.all():
        row = int(np.argmin(inside))
        name = annotators[int(np.searchsorted(offsets, row, side="right")) - 1]
        msg = (
            f"all units lie within the extent [{low}, {high}]; "
            f"{name!r} has [{starts[row]}, {ends[row]}]"
        )
        raise DataError(msg)
    return low, high


def _measurable(low: float, high: float) -> tuple[float, float]:
    if max(abs(low), abs(high)) > FARTHEST:
        raise DataError(too_far(low, high, "; the document goes over"))
    return low, high


def _pair(extent: tuple[float, float]) -> tuple[float, float]:
    got = shortened(repr(extent))
    try:
        low, high = (float(bound) + 0.0 for bound in extent)
    except (TypeError, ValueError):
        msg = f"an extent is two numbers, where the document begins and ends; got {got}"
        raise TypeError(msg) from None
    except OverflowError:
        low = high = math.inf
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        msg = f"an extent is two finite numbers, the first not above the second; got {got}"
        raise DataError(msg)
    return low, high


def _digest(
    annotators: tuple[str, ...],
    offsets: Integers,
    starts: Floats,
    ends: Floats,
    label_codes: Codes,
    labels: tuple[Label | None, ...],
    extent: tuple[float, float],
    pieces: bytes,
) -> str:
    content = hashlib.sha256(b"unisono continuum 1\n")
    content.update(b"%d %d %d\n" % (len(annotators), len(labels), len(starts)))
    content.update(b"".join(map(label_bytes, (*annotators, *labels))))
    # Little-endian on every machine, so that the same content has the same digest.
    content.update(offsets.astype("<i8", copy=False).tobytes())
    content.update(label_codes.astype("<i4", copy=False).tobytes())
    for numbers in (starts, ends, np.array(extent)):
        content.update(numbers.astype("<f8", copy=False).tobytes())
    # Units in one piece say nothing here, so that their digest is as it was before there were any.
    content.update(pieces)
    return content.hexdigest()
