"""MEASURES → INSIGHT: experiments with measures, and what follows for the next annotation."""

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
from unisono.study.advice_result import (
    Advice,
    DocumentShare,
    Gain,
    GroupShare,
    LeftOut,
    Merge,
)
from unisono.study.advising import advise
from unisono.study.consensus_finding import consensus
from unisono.study.consensus_result import Consensus, ConsensusUnit, UndecidedGroup
from unisono.study.describing import Description, describe
from unisono.study.diagnosis import diagnose
from unisono.study.diagnosis_result import AnnotatorParts, Confusion, Diagnosis, LabelParts, Parts
from unisono.study.label_pairs import LabelPairs, label_pairs_of
from unisono.study.many_measures import side_by_side
from unisono.study.missing_values import PolicyComparison, Spread, compare_policies
from unisono.study.pairing import PairwiseAgreement, pairwise_agreement
from unisono.study.planning import plan_documents, plan_items
from unisono.study.plans import Plan, Trial

__all__ = [
    "Advice",
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
    "DocumentShare",
    "Equivalent",
    "Gain",
    "GroupShare",
    "JointFit",
    "LabelPairs",
    "LabelParts",
    "LeftOut",
    "Merge",
    "PairwiseAgreement",
    "Parts",
    "Plan",
    "PolicyComparison",
    "Reproduction",
    "Scan",
    "Shuffled",
    "Spread",
    "Trial",
    "UndecidedGroup",
    "advise",
    "calibrate",
    "compare_policies",
    "consensus",
    "describe",
    "diagnose",
    "generate_reference",
    "label_pairs_of",
    "pairwise_agreement",
    "plan_documents",
    "plan_items",
    "reproduce",
    "scan",
    "shuffle",
    "side_by_side",
]
