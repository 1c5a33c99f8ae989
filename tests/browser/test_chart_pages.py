"""Chart pages in a browser: drawing, no requests, and no scripts from labels."""

import pytest

import unisono as un
from report_samples import HOSTILE, hostile_corpus
from unisono import charts

pytestmark = pytest.mark.browser


@pytest.fixture
def hard():
    return un.best_alignment(next(iter(hostile_corpus().values())))


def test_chart_page_is_self_contained(opened, hard, tmp_path):
    path = charts.save_chart(charts.alignment_chart(hard), tmp_path / "chart.html")
    page, seen = opened(path)
    page.wait_for_selector("body[data-drawn=yes]", state="attached", timeout=30_000)

    assert seen == [path.as_uri()]
    assert page.title() == "Alignment of the annotators’ units"
    texts = page.eval_on_selector_all("svg text", "all => all.map(each => each.textContent)")
    for label in HOSTILE:
        assert label in texts or any(each.endswith("…") for each in texts if each[:5] == label[:5])


def test_dark_chart_page_is_dark(opened, hard, tmp_path):
    path = charts.save_chart(charts.alignment_chart(hard), tmp_path / "c.html", theme="dark")
    page, _ = opened(path)

    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(27, 29, 33)"


@pytest.mark.parametrize(
    ("scheme", "ink"), [("light", "rgb(0, 0, 0)"), ("dark", "rgb(255, 255, 255)")]
)
def test_embedded_svg_has_the_surrounding_text_colour(opened, hard, tmp_path, scheme, ink):
    path = tmp_path / "page.html"
    style = ":root { color-scheme: light dark; color: CanvasText }"
    picture = charts.chart_svg(charts.alignment_chart(hard))
    path.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>'
        f"<style>{style}</style>{picture}",
        encoding="utf-8",
    )
    page, seen = opened(path, scheme=scheme)

    assert seen == [path.as_uri()]
    assert page.eval_on_selector("svg text", "each => getComputedStyle(each).fill") == ink


def test_chart_of_a_window_can_be_zoomed(opened, tmp_path):
    rows = [(who, 10 * k, 10 * k + 7, "AB"[k % 2]) for k in range(400) for who in ("ann", "bob")]
    chart = charts.alignment_chart(un.best_alignment(un.Continuum.from_units(rows)))
    page, seen = opened(charts.save_chart(chart, tmp_path / "long.html"))
    page.wait_for_selector("body[data-drawn=yes]", state="attached", timeout=30_000)

    def ends():
        return page.eval_on_selector_all(
            ".role-axis-label text", "all => all.map(each => each.textContent)"
        )

    before = ends()
    page.mouse.move(500, 250)
    page.mouse.wheel(0, -600)
    page.wait_for_function(
        "old => JSON.stringify(Array.from(document.querySelectorAll('.role-axis-label text'), "
        "each => each.textContent)) !== old",
        arg=__import__("json").dumps(before, separators=(",", ":"), ensure_ascii=False),
    )
    assert len(seen) == 1
