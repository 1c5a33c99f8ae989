"""What a calibration is: curves of γ and γcat over errors, and where the observed values lie."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from unisono.results.markdown import markdown_code, markdown_table, markdown_text
from unisono.results.picturing import Pictured
from unisono.results.record import plain_number
from unisono.results.records import Record
from unisono.results.wording import decimals
from unisono.results.written import InMarkdown
from unisono.simulation.calibration.calibration_words import (
    ERROR_WORDS,
    amount_text,
    equivalents_told,
    together_told,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.results.signature import Signature
    from unisono.simulation.calibration.calibration_values import CurvePoint, Equivalent, JointFit
    from unisono.simulation.shuffling.error_types import ErrorType
    from unisono.studies.consensus_result import Consensus

__all__ = ["HEADINGS", "Calibration"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Calibration(Record, InMarkdown, Pictured):
    """How many errors annotators make who agree as much as these do.

    Parameters
    ----------
    observed
        γ and γcat of the data.
    reference
        The consensus that simulated annotators start from.
    curves
        For each type of error what γ and γcat are at rising magnitudes.
    gamma, cat
        For each type of error how many of them give the observed γ, and γcat.
    together
        For each type of error how well it explains both; empty where γcat is undefined.
    best
        The type of error that explains both best, though others may explain them too; `None` where
        γcat is undefined.
    left_out
        Types of errors that these data do not allow, and why.
    repeats
        How many annotation sets were simulated at each magnitude.
    draws
        On how many draws each of their γ rests.
    level
        The confidence of the intervals.
    notes
        Sentences a reader should know.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors=("position", "false_negative"), repeats=5, rng=1)
    >>> found.best
    'false_negative'
    >>> print(found)
    γ = 0.79 is what annotators would get who move boundaries by ... of units...
    """

    observed: GammaResult
    reference: Consensus
    curves: Mapping[ErrorType, tuple[CurvePoint, ...]]
    gamma: Mapping[ErrorType, Equivalent]
    cat: Mapping[ErrorType, Equivalent]
    together: Mapping[ErrorType, JointFit]
    best: ErrorType | None
    left_out: Mapping[ErrorType, str]
    repeats: int
    draws: int
    level: float
    notes: tuple[str, ...] = ()
    signature: Signature

    def __post_init__(self) -> None:
        for name in _MAPPINGS:
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @property
    def sentences(self) -> list[str]:
        """What a person would say: about γ, about γcat, and about both together.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> found.sentences[0]
        'γ = 0.79 is what annotators would get who miss ... % (...) of units.'
        """
        about_gamma = equivalents_told("γ", self.observed, self.gamma)
        about_cat = equivalents_told("γcat", self.observed.cat, self.cat)
        perfect = self.observed.value == 1.0
        told = "" if self.best is None or perfect else together_told(self.best, self.together)
        return [each for each in (about_gamma, about_cat, told) if each]

    def __str__(self) -> str:
        return " ".join(self.sentences)

    def __repr__(self) -> str:
        return f"Calibration({decimals(self.observed.value)}, {', '.join(self.curves)})"

    def cells(self) -> list[list[str]]:
        """Give a line for each type of error: how many of them give γ, γcat, and both.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> found.cells()[0][0]
        'missed units'
        """
        lines = []
        for error in self.curves:
            fit = self.together.get(error)
            both = amount_text(error, fit.effect) if fit else "–"
            lines.append(
                [
                    ERROR_WORDS[error],
                    *_amounts(error, self.gamma[error]),
                    *_amounts(error, self.cat[error]),
                    both,
                    ("yes" if fit.explains else "no") if fit else "–",
                ]
            )
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Give all as plain data; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> found.to_dict()["curves"]["false_negative"][0]["gamma"]
        1.0
        """
        return {
            "value": plain_number(self.observed.value),
            "cat": plain_number(self.observed.cat.value),
            "sentences": self.sentences,
            "best": self.best,
            "gamma_equivalents": {name: _plain(each) for name, each in self.gamma.items()},
            "cat_equivalents": {name: _plain(each) for name, each in self.cat.items()},
            "together": {name: _plain(each) for name, each in self.together.items()},
            "curves": {
                error: [_plain(point) for point in points] for error, points in self.curves.items()
            },
            "left_out": dict(self.left_out),
            "repeats": self.repeats,
            "draws": self.draws,
            "level": self.level,
            "reference_units": len(self.reference),
            "notes": list(self.notes),
            "observed_signature": str(self.observed.signature),
            "signature": str(self.signature),
        }

    def to_markdown(self) -> str:
        """Give the sentences and a Markdown table, with the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> print(found.to_markdown().splitlines()[-3].split("|")[1].strip())
        missed units
        """
        table = markdown_table(HEADINGS, self.cells())
        told = [markdown_text(each) for each in self.sentences]
        return "\n\n".join([*told, table, markdown_code(str(self.signature))])


HEADINGS = ("errors", "γ", "interval", "γcat", "interval", "both", "explains")
"""Of the lines that `Calibration.cells` gives."""
_MAPPINGS = ("curves", "gamma", "cat", "together", "left_out")


def _amounts(error: ErrorType, found: Equivalent) -> list[str]:
    if found.undefined:
        return ["–", "–"]
    ends = (amount_text(error, each) for each in (found.effect_low, found.effect_high))
    low, high = (text.partition(" ")[0] for text in ends)
    return [amount_text(error, found.effect), f"{low}–{high}"]


def _plain(record: CurvePoint | Equivalent | JointFit) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, value in record._asdict().items():
        if isinstance(value, float):
            plain[name] = plain_number(value)
        else:
            plain[name] = value.to_dict() if hasattr(value, "to_dict") else value
    return plain
