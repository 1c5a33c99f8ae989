"""What a coefficient on items returns, and the table of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from unisono.results.agreement import Agreement
from unisono.results.markdown import markdown_code, markdown_report, markdown_table, markdown_text
from unisono.results.record import label_keys, plain_number
from unisono.results.rows import columns, padded, reasons
from unisono.results.wording import count, decimals, printable
from unisono.results.written import InMarkdown

if TYPE_CHECKING:
    from unisono.model.labels import Label
    from unisono.results.rows import Row


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
        r"""Give the value, those of labels and pairs, the facts and the signature as Markdown.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b"], "bob": ["a", "b"]})
        >>> print(un.krippendorff_alpha(ratings).to_markdown())
        | measure             |  value | observed | expected |
        | :------------------ | -----: | -------: | -------: |
        | krippendorff\_alpha | 1.0000 | ...
        """
        keys = label_keys(self.by_label)
        rows: list[Row] = [
            (None, self),
            *((keys[label], of) for label, of in self.by_label.items()),
            *((" – ".join(pair), of) for pair, of in self.by_pair.items()),
        ]
        return markdown_report(rows, signature=self.signature, facts=item_facts(self))


def item_facts(result: ItemsAgreement) -> list[tuple[str, str]]:
    """Give what a reader must know beside the numbers, as names and sentences.

    Parameters
    ----------
    result
        What a coefficient on items returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.items.items_result import item_facts
    >>> ratings = un.Ratings.from_matrix({"ann": ["a", "b", "b"], "bob": ["a", "a", None]})
    >>> for name, fact in item_facts(un.percent_agreement(ratings)):
    ...     print(f"{name}: {fact}")
    annotators: 2
    items: 2 (and 1 without two values to compare)
    values: 4
    standard error: 0.5000
    """
    left_out = (
        f" (and {result.left_out:,} without two values to compare)" if result.left_out else ""
    )
    found = [
        ("annotators", f"{result.n_annotators:,}"),
        ("items", f"{result.n_items:,}{left_out}"),
        ("values", f"{result.n_ratings:,}"),
    ]
    if result.standard_error is not None:
        found.append(("standard error", decimals(result.standard_error)))
    if result.p_value is not None:
        found.append(("p-value", decimals(result.p_value)))
    found.extend(("note", printable(note)) for note in result.notes)
    return found


class ItemsTable(InMarkdown, Mapping[str, ItemsAgreement]):
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
    measure             value  observed  expected
    krippendorff_alpha  0.4444    0.3333    0.6000
    cohen_kappa         0.4000    0.3333    0.5556
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
        lines = ["  ".join(line).rstrip() for line in padded(*columns(self._rows()))]
        return "\n".join([*lines, *reasons(self._rows())])

    def _rows(self) -> list[Row]:
        return [(name, result) for name, result in self._results.items()]

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

    def to_markdown(self) -> str:
        r"""Give the table as Markdown, with reasons, notes and signatures below.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([["a", "b"], ["a", "b"]])
        >>> print(un.items(ratings, measures=["alpha"]).to_markdown())
        | measure             |  value | observed | expected |
        | :------------------ | -----: | -------: | -------: |
        | krippendorff\_alpha | 1.0000 | ...
        """
        rows = self._rows()
        told = dict.fromkeys(note for result in self.values() for note in result.notes)
        listed = [*reasons(rows), *map(printable, told)]
        parts = [markdown_table(*columns(rows))]
        if listed:
            parts.append("\n".join(f"- {markdown_text(line)}" for line in listed))
        parts.extend(markdown_code(str(result.signature)) for result in self.values())
        return "\n\n".join(parts)
