"""Unitizing alphas once more, by counting: no formula for a length is used, only places.

A text is cut into places of length 1, and an *atom* is what one annotator says of one place: a
label, or that it is a gap. Everything is then counted atom by atom and pair by pair, which takes
the square of their number. From the words of Krippendorff, Mathet, Bouvry & Widlöcher (2016):

- observed: two atoms of the same place, of two annotators;
- expected: any two atoms, except two of one unit (an atom with itself among them), as the atoms
  of a unit were not coded one by one.

And for αU of Krippendorff (2004): a unit is slid past every other section, a place at a time.

A document is as in `unitizing_oracle`, with whole numbers only.
"""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

GAP = "∅"
Disagreements = tuple[Fraction, Fraction]


class Atom(NamedTuple):
    text: int
    annotator: int
    place: int
    label: Any
    unit: Any  # none for a gap


def atoms_of(documents):
    found = []
    for text, (low, high, everyone) in enumerate(documents):
        for annotator, units in enumerate(everyone):
            for place in range(low, high):
                over = [unit for unit in units if unit[0] <= place < unit[1]]
                label, unit = (over[0][2], (text, annotator, over[0])) if over else (GAP, None)
                found.append(Atom(text, annotator, place, label, unit))
    return found


def same_place(documents, atoms):
    """Give pairs of atoms of two annotators at one place, each with its weight."""
    by_place: dict[Any, list[Atom]] = {}
    for atom in atoms:
        by_place.setdefault((atom.text, atom.place), []).append(atom)
    for (text, _), those in by_place.items():
        for one, other in itertools.permutations(those, 2):
            yield one, other, Fraction(1, len(documents[text][2]) - 1)


def u_2016(documents) -> Disagreements:
    atoms = atoms_of(documents)
    observed = whole = Fraction(0)
    for one, other, weight in same_place(documents, atoms):
        whole += weight
        observed += weight * (one.label != other.label)
    pairs = differing = 0
    for one, other in itertools.product(atoms, repeat=2):
        if one == other or (one.unit is not None and one.unit == other.unit):
            continue
        pairs += 1
        differing += one.label != other.label
    return observed / whole, Fraction(differing, pairs)


def binary_2016(documents) -> Disagreements:
    return u_2016(
        [
            (low, high, [[(start, end, "unit") for start, end, _ in units] for units in everyone])
            for low, high, everyone in documents
        ]
    )


def met(documents):
    """Give tables of labels where units meet: observed, and expected to the same sum."""
    atoms = [atom for atom in atoms_of(documents) if atom.label != GAP]
    together: Counter[Any] = Counter()
    share: Counter[Atom] = Counter()  # of the other annotators who have a unit at that place
    who: dict[Atom, set[int]] = {}
    for one, other, weight in same_place(documents, atoms):
        together[one.label, other.label] += weight
        share[one] += weight
        who.setdefault(one, set()).add(other.annotator)
    pairs: Counter[Any] = Counter()
    for one, other in itertools.product(who, repeat=2):
        weight = share[one] * share[other]
        if one.unit == other.unit:
            # Not by chance, as often as the same annotator has units at both places.
            both = len(who[one] & who[other])
            weight -= Fraction(both, len(documents[one.text][2]) - 1)
        pairs[one.label, other.label] += weight
    whole, chance = sum(together.values()), sum(pairs.values())
    return together, {key: value * whole / chance for key, value in pairs.items()}, whole


def coding_2016(documents, distance=lambda c, k: int(c != k)) -> Disagreements:
    together, expected, whole = met(documents)
    observed, chance = (
        sum((value * distance(*key) for key, value in table.items()), Fraction(0)) / whole
        for table in (together, expected)
    )
    return observed, chance


def by_label_2016(documents, label) -> Disagreements:
    observed, expected, _ = met(documents)
    shares = []
    for table in (observed, expected):
        of = sum((value for (c, _), value in table.items() if c == label), Fraction(0))
        shares.append(1 - Fraction(table[label, label]) / of)
    return shares[0], shares[1]


def expected_2004(documents, label) -> Fraction:
    """Slide every unit past every other unit of the label, and through every gap."""
    units, gaps, places, longest = [], [], 0, 0
    for low, high, everyone in documents:
        longest += high - low
        for mine in everyone:
            places += high - low
            at = low
            for start, end, _ in sorted(unit for unit in mine if unit[2] == label):
                gaps += [start - at]
                units += [end - start]
                at = end
            gaps += [high - at]
    differing = 0
    for one, mine in enumerate(units):
        for other, yours in enumerate(units):
            if one < other:  # from the first place they share to the last
                for move in range(1 - yours, mine):
                    differing += move**2 + (move + yours - mine) ** 2
        for gap in gaps:
            for _ in range(gap - mine + 1):
                differing += mine**2
    # Every pair of places of all annotators, but those within one unit.
    pairs = places * (places - 1) - sum(length * (length - 1) for length in units)
    return Fraction(2 * differing, longest * pairs)
