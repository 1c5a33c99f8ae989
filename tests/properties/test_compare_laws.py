"""Laws of comparing a hypothesis with a reference, against all matchings there are."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono as un
from matching_oracle import most_found
from strategies import continua

two = continua(min_annotators=2, max_annotators=2, max_units=5, max_units_total=9)
tolerances = st.sampled_from((0.0, 0.25, 1.0, 7.5))


def sides(text):
    return tuple(text.only(annotators=(name,)) for name in text.annotators)


def compared(text, **settings):
    return un.compare(*sides(text), with_gamma=False, **settings)


@given(two, tolerances)
def test_no_matching_finds_more(text, tolerance):
    reference, hypothesis = map(list, sides(text))

    result = compared(text, tolerance=tolerance)

    for rule in ("exact", "tolerant", "overlap"):
        scores = getattr(result, rule)
        for labels, score in ((True, scores.overall), (False, scores.any_label)):
            found = most_found(reference, hypothesis, rule, tolerance, labels=labels)
            assert score == (found, len(reference), len(hypothesis))


@given(two, tolerances)
def test_labels_add_up_to_the_whole(text, tolerance):
    result = compared(text, tolerance=tolerance)

    for scores in result.levels.values():
        columns = zip(*scores.by_label.values(), strict=True)
        assert [sum(column) for column in columns] == (list(scores.overall) if len(text) else [])


@given(two, tolerances)
def test_a_stricter_rule_finds_less(text, tolerance):
    result = compared(text, tolerance=tolerance)

    assert result.exact.overall.matched <= result.tolerant.overall.matched
    assert result.exact.overall.matched <= result.overlap.overall.matched
    for scores in result.levels.values():
        assert scores.overall.matched <= scores.any_label.matched


@given(two, tolerances)
def test_changing_sides_changes_precision_into_recall(text, tolerance):
    one, other = sides(text)
    there = un.compare(one, other, tolerance=tolerance, with_gamma=False)
    back = un.compare(other, one, tolerance=tolerance, with_gamma=False)

    for rule in ("exact", "tolerant", "overlap"):
        score = getattr(there, rule).overall
        assert score[:1] + score[:0:-1] == getattr(back, rule).overall


@given(two)
def test_the_best_mapping_overlaps_the_longest(text):
    reference, hypothesis = sides(text)
    together: dict[tuple, float] = {}
    for u in reference:
        for v in hypothesis:
            common = max(0.0, min(u.end, v.end) - max(u.start, v.start))
            together[u.label, v.label] = together.get((u.label, v.label), 0.0) + common
    shorter, longer = sorted((reference.labels, hypothesis.labels), key=len)
    turned = shorter is hypothesis.labels and shorter is not reference.labels

    def total(pairs):
        return sum(together.get(pair[::-1] if turned else pair, 0.0) for pair in pairs)

    most = max(
        total(list(zip(shorter, chosen, strict=True)))
        for chosen in permutations(longer, len(shorter))
    )
    result = compared(text, mapping="best")

    if most:
        found = sum(together[new, old] for old, new in result.mapping.items())
        assert found == pytest.approx(most, rel=1e-9)
    assert len(set(result.mapping.values())) == len(result.mapping)


@given(two)
def test_names_do_not_matter_under_the_best_mapping(text):
    reference, hypothesis = sides(text)
    renamed = hypothesis.rename(
        labels={label: f"speaker {i}" for i, label in enumerate(hypothesis.labels)}
    )

    result = un.compare(reference, renamed, mapping="best", with_gamma=False)

    again = un.compare(reference, renamed, mapping=dict(result.mapping), with_gamma=False)
    assert result.exact.by_label == again.exact.by_label
    assert result.exact.any_label == again.exact.any_label
    assert result.slots.counts == again.slots.counts


@given(continua(min_annotators=3, max_annotators=3, max_units=3, max_units_total=8), tolerances)
def test_several_references_are_summed(text, tolerance):
    *references, system = text.annotators

    result = un.compare(references, system, within=text, tolerance=tolerance, with_gamma=False)

    each = [
        un.compare(name, system, within=text, tolerance=tolerance, with_gamma=False)
        for name in references
    ]
    for rule in ("exact", "tolerant", "overlap"):
        scores = [getattr(of, rule).overall for of in each]
        total = tuple(map(sum, zip(*scores, strict=True)))
        assert getattr(result, rule).overall == total
    counts = [sum(column) for column in zip(*(of.slots.counts for of in each), strict=True)]
    assert list(result.slots.counts) == counts
