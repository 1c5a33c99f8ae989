"""The memory that a corpus of many documents takes to read and to measure."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from unisono.measures.sampling import Dice

PROGRAM = Path(__file__).resolve().parents[3] / "support" / "memory_use.py"
BENCHMARKS = Path(__file__).resolve().parents[4] / "benchmarks"


@pytest.fixture
def table(tmp_path):
    """A hundredth of 100,000 documents with 10 million units."""
    path = tmp_path / "units.csv"
    with path.open("w") as file:
        file.write("document,annotator,start,end,label\n")
        for number in range(1000):
            starts = Dice(number).roll(100)
            for i, moved in enumerate(starts.tolist()):
                name = "ann" if i % 2 else "bob"
                low = 10 * (i // 2) + 3 * moved
                file.write(f"text{number:04},{name},{low:.3f},{low + 6:.3f},label{i // 2 % 4}\n")
    return path


def used(path, allowed):
    return subprocess.run(
        [sys.executable, PROGRAM, path, str(allowed)],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"},
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on data is one of Linux")
def test_a_hundredth_of_the_largest_corpus_takes_little(table):
    # A hundred times as much may take 2 GB; of this, 16 MB are for resamples at any size.
    finished = used(table, 36)

    assert finished.returncode == 0, finished.stderr[-2000:]
    told = json.loads(finished.stdout)
    assert (told["documents"], told["units"], told["held"]) == (1000, 100_000, True)


@pytest.mark.skipif(sys.platform != "linux", reason="it looks at the memory as Linux tells it")
@pytest.mark.skipif(not BENCHMARKS.exists(), reason="only in the repository")
def test_some_seconds_of_the_soak_find_nothing():
    program = str(BENCHMARKS / "soak.py")
    command = [sys.executable, program, "--seconds", "5", "--seed", "1000"]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    assert (finished.returncode, finished.stderr) == (0, "")
    assert "memory in MiB" in finished.stdout
