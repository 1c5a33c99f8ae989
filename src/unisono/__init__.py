"""Inter-annotator agreement: how much, where not, and is it more than chance.

The front door: every name a user needs, from the rooms behind it.
"""

from unisono.errors import DataError, ReadError, SettingError, UnisonoError
from unisono.formats import read, read_ratings
from unisono.measures.aligning import best_alignment
from unisono.measures.dissimilarity import (
    Categorial,
    Combined,
    OwnDissimilarity,
    Positional,
)
from unisono.measures.distances import DistanceMatrix
from unisono.measures.fitted import UnitColumns
from unisono.measures.gamma_family import gamma
from unisono.measures.items import (
    bennett_s,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    items,
    krippendorff_alpha,
    percent_agreement,
    scott_pi,
)
from unisono.measures.permuting import permutation_test
from unisono.measures.resampling import bootstrap
from unisono.measures.set_distances import dice_distance, jaccard_distance, masi_distance
from unisono.model import Continuum, Corpus, Ratings, Unit, ratings_from_partitions
from unisono.result import (
    Agreement,
    Alignment,
    Bounds,
    ChanceAgreement,
    GammaResult,
    Interval,
    Signature,
)
from unisono.result.items_result import ItemsAgreement, ItemsTable
from unisono.study import (
    Plan,
    PolicyComparison,
    Spread,
    Trial,
    compare_policies,
    plan_documents,
    plan_items,
)
from unisono.version import __version__

__all__ = [
    "Agreement",
    "Alignment",
    "Bounds",
    "Categorial",
    "ChanceAgreement",
    "Combined",
    "Continuum",
    "Corpus",
    "DataError",
    "DistanceMatrix",
    "GammaResult",
    "Interval",
    "ItemsAgreement",
    "ItemsTable",
    "OwnDissimilarity",
    "Plan",
    "PolicyComparison",
    "Positional",
    "Ratings",
    "ReadError",
    "SettingError",
    "Signature",
    "Spread",
    "Trial",
    "UnisonoError",
    "Unit",
    "UnitColumns",
    "__version__",
    "bennett_s",
    "best_alignment",
    "bootstrap",
    "cohen_kappa",
    "compare_policies",
    "conger_kappa",
    "dice_distance",
    "fleiss_kappa",
    "gamma",
    "gwet_ac",
    "items",
    "jaccard_distance",
    "krippendorff_alpha",
    "masi_distance",
    "percent_agreement",
    "permutation_test",
    "plan_documents",
    "plan_items",
    "ratings_from_partitions",
    "read",
    "read_ratings",
    "scott_pi",
]
