"""What size costs, and what more machines would do: `python benchmarks/scale.py`.

Every figure is measured in a process of its own, on documents that are made here from a fixed seed.
Costs are those of one core, in its own time; the figures with a goal beside them are ratios of two
runs that stand next to each other, the median of several pairs. The projections are arithmetic on
the costs, with the formula in docs/scale.md. ``--write`` puts the tables into that page. Nothing is
judged, and tests measure no time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from items import labels
from tables import table

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAGE = Path(__file__).resolve().parents[1] / "docs" / "scale.md"
WORKER = Path(__file__).with_name("scale_worker.py")
MEMORY_WORKER = Path(__file__).with_name("memory_worker.py")

SHAPES = ((2, 5), (2, 50), (2, 500), (3, 50), (5, 20))
SMALL = {"annotators": 2, "units": 25}
LARGER = {"annotators": 2, "units": 250}
NODES, CORES = 100, 16


def measured(name: str, **settings: object) -> dict[str, float]:
    """Measure one thing in a process of its own."""
    return answer_of([str(WORKER), name, json.dumps(settings)])


def answer_of(program: list[str]) -> dict[str, float]:
    """Run a worker and read its last line."""
    command = [sys.executable, *program]
    # One thread for linear algebra: it is no part of what is measured.
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    answer = subprocess.check_output(command, env=env, text=True)
    found: dict[str, float] = json.loads(answer.splitlines()[-1])
    return found


def costs(*, quick: bool) -> tuple[list[str], list[list[str]], dict[tuple[int, int], float]]:
    """Measure documents of several shapes, with one worker."""
    rows, per_document = [], {}
    for annotators, units in SHAPES:
        documents = max(20, 60_000 // (annotators * units * (annotators**2)))
        documents //= 10 if quick else 1
        found = measured("gamma", documents=documents, annotators=annotators, units=units)
        seconds = found["seconds"] / documents
        per_document[annotators, units] = seconds
        drawn = seconds / found["draws"]
        rows.append(
            [
                f"{annotators} × {units}",
                f"{documents:,}",
                f"{1e3 * seconds:.2f}",
                f"{1e6 * drawn:.0f}",
                f"{1e6 * drawn / (annotators * units):.2f}",
            ]
        )
    headings = ["annotators × units", "documents", "ms/document", "µs/draw", "µs/draw/unit"]
    return headings, rows, per_document


def ratios(*, quick: bool) -> tuple[list[str], list[list[str]]]:
    """Measure the speed-up and the overheads, most with a goal."""
    documents = 1_000 if quick else 10_000
    both = measured("threads", documents=documents, **SMALL)
    processes = measured("processes", documents=documents, **SMALL)
    dask = measured("dask", documents=documents, **SMALL)
    kept = measured("checkpoint", documents=documents, **SMALL)
    larger = measured("checkpoint", documents=documents // 10, **LARGER)
    resumed = measured("resume", documents=documents, **SMALL)
    rows = [
        ["threads on 2 cores, speed-up", f"{both['ratio']:.2f}", "≥ 1.8"],
        ["processes beside threads", f"{100 * (processes['ratio'] - 1):+.1f} %", ""],
        ["Dask beside threads", f"{100 * (dask['ratio'] - 1):+.1f} %", "< 10 %"],
        ["checkpoint", f"{100 * (kept['ratio'] - 1):+.1f} %", "< 3 %"],
        [
            f"checkpoint, {documents // 10:,} documents of 2 × 250",
            f"{100 * (larger['ratio'] - 1):+.1f} %",
            "< 3 %",
        ],
        ["chunks done again, for each worker", f"{resumed['again']:.1f}", "≤ 1"],
    ]
    return [f"{documents:,} documents of 2 × 25 units", "measured", "goal"], rows


def large(*, quick: bool) -> tuple[list[str], list[list[str]]]:
    """Measure the largest corpus of the page."""
    documents = 10_000 if quick else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "units.csv"))
        measured("write", path=path, documents=documents, annotators=2, units=50)
        found = measured("large", path=path)
    rows = [
        ["read", f"{found['read']:,.0f}", f"{found['read_peak'] / 2**20:,.0f}"],
        ["gamma, 30 draws", f"{found['gamma']:,.0f}", f"{found['gamma_peak'] / 2**20:,.0f}"],
        ["the ten worst documents", f"{found['worst']:,.0f}", f"{found['peak'] / 2**20:,.0f}"],
    ]
    return [f"{documents:,} documents, {100 * documents:,} units", "CPU seconds", "peak MiB"], rows


def memory(*, quick: bool) -> tuple[list[str], list[list[str]]]:
    """Measure the bytes per unit and per rating: kept, and at the peak."""
    size = 100_000 if quick else 1_000_000
    files: list[tuple[str, str, Path, Path]] = []
    with tempfile.TemporaryDirectory() as folder:
        for units in (10, 50, 500):
            path, small = Path(folder, f"units{units}.csv"), Path(folder, "small.csv")
            for documents, file in ((size // (2 * units), path), (50, small)):
                measured("write", path=str(file), documents=documents, annotators=2, units=units)
            files.append((f"unit, documents of 2 × {units}", "units", path, small))
        csv, small_csv = Path(folder, "ratings.csv"), Path(folder, "small_ratings.csv")
        array, small_array = Path(folder, "ratings.npy"), Path(folder, "small.npy")
        for n_items, text, binary in ((size // 4, csv, array), (50, small_csv, small_array)):
            labels(n_items, binary)
            write_ratings(np.load(binary), text)
        files.append(("rating, CSV, 5 annotators", "table", csv, small_csv))
        files.append(("rating, array, 5 annotators", "matrix", array, small_array))
        rows = []
        for what, kind, path, small in files:
            found = answer_of([str(MEMORY_WORKER), kind, str(path), str(small)])
            most = max(found["reading"], found["measuring"])
            figures = [f"{found[name]:,.0f}" for name in ("kept", "reading", "measuring")]
            rows.append([what, *figures, f"{8e9 / most / 1e6:,.0f} million"])
    return ["bytes per", "kept", "peak, reading", "peak, γ or α", "fit into 8 GB"], rows


def write_ratings(rows: NDArray[np.float64], path: Path) -> None:
    """Write a long table of a matrix, without what is missing."""
    annotators, items = np.nonzero(~np.isnan(rows))
    values = rows[annotators, items].astype(int).tolist()
    with path.open("w", encoding="utf-8") as file:
        file.write("annotator,item,label\n")
        for annotator, item, value in zip(annotators.tolist(), items.tolist(), values, strict=True):
            file.write(f"annotator{annotator},item{item},label{value}\n")


def projections(
    per_document: dict[tuple[int, int], float], serial: float
) -> tuple[list[str], list[list[str]]]:
    """Say how long 100,000 documents would take, by the formula on the page."""
    rows = []
    for (annotators, units), seconds in per_document.items():
        work = 100_000 * seconds
        alone = 100_000 * serial
        cells = [work, max(work / CORES, alone), max(work / (NODES * CORES), alone)]
        rows.append([f"{annotators} × {units}", *map(in_words, cells)])
    return ["100,000 documents of", "one core", f"{CORES} cores", f"{NODES} × {CORES} cores"], rows


def in_words(seconds: float) -> str:
    """Give a time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def main() -> None:
    """Measure what was asked for, and print or write tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the documents")
    parser.add_argument("--row", default="costs,ratios,large,memory", help="comma-separated parts")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/scale.md")
    given = parser.parse_args()
    parts = given.row.split(",")
    tables: dict[str, tuple[list[str], list[list[str]]]] = {}
    if "costs" in parts:
        headings, rows, per_document = costs(quick=given.quick)
        tables["costs"] = (headings, rows)
        alone = measured("serial", documents=300 if given.quick else 3_000, **SMALL)
        tables["projections"] = projections(per_document, alone["serial"])
        serial = [["its time", f"{1e6 * alone['serial']:.0f} µs"]]
        serial.append(["there and back", f"{alone['bytes'] / 1000:.1f} kB"])
        tables["serial"] = (["who hands out, for a document of 2 × 25 units", "measured"], serial)
    if "ratios" in parts:
        tables["ratios"] = ratios(quick=given.quick)
    if "large" in parts:
        tables["large"] = large(quick=given.quick)
    if "memory" in parts:
        tables["memory"] = memory(quick=given.quick)
    for name, (headings, rows) in tables.items():
        print(table(headings, rows), end="\n\n")
        if given.write:
            write(name, headings, rows)


def write(name: str, headings: list[str], rows: list[list[str]]) -> None:
    """Replace one table of the page."""
    lines = [headings, [":---", *["---:"] * (len(headings) - 1)], *rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    PAGE.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
