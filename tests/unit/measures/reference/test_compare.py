import math
from dataclasses import replace

import numpy as np
import pytest

import unisono as un
from sample_texts import TEXT
from unisono.registry import MEASURES


def side(name, *units):
    return un.Continuum.from_units([(name, *unit) for unit in units], annotators=[name])


def gamma_of(result):
    return result.gamma


def compared(reference, hypothesis, **settings):
    settings = {"with_gamma": False} | settings
    return un.compare(side("gold", *reference), side("system", *hypothesis), **settings)


GOLD = [(0, 5, "A"), (10, 15, "A"), (20, 25, "B"), (30, 35, "B")]
SYSTEM = [(0, 5, "A"), (10, 15.4, "A"), (20, 29, "B"), (30, 35, "A"), (50, 51, "A")]


def test_three_rules_count_what_was_found():
    result = compared(GOLD, SYSTEM, tolerance=0.5)

    assert result.exact.overall == (1, 4, 5)
    assert result.tolerant.overall == (2, 4, 5)
    assert result.overlap.overall == (3, 4, 5)
    assert result.exact.any_label.matched == 2
    assert result.overlap.by_label == {"A": (2, 2, 4), "B": (1, 2, 1)}


def test_scores_follow_from_counts():
    scores = compared(GOLD, SYSTEM).overlap

    assert (scores.precision, scores.recall, scores.f1) == (3 / 5, 3 / 4, 6 / 9)
    assert scores.macro_f1 == pytest.approx((4 / 6 + 2 / 3) / 2)


def test_finding_is_one_to_one_and_not_greedy():
    # Each unit of the system overlaps the first of the reference; only one of them the second.
    result = compared([(0, 10, "A"), (9, 20, "A")], [(0, 10, "A"), (2, 4, "A")])

    assert result.overlap.overall.matched == 2


def test_a_comparison_is_a_mapping_of_its_measures():
    result = compared(GOLD, SYSTEM)
    whole = compared(GOLD, SYSTEM, with_gamma=True, draws=30, rng=1)

    assert dict(result) == {"f1": result.exact, "slot_error_rate": result.slots}
    assert float(result["f1"]) == result.exact.f1
    assert list(whole) == ["f1", "slot_error_rate", "gamma"]
    assert all(name in MEASURES for name in whole)
    assert str(result.exact).startswith("f1|match:exact|tolerance:0|")
    assert repr(result.overlap).startswith(f"MatchScores({result.overlap.f1:.4f}, precision=")
    assert result.tolerant.signature["match"] == "exact"


def test_results_of_documents_are_compared_with_all_their_fields():
    one = un.Corpus.from_continua({"a": side("gold", *GOLD)})
    other = un.Corpus.from_continua({"a": side("system", *SYSTEM)})
    result = un.compare(one, other, with_gamma=False)
    changed = replace(result.documents["a"], tolerance=2.0)

    assert dict(changed) == dict(result.documents["a"])
    assert replace(result, documents={"a": changed}) != result


def test_without_a_tolerance_there_are_two_levels():
    result = compared(GOLD, SYSTEM)

    assert list(result.levels) == ["exact", "overlap"]
    assert result.tolerant == result.exact


def test_what_has_no_value_states_why():
    nothing_found = compared(GOLD, [])
    nothing_there = compared([], SYSTEM)
    nothing = compared([], [])

    assert nothing_found.exact.overall.reasons == {"precision": "the hypothesis has no units"}
    assert nothing_found.exact.f1 == 0.0
    assert nothing_there.exact.overall.reasons == {"recall": "the reference has no units"}
    assert nothing.exact.overall.reasons["f1"] == "neither side has units"
    assert math.isnan(nothing.exact.macro_f1)
    assert "precision is undefined: the hypothesis has no units" in nothing_found.to_markdown()
    assert "slot error rate undefined" in str(nothing_there)


def test_chance_comes_from_the_reference_alone():
    gold = side("gold", *GOLD)
    few, many = (
        side("system", *SYSTEM[:4], *[(60 + 3 * i, 62 + 3 * i, "C") for i in range(n)])
        for n in (1, 9)
    )
    whole = [un.Continuum.from_units([*of], extent=(0, 100)) for of in (few, many)]
    gold = un.Continuum.from_units([*gold], extent=(0, 100))

    first, second = (gamma_of(un.compare(gold, system, draws=40, rng=3)) for system in whole)

    # The same draws, though the hypotheses differ.
    assert np.array_equal(first.draw_disorders, second.draw_disorders)
    assert first.observed != second.observed
    assert first.signature["from"] == "gold"


