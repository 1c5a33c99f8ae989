"""A calibration as text: sentences first, then how many errors of each type give the values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import grid, numbers, sentence, signature_line
from unisono.results.wording import count, decimals, printable
from unisono.simulation.calibration.calibrate import ERROR_WORDS, HEADINGS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.results.agreement import ChanceAgreement
    from unisono.simulation.calibration.calibrate import Calibration


def calibration_table(found: Calibration, *, title: str | None = None) -> Group:
    """Tell a calibration, and show its numbers."""
    parts: list[RenderableType] = [] if title is None else [Text(printable(title), style="bold")]
    for told in found.sentences:
        parts += [sentence(told, style=""), Text()]
    parts.append(numbers(HEADINGS, found.cells()))
    parts += [Text(), grid(_facts(found)), Text(), signature_line(found.signature)]
    return Group(*parts)


def _facts(found: Calibration) -> list[tuple[str, str]]:
    observed = found.observed
    facts = [("γ", _value(observed)), ("γcat", _value(observed.cat))]
    facts.append(("reference", f"{count(len(found.reference), 'unit')} of the consensus"))
    facts.append(
        ("simulated", f"{found.repeats} annotation sets a magnitude, {found.draws} draws each")
    )
    facts.append(("intervals", f"{100.0 * found.level:g} % of single annotation sets"))
    facts += [
        ("left out", f"{ERROR_WORDS[error]}: {reason}") for error, reason in found.left_out.items()
    ]
    facts += [("note", printable(note)) for note in found.notes]
    return facts


def _value(agreement: ChanceAgreement) -> str:
    if agreement.undefined:
        return f"undefined: {printable(agreement.undefined)}"
    interval = agreement.monte_carlo
    if interval is None:
        return decimals(agreement.value)
    low, high = decimals(interval.low), decimals(interval.high)
    return f"{decimals(agreement.value)} (Monte Carlo {low} to {high})"
