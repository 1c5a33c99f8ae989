"""Sources of disagreement in ratings: annotators, items, labels and pairs of labels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError
from unisono.measures.items.coefficients import (
    KrippendorffAlpha,
    pair_weights,
    pairable,
)
from unisono.measures.items.disagreement import distance_sums, pairs_of_cells
from unisono.measures.items.engine import Work, measured
from unisono.measures.items.metrics import Ranked
from unisono.measures.items.rows import Rows, ranges, weighted_counts
from unisono.measures.products import dot, parts_of_sum
from unisono.model.labels import label_order, label_text
from unisono.registry import check_settings
from unisono.results.data import OfData
from unisono.results.record import label_keys, record
from unisono.results.sheet import (
    KINDS,
    Column,
    Fact,
    Headline,
    Sheet,
    Table,
    column,
    columns,
    figure,
)
from unisono.results.values import Signature
from unisono.results.wording import count, decimals, printable
from unisono.studies.label_confusions import rated_label_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.coefficients import MissingPolicy
    from unisono.measures.items.interval import Clusters
    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.result import ItemsAgreement
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings
    from unisono.studies.label_confusions import LabelConfusions

__all__ = [
    "AnnotatorDisagreement",
    "ItemDisagreement",
    "LabelDisagreement",
    "LabelUse",
    "RatingConfusion",
    "RatingDiagnosis",
    "diagnose_ratings",
    "item_text",
    "votes_text",
]

_MOST_CELLS = 20_000_000
"""Ratings times annotators, up to which α is computed without each annotator."""
_MOST_CONFUSED = 1000
"""Labels, up to which pairs of labels are counted."""
_MOST_USES = 100_000
"""Labels times annotators, up to which the use of labels is compared."""
_MOST_IN_CHART = 200
_VALUES_AT_A_TIME = 1 << 18


class AnnotatorDisagreement(NamedTuple):
    """The disagreement of one annotator with the others.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "b"], "cy": ["a", "c"]})
    >>> un.diagnose(ratings).by_annotator["cy"].mean
    0.5
    """

    n_ratings: int
    """Number of ratings of items that another annotator rated, too."""
    mean: float
    """The mean distance of these ratings to those of the others on the same item."""
    disagreement: float
    """The part of the observed disagreement: half of the distance of each pair of ratings."""
    share: float
    """The same as a share of the observed disagreement."""
    alpha_without: float | None
    """α of the other annotators; NaN if it is undefined, `None` if it was not computed."""


class LabelDisagreement(NamedTuple):
    """The disagreement on one label.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "c"]})
    >>> un.diagnose(ratings).by_label["b"].share
    0.5
    """

    n_ratings: int
    """Number of ratings with this label, of items with two ratings or more."""
    disagreement: float
    """The part of the observed disagreement: half of the distance of each pair of ratings."""
    share: float
    """The same as a share of the observed disagreement."""


class ItemDisagreement(NamedTuple):
    """The disagreement on one item.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "c"]})
    >>> un.diagnose(ratings).items[0].label_counts
    {'b': 1, 'c': 1}
    """

    item: Hashable
    """The name of the item."""
    n_ratings: int
    label_counts: Mapping[Label, int]
    """The number of ratings of each label, the most frequent first."""
    mean: float
    """The mean distance of two ratings of the item."""
    disagreement: float
    """The part of the observed disagreement."""
    share: float
    """The same as a share of the observed disagreement."""


class RatingConfusion(NamedTuple):
    """Two different labels of the same items.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "c"]})
    >>> found = un.diagnose(ratings).confusions[0]
    >>> found.labels, found.n_pairs, found.proportion
    (('b', 'c'), 1, 0.5)
    """

    labels: tuple[Label, Label]
    n_pairs: int
    """Number of pairs of ratings of an item that have these labels."""
    proportion: float
    """The proportion of these pairs of all pairs, weighted as in α."""
    expected: float
    """The proportion that α expects by chance."""
    distance: float
    """The distance of the two labels."""
    disagreement: float
    """The part of the observed disagreement: the proportion times the distance."""
    share: float
    """The same as a share of the observed disagreement."""


class LabelUse(NamedTuple):
    """How often an annotator uses a label, compared with the others on the same items.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "c"]})
    >>> un.diagnose(ratings).label_use[0]
    LabelUse(annotator='ann', label='b', n_ratings=1, share=0.5, others=0.0)
    """

    annotator: str
    label: Label
    n_ratings: int
    share: float
    """The share of the ratings of the annotator."""
    others: float
    """The mean share of the ratings of the others on the same items."""


@record
class RatingDiagnosis(OfData):
    """The observed disagreement of ratings by annotator, item, label and pair of labels.

    Parameters
    ----------
    observed
        The observed disagreement of α, the mean distance of two ratings of the same item.
    by_annotator
        The disagreement of each annotator with the others; empty if annotators are unknown. The
        parts sum to `observed`.
    by_label
        The disagreement on each label. The parts sum to `observed`.
    items
        The items with the most disagreement, in descending order; empty if their names are unknown.
        If all are included, their parts sum to `observed`.
    n_disagreeing
        Number of items with disagreement.
    confusions
        Pairs of different labels of the same items, in descending order of disagreement. The parts
        sum to `observed`.
    label_use
        The use of each label by each annotator, in descending order of the difference from the
        others.
    alpha
        Krippendorff's α, whose observed disagreement is divided.
    label_pairs
        The counts of all pairs of labels; `None` for more than 200 labels.
    notes
        What was not computed, and why.
    signature
        All settings that affect a number.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.diagnose(un.read_ratings("examples/politeness.csv"), distance="ordinal")
    >>> found
    RatingDiagnosis(observed disagreement 347.0271, 18 items with disagreement)
    >>> found.observed == found.alpha.observed
    True
    """

    observed: float
    by_annotator: Mapping[str, AnnotatorDisagreement]
    by_label: Mapping[Label, LabelDisagreement]
    items: tuple[ItemDisagreement, ...]
    n_disagreeing: int
    confusions: tuple[RatingConfusion, ...]
    label_use: tuple[LabelUse, ...] = ()
    alpha: ItemsAgreement
    label_pairs: LabelConfusions | None = None
    notes: tuple[str, ...] = ()
    signature: Signature

    excluded = ("label_pairs",)

    def __repr__(self) -> str:
        items = f"{count(self.n_disagreeing, 'item')} with disagreement"
        return f"RatingDiagnosis(observed disagreement {decimals(self.observed)}, {items})"

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the diagnosis, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.diagnose(un.read_ratings("examples/politeness.csv"))
        >>> [table.name for table in found.sheet().tables if table.people]
        ['annotator', 'label_use', 'label', 'confusion', 'item']
        """
        alpha = self.alpha
        drawn = [
            ("annotators", alpha.by_pair),
            ("confusion", self.label_pairs is not None and self.confusions),
            ("labels", alpha.by_label),
        ]
        subjects = {"confusion": self.label_pairs}
        compared = f"{alpha.n_items:,} with two ratings or more"
        return Sheet(
            name="rating_diagnosis",
            title=title,
            headline=(Headline(alpha.signature.measure, alpha.value, alpha.interval),),
            tables=tuple(table for table in _tables(self) if table.rows),
            facts=(
                Fact(_ALPHA, alpha.value),
                Fact(column("observed"), self.observed),
                Fact(column("expected"), alpha.expected),
                Fact(column("n_items", heading="items with disagreement"), self.n_disagreeing,
                     f"of {compared}"),
                Fact(column("n_ratings"), alpha.n_ratings),
            ),
            notes=(*self.notes, *alpha.notes),
            figures=tuple(
                figure(chart, subjects.get(chart, alpha), description=_DESCRIPTIONS.get(chart, ""))
                for chart, parts in drawn
                if parts
            ),
            signatures=(self.signature,),
        )  # fmt: skip


