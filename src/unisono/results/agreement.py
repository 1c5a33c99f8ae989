"""A coefficient with its disorders, interval and signature, and its text in tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np

from unisono.errors import DataError
from unisono.results.data import OfData, describe_sheets
from unisono.results.record import Record, plain, plain_data, record
from unisono.results.render import Sheeted
from unisono.results.sheet import KINDS, Headline, Sheet, Table, measure_title, without_value
from unisono.results.sheet import columns as columns_of
from unisono.results.values import Approximate, Bounds, Interval, Signature, Uncertain
from unisono.results.wording import decimals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.model.interpretation import Interpretation
    from unisono.results.data import DataSummary


__all__ = [
    "Agreement",
    "ChanceAgreement",
    "MeasureTable",
    "OneValue",
    "SeveralValues",
    "approximate",
    "certain_range",
    "certain_value",
    "expected_value",
    "outcome",
    "proof",
    "signed",
    "uncertainty",
    "value_in_words",
]


Value = TypeVar("Value")
Measured = TypeVar("Measured", bound="Agreement")


class OneValue:
    """A result with one value, which compares, rounds, subtracts and formats as a number.

    Two results are equal (``==``) if all their fields are; compare ``float(result)`` for equal
    values.
    """

    __slots__ = ()

    value: float
    undefined: str | None
    signature: Signature

    def __float__(self) -> float:
        return self.value

    def __round__(self, ndigits: int = 0) -> float:
        return round(self.value, ndigits)

    def __abs__(self) -> float:
        return abs(self.value)

    def __lt__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value < number

    def __le__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value <= number

    def __gt__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value > number

    def __ge__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value >= number

    def __sub__(self, other: object) -> float:
        number = _number(other)
        return NotImplemented if number is None else self.value - number

    def __rsub__(self, other: object) -> float:
        number = _number(other)
        return NotImplemented if number is None else number - self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        outcome = f"undefined ({self.undefined})" if self.undefined else self._in_words()
        return f"{self.signature} = {outcome}"

    def _in_words(self) -> str:
        return decimals(self.value, 3)


def _number(other: object) -> float | None:
    """Return the value of a result or a number; `None` for anything else."""
    if isinstance(other, OneValue):
        return other.value
    return float(other) if isinstance(other, int | float | np.floating | np.integer) else None


class SeveralValues(Mapping[str, Value]):
    """A mapping from the names of measures to their values."""

    __slots__ = ()

    if TYPE_CHECKING:  # defined by each class

        @property
        def by_measure(self) -> Mapping[str, Value]:
            """The values by measure."""

    def __getitem__(self, name: str) -> Value:
        return self.by_measure[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_measure)

    def __len__(self) -> int:
        return len(self.by_measure)


class MeasureTable(Sheeted, SeveralValues[Measured]):
    """Results of several measures on the same data, by the name of the measure."""

    __slots__ = ("_results", "data", "interpretation")

    def __init__(
        self,
        results: Mapping[str, Measured],
        data: DataSummary | None = None,
        interpretation: Interpretation | None = None,
    ) -> None:
        self._results = MappingProxyType(dict(results))
        self.data = data
        """Who was compared."""
        self.interpretation = interpretation
        """How the files of the data were read; `None` if they were not read from files."""

    def __init_subclass__(cls) -> None:
        describe_sheets(cls)

    @property
    def by_measure(self) -> Mapping[str, Measured]:
        """The results by measure."""
        return self._results

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._results)})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (dict(self._results), self.data, self.interpretation)

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain data, by measure."""
        measures = {name: plain(each) for name, each in self.items()}
        return {"measures": measures, **plain_data(self)}

    def problems(self) -> list[str]:
        """Return a sentence if no measure has a value, so that scripts can detect it."""
        return without_value(self)


