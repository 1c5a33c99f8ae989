import csv
import math
import shlex

import pytest

import unisono as un
from unisono.simulation.reproduction.experiments import EXPERIMENTS, Size
from unisono.simulation.reproduction.experiments import run as run_experiment
from unisono.simulation.shuffling.errors import DEFAULT_ERRORS as ERRORS


@pytest.fixture
def gold(tmp_path):
    """Four units of one annotator."""
    path = tmp_path / "gold.csv"
    rows = ["gold,0,5,A", "gold,7,12,B", "gold,15,25,A", "gold,30,34,B"]
    path.write_text("\n".join(["annotator,start,end,label", *rows]) + "\n", encoding="utf-8")
    return path


def test_text_output_lists_the_errors(run, gold):
    outcome = run("shuffle", gold, "--magnitude", 0.5, "--seed", 1)
    lines = outcome.out.splitlines()

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == "3 simulated annotators at magnitude 0.5"
    headings = "document units moved relabelled forgotten added splits now"
    assert lines[1].split() == headings.split()
    assert lines[-1].startswith("shuffle|errors:position,category,")


def test_csv_can_be_read_again(run, gold, tmp_path):
    worse = tmp_path / "worse.csv"
    run("shuffle", gold, "--magnitude", 0.3, "--errors", "position", "--seed", 1, "--csv", worse)
    outcome = run("gamma", worse, "--seed", 1, "--json")

    assert outcome.code == 0
    assert outcome.record["n_annotators"] == 3
    assert 0.0 < outcome.record["value"] < 1.0


def test_record_has_missed_units(run, gold, tmp_path):
    record = tmp_path / "record.csv"
    arguments = ("--magnitude", 1, "--errors", "false-negative", "--simulate", 2)
    assert run("shuffle", gold, *arguments, "--record", record).code == 0
    with record.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))

    assert len(rows) == 8
    assert {row["done"] for row in rows} == {"forgotten"}
    assert rows[0]["origin"] == "0"


def test_output_equals_python(run, gold):
    result = run("shuffle", gold, "--magnitude", 0.4, "--seed", 7, "--json").record
    shuffled = result["documents"]["gold"]

    assert shuffled["magnitude"] == 0.4
    assert "|seed:7|" in shuffled["signature"]
    assert set(shuffled["counts"]) == set(ERRORS)


def test_reference_annotator_is_selectable(run, talk):
    refused = run("shuffle", talk, "--magnitude", 0.1)
    chosen = run("shuffle", talk, "--magnitude", 0.1, "--reference", "Paul", "--json")
    lost = run("shuffle", talk, "--magnitude", 0.1, "--reference", "Pol")

    assert refused.code == 2
    assert "select the reference with --reference NAME: Alex, Paul, Suzan" in refused.err
    assert chosen.code == 0
    assert lost.code == 1
    assert "has no annotator 'Pol'; choose --reference from Alex" in lost.err


