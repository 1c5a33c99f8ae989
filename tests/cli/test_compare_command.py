import csv
import io

import pytest

import unisono as un

GOLD = [("ann", 0, 5, "A"), ("ann", 10, 15, "A"), ("ann", 20, 25, "B")]
SYSTEM = [("bot", 0, 5, "A"), ("bot", 10, 15.4, "A"), ("bot", 20, 29, "A"), ("bot", 40, 41, "B")]


def write(path, rows):
    path.parent.mkdir(exist_ok=True)
    lines = ["annotator,start,end,label", *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def gold(tmp_path):
    return write(tmp_path / "gold.csv", GOLD)


@pytest.fixture
def system(tmp_path):
    return write(tmp_path / "system.csv", SYSTEM)


@pytest.fixture
def folders(tmp_path):
    for name, rows in (("gold", GOLD), ("system", SYSTEM)):
        for document in ("monday", "tuesday"):
            write(tmp_path / name / f"{document}.csv", rows)
    return tmp_path / "gold", tmp_path / "system"


def test_json_is_the_record_of_python(run, gold, system):
    result = un.compare(un.read(gold), un.read(system), tolerance=0.5, draws=20, rng=4)

    record = run(
        "compare", gold, system, "--json", "--tolerance", 0.5, "--draws", 20, "--seed", 4
    ).record

    assert record == result.to_dict()
    assert record["tolerant"]["overall"]["matched"] == 2


def test_text_output_has_scores_errors_and_gamma(run, gold, system):
    outcome = run("compare", gold, system, "--seed", 4, "--draws", 20, "--tolerance", 0.5)

    assert outcome.code == 0
    for text in (
        "system.csv against gold.csv",
        "tolerant ±0.5, any label",
        "label (tolerant)",
        "γcat",
        "ann, 3 units",
        "bot, 4 units",
        "confusions       B → A 1",
        "2 correct, 1 both, 1 inserted",
        "|from:ann|",
    ):
        assert text in outcome.out
    assert "from the units of the reference only" in " ".join(outcome.out.split())
    assert max(map(len, outcome.out.split("\n\ncompare|")[0].splitlines())) <= 80


def test_matching_level_is_selectable(run, folders):
    outcome = run("compare", *folders, "--no-gamma", "--level", "overlap")

    assert "label (overlap)" in outcome.out
    (line,) = [line for line in outcome.out.splitlines() if line.startswith("monday")]
    exact = un.compare(*map(un.read, folders), with_gamma=False)
    assert float(line.split()[3]) == round(exact.overlap.f1, 4) != round(exact.exact.f1, 4)


def test_slot_errors_are_shown_by_label(run, gold, system):
    lines = [line.split() for line in run("compare", gold, system, "--no-gamma").out.splitlines()]

    assert ["A", "0.2500", "2", "1", "0", "1", "0", "0", "0"] in lines


@pytest.mark.parametrize(
    ("suffix", "message"),
    [
        (".md", "| exact, any label "),
        (".html", "<caption>Slot errors</caption>"),
        (".tex", r"\begin{tabular}{lrrrr}"),
        (".csv", "scope,document,match,scores,label,precision"),
        (".json", '"exact": {'),
    ],
)
def test_the_result_can_be_written_to_a_file(run, tmp_path, gold, system, suffix, message):
    target = tmp_path / f"scores{suffix}"

    outcome = run("compare", gold, system, "--no-gamma", "-o", target)

    assert (outcome.code, outcome.out) == (0, f"written to {target}\n")
    assert message in target.read_text(encoding="utf-8")


def test_gamma_can_be_left_out(run, gold, system):
    outcome = run("compare", gold, system, "--no-gamma")

    assert "γ" not in outcome.out
    assert run("compare", gold, system, "--no-gamma", "--json").record["gamma"] is None


def test_one_file_can_hold_both_sides(run, tmp_path):
    both = write(tmp_path / "both.csv", [*GOLD, *SYSTEM, ("eve", 0, 5, "A")])

    outcome = run(
        "compare", both, "--reference", "ann,eve", "--hypothesis", "bot", "--json", "--no-gamma"
    )

    assert outcome.record["reference"] == ["ann", "eve"]
    assert outcome.record["exact"]["overall"]["n_reference"] == 4


def test_annotators_are_selectable_in_two_files(run, tmp_path, gold):
    both = write(tmp_path / "both.csv", [*GOLD, *SYSTEM])
    chosen = ("--reference", "ann", "--hypothesis", "bot", "--no-gamma", "--json")

    assert run("compare", both, both.with_name("both.csv"), *chosen).code == 0
    outcome = run("compare", gold, both)
    assert outcome.code == 2
    assert "several annotators, ann, bot; select one with --hypothesis NAME" in outcome.err


def test_documents_are_sorted_by_score(run, folders):
    outcome = run("compare", *folders, "--no-gamma", "--rows", 1)

    assert "documents        2" in outcome.out
    assert "and 1 more document; use --csv or --json for all" in outcome.out
    assert "slot errors" in outcome.out


def test_csv_has_one_row_per_document_level_and_label(run, folders):
    outcome = run("compare", *folders, "--draws", 5, "--seed", 1, "--csv")

    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert {row["document"] for row in rows} == {"", "monday", "tuesday"}
    assert {row["match"] for row in rows} == {"exact", "overlap"}
    (whole,) = [
        row
        for row in rows
        if (row["scope"], row["match"], row["scores"]) == ("all", "exact", "all")
    ]
    assert (float(whole["f1"]), whole["matched"]) == (2 * 2 / 14, "2")
    assert float(whole["gamma"]) > 0


def test_matched_slots_are_written_to_a_file(run, folders, tmp_path):
    target = tmp_path / "errors.csv"

    outcome = run("compare", *folders, "--no-gamma", "--matched", target)

    assert outcome.code == 0
    rows = list(csv.DictReader(io.StringIO(target.read_text(encoding="utf-8"))))
    assert [row["kind"] for row in rows[:4]] == ["correct", "boundary", "both", "insertion"]
    assert (rows[2]["reference_label"], rows[2]["hypothesis_label"]) == ("B", "A")
    assert {row["document"] for row in rows} == {"monday", "tuesday"}


@pytest.mark.parametrize(
    ("mapping", "found"),
    [("best", 3), ("by-document", 3), ("1=A,2=B", 3), ("1=B", 1)],
)
def test_labels_can_be_mapped(run, tmp_path, gold, mapping, found):
    numbers = [("bot", start, end, "12"[label == "B"]) for _, start, end, label in GOLD]
    if mapping == "1=B":
        numbers[0] = ("bot", 20, 25, "1")
    system = write(tmp_path / "numbers.csv", numbers)

    outcome = run("compare", gold, system, "--mapping", mapping, "--no-gamma", "--json")

    assert outcome.record["exact"]["overall"]["matched"] == found


def test_a_mapping_is_shown(run, tmp_path, gold):
    system = write(tmp_path / "s.csv", [("bot", *unit[:2], f"s{unit[2]}") for _, *unit in GOLD])

    assert (
        "mapping          sA → A; sB → B"
        in run("compare", gold, system, "--mapping", "best", "--no-gamma").out
    )
    out = run("compare", gold, system, "--no-gamma").out
    assert "use --mapping best" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "compare takes two paths, a reference and a hypothesis; got 0 paths"),
        (["{gold}", "{system}", "{gold}"], "got 3 paths"),
        (["{gold}"], "to compare annotators of a single file, pass --reference NAMES"),
        (["{gold}", "{system}", "--tolerance", "-1"], "-1"),
        (["{gold}", "{system}", "--rows", "0"], "--rows must be a whole number of at least 1"),
        (["{gold}", "{system}", "--level", "fuzzy"], '"exact", "tolerant", "overlap"'),
        (["{gold}", "{system}", "--mapping", "bset"], "unknown --mapping bset"),
        (["{gold}", "{system}", "--mapping", "A=B=C"], "such as s1=ann,s2=bob; got 'A=B=C'"),
        (["{gold}", "{system}", "--matched=-"], "--matched cannot write to"),
        (["{gold}", "{system}", "--matched=e.csv", "-o", "e.csv"], "which another output uses"),
        (
            ["{gold}", "{system}", "--matched", "{gold}"],
            "gold.csv would overwrite the input",
        ),
        (["{gold}", "{system}", "--json", "--csv"], "cannot both write"),
        (["{gold}", "{system}", "--draws", "9", "--precision", "0.1"], "exclude each other"),
        (
            ["{gold}", "{system}", "--reference", "ann,,"],
            "a comma-separated list of annotators, got 'ann,,'",
        ),
    ],
)
def test_invalid_options_are_explained(run, gold, system, arguments, message):
    outcome = run("compare", *(each.format(gold=gold, system=system) for each in arguments))

    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.startswith("unisono: ")