@record
class Agreement(OneValue, OfData):
    """Agreement of annotators beyond chance: 1 is perfect agreement, 0 is agreement by chance.

    Parameters
    ----------
    value
        The coefficient, 1 − observed / expected; NaN when it is undefined.
    observed
        The disorder or disagreement observed in the data.
    expected
        The disorder or disagreement expected by chance.
    undefined
        Why the value is undefined; ``None`` if it is defined.
    interval
        Confidence interval that reflects the sampling of the data, if it was requested.
    signature
        Every setting that can change the value.

    Raises
    ------
    DataError
        If the value is NaN and `undefined` is not set, or the value is a number and `undefined` is
        set.

    Examples
    --------
    >>> from unisono.results import Agreement
    >>> from unisono.results import Signature
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

    summary = ("value", "observed", "expected")

    def __post_init__(self) -> None:
        Record.__post_init__(self)
        if math.isnan(self.value) and not self.undefined:
            msg = f"{self.signature.measure} is NaN; pass the reason as undefined=…"
            raise DataError(msg)
        if self.undefined is not None and not math.isnan(self.value):
            msg = f"an undefined coefficient must have the value NaN, got {self.value}"
            raise DataError(msg)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the result, from which all outputs are rendered.

        Examples
        --------
        >>> from unisono.results import Agreement
        >>> from unisono.results import Signature
        >>> agreement = Agreement(
        ...     value=0.5, observed=1.0, expected=2.0, signature=Signature("gamma")
        ... )
        >>> print(agreement.to_markdown())
        | measure |  value | observed | expected |
        | :------ | -----: | -------: | -------: |
        | γ       | 0.5000 |   1.0000 |   2.0000 |
        <BLANKLINE>
        `gamma`
        """
        name = self.signature.measure
        found = approximate(self)
        values: dict[str, Any] = {
            "value": self.value if found is None else found,
            **({} if found is None else {"monte_carlo_se": found}),
            "observed": self.observed,
            "expected": expected_value(self),
            **{each: getattr(self, each, None) for each in ("interval", "monte_carlo")},
            "undefined": self.undefined,
            "signature": self.signature,
        }
        hidden: dict[str, Literal["never"]] = dict.fromkeys(
            ("monte_carlo", "undefined", "signature"), "never"
        )
        shape = columns_of(f"measure {' '.join(values)}", **hidden)
        table = Table(
            name="measure",
            columns=tuple(replace(each, usual=None) if each.kind.parts else each for each in shape),
            rows=[(name, *values.values())],
            reasons=[(measure_title(name), self.undefined)] if self.undefined else [],
        )
        return Sheet(
            name="agreement",
            title=title,
            headline=(Headline(name, values["value"], self.interval),),
            tables=(table,),
            signatures=(self.signature,),
        )


@record
class ChanceAgreement(Agreement):
    """An agreement whose expected disorder was estimated from random draws.

    Parameters
    ----------
    monte_carlo
        Confidence interval that reflects the finite number of draws; it shrinks with more draws
        and does not reflect the sampling of the data.
    draws
        The number of random continua from which the expected disorder was estimated.
    expected_se
        The standard error of `expected` that is due to the finite number of draws; ``None`` if
        fewer than two draws could be compared.
    n_left_out
        The number of draws without comparable units, which are excluded from the mean.
    weight
        The sum of the weights of the observed pairs, where pairs are weighted.

    Examples
    --------
    >>> from unisono.results import ChanceAgreement, Interval
    >>> from unisono.results import Signature
    >>> cat = ChanceAgreement(
    ...     value=0.8,
    ...     observed=0.1,
    ...     expected=0.5,
    ...     monte_carlo=Interval(0.79, 0.81, confidence=0.95, method="monte carlo"),
    ...     draws=30,
    ...     n_left_out=2,
    ...     weight=12.5,
    ...     signature=Signature("gamma_cat"),
    ... )
    >>> cat.monte_carlo.low, cat.draws, cat.n_left_out
    (0.79, 30, 2)
    """

    monte_carlo: Interval | None = None
    draws: int
    expected_se: float | None = None
    n_left_out: int = 0
    weight: float | None = None

    computed = (*Agreement.computed, "monte_carlo_se")

    @property
    def monte_carlo_se(self) -> float | None:
        """The standard error of the value that is due to the finite number of draws.

        Examples
        --------
        >>> from unisono.results import ChanceAgreement
        >>> from unisono.results import Signature
        >>> ChanceAgreement(
        ...     value=0.8,
        ...     observed=0.1,
        ...     expected=0.5,
        ...     expected_se=0.01,
        ...     draws=30,
        ...     signature=Signature("gamma_cat"),
        ... ).monte_carlo_se
        0.004
        """
        if self.undefined or self.expected_se is None or self.expected == 0.0:
            return None
        # The error of 1 − observed / expected, to first order.
        return self.observed / self.expected * (self.expected_se / self.expected)

    def _in_words(self) -> str:
        return value_in_words(self)


