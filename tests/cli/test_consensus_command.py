import csv
import json

import pytest

import unisono as un


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def test_text_output_has_units_and_undecided_groups(run, talk):
    outcome = run("consensus", talk)
    lines = outcome.out.splitlines()

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == "talk"
    headings = ["label", "start", "end", "marked", "by", "same", "label", "spread"]
    assert lines[1].split() == headings
    assert lines[3].split() == ["1", "2", "9", "3", "of", "3", "3", "of", "3", "0", "/", "0"]
    assert "support     50.0 % (of the annotators, at least two)" in lines
    assert "the labels 2, 3, 4      Alex: 11–17 2; Paul: 11–17 3; Suzan: 11–17 4" in outcome.out
    assert "undecided   2 (0 for too little support, 2 for a tie of labels)" in lines


def test_json_equals_python(run, talks):
    record = run("consensus", talks, "--json", "--support", 1).record

    assert record == un.consensus(un.read(talks), support=1).to_dict()
    assert record["left_out_documents"] == ["lone"]


def test_csv_is_read_again_as_a_corpus(run, talks, tmp_path):
    target = tmp_path / "gold.csv"
    outcome = run("consensus", talks, "--csv", target)
    again = un.read(target)
    alike = un.consensus(un.read(talks)).documents["alike"].continuum

    assert outcome.code == 0
    assert alike is not None
    assert again.annotators == ("consensus",)
    assert [(u.start, u.end, str(u.label)) for u in again["alike"]] == [
        (u.start, u.end, str(u.label)) for u in alike
    ]
    assert run("compare", target, talks / "alike.csv", "--hypothesis", "Alex", "--json").code == 0


def test_csv_alone_goes_to_stdout(run, talk):
    rows = rows_of(run("consensus", talk, "--csv").out)

    assert list(rows[0])[:5] == ["document", "annotator", "start", "end", "label"]
    assert {row["document"] for row in rows} == {"talk"}


@pytest.mark.parametrize(
    ("suffix", "beginning"), [("md", "### talk"), ("html", "<!DOCTYPE html>"), ("tex", "% talk")]
)
def test_text_output_can_be_written_to_a_file(run, talk, tmp_path, suffix, beginning):
    target = tmp_path / f"gold.{suffix}"
    outcome = run("consensus", talk, "-o", target)

    assert (outcome.code, outcome.out) == (0, f"written to {target}\n")
    assert target.read_text(encoding="utf-8").startswith(beginning)
    assert run("consensus", talk, "-o", target, "--undecided", target).code == 2


def test_undecided_units_are_written_to_a_file(run, talk, tmp_path):
    target = tmp_path / "decide.csv"
    run("consensus", talk, "--undecided", target)
    rows = rows_of(target.read_text(encoding="utf-8"))
    undecided = un.consensus(un.read(talk)).undecided

    assert len(rows) == sum(len(group.units) for group in undecided)
    assert rows[0]["why"] in {"labels", "support"}
    assert un.read(target).n_units == len(rows)


def test_result_is_written_to_files(run, talk, tmp_path):
    tables, whole = tmp_path / "gold.csv", tmp_path / "gold.json"
    printed = run("consensus", talk, "--csv").out

    assert run("consensus", talk, "-o", tables).out == f"written to {tables}\n"
    assert tables.read_text(encoding="utf-8") == printed
    assert run("consensus", talk, "-o", whole).out == f"written to {whole}\n"
    written = json.loads(whole.read_text(encoding="utf-8"))
    assert written == json.loads(run("consensus", talk, "--json").out)
    assert written["units"][0]["support"] == 1.0


def test_atoms_round_positions(run, talk):
    rows = rows_of(run("consensus", talk, "--atom", 2, "--csv").out)

    assert all(float(row["start"]) % 2 == float(row["end"]) % 2 == 0 for row in rows)


def test_missing_consensus_is_reported(run, tmp_path):
    path = tmp_path / "apart.csv"
    path.write_text("annotator,label,start,end\na,X,0,5\nb,Y,50,55\n", encoding="utf-8")
    outcome = run("consensus", path)

    assert outcome.code == 0
    assert outcome.out.startswith("no unit has enough support; all groups are undecided\n")


