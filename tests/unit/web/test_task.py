"""Tasks: settings, labels, limits and files."""

from __future__ import annotations

import pytest

import unisono as un
from unisono.errors import DataError, SettingError
from unisono.results.values import Bounds
from unisono.web.task import Task, data_label, label_rows, setting_in_json, with_label_order


@pytest.fixture
def task(tmp_path):
    def task(*, units=10, draws=100, measure="gamma", **settings):
        events: list[tuple[str, int, int]] = []
        created = Task(
            measure=measure,
            sources={},
            settings=settings,
            target=tmp_path,
            units=units,
            draws=draws,
            threads=1,
            notify=lambda *event: events.append(event),
        )
        return created, events

    return task


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (("layer", ...), '"layer": …'),
        (("header", False), '"header": false'),
        (("order",), '"order"'),
        (("label", "γ"), '"label": "γ"'),
        (("extent", [0, 2.5]), '"extent": [0, 2.5]'),
    ],
)
def test_settings_are_written_as_json(value, written):
    assert setting_in_json(*value) == written


@pytest.mark.parametrize(
    ("labels", "value", "taken"),
    [
        ([1, 2], "2", 2),
        (["1", "2"], 2, "2"),
        ([0.5, None], 0.5, 0.5),
        (["a"], "b", "b"),
        ([frozenset("ab")], "{a, b}", frozenset("ab")),
        ([None], "", ""),
    ],
)
def test_labels_of_requests_are_matched_by_text(labels, value, taken):
    found = data_label(labels, value)

    assert found == taken
    assert type(found) is type(taken)


def test_order_is_converted_to_labels_of_the_data():
    assert with_label_order({"order": ["1", "2"], "distance": "ordinal"}, iter([2, 1])) == {
        "order": (1, 2),
        "distance": "ordinal",
    }
    assert with_label_order({"distance": "ordinal"}, [2, 1]) == {"distance": "ordinal"}


def test_labels_of_rows_are_converted_to_text():
    rows = [(1, frozenset("ab"), None), (2, None, 0.5), (3, 4, "x")]

    assert list(label_rows(rows, 1)) == [[1, "{a, b}", None], [2, "", 0.5], [3, "4", "x"]]
    assert list(label_rows([], 1)) == []


def test_limits_on_data_and_draws(task):
    created, _ = task(units=3, resamples=101, draws=100)
    created.check_size(3, "unit")
    with pytest.raises(
        DataError, match="the data contain 4 units, but this service accepts at most"
    ):
        created.check_size(4, "unit")
    with pytest.raises(
        SettingError, match="resamples=101 is more than this service allows; the maximum is 100"
    ):
        created.keywords("resamples")
    created.progress(0, 101)
    precise, _ = task(precision=0.001, draws=100)
    with pytest.raises(SettingError, match="needs about 101 draws"):
        precise.progress(0, 101)


def test_keywords_contain_only_requested_settings(task):
    created, _ = task(distance="ordinal", seed="random", weights=None, units=3)
    matrix, _ = task(distance={"labels": ["A", "B"], "values": [[0, 1], [1, 0]]})

    assert created.keywords("rng", "precision") == {"rng": None}
    assert created.keywords("distance") == {"distance": "ordinal"}
    assert matrix.keywords("distance")["distance"] == un.DistanceMatrix(
        ("A", "B"), [[0, 1], [1, 0]]
    )


def test_dissimilarity_is_created_only_on_request(task):
    none, _ = task()
    some, _ = task(dissimilarity={"distance": "ordinal", "label": 2.0})
    wrong, _ = task(dissimilarity={"distance": "near"})

    assert none.dissimilarity() is None
    assert some.dissimilarity() == un.CombinedDissimilarity(distance="ordinal", label=2.0)
    with pytest.raises(SettingError, match="unknown distance='near'"):
        wrong.dissimilarity()


def test_last_draw_is_always_reported(task):
    created, events = task()
    for done in range(1, 101):
        created.progress(done, 100)

    assert events[-1] == ("measuring", 100, 100)
    assert len(events) < 100


def test_written_files_are_listed_with_their_sizes(task, tmp_path):
    created, _ = task()
    created.write("note.txt", "a note", "half \ud83d mark")
    created.write_csv("a.csv", "rows", ["name"], [["=NP"], ["NP"]])
    created.write_csv("b.csv", "data", ["name"], [["=NP"]], of_data=True)
    created.write_json(Bounds(0.25, 0.5))
    created.write_part("aside/x.json", {"label": "γ"})

    assert (tmp_path / "note.txt").read_bytes() == b"half \\ud83d mark"
    assert (tmp_path / "a.csv").read_text("utf-8") == "name\n'=NP\nNP\n"
    assert (tmp_path / "b.csv").read_text("utf-8") == "name\n=NP\n"
    assert (tmp_path / "aside" / "x.json").read_text("utf-8") == '{"label":"γ"}'
    assert [file["name"] for file in created.files] == ["note.txt", "a.csv", "b.csv", "result.json"]
    for file in created.files:
        assert file["bytes"] == (tmp_path / file["name"]).stat().st_size
