"""Agreement on where texts are cut: Pk, WindowDiff, generalized Hamming distance, B and S."""

from unisono.measures.boundaries.moving import generalized_hamming
from unisono.measures.boundaries.similarities import boundary_similarity, segmentation_similarity
from unisono.measures.boundaries.window_measures import pk, window_diff

__all__ = [
    "boundary_similarity",
    "generalized_hamming",
    "pk",
    "segmentation_similarity",
    "window_diff",
]
