"""How many draws are made, and that it does not depend on who makes them."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import unisono as un
from unisono.measures.gamma import monte_carlo
from unisono.measures.gamma.alignment import Search
from unisono.measures.gamma.evidence import LabelTotals, Totals
from unisono.measures.gamma.gamma import _run
from unisono.measures.gamma.monte_carlo import BUDGET, wanted_draws
from unisono.parallel import Processes

INTERVIEW = un.read("examples/interview.csv")["interview"]
CORPUS = un.read("examples/corpus")


def crowded(annotators: int = 6, units: int = 58) -> un.Continuum:
    """Annotators who mark at random: many draws are needed, and each is much work."""
    rng = np.random.default_rng(3)
    rows = []
    for who in range(annotators):
        starts = np.sort(rng.uniform(0, 1000, units // annotators + 1))
        rows += [
            (f"annotator {who}", start, start + rng.uniform(20, 90), "ABC"[rng.integers(3)])
            for start in starts
        ]
    return un.Continuum.from_units(rows)


@pytest.mark.parametrize("data", [INTERVIEW, CORPUS], ids=["document", "corpus"])
@pytest.mark.parametrize("chance", ["shift", "corpus"])
def test_threads_do_not_change_the_number_of_draws(data, chance):
    if chance == "corpus" and data is INTERVIEW:
        pytest.skip("this model draws from several documents")
    one, eight = (un.gamma(data, chance=chance, workers=workers) for workers in (1, 8))

    assert one == eight
    assert one.draws > 30


def test_executors_do_not_change_the_number_of_draws():
    here = un.gamma(CORPUS)
    with ThreadPoolExecutor(3) as threads, Processes(2) as processes:
        for executor in (threads, processes):
            assert un.gamma(CORPUS, executor=executor) == here


def test_a_checkpoint_does_not_change_the_number_of_draws(tmp_path):
    assert un.gamma(CORPUS, checkpoint=tmp_path) == un.gamma(CORPUS)
    assert un.gamma(CORPUS, checkpoint=tmp_path) == un.gamma(CORPUS)


@pytest.mark.parametrize("data", [CORPUS, CORPUS["market"]], ids=["corpus", "market"])
def test_draws_are_made_until_both_values_are_precise(data):
    found = un.gamma(data)

    assert found.draws >= 200
    assert error_of(found) <= 0.001
    assert error_of(found.gamma_cat) <= 0.0025


def test_the_budget_ends_the_draws_but_not_those_of_the_paper(monkeypatch):
    whole = un.gamma(INTERVIEW)
    monkeypatch.setattr(monte_carlo, "BUDGET", BUDGET // 10)
    cut = un.gamma(INTERVIEW)
    monkeypatch.setattr(monte_carlo, "BUDGET", 1)
    least = un.gamma(INTERVIEW)

    assert 30 < least.draws < cut.draws < whole.draws
    relative = error_of(least) / (1 - least.value)
    assert 1.96 * relative <= 0.02 < 1.96 * relative * 1.1


def test_a_precision_has_no_budget(monkeypatch):
    wanted = un.gamma(INTERVIEW, precision=0.005).draws
    monkeypatch.setattr(monte_carlo, "BUDGET", 1)

    assert un.gamma(INTERVIEW, precision=0.005).draws == wanted > 200


def test_work_is_counted_and_is_the_same_each_time():
    def work(data: un.Continuum, draws: int) -> int:
        run = _run(
            data,
            dissimilarity=None,
            chance="shift",
            confidence=0.95,
            seed=0,
            search=Search(),
            workers=1,
        )
        return run.evidence(draws, None, None).work

    assert work(INTERVIEW, 20) == work(INTERVIEW, 20) > 0
    assert work(INTERVIEW, 40) > work(INTERVIEW, 20)
    assert work(crowded(), 20) > 10 * work(crowded(2, 12), 20)


def test_a_look_asks_for_no_more_than_eight_times_as_many():
    found = un.gamma(crowded(2, 12), draws=30)
    totals = totals_of(found.draw_disorders, found.observed)

    assert wanted_draws(totals, 1, precision=None, confidence=0.95) == 240
    assert wanted_draws(totals, 10**12, precision=None, confidence=0.95) < 240


def error_of(result):
    """Return the standard error, which there is."""
    assert result.monte_carlo_se is not None
    return result.monte_carlo_se


def totals_of(draws, observed):
    return Totals(
        labels=("A",),
        mean_units=1.0,
        observed=observed,
        observed_bound=observed,
        draws=draws,
        draw_bounds=draws,
        proven=True,
        unproven_draws=0,
        by_label=LabelTotals.zeros(len(draws), 2),
        redrawn=0,
    )


def test_the_error_is_that_of_the_mean_of_the_draws():
    found = un.gamma(INTERVIEW, draws=50)
    draws = found.draw_disorders

    assert found.expected_se == pytest.approx(draws.std(ddof=1) / math.sqrt(50), rel=1e-12)
    relative = draws.std(ddof=1) / math.sqrt(50) / found.expected
    assert found.monte_carlo_se == pytest.approx((1 - found.value) * relative, rel=1e-12)


def test_the_error_has_its_stated_size():
    found = [un.gamma(INTERVIEW, draws=40, rng=seed) for seed in range(80)]
    for each in (lambda one: one, lambda one: one.gamma_cat):
        spread = np.std([each(one).value for one in found], ddof=1)
        said = np.mean([each(one).monte_carlo_se for one in found])
        assert spread == pytest.approx(said, rel=0.3)
