"""Plans from a pilot: right on average, as uncertain as they say, and honest where they cannot."""

import dataclasses
import json
import math
import pickle
from statistics import NormalDist

import numpy as np
import pytest

import unisono as un
from unisono.measures.items.table import coefficient_of, value_alone
from unisono.studies.planning import PlanTrial, _Sample, _SizeSearch


def plan_items(pilot, **settings):
    return un.plan_items(pilot, **settings)


def plan_documents(pilot, **settings):
    return un.plan_documents(pilot, **settings)


def simulated(rng, n_items):
    """Three annotators who are right with probability 0.8 and guess otherwise."""
    truth = rng.choice(3, size=n_items, p=[0.5, 0.3, 0.2])
    guesses = rng.choice(3, size=(3, n_items), p=[0.5, 0.3, 0.2])
    return np.where(rng.random((3, n_items)) < 0.8, truth, guesses)


@pytest.fixture(scope="module")
def needed_in_truth():
    """Items for an interval of α of 95 % that is 0.1 wide, from very many items."""
    result = un.krippendorff_alpha(
        un.Ratings.from_matrix(simulated(np.random.default_rng(1), 200_000))
    )
    assert result.standard_error is not None
    width = 2 * NormalDist().inv_cdf(0.975) * result.standard_error
    return 200_000 * (width / 0.1) ** 2


@pytest.fixture
def pilot():
    return un.Ratings.from_matrix(simulated(np.random.default_rng(2), 80))


def test_the_number_is_about_right_and_its_interval_holds_the_truth(needed_in_truth):
    rng = np.random.default_rng(3)
    plans = [
        plan_items(un.Ratings.from_matrix(simulated(rng, 60)), width=0.1, resamples=200, rng=1)
        for _ in range(60)
    ]
    numbers = [plan.needed for plan in plans]
    assert np.median(numbers) == pytest.approx(needed_in_truth, rel=0.12)
    held = [plan.interval.low <= needed_in_truth <= plan.interval.high for plan in plans]
    assert 0.85 <= np.mean(held) <= 1.0
    assert np.std(np.log(numbers)) < 0.3


def test_the_planned_number_of_items_gives_the_target_width(pilot):
    plan = plan_items(pilot, width=0.12, rng=1, resamples=2000)
    drawn = np.random.default_rng(4).integers(0, 80, size=plan.needed)
    table = simulated(np.random.default_rng(2), 80)[:, drawn]
    result = un.bootstrap(un.Ratings.from_matrix(table), "alpha", resamples=2000, rng=1)
    assert result.interval is not None
    assert result.interval.high - result.interval.low == pytest.approx(0.12, rel=0.1)


def test_half_the_width_takes_four_times_the_items(pilot):
    wide, narrow = (plan_items(pilot, width=width, rng=1, resamples=2000) for width in (0.2, 0.1))
    assert narrow.needed / wide.needed == pytest.approx(4, rel=0.15)


def test_a_larger_pilot_makes_a_surer_plan():
    spans = []
    for n_items in (40, 400):
        ratings = un.Ratings.from_matrix(simulated(np.random.default_rng(5), n_items))
        plan = plan_items(ratings, width=0.1, rng=1)
        spans.append(math.log(plan.interval.high / plan.interval.low))
    assert spans[1] < spans[0] / 2


def test_the_pilots_own_interval_stands_in_the_plan(pilot):
    plan = plan_items(pilot, width=0.1, rng=1)
    own = plan.pilot.interval
    assert plan.trials[0] == un.results.PlanTrial(80, own.high - own.low)
    assert plan.pilot.value == un.krippendorff_alpha(pilot).value
    assert abs(plan.trials[-1].width / 0.1 - 1) < 0.1


def test_a_width_that_the_pilot_already_has_takes_fewer_items(pilot):
    plan = plan_items(pilot, width=0.6, rng=1)
    assert plan.needed < 80


def test_a_size_that_is_tried_again_stands_in_the_table_once():
    rows = ["aabbcabcbaabcbbaccab", "aabbcabcbbabcbbacbab"]
    found = un.plan_items(un.Ratings.from_matrix([list(row) for row in rows]), width=0.2, rng=1)
    plan = dataclasses.replace(found, trials=(*found.trials, PlanTrial(20, 0.5)))
    (table,) = (table for table in plan.sheet().tables if table.people)
    sizes = [size for size, _ in plan.trials]

    assert len(sizes) > len(set(sizes))
    assert [row[0] for row in table.rows] == list(dict.fromkeys(sizes))
    assert table.rows[0] == plan.trials[-1]


