"""What ``gamma`` returns: γ, γcat and γk, the alignment and the draws behind them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.measures.gamma.alignment import read_only
from unisono.results.agreement import Agreement, ChanceAgreement
from unisono.results.markdown import markdown_report
from unisono.results.on_demand import OnDemand
from unisono.results.record import label_keys, plain_number
from unisono.results.rows import certain_range, facts, family, outcome, uncertainty
from unisono.results.wording import count

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from unisono.measures.gamma.alignment import Alignment
    from unisono.model.labels import Label
    from unisono.results.bounds import Bounds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class GammaResult(ChanceAgreement):
    """How much annotators agree on where units are and what they are called, beyond chance.

    Of a corpus the same fields are pooled over its documents, and ``documents`` has a result each.

    Parameters
    ----------
    p_value
        The share of draws, one more on each side of the fraction, with no more disorder than
        was observed; NaN when γ is undefined.
    cat
        γcat: agreement on labels alone, over the units that are aligned.
    by_label
        γk: the same for pairs with at least one unit of the label. The keys are the labels
        themselves, ``None`` for units without one.
    alignment
        The best alignment; ``None`` for a corpus, whose documents have their own.
    draw_disorders
        The disorder of each draw, read-only.
    proven
        Whether every alignment behind the value, observed and drawn, is proven to be the best.
    certified
        Between which values γ lies whatever better alignments there may be, for the draws made:
        both are the value when all is proven; ``None`` when γ is undefined.
    redrawn
        Draws without units, which were drawn again.
    spacing
        The least distance between two shifts, for chance models that shift.
    documents
        A result for each document of a corpus, by name, made when it is asked for; empty for one
        continuum.
    n_annotators
        How many annotators count.
    n_units
        How many units there are.
    annotators_from
        How the annotators were known: those with units in the document (``units``), everyone in
        the corpus (``corpus``), or as declared (``declared``).
    skipped
        Rows the reader could not use and was told to skip.
    left_out_documents
        Documents that add nothing to the pooled value.
    failed_documents
        Documents that could not be measured, by name, each with a sentence that says why; only
        where that is reported and not raised.
    notes
        Sentences a reader of the value should know.

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.results.agreement import ChanceAgreement
    >>> from unisono.measures.gamma.gamma_result import GammaResult
    >>> from unisono.results.signature import Signature
    >>> cat = ChanceAgreement(
    ...     value=0.8, observed=0.1, expected=0.5, draws=2, signature=Signature("gamma-cat")
    ... )
    >>> result = GammaResult(
    ...     value=0.5,
    ...     observed=1.0,
    ...     expected=2.0,
    ...     draws=2,
    ...     p_value=1 / 3,
    ...     cat=cat,
    ...     by_label={"NP": cat},
    ...     alignment=None,
    ...     draw_disorders=np.array([1.9, 2.1]),
    ...     proven=True,
    ...     n_annotators=2,
    ...     n_units=4,
    ...     annotators_from="units",
    ...     signature=Signature("gamma"),
    ... )
    >>> result
    GammaResult(0.5000, 2 annotators, 4 units, 2 draws)
    >>> result.cat.value, result.by_label["NP"].value
    (0.8, 0.8)
    """

    p_value: float
    cat: ChanceAgreement
    by_label: Mapping[Label | None, ChanceAgreement]
    alignment: Alignment | None
    draw_disorders: npt.NDArray[np.float64]
    proven: bool
    certified: Bounds | None = None
    redrawn: int = 0
    spacing: float | None = None
    documents: Mapping[str, GammaResult] = field(default_factory=dict)
    n_annotators: int
    n_units: int
    annotators_from: str
    skipped: int = 0
    left_out_documents: tuple[str, ...] = ()
    failed_documents: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Agreement.__post_init__(self)
        for name in ("by_label", "documents", "failed_documents"):
            given = getattr(self, name)
            if not isinstance(given, OnDemand):
                object.__setattr__(self, name, MappingProxyType(dict(given)))
        for name in ("left_out_documents", "notes"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "draw_disorders", read_only(self.draw_disorders, np.float64))
        object.__setattr__(self, "p_value", float(self.p_value))
        object.__setattr__(self, "proven", bool(self.proven))

    @property
    def gap(self) -> float:
        """How far the observed disorder may be above the best; 0 when proven, NaN if unknown.

        Of a corpus, the mean over documents weighted by their mean number of units, as the
        pooled disorder is.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 1, 3, "A")])
        >>> un.gamma(text, draws=30, rng=42).gap
        0.0
        """
        if self.alignment is not None:
            return self.alignment.gap
        if self.proven:
            return 0.0
        weights = [d.n_units / max(1, d.n_annotators) for d in self.documents.values()]
        gaps = [d.gap if d.n_units else 0.0 for d in self.documents.values()]
        total = sum(weights)
        weighted = sum(weight * gap for weight, gap in zip(weights, gaps, strict=True))
        return weighted / total if total else math.nan

    def __str__(self) -> str:
        told = uncertainty(self)
        return ChanceAgreement.__str__(self) if told is None else f"{self.signature}: {told}"

    def __repr__(self) -> str:
        parts = [f"undefined: {self.undefined}" if self.undefined else outcome(self)]
        if self.certified and uncertainty(self) is not None:
            parts[0] += f": {certain_range(self.certified)}"
        if self.documents:
            parts.append(count(len(self.documents), "document"))
        parts += [
            count(self.n_annotators, "annotator"),
            count(self.n_units, "unit"),
            count(self.draws, "draw"),
        ]
        return f"GammaResult({', '.join(parts)})"

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        The disorders of the draws stand in the whole result only, not in its documents, and of an
        alignment only how many groups it has and its proof: ``result.alignment.to_dict()`` has all.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> record = un.gamma(text, draws=30, rng=42).to_dict()
        >>> record["observed"], record["n_units"], len(record["draw_disorders"])
        (0.0, 2, 30)
        """
        return self._record(with_draws=True)

    def _record(self, *, with_draws: bool) -> dict[str, Any]:
        keys = label_keys(self.by_label)
        record: dict[str, Any] = {
            "value": plain_number(self.value),
            "observed": plain_number(self.observed),
            "expected": plain_number(self.expected),
            "undefined": self.undefined,
            "interval": self.interval.to_dict() if self.interval else None,
            "monte_carlo": self.monte_carlo.to_dict() if self.monte_carlo else None,
            "p_value": plain_number(self.p_value),
            "cat": self.cat.to_dict(),
            "by_label": {keys[label]: of.to_dict() for label, of in self.by_label.items()},
            "draws": self.draws,
            "redrawn": self.redrawn,
            "spacing": plain_number(self.spacing),
            "proven": self.proven,
            "certified": self.certified.to_dict() if self.certified else None,
            "gap": plain_number(self.gap),
            "n_annotators": self.n_annotators,
            "n_units": self.n_units,
            "annotators_from": self.annotators_from,
            "skipped": self.skipped,
            "left_out_documents": list(self.left_out_documents),
            "failed_documents": dict(self.failed_documents),
            "notes": list(self.notes),
            "alignment": None if self.alignment is None else self.alignment.in_short(),
        }
        if with_draws:
            record["draw_disorders"] = [plain_number(x) for x in self.draw_disorders.tolist()]
        return record | {
            "signature": str(self.signature),
            "documents": {
                name: document._record(with_draws=False)  # noqa: SLF001 - of its own kind
                for name, document in self.documents.items()
            },
        }

    def to_markdown(self) -> str:
        """Give γ, γcat and γk as a Markdown table, then the facts and the signature.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> print(un.gamma(text, draws=30, rng=42).to_markdown())
        | measure | value | ...
        """
        return markdown_report(family(self), signature=self.signature, facts=facts(self))
