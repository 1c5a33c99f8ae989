"""The report, as a worker process writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import unisono
from unisono.web.extras import can_report
from unisono.web.problems import ProblemError

if TYPE_CHECKING:
    from unisono.web.task import Task

__all__ = ["measure_report"]


def measure_report(task: Task) -> None:
    """Write the report in all its forms."""
    if not can_report():
        raise ProblemError("unavailable", "this unisono writes no reports yet")
    given = task.given(
        *("title", "distance", "overlap", "atom", "chance", "precision", "draws", "rng")
    )
    corpus = task.corpus()
    write: Any = unisono.report  # type: ignore[attr-defined, unused-ignore]
    found = write(
        corpus,
        dissimilarity=task.dissimilarity(given.get("chance", "shift")),
        workers=task.threads,
        progress=task.progress,
        **given,
    )
    task.write_json(found.to_dict())
    task.write("report.html", "the report, to read and to print", found.to_html(), "text/html")
    task.write("report.md", "the report, as Markdown", found.to_markdown(), "text/markdown")
    task.write("report.tex", "the report, as LaTeX", found.to_tex(), "application/x-tex")
