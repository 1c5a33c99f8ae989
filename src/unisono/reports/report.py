"""`report`: one page on agreement, in HTML, Markdown or LaTeX."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from unisono.errors import SettingError
from unisono.formats.output import write_file
from unisono.formats.write import check_inputs
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.reports.findings import find
from unisono.reports.latex import cite, tex_page
from unisono.reports.markdown import markdown_page
from unisono.reports.methods import bibtex, methods_paragraph, used_papers
from unisono.reports.sections import compose, drawn_figures
from unisono.reports.summary import cautions, headline, summary
from unisono.results.blocks import plain, shown
from unisono.results.html import html_page
from unisono.results.record import InMarkdown
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
    from unisono.measures.gamma.result import GammaResult
    from unisono.model.overlap import Overlap
    from unisono.reports.findings import Findings
    from unisono.studies.advice import Advice
    from unisono.studies.consensus import Consensus
    from unisono.studies.diagnosis import Diagnosis
    from unisono.studies.measure_table import SideBySide

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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AgreementReport(InMarkdown):
    """Agreement of some data in words, numbers and pictures.

    Parameters
    ----------
    title
        What was annotated.
    findings
        All that was computed.
    charts
        Whether pages in HTML have charts.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.report(un.read("examples/corpus", annotators="corpus"), rng=1)
    >>> found
    AgreementReport('Agreement of 3 annotators', γ 0.8040)
    >>> print(found)
    Moderate to almost perfect agreement (γ = 0.804, over documents 95 %: 0.421 to 0.901); mostly
    missing units; “organisation” is confused with “place”; “mika” differs most.
    """

    title: str
    findings: Findings
    charts: bool = True

    @property
    def gamma(self) -> GammaResult:
        """γ, γcat and γk with all that is behind them.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> found.gamma.n_units
        44
        """
        return self.findings.gamma

    @property
    def measures(self) -> SideBySide:
        """Every measure, as `side_by_side` gives them.

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
        """Where disorder comes from; ``None`` where that cannot be told.

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
        """What most annotators share; ``None`` where nothing is aligned.

        Examples
        --------
        >>> import unisono as un
        >>> un.report(un.read("examples/interview.csv"), draws=30, rng=1).consensus
        Consensus(...)
        """
        return self.findings.consensus

    @property
    def advice(self) -> Advice | None:
        """What to do first; ``None`` where nothing is aligned.

        Examples
        --------
        >>> import unisono as un
        >>> un.report(un.read("examples/interview.csv"), draws=30, rng=1).advice
        Advice(...)
        """
        return self.findings.advice

    def __str__(self) -> str:
        return plain(headline(self.findings))

    def __repr__(self) -> str:
        value = "undefined" if self.gamma.undefined else f"{self.gamma.value:.4f}"
        return f"AgreementReport({self.title!r}, γ {value})"

    def to_html(self) -> str:
        """Give the report as one HTML page that loads nothing and has no script.

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
            shown(self.title), self._about, sections, description=str(self), footer=self._footer
        )

    def to_markdown(self) -> str:
        """Give the report as Markdown, without charts.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> print(found.to_markdown().splitlines()[0])
        # Agreement of 3 annotators
        """
        sections = compose(self.findings)
        return markdown_page(shown(self.title), self._about, sections, footer=self._footer)

    def to_tex(self) -> str:
        r"""Give the report as LaTeX to be included with ``\input``, without charts.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> "\\cite{mathet2015unified}" in found.to_tex()
        True
        """
        return tex_page(
            shown(self.title),
            self._about,
            compose(self.findings, cite=cite),
            footer=self._footer,
            entries=bibtex(used_papers(self.findings)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data: the words, and each result under its own name.

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
            "summary": [plain(each) for each in summary(found)],
            "cautions": [plain(each) for each in cautions(found)],
            "gamma": found.gamma.to_dict(),
            "measures": found.measures.to_dict(),
            "diagnosis": found.diagnosis.to_dict() if found.diagnosis else None,
            "advice": found.advice.to_dict() if found.advice else None,
            "pairs": found.pairs.to_dict() if found.pairs else None,
            "consensus": found.consensus.to_dict() if found.consensus else None,
            "missing": dict(found.missing),
            "methods": methods_paragraph(found),
            "bibtex": bibtex(keys),
            "version": __version__,
        }

    def written_as(self, format: ReportFormat) -> str:  # noqa: A002 - the word users know
        """Give the report in one of its formats.

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
        if format == "html":
            return self.to_html()
        if format == "md":
            return self.to_markdown()
        if format == "tex":
            return self.to_tex()
        if format == "json":
            return self.to_json(indent=2) + "\n"
        raise SettingError(_unknown(format))

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        format: ReportFormat | None = None,  # noqa: A002 - the word users know
        overwrite_input: bool = False,
    ) -> None:
        """Write the report to a file, whole or not at all.

        Parameters
        ----------
        path
            The file, which is overwritten.
        format
            Told by the suffix if not said.
        overwrite_input
            Whether a file that the corpus was read from may be replaced.

        Raises
        ------
        SettingError
            If the suffix tells no format, or a file that the corpus was read from would be
            replaced.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), draws=30, rng=1)
        >>> found.write("build/interview.md")
        """
        text = self.written_as(format_of(path) if format is None else format)
        if isinstance(self.findings.data, Corpus) and not overwrite_input:
            check_inputs([Path(path)], self.findings.data.sources)
        # A label may hold half a character, which no file can.
        write_file(Path(path), text.encode("utf-8", errors="backslashreplace"))

    @property
    def _about(self) -> str:
        result, data = self.gamma, self.findings.data
        told = [
            count(result.n_annotators, "annotator"),
            count(result.n_units, "unit"),
            count(sum(label is not None for label in data.labels), "label"),
            count(len(self.findings.documents), "document"),
        ]
        return ", ".join(told)

    @property
    def _footer(self) -> str:
        return f"Made with unisono {__version__} from data {self.findings.data.digest[:8]}."


def format_of(path: str | os.PathLike[str]) -> ReportFormat:
    """Tell the format of a report by the name of its file."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        msg = (
            f"the suffix of {str(path)!r} tells no format; end it in .html, .md, .json or .tex, "
            "or say the format"
        )
        raise SettingError(msg)
    return _SUFFIXES[suffix]


