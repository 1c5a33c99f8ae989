from unisono.measures.chains.pyramids import PyramidAgreement as PyramidAgreement
from unisono.measures.chains.pyramids import PyramidSize as PyramidSize
from unisono.measures.chains.result import ChainAgreement as ChainAgreement
from unisono.measures.chains.result import ChainCounts as ChainCounts
from unisono.measures.chains.result import ChainsTable as ChainsTable
from unisono.measures.chains.result import PairScore as PairScore
from unisono.measures.gamma.alignment import Alignment as Alignment
from unisono.measures.gamma.result import GammaAgreement as GammaAgreement
from unisono.measures.gamma.result import GammaByLabelTable as GammaByLabelTable
from unisono.measures.items.result import ItemsAgreement as ItemsAgreement
from unisono.measures.items.result import ItemsTable as ItemsTable
from unisono.measures.reference.compare import Comparison as Comparison
from unisono.measures.reference.compare import MatchScore as MatchScore
from unisono.measures.reference.compare import MatchScores as MatchScores
from unisono.measures.reference.pairwise_f1 import PairwiseF1Agreement as PairwiseF1Agreement
from unisono.measures.reference.slot_errors import Slot as Slot
from unisono.measures.reference.slot_errors import SlotCounts as SlotCounts
from unisono.measures.reference.slot_errors import SlotErrorAgreement as SlotErrorAgreement
from unisono.measures.reference.slot_errors import SlotErrorRate as SlotErrorRate
from unisono.measures.reference.slot_errors import SlotMatching as SlotMatching
from unisono.measures.segmentation.comparison import BoundaryEdits as BoundaryEdits
from unisono.measures.segmentation.comparison import SegmentationAgreement as SegmentationAgreement
from unisono.measures.segmentation.table import SegmentationTable as SegmentationTable
from unisono.measures.unitizing.alphas import UnitizingTable as UnitizingTable
from unisono.model.interpretation import Ignored as Ignored
from unisono.model.interpretation import Interpretation as Interpretation
from unisono.model.interpretation import Origin as Origin
from unisono.model.interpretation import Question as Question
from unisono.model.interpretation import Reading as Reading
from unisono.model.interpretation import Remark as Remark
from unisono.reports.rating_report import RatingReport as RatingReport
from unisono.reports.report import AgreementReport as AgreementReport
from unisono.results.agreement import Agreement as Agreement
from unisono.results.agreement import ChanceAgreement as ChanceAgreement
from unisono.results.data import DataSummary as DataSummary
from unisono.results.record import json_schema as json_schema
from unisono.results.values import Bounds as Bounds
from unisono.results.values import Interval as Interval
from unisono.results.values import Signature as Signature
from unisono.simulation.calibration.calibrate import Calibration as Calibration
from unisono.simulation.calibration.curves import CurvePoint as CurvePoint
from unisono.simulation.calibration.curves import ErrorEquivalent as ErrorEquivalent
from unisono.simulation.calibration.curves import JointFit as JointFit
from unisono.simulation.error_curves import ErrorCurve as ErrorCurve
from unisono.simulation.error_curves import ErrorCurves as ErrorCurves
from unisono.simulation.reproduction.claims import Claim as Claim
from unisono.simulation.reproduction.claims import Reproduction as Reproduction
from unisono.simulation.shuffling.shuffle import ShuffledContinuum as ShuffledContinuum
from unisono.studies.advice import Advice as Advice
from unisono.studies.advice import DocumentShare as DocumentShare
from unisono.studies.advice import GammaGain as GammaGain
from unisono.studies.advice import GroupShare as GroupShare
from unisono.studies.advice import LabelMerge as LabelMerge
from unisono.studies.advice import LeaveOneOut as LeaveOneOut
from unisono.studies.annotator_pairs import PairwiseTable as PairwiseTable
from unisono.studies.consensus import Consensus as Consensus
from unisono.studies.consensus import ConsensusUnit as ConsensusUnit
from unisono.studies.consensus import UndecidedGroup as UndecidedGroup
from unisono.studies.description import Description as Description
from unisono.studies.description import RatingsDescription as RatingsDescription
from unisono.studies.diagnosis import AnnotatorParts as AnnotatorParts
from unisono.studies.diagnosis import Confusion as Confusion
from unisono.studies.diagnosis import Diagnosis as Diagnosis
from unisono.studies.diagnosis import DisorderParts as DisorderParts
from unisono.studies.diagnosis import LabelParts as LabelParts
from unisono.studies.label_confusions import LabelConfusions as LabelConfusions
from unisono.studies.measure_table import UnitsTable as UnitsTable
from unisono.studies.missing_values import PolicyComparison as PolicyComparison
from unisono.studies.missing_values import PolicySpread as PolicySpread
from unisono.studies.planning import Plan as Plan
from unisono.studies.planning import PlanTrial as PlanTrial
from unisono.studies.rating_consensus import ItemConsensus as ItemConsensus
from unisono.studies.rating_consensus import RatingConsensus as RatingConsensus
from unisono.studies.rating_consensus import UndecidedItem as UndecidedItem
from unisono.studies.rating_diagnosis import AnnotatorDisagreement as AnnotatorDisagreement
from unisono.studies.rating_diagnosis import ItemDisagreement as ItemDisagreement
from unisono.studies.rating_diagnosis import LabelDisagreement as LabelDisagreement
from unisono.studies.rating_diagnosis import LabelUse as LabelUse
from unisono.studies.rating_diagnosis import RatingConfusion as RatingConfusion
from unisono.studies.rating_diagnosis import RatingDiagnosis as RatingDiagnosis
from unisono.studies.reliability import ReliabilityStudy as ReliabilityStudy
from unisono.studies.task_profile import MeasureFit as MeasureFit
from unisono.studies.task_profile import TaskAnswer as TaskAnswer