_DESCRIPTIONS = {"confusion": "Pairs of ratings of the same item, weighted as in α."}
_ALPHA = Column(name="krippendorff_alpha", heading="α", kind=KINDS["coefficient"])
_DISAGREEMENT = Column(name="disagreement", heading="disagreement", kind=KINDS["value"])
_PARTS = (_DISAGREEMENT, column("share"))
_MEAN = Column(name="mean", heading="mean disagreement", kind=KINDS["value"])
_SHARE = KINDS["share"]


def _worst_first(name: str, shape: tuple[Column, ...], rows: Sequence[tuple[object, ...]],
                 noun: str = "") -> Table:  # fmt: skip
    """Return a table of rows that are in descending order already."""
    return Table(name=name, columns=shape, rows=rows, limited=True, noun=noun)


def _tables(found: RatingDiagnosis) -> Iterator[Table]:
    keys = label_keys(found.by_label)
    by_annotator = sorted(found.by_annotator.items(), key=lambda one: (-one[1].mean, one[0]))
    yield _worst_first(
        "annotator",
        (
            *columns("annotator n_ratings"),
            _MEAN,
            *_PARTS,
            Column(
                name="alpha_without",
                heading="α without",
                kind=KINDS["coefficient"],
                usual=None,
            ),
        ),
        [(name, of.n_ratings, of.mean, *of[2:4], of.alpha_without) for name, of in by_annotator],
    )
    yield _worst_first(
        "label_use",
        (
            *columns("annotator label n_ratings share"),
            Column(name="others", heading="others", kind=_SHARE),
        ),
        [(of.annotator, keys[of.label], *of[2:]) for of in found.label_use],
        noun="use",
    )
    by_label = sorted(found.by_label.items(), key=lambda one: (-one[1].disagreement, keys[one[0]]))
    yield _worst_first(
        "label",
        (*columns("label n_ratings"), *_PARTS),
        [(keys[label], *of) for label, of in by_label],
    )
    yield _worst_first(
        "confusion",
        (
            *columns("label_a label_b n_pairs"),
            Column(name="proportion", heading="of pairs", kind=_SHARE),
            Column(name="expected", heading="by chance", kind=_SHARE),
            Column(name="distance", heading="distance", kind=KINDS["value"], usual=1.0),
            *_PARTS,
        ),
        [(*(keys[label] for label in of.labels), *of[1:]) for of in found.confusions],
        noun="pair",
    )
    items = _worst_first(
        "item",
        (
            Column(name="item", heading="item", kind=KINDS["name"]),
            column("n_ratings"),
            Column(name="rated", heading="labels", kind=KINDS["text"]),
            _MEAN,
            replace(_DISAGREEMENT, show="room"),
            column("share"),
        ),
        [
            (item_text(of.item), of.n_ratings, votes_text(of.label_counts), *of[3:])
            for of in found.items
        ],
    )
    more = found.n_disagreeing - len(found.items) if found.items else 0
    yield replace(items, more=more)


