"""Commands overwrite their inputs only on request."""

import os
import zipfile
from pathlib import Path

import pytest

import unisono as un
from unisono.errors import SettingError


@pytest.fixture
def brat(tmp_path, monkeypatch):
    """A folder of brat files with texts, next to the working directory."""
    monkeypatch.chdir(tmp_path)
    for who in ("ann", "bob"):
        (tmp_path / "data" / who).mkdir(parents=True)
        (tmp_path / "data" / who / "talk.txt").write_text("Ann looked it up.")
        standoff = "T1\tname 0 3\tAnn\nR1\trelation Arg1:T1 Arg2:T1\n"
        (tmp_path / "data" / who / "talk.ann").write_text(standoff)
    return tmp_path / "data"


def contents(folder):
    return {each: each.read_bytes() for each in Path(folder).rglob("*") if each.is_file()}


@pytest.mark.parametrize("target", ["data", "./data/../data", "link", "data/ann/.."])
def test_convert_protects_the_files_of_its_input_folder(run, brat, target):
    (brat.parent / "link").symlink_to("data")
    before = contents(brat)
    outcome = run("convert", "data", target, "--to", "brat")
    assert (outcome.code, outcome.out) == (2, "")
    there = os.path.normpath(target) if target.startswith(".") else target
    expected = f"{there}/ann/talk.ann would overwrite the input {brat}/ann/talk.ann"
    assert expected in outcome.err.replace("data/../data", "data")
    assert "--overwrite-input" in outcome.err
    assert contents(brat) == before


def test_convert_overwrites_inputs_if_allowed(run, brat):
    outcome = run("convert", "data", "data", "--to", "brat", "--overwrite-input")
    assert outcome.code == 0
    assert (brat / "ann/talk.ann").read_text() == "T1\tname 0 3\tAnn\n"


def test_nested_folders_are_compared_by_files(run, brat):
    before = contents(brat)
    # ann/talk.ann of the folder above is the input ann/talk.ann of the folder below.
    outcome = run("convert", "data/ann", "data", "--to", "brat", "--annotator-from", "folder")
    assert outcome.code == 2
    assert f"would overwrite the input {brat}/ann/talk.ann" in outcome.err
    assert contents(brat) == before
    # New files are allowed; afterwards they are inputs.
    assert run("convert", "data", "data/out", "--to", "brat").code == 0
    outcome = run("convert", "data", "data/out", "--to", "brat", "--document-from", "{document}")
    assert outcome.code != 0
    assert {path: before[path] for path in before} == {
        path: text for path, text in contents(brat).items() if path in before
    }


@pytest.mark.parametrize("name", ["talk.ann", "talk.txt"])
@pytest.mark.parametrize(
    "command",
    [
        ("gamma", "data", "--draws", "2", "--csv"),
        ("align", "data/ann/talk.ann", "data/bob/talk.ann", "--csv"),
        ("unitizing", "data", "--csv"),
        ("segments", "data", "--csv"),
        ("units", "data", "--draws", "2", "--csv"),
        ("diagnose", "data", "--draws", "2", "--csv"),
        ("advise", "data", "--draws", "2", "--csv"),
        ("calibrate", "data", "--csv"),
        ("consensus", "data", "--csv"),
        ("consensus", "data", "--undecided"),
        ("consensus", "data", "--to", "jsonl", "-o"),
        ("shuffle", "data", "--reference", "ann", "--magnitude", "0.1", "--csv"),
        ("shuffle", "data", "--reference", "ann", "--magnitude", "0.1", "--record"),
        ("curves", "data", "--reference", "ann", "--csv"),
        ("report", "data", "--to", "md", "-o"),
        ("compare", "data/ann", "data/bob", "--csv"),
        ("compare", "data/ann", "data/bob", "--matched"),
        ("plan", "data", "--width", "0.1", "--csv"),
    ],
)
def test_outputs_cannot_replace_files_of_the_input_folder(run, brat, command, name):
    before = contents(brat)
    outcome = run(*command, f"data/ann/{name}")
    assert (outcome.code, outcome.out) == (2, "")
    option = "--output" if command[-1] == "-o" else command[-1]
    assert f"{option} data/ann/{name} would overwrite the input data/ann/{name};" in outcome.err
    assert contents(brat) == before


def test_chart_cannot_replace_an_input(run, tmp_path):
    talk = un.Continuum.from_units([("ann", 0, 3, "A"), ("bob", 0, 3, "A")])
    path = tmp_path / "tasks.json"
    un.write(un.Corpus.from_continua({"talk": talk}), path)
    before = path.read_bytes()
    for command in (("chart", "alignment", path, "-o"), ("curves", path, "--chart")):
        outcome = run(*command, path)
        assert outcome.code == 2
        assert "would overwrite the input" in outcome.err
    assert path.read_bytes() == before