_FEW_DRAWS = 30
WIDEST_CERTAIN = 0.05
"""The maximum width of the certified bounds of γ for which the value is reported as certain."""


def proof(*, proven: bool, gap: float) -> str:
    """Return a text on whether an alignment is proven optimal, with its gap if it is not."""
    if proven:
        return "proven optimal"
    if gap > 0.0:
        return f"not proven; its disorder is at most {gap:.2g} above the best"
    return "proven optimal; those of some draws are not" if gap == 0.0 else "not proven"


def certain_range(bounds: Bounds) -> str:
    """Return bounds as text; the lower bound may be unknown."""
    if math.isinf(bounds.low):
        return f"no higher than {decimals(bounds.high)} (no lower bound is known)"
    return f"between {decimals(bounds.low)} and {decimals(bounds.high)}"


def uncertainty(result: Agreement) -> str | None:
    """Return a sentence on the bounds of γ and on remedies if the value is not certain."""
    certified: Bounds | None = getattr(result, "certified", None)
    if certified is None or certified.high - certified.low <= WIDEST_CERTAIN:
        return None
    remedies = ["shorter documents or fewer annotators"]
    if "time" in result.signature:
        remedies.insert(0, "more time for each alignment")
    if "gap" in result.signature:
        remedies.insert(0, "a smaller gap tolerance")
    return (
        f"γ is only known to be {certain_range(certified)}: not all alignments could be proven "
        f"optimal within their limits. Remedies: {', or '.join(remedies)}."
    )


def certain_value(result: Agreement) -> float | Approximate | Uncertain:
    """Return the value, or that it is uncertain if `uncertainty` has a sentence on it."""
    reason = uncertainty(result)
    if reason is not None:
        return Uncertain(result.value, reason)
    return result.value if result.undefined else approximate(result) or result.value


def approximate(result: Agreement) -> Approximate | None:
    """Return the value with its Monte Carlo error; `None` if it has none."""
    if not isinstance(result, ChanceAgreement) or result.monte_carlo_se is None:
        return None
    n_compared = result.draws - result.n_left_out
    is_compared = n_compared >= min(_FEW_DRAWS, result.draws)
    return Approximate(result.value, result.monte_carlo_se, is_compared)


def value_in_words(result: Agreement) -> str:
    """Return the value for a sentence, with the decimals that its Monte Carlo error allows."""
    found = None if result.undefined else approximate(result)
    return decimals(result.value, 3) if found is None else found.in_words


def expected_value(result: Agreement) -> float | Approximate:
    """Return the expected disorder, with its Monte Carlo error if it has one."""
    error = getattr(result, "expected_se", None)
    if error is None:
        return result.expected
    return Approximate(result.expected, error)


def outcome(result: Agreement) -> str:
    """Return the value as text for a table."""
    return KINDS["coefficient"].text(certain_value(result))


Signed = TypeVar("Signed", bound=Any)
_LAST = ("data", "v")


def signed(result: Signed, **settings: str) -> Signed:
    """Return a result with more settings in its signature, before the data and the version.

    The setting ``data`` replaces the digest of the data.
    """
    known = result.signature.settings
    first = tuple(pair for pair in known if pair[0] not in _LAST)
    last = tuple((name, settings.pop(name, value)) for name, value in known if name in _LAST)
    signature = Signature(result.signature.measure, (*first, *settings.items(), *last))
    return replace(result, signature=signature)
