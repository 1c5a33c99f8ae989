"""Sources of disagreement: positions, labels and missing units."""

from __future__ import annotations

import math
from dataclasses import field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.data import check_kind_of_data, of_units_or_ratings
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import (
    CombinedDissimilarity,
    check_dissimilarity,
    label_counts,
    positional,
)
from unisono.measures.gamma.gamma import gamma
from unisono.measures.products import parts_of_sum
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, check_continuum_or_corpus
from unisono.model.labels import label_order
from unisono.model.ratings import Ratings
from unisono.results.agreement import certain_value
from unisono.results.data import OfData
from unisono.results.record import (
    label_keys,
    part,
    plain_number,
    record,
    without_documents,
)
from unisono.results.sheet import (
    KINDS,
    Column,
    Fact,
    Sheet,
    Table,
    column,
    columns,
    figure,
)
from unisono.results.values import Signature
from unisono.results.wording import decimals
from unisono.studies.rating_diagnosis import diagnose_ratings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

    from narwhals.typing import IntoFrame
    from numpy.typing import NDArray

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.dissimilarity import Dissimilarity, Fitted
    from unisono.measures.gamma.keywords import DiagnosisSettings
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.measures.items.coefficients import MissingPolicy
    from unisono.measures.items.interval import Clusters
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label
    from unisono.results.sheet import Row
    from unisono.studies.rating_diagnosis import RatingDiagnosis

__all__ = [
    "AnnotatorParts",
    "Confusion",
    "Diagnosis",
    "DisorderParts",
    "LabelParts",
    "diagnose",
    "gamma_summary",
]

POSITION, LABEL, MISSING = range(3)


class AlignmentParts(NamedTuple):
    """The disorder by group, annotator and label, before division by x̄.

    Each array has three columns: position, label, missing units. The column sums of the three
    arrays are equal.
    """

    of_groups: Floats
    of_annotators: Floats
    of_labels: Floats
    """One row per label of the continuum."""
    confused: NDArray[np.int64]
    """One row per pair of labels that occur together in a group: their codes, the smaller first."""
    confused_pairs: NDArray[np.int64]
    """Number of pairs of units with these labels."""
    confused_disorder: Floats


def disorder_parts(alignment: Alignment, fitted: Fitted) -> AlignmentParts:
    """Split the disorder of every group into its parts."""
    continuum, indices = alignment.continuum, alignment.indices
    n, n_labels = len(continuum.annotators), len(continuum.labels)
    # Eq. 6 of Mathet et al. (2015): the mean over unordered pairs, missing units included.
    unit_cost = fitted.empty / (n * (n - 1) / 2)
    of_groups = np.zeros((len(indices), 3))
    of_annotators, of_labels = np.zeros((n, 3)), np.zeros((n_labels, 3))
    codes = continuum.label_codes.astype(np.int64)
    table = None if fitted.label == 0.0 else fitted.table
    unlike_pairs: list[tuple[NDArray[np.int64], Floats]] = []
    for a, b in combinations(range(n), 2):
        group = np.flatnonzero((indices[:, a] >= 0) & (indices[:, b] >= 0))
        if not group.size:
            continue
        u, v = indices[group, a], indices[group, b]
        costs = np.zeros((len(group), 2))
        if fitted.position:
            starts, ends = continuum.starts, continuum.ends
            distances = positional(starts[u], ends[u], starts[v], ends[v], fitted.power)
            costs[:, POSITION] = fitted.position * distances * unit_cost
        if table is not None:
            costs[:, LABEL] = fitted.label * table[codes[u], codes[v]] * unit_cost
        # Each group has at most one pair of these two annotators, so no index occurs twice.
        of_groups[group, :2] += costs
        of_annotators[[a, b], :2] += costs.sum(axis=0) / 2.0
        for at in (POSITION, LABEL):
            for unit in (u, v):
                halves = np.bincount(codes[unit], costs[:, at] / 2.0, minlength=n_labels)
                of_labels[:, at] += halves
        keys = np.minimum(codes[u], codes[v]) * n_labels + np.maximum(codes[u], codes[v])
        unlike = codes[u] != codes[v]
        unlike_pairs.append((keys[unlike], costs[unlike, LABEL]))
    _add_missing(alignment, unit_cost, of_groups, of_annotators, of_labels)
    confused, pairs, disorder = _confusions(unlike_pairs, n_labels)
    return AlignmentParts(of_groups, of_annotators, of_labels, confused, pairs, disorder)


