"""Reports and charts of the page, which the service computes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unisono as un
from browser_words import results

pytest.importorskip("vl_convert")

INTERVIEW = Path(__file__).resolve().parents[3] / "examples" / "interview.csv"
OPENED = "#units?example=interview&draws=30"


def value_text() -> str:
    """Return γ as it is formatted everywhere."""
    cells = un.gamma(un.read(INTERVIEW), draws=30).sheet().tables[0].view().cells
    return cells[0][1].strip()


def test_report_is_computed_once_for_all_formats(open_page):
    page = open_page(OPENED)
    results(page)
    page.wait_for_selector("#downloads:not([hidden])")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(f"{request.method} {request.url}"))

    def downloaded(name: str) -> tuple[str, str]:
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name, exact=True).click()
        saved = waiting.value
        return saved.suggested_filename, Path(saved.path()).read_text("utf-8")

    value = value_text()
    for name, suffix in (("Report", "html"), ("Report, Markdown", "md"), ("Report, LaTeX", "tex")):
        filename, text = downloaded(name)
        assert filename.endswith(f"report.{suffix}")
        assert value in text
    assert sum(each.startswith("POST") and each.endswith("/report") for each in requests) == 1


def test_charts_are_drawn_under_the_content_policy(open_page):
    page = open_page(OPENED)
    results(page)
    page.locator("#charts summary", has_text="γk of each label").click()
    drawn = page.locator(".chart svg.marks")
    drawn.wait_for()

    words = drawn.text_content() or ""
    assert "question" in words
    assert f"{un.gamma(un.read(INTERVIEW), draws=30).value:.2f}" in words


def test_calibration_shows_its_image(open_page):
    page = open_page()
    page.wait_for_selector(".examples")

    def fewer(route):
        sent = json.loads(route.request.post_data)
        sent["settings"] |= {"repeats": 5, "magnitudes": [0.1, 0.5]}
        route.continue_(post_data=json.dumps(sent))

    page.route("**/api/v1/calibrate*", fewer)
    page.goto(page.url.split("#")[0] + "#units?example=interview&measure=calibrate&draws=30")
    page.wait_for_function(
        "() => document.querySelector('#results .picture img')?.naturalWidth > 100"
    )
    assert "corresponds to annotators who" in page.locator("#results .finding").first.inner_text()
    assert page.locator("#results .reason").count() == 0
