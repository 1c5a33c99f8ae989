"""Executors for the `executor=` argument of measures, and reports of progress."""

from unisono.public import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
