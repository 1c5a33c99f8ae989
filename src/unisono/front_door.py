"""The front door: every name a user needs, from the rooms behind it."""

from unisono.errors import DataError, ReadError, SettingError, UnisonoError, WorkError
from unisono.formats.objects import from_objects
from unisono.formats.read import read, read_ratings, scan_corpus
from unisono.formats.write import write
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import dice_distance, jaccard_distance, masi_distance
from unisono.measures.gamma.alignment import Alignment, best_alignment
from unisono.measures.gamma.dissimilarity import (
    Categorial,
    Combined,
    OwnDissimilarity,
    Positional,
    UnitColumns,
)
from unisono.measures.gamma.gamma import gamma
from unisono.measures.gamma.result import GammaResult
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.coefficient import ItemsAgreement, ItemsTable
from unisono.measures.items.kappas import (
    bennett_s,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    percent_agreement,
    scott_pi,
)
from unisono.measures.items.resampling import bootstrap, permutation_test
from unisono.measures.items.table import items
from unisono.measures.reference.compare import Comparison, MatchScores, Score, compare
from unisono.measures.reference.slot_errors import (
    Slot,
    SlotAgreement,
    SlotCounts,
    SlotErrorRate,
    SlotMatching,
    slot_error_agreement,
    slot_error_rate,
)
from unisono.measures.segmentation.boundary_edits import (
    boundary_similarity,
    segmentation_similarity,
)
from unisono.measures.segmentation.comparison import BoundaryEdits, SegmentationAgreement
from unisono.measures.segmentation.hamming import generalized_hamming
from unisono.measures.segmentation.windows import pk, window_diff
from unisono.measures.unitizing.alphas import UnitizingResult, unitizing_alpha
from unisono.model.continuum import Continuum, Unit
from unisono.model.corpus import Corpus, LazyCorpus
from unisono.model.discretize import discretize
from unisono.model.overlap import split_fragments
from unisono.model.partitions import ratings_from_partitions
from unisono.model.ratings import Ratings
from unisono.model.segmentation import Segmentation, segmentations
from unisono.reports.report import AgreementReport, report
from unisono.results.agreement import Agreement, Bounds, ChanceAgreement, Interval, Signature
from unisono.simulation.calibration.calibrate import Calibration, calibrate
from unisono.simulation.calibration.curves import CurvePoint, Equivalent, JointFit
from unisono.simulation.error_curves import Curve, Scan, scan
from unisono.simulation.reproduction.claims import Claim, Reproduction
from unisono.simulation.reproduction.reproduce import reproduce
from unisono.simulation.shuffling.shuffle import Shuffled, generate_reference, shuffle
from unisono.studies.advice import Advice, DocumentShare, Gain, GroupShare, LeftOut, Merge, advise
from unisono.studies.annotator_pairs import PairwiseAgreement, pairwise_agreement
from unisono.studies.consensus import Consensus, ConsensusUnit, UndecidedGroup, consensus
from unisono.studies.description import Description, describe
from unisono.studies.diagnosis import (
    AnnotatorParts,
    Confusion,
    Diagnosis,
    LabelParts,
    Parts,
    diagnose,
)
from unisono.studies.label_confusions import LabelPairs, label_pairs_of
from unisono.studies.measure_table import SideBySide, side_by_side
from unisono.studies.missing_values import PolicyComparison, Spread, compare_policies
from unisono.studies.planning import Plan, Trial, plan_documents, plan_items
from unisono.version import __version__

__all__ = [
    "Advice",
    "Agreement",
    "AgreementReport",
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
    "Description",
    "Diagnosis",
    "DistanceMatrix",
    "DocumentShare",
    "Equivalent",
    "Gain",
    "GammaResult",
    "GroupShare",
    "Interval",
    "ItemsAgreement",
    "ItemsTable",
    "JointFit",
    "LabelPairs",
    "LabelParts",
    "LazyCorpus",
    "LeftOut",
    "MatchScores",
    "Merge",
    "OwnDissimilarity",
    "PairwiseAgreement",
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
    "WorkError",
    "__version__",
    "advise",
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
    "describe",
    "diagnose",
    "dice_distance",
    "discretize",
    "fleiss_kappa",
    "from_objects",
    "gamma",
    "generalized_hamming",
    "generate_reference",
    "gwet_ac",
    "items",
    "jaccard_distance",
    "krippendorff_alpha",
    "label_pairs_of",
    "masi_distance",
    "pairwise_agreement",
    "percent_agreement",
    "permutation_test",
    "pk",
    "plan_documents",
    "plan_items",
    "ratings_from_partitions",
    "read",
    "read_ratings",
    "report",
    "reproduce",
    "scan",
    "scan_corpus",
    "scott_pi",
    "segmentation_similarity",
    "segmentations",
    "shuffle",
    "side_by_side",
    "slot_error_agreement",
    "slot_error_rate",
    "split_fragments",
    "unitizing_alpha",
    "window_diff",
    "write",
]
