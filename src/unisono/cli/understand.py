"""The commands `report`, `chart`, `diagnose`, `advise`, `consensus` and `calibrate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

from cyclopts import Group, Parameter
from rich.text import Text

from unisono import charts
from unisono.charts.save import Theme
from unisono.charts.style import same_colours
from unisono.cli import output
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import (
    CHANCE,
    OUTPUT,
    READING,
    SEARCH,
    SEED,
    ChanceModel,
    Csv,
    Json,
    Paths,
    Rows,
    Searching,
    SeedNumber,
    Weights,
    WrittenFormat,
    check_rows,
    distance_of,
    rng_of,
    written_format_named,
)
from unisono.cli.options.shuffle import errors_named, magnitudes_named
from unisono.cli.options.work import Bearing, Keeping, Sending, code_for
from unisono.cli.output import Watch
from unisono.cli.terminal import advice as advice_text
from unisono.cli.terminal import calibration as calibration_text
from unisono.cli.terminal import consensus as consensus_text
from unisono.cli.terminal import diagnosis as diagnosis_text
from unisono.cli.units import all_option_named
from unisono.errors import DataError, SettingError, did_you_mean, worded
from unisono.formats.write import check_writable, write
from unisono.measures.gamma.alignment import best_alignment
from unisono.measures.gamma.gamma import gamma
from unisono.model.corpus import read_from
from unisono.model.labels import label_text
from unisono.reports.report import ReportFormat, format_of
from unisono.reports.report import report as write_report
from unisono.results.record import label_keys, plain_number
from unisono.results.wording import count, documents_told, some
from unisono.simulation.calibration import calibrate as calibration
from unisono.simulation.calibration.curves import CurvePoint
from unisono.studies import advice as advising
from unisono.studies import annotator_pairs as pairing
from unisono.studies import consensus as consensus_finding
from unisono.studies import diagnosis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.results.agreement import Signature
    from unisono.simulation.calibration.calibrate import Calibration
    from unisono.studies.advice import Advice, Gain
    from unisono.studies.consensus import Consensus
    from unisono.studies.diagnosis import Diagnosis, Parts


ADVISE_EXAMPLES = """\
Examples:

  unisono advise turns.csv
  unisono advise interviews/ --annotators corpus --csv to-decide.csv
  unisono advise turns.csv --merges 20 --json | jq .merges"""
_TRIED = Group("What is tried", sort_key=5)
_ADVICE_HEADINGS = (
    *("advice", "name", "document", "start", "end", "share", "loss", "value", "gain"),
    *("low", "high", "certain"),
)


def advise(
    *paths: Paths,
    merges: Annotated[int, Parameter(metavar="N", group=_TRIED)] = 5,
    leave_out: Annotated[int, Parameter(metavar="N", group=_TRIED)] = 20,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    work: Sending = Sending(),  # noqa: B008 - frozen
    searching: Searching = Searching(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    rows: Rows = 10,
) -> None:
    """Say what to decide first, and what changes would gain.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    merges
        Pairs of confused labels to try, the costliest first; γ is computed again for each.
    leave_out
        Annotators to leave out, one at a time, those with the most disorder first.
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a place, document, merge and annotator, to a file or else to stdout.
    rows
        Lines of each table to show.
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_rows(rows)
    settings = drawing.given()
    dissimilarity = weights.dissimilarity(chance)
    with Watch() as watch, work.opened(drawing.workers) as sent:
        corpus = reading.corpus(paths, watch)
        progress = watch if watch.somebody_watches else None
        watch.phase("aligning")
        diagnosed = diagnosis.diagnose(
            corpus,
            dissimilarity=dissimilarity,
            chance=chance,
            progress=progress,
            **searching.given(),
            **settings,
            **sent,
        )
        watch.phase("comparing")
        found = advising.advise(
            corpus,
            dissimilarity=dissimilarity,
            diagnosis=diagnosed,
            most_groups=max(rows, 1000) if as_json or as_csv else rows,
            most_merges=merges,
            most_annotators=leave_out,
            workers=settings.get("workers"),
            executor=sent.get("executor"),
            progress=progress,
        )
    if as_csv is not None:
        output.write_csv(as_csv, _ADVICE_HEADINGS, advice_rows(found))
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        only = documents_told(corpus)
        output.print_table(
            *advice_text.advice_tables(
                found, title=only, limit=rows, rest="--csv or --json has more"
            )
        )


