"""The papers' experiments with simulated annotators: what is made worse, and what is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.model.continuum import Continuum
from unisono.simulation.error_curves import scan
from unisono.simulation.shuffling.generating import generate_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.simulation.curves import Scan
    from unisono.simulation.named_measures import MeasureName
    from unisono.simulation.shuffling.error_types import ErrorType

__all__ = ["EXPERIMENTS", "Experiment", "Size", "run"]

_MEASURES_2015: tuple[MeasureName, ...] = (
    "gamma",
    "u_alpha_2013",
    "cu_alpha",
    "kappa_d",
    "slot_error_rate",
)
_MEASURES_2017: tuple[MeasureName, ...] = ("gamma", "gamma_cat", "cu_alpha")
_UNITS = 30
_ANNOTATORS = 3


class Experiment(NamedTuple):
    """One picture of a paper."""

    paper: str
    title: str
    errors: tuple[ErrorType, ...]
    measures: tuple[MeasureName, ...]
    reference: Callable[[int], Continuum]
    settings: Mapping[str, Any]


class Size(NamedTuple):
    """How much is simulated."""

    magnitudes: tuple[float, ...]
    repeats: int

    @classmethod
    def of(cls, *, quick: bool) -> Size:
        """Give the papers' size, 40 sets at steps of 0.05, or a small one."""
        if quick:
            return cls((0.0, 0.05, *(step / 10.0 for step in range(1, 11))), 12)
        return cls(tuple(step / 20.0 for step in range(21)), 40)


def _units(seed: int) -> Continuum:
    return generate_reference(_UNITS, rng=seed)


def _segments(seed: int) -> Continuum:
    return generate_reference(_UNITS, labels=("segment",), gaps=(0.0, 0.0), rng=seed)


def _with_d(length: float) -> Callable[[int], Continuum]:
    """Make a reference with ten units of each label, those of D longer or not."""

    def reference(seed: int) -> Continuum:
        del seed
        labels = list("ABCD" * 10)
        sizes = np.array([length if label == "D" else 5.0 for label in labels])
        ends = np.cumsum(sizes + 3.0)
        return Continuum.from_columns(
            ["reference"] * len(labels), ends - sizes, ends, labels, extent=(0.0, ends[-1] + 3.0)
        )

    return reference


def _apart(**more: object) -> dict[str, Any]:
    return {"overlap": False, **more}


EXPERIMENTS: dict[str, Experiment] = {
    "Figure 24": Experiment(
        "2015",
        "segmentation, moved boundaries",
        ("position",),
        ("gamma", "window_diff", "generalized_hamming"),
        _segments,
        _apart(),
    ),
    "Figure 25": Experiment("2015", "labels only", ("category",), _MEASURES_2015, _units, _apart()),
    "Figure 26a": Experiment(
        "2015", "positions only", ("position",), _MEASURES_2015, _units, _apart()
    ),
    "Figure 26b": Experiment(
        "2015", "positions and labels", ("position", "category"), _MEASURES_2015, _units, _apart()
    ),
    "Figure 27": Experiment("2015", "splits", ("split",), _MEASURES_2015, _units, _apart()),
    "Figure 28": Experiment(
        "2015", "false negatives", ("false_negative",), _MEASURES_2015, _units, _apart()
    ),
    "Figure 29": Experiment(
        "2015", "false positives", ("false_positive",), _MEASURES_2015, _units, _apart()
    ),
    "Figure 30": Experiment(
        "2015",
        "positions and false positives, with overlap",
        ("position", "false_positive"),
        ("gamma",),
        _units,
        {"overlap": True},
    ),
    "Figure 30, without overlap": Experiment(
        "2015",
        "positions and false positives, without overlap",
        ("position", "false_positive"),
        ("gamma",),
        _units,
        _apart(),
    ),
    "Figure 11": Experiment(
        "2017", "positions only", ("position",), _MEASURES_2017, _units, _apart()
    ),
    "§5.4": Experiment(
        "2017", "false negatives", ("false_negative",), _MEASURES_2017, _units, _apart()
    ),
    "Figure 12": Experiment("2017", "labels only", ("category",), _MEASURES_2017, _units, _apart()),
    "Figure 13": Experiment(
        "2017", "positions and labels", ("position", "category"), _MEASURES_2017, _units, _apart()
    ),
    "Figure 14, D as long as others": Experiment(
        "2017",
        "labels only, D never mistaken and 5 long",
        ("category",),
        ("gamma_cat", "cu_alpha"),
        _with_d(5.0),
        _apart(certain=("D",)),
    ),
    "Figure 14, D four times as long": Experiment(
        "2017",
        "labels only, D never mistaken and 20 long",
        ("category",),
        ("gamma_cat", "cu_alpha"),
        _with_d(20.0),
        _apart(certain=("D",)),
    ),
    "Figure 15": Experiment(
        "2017",
        "labels only, D never mistaken: γk",
        ("category",),
        ("gamma_cat", "gamma_k"),
        _with_d(5.0),
        _apart(certain=("D",)),
    ),
}


def run(
    experiment: Experiment,
    size: Size,
    seed: int,
    *,
    workers: int | None,
    progress: Callable[[int, int], None] | None,
) -> Scan:
    """Run one experiment."""
    return scan(
        experiment.reference(seed),
        errors=experiment.errors,
        measures=experiment.measures,
        magnitudes=size.magnitudes,
        repeats=size.repeats,
        annotators=_ANNOTATORS,
        rng=seed,
        workers=workers,
        progress=progress,
        **experiment.settings,
    )
