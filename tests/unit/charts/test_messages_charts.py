"""Error messages of charts that no other test provokes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

import unisono as un
from unisono import charts
from unisono.errors import DataError, SettingError

EMPTY = un.Continuum.from_units([], annotators=["a", "b"], extent=(0, 9))
TEXT = un.Continuum.from_units([("a", 0, 5, "A"), ("a", 7, 9, "B"), ("b", 0, 4, "A")])
ALONE = un.Continuum.from_units([("a", 0, 5, "A")], annotators=["a", "b"])
ONE_LABEL = un.Ratings.from_matrix([list("aaaa"), list("aaaa")])
CONSENSUS = un.consensus(TEXT)
CORPUS = un.Corpus.from_continua({"one": TEXT, "two": TEXT})


def anything(value: object) -> Any:
    """Hide the type of an intentionally invalid value."""
    return value


CASES = {
    "an alignment without groups": (
        lambda: charts.alignment_chart(un.best_alignment(EMPTY)),
        DataError,
        "there is no group to draw: the annotators marked no units",
    ),
    "an alignment of another type": (
        lambda: charts.alignment_chart(anything(3)),
        TypeError,
        "expected an Alignment or a GammaAgreement, got int",
    ),
    "the document of one continuum": (
        lambda: charts.consensus_chart(CONSENSUS, TEXT, document="one"),
        SettingError,
        "document='one' needs the consensus of a corpus; this is that of one continuum",
    ),
    "a document that the data do not have": (
        lambda: charts.consensus_chart(
            replace(un.consensus(CORPUS).documents["one"], alignment=None), CORPUS
        ),
        DataError,
        "the data have no document '', so its units cannot be drawn",
    ),
    "pairs of a result without pairs": (
        lambda: charts.annotator_chart(
            replace(un.pairwise_agreement(TEXT, draws=30, rng=1), by_pair={})
        ),
        DataError,
        "the result has no values for pairs of annotators",
    ),
    "confusions without aligned units": (
        lambda: charts.confusion_chart(un.label_confusions(un.gamma(ALONE, draws=5))),
        DataError,
        "there is nothing to draw: no units are aligned",
    ),
    "draws of another type": (
        lambda: charts.draws_chart(anything(ONE_LABEL)),
        TypeError,
        "draws_chart expects a GammaAgreement, got Ratings",
    ),
    "resamples without a value": (
        lambda: charts.bootstrap_chart(
            un.bootstrap(ONE_LABEL, "scott", resamples=20, rng=1), [math.nan]
        ),
        DataError,
        "there is nothing to draw: all values that can be compared are 'a'",
    ),
    "labels of a result without labels": (
        lambda: charts.label_chart(
            un.gamma(TEXT.only(labels=["A"]).rename(labels={"A": None}), draws=5)
        ),
        DataError,
        "the result has no values by label",
    ),
    "labels without a value": (
        lambda: charts.label_chart(un.krippendorff_alpha(ONE_LABEL)),
        DataError,
        "there is nothing to draw: no label has a value",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_chart_explains_what_is_missing(case):
    call, kind, message = CASES[case]
    with pytest.raises(kind) as raised:
        call()
    assert message in str(raised.value)