def test_invalid_options_are_rejected(run, talk, talks, tmp_path):
    assert run("consensus", talk, "--support", 2).code == 2
    assert "--support must be from 0 to 1" in run("consensus", talk, "--support", 2).err
    assert run("consensus", talk, "--rows", 0).code == 2
    assert run("consensus", talk, "--undecided", "-").code == 2
    same = tmp_path / "same.csv"
    assert run("consensus", talk, "--csv", same, "--undecided", same).code == 2
    assert run("consensus", talk, "--undecided", talk).code == 2
    assert run("consensus", talks / "lone.csv").code == 1


@pytest.mark.filterwarnings("ignore:.*cannot hold")
@pytest.mark.parametrize(
    ("target", "more"),
    [
        ("gold.csv", ("--to", "csv")),
        ("gold.tsv", ()),
        ("gold.jsonl", ()),
        ("gold.TextGrid", ()),
        ("gold.eaf", ()),
        ("gold.aa", ()),
        ("gold.json", ("--to", "labelstudio")),
        ("gold", ("--to", "brat")),
    ],
)
def test_consensus_is_written_in_all_formats(run, texts, tmp_path, target, more):
    outcome = run("consensus", texts, "-o", tmp_path / target, "--atom", 1, *more)
    again = un.read(tmp_path / target)
    found = un.consensus(un.read(texts), atom=1)

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[-1] == f"2 units written to {tmp_path / target}"
    (continuum,) = again.values()
    assert [(u.start, u.end, u.label) for u in continuum] == [
        (u.start, u.end, u.label) for u in found.units
    ]
    assert again.annotators == ("consensus",)


@pytest.fixture
def texts(tmp_path):
    """A brat project of three annotators with two common units."""
    for annotator, end in (("ann", 3), ("bob", 3), ("eve", 4)):
        folder = tmp_path / "project" / annotator
        folder.mkdir(parents=True)
        (folder / "talk.txt").write_text("Ann 😀 met Bob.", encoding="utf-8")
        lines = [f"T1\tPER 0 {end}\tAnn\n", "T2\tPER 10 13\tBob\n"]
        (folder / "talk.ann").write_text("".join(lines), encoding="utf-8")
    return tmp_path / "project"


def test_text_is_written_with_the_consensus(run, texts, tmp_path):
    run("consensus", texts, "-o", tmp_path / "gold", "--to", "brat", "-q")

    assert (tmp_path / "gold/consensus/talk.txt").read_text(encoding="utf-8") == "Ann 😀 met Bob."
    written = (tmp_path / "gold/consensus/talk.ann").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t", 1)[1] for line in written] == ["PER 0 3\tAnn", "PER 10 13\tBob"]


@pytest.mark.filterwarnings("ignore:.*cannot hold")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--to", "brat"), 2, "--to brat is the format of --output; add --output FILE"),
        (("-o", "gold.xyz"), 2, "'gold.xyz' cannot be detected; choose one of 'csv'"),
        (("-o", "gold"), 2, "'glozz' with --to"),
        (("-o", "no/gold.csv"), 1, "no such folder"),
        (("-o", "talk.csv"), 2, "--output talk.csv would overwrite the input"),
        (("-o", "a.csv", "--csv", "a.csv"), 2, "cannot both write a.csv"),
        (("--output=-",), 2, "use --csv to write to stdout"),
        (("-o", "gold", "--to", "brat"), 1, "Use --atom 1 to round medians to whole positions"),
    ],
)
def test_invalid_output_targets_are_rejected(run, tmp_path, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.csv").write_text("annotator,start,end,label\nann,0,4,A\nbob,0,5,A\n")
    outcome = run("consensus", "talk.csv", *arguments)

    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err


def test_consensus_shows_more_rows_by_default(run):
    assert "[default: 40]" in run("consensus", "--help").out
    assert "[default: 10]" in run("diagnose", "--help").out
