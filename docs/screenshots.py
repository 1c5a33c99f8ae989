"""Take the screenshots of the web interface for the documentation: ``make screenshots``.

The service runs on a free local port and shows the examples that it ships.
"""

# ruff: noqa: INP001, T201 (a script outside a package; it prints the files it writes)
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from chromium import NONE_FOUND, chromium_path, service

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).parent / "pictures"
PHONE: dict[str, Any] = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
READY = "#downloads:not([hidden])"


def main() -> None:
    """Take all screenshots."""
    with sync_playwright() as playwright, service() as address:
        program = chromium_path(playwright)
        if program is None:
            raise SystemExit(NONE_FOUND)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        take(browser, f"{address}/", "page-start", wait=".examples")
        interview = f"{address}/#units?example=interview"
        take(browser, interview, "page-results")
        tall = (1280, 1900)
        take(browser, interview, "page-annotations", section="annotations", size=tall)
        take(browser, f"{address}/#items?example=politeness&distance=ordinal", "page-items")
        take(browser, f"{address}/#compare?example=meeting&mapping=best", "page-reference")
        take(browser, interview, "page-phone", size=(390, 844), color_scheme="dark", **PHONE)
        browser.close()


def take(
    browser: Browser,
    url: str,
    name: str,
    *,
    wait: str = READY,
    section: str | None = None,
    size: tuple[int, int] = (1280, 860),
    **options: Any,  # noqa: ANN401 - options of Browser.new_context
) -> None:
    """Save a screenshot of the window, or of one section of the page."""
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector(wait, timeout=60_000)
    page.wait_for_load_state("networkidle")
    path = PICTURES / f"{name}.png"
    if section is None:
        page.screenshot(path=path)
    else:
        select_second_group(page)
        page.locator(f"#{section}").screenshot(path=path)
    print(f"{path.relative_to(Path.cwd())}: {path.stat().st_size / 1000:.0f} kB")
    context.close()


def select_second_group(page: Page) -> None:
    """Select the second group of the list, whose labels differ."""
    page.locator(".group").nth(1).click()
    page.wait_for_timeout(600)
    page.mouse.move(0, 0)


if __name__ == "__main__":
    main()
