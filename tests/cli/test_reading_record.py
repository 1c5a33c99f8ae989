"""Questions, selections and the record of how files were read, on the command line."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

import unisono as un
from unisono.formats.contents import Gathered
from unisono.results import Question, Reading, Remark

CORPUS = "examples/corpus"
RATINGS = "examples/politeness.csv"
QUESTION = Question(
    "not-an-annotator",
    "mika does not look like an annotator.",
    (
        Reading("keep it", {"annotators": 3}),
        Reading("leave it out", {"annotators": 2}, {"annotators": "all but mika"}),
    ),
)
WARNING = Remark("Ann and ann count as two annotators.", 2, code="similar-names")


@pytest.fixture
def doubtful(monkeypatch):
    """Let every corpus that is read have a question and a warning."""
    read = Gathered.corpus

    def corpus(gathered, *arguments, **keywords):
        found = read(gathered, *arguments, **keywords)
        record = found.interpretation
        assert record is not None
        return found.with_interpretation(
            replace(record, questions=(QUESTION,), warnings=(*record.warnings, WARNING))
        )

    monkeypatch.setattr(Gathered, "corpus", corpus)


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    "command", ["gamma", "units", "unitizing", "diagnose", "advise", "consensus", "convert"]
)
def test_a_question_stops_every_command_with_its_readings(run, command, tmp_path):
    outcome = run(command, CORPUS, *([tmp_path / "out.csv"] if command == "convert" else []))

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines() == [
        f"unisono: {CORPUS}: mika does not look like an annotator.",
        "  1) keep it: 3 annotators. Set --accept not-an-annotator",
        "  2) leave it out: 2 annotators. Set --annotators 'all but mika'",
    ]


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    ("options", "compared"),
    [
        (("--accept", "not-an-annotator"), "3 annotators (ines, jonas, mika)"),
        (("--annotators", "all but mika"), "2 annotators (ines, jonas)"),
    ],
)
def test_each_reading_can_be_chosen(run, options, compared):
    outcome = run("unitizing", CORPUS, *options)

    assert outcome.code == 0
    assert compared in outcome.out
    assert outcome.err.splitlines() == [f"unisono: note: {WARNING.text}"]


@pytest.mark.usefixtures("doubtful")
def test_the_answer_can_be_in_the_settings_file(run, tmp_path, monkeypatch):
    corpus = un.read(CORPUS, questions="keep")
    un.write(corpus, tmp_path / "data.csv")
    (tmp_path / "unisono.toml").write_text('[reading]\nannotators = "all but mika"\n')
    monkeypatch.chdir(tmp_path)

    outcome = run("unitizing", "data.csv")

    assert outcome.code == 0
    assert "2 annotators (ines, jonas)" in outcome.out
    assert "unisono.toml sets --annotators all but mika" in outcome.err


@pytest.mark.usefixtures("doubtful")
def test_describe_shows_the_record_first_and_keeps_the_question(run):
    outcome = run("describe", CORPUS)
    record = run("describe", CORPUS, "--json").record

    assert outcome.code == 0
    assert outcome.out.index("Questions about the files") < outcome.out.index("Which measures fit")
    assert "the question not-an-annotator about the files is open" in outcome.out.replace(
        "\n              ", " "
    )
    assert [each["code"] for each in record["interpretation"]["questions"]] == [QUESTION.code]


def test_the_record_is_in_json_of_measuring_commands(run):
    for command, path in (("unitizing", CORPUS), ("items", RATINGS)):
        record = run(
            command, path, "--annotators", "all but mika" if path == CORPUS else "a*,b*", "--json"
        ).record
        assert record["data"]["n_annotators"] == 2
        assert record["interpretation"]["formats"]
        assert "annotators" in record["interpretation"]["selected"]
        assert "sources" not in record["interpretation"]


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        (CORPUS, ("--annotators", "Mika"), "Did you mean 'mika'?"),
        (CORPUS, ("--documents", "markt"), "Did you mean 'market'?"),
        (CORPUS, ("--labels", "persn"), "Did you mean 'person'?"),
        (RATINGS, ("--annotators", "adda"), "Did you mean 'ada'?"),
    ],
)
def test_unknown_names_get_a_suggestion(run, path, options, message):
    outcome = run("items" if path == RATINGS else "gamma", path, *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_layers_are_selected_by_patterns(run, tmp_path):
    table = tmp_path / "talk.csv"
    rows = ["annotator,start,end,label,layer"]
    rows += [
        f"{who},{at},{at + 2},x,{layer}"
        for who in "ab"
        for layer, at in (("words1", 0), ("words2", 3), ("noise", 6))
    ]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")

    found = run("describe", table, "--tiers", "words*", "--json").record
    others = run("describe", table, "--layers", "all but words*", "--json").record
    unknown = run("describe", table, "--layer", "word1")

    assert (found["n_units"], others["n_units"]) == (4, 2)
    assert found["interpretation"]["chosen_layers"] == ["words1", "words2"]
    assert "Did you mean 'words1'?" in unknown.err


def test_describe_saves_how_files_are_read(run, tmp_path, monkeypatch):
    table = tmp_path / "data.csv"
    table.write_text("who,a,b,x,y\nann,one,p,0,5\nbob,one,p,1,5\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "unisono.toml").write_text('[gamma]\nseed = 3\n\n[reading]\nlabel = "old"\n')
    columns = ("--column-annotator", "who", "--column-start", "x", "--column-end", "y")

    saved = run(
        "describe",
        "data.csv",
        *columns,
        "--column-document",
        "a",
        "--column-label",
        "b",
        "--annotators",
        "a*,b*",
        "--save",
        "--no-config",
    )
    content = tomllib.loads((tmp_path / "unisono.toml").read_text(encoding="utf-8"))

    assert saved.code == 0, saved.err
    assert content["gamma"] == {"seed": 3}
    assert content["reading"]["annotators"] == ["a*", "b*"]
    assert content["reading"].get("label", "b") == "b"


def test_describe_detects_ratings(run):
    record = run("describe", RATINGS, "--json").record
    asked = run("describe", "examples/topics.csv", "--wide", "--json").record
    units = run("describe", RATINGS, "--of", "units")

    assert (record["n_items"], record["fits"]) == (24, True)
    assert asked["n_items"] == 16
    assert (units.code, "no column for" in units.err) == (1, True)
