"""Types of the settings that studies pass on; written by ``make tables``."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from concurrent.futures import Executor

    import numpy as np

    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.documents import OnError
    from unisono.parallel.checkpoint import Part

__all__ = ["AdviceSettings", "DiagnosisSettings", "PairwiseSettings", "PlanSettings"]


class AdviceSettings(TypedDict, total=False):
    """Settings that are passed on to measures.

    By `advise`.
    """

    chance: Chance
    chance_from: Iterable[str] | None
    checkpoint: str | os.PathLike[str] | Part | None
    confidence: float
    draws: int | None
    gap_tolerance: float
    on_error: OnError
    precision: float | None
    rng: int | np.random.Generator | None
    soft: bool
    time_limit: float | None


class DiagnosisSettings(TypedDict, total=False):
    """Settings that are passed on to measures.

    By `diagnose`.
    """

    chance: Chance
    chance_from: Iterable[str] | None
    checkpoint: str | os.PathLike[str] | Part | None
    confidence: float
    draws: int | None
    executor: Executor | None
    gap_tolerance: float
    on_error: OnError
    precision: float | None
    progress: Callable[[int, int], None] | None
    rng: int | np.random.Generator | None
    soft: bool
    time_limit: float | None
    workers: int | None


class PairwiseSettings(TypedDict, total=False):
    """Settings that are passed on to measures.

    By `pairwise_agreement`.
    """

    chance: Chance
    chance_from: Iterable[str] | None
    checkpoint: str | os.PathLike[str] | Part | None
    confidence: float
    dissimilarity: Dissimilarity | None
    draws: int | None
    executor: Executor | None
    gap_tolerance: float
    on_error: OnError
    precision: float | None
    soft: bool
    time_limit: float | None
    workers: int | None


class PlanSettings(TypedDict, total=False):
    """Settings that are passed on to measures.

    By `plan_documents`.
    """

    chance: Chance
    chance_from: Iterable[str] | None
    checkpoint: str | os.PathLike[str] | Part | None
    dissimilarity: Dissimilarity | None
    draws: int | None
    executor: Executor | None
    gap_tolerance: float
    on_error: OnError
    precision: float | None
    progress: Callable[[int, int], None] | None
    soft: bool
    time_limit: float | None
    workers: int | None
