"""The claims of the papers, read from ``claims.toml``, and the verdicts on them."""

from __future__ import annotations

import math
import tomllib
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from unisono.results.record import Record, record
from unisono.results.render import Sheeted
from unisono.results.sheet import Sheet, Table, columns
from unisono.results.wording import decimals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unisono.results.values import Signature
    from unisono.simulation.error_curves import Curve, Scan
    from unisono.simulation.reproduction.experiments import Experiment

__all__ = [
    "PAPERS",
    "Claim",
    "Reproduction",
    "Statement",
    "Value",
    "Verdict",
    "judged",
    "statements",
]

Verdict: TypeAlias = Literal["reproduced", "differs", "not reproducible"]
Relation: TypeAlias = Literal["printed", "above", "below", "least", "most", "holds", "missing"]
Value: TypeAlias = "bool | float | Sequence[float]"
PAPERS: Mapping[str, str] = {
    "2015": "Mathet, Widlöcher & Métivier 2015",
    "2017": "Mathet 2017",
    "komen": "Komen 2009",
    "passonneau": "Passonneau 2006",
}
"""The papers by the name that `reproduce` takes."""


class Statement(NamedTuple):
    """What a paper states at a place, and how our value is compared with it."""

    paper: str
    place: str
    key: str
    states: str
    setup: str
    relation: Relation
    bound: Any
    """The printed number or numbers, the bound, or what is missing."""
    tolerance: float
    because: str
    differs: str
    """Why our value differs, if it does."""


class Claim(NamedTuple):
    """One statement of a paper with our value and a verdict.

    Examples
    --------
    >>> import unisono as un
    >>> claims = un.reproduce("komen").claims
    >>> claims[2].place, claims[2].claim, claims[2].ours, claims[2].verdict
    ('table (2)', 'κ = 0,09', '0.0909', 'reproduced')
    """

    paper: str
    place: str
    claim: str
    setup: str
    ours: str
    margin: str
    """By how much our value may differ from a printed one."""
    verdict: Verdict
    why: str
    """Why our value differs, what is missing, or why the tolerance is what it is."""
    command: str
    """The command that computes our value again."""


_EXACT = 1e-6  # smaller tolerances are for rounding errors
_RELATIONS: tuple[Relation, ...] = get_args(Relation)


@cache
def statements() -> tuple[Statement, ...]:
    """Return all statements of the papers, in their order."""
    text = files(__package__).joinpath("claims.toml").read_text(encoding="utf-8")
    found = []
    for place in tomllib.loads(text)["place"]:
        for each in place["claims"]:
            entry = {"tolerance": 0.0, "because": "", "differs": "", **place, **each}
            (relation,) = (name for name in _RELATIONS if name in each)
            found.append(
                Statement(
                    paper=entry["paper"],
                    place=entry["at"],
                    key=entry["key"],
                    states=entry["states"],
                    setup=entry["setup"],
                    relation=relation,
                    bound=entry[relation],
                    tolerance=entry["tolerance"],
                    because=entry["because"],
                    differs=entry["differs"],
                )
            )
    return tuple(found)


def judged(of: Statement, value: Value | None) -> Claim:
    """Return a claim: a statement with our value and a verdict, which follows from both."""
    verdict, margin, why = _verdict(of, value)
    return Claim(
        paper=of.paper,
        place=of.place,
        claim=of.states,
        setup=of.setup,
        ours="–" if value is None else _text(value),
        margin=margin,
        verdict=verdict,
        why=why,
        command=f'unisono reproduce {of.paper} --place "{of.place}"',
    )


def _verdict(of: Statement, value: Value | None) -> tuple[Verdict, str, str]:
    if of.relation == "missing":
        return "not reproducible", "nothing to compare", f"missing: {of.bound}"
    if value is None:
        msg = f"no value was computed for {of.key!r} of {of.paper}, {of.place}"
        raise ValueError(msg)
    if of.relation == "holds":
        meets, tolerance, because = value is of.bound, "yes or no", "a statement"
    elif of.relation == "printed":
        meets, because = _is_within(value, of.bound, of.tolerance), of.because
        tolerance = f"± {of.tolerance:g}" if of.tolerance > _EXACT else "exact"
    else:
        meets, tolerance, because = _meets(of, value), "a bound", "an inequality has no tolerance"
    if meets:
        return "reproduced", tolerance, because
    return "differs", tolerance, of.differs