def _add_missing(
    alignment: Alignment,
    unit_cost: float,
    of_groups: Floats,
    of_annotators: Floats,
    of_labels: Floats,
) -> None:
    present = alignment.indices >= 0
    if not present.size:
        return
    real = present.sum(axis=1)
    empty = present.shape[1] - real
    both_empty = empty * (empty - 1) / 2.0
    of_groups[:, MISSING] = (real * empty + both_empty) * unit_cost
    shared = both_empty / real
    of_place = np.where(present, (empty / 2.0 + shared)[:, None], (real / 2.0)[:, None])
    of_annotators[:, MISSING] = of_place.sum(axis=0) * unit_cost
    of_unit = np.broadcast_to((empty + shared)[:, None], present.shape)[present]
    codes = alignment.continuum.label_codes[alignment.indices[present]]
    of_labels[:, MISSING] = np.bincount(codes, of_unit, minlength=len(of_labels)) * unit_cost


def _confusions(
    unlike_pairs: list[tuple[NDArray[np.int64], Floats]], n_labels: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    keys = np.concatenate([np.empty(0, np.int64), *(each for each, _ in unlike_pairs)])
    costs = np.concatenate([np.empty(0), *(each for _, each in unlike_pairs)])
    found, place, pairs = np.unique(keys, return_inverse=True, return_counts=True)
    labels = np.column_stack(np.divmod(found, max(1, n_labels)))
    disorder: Floats = np.bincount(place, costs, minlength=len(found)).astype(np.float64)
    return labels, pairs, disorder


class DisorderParts(NamedTuple):
    """The three parts that sum to a disorder.

    Examples
    --------
    >>> import unisono as un
    >>> un.results.DisorderParts(position=0.25, label=0.5, missing=1.0).total
    1.75
    """

    position: float
    """Aligned units with different starts or ends."""
    label: float
    """Aligned units with different labels."""
    missing: float
    """Units that an annotator did not mark."""

    @property
    def total(self) -> float:
        """The sum of the three parts.

        Examples
        --------
        >>> import unisono as un
        >>> un.results.DisorderParts(0.0, 0.5, 0.25).total
        0.75
        """
        return math.fsum(self)

    def to_dict(self) -> dict[str, float | None]:
        """Return the parts and their sum as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> un.results.DisorderParts(0.0, 0.5, 0.25).to_dict()
        {'position': 0.0, 'label': 0.5, 'missing': 0.25, 'total': 0.75}
        """
        numbers = self._asdict() | {"total": self.total}
        return {name: plain_number(value) for name, value in numbers.items()}


class LabelParts(NamedTuple):
    """The contribution of the units of one label to the disorder.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 5, 7, "B")])
    >>> un.diagnose(text, draws=30, rng=1).by_label["B"].parts.missing
    0.666...
    """

    parts: DisorderParts
    n_units: int


class AnnotatorParts(NamedTuple):
    """The contribution of one annotator to the disorder.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 5, 7, "B")])
    >>> bob = un.diagnose(text, draws=30, rng=1).by_annotator["bob"]
    >>> bob.n_units, bob.missed, bob.alone
    (2, 0, 1)
    """

    parts: DisorderParts
    n_units: int
    missed: int
    """Number of groups in which most of the others have a unit, but not this annotator."""
    alone: int
    """Number of groups in which no other annotator has a unit."""


class Confusion(NamedTuple):
    """Two different labels of aligned units.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> un.diagnose(text, draws=30, rng=1).confusions
    (Confusion(labels=('A', 'B'), n_pairs=1, disorder=1.0),)
    """

    labels: tuple[Label | None, Label | None]
    n_pairs: int
    """Number of pairs of aligned units with these labels."""
    disorder: float
    """Their contribution to the label part of the disorder."""


def gamma_summary(result: GammaAgreement) -> dict[str, Any]:
    """Return γ as plain data without documents and without the disorders of the draws."""
    found = without_documents(result) or {}
    del found["draw_disorders"]
    return found


@record
class Diagnosis(OfData):
    """The observed disorder by source: position, label and missing units.

    Parameters
    ----------
    parts
        The three parts of the observed disorder, which sum to it.
    by_label
        The contribution of each label; the contributions sum to `parts`.
    by_annotator
        The contribution of each annotator; the contributions sum to `parts`.
    confusions
        Pairs of different labels of aligned units, in descending order of disorder; they sum to the
        label part.
    group_parts
        One row per group of the alignment and one column per part, in the order of `parts`; each
        row sums to the disorder of the group. Empty for a corpus, see `documents`.
    weight
        The weight of the document in its corpus: the parts of the corpus are the weighted sum of
        the parts of its documents. 1 for a single continuum and for a corpus.
    gamma
        The result whose disorder is diagnosed.
    documents
        The diagnosis of each document of a corpus, by name; empty for a single continuum.
    signature
        All settings that affect a number.

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

    parts: DisorderParts
    by_label: Mapping[Label | None, LabelParts]
    by_annotator: Mapping[str, AnnotatorParts]
    confusions: tuple[Confusion, ...]
    group_parts: Floats
    weight: float = 1.0
    gamma: GammaAgreement = field(metadata=part(json=gamma_summary))
    documents: Mapping[str, Diagnosis] = field(default_factory=dict)
    signature: Signature

    computed = ("losses",)
    excluded = ("group_parts",)

    @property
    def losses(self) -> DisorderParts:
        """The loss in γ due to each part: the parts divided by the expected disorder.

        They sum to 1 − γ, and are NaN if γ is undefined.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 3, "B")])
        >>> found = un.diagnose(text, draws=30, rng=1)
        >>> abs(found.losses.total - (1 - found.gamma.value)) < 1e-12
        True
        """
        if self.gamma.undefined:
            return DisorderParts(math.nan, math.nan, math.nan)
        return DisorderParts(*(part / self.gamma.expected for part in self.parts))

    def __repr__(self) -> str:
        text = ", ".join(f"{name} {decimals(part)}" for name, part in self.parts._asdict().items())
        return f"Diagnosis({text})"

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the diagnosis, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.diagnose(un.read("examples/corpus"), draws=30, rng=1)
        >>> [table.name for table in found.sheet().tables if table.people]
        ['part', 'label', 'annotator', 'confusion', 'document']
        """
        family = self.gamma.sheet()
        return Sheet(
            name="diagnosis",
            title=title,
            headline=family.headline[:1],
            findings=family.findings,
            tables=tuple(_tables(self)),
            facts=(
                Fact(column("gamma", kind=KINDS["coefficient"]), certain_value(self.gamma)),
                *family.facts,
            ),
            notes=family.notes,
            figures=(
                *((figure("parts", self),) if self.parts.total > 0.0 else ()),
                *((figure("confusion", self),) if any(c.disorder for c in self.confusions) else ()),
            ),
            signatures=(self.signature,),
        )


