"""Which unit of one annotator is which of another: candidates and one-to-one matching."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.gamma.alignment import Columns, cheapest_pairs
from unisono.model.columns import as_name, as_names, known_names, listed
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_order, slack_of
from unisono.results.wording import count, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unisono.model.arrays import Booleans, Floats, Integers
    from unisono.model.labels import Label

__all__ = [
    "Candidates",
    "Documents",
    "Meeting",
    "Sides",
    "best_matching",
    "candidate_pairs",
    "documents_that_meet",
    "one_reference",
    "refuse_nobody",
    "sides_of",
    "sides_of_meetings",
]

MOST_PAIRS = 10_000_000
# No two positions are farther apart.
_FARTHEST = 1e301


class Candidates(NamedTuple):
    """Pairs of units of the same meeting, each pair once, and how the two are alike."""

    left: Integers
    """Rows of the reference."""
    right: Integers
    """Rows of the hypothesis."""
    common: Floats
    """The length of the stretch that both cover."""
    share: Floats
    """That length as a part of what either covers: 1 for the same place, 0 for nothing shared."""
    intersect: Booleans
    near: Booleans
    same_place: Booleans
    same_label: Booleans

    def only(self, chosen: Booleans) -> Candidates:
        """Keep some of the pairs."""
        return Candidates._make(column[chosen] for column in self)


def candidate_pairs(reference: Side, hypothesis: Side, tolerance: float = 0.0) -> Candidates:
    """List the pairs that can be matched.

    Of two units that intersect one begins within the other, so that two searches in sorted starts
    find all: the cost is that of sorting, and of the pairs themselves.
    """
    a, b = reference, hypothesis
    wide = min(tolerance, _FARTHEST)
    reach = wide + 2.0 * slack_of(np.abs(a.starts) + wide)
    lows, highs = a.starts - reach, np.maximum(a.ends, a.starts + reach)
    found = _starting_within(a, b, lows, highs, tolerance)
    # Those that begin near each other were found already.
    other = _starting_within(b, a, b.starts, b.ends, tolerance)
    fresh = b.starts[other[0]] < lows[other[1]]
    pairs = _described(
        a,
        b,
        np.concatenate((found[0], other[1][fresh])),
        np.concatenate((found[1], other[0][fresh])),
        wide,
    )
    return pairs.only(pairs.intersect | pairs.near)


def near(first: Floats, second: Floats, tolerance: float) -> Booleans:
    """Say which positions differ by no more than a tolerance."""
    return np.abs(first - second) <= tolerance + slack_of(first, second)


def _described(a: Side, b: Side, left: Integers, right: Integers, tolerance: float) -> Candidates:
    starts, ends = (a.starts[left], b.starts[right]), (a.ends[left], b.ends[right])
    last_start, first_end = np.maximum(*starts), np.minimum(*ends)
    shared = first_end - last_start
    common = np.maximum(shared, 0.0)
    same_place = near(*starts, 0.0) & near(*ends, 0.0)
    # A point lies inside a unit if it is after its start and before its end.
    slack = slack_of(last_start, first_end)
    inside = last_start - np.minimum(*starts) > slack
    inside &= np.maximum(*ends) - first_end > slack
    is_point = (starts[0] == ends[0]) | (starts[1] == ends[1])
    point_inside = (shared == 0.0) & is_point & inside
    covered = np.maximum(*ends) - np.minimum(*starts)
    share = np.divide(common, covered, out=same_place.astype(np.float64), where=covered > 0.0)
    return Candidates(
        left,
        right,
        common,
        share,
        (shared > slack) | same_place | point_inside,
        near(*starts, tolerance) & near(*ends, tolerance) if tolerance else same_place,
        same_place,
        a.labels[left] == b.labels[right],
    )


def _starting_within(
    a: Side, b: Side, lows: Floats, highs: Floats, tolerance: float
) -> tuple[Integers, Integers]:
    """Pair each unit of `a` with the units of `b` in its meeting that start from low to high."""
    # One whole number for the meeting and the place in it, so that one search serves all meetings.
    positions, ranks = np.unique(np.concatenate((b.starts, lows, highs)), return_inverse=True)
    of_b, of_lows, of_highs = np.split(
        ranks.astype(np.int64), [len(b.starts), len(b.starts) + len(lows)]
    )
    keys = b.meetings * len(positions) + of_b
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    first = np.searchsorted(sorted_keys, a.meetings * len(positions) + of_lows, side="left")
    last = np.searchsorted(sorted_keys, a.meetings * len(positions) + of_highs, side="right")
    sizes = last - first
    total = int(sizes.sum())
    if total > MOST_PAIRS:
        _refuse(total, tolerance)
    ends = np.cumsum(sizes)
    within = np.arange(total) + np.repeat(first - (ends - sizes), sizes)
    return np.repeat(np.arange(len(sizes)), sizes), order[within]


def _refuse(total: int, tolerance: float) -> None:
    cure = f", or {setting('tolerance', tolerance)} is too much" if tolerance else ""
    msg = (
        f"{total:,} pairs of units lie close enough to be matched, more than {MOST_PAIRS:,}: "
        f"too many units lie at one place{cure}"
    )
    raise DataError(msg)


class Documents(NamedTuple):
    """Documents as the reference and as the hypothesis has them."""

    references: dict[str, Continuum]
    hypotheses: dict[str, Continuum]
    """The same names; each continuum has one annotator."""
    one_continuum: bool
    """Whether a continuum was given and no corpus."""
    notes: tuple[str, ...] = ()
    skipped: int = 0

    @property
    def digests(self) -> tuple[str, str]:
        """What stands for the data of each side in a signature."""
        if self.one_continuum:
            ((reference, hypothesis),) = zip(
                self.references.values(), self.hypotheses.values(), strict=True
            )
            return reference.digest[:8], hypothesis.digest[:8]
        both = (Corpus.from_continua(side) for side in (self.references, self.hypotheses))
        reference_digest, hypothesis_digest = (corpus.digest[:8] for corpus in both)
        return reference_digest, hypothesis_digest


class Meeting(NamedTuple):
    """One document, as one annotator of the reference and as the hypothesis has it."""

    document: str
    reference: Continuum
    hypothesis: Continuum


class Side(NamedTuple):
    """The units of one side in all meetings, meeting after meeting."""

    starts: Floats
    ends: Floats
    labels: Integers
    """Codes of the labels that both sides share."""
    meetings: Integers
    """The number of each unit's meeting."""
    offsets: Integers
    """Where each meeting begins."""


