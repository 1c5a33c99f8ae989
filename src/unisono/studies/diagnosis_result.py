"""What a diagnosis is: where the disorder comes from, and how much of γ each part costs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.measures.gamma.alignment import read_only
from unisono.results.markdown import markdown_code, markdown_table
from unisono.results.picturing import Pictured
from unisono.results.record import label_keys, plain_label, plain_number
from unisono.results.records import Record
from unisono.results.wording import decimals
from unisono.results.written import InMarkdown

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.model.labels import Label
    from unisono.results.signature import Signature

__all__ = ["AnnotatorParts", "Confusion", "Diagnosis", "LabelParts", "Parts", "percent"]


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
    """Write a part as a share of the whole.

    Examples
    --------
    >>> percent(0.25, 2.0), percent(0.0, 0.0)
    ('12.5 %', '–')
    >>> percent(0.0001, 1.0), percent(0.0, 1.0)
    ('< 0.1 %', '0.0 %')
    """
    if not (total > 0.0 and math.isfinite(total)):
        return "–"
    share = 100.0 * part / total
    return "< 0.1 %" if 0.0 < share < 0.05 else f"{share:.1f} %"


def _plain(parts: Parts) -> dict[str, Any]:
    numbers = parts._asdict() | {"total": parts.total}
    return {name: plain_number(value) for name, value in numbers.items()}
