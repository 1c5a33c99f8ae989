"""Reproduction of published results: every number and curve that can be computed again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from unisono.errors import SettingError, check_choice, did_you_mean
from unisono.measures.sampling import seed_of
from unisono.registry import check_settings
from unisono.results.values import Signature
from unisono.simulation.reproduction.claims import Reproduction, judged, statements
from unisono.simulation.reproduction.curves import FIGURES, values_of_figure
from unisono.simulation.reproduction.examples import values_of
from unisono.simulation.reproduction.experiments import EXPERIMENTS, Size, run
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from unisono.simulation.error_curves import Scan

__all__ = ["reproduce"]

Paper: TypeAlias = Literal["2015", "2017", "komen", "passonneau", "all"]


def reproduce(
    paper: Paper = "all",
    *,
    place: str | None = None,
    quick: bool = False,
    rng: int | np.random.Generator | None = 0,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Reproduction:
    """Compute the tables, figures and examples of four papers again, and compare them.

    Parameters
    ----------
    paper
        ``"2015"`` (γ), ``"2017"`` (γcat and γk), ``"komen"`` (κ of open sets of categories),
        ``"passonneau"`` (MASI), or ``"all"``.
    place
        A single table, figure or section of the paper, such as ``"Figure 10"``; by default all.
    quick
        Simulate 6 annotation sets per magnitude instead of 40, in under a minute.
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
        Each claim with our value and a verdict: reproduced, differs with the reason, or not
        reproducible with what is missing.

    Raises
    ------
    SettingError
        If the paper or the place is unknown.

    Notes
    -----
    Claims, set-ups and tolerances are data that were written down before the values were computed.
    An inequality has no tolerance. The constants and corpora of the authors' shuffling tool are not
    at hand: curves are compared within a tenth of the range, unless the claim says more. No
    constant was fitted to a figure.

    Examples
    --------
    >>> import unisono as un
    >>> print(un.reproduce("passonneau", place="Figure 3"))
    2 reproduced, 2 differs, 0 not reproducible
    place     claim                    ours    verdict
    Figure 3  Jaccard 1/3, 2/3, 1...   0.5...  differs
    Figure 3  mean Jaccard 4/9         0.4444  reproduced
    Figure 3  mean MASI 6/27           0.2593  differs
    Figure 3  without the unit, y...   yes     reproduced
    """
    check_choice("paper", paper, get_args(Paper))
    check_settings({}, {"workers": workers})
    chosen = [each for each in statements() if paper in (each.paper, "all")]
    places = list(dict.fromkeys((each.paper, each.place) for each in chosen))
    if place is not None:
        names = list(dict.fromkeys(name for _, name in places))
        if place not in names:
            msg = (
                f"unknown place {place!r} of {paper!r}; choose one of {', '.join(names)}"
                f"{did_you_mean(place, names)}"
            )
            raise SettingError(msg)
        places = [each for each in places if each[1] == place]
    seed = seed_of(rng)
    size = Size.of(quick=quick)
    needed = {name for each in places if each in FIGURES for name in FIGURES[each][0]}
    experiments = {name: each for name, each in EXPERIMENTS.items() if name in needed}
    sets = [
        size_.magnitudes * size_.repeats
        for size_ in (each.size(size) for each in experiments.values())
    ]
    scans: dict[str, Scan] = {}
    for at, (name, experiment) in enumerate(experiments.items()):
        report = None if progress is None else _Part(progress, sum(sets[:at]), sum(sets))
        scans[name] = run(experiment, size, seed, workers=workers, progress=report)
    values = {each: {**values_of(*each), **values_of_figure(*each, scans)} for each in places}
    settings = (
        ("paper", paper),
        *((("place", place),) if place is not None else ()),
        ("magnitudes", str(size.magnitudes)),
        ("repeats", str(size.repeats)),
        ("seed", str(seed)),
        ("v", __version__),
    )
    return Reproduction(
        claims=tuple(
            judged(each, values[each.paper, each.place].get(each.key))
            for each in chosen
            if (each.paper, each.place) in values
        ),
        experiments=experiments,
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
