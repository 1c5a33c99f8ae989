"""The memory of one data set, in its own process: `python memory_worker.py KIND FILE SMALL`."""

from __future__ import annotations

import ctypes
import json
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from items_worker import forget_peak, peak_megabytes

import unisono as un

if TYPE_CHECKING:
    from collections.abc import Callable

    Job = tuple[Callable[[str], Any], Callable[[Any], object], Callable[[Any], int]]


def gamma(corpus: un.Corpus) -> un.results.GammaAgreement:
    """Measure γ with the draws that a large corpus needs."""
    return un.gamma(corpus, rng=1, draws=30)


def matrix(path: str) -> un.Ratings:
    """Make ratings of an array."""
    return un.Ratings.from_matrix(np.load(path))


# How a file becomes data, what is measured, and the number of units or ratings.
KINDS: dict[str, Job] = {
    "units": (un.read, gamma, lambda corpus: corpus.n_units),
    "table": (un.read_ratings, un.krippendorff_alpha, lambda ratings: ratings.n_ratings),
    "matrix": (matrix, un.krippendorff_alpha, lambda ratings: ratings.n_ratings),
}


def in_use() -> float:
    """Return the megabytes in use, after free memory was returned to the system."""
    ctypes.CDLL(None).malloc_trim(0)
    return forget_peak()


def main() -> None:
    """Read and measure, and print the bytes of each step per unit or rating."""
    kind, path, small = sys.argv[1:]
    read, measure, size = KINDS[kind]
    # Loading modules and starting threads are not part of the data.
    measure(read(small))
    before = in_use()
    data = read(path)
    reading = peak_megabytes() - before
    kept = in_use() - before
    n = size(data)
    measure(data)
    measuring = peak_megabytes() - before
    found = {"kept": kept, "reading": reading, "measuring": measuring}
    print(json.dumps({name: 2**20 * value / n for name, value in found.items()}))


if __name__ == "__main__":
    main()
