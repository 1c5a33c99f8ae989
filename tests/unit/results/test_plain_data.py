"""Numbers, labels and results as plain data and as text."""

from __future__ import annotations

import json
import math

import pytest

from sample_results import chance_agreement, gamma_result, undefined_gamma_result
from unisono.results.agreement import certain_range, outcome, proof, signed, uncertainty
from unisono.results.record import OnDemand, label_keys, plain_label, plain_number
from unisono.results.values import Bounds, Interval, Signature


@pytest.mark.parametrize(
    ("value", "plain"),
    [(0.5, 0.5), (0.0, 0.0), (math.nan, None), (math.inf, None), (-math.inf, None), (None, None)],
)
def test_numbers_that_json_does_not_have_are_none(value, plain):
    assert plain_number(value) == plain


@pytest.mark.parametrize(
    ("label", "plain"),
    [
        ("NP", "NP"),
        (2, 2),
        (0.5, 0.5),
        (None, None),
        (frozenset({"b", "a", 10, 9}), [9, 10, "a", "b"]),
        (frozenset(), []),
    ],
)
def test_a_label_that_is_a_set_is_a_sorted_list(label, plain):
    assert plain_label(label) == plain


def test_labels_with_the_same_text_have_different_keys():
    labels = [None, 1, "1", "NP", "1 (text)", "{a, b}", frozenset("ab"), ""]
    keys = label_keys(labels)

    assert list(keys) == labels
    assert len(set(keys.values())) == len(labels)
    assert (keys[1], keys["1"], keys["NP"]) == ("1", "1 (text)", "NP")
    assert keys["1 (text)"] == "1 (text) (text)"
    assert keys[frozenset("ab")] == "{a, b} (set)"
    assert (keys[None], keys[""]) == ("", " (text)")
    assert label_keys(["1", 1])[1] == "1 (number)"
    assert label_keys(["", None])[None] == " (no label)"


def test_the_plain_data_of_a_result_have_labels_as_keys():
    parts = {1: chance_agreement(), "1": chance_agreement(value=0.5)}
    record = json.loads(gamma_result(gamma_k=parts).to_json())

    assert {key: part["value"] for key, part in record["gamma_k"].items()} == {
        "1": 0.8,
        "1 (text)": 0.5,
    }


def test_what_is_made_on_demand_is_a_mapping_in_the_given_order():
    lengths = OnDemand(["ab", "abc", "ab"], len)

    assert dict(lengths) == {"ab": 2, "abc": 3}
    assert list(lengths) == ["ab", "abc"]
    assert lengths == {"abc": 3, "ab": 2}
    assert lengths.get("b") is None


@pytest.mark.parametrize("given", ["1", b"1"])
def test_a_string_is_not_a_number_even_if_it_looks_like_one(given):
    with pytest.raises(TypeError, match="low must be a number, got"):
        Interval(given, 2.0, confidence=0.95, method="x")


@pytest.mark.parametrize("result", [gamma_result(), undefined_gamma_result(), chance_agreement()])
def test_a_notebook_shows_what_markdown_tells(result):
    assert result._repr_markdown_() == result.to_markdown()
    assert result.to_markdown().splitlines()[-1] == f"`{result.signature}`"


@pytest.mark.parametrize(
    ("proven", "gap", "sentence"),
    [
        (True, 0.0, "proven optimal"),
        (False, 0.00123, "not proven; its disorder is at most 0.0012 above the best"),
        (False, 0.0, "proven optimal; those of some draws are not"),
        (False, math.nan, "not proven"),
    ],
)
def test_a_proof_contains_the_gap_of_the_alignment(proven, gap, sentence):
    assert proof(proven=proven, gap=gap) == sentence


def test_bounds_without_a_lower_bound_have_a_text():
    assert certain_range(Bounds(0.25, 0.5)) == "between 0.2500 and 0.5000"
    assert (
        certain_range(Bounds(-math.inf, 0.5)) == "no higher than 0.5000 (no lower bound is known)"
    )


@pytest.mark.parametrize(
    ("settings", "helps"),
    [
        ((), "shorter documents or fewer annotators"),
        ((("time", "1s"),), "more time for each alignment, or shorter documents"),
        ((("gap", "0.1"),), "a smaller gap tolerance, or shorter documents"),
    ],
)
def test_an_uncertain_value_has_a_reason_and_remedies(settings, helps):
    result = gamma_result(
        certified=Bounds(0.25, 0.75), proven=False, signature=Signature("gamma", settings)
    )
    sentence = uncertainty(result)

    assert outcome(result) == "uncertain"
    assert sentence is not None
    assert "γ is only known to be between 0.2500 and 0.7500" in sentence
    assert f"Remedies: {helps}" in sentence


def test_a_certain_value_is_in_the_table():
    assert uncertainty(gamma_result()) is None
    assert outcome(gamma_result()) == "0.7250"
    assert outcome(undefined_gamma_result()) == "undefined"


def test_added_settings_precede_the_data_and_the_version():
    result = chance_agreement(
        signature=Signature("gamma", (("n", "4"), ("data", "9f"), ("v", "0.1")))
    )

    assert str(signed(result, seed="7").signature) == "gamma|n:4|seed:7|data:9f|v:0.1"
    assert signed(result, seed="7").value == result.value
