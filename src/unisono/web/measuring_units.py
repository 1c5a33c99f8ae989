"""The measures of units, as a worker process computes them and writes them down."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unisono.charts.svg.calibration import calibration_svg
from unisono.cli.all_commands import measure_rows
from unisono.cli.calibrate_commands import curve_rows
from unisono.cli.gamma_commands import document_rows
from unisono.cli.segments_commands import segment_rows
from unisono.cli.understand import undecided_rows
from unisono.cli.unitizing_commands import alpha_rows
from unisono.errors import SettingError
from unisono.measures.gamma import gamma as gamma_family
from unisono.measures.gamma.searching import Search
from unisono.measures.segmentation.boundary_edits import (
    boundary_similarity,
    segmentation_similarity,
)
from unisono.measures.segmentation.hamming import generalized_hamming
from unisono.measures.segmentation.window_measures import pk, window_diff
from unisono.measures.unitizing.alphas import unitizing_alpha
from unisono.model.segmentation import segmentations
from unisono.results.wording import count
from unisono.simulation.calibration import calibrate as calibration
from unisono.simulation.calibration.calibration_values import CurvePoint
from unisono.studies import consensus as consensus_finding
from unisono.studies import many_measures
from unisono.studies.description import describe
from unisono.studies.document_alignments import document_alignments
from unisono.web.consensus_files import write_for_tools
from unisono.web.drawing import alignment_drawing, continuum_drawing, write_drawings
from unisono.web.task import in_order, label_rows
from unisono.web.wording import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.model.corpus import Corpus
    from unisono.studies.consensus_result import Consensus
    from unisono.web.task import Task


_ALPHA_HEADINGS = (
    *("scope", "document", "measure", "label", "value", "observed", "expected", "undefined"),
    *("n_annotators", "n_units", "length", "signature"),
)
_SEGMENT_HEADINGS = (
    *("scope", "measure", "document", "annotator_a", "annotator_b"),
    *("value", "observed", "expected", "undefined", "signature"),
)
_ALL_HEADINGS = (
    *("measure", "label", "value", "observed", "expected", "undefined"),
    *("n_documents", "n_annotators", "n_units", "signature"),
)
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
_SEGMENT_MEASURES: Mapping[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "pk": (pk, ("window", "convention")),
    "window_diff": (window_diff, ("window", "convention")),
    "generalized_hamming": (generalized_hamming, ("insertion", "deletion", "shift")),
    "boundary_similarity": (boundary_similarity, ("near",)),
    "segmentation_similarity": (segmentation_similarity, ("near",)),
}


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
    headings, rows = document_rows(result)
    task.write_csv("documents.csv", "one row a document", headings, rows)
    alignments = {name: each.alignment for name, each in result.documents.items() if each.alignment}
    _write_alignments(task, corpus, alignments)


def measure_unitizing(task: Task) -> None:
    """Compute uα, |uα, cuα and (k)uα."""
    corpus = task.corpus()
    given = in_order(task.given("distance", "generation", "overlap", "order"), corpus.labels)
    result = unitizing_alpha(corpus, by_label=True, by_document=True, **given)
    task.write_json(result.to_dict())
    task.write_aside("shown.json", shown("unitizing", result, title=_title(corpus)))
    task.write_csv("result.csv", "one row an alpha", _ALPHA_HEADINGS, alpha_rows(result))


def measure_segments(task: Task) -> None:
    """Compute Pk, WindowDiff, B, S and the generalized Hamming distance."""
    names = task.settings.get("measures") or list(_SEGMENT_MEASURES)
    given = task.given("window", "convention", "near", "insertion", "deletion", "shift")
    for name in given:
        users = [one for one, (_, own) in _SEGMENT_MEASURES.items() if name in own]
        if not set(users) & set(names):
            msg = f"{name} is not for {', '.join(names)}; it is for {', '.join(users)}"
            raise SettingError(msg)
    corpus = task.corpus()
    by_document: Any = segmentations(corpus, **task.given("atom", "gaps"))
    texts = next(iter(by_document.values())) if len(by_document) == 1 else by_document
    found = {}
    for name in dict.fromkeys(names):
        function, own = _SEGMENT_MEASURES[name]
        found[name] = function(texts, **{key: given[key] for key in own if key in given})
    if corpus.skipped:
        note = f"skipped {count(corpus.skipped, 'row')} that could not be read"
        found = {name: replace(one, notes=(*one.notes, note)) for name, one in found.items()}
    task.write_json({name: result.to_dict() for name, result in found.items()})
    task.write_aside("shown.json", shown("segments", found, title=_title(corpus)))
    rows = segment_rows(found)
    task.write_csv("result.csv", "one row a measure and pair", _SEGMENT_HEADINGS, rows)


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
    task.write_csv("result.csv", "one row a measure and label", _ALL_HEADINGS, measure_rows(result))


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
    svg = calibration_svg(found, title=title)
    task.write("curves.svg", "the curves, as a picture", svg + "\n", "image/svg+xml")


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