def test_matched_slots_need_a_single_reference(run, tmp_path):
    both = write(tmp_path / "both.csv", [*GOLD, *SYSTEM, ("eve", 0, 5, "A")])
    chosen = ("--reference", "ann,eve", "--hypothesis", "bot", "--matched", tmp_path / "e.csv")

    outcome = run("compare", both, *chosen, "--no-gamma")

    assert outcome.code == 2
    assert "select one with --reference NAME" in outcome.err


def test_unknown_annotators_are_reported(run, gold, system):
    outcome = run("compare", gold, system, "--reference", "zoe")

    assert outcome.code == 1
    assert "no annotator 'zoe'; the annotators are 'ann'" in outcome.err


def test_nothing_to_compare_is_an_error(run, tmp_path):
    files = []
    for name in ("gold", "system"):
        table = tmp_path / f"{name}.csv"
        table.write_text("annotator,start,end,label\n", encoding="utf-8")
        seen = tmp_path / f"{name}_seen.csv"
        files.append(table)
    seen.write_text("document,annotator\ngold,ann\nsystem,bot\n", encoding="utf-8")

    outcome = run("compare", *files, "--seen-by", seen, "--no-gamma")

    assert outcome.code == 1
    assert "no comparison: neither side has units" in outcome.err


def test_most_frequent_labels_are_shown(run, tmp_path):
    rows = [("ann", 10 * i, 10 * i + 5 + (i == 7), f"L{i:02}") for i in range(42)]
    gold = write(tmp_path / "gold.csv", [*rows, ("ann", 900, 901, "L41")])

    shown = run("compare", gold, gold, "--no-gamma").out

    assert "and 2 more labels; use --csv or --json for all" in shown
    assert "L41" in shown
    assert "L40" not in shown


def test_help_explains_the_options_in_eighty_columns(run):
    outcome = run("compare", "--help")

    for option in ("--tolerance", "--mapping", "--matched", "--no-gamma", "--precision"):
        assert option in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
