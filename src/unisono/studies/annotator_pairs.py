"""Who agrees with whom: γ of every two annotators."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from unisono.errors import DataError
from unisono.measures.gamma.gamma import gamma
from unisono.measures.sampling import seed_of
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.results.agreement import Signature
from unisono.results.blocks import markdown_code, markdown_table
from unisono.results.record import InMarkdown, Pictured, Record, plain_number
from unisono.results.wording import count, decimals, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np

    from unisono.measures.gamma.result import GammaResult

__all__ = ["PairwiseAgreement", "pairwise_agreement"]

_UNSIGNED = ("draws", "data")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseAgreement(Record, InMarkdown, Pictured):
    """γ of every two annotators, each measured without the others.

    Parameters
    ----------
    annotators
        Who is compared, in order.
    by_pair
        What `gamma` gives for two annotators; of a corpus on the documents that both saw.
    left_out
        Pairs of annotators who saw no document both.
    signature
        The settings that all of them share.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.pairwise_agreement(text, draws=30, rng=1)
    >>> found
    PairwiseAgreement(3 annotators, 3 pairs)
    >>> min(found.means, key=found.means.get)
    'jonas'
    """

    annotators: tuple[str, ...]
    by_pair: Mapping[tuple[str, str], GammaResult]
    left_out: tuple[tuple[str, str], ...] = ()
    signature: Signature

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_pair", MappingProxyType(dict(self.by_pair)))

    @property
    def means(self) -> dict[str, float]:
        """The mean γ of each annotator with the others; NaN where there is none.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "A"), ("bob", 0, 9, "A")])
        >>> un.pairwise_agreement(text, draws=30, rng=1).means
        {'ann': 1.0, 'bob': 1.0}
        """
        found = {}
        for name in self.annotators:
            values = [
                each.value
                for pair, each in self.by_pair.items()
                if name in pair and not each.undefined
            ]
            found[name] = math.fsum(values) / len(values) if values else math.nan
        return found

    def __str__(self) -> str:
        lines = [
            f"{printable(first)} – {printable(second)}: {decimals(each.value, 3)}"
            for (first, second), each in self.by_pair.items()
        ]
        return "\n".join([*lines, str(self.signature)])

    def __repr__(self) -> str:
        told = (count(len(self.annotators), "annotator"), count(len(self.by_pair), "pair"))
        return f"PairwiseAgreement({', '.join(told)})"

    def to_dict(self) -> dict[str, Any]:
        """Give γ and γcat of each pair as plain data; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "A"), ("bob", 0, 9, "A")])
        >>> un.pairwise_agreement(text, draws=30, rng=1).to_dict()["pairs"][0]["value"]
        1.0
        """
        return {
            "annotators": list(self.annotators),
            "means": {name: plain_number(mean) for name, mean in self.means.items()},
            "pairs": [
                {
                    "annotators": list(pair),
                    "value": plain_number(each.value),
                    "cat": plain_number(each.cat.value),
                    "monte_carlo": each.monte_carlo.to_dict() if each.monte_carlo else None,
                    "undefined": each.undefined,
                    "n_units": each.n_units,
                    "signature": str(each.signature),
                }
                for pair, each in self.by_pair.items()
            ],
            "left_out": [list(pair) for pair in self.left_out],
            "signature": str(self.signature),
        }

    def to_markdown(self) -> str:
        """Give the pairs as a Markdown table with the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "A"), ("bob", 0, 9, "A")])
        >>> print(un.pairwise_agreement(text, draws=30, rng=1).to_markdown().splitlines()[2])
        | ann – bob  | 1.0000 |    – |
        """
        cells = [
            [f"{printable(a)} – {printable(b)}", decimals(each.value), decimals(each.cat.value)]
            for (a, b), each in self.by_pair.items()
        ]
        table = markdown_table(["annotators", "γ", "γcat"], cells)
        return "\n\n".join([table, markdown_code(str(self.signature))])


def pairwise_agreement(
    data: Continuum | Corpus,
    *,
    rng: int | np.random.Generator | None = 0,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,  # noqa: ANN401 - the settings of gamma
) -> PairwiseAgreement:
    """Say which annotators agree with which: γ of every two, measured without the others.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them.
    rng
        A seed, the same for all pairs, or a generator from which one is drawn; `None` takes one
        from the system.
    progress
        Called with the pairs done and how many there are.
    **settings
        Other settings of `gamma`.

    Returns
    -------
    PairwiseAgreement
        A result for each pair. γ of all annotators is not the mean of these: they are aligned
        together there, and chance is drawn from all of them.

    Raises
    ------
    DataError
        If there are fewer than two annotators.

    Examples
    --------
    >>> import unisono as un
    >>> corpus = un.read("examples/corpus")
    >>> found = un.pairwise_agreement(corpus, draws=30, rng=1)
    >>> [f"{each:.2f}" for each in found.by_pair.values()]
    ['0.87', '0.89', '0.77']
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"pairwise_agreement takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    if len(data.annotators) < 2:
        msg = (
            f"pairs need two annotators or more; here is {count(len(data.annotators), 'annotator')}"
        )
        raise DataError(msg)
    seed = seed_of(rng)
    by_pair: dict[tuple[str, str], GammaResult] = {}
    left_out = []
    pairs = list(combinations(data.annotators, 2))
    for done, pair in enumerate(pairs):
        both = _seen_by_both(data, pair)
        if both is None:
            left_out.append(pair)
        else:
            by_pair[pair] = gamma(both, rng=seed, **settings)
        if progress is not None:
            progress(done + 1, len(pairs))
    shared = next(iter(by_pair.values())).signature if by_pair else Signature("gamma")
    kept = [(name, text) for name, text in shared.settings if name not in _UNSIGNED]
    with_data = [*kept[:-1], ("data", data.digest[:8]), *kept[-1:]]
    return PairwiseAgreement(
        annotators=data.annotators,
        by_pair=by_pair,
        left_out=tuple(left_out),
        signature=Signature("gamma_of_pairs", tuple(with_data)),
    )


def _seen_by_both(data: Continuum | Corpus, pair: tuple[str, str]) -> Continuum | Corpus | None:
    if isinstance(data, Continuum):
        return data.only(annotators=pair)
    documents = [name for name, each in data.items() if set(pair) <= set(each.annotators)]
    return data.only(documents=documents, annotators=pair) if documents else None
