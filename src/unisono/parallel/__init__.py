"""Where work runs: the executors that `executor=` takes."""

from unisono.public import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
