"""One-to-one matching of the units of a reference and a hypothesis."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.gamma.alignment import Columns, cheapest_pairs
from unisono.model.codes import (
    as_name,
    as_names,
)
from unisono.model.columns import known_names, listed
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, check_continuum_or_corpus, documents_of
from unisono.model.interpretation import Interpretation
from unisono.model.labels import label_order, slack_of
from unisono.results.wording import count, some

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from unisono.model.arrays import Booleans, Floats, Integers
    from unisono.model.interpretation import Remark
    from unisono.model.labels import Label

__all__ = [
    "Candidates",
    "DocumentPair",
    "Documents",
    "PairedUnits",
    "best_matching",
    "candidate_pairs",
    "common_documents",
    "no_pair_reason",
    "pair_documents",
    "pair_units",
    "pair_units_of",
    "require_annotator",
    "require_single_reference",
    "single_annotators",
]

MOST_PAIRS = 10_000_000
# An upper bound of the distance of two positions.
_FARTHEST = 1e301


class Candidates(NamedTuple):
    """Pairs of units of the same document pair, with their similarities."""

    left: Integers
    """Rows of the reference."""
    right: Integers
    """Rows of the hypothesis."""
    common: Floats
    """The length of the intersection."""
    share: Floats
    """The length of the intersection relative to the union: 1 for equal bounds, 0 if disjoint."""
    intersect: Booleans
    near: Booleans
    same_place: Booleans
    same_label: Booleans

    def only(self, chosen: Booleans) -> Candidates:
        """Return a selection of the pairs."""
        return Candidates._make(column[chosen] for column in self)


def candidate_pairs(
    reference: UnitArrays, hypothesis: UnitArrays, tolerance: float = 0.0
) -> Candidates:
    """Return the pairs that can be matched.

    If two units intersect, one starts within the other, so two searches in sorted starts find all
    pairs: the run time is that of sorting, plus the number of pairs.
    """
    a, b = reference, hypothesis
    wide = min(tolerance, _FARTHEST)
    reach = wide + 2.0 * slack_of(np.abs(a.starts) + wide)
    lows, highs = a.starts - reach, np.maximum(a.ends, a.starts + reach)
    found = _starting_within(a, b, lows, highs, tolerance)
    # Pairs with starts within the reach were already found.
    other = _starting_within(b, a, b.starts, b.ends, tolerance)
    is_new = b.starts[other[0]] < lows[other[1]]
    pairs = _compare_pairs(
        a,
        b,
        np.concatenate((found[0], other[1][is_new])),
        np.concatenate((found[1], other[0][is_new])),
        wide,
    )
    return pairs.only(pairs.intersect | pairs.near)


def near(first: Floats, second: Floats, tolerance: float) -> Booleans:
    """Return which positions differ by at most a tolerance."""
    return np.abs(first - second) <= tolerance + slack_of(first, second)


def _compare_pairs(
    a: UnitArrays, b: UnitArrays, left: Integers, right: Integers, tolerance: float
) -> Candidates:
    starts, ends = (a.starts[left], b.starts[right]), (a.ends[left], b.ends[right])
    last_start, first_end = np.maximum(*starts), np.minimum(*ends)
    shared = first_end - last_start
    common = np.maximum(shared, 0.0)
    same_place = near(*starts, 0.0) & near(*ends, 0.0)
    # A point is inside a unit if it is after its start and before its end.
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
    a: UnitArrays, b: UnitArrays, lows: Floats, highs: Floats, tolerance: float
) -> tuple[Integers, Integers]:
    """Pair each unit of `a` with the units of `b` of its document pair that start in its range."""
    # A sort key of document pair and position, so that one search serves all document pairs.
    positions, ranks = np.unique(np.concatenate((b.starts, lows, highs)), return_inverse=True)
    of_b, of_lows, of_highs = np.split(
        ranks.astype(np.int64), [len(b.starts), len(b.starts) + len(lows)]
    )
    keys = b.document_pairs * len(positions) + of_b
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    first = np.searchsorted(sorted_keys, a.document_pairs * len(positions) + of_lows, side="left")
    last = np.searchsorted(sorted_keys, a.document_pairs * len(positions) + of_highs, side="right")
    sizes = last - first
    total = int(sizes.sum())
    if total > MOST_PAIRS:
        _raise_too_many(total, tolerance)
    ends = np.cumsum(sizes)
    within = np.arange(total) + np.repeat(first - (ends - sizes), sizes)
    return np.repeat(np.arange(len(sizes)), sizes), order[within]


def _raise_too_many(total: int, tolerance: float) -> None:
    cause = f", or {setting('tolerance', tolerance)} is too large" if tolerance else ""
    msg = (
        f"{total:,} pairs of units could be matched, the limit is {MOST_PAIRS:,}: "
        f"too many units are at the same position{cause}"
    )
    raise DataError(msg)


class Documents(NamedTuple):
    """The documents of the reference and of the hypothesis."""

    references: dict[str, Continuum]
    hypotheses: dict[str, Continuum]
    """By the same names; each continuum has one annotator."""
    one_continuum: bool
    """Whether the data are a continuum rather than a corpus."""
    notes: tuple[str, ...] = ()
    skipped: tuple[Remark, ...] = ()
    """Rows that could not be read, of either side."""

    @property
    def interpretation(self) -> Interpretation | None:
        """How the files were read."""
        return Interpretation(skipped=self.skipped) if self.skipped else None

    @property
    def digests(self) -> tuple[str, str]:
        """The digests of both sides for a signature."""
        if self.one_continuum:
            ((reference, hypothesis),) = zip(
                self.references.values(), self.hypotheses.values(), strict=True
            )
            return reference.digest[:8], hypothesis.digest[:8]
        both = (Corpus.from_continua(side) for side in (self.references, self.hypotheses))
        reference_digest, hypothesis_digest = (corpus.digest[:8] for corpus in both)
        return reference_digest, hypothesis_digest


class DocumentPair(NamedTuple):
    """One document with the units of one annotator of the reference and of the hypothesis."""

    document: str
    reference: Continuum
    hypothesis: Continuum


class UnitArrays(NamedTuple):
    """The units of one side, sorted by document pair."""

    starts: Floats
    ends: Floats
    labels: Integers
    """Codes of the labels that both sides share."""
    document_pairs: Integers
    """The number of the document pair of each unit."""
    offsets: Integers
    """The row of the first unit of each document pair."""


class PairedUnits(NamedTuple):
    """The units of both sides, with the labels of either side."""

    document_pairs: tuple[DocumentPair, ...]
    labels: tuple[Label | None, ...]
    reference: UnitArrays
    hypothesis: UnitArrays


def pair_documents(
    reference: Continuum | Corpus | str | Iterable[str],
    hypothesis: Continuum | Corpus | str,
    within: Continuum | Corpus | None,
) -> Documents:
    """Pair the documents of the reference and of the hypothesis."""
    if within is not None:
        return _named(reference, hypothesis, within)
    sides = []
    for role, data in (("reference", reference), ("hypothesis", hypothesis)):
        hint = "; the name of an annotator needs within=…" if isinstance(data, str) else ""
        check_continuum_or_corpus(role, data, hint)
        sides.append(documents_of(data))  # type: ignore[arg-type]
    references, hypotheses = sides
    one_continuum = isinstance(reference, Continuum) and isinstance(hypothesis, Continuum)
    skipped = (*_skipped(reference), *_skipped(hypothesis))
    if len(references) == len(hypotheses) == 1:
        # Single documents are paired even if their names differ.
        ((name, first),) = references.items()
        ((other, second),) = hypotheses.items()
        document = name or other
        paired = Documents({document: first}, {document: second}, one_continuum, skipped=skipped)
    else:
        paired = _by_name(references, hypotheses)._replace(skipped=skipped)
    for document, continuum in paired.hypotheses.items():
        _check_single_annotator(document, continuum, "hypothesis")
    return paired


def pair_units(documents: Documents) -> PairedUnits:
    """Return the units of all documents, paired for each annotator of the reference."""
    return pair_units_of(
        DocumentPair(document, single, documents.hypotheses[document])
        for document, continuum in documents.references.items()
        for single in _each_annotator(continuum)
    )


def pair_units_of(document_pairs: Iterable[DocumentPair]) -> PairedUnits:
    """Return the units of all document pairs."""
    document_pairs = tuple(document_pairs)
    references = [pair.reference for pair in document_pairs]
    hypotheses = [pair.hypothesis for pair in document_pairs]
    used = {label for continuum in (*references, *hypotheses) for label in continuum.labels}
    labels = tuple(sorted(used, key=label_order))
    place = {label: code for code, label in enumerate(labels)}
    return PairedUnits(document_pairs, labels, _side(references, place), _side(hypotheses, place))


def single_annotators(data: Continuum | Corpus) -> dict[str, dict[str, Continuum]]:
    """Return for each annotator the documents with the units of this annotator only."""
    single: dict[str, dict[str, Continuum]] = {name: {} for name in data.annotators}
    for document, continuum in documents_of(data).items():
        for name in continuum.annotators:
            single[name][document] = continuum.only(annotators=(name,))
    return single


def common_documents(
    first: dict[str, Continuum], second: dict[str, Continuum], data: Continuum | Corpus
) -> Documents:
    """Return the documents that two annotators have in common."""
    shared = [document for document in first if document in second]
    return Documents(
        {document: first[document] for document in shared},
        {document: second[document] for document in shared},
        one_continuum=isinstance(data, Continuum),
    )


def no_pair_reason(data: Continuum | Corpus, pairs: Collection[object]) -> str:
    """Return why there is no value if none of the pairs of annotators has one."""
    if len(data.annotators) < 2:
        annotators = f"only {data.annotators[0]!r}" if data.annotators else "none"
        return f"agreement needs at least two annotators; there is {annotators}"
    return "there are no units" if pairs else "no document has two annotators"


def require_single_reference(documents: Documents) -> Documents:
    """Raise an error unless the reference of each document has exactly one annotator."""
    for document, continuum in documents.references.items():
        _check_single_annotator(document, continuum, "reference")
    return documents


def require_annotator(documents: Documents) -> Documents:
    """Raise an error unless the reference of each document has an annotator."""
    for document, continuum in documents.references.items():
        if not continuum.annotators:
            _check_single_annotator(document, continuum, "reference")
    return documents


def _side(continua: Sequence[Continuum], place: Mapping[Label | None, int]) -> UnitArrays:
    codes = [
        np.array([place[label] for label in continuum.labels], np.int64)[continuum.label_codes]
        for continuum in continua
    ]
    sizes = np.array([len(continuum) for continuum in continua], np.int64)
    return UnitArrays(
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


def _check_single_annotator(document: str, continuum: Continuum, role: str) -> None:
    names = continuum.annotators
    if len(names) == 1:
        return
    where = f" of document {document!r}" if document else ""
    if not names:
        msg = f"the {role}{where} has no annotator, but needs one"
        raise DataError(msg)
    msg = f"the {role}{where} needs a single annotator, but has {listed(names)}; select one of them"
    raise DataError(msg)


def _by_name(references: Mapping[str, Continuum], hypotheses: Mapping[str, Continuum]) -> Documents:
    shared = [name for name in references if name in hypotheses]
    if not shared:
        msg = (
            "the reference and the hypothesis have no document in common: "
            f"{listed(references)} and {listed(hypotheses)}; rename documents so that names match"
        )
        raise DataError(msg)
    missing = [name for name in references if name not in hypotheses]
    extra = [name for name in hypotheses if name not in references]
    notes = []
    if missing:
        notes.append(
            f"{count(len(missing), 'document')} of the reference not in the hypothesis, treated as "
            f"without units there: {some(missing, 3)}"
        )
    if extra:
        notes.append(
            f"{count(len(extra), 'document')} of the hypothesis not in the reference, left out: "
            f"{some(extra, 3)}"
        )
    system = hypotheses[shared[0]].annotators
    empty = {
        name: Continuum.from_units((), annotators=system, extent=references[name].extent)
        for name in missing
    }
    paired = {name: hypotheses[name] if name in hypotheses else empty[name] for name in references}
    return Documents(dict(references), paired, one_continuum=False, notes=tuple(notes))


def _named(reference: object, hypothesis: object, within: Continuum | Corpus) -> Documents:
    check_continuum_or_corpus("within", within)
    if isinstance(reference, Continuum | Corpus) or isinstance(hypothesis, Continuum | Corpus):
        msg = "with within=… the reference and the hypothesis must be names of annotators"
        raise TypeError(msg)
    names = (reference,) if isinstance(reference, str | int) else reference
    annotators = as_names(names, "annotator")  # type: ignore[arg-type]
    system = as_name(hypothesis, "an annotator")
    known_names((*annotators, system), within.annotators, "annotator")
    if not annotators or system in annotators:
        msg = (
            "a comparison needs two different annotators; got the reference "
            f"{listed(annotators)} and the hypothesis {system!r}"
        )
        raise SettingError(msg)
    documents = documents_of(within)
    common = {
        name: continuum
        for name, continuum in documents.items()
        if system in continuum.annotators and set(annotators).intersection(continuum.annotators)
    }
    if not common:
        msg = f"{listed(annotators)} and {system!r} have no document in common"
        raise DataError(msg)
    left_out = [name for name in documents if name not in common]
    note = f"{count(len(left_out), 'document')} without annotators of both sides left out: "
    notes = (note + some(left_out, 3),) if left_out else ()
    return Documents(
        {
            name: continuum.only(annotators=set(annotators).intersection(continuum.annotators))
            for name, continuum in common.items()
        },
        {name: continuum.only(annotators=(system,)) for name, continuum in common.items()},
        isinstance(within, Continuum),
        notes,
        _skipped(within),
    )


def _skipped(data: object) -> tuple[Remark, ...]:
    known = data.interpretation if isinstance(data, Corpus) else None
    return () if known is None else known.skipped


LARGEST_GAIN = 4
# The kernel counts costs in units of 2⁻⁴⁰, and a pair can save the cost of two unmatched units: 2.
_ONE = 2.0**40
_MOST_WEIGHT = 2**41
_FINEST = 2**20  # maximum number of steps of the similarity


def best_matching(
    reference: UnitArrays, hypothesis: UnitArrays, candidates: Candidates, gains: Integers
) -> Integers:
    """Return the pairs of a one-to-one matching with the maximum total gain."""
    if not len(candidates.left):
        return np.empty(0, np.int64)
    blocks = _blocks(reference, hypothesis, candidates)
    weights = _weights(candidates, gains, blocks.matching_sizes())
    equal = np.flatnonzero(_equal_pairs(reference, hypothesis, candidates, blocks))
    left, right = candidates.left, candidates.right
    free = ~(_is_in(left, left[equal]) | _is_in(right, right[equal]))
    rest = np.flatnonzero(free)
    chosen = _cheapest(reference, hypothesis, left[rest], right[rest], weights[rest])
    return np.concatenate((equal, rest[chosen]))


def _cheapest(
    reference: UnitArrays,
    hypothesis: UnitArrays,
    left: Integers,
    right: Integers,
    weights: Integers,
) -> Integers:
    """Return the indices of the pairs with the maximum total weight, computed by the kernel."""
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
    chosen = cheapest_pairs(columns, (left, right, 2.0 - weights / _ONE))
    # Each pair is encoded as one number, to find the chosen pairs among the candidates.
    numbers = left * units + right
    order = np.argsort(numbers)
    chosen_numbers = np.sort(chosen[:, 0] * units + chosen[:, 1])
    return order[np.searchsorted(numbers[order], chosen_numbers)]


class _Blocks(NamedTuple):
    """Blocks of units: no candidate pair connects two blocks."""

    of_pairs: Integers
    left_sizes: Integers
    right_sizes: Integers
    """Number of units of each side per block."""

    def matching_sizes(self) -> Integers:
        """Return the maximum size of a matching in the block of each pair."""
        sizes: Integers = np.minimum(self.left_sizes, self.right_sizes)
        return sizes[self.of_pairs]

    def complete(self, ambiguous: Booleans) -> Booleans:
        """Return for each pair whether its block has all pairs, and none that is ambiguous."""
        counts = np.bincount(self.of_pairs, minlength=len(self.left_sizes))
        complete: Booleans = counts == self.left_sizes * self.right_sizes
        complete[self.of_pairs[ambiguous]] = False
        return complete[self.of_pairs]


def _weights(candidates: Candidates, gains: Integers, sizes: Integers) -> Integers:
    # Lexicographic order in one number: with up to n pairs, one correct pair outweighs n
    # similarities, and one gain outweighs n of both. The largest gain plus 1 leaves room for them.
    room = (_MOST_WEIGHT // (LARGEST_GAIN + 1) - 1) // sizes - 1
    steps = np.clip(room // (sizes + 1), 0, _FINEST)
    perfect = sizes * steps + 1
    gain = sizes * (perfect + steps) + 1
    similarity = (candidates.share + candidates.same_label) / 2.0
    is_perfect = candidates.near & candidates.same_label
    similarities: Integers = np.rint(similarity * steps).astype(np.int64)
    weights: Integers = gains * gain + is_perfect * perfect + similarities
    return weights


def _blocks(reference: UnitArrays, hypothesis: UnitArrays, candidates: Candidates) -> _Blocks:
    document_pairs = np.concatenate((reference.document_pairs, hypothesis.document_pairs))
    starts = np.concatenate((reference.starts, hypothesis.starts))
    n_left = len(reference.starts)
    place = np.empty(len(starts), np.int64)
    place[np.lexsort((starts, document_pairs))] = np.arange(len(starts))
    ends = place[candidates.left], place[n_left + candidates.right]
    # Pairs are intervals in this order: a block ends where no interval is open.
    begin = np.bincount(np.minimum(*ends), minlength=len(starts))
    end = np.bincount(np.maximum(*ends), minlength=len(starts))
    ends_here = np.cumsum(begin - end) == 0
    block = np.concatenate(([0], np.cumsum(ends_here)[:-1]))[place]
    left_sizes = np.bincount(block[:n_left], minlength=len(starts))
    right_sizes = np.bincount(block[n_left:], minlength=len(starts))
    return _Blocks(block[candidates.left], left_sizes, right_sizes)


def _equal_pairs(
    reference: UnitArrays, hypothesis: UnitArrays, candidates: Candidates, blocks: _Blocks
) -> Booleans:
    """Return which pairs of equal units can be matched in advance: first with first, and so on."""
    left, right = candidates.left, candidates.right
    equal: Booleans = candidates.same_place & candidates.same_label
    for name in ("starts", "ends"):
        equal &= getattr(reference, name)[left] == getattr(hypothesis, name)[right]
    # Pairs with near but unequal bounds may compete with equal pairs.
    ambiguous = candidates.near & candidates.same_label & ~equal
    equal &= blocks.complete(ambiguous)
    equal &= _ranks_among_equals(reference)[left] == _ranks_among_equals(hypothesis)[right]
    return equal


def _ranks_among_equals(side: UnitArrays) -> Integers:
    """Return the number of each unit among the equal units of its document pair."""
    columns = (side.labels, side.ends, side.starts, side.document_pairs)
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
