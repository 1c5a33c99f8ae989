"""A reference out of nothing: units as a statistical model makes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import SettingError
from unisono.measures.dice import Dice, seed_of
from unisono.measures.settings import check_count
from unisono.model.continuum import Continuum
from unisono.model.labels import Label, as_label
from unisono.simulation.shuffling.errors import label_shares, picked

if TYPE_CHECKING:
    from unisono.model.arrays import Floats

__all__ = ["generate_reference"]

_STREAM = 8
_MOST_UNITS = 20_000_000


def generate_reference(
    units: int = 30,
    *,
    labels: Mapping[Any, float] | Iterable[Label] = ("A", "B", "C", "D"),
    lengths: tuple[float, float] | Mapping[Any, tuple[float, float]] = (5.0, 15.0),
    gaps: tuple[float, float] = (0.0, 10.0),
    overlap: bool = False,
    extent: float | tuple[float, float] | None = None,
    annotator: str = "reference",
    rng: int | np.random.Generator | None = 0,
) -> Continuum:
    """Make up what perfect annotators would mark, to `shuffle` it.

    Parameters
    ----------
    units
        How many units.
    labels
        Labels to choose from, all alike, or labels with their prevalences, which need not sum to 1.
    lengths
        The shortest and the longest unit, or such a range for each label; lengths are uniform.
    gaps
        The shortest and the longest gap before each unit and after the last; gaps are uniform.
    overlap
        Whether units may lie anywhere, over each other. They then begin at uniform places of the
        extent, which is by default as long as it would be without overlap; `gaps` only say so much.
    extent
        How long the document is, or where it begins and ends; gaps are then all stretched or
        shrunk by the same factor. By default it follows from units and gaps, and begins at 0.
    annotator
        A name for whose units these are.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system.

    Returns
    -------
    Continuum
        With one annotator.

    Raises
    ------
    SettingError
        If a setting is impossible, or the units do not fit the extent.

    Examples
    --------
    >>> import unisono as un
    >>> un.generate_reference(30, labels={"A": 3, "B": 1}, lengths=(10, 10), gaps=(5, 5), rng=1)
    Continuum(1 annotator, 30 units, 2 labels, 0–455)
    >>> un.generate_reference(10, lengths={"A": (1, 2), "D": (20, 20)}, labels="AD", rng=1)
    Continuum(1 annotator, 10 units, 2 labels, 0–185.2794972)
    """
    check_count("units", units)
    if units > _MOST_UNITS:
        msg = f"a reference of {units:,} units is too large; up to {_MOST_UNITS:,} can be made"
        raise SettingError(msg)
    names, shares = _labels(labels)
    dice = Dice(seed_of(rng), _STREAM)
    codes = picked(shares, dice.roll(units))
    shortest, longest = _length_ranges(lengths, names)[:, codes]
    sizes = shortest + dice.roll(units) * (longest - shortest)
    least, most = _range(gaps, "gaps")
    spaces = least + dice.roll(units + 1) * (most - least)
    low, high = _extent(extent, sizes, spaces)
    if overlap:
        longest_unit = float(sizes.max())
        if longest_unit > high - low:
            msg = f"a unit of length {longest_unit:g} does not fit the extent {low:g}–{high:g}"
            raise SettingError(msg)
        starts = low + dice.roll(units) * (high - low - sizes)
    else:
        starts = low + _laid_out(sizes, spaces, high - low)
    ends = np.minimum(starts + sizes, high)
    return Continuum.from_columns(
        [annotator] * units, starts, ends, [names[code] for code in codes], extent=(low, high)
    )


def _laid_out(sizes: Floats, spaces: Floats, extent: float) -> Floats:
    """Give where units begin, one after another, in gaps fitted to the extent."""
    room = extent - float(sizes.sum())
    # A sum of lengths that is the extent but for rounding fills it.
    if room < -1e-9 * extent:
        msg = (
            f"units of length {sizes.sum():g} in all do not fit an extent of {extent:g} without "
            "overlap; make them fewer or shorter, or let them overlap"
        )
        raise SettingError(msg)
    total = float(spaces.sum())
    if total > 0.0:
        spaces = spaces * (max(room, 0.0) / total)
    else:
        spaces = np.zeros(len(spaces))
        spaces[-1] = max(room, 0.0)
    ends = np.cumsum(spaces[:-1] + sizes)
    return np.asarray(np.minimum(np.concatenate(([0.0], ends[:-1])) + spaces[:-1], extent))


def _labels(
    labels: Mapping[Any, float] | Iterable[Label],
) -> tuple[tuple[Label | None, ...], Floats]:
    shares = labels if isinstance(labels, Mapping) else dict.fromkeys(labels, 1.0)
    if not shares:
        msg = "a reference needs one label at least; give labels, or labels with prevalences"
        raise SettingError(msg)
    return label_shares(shares, (), np.empty(0, np.int32))


def _length_ranges(
    lengths: tuple[float, float] | Mapping[Any, tuple[float, float]],
    labels: tuple[Label | None, ...],
) -> Floats:
    if not isinstance(lengths, Mapping):
        return np.repeat([_range(lengths, "lengths")], len(labels), axis=0).T
    given = {as_label(label): bounds for label, bounds in lengths.items()}
    for label in labels:
        if label not in given:
            msg = f"lengths has no range for the label {label!r}; give one for each label"
            raise SettingError(msg)
    return np.array([_range(given[label], f"lengths of {label!r}") for label in labels]).T


def _range(bounds: tuple[float, float], what: str) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        msg = f"{what} are two numbers, the least and the most; got {bounds!r}"
        raise TypeError(msg) from None
    if not 0.0 <= low <= high < np.inf:
        msg = f"{what} go from a number of 0 or more to one as large or larger; got {bounds!r}"
        raise SettingError(msg)
    return low, high


def _extent(
    extent: float | tuple[float, float] | None, sizes: Floats, spaces: Floats
) -> tuple[float, float]:
    if extent is None:
        return 0.0, float(sizes.sum() + spaces.sum())
    try:
        low, high = (0.0, extent) if isinstance(extent, int | float) else extent
    except ValueError:
        msg = f"an extent is a length, or where it begins and ends; got {extent!r}"
        raise TypeError(msg) from None
    if not -np.inf < low < high < np.inf:
        msg = f"an extent is a length above 0, or where it begins and ends; got {extent!r}"
        raise SettingError(msg)
    return float(low), float(high)
