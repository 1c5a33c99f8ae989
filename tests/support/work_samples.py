"""A corpus that makes many chunks of work, and settings under which they take little time."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import unisono as un
from dying_workers import DEADLY

if TYPE_CHECKING:
    from collections.abc import Iterable

FEW: dict[str, Any] = {"draws": 12, "rng": 5}


def document(number: int, label: str = "A") -> un.Continuum:
    """Two annotators who agree more or less; the same for the same number."""
    rng = np.random.default_rng(number)
    starts = np.cumsum(rng.uniform(1.0, 4.0, 6))
    return un.Continuum.from_units(
        [
            (name, start, start + 2.0, label if at == 2 else "AB"[at % 2])
            for name in ("ann", "bob")
            for at, start in enumerate((starts + rng.normal(0.0, 0.4, 6)).tolist())
        ]
    )


@cache
def documents(count: int, deadly: tuple[int, ...] = ()) -> un.Corpus:
    """So many documents, some of which have a deadly unit."""
    names: Iterable[tuple[str, un.Continuum]] = (
        (f"text{at:04d}", document(at, DEADLY if at in deadly else "A")) for at in range(count)
    )
    return un.Corpus.from_continua(dict(names))
