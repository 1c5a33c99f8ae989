from __future__ import annotations

import pickle
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import items_oracle as oracle
from unisono.errors import DataError, ReadError, SettingError
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import check_distance, distance_matrix, distance_signature

NAMES = ("nominal", "ordinal", "interval", "ratio", "edit", "jaccard", "dice", "masi")


def between(left, right, distance, **settings):
    return distance_matrix([left, right], distance, **settings)[0, 1]


def edits(left: str, right: str) -> int:
    @cache
    def to_go(i: int, j: int) -> int:
        if i == len(left) or j == len(right):
            return len(left) - i + len(right) - j
        substituted = to_go(i + 1, j + 1) + (left[i] != right[j])
        return min(substituted, to_go(i + 1, j) + 1, to_go(i, j + 1) + 1)

    return to_go(0, 0)


def masi(left: frozenset[str], right: frozenset[str]) -> Fraction:
    if left == right:
        return Fraction(0)
    monotonicity = Fraction(0)
    if left & right:
        monotonicity = Fraction(2 if left <= right or right <= left else 1, 3)
    return 1 - Fraction(len(left & right), len(left | right)) * monotonicity


# Names


def test_nominal_is_0_or_1():
    assert distance_matrix(["a", 1, None], "nominal").tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_interval_is_the_squared_part_of_the_range():
    assert between(0, 6, "interval") == 1.0
    assert distance_matrix([0, 1, 4], "interval")[0].tolist() == [0.0, 1 / 16, 1.0]


def test_interval_takes_the_widest_range_of_numbers():
    assert distance_matrix([-1.7e308, 0, 1.7e308], "interval")[0].tolist() == [0.0, 0.25, 1.0]


def test_ordinal_is_krippendorffs():
    # n = (3, 1, 2): δ(1,2) = (3+1-4/2)² = 4, δ(2,3) = (1+2-3/2)² = 2.25, δ(1,3) = (6-5/2)² = 12.25
    values = distance_matrix([1, 2, 3], "ordinal", counts=[3, 1, 2])
    assert values * 12.25 == pytest.approx(
        np.array([[0, 4, 12.25], [4, 0, 2.25], [12.25, 2.25, 0]])
    )


def test_ordinal_follows_the_numbers_and_not_the_order_given():
    given_order = distance_matrix(["10", "9", "11"], "ordinal", counts=[1, 3, 2])
    sorted_order = distance_matrix([9, 10, 11], "ordinal", counts=[3, 1, 2])
    assert given_order[1, 2] == sorted_order[0, 2]
    assert given_order[0, 1] == sorted_order[0, 1]


def test_ordinal_counts_labels_of_the_same_number_together():
    values = distance_matrix(["1", "1.0", "2"], "ordinal", counts=[1, 2, 3])
    assert values.tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]


def test_ordinal_of_labels_that_never_occur_is_0():
    assert between(1, 2, "ordinal", counts=[0, 0]) == 0.0


def test_ratio_is_relative_to_the_sum():
    assert between(1, 3, "ratio") == 0.25
    assert between(0, 5, "ratio") == 1.0


def test_ratio_of_0_and_0_is_0():
    assert between("0", "0.0", "ratio") == 0.0


def test_edit_counts_the_edits_of_the_longer_text():
    assert between("kitten", "sitting", "edit") == 3 / 7
    assert between(12, "1", "edit") == 0.5


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=5, unique=True))
def test_edit_agrees_with_the_recursion_of_the_definition(texts):
    expected = [[edits(a, b) / max(len(a), len(b)) for b in texts] for a in texts]
    assert distance_matrix(texts, "edit").tolist() == expected


# The kernel takes 64 characters at a time.
@given(
    st.lists(st.text("aé😀\ud800", min_size=60, max_size=140), min_size=2, max_size=2, unique=True)
)
def test_edit_of_long_texts_agrees_with_the_table_of_the_definition(texts):
    left, right = texts
    assert between(left, right, "edit") == oracle.edit(left, right)
    assert between(left, left[1:] + left[0] + "a", "edit") == oracle.edit(
        left, left[1:] + left[0] + "a"
    )


