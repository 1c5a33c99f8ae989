"""Five ratings of three items, as rows, as columns and as a table."""

from __future__ import annotations

from unisono.model.ratings import Ratings

ROWS = [
    ("bob", "s2", "NP"),
    ("ann", "s1", "NP"),
    ("bob", "s1", "VP"),
    ("ann", "s2", "NP"),
    ("ann", "s3", "VP"),
]
COLUMNS = dict(zip(("annotator", "item", "label"), map(list, zip(*ROWS, strict=True)), strict=True))
TABLE = Ratings.from_columns(*COLUMNS.values())


def rows_of(table: Ratings) -> list[tuple[object, ...]]:
    """Give the ratings as (annotator, item, label)."""
    items = table.items or ()
    return [
        (table.annotators[owner], items[row], table.labels[code])
        for row, owner, code in zip(
            table.row_numbers.tolist(),
            table.annotator_codes.tolist(),
            table.label_codes.tolist(),
            strict=True,
        )
    ]
