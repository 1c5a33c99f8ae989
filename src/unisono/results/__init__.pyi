from unisono.measures.gamma.alignment import Alignment as Alignment
from unisono.measures.gamma.result import GammaResult as GammaResult
from unisono.measures.items.result import ItemsAgreement as ItemsAgreement
from unisono.measures.items.result import ItemsTable as ItemsTable
from unisono.measures.reference.compare import Comparison as Comparison
from unisono.measures.reference.compare import MatchScores as MatchScores
from unisono.measures.reference.compare import Score as Score
from unisono.measures.reference.slot_errors import Slot as Slot
from unisono.measures.reference.slot_errors import SlotAgreement as SlotAgreement
from unisono.measures.reference.slot_errors import SlotCounts as SlotCounts
from unisono.measures.reference.slot_errors import SlotErrorRate as SlotErrorRate
from unisono.measures.reference.slot_errors import SlotMatching as SlotMatching
from unisono.measures.segmentation.comparison import BoundaryEdits as BoundaryEdits
from unisono.measures.segmentation.comparison import SegmentationAgreement as SegmentationAgreement
from unisono.measures.segmentation.table import SegmentationTable as SegmentationTable
from unisono.measures.unitizing.alphas import UnitizingResult as UnitizingResult
from unisono.model.interpretation import Interpretation as Interpretation
from unisono.model.interpretation import Remark as Remark
from unisono.reports.report import AgreementReport as AgreementReport
from unisono.results.agreement import Agreement as Agreement
from unisono.results.agreement import ChanceAgreement as ChanceAgreement
from unisono.results.record import json_schema as json_schema
from unisono.results.values import Bounds as Bounds
from unisono.results.values import Interval as Interval
from unisono.results.values import Signature as Signature
from unisono.simulation.calibration.calibrate import Calibration as Calibration
from unisono.simulation.calibration.curves import CurvePoint as CurvePoint
from unisono.simulation.calibration.curves import Equivalent as Equivalent
from unisono.simulation.calibration.curves import JointFit as JointFit
from unisono.simulation.error_curves import Curve as Curve
from unisono.simulation.error_curves import Scan as Scan
from unisono.simulation.reproduction.claims import Claim as Claim
from unisono.simulation.reproduction.claims import Reproduction as Reproduction
from unisono.simulation.shuffling.shuffle import Shuffled as Shuffled
from unisono.studies.advice import Advice as Advice
from unisono.studies.advice import DocumentShare as DocumentShare
from unisono.studies.advice import Gain as Gain
from unisono.studies.advice import GroupShare as GroupShare
from unisono.studies.advice import LeftOut as LeftOut
from unisono.studies.advice import Merge as Merge
from unisono.studies.annotator_pairs import PairwiseAgreement as PairwiseAgreement
from unisono.studies.consensus import Consensus as Consensus
from unisono.studies.consensus import ConsensusUnit as ConsensusUnit
from unisono.studies.consensus import UndecidedGroup as UndecidedGroup
from unisono.studies.description import Description as Description
from unisono.studies.diagnosis import AnnotatorParts as AnnotatorParts
from unisono.studies.diagnosis import Confusion as Confusion
from unisono.studies.diagnosis import Diagnosis as Diagnosis
from unisono.studies.diagnosis import LabelParts as LabelParts
from unisono.studies.diagnosis import Parts as Parts
from unisono.studies.label_confusions import LabelPairs as LabelPairs
from unisono.studies.measure_table import SideBySide as SideBySide
from unisono.studies.missing_values import PolicyComparison as PolicyComparison
from unisono.studies.missing_values import Spread as Spread
from unisono.studies.planning import Plan as Plan
from unisono.studies.planning import Trial as Trial

__all__ = [
    "Advice",
    "Agreement",
    "AgreementReport",
    "Alignment",
    "AnnotatorParts",
    "BoundaryEdits",
    "Bounds",
    "Calibration",
    "ChanceAgreement",
    "Claim",
    "Comparison",
    "Confusion",
    "Consensus",
    "ConsensusUnit",
    "Curve",
    "CurvePoint",
    "Description",
    "Diagnosis",
    "DocumentShare",
    "Equivalent",
    "Gain",
    "GammaResult",
    "GroupShare",
    "Interpretation",
    "Interval",
    "ItemsAgreement",
    "ItemsTable",
    "JointFit",
    "LabelPairs",
    "LabelParts",
    "LeftOut",
    "MatchScores",
    "Merge",
    "PairwiseAgreement",
    "Parts",
    "Plan",
    "PolicyComparison",
    "Remark",
    "Reproduction",
    "Scan",
    "Score",
    "SegmentationAgreement",
    "SegmentationTable",
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
    "UnitizingResult",
    "json_schema",
]
