"""The texts of results on the page equal those of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unisono as un
from unisono.cli.gamma import _CORPUS_HINT
from unisono.cli.main import main
from unisono.results.page import page

EXAMPLES = Path(__file__).parents[2] / "examples"
INTERVIEW = EXAMPLES / "interview.csv"
PARAGRAPHS = EXAMPLES / "paragraphs.csv"
GOLD, SYSTEM = EXAMPLES / "meeting_gold.csv", EXAMPLES / "meeting_system.csv"


CASES: dict[str, tuple[list[str], Any]] = {
    "gamma": (
        ["gamma", str(INTERVIEW), "--seed", "1"],
        lambda: un.gamma(un.read(INTERVIEW), rng=1),
    ),
    "gamma of a corpus": (
        ["gamma", str(EXAMPLES / "corpus"), "--seed", "1"],
        lambda: un.gamma(un.read(EXAMPLES / "corpus"), rng=1),
    ),
    "unitizing": (
        ["unitizing", str(PARAGRAPHS)],
        lambda: un.unitizing_alpha(un.read(PARAGRAPHS), by_label=True, by_document=True),
    ),
    "segments": (["segments", str(PARAGRAPHS)], lambda: un.measure_segments(un.read(PARAGRAPHS))),
    "items": (
        ["items", str(EXAMPLES / "politeness.csv"), "--distance", "ordinal"],
        lambda: un.measure_items(un.read_ratings(EXAMPLES / "politeness.csv"), distance="ordinal"),
    ),
    "items, one coefficient": (
        ["items", str(EXAMPLES / "politeness.csv"), "--measure", "alpha"],
        lambda: un.measure_items(un.read_ratings(EXAMPLES / "politeness.csv"), measures=["alpha"]),
    ),
    "compare": (
        ["compare", str(GOLD), str(SYSTEM), "--mapping", "best", "--seed", "1"],
        lambda: un.compare(un.read(GOLD), un.read(SYSTEM), mapping="best", rng=1),
    ),
    "consensus": (
        ["consensus", str(INTERVIEW)],
        lambda: un.consensus(un.read(INTERVIEW)),
    ),
    "units": (
        ["units", str(PARAGRAPHS), "--seed", "1"],
        lambda: un.measure_units(un.read(PARAGRAPHS), rng=1),
    ),
    "calibrate": (
        ["calibrate", str(INTERVIEW), "--errors", "false_negative", "--repeats", "5"],
        lambda: un.calibrate(un.read(INTERVIEW), errors=["false_negative"], repeats=5),
    ),
    "describe": (["describe", str(INTERVIEW)], lambda: un.describe(un.read(INTERVIEW))),
}


@pytest.mark.parametrize("case", CASES)
def test_page_texts_equal_the_command_line(case, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    command, measured = CASES[case]
    assert main(command) == 0
    printed = capsys.readouterr().out
    view = page(measured().sheet())
    tables = view["tables"]
    texts = [cell for table in tables for row in table["cells"] for cell in row]
    texts += [words for table in tables for words in (table["more"], *table["reasons"])]
    texts += [words for fact in view["facts"] for words in (fact["heading"], fact["text"])]
    texts += [*view["findings"], *view["notes"], *view["signatures"]]
    texts += [table["title"] for table in tables] + (["note"] if view["notes"] else [])
    # The path may contain words and digits; the hint at an option is of the command line only.
    flat = " ".join(printed.replace(str(INTERVIEW), INTERVIEW.name).split())
    flat = flat.replace(_CORPUS_HINT, "")
    options = ("takes --missing items", "takes missing='items'")
    for words in texts:
        assert " ".join(words.replace(options[1], options[0]).split()) in flat, words
    # Everything printed is a heading, a rule or one of the texts.
    headings = [column["heading"] for table in tables for column in table["columns"]]
    rest = flat
    for words in sorted({*texts, *headings}, key=len, reverse=True):
        rest = rest.replace(" ".join(words.replace(options[1], options[0]).split()), "")
    left = {word for word in rest.replace("─", "").split() if any(map(str.isalpha, word))}
    title = {"interview", "interview.csv", "paragraphs", "politeness.csv", "documents,", "pooled"}
    title |= {"meeting_system.csv", "meeting_gold.csv", "against", ".csv"}
    assert left <= title


def test_labels_with_rich_markup_are_unchanged():
    talk = un.Continuum.from_units([("ann", 0, 2, "[bold]"), ("bob", 0, 2, "[bold]")])
    (table,) = page(un.gamma(talk, draws=30, rng=1).sheet())["tables"]
    assert table["cells"][2][0] == "γk [bold]"
