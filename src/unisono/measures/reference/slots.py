"""The slot error rate: of a hypothesis against a reference, and between annotators."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from unisono.measures.reference.candidates import candidate_pairs
from unisono.measures.reference.matching import (
    Documents,
    Meeting,
    documents_that_meet,
    one_reference,
    sides_of,
    sides_of_meetings,
)
from unisono.measures.reference.slot_counting import (
    CountedSlots,
    counted_slots,
    pair_rates,
    slot_rate,
)
from unisono.measures.reference.slot_errors import SlotAgreement, SlotErrorRate
from unisono.measures.settings import check_number
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.results.signature import Signature
from unisono.results.wording import count, some
from unisono.version import __version__

__all__ = ["slot_error_agreement", "slot_error_rate"]


def slot_error_rate(
    reference: Continuum | Corpus | str,
    hypothesis: Continuum | Corpus | str,
    *,
    within: Continuum | Corpus | None = None,
    tolerance: float = 0.0,
) -> SlotErrorRate:
    """Say how many errors a hypothesis makes for each unit of the reference.

    0 is perfect. It has no upper limit: a hypothesis that invents units can have more errors than
    there are slots to fill.

    Parameters
    ----------
    reference, hypothesis
        The same document with one annotator each; two corpora, whose documents are paired by name
        and pooled; or with `within`, the names of two annotators.
    within
        The data where these annotators are.
    tolerance
        Bounds that differ by no more than this count as the same, and always those that differ by
        rounding only.

    Returns
    -------
    SlotErrorRate
        The rate, the errors of each kind, by label too, and the matching behind them. With a
        reference that has no units it is undefined.

    Raises
    ------
    DataError
        A side has several annotators, or the corpora have no document in common.
    SettingError
        The tolerance is negative, or both names are the same.

    Notes
    -----
    Units are matched one to one at the least cost in all: a half for a wrong label (`type`) or a
    wrong boundary, 1 for both, 1 for a unit of the hypothesis left alone (`insertion`) and 1 for
    one of the reference (`deletion`). The sum is divided by the units of the reference. The measure
    is that of Makhoul et al. [1]_; the halves follow its use in [2]_ (§6). That only units that
    intersect are matched is reconstructed: only then can agreement fall below 0, as the figures of
    [2]_ show. With a tolerance, units whose bounds agree within it may be matched even where they
    share nothing, as two points do.

    The matching is exact, not greedy. Of several with the least cost it is the one with the most
    correct pairs, then the one whose pairs are most alike in sum, by label and by the share of
    their common stretch. For a corpus, errors and units are summed over documents first.

    References
    ----------
    .. [1] Makhoul, J., Kubala, F., Schwartz, R., & Weischedel, R. (1999). Performance measures for
       information extraction. Proceedings of the DARPA Broadcast News Workshop, 249–252.
    .. [2] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units(
    ...     [("gold", 0, 5, "person"), ("gold", 8, 12, "place"), ("gold", 20, 24, "person")]
    ... )
    >>> system = un.Continuum.from_units(
    ...     [("system", 0, 5, "place"), ("system", 9, 12, "place"), ("system", 30, 33, "person")]
    ... )
    >>> result = un.slot_error_rate(gold, system)
    >>> result.value
    1.0
    >>> result.counts
    SlotCounts(correct=0, type=1, boundary=1, both=0, insertion=1, deletion=1)

    Two annotators of one document:

    >>> text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 4.9, "A")])
    >>> un.slot_error_rate("ann", "bob", within=text, tolerance=0.2).value
    0.0
    """
    check_number("tolerance", tolerance, may_be_zero=True)
    return _rate(one_reference(documents_that_meet(reference, hypothesis, within)), tolerance)


def slot_error_agreement(data: Continuum | Corpus, *, tolerance: float = 0.0) -> SlotAgreement:
    """Say how much annotators agree, by the slot errors of each measured against each other.

    1 is perfect agreement; below 0 there are more errors than slots. It is not corrected for
    chance.

    Parameters
    ----------
    data
        A continuum, or a corpus, in which each pair of annotators is pooled over the documents that
        both saw.
    tolerance
        As in `slot_error_rate`.

    Returns
    -------
    SlotAgreement
        1 − the mean slot error rate over all ordered pairs of annotators. Pairs whose reference has
        no units are left out, and told in the notes.

    Raises
    ------
    SettingError
        The tolerance is negative.

    Notes
    -----
    Either annotator of a pair is the reference once: the errors are the same, but not what they are
    divided by. This is how [1]_ (§6) uses the slot error rate between annotators.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 5, "A"), ("ann", 7, 9, "B"), ("bob", 0, 5, "A"), ("bob", 7, 9, "C")]
    ... )
    >>> un.slot_error_agreement(text).value
    0.75
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"slot_error_agreement takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    check_number("tolerance", tolerance, may_be_zero=True)
    continua = [data] if isinstance(data, Continuum) else list(data.values())
    found: dict[tuple[str, str], SlotErrorRate] = {}
    alone = _each_alone(data)
    for number, first in enumerate(data.annotators):
        others = data.annotators[number + 1 :]
        met = {(first, second): _both(alone[first], alone[second], data) for second in others}
        found |= _rates({pair: of for pair, of in met.items() if of.references}, tolerance)
    by_pair = {pair: found[pair] for pair in sorted(found)}
    rates = [of.value for of in by_pair.values() if not of.undefined]
    mean = math.fsum(rates) / len(rates) if rates else math.nan
    return SlotAgreement(
        value=1.0 - mean,
        observed=mean,
        expected=math.nan,
        undefined=None if rates else _why_not(data, by_pair),
        by_pair=by_pair,
        n_annotators=len(data.annotators),
        n_units=sum(map(len, continua)),
        notes=_notes(by_pair) if rates else (),
        signature=Signature(
            "slot_error_agreement",
            (
                ("tolerance", f"{tolerance:.12g}"),
                ("annotators", data.annotators_from),
                ("data", data.digest[:8]),
                ("v", __version__),
            ),
        ),
    )


