"""Pairwise agreement: γ of each pair of annotators."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from unisono.errors import DataError
from unisono.measures.data import of_units
from unisono.measures.gamma.gamma import gamma
from unisono.measures.gamma.result import GammaAgreement
from unisono.measures.sampling import seed_of
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, check_continuum_or_corpus
from unisono.results.agreement import approximate, certain_value
from unisono.results.data import OfData
from unisono.results.record import part, record
from unisono.results.sheet import KINDS, Sheet, Table, column, columns, figure
from unisono.results.values import Signature
from unisono.results.wording import count
from unisono.studies.diagnosis import gamma_summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Unpack

    import numpy as np

    from unisono.measures.gamma.keywords import PairwiseSettings

__all__ = ["PairwiseTable", "pairwise_agreement"]

_UNSIGNED = ("draws", "data")
_FOR_PROGRAMS: dict[str, Literal["never"]] = dict.fromkeys(
    ("monte_carlo", "undefined", "signature"), "never"
)


def _rank(result: GammaAgreement, pair: tuple[str, str]) -> tuple[bool, float, tuple[str, str]]:
    return bool(result.undefined), 0.0 if result.undefined else result.value, pair


def _pair_summaries(by_pair: Mapping[tuple[str, str], GammaAgreement]) -> list[dict[str, Any]]:
    return [{"annotators": pair} | gamma_summary(each) for pair, each in by_pair.items()]


@record
class PairwiseTable(OfData, Mapping[tuple[str, str], GammaAgreement]):
    """γ of each pair of annotators, measured without the others.

    A mapping of pairs of annotators to the results in `by_pair`.

    Parameters
    ----------
    annotators
        The annotators, in order.
    by_pair
        The result of `gamma` for each pair; in a corpus, on the documents that both annotated.
    left_out_pairs
        Pairs of annotators who have no document in common.
    signature
        The settings that all pairs share.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.pairwise_agreement(text, draws=30, rng=1)
    >>> found
    PairwiseTable(3 annotators, 3 pairs)
    >>> min(found.means, key=found.means.get)
    'jonas'
    >>> for (one, other), result in found.items():
    ...     print(one, other, f"{result.value:.2f}")
    ines jonas 0.80
    ines mika 0.85
    jonas mika 0.64
    """

    annotators: tuple[str, ...]
    by_pair: Mapping[tuple[str, str], GammaAgreement] = field(metadata=part(json=_pair_summaries))
    left_out_pairs: tuple[tuple[str, str], ...] = ()
    signature: Signature

    computed = ("means",)

    @property
    def means(self) -> dict[str, float]:
        """The mean γ of each annotator with the others; NaN if there is no value.

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

    def __getitem__(self, pair: tuple[str, str]) -> GammaAgreement:
        return self.by_pair[pair]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.by_pair)

    def __len__(self) -> int:
        return len(self.by_pair)

    def __repr__(self) -> str:
        counts = (count(len(self.annotators), "annotator"), count(len(self.by_pair), "pair"))
        return f"PairwiseTable({', '.join(counts)})"

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the pairs, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "A"), ("bob", 0, 9, "A")])
        >>> print(un.pairwise_agreement(text, draws=30, rng=1).to_markdown().splitlines()[2])
        | ann       | bob           | 1.000 |   exact | undefined |     2 |
        """
        undefined = {pair: each.undefined for pair, each in self.by_pair.items() if each.undefined}
        pairs = Table(
            name="pair",
            columns=(
                column("measure", show="never"),
                *(column("annotator_a"), column("annotator_b", heading="and annotator")),
                column("value", heading="γ", kind=KINDS["drawn"]),
                column("monte_carlo_se", usual=None),
                column("gamma_cat", kind=KINDS["coefficient"]),
                *columns("monte_carlo n_units undefined signature", **_FOR_PROGRAMS),
            ),
            rows=[
                (
                    *(
                        "gamma",
                        *pair,
                        certain_value(each),
                        approximate(each),
                        certain_value(each.gamma_cat),
                        each.monte_carlo,
                        each.n_units,
                    ),
                    *(each.undefined, each.signature),
                )
                for pair, each in self.by_pair.items()
            ],
            limited=True,
            worst_first=lambda row: _rank(self.by_pair[row[1:3]], row[1:3]),
            reasons=[(" – ".join(pair), reason) for pair, reason in undefined.items()],
        )
        means = Table(
            name="annotator",
            columns=(
                column("annotator"),
                column("mean", heading="mean γ", kind=KINDS["coefficient"]),
            ),
            rows=list(self.means.items()),
            limited=True,
            worst_first=lambda row: (math.isnan(row[1]), row[1], row[0]),
        )
        left_out = "; ".join(" – ".join(pair) for pair in self.left_out_pairs)
        return Sheet(
            name="pairs",
            title=title,
            tables=(pairs, means) if len(self.annotators) > 2 else (pairs,),
            notes=(f"pairs without a document in common: {left_out}",) if left_out else (),
            figures=(figure("annotators", self),),
            signatures=(self.signature,),
        )


@of_units
def pairwise_agreement(
    data: Continuum | Corpus,
    *,
    rng: int | np.random.Generator | None = 0,
    progress: Callable[[int, int], None] | None = None,
    **settings: Unpack[PairwiseSettings],
) -> PairwiseTable:
    """Compute γ of each pair of annotators, measured without the others.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them.
    rng
        A seed, used for all pairs, or a generator from which a seed is drawn; with `None`, the
        system provides one.
    progress
        Called with the number of finished pairs and their total number.
    **settings
        Other settings of `gamma`.

    Returns
    -------
    PairwiseTable
        One result per pair. γ of all annotators is not the mean of these values, because it aligns
        all annotators together and draws chance from all of them.

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
    check_continuum_or_corpus("pairwise_agreement", data)
    if len(data.annotators) < 2:
        msg = (
            "pairwise agreement needs at least two annotators; the data have "
            f"{count(len(data.annotators), 'annotator')}"
        )
        raise DataError(msg)
    seed = seed_of(rng)
    by_pair: dict[tuple[str, str], GammaAgreement] = {}
    left_out_pairs = []
    pairs = list(combinations(data.annotators, 2))
    for done, pair in enumerate(pairs):
        common = _common_documents(data, pair)
        if common is None:
            left_out_pairs.append(pair)
        else:
            by_pair[pair] = gamma(common, rng=seed, **settings)
        if progress is not None:
            progress(done + 1, len(pairs))
    shared = next(iter(by_pair.values())).signature if by_pair else Signature("gamma")
    kept = [(name, text) for name, text in shared.settings if name not in _UNSIGNED]
    with_data = [*kept[:-1], ("data", data.digest[:8]), *kept[-1:]]
    return PairwiseTable(
        annotators=data.annotators,
        by_pair=by_pair,
        left_out_pairs=tuple(left_out_pairs),
        signature=Signature("gamma_of_pairs", tuple(with_data)),
    )


def _common_documents(data: Continuum | Corpus, pair: tuple[str, str]) -> Continuum | Corpus | None:
    if isinstance(data, Continuum):
        return data.only(annotators=pair)
    documents = [name for name, each in data.items() if set(pair) <= set(each.annotators)]
    return data.only(documents=documents, annotators=pair) if documents else None
