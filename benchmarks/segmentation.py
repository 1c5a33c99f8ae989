"""Measures of segmentations beside the existing tools: `python benchmarks/segmentation.py`.

Two annotators cut the same text, one boundary in ten atoms, the second a little off. Each tool gets
the data in the form it takes, which is not counted: masses, strings of marks, our `Segmentation`.
"From masses" is ours with the making of `Segmentation` counted too, as segeval has to do it, and is
what ratios are of. All tools are timed by one rule: the best of five runs, fewer once they took
five seconds together. Peers are asked only for sizes they can finish in a while; what they say is
compared. The figures are beside the goals; nothing is judged, and tests never measure time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
import warnings
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tables import table

import unisono as un

if TYPE_CHECKING:
    from collections.abc import Callable

    Asked = Callable[[un.Segmentation, un.Segmentation], Callable[[], Any]]

SEED = 2013
OURS = "unisono, from masses"
REPETITIONS = 5
ENOUGH = 5.0  # seconds after which a tool is not asked again
ATOMS_FOR_A_BOUNDARY = 10


@dataclass(frozen=True)
class Row:
    """One measure, its goal, and how peers are asked for it."""

    goal: str
    measure: Callable[..., un.results.SegmentationAgreement]
    sizes: tuple[int, ...]
    peers: dict[str, tuple[Asked, int]]  # how, and the most boundaries it is asked for


def cut(n_boundaries: int) -> tuple[un.Segmentation, un.Segmentation]:
    """Cut a text at random, and once more with half the boundaries moved, some lost and added."""
    rng = np.random.default_rng(SEED)
    length = ATOMS_FOR_A_BOUNDARY * n_boundaries
    places = np.sort(rng.choice(length - 1, n_boundaries, replace=False) + 1)
    moved = places + np.where(rng.random(n_boundaries) < 0.5, rng.integers(-3, 4, n_boundaries), 0)
    kept = moved[rng.random(n_boundaries) < 0.9]
    added = rng.integers(1, length, n_boundaries - len(kept))
    other = np.unique(np.clip(np.concatenate((kept, added)), 1, length - 1))
    return tuple(un.Segmentation.from_positions(each, length=length) for each in (places, other))  # type: ignore[return-value]


def segeval(name: str) -> Asked:
    """Ask segeval: masses, the hypothesis first."""

    def asked(reference: un.Segmentation, hypothesis: un.Segmentation) -> Callable[[], Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import segeval as peer  # noqa: PLC0415 - a peer may be missing

            measure = getattr(peer, name)
        given = [tuple(each.masses.tolist()) for each in (hypothesis, reference)]
        return lambda: measure(*given)

    return asked


def nltk(name: str) -> Asked:
    """Ask NLTK: strings with a mark for each place; the window is said, as it must be."""

    def asked(reference: un.Segmentation, hypothesis: un.Segmentation) -> Callable[[], Any]:
        from nltk.metrics import segmentation as peer  # noqa: PLC0415 - a peer may be missing

        given: list[Any] = [marks(each) for each in (reference, hypothesis)]
        if name != "ghd":
            given.append(round(reference.length / reference.n_segments / 2))
        return lambda: getattr(peer, name)(*given)

    return asked


def marks(segmentation: un.Segmentation) -> str:
    """Write a one for each place with a boundary."""
    string = np.full(segmentation.length - 1, "0")
    string[segmentation.boundaries - 1] = "1"
    return "".join(string.tolist())


ROWS = {
    "pk": Row(
        "100,000 boundaries < 0.2 s, ≥ 5× segeval",
        un.pk,
        (10_000, 100_000),
        {"segeval": (segeval("pk"), 100_000), "nltk": (nltk("pk"), 100_000)},
    ),
    "window_diff": Row(
        "100,000 boundaries < 0.2 s, ≥ 5× segeval",
        un.window_diff,
        (10_000, 100_000),
        {"segeval": (segeval("window_diff"), 100_000), "nltk": (nltk("windowdiff"), 100_000)},
    ),
    "boundary_similarity": Row(
        "100,000 boundaries < 0.2 s, ≥ 5× segeval",
        un.boundary_similarity,
        (10_000, 100_000),
        {"segeval": (segeval("boundary_similarity"), 100_000)},
    ),
    "segmentation_similarity": Row(
        "",
        un.segmentation_similarity,
        (10_000, 100_000),
        {"segeval": (segeval("segmentation_similarity"), 100_000)},
    ),
    "generalized_hamming": Row(
        "10,000 boundaries < 1 s; NLTK refuses texts of more than 10,000 atoms",
        un.generalized_hamming,
        (1_000, 10_000, 100_000),
        {"nltk": (nltk("ghd"), 1_000)},
    ),
}


def main() -> None:
    """Measure the rows that were asked for, print them, and write them down."""
    options = _options()
    peers = ", ".join(f"{name} {_version(name)}" for name in ("segeval", "nltk"))
    print(
        f"unisono {version('unisono')}, python {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} processors; peers: {peers}"
    )
    found = {name: measure(name, options) for name in options.row}
    if options.json is not None:
        text = json.dumps(found, indent=2, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")


def measure(name: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Let every tool measure the texts of one row."""
    row = ROWS[name]
    found: list[dict[str, Any]] = []
    for size in row.sizes:
        if options.quick and size > 10_000:
            continue
        texts = cut(size)
        found.append(_timed("unisono", size, partial(row.measure, *texts)))
        found.append(_timed(OURS, size, partial(_from_masses, row, [t.masses for t in texts])))
        for peer, (asked, most) in row.peers.items():
            if size <= most and not options.no_peers:
                found.append(_asked(peer, size, asked, texts))
    _show(name, row, found)
    return found


