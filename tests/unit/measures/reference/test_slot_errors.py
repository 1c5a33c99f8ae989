import math

import numpy as np
import pytest

import unisono as un
from unisono.measures.gamma import alignment
from unisono.measures.reference import matching
from unisono.measures.reference.slot_errors import NO_SLOTS


def side(name, *units):
    return un.Continuum.from_units([(name, *unit) for unit in units], annotators=[name])


def rate(reference, hypothesis, **settings):
    return un.slot_error_rate(side("gold", *reference), side("system", *hypothesis), **settings)


def test_each_kind_of_error_has_its_cost():
    gold = [(0, 4, "A"), (10, 14, "A"), (20, 24, "A"), (30, 34, "A"), (40, 44, "A")]
    system = [(0, 4, "A"), (10, 14, "B"), (20, 25, "A"), (30, 35, "B"), (60, 64, "A")]

    result = rate(gold, system)

    assert result.counts == un.results.SlotCounts(1, 1, 1, 1, 1, 1)
    assert result.value == (0.5 + 0.5 + 1 + 1 + 1) / 5


def test_the_matching_is_not_greedy():
    # A greedy matching would pair [0, 10] with [0, 6], and [5, 6] would have no partner.
    result = rate([(0, 10, "A"), (5, 6, "A")], [(0, 6, "A"), (8, 12, "A")])

    assert result.counts == un.results.SlotCounts(boundary=2)


def test_inventions_make_the_rate_exceed_one():
    result = rate([(0, 1, "A")], [(10, 11, "A"), (12, 13, "A"), (14, 15, "A")])

    assert result.value == 4.0
    assert result.agreement == -3.0


@pytest.mark.parametrize(
    ("reference", "hypothesis", "matched"),
    [
        ((0, 5), (5, 9), 0),  # they touch
        ((0, 5), (4, 9), 1),
        ((3, 3), (3, 3), 1),  # the same point
        ((3, 3), (4, 4), 0),
        ((3, 3), (0, 5), 1),  # a point inside
        ((3, 3), (3, 5), 0),  # a point on the border
        ((3, 3), (0, 3), 0),
        ((0, 9), (4, 4), 1),
        ((-5, -2), (-3, 8), 1),
    ],
)
def test_only_units_that_share_more_than_a_border_are_matched(reference, hypothesis, matched):
    assert rate([reference], [hypothesis]).counts.n_matched == matched


def test_of_equal_costs_correct_pairs_win():
    # One correct, one inserted and one deleted cost 2, and so do two pairs wrong in both.
    gold = [(0, 10, "A"), (9, 30, "B")]
    system = [(0, 10, "A"), (-20, 1, "C")]

    result = rate(gold, system)

    assert result.counts == un.results.SlotCounts(correct=1, insertion=1, deletion=1)


def test_of_equal_costs_the_label_outweighs_the_place():
    result = rate([(0, 10, "A")], [(0, 10, "B"), (0, 9, "A")])

    assert result.counts == un.results.SlotCounts(boundary=1, insertion=1)


def test_of_equal_costs_the_longer_overlap_wins():
    result = rate([(0, 10, "A")], [(4, 5, "A"), (1, 10, "A"), (0, 4, "A")])

    (pair,) = [slot for slot in result.matching.slots if slot.kind == "boundary"]
    assert (pair.hypothesis.start, pair.hypothesis.end) == (1, 10)


def test_a_tolerance_forgives_bounds_and_takes_in_its_own_rounding():
    gold, system = [(1.0, 2.0, "A")], [(1.1, 2.1, "A")]

    assert 1.1 - 1.0 > 0.1
    assert rate(gold, system, tolerance=0.1).value == 0.0
    assert rate(gold, system, tolerance=0.09).value == 0.5


def test_positions_that_differ_by_rounding_are_the_same():
    assert 0.1 + 0.2 > 0.3
    assert rate([(0, 0.3, "A")], [(0, 0.1 + 0.2, "A")]).value == 0.0
    # They touch: an end that is rounded up does not overlap the next unit.
    assert rate([(0, 0.1 + 0.2, "A")], [(0.3, 1, "A")]).value == 2.0
    assert rate([(0.3, 0.3, "A")], [(0, 0.1 + 0.2, "A")]).value == 2.0
    assert rate([(0.3, 0.3, "A")], [(0.1 + 0.2, 0.1 + 0.2, "A")]).value == 0.0


def test_a_tolerance_may_be_as_large_as_numbers_are():
    assert rate([(0, 4, "A")], [(9e15, 9e15, "A")], tolerance=1.7e308).value == 0.0


