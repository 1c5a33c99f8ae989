"""The worker process: runs one job at a time and writes its files."""

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
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono import charts
from unisono.errors import ReadError, SettingError, UnisonoError, worded
from unisono.formats.read import read_all_layers, read_ratings
from unisono.formats.settings import RATING_SETTINGS
from unisono.formats.write import write
from unisono.measures.chains.pyramids import measure_pyramids as pyramid_agreement
from unisono.measures.chains.table import chosen_measures as chosen_chain_measures
from unisono.measures.chains.table import measure_chains as chains_table
from unisono.measures.gamma import gamma as gamma_family
from unisono.measures.gamma.alignment import Search
from unisono.measures.items.resampling import Resampling
from unisono.measures.items.table import chosen_measures
from unisono.measures.items.table import measure_items as items_table
from unisono.measures.items.table import settings_by_measure as item_settings
from unisono.measures.reference.compare import compare as compare_corpora
from unisono.measures.reference.compare import matched_slots
from unisono.measures.sampling import seed_of
from unisono.measures.segmentation.table import chosen_measures as chosen_segment_measures
from unisono.measures.segmentation.table import measure_segments as segmentation_table
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.parallel.dispatch import Report
from unisono.registry import FAMILIES, MEASURES, STUDIES, measures_of, settings_by_measure
from unisono.reports.report import report
from unisono.results.data import reading_tables
from unisono.results.page import page
from unisono.results.render import csv_records
from unisono.results.wording import count, describe_documents, some
from unisono.simulation.calibration import calibrate as calibration
from unisono.studies.annotator_pairs import pairwise_agreement
from unisono.studies.consensus import UNDECIDED_COLUMNS, consensus, document_alignments
from unisono.studies.description import describe
from unisono.studies.diagnosis import diagnose
from unisono.studies.measure_table import measure_units as units_table
from unisono.studies.reliability import reliability_study
from unisono.web.drawings import (
    alignment_drawing,
    continuum_drawing,
    matching_drawing,
    write_drawings,
)
from unisono.web.problems import ProblemError, problem_of
from unisono.web.task import Task, data_label, label_rows, setting_in_json, with_label_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.model.corpus import Corpus
    from unisono.model.ratings import Ratings
    from unisono.results.render import Sheeted
    from unisono.studies.consensus import Consensus


def _family_settings(family: str) -> tuple[str, ...]:
    """Return the settings of the measures of a family."""
    return tuple(dict.fromkeys(name for one in measures_of(family) for name in one.settings))


_FORMATS = {
    "jsonl": ("jsonl", "JSON Lines", "application/x-ndjson"),
    "labelstudio": ("json", "Label Studio", "application/json"),
    "textgrid": ("TextGrid", "Praat", "text/plain"),
    "eaf": ("eaf", "ELAN", "application/xml"),
    "brat": ("ann", "brat", "text/plain"),
}


def _keywords(task: Task, names: Iterable[str]) -> dict[str, Any]:
    """Return those of the named settings that were requested, with threads and callback."""
    keywords = task.keywords(*(name for name in names if name not in ("dissimilarity", "mapping")))
    keywords["dissimilarity"] = task.dissimilarity(keywords.get("chance", "shift"))
    return keywords | {"workers": task.threads, "progress": task.progress}


def _write(task: Task, result: Sheeted, title: str = "", name: str = "", rows: str = "") -> None:
    """Write a result as JSON, as data for the page and, if `name` is set, as CSV."""
    sheet = result.sheet(title=title)
    task.write_json(result)
    # An overview shows how the files were read in its own tables.
    is_overview = any(table.name == "family" for table in sheet.tables)
    record = () if is_overview else reading_tables(getattr(result, "interpretation", None))
    task.write_part("shown.json", page(sheet, reading=tuple(record)))
    if name:
        task.write_csv(name, rows, *csv_records(sheet))