def item_text(item: Hashable) -> str:
    """Return the name of an item as text; parts of a name are separated by spaces."""
    return " ".join(map(str, item)) if isinstance(item, tuple) else str(item)


def votes_text(votes: Mapping[Label, int]) -> str:
    """Return the number of ratings of each label as text."""
    return ", ".join(f"{printable(label_text(label))} ×{n:,}" for label, n in votes.items())


def diagnose_ratings(
    ratings: Ratings,
    *,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
    most_items: int = 1000,
) -> RatingDiagnosis:
    """Divide the observed disagreement of α by annotator, item, label and pair of labels."""
    check_settings({"most_items": most_items})
    coefficient = KrippendorffAlpha(distance=distance, missing=missing, order=order)
    alpha = measured(coefficient, Work(ratings, clusters), confidence=0.95)
    if not alpha.n_items:
        msg = f"there is no disagreement to diagnose: {alpha.undefined}"
        raise DataError(msg)
    found = _Division.of(ratings, coefficient, alpha.observed)
    notes: list[str] = []
    by_annotator = _by_annotator(found, coefficient, notes)
    counts = weighted_counts(found.rows.label_codes, found.counted, len(found.rows.labels))
    labels = ratings.labels
    parts = found.parts(found.rows.label_codes, len(labels))
    by_label = {
        label: LabelDisagreement(int(n), *numbers)
        for label, n, numbers in zip(labels, counts.tolist(), found.with_shares(parts), strict=True)
    }
    confusions: tuple[RatingConfusion, ...] = ()
    if len(labels) <= _MOST_CONFUSED:
        confusions = _confusions(found, counts, labels)
    else:
        notes.append(f"pairs of labels are counted for up to {_MOST_CONFUSED:,} labels")
    of_items = found.times * found.rows.within(found.values)
    n_disagreeing = int(ratings.times[of_items > 0.0].sum())
    items = _items(found, of_items, ratings, most_items)
    if ratings.items is None:
        notes.append("the names of the items are unknown, so the items are not listed")
    return RatingDiagnosis(
        observed=alpha.observed,
        by_annotator=by_annotator,
        by_label=by_label,
        items=items,
        n_disagreeing=n_disagreeing,
        confusions=confusions,
        label_use=_label_use(found, notes),
        alpha=alpha,
        label_pairs=(
            rated_label_pairs(ratings, missing=missing) if len(labels) <= _MOST_IN_CHART else None
        ),
        notes=tuple(notes),
        signature=Signature("rating_diagnosis", alpha.signature.settings),
    )


