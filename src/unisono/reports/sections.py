"""The sections of a report for those who act: what to decide, merge and look at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.reports.excerpts import excerpt, has_texts
from unisono.reports.summary import gain_sentence
from unisono.results.sheet import Bullets, Cell, Paragraph, Section, Table, named, quoted, shown
from unisono.results.wording import count, decimals, position, some
from unisono.studies.advice_result import NOT_CERTAIN, gain_words
from unisono.studies.diagnosis_result import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.reports.findings import Findings
    from unisono.results.sheet import Block
    from unisono.studies.advice_result import Gain, GroupShare, LeftOut, Merge


_CARDS = 10
_DOCUMENTS = 10
_EMPTY_SHOWN = 6
_CAUSES = {"position": "position", "label": "labels", "missing": "missing units"}


def action_section(found: Findings) -> Section:
    """Say what to do first, with the numbers.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.sections import action_section
    >>> from unisono.reports.findings import find
    >>> section = action_section(find(un.read("examples/corpus"), draws=30, rng=1))
    >>> [part.title for part in section.sections]
    ['Decide these places first', 'Documents to look at', 'Labels to merge',
    'Annotators to look at']
    """
    title, key = "What to do first", "actions"
    if found.advice is None:
        why = shown(found.missing.get("advice", "γ is undefined"))
        return Section(title, key, (Paragraph(f"Nothing can be advised: {why}."),))
    if not found.advice.adjudicate:
        return Section(title, key, (Paragraph("Nothing: there is no disorder to act on."),))
    notes = tuple(Paragraph(f"{shown(note)}.", "note") for note in found.advice.notes)
    parts = (_places(found), _documents(found), _labels(found), _people(found))
    return Section(title, key, notes, tuple(part for part in parts if part is not None))


def place_of(group: GroupShare, *, several: bool) -> str:
    """Write where a group is.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.sections import place_of
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> place_of(un.advise(text, draws=30, rng=1).adjudicate[0], several=False)
    '0–2'
    """
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
        _rest(total - len(rows), "group"),
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


def _documents(found: Findings) -> Section | None:
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
        rest=_rest(len(documents) - len(rows), "document"),
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
        _rest(len(found.data.annotators) - len(people), "annotator"),
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
    return _rest(confused - shown_merges, "pair", "confused more seldom, was not tried")


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


def _rest(more: int, noun: str, why: str = "") -> str:
    if more <= 0:
        return ""
    return f"{count(more, noun)} more{', ' + why if why else ' not shown'}."
