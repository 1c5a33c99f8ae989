"""Units and continua: order, digest, annotators, extent and selections."""

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest

from unisono.errors import DataError
from unisono.model.continuum import Continuum, Unit
from unit_samples import ROWS


@pytest.fixture
def text():
    return Continuum.from_units(ROWS)


def pickled(value):
    return pickle.loads(pickle.dumps(value))  # noqa: S301 (pickled by this test)


# Units


def test_a_unit_is_normalised():
    unit = Unit("ann", np.int64(2), np.float32(9), ["a", "b"])  # type: ignore[arg-type]
    assert unit == Unit("ann", 2.0, 9.0, frozenset({"b", "a"}))
    assert (type(unit.start), type(unit.end), unit.length) == (float, float, 7.0)


def test_a_unit_may_be_a_point_and_have_no_label():
    unit = Unit("ann", 3, 3)
    assert (unit.length, unit.label) == (0.0, None)


def test_a_unit_cannot_be_changed_and_can_be_pickled():
    unit = Unit("ann", 2, 9, "NP")
    with pytest.raises(dataclasses.FrozenInstanceError):
        unit.start = 0.0  # type: ignore[misc]
    assert pickled(unit) == unit


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (9, 2, r"cannot end before it starts; 'ann' has \[9.0, 2.0\]"),
        (math.nan, 2, "the start of a unit must be a finite number; 'ann' has nan"),
        (0, math.inf, "the end of a unit must be a finite number; 'ann' has inf"),
        (-math.inf, 0, "the start of a unit must be a finite number; 'ann' has -inf"),
    ],
)
def test_impossible_bounds_are_refused(start, end, message):
    with pytest.raises(DataError, match=message):
        Unit("ann", start, end)
    with pytest.raises(DataError, match=message):
        Continuum.from_units([("ann", start, end)])


@pytest.mark.parametrize("bound", ["3", None, True, 1j, b"3"])
def test_bounds_are_numbers(bound):
    with pytest.raises(TypeError, match="the bounds of a unit must be numbers; 'ann' has"):
        Unit("ann", bound, 9)


@pytest.mark.parametrize("name", [None, "", "  ", math.nan])
def test_an_annotator_needs_a_name(name):
    with pytest.raises(DataError, match="an annotator needs a name"):
        Unit(name, 0, 1)


@pytest.mark.parametrize("name", [1.5, ("ann",), object(), math.inf])
def test_an_annotator_is_named_by_text_or_a_whole_number(name):
    with pytest.raises(TypeError, match="the name of an annotator must be text or a whole number"):
        Unit(name, 0, 1)


# Order and columns


def test_units_stand_by_annotator_start_end_and_label(text):
    assert [(unit.annotator, unit.start, unit.end, unit.label) for unit in text] == [
        ("ann", 0, 5, None),
        ("ann", 0, 5, "NP"),
        ("ann", 0, 5, "NP"),
        ("ann", 7, 9, "VP"),
        ("bob", 0, 4, "NP"),
    ]


def test_the_columns_are_those_the_kernel_takes(text):
    assert text.annotators == ("ann", "bob")
    assert text.labels == (None, "NP", "VP")
    assert text.label_codes.tolist() == [0, 1, 1, 2, 1]
    assert text.offsets.tolist() == [0, 4, 5]
    assert text.counts.tolist() == [4, 1]
    dtypes = [column.dtype for column in (text.starts, text.ends, text.label_codes, text.offsets)]
    assert dtypes == [np.float64, np.float64, np.int32, np.int64]


@pytest.mark.parametrize("column", ["starts", "ends", "label_codes", "offsets"])
def test_the_columns_are_contiguous_and_read_only(text, column):
    array = getattr(text, column)
    assert array.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0


def test_the_callers_arrays_stay_the_callers():
    starts, ends = np.array([0.0, 1.0]), np.array([2.0, 3.0])
    text = Continuum.from_columns(["ann", "bob"], starts, ends)
    starts[0] = 99
    assert starts.flags.writeable
    assert text.starts.tolist() == [0.0, 1.0]


def test_a_continuum_cannot_be_changed(text):
    with pytest.raises(dataclasses.FrozenInstanceError):
        text.labels = ()
    with pytest.raises(TypeError, match="build a Continuum with"):
        Continuum()


def test_a_continuum_survives_pickling_and_stays_read_only(text):
    for again in (pickled(text), copy.copy(text), copy.deepcopy(text)):
        assert again == text
        assert again.annotators_from == text.annotators_from
        assert not again.starts.flags.writeable
        assert not again.offsets.flags.writeable


def test_continua_with_the_same_content_are_equal_and_have_the_same_hash(text):
    other = Continuum.from_units(reversed(ROWS), annotators=["bob", "ann"])
    assert (text == other, hash(text) == hash(other)) == (True, True)
    assert (text.annotators_from, other.annotators_from) == ("units", "declared")
    assert text != "text"