@dataclass(frozen=True)
class _Division:
    """The parts of the observed disagreement of α, one per rating."""

    ratings: Ratings
    rows: Rows
    metric: Metric
    weights: Floats
    """The weight of each pair of ratings of a row."""
    whole: float
    """The sum of the weights of all pairs."""
    observed: float

    @classmethod
    def of(cls, ratings: Ratings, coefficient: KrippendorffAlpha, observed: float) -> _Division:
        """Divide the disagreement of these ratings."""
        rows, times = Rows.of(ratings), ratings.times.astype(np.float64)
        metric = coefficient.metric(rows, times)
        pairs = pairable(rows, coefficient.missing)
        if isinstance(metric, Ranked):
            counted = rows.along(times * pairs)
            metric = metric.fitted(weighted_counts(rows.label_codes, counted, len(rows.labels)))
        weights = pair_weights(rows, coefficient.missing)
        whole = dot(times, rows.sizes * (rows.sizes - 1) / 2.0 * weights)
        return cls(ratings, rows, metric, weights, float(whole), observed)

    @cached_property
    def times(self) -> Floats:
        """The number of items of each row."""
        return self.ratings.times.astype(np.float64)

    @cached_property
    def sums(self) -> Floats:
        """The weighted sum of the distances of each value to the others of its row."""
        return distance_sums(self.rows, self.metric) * self.rows.along(self.weights)

    @cached_property
    def values(self) -> Floats:
        """The part of each value of one item: half of the distances to the other values."""
        return self.sums / (2.0 * self.whole)

    @cached_property
    def counted(self) -> Floats:
        """The number of items of each value, 0 for values without a pair."""
        return self.rows.along(self.times * (self.weights > 0.0))

    def parts(self, codes: NDArray[np.integer], n_codes: int) -> list[float]:
        """Return the parts of codes of values, which sum to the observed disagreement."""
        sums = weighted_counts(codes, self.values * self.rows.along(self.times), n_codes)
        return parts_of_sum(sums, self.observed)

    def with_shares(self, parts: Sequence[float]) -> Iterator[tuple[float, float]]:
        """Yield each part with its share of the observed disagreement."""
        for each in parts:
            yield each, each / self.observed if self.observed > 0.0 else math.nan


def _by_annotator(
    found: _Division, coefficient: KrippendorffAlpha, notes: list[str]
) -> dict[str, AnnotatorDisagreement]:
    ratings, rows = found.ratings, found.rows
    if ratings.anonymous:
        notes.append(
            "the annotators of the ratings are unknown, so there are no parts by annotator"
        )
        return {}
    n, codes = rows.n_annotators, rows.annotator_codes
    times = rows.along(found.times)
    n_ratings = weighted_counts(codes, found.counted, n)
    distances = weighted_counts(codes, times * found.sums, n)
    pairs = weighted_counts(codes, times * rows.along(found.weights * (rows.sizes - 1)), n)
    means = np.full(n, math.nan)
    np.divide(distances, pairs, out=means, where=pairs > 0.0)
    without: list[float | None] = [None] * n
    if n > 2 and n * ratings.n_ratings <= _MOST_CELLS:
        without = list(_alpha_without(ratings, coefficient))
    elif n > 2:
        notes.append("α without each annotator is not computed for so many ratings and annotators")
    parts = found.with_shares(found.parts(codes, n))
    return {
        name: AnnotatorDisagreement(int(number), mean, *numbers, alpha)
        for name, number, mean, numbers, alpha in zip(
            ratings.annotators, n_ratings.tolist(), means.tolist(), parts, without, strict=True
        )
    }


def _alpha_without(ratings: Ratings, coefficient: KrippendorffAlpha) -> Iterator[float]:
    """Yield α of the others for each annotator."""
    # Equal items are computed once.
    merged = ratings.merged()
    for name in merged.annotators:
        others = merged.only(annotators=[each for each in merged.annotators if each != name])
        try:
            found = measured(coefficient, Work(others), by_label=False, by_pair=False)
        except DataError:  # labels that the distance cannot compare any more
            yield math.nan
        else:
            yield found.value


