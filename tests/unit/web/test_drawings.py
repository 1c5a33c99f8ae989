"""Drawings of documents for the page."""

from __future__ import annotations

import json

import pytest

import unisono as un
from unisono.web.drawings import (
    alignment_drawing,
    continuum_drawing,
    matching_drawing,
    write_drawings,
)
from unisono.web.task import Task


def units_of(drawing):
    """Return the units."""
    columns = drawing["units"]
    return [
        (drawing["annotators"][who], start, end, drawing["labels"][label])
        for who, start, end, label in zip(*columns.values(), strict=True)
    ]


def matched(reference, hypothesis, texts=(None, None)):
    """Return the drawing of two annotations and their matching."""
    sides = [
        un.Continuum.from_columns(*zip(*rows, strict=True), text=text)
        for rows, text in zip((reference, hypothesis), texts, strict=True)
    ]
    matching = un.slot_error_rate(*sides).matching
    assert matching is not None
    return matching_drawing("talk", matching), matching


GOLD = [("gold", 0, 2, "A"), ("gold", 5, 9, "B"), ("gold", 20, 22, "A")]
SYSTEM = [("system", 0, 3, "A"), ("system", 5, 9, "C"), ("system", 30, 41, "D")]


def test_drawing_of_a_document_has_its_units():
    rows = [("ann", 0.0, 2.0, "A"), ("ann", 3.0, 5.5, "B"), ("bob", 0.0, 3.0, "B")]
    drawing = continuum_drawing("talk", un.Continuum.from_units(rows, extent=(-1, 9)))

    assert units_of(drawing) == rows
    assert (drawing["name"], drawing["extent"]) == ("talk", [-1.0, 9.0])
    assert (drawing["groups"], drawing["slots"], drawing["texts"]) == (None, None, None)


def test_groups_are_sorted_by_disorder():
    rows = [("ann", 0, 2, "A"), ("ann", 9, 10, "A"), ("bob", 0, 2, "A")]
    alignment = un.best_alignment(un.Continuum.from_units(rows))
    drawing = alignment_drawing("talk", alignment)

    assert [group["units"] for group in drawing["groups"]] == [[0, 2], [1, None]]
    assert drawing["worst"] == [1, 0]
    assert drawing["disorder"] == alignment.disorder
    assert (drawing["proven"], drawing["gap"]) == (True, 0.0)


def test_drawing_of_a_matching_has_units_and_slots():
    drawing, matching = matched(GOLD, SYSTEM)
    units = units_of(drawing)

    assert units == [*GOLD, *SYSTEM]
    assert drawing["labels"] == ["A", "B", "C", "D"]
    assert drawing["extent"] == [0.0, 41.0]
    assert [
        (
            slot["kind"],
            *(None if slot[side] is None else units[slot[side]] for side in SIDES),
        )
        for slot in drawing["slots"]
    ] == [
        ("boundary", GOLD[0], SYSTEM[0]),
        ("type", GOLD[1], SYSTEM[1]),
        ("deletion", GOLD[2], None),
        ("insertion", None, SYSTEM[2]),
    ]
    assert [slot["kind"] for slot in drawing["slots"]] == [row[0] for row in matching.rows()]


SIDES = ("reference", "hypothesis")


def test_sides_with_the_same_annotator_are_named_by_role():
    again = [("gold", *unit) for _, *unit in SYSTEM]
    drawing, _ = matched(GOLD, again)

    assert drawing["annotators"] == ["reference", "hypothesis"]
    assert {who for who, *_ in units_of(drawing)[:3]} == {"reference"}


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        ((None, None), None),
        (("ab", "abc"), ["ab", "abc"]),
        (("ab", None), ["ab", None]),
        ((None, "abc"), [None, "abc"]),
    ],
)
def test_drawing_of_a_matching_has_the_texts_of_both_sides(texts, shown):
    drawing, _ = matched(GOLD[:1], SYSTEM[:1], texts)

    assert drawing["texts"] == shown


def test_unit_texts_are_truncated():
    starts, ends = [0, 0, 0, 0.5, 999], [300, 301, 2, 2, 1001]
    text = un.Continuum.from_columns(["ann"] * 5, starts, ends, text="x" * 1000)
    drawing = continuum_drawing("talk", text)
    by_place = dict(
        zip(
            zip(drawing["units"]["start"], drawing["units"]["end"], strict=True),
            drawing["texts"],
            strict=True,
        )
    )

    assert by_place == {
        (0.0, 2.0): "xx",
        (0.0, 300.0): "x" * 300,
        (0.0, 301.0): "x" * 299 + "…",
        (0.5, 2.0): None,
        (999.0, 1001.0): None,
    }


def test_drawings_are_written_with_an_index(tmp_path):
    text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 5, 6, "A")])
    drawings = {
        "bare": continuum_drawing("bare", text),
        "aligned": alignment_drawing("aligned", un.best_alignment(text)),
    }
    task = Task(
        measure="gamma",
        sources={},
        settings={},
        target=tmp_path,
        units=9,
        draws=9,
        threads=1,
        notify=lambda *_: None,
    )
    write_drawings(task, drawings)

    def written(name):
        return json.loads((tmp_path / "documents" / name).read_text("utf-8"))

    facts = {"n_units": 3, "n_annotators": 2}
    assert written("list.json")["documents"] == [
        {"number": 0, "name": "bare", **facts, "n_groups": None},
        {"number": 1, "name": "aligned", **facts, "n_groups": 2},
    ]
    assert written("1.json") == {"number": 1, **drawings["aligned"]}
    assert task.files == []
