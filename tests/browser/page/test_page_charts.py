"""Charts are drawn by Vega from the same origin, without eval."""

from __future__ import annotations

import json

import pytest

from browser_words import results

pytest.importorskip("vl_convert")

SPEC = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "data": {"values": [{"label": "<b>A</b>", "value": 0.5}, {"label": "B", "value": 0.75}]},
    "mark": "point",
    "encoding": {
        "x": {"field": "value", "type": "quantitative"},
        "y": {"field": "label", "type": "nominal"},
    },
}


@pytest.fixture
def charting(open_page, browser):
    """Open the page with a service that returns the same chart for every request."""
    page = open_page()
    page.wait_for_selector(".examples")

    def service(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "charts": True})

    def submitted(route):
        own = "/api/v1/jobs/j_chart"
        links = {"self": own, "events": f"{own}/events", "result": f"{own}/result"}
        job = {"id": "j_chart", "state": "done", "links": links, "warnings": [], "files": []}
        posted.append(json.loads(route.request.post_data))
        route.fulfill(status=202, json=job)

    posted: list[dict] = []
    page.route("**/api/v1/service", service)
    page.route("**/api/v1/chart", submitted)
    page.route("**/api/v1/jobs/j_chart/result", lambda route: route.fulfill(json=SPEC))
    page.goto(page.url.split("#")[0] + "#units?example=interview&draws=30")
    page.reload()
    results(page)
    return page, posted


def test_chart_is_requested_when_opened(charting):
    page, posted = charting
    assert posted == []
    page.locator("#charts summary", has_text="γk of each label").click()
    drawn = page.locator(".chart svg")
    drawn.wait_for()
    assert posted[0]["settings"]["kind"] == "labels"
    assert posted[0]["settings"]["draws"] == 30
    assert posted[0]["settings"]["theme"] == "light"
    assert "<b>A</b>" in (drawn.text_content() or "")
    assert page.locator(".chart b").count() == 0


def test_open_chart_follows_the_theme(charting):
    page, posted = charting
    page.locator("#charts summary", has_text="γk of each label").click()
    page.locator(".chart svg").wait_for()
    page.get_by_role("button", name="Light or dark").click()
    page.locator(".chart svg").wait_for()
    assert [each["settings"]["theme"] for each in posted] == ["light", "dark"]
