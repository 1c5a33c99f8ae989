"""Values of the worked examples and tables of the papers, by place and claim."""

from __future__ import annotations

import math
import time
from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import jaccard_distance, masi_distance, steep
from unisono.measures.gamma.alignment import best_alignment
from unisono.measures.gamma.chance import CorpusChance, ShiftChance, chance_rules
from unisono.measures.gamma.dissimilarity import (
    CategoricalDissimilarity,
    CombinedDissimilarity,
    PositionalDissimilarity,
    label_counts,
    positional,
)
from unisono.measures.gamma.gamma import gamma
from unisono.measures.intervals import needed_draws
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.coefficients import pair_weights
from unisono.measures.items.kappas import bennett_s, cohen_kappa, percent_agreement, scott_pi
from unisono.measures.items.rows import Rows
from unisono.measures.reference.slot_errors import slot_error_rate
from unisono.measures.sampling import Dice
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.measures.unitizing.atoms import kappa_d
from unisono.model.continuum import Continuum, Unit
from unisono.model.corpus import Corpus
from unisono.model.ratings import Ratings
from unisono.simulation.shuffling.shuffle import generate_reference, shuffle
from unisono.studies.label_confusions import label_confusions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.measures.items.coefficients import MissingPolicy
    from unisono.model.arrays import Floats
    from unisono.simulation.reproduction.claims import Value

__all__ = ["EXAMPLES", "values_of"]

Values: TypeAlias = "Mapping[str, Value]"
Units: TypeAlias = "Sequence[tuple[float, float] | tuple[float, float, str | int]]"
_STREAM = 13
_EXACT = 1e-9


def _continuum(annotators: Sequence[Units], length: float | None = None) -> Continuum:
    """Return the units of annotators 1, 2, …; an annotator may have none."""
    rows = [(f"{at}", *unit) for at, units in enumerate(annotators, 1) for unit in units]
    names = [f"{at}" for at in range(1, len(annotators) + 1)]
    extent = None if length is None else (0.0, length)
    return Continuum.from_units(rows, annotators=names, extent=extent)


def _groups(alignment: Alignment) -> set[frozenset[tuple[float, float]]]:
    """Return the groups of an alignment, as sets of starts and ends of units."""
    return {
        frozenset((unit.start, unit.end) for unit in group if unit) for group in alignment.groups
    }


def _u_2013(text: Continuum) -> tuple[float, float, float]:
    found = unitizing_alpha(text, generation="2013").u_alpha
    return found.observed, found.expected, found.value


def _squares(text: Continuum) -> float:
    """Return the sum of squares behind the observed uα of 2013, without its divisor."""
    low, high = text.extent
    return _u_2013(text)[0] * (high - low)


def _disorders(text: Continuum, **settings: Any) -> float:  # noqa: ANN401 - of Combined
    """Return the sum of the disorders of all groups."""
    found = best_alignment(text, dissimilarity=CombinedDissimilarity(**settings))
    return math.fsum(found.group_disorders)


# ------------------------------------------------------------------------------------------ 2015


def _ratings(*rows: Iterable[object]) -> Ratings:
    return Ratings.from_matrix([list(row) for row in rows])


def _chance_correction() -> Values:
    halves = _ratings("ab", "ab")
    corrected = [(0.9 - expected) / (1.0 - expected) for expected in (0.5, 0.7, 0.9)]
    return {
        "ten": 1.0 - bennett_s(halves, categories=10).expected,
        "two": 1.0 - bennett_s(halves, categories=2).expected,
        "corrected": corrected,  # eq. 1
        "skewed": 1.0 - scott_pi(_ratings("a" * 9 + "b", "a" * 9 + "b")).expected,
    }


def _atoms() -> Values:
    parts = [(start, start + 5.0, "A") for start in (10.0, 15.0, 20.0, 25.0)]
    text = _continuum([[(10.0, 30.0, "A")], parts], 40.0)
    return {"kappa_d": kappa_d(text).value}


def _overlap_takers() -> Values:
    text = _continuum([[(0, 10, "A"), (2, 6, "B")], [(0, 9, "A"), (2, 6, "B")]], 20.0)
    alphas = unitizing_alpha(text, overlap="keep")
    no_other = alphas.u_alpha.undefined is not None and not _takes_overlap(text)
    return {"overlap": no_other and not math.isnan(gamma(text, draws=30, rng=1).value)}


def _takes_overlap(text: Continuum) -> bool:
    try:
        kappa_d(text)
    except ValueError:
        return False
    return True


