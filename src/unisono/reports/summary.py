"""What a report says first: the value in words, and what follows from it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from unisono.measures.gamma.result import WHO_COUNTS
from unisono.model.labels import label_text
from unisono.results.agreement import proof, uncertainty
from unisono.results.blocks import listed, quoted, shown
from unisono.results.wording import count, decimals
from unisono.studies.diagnosis import percent

if TYPE_CHECKING:
    from unisono.model.labels import Label
    from unisono.reports.findings import Findings
    from unisono.results.agreement import ChanceAgreement
    from unisono.studies.advice import Gain


SCALE: tuple[tuple[float, str], ...] = (
    (0.0, "poor"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)
"""Words of Landis & Koch (1977, p. 165), each with the largest value it is said of."""
SCALE_SOURCE = "landis1977measurement"
MOSTLY, ALSO = 0.5, 0.25
"""From which share of the disorder a part is said to be most of it, or to count as well."""
CONFUSED = 0.05
"""From which share of the disorder two confused labels are named in the summary."""
FEW_UNITS = 50
"""With fewer units than this a report warns of it."""
UNLIKELY = 0.05
"""The p-value from which a report says that chance would do as well."""


class Verdict(NamedTuple):
    """A word for a value, and for the ends of its interval where they have another."""

    word: str
    others: tuple[str, ...]
    judged_by: str = "Monte Carlo interval"
    """Which interval that is."""

    @property
    def told(self) -> str:
        """The word, or the words that the interval reaches over."""
        if not self.others:
            return self.word
        order = [word for _, word in SCALE]
        both = sorted({self.word, *self.others}, key=order.index)
        return f"{both[0]} to {both[-1]}"


def word_for(value: float) -> str:
    """Find the word of the scale.

    Values are rounded to two decimals first, as the scale is written: 0.604 is moderate.
    """
    rounded = round(value, 2)
    if rounded < 0.0:
        return SCALE[0][1]
    return next(word for most, word in SCALE[1:] if rounded <= most)


def verdict(result: ChanceAgreement) -> Verdict | None:
    """Say how good a value is, and how good it may be within its interval.

    That is the interval over documents where there is one: it is what a reader asks for, who means
    to annotate more of them. The Monte Carlo interval stands in for it where there is none.
    """
    if result.undefined:
        return None
    word = word_for(result.value)
    interval = result.interval or result.monte_carlo
    ends = [] if interval is None else [word_for(interval.low), word_for(min(1.0, interval.high))]
    judged_by = "interval over documents" if result.interval else "Monte Carlo interval"
    return Verdict(word, tuple(dict.fromkeys(each for each in ends if each != word)), judged_by)


def intervals_told(result: ChanceAgreement) -> list[str]:
    """Write the intervals of a value, each with its kind: the one over documents first."""
    kinds = (("over documents", result.interval), ("Monte Carlo", result.monte_carlo))
    return [
        f"{kind} {100 * interval.level:g} %: "
        f"{decimals(interval.low, 3)} to {decimals(interval.high, 3)}"
        for kind, interval in kinds
        if interval is not None
    ]


def scale_rows() -> tuple[tuple[str, str], ...]:
    """Give the scale as rows: from which value to which, and the word."""
    rows = [("below 0", SCALE[0][1])]
    for (below, _), (most, word) in itertools.pairwise(SCALE):
        least = 0.0 if below == 0.0 else below + 0.01
        rows.append((f"{decimals(least, 2)} to {decimals(most, 2)}", word))
    return tuple(rows)


_PARTS = {
    "position": "boundaries (the position of units: they begin or end at different places)",
    "label": "labels (the same unit called differently)",
    "missing": "missing units (what one marked, another did not)",
}
_MONTE_CARLO_ONLY = (
    "Intervals are Monte Carlo intervals: what other random draws would give. They do not say what "
    "other documents or other annotators would give."
)
_OVER_DOCUMENTS = (
    "Intervals over documents say what other documents of the same kind would give, Monte Carlo "
    "intervals what other random draws would give: those of gains are of the latter kind. None of "
    "them says what other annotators would give."
)
_SHORT_PARTS = {"position": "boundaries", "label": "labels", "missing": "missing units"}


def headline(found: Findings) -> str:
    """Say in one sentence how good agreement is and what drives it."""
    if found.gamma.undefined:
        return f"γ is undefined: {shown(found.gamma.undefined)}."
    uncertain = uncertainty(found.gamma)
    if uncertain is not None:
        return uncertain
    judged = verdict(found.gamma)
    word = judged.told if judged else ""
    value = f"γ = {decimals(found.gamma.value, 3)}"
    if found.gamma.interval:
        value += f", {intervals_told(found.gamma)[0]}"
    told = [f"{word.capitalize()} agreement ({value})"]
    parts = _named_parts(found)
    if parts:
        told.append(f"{'mostly ' if _leading_share(found) >= MOSTLY else ''}{listed(parts)}")
    confusion = _costliest_confusion(found)
    if confusion:
        first, second = (_label(label) for label in confusion)
        told.append(f"{first} is confused with {second}")
    person = _differing(found)
    if person:
        told.append(f"{quoted(person)} differs most")
    return "; ".join(told) + "."


def summary(found: Findings) -> list[str]:
    """Say what the numbers mean, one sentence after another."""
    if found.gamma.undefined:
        return [f"γ is undefined: {shown(found.gamma.undefined)}."]
    uncertain = uncertainty(found.gamma)
    if uncertain is not None:
        return [uncertain]
    return [
        _value_sentence("γ", found.gamma, "on where units are and what they are called"),
        _value_sentence("γcat", found.gamma.cat, "on the labels of aligned units"),
        *_cause_sentences(found),
        *_label_sentences(found),
        *_annotator_sentences(found),
        *_work_sentences(found),
    ]


def cautions(found: Findings) -> list[str]:
    """Say what a reader must know before the numbers are used."""
    result = found.gamma
    told = [
        (
            "Words such as “moderate” are a convention made for κ on items (see “How to read this "
            "report”). No scale is agreed on for γ; compare values of like tasks instead."
        ),
        _OVER_DOCUMENTS if result.interval else _MONTE_CARLO_ONLY,
        (
            f"Who counts as annotator of a document: {_who(found)}. One who looked and marked "
            "nothing moves the value if counted."
        ),
    ]
    if result.n_units < FEW_UNITS:
        told.append(
            f"There are only {count(result.n_units, 'unit')}: a few of them more or less can move "
            "every value here."
        )
    if not found.several:
        told.append("There is one document; nothing here tells how documents differ.")
    if not result.undefined:
        if result.p_value >= UNLIKELY:
            told.append(
                f"γ cannot be told from chance with confidence: p = {decimals(result.p_value, 3)}, "
                "the share of random continua with no more disorder than was observed."
            )
        if not result.proven:
            told.append(f"The alignment is {proof(proven=False, gap=result.gap)}.")
    if result.skipped:
        were = "was" if result.skipped == 1 else "were"
        told.append(f"{count(result.skipped, 'row')} could not be read and {were} skipped.")
    told += [f"{shown(note[:1].upper() + note[1:])}." for note in result.notes]
    # Of a Corpus: what the reader found odd.
    told += [f"Odd, but kept: {shown(note)}." for note in getattr(found.data, "notes", ())]
    return told


def gain_sentence(what: str, gain: Gain) -> str:
    """Say what a change would do to γ, and whether that is more than the error of the draws."""
    if gain.undefined:
        return f"{what}: γ would be undefined ({shown(gain.undefined)})."
    verb = "raise" if gain.gain >= 0.0 else "lower"
    change = f"{verb} γ by {decimals(abs(gain.gain))}, to {decimals(gain.value, 3)}"
    if not gain.certain or gain.interval is None:
        return f"{what} would {change} (not more than Monte Carlo error)."
    low, high = decimals(gain.interval.low), decimals(gain.interval.high)
    span = f"{low} to {high}".replace("-", "−")
    return f"{what} would {change} (Monte Carlo {100 * gain.interval.level:g} %: {span})."


def _who(found: Findings) -> str:
    return WHO_COUNTS.get(found.gamma.annotators_from, "documents differ in how this was known")


def _value_sentence(name: str, result: ChanceAgreement, on: str) -> str:
    judged = verdict(result)
    if judged is None:
        return f"{name}, agreement {on}, is undefined: {shown(result.undefined or '')}."
    intervals = "; ".join(intervals_told(result))
    within = f" ({intervals})" if intervals else ""
    hedge = f"; the {judged.judged_by} reaches over more than one word" if judged.others else ""
    value = decimals(result.value, 3)
    return f"Agreement {on} is {judged.told}: {name} = {value}{within}{hedge}."


def _shares(found: Findings) -> dict[str, float]:
    if found.diagnosis is None or not found.diagnosis.parts.total > 0.0:
        return {}
    parts = found.diagnosis.parts
    shares = {name: part / parts.total for name, part in parts._asdict().items()}
    return dict(sorted(shares.items(), key=lambda each: -each[1]))


def _leading_share(found: Findings) -> float:
    return max(_shares(found).values(), default=0.0)


def _named_parts(found: Findings) -> list[str]:
    shares = _shares(found)
    if _leading_share(found) >= MOSTLY:
        return [_SHORT_PARTS[next(iter(shares))]]
    return [_SHORT_PARTS[name] for name, share in shares.items() if share >= ALSO]


def _cause_sentences(found: Findings) -> list[str]:
    shares = _shares(found)
    if not shares:
        if found.diagnosis is None:
            return [f"Where disorder comes from is not told: {shown(found.missing['diagnosis'])}."]
        return ["There is no disorder at all: everyone marked the same units with the same labels."]
    told = [
        f"{percent(share, 1.0)} {'comes ' if place == 0 else ''}from {_PARTS[name]}"
        for place, (name, share) in enumerate(shares.items())
        if share > 0.0
    ]
    return [f"Of all disorder {listed(told)}."]


def _costliest_confusion(found: Findings) -> tuple[Label | None, Label | None] | None:
    if found.diagnosis is None or not found.diagnosis.confusions:
        return None
    first = found.diagnosis.confusions[0]
    share = first.disorder / found.diagnosis.parts.total if first.disorder else 0.0
    return first.labels if share >= CONFUSED else None


def _label_sentences(found: Findings) -> list[str]:
    told = []
    labels = _costliest_confusion(found)
    if labels is not None and found.diagnosis is not None:
        first = found.diagnosis.confusions[0]
        names = " and ".join(_label(label) for label in labels)
        share = percent(first.disorder, found.diagnosis.parts.total)
        pairs = count(first.pairs, "time")
        told.append(
            f"The labels {names} are confused most: {pairs} in pairs of aligned units, {share} of "
            "all disorder."
        )
    if found.advice is not None and found.advice.merges:
        sure = [each for each in found.advice.merges if each.gain.certain and each.gain.gain > 0.0]
        if sure:
            names = " and ".join(_label(label) for label in sure[0].labels)
            told.append(gain_sentence(f"Making one label of {names}", sure[0].gain))
        else:
            told.append("Merging two labels would not raise γ by more than Monte Carlo error.")
    known = [(label, each) for label, each in found.gamma.by_label.items() if not each.undefined]
    if len(known) > 1:
        label, worst = min(known, key=lambda each: each[1].value)
        told.append(
            f"The label with the least agreement is {_label(label)} "
            f"(γk = {decimals(worst.value, 3)})."
        )
    return told


def _differing(found: Findings) -> str | None:
    if found.advice is None or not found.advice.annotators:
        return None
    first = found.advice.annotators[0]
    return first.annotator if first.gain.certain and first.gain.gain > 0.0 else None


def _annotator_sentences(found: Findings) -> list[str]:
    if found.advice is None:
        return []
    people = found.advice.annotators
    if not people:
        if len(found.data.annotators) == 2:
            return ["With two annotators nobody can say which of them differs."]
        return []
    if _differing(found) is None:
        return [
            (
                "No annotator stands out: without any one of them γ does not rise by more than "
                "Monte Carlo error."
            )
        ]
    first = people[0]
    tried = "" if len(people) == len(found.data.annotators) else f" of {len(people)} who were tried"
    who = f"Leaving out {quoted(first.annotator)}, who differs most{tried},"
    return [gain_sentence(who, first.gain)]


def _work_sentences(found: Findings) -> list[str]:
    if found.advice is None or not found.advice.adjudicate:
        return []
    groups, disagreeing = found.advice.adjudicate, found.advice.n_disagreeing
    held = percent(sum(group.share for group in groups), 1.0)
    if len(groups) < disagreeing:
        told = [
            (
                f"Of {disagreeing:,} groups with any disorder, the {len(groups)} listed under "
                f"“What to do first” hold {held} of it."
            )
        ]
    else:
        number = count(disagreeing, "group")
        told = [f"{number} with any disorder: all are listed under “What to do first”."]
    if found.consensus is not None:
        undecided = len(found.consensus.undecided)
        told.append(
            f"A majority decides {count(len(found.consensus.units), 'unit')}; "
            f"{count(undecided, 'group')} {'is' if undecided == 1 else 'are'} left to a person."
        )
    return told


def _label(label: Label | None) -> str:
    return quoted(label_text(label)) if label is not None else "(no label)"
