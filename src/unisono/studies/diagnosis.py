"""Why annotators disagree: the observed disorder split into position, label and missing units."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import Combined, check_dissimilarity
from unisono.measures.gamma.fitted import label_counts
from unisono.measures.gamma.gamma import gamma
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_order
from unisono.results.signature import Signature
from unisono.studies.diagnosis_parts import disorder_parts
from unisono.studies.diagnosis_result import AnnotatorParts, Confusion, Diagnosis, LabelParts, Parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.fitted import Fitted
    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label

__all__ = ["diagnose"]

_ROUNDING = 1e-12


def diagnose(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    result: GammaResult | None = None,
    **settings: Any,  # noqa: ANN401 - the settings of gamma
) -> Diagnosis:
    """Say where disagreement comes from: position, labels or missing units; whose, and on what.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them.
    dissimilarity
        What it costs to align two units, as for `gamma`.
    result
        What `gamma` gave on the same data with the same dissimilarity; computed if not given.
    **settings
        Other settings of `gamma`, where it is still to be computed.

    Returns
    -------
    Diagnosis
        The three parts of the observed disorder, which add up to it, and the same for each label,
        annotator and document.

    Raises
    ------
    SettingError
        If a setting cannot be used, or the dissimilarity is a function, which has no parts.
    DataError
        If there is nothing to align, or the result belongs to other data.

    Notes
    -----
    The disorder of a group is the mean over its pairs of annotators [1]_ (eq. 6). A pair of units
    costs ``position``·d_pos + ``label``·d_cat, which are its two parts; a pair with an empty place
    costs ``empty``, which is the part of missing units. All sums are divided by x̄ (eq. 7). Nothing
    here is estimated: only what the parts mean for γ depends on draws.

    Who is to blame for a part is a convention, chosen so that everything adds up. A pair of units
    counts half for each of its annotators and half for each of its labels. An empty place beside
    a unit counts half for either annotator, and wholly for the label of the unit. A pair of two
    empty places is shared by those who have a unit in the group.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         ("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"),
    ...         ("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"),
    ...     ]
    ... )  # fmt: skip
    >>> found = un.diagnose(text, rng=42)
    >>> found
    Diagnosis(position 0.0025, label 0.3333, missing 0.0000)
    >>> found.confusions[0].labels
    ('A', 'B')
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"diagnose takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    if result is None:
        # The parts have no interval, so γ has none beside them unless it is asked for.
        found = gamma(data, dissimilarity=dissimilarity, **{"resamples": 0, **settings})
    elif settings:
        msg = f"{', '.join(settings)} would be too late: γ is computed already; leave out result="
        raise SettingError(msg)
    else:
        found = result
    rules = chance_rules(found.signature["chance"])
    chosen = Combined(position=rules.position) if dissimilarity is None else dissimilarity
    check_dissimilarity(chosen)
    fitted = chosen.fitted(data.labels, label_counts(data))
    if fitted.cost is not None:
        msg = "a dissimilarity that is a function has no parts of position and label to tell apart"
        raise SettingError(msg)
    _check_result(found, data, fitted)
    results: Mapping[str, GammaResult] = found.documents or {"": found}
    diagnoses = {
        name: _of_one(each, each.alignment, fitted)
        for name, each in results.items()
        if each.alignment is not None and len(each.alignment)
    }
    if not diagnoses:
        msg = f"there is nothing to diagnose: {found.undefined or 'there are no units'}"
        raise DataError(msg)
    if isinstance(data, Continuum):
        return next(iter(diagnoses.values()))
    mean_units = {
        name: rules.mean_units(results[name].n_units, results[name].n_annotators)
        for name in diagnoses
    }
    total = float(sum(mean_units.values()))
    weights = {name: each / total for name, each in mean_units.items()}
    return _pooled(found, diagnoses, weights)


def _check_result(found: GammaResult, data: Continuum | Corpus, fitted: Fitted) -> None:
    signature = found.signature
    if signature["data"] != data.digest[:8]:
        msg = f"the result is of other data: {signature['data']}, not {data.digest[:8]}"
        raise DataError(msg)
    if signature["dissim"] != fitted.text:
        msg = (
            f"the result has the dissimilarity {signature['dissim']}, not {fitted.text}; "
            "give the one it was computed with"
        )
        raise SettingError(msg)


