"""Dissimilarities of two units: positional, categorical, combined and custom."""

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
    split_parameter,
    steep,
)
from unisono.model.continuum import Continuum
from unisono.model.corpus import units_by_label
from unisono.registry import check_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Floats
    from unisono.model.continuum import Unit
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label

__all__ = [
    "CategoricalDissimilarity",
    "CombinedDissimilarity",
    "CustomDissimilarity",
    "Dissimilarity",
    "DissimilarityParameters",
    "Fitted",
    "PositionalDissimilarity",
    "Shape",
    "UnitColumns",
    "check_dissimilarity",
    "label_counts",
    "pair_costs",
    "positional",
    "refuse_checkpoint",
]


Shape: TypeAlias = Literal["bounds", "intersection"]
"""The positional part: eq. 3 of the paper, or 1 − intersection/union."""


class UnitColumns(NamedTuple):
    """Units as columns, the input of a custom dissimilarity: row i of each column is one unit.

    `label_codes` are indices into `labels`.

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
    """The weights of a dissimilarity as keyword arguments of the kernel."""

    label_count: int
    position: float
    label: float
    power: float


class DissimilarityParameters(NamedTuple):
    """The parameters of a dissimilarity; by default those of ``CombinedDissimilarity()``.

    Attributes
    ----------
    kind
        The class: ``"combined"``, ``"positional"``, ``"categorical"`` or ``"custom"``.
    name
        The name of a custom dissimilarity; empty for the other kinds.
    position, label, empty, power, steep
        As in `CombinedDissimilarity`; for a custom dissimilarity they apply to γcat only.
    distance
        The distance of labels.
    distance_signature
        The distance of labels with all parameters that affect its values, as in signatures.
    shape
        As in `CombinedDissimilarity`.
    """

    kind: Literal["combined", "positional", "categorical", "custom"] = "combined"
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
        """The power as passed to the kernel: 0 means 1 − intersection/union."""
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
        kind = f"custom:{self.name}" if self.kind == "custom" else self.kind
        return f"{kind}[{','.join(settings)}]"


class Fitted(NamedTuple):
    """A dissimilarity with its label distances computed for the labels of the data."""

    labels: tuple[Label | None, ...]
    distances: Floats
    """Labels × labels, after f of the paper; empty for the nominal distance."""
    parameters: DissimilarityParameters
    cost: Callable[[UnitColumns, UnitColumns], Floats] | None = None
    """A custom dissimilarity; the weights of the parameters then apply to γcat only."""

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
        """The power of the positional part; 0 means 1 − intersection/union."""
        return self.parameters.exponent

    @property
    def empty(self) -> float:
        """The cost of an empty unit."""
        return self.parameters.empty

    @property
    def text(self) -> str:
        """The parameters as one line for signatures."""
        return self.parameters.text

    @property
    def weights(self) -> KernelWeights:
        """The weights as keyword arguments of the kernel."""
        return {
            "label_count": len(self.labels),
            "position": self.position,
            "label": self.label,
            "power": self.power,
        }

    @property
    def table(self) -> Floats:
        """The full matrix of label distances, including nominal ones."""
        if self.distances.size:
            return self.distances
        return 1.0 - np.eye(len(self.labels))

    def code(self, label: Label | None) -> int:
        """Return the code of a label of the data."""
        try:
            return self.labels.index(label)
        except ValueError:
            msg = f"the data given as within= have no unit with the label {label!r}"
            raise DataError(msg) from None

    def for_labels(self, labels: Sequence[Label | None]) -> Fitted:
        """Return the dissimilarity for a subset of the labels, in the given order."""
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
    return list(units_by_label(data).values())


def pair_costs(fitted: Fitted, u: UnitColumns, v: UnitColumns) -> Floats:
    """Evaluate a custom dissimilarity and check its result; scaled by the cost of an empty unit."""
    if fitted.cost is None:
        msg = "pair_costs needs a custom dissimilarity"
        raise TypeError(msg)
    answer = fitted.cost(u, v)
    try:
        costs = np.asarray(answer).astype(np.float64, casting="same_kind")
    except (TypeError, ValueError):
        msg = f"a custom dissimilarity must return an array of numbers, got {answer!r}"
        raise DataError(msg) from None
    if costs.shape != u.starts.shape:
        msg = (
            f"a custom dissimilarity must return one cost per pair, {len(u.starts)} in all; "
            f"got an array of shape {costs.shape}"
        )
        raise DataError(msg)
    bad = np.flatnonzero(~(costs >= 0.0))
    if bad.size:
        at = bad[0]
        units = (
            f"[{u.starts[at]}, {u.ends[at]}, {u.labels[u.label_codes[at]]!r}] and "
            f"[{v.starts[at]}, {v.ends[at]}, {v.labels[v.label_codes[at]]!r}]"
        )
        msg = f"a custom dissimilarity must be 0 or more, got {costs[at]} for {units}"
        raise DataError(msg)
    return costs / fitted.empty


def _distance_name(distance: Distance) -> str:
    if isinstance(distance, DistanceMatrix):
        return "matrix"
    return split_parameter(distance)[0] if isinstance(distance, str) else name_of(distance)


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedDissimilarity:
    """The dissimilarity of two units in position and in label.

    Parameters
    ----------
    position
        Weight of the positional part, α in the paper; 0 switches it off.
    label
        Weight of the label part, β in the paper; 0 switches it off.
    empty
        Cost of an empty unit, Δ∅ in the paper. It scales all disorders and does not affect
        agreement.
    distance
        Distance between labels: a name such as ``"ordinal"``, a `DistanceMatrix`, or a function of
        two labels that returns a number from 0 to 1.
    power
        Exponent of the positional part, 2 in the paper.
    steep
        Whether units with labels at distance 1 must not be aligned (the steep f of the paper).
    shape
        The positional part: ``"bounds"`` is eq. 3 of the paper, ``"intersection"`` is
        1 − intersection/union, which gives the printed numbers of its Figure 19. The positional
        part of units that do not intersect is then 1 at any distance: two of them cost less
        together than separately, so all pairs of units have to be compared.

    Raises
    ------
    SettingError
        If a weight is negative, both are 0, the power or the empty cost is not above 0, or there is
        a power for a shape that has none.

    Examples
    --------
    >>> import unisono as un
    >>> dissimilarity = un.CombinedDissimilarity(position=3, label=1)
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
            msg = (
                f"{setting('position')} and {setting('label')} cannot both be 0, because all units "
                "would be equal"
            )
            raise SettingError(msg)
        check_distance(self.distance)

    def of_units(self, u: Unit, v: Unit, *, within: Continuum | Corpus | None = None) -> float:
        """Return the dissimilarity of two units.

        Parameters
        ----------
        u, v
            The units.
        within
            The data to which the units belong, for label distances that depend on all labels of
            the data (ordinal, interval); by default only the two labels are considered.

        Returns
        -------
        float
            0 for equal units; infinite if they cannot be aligned.

        Examples
        --------
        >>> import unisono as un
        >>> un.CombinedDissimilarity().of_units(
        ...     un.Unit("ann", 4, 14, "A"), un.Unit("bob", 14, 24, "A")
        ... )
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
        # A weight of 0 disables its part, even if that part is infinite.
        parts = ((self.position, float(apart)), (self.label, between))
        return self.empty * sum(weight * part for weight, part in parts if weight)

    def fitted(self, labels: Sequence[Label | None], counts: Sequence[int]) -> Fitted:
        """Compute the label distances for the labels of the data.

        Parameters
        ----------
        labels
            All labels of the data.
        counts
            The number of units of each label.

        Returns
        -------
        Fitted
            The dissimilarity for the kernel and for the signature.

        Examples
        --------
        >>> import unisono as un
        >>> un.CombinedDissimilarity(distance="interval").fitted([1, 2, 5], [4, 4, 4]).text
        'combined[pos=1,label=1,empty=1,distance=interval[1..5]]'
        """
        return self._fitted("combined", labels, counts)

    def _fitted(
        self,
        kind: Literal["combined", "positional", "categorical", "custom"],
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
class PositionalDissimilarity:
    """The dissimilarity of two units in position only; labels do not affect the alignment.

    Parameters
    ----------
    empty, power, distance, shape
        As in `CombinedDissimilarity`. The label distance applies to γcat only.

    Examples
    --------
    >>> import unisono as un
    >>> un.PositionalDissimilarity().of_units(
    ...     un.Unit("ann", 20, 30, "A"), un.Unit("bob", 20, 25, "B")
    ... )
    0.1111111111111111
    """

    empty: float = 1.0
    power: float = 2.0
    distance: Distance = "nominal"
    shape: Shape = "bounds"

    def __post_init__(self) -> None:
        self._combined()

    def of_units(self, u: Unit, v: Unit) -> float:
        """Return the dissimilarity of two units.

        Parameters
        ----------
        u, v
            The units.

        Returns
        -------
        float
            0 for units at the same position; infinite if they cannot be aligned.

        Examples
        --------
        >>> import unisono as un
        >>> un.PositionalDissimilarity(empty=2).of_units(
        ...     un.Unit("ann", 4, 14), un.Unit("bob", 14, 24)
        ... )
        2.0
        """
        return self._combined().of_units(u, v)

    def fitted(self, labels: Sequence[Label | None], counts: Sequence[int]) -> Fitted:
        """Compute the label distances of the data; see `CombinedDissimilarity.fitted`.

        Examples
        --------
        >>> import unisono as un
        >>> un.PositionalDissimilarity().fitted(["A", "B"], [3, 4]).text
        'positional[empty=1,distance=nominal]'
        """
        return self._combined()._fitted("positional", labels, counts)  # noqa: SLF001 - its own kind

    def _combined(self) -> CombinedDissimilarity:
        return CombinedDissimilarity(
            label=0,
            empty=self.empty,
            power=self.power,
            distance=self.distance,
            shape=self.shape,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoricalDissimilarity:
    """The dissimilarity of two units in label only; positions do not affect the alignment.

    Parameters
    ----------
    empty, distance, steep
        As in `CombinedDissimilarity`.

    Notes
    -----
    Without positions all pairs of units have to be compared, so the computing time grows with the
    square of the number of units.

    Examples
    --------
    >>> import unisono as un
    >>> un.CategoricalDissimilarity().of_units(un.Unit("ann", 0, 1, "A"), un.Unit("bob", 7, 9, "B"))
    1.0
    """

    empty: float = 1.0
    distance: Distance = "nominal"
    steep: bool = False

    def __post_init__(self) -> None:
        self._combined()

    def of_units(self, u: Unit, v: Unit, *, within: Continuum | Corpus | None = None) -> float:
        """Return the dissimilarity of two units.

        Parameters
        ----------
        u, v
            The units.
        within
            As in `CombinedDissimilarity.of_units`.

        Returns
        -------
        float
            0 for equal labels.

        Examples
        --------
        >>> import unisono as un
        >>> edit = un.CategoricalDissimilarity(distance="edit")
        >>> edit.of_units(un.Unit("ann", 0, 1, "Noun"), un.Unit("bob", 0, 1, "Nouns"))
        0.2
        """
        return self._combined().of_units(u, v, within=within)

    def fitted(self, labels: Sequence[Label | None], counts: Sequence[int]) -> Fitted:
        """Compute the label distances of the data; see `CombinedDissimilarity.fitted`.

        Examples
        --------
        >>> import unisono as un
        >>> un.CategoricalDissimilarity().fitted(["A", "B"], [3, 4]).text
        'categorical[empty=1,distance=nominal]'
        """
        return self._combined()._fitted("categorical", labels, counts)  # noqa: SLF001 - its own kind

    def _combined(self) -> CombinedDissimilarity:
        return CombinedDissimilarity(
            position=0, empty=self.empty, distance=self.distance, steep=self.steep
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomDissimilarity:
    """A custom dissimilarity of units: a function that is evaluated on whole columns.

    Parameters
    ----------
    cost
        A function of two `UnitColumns` of equal length that returns an array: entry i is the
        dissimilarity of row i of the first and row i of the second, 0 or more, and infinite if the
        two units must not be aligned. It must be symmetric, and each entry must depend on its own
        two units only.
    empty
        Cost of an empty unit.
    name
        A name that identifies the function in signatures.
    distance, power
        Label distance and exponent of eq. 3 for γcat and γk, as in `CombinedDissimilarity`.

    Notes
    -----
    The function is evaluated for all pairs of units of two annotators, so the computing time grows
    with the square of the number of units. Pairs of several documents, or of several draws, are
    evaluated in one call.

    Examples
    --------
    >>> import numpy as np
    >>> import unisono as un
    >>> def start_only(u, v):
    ...     return np.abs(u.starts - v.starts) / 10
    >>> own = un.CustomDissimilarity(cost=start_only, name="start-only")
    >>> text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 2, 9, "B")])
    >>> un.best_alignment(text, dissimilarity=own).disorder
    0.2
    """

    cost: Callable[[UnitColumns, UnitColumns], Floats]
    empty: float = 1.0
    name: str = "custom"
    distance: Distance = "nominal"
    power: float = 2.0

    def __post_init__(self) -> None:
        if not callable(self.cost):
            msg = f"cost must be a function of two UnitColumns, got {type(self.cost).__name__}"
            raise TypeError(msg)
        self._combined()

    def fitted(self, labels: Sequence[Label | None], counts: Sequence[int]) -> Fitted:
        """Compute the label distances of the data; see `CombinedDissimilarity.fitted`.

        Examples
        --------
        >>> import unisono as un
        >>> own = un.CustomDissimilarity(cost=lambda u, v: abs(u.starts - v.starts), name="starts")
        >>> own.fitted(["A", "B"], [3, 4]).text
        'custom:starts[empty=1,distance=nominal]'
        """
        fitted = self._combined()._fitted("custom", labels, counts, name=self.name)  # noqa: SLF001 - its own kind
        return fitted._replace(cost=self.cost)

    def _combined(self) -> CombinedDissimilarity:
        return CombinedDissimilarity(empty=self.empty, distance=self.distance, power=self.power)


Dissimilarity: TypeAlias = (
    CombinedDissimilarity | PositionalDissimilarity | CategoricalDissimilarity | CustomDissimilarity
)


def check_dissimilarity(dissimilarity: object) -> None:
    """Raise an error for any other object, such as the name of a label distance."""
    if not isinstance(dissimilarity, Dissimilarity):
        msg = (
            "dissimilarity must be a CombinedDissimilarity, PositionalDissimilarity, "
            "CategoricalDissimilarity or CustomDissimilarity, "
            f"got {dissimilarity!r} of type {type(dissimilarity).__name__}"
        )
        raise TypeError(msg)


def refuse_checkpoint(fitted: Fitted) -> None:
    """Raise an error for a custom dissimilarity, which a checkpoint cannot identify."""
    if fitted.cost is not None:
        msg = (
            "checkpoint= cannot be combined with a custom dissimilarity: its code may "
            "change between runs; omit one of them"
        )
        raise SettingError(msg)


def positional(
    start_u: Floats | float,
    end_u: Floats | float,
    start_v: Floats | float,
    end_v: Floats | float,
    power: float = 2.0,
) -> Floats:
    """Return d_pos for columns of units, without the factor Δ∅.

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
