"""The cases of the golden record: every public measure and study on fixed data.

Only what `unisono` exports is used. Data are files, so that a change of the random stream moves no
data. `draws` and `rng` are always given; one case, ``gamma/stopping-rule``, leaves out `draws`
(and in `calibrate` only the simulated values have a fixed number of draws).

A renamed function or keyword is renamed here, and the identifier of the case stays. Numbers that
results hold beside their `to_dict` are taken by name in `_more`, and nowhere else.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import shutil
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import unisono as un
from golden.record import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"

# Values are the same bits on every processor (tests/unit/measures/test_processors.py). Ends of
# intervals and Monte Carlo intervals, circular distances and the statistical chance model use
# logarithms, sines and cosines, which processors and C libraries round differently:
# `PYTHONPATH=tests python -m golden processors` computes the record as other processors would.
_ROUNDED = 1e-12
# The entry with the longest beginning of a case's identifier counts.
TOLERANCES: dict[str, float] = {
    "items/": _ROUNDED,
    "items-uncertainty/": _ROUNDED,
    "unitizing/": _ROUNDED,
    # They hold coefficients of the families above, or means and covariances of simulated values.
    "study/side-by-side/": _ROUNDED,
    "study/report/": _ROUNDED,
    "simulation/curves/": _ROUNDED,
    "simulation/calibrate/": _ROUNDED,
    "simulation/reproduce/": _ROUNDED,
    "command/items": _ROUNDED,
    "command/unitizing/": _ROUNDED,
    "command/units/": _ROUNDED,
    "command/missing-policies/": _ROUNDED,
    "command/plan/": _ROUNDED,
    "command/curves/": _ROUNDED,
    "command/calibrate/": _ROUNDED,
    "command/reproduce/": _ROUNDED,
    "gamma/interval": _ROUNDED,
    "gamma/chance-statistical": _ROUNDED,
    "gamma/soft-chance-statistical": _ROUNDED,
    "gamma/dissimilarity-steep": _ROUNDED,
}


@dataclass(frozen=True)
class Case:
    """A question of the record; `tolerance` is 0 where the answer must be the same bit for bit."""

    name: str
    question: Callable[[], Any]

    @property
    def tolerance(self) -> float:
        """Return how far numbers may differ, relative for numbers above 1."""
        fitting = [beginning for beginning in TOLERANCES if self.name.startswith(beginning)]
        return TOLERANCES[max(fitting, key=len)] if fitting else 0.0

    def answer(self) -> Any:
        """Return the answer as plain data, computed in a folder with copies of the data."""
        with workspace():
            try:
                return plain(self.question())
            except Exception as error:
                error.add_note(f"in the case {self.name}")
                raise


def forgiving(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
    """Return the costs of pairs of units whose bounds may differ by one for nothing."""
    start = np.maximum(0, np.abs(u.starts - v.starts) - 1)
    end = np.maximum(0, np.abs(u.ends - v.ends) - 1)
    lengths = (u.ends - u.starts) + (v.ends - v.starts)
    costs: np.ndarray = ((start + end) / lengths) ** 2 + (u.label_codes != v.label_codes)
    return costs


@contextlib.contextmanager
def workspace() -> Iterator[None]:
    """Work in a new folder with the examples and the data of the record, which then goes away."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(EXAMPLES, Path(folder, "examples"))
        shutil.copytree(HERE / "data", Path(folder, "data"))
        with contextlib.chdir(folder):
            yield


@functools.cache
def _interview() -> un.Continuum:
    return un.read(EXAMPLES / "interview.csv")["interview"]


@functools.cache
def _corpus() -> un.Corpus:
    return un.read(EXAMPLES / "corpus", seen_by="corpus")


@functools.cache
def _twelve() -> un.Corpus:
    """Return enough documents for an interval."""
    return un.Corpus.from_continua(
        {f"{name} {copy}": text for copy in range(3) for name, text in _corpus().items()}
    )


