"""MEASURES → INSIGHT: experiments with measures, and what follows for the next annotation."""

from unisono.study.describing import Description, describe
from unisono.study.many_measures import side_by_side
from unisono.study.missing_values import PolicyComparison, Spread, compare_policies
from unisono.study.planning import plan_documents, plan_items
from unisono.study.plans import Plan, Trial

__all__ = [
    "Description",
    "Plan",
    "PolicyComparison",
    "Spread",
    "Trial",
    "compare_policies",
    "describe",
    "plan_documents",
    "plan_items",
    "side_by_side",
]
