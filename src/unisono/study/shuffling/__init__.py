"""The Corpus Shuffling Tool: a reference, simulated annotators, and the errors they make."""

from unisono.study.shuffling.error_types import (
    ERRORS,
    ErrorType,
    check_errors,
    check_magnitude,
)
from unisono.study.shuffling.generating import generate_reference
from unisono.study.shuffling.shuffled import Shuffled
from unisono.study.shuffling.shuffler import Shuffler
from unisono.study.shuffling.simulating import shuffle

__all__ = [
    "ERRORS",
    "ErrorType",
    "Shuffled",
    "Shuffler",
    "check_errors",
    "check_magnitude",
    "generate_reference",
    "shuffle",
]
