"""The command that draws: ``unisono chart``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from cyclopts import Group, Parameter

from unisono import charts
from unisono.charts.save import Theme
from unisono.charts.style import same_colours
from unisono.cli import chart_files, output
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import OUTPUT, READING, ChanceModel, Paths, Searching, Weights
from unisono.cli.progress import Watch
from unisono.errors import DataError, SettingError, did_you_mean
from unisono.measures.gamma.aligning import best_alignment
from unisono.measures.gamma.gamma import gamma
from unisono.results.wording import some
from unisono.studies import annotator_pairs as pairing
from unisono.studies import consensus as consensus_finding
from unisono.studies import diagnosis

if TYPE_CHECKING:
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.results.signature import Signature


CHART_EXAMPLES = """\
Examples:

  unisono chart alignment turns.csv -o alignment.png
  unisono chart continuum talks/ --document a1 --window 0 60 -o a1.svg
  unisono chart labels interviews/ --seed 1 -o labels.pdf
  unisono chart consensus turns.csv -o consensus.html"""
Kind: TypeAlias = Literal[
    "continuum", "alignment", "consensus", "labels", "parts", "confusion", "annotators", "draws"
]
"""What can be drawn of units."""
DRAWN = Group("Chart", sort_key=0)
_OF_ONE_DOCUMENT = frozenset({"continuum", "alignment", "consensus"})


def chart(
    kind: Annotated[Kind, Parameter(name="KIND", show_default=False)],
    /,
    *paths: Paths,
    out: Annotated[str, Parameter(name=["--output", "-o"], metavar="FILE", group=OUTPUT)],
    document: Annotated[str | None, Parameter(metavar="NAME", group=READING)] = None,
    window: Annotated[
        tuple[float, float] | None, Parameter(metavar="LOW HIGH", negative="", group=DRAWN)
    ] = None,
    worst: Annotated[int | None, Parameter(metavar="N", group=DRAWN)] = None,
    theme: Annotated[Theme, Parameter(group=DRAWN)] = "light",
    title: Annotated[str | None, Parameter(metavar="TEXT", group=DRAWN)] = None,
    support: Annotated[float, Parameter(metavar="SHARE", group=DRAWN)] = 0.5,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    searching: Searching = Searching(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Draw units, alignments, consensus or results as a picture.

    Parameters
    ----------
    kind
        What to draw: continuum (units of each annotator), alignment (which units belong together),
        consensus (beside the annotators), labels (γk), parts (of the disorder), confusion (of
        labels), annotators (who agrees with whom), draws (disorder by chance).
    paths
        Files or folders of tables: annotator, start, end, label.
    out
        The picture: .png, .svg, .pdf, .html (a page that loads nothing) or .json (Vega-Lite).
    document
        The document to draw, when there are several.
    window
        From where to where to draw.
    worst
        Draw so many groups with the most disorder in full, all others pale.
    theme
        Dark text on white, or light text on a dark ground.
    title
        The line above the chart.
    support
        For a consensus: share of the annotators who must have a unit in a group.
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["chart", "alignment", "talk.csv", "-o", "talk.gif"])
    2
    """
    chart_files.check_chart(out, None, inputs=paths, option="--output")
    _check_options(kind, window, worst, document)
    dissimilarity = weights.dissimilarity(chance)
    more: dict[str, Any] = {} if title is None else {"title": title}
    with Watch() as watch:
        corpus = reading.corpus(paths, watch)
        watch.phase("aligning")
        if kind in _OF_ONE_DOCUMENT:
            # The colours of the corpus, the same in the charts of all its documents.
            more |= {"labels": same_colours(corpus.labels), "window": window}
            search = {"dissimilarity": dissimilarity, **searching.given()}
            drawn, signature = _of_document(kind, corpus, document, search, worst, support, more)
        else:
            settings = {**searching.given(), **drawing.given(), "chance": chance}
            drawn, signature = _of_result(kind, corpus, dissimilarity, settings, watch, more)
        watch.phase("drawing")
        content = charts.chart_file(drawn, Path(out).suffix, theme=theme)
    output.write_bytes(out, content)
    output.print_done(f"drawn in {out}")
    if signature is not None:
        output.print_done(str(signature))


def _check_options(
    kind: str, window: tuple[float, float] | None, worst: int | None, document: str | None
) -> None:
    if worst is not None and kind != "alignment":
        msg = f"--worst is of groups, which an alignment has; not of {kind}"
        raise SettingError(msg)
    for option, value in (("--window", window), ("--document", document)):
        if value is not None and kind not in _OF_ONE_DOCUMENT:
            listed = ", ".join(sorted(_OF_ONE_DOCUMENT))
            msg = f"{option} is for charts of one document ({listed}), not for {kind}"
            raise SettingError(msg)


def _of_document(
    kind: str,
    corpus: Corpus,
    document: str | None,
    search: dict[str, Any],
    worst: int | None,
    support: float,
    more: dict[str, Any],
) -> tuple[charts.Chart, Signature | None]:
    if kind == "consensus" and document is None:
        # Of several documents the one with the most to decide.
        found = consensus_finding.consensus(corpus, support=support, **search)
        return charts.consensus_chart(found, **more), found.signature
    continuum = _one(corpus, document, kind)
    if kind == "continuum":
        return charts.continuum_chart(continuum, **more), None
    best = best_alignment(continuum, **search)
    if kind == "alignment":
        return charts.alignment_chart(best, worst=worst, **more), best.signature
    found = consensus_finding.consensus(best, support=support)
    return charts.consensus_chart(found, **more), found.signature


def _one(corpus: Corpus, document: str | None, kind: str) -> Continuum:
    if document is not None:
        if document not in corpus:
            near = did_you_mean(document, list(corpus))
            msg = f"there is no document {document!r}; there are {some(list(corpus))}{near}"
            raise SettingError(msg)
        return corpus[document]
    if len(corpus) == 1:
        return next(iter(corpus.values()))
    if not corpus:
        msg = "there is no document to draw"
        raise DataError(msg)
    msg = (
        f"a chart of the {kind} takes one document, and there are {len(corpus)}; "
        f"choose one with --document: {some(list(corpus))}"
    )
    raise SettingError(msg)


def _of_result(
    kind: str,
    corpus: Corpus,
    dissimilarity: Dissimilarity | None,
    settings: dict[str, Any],
    watch: Watch,
    more: dict[str, Any],
) -> tuple[charts.Chart, Signature]:
    progress = watch if watch.somebody_watches else None
    if kind == "annotators":
        found = pairing.pairwise_agreement(
            corpus, dissimilarity=dissimilarity, progress=progress, **settings
        )
        return charts.annotator_chart(found, **more), found.signature
    result = gamma(corpus, dissimilarity=dissimilarity, progress=progress, **settings)
    if kind == "parts":
        parts = diagnosis.diagnose(corpus, dissimilarity=dissimilarity, result=result)
        return charts.parts_chart(parts, **more), parts.signature
    return _CHARTS[kind](result, **more), result.signature


_CHARTS: dict[str, Callable[..., charts.Chart]] = {
    "labels": charts.label_chart,
    "draws": charts.draws_chart,
    "confusion": charts.confusion_chart,
}
