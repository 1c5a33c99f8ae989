"""The drawing of a continuum: zoom, groups, hostile labels, and many units."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import unisono as un
from browser_words import choose, frame_times, results
from unisono.results.wording import printable

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"quoted\" & 'quoted'",
    "👩🏽‍🚀 emoji",
    "שלום עולם",
    "back\\slash {{braces}}",
    "long " * 60,
)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawn(open_page):
    """Open an example whose drawing the test can inspect."""

    def opened(fragment="#units?example=interview&draws=30", **options):
        page = open_page(fragment, **options)
        page.wait_for_selector("#annotations:not([hidden]) .group")
        return page

    return opened


def seen(page) -> str:
    """Return the drawing as the page would save it."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Drawing, SVG").click()
    return Path(waiting.value.path()).read_text(encoding="utf-8")


def ticks(page) -> list[str]:
    return [
        text.text or ""
        for text in ET.fromstring(seen(page)).iter(f"{SVG}text")  # noqa: S314 - our own
        if text.get("text-anchor") == "middle"
    ]


def test_all_units_are_drawn(drawn):
    page = drawn()
    page.wait_for_selector("#downloads:not([hidden])")
    labels = [text.text for text in ET.fromstring(seen(page)).iter(f"{SVG}text")]  # noqa: S314
    assert {"ines", "jonas", "mika", "answer"} <= set(labels)


def test_keyboard_zooms_and_moves(drawn):
    page = drawn()
    page.wait_for_selector("#downloads:not([hidden])")
    whole = ticks(page)
    page.locator("canvas.continuum").focus()
    for _ in range(4):
        page.keyboard.press("+")
    near = ticks(page)
    assert float(near[-1]) - float(near[0]) < 0.5 * (float(whole[-1]) - float(whole[0]))
    page.locator("canvas.continuum").focus()
    page.keyboard.press("End")
    assert float(ticks(page)[-1]) > float(near[-1])
    page.locator("canvas.continuum").focus()
    page.keyboard.press("0")
    page.wait_for_timeout(500)
    assert ticks(page) == whole


def test_wheel_zooms_only_with_focus_or_ctrl(drawn):
    page = drawn()
    page.wait_for_selector("#downloads:not([hidden])")
    whole = ticks(page)
    canvas = page.locator("canvas.continuum")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 500, box["y"] + 10)
    page.mouse.wheel(0, 60)
    page.wait_for_timeout(200)
    assert page.locator(".wheel-hint").is_visible()
    assert ticks(page) == whole
    canvas.focus()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 500, box["y"] + 10)
    page.mouse.wheel(0, -600)
    page.wait_for_timeout(200)
    assert len(set(ticks(page)) - set(whole)) > 0


def test_dragging_moves_the_continuum(drawn):
    page = drawn()
    page.wait_for_selector("#downloads:not([hidden])")
    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Zoom in").click()
    before = ticks(page)
    canvas = page.locator("canvas.continuum")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 600, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 250, box["y"] + 60, steps=5)
    page.mouse.up()
    page.wait_for_timeout(100)
    assert float(ticks(page)[0]) > float(before[0])


def test_worst_group_is_selected_first(drawn):
    page = drawn()
    alignment = un.best_alignment(
        un.read(Path(__file__).parents[3] / "examples" / "interview.csv")["interview"]
    )
    worst = int(alignment.group_disorders.argmax())
    first = page.locator(".group").first
    assert int(first.get_attribute("data-group")) == worst
    assert first.locator(".group-disorder").inner_text() == "1.0000"
    page.get_by_role("button", name="Next group, worst first").click()
    assert first.get_attribute("aria-pressed") == "true"
    assert page.locator(".continuum-view [role=status]").inner_text() == (
        f"Group {worst + 1}, disorder 1.0000. ines: none; jonas: 121.5 to 151, answer; mika: none"
    )


def test_hovering_shows_a_unit(drawn):
    page = drawn()
    canvas = page.locator("canvas.continuum")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 110, box["y"] + 46)
    tip = page.locator(".tip")
    tip.wait_for()
    assert "ines · 12.4–64" in tip.inner_text()


def test_groups_can_be_filtered(drawn):
    page = drawn()
    page.get_by_role("button", name="labels differ: 2").click()
    assert page.locator(".group").count() == 2
    page.get_by_role("button", name="units missing: 3").click()
    assert page.locator(".group").count() == 3


def test_labels_are_not_parsed_as_markup(open_page, tmp_path):
    units = [
        (who, 10.0 * i + off, 10.0 * i + 8 + off, label)
        for i, label in enumerate(HOSTILE)
        for who, off in (("<b>ann</b>", 0.0), ("bob\u202e", 0.5))
    ]
    path = tmp_path / "<i>hostile.jsonl"
    un.write(un.Continuum.from_units(units), path)
    page = open_page()
    choose(page, path)
    results(page)
    page.wait_for_selector("#downloads:not([hidden])")
    shown = {cell.inner_text() for cell in page.locator("#results-body tbody th").all()}
    for label in HOSTILE:
        # Escaped in tables as on the command line, unchanged in the drawing.
        assert f"γk {printable(label.strip())}" in shown
        assert page.locator(".legend bdi", has_text=label.strip()).count() >= 1
    assert page.locator("#main script, #main img, #main b").count() == 0
    assert page.locator(".held-name").inner_text().startswith("<i>")
    texts = {text.text for text in ET.fromstring(seen(page)).iter(f"{SVG}text")}  # noqa: S314
    assert "<b>ann</b>" in texts


def test_frame_rate_with_five_thousand_units(open_page, tmp_path, capsys):
    words = un.generate_reference(units=1667, rng=1)
    talk = un.shuffle(words, magnitude=0.1, errors="position", annotators=3, rng=2).continuum
    path = tmp_path / "many.jsonl"
    un.write(talk, path)
    page = open_page("#units?draws=2")
    choose(page, path)
    page.wait_for_selector("#downloads:not([hidden])")
    whole = ticks(page)
    frames = frame_times(page)
    median, slow = frames[len(frames) // 2], frames[int(len(frames) * 0.95)]
    with capsys.disabled():
        # Printed, not asserted: machines are shared.
        print(f"\n5,001 units: {median:.1f} ms a frame, 95 % under {slow:.1f} ms")  # noqa: T201
    assert len(frames) == 90
    assert ticks(page) != whole
