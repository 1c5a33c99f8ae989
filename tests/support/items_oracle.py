"""The slow oracle of coefficients on items: every formula once more, with loops over every pair.

Data are one dict per item, from annotator to label; missing is not there. Nothing is counted
together, no moments, no tables: distances are asked for each two values. Plain Python throughout;
nothing is shared with the package. Sources: Krippendorff 2011 (α and its metrics), Cohen 1960 and
1968, Light 1971, Scott 1955, Fleiss 1971, Conger 1980, Bennett, Alpert & Goldstein 1954, Gwet 2008
and 2014, Passonneau 2006 (MASI), Mathet 2017 §3 (missing values).

A coefficient gives (observed, expected, value); None stands for what is undefined.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Item = dict[str, Any]
Distance = "Callable[[Any, Any], float]"
Outcome = tuple[float | None, float | None, float | None]


# Distances


def nominal(c: Any, k: Any) -> float:
    return 0.0 if c == k else 1.0


def interval(c: Any, k: Any) -> float:
    return float((c - k) ** 2)


def ratio(c: Any, k: Any) -> float:
    return 0.0 if c + k == 0 else float(((c - k) / (c + k)) ** 2)


def ordinal(counts: dict[Any, float]) -> Callable[[Any, Any], float]:
    """Krippendorff's (Σ_{g=c..k} n_g − (n_c + n_k)/2)², for counts of labels that compare."""

    def distance(c: Any, k: Any) -> float:
        if c == k:
            return 0.0
        low, high = min(c, k), max(c, k)
        between = sum(n for g, n in counts.items() if low <= g <= high)
        return float((between - (counts[c] + counts[k]) / 2) ** 2)

    return distance


def circular(around: float) -> Callable[[Any, Any], float]:
    return lambda c, k: math.sin(math.pi * (c - k) / around) ** 2


def bipolar(low: float, high: float) -> Callable[[Any, Any], float]:
    def distance(c: Any, k: Any) -> float:
        return 0.0 if c == k else (c - k) ** 2 / ((c + k - 2 * low) * (2 * high - c - k))

    return distance


def jaccard(p: frozenset[Any], q: frozenset[Any]) -> float:
    return 1.0 - len(p & q) / len(p | q) if p | q else 0.0


def dice(p: frozenset[Any], q: frozenset[Any]) -> float:
    return 1.0 - 2 * len(p & q) / (len(p) + len(q)) if p | q else 0.0


def masi(p: frozenset[Any], q: frozenset[Any]) -> float:
    if p == q:
        return 0.0
    monotonicity = 2 / 3 if p < q or q < p else 1 / 3 if p & q else 0.0
    return 1.0 - len(p & q) / len(p | q) * monotonicity


def edit(left: str, right: str) -> float:
    """Insertions, deletions and substitutions, over the length of the longer text."""
    table = {(0, j): j for j in range(len(right) + 1)}
    for i, one in enumerate(left, start=1):
        table[i, 0] = i
        for j, other in enumerate(right, start=1):
            table[i, j] = min(
                table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (one != other)
            )
    return table[len(left), len(right)] / max(len(left), len(right), 1)


def by_rank(order: Sequence[Any], power: int) -> Callable[[Any, Any], float]:
    """Linear (1) and quadratic (2) weights of κ."""
    last = max(len(order) - 1, 1)
    return lambda c, k: (abs(order.index(c) - order.index(k)) / last) ** power


# Pairs of values


def annotators_of(items: Sequence[Item]) -> list[str]:
    return sorted({who for item in items for who in item})


def paired(items: Sequence[Item], policy: str, n_annotators: int) -> list[Item]:
    """The items that have pairs which count."""
    least = n_annotators if policy == "remove" else 2
    return [item for item in items if len(item) >= max(least, 2)]


def pair_weight(policy: str, n_values: int) -> float:
    """Mathet (2017), §3: VL, IL, PL, RM."""
    return {
        "values": 1 / (n_values - 1),
        "items": 1 / math.comb(n_values, 2),
        "pairs": 1.0,
        "remove": 1.0,
    }[policy]


def observed(
    items: Sequence[Item], policy: str, n_annotators: int, distance: Callable[[Any, Any], float]
) -> float | None:
    weighted, weights = [], []
    for item in paired(items, policy, n_annotators):
        for one, other in itertools.combinations(item.values(), 2):
            weight = pair_weight(policy, len(item))
            weighted.append(weight * distance(one, other))
            weights.append(weight)
    return math.fsum(weighted) / math.fsum(weights) if weights else None


