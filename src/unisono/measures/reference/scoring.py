"""How many units of a hypothesis are right, under three rules of what counts as right.

Units are paired one to one so that as many as possible are right: no order of looking through them
can do better or worse. `exact` asks for the same bounds, `tolerant` for bounds that differ by no
more than a tolerance, `overlap` for units that intersect; all of them for the same label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.reference.one_to_one import best_matching
from unisono.measures.reference.scores import MatchScores, Score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unisono.measures.reference.candidates import Candidates
    from unisono.measures.reference.matching import Sides
    from unisono.model.arrays import Integers
    from unisono.model.labels import Label

__all__ = ["Tallies", "scores_of", "tallies_of"]


class Tallies(NamedTuple):
    """Units by document and label: those of either side, and those that were found."""

    labels: tuple[Label | None, ...]
    reference: Integers
    hypothesis: Integers
    found: dict[str, Integers]
    """For each rule."""
    found_anyhow: dict[str, Integers]
    """For each rule by document alone, labels aside."""


def tallies_of(
    sides: Sides, candidates: Candidates, documents: Sequence[str], tolerance: float
) -> Tallies:
    """Count what was found under each rule."""
    place = {name: number for number, name in enumerate(documents)}
    of_meeting = np.array([place[meeting.document] for meeting in sides.meetings], np.int64)
    size = len(sides.labels)

    def by_label(meetings: Integers, labels: Integers) -> Integers:
        keys = of_meeting[meetings] * size + labels
        counts = np.bincount(keys, minlength=len(documents) * size)
        return counts.reshape(len(documents), size)

    def matched(chosen: NDArray[np.bool_]) -> Integers:
        pairs = candidates.only(chosen)
        ones = np.ones(len(pairs.left), np.int64)
        return pairs.left[best_matching(sides.reference, sides.hypothesis, pairs, ones)]

    rules = {"exact": candidates.same_place, "tolerant": candidates.near}
    rules["overlap"] = candidates.intersect
    found: dict[str, Integers] = {}
    found_anyhow: dict[str, Integers] = {}
    for rule, holds in rules.items():
        if rule == "tolerant" and not tolerance:
            found[rule], found_anyhow[rule] = found["exact"], found_anyhow["exact"]
            continue
        rows = matched(holds & candidates.same_label)
        found[rule] = by_label(sides.reference.meetings[rows], sides.reference.labels[rows])
        in_documents = of_meeting[sides.reference.meetings[matched(holds)]]
        found_anyhow[rule] = np.bincount(in_documents, minlength=len(documents))
    return Tallies(
        sides.labels,
        by_label(sides.reference.meetings, sides.reference.labels),
        by_label(sides.hypothesis.meetings, sides.hypothesis.labels),
        found,
        found_anyhow,
    )


def scores_of(tallies: Tallies, rule: str, document: int | slice = slice(None)) -> MatchScores:
    """Make the scores of one document, or of all, under a rule."""
    matched, reference, hypothesis = (
        np.atleast_2d(table[document]).sum(axis=0)
        for table in (tallies.found[rule], tallies.reference, tallies.hypothesis)
    )
    columns = (matched.tolist(), reference.tolist(), hypothesis.tolist())
    totals = [sum(column) for column in columns]
    by_label = {
        label: Score(*line)
        for label, line in zip(tallies.labels, zip(*columns, strict=True), strict=True)
        if any(line)
    }
    anyhow = int(np.sum(tallies.found_anyhow[rule][document]))
    return MatchScores(
        overall=Score(*totals),
        by_label=by_label,
        any_label=Score(anyhow, totals[1], totals[2]),
    )
