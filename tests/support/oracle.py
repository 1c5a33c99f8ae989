"""The slow oracle: every definition written down once more, obviously, with nothing left out.

Nothing here prunes. There is no bound on pairs, no rule about splitting a group, no dominance
and no window: every group that can be formed is formed and every partition is weighed. Plain
Python floats throughout; the only thing shared with the package is the way data are read out of
a Continuum (`sets_of`). Sources: Mathet, Widlöcher & Métivier 2015 (γ) and Mathet 2017 (γcat, γk).

A unit is `(start, end, label)`; data are one list of units per annotator, `sets`. Units are
numbered from 0, annotator by annotator, as the rows of a Continuum are. A group is a tuple with
one place per annotator holding a unit's number, or −1 where the group has nothing of that
annotator; an alignment is a list of groups.
"""

from __future__ import annotations

import itertools
import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import unisono as un

Unit = tuple[float, float, Any]
Sets = list[list[Unit]]
Group = tuple[int, ...]

EMPTY = -1


def nominal(left: Any, right: Any) -> float:
    return 0.0 if left == right else 1.0


@dataclass(frozen=True)
class Rules:
    """Everything that the dissimilarity of two units depends on."""

    position: float = 1.0
    label: float = 1.0
    empty: float = 1.0
    power: float = 2.0
    steep: bool = False
    distance: Callable[[Any, Any], float] = nominal


def d_pos(u: Unit, v: Unit, rules: Rules) -> float:
    """Equation 3 of 2015."""
    moved = abs(u[0] - v[0]) + abs(u[1] - v[1])
    lengths = (u[1] - u[0]) + (v[1] - v[0])
    if lengths == 0.0:  # two points
        return 0.0 if u[0] == v[0] else math.inf
    return float((moved / lengths) ** rules.power * rules.empty)


def steep(x: float) -> float:
    """The f_cat that forbids aligning totally different labels: −ln(1−x)·x³⁰ + x."""
    if x == 1.0:
        return math.inf
    return -math.log(1.0 - x) * x**30 + x


def d_cat(u: Unit, v: Unit, rules: Rules) -> float:
    distance = float(rules.distance(u[2], v[2]))
    return (steep(distance) if rules.steep else distance) * rules.empty


def weighted(weight: float, part: float) -> float:
    return 0.0 if weight == 0.0 else weight * part  # a weight of 0 wins over an infinite part


def dissimilarity(u: Unit, v: Unit, rules: Rules) -> float:
    return weighted(rules.position, d_pos(u, v, rules)) + weighted(rules.label, d_cat(u, v, rules))


def sets_of(continuum: un.Continuum) -> Sets:
    sets: Sets = [[] for _ in continuum.annotators]
    place = {name: i for i, name in enumerate(continuum.annotators)}
    for unit in continuum:
        sets[place[unit.annotator]].append((unit.start, unit.end, unit.label))
    return sets


def flat(sets: Sets) -> list[tuple[int, Unit]]:
    """Every unit with its annotator, in the order that numbers them."""
    return [(i, unit) for i, units in enumerate(sets) for unit in units]


def mean_units(sets: Sets) -> float:
    """x̄, never floored."""
    return sum(len(units) for units in sets) / len(sets)


def pair_costs(sets: Sets, rules: Rules) -> list[list[float]]:
    """The d of every pair of units; the last row and column stand for the empty unit."""
    units = [unit for _, unit in flat(sets)]
    costs = [[dissimilarity(u, v, rules) for v in units] + [rules.empty] for u in units]
    return [*costs, [rules.empty] * (len(units) + 1)]


def group_disorder(group: Group, costs: list[list[float]]) -> float:
    """The mean of d over all C(n, 2) unordered pairs of places, empty ones among them."""
    pairs = list(itertools.combinations(group, 2))
    return sum(costs[left][right] for left, right in pairs) / len(pairs)


def disorder(groups: Sequence[Group], sets: Sets, rules: Rules) -> float:
    """The disorder of a whole alignment, equation 7 of 2015."""
    costs = pair_costs(sets, rules)
    return math.fsum(group_disorder(group, costs) for group in groups) / mean_units(sets)


def all_groups(sets: Sets) -> Iterator[Group]:
    """Every group there is: for each annotator one of the units, or none; not all none."""
    numbers = itertools.count()
    choices = [[EMPTY, *itertools.islice(numbers, len(units))] for units in sets]
    for group in itertools.product(*choices):
        if any(number != EMPTY for number in group):
            yield group


def is_partition(groups: Sequence[Group], sets: Sets) -> bool:
    """Every unit in exactly one group, at its own annotator's place, and no group is empty."""
    owner = [i for i, _ in flat(sets)]
    seen = []
    for group in groups:
        if len(group) != len(sets) or all(number == EMPTY for number in group):
            return False
        for place, number in enumerate(group):
            if number == EMPTY:
                continue
            if not 0 <= number < len(owner) or owner[number] != place:
                return False
            seen.append(number)
    return sorted(seen) == list(range(len(owner)))


