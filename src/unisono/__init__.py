"""Inter-annotator agreement: how much, where not, and is it more than chance.

The front door: every name a user needs, from the rooms behind it.
"""

from unisono.errors import DataError, ReadError, SettingError, UnisonoError
from unisono.formats import read, read_ratings
from unisono.measures.aligning import best_alignment
from unisono.measures.boundaries import (
    boundary_similarity,
    generalized_hamming,
    pk,
    segmentation_similarity,
    window_diff,
)
from unisono.measures.comparing import compare
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
from unisono.measures.slots import slot_error_agreement, slot_error_rate
from unisono.measures.unitizing import unitizing_alpha
from unisono.model import (
    Continuum,
    Corpus,
    Ratings,
    Segmentation,
    Unit,
    discretize,
    ratings_from_partitions,
    segmentations,
)
from unisono.result import (
    Agreement,
    Alignment,
    Bounds,
    ChanceAgreement,
    GammaResult,
    Interval,
    Signature,
)
from unisono.result.comparison_result import Comparison
from unisono.result.items_result import ItemsAgreement, ItemsTable
from unisono.result.scores import MatchScores, Score
from unisono.result.segmentation_result import BoundaryEdits, SegmentationAgreement
from unisono.result.side_by_side_result import SideBySide
from unisono.result.slot_matching import Slot, SlotMatching
from unisono.result.slots_result import SlotAgreement, SlotCounts, SlotErrorRate
from unisono.result.unitizing_result import UnitizingResult
from unisono.study import (
    AnnotatorParts,
    Calibration,
    Claim,
    Confusion,
    Consensus,
    ConsensusUnit,
    Curve,
    CurvePoint,
    Diagnosis,
    Equivalent,
    JointFit,
    LabelParts,
    Parts,
    Plan,
    PolicyComparison,
    Reproduction,
    Scan,
    Shuffled,
    Spread,
    Trial,
    UndecidedGroup,
    calibrate,
    compare_policies,
    consensus,
    diagnose,
    generate_reference,
    plan_documents,
    plan_items,
    reproduce,
    scan,
    shuffle,
    side_by_side,
)
from unisono.version import __version__

__all__ = [
    "Agreement",
    "Alignment",
    "AnnotatorParts",
    "BoundaryEdits",
    "Bounds",
    "Calibration",
    "Categorial",
    "ChanceAgreement",
    "Claim",
    "Combined",
    "Comparison",
    "Confusion",
    "Consensus",
    "ConsensusUnit",
    "Continuum",
    "Corpus",
    "Curve",
    "CurvePoint",
    "DataError",
    "Diagnosis",
    "DistanceMatrix",
    "Equivalent",
    "GammaResult",
    "Interval",
    "ItemsAgreement",
    "ItemsTable",
    "JointFit",
    "LabelParts",
    "MatchScores",
    "OwnDissimilarity",
    "Parts",
    "Plan",
    "PolicyComparison",
    "Positional",
    "Ratings",
    "ReadError",
    "Reproduction",
    "Scan",
    "Score",
    "Segmentation",
    "SegmentationAgreement",
    "SettingError",
    "Shuffled",
    "SideBySide",
    "Signature",
    "Slot",
    "SlotAgreement",
    "SlotCounts",
    "SlotErrorRate",
    "SlotMatching",
    "Spread",
    "Trial",
    "UndecidedGroup",
    "UnisonoError",
    "Unit",
    "UnitColumns",
    "UnitizingResult",
    "__version__",
    "bennett_s",
    "best_alignment",
    "bootstrap",
    "boundary_similarity",
    "calibrate",
    "cohen_kappa",
    "compare",
    "compare_policies",
    "conger_kappa",
    "consensus",
    "diagnose",
    "dice_distance",
    "discretize",
    "fleiss_kappa",
    "gamma",
    "generalized_hamming",
    "generate_reference",
    "gwet_ac",
    "items",
    "jaccard_distance",
    "krippendorff_alpha",
    "masi_distance",
    "percent_agreement",
    "permutation_test",
    "pk",
    "plan_documents",
    "plan_items",
    "ratings_from_partitions",
    "read",
    "read_ratings",
    "reproduce",
    "scan",
    "scott_pi",
    "segmentation_similarity",
    "segmentations",
    "shuffle",
    "side_by_side",
    "slot_error_agreement",
    "slot_error_rate",
    "unitizing_alpha",
    "window_diff",
]