def _discretized() -> Values:
    def cost(one: Units, other: Units) -> float:
        # Both have a unit at the end of the 20 atoms, so that there are two labels.
        return kappa_d(_continuum([[*one, (18, 20, "A")], [*other, (18, 20, "A")]], 20.0)).observed

    missed = cost([(9, 10, "A")], [])
    return {
        "joined": cost([(2, 4, "A"), (4, 6, "A")], [(2, 6, "A")]),
        "same": missed > 0.0 and abs(missed - cost([(12, 15, "A")], [(12, 16, "A")])) < _EXACT,
    }


def _slot_errors() -> Values:
    reference = [(0, 10, "A"), (20, 30, "A"), (40, 50, "C"), (60, 70, "B"), (80, 90, "A")]
    hypothesis = [(0, 10, "A"), (22, 30, "A"), (42, 50, "B"), (60, 70, "A"), (100, 110, "B")]
    one, other = (_continuum([units], 120.0) for units in (reference, hypothesis))
    return {"ser": slot_error_rate(one, other).value}


def _alignment_choices() -> Values:
    first = [(0, 10, "x"), (20, 30, "x"), (40, 50, "x")]
    second = [(5, 15, "x"), (25, 35, "x"), (90, 100, "x")]
    found = _groups(best_alignment(_continuum([first, second])))
    return {
        "pairs": found
        == {
            frozenset({(0.0, 10.0), (5.0, 15.0)}),
            frozenset({(20.0, 30.0), (25.0, 35.0)}),
            frozenset({(40.0, 50.0)}),
            frozenset({(90.0, 100.0)}),
        }
    }


def _contexts() -> Values:
    a5, b4, b5 = (10.0, 20.0), (3.0, 13.0), (12.0, 22.0)

    def together(first: Units, partner: tuple[float, float]) -> bool:
        found = _groups(best_alignment(_continuum([first, [b4, b5]])))
        return frozenset({a5, partner}) in found

    return {
        "local": together([a5], b5),
        "first": together([a5, (13.0, 23.0)], b4),
        "second": together([(2.0, 12.0), a5], b5),
    }


def _without_intersection() -> Values:
    # “Microsoft Corporation (MSFT)”, by characters.
    found = best_alignment(_continuum([[(0, 28)], [(0, 21)], [(22, 28)]]))
    return {"one": len(found.groups) == 1}


_FIGURE_10 = {
    "A1, B1": ((4, 14), (4, 14)),
    "A1, C1": ((4, 14), (14, 24)),
    "A1, C2": ((4, 14), (40, 44)),
    "A2, B2": ((20, 30), (20, 25)),
    "C1, B2": ((14, 24), (20, 25)),
    "A1, B2": ((4, 14), (20, 25)),
}


def _positional() -> Values:
    found = {
        name: PositionalDissimilarity().of_units(Unit("a", *u), Unit("b", *v))
        for name, (u, v) in _FIGURE_10.items()
    }
    return {**found, "triangle": found["A1, B2"] > found["A1, C1"] + found["C1, B2"]}


def _categorical() -> Values:
    table = [[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], [1.0, 1.0, 0.0]]
    matrix = DistanceMatrix(["1", "2", "3"], table)
    cost = CategoricalDissimilarity(distance=matrix)
    pairs = [("1", "2"), ("1", "3"), ("2", "3")]
    return {
        "matrix": [cost.of_units(Unit("a", 0, 1, c), Unit("b", 0, 1, k)) for c, k in pairs],
    }


def _steep() -> Values:
    x = np.linspace(0.0, 0.9, 901)
    apart = CategoricalDissimilarity(steep=True).of_units(
        Unit("a", 0, 1, "A"), Unit("b", 0, 1, "B")
    )
    return {
        "identity": float(np.abs(steep(x) - x).max()),
        "infinite": math.isinf(apart),
    }


def _equal_costs() -> Values:
    cost = CombinedDissimilarity()
    return {
        "cost": [
            cost.of_units(Unit("a", 4, 14, "A"), Unit("b", 14, 24, "A")),
            cost.of_units(Unit("a", 4, 14, "A"), Unit("b", 4, 14, "B")),
        ]
    }


def _three_cases() -> Values:
    best = [(0, 10, "A"), (30, 40, "B"), (60, 70, "C")]
    middle = [best, [(3, 12, "A"), (62, 73, "C")], [(1, 9, "A"), (33, 44, "B"), (57, 66, "C")]]
    worst = [[(0, 10, "B")], [(30, 40, "A")], [(60, 70, "C")]]

    def value(annotators: Sequence[Units]) -> float:
        return gamma(_continuum(annotators, 90.0), draws=300, rng=1).value

    return {
        "best": value([best] * 3) == 1.0,
        "middle": 0.0 < value(middle) < 1.0,
        "worst": value(worst) < 0.0,
    }