_NUMBERS = (
    *columns("parts_position parts_label parts_missing parts_total share", parts_total="never"),
    column("loss", show="never"),
)
_TOTAL = 3
_COEFFICIENTS = (
    column("gamma", kind=KINDS["coefficient"]),
    column("gamma_cat", kind=KINDS["coefficient"], show="room"),
)


def _numbers(found: Diagnosis, parts: DisorderParts) -> Row:
    """Return the parts, their sum, its share of the observed disorder, and its loss in γ."""
    total, expected = found.parts.total, found.gamma.expected
    share = parts.total / total if total > 0.0 else math.nan
    loss = parts.total / expected if expected > 0.0 else math.nan
    return *parts, parts.total, share, loss


def _tables(found: Diagnosis) -> Iterator[Table]:
    """Yield the tables of parts, labels, annotators, confusions and documents."""
    yield _part_table(found)
    gamma = found.gamma
    yield Table(
        name="all",
        columns=(
            *columns("document label label_a label_b annotator"),
            *(*_NUMBERS, *columns("n_units missed alone n_pairs"), *_COEFFICIENTS),
        ),
        rows=[
            (
                *(*[None] * 5, *_numbers(found, found.parts), gamma.n_units, *[None] * 3),
                *(gamma.value, gamma.gamma_cat.value),
            )
        ],
        people=False,
    )
    keys = label_keys(found.by_label)
    yield _worst_first(
        "label",
        (column("label"), *_NUMBERS, column("n_units")),
        [
            (keys[label], *_numbers(found, each.parts), each.n_units)
            for label, each in found.by_label.items()
        ],
    )
    yield _worst_first(
        "annotator",
        (column("annotator"), *_NUMBERS, *columns("n_units missed alone")),
        [
            (name, *_numbers(found, each.parts), each.n_units, each.missed, each.alone)
            for name, each in found.by_annotator.items()
        ],
    )
    if found.confusions:
        yield _confusion_table(found, keys)
    documents = [
        (
            *(name, *_numbers(found, DisorderParts(*(each.weight * part for part in each.parts)))),
            *map(certain_value, (each.gamma, each.gamma.gamma_cat)),
            each.gamma.n_units,
        )
        for name, each in found.documents.items()
    ]
    shape = (column("document"), *_NUMBERS, *_COEFFICIENTS, column("n_units"))
    yield replace(_worst_first("document", shape, documents), people=len(documents) > 1)


