"""The measures and their settings: one entry each, as data.

Everything that lists measures reads these tables: functions that take the name of a measure, the
command line, the service, tables, reports and the documentation. Functions are named as
``"module:function"`` and imported by `Measure.load`, so that reading the tables loads nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unisono.errors import SettingError, did_you_mean, setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = [
    "FAMILIES",
    "MEASURES",
    "SETTINGS",
    "Family",
    "Measure",
    "Setting",
    "measure_named",
    "measures_of",
    "settings_by_measure",
]

Data: TypeAlias = Literal["units", "items", "segments", "reference"]
"""What a measure takes: units of a continuum, labels of items, segmentations, or a reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting of measures: the keyword in Python, the key over HTTP, the option in a command."""

    name: str
    help: str
    """One sentence for ``--help`` and for the schema of the service."""
    kind: Literal["count", "cost", "share", "choice", "distance", "labels", "text"]
    choices: tuple[str, ...] = ()
    metavar: str = ""
    """What stands for the value in ``--help``."""

    @property
    def option(self) -> str:
        """The option of the command line."""
        return f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Measures that one command computes together, and what data they can take."""

    name: str
    command: str
    takes: frozenset[str]
    """Of places, labels, overlap, nesting and gaps those that it knows, and chance."""
    shown: tuple[str, ...]
    """The measures that stand for the family in a sentence."""
    remark: str = ""

    @property
    def title(self) -> str:
        """The symbols of the measures that stand for it."""
        return ", ".join(MEASURES[name].symbol for name in self.shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A coefficient: its names, the function that computes it, and what is known of its values."""

    name: str
    """Its one identifier: in signatures, JSON, CSV, options and documentation."""
    symbol: str
    """How people write it."""
    title: str
    meaning: str
    """What it compares, in a few words."""
    family: str
    data: Data
    function: str
    """``"module:function"``."""
    part: str = ""
    """Where the value is in the result of the function, if it is not the result itself."""
    latex: str = ""
    settings: tuple[str, ...] = ()
    perfect: float = 1.0
    by_chance: float | None = 0.0
    """The value that chance has on average; ``None`` where it depends on the data."""
    low: float | None = None
    """The lowest value possible; ``None`` where there is no bound."""
    stochastic: bool = False
    aliases: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """Keys of works in the bibliography of reports."""
    invariant: frozenset[str] = frozenset({"annotators", "labels", "rows"})
    """What may be exchanged without a change of the value."""

    def load(self) -> Callable[..., Any]:
        """Import the function that computes it."""
        module, _, function = self.function.partition(":")
        loaded: Callable[..., Any] = getattr(import_module(module), function)
        return loaded

    def value(self, result: Any) -> Any:  # noqa: ANN401 - each measure has a result of its own
        """Return the measure's own part of what its function returned."""
        for step in self.part.split(".") if self.part else ():
            result = getattr(result, step)
        return result


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
            command="unitizing",
            takes=_NO_OVERLAP,
            shown=("kappa_d",),
            remark="depends on the atom",
        ),
        Family(
            name="segmentation",
            command="segments",
            takes=_NO_OVERLAP - {"labels", "gaps"},
            shown=("pk", "window_diff", "boundary_similarity", "segmentation_similarity"),
        ),
        Family(
            name="items",
            command="items",
            takes=_NO_OVERLAP - {"places"},
            shown=("krippendorff_alpha", "cohen_kappa", "gwet_ac"),
        ),
        Family(
            name="reference",
            command="compare",
            takes=_EVERYTHING - {"chance"},
            shown=("f1", "slot_error_rate"),
        ),
    ]
)
"""The families, the one that can take most first."""

