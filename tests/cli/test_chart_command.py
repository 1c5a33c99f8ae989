import json

import pytest

import unisono as un
from unisono import charts
from unisono.charts import style


@pytest.mark.parametrize("kind", ["continuum", "alignment", "consensus"])
def test_chart_of_a_document_equals_python(run, talk, tmp_path, kind):
    target = tmp_path / "chart.json"
    outcome = run("chart", kind, talk, "-o", target)
    text = un.read(talk)["talk"]
    draw = {
        "continuum": lambda: charts.continuum_chart(text),
        "alignment": lambda: charts.alignment_chart(un.best_alignment(text)),
        "consensus": lambda: charts.consensus_chart(un.consensus(un.read(talk))),
    }

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"written to {target}\n")
    spec = json.loads(target.read_text("utf-8"))
    assert spec == json.loads(charts.chart_file(draw[kind](), ".json"))


@pytest.mark.parametrize("kind", ["labels", "parts", "confusion", "annotators", "draws"])
def test_chart_of_a_result_prints_the_signature(run, talks, tmp_path, kind):
    target = tmp_path / "chart.svg"
    outcome = run("chart", kind, talks, "-o", target, "--seed", 1, "--draws", 9)

    assert (outcome.code, outcome.err) == (0, "")
    assert "|seed:1|" in outcome.out
    assert target.read_text("utf-8").startswith("<svg role=")


def test_chart_of_labels_has_the_values_of_gamma(run, talks, tmp_path):
    target = tmp_path / "chart.json"
    run("chart", "labels", talks, "-o", target, "--seed", 1, "--draws", 9, "--title", "Mine")
    spec = json.loads(target.read_text("utf-8"))
    values = {row["name"]: row["value"] for row in spec["datasets"]["values"]}

    assert values["γ (all)"] == un.gamma(un.read(talks), rng=1, draws=9).value
    assert spec["title"]["text"] == "Mine"


def test_chart_of_a_selected_document(run, talks, tmp_path):
    target = tmp_path / "chart.json"
    name = next(iter(un.read(talks)))
    outcome = run("chart", "continuum", talks, "--document", name, "-o", target)

    assert outcome.code == 0
    rows = json.loads(target.read_text("utf-8"))["datasets"]["units"]
    assert len(rows) == len(un.read(talks)[name])


def test_consensus_chart_selects_the_most_undecided_document(run, talks, tmp_path):
    target = tmp_path / "chart.json"
    assert run("chart", "consensus", talks, "-o", target).code == 0

    found = un.consensus(un.read(talks))
    most = max(found.documents, key=lambda name: len(found.documents[name].undecided))
    assert f"document {most}" in json.loads(target.read_text("utf-8"))["title"]["subtitle"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("alignment", "-o", "chart.gif"),
            "--output needs a file name that ends in .svg, .png, .pdf, .html or .json",
        ),
        (("alignments", "-o", "chart.png"), 'Did you mean "alignment"?'),
        (
            ("labels", "-o", "chart.png", "--window", 1, 2),
            "--window applies to charts of one document",
        ),
        (("labels", "-o", "chart.png", "--worst", 2), "--worst applies to charts of an alignment"),
        (("alignment", "-o", "chart.png"), "choose one with --document: "),
        (("alignment", "-o", "chart.png", "--document", "alik"), "Did you mean 'alike'?"),
        (("alignment",), "--output"),
    ],
)
def test_invalid_chart_options_are_usage_errors(
    run, talks, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    kind, *options = arguments
    outcome = run("chart", kind, talks, *options)

    assert outcome.code == 2
    assert message in outcome.err
    assert not (tmp_path / "chart.png").exists()


def test_chart_does_not_overwrite_inputs(run, tmp_path):
    target = tmp_path / "units.json"
    target.write_text("[]")

    assert run("chart", "alignment", target, "-o", target).code == 2
    assert target.read_text() == "[]"


@pytest.mark.parametrize("command", ["curves", "calibrate"])
def test_curves_are_drawn_in_other_formats(run, talk, tmp_path, command):
    target = tmp_path / "curves.png"
    few = {
        "curves": ("--units", 8, "--measure", "gamma", "--magnitudes", 3, "--repeats", 2),
        "calibrate": (talk, "--errors", "false_negative", "--repeats", 5, "--draws", 5),
    }
    outcome = run(command, *few[command], "--seed", 1, "-o", target)

    assert (outcome.code, outcome.err) == (0, "")
    assert target.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("command", "option"),
    [(["calibrate"], "-o"), (["curves"], "--chart"), (["chart", "draws"], "-o")],
)
def test_missing_plotting_libraries_are_reported_early(
    run, talk, tmp_path, monkeypatch, command, option
):
    def missing(name):
        msg = f"No module named {name!r}"
        raise ModuleNotFoundError(msg)

    monkeypatch.setattr(style, "find_spec", lambda _: None)
    monkeypatch.setattr(style, "import_module", missing)
    monkeypatch.setattr("unisono.cli.options.input.ReadingOptions.corpus", None)
    outcome = run(*command, talk, option, tmp_path / "chart.svg")

    assert (outcome.code, outcome.out) == (1, "")
    assert "charts need altair" in outcome.err
    assert "pip install 'unisono[plot]'" in outcome.err
    assert not (tmp_path / "chart.svg").exists()


def test_consensus_chart_uses_the_alignment(run, talks, tmp_path):
    target = tmp_path / "chart.json"
    outcome = run("chart", "consensus", talks, "--document", "alike", "-o", target)
    drawn = charts.consensus_chart(un.consensus(un.best_alignment(un.read(talks)["alike"])))

    assert (outcome.code, outcome.err) == (0, "")
    assert json.loads(target.read_text("utf-8")) == json.loads(charts.chart_file(drawn, ".json"))


def test_empty_corpus_has_no_chart(run, tmp_path):
    path, target = tmp_path / "talk.jsonl", tmp_path / "chart.json"
    path.write_text('{"document": "talk", "annotators": []}\n', encoding="utf-8")
    outcome = run("chart", "continuum", path, "-o", target)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "unisono: the data have no document to draw\n"
    assert not target.exists()
