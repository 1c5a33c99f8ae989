"""A report put together: its sections in the order in which they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.reports.bibliography import bibtex, references
from unisono.reports.consensus_section import consensus_section
from unisono.reports.methods import in_words, methods_paragraph, used_papers
from unisono.reports.number_sections import cause_section, coefficient_section
from unisono.reports.sections import action_section
from unisono.reports.summary import cautions, headline, summary
from unisono.reports.verdict import ALSO, CONFUSED, FEW_UNITS, MOSTLY, UNLIKELY, scale_rows
from unisono.results.sheet import Bullets, Code, Facts, Paragraph, Section, Table
from unisono.results.wording import count, decimals
from unisono.studies.diagnosis_result import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.reports.findings import Findings
    from unisono.results.sheet import Block, Figure


NO_CHARTS = "Charts need the drawing libraries: pip install 'unisono[plot]', then run again."


def compose(
    found: Findings,
    *,
    cite: Callable[[str], str] = in_words,
    pictures: Mapping[str, Figure] | None = None,
    without_pictures: str = "",
) -> tuple[Section, ...]:
    """Give all sections of a report.

    Parameters
    ----------
    found
        What was found.
    cite
        Turns the key of a work into a citation.
    pictures
        Charts by their names, where there are any.
    without_pictures
        A sentence that says why there are none.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.composing import compose
    >>> from unisono.reports.findings import find
    >>> sections = compose(find(un.read("examples/interview.csv"), draws=30, rng=1))
    >>> [section.title for section in sections]
    ['Summary', 'What to do first', 'Coefficients', 'Where disagreement comes from', 'Consensus',
    'Methods', 'References', 'How to read this report']
    """
    drawn = pictures or {}
    sections = [
        _summary(found, without_pictures),
        action_section(found),
        coefficient_section(found, drawn),
        cause_section(found, drawn),
        consensus_section(found, drawn),
        _pictures(drawn),
        _methods(found, cite),
        _references(found),
        reading_section(),
    ]
    return tuple(section for section in sections if section is not None)


def _summary(found: Findings, without_pictures: str) -> Section:
    result = found.gamma
    values = [
        ("γ", "undefined" if result.undefined else decimals(result.value, 3)),
        ("γcat", "undefined" if result.cat.undefined else decimals(result.cat.value, 3)),
        ("annotators", f"{result.n_annotators:,}"),
        ("units", f"{result.n_units:,}"),
        ("labels", f"{sum(label is not None for label in found.data.labels):,}"),
        ("documents", f"{len(found.documents):,}"),
    ]
    blocks: list[Block] = [
        Paragraph(headline(found), "lead"),
        Facts(tuple(values)),
        Bullets(tuple(summary(found))),
    ]
    if without_pictures:
        blocks.append(Paragraph(without_pictures, "note"))
    care = Section("Read with care", "care", (Bullets(tuple(cautions(found))),))
    return Section("Summary", "summary", tuple(blocks), (care,))


def _pictures(pictures: Mapping[str, Figure]) -> Section | None:
    shown = [pictures[name] for name in ("alignment", "continuum") if name in pictures]
    return Section("What was annotated", "pictures", tuple(shown)) if shown else None


def _methods(found: Findings, cite: Callable[[str], str]) -> Section:
    blocks = (
        Paragraph("To be pasted into a paper, and shortened there:", "note"),
        Paragraph(methods_paragraph(found, cite)),
    )
    return Section("Methods", "methods", blocks)


def _references(found: Findings) -> Section:
    keys = used_papers(found)
    blocks = (Bullets(tuple(references(keys))), Code(bibtex(keys), "BibTeX"))
    return Section("References", "references", blocks)


def reading_section() -> Section:
    """Say by which rules the words of a report are chosen.

    Examples
    --------
    >>> from unisono.reports.composing import reading_section
    >>> reading_section().title
    'How to read this report'
    """
    scale = Table(
        "The words for values, after Landis & Koch (1977), of values rounded to two decimals",
        ("value", "word"),
        scale_rows(),
        frozenset({0, 1}),
    )
    rules = Bullets(
        (
            (
                "The scale was made for κ on given items, and its authors call its borders "
                "arbitrary. For γ, α and the others it is a habit of speech, not a test: what is "
                "good enough depends on what the annotation is for. Where the interval over "
                "documents reaches over a border, both words are given; where there is none, the "
                "Monte Carlo interval takes its place."
            ),
            (
                f"“Mostly” is said of a part with at least {percent(MOSTLY, 1.0)} of the "
                f"disorder; if there is none, parts with at least {percent(ALSO, 1.0)} are named."
            ),
            (
                f"Two labels are named in the first sentence when their confusion makes at least "
                f"{percent(CONFUSED, 1.0)} of the disorder."
            ),
            (
                "An annotator “differs most” when γ rises without them by more than Monte Carlo "
                "error, and by more than without anybody else."
            ),
            (
                f"A warning of few units stands below {count(FEW_UNITS, 'unit')}, one of chance "
                f"from p = {UNLIKELY:g}."
            ),
            (
                "γ = 1 − observed / expected: 1 is perfect agreement, 0 what chance gives, less "
                "than 0 is worse than chance. Observed and expected are disagreements."
            ),
            (
                "γ asks where units are and what they are called; γcat only what aligned units are "
                "called; γk the same for one label."
            ),
        )
    )
    return Section("How to read this report", "reading", (scale, rules))