def test_edit_refuses_texts_that_it_would_compare_for_hours():
    books = ["a" * 4_000_000 + str(number) for number in range(3)]
    with pytest.raises(DataError, match="the 3 different labels, which have 12,000,003 characters"):
        distance_matrix(books, "edit")


@pytest.mark.parametrize(
    ("left", "right", "jaccard", "dice", "exact_masi"),
    [
        ("ab", "ab", 0, 0, Fraction(0)),
        ("a", "ab", 1 / 2, 1 / 3, Fraction(2, 3)),
        ("ab", "bc", 2 / 3, 1 / 2, Fraction(8, 9)),
        ("a", "b", 1, 1, Fraction(1)),
        ("", "a", 1, 1, Fraction(1)),
        ("", "", 0, 0, Fraction(0)),
    ],
)
def test_set_distances_follow_their_definitions(left, right, jaccard, dice, exact_masi):
    pair = frozenset(left), frozenset(right)
    assert between(*pair, "jaccard") == jaccard
    assert between(*pair, "dice") == dice
    assert between(*pair, "masi") == float(exact_masi)


@given(st.lists(st.frozensets(st.sampled_from("abcde")), min_size=1, max_size=6, unique=True))
def test_masi_is_the_nearest_float_to_its_fraction(sets):
    expected = [[float(masi(left, right)) for right in sets] for left in sets]
    assert distance_matrix(sets, "masi").tolist() == expected


def test_a_plain_label_is_the_set_of_itself():
    assert between("a", frozenset({"a"}), "jaccard") == 0.0
    assert between("a", frozenset({"a", 1}), "masi") == 2 / 3


@pytest.mark.parametrize("name", NAMES)
@given(numbers=st.lists(st.integers(0, 10**6), max_size=6, unique=True), data=st.data())
def test_every_name_is_a_symmetric_distance_within_0_and_1(name, numbers, data):
    counts = data.draw(st.lists(st.integers(0, 99), min_size=len(numbers), max_size=len(numbers)))
    values = distance_matrix(numbers, name, counts=counts)
    assert values.shape == (len(numbers), len(numbers))
    assert (values == values.T).all()
    assert (np.diag(values) == 0).all()
    assert ((values >= 0) & (values <= 1)).all()


def test_the_table_is_read_only():
    values = distance_matrix(["a", "b"], "nominal")
    assert values.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        values[0, 1] = 0.5


@pytest.mark.parametrize("distance", [*NAMES, DistanceMatrix(["a"], [[0]]), lambda *_: 1.0])
def test_without_any_label_all_units_are_equal(distance):
    assert distance_matrix([None], distance).tolist() == [[0.0]]
    assert distance_signature(distance, [None])


# What cannot be compared


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_missing_label_among_labels_is_refused_by_all_but_nominal(name):
    with pytest.raises(DataError, match=f"some units have no label, and the distance '{name}'"):
        distance_matrix([None, 1], name, counts=[1, 1])


@pytest.mark.parametrize("name", ["ordinal", "interval", "ratio"])
@pytest.mark.parametrize(
    ("label", "problem"),
    [("noun", "none"), ("1_2", "none"), ("nan", "none"), ("inf", "none"), (10**400, "too large")],
)
def test_what_is_no_number_is_named(name, label, problem):
    named = f"compares numbers, and the label '?{label}'? is {problem}"
    with pytest.raises(DataError, match=named):
        distance_matrix([1, label], name, counts=[1, 1])


def test_a_set_is_no_number_and_no_text():
    with pytest.raises(DataError, match=r"the label \{1\} is none"):
        distance_matrix([1, frozenset({1})], "interval")
    with pytest.raises(DataError, match=r"the label \{a\} is a set; use 'jaccard'"):
        distance_matrix(["a", frozenset("a")], "edit")


