"""Pages opened in a real browser; where there is none, tests are skipped and say so."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    program = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"NO BROWSER TEST WAS RUN: install Chromium (looked for {', '.join(_NAMES)})")
    sync_api = pytest.importorskip("playwright.sync_api", reason="NO BROWSER TEST WAS RUN")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., tuple[Page, list[str]]]]:
    """Open a file; give the page and the list of all that it asked for or complained about."""
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
