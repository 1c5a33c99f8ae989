"""A coefficient with its disorders, interval and signature, and its words in a table."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from unisono.errors import DataError, SettingError
from unisono.results.blocks import markdown_code, markdown_table, markdown_text
from unisono.results.record import InMarkdown, Pictured, Record, plain_number
from unisono.results.wording import decimals, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


__all__ = [
    "Agreement",
    "Bounds",
    "ChanceAgreement",
    "Interval",
    "Row",
    "Signature",
    "certain_range",
    "columns",
    "markdown_report",
    "outcome",
    "proof",
    "reasons",
    "signed",
    "uncertainty",
]


def as_number(value: object, name: str) -> float:
    """Give a number as a float."""
    if isinstance(value, str | bytes):
        msg = f"{name} is a number, got {value!r}"
        raise TypeError(msg)
    return float(value)  # type: ignore[arg-type]


def markdown_report(
    rows: Sequence[Row], *, signature: Signature, facts: Sequence[tuple[str, str]] = ()
) -> str:
    """Write results as Markdown: what is uncertain, table, reasons, facts, signature."""
    uncertain = [markdown_text(told) for _, of in rows if (told := uncertainty(of)) is not None]
    parts = [*uncertain, markdown_table(*columns(rows))]
    listed = [
        *(markdown_text(reason) for reason in reasons(rows)),
        *(f"{name}: {markdown_text(fact)}" for name, fact in facts),
    ]
    if listed:
        parts.append("\n".join(f"- {line}" for line in listed))
    parts.append(markdown_code(str(signature)))
    return "\n\n".join(parts)


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
    >>> from unisono.results import Interval
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
        >>> from unisono.results import Interval
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
        >>> from unisono.results import Agreement
        >>> from unisono.results import Signature
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
        >>> from unisono.results import Agreement
        >>> from unisono.results import Signature
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
    >>> from unisono.results import ChanceAgreement, Interval
    >>> from unisono.results import Signature
    >>> cat = ChanceAgreement(
    ...     value=0.8,
    ...     observed=0.1,
    ...     expected=0.5,
    ...     monte_carlo=Interval(0.79, 0.81, level=0.95, method="monte carlo"),
    ...     draws=30,
    ...     left_out=2,
    ...     weight=12.5,
    ...     signature=Signature("gamma_cat"),
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
        >>> from unisono.results import ChanceAgreement
        >>> from unisono.results import Signature
        >>> cat = ChanceAgreement(
        ...     value=0.8, observed=0.1, expected=0.5, draws=30, signature=Signature("gamma_cat")
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


class Bounds(NamedTuple):
    """The least and the largest that a value can be, by proof and not by probability.

    Examples
    --------
    >>> from unisono.results import Bounds
    >>> Bounds(0.71, 0.74)
    Bounds(low=0.71, high=0.74)
    """

    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Give the bounds as plain data; an infinite one is ``None``.

        Examples
        --------
        >>> from unisono.results import Bounds
        >>> Bounds(0.25, 0.5).to_dict()
        {'low': 0.25, 'high': 0.5}
        """
        return {"low": plain_number(self.low), "high": plain_number(self.high)}


Row: TypeAlias = "tuple[str | None, Agreement]"
"""A name and a result; ``None`` stands for the name of the measure itself."""
WIDEST_CERTAIN = 0.05
"""How far apart the certified bounds of a value may be that is shown as a value."""


def proof(*, proven: bool, gap: float) -> str:
    """Say whether an alignment is the best, and if that is not proven, how far off it may be."""
    if proven:
        return "proven optimal"
    if gap > 0.0:
        return f"not proven; its disorder is at most {gap:.2g} above the best"
    return "proven optimal; that of some draws is not" if gap == 0.0 else "not proven"


def certain_range(bounds: Bounds) -> str:
    """Write bounds in words, also where there is no lower one."""
    if math.isinf(bounds.low):
        return f"no higher than {decimals(bounds.high)} (no lower bound is known)"
    return f"between {decimals(bounds.low)} and {decimals(bounds.high)}"


def uncertainty(result: Agreement) -> str | None:
    """Return what is known of γ, and what helps, if it is too little for a value."""
    certified: Bounds | None = getattr(result, "certified", None)
    if certified is None or certified.high - certified.low <= WIDEST_CERTAIN:
        return None
    helps = ["shorter documents or fewer annotators"]
    if "time" in result.signature:
        helps.insert(0, "more time for each alignment")
    if "gap" in result.signature:
        helps.insert(0, "a smaller tolerance of gaps")
    known = f"{'to be ' if math.isinf(certified.low) else ''}{certain_range(certified)}"
    return (
        f"γ is certain only {known}: not all alignments could be proven to be the best within "
        f"their limits. What helps: {', or '.join(helps)}."
    )


def outcome(result: Agreement) -> str:
    """Write the value for a table; “uncertain” where `uncertainty` says more."""
    if result.undefined:
        return "undefined"
    return decimals(result.value) if uncertainty(result) is None else "uncertain"


