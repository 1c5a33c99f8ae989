"""WHAT CAME OUT: frozen records that carry their own proof and know how they were made."""

from unisono.result.agreement import Agreement, ChanceAgreement, Interval
from unisono.result.alignment import Alignment
from unisono.result.bounds import Bounds
from unisono.result.gamma_result import GammaResult
from unisono.result.signature import Signature

__all__ = [
    "Agreement",
    "Alignment",
    "Bounds",
    "ChanceAgreement",
    "GammaResult",
    "Interval",
    "Signature",
]
