"""The sections of a report: numbers, causes, actions, consensus, excerpts and figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unisono import charts
from unisono.charts.chart import CHARTS
from unisono.charts.style import same_colours
from unisono.errors import DataError, SettingError, UnisonoError
from unisono.reports.methods import bibtex, in_words, methods_paragraph, references, used_papers
from unisono.reports.summary import (
    ALSO,
    CONFUSED,
    FEW_UNITS,
    MOSTLY,
    cautions,
    gain_sentence,
    headline,
    percent,
    summary,
)
from unisono.results.agreement import value_in_words
from unisono.results.blocks import (
    Bullets,
    Cell,
    Code,
    Excerpt,
    Facts,
    Figure,
    Name,
    Paragraph,
    Section,
    Table,
    label_cell,
    one_line,
    quote_name,
)
from unisono.results.data import reading_tables
from unisono.results.sheet import figure
from unisono.results.wording import count, position, printable, some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unisono.model.continuum import Continuum, Unit
    from unisono.model.interpretation import Interpretation
    from unisono.reports.findings import Findings
    from unisono.results.blocks import Block
    from unisono.results.render import Sheeted
    from unisono.results.sheet import Figure as SheetFigure
    from unisono.results.sheet import Kind, Row, View
    from unisono.results.sheet import Table as SheetTable
    from unisono.studies.advice import GroupShare


_CONTEXT = 30
_LONGEST = 200


def people_tables(result: Sheeted) -> dict[str, SheetTable]:
    """Return the tables for people of the sheet of a result, by name."""
    return {table.name: table for table in result.sheet().tables if table.people}


def table_of(
    view: View, caption: str, *, rest: str = "not shown", more: Mapping[str, Sequence[Cell]] = {}
) -> Table:
    """Return the view of a table of a sheet as a table of the report, with additional columns."""
    kinds = [one.kind for one in view.columns]
    rows = [
        [_cell(*each) for each in zip(kinds, values, texts, strict=True)]
        for values, texts in zip(view.values, view.cells, strict=True)
    ]
    columns = [*zip(*rows, strict=True), *more.values()]
    left = {at for at, one in enumerate(view.columns) if one.kind.align == "left"}
    return Table(
        caption,
        (*view.headings, *more),
        tuple(zip(*columns, strict=True)),
        frozenset(left | set(range(len(view.headings), len(columns)))),
        f"{count(view.n_more, f'more {view.noun}')} {rest}." if view.n_more > 0 else "",
    )


def _cell(kind: Kind, value: Any, text: str) -> Cell:  # noqa: ANN401 - any value of a cell
    if kind.name_parts is None or kind.latex is None:
        return text
    return Name(text, tuple(kind.name_parts(value)), kind.latex(value))


def blocks_of(
    table: SheetTable, caption: str, *, limit: int | None = None, rest: str = "not shown"
) -> list[Block]:
    """Return a table of a sheet as blocks of the report, with the reasons of undefined values."""
    view = table.view(limit)
    why = Bullets(tuple(f"{sentence}." for sentence in view.sentences))
    return [table_of(view, caption, rest=rest), *([why] if why.items else [])]


def excerpt(continuum: Continuum, unit: Unit) -> Excerpt | None:
    """Return the text of a unit with its context, or None if there is no text for it."""
    text = continuum.text
    if text is None:
        return None
    start, end = int(unit.start), int(unit.end)
    if (start, end) != (unit.start, unit.end) or not 0 <= start <= end <= len(text):
        return None
    before = text[max(0, start - _CONTEXT) : start]
    after = text[end : end + _CONTEXT]
    marked = text[start:end]
    if len(marked) > _LONGEST:
        half = _LONGEST // 2
        marked = f"{marked[:half]} […] {marked[-half:]}"
    return Excerpt(
        f"{'…' if start > _CONTEXT else ''}{_on_one_line(before)}",
        _on_one_line(marked),
        f"{_on_one_line(after)}{'…' if end + _CONTEXT < len(text) else ''}",
    )


def has_texts(continua: list[Continuum]) -> bool:
    """Return whether any document has a text."""
    return any(continuum.text is not None for continuum in continua)


def _on_one_line(text: str) -> str:
    # The spaces at both ends separate the context from the marked words, so they are kept.
    lines = "".join(" " if mark in "\n\r\t\v\f\u2028\u2029" else mark for mark in text)
    return one_line(lines)


_CONSENSUS_REST = "not shown; the command `unisono consensus` prints all"
_UNDECIDED = 30
_DECIDED = 20


def consensus_section(found: Findings, pictures: Mapping[str, Figure]) -> Section:
    """Return the section on the consensus: undecided groups, then the least supported units."""
    title, key = "Consensus", "consensus"
    consensus = found.consensus
    if consensus is None:
        why = one_line(found.missing.get("consensus", "nothing is aligned"))
        return Section(title, key, (Paragraph(f"There is no consensus: {why}."),))
    share = percent(consensus.support).replace(".0 %", " %")
    overview = Paragraph(
        f"{count(consensus.n_groups, 'group')} of units: {count(len(consensus.units), 'unit')} "
        f"decided, {count(len(consensus.undecided), 'group')} undecided. A group becomes a unit of "
        f"the consensus if at least {share} of the annotators, and at least two, have a unit in "
        "it, and one label has more votes than any other. Its start and end are medians."
    )
    blocks: list[Block] = [overview]
    if "consensus" in pictures:
        blocks.append(pictures["consensus"])
    return Section(title, key, tuple(blocks), (_undecided(found), _decided(found)))


def _undecided(found: Findings) -> Section:
    groups = found.consensus.undecided if found.consensus else ()
    title, key = "Undecided groups", "undecided"
    if found.consensus is None or not groups:
        return Section(title, key, (Paragraph("None: a majority decides every group."),))
    texts = [
        (excerpt(found.continuum(each.document), each.units[0]) if each.units else None) or "–"
        for each in groups[:_UNDECIDED]
    ]
    table = table_of(
        people_tables(found.consensus)["undecided"].view(_UNDECIDED),
        "Groups without a majority, in the order of the documents",
        rest=_CONSENSUS_REST,
        more={"text": texts} if has_texts(list(found.documents.values())) else {},
    )
    return Section(title, key, (table,))


def _decided(found: Findings) -> Section:
    title, key = "Decided units, the least supported first", "decided"
    if found.consensus is None or not found.consensus.units:
        return Section(title, key, (Paragraph("No group has enough support."),))
    table = people_tables(found.consensus)["unit"]
    names = [column.name for column in table.columns]
    support, same = names.index("n_annotators"), names.index("label_support")

    def least_supported(row: Row) -> tuple[float, float]:
        (marked, seen), (votes, units) = row[support], row[same]
        return marked / seen, votes / units

    blocks = blocks_of(
        replace(table, worst_first=least_supported),
        "Units of the consensus with the least support",
        limit=_DECIDED,
        rest=_CONSENSUS_REST,
    )
    return Section(title, key, tuple(blocks))


_LABELS = 40
_LINES = 20


def coefficient_section(found: Findings, pictures: Mapping[str, Figure]) -> Section:
    """Return the section on all applicable coefficients, with intervals and signatures."""
    measures = found.measures.sheet().tables[0]
    blocks = blocks_of(measures, "All measures that apply to these data", limit=_LABELS)
    blocks += _chosen_pictures(pictures, "draws", "labels")
    blocks.append(Facts(_facts(found)))
    unfit = [f"{fit.family.title}: {one_line(fit.why)}." for fit in found.fits if not fit.fits]
    if unfit:
        blocks += [Paragraph("Measures that do not apply to these data:"), Bullets(tuple(unfit))]
    explained = (
        Paragraph(
            "A signature lists every setting that can change a value; the same settings and data "
            "reproduce the same value."
        ),
        Code("\n".join(_signatures(found)), "Signatures"),
    )
    signatures = Section("Signatures", "signatures", explained)
    return Section("Coefficients", "coefficients", tuple(blocks), (signatures,))


def _signatures(found: Findings) -> list[str]:
    others = (found.advice, found.consensus)
    return [
        *(printable(str(each)) for each in found.measures.sheet().signatures),
        *(one_line(str(each.signature)) for each in others if each is not None),
    ]


def _facts(found: Findings) -> tuple[tuple[str, str], ...]:
    sheets = (found.gamma.sheet(), found.measures.sheet())
    facts: dict[str, tuple[str, str]] = {}
    for fact in (fact for sheet in sheets for fact in sheet.facts):
        facts.setdefault(fact.column.name, (fact.column.heading, fact.text))
    # The list of measures that do not apply gives the reason in a sentence.
    if any(not fit.fits and fit.family.command == "segments" for fit in found.fits):
        facts.pop("segments", None)
    notes = dict.fromkeys(printable(note) for sheet in sheets for note in sheet.notes)
    return (*facts.values(), *(("note", note) for note in notes))


def cause_section(found: Findings, pictures: Mapping[str, Figure]) -> Section:
    """Return the section on the parts of the disorder: in total, by label, annotator, document."""
    title, key = "Sources of disagreement", "causes"
    diagnosis = found.diagnosis
    if diagnosis is None:
        why = one_line(found.missing["diagnosis"])
        return Section(title, key, (Paragraph(f"They could not be determined: {why}."),))
    tables = people_tables(diagnosis)
    whole = blocks_of(tables["part"], "The three parts that add up to the observed disorder")
    of_labels = blocks_of(tables["label"], "Disorder by label", limit=_LINES)
    if "confusion" in tables:
        caption = "Pairs of different labels of aligned units"
        of_labels += blocks_of(tables["confusion"], caption, limit=_LINES)
    of_people = blocks_of(tables["annotator"], "Disorder by annotator", limit=_LINES)
    of_people.append(
        Paragraph(
            "The attribution to annotators is a convention, chosen such that all shares add up: "
            "half of the dissimilarity of two units is attributed to each of their annotators, and "
            "half of the cost of an empty place to the annotator without a unit. “missed” is the "
            "number of groups in which more than half of the other annotators have a unit and this "
            "one has none; “alone” is the number of units that no other annotator marked.",
            "note",
        )
    )
    if found.pairwise is not None:
        caption = "γ of each pair of annotators, computed without the others"
        of_people += blocks_of(people_tables(found.pairwise)["pair"], caption)
    of_labels += _chosen_pictures(pictures, "confusion")
    of_people += _chosen_pictures(pictures, "annotators")
    sections = [
        Section("By label", "by-label", tuple(of_labels)),
        Section("By annotator", "by-annotator", tuple(of_people)),
    ]
    if "document" in tables:
        of_documents = blocks_of(tables["document"], "Disorder by document", limit=_LINES)
        sections.append(Section("By document", "by-document", tuple(of_documents)))
    return Section(title, key, (*whole, *_chosen_pictures(pictures, "parts")), tuple(sections))


def _chosen_pictures(pictures: Mapping[str, Figure], *names: str) -> list[Block]:
    return [pictures[name] for name in names if name in pictures]


_CERTAIN = "A change is certain if its interval does not contain 0."
_CARDS = 10
_DOCUMENTS = 10
_EMPTY_SHOWN = 6
_CAUSES = {"position": "position", "label": "labels", "missing": "missing units"}


def action_section(found: Findings) -> Section:
    """Return the section on recommended actions."""
    title, key = "What to do first", "actions"
    if found.advice is None:
        why = one_line(found.missing.get("advice", "γ is undefined"))
        return Section(title, key, (Paragraph(f"No recommendation is possible: {why}."),))
    if not found.advice.adjudicate:
        return Section(title, key, (Paragraph("No action is needed: there is no disorder."),))
    notes = tuple(Paragraph(f"{one_line(note)}.", "note") for note in found.advice.notes)
    parts = (_places(found), _document_shares(found), _labels(found), _people(found))
    return Section(title, key, notes, tuple(part for part in parts if part is not None))


def place_of(group: GroupShare, *, several: bool) -> str:
    """Return the position of a group as text."""
    span = f"{position(group.start)}–{position(group.end)}"
    return f"{one_line(group.document)}, {span}" if several else span


def _places(found: Findings) -> Section:
    if found.advice is None:
        return Section("Places to adjudicate first", "places")
    groups = found.advice.adjudicate
    overview = blocks_of(
        people_tables(found.advice)["group"],
        "Groups of units with the largest shares of the disorder",
    )
    explained = Paragraph(
        "A group consists of the units that the best alignment matches, at most one per annotator. "
        "“γ gained” is the increase in γ if all annotators agreed on this group, at the same "
        "expected disorder."
    )
    blocks: list[Block] = [explained, *overview]
    blocks += [_card(found, group, rank) for rank, group in enumerate(groups[:_CARDS], start=1)]
    return Section("Places to adjudicate first", "places", tuple(blocks))


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
            one_line(name),
            label_cell(unit.label),
            f"{position(unit.start)}–{position(unit.end)}",
        ]
        if with_text:
            line.append(excerpt(continuum, unit) or "–")
        rows.append(tuple(line))
    return Table(
        f"{rank}. {place_of(group, several=found.several)}: {percent(group.share)} of the "
        f"disorder, mainly due to {_cause(group)}",
        headings,
        tuple(rows),
        frozenset({0, 1, 3}),
        f"Annotators without a unit here: {some(empty, _EMPTY_SHOWN)}." if empty else "",
    )


def _cause(group: GroupShare) -> str:
    parts = group.parts._asdict()
    return _CAUSES[max(parts, key=lambda name: parts[name])]


def _document_shares(found: Findings) -> Section | None:
    if found.advice is None or not found.several:
        return None
    table = people_tables(found.advice).get("document")
    if table is None:
        return None
    caption = "Documents with the largest shares of the disorder"
    explained = Paragraph(
        "The share of a document grows with its length, so compare its γ as well; γ of a short "
        "document is uncertain."
    )
    listed = blocks_of(table, caption, limit=_DOCUMENTS)
    return Section("Documents to review", "documents-first", (explained, *listed))


def _labels(found: Findings) -> Section:
    title, key = "Labels to merge", "merges"
    if found.gamma.gamma_cat.undefined or len(found.data.labels) < 2:
        return Section(title, key, (Paragraph("There are fewer than two labels."),))
    merges = found.advice.merges if found.advice else ()
    if found.advice is None or not merges:
        why = "No merge was tested, because no two labels are confused."
        if found.diagnosis is not None and any(e.disorder for e in found.diagnosis.confusions):
            why = "Changes in γ were not requested."
        return Section(title, key, (Paragraph(why),))
    table = people_tables(found.advice)["merge"]
    tables = blocks_of(
        replace(table, more=_not_tested(found, len(merges))),
        "γ if two labels were merged",
        rest="not tested because they are confused less often",
    )
    advice = Bullets(
        (
            (
                "In each row γ was computed again from the changed data, with the same seed and "
                f"number of draws; the interval is that of the difference. {_CERTAIN}"
            ),
            (
                "With fewer labels there are fewer possible disagreements, so γ usually rises, but "
                "the distinction between the labels is lost. A gain alone is not a reason to merge "
                "labels; a more precise guideline is the alternative."
            ),
        )
    )
    return Section(title, key, (*tables, advice))


def _people(found: Findings) -> Section:
    title, key = "Annotators to review", "annotators-first"
    people = found.advice.annotator_gains if found.advice else ()
    if found.advice is None or not people:
        why = "Changes in γ were not requested."
        if len(found.data.annotators) < 3:
            why = "With only two annotators it is impossible to say which of them differs."
        return Section(title, key, (Paragraph(why),))
    table = people_tables(found.advice)["annotator"]
    tables = blocks_of(
        replace(table, more=len(found.data.annotators) - len(people)),
        "γ without one annotator",
    )
    first = people[0]
    advice = Bullets(
        (
            _CERTAIN,
            gain_sentence(f"Leaving out {quote_name(first.annotator)}", first.gain),
            (
                "If γ rises without an annotator, this annotator differs from the others, but may "
                "still be right: review the places above before training annotators."
            ),
        )
    )
    return Section(title, key, (*tables, advice))


def _not_tested(found: Findings, n_tested: int) -> int:
    if found.diagnosis is None:
        return 0
    return sum(each.disorder > 0.0 for each in found.diagnosis.confusions) - n_tested


NO_CHARTS = "Charts need the plotting libraries: pip install 'unisono[plot]', then run again."


def compose(
    found: Findings,
    *,
    cite: Callable[[str], str] = in_words,
    pictures: Mapping[str, Figure] | None = None,
    without_pictures: str = "",
) -> tuple[Section, ...]:
    """Return all sections of a report."""
    drawn = pictures or {}
    sections = [
        _summary(found, without_pictures),
        action_section(found),
        coefficient_section(found, drawn),
        cause_section(found, drawn),
        consensus_section(found, drawn),
        _pictures(drawn),
        files_section(found.gamma.interpretation),
        _methods(found, cite),
        _references(found),
        reading_section(),
    ]
    return tuple(section for section in sections if section is not None)


def _summary(found: Findings, without_pictures: str) -> Section:
    result = found.gamma
    values = [
        ("γ", "undefined" if result.undefined else value_in_words(result)),
        (
            "γcat",
            "undefined" if result.gamma_cat.undefined else value_in_words(result.gamma_cat),
        ),
        ("annotators", f"{result.n_annotators:,}"),
        ("units", f"{result.n_units:,}"),
        ("labels", f"{sum(label is not None for label in found.data.labels):,}"),
        ("documents", f"{len(found.documents):,}"),
    ]
    blocks: list[Block] = [
        Paragraph(headline(found), "lead"),
        Facts(tuple(values)),
        Paragraph(f"Compared: {one_line(str(result.data))}.", "note"),
        Bullets(tuple(summary(found))),
    ]
    if without_pictures:
        blocks.append(Paragraph(without_pictures, "note"))
    limitations = Section("Limitations", "care", (Bullets(tuple(cautions(found))),))
    return Section("Summary", "summary", tuple(blocks), (limitations,))


def _pictures(pictures: Mapping[str, Figure]) -> Section | None:
    shown = [pictures[name] for name in ("alignment", "continuum") if name in pictures]
    return Section("Annotations", "pictures", tuple(shown)) if shown else None


def files_section(interpretation: Interpretation | None) -> Section | None:
    """Return the section on how the files were read, if the data were read from files."""
    tables = list(reading_tables(interpretation))
    blocks = [block for table in tables for block in blocks_of(table, table.title)]
    return Section("How the files were read", "files", tuple(blocks)) if blocks else None


def _methods(found: Findings, cite: Callable[[str], str]) -> Section:
    blocks = (
        Paragraph("A paragraph for a paper, to be shortened as needed:", "note"),
        Paragraph(methods_paragraph(found, cite)),
    )
    return Section("Methods", "methods", blocks)


def _references(found: Findings) -> Section:
    keys = used_papers(found)
    blocks = (Bullets(tuple(references(keys))), Code(bibtex(keys), "BibTeX"))
    return Section("References", "references", blocks)


def reading_section() -> Section:
    """Return the section on the rules by which the words of a report are chosen."""
    rules = Bullets(
        (
            (
                "There is no scale of good and bad values: the agreement that is needed depends on "
                "the purpose of the annotation, and the same annotators reach different values on "
                "tasks of different difficulty."
            ),
            (
                f"“Mainly” refers to a part with at least {percent(MOSTLY)} of the "
                f"disorder; if there is none, parts with at least {percent(ALSO)} are named."
            ),
            (
                f"Two labels are named in the first sentence if their confusion accounts for at "
                f"least {percent(CONFUSED)} of the disorder."
            ),
            (
                "An annotator “differs most” if leaving them out raises γ by more than the Monte "
                "Carlo error, and by more than leaving out anyone else."
            ),
            (
                f"A small sample is reported below {count(FEW_UNITS, 'unit')}, agreement within "
                "chance if 2.5 % of the random annotations or more have a higher γ."
            ),
            (
                "γ = 1 − observed / expected disorder: 1 is perfect agreement, 0 is agreement by "
                "chance, and below 0 agreement is worse than chance."
            ),
            (
                "γ compares the positions and the labels of units; γcat only the labels of aligned "
                "units; γk the same for a single label. γ and F1 of a label also count its units "
                "that some annotators missed."
            ),
        )
    )
    return Section("How to read this report", "reading", (rules,))


_FEW_LABELS = 40


def drawn_figures(found: Findings) -> tuple[Mapping[str, Figure], str]:
    """Return the charts that apply to these data, and a reason if no chart can be drawn."""
    if not charts.can_draw():
        return {}, NO_CHARTS
    drawn: dict[str, Figure] = {}
    for each, settings in _figures(found):
        try:
            picture = charts.chart_svg(CHARTS[each.chart](each.subject, **settings))
        except (DataError, SettingError):
            # The chart does not apply to these data; the tables contain the numbers.
            continue
        except UnisonoError as error:
            return {}, f"The charts could not be drawn: {one_line(str(error))}."
        drawn[each.chart] = Figure(each.title, each.description, picture)
    return drawn, ""


def _figures(found: Findings) -> Iterator[tuple[SheetFigure, dict[str, Any]]]:
    """Yield the figures of the sheets in the report, with the settings of their charts."""
    if found.gamma.undefined:
        return
    results = (found.gamma, found.diagnosis, found.pairwise)
    sheets = [each.sheet() for each in results if each is not None]
    figures = {each.chart: each for sheet in sheets for each in sheet.figures}
    if not 1 < len(found.gamma.gamma_k) <= _FEW_LABELS:
        figures.pop("labels", None)
    figures.pop("alignment", None)
    yield from ((each, {}) for each in figures.values())
    yield from _lanes(found)


def _lanes(found: Findings) -> Iterator[tuple[SheetFigure, dict[str, Any]]]:
    """Yield the figures of alignment and consensus of the document with the most disorder."""
    result = found.gamma
    document = None
    if result.documents:
        ranked = [each.document for each in found.advice.document_shares] if found.advice else []
        document = next(iter(ranked or result.documents))
        result = result.documents[document]
    if result.alignment is None or not len(result.alignment):
        return
    more: dict[str, Any] = {"labels": same_colours(found.data.labels)}
    shown_figures = [(figure("alignment", result), more)]
    if found.consensus is not None:
        of_document = more | {"data": found.data, "document": document}
        shown_figures.append((figure("consensus", found.consensus), of_document))
    of = f" Document {quote_name(document)}, which has the most disorder." if document else ""
    for each, settings in shown_figures:
        yield each._replace(description=each.description + (of if found.several else "")), settings
