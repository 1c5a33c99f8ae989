"""Random continua: by circular shifts of one continuum, and by mosaics of several."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import oracle
import unisono as un
from draw_source import corpus_source, fitted_to, shift_source
from families import family
from unisono._core import make_draws
from unisono.measures.gamma.chance import DrawScores, Recipe, chance_rules

if TYPE_CHECKING:
    from draw_source import Source


def text(*rows: tuple, **settings) -> un.Continuum:
    return un.Continuum.from_units(rows, **settings)


def made(source: Source, recipe: Recipe, draw: int) -> oracle.Sets:
    """A draw as the kernel makes it."""
    tracks = source.tracks
    only = (each[draw : draw + 1] for each in recipe[:3])
    columns: Any = (*tracks.columns, tracks.origin, tracks.extent, *only)
    starts, ends, codes, counts = make_draws(*columns)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    labels = [source.fitted.labels[code] for code in codes]
    units = list(zip(starts.tolist(), ends.tolist(), labels, strict=True))
    return [units[a:b] for a, b in itertools.pairwise(offsets.tolist())]


# Models


def test_an_unknown_model_lists_the_choices():
    with pytest.raises(
        un.SettingError, match="chance='random'; choose one of 'shift', 'corpus', 'stat"
    ):
        chance_rules("random")


def test_a_model_is_named_by_a_string():
    with pytest.raises(un.SettingError, match=r"unknown chance=\['shift'\]"):
        chance_rules(["shift"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("model", "units", "annotators", "mean"),
    [
        ("shift", 5, 2, 2.5),
        ("corpus", 5, 2, 2.5),
        ("gamma-software", 5, 2, 2.0),
        ("gamma-software", 6, 2, 3.0),
        ("gamma-software", 1, 3, 1.0),
    ],
)
def test_only_the_software_rounds_the_mean_number_of_units_down(model, units, annotators, mean):
    assert chance_rules(model).mean_units(units, annotators) == mean


@pytest.mark.parametrize(("model", "factor"), [("shift", 1), ("corpus", 1), ("gamma-software", 5)])
def test_only_the_software_trusts_pairs_by_weighted_position(model, factor):
    weighty = fitted_to(text(("ann", 0, 1, "A")), un.CombinedDissimilarity(position=5))
    assert chance_rules(model).confidence_factor(weighty) == factor


# Shifts: how far apart

WIDE = text(
    ("ann", 0, 4, "A"), ("ann", 50, 52, "B"), ("bob", 60, 63, "A"), ("eve", 97, 100, "B")
)  # mean length 3 on an extent of 100


def test_shifts_are_a_mean_length_apart():
    source = shift_source(WIDE)
    assert source.model.spacing == 3.0
    assert not source.model.spacing_was_lowered
    for draw in source.recipe(0, 200).shifts.tolist():
        assert min(oracle.circular_gaps(draw, 100.0)) >= 3.0 - 1e-9


def test_the_software_has_half_the_spacing_and_whole_shifts():
    source = shift_source(WIDE, "gamma-software")
    shifts = source.recipe(0, 50).shifts
    assert source.model.spacing == 1.5
    assert (shifts == np.floor(shifts)).all()
    assert shifts.max() < 100.0
    assert len(np.unique(shifts)) > 30


@pytest.mark.parametrize(("length", "spacing", "lowered"), [(2.0, 2.0, False), (2.5, 1.25, True)])
def test_spacing_that_leaves_no_freedom_is_lowered(length, spacing, lowered):
    # Four annotators on an extent of 10: 2.5 each would fix the shifts against each other.
    crowd = text(
        *((name, 0, length) for name in "abcd"), ("a", 10 - length, 10), extent=(0.0, 10.0)
    )
    source = shift_source(crowd)
    assert source.model.spacing == spacing
    assert source.model.spacing_was_lowered is lowered
    for draw in source.recipe(0, 100).shifts.tolist():
        assert min(oracle.circular_gaps(draw, 10.0)) >= spacing - 1e-9


def test_units_longer_than_their_share_lower_the_spacing():
    source = shift_source(text(("ann", 0, 10), ("bob", 2, 9)))
    assert source.model.spacing == 2.5
    assert source.model.spacing_was_lowered


def test_without_extent_nothing_is_shifted():
    points = text(("ann", 7, 7, "A"), ("bob", 7, 7, "B"))
    source = shift_source(points)
    recipe = source.recipe(0, 5)
    assert source.model.spacing == 0.0
    assert recipe.shifts.tolist() == [[0.0, 0.0]] * 5
    assert {start for units in made(source, recipe, 0) for start, _, _ in units} == {0.0}


@pytest.mark.parametrize(("extent", "is_refused"), [(1.999, True), (2.0, False)])
def test_whole_shifts_need_room_for_different_ones(extent, is_refused):
    short = text(("ann", 0, 0.5), ("bob", 0, 0.5), extent=(0.0, extent))
    if is_refused:
        with pytest.raises(
            un.DataError, match=r"too short for 2 different shifts; .* milliseconds"
        ):
            shift_source(short, "gamma-software")
    else:
        assert shift_source(short, "gamma-software").model.spacing == 0.25
    assert shift_source(short).model.spacing == 0.5


# Shifts: what a draw is


def test_a_draw_has_a_track_and_a_shift_per_annotator():
    recipe = shift_source(WIDE).recipe(0, 7)
    assert recipe.picks.shape == recipe.shifts.shape == (7, 3)
    assert recipe.picks.dtype == np.int32
    assert recipe.tiled_to.shape == (0,)
    assert set(recipe.picks.ravel().tolist()) <= {0, 1, 2}
    assert ((recipe.shifts >= 0.0) & (recipe.shifts < 100.0)).all()


def test_units_move_whole_around_the_circle():
    moved = text(*((u.annotator, u.start + 5, u.end + 5, u.label) for u in WIDE))
    source = shift_source(moved)
    recipe = source.recipe(0, 20)
    for draw in range(20):
        picks, shifts = recipe.picks[draw].tolist(), recipe.shifts[draw].tolist()
        expected = oracle.shifted(oracle.sets_of(WIDE), (0.0, 100.0), picks, shifts)
        for here, there in zip(made(source, recipe, draw), expected, strict=True):
            assert [label for *_, label in here] == [label for *_, label in there]
            assert [u[:2] for u in here] == [pytest.approx(u[:2], abs=1e-9) for u in there]


def test_a_draw_depends_on_its_number_and_the_seed_only():
    source = shift_source(WIDE)
    whole, late = source.recipe(0, 10), source.recipe(6, 4)
    assert (whole.picks[6:] == late.picks).all()
    assert (whole.shifts[6:] == late.shifts).all()
    assert (shift_source(WIDE, seed=43).recipe(0, 10).shifts != whole.shifts).all()


def test_texts_with_different_units_have_different_streams():
    other = text(*((u.annotator, u.start, u.end, "A") for u in WIDE))
    assert (shift_source(other).recipe(0, 5).shifts != shift_source(WIDE).recipe(0, 5).shifts).all()


def test_draws_are_golden():
    golden = [
        [54.86465552857904, 27.176832067148066, 4.279806636555207],
        [27.833078813959972, 0.6288813597628575, 65.49987284256315],
    ]
    # A published value must be reproducible by every later version.
    recipe = shift_source(WIDE).recipe(0, 2)
    assert recipe.picks.tolist() == [[2, 0, 0], [2, 0, 2]]
    assert recipe.shifts.tolist() == [pytest.approx(row, rel=1e-15) for row in golden]


def test_a_draw_without_units_is_drawn_again_and_counted():
    lonely = text(("ann", 0, 5, "A"), annotators=["ann", "bob", "eve"])
    source = shift_source(lonely)
    recipe = source.recipe(0, 300)
    assert (recipe.picks == 0).any(axis=1).all()
    # Each try has no units with probability (2/3)³, so 300 draws take about 426 tries.
    assert 80 < recipe.redrawn < 190
    assert recipe.redrawn == sum(source.recipe(draw, 1).redrawn for draw in range(300))


def test_no_draw_is_repeated_if_all_annotators_have_units():
    assert shift_source(WIDE).recipe(0, 100).redrawn == 0


# Scores


def test_scores_come_to_the_same_in_parts():
    source = shift_source(family("spread", 3, 4, np.random.default_rng(1)))
    whole = source.score(0, 7)
    joined = DrawScores.joined([source.score(0, 3), source.score(3, 4)])
    for name in DrawScores._fields:
        assert np.array_equal(getattr(whole, name), getattr(joined, name))


def test_draws_made_again_are_added_up():
    source = shift_source(text(("ann", 0, 5, "A"), annotators=["ann", "bob"]))
    parts = [source.score(0, 30), source.score(30, 30)]
    assert all(part.redrawn > 0 for part in parts)
    assert DrawScores.joined(parts).redrawn == source.score(0, 60).redrawn


@pytest.mark.parametrize("model", ["shift", "gamma-software"])
def test_a_draw_is_divided_by_its_own_mean_number_of_units(model):
    uneven = text(("ann", 0, 4, "A"), *(("bob", 9 * i, 9 * i + 3, "A") for i in range(1, 5)))
    source = shift_source(uneven, model)
    recipe = source.recipe(0, 12)
    scores = source.score(0, 12)
    for draw in range(12):
        sets = made(source, recipe, draw)
        alone = oracle.BruteForce(sets, oracle.Rules()).best_sum()
        mean = oracle.mean_units(sets)
        expected = alone / (mean if model == "shift" else math.floor(mean))
        assert scores.disorders[draw] == pytest.approx(expected, rel=1e-9)
    assert len({len(made(source, recipe, draw)[0]) for draw in range(12)}) > 1


def test_scores_are_scaled_by_the_empty_cost():
    source, twice = (
        shift_source(WIDE, dissimilarity=un.CombinedDissimilarity(empty=empty)).score(0, 5)
        for empty in (1.0, 2.0)
    )
    for name in ("disorders", "lower_bounds", "label_disorder", "label_disorder_of"):
        assert getattr(twice, name) == pytest.approx(2 * getattr(source, name), rel=1e-14)
    for name in ("label_weight", "label_weight_of"):
        assert np.array_equal(getattr(twice, name), getattr(source, name))


def test_a_draw_that_is_too_much_work_is_reported():
    crowd = family("overlapping", 4, 8, np.random.default_rng(1))
    scores = shift_source(crowd).score(0, 4, effort=1e-9)
    assert not scores.proven.any()
    assert (scores.lower_bounds <= scores.disorders).all()
    assert (scores.lower_bounds < scores.disorders).any()


# Mosaics

CORPUS = un.Corpus.from_continua(
    {
        "long": text(("ann", 100, 103, "A"), ("bob", 111, 117, "B"), extent=(100.0, 120.0)),
        "point": text(("ann", 5, 5, "C"), ("bob", 5, 5, "A")),
        "seen": text(annotators=["ann", "bob"], extent=(0.0, 3.0)),
        "short": text(("ann", 1, 3, "B"), ("eve", 4, 6, "C"), ("eve", 6, 8, "A")),
        "unseen": text(),
    }
)
SOURCES = ("long", "point", "seen", "short")  # of two annotators each: tracks 0–7


def drawn_documents(recipe: Recipe) -> list[list[str]]:
    return [[SOURCES[track // 2] for track in draw] for draw in recipe.picks.tolist()]


def mosaic(track: int, length: float) -> list[oracle.Unit]:
    """One annotator's units repeated up to a length; a unit is kept if it starts before it."""
    continuum = CORPUS[SOURCES[track // 2]]
    low, high = continuum.extent
    units = oracle.sets_of(continuum)[track % 2]
    tiles = itertools.takewhile(lambda moved: moved < length, itertools.count(0.0, high - low))
    return [
        (start - low + moved, end - low + moved, label)
        for moved in (tiles if high > low else [0.0])
        for start, end, label in units
        if start - low + moved < length
    ]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_place_has_another_document(n):
    recipe = corpus_source(CORPUS, n).recipe(0, 100)
    assert recipe.picks.shape == (100, n)
    assert recipe.picks.dtype == np.int32
    assert all(len(set(names)) == n for names in drawn_documents(recipe))
    assert not recipe.shifts.any()


def test_every_annotator_of_every_document_is_drawn_equally_often():
    full = un.Corpus.from_continua({f"text {i}": CORPUS["short"] for i in range(4)})
    picks = corpus_source(full, 2).recipe(0, 2000).picks
    for place in range(2):
        counts = np.bincount(picks[:, place], minlength=8)
        assert np.all(np.abs(counts - 250) < 5 * math.sqrt(2000 * 7 / 64))


def test_a_mosaic_is_as_long_as_the_longest_of_its_documents():
    recipe = corpus_source(CORPUS, 2).recipe(0, 50)
    length = {"long": 20.0, "point": 0.0, "seen": 3.0, "short": 7.0}
    expected = [max(length[name] for name in names) for names in drawn_documents(recipe)]
    assert recipe.tiled_to.tolist() == expected


@pytest.mark.parametrize("n", [2, 3])
def test_the_kernel_lays_the_mosaic_of_the_definition(n):
    source = corpus_source(CORPUS, n)
    recipe = source.recipe(0, 60)
    for draw in range(60):
        expected = [mosaic(track, recipe.tiled_to[draw]) for track in recipe.picks[draw].tolist()]
        assert made(source, recipe, draw) == expected
    assert max(len(units) for draw in range(60) for units in made(source, recipe, draw)) == 6


def test_a_mosaic_without_units_is_drawn_again_and_counted():
    recipe = corpus_source(CORPUS, 2).recipe(0, 200)
    counts = np.array([1, 1, 1, 1, 0, 0, 1, 2])
    assert counts[recipe.picks].any(axis=1).all()
    assert recipe.redrawn == 0  # no two documents without units
    silent = un.Corpus.from_continua({**CORPUS, "unseen": CORPUS["seen"]})
    assert corpus_source(silent, 2).recipe(0, 200).redrawn > 5


def test_mosaics_of_different_numbers_of_annotators_have_different_streams():
    sources = corpus_source(CORPUS, 2), corpus_source(CORPUS, 3), corpus_source(CORPUS, 2, seed=43)
    first = [[names[0] for names in drawn_documents(source.recipe(0, 50))] for source in sources]
    assert first[0] != first[1]
    assert first[0] != first[2]


def test_a_mosaic_depends_on_its_number_only():
    source = corpus_source(CORPUS, 2)
    assert (source.recipe(0, 10).picks[6:] == source.recipe(6, 4).picks).all()


def test_scores_of_mosaics_are_those_of_the_definition():
    source = corpus_source(CORPUS, 2)
    recipe, scores = source.recipe(0, 15), source.score(0, 15)
    for draw in range(15):
        sets = made(source, recipe, draw)
        best = oracle.BruteForce(sets, oracle.Rules())
        assert scores.disorders[draw] == pytest.approx(best.disorder, rel=1e-9)
    assert scores.label_weight_of.shape == (15, 3)


def test_an_own_formula_scores_mosaics_as_the_same_one_built_in():
    def by_hand(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
        apart = np.abs(u.starts - v.starts) + np.abs(u.ends - v.ends)
        lengths = u.ends - u.starts + v.ends - v.starts
        return (apart / lengths) ** 2 + (u.label_codes != v.label_codes)

    corpus = un.Corpus.from_continua(
        {f"text {i}": family("spread", 2, 3, np.random.default_rng(i)) for i in range(4)}
    )
    here, there = (
        corpus_source(corpus, 3, dissimilarity).score(0, 8)
        for dissimilarity in (un.CustomDissimilarity(cost=by_hand), un.CombinedDissimilarity())
    )
    for mine, theirs in zip(here[:-1], there[:-1], strict=True):
        assert mine == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    # A function in Python is more work.
    assert here.work > there.work > 0


def test_too_few_documents_are_refused():
    with pytest.raises(un.DataError, match=r"needs 5 documents .* there are only 4"):
        corpus_source(CORPUS, 5)


def test_documents_that_differ_enormously_are_refused():
    grain = text(("ann", 0, 1e-6, "A"), ("bob", 0, 1e-6, "A"))
    beach = text(("ann", 0, 1e6, "A"), ("bob", 0, 1e6, "A"))
    source = corpus_source(un.Corpus.from_continua({"grain": grain, "beach": beach}), 2)
    with pytest.raises(un.DataError, match="one draw would have 1000000000001 units"):
        source.recipe(0, 3)
