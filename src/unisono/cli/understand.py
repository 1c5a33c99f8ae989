"""The commands `report`, `chart`, `diagnose`, `advise`, `consensus` and `calibrate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

from cyclopts import Group, Parameter
from rich.text import Text

from unisono import charts
from unisono.charts.chart import CHARTS
from unisono.charts.save import Theme
from unisono.charts.style import same_colours
from unisono.cli import output
from unisono.cli.command import FORMS, Run, chart_target, command
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.chance import DrawOptions
from unisono.cli.options.input import ReadingOptions
from unisono.cli.options.items import DataOptions, RatingStudyOptions, measure_option_text
from unisono.cli.options.settings import option
from unisono.cli.options.shared import (
    CHANCE,
    OUTPUT,
    READING,
    SEARCH,
    SEED,
    ChanceModel,
    Paths,
    SearchOptions,
    SeedNumber,
    Weights,
    WrittenFormat,
    parse_distance,
    parse_seed,
    written_format_text,
)
from unisono.cli.options.shuffle import parse_errors, parse_magnitudes
from unisono.cli.options.work import (
    CheckpointOptions,
    ExecutorOptions,
    FailureOptions,
    exit_code_of,
)
from unisono.cli.output import ProgressDisplay
from unisono.errors import DataError, SettingError, did_you_mean, worded
from unisono.formats.write import check_writable, write
from unisono.measures.gamma.alignment import document_alignment
from unisono.measures.gamma.gamma import gamma
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.model.corpus import read_from
from unisono.model.overlap import Overlap
from unisono.model.ratings import Ratings
from unisono.reports.page import ReportFormat, format_of
from unisono.reports.report import report as write_report
from unisono.results.wording import count, describe_documents, some
from unisono.simulation.calibration import calibrate as calibration
from unisono.studies import advice, diagnosis
from unisono.studies import consensus as consensus_study
from unisono.studies.annotator_pairs import pairwise_agreement
from unisono.studies.label_confusions import label_confusions
from unisono.studies.rating_consensus import RATING_COLUMNS, UNDECIDED_ITEM_COLUMNS

if TYPE_CHECKING:
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.corpus import Corpus
    from unisono.reports.rating_report import RatingReport
    from unisono.reports.report import AgreementReport
    from unisono.results.values import Signature
    from unisono.simulation.calibration.calibrate import Calibration
    from unisono.studies.advice import Advice
    from unisono.studies.consensus import Consensus
    from unisono.studies.diagnosis import Diagnosis
    from unisono.studies.rating_consensus import RatingConsensus
    from unisono.studies.rating_diagnosis import RatingDiagnosis


ADVISE_EXAMPLES = """\
Examples:

  unisono advise turns.csv
  unisono advise interviews/ --seen-by corpus --csv to-decide.csv
  unisono advise turns.csv --merges 20 --json | jq .merges"""
_CHANGES = Group("Changes to evaluate", sort_key=5)
_ALL_GROUPS = 10_000_000  # the maximum of the setting


@command()
def advise(
    run: Run,
    *paths: Paths,
    merges: Annotated[int, option("most_merges", group=_CHANGES)] = 5,
    leave_out: Annotated[int, option("most_annotators", group=_CHANGES)] = 20,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    drawing: DrawOptions = DrawOptions(),  # noqa: B008 - frozen
    work: ExecutorOptions = ExecutorOptions(),  # noqa: B008 - frozen
    searching: SearchOptions = SearchOptions(),  # noqa: B008 - frozen
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> Advice:
    """Rank disagreements, and estimate the gain from changes.

    Parameters
    ----------
    paths
        Files or folders with units, such as tables of annotator, start, end, label.
    """
    settings = drawing.keywords()
    dissimilarity = weights.dissimilarity(chance)
    with work.opened(drawing.workers) as work_settings:
        corpus = reading.corpus(paths, run.display)
        run.title = describe_documents(corpus)
        run.display.phase("aligning")
        diagnosed = diagnosis.diagnose(
            corpus,
            dissimilarity=dissimilarity,
            chance=chance,
            progress=run.progress,
            **searching.keywords(),
            **settings,
            **work_settings,
        )
        run.display.phase("comparing")
        return advice.advise(
            corpus,
            dissimilarity=dissimilarity,
            diagnosis=diagnosed,
            most_groups=_ALL_GROUPS,
            most_merges=merges,
            most_annotators=leave_out,
            workers=settings.get("workers"),
            executor=work_settings.get("executor"),
            progress=run.progress,
        )


CALIBRATE_EXAMPLES = """\
Examples:

  unisono calibrate turns.csv -o chart.svg
  unisono calibrate interviews/ --errors position,false_negative --seed 1
  unisono calibrate turns.csv --json | jq .sentences"""
SIMULATION = Group("Simulated annotators", sort_key=5)


@command(is_other_target=output.is_chart_file)
def calibrate(
    run: Run,
    *paths: Paths,
    errors: Annotated[str | None, option("errors", group=SIMULATION)] = None,
    magnitudes: Annotated[str | None, option("magnitudes", group=SIMULATION)] = None,
    repeats: Annotated[int | None, option("repeats", of="calibrate", group=SIMULATION)] = None,
    support: Annotated[float, option("support", group=SIMULATION)] = 0.5,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    precision: Annotated[float | None, option("precision", group=CHANCE)] = None,
    confidence: Annotated[float, option("confidence", group=CHANCE)] = 0.95,
    draws: Annotated[int | None, option("draws", of="calibrate", group=CHANCE)] = None,
    seed: Annotated[SeedNumber, SEED, Parameter(group=CHANCE)] = 0,
    workers: Annotated[int | None, option("workers", group=CHANCE)] = None,
    work: CheckpointOptions = CheckpointOptions(),  # noqa: B008 - frozen
    soft: Annotated[bool, option("soft", group=SEARCH)] = False,
    gap_tolerance: Annotated[
        float, option("gap_tolerance", group=SEARCH, show_default=False)
    ] = 0.0,
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
    chart: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
) -> Calibration:
    """Estimate the amount of errors that gives the same γ.

    Parameters
    ----------
    paths
        Files or folders with units, such as tables of annotator, start, end, label.
    chart
        File for a chart of the curves with the observed values: .png, .svg, .pdf, .html or .json;
        needs unisono[plot]. For .png, .svg and .pdf -o works as well.
    """
    target = chart_target(run, chart, paths)
    settings: dict[str, Any] = {"errors": parse_errors(errors)}
    if magnitudes is not None:
        settings["magnitudes"] = parse_magnitudes(magnitudes)
    dissimilarity = weights.dissimilarity(chance)
    corpus = reading.corpus(paths, run.display)
    with work.opened(workers) as work_settings:
        found = calibration.calibrate(
            corpus,
            repeats=repeats,
            support=support,
            dissimilarity=dissimilarity,
            chance=chance,
            precision=precision,
            confidence=confidence,
            draws=draws,
            soft=soft,
            gap_tolerance=gap_tolerance,
            rng=parse_seed(seed),
            workers=workers,
            progress=run.display.start_count("simulating"),
            **settings,
            **work_settings,
        )
    run.title = describe_documents(corpus)
    if target is not None:
        title = f"{run.title}: errors that give this agreement"
        output.write_chart(target, charts.calibration_chart(found, title=title))
    return found


CHART_EXAMPLES = """\
Examples:

  unisono chart alignment turns.csv -o alignment.png
  unisono chart continuum talks/ --document a1 --window 0 60 -o a1.svg
  unisono chart labels interviews/ --seed 1 -o labels.pdf
  unisono chart consensus turns.csv -o consensus.html
  unisono chart confusion ratings.csv -o confusion.svg"""
Kind: TypeAlias = Literal[
    "continuum", "alignment", "consensus", "labels", "parts", "confusion", "annotators", "draws"
]
"""The kinds of charts; those in `_OF_RATINGS` also for ratings."""
_OF_RATINGS = ("labels", "confusion", "annotators")
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
    theme: Annotated[Theme, option("theme", group=DRAWN)] = "light",
    title: Annotated[str | None, option("title", group=DRAWN)] = None,
    support: Annotated[float, option("support", group=DRAWN)] = 0.5,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    drawing: DrawOptions = DrawOptions(),  # noqa: B008 - frozen
    searching: SearchOptions = SearchOptions(),  # noqa: B008 - frozen
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
    data: DataOptions = DataOptions(),  # noqa: B008 - frozen
) -> None:
    """Draw a chart of units, an alignment, a consensus or a result.

    Parameters
    ----------
    kind
        The kind of chart: continuum (units of each annotator), alignment (corresponding units),
        consensus (with the units of the annotators), labels (γk), parts (of the disorder),
        confusion (of labels), annotators (pairwise agreement), draws (disorder by chance). For
        ratings: labels (α), confusion and annotators.
    paths
        Files or folders with units, such as tables of annotator, start, end, label; or a table of
        ratings.
    out
        The chart file: .png, .svg, .pdf, .html (self-contained page) or .json (Vega-Lite).
    document
        The document to draw, if there are several.
    window
        Start and end of the section to draw.
    worst
        Highlight this number of groups, those with the most disorder.
    """
    output.check_chart(out, None, inputs=paths, option="--output")
    _check_options(kind, window, worst, document)
    more: dict[str, Any] = {} if title is None else {"title": title}
    # A chart of confusion does not depend on the distance of labels.
    of_units: dict[str, Any] = {
        "distance": "nominal" if kind == "confusion" else weights.distance,
        "chance": chance if chance != "shift" else None,
    }
    of_units |= {"support": support if support != _SUPPORT else None}
    signature: Signature | None
    with ProgressDisplay() as display:
        corpus = data.read(paths, reading, display, weights, drawing, searching, **of_units)
        display.phase("aligning")
        dissimilarity = None if isinstance(corpus, Ratings) else weights.dissimilarity(chance)
        if isinstance(corpus, Ratings):
            keywords = data.keywords(corpus, weights.distance)
            drawn, signature = _draw_ratings(kind, corpus, keywords, more)
        elif kind in _OF_ONE_DOCUMENT:
            # All documents of a corpus have the same colours.
            more |= {"labels": same_colours(corpus.labels), "window": window}
            search = {"dissimilarity": dissimilarity, **searching.keywords()}
            drawn, signature = _draw_document(kind, corpus, document, search, worst, support, more)
        else:
            settings = {**searching.keywords(), **drawing.keywords(), "chance": chance}
            drawn, signature = _draw_result(kind, corpus, dissimilarity, settings, display, more)
        display.phase("drawing")
        content = charts.chart_file(drawn, Path(out).suffix, theme=theme)
    output.write_bytes(out, content)
    output.print_message(f"written to {out}")
    if signature is not None:
        output.print_message(str(signature))


_SUPPORT = 0.5


def _draw_ratings(
    kind: str, ratings: Ratings, keywords: dict[str, Any], more: dict[str, Any]
) -> tuple[charts.Chart, Signature]:
    if kind not in _OF_RATINGS:
        msg = (
            f"a chart of {kind} is for units, and the data are ratings; for ratings there are "
            f"{', '.join(_OF_RATINGS)}"
        )
        raise SettingError(msg)
    if kind == "confusion":
        if keywords:
            msg = "--distance and --order do not change a chart of confusion; omit them"
            raise SettingError(msg)
        pairs = label_confusions(ratings)
        return CHARTS[kind](pairs, **more), pairs.signature
    if kind == "labels" and keywords.get("distance", "nominal") != "nominal":
        msg = "a chart of labels shows α of each label, which is nominal; omit --distance"
        raise SettingError(msg)
    with worded(measure_option_text):
        alpha = krippendorff_alpha(
            ratings, by_label=kind == "labels", by_pair=kind == "annotators", **keywords
        )
    return CHARTS[kind](alpha, **more), alpha.signature


def _check_options(
    kind: str, window: tuple[float, float] | None, worst: int | None, document: str | None
) -> None:
    if worst is not None and kind != "alignment":
        msg = f"--worst applies to charts of an alignment, not of {kind}; omit it"
        raise SettingError(msg)
    for name, value in (("--window", window), ("--document", document)):
        if value is not None and kind not in _OF_ONE_DOCUMENT:
            kinds = ", ".join(sorted(_OF_ONE_DOCUMENT))
            msg = f"{name} applies to charts of one document ({kinds}), not to {kind}; omit it"
            raise SettingError(msg)


def _draw_document(
    kind: str,
    corpus: Corpus,
    document: str | None,
    search: dict[str, Any],
    worst: int | None,
    support: float,
    more: dict[str, Any],
) -> tuple[charts.Chart, Signature | None]:
    if kind == "consensus" and document is None:
        # The chart function selects the document with the most undecided groups.
        found = consensus_study.consensus(corpus, support=support, **search)
        return CHARTS[kind](found, **more), found.signature
    name = _select_document(corpus, document, kind)
    if kind == "continuum":
        return CHARTS[kind](corpus[name], **more), None
    best = document_alignment(corpus, name, **search)
    if kind == "alignment":
        return CHARTS[kind](best, worst=worst, **more), best.signature
    found = consensus_study.consensus(best, support=support)
    return CHARTS[kind](found, **more), found.signature


def _select_document(corpus: Corpus, document: str | None, kind: str) -> str:
    if document is not None:
        if document not in corpus:
            hint = did_you_mean(document, list(corpus))
            msg = f"unknown document {document!r}; choose one of {some(list(corpus))}{hint}"
            raise SettingError(msg)
        return document
    if len(corpus) == 1:
        return next(iter(corpus))
    if not corpus:
        msg = "the data have no document to draw"
        raise DataError(msg)
    msg = (
        f"a chart of the {kind} needs one document, but there are {len(corpus)}; "
        f"choose one with --document: {some(list(corpus))}"
    )
    raise SettingError(msg)


def _draw_result(
    kind: str,
    corpus: Corpus,
    dissimilarity: Dissimilarity | None,
    settings: dict[str, Any],
    display: ProgressDisplay,
    more: dict[str, Any],
) -> tuple[charts.Chart, Signature]:
    progress = display if display.is_visible else None
    if kind == "annotators":
        found = pairwise_agreement(
            corpus, dissimilarity=dissimilarity, progress=progress, **settings
        )
        return CHARTS[kind](found, **more), found.signature
    result = gamma(corpus, dissimilarity=dissimilarity, progress=progress, **settings)
    if kind == "parts":
        parts = diagnosis.diagnose(corpus, dissimilarity=dissimilarity, result=result)
        return CHARTS[kind](parts, **more), parts.signature
    return CHARTS[kind](result, **more), result.signature


DIAGNOSE_EXAMPLES = """\
Examples:

  unisono diagnose turns.csv
  unisono diagnose interviews/ --seen-by corpus --csv parts.csv
  unisono diagnose turns.csv --json | jq .parts
  unisono diagnose ratings.csv --distance ordinal"""


@command()
def diagnose(
    run: Run,
    *paths: Paths,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    drawing: DrawOptions = DrawOptions(),  # noqa: B008 - frozen
    work: FailureOptions = FailureOptions(),  # noqa: B008 - frozen
    searching: SearchOptions = SearchOptions(),  # noqa: B008 - frozen
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
    data: RatingStudyOptions = RatingStudyOptions(),  # noqa: B008 - frozen
) -> Diagnosis | RatingDiagnosis:
    """Divide disagreement by its sources: labels, positions, raters.

    Parameters
    ----------
    paths
        Files or folders with units, such as tables of annotator, start, end, label; or a table of
        ratings.
    """
    settings = drawing.keywords()
    unit_options = (weights, drawing, work, searching)
    corpus = data.read(
        paths,
        reading,
        run.display,
        *unit_options,
        distance=weights.distance,
        chance=chance if chance != "shift" else None,
    )
    if isinstance(corpus, Ratings):
        run.title = Path(paths[0]).name
        run.display.phase("measuring")
        keywords = data.study_keywords(paths[0], corpus, weights.distance, reading)
        if run.needs_all_parts:
            keywords["most_items"] = _ALL_GROUPS
        with worded(measure_option_text):
            of_ratings: RatingDiagnosis = diagnosis.diagnose(corpus, **keywords)
        return of_ratings
    dissimilarity = weights.dissimilarity(chance)
    run.title = describe_documents(corpus)
    run.display.phase("aligning")
    with work.opened(drawing.workers) as work_settings:
        found = diagnosis.diagnose(
            corpus,
            dissimilarity=dissimilarity,
            chance=chance,
            progress=run.progress,
            **searching.keywords(),
            **settings,
            **work_settings,
        )
    run.code = exit_code_of(found.gamma)
    return found


REPORT_EXAMPLES = """\
Examples:

  unisono report turns.csv -o report.html
  unisono report interviews/ --title "Interviews, round 2" -o report.html
  unisono report turns.csv --seed 42 -o report.tex
  unisono report turns.csv --to md
  unisono report ratings.csv --distance ordinal -o report.html"""
_CONTENT = Group("Content", sort_key=5)
_FORMATS = get_args(ReportFormat)
Written: TypeAlias = Annotated[
    str | None, Parameter(name=("--output", "-o"), metavar="FILE", group=OUTPUT)
]


def report(
    *paths: Paths,
    title: Annotated[str | None, option("title", group=_CONTENT)] = None,
    charts: Annotated[bool, option("charts", group=_CONTENT)] = True,
    gains: Annotated[bool, option("gains", group=_CONTENT)] = True,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    overlap: Annotated[Overlap, option("overlap", group=_CONTENT)] = "raise",
    atom: Annotated[float | None, option("atom", group=_CONTENT)] = None,
    chance: ChanceModel = "shift",
    drawing: DrawOptions = DrawOptions(),  # noqa: B008 - frozen
    work: ExecutorOptions = ExecutorOptions(),  # noqa: B008 - frozen
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
    data: RatingStudyOptions = RatingStudyOptions(),  # noqa: B008 - frozen
    written: Written = None,
    to: Annotated[ReportFormat | None, Parameter(group=OUTPUT)] = None,
) -> ExitCode | None:
    """Write a report: summary, numbers, charts and recommendations.

    Parameters
    ----------
    paths
        Files or folders with units, such as tables of annotator, start, end, label; or a table of
        ratings.
    written
        File for the report; - for stdout.
    to
        html, md, json or tex; by default that of the suffix.
    """
    # --format is for input files, which are never html, md, json or tex.
    if to is None and reading.format in _FORMATS:
        to = next(each for each in _FORMATS if each == reading.format)
        reading = replace(reading, format="auto")
    target = output.STDOUT if written is None else written
    if written is None and to is None:
        msg = "no output; add a file, such as -o report.html, or --to md for stdout"
        raise SettingError(msg)
    if target != output.STDOUT:
        output.check_target(target, inputs=paths, as_json=False, option="--output")
    format_: ReportFormat = (
        (to or "html") if target == output.STDOUT else (to or _format_by_suffix(target))
    )
    settings = drawing.keywords()
    of_units: dict[str, Any] = {"distance": weights.distance}
    of_units |= {"chance": chance if chance != "shift" else None}
    of_units |= {"overlap": overlap if overlap != "raise" else None, "atom": atom}
    of_units |= {"gains": not gains}
    with ProgressDisplay() as display:
        corpus = data.read(paths, reading, display, weights, drawing, work, **of_units)
        display.phase("measuring")
        if isinstance(corpus, Ratings):
            with worded(measure_option_text):
                rated = write_report(
                    corpus,
                    title=title or f"Agreement on {Path(paths[0]).name}",
                    charts=charts,
                    **data.study_keywords(paths[0], corpus, weights.distance, reading),
                )
                display.phase("writing")
                text = rated.written_as(format_)
            _write_report(target, rated, text)
            return None
        if weights.distance is not None:
            settings["distance"] = parse_distance(weights.distance)
        with work.opened(drawing.workers) as work_settings:
            found = write_report(
                corpus,
                title=title or _title(tuple(corpus), len(corpus)),
                dissimilarity=weights.dissimilarity(chance),
                chance=chance,
                overlap=overlap,
                atom=atom,
                gains=gains,
                charts=charts,
                progress=display if display.is_visible else None,
                **settings,
                **work_settings,
            )
        display.phase("writing")
        text = found.written_as(format_)
    _write_report(target, found, text)
    return exit_code_of(found.gamma)


def _write_report(target: str, found: AgreementReport | RatingReport, text: str) -> None:
    """Write a report, and print its first sentence."""
    output.write_text(target, text.rstrip("\n"))
    if target != output.STDOUT:
        output.print_table(Text(str(found)))
        output.print_message(f"written to {target}")
    for problem in found.problems():
        raise DataError(problem)


def _title(names: tuple[str, ...], number: int) -> str:
    return f"Agreement on {names[0] if number == 1 else count(number, 'document')}"


def _format_by_suffix(target: str) -> ReportFormat:
    try:
        return format_of(target)
    except SettingError:
        msg = (
            f"a report cannot have the suffix of {target!r}; use .html, .md, .json or .tex, or set "
            "the format with --to html"
        )
        raise SettingError(msg) from None


CONSENSUS_EXAMPLES = """\
Examples:

  unisono consensus turns.csv --csv gold.csv
  unisono consensus brat-project/ -o gold/ --to brat --atom 1
  unisono consensus talk.eaf -o gold.TextGrid
  unisono consensus interviews/ --support 0.6 --undecided to-decide.csv
  unisono consensus entities.csv --atom 1
  unisono consensus ratings.csv --csv gold.csv"""
CONSENSUS = Group("Consensus", sort_key=5)


def _is_units_target(target: str) -> bool:
    """Return whether ``-o`` names a file or folder of units, not one for the result."""
    return Path(target).suffix not in FORMS


@command(rows=40, is_other_target=_is_units_target, format_option="to")
def consensus(
    run: Run,
    *paths: Paths,
    support: Annotated[float, option("support", of="consensus", group=CONSENSUS)] = 0.5,
    atom: Annotated[float | None, option("atom", of="consensus", group=CONSENSUS)] = None,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    searching: SearchOptions = SearchOptions(),  # noqa: B008 - frozen
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
    data: DataOptions = DataOptions(),  # noqa: B008 - frozen
    to: Annotated[WrittenFormat, Parameter(group=OUTPUT)] = "auto",
    undecided: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
) -> Consensus | RatingConsensus:
    """Merge the annotations of several annotators into one.

    Parameters
    ----------
    paths
        Files or folders with units, such as tables of annotator, start, end, label; or a table of
        ratings.
    to
        Write the units in this format with -o, instead of the result. Other suffixes than .md,
        .html, .tex, .csv and .json name a format of units themselves.
    undecided
        CSV file for the units of undecided groups, one row per unit; for ratings, for the labels
        of undecided items.
    """
    output.check_target(undecided, inputs=paths, as_json=False, option="--undecided")
    if undecided is not None and undecided in (output.STDOUT, *run.targets):
        msg = (
            f"--undecided cannot write to {undecided}, which another output uses; "
            "choose another file"
        )
        raise SettingError(msg)
    _check_written(run.target, to, run.targets[0], undecided, inputs=paths)
    corpus = data.read(
        paths, reading, run.display, weights, searching, distance=weights.distance, atom=atom
    )
    if isinstance(corpus, Ratings):
        return _rating_consensus(
            run, paths[0], corpus, support, undecided, to, data.keywords(corpus, weights.distance)
        )
    found = consensus_study.consensus(
        corpus,
        support=support,
        atom=atom,
        dissimilarity=weights.dissimilarity(),
        progress=run.display.start_count("aligning"),
        **searching.keywords(),
    )
    if run.target is not None:
        run.display.phase("writing")
        _write(read_from(found.corpus, paths), run.target, to, has_atoms=atom is not None)
        run.message = f"{count(len(found), 'unit')} written to {run.target}"
    if undecided is not None:
        output.write_units(undecided, consensus_study.UNDECIDED_COLUMNS, found.undecided_rows())
    run.units = consensus_study.UNIT_COLUMNS, found.rows()
    run.title = describe_documents(found.documents)
    return found


def _rating_consensus(
    run: Run,
    path: str,
    ratings: Ratings,
    support: float,
    undecided: str | None,
    to: str,
    keywords: dict[str, Any],
) -> RatingConsensus:
    if run.target is not None:
        msg = (
            f"the consensus of ratings is written as a table, not as {run.target!r}"
            f"{'' if to == 'auto' else f' with --to {to}'}; use --csv FILE"
        )
        raise SettingError(msg)
    with worded(measure_option_text):
        found = consensus_study.consensus(ratings, support=support, **keywords)
    if undecided is not None:
        output.write_units(undecided, UNDECIDED_ITEM_COLUMNS, found.undecided_rows())
    run.units = RATING_COLUMNS, found.rows()
    run.title = Path(path).name
    return found


def _check_written(target: str | None, to: str, *others: str | None, inputs: Sequence[str]) -> None:
    """Raise an error for an output that cannot be written, before the computation."""
    if target is None:
        if to != "auto":
            msg = f"--to {to} is the format of --output; add --output FILE"
            raise SettingError(msg)
        return
    if target == output.STDOUT:
        msg = "--output needs a file or a folder; use --csv to write to stdout"
        raise SettingError(msg)
    for other in others:
        output.check_apart(target, other, options="--output and another option")
    if not Path(target).is_dir():
        output.check_target(target, inputs=inputs, as_json=False, option="--output")
    with worded(written_format_text):
        check_writable(target, format=to)


def _write(corpus: Corpus, target: str, to: str, *, has_atoms: bool) -> None:
    try:
        write(corpus, target, format=to, overwrite_input=output.may_overwrite_input())
    except DataError as error:
        units = (unit for continuum in corpus.values() for unit in continuum)
        if has_atoms or all(unit.start % 1 == unit.end % 1 == 0 for unit in units):
            raise
        msg = f"{error}. Use --atom 1 to round medians to whole positions"
        raise DataError(msg) from None
