"""Results of every class, of small data, made once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import unisono as un
from sample_results import corpus_result, undefined_gamma_result
from unisono.simulation.shuffling.shuffle import ShuffledCorpus

if TYPE_CHECKING:
    from collections.abc import Callable

FEW: dict[str, Any] = {"draws": 12, "rng": 1}
ROWS = [("ann", 0, 5, "A"), ("ann", 8, 9, "B"), ("bob", 0, 4, "A"), ("bob", 8, 9, "A")]


class Data(NamedTuple):
    """The data of results, with names of annotators, labels and documents."""

    labels: tuple[str, str, str]
    text: un.Continuum
    corpus: un.Corpus
    gold: un.Continuum
    system: un.Continuum
    ratings: un.Ratings
    cuts: dict[str, un.Segmentation]
    texts: dict[str, dict[str, un.Segmentation]]


def data_of(
    annotators: tuple[str, str], labels: tuple[str, str, str], documents: tuple[str, str]
) -> Data:
    """Return the data with these names."""
    a, b, c = labels
    names = dict(zip(("ann", "bob"), annotators, strict=True))
    text = un.Continuum.from_units(
        [(names[who], start, end, {"A": a, "B": b}[label]) for who, start, end, label in ROWS]
    )
    one, two = documents
    gold, system = (text.only(annotators=(name,)) for name in annotators)
    codes = {"a": a, "b": b}
    rated = {
        name: [codes[code] for code in each]
        for name, each in zip(annotators, ("aabbaabb", "aabbabbb"), strict=True)
    }
    masses = dict(zip(annotators, ([2, 3, 6], [5, 6]), strict=True))
    cuts = {name: un.Segmentation.from_masses(each) for name, each in masses.items()}
    return Data(
        labels=labels,
        text=text,
        corpus=un.Corpus.from_continua({one: text, two: text.rename(labels={b: c})}),
        gold=gold,
        system=system,
        ratings=un.Ratings.from_matrix({name: rated[name] for name in annotators}),
        cuts=cuts,
        texts={one: cuts, two: cuts},
    )


PLAIN = data_of(("ann", "bob"), ("A", "B", "C"), ("one", "two"))
LONG = data_of(
    (
        "interviews/2024-03-12/annotator-with-a-long-login",
        "日本語のとても長い名前の人",
    ),
    (
        "Bundesausbildungsförderungsgesetz[bold]",
        "a category whose name is a whole sentence, as in many guidelines",
        "歩行者が通る横断歩道の信号機の色と形",
    ),
    ("recordings/2024-03-12/interview-07.TextGrid", "第二章"),
)
"""Names of more than 34 letters, of wide letters, and with what rich takes for markup."""
RATINGS = PLAIN.ratings
RESULTS: dict[str, Callable[[Data], list[Any]]] = {
    "GammaAgreement": lambda data: [
        un.gamma(data.text, **FEW),
        un.gamma(data.corpus, **FEW),
        corpus_result(),
        undefined_gamma_result(),
    ],
    "Alignment": lambda data: [un.best_alignment(data.text)],
    "ItemsAgreement": lambda data: [
        un.cohen_kappa(data.ratings),
        un.bootstrap(data.ratings, "alpha", resamples=20, rng=1),
        un.permutation_test(data.ratings, "alpha", permutations=20, rng=1),
    ],
    "MeasureTable": lambda data: [
        un.measure_items(data.ratings),
        un.measure_segments(data.cuts),
        un.measure_segments(data.texts),
        un.measure_chains(un.Chains.from_corpus(data.corpus)),
    ],
    "PyramidAgreement": lambda data: [un.measure_pyramids(un.Chains.from_corpus(data.corpus))],
    "ReliabilityStudy": lambda _: [
        un.reliability_study([0.2, 0.4, 0.5, 0.7, 0.8], [1, 3, 2, 4, 6], rng=1),
        un.reliability_study([1, 1, 1], [1, 2, 3]),
    ],
    "ChainAgreement": lambda data: [
        un.chain_alpha(un.Chains.from_corpus(data.corpus), distance="jaccard"),
        un.lea(un.Chains.from_corpus(data.text)),
    ],
    "SegmentationAgreement": lambda data: [
        un.pk(data.cuts),
        un.boundary_similarity(data.texts),
    ],
    "UnitizingTable": lambda data: [un.unitizing_alpha(data.corpus, by_document=True)],
    "SlotErrorRate": lambda data: [un.slot_error_rate(data.gold, data.system)],
    "SlotErrorAgreement": lambda data: [un.slot_error_agreement(data.text)],
    "PairwiseF1Agreement": lambda data: [un.pairwise_f1(data.corpus), un.pairwise_f1(data.text)],
    "GammaByLabelTable": lambda data: [un.gamma_by_label(data.text, **FEW)],
    "Comparison": lambda data: [un.compare(data.gold, data.system, tolerance=1, **FEW)],
    "MatchScores": lambda data: [un.compare(data.gold, data.system, with_gamma=False).exact],
    "UnitsTable": lambda data: [un.measure_units(data.corpus, **FEW)],
    "Description": lambda _: [
        un.describe(un.read("examples/corpus")),
        un.describe(un.read("examples/interview.csv")),
    ],
    "RatingsDescription": lambda _: [un.describe(un.read_ratings("examples/politeness.csv"))],
    "Diagnosis": lambda data: [un.diagnose(data.text, **FEW), un.diagnose(data.corpus, **FEW)],
    "RatingDiagnosis": lambda data: [
        un.diagnose(data.ratings),
        un.diagnose(un.Ratings.from_counts([[2, 1], [3, 0]], labels=data.labels[:2])),
    ],
    "RatingConsensus": lambda data: [un.consensus(data.ratings)],
    "RatingReport": lambda data: [un.report(data.ratings, charts=False)],
    "Advice": lambda data: [un.advise(data.text, **FEW), un.advise(data.corpus, **FEW)],
    "Consensus": lambda data: [un.consensus(data.text), un.consensus(data.corpus)],
    "PairwiseTable": lambda data: [un.pairwise_agreement(data.text, **FEW)],
    "LabelConfusions": lambda data: [un.label_confusions(un.gamma(data.text, **FEW))],
    "Calibration": lambda data: [un.calibrate(data.text, errors="category", repeats=5, **FEW)],
    "Plan": lambda data: [un.plan_items(data.ratings, width=0.5, rng=1)],
    "PolicyComparison": lambda data: [
        un.compare_policies(data.ratings, shares=0.25, repeats=20, rng=1)
    ],
    "ErrorCurves": lambda _: [
        un.error_curves(un.generate_reference(10, rng=1), magnitudes=(0, 1), repeats=2, rng=1)
    ],
    "ShuffledContinuum": lambda data: [
        un.shuffle(un.generate_reference(10, labels=data.labels, rng=1), magnitude=0.5, rng=1)
    ],
    "ShuffledCorpus": lambda data: [
        ShuffledCorpus(
            documents={
                name: un.shuffle(text.only(annotators=text.annotators[:1]), magnitude=0.5, rng=1)
                for name, text in data.corpus.items()
            }
        )
    ],
    "AgreementReport": lambda data: [
        un.report(data.corpus, charts=False, **FEW),
        un.report(data.text, charts=False, gains=False, **FEW),
    ],
    "Reproduction": lambda _: [un.reproduce("komen", quick=True)],
}


@cache
def results_of(name: str, *, long: bool = False) -> list[Any]:
    """Return results of a class, some of them undefined or of a corpus."""
    return RESULTS[name](LONG if long else PLAIN)
