"""What the documentation site is made from, apart from Sphinx; ``make docs`` does the rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from extension import offline

ROOT = Path(__file__).resolve().parents[2]

LOADED = {
    '<script src="https://cdn.example/x.js"></script>',
    "<link rel=stylesheet href='//fonts.example/x.css'>",
    '<img alt="x" src="http://example.org/x.png">',
    '<style>@import "https://example.org/x.css";</style>',
    '<p style="background: url(https://example.org/x.png)">',
}
NOT_LOADED = {
    '<a href="https://example.org/">a link</a>',
    '<img src="_images/x.png">',
    '<link rel="canonical" href="https://example.org/">',
    '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    "<pre>&lt;script src=https://example.org/x.js&gt;</pre>",
}


@pytest.mark.parametrize("text", sorted(LOADED))
def test_what_a_page_loads_from_elsewhere_is_found(tmp_path, text):
    (tmp_path / "page.html").write_text(f"<html>{text}</html>", encoding="utf-8")

    assert len(list(offline.loaded_from_elsewhere(tmp_path))) == 1


def test_what_a_style_sheet_loads_from_elsewhere_is_found(tmp_path):
    (tmp_path / "page.css").write_text("a { src: url('//example.org/x.woff2'); }", encoding="utf-8")

    assert len(list(offline.loaded_from_elsewhere(tmp_path))) == 1


@pytest.mark.parametrize("text", sorted(NOT_LOADED))
def test_links_and_names_are_not_loaded(tmp_path, text):
    (tmp_path / "page.html").write_text(f"<html>{text}</html>", encoding="utf-8")

    assert list(offline.loaded_from_elsewhere(tmp_path)) == []


def test_tutorials_use_their_data():
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "docs" / "tutorials").glob("*.md"))
    data = {path.name for path in (ROOT / "docs" / "tutorials" / "data").iterdir()}

    assert data == set(re.findall(r"data/([\w.]+)", pages))
