"""A hypothesis against a reference: precision, recall and F1, slot errors, and γ."""

from unisono.measures.comparing.against_reference import compare

__all__ = ["compare"]
