"""Agreement on chains beyond chance: κ of antecedents and α of sets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from unisono.measures.chains.result import ChainAgreement, PairScore
from unisono.measures.chains.scores import (
    NO_PAIR,
    check_chains,
    check_partition,
    counts_of,
    pairs_of,
    signature_of,
)
from unisono.measures.data import of_data
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.interval import INDEPENDENT
from unisono.measures.items.kappas import cohen_kappa
from unisono.model.chains import POLICIES
from unisono.registry import check_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.result import ItemsAgreement
    from unisono.model.chains import Chains, Unshared
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = ["antecedent_kappa", "chain_alpha"]

_NO_MENTION = "no mention was marked by two annotators"


@of_data
def antecedent_kappa(chains: Chains, *, unshared: Unshared = "as-marked") -> ChainAgreement:
    """Compute κ of the antecedents of mentions, an open set of categories, after Komen (2009).

    Parameters
    ----------
    chains
        The chains of the annotators. The antecedent of a mention is the one before it in its chain.
    unshared
        What happens to mentions that not all annotators of a document marked: a missing value
        (``"as-marked"``), a mention without antecedent (``"singletons"``), or left out of the items
        and of the chains (``"left-out"``). `ChainAgreement.by_policy` has the values of all.

    Returns
    -------
    ChainAgreement
        κ with the disagreements observed and expected; of three annotators and more the mean over
        pairs. NaN with a reason where it is undefined.

    Notes
    -----
    κ = 1 − Σ_c (1 − p_cc) / Σ …, Cohen's κ, with all antecedents in use as categories: they are
    counted in two passes, so that the annotators need not have used the same ones [1]_, eq. 10.
    "None", for the first mention of a chain, is a category too. To use antecedents as they were
    annotated, and not as chains imply them, measure a table of them with `cohen_kappa`.

    References
    ----------
    .. [1] Komen, E. R. (2009). A fast general purpose procedure to calculate inter-rater agreement
       for coreference annotation. Radboud University.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups({"ann": [["a", "b", "c"]], "bob": [["a", "b"], ["c"]]})
    >>> f"{un.antecedent_kappa(chains):.4f}"
    '0.5000'
    """
    check_chains(chains, "antecedent_kappa")
    check_partition(chains, "antecedent_kappa")
    return _beyond_chance(
        "antecedent_kappa",
        chains,
        unshared,
        ratings_of=lambda policy: chains.ratings("antecedent", unshared=policy),
        measure=lambda ratings: cohen_kappa(ratings, by_label=False, by_pair=True),
    )


@of_data
def chain_alpha(
    chains: Chains,
    *,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "masi",
    unshared: Unshared = "as-marked",
) -> ChainAgreement:
    """Compute Krippendorff's α of the chains that mentions are in, after Passonneau (2004, 2006).

    Parameters
    ----------
    chains
        The chains of the annotators. The label of a mention is the set of mentions of its chain.
    distance
        The distance of two sets: ``"nominal"`` (equal or not), ``"jaccard"``, ``"dice"``,
        ``"masi"``, or a function of two sets.
    unshared
        What happens to mentions that not all annotators of a document marked: a missing value
        (``"as-marked"``), a set of one (``"singletons"``), or left out of the items and of the sets
        (``"left-out"``). `ChainAgreement.by_policy` has the values of all.

    Returns
    -------
    ChainAgreement
        α with the disagreements observed and expected; NaN with a reason where it is undefined.

    Notes
    -----
    A pyramid is measured in the same way: words are the mentions and content units the chains [1]_,
    Table 2. Chains are mostly similar and seldom equal, so the nominal α is low; the differences
    between the values of nominal, Jaccard and MASI show whether chains are equal, overlap, or
    contain each other.

    References
    ----------
    .. [1] Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and
       pragmatic annotation. LREC 2006.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups(
    ...     {"ann": [["a", "b", "c"], ["d", "e"]], "bob": [["a", "b"], ["c"], ["d", "e"]]}
    ... )
    >>> [f"{un.chain_alpha(chains, distance=name):.3f}" for name in ("nominal", "jaccard", "masi")]
    ['0.229', '0.600', '0.463']
    """
    name = distance if isinstance(distance, str) else getattr(distance, "__name__", "custom")
    return _beyond_chance(
        "chain_alpha",
        chains,
        unshared,
        ratings_of=lambda policy: chains.ratings("chain", unshared=policy),
        measure=lambda ratings: krippendorff_alpha(
            ratings, distance=distance, by_label=False, by_pair=True
        ),
        distance=name,
    )


def _beyond_chance(
    name: str,
    chains: Chains,
    unshared: Unshared,
    *,
    ratings_of: Callable[[Unshared], Ratings],
    measure: Callable[[Ratings], ItemsAgreement],
    **settings: Any,  # noqa: ANN401 - texts of the signature
) -> ChainAgreement:
    """Return a coefficient of mentions as items, with its values under all policies."""
    check_chains(chains, name)
    check_settings({"unshared": unshared})
    pairs = pairs_of(chains)
    signature = signature_of(name, chains, unshared, **settings)
    counts = counts_of(chains)
    if not pairs or not chains.n_mentions:
        return ChainAgreement(
            value=math.nan,
            observed=math.nan,
            expected=math.nan,
            undefined=_NO_MENTION if pairs else NO_PAIR,
            by_policy=dict.fromkeys(POLICIES, math.nan),
            counts=counts,
            notes=chains.notes,
            signature=signature,
        )
    found = {policy: measure(ratings_of(policy)) for policy in POLICIES}
    chosen = found[unshared]
    return ChainAgreement(
        value=chosen.value,
        observed=chosen.observed,
        expected=chosen.expected,
        undefined=chosen.undefined,
        by_policy={policy: each.value for policy, each in found.items()},
        by_pair={
            pair: PairScore(math.nan, math.nan, of.value) for pair, of in chosen.by_pair.items()
        },
        counts=counts,
        notes=tuple(dict.fromkeys((*chains.notes, *_notes_on_value(chosen)))),
        signature=signature,
    )


def _notes_on_value(result: ItemsAgreement) -> tuple[str, ...]:
    """Return the notes without that on the interval, which a result of chains does not have."""
    return tuple(note for note in result.notes if note != INDEPENDENT)
