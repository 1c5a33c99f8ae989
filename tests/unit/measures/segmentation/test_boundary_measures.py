import math
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

import segmentation_oracle as oracle
import unisono as un
from unisono.errors import DataError, SettingError
from unisono.measures.segmentation.boundary_edits import boundary_edits

MEASURES = (
    un.pk,
    un.window_diff,
    un.generalized_hamming,
    un.boundary_similarity,
    un.segmentation_similarity,
)
DISTANCES, SIMILARITIES = MEASURES[:3], MEASURES[3:]
CUTS = {"ann": [2, 3, 6], "bob": [5, 6], "eve": [2, 4, 5]}


def cut(masses):
    return un.Segmentation.from_masses(masses)


def cuts(table):
    return {name: cut(masses) for name, masses in table.items()}


@pytest.mark.parametrize("measure", MEASURES)
def test_a_segmentation_agrees_with_itself(measure):
    text = cut([2, 3, 6])
    result = measure(text, text)

    assert result.value == result.perfect
    assert result.observed == 0.0


@pytest.mark.parametrize("measure", MEASURES)
def test_the_value_of_several_is_the_mean_over_pairs(measure):
    texts = cuts(CUTS)
    result = measure(texts)
    pairs = combinations(CUTS, 2) if result.perfect else permutations(CUTS, 2)
    values = [measure(texts[one], texts[other]).value for one, other in pairs]

    assert result.value == pytest.approx(sum(values) / len(values), rel=1e-14)
    assert result.n_annotators == 3
    assert (result.n_atoms, result.n_boundaries) == (11, 5)


@pytest.mark.parametrize("measure", [un.pk, un.window_diff])
def test_pairs_of_windows_are_in_both_orders_with_the_reference_first(measure):
    texts = cuts(CUTS)
    result = measure(texts)

    assert set(result.by_pair) == set(permutations(CUTS, 2))
    assert result.by_pair["bob", "ann"].value == measure(texts["bob"], texts["ann"]).value
    assert result.by_pair["ann", "bob"].value != result.by_pair["bob", "ann"].value


@pytest.mark.parametrize("measure", MEASURES)
def test_a_corpus_puts_the_counts_of_a_pair_together(measure):
    texts = {"a": cuts({"ann": [2, 3, 6], "bob": [5, 6]}), "b": cuts({"ann": [9], "bob": [4, 5]})}
    result = measure(texts)
    near, k = 2, oracle.default_window
    wrong = whole = 0.0
    orders = [("ann", "bob"), ("bob", "ann")]
    shares = []
    for one, other in orders:
        wrong = whole = 0.0
        for text in texts.values():
            marks = [oracle.marks_of(text[name].masses.tolist()) for name in (one, other)]
            size = len(marks[0]) + 1
            if measure in (un.pk, un.window_diff):
                windows = size - k(marks[0])
                wrong += float(getattr(oracle, measure.__name__)(marks, k(marks[0])) * windows)
                whole += windows
            elif measure is un.generalized_hamming:
                wrong += oracle.cheapest(marks, 2.0, 2.0, 1.0)
                whole += 1
            else:
                edited, boundaries, places = oracle.edit_shares(marks, near)
                wrong += float(edited)
                whole += boundaries if measure is un.boundary_similarity else places
        shares.append(wrong / whole)

    assert result.observed == pytest.approx(sum(shares) / 2, rel=1e-14)
    assert list(result.documents) == ["a", "b"]
    assert result.documents["a"].value == measure(texts["a"]).value
    assert result.documents["a"] == measure(texts["a"])


@pytest.mark.parametrize("measure", MEASURES)
def test_continua_and_corpora_are_taken_as_they_are(measure):
    rows = [("ann", 0, 2), ("ann", 2, 5), ("ann", 5, 11), ("bob", 0, 5), ("bob", 5, 11)]
    talk = un.Continuum.from_units(rows)
    corpus = un.Corpus.from_continua({"talk": talk, "walk": talk})

    of_units, of_segments = measure(talk), measure(cuts({"ann": [2, 3, 6], "bob": [5, 6]}))
    assert (of_units.value, of_units.observed) == (of_segments.value, of_segments.observed)
    assert measure(corpus).value == measure(talk).value
    of_units, of_segments = measure(corpus), measure(un.segmentations(corpus))
    assert of_units.value == of_segments.value
    assert list(of_units.documents) == list(of_segments.documents)


