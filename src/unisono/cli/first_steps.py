"""What ``unisono`` alone shows: what to do first."""

from __future__ import annotations

from unisono.version import __version__

FIRST_STEPS = f"""\
unisono {__version__}: how much do annotators agree?

First let it say what your files hold and which measures fit:
  unisono describe FILE-OR-FOLDER

Then, where annotators marked units in texts or recordings:
  unisono gamma PATH        γ, γcat and γk, corrected for chance
  unisono all PATH          every measure of units side by side
  unisono diagnose PATH     why they disagree: places, labels, what was missed
  unisono consensus PATH    one annotation of what most of them share
  unisono report PATH -o report.html    all of it on one page, with charts

Where they labelled given items:
  unisono items TABLE       α, κ and their relatives

No data at hand? Make some up:
  unisono shuffle --units 30 --magnitude 0.3 --csv demo.csv
  unisono gamma demo.csv

unisono --help lists all commands, unisono gamma --help all options of one."""
"""The page, for a terminal of any kind."""
