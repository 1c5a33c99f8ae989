"""What chance gives: type I error of p, the zero of γ, and the Monte Carlo error of γ and γcat.

Independent annotators are simulated in documents of several kinds. For each kind this prints how
often p is at most 0.05 and 0.01, of all documents and of those that meet the conditions of
`p_value`, and the mean γ, which would be 0 if chance were drawn as these people work. Then it
prints the standard error of γ and γcat and the time by the former and the present rule for the
number of draws, on ``examples/`` and on folders of real data where they are given.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import time
from pathlib import Path
from statistics import NormalDist, median
from typing import TYPE_CHECKING

import numpy as np
from tables import table

import unisono as un

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Unit = tuple[float, float, str]
    Annotators = list[list[Unit]]
    Kind = Callable[[np.random.Generator], Annotators]

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LENGTH, LABELS, MEAN = 1000.0, "ABC", 22.0
DRAWS, MOST = 199, 12


def label(rng: np.random.Generator) -> str:
    """Choose a label."""
    return LABELS[rng.integers(3)]


def uniform(*counts: int, length: float = MEAN) -> Kind:
    """Annotators whose units begin anywhere, overlapping ones drawn again."""

    def one(rng: np.random.Generator, count: int) -> list[Unit]:
        while True:
            starts = np.sort(rng.uniform(0, LENGTH - length, count))
            lengths = rng.uniform(0.5 * length, 1.5 * length, count)
            ends = np.minimum(starts + lengths, LENGTH)
            ends[:-1] = np.minimum(ends[:-1], starts[1:])
            if (ends - starts).min() > 1.0:
                return [(a, b, label(rng)) for a, b in zip(starts, ends, strict=True)]

    return lambda rng: [one(rng, count) for count in counts]


def gaps(annotators: int, count: int) -> Kind:
    """Gaps and lengths from exponential distributions."""

    def one(rng: np.random.Generator) -> list[Unit]:
        lengths = 2.0 + rng.exponential(min(MEAN, 0.5 * LENGTH / count), count)
        free = max(LENGTH - lengths.sum(), 1.0)
        parts = rng.exponential(1.0, count + 1)
        starts = np.cumsum(free * parts[:-1] / parts.sum()) + np.cumsum(lengths) - lengths
        return [(a, a + b, label(rng)) for a, b in zip(starts, lengths, strict=True)]

    return lambda rng: [one(rng) for _ in range(annotators)]


def on_grid(annotators: int, count: int, step: float) -> Kind:
    """Units whose borders lie on a grid that everybody shares, such as words or sentences."""

    def rounded(units: list[Unit]) -> list[Unit]:
        found = []
        for start, end, name in units:
            low = step * round(start / step)
            found.append((low, max(low + step, step * round(end / step)), name))
        return [
            each
            for at, each in enumerate(found)
            if at == 0 or each[0] >= max(one[1] for one in found[:at])
        ]

    return lambda rng: [rounded(each) for each in gaps(annotators, count)(rng)]


def own_labels(rng: np.random.Generator) -> Annotators:
    """Annotators who prefer different labels."""
    shares = ([0.7, 0.2, 0.1], [0.1, 0.2, 0.7])
    return [
        [(a, b, LABELS[rng.choice(3, p=of)]) for a, b, _ in units]
        for of, units in zip(shares, uniform(10, 10)(rng), strict=True)
    ]


def own_lengths(rng: np.random.Generator) -> Annotators:
    """Annotators who prefer different lengths."""
    return [uniform(10, length=length)(rng)[0] for length in (10.0, 40.0)]


def segmentation(parts: int, *, same_ends: bool = False) -> Kind:
    """Segments that cover the document, with borders anywhere."""

    def one(rng: np.random.Generator) -> list[Unit]:
        borders = np.concatenate(([0.0], np.sort(rng.uniform(1, LENGTH - 1, parts - 1)), [LENGTH]))
        names = [label(rng) for _ in range(parts)]
        if same_ends:
            names[0] = names[-1] = "A"
        return list(zip(borders[:-1], borders[1:], names, strict=True))

    return lambda rng: [one(rng), one(rng)]


def regular(count: int) -> Kind:
    """Units at equal distances, everybody with a phase of their own."""

    def one(rng: np.random.Generator) -> list[Unit]:
        step = LENGTH / count
        starts = np.sort((step * np.arange(count) + rng.uniform(0, LENGTH)) % LENGTH)
        return [(a, min(a + MEAN, LENGTH), label(rng)) for a in starts]

    return lambda rng: [one(rng), one(rng)]


def early(annotators: int, count: int) -> Kind:
    """Units that are more frequent at the beginning of the document."""

    def one(rng: np.random.Generator) -> list[Unit]:
        starts = np.sort((LENGTH - MEAN) * rng.beta(1, 3, count))
        return [(a, a + MEAN, label(rng)) for a in starts]

    return lambda rng: [one(rng) for _ in range(annotators)]


KINDS: dict[str, Kind] = {
    "uniform 2 × 10": uniform(10, 10),
    "uniform 3 × 10": uniform(10, 10, 10),
    "uniform 5 × 6": uniform(6, 6, 6, 6, 6),
    "random gaps 2 × 12": gaps(2, 12),
    "words 2 × 12": on_grid(2, 12, 5.0),
    "sentences 2 × 6": on_grid(2, 6, 50.0),
    "one unit each": uniform(1, 1),
    "unequal numbers 5 / 20": uniform(5, 20),
    "unequal numbers 2 / 30": uniform(2, 30),
    "own labels 2 × 10": own_labels,
    "own lengths 2 × 10": own_lengths,
    "long units 2 × 2": uniform(2, 2, length=150.0),
    "segments 2 × 3": segmentation(3),
    "segments 2 × 5": segmentation(5),
    "segments 2 × 15": segmentation(15),
    "segments 2 × 50": segmentation(50),
    "segments 2 × 15, same ends": segmentation(15, same_ends=True),
    "regular 2 × 20": regular(20),
    "early 2 × 10": early(2, 10),
    "early 3 × 10": early(3, 10),
}


def type_one(samples: int) -> None:
    """Print how often p is small though annotators are independent, and the mean γ."""
    lines = []
    for name, kind in KINDS.items():
        rng = np.random.default_rng(1)
        alone, tested, values = [], [], []
        for _ in range(samples):
            units = [(f"annotator {who}", *unit) for who, of in enumerate(kind(rng)) for unit in of]
            found = un.gamma(un.Continuum.from_units(units), draws=DRAWS, rng=rng, workers=1)
            values.append(found.value)
            alone.append((1 + found.n_as_orderly) / (1 + DRAWS))
            tested += [] if found.p_value is None else [found.p_value]
        mean, error = np.mean(values), np.std(values) / math.sqrt(samples)
        told = f"{100 * len(tested) / samples:.0f}"
        lines.append(
            [
                name,
                *(share(alone, most) for most in (0.05, 0.01)),
                told,
                *(share(tested, most) for most in (0.05, 0.01)),
                f"{mean:.3f} ± {error:.3f}",
            ]
        )
    heads = ["independent annotators", "p ≤ 0.05", "p ≤ 0.01", "% told", "p ≤ 0.05", "p ≤ 0.01"]
    print(table([*heads, "γ"], lines))


def share(values: list[float], most: float) -> str:
    """Give the share of small values in per cent, with its standard error."""
    if len(values) < 30:
        return "–"
    part = np.mean(np.array(values) <= most)
    return f"{100 * part:.1f} ± {100 * math.sqrt(part * (1 - part) / len(values)):.1f}"


def examples() -> Iterator[tuple[str, un.Corpus]]:
    """Find the example data."""
    yield "examples", un.read(EXAMPLES / "interview.csv")
    yield "examples", un.read(EXAMPLES / "paragraphs.csv")
    corpus = un.read(EXAMPLES / "corpus")
    yield from (("examples", un.Corpus.from_continua({name: corpus[name]})) for name in corpus)
    yield "examples, pooled", corpus


def real_data(folder: Path, most: int) -> Iterator[tuple[str, un.Corpus]]:
    """Find real data of at most twelve annotators, documents one by one and pooled."""
    for path in sorted(folder.glob("peer_gamma/*.csv")):
        with path.open(encoding="utf-8") as file:
            rows = [(who, float(a), float(b), name) for who, name, a, b in csv.reader(file)]
        yield "peer", un.Corpus.from_continua({path.stem: un.Continuum.from_units(rows)})
    if (folder / "bratiaa_ner").is_dir():
        yield from several("named entities", un.read(folder / "bratiaa_ner"), most)
    if (folder / "salami_music").is_dir():
        yield from several("music", music(folder / "salami_music/salami_double.csv", most), most)
    if (folder / "toxic_spans").is_dir():
        yield from several("comments", comments(folder / "toxic_spans", most), most)
    if (folder / "llm_spans").is_dir():
        models = language_models(folder / "llm_spans/spans.jsonl")
        yield from several("language models", models, most)
    if (folder / "dreem_sleep_stages").is_dir():
        nights = sleep(folder / "dreem_sleep_stages/hypnograms.csv", max(1, most // 20))
        yield from several("sleep", nights, most)


def several(kind: str, corpus: un.Corpus, most: int) -> Iterator[tuple[str, un.Corpus]]:
    """Give documents one by one, then pooled."""
    yield from (
        (kind, un.Corpus.from_continua({name: corpus[name]})) for name in list(corpus)[:most]
    )
    yield f"{kind}, pooled", corpus


def corpus_of(documents: dict[str, list[tuple[str, float, float, str]]], most: int) -> un.Corpus:
    """Make a corpus of the first documents that two to twelve annotators have units in."""
    chosen = {
        name: un.Continuum.from_units(rows)
        for name, rows in documents.items()
        if 2 <= len({row[0] for row in rows}) <= MOST
    }
    return un.Corpus.from_continua(dict(list(chosen.items())[:most]))


def music(path: Path, most: int) -> un.Corpus:
    """Read the functions of parts of songs."""
    songs: dict[str, list[tuple[str, float, float, str]]] = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            start, end = float(row["start"]), float(row["end"])
            if row["layer"] == "functions" and end > start:
                unit = (row["annotator"], start, end, row["label"])
                songs.setdefault(row["song"], []).append(unit)
    return corpus_of(songs, most)


def comments(folder: Path, most: int) -> un.Corpus:
    """Read toxic spans of comments."""
    with (folder / "annotations.csv").open(encoding="utf-8") as file:
        places = {row["annotation"]: row for row in csv.DictReader(file)}
    found: dict[str, list[tuple[str, float, float, str]]] = {}
    with (folder / "spans.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            of, start, end = places[row["annotation"]], float(row["start"]), float(row["end"])
            if end > start:
                unit = (of["worker"], start, end, row["type"] or "other")
                found.setdefault(of["comment_id"], []).append(unit)
    return corpus_of(found, most)


def language_models(path: Path) -> un.Corpus:
    """Read the spans of the language models; the people beside them are more than twelve."""
    found: dict[str, list[tuple[str, float, float, str]]] = {}
    with path.open(encoding="utf-8") as file:
        for line in map(json.loads, file):
            if line["group"] != "human":
                found.setdefault(line["document"], []).extend(
                    (line["annotator"], span["start"], span["end"], span["label"])
                    for span in line["spans"]
                )
    return corpus_of(found, len(found))


def sleep(path: Path, most: int) -> un.Corpus:
    """Read sleep stages as segments."""
    nights: dict[str, list[tuple[str, float, float, str]]] = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            stages = row["stages"].split()
            borders = [0, *(at for at in range(1, len(stages)) if stages[at] != stages[at - 1])]
            nights.setdefault(row["record"], []).extend(
                (row["scorer"], low, high, stages[low])
                for low, high in zip(borders, [*borders[1:], len(stages)], strict=True)
            )
    return corpus_of(nights, most)


def former_draws(data: un.Corpus) -> int:
    """Give the number of draws by the former rule: n0 of γ and of γcat at 2 %, from 30 draws."""
    first = un.gamma(data, draws=30, resamples=0, workers=1)
    wanted = [30]
    for each in (first, first.gamma_cat):
        if each.expected_se and each.expected:
            relative = each.expected_se / each.expected * math.sqrt(each.draws - each.n_left_out)
            wanted.append(math.ceil((relative * NormalDist().inv_cdf(0.975) / 0.02) ** 2))
    return max(wanted)


def timed(data: un.Corpus, draws: int | None) -> tuple[un.results.GammaAgreement, float]:
    """Measure, and give the CPU seconds it took."""
    begin = time.process_time()
    found = un.gamma(data, draws=draws, resamples=0, workers=1)
    return found, time.process_time() - begin


def errors(sources: Iterator[tuple[str, un.Corpus]]) -> None:
    """Print the error and the time by both rules, for each kind of data."""
    by_kind: dict[str, list[list[tuple[float, float, int, float]]]] = {}
    for kind, data in sources:
        rows = []
        for draws in (former_draws(data), None):
            found, seconds = timed(data, draws)
            of = (found.monte_carlo_se, found.gamma_cat.monte_carlo_se)
            gamma, cat = (math.nan if each is None else each for each in of)
            rows.append((gamma, cat, found.draws, seconds))
        by_kind.setdefault(kind, []).append(rows)
    lines = []
    for kind, found in by_kind.items():
        for at, rule in enumerate(("former", "present")):
            gamma, cat, draws, seconds = zip(*(rows[at] for rows in found), strict=True)
            lines.append(
                [
                    f"{kind} ({len(found)})" if not at else "",
                    rule,
                    *(f"{median(of):.4f}" for of in (known(gamma), known(cat))),
                    *(f"{100 * np.mean(np.array(known(of)) <= 0.005):.0f}" for of in (gamma, cat)),
                    f"{median(draws):,.0f}",
                    f"{sum(seconds):.2f}",
                    f"{max(seconds):.2f}",
                ]
            )
    heads = ["data", "rule", "SE γ", "SE γcat", "% γ ≤ 0.005", "% γcat", "draws", "s", "longest"]
    print(table(heads, lines))


def known(values: tuple[float, ...]) -> list[float]:
    """Leave out what is undefined."""
    return [value for value in values if not math.isnan(value)] or [math.nan]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="real data: see real_data()")
    parser.add_argument("--quick", action="store_true", help="fewer samples and documents")
    parser.add_argument("--part", choices=("p", "errors"), help="only one part")
    options = parser.parse_args()
    if options.part != "errors":
        type_one(60 if options.quick else 1500)
        print()
    if options.part != "p":

        def sources() -> Iterator[tuple[str, un.Corpus]]:
            yield from examples()
            if options.folder:
                yield from real_data(options.folder, 5 if options.quick else 60)

        errors(sources())


if __name__ == "__main__":
    main()
