"""Reports and charts of the page are made by the service itself, and have the library's numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unisono as un
from browser_words import results

pytest.importorskip("vl_convert")

INTERVIEW = Path(__file__).resolve().parents[3] / "examples" / "interview.csv"
OPENED = "#units?example=interview&draws=30"


def test_a_report_is_downloaded_and_made_once_for_all_its_forms(open_page):
    page = open_page(OPENED)
    results(page)
    page.wait_for_selector("#downloads:not([hidden])")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))

    def downloaded(name: str) -> tuple[str, str]:
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name, exact=True).click()
        saved = waiting.value
        return saved.suggested_filename, Path(saved.path()).read_text("utf-8")

    result = un.gamma(un.read(INTERVIEW), draws=30)
    for name, suffix in (("Report", "html"), ("Report, Markdown", "md"), ("Report, LaTeX", "tex")):
        filename, text = downloaded(name)
        assert filename.endswith(f"report.{suffix}")
        assert f"{result.value:.4f}" in text
    assert sum(each.startswith("POST") and each.endswith("/report") for each in asked) == 1


def test_a_chart_of_the_service_is_drawn_under_the_pages_own_policy(open_page):
    page = open_page(OPENED)
    results(page)
    page.locator("#charts summary", has_text="γk of each label").click()
    drawn = page.locator(".chart svg.marks")
    drawn.wait_for()

    result = un.gamma(un.read(INTERVIEW), draws=30)
    words = drawn.text_content() or ""
    assert "question" in words
    assert f"{result.value:.3f}" in words


def test_a_calibration_has_its_picture(open_page):
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
