"""What holds for all tests: interrupts, threads, and how long the property tests look.

HYPOTHESIS_PROFILE=thorough looks fifty times longer. The default profile is derandomised, so that
two runs of the same code test the same examples; the thorough one draws new examples every time and
prints how to repeat a failure.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

from chromium import NONE_FOUND

# Side by side, each process has its core; libraries that would take them all would only wait.
if "PYTEST_XDIST_WORKER" in os.environ:
    for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS"):
        os.environ.setdefault(threads, "1")

# Who runs the tests in the background may have interrupts ignored, and children inherit that: but
# some tests interrupt them.
signal.signal(signal.SIGINT, signal.default_int_handler)

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "default", max_examples=100, deadline=None, derandomize=True, suppress_health_check=_SLOW
)
settings.register_profile(
    "thorough", max_examples=5000, deadline=None, print_blob=True, suppress_health_check=_SLOW
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_terminal_summary(terminalreporter) -> None:
    # Looked for in the reports, which arrive here from wherever the tests ran.
    skipped = terminalreporter.stats.get("skipped", [])
    if any(NONE_FOUND in str(report.longrepr) for report in skipped):
        terminalreporter.section("NO PAGE WAS TESTED", sep="!", red=True, bold=True)
        terminalreporter.write_line(NONE_FOUND, red=True, bold=True)
