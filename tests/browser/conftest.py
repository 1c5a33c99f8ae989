"""A browser for pages; tests are skipped with a reason if there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from chromium import NONE_FOUND, chromium_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker("browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium once per module: while it runs, tests cannot run another event loop."""
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        program = chromium_path(playwright)
        if program is None:
            pytest.skip(NONE_FOUND)
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., tuple[Page, list[str]]]]:
    """Open a file and return the page with its requests, console messages and errors."""
    contexts = []

    def open_file(
        path: Path, *, scheme: Literal["light", "dark"] = "light", width: int = 1100
    ) -> tuple[Page, list[str]]:
        context = browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 1000}
        )
        contexts.append(context)
        page = context.new_page()
        seen: list[str] = []
        page.on("request", lambda request: seen.append(request.url))
        page.on("console", lambda message: seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.goto(path.as_uri())
        return page, seen

    yield open_file
    for context in contexts:
        context.close()
