"""Intervals and p-values of coefficients on items, as `items` of the command line asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unisono.measures.items.items_result import ItemsAgreement, ItemsTable
from unisono.measures.items.permuting import permutation_test
from unisono.measures.items.resampling import Method, bootstrap
from unisono.results.signing import signed

if TYPE_CHECKING:
    from unisono.model.ratings import Ratings
    from unisono.parallel.progress import Report


class Resampling:
    """What is asked about the uncertainty of coefficients.

    Parameters
    ----------
    n_bootstrap
        How often to resample the items, for intervals.
    method
        How the interval comes from the resamples.
    level
        The confidence of the intervals.
    permutations
        How often to shuffle the labels, for p-values.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.cli.items_resampling import Resampling
    >>> ratings = un.Ratings.from_matrix([list("abab"), list("abaa")])
    >>> table = un.items(ratings, measures=["alpha"])
    >>> how = Resampling(30, "percentile", 0.95, None)
    >>> how.of(table, ratings, {"krippendorff_alpha": {}}, 1)["krippendorff_alpha"].interval.level
    0.95
    """

    def __init__(
        self, n_bootstrap: int | None, method: Method, level: float, permutations: int | None
    ) -> None:
        self.n_bootstrap = n_bootstrap
        self.method = method
        self.level = level
        self.permutations = permutations

    def of(
        self,
        table: ItemsTable,
        ratings: Ratings,
        settings: Mapping[str, Mapping[str, Any]],
        seed: int,
        report: Report | None = None,
    ) -> ItemsTable:
        """Give the same coefficients with intervals and p-values, where they have a value."""
        found = {}
        for name, result in table.items():
            found[name] = result
            if not result.undefined:
                found[name] = self._one(name, result, ratings, settings[name], seed)
            if report is not None:
                report.add(1)
        return ItemsTable(found)

    def _one(
        self,
        name: str,
        result: ItemsAgreement,
        ratings: Ratings,
        settings: Mapping[str, Any],
        seed: int,
    ) -> ItemsAgreement:
        if self.n_bootstrap is not None:
            result = bootstrap(
                name,
                ratings,
                n=self.n_bootstrap,
                rng=seed,
                level=self.level,
                method=self.method,
                **settings,
            )
        if self.permutations is None:
            return result
        tested = permutation_test(name, ratings, n=self.permutations, rng=seed, **settings)
        if self.n_bootstrap is None:
            return tested
        notes = tuple(dict.fromkeys((*result.notes, *tested.notes)))
        both = replace(result, p_value=tested.p_value, notes=notes)
        return signed(both, permutations=str(self.permutations))
