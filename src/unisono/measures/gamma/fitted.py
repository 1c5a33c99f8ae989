"""A dissimilarity with its label distances fixed for the labels of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np

from unisono.errors import DataError
from unisono.model.continuum import Continuum
from unisono.model.lazy_corpus import LazyCorpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Floats
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label

__all__ = ["Fitted", "UnitColumns", "label_counts", "pair_costs"]


class UnitColumns(NamedTuple):
    """Units as columns, for a user's own dissimilarity: row i of each belongs to one unit.

    `labels` are those that the codes stand for.

    Examples
    --------
    >>> import numpy as np
    >>> import unisono as un
    >>> units = un.UnitColumns(
    ...     starts=np.array([0.0, 7.0]),
    ...     ends=np.array([5.0, 9.0]),
    ...     label_codes=np.array([1, 0], dtype=np.int32),
    ...     labels=("NP", "VP"),
    ... )
    >>> units.ends - units.starts
    array([5., 2.])
    """

    starts: Floats
    ends: Floats
    label_codes: NDArray[np.int32]
    labels: tuple[Label | None, ...]


class KernelWeights(TypedDict):
    """How the kernel weighs the parts of a dissimilarity."""

    label_count: int
    position: float
    label: float
    power: float


class Fitted(NamedTuple):
    """A dissimilarity with its label distances fixed for the labels of the data."""

    labels: tuple[Label | None, ...]
    distances: Floats
    """After f, a row and a column a label; without any row: nominal."""
    position: float
    label: float
    power: float
    empty: float
    text: str
    """The line for the signature."""
    cost: Callable[[UnitColumns, UnitColumns], Floats] | None = None
    """A user's own dissimilarity; the weights above then serve γcat only."""

    @property
    def weights(self) -> KernelWeights:
        """The weights as the kernel takes them."""
        return {
            "label_count": len(self.labels),
            "position": self.position,
            "label": self.label,
            "power": self.power,
        }

    @property
    def table(self) -> Floats:
        """The label distances written out, also where they are nominal."""
        if self.distances.size:
            return self.distances
        return 1.0 - np.eye(len(self.labels))

    def code(self, label: Label | None) -> int:
        """Give the code of a label of the data."""
        try:
            return self.labels.index(label)
        except ValueError:
            msg = f"no unit within the data has the label {label!r}"
            raise DataError(msg) from None

    def for_labels(self, labels: Sequence[Label | None]) -> Fitted:
        """Keep some of the labels, in the given order."""
        if self.labels == tuple(labels):
            return self
        distances = self.distances
        if distances.size:
            place = {label: at for at, label in enumerate(self.labels)}
            rows = [place[label] for label in labels]
            distances = np.ascontiguousarray(distances[np.ix_(rows, rows)])
        return self._replace(labels=tuple(labels), distances=distances)


def label_counts(data: Continuum | Corpus) -> list[int]:
    """Count the units of each label, in the order of ``data.labels``."""
    if isinstance(data, LazyCorpus):
        return list(data.label_counts)
    continua: Iterable[Continuum] = [data] if isinstance(data, Continuum) else data.values()
    place = {label: at for at, label in enumerate(data.labels)}
    counts = [0] * len(place)
    for continuum in continua:
        found = np.bincount(continuum.label_codes, minlength=len(continuum.labels))
        for label, count in zip(continuum.labels, found.tolist(), strict=True):
            counts[place[label]] += count
    return counts


def pair_costs(fitted: Fitted, u: UnitColumns, v: UnitColumns) -> Floats:
    """Ask a user's own dissimilarity and check what it says; in units of the empty cost."""
    if fitted.cost is None:
        msg = "pair_costs asks a user's own dissimilarity, and there is none"
        raise TypeError(msg)
    answer = fitted.cost(u, v)
    try:
        costs = np.asarray(answer).astype(np.float64, casting="same_kind")
    except (TypeError, ValueError):
        msg = f"an own dissimilarity gives an array of numbers, got {answer!r}"
        raise DataError(msg) from None
    if costs.shape != u.starts.shape:
        msg = (
            f"an own dissimilarity gives one cost a pair: {len(u.starts)} pairs were asked about, "
            f"the answer has the shape {costs.shape}"
        )
        raise DataError(msg)
    bad = np.flatnonzero(~(costs >= 0.0))
    if bad.size:
        at = bad[0]
        units = (
            f"[{u.starts[at]}, {u.ends[at]}, {u.labels[u.label_codes[at]]!r}] and "
            f"[{v.starts[at]}, {v.ends[at]}, {v.labels[v.label_codes[at]]!r}]"
        )
        msg = f"a dissimilarity is 0 or more, but the own one gives {costs[at]} for {units}"
        raise DataError(msg)
    return costs / fitted.empty