SETTINGS: Mapping[str, Setting] = _table(
    [
        Setting(
            name="window",
            kind="count",
            metavar="ATOMS",
            help="Window of Pk and WindowDiff, in atoms (half the mean segment of the reference).",
        ),
        Setting(
            name="convention",
            kind="choice",
            choices=("papers", "nltk"),
            help="Windows within the text, or one more as NLTK has (papers).",
        ),
        Setting(
            name="near",
            kind="count",
            metavar="PLACES",
            help="Places that a near miss of B and S may span; 2 is one place off (2).",
        ),
        Setting(
            name="insertion",
            kind="cost",
            metavar="COST",
            help="Hamming cost of a boundary that is lacking (2).",
        ),
        Setting(
            name="deletion",
            kind="cost",
            metavar="COST",
            help="Hamming cost of a boundary too much (2).",
        ),
        Setting(
            name="shift",
            kind="cost",
            metavar="COST",
            help="Hamming cost of moving a boundary by one place (1).",
        ),
        Setting(
            name="distance",
            kind="distance",
            metavar="NAME|FILE.csv",
            help="Distance of labels, by name or as a matrix.",
        ),
        Setting(
            name="weights",
            kind="distance",
            metavar="NAME|FILE.csv",
            help="Weights of disagreements, by name or as a matrix of distances.",
        ),
        Setting(
            name="categories",
            kind="count",
            metavar="NUMBER",
            help="How many labels there are to choose from; without it those in the data.",
        ),
        Setting(
            name="missing",
            kind="choice",
            choices=("values", "items", "pairs", "remove"),
            help="What becomes of items that not all annotators rated.",
        ),
        Setting(
            name="order",
            kind="labels",
            metavar="LABELS",
            help="All labels from low to high, such as low,mid,high; numbers need none.",
        ),
        Setting(
            name="generation",
            kind="choice",
            choices=("2016", "2013", "1995"),
            help="uα, |uα, cuα and (k)uα of 2016; the uα that γ was compared with; or αU.",
        ),
        Setting(
            name="overlap",
            kind="choice",
            choices=("raise", "merge", "split"),
            help="What to do with units of one annotator that overlap.",
        ),
        Setting(
            name="tolerance",
            kind="cost",
            metavar="LENGTH",
            help="How far a border may be off and still count as right.",
        ),
        Setting(
            name="within",
            kind="cost",
            metavar="LENGTH",
            help="How far the borders of two units that are matched may be apart.",
        ),
        Setting(
            name="dissimilarity",
            kind="text",
            help="What it costs to align two units.",
        ),
        Setting(
            name="chance",
            kind="choice",
            choices=("shift", "corpus", "statistical", "gamma-software"),
            help="How random annotators are made.",
        ),
        Setting(
            name="soft",
            kind="text",
            help="Whether a unit may be in more than one group of the alignment.",
        ),
    ]
)
"""The settings by name."""

