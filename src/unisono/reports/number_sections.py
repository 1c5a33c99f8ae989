"""The sections of a report with all numbers: coefficients, and where disorder comes from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unisono.results.rows import columns, facts, reasons
from unisono.results.sheet import Bullets, Code, Facts, Paragraph, Section, Table, named, shown
from unisono.results.wording import count, decimals
from unisono.studies.diagnosis_result import percent
from unisono.studies.measure_table import side_by_side_facts, side_by_side_rows, signatures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.reports.findings import Findings
    from unisono.results.sheet import Block, Figure
    from unisono.studies.diagnosis_result import Parts


_LABELS = 40
_LINES = 20
_PARTS = ("position", "labels", "missing", "share")


def coefficient_section(found: Findings, pictures: Mapping[str, Figure]) -> Section:
    """Give every coefficient that fits, with intervals, reasons and signatures.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.findings import find
    >>> from unisono.reports.number_sections import coefficient_section
    >>> found = find(un.read("examples/interview.csv"), draws=30, rng=1)
    >>> coefficient_section(found, {}).blocks[0].rows[0][0]
    'γ'
    """
    rows = side_by_side_rows(found.measures, most_labels=_LABELS)
    headings, cells = columns(rows)
    table = Table(
        "All measures that these data allow",
        tuple(headings),
        tuple(tuple(line) for line in cells),
        rest=_rest(len(found.measures.by_label) - _LABELS, "label"),
    )
    blocks: list[Block] = [table]
    why = [f"{reason}." for reason in reasons(rows)]
    if why:
        blocks.append(Bullets(tuple(why)))
    blocks += _pictures(pictures, "draws", "labels")
    blocks.append(Facts(_facts(found)))
    unfit = [f"{fit.measure.name}: {shown(fit.why)}." for fit in found.fits if not fit.fits]
    if unfit:
        blocks += [Paragraph("Measures that do not fit these data:"), Bullets(tuple(unfit))]
    told = (
        Paragraph(
            "A signature holds every setting that can move a value; with the same data it gives "
            "the same value again."
        ),
        Code("\n".join([*signatures(found.measures), *_other_signatures(found)]), "Signatures"),
    )
    signed = Section("Signatures", "signatures", told)
    return Section("Coefficients", "coefficients", tuple(blocks), (signed,))


def _other_signatures(found: Findings) -> list[str]:
    others = (found.advice, found.consensus)
    return [shown(str(each.signature)) for each in others if each is not None]


def _facts(found: Findings) -> tuple[tuple[str, str], ...]:
    both = [*facts(found.gamma), *side_by_side_facts(found.measures)]
    kept: dict[tuple[str, str], None] = {}
    for name, fact in both:
        if name != "note" and not any(known == name for known, _ in kept):
            kept[name, fact] = None
    # The list of measures that do not fit says it better.
    if any(not fit.fits and fit.measure.command == "segments" for fit in found.fits):
        kept = {pair: None for pair in kept if pair[0] != "segments"}
    notes = {("note", fact): None for name, fact in both if name == "note"}
    return (*kept, *notes)


def cause_section(found: Findings, pictures: Mapping[str, Figure]) -> Section:
    """Split the disorder into its parts: in all, by label, by annotator and by document.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.findings import find
    >>> from unisono.reports.number_sections import cause_section
    >>> found = find(un.read("examples/interview.csv"), draws=30, rng=1)
    >>> [part.title for part in cause_section(found, {}).sections]
    ['By label', 'By annotator']
    """
    title, key = "Where disagreement comes from", "causes"
    diagnosis = found.diagnosis
    if diagnosis is None:
        return Section(
            title, key, (Paragraph(f"This is not told: {shown(found.missing['diagnosis'])}."),)
        )
    whole = Table(
        "The observed disorder in three parts, which add up to it",
        ("part", "disorder", "share", "of 1 − γ"),
        tuple(tuple(line) for line in diagnosis.part_cells()),
    )
    total = diagnosis.parts.total
    labels = [
        (named(label), each.parts, [f"{each.n_units:,}"])
        for label, each in diagnosis.by_label.items()
    ]
    people = [
        (shown(name), each.parts, [f"{each.n_units:,}", f"{each.missed:,}", f"{each.alone:,}"])
        for name, each in diagnosis.by_annotator.items()
    ]
    of_labels: list[Block] = [
        _view("Disorder by label", ("label", *_PARTS, "units"), labels, total),
        *_confusions(found),
        *_pictures(pictures, "confusions"),
    ]
    of_people: list[Block] = [
        _view(
            "Disorder by annotator",
            ("annotator", *_PARTS, "units", "missed", "alone"),
            people,
            total,
        ),
        Paragraph(
            "Who is to blame is a convention, chosen so that everything adds up: a pair of units "
            "counts half for each of its annotators, an empty place half for the one who left it. "
            "“missed” counts groups in which more than half of the others have a unit; “alone” "
            "units that nobody else has.",
            "note",
        ),
        *_pairs(found),
        *_pictures(pictures, "annotators"),
    ]
    sections = [
        Section("By label", "by-label", tuple(of_labels)),
        Section("By annotator", "by-annotator", tuple(of_people)),
    ]
    if found.several:
        sections.append(Section("By document", "by-document", (_documents(found),)))
    return Section(title, key, (whole, *_pictures(pictures, "parts")), tuple(sections))


def _view(
    caption: str,
    headings: tuple[str, ...],
    lines: Sequence[tuple[str, Parts, list[str]]],
    total: float,
) -> Table:
    worst = sorted(lines, key=lambda line: (-line[1].total, line[0]))
    rows = [
        (name, *map(decimals, parts), percent(parts.total, total), *more)
        for name, parts, more in worst[:_LINES]
    ]
    return Table(caption, headings, tuple(rows), rest=_rest(len(worst) - len(rows), headings[0]))


def _confusions(found: Findings) -> list[Block]:
    diagnosis = found.diagnosis
    if diagnosis is None or not diagnosis.confusions:
        return []
    rows = [
        (
            *(named(label) for label in each.labels),
            f"{each.pairs:,}",
            decimals(each.disorder),
            percent(each.disorder, diagnosis.parts.total),
        )
        for each in diagnosis.confusions[:_LINES]
    ]
    return [
        Table(
            "Labels that were given to the same unit",
            ("label", "and label", "pairs", "disorder", "share"),
            tuple(rows),
            frozenset({0, 1}),
            _rest(len(diagnosis.confusions) - len(rows), "pair"),
        )
    ]


def _pairs(found: Findings) -> list[Block]:
    if found.pairs is None:
        return []
    worst = sorted(found.pairs.by_pair.items(), key=lambda pair: (_value(pair[1]), pair[0]))
    rows = [
        (
            shown(first),
            shown(second),
            "undefined" if each.undefined else decimals(each.value),
            "undefined" if each.cat.undefined else decimals(each.cat.value),
        )
        for (first, second), each in worst
    ]
    caption = "γ of every two annotators, each measured without the others"
    headings = ("annotator", "and annotator", "γ", "γcat")
    return [Table(caption, headings, tuple(rows), frozenset({0, 1}))]


def _value(result: GammaResult) -> float:
    return math.inf if result.undefined else result.value


def _documents(found: Findings) -> Table:
    diagnosis = found.diagnosis
    documents = diagnosis.documents if diagnosis else {}
    total = diagnosis.parts.total if diagnosis else 0.0
    worst = sorted(
        documents.items(), key=lambda pair: (-pair[1].weight * pair[1].parts.total, pair[0])
    )
    rows = [
        (
            shown(name),
            *(decimals(each.weight * part) for part in each.parts),
            percent(each.weight * each.parts.total, total),
            "undefined" if each.gamma.undefined else decimals(each.gamma.value),
            "undefined" if each.gamma.cat.undefined else decimals(each.gamma.cat.value),
            f"{each.gamma.n_units:,}",
        )
        for name, each in worst[:_LINES]
    ]
    return Table(
        "Disorder by document",
        ("document", *_PARTS, "γ", "γcat", "units"),
        tuple(rows),
        rest=_rest(len(worst) - len(rows), "document"),
    )


def _pictures(pictures: Mapping[str, Figure], *names: str) -> list[Block]:
    return [pictures[name] for name in names if name in pictures]


def _rest(more: int, noun: str) -> str:
    return f"{count(more, noun)} more not shown." if more > 0 else ""
