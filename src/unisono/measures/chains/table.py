"""All measures of chains in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.measures.chains.result import ChainsTable, key_of
from unisono.measures.data import of_data
from unisono.measures.distances import NAMED_DISTANCES
from unisono.registry import check_settings, measure_named, measures_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unisono.measures.chains.result import ChainAgreement
    from unisono.model.chains import Chains, Unshared
    from unisono.registry import Measure

__all__ = ["chosen_measures", "measure_chains"]

# Of the named distances those of sets; MASI last, which stands for α.
OF_SETS = ("nominal", "jaccard", "dice", "masi-product", "masi")


def chosen_measures(measures: Iterable[str] | None) -> tuple[Measure, ...]:
    """Return the measures for names or aliases, without duplicates; all by default."""
    known = measures_of("chains")
    if measures is None:
        return known
    names = [measures] if isinstance(measures, str) else measures
    return tuple(dict.fromkeys(measure_named(name, known) for name in names))


@of_data
def measure_chains(
    chains: Chains,
    *,
    measures: Iterable[str] | None = None,
    unshared: Unshared = "as-marked",
) -> ChainsTable:
    """Compute κ of antecedents, α of sets and the scores of coreference side by side.

    Parameters
    ----------
    chains
        The chains of the annotators, of `read_chains` or `Chains.from_groups`.
    measures
        Names of measures, such as ``"chain_alpha"`` or ``"b3"``; all by default.
    unshared
        What happens to mentions that not all annotators marked: ``"as-marked"``,
        ``"singletons"`` or ``"left-out"``. This is the value of each result; all three are in
        `ChainAgreement.by_policy` and shown.

    Returns
    -------
    ChainsTable
        The results by measure; α for each distance of sets, as ``"chain_alpha:jaccard"``.

    Raises
    ------
    SettingError
        If a measure or the policy is unknown.

    Examples
    --------
    >>> import unisono as un
    >>> chains = un.Chains.from_groups(
    ...     {"ann": [["a", "b", "c"], ["d", "e"]], "bob": [["a", "b"], ["d", "e", "f"]]}
    ... )
    >>> table = un.measure_chains(chains, measures=["muc", "lea"])
    >>> {name: f"{float(result):.3f}" for name, result in table.items()}
    {'muc': '0.667', 'lea': '0.600'}
    """
    check_settings({"unshared": unshared})
    found: list[ChainAgreement] = []
    for measure in chosen_measures(measures):
        function = measure.load()
        if "distance" in measure.settings:
            names = [name for name in OF_SETS if name in NAMED_DISTANCES]
            found += [function(chains, distance=name, unshared=unshared) for name in names]
        else:
            found.append(function(chains, unshared=unshared))
    return ChainsTable({key_of(result): result for result in found})
