"""One alignment at every size: share proven, seconds, worst gap, beside the goal.

`python benchmarks/alignment.py [--quick] [--row NAME] [--draws N] [--peer]`

An instance has p phenomena whose starts lie at exponential gaps (mean 12), with lengths uniform
in 4–18 and one of four labels. Each of n annotators misses 6 % of them, moves each boundary by a
normal 12 % of the length, and gives 8 % another label. Then come draws of the chance model `shift`
from that. Nested: lengths 3, 15 or 90. Depth 5: starts five times denser. Noise: positions, lengths
and labels are independent for every annotator, lengths log-normal (median 9, σ 0.8).
Everything is made from fixed seeds and aligned in one thread, a process for each row.
It prints figures and judges nothing.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import peer
from scaling import highest_memory
from tables import table

import unisono as un
from unisono._core import make_draws  # noqa: TID251 - draws as γ makes them, one at a time
from unisono.measures.gamma.alignment import EFFORT_DRAW, Columns, aligned
from unisono.measures.gamma.chance import ShiftChance, chance_rules
from unisono.measures.gamma.dissimilarity import label_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.measures.gamma.dissimilarity import Fitted

SEED = 4772
LABELS = np.array(["a", "b", "c", "d"])
MEAN_GAP = 12.0
SHORTEST, LONGEST = 4.0, 18.0
NESTED = np.array([3.0, 15.0, 90.0])
MEDIAN_OF_NOISE, SIGMA_OF_NOISE = 9.0, 0.8
MISSED, MOVED, RELABELLED = 0.06, 0.12, 0.08

QUICK_DRAWS = 2
PATIENCE = 900.0  # seconds for one row
QUICK_PATIENCE = 11.0
PEER_LIMIT = 240.0  # seconds
GAPS = ("starts", "ends")


@dataclass(frozen=True)
class Row:
    """A line of the table: an instance, how many draws of it, and what is to be reached."""

    n: int
    p: int
    goal: str
    draws: int = 30
    kind: Literal["plain", "nested", "noise"] = "plain"
    depth: int = 1
    quick: bool = False

    @property
    def name(self) -> str:
        """What --row takes."""
        kind = f"depth{self.depth}-" if self.depth > 1 else ""
        kind = kind if self.kind == "plain" else f"{self.kind}-"
        return f"{kind}{self.n}x{self.p}"

    @property
    def title(self) -> str:
        """What the table says."""
        kind = f"depth {self.depth}: " if self.depth > 1 else ""
        kind = kind if self.kind == "plain" else f"{self.kind}: "
        return f"{kind}{self.n} × {self.p:,}"


ROWS = (
    Row(5, 100, "all, mean ≤ 0.015 s", quick=True),
    Row(5, 1_000, "all, ≤ 0.5 s", quick=True),
    Row(5, 10_000, "all, ≤ 8 s", draws=5),
    Row(10, 100, "all, ≤ 1 s", quick=True),
    Row(10, 300, "all, ≤ 2.5 s"),
    Row(20, 30, "all, ≤ 8 s"),
    Row(20, 60, "all, ≤ 20 s", draws=10),
    Row(3, 20_000, "all, ≤ 4 s", draws=5, kind="nested"),
    Row(3, 10_000, "all, ≤ 4 s", draws=5, depth=5),
    Row(8, 50, "all, ≤ 0.8 s", depth=5, quick=True),
    Row(8, 200, "all, or gap ≤ 5e-5", draws=5, depth=5),
    Row(12, 50, "all, or gap ≤ 5e-4", draws=5, depth=5),
    Row(10, 40, "all, ≤ 1.5 s", kind="noise", quick=True),
    Row(2, 1_000_000, "all, ≤ 2 s, ≤ 2,000 MB", draws=3),
)
HEAD = (
    "instance",
    "alignments",
    "proven",
    "data s",
    "mean s",
    "largest s",
    "mean CPU s",
    "worst gap",
    "memory MB",
    "goal",
)


def instance(row: Row, gaps: str = "starts") -> un.Continuum:
    """Make what the annotators of a row marked; the same row is always the same."""
    rng = np.random.default_rng([SEED, row.n, row.p, row.depth])
    shared = _phenomena(row, gaps, rng)
    columns = [
        _phenomena(row, gaps, rng) if row.kind == "noise" else _annotated(*shared, rng)
        for _ in range(row.n)
    ]
    starts, ends, labels = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    names = [f"annotator_{i:02}" for i in range(1, row.n + 1)]
    annotators = np.repeat(names, [len(column[0]) for column in columns])
    return un.Continuum.from_columns(annotators, starts, ends, LABELS[labels], annotators=names)


def _phenomena(
    row: Row, gaps: str, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    steps = rng.exponential(MEAN_GAP, row.p)
    if row.kind == "nested":
        lengths = rng.choice(NESTED, row.p)
    elif row.kind == "noise":
        lengths = rng.lognormal(np.log(MEDIAN_OF_NOISE), SIGMA_OF_NOISE, row.p)
    else:
        lengths = rng.uniform(SHORTEST, LONGEST, row.p)
    if gaps == "ends":
        steps[1:] += lengths[:-1]
    starts = np.cumsum(steps) / row.depth
    return starts, starts + lengths, rng.integers(len(LABELS), size=row.p)


def _annotated(
    starts: np.ndarray, ends: np.ndarray, labels: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    p = len(starts)
    lengths = ends - starts
    own_starts = starts + rng.normal(0.0, MOVED * lengths)
    own_ends = np.maximum(ends + rng.normal(0.0, MOVED * lengths), own_starts)
    others = (labels + rng.integers(1, len(LABELS), size=p)) % len(LABELS)
    own_labels = np.where(rng.random(p) < RELABELLED, others, labels)
    seen = rng.random(p) >= MISSED
    return own_starts[seen], own_ends[seen], own_labels[seen]


def measure(row: Row, draws: int, gaps: str) -> None:
    """Align the data and then draws of them, and print a line of JSON after each."""
    continuum = instance(row, gaps)
    begun = _clocks()
    best = un.best_alignment(continuum)
    _tell(begun, best.disorder, best.lower_bound, proven=best.proven)
    del best

    fitted = un.CombinedDissimilarity().fitted(continuum.labels, label_counts(continuum))
    for columns in _drawn(continuum, fitted, draws):
        begun = _clocks()
        found = aligned(columns, fitted, effort=EFFORT_DRAW)
        _tell(begun, found.disorder_sum, found.lower_bound, proven=found.proven)


def _drawn(continuum: un.Continuum, fitted: Fitted, draws: int) -> Iterator[Columns]:
    tracks, recipe = ShiftChance(continuum, fitted, chance_rules("shift"), SEED).drawn(0, draws)
    for draw in range(draws):
        only = (each[draw : draw + 1] for each in recipe[:3])
        *units, counts = make_draws(*tracks.columns, tracks.origin, tracks.extent, *only)
        yield Columns(*units, np.concatenate(([0], np.cumsum(counts))))


def _first_draw(continuum: un.Continuum) -> un.Continuum:
    fitted = un.CombinedDissimilarity().fitted(continuum.labels, label_counts(continuum))
    (columns,) = _drawn(continuum, fitted, 1)
    annotators = np.repeat(continuum.annotators, np.diff(columns.offsets))
    labels = np.array(continuum.labels)[columns.label_codes]
    return un.Continuum.from_columns(annotators, columns.starts, columns.ends, labels)


def _clocks() -> tuple[float, float]:
    # The second does not run while other programs have the processor.
    return time.perf_counter(), time.process_time()


def _tell(begun: tuple[float, float], disorder: float, lower_bound: float, *, proven: bool) -> None:
    seconds, busy = (now - then for now, then in zip(_clocks(), begun, strict=True))
    one = {
        "seconds": seconds,
        "busy": busy,
        "gap": (disorder - lower_bound) / disorder if disorder > 0.0 else 0.0,
        "proven": proven,
        "memory": highest_memory(),
    }
    print(json.dumps(one), flush=True)


def in_a_process(row: Row, draws: int, gaps: str, patience: float) -> list[dict[str, Any]]:
    """Measure a row; where patience ends before it does, what was measured until then."""
    command = [sys.executable, str(Path(__file__)), "--measure", row.name]
    command += ["--draws", str(draws), "--gaps", gaps]
    try:
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=patience)
        output = done.stdout
    except subprocess.TimeoutExpired as error:
        output = error.stdout or b""
        output = output[: output.rfind(b"\n") + 1]
    return [json.loads(line) for line in output.splitlines()]


def _cells(row: Row, draws: int, found: list[dict[str, Any]]) -> list[str]:
    asked = draws + 1
    count = str(asked) if len(found) == asked else f"{len(found)} of {asked}"
    if not found:
        return [row.title, count, *[""] * (len(HEAD) - 3), row.goal]
    seconds = [one["seconds"] for one in found]
    proven = sum(one["proven"] for one in found)
    gap = max(one["gap"] for one in found)
    return [
        row.title,
        count,
        f"{100 * proven / len(found):.0f} %",
        _seconds(seconds[0]),
        _seconds(sum(seconds) / len(seconds)),
        _seconds(max(seconds)),
        _seconds(sum(one["busy"] for one in found) / len(found)),
        "0" if gap == 0.0 else f"{gap:.1e}",
        f"{found[-1]['memory']:,.0f}",
        row.goal,
    ]


def _seconds(value: float) -> str:
    return f"{value:.4f}" if value < 1.0 else f"{value:.2f}"


def compare(row: Row, gaps: str) -> None:
    """Put the peer's alignments of the same data beside ours."""
    data = instance(row, gaps)
    rows = _beside("data", data, ("fast", "exact"))
    rows += _beside("first draw", _first_draw(data), ("fast",))
    print(f"\n{row.title}, {len(data)} units, weights 1, 1, 1")
    print(table(["", "seconds", "disorder", "above ours", "note"], rows))


