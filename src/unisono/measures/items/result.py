"""Results of coefficients on items, single and in one table, and their sheet."""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from unisono.results.agreement import Agreement, MeasureTable
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
    measure_title,
    shared_notes,
    without_value,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unisono.model.labels import Label
    from unisono.results.sheet import Row

__all__ = ["ItemsAgreement", "ItemsTable"]


@record
class ItemsAgreement(Agreement):
    """The result of a coefficient on items.

    ``observed`` and ``expected`` are disagreements: the value is 1 − observed / expected. Percent
    agreement has no expectation, and its value is 1 − observed; for Light's κ of three or
    more annotators, all three are means over pairs.

    Parameters
    ----------
    by_label
        Results for each label, with all other labels merged; empty if the distance is not nominal
        or values per label were not requested.
    by_pair
        Results for each pair of annotators that shares an item, on the labels of all; empty for
        ratings without the identity of the annotators, or if not requested.
    standard_error
        The standard error of the value over samples of items, by formula; ``None`` if there is no
        formula.
    p_value
        The p-value of the permutation test; ``None`` if not requested.
    n_items
        Number of items with a pair of values.
    n_annotators
        Number of annotators, including those without ratings.
    n_ratings
        Number of values in those items.
    n_left_out
        Number of items without a pair of values.
    notes
        Remarks on the interpretation of the value.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix(
    ...     {"ann": ["a", "b", "b", "a"], "bob": ["a", "b", "a", None]}
    ... )
    >>> alpha = un.krippendorff_alpha(ratings)
    >>> alpha
    ItemsAgreement(0.4444, 2 annotators, 3 items)
    >>> alpha.observed, alpha.expected, alpha.n_left_out
    (0.3333333333333333, 0.6, 1)
    >>> alpha.by_label["a"].value
    0.4444444444444444
    """

    by_label: Mapping[Label, Agreement] = field(default_factory=dict)
    by_pair: Mapping[tuple[str, str], Agreement] = field(default_factory=dict)
    standard_error: float | None = None
    p_value: float | None = None
    n_items: int
    n_annotators: int
    n_ratings: int
    n_left_out: int = 0
    notes: tuple[str, ...] = ()

    summary = ("value", "n_annotators", "n_items")
    computed = ("observed_agreement", "expected_agreement")

    @property
    def observed_agreement(self) -> float:
        """1 − observed disagreement.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([["a", "b", "b"], ["a", "b", "a"]])
        >>> un.cohen_kappa(ratings).observed_agreement
        0.6666666666666667
        """
        return 1.0 - self.observed

    @property
    def expected_agreement(self) -> float:
        """1 − expected disagreement.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([["a", "b", "b"], ["a", "b", "a"]])
        >>> un.cohen_kappa(ratings).expected_agreement
        0.4444444444444444
        """
        return 1.0 - self.expected

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: the value is undefined.

        Examples
        --------
        >>> import unisono as un
        >>> un.krippendorff_alpha(un.Ratings.from_matrix([["a", "b"]])).problems()[0][:32]
        'krippendorff_alpha is undefined:'
        """
        return without_value({self.signature.measure: self})

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the result, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "b"]})
        >>> sheet = un.krippendorff_alpha(ratings).sheet()
        >>> [table.name for table in sheet.tables if table.people]
        ['measure', 'label', 'pair']
        """
        return sheet_of({self.signature.measure: self}, title=title)


# For programs and people: a number and its text are different labels.
_LABEL = column("label", kind=KINDS["name"])
_NUMBERS = "value observed expected standard_error interval p_value"
_COUNTS = "n_items n_annotators n_ratings n_left_out"


def sheet_of(results: Mapping[str, ItemsAgreement], *, title: str = "") -> Sheet:
    """Return the sheet of coefficients on the same ratings."""
    figures: list[tuple[str, object]] = []
    tables = [
        _with_distances(
            _numbers("measure", column("measure"), list(results.items()), measure_title), results
        )
    ]
    if len(results) == 1:
        (one,) = results.values()
        tables += _details(one)
        figures = [("annotators", one.by_pair), ("labels", one.by_label)]
    return Sheet(
        name="items",
        title=title,
        headline=tuple(Headline(name, of.value, of.interval) for name, of in results.items()),
        tables=(*tables, *_tables_for_programs(results)),
        facts=tuple(_facts(results)),
        notes=shared_notes(results),
        figures=tuple(figure(chart, one) for chart, parts in figures if parts),
        signatures=tuple(result.signature for result in results.values()),
    )


_DISTANCE = Column(name="distance", heading="distance", kind=KINDS["text"])


