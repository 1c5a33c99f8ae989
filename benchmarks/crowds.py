"""γ with many annotators: seconds, share proven, certified interval, Monte Carlo error.

`python benchmarks/crowds.py DATA … [--draws N] [--annotators N …] [--named PREFIX] [--workers N]`

DATA are files or folders that `unisono.read` can read, or JSON Lines with one annotator of one
document per line: `document`, `annotator` and `spans`, each with `start`, `end` and `label`. Of
each, γ is computed for the first 5, 10, 20 … annotators and for all. Then come made-up crowds with
20 phenomena: noisy ones as in `benchmarks/alignment.py`, and ones in which nobody misses a unit or
gives it another label. CPU seconds do not depend on what else the machine does. It prints figures
and judges nothing.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import alignment
from tables import table

import unisono as un

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 1
DRAWS = 30
ANNOTATORS = (5, 10, 20, 30, 50, 100)
MADE_UNITS = 20
ALL = 1_000
HEAD = (
    "data",
    "annotators",
    "units",
    "seconds",
    "CPU s",
    "alignments",
    "proven",
    "γ",
    "certified",
    "± draws",
)


def read(path: Path) -> un.Corpus:
    """Read a corpus; a file of spans per annotator has its own format."""
    if path.is_dir() and len(files := sorted(path.glob("*.jsonl"))) == 1:
        path = files[0]
    if path.suffix != ".jsonl":
        found = un.read(path)
        return found if isinstance(found, un.Corpus) else un.Corpus.from_continua({"": found})
    documents: dict[str, dict[str, list[tuple[float, float, str]]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        spans = [(span["start"], span["end"], span["label"]) for span in row["spans"]]
        documents.setdefault(row["document"], {})[row["annotator"]] = spans
    return un.Corpus.from_continua(
        {
            name: un.Continuum.from_units(
                [(who, *span) for who in sorted(found) for span in found[who]],
                annotators=sorted(found),
            )
            for name, found in documents.items()
        }
    )


def some_annotators(corpus: un.Corpus, count: int, prefix: str = "") -> un.Corpus:
    """Keep so many annotators of each document, the first in alphabetical order."""
    chosen = {}
    for name, continuum in corpus.items():
        named = [who for who in continuum.annotators if who.startswith(prefix)]
        chosen[name] = continuum.only(annotators=named[:count])
    return un.Corpus.from_continua(chosen)


def made(annotators: int, *, same: bool) -> un.Corpus:
    """Make a crowd; if `same`, nobody misses a unit, moves it far or gives it another label."""
    row = alignment.Row(annotators, MADE_UNITS, "")
    changed = (alignment.MISSED, alignment.MOVED, alignment.RELABELLED)
    if same:
        alignment.MISSED, alignment.MOVED, alignment.RELABELLED = 0.0, 0.02, 0.0
    continuum = alignment.instance(row, "ends" if same else "starts")
    alignment.MISSED, alignment.MOVED, alignment.RELABELLED = changed
    return un.Corpus.from_continua({"made": continuum})


def measured(title: str, corpus: un.Corpus, draws: int, workers: int | None) -> list[str]:
    """Compute γ, and return a row of the table."""
    begun, busy = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = un.gamma(corpus, draws=draws, rng=SEED, workers=workers)
    seconds, busy = time.perf_counter() - begun, time.process_time() - busy
    certified, drawn = found.certified, found.monte_carlo
    observed = sum(1 for each in found.documents.values() if each.alignment is not None)
    return [
        title,
        str(max(len(each.annotators) for each in corpus.values())),
        str(sum(len(each) for each in corpus.values())),
        f"{seconds:.1f}",
        f"{busy:.1f}",
        str(observed * (1 + draws)),
        "all" if found.proven else "not all",
        f"{found.value:.3f}",
        "" if certified is None else f"± {(certified.high - certified.low) / 2:.1g}",
        "" if drawn is None else f"± {(drawn.high - drawn.low) / 2:.2g}",
    ]


def rows(options: argparse.Namespace) -> Iterator[list[str]]:
    """Yield the rows of the table, real data first."""
    for path in options.data:
        corpus = some_annotators(read(path), ALL, options.named)
        most = max(len(each.annotators) for each in corpus.values())
        for count in sorted({min(count, most) for count in options.annotators} | {most}):
            few = some_annotators(corpus, count)
            yield measured(path.name, few, options.draws, options.workers)
    for same in (False, True):
        title = f"made up, {MADE_UNITS} units, {'nearly the same' if same else 'noisy'}"
        for count in options.annotators:
            yield measured(title, made(count, same=same), options.draws, options.workers)


def main() -> None:
    """Print a row for each crowd as soon as it is measured, and the table at the end."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="*", type=Path, metavar="DATA")
    parser.add_argument("--named", default="", metavar="PREFIX", help="only annotators named so")
    parser.add_argument("--draws", type=int, default=DRAWS, metavar="N")
    parser.add_argument("--workers", type=int, metavar="N")
    parser.add_argument("--annotators", type=int, nargs="+", default=ANNOTATORS, metavar="N")
    options = parser.parse_args()
    cells = []
    for row in rows(options):
        print("  ".join(row), flush=True)
        cells.append(row)
    print(table(HEAD, cells))


if __name__ == "__main__":
    main()
