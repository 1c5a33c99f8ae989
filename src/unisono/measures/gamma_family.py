"""γ, γcat and γk of a continuum or a corpus, all from the same alignments and the same draws."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from unisono.errors import SettingError
from unisono.measures.chance import chance_rules
from unisono.measures.dice import seed_of
from unisono.measures.dissimilarity import Combined, check_dissimilarity
from unisono.measures.fitted import label_counts
from unisono.measures.gamma_work import GammaWork
from unisono.measures.searching import Search
from unisono.measures.settings import check_count, check_share
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.naming import known_names
from unisono.running import available_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np

    from unisono.measures.chance import Chance
    from unisono.measures.dissimilarity import Dissimilarity
    from unisono.measures.pooling import FamilyValues
    from unisono.result import GammaResult

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
    rng: int | np.random.Generator | None = None,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
    workers: int | None = None,
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
        How sure to be of that error, and the level of the Monte Carlo intervals.
    draws
        A fixed number of draws instead.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It stands
        in the signature.
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

    Notes
    -----
    γ = 1 − δ/δe: δ is the disorder of the best alignment, found exactly, and δe the mean disorder
    of the best alignments of random continua [1]_ (§4.5, §5). For a corpus,
    γ = 1 − Σ x̄·δ / Σ x̄·δe over its documents, x̄ the mean number of units of an annotator. γcat and
    γk weigh each pair of units of a group by how well their positions agree [2]_ (Algorithm 1).

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
    work = _work(
        data,
        dissimilarity=dissimilarity,
        chance=chance,
        chance_from=chance_from,
        precision=precision,
        confidence=confidence,
        draws=draws,
        rng=rng,
        search=Search(soft=soft, gap_tolerance=gap_tolerance, time_limit=time_limit),
        workers=workers,
    )
    measured = work.measured()
    sampled = work.sample(measured, draws, precision, progress) if measured else {}
    results = {
        name: work.document_result(continuum, measured.get(name), sampled.get(name))
        for name, continuum in work.documents.items()
    }
    result = results[""] if isinstance(data, Continuum) else work.corpus_result(results, sampled)
    _warn_if_uncertain(result)
    return result


def gamma_values(
    data: Continuum | Corpus,
    *,
    draws: int,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    confidence: float = 0.95,
    rng: int | np.random.Generator | None = None,
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
    >>> from unisono.measures.gamma_family import gamma_values
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> gamma_values(text, draws=30, rng=1).gamma == un.gamma(text, draws=30, rng=1).value
    True
    """
    work = _work(
        data,
        dissimilarity=dissimilarity,
        chance=chance,
        confidence=confidence,
        draws=draws,
        rng=rng,
        search=Search(soft=soft, gap_tolerance=gap_tolerance),
        workers=1,
    )
    measured = work.measured()
    return work.values(work.sample(measured, draws, 1.0, None) if measured else {})


def _work(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None,
    chance: Chance,
    chance_from: Iterable[str] | None = None,
    precision: float = 0.02,
    confidence: float,
    draws: int | None,
    rng: int | np.random.Generator | None,
    search: Search,
    workers: int | None,
) -> GammaWork:
    """Check the settings of one call."""
    if dissimilarity is not None:
        check_dissimilarity(dissimilarity)
    rules = chance_rules(chance)
    check_share("precision", precision, "0.02 for 2 %")
    check_share("confidence", confidence, "0.95 for 95 %")
    if draws is not None:
        check_count("draws", draws)
    if workers is not None:
        check_count("workers", workers)
    chosen = Combined(position=rules.position) if dissimilarity is None else dissimilarity
    source = None
    if chance_from is not None:
        source = tuple(sorted(known_names(chance_from, data.annotators, "annotator")))
        if not source:
            msg = "chance_from names no annotator; leave it out to draw from everyone"
            raise SettingError(msg)
    return GammaWork(
        data=data,
        fitted=chosen.fitted(data.labels, label_counts(data)),
        chance=chance,
        rules=rules,
        seed=seed_of(rng),
        confidence=confidence,
        search=search,
        workers=min(workers or available_cores(), _MOST_WORKERS),
        chance_from=source,
    )


def _warn_if_uncertain(result: GammaResult) -> None:
    # Unproven draws matter little: their gaps move γ by (1 − γ) times their mean relative gap.
    certified = result.certified
    if certified is None or (result.gap == 0.0 and result.value - certified.low <= _UNCERTAIN):
        return
    msg = (
        f"γ is certain only between {certified.low:.4f} and {certified.high:.4f}: "
        "some alignments reached a limit and are not proven to be the best"
    )
    warnings.warn(msg, stacklevel=3)
