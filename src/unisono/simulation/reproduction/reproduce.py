"""Reproduction of published results: every number and curve that can be computed again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from unisono.errors import check_choice
from unisono.measures.sampling import seed_of
from unisono.registry import check_settings
from unisono.results.values import Signature
from unisono.simulation.reproduction import experiments
from unisono.simulation.reproduction.claims import EXPERIMENTS, Claim, Reproduction, Size, run
from unisono.simulation.reproduction.experiments import shapes_of_2015, shapes_of_2017
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from unisono.simulation.error_curves import ErrorCurves

__all__ = ["reproduce"]

Paper: TypeAlias = Literal["2015", "2017", "komen", "passonneau", "all"]


def reproduce(
    paper: Paper = "all",
    *,
    quick: bool = False,
    rng: int | np.random.Generator | None = 0,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Reproduction:
    """Compute the published numbers and curves of four papers again, and compare them.

    Parameters
    ----------
    paper
        ``"2015"`` (γ), ``"2017"`` (γcat and γk), ``"komen"`` (κ of open sets of categories),
        ``"passonneau"`` (MASI), or ``"all"``.
    quick
        Simulate 12 annotation sets at 12 magnitudes instead of 40 at 21, in under a minute.
    rng
        A seed for the simulated annotators, or a generator from which a seed is drawn; with `None`,
        the system provides one. The signature contains it.
    workers
        Number of threads, by default one per core. It does not affect any value.
    progress
        Called with the number of finished annotation sets and their total number.

    Returns
    -------
    Reproduction
        Each claim with our value and a verdict: reproduced, differs, or not reproducible with the
        reason.

    Raises
    ------
    SettingError
        If the paper is unknown.

    Notes
    -----
    Printed numbers are compared within their rounding. The constants and corpora of the authors'
    shuffling tool are not public: curves are compared by shape, with values within 0.1 and
    magnitudes within 0.2. No constant was fitted to a figure.

    Examples
    --------
    >>> import unisono as un
    >>> print(un.reproduce("passonneau"))
    1 reproduced, 1 differs, 1 not reproducible
    place     claim                    ours    verdict
    Figure 2  mean MASI = 10/27        0.3704  reproduced
    Figure 3  mean MASI = 6/27         0.2593  differs
    Table 1   α = 0 (nominal), −0...   –       not reproducible
    """
    check_choice("paper", paper, get_args(Paper))
    check_settings({}, {"workers": workers})
    seed = seed_of(rng)
    size = Size.of(quick=quick)
    chosen = {
        name: experiment
        for name, experiment in EXPERIMENTS.items()
        if paper in (experiment.paper, "all")
    }
    sets = len(size.magnitudes) * size.repeats
    scans: dict[str, ErrorCurves] = {}
    for at, (name, experiment) in enumerate(chosen.items()):
        report = None if progress is None else _Part(progress, at * sets, len(chosen) * sets)
        scans[name] = run(experiment, size, seed, workers=workers, progress=report)
    claims: list[Claim] = []
    if paper in ("2015", "all"):
        claims += experiments.paper_of_2015() + shapes_of_2015(scans)
    if paper in ("2017", "all"):
        claims += experiments.paper_of_2017() + shapes_of_2017(scans)
    if paper in ("komen", "all"):
        claims += experiments.komen()
    if paper in ("passonneau", "all"):
        claims += experiments.passonneau()
    settings = (
        ("paper", paper),
        ("magnitudes", str(len(size.magnitudes))),
        ("repeats", str(size.repeats)),
        ("seed", str(seed)),
        ("v", __version__),
    )
    return Reproduction(
        claims=tuple(claims),
        experiments=chosen,
        scans=scans,
        quick=quick,
        signature=Signature("reproduce", settings),
    )


class _Part:
    """Reports the progress of one experiment as progress of all experiments."""

    def __init__(self, progress: Callable[[int, int], None], before: int, total: int) -> None:
        self._progress, self._before, self._total = progress, before, total

    def __call__(self, done: int, total: int) -> None:
        del total
        self._progress(self._before + done, self._total)
