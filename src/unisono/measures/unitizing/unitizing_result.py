"""What ``unitizing_alpha`` returns: the alphas of one generation, for all labels and for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unisono.results.markdown import markdown_report
from unisono.results.record import label_keys, plain_number
from unisono.results.records import Record
from unisono.results.rows import WHO_COUNTS, columns, outcome, padded, reasons
from unisono.results.wording import count, position, printable, some
from unisono.results.written import InMarkdown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.model.labels import Label
    from unisono.results.agreement import Agreement
    from unisono.results.rows import Row
    from unisono.results.signature import Signature


Generation: TypeAlias = Literal["2016", "2013", "1995"]
"""Which of Krippendorff's alphas for unitizing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class UnitizingResult(Record, InMarkdown):
    """How much annotators agree on where units are and what they are called, by α.

    ``observed`` and ``expected`` of each part are disagreements: its value is
    1 − observed / expected. Of a corpus the same fields are pooled over its documents, and
    ``documents`` has a result each.

    Parameters
    ----------
    u
        uα: where units are and what they are called, gaps being one more value. Of 1995, αU.
    binary
        |uα: where units are, whatever they are called.
    coding
        cuα: what units are called, where units of different annotators meet.
    by_label
        (k)uα of each label: units of the label against all others, where units meet. Of 1995,
        αU of the label alone. The keys are the labels themselves, ``None`` for units without one.
    generation
        ``2016``, ``2013`` or ``1995``.
    documents
        A result for each document of a corpus, by name; empty for one continuum, and where it was
        not asked for.
    n_documents
        How many documents the values rest on.
    n_annotators
        How many annotators there are.
    n_units
        How many units were measured, after units that overlap were merged or split.
    length
        How long the documents are together.
    label_lengths
        How long the units of each label are together, those of all annotators added up.
    annotators_from
        How the annotators were known: those with units in the document (``units``), everyone in
        the corpus (``corpus``), or as declared (``declared``).
    skipped
        Rows the reader could not use and was told to skip.
    left_out_documents
        Documents with fewer than two annotators, which add nothing.
    notes
        Sentences a reader of the values should know.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 9, "NP"), ("ann", 12, 20, "VP"), ("bob", 0, 8, "NP"), ("bob", 12, 20, "NP")]
    ... )
    >>> result = un.unitizing_alpha(text)
    >>> result
    UnitizingResult(uα 0.3109, |uα 0.8571, cuα 0.0000, 2 annotators, 4 units)
    >>> print(result)
    measure    value  observed  expected
    uα        0.3109    0.4500    0.6530
    |uα       0.8571    0.0500    0.3500
    cuα       0.0000    0.5000    0.5000
    (k)uα NP  0.0000    0.3333    0.3333
    (k)uα VP  0.0000    1.0000    1.0000
    """

    u: Agreement
    binary: Agreement
    coding: Agreement
    by_label: Mapping[Label | None, Agreement]
    generation: Generation
    documents: Mapping[str, UnitizingResult] = field(default_factory=dict)
    n_documents: int = 1
    n_annotators: int
    n_units: int
    length: float
    label_lengths: Mapping[Label | None, float] = field(default_factory=dict)
    annotators_from: str
    skipped: int = 0
    left_out_documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("by_label", "label_lengths", "documents"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for name in ("left_out_documents", "notes"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "length", float(self.length))

    @property
    def signature(self) -> Signature:
        """Every setting that can move the values: the signature of `u`."""
        return self.u.signature

    def __repr__(self) -> str:
        told = [f"{name} {outcome(of)}" for name, of in unitizing_rows(self, labels=False)]
        if self.documents:
            told.append(count(len(self.documents), "document"))
        told += [count(self.n_annotators, "annotator"), count(self.n_units, "unit")]
        return f"UnitizingResult({', '.join(told)})"

    def __str__(self) -> str:
        rows = unitizing_rows(self)
        lines = ["  ".join(line).rstrip() for line in padded(*columns(rows))]
        return "\n".join([*lines, *reasons(rows)])

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
        >>> record = un.unitizing_alpha(text).to_dict()
        >>> record["generation"], record["n_units"], record["coding"]["undefined"]
        ('2016', 2, "all units that meet have the label 'NP': chance never disagrees")
        """
        keys = label_keys(self.label_lengths)
        return {
            "u": self.u.to_dict(),
            "binary": self.binary.to_dict(),
            "coding": self.coding.to_dict(),
            "by_label": {keys[label]: of.to_dict() for label, of in self.by_label.items()},
            "generation": self.generation,
            "n_documents": self.n_documents,
            "n_annotators": self.n_annotators,
            "n_units": self.n_units,
            "length": plain_number(self.length),
            "label_lengths": {keys[label]: of for label, of in self.label_lengths.items()},
            "annotators_from": self.annotators_from,
            "skipped": self.skipped,
            "left_out_documents": list(self.left_out_documents),
            "notes": list(self.notes),
            "signature": str(self.signature),
            "documents": {name: each.to_dict() for name, each in self.documents.items()},
        }

    def to_markdown(self) -> str:
        r"""Give the alphas as a Markdown table, then the facts and the signature.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units(
        ...     [("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")], extent=(0, 20)
        ... )
        >>> print(un.unitizing_alpha(text).to_markdown())
        | measure  |     value | observed | expected |
        | :------- | --------: | -------: | -------: |
        | uα       |    0.8117 | ...
        """
        rows = unitizing_rows(self)
        return markdown_report(rows, signature=self.signature, facts=unitizing_facts(self))


def unitizing_rows(result: UnitizingResult, *, labels: bool = True) -> list[Row]:
    """Give the alphas that the generation has, with their names.

    Parameters
    ----------
    result
        What ``unitizing_alpha`` returned.
    labels
        Whether those of labels are among them.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.unitizing.unitizing_result import unitizing_rows
    >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
    >>> [name for name, _ in unitizing_rows(un.unitizing_alpha(text, generation="1995"))]
    ['αU', 'αU NP']
    """
    families: dict[str, list[Row]] = {
        "2016": [("uα", result.u), ("|uα", result.binary), ("cuα", result.coding)],
        "2013": [("uα", result.u), ("cuα", result.coding)],
        "1995": [("αU", result.u)],
    }
    rows = families[result.generation]
    if labels:
        name = "αU" if result.generation == "1995" else "(k)uα"
        keys = label_keys(result.by_label)
        rows += [
            (f"{name} {keys[label] or '(no label)'}", of) for label, of in result.by_label.items()
        ]
    return rows


def unitizing_facts(result: UnitizingResult) -> list[tuple[str, str]]:
    """Give what a reader must know beside the numbers, as names and sentences.

    Parameters
    ----------
    result
        What ``unitizing_alpha`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.unitizing.unitizing_result import unitizing_facts
    >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
    >>> for name, fact in unitizing_facts(un.unitizing_alpha(text)):
    ...     print(f"{name}: {fact}")
    annotators: 2 (counted: those with units in the document)
    units: 2
    length: 9
    generation: 2016
    """
    who = WHO_COUNTS.get(result.annotators_from, result.annotators_from)
    found = [
        ("annotators", f"{result.n_annotators:,} (counted: {who})"),
        ("units", f"{result.n_units:,}"),
        ("length", position(result.length)),
        ("generation", result.generation),
    ]
    if result.n_documents > 1:
        found.insert(0, ("documents", f"{result.n_documents:,}"))
    if result.skipped:
        found.append(("skipped", f"{count(result.skipped, 'row')} that could not be read"))
    if result.left_out_documents:
        names = some(result.left_out_documents)
        number = count(len(result.left_out_documents), "document")
        found.append(("left out", f"{number} with fewer than two annotators: {names}"))
    found.extend(("note", printable(note)) for note in result.notes)
    return found