__all__ = [
    "Advice",
    "Agreement",
    "AgreementReport",
    "Alignment",
    "AnnotatorDisagreement",
    "AnnotatorParts",
    "BoundaryEdits",
    "Bounds",
    "Calibration",
    "ChainAgreement",
    "ChainCounts",
    "ChainsTable",
    "ChanceAgreement",
    "Claim",
    "Comparison",
    "Confusion",
    "Consensus",
    "ConsensusUnit",
    "CurvePoint",
    "DataSummary",
    "Description",
    "Diagnosis",
    "DisorderParts",
    "DocumentShare",
    "ErrorCurve",
    "ErrorCurves",
    "ErrorEquivalent",
    "GammaAgreement",
    "GammaByLabelTable",
    "GammaGain",
    "GroupShare",
    "Ignored",
    "Interpretation",
    "Interval",
    "ItemConsensus",
    "ItemDisagreement",
    "ItemsAgreement",
    "ItemsTable",
    "JointFit",
    "LabelConfusions",
    "LabelDisagreement",
    "LabelMerge",
    "LabelParts",
    "LabelUse",
    "LeaveOneOut",
    "MatchScore",
    "MatchScores",
    "MeasureFit",
    "Origin",
    "PairScore",
    "PairwiseF1Agreement",
    "PairwiseTable",
    "Plan",
    "PlanTrial",
    "PolicyComparison",
    "PolicySpread",
    "PyramidAgreement",
    "PyramidSize",
    "Question",
    "RatingConfusion",
    "RatingConsensus",
    "RatingDiagnosis",
    "RatingReport",
    "RatingsDescription",
    "Reading",
    "ReliabilityStudy",
    "Remark",
    "Reproduction",
    "SegmentationAgreement",
    "SegmentationTable",
    "ShuffledContinuum",
    "Signature",
    "Slot",
    "SlotCounts",
    "SlotErrorAgreement",
    "SlotErrorRate",
    "SlotMatching",
    "TaskAnswer",
    "UndecidedGroup",
    "UndecidedItem",
    "UnitizingTable",
    "UnitsTable",
    "json_schema",
]
