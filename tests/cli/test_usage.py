import io
import json
import os
import subprocess
import sys
import time

import pytest

import unisono as un
from unisono.cli.output import ProgressDisplay, quiet_output


def program(*arguments, **changes):
    return subprocess.run(
        [sys.executable, "-m", "unisono", *map(str, arguments)],
        capture_output=True,
        check=False,
        env=os.environ | changes,
    )


def refused(outcome, code):
    assert outcome.code == code
    assert outcome.out == ""
    assert outcome.err.startswith("unisono: ")
    assert len(outcome.err.splitlines()) == 1
    return outcome.err


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_fits_on_a_page_and_has_examples(run, flag):
    outcome = run(flag)

    assert outcome.code == 0
    assert "Examples:" in outcome.out
    assert len(outcome.out.splitlines()) < 55
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.parametrize("command", ["gamma", "align", "units"])
def test_each_command_explains_its_options_in_eighty_columns(run, command):
    outcome = run(command, "--help")

    assert outcome.code == 0
    assert f"unisono {command} " in outcome.out
    for option in ("--position", "--seen-by", "--column-start", "--json", "--csv"):
        assert option in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.parametrize("command", ["items", "missing-policies", "plan"])
def test_each_command_on_items_explains_its_options_in_eighty_columns(run, command):
    outcome = run(command, "--help")

    assert outcome.code == 0
    assert f"unisono {command} " in outcome.out
    for option in ("--measure", "--distance", "--seed", "--annotator-columns", "--json", "--csv"):
        assert option in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_version_option(run):
    assert run("--version").out == f"unisono {un.__version__}\n"


def test_python_can_run_the_package():
    outcome = program("--version")

    assert outcome.returncode == 0
    assert outcome.stdout.decode().split() == ["unisono", un.__version__]


def test_importing_the_package_does_not_load_the_command_line():
    code = "import sys, unisono; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert not {"cyclopts", "rich"} & set(loaded.stdout.decode().split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gama"], "unknown command 'gama'. Did you mean 'gamma'? unisono --help lists all"),
        (["zzz"], "unknown command 'zzz'. unisono --help lists all"),
        (["--zzz"], "unknown option '--zzz'. unisono --help lists all"),
        (["--verison"], "Did you mean '--version'?"),
        (["chart"], "unisono chart needs KIND; see unisono chart --help"),
        (["chart", "parts", "{talk}"], "unisono chart needs --output; see unisono chart --help"),
        (["{talk}"], "needs a command before it, such as: unisono describe"),
        (["gamma", "{talk}", "--chance", "shfit"], 'Did you mean "shift"?'),
        (["gamma", "{talk}", "--format", "cvs"], "Did you mean 'csv'?"),
        (["gamma", "{talk}", "--distance", "nomnal"], "Did you mean 'nominal'?"),
        (["align", "{talk}", "--document", "takl"], "Did you mean 'talk'?"),
        (["curves", "{talk}", "--reference", "Alex", "--measure", "gama"], "Did you mean 'gamma'?"),
        (["shuffle", "{talk}", "--magnitude", "0.1", "--errors", "splt"], "Did you mean 'split'?"),
        (["segments", "{talk}", "--measure", "wdd"], "Did you mean 'wd'?"),
        (["gamma"], "name at least one file or folder"),
        (["gamma", ""], "a path is empty; use '.' for the current folder"),
        (["gamma", "{talk}", "--drws", "3"], "Did you mean --draws?"),
        (["gamma", "{talk}", "--draws", "many"], '"many"'),
        (["gamma", "{talk}", "--draws", "0"], "0"),
        (["gamma", "{talk}", "--draws"], "--draws requires an argument"),
        (["gamma", "{talk}", "--precision", "2"], "2"),
        (["gamma", "{talk}", "--precision", "nan"], "nan"),
        (["gamma", "{talk}", "--confidence", "1"], "1"),
        (["gamma", "{talk}", "--seed", "-1"], "-1"),
        (["gamma", "{talk}", "--workers", "0"], "0"),
        (["gamma", "{talk}", "--position", "-1"], "-1"),
        (["gamma", "{talk}", "--position", "nan"], "nan"),
        (["gamma", "{talk}", "--chance", "luck"], '"shift", "corpus", "statistical", "gamma-'),
        (["gamma", "{talk}", "--distance", "nomnal"], "nominal"),
        (["gamma", "{talk}", "--on-error", "cry"], '"raise", "skip"'),
        (["gamma", "{talk}", "--rows", "0"], "--rows must be a whole number of at least 1"),
        (["gamma", "{talk}", "--json", "--csv"], "cannot both write"),
        (
            ["align", "{talk}", "--draws", "3"],
            "align has no option --draws; commands with it: gamma, ",
        ),
        (["align", "{talk}", "--delimiter", "::"], "'::'"),
    ],
)
def test_invalid_options_are_usage_errors(run, talk, arguments, message):
    outcome = run(*(argument.format(talk=talk) for argument in arguments))

    assert message in refused(outcome, 2)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"annotator,label,start,end\n",
        b"\x00\x01\x02\xff\xfe" * 50,
        b"annotator,label,start,end\nann,A,nan,2\n",
        b"annotator,label,start,end\nann,A,0,inf\n",
        b"annotator,label,start,end\nann,A,9,2\n",
        b"annotator,label,start,end\nann,A,0\n",
        b"annotator,label,start,end\nann,\xe9,0,1\n",
    ],
    ids=["empty", "header", "binary", "nan", "infinite", "backwards", "short", "latin-1"],
)
def test_invalid_data_have_exit_code_1(run, tmp_path, content):
    path = tmp_path / "bad.csv"
    path.write_bytes(content)

    assert f"unisono: {path}" in refused(run("gamma", path), 1)


