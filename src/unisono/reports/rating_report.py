"""The report on ratings: coefficients, where raters disagree, consensus and methods."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono import charts
from unisono.charts.chart import CHARTS
from unisono.errors import DataError, SettingError, UnisonoError
from unisono.measures.items.interval import INDEPENDENT
from unisono.measures.items.table import measure_items
from unisono.registry import MEASURES, SETTINGS
from unisono.reports.methods import bibtex, in_words, references
from unisono.reports.page import ReportPage, sheet_of_parts
from unisono.reports.sections import NO_CHARTS, blocks_of, files_section, people_tables
from unisono.results.agreement import value_in_words
from unisono.results.blocks import (
    Bullets,
    Code,
    Facts,
    Figure,
    Paragraph,
    Section,
    Table,
    one_line,
    quote_name,
    without_isolates,
)
from unisono.results.data import open_question_notes
from unisono.results.record import plain, plain_data, record
from unisono.results.sheet import KINDS
from unisono.results.wording import count, decimals, printable
from unisono.studies.rating_consensus import rating_consensus
from unisono.studies.rating_diagnosis import diagnose_ratings, item_text
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.coefficients import MissingPolicy
    from unisono.measures.items.interval import Clusters
    from unisono.measures.items.result import ItemsAgreement, ItemsTable
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings
    from unisono.results.blocks import Block
    from unisono.results.sheet import Sheet
    from unisono.results.values import Signature
    from unisono.studies.rating_consensus import RatingConsensus
    from unisono.studies.rating_diagnosis import RatingDiagnosis

__all__ = ["RatingFindings", "RatingReport", "find_in_ratings"]

_MEDIANS = ("ordinal", "interval")
_LINES = 20
_NAMED_ITEM = 0.02
"""The minimum share of the disagreement of an item that the summary names."""
_FEW_LABELS = 40
_percent = KINDS["share"].text


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingFindings:
    """The results of a report on ratings; `without` has the reasons for those that are None."""

    ratings: Ratings
    measures: ItemsTable
    diagnosis: RatingDiagnosis | None
    consensus: RatingConsensus | None
    without: Mapping[str, str]

    @property
    def alpha(self) -> ItemsAgreement:
        """Krippendorff's α."""
        return self.measures["krippendorff_alpha"]

    @property
    def distance(self) -> str:
        """The distance of labels as text."""
        return self.alpha.signature["distance"]

    @property
    def missing(self) -> str:
        """The policy for missing values."""
        return self.alpha.signature["missing"]

    @property
    def n_missing(self) -> int | None:
        """Number of possible ratings that are missing; None if annotators are unknown."""
        ratings = self.ratings
        if ratings.anonymous:
            return None
        return ratings.n_items * ratings.n_annotators - ratings.n_ratings


def find_in_ratings(
    ratings: Ratings,
    *,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
) -> RatingFindings:
    """Compute the results of a report on ratings."""
    # A named distance applies to all coefficients that can weigh disagreements.
    weights = distance if isinstance(distance, str) and distance != "nominal" else None
    measures = measure_items(
        ratings,
        distance=distance,
        weights=weights,
        missing=missing,
        order=order,
        clusters=clusters,
    )
    without: dict[str, str] = {}

    def attempt(name: str, study: Callable[..., Any], **settings: object) -> Any:  # noqa: ANN401 - the result of the study
        try:
            return study(ratings, **settings)
        except (DataError, SettingError) as error:
            without[name] = str(error)
            return None

    by_median = isinstance(distance, str) and distance in _MEDIANS
    rule = {"distance": distance, "order": order} if by_median else {}
    return RatingFindings(
        ratings=ratings,
        measures=measures,
        diagnosis=attempt(
            "diagnosis",
            diagnose_ratings,
            distance=distance,
            missing=missing,
            order=order,
            clusters=clusters,
        ),
        consensus=attempt("consensus", rating_consensus, **rule),
        without=without,
    )


_PARTS = {
    "measures": "Coefficients",
    "diagnosis": "Where raters disagree",
    "consensus": "Consensus",
}
"""The results in the sheet of a report, with the titles of their first tables."""


