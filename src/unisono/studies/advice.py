"""What to decide first, and what each change would gain."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.gamma import gamma
from unisono.measures.settings import check_count
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_order, label_text
from unisono.results.agreement import Interval, Signature
from unisono.results.blocks import markdown_code, markdown_table
from unisono.results.record import InMarkdown, Record, plain_label, plain_number
from unisono.results.wording import count, decimals, position, printable
from unisono.studies.diagnosis import Parts, diagnose, percent

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.result import GammaResult
    from unisono.model.continuum import Unit
    from unisono.model.labels import Label
    from unisono.studies.diagnosis import Diagnosis

__all__ = [
    "NOT_CERTAIN",
    "Advice",
    "DocumentShare",
    "Gain",
    "GroupShare",
    "LeftOut",
    "Merge",
    "advise",
    "gain_words",
    "settings_of",
]

NOT_CERTAIN = "not more than Monte Carlo error"


class Gain(NamedTuple):
    """What γ would become if something were otherwise.

    Examples
    --------
    >>> from unisono.results import Interval
    >>> import unisono as un
    >>> gain = un.Gain(0.75, 0.05, Interval(0.03, 0.07, 0.95, "monte carlo"), None)
    >>> gain.certain, gain.told
    (True, '+0.0500')
    """

    value: float
    """γ then; NaN where it is undefined."""
    gain: float
    """By how much that is more than γ now; less than 0 where it is less."""
    interval: Interval | None
    """Uncertainty of the gain that comes from the finite number of draws, which both share."""
    undefined: str | None
    """Why there is no value."""

    @property
    def certain(self) -> bool:
        """Whether the gain or loss is more than Monte Carlo error: its interval leaves out 0.

        Examples
        --------
        >>> import unisono as un
        >>> un.Gain(0.75, 0.05, None, None).certain
        False
        """
        return self.interval is not None and not self.interval.low <= 0.0 <= self.interval.high

    @property
    def told(self) -> str:
        """The gain with its sign, for a table.

        Examples
        --------
        >>> import unisono as un
        >>> un.Gain(0.65, -0.05, None, None).told
        '−0.0500'
        """
        if self.undefined:
            return "undefined"
        size = decimals(abs(self.gain))
        return f"{'−' if self.gain < 0.0 and float(size) else '+'}{size}"


class Merge(NamedTuple):
    """Two labels that could become one.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 2, "A"), ("ann", 4, 6, "C"), ("bob", 0, 2, "B"), ("bob", 4, 6, "C")]
    ... )
    >>> merge = un.advise(text, draws=30, rng=1).merges[0]
    >>> merge.labels, merge.gain.value
    (('A', 'B'), 1.0)
    """

    labels: tuple[Label | None, Label | None]
    pairs: int
    """In how many pairs of aligned units they meet."""
    gain: Gain


class LeftOut(NamedTuple):
    """An annotator without whom γ would be another.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 9, "A"), ("bob", 0, 9, "A"), ("cy", 3, 5, "B"), ("cy", 7, 9, "B")]
    ... )
    >>> found = un.advise(text, draws=30, rng=1).annotators[0]
    >>> found.annotator, found.gain.value
    ('cy', 1.0)
    """

    annotator: str
    documents: int
    """How many documents can be measured without this annotator."""
    gain: Gain


class GroupShare(NamedTuple):
    """One group of units and how much of all disorder is its own.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 5, 7, "B")])
    >>> worst = un.advise(text, draws=30, rng=1).adjudicate[0]
    >>> worst.start, worst.end, worst.share
    (5.0, 7.0, 1.0)
    """

    document: str
    """The name of the document; empty for one continuum."""
    group: int
    """Which group of the document's alignment, counted from 1."""
    start: float
    """Where its first unit begins."""
    end: float
    """Where its last unit ends."""
    parts: Parts
    """What it adds to the observed disorder of all."""
    share: float
    """The same as a share of it."""
    loss: float
    """The same as a part of 1 − γ: what γ would gain if all agreed here and chance stayed."""
    units: tuple[Unit | None, ...]
    """A unit or ``None`` for each annotator who saw the document."""
    annotators: tuple[str, ...]
    """Who saw the document, in the order of `units`."""


