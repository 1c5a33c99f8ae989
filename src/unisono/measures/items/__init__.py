"""Agreement on the labels of given items: α, κ, π, S and AC, with all their settings."""

from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.free_marginals import bennett_s, gwet_ac
from unisono.measures.items.kappas import cohen_kappa, conger_kappa, fleiss_kappa, scott_pi
from unisono.measures.items.percent import percent_agreement
from unisono.measures.items.table import items

__all__ = [
    "bennett_s",
    "cohen_kappa",
    "conger_kappa",
    "fleiss_kappa",
    "gwet_ac",
    "items",
    "krippendorff_alpha",
    "percent_agreement",
    "scott_pi",
]
