"""Jobs of the page: cancelling, progress, links and errors."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import unisono as un
from browser_words import choose, problem, results, table_of

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def long_talk(tmp_path_factory):
    """Return a file whose γ takes many seconds at a fine precision."""
    words = un.generate_reference(units=80, rng=1)
    talk = un.shuffle(words, magnitude=0.2, annotators=3, rng=2).continuum
    path = tmp_path_factory.mktemp("long") / "long.jsonl"
    un.write(talk, path)
    return path


def state_of(address: str, job: str) -> str:
    """Return the state of a job; a cancelled job may already be deleted."""
    try:
        with urllib.request.urlopen(f"{address}/api/v1/jobs/{job}", timeout=10) as answer:  # noqa: S310
            return str(json.load(answer)["state"])
    except urllib.error.HTTPError as error:
        return {404: "forgotten"}.get(error.code, str(error.code))


def submitted(page) -> list[str]:
    """Collect the jobs of γ that the page starts."""
    jobs: list[str] = []

    def note(answer) -> None:
        if answer.request.method == "POST" and answer.url.endswith("/gamma"):
            jobs.append(answer.json()["id"])

    page.on("response", note)
    return jobs


def test_changed_setting_cancels_the_running_job(open_page, address, long_talk):
    page = open_page("#units?precision=0.001")
    jobs = submitted(page)
    choose(page, long_talk)
    page.wait_for_selector("#progress:not([hidden])")
    with page.expect_request(lambda request: request.method == "DELETE") as cancelled:
        page.get_by_label("Precision").fill("0.4")
    results(page)
    first, *_, last = jobs
    assert cancelled.value.url.endswith(first)
    assert state_of(address, first) in ("cancelled", "forgotten")
    assert state_of(address, last) == "done"
    assert page.locator("#problem .problem").count() == 0


def test_long_jobs_show_progress_and_can_be_stopped(open_page, address, long_talk):
    page = open_page("#units?precision=0.001")
    jobs = submitted(page)
    choose(page, long_talk)
    page.wait_for_function(
        "() => / of [0-9,]+ · about .* left/.test("
        "document.querySelector('.progress-words').textContent)"
    )
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Compute again").wait_for()
    assert not page.locator("#progress").is_visible()
    page.wait_for_timeout(300)
    assert state_of(address, jobs[0]) in ("cancelled", "forgotten")


def test_link_restores_settings_but_not_data(open_page, long_talk):
    page = open_page()
    choose(page, EXAMPLES / "interview.csv")
    results(page)
    page.get_by_label("Weight of labels").fill("2.5")
    page.get_by_label("Distance of labels").select_option("edit")
    page.wait_for_function("() => location.hash === '#units?label=2.5&distance=edit'")
    other = open_page(page.url.partition("/#")[2].join(["#", ""]))
    assert not other.locator("#results").is_visible()
    choose(other, EXAMPLES / "interview.csv")
    results(other)
    signature = other.locator(".signature code").inner_text()
    assert "label=2.5" in signature
    assert "distance=edit" in signature


def test_pages_keep_their_own_data(open_page):
    page = open_page("#units?example=interview")
    results(page)
    units = table_of(page)
    page.get_by_role("link", name="Items").click()
    page.get_by_role("button", name="Politeness of replies").click()
    page.wait_for_selector(".matrix")
    page.get_by_role("link", name="Units").click()
    page.wait_for_selector("#annotations:not([hidden])")
    results(page)
    assert table_of(page) == units


def test_rejected_data_show_a_message_and_can_be_corrected(open_page):
    page = open_page("#units?example=interview&measure=unitizing")
    assert "overlap" in problem(page)
    page.get_by_label("Overlapping units").select_option("split")
    results(page)
    assert page.locator("#problem .problem").count() == 0


def test_invalid_numbers_are_not_sent(open_page):
    page = open_page("#units?example=interview")
    results(page)
    page.get_by_label("Precision").fill("7")
    wrong = page.locator(".wrong")
    wrong.wait_for()
    assert wrong.inner_text() == "Must be below 1."
    assert page.get_by_label("Precision").get_attribute("aria-invalid") == "true"


def test_unreachable_service_is_reported(open_page):
    page = open_page("#units?example=interview")
    results(page)
    page.route("**/api/v1/gamma", lambda route: route.abort())
    page.get_by_label("Seed").fill("3")
    assert problem(page) == "the service does not respond; is unisono serve still running?"


def test_one_of_several_layers_can_be_clicked(open_page, tmp_path):
    rows = ["annotator,start,end,label,layer"]
    for who in ("ann", "bob"):
        rows += [f"{who},0,4,A,turns", f"{who},5,9,B,turns", f"{who},0,9,T,topics"]
    path = tmp_path / "layers.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    page = open_page("#units?draws=30")
    choose(page, path)
    assert "2 layers" in problem(page)
    page.get_by_role("button", name="turns").click()
    results(page)
    assert [row[0] for row in table_of(page)] == ["γ", "γcat", "γk A", "γk B"]
    assert page.url.endswith("#units?draws=30&reading.layer=turns")


def test_quickly_filled_fields_are_all_sent(open_page):
    page = open_page("#units?example=interview&draws=30")
    results(page)
    page.evaluate(
        """() => {
            for (const [name, value] of [["position", "3"], ["empty", "2"], ["seed", "7"]]) {
                const input = document.querySelector(`input[name="${name}"]`);
                input.value = value;
                input.dispatchEvent(new Event("input"));
            }
        }"""
    )
    page.wait_for_function("() => /position=3.*empty=2.*seed=7/.test(location.hash)")
