"""Any bytes give a corpus, or one short sentence that names the file, in bounds of time and memory.

``make fuzz`` looks for files that break this law; those it found are in ``tests/fuzz_finds``.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from file_fuzz import broken, find_name, find_sample, put
from file_samples import FILES
from unisono.formats.rating_exports import RATING_FORMATS
from unisono.formats.registry import FORMATS

TESTS = Path(__file__).resolve().parents[1]
FINDS = sorted((TESTS / "fuzz_finds").iterdir())
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}


def test_there_is_a_sample_of_every_format():
    assert {each.format for each in FILES if each.reader == "units"} == FORMATS.keys()
    found = {each.format for each in FILES if each.reader == "ratings"}
    assert found == {"table", *RATING_FORMATS}


@pytest.mark.parametrize("find", FINDS, ids=lambda find: find.name)
@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_what_was_found_keeps_the_law(find, on_error, tmp_path):
    sample = find_sample(find)
    assert find_name(sample, sample.content) == find.name
    path = put(tmp_path, sample, sample.content)
    for format_ in (sample.format, "auto"):
        assert broken(sample.reader, format_, path, on_error) is None


def test_some_damaged_files_keep_the_law():
    finished = subprocess.run(
        [sys.executable, TESTS / "support" / "file_fuzz.py", "--files", "400", "--seed", "7"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, **ONE_THREAD},
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    told = json.loads(finished.stdout)
    assert (told["files"], told["finds"]) == (400, [])
