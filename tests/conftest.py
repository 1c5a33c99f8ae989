"""How long the property tests look: HYPOTHESIS_PROFILE=thorough looks fifty times longer.

The default profile is derandomised, so that two runs of the same code test the same examples;
the thorough one draws new examples every time and prints how to repeat a failure.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

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