class Sides(NamedTuple):
    """Both sides with the labels that either uses."""

    meetings: tuple[Meeting, ...]
    labels: tuple[Label | None, ...]
    reference: Side
    hypothesis: Side


def documents_that_meet(
    reference: Continuum | Corpus | str | Iterable[str],
    hypothesis: Continuum | Corpus | str,
    within: Continuum | Corpus | None,
) -> Documents:
    """Find out what is compared with what."""
    if within is not None:
        return _named(reference, hypothesis, within)
    sides = []
    for role, data in (("reference", reference), ("hypothesis", hypothesis)):
        if not isinstance(data, Continuum | Corpus):
            hint = "; the name of an annotator needs within=…" if isinstance(data, str) else ""
            msg = f"the {role} is a Continuum or a Corpus, got {type(data).__name__}{hint}"
            raise TypeError(msg)
        sides.append({"": data} if isinstance(data, Continuum) else dict(data))
    references, hypotheses = sides
    one_continuum = isinstance(reference, Continuum) and isinstance(hypothesis, Continuum)
    skipped = sum(data.skipped for data in (reference, hypothesis) if isinstance(data, Corpus))
    if len(references) == len(hypotheses) == 1:
        # Two files with a document each: their names need not be the same.
        ((name, first),) = references.items()
        ((other, second),) = hypotheses.items()
        document = name or other
        met = Documents({document: first}, {document: second}, one_continuum, skipped=skipped)
    else:
        met = _by_name(references, hypotheses)._replace(skipped=skipped)
    for document, continuum in met.hypotheses.items():
        _refuse_several(document, continuum, "hypothesis")
    return met


