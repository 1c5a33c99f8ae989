"""Types of the settings that studies pass on; written by ``make tables``."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.documents import OnError
    from unisono.measures.items.coefficients import MissingPolicy
    from unisono.measures.segmentation.windows import Convention
    from unisono.measures.unitizing.alphas import Generation
    from unisono.model.labels import Label
    from unisono.parallel.checkpoint import Part
    from unisono.simulation.shuffling.errors import Closeness, Habits, Prevalence

__all__ = ["CurveSettings"]


class CurveSettings(TypedDict, total=False):
    """Settings that are passed on to measures.

    By `error_curves`.
    """

    by_document: bool | None
    by_label: bool | None
    by_pair: bool | None
    categories: int | None
    certain: Iterable[Label]
    chance: Chance
    chance_from: Iterable[str] | None
    checkpoint: str | os.PathLike[str] | Part | None
    closeness: Closeness
    convention: Convention
    deletion: float
    distance: str | DistanceMatrix | Callable[[Label, Label], float]
    false_positive_factor: float
    gap_tolerance: float
    generation: Generation
    habits: Habits | None
    insertion: float
    magnitude: float
    missing: MissingPolicy
    near: int
    on_error: OnError
    order: Sequence[Label] | None
    overlap: bool
    position_factor: float
    precision: float | None
    prevalence: Prevalence
    shift: float
    soft: bool
    split_cap: float
    time_limit: float | None
    tolerance: float
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None
    window: int | None