def _part_table(found: Diagnosis) -> Table:
    """Return the table of the three parts and their sum, for people."""
    total, losses = found.parts.total, found.losses
    names = ("position", "labels", "missing units", "all")
    lines = zip(names, (*found.parts, total), (*losses, losses.total), strict=True)
    return Table(
        name="part",
        columns=columns("part disorder share loss"),
        rows=[
            (name, disorder, disorder / total if total > 0.0 else math.nan, loss)
            for name, disorder, loss in lines
        ],
        reasons=[("γ", found.gamma.undefined)] if found.gamma.undefined else [],
        programs=False,
    )


def _confusion_table(found: Diagnosis, keys: Mapping[Label | None, str]) -> Table:
    """Return the table of confusions, in descending order of disorder."""
    place, labels, missing, total, share, loss = _NUMBERS
    return Table(
        name="confusion",
        columns=(
            *columns("label_a label_b n_pairs"),
            *(replace(place, show="never"), replace(labels, heading="disorder")),
            *(replace(missing, show="never"), total, share, loss),
        ),
        rows=[
            (
                *(*(keys[label] for label in each.labels), each.n_pairs),
                *_numbers(found, DisorderParts(0.0, each.disorder, 0.0)),
            )
            for each in found.confusions
        ],
        noun="pair",
        limited=True,
    )


def _worst_first(name: str, shape: tuple[Column, ...], rows: list[Row]) -> Table:
    """Return a table whose rows are shown to people in descending order of disorder."""
    return Table(
        name=name,
        columns=shape,
        rows=rows,
        limited=True,
        worst_first=lambda row: (-row[1 + _TOTAL], row[0]),
    )


