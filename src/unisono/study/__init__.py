"""MEASURES → INSIGHT: experiments with measures, and what follows for the next annotation."""

from unisono.study.calibration import calibrate
from unisono.study.calibration_result import Calibration
from unisono.study.calibration_values import CurvePoint, Equivalent, JointFit
from unisono.study.consensus_finding import consensus
from unisono.study.consensus_result import Consensus, ConsensusUnit, UndecidedGroup
from unisono.study.describing import Description, describe
from unisono.study.diagnosis import diagnose
from unisono.study.diagnosis_result import AnnotatorParts, Confusion, Diagnosis, LabelParts, Parts
from unisono.study.many_measures import side_by_side
from unisono.study.missing_values import PolicyComparison, Spread, compare_policies
from unisono.study.planning import plan_documents, plan_items
from unisono.study.plans import Plan, Trial
from unisono.study.reproduction import Claim, Reproduction, reproduce
from unisono.study.scanning import Curve, Scan, scan
from unisono.study.shuffling import Shuffled, generate_reference, shuffle

__all__ = [
    "AnnotatorParts",
    "Calibration",
    "Claim",
    "Confusion",
    "Consensus",
    "ConsensusUnit",
    "Curve",
    "CurvePoint",
    "Description",
    "Diagnosis",
    "Equivalent",
    "JointFit",
    "LabelParts",
    "Parts",
    "Plan",
    "PolicyComparison",
    "Reproduction",
    "Scan",
    "Shuffled",
    "Spread",
    "Trial",
    "UndecidedGroup",
    "calibrate",
    "compare_policies",
    "consensus",
    "describe",
    "diagnose",
    "generate_reference",
    "plan_documents",
    "plan_items",
    "reproduce",
    "scan",
    "shuffle",
    "side_by_side",
]