def test_unknown_columns_have_a_suggestion(run, talk):
    assert "Did you mean 'start'?" in refused(run("gamma", talk, "--column-start", "strat"), 1)


def test_unknown_annotators_have_a_suggestion(run, talk):
    assert "Did you mean 'Suzan'?" in refused(run("gamma", talk, "--chance-from", "susan"), 1)


def test_missing_file_is_named(run, tmp_path):
    assert "nowhere.csv" in refused(run("gamma", tmp_path / "nowhere.csv"), 1)


def test_corpus_chance_needs_enough_documents(run, talk):
    refused(run("gamma", talk, "--chance", "corpus"), 1)


def test_asymmetric_matrix_is_rejected(run, talk, tmp_path):
    matrix = tmp_path / "matrix.csv"
    matrix.write_text(",1,2\n1,0,0.5\n2,0.6,0\n", encoding="utf-8")

    assert "symmetric" in refused(run("gamma", talk, "--distance", matrix), 1)


def test_matrix_needs_all_labels(run, talk, tmp_path):
    matrix = tmp_path / "matrix.csv"
    matrix.write_text(",1,2\n1,0,0.5\n2,0.5,0\n", encoding="utf-8")

    refused(run("gamma", talk, "--distance", matrix), 1)


def test_an_interrupted_run_ends_with_a_short_line(run, talk, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("unisono.measures.gamma.gamma.gamma", interrupted)
    outcome = run("gamma", talk)

    assert refused(outcome, 130) == "unisono: interrupted\n"


def test_internal_errors_are_sentences(run, talk, monkeypatch):
    monkeypatch.delenv("UNISONO_TRACEBACK", raising=False)
    monkeypatch.setattr("unisono.measures.gamma.gamma.gamma", lambda *_, **__: 1 / 0)

    assert "please report it: ZeroDivisionError" in refused(run("gamma", talk), 1)


def test_traceback_can_be_requested(run, talk, monkeypatch):
    monkeypatch.setenv("UNISONO_TRACEBACK", "1")
    monkeypatch.setattr("unisono.measures.gamma.gamma.gamma", lambda *_, **__: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        run("gamma", talk)


def test_memory_errors_are_sentences(run, talk, monkeypatch):
    def too_much(*_, **__):
        raise MemoryError

    monkeypatch.setattr("unisono.measures.gamma.gamma.gamma", too_much)

    assert "memory" in refused(run("gamma", talk), 1)


def test_broken_pipe_ends_the_program_silently(talk):
    with subprocess.Popen(
        [sys.executable, "-m", "unisono", "gamma", str(talk), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout
        process.stdout.close()
        assert process.stderr
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_stdout_without_greek_letters(talk):
    plain = program("gamma", talk, "--draws", 30, PYTHONIOENCODING="ascii")
    record = program("gamma", talk, "--draws", 30, "--json", PYTHONIOENCODING="ascii")

    assert (plain.returncode, plain.stderr) == (0, b"")
    assert json.loads(record.stdout.decode("ascii"))["n_units"] == 16


def test_warnings_are_notes_on_stderr(run, talk, monkeypatch):
    import warnings

    from unisono.measures.gamma import gamma

    real = gamma.gamma

    def warned(*arguments, **settings):
        warnings.warn("few draws", UserWarning, stacklevel=1)
        return real(*arguments, **settings)

    monkeypatch.setattr(gamma, "gamma", warned)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        outcome = run("gamma", talk, "--draws", 30, "--json")

    assert outcome.record["n_units"] == 16
    assert outcome.err == "unisono: note: few draws\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with ProgressDisplay(patience=0.0) as display:
        display.phase("reading")
        deadline = time.monotonic() + 10
        while "drawing" not in terminal.getvalue() and time.monotonic() < deadline:
            display(15, 30)
            time.sleep(0.01)

    assert "drawing" in terminal.getvalue()
    assert "50%" in terminal.getvalue()


def test_progress_is_not_shown_for_short_runs(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with ProgressDisplay(patience=60.0) as display:
        display(15, 30)

    assert terminal.getvalue() == ""


def test_progress_is_not_shown_in_files(monkeypatch):
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    with ProgressDisplay(patience=0.0) as display:
        display(15, 30)
        time.sleep(0.05)

    assert file.getvalue() == ""


def test_counts_have_a_phase_name(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with ProgressDisplay(patience=0.0) as display:
        report = display.start_count("resampling")
        assert report is not None
        deadline = time.monotonic() + 10
        while "resampling" not in terminal.getvalue() and time.monotonic() < deadline:
            report(1, 4)
            time.sleep(0.01)

    assert "resampling" in terminal.getvalue()
    assert "25%" in terminal.getvalue()


def test_invisible_progress_is_not_counted(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with quiet_output(True), ProgressDisplay(patience=0.0) as display:
        assert display.start_count("reading") is None
        assert not display.is_visible


def test_quiet_option(run, tmp_path):
    talk = tmp_path / "talk.csv"
    talk.write_text("annotator,start,end,label\nann,0,5,A\nbob,0,4,A\n", encoding="utf-8")

    assert "written to" in run("convert", talk, tmp_path / "a.jsonl").out
    assert run("convert", talk, tmp_path / "b.jsonl", "--quiet") == (0, "", "")
    assert run("-q", "convert", talk, tmp_path / "c.jsonl") == (0, "", "")
    assert run("gamma", talk, "-q", "--draws", 30).out.startswith("talk\n")
