"""Which groups to adjudicate first, and how γ would change if the data were modified."""

from __future__ import annotations

import math
import warnings
from dataclasses import field, replace
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.data import of_units
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.gamma import gamma, gamma_with_draws_of
from unisono.model.corpus import Corpus, check_continuum_or_corpus
from unisono.model.labels import label_order, label_text
from unisono.registry import check_settings
from unisono.results.data import OfData
from unisono.results.record import part, plain_number, record
from unisono.results.sheet import KINDS, Fact, Kind, Sheet, Table, change_text, column, columns
from unisono.results.values import Approximate, Interval, Signature
from unisono.results.wording import count, decimals, printable
from unisono.studies.consensus import plain_unit
from unisono.studies.diagnosis import DisorderParts, diagnose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor
    from typing import Unpack

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.keywords import AdviceSettings
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.model.continuum import Continuum, Unit
    from unisono.model.labels import Label
    from unisono.results.sheet import Column, Row
    from unisono.studies.diagnosis import Diagnosis

__all__ = [
    "Advice",
    "DocumentShare",
    "GammaGain",
    "GroupShare",
    "LabelMerge",
    "LeaveOneOut",
    "advise",
    "settings_of",
]


def _places(interval: Interval | None) -> int:
    """Return the decimals up to the first digit of half the width of the interval, at most 4."""
    half = 0.0 if interval is None else (interval.high - interval.low) / 2.0
    return 4 if half < 1e-4 else max(1, math.ceil(-math.log10(half)))


def _interval_text(interval: Interval | None) -> str:
    """Return a Monte Carlo interval with the decimals that it allows."""
    if interval is None:
        return "–"
    ends = (decimals(end, _places(interval)) for end in (interval.low, interval.high))
    return " to ".join(ends).replace("-", "−")


class GammaGain(NamedTuple):
    """The change in γ if the data were modified.

    Examples
    --------
    >>> from unisono.results import Interval
    >>> import unisono as un
    >>> gain = un.results.GammaGain(0.75, 0.05, Interval(0.03, 0.07, 0.95, "monte carlo"), None)
    >>> gain.certain, gain.text
    (True, '+0.05')
    """

    value: float
    """γ of the modified data; NaN if undefined."""
    change: float
    """The difference from γ of the original data; negative if γ falls."""
    interval: Interval | None
    """Monte Carlo interval of the gain: its error from the finite number of shared draws."""
    undefined: str | None
    """The reason why there is no value."""
    monte_carlo_se: float | None = None
    """The standard error of `value` from the finite number of draws."""

    @property
    def certain(self) -> bool:
        """Whether the gain or loss exceeds the Monte Carlo error: its interval excludes 0.

        Examples
        --------
        >>> import unisono as un
        >>> un.results.GammaGain(0.75, 0.05, None, None).certain
        False
        """
        return self.interval is not None and not self.interval.low <= 0.0 <= self.interval.high

    @property
    def text(self) -> str:
        """The gain with its sign and the decimals that its interval allows, for a table.

        Examples
        --------
        >>> import unisono as un
        >>> un.results.GammaGain(0.65, -0.05, None, None).text
        '−0.0500'
        """
        return change_text(self.change, _places(self.interval))

    @property
    def interval_text(self) -> str:
        """The interval with the decimals of the gain, for a table.

        Examples
        --------
        >>> from unisono.results import Interval
        >>> import unisono as un
        >>> interval = Interval(0.0492, 0.0512, 0.95, "monte carlo")
        >>> un.results.GammaGain(0.75, 0.0502, interval, None).interval_text
        '0.049 to 0.051'
        """
        return _interval_text(self.interval)

    def to_dict(self) -> dict[str, Any]:
        """Return the gain as plain data, including whether it is certain.

        Examples
        --------
        >>> import unisono as un
        >>> un.results.GammaGain(0.75, 0.05, None, None).to_dict()
        {'value': 0.75, 'monte_carlo_se': None, 'change': 0.05, 'interval': None, ...}
        """
        return {
            "value": plain_number(self.value),
            "monte_carlo_se": self.monte_carlo_se,
            "change": plain_number(self.change),
            "interval": None if self.interval is None else self.interval.to_dict(),
            "certain": self.certain,
            "undefined": self.undefined,
        }


