import enum

import numpy as np
import pandas as pd
import pytest

from unisono.errors import DataError
from unisono.model.labels import Label, as_label, label_bytes, label_order, label_text, shown


class Phrase(str, enum.Enum):  # noqa: UP042 (not StrEnum, whose str() differs)
    NOUN = "NP"


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("NP", "NP"),
        (np.str_("NP"), "NP"),
        (Phrase.NOUN, "NP"),
        (" NP ", " NP "),
        (3, 3),
        (3.0, 3),
        (-0.0, 0),
        (0.5, 0.5),
        (np.int8(3), 3),
        (np.float32(0.5), 0.5),
        (10**30, 10**30),
        (True, "true"),
        (np.bool_(False), "false"),
        (["a", "b", "a"], frozenset({"a", "b"})),
        (("a", 1.0), frozenset({"a", 1})),
        ({np.str_("a"), True}, frozenset({"a", "true"})),
        (frozenset({"a", 1}), frozenset({"a", 1})),
        (frozenset({"a", True}), frozenset({"a", "true"})),
        (frozenset({Phrase.NOUN}), frozenset({"NP"})),
        (np.array(["a", "b"]), frozenset({"a", "b"})),
        (np.array("a"), "a"),
        ((), frozenset()),
    ],
)
def test_a_label_has_one_form(value, label):
    assert as_label(value) == label
    assert type(as_label(value)) is type(label)


@pytest.mark.parametrize(("member", "kind"), [(1.0, int), (Phrase.NOUN, str)])
def test_the_members_of_a_set_have_one_form_too(member, kind):
    label = as_label(frozenset({member}))
    assert isinstance(label, frozenset)
    assert [type(each) for each in label] == [kind]


@pytest.mark.parametrize(
    "value", [None, float("nan"), np.float64("nan"), np.float32("nan"), "", pd.NA, pd.NaT]
)
def test_missing_values_are_no_label(value):
    assert as_label(value) is None


@pytest.mark.parametrize("value", [b"NP", 1j, object(), {"a": 1}, [["a"]], pd.Timestamp(0)])
def test_other_types_are_refused(value):
    with pytest.raises(TypeError, match="a label must be a string, a number or a set of them"):
        as_label(value)


def test_an_infinite_label_is_refused():
    with pytest.raises(DataError, match="finite; got inf"):
        as_label(float("inf"))


@pytest.mark.parametrize(
    "value", [["a", None], ("",), frozenset({"a", ""}), {float("nan")}, [np.float64("nan")]]
)
def test_a_set_cannot_hold_no_label(value):
    with pytest.raises(DataError, match="every member of a set of labels"):
        as_label(value)


def test_labels_of_all_kinds_have_one_order():
    sets: list[Label] = [frozenset(), frozenset({1}), frozenset({1, "a"})]
    ordered = [None, -1, 0.5, 2, 10, "B", "a", *sets]
    shuffled = [ordered[place] for place in (9, 2, 7, 0, 5, 8, 1, 6, 4, 3)]
    assert sorted(shuffled, key=label_order) == ordered


@pytest.mark.parametrize(
    ("label", "text"),
    [
        (None, ""),
        ("NP", "NP"),
        (1, "1"),
        (1.0, "1"),
        (0.5, "0.5"),
        (frozenset({"b", "a", 2}), "{2, a, b}"),
        (frozenset(), "{}"),
    ],
)
def test_labels_are_written_for_people(label, text):
    assert label_text(label) == text


def test_no_two_labels_have_the_same_bytes_in_the_digest():
    labels = [
        *(None, "", "1", 1, "{}", frozenset(), "n1:1", 0.5, "0.5", "\ud800"),
        *(frozenset({"a"}), frozenset({"a", "b"}), frozenset({"ab"}), frozenset({1})),
        frozenset({"1"}),
    ]
    assert len({label_bytes(label) for label in labels}) == len(labels)


@pytest.mark.parametrize(
    ("label", "told"),
    [
        (None, "no label"),
        ("no label", "'no label'"),
        ("2", "'2'"),
        (2, "2"),
        (frozenset({"VP", "NP"}), "{NP, VP}"),
    ],
)
def test_a_message_tells_texts_from_other_labels(label, told):
    assert shown(label) == told
