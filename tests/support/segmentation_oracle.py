"""Measures of segmentations in plain loops over atoms, straight from the definitions.

A segmentation is a list of 0 and 1, one for each place between two atoms. Nothing here is shared
with the package.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

Marks = list[int]
Both = list[Marks]  # of the reference and of the hypothesis


def marks_of(masses: list[int]) -> Marks:
    """Write a 1 for each place where a segment ends."""
    marks: Marks = []
    for mass in masses:
        marks += [0] * (mass - 1) + [1]
    return marks[:-1]


def masses_of(marks: Marks) -> list[int]:
    masses = [1]
    for mark in marks:
        if mark:
            masses.append(1)
        else:
            masses[-1] += 1
    return masses


def default_window(reference: Marks) -> int:
    """Half the mean segment, at least 2, shorter than the text."""
    n = len(reference) + 1
    half = round(Fraction(n, len(masses_of(reference))) / 2)
    return min(max(half, 2), n - 1)


def windows(marks: Marks, k: int) -> list[int]:
    """Count boundaries between atom i and atom i + k, for every i."""
    return [sum(marks[i : i + k]) for i in range(len(marks) + 1 - k)]


def pk(both: Both, k: int) -> Fraction:
    pairs = list(zip(*(windows(marks, k) for marks in both), strict=True))
    return Fraction(sum((a > 0) != (b > 0) for a, b in pairs), len(pairs))


def window_diff(both: Both, k: int) -> Fraction:
    pairs = list(zip(*(windows(marks, k) for marks in both), strict=True))
    return Fraction(sum(a != b for a, b in pairs), len(pairs))


def cheapest(both: Both, insertion: float, deletion: float, shift: float) -> float:
    """Try every way to delete, insert or shift the first boundaries that are left."""
    wanted, there = ([i for i, mark in enumerate(marks) if mark] for marks in both)

    @cache
    def rest(i: int, j: int) -> float:
        if i == len(wanted):
            return (len(there) - j) * deletion
        if j == len(there):
            return (len(wanted) - i) * insertion
        return min(
            insertion + rest(i + 1, j),
            deletion + rest(i, j + 1),
            shift * abs(wanted[i] - there[j]) + rest(i + 1, j + 1),
        )

    return rest(0, 0)


def edits(both: Both, near: int) -> tuple[int, int, int, int]:
    """Scan from left to right for moves by 1, then by 2 …; give matches, moves, misses, way."""
    one, other = both
    used = [False] * len(one)
    moves = way = 0
    for distance in range(1, near):
        for i in range(len(one) - distance):
            j = i + distance
            crossed = (one[i], other[i], one[j], other[j]) in ((1, 0, 0, 1), (0, 1, 1, 0))
            if crossed and not used[i] and not used[j]:
                used[i] = used[j] = True
                moves += 1
                way += distance
    matches = sum(a and b for a, b in zip(one, other, strict=True))
    misses = sum(a != b and not u for a, b, u in zip(one, other, used, strict=True))
    return matches, moves, misses, way


def edit_shares(both: Both, near: int) -> tuple[Fraction, int, int]:
    """Give the weight of edits, the boundaries that there are, and the places."""
    matches, moves, misses, way = edits(both, near)
    return misses + Fraction(way, near), matches + moves + misses, len(both[0])


def corrected(texts: list[dict[str, Marks]], near: int, *, of_places: bool) -> dict[str, float]:
    """Give π and κ of complete data: every annotator cut every text."""
    wrong, whole = Fraction(0), 0
    for text in texts:
        for one, other in combinations(sorted(text), 2):
            edited, boundaries, places = edit_shares([text[one], text[other]], near)
            wrong += edited
            whole += places if of_places else boundaries
    observed = 1 - wrong / whole
    rates = [Fraction(sum(marks), len(marks)) for text in texts for marks in text.values()]
    by_one = (sum(rates, Fraction(0)) / len(rates)) ** 2
    names = sorted(texts[0])
    own = {
        name: Fraction(sum(sum(t[name]) for t in texts), sum(len(t[name]) for t in texts))
        for name in names
    }
    products = [own[one] * own[other] for one, other in combinations(names, 2)]
    by_own = sum(products, Fraction(0)) / len(products)
    return {
        "pi": float((observed - by_one) / (1 - by_one)),
        "kappa": float((observed - by_own) / (1 - by_own)),
    }