@pytest.mark.parametrize(
    ("rows", "settings"),
    [
        (ROWS[1:], {}),
        ([*ROWS[:-1], ("ann", 0, 5, "np")], {}),
        ([*ROWS[:-1], ("ann", 0, 5.0000001, "NP")], {}),
        ([*ROWS[:-1], ("eve", 0, 5, "NP")], {}),
        (ROWS, {"annotators": ("ann", "bob", "eve")}),
        (ROWS, {"extent": (0, 10)}),
    ],
)
def test_another_content_has_another_digest(text, rows, settings):
    assert Continuum.from_units(rows, **settings).digest != text.digest


def test_the_label_one_is_not_the_label_text_one():
    number = Continuum.from_units([("ann", 0, 1, 1)])
    assert number != Continuum.from_units([("ann", 0, 1, "1")])
    assert number == Continuum.from_units([("ann", -0.0, 1, 1.0)])


def test_the_digest_is_the_same_on_every_machine():
    text = Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 1, 5, 2)], extent=(0, 9))
    assert text.digest == ("4a5a419b8a64acf654a7623b5dfdce84d9a91ad52fb05495d114fe14ac10fd7e")


# Sequence of units


def test_units_are_a_sequence(text):
    assert len(text.units) == len(text) == 5
    assert text.units[4] == text.units[-1] == text.unit(4) == Unit("bob", 0, 4, "NP")
    assert list(text.units[1:3]) == [Unit("ann", 0, 5, "NP")] * 2
    assert tuple(text.units) == tuple(text)
    assert Unit("ann", 7, 9, "VP") in text.units
    assert "5 units" in repr(text.units)


@pytest.mark.parametrize("row", [-1, 5])
def test_there_is_no_unit_outside_the_rows(text, row):
    with pytest.raises(IndexError, match=f"no unit in row {row}; there are 5"):
        text.unit(row)
    with pytest.raises(IndexError):
        text.units[row * 7]


def test_a_unit_belongs_to_its_annotator_when_others_have_none():
    text = Continuum.from_units([("b", 0, 1), ("d", 0, 2)], annotators=("a", "b", "c", "d", "e"))
    assert [text.unit(row).annotator for row in range(2)] == ["b", "d"]
    assert text.counts.tolist() == [0, 1, 0, 1, 0]


# Annotators and extent


def test_declared_annotators_are_kept_without_units():
    text = Continuum.from_units(ROWS, annotators=("eve", "ann", "bob"))
    assert text.annotators == ("ann", "bob", "eve")
    assert text.counts.tolist() == [4, 1, 0]


def test_an_undeclared_annotator_is_refused():
    with pytest.raises(DataError, match="'bob' has units but is not among the declared"):
        Continuum.from_units(ROWS, annotators=("ann", "eve"))


@pytest.mark.parametrize("annotators", ["ann", 7])
def test_declared_annotators_are_several_names(annotators):
    with pytest.raises(TypeError, match="annotators must be a sequence of names"):
        Continuum.from_units(ROWS, annotators=annotators)


def test_the_extent_is_from_the_first_start_to_the_last_end(text):
    assert text.extent == (0.0, 9.0)
    assert Continuum.from_units(ROWS, extent=(-1, 60)).extent == (-1.0, 60.0)


@pytest.mark.parametrize("extent", [(1, 60), (0, 8)])
def test_units_lie_within_the_extent(extent):
    with pytest.raises(DataError, match=r"all units must lie within the extent .* 'ann' has"):
        Continuum.from_units(ROWS, extent=extent)


@pytest.mark.parametrize("extent", [(9, 0), (0, math.nan), (-math.inf, 9)])
def test_an_extent_is_finite_and_in_order(extent):
    with pytest.raises(DataError, match="two finite numbers"):
        Continuum.from_units(ROWS, extent=extent)


@pytest.mark.parametrize("extent", [(0, 1, 2), 9, ("a", "b"), (None, 3)])
def test_an_extent_is_two_numbers(extent):
    with pytest.raises(TypeError, match="an extent must be two numbers"):
        Continuum.from_units(ROWS, extent=extent)


def test_a_continuum_may_have_no_units():
    text = Continuum.from_units([], annotators=("ann", "bob"))
    assert (len(text), text.extent, text.labels) == (0, (0.0, 0.0), ())
    assert text.offsets.tolist() == [0, 0, 0]
    assert Continuum.from_units([]).annotators == ()
    assert Continuum.from_units([], extent=(0, 9)).extent == (0.0, 9.0)


# Selections and renames


def test_only_keeps_some_annotators(text):
    part = text.only(annotators=("bob",))
    assert (part.annotators, len(part), part.labels) == (("bob",), 1, ("NP",))
    assert part.extent == text.extent


