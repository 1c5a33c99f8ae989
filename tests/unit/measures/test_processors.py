"""The same number on every processor: what docs/uncertainty.md claims, and its exceptions.

Processes of their own pretend to be other processors: OpenBLAS with the code for older ones, NumPy
without its vector code, the C library without fused multiplication. Where this processor cannot
run one of them, it is left out.
"""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

PROGRAM = """
import json, warnings
import numpy as np
import unisono as un
warnings.simplefilter("ignore")
rng = np.random.default_rng(5)
exact, close = [], []
def add(result):
    exact.extend([result.value.hex(), result.observed.hex(), result.expected.hex()])
    close.extend([result.interval.low, result.interval.high] if result.interval else [])
for labels, raters, items in ((3, 2, 40), (8, 6, 300), (30, 3, 300)):
    true, other = rng.integers(0, labels, items), rng.integers(0, labels, (raters, items))
    rated = np.where(rng.random((raters, items)) < 0.6, true, other)
    kept = rng.random((raters, items)) > 0.1
    ratings = un.Ratings.from_matrix(
        [[int(x) if k else None for x, k in zip(*row)] for row in zip(rated, kept)]
    )
    for settings in (
        {}, {"missing": "items"}, {"distance": "interval", "weights": "quadratic"},
        {"distance": "ordinal", "weights": "linear"}, {"distance": "ratio", "weights": "ratio"},
        {"distance": "bipolar:0..31"},
    ):
        for result in un.measure_items(ratings, **settings).values():
            add(result)
            exact.append((result.standard_error or 0.0).hex())
            for part in (*result.by_label.values(), *result.by_pair.values()):
                exact.append(part.value.hex())
    for measure in ("alpha", "fleiss", "conger", "cohen", "gwet"):
        values = un.bootstrap_values(ratings, measure, resamples=40, rng=1)
        exact.extend(value.hex() for value in values.tolist())
    circular = un.krippendorff_alpha(ratings, distance="circular:40")
    close.extend([circular.value, circular.observed, circular.expected])
corpus = un.read("examples/corpus", seen_by="corpus")
unitizing = un.unitizing_alpha(corpus)
for result in (unitizing.u_alpha, unitizing.u_alpha_coding, unitizing.u_alpha_binary):
    add(result)
for chance in ("shift", "corpus", "gamma-software", "statistical"):
    found = un.gamma(corpus, chance=chance, draws=40, rng=3)
    numbers = (found.value, found.gamma_cat.value, *(k.value for k in found.gamma_k.values()))
    (close if chance == "statistical" else exact).extend(
        numbers if chance == "statistical" else (number.hex() for number in numbers)
    )
print(json.dumps([exact, close]))
"""
VECTORS = " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
NO_FUSED = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"


def answers(**environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode < 0:
        pytest.skip("this processor cannot run that code")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def usual():
    return answers()


@pytest.mark.parametrize(
    "environment",
    [
        *(
            {"OPENBLAS_CORETYPE": each}
            for each in ("Prescott", "Sandybridge", "Haswell", "SkylakeX")
        ),
        {"NPY_DISABLE_CPU_FEATURES": VECTORS},
        {"GLIBC_TUNABLES": NO_FUSED},
        {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": VECTORS},
    ],
    ids=str,
)
def test_values_are_the_same_bits_on_another_processor(usual, environment):
    exact, close = answers(**environment)

    assert len(exact) > 500
    assert exact == usual[0]
    # Ends of intervals, angles and the statistical chance model use sines and logarithms.
    assert close == pytest.approx(usual[1], rel=1e-12, abs=1e-12)
