"""Where disagreement comes from: positions, labels and missing units."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.gamma.alignment import read_only
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import (
    Combined,
    check_dissimilarity,
    label_counts,
    positional,
)
from unisono.measures.gamma.gamma import gamma
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_order
from unisono.results.agreement import Signature
from unisono.results.blocks import markdown_code, markdown_table
from unisono.results.record import (
    InMarkdown,
    Pictured,
    Record,
    label_keys,
    plain_label,
    plain_number,
)
from unisono.results.wording import decimals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy.typing as npt
    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.dissimilarity import Dissimilarity, Fitted
    from unisono.measures.gamma.result import GammaResult
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label

__all__ = ["AnnotatorParts", "Confusion", "Diagnosis", "LabelParts", "Parts", "diagnose", "percent"]

POSITION, LABEL, MISSING = range(3)


class DisorderParts(NamedTuple):
    """Sums over groups, in the user's units and before they are divided by x̄.

    Each array has three columns: position, label, missing units. The sum over the rows of each of
    the three views is the same.
    """

    of_groups: Floats
    of_annotators: Floats
    of_labels: Floats
    """One row a label of the continuum."""
    confused: NDArray[np.int64]
    """Codes of two labels that stand side by side in a group, the smaller first; a row a pair."""
    confused_pairs: NDArray[np.int64]
    """In how many pairs of units."""
    confused_disorder: Floats


def disorder_parts(alignment: Alignment, fitted: Fitted) -> DisorderParts:
    """Take the disorder of every group apart."""
    continuum, indices = alignment.continuum, alignment.indices
    n, n_labels = len(continuum.annotators), len(continuum.labels)
    # Eq. 6 of Mathet et al. (2015): the mean over unordered pairs, empty places included.
    unit_cost = fitted.empty / (n * (n - 1) / 2)
    of_groups = np.zeros((len(indices), 3))
    of_annotators, of_labels = np.zeros((n, 3)), np.zeros((n_labels, 3))
    codes = continuum.label_codes.astype(np.int64)
    table = None if fitted.label == 0.0 else fitted.table
    met: list[tuple[NDArray[np.int64], Floats]] = []
    for a, b in combinations(range(n), 2):
        group = np.flatnonzero((indices[:, a] >= 0) & (indices[:, b] >= 0))
        if not group.size:
            continue
        u, v = indices[group, a], indices[group, b]
        costs = np.zeros((len(group), 2))
        if fitted.position:
            starts, ends = continuum.starts, continuum.ends
            apart = positional(starts[u], ends[u], starts[v], ends[v], fitted.power)
            costs[:, POSITION] = fitted.position * apart * unit_cost
        if table is not None:
            costs[:, LABEL] = fitted.label * table[codes[u], codes[v]] * unit_cost
        # A group has one pair of these two annotators, so nothing is added twice to a row.
        of_groups[group, :2] += costs
        of_annotators[[a, b], :2] += costs.sum(axis=0) / 2.0
        for part in (POSITION, LABEL):
            for unit in (u, v):
                halves = np.bincount(codes[unit], costs[:, part] / 2.0, minlength=n_labels)
                of_labels[:, part] += halves
        keys = np.minimum(codes[u], codes[v]) * n_labels + np.maximum(codes[u], codes[v])
        unlike = codes[u] != codes[v]
        met.append((keys[unlike], costs[unlike, LABEL]))
    _add_missing(alignment, unit_cost, of_groups, of_annotators, of_labels)
    confused, pairs, disorder = _confusions(met, n_labels)
    return DisorderParts(of_groups, of_annotators, of_labels, confused, pairs, disorder)


def _add_missing(
    alignment: Alignment,
    unit_cost: float,
    of_groups: Floats,
    of_annotators: Floats,
    of_labels: Floats,
) -> None:
    there = alignment.indices >= 0
    if not there.size:
        return
    real = there.sum(axis=1)
    empty = there.shape[1] - real
    both_empty = empty * (empty - 1) / 2.0
    of_groups[:, MISSING] = (real * empty + both_empty) * unit_cost
    shared = both_empty / real
    of_place = np.where(there, (empty / 2.0 + shared)[:, None], (real / 2.0)[:, None])
    of_annotators[:, MISSING] = of_place.sum(axis=0) * unit_cost
    of_unit = np.broadcast_to((empty + shared)[:, None], there.shape)[there]
    codes = alignment.continuum.label_codes[alignment.indices[there]]
    of_labels[:, MISSING] = np.bincount(codes, of_unit, minlength=len(of_labels)) * unit_cost


def _confusions(
    met: list[tuple[NDArray[np.int64], Floats]], n_labels: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    keys = np.concatenate([each for each, _ in met]) if met else np.empty(0, np.int64)
    costs = np.concatenate([each for _, each in met]) if met else np.empty(0)
    found, place, pairs = np.unique(keys, return_inverse=True, return_counts=True)
    labels = np.column_stack(np.divmod(found, max(1, n_labels)))
    disorder: Floats = np.bincount(place, costs, minlength=len(found)).astype(np.float64)
    return labels, pairs, disorder


class Parts(NamedTuple):
    """A disorder in three parts that add up to it.

    Examples
    --------
    >>> import unisono as un
    >>> un.Parts(position=0.25, label=0.5, missing=1.0).total
    1.75
    """

    position: float
    """Units of a group that do not begin or end at the same place."""
    label: float
    """Units of a group that are not called the same."""
    missing: float
    """Units that somebody did not mark."""

    @property
    def total(self) -> float:
        """The sum of the three.

        Examples
        --------
        >>> import unisono as un
        >>> un.Parts(0.0, 0.5, 0.25).total
        0.75
        """
        return math.fsum(self)


class LabelParts(NamedTuple):
    """What the units of one label add to the disorder.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 5, 7, "B")])
    >>> un.diagnose(text, draws=30, rng=1).by_label["B"].parts.missing
    0.666...
    """

    parts: Parts
    n_units: int


class AnnotatorParts(NamedTuple):
    """What one annotator adds to the disorder.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 5, 7, "B")])
    >>> bob = un.diagnose(text, draws=30, rng=1).by_annotator["bob"]
    >>> bob.n_units, bob.missed, bob.alone
    (2, 0, 1)
    """

    parts: Parts
    n_units: int
    missed: int
    """Groups in which more than half of the others have a unit, and this annotator has none."""
    alone: int
    """Groups in which nobody else has a unit."""


class Confusion(NamedTuple):
    """Two labels that annotators gave to the same unit.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> un.diagnose(text, draws=30, rng=1).confusions
    (Confusion(labels=('A', 'B'), pairs=1, disorder=1.0),)
    """

    labels: tuple[Label | None, Label | None]
    pairs: int
    """In how many pairs of aligned units."""
    disorder: float
    """What they add to the label part."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Diagnosis(Record, InMarkdown, Pictured):
    """Where the observed disorder comes from.

    Parameters
    ----------
    parts
        The observed disorder in three parts, which add up to it.
    by_label
        What the units of each label add; these add up to `parts`.
    by_annotator
        What each annotator adds; these add up to `parts`.
    confusions
        Pairs of labels that were given to the same unit, the costliest first; they add up to the
        label part.
    group_parts
        One row a group of the alignment and one column a part, in the order of `parts`; they add
        up to the group's disorder. Without rows for a corpus, whose documents have their own.
    weight
        By how much a document counts in its corpus: the pooled parts are the sum over documents of
        this times theirs. 1 for one continuum and for a corpus.
    gamma
        The agreement that this is the diagnosis of.
    documents
        A diagnosis for each document of a corpus, by name; empty for one continuum.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 10, "A"), ("ann", 20, 30, "B"), ("bob", 0, 8, "A"), ("bob", 40, 50, "B")]
    ... )
    >>> found = un.diagnose(text, draws=30, rng=1)
    >>> print(found)
    part           disorder    share  of 1 − γ
    position         0.0062    0.6 %    0.0041
    labels           0.0000    0.0 %    0.0000
    missing units    1.0000   99.4 %    0.6652
    all              1.0062  100.0 %    0.6693
    >>> found.parts.total == found.gamma.observed
    True
    """

    parts: Parts
    by_label: Mapping[Label | None, LabelParts]
    by_annotator: Mapping[str, AnnotatorParts]
    confusions: tuple[Confusion, ...]
    group_parts: npt.NDArray[np.float64]
    weight: float = 1.0
    gamma: GammaResult
    documents: Mapping[str, Diagnosis] = field(default_factory=dict)
    signature: Signature

    def __post_init__(self) -> None:
        for name in ("by_label", "by_annotator", "documents"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        object.__setattr__(self, "group_parts", read_only(self.group_parts, np.float64))

    @property
    def losses(self) -> Parts:
        """What each part takes away from γ: the parts divided by the expected disorder.

        They add up to 1 − γ; NaN where γ is undefined.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 3, "B")])
        >>> found = un.diagnose(text, draws=30, rng=1)
        >>> abs(found.losses.total - (1 - found.gamma.value)) < 1e-12
        True
        """
        if self.gamma.undefined:
            return Parts(math.nan, math.nan, math.nan)
        return Parts(*(part / self.gamma.expected for part in self.parts))

    def part_cells(self) -> list[list[str]]:
        """Give the lines of the table of parts: name, disorder, share, and share of 1 − γ.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> un.diagnose(text, draws=30, rng=1).part_cells()[1][:3]
        ['labels', '1.0000', '100.0 %']
        """
        total, losses = self.parts.total, self.losses
        names = ("position", "labels", "missing units", "all")
        lines = zip(names, (*self.parts, total), (*losses, losses.total), strict=True)
        return [
            [name, decimals(part), percent(part, total), decimals(loss)]
            for name, part, loss in lines
        ]

    def __str__(self) -> str:
        cells = [["part", "disorder", "share", "of 1 − γ"], *self.part_cells()]
        widths = [max(len(line[at]) for line in cells) for at in range(4)]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if at else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(line, widths, strict=True))
            )
            for line in cells
        )

    def __repr__(self) -> str:
        told = ", ".join(f"{name} {decimals(part)}" for name, part in self.parts._asdict().items())
        return f"Diagnosis({told})"

    def to_dict(self) -> dict[str, Any]:
        """Give all parts as plain data, without the draws and the alignment behind them.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> un.diagnose(text, draws=30, rng=1).to_dict()["parts"]["label"]
        1.0
        """
        keys = label_keys(self.by_label)
        return {
            "parts": _plain(self.parts),
            "losses": _plain(self.losses),
            "value": plain_number(self.gamma.value),
            "observed": plain_number(self.gamma.observed),
            "expected": plain_number(self.gamma.expected),
            "undefined": self.gamma.undefined,
            "weight": self.weight,
            "by_label": {
                keys[label]: _plain(each.parts) | {"n_units": each.n_units}
                for label, each in self.by_label.items()
            },
            "by_annotator": {
                name: _plain(each.parts)
                | {"n_units": each.n_units, "missed": each.missed, "alone": each.alone}
                for name, each in self.by_annotator.items()
            },
            "confusions": [
                each._asdict() | {"labels": [plain_label(label) for label in each.labels]}
                for each in self.confusions
            ],
            "documents": {name: each.to_dict() for name, each in self.documents.items()},
            "signature": str(self.signature),
        }

    def to_markdown(self) -> str:
        """Give the parts as a Markdown table with the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> print(un.diagnose(text, draws=30, rng=1).to_markdown().splitlines()[3])
        | labels        |   1.0000 | 100.0 % |   1.2529 |
        """
        table = markdown_table(["part", "disorder", "share", "of 1 − γ"], self.part_cells())
        return "\n\n".join([table, markdown_code(str(self.signature))])


def percent(part: float, total: float) -> str:
    """Write a part as a share of the whole."""
    if not (total > 0.0 and math.isfinite(total)):
        return "–"
    share = 100.0 * part / total
    return "< 0.1 %" if 0.0 < share < 0.05 else f"{share:.1f} %"


def _plain(parts: Parts) -> dict[str, Any]:
    numbers = parts._asdict() | {"total": parts.total}
    return {name: plain_number(value) for name, value in numbers.items()}


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
