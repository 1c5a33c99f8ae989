"""Agreement on pyramids: α of words by their content units, for each set of summaries."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from unisono.measures.chains.chance import chain_alpha
from unisono.measures.chains.scores import NO_PAIR, check_chains, signature_of
from unisono.measures.chains.table import OF_SETS
from unisono.measures.data import of_data
from unisono.measures.distances import NAMED_DISTANCES
from unisono.model.chains import Chains
from unisono.registry import check_settings
from unisono.results.data import OfData
from unisono.results.record import record
from unisono.results.sheet import KINDS, Column, Fact, Headline, Sheet, Table, column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.model.chains import Unshared
    from unisono.results.values import Signature

__all__ = ["PyramidAgreement", "PyramidSize", "measure_pyramids"]


class PyramidSize(NamedTuple):
    """The size of the pyramids of a document.

    Attributes
    ----------
    n_annotators
        Number of annotators.
    n_words
        Number of words.
    n_content_units
        Mean number of content units of an annotator, those of two words and more.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"A1": {"d": [[1, 2], [3]]}, "A2": {"d": [[1, 2, 3]]}})
    >>> un.measure_pyramids(chains).sizes["d"]
    PyramidSize(n_annotators=2, n_words=3, n_content_units=1.0)
    """

    n_annotators: int
    n_words: int
    n_content_units: float


@record
class PyramidAgreement(OfData):
    """Agreement on pyramids, as Table 2 of Passonneau (2006): α by document and distance.

    Parameters
    ----------
    alpha
        α of the words, by distance and document; NaN if undefined.
    sizes
        The number of annotators, words and content units, by document.
    why_undefined
        Why α of a document is undefined, by document.
    notes
        Remarks on the data.
    signature
        Every setting that can change a value.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups(
    ...     {"A1": {"d": [[1, 2], [3, 4]]}, "A2": {"d": [[1, 2, 3], [4]]}}
    ... )
    >>> {name: round(of["d"], 3) for name, of in un.measure_pyramids(chains).alpha.items()}["masi"]
    0.016
    """

    alpha: Mapping[str, Mapping[str, float]]
    sizes: Mapping[str, PyramidSize]
    why_undefined: Mapping[str, str]
    notes: tuple[str, ...] = ()
    signature: Signature

    summary = ("n_documents",)

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.sizes)

    def problems(self) -> list[str]:
        """Return a sentence if no document has a value, so that scripts can detect it.

        Examples
        --------
        >>> import unisono as un
        >>> un.measure_pyramids(un.Chains.from_groups({"A1": [[1, 2]]})).problems()
        ['no document has a value: no document has two annotators']
        """
        if len(self.why_undefined) < len(self.sizes):
            return []
        return [f"no document has a value: {next(iter(self.why_undefined.values()))}"]

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the result, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> chains = un.Chains.from_groups({"A1": [[1, 2], [3]], "A2": [[1, 2, 3]]})
        >>> [table.name for table in un.measure_pyramids(chains).sheet().tables]
        ['document']
        """
        # A value of one document does not stand for the others.
        masi = list(self.alpha["masi"].values()) if self.n_documents == 1 else []
        return Sheet(
            name="pyramids",
            title=title,
            headline=tuple(
                Headline("chain_alpha", value) for value in masi if not math.isnan(value)
            ),
            tables=(
                Table(
                    name="document",
                    title="α of words by their content units",
                    columns=(
                        column("document"),
                        *(
                            Column(
                                name=name.replace("-", "_"), heading=name, kind=KINDS["coefficient"]
                            )
                            for name in self.alpha
                        ),
                        Column(name="n_words", heading="words", kind=KINDS["count"]),
                        Column(
                            name="n_content_units", heading="content units", kind=KINDS["value"]
                        ),
                    ),
                    rows=[
                        (
                            document,
                            *(of[document] for of in self.alpha.values()),
                            size.n_words,
                            size.n_content_units,
                        )
                        for document, size in self.sizes.items()
                    ],
                    reasons=list(self.why_undefined.items()),
                    limited=True,
                ),
            ),
            facts=(Fact(column("n_documents"), self.n_documents),),
            notes=self.notes,
            signatures=(self.signature,),
        )


@of_data
def measure_pyramids(chains: Chains, *, unshared: Unshared = "singletons") -> PyramidAgreement:
    """Compute α of the words of each set of summaries, by nominal, Jaccard, Dice and MASI.

    Parameters
    ----------
    chains
        Pyramids, of `read_pyramids` or `Chains.from_groups`: words as mentions, content units as
        chains.
    unshared
        What happens to words that not all annotators have: a unit of their own
        (``"singletons"``, as in the paper), a missing value (``"as-marked"``), or left out
        (``"left-out"``).

    Returns
    -------
    PyramidAgreement
        α by distance and document, with the numbers of words and content units.

    Raises
    ------
    SettingError
        If the policy is unknown.

    Notes
    -----
    This is Table 2 of Passonneau (2006) [1]_: words are the coding units, the label of a word is
    the set of words of its content unit, and words in none are sets of one. A word in several
    content units has their union. The values of the table cannot be computed again, because the
    pyramids are not public.

    References
    ----------
    .. [1] Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and
       pragmatic annotation. LREC 2006.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups(
    ...     {"A1": {"d": [[1, 2], [3, 4]]}, "A2": {"d": [[1, 2], [3, 4]]}}
    ... )
    >>> un.measure_pyramids(chains).alpha["masi"]["d"]
    1.0
    """
    check_chains(chains, "measure_pyramids")
    check_settings({"unshared": unshared})
    names = [name for name in OF_SETS if name in NAMED_DISTANCES]
    alpha: dict[str, dict[str, float]] = {name: {} for name in names}
    undefined: dict[str, str] = {}
    sizes: dict[str, PyramidSize] = {}
    for document, seen in chains.documents.items():
        own = Chains({document: seen})
        for name in names:
            found = chain_alpha(own, distance=name, unshared=unshared)
            alpha[name][document] = found.value
            if found.undefined:
                undefined[document] = found.undefined
        n_units = sum(len(one) > 1 for one_annotator in seen.values() for one in one_annotator)
        sizes[document] = PyramidSize(len(seen), own.n_mentions, n_units / max(len(seen), 1))
    if not sizes:
        undefined = {"": NO_PAIR}
    return PyramidAgreement(
        alpha=alpha,
        sizes=sizes,
        why_undefined=undefined,
        notes=chains.notes,
        signature=signature_of("chain_alpha", chains, unshared),
    )
