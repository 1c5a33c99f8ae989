"""Laws of the slot error rate, and its matching against all matchings there are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono as un
from matching_oracle import alike, least_cost
from strategies import continua, corpora

two = continua(min_annotators=2, max_annotators=2, max_units=5, max_units_total=9)
tolerances = st.sampled_from((0.0, 0.0, 0.25, 1.0, 7.5))


def slots_of(result):
    return result.matching.slots


def sides(text):
    return tuple(text.only(annotators=(name,)) for name in text.annotators)


@given(two, tolerances)
def test_no_matching_costs_less(text, tolerance):
    reference, hypothesis = sides(text)
    cost, correct, likeness = least_cost(list(reference), list(hypothesis), tolerance)

    result = un.slot_error_rate(reference, hypothesis, tolerance=tolerance)

    counts = result.counts
    assert (counts.cost, counts.correct) == (cost, correct)
    pairs = [slot[1:] for slot in slots_of(result) if None not in slot]
    assert sum(alike(*pair) for pair in pairs) == pytest.approx(likeness, abs=1e-4)
    assert (counts.n_reference, counts.n_hypothesis) == (len(reference), len(hypothesis))


@given(two, tolerances)
def test_the_matching_has_the_counts(text, tolerance):
    result = un.slot_error_rate(*sides(text), tolerance=tolerance)

    kinds = [slot.kind for slot in slots_of(result)]

    found = {kind: kinds.count(kind) for kind in result.counts._fields}
    assert found == result.counts._asdict()
    for slot in slots_of(result):
        if slot.reference and slot.hypothesis:
            same = slot.reference.label == slot.hypothesis.label
            assert same == (slot.kind in ("correct", "boundary"))


@given(two, tolerances)
def test_labels_add_up_to_the_whole(text, tolerance):
    result = un.slot_error_rate(*sides(text), tolerance=tolerance)

    columns = zip(*result.by_label.values(), strict=True)

    assert [sum(column) for column in columns] == (list(result.counts) if len(text) else [])
    assert sum(result.confusions.values()) == result.counts.type + result.counts.both


@given(two, tolerances)
def test_changing_sides_changes_insertions_into_deletions(text, tolerance):
    one, other = sides(text)
    there = un.slot_error_rate(one, other, tolerance=tolerance).counts
    back = un.slot_error_rate(other, one, tolerance=tolerance).counts

    assert there.cost == back.cost
    assert (there.correct, there.insertion, there.deletion) == (
        back.correct,
        back.deletion,
        back.insertion,
    )


@given(continua(min_annotators=1, max_annotators=1, min_units_total=1))
def test_a_side_makes_no_errors_against_itself(text):
    result = un.slot_error_rate(text, text)

    assert result.value == 0.0
    assert result.counts == un.results.SlotCounts(correct=len(text))


@given(two)
def test_more_tolerance_is_never_more_costly(text):
    reference, hypothesis = sides(text)

    costs = [
        un.slot_error_rate(reference, hypothesis, tolerance=tolerance).counts.cost
        for tolerance in (0.0, 0.25, 1.0, 7.5, 2000.0)
    ]

    assert costs == sorted(costs, reverse=True)


@given(two, st.sampled_from((-64.0, 0.5, 1024.0)))
def test_the_place_of_the_document_does_not_matter(text, shift):
    rows = [(u.annotator, u.start + shift, u.end + shift, u.label) for u in text]
    # Positions of any kind may round when they are moved.
    unmoved = [(s - shift, e - shift) for _, s, e, _ in rows] == [(u.start, u.end) for u in text]
    if unmoved:
        moved = un.Continuum.from_units(rows, annotators=text.annotators)

        there = un.slot_error_rate(*sides(moved)).counts

        assert there == un.slot_error_rate(*sides(text)).counts


@given(corpora(min_documents=1), tolerances)
def test_a_corpus_is_pooled_by_counts(corpus, tolerance):
    def alone(document):
        (first, *_) = document.annotators
        return document.only(annotators=(first,))

    def renamed(document):
        return document.rename(annotators={document.annotators[0]: "Zoe"})

    reference = un.Corpus.from_continua({name: alone(of) for name, of in corpus.items()})
    # The hypothesis of each document is the reference of the next.
    turned = [*list(corpus)[1:], *list(corpus)[:1]]
    hypothesis = un.Corpus.from_continua(
        {name: renamed(alone(corpus[other])) for name, other in zip(corpus, turned, strict=True)}
    )

    result = un.slot_error_rate(reference, hypothesis, tolerance=tolerance)

    each = [
        un.slot_error_rate(reference[name], hypothesis[name], tolerance=tolerance)
        for name in corpus
    ]
    assert list(result.counts) == [sum(c) for c in zip(*(of.counts for of in each), strict=True)]
    assert [of.counts for of in result.documents.values()] == [of.counts for of in each]


@given(continua(min_annotators=2, max_annotators=4, max_units_total=10), tolerances)
def test_agreement_is_one_minus_the_mean_of_ordered_pairs(text, tolerance):
    agreement = un.slot_error_agreement(text, tolerance=tolerance)

    rates = []
    for first in text.annotators:
        for second in text.annotators:
            units = list(text.only(annotators=(first,)))
            if first != second and units:
                others = list(text.only(annotators=(second,)))
                rates.append(least_cost(units, others, tolerance)[0] / len(units))
    if rates:
        assert agreement.value == pytest.approx(1 - sum(rates) / len(rates), abs=1e-12)
        assert agreement.value == 1 - agreement.observed
    else:
        assert agreement.undefined == "there are no units"


@given(corpora(), tolerances)
def test_each_pair_of_annotators_has_the_rates_it_has_alone(corpus, tolerance):
    by_pair = un.slot_error_agreement(corpus, tolerance=tolerance).by_pair
    for (first, second), found in by_pair.items():
        alone = un.slot_error_rate(first, second, within=corpus, tolerance=tolerance)
        assert found.signature == alone.signature
        assert (found.counts.cost, found.counts.correct) == (
            alone.counts.cost,
            alone.counts.correct,
        )
        assert repr(found.value) == repr(alone.value)
        assert sum(found.confusions.values()) == found.counts.type + found.counts.both
        turned = by_pair[second, first]
        assert turned.counts.insertion == found.counts.deletion
        assert turned.confusions == {pair[::-1]: n for pair, n in found.confusions.items()}
