"""Charts as Vega-Lite, as a worker process makes them; the page draws them itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unisono import charts
from unisono.errors import SettingError
from unisono.results.wording import some
from unisono.studies.annotator_pairs import pairwise_agreement
from unisono.studies.diagnosis import diagnose
from unisono.web.measuring_units import OF_GAMMA, gamma_of
from unisono.web.problems import ProblemError

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus
    from unisono.web.task import Task

__all__ = ["measure_chart"]


def measure_chart(task: Task) -> None:
    """Make the chart that was asked for."""
    if not charts.can_draw():
        raise ProblemError("unavailable", "charts need more packages: pip install 'unisono[plot]'")
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
