from unisono.charts.alignment import alignment_chart as alignment_chart
from unisono.charts.alignment import consensus_chart as consensus_chart
from unisono.charts.alignment import continuum_chart as continuum_chart
from unisono.charts.chart import chart_of as chart_of
from unisono.charts.curves import calibration_chart as calibration_chart
from unisono.charts.curves import shuffling_chart as shuffling_chart
from unisono.charts.disorder import annotator_chart as annotator_chart
from unisono.charts.disorder import confusion_chart as confusion_chart
from unisono.charts.disorder import parts_chart as parts_chart
from unisono.charts.reliability import reliability_chart as reliability_chart
from unisono.charts.save import chart_file as chart_file
from unisono.charts.save import chart_spec as chart_spec
from unisono.charts.save import chart_svg as chart_svg
from unisono.charts.save import save_chart as save_chart
from unisono.charts.style import Chart as Chart
from unisono.charts.style import can_draw as can_draw
from unisono.charts.values import bootstrap_chart as bootstrap_chart
from unisono.charts.values import draws_chart as draws_chart
from unisono.charts.values import label_chart as label_chart

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
    "reliability_chart",
    "save_chart",
    "shuffling_chart",
]
