"""Agreement on segmentations: comparison of pairs, correction for chance, and the result."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from unisono.errors import DataError
from unisono.model.codes import as_name
from unisono.model.columns import counted, listed
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_bytes
from unisono.model.segmentation import Segmentation, atom_length, segmentations
from unisono.registry import MEASURES
from unisono.results.agreement import Agreement, signed
from unisono.results.record import record
from unisono.results.sheet import (
    KINDS,
    Column,
    Fact,
    Headline,
    Sheet,
    Table,
    column,
    columns,
    measure_symbol,
    measure_title,
    shared_notes,
)
from unisono.results.values import Signature
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from unisono.results.sheet import Row

__all__ = [
    "BoundaryEdits",
    "Cut",
    "PairComparison",
    "SegmentationAgreement",
    "Settings",
    "as_texts",
    "compute_measure",
    "sheet_of",
]


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates at which annotators place boundaries."""

    shares: list[float] = field(default_factory=list)
    marked: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    pairs: set[tuple[str, str]] = field(default_factory=set)

    def pi(self) -> float:
        """Return the agreement expected by chance with the mean rate of all annotators (π)."""
        return float((math.fsum(self.shares) / len(self.shares)) ** 2)

    def kappa(self) -> float:
        """Return the agreement expected by chance with the rate of each annotator (κ)."""
        rate = {name: self.marked[name] / self.places[name] for name in self.marked}
        return math.fsum(rate[one] * rate[other] for one, other in self.pairs) / len(self.pairs)


def rates_of(texts: Iterable[Text]) -> Rates:
    """Compute the rates of boundaries in texts with at least two annotators."""
    rates = Rates()
    for text in texts:
        n_places = text.length - 1
        if not n_places:
            continue
        for name, cut in text.cuts.items():
            rates.shares.append(len(cut.boundaries) / n_places)
            rates.marked[name] = rates.marked.get(name, 0) + len(cut.boundaries)
            rates.places[name] = rates.places.get(name, 0) + n_places
        rates.pairs.update(combinations(text.cuts, 2))
    return rates


