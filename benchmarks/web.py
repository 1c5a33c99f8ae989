"""The service under load: `make bench-web`.

A service on loopback as users start it; then 200 small jobs at once, each from its upload to its
number; one γ of 3 × 124 units at a time; and the memory of the idle service. Nothing is judged, and
tests never measure time.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tables import table

from service_client import Client
from unisono.web.problems import ProblemError

JOBS = 200
EXAMPLE = "example:parts_of_speech"
SMALL = b"annotator,start,end,label\n" + b"".join(
    b"%b,%d,%d,%b\n" % (who, 10 * i + shift, 10 * i + 6, label)
    for shift, who in enumerate((b"ann", b"bob", b"cleo"))
    for i, label in enumerate((b"A", b"B", b"A", b"C", b"B") * 4)
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="20 jobs")
    jobs = 20 if parser.parse_args().quick else JOBS
    command = [sys.executable, "-m", "unisono", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout is not None else ""
            client = Client(line.split()[2])
            alone = sorted(one_gamma(client) for _ in range(21))
            idle = memory(process.pid)
            times, lost, refused = many(client, jobs)
        finally:
            process.terminate()
    rows = [
        ["γ of 3 × 124 units, submitted to number, median", milliseconds(alone), "500 ms"],
        [f"{jobs} jobs at once: median", milliseconds(times), ""],
        ["99 % are under", f"{1000 * sorted(times)[int(0.99 * len(times)) - 1]:.0f} ms", ""],
        ["jobs lost", str(lost), "0"],
        ["told to come again (429)", str(refused), ""],
        ["memory, idle: the service", f"{idle['Rss'][0]:.0f} MB", "150 MB"],
        ["with its worker, pages they share counted twice", f"{sum(idle['Rss']):.0f} MB", ""],
        ["with its worker, pages they share counted once", f"{sum(idle['Pss']):.0f} MB", "150 MB"],
    ]
    print(table(["the service", "measured", "goal"], rows))


def one_gamma(client: Client) -> float:
    """Ask for one number and give the seconds until it was there."""
    begun = time.perf_counter()
    client.measure("gamma", EXAMPLE, settings={"seed": 1})
    return time.perf_counter() - begun


def many(client: Client, jobs: int) -> tuple[list[float], int, int]:
    """Ask for many numbers at once; give the seconds of each, how many were lost, and 429s."""
    wanted = client.measure("gamma", client.upload_contents({"small.csv": SMALL}), settings=SEED)
    refusals: list[int] = []

    def one(_: int) -> tuple[float, bool]:
        begun = time.perf_counter()
        while True:
            try:
                data = client.upload_contents({"small.csv": SMALL})
                found = client.measure("gamma", data, settings=SEED)
            except ProblemError as problem:
                if problem.status != 429:
                    return time.perf_counter() - begun, False
                refusals.append(1)
                time.sleep(float(problem.headers.get("retry-after", "1")))
            else:
                return time.perf_counter() - begun, found == wanted

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        outcomes = list(pool.map(one, range(jobs)))
    return [seconds for seconds, _ in outcomes], sum(not ok for _, ok in outcomes), len(refusals)


SEED = {"seed": 1, "draws": 30}


def memory(pid: int) -> dict[str, list[float]]:
    """Give the megabytes of a process and of its children, resident and in fair parts."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    # One is always warm; others go when there has been no work for a while.
    there = [pid, int(children[0])]
    return {kind: [megabytes(one, kind) for one in there] for kind in ("Rss", "Pss")}


def megabytes(pid: int, kind: str) -> float:
    """Give the memory of a process."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    found = re.search(rf"^{kind}:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found is not None else float("nan")


def milliseconds(times: list[float]) -> str:
    """Write the median."""
    return f"{1000 * statistics.median(times):.0f} ms"


if __name__ == "__main__":
    main()