def write_for_tools(task: Task, found: Consensus) -> None:
    """Write the consensus in the format of each annotation tool that can represent it."""
    if not len(found):
        return
    for name, (suffix, tool, kind) in _FORMATS.items():
        with tempfile.TemporaryDirectory(dir=task.target) as folder:
            # If a tool needs one file per document, this is a folder, which becomes an archive.
            path = Path(folder, f"consensus.{suffix}")
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)
                    write(found.corpus, path, format=name)
            except UnisonoError:
                continue  # for example fractional positions, which brat cannot represent
            if path.is_file() and len(list(Path(folder).iterdir())) == 1:
                task.add_file(path, f"the consensus, for {tool}", kind)
            else:
                base = str(task.target / f"consensus-{name}")
                archive = Path(shutil.make_archive(base, "zip", folder))
                task.add_file(archive, f"the consensus, for {tool}", "application/zip")


_NO_CHARTS = "charts need additional packages: pip install 'unisono[plot]'"


def measure_items(task: Task) -> None:
    """Compute α, κ and related coefficients."""
    names = [measure.name for measure in chosen_measures(task.settings.get("measures"))]
    keywords = task.keywords(*_family_settings("items"))
    counts = task.keywords("resamples", "permutations")
    if "resamples" not in counts and "method" in task.settings:
        msg = '"method" needs "resamples", the number of resamples'
        raise SettingError(msg)
    ratings = task.ratings()
    keywords = with_label_order(keywords, ratings.labels)
    settings = item_settings(names, keywords)
    if "clusters" in task.settings:
        if "resamples" in counts:
            msg = (
                '"clusters" cannot be combined with "resamples", which resamples single items; '
                "omit one of them"
            )
            raise SettingError(msg)
        keywords["clusters"] = task.clusters(task.settings["clusters"])
    confidence = task.settings.get("confidence", 0.95)
    table = items_table(ratings, measures=names, confidence=confidence, **keywords)
    if counts:
        resampling = Resampling(
            counts.get("resamples"),
            task.settings.get("method", "percentile"),
            confidence,
            counts.get("permutations"),
        )
        report = Report(task.progress, len(table))
        seed = seed_of(task.keywords("rng").get("rng", 0))
        table = resampling.of(table, ratings, settings, seed, report)
    title = task.paths()[0]
    _write(task, table, title, "result.csv", "one row per coefficient, label and pair")


def measure_comparison(task: Task) -> None:
    """Score a hypothesis against a reference."""
    data, title = _comparison_data(task)
    keywords = _keywords(task, STUDIES["compare"].settings)
    mapping = _mapping(task.settings.get("mapping"), data)
    result = compare_corpora(**data, mapping=mapping, **keywords)
    _write(task, result, title, "result.csv", "one row per document, rule and label")
    slots = matched_slots(result)
    if slots is not None:
        task.write_csv("errors.csv", "matched and unmatched units", *slots)
    documents = result.documents or {"": result}
    matchings = {name: one.slots.matching for name, one in documents.items()}
    drawings = {
        name: matching_drawing(name, each) for name, each in matchings.items() if each is not None
    }
    write_drawings(task, drawings)


def _comparison_data(task: Task) -> tuple[dict[str, Any], str]:
    """Return the arguments of `compare` for the data, and a title."""
    annotators, hypothesis_name = task.settings.get("reference"), task.settings.get("hypothesis")
    if "within" in task.sources:
        within = task.corpus("within")
        title = f"{hypothesis_name} against {', '.join(annotators or ())}"
        return {"reference": annotators, "hypothesis": hypothesis_name, "within": within}, title
    reference, hypothesis = task.corpus("reference"), task.corpus("hypothesis")
    if annotators is not None:
        reference = reference.only(annotators=annotators)
    if hypothesis_name is not None:
        hypothesis = hypothesis.only(annotators=(hypothesis_name,))
    elif any(len(continuum.annotators) > 1 for continuum in hypothesis.values()):
        msg = (
            f"the hypothesis has several annotators, {some(hypothesis.annotators)}; "
            'choose one with "hypothesis"'
        )
        raise SettingError(msg)
    entries = {role: task.sources[role]["entries"] for role in ("reference", "hypothesis")}
    title = " against ".join(some(entries[role]) for role in ("hypothesis", "reference"))
    return {"reference": reference, "hypothesis": hypothesis}, title


