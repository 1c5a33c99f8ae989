"""What tests of the page look for, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


def table_of(page: Page, place: int = 0) -> list[list[str]]:
    """Give the cells of a table of results, without the column of drawings."""
    rows = page.locator("#results-body table").nth(place).locator("tbody tr").all()
    return [
        [cell.inner_text().strip() for cell in row.locator("th, td:not(.scale-cell)").all()]
        for row in rows
    ]


def facts_of(page: Page) -> dict[str, str]:
    """Give the facts beside the numbers."""
    names = page.locator("#results-body dt").all_inner_texts()
    facts = page.locator("#results-body dd").all_inner_texts()
    return dict(zip(names, facts, strict=True))


def choose(page: Page, *paths: Path) -> None:
    """Choose files as a reader would with the button."""
    page.locator("input[type=file][multiple]").first.set_input_files([str(path) for path in paths])


def results(page: Page) -> None:
    """Wait until numbers are there that belong to the settings."""
    page.wait_for_selector("#results:not([hidden]):not(.stale) table")


def problem(page: Page) -> str:
    """Wait for a sentence about what is wrong, and give it."""
    page.wait_for_selector("#problem .problem p, #file-problem .problem p")
    return page.locator("#problem .problem p, #file-problem .problem p").first.inner_text()


def frame_times(page: Page) -> list[float]:
    """Zoom in, go along, zoom out and back, a step a frame; give the milliseconds, least first."""
    page.locator("canvas.continuum").scroll_into_view_if_needed()
    times: list[float] = page.evaluate(
        """async () => {
            const canvas = document.querySelector("canvas.continuum");
            canvas.focus();
            const key = (name) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
            const times = [];
            let before = await new Promise(requestAnimationFrame);
            for (let i = 0; i < 90; i++) {
                key(i < 15 ? "+" : i < 60 ? "ArrowRight" : i < 70 ? "-" : "ArrowLeft");
                const now = await new Promise(requestAnimationFrame);
                times.push(now - before);
                before = now;
            }
            return times.sort((a, b) => a - b);
        }"""
    )
    return times