def sides_of(documents: Documents) -> Sides:
    """Set the columns of all documents side by side; every annotator of a reference has a turn."""
    return sides_of_meetings(
        Meeting(document, alone, documents.hypotheses[document])
        for document, continuum in documents.references.items()
        for alone in _each_annotator(continuum)
    )


def sides_of_meetings(meetings: Iterable[Meeting]) -> Sides:
    """Set the columns of all meetings side by side."""
    meetings = tuple(meetings)
    references = [meeting.reference for meeting in meetings]
    hypotheses = [meeting.hypothesis for meeting in meetings]
    used = {label for continuum in (*references, *hypotheses) for label in continuum.labels}
    labels = tuple(sorted(used, key=label_order))
    place = {label: code for code, label in enumerate(labels)}
    return Sides(meetings, labels, _side(references, place), _side(hypotheses, place))


def one_reference(documents: Documents) -> Documents:
    """Refuse a reference with several annotators where a measure knows one only."""
    for document, continuum in documents.references.items():
        _refuse_several(document, continuum, "reference")
    return documents


def refuse_nobody(documents: Documents) -> Documents:
    """Refuse a reference that nobody made."""
    for document, continuum in documents.references.items():
        if not continuum.annotators:
            _refuse_several(document, continuum, "reference")
    return documents


def _side(continua: Sequence[Continuum], place: Mapping[Label | None, int]) -> Side:
    codes = [
        np.array([place[label] for label in continuum.labels], np.int64)[continuum.label_codes]
        for continuum in continua
    ]
    sizes = np.array([len(continuum) for continuum in continua], np.int64)
    return Side(
        np.concatenate([np.empty(0), *(continuum.starts for continuum in continua)]),
        np.concatenate([np.empty(0), *(continuum.ends for continuum in continua)]),
        np.concatenate([np.empty(0, np.int64), *codes]),
        np.repeat(np.arange(len(continua)), sizes),
        np.concatenate(([0], np.cumsum(sizes))),
    )


def _each_annotator(continuum: Continuum) -> list[Continuum]:
    if len(continuum.annotators) == 1:
        return [continuum]
    return [continuum.only(annotators=(name,)) for name in continuum.annotators]


def _refuse_several(document: str, continuum: Continuum, role: str) -> None:
    names = continuum.annotators
    if len(names) == 1:
        return
    where = f" of document {document!r}" if document else ""
    if not names:
        msg = f"the {role}{where} has no annotator: nobody saw it"
        raise DataError(msg)
    msg = (
        f"the {role}{where} is to be the work of one annotator, and here are {listed(names)}; "
        "choose one of them"
    )
    raise DataError(msg)


def _by_name(references: Mapping[str, Continuum], hypotheses: Mapping[str, Continuum]) -> Documents:
    shared = [name for name in references if name in hypotheses]
    if not shared:
        msg = (
            "the reference and the hypothesis have no document in common: "
            f"{listed(references)} in the one, {listed(hypotheses)} in the other; "
            "give documents the same names"
        )
        raise DataError(msg)
    missing = [name for name in references if name not in hypotheses]
    extra = [name for name in hypotheses if name not in references]
    notes = []
    if missing:
        notes.append(
            f"{count(len(missing), 'document')} of the reference not in the hypothesis, which "
            f"counts as having marked nothing there: {some(missing, 3)}"
        )
    if extra:
        notes.append(
            f"{count(len(extra), 'document')} of the hypothesis not in the reference, and "
            f"left out: {some(extra, 3)}"
        )
    system = hypotheses[shared[0]].annotators
    nothing = {
        name: Continuum.from_units((), annotators=system, extent=references[name].extent)
        for name in missing
    }
    met = {name: hypotheses[name] if name in hypotheses else nothing[name] for name in references}
    return Documents(dict(references), met, one_continuum=False, notes=tuple(notes))