def _rate(documents: Documents, tolerance: float) -> SlotErrorRate:
    sides = sides_of(documents)
    candidates = candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    return slot_rate(documents, sides, counted_slots(sides, candidates), tolerance)


def _each_alone(data: Continuum | Corpus) -> dict[str, dict[str, Continuum]]:
    """Give for each annotator the documents with the own units only."""
    documents = {"": data} if isinstance(data, Continuum) else data
    alone: dict[str, dict[str, Continuum]] = {name: {} for name in data.annotators}
    for document, continuum in documents.items():
        for name in continuum.annotators:
            alone[name][document] = continuum.only(annotators=(name,))
    return alone


def _both(
    first: dict[str, Continuum], second: dict[str, Continuum], data: Continuum | Corpus
) -> Documents:
    """Give the documents that two annotators saw."""
    shared = [document for document in first if document in second]
    return Documents(
        {document: first[document] for document in shared},
        {document: second[document] for document in shared},
        one_continuum=isinstance(data, Continuum),
    )


def _rates(
    pairs: dict[tuple[str, str], Documents], tolerance: float
) -> dict[tuple[str, str], SlotErrorRate]:
    """Measure pairs of annotators in both orders, by one matching of them all."""
    sides = sides_of_meetings(
        Meeting(document, reference, of.hypotheses[document])
        for of in pairs.values()
        for document, reference in of.references.items()
    )
    slots = counted_slots(
        sides, candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    ).by_meeting()
    ends = np.cumsum([0, *(len(of.references) for of in pairs.values())])
    bounds = np.searchsorted(slots.meetings, ends)
    found: dict[tuple[str, str], SlotErrorRate] = {}
    for (pair, of), part in zip(pairs.items(), pairwise(bounds.tolist()), strict=True):
        own = CountedSlots._make(column[slice(*part)] for column in slots)
        found[pair], found[pair[::-1]] = pair_rates(of, sides.labels, own, tolerance)
    return found


def _why_not(data: Continuum | Corpus, by_pair: dict[tuple[str, str], SlotErrorRate]) -> str:
    if len(data.annotators) < 2:
        who = f"only {data.annotators[0]!r}" if data.annotators else "none"
        return f"agreement needs two annotators or more; there is {who}"
    return "there are no units" if by_pair else "no document was seen by two annotators"


def _notes(by_pair: dict[tuple[str, str], SlotErrorRate]) -> tuple[str, ...]:
    names = list(dict.fromkeys(first for (first, _), of in by_pair.items() if of.undefined))
    left_out = sum(bool(of.undefined) for of in by_pair.values())
    if not left_out:
        return ()
    pairs = count(left_out, "ordered pair")
    return (f"{pairs} left out, whose reference has no units: {some(names, 3)}",)
