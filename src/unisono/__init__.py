"""Inter-annotator agreement: coefficients, their uncertainty, and diagnosis of disagreement.

The public names are listed in `unisono.public`; each is loaded when it is first used, so that the
command line starts quickly.
"""

from unisono.public import lazy_names as _lazy_names

__getattr__, __dir__ = _lazy_names(__name__)
