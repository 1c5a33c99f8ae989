import csv
from pathlib import Path

import pytest

import unisono as un


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def test_text_output_is_a_table(run, talk):
    outcome = run("gamma", talk, "--draws", 30, "--seed", 42)

    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0] == "talk"
    assert lines[1].split("  ")[0] == "measure"
    assert "0.6535" in next(line for line in lines if line.startswith("γ "))
    assert any(line.startswith("γcat ") for line in lines)
    shown = [line.split() for line in lines[5:12]]
    assert sorted(row[1] for row in shown) == list("1234567")
    units = [int(row[-1]) for row in shown]
    assert units == sorted(units, reverse=True)
    assert sum(units) == 16
    assert "annotators  3 (counted: those with units in the document)" in lines
    assert "units       16" in lines
    assert "alignment   proven optimal" in lines
    assert lines[-1].startswith("gamma|")
    assert "|seed:42|" in lines[-1]


def test_colours_need_a_terminal(run, talk):
    assert "\x1b" not in run("gamma", talk, "--draws", 30).out


def test_json_equals_python(run, talk):
    outcome = run("gamma", talk, "--draws", 30, "--seed", 42, "--json")
    result = un.gamma(un.read(talk), draws=30, rng=42)

    assert outcome.code == 0
    assert outcome.record == result.to_dict()


def test_json_has_the_documented_keys(run, talk):
    record = run("gamma", talk, "--draws", 30, "--json").record

    assert record["observed"] == pytest.approx(0.6535417, abs=5e-8)
    assert record["value"] == pytest.approx(1 - record["observed"] / record["expected"])
    assert (record["draws"], record["proven"]) == (30, True)
    assert record["gamma_cat"]["value"] <= 1.0
    assert list(record["gamma_k"]) == list("1234567")
    assert record["gamma_k"]["1"]["observed"] == 0.0
    assert list(record["documents"]) == ["talk"]
    assert record["documents"]["talk"]["alignment"]["proven"] is True
    assert un.results.Signature.parse(record["signature"]).measure == "gamma"


def test_seed_makes_runs_reproducible(run, talk):
    first = run("gamma", talk, "--draws", 30, "--json").record
    seed = un.results.Signature.parse(first["signature"])["seed"]

    assert run("gamma", talk, "--draws", 30, "--seed", seed, "--json").record == first


def test_workers_do_not_change_values(run, talk):
    options = ("gamma", talk, "--draws", 40, "--seed", 1, "--json")

    assert run(*options, "--workers", 1).out == run(*options, "--workers", 3).out


def test_weights_reach_the_measure(run, talk):
    plain = run("gamma", talk, "--draws", 30, "--json").record
    weighted = run("gamma", talk, "--position", 3, "--label", 0.5, "--draws", 30, "--json").record
    expected = un.best_alignment(
        un.read(talk)["talk"], dissimilarity=un.CombinedDissimilarity(position=3, label=0.5)
    )

    assert weighted["observed"] == pytest.approx(expected.disorder)
    assert weighted["observed"] != plain["observed"]


def test_steep_distance_option(run, talk):
    record = run("gamma", talk, "--steep", "--draws", 30, "--json").record
    steep = un.best_alignment(
        un.read(talk)["talk"], dissimilarity=un.CombinedDissimilarity(steep=True)
    )

    assert record["observed"] == pytest.approx(steep.disorder)


def test_perfect_agreement_does_not_depend_on_the_empty_cost(run, talk):
    options = ("gamma", talk, "--draws", 30, "--seed", 3, "--json")
    value = run(*options).record["value"]

    assert run(*options, "--empty", 2).record["value"] == pytest.approx(value, rel=1e-9)


def test_a_named_distance_is_used(run, talk):
    record = run("gamma", talk, "--distance", "ordinal", "--draws", 30, "--json").record

    assert "ordinal" in record["signature"]