def _mapping(value: str | Mapping[str, str] | None, data: Mapping[str, Any]) -> Any:  # noqa: ANN401
    if value is None or isinstance(value, str):
        return value
    corpora: list[Corpus] = [side for side in data.values() if hasattr(side, "labels")]
    labels = [label for corpus in corpora for label in corpus.labels]
    return {data_label(labels, old): data_label(labels, new) for old, new in value.items()}


_UNIT_HEADINGS = ("document", "annotator", "start", "end", "label")
_GROUP_HEADINGS = ("document", "group", "disorder", "annotator", "start", "end", "label")


def measure_description(task: Task) -> None:
    """Describe the contents of the files and the measures that apply to them."""
    task.notify("reading", 0, 0)
    keywords = task.reading()
    keywords.pop("fragments", None)
    # The description reports invalid rows, so they must not stop it.
    paths = task.paths()
    try:
        corpus = read_all_layers(*paths, **(keywords | {"on_error": "skip"}))
    except ReadError:
        if len(paths) != 1:
            raise
        ratings = _ratings_of_units(paths[0], keywords)
        if ratings is None:
            raise
        task.check_size(len(ratings.label_codes), "rating")
        _write(task, describe(ratings))
        return
    found = describe(corpus)
    task.check_size(found.corpus.n_units, "unit")
    _write(task, found)
    write_drawings(task, _drawings(found.corpus, {}))


def _ratings_of_units(path: str, keywords: Mapping[str, Any]) -> Ratings | None:
    """Return the ratings of a file without units; `None` if it has no ratings either."""
    shared = {name: value for name, value in keywords.items() if name in RATING_SETTINGS}
    try:
        return read_ratings(path, **(shared | {"questions": "keep"}))
    except UnisonoError:
        return None


def gamma_of(task: Task) -> tuple[Corpus, GammaAgreement]:
    """Return the corpus of a task with its result for the γ family."""
    corpus = task.corpus()
    return corpus, gamma_family.gamma(corpus, **_keywords(task, MEASURES["gamma"].settings))


def measure_gamma(task: Task) -> None:
    """Compute γ, γcat and γk, and the alignments to draw."""
    corpus, result = gamma_of(task)
    task.notify("writing", 0, 0)
    _write(task, result, _title(corpus), "documents.csv", "one row per document")
    alignments = {name: each.alignment for name, each in result.documents.items() if each.alignment}
    _write_alignments(task, corpus, alignments)


def measure_unitizing(task: Task) -> None:
    """Compute uα, |uα, cuα and (k)uα."""
    corpus = task.corpus()
    keywords = with_label_order(task.keywords(*MEASURES["u_alpha"].settings), corpus.labels)
    result = unitizing_alpha(corpus, by_label=True, by_document=True, **keywords)
    _write(task, result, _title(corpus), "result.csv", "one row per coefficient")


def measure_segments(task: Task) -> None:
    """Compute Pk, WindowDiff, B, S and the generalized Hamming distance."""
    names = _family_settings("segmentation")
    keywords = task.keywords("measures", *FAMILIES["segmentation"].settings, *names)
    settings_by_measure(chosen_segment_measures(keywords.get("measures")), task.keywords(*names))
    corpus = task.corpus()
    table = segmentation_table(corpus, **keywords)
    _write(task, table, _title(corpus), "result.csv", "one row per measure and pair")


def measure_units(task: Task) -> None:
    """Compute all measures of units."""
    corpus = task.corpus()
    keywords = _keywords(task, STUDIES["measure_units"].settings)
    result = units_table(corpus, **keywords)
    _write(task, result, _title(corpus), "result.csv", "one row per measure and label")


def measure_chains(task: Task) -> None:
    """Compute κ, α and the scores of chains."""
    keywords = task.keywords(*STUDIES["measure_chains"].settings)
    chosen_chain_measures(keywords.get("measures"))
    table = chains_table(task.chains(), **keywords)
    _write(task, table, _entries(task), "result.csv", "one row per measure, distance and pair")


