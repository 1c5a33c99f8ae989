"""Accessibility of the page: keyboard, phone, dark mode, names and contrast."""

from __future__ import annotations

from itertools import pairwise

import pytest

from browser_words import results

EXAMPLE = "#units?example=interview&draws=30"

CONTRAST = """() => {
    const channel = (v) => (v /= 255, v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const behind = (element) => {
        for (let each = element; each; each = each.parentElement) {
            const colour = rgba(getComputedStyle(each).backgroundColor);
            if (colour[3] > 250) return colour;
        }
        return [255, 255, 255];
    };
    const poor = [];
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        const hidden = !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
        if (!own || hidden || element.closest("svg, canvas, .sr-only, option, datalist")) continue;
        const style = getComputedStyle(element);
        const [a, b] = [light(rgba(style.color)), light(behind(element))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        const large = parseFloat(style.fontSize) >= 24;
        if (ratio < (large ? 3 : 4.5)) poor.push([element.textContent.slice(0, 40), ratio]);
    }
    return poor;
}"""

NAMELESS = """() => {
    const named = (element) => element.getAttribute("aria-label")
        || (element.labels && element.labels.length && element.labels[0].textContent.trim())
        || element.textContent.trim() || element.title || element.getAttribute("aria-hidden");
    return [...document.querySelectorAll("button, a[href], input, select, [tabindex='0'], summary")]
        .filter((element) => !named(element)).map((element) => element.outerHTML.slice(0, 120));
}"""


@pytest.fixture(params=["light", "dark"])
def scheme(request):
    return request.param


@pytest.mark.parametrize("fragment", ["", EXAMPLE, "#items?example=politeness", "#compare"])
def test_text_has_enough_contrast(open_page, scheme, fragment):
    page = open_page(fragment, color_scheme=scheme)
    page.wait_for_selector("#downloads:not([hidden])" if "example" in fragment else ".examples")
    assert page.evaluate(CONTRAST) == []


def test_dark_theme_can_be_switched(open_page):
    page = open_page(color_scheme="dark")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(20, 23, 26)"
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(ground) == "rgb(247, 245, 241)"
    page.reload()
    assert page.evaluate(ground) == "rgb(247, 245, 241)"


@pytest.mark.parametrize("fragment", ["", EXAMPLE, "#items?example=politeness", "#compare"])
def test_controls_have_accessible_names(open_page, fragment):
    page = open_page(fragment)
    page.wait_for_selector("#downloads:not([hidden])" if "example" in fragment else ".examples")
    assert page.evaluate(NAMELESS) == []
    levels = page.evaluate(
        """() => [...document.querySelectorAll("h1, h2, h3")]
            .filter((each) => !each.closest("[hidden]")).map((each) => Number(each.tagName[1]))"""
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for landmark in ("banner", "main", "contentinfo"):
        assert page.get_by_role(landmark).count() == 1


def test_results_are_announced(open_page):
    page = open_page(EXAMPLE)
    results(page)
    value = page.locator(".figure-value").first.inner_text()
    assert page.locator("#announced").inner_text() == f"γ {value}"
    assert page.locator("#announced").get_attribute("aria-live") == "polite"


def focused(page) -> str:
    return page.evaluate(
        "() => document.activeElement.getAttribute('aria-label')"
        " || document.activeElement.labels?.[0]?.textContent"
        " || document.activeElement.textContent.slice(0, 60)"
    )


def tab_to(page, name: str, *, most: int = 90) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if focused(page).startswith(name):
            return
    pytest.fail(f"the Tab key never reaches {name!r}")


def test_page_is_usable_by_keyboard(open_page):
    page = open_page()
    page.wait_for_selector(".examples")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to results"
    tab_to(page, "Choose files")
    tab_to(page, "An interview")
    page.keyboard.press("Enter")
    results(page)
    page.wait_for_selector("#downloads:not([hidden])")
    before = page.locator(".figure-value").first.inner_text()
    tab_to(page, "Weight of position")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => location.hash.includes('position=1.5')")
    page.wait_for_function(
        "old => document.querySelector('.figure-value').textContent !== old", arg=before
    )
    # Recomputing must not move the focus.
    assert focused(page) == "Weight of position"
    tab_to(page, "interview: 44 units")
    page.keyboard.press("n")
    assert page.locator(".group[aria-pressed=true]").count() == 1
    page.keyboard.press("ArrowDown")
    assert page.locator(".tip").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".group[aria-pressed=true]").count() == 0
    tab_to(page, "result.json")
    with page.expect_download():
        page.keyboard.press("Enter")


def test_focus_is_visible(open_page):
    page = open_page()
    page.wait_for_selector(".examples")
    for name in ("Units", "Choose files"):
        tab_to(page, name)
        outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"


@pytest.mark.parametrize("fragment", ["", EXAMPLE, "#items?example=politeness", "#compare"])
def test_phone_layout_does_not_scroll_sideways(open_page, fragment):
    page = open_page(fragment, width=390, height=844, has_touch=True, is_mobile=True)
    page.wait_for_selector("#downloads:not([hidden])" if "example" in fragment else ".examples")
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width == 390
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input:not(.sr-only)")]
            .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 24)
            .map((each) => each.outerHTML.slice(0, 80))
            .filter((words) => !words.includes("as-link") && !words.includes("checkbox"))"""
    )
    assert small == []


def test_results_precede_settings_on_a_phone(open_page):
    page = open_page(EXAMPLE, width=390, height=844, has_touch=True, is_mobile=True)
    results(page)
    assert not page.get_by_label("Chance model").is_visible()
    page.get_by_role("button", name="Change").tap()
    assert page.get_by_label("Chance model").is_visible()


def test_pinch_zooms(open_page):
    page = open_page(EXAMPLE, width=390, height=844, has_touch=True, is_mobile=True)
    page.wait_for_selector("#downloads:not([hidden])")
    canvas = page.locator("canvas.continuum")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    y = box["y"] + 60
    before = canvas.screenshot()
    client = page.context.new_cdp_session(page)

    def touch(kind: str, *places: float) -> None:
        points = [{"x": box["x"] + x, "y": y, "id": i} for i, x in enumerate(places)]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 150, 190)
    for step in range(1, 9):
        touch("touchMove", 150 - 12 * step, 190 + 12 * step)
    touch("touchEnd")
    page.wait_for_timeout(300)
    assert canvas.screenshot() != before
