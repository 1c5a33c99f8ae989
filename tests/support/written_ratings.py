"""A table of three ratings, as it is written and as it must be read."""

from __future__ import annotations

from unisono.model.ratings import Ratings

LONG = "annotator,item,label\nann,s1,NP\nbob,s1,VP\nann,s2,NP\n"
TABLE = Ratings.from_columns(["ann", "bob", "ann"], ["s1", "s1", "s2"], ["NP", "VP", "NP"])


def same(table: Ratings, other: Ratings) -> bool:
    """Say whether two tables have the same ratings of items with the same names."""
    return table == other and table.items == other.items