class DocumentShare(NamedTuple):
    """One document and how much of all disorder is its own.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.advise(un.read("examples/corpus", annotators="corpus"), draws=30, rng=1)
    >>> found.documents[0].document, f"{found.documents[0].share:.3f}"
    ('library', '0.327')
    """

    document: str
    share: float
    loss: float
    """What γ would gain if all agreed on the document and chance stayed."""
    value: float
    """γ of the document alone; NaN where it is undefined."""
    n_units: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Advice(Record, InMarkdown):
    """What to do about disagreement, with the numbers.

    Parameters
    ----------
    adjudicate
        Groups of units with the largest shares of the disorder, the largest first.
    n_groups
        How many groups there are, with or without disorder.
    n_disagreeing
        How many of them have any disorder.
    documents
        All documents of a corpus, the largest share of the disorder first; empty for one
        continuum.
    merges
        Pairs of labels that are confused, with what γ would gain if they were one, the largest
        gain first.
    annotators
        Annotators with what γ would gain without them, the largest gain first; empty for two.
    notes
        Sentences a reader should know.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         ("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"),
    ...         ("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"),
    ...     ]
    ... )  # fmt: skip
    >>> found = un.advise(text, rng=42)
    >>> found
    Advice(2 of 3 groups disagree, 1 merge, 0 annotators)
    >>> found.merges[0].gain.told
    '+0.3329'
    """

    adjudicate: tuple[GroupShare, ...]
    n_groups: int
    n_disagreeing: int
    documents: tuple[DocumentShare, ...]
    merges: tuple[Merge, ...]
    annotators: tuple[LeftOut, ...]
    notes: tuple[str, ...] = ()
    signature: Signature

    def __repr__(self) -> str:
        told = (
            f"{self.n_disagreeing:,} of {self.n_groups:,} groups disagree, "
            f"{len(self.merges)} merge{'s' * (len(self.merges) != 1)}, "
            f"{len(self.annotators)} annotator{'s' * (len(self.annotators) != 1)}"
        )
        return f"Advice({told})"

    def __str__(self) -> str:
        lines = ["  ".join(line) for line in gain_cells(self)]
        return "\n".join([*lines, str(self.signature)])

    def to_dict(self) -> dict[str, Any]:
        """Give all as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> un.advise(text, draws=30, rng=1).to_dict()["adjudicate"][0]["share"]
        1.0
        """
        return {
            "adjudicate": [_plain_group(group) for group in self.adjudicate],
            "n_groups": self.n_groups,
            "n_disagreeing": self.n_disagreeing,
            "documents": [
                {name: _plain(value) for name, value in each._asdict().items()}
                for each in self.documents
            ],
            "merges": [
                {
                    "labels": [plain_label(label) for label in merge.labels],
                    "pairs": merge.pairs,
                    **_plain_gain(merge.gain),
                }
                for merge in self.merges
            ],
            "annotators": [
                {
                    "annotator": each.annotator,
                    "documents": each.documents,
                    **_plain_gain(each.gain),
                }
                for each in self.annotators
            ],
            "notes": list(self.notes),
            "signature": str(self.signature),
        }

    def to_markdown(self) -> str:
        """Give what to decide first and all gains as Markdown tables, with the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
        >>> print(un.advise(text, draws=30, rng=1).to_markdown().splitlines()[2])
        | 0–2   |       1 | 100.0 % |
        """
        places = [
            [
                printable(
                    f"{group.document} {position(group.start)}–{position(group.end)}"
                ).strip(),
                f"{group.group:,}",
                percent(group.share, 1.0),
            ]
            for group in self.adjudicate
        ]
        parts = [markdown_table(["place", "group", "of all disorder"], places)] if places else []
        gains = gain_cells(self)
        if gains:
            parts.append(markdown_table(["change", "γ then", "gain", "Monte Carlo"], gains))
        return "\n\n".join([*parts, markdown_code(str(self.signature))])


def gain_cells(advice: Advice) -> list[list[str]]:
    """Give a line for each change that was tried: what, γ then, the gain, its interval."""
    changes = [
        (f"merge {' and '.join(_named(label) for label in merge.labels)}", merge.gain)
        for merge in advice.merges
    ]
    changes += [(f"without {printable(each.annotator)}", each.gain) for each in advice.annotators]
    return [[what, *gain_words(gain)] for what, gain in changes]