@overload
def diagnose(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    result: GammaAgreement | None = None,
    **settings: Unpack[DiagnosisSettings],
) -> Diagnosis: ...
@overload
def diagnose(
    data: Ratings,
    *,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
    most_items: int = 1000,
) -> RatingDiagnosis: ...
@overload
def diagnose(data: IntoFrame, **settings: Any) -> Diagnosis | RatingDiagnosis: ...  # noqa: ANN401 - by the kind of data
@of_units_or_ratings  # type: ignore[misc]
def diagnose(
    data: Continuum | Corpus | Ratings | IntoFrame,
    *,
    dissimilarity: Dissimilarity | None = None,
    result: GammaAgreement | None = None,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
    most_items: int = 1000,
    **settings: Unpack[DiagnosisSettings],
) -> Diagnosis | RatingDiagnosis:
    """Divide disagreement by its sources: the disorder of units, or the disagreement of ratings.

    Parameters
    ----------
    data
        One `Continuum`, a `Corpus` of them, or `Ratings`; or a dataframe of units or ratings.
    dissimilarity
        For units, their dissimilarity, as for `gamma`.
    result
        For units, the result of `gamma` for the same data and dissimilarity; computed by default.
    distance, missing, order, clusters
        For ratings, as for `krippendorff_alpha`.
    most_items
        For ratings, the maximum number of items to list, those with the most disagreement.
    **settings
        For units, other settings of `gamma`; only without `result`.

    Returns
    -------
    Diagnosis
        The three parts of the observed disorder (position, label, missing units), which sum to it,
        and the same for each label, annotator and document; for ratings a `RatingDiagnosis`: the
        parts of the observed disagreement of α by annotator, item, label and pair of labels.

    Raises
    ------
    SettingError
        If a setting is invalid, or the dissimilarity is a function, which has no parts.
    DataError
        If there is nothing to compare, or the result belongs to other data.

    Notes
    -----
    Units. The disorder of a group is the mean over its pairs of annotators [1]_ (eq. 6). A pair of
    units costs ``position``·d_pos + ``label``·d_cat, which are its two parts; a pair with a missing
    unit costs ``empty``, which is the part of missing units. All sums are divided by x̄ (eq. 7).
    The parts are exact; only their losses in γ depend on draws.

    How a part is divided among annotators and labels is a convention, chosen so that sums agree.
    The cost of a pair of units is divided equally between its annotators, and equally between its
    labels. The cost of a unit and a missing unit is divided equally between the annotators, and
    assigned to the label of the unit. The cost of two missing units is divided among the annotators
    who have a unit in the group.

    Ratings. The observed disagreement of α is the mean distance of two ratings of the same item,
    each pair weighted as `missing` states [2]_. The distance of a pair is divided equally between
    its annotators, and equally between its labels; items and pairs of labels get it whole. So the
    parts of each of the four tables sum to the observed disagreement, and with the policy
    ``values`` it is the mean over annotators of their mean distance to the others, weighted by the
    number of their ratings.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.
    .. [2] Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. Departmental papers
       (ASC), University of Pennsylvania.

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

    Where do raters disagree?

    >>> found = un.diagnose(un.read_ratings("examples/politeness.csv"), distance="ordinal")
    >>> found.items[0].item, found.items[0].label_counts
    ('reply18', {1: 1, 2: 1, 3: 1, 4: 1})
    """
    given = {"distance": distance, "missing": missing, "order": order, "clusters": clusters}
    of_ratings = {**given, "most_items": most_items}
    of_units = {"dissimilarity": dissimilarity, "result": result, **settings}
    if isinstance(data, Ratings):
        check_kind_of_data("diagnose", "ratings", of_units, dict.fromkeys(of_units))
        return diagnose_ratings(data, **of_ratings)  # type: ignore[arg-type]
    check_continuum_or_corpus("diagnose", data)
    usual = {"distance": "nominal", "missing": "values", "most_items": 1000}
    check_kind_of_data("diagnose", "units", of_ratings, usual)
    return _diagnose_units(data, dissimilarity, result, **settings)  # type: ignore[arg-type]


def _diagnose_units(
    data: Continuum | Corpus,
    dissimilarity: Dissimilarity | None,
    result: GammaAgreement | None,
    **settings: Unpack[DiagnosisSettings],
) -> Diagnosis:
    if result is None:
        found = gamma(data, dissimilarity=dissimilarity, **settings)
    elif settings:
        msg = (
            f"{', '.join(settings)} cannot be combined with result=, which has its own settings; "
            "omit result="
        )
        raise SettingError(msg)
    else:
        found = result
    rules = chance_rules(found.signature["chance"])
    chosen = CombinedDissimilarity(**rules.weights) if dissimilarity is None else dissimilarity
    check_dissimilarity(chosen)
    fitted = chosen.fitted(data.labels, label_counts(data))
    if fitted.cost is not None:
        msg = (
            "a diagnosis needs a dissimilarity with a positional and a label part, not a function; "
            "use CombinedDissimilarity, PositionalDissimilarity or CategoricalDissimilarity"
        )
        raise SettingError(msg)
    _check_result(found, data, fitted)
    results: Mapping[str, GammaAgreement] = found.documents or {"": found}
    diagnoses = {
        name: _diagnose_document(each, each.alignment, fitted)
        for name, each in results.items()
        if each.alignment is not None and len(each.alignment)
    }
    if not diagnoses:
        msg = f"no disorder to diagnose: {found.undefined or 'there are no units'}"
        raise DataError(msg)
    if isinstance(data, Continuum):
        return next(iter(diagnoses.values()))
    mean_units = {
        name: rules.mean_units(results[name].n_units, results[name].n_annotators)
        for name in diagnoses
    }
    total = float(sum(mean_units.values()))
    weights = {name: each / total for name, each in mean_units.items()}
    return _pool_documents(found, diagnoses, weights)


def _check_result(found: GammaAgreement, data: Continuum | Corpus, fitted: Fitted) -> None:
    signature = found.signature
    if signature["data"] != data.digest[:8]:
        msg = (
            f"result= belongs to data {signature['data']}, not to these data, {data.digest[:8]}; "
            "pass the result for the same data"
        )
        raise DataError(msg)
    if signature["dissim"] != fitted.text:
        msg = (
            f"result= was computed with the dissimilarity {signature['dissim']}, "
            f"not {fitted.text}; pass the same dissimilarity="
        )
        raise SettingError(msg)


