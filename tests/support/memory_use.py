"""Read and measure a corpus in little memory, in a process of its own, with a limit on its data.

``python memory_use.py FILE MEGABYTES`` allows that much more than what is there after importing.
"""

import json
import resource
import sys
from pathlib import Path

import numpy as np

import unisono as un


def megabytes(field):
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) // 1024


def main():
    path, allowed = sys.argv[1], int(sys.argv[2])
    pair = un.Continuum.from_units([("ann", 0, 1, "A"), ("bob", 0, 1, "A")])
    # What libraries set up once is no part of what is measured.
    un.gamma(pair, draws=3, rng=1, workers=1)
    np.ones((256, 256)) @ np.ones((256, 256))
    limit = (megabytes("VmData:") + allowed) * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    corpus = un.read(path)
    result = un.gamma(corpus, draws=3, rng=1, workers=1)
    try:
        np.ones(limit // 8)
        held = False
    except MemoryError:
        held = True
    told = {"documents": len(corpus), "units": corpus.n_units, "value": result.value, "held": held}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