def distance_text(result: ItemsAgreement) -> str:
    """Return the distance of labels, or the weights, of a coefficient."""
    settings = dict(result.signature.settings)
    found = settings.get("distance", settings.get("weights", "none"))
    return "nominal" if found == "none" else found


def _with_distances(table: Table, results: Mapping[str, ItemsAgreement]) -> Table:
    """Add a column of distances if the coefficients do not all have the same one."""
    distances = {name: distance_text(result) for name, result in results.items()}
    if len(set(distances.values())) <= 1:
        return table
    return replace(
        table,
        columns=(*table.columns, _DISTANCE),
        rows=[(*row, distances[row[0]]) for row in table.rows],
    )


def _facts(results: Mapping[str, ItemsAgreement]) -> Iterator[Fact]:
    """Yield the facts of the coefficient that can compare the most items."""
    for widest in sorted(results.values(), key=lambda result: -result.n_items)[:1]:
        left_out = f"and {widest.n_left_out:,} without two values to compare"
        yield Fact(column("n_annotators"), widest.n_annotators)
        yield Fact(column("n_items"), widest.n_items, left_out if widest.n_left_out else "")
        yield Fact(column("n_ratings"), widest.n_ratings)


def _numbers(
    name: str,
    subject: Column,
    results: Sequence[tuple[str, Agreement]],
    title_of: Callable[[str], str],
    **how: Any,  # noqa: ANN401 - fields of a table
) -> Table:
    """Return a table for people, with the columns that any of the results has."""
    known = [
        each
        for place, each in enumerate(_NUMBERS.split())
        if place < 3 or any(getattr(of, each, None) is not None for _, of in results)
    ]
    if "interval" in known and "standard_error" in known:
        known.remove("standard_error")  # the interval replaces it
    return Table(
        name=name,
        columns=(subject, *columns(" ".join(known), standard_error="room")),
        rows=[(key, *(getattr(of, each, None) for each in known)) for key, of in results],
        reasons=[(title_of(key), of.undefined) for key, of in results if of.undefined],
        programs=False,
        **how,
    )


def _details(result: ItemsAgreement) -> Iterator[Table]:
    """Yield the tables of labels and of pairs of annotators, if any."""
    how: dict[str, Any] = {"worst_first": _least_agreement, "limited": True}
    if result.by_label:
        keys = label_keys(result.by_label)
        labels = [(keys[label], of) for label, of in result.by_label.items()]
        yield _numbers("label", _LABEL, labels, "label {}".format, own_order=True, **how)
    if result.by_pair:
        pairs = [(" – ".join(pair), of) for pair, of in result.by_pair.items()]
        yield _numbers("pair", column("annotators"), pairs, str, **how)


def _least_agreement(row: Row) -> float:
    value: float = row[1]
    return math.inf if math.isnan(value) else value


def _tables_for_programs(results: Mapping[str, ItemsAgreement]) -> Iterator[Table]:
    scopes: dict[str, list[Row]] = {"all": [], "label": [], "pair": []}
    fields = f"{_NUMBERS} undefined {_COUNTS} signature"

    def add(scope: str, lead: Row, of: Agreement) -> None:
        scopes[scope].append((*lead, *(getattr(of, each, None) for each in fields.split())))

    for name, result in results.items():
        add("all", (name, None, None, None), result)
        keys = label_keys(result.by_label)
        for label, of in result.by_label.items():
            add("label", (name, keys[label], None, None), of)
        for pair, of in result.by_pair.items():
            add("pair", (name, None, *pair), of)
    lead = (column("measure"), _LABEL, *columns("annotator_a annotator_b"))
    for scope, rows in scopes.items():
        yield Table(name=scope, columns=(*lead, *columns(fields)), rows=rows, people=False)


class ItemsTable(MeasureTable[ItemsAgreement]):
    """Several coefficients on the same ratings by name, with reasons for undefined ones.

    Parameters
    ----------
    results
        Results by the names of their functions.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b", "b"], "bob": ["a", "b", "a"]})
    >>> table = un.measure_items(ratings, measures=["alpha", "cohen_kappa"])
    >>> print(table)
    measure            value  observed  expected  standard error
    Krippendorff's α  0.4444    0.3333    0.6000          0.6667
    Cohen's κ         0.4000    0.3333    0.5556          0.4800
    >>> table["cohen_kappa"].value
    0.4
    """

    __slots__ = ()

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the coefficients, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([["a", "b"], ["a", "b"]])
        >>> [fact.text for fact in un.measure_items(ratings).sheet().facts]
        ['2 annotators (1, 2), 2 items', '2', '2', '4']
        """
        return sheet_of(self, title=title)
