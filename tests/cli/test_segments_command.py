import csv
import json

import pytest

import unisono as un
from unisono.results.record import without_data

CUTS = {"ann": [2, 3, 6], "bob": [5, 6], "eve": [2, 4, 5]}
NAMES = [
    *("boundary_similarity", "segmentation_similarity"),
    *("pk", "window_diff", "generalized_hamming"),
]


def write(path, cuts, step=1):
    rows = ["annotator,start,end"]
    for name, masses in cuts.items():
        start = 0
        for mass in masses:
            rows.append(f"{name},{start * step},{(start + mass) * step}")
            start += mass
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def chapter(tmp_path):
    """A text of eleven atoms that three annotators cut."""
    return write(tmp_path / "chapter.csv", CUTS)


@pytest.fixture
def book(tmp_path):
    """A folder of two texts; the second was cut by two annotators."""
    folder = tmp_path / "book"
    folder.mkdir()
    write(folder / "one.csv", CUTS)
    write(folder / "two.csv", {"ann": [3, 4], "bob": [7]})
    return folder


def test_text_output_has_all_measures_and_pairs(run, chapter):
    outcome = run("segments", chapter)
    lines = [line.split() for line in outcome.out.splitlines()]

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == ["chapter"]
    assert lines[1] == ["measure", "value", "observed", "expected", "perfect"]
    assert [line[0] for line in lines[3:12]] == [
        *("boundary", "π", "κ", "segmentation", "π", "κ"),
        *("Pk", "WindowDiff", "generalized"),
    ]
    assert ["atoms", "11"] in lines
    assert ["annotators", "B", "S", "Pk", "WindowDiff", "Hamming"] in lines
    last = max(at for at, line in enumerate(lines) if "–" in line[:2])
    assert lines[last][:3] == ["ann", "–", "eve"]  # the pair with the highest agreement


def test_documents_are_sorted_by_agreement(run, book):
    outcome = run("segments", book, "--rows", 1)
    lines = outcome.out.splitlines()

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == "2 documents, pooled"
    more = lines.index("and 1 more document; use --csv or --json for all")
    assert lines[more - 1].split()[0] == "two"


def test_json_equals_python(run, book):
    record = run("segments", book, "--json").record["measures"]
    corpus = un.read(book)

    assert list(record) == NAMES
    for name in NAMES:
        assert record[name] == without_data(getattr(un, name)(corpus).to_dict())


def test_single_document_is_not_pooled(run, chapter):
    record = run("segments", chapter, "--json", "--measure", "b").record["measures"]

    assert list(record) == ["boundary_similarity"]
    assert record["boundary_similarity"]["documents"] == {}


def test_csv_has_one_row_per_measure_pair_and_document(run, book):
    rows = list(csv.DictReader(run("segments", book, "--csv").out.splitlines()))
    texts = un.segmentations(un.read(book))
    result = un.boundary_similarity(texts)
    found = {
        (row["scope"], row["measure"], row["document"], row["annotator_a"], row["annotator_b"]): row
        for row in rows
    }

    assert len(found) == len(rows)
    whole = found["all", "boundary_similarity", "", "", ""]
    assert float(whole["value"]) == result.value
    assert whole["expected"] == ""
    assert result.pi is not None
    assert float(found["all", "boundary_similarity_pi", "", "", ""]["value"]) == result.pi.value
    pair = found["pair", "boundary_similarity", "", "ann", "bob"]
    assert float(pair["value"]) == result.by_pair["ann", "bob"].value
    document = found["document", "boundary_similarity", "two", "", ""]
    assert float(document["value"]) == result.documents["two"].value
    assert ("document pair", "pk", "one", "bob", "ann") in found


@pytest.mark.parametrize(
    ("options", "name", "settings"),
    [
        (("--window", 3), "pk", {"window": 3}),
        (("--convention", "nltk"), "window_diff", {"convention": "nltk"}),
        (("--near", 3), "boundary_similarity", {"near": 3}),
        (
            ("--insertion", 1, "--deletion", 3, "--shift", 0.5),
            "generalized_hamming",
            {"insertion": 1, "deletion": 3, "shift": 0.5},
        ),
    ],
)
def test_settings_reach_the_measures(run, chapter, options, name, settings):
    record = run("segments", chapter, "--json", *options).record["measures"]
    found = un.measure_segments(un.read(chapter), measures=[name], **settings)[name]

    assert record[name] == without_data(found.to_dict())
    texts = un.segmentations(un.read(chapter))["chapter"]
    assert found.value == getattr(un, name)(texts, **settings).value


