"""Unitizing alphas by plain loops over sections, slow and obvious.

A document is ``(low, high, [[(start, end, label), …], …])``, one list an annotator, none of whose
units overlap (for 1995: none of one label). Several documents are pooled by adding up sums.
"""

from __future__ import annotations

import math

GAP = "∅"


def sections(low, high, units):
    """Give the units of one annotator and the gaps between them."""
    found, at = [], low
    for start, end, label in sorted(units):
        if start > at:
            found.append((at, start, GAP))
        if end > start:
            found.append((start, end, label))
        at = max(at, end)
    if high > at:
        found.append((at, high, GAP))
    return found


def shared(g, h):
    return max(0.0, min(g[1], h[1]) - max(g[0], h[0]))


def length(g):
    return g[1] - g[0]


def ordered_pairs(everyone):
    for i, mine in enumerate(everyone):
        for j, others in enumerate(everyone):
            if i != j:
                yield mine, others


def coincidences(documents):
    """Give l_ck, and Q_c: Σ len² of units, Σ len of gaps (2016)."""
    together: dict[tuple[object, object], float] = {}
    lone: dict[object, float] = {}
    for low, high, everyone in documents:
        cut = [sections(low, high, units) for units in everyone]
        for mine, others in ordered_pairs(cut):
            for g in mine:
                for h in others:
                    key = (g[2], h[2])
                    together[key] = together.get(key, 0.0) + shared(g, h) / (len(cut) - 1)
        for g in (g for mine in cut for g in mine):
            lone[g[2]] = lone.get(g[2], 0.0) + (length(g) if g[2] == GAP else length(g) ** 2)
    return together, lone


def from_coincidences(together, lone):
    """Give the disagreements observed and expected of uα."""
    whole = math.fsum(together.values())
    of = margins(together)
    expected = {
        (c, k): whole
        * (of[c] * of[k] - (lone[c] if c == k else 0.0))
        / (whole**2 - math.fsum(lone.values()))
        for c in of
        for k in of
    }
    return off_diagonal(together) / whole, off_diagonal(expected) / whole


def margins(together):
    of: dict[object, float] = {}
    for (c, _), value in together.items():
        of[c] = of.get(c, 0.0) + value
    return of


def off_diagonal(table):
    return math.fsum(value for (c, k), value in table.items() if c != k)


def u_2016(documents):
    return from_coincidences(*coincidences(documents))


def binary_2016(documents):
    blank = [
        (low, high, [[(s, e, "unit") for s, e, _ in units] for units in everyone])
        for low, high, everyone in documents
    ]
    return u_2016(blank)


def block(documents):
    """Give l_ck of labels and e_ck (eq. 10), where sections of units meet."""
    together: dict[tuple[object, object], float] = {}
    own: dict[object, float] = {}
    for low, high, everyone in documents:
        cut = [sections(low, high, units) for units in everyone]
        cut = [[g for g in mine if g[2] != GAP] for mine in cut]
        for mine, others in ordered_pairs(cut):
            for g in mine:
                for h in others:
                    key = (g[2], h[2])
                    together[key] = together.get(key, 0.0) + shared(g, h) / (len(cut) - 1)
                covered = sum(shared(g, h) for h in others)
                own[g[2]] = own.get(g[2], 0.0) + covered**2 / (len(cut) - 1)
    of = margins(together)
    whole = math.fsum(of.values())
    below = whole - math.fsum(own.values()) / whole if whole else 0.0
    expected = {
        (c, k): (of[c] * of[k] - (own[c] if c == k else 0.0)) / below
        for c in of
        for k in of
        if below > 1e-9 * whole
    }
    return together, expected, whole


def coding(documents, distance=lambda c, k: float(c != k)):
    together, expected, whole = block(documents)
    if not expected:
        return math.nan, math.nan
    return tuple(
        math.fsum(value * distance(c, k) for (c, k), value in table.items()) / whole
        for table in (together, expected)
    )


def by_label(documents, label):
    together, expected, whole = block(documents)
    of = margins(expected).get(label, 0.0)
    # What is left of a difference of equal numbers is nothing.
    if not expected or abs(of) < 1e-9 * whole:
        return math.nan, math.nan
    found = 1.0 - together.get((label, label), 0.0) / margins(together)[label]
    return found, 1.0 - expected[label, label] / of


def u_2013(documents):
    """Give the disagreements of the 2013 form."""
    squares, everything, whole = 0.0, [], 0.0
    for low, high, everyone in documents:
        cut = [sections(low, high, units) for units in everyone]
        for mine, others in ordered_pairs(cut):
            for g in mine:
                for h in others:
                    squares += (g[2] != h[2]) * shared(g, h) ** 2 / (len(cut) - 1)
        everything += [g for mine in cut for g in mine]
        whole += len(cut) * (high - low)
    slides = 0.0
    for i, g in enumerate(everything):
        for j, h in enumerate(everything):
            if i != j and g[2] != h[2]:
                a, b = sorted((length(g), length(h)))
                slides += a * (a - 1) * (2 * a - 1) / 3 + (b - a + 1) * a**2
    below = whole**2 - math.fsum(length(g) ** 2 for g in everything)
    return squares / whole, slides / below


def alpha_1995(documents, label):
    """Give the disagreements of one label by the αU of 1995 and 2004."""
    mixed, own, slides, whole, long = 0.0, 0.0, 0.0, 0.0, 0.0
    units, gaps = [], []
    for low, high, everyone in documents:
        cut = [
            sections(low, high, [unit for unit in mine if unit[2] == label]) for mine in everyone
        ]
        for mine, others in ordered_pairs(cut):
            for g in mine:
                for h in others:
                    mixed += difference(g, h) / (len(cut) - 1)
        units += [length(g) for mine in cut for g in mine if g[2] != GAP]
        gaps += [length(g) for mine in cut for g in mine if g[2] == GAP]
        whole += len(cut) * (high - low)
        long += high - low
    for l in units:
        slides += (len(units) - 1) / 3 * (2 * l**3 - 3 * l**2 + l)
        slides += l**2 * sum(gap - l + 1 for gap in gaps if gap >= l)
        own += l * (l - 1)
    return mixed / (whole * long), 2 / long * slides / (whole * (whole - 1) - own)


def difference(g, h):
    """Give δ² of two sections of one label (Krippendorff 1995)."""
    if g[2] != GAP and h[2] != GAP:
        return (g[0] - h[0]) ** 2 + (g[1] - h[1]) ** 2 if shared(g, h) > 0 else 0.0
    if g[2] == GAP == h[2]:
        return 0.0
    unit, gap = (h, g) if g[2] == GAP else (g, h)
    return length(unit) ** 2 if gap[0] <= unit[0] and unit[1] <= gap[1] else 0.0


def majority(low, high, atom, units, blank=""):
    """Give the label that covers most of each atom; ties go to the unit that comes first."""
    chosen = []
    for k in range(math.ceil((high - low) / atom)):
        left, right = low + k * atom, min(low + (k + 1) * atom, high)
        covers: dict[object, float] = {}
        for start, end, label in sorted(units):
            if (covered := shared((start, end), (left, right))) > 0:
                covers[label] = covers.get(label, 0.0) + covered
        covers[blank] = right - left - sum(covers.values())
        chosen.append(max(covers, key=lambda label: covers[label]))
    return chosen
