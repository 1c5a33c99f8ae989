"""Tables of ratings: the record of their columns, and questions and warnings about them."""

import random
from pathlib import Path

import pytest

import unisono as un
from unisono.cli.main import main
from unisono.errors import AmbiguousInputError, ReadError
from unisono.formats.read import read_ratings
from unisono.model.interpretation import Ignored, Origin

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def write(write_here):
    return lambda content, name="ratings.csv": write_here(content, name)


def record(path, **settings):
    found = read_ratings(path, questions="keep", **settings).interpretation
    assert found is not None
    return found


def questions(path, **settings):
    return [each.code for each in record(path, **settings).questions]


def n_items(path, **settings):
    return len(read_ratings(path, **settings).items or ())


def warned(path, **settings):
    return [each.code for each in record(path, **settings).warnings if each.code]


def ratings(n_items=30, n_annotators=3, labels="pqrs", seed=2, accuracy=0.75):
    """Columns of ratings of annotators who agree more than by chance."""
    rng = random.Random(seed)
    truth = [rng.choice(labels) for _ in range(n_items)]
    return [
        [each if rng.random() < accuracy else rng.choice(labels) for each in truth]
        for _ in range(n_annotators)
    ]


def wide(columns, names=None, *, items=True, delimiter=","):
    names = names or [f"ann{number}" for number in range(len(columns))]
    head = ["item", *names] if items else names
    rows = [
        [f"i{number}", *cells] if items else cells
        for number, cells in enumerate(zip(*columns, strict=True))
    ]
    return "\n".join(delimiter.join(map(str, row)) for row in [head, *rows]) + "\n"


SCORES = "12345"


# The record


def test_the_record_of_a_long_table_has_origins_and_unused_columns(write):
    path = write("coder,question,note,score\na,q1,x,yes\nb,q1,,no\na,q2,y,yes\n")
    found = record(path)
    assert found.origins == (
        Origin("item", "column", "question", "name", 2, ("q1", "q2")),
        Origin("annotator", "column", "coder", "name", 2, ("a", "b")),
        Origin("label", "column", "score", "name", 2, ("no", "yes")),
    )
    assert found.ignored == (Ignored("column", "note", 2, "no role"),)


def test_the_record_of_a_wide_table_has_annotators_and_unused_columns(write):
    path = write("item,note,ann,bob\ni1,x,yes,no\ni2,x,no,no\n")
    found = record(path, annotator_columns=("ann", "bob"))
    assert found.origin("annotator") == Origin(
        "annotator", "column", "", "asked", 2, ("ann", "bob")
    )
    assert found.ignored == (Ignored("column", "note", 1, "no role"),)


def test_title_rows_above_ratings_are_listed(write):
    found = record(write("Survey of May\n\ncoder,question,score\na,q1,yes\nb,q1,no\n"))
    assert [(each.kind, each.count) for each in found.ignored] == [("row", 1)]


def test_an_item_can_be_named_by_several_columns(write):
    path = write("text,sentence,coder,label\nt1,1,a,x\nt2,1,a,y\nt1,1,b,x\nt2,1,b,y\n")
    found = read_ratings(path, item="text,sentence")
    assert found.items == ("t1 1", "t2 1")
    assert un.krippendorff_alpha(found).value == 1.0
    with pytest.raises(ReadError, match="no column 'text,clause'"):
        read_ratings(path, item="text,clause")


# Columns that are not annotators


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("sex", ["f", "m"] * 15),
        ("day", [f"2024-05-{day:02}" for day in range(1, 16)] * 2),
        ("years", [20 + (7 * number) % 41 for number in range(30)]),
    ],
)
def test_a_column_with_values_of_its_own_is_questioned(write, name, column):
    path = write(wide([*ratings(), column], ["ann", "bob", "eve", name]))
    with pytest.raises(AmbiguousInputError, match=f"{name} does not look like an annotator"):
        read_ratings(path, wide=True)
    (question,) = record(path, wide=True).questions
    assert question.code == "not-an-annotator"
    chosen = read_ratings(path, **question.readings[1].settings)
    assert chosen.annotators == ("ann", "bob", "eve")
    accepted = read_ratings(path, wide=True, accept="not-an-annotator")
    assert len(accepted.annotators) == 4


def test_a_mean_and_a_sum_of_the_others_are_questioned(write):
    columns = [[int(each) for each in column] for column in ratings(40, 3, SCORES, 5)]
    means = [f"{sum(row) / 3:.2f}" for row in zip(*columns, strict=True)]
    sums = [sum(row) for row in zip(*columns, strict=True)]
    assert questions(write(wide([*columns, means])), wide=True) == ["not-an-annotator"]
    path = write(wide([*columns, sums]))
    (question,) = record(path, wide=True).questions
    assert "ann3 does not look like an annotator" in question.text


