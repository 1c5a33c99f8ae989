"""Charts as Vega-Lite, as a worker process makes them; the page draws them itself."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from unisono.errors import SettingError
from unisono.result.words import some
from unisono.study import diagnose
from unisono.web.extras import CHARTS, PAIRING, can_draw
from unisono.web.measuring_units import OF_GAMMA, gamma_of
from unisono.web.problems import ProblemError

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus
    from unisono.result.gamma_result import GammaResult
    from unisono.web.task import Task

__all__ = ["measure_chart"]


def measure_chart(task: Task) -> None:
    """Make the chart that was asked for."""
    if not can_draw():
        raise ProblemError("unavailable", "charts need more packages: pip install 'unisono[plot]'")
    charts = import_module(CHARTS)
    chart = _chart(charts, task)
    task.write_json(charts.chart_spec(chart, **task.given("theme")))


def _chart(charts: Any, task: Task) -> object:  # noqa: ANN401 - a module that may be missing
    kind = task.settings["kind"]
    if kind == "continuum":
        corpus = task.corpus()
        return charts.continuum_chart(corpus[_document(corpus, task)])
    if kind in ("parts", "confusion"):
        corpus = task.corpus()
        diagnosis = diagnose(corpus, **_settings(task))
        return getattr(charts, f"{kind}_chart")(diagnosis)
    if kind == "annotators":
        pairing = import_module(PAIRING)
        corpus = task.corpus()
        pairs = pairing.pairwise_agreement(corpus, **_settings(task))
        return charts.annotator_chart(pairs)
    corpus, result = gamma_of(task)
    if kind == "alignment":
        return charts.alignment_chart(result.documents[_document(corpus, task)])
    return _of_gamma(charts, kind, result)


def _settings(task: Task) -> dict[str, Any]:
    given = task.given(*OF_GAMMA)
    given["dissimilarity"] = task.dissimilarity(given.get("chance", "shift"))
    return given | {"workers": task.threads, "progress": task.progress}


def _of_gamma(charts: Any, kind: str, result: GammaResult) -> object:  # noqa: ANN401
    return charts.label_chart(result) if kind == "labels" else charts.draws_chart(result)


def _document(corpus: Corpus, task: Task) -> str:
    name: str = task.settings.get("document", next(iter(corpus)))
    if name not in corpus:
        msg = f"there is no document {name!r}; there are {some(list(corpus))}"
        raise SettingError(msg)
    return name