class BruteForce:
    """All partitions of all units, by the set of the units that remain."""

    def __init__(self, sets: Sets, rules: Rules) -> None:
        self.sets = sets
        self.units = flat(sets)
        self.costs = costs = pair_costs(sets, rules)
        self.n_units = len(flat(sets))
        # The lowest unit that remains must be in some group, and this is every group whose
        # lowest unit it can be; so each partition is built exactly once.
        self._by_lowest: list[list[tuple[int, float, Group]]] = [[] for _ in range(self.n_units)]
        for group in all_groups(sets):
            members = [number for number in group if number != EMPTY]
            mask = sum(1 << number for number in members)
            cost = group_disorder(group, costs)
            self._by_lowest[min(members)].append((mask, cost, group))
        self._best: dict[int, float] = {0: 0.0}

    def best_sum(self, remaining: int | None = None) -> float:
        """The least sum of group disorders over all partitions of the units that remain."""
        if remaining is None:
            remaining = (1 << self.n_units) - 1
        if remaining not in self._best:
            lowest = (remaining & -remaining).bit_length() - 1
            self._best[remaining] = min(
                cost + self.best_sum(remaining & ~mask)
                for mask, cost, _ in self._by_lowest[lowest]
                if mask & remaining == mask
            )
        return self._best[remaining]

    @property
    def disorder(self) -> float:
        return self.best_sum() / mean_units(self.sets)

    def optima(self, tolerance: float = 1e-9) -> Iterator[list[Group]]:
        """Every alignment whose sum of group disorders is within `tolerance` of the least."""
        yield from self._optima((1 << self.n_units) - 1, tolerance)

    def _optima(self, remaining: int, slack: float) -> Iterator[list[Group]]:
        if remaining == 0:
            yield []
            return
        lowest = (remaining & -remaining).bit_length() - 1
        for mask, cost, group in self._by_lowest[lowest]:
            if mask & remaining != mask:
                continue
            left = slack - (cost + self.best_sum(remaining & ~mask) - self.best_sum(remaining))
            if left >= 0.0:
                for rest in self._optima(remaining & ~mask, left):
                    yield [group, *rest]

    def canonical(self, tolerance: float = 1e-9) -> list[Group]:
        """The one optimum to return: finest, and at each anchor the first group that may stand.

        The anchor is the first remaining unit along the line. A larger group comes before a
        smaller one, and of two equally large ones the one whose units come first along the line.
        """
        remaining, chosen = (1 << self.n_units) - 1, []
        while remaining:
            anchor = min(_members(remaining), key=self._along_the_line)
            mask, group = min(
                (
                    (mask, group)
                    for mask, cost, group in itertools.chain(*self._by_lowest)
                    if mask >> anchor & 1
                    and mask & remaining == mask
                    and cost + self.best_sum(remaining & ~mask)
                    <= self.best_sum(remaining) + tolerance
                    and not _splits_free(group, self.costs, tolerance)
                ),
                key=lambda found: self._preference(found[0]),
            )
            chosen.append(group)
            remaining &= ~mask
        return chosen

    def _along_the_line(self, number: int) -> tuple[Any, ...]:
        annotator, (start, end, label) = self.units[number]
        return (start + end, start, end, annotator, label)

    def _preference(self, mask: int) -> tuple[int, list[tuple[Any, ...]]]:
        members = sorted(self._along_the_line(number) for number in _members(mask))
        return -len(members), members


def _members(mask: int) -> list[int]:
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def in_words(groups: Sequence[Group], sets: Sets) -> list[tuple[Unit | None, ...]]:
    """The units themselves, so that two units that nobody can tell apart are the same."""
    units = [unit for _, unit in flat(sets)]
    rows = [tuple(None if i == EMPTY else units[i] for i in group) for group in groups]
    return sorted(rows, key=repr)


def free_splits(
    groups: Sequence[Group], sets: Sets, rules: Rules, tolerance: float = 1e-9
) -> list[Group]:
    """The groups that could be cut in two for nothing; the finest optimum has none."""
    costs = pair_costs(sets, rules)
    return [group for group in groups if _splits_free(group, costs, tolerance)]