def test_a_majority_is_questioned_if_its_name_says_so(write):
    columns = ratings(60, 4, seed=9, accuracy=0.6)
    majority = [max(sorted(set(row)), key=row.count) for row in zip(*columns, strict=True)]
    names = ["ann", "bob", "eve", "max", "gold"]
    assert questions(write(wide([*columns, majority], names)), wide=True) == ["not-an-annotator"]
    names[-1] = "zoe"
    assert questions(write(wide([*columns, majority], names)), wide=True) == []


def test_a_name_alone_is_a_warning(write):
    path = write(wide(ratings(seed=6), ["ann", "bob", "class"]))
    assert questions(path, wide=True) == []
    assert warned(path, wide=True) == ["column-names"]
    assert warned(path, annotator_columns=("ann", "bob", "class")) == []


def test_annotators_who_use_some_labels_alone_raise_nothing(write):
    columns = ratings(seed=7)
    columns[0][3], columns[1][5] = "rare", "typo"
    path = write(wide(columns, ["ann", "bob", "eve"]))
    assert questions(path, wide=True) + warned(path, wide=True) == []


def test_scores_with_decimals_that_are_never_repeated_raise_nothing(write):
    rng = random.Random(3)
    columns = [[f"{rng.uniform(0, 100):.2f}" for _ in range(20)] for _ in range(4)]
    assert questions(write(wide(columns)), wide=True) == []


def test_two_annotators_without_a_common_label_raise_no_question(write):
    path = write(wide([["a", "b"] * 6, ["x", "y"] * 6], ["ann", "bob"]))
    assert questions(path, wide=True) == []


def test_a_column_that_agrees_with_no_other_is_a_warning(write):
    columns = ratings(60, 4, seed=21)
    shuffled = columns[0][::-1]
    path = write(wide([*columns[1:], shuffled], ["ann", "bob", "eve", "max"]))
    assert (questions(path, wide=True), warned(path, wide=True)) == ([], ["poor-column"])
    assert warned(write(wide(columns)), wide=True) == []


def test_readings_are_shown_with_the_options_of_the_command_line(write, capsys):
    path = write(wide([*ratings(), ["f", "m"] * 15], ["ann", "bob", "eve", "sex"]))
    assert main(["items", path, "--wide"]) == 2
    assert "--annotator-columns ann,bob,eve" in " ".join(capsys.readouterr().err.split())


# Several aspects


@pytest.mark.parametrize(
    "names",
    [
        ["r1_fluency", "r2_fluency", "r1_adequacy", "r2_adequacy"],
        ["fluency_r1", "fluency_r2", "adequacy_r1", "adequacy_r2"],
        ["r1", "r2", "r1_conf", "r2_conf"],
    ],
)
def test_pairs_of_annotator_and_aspect_are_questioned(write, names):
    columns = [*ratings(50, 2, seed=31), *ratings(50, 2, seed=32)]
    path = write(wide(columns, names))
    (question,) = record(path, wide=True).questions
    assert question.code == "two-aspects"
    first, second = (reading.settings["annotator_columns"] for reading in question.readings[1:])
    assert (first, second) == (tuple(names[:2]), tuple(names[2:]))


def test_systems_run_twice_raise_nothing(write):
    columns = ratings(50, 4, seed=33)
    path = write(wide(columns, ["gpt_run1", "gpt_run2", "llama_run1", "llama_run2"]))
    assert questions(path, wide=True) == []


# Headers


def test_a_wide_header_of_numbers_is_questioned(write):
    path = write(wide(ratings(20, 3, SCORES), ["1", "2", "3"], items=False))
    (question,) = record(path, wide=True).questions
    assert question.code == "header-numbers"
    sizes = [n_items(path, wide=True, **each.settings) for each in question.readings]
    assert sizes == [21, 20]


@pytest.mark.parametrize("first", ["1,3,2", "1,1,1", "2,3,4"])
def test_ratings_without_a_header_raise_nothing(write, first):
    rows = wide(ratings(20, 3, SCORES), items=False).split("\n", 1)[1]
    assert questions(write(f"{first}\n{rows}"), wide=True) == []


# Items that restart


def restarting(*, same):
    """Ratings of numbered sentences of five texts, each by two raters of its own."""
    rng = random.Random(17)
    lines = ["part,coder,sentence,label"]
    truth = [rng.choice("abc") for _ in range(20)]
    for text in range(5):
        truth = truth if same else [rng.choice("abc") for _ in range(20)]
        for coder in range(2):
            for number, label in enumerate(truth, start=1):
                chosen = label if rng.random() < 0.8 else rng.choice("abc")
                lines.append(f"t{text},c{text}{coder},{number},{chosen}")
    return "\n".join(lines)


