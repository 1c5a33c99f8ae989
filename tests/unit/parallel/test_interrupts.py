"""Ctrl-C interrupts long work in the kernel soon, and the kernel can be used again."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child")

# Takes minutes unless interrupted; prints a line when the kernel starts.
SCRIPT = """
import signal
import sys
import numpy as np
import unisono as un
from unisono.measures.gamma import alignment, documents, gamma

def telling(kernel):
    def told(*args, **settings):
        print("started\\n", end="", flush=True)  # one write, because threads print at the same time
        return kernel(*args, **settings)
    return told

def crowd(names, each, extent):
    rng = np.random.default_rng(1)
    starts = rng.uniform(0, extent, (len(names), each)).tolist()
    return un.Continuum.from_units(
        [(name, s, s + rng.uniform(20, 80), "AB"[int(s) % 2])
         for name, some in zip(names, starts) for s in some]
    )

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by children of some shells
try:
    if sys.argv[1] == "one of many documents":
        # In a thread, which does not receive signals.
        documents.measure_documents = telling(documents.measure_documents)
        hard = crowd("abcdef", 200, 100)
        easy = crowd("ab", 200, 9000)
        un.gamma(un.Corpus.from_continua({"a": hard, "b": easy}), draws=30, rng=1, workers=2)
    elif sys.argv[1] == "short documents":
        documents.measure_documents = telling(documents.measure_documents)
        text = crowd("ab", 50, 2500)
        # One long task.
        gamma.chunk_seconds = lambda total, **settings: 1e9
        many = {str(number): text for number in range(500)}
        un.gamma(un.Corpus.from_continua(many), draws=20_000, rng=1, workers=1)
    elif sys.argv[1] == "draws":
        documents.measure_documents = telling(documents.measure_documents)
        un.gamma(crowd("abc", 5000, 300_000), draws=4_000, rng=1, workers=2)
    else:
        alignment.align = telling(alignment.align)
        un.best_alignment(crowd("abcdef", 200, 100))
except KeyboardInterrupt:
    text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 5, "A"), ("bob", 9, 12, "A")])
    print("interrupted,", un.gamma(text, draws=30, rng=1).observed)
"""


@pytest.mark.parametrize(
    "work",
    [
        ("draws",),
        ("one alignment",),
        ("one of many documents",),
        ("short documents",),
    ],
)
def test_an_interrupt_ends_the_work_soon(work):
    command = [sys.executable, "-W", "error", "-c", SCRIPT, *work]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        began = time.perf_counter()
        try:
            said, _ = process.communicate(timeout=20)
        finally:
            process.kill()
        took = time.perf_counter() - began
    assert said.splitlines()[-1] == f"interrupted, {1 / 1.5}"
    assert process.returncode == 0
    assert took < 5.0
