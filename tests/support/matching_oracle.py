"""Plain loops over all one-to-one matchings of two small lists of units."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unisono.model.continuum import Unit

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


def hungarian(costs: Sequence[Sequence[float]]) -> float:
    """Return the least cost of a perfect matching of rows and columns, by potentials (Kuhn)."""
    n = len(costs)
    of_row, of_column = [0.0] * (n + 1), [0.0] * (n + 1)
    row_of = [0] * (n + 1)
    for row in range(1, n + 1):
        row_of[0] = row
        least, came_from, seen = [math.inf] * (n + 1), [0] * (n + 1), [False] * (n + 1)
        column = 0
        while row_of[column]:
            seen[column] = True
            at, step, nearest = row_of[column], math.inf, 0
            for other in range(1, n + 1):
                if seen[other]:
                    continue
                reduced = costs[at - 1][other - 1] - of_row[at] - of_column[other]
                if reduced < least[other]:
                    least[other], came_from[other] = reduced, column
                if least[other] < step:
                    step, nearest = least[other], other
            for other in range(n + 1):
                if seen[other]:
                    of_row[row_of[other]] += step
                    of_column[other] -= step
                else:
                    least[other] -= step
            column = nearest
        while column:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    return sum(costs[row_of[column] - 1][column - 1] for column in range(1, n + 1))


def least_matching(costs: Sequence[Sequence[float]], alone: float) -> float:
    """Return the least cost of a matching in which each row and each column may stay alone."""
    rows, columns = len(costs), len(costs[0])
    square = [[*line, *[alone] * rows] for line in costs]
    square += [[alone] * columns + [0.0] * rows for _ in range(columns)]
    return hungarian(square)


def least_edge_cover(costs: Sequence[Sequence[float]], alone: float) -> float:
    """Return the least cost of covering all rows and columns, each at least once.

    As Schrijver (2003), section 19.3: a perfect matching of the graph and a copy of it, in which
    each vertex is joined to its copy at twice what covers it alone.
    """
    rows, columns = len(costs), len(costs[0])
    of_row = [min(alone, *line) for line in costs]
    of_column = [min(alone, *(line[j] for line in costs)) for j in range(columns)]
    # Above: rows with columns, and with their copies. Below: copies of columns with the columns,
    # and with copies of rows.
    never = 4.0 * alone * (rows + columns)
    square = [
        [*line, *(2.0 * of_row[i] if i == k else never for k in range(rows))]
        for i, line in enumerate(costs)
    ]
    square += [
        [*(2.0 * of_column[j] if j == k else never for k in range(columns))]
        + [costs[i][j] for i in range(rows)]
        for j in range(columns)
    ]
    return hungarian(square) / 2.0
