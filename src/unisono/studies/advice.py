"""What to do about disagreement: what to decide first, what merging or leaving out would gain."""

from __future__ import annotations

import math
import warnings
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.gamma import gamma
from unisono.measures.settings import check_count
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_order
from unisono.results.agreement import Interval
from unisono.results.signature import Signature
from unisono.results.wording import count
from unisono.studies.advice_result import Advice, DocumentShare, Gain, GroupShare, LeftOut, Merge
from unisono.studies.diagnosis import diagnose
from unisono.studies.diagnosis_result import Parts

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.model.labels import Label
    from unisono.studies.diagnosis_result import Diagnosis

__all__ = ["advise", "settings_of"]

_LEVEL = 0.95


def advise(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    diagnosis: Diagnosis | None = None,
    most_groups: int = 20,
    most_merges: int = 5,
    most_annotators: int = 20,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,  # noqa: ANN401 - the settings of gamma
) -> Advice:
    """Say what to decide first, and what γ would gain from fewer labels or other annotators.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them.
    dissimilarity
        What it costs to align two units, as for `gamma`.
    diagnosis
        What `diagnose` gave on the same data with the same dissimilarity; computed if not given.
    most_groups
        How many groups to list.
    most_merges
        How many pairs of labels to try, those with the largest share of the disorder.
    most_annotators
        How many annotators to leave out, one at a time, those with the largest share of the
        disorder.
    workers
        Threads to use, all cores by default. They never move a value.
    executor
        Where to send the work instead, as in `gamma`.
    progress
        Called with the number of changes tried and to be tried.
    **settings
        Other settings of `gamma`, where there is no diagnosis yet.

    Returns
    -------
    Advice
        What to adjudicate, merges and annotators, each with its numbers.

    Raises
    ------
    SettingError
        If a setting cannot be used, or the dissimilarity is a function, which has no parts.
    DataError
        If there is nothing to align, or the diagnosis belongs to other data.

    Notes
    -----
    A gain is the γ of `gamma` on the changed data, with the same chance model, seed and number of
    draws, minus γ now. Both have the draws of one seed, so their errors are taken in pairs: with
    the disorders aᵢ and bᵢ of draw i before and after, means A and B, and observed disorders o and
    p, the variance of the gain is that of p/B²·(bᵢ − B) − o/A²·(aᵢ − A), divided by the number of
    draws. The interval tells whether other draws would give another gain, not whether another
    corpus would.

    With fewer labels there is less to disagree about: γ mostly rises, and information is lost. What
    two labels are for is not in the numbers. Of many pairs the best one is partly the best by luck.

    An annotator without whom γ rises differs from the others. That does not say who is right.

    Examples
    --------
    >>> import unisono as un
    >>> corpus = un.read("examples/corpus", annotators="corpus")
    >>> found = un.advise(corpus, rng=1)
    >>> found.merges[0].labels, found.merges[0].gain.told
    (('organisation', 'place'), '+0.0439')
    >>> [(each.annotator, each.gain.told) for each in found.annotators][0]
    ('mika', '+0.0676')
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"advise takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    limits = {
        "most_groups": most_groups,
        "most_merges": most_merges,
        "most_annotators": most_annotators,
    }
    for name, limit in limits.items():
        if limit != 0:
            check_count(name, limit)
    if diagnosis is None:
        diagnosis = diagnose(
            data, dissimilarity=dissimilarity, workers=workers, executor=executor, **settings
        )
    elif settings:
        msg = (
            f"{', '.join(settings)} would be too late: the diagnosis is made already; "
            "leave out diagnosis="
        )
        raise SettingError(msg)
    if diagnosis.signature["data"] != data.digest[:8]:
        msg = f"the diagnosis is of other data: {diagnosis.signature['data']}"
        raise DataError(msg)
    changes = _Changes(diagnosis.gamma, dissimilarity, workers, executor)
    pairs = _confused_pairs(diagnosis, most_merges)
    people = _people(diagnosis, most_annotators)
    total = len(pairs) + len(people)
    merges: list[Merge] = []
    left_out: list[LeftOut] = []
    for place, (labels, met) in enumerate(pairs):
        _tell(progress, place, total)
        merges.append(Merge(labels, met, changes.gain(_merged(data, labels, diagnosis))[0]))
    for place, name in enumerate(people):
        _tell(progress, len(pairs) + place, total)
        gain, documents = changes.gain(data.only(annotators=set(data.annotators) - {name}))
        left_out.append(LeftOut(name, documents, gain))
    _tell(progress, total, total)
    return Advice(
        **_shares(diagnosis, most_groups),
        merges=tuple(sorted(merges, key=lambda each: (_order(each.gain), _names(each.labels)))),
        annotators=tuple(sorted(left_out, key=lambda each: (_order(each.gain), each.annotator))),
        notes=changes.notes(),
        signature=Signature("advice", diagnosis.signature.settings),
    )


class _Changes:
    """γ of changed data beside γ now."""

    def __init__(
        self,
        now: GammaResult,
        dissimilarity: Dissimilarity | None,
        workers: int | None,
        executor: Executor | None,
    ) -> None:
        self.now = now
        self.dissimilarity = dissimilarity
        self.settings = settings_of(now) | {"workers": workers, "executor": executor}
        self.settings["resamples"] = 0  # the interval of a gain is of its draws
        self.unproven = 0

    def gain(self, changed: Continuum | Corpus) -> tuple[Gain, int]:
        """Give the gain, and how many documents it is measured on."""
        if self.now.undefined:
            return _no_gain(f"γ is undefined: {self.now.undefined}"), 0
        try:
            with warnings.catch_warnings():
                # One note on alignments that are not proven stands for all of them.
                warnings.simplefilter("ignore")
                then = gamma(changed, dissimilarity=self.dissimilarity, **self.settings)
        except (DataError, SettingError) as error:
            return _no_gain(str(error)), 0
        self.unproven += not then.proven
        documents = len(then.documents) - len(then.left_out_documents) if then.documents else 1
        if then.undefined:
            return _no_gain(then.undefined), documents
        gain = then.value - self.now.value
        return Gain(then.value, gain, _interval(self.now, then, gain), None), documents

    def notes(self) -> tuple[str, ...]:
        """Say how many values rest on alignments that may not be the best."""
        if not self.unproven:
            return ()
        return (
            (
                f"{count(self.unproven, 'gain')} from alignments that are not all proven to be the "
                "best"
            ),
        )


def settings_of(result: GammaResult) -> dict[str, Any]:
    """Give the settings of `gamma` that a result was computed with, but for the dissimilarity.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.studies.advice import settings_of
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> settings_of(un.gamma(text, draws=30, rng=1, soft=True))
    {'chance': 'shift', 'draws': 30, 'rng': 1, 'soft': True, 'confidence': 0.95}
    """
    signature = result.signature
    if "from" in signature:
        msg = "gains are not computed where chance is drawn from some annotators only"
        raise SettingError(msg)
    found: dict[str, Any] = {
        "chance": signature["chance"],
        "draws": result.draws,
        "rng": int(signature["seed"]),
    }
    if "soft" in signature:
        found["soft"] = True
    if "gap" in signature:
        found["gap_tolerance"] = float(signature["gap"])
    if "time" in signature:
        found["time_limit"] = float(signature["time"].removesuffix("s"))
    if "failed" in signature:
        found["on_error"] = "report"
    if result.monte_carlo is not None:
        found["confidence"] = result.monte_carlo.level
    return found


def _interval(now: GammaResult, then: GammaResult, gain: float) -> Interval | None:
    draws = len(now.draw_disorders)
    if draws < 2 or len(then.draw_disorders) != draws:
        return None
    before = now.observed / now.expected**2 * (now.draw_disorders - now.expected)
    after = then.observed / then.expected**2 * (then.draw_disorders - then.expected)
    level = _LEVEL if now.monte_carlo is None else now.monte_carlo.level
    error = float(np.std(after - before, ddof=1)) / math.sqrt(draws)
    reach = NormalDist().inv_cdf(0.5 + level / 2.0) * error
    return Interval(gain - reach, gain + reach, level, "monte carlo")


def _no_gain(reason: str) -> Gain:
    return Gain(math.nan, math.nan, None, reason)


def _confused_pairs(
    diagnosis: Diagnosis, most: int
) -> list[tuple[tuple[Label | None, Label | None], int]]:
    """Give the labels that cost most when they meet; a unit without label has none to merge."""
    costly = [
        (each.labels, each.pairs)
        for each in diagnosis.confusions
        if each.disorder > 0.0 and None not in each.labels
    ]
    return costly[:most]


def _people(diagnosis: Diagnosis, most: int) -> list[str]:
    if len(diagnosis.by_annotator) < 3:
        return []
    shares = {name: each.parts.total for name, each in diagnosis.by_annotator.items()}
    return sorted(shares, key=lambda name: (-shares[name], name))[:most]


def _merged(
    data: Continuum | Corpus, labels: tuple[Label | None, Label | None], diagnosis: Diagnosis
) -> Continuum | Corpus:
    # The more frequent one keeps its name, which a matrix of distances knows.
    first, second = sorted(
        labels, key=lambda label: (-diagnosis.by_label[label].n_units, label_order(label))
    )
    return data.rename(labels={second: first})


def _shares(diagnosis: Diagnosis, most: int) -> dict[str, Any]:
    """Give the groups and documents with the largest shares of the disorder."""
    result = diagnosis.gamma
    documents = diagnosis.documents or {"": diagnosis}
    rules = chance_rules(result.signature["chance"])
    scales = {
        name: each.weight / rules.mean_units(each.gamma.n_units, each.gamma.n_annotators)
        for name, each in documents.items()
    }
    of_groups = {name: each.group_parts.sum(axis=1) for name, each in documents.items()}
    disorders = np.concatenate([of_groups[name] * scales[name] for name in documents])
    names = np.repeat(np.arange(len(documents)), [len(each) for each in of_groups.values()])
    numbers = np.concatenate([np.arange(len(each)) for each in of_groups.values()])
    # Stable: of groups that cost the same the first of the first document comes first.
    worst = np.argsort(-disorders, kind="stable")[:most]
    listed = list(documents.items())
    total = diagnosis.parts.total
    groups = []
    for at in worst.tolist():
        name, document = listed[names[at]]
        if disorders[at] > 0.0:
            place = int(numbers[at])
            groups.append(_group(name, document, place, scales[name], total, result))
    return {
        "adjudicate": tuple(groups),
        "n_groups": len(disorders),
        "n_disagreeing": int((disorders > 0.0).sum()),
        "documents": tuple(
            sorted(
                (
                    _document(name, each, total, result)
                    for name, each in diagnosis.documents.items()
                ),
                key=lambda each: (-each.share, each.document),
            )
        ),
    }


def _group(
    name: str, document: Diagnosis, place: int, scale: float, total: float, result: GammaResult
) -> GroupShare:
    alignment = document.gamma.alignment
    if alignment is None:
        msg = f"the diagnosis of {name!r} has no alignment"
        raise DataError(msg)
    parts = Parts(*(document.group_parts[place] * scale).tolist())
    units = alignment.groups[place]
    there = [unit for unit in units if unit is not None]
    return GroupShare(
        document=name,
        group=place + 1,
        start=min(unit.start for unit in there),
        end=max(unit.end for unit in there),
        parts=parts,
        share=parts.total / total,
        loss=_loss(parts.total, result),
        units=units,
        annotators=alignment.continuum.annotators,
    )


def _document(name: str, document: Diagnosis, total: float, result: GammaResult) -> DocumentShare:
    disorder = document.weight * document.parts.total
    return DocumentShare(
        document=name,
        share=disorder / total if total > 0.0 else 0.0,
        loss=_loss(disorder, result),
        value=document.gamma.value,
        n_units=document.gamma.n_units,
    )


def _loss(disorder: float, result: GammaResult) -> float:
    return math.nan if result.undefined else disorder / result.expected


def _order(gain: Gain) -> float:
    return math.inf if gain.undefined else -gain.gain


def _names(labels: tuple[Label | None, ...]) -> tuple[Any, ...]:
    return tuple(map(label_order, labels))


def _tell(progress: Callable[[int, int], None] | None, done: int, total: int) -> None:
    if progress is not None and total:
        progress(done, total)