def _confusions(
    found: _Division, counts: Floats, labels: Sequence[Label]
) -> tuple[RatingConfusion, ...]:
    cells, n = found.rows.cells, len(labels)
    keys, pairs, weights = [np.zeros(0, np.int64)], [np.zeros(0)], [np.zeros(0)]
    for rows, left, right in pairs_of_cells(found.rows, most_labels=None):
        both = found.times[rows] * cells.counts[left] * cells.counts[right]
        both = np.where(found.weights[rows] > 0.0, both, 0.0)
        block, place = np.unique(cells.labels[left] * n + cells.labels[right], return_inverse=True)
        keys.append(block)
        pairs.append(weighted_counts(place, both, len(block)))
        weights.append(weighted_counts(place, both * found.weights[rows], len(block)))
    known, place = np.unique(np.concatenate(keys), return_inverse=True)
    n_pairs = weighted_counts(place, np.concatenate(pairs), len(known))
    proportions = weighted_counts(place, np.concatenate(weights), len(known)) / found.whole
    met = n_pairs > 0.0
    known, n_pairs, proportions = known[met], n_pairs[met], proportions[met]
    one, other = np.divmod(known, n)
    distances = found.metric.between(one, other)
    total = counts.sum()
    # Of two values drawn without replacement, as in the expected disagreement of α.
    expected = 2.0 * counts[one] * counts[other] / (total * (total - 1.0))
    parts = parts_of_sum(proportions * distances, found.observed)
    confusions = [
        RatingConfusion((labels[a], labels[b]), int(number), *numbers, *shares)
        for a, b, number, *numbers, shares in zip(
            one.tolist(),
            other.tolist(),
            n_pairs.tolist(),
            proportions.tolist(),
            expected.tolist(),
            distances.tolist(),
            found.with_shares(parts),
            strict=True,
        )
    ]
    return tuple(
        sorted(
            confusions,
            key=lambda of: (-of.disagreement, -of.n_pairs, *map(label_order, of.labels)),
        )
    )


def _items(
    found: _Division, of_items: Floats, ratings: Ratings, most_items: int
) -> tuple[ItemDisagreement, ...]:
    names = ratings.items
    if names is None:
        return ()
    cells = found.rows.cells
    chosen = np.flatnonzero(of_items > 0.0)
    corrected = parts_of_sum(of_items, found.observed)
    sizes = found.rows.sizes
    pairs = np.maximum(sizes * (sizes - 1.0), 1.0)
    means = found.rows.within(distance_sums(found.rows, found.metric)) / pairs
    order = sorted(chosen.tolist(), key=lambda row: (-of_items[row], str(names[row])))[:most_items]
    starts = np.searchsorted(cells.rows, np.arange(found.rows.n_rows + 1)).tolist()
    listed = []
    for row in order:
        of_row = slice(starts[row], starts[row + 1])
        votes = sorted(
            zip(cells.counts[of_row].tolist(), cells.labels[of_row].tolist(), strict=True),
            key=lambda vote: (-vote[0], vote[1]),
        )
        (shares,) = found.with_shares([corrected[row]])
        listed.append(
            ItemDisagreement(
                names[row],
                int(found.rows.sizes[row]),
                {ratings.labels[code]: number for number, code in votes},
                float(means[row]),
                *shares,
            )
        )
    return tuple(listed)


def _label_use(found: _Division, notes: list[str]) -> tuple[LabelUse, ...]:
    """Compare the use of labels, of items that others rated, too."""
    rows, cells = found.rows, found.rows.cells
    n, n_labels = rows.n_annotators, len(rows.labels)
    if rows.anonymous or n * n_labels > _MOST_USES:
        if not rows.anonymous:
            notes.append("the use of labels is not compared for so many labels and annotators")
        return ()
    used = np.flatnonzero(found.counted > 0.0)
    row_of = found.ratings.row_numbers
    per_row = np.bincount(cells.rows, minlength=rows.n_rows)
    firsts = np.cumsum(per_row) - per_row
    own, others = np.zeros(n * n_labels), np.zeros(n * n_labels)
    for at in range(0, len(used), _VALUES_AT_A_TIME):
        some = used[at : at + _VALUES_AT_A_TIME]
        of_row, counted = row_of[some], found.counted[some]
        annotators, labels = rows.annotator_codes[some].astype(np.int64), rows.label_codes[some]
        own += weighted_counts(annotators * n_labels + labels, counted, n * n_labels)
        sizes = per_row[of_row]
        met = ranges(firsts[of_row], sizes)
        numbers = cells.counts[met] - (cells.labels[met] == np.repeat(labels, sizes))
        shares = numbers * np.repeat(counted / (rows.sizes[of_row] - 1.0), sizes)
        keys = np.repeat(annotators, sizes) * n_labels + cells.labels[met]
        others += weighted_counts(keys, shares, n * n_labels)
    totals = np.repeat(own.reshape(n, n_labels).sum(axis=1), n_labels)
    uses = []
    for key in np.flatnonzero((own > 0.0) | (others > 0.0)).tolist():
        who, label = divmod(key, n_labels)
        uses.append(
            LabelUse(
                found.ratings.annotators[who],
                found.ratings.labels[label],
                int(own[key]),
                float(own[key] / totals[key]),
                float(others[key] / totals[key]),
            )
        )
    return tuple(
        sorted(
            uses,
            key=lambda of: (-abs(of.share - of.others), of.annotator, label_order(of.label)),
        )
    )
