"""How long work is done: by whom, in which chunks, how far it is, and what is kept of it."""

from unisono.running.clusters import executor_at
from unisono.running.cores import available_cores
from unisono.running.processes import Processes
from unisono.running.progress import Report

__all__ = ["Processes", "Report", "available_cores", "executor_at"]
