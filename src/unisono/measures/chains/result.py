"""The result of measures of chains, alone and in one table, and its sheet."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.model.chains import POLICIES
from unisono.registry import MEASURES
from unisono.results.agreement import Agreement, MeasureTable
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
    shared_notes,
    without_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unisono.results.sheet import Row

__all__ = ["ChainAgreement", "ChainCounts", "ChainsTable", "PairScore"]


class PairScore(NamedTuple):
    """The value of two annotators, and for scores both directions of it.

    Attributes
    ----------
    recall
        What the second annotator found of the chains of the first; NaN for κ and α.
    precision
        What the first annotator found of the chains of the second; NaN for κ and α.
    value
        The value of both: for scores the harmonic mean F1 of recall and precision.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"ann": [["a", "b", "c"]], "bob": [["a", "b"]]})
    >>> un.muc(chains).by_pair["ann", "bob"]
    PairScore(recall=0.5, precision=1.0, value=0.6666666666666666)
    """

    recall: float
    precision: float
    value: float


class ChainCounts(NamedTuple):
    """The size of the data.

    Attributes
    ----------
    n_documents
        Number of documents.
    n_annotators
        Number of annotators.
    n_mentions
        Number of mentions that at least one annotator marked.
    n_unshared
        Number of those that not all annotators of their document marked.
    n_chains
        Number of chains of all annotators.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"ann": [["a", "b", "c"]], "bob": [["a", "b"]]})
    >>> un.muc(chains).counts.n_unshared
    1
    """

    n_documents: int
    n_annotators: int
    n_mentions: int
    n_unshared: int
    n_chains: int


@record
class ChainAgreement(Agreement):
    """Agreement of annotators on chains of mentions.

    The value of κ and α is 1 − observed / expected. A score (MUC, B³, CEAF, LEA, BLANC) is the mean
    F1 over pairs of annotators and not corrected for chance: ``observed`` is 1 − value, and
    ``expected`` is NaN.

    Parameters
    ----------
    by_policy
        The value for each policy for mentions that not all annotators marked; NaN if undefined.
    by_pair
        For each pair of annotators the value and, for scores, recall and precision.
    counts
        The numbers of documents, annotators, mentions and chains.
    notes
        Remarks on the data.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"ann": [["a", "b", "c"]], "bob": [["a", "b"]]})
    >>> score = un.b_cubed(chains)
    >>> score
    ChainAgreement(0.6154, 1 pair, 1 document)
    >>> {policy: round(value, 4) for policy, value in score.by_policy.items()}
    {'as-marked': 0.6154, 'singletons': 0.7143, 'left-out': 1.0}
    """

    by_policy: Mapping[str, float] = field(default_factory=dict)
    by_pair: Mapping[tuple[str, str], PairScore] = field(default_factory=dict)
    counts: ChainCounts
    notes: tuple[str, ...] = ()

    summary = ("value", "n_pairs", "n_documents")

    @property
    def n_pairs(self) -> int:
        """Number of pairs of annotators with a document in common."""
        return len(self.by_pair)

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return self.counts.n_documents

    def problems(self) -> list[str]:
        """Return a sentence if there is no value, so that scripts can detect it.

        Examples
        --------
        >>> import unisono as un
        >>> un.muc(un.Chains.from_groups({"ann": [["a", "b"]]})).problems()
        ['muc is undefined: no document has two annotators']
        """
        return without_value({self.signature.measure: self})

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the result, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> chains = un.Chains.from_groups({"ann": [["a", "b", "c"]], "bob": [["a", "b"]]})
        >>> [table.name for table in un.lea(chains).sheet().tables if table.people]
        ['measure', 'meaning', 'pair']
        """
        return sheet_of({key_of(self): self}, title=title)


