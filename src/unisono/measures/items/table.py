"""All coefficients of given items in one table, and the names of each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from unisono.errors import DataError, SettingError, did_you_mean
from unisono.measures.items.alpha import KrippendorffAlpha, krippendorff_alpha
from unisono.measures.items.coefficient import ItemsTable, Work, inapplicable, measured
from unisono.measures.items.kappas import (
    BennettS,
    CohenKappa,
    CongerKappa,
    FleissKappa,
    GwetAC,
    Pairwise,
    PercentAgreement,
    ScottPi,
    bennett_s,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    percent_agreement,
    scott_pi,
)
from unisono.measures.items.metrics import follows_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.coefficient import ItemsAgreement, Measurable
    from unisono.measures.items.rows import MissingPolicy
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = [
    "FUNCTIONS",
    "SETTINGS",
    "coefficient_of",
    "function_of",
    "items",
    "name_of_measure",
    "settings_of",
]

COEFFICIENTS: dict[str, Callable[..., Measurable]] = {
    "percent_agreement": PercentAgreement,
    "krippendorff_alpha": KrippendorffAlpha,
    "cohen_kappa": partial(Pairwise, formula=CohenKappa()),
    "scott_pi": partial(Pairwise, formula=ScottPi()),
    "fleiss_kappa": partial(Pairwise, formula=FleissKappa()),
    "conger_kappa": partial(Pairwise, formula=CongerKappa()),
    "bennett_s": partial(Pairwise, formula=BennettS()),
    "gwet_ac": partial(Pairwise, formula=GwetAC()),
}
"""What makes a coefficient of its settings, by the name of its public function."""
FUNCTIONS: dict[str, Callable[..., ItemsAgreement]] = {
    "percent_agreement": percent_agreement,
    "krippendorff_alpha": krippendorff_alpha,
    "cohen_kappa": cohen_kappa,
    "scott_pi": scott_pi,
    "fleiss_kappa": fleiss_kappa,
    "conger_kappa": conger_kappa,
    "bennett_s": bennett_s,
    "gwet_ac": gwet_ac,
}
"""The public functions by their names."""
SETTINGS: dict[str, tuple[str, ...]] = {
    "percent_agreement": ("missing",),
    "krippendorff_alpha": ("distance", "missing", "order"),
    "cohen_kappa": CohenKappa.settings,
    "scott_pi": ScottPi.settings,
    "fleiss_kappa": FleissKappa.settings,
    "conger_kappa": CongerKappa.settings,
    "bennett_s": BennettS.settings,
    "gwet_ac": GwetAC.settings,
}
"""The settings that each coefficient has."""
OTHER_NAMES: dict[str, str] = {
    "percent": "percent_agreement",
    "raw_agreement": "percent_agreement",
    "observed_agreement": "percent_agreement",
    "alpha": "krippendorff_alpha",
    "krippendorff": "krippendorff_alpha",
    "kappa": "cohen_kappa",
    "cohen": "cohen_kappa",
    "weighted_kappa": "cohen_kappa",
    "light": "cohen_kappa",
    "light_kappa": "cohen_kappa",
    "komen": "cohen_kappa",
    "komen_kappa": "cohen_kappa",
    "pi": "scott_pi",
    "scott": "scott_pi",
    "fleiss": "fleiss_kappa",
    "multi_pi": "fleiss_kappa",
    "siegel_castellan": "fleiss_kappa",
    "siegel_castellan_k": "fleiss_kappa",
    "k": "fleiss_kappa",
    "conger": "conger_kappa",
    "multi_kappa": "conger_kappa",
    "hubert": "conger_kappa",
    "hubert_kappa": "conger_kappa",
    "beta": "conger_kappa",
    "artstein_poesio_beta": "conger_kappa",
    "s": "bennett_s",
    "bennett": "bennett_s",
    "g_index": "bennett_s",
    "randolph": "bennett_s",
    "randolph_kappa": "bennett_s",
    "free_marginal_kappa": "bennett_s",
    "brennan_prediger": "bennett_s",
    "gwet": "gwet_ac",
    "ac1": "gwet_ac",
    "ac2": "gwet_ac",
    "gwet_ac1": "gwet_ac",
    "gwet_ac2": "gwet_ac",
}
"""Names from the literature, and the coefficient each of them is."""
_DETAILS = ("by_label", "by_pair")


def name_of_measure(measure: str | Callable[..., ItemsAgreement]) -> str:
    """Find which coefficient is meant."""
    if isinstance(measure, str):
        name = measure.strip().lower().replace("-", "_").replace(" ", "_")
        name = OTHER_NAMES.get(name, name)
        if name in FUNCTIONS:
            return name
    else:
        for name, function in FUNCTIONS.items():
            if measure is function:
                return name
    given = repr(measure) if isinstance(measure, str) else getattr(measure, "__name__", "?")
    msg = (
        f"unknown measure {given}; choose one of {', '.join(FUNCTIONS)}, "
        f"or by another name {', '.join(OTHER_NAMES)}"
    )
    if isinstance(measure, str):
        msg += did_you_mean(measure, (*FUNCTIONS, *OTHER_NAMES))
    raise SettingError(msg)


def function_of(measure: str | Callable[..., ItemsAgreement]) -> Callable[..., ItemsAgreement]:
    """Find the public function of a coefficient."""
    return FUNCTIONS[name_of_measure(measure)]


def coefficient_of(
    measure: str | Callable[..., ItemsAgreement], settings: Mapping[str, Any]
) -> Measurable:
    """Make a coefficient of its name, or its public function, and settings."""
    name = name_of_measure(measure)
    for setting in settings:
        if setting not in (*SETTINGS[name], *_DETAILS):
            msg = f"{name} has no setting {setting!r}; it has {', '.join(SETTINGS[name])}"
            raise TypeError(msg)
    chosen = {key: value for key, value in settings.items() if key not in _DETAILS}
    return COEFFICIENTS[name](**chosen)


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
