"""Krippendorff's alphas for unitizing: agreement on where units are and what they are called."""

from unisono.measures.unitizing.alphas import unitizing_alpha

__all__ = ["unitizing_alpha"]
