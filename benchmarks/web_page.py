"""How soon the page is there and how smoothly it moves: `python benchmarks/web_page.py`.

First paint is the browser's own first-contentful-paint, of a new window; the number is counted from
the click on an example to the text of γ; frames are those of 5,001 units while zooming and moving.
Medians of several runs beside the goals; nothing is judged, and tests never measure time.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright
from tables import table

import unisono as un
from browser_words import choose, frame_times
from chromium import NONE_FOUND, chromium_path, service

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RUNS = 5
CLICKED = """async () => {
    const button = [...document.querySelectorAll(".example")]
        .find((each) => each.textContent.startsWith("Parts of speech"));
    const began = performance.now();
    button.click();
    while (!/^0[.]/.test(document.querySelector(".figure-value")?.textContent ?? "")) {
        await new Promise(requestAnimationFrame);
    }
    return performance.now() - began;
}"""


def main() -> None:
    """Measure and print."""
    with sync_playwright() as playwright, service() as address:
        program = chromium_path(playwright)
        if program is None:
            raise SystemExit(NONE_FOUND)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        opened = [first_visit(browser, address) for _ in range(RUNS)]
        frames = many_units(browser, address)
        browser.close()
    paints, numbers = zip(*opened, strict=True)
    rows = [
        ["first paint", f"{statistics.median(paints):.0f} ms", "1,000 ms"],
        ["click to γ of 3 × 124 units", f"{statistics.median(numbers):.0f} ms", "500 ms"],
        ["a frame of 5,001 units, median", f"{statistics.median(frames):.1f} ms", "16.7 ms"],
        ["a frame, 95 % are under", f"{frames[int(0.95 * len(frames))]:.1f} ms", "33 ms"],
    ]
    print(table(["the page", "measured", "goal"], rows))


def first_visit(browser: Browser, address: str) -> tuple[float, float]:
    """Open the page anew and click an example; give both times in milliseconds."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Parts of speech").wait_for()
    paint = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
    painted: float = page.evaluate(paint)
    took: float = page.evaluate(CLICKED)
    context.close()
    return painted, took


def many_units(browser: Browser, address: str) -> list[float]:
    """Give the times of frames of a drawing with many units, least first."""
    words = un.generate_reference(units=1667, rng=1)
    talk = un.shuffle(words, magnitude=0.1, errors="position", annotators=3, rng=2).continuum
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{address}/#units?draws=2")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.jsonl"
        un.write(talk, path)
        choose(page, path)
        page.wait_for_selector("#annotations:not([hidden]) .group")
    times = frame_times(page)
    context.close()
    return times


if __name__ == "__main__":
    main()