def _sentiment() -> Values:
    both = (["pos", "neu", "neg"], ["pos", "neu"])
    return {
        "sentiment": [1.0 - scott_pi(_ratings(labels, labels)).expected for labels in both],
    }


def _speed() -> Values:
    text = shuffle(generate_reference(100, rng=1), magnitude=0.3, errors="position").continuum
    start = time.perf_counter()
    best_alignment(text)
    return {"second": time.perf_counter() - start < 1.0}


def _shifts() -> Values:
    length, first, second, size = 44, 15, 24, 12
    apart = min((first - second) % length, (second - first) % length)
    units = [(2, 8, "A"), (12, 15, "B"), (20, 32, "A"), (38, 41, "B")]
    text = _continuum([units] * 3, length)
    fitted = CombinedDissimilarity().fitted(text.labels, label_counts(text))
    model = ShiftChance(text, fitted, chance_rules("shift"), 0)
    shifts = np.sort(model.drawn(0, 500)[1].shifts, axis=1)
    between = np.diff(np.column_stack((shifts, shifts[:, :1] + length)), axis=1)
    return {
        "itself": size > apart,
        "spacing": model.spacing == (6 + 3 + 12 + 3) / 4
        and bool((between >= model.spacing - _EXACT).all()),
    }


def _combinations() -> Values:
    texts = {f"{at}": _continuum([[(at, at + 2, "A")]] * 3, 20.0) for at in range(1, 9)}
    corpus = Corpus.from_continua(texts)
    fitted = CombinedDissimilarity().fitted(corpus.labels, label_counts(corpus))
    picks = CorpusChance(corpus, 3, fitted, 0).recipe(0, 40_000).picks
    return {"combinations": len(np.unique(np.sort(picks, axis=1), axis=0))}


def _sampling() -> Values:
    # Thirty draws with exactly this mean and, divided by 30, this standard deviation.
    draws = 3.49 + np.repeat([0.1379, -0.1379], 15)
    variation = float(draws.std(ddof=1) / draws.mean())
    needed = [needed_draws(draws, precision=e, confidence=0.95) for e in (0.02, 0.01)]
    return {
        "variation": variation,
        "two": (variation * 1.96 / 0.02) ** 2,
        "one": (variation * 1.96 / 0.01) ** 2,
        "sixteen": needed[0],
        "sixty-two": needed[1],
    }


_FIGURE_14: tuple[Units, ...] = (
    ((2, 17, 1), (22, 37, 1), (58, 68, 2), (70, 75, 4)),
    ((2, 17, 1), (32, 45, 3), (58, 63, 1), (70, 75, 4)),
)


def _alphas() -> Values:
    text = _continuum(_FIGURE_14, 76.0)
    observed, expected, value = _u_2013(text)
    coding = unitizing_alpha(text, distance="interval").u_alpha_coding
    return {
        "uDo": observed,
        "uDe": expected,
        "u": value,
        "cuDo": coding.observed,
        "cuDe": coding.expected,
        "cu": coding.value,
    }


def _slight_disagreement() -> Values:
    units = [(5, 15, 1), (25, 35, 9), (45, 55, 7)]
    return {"left": _u_2013(_continuum([units, units], 60.0))[2]}


_FOUR_AMONG_OTHERS: tuple[Units, ...] = (
    ((0, 10, "1"), (10, 20, "4"), (20, 30, "2")),
    ((0, 8, "1"), (8, 22, "4"), (22, 30, "2")),
)


def _moved_categories() -> Values:
    text = _continuum(_FOUR_AMONG_OTHERS)
    return {
        "gamma_cat": gamma(text, draws=100, rng=1).gamma_cat.value == 1.0,
        "cu": unitizing_alpha(text).u_alpha_coding.value < 1.0,
    }


def _pieces(*lengths: float) -> Units:
    ends = np.cumsum(lengths).tolist()
    return [(end - length, end, "A") for end, length in zip(ends, lengths, strict=True)]


def _long_and_short() -> Values:
    texts = [
        _continuum([[(5, 15, "A")], []], 40.0),
        _continuum([[(5, 6, "A"), (20, 21, "A")], []], 40.0),
    ]
    squares, disorders = [*map(_squares, texts)], [*map(_disorders, texts)]
    return {
        "u": squares,
        "gamma": disorders,
        "ratios": [squares[0] / squares[1], disorders[1] / disorders[0]],
    }


