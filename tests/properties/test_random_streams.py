"""Laws of random streams: each document of a corpus has its own, named by seed, name and shape."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

import unisono as un
from draw_source import shift_source
from unisono.simulation.calibration.curves import Simulations

if TYPE_CHECKING:
    from pathlib import Path

OF_ONE_DOCUMENT = ("shift", "gamma-software", "statistical")


def text(shift: float = 0.0) -> un.Continuum:
    return un.Continuum.from_units(
        [
            ("ann", 0, 10, "A"),
            ("ann", 15, 22 + shift, "B"),
            ("ann", 40, 55, "A"),
            ("bob", 1, 10, "A"),
            ("bob", 16 + shift, 20, "B"),
            ("eve", 41, 60, "C"),
        ],
        extent=(0, 100),
    )


def corpus(*names: str) -> un.Corpus:
    return un.Corpus.from_continua({name: text() for name in names})


def draws(result: un.results.GammaAgreement, name: str) -> bytes:
    return result.documents[name].draw_disorders.tobytes()


@pytest.mark.parametrize("chance", OF_ONE_DOCUMENT)
def test_documents_of_equal_content_have_draws_of_their_own(chance):
    names = [f"text {number}" for number in range(40)]
    result = un.gamma(corpus(*names), draws=30, chance=chance)

    assert len({draws(result, name) for name in names}) == len(names)


@pytest.mark.parametrize("chance", OF_ONE_DOCUMENT)
def test_other_documents_change_no_draw_of_a_document(chance):
    few = un.gamma(corpus("b", "d"), draws=40, chance=chance)
    other = un.Continuum.from_units([("ann", 0, 9, "0"), ("zoe", 3, 9, "Z"), ("zoe", 9, 30, "A")])
    many = un.gamma(
        un.Corpus.from_continua({"a": other, "b": text(), "c": text(), "d": text(), "e": other}),
        draws=40,
        chance=chance,
    )

    for name in ("b", "d"):
        assert draws(many, name) == draws(few, name)
        assert many.documents[name].expected == few.documents[name].expected


def test_the_order_of_documents_and_rows_changes_no_draw():
    names = ["a", "b", "c"]
    rows = list(text())
    first = un.gamma(un.Corpus.from_continua({name: text() for name in names}), draws=30)
    second = un.gamma(
        un.Corpus.from_continua(
            {name: un.Continuum.from_units(rows[::-1], extent=(0, 100)) for name in reversed(names)}
        ),
        draws=30,
    )

    assert second.value == first.value
    assert second.gamma_cat.value == first.gamma_cat.value
    assert second.interval == first.interval
    assert [draws(second, name) for name in names] == [draws(first, name) for name in names]


def test_moving_a_border_changes_no_dice():
    before = un.gamma(un.Corpus.from_continua({"a": text()}), draws=200)
    after = un.gamma(un.Corpus.from_continua({"a": text(1e-9)}), draws=200)

    assert np.allclose(after.draw_disorders, before.draw_disorders, rtol=1e-6)


def test_a_new_name_changes_the_draws():
    assert draws(un.gamma(corpus("a"), draws=30), "a") != draws(
        un.gamma(corpus("b"), draws=30), "b"
    )


def test_a_continuum_by_itself_has_the_stream_of_no_name():
    alone = un.gamma(text(), draws=30).draw_disorders.tobytes()
    source = shift_source(text(), seed=0, name="")

    assert alone == source.score(0, 30).disorders.tobytes()
    assert alone != draws(un.gamma(corpus("a"), draws=30), "a")


def test_the_chance_model_of_a_corpus_gives_all_documents_the_same_draws():
    result = un.gamma(corpus("a", "b", "c"), draws=30, chance="corpus")

    assert len({draws(result, name) for name in "abc"}) == 1


def test_threads_and_executors_and_checkpoints_have_the_same_streams(tmp_path: Path):
    many = corpus(*(f"text {number}" for number in range(7)))
    expected = un.gamma(many, draws=50, workers=1)
    with ThreadPoolExecutor(2) as pool:
        found = [
            un.gamma(many, draws=50, workers=3),
            un.gamma(many, draws=50, executor=pool),
            un.gamma(many, draws=50, checkpoint=tmp_path),
            un.gamma(many, draws=50, checkpoint=tmp_path),
        ]

    for each in found:
        assert each.draw_disorders.tobytes() == expected.draw_disorders.tobytes()
        assert [draws(each, name) for name in many] == [draws(expected, name) for name in many]


@pytest.mark.parametrize("chance", ["shift", "gamma-software"])
def test_the_variance_of_pooled_draws_falls_with_the_number_of_documents(chance):
    one = un.gamma(corpus("text"), draws=400, chance=chance).draw_disorders
    # Five groups of other names: their draws are independent of each other and of the first.
    ratios = [
        un.gamma(
            corpus(*(f"{group} {number}" for number in range(100))), draws=400, chance=chance
        ).draw_disorders.var(ddof=1)
        / (one.var(ddof=1) / 100)
        for group in "abcde"
    ]

    # A variance of 400 draws is known to 7 % or so; shared dice would give 100.
    assert 0.7 < float(np.mean(ratios)) < 1.4


def test_the_pooled_expected_disorder_varies_over_seeds_as_independent_documents_do():
    def spread(names: tuple[str, ...]) -> float:
        data = corpus(*names)
        return float(np.var([un.gamma(data, draws=10, rng=seed).expected for seed in range(200)]))

    single = spread(("text",))
    together = spread(tuple(f"text {number}" for number in range(25)))

    # Each variance of 200 values is known to 10 % or so.
    assert 0.6 < 25 * together / single < 1.6


def test_other_documents_change_no_simulated_annotator():
    def made(*names: str) -> dict[str, un.Continuum]:
        reference = text().only(annotators=["ann"])
        simulations = Simulations(
            references=dict.fromkeys(names, reference),
            annotators=dict.fromkeys(names, 3),
            prevalence={"A": 2, "B": 1},
            seed=0,
            settings={"draws": 5},
        )
        shufflers = simulations._shufflers("position")
        shuffled = simulations._shuffle(shufflers, 0.5, 0)
        return {name: each.continuum for name, each in shuffled.items()}

    few, many = made("b", "d"), made("a", "b", "c", "d")
    assert many["b"] == few["b"]
    assert many["d"] == few["d"]
    assert many["b"] != many["d"]
