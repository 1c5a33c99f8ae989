"""From a measure and texts to a result: pairs, means, chance, and why there may be no value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from unisono.errors import DataError
from unisono.measures.segmentation.chances import rates_of
from unisono.measures.segmentation.segmentation_result import BoundaryEdits, SegmentationAgreement
from unisono.results.agreement import Agreement
from unisono.results.signature import Signature
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unisono.measures.segmentation.segmentation_result import Reading
    from unisono.measures.segmentation.texts import Text, Texts
    from unisono.model.segmentation import Segmentation

__all__ = ["Compared", "Settings", "measured"]

Settings: TypeAlias = "tuple[tuple[str, str], ...]"
_Pair: TypeAlias = "tuple[str, str]"


class Compared(NamedTuple):
    """The disagreement of two segmentations as a share, and what became of their boundaries."""

    wrong: float
    whole: float
    edits: BoundaryEdits | None = None


class Measure(Protocol):
    """What tells one measure from another."""

    @property
    def name(self) -> str:
        """The name of its public function."""

    @property
    def reading(self) -> Reading:
        """Whether 1 or 0 is perfect."""

    @property
    def symmetric(self) -> bool:
        """Whether it is the same in both directions."""

    @property
    def corrected(self) -> bool:
        """Whether π and κ are defined."""

    @property
    def nothing(self) -> str:
        """Why two segmentations may have no value."""

    @property
    def settings(self) -> Settings:
        """Its settings, for the signature."""

    def compare(self, reference: Segmentation, hypothesis: Segmentation) -> Compared:
        """Compare two segmentations of one text."""


def measured(measure: Measure, texts: Texts) -> SegmentationAgreement:
    """Give the result of a measure, with the reason where it has no value."""
    documents = {
        name: _OneText(measure, texts, text, name) for name, text in texts.documents.items()
    }
    if None in documents:
        return documents[None].result()
    return _pooled(measure, texts, list(documents.values()))


class _OneText:
    """All comparisons of one text."""

    def __init__(self, measure: Measure, texts: Texts, text: Text, name: str | None) -> None:
        self.measure, self.texts, self.text, self.name = measure, texts, text, name
        self.compared: dict[_Pair, Compared] = {}
        for pair in texts.pairs(text, symmetric=measure.symmetric):
            try:
                self.compared[pair] = measure.compare(*(text.cuts[each] for each in pair))
            except DataError as error:
                if name is None:
                    raise
                msg = f"document {name!r}: {error}"
                raise DataError(msg) from None

    @property
    def counts(self) -> bool:
        """Whether two annotators or more cut it."""
        return len(self.text.cuts) > 1

    def result(self) -> SegmentationAgreement:
        """Give the result of this text alone."""
        signer = _Signer(self.measure, self.text.digest)
        by_pair = {pair: [found] for pair, found in self.compared.items()}
        return _summed(self.measure, signer, by_pair, [self.text], named=not self.texts.directed)


def _pooled(measure: Measure, texts: Texts, documents: Sequence[_OneText]) -> SegmentationAgreement:
    by_pair: dict[_Pair, list[Compared]] = {}
    for document in documents:
        for pair, found in document.compared.items():
            by_pair.setdefault(pair, []).append(found)
    lone = [str(document.name) for document in documents if not document.counts]
    notes: tuple[str, ...] = ()
    if lone:
        notes = (
            f"{count(len(lone), 'document')} of fewer than two annotators left out: {some(lone)}",
        )
    return _summed(
        measure,
        _Signer(measure, texts.digest),
        by_pair,
        [document.text for document in documents],
        named=True,
        documents={str(document.name): document.result() for document in documents},
        notes=notes,
    )


class _Signer:
    """Writes down all that can move a value."""

    def __init__(self, measure: Measure, digest: str) -> None:
        self._measure = measure
        self._last = (("data", digest[:8]), ("v", __version__))

    def __call__(self, *own: tuple[str, str]) -> Signature:
        return Signature(self._measure.name, (*own, *self._measure.settings, *self._last))


def _summed(
    measure: Measure,
    signer: _Signer,
    by_pair: Mapping[_Pair, Sequence[Compared]],
    texts: Sequence[Text],
    *,
    named: bool,
    documents: Mapping[str, SegmentationAgreement] | None = None,
    notes: tuple[str, ...] = (),
) -> SegmentationAgreement:
    compared = [text for text in texts if len(text.cuts) > 1]
    of_pairs = {pair: _disagreement(found) for pair, found in sorted(by_pair.items())}
    defined = [share for share in of_pairs.values() if not math.isnan(share)]
    observed = math.fsum(defined) / len(defined) if defined else math.nan
    n_empty = len(of_pairs) - len(defined)
    if defined and n_empty:
        notes = (*notes, f"{count(n_empty, 'pair')} of annotators left out: {measure.nothing}")
    chance = _corrected(measure, signer, by_pair, compared)
    return SegmentationAgreement(
        value=_value(measure, observed),
        observed=observed,
        expected=math.nan,
        undefined=None if defined else _why_nothing(measure, texts, of_pairs),
        signature=signer(),
        reading=measure.reading,
        pi=chance.get("pi"),
        kappa=chance.get("kappa"),
        edits=_edits(by_pair),
        by_pair={pair: _agreement(measure, signer, pair, share) for pair, share in of_pairs.items()}
        if named
        else {},
        documents=documents or {},
        n_annotators=len({name for text in texts for name in text.cuts}),
        n_atoms=sum(text.length for text in compared),
        n_boundaries=sum(len(cut.boundaries) for text in compared for cut in text.cuts.values()),
        notes=(*notes, *_about_rounding(texts)),
    )


def _disagreement(found: Iterable[Compared]) -> float:
    """Put the texts of two annotators together: what is wrong in all, of the whole of all."""
    found = list(found)
    whole = math.fsum(one.whole for one in found)
    return math.fsum(one.wrong for one in found) / whole if whole else math.nan


def _value(measure: Measure, observed: float) -> float:
    return 1.0 - observed if measure.reading == "similarity" else observed


def _agreement(measure: Measure, signer: _Signer, pair: _Pair, share: float) -> Agreement:
    return Agreement(
        value=_value(measure, share),
        observed=share,
        expected=math.nan,
        undefined=measure.nothing if math.isnan(share) else None,
        signature=signer(("annotators", ",".join(pair))),
    )


def _edits(by_pair: Mapping[_Pair, Sequence[Compared]]) -> BoundaryEdits | None:
    each = [one.edits for found in by_pair.values() for one in found if one.edits is not None]
    return BoundaryEdits(*map(sum, zip(*each, strict=True))) if each else None


def _corrected(
    measure: Measure,
    signer: _Signer,
    by_pair: Mapping[_Pair, Sequence[Compared]],
    texts: Sequence[Text],
) -> dict[str, Agreement]:
    """Give π and κ: all pairs and texts together, against the rates of boundaries."""
    if not measure.corrected:
        return {}
    observed = _disagreement(one for found in by_pair.values() for one in found)
    rates = rates_of(texts)
    chance = dict.fromkeys(("pi", "kappa"), math.nan)
    if not math.isnan(observed):
        chance = {"pi": rates.by_one_rate(), "kappa": rates.by_own_rates()}
    found = {}
    for name, agreement_by_chance in chance.items():
        expected = 1.0 - agreement_by_chance
        undefined = None
        if math.isnan(observed):
            undefined = measure.nothing if by_pair else "no two annotators cut the same text"
        elif expected == 0.0:
            undefined = "there is a boundary at every place: chance never disagrees"
        found[name] = Agreement(
            value=math.nan if undefined else 1.0 - observed / expected,
            observed=observed,
            expected=expected,
            undefined=undefined,
            signature=signer(("chance", name)),
        )
    return found


def _why_nothing(measure: Measure, texts: Sequence[Text], of_pairs: Mapping[_Pair, float]) -> str:
    if of_pairs:
        return measure.nothing
    if not any(text.cuts for text in texts):
        return "there are no segmentations"
    names = sorted({name for text in texts for name in text.cuts})
    if len(names) == 1:
        return f"agreement needs two annotators or more; here there is only {names[0]!r}"
    return "no two annotators cut the same text"


def _about_rounding(texts: Sequence[Text]) -> tuple[str, ...]:
    merged = sum(cut.merged for text in texts for cut in text.cuts.values())
    met = "met another one or an end of the text"
    if not merged:
        return ()
    what = "1 boundary" if merged == 1 else f"{merged:,} boundaries"
    return (f"rounded to atoms, {what} {met}",)