def test_items_that_restart_are_questioned(write):
    path = write(restarting(same=False))
    with pytest.raises(AmbiguousInputError, match="different items in each part"):
        read_ratings(path)
    (question,) = record(path).questions
    assert question.code == "items-restart"
    assert n_items(path, **question.readings[1].settings) == 100
    assert n_items(path, accept="items-restart") == 20


def test_groups_of_annotators_of_the_same_items_raise_nothing(write):
    assert questions(write(restarting(same=True))) == []


# Labels and names


@pytest.mark.parametrize("code", ["-99", "999", "-1", "-9"])
def test_a_number_out_of_the_scale_is_a_warning(write, code):
    columns = ratings(40, 3, SCORES, 41)
    columns[1][3] = columns[2][9] = code
    path = write(wide(columns))
    (warning,) = (each for each in record(path, wide=True).warnings if each.code == "missing-code")
    assert warning.count == 2
    assert dict(warning.settings) == {"na_values": (code,)}
    assert "missing-code" not in warned(path, wide=True, **warning.settings)


@pytest.mark.parametrize(
    "labels", [["-3", "-2", "-1", "0", "1", "2", "3"], ["-1", "0", "1"], ["0", "50", "99"]]
)
def test_negative_and_wide_scales_raise_nothing(write, labels):
    assert "missing-code" not in warned(write(wide(ratings(40, 3, labels, 42))), wide=True)


@pytest.mark.parametrize("word", ["x", ".", "k.A."])
def test_a_word_among_numbers_is_a_warning(write, word):
    columns = ratings(40, 3, SCORES, 43)
    columns[0][1] = word
    path = write(wide(columns))
    assert warned(path, wide=True) == ["missing-word"]
    assert warned(path, wide=True, na_values=word) == ["ordered-labels"]


def test_a_decimal_comma_among_points_is_a_warning_if_commas_separate_columns(write):
    columns = ratings(40, 3, SCORES, 44)
    columns[0][1] = '"1,0"'
    assert warned(write(wide(columns)), wide=True) == ["missing-word"]


def test_a_decimal_comma_is_read_if_commas_do_not_separate_columns(write):
    columns = ratings(40, 3, "123", 45)
    columns[0] = [f"{each},0" for each in columns[0]]
    found = read_ratings(write(wide(columns, delimiter=";")), wide=True)
    assert found.labels == (1, 2, 3)


def test_numbers_that_may_be_an_ordered_scale_are_a_warning(write):
    assert warned(write(wide(ratings(40, 3, SCORES, 46))), wide=True) == ["ordered-labels"]
    assert warned(write(wide(ratings(40, 3, "01", 47))), wide=True) == []
    assert warned(write(wide(ratings(40, 3, ["10", "20", "40"], 48))), wide=True) == []


def test_labels_and_names_that_differ_in_case_are_warnings(write):
    path = write("coder,item,label\nAnn,i1,Yes\nann,I1,yes\nbob,i1,A'\nbob,i2,A\n")
    assert sorted(warned(path)) == ["similar-annotators", "similar-items", "similar-labels"]
    path = write("coder,item,label\nann,i1,A'\nbob,i1,A\nann,i2,A''\nbob,i2,B\n")
    assert warned(path) == []


def test_a_reference_among_annotators_is_a_warning(write):
    long = "coder,item,label\n" + "".join(
        f"{who},i{number},x\n" for who in ("ann", "bob", "gold") for number in range(3)
    )
    assert warned(write(long)) == ["reference-annotator"]


@pytest.mark.parametrize("name", ["Total", "Summe", "Σ", "mean"])
def test_a_last_row_of_totals_is_a_warning(write, name):
    columns = ratings(20, 3, SCORES, 49)
    table = wide(columns)
    sums = ",".join(str(sum(map(int, column))) for column in columns)
    assert "total-row" in warned(write(f"{table}{name},{sums}\n"), wide=True)
    assert "total-row" not in warned(write(table), wide=True)
    unnamed = wide(columns, items=False)
    assert "total-row" in warned(write(f"{unnamed}{sums}\n"), wide=True, header=True)


def test_a_stray_quotation_mark_is_refused_with_its_line(write):
    with pytest.raises(ReadError, match=r"ratings.csv:3: a single quotation mark in column 1"):
        read_ratings(write('coder,item,label\nann,i1,x\nbob",i1,x\n'))


@pytest.mark.parametrize(
    ("name", "settings"),
    [("politeness.csv", {}), ("topics.csv", {"wide": True})],
)
def test_the_examples_raise_no_question(name, settings):
    assert questions(EXAMPLES / name, **settings) == []
