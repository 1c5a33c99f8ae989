"""Runs that are killed at random moments and resumed give identical results."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

# A forked child is killed after some milliseconds, repeatedly; it records each task before it
# starts it.
SCRIPT = """
import json, os, random, signal, sys, time
folder, tests = sys.argv[1:]
sys.path.insert(0, tests)
import unisono as un
from unisono.measures.gamma.documents import DocumentsTask
from unisono.parallel import dispatch
from work_samples import documents

dispatch._SHORTEST = dispatch._SHORTEST_COSTLY = 0.001
corpus = documents(300)
settings = {"draws": 60, "rng": 5, "workers": 2}
log = os.open(os.path.join(folder, "begun"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
done = DocumentsTask.run

def logged(task):
    os.write(log, b"%s %d\\n" % (task.names[0].encode(), task.first[0]))
    return done(task)

DocumentsTask.run = logged
whole = un.gamma(corpus, **settings).to_json()
with open(os.path.join(folder, "begun")) as begun:
    chunks = sorted(begun.read().split("\\n"))[1:]
os.truncate(log, 0)

moments = random.Random(1)
deaths = 0
while deaths < 50:
    child = os.fork()
    if not child:
        un.gamma(corpus, checkpoint=os.path.join(folder, "kept"), **settings)
        os._exit(0)
    time.sleep(moments.uniform(0.0, 0.06))
    os.kill(child, signal.SIGKILL)
    deaths += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
resumed = un.gamma(corpus, checkpoint=os.path.join(folder, "kept"), **settings).to_json()
with open(os.path.join(folder, "begun")) as begun:
    again = sorted(begun.read().split("\\n"))[1:]
print(json.dumps({"same": whole == resumed, "chunks": chunks, "begun": again}))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_run_that_was_killed_fifty_times_ends_as_if_it_never_was(tmp_path):
    command = [sys.executable, "-c", SCRIPT, tmp_path, Path(__file__).parents[2] / "support"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)

    assert found["same"]
    assert len(found["chunks"]) > 20
    assert set(found["begun"]) == set(found["chunks"])
    # Two workers: each has one chunk at most to do again after a death.
    assert len(found["begun"]) <= len(found["chunks"]) + 2 * 50
    assert len(found["begun"]) > len(found["chunks"])
