"""The form, which is created from the registry of the service."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from browser_words import choose, problem, results
from unisono.registry import MEASURES
from unisono.web.requests import REQUESTS, TABS, registry_record

EXAMPLES = Path(__file__).parents[3] / "examples"
RECORD = registry_record()
SETTINGS: dict[str, Any] = {one["name"]: one for one in RECORD["settings"]}
OF_TABS = {
    "units": "units?example=paragraphs",
    "items": "items?example=politeness",
    "compare": "compare?example=meeting",
}
OF_REQUESTS = {
    "chains": "chains?example=coreference",
    "pyramids": "chains?example=pyramids",
    "reliability": "outcome?example=reliability",
}
VISIBLE = """() => Object.fromEntries(
    [...document.querySelectorAll("#settings-form .field:not([hidden])")].map((field) => {
        const control = field.querySelector("input, select");
        const help = document.getElementById(control.getAttribute("aria-describedby"));
        return [control.name, [control.labels[0].textContent, help ? help.textContent : ""]];
    })
)"""


@pytest.fixture(scope="module")
def described() -> dict[str, list[dict[str, Any]]]:
    """The settings of each request, including nested settings and those for reading."""
    found = {}
    for request in RECORD["requests"]:
        names = [
            inner for name in request["settings"] for inner in SETTINGS[name]["settings"] or [name]
        ]
        reading = [
            one | {"name": f"reading.{one['name']}"} for one in RECORD["reading"][request["reads"]]
        ]
        own = {one["name"]: one for one in request["own"]}
        settings = [own.get(name, SETTINGS[name]) for name in dict.fromkeys(names)]
        found[request["name"]] = settings + reading
    return found


@pytest.mark.parametrize(("tab", "request_"), [(t, name) for t, ns in TABS.items() for name in ns])
def test_settings_of_requests_are_fields(open_page, described, tab, request_):
    page = open_page(f"#{OF_REQUESTS.get(request_) or OF_TABS[tab]}&measure={request_}")
    page.wait_for_selector("#settings:not([hidden]) .field")
    # Where a tab has several requests, the fields of one that is not the first have its name.
    shown = {
        name.removeprefix(f"{request_}."): each for name, each in page.evaluate(VISIBLE).items()
    }
    shown.pop("measure", None)
    expected = {one["name"]: one for one in described[request_]}

    assert set(shown) <= set(expected)
    # Settings that depend on others are shown when these have a value.
    hidden = set(expected) - set(shown)
    assert all(expected[name]["needs"] for name in hidden)
    for name, (title, help_text) in shown.items():
        assert (title, help_text) == (expected[name]["title"], expected[name]["help"])


def test_measure_shows_only_its_settings(open_page):
    page = open_page("#items?example=politeness")
    results(page)
    request = REQUESTS["items"]
    of_measures = {name for one in request.measures for name in one.settings}
    for name in ("cohen_kappa", "krippendorff_alpha", "percent_agreement"):
        page.get_by_label("Measures").select_option(name)
        shown = set(page.evaluate(VISIBLE)) & of_measures
        needed = {one for one in MEASURES[name].settings if not SETTINGS[one]["needs"]}
        assert shown == needed


def test_dependent_settings_are_shown_when_needed(open_page):
    page = open_page("#items?example=politeness")
    results(page)
    assert not page.get_by_label("Seed").is_visible()
    page.get_by_label("Resamples for intervals").fill("100")
    page.get_by_label("Seed").wait_for()
    assert not page.get_by_label("Labels from low to high").is_visible()
    page.get_by_label("Weights of disagreements").select_option("linear")
    page.get_by_label("Labels from low to high").wait_for()

    page = open_page("#units?example=interview")
    results(page)
    assert page.get_by_label("Precision").is_visible()
    page.locator("summary", has_text="More settings").click()
    page.get_by_label("Number of draws").fill("30")
    page.get_by_label("Precision").wait_for(state="hidden")
    results(page)


def test_comparison_without_gamma(open_page):
    page = open_page("#compare?example=meeting")
    results(page)
    page.get_by_label("With γ").uncheck()
    page.get_by_label("Chance model").wait_for(state="hidden")
    assert not page.get_by_label("Weight of position").is_visible()
    page.wait_for_function("() => document.querySelectorAll('.figure-value').length === 3")


def test_distance_with_an_argument(open_page, tmp_path):
    path = tmp_path / "hours.csv"
    rows = [
        "item,annotator,label",
        *(
            f"{i},{who},{(i * 5 + of) % 24}"
            for i in range(9)
            for of, who in enumerate(("ann", "bob"))
        ),
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    page = open_page("#items?measures=krippendorff_alpha")
    choose(page, path)
    results(page)
    page.get_by_label("Distance of labels").select_option("circular")
    page.get_by_role("textbox", name="Circumference").fill("24")
    page.wait_for_function("() => location.hash.includes('distance=circular%3A24')")
    page.wait_for_function(
        "() => document.querySelector('.signature code')?.textContent.includes('circular[24]')"
    )
    other = open_page(page.url[page.url.index("#") :])
    other.wait_for_selector("#settings .field", state="attached")
    assert other.locator(".argument input").first.input_value() == "24"


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("Seed", "1.5", "Must be a whole number."),
        ("Seed", "-1", "Must be at least 0."),
        ("Precision", "2", "Must be below 1."),
        ("Weight of position", "-1", "Must be at least 0."),
    ],
)
def test_values_outside_the_limits_are_rejected(open_page, name, typed, message):
    page = open_page("#units?example=interview")
    results(page)
    page.get_by_label(name).fill(typed)
    page.locator(".wrong").wait_for()
    assert page.locator(".wrong").inner_text() == message


def test_settings_are_sent_in_the_form_of_the_api(open_page):
    page = open_page("#units?example=interview&measure=units")
    page.wait_for_selector("#downloads:not([hidden])")
    page.get_by_label("Distance of labels").select_option("edit")
    page.locator("summary", has_text="How files are read").click()
    page.get_by_label("Annotator", exact=True).fill("1")
    page.get_by_label("Delimiter").fill("comma")
    with page.expect_request(
        lambda one: one.url.endswith("/units") and "layer" in str(one.post_data)
    ) as sent:
        page.get_by_label("Layer").fill("a, b")
    assert json.loads(sent.value.post_data)["settings"] == {
        "distance": "edit",
        "dissimilarity": {"distance": "edit"},
        "reading": {"annotator": 1, "delimiter": ",", "layer": ["a", "b"]},
    }


def test_reading_settings_of_examples_are_reset(open_page):
    page = open_page()
    page.get_by_role("link", name="Items").click()
    page.get_by_role("button", name="Topics of letters").click()
    results(page)
    assert "reading.wide=true" in page.url
    page.get_by_role("button", name="Other data").click()
    choose(page, EXAMPLES / "politeness.csv")
    results(page)
    assert page.url.endswith("#items")


def test_wrong_kind_of_file_is_explained(open_page):
    page = open_page("#items?reading.format=prodigy")
    choose(page, EXAMPLES / "politeness.csv")
    assert problem(page)


_QUESTION = {
    "type": "/api/v1/docs#problem-question",
    "title": "Files can be read in several ways",
    "status": 422,
    "kind": "question",
    "detail": "class does not look like an annotator",
    "file": "interview.csv",
    "line": None,
    "errors": [],
    "question": {
        "code": "not-an-annotator",
        "text": "mika does not look like an annotator.",
        "readings": [
            {
                "text": "keep it",
                "counts": {"annotators": 3},
                "consequence": "3 annotators",
                "settings": {"accept": ["not-an-annotator"]},
            },
            {
                "text": "leave it out",
                "counts": {"annotators": 2},
                "consequence": "2 annotators",
                "settings": {"annotators": "all but mika"},
            },
        ],
    },
}


@pytest.mark.parametrize(
    ("reading", "sent", "compared"),
    [
        ("keep it", {"accept": ["not-an-annotator"]}, "3 annotators (ines, jonas, mika)"),
        ("leave it out", {"annotators": ["all but mika"]}, "2 annotators (ines, jonas)"),
    ],
)
def test_a_question_is_answered_before_a_number_is_shown(open_page, reading, sent, compared):
    page = open_page("#units")
    asked: list[dict[str, Any]] = []

    def answer(route):
        request = json.loads(route.request.post_data)
        asked.append(request["settings"].get("reading", {}))
        if asked[-1]:
            route.continue_()
        else:
            route.fulfill(
                status=422, content_type="application/problem+json", body=json.dumps(_QUESTION)
            )

    page.route("**/api/v1/gamma", answer)
    choose(page, EXAMPLES / "interview.csv")
    page.wait_for_selector(".question")
    assert page.locator("#results").is_hidden()
    page.get_by_label(reading).check()
    page.get_by_role("button", name="Read the files this way").click()
    results(page)

    assert asked == [{}, sent]
    assert compared in page.locator("#results .facts").inner_text()
    assert page.locator(".question").count() == 0
