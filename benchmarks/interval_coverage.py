"""How often intervals of γ over documents hold the true value: the table in docs/uncertainty.md.

Some thousand documents stand for all documents there could be; γ, γcat and γk of them together are
the true values. Samples of few documents are drawn from them again and again, and three kinds of
bootstrap intervals of 95 % are made of each.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np
from tables import table

import unisono as un
from unisono.measures.gamma.alignment import Search
from unisono.measures.gamma.gamma import _run
from unisono.measures.gamma.interval import document_sums
from unisono.measures.intervals import (
    acceleration,
    bca_interval,
    expanded_interval,
    percentile_interval,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL = 0.95
SIZES = (3, 5, 8, 10, 20, 50, 100)
KINDS = ("percentile", "bca", "expanded")
MEASURES = ("γ", "γcat", "γk")


def population(documents: int) -> NDArray[np.float64]:
    """Give what each of many documents adds: some annotated with care, some without."""
    rng = np.random.default_rng(1)
    continua = {}
    for number in range(documents):
        units, carelessness = int(rng.integers(4, 25)), float(rng.beta(2, 4))
        starts = np.cumsum(rng.exponential(8, units) + rng.exponential(8, units) + 1)
        lengths, labels = rng.exponential(8, units) + 1, rng.integers(0, 3, units)
        rows = []
        for name in ("ann", "bob"):
            for start, length, label in zip(starts, lengths, labels, strict=True):
                if rng.random() < 0.4 * carelessness:
                    continue
                low, high = rng.normal((start, start + length), 3 * carelessness)
                seen = rng.integers(3) if rng.random() < 0.5 * carelessness else label
                rows.append((name, low, max(high, low + 0.5), "ABC"[seen]))
        continua[f"text{number}"] = un.Continuum.from_units(rows, annotators=("ann", "bob"))
    run = _run(
        un.Corpus.from_continua(continua),
        dissimilarity=None,
        chance="shift",
        confidence=LEVEL,
        seed=1,
        search=Search(),
        workers=None,
    )
    findings = run.findings(30, 0.02, None)
    return document_sums(findings).sums[:, : len(MEASURES)]


def values(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give coefficients of sums over documents."""
    observed, weight, drawn, drawn_weight = np.moveaxis(sums, -1, 0)
    with np.errstate(all="ignore"):
        return 1.0 - (observed / weight) / (drawn / drawn_weight)


def held(everything: NDArray[np.float64], size: int, trials: int) -> NDArray[np.float64]:
    """Give the shares of samples whose interval holds the true value: kinds × measures."""
    rng = np.random.default_rng(size)
    true = values(everything.sum(axis=0))
    counts = np.zeros((len(KINDS), len(MEASURES)))
    for _ in range(trials):
        sample = everything[rng.integers(0, len(everything), size)]
        times = rng.multinomial(size, np.full(size, 1 / size), 1000).astype(float)
        drawn = values((times @ sample.reshape(size, -1)).reshape(1000, -1, 4))
        whole, found = sample.sum(axis=0), values(sample.sum(axis=0))
        shares = np.divide(sample, whole, out=np.zeros_like(sample), where=whole > 0)
        influence = (1 - found) * (shares @ np.array([-1.0, 1.0, 1.0, -1.0]))
        for at in range(len(MEASURES)):
            defined = drawn[~np.isnan(drawn[:, at]), at]
            skewness = acceleration(influence[:, at], np.ones(size, dtype=np.int64))
            plain = percentile_interval(defined, LEVEL, "percentile")
            corrected = bca_interval(defined, found[at], skewness, LEVEL) or plain
            wide = expanded_interval(defined, LEVEL, size, "expanded")
            for kind, interval in enumerate((plain, corrected, wide)):
                counts[kind, at] += interval.low <= true[at] <= interval.high
    return counts / trials


def main() -> None:
    """Print shares in per cent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000, help="samples of each size (1000)")
    parser.add_argument("--documents", type=int, default=6000, help="of all there could be (6000)")
    given = parser.parse_args()
    everything = population(given.documents)
    rows = []
    for size in SIZES:
        shares = 100 * held(everything, size, given.trials)
        rows.append([str(size), *(f"{share:.0f}" for share in shares.ravel())])
    print(table(["documents", *(f"{k} {m}" for k in KINDS for m in MEASURES)], rows))


if __name__ == "__main__":
    main()