def outcome(found: float | None, chance: float | None) -> Outcome:
    if found is None or not chance:
        return found, chance, None
    return found, chance, 1 - found / chance


def shares(items: Sequence[Item], policy: str, n_annotators: int) -> dict[Any, float]:
    """The shares of labels among the values that make up chance."""
    total: dict[Any, float] = {}
    if policy == "items":  # Gwet: the mean over all items of the shares in each
        for item in items:
            for label in item.values():
                total[label] = total.get(label, 0.0) + 1 / len(item) / len(items)
        return total
    values = [v for item in paired(items, policy, n_annotators) for v in item.values()]
    return {label: n / len(values) for label, n in Counter(values).items()}


# Coefficients


def percent(items: Sequence[Item], policy: str, n_annotators: int) -> Outcome:
    found = observed(items, policy, n_annotators, nominal)
    return found, None, None if found is None else 1 - found


def alpha(
    items: Sequence[Item],
    policy: str,
    n_annotators: int,
    distance: Callable[[Any, Any], float] | None = nominal,
) -> Outcome:
    """Krippendorff's α; without a distance the ordinal one, made of the values with a partner."""
    values = [v for item in paired(items, policy, n_annotators) for v in item.values()]
    used = distance or ordinal(dict(Counter(values)))
    pairs = list(itertools.permutations(range(len(values)), 2))
    chance = math.fsum(used(values[i], values[j]) for i, j in pairs) / len(pairs) if pairs else None
    return outcome(observed(items, policy, n_annotators, used), chance)


def fleiss(items: Sequence[Item], policy: str, n_annotators: int) -> Outcome:
    p = shares(items, policy, n_annotators)
    found = observed(items, policy, n_annotators, nominal)
    return outcome(found, 1 - math.fsum(x * x for x in p.values()) if p else None)


def conger(
    items: Sequence[Item],
    policy: str,
    n_annotators: int,
    distance: Callable[[Any, Any], float] = nominal,
) -> Outcome:
    counted = items if policy == "items" else paired(items, policy, n_annotators)
    own: dict[str, list[Any]] = {}
    for item in counted:
        for who, label in item.items():
            own.setdefault(who, []).append(label)
    means = [
        math.fsum(distance(c, k) for c in own[g] for k in own[h]) / (len(own[g]) * len(own[h]))
        for g, h in itertools.combinations(sorted(own), 2)
    ]
    chance = math.fsum(means) / len(means) if means else None
    return outcome(observed(items, policy, n_annotators, distance), chance)


def cohen(
    items: Sequence[Item], one: str, other: str, distance: Callable[[Any, Any], float] = nominal
) -> Outcome:
    both = [(item[one], item[other]) for item in items if one in item and other in item]
    if not both:
        return None, None, None
    found = math.fsum(distance(c, k) for c, k in both) / len(both)
    chance = math.fsum(distance(c, k) for c, _ in both for _, k in both) / len(both) ** 2
    return outcome(found, chance)


def light(
    items: Sequence[Item],
    policy: str,
    n_annotators: int,
    distance: Callable[[Any, Any], float] = nominal,
) -> Outcome:
    """The mean of Cohen's κ over pairs who share an item; undefined if one of these has none."""
    kept = paired(items, "remove", n_annotators) if policy == "remove" else items
    each = [
        cohen(kept, one, other, distance)
        for one, other in itertools.combinations(annotators_of(kept), 2)
    ]
    met = [found for found in each if found[0] is not None]
    if not met:
        return None, None, None
    means = [
        math.fsum(part or 0.0 for part in parts) / len(met) for parts in zip(*met, strict=True)
    ]
    return means[0], means[1], None if any(found[2] is None for found in met) else means[2]


def bennett(
    items: Sequence[Item],
    policy: str,
    n_annotators: int,
    categories: Sequence[Any],
    distance: Callable[[Any, Any], float] = nominal,
) -> Outcome:
    q = len(categories)
    chance = math.fsum(distance(c, k) for c in categories for k in categories) / q**2
    return outcome(observed(items, policy, n_annotators, distance), chance)


def gwet(
    items: Sequence[Item],
    policy: str,
    n_annotators: int,
    categories: Sequence[Any],
    distance: Callable[[Any, Any], float] = nominal,
) -> Outcome:
    q = len(categories)
    p = shares(items, policy, n_annotators)
    if q < 2 or not p:
        return observed(items, policy, n_annotators, distance), None, None
    weights = math.fsum(1 - distance(c, k) for c in categories for k in categories)
    agreed = weights / (q * (q - 1)) * math.fsum(x * (1 - x) for x in p.values())
    return outcome(observed(items, policy, n_annotators, distance), 1 - agreed)