def test_a_distance_may_come_from_a_file(run, talk, tmp_path):
    labels = "1234567"
    lines = [",".join(["", *labels])]
    lines += [",".join([a, *("0" if a == b else "1" for b in labels)]) for a in labels]
    matrix = tmp_path / "matrix.csv"
    matrix.write_text("\n".join(lines), encoding="utf-8")
    record = run("gamma", talk, "--distance", matrix, "--draws", 30, "--json").record

    assert record["observed"] == pytest.approx(0.6535417, abs=5e-8)


def test_gamma_software_has_its_own_position_weight(run, talk):
    preset = ("gamma", talk, "--chance", "gamma-software", "--draws", 30, "--seed", 1, "--json")
    record = run(*preset).record

    assert run(*preset, "--label", 1).record["value"] == record["value"]
    assert run(*preset, "--position", 1).record["value"] != record["value"]


def test_corpus_lists_documents_by_agreement(run, talks):
    outcome = run("gamma", talks, "--draws", 30, "--seed", 42)
    lines = outcome.out.splitlines()
    heading = next(i for i, line in enumerate(lines) if line.startswith("document "))

    assert lines[0] == "3 documents, pooled"
    assert lines[heading + 2].startswith("unlike ")
    assert lines[heading + 3].split()[:2] == ["alike", "1.000"]
    assert lines[heading + 4].startswith("lone ")
    assert "undefined" in lines[heading + 4]
    assert "1 document undefined: " in outcome.out


def test_table_of_documents_is_truncated(run, talks):
    assert (
        "and 2 more documents; use --csv or --json for all" in run("gamma", talks, "--rows", 1).out
    )


def test_table_of_labels_is_truncated(run, tmp_path):
    rows = [(who, f"L{i}", i, i + 1) for who in ("ann", "bob") for i in range(50)]
    table = tmp_path / "many.csv"
    table.write_text("\n".join(",".join(map(str, row)) for row in rows), encoding="utf-8")

    assert (
        "and 10 more labels; use --csv or --json for all" in run("gamma", table, "--draws", 30).out
    )


def test_several_paths_are_one_corpus(run, talk, talks):
    record = run("gamma", talk, talks, "--draws", 30, "--json").record

    assert sorted(record["documents"]) == ["alike", "lone", "talk", "unlike"]


def test_csv_has_one_row_per_document_and_one_for_all(run, talks, tmp_path):
    target = tmp_path / "values.csv"
    outcome = run("gamma", talks, "--draws", 30, "--seed", 1, "--csv", target, "--json")
    rows = rows_of(target.read_text(encoding="utf-8"))

    assert [(row["scope"], row["document"]) for row in rows] == [
        ("all", ""),
        ("document", "alike"),
        ("document", "lone"),
        ("document", "unlike"),
    ]
    assert float(rows[0]["value"]) == outcome.record["value"]
    assert float(rows[1]["gamma_cat"]) == 1.0
    assert (
        float(rows[3]["gamma_k:6"])
        == outcome.record["documents"]["unlike"]["gamma_k"]["6"]["value"]
    )
    assert (rows[2]["value"], bool(rows[2]["undefined"])) == ("", True)


def test_csv_without_a_name_goes_to_stdout_alone(run, talk):
    for arguments in (("--csv",), ("--csv", "-"), ("--csv=-",)):
        outcome = run("gamma", talk, *arguments, "--draws", 30)
        assert [row["scope"] for row in rows_of(outcome.out)] == ["all", "document"]


def test_input_file_is_not_overwritten(run, talk):
    before = talk.read_bytes()
    outcome = run("gamma", talk, "--csv", talk)

    assert (outcome.code, outcome.out) == (2, "")
    assert "would overwrite" in outcome.err
    assert talk.read_bytes() == before


def test_files_are_written_atomically(run, talk, tmp_path, monkeypatch):
    target = tmp_path / "values.csv"
    target.write_text("of yesterday", encoding="utf-8")

    def fail(*_):
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", fail)
    outcome = run("gamma", talk, "--draws", 30, "--csv", target)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f"unisono: {target}: No space left on device\n"
    assert target.read_text(encoding="utf-8") == "of yesterday"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["talk.csv", "values.csv"]