@record
class RatingReport(ReportPage):
    """A report on the agreement of ratings: words, numbers and charts.

    Parameters
    ----------
    title
        The heading of the report.
    findings
        The results in the report.
    charts
        Whether the HTML page has charts.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.report(un.read_ratings("examples/politeness.csv"), distance="ordinal")
    >>> found
    RatingReport('Agreement of 4 annotators', α 0.71)
    """

    findings: RatingFindings

    @property
    def alpha(self) -> ItemsAgreement:
        """Krippendorff's α, as returned by `krippendorff_alpha`.

        Examples
        --------
        >>> import unisono as un
        >>> un.report(un.read_ratings("examples/politeness.csv")).alpha.n_items
        24
        """
        return self.findings.alpha

    @property
    def measures(self) -> ItemsTable:
        """All coefficients, as returned by `measure_items`.

        Examples
        --------
        >>> import unisono as un
        >>> len(un.report(un.read_ratings("examples/politeness.csv")).measures)
        8
        """
        return self.findings.measures

    @property
    def diagnosis(self) -> RatingDiagnosis | None:
        """The sources of disagreement; ``None`` if nothing can be compared.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read_ratings("examples/politeness.csv"))
        >>> found.diagnosis.observed == found.alpha.observed
        True
        """
        return self.findings.diagnosis

    @property
    def consensus(self) -> RatingConsensus | None:
        """The consensus labels; ``None`` if the names of the items are unknown.

        Examples
        --------
        >>> import unisono as un
        >>> un.report(un.read_ratings("examples/politeness.csv")).consensus
        RatingConsensus(21 items, 3 items undecided)
        """
        return self.findings.consensus

    @property
    def signature(self) -> Signature:
        """All settings that affect α.

        Examples
        --------
        >>> import unisono as un
        >>> un.report(un.read_ratings("examples/politeness.csv")).signature["distance"]
        'nominal'
        """
        return self.alpha.signature

    def __str__(self) -> str:
        return without_isolates(_headline(self.findings))

    def __repr__(self) -> str:
        value = "undefined" if self.alpha.undefined else decimals(self.alpha.value, 2)
        return f"RatingReport({self.title!r}, α {value})"

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: no coefficient has a value.

        Examples
        --------
        >>> import unisono as un
        >>> un.report(un.read_ratings("examples/politeness.csv")).problems()
        []
        """
        return self.measures.problems()

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the tables, figures and signatures of all results in the report.

        The names of tables begin with the name of their result, such as ``"diagnosis item"``.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read_ratings("examples/politeness.csv"))
        >>> [table.name for table in found.sheet().tables if table.people][:3]
        ['measures measure', 'diagnosis annotator', 'diagnosis label_use']
        """
        parts = {name: getattr(self.findings, name) for name in _PARTS}
        return sheet_of_parts(title or self.title, str(self), parts, _PARTS)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data: the sentences, and each result under its name.

        Examples
        --------
        >>> import unisono as un
        >>> list(un.report(un.read_ratings("examples/politeness.csv")).to_dict())[:4]
        ['title', 'headline', 'summary', 'cautions']
        """
        found = self.findings
        return {
            "title": self.title,
            "headline": str(self),
            "summary": [without_isolates(each) for each in _summary(found)],
            "cautions": [without_isolates(each) for each in _cautions(found)],
            "measures": plain(dict(found.measures)),
            **{name: plain(getattr(found, name)) for name in ("diagnosis", "consensus")},
            "missing": dict(found.without),
            "methods": _methods_paragraph(found),
            "bibtex": bibtex(_papers(found)),
            **plain_data(self),
            "version": __version__,
        }

    def _sections(
        self,
        *,
        cite: Callable[[str], str] = in_words,
        pictures: Mapping[str, Figure] | None = None,
        without_pictures: str = "",
    ) -> tuple[Section, ...]:
        found, drawn = self.findings, pictures or {}
        keys = self._papers()
        sections = (
            _summary_section(found, without_pictures),
            _coefficient_section(found, drawn),
            _cause_section(found, drawn),
            _consensus_section(found),
            _missing_section(found),
            files_section(found.alpha.interpretation),
            Section(
                "Methods",
                "methods",
                (
                    Paragraph("A paragraph for a paper, to be shortened as needed:", "note"),
                    Paragraph(_methods_paragraph(found, cite)),
                ),
            ),
            Section(
                "References",
                "references",
                (Bullets(tuple(references(keys))), Code(bibtex(keys), "BibTeX")),
            ),
            _reading_section(),
        )
        return tuple(section for section in sections if section is not None)

    def _drawn(self) -> tuple[Mapping[str, Figure], str]:
        return _drawn_figures(self.findings)

    def _papers(self) -> list[str]:
        return _papers(self.findings)

    @property
    def _data(self) -> Ratings:
        return self.findings.ratings

    @property
    def _about(self) -> str:
        ratings = self.findings.ratings
        parts = [
            count(ratings.n_annotators, "annotator"),
            count(ratings.n_items, "item"),
            count(ratings.n_ratings, "rating"),
            count(len(ratings.labels), "label"),
        ]
        return ", ".join(parts)


# Summary


def _value(result: ItemsAgreement) -> str:
    if result.interval is None:
        return value_in_words(result)
    low, high = decimals(result.interval.low, 2), decimals(result.interval.high, 2)
    level = f"{100 * result.interval.confidence:g} % interval"
    return f"{value_in_words(result)}, {level} {low} to {high}".replace("-", "−")


def _headline(found: RatingFindings) -> str:
    alpha = found.alpha
    if alpha.undefined:
        return f"Krippendorff's α is undefined: {one_line(alpha.undefined)}."
    return f"Krippendorff's α = {_value(alpha)} ({one_line(found.distance)} distance)."


def _summary(found: RatingFindings) -> list[str]:
    """Return sentences on the numbers."""
    alpha, diagnosis = found.alpha, found.diagnosis
    sentences = []
    if not alpha.undefined:
        sentences.append(
            f"The observed disagreement, the mean distance of two ratings of an item, is "
            f"{decimals(alpha.observed)}; {decimals(alpha.expected)} is expected by chance."
        )
    if diagnosis is not None:
        sentences.append(
            f"There is disagreement on {diagnosis.n_disagreeing:,} of "
            f"{count(alpha.n_items, 'item')} with two ratings or more."
        )
        if diagnosis.items and diagnosis.items[0].share >= _NAMED_ITEM:
            first = diagnosis.items[0]
            sentences.append(
                f"The item with the largest part of the disagreement, {_percent(first.share)}, is "
                f"{quote_name(item_text(first.item))}."
            )
        if diagnosis.confusions and diagnosis.confusions[0].disagreement > 0.0:
            pair = diagnosis.confusions[0]
            names = " and ".join(quote_name(_text(label)) for label in pair.labels)
            sentences.append(
                f"The pair of labels with the largest part, {_percent(pair.share)}, is {names}: "
                f"{_percent(pair.proportion)} of all pairs of ratings, {_percent(pair.expected)} "
                "by chance."
            )
        people = diagnosis.by_annotator
        if len(people) > 2:
            name, most = max(people.items(), key=lambda one: (one[1].mean, one[0]))
            without = most.alpha_without
            changed = (
                f"; without them, α is {decimals(without, 3)}".replace("-", "−")
                if without is not None and without == without  # noqa: PLR0124 - not NaN
                else ""
            )
            sentences.append(
                f"The annotator with the largest mean disagreement with the others, "
                f"{decimals(most.mean)}, is {quote_name(name)}{changed}."
            )
    if found.consensus is not None:
        consensus = found.consensus
        sentences.append(
            f"The consensus rule decides {count(len(consensus), 'item')}; "
            f"{count(len(consensus.undecided), 'item')} "
            f"{'is' if len(consensus.undecided) == 1 else 'are'} undecided."
        )
    return sentences


def _text(label: Label) -> str:
    return KINDS["label"].text(label)


def _cautions(found: RatingFindings) -> list[str]:
    """Return sentences on the limitations of the numbers."""
    alpha = found.alpha
    sentences = [
        (
            "There is no agreed scale of values. The agreement that is needed depends on the use "
            "of the ratings; compare values of the same coefficient, distance and labels."
        ),
        (
            f"Intervals show how values would differ for other {_sampled(alpha)} of the same kind. "
            "They do not show how values would differ for other annotators."
        ),
    ]
    if any(note == INDEPENDENT for note in alpha.notes):
        sentences.append(
            "Intervals take items as independent. If items belong together, such as sentences of "
            "one text, set the clusters; otherwise the intervals are too narrow."
        )
    if found.n_missing:
        sentences.append(
            f"{count(found.n_missing, 'possible rating')} of "
            f"{found.ratings.n_items * found.ratings.n_annotators:,} are missing; the result "
            "depends on which items have ratings."
        )
    if alpha.n_left_out:
        sentences.append(
            f"{count(alpha.n_left_out, 'item')} without two ratings cannot be compared and "
            f"{'is' if alpha.n_left_out == 1 else 'are'} left out."
        )
    notes = [*alpha.notes, *open_question_notes(alpha.interpretation)]
    others = [note for note in notes if note != INDEPENDENT]
    sentences += [f"{one_line(note[:1].upper() + note[1:])}." for note in others]
    warnings = () if alpha.interpretation is None else alpha.interpretation.warnings
    sentences += [
        f"Warning: {one_line(str(each)).removesuffix('.')}."
        for each in warnings
        # A chosen distance answers it.
        if each.code != "ordered-labels" or found.distance == "nominal"
    ]
    return sentences


def _sampled(alpha: ItemsAgreement) -> str:
    """Return what intervals are over."""
    return "clusters of items" if "clusters" in dict(alpha.signature.settings) else "items"


def _summary_section(found: RatingFindings, without_pictures: str) -> Section:
    ratings, alpha = found.ratings, found.alpha
    facts = [
        ("α", "undefined" if alpha.undefined else value_in_words(alpha)),
        ("annotators", f"{ratings.n_annotators:,}"),
        ("items", f"{ratings.n_items:,}"),
        ("ratings", f"{ratings.n_ratings:,}"),
        ("labels", f"{len(ratings.labels):,}"),
    ]
    if found.n_missing is not None:
        facts.append(("missing", f"{found.n_missing:,}"))
    blocks: list[Block] = [
        Paragraph(_headline(found), "lead"),
        Facts(tuple(facts)),
        Paragraph(f"Compared: {one_line(str(alpha.data))}.", "note"),
        Bullets(tuple(_summary(found))),
    ]
    if without_pictures:
        blocks.append(Paragraph(without_pictures, "note"))
    limitations = Section("Limitations", "care", (Bullets(tuple(_cautions(found))),))
    return Section("Summary", "summary", tuple(blocks), (limitations,))


# Numbers and causes


def _coefficient_section(found: RatingFindings, pictures: Mapping[str, Figure]) -> Section:
    sheet = found.measures.sheet()
    table = sheet.tables[0]
    valued = [row for row in table.rows if not found.measures[row[0]].undefined]
    unfit = [
        f"{MEASURES[name].title}: {one_line(of.undefined)}."
        for name, of in found.measures.items()
        if of.undefined
    ]
    blocks: list[Block] = []
    if valued:
        shown = replace(table, rows=valued, reasons=())
        blocks += blocks_of(shown, "All coefficients that apply to these ratings")
        blocks.append(
            Paragraph(
                "Observed and expected are disagreements; the value is 1 − observed / expected. "
                "Coefficients in one table differ in what they expect by chance.",
                "note",
            )
        )
    if unfit:
        blocks += [Paragraph("Coefficients without a value:"), Bullets(tuple(unfit))]
    blocks += [pictures[name] for name in ("labels",) if name in pictures]
    facts = [(fact.column.heading, printable(fact.text)) for fact in sheet.facts]
    facts += [("note", printable(note)) for note in sheet.notes]
    blocks.append(Facts(tuple(facts)))
    others = (found.diagnosis, found.consensus)
    signatures = [printable(str(each)) for each in sheet.signatures]
    signatures += [printable(str(each.signature)) for each in others if each is not None]
    explained = (
        Paragraph(
            "A signature lists every setting that can change a value; the same settings and data "
            "reproduce the same value."
        ),
        Code("\n".join(signatures), "Signatures"),
    )
    return Section(
        "Coefficients",
        "coefficients",
        tuple(blocks),
        (Section("Signatures", "signatures", explained),),
    )


_CONVENTION = (
    "The distance of two ratings of an item is divided equally between their annotators, and "
    "equally between their labels; items and pairs of labels get it whole. So the parts of each "
    "table sum to the observed disagreement. “α without” is α of the other annotators."
)
_USES = (
    "“others” is the mean share of the label among the other ratings of the items that the "
    "annotator rated. The largest differences come first."
)
_PAIRS = (
    "“of pairs” is the proportion of the pairs of ratings of an item that have these two labels, "
    "weighted as in α; “by chance” is the proportion that α expects."
)


def _cause_section(found: RatingFindings, pictures: Mapping[str, Figure]) -> Section:
    title, key = "Where raters disagree", "causes"
    if found.diagnosis is None:
        why = one_line(found.without["diagnosis"])
        return Section(title, key, (Paragraph(f"This could not be determined: {why}."),))
    tables = people_tables(found.diagnosis)
    captions = (
        ("By annotator", "by-annotator", (
            ("annotator", "Disagreement of each annotator with the others", ""),
            ("label_use", "Use of labels, compared with the others", _USES),
        ), "annotators"),
        ("By label", "by-label", (
            ("label", "Disagreement by label", ""),
            ("confusion", "Pairs of different labels of the same items", _PAIRS),
        ), "confusion"),
        ("By item", "by-item", (
            ("item", "Items with the most disagreement", ""),
        ), ""),
    )  # fmt: skip
    sections = []
    for heading, part, shown, picture in captions:
        blocks: list[Block] = []
        for name, caption, about in shown:
            if name in tables:
                blocks += blocks_of(tables[name], caption, limit=_LINES)
                blocks += [Paragraph(about, "note")] if about else []
        if picture in pictures:
            blocks.append(pictures[picture])
        if blocks:
            sections.append(Section(heading, part, tuple(blocks)))
    notes = tuple(
        Paragraph(f"{one_line(note[:1].upper() + note[1:])}.", "note")
        for note in found.diagnosis.notes
    )
    if not found.diagnosis.n_disagreeing:
        none = Paragraph("There is no disagreement: all ratings of each item are equal.")
        return Section(title, key, (none,))
    return Section(title, key, (Paragraph(_CONVENTION, "note"), *notes), tuple(sections))


def _consensus_section(found: RatingFindings) -> Section:
    title, key = "Consensus", "consensus"
    consensus = found.consensus
    if consensus is None:
        why = one_line(found.without["consensus"])
        return Section(title, key, (Paragraph(f"There is no consensus: {why}."),))
    rule = (
        "The label of an item is the most frequent one, if it has at least half of the votes and "
        "no other label has as many."
        if consensus.rule == "majority"
        else "The label of an item is the median of its ratings."
    )
    overview = Paragraph(
        f"{rule} At least two ratings are required. {count(len(consensus), 'item')} decided, "
        f"{count(len(consensus.undecided), 'item')} undecided."
    )
    tables = people_tables(consensus)
    blocks: list[Block] = [overview]
    if "undecided" in tables:
        rest = "not shown; the command `unisono consensus` prints all"
        blocks += blocks_of(tables["undecided"], "Undecided items", limit=_LINES, rest=rest)
    return Section(title, key, tuple(blocks))


def _missing_section(found: RatingFindings) -> Section:
    ratings = found.ratings
    sizes = np.diff(ratings.offsets)
    numbers: Counter[int] = Counter()
    for size in np.unique(sizes).tolist():
        numbers[size] = int(ratings.times[sizes == size].sum())
    meaning = SETTINGS["missing"].meanings[found.missing]
    blocks: list[Block] = [
        Paragraph(
            f"Missing ratings are not compared. Policy “{found.missing}”: {meaning}. Items with "
            "fewer than two ratings are left out. The command `unisono missing-policies` compares "
            "the policies."
        ),
        Table(
            "Items by their number of ratings",
            ("ratings of the item", "items"),
            tuple((f"{size:,}", f"{number:,}") for size, number in sorted(numbers.items())),
            frozenset(),
        ),
    ]
    if not ratings.anonymous:
        weights = ratings.times[ratings.row_numbers]
        rated = np.bincount(ratings.annotator_codes, weights, ratings.n_annotators).astype(int)
        rows = sorted(zip(rated.tolist(), ratings.annotators, strict=True))
        blocks.append(
            Table(
                "Ratings by annotator, the fewest first",
                ("annotator", "ratings", "missing"),
                tuple(
                    (one_line(name), f"{n:,}", f"{ratings.n_items - n:,}")
                    for n, name in rows[:_LINES]
                ),
                frozenset({0}),
                f"{count(len(rows) - _LINES, 'more annotator')} not shown."
                if len(rows) > _LINES
                else "",
            )
        )
    return Section("Missing values", "missing", tuple(blocks))


# Methods


def _papers(found: RatingFindings) -> list[str]:
    """Return the keys of the publications on coefficients with a value, and of the distance."""
    valued = [name for name, result in found.measures.items() if not result.undefined]
    used = [key for name in ("krippendorff_alpha", *valued) for key in MEASURES[name].references]
    used += ["passonneau2006measuring"] if found.distance == "masi" else []
    return [*dict.fromkeys(used), "unisono"]


_WEIGHTS = {
    "values": "all ratings of items with two or more had equal weight",
    "items": "all items had equal weight",
    "pairs": "all pairs of ratings of an item had equal weight",
    "remove": "only items that all annotators rated were used",
}


def _methods_paragraph(found: RatingFindings, cite: Callable[[str], str] = in_words) -> str:
    """Return the methods and values as a paragraph for a paper."""
    ratings, alpha = found.ratings, found.alpha
    missing = ""
    if found.n_missing:
        possible = ratings.n_items * ratings.n_annotators
        missing = f"; {found.n_missing:,} of {possible:,} possible ratings were missing"
    sentences = [
        (
            f"{count(ratings.n_annotators, 'annotator')} rated {count(ratings.n_items, 'item')} "
            f"with {count(len(ratings.labels), 'label')} "
            f"({count(ratings.n_ratings, 'rating')}{missing})."
        ),
        (
            f"Agreement was measured with Krippendorff's α {cite('krippendorff2011computing')}, "
            "1 minus the ratio of the observed to the expected disagreement, with the "
            f"{one_line(found.distance)} distance; {_WEIGHTS[found.missing]}."
        ),
    ]
    if alpha.n_left_out:
        were = "was" if alpha.n_left_out == 1 else "were"
        sentences.append(f"{count(alpha.n_left_out, 'item')} without two ratings {were} left out.")
    if alpha.undefined:
        sentences.append(f"α is undefined: {one_line(alpha.undefined)}.")
    else:
        interval = alpha.interval
        about = [
            f"observed disagreement {decimals(alpha.observed, 3)}",
            f"expected {decimals(alpha.expected, 3)}",
        ]
        if interval is not None:
            low, high = decimals(interval.low, 2), decimals(interval.high, 2)
            level = f"{100 * interval.confidence:g} % interval {low} to {high}"
            about.insert(0, f"{level}, {interval.method}")
        values = f"α was {value_in_words(alpha)} ({'; '.join(about)})."
        sentences.append(values.replace("-", "−"))
    others = [
        (MEASURES[name], result)
        for name, result in found.measures.items()
        if name != "krippendorff_alpha" and not result.undefined
    ]
    if others:
        parts = [
            " ".join([f"{one.title}{_weighting(of)}", *map(cite, one.references)])
            + f" = {value_in_words(of)}"
            for one, of in others
        ]
        sentences.append(f"Other coefficients of the same ratings: {'; '.join(parts)}.")
    sentences.append(f"All values were computed with unisono {__version__} {cite('unisono')}.")
    return " ".join(sentences)


def _weighting(result: ItemsAgreement) -> str:
    weights = dict(result.signature.settings).get("weights", "none")
    return "" if weights == "none" else f" with {one_line(weights)} weights"


def _reading_section() -> Section:
    rules = (
        (
            "α = 1 − observed / expected disagreement: 1 is perfect agreement, 0 is agreement by "
            "chance, and below 0 agreement is worse than chance."
        ),
        (
            "Disagreement is a mean distance of labels. With the nominal distance it is the "
            "proportion of pairs of ratings with different labels. With another distance its unit "
            "is that of the distance, such as squared ranks for the ordinal distance, and only "
            "shares can be compared between distances."
        ),
        (
            "If coefficients differ in the distance or weights of labels, a column states them; "
            "“nominal” counts every two different labels as equally different."
        ),
    )
    return Section("How to read this report", "reading", (Bullets(rules),))


def _drawn_figures(found: RatingFindings) -> tuple[Mapping[str, Figure], str]:
    """Return the charts that apply to these ratings, and a reason if no chart can be drawn."""
    if not charts.can_draw():
        return {}, NO_CHARTS
    drawn: dict[str, Figure] = {}
    figures = () if found.diagnosis is None else found.diagnosis.sheet().figures
    for each in figures:
        if each.chart == "labels" and not 1 < len(found.alpha.by_label) <= _FEW_LABELS:
            continue
        try:
            picture = charts.chart_svg(CHARTS[each.chart](each.subject))
        except (DataError, SettingError):
            # The chart does not apply to these data; the tables contain the numbers.
            continue
        except UnisonoError as error:
            return {}, f"The charts could not be drawn: {one_line(str(error))}."
        drawn[each.chart] = Figure(each.title, each.description, picture)
    return drawn, ""
