"""Hypothesis strategies: small continua that hold every kind of trouble."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Row = tuple[str, float, float, Label | None]
Bounds = list[tuple[float, float]]

ANNOTATORS = ("Ann", "Bob", "Čeněk", "ann", "eve", "7")

# Steps of a quarter are exact in binary and often equal: ties are what we want.
steps = st.integers(0, 80).map(lambda quarter: quarter / 4)
lengths = st.integers(1, 40).map(lambda quarter: quarter / 4)
places = st.one_of(steps, st.floats(-100, 1000, allow_nan=False, width=32))


@cache
def _free(n_units: int) -> st.SearchStrategy[Bounds]:
    bounds = st.tuples(places, places).map(lambda pair: (min(pair), max(pair)))
    return st.lists(bounds, min_size=n_units, max_size=n_units)


@cache
def _contiguous(n_units: int) -> st.SearchStrategy[Bounds]:
    """Each unit begins where the one before ends."""
    cuts = st.lists(steps, min_size=n_units + 1, max_size=n_units + 1, unique=True).map(sorted)
    return cuts.map(lambda cuts: list(pairwise(cuts)))


@cache
def _nested(n_units: int) -> st.SearchStrategy[Bounds]:
    """Each unit lies within the one before, sometimes with an end in common."""
    margins = st.lists(
        st.tuples(st.sampled_from((0, 1)), st.sampled_from((0, 0.5))),
        min_size=n_units,
        max_size=n_units,
    )

    def bounds(margins: Sequence[tuple[float, float]]) -> Bounds:
        low, high, made = 0.0, 40.0, []
        for left, right in margins:
            low, high = low + left, high - right
            made.append((low, high))
        return made

    return margins.map(bounds)


@cache
def _overlapping(n_units: int) -> st.SearchStrategy[Bounds]:
    """Each unit begins before the one before ends."""
    return lengths.map(lambda step: [(i * step, (i + 2.5) * step) for i in range(n_units)])


@cache
def _ties(n_units: int) -> st.SearchStrategy[Bounds]:
    few = st.sampled_from(((0.0, 1.0), (0.0, 2.0), (1.0, 2.0), (1.0, 1.0)))
    return st.lists(few, min_size=n_units, max_size=n_units)


@cache
def _points(n_units: int) -> st.SearchStrategy[Bounds]:
    return st.lists(steps.map(lambda at: (at, at)), min_size=n_units, max_size=n_units)


@cache
def _duplicates(n_units: int) -> st.SearchStrategy[Bounds]:
    return st.tuples(steps, lengths).map(lambda pair: [(pair[0], sum(pair))] * n_units)


# Strategies are made once: making one takes longer than drawing from it.
SHAPES: dict[str, Callable[[int], st.SearchStrategy[Bounds]]] = {
    "free": _free,
    "contiguous": _contiguous,
    "nested": _nested,
    "overlapping": _overlapping,
    "ties": _ties,
    "points": _points,
    "duplicates": _duplicates,
}

texts = st.sampled_from(("NP", "VP", "np", "ß", "a,b", 'say "no"', "two\nlines", "x;y|z"))
numbers = st.sampled_from((0, 1, 2, 10, -3, 0.5, 2.25))
LABELS: dict[str, st.SearchStrategy[Label | None]] = {
    "none": st.none(),
    "text": texts,
    "numbers": numbers,
    "sets": st.frozensets(st.one_of(st.sampled_from(("a", "b", "c")), st.just(1)), max_size=3),
    "some": st.one_of(st.none(), st.sampled_from(("a", "b"))),
    "mixed": st.one_of(st.none(), texts, numbers),
}
_shapes = st.sampled_from(sorted(SHAPES))
_kinds_of_labels = st.sampled_from(sorted(LABELS))


@cache
def _people(n_annotators: int) -> st.SearchStrategy[list[str]]:
    everyone = st.permutations(ANNOTATORS[: max(n_annotators, 2)])
    return everyone.map(lambda all_: all_[:n_annotators])


@st.composite
def rows(
    draw: st.DrawFn,
    *,
    min_annotators: int = 2,
    max_annotators: int = 4,
    max_units: int = 4,
    max_units_total: int = 12,
    shape: str | None = None,
    labels: str | None = None,
) -> tuple[tuple[str, ...], list[Row]]:
    """Draw annotators, and rows of units in any order.

    `shape` and `labels` are keys of `SHAPES` and `LABELS`; without `shape` each annotator has
    one of their own.
    """
    n_annotators = draw(st.integers(min_annotators, max_annotators))
    annotators = draw(_people(n_annotators))
    label = LABELS[labels or draw(_kinds_of_labels)]
    left, made = max_units_total, []
    for annotator in annotators:
        n_units = draw(st.integers(0, min(max_units, left)))
        left -= n_units
        bounds = draw(SHAPES[shape or draw(_shapes)](n_units))
        made += [(annotator, start, end, draw(label)) for start, end in bounds]
    return tuple(annotators), draw(st.permutations(made))


@st.composite
def continua(
    draw: st.DrawFn,
    *,
    min_annotators: int = 2,
    max_annotators: int = 4,
    max_units: int = 4,
    max_units_total: int = 12,
    min_units_total: int = 0,
    shape: str | None = None,
    labels: str | None = None,
) -> Continuum:
    """Draw a continuum of few units: with ties, duplicates, points, nested and contiguous units.

    `max_units` bounds the units of one annotator and `max_units_total` those of all, so that
    trying every alignment stays possible. Annotators may have no units at all.
    """
    strategy = rows(
        min_annotators=min_annotators,
        max_annotators=max_annotators,
        max_units=max_units,
        max_units_total=max_units_total,
        shape=shape,
        labels=labels,
    )
    if min_units_total:
        strategy = strategy.filter(lambda drawn: len(drawn[1]) >= min_units_total)
    annotators, units = draw(strategy)
    return Continuum.from_units(units, annotators=annotators)


@st.composite
def corpora(
    draw: st.DrawFn,
    *,
    min_documents: int = 0,
    max_documents: int = 3,
    max_units: int = 3,
    max_units_total: int = 6,
    labels: str | None = None,
) -> Corpus:
    """Draw a corpus of few documents, whose annotators need not be the same."""
    names = st.sampled_from(("one", "two", "Three", "4", "a b"))
    document = continua(
        min_annotators=1, max_units=max_units, max_units_total=max_units_total, labels=labels
    )
    return Corpus.from_continua(
        draw(st.dictionaries(names, document, min_size=min_documents, max_size=max_documents))
    )