class ChainsTable(MeasureTable[ChainAgreement]):
    """Several measures of the same chains; α by its distance, such as ``"chain_alpha:masi"``.

    Parameters
    ----------
    results
        The results by measure.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"ann": [["a", "b", "c"]], "bob": [["a", "b"]]})
    >>> table = un.measure_chains(chains)
    >>> f"{table['muc']:.4f}", f"{table['chain_alpha:masi']:.4f}"
    ('0.6667', '-0.5000')
    """

    __slots__ = ()

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the results, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> chains = un.Chains.from_groups({"ann": [["a", "b"]], "bob": [["a", "b"]]})
        >>> [fact.text for fact in un.measure_chains(chains).sheet().facts][1:]
        ['1', '2', '2 (each marked by all annotators)', '2']
        """
        return sheet_of(self, title=title)


def key_of(result: ChainAgreement) -> str:
    """Return the key of a result in a table: the name of the measure, with its distance if any."""
    name, settings = result.signature.measure, dict(result.signature.settings)
    return f"{name}:{settings['distance']}" if "distance" in settings else name


_HEADINGS = {"as-marked": "as marked", "singletons": "singletons", "left-out": "left out"}
_POLICY_COLUMNS = tuple(
    Column(name=policy.replace("-", "_"), heading=_HEADINGS[policy], kind=KINDS["coefficient"])
    for policy in POLICIES
)
_MEASURE = Column(name="measure", heading="measure", kind=KINDS["name"])
_MEANING = Column(name="meaning", heading="what it compares", kind=KINDS["text"])
_DISTANCE = Column(name="set_distance", heading="distance", kind=KINDS["name"])
_RATES = tuple(
    Column(name=name, heading=heading, kind=KINDS["value"])
    for name, heading in (("recall", "recall"), ("precision", "precision"), ("value", "F1"))
)


def _title(key: str) -> str:
    name, _, distance = key.partition(":")
    return f"{MEASURES[name].title}, {distance}" if distance else MEASURES[name].title


def sheet_of(results: Mapping[str, ChainAgreement], *, title: str = "") -> Sheet:
    """Return the `Sheet` of measures of the same chains."""
    first = next(iter(results.values()))
    meanings = {of.signature.measure: of for of in results.values()}
    tables = [
        Table(
            name="measure",
            columns=(_MEASURE, *_POLICY_COLUMNS),
            rows=[
                (_title(key), *(of.by_policy[policy] for policy in POLICIES))
                for key, of in results.items()
            ],
            reasons=[(_title(key), of.undefined) for key, of in results.items() if of.undefined],
            programs=False,
        ),
        Table(
            name="meaning",
            columns=(_MEASURE, _MEANING),
            rows=[(MEASURES[name].title, MEASURES[name].meaning) for name in meanings],
            programs=False,
        ),
    ]
    pairs = [
        (" – ".join(pair), _title(key), *score)
        for key, of in results.items()
        for pair, score in of.by_pair.items()
        if not math.isnan(score.recall)
    ]
    if pairs:
        tables.append(
            Table(
                name="pair",
                title=f"Both directions, mentions {_HEADINGS[first.signature['unshared']]}",
                columns=(column("annotators"), _MEASURE, *_RATES),
                rows=pairs,
                noun="row",
                limited=True,
                programs=False,
            )
        )
    return Sheet(
        name="chains",
        title=title,
        headline=tuple(_headlines(results)),
        tables=(*tables, *_tables_for_programs(results)),
        facts=tuple(_facts(first.counts)),
        notes=shared_notes(results),
        signatures=tuple(result.signature for result in results.values()),
    )


def _headlines(results: Mapping[str, ChainAgreement]) -> Iterator[Headline]:
    """Yield one value per measure; of α the one with the last distance, which is MASI."""
    last = {key.partition(":")[0]: of for key, of in results.items()}
    for name, of in last.items():
        yield Headline(name, of.value)


def _facts(counts: ChainCounts) -> Iterator[Fact]:
    yield Fact(column("n_documents"), counts.n_documents)
    yield Fact(column("n_annotators"), counts.n_annotators)
    detail = f"{counts.n_unshared:,} not marked by all annotators of the document"
    if not counts.n_unshared:
        detail = "each marked by all annotators"
    mentions = Column(name="n_mentions", heading="mentions", kind=KINDS["count"])
    yield Fact(mentions, counts.n_mentions, detail)
    yield Fact(Column(name="n_chains", heading="chains", kind=KINDS["count"]), counts.n_chains)


def _tables_for_programs(results: Mapping[str, ChainAgreement]) -> Iterator[Table]:
    scopes: dict[str, list[Row]] = {"all": [], "pair": []}
    nothing: tuple[Any, ...] = (None,) * len(POLICIES)
    for key, of in results.items():
        name, _, distance = key.partition(":")
        lead = (name, distance or None)
        scopes["all"].append(
            (
                *(*lead, None, None, of.value, None, None, of.observed, of.expected),
                *(of.by_policy[policy] for policy in POLICIES),
                *(of.undefined, of.signature),
            )
        )
        for pair, score in of.by_pair.items():
            rates = (score.value, score.recall, score.precision, None, None)
            scopes["pair"].append((*lead, *pair, *rates, *nothing, None, of.signature))
    shape = (
        column("measure"),
        _DISTANCE,
        *columns("annotator_a annotator_b value"),
        *_RATES[:2],
        *columns("observed expected"),
        *_POLICY_COLUMNS,
        *columns("undefined signature"),
    )
    for scope, rows in scopes.items():
        yield Table(name=scope, columns=shape, rows=rows, people=False)
