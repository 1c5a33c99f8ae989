"""γ, γcat and γk of a continuum or a corpus, all from the same alignments and the same draws."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from unisono.errors import SettingError
from unisono.measures.dice import seed_of
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import Combined, check_dissimilarity
from unisono.measures.gamma.fitted import label_counts
from unisono.measures.gamma.gamma_packing import OnError
from unisono.measures.gamma.gamma_running import GammaRun
from unisono.measures.gamma.gamma_work import GammaWork
from unisono.measures.gamma.interval import NEEDS_DOCUMENTS
from unisono.measures.gamma.searching import Search
from unisono.measures.settings import check_count, check_resamples, check_share
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.naming import known_names
from unisono.parallel.checkpoint import Checkpoint, Part
from unisono.parallel.chunk_files import digest_of
from unisono.parallel.cores import available_cores
from unisono.parallel.dispatch import check_executor, workers_of
from unisono.results.rows import certain_range, uncertainty
from unisono.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor

    import numpy as np

    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.measures.gamma.result import FamilyValues

__all__ = ["gamma", "gamma_values"]

_MOST_WORKERS = 256
_UNCERTAIN = 0.002  # by how much gaps may move γ before we warn


def gamma(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    chance_from: Iterable[str] | None = None,
    precision: float = 0.02,
    confidence: float = 0.95,
    draws: int | None = None,
    resamples: int | None = None,
    rng: int | np.random.Generator | None = 0,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    on_error: OnError = "raise",
    checkpoint: str | os.PathLike[str] | Part | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> GammaResult:
    """Say how much annotators agree on where units are and what they are called, beyond chance.

    1 is perfect agreement, 0 what chance would give, and less than 0 is worse than chance. From the
    same alignment come γcat, agreement on the labels alone, and γk, the same for each label.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them whose documents are pooled.
    dissimilarity
        What it costs to align two units; `Combined()` by default.
    chance
        Where random continua come from: ``"shift"`` moves the annotators' units against each
        other, ``"corpus"`` mixes annotators of different documents, ``"statistical"`` follows
        distributions fitted to them, ``"gamma-software"`` is the authors' program (with position
        weighing 3 unless a dissimilarity is given).
    chance_from
        The annotators whose units random continua are made of, everyone's by default. To measure a
        system against a reference, name the annotators of the reference: what the system marks
        then moves the observed disorder only.
    precision
        The wished relative error of the expected disorder, for γ and for γcat: 30 draws are made,
        and then as many as it needs.
    confidence
        How sure to be of that error, and the level of all intervals.
    draws
        A fixed number of draws instead.
    resamples
        How often documents are drawn again for `interval`, which says how far γ, γcat and γk could
        lie from their values because the documents are a sample; 1000 for a corpus by default,
        0 for none.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It is
        shown in the signature. The draws of a document depend on the seed, on its name in the
        corpus, on how many units each annotator has and on the order of its labels. Continua
        without a name that agree in these share their draws, so pass a generator in simulations.
    soft
        Whether a unit may be in more than one group, in the data and in the draws (soft-γ): a unit
        that another annotator split in two then costs less.
    gap_tolerance
        Stop looking for a better alignment once this part of its disorder is all that could be
        won, such as 0.001. What that does to γ is told by `certified`.
    time_limit
        Seconds for each alignment, of the data and of every draw. It makes values depend on the
        machine, so the signature tells it; without it only work is limited.
    workers
        Threads to use, all cores by default. They never move a value.
    executor
        Where to send the work instead: `unisono.parallel.Processes`, a `ProcessPoolExecutor`, Dask's
        ``client.get_executor()`` or any other. It never moves a value.
    on_error
        What to do when a document of a corpus cannot be measured: ``"raise"``, or ``"report"`` it
        in `failed_documents` and measure the others.
    checkpoint
        A folder to keep what is done in: the same call goes on there after it was interrupted. It
        takes its seed from there too if `rng` is `None`.
    progress
        Called with the draws done and the draws known to be needed, over all documents.

    Returns
    -------
    GammaResult
        The value with the disorders, alignment and draws behind it. Where γ is undefined the value
        is NaN and `undefined` says why.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If a label has no distance, or there are too few documents for the chance model.
    WorkError
        If workers die and cannot be replaced, or the checkpoint cannot be written.

    Notes
    -----
    γ = 1 − δ/δe: δ is the disorder of the best alignment, found exactly, and δe the mean disorder
    of the best alignments of random continua [1]_ (§4.5, §5). For a corpus,
    γ = 1 − Σ x̄·δ / Σ x̄·δe over its documents, x̄ the mean number of units of an annotator. γcat and
    γk weigh each pair of units of a group by how well their positions agree [2]_ (Algorithm 1).
    For `interval`, documents are drawn with replacement, the observed and the expected disorders of
    each together.

    `annotators` of a continuum are all who saw it: one who marked nothing counts. This moves the
    value more than any setting, so results say how it was known.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.
    .. [2] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), 661–681.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         ("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"),
    ...         ("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"),
    ...     ]
    ... )  # fmt: skip
    >>> result = un.gamma(text, rng=42)
    >>> f"{result:.2f}", result.proven
    ('0.66', True)
    >>> result.observed, result.cat.observed
    (0.3357..., 0.3324...)
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"gamma takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    _check_numbers(precision, confidence, draws, workers, resamples)
    with _opened(checkpoint) as folder:
        run = _run(
            data,
            dissimilarity=dissimilarity,
            chance=chance,
            chance_from=chance_from,
            confidence=confidence,
            seed=_seed(rng, folder),
            search=Search(soft=soft, gap_tolerance=gap_tolerance, time_limit=time_limit),
            workers=workers,
            executor=executor,
            on_error=on_error,
        )
        wished = ("precision", f"{precision:.12g}") if draws is None else ("draws", str(draws))
        if folder is not None:
            run = replace(run, kept=_kept(folder, run, chance, wished))
        findings = run.findings(draws, precision, progress)
    # Results of documents are made later, and must not hold on to workers and files.
    idle = replace(run, executor=None, kept=None)
    work = GammaWork(run=idle, chance=chance, findings=findings, resamples=resamples)
    result = work.document_result("") if isinstance(data, Continuum) else work.corpus_result()
    if resamples and isinstance(data, Continuum):
        result = replace(result, notes=(*result.notes, NEEDS_DOCUMENTS))
    _warn_if_uncertain(result)
    return result


