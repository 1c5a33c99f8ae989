"""`report`: one page on agreement, in HTML, Markdown or LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from unisono.measures.data import check_kind_of_data, of_units_or_ratings
from unisono.model.corpus import check_continuum_or_corpus
from unisono.model.ratings import Ratings
from unisono.reports.findings import find
from unisono.reports.methods import bibtex, in_words, methods_paragraph, used_papers
from unisono.reports.page import ReportPage, sheet_of_parts
from unisono.reports.rating_report import RatingReport, find_in_ratings
from unisono.reports.sections import compose, drawn_figures
from unisono.reports.summary import cautions, headline, summary
from unisono.results.agreement import outcome
from unisono.results.blocks import without_isolates
from unisono.results.record import plain, plain_data, record
from unisono.results.wording import count
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    import numpy as np
    from narwhals.typing import IntoFrame

    from unisono.measures.distances import Distance
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.measures.items.coefficients import MissingPolicy
    from unisono.measures.items.interval import Clusters
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap
    from unisono.reports.findings import Findings
    from unisono.results.blocks import Figure, Section
    from unisono.results.sheet import Sheet
    from unisono.results.values import Signature
    from unisono.studies.advice import Advice
    from unisono.studies.consensus import Consensus
    from unisono.studies.diagnosis import Diagnosis
    from unisono.studies.measure_table import UnitsTable

__all__ = ["AgreementReport", "report"]

_RESULTS = ("gamma", "measures", "diagnosis", "advice", "pairwise", "consensus")


@record
class AgreementReport(ReportPage):
    """A report on the agreement in some data: words, numbers and charts.

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
    >>> found = un.report(un.read("examples/corpus", seen_by="corpus"), rng=1)
    >>> found
    AgreementReport('Agreement of 3 annotators', γ 0.80)
    >>> print(found)
    γ = 0.80 (random annotations give −0.09 to 0.11); disagreement is mainly due to missing units;
    “organisation” is confused with “place”; “mika” differs most from the others.
    """

    findings: Findings

    @property
    def gamma(self) -> GammaAgreement:
        """The complete result for γ, γcat and γk.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> found.gamma.n_units
        44
        """
        return self.findings.gamma

    @property
    def measures(self) -> UnitsTable:
        """All measures, as returned by `measure_units`.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> found.measures["gamma"] == found.gamma
        True
        """
        return self.findings.measures

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The parts of the disorder; ``None`` if they cannot be determined.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> found.diagnosis.parts.total == found.gamma.observed
        True
        """
        return self.findings.diagnosis

    @property
    def consensus(self) -> Consensus | None:
        """The consensus of the annotators; ``None`` if nothing is aligned.

        Examples
        --------
        >>> import unisono as un
        >>> un.report(un.read("examples/interview.csv"), draws=30, rng=1).consensus
        Consensus(...)
        """
        return self.findings.consensus

    @property
    def advice(self) -> Advice | None:
        """The recommended actions; ``None`` if nothing is aligned.

        Examples
        --------
        >>> import unisono as un
        >>> un.report(un.read("examples/interview.csv"), draws=30, rng=1).advice
        Advice(...)
        """
        return self.findings.advice

    @property
    def signature(self) -> Signature:
        """All settings that affect γ.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> found.signature["draws"]
        '30'
        """
        return self.gamma.signature

    def __str__(self) -> str:
        return without_isolates(headline(self.findings))

    def __repr__(self) -> str:
        return f"AgreementReport({self.title!r}, γ {outcome(self.gamma)})"

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: γ has no value.

        Examples
        --------
        >>> import unisono as un
        >>> un.report(un.read("examples/interview.csv"), draws=30, rng=1).problems()
        []
        """
        return self.gamma.problems()

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the tables, figures and signatures of all results in the report.

        The names of tables begin with the name of their result, such as ``"diagnosis label"``.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> found.to_frame("measures")["measure"][:2].tolist()
        ['gamma', 'gamma_cat']
        """
        parts = {name: getattr(self.findings, name) for name in _PARTS}
        return sheet_of_parts(title or self.title, str(self), parts, _PARTS, (self.gamma,))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data: the sentences, and each result under its name.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> record = found.to_dict()
        >>> record["gamma"]["value"] == found.gamma.value, list(record)[:3]
        (True, ['title', 'headline', 'summary'])
        """
        found = self.findings
        keys = used_papers(found)
        return {
            "title": self.title,
            "headline": str(self),
            "summary": [without_isolates(each) for each in summary(found)],
            "cautions": [without_isolates(each) for each in cautions(found)],
            **{name: plain(getattr(found, name)) for name in _RESULTS},
            "missing": dict(found.missing),
            "methods": methods_paragraph(found),
            "bibtex": bibtex(keys),
            **plain_data(self),
            "version": __version__,
        }

    @property
    def _about(self) -> str:
        result, data = self.gamma, self.findings.data
        parts = [
            count(result.n_annotators, "annotator"),
            count(result.n_units, "unit"),
            count(sum(label is not None for label in data.labels), "label"),
            count(len(self.findings.documents), "document"),
        ]
        return ", ".join(parts)

    def _sections(
        self,
        *,
        cite: Callable[[str], str] = in_words,
        pictures: Mapping[str, Figure] | None = None,
        without_pictures: str = "",
    ) -> tuple[Section, ...]:
        return compose(
            self.findings, cite=cite, pictures=pictures, without_pictures=without_pictures
        )

    def _drawn(self) -> tuple[Mapping[str, Figure], str]:
        return drawn_figures(self.findings)

    def _papers(self) -> list[str]:
        return used_papers(self.findings)

    @property
    def _data(self) -> Continuum | Corpus:
        return self.findings.data


_PARTS = {
    "measures": "All measures that apply",
    "diagnosis": "Sources of disagreement",
    "advice": "What to do first",
    "pairwise": "Pairs of annotators",
    "consensus": "Consensus",
}
"""The results in the sheet of a report, with the titles of their first tables."""


@overload
def report(
    data: Continuum | Corpus,
    *,
    title: str | None = None,
    distance: Distance = "nominal",
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float | None = None,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    atom: float | None = None,
    overlap: Overlap = "raise",
    gains: bool = True,
    charts: bool = True,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AgreementReport: ...
@overload
def report(
    data: Ratings,
    *,
    title: str | None = None,
    distance: Distance = "nominal",
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
    charts: bool = True,
) -> RatingReport: ...
@overload
def report(data: IntoFrame, **settings: Any) -> AgreementReport | RatingReport: ...  # noqa: ANN401 - by the kind of data
@of_units_or_ratings  # type: ignore[misc]
def report(
    data: Continuum | Corpus | Ratings | IntoFrame,
    *,
    title: str | None = None,
    distance: Distance = "nominal",
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float | None = None,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    atom: float | None = None,
    overlap: Overlap = "raise",
    gains: bool = True,
    charts: bool = True,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AgreementReport | RatingReport:
    """Compute a complete report on agreement: values, causes, recommendations and methods.

    Parameters
    ----------
    data
        A document, or a corpus, whose documents are pooled; or ratings. A dataframe of units or
        ratings is read first.
    title
        The heading; by default one that contains the number of annotators.
    dissimilarity, chance, precision, draws, rng
        As in `gamma`.
    distance
        The distance of labels. For ratings, it also weighs the coefficients that take weights;
        others are marked as nominal.
    missing, order, clusters
        For ratings, as in `measure_items`.
    atom, overlap
        As in `measure_units`.
    gains
        Whether to compute the change in γ for merging labels and for leaving out annotators:
        `gamma` is then computed again for each change, up to 25 times.
    charts
        Whether the HTML page has charts; they need ``unisono[plot]``.
    workers
        The number of threads, by default one per core. It does not affect any value.
    executor
        An executor to use instead of threads, as in `gamma`.
    progress
        Called with the finished and the total amount of work, first for draws and then for
        changes in γ.

    Returns
    -------
    AgreementReport
        The report, to be written as HTML, Markdown, JSON or LaTeX; a `RatingReport` for ratings.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If γ cannot be computed with this distance or chance model.

    Notes
    -----
    The numbers are those of `gamma`, `measure_units`, `diagnose`, `advise` and `consensus`; for
    ratings of `measure_items`, `diagnose` and `consensus`, without words for values. For units, the
    words follow rules that the report itself contains; there is no scale of good and bad values.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.report(un.read("examples/corpus", seen_by="corpus"), rng=1)
    >>> print(found)
    γ = 0.80 (random annotations give −0.09 to 0.11); disagreement is mainly due to missing units;
    “organisation” is confused with “place”; “mika” differs most from the others.
    >>> found.write("build/report.html")

    A report on ratings:

    >>> found = un.report(un.read_ratings("examples/politeness.csv"), distance="ordinal")
    >>> print(found)
    Krippendorff's α = 0.709, 95 % interval 0.52 to 0.83 (ordinal distance).
    """
    if title is not None and not isinstance(title, str):
        msg = f"title must be a str, got {title!r} of type {type(title).__name__}"
        raise TypeError(msg)
    if isinstance(data, Ratings):
        of_units: dict[str, Any] = {
            "dissimilarity": dissimilarity,
            "chance": chance,
            "draws": draws,
        }
        of_units |= {"precision": precision, "rng": rng, "atom": atom, "overlap": overlap}
        of_units |= {"gains": gains}
        usual = {"chance": "shift", "rng": 0, "overlap": "raise", "gains": True}
        check_kind_of_data("report", "ratings", of_units, usual)
        in_ratings = find_in_ratings(
            data, distance=distance, missing=missing, order=order, clusters=clusters
        )
        heading = f"Agreement of {count(data.n_annotators, 'annotator')}"
        return RatingReport(title=title or heading, findings=in_ratings, charts=charts)
    check_continuum_or_corpus("report", data)
    of_ratings = {"missing": missing, "order": order, "clusters": clusters}
    check_kind_of_data("report", "units", of_ratings, {"missing": "values"})
    units: Continuum | Corpus = data  # type: ignore[assignment]
    findings = find(
        units,
        distance=distance,
        dissimilarity=dissimilarity,
        chance=chance,
        precision=precision,
        draws=draws,
        rng=rng,
        atom=atom,
        overlap=overlap,
        gains=gains,
        workers=workers,
        executor=executor,
        progress=progress,
    )
    heading = f"Agreement of {count(len(units.annotators), 'annotator')}"
    return AgreementReport(title=title or heading, findings=findings, charts=charts)
