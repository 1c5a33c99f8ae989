"""The default seed is 0, with `None` the system provides one, and signatures contain it."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

import unisono as un

TEXT = un.Continuum.from_units(
    [
        *[("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"), ("ann", 50, 60, "C")],
        *[("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"), ("bob", 51, 60, "C")],
    ]
)
CORPUS = un.Corpus.from_continua({f"text {number}": TEXT for number in range(8)})
RATINGS = un.Ratings.from_matrix([list("aabbcabcbaab"), list("aabbcabcbbab"), list("abbbcaacbbab")])
REFERENCE = TEXT.only(annotators=["ann"])
CALLS = {
    "gamma": lambda **rng: un.gamma(TEXT, draws=30, **rng),
    "gamma of a corpus": lambda **rng: un.gamma(CORPUS, draws=30, **rng),
    "pairwise_agreement": lambda **rng: un.pairwise_agreement(TEXT, draws=30, **rng),
    "gamma_by_label": lambda **rng: un.gamma_by_label(TEXT, draws=30, **rng),
    "measure_units": lambda **rng: un.measure_units(TEXT, draws=30, **rng),
    "diagnose": lambda **rng: un.diagnose(TEXT, draws=30, **rng),
    "advise": lambda **rng: un.advise(TEXT, draws=30, **rng),
    "compare": lambda **rng: un.compare(
        REFERENCE, TEXT.only(annotators=["bob"]), with_gamma=True, draws=30, **rng
    ),
    "bootstrap": lambda **rng: un.bootstrap(RATINGS, "fleiss_kappa", resamples=50, **rng),
    "permutation_test": lambda **rng: un.permutation_test(
        RATINGS, "fleiss_kappa", permutations=50, **rng
    ),
    "compare_policies": lambda **rng: un.compare_policies(RATINGS, shares=0.2, repeats=20, **rng),
    "plan_items": lambda **rng: un.plan_items(RATINGS, width=0.5, resamples=50, **rng),
    "plan_documents": lambda **rng: un.plan_documents(CORPUS, width=0.5, draws=30, **rng),
    "reliability_study": lambda **rng: un.reliability_study(
        [0.1, 0.3, 0.2, 0.5, 0.6, 0.7],
        [0.2, 0.3, 0.1, 0.5, 0.7, 0.6],
        permutations=50,
        resamples=50,
        **rng,
    ),
    "shuffle": lambda **rng: un.shuffle(REFERENCE, magnitude=0.5, **rng),
    "error_curves": lambda **rng: un.error_curves(
        REFERENCE, measures="gamma", magnitudes=2, repeats=2, **rng
    ),
    "calibrate": lambda **rng: un.calibrate(
        TEXT, errors="position", magnitudes=(0.2, 0.4), repeats=5, draws=5, **rng
    ),
    "report": lambda **rng: un.report(TEXT, draws=30, gains=False, charts=False, **rng),
}


def shown(result: object) -> str:
    for way in ("to_json", "to_markdown"):
        if hasattr(result, way):
            return str(getattr(result, way)())
    return str(result)


def functions_with_rng() -> dict[str, inspect.Signature]:
    found = {}
    for name in un.__all__:
        value = getattr(un, name)
        if inspect.isfunction(value) and "rng" in inspect.signature(value).parameters:
            found[name] = inspect.signature(value)
    return found


def test_every_public_function_that_draws_has_seed_0():
    found = functions_with_rng()

    assert set(found) <= {*CALLS, "bootstrap_values", "generate_reference", "reproduce"}
    assert {name: each.parameters["rng"].default for name, each in found.items()} == dict.fromkeys(
        found, 0
    )


@pytest.mark.parametrize("name", CALLS)
def test_calls_without_a_seed_are_calls_with_seed_0(name):
    first = shown(CALLS[name]())

    assert shown(CALLS[name]()) == first
    assert shown(CALLS[name](rng=0)) == first
    assert "seed:0" in first or "seed 0" in first


@pytest.mark.parametrize("name", CALLS)
def test_a_seed_from_the_system_differs_and_can_be_given_again(name):
    first, second = (shown(CALLS[name](rng=None)) for _ in range(2))
    seeds = [int(re.findall(r"seed[: ](\d+)", each)[0]) for each in (first, second)]

    assert seeds[0] != seeds[1]
    assert shown(CALLS[name](rng=seeds[0])) == first


def test_references_made_up_without_a_seed_are_equal():
    assert (
        un.generate_reference(12) == un.generate_reference(12) == un.generate_reference(12, rng=0)
    )
    assert un.generate_reference(12, rng=None) != un.generate_reference(12, rng=None)


def test_resampled_values_without_a_seed_are_those_of_seed_0():
    values = un.bootstrap_values(RATINGS, "fleiss_kappa", resamples=50).tolist()

    assert un.bootstrap_values(RATINGS, "fleiss_kappa", resamples=50, rng=0).tolist() == values
    assert un.bootstrap_values(RATINGS, "fleiss_kappa", resamples=50, rng=None).tolist() != values


def test_a_generator_gives_seeds_that_can_be_given_again():
    result = un.gamma(TEXT, draws=30, rng=np.random.default_rng(3))
    again = un.gamma(TEXT, draws=30, rng=int(result.signature["seed"]))

    assert again.to_json() == result.to_json()


def test_only_none_takes_the_seed_of_a_checkpoint(tmp_path):
    first = un.gamma(CORPUS, draws=30, rng=7, checkpoint=tmp_path)

    assert un.gamma(CORPUS, draws=30, rng=None, checkpoint=tmp_path).to_json() == first.to_json()
    with pytest.raises(un.SettingError, match=r"another computation \(seed 7, not 0\)"):
        un.gamma(CORPUS, draws=30, checkpoint=tmp_path)