_SPLITS = ((20.0,), (10.0, 10.0), (5.0,) * 4)


def _splits_and_silence() -> Values:
    texts = [_continuum([_pieces(*lengths), []], 40.0) for lengths in _SPLITS]
    return {"u": [*map(_squares, texts)], "gamma": [*map(_disorders, texts)]}


def _splits_and_whole() -> Values:
    texts = [_continuum([_pieces(20.0), _pieces(*lengths)], 40.0) for lengths in _SPLITS]
    return {
        # 2013: sections of one label with each other do not count, and gaps agree.
        "u": [*map(_squares, texts)],
        "gamma": [*map(_disorders, texts)],
        "intersection": [_disorders(text, shape="intersection") for text in texts],
    }


def _scale() -> Values:
    texts = [_continuum([[(10, 10 + a, "A")], [(10, 10 + b, "A")]], 80.0) for a, b in _SCALES]
    small, large = (float(positional(0, a, 0, b)) for a, b in _SCALES)
    return {
        "u": _squares(texts[1]) / _squares(texts[0]),
        "gamma": abs(small - large) < _EXACT,
        "value": small,
    }


_SCALES = ((7, 10), (21, 30))


def _paradox() -> Values:
    starts = [31.0 + 123.0 * at for at in range(4)]

    def text(shift: float, units: Sequence[float] = tuple(starts)) -> Continuum:
        first = [(start, start + 100.0, "1") for start in units]
        second = [(start + shift, end + shift, "2") for start, end, _ in first]
        return _continuum([first, second], starts[-1] + 100.0 + shift + 189.0)

    moderate, full = text(20.0), text(0.0)
    values = [gamma(each, draws=300, rng=1).value for each in (moderate, full)]
    return {
        "a": _u_2013(moderate)[2],
        "b": _u_2013(full)[2],
        "squares": [_squares(text(20.0, starts[:1])), _squares(text(0.0, starts[:1]))],
        "gamma": values[1] > values[0],
    }


def _nested() -> Values:
    units = [(0, 20, "A"), (5, 12, "B")]
    text = _continuum([units, units], 40.0)
    return {
        "gamma": gamma(text, draws=100, rng=1).value == 1.0,
        "cu": unitizing_alpha(text, overlap="keep").u_alpha_coding.value < 1.0,
    }


def _five_units() -> Values:
    labels = ["1", "4", "2", "2", "4"]
    reference = Continuum.from_units(
        [("reference", 10 * at, 10 * at + 7, label) for at, label in enumerate(labels)]
    )
    shuffled = shuffle(reference, magnitude=0.1, errors="position", rng=1).continuum
    kept = [
        [unit.label for unit in shuffled if unit.annotator == name] == labels
        for name in shuffled.annotators
    ]
    return {"kept": all(kept)}


# ------------------------------------------------------------------------------------------ 2017


def _five_intersections() -> Values:
    one, other = _FOUR_AMONG_OTHERS
    labels = Counter(
        u[2] == v[2]  # type: ignore[misc]  # with labels
        for u, v in product(one, other)
        if min(u[1], v[1]) > max(u[0], v[0])
    )
    text = _continuum(_FOUR_AMONG_OTHERS)
    return {
        "five": labels == {True: 3, False: 2},
        "gamma_cat": gamma(text, draws=100, rng=1).gamma_cat.value == 1.0,
    }


def _named_entities() -> Values:
    text = _continuum([[(0, 4, "P"), (6, 7, "P")], [(0, 4, "P"), (6, 7, "O")]], 12.0)
    return {
        "units": 1.0 - gamma(text, draws=100, rng=1).gamma_cat.observed,
        "length": 1.0 - unitizing_alpha(text).u_alpha_coding.observed,
    }


def _half_of_the_units() -> Values:
    units = [(unit.start, unit.end, unit.label) for unit in generate_reference(100, rng=1)]
    text = _continuum([units, units[::2]])  # type: ignore[list-item]  # labels are strings
    return {"total": gamma(text, draws=30, rng=1).gamma_cat.value == 1.0}


def _three_values() -> Values:
    return {"pairs": percent_agreement(_ratings("A", "A", "B")).value}


_POLICIES: Mapping[str, MissingPolicy] = {"IL": "items", "VL": "values", "PL": "pairs"}