def _diagnose_document(
    result: GammaAgreement, alignment: Alignment, corpus_fitted: Fitted
) -> Diagnosis:
    continuum = alignment.continuum
    found = disorder_parts(alignment, corpus_fitted.for_labels(continuum.labels))
    mean_units = chance_rules(result.signature["chance"]).mean_units(
        len(continuum), len(continuum.annotators)
    )
    present = alignment.indices >= 0
    real = present.sum(axis=1)
    missed = (~present & (2 * real > present.shape[1] - 1)[:, None]).sum(axis=0)
    alone = (present & (real == 1)[:, None]).sum(axis=0)
    counts = np.bincount(continuum.label_codes, minlength=len(continuum.labels))
    by_label = {
        label: LabelParts(parts, int(count))
        for label, parts, count in zip(
            continuum.labels, _rows(found.of_labels / mean_units), counts, strict=True
        )
    }
    by_annotator = {
        name: AnnotatorParts(parts, *map(int, counts))
        for name, parts, *counts in zip(
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
        parts=DisorderParts(
            *parts_of_sum(found.of_groups.sum(axis=0) / mean_units, result.observed)
        ),
        by_label=by_label,
        by_annotator=by_annotator,
        confusions=_costliest_first(confusions),
        group_parts=found.of_groups,
        gamma=result,
        signature=_signature(result),
    )


def _pool_documents(
    result: GammaAgreement, diagnoses: Mapping[str, Diagnosis], weights: Mapping[str, float]
) -> Diagnosis:
    labels: dict[Label | None, list[tuple[LabelParts, float]]] = {}
    annotators: dict[str, list[tuple[AnnotatorParts, float]]] = {}
    confused: dict[tuple[Label | None, Label | None], list[tuple[Confusion, float]]] = {}
    for name, each in diagnoses.items():
        for label, of_label in each.by_label.items():
            labels.setdefault(label, []).append((of_label, weights[name]))
        for annotator, of_annotator in each.by_annotator.items():
            annotators.setdefault(annotator, []).append((of_annotator, weights[name]))
        for confusion in each.confusions:
            confused.setdefault(confusion.labels, []).append((confusion, weights[name]))
    sums = _weighted((each.parts, weights[name]) for name, each in diagnoses.items())
    return Diagnosis(
        parts=DisorderParts(*parts_of_sum(np.array(sums), result.observed)),
        by_label={
            label: LabelParts(
                _weighted((each.parts, weight) for each, weight in labels[label]),
                sum(each.n_units for each, _ in labels[label]),
            )
            for label in sorted(labels, key=label_order)
        },
        by_annotator={
            name: AnnotatorParts(
                _weighted((each.parts, weight) for each, weight in annotators[name]),
                sum(each.n_units for each, _ in annotators[name]),
                sum(each.missed for each, _ in annotators[name]),
                sum(each.alone for each, _ in annotators[name]),
            )
            for name in sorted(annotators)
        },
        confusions=_costliest_first(
            Confusion(
                pair,
                sum(each.n_pairs for each, _ in found),
                float(sum(each.disorder * weight for each, weight in found)),
            )
            for pair, found in confused.items()
        ),
        group_parts=np.empty((0, 3)),
        gamma=result,
        documents={name: replace(each, weight=weights[name]) for name, each in diagnoses.items()},
        signature=_signature(result),
    )


def _weighted(parts: Iterable[tuple[DisorderParts, float]]) -> DisorderParts:
    known = [(np.array(each), weight) for each, weight in parts]
    sums: Floats = np.sum([each * weight for each, weight in known], axis=0)
    return DisorderParts(*sums.tolist())


def _rows(parts: Floats) -> list[DisorderParts]:
    return [DisorderParts(*row) for row in parts.tolist()]


def _costliest_first(confusions: Iterable[Confusion]) -> tuple[Confusion, ...]:
    return tuple(
        sorted(
            confusions,
            key=lambda each: (-each.disorder, -each.n_pairs, *map(label_order, each.labels)),
        )
    )


def _signature(result: GammaAgreement) -> Signature:
    return Signature("diagnosis", result.signature.settings)