def test_the_seed_and_nothing_else_decides(pilot):
    plan = plan_items(pilot, width=0.1, rng=6, measure=un.gwet_ac)
    assert plan_items(pilot.merged(), width=0.1, rng=6, measure="ac1") == plan
    assert plan_items(pilot, width=0.1, rng=7, measure="ac1") != plan
    names = ("measure", "width", "confidence", "resamples", "seed")
    assert [plan.signature[name] for name in names] == ["gwet_ac", "0.1", "0.95", "1000", "6"]
    assert list(plan.signature)[-2:] == ["data", "v"]


def test_settings_of_the_measure_are_used(pilot):
    plan = plan_items(pilot, width=0.1, rng=6, distance="interval")
    assert plan.pilot.value == un.krippendorff_alpha(pilot, distance="interval").value


def test_a_small_pilot_is_reported(pilot):
    small = plan_items(un.Ratings.from_matrix([list("abab"), list("abbb")]), width=0.3, rng=1)
    assert small.notes == ("the pilot has only 4 items; its interval is unreliable",)
    assert plan_items(pilot, width=0.1, rng=1).notes == ()


def test_a_plan_is_a_sentence_and_goes_through_json(pilot):
    plan = plan_items(pilot, width=0.1, rng=1)
    assert str(plan).startswith(f"about {plan.needed} items (")
    assert "for a 95 % interval of width 0.1; pilot of 80 items:" in str(plan)
    assert (repr(plan), plan.problems()) == (f"Plan({plan.sheet().findings[0]})", [])
    assert plan.to_csv().splitlines()[:2] == ["size,width", f"80,{plan.trials[0].width}"]
    assert pickle.loads(pickle.dumps(plan)) == plan  # noqa: S301 - our own
    record = json.loads(plan.to_json(indent=2))
    assert record["needed"] == plan.needed
    assert record["interval"]["method"] == "pilot"
    assert record["trials"][0]["size"] == 80
    assert record["pilot"]["interval"]["low"] == plan.pilot.interval.low


@pytest.mark.parametrize(
    ("rows", "width", "reason"),
    [
        (["aaaa", "aaaa"], 0.1, "all values that can be compared are 'a'"),
        (["abab", "abab"], 0.1, "every resample of the pilot gives the same value"),
        (["aabbc", "abbbc"], 1e-6, "more than 1,000,000,000 items would be needed"),
    ],
)
def test_a_plan_without_a_value_states_why(rows, width, reason):
    plan = plan_items(un.Ratings.from_matrix([list(row) for row in rows]), width=width, rng=1)
    assert plan.undefined.startswith(reason)
    assert str(plan).splitlines()[0] == f"no plan ({plan.undefined})"
    assert plan.problems() == [f"no estimate of the number of items: {plan.undefined}"]
    assert plan.needed is None
    assert plan.interval is None
    assert plan.to_dict()["interval"] is None


def test_a_pilot_whose_resamples_are_mostly_undefined_gives_no_plan():
    # Only resamples with both of the first two items have two labels to compare: 4 in 10.
    rows: list[list[str | None]] = [["a", "b", *["a"] * 8], ["a", "b", *[None] * 8]]
    plan = plan_items(un.Ratings.from_matrix(rows), width=0.1, rng=1)
    assert plan.undefined == "too few resamples of the pilot have a value"


def test_the_last_size_that_could_be_tried_decides():
    # Two items drawn from these are mostly alike, and then there is nothing to compare.
    alike = un.Ratings.from_matrix([["a"] * 30 + ["b"] * 3, ["a"] * 29 + ["b"] * 4])
    plan = plan_items(alike, width=3.0, rng=1)
    assert [trial.size for trial in plan.trials] == [33]
    assert plan.needed == math.ceil(33 * (plan.trials[0].width / 3.0) ** 2)