def test_a_window_can_be_chosen():
    one, other = cut([2, 3, 6]), cut([5, 6])
    marks = [oracle.marks_of(masses) for masses in ([2, 3, 6], [5, 6])]
    for k in range(1, 11):
        assert un.pk(one, other, window=k).value == float(oracle.pk(marks, k))
        assert un.window_diff(one, other, window=k).value == float(oracle.window_diff(marks, k))


@pytest.mark.parametrize(
    ("masses", "window"),
    [
        ([11], 6),  # 5.5 is rounded half to even
        ([9], 4),  # 4.5
        ([2, 3, 6], 2),
        ([1] * 9, 2),  # never below 2
        ([5, 5, 5], 2),  # 2.5
        ([7, 7], 4),  # 3.5
        ([2], 1),  # but shorter than the text
        ([1, 1], 1),
    ],
)
def test_the_window_is_half_the_mean_segment_of_the_reference(masses, window):
    reference = cut(masses)
    hypothesis = un.Segmentation.from_positions([1], length=reference.length)

    assert (
        un.window_diff(reference, hypothesis).value
        == un.window_diff(reference, hypothesis, window=window).value
    )


def test_nltk_has_one_window_more():
    reference = un.Segmentation.from_positions([4, 11], length=12)
    hypothesis = un.Segmentation.from_positions([5, 10], length=12)

    # NLTK's own example: windowdiff("000100000010", "000010000100", 3).
    assert un.window_diff(reference, hypothesis, window=3, convention="nltk").value == 0.3
    assert un.window_diff(reference, hypothesis, window=3).value == 3 / 9


@pytest.mark.parametrize(("convention", "longest"), [("papers", 10), ("nltk", 11)])
def test_a_window_as_long_as_the_text_is_refused(convention, longest):
    one, other = cut([2, 3, 6]), cut([5, 6])
    settings = {"convention": convention}
    with pytest.raises(
        DataError, match=f"window=12 is too long .* 11 atoms; use at most {longest}"
    ):
        un.pk(one, other, window=12, **settings)

    un.pk(one, other, window=longest, **settings)


def test_the_document_that_is_too_short_for_the_window_is_named():
    texts = {"long": cuts(CUTS), "short": cuts({"ann": [2, 1], "bob": [3]})}

    with pytest.raises(DataError, match="document 'short': window=5 is too long"):
        un.pk(texts, window=5)


@pytest.mark.parametrize(
    ("near", "edits"), [(1, (0, 0, 4)), (2, (0, 1, 2)), (3, (0, 1, 2)), (4, (0, 2, 0))]
)
def test_a_near_miss_spans_so_many_places(near, edits):
    one = un.Segmentation.from_positions([3, 10], length=20)
    other = un.Segmentation.from_positions([4, 13], length=20)

    assert un.boundary_similarity(one, other, near=near).edits == edits


def test_a_chain_of_near_misses_is_paired_from_the_left():
    one = un.Segmentation.from_positions([2, 4], length=9)
    other = un.Segmentation.from_positions([3], length=9)

    assert un.boundary_similarity(one, other).edits == (0, 1, 1)
    # Moves by one position come first, although moves by two would give more pairs.
    one = un.Segmentation.from_positions([1, 4], length=9)
    other = un.Segmentation.from_positions([3, 6], length=9)
    assert un.boundary_similarity(one, other, near=3).edits == (0, 1, 2)


def test_a_boundary_is_shifted_only_where_that_is_cheaper():
    one = un.Segmentation.from_positions([3], length=20)
    for place, cost in ((4, 1.0), (6, 3.0), (7, 4.0), (15, 4.0)):
        other = un.Segmentation.from_positions([place], length=20)
        assert un.generalized_hamming(one, other).value == cost


