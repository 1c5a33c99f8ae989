"""All coefficients that apply to some ratings, in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unisono.errors import DataError
from unisono.measures.items.items_result import ItemsTable
from unisono.measures.items.measuring import inapplicable, measured
from unisono.measures.items.names import FUNCTIONS, SETTINGS, coefficient_of, name_of_measure
from unisono.measures.items.scales import follows_order
from unisono.measures.items.work import Work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.items_result import ItemsAgreement
    from unisono.measures.items.missing import MissingPolicy
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = ["items", "settings_of"]


def items(
    ratings: Ratings,
    *,
    measures: Iterable[str | Callable[..., ItemsAgreement]] | None = None,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    categories: int | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsTable:
    """Compute all coefficients on items that apply, with a reason for each that does not.

    Parameters
    ----------
    ratings
        What the annotators said.
    measures
        Which coefficients, by name (all names from the literature are known, such as ``"light"``
        or ``"randolph"``) or as functions; by default all.
    distance
        The label distance of `krippendorff_alpha`.
    weights
        The weights of `cohen_kappa`, `conger_kappa`, `bennett_s` and `gwet_ac`.
    categories
        The number of categories for `bennett_s` and `gwet_ac`.
    missing
        The policy for missing values.
    order
        All labels from low to high, where they are no numbers.
    by_label, by_pair
        As for each coefficient.

    Returns
    -------
    ItemsTable
        The results by the names of their functions.

    Raises
    ------
    SettingError
        If there is no such measure, or a setting cannot be used whatever the data.

    Notes
    -----
    Equal items are counted once for all coefficients. One that the labels do not allow (ordinal
    distances of labels without an order, say) is undefined in the table, with the reason.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_counts([[3, 0], [1, 2], [0, 3]], labels=("yes", "no"))
    >>> print(un.items(ratings))
    measure                 value  observed  expected
    percent_agreement      0.7778    0.2222         –
    krippendorff_alpha     0.6000    0.2222    0.5556
    cohen_kappa         undefined         –         –
    scott_pi            undefined         –         –
    fleiss_kappa           0.5500    0.2222    0.4938
    conger_kappa        undefined         –         –
    bennett_s              0.5556    0.2222    0.5000
    gwet_ac                0.5610    0.2222    0.5062
    cohen_kappa, conger_kappa are undefined: the ratings come from counts, ...
    scott_pi is undefined: Scott's π is for two annotators, and here are 3 annotators; ...
    """
    names = list(FUNCTIONS) if measures is None else _named(measures)
    given = {
        "distance": distance,
        "weights": weights,
        "categories": categories,
        "missing": missing,
        "order": order,
    }
    # All are checked before the first is computed.
    coefficients = {name: coefficient_of(name, settings_of(name, given)) for name in names}
    work = Work(ratings)
    results = {}
    for name, coefficient in coefficients.items():
        try:
            results[name] = measured(coefficient, work, by_label=by_label, by_pair=by_pair)
        except DataError as error:
            results[name] = inapplicable(coefficient, str(error), work)
    return ItemsTable(results)


def settings_of(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Choose of the settings given those that a coefficient has."""
    has = SETTINGS[name]
    by_rank = follows_order(given.get("distance" if "distance" in has else "weights"))
    # An order also tells the categories of S and AC.
    keeps_order = by_rank or "categories" in has
    return {key: given[key] for key in has if key in given and (key != "order" or keeps_order)}


def _named(measures: Iterable[str | Callable[..., ItemsAgreement]]) -> list[str]:
    given = [measures] if isinstance(measures, str) else list(measures)
    return list(dict.fromkeys(map(name_of_measure, given)))