class LabelMerge(NamedTuple):
    """The change in γ when two labels are merged.

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
    n_pairs: int
    """Number of pairs of aligned units with these two labels."""
    gain: GammaGain


class LeaveOneOut(NamedTuple):
    """The change in γ when one annotator is left out.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 9, "A"), ("bob", 0, 9, "A"), ("cy", 3, 5, "B"), ("cy", 7, 9, "B")]
    ... )
    >>> found = un.advise(text, draws=30, rng=1).annotator_gains[0]
    >>> found.annotator, found.gain.value
    ('cy', 1.0)
    """

    annotator: str
    n_documents: int
    """Number of documents that can be measured without this annotator."""
    gain: GammaGain


class GroupShare(NamedTuple):
    """One group of aligned units and its share of the observed disorder.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 5, 7, "B")])
    >>> worst = un.advise(text, draws=30, rng=1).adjudicate[0]
    >>> worst.start, worst.end, worst.share
    (5.0, 7.0, 1.0)
    """

    document: str
    """The name of the document; empty for a single continuum."""
    group: int
    """The number of the group in the document's alignment, counted from 1."""
    start: float
    """The earliest start of its units."""
    end: float
    """The latest end of its units."""
    parts: DisorderParts
    """Its contribution to the observed disorder."""
    share: float
    """Its contribution as a share of the observed disorder."""
    loss: float
    """The gain in γ if all annotators agreed here and the expected disorder stayed the same."""
    units: tuple[Unit | None, ...]
    """One entry per annotator of the document: a unit, or ``None`` if there is none."""
    annotators: tuple[str, ...]
    """The annotators of the document, in the order of `units`."""


class DocumentShare(NamedTuple):
    """One document and its share of the observed disorder.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.advise(un.read("examples/corpus", seen_by="corpus"), draws=30, rng=1)
    >>> share = found.document_shares[0]
    >>> share.document, f"{share.share:.3f}"
    ('library', '0.327')
    """

    document: str
    share: float
    loss: float
    """The gain in γ if all annotators agreed on it and the expected disorder stayed the same."""
    value: float
    """γ of the document alone; NaN if undefined."""
    n_units: int


def _plain_groups(groups: Iterable[GroupShare]) -> list[dict[str, Any]]:
    return [each._asdict() | {"units": list(map(plain_unit, each.units))} for each in groups]


