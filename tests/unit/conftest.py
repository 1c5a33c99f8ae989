"""Files that a test writes and reads in a folder of its own, and work that is cut small."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def write_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str | bytes, str], str]:
    """Write a file in an empty folder, which is the current one, and give its name."""
    monkeypatch.chdir(tmp_path)

    def written(content: str | bytes, name: str) -> str:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return written


@pytest.fixture
def short_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut even the little work of a test into many chunks."""
    for name in ("_SHORTEST", "_SHORTEST_COSTLY"):
        monkeypatch.setattr(f"unisono.parallel.dispatch.{name}", 0.0005)
