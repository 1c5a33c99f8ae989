"""Types of the settings that studies pass on; written by ``make tables``."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.coefficients import MissingPolicy
    from unisono.model.labels import Label

__all__ = ["ItemSettings"]


class ItemSettings(TypedDict, total=False):
    """Settings that are passed on to measures.

    By `bootstrap`, `bootstrap_values`, `permutation_test`, `compare_policies`, `plan_items`.
    """

    by_label: bool | None
    by_pair: bool | None
    categories: int | None
    distance: str | DistanceMatrix | Callable[[Label, Label], float]
    missing: MissingPolicy
    order: Sequence[Label] | None
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None