def _named(reference: object, hypothesis: object, within: Continuum | Corpus) -> Documents:
    if not isinstance(within, Continuum | Corpus):
        msg = f"within is a Continuum or a Corpus, got {type(within).__name__}"
        raise TypeError(msg)
    if isinstance(reference, Continuum | Corpus) or isinstance(hypothesis, Continuum | Corpus):
        msg = "with within=… the reference and the hypothesis are names of annotators"
        raise TypeError(msg)
    given = (reference,) if isinstance(reference, str | int) else reference
    wanted = as_names(given, "annotator")  # type: ignore[arg-type]
    system = as_name(hypothesis, "an annotator")
    known_names((*wanted, system), within.annotators, "annotator")
    if not wanted or system in wanted:
        msg = (
            "a comparison needs two different annotators; got the reference "
            f"{listed(wanted)} and the hypothesis {system!r}"
        )
        raise SettingError(msg)
    documents = {"": within} if isinstance(within, Continuum) else dict(within)
    seen = {
        name: continuum
        for name, continuum in documents.items()
        if system in continuum.annotators and set(wanted).intersection(continuum.annotators)
    }
    if not seen:
        msg = f"no document was seen by {listed(wanted)} and by {system!r}"
        raise DataError(msg)
    left_out = [name for name in documents if name not in seen]
    told = f"{count(len(left_out), 'document')} left out that not both sides saw: "
    notes = (told + some(left_out, 3),) if left_out else ()
    return Documents(
        {
            name: continuum.only(annotators=set(wanted).intersection(continuum.annotators))
            for name, continuum in seen.items()
        },
        {name: continuum.only(annotators=(system,)) for name, continuum in seen.items()},
        isinstance(within, Continuum),
        notes,
        0 if isinstance(within, Continuum) else within.skipped,
    )


LARGEST_GAIN = 4
# The kernel counts costs in 2⁻⁴⁰, and a pair may save the cost of two units alone: 2.
_ONE = 2.0**40
_MOST_WORTH = 2**41
_FINEST = 2**20  # steps of likeness


def best_matching(
    reference: Side, hypothesis: Side, candidates: Candidates, gains: Integers
) -> Integers:
    """Choose pairs so that the sum of their gains is the largest."""
    if not len(candidates.left):
        return np.empty(0, np.int64)
    blocks = _blocks(reference, hypothesis, candidates)
    worth = _worth(candidates, gains, blocks.most_together())
    equal = np.flatnonzero(_equal_pairs(reference, hypothesis, candidates, blocks))
    left, right = candidates.left, candidates.right
    free = ~(_is_in(left, left[equal]) | _is_in(right, right[equal]))
    rest = np.flatnonzero(free)
    chosen = _cheapest(reference, hypothesis, left[rest], right[rest], worth[rest])
    return np.concatenate((equal, rest[chosen]))


def _cheapest(
    reference: Side, hypothesis: Side, left: Integers, right: Integers, worth: Integers
) -> Integers:
    """Choose the pairs that are worth the most, by the kernel; gives their numbers."""
    if not len(left):
        return left
    n_left = len(reference.starts)
    units = n_left + len(hypothesis.starts)
    columns = Columns(
        np.concatenate((reference.starts, hypothesis.starts)),
        np.concatenate((reference.ends, hypothesis.ends)),
        np.zeros(units, np.int32),
        np.array([0, n_left, units]),
    )
    right = right + n_left
    chosen = cheapest_pairs(columns, (left, right, 2.0 - worth / _ONE))
    # A pair is one number, so that chosen pairs can be looked up among the candidates.
    numbers = left * units + right
    order = np.argsort(numbers)
    wanted = np.sort(chosen[:, 0] * units + chosen[:, 1])
    return order[np.searchsorted(numbers[order], wanted)]


