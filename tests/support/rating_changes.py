"""Tables of ratings with other counts or other labels, as oracles of resampling need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.model.rating_tables import Triples, tabulated
from unisono.model.ratings import Ratings, rows_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def with_times(table: Ratings, times: ArrayLike) -> Ratings:
    """Let rows stand for other numbers of items."""
    codes = table.annotator_codes.astype(np.int64), table.label_codes.astype(np.int64)
    changed = tabulated(
        Triples(table.row_numbers, *codes),
        annotators=table.annotators,
        labels=table.labels,
        items=None,
        times=np.array(times, dtype=np.int64),
        anonymous=table.anonymous,
    )
    return rows_of(Ratings, changed)


def with_label_codes(table: Ratings, codes: ArrayLike) -> Ratings:
    """Put other labels in the same places, such as the same ones shuffled."""
    return rows_of(Ratings, table._table()._replace(label_codes=np.array(codes, dtype=np.int32)))
