"""Agreement on items beside the existing tools: `python benchmarks/items.py [--quick] [--row …]`.

Every tool runs in a process of its own, with one thread for matrix products (several are slower
on a machine that others share), on the same data, which it gets in the form it takes.
Seconds and memory are those from there to the number: imports and data are not counted. Ours has
values by label and by pair of annotators and a standard error besides. "Ratings ready" is the
coefficient alone, after `Ratings` were made. The figures are beside the goals; nothing is judged,
and tests never measure time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import item_peers
import numpy as np
import peer
from tables import table

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

WORKER = Path(__file__).with_name("items_worker.py")
OURS = ("unisono", "unisono, ratings ready")
SEED = 2017
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Row:
    """One row: data of a size, and the tools that can measure them."""

    what: str
    goal: str
    make: Callable[[int, Path], None]
    size: int
    quick_size: int
    peers: tuple[str, ...] = ()
    # What a peer can take at all, where that is less.
    peer_size: int | None = None


def labels(n_items: int, path: Path) -> None:
    """Write 5 annotators who choose among 10 labels and miss a fifth of the items."""
    rng = np.random.default_rng(SEED)
    rows = _labels(rng, n_items, 5).astype(np.float64)
    rows[rng.random(rows.shape) < 0.2] = np.nan
    np.save(path, rows)


def complete(n_items: int, path: Path) -> None:
    """Write 5 annotators who miss nothing."""
    np.save(path, _labels(np.random.default_rng(SEED), n_items, 5))


def two(n_items: int, path: Path) -> None:
    """Write 2 annotators who miss nothing."""
    np.save(path, _labels(np.random.default_rng(SEED), n_items, 2))


def reals(n_items: int, path: Path) -> None:
    """Write 2 annotators who measure, so that hardly any value comes twice."""
    rng = np.random.default_rng(SEED)
    truth = rng.normal(size=n_items)
    np.save(path, truth + 0.3 * rng.normal(size=(2, n_items)))


def sets(n_items: int, path: Path) -> None:
    """Write 3 annotators who choose some of 12 topics, as bits."""
    rng = np.random.default_rng(SEED)
    truth = rng.random((n_items, 12)) < 0.2
    bits = []
    for _ in range(3):
        chosen = truth ^ (rng.random(truth.shape) < 0.05)
        chosen[~chosen.any(axis=1), 0] = True
        bits.append(chosen @ (1 << np.arange(12)))
    np.save(path, np.stack(bits))


def parquet(n_ratings: int, path: Path) -> None:
    """Write a long table of 4 annotators as Parquet, by DuckDB, and its path."""
    import duckdb  # noqa: PLC0415 - only this row needs it

    file = path.with_suffix(".parquet")
    # A label is that of the item, or in a fifth of cases that of a hash.
    duckdb.sql(
        "copy (select 'a' || (i % 4) as annotator, i // 4 as item, "  # noqa: S608 - our own path
        "case when hash(i) % 5 = 0 then hash(i + 1) % 10 else hash(i // 4) % 10 end as label "
        f"from range({n_ratings}) t(i)) to '{file}' (format parquet)"
    )
    np.save(path, np.array(str(file)))


def _labels(rng: np.random.Generator, n_items: int, n_annotators: int) -> NDArray[np.int64]:
    truth = np.minimum(rng.geometric(0.25, n_items), 10)
    guessed = rng.integers(1, 11, (n_annotators, n_items))
    return np.where(rng.random(guessed.shape) < 0.75, truth, guessed)


ROWS = {
    "nominal": Row(
        "α nominal, {:,} × 5, 20 % missing",
        "≥ 5× faster, < 1/3 of the memory",
        labels,
        1_000_000,
        20_000,
        ("krippendorff", "irrCAC", "nltk"),
    ),
    "ordinal": Row(
        "α ordinal, {:,} × 5, 20 % missing",
        "≥ 5× faster, < 1/3 of the memory",
        labels,
        1_000_000,
        20_000,
        ("krippendorff",),
    ),
    "interval": Row(
        "α interval, {:,} × 5, 20 % missing",
        "≥ 5× faster, < 1/3 of the memory",
        labels,
        1_000_000,
        20_000,
        ("krippendorff",),
    ),
    "reals": Row(
        "α interval, {:,} × 2 real values",
        "< 1 s",
        reals,
        1_000_000,
        100_000,
        ("krippendorff",),
        peer_size=400,
    ),
    "masi": Row("α MASI, {:,} × 3", "≥ 50× NLTK", sets, 2_000, 300, ("nltk",)),
    "cohen": Row(
        "Cohen κ, {:,} × 2",
        "not slower than scikit-learn",
        two,
        1_000_000,
        100_000,
        ("scikit-learn", "statsmodels", "nltk"),
    ),
    "fleiss": Row("Fleiss K, {:,} × 5", "", complete, 1_000_000, 20_000, ("statsmodels", "irrCAC")),
    "bootstrap": Row("α, 1,000 resamples of {:,} items × 5", "seconds", labels, 100_000, 10_000),
    "parquet": Row(
        "α, {:,} ratings in Parquet, through DuckDB",
        "bounded memory",
        parquet,
        100_000_000,
        2_000_000,
    ),
    "limited": Row(
        "α, {:,} ratings in Parquet, through a DuckDB that may use 1 GB",
        "bounded memory",
        parquet,
        100_000_000,
        2_000_000,
    ),
}


def main() -> None:
    """Measure the rows that were asked for, print them, and write them down."""
    options = _options()
    os.environ |= dict.fromkeys(ONE_THREAD, "1")
    print(
        f"unisono {version('unisono')}, python {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} processors; peers: {', '.join(item_peers.PEERS)}"
    )
    found = {name: measure(name, options) for name in options.row}
    if options.json is not None:
        text = json.dumps(found, indent=2, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")


def measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Let every tool measure the data of one row."""
    row = ROWS[name]
    size = row.quick_size if options.quick else row.size
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder) / "data.npy"
        row.make(size, path)
        for tool in OURS:
            found[tool] = _measured(tool, name, path, options)
        if row.peer_size is not None:
            row.make(row.peer_size, path)
            found["unisono"]["at_peer_size"] = _measured("unisono", name, path, options)
        for tool in row.peers if not options.no_peers else ():
            found[tool] = _measured(tool, name, path, options)
    _show(row, size, found)
    return found


