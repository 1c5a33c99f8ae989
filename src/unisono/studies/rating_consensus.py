"""Consensus label of each rated item: the most frequent label, or the median."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.items.metrics import (
    Ranked,
    Squares,
    checked_order,
    distance_metric,
    scale_text,
)
from unisono.measures.items.rows import Rows
from unisono.model.labels import label_order, label_text
from unisono.model.ratings import Ratings
from unisono.registry import check_settings
from unisono.results.data import OfData
from unisono.results.record import record
from unisono.results.sheet import KINDS, Column, Fact, Kind, Sheet, Table, column, columns
from unisono.results.values import Signature
from unisono.results.wording import count, printable
from unisono.studies.rating_diagnosis import item_text, votes_text
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.metrics import Metric
    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label

__all__ = [
    "RATING_COLUMNS",
    "UNDECIDED_ITEM_COLUMNS",
    "ItemConsensus",
    "RatingConsensus",
    "UndecidedItem",
    "rating_consensus",
]

RATING_COLUMNS = ("annotator", "item", "label", "votes", "n_ratings", "share")
"""Column names of `RatingConsensus.rows`."""
UNDECIDED_ITEM_COLUMNS = ("item", "label", "votes", "n_ratings", "why", "reason")
"""Column names of `RatingConsensus.undecided_rows`."""
_CONSENSUS = "consensus"
_LEAST_RATINGS = 2
_ROUNDING = 1e-9


class ItemConsensus(NamedTuple):
    """The consensus label of one item.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix({"ann": ["a"], "bob": ["a"], "cy": ["b"]})
    >>> un.consensus(ratings).items[0]
    ItemConsensus(item=1, label='a', votes=2, n_ratings=3, share=0.6666666666666666)
    """

    item: Hashable
    label: Label
    votes: int
    """Number of ratings with this label; 0 for a median between two labels."""
    n_ratings: int
    share: float
    """The votes as a share of the ratings of the item."""


class UndecidedItem(NamedTuple):
    """An item without a consensus, left for adjudication.

    Examples
    --------
    >>> import unisono as un
    >>> item = un.consensus(un.Ratings.from_matrix({"ann": ["a"], "bob": ["b"]})).undecided[0]
    >>> item.why, item.reason
    ('tie', 'the labels a, b have 1 vote each')
    """

    item: Hashable
    why: Literal["ratings", "tie", "support"]
    """Fewer than two ratings, a tie of labels, or too small a share of the votes."""
    reason: str
    """A description of why the item is undecided."""
    n_ratings: int
    label_counts: Mapping[Label, int]
    """The number of ratings of each label, the most frequent first."""


@record
class RatingConsensus(OfData):
    """The consensus label of each item, and the undecided items.

    Parameters
    ----------
    items
        The items with a consensus, in the order of the items.
    undecided
        The items with fewer than two ratings, a tie or too little support, in the same order.
    n_items
        Number of items, decided or not.
    n_annotators
        Number of annotators.
    rule
        ``"majority"``: the most frequent label; ``"median"``: the middle of the ratings.
    support
        The required share of the votes of an item; 0 for the median.
    signature
        All settings that affect the consensus.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix(
    ...     {"ann": ["a", "b", "a"], "bob": ["a", "c", None], "cy": ["b", None, None]}
    ... )
    >>> found = un.consensus(ratings)
    >>> found
    RatingConsensus(1 item, 2 items undecided)
    >>> [item.reason for item in found.undecided]
    ['the labels b, c have 1 vote each', '1 rating']
    """

    items: tuple[ItemConsensus, ...]
    undecided: tuple[UndecidedItem, ...]
    n_items: int
    n_annotators: int
    rule: Literal["majority", "median"]
    support: float
    signature: Signature

    @property
    def ratings(self) -> Ratings:
        """The consensus as the ratings of one annotator named ``consensus``.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "b"]})
        >>> un.consensus(ratings).ratings
        Ratings(1 annotator, 2 items, 2 ratings, 2 labels)
        """
        return Ratings.from_columns(
            [_CONSENSUS] * len(self.items),
            [each.item for each in self.items],
            [each.label for each in self.items],
            annotators=[_CONSENSUS],
        )

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield one row per decided item: a table that `read_ratings` accepts.

        The columns are ``annotator`` (always ``consensus``), ``item``, ``label``, ``votes``,
        ``n_ratings`` and ``share``. A set of labels is written with ``|`` between its members, to
        be read with ``separator="|"``.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a"], "bob": ["a"]})
        >>> next(un.consensus(ratings).rows())
        ('consensus', '1', 'a', 2, 2, 1.0)
        """
        for item, label, *numbers in self.items:
            yield _CONSENSUS, item_text(item), _written(label), *numbers

    def undecided_rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield one row per label of an undecided item, with its votes and the reason.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a"], "bob": ["b"]})
        >>> next(un.consensus(ratings).undecided_rows())
        ('1', 'a', 1, 2, 'tie', 'the labels a, b have 1 vote each')
        """
        for each in self.undecided:
            for label, votes in each.label_counts.items():
                lead = (item_text(each.item), _written(label), votes)
                yield *lead, each.n_ratings, each.why, each.reason

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        undecided = f"{count(len(self.undecided), 'item')} undecided"
        return f"RatingConsensus({count(len(self.items), 'item')}, {undecided})"

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: there are no items.

        Examples
        --------
        >>> import unisono as un
        >>> un.consensus(un.Ratings.from_matrix({"ann": ["a"], "bob": ["a"]})).problems()
        []
        """
        return [] if self.n_items else ["no consensus: there are no ratings"]

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the consensus, from which all outputs are rendered.

        Output for programs contains only the decided items, as in `rows`.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "a"], "bob": ["a", "b"]})
        >>> [table.name for table in un.consensus(ratings).sheet().tables if table.people]
        ['item', 'undecided']
        """
        shown = [table for table in (_item_table(self), _undecided_table(self)) if table.rows]
        whys = [each.why for each in self.undecided]
        reasons = (
            ("ratings", "fewer than two ratings"),
            ("tie", "a tie"),
            ("support", "too little support"),
        )
        why = ", ".join(f"{whys.count(key):,} for {text}" for key, text in reasons if key in whys)
        rule = _RULES[self.rule]
        if self.rule == "majority":
            rule += f", with at least {KINDS['share'].text(self.support)} of the votes"
        none = "no item is decided" if self.n_items and not self.items else ""
        return Sheet(
            name="rating_consensus",
            title=title,
            findings=(none,) if none else (),
            tables=(*(shown or [_item_table(self)]), _program_table(self)),
            facts=(
                Fact(column("n_annotators"), self.n_annotators),
                Fact(column("n_items"), len(self.items), f"of {self.n_items:,} decided"),
                Fact(column("n_undecided"), len(self.undecided), why),
                Fact(Column(name="rule", heading="rule", kind=KINDS["text"]), rule),
            ),
            signatures=(self.signature,),
        )


_RULES = {"majority": "the most frequent label", "median": "the median of the ratings"}
_RATIO = Kind(name="ratio", text=lambda pair: f"{pair[0]:,} of {pair[1]:,}", plain=list)
_ITEM = Column(name="item", heading="item", kind=KINDS["name"])


def _item_table(found: RatingConsensus) -> Table:
    return Table(
        name="item",
        columns=(_ITEM, column("label"), Column(name="votes_of", heading="votes", kind=_RATIO)),
        rows=[
            (item_text(each.item), label_text(each.label), (each.votes, each.n_ratings))
            for each in found.items
        ],
        limited=True,
        programs=False,
    )


def _undecided_table(found: RatingConsensus) -> Table:
    return Table(
        name="undecided",
        title="Undecided items",
        columns=(
            _ITEM,
            column("reason"),
            Column(name="rated", heading="labels", kind=KINDS["text"]),
        ),
        rows=[
            (item_text(each.item), each.reason, votes_text(each.label_counts))
            for each in found.undecided
        ],
        noun="item",
        limited=True,
        programs=False,
    )


def _program_table(found: RatingConsensus) -> Table:
    return Table(
        name="item",
        columns=(
            column("annotator"),
            _ITEM,
            column("label"),
            Column(name="votes", heading="votes", kind=KINDS["count"]),
            *columns("n_ratings share"),
        ),
        rows=list(found.rows()),
        people=False,
    )


_MEDIANS = ("ordinal", "interval")


def rating_consensus(
    ratings: Ratings,
    *,
    support: float = 0.5,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    order: Sequence[Label] | None = None,
) -> RatingConsensus:
    """Return the consensus label of each item."""
    check_settings({"support": support}, of="consensus")
    if not isinstance(distance, str) or distance not in ("nominal", *_MEDIANS):
        msg = (
            f"a consensus of ratings is the most frequent label with "
            f"{setting('distance', 'nominal')}, the median with {' and '.join(_MEDIANS)}; there is "
            "no rule for another distance"
        )
        raise SettingError(msg)
    if distance == "nominal":
        if order is not None:
            msg = f"{setting('order')} is for {setting('distance', 'ordinal')} only"
            raise SettingError(msg)
    elif support != 0.5:
        msg = f"{setting('support')} is for the most frequent label; omit it for the median"
        raise SettingError(msg)
    if distance == "interval" and order is not None:
        msg = f"{setting('order')} is for {setting('distance', 'ordinal')} only"
        raise SettingError(msg)
    if ratings.items is None:
        msg = (
            "these ratings contain only the counts of equal items, not their names; pass the "
            "ratings before they are counted"
        )
        raise DataError(msg)
    rows = Rows.of(ratings)
    ordered = checked_order(order)
    metric = distance_metric(ratings.labels, distance, ordered)
    by_row = _Votes(rows)
    if distance == "nominal":
        decided, undecided = _majority(ratings, by_row, support)
    else:
        places = metric.places if isinstance(metric, Ranked) else _points(metric)
        decided, undecided = _medians(
            ratings, rows, by_row, places, is_interval=distance == "interval"
        )
    of_rule = (("support", f"{support:.12g}"),) if distance == "nominal" else ()
    scale = scale_text(distance, ratings.labels, ordered, metric)
    return RatingConsensus(
        items=decided,
        undecided=undecided,
        n_items=ratings.n_items,
        n_annotators=ratings.n_annotators,
        rule="majority" if distance == "nominal" else "median",
        support=float(support) if distance == "nominal" else 0.0,
        signature=Signature(
            "rating_consensus",
            (*of_rule, ("distance", scale), ("data", ratings.digest[:8]), ("v", __version__)),
        ),
    )


class _Votes:
    """The labels of each row, the most frequent first."""

    def __init__(self, rows: Rows) -> None:
        cells = rows.cells
        order = np.lexsort((cells.labels, -cells.counts, cells.rows))
        self.rows = cells.rows[order]
        self.labels: Integers = cells.labels[order]
        self.counts: Integers = cells.counts[order]
        self.starts = np.searchsorted(self.rows, np.arange(rows.n_rows + 1))
        self.sizes = rows.sizes

    def of(self, row: int, labels: Sequence[Label]) -> dict[Label, int]:
        """Return the number of votes of each label of a row."""
        here = slice(int(self.starts[row]), int(self.starts[row + 1]))
        return {
            labels[code]: number
            for code, number in zip(
                self.labels[here].tolist(), self.counts[here].tolist(), strict=True
            )
        }


_Found: TypeAlias = "tuple[tuple[ItemConsensus, ...], tuple[UndecidedItem, ...]]"


def _majority(ratings: Ratings, votes: _Votes, support: float) -> _Found:
    firsts = votes.starts[:-1]
    most, sizes = votes.counts[firsts], votes.sizes
    following = np.minimum(firsts + 1, max(len(votes.rows) - 1, 0))
    is_tied = (following > firsts) & (votes.rows[following] == votes.rows[firsts])
    is_tied &= votes.counts[following] == most
    enough = sizes >= _LEAST_RATINGS
    supported = most >= support * sizes - _ROUNDING
    decided = np.flatnonzero(enough & ~is_tied & supported)

    def why(row: int) -> tuple[str, str]:
        of = votes.of(row, ratings.labels)
        largest = max(of.values())
        if is_tied[row]:
            tied = [_shown(label) for label, number in of.items() if number == largest]
            return "tie", f"the labels {', '.join(tied)} have {count(largest, 'vote')} each"
        return (
            "support",
            f"the label {_shown(next(iter(of)))} has {largest:,} of {sizes[row]:,} votes",
        )

    labels = [ratings.labels[code] for code in votes.labels[firsts[decided]].tolist()]
    return _results(ratings, votes, decided, labels, most[decided], why)


def _points(metric: Metric) -> Floats:
    if not isinstance(metric, Squares):
        msg = f"expected points on a line, got {type(metric).__name__}"
        raise TypeError(msg)
    return metric.points


def _medians(
    ratings: Ratings,
    rows: Rows,
    votes: _Votes,
    places: Floats | Integers,
    *,
    is_interval: bool,
) -> _Found:
    codes = rows.label_codes[np.lexsort((places[rows.label_codes], ratings.row_numbers))]
    firsts, sizes = rows.offsets[:-1], rows.sizes
    low, high = codes[firsts + (sizes - 1) // 2], codes[firsts + sizes // 2]
    is_same = places[low] == places[high]
    enough = sizes >= _LEAST_RATINGS
    decided = np.flatnonzero(enough & (is_same | is_interval))

    def middle(row: int) -> Label:
        if is_same[row]:
            return ratings.labels[int(low[row])]
        one, other = float(places[low[row]]), float(places[high[row]])
        mean = one + (other - one) / 2.0
        label: Label = int(mean) if mean.is_integer() else mean
        return label

    def why(row: int) -> tuple[str, str]:
        both = (_shown(ratings.labels[code[row]]) for code in (low, high))
        return "tie", f"the two middle ratings are {' and '.join(both)}"

    labels = [middle(row) for row in decided.tolist()]
    numbers = [
        votes.of(row, ratings.labels).get(label, 0)
        for row, label in zip(decided.tolist(), labels, strict=True)
    ]
    return _results(ratings, votes, decided, labels, np.array(numbers, dtype=np.int64), why)


def _results(
    ratings: Ratings,
    votes: _Votes,
    decided: NDArray[np.intp],
    labels: Sequence[Label],
    counts: Integers,
    why: Callable[[int], tuple[str, str]],
) -> _Found:
    names = ratings.items or ()
    sizes = votes.sizes
    items = tuple(
        ItemConsensus(names[row], label, number, size, number / size)
        for row, label, number, size in zip(
            decided.tolist(), labels, counts.tolist(), sizes[decided].tolist(), strict=True
        )
    )
    open_rows = np.setdiff1d(np.arange(len(sizes)), decided, assume_unique=True).tolist()
    undecided = []
    for row in open_rows:
        size = int(sizes[row])
        kind, reason = ("ratings", "1 rating") if size < _LEAST_RATINGS else why(row)
        undecided.append(
            UndecidedItem(names[row], kind, reason, size, votes.of(row, ratings.labels))  # type: ignore[arg-type]
        )
    return items, tuple(undecided)


def _written(label: Label) -> str:
    """Return a label as `read_ratings` reads it; members of a set are separated by ``|``."""
    if not isinstance(label, frozenset) or not label:
        return label_text(label)
    return "|".join(label_text(member) for member in sorted(label, key=label_order))


def _shown(label: Label) -> str:
    return printable(label_text(label))
