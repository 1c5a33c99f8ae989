"""What a worker process does with one job: measure, draw, report."""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import queue
import shutil
import signal
import sys
import tempfile
import threading
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rich.console import Group
from rich.table import Table
from rich.text import Text

from unisono import charts
from unisono.cli.compare import error_rows
from unisono.cli.items import Resampling
from unisono.cli.terminal import calibration as calibration_text
from unisono.cli.terminal import consensus as consensus_text
from unisono.cli.terminal.blocks import Trimmed
from unisono.cli.understand import curve_rows, undecided_rows
from unisono.errors import SettingError, UnisonoError, worded
from unisono.formats.write import write
from unisono.measures.gamma import gamma as gamma_family
from unisono.measures.gamma.alignment import Search
from unisono.measures.items.table import chosen_measures
from unisono.measures.items.table import items as items_table
from unisono.measures.items.table import settings_by_measure as item_settings
from unisono.measures.reference.compare import compare as compare_corpora
from unisono.measures.sampling import seed_of
from unisono.measures.segmentation.table import chosen_measures as chosen_segment_measures
from unisono.measures.segmentation.table import measure_segments as segmentation_table
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.parallel.dispatch import Report
from unisono.registry import measures_of, settings_by_measure
from unisono.reports.report import report
from unisono.results.render import csv_records
from unisono.results.wording import count, documents_told, printable, some
from unisono.simulation.calibration import calibrate as calibration
from unisono.simulation.calibration.curves import CurvePoint
from unisono.studies import consensus as consensus_finding
from unisono.studies import measure_table as many_measures
from unisono.studies.annotator_pairs import pairwise_agreement
from unisono.studies.consensus import document_alignments
from unisono.studies.description import describe
from unisono.studies.diagnosis import diagnose
from unisono.web.drawing import (
    alignment_drawing,
    continuum_drawing,
    matching_drawing,
    write_drawings,
)
from unisono.web.problems import ProblemError, problem_of
from unisono.web.task import Task, as_in, in_order, label_rows, setting_in_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.result import GammaResult
    from unisono.model.corpus import Corpus
    from unisono.results.sheet import Sheet
    from unisono.simulation.calibration.calibrate import Calibration
    from unisono.studies.consensus import Consensus


_OF_MEASURES = tuple(
    dict.fromkeys(name for one in measures_of("segmentation") for name in one.settings)
)
_SEGMENT_SETTINGS = ("measures", "atom", "gaps", *_OF_MEASURES)
_FORMATS = {
    "jsonl": ("jsonl", "JSON Lines", "application/x-ndjson"),
    "labelstudio": ("json", "Label Studio", "application/json"),
    "textgrid": ("TextGrid", "Praat", "text/plain"),
    "eaf": ("eaf", "ELAN", "application/xml"),
    "brat": ("ann", "brat", "text/plain"),
}


def write_for_tools(task: Task, found: Consensus) -> None:
    """Make a file for each tool that can hold this consensus."""
    if not len(found):
        return
    for name, (suffix, tool, kind) in _FORMATS.items():
        with tempfile.TemporaryDirectory(dir=task.target) as folder:
            # A folder of this name in the archive, where a tool wants a file for each document.
            made = Path(folder, f"consensus.{suffix}")
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)
                    write(found.corpus, made, format=name)
            except UnisonoError:
                continue  # such as places between characters, which brat does not know
            if made.is_file() and len(list(Path(folder).iterdir())) == 1:
                task.take(made, f"the consensus, for {tool}", kind)
            else:
                base = str(task.target / f"consensus-{name}")
                archive = Path(shutil.make_archive(base, "zip", folder))
                task.take(archive, f"the consensus, for {tool}", "application/zip")


_REST = "the files to download have all"
_NO_CHARTS = "charts need more packages: pip install 'unisono[plot]'"
_ROWS_SHOWN = 200


def shown(measure: str, result: object, *, title: str | None = None) -> dict[str, Any]:
    """Return a result as the blocks that the page shows."""
    if hasattr(result, "sheet"):
        return {"blocks": list(_blocks_of(result.sheet(title=title or "")))}
    say = _WORDS.get(measure)
    groups = [] if say is None else say(cast("Any", result), title)
    return {"blocks": [block for group in groups for block in _blocks(group)]}


