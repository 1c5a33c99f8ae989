"""A browser for pages; where there is none, tests are skipped and say so loudly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chromium import NONE_FOUND, chromium_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

skipped = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker("browser")


def pytest_terminal_summary(terminalreporter, config) -> None:
    if config.stash.get(skipped, False):
        terminalreporter.section("NO PAGE WAS TESTED", sep="!", red=True, bold=True)
        terminalreporter.write_line(NONE_FOUND, red=True, bold=True)


@pytest.fixture(scope="session")
def browser(request) -> Iterator[Browser]:
    """Chromium, started once."""
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        program = chromium_path(playwright)
        if program is None:
            request.config.stash[skipped] = True
            pytest.skip(NONE_FOUND)
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()