class _Blocks(NamedTuple):
    """Neighbourhoods: units of which no pair reaches into another one."""

    of_pairs: Integers
    left_sizes: Integers
    right_sizes: Integers
    """How many units of either side each of them has."""

    def most_together(self) -> Integers:
        """Say for each pair how many pairs of its neighbourhood can be chosen together at most."""
        sizes: Integers = np.minimum(self.left_sizes, self.right_sizes)
        return sizes[self.of_pairs]

    def full(self, bent: Booleans) -> Booleans:
        """Say for each pair whether all units of its neighbourhood meet, and no pair is bent."""
        counts = np.bincount(self.of_pairs, minlength=len(self.left_sizes))
        full: Booleans = counts == self.left_sizes * self.right_sizes
        full[self.of_pairs[bent]] = False
        return full[self.of_pairs]


def _worth(candidates: Candidates, gains: Integers, together: Integers) -> Integers:
    # With n pairs at most, a perfect pair outweighs n likenesses, and a gain outweighs n of both.
    # One gain more than the largest leaves room for the parts that come after it.
    room = (_MOST_WORTH // (LARGEST_GAIN + 1) - 1) // together - 1
    steps = np.clip(room // (together + 1), 0, _FINEST)
    perfect = together * steps + 1
    gain = together * (perfect + steps) + 1
    alike = (candidates.share + candidates.same_label) / 2.0
    is_perfect = candidates.near & candidates.same_label
    worth: Integers = gains * gain + is_perfect * perfect + np.rint(alike * steps).astype(np.int64)
    return worth


def _blocks(reference: Side, hypothesis: Side, candidates: Candidates) -> _Blocks:
    meetings = np.concatenate((reference.meetings, hypothesis.meetings))
    starts = np.concatenate((reference.starts, hypothesis.starts))
    n_left = len(reference.starts)
    place = np.empty(len(starts), np.int64)
    place[np.lexsort((starts, meetings))] = np.arange(len(starts))
    ends = place[candidates.left], place[n_left + candidates.right]
    # Pairs as stretches of that order: where none reaches across, a neighbourhood ends.
    begin = np.bincount(np.minimum(*ends), minlength=len(starts))
    end = np.bincount(np.maximum(*ends), minlength=len(starts))
    ends_here = np.cumsum(begin - end) == 0
    block = np.concatenate(([0], np.cumsum(ends_here)[:-1]))[place]
    left_sizes = np.bincount(block[:n_left], minlength=len(starts))
    right_sizes = np.bincount(block[n_left:], minlength=len(starts))
    return _Blocks(block[candidates.left], left_sizes, right_sizes)


def _equal_pairs(
    reference: Side, hypothesis: Side, candidates: Candidates, blocks: _Blocks
) -> Booleans:
    """Say which pairs of equal units can be taken at once: the first with the first, and so on."""
    left, right = candidates.left, candidates.right
    equal: Booleans = candidates.same_place & candidates.same_label
    for name in ("starts", "ends"):
        equal &= getattr(reference, name)[left] == getattr(hypothesis, name)[right]
    # Bounds that are near but not the same tell nothing about partners.
    bent = candidates.near & candidates.same_label & ~equal
    equal &= blocks.full(bent)
    equal &= _ranks_among_equals(reference)[left] == _ranks_among_equals(hypothesis)[right]
    return equal


def _ranks_among_equals(side: Side) -> Integers:
    """Give each unit its number among those of its meeting with the same bounds and label."""
    columns = (side.labels, side.ends, side.starts, side.meetings)
    order = np.lexsort(columns)
    new = np.ones(len(order), np.bool_)
    new[1:] = np.any([column[order][1:] != column[order][:-1] for column in columns], axis=0)
    numbers = np.arange(len(order))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = numbers - np.maximum.accumulate(np.where(new, numbers, 0))
    return ranks


def _is_in(rows: Integers, chosen: Integers) -> Booleans:
    mask = np.zeros(int(rows.max(initial=-1)) + 1, np.bool_)
    mask[chosen] = True
    return mask[rows]