def _asked(
    peer: str, size: int, asked: Asked, texts: tuple[un.Segmentation, un.Segmentation]
) -> dict[str, Any]:
    try:
        return _timed(peer, size, asked(*texts))
    except ImportError as error:
        return {"tool": peer, "boundaries": size, "failed": str(error)}


def _from_masses(row: Row, masses: list[Any]) -> un.results.SegmentationAgreement:
    return row.measure(*map(un.Segmentation.from_masses, masses))


def _timed(tool: str, size: int, job: Callable[[], Any]) -> dict[str, Any]:
    seconds: list[float] = []
    value: Any = None
    while len(seconds) < REPETITIONS and sum(seconds) < ENOUGH:
        begin = time.perf_counter()
        value = job()
        seconds.append(time.perf_counter() - begin)
    return {"tool": tool, "boundaries": size, "seconds": min(seconds), "value": float(value)}


def _show(name: str, row: Row, found: list[dict[str, Any]]) -> None:
    print(f"\n{name}" + (f"   (goal: {row.goal})" if row.goal else ""))
    ours = {one["boundaries"]: one for one in found if one["tool"] == OURS}
    lines = []
    for one in found:
        lead = [one["tool"], f"{one['boundaries']:,}"]
        if "failed" in one:
            lines.append([*lead, "–", "–", "–", one["failed"][:40]])
            continue
        beside = ours[one["boundaries"]]
        lines.append(
            [
                *lead,
                f"{one['seconds']:.4f}",
                f"{one['seconds'] / beside['seconds']:,.1f}",
                f"{one['value']:.12g}",
                f"{abs(one['value'] - beside['value']):.0e}",
            ]
        )
    print(table(["", "boundaries", "seconds", "× ours", "value", "differs by"], lines))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--row", default=",".join(ROWS), help=f"some of {','.join(ROWS)}")
    parser.add_argument("--no-peers", action="store_true", help="do not run the peers")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    options = parser.parse_args()
    options.row = options.row.split(",")
    unknown = sorted(set(options.row) - set(ROWS))
    if unknown:
        parser.error(f"unknown row {', '.join(unknown)}; choose from {', '.join(ROWS)}")
    return options


if __name__ == "__main__":
    main()
