"""A measure of units that nobody needs, for tests that register it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unisono.registry import MEASURES, Measure
from unisono.results.agreement import Agreement
from unisono.results.values import Signature

if TYPE_CHECKING:
    from collections.abc import Mapping

    import unisono as un


@dataclass(frozen=True)
class MadeUp:
    """The results of the two measures."""

    whole: Agreement
    of_label: Mapping[object, Agreement]
    notes: tuple[str, ...] = ("made up",)


def made_up(data: un.Continuum | un.Corpus, *, tolerance: float = 0.0) -> MadeUp:
    """Return 1 for every label, and 1 − the tolerance of all together."""
    labels = [label for label in data.labels if label is not None]
    return MadeUp(
        _agreement("made_up", tolerance), {label: _agreement("made_up_k", 0.0) for label in labels}
    )


def _agreement(name: str, observed: float) -> Agreement:
    signature = Signature(name, (("tolerance", f"{observed:g}"),))
    return Agreement(value=1.0 - observed, observed=observed, expected=1.0, signature=signature)


def register() -> None:
    """Add the two measures to the registry, as two entries of the file would."""
    common = {"family": "atoms", "data": "units", "function": "made_up_measure:made_up"}
    names = (("made_up", "M", "whole", False), ("made_up_k", "Mk", "of_label", True))
    for name, symbol, part, by_label in names:
        MEASURES[name] = Measure(  # type: ignore[index]
            name=name,
            symbol=symbol,
            title=f"{symbol} agreement",
            meaning="nothing at all",
            part=part,
            by_label=by_label,
            settings=("tolerance",),
            **common,  # type: ignore[arg-type]
        )
