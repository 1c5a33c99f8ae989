"""Charts as files: formats, escaping of labels, no external resources."""

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import unisono as un
from report_samples import HOSTILE, hostile_corpus
from unisono import charts
from unisono.charts import style
from unisono.charts.style import INK
from unisono.errors import SettingError, UnisonoError

TEXT = un.read("examples/interview.csv")["interview"]
CHART = charts.continuum_chart(TEXT)
HARD = charts.alignment_chart(un.best_alignment(next(iter(hostile_corpus().values()))))
SVG = "{http://www.w3.org/2000/svg}"


def words(picture: str) -> list[str]:
    return ["".join(each.itertext()) for each in ET.fromstring(picture).iter(f"{SVG}text")]  # noqa: S314 - our own


@pytest.mark.parametrize(
    ("suffix", "begins"),
    [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<svg"), (".SVG", b"<svg"),
     (".html", b"<!doctype html>"), (".json", b"{")],
)  # fmt: skip
def test_suffix_selects_the_chart_format(suffix, begins, tmp_path):
    path = charts.save_chart(CHART, tmp_path / f"chart{suffix}")

    assert path.read_bytes().startswith(begins)


def test_unknown_suffixes_are_rejected(tmp_path):
    with pytest.raises(SettingError, match=r"'\.gif'; use \.png, \.svg, \.pdf, \.html or \.json"):
        charts.save_chart(CHART, tmp_path / "chart.gif")
    assert list(tmp_path.iterdir()) == []


def test_labels_are_escaped_in_images():
    texts = words(charts.chart_svg(HARD))

    for label in HOSTILE:
        # Long labels end in an ellipsis in the legend; the data have the whole label.
        assert label in texts or any(
            each.endswith("…") and label.startswith(each[:-1]) for each in texts
        ), label
    for annotator in ("<b>ann</b>", "بوب", "cy & co"):
        assert annotator in texts
    assert {row["label"] for row in charts.chart_spec(HARD)["datasets"]["units"]} <= set(HOSTILE)


def test_embedded_svg_inherits_the_text_colour():
    picture = charts.chart_svg(CHART)

    assert f'fill="{INK}"' not in picture
    assert 'fill="currentColor"' in picture
    assert not re.search(r'<rect width="\d+" height="\d+" fill="#ffffff"', picture)


def test_themes_have_an_opaque_background():
    light, dark = (charts.chart_svg(CHART, theme=theme) for theme in ("light", "dark"))

    assert 'fill="#ffffff"/>' in light
    assert f'fill="{INK}"' in light
    assert 'fill="#1b1d21"/>' in dark
    assert f'fill="{INK}"' not in dark
    with pytest.raises(SettingError, match="unknown theme='blue'; choose one of 'light', 'dark'"):
        charts.chart_svg(CHART, theme="blue")  # type: ignore[arg-type]


def test_dark_theme_does_not_change_the_data():
    text = un.Continuum.from_units([("ann", 0, 5, INK), ("bob", 0, 5, INK)])
    spec = charts.chart_spec(charts.continuum_chart(text), theme="dark")

    assert {row["label"] for row in spec["datasets"]["units"]} == {INK}


def test_svg_ids_are_unique():
    first, second = charts.chart_svg(CHART), charts.chart_svg(HARD)
    names = [set(re.findall(r'\bid="([^"]+)"', each)) for each in (first, second)]

    assert names[0]
    assert not names[0] & names[1]
    for picture, own in zip((first, second), names, strict=True):
        assert set(re.findall(r"url\(#([^)]+)\)", picture)) <= own


def test_svg_has_a_description():
    root = ET.fromstring(charts.chart_svg(HARD))  # noqa: S314 - our own

    assert root.get("role") == "img"
    assert (root.get("aria-label") or "").startswith("Alignment of the annotators’ units. ")


def test_images_have_no_scripts_or_external_resources():
    for chart in (CHART, HARD):
        picture = charts.chart_svg(chart)
        assert "<script" not in picture
        assert "href" not in picture.replace("xmlns:xlink", "")


def test_labels_cannot_close_the_script_element():
    text = un.Continuum.from_units([("ann", 0, 5, "</script><b>"), ("bob", 0, 5, "<!--")])
    page = charts.chart_file(charts.continuum_chart(text), ".html").decode()

    assert page.count("</script>") == 1
    assert "</script><b>" not in page
    data = re.search(r"^const spec = (.*);$", page, re.MULTILINE)
    assert data
    labels = [row["label"] for row in json.loads(data[1])["datasets"]["units"]]
    assert labels == ["</script><b>", "<!--"]


def test_json_contains_the_data():
    spec = json.loads(charts.chart_file(CHART, ".json"))

    assert spec == json.loads(json.dumps(charts.chart_spec(CHART)))
    assert len(spec["datasets"]["units"]) == len(TEXT)


def test_charts_are_deterministic():
    again = charts.continuum_chart(un.read("examples/interview.csv")["interview"])

    assert charts.chart_svg(again) == charts.chart_svg(CHART)


def test_missing_plotting_libraries_are_reported(monkeypatch):
    def missing(name):
        msg = f"No module named {name!r}"
        raise ModuleNotFoundError(msg)

    monkeypatch.setattr(style, "import_module", missing)

    with pytest.raises(UnisonoError, match=r"charts need altair.*pip install 'unisono\[plot\]'"):
        charts.continuum_chart(TEXT)


def test_importing_charts_loads_no_drawing_library_and_drawing_does():
    code = (
        "import sys, unisono as un\n"
        "from unisono import charts\n"
        "text = un.read('examples/interview.csv')['interview']\n"
        "best = un.best_alignment(text)\n"
        "print(charts.can_draw(), 'altair' in sys.modules, 'vl_convert' in sys.modules)\n"
        "best._repr_html_()\n"
        "print('altair' in sys.modules, 'vl_convert' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.split() == ["True", "False", "False", "True", "True"]


def test_only_style_imports_the_plotting_libraries():
    files = Path("src/unisono").rglob("*.py")
    naming = [
        path.name
        for path in files
        if re.search(
            r"^\s*(import|from) (altair|vl_convert)\b", path.read_text("utf-8"), re.MULTILINE
        )
    ]

    assert naming == []


def test_charts_of_long_documents_have_limited_size():
    # Drawing time depends on the size of the data, which is checked instead of a clock.
    n = 20_000
    starts = np.arange(n) * 2.0
    names = np.array(["ann", "bob"])[np.arange(n) % 2]
    text = un.Continuum.from_columns(names, starts, starts + 3.0, ["A", "B"] * (n // 2))
    best = un.best_alignment(text)
    for chart in (
        charts.continuum_chart(text),
        charts.alignment_chart(best),
        charts.consensus_chart(un.consensus(best)),
    ):
        assert len(charts.chart_svg(chart)) < 600_000
        assert "20,000 units" in str(chart.title) or "groups" in str(chart.title)
