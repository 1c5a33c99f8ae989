"""The commands of the γ family: ``unisono gamma`` and ``unisono align``."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from unisono.cli.command import Run, command
from unisono.cli.options.chance import DrawOptions
from unisono.cli.options.input import ReadingOptions
from unisono.cli.options.settings import option
from unisono.cli.options.shared import (
    CHANCE,
    READING,
    ChanceModel,
    MinUnits,
    Paths,
    SearchOptions,
    Weights,
    split_list,
)
from unisono.cli.options.work import FailureOptions, exit_code_of
from unisono.errors import SettingError, did_you_mean
from unisono.measures.gamma import gamma as gamma_family
from unisono.measures.gamma.alignment import document_alignment
from unisono.results.wording import count, some

if TYPE_CHECKING:
    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.model.corpus import Corpus


GAMMA_EXAMPLES = """\
Examples:

  unisono gamma turns.csv --seed 42
  unisono gamma interviews/ --seen-by corpus --csv documents.csv
  unisono gamma ratings.csv --column-annotator coder --distance ordinal
  unisono gamma turns.csv --chance-from ann,bob
  unisono gamma interviews/ --checkpoint run1 --cluster processes
  unisono gamma turns.csv --json | jq .gamma_cat.value"""
ALIGN_EXAMPLES = """\
Examples:

  unisono align turns.csv
  unisono align interviews/ --document interview1 --csv groups.csv"""


@command()
def gamma(
    run: Run,
    *paths: Paths,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    chance_from: Annotated[str | None, option("chance_from", group=CHANCE)] = None,
    confidence: Annotated[float, option("confidence", group=CHANCE)] = 0.95,
    min_units: MinUnits = 1,
    drawing: DrawOptions = DrawOptions(),  # noqa: B008 - frozen
    work: FailureOptions = FailureOptions(),  # noqa: B008 - frozen
    searching: SearchOptions = SearchOptions(),  # noqa: B008 - frozen
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> GammaAgreement:
    """Measure agreement on units and their labels: γ, γcat and γk.

    Parameters
    ----------
    paths
        Files or folders with units, such as tables of annotator, start, end, label.
    """
    settings = drawing.keywords()
    if chance_from is not None:
        settings["chance_from"] = split_list("--chance-from", chance_from)
    dissimilarity = weights.dissimilarity(chance)
    corpus = reading.corpus(paths, run.display)
    run.display.phase("aligning")
    with work.opened(drawing.workers) as work_settings:
        result = gamma_family.gamma(
            corpus,
            dissimilarity=dissimilarity,
            chance=chance,
            confidence=confidence,
            progress=run.progress,
            **searching.keywords(),
            **settings,
            **work_settings,
        )
    run.title = (
        next(iter(result.documents))
        if len(result.documents) == 1
        else f"{count(len(result.documents), 'document')}, pooled"
    )
    run.sheet_options = {"min_units": min_units}
    run.code = exit_code_of(result)
    if chance == "shift" and _may_use_corpus_chance(result):
        result = replace(result, notes=(*result.notes, _CORPUS_HINT))
    return result


# 2015, §4.8.2.
_CORPUS_HINT = (
    "for several documents of one kind, the γ paper recommends chance from the corpus: --chance "
    "corpus; γ is then higher for documents with few of the labels of the corpus, and changes "
    "little if documents are similar"
)


def _may_use_corpus_chance(result: GammaAgreement) -> bool:
    """Return whether there are enough documents for a draw from the corpus."""
    return len(result.documents) >= max(2, result.n_annotators) and not result.undefined


@command(rows=40)
def align(
    run: Run,
    *paths: Paths,
    document: Annotated[str | None, Parameter(metavar="NAME", group=READING)] = None,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    searching: SearchOptions = SearchOptions(),  # noqa: B008 - frozen
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> Alignment:
    """Show the best alignment: which units correspond.

    Parameters
    ----------
    paths
        Files or folders with units, such as tables of annotator, start, end, label.
    document
        The document to align, if there are several.
    """
    dissimilarity = weights.dissimilarity()
    corpus = reading.corpus(paths, run.display)
    run.title = _document_name(corpus, document)
    run.display.phase("aligning")
    return document_alignment(
        corpus, run.title, dissimilarity=dissimilarity, **searching.keywords()
    )


def _document_name(corpus: Corpus, document: str | None) -> str:
    names = list(corpus)
    if document is None:
        if len(names) == 1:
            return names[0]
        msg = (
            f"align needs one document, but there are {len(names)}; "
            f"choose one with --document: {some(names)}"
        )
        raise SettingError(msg)
    if document not in corpus:
        similar = difflib.get_close_matches(document, names, n=5, cutoff=0.0)
        hint = did_you_mean(document, names)
        msg = f"unknown document {document!r}; choose one of {some(similar)}{hint}"
        raise SettingError(msg)
    return document
