"""Take the screenshots for the documentation: ``make screenshots``.

The service runs on a free local port and shows the examples that it ships; the report is on the
documents in examples/. Arguments choose pictures: ``OPTIONS="report"``.
"""

# ruff: noqa: INP001, T201 (a script outside a package; it prints the files it writes)
from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

import unisono as un
from chromium import NONE_FOUND, chromium_path, service

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).parent / "pictures"
PHONE: dict[str, Any] = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
EXAMPLES = Path(__file__).parent.parent / "examples"
READY = "#downloads:not([hidden])"


def main(chosen: list[str]) -> None:
    """Take the screenshots whose names begin with those chosen, or all."""
    with (
        sync_playwright() as playwright,
        service() as address,
        tempfile.TemporaryDirectory() as folder,
    ):
        program = chromium_path(playwright)
        if program is None:
            raise SystemExit(NONE_FOUND)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        interview = f"{address}/#units?example=interview"
        politeness = f"{address}/#items?example=politeness&distance=ordinal"
        meeting = f"{address}/#compare?example=meeting&mapping=best"
        phone = {"size": (390, 844), "color_scheme": "dark", **PHONE}
        pictures: dict[str, tuple[str, dict[str, Any]]] = {
            "page-start": (f"{address}/", {"wait": ".examples"}),
            "page-results": (interview, {}),
            "page-annotations": (interview, {"section": "annotations", "size": (1280, 1900)}),
            "page-items": (politeness, {}),
            "page-reference": (meeting, {}),
            "page-phone": (interview, phone),
            "report": (_report(Path(folder)), {"wait": "h1"}),
        }
        for name, (url, options) in pictures.items():
            if not chosen or name.startswith(tuple(chosen)):
                take(browser, url, name, **options)
        browser.close()


def _report(folder: Path) -> str:
    """Write a report, and return its address."""
    corpus = un.read(EXAMPLES / "corpus", seen_by="corpus")
    path = folder / "report.html"
    un.report(corpus, title="Places and people", rng=1).write(path)
    return path.as_uri()


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
    main(sys.argv[1:])
