"""The result of coefficients of given items, alone and in one table, and its one view."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from unisono.results.agreement import Agreement
from unisono.results.record import label_keys, plain_number
from unisono.results.render import Sheeted, html, markdown, text
from unisono.results.sheet import (
    KINDS,
    Column,
    Fact,
    Headline,
    Sheet,
    Table,
    column,
    columns,
    measure_title,
    shared_notes,
    without_value,
)
from unisono.results.wording import count, decimals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.model.labels import Label
    from unisono.results.sheet import Row

__all__ = ["ItemsAgreement", "ItemsTable"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemsAgreement(Agreement):
    """How much annotators agree on the labels of given items.

    ``observed`` and ``expected`` are disagreements: the value is 1 − observed / expected. Percent
    agreement has no expectation, and its value is 1 − observed; Light's κ of three annotators and
    more is a mean of values, of disagreements observed and of those expected.

    Parameters
    ----------
    by_label
        The same for each label when all other labels are taken for one; empty where distances
        between labels count, or it was not asked for.
    by_pair
        The same for each two annotators who share an item, on the labels of all; empty where it
        is not known who gave which label, or it was not asked for.
    standard_error
        The standard deviation that the value would have over samples of items, by formula;
        ``None`` where there is no formula.
    p_value
        How often chance agrees at least as well, if that was asked for.
    n_items
        The items with a pair of values that counts.
    n_annotators
        The annotators, also those who rated nothing.
    n_ratings
        The values in those items.
    left_out
        Items without such a pair.
    notes
        Sentences a reader of the value should know.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix(
    ...     {"ann": ["a", "b", "b", "a"], "bob": ["a", "b", "a", None]}
    ... )
    >>> alpha = un.krippendorff_alpha(ratings)
    >>> alpha
    ItemsAgreement(0.4444, 2 annotators, 3 items)
    >>> alpha.observed, alpha.expected, alpha.left_out
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
    left_out: int = 0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Agreement.__post_init__(self)
        for name in ("by_label", "by_pair"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for name in ("standard_error", "p_value"):
            given = getattr(self, name)
            object.__setattr__(self, name, None if given is None else float(given))
        object.__setattr__(self, "notes", tuple(self.notes))

    @property
    def observed_agreement(self) -> float:
        """1 − the disagreement observed.

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
        """1 − the disagreement expected by chance.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([["a", "b", "b"], ["a", "b", "a"]])
        >>> un.cohen_kappa(ratings).expected_agreement
        0.4444444444444444
        """
        return 1.0 - self.expected

    def __repr__(self) -> str:
        outcome = f"undefined: {self.undefined}" if self.undefined else decimals(self.value)
        told = (count(self.n_annotators, "annotator"), count(self.n_items, "item"))
        return f"ItemsAgreement({', '.join((outcome, *told))})"

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "b"]})
        >>> record = un.krippendorff_alpha(ratings).to_dict()
        >>> record["value"], record["n_items"], list(record["by_label"])
        (1.0, 2, ['a', 'b'])
        >>> record["by_pair"][0]["annotators"]
        ['ann', 'bob']
        """
        record = Agreement.to_dict(self)
        signature = record.pop("signature")
        keys = label_keys(self.by_label)
        return record | {
            "observed_agreement": plain_number(self.observed_agreement),
            "expected_agreement": plain_number(self.expected_agreement),
            "standard_error": plain_number(self.standard_error),
            "p_value": plain_number(self.p_value),
            "n_items": self.n_items,
            "n_annotators": self.n_annotators,
            "n_ratings": self.n_ratings,
            "left_out": self.left_out,
            "notes": list(self.notes),
            "by_label": {keys[label]: of.to_dict() for label, of in self.by_label.items()},
            "by_pair": [
                {"annotators": list(pair), **of.to_dict()} for pair, of in self.by_pair.items()
            ],
            "signature": signature,
        }

    def to_markdown(self) -> str:
        """Return the value, those of labels and pairs, the facts and the signature as Markdown.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "b"]})
        >>> print(un.krippendorff_alpha(ratings).to_markdown())
        | measure          |  value | observed | expected | standard error |
        | :--------------- | -----: | -------: | -------: | -------------: |
        | Krippendorff's α | 1.0000 | ...
        """
        return markdown(self.sheet(), limit=None)

    def _repr_html_(self) -> str:
        return html(self.sheet())

    def problems(self) -> list[str]:
        """Return what a script must notice: that there is no value.

        Examples
        --------
        >>> import unisono as un
        >>> un.krippendorff_alpha(un.Ratings.from_matrix([["a", "b"]])).problems()[0][:32]
        'krippendorff_alpha is undefined:'
        """
        return without_value({self.signature.measure: self})

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of the result, which all renderings share.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "b"]})
        >>> sheet = un.krippendorff_alpha(ratings).sheet()
        >>> [table.name for table in sheet.tables if table.people]
        ['measure', 'label', 'pair']
        """
        return sheet_of({self.signature.measure: self}, title=title)


# Of programs and people alike: a number and its text are two labels.
_LABEL = column("label", kind=KINDS["name"])
_NUMBERS = "value observed expected standard_error interval p_value"
_COUNTS = "n_items n_annotators n_ratings left_out"


def sheet_of(results: Mapping[str, ItemsAgreement], *, title: str = "") -> Sheet:
    """Return the one view of coefficients of the same ratings."""
    tables = [_numbers("measure", column("measure"), list(results.items()), measure_title)]
    if len(results) == 1:
        (one,) = results.values()
        tables += _details(one)
    return Sheet(
        name="items",
        title=title,
        headline=tuple(Headline(name, of.value, of.interval) for name, of in results.items()),
        tables=(*tables, *_tables_for_programs(results)),
        facts=tuple(_facts(results)),
        notes=shared_notes(results),
        signatures=tuple(result.signature for result in results.values()),
    )


def _facts(results: Mapping[str, ItemsAgreement]) -> Iterator[Fact]:
    """Yield what holds for the coefficient that can compare most items."""
    for widest in sorted(results.values(), key=lambda result: -result.n_items)[:1]:
        left_out = f"and {widest.left_out:,} without two values to compare"
        yield Fact(column("n_annotators"), widest.n_annotators)
        yield Fact(column("n_items"), widest.n_items, left_out if widest.left_out else "")
        yield Fact(column("n_ratings"), widest.n_ratings)


def _numbers(
    name: str,
    subject: Column,
    results: Sequence[tuple[str, Agreement]],
    title_of: Callable[[str], str],
    **how: Any,  # noqa: ANN401 - fields of a table
) -> Table:
    """Return a table for people: value and disagreements, and what else is known of any."""
    known = [
        each
        for place, each in enumerate(_NUMBERS.split())
        if place < 3 or any(getattr(of, each, None) is not None for _, of in results)
    ]
    if "interval" in known and "standard_error" in known:
        known.remove("standard_error")  # the interval says it better
    return Table(
        name=name,
        columns=(subject, *columns(" ".join(known), standard_error="room")),
        rows=[(key, *(getattr(of, each, None) for each in known)) for key, of in results],
        reasons=[(title_of(key), of.undefined) for key, of in results if of.undefined],
        programs=False,
        **how,
    )


def _details(result: ItemsAgreement) -> Iterator[Table]:
    """Yield tables of the labels and of the pairs of annotators, where there are any."""
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


class ItemsTable(Sheeted, Mapping[str, ItemsAgreement]):
    """Several coefficients of the same ratings, by name, with a reason for each that has no value.

    Parameters
    ----------
    results
        Coefficients by the names of their functions.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b", "b"], "bob": ["a", "b", "a"]})
    >>> table = un.items(ratings, measures=["alpha", "cohen_kappa"])
    >>> print(table)
    measure            value  observed  expected  standard error
    Krippendorff's α  0.4444    0.3333    0.6000          0.6667
    Cohen's κ         0.4000    0.3333    0.5556          0.4800
    >>> table["cohen_kappa"].value
    0.4
    """

    __slots__ = ("_results",)

    def __init__(self, results: Mapping[str, ItemsAgreement]) -> None:
        self._results = dict(results)

    def __getitem__(self, name: str) -> ItemsAgreement:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return f"ItemsTable({', '.join(self._results)})"

    def __str__(self) -> str:
        return text(self.sheet())

    def to_dict(self) -> dict[str, Any]:
        """Give the coefficients as plain data, by name.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([["a", "b"], ["a", "b"]])
        >>> un.items(ratings, measures=["alpha"]).to_dict()["krippendorff_alpha"]["value"]
        1.0
        """
        return {name: result.to_dict() for name, result in self._results.items()}

    def problems(self) -> list[str]:
        """Return what a script must notice: that no coefficient has a value.

        Examples
        --------
        >>> import unisono as un
        >>> un.items(un.Ratings.from_matrix([["a", "b"]]), measures=["alpha"]).problems()[0][:32]
        'krippendorff_alpha is undefined:'
        """
        return without_value(self)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of the coefficients, which all renderings share.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([["a", "b"], ["a", "b"]])
        >>> [fact.text for fact in un.items(ratings).sheet().facts]
        ['2', '2', '4']
        """
        return sheet_of(self._results, title=title)
