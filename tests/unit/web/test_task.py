"""What a job is told: settings in the words of JSON, and labels as callers write them."""

from __future__ import annotations

import pytest

import unisono as un
from unisono.errors import DataError, SettingError
from unisono.results.values import Bounds
from unisono.web.task import Task, data_label, label_rows, setting_in_json, with_label_order


@pytest.fixture
def task(tmp_path):
    def task(*, units=10, draws=100, measure="gamma", **settings):
        heard: list[tuple[str, int, int]] = []
        made = Task(
            measure=measure,
            sources={},
            settings=settings,
            target=tmp_path,
            units=units,
            draws=draws,
            threads=1,
            notify=lambda *event: heard.append(event),
        )
        return made, heard

    return task


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (("layer", ...), '"layer": …'),
        (("header", False), '"header": false'),
        (("order",), '"order"'),
        (("label", "γ"), '"label": "γ"'),
        (("extent", [0, 2.5]), '"extent": [0, 2.5]'),
    ],
)
def test_a_setting_is_named_as_json_has_it(given, written):
    assert setting_in_json(*given) == written


@pytest.mark.parametrize(
    ("labels", "given", "taken"),
    [
        ([1, 2], "2", 2),
        (["1", "2"], 2, "2"),
        ([0.5, None], 0.5, 0.5),
        (["a"], "b", "b"),
        ([frozenset("ab")], "{a, b}", frozenset("ab")),
        ([None], "", ""),
    ],
)
def test_a_label_that_a_caller_wrote_is_the_one_of_the_data_that_reads_alike(labels, given, taken):
    found = data_label(labels, given)

    assert found == taken
    assert type(found) is type(taken)


def test_an_order_is_one_of_the_labels_of_the_data():
    assert with_label_order({"order": ["1", "2"], "distance": "ordinal"}, iter([2, 1])) == {
        "order": (1, 2),
        "distance": "ordinal",
    }
    assert with_label_order({"distance": "ordinal"}, [2, 1]) == {"distance": "ordinal"}


def test_the_label_of_each_row_is_written_as_a_text_and_the_rest_as_it_is():
    rows = [(1, frozenset("ab"), None), (2, None, 0.5), (3, 4, "x")]

    assert list(label_rows(rows, 1)) == [[1, "{a, b}", None], [2, "", 0.5], [3, "4", "x"]]
    assert list(label_rows([], 1)) == []


def test_more_data_or_draws_than_the_service_takes_on_are_refused(task):
    made, _ = task(units=3, resamples=101, draws=100)
    made.check_size(3, "unit")
    with pytest.raises(
        DataError, match="the data contain 4 units, but this service accepts at most"
    ):
        made.check_size(4, "unit")
    with pytest.raises(
        SettingError, match="resamples=101 is more than this service allows; the maximum is 100"
    ):
        made.keywords("resamples")
    made.progress(0, 101)
    precise, _ = task(precision=0.001, draws=100)
    with pytest.raises(SettingError, match="needs about 101 draws"):
        precise.progress(0, 101)


def test_only_settings_that_were_asked_for_are_handed_on(task):
    made, _ = task(distance="ordinal", seed="random", weights=None, units=3)
    matrix, _ = task(distance={"labels": ["A", "B"], "values": [[0, 1], [1, 0]]})

    assert made.keywords("rng", "precision") == {"rng": None}
    assert made.keywords("distance") == {"distance": "ordinal"}
    assert matrix.keywords("distance")["distance"] == un.DistanceMatrix(
        ("A", "B"), [[0, 1], [1, 0]]
    )


def test_a_dissimilarity_is_made_only_where_one_is_asked_for(task):
    none, _ = task()
    some, _ = task(dissimilarity={"distance": "ordinal", "label": 2.0})
    wrong, _ = task(dissimilarity={"distance": "near"})

    assert none.dissimilarity() is None
    assert some.dissimilarity() == un.CombinedDissimilarity(distance="ordinal", label=2.0)
    with pytest.raises(SettingError, match="unknown distance='near'"):
        wrong.dissimilarity()


def test_the_end_of_the_draws_is_told_however_soon_it_comes(task):
    made, heard = task()
    for done in range(1, 101):
        made.progress(done, 100)

    assert heard[-1] == ("measuring", 100, 100)
    assert len(heard) < 100


def test_files_to_download_are_listed_with_their_sizes(task, tmp_path):
    made, _ = task()
    made.write("note.txt", "a note", "half \ud83d mark")
    made.write_csv("a.csv", "rows", ["name"], [["=NP"], ["NP"]])
    made.write_csv("b.csv", "data", ["name"], [["=NP"]], of_data=True)
    made.write_json(Bounds(0.25, 0.5))
    made.write_part("aside/x.json", {"label": "γ"})

    assert (tmp_path / "note.txt").read_bytes() == b"half \\ud83d mark"
    assert (tmp_path / "a.csv").read_text("utf-8") == "name\n'=NP\nNP\n"
    assert (tmp_path / "b.csv").read_text("utf-8") == "name\n=NP\n"
    assert (tmp_path / "aside" / "x.json").read_text("utf-8") == '{"label":"γ"}'
    assert [file["name"] for file in made.files] == ["note.txt", "a.csv", "b.csv", "result.json"]
    for file in made.files:
        assert file["bytes"] == (tmp_path / file["name"]).stat().st_size