def _weights() -> Values:
    values = np.array([5, 4, 3, 2])
    table = [["noun" if at < n else None for n in values] for at in range(5)]
    rows = Rows.of(Ratings.from_matrix(table))
    pairs = values * (values - 1) / 2.0
    found: dict[str, Value] = {"values": rows.sizes.tolist(), "pairs": pairs.tolist()}
    for name, policy in _POLICIES.items():
        weight = pair_weights(rows, policy)
        found[f"pair {name}"] = weight.tolist()
        found[f"item {name}"] = (weight * pairs).tolist()
        found[f"value {name}"] = (2.0 * weight * pairs / values).tolist()
    return found


# Labels of an item, as numbers of annotators; items, and deleted values (of all values).
_SIX = ((6,), (5, 1), (4, 1, 1), (3, 1, 1, 1))
_THREE_HIGH = (*((3,),) * 6, (2, 1))
_THREE_LOW = (*((3,),) * 2, *((2, 1),) * 4, (1, 1, 1))
_ROWS = {
    "row 1": (_SIX, 6),
    "row 2": (_SIX, 3),
    "row 3": (_SIX, 1),
    "row 4": (_THREE_HIGH, 2),
    "row 5": (_THREE_LOW, 1),
}
_TESTS = 200_000


def _deviations(items: tuple[tuple[int, ...], ...], deleted: int, tests: int) -> Floats:
    """Return σ of the observed agreement for VL, IL, PL and RM, over random deletions.

    Values are deleted one after another, each time any of them, so that one may be hit twice.
    """
    cells = [(item, label) for item, labels in enumerate(items) for label, n in enumerate(labels)
             for _ in range(n)]  # fmt: skip
    most = max(map(len, items))
    at = np.array([item * most + label for item, label in cells])
    hit = (Dice(0, _STREAM, len(cells), deleted).roll(tests * deleted) * len(cells)).astype(int)
    kept = np.ones((tests, len(cells)), dtype=bool)
    kept[np.repeat(np.arange(tests), deleted), hit] = False
    flat = np.zeros((tests, len(items) * most))
    for cell, place in enumerate(at.tolist()):
        flat[:, place] += kept[:, cell]
    counts = flat.reshape(tests, len(items), most)
    values = counts.sum(axis=2)
    pairs, agreeing = values * (values - 1) / 2.0, (counts * (counts - 1) / 2.0).sum(axis=2)
    full = values == max(map(sum, items))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(pairs > 0.0, agreeing / pairs, 0.0)
        found = [
            (share * values * (values >= 2)).sum(axis=1) / (values * (values >= 2)).sum(axis=1),
            share.sum(axis=1) / (pairs > 0.0).sum(axis=1),
            agreeing.sum(axis=1) / pairs.sum(axis=1),
            (agreeing * full).sum(axis=1) / (pairs * full).sum(axis=1),
        ]
    return np.array([np.nanstd(each) for each in found])


def _missing_values() -> Values:
    rows = {name: _deviations(*row, _TESTS) for name, row in _ROWS.items()}
    table = np.array([*rows.values()])
    return {
        **{name: row.tolist() for name, row in rows.items()},
        "row 5": rows["row 5"][1:3].tolist(),
        "row 5, rest": rows["row 5"][[0, 3]].tolist(),
        "least": bool((table.argmin(axis=1) == 0).all()),
        "most": bool((table.argmax(axis=1) == 3).all()),
        "rank": len({bool(row[1] < row[2]) for row in table}) == 2,
    }


# A layout that fits the numbers that 2017, §5.2, prints for its Figure 3; not the only one.
_FIGURE_3: tuple[Units, ...] = (
    ((2, 11, "A"), (15, 18, "B")),
    ((2, 11, "B"), (14, 19, "B")),
    ((3, 13, "A"), (17, 25, "C")),
)
_SOFTWARE = CombinedDissimilarity(position=3, label=2)


@cache
def _three_annotators() -> GammaAgreement:
    return gamma(_continuum(_FIGURE_3, 25.0), chance="gamma-2017", rng=0)


def _label_columns(dissimilarity: CombinedDissimilarity) -> set[tuple[str, ...]]:
    found = best_alignment(_continuum(_FIGURE_3, 25.0), dissimilarity=dissimilarity)
    return {tuple(str(unit.label) if unit else "·" for unit in each) for each in found.groups}


_COLUMNS = {("A", "B", "A"), ("B", "B", "·"), ("·", "·", "C")}


def _unitary_alignments() -> Values:
    return {
        "plain": _label_columns(CombinedDissimilarity()) == _COLUMNS,
        "software": _label_columns(_SOFTWARE) == _COLUMNS,
    }