def test_ratio_refuses_negative_numbers():
    with pytest.raises(DataError, match="at least 0, and a label is -1"):
        distance_matrix([2, -1], "ratio")


@pytest.mark.parametrize("counts", [None, [1], [1, -1]])
def test_ordinal_needs_the_counts_of_the_labels(counts):
    with pytest.raises(SettingError, match="counts"):
        distance_matrix([1, 2], "ordinal", counts=counts)


def test_an_unknown_name_lists_the_choices():
    with pytest.raises(SettingError, match=r"unknown distance='numerical'; .*ordinal.*masi"):
        check_distance("numerical")


def test_a_distance_of_another_type_is_a_type_error():
    with pytest.raises(TypeError, match="not int"):
        check_distance(3)


# Functions


def test_a_function_is_called_once_for_each_unordered_pair():
    calls = []

    def by_length(left, right):
        calls.append((left, right))
        return abs(len(left) - len(right)) / 2

    assert distance_matrix(["a", "bb", "ccc"], by_length)[0].tolist() == [0.0, 0.5, 1.0]
    assert calls == [("a", "bb"), ("a", "ccc"), ("bb", "ccc")]


@pytest.mark.parametrize("value", [1.5, -0.1, float("nan"), float("inf")])
def test_a_function_must_stay_within_0_and_1(value):
    with pytest.raises(DataError, match=r"within \[0, 1\], but .* gives .* for 'a' and 'b'"):
        distance_matrix(["a", "b"], lambda *_: value)


@pytest.mark.parametrize("value", ["far", None])
def test_a_function_must_give_a_number(value):
    with pytest.raises(TypeError, match="a distance is a number"):
        distance_matrix(["a", "b"], lambda *_: value)


def test_a_function_is_not_asked_about_a_missing_label():
    with pytest.raises(DataError, match="some units have no label"):
        distance_matrix([None, "b"], lambda *_: 1.0)


# Signatures


@pytest.mark.parametrize("name", ["nominal", "ratio", "edit", "jaccard", "dice", "masi"])
def test_a_distance_fixed_by_its_name_is_signed_by_it(name):
    assert distance_signature(name, [1, 2]) == name


def test_scales_are_part_of_the_signature():
    assert distance_signature("interval", ["6", "0", "2.5"]) == "interval[0..6]"
    assert distance_signature("interval", [0.5, 2]) == "interval[0.5..2]"
    assert distance_signature("ordinal", ["2", "1"], [30, 12]) == "ordinal[1:12,2:30]"


def test_a_long_ordinal_scale_is_signed_by_its_digest():
    many = list(range(40))
    signed = distance_signature("ordinal", many, [5] * 40)
    assert signed.startswith("ordinal#")
    assert signed != distance_signature("ordinal", many, [5] * 39 + [6])


def test_a_matrix_is_signed_by_its_values_on_the_labels():
    small = DistanceMatrix(["a", "b"], [[0, 0.5], [0.5, 0]])
    large = DistanceMatrix(["c", "b", "a"], [[0.0, 1.0, 1.0], [1.0, 0.0, 0.5], [1.0, 0.5, 0.0]])
    assert distance_signature(small, ["a", "b"]) == distance_signature(large, ["a", "b"])
    assert distance_signature(large, ["a", "b"]) != distance_signature(large, ["a", "c"])


def test_two_functions_of_one_name_are_signed_differently():
    near = distance_signature(lambda *_: 0.1, ["a", "b"])
    far = distance_signature(lambda *_: 0.9, ["a", "b"])
    assert near.startswith("callable:<lambda>#")
    assert near != far


# Matrices


def test_a_matrix_gives_its_values_in_the_order_of_the_labels():
    matrix = DistanceMatrix(["a", "b", "c"], [[0, 0.2, 1], [0.2, 0, 0.7], [1, 0.7, 0]])
    assert distance_matrix(["c", "b"], matrix).tolist() == [[0.0, 0.7], [0.7, 0.0]]
    assert matrix["a", "b"] == 0.2