def measure_pyramids(task: Task) -> None:
    """Compute α of the words of pyramids."""
    keywords = task.keywords(*STUDIES["measure_pyramids"].settings)
    found = pyramid_agreement(task.pyramids(), **keywords)
    _write(task, found, _entries(task), "result.csv", "one row per document")


def measure_reliability(task: Task) -> None:
    """Relate agreement to an outcome, and draw both."""
    cases = task.cases(task.keywords("agreement", "outcome", "clusters"))
    found = reliability_study(
        cases.agreement,
        cases.outcome,
        clusters=cases.clusters,
        **task.keywords(*STUDIES["reliability_study"].settings),
    )
    title = _entries(task)
    _write(task, found, title, "result.csv", "one row with the effect and its p-value")
    if not found.undefined:
        _write_picture(
            task,
            "reliability.svg",
            "agreement and outcome",
            partial(charts.reliability_chart, found, title=f"{title}: agreement and outcome"),
        )


def _entries(task: Task) -> str:
    """Return the names of the data as a title."""
    return some(task.sources["data"]["entries"])


def measure_consensus(task: Task) -> None:
    """Compute the consensus of the annotators."""
    corpus = task.corpus()
    search = task.keywords("soft", "gap_tolerance", "time_limit")
    dissimilarity = task.dissimilarity()
    found = consensus(
        corpus, dissimilarity=dissimilarity, **search, **task.keywords("support", "atom")
    )
    _write(task, found, _title(corpus))
    records = csv_records(found.sheet())
    task.write_csv("consensus.csv", "the consensus, one row per unit", *records, of_data=True)
    rows = label_rows(found.undecided_rows(), 4)
    task.write_csv("undecided.csv", "groups without a majority", UNDECIDED_COLUMNS, rows)
    write_for_tools(task, found)
    alignments = document_alignments(corpus, dissimilarity=dissimilarity, search=Search(**search))
    drawings = _drawings(corpus, alignments)
    for name, drawing in drawings.items():
        _add_consensus(drawing, found, name)
    write_drawings(task, drawings)


def measure_calibration(task: Task) -> None:
    """Estimate the type and amount of errors that would explain the observed γ."""
    corpus = task.corpus()
    found = calibration.calibrate(corpus, **_keywords(task, STUDIES["calibrate"].settings))
    title = _title(corpus)
    _write(task, found, title, "curves.csv", "one row per magnitude of an error")
    heading = f"{title}: errors that would explain the observed agreement"
    chart = partial(charts.calibration_chart, found, title=heading)
    _write_picture(task, "curves.svg", "the curves", chart)


def _write_picture(task: Task, name: str, what: str, chart: Callable[[], Any]) -> None:
    """Draw a chart as SVG, or add a warning if that is not possible."""
    failed = f"{what} could not be drawn"
    if not charts.can_draw():
        task.warnings.append(f"{failed}: {_NO_CHARTS}")
        return
    try:
        picture = charts.chart_file(chart(), ".svg")
    except UnisonoError as error:
        task.warnings.append(f"{failed}: {error}")
        return
    task.write(name, f"{what}, as an image", picture.decode(), "image/svg+xml")


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
        "groups.csv", "the alignment, one row per unit", _GROUP_HEADINGS, groups(), of_data=True
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
    """Draw the requested chart."""
    if not charts.can_draw():
        raise ProblemError("unavailable", _NO_CHARTS)
    spec = charts.chart_spec(_chart(task), **task.keywords("theme"))
    task.write("result.json", "the chart, as Vega-Lite", json.dumps(spec), "application/json")


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
    return _keywords(task, MEASURES["gamma"].settings)


def _document(corpus: Corpus, task: Task) -> str:
    name: str = task.settings.get("document", next(iter(corpus)))
    if name not in corpus:
        msg = f"unknown document {name!r}; the documents are {some(list(corpus))}"
        raise SettingError(msg)
    return name


