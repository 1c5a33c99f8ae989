"""The summary of a report: the value in words, its causes and its limitations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.model.labels import label_text
from unisono.results.agreement import proof, uncertainty, value_in_words
from unisono.results.blocks import join_words, one_line, quote_name
from unisono.results.data import open_question_notes
from unisono.results.sheet import KINDS
from unisono.results.values import Approximate
from unisono.results.wording import WHO_COUNTS, count, decimals

if TYPE_CHECKING:
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.model.labels import Label
    from unisono.reports.findings import Findings
    from unisono.results.agreement import ChanceAgreement
    from unisono.studies.advice import GammaGain


MOSTLY, ALSO = 0.5, 0.25
"""The minimum share of the disorder of the main part, and of a part that is named at all."""
CONFUSED = 0.05
"""The minimum share of the disorder of two confused labels that the summary names."""
RARE = 5
"""Labels with fewer units are not named as the label with the least agreement."""
FEW_UNITS = 50
"""A report on fewer units warns that the sample is small."""
percent = KINDS["share"].text


def interval_texts(result: ChanceAgreement) -> list[str]:
    """Return the interval over documents of a value as text, if there is one."""
    interval = result.interval
    if interval is None:
        return []
    low, high = decimals(interval.low, 2), decimals(interval.high, 2)
    return [f"{100 * interval.confidence:g} % interval over documents {low} to {high}"]


_PARTS = {
    "position": "boundaries (units that start or end at different positions)",
    "label": "labels (the same unit with different labels)",
    "missing": "missing units (marked by one annotator and not by another)",
}
_MONTE_CARLO_ONLY = (
    "± and Monte Carlo intervals reflect the finite number of random draws. They do not show how "
    "values would differ for other documents or other annotators."
)
_OVER_DOCUMENTS = (
    "Intervals over documents show how values would differ for other documents of the same kind; "
    "± and Monte Carlo intervals, such as those of changes in γ, reflect the finite number of "
    "random draws. Neither shows how values would differ for other annotators."
)
_SHORT_PARTS = {"position": "boundaries", "label": "labels", "missing": "missing units"}


def _chance_texts(result: GammaAgreement) -> list[str]:
    """Return the values of γ that chance gives, if they are known."""
    if result.chance_bounds is None:
        return []
    low, high = (decimals(end, 2).replace("-", "−") for end in result.chance_bounds)
    return [f"random annotations give {low} to {high}"]


def headline(found: Findings) -> str:
    """Return one sentence with the value, what chance gives, and the main causes."""
    if found.gamma.undefined:
        return f"γ is undefined: {one_line(found.gamma.undefined)}."
    uncertain = uncertainty(found.gamma)
    if uncertain is not None:
        return uncertain
    about = [*interval_texts(found.gamma), *_chance_texts(found.gamma)]
    clauses = [f"γ = {value_in_words(found.gamma)}" + (f" ({', '.join(about)})" if about else "")]
    parts = _named_parts(found)
    if parts:
        mainly = "mainly " if _leading_share(found) >= MOSTLY else ""
        clauses.append(f"disagreement is {mainly}due to {join_words(parts)}")
    confusion = _costliest_confusion(found)
    if confusion:
        first, second = (_label(label) for label in confusion)
        clauses.append(f"{first} is confused with {second}")
    person = _differing(found)
    if person:
        clauses.append(f"{quote_name(person)} differs most from the others")
    return "; ".join(clauses) + "."


def summary(found: Findings) -> list[str]:
    """Return sentences on the meaning of the numbers."""
    if found.gamma.undefined:
        return [f"γ is undefined: {one_line(found.gamma.undefined)}."]
    uncertain = uncertainty(found.gamma)
    if uncertain is not None:
        return [uncertain]
    return [
        _value_sentence("γ", found.gamma, "on the position and the labels of units"),
        _value_sentence("γcat", found.gamma.gamma_cat, "on the labels of aligned units"),
        *_cause_sentences(found),
        *_label_sentences(found),
        *_annotator_sentences(found),
        *_adjudication_sentences(found),
    ]


def cautions(found: Findings) -> list[str]:
    """Return sentences on the limitations of the numbers."""
    result = found.gamma
    sentences = [
        (
            "No value is good or bad by itself: the agreement that is needed depends on the use of "
            "the annotation. Compare with values of similar tasks, and with simulated errors."
        ),
        _OVER_DOCUMENTS if result.interval else _MONTE_CARLO_ONLY,
        (
            f"Annotators who count in a document: {_who(found)}. Counting an annotator who saw a "
            "document and marked nothing changes the value."
        ),
    ]
    if result.n_units < FEW_UNITS:
        sentences.append(
            f"The sample is small: with only {count(result.n_units, 'unit')}, a few units more or "
            "less can change every value considerably."
        )
    if not found.several:
        sentences.append(
            "There is only one document, so the variation between documents is unknown."
        )
    if not result.undefined:
        if result.chance_bounds is not None and result.value < result.chance_bounds.high:
            these = "these documents" if found.several else "this document"
            sentences.append(f"γ lies within what random annotations of {these} give.")
        if not result.proven:
            sentences.append(f"The alignment is {proof(proven=False, gap=result.gap)}.")
    if result.skipped:
        were = "was" if result.skipped == 1 else "were"
        sentences.append(f"{count(result.skipped, 'row')} could not be read and {were} skipped.")
    notes = (*result.notes, *open_question_notes(result.interpretation))
    sentences += [f"{one_line(_capitalized(note))}." for note in notes]
    # Only a corpus has notes of its reader.
    sentences += [
        f"Warning: {one_line(note).removesuffix('.')}." for note in getattr(found.data, "notes", ())
    ]
    return sentences


def _capitalized(note: str) -> str:
    # A capital γ is another symbol.
    return note[:1].upper() + note[1:] if note[:1].isascii() else note


def gain_sentence(what: str, gain: GammaGain) -> str:
    """Return a sentence on the change in γ, and whether it exceeds the Monte Carlo error."""
    if gain.undefined:
        return f"{what}: γ would be undefined ({one_line(gain.undefined)})."
    verb = "raise" if gain.change >= 0.0 else "lower"
    value = Approximate(gain.value, gain.monte_carlo_se or 0.0).text
    change = f"{verb} γ by {gain.text[1:]}, to {value}"
    if not gain.certain or gain.interval is None:
        return f"{what} would {change} (within the Monte Carlo error)."
    level = f"{100 * gain.interval.confidence:g} %"
    return f"{what} would {change} ({level} Monte Carlo interval {gain.interval_text})."


def _who(found: Findings) -> str:
    return WHO_COUNTS.get(found.gamma.annotators_from, "different rules for different documents")


def _value_sentence(name: str, result: ChanceAgreement, on: str) -> str:
    if result.undefined:
        return f"{name}, agreement {on}, is undefined: {one_line(result.undefined)}."
    intervals = "; ".join(interval_texts(result))
    within = f" ({intervals})" if intervals else ""
    return f"Agreement {on}: {name} = {value_in_words(result)}{within}."


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
            why = one_line(found.missing["diagnosis"])
            return [f"The sources of disagreement could not be determined: {why}."]
        return ["There is no disorder: all annotators marked the same units with the same labels."]
    parts = [
        f"{percent(share)} {'is ' if place == 0 else ''}due to {_PARTS[name]}"
        for place, (name, share) in enumerate(shares.items())
        if share > 0.0
    ]
    return [f"Of the disorder, {join_words(parts)}."]


def _costliest_confusion(found: Findings) -> tuple[Label | None, Label | None] | None:
    if found.diagnosis is None or not found.diagnosis.confusions:
        return None
    first = found.diagnosis.confusions[0]
    share = first.disorder / found.diagnosis.parts.total if first.disorder else 0.0
    return first.labels if share >= CONFUSED else None


def _label_sentences(found: Findings) -> list[str]:
    sentences = []
    labels = _costliest_confusion(found)
    if labels is not None and found.diagnosis is not None:
        first = found.diagnosis.confusions[0]
        names = " and ".join(_label(label) for label in labels)
        share = percent(first.disorder / found.diagnosis.parts.total)
        pairs = count(first.n_pairs, "time")
        sentences.append(
            f"The labels {names} are confused most: {pairs} in pairs of aligned units, {share} of "
            "the disorder."
        )
    if found.advice is not None and found.advice.merges:
        certain = [
            each for each in found.advice.merges if each.gain.certain and each.gain.change > 0.0
        ]
        if certain:
            names = " and ".join(_label(label) for label in certain[0].labels)
            sentences.append(gain_sentence(f"Merging {names}", certain[0].gain))
        else:
            sentences.append(
                "Merging two labels would not raise γ by more than the Monte Carlo error."
            )
    sentences += _weakest_label(found)
    return sentences


def _weakest_label(found: Findings) -> list[str]:
    """Return a sentence on the label whose units are found least reliably."""
    units = found.gamma.units_by_label
    known = [
        (label, measures["gamma_label"])
        for label, measures in found.measures.by_label.items()
        if "gamma_label" in measures
        and not measures["gamma_label"].undefined
        and units.get(label, 0) >= RARE
    ]
    if len(known) < 2:
        return []
    label, worst = min(known, key=lambda each: each[1].value)
    f1 = found.measures.by_label[label].get("pairwise_f1_label")
    and_f1 = "" if f1 is None or f1.undefined else f", mean pairwise F1 = {decimals(f1.value, 2)}"
    return [
        (
            f"Counting missed units, the label with the least agreement is {_label(label)} "
            f"(γ of its units = {decimals(worst.value, 2)}{and_f1}; {count(units[label], 'unit')})."
        )
    ]


def _differing(found: Findings) -> str | None:
    if found.advice is None or not found.advice.annotator_gains:
        return None
    first = found.advice.annotator_gains[0]
    return first.annotator if first.gain.certain and first.gain.change > 0.0 else None


def _annotator_sentences(found: Findings) -> list[str]:
    if found.advice is None:
        return []
    people = found.advice.annotator_gains
    if not people:
        if len(found.data.annotators) == 2:
            return ["With only two annotators it is impossible to say which of them differs."]
        return []
    if _differing(found) is None:
        return [
            (
                "No annotator stands out: leaving out any one of them does not raise γ by more "
                "than the Monte Carlo error."
            )
        ]
    first = people[0]
    tested = "" if len(people) == len(found.data.annotators) else f" of {len(people)} tested"
    who = f"Leaving out {quote_name(first.annotator)}, who differs most{tested},"
    return [gain_sentence(who, first.gain)]


def _adjudication_sentences(found: Findings) -> list[str]:
    if found.advice is None or not found.advice.adjudicate:
        return []
    groups, disagreeing = found.advice.adjudicate, found.advice.n_disagreeing
    held = percent(sum(group.share for group in groups))
    if len(groups) < disagreeing:
        sentences = [
            (
                f"Of {disagreeing:,} groups with disorder, the {len(groups)} listed under "
                f"“What to do first” account for {held} of it."
            )
        ]
    else:
        number = count(disagreeing, "group")
        verb = "has" if disagreeing == 1 else "have"
        sentences = [f"{number} {verb} disorder; see “What to do first”."]
    if found.consensus is not None:
        undecided = len(found.consensus.undecided)
        sentences.append(
            f"A majority decides {count(len(found.consensus.units), 'unit')}; "
            f"{count(undecided, 'group')} {'needs' if undecided == 1 else 'need'} adjudication."
        )
    return sentences


def _label(label: Label | None) -> str:
    return quote_name(label_text(label)) if label is not None else "(no label)"
