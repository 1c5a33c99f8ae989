"""Random corpora for as long as you wish, in memory that must not grow: `make soak`.

Each round makes a corpus and ratings from its own seed, and measures them with settings drawn from
it. A result must be a number up to 1 or have a reason, be the same with one thread and with two,
and be the same for a corpus that is read document by document. At the end the memory in use must
be what it was after the first tenth of the time, within ten per cent and 16 MiB. A failure prints
the seed of its round; ``--seed N --rounds 1`` does that round again.
"""

from __future__ import annotations

import argparse
import gc
import math
import random
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import unisono as un

CHANCES = ("shift", "shift", "shift", "corpus", "statistical", "gamma-software")
DISTANCES = ("nominal", "nominal", "ordinal", "edit")
SLACK = 16 * 2**20


def in_use() -> int:
    """Give the bytes of memory this process has now."""
    gc.collect()
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def made_corpus(dice: random.Random) -> un.Corpus:
    """Make documents of all kinds: empty, crowded, of one annotator, with and without labels."""
    labels = dice.choice([["A", "B", "C"], [1, 2, 3, 4], [None], ["A", None]])
    names = [f"annotator{i}" for i in range(dice.randint(1, 4))]
    continua = {}
    for number in range(dice.randint(1, 12)):
        units = dice.choice([0, 1, 3, 10, 40])
        spread = dice.random() * 5
        rows = []
        for i in range(units):
            start, length, label = 12.0 * i, 1 + 10 * dice.random(), dice.choice(labels)
            for name in names:
                if dice.random() < 0.9:
                    low = start + dice.gauss(0, spread)
                    rows.append((name, low, low + length, label))
        seen = names if dice.random() < 0.5 else None
        continua[f"text{number}"] = un.Continuum.from_units(rows, annotators=seen)
    return un.Corpus.from_continua(continua)


def one_round(seed: int) -> None:
    """Measure random data, and check what must hold for all of them."""
    dice = random.Random(seed)
    corpus = made_corpus(dice)
    settings: dict[str, Any] = {
        "chance": dice.choice(CHANCES),
        "draws": dice.choice([1, 2, 30]),
        "rng": seed,
        "soft": dice.random() < 0.1,
        "dissimilarity": un.CombinedDissimilarity(
            position=dice.choice([1, 3]), distance=dice.choice(DISTANCES)
        ),
    }
    try:
        result = un.gamma(corpus, workers=1, **settings)
    except un.UnisonoError:
        # Some data have no ordinal labels, or too few documents for a chance model.
        return
    sensible(result)
    same(result, un.gamma(corpus, workers=2, **settings))
    for document in result.documents.values():
        sensible(document)
    if len(corpus) and corpus.n_units and None not in corpus.labels:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "units.jsonl")
            un.write(corpus, path)
            # A document that nobody saw has no line.
            seen = {name: each for name, each in corpus.items() if each.annotators}
            same(un.read(path), corpus.with_continua(seen))
    table = [[dice.choice("ab") for _ in range(20)] for _ in range(dice.randint(2, 5))]
    ratings = un.Ratings.from_matrix(table)
    sensible(un.bootstrap(ratings, "krippendorff_alpha", resamples=50, rng=seed))
    for continuum in corpus.values():
        if len(continuum.annotators) < 2:
            continue
        alignment = un.best_alignment(continuum, dissimilarity=settings["dissimilarity"])
        if alignment.proven and alignment.gap != 0.0:
            msg = f"a proven alignment has the gap {alignment.gap}"
            raise AssertionError(msg)


def sensible(result: un.results.Agreement) -> None:
    """Refuse a result that cannot be."""
    if result.undefined is None and not (math.isfinite(result.value) and result.value <= 1.0):
        msg = f"an agreement of {result.value}"
        raise AssertionError(msg)
    result.to_json()


def same(first: object, second: object) -> None:
    """Refuse two values that must be equal and are not."""
    if first != second:
        msg = f"{first!r} and {second!r} are not the same"
        raise AssertionError(msg)


def main() -> int:
    """Go on until the time is over, and look at the memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600.0, help="how long (3600)")
    parser.add_argument("--rounds", type=int, default=None, help="how many rounds at most")
    parser.add_argument("--seed", type=int, default=0, help="of the first round (0)")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    began = time.monotonic()
    memory: list[int] = []  # after each tenth of the time
    rounds = 0
    while (spent := time.monotonic() - began) < given.seconds and rounds != given.rounds:
        seed = given.seed + rounds
        try:
            one_round(seed)
        except BaseException:
            print(f"round {seed} failed: python benchmarks/soak.py --seed {seed} --rounds 1")
            raise
        rounds += 1
        if spent > (len(memory) + 1) * given.seconds / 10:
            memory.append(in_use())
    memory.append(in_use())
    tenths = ", ".join(f"{used / 2**20:.0f}" for used in memory)
    print(f"{rounds:,} rounds in {time.monotonic() - began:,.0f} s; memory in MiB: {tenths}")
    if memory[-1] > 1.1 * memory[0] + SLACK:
        print("memory grew")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
