"""`report`: one page on agreement, in HTML, Markdown or LaTeX."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from unisono.errors import SettingError, check_choice, setting
from unisono.formats.output import write_file
from unisono.formats.write import check_inputs
from unisono.measures.data import of_units
from unisono.model.corpus import Corpus, check_continuum_or_corpus
from unisono.reports.findings import find
from unisono.reports.latex import cite, tex_page
from unisono.reports.markdown import markdown_page
from unisono.reports.methods import bibtex, methods_paragraph, used_papers
from unisono.reports.sections import compose, drawn_figures
from unisono.reports.summary import cautions, headline, summary
from unisono.results.agreement import outcome
from unisono.results.blocks import one_line, without_isolates
from unisono.results.data import OfData
from unisono.results.html import html_page
from unisono.results.record import plain, plain_data, record
from unisono.results.sheet import Sheet
from unisono.results.wording import count
from unisono.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from concurrent.futures import Executor

    import numpy as np

    from unisono.measures.distances import Distance
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.model.continuum import Continuum
    from unisono.model.overlap import Overlap
    from unisono.reports.findings import Findings
    from unisono.results.values import Signature
    from unisono.studies.advice import Advice
    from unisono.studies.consensus import Consensus
    from unisono.studies.diagnosis import Diagnosis
    from unisono.studies.measure_table import UnitsTable

__all__ = ["AgreementReport", "ReportFormat", "format_of", "report"]

ReportFormat: TypeAlias = Literal["html", "md", "json", "tex"]
_SUFFIXES: dict[str, ReportFormat] = {
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".markdown": "md",
    ".json": "json",
    ".tex": "tex",
}

_RESULTS = ("gamma", "measures", "diagnosis", "advice", "pairwise", "consensus")


@record
class AgreementReport(OfData):
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

    title: str
    findings: Findings
    charts: bool = True

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
        sheets = {name: each.sheet() for name, each in parts.items() if each is not None}
        measures = sheets["measures"]
        every = list(sheets.values())
        return Sheet(
            name="report",
            title=title or self.title,
            headline=measures.headline,
            findings=(str(self),),
            tables=tuple(
                replace(table, name=_table_name(name, table.name), title=table.title or caption)
                for name, sheet in sheets.items()
                for table, caption in zip(
                    sheet.tables, [_PARTS[name], *[""] * len(sheet.tables)], strict=False
                )
            ),
            facts=measures.facts,
            notes=tuple(dict.fromkeys(note for sheet in every for note in sheet.notes)),
            figures=tuple(
                figure for sheet in (self.gamma.sheet(), *every) for figure in sheet.figures
            ),
            signatures=tuple(dict.fromkeys(one for sheet in every for one in sheet.signatures)),
        )

    def to_html(self) -> str:
        """Return the report as one self-contained HTML page without scripts.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), charts=False, draws=30, rng=1)
        >>> found.to_html()[:15], "<script" in found.to_html()
        ('<!DOCTYPE html>', False)
        """
        pictures, why_none = drawn_figures(self.findings) if self.charts else ({}, "")
        sections = compose(self.findings, pictures=pictures, without_pictures=why_none)
        return html_page(
            one_line(self.title), self._about, sections, description=str(self), footer=self._footer
        )

    def to_markdown(self) -> str:
        """Return the report as Markdown, without charts.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> print(found.to_markdown().splitlines()[0])
        # Agreement of 3 annotators
        """
        sections = compose(self.findings)
        return markdown_page(one_line(self.title), self._about, sections, footer=self._footer)

    def to_tex(self) -> str:
        r"""Return the report as LaTeX to be included with ``\input``, without charts.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> "\\cite{mathet2015unified}" in found.to_tex()
        True
        """
        return tex_page(
            one_line(self.title),
            self._about,
            compose(self.findings, cite=cite),
            footer=self._footer,
            entries=bibtex(used_papers(self.findings)),
        )

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

    def written_as(self, format: ReportFormat) -> str:  # noqa: A002 - the established name
        """Return the report in one of its formats.

        Parameters
        ----------
        format
            ``"html"``, ``"md"``, ``"json"`` or ``"tex"``.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> found.written_as("md") == found.to_markdown()
        True
        """
        check_choice("format", format, get_args(ReportFormat))
        if format == "html":
            return self.to_html()
        if format == "md":
            return self.to_markdown()
        if format == "tex":
            return self.to_tex()
        return self.to_json(indent=2) + "\n"

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        format: ReportFormat | None = None,  # noqa: A002 - the established name
        overwrite_input: bool = False,
    ) -> None:
        """Write the report to a file, completely or not at all.

        Parameters
        ----------
        path
            The file, which is overwritten.
        format
            The format; by default determined by the suffix.
        overwrite_input
            Whether a file that the corpus was read from may be replaced.

        Raises
        ------
        SettingError
            If the suffix is unknown, or a file that the corpus was read from would be replaced.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> found.write("build/interview.md")
        """
        text = self.written_as(format_of(path) if format is None else format)
        if isinstance(self.findings.data, Corpus) and not overwrite_input:
            check_inputs([Path(path)], self.findings.data.sources)
        # A label may contain a lone surrogate, which UTF-8 cannot encode.
        write_file(Path(path), text.encode("utf-8", errors="backslashreplace"))

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

    @property
    def _footer(self) -> str:
        return f"Made with unisono {__version__} from data {self.findings.data.digest[:8]}."


_PARTS = {
    "measures": "All measures that apply",
    "diagnosis": "Sources of disagreement",
    "advice": "What to do first",
    "pairwise": "Pairs of annotators",
    "consensus": "Consensus",
}
"""The results in the sheet of a report, with the titles of their first tables."""


def _table_name(part: str, table: str) -> str:
    return part if table == "all" else f"{part} {table}"


def format_of(path: str | os.PathLike[str]) -> ReportFormat:
    """Return the format of a report from the suffix of its file name."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        msg = (
            f"a report cannot have the suffix of {str(path)!r}; use .html, .md, .json or .tex, or "
            f"set {setting('format')}"
        )
        raise SettingError(msg)
    return _SUFFIXES[suffix]


@of_units
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
) -> AgreementReport:
    """Compute a complete report on agreement: values, causes, recommendations and methods.

    Parameters
    ----------
    data
        A document, or a corpus, whose documents are pooled.
    title
        The heading; by default one that contains the number of annotators.
    dissimilarity, chance, precision, draws, rng
        As in `gamma`.
    distance, atom, overlap
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
        The report, to be written as HTML, Markdown, JSON or LaTeX.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If γ cannot be computed with this distance or chance model.

    Notes
    -----
    The numbers are those of `gamma`, `measure_units`, `diagnose`, `advise` and `consensus`. The
    words follow rules that the report itself contains; there is no scale of good and bad values.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.report(un.read("examples/corpus", seen_by="corpus"), rng=1)
    >>> print(found)
    γ = 0.80 (random annotations give −0.09 to 0.11); disagreement is mainly due to missing units;
    “organisation” is confused with “place”; “mika” differs most from the others.
    >>> found.write("build/report.html")
    """
    check_continuum_or_corpus("report", data)
    if title is not None and not isinstance(title, str):
        msg = f"title must be a str, got {title!r} of type {type(title).__name__}"
        raise TypeError(msg)
    findings = find(
        data,
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
    heading = f"Agreement of {count(len(data.annotators), 'annotator')}"
    return AgreementReport(title=title or heading, findings=findings, charts=charts)
