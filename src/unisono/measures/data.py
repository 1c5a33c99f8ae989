"""The data of a call: dataframes become units or ratings, and results state who was compared."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from unisono.errors import SettingError, setting
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.ratings import Ratings
from unisono.results.data import with_data

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from narwhals.typing import IntoFrame

__all__ = ["check_kind_of_data", "of_data", "of_ratings", "of_units", "of_units_or_ratings"]

_Settings = ParamSpec("_Settings")
_Result = TypeVar("_Result")
_NAMES = ("data", "ratings", "chains", "reference", "hypothesis", "within", "continuum", "result")
"""The names of parameters that are data."""
_ORDERING = ("distance", "weights", "order")
"""Settings that answer the warning that labels may be ordered."""


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


def _units_or_ratings(data: object, caller: str) -> object:
    from unisono.formats.frames import data_of_frame  # noqa: PLC0415 - as above

    return data_of_frame(data, caller)


def of_units_or_ratings(function: Callable[_Settings, _Result]) -> Callable[_Settings, _Result]:
    """Let a function of units or ratings accept dataframes, and its result state who was compared.

    The columns of a dataframe show which of the two it contains.
    """
    found: Callable[_Settings, _Result] = _described(function, _units_or_ratings)
    return found


def check_kind_of_data(
    caller: str, kind: str, others: Mapping[str, object], usual: Mapping[str, object]
) -> None:
    """Raise an error for settings of another kind of data that do not have their usual value."""
    given = [
        name
        for name, value in others.items()
        if value is not None
        and not (isinstance(value, str | int | float) and value == usual.get(name))
    ]
    if given:
        other = "units" if kind == "ratings" else "ratings"
        names = ", ".join(setting(name) for name in given)
        verb = "is" if len(given) == 1 else "are"
        msg = f"{caller}: {names} {verb} for {other}, and the data are {kind}; omit it"
        raise SettingError(msg.replace("omit it", "omit them") if len(given) > 1 else msg)


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
        has_order = any(keywords.get(name) is not None for name in _ORDERING)
        answered = ("ordered-labels",) if has_order else ()
        return with_data(function(*data, **keywords | named), *given, answered=answered)

    return call
