"""Calls public names with random values, sensible and odd; run in a process of its own.

``python surface_fuzz.py SEED CALLS`` prints one line of JSON: how many calls gave a result, how
many were refused as they should be, and which ended in any other way.
"""

import faulthandler
import inspect
import json
import os
import random
import resource
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

import unisono as un

MOST_MEMORY = 3 * 2**30
MOST_SECONDS = 20

# What a call may be refused with: a sentence of ours, a wrong type, no such row or file.
REFUSALS = (un.UnisonoError, TypeError, IndexError, OSError)

# It runs the papers' experiments, for minutes.
LEFT_OUT = {"reproduce"}
# What functions return is made by them, and they are trusted; these are made by people.
MADE_BY_PEOPLE = (
    un.results.Bounds,
    un.CategoricalDissimilarity,
    un.CombinedDissimilarity,
    un.DistanceMatrix,
    un.results.Interval,
    un.CustomDissimilarity,
    un.PositionalDissimilarity,
    un.results.Signature,
    un.Unit,
)
# A flag that is an array: numpy itself says so.
NO_FLAG = "truth value of an"

SMALL_COUNTS = [1, 2, 3, 5]
DATA = {"data", "continuum", "corpus", "pilot", "reference", "hypothesis", "first", "second"}


def rows(dice, n_annotators, n_units, labels):
    names = ["ann", "bob", "eve", "zoë"][:n_annotators]
    for name in names:
        for i in range(n_units):
            start = 10.0 * i + dice.random() * 5
            yield name, start, start + dice.random() * 8, dice.choice(labels)


def continua(dice):
    yield un.Continuum.from_units([])
    yield un.Continuum.from_units([], annotators=("ann", "bob"))
    yield un.Continuum.from_units([("ann", 0, 0, "A")])
    yield un.Continuum.from_units([("ann", 0, 9e15, "A"), ("bob", 0, 1.0, None)])
    yield un.Continuum.from_units([("ann", 5, 5, 1), ("bob", 5, 5, 2)], extent=(5, 5))
    yield un.Continuum.from_units(rows(dice, 2, 4, "AB"))
    yield un.Continuum.from_units(rows(dice, 3, 3, [None, 1, 2.5]))
    yield un.Continuum.from_units(rows(dice, 2, 3, [frozenset("ab"), frozenset("b")]))
    yield un.Continuum.from_units(
        [un.Unit("ann", 0, 9, "A", fragments=((0, 2), (5, 9))), ("bob", 0, 2, "A")]
    )
    # Covered from end to end, as measures of segmentations need.
    cuts = [(name, i, i + 1, "s") for name in ("ann", "bob") for i in range(4)]
    yield un.Continuum.from_units(cuts)


class Pool(NamedTuple):
    """Values by their kind."""

    texts: list[un.Continuum]
    corpora: list[un.Corpus]
    ratings: list[un.Ratings]
    segmentations: list[un.Segmentation]
    results: list[Any]
    frames: list[Any]
    odd: list[Any]


def pool(dice):
    """Values of all kinds, those that some call can use among them."""
    texts = list(continua(dice))
    corpora = [
        un.Corpus.from_continua({}),
        un.Corpus.from_continua({"only": texts[5]}),
        un.Corpus.from_continua({f"t{i}": each for i, each in enumerate(texts[4:8])}),
        un.Corpus.from_continua({"a": texts[9], "b": texts[9]}),
    ]
    ratings = [
        un.Ratings.from_matrix([list("aab"), list("abb")]),
        un.Ratings.from_matrix([[1, 2, None], [1, 3, 2], [None, 3, 2]]),
        un.Ratings.from_matrix([["a"], ["a"]]),
    ]
    segmentations = [
        un.Segmentation.from_masses([2, 3, 4]),
        un.Segmentation.from_masses([5, 4]),
    ]
    results: list[Any] = [un.gamma(texts[5], draws=2, rng=1), un.gamma(corpora[2], draws=2, rng=1)]
    results.append(un.krippendorff_alpha(ratings[0]))
    results += [un.best_alignment(texts[5]), un.consensus(texts[5])]
    frames = [
        pl.DataFrame({"annotator": ["x", "y"], "start": [0, 0], "end": [1, 2], "label": "ab"}),
        pl.DataFrame({"annotator": ["x", "y"], "item": [1, 1], "label": ["a", "b"]}),
        pl.DataFrame(),
        pl.LazyFrame({"annotator": ["x"], "item": [1], "label": [2]}),
    ]
    return Pool(texts, corpora, ratings, segmentations, results, frames, odd_values())


def odd_values():
    numbers: list[Any] = [
        0,
        1,
        2,
        -1,
        7,
        2**31,
        2**63,
        10**40,
        0.0,
        -0.0,
        0.5,
        1.0,
        1.5,
        -3.5,
        1e-320,
        1e308,
    ]
    numbers += [float("nan"), float("inf"), -float("inf"), 1j, True, False]
    texts: list[Any] = [
        "",
        " ",
        "A",
        "a",
        "ann",
        "nominal",
        "ordinal",
        "shift",
        "auto",
        "units",
        "\ud800",
    ]
    texts += ["\x00", "|:\\\n", b"x", ".", "missing.csv", Path("missing")]
    groups: list[Any] = [
        (),
        [],
        {},
        set(),
        [1],
        [None],
        ["a", "b"],
        (0, 1),
        (1, 0),
        [(1, 2, 3)],
        {"a": 1},
    ]
    groups += [{"A": "B"}, {None: None}, range(3), iter([1])]
    arrays: list[Any] = [
        np.array([]),
        np.array([1.5, np.nan]),
        np.arange(4).reshape(2, 2),
        np.array(["x"]),
    ]
    arrays += [np.float64(0.5), np.int8(3), np.bool_(True), np.eye(2), np.random.default_rng(1)]
    things: list[Any] = [None, object(), len, lambda *_: 1, print, int, Exception]
    things += [
        un.CombinedDissimilarity(),
        un.PositionalDissimilarity(),
        un.DistanceMatrix(("A", "B"), [[0, 1], [1, 0]]),
    ]
    things += [un.Unit("ann", 0, 1, "A"), un.results.Interval(0, 1, confidence=0.5, method="m")]
    things += [un.results.Signature("gamma"), un.CustomDissimilarity(cost=no_cost, name="none")]
    return [*numbers, *texts, *groups, *arrays, *things]


