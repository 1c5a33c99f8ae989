"""Intervals, bounds and signatures, which accompany a value in every result."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import DataError, SettingError
from unisono.results.record import plain_number
from unisono.results.wording import decimals

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Approximate", "Bounds", "Interval", "Signature", "Uncertain", "as_number"]


def as_number(value: object, name: str) -> float:
    """Return a number as a float."""
    if isinstance(value, str | bytes):
        msg = f"{name} must be a number, got {value!r}"
        raise TypeError(msg)
    return float(value)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, repr=False)
class Interval:
    """A confidence interval of a value.

    Its meaning depends on the method: ``monte carlo`` is the error of the estimated expected
    disorder and shrinks with more draws; an interval of the data shrinks with more data.

    Parameters
    ----------
    low
        The lower end.
    high
        The upper end.
    confidence
        The confidence level, between 0 and 1.
    method
        How the interval was computed.

    Raises
    ------
    DataError
        If `low` is greater than `high`, or `confidence` is not between 0 and 1.

    Examples
    --------
    >>> from unisono.results import Interval
    >>> Interval(0.711, 0.739, confidence=0.95, method="monte carlo")
    Interval(0.711, 0.739, confidence=0.95, method='monte carlo')
    """

    low: float
    high: float
    confidence: float
    method: str

    def __post_init__(self) -> None:
        for name in ("low", "high", "confidence"):
            object.__setattr__(self, name, as_number(getattr(self, name), name))
        if not self.low <= self.high:
            msg = f"an interval needs low <= high, got low={self.low} and high={self.high}"
            raise DataError(msg)
        if not 0.0 < self.confidence < 1.0:
            msg = f"the confidence of an interval must be between 0 and 1, got {self.confidence}"
            raise DataError(msg)

    def __repr__(self) -> str:
        details = f"confidence={self.confidence}, method={self.method!r}"
        return f"Interval({self.low}, {self.high}, {details})"

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as plain data; an infinite end is ``None``.

        Examples
        --------
        >>> from unisono.results import Interval
        >>> Interval(0.25, 0.75, confidence=0.9, method="bootstrap").to_dict()
        {'low': 0.25, 'high': 0.75, 'confidence': 0.9, 'method': 'bootstrap'}
        """
        return {
            "low": plain_number(self.low),
            "high": plain_number(self.high),
            "confidence": self.confidence,
            "method": self.method,
        }


