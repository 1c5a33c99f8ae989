"""One table of the coefficients on items, with all the names they go by."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from unisono.errors import SettingError, did_you_mean
from unisono.measures.items.alpha import KrippendorffAlpha, krippendorff_alpha
from unisono.measures.items.free_marginals import BennettS, GwetAC, bennett_s, gwet_ac
from unisono.measures.items.kappas import (
    CohenKappa,
    CongerKappa,
    FleissKappa,
    ScottPi,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    scott_pi,
)
from unisono.measures.items.pairwise import Pairwise
from unisono.measures.items.percent import PercentAgreement, percent_agreement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.measures.items.items_result import ItemsAgreement
    from unisono.measures.items.measuring import Measurable


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
    """Find which coefficient is meant.

    Parameters
    ----------
    measure
        A public function or one of its names, in capitals or not, with hyphens or underscores.

    Returns
    -------
    str
        The name of the public function.

    Raises
    ------
    SettingError
        If nothing is called so; the message lists the choices.

    Examples
    --------
    >>> name_of_measure("Siegel-Castellan"), name_of_measure(gwet_ac)
    ('fleiss_kappa', 'gwet_ac')
    """
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
    """Find the public function of a coefficient.

    Examples
    --------
    >>> function_of("alpha").__name__
    'krippendorff_alpha'
    """
    return FUNCTIONS[name_of_measure(measure)]


def coefficient_of(
    measure: str | Callable[..., ItemsAgreement], settings: Mapping[str, Any]
) -> Measurable:
    """Make a coefficient of its name, or its public function, and settings.

    Parameters
    ----------
    measure
        A public function or one of its names.
    settings
        Keywords of that function.

    Returns
    -------
    Measurable
        The coefficient, its settings checked.

    Raises
    ------
    SettingError
        If nothing is called so, or a setting cannot be used.
    TypeError
        If the coefficient has no such setting.

    Examples
    --------
    >>> coefficient_of("ac2", {"weights": "linear"}).name
    'gwet_ac'
    """
    name = name_of_measure(measure)
    for setting in settings:
        if setting not in (*SETTINGS[name], *_DETAILS):
            msg = f"{name} has no setting {setting!r}; it has {', '.join(SETTINGS[name])}"
            raise TypeError(msg)
    chosen = {key: value for key, value in settings.items() if key not in _DETAILS}
    return COEFFICIENTS[name](**chosen)
