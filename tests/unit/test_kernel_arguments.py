"""The kernel's border refuses what it could not compute with: an error, never a crash."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import unisono as un
from unisono._core import TableReader, align, make_draws, split_rows

# Two annotators with two and three units of two labels.
COLUMNS: dict[str, Any] = {
    "starts": np.array([0.0, 8.0, 1.0, 7.0, 20.0]),
    "ends": np.array([5.0, 9.0, 5.0, 9.0, 22.0]),
    "labels": np.array([0, 1, 0, 0, 1], np.int32),
}
NUMBERS: dict[str, Any] = {
    "label_count": 2,
    "position": 1.0,
    "label": 1.0,
    "power": 2.0,
    "confidence_factor": 1.0,
    "effort": 1.0,
    "soft": False,
    "gap_tolerance": 0.0,
    "time_limit": math.inf,
}
OFFSETS = np.array([0, 2, 5], np.int64)
NOMINAL = np.empty((0, 0))
HALF = np.array([[0.0, 0.5], [0.5, 0.0]])
ALIGN: dict[str, Any] = {**COLUMNS, "offsets": OFFSETS, "distances": NOMINAL, **NUMBERS}
PLAN: dict[str, Any] = {
    **COLUMNS,
    "voice_offsets": OFFSETS,
    "voice_origin": np.zeros(2),
    "voice_extent": np.array([22.0, 22.0]),
    "picks": np.array([[0, 1], [1, 1], [0, 0]], np.int32),
    "shifts": np.array([[0.0, 0.0], [3.5, 20.0], [1.0, 2.0]]),
    "tiled_to": np.empty(0),
}
PAIRS = (np.array([0, 1], np.int64), np.array([2, 3], np.int64), np.array([0.1, 0.2]))

ARRAYS = [name for name, value in ALIGN.items() if isinstance(value, np.ndarray)]
PLAN_ARRAYS = list(PLAN)


def changed(column: np.ndarray, at: int, value: float) -> np.ndarray:
    copy = column.copy()
    copy.flat[at] = value
    return copy


def pairs(first: list[int], second: list[int], cost: list[float]) -> Any:
    return np.array(first, np.int64), np.array(second, np.int64), np.array(cost)


def wrong_arrays(array: np.ndarray) -> dict[str, Any]:
    """The same numbers in a form that the kernel does not take."""
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    view = wide[..., ::2]
    view[...] = array
    other = np.float32 if array.dtype == np.float64 else np.float64
    return {
        "another type": array.astype(other),
        "big-endian": array.astype(array.dtype.newbyteorder(">")),
        "with gaps": view,
        "one dimension more": array[None],
        "a list": array.tolist(),
        "nothing": None,
    }


WRONG_FORMS = list(wrong_arrays(np.zeros(3)))


# What is taken


def test_the_columns_of_these_tests_are_taken():
    assert align(**ALIGN)["groups"].tolist() == [[0, 2], [1, 3], [-1, 4]]
    assert make_draws(**PLAN)[3].tolist() == [2, 3, 3, 3, 2, 2]


def test_read_only_arrays_are_taken():
    frozen = {name: value.copy() for name, value in ALIGN.items() if name in ARRAYS}
    for array in frozen.values():
        array.setflags(write=False)
    assert align(**ALIGN | frozen)["groups"].tolist() == align(**ALIGN)["groups"].tolist()


def test_results_have_one_entry_per_group_and_per_label():
    found = align(**ALIGN)
    assert found["groups"].dtype == np.int64
    assert found["disorders"].shape == (3,)
    assert found["label_weight_of"].shape == (2,)


def test_a_kernel_without_units_gives_no_groups():
    nothing = {name: ALIGN[name][:0] for name in COLUMNS}
    found = align(**ALIGN | nothing | {"offsets": np.zeros(3, np.int64)})
    assert found["groups"].shape == (0, 2)
    assert found["proven"]


def test_a_plan_without_draws_has_no_units():
    none = {"picks": PLAN["picks"][:0], "shifts": PLAN["shifts"][:0]}
    assert [column.size for column in make_draws(**PLAN | none)] == [0, 0, 0, 0]


def test_given_pairs_replace_the_formula():
    found = align(**ALIGN, pairs=pairs([4, 1], [0, 3], [0.0, 0.0]))
    assert sorted(found["groups"].tolist()) == [[-1, 2], [0, 4], [1, 3]]


# Forms


@pytest.mark.parametrize("form", WRONG_FORMS)
@pytest.mark.parametrize("name", ARRAYS)
def test_align_takes_arrays_of_one_form_only(name, form):
    array = HALF if name == "distances" else ALIGN[name]
    with pytest.raises(TypeError):
        align(**ALIGN | {name: wrong_arrays(array)[form]})


@pytest.mark.parametrize("form", WRONG_FORMS)
@pytest.mark.parametrize("name", PLAN_ARRAYS)
def test_make_draws_takes_arrays_of_one_form_only(name, form):
    given = np.ones(3) if name == "tiled_to" else PLAN[name]
    with pytest.raises(TypeError):
        make_draws(**PLAN | {name: wrong_arrays(given)[form]})


@pytest.mark.parametrize("form", WRONG_FORMS)
@pytest.mark.parametrize("column", [0, 1, 2])
def test_pairs_are_arrays_of_one_form_only(column, form):
    given: Any = tuple(
        wrong_arrays(array)[form] if at == column else array for at, array in enumerate(PAIRS)
    )
    with pytest.raises(TypeError):
        align(**ALIGN, pairs=given)


@pytest.mark.parametrize("name", ["label_count", "position", "effort"])
def test_numbers_are_numbers(name):
    with pytest.raises(TypeError):
        align(**ALIGN | {name: "1"})


# Sizes


@pytest.mark.parametrize("name", list(COLUMNS))
@pytest.mark.parametrize("size", [0, 4])
def test_columns_of_units_are_equally_long(name, size):
    shorter = {name: ALIGN[name][:size].copy()}
    with pytest.raises(ValueError, match="must have the same length"):
        align(**ALIGN | shorter)
    with pytest.raises(ValueError, match="must have the same length"):
        make_draws(**PLAN | shorter)


@pytest.mark.parametrize(
    "offsets", [[], [0, 2], [1, 2, 5], [0, 2, 6], [0, 6, 5], [0, -1, 5], [0, 4, 2, 5]]
)
def test_offsets_rise_from_0_to_the_number_of_units(offsets):
    wrong = np.array(offsets, np.int64)
    with pytest.raises(ValueError, match="offsets must rise from 0"):
        align(**ALIGN | {"offsets": wrong})
    with pytest.raises(ValueError, match="offsets must rise from 0"):
        make_draws(**PLAN | {"voice_offsets": wrong})


def test_one_annotator_cannot_be_aligned():
    with pytest.raises(ValueError, match="needs 2 to 150 annotators"):
        align(**ALIGN | {"offsets": np.array([0, 5], np.int64)})


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"voice_origin": np.zeros(1)}, "needs an origin and an extent"),
        ({"voice_extent": np.ones(3)}, "needs an origin and an extent"),
        ({"voice_origin": np.array([0.0, math.nan])}, "origins and extents must be within"),
        ({"voice_extent": np.array([1.0, math.inf])}, "origins and extents must be within"),
        ({"voice_extent": np.array([1.0, -1.0])}, "extents not negative"),
        ({"picks": PLAN["picks"][:2].copy()}, "must have the same shape"),
        ({"shifts": np.zeros((3, 3))}, "must have the same shape"),
        ({"picks": np.zeros((3, 1), np.int32), "shifts": np.zeros((3, 1))}, "2 to 150 annotators"),
        ({"picks": changed(PLAN["picks"], 3, 2)}, "a pick is not a voice"),
        ({"picks": changed(PLAN["picks"], 3, -1)}, "a pick is not a voice"),
        ({"shifts": changed(PLAN["shifts"], 3, math.nan)}, "shifts must be within"),
        ({"shifts": changed(PLAN["shifts"], 3, math.inf)}, "shifts must be within"),
        ({"shifts": changed(PLAN["shifts"], 3, -1.0)}, "not negative"),
        ({"tiled_to": np.ones(2)}, "tiled_to must be empty or have a length for each draw"),
        ({"tiled_to": np.array([1.0, math.inf, 1.0])}, "tiled_to must be finite"),
    ],
)
def test_a_plan_that_does_not_hold_together_is_refused(wrong, problem):
    with pytest.raises(ValueError, match=problem):
        make_draws(**PLAN | wrong)


# Values


@pytest.mark.parametrize("name", ["starts", "ends"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_bounds_are_finite(name, value):
    wrong = {name: changed(ALIGN[name], 2, value)}
    with pytest.raises(ValueError, match="must be within"):
        align(**ALIGN | wrong)
    with pytest.raises(ValueError, match="must be within"):
        make_draws(**PLAN | wrong)


def test_a_unit_does_not_end_before_it_starts():
    with pytest.raises(ValueError, match="must be within"):
        align(**ALIGN | {"ends": changed(ALIGN["ends"], 2, 0.5)})


@pytest.mark.parametrize("code", [-1, 2])
def test_a_label_code_is_one_of_the_labels(code):
    wrong = {"labels": changed(ALIGN["labels"], 4, code)}
    with pytest.raises(ValueError, match="a label code is outside the labels"):
        align(**ALIGN | wrong)


@pytest.mark.parametrize(
    ("distances", "problem"),
    [
        (np.zeros((2, 3)), "must be square"),
        (np.zeros((2, 0)), "must be square"),
        (np.zeros((3, 3)), "a row and a column for each label"),
        (changed(HALF, 1, -0.5), "must not be negative or NaN"),
        (changed(HALF, 1, math.nan), "must not be negative or NaN"),
    ],
)
def test_distances_are_a_table_of_the_labels(distances, problem):
    with pytest.raises(ValueError, match=problem):
        align(**ALIGN | {"distances": distances})


def test_infinite_distances_forbid_and_are_taken():
    never = np.array([[0.0, math.inf], [math.inf, 0.0]])
    found = align(**ALIGN | {"distances": never})["groups"].tolist()
    assert found == [[0, 2], [-1, 3], [1, -1], [-1, 4]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("position", -1.0),
        ("position", math.nan),
        ("label", math.inf),
        ("label", -0.1),
        ("power", -1.0),
        ("power", math.nan),
        ("confidence_factor", -1.0),
        ("confidence_factor", math.inf),
        ("gap_tolerance", -0.1),
        ("gap_tolerance", 1.0),
        ("gap_tolerance", math.nan),
        ("time_limit", -1.0),
        ("time_limit", math.nan),
        ("effort", 0.0),
        ("effort", -1.0),
        ("effort", math.nan),
        ("effort", math.inf),
        ("label_count", -1),
        ("label_count", 1),
    ],
)
def test_numbers_are_in_their_range(name, value):
    with pytest.raises(ValueError, match=r"must be|outside the labels"):
        align(**ALIGN | {name: value})


# Pairs


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (pairs([0, 1], [2], [0.1, 0.2]), "columns of the pairs must have the same length"),
        (pairs([0, 1], [2, 3], [0.1]), "columns of the pairs must have the same length"),
        (pairs([0], [5], [0.1]), "names a unit that is not there"),
        (pairs([-1], [2], [0.1]), "names a unit that is not there"),
        (pairs([0], [1], [0.1]), "must be of two annotators"),
        (pairs([2], [2], [0.1]), "must be of two annotators"),
        (pairs([0, 0], [2, 2], [0.1, 0.1]), "a pair was given twice"),
        (pairs([0, 2], [2, 0], [0.1, 0.1]), "a pair was given twice"),
        (pairs([0], [2], [-0.1]), "must not be negative or NaN"),
        (pairs([0], [2], [math.nan]), "must not be negative or NaN"),
    ],
)
def test_a_wrong_pair_is_refused(given, problem):
    with pytest.raises(ValueError, match=problem):
        align(**ALIGN, pairs=given)


@pytest.mark.parametrize("given", [(), PAIRS[:2], 3, "pairs"])
def test_pairs_are_three_columns(given):
    with pytest.raises(TypeError):
        align(**ALIGN, pairs=given)


def test_given_costs_may_distinguish_equal_units():
    # Annotator b has two equal units, and the second costs nothing beside a's.
    alike = {"starts": np.zeros(3), "ends": np.ones(3), "labels": np.zeros(3, np.int32)}
    given = {"offsets": np.array([0, 1, 3]), "pairs": pairs([0, 0], [1, 2], [0.5, 0.0])}
    found = align(**ALIGN | alike | given)
    assert found["proven"]
    assert sorted(found["groups"].tolist()) == [[-1, 1], [0, 2]]


def test_more_annotators_than_sums_can_hold_are_refused():
    crowd = {"starts": np.zeros(151), "ends": np.ones(151), "labels": np.zeros(151, np.int32)}
    with pytest.raises(ValueError, match="2 to 150 annotators"):
        align(**ALIGN | crowd | {"offsets": np.arange(152)})


def test_a_crowd_is_refused_with_a_sentence():
    crowd = un.Continuum.from_units([(f"annotator {i}", 0, 1, "A") for i in range(151)])
    with pytest.raises(un.DataError, match="up to 150 annotators, got 151"):
        un.gamma(crowd, draws=3, rng=1)


def test_the_document_with_a_crowd_is_named_before_anything_is_aligned():
    crowd = un.Continuum.from_units([(f"annotator {i}", 0, 1, "A") for i in range(151)])
    pair = un.Continuum.from_units([("ann", 0, 1, "A"), ("bob", 0, 1, "A")])
    corpus = un.Corpus.from_continua({"a": pair, "forum": crowd})
    with pytest.raises(un.DataError, match=r"document 'forum': .* 151; keep some .* leave out"):
        un.gamma(corpus, draws=3, rng=1)


# Tables of text


def table(content: bytes = b"a,b\n1,x\n2,y\n") -> TableReader:
    reader = TableReader(b",", longest_cell=100, longest_row=100)
    reader.feed(content, is_last=True)
    return reader


def choice(*columns: int) -> np.ndarray:
    return np.array(columns, dtype=np.int32)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (choice(0), "one choice for each column of the first row"),
        (choice(0, 1, 1), "one choice for each column of the first row"),
        (choice(0, -4), "at most as many codebooks as columns"),
        (choice(0, 2), "at most as many codebooks as columns"),
    ],
)
def test_columns_that_a_table_does_not_have_are_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        table().choose(columns, takes_first=False, keeps_blank=False)


@pytest.mark.parametrize("wrong", wrong_arrays(choice(0, -2)).values())
def test_a_choice_of_columns_of_another_type_is_refused(wrong):
    with pytest.raises(TypeError):
        table().choose(wrong, takes_first=False, keeps_blank=False)


def test_what_a_table_does_not_have_is_refused():
    for make in (
        lambda: TableReader(b"", longest_cell=1, longest_row=1),
        lambda: split_rows(b"a", b""),
        lambda: table(b"").choose(choice(), takes_first=False, keeps_blank=False),
    ):
        with pytest.raises(ValueError, match=r"not empty|first row"):
            make()
    reader = table()
    reader.choose(choice(-2, 0), takes_first=False, keeps_blank=False)
    for ask, message in (
        (lambda: reader.choose(choice(-2, 0), takes_first=True, keeps_blank=True), "chosen once"),
        (lambda: reader.numbers(2), "no such column"),
        (lambda: reader.codes(2), "no such column"),
        (lambda: reader.texts(1), "no such codebook"),
        (lambda: reader.row_text(2), "no such row"),
        (lambda: reader.line_of(2), "no such row"),
        (lambda: reader.line_of(-1), "no such row"),
    ):
        with pytest.raises(ValueError, match=message):
            ask()
    with pytest.raises(TypeError):
        reader.feed("text", is_last=True)  # type: ignore[arg-type]
    assert reader.numbers(0).tolist() == [1, 2]
    assert reader.texts(0)[0] == ["x", "y"]


def test_a_block_has_the_text_of_its_own_rows_only():
    reader = TableReader(b",", longest_cell=100, longest_row=100)
    reader.feed(b"a,b\n1,x\n2,y", is_last=False)
    reader.choose(choice(-2, 0), takes_first=False, keeps_blank=False)
    assert (reader.rows, reader.row_text(0)) == (1, "1,x")
    reader.feed(b"z\n3,w\n", is_last=True)
    assert (reader.rows, reader.row_text(1), reader.line_of(2)) == (3, "2,yz", 4)
    with pytest.raises(ValueError, match="no such row"):
        reader.row_text(0)
