"""Random calls of everything public: a result or a refusal, and never anything else."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import unisono as un

TESTS = Path(__file__).resolve().parents[1]
# Wrong types are given here on purpose.
api: Any = un
TEXT: Any = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 1, 5, "A"), ("ann", 7, 9, "B")])
CORPUS: Any = un.Corpus.from_continua({"a": TEXT, "b": TEXT.rename(labels={"A": "C"})})
RATINGS: Any = un.Ratings.from_matrix([list("aab"), list("abb")])


def calls(seed, number):
    """Make random calls in a process of its own, which a crash would end."""
    finished = subprocess.run(
        [sys.executable, TESTS / "support" / "surface_fuzz.py", str(seed), str(number)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        # Every thread of a library for linear algebra reserves memory of its own.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    return json.loads(finished.stdout.splitlines()[-1])


@pytest.mark.parametrize("seed", [11, 12])
def test_random_calls_give_a_result_or_a_refusal(seed):
    outcome = calls(seed, 1200)

    assert outcome["others"] == []
    # Otherwise nothing was tested.
    assert outcome["result"] > 200
    assert outcome["refused"] > 200


def test_a_choice_that_is_not_a_text_is_refused_like_any_other():
    with pytest.raises(un.SettingError, match=r"format=\['csv'\] cannot be written"):
        api.write(CORPUS, "x", format=["csv"])


@pytest.mark.parametrize("count", [10**7 + 1, 2**63, 10**40])
@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda n: un.gamma(TEXT, draws=n), id="draws"),
        pytest.param(lambda n: un.bootstrap(RATINGS, "fleiss", resamples=n), id="bootstrap"),
        pytest.param(
            lambda n: un.permutation_test(RATINGS, "fleiss", permutations=n), id="permutations"
        ),
        pytest.param(lambda n: un.plan_items(RATINGS, width=0.2, resamples=n), id="plan"),
        pytest.param(lambda n: un.calibrate(TEXT, repeats=n), id="calibrate"),
    ],
)
def test_more_work_than_any_computer_could_do_is_refused_at_once(call, count):
    with pytest.raises(un.SettingError, match=r"must be 10,000,000 at most, got \d+"):
        call(count)


def test_any_number_of_workers_may_be_requested():
    many = un.gamma(TEXT, draws=3, rng=1, workers=10**40)

    assert many == un.gamma(TEXT, draws=3, rng=1, workers=1)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: api.Corpus.from_continua([TEXT]),
            "a corpus needs a mapping from name to continuum; got list",
        ),
        (lambda: CORPUS.with_continua({"a": 1}), "must contain continua; 'a' is of type int"),
        (lambda: TEXT.unit(0.5), "'float' object cannot be interpreted as an integer"),
        (lambda: TEXT.rename(labels=["A"]), "renaming labels needs a mapping from old to new"),
        (lambda: CORPUS.rename(documents=("a",)), "renaming documents needs a mapping"),
        (lambda: RATINGS.rename(labels=iter("ab")), "renaming labels needs a mapping from old"),
        (lambda: api.Segmentation.from_continuum(CORPUS), "takes a Continuum, got Corpus"),
        (
            lambda: api.results.Interval("low", 1, confidence=0.5, method="m"),
            "low must be a number, got 'low'",
        ),
        (lambda: api.results.Signature("gamma", ("a", "b")), r"must be \(name, value\) pairs"),
        (
            lambda: api.measure_units(TEXT, atom="second", draws=3),
            "atom must be a number",
        ),
        (lambda: api.generate_reference(extent=(1, 2, 3)), "extent must be a length, or a start"),
    ],
)
def test_a_wrong_type_is_reported_in_a_sentence(call, sentence):
    with pytest.raises(TypeError, match=sentence):
        call()
