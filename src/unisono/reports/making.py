"""A report of some data: everything that fits them, computed and explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.reports.findings import find
from unisono.reports.report import AgreementReport
from unisono.results.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    import numpy as np

    from unisono.measures.distances import Distance
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.overlap import Overlap

__all__ = ["report"]


def report(
    data: Continuum | Corpus,
    *,
    title: str | None = None,
    distance: Distance = "nominal",
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float = 0.02,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    atom: float | None = None,
    overlap: Overlap = "raise",
    gains: bool = True,
    charts: bool = True,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AgreementReport:
    """Give a whole account of agreement: in words, in numbers, what to do, and how it was made.

    Parameters
    ----------
    data
        A document, or a corpus, whose documents are pooled.
    title
        The heading; by default it tells how many annotators there are.
    dissimilarity, chance, precision, draws, rng
        As in `gamma`.
    distance, atom, overlap
        As in `side_by_side`.
    gains
        Whether to compute what γ would gain from merging labels and from leaving out annotators:
        `gamma` is then computed again for each, up to 25 times.
    charts
        Whether the page in HTML has charts; they need ``unisono[plot]``.
    workers
        Threads to use, all cores by default. They never move a value.
    executor
        Where to send the work instead, as in `gamma`.
    progress
        Called with what is done and what is to be done, first for draws and then for gains.

    Returns
    -------
    AgreementReport
        To be written as HTML, Markdown, JSON or LaTeX.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If γ cannot be measured with this distance or chance model.

    Notes
    -----
    Every number is what the function of its own gives: `gamma`, `side_by_side`, `diagnose`,
    `advise`, `consensus`. The words follow rules that the report itself writes down. The scale of
    "moderate" and its like is that of Landis & Koch [1]_, a convention made for κ.

    References
    ----------
    .. [1] Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for
       categorical data. Biometrics 33(1), 159–174.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.report(un.read("examples/corpus", annotators="corpus"), rng=1)
    >>> print(found)
    Moderate to almost perfect agreement (γ = 0.804, over documents 95 %: 0.421 to 0.901); mostly
    missing units; “organisation” is confused with “place”; “mika” differs most.
    >>> found.write("build/report.html")
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"report takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    if title is not None and not isinstance(title, str):
        msg = f"title must be a text, got {title!r} of type {type(title).__name__}"
        raise TypeError(msg)
    findings = find(
        data,
        distance=distance,
        dissimilarity=dissimilarity,
        chance=chance,
        precision=precision,
        draws=draws,
        rng=rng,
        atom=atom,
        overlap=overlap,
        gains=gains,
        workers=workers,
        executor=executor,
        progress=progress,
    )
    heading = f"Agreement of {count(len(data.annotators), 'annotator')}"
    return AgreementReport(title=title or heading, findings=findings, charts=charts)