def _beside(title: str, continuum: un.Continuum, ways: tuple[str, ...]) -> list[list[str]]:
    begun = time.perf_counter()
    best = un.best_alignment(continuum)
    seconds = time.perf_counter() - begun
    rows = [[f"{title}: unisono", _seconds(seconds), f"{best.disorder:.7f}", "", _proof(best)]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "units.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(
                (unit.annotator, unit.label, unit.start, unit.end) for unit in continuum
            )
        for how in ways:
            name = f"{title}: {peer.PEER}, {how}"
            print(f"{name} …", file=sys.stderr, flush=True)
            rows.append([name, *_theirs(path, how, best.disorder)])
    return rows


def _proof(best: un.results.Alignment) -> str:
    return "proven" if best.proven else f"gap {best.gap:.1e}"


def _theirs(path: Path, how: str, ours: float) -> list[str]:
    worker = Path(__file__).with_name("peer_alignment_worker.py")
    try:
        command = [str(peer.python()), "-W", "ignore", str(worker), str(path), how]
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=PEER_LIMIT
        )
    except subprocess.TimeoutExpired:
        return ["", "", "", f"no answer in {PEER_LIMIT:.0f} s"]
    except subprocess.CalledProcessError as error:
        return ["", "", "", (error.stderr.strip().splitlines() or ["no answer"])[-1][:60]]
    except peer.PeerError as error:
        return ["", "", "", str(error)]
    found = json.loads(done.stdout.splitlines()[-1])
    above = f"{100 * (found['disorder'] / ours - 1):.4f} %"
    return [_seconds(found["seconds"]), f"{found['disorder']:.7f}", above, "float32"]