class Bounds(NamedTuple):
    """The proven lower and upper bound of a value; not a confidence interval.

    Examples
    --------
    >>> from unisono.results import Bounds
    >>> Bounds(0.71, 0.74)
    Bounds(low=0.71, high=0.74)
    """

    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Return the bounds as plain data; an infinite bound is ``None``.

        Examples
        --------
        >>> from unisono.results import Bounds
        >>> Bounds(0.25, 0.5).to_dict()
        {'low': 0.25, 'high': 0.5}
        """
        return {"low": plain_number(self.low), "high": plain_number(self.high)}


class Uncertain(NamedTuple):
    """A value that is only known within bounds that are too wide to report it."""

    value: float
    reason: str
    """A sentence on the bounds, and on how to narrow them."""


_Z_95 = 1.959963984540054
_ONE_DIGIT, _TWO_DIGITS = 0.1, 0.01
_SURE, _UNSURE = 0.0005, 0.005


class Approximate(NamedTuple):
    """A value with a Monte Carlo error, which limits the decimals that are shown.

    A table with a column of the errors shows `text` and `plus_minus`, everything else `in_words`.
    """

    value: float
    error: float | None
    """The standard error; `None` if it is not known."""
    is_compared: bool = True
    """Whether enough draws could be compared to state the error."""

    @property
    def half_width(self) -> float | None:
        """Half the width of the 95 % interval."""
        return None if self.error is None else _Z_95 * self.error

    @property
    def places(self) -> int:
        """The number of decimals that the error allows."""
        half = self.half_width
        if half is None:
            return 4
        return 3 if half < _TWO_DIGITS else 2 if half < _ONE_DIGIT else 1

    @property
    def text(self) -> str:
        """The value with the decimals that its error allows."""
        return decimals(self.value, self.places)

    @property
    def plus_minus(self) -> str:
        """Half the width of the 95 % interval, rounded up to the last decimal of the value."""
        half = self.half_width
        if half is None or not self.is_compared:
            return "–"
        return "exact" if half == 0.0 else _rounded_up(half, self.places)

    @property
    def in_words(self) -> str:
        """The value for a sentence: a rough one is “about”, with its error."""
        rough = self.error is not None and self.error > _UNSURE
        return f"about {self.in_cell}" if rough else self.in_cell

    @property
    def in_cell(self) -> str:
        """The value alone: with three decimals if they are stable, a rough one with its error."""
        if self.error is None or math.isnan(self.value):
            return decimals(self.value, 4 if self.error is None else 2)
        value = decimals(self.value, 3 if self.error <= _SURE else 2)
        if self.error <= _UNSURE:
            return value
        return f"{value} ± {_rounded_up(_Z_95 * self.error, 2)}"


def _rounded_up(number: float, places: int) -> str:
    # What is a whole number of units but for rounding is not rounded up.
    return decimals(math.ceil(number * 10**places - 1e-9) / 10**places, places)


# Newlines are escaped too, so that a signature is always one line.
_ESCAPES = {"\\": "\\\\", "|": "\\|", "\n": "\\n", "\r": "\\r"}


_ORIGINALS = {escaped: original for original, escaped in _ESCAPES.items()}


_ESCAPE_TABLE = str.maketrans(_ESCAPES)


_PIECES = re.compile(r"\\.|[^\\]", re.DOTALL)


_NAME = re.compile(r"[^:|\\\n\r]+")


@dataclass(frozen=True, slots=True)
class Signature:
    r"""Everything that can change a value, in a fixed order and on one line.

    Two results with the same signature have the same value. Published beside a value, the
    signature allows others to reproduce it.

    Parameters
    ----------
    measure
        The name of the measure, such as ``gamma``.
    settings
        Pairs of a name and a value, in the order in which they are printed; by convention the
        seed, the digest of the data and the version come last.

    Raises
    ------
    SettingError
        If the measure or a name is empty, occurs twice or contains ``:``, ``|``, ``\`` or a
        line break. Values may contain any character.

    Examples
    --------
    >>> from unisono.results import Signature
    >>> signature = Signature("gamma", (("chance", "shift"), ("n", "112"), ("seed", "42")))
    >>> print(signature)
    gamma|chance:shift|n:112|seed:42
    >>> signature["seed"]
    '42'
    >>> Signature.parse("gamma|chance:shift|n:112|seed:42") == signature
    True
    """

    measure: str
    settings: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        try:
            pairs = tuple((name, value) for name, value in self.settings)
        except ValueError:
            msg = f"the settings of a signature must be (name, value) pairs, got {self.settings!r}"
            raise TypeError(msg) from None
        object.__setattr__(self, "settings", pairs)
        _check_name(self.measure, what="the measure of a signature")
        seen = set()
        for name, value in self.settings:
            _check_name(name, what="the name of a setting in a signature")
            _check_text(value, what="the value of a setting in a signature")
            if name in seen:
                msg = f"each setting may occur once in a signature; {name!r} occurs twice"
                raise SettingError(msg)
            seen.add(name)

    @classmethod
    def parse(cls, text: str) -> Signature:
        r"""Return the signature that a line of text represents.

        Parameters
        ----------
        text
            A line as returned by ``str(signature)``.

        Raises
        ------
        DataError
            If the text is not a signature.

        Examples
        --------
        >>> from unisono.results import Signature
        >>> Signature.parse(r"gamma|dissim:own[a\|b]|seed:42")["dissim"]
        'own[a|b]'
        """
        measure, *pairs = _split(text)
        settings = []
        for pair in pairs:
            name, colon, value = pair.partition(":")
            if not colon:
                msg = (
                    f"a signature has the form measure|name:value|…; {pair!r} in {text!r} has no "
                    "colon"
                )
                raise DataError(msg)
            settings.append((name, value))
        try:
            return cls(measure, tuple(settings))
        except SettingError as error:
            msg = f"not a signature: {text!r}; {error}"
            raise DataError(msg) from None

    def __str__(self) -> str:
        pairs = (f"{name}:{value.translate(_ESCAPE_TABLE)}" for name, value in self.settings)
        return "|".join((self.measure, *pairs))

    def __getitem__(self, name: str) -> str:
        for known, value in self.settings:
            if known == name:
                return value
        msg = f"the signature has no setting {name!r}; its settings are {', '.join(self) or 'none'}"
        raise KeyError(msg)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.settings)

    def __contains__(self, name: object) -> bool:
        return any(known == name for known, _ in self.settings)


def _check_text(text: object, *, what: str) -> None:
    if not isinstance(text, str):
        msg = f"{what} must be a str, got {text!r}"
        raise TypeError(msg)


def _check_name(name: str, *, what: str) -> None:
    _check_text(name, what=what)
    if _NAME.fullmatch(name) is None:
        msg = f"{what} must not be empty or contain ':', '|', '\\' or a line break, got {name!r}"
        raise SettingError(msg)


def _split(text: str) -> list[str]:
    fields = [""]
    end = 0
    for piece in _PIECES.finditer(text):
        end = piece.end()
        character = piece.group()
        if character == "|":
            fields.append("")
        elif len(character) == 1:
            fields[-1] += character
        elif character in _ORIGINALS:
            fields[-1] += _ORIGINALS[character]
        else:
            break
    else:
        if end == len(text):
            return fields
    known = ", ".join(_ORIGINALS)
    msg = f"a backslash in a signature must begin one of {known}, unlike in {text!r}"
    raise DataError(msg)
