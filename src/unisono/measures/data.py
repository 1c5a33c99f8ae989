"""The data of a call: dataframes become units or ratings, and results state who was compared."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.ratings import Ratings
from unisono.results.data import with_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from narwhals.typing import IntoFrame

__all__ = ["of_data", "of_ratings", "of_units"]

_Settings = ParamSpec("_Settings")
_Result = TypeVar("_Result")
_NAMES = ("data", "ratings", "chains", "reference", "hypothesis", "within", "continuum", "result")
"""The names of parameters that are data."""


def of_units(
    function: Callable[Concatenate[Any, _Settings], _Result],
) -> Callable[Concatenate[Continuum | Corpus | IntoFrame, _Settings], _Result]:
    """Let a function of units accept dataframes, and its result state who was compared."""
    found: Callable[Concatenate[Continuum | Corpus | IntoFrame, _Settings], _Result]
    found = _described(function, _units)
    return found


def of_ratings(
    function: Callable[Concatenate[Any, _Settings], _Result],
) -> Callable[Concatenate[Ratings | IntoFrame, _Settings], _Result]:
    """Let a function of ratings accept dataframes, and its result state who was compared."""
    found: Callable[Concatenate[Ratings | IntoFrame, _Settings], _Result]
    found = _described(function, _ratings)
    return found


def of_data(function: Callable[_Settings, _Result]) -> Callable[_Settings, _Result]:
    """Let the result of a function of other data state who was compared.

    These are two sides, chains, segmentations or results; dataframes are read as units.
    """
    found: Callable[_Settings, _Result] = _described(function, _units)
    return found


def _units(data: object, caller: str) -> object:
    # Only dataframes need the rules for the names of columns.
    from unisono.formats.frames import units_of_frame  # noqa: PLC0415

    return units_of_frame(data, caller)


def _ratings(data: object, caller: str) -> object:
    from unisono.formats.frames import ratings_of_frame  # noqa: PLC0415 - as above

    return ratings_of_frame(data, caller)


_DATA = (Continuum, Corpus, Ratings)


def _described(function: Any, convert: Callable[[object, str], object]) -> Any:  # noqa: ANN401
    @functools.wraps(function)
    def call(*data: Any, **keywords: Any) -> Any:  # noqa: ANN401 - as the function
        caller = function.__name__
        data = tuple(each if isinstance(each, _DATA) else convert(each, caller) for each in data)
        named = {name: keywords[name] for name in _NAMES if name in keywords}
        named = {
            name: value if isinstance(value, _DATA) else convert(value, caller)
            for name, value in named.items()
        }
        given = [*data, *named.values()]
        if "within" not in named:
            # Texts are names of annotators in one corpus, otherwise names of measures.
            given = [each for each in given if not isinstance(each, str | tuple | list)]
        return with_data(function(*data, **keywords | named), *given)

    return call
