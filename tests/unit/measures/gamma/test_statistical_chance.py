"""The statistical chance model: draws follow what was fitted."""

from __future__ import annotations

import numpy as np
import pytest

import unisono as un
from draw_source import Source, fitted_to
from unisono.measures.gamma.chance import StatisticalChance, chance_rules, spreads_of

REFERENCE = un.generate_reference(
    60, labels={"A": 3, "B": 1}, lengths={"A": (4, 6), "B": (14, 16)}, gaps=(1, 9), rng=1
)
TEXT = un.shuffle(REFERENCE, magnitude=0.2, errors=("position", "false_negative"), rng=1).continuum


def source_of(text, seed=7):
    fitted = fitted_to(text)
    return Source(StatisticalChance(text, fitted, seed), fitted, chance_rules("statistical"))


def test_draws_have_the_units_labels_lengths_and_gaps_of_the_data():
    spreads = spreads_of(TEXT)
    tracks, recipe = source_of(TEXT).model.drawn(0, 400)
    starts, ends, codes, offsets = tracks.columns
    counts = np.diff(offsets)
    assert recipe.picks.shape == (400, 3)
    assert counts.mean() == pytest.approx(spreads.units[0], rel=0.02)
    assert counts.std() == pytest.approx(spreads.units[1], rel=0.15)
    assert np.mean(codes == 0) == pytest.approx(spreads.shares[0], abs=0.01)
    for code in (0, 1):
        lengths = (ends - starts)[codes == code]
        assert lengths.mean() == pytest.approx(spreads.length_mean[code], rel=0.02)
        assert lengths.std() == pytest.approx(spreads.length_deviation[code], rel=0.05)
    # A draw is as long as its units and gaps: the last end is the sum of all.
    last = np.maximum.reduceat(ends, offsets[:-1])
    mean_length = float((ends - starts).mean())
    assert (last / counts - mean_length).mean() == pytest.approx(spreads.gap[0], rel=0.05)


def test_a_fit_is_what_can_be_counted():
    text = un.Continuum.from_units(
        [("ann", 1, 4, "A"), ("ann", 3, 9, "A"), ("bob", 5, 6, "B")],
        annotators=("ann", "bob", "eve"),
        extent=(0, 10),
    )
    spreads = spreads_of(text)
    assert spreads.units == pytest.approx((1.0, np.std([2, 1, 0])))
    assert spreads.gap == pytest.approx((5 / 3, np.std([1, -1, 5])))
    assert spreads.length_mean.tolist() == [4.5, 1.0]
    assert spreads.shares == pytest.approx([2 / 3, 1 / 3])


def test_draws_do_not_depend_on_how_many_are_made_at_once():
    source = source_of(TEXT)
    whole = source.score(0, 9)
    parts = [source.score(first, 3) for first in (0, 3, 6)]
    assert np.concatenate([part.disorders for part in parts]).tolist() == whole.disorders.tolist()


def test_the_signature_names_the_statistical_model():
    result = un.gamma(TEXT, chance="statistical", draws=50, rng=1)
    shifted = un.gamma(TEXT, draws=50, rng=1)
    assert "|chance:statistical|" in str(result.signature)
    assert result.observed == shifted.observed
    assert result.expected == pytest.approx(shifted.expected, rel=0.2)
    assert result.spacing is None
    rows = [(u.annotator, 4 * u.start + 8, 4 * u.end + 8, u.label) for u in TEXT]
    low, high = TEXT.extent
    moved = un.Continuum.from_units(
        rows, annotators=TEXT.annotators, extent=(4 * low + 8, 4 * high + 8)
    )
    again = un.gamma(moved, chance="statistical", draws=50, rng=1)
    assert again.value == pytest.approx(result.value, rel=1e-9)


def test_names_of_annotators_do_not_matter():
    renamed = TEXT.rename(annotators={"sim1": "c", "sim2": "b", "sim3": "a"})
    first = spreads_of(TEXT)
    second = spreads_of(renamed)
    assert first.units == second.units
    assert first.gap == second.gap
    assert first.length_mean.tolist() == second.length_mean.tolist()


def test_a_corpus_is_fitted_document_by_document_and_some_annotators_can_be_the_source():
    corpus = un.Corpus.from_continua({"one": TEXT, "two": TEXT.only(annotators=("sim1", "sim2"))})
    result = un.gamma(corpus, chance="statistical", draws=30, rng=1)
    alone = un.gamma(TEXT, chance="statistical", draws=30, rng=1)
    one = un.gamma(corpus.only(documents=["one"]), chance="statistical", draws=30, rng=1)
    assert result.documents["one"].value == one.value
    chosen = un.gamma(TEXT, chance="statistical", chance_from=("sim1",), draws=30, rng=1)
    assert chosen.expected != alone.expected
    silent = TEXT.only(annotators=("sim1",))
    none = un.Continuum.from_units(
        [(u.annotator, u.start, u.end, u.label) for u in silent], annotators=("sim1", "sim2")
    )
    nothing = un.gamma(none, chance="statistical", chance_from=("sim2",), draws=30, rng=1)
    assert nothing.undefined == "the annotators in chance_from have no units"


def test_draws_without_units_are_drawn_again():
    lone = un.Continuum.from_units([("ann", 0, 5, "A")], annotators=("ann", "bob"))
    result = un.gamma(lone, chance="statistical", draws=50, rng=1)
    assert result.redrawn > 0
    assert np.isfinite(result.expected)


def test_units_too_rare_to_be_drawn_raise_an_error():
    crowd = [f"ann{number:04}" for number in range(1000)]
    text = un.Continuum.from_units([("ann0000", 0, 5, "A")], annotators=crowd)
    with pytest.raises(un.DataError, match=r"annotators with 0.001 units .* almost only draws"):
        source_of(text).model.drawn(0, 1)
