"""What a measure of segmentations returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from unisono.results.agreement import Agreement
from unisono.results.markdown import markdown_report
from unisono.results.wording import count, decimals, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.results.rows import Row

__all__ = ["BoundaryEdits", "Reading", "SegmentationAgreement", "segmentation_facts"]

Reading: TypeAlias = Literal["similarity", "distance"]
"""Whether 1 or 0 is perfect."""


class BoundaryEdits(NamedTuple):
    """What became of the boundaries of two annotators, added up over pairs and documents.

    Attributes
    ----------
    matches
        Places where both have a boundary.
    near_misses
        Boundaries of the two that stand apart by less than was allowed, paired.
    misses
        Boundaries of one of them that the other has nothing for.

    Examples
    --------
    >>> import unisono as un
    >>> one, other = map(un.Segmentation.from_masses, ([2, 3, 6], [2, 4, 5]))
    >>> un.boundary_similarity(one, other).edits
    BoundaryEdits(matches=1, near_misses=1, misses=0)
    """

    matches: int
    near_misses: int
    misses: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SegmentationAgreement(Agreement):
    """How alike annotators cut texts into segments.

    ``observed`` is the disagreement. The value of a similarity (B, S) is 1 − observed, that of a
    distance (Pk, WindowDiff, generalized Hamming) is the disagreement itself, as published. None
    of them knows chance, so ``expected`` is NaN; `pi` and `kappa` do.

    Parameters
    ----------
    reading
        ``"similarity"``, where 1 is perfect, or ``"distance"``, where 0 is.
    pi, kappa
        The value corrected for chance, where that is defined: with one rate of boundaries for all
        annotators, and with one for each.
    edits
        What became of the boundaries, where that is counted.
    by_pair
        The same for each two annotators; of a distance that depends on who is the reference, in
        both orders, the reference first. Empty for two segmentations without names.
    documents
        The same for each document of a corpus.
    n_annotators
        Whose segmentations were compared.
    n_atoms
        The atoms of all texts that two of them cut.
    n_boundaries
        The boundaries of all annotators in those texts.
    notes
        Sentences a reader of the value should know.

    Examples
    --------
    >>> import unisono as un
    >>> one, other = map(un.Segmentation.from_masses, ([2, 3, 6], [5, 6]))
    >>> result = un.boundary_similarity(one, other)
    >>> result
    SegmentationAgreement(0.5000, 2 annotators, 11 atoms)
    >>> result.observed, round(result.kappa.value, 4)
    (0.5, 0.4898)
    """

    reading: Reading
    pi: Agreement | None = None
    kappa: Agreement | None = None
    edits: BoundaryEdits | None = None
    by_pair: Mapping[tuple[str, str], Agreement] = field(default_factory=dict)
    documents: Mapping[str, SegmentationAgreement] = field(default_factory=dict)
    n_annotators: int
    n_atoms: int
    n_boundaries: int
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Agreement.__post_init__(self)
        for name in ("by_pair", "documents"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        object.__setattr__(self, "notes", tuple(self.notes))

    @property
    def perfect(self) -> int:
        """The value of annotators who agree on everything.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Segmentation.from_masses([2, 3, 6])
        >>> un.pk(text, text).perfect, un.boundary_similarity(text, text).perfect
        (0, 1)
        """
        return 1 if self.reading == "similarity" else 0

    def __repr__(self) -> str:
        outcome = f"undefined: {self.undefined}" if self.undefined else decimals(self.value)
        told = (count(self.n_annotators, "annotator"), count(self.n_atoms, "atom"))
        return f"SegmentationAgreement({', '.join((outcome, *told))})"

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> cuts = {"ann": [2, 3, 6], "bob": [5, 6]}
        >>> texts = {name: un.Segmentation.from_masses(cut) for name, cut in cuts.items()}
        >>> record = un.boundary_similarity(texts).to_dict()
        >>> record["value"], record["edits"]["misses"], record["by_pair"][0]["annotators"]
        (0.5, 1, ['ann', 'bob'])
        """
        record = Agreement.to_dict(self)
        signature = record.pop("signature")
        return record | {
            "reading": self.reading,
            "pi": self.pi.to_dict() if self.pi else None,
            "kappa": self.kappa.to_dict() if self.kappa else None,
            "edits": self.edits._asdict() if self.edits else None,
            "n_annotators": self.n_annotators,
            "n_atoms": self.n_atoms,
            "n_boundaries": self.n_boundaries,
            "notes": list(self.notes),
            "by_pair": [
                {"annotators": list(pair), **of.to_dict()} for pair, of in self.by_pair.items()
            ],
            "documents": {name: of.to_dict() for name, of in self.documents.items()},
            "signature": signature,
        }

    def to_markdown(self) -> str:
        """Give the value, those of pairs, the facts and the signature as Markdown.

        Examples
        --------
        >>> import unisono as un
        >>> one, other = map(un.Segmentation.from_masses, ([2, 3, 6], [5, 6]))
        >>> print(un.pk(one, other).to_markdown())
        | measure |  value | observed | expected |
        | :------ | -----: | -------: | -------: |
        | pk      | 0.2222 |   0.2222 |        – |
        <BLANKLINE>
        - reading: a distance: 0 is perfect
        ...
        """
        corrected = [("π", self.pi), ("κ", self.kappa)]
        rows: list[Row] = [
            (None, self),
            *((name, of) for name, of in corrected if of is not None),
            *((" – ".join(pair), of) for pair, of in self.by_pair.items()),
        ]
        return markdown_report(rows, signature=self.signature, facts=segmentation_facts(self))


def segmentation_facts(result: SegmentationAgreement) -> list[tuple[str, str]]:
    """Give what a reader must know beside the numbers, as names and sentences.

    Parameters
    ----------
    result
        What a measure of segmentations returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.segmentation.segmentation_result import segmentation_facts
    >>> one, other = map(un.Segmentation.from_masses, ([2, 3, 6], [5, 6]))
    >>> for name, fact in segmentation_facts(un.boundary_similarity(one, other)):
    ...     print(f"{name}: {fact}")
    reading: a similarity: 1 is perfect
    annotators: 2
    atoms: 11
    boundaries: 3
    of pairs: 1 match, 0 near misses, 1 miss
    """
    found = [
        ("reading", f"a {result.reading}: {result.perfect} is perfect"),
        ("annotators", f"{result.n_annotators:,}"),
        ("atoms", f"{result.n_atoms:,}"),
        ("boundaries", f"{result.n_boundaries:,}"),
    ]
    if result.documents:
        found.insert(1, ("documents", f"{len(result.documents):,}"))
    if result.edits is not None:
        found.append(("of pairs", edits_text(result.edits)))
    found.extend(("note", printable(note)) for note in result.notes)
    return found


def edits_text(edits: BoundaryEdits) -> str:
    """Write what became of the boundaries.

    Examples
    --------
    >>> from unisono.measures.segmentation.segmentation_result import BoundaryEdits, edits_text
    >>> edits_text(BoundaryEdits(2, 1, 0))
    '2 matches, 1 near miss, 0 misses'
    """
    names = (("match", "matches"), ("near miss", "near misses"), ("miss", "misses"))
    return ", ".join(
        f"{number:,} {one if number == 1 else many}"
        for number, (one, many) in zip(edits, names, strict=True)
    )
