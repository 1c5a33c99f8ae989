"""How quickly files are read, and in how much memory: `python benchmarks/readers.py`.

Each format is read in a process of its own: a million units of five annotators in two hundred
documents (CSV, the same with names in quotation marks, JSON Lines), or half a million (brat, a
folder for each annotator); a million ratings of 200,000 items by five annotators (one row per
rating, the same in quotation marks, one row per item). Seconds are those a processor spends on
`un.read` or `un.read_ratings` alone, the best of three, so that others who use the machine count
less; the peak is what a process that has read such a file before grew by while reading, beside the
columns: document, annotator, start, end and label of each unit, or annotator, item and label of
each rating, eight bytes each. The goals are beside the figures; nothing is judged, and tests never
measure time.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from tables import table

import unisono as un

SEED = 7
GOALS = {
    "csv": 2_700_000,
    "csv-quoted": 2_400_000,
    "ratings": 3_400_000,
    "ratings-quoted": 3_400_000,
    "ratings-wide": 2_400_000,
    "jsonl": 200_000,
    "brat": 200_000,
}
"""Units or ratings per second: in tables, three times what the csv module reached."""
REPETITIONS = 3
ANNOTATORS = 5
BYTES_OF_COLUMNS = {"units": 5 * 8, "ratings": 3 * 8}
MOST_COLUMNS = {"units": 4.0, "ratings": 6.0}


def units(size: int) -> list[tuple[str, str, float, float, str]]:
    """Draw units with times of three decimals."""
    rng = np.random.default_rng(SEED)
    starts = np.round(rng.uniform(0, 1000, size), 3)
    ends = np.round(starts + rng.uniform(0, 5, size), 3)
    documents = np.sort(rng.integers(0, 200, size)).tolist()
    annotators, labels = rng.integers(0, 5, size).tolist(), rng.integers(0, 12, size).tolist()
    rows = zip(documents, annotators, starts.tolist(), ends.tolist(), labels, strict=True)
    return [(f"doc{d}", f"ann{a}", s, e, f"label{k}") for d, a, s, e, k in rows]


def ratings(kind: str, size: int) -> str:
    """Draw ratings, and write them as a table."""
    rng = np.random.default_rng(SEED)
    labels = rng.integers(0, 12, size).tolist()
    n_items = size // ANNOTATORS
    names = [f"ann{annotator}" for annotator in range(ANNOTATORS)]
    if kind == "ratings-wide":
        rows = [labels[item * ANNOTATORS : (item + 1) * ANNOTATORS] for item in range(n_items)]
        lines = [
            f"item{item},{','.join(f'label{k}' for k in row)}" for item, row in enumerate(rows)
        ]
        return f"item,{','.join(names)}\n" + "\n".join(lines)
    q = '"' if kind == "ratings-quoted" else ""
    pairs = [(name, item) for item in range(n_items) for name in names]
    lines = [
        f"{q}{name}{q},{q}item{item}{q},{q}label{k}{q}"
        for (name, item), k in zip(pairs, labels, strict=True)
    ]
    return "annotator,item,label\n" + "\n".join(lines)


def written(kind: str, size: int, folder: Path) -> Path:
    """Write units or ratings in one format."""
    folder.mkdir(exist_ok=True)
    if kind.startswith("ratings"):
        path = folder / "ratings.csv"
        path.write_text(ratings(kind, size))
        return path
    rows = units(size)
    if kind.startswith("csv"):
        path = folder / "units.csv"
        q = '"' if kind == "csv-quoted" else ""
        lines = [f"{q}{d}{q},{q}{a}{q},{s},{e},{q}{label}{q}" for d, a, s, e, label in rows]
        path.write_text("document,annotator,start,end,label\n" + "\n".join(lines))
    elif kind == "jsonl":
        path = folder / "units.jsonl"
        keys = ("document", "annotator", "start", "end", "label")
        path.write_text("\n".join(json.dumps(dict(zip(keys, row, strict=True))) for row in rows))
    else:
        path = folder / "brat"
        text = "x" * 1_010_000
        files: dict[Path, list[str]] = {}
        for document, annotator, start, end, label in rows:
            target = path / annotator / f"{document}.ann"
            lines = files.setdefault(target, [])
            low, high = int(start * 1000), int(start * 1000) + int((end - start) * 10)
            lines.append(f"T{len(lines) + 1}\t{label} {low} {high}\t{text[low:high]}")
        for target, lines in files.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(lines) + "\n")
    return path


def read(path: str) -> un.Corpus | un.Ratings:
    """Read units or ratings, as the name of the file says."""
    if not path.endswith("ratings.csv"):
        return un.read(path)
    return un.read_ratings(path, wide=True if "-wide" in path else None)


def measured(path: str, small: str) -> None:
    """Read once for the memory and again for the seconds, and print both."""
    read(small)  # the readers themselves are loaded now, and are no part of the data
    before = peak()
    times = []
    for _ in range(REPETITIONS):
        began = time.process_time()
        found = read(path)
        times.append(time.process_time() - began)
        if len(times) == 1:
            grown = peak() - before
            size = found.n_units if isinstance(found, un.Corpus) else found.n_ratings
        del found
    print(json.dumps({"size": size, "seconds": min(times), "bytes": grown}))


def peak() -> int:
    """Give the most bytes this process had so far."""
    status = Path("/proc/self/status")
    if status.exists():  # where the other figure would be that of the process that started us
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return 1024 * int(lines["VmHWM"].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Measure each format, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the units")
    parser.add_argument("--row", default=",".join(GOALS), help="comma-separated formats")
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read:
        measured(*given.read)
        return
    rows = []
    for kind in given.row.split(","):
        size = (500_000 if kind == "brat" else 1_000_000) // (10 if given.quick else 1)
        with tempfile.TemporaryDirectory(suffix=f"-{kind}") as folder:
            path = written(kind, size, Path(folder))
            small = written(kind, 100, Path(folder, "small"))
            command = [sys.executable, __file__, "--read", str(path), str(small)]
            found = json.loads(subprocess.check_output(command))
        speed = found["size"] / found["seconds"]
        what = "ratings" if kind.startswith("ratings") else "units"
        memory = found["bytes"] / found["size"] / BYTES_OF_COLUMNS[what]
        cells = [f"{found['size']:,}", f"{found['seconds']:.2f}", f"{speed:,.0f}"]
        rows.append([kind, *cells, f"{GOALS[kind]:,}", f"{memory:.1f}", f"{MOST_COLUMNS[what]}"])
    headings = ["format", "rows", "seconds", "rows/s", "goal", "× columns", "goal"]
    print(table(headings, rows))


if __name__ == "__main__":
    main()
