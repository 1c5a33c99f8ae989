"""The sections of a report: numbers, causes, actions, consensus, excerpts and figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unisono import charts
from unisono.charts.style import same_colours
from unisono.errors import DataError, SettingError, UnisonoError
from unisono.measures.gamma.result import facts
from unisono.reports.methods import bibtex, in_words, methods_paragraph, references, used_papers
from unisono.reports.summary import (
    ALSO,
    CONFUSED,
    FEW_UNITS,
    MOSTLY,
    UNLIKELY,
    cautions,
    gain_sentence,
    headline,
    scale_rows,
    summary,
)
from unisono.results.blocks import (
    Bullets,
    Cell,
    Code,
    Excerpt,
    Facts,
    Figure,
    Paragraph,
    Section,
    Table,
    named,
    quoted,
    shown,
)
from unisono.results.wording import count, decimals, position, printable, some
from unisono.studies.advice import NOT_CERTAIN, gain_words
from unisono.studies.diagnosis import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unisono.charts.style import Chart
    from unisono.measures.gamma.result import GammaResult
    from unisono.model.continuum import Continuum, Unit
    from unisono.reports.findings import Findings
    from unisono.results.blocks import Block
    from unisono.studies.advice import Gain, GroupShare, LeftOut, Merge
    from unisono.studies.consensus import UndecidedGroup
    from unisono.studies.diagnosis import Parts


_AROUND = 30
_LONGEST = 200


def excerpt(continuum: Continuum, unit: Unit) -> Excerpt | None:
    """Give the text of a unit with some of what stands around it."""
    text = continuum.text
    if text is None:
        return None
    start, end = int(unit.start), int(unit.end)
    if (start, end) != (unit.start, unit.end) or not 0 <= start <= end <= len(text):
        return None
    before = text[max(0, start - _AROUND) : start]
    after = text[end : end + _AROUND]
    marked = text[start:end]
    if len(marked) > _LONGEST:
        half = _LONGEST // 2
        marked = f"{marked[:half]} […] {marked[-half:]}"
    return Excerpt(
        f"{'…' if start > _AROUND else ''}{_on_one_line(before)}",
        _on_one_line(marked),
        f"{_on_one_line(after)}{'…' if end + _AROUND < len(text) else ''}",
    )


def has_texts(continua: list[Continuum]) -> bool:
    """Say whether any document has its text."""
    return any(continuum.text is not None for continuum in continua)


def _on_one_line(text: str) -> str:
    # Line breaks are layout here; spaces at the ends part the words from the marked ones.
    lines = "".join(" " if mark in "\n\r\t\v\f\u2028\u2029" else mark for mark in text)
    return shown(lines)


_UNDECIDED = 30
_DECIDED = 20
_SAID = 8


def consensus_section(found: Findings, pictures: Mapping[str, Figure]) -> Section:
    """Show what most annotators share: undecided groups first, then the least supported units."""
    title, key = "Consensus", "consensus"
    consensus = found.consensus
    if consensus is None:
        why = shown(found.missing.get("consensus", "nothing is aligned"))
        return Section(title, key, (Paragraph(f"There is none: {why}."),))
    share = percent(consensus.support, 1.0).replace(".0 %", " %")
    told = Paragraph(
        f"{count(consensus.n_groups, 'group')} of units: {count(len(consensus.units), 'unit')} "
        f"decided, {count(len(consensus.undecided), 'group')} left. A group becomes a unit when at "
        f"least {share} of the annotators, and two of them, have a unit in it, and one label has "
        "more votes than any other. Its bounds are medians."
    )
    blocks: list[Block] = [told]
    if "consensus" in pictures:
        blocks.append(pictures["consensus"])
    return Section(title, key, tuple(blocks), (_undecided(found), _decided(found)))


def _undecided(found: Findings) -> Section:
    groups = found.consensus.undecided if found.consensus else ()
    title, key = "Left to decide", "undecided"
    if not groups:
        return Section(title, key, (Paragraph("Nothing: a majority decides every group."),))
    several = found.several
    texts = has_texts(list(found.documents.values()))
    rows = [
        _undecided_row(found, group, several=several, texts=texts) for group in groups[:_UNDECIDED]
    ]
    headings = (
        *(("document",) if several else ()),
        *("place", "why", "who said what"),
        *(("text",) if texts else ()),
    )
    table = Table(
        "Groups that no majority decides, along the documents",
        headings,
        tuple(rows),
        frozenset(range(len(headings))) - {headings.index("place")},
        _consensus_rest(len(groups) - len(rows), "group"),
    )
    return Section(title, key, (table,))


def _undecided_row(
    found: Findings, group: UndecidedGroup, *, several: bool, texts: bool
) -> tuple[Cell, ...]:
    said = [f"{shown(unit.annotator)}: {named(unit.label)}" for unit in group.units[:_SAID]]
    more = len(group.units) - len(said)
    words = "; ".join(said) + (f"; and {more} more" if more > 0 else "")
    row: list[Cell] = [shown(group.document)] if several else []
    row += [f"{position(group.start)}–{position(group.end)}", shown(group.reason), words]
    if texts:
        continuum = found.continuum(group.document)
        row.append((excerpt(continuum, group.units[0]) if group.units else None) or "–")
    return tuple(row)


def _decided(found: Findings) -> Section:
    units = found.consensus.units if found.consensus else ()
    title, key = "Decided, the least supported first", "decided"
    if not units:
        return Section(title, key, (Paragraph("No group has enough support."),))
    several = found.several
    weakest = sorted(units, key=lambda unit: (unit.support, unit.label_support))[:_DECIDED]
    rows = [
        (
            named(unit.label),
            *((shown(unit.document),) if several else ()),
            f"{position(unit.start)}–{position(unit.end)}",
            f"{unit.annotators} ({percent(unit.support, 1.0)})",
            percent(unit.label_support, 1.0),
            position(unit.start_spread),
            position(unit.end_spread),
        )
        for unit in weakest
    ]
    headings = (
        "label",
        *(("document",) if several else ()),
        *("place", "marked by", "same label", "spread of starts", "spread of ends"),
    )
    table = Table(
        "Units of the consensus with the least support",
        headings,
        tuple(rows),
        frozenset({0, 1} if several else {0}),
        _consensus_rest(len(units) - len(rows), "unit"),
    )
    return Section(title, key, (table,))


def _consensus_rest(more: int, noun: str) -> str:
    return f"{count(more, noun)} more not shown; unisono consensus has all." if more > 0 else ""


_LABELS = 40
_LINES = 20
_PARTS = ("position", "labels", "missing", "share")


def coefficient_section(found: Findings, pictures: Mapping[str, Figure]) -> Section:
    """Give every coefficient that fits, with intervals, reasons and signatures."""
    view = found.measures.sheet().tables[0].view(_LABELS)
    table = Table(
        "All measures that these data allow",
        tuple(view.headings),
        tuple(tuple(line) for line in view.cells),
        rest=_rest(view.n_more, view.noun),
    )
    blocks: list[Block] = [table]
    why = [f"{reason}." for reason in view.sentences]
    if why:
        blocks.append(Bullets(tuple(why)))
    blocks += _chosen_pictures(pictures, "draws", "labels")
    blocks.append(Facts(_facts(found)))
    unfit = [f"{fit.family.title}: {shown(fit.why)}." for fit in found.fits if not fit.fits]
    if unfit:
        blocks += [Paragraph("Measures that do not fit these data:"), Bullets(tuple(unfit))]
    told = (
        Paragraph(
            "A signature holds every setting that can move a value; with the same data it gives "
            "the same value again."
        ),
        Code("\n".join(_signatures(found)), "Signatures"),
    )
    signed = Section("Signatures", "signatures", told)
    return Section("Coefficients", "coefficients", tuple(blocks), (signed,))


def _signatures(found: Findings) -> list[str]:
    others = (found.advice, found.consensus)
    return [
        *(printable(str(each)) for each in found.measures.sheet().signatures),
        *(shown(str(each.signature)) for each in others if each is not None),
    ]


def _facts(found: Findings) -> tuple[tuple[str, str], ...]:
    sheet = found.measures.sheet()
    both = [*facts(found.gamma), *((fact.column.heading, fact.text) for fact in sheet.facts)]
    both += [("note", printable(note)) for note in sheet.notes]
    kept: dict[tuple[str, str], None] = {}
    for name, fact in both:
        if name != "note" and not any(known == name for known, _ in kept):
            kept[name, fact] = None
    # The list of measures that do not fit says it better.
    if any(not fit.fits and fit.family.command == "segments" for fit in found.fits):
        kept = {pair: None for pair in kept if pair[0] != "segments"}
    notes = {("note", fact): None for name, fact in both if name == "note"}
    return (*kept, *notes)


def cause_section(found: Findings, pictures: Mapping[str, Figure]) -> Section:
    """Split the disorder into its parts: in all, by label, by annotator and by document."""
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
        *_chosen_pictures(pictures, "confusions"),
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
        *_chosen_pictures(pictures, "annotators"),
    ]
    sections = [
        Section("By label", "by-label", tuple(of_labels)),
        Section("By annotator", "by-annotator", tuple(of_people)),
    ]
    if found.several:
        sections.append(Section("By document", "by-document", (_document_table(found),)))
    return Section(title, key, (whole, *_chosen_pictures(pictures, "parts")), tuple(sections))


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


def _document_table(found: Findings) -> Table:
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


def _chosen_pictures(pictures: Mapping[str, Figure], *names: str) -> list[Block]:
    return [pictures[name] for name in names if name in pictures]


def _rest(more: int, noun: str) -> str:
    return f"{count(more, noun)} more not shown." if more > 0 else ""


_CARDS = 10
_DOCUMENTS = 10
_EMPTY_SHOWN = 6
_CAUSES = {"position": "position", "label": "labels", "missing": "missing units"}


def action_section(found: Findings) -> Section:
    """Say what to do first, with the numbers."""
    title, key = "What to do first", "actions"
    if found.advice is None:
        why = shown(found.missing.get("advice", "γ is undefined"))
        return Section(title, key, (Paragraph(f"Nothing can be advised: {why}."),))
    if not found.advice.adjudicate:
        return Section(title, key, (Paragraph("Nothing: there is no disorder to act on."),))
    notes = tuple(Paragraph(f"{shown(note)}.", "note") for note in found.advice.notes)
    parts = (_places(found), _document_shares(found), _labels(found), _people(found))
    return Section(title, key, notes, tuple(part for part in parts if part is not None))


def place_of(group: GroupShare, *, several: bool) -> str:
    """Write where a group is."""
    span = f"{position(group.start)}–{position(group.end)}"
    return f"{shown(group.document)}, {span}" if several else span


def _places(found: Findings) -> Section:
    groups = found.advice.adjudicate if found.advice else ()
    several = found.several
    headings = (
        "rank",
        *(("document",) if several else ()),
        *("place", "of all disorder", "γ gained", "mostly", "annotators"),
    )
    words = {1, 5, 6} if several else {4, 5}
    rows = [
        (
            str(rank),
            *((shown(group.document),) if several else ()),
            f"{position(group.start)}–{position(group.end)}",
            percent(group.share, 1.0),
            decimals(group.loss),
            _cause(group),
            f"{sum(unit is not None for unit in group.units)} of {len(group.units)}",
        )
        for rank, group in enumerate(groups, start=1)
    ]
    total = found.advice.n_disagreeing if found.advice else 0
    overview = Table(
        "Groups of units with the largest shares of the disorder",
        headings,
        tuple(rows),
        frozenset(words),
        _advice_rest(total - len(rows), "group"),
    )
    explained = Paragraph(
        "A group holds the units that belong together in the best alignment, at most one of each "
        "annotator. “γ gained” is what γ would rise by if all agreed in this group and chance "
        "stayed as it is."
    )
    blocks: list[Block] = [explained, overview]
    blocks += [_card(found, group, rank) for rank, group in enumerate(groups[:_CARDS], start=1)]
    return Section("Decide these places first", "places", tuple(blocks))


def _card(found: Findings, group: GroupShare, rank: int) -> Table:
    continuum = found.continuum(group.document)
    with_text = has_texts([continuum])
    headings = ("annotator", "label", "place", *(("text",) if with_text else ()))
    rows: list[tuple[Cell, ...]] = []
    empty = []
    for name, unit in zip(group.annotators, group.units, strict=True):
        if unit is None:
            empty.append(name)
            continue
        line: list[Cell] = [
            shown(name),
            named(unit.label),
            f"{position(unit.start)}–{position(unit.end)}",
        ]
        if with_text:
            line.append(excerpt(continuum, unit) or "–")
        rows.append(tuple(line))
    return Table(
        f"{rank}. {place_of(group, several=found.several)}: {percent(group.share, 1.0)} of all "
        f"disorder, mostly {_cause(group)}",
        headings,
        tuple(rows),
        frozenset({0, 1, 3}),
        f"No unit here: {some(empty, _EMPTY_SHOWN)}." if empty else "",
    )


def _cause(group: GroupShare) -> str:
    parts = group.parts._asdict()
    return _CAUSES[max(parts, key=lambda name: parts[name])]


def _document_shares(found: Findings) -> Section | None:
    if found.advice is None or not found.several:
        return None
    documents = found.advice.documents
    rows = [
        (
            shown(each.document),
            percent(each.share, 1.0),
            decimals(each.loss),
            decimals(each.value),
            f"{each.n_units:,}",
        )
        for each in documents[:_DOCUMENTS]
    ]
    table = Table(
        "Documents with the largest shares of the disorder",
        ("document", "of all disorder", "γ gained", "γ of it alone", "units"),
        tuple(rows),
        rest=_advice_rest(len(documents) - len(rows), "document"),
    )
    told = Paragraph(
        "A long document has a large share because it is long; look at its own γ as well, which "
        "for a short one is unsure."
    )
    return Section("Documents to look at", "documents-first", (told, table))


def _labels(found: Findings) -> Section:
    title, key = "Labels to merge", "merges"
    if found.gamma.cat.undefined or len(found.data.labels) < 2:
        return Section(title, key, (Paragraph("There are no two labels to merge."),))
    merges = found.advice.merges if found.advice else ()
    if not merges:
        told = "No two labels were tried: none is confused with another."
        if found.diagnosis is not None and any(e.disorder for e in found.diagnosis.confusions):
            told = "Gains were not asked for."
        return Section(title, key, (Paragraph(told),))
    rows = [
        (
            *(named(label) for label in merge.labels),
            f"{merge.pairs:,}",
            *gain_words(merge.gain),
        )
        for merge in merges
    ]
    headings = ("label", "and label", "pairs", "γ then", "gain", _interval_heading(merges))
    table = Table(
        "What γ would become if two labels were one",
        *_with_remarks(headings, rows, [merge.gain for merge in merges], {0, 1}),
        _tried(found, len(merges)),
    )
    advice = Bullets(
        (
            (
                "Each line is γ computed again on the changed data, with the same seed and number "
                "of draws; the interval is that of the difference."
            ),
            (
                "With fewer labels there is less to disagree about, so γ mostly rises, and what "
                "the labels told apart is lost. A gain alone is no reason to merge: a sharper "
                "guideline is the other way."
            ),
        )
    )
    return Section(title, key, (table, advice))


def _people(found: Findings) -> Section:
    title, key = "Annotators to look at", "annotators-first"
    people = found.advice.annotators if found.advice else ()
    if not people:
        told = "Gains were not asked for."
        if len(found.data.annotators) < 3:
            told = "With two annotators nobody can say which of them differs from the others."
        return Section(title, key, (Paragraph(told),))
    several = found.several
    rows = [
        (
            shown(each.annotator),
            *((f"{each.documents:,}",) if several else ()),
            *gain_words(each.gain),
        )
        for each in people
    ]
    headings = (
        "without",
        *(("documents left",) if several else ()),
        *("γ then", "gain", _interval_heading(people)),
    )
    table = Table(
        "What γ would become without an annotator",
        *_with_remarks(headings, rows, [each.gain for each in people], {0}),
        _advice_rest(len(found.data.annotators) - len(people), "annotator"),
    )
    first = people[0]
    advice = Bullets(
        (
            gain_sentence(f"Leaving out {quoted(first.annotator)}", first.gain),
            (
                "An annotator without whom γ rises differs from the others. That does not say who "
                "is right: look at the places above before training anybody."
            ),
        )
    )
    return Section(title, key, (table, advice))


def _tried(found: Findings, shown_merges: int) -> str:
    if found.diagnosis is None:
        return ""
    confused = sum(each.disorder > 0.0 for each in found.diagnosis.confusions)
    return _advice_rest(confused - shown_merges, "pair", "confused more seldom, was not tried")


def _with_remarks(
    headings: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    gains: Sequence[Gain],
    words: set[int],
) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...], frozenset[int]]:
    """Add a column that says which gains mean nothing, if there are any."""
    remarks = [shown(gain.undefined or "") or NOT_CERTAIN * (not gain.certain) for gain in gains]
    if not any(remarks):
        return headings, tuple(rows), frozenset(words)
    told = tuple((*row, remark or "–") for row, remark in zip(rows, remarks, strict=True))
    return (*headings, "remark"), told, frozenset({*words, len(headings)})


def _interval_heading(changes: Sequence[Merge] | Sequence[LeftOut]) -> str:
    interval = changes[0].gain.interval
    return f"Monte Carlo {100 * (0.95 if interval is None else interval.level):g} %"


def _advice_rest(more: int, noun: str, why: str = "") -> str:
    if more <= 0:
        return ""
    return f"{count(more, noun)} more{', ' + why if why else ' not shown'}."


NO_CHARTS = "Charts need the drawing libraries: pip install 'unisono[plot]', then run again."


def compose(
    found: Findings,
    *,
    cite: Callable[[str], str] = in_words,
    pictures: Mapping[str, Figure] | None = None,
    without_pictures: str = "",
) -> tuple[Section, ...]:
    """Give all sections of a report."""
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
    """Say by which rules the words of a report are chosen."""
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


_FEW_LABELS = 40


def drawn_figures(found: Findings) -> tuple[Mapping[str, Figure], str]:
    """Draw the charts that these data allow."""
    if not charts.can_draw():
        return {}, NO_CHARTS
    drawn: dict[str, Figure] = {}
    for name, title, description, chart in _asked(found):
        try:
            picture = charts.chart_svg(chart())
        except (DataError, SettingError):
            # Such a chart does not fit these data; the numbers stand in the tables.
            continue
        except UnisonoError as error:
            return {}, f"There are no charts: {shown(str(error))}."
        drawn[name] = Figure(title, description, picture)
    return drawn, ""


def _asked(found: Findings) -> Iterator[tuple[str, str, str, Callable[[], Chart]]]:
    result, diagnosis = found.gamma, found.diagnosis
    if result.undefined:
        return
    yield (
        "draws",
        "Observed and random disorder.",
        "Each random continuum has a disorder; γ compares their mean with what was observed.",
        lambda: charts.draws_chart(result),
    )
    if 1 < len(result.by_label) <= _FEW_LABELS:
        yield (
            "labels",
            "Agreement on each label.",
            (
                f"γk with its {_intervals(result)}: how well pairs with at least one unit of the "
                "label agree on it."
            ),
            lambda: charts.label_chart(result),
        )
    if diagnosis is not None and diagnosis.parts.total > 0.0:
        yield (
            "parts",
            "What the disorder is made of.",
            "Position, labels and missing units, in all and by label.",
            lambda: charts.parts_chart(diagnosis),
        )
        if any(each.disorder for each in diagnosis.confusions):
            yield (
                "confusions",
                "Which labels are confused.",
                "Pairs of aligned units, weighed as γcat does.",
                lambda: charts.confusion_chart(diagnosis),
            )
    if found.pairs is not None:
        pairs = found.pairs
        yield (
            "annotators",
            "Who agrees with whom.",
            "γ of every two annotators, each measured without the others.",
            lambda: charts.annotator_chart(pairs),
        )
    yield from _lanes(found)


def _lanes(found: Findings) -> Iterator[tuple[str, str, str, Callable[[], Chart]]]:
    result, consensus = found.gamma, found.consensus
    document = ""
    if result.documents:
        ranked = [each.document for each in found.advice.documents] if found.advice else []
        document = next(iter(ranked or result.documents))
        result = result.documents[document]
    if result.alignment is None or not len(result.alignment):
        return
    of = f" Document {quoted(document)}, which has the most disorder." if found.several else ""
    labels = same_colours(found.data.labels)
    yield (
        "alignment",
        "The best alignment.",
        (
            f"A lane for each annotator; lines join the units of a group, and rings mark who has "
            f"none.{of}"
        ),
        lambda: charts.alignment_chart(result, labels=labels),
    )
    if consensus is not None:
        yield (
            "consensus",
            "The consensus beside what annotators marked.",
            f"Faint units have little support, whiskers show how far bounds are spread.{of}",
            lambda: charts.consensus_chart(
                consensus, found.data, document=document or None, labels=labels
            ),
        )


def _intervals(result: GammaResult) -> str:
    if any(each.interval for each in result.by_label.values()):
        return "intervals, over documents (thin) and Monte Carlo (thick)"
    return "Monte Carlo interval"