_ITEMS = "unisono.measures.items"
_KAPPAS = f"{_ITEMS}.kappas"
_GAMMA = "unisono.measures.gamma.gamma:gamma"
_GAMMA_SETTINGS = ("dissimilarity", "chance", "soft")
_UNITIZING = "unisono.measures.unitizing.alphas:unitizing_alpha"
_UNITIZING_SETTINGS = ("distance", "generation", "overlap", "order")
_SEGMENTATION = "unisono.measures.segmentation"
_SLOTS = "unisono.measures.reference.slot_errors"

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
            meaning="labels of units that were aligned",
            family="gamma",
            data="units",
            function=_GAMMA,
            part="cat",
            settings=_GAMMA_SETTINGS,
            stochastic=True,
            references=("mathet2017agreement",),
        ),
        Measure(
            name="gamma_k",
            symbol="γk",
            title="γk",
            latex=r"$\gamma_k$",
            meaning="one label, of units that were aligned",
            family="gamma",
            data="units",
            function=_GAMMA,
            part="by_label",
            settings=_GAMMA_SETTINGS,
            stochastic=True,
            references=("mathet2017agreement",),
        ),
        Measure(
            name="u_alpha",
            symbol="uα",
            title="α for unitizing",
            latex=r"$_u\alpha$",
            meaning="where units are and what they are called, by length",
            family="unitizing",
            data="units",
            function=_UNITIZING,
            part="u",
            settings=_UNITIZING_SETTINGS,
            references=("krippendorff2016reliability",),
        ),
        Measure(
            name="u_alpha_binary",
            symbol="|uα",
            title="binary α for unitizing",
            latex=r"$_{|u}\alpha$",
            meaning="where units are, by length",
            family="unitizing",
            data="units",
            function=_UNITIZING,
            part="binary",
            settings=_UNITIZING_SETTINGS,
            references=("krippendorff2016reliability",),
        ),
        Measure(
            name="u_alpha_coding",
            symbol="cuα",
            title="coding α for unitizing",
            latex=r"$_{cu}\alpha$",
            meaning="labels where units meet, by length",
            family="unitizing",
            data="units",
            function=_UNITIZING,
            part="coding",
            settings=_UNITIZING_SETTINGS,
            aliases=("cu_alpha",),
            references=("krippendorff2016reliability",),
        ),
        Measure(
            name="u_alpha_k",
            symbol="(k)uα",
            title="α for unitizing of one label",
            latex=r"$_{(k)u}\alpha$",
            meaning="one label, by length",
            family="unitizing",
            data="units",
            function=_UNITIZING,
            part="by_label",
            settings=_UNITIZING_SETTINGS,
            references=("krippendorff2016reliability",),
        ),
        Measure(
            name="kappa_d",
            symbol="κ_d",
            title="discretised κ",
            latex=r"$\kappa_d$",
            meaning="labels of atoms of the continuum",
            family="atoms",
            data="units",
            function="unisono.studies.measure_table:side_by_side",
            part="measures.kappa_d",
            references=("cohen1960coefficient",),
        ),
        Measure(
            name="pk",
            symbol="Pk",
            title="Pk",
            latex="$P_k$",
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
            aliases=("windowdiff", "wd"),
            references=("pevzner2002critique",),
            invariant=frozenset({"annotators", "rows"}),
        ),
        Measure(
            name="generalized_hamming",
            symbol="Hamming",
            title="generalized Hamming distance",
            latex="GHD",
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
            title="boundary similarity, corrected for chance",
            latex=r"$\pi_B$",
            meaning="boundaries, near misses counted in part, beyond chance",
            family="segmentation",
            data="segments",
            function=f"{_SEGMENTATION}.boundary_edits:boundary_similarity",
            part="pi",
            settings=("near",),
            references=("fournier2013evaluating",),
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
            name="percent_agreement",
            symbol="%",
            title="percent agreement",
            latex=r"\%",
            meaning="pairs of equal labels",
            family="items",
            data="items",
            function=f"{_KAPPAS}:percent_agreement",
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
            settings=("missing",),
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
            settings=("weights", "categories", "missing", "order"),
            aliases=("gwet", "ac1", "ac2", "gwet_ac1", "gwet_ac2"),
            references=("gwet2008computing",),
        ),
        Measure(
            name="f1",
            symbol="F1",
            title="F1 score",
            latex="$F_1$",
            meaning="units of a reference that a hypothesis has, and the other way round",
            family="reference",
            data="reference",
            function="unisono.measures.reference.compare:compare",
            part="exact.f1",
            settings=("within", "tolerance"),
            by_chance=None,
            low=0.0,
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
            settings=("within", "tolerance"),
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
    ]
)
"""The measures by name, in the order in which tables show them."""


def measures_of(family: str) -> tuple[Measure, ...]:
    """Return the measures of a family that a function computes, without parts of its result."""
    return tuple(
        measure for measure in MEASURES.values() if measure.family == family and not measure.part
    )


def measure_named(text: str, among: Iterable[Measure]) -> Measure:
    """Return the measure with a name or an alias; an error lists the names and a suggestion."""
    choices = {measure.name: measure for measure in among}
    aliases = {alias: measure for measure in choices.values() for alias in measure.aliases}
    name = text.strip().lower().replace("-", "_").replace(" ", "_")
    found = choices.get(name) or aliases.get(name)
    if found is None:
        meant = did_you_mean(name, (*choices, *aliases))
        msg = (
            f"unknown measure {text!r}; choose one of {', '.join(choices)}, or by another name "
            f"{', '.join(aliases)}{meant}"
        )
        raise SettingError(msg)
    return found


def settings_by_measure(
    measures: Iterable[Measure], given: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return for each measure those of the settings given that it has; none may be without use."""
    chosen = list(measures)
    for name in given:
        if not any(name in measure.settings for measure in chosen):
            families = dict.fromkeys(measure.family for measure in chosen)
            known = [measure for family in families for measure in measures_of(family)]
            users = [measure.name for measure in known if name in measure.settings]
            msg = (
                f"{setting(name)} is not for {', '.join(measure.name for measure in chosen)}; "
                f"it is for {', '.join(users)}"
            )
            raise SettingError(msg)
    return {
        measure.name: {name: given[name] for name in measure.settings if name in given}
        for measure in chosen
    }