class BoundaryEdits(NamedTuple):
    """Counts of matching and differing boundaries, summed over pairs and documents.

    Attributes
    ----------
    matches
        Number of positions at which both annotators have a boundary.
    near_misses
        Number of pairs of boundaries with a distance below the limit.
    misses
        Number of boundaries of one annotator without a counterpart.

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


@record
class SegmentationAgreement(Agreement):
    """Agreement of annotators on the segmentation of texts.

    ``observed`` is the disagreement. The value of a similarity (B, S) is 1 − observed, the value of
    a distance (Pk, WindowDiff, generalized Hamming) is the disagreement itself, as published. These
    values are not corrected for chance, so ``expected`` is NaN; `pi` and `kappa` are corrected.

    Parameters
    ----------
    pi, kappa
        The value corrected for chance, if defined: with a common rate of boundaries of all
        annotators (π), or with the rate of each annotator (κ).
    edits
        Counts of matching and differing boundaries, for measures by boundary edits.
    by_pair
        The result for each pair of annotators; of an asymmetric distance in both orders, with the
        reference first. Empty for two segmentations without names.
    documents
        The result for each document of a corpus.
    n_annotators
        Number of annotators.
    n_atoms
        Number of atoms of all texts with at least two annotators.
    n_boundaries
        Number of boundaries of all annotators in these texts.
    notes
        Remarks on the reliability of the value.

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

    pi: Agreement | None = None
    kappa: Agreement | None = None
    edits: BoundaryEdits | None = None
    by_pair: Mapping[tuple[str, str], Agreement] = field(default_factory=dict)
    documents: Mapping[str, SegmentationAgreement] = field(default_factory=dict)
    n_annotators: int
    n_atoms: int
    n_boundaries: int
    notes: tuple[str, ...] = ()

    summary = ("value", "n_annotators", "n_atoms")
    computed = ("perfect",)

    @property
    def perfect(self) -> int:
        """The value of perfect agreement: 1 of a similarity, 0 of a distance.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Segmentation.from_masses([2, 3, 6])
        >>> un.pk(text, text).perfect, un.boundary_similarity(text, text).perfect
        (0, 1)
        """
        return int(MEASURES[self.signature.measure].perfect)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the result, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> one, other = map(un.Segmentation.from_masses, ([2, 3, 6], [5, 6]))
        >>> [fact.text for fact in un.pk(one, other).sheet().facts]
        ['2', '11', '3']
        """
        return sheet_of({self.signature.measure: self}, title=title)


_NUMBERS = "value observed expected undefined signature"
_FACTS = ("n_documents", "n_annotators", "n_atoms", "n_boundaries", "edits")


def sheet_of(results: Mapping[str, SegmentationAgreement], *, title: str = "") -> Sheet:
    """Return the `Sheet` of several measures of the same segmentations."""
    first = next(iter(results.values()))
    rows = [row for result in results.values() for row in _measure_rows(result)]
    tables = [
        Table(
            name="measure",
            columns=columns("measure value observed expected perfect"),
            rows=[
                (name, of.value, of.observed, of.expected, int(MEASURES[name].perfect))
                for name, of in rows
            ],
            reasons=[(measure_title(name), of.undefined) for name, of in rows if of.undefined],
            programs=False,
        )
    ]
    if len(_pairs(first)) > 1:
        tables.append(_breakdown("pair", "annotators", results, _pairs))
    if len(first.documents) > 1:
        tables.append(_breakdown("document", "document", results, _documents))
    return Sheet(
        name="segmentation",
        title=title,
        headline=tuple(Headline(name, result.value) for name, result in results.items()),
        tables=(*tables, *_tables_for_programs(results)),
        facts=tuple(_facts(results)),
        notes=shared_notes(results),
        signatures=tuple(result.signature for result in results.values()),
    )


def _measure_rows(result: SegmentationAgreement) -> Iterator[tuple[str, Agreement]]:
    """Yield the result of a measure, and those of it that are corrected for chance."""
    for of in (result, result.pi, result.kappa):
        if of is not None:
            yield of.signature.measure, of


def _tables_for_programs(results: Mapping[str, SegmentationAgreement]) -> Iterator[Table]:
    scopes: dict[str, list[Row]] = {"all": [], "pair": [], "document": [], "document pair": []}

    def add(prefix: str, document: str | None, name: str, result: SegmentationAgreement) -> None:
        for measure, of in _measure_rows(result):
            scopes[prefix or "all"].append((measure, document, None, None, *_numbers(of)))
        for pair, of in result.by_pair.items():
            scopes[f"{prefix} pair".strip()].append((name, document, *pair, *_numbers(of)))

    for name, result in results.items():
        add("", None, name, result)
        for document, of in result.documents.items():
            add("document", document, name, of)
    shape = columns(f"measure document annotator_a annotator_b {_NUMBERS}")
    for scope, rows in scopes.items():
        yield Table(name=scope, columns=shape, rows=rows, people=False)


def _numbers(of: Agreement) -> tuple[Any, ...]:
    return of.value, of.observed, of.expected, of.undefined, of.signature


def _pairs(result: SegmentationAgreement) -> dict[str, tuple[float, float]]:
    """Return value and disagreement of each pair of annotators, the mean of both orders."""
    found = {}
    for (one, other), of in result.by_pair.items():
        if one < other:
            reverse = result.by_pair.get((other, one), of)
            value = (of.value + reverse.value) / 2
            observed = (of.observed + reverse.observed) / 2
            found[f"{one} – {other}"] = (value, observed)
    return found


def _documents(result: SegmentationAgreement) -> dict[str, tuple[float, float]]:
    return {name: (of.value, of.observed) for name, of in result.documents.items()}


def _breakdown(
    name: str,
    subject: str,
    results: Mapping[str, SegmentationAgreement],
    values_of: Callable[[SegmentationAgreement], dict[str, tuple[float, float]]],
) -> Table:
    """Return a table with one column per measure, in descending order of the first one's errors."""
    values = {measure: values_of(result) for measure, result in results.items()}
    first = next(iter(values.values()))

    def worst_first(row: Row) -> tuple[float, str]:
        observed = first[row[0]][1]
        return (math.inf if math.isnan(observed) else -observed, row[0])

    return Table(
        name=name,
        columns=(
            column(subject),
            *(
                Column(name=measure, heading=measure_symbol(measure), kind=KINDS["value"])
                for measure in results
            ),
        ),
        rows=[(each, *(of[each][0] for of in values.values())) for each in first],
        worst_first=worst_first,
        limited=True,
        programs=False,
    )


def _facts(results: Mapping[str, SegmentationAgreement]) -> Iterator[Fact]:
    """Yield the facts of all measures without duplicates."""
    seen = set()
    for result in results.values():
        edits = None if result.edits is None else edits_text(result.edits)
        values = (len(result.documents), *(getattr(result, name) for name in _FACTS[1:4]), edits)
        for name, value in zip(_FACTS, values, strict=True):
            if value and (name, value) not in seen:
                seen.add((name, value))
                yield Fact(column(name), value)