def gamma_values(
    data: Continuum | Corpus,
    *,
    draws: int,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    confidence: float = 0.95,
    rng: int | np.random.Generator | None = 0,
    soft: bool = False,
    gap_tolerance: float = 0.0,
) -> FamilyValues:
    """Give the values of γ and γcat that `gamma` gives, where only these are asked for.

    A corpus of many documents then takes half the time: nothing is told of single documents and
    labels, and there are no warnings.

    Parameters
    ----------
    data, draws, dissimilarity, chance, confidence, rng, soft, gap_tolerance
        As in `gamma`.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.gamma.gamma import gamma_values
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> gamma_values(text, draws=30, rng=1).gamma == un.gamma(text, draws=30, rng=1).value
    True
    """
    _check_numbers(0.02, confidence, draws, None, None)
    run = _run(
        data,
        dissimilarity=dissimilarity,
        chance=chance,
        confidence=confidence,
        seed=seed_of(rng),
        search=Search(soft=soft, gap_tolerance=gap_tolerance),
        workers=1,
    )
    findings = run.findings(draws, 0.02, None)
    return GammaWork(run=run, chance=chance, findings=findings).values()


def _check_numbers(
    precision: float,
    confidence: float,
    draws: int | None,
    workers: int | None,
    resamples: int | None,
) -> None:
    check_share("precision", precision, "0.02 for 2 %")
    check_share("confidence", confidence, "0.95 for 95 %")
    if draws is not None:
        check_count("draws", draws)
    if workers is not None:
        check_count("workers", workers)
    if resamples is not None:
        check_resamples(resamples)


def _run(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None,
    chance: Chance,
    chance_from: Iterable[str] | None = None,
    confidence: float,
    seed: int,
    search: Search,
    workers: int | None,
    executor: Executor | None = None,
    on_error: OnError = "raise",
) -> GammaRun:
    """Check the other settings of one call, and say what there is to do."""
    if dissimilarity is not None:
        check_dissimilarity(dissimilarity)
    rules = chance_rules(chance)
    if on_error not in get_args(OnError):
        choices = ", ".join(map(repr, get_args(OnError)))
        msg = f"unknown on_error {on_error!r}; choose one of {choices}"
        raise SettingError(msg)
    if executor is not None:
        check_executor(executor)
        workers = workers or workers_of(executor)
    chosen = Combined(position=rules.position) if dissimilarity is None else dissimilarity
    source = None
    if chance_from is not None:
        source = tuple(sorted(known_names(chance_from, data.annotators, "annotator")))
        if not source:
            msg = "chance_from names no annotator; leave it out to draw from everyone"
            raise SettingError(msg)
    most = _MOST_WORKERS if executor is None else workers
    return GammaRun(
        data=data,
        fitted=chosen.fitted(data.labels, label_counts(data)),
        rules=rules,
        seed=seed,
        confidence=confidence,
        search=search,
        workers=min(workers or available_cores(), most or 1),
        chance_from=source,
        executor=executor,
        on_error=on_error,
    )


@contextmanager
def _opened(
    checkpoint: str | os.PathLike[str] | Part | None,
) -> Iterator[Checkpoint | Part | None]:
    if checkpoint is None or isinstance(checkpoint, Part):
        yield checkpoint
        return
    with Checkpoint(checkpoint) as folder:
        yield folder


def _seed(rng: int | np.random.Generator | None, folder: Checkpoint | Part | None) -> int:
    if rng is None and isinstance(folder, Checkpoint) and "seed" in folder.stored_key:
        return int(folder.stored_key["seed"])
    return seed_of(rng)


def _kept(
    folder: Checkpoint | Part, run: GammaRun, chance: Chance, wished: tuple[str, str]
) -> Part:
    """Say where the work of this call is kept, if what is there is of the same call."""
    if isinstance(folder, Part):
        return folder
    if run.fitted.cost is not None:
        msg = (
            "a checkpoint cannot tell whether a dissimilarity of your own is still the same; "
            "do without one of them"
        )
        raise SettingError(msg)
    told = dict(run.search.told)
    folder.open_for(
        {
            "computation": "gamma",
            "dissim": run.fitted.text,
            "distances": digest_of(run.fitted.distances),
            "alignment": ",".join(f"{name}:{value}" for name, value in told.items()),
            "chance": chance,
            "from": "everyone" if run.chance_from is None else ",".join(run.chance_from),
            wished[0]: wished[1],
            "confidence": f"{run.confidence:.12g}",
            "seed": str(run.seed),
            "data": run.data.digest,
            "v": __version__,
        }
    )
    return folder.part("gamma")


def _warn_if_uncertain(result: GammaResult) -> None:
    # Unproven draws matter little: their gaps move γ by (1 − γ) times their mean relative gap.
    certified = result.certified
    if certified is None or (result.gap == 0.0 and result.value - certified.low <= _UNCERTAIN):
        return
    msg = uncertainty(result) or (
        f"γ is certain only {certain_range(certified)}: "
        "some alignments reached a limit and are not proven to be the best"
    )
    warnings.warn(msg, stacklevel=3)
