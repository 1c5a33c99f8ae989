"""Draw the pictures of docs/charts.md from the data in examples/, with fixed seeds.

Run ``make pictures`` or ``python docs/pictures/charts.py``. This needs ``unisono[plot]``.
"""

# ruff: noqa: INP001 (a script outside a package)
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import unisono as un
from unisono import charts

if TYPE_CHECKING:
    from collections.abc import Callable

    from unisono.charts import Chart

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"


def pictures() -> dict[str, Callable[[], Chart]]:
    """Return the functions that draw the pictures, by name."""
    interview = un.read(EXAMPLES / "interview.csv")["interview"]
    corpus = un.read(EXAMPLES / "corpus")
    result = un.gamma(interview, rng=1)
    pooled = un.gamma(corpus, rng=1)
    ratings = un.read_ratings(EXAMPLES / "politeness.csv")
    alpha = {"distance": "ordinal", "resamples": 2000, "rng": 1}
    film = un.shuffle(un.generate_reference(2000, rng=1), magnitude=0.15, rng=1).continuum
    return {
        "continuum": lambda: charts.continuum_chart(interview),
        "bins.png": lambda: charts.continuum_chart(film),
        "alignment": lambda: charts.alignment_chart(result),
        "consensus": lambda: charts.consensus_chart(un.consensus(corpus)),
        "labels": lambda: charts.label_chart(pooled),
        "parts": lambda: charts.parts_chart(un.diagnose(corpus, result=pooled)),
        "confusion": lambda: charts.confusion_chart(pooled),
        "annotators": lambda: charts.annotator_chart(un.pairwise_agreement(corpus, rng=1)),
        "draws": lambda: charts.draws_chart(result),
        "bootstrap": lambda: charts.bootstrap_chart(
            un.bootstrap(ratings, "alpha", **alpha), un.bootstrap_values(ratings, "alpha", **alpha)
        ),
        "shuffling": lambda: charts.shuffling_chart(
            un.error_curves(
                un.generate_reference(20, rng=1),
                measures=("gamma", "gamma_cat", "u_alpha_coding", "kappa_d"),
                errors="category",
                magnitudes=11,
                repeats=10,
                rng=1,
            )
        ),
        "calibration": lambda: charts.calibration_chart(un.calibrate(interview, rng=1)),
    }


def main() -> None:
    """Write all pictures to the folder of this file."""
    for name, draw in pictures().items():
        file = name if "." in name else f"{name}.svg"
        path = charts.save_chart(draw(), HERE / file, scale=1)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")  # noqa: T201 - the output of the script


if __name__ == "__main__":
    main()