def test_no_more_than_six_sizes_are_tried_however_close_the_width_is_to_come(pilot):
    value = value_alone("alpha", pilot, {})
    merged = pilot.merged()
    sample = _Sample(coefficient_of("alpha", {}).prepare(merged), merged.times)
    search = _SizeSearch(width=0.1, confidence=0.95, n=50, seed=1)
    usual, closest = (search.plan(value, sample, tolerance=each) for each in (None, 0.0))
    assert usual == plan_items(pilot, width=0.1, rng=1, resamples=50)
    assert len(usual.trials) < len(closest.trials) == 6


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"width": 0}, un.SettingError, "width must be a finite number above 0"),
        ({"width": "small"}, TypeError, "width must be a number"),
        ({"width": 0.1, "confidence": 2}, un.SettingError, "confidence must lie between 0 and 1"),
        ({"width": 0.1, "resamples": 0}, un.SettingError, "resamples must be 1 or more"),
        ({"width": 0.1, "measure": "alfa"}, un.SettingError, "unknown measure 'alfa'"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(pilot, settings, error, message):
    with pytest.raises(error, match=message):
        plan_items(pilot, **settings)


def test_what_is_not_a_pilot_is_refused():
    with pytest.raises(TypeError, match="plan_items takes Ratings, got list"):
        plan_items([[1, 2]], width=0.1)
    with pytest.raises(
        TypeError, match="plan_documents takes a Corpus or a GammaAgreement, got list"
    ):
        plan_documents([[1, 2]], width=0.1)


def documents(rng, count):
    """Two annotators who place three units, some of them elsewhere or otherwise called."""
    found = {}
    for number in range(count):
        units = []
        for annotator in ("ann", "bob"):
            shift = rng.normal(0, 2, size=3)
            labels = rng.choice(["A", "B"], size=3, p=[0.8, 0.2])
            units += [
                (annotator, 20 * i + shift[i], 20 * i + 10 + shift[i], labels[i]) for i in range(3)
            ]
        found[f"text{number:03}"] = un.Continuum.from_units(units)
    return un.Corpus.from_continua(found)


@pytest.fixture(scope="module")
def corpus():
    return documents(np.random.default_rng(8), 40)


@pytest.fixture(scope="module")
def gamma_of_corpus(corpus):
    return un.gamma(corpus, draws=40, rng=1)


def test_documents_are_planned_by_the_formula_of_the_interval(gamma_of_corpus):
    plan = plan_documents(gamma_of_corpus, width=0.1)
    interval = gamma_of_corpus.interval

    assert plan.of == "documents"
    assert plan.n_pilot == 40
    assert plan.trials[0].width == pytest.approx(interval.high - interval.low, rel=1e-9)
    assert plan.needed == pytest.approx(40 * (plan.trials[0].width / 0.1) ** 2, rel=0.05)
    assert plan.trials[1].size == plan.needed
    assert plan.trials[1].width == pytest.approx(0.1, rel=0.01)
    assert plan.trials[1].width <= 0.1
    assert plan.interval.low < plan.needed < plan.interval.high
    assert plan.pilot == gamma_of_corpus


def test_no_plan_is_for_fewer_documents_than_an_interval_needs(gamma_of_corpus):
    assert plan_documents(gamma_of_corpus, width=1.5).needed == 8


def test_a_corpus_is_measured_first(corpus):
    plan = plan_documents(corpus, width=0.2, rng=3, draws=40)
    assert plan.pilot == un.gamma(corpus, draws=40, rng=3)
    assert plan.signature["measure"] == "gamma"
    assert plan.signature["draws"] == "40"


def test_documents_without_units_count_and_those_of_one_annotator_do_not():
    rng = np.random.default_rng(9)
    filled = dict(documents(rng, 6))
    filled["empty"] = un.Continuum.from_units([], annotators=("ann", "bob"), extent=(0, 10))
    filled["alone"] = un.Continuum.from_units([("ann", 0, 5, "A")])
    plan = plan_documents(un.Corpus.from_continua(filled), width=0.3, rng=1, draws=30)
    assert plan.n_pilot == 7
    assert plan.needed is not None


def test_a_single_text_is_not_a_pilot_of_documents():
    text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
    with pytest.raises(un.DataError, match="plan_documents needs several documents"):
        plan_documents(un.gamma(text, draws=30, rng=1), width=0.1)


def test_documents_without_gamma_give_no_plan_but_its_reason():
    texts = {name: un.Continuum.from_units([("ann", 0, 5, "A")]) for name in ("one", "two")}
    plan = plan_documents(un.Corpus.from_continua(texts), width=0.1, rng=1)
    assert plan.undefined == plan.pilot.undefined
    assert plan.n_pilot == 0
    assert plan.trials == ()