def no_cost(first, _second):
    return first.starts * 0.0


def sensible(name, dice, found):
    """Give a value that an argument of this name can have."""
    if name in {"draws", "n", "resamples", "repeats", "copies", "workers", "n_annotators"}:
        return dice.choice(SMALL_COUNTS)
    if name in DATA:
        return dice.choice([*found.texts, *found.corpora, *found.ratings, *found.segmentations])
    if name == "continua":
        return dict(zip("ab", dice.choices(found.texts, k=2), strict=True))
    if name == "ratings":
        return dice.choice(found.ratings)
    if name == "frame":
        return dice.choice(found.frames)
    if name == "rng":
        return 1
    if name in {"checkpoint", "path", "target", "paths"}:
        return dice.choice(["here", "there.csv", "that.jsonl"])
    if name in {"measures", "measure"}:
        return dice.choice(["gamma", "fleiss", un.fleiss_kappa, ["gamma"], "alpha"])
    if name in {"width", "precision", "confidence", "level", "magnitude", "time_limit"}:
        return dice.choice([0.5, 0.9])
    if name == "magnitudes":
        return (0.0, 0.5)
    if name in {"result", "results"}:
        return dice.choice(found.results)
    return dice.choice(found.odd)


# Without them a call would take as long as a wish for precision takes.
NEEDED = ("draws", "n", "resamples", "repeats", "rng")


def call(function, dice, found):
    """Call with some arguments; those of unknown defaults are always given."""
    positional, named = [], {}
    for parameter in inspect.signature(function).parameters.values():
        kind = parameter.kind
        required = parameter.default is inspect.Parameter.empty
        name = parameter.name
        value = sensible(name, dice, found)
        if dice.random() < 0.1:
            value = dice.choice([*found.texts, *found.corpora, *found.ratings, *found.odd])
        if name in {"executor", "progress"}:
            continue
        if kind is inspect.Parameter.VAR_POSITIONAL:
            positional.append(value)
        elif kind is inspect.Parameter.VAR_KEYWORD:
            named["draws"] = 2
        elif kind in {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}:
            if required or dice.random() < 0.5:
                named[name] = value
        elif required or name in NEEDED or dice.random() < 0.12:
            named[name] = value
    told = ", ".join(
        [*map(repr_of, positional), *(f"{name}={repr_of(value)}" for name, value in named.items())]
    )
    return positional, named, told


def repr_of(value):
    try:
        return repr(value)[:60]
    except Exception as error:  # noqa: BLE001 - a repr that fails is told as such
        return f"<{type(value).__name__} whose repr fails: {error}>"


def look_at(value):
    """Use what came back as people do."""
    for name in ("to_dict", "to_json", "to_markdown", "__str__", "__repr__"):
        method = getattr(value, name, None)
        if callable(method) and not isinstance(value, type):
            method()


class TooSlowError(Exception):
    """A call that should be quick is not."""


def stopped(_signal, _frame):
    msg = f"more than {MOST_SECONDS} seconds"
    raise TooSlowError(msg)


def surface(found):
    """Give all that people call: functions, constructors, and methods of data."""
    values = [getattr(un, name) for name in un.__all__ if name not in LEFT_OUT]
    functions = [value for value in values if inspect.isfunction(value)]
    constructors = [*MADE_BY_PEOPLE, un.results.Signature.parse]
    methods = []
    for kind, examples in (
        (un.Continuum, found.texts),
        (un.Corpus, found.corpora),
        (un.Ratings, found.ratings),
        (un.Segmentation, found.segmentations),
    ):
        for name in vars(kind):
            if name.startswith("_") or not callable(getattr(kind, name)):
                continue
            if inspect.ismethod(getattr(kind, name)):
                constructors.append(getattr(kind, name))
            else:
                methods += [getattr(example, name) for example in examples]
    return functions, constructors, methods


def run(seed, calls):
    dice = random.Random(seed)
    found = pool(dice)
    kinds = surface(found)
    outcomes: Counter[str] = Counter()
    others = []
    signal.signal(signal.SIGALRM, stopped)
    for number in range(calls):
        function = dice.choice(dice.choices(kinds, weights=(6, 3, 1))[0])
        told = ""
        try:
            positional, named, told = call(function, dice, found)
            signal.alarm(MOST_SECONDS)
            look_at(function(*positional, **named))
            outcomes["result"] += 1
        except REFUSALS:
            outcomes["refused"] += 1
        except Exception as error:  # noqa: BLE001 - exactly these are looked for
            if isinstance(error, ValueError) and NO_FLAG in str(error):
                outcomes["refused"] += 1
                continue
            where = traceback.extract_tb(error.__traceback__)[-1]
            others.append(
                f"call {number}: {function.__name__}({told}): {type(error).__name__}: {error} "
                f"at {Path(where.filename).name}:{where.lineno}"
            )
        finally:
            signal.alarm(0)
    return {**outcomes, "others": others}


if __name__ == "__main__":
    faulthandler.enable()
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.stdout.write(json.dumps(run(int(sys.argv[1]), int(sys.argv[2]))))