def _numbers(value: Value) -> tuple[float, ...]:
    return (float(value),) if isinstance(value, int | float) else tuple(map(float, value))


def _is_within(value: Value, printed: Value, tolerance: float) -> bool:
    ours, theirs = _numbers(value), _numbers(printed)
    if len(theirs) == 1:
        theirs *= len(ours)
    # Differences of decimal numbers are rounded: 0.405 − 0.4055 is not exactly 0.0005.
    return len(ours) == len(theirs) and all(
        abs(one - other) <= tolerance + 1e-12 for one, other in zip(ours, theirs, strict=True)
    )


def _meets(of: Statement, value: Value) -> bool:
    tests = {
        "above": lambda number: number > of.bound,
        "below": lambda number: number < of.bound,
        "least": lambda number: number >= of.bound,
        "most": lambda number: number <= of.bound,
    }
    return all(map(tests[of.relation], _numbers(value)))


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(_number_text, _numbers(value)))


def _number_text(number: float) -> str:
    if math.isinf(number):
        return "never"
    whole = math.isfinite(number) and number == round(number)
    return (f"{number:.0f}" if whole else decimals(number)).replace("-", "−")


@record
class Reproduction(Record, Sheeted):
    """All claims of one or more papers, and the curves they are checked on.

    Attributes
    ----------
    claims
        All claims, in the order of the papers.
    experiments, scans
        The experiments with simulated annotators, and the curves of each, by name.
    quick
        Whether few annotation sets were simulated.
    signature
        All settings that affect a number.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.reproduce("komen")
    >>> found.counts
    {'reproduced': 16, 'differs': 2, 'not reproducible': 0}
    """

    claims: tuple[Claim, ...]
    experiments: Mapping[str, Experiment]
    scans: Mapping[str, Scan]
    quick: bool
    signature: Signature

    summary = ("claims",)
    computed = ("counts",)
    apart = ("experiments",)

    @property
    def counts(self) -> dict[Verdict, int]:
        """Number of claims per verdict."""
        counted: dict[Verdict, int] = {"reproduced": 0, "differs": 0, "not reproducible": 0}
        for claim in self.claims:
            counted[claim.verdict] += 1
        return counted

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the claims, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> sheet = un.reproduce("komen").sheet()
        >>> sheet.findings, [table.title for table in sheet.tables if table.people]
        (('16 reproduced, 2 differs, 0 not reproducible',), ['Komen 2009'])
        """
        by_paper: dict[str, list[Claim]] = {}
        for claim in self.claims:
            by_paper.setdefault(claim.paper, []).append(claim)
        tables = [
            Table(
                name="paper",
                title=PAPERS[paper],
                columns=columns("place claim ours verdict"),
                rows=[(each.place, each.claim, each.ours, each.verdict) for each in claims],
                programs=False,
            )
            for paper, claims in by_paper.items()
        ]
        every = Table(
            name="claim",
            columns=columns("paper place claim setup ours margin verdict why command"),
            rows=self.claims,
            people=False,
        )
        desiderata = Table(
            name="curve",
            title="Curves: from 1 to 0, never below 0, strictly falling (2015, §6.3)",
            columns=columns("figure measure first last lowest largest_rise"),
            rows=[
                (name, *desiderata_of(curve))
                for name, scan in self.scans.items()
                for curve in scan.curves.values()
            ],
        )
        return Sheet(
            name="reproduction",
            title=title,
            findings=(", ".join(f"{number} {verdict}" for verdict, number in self.counts.items()),),
            tables=(*tables, every, *((desiderata,) if self.scans else ())),
            signatures=(self.signature,),
        )


class Desiderata(NamedTuple):
    """What the γ paper asks of a curve (2015, §6.3): from 1 to 0, not below 0, strictly falling."""

    measure: str
    first: float
    last: float
    lowest: float
    largest_rise: float
    """Between neighbouring magnitudes; 0 or more if the curve is not strictly falling."""


def desiderata_of(curve: Curve) -> Desiderata:
    """Return both desiderata for the mean of a curve; magnitudes without a value are left out."""
    mean = [value for value in curve.mean.tolist() if not math.isnan(value)]
    if not mean:
        return Desiderata(curve.measure, *(math.nan,) * 4)
    rises = [after - before for before, after in pairwise(mean)]
    return Desiderata(curve.measure, mean[0], mean[-1], min(mean), max(rises, default=math.nan))