def main() -> None:
    """Run what was asked for, in the order of ROWS."""
    options = _options()
    named = {row.name: row for row in ROWS}
    if options.measure is not None:
        measure(named[options.measure], options.draws, options.gaps)
        return
    rows = [named[name] for name in options.row or named]
    if options.quick and not options.row:
        rows = [row for row in rows if row.quick]
    cells = []
    for row in rows:
        draws = min(QUICK_DRAWS, row.draws) if options.quick else row.draws
        draws = draws if options.draws is None else options.draws
        print(f"{row.title} …", file=sys.stderr, flush=True)
        cells.append(_cells(row, draws, in_a_process(row, draws, options.gaps, options.patience)))
    told = "start to start" if options.gaps == "starts" else "an end to the next start"
    print(f"gaps from {told}; one thread; alignments: the data, then draws;")
    print("gap: relative to the disorder; memory: highest of the process, making data included")
    if hasattr(os, "getloadavg"):
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors at the end")
    print(table(HEAD, cells))
    # The peer alone takes minutes.
    if options.peer and not options.quick:
        compare(named["5x100"], options.gaps)


def _options() -> argparse.Namespace:
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="few draws, small rows, no peer")
    parser.add_argument(
        "--row", action="append", choices=names, help="only this row; may be given again"
    )
    parser.add_argument("--draws", type=int, metavar="N", help="draws of each row")
    parser.add_argument(
        "--gaps",
        choices=GAPS,
        default="starts",
        help="gaps from start to start (units may overlap), or from the end to the next start",
    )
    parser.add_argument("--patience", type=float, metavar="SECONDS", help="most for one row")
    parser.add_argument("--peer", action="store_true", help="compare 5 × 100 with the peer")
    parser.add_argument("--measure", choices=names, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.draws is not None and options.draws < 0:
        parser.error("--draws must be 0 or more")
    if options.patience is None:
        options.patience = QUICK_PATIENCE if options.quick else PATIENCE
    return options


if __name__ == "__main__":
    main()