def test_missing_folder_is_reported_before_the_computation(run, talk, tmp_path, monkeypatch):
    monkeypatch.setattr("unisono.measures.gamma.gamma.gamma", None)
    outcome = run("gamma", talk, "--csv", tmp_path / "nowhere" / "values.csv")

    assert outcome.code == 1
    assert "no such folder" in outcome.err


def test_folder_is_not_a_valid_target(run, talk, tmp_path):
    assert run("gamma", talk, "--csv", tmp_path).code == 1


def test_single_annotator_has_an_undefined_value(run, talks):
    outcome = run("gamma", talks / "lone.csv", "--draws", 30)
    record = run("gamma", talks / "lone.csv", "--draws", 30, "--json").record

    assert outcome.code == 1
    assert outcome.err.startswith("unisono: γ is undefined: agreement needs two annotators")
    assert "undefined" in outcome.out
    assert record["value"] is None
    assert record["undefined"] in " ".join(outcome.out.split())


def test_annotators_of_documents_are_reported_and_selectable(run, talks, tmp_path):
    who = tmp_path / "who.csv"
    pairs = [(name, annotator) for name in ("alike", "lone", "unlike") for annotator in "AP"]
    names = {"A": "Alex", "P": "Paul"}
    lines = ["document,annotator", *(f"{name},{names[initial]}" for name, initial in pairs)]
    who.write_text("\n".join(lines), encoding="utf-8")
    of_units, of_corpus, of_table = (
        run("gamma", talks, "--seen-by", choice, "--draws", 30, "--json").record
        for choice in ("units", "corpus", who)
    )

    assert of_units["documents"]["lone"]["n_annotators"] == 1
    assert of_corpus["documents"]["lone"]["n_annotators"] == 2
    assert of_table["documents"]["lone"]["n_annotators"] == 2
    assert [of["annotators_from"] for of in (of_units, of_corpus, of_table)] == [
        "units",
        "corpus",
        "declared",
    ]
    shown = run("gamma", talks, "--seen-by", "corpus", "--draws", 30).out
    assert "(counted: all annotators of the corpus)" in shown


def test_invalid_rows_are_errors_with_file_and_line(run, talk):
    talk.write_text(talk.read_text() + "Suzan,7,60,x\n", encoding="utf-8")
    outcome = run("gamma", talk)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"unisono: {talk}:18: ")


def test_invalid_row_is_quoted(run, talk):
    talk.write_text(talk.read_text() + 'Suzan,7,"60,5",70\n', encoding="utf-8")

    assert """; the row is 'Suzan,7,"60,5",70'""" in run("gamma", talk).err


def test_invalid_rows_can_be_skipped(run, talk):
    talk.write_text(talk.read_text() + "Suzan,7,60,x\n", encoding="utf-8")
    skipping = ("gamma", talk, "--on-error", "skip", "--draws", 30)

    assert run(*skipping).out.count("1 row that could not be read") == 1
    assert run(*skipping).out.count("skipped") == 1
    assert run(*skipping, "--json").record["skipped"] == 1


def test_columns_may_have_any_names(run, tmp_path):
    table = tmp_path / "own.txt"
    rows = ["who;what;from;to", "ann;A;0;2", "bob;A;0;2"]
    table.write_text("\n".join(rows), encoding="utf-8")
    columns = {"annotator": "who", "label": "what", "start": "from", "end": "to"}
    options = [part for role, name in columns.items() for part in (f"--column-{role}", name)]
    outcome = run("gamma", table, "--format", "csv", "--delimiter", ";", *options, "--json")

    assert outcome.record["n_units"] == 2


def test_columns_may_be_numbers(run, tmp_path):
    table = tmp_path / "own.tsv"
    table.write_text("0\t2\tann\tA\n0\t2\tbob\tA\n", encoding="utf-8")
    columns = {"start": 1, "end": 2, "annotator": 3, "label": 4}
    options = [part for role, place in columns.items() for part in (f"--column-{role}", place)]
    outcome = run("gamma", table, "--no-header", "--delimiter", "tab", *options, "--json")

    assert outcome.record["n_units"] == 2
    assert list(outcome.record["gamma_k"]) == ["A"]


