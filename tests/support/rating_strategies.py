"""Hypothesis strategies: small tables of ratings that hold every kind of trouble."""

from __future__ import annotations

from collections.abc import Hashable

from hypothesis import strategies as st

from rating_changes import with_times
from unisono.model.labels import Label
from unisono.model.ratings import Ratings

Rating = tuple[str, Hashable, Label]

ANNOTATORS = ("Ann", "Bob", "Čeněk", "ann", "eve", "7")
ITEMS: dict[str, tuple[Hashable, ...]] = {
    "numbers": (1, 2, 3, 10, -4, 2.5, 2**60),
    "texts": ("s1", "s2", "s10", "a,b", "ß", " x "),
    "mixed": (1, "1", ("doc", 1), ("doc", 2), 0.5, "x"),
}
LABELS: dict[str, st.SearchStrategy[Label]] = {
    "text": st.sampled_from(("a", "b", "B", "ß", "a|b", "1")),
    "numbers": st.sampled_from((0, 1, 2, 10, -3, 0.5, 2.25)),
    "large": st.sampled_from((2**53, 2**53 + 1, 2**70, -(2**60))),
    "sets": st.frozensets(st.sampled_from(("a", "b", "c", 1)), max_size=3),
    "mixed": st.sampled_from(("a", "1", 1, 0.5, frozenset({"a"}), frozenset())),
    "one": st.just("only"),
}


@st.composite
def triples(
    draw: st.DrawFn,
    *,
    labels: str | None = None,
    items: str | None = None,
    min_annotators: int = 1,
    max_annotators: int = 4,
    max_items: int = 6,
) -> tuple[tuple[str, ...], list[Rating]]:
    """Draw annotators, and their ratings in any order, some of them missing.

    `labels` and `items` are keys of `LABELS` and `ITEMS`. Annotators may have no ratings.
    """
    names = draw(st.permutations(ANNOTATORS))
    annotators = tuple(names[: draw(st.integers(min_annotators, max_annotators))])
    things = ITEMS[items or draw(st.sampled_from(sorted(ITEMS)))]
    things = things[: draw(st.integers(0, min(max_items, len(things))))]
    label = LABELS[labels or draw(st.sampled_from(sorted(LABELS)))]
    cells = [(name, item) for name in annotators for item in things]
    rated = draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
    return annotators, [(name, item, draw(label)) for name, item in rated]


@st.composite
def ratings(
    draw: st.DrawFn,
    *,
    labels: str | None = None,
    min_annotators: int = 1,
    max_annotators: int = 4,
    max_items: int = 6,
) -> Ratings:
    """Draw a small table of ratings, some of them missing, and sometimes merged or counted."""
    annotators, rows = draw(
        triples(
            labels=labels,
            min_annotators=min_annotators,
            max_annotators=max_annotators,
            max_items=max_items,
        )
    )
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    table = Ratings.from_columns(*columns, annotators=annotators)
    kind = draw(st.sampled_from(("named", "merged", "counted")))
    if kind == "named":
        return table
    table = table.merged()
    if kind == "counted":
        n_rows = len(table.times)
        times = draw(st.lists(st.integers(0, 5), min_size=n_rows, max_size=n_rows))
        return with_times(table, times)
    return table
