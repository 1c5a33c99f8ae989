"""Dissimilarities between units: what it costs to set two of them side by side.

An empty place in a group costs `empty`, and both parts of a dissimilarity are measured in it
(Mathet, Widlöcher & Métivier 2015, §4.2–4.4):

- position, eq. 3: ``((|Δstart| + |Δend|) / (sum of both lengths))² · empty``;
- label: ``f(distance) · empty``, with any label distance in [0, 1] and f the identity, or the
  paper's steep ``f(x) = −ln(1 − x)·x³⁰ + x``, which forbids aligning totally different labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from unisono.errors import SettingError
from unisono.measures.distances import (
    Distance,
    check_distance,
    distance_matrix,
    distance_signature,
    steep,
)
from unisono.measures.gamma.fitted import Fitted, label_counts
from unisono.measures.settings import check_number
from unisono.model.continuum import Continuum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.measures.gamma.fitted import UnitColumns
    from unisono.model.arrays import Floats
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label
    from unisono.model.unit import Unit

__all__ = [
    "Categorial",
    "Combined",
    "Dissimilarity",
    "OwnDissimilarity",
    "Positional",
    "check_dissimilarity",
    "positional",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Combined:
    """How unlike two units are, in position and in label.

    Parameters
    ----------
    position
        Weight of the positional part, α in the paper; 0 switches it off.
    label
        Weight of the label part, β in the paper; 0 switches it off.
    empty
        What an empty place costs, Δ∅ in the paper. It scales every disorder and moves no
        agreement.
    distance
        Distance between labels: a name (see `unisono.measures.distances`), a `DistanceMatrix`, or
        a function of two labels that gives a number from 0 to 1.
    power
        The power in the positional part, 2 in the paper.
    steep
        Whether totally different labels must never be aligned (the paper's steep f).

    Raises
    ------
    SettingError
        If a weight is negative, both are 0, or the power or the empty cost is not above 0.

    Examples
    --------
    >>> import unisono as un
    >>> dissimilarity = un.Combined(position=3, label=1)
    >>> dissimilarity.of_units(un.Unit("ann", 0, 10, "A"), un.Unit("bob", 0, 5, "B"))
    1.3333333333333333
    """

    position: float = 1.0
    label: float = 1.0
    empty: float = 1.0
    distance: Distance = "nominal"
    power: float = 2.0
    steep: bool = False

    def __post_init__(self) -> None:
        for name in ("position", "label"):
            check_number(name, getattr(self, name), may_be_zero=True)
        for name in ("empty", "power"):
            check_number(name, getattr(self, name), may_be_zero=False)
        if self.position == 0 and self.label == 0:
            msg = "position and label cannot both weigh 0: all units would be alike"
            raise SettingError(msg)
        if not isinstance(self.steep, bool):
            msg = f"steep is True or False, got {self.steep!r}"
            raise TypeError(msg)
        check_distance(self.distance)

    def of_units(self, u: Unit, v: Unit, *, within: Continuum | Corpus | None = None) -> float:
        """Give the dissimilarity of two units.

        Parameters
        ----------
        u, v
            The units.
        within
            The data they belong to, for label distances that are scaled by the data (ordinal,
            interval); by default only the two labels count.

        Returns
        -------
        float
            0 for units alike; infinite when they cannot be aligned.

        Examples
        --------
        >>> import unisono as un
        >>> un.Combined().of_units(un.Unit("ann", 4, 14, "A"), un.Unit("bob", 14, 24, "A"))
        1.0
        """
        pair = Continuum.from_units(
            [("u", u.start, u.end, u.label), ("v", v.start, v.end, v.label)]
        )
        data = pair if within is None else within
        fitted = self.fitted(data.labels, label_counts(data))
        code_u, code_v = (fitted.code(label) for label in (u.label, v.label))
        apart = positional(pair.starts[0], pair.ends[0], pair.starts[1], pair.ends[1], self.power)
        between = float(fitted.table[code_u, code_v])
        # A weight of 0 switches its part off, even where that part is infinite.
        parts = ((self.position, float(apart)), (self.label, between))
        return self.empty * sum(weight * part for weight, part in parts if weight)

    def fitted(self, labels: Sequence[Label | None], counts: Sequence[int]) -> Fitted:
        """Fix the label distances for the labels of the data.

        Parameters
        ----------
        labels
            All labels of the data.
        counts
            How many units have each.

        Returns
        -------
        Fitted
            What the kernel needs, and the line for the signature.

        Examples
        --------
        >>> import unisono as un
        >>> un.Combined(distance="interval").fitted([1, 2, 5], [4, 4, 4]).text
        'combined[pos=1,label=1,empty=1,distance=interval[1..5]]'
        """
        return self._fitted("combined", labels, counts)

    def _fitted(self, kind: str, labels: Sequence[Label | None], counts: Sequence[int]) -> Fitted:
        weights = {"pos": self.position, "label": self.label, "empty": self.empty}
        if kind != "combined":
            weights = {"empty": self.empty}
        settings = [f"{name}={value:.12g}" for name, value in weights.items()]
        settings.append(f"distance={distance_signature(self.distance, labels, counts)}")
        if self.power != 2.0:
            settings.append(f"power={self.power:.12g}")
        if self.steep:
            settings.append("steep")
        is_plain_nominal = self.distance == "nominal" and not self.steep
        if is_plain_nominal:
            table = np.empty((0, 0))
        else:
            table = distance_matrix(labels, self.distance, counts=counts)
            table = steep(table) if self.steep else table
        return Fitted(
            labels=tuple(labels),
            distances=table,
            position=float(self.position),
            label=float(self.label),
            power=float(self.power),
            empty=float(self.empty),
            text=f"{kind}[{','.join(settings)}]",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Positional:
    """How unlike two units are in position alone; labels do not count in the alignment.

    Parameters
    ----------
    empty, power, distance
        As in `Combined`. The label distance serves γcat only.

    Examples
    --------
    >>> import unisono as un
    >>> un.Positional().of_units(un.Unit("ann", 20, 30, "A"), un.Unit("bob", 20, 25, "B"))
    0.1111111111111111
    """

    empty: float = 1.0
    power: float = 2.0
    distance: Distance = "nominal"

    def __post_init__(self) -> None:
        self._combined()

    def of_units(self, u: Unit, v: Unit) -> float:
        """Give the dissimilarity of two units.

        Parameters
        ----------
        u, v
            The units.

        Returns
        -------
        float
            0 for units at the same place; infinite when they cannot be aligned.

        Examples
        --------
        >>> import unisono as un
        >>> un.Positional(empty=2).of_units(un.Unit("ann", 4, 14), un.Unit("bob", 14, 24))
        2.0
        """
        return self._combined().of_units(u, v)

    def fitted(self, labels: Sequence[Label | None], counts: Sequence[int]) -> Fitted:
        """Fix the label distances for the labels of the data, as `Combined.fitted` does.

        Examples
        --------
        >>> import unisono as un
        >>> un.Positional().fitted(["A", "B"], [3, 4]).text
        'positional[empty=1,distance=nominal]'
        """
        return self._combined()._fitted("positional", labels, counts)  # noqa: SLF001 - its own kind

    def _combined(self) -> Combined:
        return Combined(label=0, empty=self.empty, power=self.power, distance=self.distance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Categorial:
    """How unlike two units are in label alone; where they stand does not count in the alignment.

    Parameters
    ----------
    empty, distance, steep
        As in `Combined`.

    Notes
    -----
    Without positions every unit may be aligned with every other, so the cost grows with the square
    of the number of units.

    Examples
    --------
    >>> import unisono as un
    >>> un.Categorial().of_units(un.Unit("ann", 0, 1, "A"), un.Unit("bob", 7, 9, "B"))
    1.0
    """

    empty: float = 1.0
    distance: Distance = "nominal"
    steep: bool = False

    def __post_init__(self) -> None:
        self._combined()

    def of_units(self, u: Unit, v: Unit, *, within: Continuum | Corpus | None = None) -> float:
        """Give the dissimilarity of two units.

        Parameters
        ----------
        u, v
            The units.
        within
            As in `Combined.of_units`.

        Returns
        -------
        float
            0 for the same label.

        Examples
        --------
        >>> import unisono as un
        >>> edit = un.Categorial(distance="edit")
        >>> edit.of_units(un.Unit("ann", 0, 1, "Noun"), un.Unit("bob", 0, 1, "Nouns"))
        0.2
        """
        return self._combined().of_units(u, v, within=within)

    def fitted(self, labels: Sequence[Label | None], counts: Sequence[int]) -> Fitted:
        """Fix the label distances for the labels of the data, as `Combined.fitted` does.

        Examples
        --------
        >>> import unisono as un
        >>> un.Categorial().fitted(["A", "B"], [3, 4]).text
        'categorial[empty=1,distance=nominal]'
        """
        return self._combined()._fitted("categorial", labels, counts)  # noqa: SLF001 - its own kind

    def _combined(self) -> Combined:
        return Combined(position=0, empty=self.empty, distance=self.distance, steep=self.steep)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDissimilarity:
    """A dissimilarity of units that you bring yourself, evaluated on whole columns.

    Parameters
    ----------
    cost
        Takes two `UnitColumns` of equal length and gives an array: the dissimilarity of row i of
        the one and row i of the other, 0 or more, infinite where two units must not be aligned. It
        must be symmetric.
    empty
        What an empty place costs.
    name
        Stands for the function in the signature, which cannot see inside it.
    distance, power
        Label distance and power of eq. 3 for γcat and γk, as in `Combined`.

    Notes
    -----
    Nothing is known about the function, so it is asked about all pairs of units of two annotators:
    the cost grows with the square of the number of units.

    Examples
    --------
    >>> import numpy as np
    >>> import unisono as un
    >>> def start_only(u, v):
    ...     return np.abs(u.starts - v.starts) / 10
    >>> own = un.OwnDissimilarity(cost=start_only, name="start-only")
    >>> text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 2, 9, "B")])
    >>> un.best_alignment(text, dissimilarity=own).disorder
    0.2
    """

    cost: Callable[[UnitColumns, UnitColumns], Floats]
    empty: float = 1.0
    name: str = "own"
    distance: Distance = "nominal"
    power: float = 2.0

    def __post_init__(self) -> None:
        if not callable(self.cost):
            msg = f"cost must be a function of two UnitColumns, got {type(self.cost).__name__}"
            raise TypeError(msg)
        self._combined()

    def fitted(self, labels: Sequence[Label | None], counts: Sequence[int]) -> Fitted:
        """Fix the label distances for the labels of the data, as `Combined.fitted` does.

        Examples
        --------
        >>> import unisono as un
        >>> own = un.OwnDissimilarity(cost=lambda u, v: abs(u.starts - v.starts), name="starts")
        >>> own.fitted(["A", "B"], [3, 4]).text
        'own:starts[empty=1,distance=nominal]'
        """
        fitted = self._combined()._fitted(f"own:{self.name}", labels, counts)  # noqa: SLF001 - its own kind
        return fitted._replace(cost=self.cost)

    def _combined(self) -> Combined:
        return Combined(empty=self.empty, distance=self.distance, power=self.power)


Dissimilarity: TypeAlias = Combined | Positional | Categorial | OwnDissimilarity


def check_dissimilarity(dissimilarity: object) -> None:
    """Refuse what is no dissimilarity, such as the name of a label distance."""
    if not isinstance(dissimilarity, Dissimilarity):
        msg = (
            "dissimilarity is a Combined, Positional, Categorial or OwnDissimilarity, "
            f"got {dissimilarity!r} of type {type(dissimilarity).__name__}"
        )
        raise TypeError(msg)


def positional(
    start_u: Floats | float,
    end_u: Floats | float,
    start_v: Floats | float,
    end_v: Floats | float,
    power: float = 2.0,
) -> Floats:
    """Give d_pos of eq. 3 for columns of units, without the factor of the empty cost."""
    apart = np.abs(np.subtract(start_u, start_v)) + np.abs(np.subtract(end_u, end_v))
    lengths = np.subtract(end_u, start_u) + np.subtract(end_v, start_v)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Two zero-length units: 0 at the same point, otherwise not alignable.
        return np.where(apart == 0.0, 0.0, (apart / lengths) ** power)