def test_a_matrix_knows_a_number_by_its_text():
    matrix = DistanceMatrix(["1", "2"], [[0, 0.5], [0.5, 0]])
    assert between(1, 2, matrix) == 0.5


def test_a_text_that_means_two_labels_means_none():
    matrix = DistanceMatrix(["{a}", frozenset("a")], [[0, 0.5], [0.5, 0]])
    assert matrix["{a}", frozenset("a")] == 0.5
    both = DistanceMatrix([1, "1"], [[0, 0.5], [0.5, 0]])
    assert both[1, "1"] == 0.5


def test_a_label_that_is_missing_in_a_matrix_is_named():
    matrix = DistanceMatrix(["a", 2], [[0, 1], [1, 0]])
    with pytest.raises(DataError, match="does not have the label 'z'; it has 'a', 2"):
        distance_matrix(["a", "z"], matrix)


def test_a_missing_label_among_labels_is_refused_by_a_matrix():
    with pytest.raises(DataError, match="some units have no label, and the distance 'matrix'"):
        distance_matrix([None, "a"], DistanceMatrix(["a"], [[0]]))


@pytest.mark.parametrize(
    ("labels", "values", "problem"),
    [
        (["a", "b"], [[0, 1]], "2 labels must be 2 × 2; it is 1 × 2"),
        (["a", "b"], [[0, 1], [1]], "square table of numbers"),
        (["a", "b"], [[0, "far"], [1, 0]], "square table of numbers; .*far"),
        (["a", "b"], 1, "it is a single number"),
        (["a", "a"], [[0, 1], [1, 0]], "'a' stands there twice"),
        ([1, 1.0], [[0, 1], [1, 0]], "1 stands there twice"),
        (["a", None], [[0, 1], [1, 0]], "label 2 is None"),
        (["a", "b"], [[0, 1], [0.5, 0]], "symmetric, but 'a' to 'b' is 1.0 and 'b' to 'a' is 0.5"),
        (["a", "b"], [[0, 1], [1, 0.1]], "distance 0 from itself, but 'b' is at 0.1"),
        (["a", "b"], [[0, 2], [2, 0]], r"within \[0, 1\], but 'a' to 'b' is 2.0"),
        (["a", "b"], [[0, -1], [-1, 0]], r"within \[0, 1\], but 'a' to 'b' is -1.0"),
        (["a", "b"], [[0, np.nan], [1, 0]], r"within \[0, 1\], but 'a' to 'b' is nan"),
    ],
)
def test_a_wrong_matrix_is_refused_with_its_cell(labels, values, problem):
    with pytest.raises(DataError, match=problem):
        DistanceMatrix(labels, values)


def test_a_matrix_is_a_value():
    values = np.array([[0, 0.5], [0.5, 0]])
    matrix = DistanceMatrix(["a", "b"], values)
    values[0, 1] = 9.0
    again = pickle.loads(pickle.dumps(matrix))  # noqa: S301  (our own bytes)
    assert again == matrix
    assert hash(again) == hash(matrix)
    assert matrix != DistanceMatrix(["a", "b"], [[0, 1], [1, 0]])
    assert matrix != "matrix"
    assert not again.values.flags.writeable
    with pytest.raises(AttributeError):
        matrix.labels = ("c",)  # type: ignore[misc]


def test_a_long_matrix_shows_a_few_labels():
    matrix = DistanceMatrix(list(range(9)), np.zeros((9, 9)))
    assert repr(matrix) == "DistanceMatrix(9 labels: 0, 1, 2, 3, 4, …)"