def test_reference_can_be_generated(run):
    outcome = run(
        *("shuffle", "--units", 12, "--labels", "A:3,B:1", "--magnitude", 0, "--seed", 1, "--csv")
    )
    rows = list(csv.DictReader(outcome.out.splitlines()))

    assert list(rows[0]) == ["document", "annotator", "start", "end", "label"]
    assert len(rows) == 36
    assert {row["label"] for row in rows} == {"A", "B"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--magnitude 2 --units 3", "--magnitude must be from 0 to 1"),
        ("--magnitude 0.5", "name a file with the reference, or generate one with --units N"),
        ("--magnitude 0.5 --units 3 --errors luck", "unknown --errors luck"),
        ("--magnitude 0.5 --units 0", "units must be 1 or more"),
        (
            "--magnitude 0.5 --units 3 --labels A:x",
            "--labels must be a list such as A,B or A:3,B:1",
        ),
        ("--magnitude 0.5 --labels A", "add --units N"),
        ("--magnitude 0.5 --units 3 --reference x", "--units generates a reference"),
        ("--magnitude 0.5 --units 3 --simulate 0", "--simulate must be 1 or more"),
        ("--units 3", "--magnitude"),
        ("--magnitude 0.5 --units 3 --json --csv", "cannot both write"),
    ],
)
def test_invalid_options_are_explained(run, options, message):
    outcome = run("shuffle", *options.split())

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_overlap_error_names_its_option(run, tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("annotator,start,end,label\ng,0,5,A\ng,3,8,A\n", encoding="utf-8")
    outcome = run("shuffle", path, "--magnitude", 0.2, "--no-overlap")

    assert outcome.code == 1
    assert outcome.err.rstrip().endswith("allow overlap with --overlap")


def test_curves_text_output(run, gold, tmp_path):
    chart, table = tmp_path / "curves.svg", tmp_path / "curves.csv"
    arguments = ("--errors", "category", "--magnitudes", 3, "--repeats", 2, "--seed", 1)
    outcome = run("curves", gold, *arguments, "--chart", chart, "--csv", table)
    lines = outcome.out.splitlines()

    assert outcome.code == 0
    assert lines[0] == "gold"
    assert lines[1].split()[:3] == ["magnitude", "γ", "γcat"]
    assert "left out         B, π of B, κ of B, S, π of S, κ of S, 1 − Pk" in outcome.out
    assert chart.read_text(encoding="utf-8").startswith("<svg ")
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert next(row["mean"] for row in rows if row["magnitude"] == "0.0") == "1.0"


def test_curves_json_equals_python(run, gold):
    arguments = ("--measures", "gamma,kappa_d", "--errors", "category", "--certain", "B")
    small = ("--magnitudes", 3, "--repeats", 2, "--seed", 5, "--draws", 9, "--atom", 0.5)
    record = run("curves", gold, *arguments, *small, "--position", 2, "--json").record
    same = un.error_curves(
        un.read(gold)["gold"],
        measures=("gamma", "kappa_d"),
        errors="category",
        certain=("B",),
        magnitudes=3,
        repeats=2,
        rng=5,
        draws=9,
        atom=0.5,
        dissimilarity=un.CombinedDissimilarity(position=2),
    )

    assert record == same.to_dict()


def test_curves_with_overlap_name_the_option(run, gold):
    outcome = run("curves", gold, "--errors", "position", "--magnitudes", 3, "--repeats", 2)

    message = " ".join(outcome.out.split())
    assert "units of one annotator overlap; prevent this with --no-overlap" in message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--units 5 --measures kapa", "unknown measure 'kapa'"),
        ("--units 5 --magnitudes 1", "must be at least 2"),
        ("--units 5 --repeats 0", "repeats must be 1 or more"),
        ("--units 5 --document x", "--units generates a reference; it cannot be combined"),
    ],
)
def test_invalid_options_of_curves_are_explained(run, options, message):
    outcome = run("curves", *options.split())

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_curves_take_all_documents_or_one(run, talks):
    small = ("--magnitudes", 2, "--repeats", 1, "--measures", "gamma")
    several = ("curves", talks, "--reference", "Alex", *small)
    assert run(*several).out.startswith("3 documents\n")
    assert "|chance:corpus|" in run(*several, "--chance", "corpus").out
    alone = run("curves", talks, "--document", "alike", "--reference", "Alex", "--chance", "corpus")
    assert (alone.code, "--chance corpus mixes documents" in alone.err) == (2, True)
    paul = ("--reference", "Paul", *small)
    assert run("curves", talks, "--document", "alike", *paul).code == 0
    lost = run("curves", talks, "--document", "alive", *paul)
    assert (lost.code, "unknown document 'alive'; choose one of alike" in lost.err) == (2, True)


def test_reproduction_is_written_as_a_page(run, tmp_path):
    outcome = run("reproduce", "passonneau", "-o", tmp_path / "new" / "papers")
    written = tmp_path / "new" / "papers" / "index.html"

    assert outcome.code == 0
    assert "10 reproduced, 8 differs, 4 not reproducible" in outcome.out
    assert outcome.out.splitlines()[-1] == f"written to {written}"
    assert "mean MASI 10/27" in written.read_text(encoding="utf-8")


def test_reproduction_as_json(run):
    record = run("reproduce", "komen", "--quick", "--json").record
    assert record["counts"] == {"reproduced": 16, "differs": 2, "not reproducible": 0}


def test_claims_are_written_to_a_file(run, tmp_path):
    target = tmp_path / "claims.csv"
    outcome = run("reproduce", "passonneau", "-o", target)

    assert (outcome.code, outcome.out) == (0, f"written to {target}\n")
    assert target.read_text(encoding="utf-8").startswith(
        "paper,place,claim,setup,ours,margin,verdict,why,command\n"
    )


def test_reproduction_needs_a_folder(run, gold):
    taken = gold.rename(gold.with_suffix(""))
    outcome = run("reproduce", "komen", "-o", taken)
    assert outcome.code == 1
    assert "is a file, but --output needs a folder" in outcome.err
    assert run("reproduce", "2016").code == 2


def test_documents_are_reproducible_from_their_signatures(run, tmp_path):
    for name in ("first", "second"):
        rows = "annotator,start,end,label\ngold,0,5,A\ngold,7,12,B\n"
        (tmp_path / f"{name}.csv").write_text(rows, encoding="utf-8")
    outcome = run("shuffle", tmp_path, "--magnitude", 0.3, "--seed", 4, "--json")
    corpus = un.read(tmp_path)
    result = []

    for name, record in outcome.record["documents"].items():
        seed = int(un.results.Signature.parse(record["signature"])["seed"])
        again = un.shuffle(corpus[name], magnitude=0.3, rng=seed)
        assert again.to_dict() == record
        result.append(record["units"])
    assert result[0] != result[1]


