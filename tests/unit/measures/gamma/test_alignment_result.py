import pickle

import numpy as np
import pytest

from sample_results import alignment, continuum
from unisono.errors import DataError
from unisono.model.continuum import Continuum, Unit


def test_groups_are_units_in_the_order_of_annotators():
    groups = alignment().groups

    assert len(groups) == len(alignment()) == 2
    assert groups[0] == (Unit("ann", 0.0, 2.0, "A"), Unit("bob", 0.0, 2.0, "A"))
    assert groups[-1] == (None, Unit("bob", 3.0, 4.5, "B"))


def test_groups_are_a_sequence():
    groups = alignment().groups

    assert [len(group) for group in groups] == [2, 2]
    assert list(groups[1:]) == [groups[1]]
    assert repr(groups) == "<2 groups>"
    with pytest.raises(IndexError):
        groups[2]


def test_the_gap_is_nothing_when_proven():
    assert alignment(lower_bound=0.1).gap == 0.0
    assert alignment(lower_bound=0.5, proven=False).gap == pytest.approx(1 / 6)
    assert alignment(lower_bound=0.7, proven=False).gap == 0.0


def test_a_result_states_whether_it_is_proven():
    assert repr(alignment()) == "Alignment(2 groups, disorder 0.6667, proven)"
    unproven = alignment(lower_bound=0.5, proven=False)
    assert repr(unproven) == "Alignment(2 groups, disorder 0.6667, not proven, gap 0.17)"


def test_rows_are_flat_and_groups_counted_from_one():
    assert list(alignment().rows()) == [
        (1, 0.0, "ann", 0.0, 2.0, "A"),
        (1, 0.0, "bob", 0.0, 2.0, "A"),
        (2, 1.0, "bob", 3.0, 4.5, "B"),
    ]


def test_plain_data_hold_the_whole_alignment():
    record = alignment().to_dict()

    assert record["groups"][1] == {
        "disorder": 1.0,
        "units": [None, {"annotator": "bob", "start": 3.0, "end": 4.5, "label": "B"}],
    }
    assert (record["disorder"], record["gap"], record["proven"]) == (2 / 3, 0.0, True)


def test_in_short_it_is_its_size_and_its_proof():
    short = alignment(lower_bound=0.5, proven=False).in_short()

    assert list(short) == pytest.approx([2, 2 / 3, 0.5, 1 / 6, False])
    assert short._fields == ("n_groups", "disorder", "lower_bound", "gap", "proven")
    assert alignment().to_dict()["n_groups"] == 2


def test_readers_see_groups_and_programs_units():
    people, programs = alignment(document="talk", skipped=2).sheet().tables

    assert people.view().cells == [
        ["1", "0.0000", "0–2 A", "0–2 A"],
        ["2", "1.0000", "·", "3–4.5 B"],
    ]
    assert programs.rows == list(alignment().rows())
    assert (
        alignment().to_csv().startswith("group,disorder,annotator,start,end,label\n1,0.0,ann,0.0,")
    )


def test_sets_of_labels_are_sorted_lists_in_plain_data():
    text = Continuum.from_units([("ann", 0, 1, {"b", "a"}), ("bob", 0, 1, None)])
    record = alignment(continuum=text, indices=[[0, 1]], group_disorders=[0.5]).to_dict()

    assert [unit["label"] for unit in record["groups"][0]["units"]] == [["a", "b"], None]


def test_labels_in_csv_are_texts():
    rows = [("ann", 0, 1, {"b", "a"}), ("bob", 0, 1, 2.0)]
    lines = alignment(
        continuum=Continuum.from_units(rows), indices=[[0, 1]], group_disorders=[0.5]
    ).to_csv()

    assert lines.splitlines()[1:] == ['1,0.5,ann,0.0,1.0,"{a, b}"', "1,0.5,bob,0.0,1.0,2"]


def test_arrays_are_read_only():
    indices = np.array([[0, 1], [-1, 2]])
    result = alignment(indices=indices)
    indices[0, 0] = 2

    assert result.indices[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        result.indices[0, 0] = 2
    with pytest.raises(ValueError, match="read-only"):
        result.group_disorders[0] = 2


def test_read_only_arrays_are_not_copied():
    indices = np.array([[0, 1], [-1, 2]])
    indices.setflags(write=False)

    assert alignment(indices=indices).indices is indices


def test_pickling_keeps_it_equal_and_read_only():
    result = alignment()
    again = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own bytes

    assert again == result
    assert hash(again) == hash(result)
    assert not again.indices.flags.writeable


def test_equal_means_the_same_groups():
    assert alignment() != alignment(indices=[[0, 2], [-1, 1]])
    assert alignment() != alignment(proven=False)
    assert alignment() != 0


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"indices": [[0], [1]]}, "one column per annotator, 2 in all"),
        ({"indices": [0, 1]}, "shape"),
        ({"group_disorders": [0.0]}, "one entry per group, 2 in all"),
        ({"indices": [[0, 1], [-1, 3]]}, "between −1 and 2"),
        ({"indices": [[0, 1], [-2, 2]]}, "between −1 and 2"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changes, problem):
    with pytest.raises(DataError, match=problem):
        alignment(**changes)


def test_an_alignment_of_nothing_has_no_groups():
    empty = Continuum.from_units([], annotators=["ann", "bob"])
    indices = np.empty((0, 2), dtype=np.int64)
    result = alignment(
        continuum=empty, indices=indices, group_disorders=[], disorder=0, lower_bound=0
    )

    assert list(result.groups) == []
    assert result.to_dict()["groups"] == []
    assert list(result.rows()) == []


def test_the_continuum_is_kept():
    assert alignment().continuum == continuum()