def gain_words(gain: Gain) -> list[str]:
    """Give γ then, the gain and its interval in words."""
    if gain.undefined or gain.interval is None:
        return ["undefined" if gain.undefined else decimals(gain.value), gain.told, "–"]
    low, high = decimals(gain.interval.low), decimals(gain.interval.high)
    return [decimals(gain.value), gain.told, f"{low} to {high}".replace("-", "−")]


def _named(label: Label | None) -> str:
    return printable(label_text(label)) or "(no label)"


def _plain(value: object) -> object:
    return plain_number(value) if isinstance(value, float) else value


def _plain_gain(gain: Gain) -> dict[str, Any]:
    return {
        "value": plain_number(gain.value),
        "gain": plain_number(gain.gain),
        "interval": gain.interval.to_dict() if gain.interval else None,
        "certain": gain.certain,
        "undefined": gain.undefined,
    }


def _plain_group(group: GroupShare) -> dict[str, Any]:
    return {
        "document": group.document,
        "group": group.group,
        "start": group.start,
        "end": group.end,
        "parts": {name: plain_number(part) for name, part in group.parts._asdict().items()},
        "share": plain_number(group.share),
        "loss": plain_number(group.loss),
        "units": [
            None
            if unit is None
            else {
                "annotator": unit.annotator,
                "start": unit.start,
                "end": unit.end,
                "label": plain_label(unit.label),
            }
            for unit in group.units
        ],
    }


_LEVEL = 0.95


