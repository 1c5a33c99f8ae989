"""What a consensus is: the units most annotators share, and the groups that stay undecided."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from unisono.model.corpus import Corpus
from unisono.model.labels import label_order, label_text
from unisono.results.markdown import markdown_code, markdown_table
from unisono.results.picturing import Pictured
from unisono.results.record import plain_label
from unisono.results.records import Record
from unisono.results.wording import count, decimals, position, printable
from unisono.results.written import InMarkdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from unisono.measures.gamma.alignment import Alignment
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.model.unit import Unit
    from unisono.results.signature import Signature

__all__ = ["CONSENSUS", "Consensus", "ConsensusUnit", "UndecidedGroup", "most_voted"]

CONSENSUS = "consensus"
"""The annotator of the units of a consensus."""


class ConsensusUnit(NamedTuple):
    """One unit that enough annotators share.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 1, 2, "A"), ("cy", 1, 3, "B")])
    >>> unit = un.consensus(text).units[0]
    >>> unit.start, unit.end, unit.label, unit.annotators
    (1.0, 2.0, 'A', 3)
    """

    document: str
    """The name of the document; empty for one continuum."""
    group: int
    """Which group of the alignment it comes from, counted from 1."""
    start: float
    """The median of the starts."""
    end: float
    """The median of the ends."""
    label: Label | None
    """The label that most of its annotators chose."""
    annotators: int
    """How many annotators have a unit in the group."""
    support: float
    """The same as a share of those who saw the document."""
    label_support: float
    """The share of the units of the group that have the label."""
    start_spread: float
    """How far the first and the last of the starts lie apart."""
    end_spread: float
    """How far the first and the last of the ends lie apart."""


class UndecidedGroup(NamedTuple):
    """Units that belong together but make no unit of the consensus, for a person to decide.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> group = un.consensus(text).undecided[0]
    >>> group.why, group.reason
    ('labels', 'the labels A, B have 1 vote each')
    """

    document: str
    """The name of the document; empty for one continuum."""
    group: int
    """Which group of the alignment it is, counted from 1."""
    start: float
    """The median of the starts."""
    end: float
    """The median of the ends."""
    why: Literal["support", "labels"]
    """Too little support, or no label with more votes than all others."""
    reason: str
    """The same as a phrase."""
    annotators: int
    """How many annotators have a unit in the group."""
    units: tuple[Unit, ...]
    """Their units."""

    @property
    def tied(self) -> tuple[Label | None, ...]:
        """The labels with the most votes, of which there may be one only.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> un.consensus(text).undecided[0].tied
        ('A', 'B')
        """
        return most_voted(self.units)


def most_voted(units: Iterable[Unit]) -> tuple[Label | None, ...]:
    """Give the labels that most units have, in order; one at least if there is a unit."""
    votes = Counter(unit.label for unit in units)
    most = max(votes.values(), default=0)
    return tuple(sorted((each for each in votes if votes[each] == most), key=label_order))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Consensus(Record, InMarkdown, Pictured):
    """The units that enough annotators share, and what is left to decide.

    Parameters
    ----------
    continuum
        The consensus as the units of one annotator called ``consensus``, on the extent of the
        document; `None` for a corpus, whose documents have their own.
    units
        The same with how well each is supported; of a corpus those of all documents.
    undecided
        Groups with too little support or with a tie of labels, along the document.
    n_groups
        How many groups there are, decided or not.
    n_annotators
        How many annotators count.
    support
        The share of annotators that was asked for.
    alignment
        The groups it was decided on; `None` for a corpus, whose documents have their own.
    documents
        A consensus for each document of a corpus, by name; empty for one continuum.
    left_out_documents
        Documents that fewer than two annotators saw.
    skipped
        Rows the reader could not use and was told to skip.
    notes
        Sentences a reader should know.
    signature
        Every setting that can move the consensus.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 2, "A"), ("bob", 1, 2, "A"), ("cy", 1, 3, "B"), ("cy", 7, 9, "B")]
    ... )
    >>> found = un.consensus(text)
    >>> found
    Consensus(1 unit, 1 group undecided)
    >>> found.continuum.units[0]
    Unit(annotator='consensus', start=1.0, end=2.0, label='A')
    >>> found.undecided[0].reason
    '1 of 3 annotators'
    """

    continuum: Continuum | None
    units: tuple[ConsensusUnit, ...]
    undecided: tuple[UndecidedGroup, ...]
    n_groups: int
    n_annotators: int
    support: float
    alignment: Alignment | None = None
    documents: Mapping[str, Consensus] = field(default_factory=dict)
    left_out_documents: tuple[str, ...] = ()
    skipped: int = 0
    notes: tuple[str, ...] = ()
    signature: Signature

    def __post_init__(self) -> None:
        object.__setattr__(self, "documents", MappingProxyType(dict(self.documents)))

    @property
    def corpus(self) -> Corpus:
        """The consensus as a corpus, one document for each that was annotated.

        Examples
        --------
        >>> import unisono as un
        >>> talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> un.consensus(un.Corpus.from_continua({"talk": talk})).corpus
        Corpus(1 document, 1 annotator, 1 unit, 1 label)
        """
        continua = {
            name: each.continuum
            for name, each in self.documents.items()
            if each.continuum is not None
        }
        if self.continuum is not None:
            continua = {"continuum": self.continuum}
        return Corpus.from_continua(continua)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Give one flat row a unit, with the columns of `ConsensusUnit` after the annotator.

        Document, annotator (always ``consensus``), start, end, label, and how well it is
        supported: a table that `read` takes back.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> next(un.consensus(text).rows())
        ('', 'consensus', 0.0, 2.0, 'A', 1, 2, 1.0, 1.0, 0.0, 0.0)
        """
        for unit in self.units:
            document, group, start, end, label, *rest = unit
            yield document, CONSENSUS, start, end, label, group, *rest

    def __len__(self) -> int:
        return len(self.units)

    def __str__(self) -> str:
        lines = [
            f"{position(unit.start)}–{position(unit.end)} {printable(label_text(unit.label))}"
            f" ({unit.annotators})"
            for unit in self.units
        ]
        return "\n".join([*lines, str(self.signature)])

    def __repr__(self) -> str:
        undecided = f"{count(len(self.undecided), 'group')} undecided"
        return f"Consensus({count(len(self.units), 'unit')}, {undecided})"

    def to_dict(self) -> dict[str, Any]:
        """Give all as plain data: units with their support, undecided groups with their units.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> un.consensus(text).to_dict()["units"][0]["label"]
        'A'
        """
        return {
            "units": [unit._asdict() | {"label": plain_label(unit.label)} for unit in self.units],
            "undecided": [
                group._asdict() | {"units": [_plain_unit(unit) for unit in group.units]}
                for group in self.undecided
            ],
            "n_groups": self.n_groups,
            "n_annotators": self.n_annotators,
            "support": self.support,
            "left_out_documents": list(self.left_out_documents),
            "skipped": self.skipped,
            "notes": list(self.notes),
            "signature": str(self.signature),
        }

    def to_markdown(self) -> str:
        """Give the units as a Markdown table with the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> print(un.consensus(text).to_markdown().splitlines()[2])
        | A     |     0 |   2 |          2 |       0 |    1.0000 |
        """
        headings = ["label", "start", "end", "annotators", "spread", "same label"]
        table = markdown_table(headings, [_cells(unit) for unit in self.units])
        left = f"{count(len(self.undecided), 'group')} undecided"
        return "\n\n".join([table, left, markdown_code(str(self.signature))])


def _plain_unit(unit: Unit) -> dict[str, Any]:
    return {
        "annotator": unit.annotator,
        "start": unit.start,
        "end": unit.end,
        "label": plain_label(unit.label),
    }


def _cells(unit: ConsensusUnit) -> list[str]:
    return [
        printable(label_text(unit.label)),
        position(unit.start),
        position(unit.end),
        str(unit.annotators),
        position(max(unit.start_spread, unit.end_spread)),
        decimals(unit.label_support),
    ]
