"""Agreement curves: how measures fall as simulated annotators make more errors."""

from unisono.study.scanning.curves import Curve, Scan
from unisono.study.scanning.named_measures import MEASURES, MeasureName
from unisono.study.scanning.sets import scan

__all__ = ["MEASURES", "Curve", "MeasureName", "Scan", "scan"]
