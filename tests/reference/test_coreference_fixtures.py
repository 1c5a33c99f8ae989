"""Scores of chains against the published values of the reference scorers' test cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unisono as un
from unisono.measures.chains.scores import blanc_of, links_of, overlap_of

FIXTURES = json.loads(
    Path(__file__).with_name("coreference_fixtures.json").read_text(encoding="utf-8")
)
VALUES = [
    pytest.param(case, name, id=f"{case['id']}-{name}")
    for case in FIXTURES["cases"]
    for name in case["values"]
]


def chains_of(case):
    return un.Chains.from_groups(
        {side: list(map(list, case[side])) for side in ("key", "response")}
    )


@pytest.mark.parametrize(("case", "name"), VALUES)
def test_recall_precision_and_f1_are_those_of_the_reference_scorers(case, name):
    chains = chains_of(case)
    if name == "blanc":  # the published value depends on which side is the key
        score = blanc_of(*links_of(overlap_of(chains[""]["key"], chains[""]["response"])))
    else:
        score = getattr(un, name)(chains).by_pair["key", "response"]

    # The scorers' files have five decimals, or fractions.
    assert score == pytest.approx(case["values"][name], abs=6e-6)


def test_there_is_a_value_of_each_score():
    counted = {name for case in FIXTURES["cases"] for name in case["values"]}

    assert counted == {"muc", "b_cubed", "ceaf_mentions", "ceaf_entities", "lea", "blanc"}
    assert len(VALUES) == 107


def test_blanc_is_the_mean_of_both_orders():
    case = next(case for case in FIXTURES["cases"] if case["id"] == "N3")
    chains = chains_of(case)
    both = [
        blanc_of(*links_of(overlap_of(chains[""][one], chains[""][other]))).value
        for one, other in (("key", "response"), ("response", "key"))
    ]

    assert both[0] != both[1]
    assert float(un.blanc(chains)) == sum(both) / 2
