"""Claims of the papers, and the experiments that check them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.model.continuum import Continuum
from unisono.results.record import Record, record
from unisono.results.render import Sheeted
from unisono.results.sheet import Sheet, Table, columns
from unisono.results.wording import decimals
from unisono.simulation.error_curves import error_curves
from unisono.simulation.shuffling.shuffle import generate_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.results.values import Signature
    from unisono.simulation.error_curves import ErrorCurves
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
    """One statement of a paper with our value and a verdict.

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
    """Return a claim that compares a printed number with ours."""
    same = math.isfinite(ours) and abs(ours - printed) <= tolerance
    verdict: Verdict = "reproduced" if same else "differs"
    return Claim(paper, place, f"{name} = {printed:g}", decimals(ours, places), verdict, why)


def unknown(paper: str, place: str, claim: str, why: str) -> Claim:
    """Return a claim that cannot be checked."""
    return Claim(paper, place, claim, "–", "not reproducible", why)


@record
class Reproduction(Record, Sheeted):
    """All claims of one or more papers, and the curves they are checked on.

    Attributes
    ----------
    claims
        All claims, in the order of the papers.
    experiments, scans
        The experiments with simulated annotators, and the curves of each, by name.
    quick
        Whether few annotation sets were simulated.
    signature
        All settings that affect a number.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.reproduce("passonneau", quick=True)
    >>> found.counts
    {'reproduced': 1, 'differs': 1, 'not reproducible': 1}
    """

    claims: tuple[Claim, ...]
    experiments: Mapping[str, Experiment]
    scans: Mapping[str, ErrorCurves]
    quick: bool
    signature: Signature

    summary = ("claims",)
    computed = ("counts",)
    excluded = ("experiments",)

    @property
    def counts(self) -> dict[Verdict, int]:
        """Number of claims per verdict."""
        counted: dict[Verdict, int] = {"reproduced": 0, "differs": 0, "not reproducible": 0}
        for claim in self.claims:
            counted[claim.verdict] += 1
        return counted

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the claims, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> sheet = un.reproduce("passonneau").sheet()
        >>> sheet.findings, [table.title for table in sheet.tables if table.people]
        (('1 reproduced, 1 differs, 1 not reproducible',), ['Passonneau 2006'])
        """
        by_paper: dict[str, list[Claim]] = {}
        for claim in self.claims:
            by_paper.setdefault(claim.paper, []).append(claim)
        tables = [
            Table(
                name="paper",
                title=paper,
                columns=columns("place claim ours verdict"),
                rows=[claim[1:5] for claim in claims],
                programs=False,
            )
            for paper, claims in by_paper.items()
        ]
        every = Table(
            name="claim",
            columns=columns("paper place claim ours verdict why"),
            rows=self.claims,
            people=False,
        )
        return Sheet(
            name="reproduction",
            title=title,
            findings=(", ".join(f"{number} {verdict}" for verdict, number in self.counts.items()),),
            tables=(*tables, every),
            signatures=(self.signature,),
        )


_MEASURES_2015: tuple[str, ...] = (
    "gamma",
    "u_alpha",
    "u_alpha_coding",
    "kappa_d",
    "slot_error_agreement",
)
_MEASURES_2017: tuple[str, ...] = ("gamma", "gamma_cat", "u_alpha_coding")
_UNITS = 30
_ANNOTATORS = 3


class Experiment(NamedTuple):
    """The simulation behind one figure of a paper."""

    paper: str
    title: str
    errors: tuple[ErrorType, ...]
    measures: tuple[str, ...]
    reference: Callable[[int], Continuum]
    settings: Mapping[str, Any]


class Size(NamedTuple):
    """The magnitudes and the number of annotation sets per magnitude."""

    magnitudes: tuple[float, ...]
    repeats: int

    @classmethod
    def of(cls, *, quick: bool) -> Size:
        """Return the size of the papers, 40 sets at steps of 0.05, or a smaller one."""
        if quick:
            return cls((0.0, 0.05, *(step / 10.0 for step in range(1, 11))), 12)
        return cls(tuple(step / 20.0 for step in range(21)), 40)


def _units(seed: int) -> Continuum:
    return generate_reference(_UNITS, rng=seed)


def _segments(seed: int) -> Continuum:
    return generate_reference(_UNITS, labels=("segment",), gaps=(0.0, 0.0), rng=seed)


def _with_d(length: float) -> Callable[[int], Continuum]:
    """Return a function that builds a reference with ten units per label; D has its own length."""

    def reference(seed: int) -> Continuum:
        del seed
        labels = list("ABCD" * 10)
        sizes = np.array([length if label == "D" else 5.0 for label in labels])
        ends = np.cumsum(sizes + 3.0)
        return Continuum.from_columns(
            ["reference"] * len(labels), ends - sizes, ends, labels, extent=(0.0, ends[-1] + 3.0)
        )

    return reference


def _without_overlap(**more: object) -> dict[str, Any]:
    return {"overlap": False, **more}


# The uα of the paper.
_PAPER_2015 = _without_overlap(generation="2013")

EXPERIMENTS: dict[str, Experiment] = {
    "Figure 24": Experiment(
        "2015",
        "segmentation, moved boundaries",
        ("position",),
        ("gamma", "window_diff", "generalized_hamming"),
        _segments,
        _without_overlap(),
    ),
    "Figure 25": Experiment(
        "2015", "labels only", ("category",), _MEASURES_2015, _units, _PAPER_2015
    ),
    "Figure 26a": Experiment(
        "2015", "positions only", ("position",), _MEASURES_2015, _units, _PAPER_2015
    ),
    "Figure 26b": Experiment(
        "2015",
        "positions and labels",
        ("position", "category"),
        _MEASURES_2015,
        _units,
        _PAPER_2015,
    ),
    "Figure 27": Experiment("2015", "splits", ("split",), _MEASURES_2015, _units, _PAPER_2015),
    "Figure 28": Experiment(
        "2015", "false negatives", ("false_negative",), _MEASURES_2015, _units, _PAPER_2015
    ),
    "Figure 29": Experiment(
        "2015", "false positives", ("false_positive",), _MEASURES_2015, _units, _PAPER_2015
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
        _without_overlap(),
    ),
    "Figure 11": Experiment(
        "2017", "positions only", ("position",), _MEASURES_2017, _units, _without_overlap()
    ),
    "§5.4": Experiment(
        "2017", "false negatives", ("false_negative",), _MEASURES_2017, _units, _without_overlap()
    ),
    "Figure 12": Experiment(
        "2017", "labels only", ("category",), _MEASURES_2017, _units, _without_overlap()
    ),
    "Figure 13": Experiment(
        "2017",
        "positions and labels",
        ("position", "category"),
        _MEASURES_2017,
        _units,
        _without_overlap(),
    ),
    "Figure 14, D as long as others": Experiment(
        "2017",
        "labels only, D never mistaken and 5 long",
        ("category",),
        ("gamma_cat", "u_alpha_coding"),
        _with_d(5.0),
        _without_overlap(certain=("D",)),
    ),
    "Figure 14, D four times as long": Experiment(
        "2017",
        "labels only, D never mistaken and 20 long",
        ("category",),
        ("gamma_cat", "u_alpha_coding"),
        _with_d(20.0),
        _without_overlap(certain=("D",)),
    ),
    "Figure 15": Experiment(
        "2017",
        "labels only, D never mistaken: γk",
        ("category",),
        ("gamma_cat", "gamma_k"),
        _with_d(5.0),
        _without_overlap(certain=("D",)),
    ),
}


def run(
    experiment: Experiment,
    size: Size,
    seed: int,
    *,
    workers: int | None,
    progress: Callable[[int, int], None] | None,
) -> ErrorCurves:
    """Run one experiment."""
    return error_curves(
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
