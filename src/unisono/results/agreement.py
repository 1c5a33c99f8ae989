"""A coefficient with the two disorders it comes from and the settings that made it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unisono.errors import DataError
from unisono.results.markdown import markdown_report
from unisono.results.picturing import Pictured
from unisono.results.record import as_number, plain_number
from unisono.results.records import Record
from unisono.results.wording import decimals
from unisono.results.written import InMarkdown

if TYPE_CHECKING:
    from unisono.results.signature import Signature


@dataclass(frozen=True, slots=True, repr=False)
class Interval:
    """A range that holds the true value with a given confidence.

    What "true" means is the method's to say: ``monte carlo`` is the error of the chance
    estimate and shrinks with more draws; an interval of the data shrinks with more data.

    Parameters
    ----------
    low
        The lower end.
    high
        The upper end.
    level
        The confidence, between 0 and 1.
    method
        Where the range comes from.

    Raises
    ------
    DataError
        If the ends are crossed or the level does not lie between 0 and 1.

    Examples
    --------
    >>> from unisono.results.agreement import Interval
    >>> Interval(0.711, 0.739, level=0.95, method="monte carlo")
    Interval(0.711, 0.739, level=0.95, method='monte carlo')
    """

    low: float
    high: float
    level: float
    method: str

    def __post_init__(self) -> None:
        for name in ("low", "high", "level"):
            object.__setattr__(self, name, as_number(getattr(self, name), name))
        if not self.low <= self.high:
            msg = f"an interval runs from low to high, got {self.low} to {self.high}"
            raise DataError(msg)
        if not 0.0 < self.level < 1.0:
            msg = f"the level of an interval lies between 0 and 1, got {self.level}"
            raise DataError(msg)

    def __repr__(self) -> str:
        return f"Interval({self.low}, {self.high}, level={self.level}, method={self.method!r})"

    def to_dict(self) -> dict[str, Any]:
        """Give the interval as plain data; an infinite end is ``None``.

        Examples
        --------
        >>> from unisono.results.agreement import Interval
        >>> Interval(0.25, 0.75, level=0.9, method="bootstrap").to_dict()
        {'low': 0.25, 'high': 0.75, 'level': 0.9, 'method': 'bootstrap'}
        """
        return {
            "low": plain_number(self.low),
            "high": plain_number(self.high),
            "level": self.level,
            "method": self.method,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Agreement(Record, InMarkdown, Pictured):
    """How much annotators agree beyond chance: 1 is perfect, 0 what chance would give.

    Parameters
    ----------
    value
        The coefficient, 1 − observed / expected; NaN when it is undefined.
    observed
        The disorder or disagreement found in the data.
    expected
        The same by chance.
    undefined
        Why there is no value; ``None`` when there is one.
    interval
        Uncertainty that comes from the data, if it was asked for.
    signature
        Every setting that can move the value.

    Raises
    ------
    DataError
        If the value is NaN without a reason, or a reason is given beside a value.

    Examples
    --------
    >>> from unisono.results.agreement import Agreement
    >>> from unisono.results.signature import Signature
    >>> agreement = Agreement(
    ...     value=0.725, observed=0.55, expected=2.0, signature=Signature("gamma")
    ... )
    >>> print(agreement)
    gamma = 0.725
    >>> float(agreement), f"{agreement:.1%}"
    (0.725, '72.5%')
    """

    value: float
    observed: float
    expected: float
    undefined: str | None = None
    interval: Interval | None = None
    signature: Signature

    def __post_init__(self) -> None:
        for name in ("value", "observed", "expected"):
            object.__setattr__(self, name, float(getattr(self, name)))
        if math.isnan(self.value) and not self.undefined:
            msg = f"{self.signature.measure} has no value (NaN); say why with undefined=…"
            raise DataError(msg)
        if self.undefined is not None and not math.isnan(self.value):
            msg = f"an undefined coefficient has the value NaN, got {self.value}"
            raise DataError(msg)

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        outcome = f"undefined ({self.undefined})" if self.undefined else decimals(self.value, 3)
        return f"{self.signature} = {outcome}"

    def __repr__(self) -> str:
        outcome = f"undefined: {self.undefined}" if self.undefined else decimals(self.value)
        disorders = f"observed={decimals(self.observed)}, expected={decimals(self.expected)}"
        return f"{type(self).__name__}({outcome}, {disorders})"

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        Examples
        --------
        >>> from unisono.results.agreement import Agreement
        >>> from unisono.results.signature import Signature
        >>> agreement = Agreement(
        ...     value=0.5, observed=1.0, expected=2.0, signature=Signature("alpha")
        ... )
        >>> agreement.to_dict()["value"], agreement.to_dict()["signature"]
        (0.5, 'alpha')
        """
        return {
            "value": plain_number(self.value),
            "observed": plain_number(self.observed),
            "expected": plain_number(self.expected),
            "undefined": self.undefined,
            "interval": self.interval.to_dict() if self.interval else None,
            "signature": str(self.signature),
        }

    def to_markdown(self) -> str:
        """Give the result as a Markdown table with its signature below.

        Examples
        --------
        >>> from unisono.results.agreement import Agreement
        >>> from unisono.results.signature import Signature
        >>> agreement = Agreement(
        ...     value=0.5, observed=1.0, expected=2.0, signature=Signature("alpha")
        ... )
        >>> print(agreement.to_markdown())
        | measure |  value | observed | expected |
        | :------ | -----: | -------: | -------: |
        | alpha   | 0.5000 |   1.0000 |   2.0000 |
        <BLANKLINE>
        `alpha`
        """
        return markdown_report([(None, self)], signature=self.signature)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ChanceAgreement(Agreement):
    """An agreement whose expectation was estimated from random draws.

    Parameters
    ----------
    monte_carlo
        Uncertainty of the value that comes from the finite number of draws; it shrinks with more
        draws and says nothing about the sampling of the data.
    draws
        The number of random continua the expectation rests on.
    left_out
        Draws without anything comparable, which the mean leaves out.
    weight
        Sum of the weights on the observed side, where pairs are weighted.

    Examples
    --------
    >>> from unisono.results.agreement import ChanceAgreement, Interval
    >>> from unisono.results.signature import Signature
    >>> cat = ChanceAgreement(
    ...     value=0.8,
    ...     observed=0.1,
    ...     expected=0.5,
    ...     monte_carlo=Interval(0.79, 0.81, level=0.95, method="monte carlo"),
    ...     draws=30,
    ...     left_out=2,
    ...     weight=12.5,
    ...     signature=Signature("gamma-cat"),
    ... )
    >>> cat.monte_carlo.low, cat.draws, cat.left_out
    (0.79, 30, 2)
    """

    monte_carlo: Interval | None = None
    draws: int
    left_out: int = 0
    weight: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names; NaN becomes ``None``.

        Examples
        --------
        >>> from unisono.results.agreement import ChanceAgreement
        >>> from unisono.results.signature import Signature
        >>> cat = ChanceAgreement(
        ...     value=0.8, observed=0.1, expected=0.5, draws=30, signature=Signature("gamma-cat")
        ... )
        >>> cat.to_dict()["draws"]
        30
        """
        record = Agreement.to_dict(self)
        signature = record.pop("signature")
        return record | {
            "monte_carlo": self.monte_carlo.to_dict() if self.monte_carlo else None,
            "draws": self.draws,
            "left_out": self.left_out,
            "weight": plain_number(self.weight),
            "signature": signature,
        }
