"""What the papers state, and the experiments that check it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.model.continuum import Continuum
from unisono.results.record import InJson
from unisono.results.wording import decimals
from unisono.simulation.error_curves import scan
from unisono.simulation.shuffling.shuffle import generate_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.results.agreement import Signature
    from unisono.simulation.error_curves import MeasureName, Scan
    from unisono.simulation.shuffling.errors import ErrorType

__all__ = [
    "EXPERIMENTS",
    "Claim",
    "Experiment",
    "Reproduction",
    "Size",
    "Verdict",
    "number",
    "run",
    "unknown",
]

Verdict: TypeAlias = Literal["reproduced", "differs", "not reproducible"]


class Claim(NamedTuple):
    """One statement of a paper, beside what we get.

    Examples
    --------
    >>> import unisono as un
    >>> claims = un.reproduce("komen", quick=True).claims
    >>> claims[0].place, claims[0].claim, claims[0].ours, claims[0].verdict
    ('table (2)', 'κ = 0.0909', '0.0909', 'reproduced')
    """

    paper: str
    place: str
    claim: str
    ours: str
    verdict: Verdict
    why: str = ""


def number(
    paper: str,
    place: str,
    name: str,
    printed: float,
    ours: float,
    *,
    tolerance: float,
    places: int = 4,
    why: str = "",
) -> Claim:
    """Compare a printed number with ours."""
    same = math.isfinite(ours) and abs(ours - printed) <= tolerance
    verdict: Verdict = "reproduced" if same else "differs"
    return Claim(paper, place, f"{name} = {printed:g}", decimals(ours, places), verdict, why)


def unknown(paper: str, place: str, claim: str, why: str) -> Claim:
    """Give a claim that nobody can check."""
    return Claim(paper, place, claim, "–", "not reproducible", why)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reproduction(InJson):
    """All claims of some papers, and the curves behind them.

    Attributes
    ----------
    claims
        In the order of the papers.
    experiments, scans
        The experiments with simulated annotators, and the curves of each, by name.
    quick
        Whether they were run with few annotation sets.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.reproduce("passonneau", quick=True)
    >>> found.counts
    {'reproduced': 1, 'differs': 1, 'not reproducible': 1}
    """

    claims: tuple[Claim, ...]
    experiments: Mapping[str, Experiment]
    scans: Mapping[str, Scan]
    quick: bool
    signature: Signature

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many claims have each verdict."""
        counted: dict[Verdict, int] = {"reproduced": 0, "differs": 0, "not reproducible": 0}
        for claim in self.claims:
            counted[claim.verdict] += 1
        return counted

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> un.reproduce("komen", quick=True).to_dict()["claims"][0]["verdict"]
        'reproduced'
        """
        return {
            "quick": self.quick,
            "counts": dict(self.counts),
            "claims": [claim._asdict() for claim in self.claims],
            "scans": {name: scan.to_dict() for name, scan in self.scans.items()},
            "signature": str(self.signature),
        }

    def __str__(self) -> str:
        rows = [("paper", "place", "claim", "ours", "verdict"), *(c[:5] for c in self.claims)]
        widths = [max(len(row[at]) for row in rows) for at in range(5)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join(lines)


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
