"""A running service, and pages that may connect only to it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from chromium import service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    pytest.importorskip("fastapi")
    with service() as found:
        yield found


@pytest.fixture
def open_page(browser, address) -> Iterator[Callable[..., Page]]:
    """Open the page, and fail on errors and on requests to other origins."""
    contexts = []
    wrong: list[str] = []
    origin = urlsplit(address).netloc

    def watch(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("blob", "data") and parts.netloc != origin:
            wrong.append(f"a request left the origin: {url}")

    def listen(entry) -> None:
        # Rejected requests are shown on the page and may also be logged.
        if entry.type == "error" and "Failed to load resource" not in entry.text:
            wrong.append(f"the console says: {entry.text}")

    def opened(fragment: str = "", *, width: int = 1280, height: int = 900, **options) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True, **options
        )
        contexts.append(context)
        page = context.new_page()
        # Long, because machines are shared; it does not slow down passing tests.
        page.set_default_timeout(60_000)
        page.on("request", lambda request: watch(request.url))
        page.on("pageerror", lambda error: wrong.append(f"an error in the page: {error}"))
        page.on("console", listen)
        page.on("dialog", lambda dialog: wrong.append(f"a dialog opened: {dialog.message}"))
        page.goto(f"{address}/{fragment}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