def advice_rows(found: Advice) -> Iterator[list[Any]]:
    """Give a row for each place to decide, document, pair of labels and annotator."""
    for group in found.adjudicate:
        place = [group.document, group.start, group.end, group.share, plain_number(group.loss)]
        yield ["decide", str(group.group), *place, *[None] * 5]
    for each in found.documents:
        shares = [each.share, plain_number(each.loss), plain_number(each.value)]
        yield ["document", each.document, each.document, None, None, *shares, *[None] * 4]
    for merge in found.merges:
        names = " – ".join(label_text(label) or "(no label)" for label in merge.labels)
        yield ["merge", names, *[None] * 5, *_gained(merge.gain)]
    for left in found.annotators:
        yield ["leave out", left.annotator, *[None] * 5, *_gained(left.gain)]


def _gained(gain: Gain) -> list[Any]:
    ends = (None, None) if gain.interval is None else (gain.interval.low, gain.interval.high)
    numbers = [plain_number(each) for each in (gain.value, gain.gain, *ends)]
    return [*numbers, "yes" if gain.certain else "no"]


CALIBRATE_EXAMPLES = """\
Examples:

  unisono calibrate turns.csv -o chart.svg
  unisono calibrate interviews/ --errors position,false_negative --seed 1
  unisono calibrate turns.csv --json | jq .sentences"""
SIMULATION = Group("Simulated annotators", sort_key=5)


def calibrate(
    *paths: Paths,
    errors: Annotated[str | None, Parameter(metavar="LIST", group=SIMULATION)] = None,
    magnitudes: Annotated[str | None, Parameter(metavar="LIST", group=SIMULATION)] = None,
    repeats: Annotated[int | None, Parameter(metavar="N", group=SIMULATION)] = None,
    support: Annotated[float, Parameter(metavar="SHARE", group=SIMULATION)] = 0.5,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    precision: Annotated[float, Parameter(metavar="SHARE", group=CHANCE)] = 0.02,
    confidence: Annotated[float, Parameter(metavar="SHARE", group=CHANCE)] = 0.95,
    draws: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    seed: Annotated[SeedNumber, SEED, Parameter(group=CHANCE)] = 0,
    workers: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    work: Keeping = Keeping(),  # noqa: B008 - frozen
    soft: Annotated[bool, Parameter(negative="", show_default=False, group=SEARCH)] = False,
    gap_tolerance: Annotated[float, Parameter(metavar="PART", group=SEARCH)] = 0.0,
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    chart: Annotated[
        str | None, Parameter(name=["--chart", "-o"], metavar="FILE", group=OUTPUT)
    ] = None,
) -> None:
    """Say which errors, and how many, would give the same γ.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    errors
        Some of position, category, false_negative, false_positive, split; all by default.
    magnitudes
        At which to simulate, such as 0.1,0.2,0.5,1.
    repeats
        Annotation sets at each magnitude (12, for long documents down to 6).
    support
        Share of the annotators that makes the consensus they start from.
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.
    precision
        Wished relative error of the expected disorder of the data.
    confidence
        Confidence of the intervals.
    draws
        Draws for each simulated γ (5 to 20).
    seed
        A seed; the same one gives the same values, random draws a new one.
    workers
        Threads; never moves a value.
    soft
        A unit may be in more than one group.
    gap_tolerance
        A part of the disorder, such as 0.001, that need not be looked for.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a magnitude of an error, to a file or else to stdout.
    chart
        A picture of the curves with the observed values: .png, .svg, .pdf, .html or .json; needs
        unisono[plot].
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    output.check_chart(chart, as_csv, inputs=paths)
    wanted = errors_named(errors)
    settings: dict[str, Any] = {}
    if magnitudes is not None:
        settings["magnitudes"] = magnitudes_named(magnitudes)
    dissimilarity = weights.dissimilarity(chance)
    with Watch() as watch:
        corpus = reading.corpus(paths, watch)
        with work.opened(workers) as sent:
            found = calibration.calibrate(
                corpus,
                errors=wanted,
                repeats=repeats,
                support=support,
                dissimilarity=dissimilarity,
                chance=chance,
                precision=precision,
                confidence=confidence,
                draws=draws,
                soft=soft,
                gap_tolerance=gap_tolerance,
                rng=rng_of(seed),
                workers=workers,
                progress=watch.counting("simulating"),
                **settings,
                **sent,
            )
    only = documents_told(corpus)
    if chart is not None:
        title = f"{only}: which errors would give this agreement"
        output.write_chart(chart, charts.calibration_chart(found, title=title))
    if as_csv is not None:
        output.write_csv(as_csv, ("error", *CurvePoint._fields), curve_rows(found))
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(calibration_text.calibration_table(found, title=only))


def curve_rows(found: Calibration) -> Iterator[list[object]]:
    """Give a row for each magnitude of each type of error."""
    for error, points in found.curves.items():
        for point in points:
            yield [error, *map(plain_number, point)]


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
    """
    output.check_chart(out, None, inputs=paths, option="--output")
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
DIAGNOSE_EXAMPLES = """\
Examples:

  unisono diagnose turns.csv
  unisono diagnose interviews/ --annotators corpus --csv parts.csv
  unisono diagnose turns.csv --json | jq .parts"""