def test_gamma_is_that_of_both_sides_together():
    gold, system = side("gold", *GOLD), side("system", *SYSTEM)
    both = un.Continuum.from_units([*gold, *system])

    result = un.compare(gold, system, draws=30, rng=3)

    assert gamma_of(result).value == un.gamma(both, chance_from=["gold"], draws=30, rng=3).value
    assert gamma_of(result).observed == un.best_alignment(both).disorder


def test_sides_of_the_same_name_are_distinguished():
    gold, system = side("same", *GOLD), side("same", *SYSTEM)

    result = un.compare(gold, system, draws=5, rng=1)

    assert gamma_of(result).alignment.continuum.annotators == ("same", "same (hypothesis)")


def test_gamma_has_a_reason_where_the_reference_is_empty():
    result = compared([], SYSTEM, with_gamma=True, draws=5)

    assert gamma_of(result).undefined == "the annotators in chance_from have no units"


def test_a_corpus_has_a_result_for_each_document():
    gold = un.Corpus.from_continua({"x": side("g", *GOLD), "y": side("g", *GOLD[:2])})
    system = un.Corpus.from_continua({"x": side("s", *SYSTEM), "y": side("s")})

    result = un.compare(gold, system, draws=5, rng=1)

    assert result.exact.overall == (1, 6, 5)
    assert result.documents["y"].exact.overall == (0, 2, 0)
    assert result.documents["x"].gamma == gamma_of(result).documents["x"]
    assert result.documents["x"].slots == result.slots.documents["x"]
    assert result.documents["x"].slots.matching is not None
    assert (result.reference, result.hypothesis) == (("g",), "s")


def test_labels_that_never_meet_bring_a_note():
    result = compared(GOLD, [(0, 5, "x"), (20, 25, "y")])

    assert "use mapping='best'" in result.notes[0]
    assert compared(GOLD, [(0, 5, "x")], mapping="best").notes == ()


def test_the_best_mapping_is_by_time_and_not_by_number():
    # x overlaps A three times, but B for longer.
    gold = [(0, 1, "A"), (2, 3, "A"), (4, 5, "A"), (10, 30, "B"), (40, 41, "A")]
    system = [(0, 1, "x"), (2, 3, "x"), (4, 5, "x"), (10, 30, "x"), (40, 41, "y")]

    result = compared(gold, system, mapping="best")

    assert result.mapping == {"x": "B", "y": "A"}
    assert result.signature["mapping"] == "best"


def test_a_label_without_a_counterpart_is_not_taken_for_its_namesake():
    gold = [(0, 10, "A"), (20, 25, "B")]
    system = [(0, 10, "x"), (11, 12, "A"), (20, 25, "B")]

    result = compared(gold, system, mapping="best")

    assert result.mapping == {"x": "A", "B": "B"}
    assert result.exact.overall.matched == 2
    assert result.exact.by_label["A (unmatched)"] == (0, 0, 1)
    assert "1 label of the hypothesis without a counterpart: A" in result.notes


def test_a_free_name_is_found_for_it():
    gold = [(0, 10, "A"), (20, 25, "A (unmatched)")]
    system = [(0, 10, "x"), (11, 12, "A"), (20, 25, "y")]

    assert "A (unmatched)'" in compared(gold, system, mapping="best").exact.by_label


def test_points_are_mapped_by_number():
    result = compared(
        [(1, 1, "A"), (2, 2, "A"), (3, 3, "B")], [(1, 1, "x"), (3, 3, "y")], mapping="best"
    )

    assert result.mapping == {"x": "A", "y": "B"}


def test_of_two_equally_good_counterparts_the_namesake_is_taken():
    result = compared([(0, 5, "A"), (5, 10, "B")], [(0, 10, "B")], mapping="best")

    assert result.mapping == {"B": "B"}


def test_each_document_may_have_its_own_mapping():
    gold = un.Corpus.from_continua({"x": side("g", (0, 9, "A")), "y": side("g", (0, 9, "B"))})
    system = un.Corpus.from_continua({"x": side("s", (0, 9, "1")), "y": side("s", (0, 9, "1"))})

    whole = un.compare(gold, system, mapping="best", with_gamma=False)
    apart = un.compare(gold, system, mapping="by-document", with_gamma=False)

    assert (whole.exact.f1, apart.exact.f1) == (0.5, 1.0)
    assert apart.mapping == {}
    assert [dict(of.mapping) for of in apart.documents.values()] == [{"1": "A"}, {"1": "B"}]


