"""False positives, power and coverage of `reliability_study` on data whose answer is known.

``make study-reliability`` prints two tables, in a few minutes. Cases are bivariate normal; with
clusters, half of the variance of both variables is that of clusters.
"""

from __future__ import annotations

import argparse
import math
from typing import Any

import numpy as np

import unisono as un

PERMUTATIONS, RESAMPLES = 199, 200


def made(
    rng: np.random.Generator, n_clusters: int, size: int, between: float, within: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return agreement, outcome and clusters with these correlations of clusters and of cases."""

    def pair(n: int, correlation: float) -> np.ndarray:
        x, e = rng.standard_normal((2, n))
        return np.array([x, correlation * x + math.sqrt(1 - correlation**2) * e])

    clusters = np.repeat(np.arange(n_clusters), size)
    values = pair(n_clusters, between)[:, clusters] + pair(n_clusters * size, within)
    return values[0], values[1], clusters


def rejected(study: un.results.ReliabilityStudy) -> bool:
    """Return whether the test is significant at 5 %."""
    return study.p_value <= 0.05


def clustered(repeats: int, rng: np.random.Generator) -> None:
    """Print how often tests reject where cases repeat within documents."""
    print("Share of p <= 0.05 with 5 cases per cluster (half of the variance between clusters)")
    print(f"{'clusters':>8} {'relation of':>18} {'ignored':>8} {'between':>8} {'within':>8}")
    rows = [("nothing", 0.0, 0.0), ("clusters (0.6)", 0.6, 0.0), ("cases (0.4)", 0.0, 0.4)]
    for n_clusters in (10, 20, 40):
        for name, between, within in rows:
            counts = np.zeros(3)
            for seed in range(repeats):
                x, y, groups = made(rng, n_clusters, 5, between, within)
                how: dict[str, Any] = {"permutations": PERMUTATIONS, "resamples": 0, "rng": seed}
                counts += [
                    rejected(un.reliability_study(x, y, **how)),
                    rejected(un.reliability_study(x, y, clusters=groups, **how)),
                    rejected(un.reliability_study(x, y, clusters=groups, scope="within", **how)),
                ]
            shares = " ".join(f"{each:8.3f}" for each in counts / repeats)
            print(f"{n_clusters:8d} {name:>18} {shares}")


def independent(repeats: int, rng: np.random.Generator) -> None:
    """Print power, and how often the interval of 95 % has the true rank correlation."""
    print("\nIndependent cases: share of p <= 0.05, and coverage of the 95 % interval")
    print(f"{'cases':>8} {'correlation':>12} {'p <= 0.05':>10} {'coverage':>9}")
    for n in (10, 20, 50):
        for correlation in (0.0, 0.3, 0.6):
            # The rank correlation of a bivariate normal distribution (Pearson, 1907).
            true = 6 / math.pi * math.asin(correlation / 2)
            counts = np.zeros(2)
            for seed in range(repeats):
                x = rng.standard_normal(n)
                y = correlation * x + math.sqrt(1 - correlation**2) * rng.standard_normal(n)
                study = un.reliability_study(
                    x, y, permutations=PERMUTATIONS, resamples=RESAMPLES, rng=seed
                )
                interval = study.interval
                inside = interval is not None and interval.low <= true <= interval.high
                counts += [rejected(study), inside]
            power, coverage = counts / repeats
            print(f"{n:8d} {correlation:12.1f} {power:10.3f} {coverage:9.3f}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1000, help="data sets per row (1000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    clustered(options.repeats, rng)
    independent(options.repeats, rng)


if __name__ == "__main__":
    main()
