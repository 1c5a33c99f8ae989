"""Reports in a browser: self-contained, accessible in both themes, on a phone and in print."""

import time
from pathlib import Path

import numpy as np
import pytest

import unisono as un
from report_samples import HOSTILE, hostile_corpus

pytestmark = pytest.mark.browser

CHECKS = (Path(__file__).parent / "checks.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    un.report(un.read("examples/corpus", seen_by="corpus"), rng=1).write(folder / "plain.html")
    un.report(hostile_corpus(), rng=1, draws=12).write(folder / "hostile.html")
    return folder


@pytest.mark.parametrize("name", ["plain", "hostile"])
def test_report_is_self_contained(written, opened, name):
    path = written / f"{name}.html"
    page, seen = opened(path)

    assert seen == [path.as_uri()]
    assert page.locator("script").count() == 0


@pytest.mark.parametrize("name", ["plain", "hostile"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 390])
def test_report_is_accessible(written, opened, name, scheme, width):
    page, _ = opened(written / f"{name}.html", scheme=scheme, width=width)

    assert page.evaluate(CHECKS) == []


def test_accessibility_checks_find_errors(written, opened):
    page, _ = opened(written / "plain.html")
    page.evaluate(
        """() => {
            document.querySelector("p").style.color = "#999";
            document.querySelector("svg text").style.fill = "#aaa";
            document.querySelector("svg").removeAttribute("aria-label");
            document.querySelector("h2").remove();
            document.querySelector("th").removeAttribute("scope");
        }"""
    )
    complaints = [each.partition(":")[0] for each in page.evaluate(CHECKS)]

    assert sorted(each.split(" of ")[0].split(" ")[0] for each in complaints) == [
        *("a", "a", "a"),
        *("contrast", "contrast"),
    ]


def test_report_follows_the_colour_scheme(written, opened):
    grounds = {}
    for scheme in ("light", "dark"):
        page, _ = opened(written / "plain.html", scheme=scheme)
        grounds[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")

    assert grounds == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}


def test_hostile_labels_are_not_parsed_as_markup(written, opened):
    page, _ = opened(written / "hostile.html")
    shown = page.locator("td, th").all_text_contents()

    assert set(HOSTILE) <= set(shown)
    assert page.locator("td b, td i, th b, th i").count() == 0


@pytest.mark.parametrize("width", [390, 1200])
def test_names_in_charts_fit_with_wider_fonts(written, opened, width):
    page, _ = opened(written / "hostile.html", width=width)
    cut = page.evaluate(
        """() => [...document.querySelectorAll("figure .plate")].flatMap(plate => {
            const clips = getComputedStyle(plate).overflowX !== "visible";
            const {left} = plate.getBoundingClientRect();
            return [...plate.querySelectorAll("svg text")]
                .filter(each => each.getBoundingClientRect().left < (clips ? left : 0))
                .map(each => each.textContent);
        })"""
    )

    assert cut == []


def test_printed_report_has_no_table_of_contents(written, opened):
    page, _ = opened(written / "plain.html")
    paper = page.pdf(format="A4")
    page.emulate_media(media="print")

    assert paper.startswith(b"%PDF")
    assert not page.locator("nav").is_visible()
    page.set_viewport_size({"width": 680, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= 680


@pytest.mark.slow
def test_report_of_twenty_thousand_units_opens_quickly(tmp_path, opened):
    dice = np.random.default_rng(1)
    n = 10_000
    starts = np.concatenate([np.arange(n) * 20.0 + dice.integers(0, 4, n) for _ in range(2)])
    labels = dice.choice(list("ABCDE"), 2 * n).tolist()
    big = un.Continuum.from_columns(["ann"] * n + ["bob"] * n, starts, starts + 12.0, labels)
    found = un.report(big, draws=5, rng=1, gains=False)
    began = time.process_time()
    page = found.to_html()
    took = time.process_time() - began
    path = tmp_path / "big.html"
    path.write_text(page, encoding="utf-8")
    shown, seen = opened(path)

    # Processor time of this process, because machines are shared.
    assert took < 10.0
    assert len(page) < 3_000_000
    assert seen == [path.as_uri()]
    assert shown.locator("figure svg").count() >= 4
