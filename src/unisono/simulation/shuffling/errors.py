"""Errors of category: which label a unit is given instead of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import distance_matrix
from unisono.model.labels import Label, as_label, label_order
from unisono.model.naming import known_labels, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.dice import Dice
    from unisono.model.arrays import Codes, Floats

__all__ = [
    "Closeness",
    "Prevalence",
    "closeness_rows",
    "label_shares",
    "labels_known",
    "mistaken",
    "picked",
]

Prevalence: TypeAlias = "str | Mapping[Any, float]"
"""How often labels are chosen by mistake: as in the reference, all alike, or shares."""
Closeness: TypeAlias = (
    "str | DistanceMatrix | Callable[[Label, Label], float] | Iterable[Iterable[float]] | None"
)
"""How easily one label is taken for another: a distance, or a square table."""


def label_shares(
    prevalence: Prevalence, labels: tuple[Label | None, ...], codes: Codes
) -> tuple[tuple[Label | None, ...], Floats]:
    """Give the labels that annotators choose from, in order, and how often each is chosen.

    Parameters
    ----------
    prevalence
        ``"reference"``, ``"uniform"``, or a share for each label; shares need not sum to 1, and a
        label of the reference without a share is never chosen by mistake.
    labels
        The labels of the reference.
    codes
        The label of each of its units.

    Returns
    -------
    tuple
        The labels of the reference and those with a share, and their shares, which sum to 1.

    Raises
    ------
    SettingError
        If there is no such prevalence, or shares are no shares.

    Examples
    --------
    >>> import numpy as np
    >>> label_shares("reference", ("A", "B"), np.array([0, 0, 0, 1]))
    (('A', 'B'), array([0.75, 0.25]))
    >>> label_shares({"C": 3, "A": 1}, ("A", "B"), np.array([0, 1]))
    (('A', 'B', 'C'), array([0.25, 0.  , 0.75]))
    """
    if isinstance(prevalence, Mapping):
        given = {as_label(label): share for label, share in prevalence.items()}
        everything = tuple(sorted({*labels, *given}, key=label_order))
        try:
            shares = np.array([given.get(label, 0.0) for label in everything], dtype=np.float64)
        except (TypeError, ValueError):
            msg = f"a prevalence gives each label a number, such as {{'NP': 0.7}}; got {given!r}"
            raise TypeError(msg) from None
        if not (np.isfinite(shares).all() and (shares >= 0.0).all() and shares.sum() > 0.0):
            msg = f"the prevalence of labels is 0 or more, of one at least above 0; got {given!r}"
            raise SettingError(msg)
        return everything, shares / shares.sum()
    if prevalence == "uniform":
        return labels, np.full(len(labels), 1.0 / len(labels))
    if prevalence == "reference":
        return labels, np.bincount(codes, minlength=len(labels)) / len(codes)
    msg = (
        f"unknown prevalence {prevalence!r}; choose 'reference' or 'uniform', "
        "or give a share for each label"
    )
    raise SettingError(msg)


def closeness_rows(
    closeness: Closeness,
    labels: tuple[Label | None, ...],
    counts: Sequence[int] | None = None,
    certain: NDArray[np.bool_] | None = None,
) -> Floats | None:
    """Give, for each label, how its mistakes are shared out over the other labels.

    Parameters
    ----------
    closeness
        A label distance from 0 to 1, of which closeness is what is missing to 1; or a square table
        of numbers of 0 or more, in the order of `labels`. The diagonal does not count.
    labels
        Every label that can be chosen.
    counts
        How often each occurs, for the ordinal distance.
    certain
        Labels that nobody mistakes: no other label is close to them.

    Returns
    -------
    array
        Rows that sum to 1; the row of a label that is close to no other keeps that label.

    Raises
    ------
    DataError
        If the table does not fit the labels.

    Examples
    --------
    >>> closeness_rows([[1, 1, 0], [1, 1, 3], [0, 0, 0]], ("A", "B", "C"))
    array([[0.  , 1.  , 0.  ],
           [0.25, 0.  , 0.75],
           [0.  , 0.  , 1.  ]])
    """
    if closeness is None:
        return None
    if isinstance(closeness, str | DistanceMatrix) or callable(closeness):
        table = 1.0 - distance_matrix(labels, closeness, counts=counts)
    else:
        table = _square(closeness, labels)
    table = table.copy()
    np.fill_diagonal(table, 0.0)
    if certain is not None:
        table[:, certain] = 0.0
    sums = table.sum(axis=1)
    alone = sums == 0.0
    table[alone, alone] = 1.0
    sums[alone] = 1.0
    return np.asarray(table / sums[:, None])


def labels_known(
    certain: Iterable[Label], labels: tuple[Label | None, ...], shares: Floats
) -> tuple[NDArray[np.bool_], Floats]:
    """Say which labels annotators are certain of, and how mistakes are shared out over the others.

    Examples
    --------
    >>> import numpy as np
    >>> labels_known(("B",), ("A", "B", "C"), np.array([0.25, 0.5, 0.25]))
    (array([False,  True, False]), array([0.5, 0. , 0.5]))
    """
    if isinstance(certain, str):
        msg = f"labels are given as several labels, such as ({certain!r},); got {certain!r}"
        raise TypeError(msg)
    wanted = known_labels(tuple(certain), labels)
    known = np.array([label in wanted for label in labels])
    left = np.where(known, 0.0, shares)
    # Where nothing is left to mistake, nobody asks for the shares.
    return known, left / left.sum() if left.sum() > 0.0 else shares


def _square(closeness: Iterable[Iterable[float]], labels: tuple[Label | None, ...]) -> Floats:
    size = len(labels)
    try:
        rows = closeness if isinstance(closeness, np.ndarray) else [list(row) for row in closeness]
        table = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.shape != (size, size):
        shape = " × ".join(map(str, table.shape)) if table.ndim == 2 else "no square table"
        msg = (
            f"a closeness matrix has a row and a column for each of the {size} labels "
            f"{listed(labels)}, in this order; this one is {shape}"
        )
        raise DataError(msg)
    if not (np.isfinite(table).all() and (table >= 0.0).all()):
        row, column = np.argwhere(~(np.isfinite(table) & (table >= 0.0)))[0]
        msg = (
            "closeness is a finite number of 0 or more; "
            f"{labels[row]!r} to {labels[column]!r} is {table[row, column]}"
        )
        raise DataError(msg)
    return table


def mistaken(
    codes: Codes, magnitude: float, shares: Floats, closeness: Floats | None, dice: Dice
) -> Codes:
    """Choose labels again, some by mistake.

    Parameters
    ----------
    codes
        The label of each unit.
    magnitude
        From 0, no mistake, to 1, where the label says nothing any more.
    shares
        How often each label is chosen by mistake.
    closeness
        For each label, how its mistakes are shared out; `None` where any label is as close as any.
    dice
        What is random.

    Returns
    -------
    array
        The new label of each unit.

    Notes
    -----
    A unit keeps its label or is given another with the probabilities (1 − m²)·I + m²·P, P the
    shares in each row; with closeness O they are (1 − m)·I + m³·P + (m − m³)·O.
    """
    which, new = dice.roll(2 * len(codes)).reshape(2, -1)
    any_label = magnitude**2 if closeness is None else magnitude**3
    close_label = 0.0 if closeness is None else magnitude - magnitude**3
    chosen = np.where(which < any_label, picked(shares, new), codes)
    if closeness is not None:
        # One long row: the cumulated row of label k lies between k and k + 1.
        cumulated = np.minimum(np.cumsum(closeness, axis=1), 1.0)
        cumulated[:, -1] = 1.0
        rows = (np.arange(len(closeness))[:, None] + cumulated).ravel()
        close = np.searchsorted(rows, codes + new, side="right") - codes * len(closeness)
        by_closeness = (which >= any_label) & (which < any_label + close_label)
        chosen = np.where(by_closeness, np.clip(close, 0, len(closeness) - 1), chosen)
    return chosen.astype(np.int32)


def picked(shares: Floats, rolls: Floats) -> Codes:
    """Pick as many labels as there are rolls, each as often as its share says."""
    ends = np.cumsum(shares)
    # What rounding leaves over goes to the last label that has a share.
    last = int(np.flatnonzero(shares)[-1])
    return np.minimum(np.searchsorted(ends, rolls, side="right"), last).astype(np.int32)
