"""The commands `units`, `unitizing` and `segments`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group

from unisono.cli.command import Run, command
from unisono.cli.options.chance import DrawOptions
from unisono.cli.options.input import ReadingOptions
from unisono.cli.options.items import LabelOptions
from unisono.cli.options.settings import measure_option, option
from unisono.cli.options.shared import (
    MEASURING,
    ChanceModel,
    MinUnits,
    Paths,
    SegmentOptions,
    Weights,
    parse_distance,
    split_list,
)
from unisono.cli.options.work import ExecutorOptions, exit_code_of
from unisono.measures.segmentation.table import SegmentationTable, chosen_measures, measure_segments
from unisono.measures.unitizing.alphas import Generation, UnitizingTable, unitizing_alpha
from unisono.model.overlap import Overlap
from unisono.model.segmentation import Gaps
from unisono.registry import settings_by_measure
from unisono.results.wording import count
from unisono.studies.measure_table import UnitsTable, measure_units

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus


SEGMENTS_EXAMPLES = """\
Examples:

  unisono segments chapters.csv
  unisono segments songs/ --atom 0.5 --gaps segments
  unisono segments chapters.csv --measure b --near 3
  unisono segments chapters.csv --json | jq .measures.pk.value"""
_SEGMENTS = Group("Segments", sort_key=10)


@command()
def segments(
    run: Run,
    *paths: Paths,
    measure: Annotated[str | None, measure_option("segmentation", group=MEASURING)] = None,
    measuring: SegmentOptions = SegmentOptions(),  # noqa: B008 - frozen
    atom: Annotated[float | None, option("atom", group=_SEGMENTS)] = None,
    gaps: Annotated[Gaps, option("gaps", group=_SEGMENTS)] = "raise",
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> SegmentationTable:
    """Measure agreement on segment boundaries: Pk, WindowDiff, B, S.

    Parameters
    ----------
    paths
        Files or folders with units that cover the whole document: annotator, start, end.
    """
    typed = None if measure is None else split_list("--measure", measure)
    keywords = measuring.keywords()
    settings_by_measure(chosen_measures(typed), keywords)  # reports errors before files are read
    corpus = reading.corpus(paths, run.display)
    run.title = _title(corpus)
    run.display.phase("measuring")
    return measure_segments(corpus, measures=typed, atom=atom, gaps=gaps, **keywords)


def _title(corpus: Corpus) -> str:
    if len(corpus) == 1:
        return next(iter(corpus))
    return f"{count(len(corpus), 'document')}, pooled"


UNITIZING_EXAMPLES = """\
Examples:

  unisono unitizing turns.csv
  unisono unitizing interviews/ --seen-by corpus --csv documents.csv
  unisono unitizing entities.csv --overlap split --distance masi
  unisono unitizing turns.csv --generation 2013
  unisono unitizing turns.csv --json | jq .u_alpha_coding.value"""
ALPHAS = Group("Alphas", sort_key=10)


@command()
def unitizing(
    run: Run,
    *paths: Paths,
    generation: Annotated[Generation, option("generation", group=ALPHAS)] = "2016",
    distance: Annotated[str | None, option("distance", group=ALPHAS)] = None,
    order: Annotated[str | None, option("order", group=ALPHAS)] = None,
    overlap: Annotated[Overlap, option("overlap", group=ALPHAS)] = "raise",
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> UnitizingTable:
    """Measure agreement on units by length: uα, |uα, cuα and (k)uα.

    Parameters
    ----------
    paths
        Files or folders with units, such as tables of annotator, start, end, label.
    """
    corpus = reading.corpus(paths, run.display)
    run.display.phase("measuring")
    labels = [label for label in corpus.labels if label is not None]
    keywords: dict[str, Any] = LabelOptions(order=order).keywords(labels, distance)
    with_parts = run.needs_all_parts or None
    result = unitizing_alpha(
        corpus,
        generation=generation,
        overlap=overlap,
        by_label=with_parts,
        by_document=with_parts,
        **keywords,
    )
    pooled = f"{count(result.n_documents, 'document')}, pooled"
    run.title = _title(corpus) if len(corpus) == 1 else pooled
    return result


UNITS_EXAMPLES = """\
Examples:

  unisono units turns.csv --seed 42
  unisono units interviews/ --seen-by corpus --overlap split
  unisono units turns.csv --atom 0.1 --tolerance 0.5 --csv measures.csv
  unisono units turns.csv --json | jq .measures.u_alpha_coding.value"""
_OTHERS = Group("Other measures", sort_key=25)


@command()
def units(
    run: Run,
    *paths: Paths,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    overlap: Annotated[Overlap, option("overlap", group=_OTHERS)] = "raise",
    atom: Annotated[float | None, option("atom", group=_OTHERS)] = None,
    tolerance: Annotated[float, option("tolerance", group=_OTHERS)] = 0.0,
    chance: ChanceModel = "shift",
    min_units: MinUnits = 1,
    drawing: DrawOptions = DrawOptions(),  # noqa: B008 - frozen
    work: ExecutorOptions = ExecutorOptions(),  # noqa: B008 - frozen
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> UnitsTable:
    """Compute all measures of units: γ, the alphas, κ_d and others.

    Parameters
    ----------
    paths
        Files or folders with units, such as tables of annotator, start, end, label.
    """
    settings = drawing.keywords()
    if weights.distance is not None:
        settings["distance"] = parse_distance(weights.distance)
    corpus = reading.corpus(paths, run.display)
    run.title = _title(corpus)
    run.display.phase("measuring")
    with work.opened(drawing.workers) as work_settings:
        result = measure_units(
            corpus,
            overlap=overlap,
            atom=atom,
            tolerance=tolerance,
            dissimilarity=weights.dissimilarity(chance),
            chance=chance,
            progress=run.progress,
            **settings,
            **work_settings,
        )
    run.sheet_options = {"min_units": min_units}
    run.code = exit_code_of(result["gamma"])
    return result
