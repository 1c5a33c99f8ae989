"""Results as rows of words and numbers, the common ground of every table for people."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, TypeAlias

from unisono.results.record import label_keys
from unisono.results.wording import count, decimals, position, printable, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.results.agreement import Agreement, Interval
    from unisono.results.bounds import Bounds


Row: TypeAlias = "tuple[str | None, Agreement]"
"""A name and a result; ``None`` stands for the name of the measure itself."""
WIDEST_CERTAIN = 0.05
"""How far apart the certified bounds of a value may be that is shown as a value."""
WHO_COUNTS = {
    "units": "those with units in the document",
    "corpus": "everyone in the corpus",
    "declared": "as declared",
}
"""How the number of annotators was known, in words."""


def proof(*, proven: bool, gap: float) -> str:
    """Say whether an alignment is the best, and if that is not proven, how far off it may be.

    Parameters
    ----------
    proven
        Whether all is proven.
    gap
        How far above the best the observed disorder may be; NaN when that is not known.

    Returns
    -------
    str
        A phrase.

    Examples
    --------
    >>> from unisono.results.rows import proof
    >>> proof(proven=False, gap=0.0012)
    'not proven; its disorder is at most 0.0012 above the best'
    """
    if proven:
        return "proven optimal"
    if gap > 0.0:
        return f"not proven; its disorder is at most {gap:.2g} above the best"
    return "proven optimal; that of some draws is not" if gap == 0.0 else "not proven"


def certain_range(bounds: Bounds) -> str:
    """Write bounds in words, also where there is no lower one.

    Parameters
    ----------
    bounds
        Certified bounds of a value.

    Examples
    --------
    >>> import math
    >>> from unisono.results.bounds import Bounds
    >>> from unisono.results.rows import certain_range
    >>> certain_range(Bounds(0.25, 0.5)), certain_range(Bounds(-math.inf, 0.5))
    ('between 0.2500 and 0.5000', 'no higher than 0.5000 (no lower bound is known)')
    """
    if math.isinf(bounds.low):
        return f"no higher than {decimals(bounds.high)} (no lower bound is known)"
    return f"between {decimals(bounds.low)} and {decimals(bounds.high)}"


def uncertainty(result: Agreement) -> str | None:
    """Return what is known of γ, and what helps, if it is too little for a value.

    Parameters
    ----------
    result
        Any result; only a `GammaResult` whose certified bounds lie more than 0.05 apart is
        uncertain.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.results.rows import uncertainty
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 1, 3, "A")])
    >>> uncertainty(un.gamma(text, draws=30, rng=42)) is None
    True
    """
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
    """Write the value for a table; “uncertain” where `uncertainty` says more.

    Parameters
    ----------
    result
        Any result.

    Examples
    --------
    >>> from unisono.results.agreement import Agreement
    >>> from unisono.results.signature import Signature
    >>> from unisono.results.rows import outcome
    >>> outcome(Agreement(value=0.5, observed=1, expected=2, signature=Signature("alpha")))
    '0.5000'
    """
    if result.undefined:
        return "undefined"
    return decimals(result.value) if uncertainty(result) is None else "uncertain"


def columns(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Give the headings and the cells of a table with one result a line.

    Parameters
    ----------
    rows
        Results and their names. A column of intervals is there when any result has one.

    Examples
    --------
    >>> from unisono.results.agreement import Agreement
    >>> from unisono.results.signature import Signature
    >>> from unisono.results.rows import columns
    >>> alpha = Agreement(value=0.5, observed=1, expected=2, signature=Signature("alpha"))
    >>> columns([(None, alpha)])
    (['measure', 'value', 'observed', 'expected'], [['alpha', '0.5000', '1.0000', '2.0000']])
    """
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
    """Say which of the results are undefined, and why: one sentence a reason.

    Parameters
    ----------
    rows
        Results and their names.

    Examples
    --------
    >>> import math
    >>> from unisono.results.agreement import Agreement
    >>> from unisono.results.signature import Signature
    >>> from unisono.results.rows import reasons
    >>> alpha = Agreement(
    ...     value=math.nan,
    ...     observed=0,
    ...     expected=0,
    ...     undefined="chance never disagrees on these data",
    ...     signature=Signature("alpha"),
    ... )
    >>> reasons([(None, alpha)])
    ['alpha is undefined: chance never disagrees on these data']
    """
    names_by_reason: dict[str, list[str]] = {}
    for row in rows:
        if row[1].undefined:
            names_by_reason.setdefault(row[1].undefined, []).append(printable(_name(row)))
    return [
        f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} undefined: {printable(reason)}"
        for reason, names in names_by_reason.items()
    ]