@pytest.mark.parametrize("make", [os.symlink, os.link])
def test_links_to_inputs_are_protected(run, talk, make):
    before = talk.read_bytes()
    other = talk.with_name("other.csv")
    make(talk, other)
    outcome = run("gamma", talk, "--draws", 2, "--csv", other)
    assert outcome.code == 2
    assert f"--csv {other} would overwrite the input {talk}" in outcome.err
    assert talk.read_bytes() == before


def test_archives_are_protected(run, tmp_path, brat):
    archive = tmp_path / "data.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("x", "y")
    outcome = run("convert", tmp_path, archive, "--to", "jsonl")
    assert outcome.code != 0
    assert archive.read_bytes().startswith(b"PK")
    outcome = run("gamma", tmp_path, "--csv", archive)
    assert "would overwrite the input" in outcome.err


def test_option_files_are_protected(run, talk, tmp_path):
    who = tmp_path / "who.csv"
    who.write_text("document,annotator\ntalk,Alex\ntalk,Paul\ntalk,Suzan\n")
    far = tmp_path / "far.csv"
    far.write_text(
        "\n".join(
            [
                ",1,2,3,4,5,6,7",
                *(f"{a}," + ",".join(str(float(a != b)) for b in range(1, 8)) for a in range(1, 8)),
            ]
        )
    )
    for option, path in (("--seen-by", who), ("--distance", far)):
        before = path.read_bytes()
        outcome = run("gamma", talk, "--draws", 2, option, path, "--csv", path)
        assert outcome.code == 2
        assert f"would overwrite the input {path}" in outcome.err
        assert path.read_bytes() == before


def test_results_next_to_the_data_can_be_overwritten(run, brat):
    for _ in range(2):
        outcome = run("report", "data", "--to", "md", "--no-gains", "-o", "data/report.md")
        assert outcome.code == 0, outcome.err


def test_items_protect_their_ratings(run, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n")
    before = path.read_bytes()
    for command in ("items", "missing-policies"):
        outcome = run(command, path, "--csv", path)
        assert outcome.code == 2
        assert "would overwrite the input" in outcome.err
    assert path.read_bytes() == before
    assert run("items", path, "--csv", path, "--overwrite-input").code == 0
    assert path.read_bytes() != before


def test_python_protects_inputs(brat):
    before = contents(brat)
    corpus = un.read("data")
    for derived in (corpus, corpus.only(annotators=["ann"]), un.split_fragments(corpus)):
        with pytest.raises(SettingError, match=r"data/ann/talk.ann.*overwrite_input=True"):
            un.write(derived, "data", format="brat")
    with pytest.raises(SettingError, match=r"talk.txt would overwrite the input"):
        un.write(corpus, "data/ann/talk.txt", format="jsonl")
    assert contents(brat) == before
    un.write(corpus, "data", format="brat", overwrite_input=True)
    assert (brat / "ann/talk.ann").read_text() == "T1\tname 0 3\tAnn\n"


def test_inputs_are_protected_after_chdir(brat, monkeypatch):
    corpus = un.read("data")
    monkeypatch.chdir(brat)
    with pytest.raises(SettingError, match=r"would overwrite the input"):
        un.write(corpus, ".", format="brat")


def test_report_in_python_protects_its_data(tmp_path):
    path = tmp_path / "talk.csv"
    path.write_text("annotator,start,end,label\nann,0,3,a\nbob,0,3,a\nbob,4,5,b\nann,4,6,b\n")
    before = path.read_bytes()
    found = un.report(un.read(path), draws=30, rng=1, gains=False, charts=False)
    with pytest.raises(SettingError, match=r"talk.csv would overwrite the input"):
        found.write(path, format="md")
    assert path.read_bytes() == before
    found.write(path, format="md", overwrite_input=True)
    assert path.read_bytes().startswith(b"# ")


@pytest.mark.parametrize("option", ["overwrite-input", "raw-csv"])
def test_settings_file_cannot_allow_overwriting(run, talk, monkeypatch, option):
    monkeypatch.chdir(talk.parent)
    (talk.parent / "unisono.toml").write_text(f"[default]\n{option} = true\n")
    before = talk.read_bytes()
    outcome = run("gamma", talk, "--draws", 2, "--csv", talk)
    assert outcome.code == 2
    assert talk.read_bytes() == before
    assert f"no command has an option '{option}' for settings files" in outcome.err
