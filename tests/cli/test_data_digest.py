"""The same data have the same digest in the signatures of all commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import unisono as un
from unisono.cli.app import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

_CORPUS = "examples/corpus"
_RATINGS = "examples/politeness.csv"
_FEW = ("--draws", "10", "--seed", "5")
_UNITS: dict[str, tuple[str, ...]] = {
    "gamma": _FEW,
    "units": _FEW,
    "unitizing": (),
    "segments": ("--gaps", "segments"),
    "align": ("--documents", "market"),
    "diagnose": _FEW,
    "advise": ("--merges", "0", "--leave-out", "0", *_FEW),
    "consensus": (),
    "calibrate": (
        *("--errors", "category", "--magnitudes", "0,0.5,1", "--repeats", "5", "--draws", "5"),
    ),
    "report": ("--no-gains", *_FEW),
    "chart": _FEW,
    "plan": ("--width", "0.3", *_FEW),
}
_ITEMS: dict[str, tuple[str, ...]] = {
    "items": ("--measure", "alpha"),
    "missing-policies": ("--repeats", "5"),
    "plan": ("--width", "0.5", "--resamples", "50"),
}
# These have no data, no signature, or measure other data than the files: a reference alone, two
# sides, chains.
_OTHERS = {
    *("describe", "convert", "completion", "doctor", "serve", "reproduce", "reliability"),
    *("compare", "shuffle", "curves", "chains", "pyramids"),
}


def _digests(run, command: str, path: str, options: tuple[str, ...], tmp_path: Path) -> set[str]:
    words: tuple[str, ...] = (command, path)
    target = None
    if command in ("report", "chart"):
        target = tmp_path / ("report.md" if command == "report" else "chart.json")
        words = (command, *(["labels"] if command == "chart" else []), path, "-o", str(target))
    outcome = run(*words, *options)
    assert outcome.code in (0, 3), outcome.err
    text = outcome.out + outcome.err
    if command == "report":
        assert target is not None
        text += target.read_text(encoding="utf-8")
    return set(re.findall(r"\|data:([0-9a-f]{8})\|v:", text))


def test_every_command_is_covered():
    assert {*_UNITS, *_ITEMS, *_OTHERS} == set(COMMANDS)


@pytest.mark.parametrize("command", _UNITS)
def test_commands_on_units_give_one_digest(run, tmp_path, command):
    corpus = un.read(_CORPUS)
    if command == "align":
        corpus = corpus[["market"]]

    found = _digests(run, command, _CORPUS, _UNITS[command], tmp_path)

    assert found == {corpus.digest[:8]}


@pytest.mark.parametrize("command", _ITEMS)
def test_commands_on_ratings_give_one_digest(run, tmp_path, command):
    found = _digests(run, command, _RATINGS, _ITEMS[command], tmp_path)

    assert found == {un.read_ratings(_RATINGS).digest[:8]}


@pytest.mark.parametrize("command", ["gamma", "units", "unitizing", "consensus"])
def test_the_digest_is_that_of_the_selection(run, tmp_path, command):
    options = (*_UNITS[command], "--annotators", "all but mika", "--documents", "m*")

    found = _digests(run, command, _CORPUS, options, tmp_path)

    chosen = un.read(_CORPUS).only(annotators=["ines", "jonas"], documents=["market"])
    assert found == {chosen.digest[:8]}


def test_segmentations_of_units_are_signed_with_the_units():
    corpus = un.read("examples/paragraphs.csv")

    for result in (un.pk(corpus), un.measure_segments(corpus)["pk"]):
        assert result.signature["data"] == corpus.digest[:8]
        assert (result.signature["atom"], result.signature["gaps"]) == ("1", "raise")
