"""Five units of two annotators, and a small table of units as it is written and as it is read."""

from __future__ import annotations

from unisono.model.continuum import Continuum

ROWS = [
    ("bob", 0, 4, "NP"),
    ("ann", 7, 9, "VP"),
    ("ann", 0, 5, "NP"),
    ("ann", 0, 5, None),
    ("ann", 0, 5, "NP"),
]

HEADER = "annotator,start,end,label\n"
GOOD = HEADER + "ann,0,5,NP\nbob,0.5,4,VP\n"
TALK = Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0.5, 4, "VP")])