def test_seconds_are_divided_into_atoms(run, tmp_path):
    path = write(tmp_path / "song.csv", CUTS, step=0.5)
    record = run("segments", path, "--atom", 0.5, "--json").record["measures"]
    same = un.pk({name: un.Segmentation.from_masses(masses) for name, masses in CUTS.items()})

    assert record["pk"]["value"] == same.value


def test_gaps_can_be_segments(run, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("annotator,start,end\nann,0,3\nann,5,9\nbob,0,9\n", encoding="utf-8")
    record = run("segments", path, "--gaps", "segments", "--json", "--measure", "ghd").record[
        "measures"
    ]

    assert record["generalized_hamming"]["n_boundaries"] == 2


def test_skipped_rows_are_reported(run, tmp_path):
    path = write(tmp_path / "dirty.csv", CUTS)
    path.write_text(path.read_text(encoding="utf-8") + "eve,x,11\n", encoding="utf-8")
    outcome = run("segments", path, "--on-error", "skip")

    assert "skipped 1 invalid row" in outcome.out


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ("pk", ["pk"]),
        ("WD,B", ["window_diff", "boundary_similarity"]),
        ("ghd,hamming,s", ["generalized_hamming", "segmentation_similarity"]),
        ("windowdiff,window-diff", ["window_diff"]),
    ],
)
def test_measures_have_aliases(run, chapter, names, found):
    assert list(run("segments", chapter, "--measure", names, "--json").record["measures"]) == found


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--measure pq", "unknown measure 'pq'; choose one of boundary_similarity, "),
        ("--measure pk --near 3", "--near is not for pk; it is for boundary_similarity, segm"),
        ("--near 0", "near must be 1 or more"),
        ("--near many", '"many"'),
        ("--window 0", "window must be 1 or more"),
        ("--convention mine", '"papers", "nltk"'),
        ("--gaps drop", '"raise", "segments"'),
        ("--atom 0", "--atom must be a finite number above 0"),
        ("--insertion=-1", "insertion must be a finite number of 0 or more"),
        ("--rows 0", "--rows must be a whole number of at least 1"),
        ("--json --csv", "cannot both write"),
    ],
)
def test_invalid_options_are_usage_errors(run, chapter, options, message):
    outcome = run("segments", chapter, *options.split())

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("ann,0,3\nann,5,9\nbob,0,9\n", "", "Count gaps as segments with --gaps seg"),
        ("ann,0,2.5\nann,2.5,9\nbob,0,9\n", "", "Set the length of an atom with --atom LENGTH"),
        ("ann,0,5\nann,4,9\nbob,0,9\n", "", "the units 0–5 and 4–9 of 'ann' do"),
        ("ann,0,9\nbob,0,9\n", "--window 20", "--window 20 is too long for a text of 9 atoms"),
    ],
)
def test_invalid_segments_name_the_option(run, tmp_path, content, options, message):
    path = tmp_path / "talk.csv"
    path.write_text("annotator,start,end\n" + content, encoding="utf-8")
    outcome = run("segments", path, *options.split())

    assert (outcome.code, outcome.out) == (1, "")
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_nothing_to_measure_is_an_error(run, tmp_path):
    path = write(tmp_path / "lone.csv", {"ann": [2, 3]})
    outcome = run("segments", path)

    assert outcome.code == 1
    assert "are undefined: agreement needs at least two annotators; there is only 'ann'" in (
        outcome.err
    )


def test_help_fits_eighty_columns(run):
    outcome = run("segments", "--help")

    assert outcome.code == 0
    for option in ("--measure", "--window", "--near", "--atom", "--gaps", "--json", "--csv"):
        assert option in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.parametrize("form", ["md", "html", "tex", "csv", "json"])
def test_suffix_selects_the_output_format(run, book, tmp_path, form):
    target = tmp_path / f"result.{form}"
    outcome = run("segments", book, "--rows", 1, "-o", target)
    text = target.read_text(encoding="utf-8")

    assert (outcome.code, outcome.out) == (0, f"written to {target}\n")
    if form == "csv":
        assert text.splitlines() == run("segments", book, "--csv").out.splitlines()
    elif form == "json":
        assert text.startswith('{\n  "schema": 1,')
        assert json.loads(text) == {"schema": 1} | run("segments", book, "--json").record
    else:
        assert "and 1 more document; use --csv or --json for all" in text
        assert "boundary similarity" in text


def test_unknown_suffix_is_rejected_before_reading(run, tmp_path):
    outcome = run("segments", tmp_path / "nothing.csv", "-o", tmp_path / "result.doc")

    assert outcome.code == 2
    assert (
        "--output needs a file name that ends in one of .md, .html, .tex, .csv, .json"
        in outcome.err
    )