def test_only_keeps_some_labels_and_all_annotators(text):
    part = text.only(labels=["VP", None])
    assert [unit.label for unit in part] == [None, "VP"]
    assert part.annotators == ("ann", "bob")
    assert part.counts.tolist() == [2, 0]


def test_only_of_nothing_and_of_everything(text):
    assert len(text.only(annotators=(), labels=())) == 0
    assert text.only() == text
    assert text.only(annotators=text.annotators, labels=text.labels) == text


@pytest.mark.parametrize(
    ("settings", "kind", "message"),
    [
        (
            {"annotators": ("eve",)},
            DataError,
            "no annotator 'eve'; the annotators are 'ann', 'bob'",
        ),
        ({"labels": ("XP",)}, DataError, "no label 'XP'; the labels are None, 'NP', 'VP'"),
        ({"labels": "NP"}, TypeError, r"labels must be a sequence of labels, such as \('NP',\)"),
        ({"labels": 3}, TypeError, "labels must be a sequence of labels"),
        ({"annotators": "ann"}, TypeError, "annotators must be a sequence of names"),
    ],
)
def test_only_knows_what_is_there(text, settings, kind, message):
    with pytest.raises(kind, match=message):
        text.only(**settings)


def test_a_message_does_not_list_a_thousand_labels():
    text = Continuum.from_units([("ann", 0, 1, number) for number in range(1000)])
    with pytest.raises(DataError, match=r"18, 19, … \(1,000 in all\)"):
        text.only(labels=("x",))


def test_rename_gives_other_names_and_the_order_follows(text):
    again = text.rename(annotators={"ann": "zoe"}, labels={"VP": "AP", None: 1})
    assert again.annotators == ("bob", "zoe")
    assert [(unit.annotator, unit.label) for unit in again] == [
        ("bob", "NP"),
        ("zoe", 1),
        ("zoe", "NP"),
        ("zoe", "NP"),
        ("zoe", "AP"),
    ]


def test_annotators_can_swap_names_and_labels_can_merge(text):
    swapped = text.rename(annotators={"ann": "bob", "bob": "ann"})
    assert swapped.counts.tolist() == [1, 4]
    assert text.rename(labels={"NP": "P", "VP": "P"}).labels == (None, "P")
    assert text.rename(labels={"NP": None, "VP": None}).labels == (None,)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"annotators": {"eve": "zoe"}}, "no annotator 'eve'"),
        ({"annotators": {"ann": "bob"}}, "two annotators cannot share a name; 'ann' and 'bob'"),
        ({"annotators": {"ann": ""}}, "annotator needs a name"),
        ({"labels": {"XP": "NP"}}, "no label 'XP'"),
    ],
)
def test_rename_knows_what_is_there(text, settings, message):
    with pytest.raises(DataError, match=message):
        text.rename(**settings)


@pytest.mark.parametrize(
    ("rows", "extent", "told"),
    [
        (ROWS, None, "Continuum(2 annotators, 5 units, 2 labels, 0–9)"),
        ([("ann", 0, 1, "a")], (0, 612.4), "Continuum(1 annotator, 1 unit, 1 label, 0–612.4)"),
        ([], None, "Continuum(0 annotators, 0 units, 0 labels, 0–0)"),
        ([("a", 0, 1)] * 1234, None, "Continuum(1 annotator, 1,234 units, 0 labels, 0–1)"),
    ],
)
def test_the_repr_tells_what_is_there(rows, extent, told):
    assert repr(Continuum.from_units(rows, extent=extent)) == told


FARTHEST = 2**53 - 1


@pytest.mark.parametrize("far", [2**53, 2**53 + 1, 10**17, -(10**17), 1e300, np.int64(2**60)])
def test_positions_that_would_be_rounded_are_refused(far):
    said = r"positions must lie within ±9,007,199,254,740,991, .*: subtract a common origin"
    rows = [("ann", min(far, 0), max(far, 0)), ("bob", 0, 1)]
    for make in (
        lambda: Continuum.from_units(rows),
        lambda: Continuum.from_columns(*map(list, zip(*rows, strict=True))),
        lambda: Unit(*rows[0]),
        lambda: Continuum.from_units([("ann", 0, 1)], extent=(min(far, 0), max(far, 1))),
    ):
        with pytest.raises(DataError, match=said):
            make()


def test_the_farthest_positions_are_exact():
    text = Continuum.from_units([("ann", -FARTHEST, FARTHEST), ("bob", FARTHEST - 1, FARTHEST)])
    assert text.starts.tolist() == [-FARTHEST, FARTHEST - 1]
    assert text.extent == (-FARTHEST, FARTHEST)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Continuum.from_units([("ann", 0, 1)], extent=(0, 10**400)),
        lambda: Unit("ann", 0, 10**400),
    ],
)
def test_a_number_beyond_all_floats_is_refused(make):
    with pytest.raises(DataError, match="finite number"):
        make()
