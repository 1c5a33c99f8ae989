"""The front door: every name a user needs, from the rooms behind it."""

from unisono.errors import DataError, ReadError, SettingError, UnisonoError, WorkError
from unisono.formats.lazy_reading import scan_corpus
from unisono.formats.objects import from_objects
from unisono.formats.rating_reading import read_ratings
from unisono.formats.read import read
from unisono.formats.write import write
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.gamma.aligning import best_alignment
from unisono.measures.gamma.alignment import Alignment
from unisono.measures.gamma.dissimilarity import Categorial, Combined, OwnDissimilarity, Positional
from unisono.measures.gamma.fitted import UnitColumns
from unisono.measures.gamma.gamma import gamma
from unisono.measures.gamma.gamma_result import GammaResult
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.free_marginals import bennett_s, gwet_ac
from unisono.measures.items.items_result import ItemsAgreement, ItemsTable
from unisono.measures.items.kappas import cohen_kappa, conger_kappa, fleiss_kappa, scott_pi
from unisono.measures.items.percent import percent_agreement
from unisono.measures.items.permuting import permutation_test
from unisono.measures.items.resampling import bootstrap
from unisono.measures.items.table import items
from unisono.measures.reference.compare import compare
from unisono.measures.reference.comparison_result import Comparison
from unisono.measures.reference.scores import MatchScores, Score
from unisono.measures.reference.slot_errors import SlotAgreement, SlotCounts, SlotErrorRate
from unisono.measures.reference.slot_matching import Slot, SlotMatching
from unisono.measures.reference.slots import slot_error_agreement, slot_error_rate
from unisono.measures.segmentation.boundary_edits import (
    boundary_similarity,
    segmentation_similarity,
)
from unisono.measures.segmentation.hamming import generalized_hamming
from unisono.measures.segmentation.segmentation_result import BoundaryEdits, SegmentationAgreement
from unisono.measures.segmentation.window_measures import pk, window_diff
from unisono.measures.set_distances import dice_distance, jaccard_distance, masi_distance
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.measures.unitizing.unitizing_result import UnitizingResult
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.discretize import discretize
from unisono.model.fragmenting import split_fragments
from unisono.model.lazy_corpus import LazyCorpus
from unisono.model.partitions import ratings_from_partitions
from unisono.model.ratings import Ratings
from unisono.model.segmentation import Segmentation, segmentations
from unisono.model.unit import Unit
from unisono.reports.making import report
from unisono.reports.report import AgreementReport
from unisono.results.agreement import Agreement, ChanceAgreement, Interval
from unisono.results.bounds import Bounds
from unisono.results.signature import Signature
from unisono.simulation.calibration.calibrate import calibrate
from unisono.simulation.calibration.calibration_result import Calibration
from unisono.simulation.calibration.calibration_values import CurvePoint, Equivalent, JointFit
from unisono.simulation.curves import Curve, Scan
from unisono.simulation.error_curves import scan
from unisono.simulation.reproduction.claims import Claim, Reproduction
from unisono.simulation.reproduction.reproduce import reproduce
from unisono.simulation.shuffling.generating import generate_reference
from unisono.simulation.shuffling.shuffled import Shuffled
from unisono.simulation.shuffling.simulating import shuffle
from unisono.studies.advice import advise
from unisono.studies.advice_result import Advice, DocumentShare, Gain, GroupShare, LeftOut, Merge
from unisono.studies.annotator_pairs import PairwiseAgreement, pairwise_agreement
from unisono.studies.consensus import consensus
from unisono.studies.consensus_result import Consensus, ConsensusUnit, UndecidedGroup
from unisono.studies.description import Description, describe
from unisono.studies.diagnosis import diagnose
from unisono.studies.diagnosis_result import AnnotatorParts, Confusion, Diagnosis, LabelParts, Parts
from unisono.studies.label_confusions import LabelPairs, label_pairs_of
from unisono.studies.many_measures import side_by_side
from unisono.studies.measure_table import SideBySide
from unisono.studies.missing_values import PolicyComparison, Spread, compare_policies
from unisono.studies.planning import plan_documents, plan_items
from unisono.studies.plans import Plan, Trial
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
