"""Data for the benchmarks: made here, from a fixed seed, the same for everybody."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

LABELS = np.array(["Adj", "Noun", "Prep", "Verb"])
SHARES = [0.2, 0.38, 0.25, 0.17]


class Columns(NamedTuple):
    """Units as columns: annotator, start, end, label."""

    annotators: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    labels: np.ndarray


def jittered(
    n: int, units: int, *, spread: float, relabelled: float, seed: int, evenness: float = 2.0
) -> Columns:
    """Make n annotators who mark the same things, each a little differently.

    Whole-number bounds and four parts of speech, lengths of 1 to some 30 and gaps of some 8
    between units: the kind of data that the peer's own tests use.

    Parameters
    ----------
    n, units
        Annotators, and units of each.
    spread
        Standard deviation of each boundary, as a share of the unit's length.
    relabelled
        The share of units whose label is drawn anew.
    seed
        The same seed makes the same data.
    evenness
        How alike the lengths are: the shape of the gamma distribution they come from.
    """
    rng = np.random.default_rng(seed)
    lengths = 1 + np.round(rng.gamma(evenness, 9.0 / evenness, units))
    gaps = np.maximum(1, np.round(rng.normal(8.0, 3.5, units)))
    starts = np.cumsum(gaps + lengths) - lengths
    labels = rng.choice(LABELS, units, p=SHARES)
    columns = [_one_annotator(starts, lengths, labels, spread, relabelled, rng) for _ in range(n)]
    names = np.repeat([f"annotator_{i}" for i in range(1, n + 1)], units)
    return Columns(names, *(np.concatenate(parts) for parts in zip(*columns, strict=True)))


def _one_annotator(
    starts: np.ndarray,
    lengths: np.ndarray,
    labels: np.ndarray,
    spread: float,
    relabelled: float,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    units = len(starts)
    own_starts = np.maximum(0, starts + np.round(rng.normal(0, spread * lengths)))
    own_ends = starts + lengths + np.round(rng.normal(0, spread * lengths))
    own_ends = np.maximum(own_ends, own_starts + 1)
    other = rng.choice(LABELS, units, p=SHARES)
    own_labels = np.where(rng.random(units) < relabelled, other, labels)
    return own_starts, own_ends, own_labels


def unrelated(n: int, units: int, *, seed: int) -> Columns:
    """Make n annotators who have nothing to do with each other, as in a random continuum."""
    parts = [jittered(1, units, spread=0.0, relabelled=1.0, seed=seed + i) for i in range(n)]
    names = np.repeat([f"annotator_{i}" for i in range(1, n + 1)], units)
    columns = zip(*(part[1:] for part in parts), strict=True)
    return Columns(names, *(np.concatenate(column) for column in columns))


def write_csv(columns: Columns, path: Path) -> None:
    """Write the headerless annotator,label,start,end rows that both tools read."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        for annotator, start, end, label in zip(*columns, strict=True):
            writer.writerow([annotator, label, int(start), int(end)])