def columns(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Give the headings and the cells of a table with one result a line."""
    headings = ["measure", "value", "observed", "expected"]
    cells = [
        [
            printable(_name(row)),
            outcome(result),
            decimals(result.observed),
            decimals(result.expected),
        ]
        for row in rows
        for result in [row[1]]
    ]
    for title, field in (("interval", "interval"), ("Monte Carlo", "monte_carlo")):
        intervals = [getattr(result, field, None) for _, result in rows]
        if any(intervals):
            heading, column = _interval_column(title, intervals)
            headings.append(heading)
            for line, cell in zip(cells, column, strict=True):
                line.append(cell)
    return headings, cells


def reasons(rows: Iterable[Row]) -> list[str]:
    """Say which of the results are undefined, and why: one sentence a reason."""
    names_by_reason: dict[str, list[str]] = {}
    for row in rows:
        if row[1].undefined:
            names_by_reason.setdefault(row[1].undefined, []).append(printable(_name(row)))
    return [
        f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} undefined: {printable(reason)}"
        for reason, names in names_by_reason.items()
    ]


def _name(row: Row) -> str:
    name, result = row
    if name is not None:
        return name
    signature = result.signature
    return (
        f"{signature.measure} {signature['label']}" if "label" in signature else signature.measure
    )


def _interval_column(title: str, intervals: Sequence[Interval | None]) -> tuple[str, list[str]]:
    levels = {interval.level for interval in intervals if interval}
    alike = len(levels) == 1
    column = []
    for interval in intervals:
        if interval is None:
            column.append(decimals(None))
            continue
        cell = f"{decimals(interval.low)} to {decimals(interval.high)}"
        column.append(cell if alike else f"{cell} ({_percent(interval.level)})")
    return (f"{title} {_percent(levels.pop())}" if alike else title), column


def _percent(level: float) -> str:
    return f"{100.0 * level:g} %"


# Newlines are escaped too, so that a signature is always one line.
_ESCAPES = {"\\": "\\\\", "|": "\\|", "\n": "\\n", "\r": "\\r"}
_ORIGINALS = {escaped: original for original, escaped in _ESCAPES.items()}
_ESCAPE_TABLE = str.maketrans(_ESCAPES)
_PIECES = re.compile(r"\\.|[^\\]", re.DOTALL)
_NAME = re.compile(r"[^:|\\\n\r]+")


@dataclass(frozen=True, slots=True)
class Signature:
    r"""Everything that can move a value, in a fixed order and in one line.

    Two results with the same signature are the same number. Print it beside the value
    and anybody can compute the value again.

    Parameters
    ----------
    measure
        The name of the measure, such as ``gamma``.
    settings
        Pairs of a name and a value, in the order they are printed; by custom the seed, the
        digest of the data and the version come last.

    Raises
    ------
    SettingError
        If the measure or a name is empty, occurs twice or holds ``:``, ``|``, ``\`` or a
        line break. Values may hold anything.

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
            msg = f"the settings of a signature are pairs of name and value, got {self.settings!r}"
            raise TypeError(msg) from None
        object.__setattr__(self, "settings", pairs)
        _check_name(self.measure, what="the measure of a signature")
        seen = set()
        for name, value in self.settings:
            _check_name(name, what="the name of a setting in a signature")
            _check_text(value, what="the value of a setting in a signature")
            if name in seen:
                msg = f"a signature names each setting once; {name!r} occurs twice"
                raise SettingError(msg)
            seen.add(name)

    @classmethod
    def parse(cls, text: str) -> Signature:
        r"""Read a signature back from its line.

        Parameters
        ----------
        text
            A line as ``str(signature)`` gives it.

        Raises
        ------
        DataError
            If the text is no signature.

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
                msg = f"a signature is measure|name:value|…; {pair!r} in {text!r} has no colon"
                raise DataError(msg)
            settings.append((name, value))
        try:
            return cls(measure, tuple(settings))
        except SettingError as error:
            msg = f"no signature: {text!r}; {error}"
            raise DataError(msg) from None

    def __str__(self) -> str:
        pairs = (f"{name}:{value.translate(_ESCAPE_TABLE)}" for name, value in self.settings)
        return "|".join((self.measure, *pairs))

    def __getitem__(self, name: str) -> str:
        for known, value in self.settings:
            if known == name:
                return value
        msg = f"no setting {name!r} in this signature; it has {', '.join(self) or 'none'}"
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
        msg = f"{what} must be a word without ':', '|', '\\' and line breaks, got {name!r}"
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
    msg = f"a backslash in a signature begins one of {known}; {text!r} has another"
    raise DataError(msg)


Signed = TypeVar("Signed", bound=Agreement)
_LAST = ("data", "v")


def signed(result: Signed, **own: str) -> Signed:
    """Add settings to a result's signature, before the data and the version."""
    known = result.signature.settings
    first = tuple(pair for pair in known if pair[0] not in _LAST)
    last = tuple(pair for pair in known if pair[0] in _LAST)
    signature = Signature(result.signature.measure, (*first, *own.items(), *last))
    return replace(result, signature=signature)