def test_equal_units_at_one_place_are_paired_first():
    # Of 400 units at the same place as many labels as possible agree; the others are wrong.
    gold = [(0, 9, "A")] * 150 + [(0, 9, "B")] * 250
    system = [(0, 9, "A")] * 240 + [(0, 9, "B")] * 100 + [(0, 9, "C")] * 70

    assert rate(gold, system).counts == un.results.SlotCounts(correct=250, type=150, insertion=10)


def test_equal_units_are_not_paired_where_others_would_be_left_alone():
    # If [0, 9] were paired, the disjoint [0, 1] and [8, 9] would have no partner.
    gold, system = [(0, 9, "A"), (0, 1, "A")], [(0, 9, "A"), (8, 9, "A")]

    assert rate(gold, system).counts == un.results.SlotCounts(boundary=2)


def test_equal_units_are_not_paired_where_both_are_near_enough_to_others():
    gold, system = [(0, 9, "A"), (1, 9, "A")], [(0, 9, "A"), (-1, 9, "A")]

    assert rate(gold, system, tolerance=1).counts == un.results.SlotCounts(correct=2)


def test_a_tolerance_brings_points_together():
    assert rate([(5, 5, "A")], [(5.2, 5.2, "A")]).value == 2.0
    assert rate([(5, 5, "A")], [(5.2, 5.2, "A")], tolerance=0.25).value == 0.0


def test_labels_and_confusions_are_counted():
    gold = [(0, 4, "A"), (10, 14, "A"), (20, 24, "B")]
    system = [(0, 4, "B"), (10, 15, "C"), (20, 24, "B"), (40, 41, "C")]

    result = rate(gold, system)

    assert result.by_label == {
        "A": un.results.SlotCounts(type=1, both=1),
        "B": un.results.SlotCounts(correct=1),
        "C": un.results.SlotCounts(insertion=1),
    }
    assert result.confusions == {("A", "B"): 1, ("A", "C"): 1}


def test_units_without_labels_can_be_matched():
    assert rate([(0, 4), (6, 8)], [(0, 4), (6, 9)]).counts == un.results.SlotCounts(
        correct=1, boundary=1
    )


def test_a_reference_without_units_has_no_rate_but_counts():
    result = rate([], [(0, 4, "A")])

    assert math.isnan(result.value)
    assert result.undefined == NO_SLOTS
    assert result.counts == un.results.SlotCounts(insertion=1)


def test_a_hypothesis_without_units_misses_all():
    assert rate([(0, 4, "A"), (5, 6, "B")], []).value == 1.0


def test_names_within_a_corpus_leave_out_what_not_both_saw():
    both = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 5, "B")])
    lone = un.Continuum.from_units([("ann", 0, 5, "A")])
    corpus = un.Corpus.from_continua({"both": both, "lone": lone})

    result = un.slot_error_rate("ann", "bob", within=corpus)

    assert result.value == 0.5
    assert list(result.documents) == ["both"]
    assert result.notes == ("1 document without annotators of both sides left out: lone",)


def test_documents_of_one_side_are_noted():
    gold = un.Corpus.from_continua({"a": side("g", (0, 5, "A")), "b": side("g", (0, 5, "A"))})
    system = un.Corpus.from_continua({"b": side("s", (0, 5, "A")), "c": side("s", (0, 5, "A"))})

    result = un.slot_error_rate(gold, system)

    assert result.counts == un.results.SlotCounts(correct=1, deletion=1)
    missing, extra = result.notes
    assert "treated as without units there: a" in missing
    assert "left out: c" in extra


def test_two_lone_documents_need_no_common_name():
    gold = un.Corpus.from_continua({"gold": side("g", (0, 5, "A"))})
    system = un.Corpus.from_continua({"system": side("s", (0, 5, "A"))})

    assert list(un.slot_error_rate(gold, system).documents) == ["gold"]
    assert un.slot_error_rate(gold, side("s", (0, 5, "A"))).value == 0.0


ANN = side("ann", (0, 5, "A"))
TWO = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 5, "A")])
FAR = un.Corpus.from_continua({"x": ANN, "y": ANN}), un.Corpus.from_continua({"u": ANN, "v": ANN})


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        ((ANN, TWO), {}, "the hypothesis needs a single annotator"),
        ((TWO, ANN), {}, "the reference needs a single annotator"),
        ((ANN.only(annotators=()), ANN), {}, "the reference has no annotator"),
        ((ANN, "bob"), {}, "got str; the name of an annotator needs within=…"),
        ((ANN, 5), {}, "hypothesis takes a Continuum or a Corpus, got int"),
        (("ann", "bob"), {"within": 5}, "within takes a Continuum or a Corpus, got int"),
        (("ann", ANN), {"within": TWO}, "must be names of annotators"),
        (("ann", "eve"), {"within": TWO}, "no annotator 'eve'; the annotators are 'ann', 'bob'"),
        (("ann", "ann"), {"within": TWO}, "needs two different annotators"),
        (FAR, {}, "have no document in common: 'x', 'y' and 'u', 'v'"),
        ((ANN, ANN), {"tolerance": -1}, "tolerance must be a finite number of 0 or more, got -1"),
        ((ANN, ANN), {"tolerance": math.nan}, "tolerance"),
    ],
)
def test_data_that_cannot_be_compared_are_refused(arguments, settings, message):
    with pytest.raises((un.UnisonoError, TypeError)) as caught:
        un.slot_error_rate(*arguments, **settings)
    assert message in str(caught.value)