_DIAGNOSIS_HEADINGS = (
    *("scope", "name", "position", "label", "missing", "total", "loss"),
    *("n_units", "missed", "alone", "pairs"),
)


def diagnose(
    *paths: Paths,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    work: Bearing = Bearing(),  # noqa: B008 - frozen
    searching: Searching = Searching(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    rows: Rows = 10,
) -> ExitCode:
    """Split disagreement into position, labels and missing units.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a part of the data, to a file or else to stdout.
    rows
        Lines of each table to show.
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_rows(rows)
    settings = drawing.given()
    dissimilarity = weights.dissimilarity(chance)
    with Watch() as watch:
        corpus = reading.corpus(paths, watch)
        watch.phase("aligning")
        with work.opened(drawing.workers) as sent:
            found = diagnosis.diagnose(
                corpus,
                dissimilarity=dissimilarity,
                chance=chance,
                progress=watch if watch.somebody_watches else None,
                **searching.given(),
                **settings,
                **sent,
            )
    if as_csv is not None:
        output.write_csv(as_csv, _DIAGNOSIS_HEADINGS, part_rows(found))
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        only = documents_told(corpus)
        output.print_table(
            *diagnosis_text.diagnosis_tables(
                found, title=only, limit=rows, rest="--csv or --json has all"
            )
        )
    return code_for(found.gamma)


def part_rows(found: Diagnosis) -> Iterator[list[Any]]:
    """Give a row for all, and for each label, annotator, confusion and document.

    Those of labels, of annotators and of documents each add up to that of all. The loss is what
    they take away from γ.
    """
    expected = found.gamma.expected

    def row(scope: str, name: str, parts: Parts, *more: int | None) -> list[Any]:
        total = parts.total
        loss = total / expected if expected > 0.0 else None
        told = [plain_number(each) for each in (*parts, total, loss)]
        return [scope, name, *told, *more, *[None] * (4 - len(more))]

    yield row("all", "", found.parts, found.gamma.n_units)
    keys = label_keys(found.by_label)
    for label, of_label in found.by_label.items():
        yield row("label", keys[label], of_label.parts, of_label.n_units)
    for name, of_annotator in found.by_annotator.items():
        yield row("annotator", name, *of_annotator)
    for confusion in found.confusions:
        names = " – ".join(keys[label] for label in confusion.labels)
        parts = type(found.parts)(0.0, confusion.disorder, 0.0)
        yield row("confusion", names, parts, None, None, None, confusion.pairs)
    for name, document in found.documents.items():
        weighed = type(found.parts)(*(document.weight * part for part in document.parts))
        yield row("document", name, weighed, document.gamma.n_units)


REPORT_EXAMPLES = """\
Examples:

  unisono report turns.csv -o report.html
  unisono report interviews/ --title "Interviews, round 2" -o report.html
  unisono report turns.csv --seed 42 -o report.tex
  unisono report turns.csv --to md"""
_CONTENT = Group("Content", sort_key=5)
_FORMATS = get_args(ReportFormat)
Written: TypeAlias = Annotated[
    str | None, Parameter(name=("--output", "-o"), metavar="FILE", group=OUTPUT)
]


def report(
    *paths: Paths,
    title: Annotated[str | None, Parameter(metavar="TEXT", group=_CONTENT)] = None,
    charts: Annotated[bool, Parameter(group=_CONTENT)] = True,
    gains: Annotated[bool, Parameter(group=_CONTENT)] = True,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    overlap: Annotated[Literal["raise", "merge", "split"], Parameter(group=_CONTENT)] = "raise",
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=_CONTENT)] = None,
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    work: Sending = Sending(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    written: Written = None,
    to: Annotated[ReportFormat | None, Parameter(group=OUTPUT)] = None,
) -> ExitCode | None:
    """Write one page on agreement: words, numbers, charts, what to do.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    title
        The heading of the page.
    charts
        Draw charts in HTML; they need unisono[plot].
    gains
        Compute what merging labels and leaving out annotators would gain, which takes longest.
    overlap
        Where one annotator's units overlap, alphas and κ_d have no value, or merge or split them.
    atom
        How long an atom is, for κ_d and for boundaries of segments (1).
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.
    written
        Where to write; - is stdout.
    to
        html, md, json or tex; told by the suffix of the file if not said.
    """
    # --format says what is read, but no file is read as html, md, json or tex.
    if to is None and reading.format in _FORMATS:
        to = next(each for each in _FORMATS if each == reading.format)
        reading = replace(reading, format="auto")
    target = output.STDOUT if written is None else written
    if written is None and to is None:
        msg = "say where to write the report, as in -o report.html; or --to md prints it"
        raise SettingError(msg)
    if target != output.STDOUT:
        output.check_target(target, inputs=paths, as_json=False, option="--output")
    format_: ReportFormat = (to or "html") if target == output.STDOUT else (to or _told_by(target))
    settings = drawing.given()
    if weights.distance is not None:
        settings["distance"] = distance_of(weights.distance)
    with Watch() as watch, worded(all_option_named):
        corpus = reading.corpus(paths, watch)
        watch.phase("measuring")
        with work.opened(drawing.workers) as sent:
            found = write_report(
                corpus,
                title=title or _title(tuple(corpus), len(corpus)),
                dissimilarity=weights.dissimilarity(chance),
                chance=chance,
                overlap=overlap,
                atom=atom,
                gains=gains,
                charts=charts,
                progress=watch if watch.somebody_watches else None,
                **settings,
                **sent,
            )
        watch.phase("writing")
        text = found.written_as(format_)
    output.write_text(target, text.rstrip("\n"))
    if target != output.STDOUT:
        output.print_table(Text(str(found)))
        output.print_done(f"written to {target}")
    result = found.findings.gamma
    if result.undefined and not result.draws:
        msg = f"γ is undefined: {result.undefined}"
        raise DataError(msg)
    return code_for(result)


def _title(names: tuple[str, ...], number: int) -> str:
    return f"Agreement on {names[0] if number == 1 else count(number, 'document')}"


def _told_by(target: str) -> ReportFormat:
    try:
        return format_of(target)
    except SettingError:
        msg = (
            f"the suffix of {target!r} tells no format; end it in .html, .md, .json or .tex, or "
            "say --to html"
        )
        raise SettingError(msg) from None


CONSENSUS_EXAMPLES = """\
Examples:

  unisono consensus turns.csv --csv gold.csv
  unisono consensus brat-project/ -o gold/ --to brat --atom 1
  unisono consensus talk.eaf -o gold.TextGrid
  unisono consensus interviews/ --support 0.6 --undecided to-decide.csv
  unisono consensus entities.csv --atom 1"""
CONSENSUS = Group("Consensus", sort_key=5)
_CONSENSUS_HEADINGS = (
    *("document", "annotator", "start", "end", "label", "group", "n_annotators"),
    *("support", "label_support", "start_spread", "end_spread"),
)
_UNDECIDED_HEADINGS = ("document", "annotator", "start", "end", "label", "group", "why", "reason")
_FOUND_IN = "--csv or --json has all"


def consensus(
    *paths: Paths,
    support: Annotated[float, Parameter(metavar="SHARE", group=CONSENSUS)] = 0.5,
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=CONSENSUS)] = None,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    searching: Searching = Searching(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    target: Annotated[
        str | None, Parameter(name=["--output", "-o"], metavar="TARGET", group=OUTPUT)
    ] = None,
    to: Annotated[WrittenFormat, Parameter(group=OUTPUT)] = "auto",
    undecided: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
    rows: Rows = 40,
) -> None:
    """Make one annotation of what most annotators share.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    support
        Share of the annotators who must have a unit in a group; two at least.
    atom
        What places are whole numbers of, such as 1 for characters; medians are then rounded.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a unit of the consensus, with its support, to a file or else to stdout.
    target
        File or folder for the consensus in a format that annotation tools read.
    to
        That format; told by the suffix if not said.
    undecided
        A file for the units of groups that are left to decide, one row a unit.
    rows
        Units and groups to show in the tables.
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    output.check_target(undecided, inputs=paths, as_json=False, option="--undecided")
    if undecided == output.STDOUT or (undecided is not None and undecided == as_csv):
        msg = "--undecided needs the name of a file of its own"
        raise SettingError(msg)
    check_rows(rows)
    _check_written(target, to, as_csv, undecided, inputs=paths)
    with Watch() as watch:
        corpus = reading.corpus(paths, watch)
        found = consensus_finding.consensus(
            corpus,
            support=support,
            atom=atom,
            dissimilarity=weights.dissimilarity(),
            progress=watch.counting("aligning"),
            **searching.given(),
        )
        if target is not None:
            watch.phase("writing")
            made = read_from(found.corpus, paths)
            _write(made, target, to, has_atoms=atom is not None)
    if as_csv is not None:
        output.write_units(as_csv, _CONSENSUS_HEADINGS, found.rows())
    if undecided is not None:
        output.write_csv(undecided, _UNDECIDED_HEADINGS, undecided_rows(found), of_data=True)
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(*_tables(found, rows=rows))
        if target is not None:
            written = count(len(found.units), "unit")
            output.print_done(f"{written} written to {target}")


def undecided_rows(found: Consensus) -> Iterator[list[Any]]:
    """Give a row for each unit that is left to decide, with its group and why."""
    for group in found.undecided:
        for unit in group.units:
            place = [group.document, unit.annotator, unit.start, unit.end, label_text(unit.label)]
            yield [*place, group.group, group.why, group.reason]


def _check_written(target: str | None, to: str, *others: str | None, inputs: Sequence[str]) -> None:
    """Refuse a target that cannot be written, before anything is computed."""
    if target is None:
        if to != "auto":
            msg = f"--to {to} is the format of --output; say where to write as well"
            raise SettingError(msg)
        return
    if target == output.STDOUT:
        msg = "--output needs the name of a file or a folder; --csv writes to stdout"
        raise SettingError(msg)
    for other in others:
        output.check_apart(target, other, options="--output and another option")
    if not Path(target).is_dir():
        output.check_target(target, inputs=inputs, as_json=False, option="--output")
    with worded(written_format_named):
        check_writable(target, format=to)


def _write(made: Corpus, target: str, to: str, *, has_atoms: bool) -> None:
    try:
        write(made, target, format=to, overwrite_input=output.may_overwrite_input())
    except DataError as error:
        units = (unit for continuum in made.values() for unit in continuum)
        if has_atoms or all(unit.start % 1 == unit.end % 1 == 0 for unit in units):
            raise
        msg = f"{error}. --atom 1 rounds medians to whole places"
        raise DataError(msg) from None


def _tables(found: Consensus, *, rows: int) -> list[RenderableType]:
    only = len(found.documents) == 1 and not found.left_out_documents
    title = next(iter(found.documents)) if only else count(len(found.documents), "document")
    shown: list[RenderableType] = []
    if not found.units:
        shown.append(consensus_text.nothing_decided())
    shown.append(
        consensus_text.consensus_table(
            found, title=title, limit=rows, rest=_FOUND_IN, by_document=not only
        )
    )
    if found.undecided:
        shown.append(
            consensus_text.undecided_table(
                found, limit=rows, rest="--undecided FILE or --json has all", by_document=not only
            )
        )
    return shown
