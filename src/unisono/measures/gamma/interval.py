"""Intervals of γ, γcat and γk for the population of documents, by the jackknife."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.jackknife import DOCUMENTS, Jackknife, divided, left, ratio_jackknife
from unisono.model.labels import label_text
from unisono.results.record import OnDemand
from unisono.results.wording import some

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unisono.measures.gamma.evidence import CorpusEvidence, Evidence, Totals
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.measures.jackknife import NoInterval
    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label
    from unisono.results.agreement import ChanceAgreement
    from unisono.results.values import Interval

__all__ = ["document_jackknife", "label_jackknives", "with_intervals"]

# Maximum number of entries × draws processed together: 16 MB as floats.
_MOST_NUMBERS = 2**21


class _Entries(NamedTuple):
    """Documents with comparable pairs: coefficient, size, and disagreement without the document."""

    columns: Integers
    sizes: Floats
    without: Floats


def with_intervals(
    result: GammaAgreement, found: CorpusEvidence, totals: Totals, *, confidence: float
) -> GammaAgreement:
    """Add the intervals of γ, γcat and γk to the result of a corpus.

    Notes
    -----
    The jackknife leaves out each document: γ is then 1 − Σx̄δ/Σx̄δe of the others, and γcat and γk
    are the means over draws of their ratios of sums, as for the whole corpus. Nothing is aligned
    or drawn again. Documents have independent draws, so their Monte Carlo error is part of the
    variation between documents; if they share draws (``chance="corpus"``), it is added.
    """
    notes = list(result.notes)
    whole, why = None, None
    if result.undefined is None:
        whole, why = document_jackknife(found, totals).interval(confidence, DOCUMENTS)
    cat = result.gamma_cat
    intervals: dict[int, Interval] = {}
    reasons: dict[int, NoInterval] = {}
    for column, sample in label_jackknives(found, totals):
        interval, reason = sample.interval(confidence, DOCUMENTS)
        if interval is not None:
            intervals[column] = interval
        if reason is not None:
            reasons[column] = reason
    if cat.undefined is not None:
        reasons.pop(0, None)
    else:
        cat = replace(cat, interval=intervals.get(0))
    of_cat = reasons.pop(0, None)
    if why is not None and of_cat is not None and why.text == of_cat.text:
        notes.append(f"γ and γcat: {why.text}")
    else:
        notes += [f"{name}: {of.text}" for name, of in (("γ", why), ("γcat", of_cat)) if of]
    gamma_k = result.gamma_k
    if gamma_k:
        notes += _notes_on_labels(totals.labels, reasons)
        by_label = {totals.labels[column - 1]: each for column, each in intervals.items() if column}
        gamma_k = OnDemand(gamma_k, partial(_of_label, of=gamma_k, intervals=by_label))
    return replace(result, interval=whole, gamma_cat=cat, gamma_k=gamma_k, notes=tuple(notes))


def _of_label(
    label: Label | None,
    *,
    of: Mapping[Label | None, ChanceAgreement],
    intervals: Mapping[Label | None, Interval],
) -> ChanceAgreement:
    """Return γk of a label with its interval."""
    return replace(of[label], interval=intervals.get(label))


def _notes_on_labels(
    labels: tuple[Label | None, ...], reasons: Mapping[int, NoInterval]
) -> Iterator[str]:
    """Yield notes on the γk without a two-sided interval, by reason."""
    by_kind = defaultdict(list)
    for column, reason in sorted(reasons.items()):
        by_kind[reason.kind].append(label_text(labels[column - 1]) or "(no label)")
    for kind, names in by_kind.items():
        yield f"γk of {some(names, 3)}: {kind}"


def document_jackknife(found: CorpusEvidence, totals: Totals) -> Jackknife:
    """Return the jackknife of γ: its values without each of the documents."""
    observed, expected, sizes = [np.empty(0)], [np.empty(0)], [np.empty(0)]
    for block in found.blocks():
        mean_units = found.rules.mean_units_of(block.units_of, block.annotators_of)
        drawn = block.draw_disorders.reshape(len(mean_units), -1).mean(axis=1)
        sizes.append(mean_units)
        observed.append(block.disorder_sums * found.fitted.empty)
        expected.append(mean_units * drawn)
    observed_of, expected_of, size = (np.concatenate(each) for each in (observed, expected, sizes))
    return ratio_jackknife(
        observed_of,
        expected_of,
        size,
        empty=found.fitted.empty,
        variance=_shared_variance(found, totals.draws),
    )


def label_jackknives(found: CorpusEvidence, totals: Totals) -> Iterator[tuple[int, Jackknife]]:
    """Yield γcat and every γk that has a value, without each of the documents, by column."""
    entries = list(_entries(found, totals))
    columns, sizes, without = (np.concatenate(each) for each in zip(*entries, strict=True))
    order = np.argsort(columns, kind="stable")
    used, firsts = np.unique(columns[order], return_index=True)
    by_label = totals.by_label
    ends = np.append(firsts, len(order))
    for column, (first, last) in zip(used.tolist(), pairwise(ends.tolist()), strict=True):
        rows = order[first:last]
        weight = float(by_label.weight[column])
        observed, draws, _ = by_label.ratios(column)
        expected = float(draws.mean()) if len(draws) else 0.0
        if not weight > 0.0 or not 0.0 < expected < math.inf:
            continue
        disagreement = observed / expected
        chance = weight * expected / found.fitted.empty
        variance = disagreement**2 * _shared_variance(found, draws)
        once = np.ones(len(rows))
        sample = Jackknife(disagreement, without[rows], once, sizes[rows], chance, chance, variance)
        yield column, sample


def _shared_variance(found: CorpusEvidence, draws: Floats) -> float:
    """Return the squared relative error of the mean of draws, where all documents share them."""
    if found.rules.of_one_document or len(draws) < 2 or not float(draws.mean()) > 0.0:
        return 0.0
    return (float(draws.std(ddof=1)) / float(draws.mean())) ** 2 / len(draws)


def _entries(found: CorpusEvidence, totals: Totals) -> Iterator[_Entries]:
    """Yield the documents that add to γcat, then those that add to each γk."""
    empty = found.fitted.empty
    for block in found.blocks():
        n = len(block.draws_of)
        yield _left_out(
            np.zeros(n, np.int64),
            block.label_disorder * empty,
            block.label_weight,
            block.draw_label_disorder.reshape(n, -1),
            block.draw_label_weight.reshape(n, -1),
            totals,
        )
        for labels in np.unique(block.labels_of).tolist():
            yield from _entries_of_labels(block, labels, empty, totals)


def _entries_of_labels(
    block: Evidence, labels: int, empty: float, totals: Totals
) -> Iterator[_Entries]:
    rows, disorder, weight = block.label_draws(labels)
    codes = block.of_labels(block.label_codes, rows, labels)
    if not labels:
        return
    n_draws = disorder.shape[-1]
    yield _left_out(
        1 + codes.ravel().astype(np.int64),
        block.of_labels(block.label_disorder_of, rows, labels).ravel() * empty,
        block.of_labels(block.label_weight_of, rows, labels).ravel(),
        disorder.reshape(-1, n_draws),
        weight.reshape(-1, n_draws),
        totals,
    )


def _left_out(
    columns: Integers,
    disorder: Floats,
    weight: Floats,
    drawn_disorder: Floats,
    drawn_weight: Floats,
    totals: Totals,
) -> _Entries:
    """Return R of each column without one document, of documents with something to compare."""
    whole = totals.by_label
    here = np.flatnonzero((weight > 0.0) | (drawn_weight > 0.0).any(axis=1))
    without = np.empty(len(here))
    step = max(1, _MOST_NUMBERS // max(1, drawn_weight.shape[1]))
    for first in range(0, len(here), step):
        some_rows = here[first : first + step]
        of = columns[some_rows]
        found = divided(
            left(whole.disorder[of], disorder[some_rows]),
            left(whole.weight[of], weight[some_rows]),
        )
        ratios = divided(
            left(whole.draws_disorder[:, of].T, drawn_disorder[some_rows]),
            left(whole.draws_weight[:, of].T, drawn_weight[some_rows]),
        )
        # The draws that have nothing to compare are left out, as of the corpus.
        comparable = ~np.isnan(ratios)
        sums = np.where(comparable, ratios, 0.0).sum(axis=1)
        by_chance = divided(sums, comparable.sum(axis=1).astype(np.float64))
        without[first : first + step] = divided(found, by_chance)
    return _Entries(columns[here], weight[here], without)
