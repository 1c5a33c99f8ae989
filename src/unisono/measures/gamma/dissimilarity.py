"""Dissimilarity of two units: positional, categorial, combined and custom, and its costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypedDict

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import (
    Distance,
    check_distance,
    distance_matrix,
    distance_signature,
    name_of,
    parted,
    steep,
)
from unisono.model.continuum import Continuum
from unisono.registry import check_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Floats
    from unisono.model.continuum import Unit
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label

__all__ = [
    "Categorial",
    "Combined",
    "Dissimilarity",
    "DissimilarityParameters",
    "Fitted",
    "OwnDissimilarity",
    "Positional",
    "Shape",
    "UnitColumns",
    "check_dissimilarity",
    "label_counts",
    "pair_costs",
    "positional",
]


Shape: TypeAlias = Literal["bounds", "intersection"]
"""The positional part: eq. 3 of the paper, or 1 − intersection/union."""


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


class DissimilarityParameters(NamedTuple):
    """The parameters of a dissimilarity; by default those of ``Combined()``.

    Attributes
    ----------
    kind
        The class: ``"combined"``, ``"positional"``, ``"categorial"`` or ``"own"``.
    name
        The name of an own dissimilarity; empty for the others.
    position, label, empty, power, steep
        As in `Combined`; the weights of an own dissimilarity are those of γcat.
    distance
        The distance of labels.
    distance_signature
        The distance of labels with everything that can change its values, as in signatures.
    shape
        As in `Combined`.
    """

    kind: Literal["combined", "positional", "categorial", "own"] = "combined"
    name: str = ""
    position: float = 1.0
    label: float = 1.0
    empty: float = 1.0
    power: float = 2.0
    steep: bool = False
    distance: str = "nominal"
    distance_signature: str = "nominal"
    shape: Shape = "bounds"

    @property
    def exponent(self) -> float:
        """The power as the kernel takes it: 0 stands for 1 − intersection/union."""
        return 0.0 if self.shape == "intersection" else self.power

    @property
    def text(self) -> str:
        """The parameters as one line for signatures."""
        weights = {"pos": self.position, "label": self.label} if self.kind == "combined" else {}
        settings = [
            f"{name}={each:.12g}" for name, each in {**weights, "empty": self.empty}.items()
        ]
        settings.append(f"distance={self.distance_signature}")
        if self.power != 2.0:
            settings.append(f"power={self.power:.12g}")
        if self.shape != "bounds":
            settings.append(f"shape={self.shape}")
        if self.steep:
            settings.append("steep")
        kind = f"own:{self.name}" if self.kind == "own" else self.kind
        return f"{kind}[{','.join(settings)}]"


class Fitted(NamedTuple):
    """A dissimilarity with its label distances fixed for the labels of the data."""

    labels: tuple[Label | None, ...]
    distances: Floats
    """After f, a row and a column a label; without any row: nominal."""
    parameters: DissimilarityParameters
    cost: Callable[[UnitColumns, UnitColumns], Floats] | None = None
    """A user's own dissimilarity; the weights of the parameters then serve γcat only."""

    @property
    def position(self) -> float:
        """The weight of the positional part."""
        return self.parameters.position

    @property
    def label(self) -> float:
        """The weight of the label part."""
        return self.parameters.label

    @property
    def power(self) -> float:
        """The power of the positional part; 0 stands for 1 − intersection/union."""
        return self.parameters.exponent

    @property
    def empty(self) -> float:
        """The cost of an empty place."""
        return self.parameters.empty

    @property
    def text(self) -> str:
        """The line for the signature."""
        return self.parameters.text

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


def _distance_name(distance: Distance) -> str:
    if isinstance(distance, DistanceMatrix):
        return "matrix"
    return parted(distance)[0] if isinstance(distance, str) else name_of(distance)


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
    shape
        The positional part: ``"bounds"`` is eq. 3 of the paper, ``"intersection"`` is
        1 − intersection/union, which gives the printed numbers of its Figure 19. Units that do not
        intersect then differ by 1, however far apart they are: two of them cost less together than
        alone, so all pairs of units must be compared.

    Raises
    ------
    SettingError
        If a weight is negative, both are 0, the power or the empty cost is not above 0, or there is
        a power for a shape that has none.

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
    shape: Shape = "bounds"

    def __post_init__(self) -> None:
        for name in ("position", "label", "empty", "power", "steep", "shape"):
            check_setting(name, getattr(self, name))
        if self.shape == "intersection" and self.power != 2.0:
            msg = (
                f"{setting('power')} applies to {setting('shape', 'bounds')} only; "
                f"got {self.power:g} with {setting('shape', 'intersection')}"
            )
            raise SettingError(msg)
        if self.position == 0 and self.label == 0:
            msg = "position and label cannot both weigh 0: all units would be alike"
            raise SettingError(msg)
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
        apart = positional(pair.starts[0], pair.ends[0], pair.starts[1], pair.ends[1], fitted.power)
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

    def _fitted(
        self,
        kind: Literal["combined", "positional", "categorial", "own"],
        labels: Sequence[Label | None],
        counts: Sequence[int],
        *,
        name: str = "",
    ) -> Fitted:
        is_plain_nominal = self.distance == "nominal" and not self.steep
        if is_plain_nominal:
            table = np.empty((0, 0))
        else:
            table = distance_matrix(labels, self.distance, counts=counts)
            table = steep(table) if self.steep else table
        return Fitted(
            labels=tuple(labels),
            distances=table,
            parameters=DissimilarityParameters(
                kind=kind,
                name=name,
                position=float(self.position),
                label=float(self.label),
                empty=float(self.empty),
                power=float(self.power),
                steep=self.steep,
                shape=self.shape,
                distance=_distance_name(self.distance),
                distance_signature=distance_signature(self.distance, labels, counts),
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Positional:
    """How unlike two units are in position alone; labels do not count in the alignment.

    Parameters
    ----------
    empty, power, distance, shape
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
    shape: Shape = "bounds"

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
        return Combined(
            label=0,
            empty=self.empty,
            power=self.power,
            distance=self.distance,
            shape=self.shape,
        )


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
        fitted = self._combined()._fitted("own", labels, counts, name=self.name)  # noqa: SLF001 - its own kind
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
    """Return d_pos for columns of units, without the factor of the empty cost.

    Eq. 3 of the paper; for a power of 0, 1 − intersection/union.
    """
    apart = np.abs(np.subtract(start_u, start_v)) + np.abs(np.subtract(end_u, end_v))
    lengths = np.subtract(end_u, start_u) + np.subtract(end_v, start_v)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = apart / lengths
        # With r < 1 for units that intersect, 1 − intersection/union = 2r/(1 + r).
        part = (
            np.where(ratio < 1.0, 2.0 * ratio / (1.0 + ratio), 1.0) if not power else ratio**power
        )
        # Two zero-length units: 0 at the same point, otherwise not alignable.
        return np.where(apart == 0.0, 0.0, np.where(lengths == 0.0, np.inf, part))