def _of_one(result: GammaResult, alignment: Alignment, corpus_fitted: Fitted) -> Diagnosis:
    continuum = alignment.continuum
    found = disorder_parts(alignment, corpus_fitted.for_labels(continuum.labels))
    mean_units = chance_rules(result.signature["chance"]).mean_units(
        len(continuum), len(continuum.annotators)
    )
    there = alignment.indices >= 0
    real = there.sum(axis=1)
    missed = (~there & (2 * real > there.shape[1] - 1)[:, None]).sum(axis=0)
    alone = (there & (real == 1)[:, None]).sum(axis=0)
    counts = np.bincount(continuum.label_codes, minlength=len(continuum.labels))
    by_label = {
        label: LabelParts(parts, int(count))
        for label, parts, count in zip(
            continuum.labels, _rows(found.of_labels / mean_units), counts, strict=True
        )
    }
    by_annotator = {
        name: AnnotatorParts(parts, *map(int, told))
        for name, parts, *told in zip(
            continuum.annotators,
            _rows(found.of_annotators / mean_units),
            continuum.counts,
            missed,
            alone,
            strict=True,
        )
    }
    confusions = [
        Confusion((continuum.labels[first], continuum.labels[second]), pairs, disorder)
        for (first, second), pairs, disorder in zip(
            found.confused.tolist(),
            found.confused_pairs.tolist(),
            (found.confused_disorder / mean_units).tolist(),
            strict=True,
        )
    ]
    return Diagnosis(
        parts=_adding_up(found.of_groups.sum(axis=0) / mean_units, result.observed),
        by_label=by_label,
        by_annotator=by_annotator,
        confusions=_costliest_first(confusions),
        group_parts=found.of_groups,
        gamma=result,
        signature=_signature(result),
    )


def _pooled(
    result: GammaResult, diagnoses: Mapping[str, Diagnosis], weights: Mapping[str, float]
) -> Diagnosis:
    labels: dict[Label | None, list[tuple[LabelParts, float]]] = {}
    people: dict[str, list[tuple[AnnotatorParts, float]]] = {}
    confused: dict[tuple[Label | None, Label | None], list[tuple[Confusion, float]]] = {}
    for name, each in diagnoses.items():
        for label, of_label in each.by_label.items():
            labels.setdefault(label, []).append((of_label, weights[name]))
        for annotator, of_annotator in each.by_annotator.items():
            people.setdefault(annotator, []).append((of_annotator, weights[name]))
        for confusion in each.confusions:
            confused.setdefault(confusion.labels, []).append((confusion, weights[name]))
    sums = _weighted((each.parts, weights[name]) for name, each in diagnoses.items())
    return Diagnosis(
        parts=_adding_up(np.array(sums), result.observed),
        by_label={
            label: LabelParts(
                _weighted((each.parts, weight) for each, weight in labels[label]),
                sum(each.n_units for each, _ in labels[label]),
            )
            for label in sorted(labels, key=label_order)
        },
        by_annotator={
            name: AnnotatorParts(
                _weighted((each.parts, weight) for each, weight in people[name]),
                sum(each.n_units for each, _ in people[name]),
                sum(each.missed for each, _ in people[name]),
                sum(each.alone for each, _ in people[name]),
            )
            for name in sorted(people)
        },
        confusions=_costliest_first(
            Confusion(
                pair,
                sum(each.pairs for each, _ in found),
                float(sum(each.disorder * weight for each, weight in found)),
            )
            for pair, found in confused.items()
        ),
        group_parts=np.empty((0, 3)),
        gamma=result,
        documents={name: replace(each, weight=weights[name]) for name, each in diagnoses.items()},
        signature=_signature(result),
    )


def _adding_up(sums: Floats, observed: float) -> Parts:
    """Give the parts so that they add up to the observed disorder to the last bit.

    Sums in another order differ by some units in the last place, which go to the largest part, and
    what is too little for its last place to the next; a difference that is more than rounding stays
    to be seen.
    """
    parts = sums.tolist()
    if abs(sums.sum() - observed) <= _ROUNDING * observed:
        for place in np.argsort(-sums).tolist():
            if parts[place] > 0.0:
                parts[place] += math.fsum((observed, *(-part for part in parts)))
    return Parts(*parts)


def _weighted(parts: Iterable[tuple[Parts, float]]) -> Parts:
    known = [(np.array(each), weight) for each, weight in parts]
    sums: Floats = np.sum([each * weight for each, weight in known], axis=0)
    return Parts(*sums.tolist())


def _rows(parts: Floats) -> list[Parts]:
    return [Parts(*row) for row in parts.tolist()]


def _costliest_first(confusions: Iterable[Confusion]) -> tuple[Confusion, ...]:
    return tuple(
        sorted(
            confusions,
            key=lambda each: (-each.disorder, -each.pairs, *map(label_order, each.labels)),
        )
    )


def _signature(result: GammaResult) -> Signature:
    return Signature("diagnosis", result.signature.settings)