@functools.cache
def _talks() -> un.Corpus:
    return un.read(HERE / "data/talks.csv")


def _noon() -> un.Continuum:
    return _talks()["noon"]


def _map() -> un.Continuum:
    return _places()["map"]


def _alike() -> un.Corpus:
    return _talks().rename(labels=dict.fromkeys(_talks().labels, "talk"))


def _graded() -> un.Corpus:
    return _places().rename(labels={"city": 1, "hill": 2, "river": 4})


@functools.cache
def _places() -> un.Corpus:
    return un.read(HERE / "data/places.csv")


@functools.cache
def _chapters() -> un.Corpus:
    return un.read(HERE / "data/chapters.csv", label=False)


@functools.cache
def _grades() -> un.Ratings:
    return un.read_ratings(HERE / "data/grades.csv", wide=True)


def _by_cluster() -> un.results.ItemsTable:
    clusters = {item: at // 2 for at, item in enumerate(_grades().items or ())}
    return un.measure_items(_grades(), clusters=clusters, confidence=0.9)


@functools.cache
def _votes() -> un.Ratings:
    return un.read_ratings(HERE / "data/votes.csv")


@functools.cache
def _politeness() -> un.Ratings:
    return un.read_ratings(EXAMPLES / "politeness.csv")


@functools.cache
def _topics() -> un.Ratings:
    return un.read_ratings(EXAMPLES / "topics.csv", wide=True, separator="|")


@functools.cache
def _near() -> un.DistanceMatrix:
    return un.DistanceMatrix.from_file(HERE / "data/near.csv")


def _units(data: un.Continuum | un.Corpus) -> Any:
    if isinstance(data, un.Continuum):
        return [[unit.annotator, unit.start, unit.end, unit.label] for unit in data.units]
    return {name: _units(continuum) for name, continuum in data.items()}


def _ratings(data: un.Ratings) -> Any:
    return {"annotators": data.annotators, "labels": data.labels, "matrix": data.matrix()}


def _more(result: Any) -> dict[str, Any]:
    """Return what a result holds beside its `to_dict`."""
    if isinstance(result, un.results.GammaAgreement):
        return {"alignment": None if result.alignment is None else _more(result.alignment)}
    if isinstance(result, un.results.Alignment):
        return {"indices": result.indices, "disorders": result.group_disorders}
    if isinstance(result, un.results.Diagnosis):
        return {"groups": result.group_parts}
    if isinstance(result, un.results.ShuffledContinuum):
        return {"units": _units(result.continuum), "origins": result.origins}
    if isinstance(result, un.results.ErrorCurves):
        return {"values": {curve.measure: curve.values for curve in result.curves.values()}}
    return {}


def counted(result: Any) -> dict[str, Any]:
    """Return the record of a result and what it holds beside it."""
    return {"record": result, "more": _more(result)}


def answered(result: Any) -> dict[str, Any]:
    """Return all that a result says: its record, what it holds beside it, and its texts."""
    texts = {"text": str(result)}
    if hasattr(result, "to_markdown"):
        texts["markdown"] = result.to_markdown()
    return counted(result) | texts


def _gamma() -> Iterator[tuple[str, Callable[[], Any]]]:
    def gamma(data: Callable[[], Any], **settings: Any) -> Callable[[], Any]:
        return lambda: counted(un.gamma(data(), **{"draws": 20, "rng": 7, **settings}))

    yield "interview", lambda: answered(un.gamma(_interview(), draws=20, rng=7))
    yield "documents", lambda: answered(un.gamma(_corpus(), draws=20, rng=7))
    yield "soft", gamma(_interview, soft=True)
    yield "by-label", lambda: answered(un.gamma_by_label(_interview(), draws=20, rng=7))
    yield "interval", gamma(_twelve)
    yield "interval-corpus-chance", gamma(_twelve, chance="corpus", confidence=0.9)
    yield "stopping-rule", gamma(_interview, draws=None, precision=0.1)
    yield "confidence", gamma(_interview, confidence=0.9)
    yield "chance-from", gamma(_interview, chance_from=["ines", "jonas"])
    yield "gap-tolerance", gamma(_interview, gap_tolerance=0.05)
    yield "corpus-of-units", gamma(lambda: un.read(EXAMPLES / "corpus"))
    for chance in ("shift", "corpus", "statistical", "gamma-software", "gamma-2017"):
        yield f"chance-{chance}", gamma(_talks, chance=chance)
    for chance in ("shift", "statistical", "gamma-software"):
        yield f"soft-chance-{chance}", gamma(_noon, chance=chance, soft=True)
    dissimilarities: dict[str, Any] = {
        "weights": un.CombinedDissimilarity(position=2.0, label=0.5, empty=0.75),
        "power": un.CombinedDissimilarity(power=1.5),
        "steep": un.CombinedDissimilarity(steep=True),
        "intersection": un.CombinedDissimilarity(shape="intersection"),
        "ordinal": un.CombinedDissimilarity(distance="ordinal"),
        "interval": un.CombinedDissimilarity(distance="interval"),
        "positional": un.PositionalDissimilarity(empty=0.8),
        "categorial": un.CategoricalDissimilarity(distance="interval"),
        "custom": un.CustomDissimilarity(cost=forgiving, name="forgiving"),
    }
    for name, dissimilarity in dissimilarities.items():
        yield f"dissimilarity-{name}", gamma(_noon, dissimilarity=dissimilarity)
    yield (
        "dissimilarity-matrix",
        gamma(_map, dissimilarity=un.CombinedDissimilarity(distance=_near())),
    )
    yield "undefined", gamma(lambda: _interview().only(annotators=["ines"]))


def _alignments() -> Iterator[tuple[str, Callable[[], Any]]]:
    for name, continuum in (("interview", _interview), ("noon", _noon)):
        for soft in (False, True):
            yield (
                f"{name}{'-soft' if soft else ''}",
                functools.partial(_aligned, continuum, soft=soft),
            )
    yield (
        "rows",
        lambda: list(un.best_alignment(_noon(), dissimilarity=un.CombinedDissimilarity()).rows()),
    )


def _aligned(continuum: Callable[[], un.Continuum], *, soft: bool) -> Any:
    return answered(un.best_alignment(continuum(), soft=soft))


# Which settings each coefficient on items takes.
_POLICIES = ("values", "items", "pairs", "remove")
_COEFFICIENTS: dict[str, tuple[dict[str, Any], ...]] = {
    "percent_agreement": ({},),
    "bennett_s": ({}, {"categories": 7}, {"weights": "linear"}),
    "scott_pi": ({},),
    "fleiss_kappa": ({},),
    "cohen_kappa": ({}, {"weights": "linear"}, {"weights": "quadratic"}),
    "conger_kappa": ({}, {"weights": "quadratic"}),
    "gwet_ac": ({}, {"weights": "quadratic"}, {"categories": 7}),
    "krippendorff_alpha": tuple(
        {"distance": d}
        for d in ("nominal", "ordinal", "interval", "ratio", "circular:6", "bipolar")
    ),
}


def _items() -> Iterator[tuple[str, Callable[[], Any]]]:
    # By name, so that a coefficient that is renamed is renamed in one place.
    functions: dict[str, Callable[..., Any]] = {
        "percent_agreement": un.percent_agreement,
        "bennett_s": un.bennett_s,
        "scott_pi": un.scott_pi,
        "fleiss_kappa": un.fleiss_kappa,
        "cohen_kappa": un.cohen_kappa,
        "conger_kappa": un.conger_kappa,
        "gwet_ac": un.gwet_ac,
        "krippendorff_alpha": un.krippendorff_alpha,
    }
    for name, variants in _COEFFICIENTS.items():
        data = _votes if name == "scott_pi" else _grades
        for policy, settings in itertools.product(_POLICIES, variants):
            own = "-".join(str(value).replace(":", "") for value in settings.values())
            yield (
                f"{name}{own and '-' + own}/{policy}",
                functools.partial(_coefficient, functions[name], data, policy, settings),
            )
    for distance, data in (
        ("edit", _votes),
        ("jaccard", _topics),
        ("dice", _topics),
        ("masi", _topics),
    ):
        settings = {"distance": distance}
        yield (
            f"krippendorff_alpha-{distance}/values",
            functools.partial(_coefficient, un.krippendorff_alpha, data, "values", settings),
        )
    yield "conger_kappa-votes", lambda: un.conger_kappa(_votes(), weights=_order_matrix())
    yield "krippendorff_alpha-function", lambda: un.krippendorff_alpha(_grades(), distance=_root)
    yield (
        "krippendorff_alpha-order",
        lambda: un.krippendorff_alpha(_votes(), distance="ordinal", order=["no", "maybe", "yes"]),
    )
    yield (
        "all-politeness",
        lambda: answered(un.measure_items(_politeness(), distance="ordinal", weights="quadratic")),
    )
    yield (
        "all-topics",
        lambda: answered(un.measure_items(_topics(), distance="masi", by_label=False)),
    )
    yield "all-votes", lambda: answered(un.measure_items(_votes(), by_pair=False, by_label=True))
    yield (
        "counts",
        lambda: un.fleiss_kappa(un.Ratings.from_counts([[3, 0], [2, 1], [0, 3], [1, 2]])),
    )
    yield (
        "set-distances",
        lambda: [
            function({"a", "b", "c"}, {"b", "c", "d"})
            for function in (un.jaccard_distance, un.dice_distance, un.masi_distance)
        ],
    )
    yield (
        "distance-table",
        lambda: [
            un.distance_matrix([1, 2, 5], "interval").tolist(),
            un.distance_signature("ordinal", [1, 2], [3, 4]),
        ],
    )
    yield (
        "partitions",
        lambda: answered(
            un.krippendorff_alpha(
                un.Ratings.from_partitions(
                    {
                        "eva": [["a", "b", "c"], ["d", "e"], ["f"]],
                        "finn": [["a", "b"], ["c"], ["d", "e", "f"]],
                    }
                ),
                distance="masi",
            )
        ),
    )
    yield (
        "discretized",
        lambda: answered(
            un.cohen_kappa(un.Ratings.from_continuum(_places(), atom=0.5), missing="values")
        ),
    )
    yield (
        "discretized-ratings",
        lambda: _ratings(un.Ratings.from_continuum(_places()["map"], atom=1)),
    )


def _coefficient(
    function: Callable[..., Any],
    data: Callable[[], un.Ratings],
    policy: str,
    settings: dict[str, Any],
) -> Any:
    # Values of labels and pairs are many: without weights or with a first distance they are enough.
    parts = None if not settings or settings == {"distance": "nominal"} else False
    return function(data(), missing=policy, by_label=parts, by_pair=parts, **settings)


def _root(left: Any, right: Any) -> float:
    return float(abs(left - right) ** 0.5)


def _order_matrix() -> un.DistanceMatrix:
    return un.DistanceMatrix(["maybe", "no", "yes"], [[0, 0.5, 0.5], [0.5, 0, 1], [0.5, 1, 0]])


def _uncertainty() -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "clusters", lambda: answered(_by_cluster())
    for measure, settings in (
        ("krippendorff_alpha", {"distance": "ordinal"}),
        ("conger_kappa", {}),
        ("cohen_kappa", {"weights": "linear"}),
        ("gwet_ac", {"weights": "quadratic"}),
        ("fleiss_kappa", {}),
        ("percent_agreement", {}),
    ):
        yield (
            f"bootstrap/{measure}",
            functools.partial(_resampled, un.bootstrap, measure, settings | {"resamples": 200}),
        )
        yield (
            f"permutation/{measure}",
            functools.partial(
                _resampled, un.permutation_test, measure, settings | {"permutations": 99}
            ),
        )
    yield (
        "bootstrap/values",
        lambda: un.bootstrap_values(_grades(), "fleiss_kappa", resamples=50, rng=3).tolist(),
    )
    yield (
        "bootstrap/bca",
        lambda: answered(
            un.bootstrap(
                _grades(), "krippendorff_alpha", resamples=200, rng=3, method="bca", confidence=0.9
            )
        ),
    )
    yield (
        "bootstrap/krippendorff",
        lambda: answered(
            un.bootstrap(
                _grades(), "krippendorff_alpha", resamples=200, rng=3, method="krippendorff"
            )
        ),
    )
    yield "plan/items", lambda: answered(un.plan_items(_grades(), width=0.2, resamples=100, rng=3))
    yield (
        "plan/items-kappa",
        lambda: answered(
            un.plan_items(_grades(), width=0.3, measure="conger_kappa", resamples=100, rng=3)
        ),
    )
    yield (
        "plan/documents",
        lambda: answered(un.plan_documents(_corpus(), width=0.2, rng=3, draws=20)),
    )
    yield (
        "missing-policies/percent_agreement",
        lambda: answered(un.compare_policies(_politeness(), shares=(0.1, 0.25), repeats=50, rng=3)),
    )
    yield (
        "missing-policies/krippendorff_alpha",
        lambda: answered(
            un.compare_policies(
                _politeness(),
                shares=0.2,
                measure="krippendorff_alpha",
                distance="ordinal",
                repeats=50,
                rng=3,
            )
        ),
    )


def _resampled(function: Callable[..., Any], measure: str, settings: dict[str, Any]) -> Any:
    return function(_grades(), measure, rng=3, by_label=False, by_pair=False, **settings)


def _lengths() -> Iterator[tuple[str, Callable[[], Any]]]:
    for generation in ("2016", "2013", "1995"):
        yield (
            f"alpha-{generation}",
            functools.partial(_unitizing, _places, generation=generation),
        )
    yield "alpha", lambda: answered(un.unitizing_alpha(_places()))
    yield "alpha-matrix", lambda: _unitizing(_places, distance=_near())
    yield "alpha-overlap-merge", lambda: _unitizing(_alike, overlap="merge")
    yield "alpha-overlap-split", lambda: _unitizing(_talks, overlap="split")
    yield "alpha-overlap-keep", lambda: _unitizing(_talks, overlap="keep")
    yield "alpha-interval", lambda: _unitizing(_graded, distance="interval")
    yield "kappa_d", lambda: answered(un.kappa_d(_places()))
    yield "kappa_d-overlap-split", lambda: answered(un.kappa_d(_talks(), overlap="split", atom=0.5))


def _unitizing(data: Callable[[], Any], **settings: Any) -> Any:
    return counted(un.unitizing_alpha(data(), **settings))


def _segments() -> Iterator[tuple[str, Callable[[], Any]]]:
    measures: dict[str, tuple[Callable[..., Any], tuple[dict[str, Any], ...]]] = {
        "pk": (un.pk, ({}, {"window": 4}, {"convention": "nltk"})),
        "window_diff": (un.window_diff, ({}, {"window": 4}, {"convention": "nltk"})),
        "generalized_hamming": (
            un.generalized_hamming,
            ({}, {"insertion": 1.5, "deletion": 3.0, "shift": 0.5}),
        ),
        "boundary_similarity": (un.boundary_similarity, ({}, {"near": 4})),
        "segmentation_similarity": (un.segmentation_similarity, ({}, {"near": 4})),
    }
    for name, (function, variants) in measures.items():
        for settings in variants:
            own = "-".join(map(str, settings.values()))
            yield (
                f"{name}{own and '-' + own}",
                functools.partial(_cut, function, settings),
            )
        yield f"{name}/two", functools.partial(_cut_twice, function)
    yield "masses", lambda: [each.masses for each in _two()]
    yield (
        "all",
        lambda: answered(un.measure_segments(un.read(EXAMPLES / "paragraphs.csv"), near=3)),
    )
    yield (
        "paragraphs",
        lambda: answered(
            un.pk(un.segmentations(un.read(EXAMPLES / "paragraphs.csv")["paragraphs"]))
        ),
    )


def _cut(function: Callable[..., Any], settings: dict[str, Any]) -> Any:
    return counted(function(un.segmentations(_chapters()), **settings))


def _cut_twice(function: Callable[..., Any]) -> Any:
    return counted(function(*_two()))


def _two() -> list[Any]:
    return list(un.segmentations(_chapters()["novel"]).values())[:2]


def _references() -> Iterator[tuple[str, Callable[[], Any]]]:
    def meeting() -> tuple[un.Corpus, un.Corpus]:
        gold = un.read(EXAMPLES / "meeting_gold.csv").rename(documents={"meeting_gold": "meeting"})
        system = un.read(EXAMPLES / "meeting_system.csv")
        return gold, system.rename(documents={"meeting_system": "meeting"})

    seeded: dict[str, Any] = {"draws": 20, "rng": 5}
    yield "meeting-best", lambda: answered(un.compare(*meeting(), mapping="best", **seeded))
    yield (
        "meeting-tolerance",
        lambda: answered(un.compare(*meeting(), tolerance=0.5, with_gamma=False)),
    )
    yield "within", lambda: counted(un.compare("eva", "finn", within=_talks(), **seeded))
    yield (
        "several",
        lambda: counted(
            un.compare(["eva", "gus"], "finn", within=_noon(), tolerance=1.0, with_gamma=False)
        ),
    )
    yield "slots", lambda: answered(un.slot_error_rate("eva", "finn", within=_talks()))
    yield "pairwise-f1", lambda: answered(un.pairwise_f1(_talks(), tolerance=0.25))
    yield "slots-agreement", lambda: answered(un.slot_error_agreement(_talks(), tolerance=0.25))


def _studies() -> Iterator[tuple[str, Callable[[], Any]]]:
    seeded: dict[str, Any] = {"draws": 20, "rng": 5}
    yield (
        "reliability",
        lambda: answered(
            un.reliability_study(
                *([0.2, 0.4, 0.5, 0.7, 0.8, 0.9, 0.3], [1, 3, 2, 4, 6, 5, 7]),
                permutations=99,
                resamples=50,
                rng=1,
            )
        ),
    )
    yield "side-by-side/corpus", lambda: answered(un.measure_units(_corpus(), **seeded))
    yield (
        "side-by-side/talks",
        lambda: answered(
            un.measure_units(_talks(), overlap="split", distance="interval", atom=0.25, **seeded)
        ),
    )
    yield "diagnose/interview", lambda: answered(un.diagnose(_interview(), **seeded))
    yield "diagnose/talks", lambda: answered(un.diagnose(_talks(), **seeded))
    yield (
        "diagnose/politeness",
        lambda: answered(un.diagnose(_politeness(), distance="ordinal", missing="pairs")),
    )
    yield "diagnose/topics", lambda: answered(un.diagnose(_topics(), distance="masi"))
    yield "advise/interview", lambda: answered(un.advise(_interview(), **seeded))
    yield "advise/corpus", lambda: answered(un.advise(_corpus(), most_merges=2, **seeded))
    yield "consensus/interview", lambda: answered(un.consensus(_interview()))
    yield "consensus/talks", lambda: answered(un.consensus(_talks(), support=0.6))
    yield "consensus/soft", lambda: answered(un.consensus(_corpus(), soft=True, atom=1))
    yield "consensus/politeness", lambda: answered(un.consensus(_politeness(), support=0.6))
    yield "consensus/median", lambda: answered(un.consensus(_politeness(), distance="interval"))
    yield "pairs/interview", lambda: answered(un.pairwise_agreement(_interview(), **seeded))
    yield "pairs/talks", lambda: answered(un.pairwise_agreement(_talks(), **seeded))
    yield "labels/talks", lambda: answered(un.label_confusions(un.gamma(_talks(), **seeded)))
    yield "labels/politeness", lambda: answered(un.label_confusions(_politeness()))
    yield "describe/corpus", lambda: un.describe(un.read("examples/corpus"))
    yield "describe/talks", lambda: un.describe(un.read("data/talks.csv"))
    yield "report/interview", lambda: _report(_interview).to_tex()
    yield (
        "report/politeness",
        lambda: un.report(_politeness(), distance="ordinal", charts=False).to_tex(),
    )
    yield "report/corpus", lambda: counted(_report(_corpus))


def _report(data: Callable[[], Any]) -> un.results.AgreementReport:
    found: un.results.AgreementReport = un.report(
        data(), title="Golden", draws=20, rng=5, charts=False
    )
    return found


def _right() -> un.Continuum:
    return _map().only(annotators=["eva"])


def _simulations() -> Iterator[tuple[str, Callable[[], Any]]]:
    errors: tuple[Any, ...] = ("position", "category", "false_negative", "false_positive", "split")
    yield "reference/plain", lambda: _units(un.generate_reference(12, rng=2))
    yield (
        "reference/overlap",
        lambda: _units(
            un.generate_reference(
                12, labels={"A": 3, "B": 1}, lengths=(1.0, 4.0), overlap=True, extent=50.0, rng=2
            )
        ),
    )
    yield "shuffle/all", lambda: answered(un.shuffle(_right(), magnitude=0.5, rng=2))
    for error in errors:
        yield f"shuffle/{error}", functools.partial(_shuffled, error)
    yield (
        "shuffle/settings",
        lambda: answered(
            un.shuffle(
                _right(),
                magnitude=0.4,
                annotators=["x", "y"],
                overlap=False,
                position_factor=1.0,
                split_cap=2.0,
                prevalence="uniform",
                certain=["city"],
                rng=2,
            )
        ),
    )
    yield (
        "shuffle/habits",
        lambda: answered(
            un.shuffle(
                _right(),
                magnitude=0.4,
                errors=("position", "false_positive"),
                false_positive_factor=0.5,
                habits={"sim1": {"late": 0.25, "split": 2}},
                rng=2,
            )
        ),
    )
    yield (
        "shuffle/missing_boundary",
        lambda: answered(
            un.shuffle(
                un.generate_reference(9, gaps=(0.0, 0.0), rng=2),
                magnitude=0.4,
                errors="missing_boundary",
                rng=2,
            )
        ),
    )
    yield (
        "shuffle/closeness",
        lambda: answered(
            un.shuffle(_right(), magnitude=0.9, errors="category", closeness=_near(), rng=2)
        ),
    )
    yield (
        "curves/all",
        lambda: answered(
            un.error_curves(_right(), magnitudes=(0.0, 0.4, 0.8), repeats=3, draws=5, rng=2)
        ),
    )
    yield (
        "curves/settings",
        lambda: answered(
            un.error_curves(
                _right(),
                measures=["u_alpha", "u_alpha_k", "alpha", "ac1"],
                errors="category",
                generation="2013",
                overlap=False,
                magnitudes=3,
                repeats=3,
                rng=2,
            )
        ),
    )
    yield (
        "curves/category",
        lambda: answered(
            un.error_curves(
                _right(),
                measures=["gamma", "gamma_cat", "cu_alpha", "kappa_d"],
                errors="category",
                magnitudes=3,
                repeats=3,
                draws=5,
                rng=2,
            )
        ),
    )
    yield (
        "calibrate/interview",
        lambda: answered(
            un.calibrate(
                _interview(),
                errors=("position", "category"),
                magnitudes=(0.0, 0.2, 0.5, 1.0),
                repeats=5,
                draws=5,
                rng=2,
            )
        ),
    )
    yield (
        "calibrate/talks",
        lambda: answered(
            un.calibrate(_talks(), magnitudes=(0.0, 0.5, 1.0), repeats=5, draws=5, rng=2)
        ),
    )
    yield "reproduce/komen", lambda: answered(un.reproduce("komen", quick=True, rng=2015))
    yield "reproduce/2017", lambda: counted(un.reproduce("2017", quick=True, rng=2015))
    yield "reproduce/passonneau", lambda: answered(un.reproduce("passonneau", quick=True, rng=2015))


def _shuffled(error: Any) -> Any:
    return answered(un.shuffle(_right(), magnitude=0.6, errors=error, rng=2))


class _Annotation:
    """What pyannote calls an annotation, as far as `Corpus.from_objects` looks at it."""

    uri = "talk"

    def __init__(self, *rows: tuple[float, float, str]) -> None:
        self.rows = rows

    def itertracks(self, *, yield_label: bool = False) -> Iterator[tuple[Any, int, str]]:  # noqa: ARG002
        for number, (start, end, label) in enumerate(self.rows):
            yield _Segment(start, end), number, label


@dataclass
class _Segment:
    start: float
    end: float


def _data() -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "read/corpus", lambda: _units(un.read("examples/corpus"))
    yield "read/ratings", lambda: _ratings(_grades())
    yield (
        "from-objects",
        lambda: _units(
            un.Corpus.from_objects(
                {"eva": _Annotation((0, 2.5, "a")), "finn": _Annotation((0.5, 2, "b"))}
            )
        ),
    )
    yield "split-fragments", lambda: _units(un.split_fragments(_talks()["dawn"]))
    yield "write/round-trip", _written


def _written() -> Any:
    un.write(_talks(), "talks.jsonl")
    text = Path("talks.jsonl").read_text(encoding="utf-8")
    return {"file": text, "read": _units(un.read("talks.jsonl"))}


def _chains() -> Iterator[tuple[str, Callable[[], Any]]]:
    def chains() -> Any:
        return un.read_chains(EXAMPLES / "coreference")

    yield "all", lambda: answered(un.measure_chains(chains()))
    yield "antecedents", lambda: counted(un.antecedent_kappa(chains(), unshared="left-out"))
    yield "alpha", lambda: counted(un.chain_alpha(chains(), distance="jaccard"))
    scores: tuple[Callable[..., Any], ...] = (
        *(un.muc, un.b_cubed, un.ceaf_mentions, un.ceaf_entities, un.lea, un.blanc),
    )
    for score in scores:
        yield score.__name__, partial(_score, score, chains)
    yield (
        "pyramids",
        lambda: answered(un.measure_pyramids(un.read_pyramids(EXAMPLES / "pyramids.csv"))),
    )


def _score(score: Callable[..., Any], chains: Callable[[], Any]) -> Any:
    return counted(score(chains(), unshared="singletons"))


def library_cases() -> dict[str, Case]:
    """Return the cases of Python by their identifiers."""
    groups = {
        "gamma": _gamma,
        "alignment": _alignments,
        "items": _items,
        "items-uncertainty": _uncertainty,
        "unitizing": _lengths,
        "segmentation": _segments,
        "reference": _references,
        "chains": _chains,
        "study": _studies,
        "simulation": _simulations,
        "data": _data,
    }
    return {
        case.name: case
        for group, questions in groups.items()
        for case in (Case(f"{group}/{name}", question) for name, question in questions())
    }
