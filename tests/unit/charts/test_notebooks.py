"""Notebooks show a chart with the values, or the values only."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import unisono as un
from unisono.charts import chart

TEXT = un.read("examples/interview.csv")["interview"]
RESULT = un.gamma(TEXT, draws=10, rng=1)
CORPUS = un.read("examples/corpus")

SHOWN: dict[str, Callable[[], Any]] = {
    "gamma": lambda: RESULT,
    "alignment": lambda: RESULT.alignment,
    "corpus": lambda: un.gamma(CORPUS, draws=10, rng=1),
    "diagnosis": lambda: un.diagnose(TEXT, result=RESULT),
    "consensus": lambda: un.consensus(TEXT),
    "pairs": lambda: un.pairwise_agreement(CORPUS, draws=5, rng=1),
    "labels": lambda: un.label_confusions(RESULT),
    "scan": lambda: un.error_curves(
        un.generate_reference(8, rng=1), measures="gamma", magnitudes=3, repeats=2, rng=1
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_notebook_display_has_chart_and_numbers(name):
    shown = SHOWN[name]()._repr_html_()

    assert shown.startswith("<svg role=")
    assert "</svg>\n<" in shown
    assert "<table>" in shown


def test_notebook_display_without_plotting_libraries(monkeypatch):
    monkeypatch.setattr(chart, "can_draw", lambda: False)

    assert "<svg" not in RESULT._repr_html_()
    assert "<table>" in RESULT._repr_html_()
    assert TEXT._repr_html_() == "<pre>Continuum(3 annotators, 44 units, 3 labels, 3–590)</pre>"
    assert RESULT._repr_markdown_() == RESULT.to_markdown()


def test_notebook_display_of_results_without_a_chart():
    shown = RESULT.gamma_cat._repr_html_()

    assert "<svg" not in shown
    assert "<table>" in shown


def test_notebook_display_of_a_continuum():
    shown = TEXT._repr_html_()

    assert shown.startswith("<svg role=")
    assert shown.endswith("<pre>Continuum(3 annotators, 44 units, 3 labels, 3–590)</pre>")


def test_facts_share_a_line_in_notebooks():
    shown = RESULT._repr_html_()

    assert "<dl>" not in shown
    assert '<dl style="display: grid;' in shown


def test_notebook_display_needs_no_import_of_charts():
    code = (
        "import sys, unisono as un\n"
        "text = un.Continuum.from_units([('ann', 0, 5, 'NP'), ('bob', 0, 4, 'NP')])\n"
        "best = un.best_alignment(text)\n"
        "assert not any('charts' in name for name in sys.modules)\n"
        "print(best._repr_html_()[:4])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "<svg\n"


def test_labels_are_escaped_in_notebooks():
    text = un.Continuum.from_units([("ann", 0, 5, "</td><script>"), ("bob", 0, 5, "b")])
    shown = un.gamma(text, draws=5, rng=1)._repr_html_()

    assert "<script>" not in shown
    assert "&lt;/td&gt;&lt;script&gt;" in shown
