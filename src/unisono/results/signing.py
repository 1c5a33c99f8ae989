"""Writing down what was done to a result after its value was computed."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from unisono.results.agreement import Agreement
from unisono.results.signature import Signature

__all__ = ["signed"]

Signed = TypeVar("Signed", bound=Agreement)
_LAST = ("data", "v")


def signed(result: Signed, **own: str) -> Signed:
    """Add settings to a result's signature, before the data and the version.

    Parameters
    ----------
    result
        What a measure gave.
    **own
        The settings, in their order.

    Examples
    --------
    >>> import unisono as un
    >>> result = un.percent_agreement(un.Ratings.from_matrix([["a", "b"], ["a", "a"]]))
    >>> signed(result, seed="7").signature["seed"]
    '7'
    """
    known = result.signature.settings
    first = tuple(pair for pair in known if pair[0] not in _LAST)
    last = tuple(pair for pair in known if pair[0] in _LAST)
    signature = Signature(result.signature.measure, (*first, *own.items(), *last))
    return replace(result, signature=signature)
