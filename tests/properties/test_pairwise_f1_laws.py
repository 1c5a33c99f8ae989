"""Laws of the mean pairwise F1, and a slow implementation that counts equal units."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono as un

UNITS = st.tuples(st.integers(0, 6), st.integers(1, 3), st.sampled_from("AB"))
PEOPLE = st.dictionaries(st.sampled_from("abc"), st.lists(UNITS, max_size=6), min_size=2)
DOCUMENTS = st.dictionaries(st.sampled_from(["one", "two"]), PEOPLE, min_size=1)


def corpus_of(documents):
    return un.Corpus.from_continua(
        {
            name: un.Continuum.from_units(
                [
                    (who, start, start + length, label)
                    for who, units in people.items()
                    for start, length, label in units
                ],
                annotators=sorted(people),
            )
            for name, people in documents.items()
        }
    )


def counted(documents, first, second, label=None):
    """Return F1 from the multisets of units of two annotators; NaN without units."""
    matched = total = 0
    for people in documents.values():
        if first not in people or second not in people:
            continue
        mine, theirs = (
            Counter(unit for unit in people[who] if label in (None, unit[2]))
            for who in (first, second)
        )
        matched += sum((mine & theirs).values())
        total += sum(mine.values()) + sum(theirs.values())
    return 2 * matched / total if total else math.nan


def mean(values):
    kept = [value for value in values if not math.isnan(value)]
    return sum(kept) / len(kept) if kept else math.nan


@given(documents=DOCUMENTS)
def test_it_is_the_mean_of_the_counted_f1(documents):
    corpus = corpus_of(documents)
    found = un.pairwise_f1(corpus)

    pairs = list(combinations(corpus.annotators, 2))
    expected = mean([counted(documents, *pair) for pair in pairs])
    assert found.value == pytest.approx(expected, nan_ok=True)
    assert math.isnan(found.value) == bool(found.undefined)
    for label, of in found.by_label.items():
        expected = mean([counted(documents, *pair, label) for pair in pairs])
        assert of.value == pytest.approx(expected, nan_ok=True)
    assert sum(found.units_by_label.values()) == found.n_units == corpus.n_units


@given(documents=DOCUMENTS)
def test_names_of_annotators_and_labels_do_not_matter(documents):
    corpus = corpus_of(documents)
    names, labels = {"a": "z", "b": "y", "c": "x"}, {"A": "second", "B": "first"}
    renamed = corpus.rename(
        annotators={name: names[name] for name in corpus.annotators},
        labels={label: labels[label] for label in corpus.labels},
    )
    found, again = un.pairwise_f1(corpus), un.pairwise_f1(renamed)

    assert again.value == pytest.approx(found.value, nan_ok=True)
    for label in corpus.labels:
        of = again.by_label[labels[str(label)]]
        assert of.value == pytest.approx(found.by_label[label].value, nan_ok=True)


@given(people=PEOPLE)
def test_it_is_one_for_copies(people):
    units = next(iter(people.values()))
    found = un.pairwise_f1(corpus_of({"one": {"a": units, "b": units, "c": units}}))

    assert found.undefined or found.value == 1.0


def test_a_missed_unit_lowers_f1_and_gamma_of_the_label_but_not_gamma_k():
    rows = [("a", 10 * n, 10 * n + 5, "A" if n % 2 else "B") for n in range(12)]
    other = [("b", *row[1:]) for row in rows if row[3] == "A" or row[1] < 40]
    text = un.Continuum.from_units([*rows, *other])

    assert un.gamma(text).gamma_k["B"].value == 1.0
    assert un.pairwise_f1(text).by_label["B"].value == 0.5
    of_label = un.gamma_by_label(text).by_label
    assert of_label["B"].value < 0.5 < of_label["A"].value
    assert of_label["B"].value == un.gamma(text.only(labels=["B"])).value


def test_a_tolerance_accepts_near_bounds():
    text = un.Continuum.from_units([("a", 0, 5, "A"), ("b", 0, 5.2, "A")])

    assert un.pairwise_f1(text).value == 0.0
    assert un.pairwise_f1(text, tolerance=0.25).value == 1.0


def test_reasons_and_notes():
    alone = un.pairwise_f1(un.Continuum.from_units([("a", 0, 5, "A")]))
    empty = un.pairwise_f1(un.Continuum.from_units([], annotators=["a", "b"]))
    three = un.pairwise_f1(un.Continuum.from_units([("a", 0, 5, "A")], annotators=["a", "b", "c"]))

    assert alone.undefined == "agreement needs at least two annotators; there is only 'a'"
    assert empty.undefined == "there are no units"
    assert three.value == 0.0
    assert three.notes == ("1 pair without units left out: b–c",)