def edits_text(edits: BoundaryEdits) -> str:
    """Return the counts of boundaries as text."""
    names = (("match", "matches"), ("near miss", "near misses"), ("miss", "misses"))
    return ", ".join(
        f"{number:,} {one if number == 1 else many}"
        for number, (one, many) in zip(edits, names, strict=True)
    )


Settings: TypeAlias = "tuple[tuple[str, str], ...]"
_Pair: TypeAlias = "tuple[str, str]"


class PairComparison(NamedTuple):
    """The disagreement of two segmentations as a ratio, and the counts of their boundaries."""

    wrong: float
    whole: float
    edits: BoundaryEdits | None = None


class Measure(Protocol):
    """The interface of a measure of segmentations."""

    @property
    def name(self) -> str:
        """The name of its public function."""

    @property
    def symmetric(self) -> bool:
        """Whether the order of the two segmentations is irrelevant."""

    @property
    def undefined_reason(self) -> str:
        """The reason why the value of two segmentations may be undefined."""

    @property
    def settings(self) -> Settings:
        """The settings for the signature."""

    def compare(self, reference: Segmentation, hypothesis: Segmentation) -> PairComparison:
        """Compare two segmentations of one text."""


def compute_measure(measure: Measure, texts: Texts) -> SegmentationAgreement:
    """Compute a measure, and return the result with a reason if it is undefined."""
    documents = {
        name: _TextComparison(measure, texts, text, name) for name, text in texts.documents.items()
    }
    found = (
        documents[None].result()
        if None in documents
        else _pool_documents(measure, texts, list(documents.values()))
    )
    return found if texts.units is None else signed_for_units(found, texts.units)


class _TextComparison:
    """The comparisons of all pairs of annotators of one text."""

    def __init__(self, measure: Measure, texts: Texts, text: Text, name: str | None) -> None:
        self.measure, self.texts, self.text, self.name = measure, texts, text, name
        self.compared: dict[_Pair, PairComparison] = {}
        for pair in texts.pairs(text, symmetric=measure.symmetric):
            try:
                self.compared[pair] = measure.compare(*(text.cuts[each] for each in pair))
            except DataError as error:
                if name is None:
                    raise
                msg = f"document {name!r}: {error}"
                raise DataError(msg) from None

    @property
    def has_pairs(self) -> bool:
        """Whether the text has at least two annotators."""
        return len(self.text.cuts) > 1

    def result(self) -> SegmentationAgreement:
        """Return the result of this text."""
        signer = _Signer(self.measure, self.text.digest)
        by_pair = {pair: [found] for pair, found in self.compared.items()}
        return _summarize(self.measure, signer, by_pair, [self.text], named=not self.texts.directed)


def _pool_documents(
    measure: Measure, texts: Texts, documents: Sequence[_TextComparison]
) -> SegmentationAgreement:
    by_pair: dict[_Pair, list[PairComparison]] = {}
    for document in documents:
        for pair, found in document.compared.items():
            by_pair.setdefault(pair, []).append(found)
    left_out = [str(document.name) for document in documents if not document.has_pairs]
    notes: tuple[str, ...] = ()
    if left_out:
        number = count(len(left_out), "document")
        notes = (f"{number} with fewer than two annotators left out: {some(left_out)}",)
    return _summarize(
        measure,
        _Signer(measure, texts.digest),
        by_pair,
        [document.text for document in documents],
        named=True,
        documents={str(document.name): document.result() for document in documents},
        notes=notes,
    )


def signed_for_units(
    result: SegmentationAgreement,
    data: Continuum | Corpus,
    *,
    atom: float | None = None,
    gaps: str = "raise",
) -> SegmentationAgreement:
    """Return a result on the segmentations of units, signed with the digest of the units.

    The same data then have the same digest in the signatures of all measures.
    """
    settings = {"atom": f"{atom_length(atom):.12g}", "gaps": gaps}
    whole = {**settings, "data": data.digest[:8]}
    documents = {
        name: signed_for_units(each, data[name], atom=atom, gaps=gaps)
        for name, each in result.documents.items()
        if isinstance(data, Corpus)
    }
    return replace(
        signed(result, **whole),
        pi=None if result.pi is None else signed(result.pi, **whole),
        kappa=None if result.kappa is None else signed(result.kappa, **whole),
        by_pair={pair: signed(each, **whole) for pair, each in result.by_pair.items()},
        documents=documents,
    )


