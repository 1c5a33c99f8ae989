import csv

import pytest

import unisono as un
from unisono.results.record import without_data


def test_text_output_lists_groups_by_position(run, talk):
    outcome = run("align", talk)
    lines = outcome.out.splitlines()

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == "talk"
    assert lines[1].split() == ["group", "disorder", "Alex", "Paul", "Suzan"]
    assert lines[3].split() == ["1", "0.0000", "2–9", "1", "2–9", "1", "2–9", "1"]
    assert "disorder    0.6535" in lines
    assert "alignment   proven optimal" in lines
    assert "annotators  3 (counted: those with units in the document)" in lines
    assert lines[-1].startswith("alignment|")


def test_csv_has_one_row_per_unit(run, talk, tmp_path):
    target = tmp_path / "groups.csv"
    outcome = run("align", talk, "--csv", target)
    rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))

    assert outcome.code == 0
    assert list(rows[0]) == ["group", "disorder", "annotator", "start", "end", "label"]
    assert len(rows) == 16
    assert rows[0] == {
        "group": "1",
        "disorder": "0.0",
        "annotator": "Alex",
        "start": "2.0",
        "end": "9.0",
        "label": "1",
    }
    total = sum({row["group"]: float(row["disorder"]) for row in rows}.values())
    assert total / (16 / 3) == pytest.approx(0.6535417, abs=5e-8)


def test_csv_without_a_name_goes_to_stdout_alone(run, talk):
    assert run("align", talk, "--csv").out.startswith("group,disorder,annotator,start,end,label\n")


def test_json_equals_python(run, talk):
    record = run("align", talk, "--json").record
    corpus = un.read(talk)
    found = un.best_alignment(corpus["talk"])
    alignment = without_data(found.to_dict())
    signature = str(found.signature).replace(corpus["talk"].digest[:8], corpus.digest[:8])

    assert record["document"] == "talk"
    assert {name: record[name] for name in alignment} == alignment | {
        "document": "talk",
        "signature": signature,
    }
    assert record["data"]["annotators"] == list(corpus.annotators)
    assert (record["n_annotators"], record["n_units"]) == (3, 16)
    assert (record["annotators_from"], record["skipped"]) == ("units", 0)


def test_weights_reach_the_alignment(run, talk):
    record = run("align", talk, "--position", 3, "--json").record
    heavy = un.best_alignment(
        un.read(talk)["talk"], dissimilarity=un.CombinedDissimilarity(position=3)
    )

    assert record["disorder"] == heavy.disorder


def test_document_is_selected_by_name(run, talks):
    assert run("align", talks, "--document", "alike", "--json").record["disorder"] == 0.0


def test_several_documents_are_a_usage_error(run, talks):
    outcome = run("align", talks)

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "unisono: align needs one document, but there are 3; "
        "choose one with --document: alike, lone, unlike\n"
    )


def test_unknown_document_has_suggestions(run, talks):
    outcome = run("align", talks, "--document", "alyke")

    assert outcome.code == 2
    assert "unknown document 'alyke'; choose one of alike," in outcome.err


def test_single_annotator_has_a_trivial_alignment(run, talks):
    outcome = run("align", talks / "lone.csv")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("unisono: ")


def test_long_alignment_is_truncated(run, talk):
    groups = len(un.best_alignment(un.read(talk)["talk"]))

    shown = run("align", talk, "--rows", 2).out
    assert f"and {groups - 2} more groups; use --csv or --json for all" in shown


def test_skipped_rows_are_reported(run, talk):
    talk.write_text(talk.read_text() + "Suzan,7,60,x\n", encoding="utf-8")

    shown = run("align", talk, "--on-error", "skip").out
    assert "skipped     1 row that could not be read" in shown


def test_csv_and_json_cannot_share_stdout(run, talk):
    outcome = run("align", talk, "--csv", "--json")

    assert (outcome.code, outcome.out) == (2, "")
    assert "cannot both write" in outcome.err
