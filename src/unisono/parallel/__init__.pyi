from unisono.parallel.dispatch import Report as Report
from unisono.parallel.executors import Processes as Processes
from unisono.parallel.executors import available_cores as available_cores
from unisono.parallel.executors import executor_at as executor_at

__all__ = ["Processes", "Report", "available_cores", "executor_at"]
