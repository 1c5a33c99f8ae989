"""Named families of continua, each a kind of data on which a shortcut might go wrong.

Everything follows from the numpy generator that is handed in: the same seed, the same continuum.
"""

from __future__ import annotations

import itertools
import string
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import settings

import unisono as un
from oracle import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Spans = list[tuple[float, float]]


def examples(share: float) -> settings:
    """Look at this share of the examples that the active profile asks for."""
    return settings(max_examples=max(1, round(settings().max_examples * share)))


def _lattice(count: int, rng: np.random.Generator) -> Spans:
    # Equal lengths on a lattice: every d_pos is a multiple of 1/16 and ties are exact.
    starts = rng.integers(0, 2 * count + 2, count) * 2.0
    return [(start, start + 4.0) for start in starts]


def _duplicates(count: int, rng: np.random.Generator) -> Spans:
    kinds = [(0.0, 3.0), (2.0, 5.0), (7.0, 8.0)]
    return [kinds[i] for i in rng.integers(0, len(kinds), count)]


def _contiguous(count: int, rng: np.random.Generator) -> Spans:
    bounds = np.cumsum(rng.integers(1, 6, count + 1))
    return [(float(a), float(b)) for a, b in itertools.pairwise(bounds)]


def _nested(count: int, rng: np.random.Generator) -> Spans:
    # Towers of up to four, each unit somewhere inside another one of its tower.
    spans: Spans = []
    for i in range(count):
        if i % 4 == 0:
            spans.append((16.0 * i, 16.0 * i + 60.0))
            continue
        start, end = spans[int(rng.integers(i - i % 4, i))]
        inner = np.sort(rng.uniform(start, end, 2))
        spans.append((float(inner[0]), float(inner[1])))
    return spans


def _overlapping(count: int, rng: np.random.Generator) -> Spans:
    # Two or three units deep, and all of them on top of each other where there are few.
    starts = rng.uniform(0.0, max(6.0, 2.5 * count), count)
    return [(float(start), float(start + rng.uniform(2.0, 9.0))) for start in starts]


def _zero_length(count: int, rng: np.random.Generator) -> Spans:
    points = rng.integers(0, max(6, 3 * count), count).astype(float)
    lengths = rng.integers(0, 2, count) * rng.integers(1, 4, count)
    return [(float(p), float(p + length)) for p, length in zip(points, lengths, strict=True)]


def _log_normal(count: int, rng: np.random.Generator) -> Spans:
    starts = rng.uniform(0.0, 3.0 * count, count)
    return [(float(s), float(s + rng.lognormal(0.0, 1.8))) for s in starts]


def _spread(count: int, rng: np.random.Generator) -> Spans:
    starts = rng.uniform(0.0, 5.0 * count, count)
    return [(float(s), float(s + rng.uniform(0.5, 6.0))) for s in starts]


def _jittered(count: int, rng: np.random.Generator) -> Spans:
    # Everybody marks the same things, each a little differently: what real data look like.
    return [
        (float(8 * i + rng.normal(0.0, 1.0)), float(8 * i + 5 + rng.normal(0.0, 1.0)))
        for i in range(count)
    ]


_FAMILIES: dict[str, Callable[[int, np.random.Generator], Spans]] = {
    "ties": _lattice,
    "duplicates": _duplicates,
    "contiguous": _contiguous,
    "nested": _nested,
    "overlapping": _overlapping,
    "zero-length": _zero_length,
    "log-normal": _log_normal,
    "spread": _spread,
    "jittered": _jittered,
}
NAMES = tuple(_FAMILIES)


def family(
    name: str, n: int, units: int | Sequence[int], rng: np.random.Generator, labels: int = 3
) -> un.Continuum:
    """Make a continuum of n annotators with `units` units each, or with units[i] of the i-th."""
    counts = [units] * n if isinstance(units, int) else list(units)
    annotators = list(string.ascii_lowercase[:n])
    rows = [
        (annotator, start, max(start, end), string.ascii_uppercase[int(rng.integers(labels))])
        for annotator, count in zip(annotators, counts, strict=True)
        for start, end in _FAMILIES[name](count, rng)
    ]
    return un.Continuum.from_units(rows, annotators=annotators)


def deal(total: int, n: int, rng: np.random.Generator) -> list[int]:
    """Share out `total` units among n annotators; some may get none."""
    return [int(count) for count in np.bincount(rng.integers(0, n, total), minlength=n)]


def random_rules(rng: np.random.Generator) -> Rules:
    """Weights of every kind: the usual ones, none at all on one side, and odd ones.

    Where position counts little every unit may go with every other: that is for few units.
    """
    position, label = [
        (1.0, 1.0),
        (3.0, 1.0),
        (1.0, 0.0),
        (0.0, 1.0),
        (2.0, 2.0),
        (float(rng.uniform(0.05, 5.0)), float(rng.uniform(0.05, 5.0))),
    ][int(rng.integers(6))]
    power = [2.0, 2.0, 1.0, 3.0][int(rng.integers(4))]
    return Rules(position=position, label=label, empty=_random_empty(rng), power=power)


def ordinary_rules(rng: np.random.Generator) -> Rules:
    """Weights with which units far apart cannot be aligned, as people use them."""
    position = [1.0, 3.0, float(rng.uniform(1.0, 5.0))][int(rng.integers(3))]
    label = [1.0, 0.0, float(rng.uniform(0.5, 5.0))][int(rng.integers(3))]
    return Rules(position=position, label=label, empty=_random_empty(rng))


def _random_empty(rng: np.random.Generator) -> float:
    return [1.0, 1.0, 0.5, float(rng.uniform(0.1, 4.0))][int(rng.integers(4))]


def combined(rules: Rules) -> un.CombinedDissimilarity:
    """Say the same to the package."""
    return un.CombinedDissimilarity(
        position=rules.position,
        label=rules.label,
        empty=rules.empty,
        power=rules.power,
        steep=rules.steep,
    )
