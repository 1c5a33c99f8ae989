"""Runs in the peer's environment: the alignment of one file, as one line of JSON.

python peer_alignment_worker.py FILE exact|fast
"""

from __future__ import annotations

import json
import os
import sys
import time

# What the exact way keeps grows with the product of the numbers of units.
MOST_MEMORY = 8 * 1024**3


def main() -> None:
    """Align, and print the result on the standard output that was there at the start."""
    path, how = sys.argv[1:]
    # GLPK talks on file descriptor 1; what it says must not get between us and the caller.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    import pygamma_agreement as peer  # noqa: PLC0415 - not counted, but only there after the pipe
    from pyannote.core import Segment  # noqa: PLC0415

    dissimilarity = peer.CombinedCategoricalDissimilarity(alpha=1.0, beta=1.0, delta_empty=1.0)
    # Numba compiles at the first call: that is not counted.
    tiny = peer.Continuum()
    for annotator in "abcde":
        for i in range(3):
            tiny.add(annotator, Segment(10 * i, 10 * i + 5), "xy"[i % 2])
    tiny.get_best_alignment(dissimilarity)

    continuum = peer.Continuum.from_csv(path)
    limit_memory()
    begun = time.perf_counter()
    if how == "fast":
        continuum.measure_best_window_size(dissimilarity)
        alignment = continuum.get_fast_alignment(dissimilarity, continuum.best_window_size)
    else:
        alignment = continuum.get_best_alignment(dissimilarity)
    seconds = time.perf_counter() - begun
    found = {"seconds": seconds, "disorder": float(alignment.disorder)}
    print(json.dumps(found), file=answer, flush=True)


def limit_memory() -> None:
    """Keep the peer from filling the machine, where the system can do that."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


if __name__ == "__main__":
    main()
