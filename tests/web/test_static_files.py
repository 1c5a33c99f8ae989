"""Static files of the page: sizes, no markup from data, no external resources."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import unisono.web

STATIC = Path(unisono.web.__file__).parent / "static"
SCRIPTS = sorted(STATIC.glob("*.js"))
PAGES = sorted(STATIC.glob("*.html"))
MARKUP = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|srcdoc)"
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_small_and_do_not_parse_markup(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert MARKUP.search(text) is None
    assert text.startswith("// ")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_have_no_inline_scripts_or_styles(path):
    text = path.read_text(encoding="utf-8")
    assert re.search(r"<script(?![^>]*\bsrc=)", text) is None
    assert re.search(r"<style|\sstyle=|\son\w+=", text) is None


@pytest.mark.parametrize(
    "path", [*SCRIPTS, *PAGES, *STATIC.glob("*.css")], ids=lambda path: path.name
)
def test_static_files_have_no_external_resources(path):
    text = path.read_text(encoding="utf-8")
    elsewhere = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", text)
    assert set(elsewhere) <= {"http://www.w3.org"}


def test_imported_modules_exist():
    for path in SCRIPTS:
        for name in re.findall(r'from "\./(\S+)"', path.read_text(encoding="utf-8")):
            assert (STATIC / name).is_file()
