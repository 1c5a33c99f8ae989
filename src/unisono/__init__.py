"""Inter-annotator agreement: how much, where not, and is it more than chance.

The front door: every name a user needs, from the rooms behind it.
"""

from unisono.errors import DataError, ReadError, SettingError, UnisonoError
from unisono.formats import read
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
from unisono.model import Continuum, Corpus, Unit
from unisono.result import (
    Agreement,
    Alignment,
    Bounds,
    ChanceAgreement,
    GammaResult,
    Interval,
    Signature,
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
    "OwnDissimilarity",
    "Positional",
    "ReadError",
    "SettingError",
    "Signature",
    "UnisonoError",
    "Unit",
    "UnitColumns",
    "__version__",
    "best_alignment",
    "gamma",
    "read",
]