def test_annotators_without_a_common_document_are_refused():
    corpus = un.Corpus.from_continua({"a": side("ann", (0, 1)), "b": side("bob", (0, 1))})

    with pytest.raises(un.DataError, match="'ann' and 'bob' have no document in common"):
        un.slot_error_rate("ann", "bob", within=corpus)


def test_too_many_units_at_one_place_are_refused(monkeypatch):
    monkeypatch.setattr(matching, "MOST_PAIRS", 8)
    pile = [(0, 5, "A")] * 3

    matched = r"9 pairs of units could be matched, .* at the same position$"
    with pytest.raises(un.DataError, match=matched):
        rate(pile, pile)
    with pytest.raises(un.DataError, match="or tolerance=2 is too large"):
        rate(pile, pile, tolerance=2)


def test_a_matching_that_is_not_proven_is_refused(monkeypatch):
    monkeypatch.setattr(alignment, "EFFORT_MATCHING", 1e-9)
    rng = np.random.default_rng(1)
    piles = [[(start, start + 20, "A") for start in rng.uniform(0, 9, 40)] for _ in range(2)]

    with pytest.raises(un.DataError, match="the best matching could not be proven"):
        rate(*piles)


def test_a_thousand_units_at_one_place_are_matched():
    rng = np.random.default_rng(5)
    piles = [[(start, start + 20, "A") for start in rng.uniform(0, 9, 1000)] for _ in range(2)]

    assert rate(*piles).counts == un.results.SlotCounts(boundary=1000)


def test_a_unit_over_everything_does_not_hide_the_others():
    rng = np.random.default_rng(5)
    starts = np.arange(20_000) * 10.0
    shifts = rng.choice([0.0, 1.0], len(starts))
    gold = un.Continuum.from_columns(
        ["g"] * (len(starts) + 1),
        np.append(starts, 0.0),
        np.append(starts + 5, 300_000.0),
    )
    system = un.Continuum.from_columns(
        ["s"] * (len(starts) + 1),
        np.append(starts + shifts, 1.0),
        np.append(starts + 5, 300_000.0),
    )

    counts = un.slot_error_rate(gold, system).counts

    wrong = int((shifts > 0).sum())
    assert counts == un.results.SlotCounts(correct=len(starts) - wrong, boundary=wrong + 1)


def test_agreement_needs_two_annotators_and_units():
    lone = un.slot_error_agreement(ANN)
    nothing = un.slot_error_agreement(un.Continuum.from_units([], annotators=["a", "b"]))
    apart = un.slot_error_agreement(
        un.Corpus.from_continua({"a": side("ann", (0, 1)), "b": side("bob", (0, 1))})
    )

    assert lone.undefined == "agreement needs at least two annotators; there is only 'ann'"
    assert nothing.undefined == "there are no units"
    assert apart.undefined == "no document has two annotators"
    with pytest.raises(TypeError, match="takes a Continuum or a Corpus, got list"):
        un.slot_error_agreement([])  # type: ignore[arg-type]


def test_agreement_leaves_out_a_reference_without_units():
    text = un.Continuum.from_units([("ann", 0, 5, "A")], annotators=["ann", "bob"])

    agreement = un.slot_error_agreement(text)

    assert agreement.value == 0.0
    assert agreement.by_pair["bob", "ann"].undefined == NO_SLOTS
    assert agreement.notes == ("1 ordered pair left out, because the reference has no units: bob",)


def test_agreement_of_a_corpus_pools_each_pair_by_counts():
    first = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 5, "A")])
    second = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 5, "B"), ("bob", 9, 10, "B")])
    corpus = un.Corpus.from_continua({"first": first, "second": second})

    agreement = un.slot_error_agreement(corpus)

    assert agreement.by_pair["ann", "bob"].value == 1.5 / 2
    assert agreement.by_pair["bob", "ann"].value == 1.5 / 3
    assert agreement.value == 1 - (0.75 + 0.5) / 2