def advise(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    diagnosis: Diagnosis | None = None,
    most_groups: int = 20,
    most_merges: int = 5,
    most_annotators: int = 20,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,  # noqa: ANN401 - the settings of gamma
) -> Advice:
    """Say what to decide first, and what γ would gain from fewer labels or other annotators.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them.
    dissimilarity
        What it costs to align two units, as for `gamma`.
    diagnosis
        What `diagnose` gave on the same data with the same dissimilarity; computed if not given.
    most_groups
        How many groups to list.
    most_merges
        How many pairs of labels to try, those with the largest share of the disorder.
    most_annotators
        How many annotators to leave out, one at a time, those with the largest share of the
        disorder.
    workers
        Threads to use, all cores by default. They never move a value.
    executor
        Where to send the work instead, as in `gamma`.
    progress
        Called with the number of changes tried and to be tried.
    **settings
        Other settings of `gamma`, where there is no diagnosis yet.

    Returns
    -------
    Advice
        What to adjudicate, merges and annotators, each with its numbers.

    Raises
    ------
    SettingError
        If a setting cannot be used, or the dissimilarity is a function, which has no parts.
    DataError
        If there is nothing to align, or the diagnosis belongs to other data.

    Notes
    -----
    A gain is the γ of `gamma` on the changed data, with the same chance model, seed and number of
    draws, minus γ now. Both have the draws of one seed, so their errors are taken in pairs: with
    the disorders aᵢ and bᵢ of draw i before and after, means A and B, and observed disorders o and
    p, the variance of the gain is that of p/B²·(bᵢ − B) − o/A²·(aᵢ − A), divided by the number of
    draws. The interval tells whether other draws would give another gain, not whether another
    corpus would.

    With fewer labels there is less to disagree about: γ mostly rises, and information is lost. What
    two labels are for is not in the numbers. Of many pairs the best one is partly the best by luck.

    An annotator without whom γ rises differs from the others. That does not say who is right.

    Examples
    --------
    >>> import unisono as un
    >>> corpus = un.read("examples/corpus", annotators="corpus")
    >>> found = un.advise(corpus, rng=1)
    >>> found.merges[0].labels, found.merges[0].gain.told
    (('organisation', 'place'), '+0.0439')
    >>> [(each.annotator, each.gain.told) for each in found.annotators][0]
    ('mika', '+0.0676')
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"advise takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    limits = {
        "most_groups": most_groups,
        "most_merges": most_merges,
        "most_annotators": most_annotators,
    }
    for name, limit in limits.items():
        if limit != 0:
            check_count(name, limit)
    if diagnosis is None:
        diagnosis = diagnose(
            data, dissimilarity=dissimilarity, workers=workers, executor=executor, **settings
        )
    elif settings:
        msg = (
            f"{', '.join(settings)} would be too late: the diagnosis is made already; "
            "leave out diagnosis="
        )
        raise SettingError(msg)
    if diagnosis.signature["data"] != data.digest[:8]:
        msg = f"the diagnosis is of other data: {diagnosis.signature['data']}"
        raise DataError(msg)
    changes = _Changes(diagnosis.gamma, dissimilarity, workers, executor)
    pairs = _confused_pairs(diagnosis, most_merges)
    people = _people(diagnosis, most_annotators)
    total = len(pairs) + len(people)
    merges: list[Merge] = []
    left_out: list[LeftOut] = []
    for place, (labels, met) in enumerate(pairs):
        _tell(progress, place, total)
        merges.append(Merge(labels, met, changes.gain(_merged(data, labels, diagnosis))[0]))
    for place, name in enumerate(people):
        _tell(progress, len(pairs) + place, total)
        gain, documents = changes.gain(data.only(annotators=set(data.annotators) - {name}))
        left_out.append(LeftOut(name, documents, gain))
    _tell(progress, total, total)
    return Advice(
        **_shares(diagnosis, most_groups),
        merges=tuple(sorted(merges, key=lambda each: (_order(each.gain), _names(each.labels)))),
        annotators=tuple(sorted(left_out, key=lambda each: (_order(each.gain), each.annotator))),
        notes=changes.notes(),
        signature=Signature("advice", diagnosis.signature.settings),
    )


class _Changes:
    """γ of changed data beside γ now."""

    def __init__(
        self,
        now: GammaResult,
        dissimilarity: Dissimilarity | None,
        workers: int | None,
        executor: Executor | None,
    ) -> None:
        self.now = now
        self.dissimilarity = dissimilarity
        self.settings = settings_of(now) | {"workers": workers, "executor": executor}
        self.settings["resamples"] = 0  # the interval of a gain is of its draws
        self.unproven = 0

    def gain(self, changed: Continuum | Corpus) -> tuple[Gain, int]:
        """Give the gain, and how many documents it is measured on."""
        if self.now.undefined:
            return _no_gain(f"γ is undefined: {self.now.undefined}"), 0
        try:
            with warnings.catch_warnings():
                # One note on alignments that are not proven stands for all of them.
                warnings.simplefilter("ignore")
                then = gamma(changed, dissimilarity=self.dissimilarity, **self.settings)
        except (DataError, SettingError) as error:
            return _no_gain(str(error)), 0
        self.unproven += not then.proven
        documents = len(then.documents) - len(then.left_out_documents) if then.documents else 1
        if then.undefined:
            return _no_gain(then.undefined), documents
        gain = then.value - self.now.value
        return Gain(then.value, gain, _interval(self.now, then, gain), None), documents

    def notes(self) -> tuple[str, ...]:
        """Say how many values rest on alignments that may not be the best."""
        if not self.unproven:
            return ()
        return (
            (
                f"{count(self.unproven, 'gain')} from alignments that are not all proven to be the "
                "best"
            ),
        )


def settings_of(result: GammaResult) -> dict[str, Any]:
    """Give the settings of `gamma` that a result was computed with, but for the dissimilarity."""
    signature = result.signature
    if "from" in signature:
        msg = "gains are not computed where chance is drawn from some annotators only"
        raise SettingError(msg)
    found: dict[str, Any] = {
        "chance": signature["chance"],
        "draws": result.draws,
        "rng": int(signature["seed"]),
    }
    if "soft" in signature:
        found["soft"] = True
    if "gap" in signature:
        found["gap_tolerance"] = float(signature["gap"])
    if "time" in signature:
        found["time_limit"] = float(signature["time"].removesuffix("s"))
    if "failed" in signature:
        found["on_error"] = "report"
    if result.monte_carlo is not None:
        found["confidence"] = result.monte_carlo.level
    return found


def _interval(now: GammaResult, then: GammaResult, gain: float) -> Interval | None:
    draws = len(now.draw_disorders)
    if draws < 2 or len(then.draw_disorders) != draws:
        return None
    before = now.observed / now.expected**2 * (now.draw_disorders - now.expected)
    after = then.observed / then.expected**2 * (then.draw_disorders - then.expected)
    level = _LEVEL if now.monte_carlo is None else now.monte_carlo.level
    error = float(np.std(after - before, ddof=1)) / math.sqrt(draws)
    reach = NormalDist().inv_cdf(0.5 + level / 2.0) * error
    return Interval(gain - reach, gain + reach, level, "monte carlo")


def _no_gain(reason: str) -> Gain:
    return Gain(math.nan, math.nan, None, reason)


def _confused_pairs(
    diagnosis: Diagnosis, most: int
) -> list[tuple[tuple[Label | None, Label | None], int]]:
    """Give the labels that cost most when they meet; a unit without label has none to merge."""
    costly = [
        (each.labels, each.pairs)
        for each in diagnosis.confusions
        if each.disorder > 0.0 and None not in each.labels
    ]
    return costly[:most]


def _people(diagnosis: Diagnosis, most: int) -> list[str]:
    if len(diagnosis.by_annotator) < 3:
        return []
    shares = {name: each.parts.total for name, each in diagnosis.by_annotator.items()}
    return sorted(shares, key=lambda name: (-shares[name], name))[:most]


def _merged(
    data: Continuum | Corpus, labels: tuple[Label | None, Label | None], diagnosis: Diagnosis
) -> Continuum | Corpus:
    # The more frequent one keeps its name, which a matrix of distances knows.
    first, second = sorted(
        labels, key=lambda label: (-diagnosis.by_label[label].n_units, label_order(label))
    )
    return data.rename(labels={second: first})


def _shares(diagnosis: Diagnosis, most: int) -> dict[str, Any]:
    """Give the groups and documents with the largest shares of the disorder."""
    result = diagnosis.gamma
    documents = diagnosis.documents or {"": diagnosis}
    rules = chance_rules(result.signature["chance"])
    scales = {
        name: each.weight / rules.mean_units(each.gamma.n_units, each.gamma.n_annotators)
        for name, each in documents.items()
    }
    of_groups = {name: each.group_parts.sum(axis=1) for name, each in documents.items()}
    disorders = np.concatenate([of_groups[name] * scales[name] for name in documents])
    names = np.repeat(np.arange(len(documents)), [len(each) for each in of_groups.values()])
    numbers = np.concatenate([np.arange(len(each)) for each in of_groups.values()])
    # Stable: of groups that cost the same the first of the first document comes first.
    worst = np.argsort(-disorders, kind="stable")[:most]
    listed = list(documents.items())
    total = diagnosis.parts.total
    groups = []
    for at in worst.tolist():
        name, document = listed[names[at]]
        if disorders[at] > 0.0:
            place = int(numbers[at])
            groups.append(_group(name, document, place, scales[name], total, result))
    return {
        "adjudicate": tuple(groups),
        "n_groups": len(disorders),
        "n_disagreeing": int((disorders > 0.0).sum()),
        "documents": tuple(
            sorted(
                (
                    _document(name, each, total, result)
                    for name, each in diagnosis.documents.items()
                ),
                key=lambda each: (-each.share, each.document),
            )
        ),
    }


def _group(
    name: str, document: Diagnosis, place: int, scale: float, total: float, result: GammaResult
) -> GroupShare:
    alignment = document.gamma.alignment
    if alignment is None:
        msg = f"the diagnosis of {name!r} has no alignment"
        raise DataError(msg)
    parts = Parts(*(document.group_parts[place] * scale).tolist())
    units = alignment.groups[place]
    there = [unit for unit in units if unit is not None]
    return GroupShare(
        document=name,
        group=place + 1,
        start=min(unit.start for unit in there),
        end=max(unit.end for unit in there),
        parts=parts,
        share=parts.total / total,
        loss=_loss(parts.total, result),
        units=units,
        annotators=alignment.continuum.annotators,
    )


def _document(name: str, document: Diagnosis, total: float, result: GammaResult) -> DocumentShare:
    disorder = document.weight * document.parts.total
    return DocumentShare(
        document=name,
        share=disorder / total if total > 0.0 else 0.0,
        loss=_loss(disorder, result),
        value=document.gamma.value,
        n_units=document.gamma.n_units,
    )


def _loss(disorder: float, result: GammaResult) -> float:
    return math.nan if result.undefined else disorder / result.expected


def _order(gain: Gain) -> float:
    return math.inf if gain.undefined else -gain.gain


def _names(labels: tuple[Label | None, ...]) -> tuple[Any, ...]:
    return tuple(map(label_order, labels))


def _tell(progress: Callable[[int, int], None] | None, done: int, total: int) -> None:
    if progress is not None and total:
        progress(done, total)