@record
class Advice(OfData):
    """What to adjudicate first, and how merges and left-out annotators would change γ.

    Parameters
    ----------
    adjudicate
        Groups of units with the largest shares of the disorder, in descending order.
    n_groups
        Number of groups, with or without disorder.
    n_disagreeing
        Number of groups with disorder.
    document_shares
        All documents of a corpus, in descending order of their share of the disorder; empty for
        a single continuum.
    merges
        Pairs of confused labels with the gain in γ if they were merged, in descending order.
    annotator_gains
        Annotators with the gain in γ without them, in descending order; empty if there are only
        two.
    notes
        Remarks on the reliability of the numbers.
    signature
        All settings that affect a number.

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
    >>> found.merges[0].gain.text
    '+0.3319'
    """

    adjudicate: tuple[GroupShare, ...] = field(metadata=part(json=_plain_groups))
    n_groups: int
    n_disagreeing: int
    document_shares: tuple[DocumentShare, ...]
    merges: tuple[LabelMerge, ...]
    annotator_gains: tuple[LeaveOneOut, ...]
    notes: tuple[str, ...] = ()
    signature: Signature

    def __repr__(self) -> str:
        text = (
            f"{self.n_disagreeing:,} of {self.n_groups:,} groups disagree, "
            f"{len(self.merges)} merge{'s' * (len(self.merges) != 1)}, "
            f"{len(self.annotator_gains)} annotator{'s' * (len(self.annotator_gains) != 1)}"
        )
        return f"Advice({text})"

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the advice, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.advise(un.read("examples/corpus", seen_by="corpus"), draws=30, rng=1)
        >>> [table.name for table in found.sheet().tables if table.people]
        ['group', 'document', 'merge', 'annotator']
        """
        no_disorder = "the annotators agree everywhere: there is no disorder to adjudicate"
        gains = [each.gain for each in self.merges] + [each.gain for each in self.annotator_gains]
        has_uncertain = any(not each.certain and not each.undefined for each in gains)
        explanation = "a gain is certain if its Monte Carlo interval does not contain 0"
        return Sheet(
            name="advice",
            title=title,
            findings=() if self.adjudicate else (no_disorder,),
            tables=tuple(_tables(self)),
            facts=(
                Fact(column("n_groups"), self.n_groups, f"{self.n_disagreeing:,} with disorder"),
            ),
            notes=(*self.notes, *((explanation,) if has_uncertain else ())),
            signatures=(self.signature,),
        )


_UNITS_SHOWN = 6


def _units_text(units: tuple[str, ...]) -> str:
    more = len(units) - _UNITS_SHOWN
    text = "; ".join(map(printable, units[:_UNITS_SHOWN]))
    return f"{text}; and {more} more" if more > 0 else text


_UNITS = Kind(name="units", text=_units_text, plain="; ".join, align="left")
_GAIN = replace(
    KINDS["change"], text=lambda gain: gain.text, plain=lambda gain: plain_number(gain.change)
)
_INTERVAL = replace(KINDS["interval"], text=_interval_text)
_GAIN_COLUMNS = (
    column("value", heading="new γ", kind=KINDS["drawn"]),
    column("gain", kind=_GAIN),
    column("interval", heading="Monte Carlo", kind=_INTERVAL, usual=None),
    column("certain", usual=True),
    column("undefined", show="never"),
)


def _tables(found: Advice) -> Iterator[Table]:
    """Yield the tables of groups, documents, merges and left-out annotators."""
    yield _group_table(found)
    yield Table(
        name="document",
        title="Documents with the largest shares of the disorder",
        columns=(
            *(*columns("document share"), column("loss", heading="γ gained")),
            *(column("value", heading="γ"), column("n_units")),
        ),
        rows=list(found.document_shares),
        limited=True,
        people=len(found.document_shares) > 1,
    )
    if found.merges:
        yield _gain_table(
            "merge",
            "Two labels merged",
            columns("label_a label_b n_pairs"),
            [((*map(label_text, each.labels), each.n_pairs), each.gain) for each in found.merges],
            noun="pair",
        )
    if found.annotator_gains:
        n_documents = column("n_documents", usual=max(1, len(found.document_shares)))
        yield _gain_table(
            "annotator",
            "One annotator left out",
            (column("annotator", heading="without"), n_documents),
            [((each.annotator, each.n_documents), each.gain) for each in found.annotator_gains],
        )


def _group_table(found: Advice) -> Table:
    """Return the table of groups, in descending order of their share of the disorder."""
    several = len(found.document_shares) > 1
    return Table(
        name="group",
        title="Adjudicate first: groups with the largest shares of the disorder",
        columns=(
            column("document", show="always" if several else "never"),
            # All tables share one CSV header, so the key columns of later tables come first.
            *(column(name, show="never") for name in _KEY_COLUMNS),
            *columns("group start end", group="never"),
            column("units", kind=_UNITS),
            column("mostly"),
            *(column("share"), column("loss", heading="γ gained")),
        ),
        rows=[
            (
                *(each.document, *[None] * len(_KEY_COLUMNS), each.group, each.start, each.end),
                *(_unit_texts(each.units), _largest_part(each.parts), each.share, each.loss),
            )
            for each in found.adjudicate
        ],
        limited=True,
        more=found.n_disagreeing - len(found.adjudicate),
        people=bool(found.adjudicate),
    )


_KEY_COLUMNS = ("label_a", "label_b", "annotator")


def _unit_texts(units: tuple[Unit | None, ...]) -> tuple[str, ...]:
    """Return each unit as its annotator and label."""
    return tuple(
        f"{unit.annotator}: {label_text(unit.label) or '(no label)'}"
        for unit in units
        if unit is not None
    )


def _largest_part(parts: DisorderParts) -> str:
    """Return the name of the part with the most disorder."""
    names = ("position", "labels", "missing")
    return max(zip(parts, names, strict=True), key=lambda each: each[0])[1]


def _gain_table(
    name: str,
    title: str,
    key_columns: tuple[Column, ...],
    gains: list[tuple[Row, GammaGain]],
    noun: str = "",
) -> Table:
    """Return a table of changes with the new γ, the gain and its interval."""
    return Table(
        name=name,
        title=title,
        columns=(*key_columns, *_GAIN_COLUMNS),
        rows=[
            (
                *(*keys, Approximate(gain.value, gain.monte_carlo_se)),
                *(gain, gain.interval),
                *(None if gain.undefined else gain.certain, gain.undefined),
            )
            for keys, gain in gains
        ],
        reasons=[
            (" – ".join(map(str, keys[:-1])), gain.undefined)
            for keys, gain in gains
            if gain.undefined
        ],
        noun=noun,
        limited=True,
    )


_DEFAULT_LEVEL = 0.95


@of_units
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
    **settings: Unpack[AdviceSettings],
) -> Advice:
    """Rank groups by disorder, and compute the gain in γ from merged labels or fewer annotators.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them.
    dissimilarity
        The dissimilarity of two units, as for `gamma`.
    diagnosis
        The result of `diagnose` for the same data and dissimilarity; computed by default.
    most_groups
        Maximum number of groups to list.
    most_merges
        Maximum number of label pairs to merge, one at a time: those with the largest share of the
        disorder.
    most_annotators
        Maximum number of annotators to leave out, one at a time: those with the largest share of
        the disorder.
    workers
        Number of threads, by default one per core. It does not affect any value.
    executor
        An executor that runs the work instead, as in `gamma`.
    progress
        Called with the number of changes computed so far and their total number.
    **settings
        Other settings of `gamma`; only without `diagnosis`.

    Returns
    -------
    Advice
        Groups to adjudicate, merges of labels and left-out annotators, each with its numbers.

    Raises
    ------
    SettingError
        If a setting is invalid, or the dissimilarity is a function, which has no parts.
    DataError
        If there are no units to align, or the diagnosis belongs to other data.

    Notes
    -----
    A gain is γ of the modified data, computed with the same chance model, seed and number of draws,
    minus γ of the original data. Merged labels use the draws of the original data with changed
    labels, so that most of the error cancels; data with fewer annotators have separate draws.
    With the disorders aᵢ and bᵢ of draw i before and after the change, means A and B, and observed
    disorders o and p, the variance of the gain is that of p/B²·(bᵢ − B) − o/A²·(aᵢ − A), divided by
    the number of draws. The interval covers the error from the draws, not the variation of corpora.

    With fewer labels there are fewer ways to disagree: γ usually rises, and information is lost.
    Whether a distinction of labels matters is not in the numbers. The largest gain of many pairs
    is partly due to chance (selection bias).

    If γ rises without an annotator, this annotator differs from the others, but may be the one who
    is right.

    Examples
    --------
    >>> import unisono as un
    >>> corpus = un.read("examples/corpus", seen_by="corpus")
    >>> found = un.advise(corpus, rng=1)
    >>> found.merges[0].labels, found.merges[0].gain.text
    (('organisation', 'place'), '+0.0441')
    >>> [(each.annotator, each.gain.text) for each in found.annotator_gains][0]
    ('mika', '+0.067')
    """
    check_continuum_or_corpus("advise", data)
    limits = {
        "most_groups": most_groups,
        "most_merges": most_merges,
        "most_annotators": most_annotators,
    }
    check_settings(limits)
    if diagnosis is None:
        diagnosis = diagnose(
            data, dissimilarity=dissimilarity, workers=workers, executor=executor, **settings
        )
    elif settings:
        msg = (
            f"{', '.join(settings)} cannot be combined with diagnosis=, which has its own "
            "settings; omit diagnosis="
        )
        raise SettingError(msg)
    if diagnosis.signature["data"] != data.digest[:8]:
        msg = (
            f"diagnosis= belongs to data {diagnosis.signature['data']}, not to these data, "
            f"{data.digest[:8]}; pass the diagnosis of the same data"
        )
        raise DataError(msg)
    changes = _Changes(diagnosis.gamma, dissimilarity, workers, executor)
    pairs = _confused_pairs(diagnosis, most_merges)
    annotators = _costliest_annotators(diagnosis, most_annotators)
    total = len(pairs) + len(annotators)
    merges: list[LabelMerge] = []
    left_out: list[LeaveOneOut] = []
    for place, (labels, n_pairs) in enumerate(pairs):
        _report_progress(progress, place, total)
        merges.append(
            LabelMerge(
                labels, n_pairs, changes.gain(_merge_labels(data, labels, diagnosis), like=data)[0]
            )
        )
    for place, name in enumerate(annotators):
        _report_progress(progress, len(pairs) + place, total)
        gain, documents = changes.gain(data.only(annotators=set(data.annotators) - {name}))
        left_out.append(LeaveOneOut(name, documents, gain))
    _report_progress(progress, total, total)
    return Advice(
        **_shares(diagnosis, most_groups),
        merges=tuple(
            sorted(merges, key=lambda each: (_descending(each.gain), _label_keys(each.labels)))
        ),
        annotator_gains=tuple(
            sorted(left_out, key=lambda each: (_descending(each.gain), each.annotator))
        ),
        notes=changes.notes(),
        signature=Signature("advice", diagnosis.signature.settings),
    )


class _Changes:
    """Computes γ of modified data and its difference from γ of the original data."""

    def __init__(
        self,
        original: GammaAgreement,
        dissimilarity: Dissimilarity | None,
        workers: int | None,
        executor: Executor | None,
    ) -> None:
        self.original = original
        self.dissimilarity = dissimilarity
        self.settings = settings_of(original) | {"workers": workers, "executor": executor}
        self.unproven = 0

    def gain(
        self, changed: Continuum | Corpus, *, like: Continuum | Corpus | None = None
    ) -> tuple[GammaGain, int]:
        """Return the gain and the number of documents it is measured on.

        With `like`, the draws are those of other data that differ in their labels only.
        """
        measure = gamma if like is None else partial(gamma_with_draws_of, like)
        if self.original.undefined:
            return _no_gain(f"γ is undefined: {self.original.undefined}"), 0
        try:
            with warnings.catch_warnings():
                # Warnings about unproven alignments are replaced by one note, see `notes`.
                warnings.simplefilter("ignore")
                new = measure(changed, dissimilarity=self.dissimilarity, **self.settings)
        except (DataError, SettingError) as error:
            return _no_gain(str(error)), 0
        self.unproven += not new.proven
        documents = len(new.documents) - len(new.left_out_documents) if new.documents else 1
        if new.undefined:
            return _no_gain(new.undefined), documents
        gain = new.value - self.original.value
        interval = _interval(self.original, new, gain)
        return GammaGain(new.value, gain, interval, None, new.monte_carlo_se), documents

    def notes(self) -> tuple[str, ...]:
        """Return a note on the number of gains from alignments that may not be optimal."""
        if not self.unproven:
            return ()
        return (
            (
                f"{count(self.unproven, 'gain')} computed from alignments that are not all proven "
                "optimal"
            ),
        )


def settings_of(result: GammaAgreement) -> dict[str, Any]:
    """Return the settings of `gamma` for a result, except the dissimilarity."""
    signature = result.signature
    if "from" in signature:
        msg = (
            "gains cannot be computed if chance is drawn from some annotators only, here "
            f"{signature['from']}; compute γ without this setting"
        )
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
        found["confidence"] = result.monte_carlo.confidence
    return found


def _interval(original: GammaAgreement, new: GammaAgreement, gain: float) -> Interval | None:
    draws = len(original.draw_disorders)
    if draws < 2 or len(new.draw_disorders) != draws:
        return None
    before = original.draw_disorders - original.expected
    before = original.observed / original.expected**2 * before
    after = new.observed / new.expected**2 * (new.draw_disorders - new.expected)
    confidence = _DEFAULT_LEVEL if original.monte_carlo is None else original.monte_carlo.confidence
    error = float(np.std(after - before, ddof=1)) / math.sqrt(draws)
    half_width = NormalDist().inv_cdf(0.5 + confidence / 2.0) * error
    return Interval(gain - half_width, gain + half_width, confidence, "monte carlo")


def _no_gain(reason: str) -> GammaGain:
    return GammaGain(math.nan, math.nan, None, reason)


def _confused_pairs(
    diagnosis: Diagnosis, most: int
) -> list[tuple[tuple[Label | None, Label | None], int]]:
    """Return the costliest pairs of labels; units without a label have none to merge."""
    costly = [
        (each.labels, each.n_pairs)
        for each in diagnosis.confusions
        if each.disorder > 0.0 and None not in each.labels
    ]
    return costly[:most]


def _costliest_annotators(diagnosis: Diagnosis, most: int) -> list[str]:
    if len(diagnosis.by_annotator) < 3:
        return []
    shares = {name: each.parts.total for name, each in diagnosis.by_annotator.items()}
    return sorted(shares, key=lambda name: (-shares[name], name))[:most]


def _merge_labels(
    data: Continuum | Corpus, labels: tuple[Label | None, Label | None], diagnosis: Diagnosis
) -> Continuum | Corpus:
    # The more frequent label keeps its name, because a distance matrix needs known names.
    first, second = sorted(
        labels, key=lambda label: (-diagnosis.by_label[label].n_units, label_order(label))
    )
    return data.rename(labels={second: first})


def _shares(diagnosis: Diagnosis, most: int) -> dict[str, Any]:
    """Return the groups and documents in descending order of their share of the disorder."""
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
    # A stable sort keeps groups of equal disorder in the order of the documents.
    worst = np.argsort(-disorders, kind="stable")[:most]
    entries = list(documents.items())
    total = diagnosis.parts.total
    groups = []
    for at in worst.tolist():
        name, document = entries[names[at]]
        if disorders[at] > 0.0:
            place = int(numbers[at])
            groups.append(_group(name, document, place, scales[name], total, result))
    return {
        "adjudicate": tuple(groups),
        "n_groups": len(disorders),
        "n_disagreeing": int((disorders > 0.0).sum()),
        "document_shares": tuple(
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
    name: str, document: Diagnosis, place: int, scale: float, total: float, result: GammaAgreement
) -> GroupShare:
    alignment = document.gamma.alignment
    if alignment is None:
        msg = f"the diagnosis of document {name!r} has no alignment; compute it anew with diagnose"
        raise DataError(msg)
    parts = DisorderParts(*(document.group_parts[place] * scale).tolist())
    units = alignment.groups[place]
    present = [unit for unit in units if unit is not None]
    return GroupShare(
        document=name,
        group=place + 1,
        start=min(unit.start for unit in present),
        end=max(unit.end for unit in present),
        parts=parts,
        share=parts.total / total,
        loss=_loss(parts.total, result),
        units=units,
        annotators=alignment.continuum.annotators,
    )


def _document(
    name: str, document: Diagnosis, total: float, result: GammaAgreement
) -> DocumentShare:
    disorder = document.weight * document.parts.total
    return DocumentShare(
        document=name,
        share=disorder / total if total > 0.0 else 0.0,
        loss=_loss(disorder, result),
        value=document.gamma.value,
        n_units=document.gamma.n_units,
    )


def _loss(disorder: float, result: GammaAgreement) -> float:
    return math.nan if result.undefined else disorder / result.expected


def _descending(gain: GammaGain) -> float:
    return math.inf if gain.undefined else -gain.change


def _label_keys(labels: tuple[Label | None, ...]) -> tuple[Any, ...]:
    return tuple(map(label_order, labels))


def _report_progress(progress: Callable[[int, int], None] | None, done: int, total: int) -> None:
    if progress is not None and total:
        progress(done, total)
