"""Agreement on segmentations: pairs of annotators, chance, and the result."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

from unisono.errors import DataError
from unisono.model.columns import as_name, counted, listed
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_bytes
from unisono.model.segmentation import Segmentation, segmentations
from unisono.results.agreement import Agreement, Signature
from unisono.results.render import html, markdown
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
from unisono.results.wording import count, decimals, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from unisono.results.sheet import Row

__all__ = [
    "BoundaryEdits",
    "Compared",
    "Cut",
    "Reading",
    "SegmentationAgreement",
    "Settings",
    "measured",
    "sheet_of",
    "texts_of",
]


@dataclass(frozen=True, slots=True)
class Rates:
    """How often annotators mark a place."""

    shares: list[float] = field(default_factory=list)
    marked: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    met: set[tuple[str, str]] = field(default_factory=set)

    def by_one_rate(self) -> float:
        """Give the agreement that chance would have if all marked places equally often (π)."""
        return float((math.fsum(self.shares) / len(self.shares)) ** 2)

    def by_own_rates(self) -> float:
        """Give the agreement that chance would have if each kept the own rate (κ)."""
        rate = {name: self.marked[name] / self.places[name] for name in self.marked}
        return math.fsum(rate[one] * rate[other] for one, other in self.met) / len(self.met)


def rates_of(texts: Iterable[Text]) -> Rates:
    """Count boundaries and places in texts that two annotators or more have cut."""
    rates = Rates()
    for text in texts:
        n_places = text.length - 1
        if not n_places:
            continue
        for name, cut in text.cuts.items():
            rates.shares.append(len(cut.boundaries) / n_places)
            rates.marked[name] = rates.marked.get(name, 0) + len(cut.boundaries)
            rates.places[name] = rates.places.get(name, 0) + n_places
        rates.met.update(combinations(text.cuts, 2))
    return rates


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
        """Return the value, those of pairs, the facts and the signature as Markdown.

        Examples
        --------
        >>> import unisono as un
        >>> one, other = map(un.Segmentation.from_masses, ([2, 3, 6], [5, 6]))
        >>> print(un.pk(one, other).to_markdown())
        | measure |  value | observed | expected | perfect |
        | :------ | -----: | -------: | -------: | ------: |
        | Pk      | 0.2222 |   0.2222 |        – |       0 |
        <BLANKLINE>
        - annotators: 2
        ...
        """
        return markdown(self.sheet())

    def _repr_html_(self) -> str:
        return html(self.sheet())

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the one view of the result, which all renderings share.

        Examples
        --------
        >>> import unisono as un
        >>> one, other = map(un.Segmentation.from_masses, ([2, 3, 6], [5, 6]))
        >>> [fact.text for fact in un.pk(one, other).sheet().facts]
        ['2', '11', '3']
        """
        return sheet_of({self.signature.measure: self}, title=title)


# Which measure says what is worst: the ones that were made to mend others come first.
_WORST_BY = ("boundary_similarity", "window_diff", "generalized_hamming", "pk")
_NUMBERS = "value observed expected undefined signature"
_FACTS = ("n_documents", "n_annotators", "n_atoms", "n_boundaries", "edits")


