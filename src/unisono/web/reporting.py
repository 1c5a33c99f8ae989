"""The report, as a worker process writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.reports.making import report
from unisono.results.wording import documents_told

if TYPE_CHECKING:
    from unisono.model.corpus import Corpus
    from unisono.web.task import Task

__all__ = ["measure_report"]

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
    given.setdefault("title", _title(corpus))
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


def _title(corpus: Corpus) -> str:
    only = documents_told(corpus)
    return f"Agreement on {only}"
