"""How long work is done: cores and progress."""

from unisono.running.cores import available_cores
from unisono.running.progress import Report

__all__ = ["Report", "available_cores"]
