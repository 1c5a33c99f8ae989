"""Plain loops over all one-to-one matchings of two small lists of units."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unisono.model import Unit

Pairs = tuple[tuple[int, int], ...]


def before(left: float, right: float) -> bool:
    """Whether a position comes before another by more than rounding, four times 2⁻⁵² of it."""
    return right - left > 2.0**-50 * max(abs(left), abs(right))


def together(left: float, right: float) -> bool:
    return not before(left, right) and not before(right, left)


def intersect(u: Unit, v: Unit) -> bool:
    """Whether two units share more than a border."""
    if before(max(u.start, v.start), min(u.end, v.end)):
        return True
    if together(u.start, v.start) and together(u.end, v.end):
        return True
    if u.start == u.end:
        return before(v.start, u.start) and before(u.end, v.end)
    if v.start == v.end:
        return before(u.start, v.start) and before(v.end, u.end)
    return False


def near(u: Unit, v: Unit, tolerance: float) -> bool:
    """Whether both bounds differ by no more than the tolerance."""
    bounds = (u.start, v.start), (u.end, v.end)
    return all(together(*pair) or abs(pair[0] - pair[1]) <= tolerance for pair in bounds)


def share(u: Unit, v: Unit) -> float:
    """What both cover, as a part of what either covers."""
    if (u.start, u.end) == (v.start, v.end):
        return 1.0
    common = max(0.0, min(u.end, v.end) - max(u.start, v.start))
    return common / (max(u.end, v.end) - min(u.start, v.start))


def matchings(allowed: Sequence[Sequence[bool]], row: int = 0) -> Iterator[Pairs]:
    """Give every one-to-one matching of rows and columns that uses allowed pairs only."""
    if row == len(allowed):
        yield ()
        return
    for rest in matchings(allowed, row + 1):
        yield rest
        taken = {column for _, column in rest}
        for column, may in enumerate(allowed[row]):
            if may and column not in taken:
                yield ((row, column), *rest)


def alike(u: Unit, v: Unit) -> float:
    """Say how alike two units are: half by label, half by place."""
    return ((u.label == v.label) + share(u, v)) / 2


def least_cost(
    left: Sequence[Unit], right: Sequence[Unit], tolerance: float
) -> tuple[float, int, float]:
    """Give the least cost of slot errors, the most correct pairs at it, and how alike all are."""
    allowed = [[intersect(u, v) or near(u, v, tolerance) for v in right] for u in left]
    best = (float("inf"), 0, 0.0)
    for pairs in matchings(allowed):
        cost, correct = float(len(left) + len(right) - 2 * len(pairs)), 0
        for i, j in pairs:
            wrong = 0.5 * (left[i].label != right[j].label)
            wrong += 0.5 * (not near(left[i], right[j], tolerance))
            cost += wrong
            correct += wrong == 0
        likeness = sum(alike(left[i], right[j]) for i, j in pairs)
        best = min(best, (cost, -correct, -likeness))
    return best[0], -best[1], -best[2]


def most_found(
    left: Sequence[Unit], right: Sequence[Unit], rule: str, tolerance: float, *, labels: bool
) -> int:
    """Give the most pairs that can be found together under a rule."""

    def found(u: Unit, v: Unit) -> bool:
        if labels and u.label != v.label:
            return False
        return {
            "exact": near(u, v, 0.0),
            "tolerant": near(u, v, tolerance),
            "overlap": intersect(u, v),
        }[rule]

    return max(map(len, matchings([[found(u, v) for v in right] for u in left])))