def _matrix() -> Values:
    return {"matrix": _label_columns(_SOFTWARE) == _COLUMNS}


def _pair_weights() -> Values:
    return {
        "pair": (1.0 - float(positional(2, 11, 3, 13))) / 2.0,
        "bb": 1.0 - float(positional(15, 18, 14, 19)),
        "total": _three_annotators().gamma_cat.weight or math.nan,
    }


def _naive_method() -> Values:
    sizes = [20.0, 2.0] * 10
    starts = np.cumsum([0.0, *[size + 5.0 for size in sizes[:-1]]]).tolist()
    units = [(s, s + n, "AB"[at % 2]) for at, (s, n) in enumerate(zip(starts, sizes, strict=True))]
    labels = [label for _, _, label in units]
    found = gamma(_continuum([units, units]), chance="gamma-2017", draws=100, rng=1)
    return {
        "naive": krippendorff_alpha(_ratings(labels, labels)).expected,
        "gamma_cat": found.gamma_cat.expected,
    }


# Krippendorff's table of four annotators and twelve items; a dot is a missing value.
_TABLE = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def _predefined_items() -> Values:
    alpha = krippendorff_alpha(_ratings(*([None if x == "." else x for x in r] for r in _TABLE)))
    text = _continuum(
        [[(at, at + 1, x) for at, x in enumerate(row) if x != "."] for row in _TABLE], 12.0
    )
    coding = unitizing_alpha(text).u_alpha_coding
    found = gamma(text, chance="gamma-2017", rng=0).gamma_cat
    return {
        "alpha": alpha.value,
        "alpha_observed": alpha.observed,
        "gamma_cat_low": found.value,
        "gamma_cat_high": found.value,
        "gamma_cat_observed": found.observed,
        "plain_observed": gamma(text, draws=30, rng=0).gamma_cat.observed,
        "cu": coding.value,
        "cu_observed": coding.observed,
        "missing": sum(row.count(".") for row in _TABLE),
    }


def _intersections() -> dict[str, float]:
    found: Counter[str] = Counter()
    for one, other in combinations(_FIGURE_3, 2):
        for u, v in product(one, other):
            shared = max(min(u[1], v[1]) - max(u[0], v[0]), 0)
            found["".join(sorted((str(u[2]), str(v[2]))))] += shared  # type: ignore[misc, assignment]
    return dict(found)


def _total_intersection() -> Values:
    return {"total": sum(_intersections().values())}


def _contributions() -> Values:
    pairs = label_confusions(_three_annotators())
    at = {label: place for place, label in enumerate(pairs.labels)}
    weights = [float(pairs.weights[at[c], at[k]]) for c, k in ("AA", "BB", "AB")]
    lengths = _intersections()
    total = sum(lengths.values())
    return {
        "gamma_cat": [100.0 * weight / sum(weights) for weight in weights],
        "cu": [100.0 * lengths[pair] / total for pair in ("AA", "BB", "AB", "BC")],
    }


def _comparison() -> Values:
    alphas, found = unitizing_alpha(_continuum(_FIGURE_3, 25.0)), _three_annotators()
    return {
        "cu": alphas.u_alpha_coding.value,
        "gamma_cat": found.gamma_cat.value,
        "cu_b": alphas.u_alpha_k["B"].value,
        "gamma_b": found.gamma_k["B"].value,
    }


def _software() -> Values:
    found = _three_annotators()
    cat = found.gamma_cat.value
    return {
        "gamma": found.value,
        "gamma_cat": cat,
        "low": cat,
        "high": cat,
        "a": found.gamma_k["A"].value,
        "b": found.gamma_k["B"].value,
        "c": math.isnan(found.gamma_k["C"].value),
    }


# ------------------------------------------------------------------------------------------ Komen

_MARY = (0, 1, 0, 0, 0, 0, 0, 0, 1, 0)
_JOHN = {
    "table (2)": (0, 1, 1, 0, 0, 1, 0, 1, 0, 0),
    "table (6)": (0, 1, 2, 0, 0, 1, 0, 2, 0, 0),
    "table (8)": (0, 1, 3, 0, 0, 1, 0, 4, 0, 0),
    "table (9)": (0, 13, 23, 0, 0, 13, 0, 62, 0, 0),
}


def _kappa(table: str) -> dict[str, Value]:
    mary = tuple(13 * label for label in _MARY) if table == "table (9)" else _MARY
    found = cohen_kappa(_ratings(_JOHN[table], mary))
    return {
        "Po": 1.0 - found.observed,
        "Pc": 1.0 - found.expected,
        "kappa": found.value,
        "values": len({*_JOHN[table], *mary}),
    }


