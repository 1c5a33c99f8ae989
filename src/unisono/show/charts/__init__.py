"""RESULT → EYES: charts of continua, alignments and results (needs ``unisono[plot]``).

Importing this package loads no drawing library; the first chart does.
"""

from unisono.show.charts.alignments import alignment_chart
from unisono.show.charts.altair_door import Chart, can_draw
from unisono.show.charts.choosing import chart_of
from unisono.show.charts.consensus_lanes import consensus_chart
from unisono.show.charts.continua import continuum_chart
from unisono.show.charts.curves import calibration_chart, shuffling_chart
from unisono.show.charts.disorders import confusion_chart, parts_chart
from unisono.show.charts.distributions import bootstrap_chart, draws_chart
from unisono.show.charts.matrices import annotator_chart
from unisono.show.charts.saving import chart_file, chart_spec, chart_svg, save_chart
from unisono.show.charts.values import label_chart

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
