"""Scores of chains against chains: MUC, B³, CEAF, LEA and BLANC, between each two annotators."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError
from unisono.measures.chains.result import ChainAgreement, ChainCounts, PairScore
from unisono.measures.data import of_data
from unisono.measures.gamma.alignment import Columns, cheapest_pairs
from unisono.model.chains import POLICIES, Chains
from unisono.registry import check_settings
from unisono.results.values import Signature
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from unisono.model.chains import Mention, Unshared

    Score = Callable[[Iterable["Overlap"]], PairScore]

__all__ = ["b_cubed", "blanc", "ceaf_entities", "ceaf_mentions", "lea", "muc"]

NO_PAIR = "no document has two annotators"


class Overlap(NamedTuple):
    """The chains of two annotators of one document: their sizes and their common mentions."""

    key: tuple[int, ...]
    """The sizes of the chains of the first annotator."""
    response: tuple[int, ...]
    """The sizes of the chains of the second annotator."""
    common: Mapping[tuple[int, int], int]
    """The number of common mentions of a chain of each, where there are any."""

    @property
    def reverse(self) -> Overlap:
        """The same with exchanged annotators."""
        common = {(right, left): number for (left, right), number in self.common.items()}
        return Overlap(self.response, self.key, common)


def overlap_of(key: Sequence[Sequence[Mention]], response: Sequence[Sequence[Mention]]) -> Overlap:
    """Count the common mentions of each chain of a key and each chain of a response."""
    chain_of = {mention: number for number, chain in enumerate(response) for mention in chain}
    common = Counter(
        (number, chain_of[mention])
        for number, chain in enumerate(key)
        for mention in chain
        if mention in chain_of
    )
    return Overlap(tuple(map(len, key)), tuple(map(len, response)), common)


class Rate(NamedTuple):
    """A part of a whole."""

    part: float
    whole: float

    @property
    def value(self) -> float:
        """The share; 0 if there is nothing that could be found, as in the reference scorers."""
        return self.part / self.whole if self.whole else 0.0


def harmonic_mean(recall: float, precision: float) -> float:
    """Return F1."""
    return 2.0 * recall * precision / (recall + precision) if recall + precision else 0.0


def _summed(rates: Iterable[Rate]) -> Rate:
    found = list(rates)
    return Rate(math.fsum(one.part for one in found), math.fsum(one.whole for one in found))


def _from_recall(recall_of: Callable[[Overlap], Rate]) -> Score:
    """Return a score from its recall; the precision is the recall of exchanged annotators."""

    def score(overlaps: Iterable[Overlap]) -> PairScore:
        found = list(overlaps)
        recall = _summed(map(recall_of, found))
        precision = _summed(recall_of(one.reverse) for one in found)
        if not (recall.whole or precision.whole):
            return PairScore(math.nan, math.nan, math.nan)
        value = harmonic_mean(recall.value, precision.value)
        return PairScore(recall.value, precision.value, value)

    return score


def _muc_recall(overlap: Overlap) -> Rate:
    # Vilain et al. (1995): Σ (|S| − |p(S)|) / Σ (|S| − 1); p(S) are the parts of a chain S that the
    # chains of the other make of it, and its mentions that are in none of them.
    parts = Counter(left for left, _ in overlap.common)
    inside: Counter[int] = Counter()
    for (left, _), number in overlap.common.items():
        inside[left] += number
    found = sum(inside[left] - parts[left] for left in parts)
    return Rate(found, sum(size - 1 for size in overlap.key))


def _b_cubed_recall(overlap: Overlap) -> Rate:
    # Bagga & Baldwin (1998), eq. 1, with all mentions of equal weight: the mean over mentions of
    # the share of their chain that is with them in the chain of the other; |K∩R|² / |K| per pair.
    found = math.fsum(
        number * number / overlap.key[left] for (left, _), number in overlap.common.items()
    )
    return Rate(found, sum(overlap.key))


def _lea_recall(overlap: Overlap) -> Rate:
    # Moosavi & Strube (2016), eq. 1: Σ |K| · Σ_R link(K∩R) / link(K) / Σ |K|, link(n) = n(n−1)/2. A
    # chain of one mention has one link, to itself, which a chain of one mention resolves.
    found = 0.0
    for (left, right), number in overlap.common.items():
        size = overlap.key[left]
        if size == 1:
            found += overlap.response[right] == 1
        else:
            found += size * (number * (number - 1)) / (size * (size - 1))
    return Rate(found, sum(overlap.key))


def _ceaf(phi: Callable[[int, int, int], float], whole: Callable[[Sequence[int]], int]) -> Score:
    """Return CEAF with a similarity of two chains: of their sizes and common mentions."""

    def score(overlaps: Iterable[Overlap]) -> PairScore:
        # Luo (2005), eq. 5–8: the one-to-one map of chains with the largest total similarity Φ,
        # over the similarity of the chains of one annotator with themselves.
        found = list(overlaps)
        total = math.fsum(_best_total(one, phi) for one in found)
        recall = Rate(total, sum(whole(one.key) for one in found))
        precision = Rate(total, sum(whole(one.response) for one in found))
        if not (recall.whole or precision.whole):
            return PairScore(math.nan, math.nan, math.nan)
        value = harmonic_mean(recall.value, precision.value)
        return PairScore(recall.value, precision.value, value)

    return score


_STEPS = 2.0**40  # the kernel counts costs in units of 2⁻⁴⁰


def _best_total(overlap: Overlap, phi: Callable[[int, int, int], float]) -> float:
    """Return the total similarity of the best one-to-one map, which the kernel proves to be so."""
    pairs = sorted(overlap.common)
    if not pairs:
        return 0.0
    sizes = len(overlap.key), len(overlap.response)
    similar = np.array(
        [phi(overlap.key[i], overlap.response[j], overlap.common[i, j]) for i, j in pairs]
    )
    left = np.array([i for i, _ in pairs], np.int64)
    right = np.array([sizes[0] + j for _, j in pairs], np.int64)
    # A power of two keeps whole numbers exact.
    scale = 2.0 ** -math.ceil(math.log2(similar.max()))
    worth = np.rint(similar * scale * _STEPS) / _STEPS
    places = np.zeros(sum(sizes))
    columns = Columns(
        places, places, np.zeros(sum(sizes), np.int32), np.array([0, sizes[0], sum(sizes)])
    )
    chosen = cheapest_pairs(columns, (left, right, 2.0 - worth))
    by_pair = dict(
        zip(zip(left.tolist(), right.tolist(), strict=True), similar.tolist(), strict=True)
    )
    return math.fsum(by_pair[i, j] for i, j in chosen.tolist())


class Links(NamedTuple):
    """Pairs of mentions that are in one chain, or in two."""

    key: int
    response: int
    both: int


def _blanc(overlaps: Iterable[Overlap]) -> PairScore:
    """Return BLANC of two annotators, the mean of both orders of them."""
    within = Links(0, 0, 0)
    between = Links(0, 0, 0)
    for overlap in overlaps:
        same, different = links_of(overlap)
        within = Links(*(one + more for one, more in zip(within, same, strict=True)))
        between = Links(*(one + more for one, more in zip(between, different, strict=True)))
    if not any((*within, *between)):
        return PairScore(math.nan, math.nan, math.nan)
    one = blanc_of(within, between)
    other = blanc_of(*(Links(each.response, each.key, each.both) for each in (within, between)))
    return PairScore(one.recall, one.precision, (one.value + other.value) / 2.0)


def links_of(overlap: Overlap) -> tuple[Links, Links]:
    """Count links within chains and links between chains, and those common to both annotators."""
    left: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for (i, j), number in overlap.common.items():
        left[i] += number
        right[j] += number
    common = _pairs_of(sum(left.values()))
    both = sum(map(_pairs_of, overlap.common.values()))
    in_left, in_right = (sum(map(_pairs_of, side.values())) for side in (left, right))
    key, response = (sum(map(_pairs_of, side)) for side in (overlap.key, overlap.response))
    return (
        Links(key, response, both),
        Links(
            _pairs_of(sum(overlap.key)) - key,
            _pairs_of(sum(overlap.response)) - response,
            common - in_left - in_right + both,
        ),
    )


def _pairs_of(number: int) -> int:
    return number * (number - 1) // 2


def blanc_of(within: Links, between: Links) -> PairScore:
    # Luo et al. (2014), eq. 8–16: the mean of the rates of links within chains and of links
    # between chains; where the key has links of one kind only, the rates of that kind.
    kinds = [links for links in (within, between) if links.key]
    rates = [
        (Rate(links.both, links.key).value, Rate(links.both, links.response).value)
        for links in kinds
    ]
    if not rates:
        return PairScore(0.0, 0.0, 0.0)
    recall = math.fsum(one for one, _ in rates) / len(rates)
    precision = math.fsum(one for _, one in rates) / len(rates)
    value = math.fsum(harmonic_mean(*both) for both in rates) / len(rates)
    return PairScore(recall, precision, value)


_SCORES: dict[str, Score] = {
    "muc": _from_recall(_muc_recall),
    "b_cubed": _from_recall(_b_cubed_recall),
    # φ3 and φ4 of Luo (2005), eq. 9–10.
    "ceaf_mentions": _ceaf(lambda _k, _r, common: float(common), sum),
    "ceaf_entities": _ceaf(lambda k, r, common: 2.0 * common / (k + r), len),
    "lea": _from_recall(_lea_recall),
    "blanc": _blanc,
}
_WHY = {
    "muc": "no chain has two mentions, so there are no links to compare",
    "blanc": "no document has two mentions of one annotator, so there are no links to compare",
}


def counts_of(chains: Chains) -> ChainCounts:
    """Return the size of the data."""
    n_mentions = chains.n_mentions
    return ChainCounts(
        len(chains),
        len(chains.annotators),
        n_mentions,
        n_mentions - chains.n_shared,
        chains.n_chains,
    )


def check_chains(chains: object, caller: str) -> None:
    """Raise a TypeError unless the argument is a `Chains`."""
    if not isinstance(chains, Chains):
        msg = (
            f"{caller} takes Chains, which read_chains reads and Chains.from_groups builds; got "
            f"{type(chains).__name__}"
        )
        raise TypeError(msg)


def check_partition(chains: Chains, caller: str) -> None:
    """Raise an error if a mention is in several chains of an annotator."""
    found = chains.repeated
    if found is not None:
        document, name, mention = found
        where = f"{name!r}" + (f" in document {document!r}" if document else "")
        msg = (
            f"{caller} needs each mention in one chain of an annotator; {where} has {mention!r} in "
            "several. chain_alpha takes the union of its chains"
        )
        raise DataError(msg)


def pairs_of(chains: Chains) -> list[tuple[str, str]]:
    """Return the pairs of annotators who saw a document in common."""
    return [
        pair
        for pair in combinations(chains.annotators, 2)
        if any(pair[0] in seen and pair[1] in seen for seen in chains.documents.values())
    ]


def score_of(name: str, chains: Chains, unshared: Unshared) -> ChainAgreement:
    """Return a score, the mean over pairs of annotators, with its values under all policies."""
    check_chains(chains, name)
    check_partition(chains, name)
    check_settings({"unshared": unshared})
    pairs = pairs_of(chains)
    by_policy: dict[str, dict[tuple[str, str], PairScore]] = {policy: {} for policy in POLICIES}
    for pair in pairs:
        own = chains.only(pair)
        both = [name_ for name_, seen in own.documents.items() if len(seen) == 2]
        for policy in POLICIES:
            chosen = own.under(policy)
            overlaps = [overlap_of(*(chosen[each][who] for who in pair)) for each in both]
            by_policy[policy][pair] = _SCORES[name](overlaps)
    by_pair = by_policy[unshared]
    value = _mean(by_pair)
    undefined = None
    if math.isnan(value):
        undefined = _WHY.get(name, "no annotator of a pair marked a mention") if pairs else NO_PAIR
    return ChainAgreement(
        value=value,
        observed=1.0 - value,
        expected=math.nan,
        undefined=undefined,
        by_policy={policy: _mean(found) for policy, found in by_policy.items()},
        by_pair=by_pair,
        counts=counts_of(chains),
        notes=chains.notes,
        signature=signature_of(name, chains, unshared),
    )


def signature_of(name: str, chains: Chains, unshared: str, **settings: str) -> Signature:
    """Return the signature of a measure of chains."""
    last = (("unshared", unshared), ("data", chains.digest[:8]), ("v", __version__))
    return Signature(name, (*settings.items(), *last))


def _mean(by_pair: Mapping[tuple[str, str], PairScore]) -> float:
    values = [score.value for score in by_pair.values() if not math.isnan(score.value)]
    return math.fsum(values) / len(values) if values else math.nan


@of_data
def muc(chains: Chains, *, unshared: Unshared = "as-marked") -> ChainAgreement:
    """Compare chains by links: the fewest links that make one annotator's chains the other's, MUC.

    Parameters
    ----------
    chains
        The chains of the annotators.
    unshared
        What happens to mentions that only one of two annotators marked: counted as the reference
        scorers do (``"as-marked"``), made chains of one mention (``"singletons"``), or left out
        (``"left-out"``). `ChainAgreement.by_policy` has the values of all.

    Returns
    -------
    ChainAgreement
        The mean F1 over pairs of annotators, with recall and precision of each pair. Documents are
        pooled.

    Notes
    -----
    The recall is Σ (|S| − |p(S)|) / Σ (|S| − 1) over the chains S of one annotator, with p(S) the
    parts into which the chains of the other cut S [1]_. Chains of one mention have no links, so
    they do not count; it rewards annotators who make few large chains.

    References
    ----------
    .. [1] Vilain, M., Burger, J., Aberdeen, J., Connolly, D. & Hirschman, L. (1995). A
       model-theoretic coreference scoring scheme. MUC-6.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups(
    ...     {"key": [list("abcd")], "response": [["a", "b"], ["c", "d"]]}
    ... )
    >>> un.muc(chains).by_pair["key", "response"]
    PairScore(recall=0.6666666666666666, precision=1.0, value=0.8)
    """
    return score_of("muc", chains, unshared)


@of_data
def b_cubed(chains: Chains, *, unshared: Unshared = "as-marked") -> ChainAgreement:
    """Compare chains mention by mention: how much of its chain the other has with it, B³.

    Parameters
    ----------
    chains
        The chains of the annotators.
    unshared
        What happens to mentions that only one of two annotators marked, as in `muc`.

    Returns
    -------
    ChainAgreement
        The mean F1 over pairs of annotators, with recall and precision of each pair.

    Notes
    -----
    The recall is Σ |K ∩ R|² / |K| over pairs of chains, divided by the number of mentions [1]_;
    mentions that the other did not mark count 0.

    References
    ----------
    .. [1] Bagga, A. & Baldwin, B. (1998). Algorithms for scoring coreference chains. LREC 1998
       workshop on linguistic coreference.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"ann": [list("abcd")], "bob": [["a", "b"], ["c", "d"]]})
    >>> un.b_cubed(chains).by_pair["ann", "bob"]
    PairScore(recall=0.5, precision=1.0, value=0.6666666666666666)
    """
    return score_of("b_cubed", chains, unshared)


@of_data
def ceaf_mentions(chains: Chains, *, unshared: Unshared = "as-marked") -> ChainAgreement:
    """Compare chains one to one: the mentions in common of chains that are paired, CEAFm.

    Parameters
    ----------
    chains
        The chains of the annotators.
    unshared
        What happens to mentions that only one of two annotators marked, as in `muc`.

    Returns
    -------
    ChainAgreement
        The mean F1 over pairs of annotators, with recall and precision of each pair.

    Notes
    -----
    Each chain is paired with at most one of the other annotator such that the total of φ₃ = |K ∩ R|
    is largest, which is proven for each document; the recall is that total over the number of
    mentions [1]_.

    References
    ----------
    .. [1] Luo, X. (2005). On coreference resolution performance metrics. HLT/EMNLP 2005.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"ann": [list("abcd")], "bob": [["a", "b"], ["c", "d"]]})
    >>> f"{un.ceaf_mentions(chains):.4f}"
    '0.5000'
    """
    return score_of("ceaf_mentions", chains, unshared)


@of_data
def ceaf_entities(chains: Chains, *, unshared: Unshared = "as-marked") -> ChainAgreement:
    """Compare chains one to one: how similar the chains are that are paired, CEAFe.

    Parameters
    ----------
    chains
        The chains of the annotators.
    unshared
        What happens to mentions that only one of two annotators marked, as in `muc`.

    Returns
    -------
    ChainAgreement
        The mean F1 over pairs of annotators, with recall and precision of each pair.

    Notes
    -----
    As `ceaf_mentions`, with φ₄ = 2 |K ∩ R| / (|K| + |R|) and divided by the number of chains, so
    that short chains weigh as much as long ones [1]_.

    References
    ----------
    .. [1] Luo, X. (2005). On coreference resolution performance metrics. HLT/EMNLP 2005.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"ann": [list("abcd")], "bob": [["a", "b"], ["c", "d"]]})
    >>> un.ceaf_entities(chains).by_pair["ann", "bob"].recall
    0.6666666666666666
    """
    return score_of("ceaf_entities", chains, unshared)


@of_data
def lea(chains: Chains, *, unshared: Unshared = "as-marked") -> ChainAgreement:
    """Compare chains by how much of their links the other has, weighted by their size, LEA.

    Parameters
    ----------
    chains
        The chains of the annotators.
    unshared
        What happens to mentions that only one of two annotators marked, as in `muc`.

    Returns
    -------
    ChainAgreement
        The mean F1 over pairs of annotators, with recall and precision of each pair.

    Notes
    -----
    The recall is Σ |K| · Σ link(K ∩ R) / link(K) over Σ |K|, with link(n) = n(n − 1)/2 [1]_. A
    chain of one mention has one link, to itself, which only a chain of one mention has too.

    References
    ----------
    .. [1] Moosavi, N. S. & Strube, M. (2016). Which coreference evaluation metric do you trust? A
       proposal for a link-based entity aware metric. ACL 2016.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"ann": [list("abcd")], "bob": [["a", "b"], ["c", "d"]]})
    >>> un.lea(chains).by_pair["ann", "bob"]
    PairScore(recall=0.3333333333333333, precision=1.0, value=0.5)
    """
    return score_of("lea", chains, unshared)


@of_data
def blanc(chains: Chains, *, unshared: Unshared = "as-marked") -> ChainAgreement:
    """Compare chains by pairs of mentions, those together and those apart equally, BLANC.

    Parameters
    ----------
    chains
        The chains of the annotators.
    unshared
        What happens to mentions that only one of two annotators marked, as in `muc`.

    Returns
    -------
    ChainAgreement
        The mean over pairs of annotators, with recall and precision of each pair.

    Notes
    -----
    The mean of two F1: of pairs of mentions in one chain, and of pairs in two chains [1]_ [2]_.
    Where the first annotator has pairs of one kind only, the published score is the F1 of that
    kind, which depends on the order of the annotators; the value here is the mean of both orders,
    and recall and precision are those of the given order.

    References
    ----------
    .. [1] Recasens, M. & Hovy, E. (2011). BLANC: implementing the Rand index for coreference
       evaluation. Natural Language Engineering 17(4).
    .. [2] Luo, X., Pradhan, S., Recasens, M. & Hovy, E. (2014). An extension of BLANC to system
       mentions. ACL 2014.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups(
    ...     {"key": [["a", "b"], ["c", "d", "e"]], "response": [["b", "c", "x"], ["d", "e"]]}
    ... )
    >>> f"{un.blanc(chains):.4f}"
    '0.2917'
    """
    return score_of("blanc", chains, unshared)