def _kappa_with_a_third_value() -> Values:
    found = _kappa("table (6)")
    return {**found, "rises": found["kappa"] > _kappa("table (2)")["kappa"]}  # type: ignore[operator]


def _contingency(table: str, size: int, rows: int) -> Values:
    """Return the cells and margins of a table with Mary in its rows and John in its columns."""
    cells = np.zeros((rows, size), dtype=np.int64)
    for john, mary in zip(_JOHN[table], _MARY, strict=True):
        cells[mary, john] += 1
    mary_margins, john_margins = cells.sum(axis=1).tolist(), cells.sum(axis=0).tolist()
    return {
        "cells": cells.ravel().tolist(),
        "margins": mary_margins if rows < size else [*mary_margins, *john_margins],
    }


# ------------------------------------------------------------------------------------- Passonneau

_SETS: Mapping[str, tuple[tuple[set[str], set[str]], ...]] = {
    "Figure 2": (
        ({"x", "y"}, {"x", "y", "z"}),
        ({"x", "y"}, {"x", "y", "z"}),
        ({"x"}, {"x", "y", "z"}),
    ),
    "Figure 3": (({"x", "y"}, {"x"}), ({"x", "y"}, {"y", "z"}), ({"z"}, {"y", "z"})),
}


def _sets(figure: str, removed: float) -> Values:
    pairs = _SETS[figure]
    overlaps = [1.0 - jaccard_distance(*pair) for pair in pairs]
    of_y = masi_distance(pairs[1][0] - {"y"}, pairs[1][1] - {"y"})
    return {
        "jaccard": overlaps,
        "mean": sum(overlaps) / 3.0,
        "masi": sum(1.0 - masi_distance(*pair) for pair in pairs) / 3.0,
        "removed": abs(1.0 - of_y - removed) < _EXACT,
    }


_A1, _A2 = [{1, 2, 3, 4}, {5, 7}, {6}], [{1, 2, 3, 4, 5, 6, 7}]
# The words of the spans of Figure 1.
_WORDS = {1: 6, 2: 5, 3: 7, 4: 5, 5: 3, 6: 6, 7: 6}


def _canonical_matrix() -> Values:
    rows = {"A1": [{1, 2, 3, 4}] * 4 + [{5, 7}, {6}, {5, 7}], "A2": _A2 * 7}
    printed = Ratings.from_matrix(rows)
    return {"matrix": Ratings.from_partitions({"A1": _A1, "A2": _A2}) == printed}


def _crossing_sets() -> Values:
    # J = 1/3 and M = 1/3.
    return {"crossing": abs(1.0 - masi_distance({1, 2}, {1, 3}) - 1.0 / 9.0) < _EXACT}


def _alphas_of(ratings: Ratings, masi: str = "masi") -> list[float]:
    return [krippendorff_alpha(ratings, distance=d).value for d in ("nominal", "jaccard", masi)]


def _spans_and_words() -> Values:
    def words(classes: list[set[int]]) -> list[set[str]]:
        return [{f"{s}.{w}" for s in each for w in range(_WORDS[s])} for each in classes]

    spans: dict[str, list[Any]] = {"A1": _A1, "A2": _A2}
    of_words: dict[str, list[Any]] = {"A1": words(_A1), "A2": words(_A2)}
    found: dict[str, Value] = {}
    for name, classes in (("spans", spans), ("words", of_words)):
        found[f"{name} kept"] = _alphas_of(Ratings.from_partitions(classes))
        found[f"{name} removed"] = _alphas_of(
            Ratings.from_partitions(classes, drop_self=True, alone="singleton")
        )
    found["spans product"] = _alphas_of(Ratings.from_partitions(spans), "masi-product")
    return found


