"""Charts of continua, alignments and results (needs ``unisono[plot]``).

Importing this package loads no drawing library; the first chart does.
"""

from unisono.charts.alignment import alignment_chart, consensus_chart, continuum_chart
from unisono.charts.chart import chart_of
from unisono.charts.disorder import annotator_chart, confusion_chart, parts_chart
from unisono.charts.save import chart_file, chart_spec, chart_svg, save_chart
from unisono.charts.style import Chart, can_draw
from unisono.charts.values import (
    bootstrap_chart,
    calibration_chart,
    draws_chart,
    label_chart,
    shuffling_chart,
)

__all__ = [
    "Chart",
    "alignment_chart",
    "annotator_chart",
    "bootstrap_chart",
    "calibration_chart",
    "can_draw",
    "chart_file",
    "chart_of",
    "chart_spec",
    "chart_svg",
    "confusion_chart",
    "consensus_chart",
    "continuum_chart",
    "draws_chart",
    "label_chart",
    "parts_chart",
    "save_chart",
    "shuffling_chart",
]