def family(result: GammaResult) -> list[Row]:
    """Give γ, γcat and the γk of each label, with their names.

    Parameters
    ----------
    result
        What ``gamma`` returned.

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.results.agreement import ChanceAgreement
    >>> from unisono.measures.gamma.gamma_result import GammaResult
    >>> from unisono.results.signature import Signature
    >>> from unisono.results.rows import family
    >>> cat = ChanceAgreement(
    ...     value=1, observed=0, expected=0.5, draws=2, signature=Signature("gamma-cat")
    ... )
    >>> result = GammaResult(
    ...     value=0.5,
    ...     observed=1,
    ...     expected=2,
    ...     draws=2,
    ...     p_value=1 / 3,
    ...     cat=cat,
    ...     by_label={"NP": cat, None: cat},
    ...     alignment=None,
    ...     draw_disorders=np.array([1.9, 2.1]),
    ...     proven=True,
    ...     n_annotators=2,
    ...     n_units=4,
    ...     annotators_from="units",
    ...     signature=Signature("gamma"),
    ... )
    >>> [name for name, _ in family(result)]
    ['γ', 'γcat', 'γk NP', 'γk (no label)']
    """
    keys = label_keys(result.by_label)
    return [
        ("γ", result),
        ("γcat", result.cat),
        *((f"γk {keys[label] or '(no label)'}", of) for label, of in result.by_label.items()),
    ]


def facts(result: GammaResult) -> list[tuple[str, str]]:
    """Give what a reader must know beside the numbers, as names and sentences.

    Parameters
    ----------
    result
        What ``gamma`` returned.

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.results.agreement import ChanceAgreement
    >>> from unisono.measures.gamma.gamma_result import GammaResult
    >>> from unisono.results.signature import Signature
    >>> from unisono.results.rows import facts
    >>> cat = ChanceAgreement(
    ...     value=1, observed=0, expected=0.5, draws=2, signature=Signature("gamma-cat")
    ... )
    >>> result = GammaResult(
    ...     value=0.5,
    ...     observed=1,
    ...     expected=2,
    ...     draws=2,
    ...     p_value=1 / 3,
    ...     cat=cat,
    ...     by_label={},
    ...     alignment=None,
    ...     draw_disorders=np.array([1.9, 2.1]),
    ...     proven=True,
    ...     n_annotators=2,
    ...     n_units=4,
    ...     annotators_from="units",
    ...     signature=Signature("gamma"),
    ... )
    >>> for name, fact in facts(result):
    ...     print(f"{name}: {fact}")
    annotators: 2 (counted: those with units in the document)
    units: 4
    draws: 2
    p-value: 0.3333
    alignment: proven optimal
    """
    who = WHO_COUNTS.get(result.annotators_from, result.annotators_from)
    found = [
        ("annotators", f"{result.n_annotators:,} (counted: {who})"),
        ("units", f"{result.n_units:,}"),
    ]
    if len(result.documents) > 1:
        found.insert(0, ("documents", f"{len(result.documents):,}"))
    if result.draws:
        found += [
            ("draws", _draws(result)),
            ("p-value", _p_value(result)),
            ("alignment", proof(proven=result.proven, gap=result.gap)),
        ]
    if result.certified and not result.proven:
        found.append(("certified", f"γ is {certain_range(result.certified)}, for these draws"))
    if result.spacing is not None:
        found.append(("spacing", f"shifts at least {position(result.spacing)} apart"))
    if result.skipped:
        found.append(("skipped", f"{count(result.skipped, 'row')} that could not be read"))
    left_out = result.left_out_documents
    if left_out and not any("left out" in note for note in result.notes):
        found.append(("left out", f"{count(len(left_out), 'document')}: {some(left_out)}"))
    found.extend(("note", printable(note)) for note in result.notes)
    return found


def padded(headings: Sequence[str], cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Pad a table to equal widths: the first column to the left, numbers to the right.

    Parameters
    ----------
    headings
        One for each column.
    cells
        The lines below.

    Examples
    --------
    >>> from unisono.results.rows import padded
    >>> padded(["measure", "value"], [["alpha", "-0.5000"]])
    [['measure', '  value'], ['alpha  ', '-0.5000']]
    """
    lines = [list(headings), *(list(line) for line in cells)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    return [
        [
            cell + " " * (width - _width(cell)) if i == 0 else " " * (width - _width(cell)) + cell
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        for line in lines
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


def _p_value(result: GammaResult) -> str:
    value = "< 0.0001" if result.p_value < 0.00005 else decimals(result.p_value)
    return value if uncertainty(result) is None else f"{value} (uncertain, as γ is)"


def _draws(result: GammaResult) -> str:
    extra = []
    if result.redrawn:
        extra.append(f"{result.redrawn:,} drawn again for want of units")
    if result.cat.left_out:
        extra.append(f"{result.cat.left_out:,} without a pair to compare left out of γcat")
    return f"{result.draws:,} ({'; '.join(extra)})" if extra else f"{result.draws:,}"


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(mark) else 1 + (unicodedata.east_asian_width(mark) in "WF")
        for mark in text
    )