def test_what_is_lacking_is_inserted_and_what_is_too_much_deleted():
    whole, halves = cut([8]), cut([4, 4])
    costs: dict[str, Any] = {"insertion": 3, "deletion": 0.25, "shift": 1}

    assert un.generalized_hamming(halves, whole, **costs).value == 3.0
    assert un.generalized_hamming(whole, halves, **costs).value == 0.25
    both = un.generalized_hamming({"ann": whole, "bob": halves}, **costs)
    assert both.value == (3.0 + 0.25) / 2


def test_chance_is_that_of_the_rates_of_boundaries():
    texts = [{"ann": [2, 3, 6], "bob": [5, 6]}, {"ann": [2, 2], "bob": [1, 3]}]
    marks = [{name: oracle.marks_of(one) for name, one in text.items()} for text in texts]
    given = {str(i): cuts(text) for i, text in enumerate(texts)}
    for measure, of_places in zip(SIMILARITIES, (False, True), strict=True):
        result = measure(given)
        expected = oracle.corrected(marks, 2, of_places=of_places)
        assert result.pi is not None
        assert result.kappa is not None
        assert result.pi.value == pytest.approx(expected["pi"], rel=1e-13)
        assert result.kappa.value == pytest.approx(expected["kappa"], rel=1e-13)


@pytest.mark.parametrize("measure", DISTANCES)
def test_distances_have_no_chance(measure):
    result = measure(cuts(CUTS))

    assert (result.pi, result.kappa, result.edits) == (None, None, None)
    assert math.isnan(result.expected)
    assert result.observed == result.value


@pytest.mark.parametrize("measure", MEASURES)
def test_the_order_of_annotators_and_documents_moves_nothing(measure):
    tables = [{"x": CUTS, "y": {"bob": [3, 4], "ann": [7]}}, {}]
    for name in reversed(tables[0]):
        tables[1][name] = dict(reversed(tables[0][name].items()))
    one, other = (measure({name: cuts(table) for name, table in texts.items()}) for texts in tables)

    assert one == other


def test_annotators_need_not_have_cut_the_same_texts():
    texts = {"x": cuts(CUTS), "y": cuts({"ann": [3, 4]}), "z": cuts({"bob": [3, 4], "eve": [7]})}
    result = un.boundary_similarity(texts)

    assert set(result.by_pair) == {("ann", "bob"), ("ann", "eve"), ("bob", "eve")}
    # A near miss and a miss in x, a miss in z.
    assert result.by_pair["bob", "eve"].observed == (0.5 + 1 + 1) / 3
    assert result.notes == ("1 document with fewer than two annotators left out: y",)
    assert result.n_atoms == 11 + 7
    assert "only 'ann'" in str(result.documents["y"].undefined)


def test_pairs_without_boundaries_are_left_out_with_a_note():
    result = un.boundary_similarity(cuts({"ann": [9], "bob": [9], "eve": [4, 5]}))

    assert result.value == 0.0
    assert result.notes == ("1 pair of annotators left out: neither segmentation has a boundary",)
    assert "neither" in str(result.by_pair["ann", "bob"].undefined)


def test_boundaries_merged_by_rounding_are_noted():
    rows = [("ann", 0, 2.9), ("ann", 2.9, 3.1), ("ann", 3.1, 9), ("bob", 0, 9)]
    result = un.pk(un.segmentations(un.Continuum.from_units(rows), atom=1))

    assert result.notes == (
        "1 boundary merged with others or with an end of the text by rounding to atoms",
    )


def test_many_boundaries_in_a_long_text_are_measured_by_boundaries():
    rng = np.random.default_rng(5)
    one, other = (
        un.Segmentation.from_positions(np.unique(rng.integers(1, 2**50, 300)), length=2**50)
        for _ in range(2)
    )

    assert 0.0 < un.pk(one, other).value < 1.0
    assert un.boundary_similarity(one, other).value == 0.0


@pytest.mark.parametrize("measure", [un.pk, un.window_diff, un.segmentation_similarity])
def test_a_text_of_one_atom_has_no_value(measure):
    result = measure(cut([1]), cut([1]))

    assert math.isnan(result.value)
    assert result.undefined == "a text of one atom has no position for a boundary"


