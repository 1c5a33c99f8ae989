"""Tables: data read back equal whatever the labels look like, results are no formulas."""

import contextlib
import csv
import io
import tempfile
import warnings
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import unisono as un
from unisono.cli.main import main
from unisono.cli.output import write_csv, write_permissions
from unisono.errors import DataError

NASTY = "=+-@'\"\t\r\n,;|#\\ \x00\x0b\x1b\x7f\x85\x9b\u200d\u2028\u202e\u2066\ufeff\uff1dab1.e_"
NASTY_TEXTS = st.text(st.sampled_from(NASTY), min_size=1, max_size=6)
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def corpus_of(labels, name="d", who="ann"):
    """Make a corpus in which no label is taken for a number, because one is a word."""
    units = [(who, 10 * at, 10 * at + 5, label) for at, label in enumerate(["word", *labels])]
    return un.Corpus.from_continua({name: un.Continuum.from_units(units)})


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
@given(labels=st.lists(NASTY_TEXTS, max_size=4), name=NASTY_TEXTS, who=NASTY_TEXTS)
@example(labels=["=1+1", "'=1+1", "-1", "@x"], name="=d", who="+ann")
@example(labels=["x" * 200_000], name="d", who="ann")
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read_back_equal_or_refused(suffix, labels, name, who):
    try:
        corpus = corpus_of(labels, name, who)
    except (DataError, TypeError):
        return  # a name that no document or annotator can have
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, f"out{suffix}")
        try:
            un.write(corpus, path)
        except DataError:
            assert suffix != ".jsonl" or name != name.strip() or who != who.strip()
            assert not path.exists()
            return
        assert un.read(path) == corpus


@given(labels=st.lists(NASTY_TEXTS, min_size=1, max_size=4, unique=True))
@example(labels=["=1+1", "'=1+1", "-x", "@x", "a\rb", "a\x1b[2J"])
@settings(max_examples=25, deadline=None)
def test_units_of_shuffle_and_consensus_are_read_back_equal(labels):
    labels = [label for label in labels if label == label.strip() and "\0" not in label]
    units = [
        (who, 10.0 * at, 10.0 * at + 5, label)
        for who in ("ann", "bob")
        for at, label in enumerate(["word", *labels])
    ]
    corpus = un.Corpus.from_continua({"d": un.Continuum.from_units(units)})
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder, "in.jsonl"), Path(folder, "out.csv")
        un.write(corpus, path)
        commands = (
            ["consensus", str(path)],
            ["shuffle", str(path), "--reference", "ann", "--magnitude", "0"],
        )
        for command in commands:
            with contextlib.redirect_stdout(io.StringIO()):
                assert main([*command, "--csv", str(out), "-q"]) == 0
            back = un.read(out)["d"]
            who = back.annotators[0]
            assert [unit.label for unit in back.only(annotators=[who])] == ["word", *labels]


CELLS = NASTY_TEXTS | st.none() | st.integers() | st.floats(allow_nan=False)


@given(row=st.lists(CELLS, min_size=1, max_size=4))
@example(row=["-1", "+1.5e3", "-.5", -0.25, "-1+1"])
@settings(max_examples=300, deadline=None)
def test_no_text_in_a_table_of_results_is_taken_for_a_formula(row):
    found = {}
    for raw in (False, True):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), write_permissions(raw_csv=raw):
            write_csv("-", ["x"] * len(row), [row])
        cells = io.StringIO(out.getvalue(), newline="")
        found[raw] = list(csv.reader(cells))[1]
    assert found[True] == ["" if cell is None else str(cell) for cell in row]
    for given_, safe, plain in zip(row, found[False], found[True], strict=True):
        if isinstance(given_, str) and safe.lstrip(" ").startswith(FORMULAS):
            assert safe == plain
            assert float(safe) is not None
        assert safe in (plain, f"'{plain}")