def _splits_free(group: Group, costs: list[list[float]], tolerance: float) -> bool:
    places = [place for place, number in enumerate(group) if number != EMPTY]
    whole = group_disorder(group, costs)
    for size in range(1, len(places) // 2 + 1):
        for chosen in itertools.combinations(places, size):
            part = tuple(number if i in chosen else EMPTY for i, number in enumerate(group))
            rest = tuple(EMPTY if i in chosen else number for i, number in enumerate(group))
            if group_disorder(part, costs) + group_disorder(rest, costs) <= whole + tolerance:
                return True
    return False


def best_cover(sets: Sets, rules: Rules) -> float:
    """The least disorder if a unit may be in more than one group: over all covers."""
    costs = pair_costs(sets, rules)
    groups = [
        (sum(1 << number for number in group if number != EMPTY), group_disorder(group, costs))
        for group in all_groups(sets)
    ]
    everything = (1 << len(flat(sets))) - 1
    least = {0: 0.0}
    # Whatever a group adds makes the set of covered units a larger number.
    for covered in range(everything):
        if covered not in least:
            continue
        for mask, cost in groups:
            joined = covered | mask
            if joined != covered:
                least[joined] = min(least.get(joined, math.inf), least[covered] + cost)
    return least[everything] / mean_units(sets)


def is_cover(groups: Sequence[Group], sets: Sets) -> bool:
    """Whether every unit is in a group, and every group has each annotator's units in its place."""
    annotator_of = [annotator for annotator, _ in flat(sets)]
    placed = [
        (place, number) for group in groups for place, number in enumerate(group) if number != EMPTY
    ]
    return all(annotator_of[number] == place for place, number in placed) and {
        number for _, number in placed
    } == set(range(len(annotator_of)))


def by_integer_program(sets: Sets, rules: Rules, *, soft: bool = False) -> list[Group]:
    """A best alignment by HiGHS: set partitioning (soft: covering) over all groups, gap 0.

    A unit alone costs `empty`. A group dearer than its units one by one is given the price of
    its units one by one plus `empty`: it stays in the program and still loses, and the numbers
    stay well scaled.
    """
    import highspy
    import numpy as np

    groups = list(all_groups(sets))
    pairs = pair_costs(sets, rules)
    costs, starts, rows = [], [0], []
    for group in groups:
        members = [number for number in group if number != EMPTY]
        costs.append(min(group_disorder(group, pairs), (len(members) + 1) * rules.empty))
        rows.extend(members)
        starts.append(len(rows))
    n_units, n_groups = len(flat(sets)), len(groups)

    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = n_groups, n_units
    program.col_cost_ = np.array(costs) / rules.empty
    program.col_lower_, program.col_upper_ = np.zeros(n_groups), np.ones(n_groups)
    program.row_lower_ = np.ones(n_units)
    program.row_upper_ = np.full(n_units, highspy.kHighsInf) if soft else np.ones(n_units)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = np.array(starts)
    program.a_matrix_.index_ = np.array(rows)
    program.a_matrix_.value_ = np.ones(len(rows))
    program.integrality_ = [highspy.HighsVarType.kInteger] * n_groups

    solver = highspy.Highs()
    solver.silent()
    for option, value in (
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", 0.0),
        ("mip_feasibility_tolerance", 1e-9),
        ("primal_feasibility_tolerance", 1e-9),
        ("dual_feasibility_tolerance", 1e-9),
        ("threads", 1),
    ):
        solver.setOptionValue(option, value)
    solver.passModel(program)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        msg = f"HiGHS ended with {solver.getModelStatus()}"
        raise AssertionError(msg)
    taken = solver.getSolution().col_value
    return [group for group, value in zip(groups, taken, strict=True) if value > 0.5]


def categorical_sums(
    groups: Sequence[Group], sets: Sets, rules: Rules, label: object = ...
) -> tuple[float, float]:
    """Σ weight·d_cat and Σ weight of Algorithm 1 of 2017 over a given alignment.

    With a label, only pairs with at least one unit of that label count (γk); `...` is γcat.
    """
    units = flat(sets)
    numerator = denominator = 0.0
    for group in groups:
        real = [units[number][1] for number in group if number != EMPTY]
        if len(real) < 2:
            continue
        for u, v in itertools.combinations(real, 2):
            if label is not ... and label not in (u[2], v[2]):
                continue
            confidence = max(0.0, 1.0 - d_pos(u, v, rules) / rules.empty)
            weight = confidence / (len(real) - 1)
            denominator += weight
            numerator += weighted(weight, d_cat(u, v, rules))
    return numerator, denominator


def shifted(
    sets: Sets, extent: tuple[float, float], picks: Sequence[int], shifts: Sequence[float]
) -> Sets:
    """One draw of the shift model: each place takes a real annotator and turns the circle.

    A unit moves whole, by its start: one that starts before the end of the extent and ends
    after it is not cut.
    """
    low, high = extent
    circle = high - low
    draw: Sets = []
    for pick, shift in zip(picks, shifts, strict=True):
        place = []
        for start, end, label in sets[pick]:
            moved = low + (start - low + shift) % circle if circle > 0.0 else start
            place.append((moved, moved + (end - start), label))
        draw.append(place)
    return draw


def circular_gaps(shifts: Sequence[float], circle: float) -> list[float]:
    """The distances between neighbouring shifts, around the circle."""
    places = sorted(shift % circle for shift in shifts)
    return [b - a for a, b in zip(places, [*places[1:], places[0] + circle], strict=True)]


def sample_size(disorders: Sequence[float], precision: float, z: float = 1.96) -> float:
    """n0 of section 5.3 of 2015, before rounding up, from the draws made so far."""
    mean, variance = statistics.fmean(disorders), statistics.variance(disorders)
    return variance / mean**2 * (z / precision) ** 2
