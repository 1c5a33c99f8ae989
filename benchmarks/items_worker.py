"""Runs in a process of its own: one tool, one row of the table, as one line of JSON.

python items_worker.py TOOL ROW DATA.npy REPETITIONS

The tool gets the data in the form it takes; making that form is not counted. What is counted is
all that follows, from the data to the number, and the memory that it needs beyond what was in use.
"""

from __future__ import annotations

import contextlib
import json
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Job = tuple[Callable[[Any], float], Callable[[NDArray[Any]], Any]]

ENOUGH = 5.0  # seconds after which a tool is not asked again
MEASURED = {"nominal": "nominal", "ordinal": "ordinal", "interval": "interval", "reals": "interval"}


def as_it_is(data: NDArray[Any]) -> NDArray[Any]:
    """Give the array itself."""
    return data


def unisono(row: str, *, ready: bool = False) -> Job:
    """Measure with this package, from an array to the number, or from `Ratings` to it."""
    import unisono as un  # noqa: PLC0415 - each tool lives in its own environment

    measures: dict[str, Callable[[Any], un.results.ItemsAgreement]] = {
        "masi": lambda ratings: un.krippendorff_alpha(ratings, distance="masi"),
        "cohen": un.cohen_kappa,
        "fleiss": un.fleiss_kappa,
        "bootstrap": lambda ratings: un.bootstrap(ratings, "alpha", resamples=1000, rng=1),
        "parquet": un.krippendorff_alpha,
        "limited": un.krippendorff_alpha,
    }
    measure = measures.get(
        row, lambda ratings: un.krippendorff_alpha(ratings, distance=MEASURED[row])
    )
    ways: dict[str, tuple[Callable[[NDArray[Any]], Any], Callable[[Any], un.Ratings]]] = {
        "masi": (as_sets, un.Ratings.from_matrix),
        "parquet": (as_path, un.read_ratings),
        "limited": (as_limited_table, un.Ratings.from_frame),
    }
    taken, ratings = ways.get(row, (as_it_is, un.Ratings.from_matrix))
    if ready:
        return lambda given: measure(given).value, lambda data: ratings(taken(data))
    return lambda data: measure(ratings(data)).value, taken


def krippendorff(row: str) -> Job:
    """Measure with krippendorff: a matrix of floats, NaN where missing."""
    import krippendorff as peer  # noqa: PLC0415 - each tool lives in its own environment

    level = MEASURED[row]
    return lambda rows: peer.alpha(reliability_data=rows, level_of_measurement=level), as_it_is


def nltk(row: str) -> Job:
    """Measure with NLTK: triples of annotator, item and label."""
    from nltk.metrics import masi_distance  # noqa: PLC0415 - each tool in its own environment
    from nltk.metrics.agreement import AnnotationTask  # noqa: PLC0415

    if row == "masi":
        return lambda rows: AnnotationTask(rows, distance=masi_distance).alpha(), set_triples
    if row == "cohen":
        return lambda rows: AnnotationTask(rows).kappa(), triples
    return lambda rows: AnnotationTask(rows).alpha(), triples


def irrcac(row: str) -> Job:
    """Measure with irrCAC: a table with a column for each annotator."""
    from irrCAC.raw import CAC  # noqa: PLC0415 - each tool lives in its own environment

    if row == "fleiss":
        return lambda table: CAC(table, digits=12).fleiss()["est"]["coefficient_value"], frame
    return lambda table: CAC(table, digits=12).krippendorff()["est"]["coefficient_value"], frame


def sklearn(row: str) -> Job:  # noqa: ARG001 - it has one of the rows
    """Measure with scikit-learn: two arrays."""
    from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415 - in its own environment

    return lambda rows: cohen_kappa_score(rows[0], rows[1]), as_it_is


def statsmodels(row: str) -> Job:
    """Measure with statsmodels: a row an item, from which it makes its tables."""
    from statsmodels.stats import inter_rater  # noqa: PLC0415 - in its own environment

    if row == "cohen":
        return lambda rows: inter_rater.cohens_kappa(
            inter_rater.to_table(rows)[0], return_results=False
        ), by_item
    return lambda rows: inter_rater.fleiss_kappa(inter_rater.aggregate_raters(rows)[0]), by_item


def as_sets(data: NDArray[Any]) -> list[list[frozenset[int]]]:
    """Make sets of bits."""
    return [[members(bits) for bits in row] for row in data.tolist()]


def members(bits: int) -> frozenset[int]:
    """Give the numbers of the bits that are set."""
    return frozenset(place for place in range(bits.bit_length()) if bits >> place & 1)


def set_triples(data: NDArray[Any]) -> list[tuple[int, int, frozenset[int]]]:
    """Make triples of annotator, item and set."""
    return [(a, i, label) for a, row in enumerate(as_sets(data)) for i, label in enumerate(row)]


def triples(data: NDArray[Any]) -> list[tuple[int, int, Any]]:
    """Make triples of annotator, item and label, without what is missing."""
    return [
        (a, i, label)
        for a, row in enumerate(data.tolist())
        for i, label in enumerate(row)
        if label == label  # noqa: PLR0124 - NaN is not
    ]


def frame(data: NDArray[Any]) -> object:
    """Make a pandas table with a row an item."""
    import pandas as pd  # noqa: PLC0415 - only one tool needs it

    return pd.DataFrame(data.T, columns=[f"r{i}" for i in range(len(data))])


def by_item(data: NDArray[Any]) -> NDArray[Any]:
    """Put items in rows."""
    return np.ascontiguousarray(data.T)


def as_path(data: NDArray[Any]) -> Path:
    """Take the path that the array holds."""
    return Path(str(data))


def as_limited_table(data: NDArray[Any]) -> object:
    """Open the file in a DuckDB that may use a gigabyte, and the disk beyond it."""
    import duckdb  # noqa: PLC0415 - only this row needs it

    path = as_path(data)
    settings = {"memory_limit": "1GB", "temp_directory": str(path.with_suffix(".spilled"))}
    return duckdb.connect(config=settings).read_parquet(str(path))


TOOLS: dict[str, Callable[[str], Job]] = {
    "unisono": unisono,
    "unisono, ratings ready": lambda row: unisono(row, ready=True),
    "krippendorff": krippendorff,
    "nltk": nltk,
    "irrCAC": irrcac,
    "scikit-learn": sklearn,
    "statsmodels": statsmodels,
}


def main() -> None:
    """Measure, and print what came out."""
    tool, row, path, repetitions = sys.argv[1:]
    measure, prepared = TOOLS[tool](row)
    data = prepared(np.load(path))
    before = forget_peak()
    seconds: list[float] = []
    while len(seconds) < int(repetitions) and sum(seconds) < ENOUGH:
        begun = time.perf_counter()
        value = float(measure(data))
        seconds.append(time.perf_counter() - begun)
    peak = peak_megabytes()
    print(
        json.dumps(
            {"value": value, "seconds": min(seconds), "first": seconds[0]}
            | {"extra_megabytes": max(0.0, peak - before), "peak_megabytes": peak}
        )
    )


def forget_peak() -> float:
    """Let the peak of memory begin anew where the system can, and give what is in use."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return peak_megabytes()


def peak_megabytes() -> float:
    """Give the peak of memory so far."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main()
