"""Units as chance draws from them: a voice is one annotator of one continuum."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.gamma.aligning import Columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.fitted import Fitted
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Continuum

__all__ = ["Voices", "voices_of"]


class Voices(NamedTuple):
    """The columns of all voices, and where the continuum of each begins and how long it is."""

    columns: Columns
    origin: Floats
    extent: Floats

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many units each voice has."""
        return np.diff(self.columns.offsets)

    def only(self, chosen: NDArray[np.int64]) -> Voices:
        """Keep some voices, in the given order."""
        counts = self.counts[chosen]
        offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        # Row r of a voice stands as far from its first row here as there.
        rows = np.repeat(self.columns.offsets[chosen] - offsets[:-1], counts)
        rows += np.arange(len(rows))
        starts, ends, codes, _ = self.columns
        columns = Columns(starts[rows], ends[rows], codes[rows], offsets)
        return Voices(columns, self.origin[chosen], self.extent[chosen])


def voices_of(continua: Sequence[Continuum], fitted: Fitted) -> Voices:
    """Take the annotators of continua as voices; codes are those of the fitted labels."""
    place = {label: code for code, label in enumerate(fitted.labels)}
    codes = [
        np.array([place[label] for label in continuum.labels], np.int32)[continuum.label_codes]
        for continuum in continua
    ]
    counts = np.concatenate([continuum.counts for continuum in continua])
    offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    annotators = [len(continuum.annotators) for continuum in continua]
    lows, highs = zip(*(continuum.extent for continuum in continua), strict=True)
    return Voices(
        Columns(
            np.concatenate([continuum.starts for continuum in continua]),
            np.concatenate([continuum.ends for continuum in continua]),
            np.concatenate(codes).astype(np.int32),
            offsets,
        ),
        np.repeat(np.array(lows, np.float64), annotators),
        np.repeat(np.array(highs, np.float64) - np.array(lows, np.float64), annotators),
    )