def _pyramids() -> Values:
    """Simulate two annotators who group words; the second divides or joins classes of the first."""
    dice = Dice(0, _STREAM, 92)
    owner = (dice.roll(725) * 92).astype(int)
    classes = [set(np.flatnonzero(owner == each).tolist()) for each in range(92)]
    first = [each for each in classes if each]
    second: list[set[int]] = []
    for each, roll in zip(first, dice.roll(len(first)).tolist(), strict=True):
        members = sorted(each)
        if roll < 0.4 and len(members) > 1:
            cut = max(1, len(members) // 3)
            second += [set(members[:cut]), set(members[cut:])]
        elif roll < 0.55 and second:
            second[-1] = second[-1] | each
        else:
            second.append(each)
    ratings = Ratings.from_partitions({"A1": first, "A2": second})
    printed = np.array([[0.55, 0.79], [0.58, 0.80], [0.40, 0.68], [0.39, 0.69], [0.40, 0.71]])
    rising = {
        masi: bool((np.diff(_alphas_of(ratings, masi)) > 0.0).all())
        for masi in ("masi", "masi-product")
    }
    return {
        "half": ((printed[:, 1] - printed[:, 0]) / (1.0 - printed[:, 0])).tolist(),
        "product": rising["masi"],
        "complements": rising["masi-product"],
    }


def _factoids() -> Values:
    first, second = (1, 0, 1, 0, 1, 1, 0, 1, 0, 1), (1, 0, 0, 0, 0, 0, 0, 1, 0, 1)
    return {"kappa": cohen_kappa(_ratings(first, second)).value}


EXAMPLES: Mapping[tuple[str, str], Callable[[], Values]] = {
    ("2015", "§3.1"): _chance_correction,
    ("2015", "Figure 2"): _atoms,
    ("2015", "Table 2"): _overlap_takers,
    ("2015", "Figure 4"): _discretized,
    ("2015", "Figure 5"): _slot_errors,
    ("2015", "Figure 6"): _alignment_choices,
    ("2015", "Figures 7, 8"): _contexts,
    ("2015", "Figure 9"): _without_intersection,
    ("2015", "Figure 10"): _positional,
    ("2015", "Table 3"): _categorical,
    ("2015", "footnote 2"): _steep,
    ("2015", "§4.4.4"): _equal_costs,
    ("2015", "Figure 11"): _three_cases,
    ("2015", "§4.8.2"): _sentiment,
    ("2015", "§5.1"): _speed,
    ("2015", "Figure 12"): _shifts,
    ("2015", "Figure 13"): _combinations,
    ("2015", "§5.3"): _sampling,
    ("2015", "Figure 14"): _alphas,
    ("2015", "Figure 15"): _slight_disagreement,
    ("2015", "Figure 16"): _moved_categories,
    ("2015", "Figure 17"): _long_and_short,
    ("2015", "Figure 18"): _splits_and_silence,
    ("2015", "Figure 19"): _splits_and_whole,
    ("2015", "Figure 20"): _scale,
    ("2015", "Figure 21"): _paradox,
    ("2015", "Figure 22"): _nested,
    ("2015", "Figure 23"): _five_units,
    ("2017", "Figure 1"): _five_intersections,
    ("2017", "Figure 2"): _named_entities,
    ("2017", "§2.2"): _half_of_the_units,
    ("2017", "§3"): _three_values,
    ("2017", "Table 1"): _weights,
    ("2017", "Table 2"): _missing_values,
    ("2017", "Figure 4"): _unitary_alignments,
    ("2017", "Figure 5"): _matrix,
    ("2017", "Figure 6"): _pair_weights,
    ("2017", "Figure 7"): _naive_method,
    ("2017", "§5.1, Figure 9"): _predefined_items,
    ("2017", "Figure 10"): _total_intersection,
    ("2017", "Table 3"): _contributions,
    ("2017", "§5.2"): _comparison,
    ("2017", "Figure 16"): _software,
    ("komen", "table (2)"): lambda: _kappa("table (2)"),
    ("komen", "table (3)"): lambda: _contingency("table (2)", 2, 2),
    ("komen", "table (5)"): lambda: _contingency("table (6)", 3, 2),
    ("komen", "table (6)"): _kappa_with_a_third_value,
    ("komen", "table (7)"): lambda: _contingency("table (6)", 3, 3),
    ("komen", "table (8)"): lambda: _kappa("table (8)"),
    ("komen", "table (9)"): lambda: _kappa("table (9)"),
    ("passonneau", "Figure 2"): lambda: _sets("Figure 2", 1.0 / 2.0 * 2.0 / 3.0),
    ("passonneau", "Figure 3"): lambda: _sets("Figure 3", 0.0),
    ("passonneau", "Figure 4"): _canonical_matrix,
    ("passonneau", "Figure 5"): _crossing_sets,
    ("passonneau", "Table 1"): _spans_and_words,
    ("passonneau", "Table 2"): _pyramids,
    ("passonneau", "Figure 6"): _factoids,
}
"""The functions that compute values, by paper and place."""


def values_of(paper: str, place: str) -> Values:
    """Return the values of a place that does not need simulated annotators, if there are any."""
    return EXAMPLES[paper, place]() if (paper, place) in EXAMPLES else {}
