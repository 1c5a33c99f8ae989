"""Errors on the command line name options, not keywords of Python."""

import inspect
import re
from pathlib import Path

import pytest

import unisono as un
from unisono.cli.app import COMMANDS, _options_of
from unisono.cli.options.items import (
    RATING_OPTIONS,
    RATING_SWITCHED_OFF,
    measure_option_text,
    rating_option_text,
)
from unisono.cli.options.shared import OPTIONS, SWITCHED_OFF, read_option_text
from unisono.errors import setting, worded
from unisono.registry import SETTINGS

GOOD = "annotator,label,start,end\nann,NP,0,5\nbob,VP,0.5,4\n"
SOURCES = Path(un.__file__).parent
# Not in a table, because the option has the name of the setting.
CALLED_ALIKE = {"worst"}
PYTHON = re.compile(r"\b[a-z_]+=|DistanceMatrix|function|\bNone\b|\bTrue\b|\bFalse\b|\['")


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("who,begin,finish,what\na,0,1,b\n", "", "'what'; set --column-annotator COLUMN"),
        ("a,b,c,d\nann,0,5,NP\n", "", "If there is no header, set --no-header"),
        (
            "annotator,start,end,mood\na,0,1,x\n",
            "",
            "set --column-label COLUMN, or --no-labels if units have no labels",
        ),
        ("coder,rater,start,end\na,b,0,1\n", "", "choose one with --column-annotator COLUMN"),
        (
            "ann,0,1\n",
            "",
            "with --column-annotator 1, --column-start 2, --column-end 3 and so on",
        ),
        (GOOD, "--column-start onset", "no column 'onset' for --column-start; the columns are"),
        (GOOD, "--column-start 9", "no column 9 for --column-start; the table has 4"),
        (GOOD, "--column-start 0", "columns are counted from 1; got --column-start 0"),
        (GOOD, "--column-label 0", "columns are counted from 1; got --column-label 0"),
        (
            GOOD,
            "--column-label annotator --column-start 1",
            "annotator is a column that already has",
        ),
        (GOOD, "--column-start a --column-end a", "--column-start and --column-end both name"),
        (GOOD, "--column-start a --no-header", "has no column names; got --column-start a"),
        (
            GOOD,
            "--column-label label --no-labels",
            "--column-label and --no-labels exclude each other",
        ),
        ("ann,NP,0,5\n", "--column-annotator 1 --column-start 3", "set --column-end COLUMN"),
        (GOOD, "--delimiter tab", "but several with comma; set --delimiter ,"),
        (GOOD.replace(",", ";"), "--delimiter |", "with semicolon; set --delimiter ';'"),
        (GOOD.replace(",", "\t"), "--delimiter ,", "with tab; set --delimiter tab"),
        (GOOD, "--seen-by everyone", "unknown --seen-by everyone; choose one of 'auto', 'units'"),
        (GOOD, "--seen-by lost.csv", "no such file; --seen-by takes the path of a table"),
        ("annotator,start,end\n", "", "or declare its annotators with --seen-by"),
        (GOOD, "--distance nomnal", "dice, masi, masi-product, or name a FILE.csv with a matrix"),
        (GOOD, "--extent 5 1", "the first not above the second; got --extent 5 1"),
        (GOOD, "--extent 1 9", "document 'talk': all units must lie within the extent [1.0, 9.0]"),
    ],
)
def test_errors_name_the_option(run, tmp_path, content, options, message):
    talk = tmp_path / "talk.csv"
    talk.write_text(content, encoding="utf-8")
    outcome = run("gamma", talk, *options.split())

    assert message in outcome.err
    assert not PYTHON.search(outcome.err.replace(str(tmp_path), ""))
    assert (outcome.code in (1, 2), outcome.out) == (True, "")


def test_unknown_suffix_names_the_option(run, tmp_path):
    talk = tmp_path / "talk.txt"
    talk.write_text(GOOD, encoding="utf-8")

    assert "Set --format to one of 'csv', 'tsv'" in run("gamma", talk).err


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("document,annotator\ntalk,ann\n", "'bob' has units but is not among the declared"),
        ("document,annotator\ntale,ann\n", "it has units but no declared annotators"),
        (
            "document,annotator\ntalk,\n",
            "who.csv:2: the annotator is empty; every row needs a docu",
        ),
        ("document,who\ntalk,ann\n", "columns document and annotator; got 'document', 'who'"),
    ],
)
def test_invalid_tables_of_annotators_are_explained(run, tmp_path, table, message):
    talk, who = tmp_path / "talk.csv", tmp_path / "who.csv"
    talk.write_text(GOOD, encoding="utf-8")
    who.write_text(table, encoding="utf-8")
    outcome = run("gamma", talk, "--seen-by", who)

    assert message in outcome.err
    assert not PYTHON.search(outcome.err.replace(str(tmp_path), ""))


def test_every_setting_of_read_has_its_option(run):
    settings = set(inspect.signature(un.read).parameters) - {"paths", "questions"}
    shown = run("gamma", "--help").out

    assert set(OPTIONS) == settings
    for option in (*OPTIONS.values(), *SWITCHED_OFF.values()):
        assert re.search(rf"{option}\b", shown), option


def test_every_setting_of_ratings_has_its_option(run):
    reading = set(inspect.signature(un.read_ratings).parameters) - {"path", "questions"}
    shown = run("items", "--help").out

    assert set(RATING_OPTIONS) == reading
    for options in (RATING_OPTIONS, RATING_SWITCHED_OFF):
        for option in options.values():
            assert re.search(rf"{option}\b", shown), option


def test_settings_in_messages_have_options():
    named = {
        name
        for path in SOURCES.rglob("*.py")
        if path.name != "errors.py"
        for name in re.findall(r"\bsetting\([\"'](\w+)[\"']", path.read_text(encoding="utf-8"))
    }

    assert {"order", "wide", "duplicates", "extent"} <= named
    assert named <= {
        *OPTIONS,
        *RATING_OPTIONS,
        *SETTINGS,
        *CALLED_ALIKE,
        "overwrite_input",  # an option of every command
    }


def test_other_settings_have_options_of_the_same_name():
    known = {name for command in COMMANDS for name in _options_of(command)}

    assert known >= CALLED_ALIKE
    assert read_option_text("worst") == "--worst"
    assert read_option_text("gap_tolerance", 0.1) == "--gap-tolerance 0.1"


def test_na_values_and_missing_are_different_options():
    assert rating_option_text("na_values") == "--na-values"
    assert measure_option_text("missing", "items") == "--missing items"
    assert measure_option_text("annotator_columns", ...) == "--annotator-columns COLUMNS"


def test_settings_of_measures_are_named_by_their_options():
    assert read_option_text("rng", 1) == "--seed 1"
    assert read_option_text("measures") == "--measure"
    assert read_option_text("atom", ...) == "--atom LENGTH"
    assert read_option_text("order", ...) == "--order LABELS"
    assert read_option_text("label", ...) == "--column-label COLUMN"


def test_python_messages_name_keywords():
    with worded(read_option_text):
        assert setting("header", False) == "--no-header"
        assert setting("header", True) == "--header"
        assert setting("delimiter", ";") == "--delimiter ';'"
        assert setting("seen_by", "two words.csv") == "--seen-by 'two words.csv'"
        assert setting("extent", (0, 9.5)) == "--extent 0 9.5"

    assert setting("header", False) == "header=False"
    assert setting("annotator", ...) == "annotator=…"
    assert setting("seen_by") == "seen_by="
