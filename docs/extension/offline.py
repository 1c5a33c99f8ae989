"""A check that no page of the site loads anything from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

# What a browser loads by itself; `<a href>` is followed by the reader only.
_TAGS = re.compile(
    r"<(?!a\b|/)[a-z]+\b[^>]*\s(?:src|srcset|href|poster|data)\s*=\s*[\"']?\s*(?:https?:)?//[^>]*>",
    re.IGNORECASE,
)
_STYLES = re.compile(r"(?:@import\s+[\"']?|url\(\s*[\"']?)\s*(?:https?:)?//[^\s;)]*", re.IGNORECASE)
# Names of link types and licences, which are not loaded.
_NAMES = re.compile(
    r"<link[^>]*\brel=[\"']?(?:canonical|license|author)\b|<(?:svg|math)\b", re.IGNORECASE
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Check the site when it is written."""
    app.connect("build-finished", check)
    return {"parallel_read_safe": True}


def check(app: Sphinx, error: Exception | None) -> None:
    """Raise an error that lists what pages and styles load from elsewhere."""
    if error is not None or app.builder.format != "html":
        return
    found = [f"{path}: {text}" for path, text in loaded_from_elsewhere(Path(app.outdir))]
    if found:
        msg = "the site must work offline, but it loads:\n" + "\n".join(found)
        raise RuntimeError(msg)


def loaded_from_elsewhere(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a site with the tags and style rules that load something."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".html", ".css", ".svg"}:
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".html":
                tags = (tag[0] for tag in _TAGS.finditer(text))
                yield from (
                    (path.relative_to(folder), tag) for tag in tags if not _NAMES.match(tag)
                )
                text = "".join(
                    re.findall(r"<style[^>]*>.*?</style>|style=\"[^\"]*\"", text, re.DOTALL)
                )
            yield from ((path.relative_to(folder), rule[0]) for rule in _STYLES.finditer(text))