def test_a_mapping_can_be_passed():
    result = compared(GOLD, [(0, 5, 1), (20, 25, 2), (30, 35, 3)], mapping={1: "A", 2: "B", 3: "B"})

    assert result.exact.overall.matched == 3
    assert result.signature["mapping"] == "1>A,2>B,3>B"


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ("bset", "unknown mapping='bset'; choose one of 'best', 'by-document'"),
        (5, "mapping must be 'best', 'by-document', a mapping or None, got 5"),
        ({"Z": "A"}, "no label 'Z'; the labels are"),
    ],
)
def test_invalid_mappings_are_refused(mapping, message):
    with pytest.raises((un.UnisonoError, TypeError)) as caught:
        compared(GOLD, SYSTEM, mapping=mapping)
    assert message in str(caught.value)


def test_an_unknown_annotator_cannot_be_the_reference():
    with pytest.raises(un.DataError, match="of document 'b' has no annotator"):
        un.compare(
            un.Corpus.from_continua({"a": side("g", *GOLD), "b": side("g").only(annotators=())}),
            un.Corpus.from_continua({"a": side("s", *GOLD), "b": side("s")}),
        )


def test_an_empty_side_knows_the_extent_it_was_given():
    gold = un.Continuum.from_units([("g", 10, 20, "A")], extent=(0, 100))
    nothing = un.Continuum.from_units([], annotators=["s"])

    result = un.compare(gold, nothing, draws=5, rng=1)

    assert gamma_of(result).alignment.continuum.extent == (0.0, 100.0)


# The same for gamma itself.


def test_everyone_as_the_source_of_chance_changes_nothing():
    usual = un.gamma(TEXT, draws=20, rng=5)
    named = un.gamma(TEXT, chance_from=TEXT.annotators, draws=20, rng=5)

    assert np.array_equal(usual.draw_disorders, named.draw_disorders)
    assert "from" not in usual.signature
    assert named.signature["from"] == ",".join(TEXT.annotators)


def test_draws_are_made_of_the_source_only():
    # All of bob's units are called C, and no draw has a C.
    text = un.Continuum.from_units(
        [("ann", 3 * i, 3 * i + 2, "AB"[i % 2]) for i in range(8)]
        + [("bob", 3 * i, 3 * i + 2, "C") for i in range(8)]
    )

    result = un.gamma(text, chance_from=["ann"], draws=30, rng=2)

    assert result.gamma_k["A"].n_left_out < 30
    assert result.gamma_k["C"].n_left_out == 30


def test_a_corpus_can_be_drawn_from_some_annotators():
    gold = {"x": side("g", *GOLD), "y": side("g", *GOLD[:2]), "z": side("g")}
    system = {"x": side("s", *SYSTEM), "y": side("s", *SYSTEM), "z": side("s", *SYSTEM)}
    corpora = [un.Corpus.from_continua(of) for of in (gold, system)]

    shifted = gamma_of(un.compare(*corpora, draws=5, rng=1))
    mixed = gamma_of(un.compare(*corpora, draws=5, rng=1, chance="corpus"))

    assert shifted.left_out_documents == ("z",)
    left_out = "1 of 3 documents left out, because the annotators in chance_from have no units"
    assert any(left_out in note for note in shifted.notes)
    assert mixed.left_out_documents == ()
    assert not math.isnan(mixed.value)


def test_corpus_chance_without_any_unit_of_the_source_is_undefined():
    both = [("g", 0, 0, "A")][:0] + [("s", *unit) for unit in SYSTEM]
    document = un.Continuum.from_units(both, annotators=["g", "s"])
    corpus = un.Corpus.from_continua({"x": document, "y": document})

    result = un.gamma(corpus, chance="corpus", chance_from=["g"], draws=5)

    assert result.undefined == "no document has units and was seen by two annotators or more"
    assert result.documents["x"].undefined == "the annotators in chance_from have no units"


@pytest.mark.parametrize(
    ("source", "message"),
    [(["zoe"], "no annotator 'zoe'"), ([], "chance_from= is empty")],
)
def test_an_unknown_source_is_refused(source, message):
    with pytest.raises(un.UnisonoError, match=message):
        un.gamma(TEXT, chance_from=source)
