"""The methods paragraph of a report, and its references."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unisono.registry import MEASURES
from unisono.results.agreement import approximate, value_in_words
from unisono.results.blocks import join_words
from unisono.results.wording import count, decimals
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from unisono.measures.gamma.dissimilarity import DissimilarityParameters
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.registry import Measure
    from unisono.reports.findings import Findings
    from unisono.results.agreement import Agreement, ChanceAgreement


class Paper(NamedTuple):
    """A publication: its citation, its reference and its BibTeX fields."""

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
    "krippendorff2011computing": Paper(
        "Krippendorff, 2011",
        "Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. Departmental papers "
        "(ASC), University of Pennsylvania.",
        "techreport",
        (
            ("author", "Krippendorff, Klaus"),
            ("title", "Computing Krippendorff's alpha-reliability"),
            ("institution", "University of Pennsylvania, Departmental papers (ASC)"),
            ("year", "2011"),
        ),
    ),
    "scott1955reliability": _article(
        "Scott, 1955",
        "Scott, William A.",
        "Reliability of content analysis: the case of nominal scale coding",
        "Public Opinion Quarterly",
        1955,
        "19",
        "321--325",
        number="3",
        people="Scott, W. A.",
    ),
    "fleiss1971measuring": _article(
        "Fleiss, 1971",
        "Fleiss, Joseph L.",
        "Measuring nominal scale agreement among many raters",
        "Psychological Bulletin",
        1971,
        "76",
        "378--382",
        number="5",
        people="Fleiss, J. L.",
    ),
    "conger1980integration": _article(
        "Conger, 1980",
        "Conger, Anthony J.",
        "Integration and generalization of kappas for multiple raters",
        "Psychological Bulletin",
        1980,
        "88",
        "322--328",
        number="2",
        people="Conger, A. J.",
    ),
    "bennett1954communications": _article(
        "Bennett, Alpert & Goldstein, 1954",
        "Bennett, E. M. and Alpert, R. and Goldstein, A. C.",
        "Communications through limited response questioning",
        "Public Opinion Quarterly",
        1954,
        "18",
        "303--308",
        number="3",
        people="Bennett, E. M., Alpert, R., & Goldstein, A. C.",
    ),
    "gwet2008computing": _article(
        "Gwet, 2008",
        "Gwet, Kilem Li",
        "Computing inter-rater reliability and its variance in the presence of high agreement",
        "British Journal of Mathematical and Statistical Psychology",
        2008,
        "61",
        "29--48",
        number="1",
        people="Gwet, K. L.",
    ),
    "beeferman1999statistical": _article(
        "Beeferman, Berger & Lafferty, 1999",
        "Beeferman, Doug and Berger, Adam and Lafferty, John",
        "Statistical models for text segmentation",
        "Machine Learning",
        1999,
        "34",
        "177--210",
        people="Beeferman, D., Berger, A., & Lafferty, J.",
    ),
    "pevzner2002critique": _article(
        "Pevzner & Hearst, 2002",
        "Pevzner, Lev and Hearst, Marti A.",
        "A critique and improvement of an evaluation metric for text segmentation",
        "Computational Linguistics",
        2002,
        "28",
        "19--36",
        number="1",
        people="Pevzner, L., & Hearst, M.",
    ),
    "bookstein2002generalized": _article(
        "Bookstein, Kulyukin & Raita, 2002",
        "Bookstein, Abraham and Kulyukin, Vladimir A. and Raita, Timo",
        "Generalized Hamming distance",
        "Information Retrieval",
        2002,
        "5",
        "353--375",
        people="Bookstein, A., Kulyukin, V. A., & Raita, T.",
    ),
    "fournier2012segmentation": Paper(
        "Fournier & Inkpen, 2012",
        "Fournier, C., & Inkpen, D. (2012). Segmentation similarity and agreement. Proceedings of "
        "NAACL-HLT 2012, 152–161.",
        "inproceedings",
        (
            ("author", "Fournier, Chris and Inkpen, Diana"),
            ("title", "Segmentation similarity and agreement"),
            ("booktitle", "Proceedings of NAACL-HLT 2012"),
            ("year", "2012"),
            ("pages", "152--161"),
        ),
    ),
    "hripcsak2005agreement": _article(
        "Hripcsak & Rothschild, 2005",
        "Hripcsak, George and Rothschild, Adam S.",
        "Agreement, the F-measure, and reliability in information retrieval",
        "Journal of the American Medical Informatics Association",
        2005,
        "12",
        "296--298",
        number="3",
        people="Hripcsak, G., & Rothschild, A. S.",
    ),
    "komen2009fast": Paper(
        "Komen, 2009",
        "Komen, E. R. (2009). A fast general purpose procedure to calculate inter-rater agreement "
        "for coreference annotation. Radboud University Nijmegen. hdl:2066/79408.",
        "techreport",
        (
            ("author", "Komen, Erwin R."),
            (
                "title",
                (
                    "A fast general purpose procedure to calculate Inter-rater Agreement for "
                    "coreference annotation"
                ),
            ),
            ("institution", "Radboud University Nijmegen"),
            ("year", "2009"),
            ("url", "http://hdl.handle.net/2066/79408"),
        ),
    ),
    "mathet2012manual": Paper(
        "Mathet et al., 2012",
        "Mathet, Y., Widlöcher, A., Fort, K., François, C., Galibert, O., Grouin, C., Kahn, J., "
        "Rosset, S., & Zweigenbaum, P. (2012). Manual corpus annotation: giving meaning to the "
        "evaluation metrics. Proceedings of COLING 2012, 809–818.",
        "inproceedings",
        (
            (
                "author",
                (
                    "Mathet, Yann and Widlöcher, Antoine and Fort, Karën and François, Claire and "
                    "Galibert, Olivier and Grouin, Cyril and Kahn, Juliette and Rosset, Sophie and "
                    "Zweigenbaum, Pierre"
                ),
            ),
            ("title", "Manual corpus annotation: giving meaning to the evaluation metrics"),
            ("booktitle", "Proceedings of COLING 2012"),
            ("pages", "809--818"),
            ("year", "2012"),
        ),
    ),
    "passonneau2006measuring": Paper(
        "Passonneau, 2006",
        "Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and "
        "pragmatic annotation. Proceedings of LREC 2006.",
        "inproceedings",
        (
            ("author", "Passonneau, Rebecca"),
            (
                "title",
                (
                    "Measuring Agreement on Set-Valued Items ({MASI}) for Semantic and Pragmatic "
                    "Annotation"
                ),
            ),
            ("booktitle", "Proceedings of LREC 2006"),
            ("year", "2006"),
        ),
    ),
    "vilain1995model": Paper(
        "Vilain et al., 1995",
        "Vilain, M., Burger, J., Aberdeen, J., Connolly, D., & Hirschman, L. (1995). A "
        "model-theoretic coreference scoring scheme. Proceedings of MUC-6.",
        "inproceedings",
        (
            (
                "author",
                (
                    "Vilain, Marc and Burger, John and Aberdeen, John and Connolly, Dennis and "
                    "Hirschman, Lynette"
                ),
            ),
            ("title", "A Model-Theoretic Coreference Scoring Scheme"),
            ("booktitle", "Proceedings of {MUC}-6"),
            ("year", "1995"),
        ),
    ),
    "bagga1998algorithms": Paper(
        "Bagga & Baldwin, 1998",
        "Bagga, A., & Baldwin, B. (1998). Algorithms for scoring coreference chains. Proceedings "
        "of the LREC 1998 workshop on linguistic coreference.",
        "inproceedings",
        (
            ("author", "Bagga, Amit and Baldwin, Breck"),
            ("title", "Algorithms for Scoring Coreference Chains"),
            ("booktitle", "Proceedings of the {LREC} 1998 Workshop on Linguistic Coreference"),
            ("year", "1998"),
        ),
    ),
    "luo2005coreference": Paper(
        "Luo, 2005",
        "Luo, X. (2005). On coreference resolution performance metrics. Proceedings of HLT/EMNLP "
        "2005.",
        "inproceedings",
        (
            ("author", "Luo, Xiaoqiang"),
            ("title", "On Coreference Resolution Performance Metrics"),
            ("booktitle", "Proceedings of {HLT/EMNLP} 2005"),
            ("year", "2005"),
        ),
    ),
    "luo2014extension": Paper(
        "Luo et al., 2014",
        "Luo, X., Pradhan, S., Recasens, M., & Hovy, E. (2014). An extension of BLANC to system "
        "mentions. Proceedings of ACL 2014.",
        "inproceedings",
        (
            ("author", "Luo, Xiaoqiang and Pradhan, Sameer and Recasens, Marta and Hovy, Eduard"),
            ("title", "An Extension of {BLANC} to System Mentions"),
            ("booktitle", "Proceedings of {ACL} 2014"),
            ("year", "2014"),
        ),
    ),
    "moosavi2016which": Paper(
        "Moosavi & Strube, 2016",
        "Moosavi, N. S., & Strube, M. (2016). Which coreference evaluation metric do you trust? A "
        "proposal for a link-based entity aware metric. Proceedings of ACL 2016.",
        "inproceedings",
        (
            ("author", "Moosavi, Nafise Sadat and Strube, Michael"),
            (
                "title",
                (
                    "Which Coreference Evaluation Metric Do You Trust? {A} Proposal for a "
                    "Link-Based Entity Aware Metric"
                ),
            ),
            ("booktitle", "Proceedings of {ACL} 2016"),
            ("year", "2016"),
        ),
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
"""Publications by their BibTeX keys."""


def references(keys: Iterable[str]) -> list[str]:
    """Return the list of references, sorted by author."""
    return sorted(PAPERS[key].whole for key in set(keys))


def bibtex(keys: Iterable[str]) -> str:
    """Return the BibTeX entries, sorted by key."""
    return "\n\n".join(_entry(key, PAPERS[key]) for key in sorted(set(keys)))


def _entry(key: str, paper: Paper) -> str:
    width = max(len(name) for name, _ in paper.fields)
    lines = [
        f"  {name.ljust(width)} = {{{value.replace('&', chr(92) + '&')}}}"
        for name, value in paper.fields
    ]
    return f"@{paper.kind}{{{key},\n" + ",\n".join(lines) + "\n}"


_CHANCE = {
    "shift": "by shifting the units of annotators against each other along the document",
    "corpus": "by combining annotators of different documents",
    "statistical": "by sampling from distributions fitted to the document",
    "gamma-software": "as in the software of the authors of γ",
    "gamma-2017": "with the settings behind the printed numbers of the γcat paper",
}
_WHO = {
    "units": "Annotators with units in a document were counted as having seen it.",
    "corpus": "All annotators were counted as having seen every document.",
    "declared": "It was declared which annotators had seen which documents.",
}
_IN_SENTENCES = ("gamma", "gamma_cat")


def in_words(key: str) -> str:
    """Return the citation of a publication for use in a sentence."""
    return f"({PAPERS[key].short})"


def used_papers(found: Findings) -> list[str]:
    """Return the keys of the publications on measures with a value, and of those always cited."""
    valued = [name for name, result in found.measures.measures.items() if not result.undefined]
    used = [key for name in ("gamma", *valued) for key in MEASURES[name].references]
    return [*dict.fromkeys(used), "unisono"]


def methods_paragraph(found: Findings, cite: Callable[[str], str] = in_words) -> str:
    """Return the methods and values as a paragraph for a paper."""
    result = found.gamma
    n_labels = sum(label is not None for label in found.data.labels)
    sentences = [
        (
            f"{count(result.n_annotators, 'annotator')} marked {count(result.n_units, 'unit')} "
            f"with {count(n_labels, 'label')} in {count(len(found.documents), 'document')}."
        ),
        (
            f"Agreement was measured with γ {cite('mathet2015unified')}, which aligns the units "
            "of all annotators such that the disorder is minimal, and compares this disorder with "
            "that of random annotations."
        ),
        f"The dissimilarity of two units was {_dissimilarity(result.dissimilarity)}.",
    ]
    sentences += [_WHO[result.annotators_from]] if result.annotators_from in _WHO else []
    if result.undefined:
        sentences.append(f"γ is undefined: {result.undefined}.")
    else:
        pooled = " pooled over documents," if found.several else ""
        sentences += [
            (
                f"The expected disorder is the mean disorder of {count(result.draws, 'draw')} of "
                f"random annotations,{pooled} generated "
                f"{_CHANCE.get(result.signature['chance'], 'at random')} "
                f"(seed {result.signature['seed']})."
            ),
            f"γ was {_value(result)}{_chance(result)}.",
        ]
        if not result.gamma_cat.undefined:
            sentences.append(
                f"For the labels of aligned units, γcat {cite('mathet2017agreement')} was "
                f"{_value(result.gamma_cat)}."
            )
        proven = "All alignments were proven optimal."
        sentences.append(proven if result.proven else "Not all alignments were proven optimal.")
    sentences += _others(found, cite)
    if result.skipped:
        were = "was" if result.skipped == 1 else "were"
        sentences.append(f"{count(result.skipped, 'row')} could not be read and {were} excluded.")
    if result.left_out_documents:
        n_left = len(result.left_out_documents)
        were = "was" if n_left == 1 else "were"
        sentences.append(
            f"{count(n_left, 'document')} with fewer than two annotators {were} excluded."
        )
    sentences.append(f"All values were computed with unisono {__version__} {cite('unisono')}.")
    return " ".join(sentences)


def _others(found: Findings, cite: Callable[[str], str]) -> list[str]:
    """Return a sentence with the values of the other measures, grouped by publication."""
    by_work: dict[tuple[str, ...], list[Measure]] = {}
    for name, result in found.measures.measures.items():
        if name not in _IN_SENTENCES and not result.undefined:
            by_work.setdefault(MEASURES[name].references, []).append(MEASURES[name])
    parts = []
    for works, measures in by_work.items():
        values = join_words(
            [f"{each.symbol} = {_plain(found.measures[each.name])}" for each in measures]
        )
        atom = f" of length {found.measures.atom:.6g}" if "atom" in measures[0].settings else ""
        parts.append(" ".join([f"{measures[0].title}{atom}", *map(cite, works)]) + f": {values}")
    return [f"Other measures of the same units: {'; '.join(parts)}."] if parts else []


def _dissimilarity(used: DissimilarityParameters) -> str:
    """Return the dissimilarity in words, with its parameters."""
    others = [f"power {used.power:.12g}"] if used.power != 2.0 else []
    others += ["1 − intersection/union of positions"] if used.shape != "bounds" else []
    others += ["steep"] if used.steep else []
    also = f" ({', '.join(others)})" if others else ""
    parts = {
        "combined": (
            f"the combination of a positional part (weight {used.position:.12g}) and a label part "
            f"(weight {used.label:.12g}, {used.distance} distance)"
        ),
        "positional": "the distance of their positions",
        "categorical": f"the distance of their labels ({used.distance} distance)",
        "custom": f"that of the function “{used.name}”",
    }
    return f"{parts[used.kind]}; the cost of an empty place was {used.empty:.12g}{also}"


def _value(result: ChanceAgreement) -> str:
    found, interval = approximate(result), result.interval
    value = decimals(result.value, 3) if found is None else found.text
    about = []
    if found is not None:
        about.append("exact" if found.error == 0.0 else f"± {found.plus_minus} from the draws")
    if interval is not None:
        low, high = decimals(interval.low, 2), decimals(interval.high, 2)
        about.append(
            f"jackknife over documents, {100 * interval.confidence:g} % interval {low} to {high}"
        )
    return f"{value} ({'; '.join(about)})" if about else value


def _chance(result: GammaAgreement) -> str:
    """Return a clause on the values of γ that chance gives."""
    bounds = result.chance_bounds
    if bounds is None:
        return ""
    low, high = (decimals(end, 2).replace("-", "−") for end in bounds)
    these = "documents" if len(result.documents) > 1 else "document"
    return f"; 95 % of random annotations of the same {these} have {low} to {high}"


def _plain(result: Agreement) -> str:
    return value_in_words(result)