_FORMS = {
    "html": ("the report, as HTML", "text/html"),
    "md": ("the report, as Markdown", "text/markdown"),
    "tex": ("the report, as LaTeX", "application/x-tex"),
}


def measure_report(task: Task) -> None:
    """Write the report in all its formats."""
    corpus = task.corpus()
    keywords = {"title": f"Agreement on {describe_documents(corpus)}"}
    found = report(corpus, **(keywords | _keywords(task, STUDIES["report"].settings)))
    task.notify("writing", 0, 0)
    task.write_json(found)
    texts = {"html": found.to_html(), "md": found.to_markdown(), "tex": found.to_tex()}
    for suffix, (title, kind) in _FORMS.items():
        task.write(f"report.{suffix}", title, texts[suffix], kind)


TASKS: Mapping[str, Callable[[Task], None]] = {
    "describe": measure_description,
    "gamma": measure_gamma,
    "unitizing": measure_unitizing,
    "segments": measure_segments,
    "items": measure_items,
    "compare": measure_comparison,
    "chains": measure_chains,
    "pyramids": measure_pyramids,
    "reliability": measure_reliability,
    "consensus": measure_consensus,
    "calibrate": measure_calibration,
    "units": measure_units,
    "report": measure_report,
    "chart": measure_chart,
}
"""The functions that run jobs, by the name of the measure."""


def run_task(request: Mapping[str, Any], send: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Run one task, and return the event of its end."""

    def notify(phase: str, done: int, total: int) -> None:
        send({"event": "progress", "phase": phase, "done": done, "total": total})

    task = Task(
        measure=request["measure"],
        sources=request["sources"],
        settings=request["settings"],
        target=Path(request["target"]),
        units=request["units"],
        draws=request["draws"],
        threads=request["threads"],
        notify=notify,
    )
    try:
        with warnings.catch_warnings(record=True) as caught, worded(setting_in_json):
            warnings.simplefilter("always", UserWarning)
            TASKS[task.measure](task)
    except KeyboardInterrupt:
        return {"event": "cancelled"}
    except Exception as error:
        if os.environ.get("UNISONO_TRACEBACK"):
            raise
        return {"event": "failed", "problem": problem_of(error).record}
    messages = [str(one.message) for one in caught if issubclass(one.category, UserWarning)]
    return {"event": "done", "files": task.files, "warnings": [*task.warnings, *messages]}


class _Loop:
    """Reads tasks from stdin and runs them until stdin is closed."""

    def __init__(self, output: int) -> None:
        self._output = output
        self._requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._busy = False

    def run(self) -> None:
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._listen, daemon=True).start()
        self._send({"event": "ready", "bytes": memory_in_use()})
        while True:
            request = self._requests.get()
            last: dict[str, Any] = {"event": "cancelled"}
            try:
                self._busy = True
                last = run_task(request, self._send)
                self._busy = False
            except KeyboardInterrupt:
                self._busy = False
            os.chdir("/")
            gc.collect()
            self._send(last | {"bytes": memory_in_use()})

    def _interrupt(self, *_: object) -> None:
        if self._busy:
            raise KeyboardInterrupt

    def _listen(self) -> None:
        for line in sys.stdin.buffer:
            self._requests.put(json.loads(line))
        # The service has ended, so the result of a running task is not needed.
        os._exit(0)

    def _send(self, event: dict[str, Any]) -> None:
        content = memoryview(json.dumps(event).encode() + b"\n")
        while content:
            content = content[os.write(self._output, content) :]


def memory_in_use() -> int:
    """Return the memory of this process in bytes, or 0 if the system does not report it."""
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
        # Not the address space: the plotting libraries reserve far more of it than they use.
        (resource.RLIMIT_DATA, limit),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (bound, hard))


def main() -> None:
    """Run the worker process."""
    # Tasks change to folders with uploaded files, from which no module may be imported.
    sys.path[:] = [place for place in sys.path if Path(place).is_absolute()]
    output = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.chdir("/")
    _limit_memory(int(sys.argv[1]))
    _Loop(output).run()


if __name__ == "__main__":
    main()
