"""What a paper claims, what we get, and whether that is the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from unisono.results.wording import decimals
from unisono.results.written import InJson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.results.signature import Signature
    from unisono.simulation.curves import Scan
    from unisono.simulation.reproduction.experiments_of_study import Experiment

__all__ = ["Claim", "Reproduction", "Verdict", "number", "unknown"]

Verdict: TypeAlias = Literal["reproduced", "differs", "not reproducible"]


class Claim(NamedTuple):
    """One statement of a paper, beside what we get.

    Examples
    --------
    >>> import unisono as un
    >>> claims = un.reproduce("komen", quick=True).claims
    >>> claims[0].place, claims[0].claim, claims[0].ours, claims[0].verdict
    ('table (2)', 'κ = 0.0909', '0.0909', 'reproduced')
    """

    paper: str
    place: str
    claim: str
    ours: str
    verdict: Verdict
    why: str = ""


def number(
    paper: str,
    place: str,
    name: str,
    printed: float,
    ours: float,
    *,
    tolerance: float,
    places: int = 4,
    why: str = "",
) -> Claim:
    """Compare a printed number with ours.

    Parameters
    ----------
    paper, place, name
        What the number is, and where it is printed.
    printed, ours
        Both numbers.
    tolerance
        How far they may be apart, as the print is rounded.
    places
        Decimals to show.
    why
        What is to be said about it.

    Examples
    --------
    >>> number("2015", "Figure 10", "d_pos", 3.22, 3.24, tolerance=0.005).verdict
    'differs'
    """
    same = math.isfinite(ours) and abs(ours - printed) <= tolerance
    verdict: Verdict = "reproduced" if same else "differs"
    return Claim(paper, place, f"{name} = {printed:g}", decimals(ours, places), verdict, why)


def unknown(paper: str, place: str, claim: str, why: str) -> Claim:
    """Give a claim that nobody can check."""
    return Claim(paper, place, claim, "–", "not reproducible", why)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reproduction(InJson):
    """All claims of some papers, and the curves behind them.

    Attributes
    ----------
    claims
        In the order of the papers.
    experiments, scans
        The experiments with simulated annotators, and the curves of each, by name.
    quick
        Whether they were run with few annotation sets.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.reproduce("passonneau", quick=True)
    >>> found.counts
    {'reproduced': 1, 'differs': 1, 'not reproducible': 1}
    """

    claims: tuple[Claim, ...]
    experiments: Mapping[str, Experiment]
    scans: Mapping[str, Scan]
    quick: bool
    signature: Signature

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many claims have each verdict."""
        counted: dict[Verdict, int] = {"reproduced": 0, "differs": 0, "not reproducible": 0}
        for claim in self.claims:
            counted[claim.verdict] += 1
        return counted

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> un.reproduce("komen", quick=True).to_dict()["claims"][0]["verdict"]
        'reproduced'
        """
        return {
            "quick": self.quick,
            "counts": dict(self.counts),
            "claims": [claim._asdict() for claim in self.claims],
            "scans": {name: scan.to_dict() for name, scan in self.scans.items()},
            "signature": str(self.signature),
        }

    def __str__(self) -> str:
        rows = [("paper", "place", "claim", "ours", "verdict"), *(c[:5] for c in self.claims)]
        widths = [max(len(row[at]) for row in rows) for at in range(5)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join(lines)
