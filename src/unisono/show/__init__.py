"""RESULT → EYES: results as tables, charts and reports for people."""

from __future__ import annotations

from unisono.result.picturing import draw_with


def _notebook_picture(result: object) -> str | None:
    # Here, because charts are drawn only where a notebook asks for them.
    from unisono.show.charts.notebooks import notebook_picture  # noqa: PLC0415

    return notebook_picture(result)


draw_with(_notebook_picture)