def test_two_texts_in_one_piece_have_no_boundary_to_compare():
    result = un.boundary_similarity(cut([9]), cut([9]))

    assert result.undefined == "neither segmentation has a boundary"
    assert result.pi is not None
    assert result.kappa is not None
    assert result.pi.undefined == result.kappa.undefined == result.undefined
    for measure in (un.pk, un.window_diff, un.generalized_hamming):
        assert measure(cut([9]), cut([9])).value == 0.0
    assert un.segmentation_similarity(cut([9]), cut([9])).value == 1.0


def test_a_boundary_at_every_place_leaves_nothing_to_chance():
    result = un.boundary_similarity(cut([1, 1, 1]), cut([1, 1, 1]))

    assert result.value == 1.0
    assert result.pi is not None
    assert result.pi.undefined == "all positions have a boundary, so the expected disagreement is 0"


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({}, "there are no segmentations"),
        ({"ann": cut([2, 3])}, "at least two annotators; there is only 'ann'"),
        ({"x": {"ann": cut([2])}, "y": {"bob": cut([2])}}, "no text has two annotators"),
    ],
)
@pytest.mark.parametrize("measure", MEASURES)
def test_too_few_annotators_have_no_value(measure, texts, reason):
    result = measure(texts)

    assert math.isnan(result.value)
    assert reason in result.undefined
    if result.pi is not None:
        assert result.pi.undefined


@pytest.mark.parametrize("measure", MEASURES)
def test_texts_of_different_lengths_are_refused(measure):
    with pytest.raises(DataError, match="'hypothesis' 10 atoms and 'reference' 11 atoms"):
        measure(cut([5, 6]), cut([5, 5]))
    with pytest.raises(
        DataError, match="document 'x': segmentations of one text must have the same length"
    ):
        measure({"x": cuts({"ann": [3], "bob": [4]})})


@pytest.mark.parametrize(
    "given",
    [
        (cut([3]),),
        (cut([3]), [3]),
        (cuts(CUTS), cut([11])),
        ([2, 3, 6],),
        ({"ann": [2, 3]},),
        ({"ann": cut([3]), "x": cuts(CUTS)},),
        ({1.5: cut([3])},),
    ],
)
@pytest.mark.parametrize("measure", MEASURES)
def test_other_types_than_segmentations_are_refused(measure, given):
    with pytest.raises(TypeError):
        measure(*given)


def test_two_annotators_cannot_share_a_name():
    with pytest.raises(DataError, match="names of annotators must be unique, got 1, '1'"):
        un.pk({1: cut([3]), "1": cut([2, 1])})  # type: ignore[arg-type]


def test_units_with_gaps_refer_to_the_function_with_the_settings():
    gappy = un.Continuum.from_units([("ann", 0, 3), ("ann", 4, 9), ("bob", 0, 9)])

    with pytest.raises(DataError, match=r"a gap from 3 to 4.*segmentations\(\)"):
        un.pk(gappy)


@pytest.mark.parametrize(
    ("measure", "setting"),
    [
        (un.pk, {"window": 0}),
        (un.pk, {"convention": "mine"}),
        (un.window_diff, {"window": -2}),
        (un.boundary_similarity, {"near": 0}),
        (un.segmentation_similarity, {"near": 0}),
        (un.generalized_hamming, {"insertion": -1}),
        (un.generalized_hamming, {"shift": math.inf}),
    ],
)
def test_settings_that_no_text_could_have_are_refused(measure, setting):
    with pytest.raises(SettingError):
        measure(cut([2, 3]), cut([2, 3]), **setting)


@pytest.mark.parametrize(
    ("measure", "setting"), [(un.pk, {"window": 2.5}), (un.boundary_similarity, {"near": "2"})]
)
def test_settings_of_the_wrong_type_are_refused(measure, setting):
    with pytest.raises(TypeError):
        measure(cut([2, 3]), cut([2, 3]), **setting)


@pytest.mark.parametrize("passes", [0, 1])
def test_near_misses_are_the_same_in_passes_and_one_by_one(passes):
    rng = np.random.default_rng(11)
    for _ in range(300):
        marks = (rng.random((2, int(rng.integers(1, 40)))) < rng.random()).astype(int).tolist()
        near = int(rng.integers(1, 30))
        one, other = (cut(oracle.masses_of(each)) for each in marks)
        assert boundary_edits(one, other, near=near, passes=passes) == oracle.edits(marks, near)
