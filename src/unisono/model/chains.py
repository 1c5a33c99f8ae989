"""Chains: what annotators grouped together, such as the mentions of a text that corefer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np

from unisono.errors import DataError, check_choice
from unisono.model.codes import as_name
from unisono.model.columns import known_names
from unisono.model.corpus import Corpus
from unisono.model.labels import as_label, label_bytes, label_order
from unisono.model.ratings import Ratings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from unisono.model.continuum import Continuum, Unit
    from unisono.model.interpretation import Interpretation

__all__ = ["NOTHING_BEFORE", "POLICIES", "Chains", "Mention", "Unshared"]

Mention: TypeAlias = "str | int | float"
Chain: TypeAlias = tuple[Mention, ...]
Unshared: TypeAlias = Literal["as-marked", "singletons", "left-out"]
"""What happens to mentions that not all of the annotators compared have marked.

``"as-marked"``
    They stay where they were marked, and are missing elsewhere.
``"singletons"``
    Each annotator who did not mark one gets a chain that contains only it.
``"left-out"``
    They are left out, also of the chains they are in.
"""
POLICIES: tuple[Unshared, ...] = ("as-marked", "singletons", "left-out")
NOTHING_BEFORE = "(first)"
"""The label of a mention without a mention before it in its chain."""
_BETWEEN = "\x1f"  # a control character, so that no two mentions of two documents get one name


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Chains:
    """Chains of mentions by document and annotator.

    A chain is a group of mentions that an annotator takes for the same, such as all mentions of
    one person in a text; or the words of a content unit in a pyramid of summaries. A mention is in
    at most one chain of an annotator, unless the data were built with ``repeated="union"``. The
    order of the mentions in a chain counts where antecedents
    do.

    Parameters
    ----------
    documents
        For each document and each annotator who saw it, the chains; use `from_groups` or
        `from_corpus`, which check them.
    interpretation
        How files were read.
    notes
        Remarks on the data.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups(
    ...     {"ann": [["Eve", "she", "her"], ["Paul"]], "bob": [["Eve", "she"], ["Paul", "her"]]}
    ... )
    >>> chains
    Chains(1 document, 2 annotators, 4 mentions, 4 chains)
    >>> chains[""]["bob"]
    (('Eve', 'she'), ('Paul', 'her'))
    """

    documents: Mapping[str, Mapping[str, tuple[Chain, ...]]]
    interpretation: Interpretation | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def from_groups(
        cls,
        groups: Mapping[str, Mapping[str, Iterable[Iterable[object]]] | Iterable[Iterable[object]]],
        *,
        repeated: Literal["raise", "union"] = "raise",
    ) -> Self:
        """Build chains from groups of mentions by annotator, of one document or of several.

        Parameters
        ----------
        groups
            For each annotator the chains, lists of mentions, of one document; or, for each
            annotator and document, the chains. A mention is a text or a number.
        repeated
            What to do if a mention is in several chains of an annotator: ``"raise"``, or keep it in
            all of them (``"union"``). Then its label for α is the union of the chains, and measures
            of partitions, which are κ and the scores, are refused.

        Returns
        -------
        Chains
            The chains; an annotator saw the documents they have chains for, also if these are none.

        Raises
        ------
        DataError
            A chain is empty, or a mention is in two chains of an annotator.
        TypeError
            A chain is not a list or set, or a mention is neither a text nor a number.

        Examples
        --------
        >>> import unisono as un
        >>> un.Chains.from_groups({"ann": {"one": [[1, 2]], "two": [[1], [2]]}})
        Chains(2 documents, 1 annotator, 4 mentions, 3 chains)
        """
        if not isinstance(groups, Mapping):
            msg = f"from_groups takes {{annotator: [chain, …]}}; got {type(groups).__name__}"
            raise TypeError(msg)
        documents: dict[str, dict[str, tuple[Chain, ...]]] = {}
        for annotator, own in groups.items():
            name = as_name(annotator, "an annotator")
            by_document = own if isinstance(own, Mapping) else {"": own}
            for document, chains in by_document.items():
                text = str(document)
                found = documents.setdefault(text, {})
                if name in found:
                    msg = f"annotators must have different names; {name!r} is repeated"
                    raise DataError(msg)
                found[name] = _checked(chains, name, text, may_repeat=repeated == "union")
        return cls(_frozen(documents))

    @classmethod
    def from_corpus(
        cls, corpus: Corpus | Continuum, *, repeated: Literal["raise", "first"] = "raise"
    ) -> Self:
        """Build chains from units: a unit is a mention, and its label names its chain.

        Parameters
        ----------
        corpus
            Units with the chain as label. Units of one annotator with one label are a chain of the
            document; a unit without label is a chain of its own.
        repeated
            What to do if an annotator has the same mention in two chains: ``"raise"``, or keep it
            in the ``"first"`` and count it in a note.

        Returns
        -------
        Chains
            The chains, in the order of their first mentions. A mention is named by its place.

        Raises
        ------
        DataError
            An annotator has the same mention in two chains.

        Examples
        --------
        >>> import unisono as un
        >>> units = [("ann", 0, 3, "e1"), ("ann", 9, 12, "e1"), ("ann", 5, 7, "e2")]
        >>> un.Chains.from_corpus(un.Continuum.from_units(units))[""]["ann"]
        (('0-3', '9-12'), ('5-7',))
        """
        named = corpus if isinstance(corpus, Corpus) else {"": corpus}
        documents: dict[str, dict[str, tuple[Chain, ...]]] = {}
        n_left_out = 0
        for document, continuum in named.items():
            found = documents.setdefault(document, {})
            for number, annotator in enumerate(continuum.annotators):
                low, high = continuum.offsets[number : number + 2].tolist()
                chains, n_repeated = _of_units(
                    continuum.units[low:high], annotator, document, keep_first=repeated == "first"
                )
                found[annotator] = chains
                n_left_out += n_repeated
        interpretation = corpus.interpretation if isinstance(corpus, Corpus) else None
        notes = corpus.notes if isinstance(corpus, Corpus) else ()
        if n_left_out:
            notes = (*notes, f"mentions in a second chain, kept in the first only: {n_left_out:,}")
        return cls(_frozen(documents), interpretation, tuple(notes))

    def __getitem__(self, document: str) -> Mapping[str, tuple[Chain, ...]]:
        return self.documents[document]

    def __iter__(self) -> Iterator[str]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators of all documents, sorted."""
        return tuple(sorted({name for seen in self.documents.values() for name in seen}))

    @property
    def n_mentions(self) -> int:
        """The number of mentions; one that several annotators marked counts once.

        Examples
        --------
        >>> import unisono as un
        >>> un.Chains.from_groups({"ann": [["a", "b"]], "bob": [["b", "c"]]}).n_mentions
        3
        """
        return sum(len(marked_by_any(seen)) for seen in self.documents.values())

    @property
    def n_shared(self) -> int:
        """The number of mentions that every annotator of their document marked.

        Examples
        --------
        >>> import unisono as un
        >>> un.Chains.from_groups({"ann": [["a", "b"]], "bob": [["b", "c"]]}).n_shared
        1
        """
        return sum(len(marked_by_all(seen)) for seen in self.documents.values())

    @property
    def n_chains(self) -> int:
        """The number of chains of all annotators."""
        return sum(len(chains) for seen in self.documents.values() for chains in seen.values())

    @property
    def repeated(self) -> tuple[str, str, Mention] | None:
        """A document, an annotator and a mention that is in several of their chains, if any."""
        for document, seen in self.documents.items():
            for name, chains in seen.items():
                met: set[Mention] = set()
                for mention in chain.from_iterable(chains):
                    if mention in met:
                        return document, name, mention
                    met.add(mention)
        return None

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal; the names and the order of chains do not count.

        Examples
        --------
        >>> import unisono as un
        >>> one, other = [["a", "b"], ["c"]], [["c"], ["a", "b"]]
        >>> groups = un.Chains.from_groups
        >>> groups({"ann": one}).digest == groups({"ann": other}).digest
        True
        """
        digest = hashlib.sha256()
        for document in sorted(self.documents):
            for annotator in sorted(self.documents[document]):
                chains = self.documents[document][annotator]
                own = sorted(b"".join(label_bytes(each) for each in one) for one in chains)
                for part in (label_bytes(document), label_bytes(annotator), *own):
                    digest.update(b"%d:" % len(part) + part)
                digest.update(b";")
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chains):
            return NotImplemented
        return self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        plain = {name: dict(seen) for name, seen in self.documents.items()}
        return _rebuilt, (type(self), plain, self.interpretation, self.notes)

    def __repr__(self) -> str:
        counts = (
            (len(self), "document"),
            (len(self.annotators), "annotator"),
            (self.n_mentions, "mention"),
            (self.n_chains, "chain"),
        )
        parts = (f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in counts)
        return f"Chains({', '.join(parts)})"

    def only(self, annotators: Iterable[str]) -> Self:
        """Select annotators, and the documents that one of them saw.

        Parameters
        ----------
        annotators
            The names to keep.

        Returns
        -------
        Chains
            The selection.

        Raises
        ------
        DataError
            A name is unknown.

        Examples
        --------
        >>> import unisono as un
        >>> chains = un.Chains.from_groups({"ann": [["a", "b"]], "bob": [["a"], ["b"]]})
        >>> chains.only(["bob"])
        Chains(1 document, 1 annotator, 2 mentions, 2 chains)
        """
        names = [annotators] if isinstance(annotators, str) else list(annotators)
        known_names(names, self.annotators, "annotator")
        documents = {
            document: {name: chains for name, chains in seen.items() if name in names}
            for document, seen in self.documents.items()
        }
        return replace(self, documents=_frozen({doc: own for doc, own in documents.items() if own}))

    def under(self, unshared: Unshared) -> Self:
        """Return the chains with a policy for mentions that not all annotators marked.

        Parameters
        ----------
        unshared
            ``"as-marked"`` changes nothing; ``"singletons"`` adds a chain of one mention for each
            annotator who did not mark it; ``"left-out"`` leaves such mentions out.

        Returns
        -------
        Chains
            The chains under that policy.

        Examples
        --------
        >>> import unisono as un
        >>> chains = un.Chains.from_groups({"ann": [["a", "b", "c"]], "bob": [["a", "b"]]})
        >>> chains.under("singletons")[""]["bob"]
        (('a', 'b'), ('c',))
        >>> chains.under("left-out")[""]["ann"]
        (('a', 'b'),)
        """
        check_choice("unshared", unshared, POLICIES)
        if unshared == "as-marked":
            return self
        change = _with_singletons if unshared == "singletons" else _of_shared
        return replace(
            self, documents=_frozen({name: change(seen) for name, seen in self.documents.items()})
        )

    def ratings(
        self,
        label: Literal["chain", "antecedent"] = "chain",
        *,
        unshared: Unshared = "as-marked",
    ) -> Ratings:
        """Return the mentions as items that annotators rated, to compute any coefficient of items.

        Parameters
        ----------
        label
            The label of a mention: the set of all mentions of its chain (``"chain"``), as in
            Passonneau (2006), for α with a distance of sets; or the mention before it in the chain
            (``"antecedent"``), as in Komen (2009), for κ with open categories.
        unshared
            What happens to mentions that not all annotators of a document marked, as in `under`.

        Returns
        -------
        Ratings
            One item per mention of each document; a mention that an annotator did not mark, or a
            document that they did not see, is a missing value.

        Examples
        --------
        >>> import unisono as un
        >>> chains = un.Chains.from_groups(
        ...     {"John": [[13, 23, 62], [34]], "Mary": [[13, 23], [34], [62]]}
        ... )
        >>> ratings = chains.ratings("antecedent")
        >>> ratings
        Ratings(2 annotators, 4 items, 8 ratings, 3 labels)
        >>> ratings.labels
        (13, 23, '(first)')
        >>> f"{un.cohen_kappa(ratings):.4f}"
        '0.5556'
        """
        chosen = self.under(unshared)
        return _ratings_of_sets(chosen) if label == "chain" else _ratings_of_antecedents(chosen)


def _rebuilt(
    kind: type[Chains],
    documents: dict[str, dict[str, tuple[Chain, ...]]],
    interpretation: Interpretation | None,
    notes: tuple[str, ...],
) -> Chains:
    return kind(_frozen(documents), interpretation, notes)


def _frozen(
    documents: Mapping[str, Mapping[str, tuple[Chain, ...]]],
) -> Mapping[str, Mapping[str, tuple[Chain, ...]]]:
    return MappingProxyType({name: MappingProxyType(dict(own)) for name, own in documents.items()})


def _checked(
    chains: object, annotator: str, document: str, *, may_repeat: bool
) -> tuple[Chain, ...]:
    """Return the chains of an annotator; raise for empty ones and for repeated mentions."""
    where = f"{annotator!r}" + (f" in document {document!r}" if document else "")
    if isinstance(chains, str | Mapping) or not isinstance(chains, Iterable):
        msg = f"the chains of {where} must be a list of lists of mentions; got {chains!r}"
        raise TypeError(msg)
    found: list[Chain] = []
    chain_of: dict[Mention, int] = {}
    for number, members in enumerate(chains):
        if not isinstance(members, AbstractSet | list | tuple | np.ndarray):
            msg = f"a chain must be a list or a set of mentions; {where} has {members!r}"
            raise TypeError(msg)
        mentions = [_mention(member, where) for member in members]
        if isinstance(members, AbstractSet):
            mentions.sort(key=label_order)
        if not mentions:
            msg = f"a chain must contain at least one mention; {where} has an empty one"
            raise DataError(msg)
        for mention in mentions:
            if chain_of.setdefault(mention, number) != number and not may_repeat:
                raise _repeated(mention, where)
        found.append(tuple(dict.fromkeys(mentions)))
    return tuple(found)


def _mention(value: object, where: str) -> Mention:
    mention = as_label(value)
    if mention is None or isinstance(mention, frozenset):
        msg = f"a mention must be text or a number; {where} has {value!r}"
        raise DataError(msg)
    return mention


def _repeated(mention: Mention, where: str) -> DataError:
    return DataError(
        f"a mention can be in only one chain of an annotator; {where} has {mention!r} in two",
        remedy="Remove it from one of them",
    )


def _of_units(
    units: Sequence[Unit], annotator: str, document: str, *, keep_first: bool
) -> tuple[tuple[Chain, ...], int]:
    """Return the chains that the labels of units name, and how many mentions were left out."""
    chains: dict[object, list[Mention]] = {}
    chain_of: dict[Mention, object] = {}
    n_left_out = 0
    for number, unit in enumerate(units):
        name = ("alone", number) if unit.label is None else ("chain", unit.label)
        mention = _place(unit)
        if chain_of.setdefault(mention, name) != name:
            if not keep_first:
                where = f"{annotator!r}" + (f" in document {document!r}" if document else "")
                raise _repeated(mention, where)
            n_left_out += 1
        elif mention not in chains.setdefault(name, []):
            chains[name].append(mention)
    return tuple(map(tuple, chains.values())), n_left_out


def _place(unit: Unit) -> str:
    pieces = unit.fragments or ((unit.start, unit.end),)
    return "+".join(f"{start:.10g}-{end:.10g}" for start, end in pieces)


def marked_by_any(seen: Mapping[str, Sequence[Chain]]) -> dict[Mention, None]:
    """Return the mentions of a document that at least one annotator marked, in order."""
    everyone = (chain.from_iterable(chains) for chains in seen.values())
    return dict.fromkeys(chain.from_iterable(everyone))


def marked_by_all(seen: Mapping[str, Sequence[Chain]]) -> Collection[Mention]:
    """Return the mentions of a document that every annotator marked."""
    marked = [set(chain.from_iterable(chains)) for chains in seen.values()]
    return set.intersection(*marked) if marked else set()


def _with_singletons(seen: Mapping[str, Sequence[Chain]]) -> dict[str, tuple[Chain, ...]]:
    mentions = marked_by_any(seen)
    found = {}
    for name, chains in seen.items():
        own = set(chain.from_iterable(chains))
        found[name] = (*chains, *((each,) for each in mentions if each not in own))
    return found


def _of_shared(seen: Mapping[str, Sequence[Chain]]) -> dict[str, tuple[Chain, ...]]:
    shared = marked_by_all(seen)
    found = {}
    for name, chains in seen.items():
        kept = (tuple(each for each in one if each in shared) for one in chains)
        found[name] = tuple(one for one in kept if one)
    return found


def _items(chains: Chains, document: str) -> dict[Mention, Mention]:
    """Return the item of each mention: the mention, or with several documents a text with both."""
    mentions = marked_by_any(chains[document])
    if len(chains) == 1:
        return {each: each for each in mentions}
    # 1 and "1" are two mentions.
    return {
        each: f"{document}{_BETWEEN}{'' if isinstance(each, str) else '#'}{each}"
        for each in mentions
    }


def _ratings_of_sets(chains: Chains) -> Ratings:
    classes: dict[str, list[list[Mention]]] = {name: [] for name in chains.annotators}
    for document in chains:
        items = _items(chains, document)
        for name, own in chains[document].items():
            classes[name] += [[items[each] for each in one] for one in own]
    return Ratings.from_partitions(classes)


def _ratings_of_antecedents(chains: Chains) -> Ratings:
    rows: list[tuple[str, Mention, Mention]] = []
    for document in chains:
        items = _items(chains, document)
        for name, own in chains[document].items():
            for one in own:
                before = (NOTHING_BEFORE, *(items[each] for each in one[:-1]))
                rows += [
                    (name, items[mention], label)
                    for mention, label in zip(one, before, strict=True)
                ]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    annotators, mentions, labels = columns
    return Ratings.from_columns(annotators, mentions, labels, annotators=chains.annotators)