def test_units_may_have_no_labels(run, tmp_path):
    table = tmp_path / "own.csv"
    table.write_text("annotator,start,end,mood\nann,0,2,x\nbob,0,2,y\n", encoding="utf-8")
    record = run("gamma", table, "--no-labels", "--draws", 30, "--json").record

    assert (record["n_units"], record["gamma_k"]) == (2, {})


def test_extent_option(run, talk):
    options = ("gamma", talk, "--draws", 30, "--seed", 1, "--json")
    output_text = run(*options, "--extent", -5, 90.5).record
    result = un.gamma(un.read(talk, extent=(-5, 90.5)), draws=30, rng=1)

    assert output_text == result.to_dict()
    assert output_text["expected"] != run(*options).record["expected"]


def test_one_file_may_hold_several_documents(run, tmp_path):
    table = tmp_path / "all.csv"
    rows = ["talk,annotator,start,end,label"]
    rows += [f"{talk},{who},0,2,A" for talk in ("x", "y") for who in ("ann", "bob")]
    table.write_text("\n".join(rows), encoding="utf-8")
    outcome = run("gamma", table, "--column-document", "talk", "--draws", 30, "--json")

    assert list(outcome.record["documents"]) == ["x", "y"]


def test_control_characters_in_labels_are_escaped(run, tmp_path):
    table = tmp_path / "odd.csv"
    rows = [
        f"{who},{label},{i},{i + 1}" for who in "ab" for i, label in enumerate(["[red]", "\x1b[2J"])
    ]
    table.write_text("\n".join(rows), encoding="utf-8")
    outcome = run("gamma", table, "--no-header", "--draws", 30)

    assert outcome.code == 0
    assert "γk [red]" in outcome.out
    assert "\x1b" not in outcome.out


def test_draws_and_precision_exclude_each_other(run, talk):
    outcome = run("gamma", talk, "--draws", 30, "--precision", 0.1)

    assert (outcome.code, outcome.out) == (2, "")
    assert "exclude each other" in outcome.err


def test_precision_and_confidence_determine_the_draws(run, talk):
    options = ("gamma", talk, "--seed", 1, "--json", "--precision")
    coarse = run(*options, 0.2).record
    fine = run(*options, 0.01).record
    sure = run(*options, 0.01, "--confidence", 0.99).record

    assert coarse["draws"] == 30
    assert 30 < fine["draws"] < sure["draws"]
    assert sure["monte_carlo"]["confidence"] == 0.99


def test_chance_from_selected_annotators(run, talk):
    record = run("gamma", talk, "--draws", 30, "--seed", 1, "--chance-from", "Alex,Paul", "--json")
    found = un.gamma(un.read(talk), draws=30, rng=1, chance_from=("Alex", "Paul"))

    assert record.record["value"] == found.value
    assert "|from:Alex,Paul|" in record.record["signature"]


@pytest.mark.parametrize("names", ["", "Alex,,Paul", "Zoe"])
def test_invalid_chance_from_is_rejected(run, talk, names):
    outcome = run("gamma", talk, "--chance-from", names)

    assert outcome.code in (1, 2)
    assert (
        "--chance-from must be a comma-separated list" in outcome.err
        or "no annotator 'Zoe'" in outcome.err
    )


def test_formulas_are_escaped_by_default(run, tmp_path):
    path = tmp_path / "talk.csv"
    rows = [
        f"{who},{at},{at + 5},{label}" for who in "ab" for at, label in ((0, "=1+1"), (9, "-x"))
    ]
    path.write_text("\n".join(["annotator,start,end,label", *rows]))
    safe = run("align", path, "--csv").out.splitlines()[1:]
    raw = run("align", path, "--csv", "--raw-csv").out.splitlines()[1:]
    assert [line.rpartition(",")[2] for line in safe] == ["'=1+1", "'=1+1", "'-x", "'-x"]
    assert [line.rpartition(",")[2] for line in raw] == ["=1+1", "=1+1", "-x", "-x"]
    assert (
        run("shuffle", path, "--reference", "a", "--magnitude", 0, "--csv").out.count("=1+1") == 3
    )