class _Signer:
    """Builds signatures with all settings that affect a value."""

    def __init__(self, measure: Measure, digest: str) -> None:
        self._measure = measure
        self._last = (("data", digest[:8]), ("v", __version__))

    def __call__(self, *own: tuple[str, str], name: str = "") -> Signature:
        settings = (*own, *self._measure.settings, *self._last)
        return Signature(name or self._measure.name, settings)


def _summarize(
    measure: Measure,
    signer: _Signer,
    by_pair: Mapping[_Pair, Sequence[PairComparison]],
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
        notes = (
            *notes,
            f"{count(n_empty, 'pair')} of annotators left out: {measure.undefined_reason}",
        )
    chance = _chance_corrected(measure, signer, by_pair, compared)
    return SegmentationAgreement(
        value=_value(measure, observed),
        observed=observed,
        expected=math.nan,
        undefined=None if defined else _undefined_reason(measure, texts, of_pairs),
        signature=signer(),
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
        notes=(*notes, *_rounding_notes(texts)),
    )


def _disagreement(found: Iterable[PairComparison]) -> float:
    """Return the pooled disagreement of several comparisons, the ratio of the sums."""
    found = list(found)
    whole = math.fsum(one.whole for one in found)
    return math.fsum(one.wrong for one in found) / whole if whole else math.nan


def _value(measure: Measure, observed: float) -> float:
    return 1.0 - observed if MEASURES[measure.name].perfect else observed


def _agreement(measure: Measure, signer: _Signer, pair: _Pair, share: float) -> Agreement:
    return Agreement(
        value=_value(measure, share),
        observed=share,
        expected=math.nan,
        undefined=measure.undefined_reason if math.isnan(share) else None,
        signature=signer(("annotators", ",".join(pair))),
    )


def _edits(by_pair: Mapping[_Pair, Sequence[PairComparison]]) -> BoundaryEdits | None:
    each = [one.edits for found in by_pair.values() for one in found if one.edits is not None]
    return BoundaryEdits(*map(sum, zip(*each, strict=True))) if each else None


def _chance_corrected(
    measure: Measure,
    signer: _Signer,
    by_pair: Mapping[_Pair, Sequence[PairComparison]],
    texts: Sequence[Text],
) -> dict[str, Agreement]:
    """Return π and κ of all pairs and texts, with the disagreement expected by chance."""
    function = MEASURES[measure.name].function
    corrected = [each for each in MEASURES.values() if each.function == function and each.part]
    if not corrected:
        return {}
    observed = _disagreement(one for found in by_pair.values() for one in found)
    rates = rates_of(texts)
    chance = dict.fromkeys(("pi", "kappa"), math.nan)
    if not math.isnan(observed):
        chance = {"pi": rates.pi(), "kappa": rates.kappa()}
    found = {}
    for each in corrected:
        expected = 1.0 - chance[each.part]
        undefined = None
        if math.isnan(observed):
            undefined = measure.undefined_reason if by_pair else "no text has two annotators"
        elif expected == 0.0:
            undefined = "all positions have a boundary, so the expected disagreement is 0"
        found[each.part] = Agreement(
            value=math.nan if undefined else 1.0 - observed / expected,
            observed=observed,
            expected=expected,
            undefined=undefined,
            signature=signer(name=each.name),
        )
    return found


def _undefined_reason(
    measure: Measure, texts: Sequence[Text], of_pairs: Mapping[_Pair, float]
) -> str:
    if of_pairs:
        return measure.undefined_reason
    if not any(text.cuts for text in texts):
        return "there are no segmentations"
    names = sorted({name for text in texts for name in text.cuts})
    if len(names) == 1:
        return f"agreement needs at least two annotators; there is only {names[0]!r}"
    return "no text has two annotators"


def _rounding_notes(texts: Sequence[Text]) -> tuple[str, ...]:
    merged = sum(cut.merged for text in texts for cut in text.cuts.values())
    if not merged:
        return ()
    boundaries = "1 boundary" if merged == 1 else f"{merged:,} boundaries"
    return (f"{boundaries} merged with others or with an end of the text by rounding to atoms",)


Cut: TypeAlias = (
    "Segmentation | Mapping[str, Segmentation] | Mapping[str, Mapping[str, Segmentation]] "
    "| Continuum | Corpus"
)
"""The data that measures of segmentations accept."""
_REFERENCE, _HYPOTHESIS = "reference", "hypothesis"


@dataclass(frozen=True, slots=True)
class Text:
    """The segmentations of one text by annotator, in the order of names."""

    cuts: dict[str, Segmentation]

    @property
    def length(self) -> int:
        """The number of atoms."""
        return next(iter(self.cuts.values())).length

    @property
    def digest(self) -> str:
        """The SHA-256 digest of names and segmentations, in hexadecimal."""
        content = hashlib.sha256(b"unisono segmentations 1\n")
        for name, cut in self.cuts.items():
            content.update(label_bytes(name) + cut.digest.encode())
        return content.hexdigest()


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts by name; a single text that is not in a corpus has the name `None`."""

    documents: dict[str | None, Text]
    directed: bool
    """Whether one segmentation is the reference and the other is not."""
    units: Continuum | Corpus | None = None
    """The units that were converted to segmentations, if any."""

    @property
    def digest(self) -> str:
        """The SHA-256 digest of the documents of a corpus, in hexadecimal."""
        content = hashlib.sha256(b"unisono segmented corpus 1\n")
        for name, text in self.documents.items():
            content.update(label_bytes(str(name)) + text.digest.encode())
        return content.hexdigest()

    def pairs(self, text: Text, *, symmetric: bool) -> Iterator[tuple[str, str]]:
        """Yield the pairs to compare; the reference is first if the order matters."""
        if self.directed:
            yield _REFERENCE, _HYPOTHESIS
            return
        names = list(text.cuts)
        for i, one in enumerate(names):
            for j, other in enumerate(names):
                if i < j or (i > j and not symmetric):
                    yield one, other


def as_texts(first: Cut, second: Segmentation | None) -> Texts:
    """Convert and validate the data of a measure."""
    if second is not None:
        if not (isinstance(first, Segmentation) and isinstance(second, Segmentation)):
            kinds = f"{type(first).__name__} and {type(second).__name__}"
            msg = f"expected two segmentations, or one mapping of segmentations; got {kinds}"
            raise TypeError(msg)
        text = _text({_REFERENCE: first, _HYPOTHESIS: second}, None)
        return Texts({None: text}, directed=True)
    if isinstance(first, Segmentation):
        msg = "a comparison needs two segmentations, got one; pass the hypothesis as well"
        raise TypeError(msg)
    table: object = first
    units = None
    if isinstance(first, Continuum | Corpus):
        units = first
        try:
            table = segmentations(first)
        except DataError as error:
            msg = (
                f"{error} (pass these settings to segmentations(), and its result to this function)"
            )
            raise DataError(msg) from None
    if not isinstance(table, Mapping):
        msg = (
            "expected two segmentations, a mapping by annotator or by document and annotator, a "
            f"Continuum or a Corpus; got {type(first).__name__}"
        )
        raise TypeError(msg)
    if table and all(isinstance(inside, Mapping) for inside in table.values()):
        named = _named(table, "document")
        documents: dict[str | None, Text] = {
            name: _text(named[name], name) for name in sorted(named)
        }
        return Texts(documents, directed=False, units=units)
    return Texts({None: _text(table, None)}, directed=False, units=units)


def _text(cuts: Mapping[str, object], document: str | None) -> Text:
    where = "" if document is None else f"document {document!r}: "
    named = _named(cuts, "annotator")
    in_order: dict[str, Segmentation] = {}
    for name in sorted(named):
        cut = named[name]
        if not isinstance(cut, Segmentation):
            msg = f"{where}expected a Segmentation for {name!r}, got {type(cut).__name__}"
            raise TypeError(msg)
        in_order[name] = cut
    names = list(in_order)
    for name in names[1:]:
        if in_order[name].length != in_order[names[0]].length:
            lengths = " and ".join(
                f"{each!r} {counted(in_order[each].length, 'atom')}" for each in (names[0], name)
            )
            msg = f"{where}segmentations of one text must have the same length; {lengths}"
            raise DataError(msg)
    return Text(in_order)


def _named(table: Mapping[Any, Any], noun: str) -> dict[str, Any]:
    """Convert and validate the names; the number 1 and the string "1" are the same name."""
    article = "an" if noun == "annotator" else "a"
    named = {as_name(name, f"{article} {noun}"): inside for name, inside in table.items()}
    if len(named) < len(table):
        msg = f"names of {noun}s must be unique, got {listed(table)}"
        raise DataError(msg)
    return named