# Matrices from files


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("near.csv", ",a,b\na,0,0.5\nb,0.5,0\n"),
        ("near.csv", "\ufeff ,a, b\r\n\r\na,0,.5\r\nb,0.5,0"),
        ("near.tsv", "\ta\tb\na\t0\t0.5\nb\t0.5\t0\n"),
        ("near.csv", ";a;b\na;0;0.5\nb;0.5;0\n"),
        ("near.csv", ";a;b\na;0;0,5\nb;0,5;0\n"),
        ("near.txt", '|a|b\n"a"|0|,5\n"b"|"0,5"|0\n'),
    ],
)
def test_a_matrix_is_read_from_a_file(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    assert DistanceMatrix.from_file(path) == DistanceMatrix(["a", "b"], [[0, 0.5], [0.5, 0]])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", r"near\.csv: .*first row with the labels"),
        (",a,b\na,0,x\nb,1,0\n", r"near\.csv:2: .*'a' to 'b' must be a number, not 'x'"),
        (",a,b\na,0,0_1\nb,1,0\n", r"near\.csv:2: .*'a' to 'b' must be a number, not '0_1'"),
        (",a,b\na,0\nb,1,0\n", r"near\.csv:2: expected a label and 2 distances, got 1"),
        (",a,b\na,0,1\nc,1,0\n", r"near\.csv:3: .*this row is 'c' and its column is 'b'"),
        (",a,b\na,0,1\n", r"near\.csv: the row of the label 'b' is missing"),
        (",a\na,0\na,0\n", r"near\.csv:3: more rows than the 1 label of"),
        (",a,b\na,0,1\nb,0.5,0\n", r"near\.csv: a distance matrix must be symmetric"),
        (";a;b\na;0;0,5\nb;0.5;0\n", r"near\.csv:3: .*, not '0.5'; decimals of this table have a"),
        (",a\na,nan\n", r"near\.csv:2: .*'a' to 'a' must be a number, not 'nan'"),
        (',a\na,"0\n', r"near\.csv:2: a quotation mark that opens in this row is never closed"),
        ("a\n0\n", r"near\.csv:1: only one column, when .*; expected a first row with the labels"),
        pytest.param(
            f",{'a' * (2**24 + 1)}\n", r"near\.csv:1: a cell has more than", id="a long cell"
        ),
    ],
)
def test_a_file_that_is_no_matrix_is_refused_with_its_line(tmp_path, text, problem):
    path = tmp_path / "near.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError, match=problem):
        DistanceMatrix.from_file(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ReadError, match=r"near\.csv: the file cannot be opened: No such"):
        DistanceMatrix.from_file(tmp_path / "near.csv")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\x00\x81", r"near\.csv: a binary file, not a text"),
        (b",a\na,\xe9\n", r"near\.csv:2: not valid UTF-8: byte 0xe9"),
        (b"PK\x03\x04", r"near\.csv: a spreadsheet or zip archive"),
    ],
)
def test_a_binary_file_is_refused(tmp_path, content, problem):
    path = tmp_path / "near.csv"
    path.write_bytes(content)
    with pytest.raises(ReadError, match=problem):
        DistanceMatrix.from_file(path)


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ("ab", "ab", 0.0),
        ("a", "ab", 1 / 2 * 1 / 3),
        ("ab", "bc", 2 / 3 * 2 / 3),
        ("a", "b", 1.0),
        ("", "", 0.0),
        ("", "a", 1.0),
    ],
)
def test_masi_product_is_the_product_of_both_complements(left, right, wanted):
    labels = [frozenset(left), frozenset(right)]
    if left == right:
        labels[1] = frozenset("xyz")
        assert distance_matrix(labels, "masi-product")[0, 0] == 0.0
        return
    assert distance_matrix(labels, "masi-product")[0, 1] == pytest.approx(wanted)


def test_both_forms_of_masi_lie_on_the_two_sides_of_jaccard():
    """So α with 1 − J·M is below that with Jaccard where chance sets are disjoint (Table 2)."""
    labels = [frozenset(members) for members in ("a", "ab", "abc", "bc", "d")]
    product, jaccard, masi = (
        distance_matrix(labels, name) for name in ("masi-product", "jaccard", "masi")
    )
    assert (product <= jaccard).all()
    assert (jaccard <= masi).all()