def _consensus(found: Any, title: str | None) -> list[Group]:  # noqa: ANN401
    several = len(found.documents) > 1
    how: dict[str, Any] = {"limit": _ROWS_SHOWN, "rest": _REST, "by_document": several}
    parts = [
        consensus_text.consensus_table(found, title=title, **how)
        if len(found)
        else Group(consensus_text.nothing_decided())
    ]
    if found.undecided:
        parts.append(consensus_text.undecided_table(found, **how))
    return parts


# One kind of result for each measure, which their functions check no further.
_WORDS: Mapping[str, Callable[[Any, str | None], list[Group]]] = {
    "consensus": _consensus,
    "calibrate": lambda found, title: [calibration_text.calibration_table(found, title=title)],
}


def _blocks_of(sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Yield the parts of a sheet as the page shows them."""
    for finding in sheet.findings:
        yield {"kind": "sentence", "text": finding}
    if sheet.title:
        yield {"kind": "heading", "text": sheet.title}
    for table in (one for one in sheet.tables if one.people):
        view = table.view(_ROWS_SHOWN)
        if table.title:
            yield {"kind": "heading", "text": table.title}
        yield {
            "kind": "table",
            "headings": view.headings,
            "aligned": [column.kind.align for column in view.columns],
            "rows": view.cells,
        }
        yield from ({"kind": "sentence", "text": sentence} for sentence in view.sentences)
        if view.n_more:
            yield {"kind": "more", "text": view.more(_REST)}
    facts = [[fact.column.heading, fact.text] for fact in sheet.facts]
    facts += [["note", printable(note)] for note in sheet.notes]
    if facts:
        yield {"kind": "facts", "pairs": facts}
    for signature in sheet.signatures:
        yield {"kind": "signature", "text": printable(str(signature))}


def _blocks(part: object) -> Iterator[dict[str, Any]]:
    if isinstance(part, Group):
        for each in part.renderables:
            yield from _blocks(each)
    elif isinstance(part, Trimmed):
        yield from _blocks(part.padded)
    elif isinstance(part, Table):
        yield _facts(part) if not part.show_header else _table(part)
    elif isinstance(part, str) or (isinstance(part, Text) and part.plain):
        yield _line(part if isinstance(part, Text) else Text(part))


def _table(table: Table) -> dict[str, Any]:
    columns = [[_plain(cell) for cell in column.cells] for column in table.columns]
    return {
        "kind": "table",
        "headings": [_plain(column.header) for column in table.columns],
        "aligned": [column.justify for column in table.columns],
        "rows": [list(row) for row in zip(*columns, strict=True)],
    }


def _facts(grid: Table) -> dict[str, Any]:
    names, facts = ([_plain(cell) for cell in column.cells] for column in grid.columns)
    return {"kind": "facts", "pairs": [list(pair) for pair in zip(names, facts, strict=True)]}


def _line(line: Text) -> dict[str, Any]:
    if line.style == "bold":
        return {"kind": "heading", "text": line.plain}
    if line.style == "dim":
        # Of the dim lines one kind tells how much is left out, the other ends in a version.
        return {"kind": "signature" if "|v:" in line.plain else "more", "text": line.plain}
    return {"kind": "sentence", "text": line.plain}


def _plain(cell: object) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)


_ERROR_HEADINGS = (
    *("document", "kind", "reference_start", "reference_end", "reference_label"),
    *("hypothesis_start", "hypothesis_end", "hypothesis_label"),
)


def measure_items(task: Task) -> None:
    """Compute α, κ and their relatives."""
    names = [measure.name for measure in chosen_measures(task.settings.get("measures"))]
    given = task.given("distance", "weights", "categories", "missing", "order")
    counts = task.given("bootstrap", "permutations")
    if "bootstrap" not in counts and "method" in task.settings:
        msg = "method is for intervals; say with bootstrap how often to resample"
        raise SettingError(msg)
    ratings = task.ratings()
    given = in_order(given, ratings.labels)
    settings = item_settings(names, given)
    table = items_table(ratings, measures=names, **given)
    if counts:
        how = Resampling(
            counts.get("bootstrap"),
            task.settings.get("method", "percentile"),
            task.settings.get("confidence", 0.95),
            counts.get("permutations"),
        )
        report = Report(task.progress, len(table))
        seed = seed_of(task.given("rng").get("rng", 0))
        table = how.of(table, ratings, settings, seed, report)
    title = task.paths()[0]
    task.write_json(table.to_dict())
    task.write_aside("shown.json", shown("items", table, title=title))
    records = csv_records(table.sheet(title=title))
    task.write_csv("result.csv", "one row a coefficient, label and pair", *records)


def measure_comparison(task: Task) -> None:
    """Score a hypothesis against a reference."""
    data, title = _sides(task)
    given = task.given("tolerance", "with_gamma", "chance", "chance_precision", "draws", "rng")
    result = compare_corpora(
        **data,
        mapping=_mapping(task.settings.get("mapping"), data),
        dissimilarity=task.dissimilarity(given.get("chance", "shift")),
        workers=task.threads,
        progress=task.progress,
        **given,
    )
    task.write_json(result.to_dict())
    task.write_aside("shown.json", shown("compare", result, title=title))
    task.write_csv("result.csv", "one row a document, rule and label", *csv_records(result.sheet()))
    documents = result.documents or {"": result}
    matchings = {name: one.slots.matching for name, one in documents.items()}
    known = {name: each for name, each in matchings.items() if each is not None}
    if len(known) == len(matchings):
        rows = error_rows(result)
        task.write_csv("errors.csv", "what was taken for what", _ERROR_HEADINGS, rows)
    write_drawings(task, {name: matching_drawing(name, each) for name, each in known.items()})


def _sides(task: Task) -> tuple[dict[str, Any], str]:
    """Read the data, as `compare` takes them, and say what is compared."""
    who, whom = task.settings.get("reference"), task.settings.get("hypothesis")
    if "within" in task.sources:
        within = task.corpus("within")
        title = f"{whom} against {', '.join(who or ())}"
        return {"reference": who, "hypothesis": whom, "within": within}, title
    reference, hypothesis = task.corpus("reference"), task.corpus("hypothesis")
    if who is not None:
        reference = reference.only(annotators=who)
    if whom is not None:
        hypothesis = hypothesis.only(annotators=(whom,))
    elif any(len(continuum.annotators) > 1 for continuum in hypothesis.values()):
        msg = (
            f"the hypothesis has several annotators, {some(hypothesis.annotators)}; "
            'choose one with "hypothesis"'
        )
        raise SettingError(msg)
    entries = {role: task.sources[role]["entries"] for role in ("reference", "hypothesis")}
    title = " against ".join(some(entries[role]) for role in ("hypothesis", "reference"))
    return {"reference": reference, "hypothesis": hypothesis}, title


def _mapping(given: str | Mapping[str, str] | None, data: Mapping[str, Any]) -> Any:  # noqa: ANN401
    if given is None or isinstance(given, str):
        return given
    corpora: list[Corpus] = [side for side in data.values() if hasattr(side, "labels")]
    labels = [label for corpus in corpora for label in corpus.labels]
    return {as_in(labels, old): as_in(labels, new) for old, new in given.items()}


_UNIT_HEADINGS = ("document", "annotator", "start", "end", "label")
_GROUP_HEADINGS = ("document", "group", "disorder", "annotator", "start", "end", "label")
_CONSENSUS_HEADINGS = (
    *("document", "annotator", "start", "end", "label", "group", "n_annotators"),
    *("support", "label_support", "start_spread", "end_spread"),
)
_UNDECIDED_HEADINGS = ("document", "annotator", "start", "end", "label", "group", "why", "reason")
OF_GAMMA = (
    *("chance", "chance_from", "precision", "confidence", "draws", "rng"),
    *("soft", "gap_tolerance", "time_limit"),
)
"""The settings of `gamma` besides its dissimilarity."""


def measure_description(task: Task) -> None:
    """Say what the files hold and which measures fit."""
    task.tell("reading", 0, 0)
    given = task.reading()
    given.pop("fragments", None)
    # What cannot be read is what one wants to be told of.
    found = describe(*task.paths(), **(given | {"on_error": "skip"}))
    task.check_size(found.corpus.n_units, "unit")
    task.write_json(found.to_dict())
    task.write_aside("shown.json", shown("describe", found))
    write_drawings(task, _drawings(found.corpus, {}))


def gamma_of(task: Task) -> tuple[Corpus, GammaResult]:
    """Compute the γ family, as several kinds of task want it."""
    corpus = task.corpus()
    given = task.given(*OF_GAMMA)
    result = gamma_family.gamma(
        corpus,
        dissimilarity=task.dissimilarity(given.get("chance", "shift")),
        workers=task.threads,
        progress=task.progress,
        **given,
        **task.given("resamples"),
    )
    return corpus, result


def measure_gamma(task: Task) -> None:
    """Compute γ, γcat and γk, and the alignments to draw."""
    corpus, result = gamma_of(task)
    task.tell("writing", 0, 0)
    task.write_json(result.to_dict())
    task.write_aside("shown.json", shown("gamma", result, title=_title(corpus)))
    task.write_csv("documents.csv", "one row a document", *csv_records(result.sheet()))
    alignments = {name: each.alignment for name, each in result.documents.items() if each.alignment}
    _write_alignments(task, corpus, alignments)


def measure_unitizing(task: Task) -> None:
    """Compute uα, |uα, cuα and (k)uα."""
    corpus = task.corpus()
    given = in_order(task.given("distance", "generation", "overlap", "order"), corpus.labels)
    result = unitizing_alpha(corpus, by_label=True, by_document=True, **given)
    task.write_json(result.to_dict())
    task.write_aside("shown.json", shown("unitizing", result, title=_title(corpus)))
    task.write_csv("result.csv", "one row an alpha", *csv_records(result.sheet()))


def measure_segments(task: Task) -> None:
    """Compute Pk, WindowDiff, B, S and the generalized Hamming distance."""
    given = task.given(*_SEGMENT_SETTINGS)
    settings_by_measure(chosen_segment_measures(given.get("measures")), task.given(*_OF_MEASURES))
    corpus = task.corpus()
    table = segmentation_table(corpus, **given)
    sheet = table.sheet(title=_title(corpus))
    task.write_json(table.to_dict())
    task.write_aside("shown.json", shown("segments", table, title=sheet.title))
    task.write_csv("result.csv", "one row a measure and pair", *csv_records(sheet))


def measure_all(task: Task) -> None:
    """Put all measures of units side by side."""
    corpus = task.corpus()
    given = task.given(
        *("distance", "overlap", "atom", "tolerance"),
        *("chance", "precision", "draws", "rng"),
    )
    result = many_measures.side_by_side(
        corpus,
        dissimilarity=task.dissimilarity(given.get("chance", "shift")),
        workers=task.threads,
        progress=task.progress,
        **given,
    )
    task.write_json(result.to_dict())
    task.write_aside("shown.json", shown("all", result, title=_title(corpus)))
    task.write_csv("result.csv", "one row a measure and label", *csv_records(result.sheet()))


def measure_consensus(task: Task) -> None:
    """Make one annotation of what most annotators share."""
    corpus = task.corpus()
    given = task.given("soft", "gap_tolerance", "time_limit")
    dissimilarity = task.dissimilarity()
    found = consensus_finding.consensus(
        corpus, dissimilarity=dissimilarity, **given, **task.given("support", "atom")
    )
    task.write_json(found.to_dict())
    task.write_aside("shown.json", shown("consensus", found, title=_title(corpus)))
    rows = label_rows(found.rows(), 4)
    task.write_csv(
        "consensus.csv", "the consensus, one row a unit", _CONSENSUS_HEADINGS, rows, of_data=True
    )
    left = undecided_rows(found)
    task.write_csv("undecided.csv", "what is left to decide", _UNDECIDED_HEADINGS, left)
    write_for_tools(task, found)
    alignments = document_alignments(corpus, dissimilarity=dissimilarity, search=Search(**given))
    drawings = _drawings(corpus, alignments)
    for name, drawing in drawings.items():
        _add_consensus(drawing, found, name)
    write_drawings(task, drawings)


def measure_calibration(task: Task) -> None:
    """Say which errors, and how many, would give the same γ."""
    corpus = task.corpus()
    given = task.given(
        *("errors", "magnitudes", "repeats", "support", "chance", "precision", "confidence"),
        *("draws", "soft", "gap_tolerance", "rng"),
    )
    found = calibration.calibrate(
        corpus,
        dissimilarity=task.dissimilarity(given.get("chance", "shift")),
        workers=task.threads,
        progress=task.progress,
        **given,
    )
    title = _title(corpus)
    task.write_json(found.to_dict())
    task.write_aside("shown.json", shown("calibrate", found, title=title))
    headings = ("error", *CurvePoint._fields)
    task.write_csv("curves.csv", "one row a magnitude of an error", headings, curve_rows(found))
    _write_curves(task, found, f"{title}: which errors would give this agreement")


def _write_curves(task: Task, found: Calibration, title: str) -> None:
    """Draw the curves, or say why there is no picture of them."""
    if not charts.can_draw():
        task.warnings.append(f"the curves are not drawn: {_NO_CHARTS}")
        return
    try:
        picture = charts.chart_file(charts.calibration_chart(found, title=title), ".svg")
    except UnisonoError as error:
        task.warnings.append(f"the curves are not drawn: {error}")
        return
    task.write("curves.svg", "the curves, as a picture", picture.decode(), "image/svg+xml")


def _write_alignments(task: Task, corpus: Corpus, alignments: Mapping[str, Alignment]) -> None:
    write_drawings(task, _drawings(corpus, alignments))

    def groups() -> Iterator[list[Any]]:
        for name, alignment in alignments.items():
            for row in label_rows(alignment.rows(), 5):
                yield [name, *row]

    def units() -> Iterator[list[Any]]:
        for name, continuum in corpus.items():
            for unit in continuum:
                yield [name, unit.annotator, unit.start, unit.end, unit.label]

    task.write_csv(
        "groups.csv", "the alignment, one row a unit", _GROUP_HEADINGS, groups(), of_data=True
    )
    rows = label_rows(units(), 4)
    task.write_csv("units.csv", "the units as they were read", _UNIT_HEADINGS, rows, of_data=True)


def _drawings(corpus: Corpus, alignments: Mapping[str, Alignment]) -> dict[str, dict[str, Any]]:
    return {
        name: alignment_drawing(name, alignments[name])
        if name in alignments
        else continuum_drawing(name, continuum)
        for name, continuum in corpus.items()
    }


def _add_consensus(drawing: dict[str, Any], found: Consensus, name: str) -> None:
    of_one = found.to_dict()
    labels = drawing["labels"]
    drawing["consensus"] = [
        {
            "start": unit.start,
            "end": unit.end,
            "label": labels.index(unit_label) if unit_label in labels else None,
            "group": unit.group - 1,
            "support": unit.support,
            "label_support": unit.label_support,
        }
        for unit, unit_label in _consensus_units(found, name)
    ]
    drawing["undecided"] = [
        {"group": group["group"] - 1, "why": group["why"], "reason": group["reason"]}
        for group in of_one["undecided"]
        if group["document"] == name
    ]


def _consensus_units(found: Consensus, name: str) -> Iterator[tuple[Any, str | None]]:
    for unit in found.units:
        if unit.document == name:
            (row,) = label_rows([(unit.label,)], 0)
            yield unit, None if unit.label is None else row[0]


def _title(corpus: Corpus) -> str:
    if len(corpus) == 1:
        return next(iter(corpus))
    return f"{count(len(corpus), 'document')}, pooled"


def measure_chart(task: Task) -> None:
    """Make the chart that was asked for."""
    if not charts.can_draw():
        raise ProblemError("unavailable", _NO_CHARTS)
    task.write_json(charts.chart_spec(_chart(task), **task.given("theme")))


def _chart(task: Task) -> Any:  # noqa: ANN401 - a chart of altair
    kind = task.settings["kind"]
    if kind == "continuum":
        corpus = task.corpus()
        return charts.continuum_chart(corpus[_document(corpus, task)])
    if kind in ("parts", "confusion"):
        corpus = task.corpus()
        diagnosis = diagnose(corpus, **_settings(task))
        return getattr(charts, f"{kind}_chart")(diagnosis)
    if kind == "annotators":
        return charts.annotator_chart(pairwise_agreement(task.corpus(), **_settings(task)))
    corpus, result = gamma_of(task)
    if kind == "alignment":
        return charts.alignment_chart(result.documents[_document(corpus, task)])
    return charts.label_chart(result) if kind == "labels" else charts.draws_chart(result)


def _settings(task: Task) -> dict[str, Any]:
    given = task.given(*OF_GAMMA)
    given["dissimilarity"] = task.dissimilarity(given.get("chance", "shift"))
    return given | {"workers": task.threads, "progress": task.progress}


def _document(corpus: Corpus, task: Task) -> str:
    name: str = task.settings.get("document", next(iter(corpus)))
    if name not in corpus:
        msg = f"there is no document {name!r}; there are {some(list(corpus))}"
        raise SettingError(msg)
    return name


_FORMS = {
    "html": ("the report, to read and to print", "text/html"),
    "md": ("the report, as Markdown", "text/markdown"),
    "tex": ("the report, as LaTeX", "application/x-tex"),
}


def measure_report(task: Task) -> None:
    """Write the report in all its forms."""
    given = task.given(
        *("title", "distance", "overlap", "atom", "chance", "precision", "draws", "rng"),
        *("gains", "charts"),
    )
    corpus = task.corpus()
    given.setdefault("title", _report_title(corpus))
    found = report(
        corpus,
        dissimilarity=task.dissimilarity(given.get("chance", "shift")),
        workers=task.threads,
        progress=task.progress,
        **given,
    )
    task.tell("writing", 0, 0)
    task.write_json(found.to_dict())
    texts = {"html": found.to_html(), "md": found.to_markdown(), "tex": found.to_tex()}
    for suffix, (title, kind) in _FORMS.items():
        task.write(f"report.{suffix}", title, texts[suffix], kind)


def _report_title(corpus: Corpus) -> str:
    only = documents_told(corpus)
    return f"Agreement on {only}"


TASKS: Mapping[str, Callable[[Task], None]] = {
    "describe": measure_description,
    "gamma": measure_gamma,
    "unitizing": measure_unitizing,
    "segments": measure_segments,
    "items": measure_items,
    "compare": measure_comparison,
    "consensus": measure_consensus,
    "calibrate": measure_calibration,
    "all": measure_all,
    "report": measure_report,
    "chart": measure_chart,
}
"""What computes each kind of job and writes its files."""


def performed(request: Mapping[str, Any], say: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Do one task and tell how it ended."""

    def tell(phase: str, done: int, total: int) -> None:
        say({"event": "progress", "phase": phase, "done": done, "total": total})

    task = Task(
        measure=request["measure"],
        sources=request["sources"],
        settings=request["settings"],
        target=Path(request["target"]),
        units=request["units"],
        draws=request["draws"],
        threads=request["threads"],
        tell=tell,
    )
    try:
        with warnings.catch_warnings(record=True) as heard, worded(setting_in_json):
            warnings.simplefilter("always", UserWarning)
            TASKS[task.measure](task)
    except KeyboardInterrupt:
        return {"event": "cancelled"}
    except Exception as error:
        if os.environ.get("UNISONO_TRACEBACK"):
            raise
        return {"event": "failed", "problem": problem_of(error).record}
    said = [str(one.message) for one in heard if issubclass(one.category, UserWarning)]
    return {"event": "done", "files": task.files, "warnings": [*task.warnings, *said]}


class _Loop:
    """Takes tasks until there are none to come."""

    def __init__(self, output: int) -> None:
        self._output = output
        self._requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._busy = False

    def run(self) -> None:
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._listen, daemon=True).start()
        self._say({"event": "ready", "bytes": memory_in_use()})
        while True:
            request = self._requests.get()
            last: dict[str, Any] = {"event": "cancelled"}
            try:
                self._busy = True
                last = performed(request, self._say)
                self._busy = False
            except KeyboardInterrupt:
                self._busy = False
            os.chdir("/")
            gc.collect()
            self._say(last | {"bytes": memory_in_use()})

    def _interrupt(self, *_: object) -> None:
        if self._busy:
            raise KeyboardInterrupt

    def _listen(self) -> None:
        for line in sys.stdin.buffer:
            self._requests.put(json.loads(line))
        # The service is gone; whatever is being computed, nobody wants it.
        os._exit(0)

    def _say(self, event: dict[str, Any]) -> None:
        content = memoryview(json.dumps(event).encode() + b"\n")
        while content:
            content = content[os.write(self._output, content) :]


def memory_in_use() -> int:
    """Give the bytes of memory this process holds, or 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _limit_memory(limit: int) -> None:
    if importlib.util.find_spec("resource") is None:
        return  # not on every platform
    import resource  # noqa: PLC0415

    for what, most in (
        # Not the address space, of which what draws charts reserves much and uses little.
        (resource.RLIMIT_DATA, limit),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (bound, hard))


def main() -> None:
    """Serve the process that started this one."""
    # Tasks go to folders with files of strangers: no module may come from there.
    sys.path[:] = [place for place in sys.path if Path(place).is_absolute()]
    output = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.chdir("/")
    _limit_memory(int(sys.argv[1]))
    _Loop(output).run()


if __name__ == "__main__":
    main()