def _unknown(format_: object) -> str:
    return f"unknown format {format_!r}; choose one of {', '.join(get_args(ReportFormat))}"


def report(
    data: Continuum | Corpus,
    *,
    title: str | None = None,
    distance: Distance = "nominal",
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float = 0.02,
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
    """Give a whole account of agreement: in words, in numbers, what to do, and how it was made.

    Parameters
    ----------
    data
        A document, or a corpus, whose documents are pooled.
    title
        The heading; by default it tells how many annotators there are.
    dissimilarity, chance, precision, draws, rng
        As in `gamma`.
    distance, atom, overlap
        As in `side_by_side`.
    gains
        Whether to compute what γ would gain from merging labels and from leaving out annotators:
        `gamma` is then computed again for each, up to 25 times.
    charts
        Whether the page in HTML has charts; they need ``unisono[plot]``.
    workers
        Threads to use, all cores by default. They never move a value.
    executor
        Where to send the work instead, as in `gamma`.
    progress
        Called with what is done and what is to be done, first for draws and then for gains.

    Returns
    -------
    AgreementReport
        To be written as HTML, Markdown, JSON or LaTeX.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If γ cannot be measured with this distance or chance model.

    Notes
    -----
    Every number is what the function of its own gives: `gamma`, `side_by_side`, `diagnose`,
    `advise`, `consensus`. The words follow rules that the report itself writes down. The scale of
    "moderate" and its like is that of Landis & Koch [1]_, a convention made for κ.

    References
    ----------
    .. [1] Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for
       categorical data. Biometrics 33(1), 159–174.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.report(un.read("examples/corpus", annotators="corpus"), rng=1)
    >>> print(found)
    Moderate to almost perfect agreement (γ = 0.804, over documents 95 %: 0.421 to 0.901); mostly
    missing units; “organisation” is confused with “place”; “mika” differs most.
    >>> found.write("build/report.html")
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"report takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    if title is not None and not isinstance(title, str):
        msg = f"title must be a text, got {title!r} of type {type(title).__name__}"
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