def sheet_of(results: Mapping[str, SegmentationAgreement], *, title: str = "") -> Sheet:
    """Return the one view of measures of the same segmentations."""
    first = next(iter(results.values()))
    rows = [row for name, result in results.items() for row in _measure_rows(name, result)]
    tables = [
        Table(
            name="measure",
            columns=columns("measure value observed expected perfect"),
            rows=[
                (name, of.value, of.observed, of.expected, perfect) for name, of, perfect in rows
            ],
            reasons=[(measure_title(name), of.undefined) for name, of, _ in rows if of.undefined],
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


def _measure_rows(name: str, result: SegmentationAgreement) -> Iterator[tuple[str, Agreement, int]]:
    yield name, result, result.perfect
    for kind, corrected in (("pi", result.pi), ("kappa", result.kappa)):
        if corrected is not None:
            yield f"{name}.{kind}", corrected, 1


def _tables_for_programs(results: Mapping[str, SegmentationAgreement]) -> Iterator[Table]:
    scopes: dict[str, list[Row]] = {"all": [], "pair": [], "document": [], "document pair": []}

    def add(prefix: str, document: str | None, name: str, result: SegmentationAgreement) -> None:
        for measure, of, _ in _measure_rows(name, result):
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
    """Return value and disagreement of each two annotators, the mean of both orders."""
    found = {}
    for (one, other), of in result.by_pair.items():
        if one < other:
            back = result.by_pair.get((other, one), of)
            value, observed = ((of.value + back.value) / 2, (of.observed + back.observed) / 2)
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
    """Return a table of pairs or documents with a column for each measure, the worst first."""
    values = {measure: values_of(result) for measure, result in results.items()}
    by = next((measure for measure in _WORST_BY if measure in results), next(iter(results)))

    def worst_first(row: Row) -> tuple[float, str]:
        observed = values[by][row[0]][1]
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
        rows=[
            (each, *(of[each][0] for of in values.values())) for each in next(iter(values.values()))
        ],
        worst_first=worst_first,
        limited=True,
        programs=False,
    )


def _facts(results: Mapping[str, SegmentationAgreement]) -> Iterator[Fact]:
    """Yield what is true of all measures once."""
    seen = set()
    for result in results.values():
        edits = None if result.edits is None else edits_text(result.edits)
        values = (len(result.documents), *(getattr(result, name) for name in _FACTS[1:4]), edits)
        for name, value in zip(_FACTS, values, strict=True):
            if value and (name, value) not in seen:
                seen.add((name, value))
                yield Fact(column(name), value)


def edits_text(edits: BoundaryEdits) -> str:
    """Return in words what became of the boundaries."""
    names = (("match", "matches"), ("near miss", "near misses"), ("miss", "misses"))
    return ", ".join(
        f"{number:,} {one if number == 1 else many}"
        for number, (one, many) in zip(edits, names, strict=True)
    )


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


Cut: TypeAlias = (
    "Segmentation | Mapping[str, Segmentation] | Mapping[str, Mapping[str, Segmentation]] "
    "| Continuum | Corpus"
)
"""What measures of segmentations take."""
_REFERENCE, _HYPOTHESIS = "reference", "hypothesis"


@dataclass(frozen=True, slots=True)
class Text:
    """One text: who cut it how, by name and in the order of names."""

    cuts: dict[str, Segmentation]

    @property
    def length(self) -> int:
        """The number of atoms."""
        return next(iter(self.cuts.values())).length

    @property
    def digest(self) -> str:
        """SHA-256 of names and segmentations, in hexadecimal."""
        content = hashlib.sha256(b"unisono segmentations 1\n")
        for name, cut in self.cuts.items():
            content.update(label_bytes(name) + cut.digest.encode())
        return content.hexdigest()


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts by name; one without a name is no corpus."""

    documents: dict[str | None, Text]
    directed: bool
    """Whether one segmentation is the reference and the other is not."""

    @property
    def digest(self) -> str:
        """SHA-256 of the documents of a corpus, in hexadecimal."""
        content = hashlib.sha256(b"unisono segmented corpus 1\n")
        for name, text in self.documents.items():
            content.update(label_bytes(str(name)) + text.digest.encode())
        return content.hexdigest()

    def pairs(self, text: Text, *, symmetric: bool) -> Iterator[tuple[str, str]]:
        """Give which two are to be compared, the reference first where it matters."""
        if self.directed:
            yield _REFERENCE, _HYPOTHESIS
            return
        names = list(text.cuts)
        for i, one in enumerate(names):
            for j, other in enumerate(names):
                if i < j or (i > j and not symmetric):
                    yield one, other


def texts_of(first: Cut, second: Segmentation | None) -> Texts:
    """Take what a measure was given for texts, and check it."""
    if second is not None:
        if not (isinstance(first, Segmentation) and isinstance(second, Segmentation)):
            kinds = f"{type(first).__name__} and {type(second).__name__}"
            msg = f"two segmentations are compared, or one table of them; got {kinds}"
            raise TypeError(msg)
        text = _text({_REFERENCE: first, _HYPOTHESIS: second}, None)
        return Texts({None: text}, directed=True)
    if isinstance(first, Segmentation):
        msg = "a segmentation is compared with another one; only one is given"
        raise TypeError(msg)
    table: object = first
    if isinstance(first, Continuum | Corpus):
        try:
            table = segmentations(first)
        except DataError as error:
            msg = f"{error} (such settings are those of segmentations(), whose result is taken too)"
            raise DataError(msg) from None
    if not isinstance(table, Mapping):
        msg = (
            "segmentations are given two by two, by annotator, by document and annotator, or as a "
            f"Continuum or a Corpus; got {type(first).__name__}"
        )
        raise TypeError(msg)
    if table and all(isinstance(inside, Mapping) for inside in table.values()):
        named = _named(table, "document")
        return Texts({name: _text(named[name], name) for name in sorted(named)}, directed=False)
    return Texts({None: _text(table, None)}, directed=False)


def _text(cuts: Mapping[str, object], document: str | None) -> Text:
    where = "" if document is None else f"document {document!r}: "
    named = _named(cuts, "annotator")
    in_order: dict[str, Segmentation] = {}
    for name in sorted(named):
        cut = named[name]
        if not isinstance(cut, Segmentation):
            msg = f"{where}{name!r} has no Segmentation but {type(cut).__name__}"
            raise TypeError(msg)
        in_order[name] = cut
    names = list(in_order)
    for name in names[1:]:
        if in_order[name].length != in_order[names[0]].length:
            lengths = " and ".join(
                f"{each!r} {counted(in_order[each].length, 'atom')}" for each in (names[0], name)
            )
            msg = f"{where}segmentations of one text are equally long; {lengths}"
            raise DataError(msg)
    return Text(in_order)


def _named(table: Mapping[Any, Any], what: str) -> dict[str, Any]:
    """Check the names; the number 1 and the text "1" are the same one."""
    article = "an" if what == "annotator" else "a"
    named = {as_name(name, f"{article} {what}"): inside for name, inside in table.items()}
    if len(named) < len(table):
        msg = f"two {what}s cannot share a name; got {listed(table)}"
        raise DataError(msg)
    return named
