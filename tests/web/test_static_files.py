"""What the page is made of: small files of our own, and nothing taken for markup."""

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
def test_scripts_are_small_and_take_nothing_for_markup(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert MARKUP.search(text) is None
    assert text.startswith("// ")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_hold_no_script_and_no_style_of_their_own(path):
    text = path.read_text(encoding="utf-8")
    assert re.search(r"<script(?![^>]*\bsrc=)", text) is None
    assert re.search(r"<style|\sstyle=|\son\w+=", text) is None


@pytest.mark.parametrize(
    "path", [*SCRIPTS, *PAGES, *STATIC.glob("*.css")], ids=lambda path: path.name
)
def test_nothing_is_asked_of_others(path):
    text = path.read_text(encoding="utf-8")
    elsewhere = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", text)
    assert set(elsewhere) <= {"http://www.w3.org"}


def test_every_module_that_is_imported_is_there():
    for path in SCRIPTS:
        for name in re.findall(r'from "\./(\S+)"', path.read_text(encoding="utf-8")):
            assert (STATIC / name).is_file()
