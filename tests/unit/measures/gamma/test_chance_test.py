"""Where the share of draws as orderly as the data is a p-value."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import unisono as un
from unisono.measures.gamma.chance_test import failed_conditions, why_no_test
from unisono.results.render import latex

DRAWS = 199


def document(rows_of, extent=(0.0, 1000.0)):
    rows = [
        (name, start, end, "A")
        for name, units in zip(("ann", "bob"), rows_of, strict=True)
        for start, end in units
    ]
    return un.Continuum.from_units(rows, extent=extent)


def units(starts, length):
    return [(start, start + length) for start in starts]


def scattered(seed, count=10):
    rng = np.random.default_rng(seed)
    return units(np.sort(rng.choice(np.arange(0, 980, 22), count, replace=False)), 20.0)


def irregular(length):
    return units([0, 30, 200, 240, 700, 730], length)


# Each fails one condition alone.
FINE = document([scattered(1), scattered(2)])
LONG = document([units([0, 500], 90.0), units([100, 700], 90.0)])
# Many short units beside one that covers much: the mean length stays small.
COVERED = document(
    [
        [*units(np.cumsum([0, 3, 9, 2, 12, 4, 8, 3, 10, 2, 7]), 2.0), (60.0, 1000.0)],
        [*units(np.cumsum([0, 9, 3, 12, 2, 8, 4, 10, 3, 7, 2]), 2.0), (65.0, 1000.0)],
    ]
)
REGULAR = document([units(range(0, 1000, 50), 20.0), units(range(20, 1000, 50), 20.0)])


def test_a_document_that_meets_all_conditions_has_a_p_value():
    found = un.gamma(FINE, draws=DRAWS)

    assert found.p_value == (1 + found.n_as_orderly) / (1 + DRAWS)
    assert found.p_value_note is None


@pytest.mark.parametrize(
    ("data", "settings", "note"),
    [
        (FINE, {"chance": "statistical"}, "this chance model gives no test"),
        (FINE, {"draws": DRAWS - 1}, "a test needs 199 draws or more"),
        (LONG, {}, "units are long for this document"),
        (REGULAR, {}, "the units follow each other regularly"),
    ],
)
def test_each_condition_alone_takes_the_p_value_away(data, settings, note):
    found = un.gamma(data, **{"draws": DRAWS, **settings})

    assert found.p_value is None
    assert (found.p_value_note or "").startswith(note)


def test_units_that_cover_the_document_take_the_p_value_away():
    # With a small spacing no other condition fails.
    assert (why_no_test([(COVERED, 10.0, 1.0)]) or "").startswith("the units cover the document")
    assert why_no_test([(FINE, 20.0, 1.0)]) is None


def test_an_undefined_value_has_no_p_value_for_that_reason():
    found = un.gamma(document([[(7.0, 7.0)], [(7.0, 7.0)]], extent=(7.0, 7.0)), draws=DRAWS)

    assert found.undefined
    assert (found.p_value, found.p_value_note) == (None, found.undefined)


def test_segments_have_no_p_value():
    rng = np.random.default_rng(1)
    for parts in (3, 5, 15, 50):
        both = []
        for _ in range(2):
            borders = [0.0, *np.sort(rng.uniform(1, 999, parts - 1)), 1000.0]
            both.append(list(pairwise(borders)))
        assert un.gamma(document(both), draws=DRAWS).p_value is None


def test_in_a_corpus_the_conditions_hold_for_nine_tenths_of_the_weight():
    fine = {f"fine {seed}": document([scattered(seed), scattered(99 + seed)]) for seed in range(9)}
    light = un.Corpus.from_continua({**fine, "long": LONG})
    heavy = un.Corpus.from_continua({**fine, "regular": REGULAR})

    assert un.gamma(light, draws=DRAWS).p_value is not None
    assert un.gamma(heavy, draws=DRAWS).p_value_note == "the units follow each other regularly"


def test_documents_have_the_values_of_their_columns():
    corpus = un.Corpus.from_continua({"fine": FINE, "long": LONG, "regular": REGULAR})
    found = un.gamma(corpus, draws=DRAWS)
    rows = found.sheet().tables[-1].rows
    names = [column.name for column in found.sheet().tables[-1].columns]

    for row in rows:
        of = dict(zip(names, row, strict=True))
        each = found.documents[of["document"]]
        told = None if np.isnan(of["p_value"]) else of["p_value"]
        assert (told, of["monte_carlo_se"]) == (each.p_value, each.monte_carlo_se)


def test_a_corpus_whose_documents_share_draws_has_no_chance_line():
    corpus = un.read("examples/corpus")
    shared, own = (un.gamma(corpus, draws=DRAWS, chance=model) for model in ("corpus", "shift"))

    assert (shared.p_value, shared.chance_bounds) == (None, None)
    assert own.chance_bounds is not None
    facts = [[fact.column.name for fact in each.sheet().facts] for each in (shared, own)]
    assert ["chance" in names for names in facts] == [False, True]


def test_the_bounds_are_the_middle_of_the_draws_as_gamma():
    found = un.gamma(FINE, draws=DRAWS)
    as_gamma = 1 - found.draw_disorders / found.expected

    assert found.chance_bounds is not None
    assert tuple(found.chance_bounds) == pytest.approx(np.quantile(as_gamma, [0.025, 0.975]))
    assert un.gamma(FINE, draws=29).chance_bounds is None


@pytest.mark.parametrize("chance", ["shift", "statistical", "gamma-software"])
def test_no_p_value_is_shown_to_readers(chance):
    found = un.gamma(FINE, draws=DRAWS, chance=chance)

    for shown in (found.to_markdown(), found._repr_html_(), latex(found.sheet()), str(found)):
        assert "p-value" not in shown
    assert "p_value" in found.to_dict()


def test_conditions_of_many_documents_are_those_of_each():
    documents = [FINE, LONG, COVERED, REGULAR, document([units([0], 20.0), []])]
    spacing = np.array([20.0, 90.0, 10.0, 20.0, 20.0])
    together = failed_conditions(documents, spacing)

    assert together.tolist() == [
        [False, False, False],
        [True, False, False],
        [False, True, False],
        [False, False, True],
        [False, False, False],
    ]
    for at, each in enumerate(documents):
        assert (failed_conditions([each], spacing[at : at + 1]) == together[at]).all()
