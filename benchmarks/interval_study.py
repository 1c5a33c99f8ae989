"""How often intervals hold the value of the population: the tables in docs/uncertainty.md.

Documents, or items, are made once and measured once: they are the population, and their pooled
value is the true one. Samples are drawn from them with replacement, and an interval is made of
each. Nothing is drawn but the samples, so that every run prints the same numbers.
"""

from __future__ import annotations

import argparse

import numpy as np
from tables import table

import unisono as un
from document_populations import POPULATIONS, Sums, population_sums
from unisono.measures.jackknife import DOCUMENTS
from unisono.measures.sampling import Dice

LEVEL = 0.95
SIZES = (8, 20, 50)


def shares(held: list[str]) -> str:
    """Return coverage of the intervals that are given, misses on both sides, share given."""
    given = [each for each in held if each != "none"]
    if len(given) < 100:
        return f"– ({100 * len(given) / len(held):.0f})"
    covered, below, above = (
        100 * given.count(each) / len(given) for each in ("held", "below", "above")
    )
    printed = 100 * len(given) / len(held)
    return f"{covered:.1f} ({below:.1f}/{above:.1f}; {printed:.0f})"


def where(interval: object, true: float) -> str:
    """Return on which side of an interval the true value lies."""
    if interval is None:
        return "none"
    low, high = interval.low, interval.high  # type: ignore[attr-defined]
    return "below" if true < low else "above" if true > high else "held"


def of_documents(sums: Sums, size: int, trials: int) -> list[str]:
    """Draw corpora of documents."""
    true, held = sums.value(), []
    for trial in range(trials):
        rows = Dice(2, size, trial).below(len(sums.sizes), size)
        interval, _ = sums.taken(rows).jackknife().interval(LEVEL, DOCUMENTS)
        held.append(where(interval, true))
    return held


def ratings_of(kind: str, codes: np.ndarray) -> un.Ratings:
    """Return ratings of items × annotators."""
    labels = codes if kind == "ordinal" else np.array(["a", "b", "c"])[codes]
    return un.Ratings.from_matrix([row.tolist() for row in labels.T])


def items(kind: str, count: int, *, per_cluster: int = 1) -> np.ndarray:
    """Make items × annotators; the items of a cluster are alike in how hard they are."""
    dice = Dice(3, len(kind), per_cluster)
    n_raters = 4 if kind == "ordinal" else 2
    hard = np.repeat(dice.roll(-(-count // per_cluster)), per_cluster)[:count]
    rolls = dice.roll(count * (2 * n_raters + 1)).reshape(count, -1)
    if kind == "ordinal":
        true = 1 + np.floor(5 * rolls[:, :1]) + (np.round(3 * hard - 1.5)[:, None] * 0.5)
        noise = np.floor(3 * (rolls[:, 1 : 1 + n_raters] - 0.5) + 0.5)
        return np.clip(np.floor(true + noise), 1, 5).astype(np.int64)
    ends = (0.9, 0.97) if kind == "rare label" else (0.4, 0.75)
    true = np.searchsorted(ends, rolls[:, 0], "right")
    other = np.searchsorted(ends, rolls[:, 1 : 1 + n_raters].ravel(), "right")
    is_wrong = rolls[:, 1 + n_raters :] < (0.5 * hard**2)[:, None]
    return np.where(is_wrong, other.reshape(count, n_raters), true[:, None])


def of_items(kind: str, measure: str, size: int, trials: int, *, per_cluster: int = 1) -> list[str]:
    """Draw tables of items, or of clusters of items, of which the size is a number."""
    population = items(kind, 12_000, per_cluster=per_cluster)
    settings = {"distance": "ordinal"} if measure == "alpha" and kind == "ordinal" else {}
    true = un.measure_items(ratings_of(kind, population), measures=[measure], **settings)
    (value,) = (each.value for each in true.values())
    held = []
    for trial in range(trials):
        chosen = Dice(4, size, per_cluster, trial).below(len(population) // per_cluster, size)
        rows = (chosen[:, None] * per_cluster + np.arange(per_cluster)).ravel()
        clusters = np.repeat(np.arange(size), per_cluster).tolist() if per_cluster > 1 else None
        found = un.measure_items(
            ratings_of(kind, population[rows]), measures=[measure], clusters=clusters, **settings
        )
        held.append(where(next(iter(found.values())).interval, value))
    return held


def main() -> None:
    """Print coverage in per cent, with misses below and above and the share printed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer documents and samples")
    given = parser.parse_args()
    count, draws, trials, of_tables = (300, 10, 300, 200) if given.quick else (2000, 40, 2000, 1000)
    print("in each cell: covered (value below/above the interval; share of samples printed), in %")
    rows = []
    for kind in POPULATIONS:
        sums = population_sums(kind, count, draws)
        for size in SIZES:
            cells = [shares(of_documents(each, size, trials)) for each in sums.values()]
            rows.append([kind, str(size), *cells])
        values = ", ".join(f"{name} {each.value():.2f}" for name, each in sums.items())
        print(f"{kind}: {POPULATIONS[kind].about}; {values}", flush=True)
    print(table(["documents", "n", "γ", "γcat", "rarest γk"], rows))
    rows = []
    for kind in ("nominal", "rare label", "ordinal"):
        for size, per_cluster in ((20, 1), (50, 1), (200, 1), (8, 10), (20, 10), (30, 10)):
            cells = [
                shares(of_items(kind, measure, size, of_tables, per_cluster=per_cluster))
                for measure in ("alpha", "cohen", "fleiss", "gwet")
            ]
            what = f"{size} items" if per_cluster == 1 else f"{size} clusters of {per_cluster}"
            rows.append([kind, what, *cells])
    print(table(["ratings", "sample", "α", "Cohen's κ", "Fleiss' κ", "AC"], rows))


if __name__ == "__main__":
    main()
