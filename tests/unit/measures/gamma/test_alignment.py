"""The best alignment: what it is worth, what moves it, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import oracle
import unisono as un
from families import family
from unisono.measures.gamma.alignment import (
    Columns,
    aligned,
    alignment_of,
    columns_of,
    custom_pairs,
)
from unisono.measures.gamma.dissimilarity import label_counts, positional

TEXT = un.Continuum.from_units(
    [("ann", 0, 10, "A"), ("ann", 20, 30, "B"), ("bob", 1, 9, "A"), ("bob", 21, 31, "A")]
)


def text(*rows: tuple, **settings) -> un.Continuum:
    return un.Continuum.from_units(rows, **settings)


def best(continuum: un.Continuum, **settings) -> un.results.Alignment:
    return un.best_alignment(continuum, dissimilarity=un.CombinedDissimilarity(**settings))


def groups_of(alignment: un.results.Alignment) -> list[oracle.Group]:
    return [tuple(int(row) for row in group) for group in alignment.indices]


def by_hand(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
    """The same as CombinedDissimilarity() with labels compared by name."""
    return positional(u.starts, u.ends, v.starts, v.ends) + (u.label_codes != v.label_codes)


def own(cost, **settings) -> un.CustomDissimilarity:
    return un.CustomDissimilarity(cost=cost, **settings)


# What it is worth


def test_two_equal_units_are_one_group_without_disorder():
    alignment = best(text(("ann", 0, 5, "A"), ("bob", 0, 5, "A")))
    assert groups_of(alignment) == [(0, 1)]
    assert alignment.disorder == 0.0
    assert alignment.proven


def test_a_disorder_is_computed_by_hand():
    # (1/9)² + 0 for the first pair, (2/20)² + 1 for the second, over 2 units an annotator.
    first, second = (2 / 18) ** 2, (2 / 20) ** 2 + 1
    alignment = best(TEXT)
    assert groups_of(alignment) == [(0, 2), (1, 3)]
    assert alignment.group_disorders.tolist() == pytest.approx([first, second], rel=1e-15)
    assert alignment.disorder == pytest.approx((first + second) / 2, rel=1e-15)


def test_an_annotator_without_units_counts():
    # One pair of three is alike and two are with an empty place: 2/3, over x̄ = 2/3.
    alignment = best(text(("ann", 0, 5, "A"), ("bob", 0, 5, "A"), annotators=["ann", "bob", "eve"]))
    assert groups_of(alignment) == [(0, 1, -1)]
    assert alignment.disorder == pytest.approx(1.0, rel=1e-15)


def test_only_one_annotator_marked_something():
    alignment = best(text(("ann", 0, 5, "A"), ("ann", 7, 9, "A"), annotators=["ann", "bob"]))
    assert groups_of(alignment) == [(0, -1), (1, -1)]
    assert alignment.disorder == 2.0


def test_no_units_are_no_groups():
    alignment = best(text(annotators=["ann", "bob"]))
    assert alignment.indices.shape == (0, 2)
    assert (alignment.disorder, alignment.lower_bound, alignment.proven) == (0.0, 0.0, True)


@pytest.mark.parametrize("empty", [0.01, 2.5, 1000])
def test_the_empty_cost_scales_the_disorders_and_moves_no_unit(empty):
    one, other = best(TEXT), best(TEXT, empty=empty)
    assert groups_of(one) == groups_of(other)
    assert other.disorder == pytest.approx(empty * one.disorder, rel=1e-14)
    assert other.group_disorders.tolist() == pytest.approx(
        [empty * disorder for disorder in one.group_disorders], rel=1e-14
    )


@pytest.mark.parametrize("power", [0.5, 1, 2, 3])
def test_the_power_is_that_of_the_position(power):
    alignment = best(text(("ann", 0, 10), ("bob", 0, 5)), power=power)
    assert alignment.disorder == pytest.approx((5 / 15) ** power, rel=1e-15)


def test_a_high_power_lets_units_near_each_other_go_together():
    near = text(("ann", 0, 10), ("bob", 6, 16))  # 12 / 20 apart
    far = text(("ann", 0, 10), ("bob", 16, 26))  # 32 / 20 apart
    assert [len(best(near, power=power)) for power in (1, 2, 9)] == [1, 1, 1]
    assert [len(best(far, power=power)) for power in (1, 2, 9)] == [1, 2, 2]


def test_weights_decide_who_goes_together():
    continuum = text(("ann", 0, 10, "A"), ("bob", 0, 10, "B"), ("bob", 5, 15, "A"))
    assert groups_of(best(continuum, position=3, label=0.1)) == [(0, 1), (-1, 2)]
    assert groups_of(best(continuum, position=0.1, label=3)) == [(0, 2), (-1, 1)]


def test_without_a_dissimilarity_it_is_combined():
    assert un.best_alignment(TEXT) == un.best_alignment(
        TEXT, dissimilarity=un.CombinedDissimilarity()
    )


def test_the_signature_has_the_settings_that_affect_the_alignment():
    signature = un.best_alignment(TEXT).signature
    assert signature.measure == "alignment"
    assert [key for key, _ in signature.settings] == ["dissim", "annotators", "data", "v"]
    assert signature["data"] == TEXT.digest[:8]
    assert signature["annotators"] == "units"


def test_an_unproven_bound_is_scaled_by_the_empty_cost():
    # So little effort that the limits of work are reached.
    crowd = family("overlapping", 4, 12, np.random.default_rng(1))
    fitted = un.CombinedDissimilarity(empty=2.0).fitted(crowd.labels, [1] * len(crowd.labels))
    found = aligned(columns_of(crowd), fitted, effort=1e-9)
    alignment = alignment_of(crowd, found, fitted, 12.0)
    assert not alignment.proven
    assert alignment.disorder == pytest.approx(found.disorder_sum / 12 * 2, rel=1e-15)
    assert alignment.lower_bound == pytest.approx(found.lower_bound / 12 * 2, rel=1e-15)
    assert alignment.gap == alignment.disorder - alignment.lower_bound > 0.0


# Labels


def test_steep_never_aligns_totally_different_labels():
    crowd = family("overlapping", 3, 8, np.random.default_rng(4))
    kinds = [
        [len({unit.label for unit in group if unit}) for group in best(crowd, steep=steep).groups]
        for steep in (False, True)
    ]
    assert max(kinds[0]) > 1
    assert max(kinds[1]) == 1


def test_labels_may_be_numbers():
    continuum = text(("ann", 0, 5, 1), ("ann", 10, 15, 5), ("bob", 0, 5, 2), ("bob", 10, 15, 5))
    assert best(continuum, distance="interval").disorder == pytest.approx((1 / 4) ** 2 / 2)


def test_labels_may_be_sets():
    continuum = text(("ann", 0, 5, {"a", "b"}), ("bob", 0, 5, {"b", "c"}))
    assert best(continuum, distance="jaccard").disorder == pytest.approx(2 / 3, rel=1e-15)


def test_units_need_no_labels():
    crowd = family("spread", 3, 6, np.random.default_rng(2))
    bare = text(*((unit.annotator, unit.start, unit.end) for unit in crowd))
    alone = un.best_alignment(bare, dissimilarity=un.PositionalDissimilarity())
    assert best(bare, label=7).disorder == alone.disorder
    assert groups_of(best(bare, label=7)) == groups_of(alone)


def test_positional_ignores_labels_and_categorical_ignores_places():
    continuum = text(("ann", 0, 5, "A"), ("bob", 0, 5, "B"), ("bob", 90, 95, "A"))
    by_place = un.best_alignment(continuum, dissimilarity=un.PositionalDissimilarity())
    by_label = un.best_alignment(continuum, dissimilarity=un.CategoricalDissimilarity())
    assert groups_of(by_place) == [(0, 1), (-1, 2)]
    assert groups_of(by_label) == [(0, 2), (-1, 1)]


# Ties


@pytest.mark.parametrize("name", ["ties", "duplicates", "zero-length"])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_choice_among_ties_does_not_depend_on_the_order_of_rows(name, n):
    rng = np.random.default_rng(n)
    continuum = family(name, n, 4, rng)
    fitted = un.CombinedDissimilarity().fitted(continuum.labels, [1] * len(continuum.labels))
    columns, sets = columns_of(continuum), oracle.sets_of(continuum)
    # The rows of each annotator in another order, as the kernel would see them unsorted.
    order = np.concatenate([4 * annotator + rng.permutation(4) for annotator in range(n)])
    shuffled = Columns(
        columns.starts[order], columns.ends[order], columns.label_codes[order], columns.offsets
    )
    found, again = (aligned(given, fitted).groups for given in (columns, shuffled))
    back = np.where(again >= 0, order[again], -1)
    assert oracle.in_words(list(map(tuple, found.tolist())), sets) == oracle.in_words(
        list(map(tuple, back.tolist())), sets
    )


def test_a_tie_goes_to_the_finest_alignment():
    # Aligned or alone, both come to 2: 2 = 1 + 1.
    tie = text(("ann", 0, 10, "A"), ("bob", 10, 20, "B"))
    assert best(tie).disorder == 2.0
    assert groups_of(best(tie)) == [(0, -1), (-1, 1)]


def test_a_tie_goes_to_the_first_unit_along_the_line():
    tie = text(("ann", 4, 8, "A"), ("bob", 3, 7, "A"), ("bob", 5, 9, "A"))
    assert groups_of(best(tie)) == [(0, 1), (-1, 2)]


# Own dissimilarities


@pytest.mark.parametrize(("n", "each"), [(2, 9), (3, 5), (4, 3)])
@pytest.mark.parametrize("empty", [1.0, 2.5])
def test_a_custom_dissimilarity_equals_the_same_built_in_one(n, each, empty):
    crowd = family("spread", n, each, np.random.default_rng(n))
    mine = own(lambda u, v: empty * by_hand(u, v), empty=empty)
    here, there = un.best_alignment(crowd, dissimilarity=mine), best(crowd, empty=empty)
    assert groups_of(here) == groups_of(there)
    assert here.disorder == pytest.approx(there.disorder, rel=1e-12)
    assert here.group_disorders.tolist() == pytest.approx(
        there.group_disorders.tolist(), rel=1e-12, abs=1e-15
    )
    assert here.proven


def test_a_custom_dissimilarity_yields_the_same_agreements_and_draws():
    crowd = family("spread", 3, 5, np.random.default_rng(8))
    here, there = (
        un.gamma(crowd, dissimilarity=dissimilarity, draws=15, rng=2)
        for dissimilarity in (own(by_hand), un.CombinedDissimilarity())
    )
    assert here.value == pytest.approx(there.value, rel=1e-12)
    assert here.draw_disorders.tolist() == pytest.approx(there.draw_disorders.tolist(), rel=1e-12)
    assert here.gamma_cat.value == pytest.approx(there.gamma_cat.value, rel=1e-12)
    assert list(here.gamma_k) == list(there.gamma_k)
    for label, agreement in here.gamma_k.items():
        assert agreement.value == pytest.approx(there.gamma_k[label].value, rel=1e-12, nan_ok=True)


def test_a_custom_dissimilarity_receives_labels():
    near = {"A": 0.0, "B": 0.25}

    def by_name(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
        left, right = (
            [near[str(each.labels[code])] for code in each.label_codes] for each in (u, v)
        )
        return np.abs(np.subtract(left, right))

    assert un.best_alignment(TEXT, dissimilarity=own(by_name)).disorder == pytest.approx(0.25 / 2)


def test_a_custom_dissimilarity_may_forbid_pairs():
    forbid = own(lambda u, _: np.full(len(u.starts), math.inf))
    alignment = un.best_alignment(TEXT, dissimilarity=forbid)
    assert len(alignment) == 4
    assert alignment.disorder == 2.0


def test_blocks_of_pairs_do_not_affect_custom_costs():
    crowd = family("spread", 3, 5, np.random.default_rng(3))
    asked = []

    def counting(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
        asked.append(len(u.starts))
        return by_hand(u, v)

    fitted = own(counting).fitted(crowd.labels, label_counts(crowd))
    units = un.UnitColumns(crowd.starts, crowd.ends, crowd.label_codes, crowd.labels)
    in_blocks = custom_pairs(units, crowd.counts, np.array([3]), fitted, pairs_at_once=20)
    # 5·10 and 5·5 pairs, each block evaluated a second time with the units exchanged.
    assert asked == [20, 20, 20, 20, 20, 20, 15, 15]
    asked.clear()
    whole = custom_pairs(units, crowd.counts, np.array([3]), fitted)
    assert asked == [75, 75]
    for some, all_of_them in zip(in_blocks, whole, strict=True):
        assert np.array_equal(some, all_of_them)


@pytest.mark.parametrize("rows", [[], [("ann", 0, 5, "A")], [("eve", 0, 5, "A")]])
def test_a_custom_dissimilarity_is_not_called_without_pairs(rows):
    asked = []

    def never(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
        asked.append(len(u.starts))
        return np.zeros(len(u.starts))

    continuum = text(*rows, annotators=["ann", "bob", "eve"])
    alignment = un.best_alignment(continuum, dissimilarity=own(never))
    assert len(alignment) == len(rows)
    assert alignment.disorder == (3.0 if rows else 0.0)
    assert sum(asked) == 0


@pytest.mark.parametrize(
    ("cost", "problem"),
    [
        (
            lambda u, v: np.maximum(u.starts - v.starts, 0.0),
            "must be symmetric; .* returned .* in one order",
        ),
        (lambda u, v: u.starts - v.starts, "must be 0 or more, got -1.0 for"),
        (lambda u, _: np.full(len(u.starts), math.nan), "must be 0 or more, got nan for"),
        (lambda *_: 0.5, r"one cost per pair, 4 in all; got an array of shape \(\)"),
        (lambda u, _: np.zeros((len(u.starts), 1)), r"got an array of shape \(4, 1\)"),
    ],
)
def test_invalid_custom_costs_are_rejected(cost, problem):
    with pytest.raises(un.DataError, match=problem):
        un.best_alignment(TEXT, dissimilarity=own(cost))


def test_asymmetric_custom_costs_are_reported_unscaled():
    uneven = own(lambda u, v: np.where(u.starts < v.starts, 3.0, 1.0), empty=4.0)
    with pytest.raises(un.DataError, match=r"at 0.0 and 1.0 it returned 3.0 in one order and 1.0"):
        un.best_alignment(TEXT, dissimilarity=uneven)


# What is refused


def test_a_corpus_is_not_a_continuum():
    corpus = un.Corpus.from_continua({"one": TEXT})
    with pytest.raises(TypeError, match=r"expects a Continuum, got Corpus; .*corpus\[name\]"):
        un.best_alignment(corpus)  # type: ignore[arg-type]


@pytest.mark.parametrize("annotators", [[], ["ann"]])
def test_one_annotator_alone_cannot_be_aligned(annotators):
    with pytest.raises(un.DataError, match="needs at least two annotators; there is"):
        un.best_alignment(text(annotators=annotators))


def test_a_label_without_a_distance_is_named():
    matrix = un.DistanceMatrix(["A"], [[0]])
    with pytest.raises(un.DataError, match="does not have the label 'B'"):
        best(TEXT, distance=matrix)


@pytest.mark.parametrize("wrong", ["combined", un.CombinedDissimilarity, 0])
def test_a_dissimilarity_of_another_type_is_a_type_error(wrong):
    with pytest.raises(TypeError, match="dissimilarity"):
        un.best_alignment(TEXT, dissimilarity=wrong)


def test_a_crowd_of_150_in_agreement_is_aligned():
    rng = np.random.default_rng(1)
    starts = 10.0 * np.tile(np.arange(100), 150) + rng.uniform(-0.3, 0.3, 15_000)
    names = np.repeat([f"a{place:03}" for place in range(150)], 100)
    crowd = un.Continuum.from_columns(names, starts, starts + 8.0, ["x"] * 15_000)
    alignment = un.best_alignment(crowd)
    assert alignment.proven
    assert len(alignment) == 100
    assert alignment.disorder < 0.01
