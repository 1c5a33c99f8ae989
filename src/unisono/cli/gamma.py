"""The commands of the γ family: ``unisono gamma`` and ``unisono align``."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.items import several
from unisono.cli.options.shared import (
    CHANCE,
    READING,
    ChanceModel,
    Csv,
    Json,
    Paths,
    Rows,
    Searching,
    Weights,
    check_rows,
)
from unisono.cli.options.work import Bearing, code_for
from unisono.cli.output import Watch
from unisono.cli.terminal import gamma as text
from unisono.errors import SettingError, did_you_mean
from unisono.measures.gamma import gamma as gamma_family
from unisono.measures.gamma.alignment import best_alignment
from unisono.model.labels import label_text
from unisono.results.wording import count, some

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.measures.gamma.result import GammaResult
    from unisono.model.corpus import Corpus


GAMMA_EXAMPLES = """\
Examples:

  unisono gamma turns.csv --seed 42
  unisono gamma interviews/ --annotators corpus --csv documents.csv
  unisono gamma ratings.csv --column-annotator coder --distance ordinal
  unisono gamma turns.csv --chance-from ann,bob
  unisono gamma interviews/ --checkpoint run1 --cluster processes
  unisono gamma turns.csv --json | jq .cat.value"""
ALIGN_EXAMPLES = """\
Examples:

  unisono align turns.csv
  unisono align interviews/ --document interview1 --csv groups.csv"""
_FOUND_IN = "--csv or --json has all"
_ALIGNMENT_HEADINGS = ("group", "disorder", "annotator", "start", "end", "label")


@command()
def gamma(
    run: Run,
    *paths: Paths,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    chance_from: Annotated[str | None, Parameter(metavar="NAMES", group=CHANCE)] = None,
    confidence: Annotated[float | None, Parameter(metavar="SHARE", group=CHANCE)] = None,
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    resamples: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    work: Bearing = Bearing(),  # noqa: B008 - frozen
    searching: Searching = Searching(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> GammaResult:
    """Measure agreement on units and their labels: γ, γcat and γk.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.
    chance_from
        Annotators to draw from, parted by commas, such as those of a reference (all).
    confidence
        Confidence of the precision and of the intervals (0.95).
    resamples
        How often documents are drawn again for the interval, 0 for none (1000).
    """
    settings = drawing.given()
    if chance_from is not None:
        settings["chance_from"] = several("--chance-from", chance_from)
    if confidence is not None:
        settings["confidence"] = confidence
    if resamples is not None:
        settings["resamples"] = resamples
    dissimilarity = weights.dissimilarity(chance)
    corpus = reading.lazy_corpus(paths, run.watch)
    run.watch.phase("aligning")
    with work.opened(drawing.workers) as sent:
        result = gamma_family.gamma(
            corpus,
            dissimilarity=dissimilarity,
            chance=chance,
            progress=run.progress,
            **searching.given(),
            **settings,
            **sent,
        )
    run.title = (
        next(iter(result.documents))
        if len(result.documents) == 1
        else f"{count(len(result.documents), 'document')}, pooled"
    )
    run.code = code_for(result)
    return result


def align(
    *paths: Paths,
    document: Annotated[str | None, Parameter(metavar="NAME", group=READING)] = None,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    searching: Searching = Searching(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    rows: Rows = 40,
) -> None:
    """Show which units belong together: the best alignment.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    document
        The document to align, when there are several.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a unit, with its group, to a file or else to stdout.
    rows
        Groups to show in the table.
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_rows(rows)
    dissimilarity = weights.dissimilarity()
    with Watch() as watch:
        corpus = reading.corpus(paths, watch)
        name = _chosen(corpus, document)
        continuum = corpus[name]
        watch.phase("aligning")
        alignment = best_alignment(continuum, dissimilarity=dissimilarity, **searching.given())
    if as_csv is not None:
        table = ((*row[:-1], label_text(row[-1])) for row in alignment.rows())
        output.write_csv(as_csv, _ALIGNMENT_HEADINGS, table)
    if as_json:
        about = {
            "n_annotators": len(continuum.annotators),
            "n_units": len(continuum),
            "annotators_from": continuum.annotators_from,
            "skipped": corpus.skipped,
        }
        output.print_json({"document": name} | alignment.to_dict() | about)
    elif as_csv != output.STDOUT:
        parts: list[RenderableType] = [
            text.groups(alignment, title=name, limit=rows, rest=_FOUND_IN)
        ]
        if corpus.skipped:
            parts.append(f"skipped {count(corpus.skipped, 'row')} that could not be read")
        output.print_table(*parts)


def _chosen(corpus: Corpus, document: str | None) -> str:
    names = list(corpus)
    if document is None:
        if len(names) == 1:
            return names[0]
        msg = (
            f"there are {count(len(names), 'document')}; choose one with --document: {some(names)}"
        )
        raise SettingError(msg)
    if document not in corpus:
        near = difflib.get_close_matches(document, names, n=5, cutoff=0.0)
        meant = did_you_mean(document, names)
        msg = f"there is no document {document!r}; choose one of {some(near)}{meant}"
        raise SettingError(msg)
    return document
