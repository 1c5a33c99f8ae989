from unisono import charts as charts
from unisono import parallel as parallel
from unisono import results as results
from unisono.errors import DataError as DataError
from unisono.errors import ReadError as ReadError
from unisono.errors import SettingError as SettingError
from unisono.errors import UnisonoError as UnisonoError
from unisono.errors import WorkError as WorkError
from unisono.formats.objects import from_objects as from_objects
from unisono.formats.read import read as read
from unisono.formats.read import read_ratings as read_ratings
from unisono.formats.write import write as write
from unisono.measures.distance_matrix import DistanceMatrix as DistanceMatrix
from unisono.measures.distances import dice_distance as dice_distance
from unisono.measures.distances import distance_matrix as distance_matrix
from unisono.measures.distances import distance_signature as distance_signature
from unisono.measures.distances import jaccard_distance as jaccard_distance
from unisono.measures.distances import masi_distance as masi_distance
from unisono.measures.gamma.alignment import Alignment as Alignment
from unisono.measures.gamma.alignment import best_alignment as best_alignment
from unisono.measures.gamma.dissimilarity import Categorial as Categorial
from unisono.measures.gamma.dissimilarity import Combined as Combined
from unisono.measures.gamma.dissimilarity import OwnDissimilarity as OwnDissimilarity
from unisono.measures.gamma.dissimilarity import Positional as Positional
from unisono.measures.gamma.dissimilarity import UnitColumns as UnitColumns
from unisono.measures.gamma.gamma import gamma as gamma
from unisono.measures.gamma.result import GammaResult as GammaResult
from unisono.measures.items.alpha import krippendorff_alpha as krippendorff_alpha
from unisono.measures.items.kappas import bennett_s as bennett_s
from unisono.measures.items.kappas import cohen_kappa as cohen_kappa
from unisono.measures.items.kappas import conger_kappa as conger_kappa
from unisono.measures.items.kappas import fleiss_kappa as fleiss_kappa
from unisono.measures.items.kappas import gwet_ac as gwet_ac
from unisono.measures.items.kappas import percent_agreement as percent_agreement
from unisono.measures.items.kappas import scott_pi as scott_pi
from unisono.measures.items.resampling import bootstrap as bootstrap
from unisono.measures.items.resampling import bootstrap_values as bootstrap_values
from unisono.measures.items.resampling import permutation_test as permutation_test
from unisono.measures.items.result import ItemsAgreement as ItemsAgreement
from unisono.measures.items.result import ItemsTable as ItemsTable
from unisono.measures.items.table import items as items
from unisono.measures.reference.compare import Comparison as Comparison
from unisono.measures.reference.compare import MatchScores as MatchScores
from unisono.measures.reference.compare import Score as Score
from unisono.measures.reference.compare import compare as compare
from unisono.measures.reference.slot_errors import Slot as Slot
from unisono.measures.reference.slot_errors import SlotAgreement as SlotAgreement
from unisono.measures.reference.slot_errors import SlotCounts as SlotCounts
from unisono.measures.reference.slot_errors import SlotErrorRate as SlotErrorRate
from unisono.measures.reference.slot_errors import SlotMatching as SlotMatching
from unisono.measures.reference.slot_errors import slot_error_agreement as slot_error_agreement
from unisono.measures.reference.slot_errors import slot_error_rate as slot_error_rate
from unisono.measures.segmentation.boundary_edits import boundary_similarity as boundary_similarity
from unisono.measures.segmentation.boundary_edits import (
    segmentation_similarity as segmentation_similarity,
)
from unisono.measures.segmentation.comparison import BoundaryEdits as BoundaryEdits
from unisono.measures.segmentation.comparison import SegmentationAgreement as SegmentationAgreement
from unisono.measures.segmentation.hamming import generalized_hamming as generalized_hamming
from unisono.measures.segmentation.table import SegmentationTable as SegmentationTable
from unisono.measures.segmentation.table import measure_segments as measure_segments
from unisono.measures.segmentation.windows import pk as pk
from unisono.measures.segmentation.windows import window_diff as window_diff
from unisono.measures.unitizing.alphas import UnitizingResult as UnitizingResult
from unisono.measures.unitizing.alphas import unitizing_alpha as unitizing_alpha
from unisono.measures.unitizing.atoms import kappa_d as kappa_d
from unisono.model.continuum import Continuum as Continuum
from unisono.model.continuum import Unit as Unit
from unisono.model.corpus import Corpus as Corpus
from unisono.model.discretize import discretize as discretize
from unisono.model.overlap import split_fragments as split_fragments
from unisono.model.partitions import ratings_from_partitions as ratings_from_partitions
from unisono.model.ratings import Ratings as Ratings
from unisono.model.segmentation import Segmentation as Segmentation
from unisono.model.segmentation import segmentations as segmentations
from unisono.reports.report import AgreementReport as AgreementReport
from unisono.reports.report import report as report
from unisono.results.agreement import Agreement as Agreement
from unisono.results.agreement import ChanceAgreement as ChanceAgreement
from unisono.results.values import Bounds as Bounds
from unisono.results.values import Interval as Interval
from unisono.results.values import Signature as Signature
from unisono.simulation.calibration.calibrate import Calibration as Calibration
from unisono.simulation.calibration.calibrate import calibrate as calibrate
from unisono.simulation.calibration.curves import CurvePoint as CurvePoint
from unisono.simulation.calibration.curves import Equivalent as Equivalent
from unisono.simulation.calibration.curves import JointFit as JointFit
from unisono.simulation.error_curves import Curve as Curve
from unisono.simulation.error_curves import Scan as Scan
from unisono.simulation.error_curves import scan as scan
from unisono.simulation.reproduction.claims import Claim as Claim
from unisono.simulation.reproduction.claims import Reproduction as Reproduction
from unisono.simulation.reproduction.reproduce import reproduce as reproduce
from unisono.simulation.shuffling.shuffle import Shuffled as Shuffled
from unisono.simulation.shuffling.shuffle import generate_reference as generate_reference
from unisono.simulation.shuffling.shuffle import shuffle as shuffle
from unisono.studies.advice import Advice as Advice
from unisono.studies.advice import DocumentShare as DocumentShare
from unisono.studies.advice import Gain as Gain
from unisono.studies.advice import GroupShare as GroupShare
from unisono.studies.advice import LeftOut as LeftOut
from unisono.studies.advice import Merge as Merge
from unisono.studies.advice import advise as advise
from unisono.studies.annotator_pairs import PairwiseAgreement as PairwiseAgreement
from unisono.studies.annotator_pairs import pairwise_agreement as pairwise_agreement
from unisono.studies.consensus import Consensus as Consensus
from unisono.studies.consensus import ConsensusUnit as ConsensusUnit
from unisono.studies.consensus import UndecidedGroup as UndecidedGroup
from unisono.studies.consensus import consensus as consensus
from unisono.studies.description import Description as Description
from unisono.studies.description import describe as describe
from unisono.studies.diagnosis import AnnotatorParts as AnnotatorParts
from unisono.studies.diagnosis import Confusion as Confusion
from unisono.studies.diagnosis import Diagnosis as Diagnosis
from unisono.studies.diagnosis import LabelParts as LabelParts
from unisono.studies.diagnosis import Parts as Parts
from unisono.studies.diagnosis import diagnose as diagnose
from unisono.studies.label_confusions import LabelPairs as LabelPairs
from unisono.studies.label_confusions import label_pairs_of as label_pairs_of
from unisono.studies.measure_table import SideBySide as SideBySide
from unisono.studies.measure_table import side_by_side as side_by_side
from unisono.studies.missing_values import PolicyComparison as PolicyComparison
from unisono.studies.missing_values import Spread as Spread
from unisono.studies.missing_values import compare_policies as compare_policies
from unisono.studies.planning import Plan as Plan
from unisono.studies.planning import Trial as Trial
from unisono.studies.planning import plan_documents as plan_documents
from unisono.studies.planning import plan_items as plan_items
from unisono.version import __version__ as __version__

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
    "SegmentationTable",
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
    "bootstrap_values",
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
    "distance_matrix",
    "distance_signature",
    "fleiss_kappa",
    "from_objects",
    "gamma",
    "generalized_hamming",
    "generate_reference",
    "gwet_ac",
    "items",
    "jaccard_distance",
    "kappa_d",
    "krippendorff_alpha",
    "label_pairs_of",
    "masi_distance",
    "measure_segments",
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
