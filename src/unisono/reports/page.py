"""The page of a report, of units or of ratings, in HTML, Markdown, LaTeX and JSON."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from unisono.errors import SettingError, check_choice, setting
from unisono.formats.output import write_file
from unisono.formats.write import check_inputs
from unisono.model.ratings import Ratings
from unisono.reports.latex import cite, tex_page
from unisono.reports.markdown import markdown_page
from unisono.reports.methods import bibtex, in_words
from unisono.results.blocks import one_line
from unisono.results.data import OfData
from unisono.results.html import html_page
from unisono.results.record import record
from unisono.results.sheet import Sheet
from unisono.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.results.blocks import Figure, Section
    from unisono.results.render import Sheeted

__all__ = ["ReportFormat", "ReportPage", "format_of", "sheet_of_parts"]

ReportFormat: TypeAlias = Literal["html", "md", "json", "tex"]
_SUFFIXES: dict[str, ReportFormat] = {
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".markdown": "md",
    ".json": "json",
    ".tex": "tex",
}


@record
class ReportPage(OfData):
    """The page of a report; each kind of data defines its sections, charts and publications."""

    title: str
    findings: Any
    charts: bool = True

    def to_html(self) -> str:
        """Return the report as one self-contained HTML page without scripts.

        Examples
        --------
        >>> import unisono as un
        >>> found = un.report(un.read("examples/interview.csv"), charts=False, draws=30, rng=1)
        >>> found.to_html()[:15], "<script" in found.to_html()
        ('<!DOCTYPE html>', False)
        """
        pictures, why_none = self._drawn() if self.charts else ({}, "")
        sections = self._sections(pictures=pictures, without_pictures=why_none)
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
        return markdown_page(
            one_line(self.title), self._about, self._sections(), footer=self._footer
        )

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
            self._sections(cite=cite),
            footer=self._footer,
            entries=bibtex(self._papers()),
        )

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
        known = self._data.interpretation if isinstance(self._data, Ratings) else None
        sources = getattr(self._data, "sources", () if known is None else known.sources)
        if sources and not overwrite_input:
            check_inputs([Path(path)], sources)
        # A label may contain a lone surrogate, which UTF-8 cannot encode.
        write_file(Path(path), text.encode("utf-8", errors="backslashreplace"))

    def _sections(
        self,
        *,
        cite: Callable[[str], str] = in_words,
        pictures: Mapping[str, Figure] | None = None,
        without_pictures: str = "",
    ) -> Sequence[Section]:
        """Return the sections of the page."""
        raise NotImplementedError

    def _drawn(self) -> tuple[Mapping[str, Figure], str]:
        """Return the charts by name, and a reason if no chart can be drawn."""
        raise NotImplementedError

    def _papers(self) -> list[str]:
        """Return the keys of the cited publications."""
        raise NotImplementedError

    @property
    def _data(self) -> Continuum | Corpus | Ratings:
        """The data of the report."""
        raise NotImplementedError

    @property
    def _about(self) -> str:
        """The size of the data, below the title."""
        raise NotImplementedError

    @property
    def _footer(self) -> str:
        return f"Made with unisono {__version__} from data {self._data.digest[:8]}."


def sheet_of_parts(
    title: str,
    findings: str,
    parts: Mapping[str, Sheeted | None],
    titles: Mapping[str, str],
    others: Iterable[Sheeted] = (),
) -> Sheet:
    """Return the sheets of results as one, with the facts and the headline of ``measures``.

    The names of tables begin with the name of their result; `others` only add their figures.
    """
    sheets = {name: each.sheet() for name, each in parts.items() if each is not None}
    measures = sheets["measures"]
    every = list(sheets.values())
    return Sheet(
        name="report",
        title=title,
        headline=measures.headline,
        findings=(findings,),
        tables=tuple(
            replace(table, name=_table_name(name, table.name), title=table.title or caption)
            for name, sheet in sheets.items()
            for table, caption in zip(
                sheet.tables, [titles[name], *[""] * len(sheet.tables)], strict=False
            )
        ),
        facts=measures.facts,
        notes=tuple(dict.fromkeys(note for sheet in every for note in sheet.notes)),
        figures=tuple(
            figure
            for sheet in (*(each.sheet() for each in others), *every)
            for figure in sheet.figures
        ),
        signatures=tuple(dict.fromkeys(one for sheet in every for one in sheet.signatures)),
    )


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
