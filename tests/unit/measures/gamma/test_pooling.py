"""From what was observed and drawn to results, for one document and for many."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pooling_oracle import pooled
from unisono.measures.gamma.dissimilarity import DissimilarityParameters
from unisono.measures.gamma.evidence import LabelTotals, Totals
from unisono.measures.gamma.result import Facts, family_result, undefined_result
from unisono.version import __version__

FACTS = Facts(
    settings=(("dissim", "combined"), ("chance", "shift")),
    dissimilarity=DissimilarityParameters(),
    seed=42,
    digest="0123456789abcdef",
    n_annotators=2,
    n_units=8,
    annotators_from="units",
)


def evidence(**changes: Any) -> Totals:
    """Two labels and three draws; the columns of sums are: all pairs, A, B."""
    fields: dict[str, Any] = {
        "labels": ("A", "B"),
        "mean_units": 2.0,
        "observed": 0.5,
        "observed_bound": 0.5,
        "draws": np.array([1.0, 2.0, 3.0]),
        "draw_bounds": np.array([1.0, 2.0, 3.0]),
        "proven": True,
        "unproven_draws": 0,
        "by_label": LabelTotals(
            np.array([1.0, 0.5, 0.75]),
            np.array([4.0, 2.0, 3.0]),
            np.array([[2.0, 1.0, 1.0], [3.0, 3.0, 0.0], [1.0, 0.0, 1.0]]),
            np.array([[4.0, 2.0, 2.0], [4.0, 3.0, 1.0], [4.0, 0.0, 4.0]]),
        ),
        "redrawn": 0,
    }
    return Totals(**fields | changes)


def sums(**changes: Any) -> LabelTotals:
    return evidence().by_label._replace(**changes)


def result(**changes: Any):
    return family_result(evidence(**changes), FACTS, confidence=0.95)


# Pooling


def test_disorders_are_weighted_by_the_mean_number_of_units():
    other = evidence(mean_units=6.0, observed=0.25, draws=np.array([2.0, 2.0, 4.0]))
    whole = pooled([evidence(), other], ("A", "B"))
    assert whole.mean_units == 8.0
    assert whole.observed == (2 * 0.5 + 6 * 0.25) / 8
    assert whole.draws.tolist() == [14 / 8, 16 / 8, 30 / 8]


def test_gamma_of_a_corpus_is_the_ratio_of_the_weighted_sums():
    other = evidence(mean_units=6.0, observed=0.25, draws=np.array([2.0, 2.0, 4.0]))
    found = family_result(pooled([evidence(), other], ("A", "B")), FACTS, confidence=0.95)
    observed, expected = 2 * 0.5 + 6 * 0.25, 2 * 2.0 + 6 * (8 / 3)
    assert found.value == pytest.approx(1 - observed / expected, rel=1e-15)


def test_sums_of_labels_are_added_label_by_label():
    whole = pooled([evidence(), evidence(labels=("B", "C"))], ("A", "B", "C"))
    assert whole.labels == ("A", "B", "C")
    # The second document's B stands where the first one's A does.
    assert whole.by_label.disorder.tolist() == [2.0, 0.5, 0.75 + 0.5, 0.75]
    assert whole.by_label.weight.tolist() == [8.0, 2.0, 3.0 + 2.0, 3.0]
    assert whole.by_label.draws_disorder[0].tolist() == [4.0, 1.0, 1.0 + 1.0, 1.0]
    assert whole.by_label.draws_weight[2].tolist() == [8.0, 0.0, 4.0 + 0.0, 4.0]


def test_pooling_one_document_changes_nothing():
    whole = pooled([evidence()], ("A", "B"))
    assert (whole.observed, whole.draws.tolist()) == (0.5, [1.0, 2.0, 3.0])
    for here, there in zip(whole.by_label, evidence().by_label, strict=True):
        assert np.array_equal(here, there)


def test_pooling_leaves_the_documents_as_they_were():
    one, other = evidence(), evidence()
    pooled([one, other], ("A", "B"))
    assert one.by_label.weight.tolist() == [4.0, 2.0, 3.0]
    assert one.draws.tolist() == [1.0, 2.0, 3.0]


def test_proofs_and_counts_are_pooled():
    doubtful = evidence(proven=False, unproven_draws=2, redrawn=5)
    whole = pooled([evidence(redrawn=1, unproven_draws=1), doubtful], ("A", "B"))
    assert (whole.proven, whole.unproven_draws, whole.redrawn) == (False, 3, 6)
    assert pooled([evidence(), evidence()], ("A", "B")).proven


# The family


def test_gamma_is_corrected_for_the_mean_of_the_draws():
    found = result()
    assert (found.value, found.observed, found.expected) == (0.75, 0.5, 2.0)
    assert found.p_value == 1 / 4
    assert found.draw_disorders.tolist() == [1.0, 2.0, 3.0]
    assert found.draws == 3


def test_gamma_cat_is_corrected_for_the_mean_of_the_ratios():
    found = result().gamma_cat
    assert found.observed == 1 / 4
    assert found.expected == pytest.approx((2 / 4 + 3 / 4 + 1 / 4) / 3, rel=1e-15)
    assert found.value == pytest.approx(1 - (1 / 4) / (1 / 2), rel=1e-15)
    assert (found.weight, found.n_left_out, found.draws) == (4.0, 0, 3)


def test_gamma_k_leaves_out_draws_without_its_label():
    found = result().gamma_k["A"]
    assert found.observed == 1 / 4
    assert found.expected == (1 / 2 + 3 / 3) / 2
    assert found.value == pytest.approx(1 - (1 / 4) / (3 / 4), rel=1e-15)
    assert (found.weight, found.n_left_out, found.draws) == (2.0, 1, 3)


def test_every_member_of_the_family_has_its_own_uncertainty():
    found = result()
    intervals = [found.monte_carlo, found.gamma_cat.monte_carlo, found.gamma_k["A"].monte_carlo]
    assert all(interval is not None and interval.confidence == 0.95 for interval in intervals)
    assert len(set(intervals)) == 3


def test_label_draws_are_those_with_something_to_compare():
    ratios = evidence().by_label.ratios(1)
    assert ratios.draws.tolist() == [0.5, 1.0]
    assert ratios.n_left_out == 1
    assert evidence().by_label.ratios().draws.tolist() == [0.5, 0.75, 0.25]


@pytest.mark.parametrize(
    ("proven", "unproven", "is_proven"), [(True, 0, True), (False, 0, False), (True, 2, False)]
)
def test_a_result_is_proven_if_every_alignment_is(proven, unproven, is_proven):
    found = result(proven=proven, unproven_draws=unproven)
    assert found.proven is is_proven
    assert any(note.startswith("2 alignments of draws") for note in found.notes) is (unproven == 2)


# Undefined


def test_chance_that_never_disagrees_leaves_gamma_undefined_and_gamma_cat_alone():
    found = result(draws=np.zeros(3))
    assert math.isnan(found.value)
    assert (found.p_value, found.p_value_note) == (None, found.undefined)
    assert "chance never disagrees" in (found.undefined or "")
    assert found.gamma_cat.undefined is None


def test_labels_without_comparable_units_have_no_agreement():
    found = result(by_label=sums(weight=np.array([4.0, 0.0, 4.0]))).gamma_k["A"]
    assert math.isnan(found.observed)
    assert found.expected == 0.75
    assert found.weight == 0.0
    assert "no two aligned units lie close enough" in (found.undefined or "")


def test_labels_that_no_draw_compares_have_no_agreement():
    weights = evidence().by_label.draws_weight.copy()
    weights[:, 1] = 0.0
    found = result(by_label=sums(draws_weight=weights)).gamma_k["A"]
    assert found.observed == 0.25
    assert math.isnan(found.expected)
    assert found.n_left_out == 3
    assert "no draw has two aligned units close enough" in (found.undefined or "")


def test_labels_on_which_chance_never_disagrees_have_no_agreement():
    found = result(by_label=sums(draws_disorder=np.zeros((3, 3))))
    assert "chance never disagrees" in (found.gamma_cat.undefined or "")
    assert found.undefined is None


def test_units_without_any_label_have_no_agreement_on_labels():
    bare = LabelTotals(*(each[..., :2] for each in evidence().by_label))
    found = result(labels=(None,), by_label=bare)
    assert found.gamma_cat.undefined == "no unit has a label"
    assert dict(found.gamma_k) == {}
    assert found.value == 0.75


def test_units_without_a_label_among_others_have_one_of_their_own():
    assert list(result(labels=(None, "B")).gamma_k) == [None, "B"]


def test_nothing_to_measure_is_undefined_with_its_reason():
    found = undefined_result("there are no units", FACTS, left_out_documents=["one"])
    assert found.undefined == found.gamma_cat.undefined == "there are no units"
    assert math.isnan(found.value)
    assert (found.p_value, found.p_value_note) == (None, "there are no units")
    assert (found.draws, found.gamma_cat.draws, len(found.draw_disorders)) == (0, 0, 0)
    assert found.left_out_documents == ("one",)
    assert dict(found.gamma_k) == dict(found.documents) == {}
    assert found.signature["draws"] == "0"


# Signatures


def test_the_signature_has_all_settings_that_affect_the_value():
    assert str(result().signature) == (
        "gamma|dissim:combined|chance:shift|draws:3|seed:42|annotators:units"
        f"|data:01234567|v:{__version__}"
    )


def test_every_member_of_the_family_signs_with_its_name():
    found = result()
    assert found.gamma_cat.signature.measure == "gamma_cat"
    assert found.gamma_k["B"].signature.measure == "gamma_k"
    assert found.gamma_k["B"].signature["label"] == "B"
    assert found.gamma_cat.signature.settings == found.signature.settings


def test_facts_are_fields_of_the_result():
    facts = FACTS._replace(skipped=3, spacing=1.5, notes=("think again",))
    found = family_result(evidence(redrawn=7), facts, confidence=0.9, left_out_documents=["a"])
    assert (found.n_annotators, found.n_units, found.annotators_from) == (2, 8, "units")
    assert (found.skipped, found.spacing, found.redrawn) == (3, 1.5, 7)
    assert found.notes == ("think again",)
    assert found.left_out_documents == ("a",)
    assert found.monte_carlo is not None
    assert found.monte_carlo.confidence == 0.9


def test_gamma_is_certified_by_the_bounds_of_all_alignments():
    unproven = evidence(
        proven=False,
        observed_bound=0.25,
        unproven_draws=1,
        draw_bounds=np.array([1.0, 1.0, 1.0]),
    )
    result = family_result(unproven, FACTS, confidence=0.95)
    assert result.certified == (1 - 0.5 / 1.0, 1 - 0.25 / 2.0)
    assert result.certified.low < result.value < result.certified.high


def test_what_is_proven_is_certain():
    result = family_result(evidence(), FACTS, confidence=0.95)
    assert result.certified == (result.value, result.value)


def test_draws_without_any_bound_certify_no_lowest_value():
    nothing_known = evidence(unproven_draws=3, draw_bounds=np.zeros(3))
    certified = family_result(nothing_known, FACTS, confidence=0.95).certified
    assert certified is not None
    assert certified.low == -np.inf


def test_bounds_are_pooled_as_the_disorders_are():
    parts = [
        evidence(proven=False, observed_bound=0.25, mean_units=1.0),
        evidence(mean_units=3.0, draw_bounds=np.array([0.5, 1.0, 1.5]), unproven_draws=3),
    ]
    whole = pooled(parts, ("A", "B"))
    assert whole.observed_bound == pytest.approx((0.25 + 3 * 0.5) / 4)
    assert whole.draw_bounds == pytest.approx([0.625, 1.25, 1.875])
