"""Where a Chromium is, for whoever opens pages: tests, screenshots, benchmarks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Playwright

NONE_FOUND = "no Chromium was found, so no page was opened; `make browser` installs one"
_NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium_path(playwright: Playwright) -> str | None:
    """Give the program to start: the system's own, else the one that playwright installed."""
    named = os.environ.get("UNISONO_CHROMIUM")
    found = [named, "/usr/bin/chromium", *map(shutil.which, _NAMES)]
    found.append(playwright.chromium.executable_path)
    return next((path for path in found if path and Path(path).is_file()), None)


@contextmanager
def service(*options: str) -> Iterator[str]:
    """Run `unisono serve` on a free port of this machine and give its address."""
    command = [sys.executable, "-m", "unisono", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            yield next(word for word in line.split() if word.startswith("http")).rstrip("/")
        finally:
            process.terminate()
            process.wait(timeout=30)