def test_reference_without_units_is_an_error(run, tmp_path):
    (tmp_path / "a.csv").write_text("annotator,start,end,label\ngold,0,5,A\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("annotator,start,end,label\nann,0,5,A\n", encoding="utf-8")
    settings = ("--seen-by", "corpus", "--reference", "gold", "--magnitude", 0.3)
    outcome = run("shuffle", tmp_path, *settings)

    assert outcome.code == 1
    assert "document 'b': the reference has no units" in outcome.err


def test_chart_suffix_and_target_are_checked(run, gold, tmp_path):
    arguments = ("--magnitudes", 2, "--repeats", 1, "--measures", "gamma", "--errors", "category")
    assert run("curves", gold, *arguments, "-o", tmp_path / "curves.svg").code == 0
    assert (tmp_path / "curves.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert run("curves", gold, *arguments, "-o", tmp_path / "curves.csv").code == 0
    assert (tmp_path / "curves.csv").read_text().startswith("measure,magnitude,mean,low,high,")
    outcome = run("curves", gold, "--chart", tmp_path / "curves.gif")
    assert (outcome.code, "--chart needs a file name that ends in .svg, .png" in outcome.err) == (
        2,
        True,
    )

    both = tmp_path / "both.csv"
    outcome = run("shuffle", gold, "--magnitude", 0.1, "--csv", both, "--record", both)
    assert (outcome.code, "--record and --csv cannot both write" in outcome.err) == (2, True)


@pytest.mark.parametrize("name", ["Figure 24a", "Figure 25", "Figure 28a", "Figure 14, D long"])
def test_the_command_of_an_experiment_draws_its_curves(run, name):
    size = Size(3, 1)
    few = min(EXPERIMENTS[name].documents, 4)
    experiment = EXPERIMENTS[name]._replace(documents=few)
    wanted = run_experiment(experiment, size, 3, workers=1, progress=None)
    words = shlex.split(experiment.command(size, 3))
    assert words[0] == "unisono"
    record = run(*words[1:], "--json").record
    assert record["signature"] == str(wanted.signature)
    for measure, curve in wanted.curves.items():
        told = [math.nan if each is None else each for each in record["curves"][measure]["mean"]]
        assert told == pytest.approx(curve.mean.tolist(), nan_ok=True)


def test_habits_are_typed_by_annotator(run, gold, tmp_path):
    target = tmp_path / "odd.csv"
    habits = "sim1:late=0.5;sim2:split=2,A>B"
    run("shuffle", gold, "--magnitude", 0, "--habits", habits, "--csv", target)
    reference = next(iter(un.read(gold).values()))
    wanted = un.shuffle(
        reference,
        magnitude=0,
        habits={"sim1": {"late": 0.5}, "sim2": {"split": 2, "labels": {"A": "B"}}},
    )
    written = next(iter(un.read(target).values()))
    assert len(written) == len(wanted.continuum)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--habits", "sim1:lazy=1"), "--habits must be habits by annotator, such as"),
        (("--habits", "sim9:late=1"), "habits name the annotator 'sim9'"),
        (("--errors", "missing-boundary"), "missing boundaries need units that adjoin"),
        (("--habits", "sim1: split=2.5"), "split must be a whole number"),
        (("--documents", "0"), "no document '0' for --documents"),
        (("--lengths", "5..15"), "--lengths applies to a generated reference only"),
        (("--documents", "3"), "no document '3' for --documents"),
    ],
)
def test_new_options_that_cannot_be_are_sentences(run, gold, options, said):
    outcome = run("shuffle", gold, "--magnitude", 0.2, *options)
    assert outcome.code != 0
    assert said in outcome.err


def test_the_model_of_the_reference_is_set_by_options(run):
    record = run(
        *("shuffle", "--units", 12, "--labels", "A:3,B:1", "--lengths", "A:5,B:10..20"),
        *("--gap-lengths", "2..3", "--documents", 3, "--magnitude", 0, "--seed", 1, "--json"),
    ).record
    assert len(record["documents"]) == 3
    wanted = un.generate_reference(
        12, labels={"A": 3, "B": 1}, lengths={"A": (5, 5), "B": (10, 20)}, gaps=(2, 3), rng=2
    )
    again = un.shuffle(wanted, magnitude=0, rng=2)
    assert record["documents"]["reference2"]["signature"] == str(again.signature)


def test_a_note_on_several_documents_has_the_recommendation_of_the_paper(run, talks):
    said = run("gamma", talks, "--draws", 30).out
    assert "recommends chance from the corpus" in " ".join(said.split())
    again = run("gamma", talks, "--draws", 30, "--chance", "corpus").out
    assert "recommends chance from the corpus" not in " ".join(again.split())
