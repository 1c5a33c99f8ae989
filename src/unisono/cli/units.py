"""The commands on units beside γ: `all`, `unitizing` and `segments`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli.command import Run, command
from unisono.cli.compare import COMPARE_OPTIONS
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.items import MEASURE_OPTIONS, Comparing, several
from unisono.cli.options.shared import (
    OPTIONS,
    SWITCHED_OFF,
    ChanceModel,
    Paths,
    Weights,
    distance_of,
    named_option,
)
from unisono.cli.options.work import Sending, code_for
from unisono.measures.segmentation.table import SegmentationTable, chosen_measures, measure_segments
from unisono.measures.unitizing.alphas import UnitizingResult, unitizing_alpha
from unisono.registry import settings_by_measure
from unisono.results.wording import count
from unisono.studies.measure_table import SideBySide, side_by_side

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus


SEGMENTS_EXAMPLES = """\
Examples:

  unisono segments chapters.csv
  unisono segments songs/ --atom 0.5 --gaps segments
  unisono segments chapters.csv --measure b --near 3
  unisono segments chapters.csv --json | jq .boundary_similarity.pi.value"""
SEGMENT_OPTIONS: Mapping[str, str] = {
    "atom": "--atom",
    "gaps": "--gaps",
    "window": "--window",
    "convention": "--convention",
}
"""What measures of segmentations call a setting that a message may name, and the option for it."""
_SEGMENTS = Group("Segments", sort_key=10)
_MEASURING = Group("Measures", sort_key=20)


def segment_option_named(name: str, /, *value: object) -> str:
    """Name a setting of a measure of segmentations as the command line calls it."""
    if name == "atom" and ... in value:
        return "--atom LENGTH"
    return named_option({**OPTIONS, **SEGMENT_OPTIONS}, SWITCHED_OFF, name, *value)


@Parameter(name="*", group=_MEASURING)
@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """Settings of the measures; what is not given is as the measure has it.

    Parameters
    ----------
    window
        Window of Pk and WindowDiff, in atoms (half the mean segment of the reference).
    convention
        Windows within the text, or one more as NLTK has (papers).
    near
        Places that a near miss of B and S may span; 2 is one place off (2).
    insertion
        Hamming cost of a boundary that is lacking (2).
    deletion
        Hamming cost of a boundary too much (2).
    shift
        Hamming cost of moving a boundary by one place (1).
    """

    window: Annotated[int | None, Parameter(metavar="ATOMS")] = None
    convention: Literal["papers", "nltk"] | None = None
    near: Annotated[int | None, Parameter(metavar="PLACES")] = None
    insertion: Annotated[float | None, Parameter(metavar="COST")] = None
    deletion: Annotated[float | None, Parameter(metavar="COST")] = None
    shift: Annotated[float | None, Parameter(metavar="COST")] = None

    def given(self) -> dict[str, Any]:
        """Give the settings that were asked for."""
        names = ("window", "convention", "near", "insertion", "deletion", "shift")
        asked = {name: getattr(self, name) for name in names}
        return {name: value for name, value in asked.items() if value is not None}


@command(segment_option_named)
def segments(
    run: Run,
    *paths: Paths,
    measure: Annotated[
        str | None, Parameter(name=["--measure", "--measures"], metavar="NAMES", group=_MEASURING)
    ] = None,
    measuring: Measuring = Measuring(),
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=_SEGMENTS)] = None,
    gaps: Annotated[Literal["raise", "segments"], Parameter(group=_SEGMENTS)] = "raise",
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> SegmentationTable:
    """Measure agreement on where texts are cut: Pk, WindowDiff, B, S.

    Parameters
    ----------
    paths
        Files or folders of tables whose units cover the whole texts: annotator, start, end.
    measure
        Measures, parted by commas: pk, window_diff (wd), generalized_hamming (ghd),
        boundary_similarity (b), segmentation_similarity (s); without it all.
    atom
        How long an atom is, such as 0.5 seconds; boundaries are rounded to atoms. Without it
        boundaries are whole numbers.
    gaps
        Refuse stretches that no unit covers, or take them for segments.
    """
    asked = None if measure is None else several("--measure", measure)
    given = measuring.given()
    settings_by_measure(chosen_measures(asked), given)  # before files are read
    corpus = reading.corpus(paths, run.watch)
    run.title = _title(corpus)
    run.watch.phase("measuring")
    return measure_segments(corpus, measures=asked, atom=atom, gaps=gaps, **given)


def _title(corpus: Corpus) -> str:
    if len(corpus) == 1:
        return next(iter(corpus))
    return f"{count(len(corpus), 'document')}, pooled"


UNITIZING_EXAMPLES = """\
Examples:

  unisono unitizing turns.csv
  unisono unitizing interviews/ --annotators corpus --csv documents.csv
  unisono unitizing entities.csv --overlap split --distance masi
  unisono unitizing turns.csv --generation 2013
  unisono unitizing turns.csv --json | jq .coding.value"""
UNITIZING_OPTIONS: Mapping[str, str] = {
    "distance": "--distance",
    "generation": "--generation",
    "order": "--order",
    "overlap": "--overlap",
}
"""What `unitizing_alpha` calls a setting, and the option for it."""
ALPHAS = Group("Alphas", sort_key=10)


def unitizing_option_named(name: str, /, *value: object) -> str:
    """Name a setting of `unitizing_alpha` as the command line calls it."""
    return named_option({**OPTIONS, **UNITIZING_OPTIONS}, SWITCHED_OFF, name, *value)


@command(unitizing_option_named)
def unitizing(
    run: Run,
    *paths: Paths,
    generation: Annotated[Literal["2016", "2013", "1995"], Parameter(group=ALPHAS)] = "2016",
    distance: Annotated[str | None, Parameter(metavar="NAME|FILE.csv", group=ALPHAS)] = None,
    order: Annotated[str | None, Parameter(metavar="LABELS", group=ALPHAS)] = None,
    overlap: Annotated[Literal["raise", "merge", "split"], Parameter(group=ALPHAS)] = "raise",
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> UnitizingResult:
    """Measure agreement on units by length: uα, |uα, cuα and (k)uα.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    generation
        uα, |uα, cuα and (k)uα of 2016; the uα that γ was compared with; or αU.
    distance
        Distance of cuα: nominal (1 or 0), ordinal, interval, ratio, circular, bipolar, edit,
        jaccard, dice, masi, or a matrix.
    order
        All labels from low to high, such as low,mid,high; numbers need none.
    overlap
        What to do with units of one annotator that overlap: stop, merge those of the same label,
        or split them into pieces with sets of labels.
    """
    corpus = reading.corpus(paths, run.watch)
    run.watch.phase("measuring")
    labels = [label for label in corpus.labels if label is not None]
    given: dict[str, Any] = Comparing(order=order).given(labels, distance)
    wanted = run.whole or None
    result = unitizing_alpha(
        corpus,
        generation=generation,
        overlap=overlap,
        by_label=wanted,
        by_document=wanted,
        **given,
    )
    pooled = f"{count(result.n_documents, 'document')}, pooled"
    run.title = _title(corpus) if len(corpus) == 1 else pooled
    return result


ALL_EXAMPLES = """\
Examples:

  unisono all turns.csv --seed 42
  unisono all interviews/ --annotators corpus --overlap split
  unisono all turns.csv --atom 0.1 --tolerance 0.5 --csv measures.csv
  unisono all turns.csv --json | jq .measures.u_alpha_coding.value"""
_OPTIONS: Mapping[str, str] = {
    **MEASURE_OPTIONS,
    **OPTIONS,
    **UNITIZING_OPTIONS,
    **SEGMENT_OPTIONS,
    **COMPARE_OPTIONS,
}
_OTHERS = Group("Other measures", sort_key=25)


def all_option_named(name: str, /, *value: object) -> str:
    """Name a setting of any measure of units as the command line calls it."""
    if name == "atom" and ... in value:
        return "--atom LENGTH"
    return named_option(_OPTIONS, SWITCHED_OFF, name, *value)


@command(all_option_named)
def all_measures(
    run: Run,
    *paths: Paths,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    overlap: Annotated[Literal["raise", "merge", "split"], Parameter(group=_OTHERS)] = "raise",
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=_OTHERS)] = None,
    tolerance: Annotated[float, Parameter(metavar="COLLAR", group=_OTHERS)] = 0.0,
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    work: Sending = Sending(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> SideBySide:
    """Put γ, the alphas, κ_d, slot errors and others side by side.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    overlap
        Where one annotator's units overlap, alphas and κ_d have no value, or merge or split them.
    atom
        How long an atom is, for κ_d and for boundaries of segments (1).
    tolerance
        A collar: by how much bounds may differ for the slot error rate.
    chance
        For γ: shift units, mix documents, draw from a fitted model, or as the authors' program.
    """
    settings = drawing.given()
    if weights.distance is not None:
        settings["distance"] = distance_of(weights.distance)
    corpus = reading.corpus(paths, run.watch)
    run.title = _title(corpus)
    run.watch.phase("measuring")
    with work.opened(drawing.workers) as sent:
        result = side_by_side(
            corpus,
            overlap=overlap,
            atom=atom,
            tolerance=tolerance,
            dissimilarity=weights.dissimilarity(chance),
            chance=chance,
            progress=run.progress,
            **settings,
            **sent,
        )
    run.code = code_for(result["gamma"])
    return result
