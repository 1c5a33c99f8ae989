"""A service with a token: only a link with the token opens the page."""

from __future__ import annotations

import pytest

from browser_words import problem, results
from chromium import service

TOKEN = "geheim/ü & sixteen letters"  # noqa: S105 - made up here


@pytest.fixture(scope="module")
def address():
    pytest.importorskip("fastapi")
    with service("--token", TOKEN) as found:
        yield found


def test_token_is_removed_from_the_address(open_page):
    page = open_page("#token=geheim%2F%C3%BC%20%26%20sixteen%20letters&units?example=interview")
    results(page)
    assert "token" not in page.url
    page.reload()
    results(page)


def test_missing_token_is_explained(open_page):
    page = open_page()
    assert problem(page) == "this service needs a token: add #token=TOKEN to its address"
