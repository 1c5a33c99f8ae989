"""The papers behind the measures: how they are cited, and their entries for BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Paper(NamedTuple):
    """A work, as a sentence names it, as a list of references does, and for BibTeX."""

    short: str
    whole: str
    kind: str
    fields: tuple[tuple[str, str], ...]


def _article(
    short: str,
    author: str,
    title: str,
    journal: str,
    year: int,
    volume: str,
    pages: str,
    *,
    tex_title: str = "",
    number: str = "",
    doi: str = "",
    people: str,
) -> Paper:
    issue = f"({number})" if number else ""
    whole = f"{people} ({year}). {title}. {journal} {volume}{issue}, {pages.replace('--', '–')}."
    fields = [
        ("author", author),
        ("title", tex_title or title),
        ("journal", journal),
        ("year", str(year)),
        ("volume", volume),
        *([("number", number)] if number else []),
        ("pages", pages),
        *([("doi", doi)] if doi else []),
    ]
    return Paper(short, whole, "article", tuple(fields))


PAPERS: Mapping[str, Paper] = {
    "mathet2015unified": _article(
        "Mathet, Widlöcher & Métivier, 2015",
        "Mathet, Yann and Widlöcher, Antoine and Métivier, Jean-Philippe",
        "The unified and holistic method gamma (γ) for inter-annotator agreement measure and "
        "alignment",
        "Computational Linguistics",
        2015,
        "41",
        "437--479",
        tex_title="The Unified and Holistic Method Gamma ($\\gamma$) for Inter-Annotator Agreement "
        "Measure and Alignment",
        number="3",
        doi="10.1162/COLI_a_00227",
        people="Mathet, Y., Widlöcher, A., & Métivier, J.-P.",
    ),
    "mathet2017agreement": _article(
        "Mathet, 2017",
        "Mathet, Yann",
        "The agreement measure γcat, a complement to γ focused on categorization of a continuum",
        "Computational Linguistics",
        2017,
        "43",
        "661--681",
        tex_title="The Agreement Measure $\\gamma_{cat}$: A Complement to $\\gamma$ Focused on "
        "Categorization of a Continuum",
        number="3",
        doi="10.1162/COLI_a_00296",
        people="Mathet, Y.",
    ),
    "krippendorff2016reliability": _article(
        "Krippendorff, Mathet, Bouvry & Widlöcher, 2016",
        "Krippendorff, Klaus and Mathet, Yann and Bouvry, Stéphane and Widlöcher, Antoine",
        "On the reliability of unitizing textual continua: further developments",
        "Quality & Quantity",
        2016,
        "50",
        "2347--2364",
        number="6",
        people="Krippendorff, K., Mathet, Y., Bouvry, S., & Widlöcher, A.",
    ),
    "cohen1960coefficient": _article(
        "Cohen, 1960",
        "Cohen, Jacob",
        "A coefficient of agreement for nominal scales",
        "Educational and Psychological Measurement",
        1960,
        "20",
        "37--46",
        number="1",
        people="Cohen, J.",
    ),
    "makhoul1999performance": Paper(
        "Makhoul, Kubala, Schwartz & Weischedel, 1999",
        "Makhoul, J., Kubala, F., Schwartz, R., & Weischedel, R. (1999). Performance measures for "
        "information extraction. Proceedings of the DARPA Broadcast News Workshop, 249–252.",
        "inproceedings",
        (
            (
                "author",
                "Makhoul, John and Kubala, Francis and Schwartz, Richard and Weischedel, Ralph",
            ),
            ("title", "Performance measures for information extraction"),
            ("booktitle", "Proceedings of the DARPA Broadcast News Workshop"),
            ("year", "1999"),
            ("pages", "249--252"),
        ),
    ),
    "fournier2013evaluating": Paper(
        "Fournier, 2013",
        "Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. "
        "Proceedings of ACL 2013, 1702–1712.",
        "inproceedings",
        (
            ("author", "Fournier, Chris"),
            ("title", "Evaluating text segmentation using boundary edit distance"),
            ("booktitle", "Proceedings of ACL 2013"),
            ("year", "2013"),
            ("pages", "1702--1712"),
        ),
    ),
    "landis1977measurement": _article(
        "Landis & Koch, 1977",
        "Landis, J. Richard and Koch, Gary G.",
        "The measurement of observer agreement for categorical data",
        "Biometrics",
        1977,
        "33",
        "159--174",
        number="1",
        people="Landis, J. R., & Koch, G. G.",
    ),
    "unisono": Paper(
        "The unisono authors",
        f"The unisono authors. unisono, version {__version__}. Software.",
        "misc",
        (
            ("author", "{The unisono authors}"),
            ("title", "unisono"),
            ("note", f"Software, version {__version__}"),
        ),
    ),
}
"""Key to work."""


def references(keys: Iterable[str]) -> list[str]:
    """Give the list of references, sorted by name.

    Examples
    --------
    >>> from unisono.reports.bibliography import references
    >>> references(["mathet2017agreement"])[0][:17]
    'Mathet, Y. (2017)'
    """
    return sorted(PAPERS[key].whole for key in set(keys))


def bibtex(keys: Iterable[str]) -> str:
    """Give the entries for BibTeX, sorted by key.

    Examples
    --------
    >>> from unisono.reports.bibliography import bibtex
    >>> print(bibtex(["landis1977measurement"]).splitlines()[0])
    @article{landis1977measurement,
    """
    return "\n\n".join(_entry(key, PAPERS[key]) for key in sorted(set(keys)))


def _entry(key: str, paper: Paper) -> str:
    width = max(len(name) for name, _ in paper.fields)
    lines = [
        f"  {name.ljust(width)} = {{{value.replace('&', chr(92) + '&')}}}"
        for name, value in paper.fields
    ]
    return f"@{paper.kind}{{{key},\n" + ",\n".join(lines) + "\n}"