def _measured(tool: str, row: str, path: Path, options: argparse.Namespace) -> dict[str, Any]:
    own = tool.startswith("unisono")
    try:
        interpreter = sys.executable if own else str(item_peers.python())
        command = [interpreter, "-W", "ignore", str(WORKER), tool, row, str(path)]
        # Ratings keep what was counted once: a second time would be no time at all.
        once = ROWS[row].make is parquet or tool == OURS[1]
        answer = peer.told([*command, "1" if once else "5"], tool, options.patience)
    except peer.PeerError as error:
        return {"failed": str(error)}
    result: dict[str, Any] = json.loads(answer.splitlines()[-1])
    return result


def _show(row: Row, size: int, found: dict[str, dict[str, Any]]) -> None:
    print(f"\n{row.what.format(size)}" + (f"   (goal: {row.goal})" if row.goal else ""))
    ours = found["unisono"]
    if "failed" in ours:
        print(ours["failed"])
        return
    beside = ours.get("at_peer_size", ours)
    lines = []
    for tool, one in found.items():
        if "failed" in one:
            lines.append([tool, "–", "–", "–", "–", "–", one["failed"].splitlines()[-1][:40]])
            continue
        known = ours if tool in OURS else beside
        lines.append(
            [
                tool + ("" if tool in OURS or known is ours else f", {row.peer_size:,} items"),
                f"{one['seconds']:.4f}",
                f"{one['seconds'] / known['seconds']:,.1f}",
                f"{one['extra_megabytes']:,.0f}",
                _ratio(one["extra_megabytes"], known["extra_megabytes"]),
                f"{one['value']:.12f}",
                f"{abs(one['value'] - known['value']):.0e}",
            ]
        )
    print(table(["", "seconds", "× ours", "MB more", "× ours", "value", "differs by"], lines))


def _ratio(megabytes: float, ours: float) -> str:
    return f"{megabytes / ours:,.1f}" if ours >= 1.0 else "–"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--row", default=",".join(ROWS), help=f"some of {','.join(ROWS)}")
    parser.add_argument("--no-peers", action="store_true", help="do not install or run the peers")
    parser.add_argument("--patience", type=float, default=900.0, help="seconds for one tool")
    parser.add_argument("--folder", type=Path, help="where large files are written for a while")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    options = parser.parse_args()
    options.row = options.row.split(",")
    unknown = sorted(set(options.row) - set(ROWS))
    if unknown:
        parser.error(f"unknown row {', '.join(unknown)}; choose from {', '.join(ROWS)}")
    return options


if __name__ == "__main__":
    main()
