"""The measures and their settings: one entry each, as data.

Everything that lists measures reads these tables: functions that take the name of a measure, the
command line, the service, tables, reports and the documentation. Functions are named as
``"module:function"`` and imported by `Measure.load`, so that reading the tables loads nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from importlib import import_module
from inspect import signature
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from unisono.errors import SettingError, check_choice, did_you_mean, setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = [
    "CONSTRAINTS",
    "FAMILIES",
    "MEASURES",
    "PAPER_ROWS",
    "PROPERTIES",
    "SETTINGS",
    "STUDIES",
    "TASKS",
    "Family",
    "Measure",
    "Setting",
    "Study",
    "Task",
    "TaskProperty",
    "check_setting",
    "check_settings",
    "measure_named",
    "measures_of",
    "measures_taking",
    "settings_by_measure",
]

Data: TypeAlias = Literal["units", "items", "segments", "reference", "chains"]
"""What a measure takes: units, labels of items, segmentations, a reference, or chains."""


Kind: TypeAlias = Literal[
    "count",
    "cost",
    "share",
    "shares",
    "seed",
    "flag",
    "choice",
    "choices",
    "distance",
    "labels",
    "measures",
    "name",
    "names",
    "mapping",
    "dissimilarity",
    "text",
    "column",
    "columns",
    "character",
    "range",
]
"""Which values a setting takes; plurals take several."""
_METAVARS = {
    "count": "N",
    "cost": "COST",
    "share": "SHARE",
    "shares": "LIST",
    "choices": "LIST",
    "distance": "NAME|FILE.csv",
    "labels": "LABELS",
}
_MOST = 10_000_000  # enough draws for a small error
# The limits of the values of a kind, unless a setting has limits of its own.
_LIMITS: dict[str, dict[str, float]] = {
    "count": {"least": 1, "most": _MOST},
    "cost": {"least": 0},
    "seed": {"least": 0},
    "share": {"above": 0, "below": 1},
    "shares": {"above": 0, "below": 1},
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: the keyword in Python, the key over HTTP, the option in a command."""

    name: str
    kind: Kind
    help: str
    """One sentence for ``--help``, for the schema of the service and for the documentation."""
    choices: tuple[str, ...] = ()
    metavar: str = ""
    """The placeholder of the value in ``--help``; by default that of its kind."""
    option: str = ""
    """The option of the command line, or a dash; ``--name-with-dashes`` by default."""
    key: str = ""
    """The key over HTTP; `name` by default."""
    least: float | None = None
    most: float | None = None
    """The lowest and the highest value; by default the limits of the kind."""
    above: float | None = None
    below: float | None = None
    """Limits that are not values themselves."""
    example: str = ""
    """A value with its meaning, for messages."""
    title: str = ""
    """Its name in a form; `name` in words by default."""
    default: Any = None
    """Its value if it is not given; ``None`` if there is none or if it depends on the data."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Short descriptions of its named values; for a choice, of all its values."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """What may follow a named value after a colon, such as 24 in circular:24."""
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Settings, with values, of which one is required if the function has any of them."""
    replaced_by: str = ""
    """A setting that takes its place."""
    off: str = ""
    """The meaning of False if it is one value among others."""
    advanced: bool = False
    """Whether forms show it only on request."""

    def __post_init__(self) -> None:
        own: dict[str, Any] = {
            "metavar": self.metavar or _METAVARS.get(self.kind, ""),
            "key": self.key or self.name,
            "option": self.option or f"--{self.name.replace('_', '-')}",
            "title": self.title or self.name.replace("_", " ").capitalize(),
        }
        if self.kind == "choice":
            own["choices"] = self.choices or tuple(self.meanings)
        is_limited = any(each is not None for each in self.limits)
        limits = {} if is_limited else _LIMITS.get(self.kind, {})
        for name, value in (own | limits).items():
            object.__setattr__(self, name, value)

    @property
    def limits(self) -> tuple[float | None, float | None, float | None, float | None]:
        """The lowest and the highest value, and the limits that are not values."""
        return self.least, self.most, self.above, self.below

    def check(self, value: object) -> None:
        """Raise a SettingError or a TypeError unless a value is of the kind, within the limits."""
        if self.kind in ("choice", "choices"):
            check_choice(self.name, value, self.choices)
        elif self.kind == "flag" and not isinstance(value, bool):
            msg = f"{self._named} must be True or False, got {value!r}"
            raise TypeError(msg)
        elif self.kind in ("count", "cost", "share", "shares"):
            self._check_number(value)

    @property
    def _named(self) -> str:
        return setting(self.name).removesuffix("=")

    @property
    def rule(self) -> str:
        """The condition on its numbers, after “must”, such as ``"lie between 0 and 1"``."""
        least, most, above, below = self.limits
        high = most if below is None else below
        if high is None:
            low = f"above {above:,}" if least is None else f"of {least:,} or more"
            return f"be a finite number {low}"
        if least is None:
            return f"lie between {above:,} and {high:,}"
        return f"be from {least:,} to {'below ' if most is None else ''}{high:,}"

    def _check_number(self, value: object) -> None:
        is_count = self.kind == "count"
        if isinstance(value, bool) or not isinstance(value, Integral if is_count else Real):
            kind = "" if is_count else f" of type {type(value).__name__}"
            noun = "a whole number" if is_count else "a number"
            msg = f"{self._named} must be {noun}, got {value!r}{kind}"
            raise TypeError(msg)
        number: Any = value
        least, most, above, below = self.limits
        low = (least is not None and number < least) or (above is not None and number <= above)
        high = (most is not None and number > most) or (below is not None and number >= below)
        # The quantile of a confidence next to 1 is infinite.
        high |= self.kind == "share" and below == 1 and 0.5 + number / 2.0 == 1.0
        if is_count and (low or high):
            limit = f"{least:,} or more" if low else f"{most:,} at most"
            msg = f"{self._named} must be {limit}, got {value:,}"
            raise SettingError(msg)
        if low or high or not -math.inf < number < math.inf:
            got = f"got {str(value).removesuffix('.0')}"
            example = f", such as {self.example}; {got}" if self.example else f", {got}"
            msg = f"{self._named} must {self.rule}{example}"
            raise SettingError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A function with settings that is not a measure."""

    name: str
    """Its public name."""
    function: str
    """``"module:function"``."""
    settings: tuple[str, ...]
    own: tuple[Setting, ...] = ()
    """Settings with another meaning or other limits than in `SETTINGS`."""
    of_ratings: tuple[str, ...] = ()
    """The settings that only apply to ratings, if the function takes units, too."""
    passes: tuple[str, ...] = ()
    """Measures and studies to which it passes other settings on."""
    keywords: str = ""
    """``"module:name"`` of the type of these settings."""

    def setting(self, name: str) -> Setting:
        """Return a setting as defined for this function."""
        return next((each for each in self.own if each.name == name), SETTINGS[name])

    def load(self) -> Callable[..., Any]:
        """Import the function."""
        return _imported(self.function)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Measures that one command computes together, and what data they can take."""

    name: str
    command: str
    takes: frozenset[str]
    """Features of the data that it uses: places, labels, overlap, nesting, gaps, and chance."""
    shown: tuple[str, ...]
    """The measures that represent the family in text."""
    remark: str = ""
    settings: tuple[str, ...] = ()
    """Settings of the command in addition to those of its measures."""

    @property
    def title(self) -> str:
        """The symbols of the measures that represent it."""
        return ", ".join(MEASURES[name].symbol for name in self.shown)

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of its measures."""
        return tuple(measure.name for measure in MEASURES.values() if measure.family == self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A coefficient: its names, the function that computes it, and the properties of its values."""

    name: str
    """Its one identifier: in signatures, JSON, CSV, options and documentation."""
    symbol: str
    """Its symbol in text."""
    title: str
    meaning: str
    """What it compares, in a few words."""
    family: str
    data: Data
    function: str
    """``"module:function"``."""
    formula: str = ""
    """The class of the coefficient, created from the settings; also ``"module:name"``."""
    part: str = ""
    """Where the value is in the result of the function, if it is not the result itself."""
    by_label: bool = False
    """Whether it has a value for each label, in a mapping."""
    latex: str = ""
    subscript: str = ""
    """The part of the symbol, at its start or end, that is set as a subscript."""
    settings: tuple[str, ...] = ()
    perfect: float = 1.0
    by_chance: float | None = 0.0
    """The mean value under chance; ``None`` if it depends on the data."""
    low: float | None = None
    """The lowest possible value; ``None`` if there is no bound."""
    stochastic: bool = False
    for_more: str = ""
    """The measure for more annotators, if this one is for two."""
    aliases: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """Keys of works in the bibliography of reports."""
    invariant: frozenset[str] = frozenset({"annotators", "labels", "rows"})
    """What may be permuted without affecting the value."""

    ignores: frozenset[str] = frozenset()
    """Properties of a task that its family or its settings take into account, but not it."""

    @property
    def handles(self) -> frozenset[str]:
        """The properties of a task that it takes into account, by their names in `PROPERTIES`."""
        taken = FAMILIES[self.family].takes
        found = {each.name for each in PROPERTIES.values() if each.takes in taken}
        if {"distance", "weights", "dissimilarity"} & {*self.settings}:
            found |= {"ordered", "sets"}
        if not self.for_more:
            found.add("many")
        if self.data in ("reference", "chains"):
            found.add(self.data)
        return frozenset(found - self.ignores) | {"documents"}

    @property
    def symbol_parts(self) -> tuple[tuple[str, bool], ...]:
        """The symbol in parts, each with whether it is set as a subscript."""
        low, symbol = self.subscript, self.symbol
        if not low:
            return ((symbol, False),)
        if symbol.startswith(low):
            return (low, True), (symbol.removeprefix(low), False)
        return (symbol.removesuffix(low).removesuffix("_"), False), (low, True)

    def load(self) -> Callable[..., Any]:
        """Import the function that computes it."""
        return _imported(self.function)

    def load_formula(self) -> Callable[..., Any]:
        """Import the class of the coefficient."""
        return _imported(self.formula)

    def compute(self, data: Any, keywords: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as value
        """Call the function on data, with those of the keywords that it takes."""
        function = self.load()
        known = signature(function).parameters
        return function(data, **{name: keywords[name] for name in keywords if name in known})

    def value(self, result: Any) -> Any:  # noqa: ANN401 - each measure has a result of its own
        """Return the measure's own part of what its function returned."""
        for step in self.part.split(".") if self.part else ():
            result = getattr(result, step)
        return result

    def agreement(self, value: float) -> float:
        """Return a value as agreement, of which 1 is perfect: 1 − the value of a distance."""
        return value if self.perfect else 1.0 - value


def _imported(where: str) -> Callable[..., Any]:
    module, _, name = where.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


_EVERYTHING = frozenset({"places", "labels", "overlap", "nesting", "gaps", "chance"})
_NO_OVERLAP = _EVERYTHING - {"overlap", "nesting"}


def _table(entries: Iterable[Any]) -> dict[str, Any]:
    return {entry.name: entry for entry in entries}


FAMILIES: Mapping[str, Family] = _table(
    [
        Family(
            name="gamma",
            command="gamma",
            takes=_EVERYTHING,
            shown=("gamma", "gamma_cat", "gamma_k"),
        ),
        Family(
            name="unitizing",
            command="unitizing",
            takes=_NO_OVERLAP,
            shown=("u_alpha", "u_alpha_coding", "u_alpha_k"),
        ),
        Family(
            name="atoms",
            command="units",
            takes=_NO_OVERLAP,
            shown=("kappa_d",),
            remark="depends on the atom",
        ),
        Family(
            name="segmentation",
            command="segments",
            takes=_NO_OVERLAP - {"labels", "gaps"},
            shown=("pk", "window_diff", "boundary_similarity", "segmentation_similarity"),
            settings=("atom", "gaps"),
        ),
        Family(
            name="items",
            command="items",
            takes=_NO_OVERLAP - {"places"},
            shown=("krippendorff_alpha", "cohen_kappa", "gwet_ac"),
            settings=("clusters", "confidence", "resamples", "method", "permutations", "rng"),
        ),
        Family(
            name="reference",
            command="compare",
            takes=_EVERYTHING - {"chance"},
            shown=("f1", "slot_error_rate"),
        ),
        Family(
            name="chains",
            command="chains",
            takes=frozenset({"chains", "chance"}),
            shown=("antecedent_kappa", "chain_alpha", "muc", "b_cubed", "ceaf_entities", "lea"),
        ),
    ]
)
"""The families, the one that can take most first."""

_REFUSED = "stop with an error"
_DISTANCES = {
    "nominal": "same or different",
    "ordinal": "ranks",
    "interval": "differences",
    "ratio": "proportions",
    "circular": "as on a clock",
    "bipolar": "between two poles",
    "edit": "spelling of the labels",
    "jaccard": "sets, by the share of common members",
    "dice": "sets, common members counted twice",
    "masi": "sets, nearer if one contains the other",
    "masi-product": "sets, as masi, (1 − J)(1 − M)",
}
_OF_DISTANCES = {"circular": "Circumference, such as 24", "bipolar": "Poles, such as 1..7"}
_RANKS = {"linear": "steps between labels", "quadratic": "squared steps between labels"}
_OF_GAMMA: Mapping[str, tuple[str, ...]] = {"with_gamma": ()}

SETTINGS: Mapping[str, Setting] = _table(
    [
        Setting(
            "measures",
            "measures",
            "Names of measures; without it all that apply.",
            metavar="NAMES",
            option="--measure",
        ),
        Setting(
            "window",
            "count",
            "Window of Pk and WindowDiff, in atoms (half the mean segment of the reference).",
            metavar="ATOMS",
            least=1,
            advanced=True,
        ),
        Setting(
            "convention",
            "choice",
            "Windows within the text, or one more as in NLTK (papers).",
            default="papers",
            meanings={"papers": "windows within the text", "nltk": "one more window, as in NLTK"},
            advanced=True,
        ),
        Setting(
            "near",
            "count",
            "Places that a near miss of B and S may span; 2 is one place off (2).",
            metavar="PLACES",
            least=1,
            title="Near misses",
            default=2,
        ),
        Setting(
            "insertion",
            "cost",
            "Hamming cost of a missing boundary (2).",
            title="Cost of an insertion",
            default=2.0,
            advanced=True,
        ),
        Setting(
            "deletion",
            "cost",
            "Hamming cost of a surplus boundary (2).",
            title="Cost of a deletion",
            default=2.0,
            advanced=True,
        ),
        Setting(
            "shift",
            "cost",
            "Hamming cost of moving a boundary by one place (1).",
            title="Cost of a shift",
            default=1.0,
            advanced=True,
        ),
        Setting(
            "atom",
            "cost",
            "Length of an atom, such as 0.5 seconds; bounds are rounded to atoms (1; for κ_d, a "
            "length that divides all positions).",
            metavar="LENGTH",
            above=0,
            title="Length of an atom",
        ),
        Setting(
            "gaps",
            "choice",
            "Reject stretches that no unit covers, or treat them as segments.",
            title="Gaps between units",
            default="raise",
            meanings={"raise": _REFUSED, "segments": "treat them as segments"},
        ),
        Setting(
            "distance",
            "distance",
            "Label distance of γ, α and cuα: nominal (1 or 0), ordinal, interval, ratio, "
            "circular, bipolar, edit, jaccard, dice, masi, masi-product, or a matrix.",
            title="Distance of labels",
            default="nominal",
            meanings=_DISTANCES,
            arguments=_OF_DISTANCES,
        ),
        Setting(
            "weights",
            "distance",
            "Cost of disagreements in κ, S and AC: linear, quadratic, a distance, or a matrix.",
            title="Weights of disagreements",
            meanings=_RANKS | _DISTANCES,
            arguments=_OF_DISTANCES,
        ),
        Setting(
            "order",
            "labels",
            "All labels from low to high, such as low,mid,high; not needed for numbers.",
            title="Labels from low to high",
            needs={"distance": ("ordinal",), "weights": ("ordinal", *_RANKS)},
        ),
        Setting(
            "categories",
            "count",
            "Number of categories that annotators could choose from, for S and AC; by default "
            "those in use.",
            least=1,
            title="Number of categories",
            advanced=True,
        ),
        Setting(
            "missing",
            "choice",
            "What has equal weight if values are missing: values (the default), items, pairs; "
            "or remove all items that not all annotators rated.",
            metavar="POLICY",
            title="Missing values",
            default="values",
            meanings={
                "values": "all values have equal weight",
                "items": "all items have equal weight",
                "pairs": "all pairs have equal weight",
                "remove": "remove incomplete items",
            },
        ),
        Setting(
            "clusters",
            "column",
            "Column with the cluster of each item, such as a text; for intervals over clusters.",
            metavar="COLUMN",
            title="Clusters of items",
            advanced=True,
        ),
        Setting(
            "resamples",
            "count",
            "Number of resamples of the items, for intervals.",
            least=1,
            most=_MOST,
            title="Resamples for intervals",
        ),
        Setting(
            "method",
            "choice",
            "Method for the interval from the resamples (percentile).",
            title="Kind of interval",
            default="percentile",
            meanings={
                "percentile": "quantiles of the resamples",
                "bca": "corrected for bias and skewness",
                "krippendorff": "Krippendorff's bootstrap of α",
            },
            needs={"resamples": ()},
            advanced=True,
        ),
        Setting(
            "permutations",
            "count",
            "Number of permutations of the labels, for p-values.",
            title="Permutations for p-values",
            advanced=True,
        ),
        Setting(
            "generation",
            "choice",
            "Version: uα, |uα, cuα and (k)uα of 2016; uα of 2013, which the γ paper uses; or αU of "
            "1995.",
            title="Generation of α",
            default="2016",
            meanings={
                "2016": "uα, |uα, cuα and (k)uα",
                "2013": "uα of the γ paper",
                "1995": "αU",
            },
        ),
        Setting(
            "overlap",
            "choice",
            "What to do with units of one annotator that overlap, for alphas and κ_d: reject "
            "them, merge those of the same label, split them into pieces with sets of labels, or "
            "keep them, for cuα of all intersections.",
            title="Overlapping units of an annotator",
            default="raise",
            meanings={
                "raise": _REFUSED,
                "merge": "merge those of the same label",
                "split": "split them into pieces",
                "keep": "keep them, for cuα of all intersections",
            },
        ),
        Setting(
            "relation",
            "choice",
            "Correlate ranks, or fit a line.",
            title="Relation to the outcome",
            default="rank",
            meanings={"rank": "correlation of ranks", "linear": "slope of a line"},
        ),
        Setting(
            "scope",
            "choice",
            "With clusters: relate their means, or cases within them.",
            title="Scope of clusters",
            default="between",
            meanings={"between": "means of clusters", "within": "cases within clusters"},
        ),
        Setting(
            "unshared",
            "choice",
            "What to do with mentions that not all annotators marked: keep them as they are, make "
            "them chains of one mention, or leave them out.",
            metavar="POLICY",
            title="Mentions not all marked",
            default="as-marked",
            meanings={
                "as-marked": "keep them where they are marked",
                "singletons": "make them chains of one mention",
                "left-out": "leave them out",
            },
        ),
        Setting(
            "tolerance",
            "cost",
            "Collar: the maximum difference between bounds that count as equal.",
            metavar="COLLAR",
            default=0.0,
        ),
        Setting(
            "mapping",
            "mapping",
            "Find a mapping of labels, for all documents or for each; or give it, as in s1=ann.",
            metavar="best|by-document|A=B,…",
            title="Mapping of labels",
            meanings={
                "best": "find one mapping for all documents",
                "by-document": "find a mapping for each document",
            },
        ),
        Setting(
            "dissimilarity",
            "dissimilarity",
            "The dissimilarity of two units.",
            option="–",
            needs=_OF_GAMMA,
        ),
        Setting(
            "position",
            "cost",
            "Weight of differences in position (1; 3 for gamma-software and gamma-2017).",
            metavar="WEIGHT",
            title="Weight of position",
            default=1.0,
        ),
        Setting(
            "label",
            "cost",
            "Weight of differences between labels (1; 2 for gamma-2017).",
            metavar="WEIGHT",
            title="Weight of labels",
            default=1.0,
        ),
        Setting(
            "empty",
            "cost",
            "Cost of a place where an annotator has no unit (1).",
            above=0,
            title="Cost of a missing unit",
            default=1.0,
        ),
        Setting(
            "power",
            "cost",
            "Power of the distance between positions (2).",
            metavar="NUMBER",
            above=0,
            title="Power of positions",
            default=2.0,
            advanced=True,
        ),
        Setting(
            "shape",
            "choice",
            "How positions are compared: eq. 3 of the γ paper, or 1 − intersection/union (bounds).",
            title="Comparison of positions",
            default="bounds",
            meanings={
                "bounds": "distances of starts and ends, eq. 3",
                "intersection": "1 − intersection/union",
            },
            advanced=True,
        ),
        Setting(
            "steep",
            "flag",
            "Forbid pairs of totally different labels.",
            title="Never align different labels",
            default=False,
            advanced=True,
        ),
        Setting(
            "soft",
            "flag",
            "A unit may be in more than one group of the alignment.",
            title="Soft alignment",
            default=False,
            advanced=True,
        ),
        Setting(
            "gap_tolerance",
            "cost",
            "Tolerated relative gap of the disorder to the optimum, such as 0.001 (0).",
            metavar="PART",
            least=0,
            below=1,
            example="0.001",
            title="Tolerated gap",
            default=0.0,
            advanced=True,
        ),
        Setting(
            "time_limit",
            "cost",
            "Seconds for one alignment; values then depend on the machine.",
            metavar="SECONDS",
            above=0,
            advanced=True,
        ),
        Setting(
            "chance",
            "choice",
            "How random annotations are generated: shift units, mix documents, draw from a fitted "
            "model, or as in the authors' program; the γ paper recommends corpus for several "
            "documents.",
            metavar="MODEL",
            title="Chance model",
            default="shift",
            meanings={
                "shift": "shift each annotator's units",
                "corpus": "mix documents",
                "statistical": "draw from a fitted model",
                "gamma-software": "as in the authors' program",
                "gamma-2017": "settings of the γcat paper",
            },
            needs=_OF_GAMMA,
        ),
        Setting(
            "chance_from",
            "names",
            "Annotators to draw from, such as those of a reference (all).",
            metavar="NAME,…",
            title="Annotators to draw from",
            advanced=True,
        ),
        Setting(
            "confidence",
            "share",
            "Confidence level of the intervals; for γ of its precision too.",
            example="0.95 for 95 %",
            default=0.95,
            advanced=True,
        ),
        Setting(
            "precision",
            "share",
            "Relative error of the expected disorder of γ, by the rule of the paper; by default "
            "draws are made until γ and γcat are precise, within a budget.",
            example="0.02 for 2 %",
            replaced_by="draws",
        ),
        Setting(
            "draws",
            "count",
            "A fixed number of draws instead of a precision.",
            title="Number of draws",
            needs=_OF_GAMMA,
            advanced=True,
        ),
        Setting(
            "rng",
            "seed",
            "Seed; the same seed gives the same values, random draws a new one.",
            metavar="N|random",
            option="--seed",
            key="seed",
            title="Seed",
            default=0,
            needs={"resamples": (), "permutations": (), **_OF_GAMMA},
        ),
        Setting(
            "with_gamma",
            "flag",
            "Compute γ too, which takes most of the time.",
            option="--no-gamma",
            title="With γ",
            default=True,
        ),
        Setting(
            "chance_precision",
            "share",
            "Relative error of the expected disorder of γ, by the rule of the paper; by default "
            "draws are made until γ and γcat are precise, within a budget.",
            option="--precision",
            example="0.02 for 2 %",
            title="Precision",
            needs=_OF_GAMMA,
            replaced_by="draws",
        ),
        Setting(
            "support",
            "share",
            "Share of the annotators who must have a unit of the consensus; at least two.",
            least=0,
            most=1,
            example="0.5 for half of them",
            default=0.5,
        ),
        Setting(
            "errors",
            "choices",
            "Errors: position, category, false_negative, false_positive, split (these five), and "
            "missing_boundary for segmentations.",
            choices=(
                *("position", "category", "false_negative", "false_positive", "split"),
                "missing_boundary",
            ),
            advanced=True,
        ),
        Setting("magnitude", "share", "Amount of errors, from 0 to 1.", least=0, most=1),
        Setting(
            "magnitudes",
            "shares",
            "Magnitudes at which to simulate, such as 0.1,0.2,0.5,1.",
            least=0,
            most=1,
            advanced=True,
        ),
        Setting("repeats", "count", "Annotation sets at each magnitude.", advanced=True),
        Setting(
            "annotators",
            "count",
            "Number of annotators to simulate.",
            option="--simulate",
            least=1,
            most=10_000,
        ),
        Setting(
            "position_factor",
            "cost",
            "Maximum shift of a boundary at magnitude 1, relative to the length of the unit.",
            metavar="NUMBER",
        ),
        Setting(
            "false_positive_factor",
            "cost",
            "Number of added units per unit of the reference at magnitude 1.",
            metavar="NUMBER",
        ),
        Setting("split_cap", "cost", "Number of cuts per unit at magnitude 1.", metavar="NUMBER"),
        Setting(
            "habits",
            "mapping",
            "Systematic errors of annotators, such as sim1:late=0.5;sim2:split=2,A>B.",
            metavar="NAME:HABIT,…",
        ),
        Setting(
            "prevalence",
            "choice",
            "Distribution of mistaken labels: as in the reference, or uniform.",
            choices=("reference", "uniform"),
        ),
        Setting(
            "closeness",
            "distance",
            "A label distance, or a FILE.csv with one: similar labels are confused more often.",
            metavar="DISTANCE|FILE",
        ),
        Setting(
            "certain",
            "labels",
            "Comma-separated labels that are never mistaken, such as A,B.",
            metavar="LIST",
        ),
        Setting(
            "intersections",
            "flag",
            "Compute cuα of units that overlap, from all their intersections.",
            default=False,
            advanced=True,
        ),
        Setting("measure", "text", "The coefficient, by name or alias.", metavar="NAME"),
        Setting(
            "width",
            "cost",
            "Target width of the confidence interval, such as 0.1.",
            metavar="NUMBER",
            above=0,
        ),
        Setting(
            "shares",
            "shares",
            "Comma-separated shares of the values to delete.",
            example="0.1 for 10 %",
        ),
        Setting(
            "most_groups",
            "count",
            "Maximum number of groups of units, those with the most disorder.",
            option="–",
            least=0,
            most=_MOST,
        ),
        Setting(
            "most_items",
            "count",
            "For ratings, the maximum number of items to list, those with the most disagreement.",
            option="–",
            least=0,
            most=_MOST,
            default=1000,
        ),
        Setting(
            "most_merges",
            "count",
            "Maximum number of label pairs to merge, one at a time; γ is computed again for each.",
            option="--merges",
            least=0,
            most=_MOST,
        ),
        Setting(
            "most_annotators",
            "count",
            "Maximum number of annotators to leave out, one at a time, in order of their disorder.",
            option="--leave-out",
            least=0,
            most=_MOST,
        ),
        Setting("workers", "count", "Number of threads; does not affect any value.", least=1),
        Setting("title", "text", "The heading of the page.", metavar="TEXT"),
        Setting(
            "gains",
            "flag",
            "Compute the gain from merging labels and leaving out annotators, which takes most of "
            "the time.",
            option="--no-gains",
            default=True,
        ),
        Setting(
            "charts",
            "flag",
            "Include charts in HTML; needs unisono[plot].",
            option="--no-charts",
            default=True,
        ),
        Setting(
            "theme",
            "choice",
            "Dark text on a light background, or light text on a dark background.",
            default="light",
            choices=("light", "dark"),
        ),
    ]
)
"""The settings by name."""

_ITEMS = "unisono.measures.items"
_KAPPAS = f"{_ITEMS}.kappas"
_FORMULAS = f"{_ITEMS}.coefficients"
_GAMMA = "unisono.measures.gamma.gamma:gamma"
_SEARCH = ("soft", "gap_tolerance")
_GAMMA_SETTINGS = (
    *("dissimilarity", "chance", "chance_from", "precision", "confidence", "draws"),
    *("rng", *_SEARCH, "time_limit"),
)
_UNITIZING = "unisono.measures.unitizing.alphas:unitizing_alpha"
_UNITIZING_SETTINGS = ("distance", "generation", "overlap", "order")
_SIDE_BY_SIDE = "unisono.studies.measure_table:measure_units"
_SEGMENTATION = "unisono.measures.segmentation"
_COMPARE = "unisono.measures.reference.compare:compare"
_COMPARE_SETTINGS = (
    *("tolerance", "mapping", "with_gamma", "dissimilarity", "chance", "chance_precision"),
    *("draws", "rng"),
)
_SLOTS = "unisono.measures.reference.slot_errors"
_CHAINS = "unisono.measures.chains"

MEASURES: Mapping[str, Measure] = _table(
    [
        Measure(
            name="gamma",
            symbol="γ",
            title="γ",
            latex=r"$\gamma$",
            meaning="where units are and what they are called",
            family="gamma",
            data="units",
            function=_GAMMA,
            settings=_GAMMA_SETTINGS,
            stochastic=True,
            references=("mathet2015unified",),
        ),
        Measure(
            name="gamma_cat",
            symbol="γcat",
            title="γcat",
            latex=r"$\gamma_{cat}$",
            subscript="cat",
            meaning="labels of units that were aligned",
            family="gamma",
            data="units",
            function=_GAMMA,
            part="gamma_cat",
            settings=_GAMMA_SETTINGS,
            stochastic=True,
            references=("mathet2017agreement",),
        ),
        Measure(
            name="gamma_k",
            symbol="γk",
            title="γk",
            latex=r"$\gamma_k$",
            subscript="k",
            meaning="one label, of units that were aligned",
            family="gamma",
            data="units",
            function=_GAMMA,
            part="gamma_k",
            by_label=True,
            settings=_GAMMA_SETTINGS,
            stochastic=True,
            references=("mathet2017agreement",),
        ),
        Measure(
            name="gamma_label",
            symbol="γ",
            title="γ of one label",
            latex=r"$\gamma$",
            meaning="where the units of one label are, counting missed ones",
            family="gamma",
            data="units",
            function="unisono.measures.gamma.gamma:gamma_by_label",
            part="by_label",
            by_label=True,
            settings=_GAMMA_SETTINGS,
            stochastic=True,
            references=("mathet2015unified",),
        ),
        Measure(
            name="u_alpha",
            symbol="uα",
            title="α for unitizing",
            latex=r"$_u\alpha$",
            subscript="u",
            meaning="where units are and what they are called, by length",
            family="unitizing",
            data="units",
            function=_UNITIZING,
            part="u_alpha",
            settings=_UNITIZING_SETTINGS,
            references=("krippendorff2016reliability",),
            ignores=frozenset({"ordered", "sets"}),
        ),
        Measure(
            name="u_alpha_binary",
            symbol="|uα",
            title="binary α for unitizing",
            latex=r"$_{|u}\alpha$",
            subscript="|u",
            meaning="where units are, by length",
            family="unitizing",
            data="units",
            function=_UNITIZING,
            part="u_alpha_binary",
            settings=_UNITIZING_SETTINGS,
            references=("krippendorff2016reliability",),
            ignores=frozenset({"labels", "ordered", "sets"}),
        ),
        Measure(
            name="u_alpha_coding",
            symbol="cuα",
            title="coding α for unitizing",
            latex=r"$_{cu}\alpha$",
            subscript="cu",
            meaning="labels where units meet, by length",
            family="unitizing",
            data="units",
            function=_UNITIZING,
            part="u_alpha_coding",
            settings=_UNITIZING_SETTINGS,
            aliases=("cu_alpha",),
            references=("krippendorff2016reliability",),
        ),
        Measure(
            name="u_alpha_k",
            symbol="(k)uα",
            title="α for unitizing of one label",
            latex=r"$_{(k)u}\alpha$",
            subscript="(k)u",
            meaning="one label, by length",
            family="unitizing",
            data="units",
            function=_UNITIZING,
            part="u_alpha_k",
            by_label=True,
            settings=_UNITIZING_SETTINGS,
            references=("krippendorff2016reliability",),
        ),
        Measure(
            name="kappa_d",
            symbol="κ_d",
            title="discretised κ",
            latex=r"$\kappa_d$",
            subscript="d",
            meaning="labels of atoms of the continuum",
            family="atoms",
            data="units",
            function="unisono.measures.unitizing.atoms:kappa_d",
            settings=("overlap", "atom"),
            references=("cohen1960coefficient",),
        ),
        Measure(
            name="boundary_similarity",
            symbol="B",
            title="boundary similarity",
            latex="$B$",
            meaning="boundaries, near misses counted in part",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.boundary_edits:boundary_similarity",
            settings=("near",),
            by_chance=None,
            low=0.0,
            aliases=("b",),
            references=("fournier2013evaluating",),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="boundary_similarity_pi",
            symbol="π of B",
            title="π of boundary similarity",
            latex=r"$\pi_B$",
            meaning="boundaries, near misses counted in part, beyond chance at the rate of all",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.boundary_edits:boundary_similarity",
            part="pi",
            settings=("near",),
            references=("fournier2013evaluating", "fournier2012segmentation"),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="boundary_similarity_kappa",
            symbol="κ of B",
            title="κ of boundary similarity",
            latex=r"$\kappa_B$",
            meaning="boundaries, near misses counted in part, beyond chance at each one's rate",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.boundary_edits:boundary_similarity",
            part="kappa",
            settings=("near",),
            references=("fournier2013evaluating", "fournier2012segmentation"),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="segmentation_similarity",
            symbol="S",
            title="segmentation similarity",
            latex="$S$",
            meaning="all places, near misses counted in part",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.boundary_edits:segmentation_similarity",
            settings=("near",),
            by_chance=None,
            low=0.0,
            aliases=("s",),
            references=("fournier2012segmentation",),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="segmentation_similarity_pi",
            symbol="π of S",
            title="π of segmentation similarity",
            latex=r"$\pi_S$",
            meaning="all places, near misses counted in part, beyond chance at the rate of all",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.boundary_edits:segmentation_similarity",
            part="pi",
            settings=("near",),
            references=("fournier2012segmentation",),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="segmentation_similarity_kappa",
            symbol="κ of S",
            title="κ of segmentation similarity",
            latex=r"$\kappa_S$",
            meaning="all places, near misses counted in part, beyond chance at each one's rate",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.boundary_edits:segmentation_similarity",
            part="kappa",
            settings=("near",),
            references=("fournier2012segmentation",),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="pk",
            symbol="Pk",
            title="Pk",
            latex="$P_k$",
            subscript="k",
            meaning="whether two places are in one segment",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.windows:pk",
            settings=("window", "convention"),
            perfect=0.0,
            by_chance=None,
            low=0.0,
            references=("beeferman1999statistical",),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="window_diff",
            symbol="WindowDiff",
            title="WindowDiff",
            latex="WindowDiff",
            meaning="numbers of boundaries in a window",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.windows:window_diff",
            settings=("window", "convention"),
            perfect=0.0,
            by_chance=None,
            low=0.0,
            aliases=("wd", "windowdiff"),
            references=("pevzner2002critique",),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="generalized_hamming",
            symbol="Hamming",
            title="generalized Hamming distance",
            latex="Hamming",
            meaning="the cost of turning one segmentation into the other",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.hamming:generalized_hamming",
            settings=("insertion", "deletion", "shift"),
            perfect=0.0,
            by_chance=None,
            low=0.0,
            aliases=("ghd", "hamming"),
            references=("bookstein2002generalized",),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="percent_agreement",
            symbol="%",
            title="percent agreement",
            latex=r"\%",
            meaning="pairs of equal labels",
            family="items",
            data="items",
            function=f"{_KAPPAS}:percent_agreement",
            formula=f"{_FORMULAS}:PercentAgreement",
            settings=("missing",),
            by_chance=None,
            low=0.0,
            aliases=("percent", "raw_agreement", "observed_agreement"),
        ),
        Measure(
            name="krippendorff_alpha",
            symbol="α",
            title="Krippendorff's α",
            latex=r"$\alpha$",
            meaning="labels of given items, at any distance",
            family="items",
            data="items",
            function=f"{_ITEMS}.alpha:krippendorff_alpha",
            formula=f"{_FORMULAS}:KrippendorffAlpha",
            settings=("distance", "missing", "order"),
            aliases=("alpha", "krippendorff"),
            references=("krippendorff2011computing",),
        ),
        Measure(
            name="cohen_kappa",
            symbol="κ",
            title="Cohen's κ",
            latex=r"$\kappa$",
            meaning="labels of given items, chance from each annotator's own labels",
            family="items",
            data="items",
            function=f"{_KAPPAS}:cohen_kappa",
            formula=f"{_FORMULAS}:CohenKappa",
            settings=("weights", "missing", "order"),
            aliases=(
                *("kappa", "cohen", "weighted_kappa", "light", "light_kappa"),
                *("komen", "komen_kappa"),
            ),
            references=("cohen1960coefficient",),
        ),
        Measure(
            name="scott_pi",
            symbol="π",
            title="Scott's π",
            latex=r"$\pi$",
            meaning="labels of given items, chance from the labels of all",
            family="items",
            data="items",
            function=f"{_KAPPAS}:scott_pi",
            formula=f"{_FORMULAS}:ScottPi",
            settings=("missing",),
            for_more="fleiss_kappa",
            aliases=("pi", "scott"),
            references=("scott1955reliability",),
        ),
        Measure(
            name="fleiss_kappa",
            symbol="K",
            title="Fleiss' κ",
            latex="$K$",
            meaning="labels of given items by many annotators, chance from the labels of all",
            family="items",
            data="items",
            function=f"{_KAPPAS}:fleiss_kappa",
            formula=f"{_FORMULAS}:FleissKappa",
            settings=("missing",),
            aliases=("fleiss", "multi_pi", "siegel_castellan", "siegel_castellan_k", "k"),
            references=("fleiss1971measuring",),
        ),
        Measure(
            name="conger_kappa",
            symbol="β",
            title="Conger's κ",
            latex=r"$\beta$",
            meaning="labels of given items by many annotators, chance from each one's own labels",
            family="items",
            data="items",
            function=f"{_KAPPAS}:conger_kappa",
            formula=f"{_FORMULAS}:CongerKappa",
            settings=("weights", "missing", "order"),
            aliases=(
                *("conger", "multi_kappa", "hubert", "hubert_kappa"),
                *("beta", "artstein_poesio_beta"),
            ),
            references=("conger1980integration",),
        ),
        Measure(
            name="bennett_s",
            symbol="S",
            title="Bennett's S",
            latex="$S$",
            meaning="labels of given items, all labels equally likely by chance",
            family="items",
            data="items",
            function=f"{_KAPPAS}:bennett_s",
            formula=f"{_FORMULAS}:BennettS",
            settings=("weights", "categories", "missing", "order"),
            aliases=(
                *("s", "bennett", "g_index", "randolph", "randolph_kappa"),
                *("free_marginal_kappa", "brennan_prediger"),
            ),
            references=("bennett1954communications",),
        ),
        Measure(
            name="gwet_ac",
            symbol="AC1",
            title="Gwet's AC",
            latex="AC1",
            meaning="labels of given items, chance only where items are hard",
            family="items",
            data="items",
            function=f"{_KAPPAS}:gwet_ac",
            formula=f"{_FORMULAS}:GwetAC",
            settings=("weights", "categories", "missing", "order"),
            aliases=("gwet", "ac1", "ac2", "gwet_ac1", "gwet_ac2"),
            references=("gwet2008computing",),
        ),
        Measure(
            name="f1",
            symbol="F1",
            title="F1 score",
            latex="$F_1$",
            subscript="1",
            meaning="units of a reference that a hypothesis has, and the other way round",
            family="reference",
            data="reference",
            function=_COMPARE,
            part="exact",
            settings=_COMPARE_SETTINGS,
            by_chance=None,
            low=0.0,
            ignores=frozenset({"ordered", "sets"}),
        ),
        Measure(
            name="slot_error_rate",
            symbol="SER",
            title="slot error rate",
            latex="SER",
            meaning="errors of a hypothesis, for each unit of a reference",
            family="reference",
            data="reference",
            function=f"{_SLOTS}:slot_error_rate",
            settings=("tolerance",),
            perfect=0.0,
            by_chance=None,
            low=0.0,
            references=("makhoul1999performance",),
            invariant=frozenset({"labels", "rows"}),
        ),
        Measure(
            name="slot_error_agreement",
            symbol="1 − SER",
            title="1 − slot error rate, mean over pairs",
            latex="$1 - $SER",
            meaning="errors of one annotator, where another is taken for right",
            family="reference",
            data="units",
            function=f"{_SLOTS}:slot_error_agreement",
            settings=("tolerance",),
            by_chance=None,
            references=("makhoul1999performance",),
        ),
        Measure(
            name="pairwise_f1",
            symbol="pairwise F1",
            title="F1, mean over pairs of annotators",
            latex="pairwise $F_1$",
            subscript="1",
            meaning="units that both annotators of a pair marked and labelled the same",
            family="reference",
            data="units",
            function="unisono.measures.reference.pairwise_f1:pairwise_f1",
            settings=("tolerance",),
            by_chance=None,
            low=0.0,
            references=("hripcsak2005agreement",),
        ),
        Measure(
            name="pairwise_f1_label",
            symbol="F1",
            title="F1 of one label, mean over pairs of annotators",
            latex="$F_1$",
            subscript="1",
            meaning="units of one label that both annotators of a pair marked",
            family="reference",
            data="units",
            function="unisono.measures.reference.pairwise_f1:pairwise_f1",
            part="by_label",
            by_label=True,
            settings=("tolerance",),
            by_chance=None,
            low=0.0,
            references=("hripcsak2005agreement",),
        ),
        Measure(
            name="antecedent_kappa",
            symbol="κ",
            title="κ of antecedents",
            latex=r"$\kappa$",
            meaning="which mention each mention refers back to, chance from each one's own habits",
            family="chains",
            data="chains",
            function=f"{_CHAINS}.chance:antecedent_kappa",
            settings=("unshared",),
            aliases=("komen", "kappa"),
            references=("komen2009fast",),
        ),
        Measure(
            name="chain_alpha",
            symbol="α",
            title="α of chains",
            latex=r"$\alpha$",
            meaning="the set of mentions that each mention is in, with a distance of sets",
            family="chains",
            data="chains",
            function=f"{_CHAINS}.chance:chain_alpha",
            settings=("distance", "unshared"),
            aliases=("alpha", "passonneau"),
            references=("passonneau2006measuring",),
        ),
        *(
            Measure(
                name=name,
                symbol=symbol,
                title=symbol,
                latex=latex,
                meaning=meaning,
                family="chains",
                data="chains",
                function=f"{_CHAINS}.scores:{name}",
                settings=("unshared",),
                by_chance=None,
                low=0.0,
                aliases=aliases,
                references=references,
            )
            for name, symbol, latex, meaning, aliases, references in (
                (
                    *(
                        "muc",
                        "MUC",
                        "MUC",
                        "links to add or remove to turn chains into the other's",
                    ),
                    *((), ("vilain1995model",)),
                ),
                (
                    *("b_cubed", "B³", "B$^3$", "for each mention, what else is in its chain"),
                    *(("b3", "bcub"), ("bagga1998algorithms",)),
                ),
                (
                    *("ceaf_mentions", "CEAFm", "CEAF$_m$"),
                    "mentions in common of chains paired one to one",
                    *(("ceafm", "ceaf_m"), ("luo2005coreference",)),
                ),
                (
                    *("ceaf_entities", "CEAFe", "CEAF$_e$"),
                    "similarity of chains paired one to one, short and long alike",
                    *(("ceafe", "ceaf_e"), ("luo2005coreference",)),
                ),
                (
                    *("lea", "LEA score", "LEA", "links of each chain found, weighted by its size"),
                    *((), ("moosavi2016which",)),
                ),
                (
                    *("blanc", "BLANC", "BLANC"),
                    "pairs of mentions together, and pairs apart, each half",
                    *((), ("luo2014extension",)),
                ),
            )
        ),
    ]
)
"""The measures by name, in the order in which tables show them."""

_ALIGNED = ("dissimilarity", "chance", "precision", "draws", "rng")
_PLANNING = "unisono.studies.planning"
_ITEM_KEYWORDS: Mapping[str, Any] = {
    "passes": tuple(name for name, each in MEASURES.items() if each.data == "items"),
    "keywords": f"{_ITEMS}.keywords:ItemSettings",
}
_GAMMA_KEYWORDS = "unisono.measures.gamma.keywords"
_ERRORS = (
    *("errors", "overlap", "position_factor", "false_positive_factor", "split_cap", "prevalence"),
    *("closeness", "certain", "habits"),
)
_MAY_OVERLAP = Setting(
    "overlap",
    "flag",
    "Whether moved and added units of an annotator may overlap.",
    option="--no-overlap",
)
STUDIES: Mapping[str, Study] = _table(
    [
        Study(
            name="measure_items",
            function=f"{_ITEMS}.table:measure_items",
            settings=(
                *("measures", "distance", "weights", "categories", "missing", "order"),
                "confidence",
            ),
        ),
        Study(
            name="measure_segments",
            function=f"{_SEGMENTATION}.table:measure_segments",
            settings=(
                *("measures", "atom", "gaps", "window", "convention", "near"),
                *("insertion", "deletion", "shift"),
            ),
        ),
        Study(name="compare", function=_COMPARE, settings=_COMPARE_SETTINGS),
        Study(
            name="measure_chains",
            function=f"{_CHAINS}.table:measure_chains",
            settings=("measures", "unshared"),
        ),
        Study(
            name="measure_pyramids",
            function=f"{_CHAINS}.pyramids:measure_pyramids",
            settings=("unshared",),
            own=(replace(SETTINGS["unshared"], default="singletons"),),
        ),
        Study(
            name="bootstrap",
            function=f"{_ITEMS}.resampling:bootstrap",
            settings=("resamples", "confidence", "method", "rng"),
            **_ITEM_KEYWORDS,
        ),
        Study(
            name="bootstrap_values",
            function=f"{_ITEMS}.resampling:bootstrap_values",
            settings=("resamples", "method", "rng"),
            **_ITEM_KEYWORDS,
        ),
        Study(
            name="permutation_test",
            function=f"{_ITEMS}.resampling:permutation_test",
            settings=("permutations", "rng"),
            **_ITEM_KEYWORDS,
        ),
        Study(
            name="measure_units",
            function=_SIDE_BY_SIDE,
            settings=("distance", "overlap", "atom", "tolerance", *_ALIGNED),
        ),
        Study(
            name="consensus",
            function="unisono.studies.consensus:consensus",
            settings=(
                *("support", "distance", "order", "atom", "dissimilarity"),
                *(*_SEARCH, "time_limit"),
            ),
            of_ratings=("distance", "order"),
            own=(
                replace(
                    SETTINGS["support"],
                    help="Share of the annotators who must have a unit of the consensus, at least "
                    "two; for ratings, share of the votes of an item.",
                ),
                replace(
                    SETTINGS["atom"],
                    help="Round medians to multiples of this length, such as 1 for characters.",
                ),
            ),
        ),
        Study(
            name="advise",
            function="unisono.studies.advice:advise",
            settings=("dissimilarity", "most_groups", "most_merges", "most_annotators"),
            passes=("gamma",),
            keywords=f"{_GAMMA_KEYWORDS}:AdviceSettings",
        ),
        Study(
            name="diagnose",
            function="unisono.studies.diagnosis:diagnose",
            settings=("dissimilarity", "distance", "missing", "order", "most_items"),
            of_ratings=("distance", "missing", "order", "most_items"),
            passes=("gamma",),
            keywords=f"{_GAMMA_KEYWORDS}:DiagnosisSettings",
        ),
        Study(
            name="pairwise_agreement",
            function="unisono.studies.annotator_pairs:pairwise_agreement",
            settings=("rng",),
            passes=("gamma",),
            keywords=f"{_GAMMA_KEYWORDS}:PairwiseSettings",
        ),
        Study(
            name="compare_policies",
            function="unisono.studies.missing_values:compare_policies",
            settings=("shares", "measure", "repeats", "rng"),
            own=(replace(SETTINGS["repeats"], help="Number of random deletions per share."),),
            **_ITEM_KEYWORDS,
        ),
        Study(
            name="plan_items",
            function=f"{_PLANNING}:plan_items",
            settings=("width", "measure", "confidence", "resamples", "rng"),
            own=(
                replace(
                    SETTINGS["measure"],
                    help="For items, the coefficient, by name or alias (krippendorff_alpha).",
                ),
                replace(SETTINGS["resamples"], help="For items, resamples per sample size (1000)."),
            ),
            **_ITEM_KEYWORDS,
        ),
        Study(
            name="plan_documents",
            function=f"{_PLANNING}:plan_documents",
            settings=("width", "confidence", "rng"),
            passes=("gamma",),
            keywords=f"{_GAMMA_KEYWORDS}:PlanSettings",
        ),
        Study(
            name="reliability_study",
            function="unisono.studies.reliability:reliability_study",
            settings=("relation", "scope", "permutations", "resamples", "confidence", "rng"),
            own=(
                replace(
                    SETTINGS["permutations"],
                    help="Number of permutations for the p-value.",
                    default=9999,
                ),
                replace(
                    SETTINGS["resamples"],
                    help="Number of bootstrap resamples for the interval; 0 for none.",
                    least=0,
                    default=2000,
                ),
            ),
        ),
        Study(
            name="calibrate",
            function="unisono.simulation.calibration.calibrate:calibrate",
            settings=(
                *("errors", "magnitudes", "repeats", "support", "confidence"),
                *(*_ALIGNED, *_SEARCH),
            ),
            own=(
                replace(
                    SETTINGS["repeats"],
                    help="Annotation sets at each magnitude (12, for long documents down to 6).",
                    least=5,
                ),
                replace(SETTINGS["draws"], help="Number of draws for each simulated γ (5 to 20)."),
            ),
        ),
        Study(
            name="shuffle",
            function="unisono.simulation.shuffling.shuffle:shuffle",
            settings=("magnitude", "annotators", *_ERRORS, "rng"),
            own=(_MAY_OVERLAP,),
        ),
        Study(
            name="error_curves",
            function="unisono.simulation.error_curves:error_curves",
            settings=(
                *("measures", "errors", "magnitudes", "repeats", "annotators", "rng"),
                *("dissimilarity", "draws", "atom", "intersections", "confidence"),
            ),
            passes=(
                "shuffle",
                *(n for n, each in MEASURES.items() if each.data not in ("reference", "chains")),
            ),
            keywords="unisono.simulation.keywords:CurveSettings",
            own=(
                replace(
                    SETTINGS["measures"],
                    help="Comma-separated measures of units, segmentations or items (on atoms), "
                    "such as gamma,u_alpha_coding,kappa_d; by default all of units and "
                    "segmentations that apply.",
                ),
                replace(
                    SETTINGS["magnitudes"],
                    help="Number of magnitudes from 0 to 1, evenly spaced; or a list, such as "
                    "0,0.2,0.5.",
                    metavar="N|LIST",
                ),
                replace(SETTINGS["draws"], help="Number of draws for each γ."),
                replace(
                    SETTINGS["atom"],
                    help="Length of an atom, for measures on atoms and segments (1, or a tenth of "
                    "the mean unit if positions are not whole numbers).",
                ),
                _MAY_OVERLAP,
            ),
        ),
        Study(
            name="chart_spec",
            function="unisono.charts.save:chart_spec",
            settings=("theme",),
        ),
        Study(
            name="report",
            function="unisono.reports.report:report",
            settings=(
                *("title", "distance", "missing", "order", "overlap", "atom", "gains", "charts"),
                *_ALIGNED,
            ),
            of_ratings=("missing", "order"),
        ),
        Study(
            name="CombinedDissimilarity",
            function="unisono.measures.gamma.dissimilarity:CombinedDissimilarity",
            settings=("position", "label", "empty", "distance", "power", "steep", "shape"),
        ),
    ]
)
"""Public functions beside measures that have settings, and the class of the dissimilarity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskProperty:
    """A property of an annotation task that decides which measures fit."""

    name: str
    title: str
    """What holds for a task that has it."""
    lack: str
    """What a measure that does not take it into account does, after its symbol."""
    question: str = ""
    """The question to ask where data do not show it."""
    takes: str = ""
    """Its name in `Family.takes`, where it is the same for all measures of a family."""
    paper: str = ""
    """Its name in Tables 1 and 2 of Mathet, Widlöcher & Métivier (2015)."""


PROPERTIES: Mapping[str, TaskProperty] = _table(
    [
        TaskProperty(
            name="units",
            title="annotators decide where units are",
            lack="needs units that are given",
            question="Did annotators find the units, or were these given to them?",
            takes="places",
            paper="unitizing",
        ),
        TaskProperty(
            name="labels",
            title="units have labels",
            lack="ignores labels",
            takes="labels",
            paper="categorization",
        ),
        TaskProperty(
            name="nested",
            title="units of an annotator may lie in another",
            lack="does not support units in units",
            question="May a unit lie in another one of the same annotator?",
            takes="nesting",
            paper="embedding",
        ),
        TaskProperty(
            name="overlap",
            title="units of an annotator may overlap",
            lack="does not support overlap",
            question="May units of one annotator overlap?",
            takes="overlap",
            paper="free overlap",
        ),
        TaskProperty(
            name="sporadic",
            title="units leave gaps",
            lack="needs units that cover the whole text",
            takes="gaps",
            paper="sporadicity",
        ),
        TaskProperty(
            name="ordered",
            title="labels have an order",
            lack="counts every two labels as equally different",
            question="Do labels have an order, such as low, middle, high?",
            paper="weighted",
        ),
        TaskProperty(
            name="sets",
            title="a unit may have several labels",
            lack="counts sets of labels as equal or different",
            paper="weighted (category overlap)",
        ),
        TaskProperty(
            name="many",
            title="three annotators or more",
            lack="is for two annotators",
            paper="# annotators ≥ 3",
        ),
        TaskProperty(
            name="documents",
            title="several documents",
            lack="is for one document",
        ),
        TaskProperty(
            name="reference",
            title="one side is right",
            lack="treats all annotators alike",
            question="Is one of the annotators a reference for the others?",
        ),
        TaskProperty(
            name="chains",
            title="labels name groups that annotators made",
            lack="takes names of groups for labels",
            question="Do labels name groups, such as coreference chains?",
            takes="chains",
        ),
    ]
)
"""Properties of annotation tasks by name, those of the paper first."""


class Task(NamedTuple):
    """An annotation task of Table 1 of Mathet, Widlöcher & Métivier (2015), by its Appendix A."""

    name: str
    has: frozenset[str]
    may_have: frozenset[str] = frozenset()

    def matches(self, properties: Iterable[str]) -> bool:
        """Return whether it has these properties, of those that the paper tells of tasks."""
        known = {"units", "labels", "nested", "overlap", "sporadic"}.intersection(properties)
        return self.has <= known <= self.has | self.may_have


def _task(name: str, has: str, may_have: str = "") -> Task:
    return Task(name, frozenset(has.split()), frozenset(may_have.split()))


TASKS: tuple[Task, ...] = (
    _task("part of speech", "labels"),
    _task("gene renaming", "labels"),
    _task("word sense", "labels sporadic"),
    _task("named entity", "units labels sporadic", "nested overlap"),
    _task("argumentative zoning", "labels"),
    _task("discourse framing", "units labels sporadic", "nested"),
    _task("communicative behavior", "units labels sporadic", "nested overlap"),
    _task("dialog act", "labels", "units sporadic nested overlap"),
    _task("topic segmentation", "units"),
    _task("hierarchical topic segmentation", "units nested"),
    _task("topic transition", "units labels nested overlap", "sporadic"),
    _task("enumerative structures", "units labels sporadic nested"),
)
"""The tasks of the paper in its order; what Appendix A leaves open, a task may have."""


class PaperRow(NamedTuple):
    """What Mathet, Widlöcher & Métivier (2015) say of a measure of their Table 2, and where.

    The marks of the table are not readable in the copies of the paper that were available, so these
    are statements of its text, and what the text does not state is left open.
    """

    name: str
    """The row of Table 2."""
    measures: tuple[str, ...]
    has: Mapping[str, str]
    """The constraints that it satisfies, each with section and page."""
    lacks: Mapping[str, str] = {}
    differs: Mapping[str, str] = {}
    """Where the measure here is not that of the paper, and how."""

    def __str__(self) -> str:
        parts = [self.name, ": " * bool(self.has), _with_places(self.has)]
        if self.lacks:
            parts.append(f"; not {_with_places(self.lacks)}")
        return "".join(parts)


def _with_places(statements: Mapping[str, str]) -> str:
    by_place: dict[str, list[str]] = {}
    for constraint, place in statements.items():
        by_place.setdefault(place, []).append(constraint)
    return ", ".join(f"{', '.join(names)} ({place})" for place, names in by_place.items())


CONSTRAINTS: Mapping[str, tuple[str, ...]] = {
    "categorizing": ("labels",),
    "segmentation": (),
    "unitizing": ("units",),
    "overlap": ("nested", "overlap"),
    "weighted": ("ordered",),
    "chance correction": (),
    "alignment": (),
    "≥ 3 annotators": ("many",),
}
"""The columns of Table 2, with the properties of a task that they stand for."""

_SECTION_3 = "§3.2, p. 443"
PAPER_ROWS: tuple[PaperRow, ...] = (
    PaperRow(
        "κ, π",
        ("cohen_kappa", "scott_pi"),
        {"categorizing": _SECTION_3, "chance correction": _SECTION_3},
    ),
    PaperRow(
        "multi-π, multi-κ",
        ("fleiss_kappa", "conger_kappa"),
        dict.fromkeys(("categorizing", "chance correction", "≥ 3 annotators"), _SECTION_3),
    ),
    PaperRow(
        "weighted κ",
        ("cohen_kappa",),
        dict.fromkeys(("categorizing", "weighted", "chance correction"), _SECTION_3),
    ),
    PaperRow(
        "α",
        ("krippendorff_alpha",),
        dict.fromkeys(("categorizing", "weighted", "chance correction"), _SECTION_3),
    ),
    PaperRow(
        "WindowDiff",
        ("window_diff",),
        {"segmentation": "§3.3, p. 444"},
        dict.fromkeys(("categorizing", "overlap", "chance correction"), "§3.3, p. 444"),
    ),
    PaperRow(
        "GHD",
        ("generalized_hamming",),
        {"segmentation": "§3.3, p. 444"},
        dict.fromkeys(("categorizing", "overlap", "chance correction"), "§3.3, p. 444"),
    ),
    PaperRow(
        "modified SER",
        ("slot_error_agreement",),
        dict.fromkeys(("categorizing", "unitizing", "alignment"), "§3.4.2, pp. 445–446"),
        {"chance correction": "§3.4.2, p. 446", "≥ 3 annotators": "§7, p. 474"},
        {"≥ 3 annotators": "here the mean over pairs of annotators"},
    ),
    PaperRow(
        "uα",
        ("u_alpha",),
        dict.fromkeys(("categorizing", "unitizing", "chance correction"), "§3.4.3, p. 446"),
        {"overlap": "§3.4.3, p. 447, and §6.1.8, p. 465", "weighted": "§6.1.2, p. 462"},
    ),
    PaperRow(
        "c|uα",
        ("u_alpha_coding",),
        {
            "categorizing": "§3.4.3, p. 447",
            "weighted": "§6.1.2, p. 462",
            "chance correction": "§3.4.3, p. 446",
        },
        {"overlap": "§3.4.3, p. 447, and §6.1.8, p. 465"},
    ),
    PaperRow(
        "discretizing measure",
        ("kappa_d",),
        {"categorizing": "§3.4.1, p. 444"},
        {"overlap": "§3.4.1, p. 445"},
    ),
    PaperRow(
        "γ",
        ("gamma",),
        {
            **dict.fromkeys(("categorizing", "unitizing", "overlap"), "§7, p. 474"),
            "weighted": "§4.4.3, p. 452",
            **dict.fromkeys(("chance correction", "alignment", "≥ 3 annotators"), "§7, p. 474"),
        },
    ),
)
"""The measures of Table 2 about which the text says something; it does not on F-measure."""


def measures_of(family: str) -> tuple[Measure, ...]:
    """Return the measures of a family that a function computes, without parts of its result."""
    return tuple(
        measure for measure in MEASURES.values() if measure.family == family and not measure.part
    )


def measures_taking(*data: Data) -> list[Measure]:
    """Return the measures of some kinds of data, one kind after the other."""
    return [each for kind in data for each in MEASURES.values() if each.data == kind]


def check_setting(name: str, value: object, *, of: str = "") -> None:
    """Raise an error unless a value is valid for a setting, as it is in a study if one is named."""
    found = STUDIES[of].setting(name) if of else SETTINGS[name]
    found.check(value)


def check_settings(
    given: Mapping[str, object], optional: Mapping[str, object] | None = None, *, of: str = ""
) -> None:
    """Check settings by name; ``None`` is valid for the optional ones."""
    found = {name: value for name, value in (optional or {}).items() if value is not None}
    for name, value in {**given, **found}.items():
        check_setting(name, value, of=of)


def measure_named(text: str, among: Iterable[Measure]) -> Measure:
    """Return the measure with a name or an alias; an error lists the names and a suggestion."""
    choices = {measure.name: measure for measure in among}
    aliases = {alias: measure for measure in choices.values() for alias in measure.aliases}
    name = text.strip().lower().replace("-", "_").replace(" ", "_")
    found = choices.get(name) or aliases.get(name)
    several = [measure.name for measure in choices.values() if name in measure.aliases]
    if name not in choices and len(several) > 1:
        msg = f"{text!r} is an alias of several measures; choose one of {', '.join(several)}"
        raise SettingError(msg)
    if found is None:
        meant = did_you_mean(name, (*choices, *aliases))
        msg = (
            f"unknown measure {text!r}; choose one of {', '.join(choices)}, or an alias: "
            f"{', '.join(aliases)}{meant}"
        )
        raise SettingError(msg)
    return found


def settings_by_measure(
    measures: Iterable[Measure], given: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return the given settings of each measure; raise an error for a setting that none has."""
    chosen = list(measures)
    for name in given:
        if not any(name in measure.settings for measure in chosen):
            users = [measure for measure in MEASURES.values() if name in measure.settings]
            families = {measure.family for measure in chosen}
            near = [measure for measure in users if measure.family in families] or users
            # The first of the measures with the same function.
            by_function = {measure.function: measure.name for measure in reversed(near)}
            msg = (
                f"{setting(name)} is not for {', '.join(measure.name for measure in chosen)}; "
                f"it is for {', '.join(reversed(by_function.values()))}"
            )
            raise SettingError(msg)
    return {
        measure.name: {name: given[name] for name in measure.settings if name in given}
        for measure in chosen
    }
