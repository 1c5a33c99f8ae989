"""What errors of a magnitude are, in words: the sentences of a calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.results.wording import decimals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.results.agreement import Agreement
    from unisono.simulation.calibration.calibration_values import Equivalent, JointFit
    from unisono.simulation.shuffling.error_types import ErrorType

__all__ = ["ERROR_WORDS", "amount_text", "effect_text", "equivalents_told", "together_told"]

ERROR_WORDS: Mapping[ErrorType, str] = {
    "position": "moved boundaries",
    "category": "confused labels",
    "false_negative": "missed units",
    "false_positive": "added units",
    "split": "units cut in two",
}
"""Each type of error as a thing."""
_PHRASES: Mapping[ErrorType, str] = {
    "position": "move boundaries by {} of a unit's length",
    "category": "confuse {} of labels",
    "false_negative": "miss {} of units",
    "false_positive": "mark {} more units than there are",
    "split": "make {} in 100 units",
}


def effect_text(error: ErrorType, effect: float, low: float | None, high: float | None) -> str:
    """Say how much of an error is made, and between which amounts that may be.

    Examples
    --------
    >>> effect_text("position", 0.213, 0.18, 0.25)
    "move boundaries by 21 % (18–25 %) of a unit's length"
    >>> effect_text("split", 0.4, None, None)
    'make 40 cuts in 100 units'
    """
    amount = amount_text(error, effect)
    if low is not None and high is not None:
        between = "–".join(_number(100.0 * each) for each in (low, high))
        between = f" ({between})" if error == "split" else f" ({between} %)"
        number, _, word = amount.partition(" ")
        amount = f"{number}{between} {word}" if error == "split" else f"{amount}{between}"
    return _PHRASES[error].format(amount)


def amount_text(error: ErrorType, effect: float) -> str:
    """Write how much of an error is made.

    Examples
    --------
    >>> amount_text("position", 0.0312), amount_text("split", 1.2)
    ('3.1 %', '120 cuts')
    """
    number = _number(100.0 * effect)
    return f"{number} cuts" if error == "split" else f"{number} %"


def equivalents_told(name: str, observed: Agreement, found: Mapping[ErrorType, Equivalent]) -> str:
    """Say how many errors of each type give an observed value.

    Parameters
    ----------
    name
        What the value is called.
    observed
        The value.
    found
        For each type of error how many give it.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> equivalents_told("γcat", found.observed.cat, found.cat)
    'γcat = 0.64 is what annotators would get who miss 79 % (62–79 %) of units.'
    """
    if observed.undefined:
        return f"{name} is undefined: {observed.undefined}."
    if observed.value == 1.0:
        return f"{name} = 1: there are no errors to explain."
    number = decimals(observed.value, 2)
    phrases = [
        effect_text(error, each.effect, each.effect_low, each.effect_high)
        for error, each in found.items()
        if not each.undefined
    ]
    never = _listed([ERROR_WORDS[error] for error, each in found.items() if each.undefined])
    told = []
    if phrases:
        told.append(f"{name} = {number} is what annotators would get who {', or '.join(phrases)}.")
    if never:
        low = "so low" if phrases else f"down to {number}"
        told.append(f"{never[0].upper()}{never[1:]} alone cannot bring {name} {low}.")
    return " ".join(told)


def together_told(best: ErrorType, fits: Mapping[ErrorType, JointFit]) -> str:
    """Say which types of errors explain γ and γcat at once, the closest first.

    Parameters
    ----------
    best
        The type that explains them best.
    fits
        How well each type does.

    Examples
    --------
    >>> import unisono as un
    >>> fit = un.JointFit(0.3, 0.3, 0.7, 0.98, 0.01, True)
    >>> together_told("position", {"position": fit})
    "Of single types of errors only moved boundaries explain γ and γcat together: annotators who \
move boundaries by 30 % of a unit's length (γ = 0.70, γcat = 0.98)."
    """
    told = {
        error: f"{effect_text(error, fit.effect, None, None)} "
        f"(γ = {decimals(fit.gamma, 2)}, γcat = {decimals(fit.cat, 2)})"
        for error, fit in fits.items()
    }
    explaining = sorted(
        (error for error, fit in fits.items() if fit.explains),
        key=lambda error: fits[error].distance,
    )
    if not explaining:
        return (
            "No single type of error explains γ and γcat together. "
            f"Closest are {ERROR_WORDS[best]}: annotators who {told[best]}."
        )
    if len(explaining) == 1:
        return (
            f"Of single types of errors only {ERROR_WORDS[best]} explain γ and γcat together: "
            f"annotators who {told[best]}."
        )
    listed = ", or ".join(told[error] for error in explaining)
    return f"Several types of errors explain γ and γcat together: annotators who {listed}."


def _listed(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _number(percent: float) -> str:
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}"
